"""Numbers that the machine, the tables and the readers of rows share. A build writes ``layout.pxd`` from this module.

A **row** (int16) is one table of one player, and while a turn runs also what is left of the turn. ``W`` numbers lie
between two rows. A field is a number at ``row + NAME``. A list is a length at ``row + N_NAME`` with its items from
``row + NAME`` on. All card lists are ascending but the deck, whose last item is its top. What lies behind the end of a
list is of no meaning. Between turns the control stack, ``STOPPED``, ``CURRENT``, ``RUN_DESTROYED``, ``N_LOOK``,
``TAGS`` and ``TAG`` are 0, and dogs ascend by card and attachments.

The **table** ``T`` (int32) holds everything that a ruleset, a question and open chance say. It begins with a header of
``HEADER`` numbers, ``H_NAME``: numbers, and offsets into ``T`` of the parts that follow. No offset is 0.

- cards: ``T[H_CARDS] + kind * CARD_W``. Kinds are the card ids of the ruleset in ascending order, from 1. Kind 0 is
  no card, its fields are 0.
- ops: ``T[H_OPS] + index * OP_W``. The instant and second-step ops of all cards; those of a card follow one another.
- legs: ``T[H_LEGS] + leg * LEG_W``. Leg 0 is no leg: flags and numbers 0, multiplier 1, conditions and fixed distance
  -1. Equal ids are equal legs.
- track: ``T[H_TRACK] + space``, 0 … ``H_SPACES``: the leg of each space. The machine takes leg 0 beyond it.
- spaces: ``T[H_MARKS] + space``, 0 … ``H_SPACES``: bits ``SPACE_COLD``, ``SPACE_HUNGRY``, ``SPACE_DAMAGE``.
- checkpoints: ``T[H_CHECKPOINTS] + space``, 0 … ``H_SPACES``: 0, or the bit of the checkpoint in ``PASSED``.
  No checkpoint lies beyond the track.
- weather: ``T[H_WEATHER] + face * WEATHER_W``. Face 0 is no weather; the others are the faces in the order of the die.
- rolls: ``T[H_ROLLS] + event - H_FIRST_ROLL``, ``H_N_ROLLS`` many: the face of each weather event.
- upgrade decks: ``T[H_UPGRADES] + 2 * deck``: the offset of its kinds, top first, and their number. A row knows how
  many of them are gone (``GONE``).
- legendary cards: ``T[H_LEGENDARY] + place``: the kinds held at the start, ascending, one a bit of ``LEGENDARY``.
- permutations: ``T[H_PERMUTATIONS] + (event - H_FIRST_SHUFFLE) * (MOST_CARDS + 1) + size``: the offset of that of so
  many cards at that deck event, 0 where it is not filled in. Card ``p[i]`` of the ascending cards comes to place i from
  the top. A row that needs one that is not there has error ``ERROR_SHUFFLE``; it may be filled in on demand.
- orders: ``T[H_ORDERS] + 2 * (event - H_FIRST_SHUFFLE)``, ``H_N_ORDERS`` many: the offset of the kinds in the order
  that a list gives this deck event, top first, and their number; no permutation is needed.

Rulings are numbers of the header, 0 or 1 where nothing else is said.
"""

# Words that stand for a number in ops and costs.
ALL = 20000  # Every card there is.
UNTIL_DOG = 20001  # Cards up to and including the first dog.
AS_DESTROYED = 20002  # As many as ``destroy_hand`` destroyed.
NO_LIMIT = 30000  # A level that no condition reaches.

# Capacities. A row that needs more has an error; nothing is cut off.
MOST_DOGS = 8
MOST_ATTACHMENTS = 3  # On one dog.
MOST_FRAMES = 10
MOST_RESOLVED = 16
AGE = 512
MOST_AGES = 8
MOST_CARDS = 96  # In the hand, the discard pile, the deck, and among cards looked at.
MOST_SUPPLY = 216
MOST_DESTROYED = 380
MOST_SEEN = 48
MOST_DECKS = 6  # Upgrade decks.
MOST_RIVALS = 4
MOST_CONTROL = 64  # Instructions of one row.
MOST_TAGS = 12  # Tags that ops ask for.
MOST_NUMBER = 1000  # In an op, a card or a leg.
MOST_WORK = 512  # Rows that a turn may keep open at a time.

# Fields of a row: between turns.
POSITION = 0
HYPOTHERMIA = 1
STARVATION = 2  # Behind ``HYPOTHERMIA``: condition 0 and 1.
WEATHER = 3  # Face, 0 none.
TURNS = 4
DAYS = 5  # Days that the player has begun.
DAY = 6  # The shared ``day`` of the table.
DECK_EVENT = 7  # Number of the next shuffle of the deck.
WEATHER_EVENT = 8
DAMAGE_LEFT = 9  # May be negative.
MOVED = 10
IMMUNE = 11
FREE_ENERGY = 12  # 0 no, 1 armed, 2 on.
FREE_HEALTH = 13  # Likewise; behind ``FREE_ENERGY``.
FINISHED = 14
OVER = 15
PERSONAL = 16  # Personal cards counted this day.
FOODS = 17  # Two fields of ``FOODS_BITS`` bits: foods counted this day, by ``C_FOOD_FIELD`` and ``C_FOOD_BIT``.
FOODS_BITS = 15
PASSED = 19  # Bits of checkpoints passed.
LEGENDARY = 20  # Bits of the legendary cards that are left.
FREEZE = 21
GONE = 22  # ``MOST_DECKS`` fields: cards gone from the top of each upgrade deck since the start.

# Fields of a row: while a turn runs.
STOPPED = 28  # A payment failed or a damage card ended the main action.
RUN_DESTROYED = 29  # Cards that ``destroy_hand`` destroyed in this run of a card.
CURRENT = 30  # Place on the stack of the frame that resolves.
ERROR = 31  # 0, or one of ``ERROR_…``: the row is of no use.
ERROR_A = 32  # What the error is about: event, or capacity.
ERROR_B = 33  # Number of cards of a shuffle.
N_CONTROL = 34
TAGS = 35  # Tags given to dogs this turn.
TAG = 36  # ``MOST_DOGS`` fields: names of dogs that are to die together, 0 none.

# Dogs in play and the risk stack.
N_DOGS = 44
DOGS = 45  # ``DOG_W`` numbers each: the dog, then its attachments ascending, 0 where there is none.
DOG_W = 4
N_STACK = 77
STACK = 78  # Frames, bottom first, ``FRAME_W`` numbers each.
FRAME_W = 6
FRAME_CARD, FRAME_DAY, FRAME_N, FRAME_NEED, FRAME_PAID = range(5)
FRAME_STATE = 5  # The bits that follow; between turns only the first one.
FRAME_SECOND = 1  # It waits for its second step.
FRAME_PLACED = 2  # The card is already where it belongs.
FRAME_DESTROYED = 4  # ``destroy_self`` has happened.
FRAME_ACTS = 8  # The second step is under way.

# Card lists of a row, copied whole.
N_RESOLVED = 138
RESOLVED = 139
N_HAND = 155
HAND = 156
N_DISCARD = 252
DISCARD = 253
N_DECK = 349
DECK = 350
N_LOOK = 446  # Cards looked at by an op that runs, ascending.
N_SEEN = 447
N_SUPPLY = 448
N_DESTROYED = 449
# Where payments stay face down, nobody has chosen yet which hand cards paid. Each hand card then has an age, and it
# stands in the hand as its kind plus ``AGE`` times its age.
AGES = 450  # The greatest age of a hand card.
OWED = 451  # By age: the cards of that age and lower ones that have to be taken out of the hand, all counted.
# Where the deck is hidden, its last ``KNOWN`` cards are known in their order, and those below lie in ascending order:
# every order of them is equally likely.
KNOWN = 459
LEFT = 460  # Turns left, the one under way included, where a question counts them.
THROUGH = 461  # 1 as soon as the card at the bottom of the stack takes effect.
# Cards that left a hidden deck unseen: they are still in its list, and any of the unknown ones may be them.
UNSEEN = 462
BLIND = 463  # 1 where cards that pay leave a hidden deck unseen, 2 where looks at it change nothing either.
N_RIVALS = 465  # Other seats, in seat order from the own one, where several race.
RIVALS = 466  # ``MOST_RIVALS`` fields: the space of each of them.
OVERTAKEN = 470  # Likewise: how often a move back has put it ahead.
BODY = 474  # Numbers that every copy of a row takes.

# The tail of a row, copied as far as it is used.
CONTROL = 474  # Instructions, the next one last, ``CONTROL_W`` numbers each: code and three arguments.
CONTROL_W = 4
LOOK = 730
SEEN = 826
SUPPLY = 874
DESTROYED = 1090
W = 1686  # Numbers from one row to the next.

# Errors of a row.
ERROR_FULL = 1  # A list is full; ``ERROR_A`` is its first field.
ERROR_SHUFFLE = 2  # The permutation of deck event ``ERROR_A`` for ``ERROR_B`` cards is not in the table.
ERROR_ROLL = 3  # The roll of weather event ``ERROR_A`` is not in the table.
ERROR_WORK = 4  # The turn has too many rows open.

# Fields of a card.
CARD_W = 32
C_ENERGY = 0  # Printed cost in cards, ``ALL`` for all that may pay.
C_HEALTH, C_RISK, C_TYPE, C_FLAGS = range(1, 5)
C_TAGS = 5  # Bits of the tags that some op asks for; which bit is which tag is up to the tables.
C_OP, C_OPS = range(6, 8)  # Index of the first op, and number of ops.
C_DIES_TO, C_ON_DEATH = range(8, 10)  # ``ZONE_…`` and ``DEATH_…``.
C_FOOD_FIELD = 10  # 0 or 1: which field of ``FOODS``.
C_FOOD_BIT = 11  # Its bit there; 0 if the card is no food.
C_FORBIDDEN = 12  # 1 where the question forbids to play it from the hand (``play <card>``).
# Numbers of effects, named after them and their keys: 1 without ``speed_mult``, ``counts_as`` or ``attach_slots``,
# ``NO_MOVE`` without ``day_end_empty_move``, else 0.
C_SPEED, C_SPEED_OTHER_DOGS, C_SPEED_MULT, C_DAY_DRAW, C_COUNTS_AS, C_ATTACH_SLOTS, C_ON_MOVE_DRAW = range(13, 20)
C_COST_MOD_ENERGY, C_COST_MOD_HEALTH, C_COST_MOD_RISK, C_LEG_CONDITION_MOD, C_DAY_END_EMPTY_MOVE = range(20, 25)
C_HEAL_BONUS, C_HEAL_BONUS_OF, C_TAKE_BONUS, C_TAKE_BONUS_OF = range(25, 29)
NO_MOVE = -30000
TYPE_DOG, TYPE_ATTACHMENT, TYPE_FOOD, TYPE_PERSONAL, TYPE_SLED, TYPE_MOVEMENT, TYPE_UTILITY, TYPE_DAMAGE = range(8)
FLAG_CANNOT_DIE, FLAG_DEATH_SHIELD, FLAG_DOUBLE_RISK, FLAG_ENDS_TURN_ON_DISCARD = 1, 2, 4, 8
FLAG_DRAW_FIRST_RISK, FLAG_DIES_ON_FIZZLE, FLAG_NO_PASS_DAMAGE = 16, 32, 64
FLAG_ON_DEATH = 128  # Other dogs die with it.
ZONE_DESTROYED, ZONE_DISCARD, ZONE_HAND = range(3)
DEATH_NONE, DEATH_ANOTHER, DEATH_OTHERS = range(3)  # ``kill_another`` and ``kill_own_others``.

# Fields of an op.
OP_W = 6
OP_CODE, OP_A, OP_B, OP_C = range(4)
OP_WHEN, OP_UNLESS = range(4, 6)  # ``IF_…`` that must hold, or must not, 0 none.
IF_EATEN_TODAY, IF_THREE_MEALS_TODAY, IF_HEALED_TODAY, IF_NOT_MOVED_TODAY = range(1, 5)

OP_NOTHING = 0  # An op that does nothing to a player alone: damage, conditions or deaths of others only.
OP_MOVE = 1  # A spaces, B whether doubled, C times.
OP_MOVE_BACK = 2  # A spaces.
OP_DRAW = 3  # A cards, B whether for each dog.
OP_RECOVER = 4  # A cards.
OP_RECOVER_TAG = 5  # A bit of the tag in ``C_TAGS``, B whether optional.
OP_HEAL = 6  # A ``n`` and B ``of``; either may be ``ALL``.
OP_TAKE = 7  # A ``n`` (or ``AS_DESTROYED``) and B ``of`` (or ``UNTIL_DOG`` or ``AS_DESTROYED``).
OP_SEE = 8  # A cards or ``ALL``.
OP_DESTROY_NEXT = 9  # A cards or ``ALL``; a second step.
OP_SUPPLY = 10  # A cards, ``UNTIL_DOG`` or ``AS_DESTROYED``.
OP_TAKE_NEXT = 11  # A cards or ``AS_DESTROYED``; a second step.
OP_DAMAGE = 12  # A damage cards for the player: who ``self``, ``all`` and, alone, ``leader``.
OP_CONDITION = 13  # Condition A (0 hypothermia, 1 starvation) changes by B, for who ``self`` and ``all``.
OP_CLEAR = 14  # Condition A becomes 0.
OP_KILL_DOG = 15  # ``kill_dog`` of the player that is not required.
OP_PRICE = 16  # ``kill_dog`` of the player that is required.
OP_KILL_ANY = 17  # ``kill_any_dog``: A tag bit that the dog must have or 0, B whether it must wear an attachment.
OP_DESTROY_HAND = 18
OP_DESTROY_FROM_HAND = 19  # A cards.
OP_DISCARD_TO_DECK = 20
OP_NEW_DAY = 21
OP_IMMUNE = 22
OP_FREE_COST = 23  # A 0 energy, 1 health; B 1 the next turn, 2 until the day ends.
OP_FREEZE = 24
OP_DESTROY_SELF = 25

# Fields of a leg.
LEG_W = 20
L_FLAGS = 0
L_NUMBER = 1  # Two fields, by condition: what an entry counts with (Q10, Q11); -1 where it does nothing.
L_PLUS = 3  # Two fields: points added after that (Q77).
L_PRINTED = 5  # Two fields: the leg's number as it counts (Q76, Q77), -1 where none is printed; deaths read it.
# Numbers of effects, named after them: 1 without ``leg_risk_mult``, -1 without the last two, else 0.
L_DOG_SPEED, L_RISK_MULT, L_COST_MOD_ENERGY, L_COST_MOD_HEALTH, L_ENTER_HEALTH = range(7, 12)
L_TURN_END_RECOVER, L_TURN_END_DRAW, L_DAY_START_STARVE, L_CARD_MOVE = range(12, 16)
LEG_IMMUNE, LEG_NO_STARVE, LEG_NO_FREEZE, LEG_NO_WEATHER, LEG_RISKS_FIZZLE = 1, 2, 4, 8, 16
LEG_NO_DAY_DRAW, LEG_NO_SPEED_BONUS, LEG_DAY_START_KILL_DOG, LEG_DAY_END_KILL_DOG = 32, 64, 128, 256
SPACE_COLD, SPACE_HUNGRY, SPACE_DAMAGE = 1, 2, 4

# Fields of a face of the weather die.
WEATHER_W = 8
WE_SPEED = 0
WE_CONDITION = 1  # Two fields: hypothermia and starvation that everybody gains.
WE_EMPTIES_SUPPLY, WE_CANCELS, WE_CAPS_HAND, WE_NO_MOVE, WE_NO_SLED = range(3, 8)

# The header: parts.
H_CARDS, H_OPS, H_LEGS, H_TRACK, H_MARKS, H_CHECKPOINTS, H_WEATHER, H_ROLLS, H_UPGRADES, H_LEGENDARY = range(10)
H_PERMUTATIONS, H_ORDERS = range(10, 12)

# The header: numbers.
H_KINDS = 12  # Number of kinds; the last kind.
H_SPACES = 13  # Last space of the track.
H_DECKS = 14  # Number of upgrade decks.
H_FACES = 15  # Number of faces of the die, 0 without weather.
H_N_LEGENDARY = 16  # Number of bits of ``LEGENDARY``.
H_FIRST_ROLL, H_N_ROLLS, H_FIRST_SHUFFLE = range(17, 20)
H_N_SHUFFLES = 20  # Deck events that the permutations cover.
H_N_ORDERS = 22
H_DAMAGE_CARD = 23  # Kind of the damage card, 0 without one.
H_MEALS = 24  # Two fields: the bits of ``FOODS`` that make three meals.

# The header: rules of the ruleset.
H_STARTING_HAND, H_DOG_LIMIT = range(27, 29)
H_CAP = 29  # Greatest value of a condition: ``condition_cap``, 1 where conditions are binary (Q69), else ``NO_LIMIT``.
H_NO_MOVE_AT, H_DEATH_AT = range(30, 32)  # ``NO_LIMIT`` without such a level.
H_DEATH_BACK = 32
H_CONDITION_COST = 33  # 0 none, 1 each point, 2 every second point (R18).
H_CONDITION_SPEED_HALF_UP = 34  # 1 where half of each condition, rounded up, slows the sled (R43).
H_AUTO_MOVE_BY_CONDITION = 35
H_HEAL_REST_HAND = 36  # 1 where looked-at cards that are put away go to the hand, 0 where to the discard pile.
H_TAKE_FROM_DECK = 37  # 1 where op take looks at the first upgrade deck, 0 where it goes through the supply.
H_LEGENDARY_TO_HAND = 38

# The header: options.
H_FINISH_AT = 39  # Q1, a space.
H_AUTO_MOVE = 40  # Q2: spaces at speed 0, -1 where there is no automatic move.
H_LEG_ENTRY = 41  # Q10: 0 raise, 1 set, 2 add.
H_DAMAGE_SUPPLY = 42  # Q28: 0 limited, 1 recycled, 2 unlimited.
H_SACRIFICE_TIMING_OWN_TURN = 43  # Q38: 1 own turn, 0 only to make room (any time is not carried).
H_FREE_ENERGY_UNTIL = 44  # When a free cost ends: 0 never, 1 with the turn, 2 with the day.
H_FREE_HEALTH_UNTIL = 45
# 1 where an option has the answer that stands behind its name; ``options.toml`` says what answers mean.
H_NEGATIVE_DISTANCE_BACKWARD, H_SPEED_MULTIPLIER_OWN_CARDS, H_ENTRY_BACKWARD = range(46, 49)
H_ENTRY_THROUGH_EVERY_LEG, H_CANNOT_STARVE_NO_EFFECT, H_LEG_HEALTH_MODIFIED = range(49, 52)
H_LEG_CARD_MOVE_FINAL_DISTANCE, H_BLOCKED_MOVES_ALL_MOVES, H_MOVED_CONDITION_ANY_OWN_MOVE = range(52, 55)
H_ON_MOVE_DRAW_CARD_MOVES, H_LAST_TURNS_NONE, H_PASS_TURN, H_UNAFFORDABLE_PLAY = range(55, 59)
H_PARTIAL_ENERGY_WHOLE_HAND, H_ZERO_COST_CONDITIONS_EXEMPT, H_ALL_COST_FAILS_WITH_DAMAGE = range(59, 62)
H_DAMAGE_FOR_ENERGY, H_DAMAGE_IN_EFFECT_ENDS_TURN, H_DAMAGE_AS_RISK_FAILS, H_FIZZLE_SCOPE_FAILED_CARD = range(62, 66)
H_RESOLVED_RISK_ZONE_STAY_UNTIL_ROOT, H_EMPTY_DECK_RISK_AT_ONCE, H_DRAW_FIRST_RISK_AT_ONCE = range(66, 69)
H_RISKS_FIZZLE_TIMING_PUSH_AND_TURN, H_KNIFE_SCOPE_DIRECT_ONLY, H_CONDITION_COUNTS_RESOLVED = range(69, 72)
H_REQUIRED_KILL_OPTIONAL, H_SHIELD_PAYS, H_DOG_OVERFLOW_NEWEST_DISCARDED, H_COUNTS_AS_SCOPE_EVERYTHING = range(72, 76)
H_ATTACHMENT_OVERWRITE, H_ATTACHMENT_REMOVAL, H_LEAD_DOG_SCOPE_LEGS_AND_WEATHER, H_TAKE_AMOUNT_EXACT = range(76, 80)
H_SUPPLY_DECK_ANY_MIX, H_RESHUFFLE_ALWAYS, H_RECOVER_TO_TOP, H_RECOVER_AMOUNT_EXACT = range(80, 84)
H_BONUS_ON_WORDS_NUMBER_ONLY, H_SECOND_STEP_OPTIONAL, H_SECOND_STEP_IN_RISK_PARENT_NOW = range(84, 87)
H_WEATHER_ROLL_AFTER_DRAW, H_WEATHER_OFF_BOARD_AFFECTED, H_STORM_SCOPE_WHOLE_CARD = range(87, 90)
H_SNOW_SCOPE_CANNOT_PLAY, H_CLOUD_SCOPE_ALL_PARTS, H_NO_EXTRA_DRAW_DROP_POSITIVE = range(90, 93)
H_IMMUNITY_SCOPE_WEATHER_OTHERS_DAMAGE, H_IMMUNITY_SCOPE_UTILITY_ONLY, H_DEATH_MISSING_NUMBER_ZERO = range(93, 96)
H_LEGENDARY_CHOICE_MAY, H_AUTO_MOVE_AFTER_STOP, H_DAY_SCOPE_OWN_NEW_DAY = range(96, 99)

H_FORBIDDEN = 99  # Bits of the main actions that the question forbids, ``FORBID_…``.
H_FACE_DOWN = 100  # 1 where payments stay face down: nothing reads which cards have paid.
H_FREE_LATE = 101  # 1 where free actions are offered before a new day only.
H_TARGET = 102  # The target where new days may come on the way to it, else 0.
H_HIDDEN = 103  # 1 where the deck is hidden: its cards are turned over by chance, ``I_REVEAL``.
H_ROLLED = 104  # 1 where the weather is rolled by chance, ``I_ROLL``.
H_CLOSED = 105  # 1 where the upgrade decks are hidden: their cards are turned over by ``I_TURN_OVER``.
H_OPENED = 106  # ``MOST_DECKS`` fields: cards of a dealt upgrade deck that are on top for sure.
HEADER = 112
FORBID_PLAY, FORBID_CONTINUE, FORBID_SECOND, FORBID_SKIP_SECOND = 1, 2, 4, 8
FORBID_NEW_DAY, FORBID_PASS, FORBID_SACRIFICE, FORBID_REMOVE = 16, 32, 64, 128

# Instructions of the control stack (arguments a, x, y). What takes cards from the deck is an instruction of its own.
I_DONE = 1  # The turn ends.
I_END_TURN = 2  # The leg acts at the end of the turn (R16). A stopped main action goes on here.
I_AUTO = 3  # The automatic move (R47).
I_AFTER_AUTO = 4  # Deaths after it. A stopped automatic move goes on here.
I_MAIN = 5  # The main action (R13, R14). a: next option; x: first free action to offer; y: 1 after a plain kill.
I_MAIN_AGAIN = 6  # The main action after a second step was given up, unless that stopped it.
I_PAY = 7  # Choose a hand cards from place x on (R22). y: 1 where a damage card may end the payment.
I_PAID = 8  # Energy is paid: the health comes next (R23).
I_DRAW = 9  # Take a cards of the deck into the hand.
I_LOOK = 10  # Look at a cards of the deck.
I_SEE = 11  # Likewise, and set them aside.
I_TOLL = 12  # Discard a cards of the deck for a leg (R49).
I_HEALTH = 13  # Discard a cards of the deck as a payment (R23), then the risk or the effect (R24).
I_RISK = 14  # Play the next risk card (R33).
I_PAID_ONE = 15  # Count a risk card for frame a (R31).
I_COMPLETE = 16  # The current frame leaves the stack (R38).
I_RUN = 17  # The ops of the current frame's card once (R36).
I_END_RUN = 18
I_OP = 19  # Op a of the current frame's card.
I_DEATHS = 20  # Check deaths (R49).
I_PLACE_DOG = 21  # Put the current card into play (R50). a: next option.
I_PLACE_ATTACHMENT = 22  # Likewise (R54).
I_MOVES = 23  # Move a plus speed (R44). x: 1 doubled, 2 for each further time; y: card kind, 0 for the rules.
I_FORWARD = 24  # a spaces more (R45). x: the space where the move began; y: ``PHASE_…``.
I_BACKWARD = 25  # Likewise (R46).
I_MOVED = 26  # After a move. a: 1 if it was far, -1 - start if it went back; x: card kind; y: whether automatic.
I_LEGENDARY = 27  # Choose a legendary card (R66). a: next option.
I_RECOVER = 28  # Bring back a cards of the discard pile (Q50). x: next option; y: ``RECOVER_…``.
I_SORT_OUT = 29  # Fates of the cards looked at (R41). a: place; x: next fate; y: ``FATE_…``.
I_SUPPLY = 30  # Add a cards of a deck of choice to the supply (Q48). x: next option.
I_PICK = 31  # Choose up to a cards from place x on. y: ``PICK_…``.
I_KILL_ONE = 32  # Kill a dog of choice (R52). a: tag bit or 0; x: whether it must wear an attachment; y: next option.
I_PRICE = 33  # Likewise, as the price of the rest of the card (Q36).
I_AFTER_DEATH = 34  # What the death of a dog brings (R52). a: ``DEATH_…``.
I_KILL_TAG = 35  # Kill the dog with tag a if it is still there.
I_NEW_DAY = 36  # The old day ends (R60). a: whether a card calls the new one.
I_END_KILLS, I_NIGHT = range(37, 39)
I_MORNING = 39  # The weather acts, and the leg. a: 1 where it was rolled already.
I_DAY_DRAW = 40  # The new hand (R64).
I_EVENING = 41  # Free actions before a new day. Arguments as of ``I_MAIN``.
I_REVEAL = 42  # Chance: a card of the unknown part of the deck comes to its top.
I_ROLL = 43  # Chance: the weather.
I_TURN_OVER = 44  # Cards of hidden upgrade deck a. x: how many, or up to a dog; y: ``TURN_…``.

TURN_OVER = -1  # What an instruction returns where the turn has ended.
PHASE_STEP = 0
PHASE_SPACE = 1  # The leg was entered; marks of the space come next.
PHASE_FINISH = 2  # The legendary card was chosen; the finish comes next.
RECOVER_EXACT = 1
RECOVER_DECK = 2  # A card has gone to the deck.
RECOVER_TAG = 4  # Times a bit of ``C_TAGS``; 0 for any card.
RECOVER_TO_DECK = 1000  # Added to the place of a card that is offered to the deck.
FATE_RETURNED = 1  # A card has gone back to the deck.
FATE_ENDS = 2  # A card was discarded that ends the turn.
FATE_QUOTA = 4  # Times the cards that may still be destroyed.
TURN_SUPPLY, TURN_LOOK = range(2)  # The cards come to the supply, or are looked at.
PICK_SUPPLY_DISCARD, PICK_SUPPLY_HAND, PICK_HAND_DESTROYED = range(3)
PICK_LOOK_DISCARD = 3  # What is left is destroyed.
OPTION_PLAY = 40  # Options of ``I_MAIN``: four for each dog, then from here on the hand.
OPTION_REST = 200
