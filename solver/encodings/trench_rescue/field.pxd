cimport cython
from libc.string cimport memcpy
from solver.encodings.trench_rescue cimport layout as L
from solver.search.pointers cimport I

cdef I copy(short *s, I to, I b, I n) noexcept nogil
cdef I gather(short *s, I b, int *t, int *x) noexcept nogil
cdef I count_out(short *s, I b, int *t) noexcept nogil
cdef I shells_for(I n, int *t) noexcept nogil
cdef I half_turns_left(short *s, I b, int *t, I colour) noexcept nogil
cdef I end_half(short *s, I b, int *t, I out) noexcept nogil
cdef I pass_on(short *s, I b, int *t, I out) noexcept nogil
cdef I hit(short *s, I b, int *t, I cell) noexcept nogil
@cython.locals(cells=I, bit=I)
cdef I reach(short *s, I b, int *t, I colour) noexcept nogil
cdef I fade(short *s, I b, int *t) noexcept nogil
cdef I fade_last(short *s, I b, int *t) noexcept nogil
cdef I arrange(short *s, I b, int *t) noexcept nogil
cdef I enter(short *s, I to, I i, I cell) noexcept nogil
cdef I cycle(short *s, I to, int *t, I i) noexcept nogil
cdef I drop(short *s, I to, int *x, I i) noexcept nogil
cdef I arrive(short *s, I to, int *t, int *x, I chosen, I load, I there) noexcept nogil
cdef I rescue(short *s, I to, int *t, I load, I best) noexcept nogil
