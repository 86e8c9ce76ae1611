"""How far a household can come in some rounds in a kinder world: nobody is hurt, everybody costs as little as anybody.

Every member comes at the least price, nobody ever loses HP or is paid for when dead, cards take nothing and are never
used up once they are within reach, and the cap counts hired partners alone. Members are only hired for a trip on which
their treasure pays their price: in that world nothing takes AP before, so they cost no more then. What is out of reach
there is out of reach in the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rules.abyss.content import Card
from rules.abyss.rounds import MOST, Rounds
from rules.abyss.state import ABYSS, CITY


class Gain(NamedTuple):
    """What a card brings at most."""

    ap: int
    rp: int
    each: int
    """Treasure for each member."""
    flat: int
    """Treasure besides."""
    scale: int
    """Times that it makes RP gains of other cards count."""
    explores: bool
    place: str
    """Where it works, empty for anywhere."""


NOTHING: Final = Gain(0, 0, 0, 0, 1, explores=False, place="")


def gain_of(card: Card) -> Gain:
    """Return what a card brings at most."""
    points = {"ap": 0, "rp": 0}
    for effect in card.effects:
        if effect.op in ("ap", "ap_abyss", "rp"):
            points[effect.op[:2]] += max(0, effect.args["amount"])
    treasures = [effect.args for effect in card.effects if effect.op == "treasure"]
    return Gain(
        ap=points["ap"],
        rp=points["rp"],
        each=sum(args["amount"] for args in treasures if args["per"] != "flat"),
        flat=sum(args["amount"] for args in treasures if args["per"] == "flat"),
        scale=max((effect.args["factor"] for effect in card.effects if effect.op == "scale_rp_gain"), default=1),
        explores=any(effect.args.get("flag") == "explore_pending" for effect in card.effects),
        place=card.location if card.location in (ABYSS, CITY) else "",
    )


def best_of(gains: Iterable[Gain]) -> Gain:
    """Return the best of each gain, usable anywhere."""
    found = [NOTHING, *gains]
    return Gain(
        ap=max(gain.ap for gain in found),
        rp=max(gain.rp for gain in found),
        each=max(gain.each for gain in found),
        flat=max(gain.flat for gain in found),
        scale=max(gain.scale for gain in found),
        explores=any(gain.explores for gain in found),
        place="",
    )


class Promise:
    """Says whether a goal may be reached in some rounds; ``uses`` and ``events`` are what each round may bring."""

    def __init__(self, rounds: Rounds, uses: Sequence[Sequence[Gain]], events: Sequence[Sequence[Gain]]) -> None:
        self._rounds = rounds
        traits, rulings = rounds.traits, rounds.rulings
        if traits.two_cards:
            uses = [_both(gains) for gains in uses]
        self._uses = [_worth_having(gains) for gains in uses]
        self._events = [_worth_having(gains) for gains in events]
        self._price = min(traits.prices if traits.temp_price is None else (*traits.prices, traits.temp_price))
        self._outside = None if rulings.options["cap_counts_temps"] else traits.temp_price
        self._factor = rulings.rules["boost_factor"]
        self._worth = self._factor if rulings.options["explore_doubling"] == "compound" else 1
        self._known: dict[tuple[int, int, int, bool, int, int], bool] = {}

    def kept(self, ap: int, rp: int, members: int, explored: bool, gone: int, left: int) -> bool:
        """Return false only where no goal can be met in ``left`` rounds, after ``gone`` others."""
        if self._rounds.wins(ap, rp):
            return True
        if left <= 0:
            return False
        key = (ap, rp, members, explored, gone, left)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._kept(ap, rp, members, explored, gone, left)
        return found

    def _kept(self, ap: int, rp: int, members: int, explored: bool, gone: int, left: int) -> bool:
        uses = self._uses[min(gone, len(self._uses) - 1)]
        events = self._events[min(gone, len(self._events) - 1)]
        for event in events:
            for use in uses:
                if use.place != ABYSS:
                    after = ap + use.ap, rp + use.rp * event.scale, members, explored or use.explores
                    if self.kept(*after, gone + 1, left - 1):
                        return True
                if use.place != CITY:
                    after = self._trip(use, event, ap, rp, members, explored)
                    if self.kept(*after, gone + 1, left - 1):
                        return True
        return False

    def _trip(
        self, use: Gain, event: Gain, ap: int, rp: int, members: int, explored: bool
    ) -> tuple[int, int, int, bool]:
        rules = self._rounds.rulings.rules
        factor = self._factor if explored else 1
        worth = self._worth if explored else 1
        each = (use.each + event.each) * factor * worth
        cap = self._rounds.rulings.cap
        room = MOST if cap is None else max(0, cap - members)
        hired = min(room, max(0, ap) // self._price) if each else 0
        # Where their treasure does not make good for their price, nothing is paid at all.
        paid = hired * min(self._price, each * rules["treasure_ap"])
        temps = max(0, ap) // self._outside if self._outside and each else 0
        treasure = each * (members + hired + temps) + (use.flat + event.flat) * factor * worth
        money = ap - paid + use.ap + event.ap * factor + treasure * rules["treasure_ap"]
        # A card used at home may count more while the other team finds treasure.
        fame = rp + use.rp * event.scale + treasure * rules["treasure_rp"]
        return money, fame, members + hired, use.explores


def _both(gains: Sequence[Gain]) -> list[Gain]:
    """Return what two teams can bring: the best of everything twice, but members dig once."""
    best = best_of(gains)
    return [best._replace(ap=2 * best.ap, rp=2 * best.rp, flat=2 * best.flat)]


def _worth_having(gains: Sequence[Gain]) -> list[Gain]:
    """Return the gains that no other one is above in everything, wherever that works."""
    found = list(dict.fromkeys(gains))
    return [gain for gain in found if not any(_above(other, gain) for other in found)]


def _above(one: Gain, other: Gain) -> bool:
    more = one != other and all(mine >= its for mine, its in zip(one[:-1], other[:-1], strict=True))
    return more and one.place in ("", other.place)
