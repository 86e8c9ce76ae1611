"""Whole rounds of a player alone over packed numbers: what one card, one Event and one crew make of a round.

A crew is one number: eight bits for each type and number of HP. Every gain and loss of a round is added to AP and RP
whatever they are, so a round is worked out once for each crew, plan and Event and added to any purse. The cards that
need somebody else do nothing here, and cards in hand are not looked at: which of them can be there is the caller's
business. Tests play it in step with the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

from rules.abyss.actions import TARGETED
from rules.abyss.content import ACTIONS, ANY, EVENTS, Card, Goal
from rules.abyss.rulings import Rulings
from rules.abyss.state import ABYSS, CITY, Partner

_BITS: Final = 8
_MASK: Final = (1 << _BITS) - 1
MOST: Final = 120
"""Members up to which a crew fits into its number, with room to spare."""
_PLAIN_ACTIONS: Final = frozenset({"ap", "rp", "treasure", "heal_all", "pay_per_healed", "set_flag", "exchange_cards"})
_PLAIN_EVENTS: Final = frozenset(
    {"ap_abyss", "treasure", "damage", "lose_card", "cancel_actions", "scale_ap_cost", "scale_rp_gain"}
)
_REQUIRED: Final[Mapping[str, Any]] = {
    "hire_when": "before_choice",
    "hire_overdraft": False,
    "dismiss": False,
    "empty_team": "city_only",
    "modifier_timing": "whole_round",
    "short_covers": "hires_and_actions",
    "jam_cancels": "any_in_city",
    "jam_card": "spent",
    "explore_sources": "abyss_cards",
    "explore_stack": False,
    "explore_expires": "next_trip",
    "flashlight_expires": "when_used",
    "penalty_base": "printed",
    "no_target": "free",
    "transaction_alone": "spent",
    "treatment_scope": "damaged",
    "action_overdraft": True,
    "treasure_cash": "forced",
    "temp_hp": "none",
    "temps_count": True,
    "second_action": "temp_team",
    "win_check": "immediate",
    "treasure_supply": "unlimited",
    "partner_supply": "unlimited",
}
"""Options under which a round is what this module makes of it; those not named make no difference to one, alone."""


class Uses(NamedTuple):
    """What the teams do in a round: ids of cards, empty for none."""

    card: str
    place: str
    second: str = ""
    """Card of the temp team, empty where there is no such team."""
    second_place: str = ""


class Crew(NamedTuple):
    """What of a household is neither purse nor cards."""

    team: int
    explored: bool
    lit: bool


class Result(NamedTuple):
    """What a round makes of a purse and a crew."""

    highs: tuple[tuple[int, int], ...]
    """AP and RP added up to a check of the goals, those left out that another check is not below in either."""
    ap: int
    """Added by the end of the round; likewise ``rp``."""
    rp: int
    crew: Crew
    pays_again: bool
    """What was paid for hires is paid once more, before anything else."""


def unsupported(rulings: Rulings) -> list[str]:
    """Return why rounds under these rulings are not what this module plays; empty where they are."""
    options = rulings.options
    found = [f"{name} = {options[name]}" for name, value in _REQUIRED.items() if options[name] != value]
    if rulings.players != 1:
        found.append(f"{rulings.players} players")
    for card in rulings.cards.values():
        known = _PLAIN_ACTIONS | TARGETED if card.deck == ACTIONS else _PLAIN_EVENTS
        found += [f"{card.id}: {effect.op}" for effect in card.effects if card.count and effect.op not in known]
    if any(hp >= 1 << 4 for hp in rulings.full_hp.values()):
        found.append("partners of more than 15 HP")
    return found


class Rounds:
    """Rounds under one ruleset for one identity, towards some goals."""

    def __init__(self, rulings: Rulings, identity: str, goals: tuple[Goal, ...]) -> None:
        self.rulings = rulings
        self.traits = rulings.traits[identity]
        self.slots = [(kind, hp) for kind in rulings.types for hp in range(1, rulings.full_hp[kind] + 1)]
        self._place = {slot: place for place, slot in enumerate(self.slots)}
        self.new = {kind: 1 << _BITS * self._place[kind, rulings.full_hp[kind]] for kind in rulings.types}
        """What one new partner of each type adds to a team."""
        self._steps = dict(zip(rulings.types, zip(self.traits.prices, self.new.values(), strict=True), strict=True))
        self.worth = rulings.rules["boost_factor"] if rulings.options["explore_doubling"] == "compound" else 1
        self._results: dict[tuple[Crew, int, Uses, str], Result] = {}
        self._hurt: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._size: dict[int, int] = {0: 0}
        self._goals = [(goal.ap, goal.rp) for goal in goals]

    # Crews

    def team(self, partners: tuple[Partner, ...]) -> int:
        """Return partners as a number."""
        return sum(1 << _BITS * self._place[partner.type, partner.hp] for partner in partners)

    def partners(self, team: int) -> tuple[Partner, ...]:
        """Return the partners of a number, in canonical order (1.3)."""
        found = [
            Partner(kind, hp)
            for place, (kind, hp) in enumerate(self.slots)
            for _ in range(team >> _BITS * place & _MASK)
        ]
        return tuple(sorted(found, key=lambda one: (self.rulings.place[one.type], -one.hp)))

    def size(self, team: int) -> int:
        """Return how many partners a number stands for."""
        found = self._size.get(team)
        if found is None:
            found = self._size[team] = sum(team.to_bytes(len(self.slots), "little"))
        return found

    def hires(self, ap: int, team: int, kinds: Collection[str] | None = None) -> Iterator[tuple[int, int, int]]:
        """Yield what can be hired, of some kinds or of all: the team after it, temporary partners, AP paid (5.B)."""
        rulings = self.rulings
        steps = [step for kind, step in self._steps.items() if kinds is None or kind in kinds]
        counted = rulings.options["cap_counts_temps"]
        hired = self.size(team)
        room = MOST - hired if rulings.cap is None else max(0, rulings.cap - hired)
        temp_price = self.traits.temp_price

        def of_type(place: int, left: int, room: int, team: int) -> Iterator[tuple[int, int, int]]:
            if place == len(steps):
                yield team, 0, ap - left
                if temp_price is not None:
                    most = left // temp_price
                    for temps in range(1, (min(most, room) if counted else most) + 1):
                        yield team, temps, ap - left + temps * temp_price
                return
            price, new = steps[place]
            for number in range(min(left // price, room) + 1):
                yield from of_type(place + 1, left - number * price, room - number, team + number * new)

        # Nothing is paid where AP is below 0, and nobody comes (5.B).
        if ap <= 0:
            yield team, 0, 0
        else:
            yield from of_type(0, ap, room, team)

    # Rounds

    def wins(self, ap: int, rp: int) -> bool:
        """Return whether a purse meets a goal."""
        for least_ap, least_rp in self._goals:  # noqa: SIM110 (asked millions of times; a generator takes twice as long)
            if ap >= least_ap and rp >= least_rp:
                return True
        return False

    def play(self, crew: Crew, temps: int, uses: Uses, event: str) -> Result:
        """Return what a round does after the hires; ``event`` may be empty for none."""
        key = (crew, temps, uses, event)
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = _Round(self, crew, temps, uses).run(event)
        return found

    def hurt(self, team: int, loss: int) -> tuple[int, int, int]:
        """Return who is left after everybody lost HP, the penalty for the dead, and their number (7)."""
        key = (team, loss)
        found = self._hurt.get(key)
        if found is None:
            left = penalty = dead = 0
            for place, (kind, hp) in enumerate(self.slots):
                number = team >> _BITS * place & _MASK
                if number and hp > loss:
                    left += number << _BITS * self._place[kind, hp - loss]
                elif number:
                    dead += number
                    penalty += number * self.traits.penalties[kind]
            found = self._hurt[key] = left, penalty, dead
        return found

    def healed(self, team: int) -> tuple[int, int]:
        """Return the team with everybody at full HP, and how many were below it."""
        full = damaged = 0
        for place, (kind, hp) in enumerate(self.slots):
            number = team >> _BITS * place & _MASK
            most = self.rulings.full_hp[kind]
            damaged += number * (hp < most)
            full += number << _BITS * self._place[kind, most]
        return full, damaged


class _Round:
    """One round being worked out; purses start at nothing."""

    def __init__(self, rounds: Rounds, crew: Crew, temps: int, uses: Uses) -> None:
        self.rounds = rounds
        self.team = crew.team
        self.temps = temps
        self.uses = uses
        places = (uses.place, uses.second_place)
        self.boost = crew.explored and ABYSS in places
        self.explored = crew.explored and not self.boost
        self.lit = crew.lit
        self.factor = rounds.rulings.rules["boost_factor"] if self.boost else 1
        self.ap = self.rp = self.flat = 0
        self.each_main = self.each_temp = 0
        """Treasure that each member of a team has, besides ``flat``."""
        self.modifier: Card | None = None
        self.highs: list[tuple[int, int]] = []

    def there(self, place: str) -> bool:
        """Return whether a team is announced at a place."""
        return place in (self.uses.place, self.uses.second_place)

    def temps_abroad(self) -> int:
        """Return the temporary partners in the Abyss."""
        return self.temps if (self.uses.second_place or self.uses.place) == ABYSS else 0

    def hired_abroad(self) -> int:
        """Return the hired partners in the Abyss."""
        return self.rounds.size(self.team) if self.uses.place == ABYSS else 0

    def check(self) -> None:
        """Note what a purse has gained when the goals are looked at."""
        self.highs.append((self.ap, self.rp))

    def run(self, event: str) -> Result:
        """Return what the round does (5.D to 5.H)."""
        card = self.rounds.rulings.cards[event] if event else None
        pays = False
        if card is not None and card.is_modifier and (card.location == ANY or self.there(card.location)):
            self.modifier = card
            pays = card.args("scale_ap_cost") is not None
        uses = self.uses
        if uses.card:
            self.use(uses.card, uses.place, main=True)
        if uses.second:
            self.use(uses.second, uses.second_place, main=False)
        if card is not None and self.modifier is None and (card.location == ANY or self.there(card.location)):
            self.happen(card)
        self.check()
        self.cash()
        self.check()
        crew = Crew(self.team, self.explored, self.lit)
        return Result(_maximal(self.highs), self.ap, self.rp, crew, pays)

    def use(self, name: str, place: str, *, main: bool) -> None:
        """Use an Action card (6)."""
        card, modifier = self.rounds.rulings.cards[name], self.modifier
        jam = None if modifier is None else modifier.args("cancel_actions")
        effects = card.effects
        if any(effect.op in TARGETED for effect in effects) or (jam is not None and jam["where"] == place):
            effects = ()
        dear = self.scale("scale_ap_cost", place)
        healed = 0
        for effect in effects:
            args = effect.args
            if effect.op == "ap":
                self.ap += args["amount"] * (dear if args["amount"] < 0 else 1)
            elif effect.op == "rp":
                self.rp += args["amount"] * (self.scale("scale_rp_gain", place) if args["amount"] > 0 else 1)
            elif effect.op == "treasure":
                self.dig(args, main=main)
            elif effect.op == "heal_all" and self.uses.place == args["where"]:
                self.team, healed = self.rounds.healed(self.team)
            elif effect.op == "pay_per_healed" and healed:
                change, floor = self.rounds.traits.treatment
                self.ap -= max(floor, args["amount"] * healed + change) * dear
            elif effect.op == "set_flag":
                self.lit = self.lit or args["flag"] == "flashlight"
                self.explored = self.explored or args["flag"] == "explore_pending"
        self.check()

    def scale(self, op: str, place: str) -> int:
        """Return how many times costs or gains of a card count (5.E)."""
        args = None if self.modifier is None or place != CITY else self.modifier.args(op)
        return 1 if args is None else int(args["factor"])

    def dig(self, args: Mapping[str, Any], *, main: bool) -> None:
        """Find treasure by a card (6)."""
        amount = args["amount"] * self.factor
        if args["per"] == "flat":
            self.flat += amount
        elif args["per"] == "member_in_abyss":
            self.each_main += amount
            self.each_temp += amount
        elif main:
            self.each_main += amount
            if not self.uses.second:
                self.each_temp += amount
        else:
            self.each_temp += amount

    def happen(self, card: Card) -> None:
        """Turn up an Event (7)."""
        rulings, traits = self.rounds.rulings, self.rounds.traits
        hired, temps = self.hired_abroad(), self.temps_abroad()
        for effect in card.effects:
            args = effect.args
            if effect.op == "ap_abyss" and hired + temps:
                self.ap += args["amount"] * self.factor
            elif effect.op == "treasure" and hired + temps:
                self.dig({**args, "per": "flat" if args["per"] == "flat" else "member_in_abyss"}, main=True)
            elif effect.op == "damage" and self.uses.place == args["where"] and self.team:
                change, floor = traits.damage[args["where"]]
                boost = self.boost and args["where"] == ABYSS
                loss = max(floor, args["amount"] + boost * rulings.rules["boost_damage"] + change)
                if loss > 0 and card.flashlight_stops and self.lit:
                    self.lit = False
                elif loss > 0:
                    self.lose(loss, hired)

    def lose(self, loss: int, hired: int) -> None:
        """Let everybody hired lose HP, and the dead what they carried (7, AB-Q38)."""
        self.team, penalty, dead = self.rounds.hurt(self.team, loss)
        self.ap -= penalty
        if hired and not self.rounds.rulings.own_carrier:
            self.flat += self.each_main * dead

    def cash(self) -> None:
        """Bring the treasure home (5.H)."""
        hired, temps = self.hired_abroad(), self.temps_abroad()
        if not hired + temps:
            return
        rules = self.rounds.rulings.rules
        treasure = self.flat + self.each_main * hired + self.each_temp * temps
        worth = treasure * (self.rounds.worth if self.boost else 1)
        self.ap += worth * rules["treasure_ap"]
        self.rp += worth * rules["treasure_rp"]


def _maximal(points: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the points that no other one is at least as high as in both."""
    best: list[tuple[int, int]] = []
    for ap, rp in sorted(set(points), reverse=True):
        if not best or rp > best[-1][1]:
            best.append((ap, rp))
    return tuple(best)


def event_names(rulings: Rulings) -> list[str]:
    """Return the Events in the box."""
    return [card.id for card in rulings.cards.values() if card.deck == EVENTS and card.count]
