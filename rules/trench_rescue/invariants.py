"""What a state can never look like, however it came about (1.4, 2, 3, 7, 8.3, 11.1, 15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.core.errors import listed
from rules.core.schema import Faults
from rules.trench_rescue.cards import HIDDEN
from rules.trench_rescue.positions import zones
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, PLAY, WITHDRAW


class StateCheck:
    """Looks for every invariant that a complete state breaks; a puzzle may leave cards out, never add any."""

    def __init__(self, rulings: Rulings, state: Mapping[str, Any], faults: Faults) -> None:
        self.rulings = rulings
        self.pack = rulings.pack
        self.state = state
        self.add = faults.add

    def run(self) -> None:
        """Note all faults."""
        if self.field():
            self.fresh()
        self.cards()
        self.colours()
        self.movers()
        self.phase()
        self.counters()
        self.tape()
        self.near()
        self.view()

    def colour_of(self, card: str) -> str:
        """Return the colour of a known card."""
        return self.pack.colours[self.pack.colour[self.pack.numbers[card]]]

    def field(self) -> bool:
        """Check the size of the field and that everything lies on it (1.4, 2.2); return whether it does."""
        size, sizes = self.state["size"], self.rulings.laid
        if size not in sizes:
            known = listed(str(number) for number in sorted(sizes))
            self.add(("size",), f"there is no field of size {size}; sizes: {known}")
            return False
        if len(self.state["piles"]) != size**2:
            message = f"must be {size**2} lists, one for each cell of a field of size {size}"
            self.add(("piles",), f"{message}, not {len(self.state['piles'])}")
            return False
        for place, soldier in enumerate(self.state["soldiers"]):
            if soldier["cell"] >= size**2:
                message = f"the cells of a field of size {size} are 0 to {size**2 - 1}, or '1,1' to '{size},{size}'"
                self.add(("soldiers", place, "cell"), message)
        return True

    def fresh(self) -> None:
        """Check that fresh cards are there, and that there are such cards at all (4.3, TR-Q12)."""
        if self.rulings.pickup_fresh and self.state["fresh"]:
            self.add(("fresh",), "must be empty: with pickup_fresh no card has to wait")
        piles = self.state["piles"]
        for place, entry in enumerate(self.state["fresh"]):
            cell, height = entry
            if cell >= len(piles) or height >= len(piles[cell]):
                self.add(("fresh", place), "there is no such card; it must be the cell and the place in its pile")
            elif entry in self.state["fresh"][:place]:
                self.add(("fresh", place), "the card is named twice")

    def cards(self) -> None:
        """Check that no card is named twice, and that cards are hidden only from somebody (1.1, 15)."""
        seen: Counter[str] = Counter()
        for path, cards in zones(self.state):
            for card in cards:
                seen[card] += 1
                if card == HIDDEN and self.state["view"] is None:
                    self.add(path, "'?' needs a 'view': with open cards every card is named")
                elif card != HIDDEN and seen[card] == 2:
                    self.add(path, f"'{card}' is named twice, but there is only one")

    def colours(self) -> None:
        """Check who can lie where (2.3, 2.4, 5, 11.1)."""
        infirmary_own = "infirmary" in (self.rulings.rescue[True, True], self.rulings.rescue[True, False])
        for colour in self.pack.colours:
            for name in ("deck", "trench"):
                for card in self.state[name][colour]:
                    if card != HIDDEN and self.colour_of(card) != colour:
                        self.add((name, colour), f"'{card}' is no {colour} card")
            for card in self.state["infirmary"][colour]:
                if self.colour_of(card) == colour and not infirmary_own:
                    self.add(("infirmary", colour), f"'{card}' is no enemy card")
        if self.state["players"] > 1:
            return
        other = next(colour for colour in self.pack.colours if colour != self.state["starter"])
        if self.state["trench"][other]:
            self.add(("trench", other), "must be empty: in a game for one the other colour has no soldiers")
        for place, soldier in enumerate(self.state["soldiers"]):
            if self.colour_of(soldier["card"]) == other:
                message = f"'{soldier['card']}' is {other}; in a game for one the other colour has no soldiers"
                self.add(("soldiers", place, "card"), message)

    def movers(self) -> None:
        """Check who is to move and who has moved (3, 11.1)."""
        state = self.state
        mover = state["to_move"]
        if state["players"] == 1 and mover != state["starter"]:
            self.add(("to_move",), "must be the starter: in a game for one the same colour always moves")
        own = {*state["trench"][mover], *(soldier["card"] for soldier in state["soldiers"])}
        for place, card in enumerate(state["moved"]):
            if card not in own or self.colour_of(card) != mover:
                self.add(("moved", place), f"'{card}' is no soldier of {mover}, who is to move")
            elif card in state["moved"][:place]:
                self.add(("moved", place), f"'{card}' is named twice")
        if self.rulings.score != "rescued" and any(state["carried_home"].values()):
            self.add(("carried_home",), "must be 0: it counts only where the score is the cards carried home")

    def phase(self) -> None:
        """Check what goes with the phase (7)."""
        state, phase = self.state, self.state["phase"]
        limit = self.rulings.turn_limit
        if phase == PLAY and state["turn"] > limit:
            self.add(("turn",), f"the last turn is {limit}; set turn_limit for a longer game")
        if phase == WITHDRAW and state["turn"] <= limit:
            self.add(("turn",), f"the withdrawal comes after the last turn, {limit}")
        if phase == WITHDRAW and self.rulings.withdrawal == "instant":
            self.add(("phase",), "there is no withdrawal: soldiers come home at once")
        lying = any(state["piles"]) or any(soldier["carries"] is not None for soldier in state["soldiers"])
        if lying and (phase == OVER or (phase == WITHDRAW and self.rulings.withdrawal_kills)):
            self.add(("piles",), "must be empty: the wounded on the field have died")
        if phase != OVER:
            return
        if state["soldiers"]:
            self.add(("soldiers",), "must be empty: the game is over when nobody is on the field")
        if state["to_move"] != state["starter"]:
            self.add(("to_move",), "must be the starter when the game is over")
        for name in ("moved", "fresh"):
            if state[name]:
                self.add((name,), "must be empty when the game is over")

    def counters(self) -> None:
        """Check that a tape has a shell of the number that comes next (15)."""
        tape, shells = self.rulings.tape, self.state["counters"]["shells"]
        if tape and shells >= len(tape):
            self.add(("counters", "shells"), f"the tape has {len(tape)} shells, numbered from 0, not {shells}")

    def tape(self) -> None:
        """Check that no roll of a tape would be thrown again (15, TR-Q18)."""
        size = self.state["size"]
        for a, b in self.rulings.tape:
            if size in self.rulings.laid and None in (self.rulings.line(a, size), self.rulings.line(b, size)):
                self.add((), f"chance.lists.shells: [{a}, {b}] holds a roll that is thrown again on this field")

    def near(self) -> None:
        """Check the side (1.5, TR-Q1)."""
        side = self.rulings.options["near_side"]
        if side != "coin" and self.state["near"] != side:
            self.add(("near",), f"must be '{side}', as near_side says")

    def view(self) -> None:
        """Check that hidden cards can be exactly the cards not seen (8.3, 15)."""
        view = self.state["view"]
        is_open = self.rulings.chance.is_open("cards")
        if is_open != (view is None):
            message = "must be left out: cards are open" if is_open else "must name a colour: cards are hidden"
            self.add(("view",), message)
        if view is None or is_open:
            return
        seen = {card for _, cards in zones(self.state) for card in cards}
        unseen = [card for card in self.pack.codes[:-1] if card not in seen]
        hidden = sum(cards.count(HIDDEN) for _, cards in zones(self.state))
        if hidden != len(unseen):
            message = (
                f"{hidden} places are '?', but {len(unseen)} cards are named nowhere; both must be as many "
                f"(here piles have {sum(cards.count(HIDDEN) for cards in self.state['piles'])}, the decks "
                f"{' and '.join(str(cards.count(HIDDEN)) for cards in self.state['deck'].values())})"
            )
            self.add((), message)
        for colour in self.pack.colours:
            places = self.state["deck"][colour].count(HIDDEN)
            own = sum(self.colour_of(card) == colour for card in unseen)
            if places > own:
                self.add(("deck", colour), f"has {places} '?', but only {own} {colour} cards are named nowhere")
