from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.field cimport gather, half_turns_left, shells_for
from solver.search.pointers cimport I

cdef I count(short *s, I b, int *t, int *x) noexcept nogil
cdef I is_acting(short *s, I b, I colour) noexcept nogil
cdef I stands(short *s, I b, int *t, int *x, I colour, I beyond) noexcept nogil
cdef I foresee(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I gains(int *t, I i, I load, I colour) noexcept nogil
cdef I is_gain(short *s, I b, int *t, I i, I top, I colour) noexcept nogil
cdef I risk_of(short *s, I b, int *t, int *x, I cell, I stays) noexcept nogil
cdef I surely(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I fetched(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I within_reach(short *s, I b, int *t, int *x, I colour, I left) noexcept nogil
cdef I least_lead(short *s, I b, int *t, int *x, I colour) noexcept nogil
