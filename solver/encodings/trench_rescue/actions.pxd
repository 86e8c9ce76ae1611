from solver.encodings.trench_rescue cimport layout as L

ctypedef long long I

cdef I enter(short *s, I to, I i, I cell) noexcept nogil
cdef I cycle(short *s, I to, int *t, I i) noexcept nogil
cdef I drop(short *s, I to, int *x, I i) noexcept nogil
cdef I arrive(short *s, I to, int *t, int *x, I chosen, I load, I there) noexcept nogil
cdef I rescue(short *s, I to, int *t, I load, I best) noexcept nogil
