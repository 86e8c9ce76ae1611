"""Small positions for puzzles: a few wounded on the field, one or two soldiers in the trench, shells known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.core.chance import SplitMix64
from rules.core.registry import Composition, between, some
from rules.trench_rescue.cards import Pack
from rules.trench_rescue.rulings import NO_SHELLS

if TYPE_CHECKING:
    from rules.core.registry import Ruleset

ALONE: Final = 2
"""Of so many deals and one more, how many have a single soldier; the others have two."""
WOUNDED: Final = (2, 3)
SIZE: Final = (2, 4)
"""Cells along an edge, as far as the ruleset has such a field."""
SHELLS: Final = 4
"""Shells of a tape."""


def compose(ruleset: Ruleset, pack: Pack, draw: SplitMix64) -> Composition:
    """Return a position for a player alone."""
    sizes = sorted({field["size"] for field in ruleset.raw["fields"].values()} & set(range(SIZE[0], SIZE[1] + 1)))
    size: int = sizes[draw.below(len(sizes))] if sizes else ruleset.raw["rules"]["field_size"]
    colour = pack.colours.index(ruleset.raw["rules"]["solitaire_colour"])
    own, others = (list(pack.texts(pack.of_colour[each])) for each in (colour, 1 - colour))
    soldiers, wounded = 1 + draw.below(ALONE + 1) // ALONE, between(draw, *WOUNDED)
    cards = some(draw, own, soldiers + wounded)
    lying = cards[soldiers:]
    lying = [*lying[:-1], *some(draw, others, 1)] if draw.below(2) else lying
    cells = some(draw, [f"{x + 1},{y + 1}" for x in range(size) for y in range(size)], len(lying))
    falls = size > SIZE[0] and draw.below(3) > 0
    tape = _tape(ruleset.raw["rules"]["die_sides"], draw) if falls else NO_SHELLS
    asked = "TR-S1" if falls else "TR-S2"
    return Composition(
        {
            "players": 1,
            "options": {"deck_mode": "queue"},
            "chance": {"open": list(ruleset.definition.sources), "lists": {"shells": tape}},
            "state": {
                "size": size,
                "trench": {pack.colours[colour]: cards[:soldiers]},
                "piles": {cell: [card] for cell, card in zip(cells, lying, strict=True)},
            },
        },
        tuple({"objective": each} for each in sorted(("TR-S1", "TR-S2", "TR-S5"), key=lambda each: each != asked)),
    )


def _tape(sides: int, draw: SplitMix64) -> list[list[int]]:
    """Return a column and a row roll for each shell."""
    return [[between(draw, 1, sides), between(draw, 1, sides)] for _ in range(SHELLS)]
