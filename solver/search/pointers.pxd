# C types that hot modules share, and pointers to the first item of an array.
ctypedef long long I
ctypedef unsigned long long U

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline I *longs(I[::1] x) noexcept nogil:
    return &x[0]
