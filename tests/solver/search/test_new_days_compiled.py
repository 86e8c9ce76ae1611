"""New days on any turn by the compiled search: what beliefs gone through one by one have, and complete play."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.facts import FormFacts
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.compiled import Compiler
from solver.search.dealing import dealt
from solver.search.every_day import EveryDayStart, FlooredSearch, every_day_start
from solver.search.expectimax import Expectimax
from solver.search.layers import LimitHit, Watch

OPS = {"move", "draw", "take", "hypothermia", "starvation", "clear_hypothermia", "clear_starvation"}
"""What cards of small tables do."""


def race(edition: str) -> tuple[Position, Iditacards, Table]:
    position = new_position(f"iditacards/{edition}", seed=1, open_sources=[])
    game, start = position.start()
    assert isinstance(game, Iditacards)
    return position, game, start.table


def drawn(edition: str, chosen: random.Random) -> tuple[Table, Goal]:
    """Return a table with some copies of few cards, and a question of three or four turns."""
    _, game, base = race(edition)
    cards = game.rulings.cards
    plain = [
        name
        for name in sorted(cards)
        if cards[name].deck not in ("legendary", "damage") and {effect.op for effect in cards[name].instant} <= OPS
    ]
    moving = [name for name in plain if any(effect.op == "move" for effect in cards[name].instant)]
    risks = [name for name in plain if cards[name].risk]
    dogs = [name for name in plain if cards[name].type == "dog"]
    names = [chosen.choice(moving), chosen.choice(risks), *chosen.choices(plain, k=chosen.randint(1, 3))]

    def some(least: int, most: int) -> tuple[str, ...]:
        return tuple(sorted(chosen.choices(names, k=chosen.randint(least, most))))

    at = chosen.choice([0, 3, 30, 62, 100])
    player = base.players[0]._replace(
        hand=some(1, 3),
        deck=some(1, 4),
        discard=some(0, 3),
        pos=at,
        dogs=tuple(Dog(chosen.choice(dogs), ()) for _ in range(chosen.randint(0, 1))),
        stack=(Frame(chosen.choice(risks), 0, 0, 1, 0, "risk"),) if chosen.random() < 0.3 else (),
        legendary=(),
        passed=tuple(space for space in sorted(game.rulings.board.checkpoints) if space <= at),
    )
    table = base._replace(players=(player,), upgrade=tuple(() for _ in base.upgrade), supply=())
    return table, Goal(Objective.REACH, at + chosen.randint(3, 12), chosen.choice([3, 3, 4]))


def asked(position: Position, table: Table, goal: Goal, patience: int | None) -> EveryDayStart | None:
    game, start = position.with_table(table).start()
    assert isinstance(game, Iditacards)
    return every_day_start(game, start, game.legal_moves(start), goal, Watch(Limit()), None, patience=patience)


def told(start: EveryDayStart, turns: int) -> tuple[Fraction | None, dict[str, Fraction | None]]:
    return start.value(turns), {move.text: value for move, value in start.moves(turns)}


@pytest.mark.parametrize("patience", [0, 25])
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("edition", ["starter-race", "2019-02"])
def test_it_tells_what_beliefs_have_one_by_one(
    edition: str, at_once: bool, patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if at_once:  # as in large questions
        monkeypatch.setattr(belief_facts, "FAR", 0)
        monkeypatch.setattr(belief_facts, "MANY", 0)
    position, _, _ = race(edition)
    chosen = random.Random(f"{edition} {at_once} {patience}")
    compared = chances = 0
    while compared < 3 or not chances:
        table, goal = drawn(edition, chosen)
        one_by_one, packed = (asked(position, table, goal, each) for each in (None, patience))
        if one_by_one is None or packed is None:
            continue
        value, moves = told(one_by_one, goal.within_turns or 0)
        assert told(packed, goal.within_turns or 0) == (value, moves)
        compared += 1
        chances += 0 < (value or 0) < 1


def test_plain_python_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    position, _, _ = race("2019-02")
    chosen = random.Random(7)
    for _ in range(3):
        table, goal = drawn("2019-02", chosen)
        start = asked(position, table, goal, 0)
        assert start is not None
        found = told(start, goal.within_turns or 0)
        with monkeypatch.context() as patch:
            patch.setattr(dealt, "_loaded", {})
            patch.setattr(dealt, "_compiler", Compiler(lambda: (), 1 << 40, lambda: None, lambda: False))
            plain = asked(position, table, goal, 0)
            assert plain is not None
            assert told(plain, goal.within_turns or 0) == found


@pytest.mark.parametrize("patience", [None, 0])
@pytest.mark.parametrize(
    ("target", "at", "hand", "deck"),
    [
        (67, 62, ("downhill_slide", "russian_bear_dog"), ("downhill_slide", "downhill_slide", "slow_and_steady")),
        (105, 100, ("mush", "venison_carpaccio", "venison_carpaccio"), ("midnight_sun", "midnight_sun", "rest")),
    ],
)
def test_cards_seen_before_a_last_turn_speak_for_a_new_day_or_against_it(
    target: int, at: int, hand: tuple[str, ...], deck: tuple[str, ...], patience: int | None
) -> None:
    position, game, base = race("2019-02")
    player = base.players[0]._replace(
        hand=hand, deck=deck, discard=(), pos=at, dogs=(), legendary=(), passed=(6, 36), hypothermia=0, starvation=0
    )
    table = base._replace(players=(player,), upgrade=tuple(() for _ in base.upgrade), supply=(), weather="sun")
    goal = Goal(Objective.REACH, target, 2)
    search = Expectimax(game, goal, Watch(Limit()))
    ends = search.ends(table, 2)
    start = asked(position, table, goal, patience)
    assert start is not None
    value, moves = told(start, 2)
    assert value == search.turn(ends)
    assert {move.text: worth for move, worth in search.moves(ends, 0)}.items() <= moves.items()


def test_where_there_is_no_room_for_worths_beliefs_answer_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    position, _, _ = race("starter-race")
    chosen = random.Random(4)
    table, goal = drawn("starter-race", chosen)
    start = asked(position, table, goal, None)
    assert start is not None
    found = told(start, goal.within_turns or 0)

    def full(*_: object) -> None:
        raise OutOfReach

    monkeypatch.setattr(FormFacts, "refine", full)
    monkeypatch.setattr(FormFacts, "_write_floor", full)
    packed = asked(position, table, goal, 0)
    assert packed is not None
    assert told(packed, goal.within_turns or 0) == found


def test_what_was_told_before_a_limit_stands_from_below() -> None:
    position, _, _ = race("starter-race")
    chosen = random.Random(11)
    for _ in range(6):
        table, goal = drawn("starter-race", chosen)
        turns = goal.within_turns or 0
        whole, cut = asked(position, table, goal, 0), asked(position, table, goal, 0)
        assert whole is not None
        assert cut is not None
        value = whole.value(turns) or 0
        for ahead in range(1, turns):
            cut.value(ahead)
            assert cut.value_found <= value
        assert cut.ahead < turns


def test_a_restart_that_was_told_is_a_move_of_which_something_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    position, _, _ = race("starter-race")
    chosen, begun, turns, start = random.Random(11), Fraction(0), 0, None
    while not begun:
        table, goal = drawn("starter-race", chosen)
        turns, start = goal.within_turns or 0, asked(position, table, goal, 0)
        if start is not None:
            assert isinstance(start.search, FlooredSearch)
            form = start.search.beliefs
            assert isinstance(form, OpenDay)
            begun = start.search.leaving(form.board_of(form.project(table, turns)), turns)
    assert start is not None

    def stopped(*_: object) -> None:
        raise LimitHit

    monkeypatch.setattr(FlooredSearch, "worth", stopped)
    with pytest.raises(LimitHit):
        start.value(turns)
    assert 0 < start.value_found <= begun
    assert [(move.text, value) for move, value in start.moves(turns)] == [("new_day", start.value_found)]
