# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Playouts over rows with chance: a tree of options, then the rollout policy of the game (UCT).

A row holds no more than the player knows, so nothing has to be dealt. Rows of one value share a node of the tree, and
no choice depends on what the player does not see (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo
Tree Search", IEEE TCIAIG 4, 2012). A node tries its options in the order of how good they look, more of them the
more often it is met (progressive widening; R. Coulom, "Computing Elo ratings of move patterns", 2007). Last turns are
valued exactly where that is quick. Equal numbers bring equal draws, one stream for each source of chance (SplitMix64).

The rollout policy is plain play, which looks a little ahead and searches nothing. Every option is judged by the row
that it leads to: the space, what the rest of the turn and of the day bring beyond the pace, and the pace for the turns
that are left. The pace is the automatic move and what own cards move, a mean over the weather. It is spread over the
turns for which the cards of a day last. Of a deck the policy reads only which cards it holds. It is no rule and no
bound.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

from solver.encodings.iditacards import bound, machine, sled, zones
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.hidden.hidden_rows import HiddenRows
from solver.search import layout as V
from solver.search import native
from solver.search.budget import BudgetExceeded
from solver.search.native import Doubles, Longs, Row, Table, Word
from solver.search.row_values import HashTable

WORDS: Final = 4
"""Words of an entry of the tree: two of the hash, the visits, and the total of what came of them."""
_WORD: Final = (1 << 64) - 1


# How good a row looks


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
        step: float = 1.0 * machine.stride(s, b, t)
        moved = x[Q.MET] * (seen if seen < 1 else 1) * moved / (1 + x[Q.TURNS_A_CARD] * hand)
        x[Q.PACE] += (x[Q.FREE] * step + moved) / n
        x[Q.USUAL] += step / n
    s[b + L.WEATHER] = face_now
    s[b + L.HYPOTHERMIA] = cold
    s[b + L.STARVATION] = hungry
    if x[Q.PACE] < x[Q.SLOWEST]:
        x[Q.PACE] = x[Q.SLOWEST]


def burden(t: Table, x: Doubles, n: int) -> float:
    """Return what n points of a condition cost, in spaces: where only their presence counts, the first one most."""
    cost: float = x[Q.DEARER] / t[L.H_CONDITION_COST] if t[L.H_CONDITION_COST] else 0
    if t[L.H_CONDITION_SPEED_HALF_UP]:
        cost += x[Q.SLOWER]
    if n > 0 and t[L.H_AUTO_MOVE_BY_CONDITION]:
        cost += x[Q.USUAL] / (n / x[Q.TO_GO] + 1 / x[Q.STOPPED])
    return cost * n


def cure(s: Row, b: int, t: Table, x: Doubles, kind: int) -> float:
    """Return what it brings to lay a card on the table, whatever becomes of it then."""
    kind_of = t[t[L.H_CARDS] + L.CARD_W * kind + L.C_TYPE]
    if kind_of == L.TYPE_FOOD and s[b + L.STARVATION] > 0:
        return x[Q.POINT + 1]
    return x[Q.POINT] if kind_of == L.TYPE_PERSONAL and s[b + L.HYPOTHERMIA] > 0 else 0


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
        if s[b + L.N_DOGS] >= t[L.H_DOG_LIMIT] if kind_of == L.TYPE_DOG else machine.has_slot(s, b, t) == 0:
            value = value / 4  # it takes the place of another one
    if kind_of == L.TYPE_DAMAGE:
        value += x[Q.DAMAGE]  # it is destroyed
    for op in range(first, first + t[card + L.C_OPS]):
        at = t[L.H_OPS] + L.OP_W * op
        code = t[at + L.OP_CODE]
        n = 3 if t[at + L.OP_A] >= L.ALL else t[at + L.OP_A]
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
            value -= x[Q.POINT + n] * (t[at + L.OP_B] if points + t[at + L.OP_B] >= 0 else -points)
        elif code == L.OP_CLEAR:
            value += x[Q.POINT + n] * s[b + L.HYPOTHERMIA + n]
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
        return x[Q.OVER] + cure(s, b, t, x, kind)
    risk = sled.risk_cost(s, b, t, kind)
    chance: float = comes_through(s, b, t, risk, hand - 1 - energy, s[b + L.N_DECK] - health) if risk else 1
    brought: float = cure(s, b, t, x, kind) + chance * brings(s, b, t, x, kind)
    return (1 + risk) * x[Q.OVER] + brought - energy * x[Q.CARD]


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
    x[Q.TO_GO] = ahead if ahead > 1 else 1
    day: float = 0.0
    for kind in range(2):
        points = s[b + L.HYPOTHERMIA + kind]
        day -= burden(t, x, points)
        x[Q.POINT + kind] = burden(t, x, points if points else 1) - burden(t, x, points - 1 if points else 0)
    x[Q.MOVES] = 1 - sled.cannot_move(s, b, t)
    x[Q.SPEED] = sled.speed(s, b, t)
    x[Q.OVER] = machine.stride(s, b, t) - pace
    x[Q.CARD] = x[Q.LAST_CARD] if x[Q.OVER] < x[Q.LAST_CARD] else x[Q.OVER]
    n = s[b + L.N_CONTROL]
    night = 0
    for i in range(n):
        code = s[b + L.CONTROL + L.CONTROL_W * i]
        if code == L.I_PAY:
            day -= s[b + L.CONTROL + L.CONTROL_W * i + 1] * x[Q.CARD]
        if code == L.I_NEW_DAY or code == L.I_EVENING or code == L.I_END_KILLS or code == L.I_NIGHT:
            night = 1
    if n and code == L.I_MAIN:
        day -= 100  # a free action has to bring that: the main action is still to come
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
    return left - (rest - day) / pace if goal == Q.GOAL_TURNS else s[b + L.POSITION] + day + pace * left


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


# Playouts


class PlayoutRows(HiddenRows):
    """The playouts of one question, with what they have learnt.

    Attributes:
        tree: options by their hashes; with one entry there is none.
        exact: bounds the rows of a last turn. The pause has to raise ``BudgetExceeded``: it ends exact values of them.
        space: how far the first row got.
        source: where the draws of the deck come from.
    """

    tree: HashTable
    word: Word

    def __init__(self, memory: int, pause: Callable[[], None]) -> None:
        super().__init__(memory, pause)
        self.tree = HashTable(WORDS, 0, 1)
        self.numbers = array("d", bytes(8 * Q.NUMBERS))
        self.own_moves = array("q", bytes(8 * 4))
        self.path = array("q", bytes(8 * V.MOST_PATH))
        self.places = array("q", bytes(8 * V.MOST_OPTIONS))
        self.looks = array("d", bytes(8 * V.MOST_OPTIONS))
        self.streams = array("Q", bytes(8 * (V.SOURCES + 1)))
        self.word = _WORD
        self.worst = self.low = self.high = self.last_value = 0.0
        self.begun = self.dealt = self.space = self.exact = self.source = 0
        self.met = self.n_path = self.learns = self.inside = self.turns = self.wasted = 0

    def play(self, row: Row, seed: Word, learns: int) -> float:
        """Play a row on to the end of its question; return how well that ends.

        Where it ``learns``, the tree grows; elsewhere the best known options are played.

        Raises:
            OverflowError: a row needs more than the game's encoding has.
        """
        self.copy_first(row)
        for i in range(V.SOURCES + 1):
            self.streams[i] = self.mixed(seed ^ (i + 1) * 0x9E3779B97F4A7C15 & self.word)
        self.deal(seed)
        self.learns = learns
        self.inside = 1 if self.tree.entries > 1 else 0
        self.n_path = 0
        value = self.run()
        if self.met == 0 or value < self.low:
            self.low = value
        if self.met == 0 or value > self.high:
            self.high = value
        self.met += 1
        if learns:
            for i in range(self.n_path):
                at = self.path[i]
                self.tree.signed[at + 2] += 1
                self.tree.doubles[at + 3] += value
        return value

    def run(self) -> float:
        """Play the first row on."""
        kind = V.TURN
        while True:
            if kind == V.TURN:
                self.turns += 1
                if self.is_last(0) and self.last_turn():
                    return self.last_value
            self.count += 1
            kind = self.split(0, 0)
            if kind == V.OPTION:
                kind = self.choose_option()
            if kind == V.CHANCE:
                self.chance()
            elif kind == V.SETTLED:
                return self.ended(0)
            elif kind == V.DEAD:
                return self.worst
            elif kind == V.BROKEN:
                raise OverflowError("a row needs more than the encoding has")

    def last_turn(self) -> int:
        """Value the first row's last turn exactly; return whether that was quick enough."""
        if 8 * self.wasted > self.turns:
            return 0
        self.copy(1, 0)
        self.next_pause = self.count + self.exact
        try:
            self.last_value = self.value(self.width, 1)
        except BudgetExceeded:
            self.wasted += 1
            return 0
        if self.last_value == self.lost:
            self.last_value = self.worst
        return 1

    def choose_option(self) -> int:
        """Let the first row, of which one option has been split off, go on with the one that is chosen."""
        n = 0
        kind = V.OPTION
        while kind == V.OPTION and n < V.MOST_OPTIONS:
            self.copy(n + 2, 1)
            n += 1
            self.count += 1
            kind = self.split(0, 1)
        if kind != V.DEAD:
            if n == V.MOST_OPTIONS:
                raise OverflowError("too many options")
            self.copy(n + 2, 0)
            n += 1
        at = 2 * self.width + L.CONTROL + L.CONTROL_W * (self.work[2 * self.width + L.N_CONTROL] - 1)
        # A choice that turns over cards which nobody has seen is one at random.
        chosen = self.below(n) if self.work[at] == L.I_SUPPLY else self.chosen(n)
        if kind != V.DEAD and chosen == n - 1:
            return kind
        self.copy(0, chosen + 2)
        return V.LAST

    def chosen(self, n: int) -> int:
        """Return the option that is played, by the tree or by the policy."""
        tree = self.tree
        best = 0
        met = 0
        tried = 0
        for i in range(n):
            self.looks[i] = self.guess((i + 2) * self.width)
            if self.looks[i] > self.looks[best]:
                best = i
        if not self.inside:
            return best
        for i in range(n):
            self.hash_row((i + 2) * self.width)
            self.places[i] = tree.find(self.hash_a, self.hash_b)
            visits = tree.signed[self.places[i] + 2] if self.places[i] >= 0 else 0
            met += visits
            tried += 1 if visits else 0
        if not self.learns:
            if tried == 0:
                self.inside = 0
                return best
            return self.most_hopeful(n, met)
        if tried < n and tried < 2 + 0.7 * native.sqrt(met):
            best = -1
            for i in range(n):
                visits = tree.signed[self.places[i] + 2] if self.places[i] >= 0 else 0
                if visits == 0 and (best < 0 or self.looks[i] > self.looks[best]):
                    best = i
            self.inside = 0
        else:
            best = self.most_hopeful(n, met)
        at = self.places[best]
        if at < 0:
            self.hash_row((best + 2) * self.width)
            at = tree.insert(self.hash_a, self.hash_b)
        if at >= 0 and self.n_path < V.MOST_PATH:
            self.path[self.n_path] = at
            self.n_path += 1
        return best

    def most_hopeful(self, n: int, met: int) -> int:
        """Return the option with the greatest upper confidence bound, the most tried one where nothing is learnt."""
        tree = self.tree
        span = self.high - self.low if self.high > self.low else 1.0
        best = -1
        most = 0.0
        for i in range(n):
            at = self.places[i]
            if at < 0 or tree.signed[at + 2] == 0:
                continue
            visits = tree.signed[at + 2]
            bound = 1.0 * visits
            if self.learns:
                mean = tree.doubles[at + 3] / visits
                bound = (mean - self.low) / span + 0.4 * native.sqrt(native.log(met + 1) / visits)
            if best < 0 or bound > most:
                best = i
                most = bound
        return best

    def copy(self, to: int, start: int) -> None:
        """Copy a row from one place to another."""
        s = native.shorts(self.work)
        native.copy(s, to * self.width, s, start * self.width, self.width)

    # What a race of several seats does in its own way

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

    # Chance

    def chance(self) -> None:
        """Let chance bring the first row one of its results."""
        s = native.shorts(self.work)
        n = s[L.N_CONTROL] - 1
        s[L.N_CONTROL] = n
        if s[L.CONTROL + L.CONTROL_W * n] == L.I_ROLL:
            s[L.WEATHER] = 1 + (self.number(1) * self.table[L.H_FACES] >> 32)
            return
        place = self.number(self.source) * (s[L.N_DECK] + s[L.UNSEEN] - s[L.KNOWN]) >> 32
        zones.put_on_top(s, 0, place, s[L.DECK + place])

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

    def mixed(self, x: Word) -> Word:
        """Return a number of 64 bits that depends on all bits of another (the finalizer of SplitMix64)."""
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & self.word
        x = (x ^ x >> 27) * 0x94D049BB133111EB & self.word
        return x ^ x >> 31

    def number(self, stream: int) -> Word:
        """Return the next 32 bits of a stream."""
        self.streams[stream] = self.streams[stream] + 0x9E3779B97F4A7C15 & self.word
        return self.mixed(self.streams[stream]) >> 32

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return self.number(V.SOURCES) * n >> 32
