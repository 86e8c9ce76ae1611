cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.risk cimport end_resolving, stop
from solver.encodings.iditacards.hand cimport empty_hand, owed, to_hand
from solver.encodings.iditacards.zones cimport all_to_deck, await_card, cannot_move, conditions, damage, deaths, fail_row, fork, gain, has_in_play, health_cost, in_play_sum, insert, is_immune, leg_at, leg_flag, pays_unseen, push, shuffle, speed, take_top, to_deck, to_discard, unwind, weather_on, weather_says

ctypedef long long I

@cython.locals(leg=I, more=I, kind=I, toll=I, number=I, plus=I)
cdef I enter_leg(short *s, I b, int *t, I came) noexcept nogil
@cython.locals(card=I)
cdef I pay_toll(short *s, I b, int *t, I left) noexcept nogil
@cython.locals(marks=I)
cdef I meet_space(short *s, I b, int *t) noexcept nogil
@cython.locals(bit=I)
cdef I checkpoint(short *s, I b, int *t) noexcept nogil
@cython.locals(place=I, kind=I, again=I, before=I, q=I)
cdef I choose_legendary(short *s, I b, int *t, I top, I option) noexcept nogil
cdef I is_unhurt(short *s, I b, int *t) noexcept nogil
@cython.locals(i=I)
cdef I pass_rivals(short *s, I b, int *t) noexcept nogil
@cython.locals(i=I, n=I)
cdef I overtaken(short *s, I b) noexcept nogil
@cython.locals(came=I, toll=I)
cdef I forward(short *s, I b, int *t, I left, I start, I phase) noexcept nogil
@cython.locals(came=I, toll=I)
cdef I backward(short *s, I b, int *t, I left, I start, I phase) noexcept nogil
@cython.locals(toll=I)
cdef I enter_last_leg(short *s, I b, int *t, I start) noexcept nogil
@cython.locals(start=I)
cdef I go(short *s, I b, I distance, I card, I automatic) noexcept nogil
@cython.locals(n=I)
cdef I moved(short *s, I b, int *t, I went, I card, I automatic) noexcept nogil
@cython.locals(fixed=I, distance=I)
cdef I move(short *s, I b, int *t, I n, I times, I card) noexcept nogil
@cython.locals(troubles=I, fixed=I, distance=I)
cdef I automatic_move(short *s, I b, int *t) noexcept nogil
@cython.locals(i=I, n=I)
cdef I end_day(short *s, I b, int *t, I by_card) noexcept nogil
cdef I end_kills(short *s, I b, int *t, I by_card) noexcept nogil
@cython.locals(place=I, at=I)
cdef I put_together(short *s, I b, int *t) noexcept nogil
cdef I clear_records(short *s, I b, int *t) noexcept nogil
@cython.locals(racing=I)
cdef I night(short *s, I b, int *t, I by_card) noexcept nogil
@cython.locals(leg=I)
cdef I morning(short *s, I b, int *t, I rolled) noexcept nogil
@cython.locals(event=I)
cdef I roll(short *s, I b, int *t) noexcept nogil
@cython.locals(weather=I, kind=I, i=I, n=I)
cdef I meet_weather(short *s, I b, int *t) noexcept nogil
@cython.locals(base=I, limited=I, size=I, i=I)
cdef I hand_size(short *s, I b, int *t) noexcept nogil
@cython.locals(leg=I, exact=I)
cdef I end_turn(short *s, I b, int *t) noexcept nogil
cdef I run_out(short *s, I b, int *t) noexcept nogil
cdef I finish_turn(short *s, I b, int *t) noexcept nogil
