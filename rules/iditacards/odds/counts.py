"""Parts of turns of a venture played once for many hands, decks and places.

With fillers in the place of all cards that only pay, a hand and a deck are numbers of cards, and what a turn takes from
them it takes by number. Played with *plenty* in both, it shows how many cards it took at most; with at least as many in
the hand, and more in the deck, so that the deck never runs empty, it goes the same way: every cost is paid, every draw
is full, and every question whether cards are left is answered alike. Where it took all there were, how much it does
may depend on how many those are, and where there are fewer cards it ends otherwise: then it is played with just as
many. So it is wherever damage cards lie among the cards. A payment that fails for want of cards fails with fewer, too,
since what it costs does not depend on how many there are (R18, R26), and then all is lost.

In the same way a turn goes alike from places that it does not tell apart. It meets the track where it stands still
and wherever it crosses a border: of legs, or of a space that does something. Moved along so that every place where it
stands stays between the same borders, it crosses the same ones in the same order.

What holds for a range of numbers is a *box*: the hands, decks and places from which a part of a turn changes each of
them by as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rules.core.ventures import Fate
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.tree import ASIDE, Chosen, Item, Noted, Path, SortedOut
from rules.iditacards.odds.turns import Steps, Turns
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Frame, Player, Table

PLENTY: Final = 16
"""Cards of hand and deck that a part is played with first."""
WITHOUT_END: Final = 1 << 30

Box = tuple[int, int, int, int, int, int]
"""Least and most cards in hand, cards in the deck, and places, fillers alone counted."""
EVERYWHERE: Final[Box] = (-WITHOUT_END, WITHOUT_END) * 3


def meet(one: Box, other: Box) -> Box:
    """Return what two boxes have in common."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        a if a > g else g,
        b if b < h else h,
        c if c > i else i,
        d if d < j else j,
        e if e > k else k,
        f if f < m else m,
    )


def before(box: Box, hand: int, deck: int, pos: int) -> Box:
    """Return the box from which such changes lead into a box."""
    a, b, c, d, e, f = box
    return a - hand, b - hand, c - deck, d - deck, e - pos, f - pos


class Spot(NamedTuple):
    """A table at the start of a turn, or in the middle of one."""

    board: int
    """Number of what is neither counted nor waits."""
    frames: tuple[Frame, ...]
    hand: int
    """Fillers; likewise in the deck."""
    deck: int
    pos: int


class Part(NamedTuple):
    """One way through a part of a turn."""

    items: Sequence[Item]
    """With the cards below a decision or a look as changes, too."""
    orders: int
    fate: Fate
    after: Spot
    """The table after it, as changes of hand, deck and place; where the venture is lost the place alone."""
    over: bool
    """The race has ended."""


Parts = tuple[Part, ...]


class Record(NamedTuple):
    """All ways through a part of a turn."""

    box: Box
    parts: Parts


class Counted:
    """Parts of turns by what they start from."""

    def __init__(self, rulings: Rulings, scope: Scope, seat: int, table: Table, turns: Turns) -> None:
        self._rulings = rulings
        self._scope = scope
        self._seat = seat
        self._turns = turns
        self._alone = len(table.players) == 1
        self._borders = zones(rulings, table)
        self._boards: list[Table] = []
        self._numbers: dict[Table, int] = {}
        self._harm: list[bool] = []
        self._besides: list[int] = []
        self._records: dict[tuple[int, tuple[Frame, ...], str | None, Steps, bool, bool], list[Record]] = {}

    def spot(self, table: Table) -> Spot:
        """Return a bare table with a deck that nobody knows as a spot."""
        player = table.players[self._seat]
        filler = self._scope.filler
        hand, deck = player.hand.count(filler), player.deck.count(filler)
        rest = player._replace(
            hand=tuple(card for card in player.hand if card != filler),
            deck=tuple(card for card in player.deck if card != filler),
            pos=0,
            stack=(),
        )
        board = self._scope.with_player(table, rest)
        number = self._numbers.get(board)
        if number is None:
            number = self._numbers[board] = len(self._boards)
            self._boards.append(board)
            self._harm.append(bool(rest.deck or rest.hand))
            self._besides.append(len(rest.deck) + len(rest.seen))
        return Spot(number, player.stack, hand, deck, player.pos)

    def table(self, spot: Spot) -> Table:
        """Return the table of a spot."""
        board = self._boards[spot.board]
        rest = self._player(board)
        filler = (self._scope.filler,)
        player = rest._replace(
            hand=tuple(sorted(rest.hand + filler * spot.hand)),
            deck=tuple(sorted(rest.deck + filler * spot.deck)),
            pos=spot.pos,
            stack=spot.frames,
        )
        return self._scope.with_player(board, player)

    def harm(self, spot: Spot) -> tuple[str, ...]:
        """Return the damage cards in the deck of a spot, sorted."""
        return self._player(self._boards[spot.board]).deck

    def besides(self, spot: Spot) -> int:
        """Return how many cards there are in the deck of a spot, or may come to it, besides those counted."""
        return self._besides[spot.board]

    def _player(self, table: Table) -> Player:
        return table.players[self._seat]

    def parts(self, spot: Spot, top: str | None, prefix: Steps, *, resolving: bool = False) -> Record:
        """Return the ways through a part of a turn, and the box for which they hold.

        It begins after some steps of the turn with ``top`` turned over, or where the top frame resolves.

        Raises:
            OutOfReach: something reads what is left out, or time is up.
        """
        board, frames, hand, deck, pos = spot
        key = (board, frames, top, prefix, resolving, self._turns.free)
        records = self._records.setdefault(key, [])
        for record in records:
            a, b, c, d, e, f = record.box
            if a <= hand <= b and c <= deck <= d and e <= pos <= f:
                return record
        harm = self._harm[board]
        held, hidden = (hand, deck) if harm else (max(PLENTY, hand), max(PLENTY, deck))
        while True:
            record = self._played(Spot(board, frames, held, hidden, pos), top, prefix, spot, resolving=resolving)
            records.append(record)
            a, b, c, d, _, _ = record.box
            if a <= hand <= b and c <= deck <= d:
                return record
            if not a <= hand <= b:
                held = hand
            if not c <= deck <= d:
                hidden = deck

    def _played(self, start: Spot, top: str | None, prefix: Steps, real: Spot, *, resolving: bool) -> Record:
        """Play a part with so many cards; numbers that are not the real ones stand for plenty."""
        table = self.table(start)
        if resolving:
            ways = self._turns.explored(table, [], None, free=False, part=True, resolving=True)
        else:
            ways = self._turns.played(table, top, prefix, None, part=True)
        parts: list[Part] = []
        least_hand, least_deck = start.hand, start.deck
        low, high = -WITHOUT_END, WITHOUT_END
        failed = ""
        for path, turn in ways:
            parts.append(self._part(path, turn, start))
            failed = turn.failed if path.fate is Fate.LOST else ""
            least_hand, least_deck = min(least_hand, turn.least_hand), min(least_deck, turn.least_deck)
            for place in {start.pos, *turn.places}:
                first, last = self._between(place, exact=turn.over)
                low, high = max(low, start.pos + first - place), min(high, start.pos + last - place)
        box_hand = (real.hand, real.hand) if start.hand == real.hand else _more(start.hand, least_hand, 0)
        box_deck = (real.deck, real.deck) if start.deck == real.deck else _more(start.deck, least_deck, 1)
        if len(parts) > 1 or self._harm[start.board]:
            failed = ""
        if failed == "energy":
            box_hand = (-WITHOUT_END, box_hand[1])
        elif failed == "health":
            box_deck = (-WITHOUT_END, box_deck[1])
        return Record((*box_hand, *box_deck, low, high), tuple(parts))

    def _part(self, path: Path[Table], turn: Noted, start: Spot) -> Part:
        if path.table is None:
            change = Spot(-1, (), 0, 0, turn.watched.pos - start.pos)
        else:
            end = self.spot(path.table)
            change = Spot(end.board, end.frames, end.hand - start.hand, end.deck - start.deck, end.pos - start.pos)
        items = [shifted(item, -start.deck) for item in path.items]
        return Part(items, path.orders, path.fate, change, turn.over)

    def _between(self, place: int, *, exact: bool) -> tuple[int, int]:
        """Return the first and the last place like one; ``exact`` where the turn may not have told all its places."""
        if exact or not self._alone:
            return place, place
        return self._borders[min(place, len(self._borders) - 1)]


def shifted(item: Item, cards: int) -> Item:
    """Return a step of a turn with so many more cards below it."""
    if isinstance(item, Chosen | SortedOut) and item.below != ASIDE:
        return item._replace(below=item.below + cards)
    return item


def _more(played: int, least: int, spare: int) -> tuple[int, int]:
    """Return the numbers of cards that are enough, when ``least`` were left of all that were there."""
    return (played - least + spare, WITHOUT_END) if least > 0 else (WITHOUT_END, WITHOUT_END)


def zones(rulings: Rulings, table: Table) -> list[tuple[int, int]]:
    """Return for every place the first and the last one with no border between; the last entry is for all beyond."""
    track = rulings.track(table.legs)
    alone = {0, *rulings.special_spaces, *rulings.board.checkpoints}
    end = max(len(track), rulings.finish_at + 1, *(space + 2 for space in alone))
    starts = [0]
    for place in range(1, end + 1):
        here, there = (track[each] if each < len(track) else None for each in (place, place - 1))
        if here is not there or place in alone or place - 1 in alone or place in (rulings.finish_at, end):
            starts.append(place)
    ends = [*(start - 1 for start in starts[1:]), WITHOUT_END]
    return list(_spread(zip(starts, ends, strict=True), end))


def _spread(zones: Iterable[tuple[int, int]], end: int) -> Iterable[tuple[int, int]]:
    for first, last in zones:
        for _ in range(first, min(last, end) + 1):
            yield first, last
