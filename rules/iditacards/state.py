"""The table of an Iditacards game at a turn boundary, and its canonical form (R1, section 19).

What is declared here is also what a ``state`` in a file may say. A zone that is left out is empty.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple, TypeAlias

from rules.core.declared import SORTED, Default, LeftOut, Named, Size, built, plain
from rules.core.schema import Integer, Text
from rules.iditacards.content import FACES, NO_LEG

CardId: TypeAlias = Annotated[str, Named("card")]
Number: TypeAlias = Annotated[int, Integer()]
Count: TypeAlias = Annotated[int, Integer(), Default(0)]
Mark: TypeAlias = Annotated[bool, Default(False)]
Row: TypeAlias = Annotated[tuple[CardId, ...], Default(())]
"""Cards in an order that counts."""
Zone: TypeAlias = Annotated[tuple[CardId, ...], SORTED, Default(())]
"""Cards whose order says nothing."""
Numbers: TypeAlias = Annotated[tuple[Number, ...], LeftOut("as after the setup")]
Once: TypeAlias = Annotated[tuple[CardId, ...], SORTED, Size(unique=True), Default(())]
"""Different cards whose order says nothing."""
Free: TypeAlias = Annotated[str, Text(("no", "armed", "on")), Default("no")]


class Frame(NamedTuple):
    """A card on the risk stack (R28)."""

    card: Annotated[CardId, "the card that waits"]
    day: Annotated[int, Integer(), LeftOut("the state's day"), "the shared day when it was played"]
    n: Annotated[Count, "cards destroyed, where the second step needs the number"]
    need: Annotated[Number, "risk cards needed"]
    paid: Annotated[Count, "risk cards done"]
    step: Annotated[str, Text(("risk", "second")), Default("risk"), "what it waits for"]


class Dog(NamedTuple):
    """A dog in play with what it wears."""

    dog: Annotated[CardId, "the dog"]
    attachments: Annotated[Zone, "what it wears"]


class Player(NamedTuple):
    """One player's part of the table."""

    days: Annotated[Number, LeftOut("1, or 0 where new days alone count"), "days begun"]
    deck: Annotated[Row, "top first; a hidden deck has its known top cards in order, then the others ascending"]
    discard: Annotated[Zone, "the own discard pile"]
    dogs: Annotated[tuple[Dog, ...], SORTED, Default(()), "dogs in play with their attachments"]
    finished: Annotated[Mark, "whether the finish is reached"]
    foods: Annotated[
        tuple[CardId, ...], SORTED, Size(unique=True), Default(()), "different food cards that count as played this day"
    ]
    free_energy: Annotated[Free, "whether energy is free: armed for the next turn, or on"]
    free_health: Annotated[Free, "whether health is free: armed for the next turn, or on"]
    hand: Annotated[Zone, "cards in the hand"]
    hypothermia: Annotated[Count, "points of hypothermia"]
    immune: Annotated[Mark, "whether the player is immune"]
    known: Annotated[Count, "cards on top of a hidden deck that the owner knows (R73)"]
    legendary: Annotated[Zone, "legendary cards not yet chosen"]
    moved: Annotated[Mark, "whether the sled has moved today"]
    passed: Annotated[tuple[Number, ...], SORTED, Size(unique=True), Default(()), "checkpoints passed"]
    personal: Annotated[Count, "personal cards that count for today"]
    pos: Annotated[Count, "the space; 0 is before the start line, the others count without upper bound"]
    resolved: Annotated[Zone, "risk cards resolved while the first card of the stack waits (Q30)"]
    seen: Annotated[Zone, "cards set aside for a second step"]
    stack: Annotated[tuple[Frame, ...], Default(()), "cards that wait for their risk, bottom first"]
    starvation: Annotated[Count, "points of starvation"]
    turns: Annotated[Count, "own turns finished"]


class Counters(NamedTuple):
    """The number of the next event of each source, 0 for a hidden one (R72)."""

    deck: Annotated[Numbers, "by seat"]
    legendary: Annotated[Number, LeftOut("as after the setup"), "of the legendary deck"]
    legs: Annotated[Numbers, "by leg type"]
    upgrade: Annotated[Numbers, "by upgrade deck"]
    weather: Annotated[Number, LeftOut("as after the setup"), "of the die"]


class Table(NamedTuple):
    """The whole table at a turn boundary; equal tables are equal positions."""

    active: Annotated[Count, "the seat whose turn it is"]
    counters: Annotated[Counters, LeftOut("as after the setup"), "the number of the next chance event of each source"]
    damage_left: Annotated[int, LeftOut("those that lie nowhere else"), "damage cards still in their deck"]
    day: Annotated[Count, "new days called so far"]
    destroyed: Annotated[Zone, "cards out of the game"]
    final: Annotated[
        Annotated[tuple[Number, ...], SORTED, Size(unique=True)] | None,
        Default(None),
        "seats still owed a last turn; nothing before anybody has finished",
    ]
    freeze: Annotated[Mark, "whether a freeze is on"]
    legs: Annotated[tuple[Annotated[str, Named("leg")], ...], LeftOut("those of the setup"), "the leg of each section"]
    over: Annotated[Mark, "whether the game has ended"]
    players: Annotated[tuple[Player, ...], Size(1), LeftOut("as after the setup, without cards"), "one for each seat"]
    supply: Annotated[Zone, "cards of the shared supply"]
    upgrade: Annotated[
        tuple[tuple[CardId, ...], ...],
        LeftOut("the cards that lie nowhere else, where they are known in advance"),
        "one list for each upgrade deck, top first; ascending where hidden",
    ]
    weather: Annotated[str, Text((*FACES, NO_LEG)), Default(NO_LEG), "the face of the die, or none"]


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
    state: dict[str, Any] = plain(table)
    return state


def decode(state: Mapping[str, Any]) -> Table:
    """Return the table of a complete, valid ``state`` object; sorted zones may come in any order."""
    return built(Table, state)
