# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The rollout policy: plain play, which looks a little ahead and searches nothing.

Every option is judged by the row that it leads to: the space, what the rest of the turn and of the day bring beyond
the pace, and the pace for the turns that are left. The pace is the automatic move and what own cards move, spread over
the turns for which the cards of a day last, as a mean over the weather.
Nothing is read that the player does not see: of a deck only which cards it holds. Nothing here is a rule or a bound.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from solver.encodings.iditacards import bound, machine, sled, zones
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.hidden.hidden_rows import HiddenRows
from solver.search import native
from solver.search.native import Doubles, Longs, Row, Table, Word


def stride(s: Row, b: int, t: Table) -> int:
    """Return the automatic move as things stand."""
    if t[L.H_AUTO_MOVE] < 0 or sled.cannot_move(s, b, t):
        return 0
    troubles = sled.conditions(s, b, t) if t[L.H_AUTO_MOVE_BY_CONDITION] else 0
    distance = t[L.H_AUTO_MOVE] + sled.speed(s, b, t)
    if troubles == 1 or (distance < 0 and (t[L.H_AUTO_MOVE_BY_CONDITION] or not t[L.H_NEGATIVE_DISTANCE_BACKWARD])):
        return 0
    return -distance if troubles else distance


def reckon(s: Row, b: int, t: Table, x: Doubles) -> None:
    """Reckon the pace in the long run and the automatic move without conditions, as means over the weather."""
    face_now = s[b + L.WEATHER]
    cold = s[b + L.HYPOTHERMIA]
    hungry = s[b + L.STARVATION]
    s[b + L.HYPOTHERMIA] = s[b + L.STARVATION] = 0
    cards = x[Q.OWN] if x[Q.OWN] > 1 else 1.0
    x[Q.USUAL] = x[Q.PACE] = 0
    n = t[L.H_FACES] if t[L.H_FACES] else 1
    for i in range(n):
        if t[L.H_FACES]:
            s[b + L.WEATHER] = i + 1
        hand = machine.hand_size(s, b, t)
        seen = x[Q.SEEN] * hand / cards
        moved: float = x[Q.PRINTED] + x[Q.SPEEDS] * sled.speed(s, b, t)
        if moved < 0 or sled.cannot_move(s, b, t):
            moved = 0
        step: float = 1.0 * stride(s, b, t)
        moved = x[Q.MET] * (seen if seen < 1 else 1) * moved / (1 + x[Q.TURNS_A_CARD] * hand)
        x[Q.PACE] += (x[Q.FREE] * step + moved) / n
        x[Q.USUAL] += step / n
    s[b + L.WEATHER] = face_now
    s[b + L.HYPOTHERMIA] = cold
    s[b + L.STARVATION] = hungry
    if x[Q.PACE] < x[Q.SLOWEST]:
        x[Q.PACE] = x[Q.SLOWEST]


def has_slot(s: Row, b: int, t: Table) -> int:
    """Return whether some dog can wear one more attachment."""
    for dog in range(s[b + L.N_DOGS]):
        at = b + L.DOGS + L.DOG_W * dog
        slots = t[t[L.H_CARDS] + L.CARD_W * s[at] + L.C_ATTACH_SLOTS]
        if slots > 0 and (slots > L.MOST_ATTACHMENTS or s[at + slots] == 0):
            return 1
    return 0


def brings(s: Row, b: int, t: Table, x: Doubles, kind: int) -> float:
    """Return what a card brings when it takes effect, in spaces."""
    card = t[L.H_CARDS] + L.CARD_W * kind
    value: float = 0.0
    first = t[card + L.C_OP]
    kind_of = t[card + L.C_TYPE]
    if kind_of <= L.TYPE_ATTACHMENT:
        faster: float = t[card + L.C_SPEED] + t[card + L.C_SPEED_OTHER_DOGS] * (s[b + L.N_DOGS] - (1 if kind_of else 0))
        if t[card + L.C_SPEED_MULT] > 1:
            faster += 3
        value += x[Q.IN_PLAY] * x[Q.AHEAD] * faster
        if s[b + L.N_DOGS] >= t[L.H_DOG_LIMIT] if kind_of == L.TYPE_DOG else has_slot(s, b, t) == 0:
            value = value / 4  # it takes the place of another one
    if kind_of == L.TYPE_DAMAGE:
        value += x[Q.DAMAGE]  # it is destroyed
    if kind_of == L.TYPE_FOOD and s[b + L.STARVATION] > 0:
        value += x[Q.POINT]
    if kind_of == L.TYPE_PERSONAL and s[b + L.HYPOTHERMIA] > 0:
        value += x[Q.POINT]
    for op in range(first, first + t[card + L.C_OPS]):
        at = t[L.H_OPS] + L.OP_W * op
        code = t[at + L.OP_CODE]
        n = t[at + L.OP_A]
        if n >= L.ALL:
            n = 3
        if code == L.OP_MOVE:
            times = t[at + L.OP_C] * (2 if t[at + L.OP_B] else 1)
            value += max(0, times * (n + x[Q.SPEED])) if x[Q.MOVES] else 0
        elif code == L.OP_MOVE_BACK:
            value -= n
        elif code == L.OP_DRAW or code == L.OP_RECOVER:
            n = n * (s[b + L.N_DOGS] if t[at + L.OP_B] and code == L.OP_DRAW else 1)
            value += min(n, s[b + L.N_DECK] if code == L.OP_DRAW else s[b + L.N_DISCARD]) * x[Q.CARD]
        elif code == L.OP_CONDITION:
            points = s[b + L.HYPOTHERMIA + n]
            value -= x[Q.POINT] * (t[at + L.OP_B] if points + t[at + L.OP_B] >= 0 else -points)
        elif code == L.OP_CLEAR:
            value += x[Q.POINT] * s[b + L.HYPOTHERMIA + n]
        elif code == L.OP_HEAL or code == L.OP_DESTROY_NEXT:
            value += n * x[Q.THINNER]
        elif code == L.OP_DAMAGE:
            value -= n * x[Q.DAMAGE]
    return value


def comes_through(s: Row, b: int, t: Table, risk: int, hand: int, deck: int) -> float:
    """Return about the chance that so many risk cards can be paid with so many cards in hand."""
    n = s[b + L.N_DECK]
    if n < risk or sled.leg_flag(s, b, t, L.LEG_RISKS_FIZZLE):
        return 0
    fits: float = 0.0
    for i in range(b + L.DECK, b + L.DECK + n):
        card = t[L.H_CARDS] + L.CARD_W * s[i]
        cost = sled.energy_cost(s, b, t, s[i])
        pays = 1 if cost <= hand and sled.health_cost(s, b, t, t[card + L.C_HEALTH]) < deck else 0
        if pays and t[card + L.C_TYPE] != L.TYPE_DAMAGE:
            fits += 0 if t[card + L.C_RISK] else 1
    chance: float = 1.0
    for _ in range(risk):
        chance = chance * fits / n
    return chance


def playing(s: Row, b: int, t: Table, x: Doubles, kind: int, hand: int) -> float:
    """Return what it brings beyond the pace to play a card, what pays its energy apart."""
    card = t[L.H_CARDS] + L.CARD_W * kind
    if t[card + L.C_FORBIDDEN]:
        return -1000
    energy = sled.energy_cost(s, b, t, kind)
    if energy == L.ALL:
        energy = hand - 1
    health = sled.health_cost(s, b, t, t[card + L.C_HEALTH])
    if energy > hand - 1 or health > s[b + L.N_DECK]:
        return x[Q.OVER]
    risk = sled.risk_cost(s, b, t, kind)
    chance: float = comes_through(s, b, t, risk, hand - 1 - energy, s[b + L.N_DECK] - health) if risk else 1
    return (1 + risk) * x[Q.OVER] + chance * brings(s, b, t, x, kind) - energy * x[Q.CARD]


def value_of(s: Row, b: int, t: Table, x: Doubles, sums: Longs, goal: int, target: int) -> float:
    """Return how good a row is: the turns to go less those left, or the spaces that are reached."""
    cards = s[b + L.N_HAND] - zones.owed(s, b)
    sums[0] = sums[1] = sums[2] = sums[3] = 0
    bound.add_moves(s, b + L.HAND, s[b + L.N_HAND], t, sums)
    bound.add_moves(s, b + L.DECK, s[b + L.N_DECK], t, sums)
    bound.add_moves(s, b + L.DISCARD, s[b + L.N_DISCARD], t, sums)
    bound.add_moves(s, b + L.RESOLVED, s[b + L.N_RESOLVED], t, sums)
    bound.add_moves(s, b + L.SEEN, s[b + L.N_SEEN], t, sums)
    for i in range(s[b + L.N_STACK]):
        bound.add_moves(s, b + L.STACK + L.FRAME_W * i, 1, t, sums)
    x[Q.PRINTED] = sums[0]
    x[Q.SPEEDS] = sums[1]
    x[Q.OWN] = sums[3]
    reckon(s, b, t, x)
    pace: float = x[Q.PACE]
    rest: float = target - s[b + L.POSITION]
    left: float = s[b + L.LEFT]
    ahead: float = rest / pace if goal == Q.GOAL_TURNS and rest > 0 else left
    x[Q.AHEAD] = ahead if ahead < x[Q.LONGEST] else x[Q.LONGEST]
    x[Q.POINT] = x[Q.DEARER] / t[L.H_CONDITION_COST] if t[L.H_CONDITION_COST] else 0
    if t[L.H_CONDITION_SPEED_HALF_UP]:
        x[Q.POINT] += x[Q.SLOWER]
    if t[L.H_AUTO_MOVE_BY_CONDITION]:
        x[Q.POINT] += x[Q.STOPPED] * x[Q.AHEAD] * (x[Q.USUAL] if x[Q.USUAL] > 2 else 2)
    x[Q.MOVES] = 1 - sled.cannot_move(s, b, t)
    x[Q.SPEED] = sled.speed(s, b, t)
    x[Q.OVER] = stride(s, b, t) - pace
    x[Q.CARD] = x[Q.LAST_CARD] if x[Q.OVER] < x[Q.LAST_CARD] else x[Q.OVER]
    day: float = -x[Q.POINT] * (s[b + L.HYPOTHERMIA] + s[b + L.STARVATION])
    if t[L.H_AUTO_MOVE_BY_CONDITION]:
        day -= x[Q.PRESENT] * sled.conditions(s, b, t) * (x[Q.USUAL] if x[Q.USUAL] > 2 else 2)
    n = s[b + L.N_CONTROL]
    night = 0
    for i in range(n):
        code = s[b + L.CONTROL + L.CONTROL_W * i]
        if code == L.I_PAY:
            day -= s[b + L.CONTROL + L.CONTROL_W * i + 1] * x[Q.CARD]
        if code == L.I_NEW_DAY or code == L.I_EVENING or code == L.I_END_KILLS or code == L.I_NIGHT:
            night = 1
    if n and code == L.I_MAIN:
        day -= 100  # plain play takes no free action: the main action is still to come
    if night:
        step_then: float = x[Q.USUAL] - pace
        if s[b + L.HYPOTHERMIA] + s[b + L.STARVATION] > 0 and x[Q.OVER] < step_then:
            step_then = x[Q.OVER]  # a new day heals nothing
        day += step_then + x[Q.NIGHT] * of_hand(s, b, t, x, cards)
    else:
        if left > 1 or n == 0 or goal == Q.GOAL_TURNS:
            day += of_hand(s, b, t, x, cards)
        if n:
            day += x[Q.OVER]
        day += of_stack(s, b, t, x, cards)
    if goal == Q.GOAL_TURNS:
        return left - (rest - day) / pace
    return s[b + L.POSITION] + day + pace * left


def of_hand(s: Row, b: int, t: Table, x: Doubles, hand: int) -> float:
    """Return what the hand is worth, in spaces."""
    total: float = 0.0
    kept: float = 0.0
    for i in range(b + L.HAND, b + L.HAND + s[b + L.N_HAND]):
        if i == b + L.HAND or s[i] != s[i - 1]:
            later: float = x[Q.LATER] * playing(s, b, t, x, s[i] & L.AGE - 1, hand)
            kept = later if later > x[Q.CARD] else x[Q.CARD]
        total += kept
    return total


def of_stack(s: Row, b: int, t: Table, x: Doubles, hand: int) -> float:
    """Return what the cards on the table are worth that have not taken effect, in spaces."""
    total: float = 0.0
    chance: float = 1.0
    for i in range(s[b + L.N_STACK] - 1, -1, -1):
        at = b + L.STACK + L.FRAME_W * i
        kind = s[at + L.FRAME_CARD]
        if s[at + L.FRAME_STATE] & (L.FRAME_PLACED | L.FRAME_SECOND):
            continue
        need = sled.risk_cost(s, b, t, kind) - s[at + L.FRAME_PAID]
        if need > 0:
            chance = chance * comes_through(s, b, t, need, hand, s[b + L.N_DECK])
            total += need * x[Q.OVER] * chance
        total += chance * brings(s, b, t, x, kind)
    return total


class PlayoutRows(HiddenRows):
    """Rows of one question that ``playouts`` plays on; ``space`` is how far the first one got."""

    def __init__(self, memory: int, pause: Callable[[], None]) -> None:
        super().__init__(memory, pause)
        self.numbers = array("d", bytes(8 * Q.NUMBERS))
        self.own_moves = array("q", bytes(8 * 4))
        self.begun = self.dealt = self.space = 0
        self.worst = 0.0

    def chance(self, b: int, source: int, number: int) -> int:
        """Let chance bring one of its results, the part of all that a 32-bit number is; ``source`` -1 asks which."""
        s = native.shorts(self.work)
        at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
        rolls = 1 if s[at] == L.I_ROLL else 0
        if source < 0:
            return rolls
        s[b + L.N_CONTROL] = s[b + L.N_CONTROL] - 1
        if rolls:
            s[b + L.WEATHER] = 1 + (number * self.table[L.H_FACES] >> 32)
            return 0
        place = number * (s[b + L.N_DECK] + s[b + L.UNSEEN] - s[b + L.KNOWN]) >> 32
        zones.put_on_top(s, b, place, s[b + L.DECK + place])
        return 0

    def guess(self, b: int) -> float:
        """Return how good the row at b looks: more is better."""
        return value_of(
            native.shorts(self.work),
            b,
            native.ints(self.table),
            native.doubles(self.numbers),
            native.longs(self.own_moves),
            self.fades[Q.GOAL],
            self.fades[Q.TARGET],
        )

    def is_last(self, b: int) -> int:
        """Return whether the last turn begins of a question whose values are those of ``row_values``."""
        self.space = self.work[b + L.POSITION]
        return 1 if self.work[b + L.LEFT] == 1 and self.fades[Q.GOAL] != Q.GOAL_TURNS else 0

    def ended(self, b: int) -> float:
        """Return the chance, the distance, or minus the turns: all there are where the target was not reached."""
        self.space = self.work[b + L.POSITION]
        if self.fades[Q.GOAL] != Q.GOAL_TURNS:
            return self.leaf
        return self.work[b + L.LEFT] - self.begun if self.space >= self.fades[Q.TARGET] else -self.begun

    def deal(self, seed: Word) -> None:
        """Bring upgrades that nobody has seen into a new order (Durstenfeld's shuffle)."""
        t = native.ints(self.table)
        for deck in range(self.dealt):
            first = t[t[L.H_UPGRADES] + 2 * deck]
            for i in range(t[t[L.H_UPGRADES] + 2 * deck + 1] - 1, t[L.H_OPENED + deck], -1):
                seed = seed * 6364136223846793005 + 1442695040888963407 & self.mask
                j = t[L.H_OPENED + deck] + ((seed >> 33) % (i + 1 - t[L.H_OPENED + deck]))
                card = t[first + i]
                t[first + i] = t[first + j]
                t[first + j] = card
