"""Whole games of Trench Rescue on rows: in step with the rules, fair deals, and chances that both seats share."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.scripts import SplitMix64
from rules.core.turns import State
from rules.trench_rescue.engine import TrenchRescue
from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.playouts import play_on
from solver.encodings.trench_rescue.sampling import Playouts, supports
from solver.encodings.trench_rescue.turns import table_from
from solver.engines.playouts import Comparison
from solver.question import Question
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import OPTIONS, small
from tests.solver.encodings.plain_form import told_by_sources

MOST_ENDS = 30_000
"""Ends of a half-turn up to which all are compared."""


@pytest.mark.parametrize("seed", range(24))
def test_half_turns_end_as_the_rules_let_them_end(seed: int) -> None:
    battle = small(seed, (2, 4, 2)[seed % 3], 1 + seed % 3, OPTIONS[seed % len(OPTIONS)])
    game, table, colours = battle.game, battle.table, battle.game.pack.colour
    moves = game.legal_moves(State(table))
    assert not supports(game, State(table), moves)
    rows = Playouts(game, State(table), table.to_move, 20, 1)
    rows.unseen = rows._unseen
    for move in moves:
        ends = list(islice(game.turn_ends(table, game.begun(State(table), move)), MOST_ENDS))
        allowed = {end.table for end in ends}
        for draw in range(1, 9):
            play_on(rows, rows.move(move), rows._results, 0, 7919 * draw, 1)
            after = table_from(rows.work, table, tuple(rows._number), colours)
            assert len(ends) == MOST_ENDS or after in allowed, (move.text, after)


def hidden(seed: int, turns: int) -> tuple[TrenchRescue, Any]:
    """Return a game with everything hidden, some half-turns after its beginning."""
    position = new_position("trench_rescue/2012", 2, seed, ())
    game, start = position.start()
    assert isinstance(game, TrenchRescue)
    table, generator = start.table, SplitMix64(seed)
    for _ in range(turns):
        table = game.sample_turn(table, generator).table
    return game, table


def test_playouts_last_as_long_as_asked_and_no_longer_than_the_game() -> None:
    game, table = hidden(1, 0)
    limit = game.rulings.turn_limit
    for turn, asked, rounds in ((1, limit + 8, limit), (limit - 1, 20, 2), (limit, 20, 1), (1, 3, 3)):
        assert Playouts(game, State(table._replace(turn=turn)), 0, asked, 1).rounds == rounds


@pytest.mark.parametrize("seed", range(8))
def test_every_card_lies_somewhere_and_no_place_stays_empty(seed: int) -> None:
    game, table = hidden(seed, 4 + 2 * seed)
    state, pack = State(table), game.pack
    rows = Playouts(game, state, 0, 20, 1)
    end = rows.move(next(move for move in game.legal_moves(state) if move.text == "end"))
    for draw in range(1, 30):
        rows.unseen = rows._unseen[:]
        play_on(rows, end, rows._results, 0, 7919 * draw, 1)
        after = table_from(rows.work, table, range(pack.unknown), pack.colour)
        assert [len(deck) for deck in after.deck] == [len(deck) for deck in table.deck]
        assert all({pack.colour[card] for card in deck} <= {c} for c, deck in enumerate(after.deck))
        assert sum(map(len, after.piles)) + sum(s.carries is not None for s in after.soldiers) >= sum(
            map(len, table.piles)
        )
        for place, pile in enumerate(table.piles):
            known = [card for card in pile if card != pack.unknown]
            assert [card for card in after.piles[place] if card in known][: len(known)] == known


def test_what_lies_in_a_place_comes_as_often_as_the_rules_say() -> None:
    game, table = hidden(3, 0)
    rows = Playouts(game, State(table), 0, 20, 1)
    end = rows.move(game.legal_moves(State(table))[-1])
    rows.unseen = rows._unseen[:]
    first = Counter[int]()
    for draw in range(1, 4001):
        play_on(rows, end, rows._results, 0, 7919 * draw, 1)
        card = next(i for i in range(52) if rows.work[L.CARDS + i] & L.PLACES == L.PILE)
        first[game.pack.colour[card]] += 1
    assert abs(first[0] - 2000) < 200  # eight cards of each colour lie on the field


def test_a_blind_rescue_is_worth_what_chance_makes_of_it() -> None:
    unseen = {f"{column},{row}": "?" for row in range(1, 5) for column in range(1, 5)}
    decks = both(" ".join("?" * 16), " ".join("?" * 17))
    home = both("4C", "QH")
    battle = Battle("9S@2,1", unseen, known=(), turn=20, starter="red", to_move="black", trench=home, deck=decks)
    report = Comparison(Question(battle.position, playouts=1500)).sampled()
    rescue = next(option for option in report.moves if option.move.text == "go 9S home take")
    assert rescue.value is not None
    assert rescue.win_chance is not None
    assert report.moves[0].loss == 0
    assert (rescue.loss or 0) < Fraction(1, 20)
    assert abs(rescue.value - Fraction(16, 25)) < Fraction(1, 20)  # black with 1/2, else 16 of 25 are 9 or less (5)
    assert abs(rescue.win_chance - Fraction(41, 50)) < Fraction(1, 20)


@pytest.mark.parametrize("seed", range(3))
def test_the_chances_of_both_seats_are_those_of_one_table(seed: int) -> None:
    game, table = hidden(seed, 8 + 4 * seed)
    position = new_position("trench_rescue/2012", 2, seed, ()).with_table(table)
    mine, end = Comparison(Question(position, playouts=200)).sampled(), game.parse_step(State(table), "end")
    ended = next(option.win_chance for option in mine.moves if option.move == end)
    after = game.settled(game.apply(State(table), end).state).table
    other = Comparison(Question(position.with_table(after), playouts=200)).sampled().moves[0].win_chance
    assert ended is not None
    assert other is not None
    assert abs(1 - ended - other) < Fraction(15, 100)


def games() -> list[int]:
    """Return what some games came to, and the row at the end of one."""
    game, table = hidden(5, 9)
    rows, found = Playouts(game, State(table), game.to_act(State(table)), 20, 3), list[int]()
    for move in game.legal_moves(State(table))[:6]:
        rows.unseen = rows._unseen[:]
        play_on(rows, rows.move(move), rows._results, 40, 77, 2)
        found += [*rows._results, *rows.work]
    return found


def test_the_sources_play_as_their_compiled_form_does() -> None:
    told = told_by_sources("from tests.solver.encodings.test_trench_sampling import games; print(games())")
    assert told == str(games())
