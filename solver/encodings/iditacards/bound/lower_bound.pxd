from solver.encodings.iditacards.bound cimport layout as BL
from solver.encodings.iditacards cimport key_layout as K
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I least(short *S, I b, int *T, int *B, I target, I *N) noexcept nogil
cdef void count_left(short *S, I b, int *T, int *B, I *N) noexcept nogil
cdef I own_speed(short *S, I b, int *T, int *B) noexcept nogil
cdef I write_speeds(short *S, I b, int *B, I *N, I base, I waiting) noexcept nogil
cdef I write_raises(int *B, I *N) noexcept nogil
cdef I automatic(int *B, I speed) noexcept nogil
cdef I farthest(int *B, I *N, I turns, I raises, I total, I waiting, I need) noexcept nogil
cdef I of_those_left(int *B, I *N, I place, I plays) noexcept nogil
cdef I add_moves(short *s, I start, I n, int *t, I *sums) noexcept nogil
cdef I evaluate(short *s, I b, int *t, I *sums) noexcept nogil
