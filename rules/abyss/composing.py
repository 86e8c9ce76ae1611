"""Small positions for puzzles: one outsider near a goal, a few cards, a cap on partners, piles known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.abyss.bound import gain_of
from rules.abyss.content import ACTIONS, EVENTS, Content
from rules.core.chance import SplitMix64
from rules.core.registry import Composition, between, some

if TYPE_CHECKING:
    from rules.core.registry import Ruleset

HAND: Final = (2, 3)
"""Fewest and most cards, of hand and piles."""
PILE: Final = (2, 4)
CAP: Final = (1, 2)
"""Partners allowed."""
ASSETS: Final = (3, 8)
"""Asset points at the start,"""
FAME: Final = (2, 5)
"""and reputation points that the goal of fame is away."""


def compose(ruleset: Ruleset, content: Content, draw: SplitMix64) -> Composition:
    """Return a position for a player alone."""
    box = {deck: content.deck_cards(deck) for deck in (ACTIONS, EVENTS)}
    hand, pile = between(draw, *HAND), between(draw, *PILE)
    actions = some(draw, box[ACTIONS], hand + pile)
    # A hand that finds treasure makes for short ways; without one most deals are long.
    treasure = [place for place, card in enumerate(actions) if gain_of(content.cards[card]).each]
    if treasure:
        actions[0], actions[treasure[0]] = actions[treasure[0]], actions[0]
    identities = sorted(content.identities)
    fame = max(goal["rp"] for goal in ruleset.raw["goals"].values())
    seat = {
        "identity": identities[draw.below(len(identities))],
        "ap": between(draw, *ASSETS),
        "rp": max(0, fame - between(draw, *FAME)),
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
