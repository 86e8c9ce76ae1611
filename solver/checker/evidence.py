"""The exhausted search behind a certificate, in one place: who writes one and who checks one run the same rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.hands import HistoryRead
from rules.core.race import Race
from rules.core.scripts import Sampling
from rules.core.steps import Step
from rules.core.turns import State, TurnEnd
from solver.checker.boards import Hands
from solver.checker.certificate import MOST_LAYERS, Layer
from solver.checker.closed import Budget, DeadEnd, Layers, Tables, TooLarge, Unfit, is_forbidden

T = TypeVar("T")

FORMS: Final = (Hands.form, Tables.form)
"""What can count as one position, the smaller form first."""
WALKS: Final = 48
"""Real lines played at random against the layers."""


class Astray(Exception):
    """A real line left the layers: the form does not hold what it promises."""


def closed_layers(
    game: Race[T], start: State[T], goal: Goal, form: str, turns: int | None, budget: Budget
) -> Iterator[Layer]:
    """Yield the layers of so many own turns, or of all there are, ending early where every game has ended.

    Raises:
        TooLarge: the limit was hit.
        Unfit: the form cannot tell these positions.
        Astray: a line of the game, played at random, is not in the layers.
    """
    if turns == 0:
        return
    if form == Tables.form:
        yield from _run(Tables(game, start, goal, budget), turns)
        return
    layers: Hands[T] | None = Hands(game, start, goal, budget)
    while layers is not None:
        try:
            # A zone that turns out to be read is known only at the end, so nothing is told before.
            found = list(_run(layers, turns))
        except HistoryRead as read:
            layers = layers.wider(read.zone)
            zone = read.zone
            continue
        yield from found
        return
    raise Unfit(f"{zone}: this zone is read")


def best_ways(
    game: Race[T], start: State[T], goal: Goal, turns: int, least: int, budget: Budget
) -> tuple[tuple[int, ...], frozenset[T]]:
    """Return how many tables at the end of each turn lie on a best line of so many turns, and the last of them.

    Such a line gets to progress ``least`` or more, where the fewest turns count with the fewest rounds of those. Lines
    count as one where they pass through the same tables. Every line is played, with nothing left out.

    Raises:
        TooLarge: the limit was hit.
        Unfit: chance or somebody else decides something in them.
    """
    front = Tables(game, start, goal, budget)
    layers = [front.advance_with_edges() for _ in range(turns)]
    last = {table for table in (layers[-1] if layers else {start.table}) if game.progress(table, goal.seat) >= least}
    if goal.objective is Objective.MIN_TURNS:
        rounds = min((game.days(table, goal.seat) for table in last), default=0)
        last = {table for table in last if game.days(table, goal.seat) == rounds}
    ways: list[int] = []
    alive = last
    for layer in reversed(layers):
        ways.append(len(alive))
        alive = {before for table in alive for before in layer[table]}
    return tuple(reversed(ways)), frozenset(last)


def _run(layers: Layers[T], turns: int | None) -> Iterator[Layer]:
    walks = list(_walks(layers))
    for turn in range(1, MOST_LAYERS + 1):
        if turn == turns:
            furthest = layers.furthest_next()
            reached = [layers.game.progress(walk[turn], layers.goal.seat) for walk in walks if len(walk) > turn]
            _keep_to(all(furthest is not None and each <= furthest for each in reached), turn)
            yield Layer(turn, furthest, None)
            return
        layers.advance()
        _keep_to(all(layers.holds(walk[turn]) for walk in walks if len(walk) > turn), turn)
        yield Layer(turn, layers.furthest(), tuple(layers.names()))
        if not layers.alive:
            return
    raise TooLarge(f"too large to certify: lines do not end within {MOST_LAYERS} turns")


def _keep_to(kept: bool, turn: int) -> None:
    if not kept:
        raise Astray(f"turn {turn}: a line of the game leads to a position that is not among those reached")


class _Stroll(Sampling):
    """Answers at random with what the goal allows."""

    __slots__ = ("_allows",)

    def __init__(self, steps: Sequence[Any], generator: SplitMix64, allows: Callable[[Step], bool]) -> None:
        super().__init__(steps, generator)
        self._allows = allows

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        left = [step for step in answers if self._allows(step)]
        if not left:
            raise DeadEnd
        return super()._fresh(actor, left)


def _walks(layers: Layers[T]) -> Iterator[list[T]]:
    """Yield lines of the game played at random, each as its tables from the start on."""
    game, goal = layers.game, layers.goal
    for seed in range(WALKS):
        generator = SplitMix64(seed)
        tables, pending = [layers.start.table], layers.start.pending
        while len(tables) < _LONGEST_WALK and (pending or not game.is_over(tables[-1])):
            layers.budget.play()
            stroll = _Stroll(pending, generator, lambda step: not is_forbidden(step, goal))
            try:
                after = game.play_turn(tables[-1], stroll)
            except DeadEnd:
                break
            if not game.allows(tables[-1], TurnEnd(tuple(stroll.steps), after)):
                break
            tables.append(after)
            pending = ()
        yield tables


_LONGEST_WALK: Final = 16
"""Tables of a random line; what is wrong shows early."""
