cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.field cimport gather, half_turns_left, shells_for

ctypedef long long I

@cython.locals(i=I, place=I, colour=I)
cdef I count(short *s, I b, int *t, int *x) noexcept nogil
cdef I is_acting(short *s, I b, I colour) noexcept nogil
@cython.locals(n=I, home=I, man=I, i=I)
cdef I stands(short *s, I b, int *t, int *x, I colour, I beyond) noexcept nogil
@cython.locals(other=I, mover=I, shelled=I, first=I, each=I, waits=I, left=I, home=I, next_=I, acted=I, place=I, gone=I, n=I)
cdef I foresee(short *s, I b, int *t, int *x, I colour) noexcept nogil
cdef I gains(int *t, I i, I load, I colour) noexcept nogil
cdef I is_gain(short *s, I b, int *t, I i, I top, I colour) noexcept nogil
@cython.locals(each=I, colour=I, down=I, falls=I, place=I, risk=I, cases=I, step=I, begins=I)
cdef I risk_of(short *s, I b, int *t, int *x, I cell, I stays) noexcept nogil
@cython.locals(cases=I, waits=I, left=I, acting=I, sure=I, lost=I, taken=I, man=I, i=I, cell=I, late=I, risk=I, load=I, worth=I, top=I)
cdef I surely(short *s, I b, int *t, int *x, I colour) noexcept nogil
@cython.locals(left=I, acting=I, at_home=I, crowd=I, far=I, hands=I, found=I, cell=I, man=I, i=I, here=I, away=I, load=I, needs=I)
cdef I fetched(short *s, I b, int *t, int *x, I colour) noexcept nogil
@cython.locals(at_home=I, crowd=I, far=I, found=I, cell=I, n=I, away=I, near=I, man=I, there=I, spaces=I, through=I)
cdef I within_reach(short *s, I b, int *t, int *x, I colour, I left) noexcept nogil
@cython.locals(other=I, sure=I, most=I)
cdef I least_lead(short *s, I b, int *t, int *x, I colour) noexcept nogil
