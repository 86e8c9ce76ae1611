"""What the classes of cards that may be turned over cost, those together that cost the same and take effect alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.counts import WITHOUT_END
from rules.iditacards.odds.orders import Price, holding
from rules.iditacards.odds.pieces import Changes
from rules.iditacards.odds.sums import Node, Sums
from rules.iditacards.odds.waiting import Waiting

ON_TABLE: Final = ("hypothermia", "starvation", "foods", "personal")
"""Facts of a board that a card changes which is put on the table (R21)."""


class Dish(NamedTuple):
    """Classes with the same price."""

    classes: tuple[int, ...]
    price: Price
    changes: Changes
    """Facts of the board afterwards that differ."""


class Paid(NamedTuple):
    """What can be paid with so many cards in hand and deck, and for what numbers that is the same."""

    kinds: tuple[Node, ...]
    """What follows each class where it is known without going on, else lost."""
    rows: tuple[int, ...]
    """Places of the dishes that can be paid of which it is not known."""
    least_held: int
    most_held: int
    least_hidden: int
    most_hidden: int


class Prices:
    """The dishes of all boards that agree in what prices read; risks that fizzle are left out, which are lost."""

    def __init__(self, dishes: list[Dish], classes: int, sums: Sums) -> None:
        self.dishes = dishes
        self._classes = classes
        self._sums = sums
        self._paid: dict[tuple[int, int, int | None, int], Paid] = {}

    def paid(self, hand: int, deck: int, needed: int | None, through: Sequence[bool]) -> Paid:
        """Return what can be paid so that the deck keeps enough cards for all that waits.

        ``needed``: as many must be turned over, one now and a card's risk cost more if that waits; a deck is given no
        cards but those that were looked at. There is no such number where it may be given others. Which
        classes bring the root ``through`` if no more cards are needed for them, is told besides.
        """
        key = (hand, deck, needed, id(through))
        paid = self._paid.get(key)
        if paid is None:
            paid = self._paid[key] = self._tried(hand, deck, needed, through)
        return paid

    def _tried(self, hand: int, deck: int, needed: int | None, through: Sequence[bool]) -> Paid:
        least_held = least_hidden = -WITHOUT_END
        most_held = most_hidden = WITHOUT_END
        kinds = [self._sums.lost] * self._classes
        rows: list[int] = []
        for place, (classes, price, _) in enumerate(self.dishes):
            energy, health = price.energy, price.health + (1 if needed is None else needed + price.need)
            if energy == ALL_USABLE:
                least_held = most_held = energy = hand
            if energy > hand:
                most_held = min(most_held, energy - 1)
            elif health > deck:
                most_hidden = min(most_hidden, health - 1)
            else:
                least_held, least_hidden = max(least_held, energy), max(least_hidden, health)
                if price.need or not through[classes[0]]:
                    rows.append(place)
                    continue
                for each in classes:
                    kinds[each] = self._sums.through
        return Paid(tuple(kinds), tuple(rows), least_held, most_held, least_hidden, most_hidden)


Menu = tuple[int, int, Prices]
"""First and last place for which the prices hold."""


class Menus:
    """Menus of boards."""

    def __init__(self, boards: Boards, waiting: Waiting, sums: Sums, alone: Sequence[bool]) -> None:
        """Classes that are ``alone`` are told of by themselves."""
        self._boards = boards
        self._waiting = waiting
        self._sums = sums
        self._alone = alone
        self._menus: dict[int, list[Menu]] = {}
        self._prices: dict[Any, Prices] = {}

    def forget(self) -> None:
        """Let go of all menus."""
        self._menus.clear()
        self._prices.clear()

    def menu(self, number: int, pos: int) -> Menu:
        """Return the menu of a board, and the places for which it holds."""
        menus = self._menus.setdefault(number, [])
        known = holding(menus, pos)
        if known is None:
            low, high, read = self._boards.pricing(number, pos)
            prices = self._prices.get(read)
            if prices is None:
                prices = self._prices[read] = Prices(self._priced(number, pos), len(self._alone), self._sums)
            known = (low, high, prices)
            menus.append(known)
        return known

    def _priced(self, number: int, pos: int) -> list[Dish]:
        boards, waiting = self._boards, self._waiting
        groups: dict[object, tuple[list[int], Price]] = {}
        for place, alone in enumerate(self._alone):
            price = boards.price(number, pos, waiting.cards[place])[2]
            if not price.need or not price.fizzles:
                alike = place if alone else (waiting.effect[place], waiting.looks[place], price)
                groups.setdefault(alike, ([], price))[0].append(place)
        before = boards.board(number)
        dishes = []
        for classes, price in groups.values():
            after = boards.board(price.board)
            changes = {name: getattr(after, name) for name in ON_TABLE if getattr(after, name) != getattr(before, name)}
            dishes.append(Dish(tuple(classes), price, changes))
        return dishes
