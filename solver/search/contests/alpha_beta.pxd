cimport cython
from solver.search cimport layout as C

from solver.search.hash_table cimport HashTable, I, U
from solver.search.pointers cimport longs

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

cdef inline I wide_bits() noexcept nogil:
    return 8 * sizeof(W)
cdef inline W whole_part(double x) noexcept nogil:
    return <W>x

cdef class AlphaBeta(HashTable):
    cdef public W low, high
    cdef U mask
    cdef public I width, last
    cdef public short[::1] work
    cdef public object pause
    cdef public W one, part
    cdef public I least, most, horizon, cut_short, count, top, parts, mark, place, found, best
    cdef public U hash_a, hash_b
    cdef public I next_pause
    cdef I[::1] ways, asked, part_high
    cdef U[::1] part_low
    cdef I[::1] order
    cdef int[::1] killers

    cpdef I actor(self, I b) except -1
    cpdef I pace(self, I b) except -1
    cpdef I lead(self, I b) except? -100
    cpdef I guess(self, I b) except? -100
    cpdef I bound(self, I b) except -1
    cpdef I hash_row(self, I b) except -1
    cpdef I options(self, I b, I helper) except -1
    cpdef I follow(self, I number, I place, I helper, I to) except -1
    cpdef I outcome(self, I b, I place, I to) except -1
    cpdef value_of(self, row, W alpha, W beta)
    @cython.locals(i=I)
    cpdef I begin(self, row) except -1
    @cython.locals(hint=I, a=U, c=U, low=W, high=W, top=I, actor=I)
    cdef I search(self, I b, W alpha, W beta) except -1
    @cython.locals(at=I)
    cdef I look_up(self, I b) except? -100
    @cython.locals(at=I)
    cdef I keep(self, U a, U c, I note) except -1
    @cython.locals(value=W)
    cdef I stop(self, I b) except -1
    @cython.locals(helper=I, row=I, number=I, count=I, mark=I, own=W, other=W, lead=I, killer=I, best=I, least=W, most=W, place=I, each=I, known=I, gain=W, low=W, high=W, scout=I)
    cdef I decide(self, I b, I seat, W alpha, W beta, I hint) except -1
    @cython.locals(low=W)
    cdef I ask(self, I row, I seat, W gain, W own, W other) except -1
    @cython.locals(row=I, mark=I, o=cython.p_longlong, unit=I, each=I, least=I, most=I, gap=I, i=I, look=I, at=I)
    cdef I sort(self, I number, I helper, I count, I sign) except -1
    @cython.locals(begun=I, rows=I, total=I, n=I, low=W, high=W, least=W, most=W, shares=I, at=I, ways=I, worst=W, best=W, step=double, missing=double, still=double, floor=W, ceil=W)
    cdef I mean(self, I b, W alpha, W beta) except -1
    @cython.locals(total=I, place=I, row=I, weight=I, at=I)
    cdef I list_outcomes(self, I b) except -1
    @cython.locals(chosen=I, most=double, at=I, wide=double)
    cdef I widest(self, I begun, I n) noexcept
    @cython.locals(value=W)
    cdef W part_of(self, I i) noexcept
    cdef I put_part(self, I i, W value) noexcept
    @cython.locals(total=W, at=I)
    cdef W part_sum(self, I begun, I n, I end) noexcept
    @cython.locals(rest=W)
    cdef W divided(self, W value, I n) noexcept
