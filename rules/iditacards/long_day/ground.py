"""What ``long_day.bound`` looks up: cards, sections, stands and what waits in numbers, asked of the bound of a day."""

from __future__ import annotations

from rules.iditacards.compact.cards import Kinds
from rules.iditacards.compact.plays import Plays
from rules.iditacards.compact.profiles import Profiles
from rules.iditacards.compact.stock import Distances, Stack, Stocks
from rules.iditacards.long_day import offers as day_offers


class Ground:
    """The numbers of one multiset of cards; ``grow`` follows boards and risk stacks."""

    def __init__(self, lists: list[int], kinds: Kinds, stocks: Stocks, first: list[int], profiles: Profiles) -> None:
        """``lists`` are those of ``long_day.kernel``, ``first`` has the first space of each section."""
        self._lists = lists
        self._stocks = stocks
        self._profiles = profiles
        self.stands, self.sections = profiles.by_board, profiles.sections
        self.waits: list[int] = []
        """By risk stack: the place in ``lists`` of risks still to be paid, cards drawn, and then for each movement card
        the turns that it needs and the place of its distances."""
        self._moves: dict[Distances, int] = {(): 0}
        self._speeds: dict[int, int] = {}
        self.numbers = [0] * day_offers.CARDS
        """``day_offers.ground``."""
        order = sorted(range(len(kinds.names)), key=lambda kind: -stocks.facts(kind).risk)
        for kind in order:
            facts = stocks.facts(kind)
            shift, most = kinds.place(kind)
            card = [0] * day_offers.CARD
            card[day_offers.SHIFT], card[day_offers.MOST] = shift, most
            card[day_offers.ENERGY], card[day_offers.RISK], card[day_offers.DECK] = facts.energy, facts.risk, facts.deck
            card[day_offers.DRAWS], card[day_offers.AT_ONCE] = facts.draws, int(facts.at_once)
            card[day_offers.SPEEDER], card[day_offers.RELIEF] = int(bool(facts.speeder)), int(any(facts.relief))
            card[day_offers.MOVES] = self._distances(facts.distances)
            self.numbers += card
        self.numbers[day_offers.KINDS], self.numbers[day_offers.COUNTED] = len(order), stocks.counted
        self.numbers[day_offers.AUTOMATIC] = profiles.automatic
        self.numbers[day_offers.UNPAYABLE] = kinds.stuck
        self.numbers[day_offers.UNLIMITED] = int(stocks.unlimited)
        self.numbers[day_offers.SECTIONS], self.numbers[day_offers.WHOLE] = len(first), stocks.relevant
        self.numbers += first

    def _list(self, values: list[int]) -> int:
        place = len(self._lists)
        self._lists += (len(values), *values)
        return place

    def _distances(self, distances: Distances) -> int:
        place = self._moves.get(distances)
        if place is None:
            place = self._moves[distances] = self._list([number for each in distances for number in each])
        return place

    def grow(self, boards: int, plays: Plays) -> None:
        """Follow boards and risk stacks."""
        if boards > len(self.stands):
            self._profiles.place(boards - 1)
        for number in range(len(self.waits), len(plays)):
            waiting = self._stocks.waiting(plays.stack(number))
            jumps = [(needed, self._distances(distances)) for needed, distances in waiting.jumps]
            self.waits.append(self._list([waiting.slots, waiting.draws, *(each for jump in jumps for each in jump)]))

    def speeds(self, cards: int, stand: int, section: int, stack: Stack) -> int:
        """Return the place in ``lists`` of the speeds on a section, by plays of packed cards."""
        stocks = self._stocks
        profile = self._profiles.profile(stand, section, section, stocks.raisers(cards), stocks.waiting(stack))
        place = self._speeds.get(profile.number)
        if place is None:
            place = self._speeds[profile.number] = self._list([*profile.speeds])
        return place
