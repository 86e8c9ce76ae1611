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
# Weights (``playouts.WEIGHTS`` has their values).
TURNS_A_CARD = 0  # Turns that a card of a new hand keeps a day going.
MET = 1  # Part of the own moving cards that a day can use, if it sees all of them.
SEEN = 2  # Cards of a deck that a day sees for each card of its first hand.
NOT_YET = 3  # What a point of speed counts whose card is not in play.
SLOWEST = 4  # Spaces a turn at least.
FREE = 5  # Part of the turns without conditions, where only their presence counts.
LAST_CARD = 6  # What a card in hand is worth at least.
ALL_THERE_IS = 7  # The same where no automatic move is sure to come.
LATER = 8  # What playing a card later counts for.
HELD = 9  # What a hand counts for.
NESTED = 10  # Chance that a risk card of a risk card comes through.
DEARER = 11  # What a point costs that makes every card dearer.
UPGRADE = 12  # What a gained card is worth for each turn left.
DILUTED = 13  # Part of what one card less is worth that a gained card costs.
THINNER = 14  # What it is worth to have a card less.
DAMAGE = 15  # What a damage card costs.
A_DOG = 16  # What a dog given up costs for each turn left.
IN_PLAY = 17  # What a dog in play is worth, as part of the turns that it serves.
DAY_CARD = 18  # What a card more each morning is worth in speed.
CHEAPER = 19  # What cheaper cards are worth in speed.
SECOND = 20  # What a second step is worth that waits.
LONGEST = 21  # Turns for which what is gained is of use at most.
LASTS = 22  # Turns that a point of a condition lasts at most, where its number counts.
POINTS = 23  # Part of the turns with a condition that count, where only its presence does.
NIGHT = 24  # Part of what the hand is worth that a new day does not cost.
PLAYED = 25  # Part of what keeping a card is worth that playing it does not cost.

# What is reckoned for one row.
PRINTED = 26  # Spaces that own cards move,
SPEEDS = 27  # and how many times the speed comes to them.
COMING = 28  # Speed of own cards that are not in play.
CURES = 29
OWN = 30  # Own cards.
PACE = 31
USUAL = 32  # The automatic move of a new day.
COMES = 33  # Points of conditions that come in a turn.
DANGER = 34  # Spaces lost by dying on the next day.
CARD_TURNS = 35  # Turns of a day.
AHEAD = 36  # Turns for which what is gained is of use.
POINT = 37  # What a point of a condition costs.
MOVES = 38
SPEED = 39
OVER = 40  # What a turn of today brings beyond the pace.
CARD = 41  # What a card in hand is worth at least.
DAYS = 42  # Three numbers for each face of the die.
PRESENT = 90  # Turns for which a condition that is there costs the automatic move, where only its presence counts.
NUMBERS = 91
