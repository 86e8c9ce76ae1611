"""Rows of Abyss in step with the rules: what a seat's share of a step can lead to, how likely, and whole games."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from rules.abyss.engine import Abyss
from rules.abyss.state import Table
from rules.core.position import Position, new_position
from rules.core.scripts import SplitMix64, Step
from rules.core.turns import State
from solver.encodings.abyss import layout as L
from solver.encodings.abyss.playouts import play_on, play_one
from solver.encodings.abyss.sampling import Playouts, supports
from tests.bare import bare_position
from tests.rules.abyss.boards import EVENTS, board, engine, partners, plan, seat
from tests.solver.encodings.plain_form import told_by_sources

WIDE = 4_000
"""Ends of a stage up to which all are looked at."""
TEAM = ("homeless:1", "homeless:2", "ordinary_citizen:2", "trained_person:5", "guardian:3")
RULINGS: Sequence[dict[str, Any]] = (
    {},
    {"explore_doubling": "compound", "refill": "forced"},
    {"partner_cap": 2, "cap_counts_temps": False},
    {"start_player": "rotate", "first_refill_round": 2},
    {"speech_location": "any", "lost_action": "blank"},
)


def dealt(seed: int) -> tuple[Position, SplitMix64]:
    """Return a game of two to four in which everybody has partners, cards and marks."""
    generator = SplitMix64(seed)
    data = json.loads(new_position("abyss/2021", 2 + seed % 3, seed, ()).text())
    data["options"] = RULINGS[seed % len(RULINGS)]
    del data["state"]["action_pile"], data["state"]["event_pile"]
    for one in data["state"]["seats"]:
        crew = [TEAM[generator.below(len(TEAM))] for _ in range(generator.below(4))]
        marks = {"explore_pending": generator.below(2) == 0, "flashlight": generator.below(2) == 0}
        one |= {"ap": generator.below(7) - 2, "rp": generator.below(12), "partners": partners(*crew), **marks}
    return bare_position(json.dumps(data)), generator


def settled(row: array[int]) -> tuple[int, ...]:
    """Return a row with all treasure in one place, and without what chance goes by."""
    found = list(row)
    found[L.RANDOM] = 0
    found[L.ACTING] *= found[L.PHASE] != L.P_OVER
    for q in range(L.SEAT, L.SEAT + L.SEAT_W * found[L.SEATS], L.SEAT_W):
        temp = found[q + L.TEMP_PLACE] or found[q + L.PLACE]
        found[q + L.FLAT] += found[q + L.EACH_MAIN] * found[q + L.N_TEAM] * (found[q + L.PLACE] == L.ABYSS)
        found[q + L.FLAT] += found[q + L.EACH_TEMP] * found[q + L.TEMPS] * (temp == L.ABYSS)
        found[q + L.EACH_MAIN] = found[q + L.EACH_TEMP] = 0
        found[q + L.N_UNSEEN] = found[q + L.LAID_SEEN] = 0  # read before the first step alone
        found[q + L.UNSEEN : q + L.TEAM] = [0] * (L.TEAM - L.UNSEEN)
    return tuple(found)


class Stepping(Playouts):
    """Plays one seat's share of a step at a time."""

    def after(self, move: Step | None, seed: int) -> tuple[int, ...]:
        """Return the row after the acting seat's share, begun with a move."""
        row, given = self._row[:], self.move(move) if move is not None else array("i", [-1] * L.M_W)
        play_one(row, self._tables.numbers, given, seed)
        while row[L.PHASE] == L.P_HIRE:
            play_one(row, self._tables.numbers, given, row[L.RANDOM])
        return settled(row)


def stepping(game: Abyss, state: State[Table]) -> Stepping:
    return Stepping(game, state, max(0, game.to_act(state)), 1, 0)


@pytest.mark.parametrize("seed", range(60))
def test_a_step_leads_where_the_rules_let_it_lead(seed: int) -> None:
    position, generator = dealt(seed)
    game, start = engine(position), position.start()[1]
    table = start.table
    for _ in range(40):
        if game.is_over(table):
            return
        state = State(table)
        moves = list(game.legal_moves(state)) if game.to_act(state) >= 0 else []
        move = moves[generator.below(len(moves))] if moves else None
        rows = stepping(game, state)
        if move is not None and not supports(game, state, moves):
            begun = game.begun(state, move)
            ends = [end.table for _, end in zip(range(WIDE), game.turn_ends(table, begun), strict=False)]
        else:
            move, ends = None, [end.table for _, end in zip(range(WIDE), game.turn_ends(table), strict=False)]
        allowed = {settled(rows.row(end)) for end in ends}
        if len(ends) < WIDE and table.phase != "choose":
            for draw in range(6):
                assert rows.after(move, generator.below(10**9) + draw + 1) in allowed, (table.phase, move)
        table = game.sample_turn(table, generator).table


def test_events_come_as_often_as_their_copies() -> None:
    teams = [seat(plan=plan(None)), seat(plan=plan(None))]
    start = board(*teams, known=(), actions=["theft"] * 3, events=["safe", "riot", "riot", "earthquake"], phase="deal")
    rows = stepping(engine(start), start.start()[1])
    came = Counter(rows.after(None, seed * 7_919 + 1)[L.SEAT + L.EVENT] for seed in range(4_000))
    names = {rows._tables.cards[card]: number for card, number in came.items()}
    assert all(abs(names[name] - expected) < 150 for name, expected in {"safe": 1000, "riot": 2000}.items())


@pytest.mark.parametrize("seed", range(12))
def test_games_are_played_on_with_all_their_cards(seed: int) -> None:
    position, _ = dealt(seed)
    game, state = engine(position), position.start()[1]
    rows = stepping(game, state)
    row, work = rows._row, rows._work
    move = rows.move(game.legal_moves(state)[0])
    for games in range(1, 40):
        play_on(row, rows._tables.numbers, work, move, 0, 9, seed + games, 1)
        assert held(work) == held(row)
        assert all(number >= 0 for number in work[L.FRONT : L.SEAT])


def held(row: array[int]) -> Counter[int]:
    """Return the copies of each card, wherever it lies."""
    found = Counter[int]()
    for zone in (L.FRONT, L.BACK, L.USED):
        found.update({card: row[zone + card] for card in range(1, L.MOST_CARDS)})
    for q in range(L.SEAT, L.SEAT + L.SEAT_W * row[L.SEATS], L.SEAT_W):
        found.update({card: row[q + L.HAND + card] for card in range(1, L.MOST_CARDS)})
        found.update({row[q + field]: 1 for field in (L.CARD, L.TEMP_CARD, L.EVENT) if row[q + field]})
    return +found


@pytest.mark.parametrize(
    ("team", "ap", "least", "most"), [((), 20, 0, 0.02), ((), 0, 0.5, 1.5), (TEAM[:1], 0, 0.5, 1.5)]
)
def test_who_has_money_and_no_team_held_no_card_for_digging(
    team: tuple[str, ...], ap: int, least: float, most: float
) -> None:
    data = json.loads(dealt(0)[0].text())
    data["state"] |= {"round": 3}
    data["state"]["seats"][1] |= {"ap": ap, "partners": partners(*team)}
    game, start = bare_position(json.dumps(data)).start()
    assert isinstance(game, Abyss)
    rows = Playouts(game, State(game.covered(start.table, 0)), 0, 9, 1)
    work, digging, deals = array("i", bytes(4 * L.W)), rows._tables.card["digging"], 400
    held = 0
    for seed in range(deals):
        play_on(rows._row, rows._tables.numbers, work, array("i", bytes(4 * L.M_W)), 0, 0, seed + 1, 1)
        held += work[L.SEAT + L.SEAT_W + L.HAND + digging]
    assert least <= held / deals <= most


def test_cards_that_a_table_names_are_not_dealt_anew() -> None:
    game, start = dealt(0)[0].start()
    assert isinstance(game, Abyss)
    hand = start.table.seats[1].hand
    rows, work = Playouts(game, start, 0, 9, 1), array("i", bytes(4 * L.W))
    for seed in range(9):
        play_on(rows._row, rows._tables.numbers, work, array("i", bytes(4 * L.M_W)), 0, 0, seed + 1, 1)
        at = L.SEAT + L.SEAT_W + L.HAND
        assert work[at : at + L.MOST_CARDS] == rows._row[at : at + L.MOST_CARDS]
        assert sum(work[at : at + L.MOST_CARDS]) == len(hand)


def test_who_wins_at_once_is_told_so() -> None:
    near = seat(ap=6, rp=18, hand=["bribe", "theft"], partners=["guardian:8"])
    start = board(near, seat(hand=["theft"]), known=(), actions=["flashlight"] * 3, events=EVENTS)
    state = start.start()[1]
    state = engine(start).apply(state, engine(start).parse_step(state, "give_up none")).state
    nobody, guardian = (engine(start).parse_step(state, f"hire {words}") for words in ("none", "1 guardian"))
    rows = Playouts(engine(start), state, 0, 9, 1)
    assert rows.grow((nobody,), 1) == rows.grow((nobody,), 1) == 1
    assert rows.grow((guardian,), 1) < 1


def test_what_rows_do_not_carry_is_told() -> None:
    known = board(seat(hand=["theft"]), seat(), actions=["bribe"] * 3, events=["safe"])
    assert supports(engine(known), known.start()[1], ()) == ("open actions", "open events", "open picks")
    other = board(seat(hand=["theft"]), seat(), options={"theft_pick": "owner_chooses"}, known=())
    assert supports(engine(other), other.start()[1], ()) == ("theft_pick = owner_chooses",)


def games() -> list[int]:
    """Return what some games came to, and the cards that were left lying."""
    found: list[int] = []
    for seed in range(4):
        position, _ = dealt(seed)
        state = position.start()[1]
        rows = stepping(engine(position), state)
        for move in engine(position).legal_moves(state)[:3]:
            given = rows._row, rows._tables.numbers, rows._work, rows.move(move)
            found += [play_on(*given, 0, 12, 1_000 + seed, 3), *rows._work[L.FRONT : L.SEAT]]
    return found


def test_the_sources_play_as_their_compiled_form_does() -> None:
    told = told_by_sources("from tests.solver.encodings.test_abyss import games; print(games())")
    assert told == str(games())
