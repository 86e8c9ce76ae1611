"""The working copy of a table during one half-turn, with the chance it draws on."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from rules.core.scripts import Script
from rules.core.steps import ChanceOutcome, Narrated
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Soldier, Table, by_arrival

MISS = "miss"
"""A hidden shell that falls where nobody stands; which cell it was changes nothing."""


class Barrage(NamedTuple):
    """A barrage under way."""

    shells: int
    """Shells that were to fall when it began (6.2)."""
    fallen: int


class HalfTurn(Narrated):
    """One run of a half-turn: the table in the making, the script that answers, the log that is told."""

    __slots__ = (
        "barrage",
        "carried_home",
        "dead",
        "deck",
        "draws",
        "fresh",
        "infirmary",
        "log",
        "moved",
        "pack",
        "phase",
        "piles",
        "rulings",
        "script",
        "shells",
        "size",
        "soldiers",
        "starter",
        "table",
        "to_move",
        "trench",
        "turn",
        "unknown",
        "view",
    )

    def __init__(self, rulings: Rulings, table: Table, script: Script, barrage: Barrage | None = None) -> None:
        self.rulings = rulings
        self.pack = rulings.pack
        self.unknown = rulings.pack.unknown
        self.table = table
        self.script = script
        self.log = script.log
        self.barrage = barrage
        """Nothing while soldiers act."""
        self.carried_home = list(table.carried_home)
        self.dead = list(table.dead)
        self.deck = [list(deck) for deck in table.deck]
        self.draws = list(table.draws)
        self.fresh = list(table.fresh)
        self.infirmary = [list(zone) for zone in table.infirmary]
        self.moved = set(table.moved)
        self.phase = table.phase
        self.piles = list(table.piles)
        self.shells = table.shells
        self.size = table.size
        self.soldiers = list(table.soldiers)
        self.starter = table.starter
        self.to_move = table.to_move
        self.trench = [list(zone) for zone in table.trench]
        self.turn = table.turn
        self.view = table.view

    def frozen(self) -> Table:
        """Return the table as it is now."""
        table = self.table
        return Table(
            carried_home=(self.carried_home[0], self.carried_home[1]),
            dead=tuple(self.dead),
            deck=(tuple(self.deck[0]), tuple(self.deck[1])),
            draws=(self.draws[0], self.draws[1]),
            fresh=tuple(self.fresh),
            infirmary=(tuple(self.infirmary[0]), tuple(self.infirmary[1])),
            moved=tuple(sorted(self.moved)),
            near=table.near,
            phase=self.phase,
            piles=tuple(self.piles),
            players=table.players,
            shells=self.shells,
            size=table.size,
            soldiers=tuple(self.soldiers),
            starter=self.starter,
            to_move=self.to_move,
            trench=(tuple(self.trench[0]), tuple(self.trench[1])),
            turn=self.turn,
            view=table.view,
        )

    # Words

    def code(self, card: int) -> str:
        """Return the code of a card."""
        return self.pack.codes[card]

    def codes(self, cards: Sequence[int]) -> tuple[str, ...]:
        """Return the codes of cards."""
        return tuple(self.pack.codes[card] for card in cards)

    def colour_name(self, colour: int) -> str:
        """Return the name of a colour."""
        return self.pack.colours[colour]

    # The field

    def front(self, colour: int) -> int:
        """Return the row along a player's trench (1.5)."""
        return 1 if colour == self.table.near else self.size

    def home_distance(self, colour: int, cell: int) -> int:
        """Return the rows from a cell to a player's trench, 1 in the front row (1.5)."""
        return abs(cell // self.size + 1 - self.front(colour)) + 1

    def distance(self, cell: int, other: int) -> int:
        """Return the spaces between two cells (4.2)."""
        row, column = divmod(cell, self.size)
        other_row, other_column = divmod(other, self.size)
        return abs(row - other_row) + abs(column - other_column)

    def cell_text(self, cell: int) -> str:
        """Return ``2,3`` for column 2 of row 3."""
        return cell_text(cell, self.size)

    def own_soldiers(self, colour: int) -> list[Soldier]:
        """Return a player's soldiers on the field."""
        colours = self.pack.colour
        return [soldier for soldier in self.soldiers if colours[soldier.card] == colour]

    def place(self, soldier: Soldier) -> None:
        """Let a soldier enter its cell, behind those who stand there already (TR-Q5)."""
        if self.rulings.arrival:
            self.soldiers = list(by_arrival([*self.soldiers, soldier]))
        else:
            insort(self.soldiers, soldier)

    def leave(self, soldier: Soldier) -> None:
        """Take a soldier off the field."""
        self.soldiers.remove(soldier)
        if self.rulings.arrival:
            self.soldiers = list(by_arrival(self.soldiers))

    def change(self, old: Soldier, new: Soldier) -> None:
        """Replace a soldier by itself with another card in its hands."""
        self.soldiers[self.soldiers.index(old)] = new

    # Chance

    def draw(self, colour: int) -> int:
        """Take and return a card of a deck that is not empty (4.1, 9)."""
        deck = self.deck[colour]
        rulings = self.rulings
        if rulings.queue:
            return deck.pop(0)
        deck.sort()
        if rulings.deck_open:
            card = rulings.drawn(colour, tuple(deck), self.draws[colour])
            self.draws[colour] += 1
            deck.remove(card)
            return card
        card = self._reveal("deck", self.deck_chances(colour))
        deck.remove(card if card in deck else self.unknown)
        return card

    def deck_chances(self, colour: int) -> list[tuple[int, Fraction]]:
        """Return what a hidden deck may give: known cards, and cards that its unknown places may hold (8.3)."""
        deck = self.deck[colour]
        total = len(deck)
        chances = [(card, Fraction(1, total)) for card in deck if card != self.unknown]
        places = total - len(chances)
        if places:
            unseen = [card for card in self.unseen() if self.pack.colour[card] == colour]
            chances += [(card, Fraction(places, total * len(unseen))) for card in unseen]
        return sorted(chances)

    def turn_up(self) -> int:
        """Return the identity that chance gives to a hidden card on the field (8.3, 15)."""
        unseen = self.unseen()
        places = sum(pile.count(self.unknown) for pile in self.piles) + self.dead.count(self.unknown)
        places += sum(soldier.carries == self.unknown for soldier in self.soldiers)
        chances = []
        for colour in range(len(self.pack.colours)):
            own = [card for card in unseen if self.pack.colour[card] == colour]
            outside = len(own) - self.deck[colour].count(self.unknown)
            if outside:
                chances += [(card, Fraction(outside, places * len(own))) for card in own]
        return self._reveal("cards", chances)

    def unseen(self) -> list[int]:
        """Return the cards whose place the viewing player does not know (8.3)."""
        seen = set(self.dead).union(*self.deck, *self.infirmary, *self.trench, *self.piles)
        for soldier in self.soldiers:
            seen.add(soldier.card)
            if soldier.carries is not None:
                seen.add(soldier.carries)
        return [card for card in range(self.unknown) if card not in seen]

    def _reveal(self, source: str, chances: Sequence[tuple[int, Fraction]]) -> int:
        cases = lcm(*(chance.denominator for _, chance in chances))
        outcomes = [
            ChanceOutcome(source, self.code(card), chance.numerator * (cases // chance.denominator), cases)
            for card, chance in chances
        ]
        self.script.purpose = "the card drawn from the deck" if source == "deck" else "the wounded who is looked at"
        return self.pack.numbers[self.script.chance(lambda: outcomes).result]

    def shell_cell(self) -> int | None:
        """Return the cell that a hidden shell falls on, or nothing where it cannot hit anybody (6.3)."""
        ways = self.rulings.cell_ways(self.size)
        cells = sorted({soldier.cell for soldier in self.soldiers})
        cases = sum(ways)
        outcomes = [ChanceOutcome("shells", self.cell_text(cell), ways[cell], cases) for cell in cells]
        missing = cases - sum(ways[cell] for cell in cells)
        if missing:
            outcomes.append(ChanceOutcome("shells", MISS, missing, cases))
        self.script.purpose = "the cell that the shell falls on"
        result = self.script.chance(lambda: outcomes).result
        return None if result == MISS else read_cell(result, self.size)

    def join_deck(self, card: int) -> None:
        """Put a card into the deck of its colour (4.1, 5)."""
        deck = self.deck[self.pack.colour[card]]
        deck.append(card)
        if not self.rulings.queue:
            deck.sort()


def cell_text(cell: int, size: int) -> str:
    """Return ``2,3`` for column 2 of row 3."""
    row, column = divmod(cell, size)
    return f"{column + 1},{row + 1}"


def read_cell(text: str, size: int) -> int:
    """Return the index of a cell written as column and row (1.4)."""
    column, row = (int(part) for part in text.split(","))
    return (row - 1) * size + column - 1
