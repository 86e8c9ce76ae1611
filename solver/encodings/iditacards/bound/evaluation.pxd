cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.bound cimport layout as BL

ctypedef long long I

cdef I add_moves(short *s, I start, I n, int *t, I *sums) noexcept nogil
cdef I evaluate(short *s, I b, int *t, I *sums) noexcept nogil
