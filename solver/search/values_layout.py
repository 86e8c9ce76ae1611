"""Numbers that exact values of rows share with the games. A build writes ``values_layout.pxd`` from this module."""

# What the next step of a row has come to.
OPTION = 1  # One option stands in the row behind; this one has those that are left.
DEAD = 2  # No option is left.
CHANCE = 3  # Chance decides.
SETTLED = 4  # Nothing counts any more: the value is known.
TURN = 5  # A turn has ended and the next one begins.
BROKEN = 6  # The row is of no use.
BEST = 7  # Chance offers several results, and the best of them is chosen.
SHOWN = 8  # Cards are shown, and it is to be decided which of them go back.
ALWAYS = 1 << 30  # The weight of a result that is there to be chosen whatever chance offers.
LAST = 9  # The row itself is the last of the options that were split off it.

PRIMES = 6  # Primes by which exact values are kept.
SMALL = 256  # Weights below this have their inverses in a table.
LEAST_SCRATCH = 4096  # Numbers that may be hashed at a time, at least.
FIRST_ENTRIES = 16384  # A power of 2: places of the table at the beginning.
PAUSE = 512  # Rows between two looks at the budget, compiled or not: what is counted must not hang on it.

# Playouts.
MOST_OPTIONS = 400  # Of one choice.
MOST_PATH = 4096  # Options of the tree that one playout meets.
