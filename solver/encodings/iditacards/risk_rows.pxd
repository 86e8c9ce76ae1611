cimport cython
from solver.encodings.iditacards cimport hidden_layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.dogs cimport tidy
from solver.encodings.iditacards.hand cimport to_hand
from solver.encodings.iditacards.hidden_rows cimport HiddenRows, append, blank_hand, gather, is_choosing, rename
from solver.encodings.iditacards.upgrades cimport awaits
from solver.encodings.iditacards.machine cimport begin_turn, step
from solver.encodings.iditacards.zones cimport copy, copy_tail, fork, sort_list
from solver.search cimport values_layout as V

ctypedef long long I

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]

@cython.locals(place=I, at=I, need=I, start=I, i=I)
cdef I is_ripe(short *s, I b, int *t) noexcept nogil
cdef I ripen(short *s, I b, int *f) noexcept nogil
@cython.locals(i=I)
cdef I forget(short *s, I b, int *t, int *f) noexcept nogil
cdef I pool_start(short *s, I b) noexcept nogil
@cython.locals(n=I, i=I)
cdef I blanks(short *s, I b) noexcept nogil
@cython.locals(i=I, card=I)
cdef I all_to_pool(short *s, I b, int *t) noexcept nogil
@cython.locals(start=I, card=I, i=I)
cdef I off_pool(short *s, I b, I place) noexcept nogil
@cython.locals(top=I, i=I)
cdef I put_on_top(short *s, I b, I card) noexcept nogil
@cython.locals(i=I, code=I, at=I, asks=I)
cdef I comes_through(short *s, I b, int *f) noexcept nogil
@cython.locals(at=I, place=I, i=I)
cdef I settle_look(short *s, I b, int *t, int *f) noexcept nogil
@cython.locals(at=I, _=I)
cdef I take_back(short *s, I b) noexcept nogil

cdef class RiskRows(HiddenRows):
    cdef public I at_once
    cdef public I given
    cdef public I paid
    cdef public I touched
    cdef public I turned
    cdef public I low
    cdef public I high

    @cython.locals(s='short *', t='int *', sight=I, at=I, code=I, kind=I, a=I, x=I, y=I, rows=I)
    cdef I advance(self, I b) except -1
    @cython.locals(s='short *', place=I)
    cdef I end_turn(self, I b) except -1
    @cython.locals(s='short *', at=I, op=I, late=I)
    cdef I advance_unseen(self, I b, I code) except -1
    @cython.locals(s='short *')
    cdef I is_to_see(self, I b, I code) except -1
    @cython.locals(s='short *')
    cdef I outcome(self, I b, I place) except -1
    @cython.locals(s='short *', n=I)
    cdef I is_first(self, I b) except -1
    @cython.locals(s='short *', n=I, pool=I, start=I, q=I, unknown=I, code=I, named=I, blank=I, card=I, i=I, place=I)
    cdef I unseen_outcome(self, I b, I place) except -1
    @cython.locals(s='short *', first=I, place=I)
    cdef I weigh(self, I start, I place, I n, I base, I times) except -1
    @cython.locals(s='short *', f='int *', out='short *', n=I, i=I)
    cdef I hash_row(self, I b) except -1
