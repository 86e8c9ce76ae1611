"""The last turn of an open duel: group by group, and then the walk home, valued exactly (4 to 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product, takewhile
from typing import Any, TypeAlias

from rules.trench_rescue.duel_field import (
    DONE,
    LAST,
    NOBODY,
    NOTHING,
    Changes,
    Choice,
    Key,
    Man,
    Middle,
    Pair,
    laid,
    replaced,
)
from rules.trench_rescue.duel_moves import DuelMoves
from rules.trench_rescue.duel_walk import WalkHome
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table

FirstEnds: TypeAlias = dict[tuple[tuple[int, ...], Changes], int]
"""By the cells of own soldiers in the end, and how piles that the enemy wants have changed: what has come home."""


class DuelLast(DuelMoves):
    """The last turn of one duel."""

    def __init__(self, rulings: Rulings, table: Table) -> None:
        super().__init__(rulings, table)
        self._walk = WalkHome(self)
        self._grouped: dict[tuple[Any, ...], tuple[Choice, ...]] = {}
        self._firsts: dict[tuple[Any, ...], list[tuple[tuple[int, ...], Changes, int]]] = {}
        self._ended_at: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
        """Before the last barrage, by the cells of the side that moves first in a turn and those of the other."""
        self._replies: dict[tuple[Any, ...], list[Choice]] = {}

    def _over(self, parts: int) -> Key:
        return (DONE, 0, 0, parts, (), (), NOBODY, NOBODY, (), (), 0)

    def _cells(self, men: Sequence[Man]) -> Pair:
        """Return where the soldiers of both sides stand."""
        colour = self.colour
        return (
            tuple(sorted(cell for card, _, cell in men if not colour[card])),
            tuple(sorted(cell for card, _, cell in men if colour[card])),
        )

    # The first half

    def _last_turn(self, key: Key) -> Key | None:
        """Return the best that can be made of the last turn; nothing where ``_first_ends`` has no answer.

        Every end of the first half against every end of the second is one position before the last barrage. An end
        of the first half is left as soon as one reply is no better for it than the best end so far.
        """
        _, _, mover, score, men, piles, trenches = key[:7]
        ends = self._first_ends(key)
        if ends is None:
            return None
        enemy = 1 - mover
        enemies = [man for man in men if self.colour[man[0]] != mover]
        fixed = [cell for card, _, cell in men if card == mover - 2]
        grain, sign = self.grain, 1 - 2 * mover
        ended = self._ended_at
        best: int | None = None
        answers: dict[Changes, tuple[list[Choice], int]] = {}
        for (cells, changes), won in sorted(ends.items(), key=lambda end: -end[1] - len(end[0][0])):
            answer = answers.get(changes)
            if answer is None:
                left = piles
                for cell, pile, whole in changes:
                    left = laid(left, cell, pile if whole else (*piles[cell], *pile))
                replies = self._last_ends(enemy, enemies, left, len(trenches[enemy]))
                answer = answers[changes] = replies, max(lost for _, lost in replies)
            replies, most = answer
            # All own soldiers come home, nobody of the enemy does, who brings home as much as can be.
            if best is not None and (won + len(cells) + len(fixed) - most) * grain <= best:
                continue
            own = tuple(sorted((*cells, *fixed)))
            worst: int | None = None
            known = ended.setdefault(own, {})
            for place, (there, lost) in enumerate(replies):
                after = known.get(there)
                if after is None:
                    after = known[there] = self._at_the_end(enemy, (there, own) if mover else (own, there))
                value = (won - lost) * grain + sign * after
                if worst is None or value < worst:
                    worst = value
                    if best is not None and worst <= best:
                        replies.insert(0, replies.pop(place))  # likely to be good against the next one too
                        break
            if worst is not None and (best is None or worst > best):
                best = worst
        assert best is not None
        return self._over(score * grain + sign * best)

    def _first_ends(self, key: Key) -> FirstEnds | None:
        """Return the ends of the first half of the last turn, group by group; nothing once cards were put down in it.

        Groups of different cells meet only where several of them put cards down in one cell that the enemy wants: in
        which order is theirs to choose. Nobody of the side can take such a card any more, so that what a group takes
        from the pile it takes before others put down there: sooner they would only hinder it. Elsewhere what lies
        about does not matter any more, see ``_simple``. Of ends that differ in the score alone the better is kept.
        """
        _, _, mover, _, men, piles, trenches, _, _, fresh, _ = key
        wanted = self._wanted(mover, men)
        groups: dict[int, list[Man]] = {}
        fixed: list[Man] = []
        for man in men:
            if self.colour[man[0]] != mover or man[0] < 0:
                fixed.append(man)
            else:
                groups.setdefault(man[2], []).append(man)
        if fresh or any(card < 0 and load != NOTHING for card, load, _ in fixed):
            return None
        ends: dict[tuple[tuple[int, ...], Changes], int] = {((), ()): 0}
        for _ in trenches[mover]:
            entered = dict(ends)
            for (cells, changes), won in ends.items():
                for cell in self._front[mover]:
                    place = (tuple(sorted((*cells, cell))), changes)
                    entered[place] = max(entered.get(place, won - 1), won - 1)
            ends = entered
        for cell, group in groups.items():
            choices = self._first_choices(mover, cell, tuple(group), piles[cell], frozenset(wanted))
            combined: dict[tuple[tuple[int, ...], Changes], int] = {}
            for (cells, changes), won in ends.items():
                for more, others, gained in choices:
                    there = tuple(sorted((*cells, *more)))
                    for both in _met(piles, changes, others):
                        place = (there, both)
                        combined[place] = max(combined.get(place, won + gained), won + gained)
            ends = combined
        return ends

    def _first_choices(
        self, mover: int, cell: int, group: tuple[Man, ...], pile: tuple[int, ...], wanted: frozenset[int]
    ) -> list[tuple[tuple[int, ...], Changes, int]]:
        """Return where the soldiers of one cell can be, how wanted piles have changed, and what has come home."""
        asked = (mover, cell, group, pile, wanted)
        known = self._firsts.get(asked)
        if known is None:
            piles = laid(((),) * self.size**2, cell, pile)
            start: Middle = (group, piles, NOBODY, NOBODY, 0, (), ())
            most: dict[tuple[tuple[int, ...], Changes], int] = {}
            for middle in self._come_to(mover, start):
                cells = tuple(sorted(man[2] for man in middle[0]))
                changes = tuple(
                    (place, middle[1][place], place == cell)
                    for place in sorted(wanted)
                    if middle[1][place] != piles[place]
                )
                won = middle[4] * (1 - 2 * mover)
                most[cells, changes] = max(most.get((cells, changes), won), won)
            known = self._firsts[asked] = [(cells, changes, won) for (cells, changes), won in most.items()]
        return known

    def _simple(self, mover: int, middle: Middle) -> Middle:
        """Return the middle of the first half of the last turn without what cannot be rescued any more.

        The enemy can only carry home what lies under a group that reaches home at once, and what such a group carries;
        the own side only what lies under soldiers who have not moved. Who has moved can still put a card down, which
        matters in those cells of the enemy alone, and has no name any more.
        """
        men, piles, trenches, decks, score, moved, fresh = middle
        colour = self.colour
        wanted = self._wanted(mover, men)
        own: set[int] = set()
        plain = []
        for man in men:
            card, load, cell = man
            if colour[card] != mover:
                plain.append(man if cell in wanted else (card, NOTHING, cell))
            elif card < 0 or card in moved:
                plain.append((mover - 2, load if cell in wanted else NOTHING, cell))
            else:
                own.add(cell)
                plain.append(man)
        plain.sort()
        here = tuple(pile if pile and (cell in own or cell in wanted) else () for cell, pile in enumerate(piles))
        trench = [card for card in trenches[mover] if card not in moved]
        fresh = tuple(place for place in fresh if place[0] in own)
        return (tuple(plain), here, replaced(trenches, mover, trench), decks, score, (), fresh)

    def _wanted(self, mover: int, men: Sequence[Man]) -> set[int]:
        """Return the cells from which a group of the enemy reaches home in one half-turn."""
        enemies = [cell for card, _, cell in men if self.colour[card] != mover]
        home = self.home[1 - mover]
        return {cell for cell in enemies if home[cell] <= enemies.count(cell)}

    # The second half

    def _at_the_end(self, mover: int, cells: Pair) -> int:
        """Return the value of the last barrage, before which ``mover`` has moved, and of the walk home."""
        shells = self.shells(len(cells[0]) + len(cells[1])) if self._rulings.last_barrage else 0
        return self._walk.barrage(mover, cells, shells)

    def _last_ends(
        self, mover: int, men: Sequence[Man], piles: tuple[tuple[int, ...], ...], at_home: int
    ) -> list[Choice]:
        """Return where one side's soldiers can be after the last half-turn, with the most that they bring home."""
        asked = (mover, tuple(men), tuple(piles[man[2]] for man in men), at_home)
        known = self._replies.get(asked)
        if known is None:
            groups = self._by_cell(mover, men)
            choices = [self._choices(mover, cell, tuple(group), piles[cell]) for cell, group in groups.items()]
            ends = self._all_ends(mover, choices, at_home)
            known = self._replies[asked] = sorted(ends.items(), key=lambda end: -end[1] - len(end[0]))
        return known

    def _by_cell(self, mover: int, men: Sequence[Man]) -> dict[int, list[Man]]:
        groups: dict[int, list[Man]] = {}
        for man in men:
            if self.colour[man[0]] == mover:
                groups.setdefault(man[2], []).append(man)
        return groups

    def _all_ends(self, mover: int, choices: Iterable[Iterable[Choice]], at_home: int) -> dict[tuple[int, ...], int]:
        """Return what all groups together can make of the last half-turn, soldiers at home included."""
        ends: dict[tuple[int, ...], int] = {(): 0}
        for group in choices:
            ends = _combined(ends, group)
        for _ in range(at_home):
            ends = _combined(ends, [((), 0), *(((cell,), -1) for cell in self._front[mover])])
        return ends

    def _rescued_last(self, key: Key) -> Key:
        """Return the best end of the last half-turn with rescues, the walk home after it included."""
        _, _, mover, score, men, choices, trenches = key[:7]
        ends = self._all_ends(mover, choices, len(trenches[mover]))
        sign, grain = 1 - 2 * mover, self.grain
        pair = self._cells(men)
        values = [
            sign * won * grain + self._at_the_end(mover, replaced(pair, mover, cells)) for cells, won in ends.items()
        ]
        return self._over(score * grain + (min(values) if mover else max(values)))

    def _last(self, key: Key) -> Key:
        """Return the key of the last half-turn with rescues.

        What lies or is carried elsewhere, who waits in which trench, and who stands where does not matter any more:
        after this half-turn nothing is rescued. What groups of different cells do does not hinder each other, as a
        card put down elsewhere can only be put down after everybody has taken what they want.
        """
        _, turn, mover, score, men, piles, trenches = key[:7]
        groups = self._by_cell(mover, men)
        choices = tuple(sorted(self._choices(mover, cell, tuple(group), piles[cell]) for cell, group in groups.items()))
        nameless = tuple(sorted((self.colour[card] - 2, NOTHING, cell) for card, _, cell in men))
        waiting = replaced(NOBODY, mover, (mover - 2,) * len(trenches[mover]))
        return (LAST, turn, mover, score, nameless, choices, waiting, NOBODY, (), (), 0)

    def _choices(self, mover: int, cell: int, group: tuple[Man, ...], pile: tuple[int, ...]) -> tuple[Choice, ...]:
        """Return where the soldiers of one cell can be after the last half-turn, with the most they bring home."""
        asked = (mover, cell, group, pile)
        known = self._grouped.get(asked)
        if known is None:
            piles = laid(((),) * self.size**2, cell, pile)
            start: Middle = (group, piles, NOBODY, NOBODY, 0, (), ())
            most: dict[tuple[int, ...], int] = {}
            for middle in self._come_to(mover, start):
                cells = tuple(sorted(man[2] for man in middle[0]))
                won = middle[4] * (1 - 2 * mover)
                most[cells] = max(most.get(cells, won), won)
            known = self._grouped[asked] = tuple(sorted(most.items()))
        return known

    def _come_to(self, mover: int, start: Middle) -> Iterator[Middle]:
        """Yield the middles that a group can come to, each once, without who came home last and what went where."""
        seen, waiting = {start}, [start]
        while waiting:
            middle = waiting.pop()
            yield middle
            for after in self._acted(mover, middle):
                after = (*after[:2], NOBODY, NOBODY, *after[4:])
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)


def _met(piles: tuple[tuple[int, ...], ...], one: Changes, other: Changes) -> Iterator[Changes]:
    """Yield what changes of two groups can come to: where both put cards down in one cell, in every order of theirs."""
    if not one or not other:
        yield one or other
        return
    cells = {cell: (pile, whole) for cell, pile, whole in one}
    touched = {cell for cell, _, _ in other}
    ways: list[list[Changes]] = [[tuple(change for change in one if change[0] not in touched)]]
    for cell, pile, whole in other:
        if cell not in cells:
            ways.append([((cell, pile, whole),)])
            continue
        lies, is_whole = cells[cell]
        under: tuple[int, ...] = ()
        if whole or is_whole:
            # At most one group stands there: what it has left of the pile lies under all that is put down.
            left = pile if whole else lies
            count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, piles[cell], strict=False)))
            under = left[:count]
            pile, lies = (pile[count:], lies) if whole else (pile, lies[count:])
        ways.append([((cell, (*under, *order), whole or is_whole),) for order in _orders(pile, lies)])
    for way in product(*ways):
        yield tuple(sorted(change for part in way for change in part))


def _orders(one: tuple[int, ...], other: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every order of two sequences in one that keeps the order of each."""
    if not one or not other:
        return [one or other]
    return [
        *((one[0], *rest) for rest in _orders(one[1:], other)),
        *((other[0], *rest) for rest in _orders(one, other[1:])),
    ]


def _combined(ends: Mapping[tuple[int, ...], int], more: Iterable[Choice]) -> dict[tuple[int, ...], int]:
    """Return every end followed by every choice, of those with the same cells the one that brings most home."""
    found: dict[tuple[int, ...], int] = {}
    for cells, won in more:
        for there, score in ends.items():
            place = tuple(sorted((*there, *cells)))
            found[place] = max(found.get(place, score + won), score + won)
    return found
