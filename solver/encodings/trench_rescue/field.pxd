cimport cython
from libc.string cimport memcmp, memcpy
from solver.encodings.trench_rescue cimport layout as L

ctypedef long long I

cdef I copy(short *s, I to, I b, I n) noexcept nogil
@cython.locals(differs=I)
cdef I is_same(short *s, I one, I other, I n) noexcept nogil
@cython.locals(n=I, i=I, place=I, cell=I, height=I)
cdef I gather(short *s, I b, int *t, int *x) noexcept nogil
@cython.locals(n=I, i=I, place=I)
cdef I count_out(short *s, I b, int *t) noexcept nogil
cdef I shells_for(I n, int *t) noexcept nogil
@cython.locals(mover=I, over=I, left=I)
cdef I half_turns_left(short *s, I b, int *t, I colour) noexcept nogil
@cython.locals(last=I, shells=I)
cdef I end_half(short *s, I b, int *t, I out) noexcept nogil
@cython.locals(i=I, place=I)
cdef I pass_on(short *s, I b, int *t, I out) noexcept nogil
@cython.locals(n=I, first=I, pile=I, i=I, place=I, load=I, out=I)
cdef I hit(short *s, I b, int *t, I cell) noexcept nogil
@cython.locals(cells=I, bit=I, i=I, j=I, n=I, place=I)
cdef I reach(short *s, I b, int *t, I colour) noexcept nogil
@cython.locals(n=I, first=I, mover=I, stage=I, last=I, i=I, place=I, idle=I, keeps=I, colour=I, moved=I)
cdef I fade(short *s, I b, int *t, I homeward) noexcept nogil
@cython.locals(mover=I, first=I, i=I, place=I, at=I)
cdef I fade_last(short *s, I b, int *t, I homeward) noexcept nogil
