cimport cython
from solver.search cimport layout as V
from solver.search.row_values cimport RowValues

ctypedef long long I
ctypedef unsigned long long N

cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]
cdef inline signed char *chars(signed char[::1] x) noexcept nogil:
    return &x[0]

cdef class Urns(RowValues):
    cdef public I kinds
    cdef public I sight
    cdef public I n
    cdef public I n_links
    cdef public I top
    cdef public int[::1] facts
    cdef public int[::1] links
    cdef public signed char[::1] parts
    cdef signed char[::1] finer
    cdef int[::1] pending
    cdef I[::1] ways

    cdef I put(self, I number) except -1
    @cython.locals(out='short *', facts='int *', links='int *', n=I, i=I, a=N, c=N, at=I, node=I)
    cdef I make(self, I kind, I size, I shown, I mark) except -1
    cdef I widen(self) except -1
    @cython.locals(facts='int *', links='int *', parts='signed char *', at=I, kind=I, first=I, part=I, k=I, j=I, i=I, step=I)
    cdef I divide(self, I node) except -1
    @cython.locals(parts='signed char *', finer='signed char *', k=I, j=I)
    cdef I refine(self, I part, I other) except -1
    @cython.locals(i=I)
    cdef I turned(self, I mark, I some) except -1
    @cython.locals(facts='int *', links='int *', i=I, at=I, j=I, n=I, node=I, kept=I)
    cdef I choice(self, I size, I mark) except -1
    cdef I is_choice(self, I node) except -1
    @cython.locals(i=I)
    cdef I look(self, I size, I shown, I mark) except -1
    @cython.locals(out='short *', a=N, c=N, at=I, found=I)
    cdef I covers(self, I x, I y) except -1
    @cython.locals(facts='int *', links='int *', p=I, q=I, first=I, other=I, n=I, i=I, step=I)
    cdef I covers_each(self, I x, I y) except -1
    @cython.locals(s='short *')
    cdef I go_to(self, I b, I node) except -1
    @cython.locals(s='short *')
    cdef I enter(self, I b, I phase, I left) except -1
    @cython.locals(s='short *', i=I)
    cdef I copy_row(self, I b) except -1
    @cython.locals(s='short *', n=I, k=I)
    cdef I cards(self, I b, I first) except -1
    @cython.locals(s='short *', facts='int *', at=I, kind=I, phase=I, n=I, option=I)
    cdef I advance(self, I b) except -1
    @cython.locals(s='short *', left=I, place=I, rest=I, n=I)
    cdef I is_open(self, I b, I phase) except -1
    @cython.locals(s='short *', place=I, option=I, q=I)
    cdef I put_back(self, I b, I links) except -1
    @cython.locals(s='short *', facts='int *', at=I, first=I, q=I, n=I, weight=I)
    cdef I outcome(self, I b, I place) except -1
    @cython.locals(s='short *', kind=I, n=I, left=I, rest=I, q=I, weight=I)
    cdef I part_kind(self, I b, I place) except -1
    @cython.locals(s='short *', parts='signed char *', part=I, k=I, j=I, out='short *', i=I, n=I)
    cdef I hash_row(self, I b) except -1
