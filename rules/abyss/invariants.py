class StateCheck:
    def __init__(self, *a): pass
    def run(self): pass
