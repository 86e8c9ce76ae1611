cimport cython

ctypedef long long I
ctypedef unsigned char B

cdef extern from *:
    """
    #ifdef __GNUC__
    #define fetch_ahead(place) __builtin_prefetch(place)
    #else
    #define fetch_ahead(place) ((void)(place))
    #endif
    """
    void fetch_ahead(const void *place) noexcept nogil

@cython.locals(h=I, w=I)
cdef I mixed(const B *keys, I at, I end) noexcept nogil

cdef I slot_of(I h, const B *keys, I at, I end, const I *numbers, I *slots, B *arena, I *ends) noexcept nogil

@cython.locals(h=I)
cpdef I enter(
    I[::1] numbers, const B[::1] keys, const I[::1] offsets, int[::1] places, B[::1] outcomes, I[::1] slots, B[::1] arena, I[::1] ends
) except -1

cdef void warm(const int *hashes, I count, I mask, I *slots, B *arena, I *ends) noexcept nogil

cpdef void resettle(I[::1] old, I[::1] new) noexcept

cpdef void collect(const B[::1] arena, const I[::1] ends, const int[::1] indices, B[::1] keys, const I[::1] offsets) noexcept
