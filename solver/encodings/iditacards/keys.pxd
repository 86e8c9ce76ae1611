cimport cython
from solver.encodings.iditacards cimport dogs, hand, machine, zones
from solver.encodings.iditacards.bound cimport lower_bound
from solver.encodings.iditacards.bound cimport layout as BL
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

# Pointers to the first item of arrays.
cdef inline unsigned char *letters(const unsigned char[::1] x) noexcept nogil:
    return <unsigned char *>&x[0]
cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline I *longs(I[::1] x) noexcept nogil:
    return &x[0]

cdef I write_row(unsigned char *key, I at, int *k, short *s, I b) noexcept nogil
cdef I read_row(unsigned char *key, I at, int *k, short *s, I b) noexcept nogil
cdef I holds_kept(short *s, I b, int *k, int *t) noexcept nogil
cdef I least_turns(short *s, I b, int *t, int *bounds, I target, I *room) noexcept nogil

cdef class Expander:
    cdef public int[::1] table
    cdef int[::1] k
    cdef short[::1] template
    cdef short[::1] work
    cdef public int[::1] bounds
    cdef unsigned char[::1] out
    cdef I[::1] room
    cdef I[::1] slots
    cdef I n_slots
    cdef I capacity
    cdef I bytes
    cdef I begun
    cdef I first
    cdef I count
    cdef public I target
    cdef object ends
    cdef unsigned char[::1] keys
    cdef I[::1] offsets
    cdef int[::1] parents
    cdef short[::1] progress
    cdef short[::1] least
    cdef short[::1] days
    cdef int[::1] promise
    cdef unsigned char[::1] over

    @cython.locals(top=I, steps=I, rows=I)
    cpdef I play(self, const unsigned char[::1] keys, I[::1] offsets, I source) except -1
    cdef I fail(self, short *s, I b) noexcept nogil
    cdef I store(self, short *s, I b, I source) except -1
    @cython.locals(last=I, number=I)
    cdef I grow_slots(self) except -1
    cdef I is_new(self, I start, I end) noexcept nogil
    cdef I note(self, short *s, I b, I source) noexcept nogil
