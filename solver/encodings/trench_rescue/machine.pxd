cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.field cimport arrive, copy, count_out, cycle, drop, end_half, enter, fade, gather, half_turns_left, hit, shells_for
from solver.search.pointers cimport I, ints, shorts


cdef class Rows:
    cdef int[::1] table
    cdef public short[::1] work
    cdef public I width
    cdef public object here, there
    cdef int[::1] x
    cdef dict met
    cdef list waiting

    cdef I fork(self) noexcept
    cdef I keep(self) except -1
    cpdef list middles(self, bytes row)
    cdef I act(self, I draws) except -1
    cdef I enter(self, I i) except -1
    cdef I walk(self, I ready) except -1
    cdef I go(self, I chosen, I n) except -1
    cpdef I end(self, bytes middle) except -1
    cdef bytes forgotten(self)
    cpdef bytes reduced(self, row)
    cpdef list followers(self, bytes row)
    @cython.locals(missing=I, n=I)
    cpdef list outcomes(self, bytes row)
    @cython.locals(lead=I)
    cpdef tuple bounds(self, bytes row)
    cpdef I pace(self, bytes row) except -1
    @cython.locals(total=I)
    cpdef I guess(self, bytes row) except? -100
    cpdef I shelled(self, bytes middle, cells) except -2

cdef I count(short *s, I b, int *t, int *x) noexcept nogil
cdef I is_acting(short *s, I b, I colour) noexcept nogil
cdef I most_shells(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I men_at_home(short *s, I b, int *x, I colour) noexcept nogil
cdef I waits(short *s, I b, int *t, I colour) noexcept nogil
cdef I gains(int *t, I i, I load, I colour) noexcept nogil
cdef I risk_of(short *s, I b, int *t, I colour, I cell, I stays, I shells) noexcept nogil
cdef I surely(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I fetched(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I least_lead(short *s, I b, int *t, int *x, I colour) noexcept nogil
