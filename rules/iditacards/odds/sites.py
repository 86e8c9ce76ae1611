"""What is known of a board below a stack: the spots that were looked into, and what each class of cards leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from rules.iditacards.odds.counts import WITHOUT_END
from rules.iditacards.odds.menus import Prices
from rules.iditacards.odds.numbers import Box, Left
from rules.iditacards.odds.orders import Way
from rules.iditacards.odds.sums import Node
from rules.iditacards.odds.waiting import Stack

ENOUGH: Final = WITHOUT_END // 2
"""Beyond any number of cards."""


class Held(NamedTuple):
    """A node with the hands, decks and places that lead to it."""

    node: Node
    box: Box
    left: Left
    """The most copies not turned over of each class that ran out; of the others there may be any number."""

    def holds(self, hand: int, deck: int, pos: int, left: Left, outs: Left) -> bool:
        """Return whether it is the same from a spot; ``outs`` are the bits of all classes that may run out."""
        a, b, c, d, e, f, out = self.box
        within = a <= hand <= b and c <= deck <= d and e <= pos <= f
        return within and (not out or (self.left | outs) - left & out == out)


class Landing(NamedTuple):
    """One way on from a card that was turned over and paid for, up to the start of the next turn."""

    site: Site | None
    """None if the root has come through or all is lost, and where orders are to be carried out."""
    by: int
    draw: int
    """Cards drawn, fewer if the deck is short."""
    way: Way | None
    """None if the root has come through."""
    stack: Stack | None
    aside: bool


THROUGH: Final = Landing(None, 0, 0, None, None, False)


class Step(NamedTuple):
    """What follows a class of cards that is turned over and paid for."""

    low: int
    """First and last place for which it does."""
    high: int
    landings: tuple[Landing, ...]


class Row(NamedTuple):
    """Classes of cards that cost the same and lead to the same."""

    classes: tuple[int, ...]
    number: int
    """The first of them."""
    board: int
    energy: int
    health: int
    """The card that is turned over included."""
    need: int
    mask: Left
    """Finds copies left."""
    copy: Left
    out: Left
    steps: list[Step] | None
    """As far as they are known; nothing where they depend on how many cards the deck has."""


Plan = tuple[int, int, Prices | None, list[Row | None]]
"""First and last place for which the rows hold; each is written when it is first asked for."""


class Site:
    """A board below a stack."""

    __slots__ = (
        "acted",
        "board",
        "decks",
        "entries",
        "far",
        "freed",
        "lacks",
        "met",
        "needed",
        "plans",
        "stack",
        "until",
    )

    def __init__(self, board: int, stack: Stack, until: Sequence[int] | None, *, acted: bool) -> None:
        """``until``: by cards in the deck, the last place; none where no cards come back into it anywhere.

        ``acted``: free actions of the turn have been taken.
        """
        self.board = board
        self.stack = stack
        self.acted = acted
        self.needed = stack.needed if until is None else None
        """Cards that must be turned over, if the deck must have as many everywhere."""
        self.lacks = stack.needed - max(0, -1 - stack.need) if until is None else len(until)
        """With fewer cards in the deck all is lost up to a place (``short``)."""
        self.until = until
        self.met: dict[tuple[int, int, int, Left], Held] = {}
        """By hand, deck, place and copies left."""
        self.entries: list[Held] = []
        self.decks: dict[int, list[Held]] = {}
        """By cards in the deck those of them that hold there, where they are looked up so."""
        self.plans: list[Plan] = []
        self.freed: list[Freed] = []
        self.far: int | None = None
        """Spaces that lead up to the turn on which the root comes through, once they are asked for."""

    def short(self, deck: int, pos: int) -> tuple[int, int] | None:
        """Return up to how many cards and which place all is lost for lack of cards, none if it may not be here."""
        until = self.until
        if deck >= self.lacks:
            return None
        if until is None:
            return self.lacks - 1, WITHOUT_END
        if pos > until[deck]:
            return None
        most = self.lacks - 1 if pos <= until[-1] else deck
        return most, until[most]

    def of_deck(self, deck: int) -> list[Held]:
        """Return what holds for so many cards in the deck, to be looked up."""
        found = self.decks.get(deck)
        if found is None:
            found = self.decks[deck] = [held for held in self.entries if held.box[2] <= deck <= held.box[3]]
        return found

    def hold(self, found: Held) -> None:
        """Add a node to what is known."""
        self.entries.append(found)
        for deck, holding in self.decks.items():
            if found.box[2] <= deck <= found.box[3]:
                holding.append(found)

    def forget(self) -> None:
        """Let go of all that is known."""
        self.met.clear()
        self.decks.clear()
        self.entries.clear()
        self.plans.clear()
        self.freed.clear()


Freed = tuple[int, int, list[tuple[int, Site]]]
"""First and last place for which free actions lead to these sites, where they are taken, each with cards that come to
the hand."""


class Sites:
    """The sites of one venture."""

    def __init__(self) -> None:
        self.until: Callable[[Stack], Sequence[int]] | None = None
        """Cards may come back into the deck that were not looked at: for a stack, by how many cards of those that it
        needs there are in the deck, the last place up to which too few of them are lost for sure."""
        self._sites: dict[tuple[int, Stack, bool], Site] = {}

    def at(self, board: int, stack: Stack, *, acted: bool = False) -> Site:
        """Return the site of a board below a stack, at the start of a turn or with free actions taken."""
        key = (board, stack, acted)
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(board, stack, self.until and self.until(stack), acted=acted)
        return site

    def forget(self) -> None:
        """Let go of all, so that sites which lead to one another are gone as soon as nobody asks for them."""
        for site in self._sites.values():
            site.forget()
        self._sites.clear()


def anywhere(_: Stack) -> Sequence[int]:
    """Return that cards may come back into the deck wherever a turn ends, so that too few are never lost for sure."""
    return ()


def between(below: Iterable[Held], above: Iterable[Held], left: Left) -> Held | None:
    """Return a node that holds for fewer cards and for more, with what lies between; none if there is no such node."""
    fewer = {held.node: held for held in below}
    for more in above:
        less = fewer.get(more.node)
        if less is not None:
            a, _, c, _, e, f, out = less.box
            _, b, _, d, g, h, outs = more.box
            return Held(less.node, (a, b, c, d, max(e, g), min(f, h), out | outs), left)
    return None


def widened(held: Held, *, lost: bool) -> Held:
    """Return a node that is lost with fewer cards, too, or else comes through with more."""
    a, b, c, d, e, f, out = held.box
    if lost:
        return held._replace(box=(-WITHOUT_END, b, -WITHOUT_END, d, e, f, out))
    return held._replace(box=(a, WITHOUT_END, c, WITHOUT_END, e, f, out))
