"""The working copy of a table during one half-turn: the field, chance, shells, the end, and the score (6, 7, 9)."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from rules.core.scripts import Asking, ChanceOutcome, Exploring, Narrated, Script, every_way
from rules.trench_rescue.content import OVER, PLAY, WITHDRAW, Rulings, Soldier, Table, by_arrival

MISS = "miss"
"""A hidden shell that falls where nobody stands; which cell it was changes nothing."""


class Barrage(NamedTuple):
    """A barrage under way."""

    shells: int
    """Shells that were to fall when it began (6.2)."""
    fallen: int


class HalfTurn(Narrated):
    """One run of a half-turn: the table in the making, the script that answers, the log that is told."""

    __slots__ = (*Table._fields, "barrage", "pack", "rulings", "table", "unknown")

    def __init__(self, rulings: Rulings, table: Table, script: Script, barrage: Barrage | None = None) -> None:
        self.rulings, self.pack, self.unknown = rulings, rulings.pack, rulings.pack.unknown
        super().__init__(script)
        self.table, self.barrage = table, barrage
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
        return self.table._replace(
            carried_home=(self.carried_home[0], self.carried_home[1]),
            dead=tuple(self.dead),
            deck=(tuple(self.deck[0]), tuple(self.deck[1])),
            draws=(self.draws[0], self.draws[1]),
            fresh=tuple(self.fresh),
            infirmary=(tuple(self.infirmary[0]), tuple(self.infirmary[1])),
            moved=tuple(sorted(self.moved)),
            phase=self.phase,
            piles=tuple(self.piles),
            shells=self.shells,
            soldiers=tuple(self.soldiers),
            starter=self.starter,
            to_move=self.to_move,
            trench=(tuple(self.trench[0]), tuple(self.trench[1])),
            turn=self.turn,
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
            outside = len(own) - self.deck[colour].count(self.unknown)
            if outside:
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
            ChanceOutcome(source, self.code(card), chance.numerator * (cases // chance.denominator), cases)
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


def cell_text(cell: int, size: int) -> str:
    """Return ``2,3`` for column 2 of row 3."""
    row, column = divmod(cell, size)
    return f"{column + 1},{row + 1}"


def read_cell(text: str, size: int) -> int:
    """Return the index of a cell written as column and row (1.4)."""
    column, row = (int(part) for part in text.split(","))
    return (row - 1) * size + column - 1


# What follows a half-turn: the barrage, the next turn, the end


def is_first_half(half: HalfTurn) -> bool:
    """Return whether the other player still has a half-turn in this turn (1.7)."""
    return half.table.players > 1 and half.to_move == half.starter


def shells_due(half: HalfTurn) -> int:
    """Return how many shells fall if the half-turn ends now (6.1, 6.2, 15, TR-Q19)."""
    rulings = half.rulings
    last = half.phase == PLAY and half.turn >= rulings.turn_limit
    waits = is_first_half(half) and not rulings.after_each
    none = waits or not rulings.shells_fall or (last and not rulings.options["last_barrage"])
    return 0 if none else _shells(half)


def _shells(half: HalfTurn) -> int:
    """Return the number of shells for those who stand on the field now (6.2, TR-Q16, TR-Q26)."""
    own = half.rulings.options["shell_count_of"] == "own"
    counted = half.own_soldiers(half.to_move) if own else half.soldiers
    n = len(counted)
    return max(n // 2, int(half.rulings.min_one_shell and n > 0))


def begin_barrage(half: HalfTurn) -> bool:
    """Begin the barrage after a half-turn, if one is due; return whether nothing of it is left (6)."""
    half.fresh = []
    half.moved = set()
    shells = shells_due(half)
    if is_first_half(half) and not half.rulings.after_each:
        return True
    half.emit("6.2", "barrage" if shells else "quiet", soldiers=len(half.soldiers), shells=shells)
    if shells:
        half.barrage = Barrage(shells, 0)
    return not shells


def drop_shell(half: HalfTurn) -> bool:
    """Let one shell of the barrage under way fall; return whether it was the last (6.3 to 6.7)."""
    assert half.barrage is not None
    rulings = half.rulings
    if rulings.shells_open:
        a, b, cell = rulings.shell(half.size, half.shells)
        half.shells = rulings.next_shell(half.shells)
        half.emit("6.3", "shell", rolls=(a, b), cell=half.cell_text(cell))
        _hit(half, cell)
    else:
        hidden = half.shell_cell()
        if hidden is not None:
            half.emit("6.3", "shell", rolls=None, cell=half.cell_text(hidden))
            _hit(half, hidden)
        else:
            half.emit("6.7", "misses")
    fallen = half.barrage.fallen + 1
    due = _shells(half) if rulings.options["shell_recount"] else half.barrage.shells
    half.barrage = Barrage(half.barrage.shells, fallen) if fallen < due else None
    return half.barrage is None


def _hit(half: HalfTurn, cell: int) -> None:
    """Hit everybody in a cell (6.5, 6.6, TR-Q21)."""
    hit = [soldier for soldier in half.soldiers if soldier.cell == cell]
    for soldier in hit:
        half.leave(soldier)
    carried = [soldier.carries for soldier in hit if soldier.carries is not None]
    cards = [soldier.card for soldier in hit]
    if not hit:
        half.emit("6.7", "misses")
    elif half.phase == WITHDRAW and half.rulings.withdrawal_kills:
        half.dead = sorted([*half.dead, *carried, *cards])
        half.emit("TR-Q21", "killed", cards=half.codes(cards), cell=half.cell_text(cell))
    else:
        half.piles[cell] = (*half.piles[cell], *carried, *cards)
        half.emit("6.5", "hit", cards=half.codes(cards), cell=half.cell_text(cell))


def end_turn(half: HalfTurn) -> bool:
    """Pass the move, begin the next turn, or end a phase (4.0.4, 7); return that the half-turn is over."""
    if is_first_half(half):
        half.to_move = 1 - half.to_move
    elif half.phase == PLAY and half.turn < half.rulings.turn_limit:
        _next_turn(half)
    elif half.phase == PLAY:
        _last_turn(half)
    elif half.soldiers:
        _next_turn(half)
    else:
        _wounded_die(half)
        _over(half)
    return True


def _next_turn(half: HalfTurn) -> None:
    """Begin the next turn (7.1, TR-Q3)."""
    half.turn += 1
    if half.rulings.alternate:
        half.starter = 1 - half.starter
    half.to_move = half.starter
    half.emit("7.1", "turn", turn=half.turn)


def _last_turn(half: HalfTurn) -> None:
    """Let the wounded die, and end the game or begin the withdrawal (7.2, TR-Q20)."""
    _wounded_die(half)
    if half.soldiers and half.rulings.options["withdrawal"] == "instant":
        for soldier in half.soldiers:
            insort(half.trench[half.pack.colour[soldier.card]], soldier.card)
        half.emit("TR-Q20", "comes_home", cards=half.codes([soldier.card for soldier in half.soldiers]))
        half.soldiers = []
    if half.soldiers:
        half.phase = WITHDRAW
        half.emit("7.2", "withdrawal")
        _next_turn(half)
    else:
        _over(half)


def _wounded_die(half: HalfTurn) -> None:
    """Take every wounded card on the field, carried or not, out of the game (7.2)."""
    lost = half.frozen().lying
    if not lost:
        return
    half.piles = [()] * len(half.piles)
    half.soldiers = [Soldier(soldier.card, None, soldier.cell) for soldier in half.soldiers]
    half.dead = sorted([*half.dead, *lost])
    half.emit("7.2", "wounded_die", cards=half.codes(sorted(lost)))


def _over(half: HalfTurn) -> None:
    half.phase = OVER
    half.to_move = half.starter
    half.emit("7.4", "over")


def score(rulings: Rulings, table: Table, colour: int) -> int:
    """Return a player's score in cards (7.4, TR-Q22)."""
    if rulings.options["score"] == "rescued":
        return table.carried_home[colour]
    home = len(table.trench[colour]) + len(table.infirmary[colour])
    return home if rulings.options["score"] == "home" else home + len(table.deck[colour])


def gain(rulings: Rulings, table: Table, colour: int) -> int:
    """Return the score less what a deal leaves beside the field; with another score than the total, the score (7.4)."""
    beside = len(rulings.pack.of_colour[colour]) - rulings.laid[table.size]
    return score(rulings, table, colour) - (beside if rulings.options["score"] == "total" else 0)


def shelled(half: HalfTurn) -> dict[Table, Fraction]:
    """Return what the next shells make of a table if all half-turns before them end now, before anything else."""
    rulings = half.rulings
    waits = is_first_half(half) and not rulings.after_each
    opening = HalfTurn(rulings, half.table._replace(to_move=1 - half.to_move if waits else half.to_move), Asking(()))
    begin_barrage(opening)
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
                drop_shell(half)
                taken = [step for step in script.steps if isinstance(step, ChanceOutcome)]
                following[half.frozen(), half.barrage] += chance * (taken[0].probability if taken else 1)
        layer = following
    return done
