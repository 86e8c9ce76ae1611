cimport cython
from solver.encodings.iditacards cimport hidden_layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.bound cimport least
from solver.encodings.iditacards.dogs cimport tidy
from solver.encodings.iditacards.hand cimport owed
from solver.encodings.iditacards.machine cimport begin_turn, step
from solver.encodings.iditacards.upgrades cimport awaits, is_best_of, keeps_upgrades, opens, reads_gains, readers, take_best, turn_up
from solver.encodings.iditacards.zones cimport copy, copy_tail, fork, remove_at, sort_list, to_discard
from solver.search cimport layout as V
from solver.search.row_values cimport RowValues

ctypedef long long I
ctypedef unsigned long long U

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline I *longs(I[::1] x) noexcept nogil:
    return &x[0]

@cython.locals(i=I)
cdef I rename(short *s, I start, I n, int *f, I kinds) noexcept nogil
@cython.locals(i=I)
cdef I blank(short *s, I start, I n, int *t) noexcept nogil
@cython.locals(n=I, i=I)
cdef I blank_hand(short *s, I b, int *t) noexcept nogil
@cython.locals(i=I, kind=I)
cdef I spare(short *s, I start, I n, int *t) noexcept nogil
@cython.locals(n=I, at=I, risk=I)
cdef I is_decided(short *s, I b, int *t) noexcept nogil
@cython.locals(rules=I, unknown=I, left=I, night=I, reads=I, decided=I)
cdef I fade(short *s, I b, int *t, int *f) noexcept nogil
@cython.locals(i=I)
cdef I is_harmless(short *s, I b, int *t) noexcept nogil
@cython.locals(known=I, n=I)
cdef I forget_unseen(short *s, I b) noexcept nogil
@cython.locals(stack=I, second=I, again=I)
cdef I fade_last(short *s, I b, int *t, int *f, I is_open) noexcept nogil
cdef I append(short *s, I start, I n, short *out, I at) noexcept nogil
@cython.locals(at=I)
cdef I gather(short *s, I b, short *out, I at) noexcept nogil
@cython.locals(at=I, code=I)
cdef I is_choosing(short *s, I b) noexcept nogil

cdef class HiddenRows(RowValues):
    cdef public int[::1] table
    cdef public int[::1] fades
    cdef public I optimistic
    cdef public int[::1] bounds
    cdef I[::1] room
    cdef public I has_bound

    @cython.locals(s='short *', i=I)
    cpdef I begin_row(self, short[::1] row, I turns) except -1
    @cython.locals(s='short *', i=I)
    cpdef I copy_first(self, short[::1] row) except -1
    @cython.locals(s='short *', at=I)
    cpdef I choose(self, I option) except -1
    @cython.locals(s='short *', i=I, at=I)
    cdef I free_order(self) except -1
    @cython.locals(s='short *', place=I, at=I)
    cpdef I pay_with(self, I kind) except -1
    @cython.locals(s='short *', t='int *', at=I, code=I, first=I, rows=I)
    cdef I advance(self, I b) except -1
    @cython.locals(s='short *')
    cdef I advance_gain(self, I b, I of) except -1
    cdef I settle(self, I number) except -1
    @cython.locals(s='short *', goal=I, there=I, ended=I)
    cdef I end_turn(self, I b) except -1
    cpdef I least_here(self, I b, I target) except -1
    cpdef I is_hopeless(self, I b) except -1
    cdef I give_up(self, I b) except -1
    @cython.locals(s='short *', t='int *', code=I, best=I, unknown=I, card=I, q=I, top=I, i=I, weight=I, place=I)
    cdef I outcome(self, I b, I place) except -1
    @cython.locals(s='short *', f='int *', out='short *', n=I, i=I)
    cdef I hash_row(self, I b) except -1
