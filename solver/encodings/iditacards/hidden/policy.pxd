from solver.encodings.iditacards cimport hand, movement, zones
from solver.encodings.iditacards.hidden cimport layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.hidden.hidden_rows cimport HiddenRows, ints, shorts

ctypedef long long I
ctypedef unsigned long long U
ctypedef double D

cdef inline D *doubles(D[::1] x) noexcept nogil:
    return &x[0]

cdef I add_cards(short *s, I start, I n, int *t, D *x) noexcept nogil
cdef I stride(short *s, I b, int *t) noexcept nogil
cdef I reckon(short *s, I b, int *t, D *x) noexcept nogil
cdef I has_slot(short *s, I b, int *t) noexcept nogil
cdef D brings(short *s, I b, int *t, D *x, I kind) noexcept nogil
cdef D comes_through(short *s, I b, int *t, I risk, I hand, I deck) noexcept nogil
cdef D playing(short *s, I b, int *t, D *x, I kind, I hand) noexcept nogil
cdef D value_of(short *s, I b, int *t, D *x, I goal, I target) noexcept nogil
cdef D kept_for(short *s, I b, int *t, D *x, I kind, I hand) noexcept nogil
cdef D of_hand(short *s, I b, int *t, D *x, I hand) noexcept nogil
cdef D of_stack(short *s, I b, int *t, D *x, I hand) noexcept nogil

cdef class PlayoutRows(HiddenRows):
    cdef public D[::1] numbers
    cdef public I begun
    cdef public I dealt
    cdef public double worst
    cdef public I space

    cdef I split(self, I b, I begun) except -1
    cdef I is_blind(self, I b) except -1
    cdef I chance(self, I b, I source, I number) except -1
    cpdef double guess(self, I b) except? -2.0
    cdef I is_last(self, I b) except -1
    cdef double ended(self, I b) except? -2.0
    cdef I deal(self, U seed) except -1
