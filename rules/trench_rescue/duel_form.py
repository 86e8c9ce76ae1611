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

from collections.abc import Iterator, Sequence
from typing import Any

from rules.core.contest import Interval
from rules.core.contest_kernel import PackedContest
from rules.core.steps import CHANCE, OVER
from rules.core.turns import State
from rules.trench_rescue.duel_bounds import DuelBounds
from rules.trench_rescue.duel_field import (
    ACTS,
    DONE,
    DRAWS,
    LAST,
    NOBODY,
    NOTHING,
    SHELLED,
    Key,
    Middle,
    Pair,
    added,
    laid,
    replaced,
)
from rules.trench_rescue.duel_last import DuelLast
from rules.trench_rescue.duel_packed import cards_in_play, packed_duel
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER as OVER_PHASE
from rules.trench_rescue.state import PLAY, Table


class DuelForm(DuelLast):
    """One open duel; serves ``rules.core.contest.ContestTree``."""

    name = "compact"
    whole = True

    def __init__(self, rulings: Rulings, table: Table) -> None:
        super().__init__(rulings, table)
        self._ways: dict[tuple[Any, ...], list[tuple[bool, Middle]]] = {}
        self._keeps: dict[tuple[int, int, int], tuple[bool, bool]] = {}
        self._bounded: dict[Key, Interval] = {}
        self._limits = DuelBounds(self)
        self._cards = cards_in_play(table)
        self._begun = table.turn

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
        lead = totals[0] - totals[1]
        if table.phase != PLAY:
            return self._walking(table, lead)
        return self._plain(
            (
                ACTS,
                table.turn,
                table.to_move,
                lead,
                men,
                table.piles,
                table.trench,
                table.deck,
                table.moved,
                table.fresh,
                0,
            )
        )

    def apart(self, key: Key) -> tuple[int, Key]:
        """Return the score, and the key without it: nothing that can still be done depends on the score."""
        score = key[3] if key[0] == DONE else key[3] * self.grain
        return score, (*key[:3], 0, *key[4:])

    def _walking(self, table: Table, lead: int) -> Key:
        """Return the key of a table in the withdrawal or after it, valued at once."""
        parts = lead * self.grain
        if table.phase != OVER_PHASE:
            cells: tuple[list[int], list[int]] = ([], [])
            moved = []
            for soldier in table.soldiers:
                if soldier.card in table.moved:
                    moved.append(soldier.cell)
                else:
                    cells[self.colour[soldier.card]].append(soldier.cell)
            pair = (tuple(sorted(cells[0])), tuple(sorted(cells[1])))
            parts += self._walk.half_turn(table.to_move, pair, tuple(moved))
        return self._over(parts)

    def _plain(self, key: Key) -> Key:
        """Return a key without what does not matter any more."""
        stage, turn, mover, score, men, piles, trenches, decks, moved, fresh, shells = key
        if stage == SHELLED and turn >= self.limit and mover != self.starter:
            return self._over(score * self.grain + self._walk.barrage(mover, self._cells(men), shells))
        if stage == ACTS and turn >= self.limit and mover != self.starter and not moved:
            return self._last(key)
        if stage == ACTS and turn >= self.limit and mover == self.starter:
            middle = self._simple(mover, (men, piles, trenches, NOBODY, score, moved, fresh))
            men, piles, trenches, decks, score, moved, fresh = middle
        if decks is not NOBODY:
            decks = self._kept(stage, turn, mover, decks)
        return (stage, turn, mover, score, men, piles, trenches, decks, moved, fresh, shells)

    def _kept(self, stage: int, turn: int, mover: int, decks: Pair) -> Pair:
        """Return the decks of those to whom a draw still is of use."""
        asked = (stage, turn, mover)
        keeps = self._keeps.get(asked)
        if keeps is None:
            black, red = (self._left(turn, mover, stage, colour) > self._idle_draws for colour in (0, 1))
            keeps = self._keeps[asked] = (black, red)
        if keeps == (True, True):
            return decks
        return (decks[0] if keeps[0] else (), decks[1] if keeps[1] else ())

    @property
    def _idle_draws(self) -> int:
        """Half-turns left up to which drawing is as good as idling."""
        return 1 if self.after_each else 2

    # The tree

    def actor(self, key: Key) -> int:
        """Return who decides next."""
        stage = key[0]
        if stage in (ACTS, LAST):
            return int(key[2])
        return OVER if stage == DONE else CHANCE

    def pace(self, key: Key) -> int:
        """Return the half-turns that are over."""
        return 2 * (int(key[1]) - 1) + int(key[2] != self.starter)

    def rounds(self, key: Key) -> int:
        """Return the turns that are over."""
        return int(key[1]) - 1

    def payoff(self, key: Key) -> int:
        """Return black's score less red's if play stops here."""
        return int(key[3]) * (1 if key[0] == DONE else self.grain)

    def guess(self, key: Key) -> int:
        """Return the score as if everybody on the field came home."""
        lead = sum(1 - 2 * self.colour[card] for card, _, _ in key[4])
        return self.payoff(key) + self.grain * int(lead)

    def bounds(self, key: Key) -> Interval:
        """Return proved bounds of the value, see ``rules.trench_rescue.duel_bounds``."""
        known = self._bounded.get(key)
        if known is None:
            known = self._bounded[key] = self._limits.of(key)
        return known

    def followers(self, key: Key) -> Sequence[Key]:
        """Return what can be made of a half-turn: its different ends, and draws of a card in it."""
        if key[0] == LAST:
            return [self._rescued_last(key)]
        if key[1] >= self.limit and key[2] == self.starter and not self.after_each:
            best = self._last_turn(key)
            if best is not None:
                return [best]
        return list(dict.fromkeys(self._walked(key)))

    def manner(self, key: Key, follower: Key) -> Pair:
        """Return the soldiers of the player to move afterwards, on the field and at home."""
        mover = key[2]
        return tuple(man for man in follower[4] if self.colour[man[0]] == mover), follower[6][mover]

    def _walked(self, key: Key) -> Iterator[Key]:
        """Yield the ends of a half-turn, and the draws in it.

        What a side can do hangs on its own soldiers and on what lies about: that is worked out once for all positions
        of the enemy, but for the last turn, where the enemy's reach says what still matters.
        """
        _, turn, mover, score, men, piles, trenches, decks, moved, fresh, _ = key
        own = tuple(man for man in men if self.colour[man[0]] == mover)
        if turn >= self.limit and mover == self.starter:
            for _, middle in self._middles(mover, (men, piles, trenches, decks, score, moved, fresh), False, True):
                yield self._ended(turn, mover, middle)
            return
        others = tuple(man for man in men if self.colour[man[0]] != mover)
        draws = self._left(turn, mover, ACTS, mover) > self._idle_draws
        asked = (mover, draws, own, piles, trenches[mover], decks, moved, fresh)
        ways = self._ways.get(asked)
        if ways is None:
            start: Middle = (own, piles, replaced(NOBODY, mover, trenches[mover]), decks, 0, moved, fresh)
            ways = self._ways[asked] = list(dict.fromkeys(self._middles(mover, start, draws, False)))
        other = trenches[1 - mover]
        first = mover == self.starter and not self.after_each
        stage, follower = (ACTS, 1 - mover) if first else (SHELLED, mover)
        fall = self._rulings.last_barrage or turn < self.limit
        kept: dict[Pair, Pair] = {NOBODY: NOBODY}
        for drawing, (own, piles, trenches, decks, won, moved, fresh) in ways:
            men = (*others, *own) if mover else (*own, *others)
            trenches = (other, trenches[1]) if mover else (trenches[0], other)
            if drawing:
                yield (DRAWS, turn, mover, score + won, men, piles, trenches, decks, moved, fresh, 0)
                continue
            shells = self.shells(len(men)) if fall and not first else 0
            if turn >= self.limit or not (first or shells):
                yield self._ended(turn, mover, (men, piles, trenches, decks, score + won, moved, fresh))
                continue
            # What ``_ended`` says of most half-turns, at once.
            left = kept.get(decks)
            if left is None:
                left = kept[decks] = self._kept(stage, turn, follower, decks)
            yield (stage, turn, follower, score + won, men, piles, trenches, left, (), (), shells)

    def _middles(self, mover: int, start: Middle, draws: bool, simple: bool) -> Iterator[tuple[bool, Middle]]:
        """Yield every middle of a half-turn, in which it can end, or in which a card is drawn where true."""
        seen = {start}
        waiting = [start]
        while waiting:
            middle = waiting.pop()
            yield False, middle if simple else (*middle[:5], (), ())
            for after in self._acted(mover, middle):
                if simple:
                    after = self._simple(mover, after)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            deck = middle[3][mover]
            if not draws or not deck or (middle is not start and deck == start[3][mover]):
                continue
            for card in middle[2][mover]:
                if card in middle[5]:
                    continue
                after = self._cycled(mover, middle, card)
                if not self._rulings.queue:
                    yield True, after
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)

    # After a half-turn

    def _ended(self, turn: int, mover: int, middle: Middle) -> Key:
        """Return the key after a half-turn: a barrage, or what follows at once (4.0.4, 6.2)."""
        men, piles, trenches, decks, score, _, _ = middle
        if mover == self.starter and not self.after_each:
            return self._plain((ACTS, turn, 1 - mover, score, men, piles, trenches, decks, (), (), 0))
        shells = self.shells(len(men)) if self._rulings.last_barrage or turn < self.limit else 0
        return self._fallen((SHELLED, turn, mover, score, men, piles, trenches, decks, (), (), shells))

    def _fallen(self, key: Key) -> Key:
        """Return a key of a barrage, or what follows where nothing of it is left (4.0.4, 7)."""
        _, turn, mover, score, men, piles, trenches, decks, _, _, shells = key
        last = turn >= self.limit and mover != self.starter
        if (shells and men) or last:
            return self._plain(key)
        turn += mover != self.starter
        return self._plain((ACTS, turn, 1 - mover, score, men, piles, trenches, decks, (), (), 0))

    def outcomes(self, key: Key) -> tuple[Sequence[tuple[Key, int]], int]:
        """Return what a card drawn or one shell leads to (4.1, 6.3 to 6.7)."""
        if key[0] == DRAWS:
            return self._drawn(key)
        stage, turn, mover, score, men, piles, trenches, decks, _, _, shells = key
        found: list[tuple[Key, int]] = []
        missing = self.cases
        for cell in dict.fromkeys(man[2] for man in men):
            hit = [man for man in men if man[2] == cell]
            rest = tuple(man for man in men if man[2] != cell)
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
        return found, self.cases

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

    def packed(self) -> PackedContest | None:
        """Return this duel as numbers where a kernel carries it."""
        return packed_duel(self._rulings, self._cards, self._begun, self)
