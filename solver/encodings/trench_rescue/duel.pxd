cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.bound cimport count, least_lead
from solver.encodings.trench_rescue.field cimport copy, count_out, end_half, fade, hit, reach
from solver.encodings.trench_rescue.machine cimport HalfTurn
from solver.search cimport layout as C
from solver.search.contests.alpha_beta cimport AlphaBeta
from solver.search.pointers cimport I, U, ints, shorts

cdef class DuelRows(AlphaBeta):
    cdef int[::1] table
    cdef public HalfTurn half
    cdef int[::1] x
    cdef U factor_a, factor_b, factor_c
    cdef public short[::1] ends
    cdef dict lists
    cdef public I n_ends
    cdef public I[::1] list_first
    cdef public int[::1] list_count

    cpdef I begin(self, row) except -1
    cpdef I actor(self, I b) except -1
    cpdef I pace(self, I b) except -1
    cpdef I lead(self, I b) except? -100
    cpdef I guess(self, I b) except? -100
    cpdef I bound(self, I b) except -1
    cpdef I hash_row(self, I b) except -1
    @cython.locals(mask=U, z=U, h=U, g=U, who=U)
    cdef I digest(self, short *s, I b, I head) except -1
    cpdef I options(self, I b, I helper) except -1
    @cython.locals(number=I, begun=I)
    cdef I list_ends(self, I homeward) except -1
    @cython.locals(known=I)
    cdef I write_ends(self, I homeward) except -1
    cdef I make_room(self) except -1
    cdef I close(self, I at) except -1
    cpdef I follow(self, I number, I place, I helper, I to) except -1
    @cython.locals(occupied=I, bit=I, missing=I)
    cpdef I outcome(self, I b, I place, I to) except -1
    cdef I draw(self, I b, I place, I to) except -1
