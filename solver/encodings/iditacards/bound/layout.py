"""Numbers of the table of the bound (int32). A build writes ``layout.pxd`` from this module.

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
HEADER = 31

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

# Weights of the guess for beams (``evaluation.py``).
P_SPACE = 1000  # Parts of a space in which speeds are reckoned.
P_TURN = 100  # What a turn counts.
P_CARD = 5  # What a hand card counts.
P_REST = 1  # What a card of the deck counts.
P_NEAR = 2  # What a space counts that hand cards move.
P_POINT = 40  # What a point of a condition counts.
P_COMING = 150  # Parts of a space that a point of speed counts whose card is not in play.
P_LEAST = 500  # Spaces a turn at least, in parts: in the end everybody gets on.
