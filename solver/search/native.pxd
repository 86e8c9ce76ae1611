# ``native.py`` as C has it.
cimport cython
from libc.math cimport log, sqrt
from libc.string cimport memcpy

ctypedef long long I
ctypedef unsigned long long U

cdef inline unsigned char *letters(const unsigned char[::1] x) noexcept nogil:
    with cython.boundscheck(False):
        return <unsigned char *>&x[0]
cdef inline signed char *chars(signed char[::1] x) noexcept nogil:
    with cython.boundscheck(False):
        return &x[0]
cdef inline short *shorts(short[::1] x) noexcept nogil:
    with cython.boundscheck(False):
        return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    with cython.boundscheck(False):
        return &x[0]
cdef inline I *longs(I[::1] x) noexcept nogil:
    with cython.boundscheck(False):
        return &x[0]
cdef inline double *doubles(double[::1] x) noexcept nogil:
    with cython.boundscheck(False):
        return &x[0]
cdef inline void copy(short *to, I at, short *start, I first, I n) noexcept nogil:
    memcpy(to + at, start + first, 2 * n)
