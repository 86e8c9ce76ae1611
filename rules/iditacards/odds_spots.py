"""Situations of a venture by counts: each is looked into once for all hands, decks and places that it is the same for.

A turn is put together from the parts of ``odds_counts``, frame by frame as in ``odds_grafts``. What follows from a
spot follows from every other one in the box of all that was asked on the way: the boxes of the parts, and those of the
situations that they lead to, moved back by what the parts change. So whoever comes to a spot inside a box that is
known need not go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.ventures import Fate
from rules.iditacards.odds_counts import EVERYWHERE, Box, Counted, Spot, before, meet, shifted
from rules.iditacards.odds_nodes import Choice, Look, Node, Nodes, Situation, Turned
from rules.iditacards.odds_scope import Scope
from rules.iditacards.odds_tree import Chosen, Item, Path, SortedOut
from rules.iditacards.odds_turns import Steps, Turns
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Frame

Pool = tuple[int, ...]
NEEDED: Final = 2
"""Risk cards that a frame put below a part needs at most: one more than what a part can complete."""


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
        self._known: dict[tuple[int, tuple[Frame, ...], Pool], list[tuple[Box, Situation]]] = {}
        self._sequences: dict[tuple[int, int], list[Steps]] = {}

    def situation(self, spot: Spot, left: Pool) -> tuple[Situation, Box]:
        """Return the situation of a spot at the start of a turn, and the box for which it is the same.

        ``left`` as in ``odds``.
        """
        board, frames, hand, deck, pos = spot
        known = self._known.setdefault((board, frames, left), [])
        for box, situation in known:
            a, b, c, d, e, f = box
            if a <= hand <= b and c <= deck <= d and e <= pos <= f:
                return situation, box
        situation, box = self._looked_into(spot, left)
        known.append((box, situation))
        return situation, box

    def _looked_into(self, spot: Spot, left: Pool) -> tuple[Situation, Box]:
        nodes, kinds = self._nodes, self._scope.kinds
        harm = self._counted.harm(spot)
        if spot.frames[-1].step != "risk" or not spot.deck + len(harm):
            node, box = self._turn(spot, None, (), left)
            return nodes.situation(0, 0, (), node), box
        box = EVERYWHERE
        ways: list[Turned] = []
        prefixes = self._prefixes(spot)
        for prefix in prefixes:
            found: list[Node] = []
            for kind, card in enumerate(kinds):
                node, still = nodes.lost, left
                if self._rulings.cards[card].risk and spot.deck:
                    still = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
                if spot.deck and (still is left or left[kind]):
                    node, each = self._turn(spot, card, prefix, still)
                    box = meet(box, each)
                found.append(node)
            damage: list[tuple[int, Node]] = []
            for card in sorted(set(harm)):
                node, each = self._turn(spot, card, prefix, left)
                box = meet(box, each)
                damage.append((harm.count(card), node))
            ways.append(nodes.turned(found if spot.deck else [], damage))
        if not harm:
            box = meet(box, (*EVERYWHERE[:2], 1, *EVERYWHERE[3:]))
        if harm or (len(prefixes) > 1 and not self._blind):
            box = _at_deck(box, spot)
            return nodes.situation(spot.deck + len(harm), spot.deck, ways, None), box
        return nodes.situation(1, 1, ways, None), box

    def _prefixes(self, spot: Spot) -> list[Steps]:
        """Return what may be done before a card is turned over, where free actions are open."""
        if not self._turns.free:
            return [()]
        key = (spot.board, spot.pos)
        found = self._sequences.get(key)
        if found is None:
            found = self._sequences[key] = list(self._turns.sequences(self._counted.table(spot)))
        return found

    def _turn(self, spot: Spot, top: str | None, prefix: Steps, left: Pool) -> tuple[Node, Box]:
        """Return all ways through a turn, with ``top`` on the deck where it is given."""
        box = EVERYWHERE
        found: list[tuple[Path[Spot], Box]] = list(self._ways(spot, top, prefix))
        for _, each in found:
            box = meet(box, each)

        def following(after: Spot) -> Situation:
            nonlocal box
            situation, each = self.situation(after, left)
            box = meet(box, before(each, after.hand - spot.hand, after.deck - spot.deck, after.pos - spot.pos))
            return situation

        node = self._nodes.tree([way for way, _ in found], following)
        if not self._blind and isinstance(node, Choice | Look):
            box = _at_deck(box, spot)
        return node, box

    def _ways(self, spot: Spot, top: str | None, prefix: Steps) -> Iterator[tuple[Path[Spot], Box]]:
        """Yield the ways through a turn, each with its box."""
        frames = spot.frames
        place = len(frames) - 1 if frames[-1].step == "risk" else len(frames) - 2
        part = (self._stand_in(frames[place]), *frames[place + 1 :])
        return self._whole(spot, spot._replace(frames=part), top, prefix, frames, place, resolving=False)

    def _stand_in(self, frame: Frame) -> Frame:
        return Frame(self._scope.filler, 0, 0, min(frame.need, NEEDED), 0, "risk")

    def _whole(
        self,
        start: Spot,
        spot: Spot,
        top: str | None,
        prefix: Steps,
        frames: tuple[Frame, ...],
        place: int,
        *,
        resolving: bool,
    ) -> Iterator[tuple[Path[Spot], Box]]:
        """Yield the ways through the turn from a part on whose stand-in is at a place of the real stack."""
        low = frames[place]
        box, parts = self._counted.parts(spot, top, prefix, resolving=resolving)
        box = before(box, spot.hand - start.hand, spot.deck - start.deck, spot.pos - start.pos)
        for part in parts:
            change = part.after
            end = Spot(
                change.board, change.frames, spot.hand + change.hand, spot.deck + change.deck, spot.pos + change.pos
            )
            if part.fate is not Fate.THROUGH:
                self._scope.watch(end.pos, over=part.over)
            items = tuple(self._item(item, spot) for item in part.items)
            if part.fate is Fate.LOST:
                yield Path(items, part.orders, part.fate, None), box
            elif part.fate is Fate.WAITING:
                first, *rest = end.frames
                needed = low.need - min(low.need, NEEDED) + first.need
                stack = (*frames[:place], low._replace(need=needed), *rest)
                yield Path(items, part.orders, part.fate, end._replace(frames=stack)), box
            elif place == 0:
                yield Path(items, part.orders, part.fate, None), box
            else:
                stack = (self._stand_in(frames[place - 1]), low._replace(need=0))
                for after, each in self._whole(
                    start, end._replace(frames=stack), None, (), frames, place - 1, resolving=True
                ):
                    way = Path((*items, *after.items), part.orders * after.orders, after.fate, after.table)
                    yield way, meet(box, each)

    def _item(self, item: Item, spot: Spot) -> Item:
        if not self._blind:
            return shifted(item, spot.deck)
        if isinstance(item, Chosen):
            return item._replace(below=0)
        return SortedOut(0, 0, item.returned) if isinstance(item, SortedOut) else item


def _at_deck(box: Box, spot: Spot) -> Box:
    """Return a box for the deck of a spot alone."""
    a, b, _, _, e, f = box
    return a, b, spot.deck, spot.deck, e, f
