"""Tables and questions of hidden races as they are played, for ``hidden_exact``.

A greedy player plays seeded races, all that is dealt and drawn hidden. Some of their turns are looked into: with a deck
of up to ``REST`` cards for all turns that are left of the day, else ``AHEAD`` of them. The chance that is asked for is
that of going on as many spaces as the ``BETTER`` best of ``PLAYOUTS`` greedy playouts of these turns, which seldom is 0
or 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.position import new_position
from rules.core.scripts import SplitMix64, Step
from rules.iditacards.engine import Iditacards
from rules.iditacards.turn import NEW_DAY
from solver.search.rollout import Draws, GreedyPolicy, Playing

TURNS: Final = (8, 16, 24, 32)
"""Turns of a race that have been played when it is looked into."""
REST: Final = 14
AHEAD: Final = 4
PLAYOUTS: Final = 20
BETTER: Final = 5
DAY: Final = frozenset({NEW_DAY.text})


class Question(NamedTuple):
    """A table of a race, and how far ahead is asked."""

    turn: int
    table: Any
    turns: int
    whole: bool
    """All of the day is asked for."""
    target: int


class GreedyRacer:
    """Plays greedily; ``staying`` never takes a new day."""

    def __init__(self, game: Iditacards, seed: int, *, staying: bool = False) -> None:
        self._game = game
        self._way = GreedyPolicy(game)
        self._draws, self._generator = Draws(seed), SplitMix64(seed)
        self._staying = staying

    def turn(self, table: Any) -> Any:
        """Return the table after one more turn, the same one where there is none to take."""

        def answer(script: Playing, seat: int, answers: Sequence[Step]) -> Step:
            staying = [each for each in answers if each.text != NEW_DAY.text] if self._staying else answers
            if not staying:
                raise _Ended
            return self._way(table, script, seat, staying, self._generator)

        try:
            return self._game.play_turn(table, Playing([], self._draws, answer))
        except _Ended:
            return table


class _Ended(Exception):
    """Nothing but a new day is open."""


def questions(ruleset: str, seed: int) -> Iterator[tuple[Iditacards, Question]]:
    """Yield what is asked about one race."""
    position = new_position(ruleset, seed=seed, open_sources=[])
    game, start = position.start()
    assert isinstance(game, Iditacards)
    table, player = start.table, GreedyRacer(game, seed)
    for turn in range(1, max(TURNS) + 1):
        if table.over:
            return
        table = player.turn(table)
        seat = table.players[0]
        if turn in TURNS and not table.over and seat.deck:
            whole = len(seat.deck) <= REST
            turns = 2 * (len(seat.deck) + len(seat.hand)) + 1 if whole else AHEAD
            yield game, Question(turn, table, turns, whole, seat.pos + _spaces(game, table, turns))


def _spaces(game: Iditacards, table: Any, turns: int) -> int:
    """Return how many spaces the better ones of greedy playouts of some turns go on at least; one is the least."""
    found = []
    for seed in range(PLAYOUTS):
        player, here = GreedyRacer(game, seed, staying=True), table
        for _ in range(turns):
            after = here if here.over else player.turn(here)
            if after is here:
                break
            here = after
        found.append(game.progress(here) - game.progress(table))
    return max(1, sorted(found)[-BETTER])


def goals(question: Question) -> Iterator[tuple[str, Goal]]:
    """Yield the chance and the distance that are asked for, in words and as goals."""
    turns, at = question.turns, question.table.players[0].pos
    yield f"chance of {question.target - at:3}", Goal(Objective.REACH, question.target, turns, DAY)
    yield "distance     ", Goal(Objective.MAX_DISTANCE, 0, turns, DAY)
