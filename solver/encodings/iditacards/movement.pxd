from solver.encodings.iditacards cimport hand, risk, zones
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I enter_leg(short *s, I b, int *t, I came) noexcept nogil
cdef I pay_toll(short *s, I b, int *t, I left) noexcept nogil
cdef I meet_space(short *s, I b, int *t) noexcept nogil
cdef I checkpoint(short *s, I b, int *t) noexcept nogil
cdef I choose_legendary(short *s, I b, int *t, I top, I option) noexcept nogil
cdef I is_unhurt(short *s, I b, int *t) noexcept nogil
cdef I pass_rivals(short *s, I b, int *t) noexcept nogil
cdef I overtaken(short *s, I b) noexcept nogil
cdef I forward(short *s, I b, int *t, I left, I start, I phase) noexcept nogil
cdef I backward(short *s, I b, int *t, I left, I start, I phase) noexcept nogil
cdef I enter_last_leg(short *s, I b, int *t, I start) noexcept nogil
cdef I go(short *s, I b, I distance, I card, I automatic) noexcept nogil
cdef I moved(short *s, I b, int *t, I went, I card, I automatic) noexcept nogil
cdef I move(short *s, I b, int *t, I n, I times, I card) noexcept nogil
cdef I end_day(short *s, I b, int *t, I by_card) noexcept nogil
cdef I end_kills(short *s, I b, int *t, I by_card) noexcept nogil
cdef I put_together(short *s, I b, int *t) noexcept nogil
cdef I clear_records(short *s, I b, int *t) noexcept nogil
cdef I night(short *s, I b, int *t, I by_card) noexcept nogil
cdef I morning(short *s, I b, int *t, I rolled) noexcept nogil
cdef I roll(short *s, I b, int *t) noexcept nogil
cdef I meet_weather(short *s, I b, int *t) noexcept nogil
cdef I hand_size(short *s, I b, int *t) noexcept nogil
cdef I end_turn(short *s, I b, int *t) noexcept nogil
cdef I run_out(short *s, I b, int *t) noexcept nogil
cdef I finish_turn(short *s, I b, int *t) noexcept nogil
