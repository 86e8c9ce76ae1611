
ctypedef long long I

cpdef I put(int[::1] best, int[::1] gains, I plays, I width, I copies, I cost)

cpdef I fill(int[::1] best, I cases, I plays, I width, I cost)
