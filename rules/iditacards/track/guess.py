"""How good a position of a race over the track looks, for beams: an ordinary race goes on from there.

The guess is the number of turns that the race would take with what is in play, or with what will be once the stack has
taken effect, a little for each risk card that is still missing, if that is less; and if every day brought an average
share of the cards that it shuffles, spread evenly over its turns, under the real weather of the days to come and such
conditions as the legs leave on most teams. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.iditacards.track.bound import count_of
from rules.iditacards.track.kernel import DAY_SHIFT, LEVELS, POS_MASK, POS_SHIFT

if TYPE_CHECKING:
    from rules.iditacards.track.form import TrackForm

UNIT: Final = 16
"""Parts of a turn."""
DAYS: Final = 10
"""Days told apart by their weather; the last stands for all that follow."""
PLAYS: Final = 6
"""Turns of a day that cards can fill, one more than there are."""
DELAY: Final = 4
"""What a risk card that is still missing counts, in units."""
_MORE: Final = 3
"""Cards that a day brings beside its first hand."""


class Prospect(NamedTuple):
    """What ``promise`` looks up."""

    target: int
    groups: int
    """Rows that ``fill`` has to fill: none."""
    rank: Sequence[int]
    """By board: the class of races that it belongs to."""
    turns: Sequence[int]
    """By class, day, turns that cards can still fill today, and space: the turns that are left, in units."""
    coming: Sequence[int]
    """By stack: the distance that waits in it,"""
    delay: Sequence[int]
    """the turns that it takes, in units,"""
    later: Sequence[int]
    """and, by stack and board, the board that it leaves."""
    boards: int
    card: int
    """What a card in hand counts, in units,"""
    slow: int
    """and a space that conditions take off the speed."""


def needs(_key: int, _place: int, _least: Any, _tables: Any, _bound: Any) -> int:
    """Return the turns that a position needs at least; nothing is known of that."""
    return 0


def fill(_part: int, _bound: Any, _least: Any, _work: Any) -> None:
    """Fill no table."""


def promise(key: int, place: int, _least: Any, tables: Any, bound: Any) -> int:
    """Return minus the turns that are left, about; the weights were found by trying."""
    pos = (place >> POS_SHIFT) & POS_MASK
    board = (key >> tables.board_shift) & tables.board_mask
    stack = (key >> tables.stack_shift) & tables.stack_mask
    cards = count_of(key & tables.hand_mask, tables)
    ahead = min(pos + bound.coming[stack], bound.target - 1)
    day = min(place >> DAY_SHIFT, DAYS - 1)
    plays = min(cards >> 1, PLAYS - 1)
    at = (day * PLAYS + plays) * bound.target + ahead
    row = DAYS * PLAYS * bound.target
    turns: int = bound.turns[bound.rank[board] * row + at]
    later = bound.later[stack * bound.boards + board]
    if later != board:
        turns = min(turns, bound.turns[bound.rank[later] * row + at] + bound.delay[stack])
    worth: int = bound.card * cards - bound.slow * tables.drag[place & (LEVELS - 1)]
    return worth - turns


class Course(NamedTuple):
    """What the race of a guess is run over."""

    target: int
    section: tuple[int, ...]
    weather: tuple[int, ...]
    """By day."""
    automatic: int
    drags: tuple[int, ...]
    """By section: what conditions take off the speed."""


KERNEL: Final = (count_of, needs, promise, fill)


class Guess:
    """The guess for one form."""

    bound_name = "none"
    parts = 0

    def __init__(self, form: TrackForm) -> None:
        self.kernel = form.kernel
        self.rows = 1
        self._form = form
        form.ensure(DAYS)
        track = form.track
        course = Course(
            form.target, tuple(track.section), tuple(track.weather[:DAYS]), track.automatic, tuple(self._usual_drags())
        )
        ranks: dict[tuple[object, ...], int] = {}
        rank: list[int] = []
        turns: list[int] = []
        for board in form.track.packs:
            facts = self._facts(board)
            if facts not in ranks:
                ranks[facts] = len(ranks)
                turns.extend(_turns(course, *facts))
            rank.append(ranks[facts])
        moves = [facts.move * facts.times for facts in form.facts]
        coming = [sum(max(0, moves[kind]) for kind, _ in frames) for frames in form.stacks]
        delay = [DELAY * sum(needed for _, needed in frames) for frames in form.stacks]
        later = [self._later(board, frames, rank, turns) for frames in form.stacks for board in track.packs]
        self.outlooks = Prospect(form.target, 0, rank, turns, coming, delay, later, len(track.packs), card=1, slow=7)

    def _later(self, board: int, frames: Sequence[tuple[int, int]], rank: Sequence[int], turns: Sequence[int]) -> int:
        """Return the board once a stack has taken effect; of several the one that looks best at the start."""
        row = DAYS * PLAYS * self._form.target
        for kind, _ in reversed(frames):
            facts = self._form.facts[kind]
            if not facts.idle:
                board = min(facts.boards[board], key=lambda each: turns[rank[each] * row])
        return board

    def _usual_drags(self) -> list[int]:
        """Return what conditions take off by section, when one of each kind goes away on every stretch."""
        track = self._form.track
        cold = hunger = 0
        found = [0]
        for section in range(1, track.sections):
            entry = track.entry[(section - 1) * track.sections + section]
            cold, hunger = max(entry >> 3, cold - 1), max(entry & 7, hunger - 1)
            found.append(track.drag[max(0, cold - 1) << 3 | max(0, hunger - 1)])
        return found

    def _facts(self, board: int) -> tuple[Any, ...]:
        """Return what makes the class of a board: speeds, and the cards of its days."""
        form = self._form
        track = form.track
        speeds = track.speed[board :: len(track.packs)]
        plays = cards = 0
        moves: list[tuple[int, int]] = []
        for name, copies in form.mix_of(board):
            facts = form.facts[form.kind[name]]
            cards += copies
            if facts.move >= 0:
                moves.extend([(facts.move, facts.times)] * copies)
                plays += copies * (1 + facts.risk)
        hand = track.day_draws[board] + _MORE
        share = min(1.0, hand / max(1, cards))
        return (
            tuple(speeds),
            tuple(sorted(moves)),
            max(1, plays),
            min(PLAYS - 1, max(1, round(share * plays))),
        )


@lru_cache(maxsize=512)
def _turns(
    course: Course, speeds: tuple[int, ...], moves: tuple[tuple[int, int], ...], taken: int, plays: int
) -> tuple[int, ...]:
    """Return the turns that are left, by day, turns that cards fill, and space; forms of one race share them."""
    target, last = course.target, DAYS - 1
    days: list[list[list[float]]] = [[] for _ in range(DAYS)]
    by_cards: dict[int, float] = {}
    for day in range(last, -1, -1):
        here = days[day] = [[0.0] * (target + 1) for _ in range(plays + 1)]
        fresh = here[plays] if day == last else days[day + 1][plays]
        for pos in range(target - 1, -1, -1):
            section = course.section[pos]
            speed = speeds[course.weather[day] * len(course.drags) + section] - course.drags[section]
            alone = max(0, course.automatic + speed)
            if speed not in by_cards:
                by_cards[speed] = sum(max(0, n + speed) * times for n, times in moves) / taken
            more = by_cards[speed]
            for left in range(plays, -1, -1):
                best = 99.0
                if left:
                    best = 1 + _between(here[left - 1], pos + alone + more) if alone + more else best
                if alone:
                    best = min(best, 1 + _between(here[left], pos + alone))
                if day != last or alone or left == 0:
                    best = min(best, 1 + _between(fresh, pos + alone))
                here[left][pos] = best
    return tuple(
        min(30_000, round(UNIT * days[day][min(left, plays)][pos]))
        for day in range(DAYS)
        for left in range(PLAYS)
        for pos in range(target)
    )


def _between(values: Sequence[float], pos: float) -> float:
    """Return a value between two spaces."""
    last = len(values) - 1
    if pos >= last:
        return 0.0
    below = int(pos)
    return values[below] + (values[below + 1] - values[below]) * (pos - below)
