# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The turns of a row whose deck is hidden, for ``solver.search.row_values``.

Nobody knows more than the row says: a hidden deck is a list of kinds in ascending order, and chance turns over its top
card when a rule takes it. What no rule can read any more is forgotten (``fade``), so that rows of one value are equal.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import machine, rows, sled, zones
from solver.encodings.iditacards import question_layout as Q
from solver.search import layout as V
from solver.search import native
from solver.search.native import Row, Table
from solver.search.row_values import RowValues

# What is forgotten


def blank(s: Row, start: int, n: int, t: Table) -> None:
    """Make cards that only their number counts of one kind; damage cards stay what they are."""
    for i in range(start, start + n):
        if t[t[L.H_CARDS] + (s[i] & L.AGE - 1) * L.CARD_W + L.C_TYPE] != L.TYPE_DAMAGE:
            s[i] = Q.BLANK
    zones.sort_list(s, start, n)


def blank_hand(s: Row, b: int, t: Table) -> None:
    """Let only the number of hand cards count, those that have paid taken out."""
    n = s[b + L.N_HAND] - zones.owed(s, b)
    if s[b + L.AGES] or n < s[b + L.N_HAND]:
        for i in range(n):
            s[b + L.HAND + i] = Q.BLANK
        zones.empty_hand(s, b)
        s[b + L.N_HAND] = n
    blank(s, b + L.HAND, n, t)


def is_decided(s: Row, b: int, t: Table) -> int:
    """Return whether no card is left on the stack when this turn ends."""
    n = s[b + L.N_STACK]
    if n == 0:
        return 1
    at = b + L.STACK
    if n > 1 or s[at + L.FRAME_STATE] & L.FRAME_SECOND:
        return 0
    risk = t[t[L.H_CARDS] + s[at + L.FRAME_CARD] * L.CARD_W + L.C_RISK]
    return 1 if risk == 0 or (s[at + L.FRAME_NEED] > 0 and s[at + L.FRAME_PAID] >= s[at + L.FRAME_NEED]) else 0


def awaits(s: Row, b: int, code: int) -> int:
    """Return whether an instruction is still to come."""
    for i in range(s[b + L.N_CONTROL]):
        if s[b + L.CONTROL + L.CONTROL_W * i] == code:
            return 1
    return 0


def opens(s: Row, b: int) -> int:
    """Return whether the main action is still to be chosen, or chosen again."""
    return 1 if awaits(s, b, L.I_MAIN) or awaits(s, b, L.I_MAIN_AGAIN) else 0


def readers(s: Row, b: int, f: Table) -> int:
    """Return what this turn may still read of the discard pile, once its main action is under way."""
    reads: int = f[Q.LEG_READS]
    for i in range(s[b + L.N_STACK]):
        reads |= f[f[Q.READERS] + s[b + L.STACK + L.FRAME_W * i + L.FRAME_CARD]]
    if awaits(s, b, L.I_RISK):
        for i in range(s[b + L.N_DECK]):
            reads |= f[f[Q.READERS] + s[b + L.DECK + i]]
    return reads


def fade(s: Row, b: int, t: Table, f: Table) -> None:
    """Forget what nothing reads from here on."""
    left = s[b + L.LEFT]
    if left == 1 and f[Q.RULES] & Q.RULE_LAST:
        fade_last(s, b, t, f, opens(s, b))
    if left != 2 or not f[Q.RULES] & Q.RULE_BLIND or opens(s, b):
        return
    if awaits(s, b, L.I_NEW_DAY) or awaits(s, b, L.I_END_KILLS) or awaits(s, b, L.I_NIGHT):
        return
    reads = readers(s, b, f)
    if reads & (Q.READS_PILE | Q.READS_ALL) or not is_decided(s, b, t):
        return
    if not sled.any_flag(s, b + L.DECK, s[b + L.N_DECK] + s[b + L.UNSEEN], t, L.FLAG_ENDS_TURN_ON_DISCARD):
        s[b + L.BLIND] = 1 if reads & Q.READS_DECK or awaits(s, b, L.I_DRAW) else 2


def fade_last(s: Row, b: int, t: Table, f: Table, is_open: int) -> None:
    """Forget what the last turn does not read: it ends before a card that comes to the hand can be played or pay."""
    stack = s[b + L.N_STACK]
    second = s[b + L.STACK + L.FRAME_W * (stack - 1) + L.FRAME_STATE] & L.FRAME_SECOND if stack else 0
    if not f[Q.PILE]:
        s[b + L.N_DISCARD] = 0
        s[b + L.N_RESOLVED] = 0
        s[b + L.N_SUPPLY] = 0
    # After a second step that is given up the main action is chosen again.
    again = 1 if is_open and t[L.H_SECOND_STEP_OPTIONAL] and (second or awaits(s, b, L.I_MAIN_AGAIN)) else 0
    if not again and (stack or not is_open):
        blank_hand(s, b, t)
    if stack == 0 or not (is_open or awaits(s, b, L.I_RISK)):
        rest = s[b + L.N_DECK] - s[b + L.KNOWN]  # only their number counts: that of those unseen is known
        native.copy(s, b + L.DECK + rest, s, b + L.DECK + rest + s[b + L.UNSEEN], s[b + L.KNOWN])
        s[b + L.UNSEEN] = 0
        blank(s, b + L.DECK, rest, t)
    if not again:
        blank(s, b + L.SEEN, s[b + L.N_SEEN], t)


def is_choosing(s: Row, b: int) -> int:
    """Return whether a choice among cards is under way, which goes by their places."""
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    code = s[at]
    if code == L.I_PAY:
        return 1 if s[at + 2] > 0 else 0
    return 1 if code == L.I_PICK or code == L.I_RECOVER or code == L.I_SORT_OUT else 0


class HiddenRows(RowValues):
    """The values of one table and goal with a hidden deck.

    ``table`` is that of the machine, ``fades`` that of what is forgotten, ``fields`` what rows are told apart by, all
    int32.
    """

    table: Table
    fades: Table
    fields: Table

    def __init__(self, memory: int, pause: Callable[[], None]) -> None:
        super().__init__(L.W, L.MOST_WORK, memory, pause)
        self.optimistic = 0

    def begin_row(self, row: Row, turns: int) -> int:
        """Make a row the first one, with so many turns left, and begin its turn."""
        s = native.shorts(self.work)
        self.copy_first(row)
        s[L.LEFT] = turns
        return machine.begin_turn(s, 0)

    def copy_first(self, row: Row) -> None:
        """Make a row in the middle of a turn the first one."""
        native.copy(native.shorts(self.work), 0, native.shorts(row), 0, L.W)

    def choose(self, option: int) -> int:
        """Take an option of the main action of the first row, where it is open (``main_action``)."""
        s = native.shorts(self.work)
        at = L.CONTROL + L.CONTROL_W * (s[L.N_CONTROL] - 1)
        s[at + 1] = option
        if machine.step(s, 0, native.ints(self.table), 1) != 2:
            return 0
        native.copy(s, 0, s, L.W, L.W)
        for i in range(s[L.N_CONTROL]):  # no other row stands for the other orders of free actions
            at = L.CONTROL + L.CONTROL_W * i
            if s[at] == L.I_MAIN:
                s[at + 2] = s[at + 3] = 0
        return 1

    def pay_with(self, kind: int) -> int:
        """Let one card of the first row's hand pay, which has not been chosen yet."""
        s = native.shorts(self.work)
        for place in range(s[L.N_HAND] - 1, -1, -1):
            if s[L.HAND + place] & L.AGE - 1 == kind:
                zones.to_discard(s, 0, zones.remove_at(s, 0, L.N_HAND, L.HAND, place) & L.AGE - 1)
                at = L.CONTROL + L.CONTROL_W * (s[L.N_CONTROL] - 1)
                if s[at] == L.I_PAY:
                    s[at + 1] = s[at + 1] - 1
                    if s[at + 1] == 0:
                        s[L.N_CONTROL] = s[L.N_CONTROL] - 1
                elif zones.owed(s, 0):
                    s[L.OWED + s[L.AGES]] = s[L.OWED + s[L.AGES]] - 1
                return 1
        return 0

    def advance(self, b: int) -> int:
        """Let the row at b go on."""
        return HiddenRows.split(self, b, 0)

    def split(self, b: int, begun: int) -> int:
        """Split an option off the row, or go on to its next choice or chance.

        Where options have been ``begun`` to be split off, it goes on by one instruction (``V.LAST``).
        """
        s = native.shorts(self.work)
        t = native.ints(self.table)
        self.moved = 0
        while True:
            kind = self.before_step(b)
            if kind:
                return kind
            at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
            first = 1 if s[at] == L.I_MAIN and s[at + 1] == 0 else 0
            self.moved += 1
            left = machine.step(s, b, t, 1)
            if s[b + L.ERROR] or (left == 2 and s[b + L.W + L.ERROR]):
                return V.BROKEN
            if left == 2:
                return V.OPTION
            if left == 0:
                # The distance stands where the goal allows no move at all.
                return self.settle(s[b + L.POSITION]) if first and self.fades[Q.GOAL] == Q.GOAL_DISTANCE else V.DEAD
            if left == L.TURN_OVER:
                return self.end_turn(b)
            kind = self.after_step(b)
            if kind or begun:
                return kind if kind else V.LAST

    def before_step(self, b: int) -> int:
        """Return what the row waits for or has come to, 0 where the machine goes on."""
        s = native.shorts(self.work)
        left = s[b + L.LEFT]
        at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
        if s[at] == L.I_REVEAL or s[at] == L.I_ROLL:
            return V.CHANCE
        # A card that is gained comes to be played two turns later at the earliest, unless something brings discarded
        # cards back within the turn.
        if s[at] != L.I_TURN_OVER or left < 2 or (left == 2 and not self.fades[Q.GAINS]):
            return 0
        if left > 2 or opens(s, b) or readers(s, b, native.ints(self.fades)) & (Q.READS_PILE | Q.READS_ALL):
            return V.BROKEN
        return 0

    def after_step(self, b: int) -> int:
        """Return whether an instruction has settled the row."""
        return 0

    def settle(self, number: int) -> int:
        """Note the value of a row where nothing counts any more."""
        self.leaf = number
        self.leaf_number = number
        return V.SETTLED

    def end_turn(self, b: int) -> int:
        """Settle the row if the question ends with this turn, else begin the next one."""
        s = native.shorts(self.work)
        goal = self.fades[Q.GOAL]
        sled.tidy(s, b)
        s[b + L.LEFT] = s[b + L.LEFT] - 1
        s[b + L.BLIND] = 0
        there = 1 if s[b + L.POSITION] >= self.fades[Q.TARGET] else 0
        ended = 1 if s[b + L.OVER] or s[b + L.LEFT] <= 0 else 0
        if goal == Q.GOAL_DISTANCE and ended:
            return self.settle(s[b + L.POSITION])
        if goal == Q.GOAL_REACH and (there or ended):
            return self.settle(there)
        if goal == Q.GOAL_TURNS and (there or (ended and self.optimistic and not s[b + L.OVER])):
            return self.settle(1)
        if ended:
            self.leaf = self.lost
            self.leaf_number = 0
            return V.SETTLED
        if self.optimistic and goal == Q.GOAL_TURNS and s[b + L.LEFT] == 1:
            return self.settle(2)  # whatever the last turn brings
        machine.begin_turn(s, b)
        return V.TURN

    def outcome(self, b: int, place: int) -> int:
        """Write what chance may bring behind the row."""
        s = native.shorts(self.work)
        if s[b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)] == L.I_ROLL:
            if place >= self.table[L.H_FACES]:
                return 0
            s[zones.fork(s, b) + L.WEATHER] = place + 1
            self.place = place + 1
            return 1
        unknown = s[b + L.N_DECK] + s[b + L.UNSEEN] - s[b + L.KNOWN]
        if place >= unknown:
            return 0
        zones.put_on_top(s, zones.fork(s, b), place, s[b + L.DECK + place])
        self.place = zones.other_kind(s, b + L.DECK, place, unknown)
        return self.place - place

    def hash_row(self, b: int) -> None:
        """Hash what of the row is read from here on, into two numbers of 62 bits."""
        s = native.shorts(self.work)
        if not is_choosing(s, b):
            fade(s, b, native.ints(self.table), native.ints(self.fades))
        self.hash_rest(b)

    def hash_rest(self, b: int) -> None:
        """Hash the numbers and lists of a row."""
        out = native.shorts(self.scratch)
        self.digest(rows.pass_fields(native.ints(self.fields), native.shorts(self.work), b, out, 1))
