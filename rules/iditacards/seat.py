"""What a player has, and what acts on it: dogs and attachments, speed, weather, immunity, costs, payments.

Moves that name a dog stand here. It is written with what it wears, as in ``husky+a_hat``.

Rules: R17 to R25, R43, R50 to R55, R63, R67.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final, TypeAlias

from rules.core.scripts import UNKNOWN, Move, distinct, selections
from rules.iditacards.content import CALM, Card, Weather
from rules.iditacards.state import Dog
from rules.iditacards.turn import DISCARD_NEW, DONE, Seat, Turn

SpeedPart: TypeAlias = tuple[str, int, bool]
"""One part of the speed: card id, leg id, weather face or condition; points; whether an own dog or attachment (Q4)."""


def dog_text(dog: Dog) -> str:
    """Return the notation of a dog in play."""
    return "+".join((dog.dog, *dog.attachments))


@dataclass(frozen=True, slots=True)
class Sacrifice:
    """Free action: kill one own dog (R13)."""

    dog: Dog

    @property
    def text(self) -> str:
        """``sacrifice husky+a_hat``."""
        return f"sacrifice {dog_text(self.dog)}"


@dataclass(frozen=True, slots=True)
class Remove:
    """Free action: discard one own attachment (R13, R55)."""

    attachment: str
    dog: Dog

    @property
    def text(self) -> str:
        """``remove a_hat from husky+a_hat``."""
        return f"remove {self.attachment} from {dog_text(self.dog)}"


FreeAction: TypeAlias = Sacrifice | Remove


@dataclass(frozen=True, slots=True)
class Kill:
    """The dog to kill, asked by a card, a leg or the dog limit (R50, R52)."""

    dog: Dog
    owner: int | None = None
    """Seat of the owner where dogs of several players are offered."""

    @property
    def text(self) -> str:
        """``kill husky`` or ``kill 1:husky``."""
        owner = "" if self.owner is None else f"{self.owner}:"
        return f"kill {owner}{dog_text(self.dog)}"


@dataclass(frozen=True, slots=True)
class Attach:
    """The dog that gets a new attachment, and the one it loses for it (R54)."""

    dog: Dog
    replacing: str | None = None
    owner: int | None = None
    """Seat of the dog's owner where it may be another player's (Q43)."""

    @property
    def text(self) -> str:
        """``attach to husky`` or ``attach to husky+a_hat replacing a_hat``."""
        owner = "" if self.owner is None else f"{self.owner}:"
        text = f"attach to {owner}{dog_text(self.dog)}"
        return f"{text} replacing {self.replacing}" if self.replacing else text


_LARGE, _MANY = 16, 3
"""Hand cards, and cards to pay with, from which different ways are listed one by one."""
THREE_MEALS: Final = frozenset({"breakfast", "lunch", "dinner"})
"""The foods of ``three_meals_today``."""
LOWERED_ON_TABLE: Final = {"food": "starvation", "personal": "hypothermia"}
"""The condition that a card lowers as soon as it is on the table, by card type (R21)."""


def once_on_table(seat: Seat, card: Card | None, kind: str) -> int:
    """Return what a condition of a player is once a card, if any, is on the table (R21)."""
    level: int = getattr(seat, kind)
    return max(0, level - 1) if card is not None and LOWERED_ON_TABLE.get(card.type) == kind else level


def lower(seat: Seat, kind: str, n: int) -> None:
    """Lower a condition by n, not below 0."""
    setattr(seat, kind, max(0, getattr(seat, kind) - n))


def _rig(owner: Seat, dog: Dog, *, off: str | None = None, on: str | None = None) -> None:
    """Take an attachment off a dog, into the discard pile, and put another one on it."""
    worn = list(dog.attachments)
    if off is not None:
        worn.remove(off)
        owner.discard.append(off)
    worn += [] if on is None else [on]
    owner.dogs[owner.dogs.index(dog)] = Dog(dog.dog, tuple(sorted(worn)))


class TeamTurn(Turn):
    """A turn with what acts on players: dogs and attachments, speed, weather, immunity, costs, payments."""

    def is_immune(self, seat: Seat) -> bool:
        """Return whether a player is immune now (R67); what that means is Q67."""
        return seat.immune or "leg_immune" in self.leg(seat).passive

    def shielded_from(self, owner: Seat, card_type: str, target: Seat) -> bool:
        """Return whether an op of ``owner``'s card skips ``target`` because of immunity (R67, Q67)."""
        if target is owner or not self.is_immune(target):
            return False
        return self.rulings.others_scope or (self.rulings.utility_scope and card_type == "utility")

    def weather_on(self, seat: Seat) -> Weather:
        """Return the weather as far as it affects a player (R63)."""
        rulings = self.rulings
        if (
            self.weather == "none"
            or (seat.pos == 0 and rulings.options["weather_off_board"] == "unaffected")
            or "leg_no_weather" in self.leg(seat).passive
            or (rulings.others_scope and self.is_immune(seat))
        ):
            return CALM
        return rulings.weathers[self.weather]

    def starvation_here(self, seat: Seat, card: Card | None = None) -> int:
        """Return starvation as far as it acts where the player stands, once a card is on the table (Q12, R21)."""
        spared = self.rulings.no_starve_effect and "leg_no_starve" in self.leg(seat).passive
        return 0 if spared else once_on_table(seat, card, "starvation")

    def speed_parts(self, seat: Seat) -> list[SpeedPart]:
        """Return the parts of a player's speed before multiplying and cancelling (R43)."""
        rulings, leg, weather = self.rulings, self.leg(seat), self.weather_on(seat)
        parts: list[SpeedPart] = []
        speeds, others_of = rulings.numbers["speed"], rulings.numbers["speed_other_dogs"]
        dogs = sum(self._times(dog) for dog in seat.dogs) if others_of else 0
        for dog in seat.dogs:
            cards = [dog.dog, *dog.attachments]
            parts += [(card, speeds[card], True) for card in cards if speeds.get(card)]
            for card in cards if others_of else ():
                each = others_of.get(card, 0)
                others = dogs - self._times(dog)
                if each and others:
                    parts.append((card, each * others, True))
        if "leg_dog_speed" in leg.passive:
            each = leg.passive["leg_dog_speed"]["n"]
            parts += [(leg.id, each * self._times(dog), False) for dog in seat.dogs]
        if weather.speed:
            parts.append((weather.face, weather.speed, False))
        if rulings.rules.condition_speed == "half_up":
            conditions = {"hypothermia": seat.hypothermia, "starvation": self.starvation_here(seat)}
            parts += [(kind, -((level + 1) // 2), False) for kind, level in conditions.items() if level]
        return parts

    def _times(self, dog: Dog) -> int:
        """Return as how many dogs one counts for speed (Q40)."""
        return self.rulings.numbers["counts_as"].get(dog.dog, 1) if self.rulings.count_everything else 1

    def cancelled_by(self, seat: Seat) -> str | None:
        """Return the leg or weather face that cancels the player's speed bonuses, or nothing (R43, Q60).

        Weather goes first, since it may take away more than a leg does.
        """
        leg, weather = self.leg(seat), self.weather_on(seat)
        if weather.cancels_bonuses:
            return weather.face
        return leg.id if "leg_no_speed_bonus" in leg.passive else None

    def speed(self, seat: Seat) -> int:
        """Return a player's speed now; it may be negative (R43)."""
        rulings, parts, cancel = self.rulings, self.speed_parts(seat), self.cancelled_by(seat)
        if cancel is not None:
            nothing = cancel in rulings.weathers and rulings.options["cloud_scope"] == "all_parts"
            return 0 if nothing else sum([n for _, n, _ in parts if n < 0])
        factor = prod(self.numbers(seat, "speed_mult"))
        all_cards = rulings.options["speed_multiplier"] != "own_cards"
        return sum([n * factor if own or all_cards else n for _, n, own in parts])

    def energy_cost(self, seat: Seat, card: Card, *, on_table: bool = False) -> int | None:
        """Return the energy cost of a card in cards, or ``None`` for all that may be discarded (R18).

        A card that is not ``on_table`` yet lowers hypothermia before its energy is paid (R21).
        """
        if seat.free_energy == "on":
            return 0
        if card.energy is None:
            return None
        return self._cost(seat, "energy", card.energy, once_on_table(seat, None if on_table else card, "hypothermia"))

    def health_cost(self, seat: Seat, printed: int, card: Card | None = None) -> int:
        """Return what a printed health cost amounts to once a ``card`` is on the table, in cards of the deck (R18)."""
        return 0 if seat.free_health == "on" else self._cost(seat, "health", printed, self.starvation_here(seat, card))

    def lacking(self, seat: Seat, card: Card) -> str:
        """Return what is lacking to pay for a card that has just left the hand, in words; empty where nothing is."""
        costs = {"energy": self.energy_cost(seat, card) or 0, "health": self.health_cost(seat, card.health, card)}
        for (kind, cost), has in zip(costs.items(), (len(self.usable(seat.hand)), seat.in_deck), strict=True):
            if cost > has:
                return f"needs {cost} {kind}, {'the deck' if kind == 'health' else 'the hand'} has {has}"
        return ""

    def risk_cost(self, seat: Seat, card: Card) -> int:
        """Return the number of risk cards a card needs, computed once when the other parts are paid (R19)."""
        if card.risk == 0:
            return 0
        mult: int = self.leg(seat).passive.get("leg_risk_mult", {"n": 1})["n"]
        return max(0, card.risk * mult + self.own_mods(seat, "risk"))

    def own_mods(self, seat: Seat, cost: str) -> int:
        """Return the sum of the cost modifiers in play that count for a player (R18, Q81)."""
        owners = self.seats if self.rulings.options["cost_mod_scope"] == "everyone" else [seat]
        return sum([sum(self.numbers(owner, f"cost_mod:{cost}")) for owner in owners])

    def _cost(self, seat: Seat, cost: str, printed: int, level: int) -> int:
        rulings = self.rulings
        if rulings.rules.condition_cost != "none":
            if printed == 0 and rulings.options["zero_cost_conditions"] == "exempt":
                return 0
            printed += level if rulings.rules.condition_cost == "each" else level // 2
        return max(0, printed + self.leg(seat).cost_mod(cost) + self.own_mods(seat, cost))

    def usable(self, hand: Sequence[str]) -> tuple[str, ...]:
        """Return the hand cards that may pay energy, sorted (R22)."""
        damage = self.rulings.damage_ids
        return tuple(sorted([card for card in hand if card not in damage]))

    def payments(self, seat: Seat, card: Card, *, on_table: bool = False) -> Sequence[tuple[str, ...]]:
        """Return the different ways to pay a card's energy from the hand, each sorted.

        An unknown card is any of those that nobody has placed. A single empty payment stands for a cost of 0 and for
        one that cannot be paid; R25 makes who can pay pay. A payment that holds a damage card fails at that card (Q25).
        """
        rulings, hand = self.rulings, seat.hand
        cards = self.usable(hand)
        cost = self.energy_cost(seat, card, on_table=on_table)
        number = len(cards) if cost is None else cost
        if UNKNOWN in cards:
            return list(selections(cards, self.usable(seat.deck[seat.known :]), number)) or [()]
        all_pay = len(cards) == len(hand)
        if cost is None and not all_pay and rulings.options["all_cost"] == "fails_with_damage":
            return [()]
        # The first is faster for the hands of a game; of a very large one it would list the same ways too often.
        ways = list((combinations if len(cards) < _LARGE or number < _MANY else distinct)(cards, number))
        if cost is not None and not all_pay and cost <= len(hand) and rulings.options["damage_for_energy"]:
            damaged = next(card for card in hand if card in rulings.damage_ids)
            ways += [(*part, damaged) for n in range(cost) for part in combinations(cards, n)]
        return list(dict.fromkeys(ways)) or [()]

    def draw(self, seat: Seat, n: int) -> None:
        """Take the top n cards of the deck into the hand, fewer if it is short."""
        self.emit("R64", "draws", seat=seat.index, cards=self.deal_many(seat, n, "to draw", seat.hand))

    def discard_top(self, seat: Seat, n: int, purpose: str, *, until_damage: bool = True) -> tuple[list[str], bool]:
        """Discard the top cards of a deck one by one, n of them if it has them, and return them.

        A damage card may be the last of them; return whether one was.
        """
        cards: list[str] = []
        for place in range(min(n, seat.in_deck)):
            cards.append(self.deal(seat, f"card {place + 1} of {n} {purpose}"))
            seat.discard.append(cards[-1])
            if until_damage and cards[-1] in self.rulings.numbers["ends_turn_on_discard"]:
                return cards, True
        return cards, False

    def damage(self, seat: Seat, n: int, rule: str) -> None:
        """Put up to n damage cards into a player's discard pile (R56, Q28)."""
        if self.rulings.options["damage_supply"] != "unlimited":
            n = max(0, min(n, self.damage_left))
            self.damage_left -= n
        seat.discard.extend([self.rulings.damage_card] * n)
        self.emit(rule, "damage", seat=seat.index, n=n)

    def damage_stops(self, seat: Seat) -> bool:
        """Return whether a damage card discarded by an effect ends this player's main action (R57, Q26)."""
        return seat.index == self.active and self.rulings.options["damage_in_effect"] == "ends_turn"

    def destroy(self, card: str) -> None:
        """Take a card out of the game; a damage card may go back to its box (Q28)."""
        if card in self.rulings.damage_ids and self.rulings.options["damage_supply"] == "recycled":
            self.damage_left += 1
        else:
            self.destroyed.append(card)

    def capped(self, value: int) -> int:
        """Return a counter's value within the ruleset's limits (R48, Q69)."""
        if self.rulings.options["conditions_model"] == "binary":
            value = min(value, 1)
        cap = self.rulings.rules.condition_cap
        return value if cap is None else min(value, cap)

    def choose(self, seat: Seat, options: Callable[[], Sequence[Move]], *, always: bool = False) -> Move:
        """Return the move ``seat`` takes here; where Q38 says at any time, dogs may be sacrificed on the way.

        ``options`` looks at the table anew each time; a sacrifice that leaves nothing to choose ends the question with
        ``done``.
        """
        if not self.rulings.sacrifice_any_time:
            return self.script.decide(seat.index, options, always=always)
        while options():
            move = self.script.decide(seat.index, lambda: [*options(), *self.sacrifices(seat)], always=always)
            if not isinstance(move, Sacrifice):
                return move
            self.carry_out(seat, move)
        return DONE

    def can_die(self, dog: Dog) -> bool:
        """Return whether a dog can die (R53)."""
        safe = self.rulings.numbers["cannot_die"]
        return dog.dog not in safe and not any(card in safe for card in dog.attachments)

    def mortal(self, seat: Seat) -> list[Dog]:
        """Return the own dogs that can die, ascending."""
        return sorted(dog for dog in seat.dogs if self.can_die(dog))

    def sacrifices(self, seat: Seat) -> list[Move]:
        """Return the free kills open to a player (R13, Q38)."""
        return [Sacrifice(dog) for dog in sorted({*self.mortal(seat)})]

    def free_actions(self, seat: Seat) -> list[Move]:
        """Return the free actions open before a main action: kills, and discarding attachments (R13, Q38, Q42)."""
        options = self.rulings.options
        dogs = sorted({*seat.dogs}) if options["attachment_removal"] else []
        removals = [Remove(card, dog) for dog in dogs for card in sorted(set(dog.attachments))]
        return [*(self.sacrifices(seat) if options["sacrifice_timing"] == "own_turn" else ()), *removals]

    def carry_out(self, seat: Seat, move: FreeAction) -> None:
        """Carry out a free action: kill a dog, or discard an attachment (R13, R55)."""
        if isinstance(move, Sacrifice):
            self.emit("R13", "sacrifice", seat=seat.index, dog=move.dog.dog)
            self.kill(seat, move.dog)
        else:
            _rig(seat, move.dog, off=move.attachment)
            self.emit("R55", "remove", seat=seat.index, card=move.attachment, dog=move.dog.dog)

    def count_dogs(self, seat: Seat) -> int:
        """Return the number of own dogs where dogs are counted, ``counts_as`` included (R50)."""
        return sum(self.rulings.numbers["counts_as"].get(dog.dog, 1) for dog in seat.dogs)

    def kill(self, seat: Seat, dog: Dog) -> bool:
        """Kill a dog in play (R52) and return whether it left play; an attachment may die in its place."""
        rulings = self.rulings
        shield = next((card for card in dog.attachments if card in rulings.numbers["death_shield"]), None)
        if shield is not None:
            _rig(seat, dog, off=shield)
            self.emit("R52", "shielded", seat=seat.index, dog=dog.dog, card=shield)
            return False
        seat.dogs.remove(dog)
        attachments = list(dog.attachments)
        seat.discard.extend(attachments)
        zone = rulings.cards[dog.dog].passive.get("dies_to", {"zone": "destroyed"})["zone"]
        {"destroyed": self.destroyed, "discard": seat.discard, "hand": seat.hand}[zone].append(dog.dog)
        self.emit("R52", "dog_dies", seat=seat.index, dog=dog.dog, zone=zone, attachments=attachments)
        for card in attachments:
            does = rulings.cards[card].passive.get("on_death", {}).get("do")
            if does == "kill_own_others":
                self.kill_all(seat, self.mortal(seat))
            elif does is not None:
                self.kill_one(seat)
        return True

    def kill_all(self, seat: Seat, dogs: Sequence[Dog]) -> None:
        """Kill several own dogs in ascending order, leaving out those that have gone meanwhile (R52)."""
        for dog in dogs:
            if dog in seat.dogs:
                self.kill(seat, dog)

    def kills(self, seat: Seat) -> list[Move]:
        """Return the own dogs that a player may be asked to kill, equal ones once (R52)."""
        return [Kill(dog) for dog in sorted({*self.mortal(seat)})]

    def kill_one(self, seat: Seat) -> bool | None:
        """Let the owner choose one own dog that can die and kill it; return whether it left play, none if none can."""
        if not self.mortal(seat):
            return None
        move = self.choose(seat, lambda: self.kills(seat))
        return self.kill(seat, move.dog) if isinstance(move, Kill) else None

    def place_dog(self, seat: Seat, card: str) -> None:
        """Put a new dog into play, making room for it or discarding it (R50, Q39)."""
        rulings = self.rulings
        size = rulings.numbers["counts_as"].get(card, 1)
        while self.count_dogs(seat) + size > rulings.rules.dog_limit:
            if not self.mortal(seat) or rulings.options["dog_overflow"] == "newest_discarded":
                return self._discard_new(seat, card, "R50")
            move = self.choose(seat, lambda: [*self.kills(seat), DISCARD_NEW])
            if not isinstance(move, Kill):
                return self._discard_new(seat, card, "Q39")
            self.kill(seat, move.dog)
        seat.dogs.append(Dog(card, ()))
        return self.emit("R50", "dog_placed", seat=seat.index, dog=card)

    def _discard_new(self, seat: Seat, card: str, rule: str) -> None:
        seat.discard.append(card)
        self.emit(rule, "not_placed", seat=seat.index, card=card)

    def place_attachment(self, seat: Seat, card: str) -> None:
        """Put a new attachment on a dog, in the place of another one, or into the discard pile (R54, Q41, Q43)."""
        move = self.choose(seat, lambda: self._places(seat)) if self._places(seat) else None
        if isinstance(move, Attach):
            _rig(seat if move.owner is None else self.seats[move.owner], move.dog, off=move.replacing, on=card)
            self.emit("R54", "attached", seat=seat.index, card=card, dog=move.dog.dog, replacing=move.replacing)
        else:
            self._discard_new(seat, card, "R54")

    def _places(self, seat: Seat) -> list[Move]:
        """Return where a new attachment may go: nowhere if no dog has a slot, out of play only if all are used."""
        rulings = self.rulings
        owners = self.seats_from(seat) if rulings.options["attach_to_others"] else [seat]
        several = len(owners) > 1
        free: set[Move] = set()
        full: set[Move] = set()
        for owner in owners:
            named = owner.index if several else None
            for dog in owner.dogs:
                slots = rulings.numbers["attach_slots"].get(dog.dog, 1)
                if len(dog.attachments) < slots:
                    free.add(Attach(dog, owner=named))
                elif slots > 0 and rulings.options["attachment_overwrite"]:
                    full.update(Attach(dog, old, named) for old in dog.attachments)
        places = sorted(free | full, key=lambda move: move.text)
        return places if free or not full else [*places, DISCARD_NEW]
