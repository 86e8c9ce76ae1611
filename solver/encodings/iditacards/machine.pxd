cimport cython
from solver.encodings.iditacards cimport layout as L
from solver.encodings.iditacards.dogs cimport can_die, is_plain, kill, kill_all, kill_one, kill_tagged, place_attachment, place_dog, price, same_before, take_off, tidy
from solver.encodings.iditacards.effects cimport current_card, draw, drop_second_step, grow_supply, look, pick, recover, run_op, second_step, sort_out, turn_over_unread
from solver.encodings.iditacards.movement cimport backward, choose_legendary, end_day, end_kills, end_turn, finish_turn, forward, hand_size, morning, move, moved, night, pay_toll, run_out
from solver.encodings.iditacards.risk cimport complete, continue_risk, paid_one, pay_energy, pay_health, pay_one, put_on_table, risk_card, run_ops, usable
from solver.encodings.iditacards.hand cimport may_leave, owed
from solver.encodings.iditacards.zones cimport copy, copy_tail, deaths, energy_cost, fail_row, fork, health_cost, other_kind, push, remove_at, weather_says

ctypedef long long I

# Pointers to the first item of arrays.
cdef inline short *shorts(short[::1] x) noexcept nogil:
    return &x[0]
cdef inline int *ints(int[::1] x) noexcept nogil:
    return &x[0]

@cython.locals(at=I, level=I, hunger=I, energy=I, health=I, payers=I)
cdef I is_playable(short *s, I b, int *t, I card) noexcept nogil
cdef I begin_option(short *s, I b, I code, I option, I first, I commuting) noexcept nogil
@cython.locals(removes=I, kills=I, at=I, dog=I, place=I, card=I, plain=I, q=I)
cdef I free_action(short *s, I b, int *t, I top, I code, I option, I first, I commuting) noexcept nogil
@cython.locals(forbidden=I, new_top=I)
cdef I main_action(short *s, I b, int *t, I top, I option, I first, I commuting) noexcept nogil
@cython.locals(new_top=I)
cdef I evening(short *s, I b, int *t, I top, I option, I first, I commuting) noexcept nogil
@cython.locals(n=I, q=I, card=I)
cdef I play_card(short *s, I b, int *t, I top, I place) noexcept nogil
@cython.locals(forbidden=I, state=I, skips=I)
cdef I go_on(short *s, I b, int *t, I top, I option) noexcept nogil
@cython.locals(n=I, at=I, code=I, a=I, x=I, y=I)
cdef I step(short *s, I b, int *t, I top) noexcept nogil
@cython.locals(card=I)
cdef I paid_health(short *s, I b, int *t) noexcept nogil
cdef I begin(short *s) noexcept nogil
cdef I begin_turn(short *s, I b) noexcept nogil
@cython.locals(ends=I, top=I, b=I, rows=I, error=I)
cdef I run(short *s, int *t, short *out, I most) noexcept nogil
@cython.locals(ends=I, work=cython.p_short)
cpdef expand(rows, I at, table, out, I capacity)
