from solver.encodings.iditacards cimport hand, risk, zones
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I current_card(short *s, I b) noexcept nogil
cdef I raised(short *s, I b, int *t, I n, I kind, I field) noexcept nogil
cdef I draw(short *s, I b, int *t, I n) noexcept nogil
cdef I look(short *s, I b, int *t, I n, I aside) noexcept nogil
cdef I heal(short *s, I b, int *t, I n, I of) noexcept nogil
cdef I destroy_next(short *s, I b, int *t, I n) noexcept nogil
cdef I sort_out(short *s, I b, int *t, I top, I place, I fate, I state) noexcept nogil
cdef I sorted_out(short *s, I b, int *t, I top, I state) noexcept nogil
cdef I is_tagged(short *s, I b, int *t, I place, I tag) noexcept nogil
cdef I tagged_from(short *s, I b, int *t, I place, I tag) noexcept nogil
cdef I recover(short *s, I b, int *t, I top, I left, I option, I state) noexcept nogil
cdef I destroy_hand(short *s, I b, int *t) noexcept nogil
cdef I deck_left(short *s, I b, int *t, I deck) noexcept nogil
cdef I next_deck(short *s, I b, int *t, I deck) noexcept nogil
cdef I turn_over(short *s, I b, int *t, I deck, I of, I to_look) noexcept nogil
cdef I turn_over_unread(short *s, I b, int *t, I deck, I of, I to_look) noexcept nogil
cdef I grow_supply(short *s, I b, int *t, I top, I of, I deck) noexcept nogil
cdef I take(short *s, I b, int *t, I n, I of) noexcept nogil
cdef I take_next(short *s, I b, int *t, I n) noexcept nogil
cdef I pick(short *s, I b, int *t, I top, I left, I place, I mode) noexcept nogil
cdef I second_step(short *s, I b, int *t) noexcept nogil
cdef I drop_second_step(short *s, I b, int *t) noexcept nogil
cdef I run_op(short *s, I b, int *t, I op) noexcept nogil
cdef I run_card_op(short *s, I b, int *t, I code, I a, I x) noexcept nogil
