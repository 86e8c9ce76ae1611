"""The setup (R4 to R10), new days and weather (R59 to R65)."""

from __future__ import annotations

from rules.core.chance import priority_order, stream
from rules.iditacards.content import CONDITIONS, NO_LEG
from rules.iditacards.costs import weather_on
from rules.iditacards.dogs import choose, kill_one
from rules.iditacards.movement import check_deaths, draw, gain, move
from rules.iditacards.moves import JOIN, STAY
from rules.iditacards.rulings import LEG_EVENTS, LEGENDARY_EVENTS, UPGRADE_EVENTS, Rulings
from rules.iditacards.state import Counters, Dog, Player, Table
from rules.iditacards.turn import Seat, Turn, rolled, shuffled


class Setup:
    """The setup of one game, in the order of R72."""

    def __init__(self, rulings: Rulings) -> None:
        self.rulings = rulings
        self.content = rulings.content
        self.removed = set(self.content.rules["solitaire_removed_types"]) if rulings.players == 1 else set()

    def table(self) -> Table:
        """Return the table after the setup."""
        rulings = self.rulings
        upgrade = [self._upgrade(index, name) for index, name in enumerate(rulings.upgrade_decks)]
        legendary = self._legendary()
        legs, leg_counters = self._legs()
        players = tuple(self._player(seat, legendary[seat]) for seat in range(self.rulings.players))
        rolls = rulings.options["initial_weather"] == "roll" and bool(rulings.faces)
        weather_open = rulings.weather_open
        deals = rulings.legendary_dealt > 0
        return Table(
            active=0,
            counters=Counters(
                deck=tuple(int(rulings.deck_open) for _ in players),
                legendary=int(deals and rulings.legendary_open),
                legs=leg_counters,
                upgrade=tuple(int(rulings.upgrade_open) for _ in upgrade),
                weather=int(rolls and weather_open),
            ),
            damage_left=rulings.damage_cards,
            day=0,
            destroyed=(),
            final=None,
            freeze=False,
            legs=legs,
            over=False,
            players=players,
            supply=(),
            upgrade=tuple(tuple(deck if rulings.upgrade_open else sorted(deck)) for deck in upgrade),
            weather=rolled(rulings, 0) if rolls else "none",
        )

    def _cards(self, deck: str) -> list[str]:
        return [card for card in self.content.deck_cards(deck) if self.content.cards[card].type not in self.removed]

    def _upgrade(self, index: int, name: str) -> list[str]:
        alone = self.rulings.players == 1 and self.rulings.options["solo_attack_deck"] == "removed"
        if alone and name == "attack":
            return []
        return shuffled(self.rulings, self._cards(name), self.rulings.upgrade_orders[index], UPGRADE_EVENTS, index, 0)

    def _legendary(self) -> list[tuple[str, ...]]:
        name = self.content.deck_of_role("legendary")
        dealt = self.rulings.legendary_dealt
        if name is None or dealt == 0:
            return [() for _ in range(self.rulings.players)]
        listed = self.rulings.legendary_order
        cards = self._cards(name)
        if listed:
            order = priority_order(listed, cards)
        else:
            order = shuffled(self.rulings, cards, [], LEGENDARY_EVENTS, 0, 0)
        return [tuple(sorted(order[seat * dealt : (seat + 1) * dealt])) for seat in range(self.rulings.players)]

    def _legs(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        types = sorted({leg.type for leg in self.content.legs.values() if leg.type is not None})
        drawn = self.rulings.options["legs_setup"] == "drawn"
        chosen = {f"type{kind}": self._leg_of_type(kind, drawn) for kind in types}
        legs = tuple(chosen.get(section.leg, section.leg) or NO_LEG for section in self.rulings.board.sections)
        return legs, tuple(int(drawn and self.rulings.chance.is_open("legs")) for _ in types)

    def _leg_of_type(self, kind: int, drawn: bool) -> str:
        listed = self.rulings.leg_list
        if not drawn:
            return self.rulings.board.default_legs[kind - 1]
        if kind <= len(listed):
            return listed[kind - 1]
        cards = [leg.id for leg in self.content.legs.values() if leg.type == kind for _ in range(leg.copies)]
        seed = self.rulings.chance.seed
        if seed is None:
            raise LookupError("legs are drawn and there is neither a list nor a seed")
        return cards[stream(seed, LEG_EVENTS, kind, 0).below(len(cards))]

    def _player(self, seat: int, legendary: tuple[str, ...]) -> Player:
        rulings = self.rulings
        name = self.content.deck_of_role("starter")
        cards = self._cards(name) if name else []
        dogs: list[Dog] = []
        if rulings.options["wheel_dog_start"] == "in_play":
            for card in sorted(rulings.start_in_play):
                if card in cards:
                    cards.remove(card)
                    dogs.append(Dog(card, ()))
        deck = shuffled(rulings, cards, rulings.deck_orders[seat], 1, seat, 0)
        hand, deck = deck[: rulings.starting_hand], deck[rulings.starting_hand :]
        return Player(
            days=1 if rulings.options["days_count"] == "first_day_is_one" else 0,
            deck=tuple(deck if rulings.deck_open else sorted(deck)),
            discard=(),
            dogs=tuple(dogs),
            finished=False,
            foods=(),
            free_energy="no",
            free_health="no",
            hand=tuple(sorted(hand)),
            hypothermia=0,
            immune=False,
            known=0,
            legendary=legendary,
            moved=False,
            passed=(),
            personal=0,
            pos=0,
            resolved=(),
            seen=(),
            stack=(),
            starvation=0,
            turns=0,
        )


def new_day(turn: Turn, caller: Seat, *, by_card: bool = False) -> bool:
    """Hold a new day (R60) and return whether ``caller`` took part to the end, or finished as the old day ended."""
    options = turn.rulings.options
    turn.tell("R59", "calls_new_day", seat=caller.index)
    participants = [caller]
    if not (by_card and options["new_day_by_card"] == "alone"):
        for other in turn.seats_from(caller)[1:]:
            if not other.finished:
                answer = choose(turn, other, lambda: (JOIN, STAY))
                if answer == JOIN:
                    participants.append(other)
                turn.tell("Q73", "joins" if answer == JOIN else "stays", seat=other.index)
    _day_ends(turn, caller, participants)
    participants = [seat for seat in participants if not seat.finished]
    for seat in participants:
        _put_together(turn, seat)
    _clear_records(turn, caller, participants)
    turn.day += 1
    for seat in participants:
        seat.days += 1
        turn.tell("R60", "day_begins", seat=seat.index, day=seat.days)
    if options["weather_roll"] == "before_draw":
        roll_weather(turn, caller)
        _legs_at_start(turn, caller, participants)
        _draw_hands(turn, caller, participants)
    else:
        _draw_hands(turn, caller, participants)
        roll_weather(turn, caller)
        _legs_at_start(turn, caller, participants)
    return caller in participants


def _still_racing(turn: Turn, caller: Seat) -> list[Seat]:
    return [seat for seat in turn.seats_from(caller) if not seat.finished]


def _day_ends(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Move with an empty hand and deck, then lose dogs to a leg (R60 step 2, Q63, Q66)."""
    options = turn.rulings.options
    moves = turn.rulings.day_end_empty_move
    for seat in _still_racing(turn, caller):
        takes_part = seat in participants
        if (takes_part or options["empty_day_end"] == "everyone") and not seat.hand and not seat.deck:
            for card in seat.in_play():
                if card in moves:
                    turn.tell("R60", "empty_day_end", seat=seat.index, card=card)
                    move(turn, seat, moves[card])
        leg = turn.leg(seat)
        if (
            not seat.finished
            and leg is not None
            and "leg_day_end_kill_dog" in leg.effects
            and (takes_part or options["leg_day_scope"] == "any_new_day")
        ):
            turn.tell("R60", "leg_kills", seat=seat.index, leg=leg.id)
            kill_one(turn, seat)


def _put_together(turn: Turn, seat: Seat) -> None:
    """Shuffle everything but what is in play into the deck (R61)."""
    waiting = [frame.card for frame in seat.stack if not frame.placed]
    cards = [*seat.deck, *waiting, *seat.resolved, *seat.seen, *seat.hand, *seat.discard]
    turn.tell("R61", "puts_together", seat=seat.index, cards=len(cards), abandoned=waiting)
    seat.stack = []
    seat.resolved, seat.seen, seat.hand, seat.discard = [], [], [], []
    turn.shuffle(seat, cards)


def _clear_records(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Forget the day's records (R60 step 4, Q62); as in every step, those of a player who has finished stay."""
    everybody = turn.rulings.options["day_scope"] == "any_new_day"
    until = turn.rulings.free_cost_until
    for seat in _still_racing(turn, caller) if everybody else participants:
        seat.foods = ()
        seat.personal = 0
        seat.moved = False
        seat.immune = False
        if until.get("energy") == "day_end":
            seat.free_energy = "no"
        if until.get("health") == "day_end":
            seat.free_health = "no"
    turn.freeze = False


def roll_weather(turn: Turn, caller: Seat) -> None:
    """Roll the die and let the face act (R60 step 6, R62); a game without weather has no die."""
    if not turn.rulings.faces:
        return
    face = turn.roll()
    turn.weather = face
    weather = turn.rulings.weathers[face]
    turn.tell("R62", "weather", face=face)
    if weather.empties_supply and turn.supply:
        turn.tell("R62", "supply_emptied", cards=sorted(turn.supply))
        turn.destroyed.extend(turn.supply)
        turn.supply = []
    for seat in _still_racing(turn, caller):
        for kind in CONDITIONS:
            n = getattr(weather, kind)
            if n and weather_on(turn, seat) is not None:
                gain(turn, seat, kind, n, from_weather=True)


def _legs_at_start(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Let legs starve players and kill dogs at the start of a day (R60 step 7, Q63)."""
    for seat in _still_racing(turn, caller):
        if seat not in participants and turn.rulings.options["leg_day_scope"] == "own_new_day":
            continue
        leg = turn.leg(seat)
        if leg is None:
            continue
        starve = leg.effects.get("leg_day_start_starve")
        if starve is not None:
            gain(turn, seat, "starvation", starve["n"], from_leg=True)
        if "leg_day_start_kill_dog" in leg.effects:
            turn.tell("R60", "leg_kills", seat=seat.index, leg=leg.id)
            kill_one(turn, seat)
    check_deaths(turn)


def _draw_hands(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Draw the new hands (R60 step 8, R64, Q61, Q64)."""
    for seat in _still_racing(turn, caller):
        if seat in participants:
            draw(turn, seat, hand_size(turn, seat))
        elif turn.rulings.options["day_draw_outsiders"]:
            bonus = _day_draw(turn, seat)
            if bonus > 0:
                draw(turn, seat, bonus)


def _day_draw(turn: Turn, seat: Seat) -> int:
    bonuses = turn.rulings.day_draw
    return sum(bonuses.get(card, 0) for card in seat.in_play())


def hand_size(turn: Turn, seat: Seat) -> int:
    """Return the number of cards a player draws for a new day (R64)."""
    rulings = turn.rulings
    base = rulings.starting_hand
    leg = turn.leg(seat)
    weather = weather_on(turn, seat)
    limited = (weather is not None and weather.caps_hand) or (leg is not None and "leg_no_day_draw" in leg.effects)
    if limited and rulings.options["no_extra_draw"] == "drop_positive":
        return max(0, base + sum(min(0, rulings.day_draw.get(card, 0)) for card in seat.in_play()))
    size = max(0, base + _day_draw(turn, seat))
    return min(size, base) if limited else size
