"""What a valid Abyss ruleset looks like, and what a table between two stages can never look like (1.5, 2, 4, 5, 17)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from rules.abyss.content import EVENTS, MODIFIER, Card, Content, Goal, Hireling, Identity, Number, Points
from rules.abyss.state import ABYSS, ANY, CITY, OVER_PHASE, PHASES, zones
from rules.core.declared import Meta, Named, Remark, entries, entry_of, ruleset_table, table_of
from rules.core.errors import counted, word_list
from rules.core.files import KeyPath, data_file
from rules.core.registry import OptionTable, stated_shape
from rules.core.schema import Faults, Field, Integer, ListOf, MapOf, Schema, Table, Tagged, Text

_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE)
_REMARKS: Final = ("note", "source", "provenance", "count_provenance")
"""Keys that say where a fact comes from."""


def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(data_file(_HERE, "ops")["ops"])


def modifiers() -> Mapping[str, Mapping[str, Any]]:
    """Return the table of what identities can change, by name."""
    return dict(data_file(_HERE, "ops")["modifiers"])


def check_option_tables(values: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    """Note entries of tables among the options that the ruleset does not have."""
    cards, partners = (raw[table] if isinstance(raw.get(table), dict) else {} for table in ("cards", "partners"))
    events = [name for name, card in cards.items() if isinstance(card, dict) and card.get("deck") == EVENTS]
    for name, value in values.items():
        if name in OPTIONS.rows and isinstance(value, dict):
            entries = list(partners) if OPTIONS.rows[name].get("table") == "partners" else events
            for key in value:
                if key not in entries:
                    hint = faults.nearest(key, entries) or f"; known: {word_list(entries)}"
                    faults.add((*path, name, key), f"'{key}' is nothing that has a number here{hint}")


def location_options() -> tuple[str, ...]:
    """Return the options whose values are locations."""
    return tuple(name for name, row in OPTIONS.rows.items() if "city" in row.get("values", ()))


def entry_table(tag: str) -> Tagged:
    """Return the shape of an effect of a card, or of a modifier of an identity: its keys depend on its op."""
    words = ops() if tag == "op" else modifiers()

    def shape(name: str) -> Table:
        keys = {key: Field(stated_shape(facts)) for key, facts in words[name].get("keys", {}).items()}
        return Table({tag: Field(Text((name,)), doc=words[name]["meaning"]), **keys})

    return Tagged(tag, tuple(words), cache(shape))


class MetaTable(Meta):
    """What an edition says about itself."""

    rules_source: Remark


class RulesTable:
    """Numbers that are no ruling."""

    players_most: Annotated[int, Integer(1, 12), "most players of a game"]
    ap: Annotated[Points, "3: AP at the start"]
    rp: Annotated[Points, "3: RP at the start"]
    hand: Annotated[Number, "3: cards of the first hand"]
    refill_below: Annotated[Number, "5.I: a smaller hand may draw"]
    refill_cards: Annotated[Number, "5.I: cards that it draws"]
    give_up_most: Annotated[Number, "5.B: cards that may be given up in a round"]
    give_up_draw: Annotated[Number, "5.B: cards drawn for them"]
    treasure_ap: Annotated[Number, "5.H: AP for a treasure"]
    treasure_rp: Annotated[Number, "5.H: RP for a treasure"]
    boost_factor: Annotated[int, Integer(1, 99), "10.1: how many times as much is found"]
    boost_damage: Annotated[Number, "10.1: HP that are lost besides"]


class NeedsTable:
    """Under which option a card takes part."""

    option: Annotated[str, Named("option")]
    value: Annotated[bool | Annotated[int, Integer()] | str, "its value"]


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    goal = entry_of(Goal, _REMARKS)
    words: dict[str, Schema] = {
        "needs": table_of(NeedsTable, option=Text(tuple(OPTIONS.rows), kind="an option")),
        "location": Text((CITY, ABYSS, ANY, *location_options())),
        "effect": entry_table("op"),
    }
    return ruleset_table(
        MetaTable,
        RulesTable,
        OPTIONS.schema,
        goals=Field(Table({"money": Field(goal), "fame": Field(goal)}), doc="8.1: either wins"),
        identities=entries(Identity, _REMARKS, modifiers=ListOf(entry_table("mod"))),
        partners=entries(Hireling, _REMARKS),
        cards=entries(Card, _REMARKS, **words),
    )


def check_ruleset(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    if isinstance(raw.get("options"), dict):
        check_option_tables(raw["options"], raw, ("options",), faults)
    for name in ("identities", "partners"):
        if isinstance(raw.get(name), dict) and not raw[name]:
            faults.add((name,), f"there must be at least one of the {name}")
    changes = Table({"modifiers": Field(ListOf(entry_table("mod")))}, open=True)
    for name, card in _sound(raw, "cards", ruleset_schema().fields["cards"].schema):
        for place, effect in enumerate(card["effects"]):
            if card["deck"] not in ops()[effect["op"]]["on"]:
                message = f"'{effect['op']}' is no op of a card of the deck '{card['deck']}'"
                faults.add(("cards", name, "effects", place, "op"), message)
        needs = card.get("needs")
        if needs is not None and not OPTIONS.schema.fields[needs["option"]].schema.accepts(needs["value"]):
            known = word_list(OPTIONS.rows[needs["option"]].get("values", ()))
            faults.add(("cards", name, "needs", "value"), f"no value of '{needs['option']}'; known: {known}")
        if card.get("timing") == MODIFIER and card["deck"] != EVENTS:
            faults.add(("cards", name, "timing"), "only an Event can be a modifier")
    for name, identity in _sound(raw, "identities", MapOf(changes)):
        names = [entry["mod"] for entry in identity["modifiers"]]
        for place, modifier in enumerate(names):
            if modifier in names[:place]:
                faults.add(("identities", name, "modifiers", place), f"'{modifier}' stands twice")


def _sound(raw: Mapping[str, Any], table: str, shape: Schema) -> Iterator[tuple[str, Any]]:
    found = raw.get(table)
    if isinstance(found, dict):
        yield from ((name, entry) for name, entry in found.items() if shape.accepts({name: entry}))


def check_options(raw: Mapping[str, Any], options: Mapping[str, Any], faults: Faults) -> None:
    """Note every unknown option and impossible value, the number of players among them, which is no option here."""
    if "players" in options:
        faults.add(
            ("players",), "the number of players (AB-Q1) is no option here; write it as the position's 'players'"
        )
    rest = {name: value for name, value in options.items() if name != "players"}
    OPTIONS.schema.check(rest, (), faults)
    check_option_tables(rest, raw, (), faults)


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
