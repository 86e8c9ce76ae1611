# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Rows for which only counts that the card at the bottom of the stack takes effect.

They leave open which card is which until it is turned over as a risk: the deck holds blank cards, and what is left of a
row is a node over the urn of them (``solver/search/urns.py``). Damage cards stay what they are. The hand only pays.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import machine, sled, zones
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.hidden import hidden_rows
from solver.encodings.iditacards.hidden.hidden_rows import HiddenRows
from solver.search import layout as V
from solver.search import native
from solver.search.native import Row, Table
from solver.search.urns import Urns


def blanks(s: Row, b: int) -> int:
    """Return how many cards of the deck are blank, which are its lowest."""
    return blank_first(s, b + L.DECK, s[b + L.N_DECK])


def blank_first(s: Row, first: int, n: int) -> int:
    """Return how many of n cards are blank, which come first."""
    i = 0
    while i < n and s[first + i] == Q.BLANK:
        i += 1
    return i


def take_back(s: Row, b: int, t: Table) -> None:
    """Take cards of the discard pile into the hand, as many that pay as there are to choose."""
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    s[b + L.N_CONTROL] = s[b + L.N_CONTROL] - 1
    left = s[at + 1]
    for i in range(s[b + L.N_DISCARD] - 1, -1, -1):
        if left and t[t[L.H_CARDS] + s[b + L.DISCARD + i] * L.CARD_W + L.C_TYPE] != L.TYPE_DAMAGE:
            zones.remove_at(s, b, L.N_DISCARD, L.DISCARD, i)
            zones.to_hand(s, b, Q.BLANK)
            left -= 1


class RiskNodes(HiddenRows):
    """The nodes of one card over the urn of what its deck hides.

    Attributes:
        at_once: no free action comes before the card is begun.
        back: what discarded cards that come back do, one of ``BACK_…``; where any might, ``unsure`` becomes 1.
        clouded: whether a choice hangs on cards that were seen and are not in the deck any more.
        first: the nodes after the first risk, by the place of the kind that it turns up; ``firsts``: how many such
            risks there are.
        kinds, copies: kinds of the urn, and how many cards of each are in it, on the stack or in play at the start.
    """

    urns: Urns

    def __init__(self, memory: int, pause: Callable[[], None]) -> None:
        super().__init__(memory, pause)
        self.at_once = self.back = self.firsts = self.risking = self.unsure = self.clouded = 0
        self.first = array("i")
        self.kinds = array("i")
        self.copies = array("i")

    def before_step(self, b: int) -> int:
        """Return what the row waits for or has come to, 0 where the machine goes on."""
        s = native.shorts(self.work)
        at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
        code = s[at]
        if code == L.I_ROLL or (code == L.I_REVEAL and not self.is_unseen(b)):
            return V.CHANCE
        if code == L.I_MAIN and self.at_once and s[b + L.N_STACK] == 0 and s[at + 1] < L.OPTION_PLAY:
            s[at + 1] = L.OPTION_PLAY
        if code == L.I_RISK:
            self.hide(b)
        if code == L.I_SORT_OUT and s[at + 1] < s[b + L.N_LOOK] and s[b + L.LOOK + s[at + 1]] == Q.BLANK:
            return V.SHOWN
        if code == L.I_RECOVER:
            self.unsure = 1
            if self.back == Q.BACK_THROUGH:
                return self.settle(1)
            take_back(s, b, native.ints(self.table))
            self.moved += 1
            return V.TURN
        if code == L.I_OP:
            op = self.table[self.table[L.H_OPS] + L.OP_W * s[at + 1]]
            if op == L.OP_DISCARD_TO_DECK or op == L.OP_NEW_DAY:
                self.unsure = 1
                return self.settle(1 if self.back == Q.BACK_THROUGH else 0)
        return 0

    def after_step(self, b: int) -> int:
        """Settle a row whose card has come through or is gone."""
        s = native.shorts(self.work)
        if s[b + L.THROUGH]:
            return self.settle(1)
        return self.settle(0) if s[b + L.N_STACK] == 0 and not hidden_rows.awaits(s, b, L.I_MAIN) else 0

    def end_turn(self, b: int) -> int:
        """Begin the next turn, as long as the card waits."""
        s = native.shorts(self.work)
        sled.tidy(s, b)
        if s[b + L.OVER]:
            return self.settle(0)
        machine.begin_turn(s, b)
        return V.TURN

    def node(self, b: int) -> int:
        """Return the node of a row."""
        at = self.look_up(b)
        a = self.hash_a
        c = self.hash_b
        if at >= 0:
            return int(self.doubles[at + 2])
        s = native.shorts(self.work)
        links = []
        size = 0
        node = V.LOST
        while True:
            kind = self.advance(b)
            if kind == V.DEAD:
                break
            if kind == V.OPTION:
                size = blanks(s, b)
                node = self.node(b + self.width)
            elif kind == V.SETTLED:
                node = self.leaf_number
            elif kind == V.BROKEN:
                raise OverflowError("a row needs more than the encoding has")
            elif kind == V.SHOWN:
                node = self.look(b)
            elif kind == V.CHANCE and self.moved == 0:
                node = self.reveal(b)
            else:
                node = self.node(b)
            links.append(node)
            if kind != V.OPTION or node == V.THROUGH:
                break
        chosen: int = self.urns.choice(size, links) if len(links) > 1 and node != V.THROUGH else node
        if s[b + L.N_SEEN] and s[b + L.SEEN] == Q.BLANK and self.urns.nodes[chosen][0] == V.CHOICE:
            self.clouded = 1
        self.store(a, c, chosen)
        return chosen

    def is_unseen(self, b: int) -> int:
        """Return whether the card that is to be turned over stays unseen; the machine takes it off the deck then."""
        s = native.shorts(self.work)
        n = s[b + L.N_DECK]
        if s[b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 2)] == L.I_RISK or blanks(s, b) < n:
            return 0
        s[b + L.KNOWN] = n  # all of them alike
        return 1

    def hide(self, b: int) -> None:
        """Let the cards of a blank deck be unknown again."""
        s = native.shorts(self.work)
        if s[b + L.KNOWN] and blanks(s, b) == s[b + L.N_DECK]:
            s[b + L.KNOWN] = 0

    def look(self, b: int) -> int:
        """Return the node of cards that are shown: of blank ones, which come first, none is destroyed.

        To put them away is as good. What becomes of the others is chosen for each number of blank ones that go back.
        """
        s = native.shorts(self.work)
        state = s[b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1) + 3]
        n = blank_first(s, b + L.LOOK, s[b + L.N_LOOK])
        size = blanks(s, b) + n
        links = []
        for back in range(n + 1):
            q = zones.fork(s, b)
            zones.push(s, q, L.I_SORT_OUT, n, 0, state | L.FATE_RETURNED if back else state)
            for i in range(n):
                if i < back:
                    zones.to_deck(s, q, Q.BLANK)
                elif self.table[L.H_HEAL_REST_HAND]:
                    zones.to_hand(s, q, Q.BLANK)
                else:
                    zones.to_discard(s, q, Q.BLANK)
            links.append(self.node(q))
        return self.urns.look(size, n, links)

    def reveal(self, b: int) -> int:
        """Return the node of a deck whose top card is turned over."""
        s = native.shorts(self.work)
        n = s[b + L.N_CONTROL]
        if s[b + L.CONTROL + L.CONTROL_W * (n - 1)] == L.I_ROLL:
            raise OverflowError("the weather changes")
        code = s[b + L.CONTROL + L.CONTROL_W * (n - 2)]
        unseen = blanks(s, b)
        unknown = s[b + L.N_DECK] - s[b + L.KNOWN]
        node = 0
        if unseen:
            node = self.risk(b) if code == L.I_RISK else self.turn_up(b, 0, Q.BLANK)
        if unseen == unknown:
            return node
        links = [node, unseen] if unseen else []
        place = unseen
        while place < unknown:
            first = place
            place = zones.other_kind(s, b + L.DECK, place, unknown)
            links += (self.turn_up(b, first, s[b + L.DECK + first]), place - first)
        return self.urns.make(V.MIXED, 0, 0, links)

    def turn_up(self, b: int, place: int, card: int) -> int:
        """Return the node of a deck whose card at a place is turned over and is this one."""
        s = native.shorts(self.work)
        q = zones.fork(s, b)
        zones.put_on_top(s, q, place, card)
        return self.node(q)

    def risk(self, b: int) -> int:
        """Return the node of the next card of the urn, which is turned over as a risk card."""
        s = native.shorts(self.work)
        links = []
        is_first = 1 - self.risking
        self.risking = 1
        for i in range(len(self.kinds)):
            kind = self.kinds[i]
            node = self.turn_up(b, 0, kind) if self.copies[i] > zones.on_table(s, b, kind) else -1
            if is_first:
                self.first[i] = node
            links.append(node)
        if is_first:
            self.risking = 0
            self.firsts += 1
        return self.urns.turned(links)

    def hash_row(self, b: int) -> None:
        """Hash what a waiting card still reads: the hand only pays, and cards that no rule tells apart are alike."""
        s = native.shorts(self.work)
        t = native.ints(self.table)
        if not self.fades[Q.BACK]:
            s[b + L.N_DISCARD] = 0
        self.hide(b)
        if s[b + L.N_STACK] and not hidden_rows.is_choosing(s, b):
            hidden_rows.blank_hand(s, b, t)
            hidden_rows.blank(s, b + L.DISCARD, s[b + L.N_DISCARD], t)
            s[b + L.N_RESOLVED] = 0
            for i in range(s[b + L.N_SUPPLY]):
                s[b + L.SUPPLY + i] = Q.BLANK
        self.hash_rest(b)
