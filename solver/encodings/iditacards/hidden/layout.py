"""Numbers of the table by which rows with a hidden deck forget what nothing reads, and those of plain play.

A build writes ``layout.pxd`` from this module.
"""

# The table (int32).
GOAL = 0  # ``GOAL_…``.
TARGET = 1
RULES = 2  # Bits of ``RULE_…`` that hold for this question.
READERS = 6  # Offset: for each kind the bits ``READS_…`` of what its ops read.
LEG_READS = 7  # The same bits of what legs and cards in play may read on any turn.
N_NUMBERS = 5  # Numbers of a row that some rule reads; their fields begin at ``NUMBERS``.
BACK = 8  # For a risk: 1 where the number of discarded cards counts although the hand only pays.
PILE = 9  # 1 where the last turn may still read the discard pile: damage cards in it change a new deck.
GAINS = 10  # 1 where something may bring discarded cards back within a turn, upgrades that it gained among them.
HEADER = 11

GOAL_REACH = 0
GOAL_DISTANCE = 1
GOAL_TURNS = 2
GOAL_RISK = 3

# Rules of forgetting, each to be switched off for a control run.
RULE_LAST = 1  # On the last turn only numbers of cards count, but for those that can be played.
RULE_BLIND = 2  # Cards that pay leave the deck unseen where nothing hangs on which ones they are.

READS_PILE = 1  # Discarded cards come back.
READS_ALL = 2  # A new day puts all cards together.
READS_DECK = 4  # Cards of the deck come to the hand, or its size counts.

BLANK = 0  # The kind of a card that can only pay, or of one that may be any of the pool.

# What discarded cards that come back do for a risk card where the deck is an urn.
BACK_NOTHING = 0
BACK_HAND = 1  # They pay.
BACK_THROUGH = 2  # They bring it through.

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
STOPPED = 9  # and one where only its presence counts, in automatic moves for each turn ahead.
PRESENT = 10  # Automatic moves that a condition which is there costs, where only its presence counts.
THINNER = 11  # What it is worth to have a card less.
DAMAGE = 12  # What a damage card costs.
IN_PLAY = 13  # What a dog in play is worth, as part of the turns that it serves.
LONGEST = 14  # Turns for which what is gained is of use at most.
NIGHT = 15  # Part of what the hand is worth that a new day does not cost.

# What is reckoned for one row.
PRINTED = 16  # Spaces that own cards move,
SPEEDS = 17  # and how many times the speed comes to them.
OWN = 18  # Own cards.
PACE = 19
USUAL = 20  # The automatic move of a new day.
AHEAD = 21  # Turns for which what is gained is of use.
POINT = 22  # What a point of a condition costs.
MOVES = 23
SPEED = 24
OVER = 25  # What a turn of today brings beyond the pace.
CARD = 26  # What a card in hand is worth at least.
NUMBERS = 27
