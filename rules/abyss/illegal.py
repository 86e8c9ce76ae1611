def why_illegal(game, state, text):
    return None
