from solver.encodings.iditacards cimport dogs, hand, machine, zones
from solver.encodings.iditacards.hidden cimport layout as F
from solver.encodings.iditacards cimport layout as L
from solver.search cimport layout as V
from solver.search.row_values cimport RowValues

ctypedef long long I
ctypedef unsigned long long U

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]

cdef I blank(short *s, I start, I n, int *t) noexcept nogil
cdef I blank_hand(short *s, I b, int *t) noexcept nogil
cdef I is_decided(short *s, I b, int *t) noexcept nogil
cdef I awaits(short *s, I b, I code) noexcept nogil
cdef I opens(short *s, I b) noexcept nogil
cdef I readers(short *s, I b, int *f) noexcept nogil
cdef I reads_gains(short *s, I b, int *f) noexcept nogil
cdef I copies(short *s, I first, I place, I n) noexcept nogil
cdef I fade(short *s, I b, int *t, int *f) noexcept nogil
cdef I is_harmless(short *s, I b, int *t) noexcept nogil
cdef I forget_unseen(short *s, I b) noexcept nogil
cdef I fade_last(short *s, I b, int *t, int *f, I is_open) noexcept nogil
cdef I append(short *s, I start, I n, short *out, I at) noexcept nogil
cdef I gather(short *s, I b, short *out, I at) noexcept nogil
cdef I is_choosing(short *s, I b) noexcept nogil

cdef class HiddenRows(RowValues):
    cdef public int[::1] table
    cdef public int[::1] fades
    cdef public I optimistic

    cpdef I begin_row(self, short[::1] row, I turns) except -1
    cpdef I copy_first(self, short[::1] row) except -1
    cpdef I choose(self, I option) except -1
    cdef I free_order(self) except -1
    cpdef I pay_with(self, I kind) except -1
    cdef I advance(self, I b) except -1
    cdef I advance_to(self, I b, I single) except -1
    cdef I before_step(self, I b) except -1
    cdef I after_step(self, I b) except -1
    cdef I settle(self, I number) except -1
    cdef I end_turn(self, I b) except -1
    cdef I outcome(self, I b, I place) except -1
    cdef I hash_row(self, I b) except -1
    cdef I hash_rest(self, I b) except -1
