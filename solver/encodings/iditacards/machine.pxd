from solver.encodings.iditacards cimport dogs, effects, hand, movement, risk, zones
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I is_playable(short *s, I b, int *t, I card) noexcept nogil
cdef I begin_option(short *s, I b, I code, I option, I first, I commuting) noexcept nogil
cdef I free_action(short *s, I b, int *t, I top, I code, I option, I first, I commuting) noexcept nogil
cdef I main_action(short *s, I b, int *t, I top, I option, I first, I commuting) noexcept nogil
cdef I play_card(short *s, I b, int *t, I top, I place) noexcept nogil
cdef I go_on(short *s, I b, int *t, I top, I option) noexcept nogil
cdef I step(short *s, I b, int *t, I top) noexcept nogil
cdef I begin_turn(short *s, I b) noexcept nogil
