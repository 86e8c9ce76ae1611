"""Trench Rescue as the shared parts see it: rulesets, states as people write them, and the rules bound to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rules.core.challenge import Aim
from rules.core.errors import ContentError, Fault, UnsupportedRuleset, word_list
from rules.core.files import Faults, KeyPath
from rules.core.race import Race
from rules.core.registry import Composition, GameDefinition, Players, Ruleset, Setting, between, some
from rules.core.schema import Either, Integer, ListOf, Schema, Table, Text, facts, optional, table_of
from rules.core.scripts import UNKNOWN, Chance, SplitMix64
from rules.trench_rescue.content import (
    COLOURS,
    NO_SHELLS,
    OPTIONS,
    PHASES,
    Rulings,
    check,
    decode,
    doubts,
    encode,
    pack_of,
    ruleset_schema,
    shapes,
)
from rules.trench_rescue.content import Table as Battle
from rules.trench_rescue.turn import cell_text, find_cell

_OTHER_WORDS: Final = (
    *("card", "carries", "cell", "black", "red", "?", "cards", "shells", "deck", "counters"),
    *("chance", "lists", "open", "seed", "options", "state", "pending", "from", "moves", "none"),
    *("cycle", "enter", "go", "peek", "drop", "end", "home", "take"),
    *("carried_home", "dead", "draws"),
)
"""Words of positions besides the other fields of the state and cards; position codes rely on their order."""
_STATE: Final = table_of(Battle)
SIZES: Final = range(2, 5)
"""Cells along an edge of a composed position, as far as the ruleset has such a field."""


class TrenchRescueDefinition(GameDefinition):
    """The game's part in reading rulesets and positions."""

    title = "Trench Rescue"
    sources: ClassVar = {"cards": False, "deck": True, "shells": True}
    ruleset_schema = staticmethod(ruleset_schema)
    check_ruleset = staticmethod(check)
    doubts = staticmethod(doubts)
    state_file = Battle

    def players_allowed(self, ruleset: Ruleset) -> Players:
        """Return 1 for the solitaire challenges and 2 for the game."""
        return Players(1, len(COLOURS), 2)

    def named_shapes(self, ruleset: Ruleset, players: int = 1) -> Mapping[str, Schema]:
        """Return the shapes of cards, of those that are known, and of ``chance.lists`` (15)."""
        pack = pack_of(ruleset)
        kind, both = "a card of this ruleset", (pack.codes, pack.codes[:-1])
        card, known = (Text(each, kind=kind, forms=pack.forms) for each in both)
        order = ListOf(known)
        colours = len(COLOURS)
        tape = ListOf(ListOf(Integer(1, ruleset.raw["rules"]["die_sides"]), least=2, most=2), least=1)
        lists = Table(
            {
                "deck": optional(ListOf(ListOf(order), least=colours, most=colours), "orders of each colour's draws"),
                "shells": optional(Either((Text((NO_SHELLS,)), tape)), "column and row roll of each shell, or none"),
            }
        )
        return {"lists": lists, **shapes(card, known)}

    def live_sources(self, setting: Setting) -> Mapping[str, bool]:
        """Return the sources that matter after the set-up; decks that are queues have no chance in them."""
        return {"cards": False, "shells": True, **({} if setting.values["deck_mode"] == "queue" else {"deck": True})}

    def complete_state(self, state: Mapping[str, Any], setting: Setting, *, bare: bool = False) -> dict[str, Any]:
        """Return the canonical ``state`` object, what is left out filled in.

        With ``bare`` cells are empty that its table of piles leaves out.
        """
        rulings, piles = self._rulings(setting, setting.chance.seeded()), state.get("piles")
        if bare and isinstance(piles, Mapping):
            state = {**state, "piles": _piles(piles, state.get("size", rulings.field_size), [])}
        return complete(state, rulings)

    def shorten_state(self, state: Mapping[str, Any], setting: Setting, *, whole: bool) -> dict[str, Any]:
        """Return a canonical state without what ``complete_state`` fills in."""
        rulings = self._rulings(setting, setting.chance.seeded())
        short = dict(state)
        for name in sorted(state):
            rest = {key: value for key, value in short.items() if key != name}
            if complete(rest, rulings) == state:
                short = rest
        return short

    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks."""
        StateCheck(self._rulings(setting, setting.chance), state, faults).run()

    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card there are; hidden places that hold all cards not seen count as those cards."""
        counts = Counter(card for _, cards in zones(state) for card in cards)
        unseen = [card for card in pack_of(setting.ruleset).codes[:-1] if card not in counts]
        if state["view"] is not None and counts[UNKNOWN] == len(unseen):
            del counts[UNKNOWN]
            counts.update(unseen)
        return counts

    def build(self, setting: Setting, aim: Aim | None = None) -> Race[Battle]:
        """Return the rules bound to a ruleset and to the open results of chance, or those of a challenge (11).

        Raises:
            UnsupportedRuleset: some options say nothing beside each other.
        """
        from rules.trench_rescue.engine import Rescue, TrenchRescue

        rulings = self._rulings(setting, setting.chance)
        if aim is not None:
            return Rescue(rulings, self.challenges[aim.challenge], aim)
        values, hidden = setting.values, "cards" not in setting.chance.open
        own, each = values["shell_count_of"] == "own", values["barrage_timing"] == "after_each"
        lacking = {  # what says nothing beside each other (15, TR-Q26)
            "option `shell_count_of = own` without `barrage_timing = after_each`": own and not each,
            "option `deck_mode = queue` with hidden cards": hidden and values["deck_mode"] == "queue",
            "option `reveal_on_rescue = rescuer` with hidden cards": hidden and values["reveal_on_rescue"] == "rescuer",
            "an open `deck` with hidden `cards`": hidden and "deck" in setting.chance.open,
        }
        if any(lacking.values()):
            raise UnsupportedRuleset(words for words, is_lacking in lacking.items() if is_lacking)
        return TrenchRescue(rulings)

    def _rulings(self, setting: Setting, chance: Chance) -> Rulings:
        ruleset = setting.ruleset
        return Rulings(ruleset.raw, pack_of(ruleset), setting.values, setting.players, chance)

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> Composition:
        """Return a small position for a player alone, made up from random numbers: one soldier or, in a third, two."""
        pack, rules = pack_of(ruleset), ruleset.raw["rules"]
        sizes = sorted({field["size"] for field in ruleset.raw["fields"].values()}.intersection(SIZES))
        size: int = sizes[draw.below(len(sizes))] if sizes else rules["field_size"]
        colour = pack.colours.index(rules["solitaire_colour"])
        own, others = (list(pack.texts(pack.of_colour[each])) for each in (colour, 1 - colour))
        soldiers, wounded = 1 + draw.below(3) // 2, between(draw, 2, 3)
        cards = some(draw, own, soldiers + wounded)
        lying = cards[soldiers:]
        lying = [*lying[:-1], *some(draw, others, 1)] if draw.below(2) else lying
        cells = some(draw, [f"{x + 1},{y + 1}" for x in range(size) for y in range(size)], len(lying))
        falls = size > SIZES[0] and draw.below(3) > 0
        rolls = [[between(draw, 1, rules["die_sides"]) for _ in range(2)] for _ in range(4 * falls)]
        asked = "TR-S1" if falls else "TR-S2"
        return Composition(
            {
                "players": 1,
                "options": {"deck_mode": "queue"},
                "chance": {"open": list(ruleset.definition.sources), "lists": {"shells": rolls or NO_SHELLS}},
                "state": {
                    "size": size,
                    "trench": {pack.colours[colour]: cards[:soldiers]},
                    "piles": {cell: [card] for cell, card in zip(cells, lying, strict=True)},
                },
            },
            tuple({"objective": each} for each in sorted(("TR-S1", "TR-S2", "TR-S5"), key=lambda each: each != asked)),
        )

    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return cards, field names and the values of fields."""
        fields = [*_OTHER_WORDS, *Battle._fields, *PHASES]
        return list(dict.fromkeys([*pack_of(ruleset).codes[:-1], *fields, *sorted(OPTIONS.rows)]))


# States as people write them


def complete(state: Mapping[str, Any], rulings: Rulings) -> dict[str, Any]:
    """Return the canonical ``state`` object of a state of the right shape.

    What is left out takes the value it has after the set-up: a deck has the cards that were not laid or drawn. A hidden
    card lies in every cell that is not named, unless that would be too many. Where it is too few, all soldiers but the
    first of each colour came from the field, and after the last turn others have died. Of open cards a place that is
    not named is empty.
    """
    pack = rulings.pack
    given = facts(_STATE, state)
    size = given.get("size", rulings.field_size)
    mover = given.get("to_move", given.get("starter"))
    higher = rulings.starter([pack.read(given["trench"].get(colour, ())) for colour in pack.colours])
    starter = given.get("starter", mover if rulings.players == 1 else None) or pack.colours[higher]
    mover = mover or starter
    soldiers = [{**soldier, "cell": _index(soldier["cell"], size)} for soldier in given["soldiers"]]
    view = given.get("view") or (None if rulings.chance.is_open("cards") else mover)
    raw = {
        **given,
        "counters": {
            "deck": given["counters"]["deck"] if rulings.deck_open and not rulings.queue else {},
            "shells": given["counters"]["shells"] if rulings.shells_open and rulings.shells_fall else 0,
        },
        "deck": {**dict.fromkeys(pack.colours, ()), **given.get("deck", {})},
        "near": given.get("near", pack.colours[rulings.near_side()]),
        "piles": _piles(given.get("piles", {}), size, []),
        "players": rulings.players,
        "size": size,
        "soldiers": soldiers,
        "starter": starter,
        "to_move": mover,
        "view": view,
    }
    if view is not None:
        _cover(raw, state, rulings)
    return encode(pack, decode(pack, raw, arrival=rulings.arrival))


def _cover(raw: dict[str, Any], given: Mapping[str, Any], rulings: Rulings) -> None:
    """Put hidden cards into places that are left out, until there are as many as cards not in sight (2, 7.2)."""
    pack, size = rulings.pack, raw["size"]
    seen = {card for _, zone in zones(raw) for card in zone}
    unseen = len({*pack.codes} - {*seen, UNKNOWN})
    able = {*(card for cards in raw["trench"].values() for card in cards), *(each["card"] for each in raw["soldiers"])}
    for drawn, other in ((len(able), []), (len(able), [UNKNOWN]), (rulings.trench_cards, [UNKNOWN])):
        for colour, own in zip(pack.colours, pack.of_colour, strict=True):
            left = len(own) - rulings.laid.get(size, 0) - min(drawn, len(able.intersection(pack.texts(own))))
            raw["deck"][colour] = given.get("deck", {}).get(colour, [UNKNOWN] * max(0, left))
        raw["piles"] = _piles(given.get("piles", {}), size, other if raw["phase"] == "play" else [])
        places = sum(zone.count(UNKNOWN) for _, zone in zones(raw))
        if places >= unseen:
            break
    else:
        if raw["phase"] != "play" and "dead" not in given:
            raw["dead"] = [UNKNOWN] * (unseen - places)


def _index(cell: int | str, size: int) -> int:
    """Return the index of a cell, which may be written in words.

    Raises:
        ContentError: the field has no such cell.
    """
    found = cell if isinstance(cell, int) else find_cell(cell, size)
    if found is None:
        message = f"'{cell}' is no cell; the cells of a field of size {size} are '1,1' to '{size},{size}'"
        raise ContentError([Fault(message, "state")])
    return found


def _piles(
    given: Sequence[Sequence[str]] | Mapping[str, Sequence[str]], size: int, other: Sequence[str]
) -> list[Sequence[str]]:
    """Return the piles of all cells; ``other`` is that of a cell which is not named."""
    if not isinstance(given, Mapping):
        return list(given)
    indices = {_index(cell, size): cards for cell, cards in given.items()}
    return [indices.get(cell, other) for cell in range(size**2)]


def zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a complete state where cards lie, with its path and its cards."""
    for name in ("deck", "infirmary", "trench"):
        for colour, cards in state[name].items():
            yield (name, colour), cards
    yield ("dead",), state["dead"]
    for cell, pile in enumerate(state["piles"]):
        yield ("piles", cell), pile
    for place, soldier in enumerate(state["soldiers"]):
        yield ("soldiers", place), [soldier["card"]]
        if soldier["carries"] is not None:
            yield ("soldiers", place, "carries"), [soldier["carries"]]


# What no table can look like


class StateCheck:
    """Looks for every invariant that a complete state breaks; a puzzle may leave cards out, never add any."""

    def __init__(self, rulings: Rulings, state: Mapping[str, Any], faults: Faults) -> None:
        self.rulings, self.pack = rulings, rulings.pack
        self.state, self.add = state, faults.add

    def run(self) -> None:
        """Note all faults, or only what does not lie on the field where that is wrong."""
        if not self.field():
            return
        self.fresh()
        are_single = self.cards()
        self.colours()
        self.movers()
        self.phase()
        self.tape_and_side()
        if are_single:
            self.view()

    def colour_of(self, card: str) -> str:
        """Return the colour of a known card."""
        return self.pack.colours[self.pack.colour[self.pack.numbers[card]]]

    def field(self) -> bool:
        """Check the size of the field and that everything lies on it (1.4, 2.2); return whether it does."""
        size, sizes = self.state["size"], self.rulings.laid
        if size not in sizes:
            self.add(("size",), f"there is no field of size {size}; sizes: {word_list(map(str, sorted(sizes)))}")
            return False
        if (piles := len(self.state["piles"])) != size**2:
            self.add(("piles",), f"must be {size**2} lists, one for each cell of a field of size {size}, not {piles}")
            return False
        beyond = [place for place, soldier in enumerate(self.state["soldiers"]) if soldier["cell"] >= size**2]
        for place in beyond:
            cells = f"the cells of a field of size {size} are 0 to {size**2 - 1}, or '1,1' to '{size},{size}'"
            self.add(("soldiers", place, "cell"), cells)
        return not beyond

    def fresh(self) -> None:
        """Check that fresh cards are there, and that there are such cards at all (4.3, TR-Q12)."""
        fresh, piles = self.state["fresh"], self.state["piles"]
        if self.rulings.options["pickup_fresh"] and fresh:
            self.add(("fresh",), "must be empty: with pickup_fresh no card has to wait")
        for place, (cell, height) in enumerate(fresh):
            if cell >= len(piles) or height >= len(piles[cell]):
                self.add(("fresh", place), "there is no such card; it must be the cell and the place in its pile")
            elif [cell, height] in fresh[:place]:
                self.add(("fresh", place), "the card is named twice")

    def cards(self) -> bool:
        """Check that no card is named twice, and that cards are hidden only from somebody (1.1, 15).

        Return whether none is named twice, so that hidden places can be counted.
        """
        seen: Counter[str] = Counter()
        for path, cards in zones(self.state):
            for card in cards:
                seen[card] += 1
                if card == UNKNOWN and self.state["view"] is None:
                    self.add(path, "'?' needs a 'view': with open cards every card is named")
                elif card != UNKNOWN and seen[card] == 2:
                    self.add(path, f"'{card}' is named twice, but there is only one")
        return all(number < 2 for card, number in seen.items() if card != UNKNOWN)

    def colours(self) -> None:
        """Check who can lie where (2.3, 2.4, 5, 11.1)."""
        infirmary_own = "infirmary" in (self.rulings.rescue[True, True], self.rulings.rescue[True, False])
        for colour in self.pack.colours:
            for name in ("deck", "trench"):
                for card in self.state[name][colour]:
                    if card != UNKNOWN and self.colour_of(card) != colour:
                        self.add((name, colour), f"'{card}' is no {colour} card")
            for card in self.state["infirmary"][colour]:
                if self.colour_of(card) == colour and not infirmary_own:
                    self.add(("infirmary", colour), f"'{card}' is no enemy card")
        if self.state["players"] > 1:
            return
        other = next(colour for colour in self.pack.colours if colour != self.state["starter"])
        alone = "in a game for one the other colour has no soldiers"
        if self.state["trench"][other]:
            self.add(("trench", other), f"must be empty: {alone}")
        for place, card in enumerate(soldier["card"] for soldier in self.state["soldiers"]):
            if self.colour_of(card) == other:
                self.add(("soldiers", place, "card"), f"'{card}' is {other}; {alone}")

    def movers(self) -> None:
        """Check who is to move and who has moved (3, 11.1)."""
        state, mover = self.state, self.state["to_move"]
        if state["players"] == 1 and mover != state["starter"]:
            self.add(("to_move",), "must be the starter: in a game for one the same colour always moves")
        own = {*state["trench"][mover], *(soldier["card"] for soldier in state["soldiers"])}
        for place, card in enumerate(state["moved"]):
            if card not in own or self.colour_of(card) != mover:
                self.add(("moved", place), f"'{card}' is no soldier of {mover}, who is to move")
            elif card in state["moved"][:place]:
                self.add(("moved", place), f"'{card}' is named twice")
        if self.rulings.options["score"] != "rescued" and any(state["carried_home"].values()):
            self.add(("carried_home",), "must be 0: it counts only where the score is the cards carried home")

    def phase(self) -> None:
        """Check what goes with the phase (7)."""
        state, turn, limit = self.state, self.state["turn"], self.rulings.turn_limit
        plays, withdraws, over = (state["phase"] == phase for phase in PHASES)
        instant, kills = self.rulings.options["withdrawal"] == "instant", self.rulings.withdrawal_kills
        lying = any(state["piles"]) or any(soldier["carries"] is not None for soldier in state["soldiers"])
        for name, is_wrong, message in (
            ("turn", plays and turn > limit, f"the last turn is {limit}; set turn_limit for a longer game"),
            ("turn", withdraws and turn <= limit, f"the withdrawal comes after the last turn, {limit}"),
            ("phase", withdraws and instant, "there is no withdrawal: soldiers come home at once"),
            ("piles", lying and (over or (withdraws and kills)), "must be empty: the wounded on the field have died"),
            ("soldiers", over and state["soldiers"], "must be empty: the game is over when nobody is on the field"),
            ("to_move", over and state["to_move"] != state["starter"], "must be the starter when the game is over"),
            ("moved", over and state["moved"], "must be empty when the game is over"),
            ("fresh", over and state["fresh"], "must be empty when the game is over"),
        ):
            if is_wrong:
                self.add((name,), message)

    def tape_and_side(self) -> None:
        """Check that a tape has the next shell and no roll that is thrown again (15, TR-Q18), and the side (TR-Q1)."""
        tape, shells = self.rulings.tape, self.state["counters"]["shells"]
        if tape and shells >= len(tape):
            self.add(("counters", "shells"), f"the tape has {len(tape)} shells, numbered from 0, not {shells}")
        for a, b in tape:
            if None in (self.rulings.line(roll, self.state["size"]) for roll in (a, b)):
                self.add((), f"chance.lists.shells: [{a}, {b}] holds a roll that is thrown again on this field")
        side = self.rulings.options["near_side"]
        if side != "coin" and self.state["near"] != side:
            self.add(("near",), f"must be '{side}', as near_side says")

    def view(self) -> None:
        """Check that hidden cards can be exactly the cards not seen (8.3, 15)."""
        is_open = self.rulings.chance.is_open("cards")
        if is_open != (self.state["view"] is None):
            message = "must be left out: cards are open" if is_open else "must name a colour: cards are hidden"
            self.add(("view",), message)
        if self.state["view"] is None or is_open:
            return
        everything = [card for _, cards in zones(self.state) for card in cards]
        unseen = [card for card in self.pack.codes[:-1] if card not in everything]
        hidden = everything.count(UNKNOWN)
        if more := hidden - len(unseen):
            piles = self.state["piles"]
            decks = " and ".join(str(cards.count(UNKNOWN)) for cards in self.state["deck"].values())
            dark = " ".join(cell_text(cell, self.state["size"]) for cell, cards in enumerate(piles) if UNKNOWN in cards)
            remedy = (
                "more where you saw them, or write so many ? more" if more < 0 else f"more of these as empty: {dark}"
            )
            here = f"{sum(cards.count(UNKNOWN) for cards in piles)} in the piles, {decks} in the decks"
            numbers = f"{hidden} cards lie unknown ({here}), but {len(unseen)} are not in sight"
            self.add((), f"{numbers}; name {abs(more)} {remedy}")
        for colour in self.pack.colours:
            places = self.state["deck"][colour].count(UNKNOWN)
            own = sum(self.colour_of(card) == colour for card in unseen)
            if places > own:
                self.add(("deck", colour), f"has {places} '?', but only {own} {colour} cards are named nowhere")
