"""Numbers that the search of duels shares with the games. A build writes ``contest_layout.pxd`` from this module."""

# Who decides at a row, besides the seats 0 and 1.
CHANCE = 2

# What a row counts for at which search stops although play goes on.
WORST = 0
GUESS = 1
BEST = 2

HALF = 62  # Bits of the lower part of a value as it is kept.
MOST_OUTCOMES = 64  # Results of one step of chance.
SHARES = 2  # Times that a result of chance is asked for its share of what is missing before it is searched in full.
PROBES = 8  # Entries next to each other among which a row is looked for.
FIRST_ENTRIES = 16384  # A power of 2: places of the table at the beginning.
MOST_ENTRIES = 2097152
PAUSE = 256  # Rows between two looks at the budget.
