"""The table of Ladder and its moves. Its declaration is also the shape of a ``state`` in a file."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypeAlias

from rules.core.schema import SORTED, Default, Integer, Named

Zone: TypeAlias = Annotated[tuple[Annotated[str, Named("card")], ...], SORTED, Default(())]
Row: TypeAlias = Annotated[tuple[Annotated[str, Named("card")], ...], Default(())]
Count: TypeAlias = Annotated[int, Integer(), Default(0)]


class Table(NamedTuple):
    """The table between two turns."""

    deck: Annotated[Row, "cards in the deck, the top first where it is known"]
    discard: Annotated[Zone, "cards played"]
    hand: Annotated[Zone, "cards in the hand"]
    rung: Annotated[Count, "where the player stands; 0 is the ground"]
    turns: Annotated[Count, "turns finished"]


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card of the hand."""

    card: str

    @property
    def text(self) -> str:
        """``play jump``."""
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class Rest:
    """Draw cards."""

    text = "rest"
