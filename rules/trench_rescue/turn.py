"""The working copy of a table during one half-turn: the field, chance, shells, the end, and the score (6, 7, 9)."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from rules.core.scripts import Asking, ChanceOutcome, Exploring, Narrated, Script, every_way
from rules.trench_rescue.content import OVER, PLAY, WITHDRAW, Counters, Rulings, Soldier, Table, by_arrival

MISS = "miss"
"""A hidden shell that falls where nobody stands; which cell it was changes nothing."""


class Barrage(NamedTuple):
    """A barrage under way."""

    shells: int
    """Shells that were to fall when it began (6.2)."""
    fallen: int


class HalfTurn(Narrated):
    """One run of a half-turn: the table in the making, the script that answers, the log that is told."""

    def __init__(self, rulings: Rulings, table: Table, script: Script, barrage: Barrage | None = None) -> None:
        self.rulings, self.pack, self.unknown = rulings, rulings.pack, rulings.pack.unknown
        super().__init__(script)
        self.table, self.barrage = table, barrage
        """Nothing while soldiers act."""
        carried_home, counters, dead, deck, fresh, infirmary, moved, self.near, self.phase, piles = table[:10]
        self.players, self.size, soldiers, self.starter, self.to_move, trench, self.turn, self.view = table[10:]
        self.draws, self.shells = list(counters.deck), counters.shells
        self.carried_home, self.dead, self.fresh = list(carried_home), list(dead), list(fresh)
        self.moved, self.piles, self.soldiers = set(moved), list(piles), list(soldiers)
        self.deck, self.infirmary, self.trench = ([list(zone) for zone in zones] for zones in (deck, infirmary, trench))

    def frozen(self) -> Table:
        """Return the table as it is now."""
        now = {name: getattr(self, name) for name in Table._fields if name != "counters"}
        now |= {name: tuple(now[name]) for name in ("carried_home", "dead", "fresh", "piles", "soldiers")}
        now |= {name: tuple(map(tuple, now[name])) for name in ("deck", "infirmary", "trench")}
        now["counters"] = Counters((self.draws[0], self.draws[1]), self.shells)
        return Table(**{**now, "moved": tuple(sorted(self.moved))})

    # Words

    def codes(self, cards: Sequence[int]) -> tuple[str, ...]:
        """Return the codes of cards."""
        return tuple(self.pack.codes[card] for card in cards)

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
        deck, rulings = self.deck[colour], self.rulings
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
        deck, places = self.deck[colour], self.deck[colour].count(self.unknown)
        chances = [(card, Fraction(1, len(deck))) for card in deck if card != self.unknown]
        unseen = [card for card in self.unseen() if self.pack.colour[card] == colour] if places else []
        return sorted([*chances, *((card, Fraction(places, len(deck) * len(unseen))) for card in unseen)])

    def turn_up(self) -> int:
        """Return the identity that chance gives to a hidden card on the field (8.3, 15)."""
        unseen = self.unseen()
        places = sum(pile.count(self.unknown) for pile in self.piles) + self.dead.count(self.unknown)
        places += sum(soldier.carries == self.unknown for soldier in self.soldiers)
        chances = []
        for colour in range(len(self.pack.colours)):
            own = [card for card in unseen if self.pack.colour[card] == colour]
            if outside := len(own) - self.deck[colour].count(self.unknown):
                chances += [(card, Fraction(outside, places * len(own))) for card in own]
        return self._reveal("cards", chances)

    def unseen(self) -> list[int]:
        """Return the cards whose place the viewing player does not know (8.3)."""
        out = (card for soldier in self.soldiers for card in (soldier.card, soldier.carries))
        seen = {*self.dead}.union(*self.deck, *self.infirmary, *self.trench, *self.piles, out)
        return [card for card in range(self.unknown) if card not in seen]

    def _reveal(self, source: str, chances: Sequence[tuple[int, Fraction]]) -> int:
        cases = lcm(*(chance.denominator for _, chance in chances))
        outcomes = [
            ChanceOutcome(source, self.pack.codes[card], chance.numerator * (cases // chance.denominator), cases)
            for card, chance in chances
        ]
        self.script.purpose = "the card drawn from the deck" if source == "deck" else "the wounded who is looked at"
        return self.pack.numbers[self.script.chance(lambda: outcomes).result]

    def shell_cell(self) -> int | None:
        """Return the cell that a hidden shell falls on, or nothing where it cannot hit anybody (6.3)."""
        ways = self.rulings.cell_ways[self.size]
        chances = {self.cell_text(cell): ways[cell] for cell in sorted({soldier.cell for soldier in self.soldiers})}
        cases = sum(ways)
        chances[MISS] = cases - sum(chances.values())
        outcomes = [ChanceOutcome("shells", text, number, cases) for text, number in chances.items() if number]
        self.script.purpose = "the cell that the shell falls on"
        result = self.script.chance(lambda: outcomes).result
        return None if result == MISS else read_cell(result, self.size)

    def join_deck(self, card: int) -> None:
        """Put a card into the deck of its colour (4.1, 5)."""
        deck = self.deck[self.pack.colour[card]]
        deck.append(card)
        if not self.rulings.queue:
            deck.sort()

    # What follows a half-turn: the barrage, the next turn, the end

    def is_first_half(self) -> bool:
        """Return whether the other player still has a half-turn in this turn (1.7)."""
        return self.table.players > 1 and self.to_move == self.starter

    def shells_due(self) -> int:
        """Return how many shells fall if the half-turn ends now (6.1, 6.2, 15, TR-Q19)."""
        rulings = self.rulings
        last = self.phase == PLAY and self.turn >= rulings.turn_limit
        waits = self.is_first_half() and not rulings.after_each
        none = waits or not rulings.shells_fall or (last and not rulings.options["last_barrage"])
        return 0 if none else self._shells()

    def _shells(self) -> int:
        """Return the number of shells for those who stand on the field now (6.2, TR-Q16, TR-Q26)."""
        own = self.rulings.options["shell_count_of"] == "own"
        n = len(self.own_soldiers(self.to_move) if own else self.soldiers)
        return max(n // 2, int(self.rulings.min_one_shell and n > 0))

    def begin_barrage(self) -> bool:
        """Begin the barrage after a half-turn, if one is due; return whether nothing of it is left (6)."""
        self.fresh = []
        self.moved = set()
        shells = self.shells_due()
        if not self.is_first_half() or self.rulings.after_each:
            self.emit("6.2", "barrage" if shells else "quiet", soldiers=len(self.soldiers), shells=shells)
            self.barrage = Barrage(shells, 0) if shells else None
        return not shells

    def drop_shell(self) -> bool:
        """Let one shell of the barrage under way fall; return whether it was the last (6.3 to 6.7)."""
        assert self.barrage is not None
        rulings = self.rulings
        rolls: tuple[int, int] | None = None
        cell: int | None
        if rulings.shells_open:
            a, b, cell = rulings.shell(self.size, self.shells)
            rolls, self.shells = (a, b), rulings.next_shell(self.shells)
        else:
            cell = self.shell_cell()
        if cell is None:
            self.emit("6.7", "misses")
        else:
            self.emit("6.3", "shell", rolls=rolls, cell=self.cell_text(cell))
            self._hit(cell)
        fallen = self.barrage.fallen + 1
        due = self._shells() if rulings.options["shell_recount"] else self.barrage.shells
        self.barrage = Barrage(self.barrage.shells, fallen) if fallen < due else None
        return self.barrage is None

    def _hit(self, cell: int) -> None:
        """Hit everybody in a cell (6.5, 6.6, TR-Q21)."""
        hit = [soldier for soldier in self.soldiers if soldier.cell == cell]
        for soldier in hit:
            self.leave(soldier)
        carried = [soldier.carries for soldier in hit if soldier.carries is not None]
        cards = [soldier.card for soldier in hit]
        if not hit:
            self.emit("6.7", "misses")
        elif self.phase == WITHDRAW and self.rulings.withdrawal_kills:
            self.dead = sorted([*self.dead, *carried, *cards])
            self.emit("TR-Q21", "killed", cards=self.codes(cards), cell=self.cell_text(cell))
        else:
            self.piles[cell] = (*self.piles[cell], *carried, *cards)
            self.emit("6.5", "hit", cards=self.codes(cards), cell=self.cell_text(cell))

    def end_turn(self) -> bool:
        """Pass the move, begin the next turn, or end a phase (4.0.4, 7); return that the half-turn is over."""
        if self.is_first_half():
            self.to_move = 1 - self.to_move
        elif self.phase == PLAY and self.turn >= self.rulings.turn_limit:
            self._last_turn()
        elif self.phase == PLAY or self.soldiers:
            self._next_turn()
        else:
            self._wounded_die()
            self._over()
        return True

    def _next_turn(self) -> None:
        """Begin the next turn (7.1, TR-Q3)."""
        self.turn += 1
        if self.rulings.alternate:
            self.starter = 1 - self.starter
        self.to_move = self.starter
        self.emit("7.1", "turn", turn=self.turn)

    def _last_turn(self) -> None:
        """Let the wounded die, and end the game or begin the withdrawal (7.2, TR-Q20)."""
        self._wounded_die()
        if self.soldiers and self.rulings.options["withdrawal"] == "instant":
            for soldier in self.soldiers:
                insort(self.trench[self.pack.colour[soldier.card]], soldier.card)
            self.emit("TR-Q20", "comes_home", cards=self.codes([soldier.card for soldier in self.soldiers]))
            self.soldiers = []
        if self.soldiers:
            self.phase = WITHDRAW
            self.emit("7.2", "withdrawal")
            self._next_turn()
        else:
            self._over()

    def _wounded_die(self) -> None:
        """Take every wounded card on the field, carried or not, out of the game (7.2)."""
        if lost := sorted(self.frozen().lying):
            self.piles = [()] * len(self.piles)
            self.soldiers = [soldier._replace(carries=None) for soldier in self.soldiers]
            self.dead = sorted([*self.dead, *lost])
            self.emit("7.2", "wounded_die", cards=self.codes(lost))

    def _over(self) -> None:
        self.phase = OVER
        self.to_move = self.starter
        self.emit("7.4", "over")


def cell_text(cell: int, size: int) -> str:
    """Return ``2,3`` for column 2 of row 3."""
    row, column = divmod(cell, size)
    return f"{column + 1},{row + 1}"


def find_cell(text: str, size: int) -> int | None:
    """Return the index of a cell that somebody has written, or nothing where the field has no such cell."""
    return next((cell for cell in range(size**2) if cell_text(cell, size) == text), None)


def read_cell(text: str, size: int) -> int:
    """Return the index of a cell written as column and row (1.4)."""
    column, row = (int(part) for part in text.split(","))
    return (row - 1) * size + column - 1


def score(rulings: Rulings, table: Table, colour: int) -> int:
    """Return a player's score in cards (7.4, TR-Q22)."""
    if rulings.options["score"] == "rescued":
        return table.carried_home[colour]
    deck = () if rulings.options["score"] == "home" else table.deck[colour]
    return len(table.trench[colour]) + len(table.infirmary[colour]) + len(deck)


def gain(rulings: Rulings, table: Table, colour: int) -> int:
    """Return the score less what a deal leaves beside the field; with another score than the total, the score (7.4)."""
    beside = len(rulings.pack.of_colour[colour]) - rulings.laid[table.size]
    return score(rulings, table, colour) - (beside if rulings.options["score"] == "total" else 0)


def shelled(half: HalfTurn) -> dict[Table, Fraction]:
    """Return what the next shells make of a table if all half-turns before them end now, before anything else."""
    rulings = half.rulings
    waits = half.is_first_half() and not rulings.after_each
    opening = HalfTurn(rulings, half.table._replace(to_move=1 - half.to_move if waits else half.to_move), Asking(()))
    opening.begin_barrage()
    layer = {(opening.frozen(), opening.barrage): Fraction(1)}
    done = defaultdict[Table, Fraction](Fraction)
    while layer:
        following = defaultdict[tuple[Table, Barrage | None], Fraction](Fraction)
        for (here, barrage), chance in layer.items():
            if barrage is None:
                done[here] += chance
                continue
            for script in every_way(Exploring):
                half = HalfTurn(rulings, here, script, barrage)
                half.drop_shell()
                taken = [step for step in script.steps if isinstance(step, ChanceOutcome)]
                following[half.frozen(), half.barrage] += chance * (taken[0].probability if taken else 1)
        layer = following
    return done
