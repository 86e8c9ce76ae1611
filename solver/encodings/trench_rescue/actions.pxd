cimport cython
from solver.encodings.trench_rescue cimport layout as L

ctypedef long long I

cdef I enter(short *s, I to, I i, I cell) noexcept nogil
@cython.locals(mover=I, n=I, j=I, place=I)
cdef I cycle(short *s, I to, int *t, I i) noexcept nogil
@cython.locals(cell=I, place=I)
cdef I drop(short *s, I to, int *x, I i) noexcept nogil
@cython.locals(mover=I, size=I, best=I, last=I, place=I)
cdef I arrive(short *s, I to, int *t, int *x, I chosen, I load, I there) noexcept nogil
@cython.locals(mover=I, owner=I, within=I, becomes=I, n=I, i=I, place=I)
cdef I rescue(short *s, I to, int *t, I load, I best) noexcept nogil
