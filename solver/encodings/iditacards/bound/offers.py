"""What the cards of one question offer at most: the table behind ``lower_bound.py``, and why it holds.

The bound plays an easier game than the real one. Every real line of T turns is a line of it, so no real line gets
further than its best.

- *Order is free.* Every card within reach may be played on any turn. Where nothing brings cards back, each copy is
  played once on each day. Without new days either, only copies of hand and deck are left. A turn is one play, from
  the hand or as a risk card, or one new day (R14, R29). Cards that wait on the risk stack take effect besides, for
  nothing, once enough turns have gone by.
- *Speed.* Plays that raise the speed come first. A dog counts with the best leg, a condition as far as it is
  there now. Nothing that slows the sled is counted except conditions, since their owner may do without it.
- *Movement* happens at the final speed, at the greater of a card's distance and those that legs print (Q14).

Where something within reach could break one of these limits, ``Reach`` drops that limit.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, repeat
from math import prod
from typing import Final

from rules.iditacards.content import Card, Effect, ops_bringing
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import Rulings
from solver.encodings.iditacards.bound import layout as BL
from solver.encodings.iditacards.liveness import Liveness

LEAST_SPEED: Final = -4
TURNS: Final = 14
"""Turns up to which the bound tells them apart without new days,"""
LONG: Final = 24
"""and with them."""
IN_PLAY: Final = 24
"""Cards in play that may give speed, about: it only says which speeds are worked out."""
FASTEST: Final = 160
"""Speed from which on nothing is excluded."""
DAYS: Final = 6
RETURNING: Final = ops_bringing("discard", "supply", "day")
"""Ops that bring back cards that were played, or bring cards from elsewhere into the hand."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The cards that a seat may come to play, and which limits hold for all of them."""

    cards: Counter[str]
    """Every such card with its copies, those in play included."""
    days: bool
    """A new day may come."""
    once: bool
    """A copy is played once on each day."""
    leg_speed: int
    """The most that a leg adds for each dog."""


def reach(rulings: Rulings, table: Table, live: Liveness, limit: int) -> Reach:
    """Return what a player alone may come to play from a table before it is at space ``limit``."""
    player = table.players[0]
    waiting = (frame.card for frame in player.stack)
    cards = Counter((*player.hand, *player.deck, *player.seen, *waiting, *in_play(player.dogs)))
    if live.back:
        cards.update((*player.discard, *player.resolved))
    gained = live.gains or live.takes_legendary
    cards.update(live.reach - cards.keys())
    returns = any(card.passive.get("dies_to", {}).get("zone") == "hand" for card in live.cards)
    anew = live.ops & RETURNING or "leg_turn_end_recover" in live.leg_effects
    legs = [leg.passive for leg in rulings.track(table.legs)[:limit] if leg is not None]
    each = max((int(effects["leg_dog_speed"]["n"]) for effects in legs if "leg_dog_speed" in effects), default=0)
    return Reach(cards, live.new_days, not (gained or returns or anew), max(0, each))


@dataclass(frozen=True, slots=True)
class Offer:
    """What one card brings at most, once it takes effect."""

    raises: int
    legs: int
    """The part of it that legs add for dogs."""
    eases: int
    """Points of conditions that it takes away."""
    moves: tuple[tuple[int, int], ...]
    """Distance and factor of each of its moves."""

    @property
    def is_raise(self) -> bool:
        """Whether it may raise the speed."""
        return self.raises > 0 or self.eases > 0

    def distance(self, speed: int) -> int:
        """Return the spaces of its moves at a speed."""
        return sum(factor * max(0, distance + speed) for distance, factor in self.moves)


def offer(rulings: Rulings, within: Reach, card: Card) -> Offer:
    """Return what a card within reach brings at most."""
    times = 2 if any(name in rulings.numbers["double_risk"] for name in within.cards) else 1
    dogs = _dogs(rulings)
    counts = card.number("counts_as", 1) if rulings.count_everything else 1
    others = (dogs - 1) * max(0, card.number("speed_other_dogs"))
    if card.type == "dog":
        others += sum(max(0, rulings.numbers["speed_other_dogs"].get(name, 0)) * n for name, n in within.cards.items())
        others *= counts
    legs = within.leg_speed * counts if card.type == "dog" else 0
    return Offer(
        raises=max(0, card.number("speed")) + others + legs if card.type in ("dog", "attachment") else 0,
        legs=legs,
        eases=min(
            rulings.rules.condition_cap or 99, int(card.type in ("food", "personal")) + sum(map(_eased, card.instant))
        ),
        moves=tuple(_moves(rulings, card, times)),
    )


def _dogs(rulings: Rulings) -> int:
    """Return the most dogs that may count at a time."""
    return max(rulings.rules.dog_limit, 1) * max(1, max(rulings.numbers["counts_as"].values(), default=1))


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
    rulings: Rulings, table: Table, live: Liveness, turns: int | None, kinds: Mapping[str, int], limit: int
) -> array[int]:
    """Return the table of the bound (int32, ``layout``) for targets up to space ``limit``.

    ``kinds`` numbers the cards from 1.
    """
    assert len(kinds) < BL.SPEED
    return _Writer(rulings, table, reach(rulings, table, live, limit), turns, kinds).written()


class _Writer:
    """Puts the parts of the table one after the other."""

    def __init__(
        self, rulings: Rulings, table: Table, within: Reach, turns: int | None, kinds: Mapping[str, int]
    ) -> None:
        self._rulings, self._table, self._within, self._kinds = rulings, table, within, kinds
        self._offers = {name: offer(rulings, within, rulings.cards[name]) for name in within.cards}
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
        eases = (o.eases for name, o in self._offers.items() for _ in range(copies(name)) if o.eases)
        self._put(BL.EASES, _sums(sorted(eases, reverse=True), turns))
        head[BL.BOTH] = sum(copies(name) for name, offer in self._offers.items() if offer.is_raise and offer.moves)
        each = [self._offers[name].raises for name in raising for _ in range(within.cards[name])]
        top = sum(each[: turns + IN_PLAY])
        self._top = min(FASTEST, int((top + head[BL.WEATHER]) * head[BL.FACTOR]) + 1)

    def _copies(self, name: str) -> int:
        """Return how often a card may be played at most."""
        return min(self._turns, self._within.cards[name] * (self._days + 1)) if self._within.once else self._turns

    def _movement(self) -> None:
        head, within = self._head, self._within
        speeds = range(LEAST_SPEED, self._top + 1)
        head[BL.LOW], head[BL.SPEEDS] = LEAST_SPEED, len(speeds)
        head[BL.TURNS], head[BL.DAYS] = self._turns, self._days
        head[BL.LEFT] = not within.days and within.once
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
        orders = [sorted(moving, key=lambda name: -gains[name][place]) for place in range(len(speeds))]
        head[BL.N_MOVING] = len(moving)
        self._put(BL.ORDER, [self._kinds[name] for order in orders for name in order])
        self._put(BL.JUMPS, chain.from_iterable(self._jumps(gains, orders)))

    def _distance(self, offer: Offer, speed: int) -> int:
        spaces = offer.distance(speed)
        return max(spaces, int(self._head[BL.FIXED]) * sum(factor for _, factor in offer.moves))

    def _jumps(self, gains: Mapping[str, array[int]], orders: Sequence[Sequence[str]]) -> Iterator[Sequence[int]]:
        """Yield the greatest distances of 0, 1, … plays, by new days and speed.

        The last number of new days stands for all from there on.
        """
        turns, within = self._turns, self._within
        for day in range(self._days + 1):
            ever = not within.once or 0 < day == self._days
            copies = {name: turns if ever else min(turns, within.cards[name] * (day + 1)) for name in gains}
            for place, order in enumerate(orders):
                plays = chain.from_iterable(repeat(gains[name][place], copies[name]) for name in order)
                yield _sums(plays, turns)


def _sums(numbers: Iterable[int], most: int) -> list[int]:
    """Return the sums of the first 0, 1, … ``most`` numbers; short lists keep their last sum."""
    sums = [0, *accumulate(islice(numbers, most))]
    return sums + [sums[-1]] * (most + 1 - len(sums))
