def glance(rulings, table):
    return []
