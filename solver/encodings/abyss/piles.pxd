cimport cython
from solver.encodings.abyss cimport layout as L
from solver.search.pointers cimport I

@cython.locals(x=I)
cdef I below(int *s, I n) noexcept nogil
cdef I pick(int *s, I at, I first, I end, I size) noexcept nogil
cdef I reshuffle(int *s, I pile, I first, I end) noexcept nogil
cdef I settle(int *s, I pile, I first, I end) noexcept nogil
cdef I draw(int *s, int *t, I pile) noexcept nogil
cdef I put_back(int *s, I pile, I card) noexcept nogil
cdef I drawn(int *s, int *t, I pile) noexcept nogil
