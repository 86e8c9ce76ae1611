"""The best move by playouts where no exact answer is within reach: grow, compare on fresh draws, refine.

Every round grows the trees by twice as many playouts as the one before: all moves first, then the better half again and
again. That is sequential halving (Karnin, Koren, Somekh, ICML 2013): effort goes where the doubt is. Then the best few
are played on draws that no tree has met, the same for each move, with what the trees have learnt. These values are
those of a real policy, so none promises more than can be had. The interval says how far off chance may have led them.
In a contest no tree learns, and so all draws count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, log, pi, sqrt, tan
from statistics import NormalDist
from typing import Any, Final

from rules.core.scripts import Step
from solver.question import SAMPLED, Answer, MoveValue, OnRound, Statistics, Status
from solver.search.budget import Budget
from solver.search.rollout import Sampler, Value, few_of, kind_of

FIRST: Final = 200
"""Playouts by which the trees grow in the first round, or two for every move if that is more."""
FINALISTS: Final = 4
"""Moves that are compared on fresh draws at the end of a round."""
ROUND: Final = 8
"""Draws under which nothing is called decided."""
LATE: Final = 0.5
"""Part of the time after which a round twice as long as the one before has no room."""
LOOKS: Final = 12
"""Rounds that have a verdict: each may err with 1 in 12 of 5 % (Bonferroni)."""
ERROR: Final = 0.05
"""How often an interval may miss."""
SAME: Final = 1e-9
"""Difference of two values that rounding may make."""
DIGITS: Final = 1_000_000
"""The greatest denominator of a mean whose values are not exact."""

CLOSE: Final = 0.01
"""Part of the value, or of what lies between the best and the worst playout, under which moves are equally good."""


@dataclass(slots=True)
class Aim:
    """What one seat plays for, and how long."""

    seat: int
    span: int
    """How far the clock may run."""
    bounds: tuple[float, float]
    """Between which values every playout lies for certain."""
    clock: Callable[[Any], int]
    """Returns the time on a table, in own turns or in rounds."""
    ended: Callable[[Any], Fraction]
    """Returns what a playout is worth whose time is up."""
    arrived: Callable[[Any, int], Fraction | None] = lambda _table, _done: None
    """Returns what a playout is worth that ends at once after so much time, or nothing where it goes on."""
    forbidden: frozenset[str] = frozenset()
    """First words of moves that the seat does not make."""
    least: bool = False
    """Less is better."""
    lost: Fraction = Fraction(0)
    """What a playout is worth that cannot help doing what is forbidden."""
    precision: float = inf
    """How wide the interval of the best move may be where a comparison ends before its time."""
    is_contest: bool = False


def average(values: Sequence[Value]) -> Fraction:
    """Return the mean, exactly where the values are exact."""
    total = sum(values)
    if isinstance(total, float):
        return Fraction(total / len(values)).limit_denominator(DIGITS)
    return Fraction(total) / len(values)


@dataclass(slots=True, eq=False)
class Sample:
    """The playouts of one move, in the order of the draws."""

    move: Step
    begun: Any
    """What its playouts begin with."""
    values: list[Value] = field(default_factory=list)
    """On fresh draws, with what the trees have learnt."""
    grown: list[Value] = field(default_factory=list)
    """While the trees were growing, in the last round that reached the move."""
    place: int = 0
    """Of equal moves the one with the lower place comes first,"""
    progress: int = 0
    """but before that the one that got further, in all playouts together."""
    wins: list[float] = field(default_factory=list)
    """What part of the win each of all its playouts has brought."""
    drawn: dict[int, Value] = field(default_factory=dict)
    """In a contest, where no tree learns: the values of all its playouts, by the number of the draw."""

    @property
    def shown(self) -> list[Value]:
        """The values of all draws; else the fresh ones, or the others where there are none."""
        return [*self.drawn.values()] or self.values or self.grown

    @property
    def mean(self) -> Fraction:
        """The average."""
        return average(self.shown)

    def beside(self, other: Sample) -> list[tuple[Value, Value]]:
        """Return the values of this move and of another one on the same draws."""
        if self.drawn:
            return [(self.drawn[number], other.drawn[number]) for number in self.drawn.keys() & other.drawn.keys()]
        return list(zip(self.shown, other.shown, strict=False))


def moves_to_compare(open_now: Sequence[Step], asked: Step | None) -> tuple[list[Step], int]:
    """Return open moves that playouts compare, the one ``asked`` about among them, and how many they pass over."""
    moves = list(few_of(open_now))
    if asked is not None and asked in open_now and asked not in moves:
        moves.append(asked)
    return moves, len(open_now) - len(moves)


class TreeComparison:
    """All moves on their way to a verdict, a stretch at a time."""

    def __init__(
        self,
        trees: Sampler,
        aim: Aim,
        samples: list[Sample],
        *,
        on_round: OnRound | None = None,
        asked: Step | None = None,
        spend: Callable[[float], None] | None = None,
    ) -> None:
        """Every move is tried at least once, whatever the time; of equal ones those that stand first come first.

        The move ``asked`` about is among those that are compared on fresh draws. ``spend`` hears what turns take, for
        clocks that count work.
        """
        self.trees, self.aim, self._samples = trees, aim, samples
        self._spent: Callable[[], float] | None = None
        self._playouts: int | None = None
        self._on_round, self._spend = on_round, spend
        self._counted = 0.0
        """Seconds that ``spend`` has heard of."""
        self._asked = [sample for sample in samples if sample.move == asked]
        self._grown = self._draws = 0
        self._number = 0
        """Rounds that are over, be it that one was cut short."""
        self._settled: list[set[tuple[str, str]]] = [set(), set()]
        """What each that was not cut short has settled, with the move or the kind of move that it is about."""
        self.order = samples
        """All moves, the best first."""
        self.verdict = "undecided"
        """``decided``, ``close`` or ``undecided``.

        ``decided``: the first move beats every other finalist with 95 % confidence. ``close``: the best two differ by
        less than what the aim calls slight, with 95 % confidence. Both hold in two rounds one after the other.
        """
        self.done = 0
        self.interrupted = False

    def run(self, spent: Callable[[], float] | None, playouts: int | None) -> None:
        """Grow and compare until the best move is settled, the time is up, or the user stops it.

        A further run goes on with what is known; a number of ``playouts`` counts those of all runs.
        """
        self._spent, self._playouts = spent, playouts
        try:
            for sample in () if self._grown else self._samples:
                sample.grown.append(self.trees.grow(sample.begun, 0))
                self._note(sample, sample.grown[-1])
                self.done += 1
            self._grown = max(1, self._grown)
            while self.verdict == "undecided":
                self._reorder()
                if self._on_round is not None:
                    self._on_round(self.order[0].move, self.order[0].mean, self.done)
                if self._gone() >= 1:
                    break
                self._one_round()
                low, high = self.interval(self.order[0]) or (-inf, inf)
                self.verdict = self._agreed if high - low <= self.aim.precision else "undecided"
        except KeyboardInterrupt:
            self.interrupted = True
        self.verdict = self._agreed
        self._reorder()

    def _one_round(self) -> None:
        """Grow the trees and compare the finalists, twice as long as in the round before."""
        number, self._number = self._number, self._number + 1
        size = max(FIRST, 2 * len(self._samples)) << number
        finalists = self._grow(size)
        if not self._compare(finalists, number, size // (2 * len(finalists))):
            return
        compared, width = self.order[: len(finalists)], self.trees.width
        settled = {("kind", settled_kind(compared, self.aim, width)), (verdict(compared, self.aim, width), "")}
        if ("decided", "") in settled:
            settled.add(("best", self.order[0].move.text))
        self._settled.append(settled)

    @property
    def _agreed(self) -> str:
        """What the last two rounds agree on."""
        both = self._settled[-1] & self._settled[-2]
        if ("best", self.order[0].move.text) in both:
            return "decided"
        return "close" if ("close", "") in both else "undecided"

    def interval(self, sample: Sample) -> tuple[float, float] | None:
        """Return the 95 % interval of a mean, as far as it can lie there; none after one draw."""
        if len(sample.shown) < 2:
            return None
        low, high = interval([float(value) for value in sample.shown], self.trees.width)
        return max(low, self.trees.bounds[0]), min(high, self.trees.bounds[1])

    def answer(self, budget: Budget, passed_over: int) -> Answer[Fraction]:
        """Return what is known as an answer; ``passed_over`` open moves were not tried.

        What is better on average than the first move, but in too few playouts, loses nothing. A share of the win is a
        chance to win.
        """
        finals = [each for each in self.order if each.values]  # a stop may come after further draws
        self.order = [*sorted(finals, key=self._rank), *(each for each in self.order if not each.values)]
        best, sign = self.order[0], -1 if self.aim.least else 1
        is_chance = best.shown and self.aim.is_contest and self.trees.bounds == (0.0, 1.0)
        wins = chances(self.order) if is_chance else []
        moves: list[MoveValue[Fraction]] = []
        for place, each in enumerate(self.order):
            if not each.shown:
                moves.append(MoveValue(each.move, None))
                continue
            first, value, within = best.mean, each.mean, self.interval(each)
            if wins:
                first, (value, half) = wins[0][0], wins[place]
                pairs = best.beside(each)
                is_level = len(pairs) >= ROUND and all(abs(float(one - two)) <= SAME for one, two in pairs)
                value = first if is_level else min(first, value)
                within = max(0.0, float(value) - half), min(1.0, float(value) + half)
            loss, played = max(Fraction(0), sign * (first - value)), len(each.shown)
            moves.append(MoveValue(each.move, value, loss, interval=within, playouts=played, paired=self._paired(each)))
        return Answer(
            Status.FEASIBLE if best.shown else Status.UNKNOWN,
            moves[0].value,
            None,
            statistics=Statistics(budget.elapsed_s, self.done, self.trees.nodes, self.trees.engine),
            interrupted=self.interrupted,
            moves=tuple(moves),
            method=SAMPLED,
            verdict=self.verdict,
            kind=self.kind,
            passed_over=passed_over,
            span=self.aim.span,
        )

    def _paired(self, other: Sample) -> tuple[int, int, int] | None:
        """Return on how many fresh draws the first move did better, and worse, of how many; nothing without any."""
        sign = -1 if self.aim.least else 1
        gains = [sign * (one - two) for one, two in self.order[0].beside(other) if other.values]
        return (sum(gain > SAME for gain in gains), sum(gain < -SAME for gain in gains), len(gains)) if gains else None

    @property
    def kind(self) -> str:
        """What the first move has in common with all of its kind where it is only among these that it is not settled.

        It beats the finalists of other kinds with 95 % confidence, in two rounds one after the other.
        """
        own = kind_of(self.order[0].move.text).strip()
        agreed = ("kind", own) in self._settled[-1] & self._settled[-2]
        return own if agreed and self.verdict != "decided" else ""

    def _reorder(self) -> None:
        """Put the moves in the order of what the trees say, those that got further first, until fresh draws decide."""
        if not any(sample.values for sample in self._samples):
            tried = sorted((each for each in self._samples if each.grown), key=self._rank_growing)
            self.order = [*tried, *(each for each in self._samples if not each.grown)]

    def _gone(self) -> float:
        if self._spend is not None:
            self._spend(self.trees.spent_s - self._counted)
            self._counted = self.trees.spent_s
        if self._spent is not None:
            return self._spent()
        if self._playouts is not None:
            return self.done / self._playouts
        return max(self.done / self.trees.most_playouts, self.trees.played / self.trees.most_turns)

    def _grow(self, size: int) -> list[Sample]:
        """Grow the trees by so many playouts, the better half of the moves again and again; return the finalists.

        At most half of the time left is spent; none in a contest where so long a round has no room any more.
        """
        is_late = self.aim.is_contest and self._number > 1 and self._gone() > LATE
        racing = list(self.order if is_late else self._samples)
        stages = 0 if is_late else max(1, (len(racing) - 1).bit_length())
        for sample in racing:
            sample.grown = sample.grown[-1:]
        half = (1 + self._gone()) / 2
        for _ in range(stages):
            for _ in range(max(1, size // (stages * len(racing)))):
                values = self._round(racing, half, self.trees.grow, self._grown)
                for sample, value in zip(racing, values, strict=False):
                    sample.grown.append(value)
                self._grown += 1
                self.done += len(racing)
                if self._gone() >= half:
                    break
            racing = sorted(racing, key=self._rank_grown)
            if len(racing) > FINALISTS:
                better = racing[: max(FINALISTS, (len(racing) + 1) // 2)]
                racing = better + [each for each in self._asked if each not in better]
        ranked = [*racing, *sorted((each for each in self._samples if each not in racing), key=self._rank_growing)]
        best = with_another_kind(ranked, FINALISTS)
        return [*best, *(each for each in self._asked if each not in best)]

    def _round(self, samples: list[Sample], last: float, play: Callable[[Any, int], Value], number: int) -> list[Value]:
        """Return one playout of each move on the same draws; none where so much of the time is gone before all are."""
        values: list[Value] = []
        self._draws += 1
        for sample in samples:
            if values and self._spent is not None and self._gone() >= last:
                return []
            values.append(play(sample.begun, number))
            self._note(sample, values[-1])
        return values

    def _note(self, sample: Sample, value: Value) -> None:
        """Note how far the last playout of a move got, and whether it was won."""
        if self.aim.is_contest:
            sample.drawn[self._draws] = value
        sample.wins.append(self.trees.won(value))
        sample.progress += self.trees.progress()

    def _compare(self, finalists: list[Sample], number: int, draws: int) -> bool:
        """Play the finalists on so many fresh draws; return false where the time cut that short.

        One that the time cuts short counts only if it is long enough, or no shorter than the one before, or where all
        draws count.
        """
        fresh: list[list[Value]] = [[] for _ in finalists]
        enough, is_cut = min(ROUND << 2, max(len(sample.values) for sample in self._samples)) or 2, False
        for draw in range(draws):
            values = self._round(finalists, 1, self.trees.play, (number << 32) + draw)
            for known, value in zip(fresh, values, strict=False):
                known.append(value)
            self.done += 2 * len(finalists)
            is_cut = self._gone() >= 1
            if is_cut:
                break
        if is_cut and len(fresh[0]) < enough and not self.aim.is_contest:
            return False
        for sample in self._samples:
            sample.values = []
        for sample, values in zip(finalists, fresh, strict=True):
            sample.values = values
        rest = [sample for sample in self._samples if sample not in finalists]
        self.order = [*sorted(finalists, key=self._rank), *sorted(rest, key=self._rank_growing)]
        return not is_cut or self.aim.is_contest

    def _rank(self, sample: Sample) -> tuple[Fraction, float, int]:
        further = sample.progress / max(1, len(sample.wins))
        return (sample.mean if self.aim.least else -sample.mean, -further, sample.place)

    def _rank_growing(self, sample: Sample) -> tuple[int, Fraction, float, int]:
        return (-len(sample.grown), *self._rank_grown(sample))

    def _rank_grown(self, sample: Sample) -> tuple[Fraction, float, int]:
        return self._rank(replace(sample, values=[]))


def verdict(order: Sequence[Sample], aim: Aim, width: float) -> str:
    """Return whether the first of some moves is settled, from paired differences on the same draws.

    Values lie ``width`` apart at most.
    """
    if len(order) < 2:
        return "decided"
    spans = gaps(order, aim, width)
    if spans is None:
        return "undecided"
    if all(low > 0 for low, _ in spans):
        return "decided"
    low, high = spans[0]
    close = max(CLOSE * (width if aim.is_contest else abs(float(order[0].mean))), SAME)
    return "close" if max(abs(low), abs(high)) <= close else "undecided"


def settled_kind(order: Sequence[Sample], aim: Aim, width: float) -> str:
    """Return the kind of the first of some moves where it beats all that are of others, if there are any."""
    kind = kind_of(order[0].move.text)
    spans = gaps(order, aim, width) or []
    others = [low for (low, _), each in zip(spans, order[1:], strict=False) if kind_of(each.move.text) != kind]
    return kind.strip() if others and min(others) > 0 else ""


def gaps(order: Sequence[Sample], aim: Aim, width: float, looks: int = LOOKS) -> list[tuple[float, float]] | None:
    """Return intervals of how much better the first of some moves is than each other; none after few draws."""
    sign = -1 if aim.least else 1
    spans = []
    for other in order[1:]:
        pairs = [sign * float(one - two) for one, two in order[0].beside(other)]
        if len(pairs) < ROUND:
            return None
        furthest = width + abs(sum(pairs)) / len(pairs)  # two playouts lie no further apart than all of them
        spans.append(interval(pairs, furthest, ERROR / looks))
    return spans


def chances(samples: Sequence[Sample]) -> list[tuple[Fraction, float]]:
    """Return the chance to win after each of some moves, of which at least one was played, and how far off it may be.

    The best of many means is too good. So a mean counts only as far as moves differ more than chance makes them; the
    rest is the mean of all playouts (one-way analysis of variance). It gives way by its standard error at most, for one
    move may differ where all others are alike (B. Efron, C. Morris, JASA 67, 1972). Where each has one playout these
    seem not to vary: so one more counts that differs as all do, or as one that is won among all that are lost.
    How far off a chance may be hangs on the chance too. So two more playouts that are won and two that are lost are
    counted for it (A. Agresti, B. Coull, The American Statistician 52, 1998). Where all end alike the rule of
    three holds.
    """
    rows = [each.wins for each in samples if each.wins]
    n = sum(map(len, rows))
    whole = sum(map(sum, rows)) / n
    around, squares = n * whole * whole, sum(win * win for row in rows for win in row)
    between = sum(sum(row) ** 2 / len(row) for row in rows)
    more = (squares - around) / n if squares - around > SAME else (n + 1) / (n + 2) ** 2
    inside = max(squares - between, 0.0) + more
    within = inside / (n - len(rows) + 1)
    varied = [row for row in rows if max(row) - min(row) > SAME]
    lucky = inside / (sum(sum(row) - sum(row) ** 2 / len(row) for row in varied) + more)
    size = n - sum(len(row) ** 2 for row in rows) / n
    spread = max(0.0, between - around - len(rows) * within) / max(1.0, size)
    found = []
    for row in (each.wins for each in samples):
        lead, error = (sum(row) / len(row) - whole, sqrt(within / len(row))) if row else (0.0, 1.0)
        kept = lead * spread / (spread + error**2)
        kept = max(lead - error, min(kept, lead + error))
        chance = Fraction(whole + kept).limit_denominator(DIGITS)
        likely = (sum(row) + 2) / (len(row) + 4)
        off = sqrt(lucky * likely * (1 - likely) / (len(row) + 4)) * NormalDist().inv_cdf(1 - ERROR / 2)
        unseen = -log(ERROR) / max(1, len(row)) if sum(row) in (0, len(row)) else 0.0
        found.append((chance, max(off, unseen)))
    return found


def with_another_kind(ranked: list[Sample], number: int) -> list[Sample]:
    """Return so many of the best moves, the last of them the best of another kind than the first, if there is one."""
    best = ranked[:number]
    kind = kind_of(ranked[0].move.text)
    if len(best) > 1 and all(kind_of(each.move.text) == kind for each in best):
        other = next((each for each in ranked[number:] if kind_of(each.move.text) != kind), None)
        best[-1:] = [other or best[-1]]
    return best


def interval(values: list[float], width: float, error: float = ERROR) -> tuple[float, float]:
    """Return the interval of the mean of at least two values that misses with the given chance (Student's t).

    Where all values are alike but for rounding, the spread says nothing. What has not been seen in n draws has a chance
    of ln(1/error)/n at most (for 95 % the rule of three), and is at most ``width`` away.
    """
    n = len(values)
    mean = sum(values) / n
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1))
    alike = max(values) - min(values) <= SAME
    half = -log(error) / n * width if alike else student(error, n - 1) * spread / sqrt(n)
    return mean - half, mean + half


def student(error: float, degrees: int) -> float:
    """Return the two-sided quantile of Student's t: exact for 1 and 2 degrees, else by Cornish and Fisher's expansion.

    That is within 3 per cent, and within 1 from 5 degrees on.
    """
    if degrees == 1:
        return tan(pi * (1 - error) / 2)
    if degrees == 2:
        return sqrt(2 / (error * (2 - error)) - 2)
    z = NormalDist().inv_cdf(1 - error / 2)
    first = (z**3 + z) / (4 * degrees)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    return z + first + second
