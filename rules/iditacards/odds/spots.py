"""Situations of a venture by counts: each is looked into once for all hands, decks and places that it is the same for.

A turn is put together from the parts of ``odds.counts``, frame by frame as in ``odds.grafts``. What follows from a
spot follows from every other one in the box of all that was asked on the way: the boxes of the parts, and those of the
situations that they lead to, moved back by what the parts change. So whoever comes to a spot inside a box that is
known need not go on.

While a card waits, a deck is never given cards but those that were looked at, and each turn turns over one card. So
where there are fewer cards than the frames need, all is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rules.core.ventures import Fate
from rules.iditacards.odds.counts import EVERYWHERE, Box, Counted, Spot, before, meet, shifted
from rules.iditacards.odds.nodes import Choice, Look, Node, Nodes, Situation, Turned
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.tree import Chosen, Item, Path, SortedOut
from rules.iditacards.odds.turns import Steps, Turns
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Frame

Pool = tuple[int, ...]
NEEDED: Final = 2
"""Risk cards that a frame put below a part needs at most: one more than what a part can complete."""


class Known(NamedTuple):
    """A situation with all that it is the same for."""

    situation: Situation
    box: Box


class _Asked:
    """What was asked so far to find out what follows from a spot."""

    __slots__ = ("box",)

    def __init__(self) -> None:
        self.box = EVERYWHERE

    def meet(self, box: Box) -> None:
        """Hold for a box at most."""
        self.box = meet(self.box, box)

    def known(self, situation: Situation) -> Known:
        """Return a situation with what it is the same for."""
        return Known(situation, self.box)


class _Line(NamedTuple):
    """A turn in the making."""

    start: Spot
    asked: _Asked


class Spots:
    """Situations by spots.

    ``blind`` asks for a player who does not use what is seen: then it is all the same how many cards lie below a
    decision.
    """

    def __init__(
        self, rulings: Rulings, scope: Scope, nodes: Nodes, counted: Counted, turns: Turns, *, blind: bool
    ) -> None:
        self._rulings = rulings
        self._scope = scope
        self._nodes = nodes
        self._counted = counted
        self._turns = turns
        self._blind = blind
        self._known: dict[tuple[int, tuple[Frame, ...], Pool], list[Known]] = {}
        self._sequences: dict[tuple[int, int], list[Steps]] = {}
        self._stand_ins = [Frame(scope.filler, 0, 0, need, 0, "risk") for need in range(NEEDED + 1)]

    def situation(self, spot: Spot, left: Pool) -> Known:
        """Return the situation of a spot at the start of a turn, and the box for which it is the same.

        ``left`` as in ``odds.greatest``.
        """
        board, frames, hand, deck, pos = spot
        entries = self._known.setdefault((board, frames, left), [])
        for known in entries:
            a, b, c, d, e, f = known.box
            if a <= hand <= b and c <= deck <= d and e <= pos <= f:
                return known
        known = self._looked_into(spot, left)
        entries.append(known)
        return known

    def _looked_into(self, spot: Spot, left: Pool) -> Known:
        nodes, kinds = self._nodes, self._scope.kinds
        harm = self._counted.harm(spot)
        asked = _Asked()
        if spot.frames[-1].step != "risk" or not spot.deck + len(harm):
            node = self._turn(spot, None, (), left, asked)
            return asked.known(nodes.situation(0, 0, (), node))
        ways: list[Turned] = []
        for prefix in self._prefixes(spot):
            found: list[Node] = []
            for kind, card in enumerate(kinds):
                node, still = nodes.lost, left
                if self._rulings.cards[card].risk and spot.deck:
                    still = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
                if spot.deck and (still is left or left[kind]):
                    node = self._turn(spot, card, prefix, still, asked)
                found.append(node)
            damage = [(harm.count(card), self._turn(spot, card, prefix, left, asked)) for card in sorted(set(harm))]
            ways.append(nodes.turned(found if spot.deck else [], damage))
        if not harm:
            asked.meet((*EVERYWHERE[:2], 1, *EVERYWHERE[3:]))
        if self._blind and not harm:
            return asked.known(nodes.situation(1, 1, ways, None))
        situation = nodes.situation(spot.deck + len(harm), spot.deck, ways, None)
        if harm or len(situation.ways) > 1:
            asked.meet(_at_deck(spot))
        return asked.known(situation)

    def _prefixes(self, spot: Spot) -> list[Steps]:
        """Return what may be done before a card is turned over, where free actions are open."""
        if not self._turns.free:
            return [()]
        key = (spot.board, spot.pos)
        found = self._sequences.get(key)
        if found is None:
            found = self._sequences[key] = list(self._turns.sequences(self._counted.table(spot)))
        return found

    def _turn(self, spot: Spot, top: str | None, prefix: Steps, left: Pool, asked: _Asked) -> Node:
        """Return all ways through a turn, with ``top`` on the deck where it is given."""
        frames = spot.frames
        place = len(frames) - 1 if frames[-1].step == "risk" else len(frames) - 2
        part = (self._stand_in(frames[place]), *frames[place + 1 :])
        lower = Spot(spot.board, part, spot.hand, spot.deck, spot.pos)
        ways = list(self._whole(_Line(spot, asked), lower, top, prefix, frames, place))

        def following(after: Spot) -> Situation:
            known = self.situation(after, left)
            asked.meet(before(known.box, after.hand - spot.hand, after.deck - spot.deck, after.pos - spot.pos))
            return known.situation

        node = self._nodes.tree(ways, following)
        if not self._blind and isinstance(node, Choice | Look):
            asked.meet(_at_deck(spot))
        return node

    def _stand_in(self, frame: Frame) -> Frame:
        return self._stand_ins[min(frame.need, NEEDED)]

    def _whole(
        self,
        line: _Line,
        spot: Spot,
        top: str | None,
        prefix: Steps,
        frames: tuple[Frame, ...],
        place: int,
        *,
        resolving: bool = False,
    ) -> Iterator[Path[Spot]]:
        """Yield the ways through the turn from a part on whose stand-in is at a place of the real stack."""
        low, start, asked = frames[place], line.start, line.asked
        _, _, hand, deck, pos = spot
        record = self._counted.parts(spot, top, prefix, resolving=resolving)
        asked.meet(before(record.box, hand - start.hand, deck - start.deck, pos - start.pos))
        for part in record.parts:
            board, above, hand_by, deck_by, pos_by = part.after
            items, fate = part.items, part.fate
            if items:
                items = tuple(self._item(item, deck) for item in items)
            if fate is not Fate.THROUGH:
                self._scope.watch(pos + pos_by, over=part.over)
            if fate is Fate.WAITING:
                needed = low.need - min(low.need, NEEDED) + above[0].need
                stack = (*frames[:place], Frame(low.card, low.day, low.n, needed, 0, low.step), *above[1:])
                after = Spot(board, stack, hand + hand_by, deck + deck_by, pos + pos_by)
                short = _needed(stack) - self._counted.besides(after)
                if after.deck > short:
                    yield Path(items, part.orders, fate, after)
                    continue
                asked.meet((*EVERYWHERE[:3], short + start.deck - after.deck, *EVERYWHERE[4:]))
                fate = Fate.LOST
            if fate is Fate.LOST or place == 0:
                yield Path(items, part.orders, fate, None)
            else:
                stack = (self._stand_in(frames[place - 1]), low._replace(need=0))
                end = Spot(board, stack, hand + hand_by, deck + deck_by, pos + pos_by)
                for way in self._whole(line, end, None, (), frames, place - 1, resolving=True):
                    yield Path((*items, *way.items), part.orders * way.orders, way.fate, way.table)

    def _item(self, item: Item, deck: int) -> Item:
        if not self._blind:
            return shifted(item, deck)
        if isinstance(item, Chosen):
            return item._replace(below=0)
        return item._replace(looked=0, below=0) if isinstance(item, SortedOut) else item


def _at_deck(spot: Spot) -> Box:
    """Return the box of all spots with as many cards in the deck."""
    return *EVERYWHERE[:2], spot.deck, spot.deck, *EVERYWHERE[4:]


def _needed(frames: tuple[Frame, ...]) -> int:
    """Return how many cards of a stack must be turned over before its root resolves, but for the next one.

    A frame needs so many cards, and one that waits on another one is the next of those that the other one needs (R30).
    """
    return sum(frame.need - 1 for frame in frames)
