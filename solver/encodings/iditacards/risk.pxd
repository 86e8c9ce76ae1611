cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.dogs cimport kill_for_fizzle
from solver.encodings.iditacards.hand cimport discard_hand, owed
from solver.encodings.iditacards.zones cimport await_card, deaths, destroy, energy_cost, fail_row, fork, has_in_play, insert, is_immune, leg_flag, lower, other_kind, pays_unseen, push, remove_at, resolved_to_discard, risk_cost, take_top, to_discard, unwind, weather_says

ctypedef long long I

cdef I frame_at(I b, I place) noexcept nogil
cdef I card_type(int *t, I card) noexcept nogil
@cython.locals(at=I, field=I)
cdef I record(short *s, I b, int *t, I card) noexcept nogil
@cython.locals(n=I, at=I, kind=I)
cdef I put_on_table(short *s, I b, int *t, I card) noexcept nogil
cdef I is_usable(short *s, I b, int *t, I place) noexcept nogil
@cython.locals(n=I, place=I)
cdef I usable(short *s, I b, int *t, I first) noexcept nogil
@cython.locals(n=I, place=I, card=I)
cdef I discard_usable(short *s, I b, int *t) noexcept nogil
@cython.locals(cost=I, payers=I, damaged=I, may_fail=I)
cdef I pay_energy(short *s, I b, int *t, I card) noexcept nogil
@cython.locals(n=I, rest=I, later=I, q=I)
cdef I pay_one(short *s, I b, int *t, I top, I left, I place, I may_fail) noexcept nogil
@cython.locals(place=I, at=I, card=I)
cdef I pay_health(short *s, I b, int *t, I left) noexcept nogil
@cython.locals(state=I)
cdef I is_waiting(short *s, I b, int *t, I place) noexcept nogil
@cython.locals(n=I, i=I)
cdef I drop_frame(short *s, I b, I place) noexcept nogil
@cython.locals(at=I)
cdef I discard_frame(short *s, I b, I place) noexcept nogil
@cython.locals(gone=I, place=I)
cdef I fizzle(short *s, I b, int *t) noexcept nogil
@cython.locals(place=I)
cdef I fail(short *s, I b, int *t) noexcept nogil
cdef I empty_deck(short *s, I b, int *t) noexcept nogil
@cython.locals(n=I, code=I)
cdef I stop(short *s, I b, int *t) noexcept nogil
@cython.locals(at=I)
cdef I paid_one(short *s, I b, int *t, I place) noexcept nogil
@cython.locals(first=I, below=I, card=I, utility=I)
cdef I is_doubled(short *s, I b, int *t, I place) noexcept nogil
@cython.locals(at=I, card=I, kind=I)
cdef I resolve(short *s, I b, int *t, I place) noexcept nogil
cdef I is_suppressed(short *s, I b, int *t, I kind) noexcept nogil
@cython.locals(low=I, high=I, at=I, kept=I, own=I)
cdef I holds(short *s, I b, int *t, I condition) noexcept nogil
@cython.locals(card=I, first=I, op=I, at=I)
cdef I run_ops(short *s, I b, int *t) noexcept nogil
@cython.locals(place=I, at=I, card=I, state=I)
cdef I complete(short *s, I b, int *t) noexcept nogil
@cython.locals(place=I, at=I)
cdef I suspend(short *s, I b, int *t, I n) noexcept nogil
cdef I end_resolving(short *s, I b) noexcept nogil
@cython.locals(card=I)
cdef I risk_card(short *s, I b, int *t) noexcept nogil
@cython.locals(top=I)
cdef I continue_risk(short *s, I b, int *t) noexcept nogil
