from libc.string cimport memcpy
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I fail_row(short *s, I b, I error, I a, I other) noexcept nogil
cdef I push(short *s, I b, I code, I a, I x, I y) noexcept nogil
cdef I unwind(short *s, I b, I code) noexcept nogil
cdef I copy(short *o, I to, short *s, I start, I n) noexcept nogil
cdef I copy_tail(short *o, I q, short *s, I b) noexcept nogil
cdef I fork(short *s, I b) noexcept nogil
cdef I insert(short *s, I b, I length, I items, I most, I card) noexcept nogil
cdef I remove_at(short *s, I b, I length, I items, I place) noexcept nogil
cdef I other_kind(short *s, I first, I place, I n) noexcept nogil
cdef I to_discard(short *s, I b, I card) noexcept nogil
cdef I to_deck(short *s, I b, I card) noexcept nogil
cdef I destroy(short *s, I b, int *t, I card) noexcept nogil
cdef I all_to_deck(short *s, I b, I length, I items) noexcept nogil
cdef I resolved_to_discard(short *s, I b) noexcept nogil
cdef I take_top(short *s, I b) noexcept nogil
cdef I pays_unseen(short *s, I b, int *t) noexcept nogil
cdef I await_card(short *s, I b, int *t, I code, I a, I x) noexcept nogil
cdef I shuffle(short *s, I b, int *t) noexcept nogil
cdef I listed_order(short *s, I b, int *t, I event) noexcept nogil
cdef I in_play_sum(short *s, I b, int *t, I field) noexcept nogil
cdef I has_in_play(short *s, I b, int *t, I flag) noexcept nogil
cdef I count_dogs(short *s, I b, int *t) noexcept nogil
cdef I leg_at(int *t, I space) noexcept nogil
cdef I leg_flag(short *s, I b, int *t, I flag) noexcept nogil
cdef I is_immune(short *s, I b, int *t) noexcept nogil
cdef I weather_on(short *s, I b, int *t) noexcept nogil
cdef I weather_says(short *s, I b, int *t, I field) noexcept nogil
cdef I starvation_here(short *s, I b, int *t) noexcept nogil
cdef I conditions(short *s, I b, int *t) noexcept nogil
cdef I speed(short *s, I b, int *t) noexcept nogil
cdef I raised_cost(short *s, I b, int *t, I printed, I level, I field, I leg_field) noexcept nogil
cdef I energy_cost(short *s, I b, int *t, I card) noexcept nogil
cdef I health_cost(short *s, I b, int *t, I printed) noexcept nogil
cdef I risk_cost(short *s, I b, int *t, I card) noexcept nogil
cdef I gain(short *s, I b, int *t, I kind, I n, I softened) noexcept nogil
cdef I lower(short *s, I b, I kind, I n) noexcept nogil
cdef I cannot_move(short *s, I b, int *t) noexcept nogil
cdef I deaths(short *s, I b, int *t) noexcept nogil
cdef I damage(short *s, I b, int *t, I n) noexcept nogil
cdef I put_on_top(short *s, I b, I place, I card) noexcept nogil
cdef I sort_list(short *s, I first, I n) noexcept nogil
