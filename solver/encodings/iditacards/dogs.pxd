from solver.encodings.iditacards cimport hand, zones
from solver.encodings.iditacards cimport layout as L

ctypedef long long I

cdef I can_die(short *s, I b, int *t, I dog) noexcept nogil
cdef I compare(short *s, I b, I dog, I other) noexcept nogil
cdef I same_before(short *s, I b, I dog) noexcept nogil
cdef I next_mortal(short *s, I b, int *t, I dog, I tag, I worn) noexcept nogil
cdef I attachments(short *s, I b, I dog) noexcept nogil
cdef I take_off(short *s, I b, I dog, I place) noexcept nogil
cdef I put_on(short *s, I b, I dog, I card) noexcept nogil
cdef I is_plain(short *s, I b, int *t, I dog) noexcept nogil
cdef I kill(short *s, I b, int *t, I dog) noexcept nogil
cdef I kill_all(short *s, I b, int *t, I flag) noexcept nogil
cdef I kill_tagged(short *s, I b, int *t, I tag) noexcept nogil
cdef I kill_one(short *s, I b, int *t, I top, I tag, I worn, I dog) noexcept nogil
cdef I price(short *s, I b, int *t, I top, I dog) noexcept nogil
cdef I place_dog(short *s, I b, int *t, I top, I card, I dog) noexcept nogil
cdef I place_attachment(short *s, I b, int *t, I top, I card, I option) noexcept nogil
cdef I tidy(short *s, I b) noexcept nogil
