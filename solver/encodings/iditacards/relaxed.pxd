cimport cython
from solver.encodings.iditacards cimport bound_layout as BL
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I fewest(short *S, I b, int *B, I target, I each) noexcept nogil

cdef I turns_to(short *S, I b, int *B, I turns, I state, I need, I past) noexcept nogil

cdef I entered(int *B, I at, I state) noexcept nogil

cdef I state_of(short *S, I b, int *B, I each) noexcept nogil

cdef I given(short *S, I b, int *B) noexcept nogil

cdef I lesser(I number, I most) noexcept nogil

cdef I waiting(short *S, I b, int *B, I state, I turns) noexcept nogil

cdef I speed_of(int *B, I state) noexcept nogil

cdef I farthest_of(int *B, I turns, I state) noexcept nogil

cdef I done(int *B, I turns, I state, I deed) noexcept nogil

cdef I back(int *B, I turns, I state, I gained, I flags) noexcept nogil

cdef I eased(I state, I warmth, I food) noexcept nogil
