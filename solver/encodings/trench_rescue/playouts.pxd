cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.actions cimport arrive, cycle, drop, enter
from solver.encodings.trench_rescue.field cimport count_out, end_half, gather, half_turns_left, hit

ctypedef long long I

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]

@cython.locals(number=I)
cdef I below(int *x, I n) noexcept nogil
@cython.locals(waiting=I, colour=I, first=I, n=I, place=I, other=I, card=I, where=I)
cdef I deal_anew(short *s, int *x, int *hidden) noexcept nogil
@cython.locals(n=I, i=I, left=I)
cdef I draw(short *s, int *t, int *x) noexcept nogil
@cython.locals(left=I, cell=I)
cdef I shell(short *s, int *t, int *x) noexcept nogil
@cython.locals(blind=I, own=I, within=I, becomes=I)
cdef I gain(int *t, int *x, I i, I load) noexcept nogil
@cython.locals(ways=I, cases=I)
cdef I risk(int *t, I shells, I cell, I there, I turns) noexcept nogil
@cython.locals(mover=I, best=I, most=I, cell=I, load=I, away=I, spaces=I, turns=I, gains=I)
cdef I search(short *s, int *t, int *x, I i, I from_, I left, I shells) noexcept nogil
cdef I step(short *s, int *t, int *x, I i, I load, I there) noexcept nogil
cdef I go(short *s, int *t, int *x, I chosen, I load, I there) noexcept nogil
@cython.locals(down=I)
cdef I homeward(short *s, int *t, I cell) noexcept nogil
@cython.locals(best=I, other=I)
cdef I towards(int *t, I cell, I goal) noexcept nogil
@cython.locals(cell=I, load=I, away=I, takes=I, goal=I)
cdef I walk(short *s, int *t, int *x, I i, I left, I shells) noexcept nogil
@cython.locals(value=I, goal=I, size=I, cell=I)
cdef I begin(short *s, int *t, int *x, I i, I left, I shells) noexcept nogil
@cython.locals(mover=I, left=I, cell=I, home=I, i=I, place=I)
cdef I act(short *s, int *t, int *x) noexcept nogil
@cython.locals(i=I)
cdef I end(short *s, int *t) noexcept nogil
@cython.locals(verb=I, i=I, load=I, place=I, there=I)
cdef I begin_with(short *s, int *t, int *x, int *m) noexcept nogil
@cython.locals(i=I)
cdef I begin_game(short *start, short *s, int *t, int *x, int *hidden, int *m) noexcept nogil
@cython.locals(s=cython.p_short, x=cython.p_int, t=cython.p_int)
cpdef I play_one(field, move, I seed) except -1
@cython.locals(start=cython.p_short, s=cython.p_short, x=cython.p_int, t=cython.p_int, h=cython.p_int, m=cython.p_int, r=cython.p_int, i=I, game=I, lead=I)
cpdef I play_on(field, move, results, I last, I seed, I games) except -1
