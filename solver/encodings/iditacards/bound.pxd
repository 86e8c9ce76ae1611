cimport cython
from solver.encodings.iditacards cimport bound_layout as BL
from solver.encodings.iditacards cimport key_layout as K
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.relaxed cimport fewest

ctypedef long long I

@cython.locals(need=I, each=I, cards=I, total=I, base=I, waiting=I, turns=I, i=I, at=I, kind=I, entry=I, raises=I, horizon=I, best=I, last=I, first=I)
cdef I least(short *S, I b, int *T, int *B, I target, I *N) noexcept nogil

@cython.locals(space=I, last=I, first=I, best=I, lost=I, section=I, at=I)
cdef I best_leg(short *S, I b, int *T, int *B, I target) noexcept nogil

@cython.locals(kinds=I, kind=I, i=I, j=I)
cdef void count_left(short *S, I b, int *T, int *B, I *N) noexcept nogil

@cython.locals(cards=I, others=I, total=I, i=I, j=I, kind=I, at=I, speed=I, shared=I)
cdef I own_speed(short *S, I b, int *T, int *B, I each) noexcept nogil

@cython.locals(slow=I, i=I, j=I, plays=I, most=I, gain=I, raised=I, eased=I, speed=I)
cdef I write_speeds(short *S, I b, int *B, I *N, I base, I waiting, I each) noexcept nogil

@cython.locals(plays=I, i=I, kind=I, entry=I, raised=I, copies=I, at=I)
cdef I write_raises(int *B, I *N, I each) noexcept nogil

@cython.locals(spaces=I)
cdef I automatic(int *B, I speed) noexcept nogil

@cython.locals(best=I, level=I, most_days=I, days=I, plays=I, most=I, i=I, nets=I, have=I, every=I, speed=I, place=I, moving=I, at=I, far=I, rest=I, j=I, jumps=I)
cdef I farthest(int *B, I *N, I turns, I raises, I cards, I total, I waiting, I need) noexcept nogil

@cython.locals(spaces=I, i=I, kind=I, copies=I)
cdef I of_those_left(int *B, I *N, I place, I plays) noexcept nogil
