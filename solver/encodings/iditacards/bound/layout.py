"""Numbers of the table of the bound (int32). A build writes ``layout.pxd`` from this module.

The table begins with numbers and offsets of the parts that follow, ``HEADER`` of them.
"""

AUTO = 0  # Spaces of the automatic move at speed 0, -1 where there is none.
FACTOR = 1  # Greatest product of everything that multiplies the speed.
WEATHER = 2  # Greatest speed that weather gives.
FIXED = 3  # Greatest distance that a leg prints for every move, -1 where none does.
SLOWS = 4  # 1 where conditions slow the sled.
LEFT = 5  # 1 where a card that has left hand and deck is not played again.
LOW = 6  # Least speed that is told apart.
SPEEDS = 7  # Number of speeds that are told apart.
TURNS = 8  # Turns that are looked at.
BOTH = 9  # Number of raising plays that also move.
DAYS = 10  # New days that are told apart.
OTHERS = 11  # Greatest number of other dogs where some count as several; 0 where each counts once.
KINDS = 12  # Offset by kind, ``BK_W`` numbers each.
N_KINDS = 13  # Numbers of each speed in ``GAINS``: one for each kind, 0 included.
JUMPS = 14  # Offset by new days, speed and plays: the greatest distance.
RAISES = 15  # Offset of the kinds that raise the speed, best first.
N_RAISES = 16
EASES = 17  # Offset by number of plays: the most points of speed that such plays win back from conditions.
DAY_MOVE = 18  # Offset by speed: the most spaces at the end of a day.
GAINS = 19  # Offset by speed and kind: the spaces of its moves.
ORDER = 20  # Offset by speed: the moving kinds, farthest first, ``N_MOVING`` many.
N_MOVING = 21
HEADER = 22

# Room that the bound writes to: by kind the copies left, then by number of raising plays.

SPEED = 400
SPACES = 440  # Spaces of the automatic moves of that many turns.
RAISED = 480  # Sum of what the plays add.
WAITING = 520  # Two numbers for each card on the stack: the turns until it takes effect, and its kind.
ROOM = 560

BK_W = 4
BK_RAISE = 0  # Speed that it adds on the best leg.
BK_LEGS = 1  # The part of it that legs add for dogs.
BK_EASE = 2  # 1 where it may lower a condition.
BK_COPIES = 3  # Copies within reach.

# Weights of the guess for beams (``evaluate``).
P_SPACE = 1000  # Parts of a space in which speeds are reckoned.
P_TURN = 100  # What a turn counts.
P_CARD = 5  # What a hand card counts.
P_REST = 1  # What a card of the deck counts.
P_NEAR = 2  # What a space counts that hand cards move.
P_POINT = 40  # What a point of a condition counts.
P_COMING = 150  # Parts of a space that a point of speed counts whose card is not in play.
P_LEAST = 500  # Spaces a turn at least, in parts: in the end everybody gets on.
