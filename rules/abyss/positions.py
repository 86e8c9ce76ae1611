"""States as people write them: what may be left out, what stands there instead, and what no table can look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from rules.abyss.content import ACTIONS, EVENTS, Content
from rules.abyss.state import ABYSS, ANY, OVER_PHASE, PHASES, decode_seat, encode_seat
from rules.core.errors import counted
from rules.core.files import KeyPath, rest_of
from rules.core.schema import Faults
from rules.core.unknown import UNKNOWN, known, written_out

_PILES: Final = {"action_pile": ACTIONS, "event_pile": EVENTS}
"""The deck of each pile of a file."""


def complete(
    state: Mapping[str, Any], start: Mapping[str, Any], content: Content, sources: frozenset[str]
) -> dict[str, Any]:
    """Return the canonical ``state`` object of a state of the right shape.

    What is left out takes the value it has after the setup ``start``; a hand is then unknown, unless the pile is open.
    A pile that is not named holds what is not in sight, in the order of the setup.
    """
    firsts = start["seats"]
    result = {name: value for name, value in {**start, **state}.items() if name not in _PILES}
    result["counters"] = {
        name: state.get("counters", {}).get(name, number) if name in sources else 0
        for name, number in start["counters"].items()
    }
    result["seats"] = [
        _complete_seat(given or {}, first or firsts[0], content, is_open=ACTIONS in sources)
        for given, first in zip_longest(state.get("seats", []), firsts)
    ]
    named = Counter(card for _, cards in zones(result) for card in cards)
    for name, deck in _PILES.items():
        if name in state:
            pile = [list(state[name].get(part, [])) for part in ("front", "back")]
        else:
            pile = [rest_of(_all_cards(start, name, deck), named), []]
        front, back = pile if deck in sources else [sorted(part) for part in pile]
        result[name] = {"back": back if front else [], "front": front or back}
    return result


def _all_cards(start: Mapping[str, Any], name: str, deck: str) -> list[str]:
    """Return a whole deck in the order of the setup, the hands on top."""
    hands = [card for seat in start["seats"] for card in seat["hand"]] if deck == ACTIONS else []
    return [*hands, *start[name]["front"]]


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


def bare(given: Mapping[str, Any], seats: int) -> Mapping[str, Any]:
    """Return a state in which hands that were left out are empty, unless it has unknown cards."""
    found = given.get("seats", [{}] * seats)
    if any(seat.get("unseen") or UNKNOWN in written_out(seat.get("hand", []), 1) for seat in found):
        return given
    return {**given, "seats": [{"hand": [], **seat} for seat in found]}


def zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a state where known cards lie, with its path; a pile may be missing."""
    for index, seat in enumerate(state["seats"]):
        teams = [] if seat["plan"] is None else [seat["plan"], seat["plan"]["temp"]]
        yield ("seats", index, "hand"), known(seat["hand"])
        yield ("seats", index, "plan"), known(team["card"] for team in teams if team and team["card"])
        yield ("seats", index, "event"), [] if seat["event"] is None else [seat["event"]]
    yield ("action_used",), state["action_used"]
    yield ("event_used",), state["event_used"]
    for name in _PILES:
        if name in state:
            yield from (((name, part), state[name][part]) for part in ("front", "back"))


def census(state: Mapping[str, Any]) -> Counter[str]:
    """Return how many of each card there are over all places."""
    return Counter(card for _, cards in zones(state) for card in cards)


class StateCheck:
    """Looks for every invariant that a complete state breaks; a puzzle may leave cards out, never add any."""

    def __init__(
        self, content: Content, state: Mapping[str, Any], seats: int, sources: frozenset[str], faults: Faults
    ) -> None:
        self.content = content
        self.options = content.options
        self.state = state
        self.players = seats
        self.seats: list[dict[str, Any]] = state["seats"]
        self.sources = sources
        self.add = faults.add
        self.phase: str = state["phase"]

    def run(self) -> None:
        """Note all faults."""
        if len(self.seats) != self.players:
            self.add(("seats",), f"must be {self.players} seats, one for each player, not {len(self.seats)}")
            return
        self.table()
        self.box()
        self.partner_cards()
        for index, seat in enumerate(self.seats):
            path: KeyPath = ("seats", index)
            self.seat(seat, path)
            self.plan(index, seat, (*path, "plan"))
            self.event(seat, path)

    def table(self) -> None:
        """Check the shared fields."""
        state = self.state
        if state["seat"] > self.players:
            self.add(("seat",), f"must be a seat from 1 to {self.players}, not {state['seat']}")
        winner = state["winner"]
        if winner is not None and winner > self.players:
            self.add(("winner",), f"must be a seat from 1 to {self.players}, not {winner}")
        if winner is not None and self.phase != OVER_PHASE:
            self.add(("winner",), f"must be left out while the phase is '{self.phase}'; a game with a winner is over")
        if winner is not None and winner <= self.players:
            seat = self.seats[winner - 1]
            if not any(goal.is_met(seat["ap"], seat["rp"]) for goal in self.content.goals.values()):
                self.add(("winner",), f"seat {winner} meets no goal with {seat['ap']} AP and {seat['rp']} RP")
        for name, number in state["counters"].items():
            if name in self.sources and not number:
                self.add(("counters", name), "must be at least 1: number 0 is the shuffle of the setup")
        identities = [seat["identity"] for seat in self.seats]
        if self.options["identity_choice"] == "unique" and len(set(identities)) < len(identities):
            self.add(("seats",), "two seats have the same identity, and each is there once (AB-Q2)")

    def box(self) -> None:
        """Check that no card lies on the table more often than in the box (2)."""
        seen: Counter[str] = Counter()
        for path, cards in zones(self.state):
            for card in cards:
                seen[card] += 1
                count = self.content.cards[card].count
                if seen[card] == count + 1:
                    total = sum(found.count(card) for _, found in zones(self.state))
                    message = f"'{card}' lies on the table {counted(total, 'time')}, but the box has {count}"
                    self.add(path, message)

        unknown = sum(seat["hand"].count(UNKNOWN) for seat in self.seats)
        front = self.state["action_pile"]["front"]
        for index, seat in enumerate(self.seats):
            if ACTIONS in self.sources and (UNKNOWN in seat["hand"] or seat.get("unseen")):
                self.add(("seats", index, "hand"), "names every card: where 'actions' is open all hands are known")
            elif unknown > len(front) and UNKNOWN in seat["hand"]:
                what = f"{unknown} cards of hands are '?', but only {len(front)} Action cards are not in sight"
                self.add(("seats", index, "hand"), what)

    def partner_cards(self) -> None:
        """Check limits of the box on partners and treasure (AB-Q7, AB-Q39)."""
        supply = self.options["partner_supply"]
        hired = Counter(partner["type"] for seat in self.seats for partner in seat["partners"])
        for kind, number in hired.items():
            most = supply.get(kind, number) if isinstance(supply, Mapping) else supply
            if isinstance(most, int) and number > most:
                self.add(("seats",), f"{number} partners of the type '{kind}', but the box has {most}")
        limit = self.options["treasure_supply"]
        treasure = sum(seat["treasure"] for seat in self.seats)
        if isinstance(limit, int) and treasure > limit:
            self.add(("seats",), f"{treasure} treasures are out, but the box has {limit}")

    def seat(self, seat: Mapping[str, Any], path: KeyPath) -> None:
        """Check a seat's partners, marks and temporary partners."""
        for place, partner in enumerate(seat["partners"]):
            full = self.content.partners[partner["type"]].hp
            if partner["hp"] > full:
                message = f"a partner of the type '{partner['type']}' has at most {full} HP, not {partner['hp']}"
                self.add((*path, "partners", place, "hp"), message)
        temps = self.content.identities[seat["identity"]].modifiers.get("temps")
        if seat["temps"] and temps is None:
            self.add((*path, "temps"), f"an identity such as '{seat['identity']}' takes no temporary partners")
        if temps is not None and self.options["hire_overdraft"] and not self.options["cap_counts_temps"]:
            message = "with hire_overdraft nothing bounds temporary partners; set cap_counts_temps = true"
            self.add((*path, "identity"), message)
        if seat["treasure"] and self.phase not in ("act", "event", "deal", OVER_PHASE):
            self.add((*path, "treasure"), "must be 0: treasure is cashed or lost at the end of step H")

    def plan(self, index: int, seat: Mapping[str, Any], path: KeyPath) -> None:
        """Check that a seat has a plan when it has chosen one, and that the plan is one it could choose (5.C)."""
        plan = seat["plan"]
        if self.phase in ("prepare", "refill") and plan is not None:
            self.add(path, f"must be left out in the phase '{self.phase}': plans are cleared in step H")
        if self.phase in ("deal", "act", "event") and plan is None:
            self.add(path, f"is missing: in the phase '{self.phase}' every seat has chosen")
        if self.phase == "choose" and index + 1 == self.state["seat"] and plan is not None:
            self.add(path, f"must be left out: seat {index + 1} is about to choose")
        if plan is None:
            return
        for team, at in ((plan, path), (plan["temp"], (*path, "temp"))):
            if team is None or team["card"] is None:
                continue
            if team["card"] == UNKNOWN:
                cards = [self.content.cards[card] for card in self.state["action_pile"]["front"]]
                if not any(card.location in (team["location"], ANY) for card in cards):
                    self.add((*at, "card"), f"no card that may be it is used in the {team['location']}")
                continue
            limit = self.content.cards[team["card"]].location
            if limit not in (team["location"], ANY):
                self.add((*at, "location"), f"'{team['card']}' is used in the {limit}")
        modifiers = self.content.identities[seat["identity"]].modifiers
        if plan["temp"] is not None and modifiers.get("temps", {}).get("max_cards", 1) < 2:
            self.add((*path, "temp"), f"an identity such as '{seat['identity']}' has no second team")

    def event(self, seat: Mapping[str, Any], path: KeyPath) -> None:
        """Check that Events are out only between steps E and G (17)."""
        if seat["event"] is not None and self.phase in (*PHASES[:2], PHASES[-1]):
            self.add((*path, "event"), f"must be left out in the phase '{self.phase}': Events are dealt in step E")
        if seat["event_up"] and (seat["event"] is None or not self.content.cards[seat["event"]].is_modifier):
            self.add((*path, "event_up"), "only a modifier is turned up in step E")
        plan = seat["plan"]
        if seat["boost"] and plan is not None and self.phase != OVER_PHASE:
            teams = [plan, *([plan["temp"]] if plan["temp"] else [])]
            if all(team["location"] != ABYSS for team in teams):
                self.add((*path, "boost"), "must be false: no team of this seat is in the Abyss")
