cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards cimport promise_layout as PL

ctypedef long long I

@cython.locals(i=I, card=I, first=I, op=I, at=I, times=I)
cdef I add_moves(short *s, I start, I n, int *t, I *sums) noexcept nogil
@cython.locals(cards=I, good=I, speed=I, hand=I, dogs=I, i=I, at=I, near=I, rest=I, own=I, pace=I, moved=I, rate=I)
cdef I promise_of(short *s, I b, int *t, I *sums) noexcept nogil
