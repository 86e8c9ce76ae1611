# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""A lower bound of the turns from a row to a target, why it holds, and a guess for beams.

The bound plays an easier game than the real one. Every real line of T turns is a line of it, so no real line gets
further than its best.

- *Order is free.* Every card within reach may be played on any turn. Where nothing brings cards back, each copy is
  played once on each day. Without new days either, only copies of hand and deck are left. A turn is one play, from
  the hand or as a risk card, or one new day (R14, R29). Cards that wait on the risk stack take effect besides, for
  nothing, at once.
- *Speed.* Plays that raise the speed come first. A dog counts with the best leg. Nothing that slows the sled is
  counted, since its owner may do without it.
- *Movement* happens at the final speed, at the greater of a card's distance and those that legs print (Q14).

Where something within reach could break one of these limits, ``BoundTable`` drops that limit. It writes what the cards
of one question offer at most. ``least`` and ``evaluate`` are called for every position that is generated: ``s`` are
rows, ``b`` is where a row begins, ``t`` is the table of the machine, ``o`` that of the bound, and ``x`` is room.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, repeat
from math import prod
from typing import Any, Final

from rules.iditacards import state
from rules.iditacards.content import ops_bringing
from rules.iditacards.turn import Rulings, offer_of
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.tables import Tables
from solver.search.native import Longs, Row, Table

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


class BoundTable:
    """Writes the table of the bound (int32, ``question_layout``) for a target."""

    def __init__(self, tables: Tables, live: Any, turns: int | None, target: int) -> None:
        rulings, table = tables.rulings, tables.start
        self._rulings = rulings
        self._table = table
        self._kinds = tables.kinds
        self._new_days = live.new_days
        player = table.players[0]
        waiting = (frame.card for frame in player.stack)
        cards = Counter((*player.hand, *player.deck, *player.seen, *waiting, *state.in_play(player.dogs)))
        if live.back:
            cards.update((*player.discard, *player.resolved))
        cards.update(live.reach - cards.keys())
        self._cards = cards
        returns = any(card.passive.get("dies_to", {}).get("zone") == "hand" for card in live.cards)
        anew = live.ops & RETURNING or "leg_turn_end_recover" in live.leg_effects
        self._once = not (live.gains or live.takes_legendary or returns or anew)
        legs = [leg.passive for leg in rulings.track(table.legs)[:target] if leg is not None]
        each = max(0, max((effects["leg_dog_speed"]["n"] for effects in legs if "leg_dog_speed" in effects), default=0))
        self._dogs = max(rulings.rules.dog_limit, 1) * max(1, max(rulings.numbers["counts_as"].values(), default=1))
        counts = rulings.numbers["counts_as"] if rulings.count_everything else {}
        self._legs = {name: each * counts.get(name, 1) * offer_of(rulings, name).is_dog for name in cards}
        self._raises = {name: self._raised(name, counts.get(name, 1)) for name in cards}
        self._moves = {name: self._moved(name) for name in cards}
        most = LONG if live.new_days else TURNS
        self._turns = most if turns is None else max(1, min(most, turns))
        self._days = min(DAYS, self._turns) if live.new_days else 0
        self._head = [0] * Q.B_HEADER

    def written(self) -> array[int]:
        """Return the table."""
        body = array("i")
        self._put_speed(self._rulings)
        for name, part in chain(self._raise_parts(), self._move_parts()):
            self._head[name] = Q.B_HEADER + len(body)
            body.extend(part)
        return array("i", self._head) + body

    # What one card brings at most, once it takes effect

    def _raised(self, name: str, counts: int) -> int:
        """Return the speed that a card adds on the best leg."""
        rulings, offer = self._rulings, offer_of(self._rulings, name)
        if rulings.cards[name].type not in ("dog", "attachment"):
            return 0
        others = (self._dogs - 1) * offer.others
        if offer.is_dog:
            others = counts * (others + sum(offer_of(rulings, each).others * n for each, n in self._cards.items()))
        return offer.speed + others + self._legs[name]

    def _moved(self, name: str) -> list[tuple[int, int]]:
        """Return distance and factor of each move of a card, at the best number that a leg may print instead."""
        rulings = self._rulings
        legs = rulings.content.legs.values() if rulings.cards[name].type == "movement" else ()
        printed = [leg.passive["leg_card_move"]["n"] for leg in legs if "leg_card_move" in leg.passive]
        times = 1 if rulings.numbers["double_risk"].keys().isdisjoint(self._cards) else 2
        moves = offer_of(rulings, name).moves
        return [(max(distance, max(printed, default=distance)), times * factor) for distance, factor in moves]

    # The parts of the table

    def _put_speed(self, rulings: Rulings) -> None:
        head = self._head
        head[Q.B_AUTO] = -1 if rulings.auto_base is None else rulings.auto_base
        factor = prod(offer_of(rulings, name).factor ** n for name, n in self._cards.items())
        head[Q.B_FACTOR] = min(factor, 1_000)
        now = rulings.weathers.get(self._table.weather)
        faces = [*(rulings.weathers.values() if self._new_days else ()), *([now] if now else ())]
        head[Q.B_WEATHER] = max(0, max((face.speed for face in faces), default=0))
        track = rulings.track(self._table.legs)
        fixed = [int(leg.passive["leg_card_move"]["n"]) for leg in track if leg and "leg_card_move" in leg.passive]
        head[Q.B_FIXED] = max(fixed, default=-1) if rulings.final_distance else -1
        head[Q.B_OTHERS] = self._dogs - 1 if rulings.count_everything else 0

    def _raise_parts(self) -> Iterator[tuple[int, Iterable[int]]]:
        head, kinds = self._head, self._kinds
        numbers = [0] * (Q.B_KIND_W * (max(kinds.values()) + 1))
        for name, copies in self._cards.items():
            at = Q.B_KIND_W * kinds[name]
            numbers[at : at + Q.B_KIND_W] = (self._raises[name], self._legs[name], copies)
        yield Q.B_KINDS, numbers
        raising = sorted((name for name, n in self._raises.items() if n), key=lambda name: -self._raises[name])
        yield Q.B_RAISES, [kinds[name] for name in raising]
        head[Q.B_N_RAISES] = len(raising)
        both = [name for name, moves in self._moves.items() if moves and self._raises[name]]
        head[Q.B_BOTH] = sum(self._copies(name, self._days, ever=not self._once) for name in both)

    def _copies(self, name: str, days: int, *, ever: bool) -> int:
        """Return how often a card may be played at most: each copy once on each day, or ``ever`` so often."""
        return self._turns if ever else min(self._turns, self._cards[name] * (days + 1))

    def _move_parts(self) -> Iterator[tuple[int, Iterable[int]]]:
        head = self._head
        raises = sorted((self._raises[name] for name in self._cards.elements()), reverse=True)
        top = (sum(raises[: self._turns + IN_PLAY]) + head[Q.B_WEATHER]) * head[Q.B_FACTOR] + 1
        speeds = range(LEAST_SPEED, min(FASTEST, top) + 1)
        head[Q.B_LOW], head[Q.B_SPEEDS] = LEAST_SPEED, len(speeds)
        head[Q.B_TURNS], head[Q.B_DAYS] = self._turns, self._days
        head[Q.B_LEFT] = not self._new_days and self._once
        idle = self._rulings.numbers["day_end_empty_move"]
        moves = [n for name, n in idle.items() for _ in range(self._cards[name])]
        yield Q.B_DAY_MOVE, [sum(max(0, n + speed) for n in moves) for speed in speeds]
        head[Q.B_N_KINDS] = kinds = max(self._kinds.values()) + 1
        gains = {name: [self._distance(name, speed) for speed in speeds] for name in self._cards}
        rows = [0] * (kinds * len(speeds))
        for name, gain in gains.items():
            rows[self._kinds[name] :: kinds] = gain
        yield Q.B_GAINS, rows
        moving = [name for name, moves in self._moves.items() if moves]
        orders = [sorted(moving, key=lambda name: -gains[name][place]) for place in range(len(speeds))]
        head[Q.B_N_MOVING] = len(moving)
        yield Q.B_ORDER, [self._kinds[name] for order in orders for name in order]
        yield Q.B_JUMPS, chain.from_iterable(self._jumps(gains, orders))

    def _distance(self, name: str, speed: int) -> int:
        """Return the spaces of the moves of a card at a speed."""
        moves, fixed = self._moves[name], self._head[Q.B_FIXED]
        return max(sum(n * max(0, distance + speed) for distance, n in moves), fixed * sum(n for _, n in moves))

    def _jumps(self, gains: Mapping[str, Sequence[int]], orders: Sequence[Sequence[str]]) -> Iterator[Sequence[int]]:
        """Yield the greatest distances of 0, 1, … plays, by new days and speed.

        The last number of new days stands for all from there on.
        """
        for day in range(self._days + 1):
            ever = not self._once or 0 < day == self._days
            copies = {name: self._copies(name, day, ever=ever) for name in self._cards}
            for place, order in enumerate(orders):
                jumps = chain.from_iterable(repeat(gains[name][place], copies[name]) for name in order)
                yield list(accumulate(islice(chain(jumps, repeat(0)), self._turns), initial=0))


def least(s: Row, b: int, t: Table, o: Table, target: int, x: Longs) -> int:
    """Return a number of further turns to a space that no line falls below, ``NEVER`` where there is no line.

    ``x`` is room for ``B_ROOM`` numbers.
    """
    need = target - s[b + L.POSITION]
    if need <= 0:
        return 0
    if s[b + L.OVER]:
        return Q.NEVER
    base = own_speed(s, b, t, o)
    waiting = s[b + L.N_STACK]
    for i in range(waiting):
        kind = s[b + L.STACK + L.FRAME_W * i]
        base += o[o[Q.B_KINDS] + Q.B_KIND_W * kind + Q.B_KIND_RAISE]
        x[Q.B_WAITING + i] = kind
    # By kind how many copies may still be played.
    for kind in range(t[L.H_KINDS] + 1):
        x[kind] = 0 if o[Q.B_LEFT] else o[o[Q.B_KINDS] + Q.B_KIND_W * kind + Q.B_KIND_COPIES]
    if o[Q.B_LEFT]:
        for i in range(b + L.HAND, b + L.HAND + s[b + L.N_HAND]):
            x[s[i] & L.AGE - 1] += 1
        for i in range(b + L.DECK, b + L.DECK + s[b + L.N_DECK]):
            x[s[i]] += 1
        for i in range(b + L.SEEN, b + L.SEEN + s[b + L.N_SEEN]):
            x[s[i]] += 1
    else:
        for i in range(b + L.DOGS, b + L.DOGS + L.DOG_W * s[b + L.N_DOGS]):
            x[s[i]] -= 1
    raises = write_speeds(o, x, base)
    for horizon in range(1, o[Q.B_TURNS] + 1):
        if farthest(o, x, horizon, raises, waiting, need) >= need:
            return horizon
    last: int = o[Q.B_TURNS] + 1
    return last


def own_speed(s: Row, b: int, t: Table, o: Table) -> int:
    """Return the greatest speed of the cards in play on any leg ahead; who slows the sled may be done without."""
    cards = t[L.H_CARDS]
    others = o[Q.B_OTHERS] if o[Q.B_OTHERS] else s[b + L.N_DOGS] - 1
    total = 0
    for i in range(b + L.DOGS, b + L.DOGS + L.DOG_W * s[b + L.N_DOGS]):
        if s[i]:
            at = cards + L.CARD_W * s[i]
            legs = o[o[Q.B_KINDS] + Q.B_KIND_W * s[i] + Q.B_KIND_LEGS]
            total += max(0, t[at + L.C_SPEED] + max(0, t[at + L.C_SPEED_OTHER_DOGS] * others) + legs)
    return total


def write_speeds(o: Table, x: Longs, speed: int) -> int:
    """Write speed and spaces of automatic moves after 0, 1, … raising plays; return how many such plays are left."""
    plays = 0
    speed += o[Q.B_WEATHER]
    x[Q.B_SPEED] = multiplied(o, speed)
    x[Q.B_SPACES] = 0
    for i in range(o[Q.B_N_RAISES]):
        kind = o[o[Q.B_RAISES] + i]
        for _ in range(min(x[kind], o[Q.B_TURNS] - plays)):
            plays += 1
            speed += o[o[Q.B_KINDS] + Q.B_KIND_W * kind + Q.B_KIND_RAISE]
            x[Q.B_SPEED + plays] = multiplied(o, speed)
            x[Q.B_SPACES + plays] = x[Q.B_SPACES + plays - 1] + automatic(o, x[Q.B_SPEED + plays])
    return plays


def multiplied(o: Table, speed: int) -> int:
    """Return a speed at its greatest, with everything that multiplies it."""
    return speed * o[Q.B_FACTOR] if speed > 0 else speed


def automatic(o: Table, speed: int) -> int:
    """Return the spaces of one automatic move at most (R47)."""
    if o[Q.B_AUTO] < 0:
        return 0
    spaces: int = max(0, o[Q.B_AUTO] + speed, o[Q.B_FIXED])
    return spaces


def farthest(o: Table, x: Longs, turns: int, raises: int, waiting: int, need: int) -> int:
    """Return the spaces of so many turns at most, or a number from ``need`` on."""
    best = 0
    for days in range(min(o[Q.B_DAYS], turns) + 1):
        plays = turns - days
        for i in range(min(raises, plays) + 1):
            speed = x[Q.B_SPEED + i]
            place = max(0, speed - o[Q.B_LOW])
            if place >= o[Q.B_SPEEDS]:
                return need  # faster than anything that is told apart
            moving = plays - i + min(i, o[Q.B_BOTH])
            far = o[o[Q.B_JUMPS] + (days * o[Q.B_SPEEDS] + place) * (o[Q.B_TURNS] + 1) + moving]
            rest = x[Q.B_SPACES + i] + (turns - i) * automatic(o, speed) + days * o[o[Q.B_DAY_MOVE] + place]
            for j in range(waiting):
                rest += o[o[Q.B_GAINS] + place * o[Q.B_N_KINDS] + x[Q.B_WAITING + j]]
            if o[Q.B_LEFT] and rest + far >= need:
                far = min(far, of_those_left(o, x, place, moving))
            best = max(best, rest + far)
            if best >= need:
                return best
    return best


def of_those_left(o: Table, x: Longs, place: int, plays: int) -> int:
    """Return the spaces that so many of the cards that are left move at most, at a speed."""
    spaces = 0
    for i in range(o[Q.B_N_MOVING]):
        kind = o[o[Q.B_ORDER] + place * o[Q.B_N_MOVING] + i]
        copies = min(x[kind], plays)
        if copies > 0:
            spaces += copies * o[o[Q.B_GAINS] + place * o[Q.B_N_KINDS] + kind]
            plays -= copies
        if plays == 0:
            break
    return spaces


# The guess for beams. It proves nothing.


def add_moves(s: Row, start: int, n: int, t: Table, sums: Longs) -> None:
    """Add up what n cards move, how many times the speed comes to it, the speed that they bring in play, and n."""
    sums[3] += n
    for i in range(n):
        card = t[L.H_CARDS] + L.CARD_W * (s[start + i] & L.AGE - 1)
        sums[2] += t[card + L.C_SPEED]
        first = t[card + L.C_OP]
        for op in range(first, first + t[card + L.C_OPS]):
            at = t[L.H_OPS] + L.OP_W * op
            if t[at + L.OP_CODE] == L.OP_MOVE:
                times = t[at + L.OP_C]
                if t[at + L.OP_B]:
                    times *= 2
                sums[0] += times * t[at + L.OP_A]
                sums[1] += times


def evaluate(s: Row, b: int, t: Table, sums: Longs) -> int:
    """Return how good a row looks: minus the turns left at the pace of plain play. ``sums`` is room for four numbers.

    The pace is without weather, legs and conditions to come. It is the automatic move, and what the moving cards of the
    deck bring a turn. A day sees a hand and half as many again. So a card that was gained counts from then on. The
    weights were found by trying on whole races.
    """
    cards = s[b + L.N_HAND] - s[b + L.OWED + s[b + L.AGES]]
    good: int = 2 * s[b + L.POSITION] + cards
    if t[L.H_TARGET] == 0:
        return good
    speed = 0
    hand = t[L.H_STARTING_HAND]
    dogs = s[b + L.N_DOGS]
    for i in range(b + L.DOGS, b + L.DOGS + L.DOG_W * dogs):
        at = t[L.H_CARDS] + L.CARD_W * s[i]
        speed += t[at + L.C_SPEED] + t[at + L.C_SPEED_OTHER_DOGS] * (dogs - 1)
        hand += t[at + L.C_DAY_DRAW]
    sums[0] = sums[1] = sums[2] = sums[3] = 0
    add_moves(s, b + L.HAND, s[b + L.N_HAND], t, sums)
    near = max(0, sums[0] + sums[1] * speed)
    for i in range(s[b + L.N_STACK]):
        add_moves(s, b + L.STACK + L.FRAME_W * i, 1, t, sums)
    rest = max(0, t[L.H_TARGET] - s[b + L.POSITION] - max(0, sums[0] + sums[1] * speed - near))
    add_moves(s, b + L.DECK, s[b + L.N_DECK], t, sums)
    add_moves(s, b + L.DISCARD, s[b + L.N_DISCARD], t, sums)
    add_moves(s, b + L.RESOLVED, s[b + L.N_RESOLVED], t, sums)
    own = max(1, s[b + L.N_HAND] + s[b + L.N_DECK] + s[b + L.N_DISCARD] + s[b + L.N_RESOLVED])
    pace = Q.G_SPACE * speed + Q.G_COMING * sums[2]
    moved = max(0, Q.G_SPACE * sums[0] + sums[1] * pace) * min(2 * own, 3 * hand) // (2 * own)
    rate = max(Q.G_LEAST, Q.G_SPACE + pace + moved * 7 // (2 * (10 + 9 * hand)))
    good = Q.G_CARD * cards + Q.G_REST * s[b + L.N_DECK] + Q.G_NEAR * near - Q.G_TURN * Q.G_SPACE * rest // rate
    good -= Q.G_POINT * (s[b + L.HYPOTHERMIA] + s[b + L.STARVATION])
    return good
