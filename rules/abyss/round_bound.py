"""How far a household can come in some rounds in a kinder world: nobody is hurt, everybody costs as little as anybody.

Every member comes at the least price, nobody ever loses HP or is paid for when dead, cards take nothing and are never
used up once they are within reach, and the cap counts hired partners alone. Members are only hired for a trip on which
their treasure pays their price: in that world nothing takes AP before, so they cost no more then. What is out of reach
there is out of reach in the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from rules.abyss.gains import Gain, above
from rules.abyss.round_worst import Worst
from rules.abyss.rounds import MOST, Rounds
from rules.abyss.state import ABYSS, CITY


class Company(NamedTuple):
    """Hired partners, as far as the bound tells them apart."""

    weak: int
    """Those whom the adversary's Event kills on a trip, even at full HP; none where fate is not cruel."""
    strong: int


class Promise:
    """Says whether a goal may be reached in some rounds; ``uses`` and ``events`` are what each round may bring.

    ``worst`` are the Events that an adversary turns up: one whenever a team is in the Abyss, one whenever none is. An
    adversary who knows nothing else is weaker than one who chooses. Where the second one leaves cards used in the City
    without effect, a round at home is one round less and nothing else. By the first one partners of a type that does
    not survive it are gone after a trip, partners of another type are never hurt, and somebody has to survive to bring
    treasure home. Temporary partners always do; where they can go by themselves, everybody else may stay at home.
    """

    def __init__(
        self,
        rounds: Rounds,
        uses: Sequence[Sequence[Gain]],
        events: Sequence[Sequence[Gain]],
        worst: Worst | None = None,
    ) -> None:
        self._rounds = rounds
        traits, rulings = rounds.traits, rounds.rulings
        # Goods: what a second card adds is only there for who can pay somebody to use it.
        self._single = [_worth_having(gains) for gains in uses]
        self._paired = [_worth_having(_pairs(gains)) for gains in uses] if traits.two_cards else self._single
        self._events = [_worth_having(gains) for gains in events]
        self._steady = all(same(row) for row in (self._single, self._paired, self._events))
        self._temp_price = traits.temp_price
        self._counted = rulings.options["cap_counts_temps"]
        self._cap = MOST if rulings.cap is None else rulings.cap
        self._factor = rulings.rules["boost_factor"]
        self._worth = self._factor if rulings.options["explore_doubling"] == "compound" else 1
        self._worth_ap, self._worth_rp = rulings.rules["treasure_ap"], rulings.rules["treasure_rp"]
        change, floor = traits.damage[ABYSS]
        harm = 0 if worst is None else worst.harm
        self._loss = max(floor, harm + change) if harm else 0
        self._idle = worst is not None and worst.idle
        priced = list(zip(rulings.types, traits.prices, strict=True))
        lasting = [price for kind, price in priced if rulings.full_hp[kind] > self._loss]
        if not self._loss and traits.temp_price is not None:
            lasting.append(traits.temp_price)
        self._lasting = min(lasting, default=0)
        """The least price of a member who comes home and stays; 0 where nobody does."""
        passing = [(price, traits.penalties[kind]) for kind, price in priced if rulings.full_hp[kind] <= self._loss]
        if rulings.own_carrier:
            passing = []  # What they carry is lost with them.
        if traits.temp_price is not None:
            passing.append((traits.temp_price, 0))
        self._passing = min((price for price, _ in passing), default=0)
        """What a member for one trip has to be paid at least; 0 where there is none. Likewise ``_spent`` in the end."""
        self._spent = min((price + penalty for price, penalty in passing), default=0)
        self._known: dict[tuple[int, int, Company, bool, int, int], bool] = {}
        self._companies: dict[int, Company] = {}

    def company(self, team: int) -> Company:
        """Return what the bound knows of a team, a number of ``Rounds``; whoever can be healed counts as healed."""
        found = self._companies.get(team)
        if found is None:
            full = self._rounds.rulings.full_hp
            weak = sum(full[partner.type] <= self._loss for partner in self._rounds.partners(team))
            found = self._companies[team] = Company(weak, self._rounds.size(team) - weak)
        return found

    def kept(self, ap: int, rp: int, company: Company, explored: bool, gone: int, left: int) -> bool:
        """Return false only where no goal can be met in ``left`` rounds, after ``gone`` others."""
        if self._rounds.wins(ap, rp):
            return True
        if left <= 0:
            return False
        if self._steady:
            gone = 0
        key = (ap, rp, company, explored, gone, left)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._kept(ap, rp, company, explored, gone, left)
        return found

    def _kept(self, ap: int, rp: int, company: Company, explored: bool, gone: int, left: int) -> bool:
        second = self._temp_price is not None and ap >= self._temp_price
        uses = (self._paired if second else self._single)[min(gone, len(self._single) - 1)]
        for event in self._events[min(gone, len(self._events) - 1)]:
            for use in uses:
                if use.place != ABYSS and not self._idle:
                    boosted = explored or use.explores
                    if self.kept(ap + use.ap, rp + use.rp * event.scale, company, boosted, gone + 1, left - 1):
                        return True
                if use.place != CITY and any(
                    self.kept(money, fame, back, use.explores, gone + 1, left - 1)
                    for money, fame, back in self._trips(use, event, ap, rp, company, explored)
                ):
                    return True
        return False

    def _trips(
        self, use: Gain, event: Gain, ap: int, rp: int, company: Company, explored: bool
    ) -> Iterator[tuple[int, int, Company]]:
        """Yield AP, RP and who is left after a trip, for every number of partners hired to stay."""
        factor = self._factor if explored else 1
        worth = factor * (self._worth if explored else 1)
        each, flat = (use.each + event.each) * worth, (use.flat + event.flat) * worth
        # A card used at home may count more while the other team finds treasure.
        ap_apart, fame = ap + use.ap + event.ap * factor, rp + use.rp * event.scale
        purse = max(0, ap)

        def home(members: int, paid: int, back: Company) -> tuple[int, int, Company]:
            treasure = each * members + flat
            return ap_apart - paid + treasure * self._worth_ap, fame + treasure * self._worth_rp, back

        room = max(0, self._cap - company.weak - company.strong)
        if not self._loss:
            hired = min(room, purse // self._lasting) if each else 0
            temps = self._outside(purse - hired * self._lasting) if each else 0
            paid = hired * self._cost(self._lasting, each) + temps * self._cost(self._passing, each)
            yield home(company.strong + hired + temps, paid, Company(0, company.strong + hired))
            return
        alone = self._temp_price is not None and purse >= self._temp_price
        if alone:
            temps = purse // (self._temp_price or 1)
            temps = min(temps, room) if self._counted else temps
            yield home(temps, temps * self._cost(self._temp_price or 0, each), company)
        price = self._lasting
        for staying in range((min(room, purse // price) if price else 0) + 1):
            strong = company.strong + staying
            if not strong and not alone:
                # Nobody brings anything home, but a card that lasts works all the same.
                yield ap_apart, fame, Company(0, 0)
                continue
            left = purse - staying * price
            passing = min(room - staying, left // self._passing) if each and self._passing else 0
            temps = self._outside(left - passing * self._passing) if each else 0
            weak = 0 if self._rounds.rulings.own_carrier else company.weak
            paid = staying * price + (passing + temps) * self._cost(self._spent, each)
            yield home(strong + weak + passing + temps, paid, Company(0, strong))

    def _outside(self, ap: int) -> int:
        """Return how many temporary partners come besides, whatever the cap."""
        return 0 if self._temp_price is None or self._counted else ap // self._temp_price

    def _cost(self, price: int, each: int) -> int:
        """Return what a member costs; nobody comes who does not make good for it, so it never takes AP."""
        return min(price, each * self._worth_ap)


def same(row: Sequence[Sequence[Gain]]) -> bool:
    """Return whether every round may bring the same."""
    return all(gains == row[0] for gains in row)


def _pairs(gains: Sequence[Gain]) -> list[Gain]:
    """Return what one team or two can bring: both cards' points, but every member digs once."""
    found = list(gains)
    for one, other in combinations_with_replacement(gains, 2):
        places = {one.place, other.place}
        found.append(
            Gain(
                ap=one.ap + other.ap,
                rp=one.rp + other.rp,
                each=max(one.each, other.each),
                flat=one.flat + other.flat,
                scale=max(one.scale, other.scale),
                explores=one.explores or other.explores,
                place=ABYSS if ABYSS in places else CITY if places == {CITY} else "",
            )
        )
    return found


def _worth_having(gains: Sequence[Gain]) -> list[Gain]:
    """Return the gains that no other one is above in everything, wherever that works."""
    found = list(dict.fromkeys(gains))
    return [gain for gain in found if not any(above(other, gain) for other in found)]
