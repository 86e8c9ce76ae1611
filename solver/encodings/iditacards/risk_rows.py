# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=False
"""Rows for which only counts that the card at the bottom of the stack takes effect. Types are in ``risk_rows.pxd``.

The hand only pays. So what leaves a hidden deck need not be followed card by card: the cards not turned over yet are a
pool, and the deck holds blank cards, each of which may be any of the pool. Damage cards stay what they are, and so do
cards that were seen and go back. ``SIGHT`` says when more is known of them:
always, never, or not before something is to be decided (*late*): until then nobody's play hangs on it.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.encodings.iditacards import hidden_layout as F
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.hidden_rows import Fades, HiddenRows
from solver.encodings.iditacards.zones import Row, Table
from solver.search import values_layout as V

try:
    import cython
except ImportError:
    from solver.encodings import uncompiled as cython

if not cython.compiled:
    from solver.encodings.iditacards.dogs import tidy
    from solver.encodings.iditacards.hand import to_hand
    from solver.encodings.iditacards.hidden_rows import append, blank_hand, gather, is_choosing, rename
    from solver.encodings.iditacards.machine import begin_turn, step
    from solver.encodings.iditacards.upgrades import awaits
    from solver.encodings.iditacards.zones import copy, copy_tail, fork, sort_list
    from solver.encodings.uncompiled import itself as ints
    from solver.encodings.uncompiled import itself as shorts


def is_ripe(s: Row, b: int, t: Table) -> int:
    """Return whether a card that is turned over and paid for lets the whole stack take effect, or one more after it."""
    for place in range(s[b + L.N_STACK]):
        at = b + L.STACK + L.FRAME_W * place
        need = s[at + L.FRAME_NEED]
        if need == 0:  # it is not paid for yet
            need = t[t[L.H_CARDS] + s[at + L.FRAME_CARD] * L.CARD_W + L.C_RISK]
        if need - s[at + L.FRAME_PAID] > 1 or s[at + L.FRAME_STATE] & L.FRAME_SECOND:
            return 0
    start = pool_start(s, b)
    for i in range(start, start + s[b + L.N_POOL]):
        if t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_RISK] > 1:
            return 0
    for i in range(b + L.DECK, b + L.DECK + s[b + L.N_DECK]):
        if t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_RISK] > 1:
            return 0
    for i in range(b + L.LOOK, b + L.LOOK + s[b + L.N_LOOK]):
        if t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_RISK] > 1:
            return 0
    return 1 if s[b + L.N_SEEN] == 0 else 0


def ripen(s: Row, b: int, f: Fades) -> int:
    """Give cards the names of those that cost as much, since what they do does not count any more."""
    rename(s, b + L.DECK, s[b + L.N_DECK] - s[b + L.KNOWN], f, f[F.RIPE])
    rename(s, b + L.LOOK, s[b + L.N_LOOK], f, f[F.RIPE])
    return rename(s, pool_start(s, b), s[b + L.N_POOL], f, f[F.RIPE])


def forget(s: Row, b: int, t: Table, f: Fades) -> int:
    """Forget what a waiting card does not read: the hand only pays, and cards that no rule tells apart are alike."""
    rename(s, b + L.DECK, s[b + L.N_DECK] - s[b + L.KNOWN], f, f[F.ALIKE])
    rename(s, b + L.LOOK, s[b + L.N_LOOK], f, f[F.ALIKE])
    if f[F.RULES] & F.RULE_PAYERS:
        blank_hand(s, b, t)
        s[b + L.N_RESOLVED] = 0
        if not f[F.BACK]:
            s[b + L.N_DISCARD] = 0
        for i in range(s[b + L.N_DISCARD]):
            s[b + L.DISCARD + i] = F.BLANK
    else:
        rename(s, b + L.HAND, s[b + L.N_HAND], f, f[F.ALIKE])
        rename(s, b + L.DISCARD, s[b + L.N_DISCARD], f, f[F.ALIKE])
    if f[F.SIGHT] and s[b + L.N_POOL] == blanks(s, b):
        all_to_pool(s, b, t)
    return 0


# The pool


def pool_start(s: Row, b: int) -> int:
    """Return where the pool begins, which lies in ascending order at the end of the place for the deck."""
    return b + L.DECK + L.MOST_CARDS - s[b + L.N_POOL]


def blanks(s: Row, b: int) -> int:
    """Return how many cards of the unknown part of the deck belong to the pool."""
    n = 0
    for i in range(s[b + L.N_DECK] - s[b + L.KNOWN]):
        if s[b + L.DECK + i] == F.BLANK:
            n += 1
    return n


def all_to_pool(s: Row, b: int, t: Table) -> int:
    """Put the cards that went back into the deck into the pool, which is all the deck but for damage cards."""
    for i in range(s[b + L.N_DECK] - s[b + L.KNOWN]):
        card = s[b + L.DECK + i]
        if card != F.BLANK and t[t[L.H_CARDS] + card * L.CARD_W + L.C_TYPE] != L.TYPE_DAMAGE:
            s[b + L.N_POOL] = s[b + L.N_POOL] + 1
            s[pool_start(s, b)] = card
            s[b + L.DECK + i] = F.BLANK
    sort_list(s, b + L.DECK, s[b + L.N_DECK] - s[b + L.KNOWN])
    return sort_list(s, pool_start(s, b), s[b + L.N_POOL])


def off_pool(s: Row, b: int, place: int) -> int:
    """Take the card at a place out of the pool and return it."""
    start = pool_start(s, b)
    card = s[start + place]
    for i in range(start + place, start, -1):
        s[i] = s[i - 1]
    s[b + L.N_POOL] = s[b + L.N_POOL] - 1
    return card


def put_on_top(s: Row, b: int, card: int) -> int:
    """Turn over a card of the pool on top of the deck: one of the blank ones, which lie lowest."""
    top = b + L.DECK + s[b + L.N_DECK] - 1
    for i in range(b + L.DECK, top):
        s[i] = s[i + 1]
    s[top] = card
    s[b + L.KNOWN] = 1
    return 0


def comes_through(s: Row, b: int, f: Fades) -> int:
    """Return whether the card that takes effect is the last that the one at the bottom waits for, and does no harm."""
    if f[F.HARM]:
        return 0
    for i in range(s[b + L.N_CONTROL]):
        code = s[b + L.CONTROL + L.CONTROL_W * i]
        asks = code == L.I_LOOK or code == L.I_SORT_OUT or code == L.I_RECOVER
        if not asks and code != L.I_END_TURN and code != L.I_COMPLETE and code != L.I_END_RUN:
            return 0
    at = b + L.STACK
    return 1 if s[b + L.CURRENT] == 1 and s[at + L.FRAME_PAID] + 1 >= s[at + L.FRAME_NEED] else 0


def settle_look(s: Row, b: int, t: Table, f: Fades) -> int:
    """Forget the cards that a look has settled; none is destroyed, since to put it away is as good without damage."""
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    place = s[at + 1]
    if not f[F.HARM]:
        s[at + 3] = s[at + 3] % L.FATE_QUOTA
    if place and not t[L.H_SHUFFLE_ALWAYS]:
        for i in range(b + L.LOOK + place, b + L.LOOK + s[b + L.N_LOOK]):
            s[i - place] = s[i]
        s[b + L.N_LOOK] = s[b + L.N_LOOK] - place
        s[at + 1] = 0
    return 0


def take_back(s: Row, b: int) -> int:
    """Take cards of the discard pile into the hand, as many as there are to choose."""
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    s[b + L.N_CONTROL] = s[b + L.N_CONTROL] - 1
    for _ in range(min(s[at + 1], s[b + L.N_DISCARD])):
        s[b + L.N_DISCARD] = s[b + L.N_DISCARD] - 1
        to_hand(s, b, F.BLANK)
    return 0


class RiskRows(HiddenRows):
    """The chances of one card.

    Attributes:
        optimistic: 1 counts what is not followed as if the card came through, 2 every choice by what was seen, too.
        at_once: no free action comes before the card is begun.
        given: a kind that the first risk of the card turns up, 0 for any; ``paid`` are the risks paid before it.
        low, high: places between which a row has met nothing that hangs on the place; else ``touched`` becomes 1.
    """

    def __init__(self, memory: int, pause: Callable[[], None]) -> None:
        super().__init__(memory, pause)
        self.at_once = self.given = self.paid = self.touched = self.turned = 0
        self.low, self.high = 0, 0

    def advance(self, b: int) -> int:
        """Let the row at b go on."""
        s = shorts(self.work)
        t = ints(self.table)
        self.moved = 0
        sight = self.fades[F.SIGHT]
        while True:
            at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
            code = s[at]
            if code == L.I_REVEAL or code == L.I_ROLL:
                return V.CHANCE
            if code == L.I_MAIN and self.at_once and s[b + L.N_STACK] == 0 and s[at + 1] < L.OPTION_PLAY:
                s[at + 1] = L.OPTION_PLAY
            if sight:
                kind = self.advance_unseen(b, code)
                if kind:
                    return kind
                if code == L.I_RECOVER:
                    continue
            a = s[at + 1]
            x = s[at + 2]
            y = s[at + 3]
            self.moved += 1
            rows = step(s, b, t, 1)
            if s[b + L.ERROR] or (rows == 2 and s[b + L.W + L.ERROR]):
                return V.BROKEN
            if rows == 2:
                if sight == F.LATE and self.is_to_see(b, code):
                    s[at + 1] = a
                    s[at + 2] = x
                    s[at + 3] = y
                    self.moved -= 1
                    return V.CHANCE
                if self.optimistic == 2 and self.is_to_see(b, code):
                    return self.settle(1)
                return V.OPTION
            if rows == 0:
                return V.DEAD
            if rows == L.TURN_OVER:
                return self.end_turn(b)
            if s[b + L.THROUGH]:
                return self.settle(1)
            if s[b + L.N_STACK] == 0 and not awaits(s, b, L.I_MAIN):
                return self.settle(0)

    def end_turn(self, b: int) -> int:
        """Begin the next turn, as long as the card waits."""
        s = shorts(self.work)
        tidy(s, b)
        place = s[b + L.POSITION]
        if s[b + L.OVER] or place < self.low or place > self.high:
            self.touched = 1
        if s[b + L.OVER]:
            return self.settle(0)
        begin_turn(s, b)
        return V.TURN

    def advance_unseen(self, b: int, code: int) -> int:
        """Go on where not all is followed; return 0 where the machine does."""
        s = shorts(self.work)
        at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
        if (code == L.I_LOOK or code == L.I_RECOVER) and comes_through(s, b, ints(self.fades)):
            return self.settle(1)
        if code == L.I_SORT_OUT:
            return settle_look(s, b, ints(self.table), ints(self.fades))
        if code == L.I_RECOVER:
            if s[at + 1] and s[b + L.N_DISCARD] and self.optimistic:
                return self.settle(1)
            take_back(s, b)
            self.moved += 1
            return 0
        if code == L.I_OP:
            op = self.table[self.table[L.H_OPS] + L.OP_W * s[at + 1]]
            if op == L.OP_DISCARD_TO_DECK or op == L.OP_NEW_DAY:
                return self.settle(1 if self.optimistic else 0)
        if code != L.I_LOOK or not s[at + 1] or not s[b + L.N_DECK]:
            return 0
        if self.optimistic == 2:
            return self.settle(1)
        late = self.fades[F.SIGHT] == F.LATE and s[b + L.N_LOOK] == 0
        return V.CHANCE if late and s[b + L.N_POOL] > blanks(s, b) else 0

    def is_to_see(self, b: int, code: int) -> int:
        """Return whether what was drawn and discarded is known before a choice."""
        s = shorts(self.work)
        if s[b + L.N_POOL] <= blanks(s, b):
            return 0
        if code == L.I_MAIN:
            return 1 if s[b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1) + 1] < L.OPTION_PLAY else 0
        return 0 if code == L.I_SUPPLY or code == L.I_PICK or code == L.I_LEGENDARY else 1

    def outcome(self, b: int, place: int) -> int:
        """Write what chance may bring behind the row."""
        s = shorts(self.work)
        if not self.fades[F.SIGHT] or s[b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)] == L.I_ROLL:
            return HiddenRows.outcome(self, b, place)
        return self.unseen_outcome(b, place)

    def is_first(self, b: int) -> int:
        """Return whether the first risk is still to come."""
        s = shorts(self.work)
        n = s[b + L.N_STACK]
        return 1 if n == 0 or (n == 1 and s[b + L.STACK + L.FRAME_PAID] == self.paid) else 0

    def unseen_outcome(self, b: int, place: int) -> int:
        """Write the next result where the deck holds blank cards that may be any of the pool.

        Places are those of the deck, then those of the pool, and a last one for any card that is not looked at.
        """
        s = shorts(self.work)
        n = s[b + L.N_CONTROL]
        pool: int = s[b + L.N_POOL]
        start = pool_start(s, b)
        if s[b + L.CONTROL + L.CONTROL_W * (n - 1)] != L.I_REVEAL:
            if place >= pool:
                return 0
            q = b + L.W
            n = L.BODY + L.CONTROL_W * n
            copy(s, q, s, b, n)
            copy_tail(s, q, s, b)
            off_pool(s, q, place)
            return self.weigh(start, place, pool, 0, 1)
        unknown = s[b + L.N_DECK] - s[b + L.KNOWN]
        code = s[b + L.CONTROL + L.CONTROL_W * (n - 2)]
        named = 1 if code == L.I_RISK or (code == L.I_LOOK and self.fades[F.SIGHT] == F.LATE) else 0
        blank = blanks(s, b)
        if place < unknown:
            if place < blank:
                place = blank
            if place < unknown:
                q = fork(s, b)
                card = s[b + L.DECK + place]
                for i in range(q + L.DECK + place, q + L.DECK + unknown - 1):
                    s[i] = s[i + 1]
                s[q + L.DECK + unknown - 1] = card
                s[q + L.KNOWN] = 1
                return self.weigh(b + L.DECK, place, unknown, 0, pool if pool else 1)
        if blank == 0:
            return 0
        place -= unknown
        if not named:
            place = max(place, pool)
        if self.given and code == L.I_RISK and self.is_first(b):
            self.turned += 1
            while place < pool and s[start + place] != self.given:
                place += 1
        if place < pool:
            q = fork(s, b)
            put_on_top(s, q, off_pool(s, q, place))
            return self.weigh(start, place, pool, unknown, blank)
        if named or place > pool:
            return 0
        put_on_top(s, fork(s, b), F.BLANK)
        self.place = unknown + pool + 1
        return pool * blank

    def weigh(self, start: int, place: int, n: int, base: int, times: int) -> int:
        """Return the weight of the card at a place of a list, and note where the next kind begins."""
        s = shorts(self.work)
        first = place
        while place < n and s[start + place] == s[start + first]:
            place += 1
        self.place = base + place
        return (place - first) * times

    def hash_row(self, b: int) -> int:
        """Hash what of the row is read from here on."""
        s = shorts(self.work)
        f = ints(self.fades)
        if f[F.SIGHT] and not f[F.BACK]:
            s[b + L.N_DISCARD] = 0
        if s[b + L.N_STACK] and not is_choosing(s, b):
            forget(s, b, ints(self.table), f)
            if f[F.RIPE] and not self.given and is_ripe(s, b, ints(self.table)):
                ripen(s, b, f)
        out = shorts(self.scratch)
        n = f[F.N_NUMBERS]
        for i in range(n):
            out[i] = s[b + f[F.HEADER + i]]
        n = gather(s, b, out, n)
        if f[F.SIGHT]:
            n = append(s, pool_start(s, b), s[b + L.N_POOL], out, n)
        if self.given and self.is_first(b):
            out[n] = self.given
            n += 1
        return self.digest(n)
