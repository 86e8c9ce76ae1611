cimport cython
from solver.search cimport contest_layout as C

ctypedef long long I
ctypedef unsigned long long U

cdef extern from *:
    """
    #if defined(__SIZEOF_INT128__)
    typedef __int128 wide_t;
    #else
    typedef long long wide_t;
    #endif
    """
    ctypedef long long wide_t
ctypedef wide_t W

cdef class BoundTable:
    cdef public W low
    cdef public W high
    cdef U mask
    cdef public I entries
    cdef public I filled
    cdef U[::1] keys
    cdef int[::1] notes
    cdef I[::1] kept_high
    cdef U[::1] kept_low

    @cython.locals(mask=I, probe=I, at=I)
    cdef I find(self, U a, U c) noexcept
    cdef I recall(self, I at) noexcept
    @cython.locals(mask=I, place=I, latest=I, probe=I, at=I, empty=I)
    cdef I keep(self, U a, U c, I note) except -1
    @cython.locals(keys=U[::1], notes=int[::1], high=I[::1], low=U[::1], old=I, mask=I, i=I, at=I, end=I)
    cdef I grow(self) except -1
