cimport cython

ctypedef long long I

@cython.locals(_=I, case=I, gain=I, play=I, at=I, x=I, to=I)
cpdef I put(int[::1] best, int[::1] gains, I plays, I width, I copies, I cost)

@cython.locals(case=I, play=I, at=I, x=I, to=I)
cpdef I fill(int[::1] best, I cases, I plays, I width, I cost)
