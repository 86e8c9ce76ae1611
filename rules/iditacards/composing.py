"""Small positions for puzzles: a sled somewhere on the track, a hand and a short deck out of the box, no upgrades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rules.core.chance import SplitMix64
from rules.core.registry import MAX_DISTANCE, MIN_TURNS, Composition, between, some
from rules.iditacards.content import CONDITIONS, Content

if TYPE_CHECKING:
    from rules.core.registry import Ruleset

ROOM: Final = 40
"""Spaces between the sled and the finish at least."""
HAND: Final = (4, 6)
"""Fewest and most cards."""
DECK: Final = (5, 9)
UPGRADES: Final = (2, 5)
"""Cards of hand and deck together that are none of the starter deck."""
TURNS: Final = (3, 5)


def compose(ruleset: Ruleset, content: Content, start: Mapping[str, Any], finish: int, draw: SplitMix64) -> Composition:
    """Return a position out of the set-up ``start`` of the same ruleset; ``finish`` is where a race ends."""
    dealt = start["players"][0]
    own: list[str] = [*dealt["hand"], *dealt["deck"]]
    box = [card for deck in start["upgrade"] for card in deck]
    upgrades = some(draw, box, between(draw, *UPGRADES))
    hand, deck = between(draw, *HAND), between(draw, *DECK)
    cards = draw.shuffle([*some(draw, own, hand + deck - len(upgrades)), *upgrades])
    player: dict[str, Any] = {
        "pos": between(draw, 1, max(1, finish - ROOM)),
        "hand": sorted(cards[:hand]),
        "deck": cards[hand:],
        "dogs": [*dealt["dogs"], *_team(content, box, upgrades, draw)],
        # One condition every other time, and not so bad that nothing moves.
        **({draw.shuffle(CONDITIONS)[0]: 1} if draw.below(2) else {}),
    }
    faces: Sequence[str] = tuple(ruleset.raw["rules"]["weather"])
    weather = {"weather": faces[draw.below(len(faces))]} if faces else {}
    turns = between(draw, *TURNS)
    return Composition(
        {
            "players": 1,
            "chance": {"seed": draw.below(1000), "open": list(ruleset.definition.sources)},
            "state": {**weather, "upgrade": [[] for _ in start["upgrade"]], "players": [player]},
        },
        (
            {"objective": MIN_TURNS, "within_turns": turns, "new_day": False},
            {"objective": MAX_DISTANCE, "within_turns": turns, "new_day": False},
        ),
    )


def _team(content: Content, box: Sequence[str], taken: Sequence[str], draw: SplitMix64) -> list[dict[str, Any]]:
    """Return one more dog for the team every other time."""
    dogs = sorted({card for card in box if content.cards[card].type == "dog" and card not in taken})
    return [{"dog": dogs[draw.below(len(dogs))], "attachments": []}] if dogs and draw.below(2) else []
