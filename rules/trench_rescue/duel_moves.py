"""What a soldier can do in a half-turn of an open duel, over small tuples (4.1 to 4.3, 5, 7.3)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from itertools import combinations

from rules.trench_rescue.duel_field import NOTHING, DuelField, Man, Middle, added, laid, replaced


class DuelMoves(DuelField):
    """Actions of one duel."""

    def _cycled(self, mover: int, middle: Middle, card: int) -> Middle:
        """Put a soldier back into its deck; a queue gives its first card at once (4.1)."""
        men, piles, trenches, decks, score, moved, fresh = middle
        trench = [other for other in trenches[mover] if other != card]
        deck: list[int] = [*decks[mover], card]
        if self._rulings.queue:
            drawn = deck.pop(0)
            insort(trench, drawn)
            moved = added(moved, drawn)
        else:
            deck.sort()
        return men, piles, replaced(trenches, mover, trench), replaced(decks, mover, deck), score, moved, fresh

    def _acted(self, mover: int, middle: Middle) -> Iterator[Middle]:
        """Yield what one action of a soldier leads to, other than draws and the end (4.1, 4.2)."""
        men, piles, trenches, decks, score, moved, fresh = middle
        sign = 1 - 2 * mover
        for card in trenches[mover]:
            if card in moved:
                continue
            trench = tuple(other for other in trenches[mover] if other != card)
            now = added(moved, card)
            for cell in self._front[mover]:
                yield (
                    tuple(sorted([*men, (card, NOTHING, cell)])),
                    piles,
                    replaced(trenches, mover, trench),
                    decks,
                    score - sign,
                    now,
                    fresh,
                )
        own = [man for man in men if self.colour[man[0]] == mover]
        for man in own:
            if man[1] != NOTHING:
                yield self._dropped(middle, man)
        by_cell: dict[int, list[Man]] = {}
        for man in own:
            if man[0] >= 0 and man[0] not in moved:
                by_cell.setdefault(man[2], []).append(man)
        for here in by_cell.values():
            for count in range(1, len(here) + 1):
                for group in combinations(here, count):
                    yield from self._gone(mover, middle, group)

    def _dropped(self, middle: Middle, man: Man) -> Middle:
        men, piles, trenches, decks, score, moved, fresh = middle
        card, load, cell = man
        if card < 0 or card in moved:
            fresh = tuple(sorted([*fresh, (cell, len(piles[cell]))]))
        men = tuple((card, NOTHING, cell) if other is man else other for other in men)
        return (men, laid(piles, cell, (*piles[cell], load)), trenches, decks, score, moved, fresh)

    def _gone(self, mover: int, middle: Middle, group: Sequence[Man]) -> Iterator[Middle]:
        """Yield where a soldier or a stack may go, with and without the top card of its cell (4.2)."""
        men, piles, trenches, decks, score, moved, fresh = middle
        loads = [man[1] for man in group if man[1] != NOTHING]
        if len(loads) > 1:
            return
        start = group[0][2]
        rest = tuple(man for man in men if man not in group)
        now = tuple(sorted([*moved, *(man[0] for man in group)]))
        pile = piles[start]
        choices = [(loads[0] if loads else NOTHING, piles)]
        if not loads and pile and (start, len(pile) - 1) not in fresh:
            choices.append((pile[-1], laid(piles, start, pile[:-1])))
        for load, left in choices:
            for cell in self.places(start, len(group)):
                there = [(man[0], NOTHING, cell) for man in group[:-1]]
                yield (
                    tuple(sorted([*rest, *there, (group[-1][0], load, cell)])),
                    left,
                    trenches,
                    decks,
                    score,
                    now,
                    fresh,
                )
            if self.home[mover][start] <= len(group):
                yield self._came_home(mover, (rest, left, trenches, decks, score, now, fresh), group, load)

    def _came_home(self, mover: int, middle: Middle, group: Sequence[Man], load: int) -> Middle:
        """Bring a group into its trench and decide what its card becomes (4.2, 5)."""
        men, piles, trenches, decks, score, moved, fresh = middle
        sign = 1 - 2 * mover
        score += sign * len(group)
        trench = sorted([*trenches[mover], *(man[0] for man in group)])
        if load != NOTHING:
            owner = self.colour[load]
            within = self.value[load] <= max(self.value[man[0]] for man in group)
            place = self._rulings.rescue[owner == mover, within]
            if place == "trench":
                insort(trench, load)
                moved = added(moved, load)
                score += sign
            elif place == "infirmary":
                score += sign
            else:
                deck = (*decks[owner], load) if self._rulings.queue else sorted([*decks[owner], load])
                decks = replaced(decks, owner, deck)
                score += 1 - 2 * owner
        return (men, piles, replaced(trenches, mover, trench), decks, score, moved, fresh)
