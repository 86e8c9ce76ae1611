"""Small positions for puzzles: one outsider near a goal, a few cards, a cap on partners, piles known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.abyss.content import ACTIONS, EVENTS, Content
from rules.core.chance import SplitMix64
from rules.core.composition import Composition, between, some

if TYPE_CHECKING:
    from rules.core.ruleset import Ruleset

HAND: Final = (2, 4)
"""Fewest and most cards, of hand and piles."""
PILE: Final = (2, 4)
CAP: Final = (1, 4)
"""Partners allowed."""
POINTS: Final = (2, 10)
"""Asset points at the start, and reputation points that the goal of fame is away."""


def compose(ruleset: Ruleset, content: Content, draw: SplitMix64) -> Composition:
    """Return a position for a player alone."""
    box = {deck: content.deck_cards(deck) for deck in (ACTIONS, EVENTS)}
    hand, pile = between(draw, *HAND), between(draw, *PILE)
    actions = some(draw, box[ACTIONS], hand + pile)
    identities = sorted(content.identities)
    fame = max(goal["rp"] for goal in ruleset.raw["goals"].values())
    seat = {
        "identity": identities[draw.below(len(identities))],
        "ap": between(draw, *POINTS),
        "rp": max(0, fame - between(draw, *POINTS)),
        "hand": sorted(actions[:hand]),
    }
    return Composition(
        {
            "players": 1,
            "options": {"partner_cap": between(draw, *CAP)},
            "chance": {"open": list(ruleset.definition.sources)},
            "state": {
                "action_pile": {"front": actions[hand:]},
                "event_pile": {"front": some(draw, box[EVENTS], between(draw, *PILE))},
                "seats": [seat],
            },
        },
        tuple({"objective": challenge} for challenge in ("AB-S1", "AB-S3", "AB-S2")),
    )
