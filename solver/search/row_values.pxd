cimport cython
from solver.search cimport layout as V
from solver.search.hash_table cimport HashTable, I, U


cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]

cdef class RowValues(HashTable):
    cdef public I width
    cdef public I last
    cdef public short[::1] work
    cdef I[::1] moduli
    cdef I[::1] inverses
    cdef I[::1] sums
    cdef public object pause
    cdef public double lost
    cdef public I least
    cdef public I cost
    cdef public double enough
    cdef public I certain
    cdef public I count
    cdef public I doubts
    cdef public I between
    cdef public I next_pause
    cdef I[::1] remainders
    cdef public double leaf
    cdef public I leaf_number
    cdef public I moved
    cdef public I place
    cdef U hash_a
    cdef U hash_b

    cdef short[::1] scratch
    cdef U factor_a
    cdef U factor_b
    cdef U mask

    cdef I advance(self, I b) except -1
    cdef I outcome(self, I b, I place) except -1
    cdef I hash_row(self, I b) except -1
    @cython.locals(out='short *', i=I, h=U, g=U, a=U, c=U, mask=U, word=U)
    cdef I digest(self, I n) except -1
    @cython.locals(a=U, c=U, at=I, best=double, exact=I, has=I, i=I, kind=I, value=double)
    cpdef double value(self, I b, I depth) except? -2.0
    @cython.locals(difference=double, margin=double, i=I)
    cdef I is_better(self, double value, double best, I exact, I has) noexcept
    @cython.locals(exact=I, i=I, total=I, mean=double, place=I, weight=I, value=double, inverse=I)
    cdef double mean(self, I b, I depth) except? -2.0
    @cython.locals(result=I, power=I)
    cdef I inverse(self, I n, I p) noexcept
    @cython.locals(at=I, i=I)
    cdef I store(self, U a, U c, double value) except -1
