"""Numbers of the tables that a question brings beside that of the machine. A build writes ``question_layout.pxd``."""

# What rows are told apart by (int32, made by ``rows.fields``): entries, in the order in which they are written.
KEY_ENTRIES = 0  # Number of entries; they begin at ``KEY_HEADER``, ``KEY_W`` numbers each.
KEY_KEPT = 1  # Offset of pairs: a kind and how many of it the player must have at the end of every turn.
KEY_N_KEPT = 2
KEY_LIMIT = 3  # Space from which on nothing counts any more: keys there end behind the first ``KEY_HEAD`` entries.
KEY_HEAD = 4
KEY_HEADER = 5
KEY_W = 3
KEY_FIELD = 0  # A field of the row; of a list its length.
KEY_ITEMS = 1  # First item of a list, else 0,
KEY_WIDTH = 2  # and the numbers of one item.
KEY_LONG = 255  # The byte before a number that takes two.
MOST_KEY = 5120  # Bytes that no key exceeds.
NEVER = 30000  # Turns to a target that no line reaches.
FIRST_SLOTS = 1024  # A power of 2: twice the distinct ends of one source for which there is place at the beginning.
STEPS = 4096  # Instructions between two looks at the budget.
PLAYED = 0
CUT = 1  # Enough ends were there.
FAILED = 2  # A row has an error.

# The table of the bound (int32, ``bound.py``): numbers and offsets of the parts that follow.
B_AUTO = 0  # Spaces of the automatic move at speed 0, -1 where there is none.
B_FACTOR = 1  # Greatest product of everything that multiplies the speed.
B_WEATHER = 2  # Greatest speed that weather gives.
B_FIXED = 3  # Greatest distance that a leg prints for every move, -1 where none does.
B_LOW = 4  # Least speed that is told apart.
B_SPEEDS = 5  # Number of speeds that are told apart.
B_TURNS = 6  # Turns that are looked at.
B_BOTH = 7  # Number of raising plays that also move.
B_DAYS = 8  # New days that are told apart.
B_OTHERS = 9  # Greatest number of other dogs where some count as several; 0 where each counts once.
B_KINDS = 10  # Offset by kind, ``B_KIND_W`` numbers each.
B_N_KINDS = 11  # Numbers of each speed in ``B_GAINS``: one for each kind, 0 included.
B_JUMPS = 12  # Offset by new days, speed and plays: the greatest distance.
B_RAISES = 13  # Offset of the kinds that raise the speed, best first.
B_N_RAISES = 14
B_DAY_MOVE = 15  # Offset by speed: the most spaces at the end of a day.
B_GAINS = 16  # Offset by speed and kind: the spaces of its moves.
B_LEFT = 17  # 1 where a card that has left hand and deck is not played again.
B_ORDER = 18  # Offset by speed: the moving kinds, farthest first, ``B_N_MOVING`` many.
B_N_MOVING = 19
B_HEADER = 20

# Room that the bound writes to: by kind the copies left, then by number of raising plays.
B_SPEED = 400
B_SPACES = 440  # Spaces of the automatic moves of that many turns.
B_WAITING = 480  # The kinds of the cards on the stack.
B_ROOM = 500

B_KIND_W = 3
B_KIND_RAISE = 0  # Speed that it adds on the best leg.
B_KIND_LEGS = 1  # The part of it that legs add for dogs.
B_KIND_COPIES = 2  # Copies within reach.

# Weights of the guess for beams (``evaluate``).
G_SPACE = 1000  # Parts of a space in which speeds are reckoned.
G_TURN = 100  # What a turn counts.
G_CARD = 5  # What a hand card counts.
G_REST = 1  # What a card of the deck counts.
G_NEAR = 2  # What a space counts that hand cards move.
G_POINT = 40  # What a point of a condition counts.
G_COMING = 150  # Parts of a space that a point of speed counts whose card is not in play.
G_LEAST = 500  # Spaces a turn at least, in parts: in the end everybody gets on.

# The table by which rows with a hidden deck forget what nothing reads (int32).
GOAL = 0  # ``GOAL_…``.
TARGET = 1
RULES = 2  # Bits of ``RULE_…`` that hold for this question.
READERS = 3  # Offset: for each kind the bits ``READS_…`` of what its ops read.
LEG_READS = 4  # The same bits of what legs and cards in play may read on any turn.
BACK = 5  # For a risk: 1 where the number of discarded cards counts although the hand only pays.
PILE = 6  # 1 where the last turn may still read the discard pile: damage cards in it change a new deck.
GAINS = 7  # 1 where something may bring discarded cards back within a turn, upgrades that it gained among them.
HEADER = 8

GOAL_REACH, GOAL_DISTANCE, GOAL_TURNS, GOAL_RISK = range(4)

# Rules of forgetting, each to be switched off for a control run.
RULE_LAST = 1  # On the last turn only numbers of cards count, but for those that can be played.
RULE_BLIND = 2  # Cards that pay leave the deck unseen where nothing hangs on which ones they are.

READS_PILE = 1  # Discarded cards come back.
READS_ALL = 2  # A new day puts all cards together.
READS_DECK = 4  # Cards of the deck come to the hand, or its size counts.

BLANK = 0  # The kind of a card that can only pay, or of one that may be any of the pool.

# What discarded cards that come back do for a risk card where the deck is an urn.
BACK_HAND, BACK_THROUGH = range(2)  # They pay, or they bring it through.

# The numbers that plain play reckons with (float64).
# Weights (``sampling.WEIGHTS`` has their values).
TURNS_A_CARD = 0  # Turns that a card of a new hand keeps a day going.
MET = 1  # Part of the own moving cards that a day can use, if it sees all of them.
SEEN = 2  # Cards of a deck that a day sees for each card of its first hand.
SLOWEST = 3  # Spaces a turn at least.
FREE = 4  # Part of the turns without conditions, where only their presence counts.
LAST_CARD = 5  # What a card in hand is worth at least.
LATER = 6  # What playing a card later counts for.
DEARER = 7  # What a point costs that makes every card dearer,
SLOWER = 8  # and one that slows the sled,
STOPPED = 9  # and the first one where only its presence counts, in automatic moves, if very many turns are left.
THINNER = 10  # What it is worth to have a card less.
DAMAGE = 11  # What a damage card costs.
IN_PLAY = 12  # What a dog in play is worth, as part of the turns that it serves.
LONGEST = 13  # Turns for which what is gained is of use at most.
NIGHT = 14  # Part of what the hand is worth that a new day does not cost.

# What is reckoned for one row.
PRINTED = 15  # Spaces that own cards move,
SPEEDS = 16  # and how many times the speed comes to them.
OWN = 17  # Own cards.
PACE = 18
USUAL = 19  # The automatic move of a new day.
AHEAD = 20  # Turns for which what is gained is of use.
POINT = 21  # What the last point of a condition costs, or the first one: of hypothermia and starvation.
MOVES = 23
SPEED = 24
OVER = 25  # What a turn of today brings beyond the pace.
CARD = 26  # What a card in hand is worth at least.
TO_GO = 27  # Turns that are left, at least one.
NUMBERS = 28
