"""Abyss as the shared parts see it: rulesets, positions as people write them, and the rules bound to both."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from rules.abyss.bound import gain_of
from rules.abyss.content import ACTIONS, EVENTS, Content, build, check_ruleset, doubts, ruleset_schema
from rules.abyss.engine import Abyss, Fortune
from rules.abyss.state import ABYSS, ANY, CITY, OVER_PHASE, PHASES, Seat, Table, decode_seat, encode_seat, ways_to_lie
from rules.abyss.turn import NONE, shown_at_once
from rules.core.errors import UnsupportedRuleset, counted
from rules.core.files import Faults, KeyPath, canonical_json, rest_of
from rules.core.registry import Composition, GameDefinition, Players, Setting, between, some
from rules.core.schema import ListOf, Schema, Text, optional
from rules.core.schema import Table as Shape
from rules.core.scripts import UNKNOWN, SplitMix64, in_short, known, written_out

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
_PILES: Final = {"action_pile": ACTIONS, "event_pile": EVENTS}
"""The deck of each pile of a file."""


class AbyssDefinition(GameDefinition):
    """The game's part in reading rulesets and positions."""

    title = "Abyss and City"
    sources: ClassVar = {"actions": True, "events": True, "picks": False}
    ruleset_schema = staticmethod(ruleset_schema)
    check_ruleset = staticmethod(check_ruleset)
    doubts = staticmethod(doubts)
    state_file = Table

    def bans(self, ruleset: Ruleset) -> Mapping[str, frozenset[str]]:
        """Return how plans begin that have an Action card in them, for the team or for a temporary partner (5.C)."""
        actions = [name for name, facts in ruleset.raw["cards"].items() if facts["deck"] == ACTIONS]
        teams = [NONE, *(f"{other} {place}" for other in actions for place in (CITY, ABYSS))]
        return {card: frozenset({f"plan {card}", *(f"plan {team} temp {card}" for team in teams)}) for card in actions}

    def players_allowed(self, ruleset: Ruleset) -> Players:
        """Return 1 and the greatest number of players, as many as there are identities where each is there once."""
        most: int = ruleset.raw["rules"]["players_most"]
        unique = ruleset.raw["options"]["identity_choice"] == "unique"
        return Players(1, min(most, len(ruleset.raw["identities"])) if unique else most, 2)

    def named_shapes(self, ruleset: Ruleset, players: int = 1) -> Mapping[str, Schema]:
        """Return the shapes of the ids of cards, partners and identities, and of the orders of piles."""
        doc = "the order of the setup, then of each reshuffle"
        return {
            "lists": Shape({deck: optional(ListOf(ListOf(_card(ruleset, deck))), doc) for deck in (ACTIONS, EVENTS)}),
            "action": _card(ruleset, ACTIONS),
            "held": Text((*(_card(ruleset, ACTIONS).choices or ()), UNKNOWN), kind="an Action card of this ruleset"),
            "event": _card(ruleset, EVENTS),
            "dealt": Text((*(_card(ruleset, EVENTS).choices or ()), UNKNOWN), kind="an Event of this ruleset"),
            "partner": Text(tuple(ruleset.raw["partners"]), kind="a type of partner"),
            "identity": Text(tuple(sorted(ruleset.raw["identities"])), kind="an identity of this ruleset"),
        }

    def complete_state(self, state: Mapping[str, Any], setting: Setting, *, bare: bool = False) -> dict[str, Any]:
        """Return the canonical ``state`` object of a state of the right shape.

        What is left out takes the value it has after the setup; a hand is then unknown, unless the pile is open. A pile
        that is not named holds what is not in sight, in the order of the setup.
        """
        state = _bare(state, setting) if bare else state
        start, sources = self.initial_state(setting), setting.chance.open
        firsts = start["seats"]
        result = {name: value for name, value in {**start, **state}.items() if name not in _PILES}
        result["counters"] = {
            name: state.get("counters", {}).get(name, number) if name in sources else 0
            for name, number in start["counters"].items()
        }
        result["seats"] = [
            _complete_seat(given or {}, first or firsts[0], self.content(setting), is_open=ACTIONS in sources)
            for given, first in zip_longest(state.get("seats", []), firsts)
        ]
        named = Counter(card for _, cards in _zones(result) for card in cards)
        for name, deck in _PILES.items():
            if name in state:
                pile = [list(state[name].get(part, [])) for part in ("front", "back")]
            else:
                hands = [card for seat in start["seats"] for card in seat["hand"]] if deck == ACTIONS else []
                pile = [rest_of([*hands, *start[name]["front"]], named), []]
            front, back = pile if deck in sources else [sorted(part) for part in pile]
            result[name] = {"back": back if front else [], "front": front or back}
        return result

    def shorten_state(self, state: Mapping[str, Any], setting: Setting, *, whole: bool) -> dict[str, Any]:
        """Return a canonical state without starting values, and without piles that hold the rest of the box."""
        short: dict[str, Any] = {
            "seats": [
                {
                    **{name: value for name, value in seat.items() if value != first.get(name)},
                    "hand": in_short(seat["hand"]),
                }
                for seat, first in zip(state["seats"], self.complete_state({}, setting)["seats"], strict=True)
            ]
        }
        short |= {name: state[name] for name in ("action_used", "event_used") if state[name]}
        filled = self.complete_state(short, setting)
        return {**short, **{name: value for name, value in state.items() if value != filled[name]}}

    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks; a puzzle may leave cards out, never add any."""
        content, seats = self.content(setting), state["seats"]
        if len(seats) != setting.players:
            message = f"must be {setting.players} seats, one for each player, not {len(seats)}"
            faults.add(("seats",), message)
            return
        found = [_shared_faults(content, state, setting), _box_faults(content, state, setting)]
        for index in range(len(seats)):
            found += [_seat_faults(content, state, index), _plan_faults(content, state, index)]
        for path, message in chain.from_iterable(found):
            faults.add(path, message)

    def content(self, setting: Setting) -> Content:
        """Return the typed facts of a ruleset with the options of a position."""
        return _content(setting.ruleset, canonical_json(dict(setting.options)))

    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card a complete state holds."""
        return Counter(card for _, cards in _zones(state) for card in cards)

    def build(self, setting: Setting, aim: Aim | None = None) -> Abyss:
        """Return the rules bound to a ruleset and to the open results of chance, or those of a challenge (13).

        Raises:
            UnsupportedRuleset: nothing would bound a hire (AB-Q12).
        """
        values = setting.values
        if values["hire_overdraft"] and values["partner_cap"] == "none":
            raise UnsupportedRuleset(["option `hire_overdraft = true` without a number for `partner_cap`"])
        content, players, chance = self.content(setting), setting.players, setting.chance
        if aim is None:
            return Abyss(content, players, chance)
        return Fortune(content, players, chance, self.challenges[aim.challenge], aim)

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> Composition:
        """Return a small position for a puzzle, made up from random numbers: a few cards and points, near fame."""
        content = _content(ruleset, "{}")
        hand, pile = between(draw, 2, 3), between(draw, 2, 4)
        actions = some(draw, content.deck_cards(ACTIONS), hand + pile)
        # A hand that finds treasure makes for short ways; without one most deals are long.
        treasure = [place for place, card in enumerate(actions) if gain_of(content.cards[card]).each]
        if treasure:
            actions[0], actions[treasure[0]] = actions[treasure[0]], actions[0]
        identities = sorted(content.identities)
        fame = max(goal["rp"] for goal in ruleset.raw["goals"].values())
        seat = {
            "identity": identities[draw.below(len(identities))],
            "ap": between(draw, 3, 8),
            "rp": max(0, fame - between(draw, 2, 5)),
            "hand": sorted(actions[:hand]),
        }
        return Composition(
            {
                "players": 1,
                "options": {"partner_cap": between(draw, 1, 2)},
                "chance": {"open": list(ruleset.definition.sources)},
                "state": {
                    "action_pile": {"front": actions[hand:]},
                    "event_pile": {"front": some(draw, content.deck_cards(EVENTS), between(draw, 2, 4))},
                    "seats": [seat],
                },
            },
            tuple({"objective": challenge} for challenge in ("AB-S1", "AB-S3", "AB-S2")),
        )

    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return card ids, field names, and the values of fields."""
        raw = ruleset.raw
        ids = [*sorted(raw["cards"]), *raw["partners"], *sorted(raw["identities"])]
        fields = [name for name in Seat._fields if name != "unseen"]
        return list(dict.fromkeys([*ids, *fields, *PHASES, *_FIELDS, *sorted(self.option_table.rows)]))


def _bare(state: Mapping[str, Any], setting: Setting) -> Mapping[str, Any]:
    """Return a state in which hands that were left out are empty, unless it has unknown cards."""
    found = state.get("seats", [{}] * setting.players)
    if any(seat.get("unseen") or UNKNOWN in written_out(seat.get("hand", []), 1) for seat in found):
        return state
    return {**state, "seats": [{"hand": [], **seat} for seat in found]}


def _complete_seat(
    given: Mapping[str, Any], start: Mapping[str, Any], content: Content, *, is_open: bool
) -> dict[str, Any]:
    seat = {**start, **given}
    if "hand" in given or not is_open:
        seat["hand"] = written_out(given.get("hand", UNKNOWN), len(start["hand"]))
    place = {kind: number for number, kind in enumerate(content.partners)}
    partners = [{"hp": content.partners[partner["type"]].hp, **partner} for partner in seat["partners"]]
    seat["partners"] = sorted(partners, key=lambda partner: (place[partner["type"]], -partner["hp"]))
    decoded = decode_seat(seat)
    return encode_seat(decoded._replace(unseen=decoded.unseen and UNKNOWN not in (*decoded.hand, *decoded.laid)))


def _zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a state where known cards lie, with its path; a pile may be missing."""
    for index, seat in enumerate(state["seats"]):
        teams = [] if seat["plan"] is None else [seat["plan"], seat["plan"]["temp"]]
        yield ("seats", index, "hand"), known(seat["hand"])
        yield ("seats", index, "plan"), known(team["card"] for team in teams if team and team["card"])
        yield ("seats", index, "event"), [] if seat["event"] in (None, UNKNOWN) else [seat["event"]]
    yield ("action_used",), state["action_used"]
    yield ("event_used",), state["event_used"]
    for name in _PILES:
        if name in state:
            yield from (((name, part), state[name][part]) for part in ("front", "back"))


def _card(ruleset: Ruleset, deck: str) -> Text:
    names = tuple(name for name, card in sorted(ruleset.raw["cards"].items()) if card["deck"] == deck)
    return Text(names, kind=f"a card of the deck '{deck}' of this ruleset")


@lru_cache(maxsize=64)
def _content(ruleset: Ruleset, options: str) -> Content:
    return build({**ruleset.raw, "options": {**ruleset.raw["options"], **json.loads(options)}})


# What no table can look like

Found: TypeAlias = Iterator[tuple[KeyPath, str]]
"""Faults, each with its place."""


def _shared_faults(content: Content, state: Mapping[str, Any], setting: Setting) -> Found:
    players, phase, seats = setting.players, state["phase"], state["seats"]
    winner = state["winner"]
    for name in ("seat", "winner"):
        if (state[name] or 0) > players:
            yield ((name,), f"must be a seat from 1 to {players}, not {state[name]}")
    if winner is not None and phase != OVER_PHASE:
        yield (("winner",), f"must be left out while the phase is '{phase}'; a game with a winner is over")
    if winner is not None and winner <= players:
        seat = seats[winner - 1]
        if not any(goal.is_met(seat["ap"], seat["rp"]) for goal in content.goals.values()):
            yield (("winner",), f"seat {winner} meets no goal with {seat['ap']} AP and {seat['rp']} RP")
    for name, number in state["counters"].items():
        if name in setting.chance.open and not number:
            yield (("counters", name), "must be at least 1: number 0 is the shuffle of the setup")
    identities = [seat["identity"] for seat in seats]
    if content.options["identity_choice"] == "unique" and len(set(identities)) < len(identities):
        yield (("seats",), "two seats have the same identity, and each is there once (AB-Q2)")


def _box_faults(content: Content, state: Mapping[str, Any], setting: Setting) -> Found:
    """Yield what lies on the table more often than in the box (2, AB-Q7, AB-Q39), and hands that cannot be unknown."""
    seen: Counter[str] = Counter()
    for path, cards in _zones(state):
        for card in cards:
            seen[card] += 1
            count = content.cards[card].count
            if seen[card] == count + 1:
                total = sum(found.count(card) for _, found in _zones(state))
                yield path, f"'{card}' lies on the table {counted(total, 'time')}, but the box has {count}"
    unknown = sum(seat["hand"].count(UNKNOWN) for seat in state["seats"])
    front = len(state["action_pile"]["front"])
    for index, seat in enumerate(state["seats"]):
        path = "seats", index, "hand"
        if ACTIONS in setting.chance.open and (UNKNOWN in seat["hand"] or seat.get("unseen")):
            yield path, "names every card: where 'actions' is open all hands are known"
        elif unknown > front and UNKNOWN in seat["hand"]:
            yield path, f"{unknown} cards of hands are '?', but only {front} Action cards are not in sight"
    hidden = {index: decode_seat(seat).plan for index, seat in enumerate(state["seats"]) if seat["event"] == UNKNOWN}
    kinds, fronts = [shown_at_once(content, plan) for plan in hidden.values()], state["event_pile"]["front"]
    for index in hidden:
        if EVENTS in setting.chance.open:
            yield ("seats", index, "event"), "names the Event: where 'events' is open all of them are known"
        elif not ways_to_lie(fronts, kinds):
            yield ("seats", index, "event"), "is '?', but there are too few Events not in sight that may lie face down"
    supply = content.options["partner_supply"]
    for kind, number in Counter(partner["type"] for seat in state["seats"] for partner in seat["partners"]).items():
        most = supply.get(kind, number) if isinstance(supply, Mapping) else supply
        if isinstance(most, int) and number > most:
            yield (("seats",), f"{number} partners of the type '{kind}', but the box has {most}")
    limit = content.options["treasure_supply"]
    treasure = sum(seat["treasure"] for seat in state["seats"])
    if isinstance(limit, int) and treasure > limit:
        yield (("seats",), f"{treasure} treasures are out, but the box has {limit}")


def _seat_faults(content: Content, state: Mapping[str, Any], index: int) -> Found:
    """Yield what is wrong with a seat's partners and treasure, and its Event, out only from step E to G (17)."""
    seat, phase, path = state["seats"][index], state["phase"], ("seats", index)
    for place, partner in enumerate(seat["partners"]):
        full = content.partners[partner["type"]].hp
        if partner["hp"] > full:
            message = f"a partner of the type '{partner['type']}' has at most {full} HP, not {partner['hp']}"
            yield ((*path, "partners", place, "hp"), message)
    temps = content.identities[seat["identity"]].modifiers.get("temps")
    if seat["temps"] and temps is None:
        yield (*path, "temps"), f"an identity such as '{seat['identity']}' takes no temporary partners"
    if temps is not None and content.options["hire_overdraft"] and not content.options["cap_counts_temps"]:
        yield (*path, "identity"), "with hire_overdraft nothing bounds temporary partners; set cap_counts_temps = true"
    if seat["treasure"] and phase not in ("act", "event", "deal", OVER_PHASE):
        yield ((*path, "treasure"), "must be 0: treasure is cashed or lost at the end of step H")
    if seat["event"] is not None and phase in (*PHASES[:2], PHASES[-1]):
        yield ((*path, "event"), f"must be left out in the phase '{phase}': Events are dealt in step E")
    if seat["event_up"] and (seat["event"] in (None, UNKNOWN) or not content.cards[seat["event"]].is_modifier):
        yield ((*path, "event_up"), "only a modifier is turned up in step E")
    plan = seat["plan"]
    places = [] if plan is None else [plan["location"], (plan["temp"] or plan)["location"]]
    if seat["boost"] and places and phase != OVER_PHASE and ABYSS not in places:
        yield (*path, "boost"), "must be false: no team of this seat is in the Abyss"


def _plan_faults(content: Content, state: Mapping[str, Any], index: int) -> Found:
    """Yield what is wrong with a plan: it is there once it is chosen, and one that could be chosen (5.C)."""
    seat, phase, path = state["seats"][index], state["phase"], ("seats", index, "plan")
    plan = seat["plan"]
    if phase in ("prepare", "refill") and plan is not None:
        yield (path, f"must be left out in the phase '{phase}': plans are cleared in step H")
    if phase in ("deal", "act", "event") and plan is None:
        yield (path, f"is missing: in the phase '{phase}' every seat has chosen")
    if phase == "choose" and index + 1 == state["seat"] and plan is not None:
        yield (path, f"must be left out: seat {index + 1} is about to choose")
    if plan is None:
        return
    for team, at in ((plan, path), (plan["temp"], (*path, "temp"))):
        if team is None or team["card"] is None:
            continue
        card, pool = team["card"], state["action_pile"]["front"]
        limits = {content.cards[one].location for one in (pool if card == UNKNOWN else [card])}
        if limits.isdisjoint({team["location"], ANY}) and card == UNKNOWN:
            yield (*at, "card"), f"no card that may be it is used in the {team['location']}"
        elif limits.isdisjoint({team["location"], ANY}):
            yield (*at, "location"), f"'{card}' is used in the {limits.pop()}"
    modifiers = content.identities[seat["identity"]].modifiers
    if plan["temp"] is not None and modifiers.get("temps", {}).get("max_cards", 1) < 2:
        yield ((*path, "temp"), f"an identity such as '{seat['identity']}' has no second team")
