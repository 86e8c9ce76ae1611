"""Moves with cards (R14, R75), what a turn looks up, and the working copy of a table, with the chance it draws on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod
from typing import Any, Final, NamedTuple, TypeAlias

from rules.core.scripts import (
    UNKNOWN,
    CardMove,
    Chance,
    ChanceOutcome,
    Narrated,
    Script,
    Word,
    kinds,
    known,
    priority_order,
    take,
)
from rules.iditacards.content import NO_LEG, NOWHERE, Content, Leg
from rules.iditacards.state import Frame, Player, Table, in_play


def _paying(head: str, energy: tuple[str, ...] | None) -> str:
    return f"{head} pay {' '.join(energy)}" if energy else head


class _Paying:
    """A move that names the hand cards that pay energy (R22)."""

    __slots__ = ()
    energy: tuple[str, ...] | None

    @property
    def spends(self) -> tuple[str, ...]:
        """The hand cards that pay."""
        return self.energy or ()


@dataclass(frozen=True, slots=True)
class Play(_Paying):
    """Main action: play a card from the hand, with the hand cards that pay its energy (R20, R22)."""

    card: str
    energy: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """``play husky pay armour breakfast``."""
        return _paying(f"play {self.card}", self.energy)

    @property
    def uses(self) -> tuple[str, ...]:
        """The hand card that is played."""
        return (self.card,)


@dataclass(frozen=True, slots=True)
class Continue(_Paying):
    """Main action: play the next risk card; the payment is named now if the card is known (R33)."""

    energy: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """``continue pay first_aid good_dog``."""
        return _paying("continue", self.energy)


@dataclass(frozen=True, slots=True)
class Pay(_Paying):
    """The energy payment of a risk card that was hidden until it was turned up (R22)."""

    energy: tuple[str, ...]

    @property
    def text(self) -> str:
        """``pay first_aid good_dog``."""
        return f"pay {' '.join(self.energy)}"


SECOND = Word("second")
NEW_DAY = Word("new_day")
PASS = Word("pass")
JOIN = Word("join")
STAY = Word("stay")
DONE = Word("done")
SKIP_SECOND = Word("skip_second")
DISCARD_NEW = Word("discard_new")


Put: TypeAlias = CardMove
"""What is done with one card: ``destroy``, ``discard``, ``keep`` (hand), ``return`` (deck), ``recover`` (hand),
``restore`` (deck), ``take`` (gain an upgrade) or ``legendary`` (R66). Or which upgrade deck (``from``, Q48) or other
player (``target``, a seat) is chosen."""


EVENTS: Final = {"deck": 1, "weather": 2, "legs": 3, "legendary": 4, "upgrade": 5}
"""Numbers of the kinds of chance events, by source (R72)."""

_AUTO_BASE: Final[dict[str, int | None]] = {"none": None, "speed": 0, "one_plus_speed": 1}


class Rulings:
    """Everything about a ruleset and its open chance that a turn looks up; only a cache ever changes."""

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content, self.players, self.chance = content, players, chance
        self.cards, self.rules, self.weathers = content.cards, content.rules, content.weather
        self.options: Mapping[str, Any] = content.options
        self.board = content.boards[str(self.options["board_layout"])]
        self.spaces = max(section.last for section in self.board.sections)
        self._tracks: dict[tuple[str, ...], tuple[Leg | None, ...]] = {}
        self.special_spaces = self.board.cold | self.board.hungry | self.board.damage

        self.upgrade_decks = content.upgrade_decks()
        self.deck_open = chance.is_open("deck")
        self.upgrade_open = chance.is_open("upgrade")
        self.weather_open = chance.is_open("weather")
        self.legendary_open = chance.is_open("legendary")
        self.faces = tuple(content.weather)

        self.damage_deck = next(deck for deck in content.decks.values() if deck.role == "damage")
        self.damage_card = next(card.id for card in self.cards.values() if card.deck == self.damage_deck.id)
        self.damage_ids = frozenset(card.id for card in self.cards.values() if card.type == "damage")
        self.free_cost_until: Mapping[str, str] = {
            effect.args["cost"]: effect.args["until"]
            for card in self.cards.values()
            for effect in card.instant
            if effect.op == "free_cost"
        }
        self.numbers: dict[str, dict[str, int]] = defaultdict(dict)
        """By passive op: its number on each card that has it, 1 where it has none."""
        for card in self.cards.values():
            for op, args in card.passive.items():
                self.numbers[op][card.id] = args.get("n", 1)

        option = self.options
        self.finish_at = int(option["finish_at"])
        self.win_at_once = option["last_turns"] == "none"
        self.sacrifice_any_time = option["sacrifice_timing"] == "any_time"
        self.others_scope = option["immunity_scope"] == "weather_others_damage"
        self.utility_scope = option["immunity_scope"] == "utility_only"
        self.no_starve_effect = option["cannot_starve"] == "no_effect"
        self.count_everything = option["counts_as_scope"] == "everything"
        self.final_distance = option["leg_card_move"] == "final_distance"
        self.parent_now = option["second_step_in_risk"] == "parent_now"
        self.every_leg = option["entry_through"] == "every_leg"
        self.auto_base = _AUTO_BASE[str(option["auto_move"])]
        """Spaces of the automatic move at speed 0; nothing where there is no such move (R47)."""

    def orders(self, source: str, owner: int) -> Sequence[Sequence[str]]:
        """Return the listed orders of one owner of a source, from the first event on (R74)."""
        lists = self.chance.lists.get(source)
        return lists[owner] if lists else ()

    def track(self, legs: tuple[str, ...]) -> tuple[Leg | None, ...]:
        """Return the leg of each space from 0 to the end of the track, or nothing where there is none."""
        if legs not in self._tracks:
            track: list[Leg | None] = [None] * (self.spaces + 1)
            for section, leg in zip(self.board.sections, legs, strict=True):
                here = None if leg == NO_LEG else self.content.legs[leg]
                track[section.first : section.last + 1] = [here] * (section.last + 1 - section.first)
            self._tracks[legs] = tuple(track)
        return self._tracks[legs]

    def leg_number(self, leg: Leg, kind: str) -> int | None:
        """Return the number of a condition that counts on this board's leg (Q76, Q77); none if not printed."""
        number: int | None = getattr(leg, kind)
        raised = number is not None and self.board.solo and self.options["solo_plus"] != "add_after"
        return (number or 0) + leg.pluses.get(kind, 0) if raised else number

    def leg_plus(self, leg: Leg, kind: str) -> int:
        """Return the points added after the number is set, on a solitaire board with Q77 ``add_after``."""
        return leg.pluses.get(kind, 0) if self.board.solo and self.options["solo_plus"] == "add_after" else 0

    def goes_back(self, ops: Container[str]) -> bool:
        """Return whether the sled can ever move back with these ops (Q3, R46, R47, R49)."""
        backward = self.options["negative_distance"] == "backward" or self.rules.auto_move_by_condition
        return backward or self.rules.death_at is not None or "move_back" in ops


class Offer(NamedTuple):
    """What a card brings at most when it takes effect."""

    moves: tuple[tuple[int, int], ...]
    """Distance and factor of each of its moves."""
    is_dog: bool
    speed: int
    others: int
    """Speed for each other dog."""
    factor: int
    """What it multiplies the speed by."""
    risk: int
    eases: int
    """Risk cards that it makes unnecessary while it is in play."""
    idle: int
    """Distance of the move when a day ends with neither hand nor deck; -1 where there is none."""


@lru_cache(maxsize=4096)
def offer_of(rulings: Rulings, name: str) -> Offer:
    """Return what a card brings at most."""
    card = rulings.cards[name]
    moves = [effect.args for effect in card.instant if effect.op == "move"]
    return Offer(
        moves=tuple((args["n"], args.get("times", 1) * (2 if args.get("double") else 1)) for args in moves),
        is_dog=card.type == "dog",
        speed=max(0, card.number("speed")),
        others=max(0, card.number("speed_other_dogs")),
        factor=max(1, card.number("speed_mult", 1)),
        risk=card.risk,
        eases=max(0, -card.number("cost_mod:risk")),
        idle=card.number("day_end_empty_move", -1),
    )


class Stop(Exception):
    """A damage card was discarded by an effect: the main action ends here (R57)."""


class GameOver(Exception):
    """The first player has finished and the race ends on the spot (R68)."""


@dataclass(slots=True, eq=False)
class OpenFrame:
    """A frame of the risk stack while the turn runs (R28)."""

    card: str
    day: int
    n: int = 0
    need: int = 0
    paid: int = 0
    step: str = "risk"
    acts: bool = False
    """Its second step is under way."""
    placed: bool = False
    """The card is already where R38 sends it: in play or in the discard pile."""
    destroyed: bool = False
    """``destroy_self`` has happened."""


class Seat:
    """One player's zones and counters while the turn runs; see ``state.Player`` for each field."""

    def __init__(self, index: int, player: Player) -> None:
        self.index = index
        self.days, deck, discard, dogs, self.finished, self.foods, self.free_energy, self.free_health = player[:8]
        hand, self.hypothermia, self.immune, self.known, legendary, self.moved, self.passed, self.personal = player[
            8:16
        ]
        self.pos, resolved, seen, stack, self.starvation, self.turns, unseen = player[16:]
        self.deck, self.discard, self.dogs, self.hand = list(deck), list(discard), list(dogs), list(hand)
        self.legendary, self.resolved, self.seen = list(legendary), list(resolved), list(seen)
        self.stack = [OpenFrame(*frame) for frame in stack]
        self.unseen = unseen or UNKNOWN in hand
        """Nobody here sees what this player draws."""

    @property
    def in_deck(self) -> int:
        """The number of cards in the deck; the list holds the unknown ones of the hand as well."""
        return len(self.deck) - self.hand.count(UNKNOWN) if self.unseen else len(self.deck)

    def kinds(self) -> list[str]:
        """Return the different cards that may be in the hand, ascending."""
        return kinds(self.hand, self.deck[self.known :]) if self.unseen else sorted(set(self.hand))

    def take(self, card: str) -> None:
        """Take a card out of the hand, where it may have been unknown."""
        if self.unseen and card not in self.hand:
            pool = self.deck[self.known :]
            take(self.hand, pool, card)
            self.deck[self.known :] = pool
        else:
            self.hand.remove(card)

    def frozen(self, deck_open: bool) -> Player:
        """Return the player as the table knows it."""
        now = vars(self)
        fields = {name: now[name] for name in Player._fields}
        for name in ("discard", "dogs", "hand", "legendary", "resolved", "seen"):
            fields[name] = tuple(sorted(fields[name]))
        fields["deck"] = tuple(self.deck if deck_open else self.deck[: self.known] + sorted(self.deck[self.known :]))
        fields["unseen"] = self.unseen and UNKNOWN not in self.hand
        fields["stack"] = tuple(Frame(f.card, f.day, f.n, f.need, f.paid, f.step) for f in self.stack)
        return Player(**fields)


_SHARED: Final = frozenset(Table._fields)


class Turn(Narrated):
    """One run of a turn: the table in the making, the script that answers, the log that is told."""

    def __init__(self, rulings: Rulings, table: Table, script: Script) -> None:
        super().__init__(script)
        self.rulings, self.table = rulings, table
        self.active, self.counters, self.damage_left, self.day, destroyed, self.final, self.freeze, self.legs = table[
            :8
        ]
        self.over, players, supply, upgrade, self.weather = table[8:]
        self.destroyed, self.supply, self.upgrade = list(destroyed), list(supply), list(upgrade)
        self.seats = [Seat(index, player) for index, player in enumerate(players)]
        self.track = rulings.track(self.legs)
        self.moving = 0
        """Moves under way; a death waits until they have ended (R49)."""
        self.stopped = False
        """A payment failed or a damage card ended the main action (R15)."""

    def frozen(self) -> Table:
        """Return the table after the turn."""
        fields = {name: value for name, value in vars(self).items() if name in _SHARED}
        fields["players"] = tuple(seat.frozen(self.rulings.deck_open) for seat in self.seats)
        for name in ("destroyed", "supply"):
            fields[name] = tuple(sorted(fields[name]))
        fields["upgrade"] = tuple(self.upgrade)
        return Table(**fields)

    # Words

    def seats_from(self, seat: Seat) -> list[Seat]:
        """Return all seats in seat order from ``seat``."""
        return self.seats[seat.index :] + self.seats[: seat.index]

    def numbers(self, seat: Seat, op: str) -> Sequence[int]:
        """Return the numbers of a passive op on the cards that a player has in play; 1 for one without a number."""
        numbers = self.rulings.numbers[op]
        return [numbers[card] for card in in_play(seat.dogs) if card in numbers] if numbers and seat.dogs else ()

    def leg(self, seat: Seat) -> Leg:
        """Return the leg the player stands on."""
        track, pos = self.track, seat.pos  # asked so often that a call less counts
        return (track[pos] if pos < len(track) else None) or NOWHERE

    def leg_at(self, pos: int) -> Leg:
        """Return the leg of a space; there is none beyond the track."""
        return (self.track[pos] if pos < len(self.track) else None) or NOWHERE

    # Chance

    def deal(self, seat: Seat, purpose: str) -> str:
        """Take and return the top card of a deck that is not empty; a hidden one branches over what it may be."""
        return self.deal_many(seat, 1, purpose)[0]

    def deal_many(self, seat: Seat, n: int, purpose: str, to: list[str] | None = None) -> list[str]:
        """Take and return up to n cards together, so that their order does not matter.

        ``to``, such as the hand, gets each of them as it comes up, so that the table is right in between as well.
        """
        to = [] if to is None else to
        had = len(to)
        n = min(n, seat.in_deck)
        known = n if self.rulings.deck_open else min(n, seat.known)
        to.extend(seat.deck[:known])
        seat.deck = seat.deck[known:]
        seat.known = max(0, seat.known - known)
        if seat.unseen and to is seat.hand:
            to.extend([UNKNOWN] * (n - known))
        elif n > known:
            self.reveal_many("deck", seat.deck, n - known, to, purpose)
        return to[had:]

    def reveal(self, seat: Seat) -> None:
        """Turn up the unknown cards of a hand, any of those in the part of the deck that nobody has placed."""
        if unknown := seat.hand.count(UNKNOWN):
            seat.hand, pool = known(seat.hand), seat.deck[seat.known :]
            self.reveal_many("deck", pool, unknown, seat.hand, "of the hand")
            seat.deck[seat.known :] = pool

    def reveal_many(self, source: str, cards: list[str], n: int, to: list[str], purpose: str) -> None:
        """Take n hidden cards out of ``cards``.

        All orders of the same cards are equally likely, so a script that merges orders sees the ascending one and
        counts the others. Cards that had come before it began have come in one order only.
        """
        script, had = self.script, len(to)
        merged: list[str] = []

        def ascending() -> list[ChanceOutcome]:
            counts, missing, least = Counter(cards), n - len(to) + had, merged[-1] if merged else ""
            kinds = [kind for kind in sorted(counts) if kind >= least]
            if missing > 1:  # enough others have to follow
                kinds = [kind for kind in kinds if sum(card >= kind for card in cards) >= missing]
            return [ChanceOutcome(source, kind, counts[kind], len(cards)) for kind in kinds]

        for place in range(1, n + 1):
            script.purpose = f"card {place} of {n} {purpose}" if n > 1 else purpose
            if script.merges_orders:
                card = script.chance(ascending).result
                merged.append(card)
            else:
                card = script.one_of(source, cards)
            cards.remove(card)
            to.append(card)
        if merged:
            script.orders *= factorial(len(merged)) // prod(factorial(merged.count(card)) for card in set(merged))

    def shuffle(self, seat: Seat, cards: Sequence[str]) -> None:
        """Make ``cards`` the shuffled deck of a player: the next event of this deck (R72, R74)."""
        seat.known = 0
        seat.deck = self._shuffled("deck", seat.index, cards) if self.rulings.deck_open else sorted(cards)

    def _shuffled(self, source: str, owner: int, cards: Sequence[str]) -> list[str]:
        events: list[int] = list(getattr(self.counters, source))
        event, events[owner] = events[owner], events[owner] + 1
        changed: dict[str, Any] = {source: tuple(events)}
        self.counters = self.counters._replace(**changed)
        return shuffled(self.rulings, source, owner, event, cards)

    def refresh_upgrade(self, index: int) -> None:
        """Shuffle the destroyed cards of an upgrade deck into it; where there are none nothing happens (Q47)."""
        name, is_open = self.rulings.upgrade_decks[index], self.rulings.upgrade_open
        back = [card for card in self.destroyed if self.rulings.cards[card].deck == name]
        for card in back:
            self.destroyed.remove(card)
        if back:
            self.upgrade[index] = tuple(self._shuffled("upgrade", index, back) if is_open else sorted(back))

    def roll(self) -> str:
        """Return the face of the next weather roll (R62)."""
        rulings = self.rulings
        if not rulings.weather_open:
            outcomes = [ChanceOutcome("weather", face, 1, len(rulings.faces)) for face in rulings.faces]
            self.script.purpose = "the weather"
            return self.script.chance(lambda: outcomes).result
        event = self.counters.weather
        self.counters = self.counters._replace(weather=event + 1)
        return rolled(rulings, event)


def rolled(rulings: Rulings, event: int) -> str:
    """Return the face of one roll of an open die, from its list or from the seed (R74)."""
    listed, faces = rulings.chance.lists.get("weather", ()), rulings.faces
    if event < len(listed):
        return str(listed[event])
    return faces[rulings.chance.stream(EVENTS["weather"], 0, event).below(len(faces))]


def shuffled(rulings: Rulings, source: str, owner: int, event: int, cards: Sequence[str]) -> list[str]:
    """Return the result of one open shuffle, from its list or from the seed (R74)."""
    orders = rulings.orders(source, owner)
    if event < len(orders):
        return priority_order(orders[event], cards)
    return rulings.chance.stream(EVENTS[source], owner, event).shuffle(cards)
