cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.risk cimport card_type, frame_at, stop, suspend
from solver.encodings.iditacards.hand cimport empty_hand, owed, to_hand
from solver.encodings.iditacards.zones cimport all_to_deck, await_card, cannot_move, count_dogs, damage, deaths, destroy, fail_row, fork, gain, in_play_sum, insert, lower, other_kind, push, remove_at, shuffle, take_top, to_deck, to_discard

ctypedef long long I

cdef I current_card(short *s, I b) noexcept nogil
@cython.locals(bonus=I)
cdef I raised(short *s, I b, int *t, I n, I kind, I field) noexcept nogil
cdef I draw(short *s, I b, int *t, I n) noexcept nogil
@cython.locals(card=I)
cdef I look(short *s, I b, int *t, I n, I aside) noexcept nogil
cdef I heal(short *s, I b, int *t, I n, I of) noexcept nogil
@cython.locals(i=I)
cdef I destroy_next(short *s, I b, int *t, I n) noexcept nogil
@cython.locals(n=I, card=I, alike=I, q=I)
cdef I sort_out(short *s, I b, int *t, I top, I place, I fate, I state) noexcept nogil
@cython.locals(looked=I)
cdef I sorted_out(short *s, I b, int *t, I top, I state) noexcept nogil
@cython.locals(n=I)
cdef I begin_recover_tag(short *s, I b, int *t, I tag, I optional) noexcept nogil
@cython.locals(card=I)
cdef I is_tagged(short *s, I b, int *t, I place, I tag) noexcept nogil
@cython.locals(n=I, i=I)
cdef I tagged_from(short *s, I b, int *t, I place, I tag) noexcept nogil
@cython.locals(tag=I, on_top=I, n=I, enough=I, q=I, later=I, first=I)
cdef I recover(short *s, I b, int *t, I top, I left, I option, I state) noexcept nogil
cdef I discard_to_deck(short *s, I b, int *t) noexcept nogil
@cython.locals(i=I)
cdef I destroy_hand(short *s, I b, int *t) noexcept nogil
cdef I deck_left(short *s, I b, int *t, I deck) noexcept nogil
cdef I next_deck(short *s, I b, int *t, I deck) noexcept nogil
@cython.locals(dog=I, card=I)
cdef I turn_over(short *s, I b, int *t, I deck, I of, I to_look) noexcept nogil
cdef I turn_over_unread(short *s, I b, int *t, I deck, I of, I to_look) noexcept nogil
@cython.locals(later=I, q=I)
cdef I grow_supply(short *s, I b, int *t, I top, I of, I deck) noexcept nogil
cdef I take(short *s, I b, int *t, I n, I of) noexcept nogil
cdef I take_next(short *s, I b, int *t, I n) noexcept nogil
@cython.locals(length=I, items=I, n=I, exact=I, q=I, card=I, i=I)
cdef I pick(short *s, I b, int *t, I top, I left, I place, I mode) noexcept nogil
@cython.locals(place=I, at=I, first=I, i=I, op=I)
cdef I second_step(short *s, I b, int *t) noexcept nogil
cdef I drop_second_step(short *s, I b, int *t) noexcept nogil
@cython.locals(at=I, code=I, a=I, x=I)
cdef I run_op(short *s, I b, int *t, I op) noexcept nogil
cdef I push_move_back(short *s, I b, int *t, I n) noexcept nogil
cdef I change_condition(short *s, I b, int *t, I kind, I n) noexcept nogil
@cython.locals(exact=I, at=I)
cdef I run_card_op(short *s, I b, int *t, I code, I a, I x) noexcept nogil
