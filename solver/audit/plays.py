"""Whole games played by a seed, as material for plots: how long they take, what players have on the way, which cards.

Every seat plays alike: of a few turns at random it takes the one that the game's own guess likes best. So this is no
best play, only the same hand-to-mouth play before and after a change, from the same deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from rules.core.chance import mix
from rules.core.race import Race, tally
from rules.core.registry import Ruleset
from rules.core.steps import Move
from solver.audit.recorded import Recorded, guided, mean, mover, opening, play, race_of, share
from solver.lines import taken

GAMES: Final = 24
"""Games played."""
TURNS: Final = 400
"""Turns of all seats after which a game is given up."""
LOOKED_AT: Final = 6
"""Turns that a player compares."""
POINTS: Final = 120
"""Turns that a curve shows at most."""


@dataclass(frozen=True, slots=True)
class Band:
    """One resource after so many own turns, over all games."""

    low: float
    """A tenth of the games have less."""
    mean: float
    high: float
    """A tenth of the games have more."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a kind of move is made."""

    share: float
    """Part of the games in which it is made at all."""
    low: float
    """The 95 % interval of that (Wilson)."""
    high: float
    times: float
    """Times a game, on the mean."""


@dataclass(frozen=True, slots=True)
class Plays:
    """Some games under one ruleset."""

    ruleset: Ruleset
    seed: int
    games: int
    players: int
    lengths: tuple[int, ...]
    """Own turns of the first seat until it was at the goal, game by game; those that did not get there are left out."""
    curves: Mapping[str, tuple[Band, ...]]
    """By resource, one band for each own turn of the first seat from the start on; a game that is over keeps what it
    ended with."""
    moves: Mapping[str, Usage]
    """Of the first seat, by kind: the first word and the card named first, such as ``play mush``."""

    @property
    def mean(self) -> tuple[float, float] | None:
        """Return the mean length and half its 95 % interval; nothing where fewer than two games got there."""
        if len(self.lengths) < 2:
            return None
        told = mean(self.lengths)
        return told.value, told.high - told.value


def plays(
    ruleset: Ruleset,
    seed: int,
    tell: Callable[[str], None] = lambda _: None,
    enough: Callable[[int], bool] = lambda _: False,
) -> Plays:
    """Return games played under a ruleset; the same seed deals the same games under every ruleset.

    After every game it is asked whether so many are ``enough``.

    Raises:
        UnsupportedRuleset: the engine cannot carry an option of the ruleset.
        KeyboardInterrupt: the user stopped them.
    """
    known = {name for table in ruleset.definition.collections for name in ruleset.raw.get(table, {})}
    lengths: list[int] = []
    courses: list[list[dict[str, float]]] = []
    used: list[Counter[str]] = []
    players = 1
    for number in range(GAMES):
        tell(f"game {number + 1} of {GAMES}")
        position = opening(ruleset, mix(seed ^ number))
        game = race_of(position)
        players, target = position.players, game.default_target()
        player = guided(position, mix(seed ^ number) + 1, LOOKED_AT)
        recorded = play(position, player, TURNS, target=target)
        last = recorded.table
        if game.progress(last) >= target:
            lengths.append(game.turns(last))
        courses.append(list(_course(game, recorded)))
        used.append(Counter(_played(game, recorded, known)))
        if enough(len(used)):
            break
    return Plays(ruleset, seed, len(used), players, tuple(lengths), _curves(courses), _usage(used))


def _course(game: Race[Any], recorded: Recorded) -> Iterable[dict[str, float]]:
    """Yield what the first seat has at the start and after each of its turns."""
    turns = -1
    for table in recorded.tables:
        if game.turns(table) != turns:
            turns = game.turns(table)
            yield {game.unit: game.progress(table), **_goods(game, table)}


def _goods(game: Race[Any], table: Any) -> dict[str, float]:
    """Return how much of each good the first seat has: numbers, and the sizes of lists."""
    goods: dict[str, float] = {}
    for path, amount in tally(game, table).goods.items():
        parts = path.partition(":")[0].split(".")
        if len(parts) > 1 and parts[1] == "0":
            goods[parts[-1]] = goods.get(parts[-1], 0) + amount
    return goods


def _played(game: Race[Any], recorded: Recorded, known: set[str]) -> Iterable[str]:
    """Yield the kind of each move that the first seat decides."""
    for table, end in zip(recorded.tables, recorded.ends, strict=False):
        if mover(game, table) == 0:
            for step in taken(end):
                if isinstance(step, Move):
                    first, *words = step.text.split()
                    yield " ".join([first, *[word for word in words if word in known][:1]])


def _curves(courses: list[list[dict[str, float]]]) -> dict[str, tuple[Band, ...]]:
    longest = min(POINTS + 1, max(len(course) for course in courses))
    names = list(dict.fromkeys(name for course in courses for point in course for name in point))
    curves: dict[str, tuple[Band, ...]] = {}
    for name in names:
        points = []
        for turn in range(longest):
            values = sorted(course[min(turn, len(course) - 1)].get(name, 0) for course in courses)
            tenth = len(values) // 10
            points.append(Band(values[tenth], fmean(values), values[-1 - tenth]))
        if tuple(points) not in curves.values() and len({(each.low, each.high) for each in points}) > 1:
            curves[name] = tuple(points)
    return curves


def _usage(used: list[Counter[str]]) -> dict[str, Usage]:
    games = len(used)
    moves: dict[str, Usage] = {}
    for name in sorted({kind for counter in used for kind in counter}):
        seen = share(sum(1 for counter in used if counter[name]), games)
        moves[name] = Usage(seen.value, seen.low, seen.high, sum(counter[name] for counter in used) / games)
    return moves
