"""How far a race on a bare track can get at most, as a smaller game: cards cost nothing and come in any order.

Cards that move are *jumps* if they carry a risk anywhere, else *steps*; cards that raise the automatic move by being in
play are *speeders*. A mark is the automatic move with the speeders still to come (a *level*), the jumps in hand and
deck, the jumps waiting on the stack, and the steps in hand and deck. Speeders on the stack count as in play. A turn of
the smaller game, the sled moving by itself at the end of each, is one of

- nothing; or any one of these that is left: a step; the start of a jump, which waits; a speeder, in play at once;
- a resolution: a step or a speeder or nothing comes up, and then some waiting jumps land, as fast as the sled is then;
- a new day: nothing waits, and all jumps and steps of the race are there again.

**Every turn of the race is one of these.** A turn plays one card (R14) or turns up one risk card (R33), or calls a new
day. What a card costs, draws, burns or fails to do (R23, R25, R26) only takes away from what is left here, where cards
are counted in hand and deck together. A card with a risk takes effect on a later turn (R24), when the frame above it is
done or its last risk card has been turned up (R31, R38): those are the waiting jumps, of which some or all land; the
risk card that comes up takes effect first, so that a speeder that comes up counts for them.
A speeder with a risk counts here from the turn on which it is started. Whatever leaves play (R11, R13) makes the sled
slower and gives nothing at once, so it never lifts what the turns to come can bring: a slower level with one more
speeder to come gets to the faster one by a turn of the smaller game. A new day gives back at most every card (R61).

It holds where speeds are sums of what the cards in play add and cards go as far as their number plus the speed. Both
are looked up on every board that the race can have (``race.boards`` asks the rules); without them there is no bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from rules.core.laps import Ceiling
from rules.iditacards.race.boards import Boards, Pack
from rules.iditacards.race.scope import cards_of
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play

MOST_MARKS: Final = 50_000
"""Marks beyond which the smaller game is no longer small."""

Level = tuple[int, tuple[int, ...]]
"""The automatic move, and what each speeder not in play would add to it, most first."""
_JUMPS: Final = 0
_STEPS: Final = 1


class FreeRace(Ceiling[Table]):
    """The smaller game of one race."""

    name = "free race"

    def __init__(self, rulings: Rulings, table: Table, seat: int) -> None:
        """Ask the rules about every board.

        Raises:
            OverflowError: speeds or distances are no sums, or there are too many marks.
        """
        self._seat = seat
        self._cards = cards_of(table.players[seat])
        boards = Boards(rulings, table, seat, self._cards)
        numbers = range(len(boards.packs))
        self._automatic = {_team(pack): boards.automatic(board) for board, pack in enumerate(boards.packs)}
        self._gone = Counter(table.destroyed)
        reach: dict[str, int] = {}
        risky: dict[str, bool] = {}
        for name, board in product(sorted(self._cards), numbers):
            card = rulings.cards[name]
            risk = boards.costs(board, card)[2] > 0
            if risky.setdefault(name, risk) != risk:
                raise OverflowError("cards that carry a risk on some boards only")
            for effect in boards.effects(board, card):
                if effect.spaces:
                    number = effect.spaces - boards.automatic(board)
                    if reach.setdefault(name, number) != number:
                        raise OverflowError("cards that do not move by a number plus speed")
        jumps = frozenset(name for name in reach if risky[name])
        steps = frozenset(reach.keys() - jumps)
        self.groups = jumps, steps
        self._most = [sum(self._cards[name] for name in group) for group in self.groups]
        self._reach = [max((reach[name] for name in group), default=0) for group in self.groups]
        self._adds = self._speeders(boards.packs)
        if self._adds.keys() & reach.keys():
            raise OverflowError("cards that move and raise the speed")
        levels = {self._level(pack): None for pack in boards.packs}
        for level in list(levels):
            while level[1]:
                level = _faster(level)
                levels[level] = None
        self._levels = list(levels)
        self._number = {level: place for place, level in enumerate(self._levels)}
        self._sizes = len(self._levels), self._most[_JUMPS] + 1, self._most[_JUMPS] + 1, self._most[_STEPS] + 1
        if _product(self._sizes) > MOST_MARKS:
            raise OverflowError("too many marks")

    def _speeders(self, packs: Sequence[Pack]) -> dict[str, int]:
        """Return what each card adds to the automatic move, having seen that every speed is the sum of these."""
        adds: dict[str, int] = {}
        known = [(Counter(in_play(pack.dogs)), self._automatic[_team(pack)]) for pack in packs]
        for (less, slow), (more, fast) in product(known, known):
            if less.total() + 1 == more.total() and less <= more:
                adds.setdefault(next(iter(more - less)), fast - slow)
        held, speed = known[0]
        base = speed - sum(adds.get(card, 0) for card in held.elements())
        if any(base + sum(adds.get(card, 0) for card in held.elements()) != speed for held, speed in known):
            raise OverflowError("speeds that are no sums")
        if min(adds.values(), default=0) < 0:
            raise OverflowError("cards that slow down")
        return {card: add for card, add in adds.items() if add}

    def _level(self, pack: Pack, waiting: Sequence[str] = ()) -> Level:
        automatic = self._automatic[_team(pack)] + sum(self._adds.get(card, 0) for card in waiting)
        left = self._cards - Counter([*in_play(pack.dogs), *pack.dead, *waiting])
        adds = [self._adds[card] for card in left.elements() if card in self._adds]
        return automatic, tuple(sorted(adds, reverse=True))

    def mark(self, board: Table, left: Sequence[int]) -> int:
        """Return the mark of a position by its board and the jumps and steps in hand and deck together."""
        player = board.players[self._seat]
        waiting = [frame.card for frame in player.stack]
        dead = tuple((Counter(board.destroyed) - self._gone).elements())
        level = self._number[self._level(Pack(player.dogs, dead), waiting)]
        landing = sum(card in self.groups[_JUMPS] for card in waiting)
        return self._at(level, left[_JUMPS], landing, left[_STEPS])

    def _at(self, level: int, jumps: int, waiting: int, steps: int) -> int:
        _, jump_size, wait_size, step_size = self._sizes
        return ((level * jump_size + jumps) * wait_size + waiting) * step_size + steps

    def moves(self) -> list[list[tuple[int, int]]]:
        """Return for each mark what its turns bring and the marks they lead to."""
        return [self._turns(*mark) for mark in product(*map(range, self._sizes))]

    def _turns(self, level: int, jumps: int, waiting: int, steps: int) -> list[tuple[int, int]]:
        automatic, adds = self._levels[level]
        turns = [
            (automatic, self._at(level, jumps, waiting, steps)),
            (automatic, self._at(level, self._most[_JUMPS], 0, self._most[_STEPS])),
        ]
        if jumps and waiting < self._most[_JUMPS]:
            turns.append((automatic, self._at(level, jumps - 1, waiting + 1, steps)))
        for landed in range(waiting + 1):
            jump, step = (number + automatic for number in self._reach)
            turns.append((landed * jump + automatic, self._at(level, jumps, waiting - landed, steps)))
            if steps:
                after = self._at(level, jumps, waiting - landed, steps - 1)
                turns.append((landed * jump + step + automatic, after))
            if adds:
                up = self._number[_faster(self._levels[level])]
                faster = self._levels[up][0]
                jump = self._reach[_JUMPS] + faster
                turns.append((landed * jump + faster, self._at(up, jumps, waiting - landed, steps)))
        return list(dict.fromkeys(turns))


@lru_cache(maxsize=4)
def free_race(rulings: Rulings, table: Table, seat: int) -> FreeRace | None:
    """Return the smaller game of a race, or nothing where speeds or distances are no sums."""
    try:
        return FreeRace(rulings, table, seat)
    except OverflowError:
        return None


def _team(pack: Pack) -> tuple[str, ...]:
    return tuple(sorted(in_play(pack.dogs)))


def _faster(level: Level) -> Level:
    automatic, adds = level
    return automatic + adds[0], adds[1:]


def _product(sizes: Sequence[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total
