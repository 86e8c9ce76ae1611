from solver.encodings.abyss cimport layout as L
from solver.search.pointers cimport I, ints

cdef I effect(int *t, I card, I code) noexcept nogil
cdef I is_there(int *s, I q, I place) noexcept nogil
cdef I hired_at(int *s, I q, I place) noexcept nogil
cdef I temps_at(int *s, I q, I place) noexcept nogil
cdef I in_force(int *s, I q, int *t, I code) noexcept nogil
cdef I announce(int *s, I q) noexcept nogil
cdef I deal(int *s, I q, int *t, I event) noexcept nogil
cdef I dig(int *s, I q, int *t, I amount, I per, I temp) noexcept nogil
cdef I heal(int *s, I q, int *t) noexcept nogil
cdef I use(int *s, I q, int *t, I temp, I victim, I choice) noexcept nogil
cdef I remove(int *s, I q, int *t, I slot) noexcept nogil
cdef I give(int *s, I q, I card) noexcept nogil
cdef I take(int *s, I q, I card) noexcept nogil
cdef I discard(int *s, I pile, I card) noexcept nogil
cdef I happen(int *s, I q, int *t, I lost) noexcept nogil
cdef I damage(int *s, I q, int *t, I amount, I place, I light) noexcept nogil
cdef I cash(int *s, I q, int *t) noexcept nogil
cdef I note(int *s, I q, int *out, I place) noexcept nogil
cpdef I play_alone(row, table, I event, points) except -1
