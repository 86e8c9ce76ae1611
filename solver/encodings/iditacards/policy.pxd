cimport cython
from solver.encodings.iditacards cimport hidden_layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards cimport policy_layout as P
from solver.encodings.iditacards.hand cimport owed
from solver.encodings.iditacards.hidden_rows cimport HiddenRows
from solver.encodings.iditacards.machine cimport step
from solver.encodings.iditacards.movement cimport hand_size
from solver.encodings.iditacards.zones cimport (
    cannot_move, conditions, energy_cost, health_cost, leg_flag, risk_cost, speed,
)
from solver.search cimport values_layout as V

ctypedef long long I
ctypedef unsigned long long U
ctypedef double D

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline D *doubles(D[::1] x) noexcept nogil:
    return &x[0]

@cython.locals(i=I, card=I, first=I, op=I, at=I, code=I, times=I)
cdef I add_cards(short *s, I start, I n, int *t, D *x) noexcept nogil
@cython.locals(troubles=I, distance=I)
cdef I stride(short *s, I b, int *t) noexcept nogil
@cython.locals(face_now=I, cold=I, hungry=I, faces=I, cards=D, danger=I, n=I, i=I, j=I, weather=I, more=I, hunger=I, hand=I, turns=D, stuck=I, own=I, step_now=D, seen=D, moved=D, best=D, gone=D, spent=D)
cdef I reckon(short *s, I b, int *t, D *x) noexcept nogil
@cython.locals(cost=D, hand=I, cures=D, stays=D, turns=D, step_free=D)
cdef D point_of(int *t, D *x, D left) noexcept nogil
@cython.locals(dog=I, at=I, slots=I)
cdef I has_slot(short *s, I b, int *t) noexcept nogil
@cython.locals(card=I, value=D, first=I, kind_of=I, faster=D, op=I, at=I, code=I, n=I, times=I, points=I)
cdef D brings(short *s, I b, int *t, D *x, I kind) noexcept nogil
@cython.locals(n=I, fits=D, i=I, last=D, card=I, cost=I, chance=D, _=I)
cdef D comes_through(short *s, I b, int *t, D *x, I risk, I hand, I deck) noexcept nogil
@cython.locals(card=I, energy=I, health=I, risk=I, chance=D)
cdef D playing(short *s, I b, int *t, D *x, I kind, I hand) noexcept nogil
@cython.locals(i=I, hand=I, pace=D, rest=D, left=D, ahead=D, least=D, day=D, n=I, under_way=I, night=I, code=I, step_then=D)
cdef D value_of(short *s, I b, int *t, D *x, I goal, I target) noexcept nogil
@cython.locals(later=D)
cdef D kept_for(short *s, I b, int *t, D *x, I kind, I hand) noexcept nogil
@cython.locals(total=D, kept=D, i=I, kind=I)
cdef D of_hand(short *s, I b, int *t, D *x, I hand) noexcept nogil
@cython.locals(total=D, chance=D, i=I, at=I, kind=I, need=I)
cdef D of_stack(short *s, I b, int *t, D *x, I hand) noexcept nogil

cdef class PlayoutRows(HiddenRows):
    cdef public D[::1] numbers
    cdef public I begun
    cdef public I dealt

    @cython.locals(s='short *', t='int *', at=I, code=I, first=I, rows=I)
    cdef I split(self, I b, I begun) except -1
    @cython.locals(s='short *')
    cdef I is_blind(self, I b) except -1
    @cython.locals(s='short *', at=I, rolls=I, place=I, card=I, top=I, i=I)
    cdef I chance(self, I b, I source, I number) except -1
    cpdef double guess(self, I b) except? -2.0
    cdef I is_last(self, I b) except -1
    cdef double ended(self, I b) except? -2.0
    @cython.locals(t='int *', deck=I, first=I, i=I, j=I, card=I)
    cdef I deal(self, U seed) except -1
