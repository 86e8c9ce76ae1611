"""The table of an Iditacards game at a turn boundary, and its canonical form (R1, section 19)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Frame(NamedTuple):
    """A card on the risk stack (R28)."""

    card: str
    day: int
    """The shared ``day`` when the card was played."""
    n: int
    """Number destroyed, when the second step it waits for needs it; otherwise 0."""
    need: int
    """Risk cards needed."""
    paid: int
    """Risk cards done."""
    step: str
    """``risk`` or ``second``."""


class Dog(NamedTuple):
    """A dog in play with what it wears."""

    dog: str
    attachments: tuple[str, ...]
    """Sorted."""


class Player(NamedTuple):
    """One player's part of the table; zones called sorted are multisets."""

    days: int
    deck: tuple[str, ...]
    """Top first; a hidden deck has its ``known`` top cards in order, then the others ascending."""
    discard: tuple[str, ...]
    """Sorted."""
    dogs: tuple[Dog, ...]
    """Sorted."""
    finished: bool
    foods: tuple[str, ...]
    """Sorted; different food cards counted as played this day."""
    free_energy: str
    """``no``, ``armed`` or ``on``; likewise ``free_health``."""
    free_health: str
    hand: tuple[str, ...]
    """Sorted."""
    hypothermia: int
    immune: bool
    known: int
    """Cards on top of a hidden deck that the owner knows (R73)."""
    legendary: tuple[str, ...]
    """Sorted."""
    moved: bool
    passed: tuple[int, ...]
    """Checkpoints passed, ascending."""
    personal: int
    pos: int
    """0 before the start line, then 1, 2, … without upper bound."""
    resolved: tuple[str, ...]
    """Sorted; risk cards resolved while the root frame waits (Q30)."""
    seen: tuple[str, ...]
    """Sorted."""
    stack: tuple[Frame, ...]
    """Bottom first."""
    starvation: int
    turns: int


class Counters(NamedTuple):
    """The number of the next event of each source, 0 for a hidden one (R72)."""

    deck: tuple[int, ...]
    """By seat."""
    legendary: int
    legs: tuple[int, ...]
    """By leg type."""
    upgrade: tuple[int, ...]
    """By upgrade deck."""
    weather: int


class Table(NamedTuple):
    """The whole table at a turn boundary; equal tables are equal positions."""

    active: int
    counters: Counters
    damage_left: int
    day: int
    destroyed: tuple[str, ...]
    """Sorted."""
    final: tuple[int, ...] | None
    """Seats still owed a last turn, or nothing before anybody has finished."""
    freeze: bool
    legs: tuple[str, ...]
    """Leg id of each section of the board."""
    over: bool
    players: tuple[Player, ...]
    supply: tuple[str, ...]
    """Sorted."""
    upgrade: tuple[tuple[str, ...], ...]
    """One deck each, top first; ascending where hidden."""
    weather: str


def in_play(dogs: Iterable[Dog]) -> list[str]:
    """Return the dogs and attachments, dog by dog."""
    return [card for dog in dogs for card in (dog.dog, *dog.attachments)]


def held(player: Player) -> list[str]:
    """Return a player's cards but those discarded, resolved or out of the game."""
    waiting = [frame.card for frame in player.stack]
    return [*player.hand, *player.deck, *player.legendary, *player.seen, *waiting, *in_play(player.dogs)]


def shuffled_in(player: Player) -> list[str]:
    """Return the cards that a new day puts together into the deck (R61), but for those that die as the old one ends."""
    waiting = [frame.card for frame in player.stack]
    return [*player.hand, *player.deck, *player.discard, *player.resolved, *player.seen, *waiting]


def encode(table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object of section 19."""
    fields: dict[str, Any] = _plain(table)
    return fields


def _plain(value: Any) -> Any:
    """Return named tuples as objects by the alphabet, and other tuples as lists."""
    if not isinstance(value, tuple):
        return value
    if hasattr(value, "_asdict"):
        return {name: _plain(inner) for name, inner in sorted(value._asdict().items())}
    return [_plain(inner) for inner in value]


def decode(state: Mapping[str, Any]) -> Table:
    """Return the table of a complete, valid ``state`` object; sorted zones may come in any order."""
    counters: dict[str, Any] = {
        name: each if isinstance(each, int) else tuple(each) for name, each in state["counters"].items()
    }
    return Table(
        **{
            **state,
            "counters": Counters(**counters),
            "destroyed": tuple(sorted(state["destroyed"])),
            "final": None if state["final"] is None else tuple(sorted(state["final"])),
            "legs": tuple(state["legs"]),
            "players": tuple(_decode_player(player) for player in state["players"]),
            "supply": tuple(sorted(state["supply"])),
            "upgrade": tuple(tuple(deck) for deck in state["upgrade"]),
        }
    )


def _decode_player(player: Mapping[str, Any]) -> Player:
    fields = dict(player)
    for name in ("discard", "foods", "hand", "legendary", "passed", "resolved", "seen"):
        fields[name] = tuple(sorted(fields[name]))
    fields["deck"] = tuple(fields["deck"])
    fields["dogs"] = tuple(sorted(Dog(dog["dog"], tuple(sorted(dog["attachments"]))) for dog in fields["dogs"]))
    fields["stack"] = tuple(Frame(**frame) for frame in fields["stack"])
    return Player(**fields)
