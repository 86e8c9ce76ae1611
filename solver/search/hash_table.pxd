cimport cython

ctypedef long long I
ctypedef unsigned long long U

cdef class HashTable:
    cdef public I size
    cdef public I memory
    cdef I first_entries
    cdef public I entries
    cdef public I filled
    cdef U[::1] words
    cdef I[::1] signed
    cdef double[::1] doubles
    cdef unsigned int[::1] halves

    @cython.locals(mask=I, at=I, word=I)
    cdef I find(self, U a, U c) noexcept
    cdef I insert(self, U a, U c) except -2
    @cython.locals(mask=I, at=I)
    cdef I write_hash(self, U a, U c) noexcept
    @cython.locals(size=I, words=U[::1], old=I, word=I, at=I, i=I)
    cdef I grow(self) except -1
