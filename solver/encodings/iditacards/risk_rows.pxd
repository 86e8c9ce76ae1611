cimport cython
from solver.encodings.iditacards cimport hidden_layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.dogs cimport tidy
from solver.encodings.iditacards.hand cimport to_hand
from solver.encodings.iditacards.hidden_rows cimport HiddenRows, blank, blank_hand, gather, is_choosing, rename
from solver.encodings.iditacards.upgrades cimport awaits
from solver.encodings.iditacards.machine cimport begin_turn, step
from solver.encodings.iditacards.zones cimport fork, push, remove_at, to_deck, to_discard
from solver.search cimport layout as V
from solver.search.urns cimport Urns

ctypedef long long I
ctypedef unsigned long long U

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]

@cython.locals(i=I)
cdef I forget(short *s, I b, int *t, int *f) noexcept nogil
@cython.locals(n=I)
cdef I blanks(short *s, I b) noexcept nogil
@cython.locals(top=I, i=I)
cdef I put_on_top(short *s, I b, I place, I card) noexcept nogil
@cython.locals(n=I, i=I)
cdef I placed(short *s, I b, I kind) noexcept nogil
@cython.locals(at=I, left=I, i=I)
cdef I take_back(short *s, I b, int *t) noexcept nogil

cdef class RiskRows(HiddenRows):
    cdef public I at_once

    @cython.locals(s='short *', t='int *', at=I, code=I, kind=I, rows=I)
    cdef I advance(self, I b) except -1
    cdef I is_unseen(self, I b) except -1
    cdef I advance_unseen(self, I b, I code) except -1
    @cython.locals(s='short *')
    cdef I end_turn(self, I b) except -1
    @cython.locals(s='short *', f='int *', out='short *', n=I, i=I)
    cdef I hash_row(self, I b) except -1

cdef class RiskNodes(RiskRows):
    cdef public I back
    cdef public I unsure
    cdef public I clouded
    cdef public I given
    cdef public I paid
    cdef public I turned
    cdef public int[::1] kinds
    cdef public int[::1] copies
    cdef public Urns urns

    cpdef I first_node(self) except -1
    @cython.locals(s='short *', a=U, c=U, at=I, mark=I, size=I, kind=I, node=I)
    cdef I node(self, I b) except -1
    @cython.locals(s='short *', n=I)
    cdef I is_unseen(self, I b) except -1
    @cython.locals(s='short *')
    cdef I hide(self, I b) except -1
    @cython.locals(s='short *', at=I, op=I)
    cdef I advance_unseen(self, I b, I code) except -1
    @cython.locals(s='short *', state=I, n=I, size=I, mark=I, back=I, q=I, i=I)
    cdef I look(self, I b) except -1
    @cython.locals(s='short *', n=I, code=I, blank=I, unknown=I, node=I, mark=I, place=I, first=I)
    cdef I reveal(self, I b) except -1
    @cython.locals(s='short *', q=I)
    cdef I turn_up(self, I b, I place, I card) except -1
    @cython.locals(s='short *', mark=I, some=I, given=I, i=I, kind=I, node=I)
    cdef I risk(self, I b) except -1
    @cython.locals(s='short *', n=I)
    cdef I is_first(self, I b) except -1
    @cython.locals(s='short *', f='int *')
    cdef I hash_row(self, I b) except -1
