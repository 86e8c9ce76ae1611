"""The table of integers that the machine reads: a ruleset, open chance and a question, all asked of the rulings."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rules.iditacards.content import ALL, CONDITIONS, DESTROYED, UNTIL_DOG, Card, Effect, Leg
from rules.iditacards.engine import Iditacards
from rules.iditacards.seat import THREE_MEALS
from rules.iditacards.state import Table
from rules.iditacards.turn import EVENTS, Play, rolled
from solver.encodings.iditacards import layout as L

FIRST_EVENTS: Final = 64
"""Shuffles and rolls for which the table has entries at the beginning."""
AROUND: Final = 2
"""Sizes above and below a missing permutation that are filled in with it."""

TYPES: Final = ("dog", "attachment", "food", "personal", "sled", "movement", "utility", "damage")
"""Card types in the order of ``L.TYPE_…``."""


def _named(prefix: str) -> dict[str, int]:
    """Return the numbers of the layout with a prefix by the words of the rules, which they are named after."""
    return {name.removeprefix(prefix).lower(): n for name, n in vars(L).items() if name.startswith(prefix)}


_HEADER: Final = _named("H_")
_CARD: Final = _named("C_")
_LEG: Final = _named("L_")
_FLAGS: Final = _named("FLAG_")
_LEG_FLAGS: Final = _named("LEG_")
_ZONES: Final = _named("ZONE_")
_DEATHS: Final = {"kill_another": L.DEATH_ANOTHER, "kill_own_others": L.DEATH_OTHERS}
_CONDITIONS: Final = _named("IF_")
_UNTIL: Final = {None: 0, "next_turn": 1, "day_end": 2}
_COSTS: Final = ("energy", "health")
_WORDS: Final = {
    ALL: L.ALL,
    UNTIL_DOG: L.UNTIL_DOG,
    DESTROYED: L.AS_DESTROYED,
    "dog": 1,
    **{cost: place for place, cost in enumerate(_COSTS)},
    **{name: number for name, number in _UNTIL.items() if name},
}
"""Words among the arguments of ops."""
FORBIDDABLE: Final = _named("FORBID_")
"""First words of moves that a question can forbid whole."""

_WEATHER: Final = (
    *("speed", "hypothermia", "starvation"),
    *("empties_supply", "cancels_bonuses", "caps_hand", "no_move", "no_sled"),
)
"""What weather does, in the order of ``L.WE_…``."""
_OWN: Final = ("self", "all", "leader")
"""Words for players among whom a player alone always is."""
_DEFAULTS: Final = {"times": 1}
"""Arguments of ops that are not 0 where they are left out."""
OPS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "move": (L.OP_MOVE, "n", "double", "times"),
    "move_back": (L.OP_MOVE_BACK, "n"),
    "draw": (L.OP_DRAW, "n", "per"),
    "recover": (L.OP_RECOVER, "n"),
    "recover_tag": (L.OP_RECOVER_TAG, "tag", "optional"),
    "heal": (L.OP_HEAL, "n", "of"),
    "take": (L.OP_TAKE, "n", "of"),
    "see": (L.OP_SEE, "n"),
    "destroy_next": (L.OP_DESTROY_NEXT, "n"),
    "supply": (L.OP_SUPPLY, "n"),
    "take_next": (L.OP_TAKE_NEXT, "n"),
    "damage": (L.OP_DAMAGE, "n"),
    "hypothermia": (L.OP_CONDITION, CONDITIONS.index("hypothermia"), "n"),
    "starvation": (L.OP_CONDITION, CONDITIONS.index("starvation"), "n"),
    "clear_hypothermia": (L.OP_CLEAR, CONDITIONS.index("hypothermia")),
    "clear_starvation": (L.OP_CLEAR, CONDITIONS.index("starvation")),
    "hypothermia_to_leg": (L.OP_NOTHING,),
    "starvation_to_leg": (L.OP_NOTHING,),
    "kill_dog": (L.OP_KILL_DOG,),
    "kill_any_dog": (L.OP_KILL_ANY, "filter"),
    "destroy_hand": (L.OP_DESTROY_HAND,),
    "destroy_from_hand": (L.OP_DESTROY_FROM_HAND, "n"),
    "discard_to_deck": (L.OP_DISCARD_TO_DECK,),
    "new_day": (L.OP_NEW_DAY,),
    "immune": (L.OP_IMMUNE,),
    "free_cost": (L.OP_FREE_COST, "cost", "until"),
    "freeze": (L.OP_FREEZE,),
    "destroy_self": (L.OP_DESTROY_SELF,),
}
"""The instant and second-step ops for a player alone: code and arguments, each a number or the name of a key."""


class Tables:
    """The table of integers of one question, and what its numbers stand for."""

    def __init__(self, game: Iditacards, table: Table, forbidden: frozenset[str] = frozenset()) -> None:
        """``forbidden`` are first words of moves: keys of ``FORBIDDABLE``, or ``play`` with a card."""
        self.rulings = game.rulings
        self.start = table
        self.ids = ("", *sorted(self.rulings.cards))
        self.kinds = {card: kind for kind, card in enumerate(self.ids)}
        self.faces = ("none", *self.rulings.faces)
        self.checkpoints = sorted(self.rulings.board.checkpoints)
        self.legendary = table.players[0].legendary
        self.foods = [card for card in self.ids[1:] if self.rulings.cards[card].type == "food"]
        self._tags: list[str] = []
        self._forbidden = forbidden
        self.array = array("i", bytes(4 * L.HEADER))
        self._rules()
        self._cards()
        self._track()
        self._chance()

    def food_bit(self, card: str) -> tuple[int, int]:
        """Return which of the two fields records a food, and its bit there."""
        field, place = divmod(self.foods.index(card), L.FOODS_BITS)
        return field, 1 << place

    def fill(self, error: int, event: int, size: int) -> None:
        """Fill in the shuffle or roll that a row has asked for.

        Raises:
            LookupError: it has no result, neither listed nor by a seed.
            OverflowError: the error is another one.
        """
        self.array = self.array[:]  # whoever reads the old one keeps it from growing
        if error == L.ERROR_ROLL:
            self._rolls(max(2 * self.array[L.H_N_ROLLS], event - self.array[L.H_FIRST_ROLL] + 1))
        elif error == L.ERROR_SHUFFLE:
            first = self.array[L.H_FIRST_SHUFFLE]
            if event - first >= self.array[L.H_N_SHUFFLES]:
                self._shuffles(2 * (event - first))
            for each in range(max(0, size - AROUND), min(size + AROUND, L.MOST_CARDS) + 1):
                at = self.array[L.H_PERMUTATIONS] + (event - first) * (L.MOST_CARDS + 1) + each
                if event >= len(self.rulings.orders("deck", 0)) and not self.array[at]:
                    stream = self.rulings.chance.stream(EVENTS["deck"], 0, event)
                    self._put(at, stream.shuffle(range(each)) or [0])
        else:
            raise OverflowError(f"a table does not fit in a row: error {error}, field {event}")

    def _put(self, part: int, values: Sequence[int]) -> None:
        """Append a part and note its offset in the header."""
        self.array[part] = len(self.array)
        self.array.extend(values)

    # Rules and options

    def _rules(self) -> None:
        """Write the header: what is named after a rule or option is its number, or 1 where it has that answer."""
        rulings, rules, values = self.rulings, self.rulings.rules, self.array
        answers = {**rulings.options, **rules._asdict()}
        numbers = {name: int(answer) for name, answer in answers.items() if isinstance(answer, int)}
        numbers |= {f"{name}_{answer}": 1 for name, answer in answers.items() if isinstance(answer, str)}
        for name, field in _HEADER.items():
            values[field] = numbers.get(name, 0)
        cap = L.NO_LIMIT if rules.condition_cap is None else rules.condition_cap
        values[L.H_CAP] = min(cap, 1) if rulings.options["conditions_model"] == "binary" else cap
        values[L.H_NO_MOVE_AT] = L.NO_LIMIT if rules.no_move_at is None else rules.no_move_at
        values[L.H_DEATH_AT] = L.NO_LIMIT if rules.death_at is None else rules.death_at
        values[L.H_CONDITION_COST] = {"none": 0, "each": 1, "half": 2}[rules.condition_cost]
        values[L.H_LEG_ENTRY] = {"raise": 0, "set": 1, "add": 2}[rulings.options["leg_entry"]]
        values[L.H_DAMAGE_SUPPLY] = {"limited": 0, "recycled": 1, "unlimited": 2}[rulings.options["damage_supply"]]
        values[L.H_AUTO_MOVE] = -1 if rulings.auto_base is None else rulings.auto_base
        values[L.H_FREE_ENERGY_UNTIL] = _UNTIL[rulings.free_cost_until.get("energy")]
        values[L.H_FREE_HEALTH_UNTIL] = _UNTIL[rulings.free_cost_until.get("health")]
        values[L.H_DAMAGE_CARD] = self.kinds[rulings.damage_card]
        values[L.H_FORBIDDEN] = sum(bit for words, bit in FORBIDDABLE.items() if words in self._forbidden)

    # Cards and ops

    def _cards(self) -> None:
        cards = [self.rulings.cards[name] for name in self.ids[1:]]
        ops: list[int] = []
        first: list[int] = []
        for card in cards:
            first.append(len(ops) // L.OP_W)
            for effect in card.instant:
                when, unless = (_CONDITIONS[word] if word else 0 for word in (effect.when, effect.unless))
                ops.extend((*self._op(effect), when, unless))
        rows = [0] * L.CARD_W
        for card, op in zip(cards, first, strict=True):
            rows.extend(self._card(card, op))
        self._put(L.H_CARDS, rows)
        self._put(L.H_OPS, ops or [0])
        self.array[L.H_KINDS] = len(cards)
        for meal in THREE_MEALS:  # one that is not in the game has a bit that no food has
            field, bit = self.food_bit(meal) if meal in self.foods else (1, 1 << L.FOODS_BITS)
            self.array[L.H_MEALS + field] |= bit
        content = self.rulings.content  # no field of a row may overflow
        groups = [effect.args for card in content.cards.values() for effect in card.instant]
        groups += [args for card in content.cards.values() for args in card.passive.values()]
        groups += [args for leg in content.legs.values() for args in leg.passive.values()]
        numbers = [number for group in groups for number in group.values() if isinstance(number, int)]
        if max(map(abs, numbers), default=0) > L.MOST_NUMBER or len(self._tags) > L.MOST_TAGS:
            raise OverflowError("a number or the tags of the cards are too many for a row")

    def _op(self, effect: Effect) -> tuple[int, int, int, int]:
        """Return code and arguments of an op; an op that names others only does nothing."""
        args = effect.args
        if args.get("who", _OWN[0]) not in _OWN:
            return L.OP_NOTHING, 0, 0, 0
        if effect.op == "kill_dog" and args.get("required"):
            return L.OP_PRICE, 0, 0, 0
        if args.get("filter") == "has_attachment":
            return L.OP_KILL_ANY, 0, 1, 0
        code, a, b, c = (*OPS[effect.op], 0, 0, 0)[:4]
        return int(code), self._argument(args, a), self._argument(args, b), self._argument(args, c)

    def _argument(self, args: Mapping[str, Any], name: int | str) -> int:
        """Return an argument of an op as a number."""
        if isinstance(name, int):
            return name
        if name in ("tag", "filter"):
            if args[name] not in self._tags:
                self._tags.append(args[name])
            return 1 << self._tags.index(args[name])
        value = args.get(name, _DEFAULTS.get(name, 0))
        return _WORDS[value] if isinstance(value, str) else int(value)

    def _card(self, card: Card, op: int) -> list[int]:
        row = [0] * L.CARD_W
        row[L.C_ENERGY] = L.ALL if card.energy is None else card.energy
        row[L.C_HEALTH] = card.health
        row[L.C_RISK] = card.risk
        row[L.C_TYPE] = TYPES.index(card.type)
        row[L.C_FLAGS] = sum(flag for name, flag in _FLAGS.items() if name in card.passive)
        row[L.C_TAGS] = sum(1 << place for place, tag in enumerate(self._tags) if tag in card.tags)
        row[L.C_OP], row[L.C_OPS] = op, len(card.instant)
        row[L.C_SPEED_MULT] = row[L.C_COUNTS_AS] = row[L.C_ATTACH_SLOTS] = 1
        row[L.C_DAY_END_EMPTY_MOVE] = L.NO_MOVE
        _put_numbers(row, _CARD, card.passive)
        row[L.C_DIES_TO] = _ZONES[card.passive.get("dies_to", {}).get("zone", "destroyed")]
        row[L.C_ON_DEATH] = _DEATHS[card.passive["on_death"]["do"]] if "on_death" in card.passive else L.DEATH_NONE
        if card.type == "food":
            row[L.C_FOOD_FIELD], row[L.C_FOOD_BIT] = self.food_bit(card.id)
        row[L.C_FORBIDDEN] = int(Play(card.id).text in self._forbidden)
        return row

    # The track and the weather

    def _track(self) -> None:
        rulings, board = self.rulings, self.rulings.board
        last = max([rulings.spaces, *board.checkpoints, *rulings.special_spaces])
        track = rulings.track(self.start.legs)
        legs = sorted({leg.id for leg in track if leg is not None})
        rows = [number for name in ("", *legs) for number in self._leg(rulings.content.legs.get(name))]
        spaces = range(last + 1)
        at = [0 if leg is None else 1 + legs.index(leg.id) for leg in track]
        marks = ((board.cold, L.SPACE_COLD), (board.hungry, L.SPACE_HUNGRY), (board.damage, L.SPACE_DAMAGE))
        self.array[L.H_SPACES] = last
        self._put(L.H_LEGS, rows)
        self._put(L.H_TRACK, [*at, *[0] * (last + 1 - len(at))])
        self._put(L.H_MARKS, [sum(bit for where, bit in marks if space in where) for space in spaces])
        bits = {space: 1 << place for place, space in enumerate(self.checkpoints)}
        self._put(L.H_CHECKPOINTS, [bits.get(space, 0) for space in spaces])
        faces = [rulings.weathers[face] for face in rulings.faces]
        self.array[L.H_FACES] = len(faces)
        self._put(L.H_WEATHER, [0] * L.WEATHER_W + [int(getattr(face, name)) for face in faces for name in _WEATHER])

    def _leg(self, leg: Leg | None) -> list[int]:
        rulings, row = self.rulings, [0] * L.LEG_W
        effects: Mapping[str, Any] = leg.passive if leg else {}
        row[L.L_RISK_MULT], row[L.L_DAY_START_STARVE], row[L.L_CARD_MOVE] = 1, -1, -1
        _put_numbers(row, _LEG, {name.removeprefix("leg_"): args for name, args in effects.items()})
        row[L.L_FLAGS] = sum(flag for name, flag in _LEG_FLAGS.items() if f"leg_{name}" in effects)
        for place, kind in enumerate(CONDITIONS):
            printed = rulings.leg_number(leg, kind) if leg else None
            row[L.L_PRINTED + place] = -1 if printed is None else printed
            # What entering the leg counts with, -1 where it does nothing (R49, Q10, Q11).
            bare = leg is None or (not leg.numbers and rulings.options["leg_entry"] == "add")
            missing = -1 if bare or rulings.options["missing_number"] == "leave" else 0
            row[L.L_NUMBER + place] = missing if printed is None else printed
            row[L.L_PLUS + place] = rulings.leg_plus(leg, kind) if leg else 0
        return row

    # Chance

    def _chance(self) -> None:
        start, values = self.start, self.array
        values[L.H_DECKS] = len(start.upgrade)
        self._put_lists(L.H_UPGRADES, start.upgrade)
        values[L.H_N_LEGENDARY] = len(self.legendary)
        self._put(L.H_LEGENDARY, [self.kinds[card] for card in self.legendary] or [0])
        values[L.H_FIRST_ROLL] = start.counters.weather
        values[L.H_FIRST_SHUFFLE] = start.counters.deck[0]
        self._rolls(FIRST_EVENTS)
        self._shuffles(FIRST_EVENTS)
        orders = self.rulings.orders("deck", 0)[values[L.H_FIRST_SHUFFLE] :]
        values[L.H_N_ORDERS] = len(orders)
        self._put_lists(L.H_ORDERS, orders)

    def _rolls(self, events: int) -> None:
        """Put so many weather rolls into the table, or as many as have a result."""
        faces: list[int] = []
        rulings, first = self.rulings, self.array[L.H_FIRST_ROLL]
        if rulings.faces and rulings.weather_open:
            listed = len(rulings.chance.lists.get("weather", ())) - first
            known = events if rulings.chance.seed is not None else max(0, min(events, listed))
            faces = [self.faces.index(rolled(rulings, first + event)) for event in range(known)]
        if self.array[L.H_N_ROLLS] and len(faces) <= self.array[L.H_N_ROLLS]:
            raise LookupError("an open source has run out of listed results and there is no seed")
        self._put(L.H_ROLLS, faces or [0])
        self.array[L.H_N_ROLLS] = len(faces)

    def _shuffles(self, events: int) -> None:
        """Make the index of permutations so long, with what is filled in already."""
        values, wide = self.array, L.MOST_CARDS + 1
        old = values[L.H_N_SHUFFLES] * wide
        filled = values[values[L.H_PERMUTATIONS] : values[L.H_PERMUTATIONS] + old] if old else []
        self._put(L.H_PERMUTATIONS, [*filled, *[0] * (events * wide - old)])
        values[L.H_N_SHUFFLES] = events

    def _put_lists(self, part: int, lists: Iterable[Sequence[str]]) -> None:
        """Append lists of cards, and the part that says where each begins and how many they are."""
        places: list[int] = []
        for cards in lists:
            places += (len(self.array), len(cards))
            self.array.extend(self.kinds[card] for card in cards)
        self._put(part, places or [0])


def _put_numbers(row: list[int], fields: Mapping[str, int], effects: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the numbers of effects, as far as fields are named after them and their keys but ``n``."""
    for effect, args in effects.items():
        for key, value in args.items():
            field = fields.get(effect.replace(":", "_") + (f"_{key}" if key != "n" else ""))
            if field is not None:
                row[field] = int(value)
