"""Every decision a player of Iditacards can take, one frozen type per kind (R14, R75).

A move's text is lower case words; a dog is written with what it wears, as in ``husky+a_hat``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rules.iditacards.state import Dog


def dog_text(dog: Dog) -> str:
    """Return the notation of a dog in play."""
    return "+".join((dog.dog, *dog.attachments))


def _paying(head: str, energy: tuple[str, ...] | None) -> str:
    return f"{head} pay {' '.join(energy)}" if energy else head


@dataclass(frozen=True, slots=True)
class Play:
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

    @property
    def spends(self) -> tuple[str, ...]:
        """The hand cards that pay."""
        return self.energy


@dataclass(frozen=True, slots=True)
class Continue:
    """Main action: play the next risk card; the payment is named now if the card is known (R33)."""

    energy: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """``continue pay first_aid good_dog``."""
        return _paying("continue", self.energy)

    @property
    def spends(self) -> tuple[str, ...]:
        """The hand cards that pay."""
        return self.energy or ()


@dataclass(frozen=True, slots=True)
class Pay:
    """The energy payment of a risk card that was hidden until it was turned up (R22)."""

    energy: tuple[str, ...]

    @property
    def text(self) -> str:
        """``pay first_aid good_dog``."""
        return f"pay {' '.join(self.energy)}"

    @property
    def spends(self) -> tuple[str, ...]:
        """The hand cards that pay."""
        return self.energy


@dataclass(frozen=True, slots=True)
class Word:
    """A move of a single word: ``second``, ``new_day``, ``pass``, ``join``, ``stay``, ``done``, ``skip_second``."""

    word: str

    @property
    def text(self) -> str:
        """The word."""
        return self.word


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


@dataclass(frozen=True, slots=True)
class Put:
    """What is done with one card, or which upgrade deck or other player is chosen."""

    verb: str
    """``destroy``, ``discard``, ``keep`` (hand), ``return`` (deck), ``recover`` (hand) or ``restore`` (deck);
    ``take`` (gain an upgrade), ``legendary`` (R66), ``from`` (an upgrade deck, Q48), ``target`` (a player's seat)."""
    card: str
    """The card, or the name of what is chosen."""

    @property
    def text(self) -> str:
        """``destroy lunch``."""
        return f"{self.verb} {self.card}"
