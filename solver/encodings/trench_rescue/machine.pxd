cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.actions cimport arrive, cycle, drop, enter
from solver.encodings.trench_rescue.field cimport copy, count_out, end_half, gather, half_turns_left, hit, is_same

ctypedef long long I

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline I *longs(I[::1] x) noexcept nogil:
    return &x[0]

cdef class HalfTurn:
    cdef int[::1] table
    cdef public I width
    cdef public I count
    cdef I room
    cdef I stamp
    cdef public short[::1] rows
    cdef I[::1] slots
    cdef int[::1] x
    cdef short[::1] factors
    cdef I deck
    cdef I draws

    @cython.locals(each=I)
    cdef I make_room(self, I room) except -1
    @cython.locals(s=cython.p_short, slots=cython.p_longlong, f=cython.p_short, mask=I, at=I, h=I, i=I, slot=I)
    cdef I find(self, I each) noexcept
    @cython.locals(i=I)
    cpdef I put(self, row) except -1
    @cython.locals(done=I, t=cython.p_int, idle=I)
    cpdef I run(self) except -1
    cdef I keep(self) except -1
    @cython.locals(to=I)
    cdef I fork(self, I at) noexcept
    @cython.locals(s=cython.p_short, t=cython.p_int, total=I, i=I, place=I)
    cdef I signature(self, I at) noexcept
    @cython.locals(t=cython.p_int, x=cython.p_int, at=I, play=I, draws=I, ready=I, i=I, place=I, moved=I)
    cdef I act(self, I each) except -1
    @cython.locals(t=cython.p_int, mover=I, cell=I, to=I)
    cdef I enter(self, I at, I i) except -1
    @cython.locals(to=I)
    cdef I cycle(self, I at, I i) except -1
    @cython.locals(to=I)
    cdef I drop(self, I at, I i) except -1
    @cython.locals(x=cython.p_int, man=I, place=I, n=I, other=I, chosen=I)
    cdef I walk(self, I at, I ready) except -1
    @cython.locals(s=cython.p_short, t=cython.p_int, x=cython.p_int, size=I, load=I, place=I, i=I, cell=I, home=I, away=I, withdraws=I, top=I, takes=I, take=I, there=I, steps=I)
    cdef I go(self, I at, I chosen, I n) except -1
    @cython.locals(to=I)
    cdef I arrive(self, I at, I chosen, I load, I there) except -1
    @cython.locals(s=cython.p_short, t=cython.p_int, at=I, i=I, place=I)
    cpdef I may_end(self, I each) noexcept
    @cython.locals(s=cython.p_short, t=cython.p_int, at=I, mover=I, i=I, shells=I, fallen=I)
    cpdef I end_alone(self, I each, cells) except -1
