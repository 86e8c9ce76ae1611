"""Numbers of the table by which rows with a hidden deck forget what nothing reads.

A build writes ``hidden_layout.pxd`` from this module.
"""

# The table (int32).
GOAL = 0  # ``GOAL_…``.
TARGET = 1
RULES = 2  # Bits of ``RULE_…`` that hold for this question.
ALIKE = 3  # Offset, for a risk: for each kind the first of those that no rule tells apart.
LAST = 4  # Offset: for each kind the first of those that are alike to who plays them on the last turn.
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
