"""What a table between two stages can never look like, however it came about (1.5, 2, 4, 5, 9.1, 17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.abyss.content import ANY, Content
from rules.abyss.positions import zones
from rules.abyss.state import ABYSS, OVER_PHASE, PHASES
from rules.core.errors import counted
from rules.core.files import KeyPath
from rules.core.schema import Faults


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
        for path, _, cards in zones(self.state):
            for card in cards:
                seen[card] += 1
                count = self.content.cards[card].count
                if seen[card] == count + 1:
                    total = sum(found.count(card) for _, _, found in zones(self.state))
                    message = f"'{card}' lies on the table {counted(total, 'time')}, but the box has {count}"
                    self.add(path, message)

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
