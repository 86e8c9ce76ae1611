"""What can be made of a round by those who are there: uses of cards, each with what it leaves.

Uses that leave the same are found once for each crew, and those that another one is at least as good as are left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from rules.abyss.actions import TARGETED
from rules.abyss.content import ACTIONS, Card
from rules.abyss.state import ABYSS, ANY, CITY
from solver.encodings.abyss.crews import Crew, Result, Rounds, Uses
from solver.encodings.abyss.worst import Worst

TEAMS: Final = 2
"""Teams that may use a card each: more copies make no difference to a round."""


class Serving(NamedTuple):
    """What some uses of cards make of a round under one Event."""

    uses: tuple[Uses, ...]
    """Several only where fate is cruel: those of which that Event makes the same."""
    event: str
    result: Result
    used: tuple[int, ...]
    """Copies used of each kind of card that may run out."""


class Stock(NamedTuple):
    """Cards that do the same for a player alone."""

    name: str
    names: frozenset[str]
    location: str


class Menus:
    """What each crew can make of a round under one ruleset.

    ``scarce`` says of each stock and ``rare`` of each Event whether it may run out; ``by_hand``, that a round which
    uses fewer cards is better. ``worst`` are the Events of a cruel fate: then every use is kept, together with those of
    which its Event makes the same.
    """

    def __init__(
        self,
        rounds: Rounds,
        stocks: Sequence[Stock],
        scarce: Sequence[bool],
        rare: Mapping[str, bool],
        *,
        by_hand: bool,
        worst: Worst | None = None,
    ) -> None:
        self._rounds = rounds
        self._stocks = stocks
        self._scarce = scarce
        self._rare = rare
        self._by_hand = by_hand
        self._worst = worst
        self._plans: dict[tuple[bool, bool, tuple[int, ...]], list[tuple[Uses, tuple[int, ...]]]] = {}
        self._menus: dict[Hashable, list[Serving]] = {}

    def servings(
        self, crew: Crew, temps: int, cards: int, held: tuple[int, ...], events: tuple[str, ...]
    ) -> list[Serving]:
        """Return what can be made of a round with at most so many cards of those held, under one of the Events."""
        key = (crew, temps, cards, held, events)
        found = self._menus.get(key)
        if found is None:
            plays = (
                Serving((uses,), event, self._rounds.play(crew, temps, uses, event), spent)
                for uses, spent in self._uses(self._rounds.size(crew.team) > 0, temps > 0, held)
                if cards_of(uses) <= cards
                for event in (events if self._worst is None else (self._worst.of(uses),))
            )
            found = self._menus[key] = self._best(plays) if self._worst is None else _together(plays)
        return found

    def _best(self, plays: Iterator[Serving]) -> list[Serving]:
        """Return, of those that leave the same crew and use up the same, those that no other is at least as good as."""
        best: dict[Hashable, list[Serving]] = {}
        for serving in plays:
            result, event = serving.result, serving.event
            rare, by_hand = self._rare[event] and event, self._by_hand and cards_of(serving.uses[0])
            same = best.setdefault((result.crew, serving.used, rare, by_hand), [])
            if not any(_at_least(other.result, result) for other in same):
                same[:] = [other for other in same if not _at_least(result, other.result)]
                same.append(serving)
        return [serving for same in best.values() for serving in same]

    def _uses(self, hired: bool, temps: bool, left: tuple[int, ...]) -> list[tuple[Uses, tuple[int, ...]]]:
        """Return what the teams may do with the cards that are left, and how many of each scarce stock that takes."""
        key = (hired, temps, left)
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = list(self._new_uses(hired, temps, left))
        return found

    def _new_uses(self, hired: bool, temps: bool, left: tuple[int, ...]) -> Iterator[tuple[Uses, tuple[int, ...]]]:
        single = list(self._team(hired or temps, left))
        yield Uses("", CITY), self._spent()
        for place, where in single:
            yield Uses(self._stocks[place].name, where), self._spent(place)
        if not (temps and self._rounds.traits.two_cards):
            return
        mains = [(None, CITY), *self._team(hired, left)]
        for (first, where), (second, there) in product(mains, self._team(True, left)):
            if first == second and left[second] < 2:
                continue
            card = "" if first is None else self._stocks[first].name
            spent = self._spent(second) if first is None else self._spent(first, second)
            yield Uses(card, where, self._stocks[second].name, there), spent

    def _team(self, members: bool, left: tuple[int, ...]) -> Iterator[tuple[int, str]]:
        for place, stock in enumerate(self._stocks):
            if left[place] <= 0:
                continue
            if stock.location != ABYSS:
                yield place, CITY
            if stock.location in (ABYSS, ANY) and members:
                yield place, ABYSS

    def _spent(self, *places: int) -> tuple[int, ...]:
        return tuple(self._scarce[place] * places.count(place) for place in range(len(self._stocks)))


def _together(plays: Iterator[Serving]) -> list[Serving]:
    """Return the servings with equal results as one."""
    alike: dict[tuple[str, Result], Serving] = {}
    for serving in plays:
        key = serving.event, serving.result
        known = alike.get(key)
        alike[key] = serving if known is None else known._replace(uses=known.uses + serving.uses)
    return list(alike.values())


def stocks_of(cards: Mapping[str, Card]) -> list[Stock]:
    """Return the Action cards, those that do the same for a player alone together, by the first name."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name in sorted(cards):
        card = cards[name]
        if card.deck == ACTIONS and card.count:
            idle = any(effect.op in TARGETED or effect.op == "exchange_cards" for effect in card.effects)
            effects = [] if idle else [(effect.op, sorted(effect.args.items())) for effect in card.effects]
            alike.setdefault((card.location, repr(effects)), []).append(name)
    return [Stock(names[0], frozenset(names), location) for (location, _), names in alike.items()]


def cards_of(uses: Uses) -> int:
    """Return how many cards are used."""
    return bool(uses.card) + bool(uses.second)


def _at_least(one: Result, other: Result) -> bool:
    """Return whether a round that leaves the same crew is as good for every purse."""
    return (
        one.ap >= other.ap
        and one.rp >= other.rp
        and one.again <= other.again
        and all(any(ap >= less_ap and rp >= less_rp for ap, rp in one.highs) for less_ap, less_rp in other.highs)
    )
