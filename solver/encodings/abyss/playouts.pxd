cimport cython
from solver.encodings.abyss cimport layout as L
from solver.encodings.abyss.machine cimport announce, cash, deal, discard, effect, give, happen, in_force, is_there, take, use
from solver.encodings.abyss.piles cimport draw, drawn, pick, put_back, reshuffle
from solver.search.pointers cimport I, ints

cdef I deal_anew(int *s, int *t, I seat) noexcept nogil
cdef I take_back(int *s, I q, int *t) noexcept nogil
cdef I lay_events(int *s, int *t) noexcept nogil
cdef I deal_seat(int *s, I q, int *t) noexcept nogil
cdef I would_have(int *s, I q, int *t) noexcept nogil
cdef I has_acted(int *s, I q, int *t) noexcept nogil
cdef I meets(int *t, I ap, I rp) noexcept nogil
cdef I digs(int *t, I card) noexcept nogil
cdef I gain(int *s, I q, int *t, I card) noexcept nogil
cdef I best_card(int *s, I q, int *t, I sign) noexcept nogil
cdef I hire(int *s, I q, int *t, I kind, I number) noexcept nogil
cdef I cheapest(int *s, I q, int *t) noexcept nogil
cdef I can_hire(int *s, I q, int *t) noexcept nogil
cdef I target(int *s, I q, int *t, I card, I place) noexcept nogil
cdef I prepare(int *s, I q, int *t, int *m, I given) noexcept nogil
cdef I draw_cards(int *s, I q, int *t, I number) noexcept nogil
cdef I hire_all(int *s, I q, int *t, int *m, I given) noexcept nogil
cdef I choose(int *s, I q, int *t, int *m, I given) noexcept nogil
cdef I act(int *s, I q, int *t, int *m, I given) noexcept nogil
cdef I turn_up(int *s, I q, int *t) noexcept nogil
cdef I refill(int *s, I q, int *t, int *m, I given) noexcept nogil
cdef I advance(int *s, I phase, I after) noexcept nogil
cdef I seat_at(int *s, int *t, I place) noexcept nogil
cdef I check(int *s, int *t, I q) noexcept nogil
@cython.locals(met=I, place=I, at=I)
cdef I settle_goals(int *s, int *t, I q) noexcept nogil
cdef I play_step(int *s, int *t, int *m, I decider) noexcept nogil
cpdef I play_one(row, table, move, I seed) except -1
cpdef I play_on(row, table, work, move, I seat, I rounds, I seed, I games) except -1
