from solver.encodings.iditacards cimport dogs, hand, zones
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I frame_at(I b, I place) noexcept nogil
cdef I card_type(int *t, I card) noexcept nogil
cdef I record(short *s, I b, int *t, I card) noexcept nogil
cdef I put_on_table(short *s, I b, int *t, I card) noexcept nogil
cdef I is_usable(short *s, I b, int *t, I place) noexcept nogil
cdef I usable(short *s, I b, int *t, I first) noexcept nogil
cdef I discard_usable(short *s, I b, int *t) noexcept nogil
cdef I pay_energy(short *s, I b, int *t, I card) noexcept nogil
cdef I pay_one(short *s, I b, int *t, I top, I left, I place, I may_fail) noexcept nogil
cdef I pay_health(short *s, I b, int *t, I left) noexcept nogil
cdef I is_waiting(short *s, I b, int *t, I place) noexcept nogil
cdef I drop_frame(short *s, I b, I place) noexcept nogil
cdef I discard_frame(short *s, I b, I place) noexcept nogil
cdef I fizzle(short *s, I b, int *t) noexcept nogil
cdef I fail(short *s, I b, int *t) noexcept nogil
cdef I empty_deck(short *s, I b, int *t) noexcept nogil
cdef I stop(short *s, I b, int *t) noexcept nogil
cdef I paid_one(short *s, I b, int *t, I place) noexcept nogil
cdef I is_doubled(short *s, I b, int *t, I place) noexcept nogil
cdef I resolve(short *s, I b, int *t, I place) noexcept nogil
cdef I is_suppressed(short *s, I b, int *t, I kind) noexcept nogil
cdef I holds(short *s, I b, int *t, I condition) noexcept nogil
cdef I run_ops(short *s, I b, int *t) noexcept nogil
cdef I complete(short *s, I b, int *t) noexcept nogil
cdef I suspend(short *s, I b, int *t, I n) noexcept nogil
cdef I end_resolving(short *s, I b) noexcept nogil
cdef I risk_card(short *s, I b, int *t) noexcept nogil
cdef I continue_risk(short *s, I b, int *t) noexcept nogil
