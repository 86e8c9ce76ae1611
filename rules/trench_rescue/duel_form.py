"""Open duels over small tuples: the half-turns of both sides as search asks for them (4 to 7).

The compact form of ``rules.trench_rescue.engine`` for two players, held equal to it by tests. It carries the default
rulings with either barrage timing, either rule for the number of shells, and either kind of deck; whatever else is
asked is left to the plain form. Payoffs are black's score less red's.

What keys leave out, and why values stay the same:

- The infirmaries and the dead: they never come back, and the score they make is kept as a number.
- Who lies where once the wounded have died, and who the soldiers are: in the withdrawal nothing is carried or rescued.
- Decks, and drawing from them, of a player with too few half-turns left. A card drawn now can enter in the next
  half-turn and bring something home in the one after that. With two left it can only stand on the field in the last
  barrage, where any other soldier could stand as well, and what is hit then dies. Where shells fall after each
  half-turn somebody may still rescue it, so that there the same holds with one half-turn left only.
- Drawing later in a half-turn than at its beginning, while the deck is the same: whoever draws first knows more, and
  what else is done in the half-turn does not depend on the place of the draw among it, since drawn cards have moved.
- Looking at cards, and going back to an empty deck: both are idle where cards are open and staying idle is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules.core.contest import Interval
from rules.core.steps import CHANCE, OVER
from rules.core.turns import State
from rules.trench_rescue.duel_bounds import DuelBounds
from rules.trench_rescue.duel_field import (
    ACTS,
    DONE,
    DRAWS,
    LAST,
    LEAVES,
    LEFT_SHELLED,
    NOBODY,
    NOTHING,
    SHELLED,
    Changes,
    Choice,
    Key,
    Man,
    Middle,
    added,
    laid,
    replaced,
)
from rules.trench_rescue.duel_moves import DuelMoves
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER as OVER_PHASE
from rules.trench_rescue.state import PLAY, Table


class DuelForm(DuelMoves):
    """One open duel; serves ``rules.core.contest.ContestTree``."""

    name = "compact"
    whole = True

    def __init__(self, rulings: Rulings, table: Table) -> None:
        super().__init__(rulings, table)
        self._grouped: dict[tuple[Any, ...], tuple[Choice, ...]] = {}
        self._firsts: dict[tuple[Any, ...], list[tuple[tuple[int, ...], Changes, int]]] = {}
        self._bounded: dict[Key, Interval] = {}
        self._limits = DuelBounds(self)

    # Keys

    def key(self, state: State[Table]) -> Key | None:
        """Return the key of a table between half-turns or in the middle of one; nothing where chance is due."""
        if state.pending:
            return None
        table = state.table
        totals = [
            len(table.deck[colour]) + len(table.trench[colour]) + len(table.infirmary[colour]) for colour in (0, 1)
        ]
        men = tuple((card, NOTHING if load is None else load, cell) for card, load, cell in table.soldiers)
        if table.phase == OVER_PHASE:
            return self._over(totals[0] - totals[1])
        stage = ACTS if table.phase == PLAY else LEAVES
        return self._plain(
            (
                stage,
                table.turn,
                table.to_move,
                totals[0] - totals[1],
                men,
                table.piles,
                table.trench,
                table.deck,
                table.moved,
                table.fresh,
                0,
            )
        )

    def _over(self, score: int) -> Key:
        return (DONE, 0, 0, score, (), (), NOBODY, NOBODY, (), (), 0)

    def _plain(self, key: Key) -> Key:
        """Return a key without what does not matter any more."""
        stage, turn, mover, score, men, piles, trenches, decks, moved, fresh, shells = key
        if stage == SHELLED and turn >= self.limit and mover != self._starter:
            stage = LEFT_SHELLED
        if stage in (LEAVES, LEFT_SHELLED):
            if not men:
                return self._over(score)
            nameless = sorted((self.colour[card] - 2, NOTHING, cell) for card, _, cell in men)
            return (stage, self.limit, mover, score, tuple(nameless), (), NOBODY, NOBODY, (), (), shells)
        if stage == ACTS and turn >= self.limit and mover != self._starter and not moved:
            return self._last(key)
        if stage == ACTS and turn >= self.limit and mover == self._starter:
            middle = self._simple(mover, (men, piles, trenches, NOBODY, score, moved, fresh))
            men, piles, trenches, decks, score, moved, fresh = middle
        kept = tuple(
            decks[colour] if self._left(turn, mover, stage, colour) > self._idle_draws else () for colour in (0, 1)
        )
        return (stage, turn, mover, score, men, piles, trenches, kept, moved, fresh, shells)

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

    def _last(self, key: Key) -> Key:
        """Return the key of the last half-turn with rescues.

        What lies or is carried elsewhere, who waits in which trench, and who stands where does not matter any more:
        after this half-turn nothing is rescued. What groups of different cells do does not hinder each other, as a
        card put down elsewhere can only be put down after everybody has taken what they want.
        """
        _, turn, mover, score, men, piles, trenches = key[:7]
        groups: dict[int, list[Man]] = {}
        for man in men:
            if self.colour[man[0]] == mover:
                groups.setdefault(man[2], []).append(man)
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
            seen, waiting = {start}, [start]
            most: dict[tuple[int, ...], int] = {}
            while waiting:
                middle = waiting.pop()
                cells = tuple(sorted(man[2] for man in middle[0]))
                won = middle[4] * (1 - 2 * mover)
                most[cells] = max(most.get(cells, won), won)
                for after in self._acted(mover, middle):
                    # Who has come home, and what went where, has been counted.
                    after = (*after[:2], NOBODY, NOBODY, *after[4:])
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
            known = self._grouped[asked] = tuple(sorted(most.items()))
        return known

    @property
    def _idle_draws(self) -> int:
        """Half-turns left up to which drawing is as good as idling."""
        return 1 if self.after_each else 2

    # The tree

    def actor(self, key: Key) -> int:
        """Return who decides next."""
        stage = key[0]
        if stage in (ACTS, LEAVES, LAST):
            return int(key[2])
        return OVER if stage == DONE else CHANCE

    def pace(self, key: Key) -> int:
        """Return the half-turns that are over."""
        return 2 * (int(key[1]) - 1) + int(key[2] != self._starter)

    def rounds(self, key: Key) -> int:
        """Return the turns that are over."""
        return int(key[1]) - 1

    def payoff(self, key: Key) -> int:
        """Return black's score less red's if play stops here."""
        return int(key[3]) * self.grain

    def guess(self, key: Key) -> int:
        """Return the score as if everybody on the field came home."""
        lead: int = key[3] + sum(1 - 2 * self.colour[card] for card, _, _ in key[4])
        return lead * self.grain

    def bounds(self, key: Key) -> Interval:
        """Return proved bounds of the value, see ``rules.trench_rescue.duel_bounds``."""
        known = self._bounded.get(key)
        if known is None:
            known = self._bounded[key] = self._limits.of(key)
        return known

    def followers(self, key: Key) -> Sequence[Key]:
        """Return what can be made of a half-turn: its different ends, and draws of a card in it."""
        mover = key[2]
        found: Iterable[Key] | None = None
        if key[0] == ACTS and key[1] >= self.limit and mover == self._starter:
            found = self._rescued_first(key)
        found = found or {ACTS: self._walked, LEAVES: self._left_for_home, LAST: self._rescued_last}[key[0]](key)
        unique = list(dict.fromkeys(found))
        unique.sort(key=self._looks, reverse=mover == 0)
        return unique

    def _looks(self, key: Key) -> int:
        """Return how good a key looks for black, to try good ones first."""
        low, high = self.bounds(key)
        total: int = int(low) + int(high)
        return total

    def _walked(self, key: Key) -> Iterator[Key]:
        _, turn, mover, score, men, piles, trenches, decks, moved, fresh, _ = key
        draws = self._left(turn, mover, ACTS, mover) > self._idle_draws
        start: Middle = (men, piles, trenches, decks, score, moved, fresh)
        seen = {start}
        waiting = [start]
        simple = turn >= self.limit and mover == self._starter
        while waiting:
            middle = waiting.pop()
            yield self._ended(ACTS, turn, mover, middle)
            for after in self._acted(mover, middle):
                if simple:
                    after = self._simple(mover, after)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            deck = middle[3][mover]
            if not draws or not deck or (middle is not start and deck == decks[mover]):
                continue
            for card in middle[2][mover]:
                if card in middle[5]:
                    continue
                after = self._cycled(mover, middle, card)
                if not self._rulings.queue:
                    men_, piles_, trenches_, decks_, score_, moved_, fresh_ = after
                    yield (DRAWS, turn, mover, score_, men_, piles_, trenches_, decks_, moved_, fresh_, 0)
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def _rescued_first(self, key: Key) -> list[Key] | None:
        """Return the ends of the first half of the last turn, group by group; nothing where groups meet.

        Groups of different cells meet only where several of them put cards down in one cell that the enemy wants: then
        their order matters. Elsewhere what lies about does not matter any more, see ``_simple``, and a group that puts
        a card down in the cell of another one does so after that one has acted: before, it could only hinder its own
        side. Of ends that differ in the score alone the better one is kept.
        """
        _, turn, mover, score, men, piles, trenches, decks, _, fresh, _ = key
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
        sign = 1 - 2 * mover
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
                touched = {changed for changed, _, _ in changes}
                for more, others, gained in choices:
                    if others and any(changed in touched for changed, _, _ in others):
                        return None
                    place = (tuple(sorted((*cells, *more))), tuple(sorted((*changes, *others))))
                    combined[place] = max(combined.get(place, won + gained), won + gained)
            ends = combined
        found = []
        lying = tuple(pile if cell in wanted else () for cell, pile in enumerate(piles))
        for (cells, changes), won in ends.items():
            left = lying
            for cell, pile, whole in changes:
                left = laid(left, cell, pile if whole else (*lying[cell], *pile))
            now = tuple(sorted([*fixed, *((mover - 2, NOTHING, cell) for cell in cells)]))
            found.append(self._ended(ACTS, turn, mover, (now, left, trenches, decks, score + sign * won, (), ())))
        return found

    def _first_choices(
        self, mover: int, cell: int, group: tuple[Man, ...], pile: tuple[int, ...], wanted: frozenset[int]
    ) -> list[tuple[tuple[int, ...], Changes, int]]:
        """Return where the soldiers of one cell can be, how wanted piles have changed, and what has come home."""
        asked = (mover, cell, group, pile, wanted)
        known = self._firsts.get(asked)
        if known is None:
            piles = laid(((),) * self.size**2, cell, pile)
            start: Middle = (group, piles, NOBODY, NOBODY, 0, (), ())
            seen, waiting = {start}, [start]
            most: dict[tuple[tuple[int, ...], Changes], int] = {}
            while waiting:
                middle = waiting.pop()
                cells = tuple(sorted(man[2] for man in middle[0]))
                changes = tuple(
                    (place, middle[1][place], place == cell)
                    for place in sorted(wanted)
                    if middle[1][place] != piles[place]
                )
                won = middle[4] * (1 - 2 * mover)
                most[cells, changes] = max(most.get((cells, changes), won), won)
                for after in self._acted(mover, middle):
                    after = (*after[:2], NOBODY, NOBODY, *after[4:])
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
            known = self._firsts[asked] = [(cells, changes, won) for (cells, changes), won in most.items()]
        return known

    def _rescued_last(self, key: Key) -> Iterator[Key]:
        """Yield the ends of the last half-turn with rescues; of equal ones the one that brings most home."""
        _, turn, mover, score, men, choices, trenches = key[:7]
        ends: dict[tuple[int, ...], int] = {(): 0}
        for group in choices:
            ends = _combined(ends, group)
        for _ in trenches[mover]:
            ends = _combined(ends, [((), 0), *(((cell,), -1) for cell in self._front[mover])])
        others = [man for man in men if self.colour[man[0]] != mover]
        for cells, won in ends.items():
            now = tuple(sorted([*others, *((mover - 2, NOTHING, cell) for cell in cells)]))
            yield self._ended(ACTS, turn, mover, (now, (), NOBODY, NOBODY, score + (1 - 2 * mover) * won, (), ()))

    def _left_for_home(self, key: Key) -> Iterator[Key]:
        """Yield the ends of a half-turn in which every own soldier has to come nearer home (7.3)."""
        _, turn, mover, score, men = key[:5]
        own = sorted(cell for card, _, cell in men if self.colour[card] == mover)
        others = [man for man in men if self.colour[man[0]] != mover]
        for cells, home in self._nearer(mover, tuple(own)):
            now = tuple(sorted([*others, *((mover - 2, NOTHING, cell) for cell in cells)]))
            yield self._ended(LEAVES, turn, mover, (now, (), NOBODY, NOBODY, score + (1 - 2 * mover) * home, (), ()))

    # After a half-turn

    def _ended(self, stage: int, turn: int, mover: int, middle: Middle) -> Key:
        """Return the key after a half-turn: a barrage, or what follows at once (4.0.4, 6.2)."""
        men, piles, trenches, decks, score, _, _ = middle
        first = mover == self._starter
        if first and not self.after_each:
            return self._plain((stage, turn, 1 - mover, score, men, piles, trenches, decks, (), (), 0))
        last = stage == ACTS and turn >= self.limit
        shells = 0
        if self._rulings.last_barrage or not last:
            shells = max(len(men) // 2, int(self.min_one and len(men) > 0))
        after = SHELLED if stage == ACTS else LEFT_SHELLED
        return self._fallen((after, turn, mover, score, men, piles, trenches, decks, (), (), shells))

    def _fallen(self, key: Key) -> Key:
        """Return a key of a barrage, or what follows where nothing of it is left (4.0.4, 7)."""
        stage, turn, mover, score, men, piles, trenches, decks, _, _, shells = key
        if shells and men:
            return self._plain(key)
        stage = ACTS if stage == SHELLED else LEAVES
        if mover == self._starter:
            return self._plain((stage, turn, 1 - mover, score, men, piles, trenches, decks, (), (), 0))
        if stage == ACTS and turn >= self.limit:
            stage = LEAVES
        return self._plain((stage, turn + 1, self._starter, score, men, piles, trenches, decks, (), (), 0))

    def outcomes(self, key: Key) -> tuple[Sequence[tuple[Key, int]], int]:
        """Return what a card drawn or one shell leads to (4.1, 6.3 to 6.7)."""
        if key[0] == DRAWS:
            return self._drawn(key)
        stage, turn, mover, score, men, piles, trenches, decks, _, _, shells = key
        found: list[tuple[Key, int]] = []
        missing = self.grain
        for cell in dict.fromkeys(man[2] for man in men):
            hit = [man for man in men if man[2] == cell]
            rest = tuple(man for man in men if man[2] != cell)
            lain = piles
            if stage == SHELLED:
                carried = [man[1] for man in hit if man[1] != NOTHING]
                lain = laid(piles, cell, (*piles[cell], *carried, *(man[0] for man in hit)))
            ways = self.ways[cell]
            missing -= ways
            found.append(
                (self._fallen((stage, turn, mover, score, rest, lain, trenches, decks, (), (), shells - 1)), ways)
            )
        if missing:
            found.append(
                (self._fallen((stage, turn, mover, score, men, piles, trenches, decks, (), (), shells - 1)), missing)
            )
        return found, self.grain

    def _drawn(self, key: Key) -> tuple[Sequence[tuple[Key, int]], int]:
        _, turn, mover, score, men, piles, trenches, decks, moved, fresh, _ = key
        deck = decks[mover]
        found = []
        for card in deck:
            trench = sorted([*trenches[mover], card])
            rest = [other for other in deck if other != card]
            now = self._plain(
                (
                    ACTS,
                    turn,
                    mover,
                    score,
                    men,
                    piles,
                    replaced(trenches, mover, trench),
                    replaced(decks, mover, rest),
                    added(moved, card),
                    fresh,
                    0,
                )
            )
            found.append((now, 1))
        return found, len(deck)

    def plans(self, key: Key) -> Sequence[Sequence[Key]]:
        """Nothing is decided in secret here.

        Raises:
            LookupError: always.
        """
        raise LookupError("nothing is decided in secret here")


def _combined(ends: Mapping[tuple[int, ...], int], more: Iterable[Choice]) -> dict[tuple[int, ...], int]:
    """Return every end followed by every choice, of those with the same cells the one that brings most home."""
    found: dict[tuple[int, ...], int] = {}
    for cells, won in more:
        for there, score in ends.items():
            place = tuple(sorted((*there, *cells)))
            found[place] = max(found.get(place, score + won), score + won)
    return found
