"""The table of a game of Abyss at a stage boundary, its canonical form (4, 17), and its piles during a stage."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.schema import HELD, SORTED, Boolean, Default, Either, Integer, LeftOut, Named, Size, Text, built, plain
from rules.core.scripts import UNKNOWN, in_order

PHASES: Final = ("prepare", "choose", "deal", "act", "event", "refill")
"""Steps of a round in which seats act, in order: B, C, E, F, G and I."""
OVER_PHASE: Final = "over"
CITY: Final = "city"
ABYSS: Final = "abyss"
ANY: Final = "any"
"""The location of cards that may be used at either."""

HeldId: TypeAlias = Annotated[str, Named("held")]
"""An Action card, which need not be known."""
DealtId: TypeAlias = Annotated[str, Named("dealt")]
"""An Event before a seat, which need not be known while it lies face down."""
Actions: TypeAlias = Annotated[tuple[Annotated[str, Named("action")], ...], Default(())]
Events: TypeAlias = Annotated[tuple[Annotated[str, Named("event")], ...], Default(())]
Location: TypeAlias = Annotated[str, Text((CITY, ABYSS)), Default(CITY)]
Number: TypeAlias = Annotated[int, Integer()]
Count: TypeAlias = Annotated[int, Integer(), Default(0)]
Marks: TypeAlias = Annotated[int, Either((Boolean(), Integer(2, 99))), Default(False)]
"""Whether a mark is there; where marks add up, or last several rounds, they are counted from 2 on."""


class Partner(NamedTuple):
    """A hired partner."""

    type: Annotated[str, Named("partner"), "type of partner"]
    hp: Annotated[int, Integer(1), LeftOut("full HP"), "HP left"]


class TeamPlan(NamedTuple):
    """What the temporary partners do as a team of their own (5.C)."""

    card: Annotated[HeldId | None, Default(None), "the card it uses; nothing once it is used"]
    location: Annotated[Location, "where it is"]


class Plan(NamedTuple):
    """What a seat laid aside for a round (5.C)."""

    card: Annotated[HeldId | None, Default(None), "the card of the main team; nothing where it uses none, or has"]
    location: Annotated[Location, "where the main team is"]
    temp: Annotated[TeamPlan | None, Default(None), "the team of the temporary partners, where there is one"]

    @property
    def cards(self) -> list[str]:
        """Return the cards not used yet, that of the main team first."""
        return [team.card for team in teams_of(self) if team.card is not None]


class Carried(NamedTuple):
    """Treasure that each member of the two teams carries, where each carries its own (AB-Q38)."""

    main: Annotated[Number, "by a member of the main team"]
    temp: Annotated[Number, "by a temporary partner"]


class Seat(NamedTuple):
    """One seat's part of the table."""

    ap: Annotated[int, LeftOut("as after the setup"), "action points"]
    boost: Annotated[Marks, "whether this round's trip is boosted; a number where explore marks add up (AB-Q24)"]
    carried: Annotated[Carried | None, LeftOut(), "treasure of each member, where it does not follow (AB-Q38)"]
    event: Annotated[DealtId | None, Default(None), "the dealt Event, from step E until it goes to the used pile"]
    event_up: Annotated[bool, Default(False), "whether it was turned up in step E"]
    explore_pending: Annotated[Marks, "whether a mark waits for the next trip; a number where they add up"]
    flashlight: Annotated[Marks, "whether there is one; the rounds it lasts where it ends by itself (AB-Q26)"]
    hand: Annotated[tuple[HeldId, ...], SORTED, HELD, LeftOut("as many as are dealt"), "Action cards in the hand"]
    identity: Annotated[str, Named("identity"), LeftOut("as after the setup"), "who the player is"]
    paid: Annotated[Count, "AP paid in step B of this round"]
    partners: Annotated[tuple[Partner, ...], Default(()), "hired partners, by type, then HP descending"]
    plan: Annotated[Plan | None, Default(None), "what was laid aside in step C"]
    rp: Annotated[int, LeftOut("as after the setup"), "reputation points"]
    temps: Annotated[Count, "temporary partners"]
    treasure: Annotated[Count, "treasure not yet cashed"]
    unseen: Annotated[bool, "whether all see no more of hand and plan than is written, though every card is"] = False

    @property
    def is_unseen(self) -> bool:
        """Return whether all see no more of the cards than is written."""
        return self.unseen or UNKNOWN in (*self.hand, *self.laid)

    @property
    def laid(self) -> list[str]:
        """Return the cards that are laid aside and not used yet."""
        return [] if self.plan is None else self.plan.cards


def teams_of(plan: Plan | None) -> list[Plan | TeamPlan]:
    """Return the main team of a plan and its temp team, as far as there are such (5.C)."""
    return [] if plan is None else [plan] if plan.temp is None else [plan, plan.temp]


def is_at(plan: Plan | None, location: str) -> bool:
    """Return whether a plan has a team at a location, or any location will do (1.5)."""
    return location == ANY or any(team.location == location for team in teams_of(plan))


class ActionPile(NamedTuple):
    """The Action pile; its front is empty only if the pile is (9.1)."""

    front: Annotated[Actions, "drawn first, top first; ascending where hidden, and among these unknown cards of hands"]
    back: Annotated[Actions, "drawn after it"]


class EventPile(NamedTuple):
    """The Event pile, likewise."""

    front: Annotated[Events, "drawn first, top first; ascending where hidden, and among these unknown Events of seats"]
    back: Annotated[Events, "drawn after it"]


class Counters(NamedTuple):
    """The number of the next reshuffle of each pile, 0 for a hidden source."""

    actions: Annotated[Number, LeftOut("as after the setup"), "of the Action pile"]
    events: Annotated[Number, LeftOut("as after the setup"), "of the Event pile"]


class Table(NamedTuple):
    """The whole table at a stage boundary; equal tables are equal positions. Seats count from 1 in files, from 0 here.

    When the game is over, ``seat`` is the one whose step ended it.
    """

    action_pile: Annotated[ActionPile, LeftOut("the rest of the box"), "the Action pile"]
    action_used: Annotated[Actions, "used Action cards, first used first"]
    counters: Annotated[Counters, LeftOut("as after the setup"), "number of the next reshuffle of each pile"]
    event_pile: Annotated[EventPile, LeftOut("the rest of the box"), "the Event pile"]
    event_used: Annotated[Events, "used Events, first used first"]
    phase: Annotated[str, Text((*PHASES, OVER_PHASE)), Default(PHASES[0]), "the step under way"]
    round: Annotated[int, Integer(1), Default(1), "the round"]
    seat: Annotated[int, Integer(1), LeftOut("who begins"), "the acting seat, from 1"]
    seats: Annotated[tuple[Seat, ...], Size(1), LeftOut("as after the setup"), "one for each seat"]
    winner: Annotated[Annotated[int, Integer(1)] | None, Default(None), "the winning seat, or nothing"]


_MARKS: Final = ("boost", "explore_pending", "flashlight")


def encode(table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object (17)."""
    seats = [encode_seat(seat) for seat in table.seats]
    winner = None if table.winner is None else table.winner + 1
    return {**plain(table._replace(seats=())), "seat": table.seat + 1, "seats": seats, "winner": winner}


def encode_seat(seat: Seat) -> dict[str, Any]:
    """Return the canonical object of a seat."""
    fields = {name: value for name, value in plain(seat).items() if value or name not in ("carried", "unseen")}
    # Only where marks add up or last a number of rounds can there be more than one.
    marks = {name: bool(fields[name]) if fields[name] < 2 else fields[name] for name in _MARKS}
    return {**fields, "hand": in_order(seat.hand), **marks}


def decode(state: Mapping[str, Any]) -> Table:
    """Return the table of a complete canonical ``state`` object."""
    seats = [_with_numbers(seat) for seat in state["seats"]]
    winner = None if state["winner"] is None else state["winner"] - 1
    return built(Table, {**state, "seat": state["seat"] - 1, "seats": seats, "winner": winner})


def decode_seat(seat: Mapping[str, Any]) -> Seat:
    """Return a seat of its canonical object, in which plan, event and marks may be left out."""
    return built(Seat, _with_numbers(seat))


def _with_numbers(seat: Mapping[str, Any]) -> dict[str, Any]:
    return {"carried": None, **seat, **{name: int(seat[name]) for name in _MARKS}}


def ways_to_lie(cards: Sequence[str], refused: Sequence[frozenset[str]]) -> int:
    """Return in how many ways some of the cards can lie at places, each of which refuses some kinds.

    Places that refuse nothing take any cards that are left, and are not counted.
    """
    limited = [kinds for kinds in refused if kinds]
    alike = Counter(tuple(card in kinds for kinds in limited) for card in cards)

    def arrangements(place: int) -> int:
        if place == len(limited):
            return 1
        found = 0
        for signs in [signs for signs, number in alike.items() if number and not signs[place]]:
            alike[signs] -= 1
            found += (alike[signs] + 1) * arrangements(place + 1)
            alike[signs] += 1
        return found

    return arrangements(0) if len(refused) <= len(cards) else 0


class Deal:
    """A pile while the stage runs, with the cards used."""

    def __init__(self, source: str, zones: Sequence[tuple[str, ...]], unknown: int, *, is_open: bool) -> None:
        """``unknown`` cards of the front are not in the pile, but in hands, or Events that lie face down."""
        self.source, self.unknown, self.is_open = source, unknown, is_open
        self.front, self.back, self.used = zones
        self.refused: Callable[[], list[frozenset[str]]] = list
        """Returns for each card of it that lies face down on the table what it cannot be."""

    def discard(self, cards: Iterable[str]) -> None:
        """Put cards on the used pile."""
        self.used = (*self.used, *cards)

    def __len__(self) -> int:
        """Return the number of cards to draw before a reshuffle."""
        return len(self.front) + len(self.back) - self.unknown

    def turn_up(self, card: str) -> None:
        """Take a card out of the front that was unknown where it lay."""
        self.unknown -= 1
        self.leave(card)

    def leave(self, card: str) -> None:
        """Take a card out of the front, wherever it lies there."""
        place = self.front.index(card)
        self.front = self.front[:place] + self.front[place + 1 :]

    def arrangements(
        self, cards: Iterable[str], shown: frozenset[str] | None = None, laid: Sequence[frozenset[str]] = ()
    ) -> int:
        """Return in how many ways others may lie face down once some cards of the front have come to light.

        Where one of these lay face down itself, ``shown`` is what its place refused. ``laid`` is what further places
        refuse, beside those of the table.
        """
        refused = self.refused()
        if not any((*refused, *laid)) or not ways_to_lie(self.front, refused):
            return 1  # a table that names too many is played on
        if shown in refused:
            refused.remove(shown)
        return ways_to_lie([*(Counter(self.front) - Counter(cards)).elements()], [*refused, *laid])

    def settle(self) -> None:
        """Let the back move up where the front is empty (9.1), among the cards that are unknown elsewhere."""
        if len(self.front) == self.unknown:
            self.front, self.back = tuple(sorted((*self.front, *self.back))) if self.unknown else self.back, ()
