cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.field cimport arrive, copy, count_out, cycle, drop, end_half, enter, gather, half_turns_left, hit, is_same
from solver.search.pointers cimport I, ints, longs, shorts

cdef class HalfTurn:
    cdef int[::1] table
    cdef public I width, count
    cdef I room, stamp
    cdef public short[::1] rows
    cdef I[::1] slots
    cdef int[::1] x
    cdef short[::1] factors
    cdef I deck, draws

    cdef I make_room(self, I room) except -1
    @cython.locals(h=I)
    cdef I find(self, I each) noexcept
    cpdef I put(self, row) except -1
    cpdef I run(self) except -1
    cdef I keep(self) except -1
    cdef I fork(self, I at) noexcept
    cdef I signature(self, I at) noexcept
    cdef I act(self, I each) except -1
    cdef I enter(self, I at, I i) except -1
    cdef I cycle(self, I at, I i) except -1
    cdef I drop(self, I at, I i) except -1
    cdef I walk(self, I at, I ready) except -1
    cdef I go(self, I at, I chosen, I n) except -1
    cdef I arrive(self, I at, I chosen, I load, I there) except -1
    cpdef I may_end(self, I each) noexcept
    cpdef I end_alone(self, I each, cells) except -1
