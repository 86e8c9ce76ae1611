"""The best move where the goal lies beyond playouts: improve on plain play, one draw after the other.

Every playout makes one move and then plays plainly, so that its distances are those of a real way to play. Moves are
taken up in the order of what plain play holds them to be worth, and that opinion counts like a few playouts: with no
playouts at all the move is that of plain play, with many it is theirs. Moves of one kind, such as a card played that
can be paid in several ways, are much alike: at first only the one that plain play likes best is tried, and what it is
found to be worth is where the others begin. The next playout goes to the best move so far or to the one with the
greatest chance to pass it (upper confidence bounds on paired differences; every move on the same draws as the one that
plain play would make). The best few, one of another kind among them, are then played on draws that had no part in
choosing these few, and those are shown: twice as many each round, and a move that becomes one of them is played on all
that the others have met. The order is that of the advice, the opinion included: a move with a greater mean of few
playouts may stand below, and loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from math import sqrt
from typing import Any, Final

from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from solver.sampled import ROUND, OnRound, Sample, Sampled, agreed_kind, settled_kind, verdict, with_another_kind
from solver.search.coasting import Coasted, Coasting, CoastingAim
from solver.search.kinds import kind_of

DOUBT: Final = 4.0
"""By how much an opinion of plain play is off, in units of progress (standard deviation)."""
ALIKE: Final = 1.0
"""Likewise an opinion of how much better or worse a move is than the best one of its kind."""
STRONG: Final = 6.0
"""The strongest opinion, so that every move is taken up in the end."""
SPREAD: Final = 8.0
"""By how much the difference of two playouts on equal draws is off, until there are some (standard deviation)."""
USUAL: Final = 4
"""Playouts that this counts for."""
TURNS: Final = 40_000
"""Turns in all playouts where neither a time nor a number of playouts is given."""
DARING: Final = 1.0
"""Standard deviations by which a move may be better than it looks before it is passed over."""
FINALISTS: Final = 3
"""Moves that are compared on fresh draws at the end of a round."""
LOOKS: Final = 12
"""How often these are looked at, after ``ROUND`` draws and twice as many each time (Bonferroni)."""
GROWN: Final = 12
"""Playouts of the first round that are not on fresh draws; each round has twice as many as the one before."""
FEW: Final = 4
"""Moves that are tried however short the time."""
TURN_S: Final = 0.0007
"""About the seconds of a turn of plain play."""
UNTRIED: Final = 3
"""From the second round on, one playout in so many tries a move for the first time."""


class _Gaps:
    """Differences between the playouts of a move and those of the reference on the same draws."""

    __slots__ = ("number", "squares", "total")

    def __init__(self) -> None:
        self.number = 0
        self.total = 0.0
        self.squares = 0.0

    @property
    def within(self) -> float:
        """The squares about the mean."""
        return self.squares - self.total**2 / self.number if self.number else 0.0


class PlainComparison:
    """All moves on their way to a verdict, a stretch at a time."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        aim: CoastingAim,
        moves: list[Step],
        *,
        seed: int = 0,
        asked: Step | None = None,
        told: OnRound | None = None,
        spend: Callable[[float], None] | None = None,
    ) -> None:
        self._coasting = Coasting(game, start, aim, seed=seed)
        opinions = dict(zip(moves, self._coasting.opinions(moves), strict=True))
        ranked = sorted(moves, key=lambda move: (-opinions[move], move.text))
        self._aim = aim
        self._samples = [Sample(move, game.begun(start, move)) for move in ranked]
        self._reference = self._samples[0]
        self._asked = [sample for sample in self._samples if sample.move == asked]
        best = opinions[ranked[0]]
        self._opinion = {id(each): max(-STRONG, opinions[each.move] - best) for each in self._samples}
        first: dict[str, Sample] = {}
        self._first = {id(each): first.setdefault(kind_of(each.move.text), each) for each in self._samples}
        """Of each move the one of its kind that plain play likes best."""
        self._fresh: dict[int, list[Coasted]] = {}
        """Playouts on fresh draws of all moves that were among the finalists of a round;"""
        self._finalists: list[int] = []
        """those of the last round,"""
        self._met = 0
        """and on how many of these draws they have been played."""
        self._judged: list[float] = []
        """What the other playouts of the reference count for."""
        self._gaps = {id(each): _Gaps() for each in self._samples}
        """How much more each move counts for than the reference on the same draws, those of all rounds."""
        self._within = 0.0
        """The squares of all gaps about the mean of their move."""
        self._degrees = 0
        """Gaps beyond the first of each move."""
        self._spent: Callable[[], float] | None = None
        self._playouts: int | None = None
        self._told, self._spend = told, spend
        self._counted = 0
        """Turns that ``spend`` has heard of."""
        self._done = 0
        self._number = 0
        """Rounds that are over."""
        self._before: tuple[str, Step | None] | None = None
        """What the round before has settled."""
        self._kinds = "", ""
        """Which kind of move each of the last two rounds has settled."""
        self._verdict = "undecided"
        self._interrupted = False

    def run(self, spent: Callable[[], float] | None, playouts: int | None) -> None:
        """Play until the best move is settled, the time is up, or the user stops it.

        A further run goes on with what is known; a number of ``playouts`` counts those of all runs.
        """
        self._spent, self._playouts = spent, playouts
        try:
            for sample in (*self._samples[: 1 if self._spent is None else FEW], *self._asked):
                if not sample.grown:
                    self._pull(sample)
            while len(self._samples) > 1 and self._verdict == "undecided" and self._gone() < 1:
                self._grow(self._number)
                now = self._compare(self._number)
                if self._told is not None:
                    best = self._ranked()[0]
                    self._told(best.move, best.mean, self._done)
                if now is None:
                    break
                self._number += 1
                settled = (now, self._ranked()[0].move if now == "decided" else None)
                if now != "undecided" and settled == self._before and not self._untried():
                    self._verdict = now
                self._before = settled
            if len(self._samples) == 1:
                self._verdict = "decided"
        except KeyboardInterrupt:
            self._interrupted = True

    def found(self) -> Sampled:
        """Return what is known."""
        for sample in self._samples:
            sample.values = self._values(sample)
            sample.bounds, sample.width = self._coasting.bounds, self._coasting.width
        ranked = self._ranked()
        kind = agreed_kind(self._kinds, ranked, self._verdict)
        return Sampled(tuple(ranked), self._verdict, self._done, 0, self._interrupted, kind)

    def _gone(self) -> float:
        if self._spend is not None:
            self._spend((self._coasting.played - self._counted) * TURN_S)
            self._counted = self._coasting.played
        if self._spent is not None:
            return self._spent()
        if self._playouts is not None:
            return self._done / self._playouts
        return self._coasting.played / TURNS

    def _grow(self, number: int) -> None:
        """Spend half of a round, or of what is left, on the moves that may be best.

        After the first round some of it goes to moves that were not tried yet, until all are.
        """
        half, last = (1 + self._gone()) / 2, self._done + (GROWN << number)
        for turn in count():
            if self._done >= last or self._gone() >= half:
                break
            untried = self._untried() if number and turn % UNTRIED == 0 else []
            self._pull(untried[0] if untried else self._hopeful())

    def _untried(self) -> list[Sample]:
        """Return the moves that were not tried yet, the first of their kinds before all others."""
        untried = [each for each in self._samples if not each.grown]
        return sorted(untried, key=lambda each: self._first[id(each)] is not each)

    def _pull(self, sample: Sample) -> None:
        """Play a move on its next draw, and the reference as well if it has not met that draw."""
        reference, number = self._reference, len(sample.grown)
        if number == len(reference.grown):
            self._judged.append(self._grown(reference, number))
        if sample is not reference:
            self._count(sample, self._grown(sample, number) - self._judged[number])

    def _grown(self, sample: Sample, number: int) -> float:
        """Play a move on a draw, and return what that counts for."""
        found = self._coasting.grow(sample.begun, number)
        sample.grown.append(found.value)
        self._done += 1
        return found.judged

    def _count(self, sample: Sample, gap: float) -> None:
        """Take note of how much more a move counted for than the reference."""
        gaps = self._gaps[id(sample)]
        self._degrees += bool(gaps.number)
        self._within -= gaps.within
        gaps.number, gaps.total, gaps.squares = gaps.number + 1, gaps.total + gap, gaps.squares + gap * gap
        self._within += gaps.within

    def _hopeful(self) -> Sample:
        """Return the move, of those besides the best, that may be best with the highest bound, or the best itself."""
        best = self._ranked()[0]
        bounds = [(self._belief(each), each) for each in self._open() if each is not best]
        (_, doubt), other = max(bounds, key=lambda each: each[0][0] + DARING * each[0][1])
        # The one of the two that is known less.
        return other if doubt >= self._belief(best)[1] else best

    def _open(self) -> list[Sample]:
        """Return the moves that were tried and, of each kind, the first that was not: no other has a higher bound."""
        untried: dict[int, Sample] = {}
        for each in self._samples:
            if not each.grown:
                untried.setdefault(id(self._first[id(each)]), each)
        return [*(each for each in self._samples if each.grown), *untried.values()]

    def _belief(self, sample: Sample) -> tuple[float, float]:
        """Return by how much a move is thought to be better than the reference, and how far that may be off."""
        if sample is self._reference:
            return 0.0, 0.0
        gaps, first = self._gaps[id(sample)], self._first[id(sample)]
        opinion, doubt = self._opinion[id(sample)], DOUBT
        if first is not sample:
            opinion, doubt = self._belief(first)[0] + opinion - self._opinion[id(first)], ALIKE
        noise = (self._within + USUAL * SPREAD**2) / (self._degrees + USUAL)
        weight, known = 1 / doubt**2, gaps.number / noise
        total = weight + known
        return (weight * opinion + gaps.total / noise) / total, 1 / sqrt(total)

    def _ranked(self) -> list[Sample]:
        """Return the moves that were tried, the best first, then the others in the order of opinion."""
        tried = [each for each in self._samples if each.grown]
        tried.sort(key=lambda each: (-self._belief(each)[0], each.move.text))
        return [*tried, *(each for each in self._samples if not each.grown)]

    def _compare(self, number: int) -> str | None:
        """Play the best few on fresh draws, twice as many as in the round before, and return the verdict.

        There is none of a round that was cut short. Its draws are shown only if there are no fewer than before.
        """
        tried = [each for each in self._ranked() if each.grown]
        finalists = with_another_kind(tried, FINALISTS)
        finalists += [each for each in (self._reference, *self._asked) if each not in finalists]
        try:
            for draw in range(ROUND << number):
                self._draw(finalists, draw)
                if self._gone() >= 1:
                    return None
        finally:  # be it that somebody has stopped it
            met = min(len(self._fresh.get(id(each), ())) for each in finalists)
            if met >= self._met:
                self._finalists, self._met = [id(each) for each in finalists], met
        order = [each for each in self._ranked() if id(each) in self._finalists]
        for sample in order:
            sample.values, sample.width = self._values(sample), self._coasting.width
        self._kinds = self._kinds[1], settled_kind(order, self._aim, LOOKS)
        return verdict(order, self._aim, LOOKS)

    def _draw(self, finalists: Sequence[Sample], number: int) -> None:
        """Play a fresh draw with all of some moves that have not met it; the reference is one of them."""
        for sample in sorted(finalists, key=lambda each: each is not self._reference):
            fresh = self._fresh.setdefault(id(sample), [])
            if number == len(fresh):
                fresh.append(self._coasting.play(sample.begun, number))
                self._done += 1
                if sample is not self._reference:
                    self._count(sample, fresh[number].judged - self._fresh[id(self._reference)][number].judged)

    def _values(self, sample: Sample) -> list[Fraction]:
        """Return what a move was worth on the fresh draws that all finalists have met; nothing for other moves."""
        is_finalist = id(sample) in self._finalists
        return [each.value for each in self._fresh[id(sample)][: self._met]] if is_finalist else []
