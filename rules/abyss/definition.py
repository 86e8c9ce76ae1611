"""Abyss as the shared parts see it: rulesets, positions, and the rules bound to both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rules.abyss.bound import gain_of
from rules.abyss.challenges import Fortune
from rules.abyss.content import ACTIONS, EVENTS, Content, build
from rules.abyss.engine import Abyss
from rules.abyss.moves import NONE
from rules.abyss.positions import StateCheck, bare, census, complete
from rules.abyss.state import ABYSS, CITY, PHASES, Seat, StateFile
from rules.abyss.validation import OPTIONS, check_options, check_ruleset, doubts, ruleset_schema
from rules.core.chance import SplitMix64
from rules.core.files import canonical_json
from rules.core.registry import Composition, GameDefinition, Setting, between, some
from rules.core.schema import Faults, ListOf, Schema, Table, Text, optional
from rules.core.unknown import UNKNOWN, in_short

if TYPE_CHECKING:
    from rules.core.challenge import Aim
    from rules.core.registry import Ruleset

_FIELDS: Final = (
    *("action_pile", "action_used", "back", "counters", "event_pile", "event_used", "front", "phase", "round", "seat"),
    *("seats", "winner", "type", "hp", "card", "location", "temp", "main", "city", "abyss", "over"),
    *("actions", "events", "picks", "chance", "lists", "open", "seed", "options", "players", "state"),
    *("pending", "from", "moves"),
)
"""Words of positions that are no field of a seat and no id."""
_HAND: Final = (2, 3)
"""Fewest and most cards of the hand of a composed position; likewise the other ranges."""
_PILE: Final = (2, 4)
_CAP: Final = (1, 2)
"""Partners allowed."""
_ASSETS: Final = (3, 8)
"""Asset points at the start."""
_FAME: Final = (2, 5)
"""Reputation points that the goal of fame is away."""


class AbyssDefinition(GameDefinition):
    """The game's part in reading rulesets and positions."""

    name = "abyss"
    title = "Abyss and City"
    usual_players = 2
    sources = ("actions", "events", "picks")
    random_sources = frozenset({"actions", "events"})
    collections = ("cards", "identities", "partners")
    ordered = ("partners",)
    ruleset_schema = staticmethod(ruleset_schema)
    check_ruleset = staticmethod(check_ruleset)
    check_options = staticmethod(check_options)
    doubts = staticmethod(doubts)
    state_file = StateFile
    inferred = ("hand", "action_pile", "event_pile")

    def bans(self, ruleset: Ruleset, card: str) -> frozenset[str]:
        """Return how plans begin that have an Action card in them, for the team or for a temporary partner (5.C)."""
        actions = [name for name, facts in ruleset.raw["cards"].items() if facts["deck"] == ACTIONS]
        if card not in actions:
            return frozenset()
        teams = [NONE, *(f"{other} {place}" for other in actions for place in (CITY, ABYSS))]
        return frozenset({f"plan {card}", *(f"plan {team} temp {card}" for team in teams)})

    def unsupported(self, setting: Setting) -> list[str]:
        """Return what would leave a hire without any bound (AB-Q12)."""
        values = self.values(setting)
        if values["hire_overdraft"] and values["partner_cap"] == "none":
            return ["option `hire_overdraft = true` without a number for `partner_cap`"]
        return []

    def players_allowed(self, ruleset: Ruleset) -> tuple[int, int]:
        """Return 1 and the greatest number of players, as many as there are identities where each is there once."""
        most: int = ruleset.raw["rules"]["players_most"]
        unique = self.options(ruleset)["identity_choice"] == "unique"
        return 1, min(most, len(ruleset.raw["identities"])) if unique else most

    def lists_schema(self, ruleset: Ruleset, players: int) -> Schema:
        """Return the shape of ``chance.lists``: for each pile one order for the setup and one for each reshuffle."""
        doc = "the order of the setup, then of each reshuffle"
        return Table({deck: optional(ListOf(ListOf(_card(ruleset, deck))), doc) for deck in (ACTIONS, EVENTS)})

    def state_ids(self, ruleset: Ruleset) -> Mapping[str, Schema]:
        """Return the shapes of the ids of cards, partners and identities."""
        return {
            "action": _card(ruleset, ACTIONS),
            "held": Text((*(_card(ruleset, ACTIONS).choices or ()), UNKNOWN), kind="an Action card of this ruleset"),
            "event": _card(ruleset, EVENTS),
            "partner": Text(tuple(ruleset.raw["partners"]), kind="a type of partner"),
            "identity": Text(tuple(sorted(ruleset.raw["identities"])), kind="an identity of this ruleset"),
        }

    def complete_state(self, state: Mapping[str, Any], setting: Setting) -> dict[str, Any]:
        """Return the canonical ``state`` object, what is left out filled in."""
        return complete(state, self.initial_state(setting), self.content(setting), setting.chance.open)

    def bare(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, Any]:
        """Return a state in which hands that were left out are empty, unless it has unknown cards."""
        return bare(state, setting.players)

    def shorten_state(self, state: Mapping[str, Any], setting: Setting, *, whole: bool) -> dict[str, Any]:
        """Return a canonical state without starting values, and without piles that hold the rest of the box."""
        empty = self.complete_state({}, setting)
        short: dict[str, Any] = {
            "seats": [
                {
                    **{name: value for name, value in seat.items() if value != first.get(name)},
                    "hand": in_short(seat["hand"]),
                }
                for seat, first in zip(state["seats"], empty["seats"], strict=True)
            ]
        }
        short |= {name: state[name] for name in ("action_used", "event_used") if state[name]}
        filled = self.complete_state(short, setting)
        return {**short, **{name: value for name, value in state.items() if value != filled[name]}}

    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks."""
        StateCheck(self.content(setting), state, setting.players, setting.chance.open, faults).run()

    def content(self, setting: Setting) -> Content:
        """Return the typed facts of a ruleset with the options of a position."""
        return _content(setting.ruleset, canonical_json(dict(setting.options)))

    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card a complete state holds."""
        return census(state)

    def build(self, setting: Setting) -> Abyss:
        """Return the rules bound to a ruleset and to the open results of chance."""
        return Abyss(self.content(setting), setting.players, setting.chance)

    def quest(self, setting: Setting, aim: Aim) -> Fortune:
        """Return the rules with progress measured by a challenge (13)."""
        challenge = self.challenges[aim.challenge]
        return Fortune(self.content(setting), setting.players, setting.chance, challenge, aim)

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> Composition:
        """Return a small position for a puzzle, made up from random numbers."""
        return _composed(ruleset, _content(ruleset, "{}"), draw)

    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return card ids, field names, and the values of fields."""
        raw = ruleset.raw
        ids = [*sorted(raw["cards"]), *raw["partners"], *sorted(raw["identities"])]
        names = [*(name for name in Seat._fields if name != "unseen"), *PHASES, *_FIELDS, *sorted(OPTIONS.rows)]
        return list(dict.fromkeys([*ids, *names]))


def _card(ruleset: Ruleset, deck: str) -> Text:
    names = tuple(name for name, card in sorted(ruleset.raw["cards"].items()) if card["deck"] == deck)
    return Text(names, kind=f"a card of the deck '{deck}' of this ruleset")


@lru_cache(maxsize=64)
def _content(ruleset: Ruleset, options: str) -> Content:
    raw = {**ruleset.raw, "options": {**ruleset.raw["options"], **json.loads(options)}}
    return build(raw, OPTIONS.neutral)


def _composed(ruleset: Ruleset, content: Content, draw: SplitMix64) -> Composition:
    """Return a position for a player alone."""
    box = {deck: content.deck_cards(deck) for deck in (ACTIONS, EVENTS)}
    hand, pile = between(draw, *_HAND), between(draw, *_PILE)
    actions = some(draw, box[ACTIONS], hand + pile)
    # A hand that finds treasure makes for short ways; without one most deals are long.
    treasure = [place for place, card in enumerate(actions) if gain_of(content.cards[card]).each]
    if treasure:
        actions[0], actions[treasure[0]] = actions[treasure[0]], actions[0]
    identities = sorted(content.identities)
    fame = max(goal["rp"] for goal in ruleset.raw["goals"].values())
    seat = {
        "identity": identities[draw.below(len(identities))],
        "ap": between(draw, *_ASSETS),
        "rp": max(0, fame - between(draw, *_FAME)),
        "hand": sorted(actions[:hand]),
    }
    return Composition(
        {
            "players": 1,
            "options": {"partner_cap": between(draw, *_CAP)},
            "chance": {"open": list(ruleset.definition.sources)},
            "state": {
                "action_pile": {"front": actions[hand:]},
                "event_pile": {"front": some(draw, box[EVENTS], between(draw, *_PILE))},
                "seats": [seat],
            },
        },
        tuple({"objective": challenge} for challenge in ("AB-S1", "AB-S3", "AB-S2")),
    )
