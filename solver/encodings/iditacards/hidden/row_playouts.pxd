cimport cython
from libc.math cimport log, sqrt
from solver.search cimport layout as V
from solver.search.hash_table cimport HashTable, I, U
from solver.encodings.iditacards.hidden.policy cimport PlayoutRows


cdef class RowPlayouts(HashTable):
    cdef public PlayoutRows rows
    cdef public I exact
    cdef I[::1] path
    cdef I[::1] places
    cdef double[::1] looks
    cdef U[::1] streams
    cdef U word
    cdef short[::1] saved
    cdef double last
    cdef public double low
    cdef public double high
    cdef public I met
    cdef I n_path
    cdef I learns
    cdef I inside
    cdef public I turns
    cdef public I wasted

    @cython.locals(rows=PlayoutRows, width=I, i=I, at=I, value=double)
    cpdef double play(self, short[::1] row, U seed, I learns) except? -2.0
    @cython.locals(rows=PlayoutRows, kind=I, source=I)
    cdef double run(self) except? -2.0
    @cython.locals(rows=PlayoutRows, i=I)
    cdef I last_turn(self) except -1
    @cython.locals(rows=PlayoutRows, width=I, n=I, kind=I, chosen=I, blind=I)
    cdef I choose(self) except -1
    @cython.locals(rows=PlayoutRows, best=I, met=I, tried=I, i=I, visits=I, fresh=I, at=I)
    cdef I chosen(self, I n) except -1
    @cython.locals(best=I, i=I, at=I)
    cdef I most_visited(self, I n) noexcept
    @cython.locals(span=double, best=I, most=double, i=I, at=I, visits=I, bound=double)
    cdef I most_hopeful(self, I n, I met) noexcept
    @cython.locals(work='short[::1]', i=I)
    cdef I copy(self, I to, I start, I n) noexcept
    cdef U mixed(self, U x) noexcept
    cdef U number(self, I stream) noexcept
    cdef I below(self, I n) noexcept
