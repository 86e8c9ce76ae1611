"""What the cards of one question offer at most: the table behind ``lower_bound.py``, and why it holds.

The bound plays an easier game than the real one. Every real line of T turns is a line of it, so no real line gets
further than its best.

- *Order is free.* Every card within reach may be played on any turn. Where nothing brings cards back, each copy is
  played once on each day. A turn is one play, from the hand or as a risk card, or one new day (R14, R29). Cards that
  wait on the risk stack take effect besides, for nothing, once enough turns have gone by.
- *Speed.* Plays that raise the speed come first. A dog counts with the best leg, a condition as far as it is
  there now. Nothing that slows the sled is counted except conditions, since their owner may do without it.
- *Movement* happens at the final speed, at the greater of a card's distance and those that legs print (Q14).
- *Cards.* On one day plays, energy and health together take no more than hand and deck hold, at the least cost there
  can be (R18). A second step is a turn that needs no card (R40), a play in vain takes one (R26).

Where something within reach could break one of these limits, ``Reach`` drops that limit.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Final

from rules.iditacards.content import Card, Effect, Rulings
from rules.iditacards.state import Player, Table, in_play
from solver.encodings.iditacards.bound import layout as BL
from solver.encodings.knapsack import NONE, fill, put

LEAST_SPEED: Final = -4
TURNS: Final = 14
"""Turns up to which the bound tells them apart without new days,"""
LONG: Final = 24
"""and with them."""
TOTAL: Final = 40
"""Cards of hand and deck up to which they are told apart."""
IN_PLAY: Final = 24
"""Cards in play that may give speed, about: it only says which speeds are worked out."""
FASTEST: Final = 160
"""Speed from which on nothing is excluded."""
DAYS: Final = 6
RETURNING: Final = frozenset({"recover", "recover_tag", "discard_to_deck", "take_next"})
"""Ops that bring back cards that were played, or bring cards from elsewhere into the hand."""
GAINING: Final = frozenset({"take", "supply", "take_next"})


@dataclass(frozen=True, slots=True)
class Reach:
    """The cards that a seat may come to play, and which limits hold for all of them."""

    cards: Counter[str]
    """Every such card with its copies, those in play included."""
    days: bool
    """A new day may come."""
    once: bool
    """A copy is played once on each day."""
    counted: bool
    """Hand and deck limit the number of turns."""
    leg_speed: int
    """The most that a leg adds for each dog."""


def reach(rulings: Rulings, table: Table, forbidden: frozenset[str], limit: int) -> Reach:
    """Return what a player alone may come to play from a table before it is at space ``limit``.

    ``forbidden`` are first words of moves that are not made.
    """
    track = [leg.passive for leg in rulings.track(table.legs)[:limit] if leg is not None]
    legs = {effect for effects in track for effect in effects}
    player, cards = table.players[0], rulings.cards
    own: Counter[str] = Counter(_own(player))
    own.update(player.discard + player.resolved if _returns(rulings, own, legs) else ())
    while True:
        calls = any("new_day" in _ops(cards[name]) for name in own)
        days = calls or "new_day" not in forbidden
        gains = _gains(rulings, own, table, player, days=days)
        more = Counter(own)
        if gains:
            more.update({name: n for name, n in _elsewhere(rulings, table, player).items() if name not in own})
        if days or gains:
            more.update({name: n for name, n in Counter(player.discard + player.resolved).items() if name not in own})
        if set(more) == set(own):
            break
        own = more
    ops = {op for name in own for op in _ops(cards[name])}
    passive = {op for name in own for op in cards[name].passive}
    returns = any(cards[name].passive.get("dies_to", {}).get("zone") == "hand" for name in own)
    once = not (gains or calls or returns or ops & RETURNING or "leg_turn_end_recover" in legs)
    counted = once and not (
        "draw_first_risk" in passive
        or returns
        or rulings.options["fizzle_scope"] == "failed_card"
        or rulings.options["pass_turn"]
        or rulings.options["second_step"] == "optional"
    )
    each = max((int(effects["leg_dog_speed"]["n"]) for effects in track if "leg_dog_speed" in effects), default=0)
    return Reach(own, days, once, counted, max(0, each))


def _own(player: Player) -> Iterator[str]:
    waiting = (frame.card for frame in player.stack)
    return iter((*player.hand, *player.deck, *player.seen, *waiting, *in_play(player.dogs)))


def _ops(card: Card) -> set[str]:
    return {effect.op for effect in card.instant}


def _returns(rulings: Rulings, own: Iterable[str], legs: Container[str]) -> bool:
    """Return whether cards of the discard pile may come back without a new day."""
    return "leg_turn_end_recover" in legs or any(_ops(rulings.cards[name]) & RETURNING for name in own)


def _gains(rulings: Rulings, own: Iterable[str], table: Table, player: Player, *, days: bool) -> bool:
    """Return whether cards from beyond the own deck may be played."""
    ops = {op for name in own for op in _ops(rulings.cards[name])}
    comes_back = days or ops & RETURNING
    if not _elsewhere(rulings, table, player):
        return False
    if player.legendary and (rulings.rules.legendary_to == "hand" or comes_back):
        return True
    return "take_next" in ops or bool(comes_back and ops & GAINING)


def _elsewhere(rulings: Rulings, table: Table, player: Player) -> Counter[str]:
    upgrades = [card for deck in table.upgrade for card in deck]
    back = [card for card in table.destroyed if rulings.cards[card].deck in rulings.upgrade_decks]
    return Counter([*table.supply, *upgrades, *back, *player.legendary])


@dataclass(frozen=True, slots=True)
class Offer:
    """What one card brings at most, once it takes effect."""

    raises: int
    legs: int
    """The part of it that legs add for dogs."""
    eases: int
    """Points of conditions that it takes away."""
    total: int
    """Cards of hand and deck that it takes, less the turns that its second steps give."""
    moves: tuple[tuple[int, int], ...]
    """Distance and factor of each of its moves."""

    @property
    def is_raise(self) -> bool:
        """Whether it may raise the speed."""
        return self.raises > 0 or self.eases > 0

    def distance(self, speed: int) -> int:
        """Return the spaces of its moves at a speed."""
        return sum(factor * max(0, distance + speed) for distance, factor in self.moves)


def offers(rulings: Rulings, within: Reach, *, free: bool, unhurt: bool) -> dict[str, Offer]:
    """Return what each card within reach brings at most; ``free``: energy may cost nothing, ``unhurt``: health."""
    effects = [effect for name in within.cards for effect in rulings.cards[name].instant]
    costs = {effect.args["cost"] for effect in effects if effect.op == "free_cost"}
    free, unhurt = free or "energy" in costs, unhurt or "health" in costs
    return {name: _offer(rulings, within, rulings.cards[name], free=free, unhurt=unhurt) for name in within.cards}


def _offer(rulings: Rulings, within: Reach, card: Card, *, free: bool, unhurt: bool) -> Offer:
    times = 2 if any(name in rulings.numbers["double_risk"] for name in within.cards) else 1
    dogs = _dogs(rulings)
    counts = card.number("counts_as", 1) if rulings.count_everything else 1
    steps = sum(effect.op in ("destroy_next", "take_next") for effect in card.instant)
    others = (dogs - 1) * max(0, card.number("speed_other_dogs"))
    if card.type == "dog":
        others += sum(max(0, rulings.numbers["speed_other_dogs"].get(name, 0)) * n for name, n in within.cards.items())
        others *= counts
    least_energy = 0 if free else _least_cost(rulings, within, "energy", card.energy or 0)
    least_health = 0 if unhurt else _least_cost(rulings, within, "health", card.health)
    legs = within.leg_speed * counts if card.type == "dog" else 0
    return Offer(
        raises=max(0, card.number("speed")) + others + legs if card.type in ("dog", "attachment") else 0,
        legs=legs,
        eases=min(
            rulings.rules.condition_cap or 99, int(card.type in ("food", "personal")) + sum(map(_eased, card.instant))
        ),
        total=1 + least_energy + least_health - steps,
        moves=tuple(_moves(rulings, card, times)),
    )


def _dogs(rulings: Rulings) -> int:
    """Return the most dogs that may count at a time."""
    return max(rulings.rules.dog_limit, 1) * max(1, max(rulings.numbers["counts_as"].values(), default=1))


def _least_cost(rulings: Rulings, within: Reach, cost: str, printed: int) -> int:
    """Return the least that a cost may come to; points of conditions only add to it (R18)."""
    lowered = sum(
        min(0, rulings.numbers[f"cost_mod:{cost}"].get(name, 0)) * copies for name, copies in within.cards.items()
    )
    legs = min((leg.cost_mod(cost) for leg in rulings.content.legs.values()), default=0)
    return max(0, printed + lowered + min(0, legs))


def _eased(effect: Effect) -> int:
    if effect.op in ("clear_hypothermia", "clear_starvation"):
        return 99
    return max(0, -int(effect.args["n"])) if effect.op in ("hypothermia", "starvation") else 0


def _moves(rulings: Rulings, card: Card, times: int) -> Iterator[tuple[int, int]]:
    """Yield distance and factor of each move, at the best number that a leg may print instead."""
    printed = [
        leg.passive["leg_card_move"]["n"] for leg in rulings.content.legs.values() if "leg_card_move" in leg.passive
    ]
    for effect in card.instant:
        if effect.op == "move":
            distance = max([int(effect.args["n"]), *(printed if card.type == "movement" else ())])
            factor = 2 if effect.args.get("double") else 1
            yield distance, times * factor * int(effect.args.get("times", 1))


# The table


def bound_limit(rulings: Rulings, target: int) -> int:
    """Return the space up to which the table for one target holds for others too: there is one for each section."""
    space = min(target - 1, rulings.spaces)
    return 1 + next((each.last for each in rulings.board.sections if each.first <= space <= each.last), rulings.spaces)


def bound_table(
    rulings: Rulings,
    question: tuple[Table, frozenset[str]],
    turns: int | None,
    kinds: Mapping[str, int],
    limit: int,
) -> array[int]:
    """Return the table of the bound (int32, ``layout``) for targets up to space ``limit``.

    ``question`` is a table and the first words of moves that are not made; ``kinds`` numbers the cards from 1.
    """
    table, forbidden = question
    assert len(kinds) < BL.SPEED
    within = reach(rulings, table, forbidden, limit)
    player = table.players[0]
    found = offers(rulings, within, free=player.free_energy != "no", unhurt=player.free_health != "no")
    return _Writer(rulings, table, within, found, turns, kinds).written()


class _Writer:
    """Puts the parts of the table one after the other."""

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        within: Reach,
        found: Mapping[str, Offer],
        turns: int | None,
        kinds: Mapping[str, int],
    ) -> None:
        self._rulings, self._table = rulings, table
        self._within, self._offers, self._kinds = within, found, kinds
        most = LONG if within.days else TURNS
        self._turns = most if turns is None else max(1, min(most, turns))
        self._days = min(DAYS, self._turns) if within.days else 0
        self._head = [0] * BL.HEADER
        self._body = array("i")

    def written(self) -> array[int]:
        """Return the table."""
        self._speed()
        self._raises()
        self._movement()
        return array("i", self._head) + self._body

    def _put(self, name: int, part: Iterable[int]) -> None:
        self._head[name] = BL.HEADER + len(self._body)
        self._body.extend(part)

    def _speed(self) -> None:
        rulings, head, within = self._rulings, self._head, self._within
        head[BL.AUTO] = -1 if rulings.auto_base is None else rulings.auto_base
        factor = prod(max(1, rulings.numbers["speed_mult"].get(name, 1)) ** n for name, n in within.cards.items())
        head[BL.FACTOR] = min(factor, 1_000)
        now = rulings.weathers.get(self._table.weather)
        faces = [*rulings.weathers.values()] if within.days else []
        head[BL.WEATHER] = max([0, *(face.speed for face in (*faces, *([now] if now else ())))])
        entry = rulings.options["leg_entry"] == "set" or rulings.rules.death_at is not None
        words = rulings.options["cloud_scope"] == "all_parts" or rulings.no_starve_effect
        split = factor > 1 and rulings.options["speed_multiplier"] == "own_cards"
        head[BL.SLOWS] = rulings.rules.condition_speed == "half_up" and not (entry or words or split)
        track = rulings.track(self._table.legs)
        fixed = [int(leg.passive["leg_card_move"]["n"]) for leg in track if leg and "leg_card_move" in leg.passive]
        head[BL.FIXED] = max([-1, *fixed]) if rulings.final_distance else -1
        head[BL.OTHERS] = _dogs(rulings) - 1 if rulings.count_everything else 0

    def _raises(self) -> None:
        within, head, turns = self._within, self._head, self._turns
        numbers = [0] * (BL.BK_W * (max(self._kinds.values()) + 1))
        for name, offer in self._offers.items():
            at = BL.BK_W * self._kinds[name]
            numbers[at : at + BL.BK_W] = (offer.raises, offer.legs, offer.eases > 0, within.cards[name])
        self._put(BL.KINDS, numbers)
        raising = [name for name, offer in self._offers.items() if offer.raises]
        raising.sort(key=lambda name: -self._offers[name].raises)
        self._put(BL.RAISES, [self._kinds[name] for name in raising])
        head[BL.N_RAISES] = len(raising)
        copies = self._copies
        eases = sorted(
            (o.eases for name, o in self._offers.items() for _ in range(copies(name)) if o.eases), reverse=True
        )
        self._put(BL.EASES, _sums(eases, turns))
        self._nets()
        each = [self._offers[name].raises for name in raising for _ in range(within.cards[name])]
        top = sum(each[: turns + IN_PLAY])
        self._top = min(FASTEST, int((top + head[BL.WEATHER]) * head[BL.FACTOR]) + 1)

    def _copies(self, name: str) -> int:
        """Return how often a card may be played at most."""
        return min(self._turns, self._within.cards[name] * (self._days + 1)) if self._within.once else self._turns

    def _nets(self) -> None:
        """Write by number of raising plays how many of them also move, and the least cards that the others take."""
        rows = []
        raising = [(name, offer) for name, offer in self._offers.items() if offer.is_raise]
        both = sum(self._copies(name) for name, offer in raising if offer.moves)
        alone = [offer for name, offer in raising if not offer.moves for _ in range(self._copies(name))]
        # Food and care act before they are paid, and so in vain too (R21).
        totals = _sums(sorted(min(offer.total, 1) if offer.eases else offer.total for offer in alone), self._turns)
        for plays in range(self._turns + 1):
            also = min(plays, both)
            rows += [also, min(totals[plays - also : plays + 1])]
        self._put(BL.NETS, rows)

    def _movement(self) -> None:
        head, within = self._head, self._within
        speeds = range(LEAST_SPEED, self._top + 1)
        head[BL.LOW], head[BL.SPEEDS] = LEAST_SPEED, len(speeds)
        head[BL.TURNS], head[BL.DAYS] = self._turns, self._days
        head[BL.LEFT] = not within.days and within.once
        own = sum(within.cards.values())
        head[BL.TOTAL] = max(1, min(TOTAL, own + 2)) if within.counted and not self._days else 0
        days_move = [
            n for name, n in self._rulings.numbers["day_end_empty_move"].items() for _ in range(within.cards[name])
        ]
        self._put(BL.DAY_MOVE, [sum(max(0, n + speed) for n in days_move) for speed in speeds])
        head[BL.N_KINDS] = kinds = max(self._kinds.values()) + 1
        gains = {
            name: array("i", [self._distance(offer, speed) for speed in speeds]) for name, offer in self._offers.items()
        }
        rows = [0] * (kinds * len(speeds))
        for name, gain in gains.items():
            rows[self._kinds[name] :: kinds] = gain
        self._put(BL.GAINS, rows)
        moving = [name for name, offer in self._offers.items() if offer.moves]
        head[BL.N_MOVING] = len(moving)
        for place in range(len(speeds)):
            moving.sort(key=lambda name: -gains[name][place])
            order = [self._kinds[name] for name in moving]
            if place:
                self._body.extend(order)
            else:
                self._put(BL.ORDER, order)
        self._put(BL.JUMPS, self._jumps(gains, int(head[BL.TOTAL])))

    def _distance(self, offer: Offer, speed: int) -> int:
        spaces = offer.distance(speed)
        return max(spaces, int(self._head[BL.FIXED]) * sum(factor for _, factor in offer.moves))

    def _jumps(self, gains: Mapping[str, array[int]], most: int) -> array[int]:
        """Return the greatest distances by new days, speed, plays and cards up to ``most``.

        The last number of new days stands for all from there on.
        """
        speeds, turns = int(self._head[BL.SPEEDS]), self._turns
        if not self._within.once:
            each = [max((gain[place] for gain in gains.values()), default=0) for place in range(speeds)]
            return array("i", [plays * gain for gain in each for plays in range(turns + 1)]) * (self._days + 1)
        costs = {name: offer.total if most else 0 for name, offer in self._offers.items()}
        # A play in vain takes a card, unless a risk card can be played in vain for none.
        in_vain = most and not any(self._rulings.cards[name].risk and cost <= 1 for name, cost in costs.items())
        useful = [name for name, gain in gains.items() if any(gain) or costs[name] < in_vain]
        low = min(most, sum(max(0, -costs[name]) * self._within.cards[name] for name in useful))
        width = most + low + 1
        best = array("i", [NONE]) * (speeds * (turns + 1) * width)
        best[low :: (turns + 1) * width] = array("i", [0] * speeds)
        found = array("i")
        for day in range(self._days + 1):
            for name in useful:
                copies = turns if 0 < day == self._days else min(turns, self._within.cards[name])
                put(best, gains[name], turns, width, copies, costs[name])
            filled = best[:]
            fill(filled, speeds, turns, width, int(in_vain))
            for at in range(low, len(best), width):
                found += filled[at : at + most + 1]
        return found


def _sums(numbers: list[int], most: int) -> list[int]:
    """Return the sums of the first 0, 1, … ``most`` numbers; short lists keep their last sum."""
    sums = [0, *accumulate(numbers[:most])]
    return sums + [sums[-1]] * (most + 1 - len(sums))
