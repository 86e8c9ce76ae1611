cimport cython
from solver.encodings.trench_rescue cimport layout as L
from solver.encodings.trench_rescue.field cimport arrive, count_out, cycle, drop, end_half, enter, gather, half_turns_left, hit
from solver.search.pointers cimport I, ints, shorts

@cython.locals(number=I)
cdef I below(int *x, I n) noexcept nogil
cdef I deal_anew(short *s, int *x, int *hidden) noexcept nogil
cdef I draw(short *s, int *t, int *x) noexcept nogil
cdef I shell(short *s, int *t, int *x) noexcept nogil
cdef I gain(int *t, int *x, I i, I load) noexcept nogil
cdef I risk(int *t, I shells, I cell, I there, I turns) noexcept nogil
cdef I search(short *s, int *t, int *x, I i, I from_, I left, I shells) noexcept nogil
cdef I step(short *s, int *t, int *x, I i, I load, I there) noexcept nogil
cdef I go(short *s, int *t, int *x, I chosen, I load, I there) noexcept nogil
cdef I homeward(short *s, int *t, I cell) noexcept nogil
cdef I towards(int *t, I cell, I goal) noexcept nogil
cdef I walk(short *s, int *t, int *x, I i, I left, I shells) noexcept nogil
cdef I begin(short *s, int *t, int *x, I i, I left, I shells) noexcept nogil
cdef I act(short *s, int *t, int *x) noexcept nogil
cdef I end(short *s, int *t) noexcept nogil
cdef I begin_with(short *s, int *t, int *x, int *m) noexcept nogil
cdef I begin_game(short *start, short *s, int *t, int *x, int *hidden, int *m) noexcept nogil
cpdef I play_one(field, move, I seed) except -1
cpdef I play_on(field, move, results, I last, I seed, I games) except -1
