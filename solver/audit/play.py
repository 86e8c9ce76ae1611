"""Play as material for finders: games recorded turn by turn, whole games by a rule of thumb, and what samples say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, islice
from math import sqrt
from typing import Any, Final, NamedTuple

from rules.core.challenge import Clock, Measure, Quest
from rules.core.errors import ContentError, UnsupportedRuleset
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.scripts import SplitMix64, Step, mix
from rules.core.turns import State, TurnEnd
from solver.encodings import whole_games
from solver.lines import taken
from solver.screens.common import interval_text, percent
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rollout import GameEnd, WholeGames, kind_of

TURNS: Final = 60
"""Turns of a recorded game at most."""
LOOKED_AT: Final = 40
"""Ways through a turn that a guided player compares."""
MOST_HELD: Final = 40
"""Cards in the first hand beyond which a recorded game is given up."""


Chooser = Callable[[Any], TurnEnd[Any]]
"""Says which way a turn from a table is played."""


class Recorded(NamedTuple):
    """One game as it was played, from its start on."""

    position: Position
    """The start."""
    ends: tuple[TurnEnd[Any], ...]
    """Its turns, in order."""

    @property
    def tables(self) -> list[Any]:
        """Return the tables at the turn boundaries, that of the start first."""
        return [self.position.table(), *(end.table for end in self.ends)]

    @property
    def table(self) -> Any:
        """Return the table at the end."""
        return self.tables[-1]

    @property
    def over(self) -> bool:
        """Return whether the game ended by its rules."""
        return self.position.game.is_over(self.table)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that won; empty for a draw and for a game that was given up."""
        outcome = self.position.game.outcome(self.table)
        return () if outcome is None else outcome.winners

    def line(self, turns: int | None = None) -> tuple[str, ...]:
        """Return the texts of the steps of all turns, or of so many."""
        return tuple(text for end in self.ends[:turns] for text in texts(end))


def opening(ruleset: Ruleset, seed: int, number: int | None = None, players: int = 0) -> Position:
    """Return an open deal, the same for every ruleset of a game: that of a seed, or of its deals the one with a number.

    It is for as few players as the ruleset allows where none are given: alone where that can be.

    Raises:
        ContentError: the engine cannot carry an option of the ruleset.
    """
    seed = seed if number is None else mix(seed ^ mix(number))
    return new_position(ruleset, players or ruleset.definition.players_allowed(ruleset)[0], seed)


def games(ruleset: Ruleset, seed: int, budget: Budget) -> Iterator[Recorded]:
    """Yield recorded games for ever, guided and random in turns, each from a deal of its own.

    Raises:
        ContentError: the engine cannot carry an option of the ruleset.
    """
    for number in count():
        position = opening(ruleset, mix(seed ^ (number // 2)))
        yield play(position, guided(position, mix(number), 1 if number % 2 else LOOKED_AT, budget), TURNS)


def play(position: Position, choose: Chooser, turns: int, stop: Callable[[Any], bool] = lambda _: False) -> Recorded:
    """Return a game played from a position until it is over, for so many turns, or to where it is to ``stop``."""
    game, table = position.game, position.table()
    ends: list[TurnEnd[Any]] = []
    with suppress(UnsupportedRuleset, BudgetExceeded):  # a turn has more ways than the rules list, or takes too long
        while len(ends) < turns and not game.is_over(table) and not stop(table) and len(game.hand(table)) <= MOST_HELD:
            ends.append(choose(table))
            table = ends[-1].table
    return Recorded(position, tuple(ends))


def reaching(position: Position, target: int) -> Callable[[Any], bool]:
    """Return what says of a table whether the first seat has come to a target."""
    return lambda table: position.game.progress(table) >= target


def guided(position: Position, seed: int, looked_at: int, budget: Budget | None = None) -> Chooser:
    """Return a player who compares so many random ways through a turn by the game's own guess and takes the best.

    Seats play alike. With a single way to look at it plays at random. Where no time is left the player raises
    ``BudgetExceeded``, which ends a game: of a large hand one way takes long, as all payments are listed.
    """
    game, generator = position.game, SplitMix64(seed)

    def sample(table: Any) -> TurnEnd[Any]:
        if budget is not None and not budget.has_time(0):
            raise BudgetExceeded
        return game.sample_turn(table, generator)

    def choose(table: Any) -> TurnEnd[Any]:
        if looked_at == 1:
            return sample(table)
        seat = mover(game, table)
        ways = [sample(table) for _ in range(looked_at)]
        return max(ways, key=lambda end: game.promise(end.table, seat))

    return choose


def mover(game: Race[Any], table: Any) -> int:
    """Return the seat that decides first in the turn from a table, 0 where none does."""
    return max(0, game.to_act(State(table)))


def kinds_of_ends(game: Race[Any], table: Any, most: int, names: Sequence[str] = ()) -> Iterator[TurnEnd[Any]]:
    """Yield up to so many ways through the next turn for each kind of first move: equal in its first two words.

    Of a kind the shortest move begins, the one that pays least. Where some cards are named, it pays with as many of
    them as can be, and no other card is played.
    """
    state: State[Any] = State(table)
    if game.to_act(state) < 0:
        return
    kinds: dict[str, Step] = {}

    def strange(move: Step) -> int:
        return sum(word not in names for word in move.text.split()[1:]) if names else 0

    for move in sorted(game.legal_moves(state), key=lambda move: (strange(move), len(move.text), move.text)):
        words = move.text.split()
        if not names or words[1:2] == [] or words[1] in names:
            kinds.setdefault(kind_of(move.text), move)
    for move in kinds.values():
        yield from islice(game.turn_ends(table, game.begun(state, move)), most)


def texts(end: TurnEnd[Any]) -> tuple[str, ...]:
    """Return the texts of the steps of a turn that somebody or chance decided."""
    return tuple(step.text for step in taken(end.steps))


# Whole games, and what a sample of them says: shares and means with their 95 % intervals


SAMPLE: Final = 1000
"""Whole games by the rule of thumb of an encoding."""
BY_RULES: Final = 60
"""Whole games by the rules where no encoding carries the game; players compare a few random ways through a turn."""
GROUP: Final = 100
"""Games for which the numbers of an encoding are worked out once; what stays face up is the same in all of them."""
GAME_S: Final = 0.002
"""About the seconds of a game,"""
TURN_S: Final = 0.001
"""and of a turn by the rules of which a few ways are compared."""
SIGMA: Final = 1.96
"""Standard errors on either side of an estimate that make an interval of 95 %."""
WAYS: Final = 2
"""Ways through a turn of which the better one is taken."""
GAME_TURNS: Final = 1500
"""Turns of all players after which a game is given up."""
HAND: Final = 15
"""Cards in the hand of the player to move beyond which a game is given up: ways to pay are too many to list."""


class Estimate(NamedTuple):
    """What a sample says of one number."""

    n: int
    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        """Return it in per cent with its interval and the size of the sample."""
        low, high = (f"{end * 100:.1f}" for end in (self.low, self.high))
        return f"{percent(self.value)} ({interval_text(low, high)}, n = {self.n})"

    @property
    def numbers(self) -> dict[str, Any]:
        """Return it as data of a finding, to four places."""
        return {"share": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4), "n": self.n}

    @property
    def rest(self) -> Estimate:
        """Return the share of those that do not count."""
        return Estimate(self.n, 1 - self.value, 1 - self.high, 1 - self.low)

    def beats(self, other: Estimate, margin: float) -> bool:
        """Return whether it is larger than another estimate by more than chance and a margin."""
        return bool(self.n and other.n) and self.low > other.high and self.value - other.value > margin


class Sample(NamedTuple):
    """Whole games from seeded deals, the same ones for every ruleset of a game."""

    ends: tuple[GameEnd, ...]
    unit: str
    """``round`` or ``turn``."""
    complete: bool
    """Whether as many games were played as were set."""
    seed: int = 0

    @property
    def lengths(self) -> list[float]:
        """Return how long each game took."""
        return [float(end.length) for end in self.ends]

    @property
    def over(self) -> list[int]:
        """Return how long each game took that came to its end."""
        return [end.length for end in self.ends if end.is_over]

    def decided(self, seat: int) -> Estimate:
        """Return the share of the games with one winner that a seat has won."""
        single = [end.winners[0] for end in self.ends if len(end.winners) == 1]
        return share(single.count(seat), len(single))

    def won_within(self, length: int) -> Estimate:
        """Return the share of games that somebody has won within so many rounds or turns."""
        return share(sum(bool(end.winners) and end.length <= length for end in self.ends), len(self.ends))


def sampled(
    ruleset: Ruleset,
    players: int,
    seed: int,
    budget: Budget,
    seated: Callable[[Position, int], Position] = lambda position, _: position,
    most: int | None = None,
    beside: Ruleset | None = None,
) -> Sample:
    """Return whole games in which all seats play by the same rule; ``seated`` changes who sits where in a deal.

    Where games of another ruleset are to be held ``beside`` them, the rule is one that plays both.
    """
    first = new_position(ruleset, players, seed, ())
    both = [first]
    with suppress(ContentError):  # so many may not play it
        both += [] if beside is None else [new_position(beside, players, seed, ())]
    carried = all(whole_games(each.game, each.start()[1]) is not None for each in both)
    many = SAMPLE if carried else BY_RULES
    many = many if most is None else min(most, many)
    ends: list[GameEnd] = []
    play: WholeGames | None = None
    while len(ends) < many and not budget.is_over:
        number = len(ends)
        position = seated(new_position(ruleset, players, mix(seed ^ mix(number)), ()), number)
        play = whole_games(position.game, position.start()[1]) if carried and number % GROUP == 0 else play
        try:
            end = None if play is None else play(position.table(), mix(seed + number))
        except OverflowError:  # a row needs more than the encoding has
            end = None
        ends.append(end or _by_rules(position, number, budget))
        budget.spend(GAME_S)
    return Sample(tuple(ends), "turn" if clock_of(first) is None else "round", len(ends) == many, seed)


def _by_rules(position: Position, number: int, budget: Budget) -> GameEnd:
    game, clock, race = played(position, number, budget), clock_of(position), position.game
    turns = race.turns(game.table)
    budget.spend(TURN_S * len(game.ends))
    there = position.players == 1 and race.progress(game.table) >= race.profile.target
    return GameEnd((0,) if there else game.winners, turns if clock is None else clock.rounds(turns), there or game.over)


def clock_of(position: Position) -> Clock | None:
    """Return how own turns make up rounds, where the game has a challenge for one player that counts rounds."""
    for name, challenge in position.definition.challenges.items():
        if challenge.measure is Measure.ROUNDS and challenge.players == 1:
            quest = position.towards(name, 0, {}).game
            return quest.clock() if isinstance(quest, Quest) else None
    return None


def played(position: Position, seed: int, budget: Budget | None = None) -> Recorded:
    """Return a game in which every seat takes the better of a few random ways through each of its turns."""
    game = position.game
    policy = guided(position, mix(seed), WAYS, budget)
    return play(position, policy, GAME_TURNS, stop=lambda table: len(game.hand(table, mover(game, table))) > HAND)


def share(hits: int, n: int) -> Estimate:
    """Return a share with its Wilson interval (Wilson 1927), which holds for small samples and for none or all."""
    if n == 0:
        return Estimate(0, 0.0, 0.0, 1.0)
    part, square = hits / n, SIGMA**2
    middle = (part + square / (2 * n)) / (1 + square / n)
    half = SIGMA / (1 + square / n) * sqrt(part * (1 - part) / n + square / (4 * n * n))
    return Estimate(n, part, max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> Estimate:
    """Return a mean with its normal interval; without bounds for fewer than two values."""
    n = len(values)
    if n < 2:
        return Estimate(n, values[0] if values else 0.0, float("-inf"), float("inf"))
    middle = sum(values) / n
    half = SIGMA * sqrt(sum((value - middle) ** 2 for value in values) / (n - 1) / n)
    return Estimate(n, middle, middle - half, middle + half)
