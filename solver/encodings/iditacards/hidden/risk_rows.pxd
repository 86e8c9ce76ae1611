from solver.encodings.iditacards cimport dogs, hand, machine, zones
from solver.encodings.iditacards.hidden cimport hidden_rows
from solver.encodings.iditacards.hidden cimport layout as F
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.hidden.hidden_rows cimport HiddenRows, ints, shorts
from solver.search cimport layout as V
from solver.search.urns cimport Urns

ctypedef long long I
ctypedef unsigned long long U

cdef I blanks(short *s, I b) noexcept nogil
cdef I placed(short *s, I b, I kind) noexcept nogil
cdef I take_back(short *s, I b, int *t) noexcept nogil

cdef class RiskNodes(HiddenRows):
    cdef public I at_once
    cdef public I back
    cdef public I unsure
    cdef public I clouded
    cdef public int[::1] first
    cdef public I firsts
    cdef public I risking
    cdef public int[::1] kinds
    cdef public int[::1] copies
    cdef public Urns urns

    cdef I before_step(self, I b) except -1
    cdef I after_step(self, I b) except -1
    cdef I end_turn(self, I b) except -1
    cpdef I node(self, I b) except -1
    cdef I is_unseen(self, I b) except -1
    cdef I hide(self, I b) except -1
    cdef I look(self, I b) except -1
    cdef I reveal(self, I b) except -1
    cdef I turn_up(self, I b, I place, I card) except -1
    cdef I risk(self, I b) except -1
    cdef I hash_row(self, I b) except -1
