cimport cython
from solver.encodings.iditacards cimport dogs, hand, machine
from solver.encodings.iditacards.bound cimport lower_bound
from solver.encodings.iditacards.bound cimport layout as BL
from solver.encodings.iditacards cimport key_layout as K
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

cdef I number(unsigned char *key, I *pen, I value, I bits) noexcept nogil
cdef I card(unsigned char *key, I *pen, int *k, I kind) noexcept nogil
# Wide locals make these 3 % faster than those that the compiler infers.
@cython.locals(ages=I, age=I, kind=I, i=I)
cdef I hand_cards(unsigned char *key, I *pen, int *k, short *s, I b, I n) noexcept nogil
@cython.locals(n=I, dog=I, at=I, worn=I, i=I)
cdef I dogs_in_play(unsigned char *key, I *pen, int *k, short *s, I b) noexcept nogil
@cython.locals(n=I, frame=I, at=I, i=I, old=I, second=I)
cdef I frames(unsigned char *key, I *pen, int *k, short *s, I b) noexcept nogil
@cython.locals(i=I, j=I, e=I, field=I, base=I, form=I, value=I)
cdef I pass_row(unsigned char *key, I *pen, int *k, short *s, I b) noexcept nogil
cdef I holds_kept(short *s, I b, int *k, int *t) noexcept nogil
cdef I least_turns(short *s, I b, int *t, int *bounds, I target, I *room) noexcept nogil

cdef class Expander:
    cdef public int[::1] table
    cdef int[::1] k
    cdef short[::1] template
    cdef short[::1] work
    cdef I[::1] pen
    cdef public int[::1] bounds
    cdef unsigned char[::1] out
    cdef I[::1] room
    cdef I[::1] slots
    cdef I n_slots
    cdef I capacity
    cdef I bytes
    cdef I begun
    cdef readonly I first
    cdef public I target
    cdef public I source
    cdef public I top
    cdef readonly I count
    cdef unsigned char[::1] keys
    cdef I[::1] offsets
    cdef int[::1] parents
    cdef short[::1] progress
    cdef short[::1] least
    cdef short[::1] days
    cdef int[::1] promise
    cdef unsigned char[::1] over

    cpdef I advance(self, const unsigned char[::1] keys, I[::1] offsets, I last, I steps)
    cdef I go_on(self, unsigned char *keys, I *offsets, I last, I steps) noexcept nogil
    cdef I open_source(self, unsigned char *keys, I *offsets) noexcept nogil
    cdef I fail(self, short *s, I b) noexcept nogil
    cdef I store(self, short *s, I b) noexcept nogil
    cdef I is_new(self, I start, I end) noexcept nogil
    cdef I note(self, short *s, I b) noexcept nogil
