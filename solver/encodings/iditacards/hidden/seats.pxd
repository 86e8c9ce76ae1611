cimport cython
from solver.encodings.iditacards cimport dogs, hand, machine, movement, zones
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.hidden.hidden_rows cimport ints, shorts
from solver.encodings.iditacards.hidden.policy cimport PlayoutRows
from solver.search cimport layout as V

ctypedef long long I
ctypedef unsigned long long U
ctypedef double D

cdef I share(short *s, I b, short *r, I q) noexcept nogil

cdef class SeatRows(PlayoutRows):
    cdef short[::1] first_rows
    cdef short[::1] seats
    cdef I players
    cdef I first_seat
    cdef I active
    cdef public I asker
    cdef I first_owed
    cdef I owed
    cdef public I draws_outside
    cdef U random
    cdef I solving

    cdef I deal(self, U seed) except -1
    @cython.locals(s='short *', r='short *', q=I, waiting=I, i=I, other=I)
    cdef I begin_seat(self) except -1
    @cython.locals(found=I)
    cdef I chance(self, I b, I source, I number) except -1
    cdef I number_below(self, I n) noexcept
    @cython.locals(r='short *', n=I, place=I)
    cdef I take_card(self, I q) except -1
    @cython.locals(r='short *')
    cdef I draw_cards(self, I q, I n) except -1
    @cython.locals(s='short *', r='short *', t='int *', i=I)
    cdef I end_turn(self, I b) except -1
    @cython.locals(r='short *', seat=I, i=I)
    cdef I pass_on(self) except -1
    @cython.locals(s='short *', r='short *', t='int *', q=I)
    cdef I meet(self, I place, I seat) except -1
    @cython.locals(r='short *', t='int *', came=I, toll=I)
    cdef I fall_back(self, I q) except -1
    @cython.locals(s='short *', r='short *', t='int *', racing=I, joins=I)
    cdef I new_day(self, I q) except -1
    @cython.locals(r='short *', t='int *', trial=I, stays=D)
    cdef I joins(self, I q) except -1
    @cython.locals(s='short *')
    cdef double guess_waiting(self, I q) except? -2.0
    cdef I is_last(self, I b) except -1
    cdef I split(self, I b, I begun) except -1
    @cython.locals(s='short *', ahead=I, front=I)
    cdef I settle_last(self, I b) except -1
    cdef I hash_row(self, I b) except -1
    @cython.locals(r='short *', t='int *', front=I, seat=I, winners=I)
    cdef double ended(self, I b) except? -2.0
