cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.bound cimport count, least_lead
from solver.encodings.trench_rescue.field cimport copy, count_out, end_half, fade, hit, reach
from solver.encodings.trench_rescue.machine cimport HalfTurn
from solver.search cimport layout as C
from solver.search.contests.alpha_beta cimport AlphaBeta

ctypedef long long I
ctypedef unsigned long long U

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]

cdef class DuelRows(AlphaBeta):
    cdef int[::1] table
    cdef public HalfTurn half
    cdef int[::1] x
    cdef U factor_a
    cdef U factor_b
    cdef U factor_c
    cdef public short[::1] ends
    cdef I[::1] slots
    cdef U[::1] end_a
    cdef U[::1] end_b
    cdef I stamp
    cdef public I n_lists
    cdef public I n_ends
    cdef U[::1] list_a
    cdef U[::1] list_b
    cdef public I[::1] list_first
    cdef public int[::1] list_count
    cdef int[::1] list_slots

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
    @cython.locals(a=U, c=U)
    cdef I list_ends(self, I homeward) except -1
    cdef I write_ends(self, I homeward) except -1
    cdef I make_room(self) except -1
    cdef I close(self, I at) except -1
    cdef I end_at(self, I begun) except? -2
    cpdef I follow(self, I number, I place, I helper, I to) except -1
    @cython.locals(occupied=I, bit=I, missing=I)
    cpdef I outcome(self, I b, I place, I to) except -1
    cdef I draw(self, I b, I place, I to) except -1
