"""Numbers of the table of the bound (int32). A build writes ``bound_layout.pxd`` from this module.

The table begins with numbers and offsets of the parts that follow, ``HEADER`` of them.
"""

AUTO = 0  # Spaces of the automatic move at speed 0, -1 where there is none.
FACTOR = 1  # Greatest product of everything that multiplies the speed.
WEATHER = 2  # Greatest speed that weather gives.
# 1 where the weather takes all bonuses for good, off the start and where no leg shelters the sled.
CANCELLED = 3
SLOWS = 4  # 1 where conditions slow the sled.
LEFT = 5  # 1 where a card that has left hand and deck is not played again.
LOW = 6  # Least speed that is told apart.
SPEEDS = 7  # Number of speeds that are told apart.
TURNS = 8  # Turns that are looked at.
CARDS = 9  # Greatest number of hand cards that is told apart; 0 where they do not limit the turns.
DAYS = 10  # New days that are told apart.
LEVELS = 11  # Numbers of turns left that are told apart because cards with more risks come too late.
NEW_HAND = 12  # Greatest hand of a new day.
FIXED = 13  # Greatest distance that a leg prints for every move, -1 where none does.
KINDS = 14  # Offset by kind, ``BK_W`` numbers each.
# Offset by level, days, speed, plays and hand cards: the greatest distance, ``FAR`` where it cannot be.
JUMPS = 15
SECTION_AT = 16  # Offset by space: the number of its section.
RAISES = 17  # Offset of the kinds that raise the speed, best first on a leg that adds nothing for dogs.
N_RAISES = 18
# Offset by number of plays: the most points of speed that such plays win back from conditions.
EASES = 19
# Offset by number i of raising plays, three numbers: plays among them that also move, then the least number of hand
# cards and of all cards that the others take.
NETS = 20
DAY_MOVE = 21  # Offset by speed: the most spaces at the end of a day.
GAINS = 22  # Offset by speed and kind: the spaces of its moves.
ORDER = 23  # Offset by speed: the moving kinds, farthest first, ``N_MOVING`` many.
N_MOVING = 24
OTHERS = 25  # Greatest number of other dogs where some count as several; 0 where each counts once.
N_KINDS = 26  # Numbers of each speed in ``GAINS``: one for each kind, 0 included.
# Offset by section, two numbers: the most that its leg adds for each dog, and whether it shelters from weather.
SECTIONS = 27
BACK = 28  # 1 where the sled may go back.
# Greatest number of cards in hand and deck that is told apart; 0 where it does not limit the turns.
TOTAL = 29
# Offset by level, speed, plays and cards of hand and deck: the same without the other limit.
JUMPS_OF_ALL = 30
# The relaxed race (``relaxed.py``).
R_KNOWN = 31  # Offset of what is known by turns, ``R_PLACES`` times a key and a distance; 0 without such a race.
R_SHUT = 32  # The space from which on cards come back without a turn: the race only leads there.
R_FIRST_DAY = 33  # Days of the player at the start.
R_ROLES = 34  # Offset by kind: what a card is in this race, bits as below.
R_SHOWN = 35  # Offset by level: how many cards of an upgrade deck have been turned over at most.
R_ALL_BIG = 36  # Copies of the own cards that move farthest.
R_GAINS = 37  # Offset by row and speed: the spaces of moves; row 0 has none.
R_SPEEDS = 38  # Number of speeds that are told apart.
R_SPEED = 39  # Offset by the lowest bits of a state: the place of its speed without conditions.
R_DRAG = 40  # Offset by points of a condition: what they take off the speed.
R_AUTO = 41  # Offset by speed: the spaces of an automatic move.
R_DEEDS = 42  # Offset by level: where its deeds begin from there, ``D_W`` numbers each, behind the last one -1.
R_BONUSES = 43  # One more than the cards that checkpoints may give.
R_LIMITS = 44  # Offset by number of such cards: the spaces to go from the checkpoint that gives the last one.
R_ROWS = 45  # Offset by kind: the row of its moves.
# Offset by section, ``E_W`` numbers each; behind the last one -1.
R_ENTRIES = 46
R_LEGENDARY = 47  # Legendary cards of the player at the start.
# Offset by level, two numbers: points of both conditions that a deed lowers besides while a gained card is at hand.
R_BESIDES = 48
HEADER = 49

R_TURNS = 12  # Turns that the relaxed race tells apart.
R_PLACES = 262144  # States that are known at a time, for each number of turns.
# What a card is. One that is gained is none of the starting deck.
R_GAINED = 1
R_HELPER = 2  # It makes the sled faster while it is in play.
R_BIG = 4  # No own card moves farther.
R_KIND = 7
R_RETURNS = 8  # It brings cards back.
R_ACE = 16  # The one copy of the gained card that moves farthest.
R_TAKES = 5  # Bits above the number of cards that it gains.

# A state of the relaxed race: shifts of its fields. Those up to ``R_AT_HAND`` decide on the speed.
R_DAYS = 4  # Days from the first one; the last one stands for all that follow.
R_LEVELS = 4  # Numbers of plays that turned over upgrades; likewise.
R_MOST = 7  # Helpers in play; likewise.
R_CARDS = 6  # Gained cards; likewise.
R_LEVEL = 2
R_LEGS = 4  # Whether a leg ahead makes dogs faster.
R_HELPERS = 5  # Gained helpers in play.
R_OWN = 8  # Own ones.
R_AT_HAND = 11  # Gained cards in hand and deck.
R_LATER = 14  # Gained cards that come back with a new day.
R_BIGS = 17  # Own cards that move farthest, in hand and deck, up to 3: that many stand for more.
R_BEGUN = 19  # Cards played today, up to 3.
R_COLD = 21
R_HUNGER = 24
R_LEFT = 27  # Whether that card has not been played since cards came back.
R_GIVEN = 28  # Cards that checkpoints have given.
R_SPEED_BITS = 2047
R_AILING = 132120576  # Both conditions.
R_KEPT = 2011168787  # Fields that few deeds change: day, legs, conditions, cards given.

# A section of the track that gives conditions.
E_W = 4
E_FIRST = 0  # Its first space.
E_COLD = 1
E_HUNGER = 2
E_MORE = 3  # Spaces that the move across its edge gains at most by being from before it.

# A deed of the relaxed race.
D_W = 7
D_GAINS = 1  # The row of its moves,
D_DOUBLE = 2  # and while a gained card is at hand.
D_TAKES = 3  # Cards that it gains.
D_SHOWS = 4  # Levels that it adds.
D_WARMS = 5
D_FEEDS = 6
# Its flags, the first number.
D_GAINED = 1  # It takes a gained card.
D_BIG = 2  # It takes one of the own cards that move farthest.
D_HELPS = 4
D_DAY = 8
D_BACK = 16
D_HELPED = 32  # It needs a helper in play.
D_ACE = 64  # It takes the gained card that moves farthest.
D_RISK = 7  # A shift: cards that have been played on its day at least.

# Room that the bound writes to: by kind the copies left, then by number of raising plays.

SPEED = 400
SPACES = 440  # Spaces of the automatic moves of that many turns.
RAISED = 480  # Sum of what the plays add.
WAITING = 520  # Two numbers for each card on the stack: the turns until it takes effect, and its kind.
ROOM = 560

BK_W = 5
BK_RAISE = 0  # Speed that it adds, without what legs add for dogs.
BK_DOGS = 1  # Dogs that it counts as where legs give speed for dogs; 0 if it is none.
BK_EASE = 2  # 1 where it may lower a condition.
BK_SLOTS = 3  # Hand cards that it brings once it takes effect.
BK_COPIES = 4  # Copies within reach.

FAR = -10000  # Distance of what cannot be done.
