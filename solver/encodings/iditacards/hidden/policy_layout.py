"""The numbers that plain play reckons with. A build writes ``policy_layout.pxd`` from this module."""

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
