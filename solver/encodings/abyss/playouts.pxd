cimport cython
from solver.encodings.abyss cimport layout as L
from solver.encodings.abyss.machine cimport announce, cash, deal, discard, effect, give, happen, in_force, ints, is_there, take, use

ctypedef long long I

@cython.locals(x=I)
cdef I below(int *s, I n) noexcept nogil
@cython.locals(left=I, card=I)
cdef I pick(int *s, I at, I first, I end, I size) noexcept nogil
@cython.locals(card=I)
cdef I reshuffle(int *s, I pile, I first, I end) noexcept nogil
@cython.locals(card=I)
cdef I settle(int *s, I pile, I first, I end) noexcept nogil
@cython.locals(first=I, end=I, card=I)
cdef I draw(int *s, int *t, I pile) noexcept nogil
@cython.locals(other=I, q=I, card=I, number=I, _=I)
cdef I deal_anew(int *s, int *t, I seat) noexcept nogil
@cython.locals(other=I, fits=I, q=I, at=I, card=I, place=I)
cdef I lay_face_down(int *s, int *t, I seat) noexcept nogil
cdef I put_back(int *s, I pile, I card) noexcept nogil
@cython.locals(first=I, end=I, card=I)
cdef I drawn(int *s, int *t, I pile) noexcept nogil
@cython.locals(i=I)
cdef I meets(int *t, I ap, I rp) noexcept nogil
@cython.locals(at=I)
cdef I points(int *t, I card, I code) noexcept nogil
@cython.locals(at=I)
cdef I digs(int *t, I card) noexcept nogil
@cython.locals(best=I, most=I, card=I, ap=I, rp=I, gain=I)
cdef I best_card(int *s, I q, int *t) noexcept nogil
@cython.locals(worst=I, least=I, card=I, gain=I)
cdef I worst_card(int *s, I q, int *t) noexcept nogil
@cython.locals(traits=I, price=I, slot=I)
cdef I hire(int *s, I q, int *t, I kind, I number) noexcept nogil
@cython.locals(prices=I, cheapest=I, kind=I, number=I)
cdef I hire_cheapest(int *s, I q, int *t) noexcept nogil
@cython.locals(best=I, most=I, removes=I, other=I, at=I, ahead=I, open_to=I)
cdef I target(int *s, I q, int *t, I card, I place) noexcept nogil
@cython.locals(gone=I, card=I, _=I, ap=I)
cdef I prepare(int *s, I q, int *t, int *m, I given) noexcept nogil
@cython.locals(_=I, card=I)
cdef I draw_cards(int *s, I q, int *t, I number) noexcept nogil
@cython.locals(kind=I, card=I)
cdef I hire_all(int *s, I q, int *t, int *m, I given) noexcept nogil
@cython.locals(i=I, card=I, members=I, where=I, other=I)
cdef I choose(int *s, I q, int *t, int *m, I given) noexcept nogil
@cython.locals(temp=I, card=I, place=I, victim=I, choice=I)
cdef I act(int *s, I q, int *t, int *m, I given) noexcept nogil
@cython.locals(lost=I, event=I, place=I, at=I, other=I, i=I)
cdef I turn_up(int *s, I q, int *t) noexcept nogil
cdef I refill(int *s, I q, int *t, int *m, I given) noexcept nogil
cdef I advance(int *s, I phase, I after) noexcept nogil
@cython.locals(seat=I)
cdef I seat_at(int *s, int *t, I place) noexcept nogil
@cython.locals(place=I, at=I)
cdef I check(int *s, int *t, I q) noexcept nogil
@cython.locals(met=I, place=I, at=I)
cdef I check_round(int *s, int *t) noexcept nogil
cdef I win(int *s, I q) noexcept nogil
@cython.locals(q=I, phase=I, given=I)
cdef I play_step(int *s, int *t, int *m, I decider) noexcept nogil
@cython.locals(s='int *', t='int *')
cpdef I play_one(row, table, move, I seed) except -1
@cython.locals(start='int *', t='int *', s='int *', m='int *', won=I, _=I, i=I, decider=I, last=I)
cpdef I play_on(row, table, work, move, I seat, I rounds, I seed, I games) except -1
