from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from rules.core.errors import IllegalMoveError
from rules.core.scripts import ChanceOutcome, Event, Outcome, Script
from rules.core.turns import Game, Perft, State, divide, perft


class Word(NamedTuple):
    """A move of the game below."""

    text: str


class Heap(NamedTuple):
    left: int
    turns: int


class Coin(Game[Heap]):
    """Take one or two from a heap and, with two, let a coin decide whether one more goes; empty ends the game."""

    def initial_table(self) -> Heap:
        return Heap(3, 0)

    def play_turn(self, table: Heap, script: Script) -> Heap:
        words = ["one"] if table.left < 2 else ["one", "two"]
        taken = 2 if script.decide(0, lambda: [Word(word) for word in words], always=True).text == "two" else 1
        if taken == 2 and table.left > 2:
            sides = [ChanceOutcome("coin", side, 1, 2) for side in ("heads", "tails")]
            taken += script.chance(lambda: sides).result == "heads"
        return Heap(table.left - taken, table.turns + 1)

    def is_over(self, table: Heap) -> bool:
        return table.left == 0

    def outcome(self, table: Heap) -> Outcome | None:
        return Outcome((0,), "1") if self.is_over(table) else None

    def encode(self, table: Heap) -> dict[str, Any]:
        return table._asdict()

    def decode(self, state: Mapping[str, Any]) -> Heap:
        return Heap(**state)

    def sentence(self, event: Event) -> str:
        return event.kind

    def why_illegal(self, state: State[Heap], text: str) -> IllegalMoveError | None:
        return None


GAME = Coin()


def naive(table: Heap, turns: int) -> list[tuple[Heap, ...]]:
    """Return every sequence of tables, written out."""
    if turns == 0 or table.left == 0:
        return [(table,)]
    steps = [1] if table.left == 1 else [1, 2] if table.left == 2 else [1, 2, 3]
    return [(table, *rest) for step in steps for rest in naive(Heap(table.left - step, table.turns + 1), turns - 1)]


@pytest.mark.parametrize("left", range(7))
@pytest.mark.parametrize("turns", range(6))
def test_counts_agree_with_lines_written_out(left: int, turns: int) -> None:
    start = Heap(left, 0)
    lines = naive(start, turns)
    counted = perft(GAME, State(start), turns)
    ends = {line[-1] for line in lines}
    assert counted.lines == len(lines)
    assert counted.positions == len({end for end in ends if end.left})
    assert counted.terminal == len({end for end in ends if not end.left})


def test_digest_covers_positions_and_ends_in_order() -> None:
    counted = perft(GAME, State(Heap(2, 0)), 1)
    assert counted.texts == ('{"left":0,"turns":1}', '{"left":1,"turns":1}')
    assert counted.digest == hashlib.sha256(b'{"left":0,"turns":1}\n{"left":1,"turns":1}\n').hexdigest()


def test_rest_of_a_turn_counts_as_the_first() -> None:
    started = GAME.apply(State(Heap(5, 0)), Word("two")).state
    assert started.pending
    assert perft(GAME, started, 1).texts == ('{"left":2,"turns":1}', '{"left":3,"turns":1}')


def test_divide_counts_behind_each_first_step() -> None:
    parts = divide(GAME, State(Heap(5, 0)), 2)
    assert {text: (part.positions, part.lines, part.terminal) for text, part in parts.items()} == {
        "one": (3, 3, 0),
        "two": (2, 5, 1),
    }


def test_divide_asks_chance_in_the_middle_of_a_turn() -> None:
    started = GAME.apply(State(Heap(5, 0)), Word("two")).state
    assert {text: part.texts for text, part in divide(GAME, started, 1).items()} == {
        "coin heads": ('{"left":2,"turns":1}',),
        "coin tails": ('{"left":3,"turns":1}',),
    }


@pytest.mark.parametrize(("count", "turns"), [(perft, -1), (divide, 0)])
def test_senseless_depths_are_refused(
    count: Callable[[Coin, State[Heap], int], Perft | Mapping[str, Perft]], turns: int
) -> None:
    with pytest.raises(ValueError, match=str(turns)):
        count(GAME, State(Heap(1, 0)), turns)


def test_a_finished_game_is_counted_once() -> None:
    finished: Sequence[int] = [perft(GAME, State(Heap(0, 4)), turns).terminal for turns in range(3)]
    assert finished == [1, 1, 1]
