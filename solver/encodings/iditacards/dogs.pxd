cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.hand cimport tidy_hand, to_hand
from solver.encodings.iditacards.zones cimport count_dogs, destroy, fail_row, fork, push, to_discard, unwind

ctypedef long long I

@cython.locals(at=I, i=I)
cdef I can_die(short *s, I b, int *t, I dog) noexcept nogil
@cython.locals(at=I, i=I, difference=I)
cdef I compare(short *s, I b, I dog, I other) noexcept nogil
@cython.locals(other=I)
cdef I same_before(short *s, I b, I dog) noexcept nogil
@cython.locals(card=I, fits=I)
cdef I next_mortal(short *s, I b, int *t, I dog, I tag, I worn) noexcept nogil
@cython.locals(n=I)
cdef I attachments(short *s, I b, I dog) noexcept nogil
@cython.locals(at=I, i=I)
cdef I take_off(short *s, I b, I dog, I place) noexcept nogil
@cython.locals(at=I, n=I, i=I)
cdef I put_on(short *s, I b, I dog, I card) noexcept nogil
@cython.locals(at=I, i=I, card=I)
cdef I is_plain(short *s, I b, int *t, I dog) noexcept nogil
@cython.locals(at=I, i=I, card=I, n=I, zone=I, after=I)
cdef I kill(short *s, I b, int *t, I dog) noexcept nogil
@cython.locals(picked=I, _=I, last=I, dog=I, card=I, fits=I)
cdef I kill_all(short *s, I b, int *t, I flag) noexcept nogil
@cython.locals(dog=I)
cdef I kill_tagged(short *s, I b, int *t, I tag) noexcept nogil
cdef I kill_for_fizzle(short *s, I b, int *t) noexcept nogil
@cython.locals(later=I, q=I)
cdef I kill_one(short *s, I b, int *t, I top, I tag, I worn, I dog) noexcept nogil
cdef I skip_rest(short *s, I b) noexcept nogil
@cython.locals(later=I, q=I)
cdef I price(short *s, I b, int *t, I top, I dog) noexcept nogil
@cython.locals(n=I, at=I, i=I, q=I)
cdef I place_dog(short *s, I b, int *t, I top, I card, I dog) noexcept nogil
@cython.locals(free=I, dog=I, slots=I, worn=I, first=I, last=I, at=I, place=I, q=I)
cdef I place_attachment(short *s, I b, int *t, I top, I card, I option) noexcept nogil
@cython.locals(n=I, i=I, j=I, at=I, k=I, card=I)
cdef I tidy(short *s, I b) noexcept nogil
