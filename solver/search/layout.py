"""Numbers that the searches over rows share with the games. A build writes ``layout.pxd`` from this module."""

# What the next step of a row has come to.
OPTION = 1  # One option stands in the row behind; this one has those that are left.
DEAD = 2  # No option is left.
CHANCE = 3  # Chance decides.
SETTLED = 4  # Nothing counts any more: the value is known.
TURN = 5  # A turn has ended and the next one begins.
BROKEN = 6  # The row is of no use.
SHOWN = 8  # Cards are shown, and it is to be decided which of them go back.
LAST = 9  # The row itself is the last of the options that were split off it.

# A position of a transposition table: its flags.
OVER = 1  # The game has ended.
CUT = 2  # No line from it gets to the target, or none in the turns left.
EXPANDED = 4
UNREACHABLE = 30000  # Number of further turns where no line reaches the target.
POSITION_BYTES = 29  # Memory of the columns of a position, without its key.
MOST_POSITIONS = 2147483646  # An index has 31 bits.

# Exact values.
PRIMES = 6  # Primes by which exact values are kept.
SMALL = 256  # Weights below this have their inverses in a table.
LEAST_SCRATCH = 4096  # Numbers that may be hashed at a time, at least.
PAUSE = 512  # Rows between two looks at the budget, compiled or not: what is counted must not hang on it.

# Playouts.
MOST_OPTIONS = 400  # Of one choice.
SOURCES = 8  # Sources of chance at most.
MOST_PATH = 4096  # Options of the tree that one playout meets.

# Urns. Kinds of nodes; the first two are the nodes with these numbers, too.
LOST = 0
THROUGH = 1
TURNED = 2  # The next card of the urn is turned over: a link for each kind.
MIXED = 3  # Chance that is not of the urn: links, each with its weight behind it.
CHOICE = 4  # Who plays chooses one of the links.
LOOK = 5  # Some cards are shown: a link for each number of them that go back.

# Facts of a node.
KIND = 0
SIZE = 1  # Cards of the urn that are there at a choice or a look; which ones, is not known before.
N_SHOWN = 2  # Those of them that are shown.
FIRST = 3  # Where its links begin,
N_LINKS = 4  # and how many numbers they are.
FACTS = 5

# How much who plays knows.
BLIND = 0  # Only what is turned over.
SEEING = 1  # At choices and looks, which cards the urn still has.
HOPING = 2  # As much as brings any choice or look through.

# A row: a node and an urn.
# A node, two numbers, then:
NEXT_OPTION = 2  # The option that comes next.
NEXT_KIND = 3  # The kind of which it comes out next how many cards are there, or not shown.
NEXT_SHOWN = 4  # The kind, from 1, of which it is chosen next how many shown cards go back; 0 before that.
BACK = 5  # Cards gone back so far.
URN = 6  # Copies of each kind,
MOST_KINDS = 96
ASIDE = URN + MOST_KINDS  # and of those shown.
W = ASIDE + MOST_KINDS
ROWS = 512

MOST_CARDS = 32  # In an urn at a choice or a look: more ways than for these do not fit.
SIDE = MOST_CARDS + 1
BASE = 16384  # Of numbers that are written as two.
