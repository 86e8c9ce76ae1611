cimport cython
from libc.string cimport memcmp, memcpy
from solver.encodings.trench_rescue cimport layout as L

ctypedef long long I

cdef I copy(short *s, I to, I b, I n) noexcept nogil
cdef I is_same(short *s, I one, I other, I n) noexcept nogil
cdef I gather(short *s, I b, int *t, int *x) noexcept nogil
cdef I count_out(short *s, I b, int *t) noexcept nogil
cdef I shells_for(I n, int *t) noexcept nogil
cdef I half_turns_left(short *s, I b, int *t, I colour) noexcept nogil
cdef I end_half(short *s, I b, int *t, I out) noexcept nogil
cdef I pass_on(short *s, I b, int *t, I out) noexcept nogil
cdef I hit(short *s, I b, int *t, I cell) noexcept nogil
@cython.locals(cells=I, bit=I)
cdef I reach(short *s, I b, int *t, I colour) noexcept nogil
cdef I fade(short *s, I b, int *t, I homeward) noexcept nogil
cdef I fade_last(short *s, I b, int *t, I homeward) noexcept nogil
