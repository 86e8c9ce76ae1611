cimport cython
from solver.encodings.iditacards cimport bound_layout as BL
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

@cython.locals(shut=I, past=I, state=I, turns=I, at=I, need=I)
cdef I fewest(short *S, I b, int *B, I target, I each) noexcept nogil

@cython.locals(far=I)
cdef I turns_to(short *S, I b, int *B, I turns, I state, I need, I past) noexcept nogil

@cython.locals(cold=I, hunger=I, entry=I)
cdef I entered(int *B, I at, I state) noexcept nogil

@cython.locals(gained=I, later=I, helpers=I, own=I, big=I, returns=I, ace=I, i=I, j=I, role=I, gone=I, level=I, day=I, state=I)
cdef I state_of(short *S, I b, int *B, I each) noexcept nogil

@cython.locals(cards=I, left=I)
cdef I given(short *S, I b, int *B) noexcept nogil

cdef I lesser(I number, I most) noexcept nogil

@cython.locals(top=I, place=I, spaces=I, i=I, kind=I)
cdef I waiting(short *S, I b, int *B, I state, I turns) noexcept nogil

@cython.locals(place=I)
cdef I speed_of(int *B, I state) noexcept nogil

@cython.locals(key=I, place=I, at=I, best=I, level=I, deed=I, far=I)
cdef I farthest_of(int *B, I turns, I state) noexcept nogil

@cython.locals(flags=I, gained=I, big=I, helpers=I, own=I, begun=I, left=I, row=I, later=I, level=I, warms=I, feeds=I, rest=I, moved=I)
cdef I done(int *B, I turns, I state, I deed) noexcept nogil

@cython.locals(day=I, before=I, auto=I, best=I, after=I, more=I, far=I)
cdef I back(int *B, I turns, I state, I gained, I flags) noexcept nogil

@cython.locals(cold=I, hunger=I)
cdef I eased(I state, I warmth, I food) noexcept nogil
