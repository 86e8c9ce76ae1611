"""Where everything lies in a row and in a table of numbers; a build writes ``layout.pxd`` from it.

A row is one table of the game: shared fields, then ``SEAT_W`` numbers a seat. Cards are numbered from 1, those of the
Action deck first. Hands and piles are copies by card: a pile is hidden and has no order.
"""

MOST_CARDS = 48  # Kinds of cards, 0 included.
MOST_SLOTS = 40  # Kinds of partners: each type with each number of HP.
MOST_TYPES = 8
MOST_EFFECTS = 4  # Of one card.
MOST_GOALS = 4
MOST_SEATS = 6
MOST_IDENTITIES = 8

ANY, CITY, ABYSS = range(3)  # Places.

# Shared fields of a row

ROUND = 0
PHASE = 1  # One of ``P_…``.
ACTING = 2  # Seats that have had their share of the step.
WINNER = 3  # Number of the seat from 1; 0 for nobody.
SEATS = 4
FRONT_SIZE = 5  # Of the Action pile, then of the Event pile; likewise the other two.
BACK_SIZE = 7
USED_SIZE = 9
RANDOM = 11  # State of the generator of what chance brings.
FRONT = 12  # Copies by card; likewise ``BACK`` and ``USED``.
BACK = FRONT + MOST_CARDS
USED = BACK + MOST_CARDS
SEAT = USED + MOST_CARDS  # The first seat.

P_GIVE_UP, P_HIRE, P_CHOOSE, P_DEAL, P_ACT, P_EVENT, P_REFILL, P_OVER = range(8)

# Fields of a seat

AP, RP, TEMPS = range(3)
PAID = 3  # AP paid for hires in this round.
FLAT = 4  # Treasure of this round that no member carries.
EACH_MAIN = 5  # Treasure of each hired partner on the trip; ``EACH_TEMP`` of each temporary one.
EACH_TEMP, BOOST, EXPLORE, LIGHT, IDENTITY = range(6, 11)
EVENT = 11  # 0 for none.
EVENT_UP = 12
CARD = 13  # Of the plan, 0 for none.
PLACE = 14  # 0 where there is no plan.
TEMP_CARD = 15
TEMP_PLACE = 16  # 0 where there is no temp team.
N_HAND = 17
N_TEAM = 18
N_UNSEEN = 19  # Hand cards that another seat does not see.
LAID_SEEN = 20  # Whether it sees the cards of the plan.
HAND = 21  # Copies by card.
UNSEEN = HAND + MOST_CARDS  # Those that another seat does not see.
TEAM = UNSEEN + MOST_CARDS  # Hired partners by slot.
SEAT_W = TEAM + MOST_SLOTS

W = SEAT + MOST_SEATS * SEAT_W

# A decision: the phase in which a seat takes it, then what it says

M_PHASE = 0
M = 1  # Copies given up by card; hires by type, then temporary partners; a plan; a seat and a slot; whether to draw.
M_W = M + MOST_CARDS

# Fields of a slot, an identity and a card

SLOT_TYPE = 0
SLOT_HP = 1
SLOT_FULL = 2  # The slot of the same type at full HP.
SLOT_W = 3

I_TEMP_PRICE = 0  # -1 where the identity takes none.
I_DAMAGE = 1  # Change and floor of each loss of HP in the City, then in the Abyss.
I_TREATMENT = 5  # Change and floor of the payment.
I_PRICES = 7  # By type.
I_PENALTIES = I_PRICES + MOST_TYPES
IDENTITY_W = I_PENALTIES + MOST_TYPES

C_PLACE = 0
C_TARGETED = 1  # It needs somebody to work on.
C_MODIFIER, C_LIGHT_STOPS = range(2, 4)
C_EFFECTS = 4  # Number of effects, then code and two arguments of each.
EFFECT_W = 3
CARD_W = C_EFFECTS + 1 + EFFECT_W * MOST_EFFECTS

# Effects

E_AP = 1  # a: points.
E_RP = 2
E_TREASURE = 3  # a: amount; b: ``PER_…``.
E_HEAL_ALL = 4  # a: place.
E_PAY_PER_HEALED = 5  # a: AP for each.
E_FLASHLIGHT, E_EXPLORE_PENDING, E_REMOVE_PARTNER, E_TAKE_CARD, E_EXCHANGE_CARDS = range(6, 11)
E_AP_ABYSS = 11  # a: points.
E_DAMAGE = 12  # a: HP; b: place.
E_LOSE_CARD = 13
E_CANCEL_ACTIONS = 14  # a: place.
E_SCALE_AP_COST = 15  # a: factor.
E_SCALE_RP_GAIN = 16

PER_FLAT = 0
PER_MEMBER = 2  # Of both teams; 1 stands for the team that uses the card.

# Table of numbers

T_TREASURE_AP, T_TREASURE_RP, T_BOOST_FACTOR, T_BOOST_DAMAGE = range(4)
T_COMPOUND = 4  # Times that a treasure of a boosted trip counts at home.
T_OWN_CARRIER, T_REFILL_BELOW, T_REFILL_CARDS, T_GIVE_UP_DRAW, T_FIRST_REFILL, T_ROTATES = range(5, 11)
T_CAP = 11  # Partners at most, -1 for any number.
T_CAP_TEMPS = 12  # Temporary ones count.
T_FIRST = 13  # The first Action card, the first Event, and what comes after the last one.
T_ACTIONS = 14
T_CARDS = 15
T_SLOTS = 16  # Number of partners' slots; likewise the rest.
T_TYPES = 17
T_GOALS = 18  # AP and RP of each follow at ``T_GOAL``.
T_LATE = 19  # Goals are looked at once, at the end of a round; ``T_JOINT``: those who meet one then share the win.
T_JOINT = 20
T_GOAL = 21
T_SLOT = T_GOAL + 2 * MOST_GOALS
T_IDENTITY = T_SLOT + SLOT_W * MOST_SLOTS
T_CARD = T_IDENTITY + IDENTITY_W * MOST_IDENTITIES
T_W = T_CARD + CARD_W * MOST_CARDS

DIGS = 1000  # In the rule of thumb of playouts: how much a seat likes to use a card that digs.
DEALS = 16  # Deals tried until one agrees with what a seat has done in this round.
