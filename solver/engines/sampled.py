"""The best move by playouts where no exact answer is within reach, each round of them twice as long as the one before.

All moves are played on the same draws, which no tree has met, with what the trees have learnt. These values are those
of a real policy, so none promises more than can be had. The interval says how far off chance may have led them.

Draws go to the best move and to the one whose expected lead over it is greatest, whichever has fewer (S. Chick, K.
Inoue, Operations Research 49, 2001). A tree grows by a playout before each of them, and so rounds begin with no draws.
In a contest no tree learns, and the draws of all rounds count. Its first move is the one that plain play likes most of
all that the best mean does not beat, so that another seed seldom brings other advice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, log, pi, sqrt, tan
from statistics import NormalDist
from typing import Any, Final

from rules.core.scripts import Step
from solver.question import SAMPLED, Answer, MoveValue, Statistics, Status
from solver.search.budget import Budget
from solver.search.rollout import Sampler, Value, few_of, kind_of

FIRST: Final = 200
"""Playouts of the first round, or two for every move if that is more."""
ROUND: Final = 8
"""Draws under which nothing is called decided."""
FURTHER: Final = 8
"""For so many draws that a move has, it gets one more before moves are ranked again."""
ALIKE: Final = 64
"""Draws on which moves have to end alike to be taken as equal."""
LOOKS: Final = 12
"""Rounds that have a verdict: each may err with 1 in 12 of 5 % (Bonferroni)."""
ERROR: Final = 0.05
"""How often an interval may miss."""
LIKELY: Final = 0.2
"""How often the interval of a gap may miss by which draws are shared out."""
STEADY: Final = 0.1
"""How often it may miss by which a better mean leaves plain play's first choice standing, whatever the seed."""
SAME: Final = 1e-9
"""Difference of two values that rounding may make."""
DIGITS: Final = 1_000_000
"""The greatest denominator of a mean whose values are not exact."""

CLOSE: Final = 0.01
"""Part of the value under which moves are equally good,"""
NARROW: Final = 0.0025
"""and in a contest of what lies between the best and the worst playout."""


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
    values: list[Value] = field(default_factory=list)
    """On fresh draws, with what the trees have learnt."""
    place: int = 0
    """Of equal moves the one with the lower place comes first,"""
    progress: int = 0
    """but before that the one that got further, in all playouts together."""
    wins: list[float] = field(default_factory=list)
    """What part of the win each of all its playouts has brought."""

    @property
    def mean(self) -> Fraction:
        """The average."""
        return average(self.values)

    def beside(self, other: Sample) -> list[tuple[Value, Value]]:
        """Return the values of this move and of another one on the same draws."""
        return list(zip(self.values, other.values, strict=False))


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
        budget: Budget,
        *,
        on_round: Callable[[Step, Fraction, int], None] | None = None,
        asked: Step | None = None,
    ) -> None:
        """Every move is tried at least once, whatever the time; of equal ones those that stand first come first.

        The move ``asked`` about has half as many draws as the best one, or more. ``budget`` has the clock.
        """
        self.trees, self.aim, self._budget = trees, aim, budget
        self._last_s: float | None = None
        self._run_s = self._counted_s = 0.0
        """Seconds at which the run has begun, and seconds of turns that a clock that counts work has heard of."""
        self._playouts: int | None = None
        self._on_round, self._asked = on_round, asked
        self._number = self._begun = 0
        """Rounds so far, and how often moves have begun with no draws since the first time."""
        self._rounds = [("undecided", "", "")] * 2
        """The verdict of each that was not cut short, its best move, and the kind of move that it has settled."""
        self.order = samples
        """All moves, the best first."""
        self.verdict = "undecided"
        """``decided``, ``close`` or ``undecided``.

        ``decided``: the first move beats every other with 95 % confidence, or ends like it on all draws. ``close``:
        those that it does not beat are about as good, likewise. Both hold in two rounds one after the other.
        """
        self.done = 0
        self.interrupted = False

    def run(self, last_s: float | None, playouts: int | None) -> None:
        """Grow and compare until the best move is settled, the time is up, or the user stops it.

        A further run goes on with what is known. ``last_s`` are seconds since the start of the budget; a number of
        ``playouts`` counts those of all runs.
        """
        self._run_s, self._last_s, self._playouts = self._budget.elapsed_s, last_s, playouts
        try:
            for sample in self.order:
                if not sample.values:
                    self._play(sample)
            while self.verdict == "undecided":
                self.order = self._ranked(self.order)
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
        self.order = self._ranked(self.order, ROUND)  # what one draw has brought is not advice where others have eight

    def _one_round(self) -> None:
        """Compare the moves, twice as long as in the round before; what the time cuts short too soon does not count."""
        size = max(FIRST, 2 * len(self.order)) << self._number
        begins = not self.aim.is_contest and all(len(each.values) >= ROUND for each in self.order)
        self._number, self._begun = self._number + 1, self._begun + begins
        racing = [replace(each, values=[]) for each in self.order] if begins else self.order
        order = self._race(racing, self.done + size)
        enough = min(ROUND << 2, len(self.order[0].values))
        if begins and self._gone() >= 1 and not (order[-1].values and len(order[0].values) >= enough):
            return
        self.order, asked = order, (order, self.aim, self.trees.width)
        self._rounds.append((verdict(*asked), order[0].move.text, settled_kind(*asked)))

    @property
    def _agreed(self) -> str:
        verdicts, best, _ = zip(*self._rounds[-2:], strict=True)
        is_one = verdicts[0] == verdicts[1] and (verdicts[0] != "decided" or {*best} == {self.order[0].move.text})
        return verdicts[0] if is_one else "undecided"

    @property
    def is_steady(self) -> bool:
        """Whether plain play's first choice stands, and no mean beats it: another seed hardly advises otherwise."""
        spans = gaps(self.order[:2], self.aim, self.trees.width, STEADY)
        return self.order[0].place == 0 and all(high >= 0 for _, high in spans)

    def interval(self, sample: Sample) -> tuple[float, float] | None:
        """Return the 95 % interval of a mean, as far as it can lie there; none after one draw."""
        if len(sample.values) < 2:
            return None
        low, high = interval([float(value) for value in sample.values], self.trees.width)
        return max(low, self.trees.bounds[0]), min(high, self.trees.bounds[1])

    def answer(self, besides: int) -> Answer[Fraction]:
        """Return what is known as an answer; so many open moves ``besides`` were not tried.

        What is better on average than the first move, but in too few playouts, loses nothing. A share of the win is a
        chance to win.
        """
        best, sign = self.order[0], -1 if self.aim.least else 1
        is_chance = self.trees.bounds == (0.0, 1.0)
        wins = chances(self.order) if best.values and self.aim.is_contest else []
        moves: list[MoveValue[Fraction]] = []
        for place, each in enumerate(self.order):
            if not each.values:
                moves.append(MoveValue(each.move, None))
                continue
            first, value, within, win, span = best.mean, each.mean, self.interval(each), None, None
            if wins and is_chance:
                first, (value, within) = wins[0][0], wins[place]
            elif wins:
                win, span = wins[place]
            if self.aim.is_contest:
                value = first if alike(best.beside(each), ROUND) else min(first, value)
                within = within and (min(within[0], float(value)), within[1])
            loss = max(Fraction(0), sign * (first - value))
            found = MoveValue(each.move, value, loss, win_chance=win, win_interval=span)
            moves.append(found._replace(interval=within, playouts=len(each.values), paired=self._paired(each)))
        if self.aim.is_contest:
            moves[1:] = sorted(moves[1:], key=lambda each: -inf if each.value is None else each.value, reverse=True)
        return Answer(
            Status.FEASIBLE if best.values else Status.UNKNOWN,
            moves[0].value,
            None,
            statistics=Statistics(self._budget.elapsed_s, self.done, self.trees.nodes, self.trees.engine),
            interrupted=self.interrupted,
            moves=tuple(moves),
            method=SAMPLED,
            verdict=self.verdict,
            kind=self.kind,
            besides=besides,
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

        It beats the moves of other kinds with 95 % confidence, in two rounds one after the other.
        """
        own = kind_of(self.order[0].move.text).strip()
        return own if all(kind == own for _, _, kind in self._rounds[-2:]) and self.verdict != "decided" else ""

    def _ranked(self, samples: list[Sample], many: int = 2 * ROUND) -> list[Sample]:
        """Return moves, the best first, and last those that have less than half of the ``many`` draws of another.

        Of all that are level with the best mean the one that got further comes first, then the one with the lowest
        place: not the luckiest. Those without draws stay as they are.
        """
        most = max((len(each.values) for each in samples), default=0)

        def few(each: Sample) -> bool:
            return 2 * len(each.values) < most >= many

        ranked = sorted((each for each in samples if each.values), key=lambda each: (few(each), *self._rank(each)))
        chosen = sorted((each for each in ranked if not few(each)), key=lambda each: self._rank(each)[1:])
        first = next((each for each in chosen if self._is_level(ranked[0], each)), None)
        ranked.sort(key=lambda each: each is not first)
        return [*ranked, *(each for each in samples if not each.values)]

    def _is_level(self, best: Sample, other: Sample) -> bool:
        """Return whether a move ends like the one with the best mean, or in a contest is not beaten by it."""
        if not self.aim.is_contest:
            return best is other or alike(best.beside(other))
        ((low, _),) = gaps([best, other], self.aim, self.trees.width)
        return low <= 0

    def _gone(self) -> float:
        self._budget.spend(self.trees.spent_s - self._counted_s)
        self._counted_s = self.trees.spent_s
        if self._last_s is not None:
            return (self._budget.elapsed_s - self._run_s) / max(self._last_s - self._run_s, 1e-6)
        if self._playouts is not None:
            return self.done / self._playouts
        return max(self.done / self.trees.most_playouts, self.trees.played / self.trees.most_turns)

    def _play(self, sample: Sample) -> None:
        """Play a move on the draw after those that it has had; from the second on its tree learns from one before."""
        if sample.values and not self.aim.is_contest:
            self._note(sample, self.trees.grow(sample.begun, self.done))
        sample.values.append(self.trees.play(sample.begun, (self._begun << 32) + len(sample.values)))
        self._note(sample, sample.values[-1])

    def _race(self, order: list[Sample], last: int) -> list[Sample]:
        """Play each move, and until so many playouts are done, or the time is up; return them, the best first."""
        while (self.done < last or not order[-1].values) and self._gone() < 1:
            first, *others = order
            spans = zip(gaps(order, self.aim, self.trees.width, LIKELY), others, strict=True)
            rival = max(spans, key=lambda each: regret(*each[0]), default=((), first))[1]
            asked = (each for each in others if each.move == self._asked)
            rival = next((each for each in asked if 2 * len(each.values) < len(first.values)), rival)
            fewest = min(len(first.values), len(rival.values))
            behind = [each for each in (first, rival) if len(each.values) == fewest]
            for _ in range(max(ROUND, fewest // FURTHER)):
                for sample in behind:
                    self._play(sample)
                if self._gone() >= 1:
                    break
            order = self._ranked(order)
        return order

    def _note(self, sample: Sample, value: Value) -> None:
        self.done += 1
        sample.wins.append(self.trees.won(value))
        sample.progress += self.trees.progress()

    def _rank(self, sample: Sample) -> tuple[Fraction, float, int]:
        further = sample.progress / max(1, len(sample.wins))
        return (sample.mean if self.aim.least else -sample.mean, -further, sample.place)


def verdict(order: Sequence[Sample], aim: Aim, width: float) -> str:
    """Return whether the first of some moves is settled, from paired differences on the same draws.

    Values lie ``width`` apart at most.
    """
    if len(order) < 2:
        return "decided"
    rivals = [(low, high) for low, high in gaps(order, aim, width) if low <= 0 and low < high]
    if not rivals:
        return "decided"
    close = max(NARROW * width if aim.is_contest else CLOSE * abs(float(order[0].mean)), SAME)
    return "close" if all(max(-low, high) <= close for low, high in rivals) else "undecided"


def settled_kind(order: Sequence[Sample], aim: Aim, width: float) -> str:
    """Return the kind of the first of some moves where it beats all that are of others, if there are any."""
    kind = kind_of(order[0].move.text)
    spans = zip(gaps(order, aim, width), order[1:], strict=True)
    others = [low for (low, _), each in spans if kind_of(each.move.text) != kind]
    return kind.strip() if others and min(others) > 0 else ""


def gaps(order: Sequence[Sample], aim: Aim, width: float, error: float = ERROR / LOOKS) -> list[tuple[float, float]]:
    """Return intervals of how much better the first of some moves is than each other; all open after few draws.

    There is no gap to a move of a contest that ends alike.
    """
    sign = -1 if aim.least else 1
    spans = []
    for other in order[1:]:
        pairs = order[0].beside(other)
        gains = [sign * float(one - two) for one, two in pairs]
        if len(pairs) < ROUND:
            spans.append((-inf, inf))
        elif aim.is_contest and alike(pairs):
            spans.append((0.0, 0.0))
        else:  # two playouts lie no further apart than all of them
            spans.append(interval(gains, width + abs(sum(gains)) / len(gains), error))
    return spans


def alike(pairs: Sequence[tuple[Value, Value]], least: int = ALIKE) -> bool:
    """Return whether two moves have ended alike on very many draws, one after the other."""
    return len(pairs) >= least and all(abs(float(one - two)) <= SAME for one, two in pairs)


def regret(low: float, high: float) -> float:
    """Return by how much another move may be better than the best on average, from the likely interval of their gap."""
    if low == -inf or low == high:
        return high - low if low == -inf else 0.0
    normal = NormalDist()
    error = (high - low) / 2 / normal.inv_cdf(1 - LIKELY / 2)
    lead = (low + high) / 2 / error
    return error * (normal.pdf(lead) - lead * normal.cdf(-lead))


def chances(samples: Sequence[Sample]) -> list[tuple[Fraction, tuple[float, float]]]:
    """Return the chance to win after each of some moves, of which at least one was played, and its 95 % interval.

    The best of many means is too good. So a mean counts only as far as moves differ more than chance makes them. The
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
    spread = max(0.0, between - around - len(rows) * within) / max(1.0, n - sum(len(row) ** 2 for row in rows) / n)
    found = []
    for row in (each.wins for each in samples):
        lead, error = (sum(row) / len(row) - whole, sqrt(within / len(row))) if row else (0.0, 1.0)
        kept = lead * spread / (spread + error**2)
        kept = max(lead - error, min(kept, lead + error))
        chance = Fraction(whole + kept).limit_denominator(DIGITS)
        likely = (sum(row) + 2) / (len(row) + 4)
        off = sqrt(lucky * likely * (1 - likely) / (len(row) + 4)) * NormalDist().inv_cdf(1 - ERROR / 2)
        off = max(off, -log(ERROR) / max(1, len(row)) if sum(row) in (0, len(row)) else 0.0)
        found.append((chance, (max(0.0, float(chance) - off), min(1.0, float(chance) + off))))
    return found


def interval(values: list[float], width: float, error: float = ERROR) -> tuple[float, float]:
    """Return the interval of the mean of at least two values that misses with the given chance (Student's t).

    Where all values are alike but for rounding, the spread says nothing. What was not seen in n draws has a chance of
    ln(1/error)/n at most (for 95 % the rule of three). It is at most ``width`` away.
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
