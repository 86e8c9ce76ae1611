cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.zones cimport fail_row, insert, sort_list, to_discard

ctypedef long long I

@cython.locals(age=I)
cdef I to_hand(short *s, I b, I card) noexcept nogil
cdef I owed(short *s, I b) noexcept nogil
@cython.locals(card=I, n=I, i=I, older=I, age=I)
cdef I may_leave(short *s, I b, I place) noexcept nogil
@cython.locals(i=I)
cdef I discard_hand(short *s, I b) noexcept nogil
cdef I empty_hand(short *s, I b) noexcept nogil
@cython.locals(i=I)
cdef I tidy_hand(short *s, I b) noexcept nogil
@cython.locals(gone=I, lost=I, older=I, age=I, n=I, i=I)
cdef I forget_paid(short *s, I b) noexcept nogil
@cython.locals(age=I, ages=I, n=I, i=I, younger=I, follows=I, other=I)
cdef I merge_ages(short *s, I b) noexcept nogil
