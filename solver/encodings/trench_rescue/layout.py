"""Where everything lies in a row and in the table of a duel. A build writes ``layout.pxd`` from this module.

A row says of every card of the game where it is, and what is under way. Cards are numbered in canonical order.
"""

# A row: a head, then one number for each card.
STAGE = 0  # What happens next,
PHASE = 1  # in which phase;
TURN = 2
MOVER = 3  # who acts, or acted last;
SHELLS = 4  # shells still to fall;
LEAD = 5  # the first player's score less the other's; no part of what rows are told apart by.
NEW_DECK = 6  # In a half-turn: the deck of the player to move has changed.
ENTERED = 7  # In a half-turn: the soldier that came out last, counted from 1, or ``OTHERWISE``.
CARDS = 8
MOST_CARDS = 52
MOST_TOGETHER = 12  # Soldiers that can go together.
OTHERWISE = 100  # Something else was done than coming out.

# Stages and phases.
ACTS, SHELLED, DRAWS, OVER = range(4)
PLAY, WITHDRAWAL = range(2)

# Where a card is.
GONE = 0  # Nowhere, or where it does not matter any more.
INFIRMARY = 1  # Of the first player, then of the other.
DEAD = 3
TRENCH = 4
DECK = 5  # By place from the top; all at the top where decks are shuffled.
CARRIED = 64  # By the card of its carrier.
FIELD = 128  # By cell.
PILE = 256  # By cell and height.
DEEP = 64
PLACES = 4095  # All bits of a place; then three marks.
MOVED = 4096
FRESH = 8192
NAMELESS = 16384  # Which soldier of its colour this is does not matter any more.

# The table: numbers of a duel.
T_CARDS, T_SIZE, T_CELLS, T_LIMIT, T_STARTER = range(5)
T_EACH = 5  # Shells fall after each half-turn.
T_MIN_ONE, T_LAST_FALLS, T_QUEUE = range(6, 9)
T_CASES = 9  # Equally likely cells of a shell.
T_FADES = 10  # What does not matter any more is forgotten.
T_RESCUE = 12  # What becomes of a rescued card: of the enemy and out of reach, of the enemy, own and out of reach, own.
T_DOWN = 16  # By colour: what is added to a cell for one space nearer home.
T_COLOUR = 20
T_VALUE = 72
T_WAYS = 124
T_HOME = 160  # By colour and cell: the home distance.
MOST_CELLS = 36
T_STEPS = 232  # By cell and cell: the distance.
T_RESCUES = 1528  # By half-turns left: the most cards that a rescuer and all whom it brings home can rescue.
MOST_LEFT = 64
T_BLIND = (
    1592  # By soldier: what it gains on average by bringing home a card that nobody has seen, in parts of ``GAIN``.
)
T_SHOWN = 1644  # A card that is picked up is shown.
T_CARRIED_SEEN = 1645  # A soldier looks at what it carries rather than at the pile.
TABLE = 1646

# Room for what is counted of one row.
X_TOP = 0  # By cell: the card on top of the pile, or -1;
X_HEIGHT = 36  # its height.
X_LOAD = 72  # By soldier: what it carries, or -1.
X_READY = 124  # Soldiers that can still move.
X_GROUP = 176  # Those of one cell.
X_COUNT = 228  # By cell: soldiers.
X_MEN = 264  # By colour: soldiers on the field,
X_LYING = 266  # wounded cards,
X_HOME = 268  # soldiers at home.
X_LOST = 270
X_TAKEN = 271
X_MAN = 272  # By colour: its soldiers on the field.
X_KNOWN = 376  # In playouts, by card: everybody has seen it.
X_CLAIMED = 428  # By cell: soldiers on their way to its pile.
X_RANDOM = 464  # State of the generator of what chance brings.
ROOM = 465

# The rule of thumb of playouts
GAIN = 1024  # Parts of a card.
RISK = 700  # What a soldier that is hit costs.
LOW = 9  # The greatest value of a soldier that goes back to the deck,
SOON = 10  # and its greatest square for each half-turn left.

# A first move in playouts
M_VERB = 0
M_WHERE = 1  # A cell, or ``HOME``.
M_TAKE = 2
M_SIZE = 3  # Soldiers; their cards follow.
M_GROUP = 4
M_W = M_GROUP + MOST_TOGETHER
HOME = 36
V_NONE = -1  # The rule of thumb decides.
V_END, V_ENTER, V_CYCLE, V_PEEK, V_DROP, V_GO = range(6)

# Cards that a seat does not know, in playouts
H_UNSEEN = 0  # By colour: such cards, in a list each.
H_DECK = 2  # By colour: how many of them are in the deck.
H_PLACES = 4  # Number of other places, which follow the cards.
H_CARD = 5
H_PLACE = 109  # After two lists of ``MOST_CARDS``.
H_W = 161

# What playouts return
R_LEAD = 0  # Sum over all games of the first player's score less the other's.
R_WON = 1  # Games that the first player wins twice, drawn ones once.
R_LEAST = 2  # Least and greatest lead.
R_MOST = 3
R_W = 4

# Sizes.
MOST_MIDDLES = 131072  # Middles of one half-turn.
