from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards cimport zones

ctypedef long long I

cdef I to_hand(short *s, I b, I card) noexcept nogil
cdef I owed(short *s, I b) noexcept nogil
cdef I may_leave(short *s, I b, I place) noexcept nogil
cdef I discard_hand(short *s, I b) noexcept nogil
cdef I empty_hand(short *s, I b) noexcept nogil
cdef I tidy_hand(short *s, I b) noexcept nogil
cdef I forget_paid(short *s, I b) noexcept nogil
cdef I merge_ages(short *s, I b) noexcept nogil
