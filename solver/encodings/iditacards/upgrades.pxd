cimport cython
from solver.encodings.iditacards cimport hidden_layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.effects cimport deck_left
from solver.encodings.iditacards.risk cimport card_type
from solver.encodings.iditacards.zones cimport fork, insert, push, remove_at, to_discard
from solver.search cimport layout as V

ctypedef long long I

@cython.locals(i=I)
cdef I awaits(short *s, I b, I code) noexcept nogil
cdef I opens(short *s, I b) noexcept nogil
@cython.locals(reads=I, i=I)
cdef I readers(short *s, I b, int *f) noexcept nogil
cdef I keeps_upgrades(short *s, I b, int *f) noexcept nogil
cdef I reads_gains(short *s, I b, int *f) noexcept nogil
@cython.locals(at=I, under=I, single=I, i=I, card=I)
cdef I is_best_of(short *s, I b, int *t, int *f) noexcept nogil
cdef I is_gain(I op) noexcept nogil
@cython.locals(place=I)
cdef I first_upgrade(short *s, I b, I deck) noexcept nogil
@cython.locals(weight=I)
cdef I copies(short *s, I first, I place, I n) noexcept nogil
@cython.locals(at=I, deck=I, of=I, how=I, n=I, first=I, q=I, card=I, ends=I)
cdef I turn_up(short *s, I b, int *t, I place) noexcept nogil
@cython.locals(at=I, deck=I, n=I, more=I, first=I, q=I)
cdef I take_best(short *s, I b, int *t, I place) noexcept nogil
