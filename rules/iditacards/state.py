"""The table of an Iditacards game at a turn boundary (R1, section 19), the moves (R14, R75), what a seat knows (R73).

What is declared here is also what a ``state`` in a file may say. A move's text is lower case words; a dog is written
with what it wears, as in ``husky+a_hat``.

A card that is ``?`` in a hand is any of those in the part of the deck that nobody has placed, which holds it as well.
The cards that another player holds unseen are known together and not apart: hand, cards looked at, and the part of the
deck that nobody has placed. So are the legendary cards of the others, together with those that were dealt to nobody.
Where decks are open their cards are known one by one, and so are the hands they gave.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeAlias

from rules.core.chance import UNKNOWN, SplitMix64, in_order, known
from rules.core.declared import HELD, SORTED, Default, LeftOut, Named, Size, built, plain
from rules.core.schema import Integer, Text
from rules.core.scripts import CardMove, Word
from rules.iditacards.content import FACES, NO_LEG

CardId: TypeAlias = Annotated[str, Named("card")]
Number: TypeAlias = Annotated[int, Integer()]
Count: TypeAlias = Annotated[int, Integer(), Default(0)]
Mark: TypeAlias = Annotated[bool, Default(False)]
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
    deck: Annotated[
        tuple[CardId, ...],
        LeftOut("the player's starter cards that lie nowhere in sight"),
        "top first; a hidden deck has its known top cards in order, then the others ascending, "
        "and among these the unknown cards of the hand",
    ]
    discard: Annotated[Zone, "the own discard pile"]
    dogs: Annotated[tuple[Dog, ...], SORTED, LeftOut("those of the setup"), "dogs in play with their attachments"]
    finished: Annotated[Mark, "whether the finish is reached"]
    foods: Annotated[
        tuple[CardId, ...], SORTED, Size(unique=True), Default(()), "different food cards that count as played this day"
    ]
    free_energy: Annotated[Free, "whether energy is free: armed for the next turn, or on"]
    free_health: Annotated[Free, "whether health is free: armed for the next turn, or on"]
    hand: Annotated[
        tuple[Annotated[str, Named("held")], ...], SORTED, HELD, LeftOut("as many as are dealt"), "cards in the hand"
    ]
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
    unseen: Annotated[bool, "whether all see no more of the hand than is written, though every card of it is"] = False


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
    players: Annotated[tuple[Player, ...], Size(1), LeftOut("as after the setup"), "one for each seat"]
    supply: Annotated[Zone, "cards of the shared supply"]
    upgrade: Annotated[
        tuple[tuple[CardId, ...], ...],
        LeftOut("the cards that lie nowhere else"),
        "one list for each upgrade deck, top first; ascending where hidden",
    ]
    weather: Annotated[str, Text((*FACES, NO_LEG)), Default(NO_LEG), "the face of the die, or none"]


def in_play(dogs: Iterable[Dog]) -> list[str]:
    """Return the dogs and attachments, dog by dog."""
    return [card for dog in dogs for card in (dog.dog, *dog.attachments)]


def owned_cards(player: Player) -> list[str]:
    """Return a player's cards but those discarded, resolved or out of the game."""
    waiting = [frame.card for frame in player.stack]
    return [*player.hand, *player.deck, *player.legendary, *player.seen, *waiting, *in_play(player.dogs)]


def encode(table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object of section 19."""
    state: dict[str, Any] = plain(table)
    for player in state["players"]:
        player["hand"] = in_order(player["hand"])
        if not player["unseen"]:
            del player["unseen"]
    return state


def decode(state: Mapping[str, Any]) -> Table:
    """Return the table of a complete, valid ``state`` object; sorted zones may come in any order."""
    return built(Table, state)


def dog_text(dog: Dog) -> str:
    """Return the notation of a dog in play."""
    return "+".join((dog.dog, *dog.attachments))


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


@dataclass(frozen=True, slots=True)
class Sacrifice:
    """Free action: kill one own dog (R13)."""

    dog: Dog

    @property
    def text(self) -> str:
        """``sacrifice husky+a_hat``."""
        return f"sacrifice {dog_text(self.dog)}"


@dataclass(frozen=True, slots=True)
class Remove:
    """Free action: discard one own attachment (R13, R55)."""

    attachment: str
    dog: Dog

    @property
    def text(self) -> str:
        """``remove a_hat from husky+a_hat``."""
        return f"remove {self.attachment} from {dog_text(self.dog)}"


FreeAction: TypeAlias = Sacrifice | Remove
"""Free actions (R13)."""


@dataclass(frozen=True, slots=True)
class Kill:
    """The dog to kill, asked by a card, a leg or the dog limit (R50, R52)."""

    dog: Dog
    owner: int | None = None
    """Seat of the owner where dogs of several players are offered."""

    @property
    def text(self) -> str:
        """``kill husky`` or ``kill 1:husky``."""
        owner = "" if self.owner is None else f"{self.owner}:"
        return f"kill {owner}{dog_text(self.dog)}"


@dataclass(frozen=True, slots=True)
class Attach:
    """The dog that gets a new attachment, and the one it loses for it (R54)."""

    dog: Dog
    replacing: str | None = None
    owner: int | None = None
    """Seat of the dog's owner where it may be another player's (Q43)."""

    @property
    def text(self) -> str:
        """``attach to husky`` or ``attach to husky+a_hat replacing a_hat``."""
        owner = "" if self.owner is None else f"{self.owner}:"
        text = f"attach to {owner}{dog_text(self.dog)}"
        return f"{text} replacing {self.replacing}" if self.replacing else text


Put: TypeAlias = CardMove
"""What is done with one card: ``destroy``, ``discard``, ``keep`` (hand), ``return`` (deck), ``recover`` (hand),
``restore`` (deck), ``take`` (gain an upgrade) or ``legendary`` (R66). Or which upgrade deck (``from``, Q48) or other
player (``target``, a seat) is chosen."""


def covered(player: Player) -> Player:
    """Return a player with unknown hand cards, which lie in the deck with all that are unknown there."""
    unknown = len(player.hand) - len(_shown(player))
    rest = [] if player.unseen or UNKNOWN in player.hand else player.hand
    deck = (*player.deck[: player.known], *sorted([*rest, *player.deck[player.known :]]))
    return player._replace(deck=deck, hand=(*(UNKNOWN,) * unknown, *_shown(player)))


def _shown(player: Player) -> list[str]:
    """Return the hand cards that everybody knows: those beside unknown ones."""
    return known(player.hand) if player.unseen or UNKNOWN in player.hand else []


def dealt(player: Player, generator: SplitMix64) -> Player:
    """Return a player to whom the cards that the others do not see are dealt anew."""
    shown, player = _shown(player), covered(player)
    pool = generator.shuffle([*player.seen, *player.deck[player.known :]])
    hand, seen = len(player.hand) - len(shown), len(player.seen)
    return player._replace(
        deck=(*player.deck[: player.known], *sorted(pool[hand + seen :])),
        hand=tuple(sorted([*shown, *pool[:hand]])),
        seen=tuple(sorted(pool[hand : hand + seen])),
        unseen=False,
    )


def everywhere(table: Table) -> list[str]:
    """Return every card that lies in some zone of the table."""
    cards = [*table.destroyed, *table.supply, *(card for deck in table.upgrade for card in deck)]
    for player in table.players:
        cards += [*owned_cards(player), *player.discard, *player.resolved]
    return cards
