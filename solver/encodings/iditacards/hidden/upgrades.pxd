from solver.encodings.iditacards cimport effects, risk, zones
from solver.encodings.iditacards.hidden cimport hidden_layout as F
from solver.encodings.iditacards cimport layout as L
from solver.search cimport layout as V

ctypedef long long I

cdef I awaits(short *s, I b, I code) noexcept nogil
cdef I opens(short *s, I b) noexcept nogil
cdef I readers(short *s, I b, int *f) noexcept nogil
cdef I keeps_upgrades(short *s, I b, int *f) noexcept nogil
cdef I reads_gains(short *s, I b, int *f) noexcept nogil
cdef I is_best_of(short *s, I b, int *t, int *f) noexcept nogil
cdef I is_gain(I op) noexcept nogil
cdef I first_upgrade(short *s, I b, I deck) noexcept nogil
cdef I copies(short *s, I first, I place, I n) noexcept nogil
cdef I turn_up(short *s, I b, int *t, I place) noexcept nogil
cdef I take_best(short *s, I b, int *t, I place) noexcept nogil
