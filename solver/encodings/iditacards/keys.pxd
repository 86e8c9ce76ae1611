cimport cython
from solver.encodings.iditacards cimport dogs, hand, machine
from solver.encodings.iditacards.bound cimport lower_bound
from solver.encodings.iditacards.bound cimport evaluation
from solver.encodings.iditacards.bound cimport layout as BL
from solver.encodings.iditacards cimport key_layout as K
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

# Pointers to the first item of arrays.
cdef inline const unsigned char *chars(const unsigned char[::1] x) noexcept nogil:
    return &x[0]
cdef inline unsigned char *letters(unsigned char[::1] x) noexcept nogil:
    return &x[0]
cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline I *longs(I[::1] x) noexcept nogil:
    return &x[0]

cdef I put(unsigned char *out, I *pen, I value, I bits) noexcept nogil
cdef I get(const unsigned char *key, I *pen, I bits) noexcept nogil
# Wide locals make these 3 % faster than those that the compiler infers.
@cython.locals(bad=I, codes=I, bits=I, i=I)
cdef I put_cards(short *s, I start, I n, int *k, unsigned char *out, I *pen) noexcept nogil
@cython.locals(codes=I, ages=I, bad=I, age=I, i=I)
cdef I put_hand(short *s, I b, int *k, unsigned char *out, I *pen) noexcept nogil
cdef I get_hand(const unsigned char *key, I *pen, int *k, short *s, I b, I n) noexcept nogil
cdef I put_dogs(short *s, I b, int *k, unsigned char *out, I *pen) noexcept nogil
cdef I put_stack(short *s, I b, int *k, unsigned char *out, I *pen) noexcept nogil
@cython.locals(bad=I, i=I, e=I, form=I, value=I)
cdef I pack(short *s, I b, int *k, unsigned char *out, I *pen) noexcept nogil
@cython.locals(kinds=I, bits=I, i=I)
cdef I get_cards(const unsigned char *key, I *pen, int *k, short *s, I start, I n) noexcept nogil
cdef I get_dogs(const unsigned char *key, I *pen, int *k, short *s, I b) noexcept nogil
cdef I get_stack(const unsigned char *key, I *pen, int *k, short *s, I b) noexcept nogil
@cython.locals(i=I, e=I, field=I, form=I, value=I)
cdef I unpack(const unsigned char *key, I *pen, int *k, short *s, I b) noexcept nogil
cdef I holds_kept(short *s, I b, int *k, int *t) noexcept nogil
cdef I least_turns(short *s, I b, int *t, int *bounds, I target, I *room) noexcept nogil

cdef class Expander:
    cdef int[::1] table
    cdef int[::1] k
    cdef short[::1] template
    cdef short[::1] work
    cdef I[::1] pen
    cdef int[::1] bounds
    cdef I[::1] room
    cdef I[::1] slots
    cdef I n_slots
    cdef I capacity
    cdef I bytes
    cdef I begun
    cdef readonly I first
    cdef I target
    cdef readonly I source
    cdef readonly I top
    cdef readonly I count
    cdef unsigned char[::1] keys
    cdef I[::1] offsets
    cdef int[::1] parents
    cdef short[::1] progress
    cdef short[::1] least
    cdef short[::1] days
    cdef int[::1] promise
    cdef unsigned char[::1] over

    cpdef I write_shape(self, const unsigned char[::1] key, unsigned char[::1] out)
    cpdef I advance(self, const unsigned char[::1] keys, I[::1] offsets, I last, I steps)
    cdef I go_on(self, const unsigned char *keys, I *offsets, I last, I steps) noexcept nogil
    cdef I open_source(self, const unsigned char *keys, I *offsets) noexcept nogil
    cdef I fail(self, short *s, I b) noexcept nogil
    cdef I store(self, short *s, I b) noexcept nogil
    cdef I is_new(self, I start, I end) noexcept nogil
    cdef I note(self, short *s, I b) noexcept nogil
