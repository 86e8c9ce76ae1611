"""What a soldier can do, as moves in words, and what comes of it (4.1 to 4.3, 5, 7.3).

A move's text names cards by code, and a group as in ``7S+9C``. It names a front cell by its column as in ``x2``, any
other cell by column and row as in ``2,3``.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from rules.core.scripts import CardMove, Move, Word
from rules.trench_rescue.content import PLAY, Soldier
from rules.trench_rescue.turn import HalfTurn, read_cell

HOME: Final = "home"
"""The destination in the own trench."""
Act: TypeAlias = CardMove
"""What one soldier does where it is: ``cycle``, ``peek`` or ``drop`` (4.1)."""


@dataclass(frozen=True, slots=True)
class Enter:
    """One soldier, or a stack of them, leaves the trench (4.1, TR-Q10)."""

    cards: tuple[str, ...]
    """In canonical order."""
    where: str
    """The front cell, or the cell a stack goes on to."""

    @property
    def text(self) -> str:
        """``enter 7C x1`` or ``enter 4C+9S 2,3``."""
        return f"enter {'+'.join(self.cards)} {self.where}"


@dataclass(frozen=True, slots=True)
class Go:
    """A soldier or a stack of one cell moves (4.2)."""

    cards: tuple[str, ...]
    """In canonical order."""
    where: str
    """A cell, or ``home``."""
    take: bool = False
    """The top card of the pile comes along."""
    carrier: str | None = None
    """Who carries in the end, where that is chosen (TR-Q13)."""

    @property
    def text(self) -> str:
        """``go 7S+9C home take`` or ``go 4C+9S 2,3 take by 4C``."""
        take = " take" if self.take else ""
        by = f" by {self.carrier}" if self.carrier else ""
        return f"go {'+'.join(self.cards)} {self.where}{take}{by}"


END: Final = Word("end")
"""The half-turn ends (4.0.4)."""


class ActiveHalf(HalfTurn):
    """A half-turn with what soldiers can do."""

    def actions(self) -> list[Move]:
        """Return the open actions in the order of 4.4; ``end`` only where it is legal (4.0.4, 7.3, TR-Q6, TR-Q20)."""
        rulings = self.rulings
        playing = self.phase == PLAY
        moves: list[Move] = []
        own, moved = self.own_soldiers(self.to_move), self.moved
        ready = [card for card in self.trench[self.to_move] if card not in moved]
        if playing:
            moves.extend(Act("cycle", self.pack.codes[card]) for card in ready)
        if playing or rulings.options["withdrawal_trench"]:
            moves.extend(self._entries(ready))
        if playing:
            can_see = [one for one in own if one.card not in moved and self.sees(one) is not None]
            moves.extend(Act("peek", self.pack.codes[one.card]) for one in can_see)
        moves.extend(self._walks())
        busy = bool(moves)
        if self.cards_move():
            unmoved = rulings.drop_moves or rulings.options["drop_when"] == "before_move"
            can_drop = [one for one in own if one.carries is not None and not (unmoved and one.card in moved)]
            moves.extend(Act("drop", self.pack.codes[one.card]) for one in can_drop)  # 4.1, TR-Q9
        if not self.end_forbidden(busy):
            moves.append(END)
        return moves

    def end_forbidden(self, busy: bool) -> str:
        """Return the rule that keeps a half-turn going, or an empty text; ``busy``: a soldier can still move."""
        options = self.rulings.options
        if self.phase == PLAY:
            return "TR-Q6" if busy and not options["idle_allowed"] else ""
        left = {soldier.card for soldier in self.own_soldiers(self.to_move)} - self.moved
        return "7.3" if options["withdrawal"] == "direct_home" and left else ""

    def cards_move(self) -> bool:
        """Return whether wounded cards can be carried now; withdrawing only where the hit can be rescued (7.3)."""
        return self.phase == PLAY or not self.rulings.withdrawal_kills

    def _entries(self, ready: Sequence[int]) -> Iterator[Move]:
        """Yield how soldiers that are at home and have not moved can leave the trench."""
        codes, columns = self.pack.codes, range(1, self.size + 1)
        yield from (Enter((codes[card],), f"x{column}") for card in ready for column in columns)
        for k in range(2, len(ready) + 1 if self.rulings.options["stack_from_trench"] else 0):
            cells = [cell for cell in range(self.size**2) if self.home_distance(self.to_move, cell) <= k]
            for group in combinations(ready, k):
                yield from (Enter(self.codes(group), self.entry_text(cell)) for cell in cells)

    def entry_text(self, cell: int) -> str:
        """Return how an entry names a cell: a front cell by its column alone."""
        return f"x{cell % self.size + 1}" if self.home_distance(self.to_move, cell) == 1 else self.cell_text(cell)

    def sees(self, soldier: Soldier) -> int | None:
        """Return the card that a soldier looks at: what it carries, else the top of its pile (4.1, TR-Q8)."""
        if soldier.carries is not None and self.rulings.options["peek_carried"]:
            return soldier.carries
        pile = self.piles[soldier.cell]
        return pile[-1] if pile else None

    def _walks(self) -> list[Move]:
        """Return every ``go`` of every group (4.2), in the order of 4.4."""
        by_cell: dict[int, list[Soldier]] = {}
        for soldier in sorted(self.own_soldiers(self.to_move)):
            if soldier.card not in self.moved:
                by_cell.setdefault(soldier.cell, []).append(soldier)
        groups: list[tuple[Soldier, ...]] = []
        for here in by_cell.values():
            least = 1 if self.rulings.options["stack_split"] else len(here)
            groups += [group for k in range(least, len(here) + 1) for group in combinations(here, k)]
        groups.sort(key=lambda group: (len(group), group))
        return [move for group in groups for move in self._walks_of(group)]

    def _walks_of(self, group: tuple[Soldier, ...]) -> Iterator[Move]:
        carriers = sum(soldier.carries is not None for soldier in group)
        if carriers > 1:
            return
        cell, cards = group[0].cell, self.codes([soldier.card for soldier in group])
        places = self.destinations(cell, len(group))
        for take in (False, True):
            if take and (carriers or not self.takes(cell)):
                return
            chooses = self.rulings.carrier_chosen and len(group) > 1 and (take or carriers > 0)
            for place in [*places, *([self.cell_text(cell)] if take and self.rulings.options["hold_in_place"] else ())]:
                carriers_to_be: Sequence[str | None] = cards if chooses and place != HOME else [None]
                yield from (Go(cards, place, take, carrier) for carrier in carriers_to_be)

    def takes(self, cell: int) -> bool:
        """Return whether the top card of a pile can be picked up now (4.2, 4.3)."""
        pile = self.piles[cell]
        return bool(pile) and self.cards_move() and (cell, len(pile) - 1) not in self.fresh

    def destinations(self, cell: int, k: int) -> list[str]:
        """Return where a group of k soldiers may go, cells in index order, home last (4.2, 7.3)."""
        colour, here = self.to_move, self.home_distance(self.to_move, cell)
        homeward = self.phase != PLAY and self.rulings.options["withdrawal"] == "direct_home"
        places = [
            self.cell_text(other)
            for other in range(self.size**2)
            if 1 <= self.distance(cell, other) <= k and (not homeward or self.home_distance(colour, other) < here)
        ]
        return [*places, HOME] if here <= k else places

    def perform(self, move: Move) -> None:
        """Carry out an action other than ``end``."""
        if isinstance(move, Act):
            getattr(self, f"_{move.verb}")(self.pack.numbers[move.card])
        elif isinstance(move, Enter):
            self._enter(move)
        elif isinstance(move, Go):
            self._go(move)

    def _cycle(self, card: int) -> None:
        self.trench[self.to_move].remove(card)
        self.join_deck(card)
        self.emit("4.1", "cycles", card=self.pack.codes[card])
        self.moved.add(self.reinforce("4.1", "draws"))

    def reinforce(self, rule: str, kind: str) -> int:
        """Draw a card of the own deck into the trench and return it."""
        drawn = self.draw(self.to_move)
        insort(self.trench[self.to_move], drawn)
        self.emit(rule, kind, card=self.pack.codes[drawn], colour=self.pack.colours[self.to_move])
        return drawn

    def _enter(self, move: Enter) -> None:
        where = f"{move.where[1:]},{self.front(self.to_move)}" if move.where.startswith("x") else move.where
        cell = read_cell(where, self.size)
        for card in self.pack.read(move.cards):
            self.trench[self.to_move].remove(card)
            self.place(Soldier(card, None, cell))
            self.moved.add(card)
        self.emit("4.1" if len(move.cards) == 1 else "TR-Q10", "enters", cards=move.cards, cell=self.cell_text(cell))

    def soldier_of(self, card: int) -> Soldier:
        """Return the soldier on the field with this card."""
        return next(soldier for soldier in self.soldiers if soldier.card == card)

    def _peek(self, card: int) -> None:
        soldier = self.soldier_of(card)
        self.moved.add(card)
        seen = self.sees(soldier)
        assert seen is not None
        if seen == self.unknown and self.view == self.to_move:
            seen = self.turn_up()
            if soldier.carries is not None and self.rulings.options["peek_carried"]:
                self.change(soldier, soldier._replace(carries=seen))
            else:
                self.piles[soldier.cell] = (*self.piles[soldier.cell][:-1], seen)
        shown = self.view is None or self.view == self.to_move
        self.emit("4.1", "peeks", card=self.pack.codes[card], seen=self.pack.codes[seen] if shown else None)

    def _drop(self, card: int) -> None:
        soldier = self.soldier_of(card)
        assert soldier.carries is not None
        pile = self.piles[soldier.cell]
        if self.rulings.drop_moves:
            self.moved.add(card)
        elif card in self.moved and not self.rulings.options["pickup_fresh"]:
            insort(self.fresh, (soldier.cell, len(pile)))
        self.piles[soldier.cell] = (*pile, soldier.carries)
        self.change(soldier, soldier._replace(carries=None))
        lying, cell = self.pack.codes[soldier.carries], self.cell_text(soldier.cell)
        self.emit("4.1", "drops", card=self.pack.codes[card], wounded=lying, cell=cell)

    def _go(self, move: Go) -> None:
        cards = self.pack.read(move.cards)
        group = [self.soldier_of(card) for card in cards]
        start = group[0].cell
        load = next((soldier.carries for soldier in group if soldier.carries is not None), None)
        if move.take:
            load = self._pick_up(start)
            self.emit("4.2", "picks_up", cards=move.cards, wounded=self.pack.codes[load])
        self.moved.update(cards)
        if move.where == HOME:
            self._come_home(group, load)
            return
        cell = read_cell(move.where, self.size)
        carrier = self.pack.numbers[move.carrier] if move.carrier else cards[-1]
        for soldier in group:
            self.leave(soldier)
        for card in cards:
            self.place(Soldier(card, load if card == carrier else None, cell))
        kind = "goes" if cell != start else "holds"
        self.emit("4.2", kind, cards=move.cards, start=self.cell_text(start), cell=self.cell_text(cell))

    def _pick_up(self, cell: int) -> int:
        """Take the top card of a pile and return it, turned up where the rules show it (4.2, TR-Q14)."""
        *rest, top = self.piles[cell]
        shown = self.rulings.options["reveal_on_pickup"]
        if top == self.unknown and (shown == "all" or (shown == "carrier" and self.view == self.to_move)):
            top = self.turn_up()
        self.piles[cell] = tuple(rest)
        return top

    def _come_home(self, group: list[Soldier], load: int | None) -> None:
        """Bring a group into its trench and resolve what it carries (4.2, 5)."""
        cards = [soldier.card for soldier in group]
        if load == self.unknown:
            load = self._turned_up_at_home(group)
        for soldier in group:
            self.leave(soldier)
            insort(self.trench[self.to_move], soldier.card)
        self.emit("4.2", "comes_home", cards=self.codes(cards))
        if load is not None:
            self._resolve(load, max(self.pack.value[card] for card in cards))

    def _turned_up_at_home(self, group: list[Soldier]) -> int:
        """Turn a hidden card up while it still counts among the hidden places, though it may be picked up already."""
        if any(soldier.carries == self.unknown for soldier in group):
            return self.turn_up()
        first = group[0]
        self.change(first, first._replace(carries=self.unknown))
        card = self.turn_up()
        self.change(first._replace(carries=self.unknown), first)
        return card

    def _resolve(self, card: int, value: int) -> None:
        colour, owner = self.to_move, self.pack.colour[card]
        place = self.rulings.rescue[owner == colour, self.pack.value[card] <= value]
        if self.rulings.options["score"] == "rescued":
            self.carried_home[colour] += 1
        self.emit("5", f"to_{place}", card=self.pack.codes[card], value=value, colour=self.pack.colours[owner])
        if place == "trench":
            insort(self.trench[colour], card)
            if not self.rulings.options["rescued_acts_now"]:
                self.moved.add(card)
        elif place == "infirmary":
            insort(self.infirmary[colour], card)
        else:
            self.join_deck(card)

    def idles(self, move: Move) -> bool:
        """Return whether an action only uses up a move, where nothing asks who has moved.

        Looking at what is no news to the table does, and so does going back to an empty deck.
        """
        rulings = self.rulings
        if not isinstance(move, Act) or not (rulings.options["idle_allowed"] and rulings.options["stack_split"]):
            return False
        if move.verb == "cycle":
            return not self.deck[self.to_move] and (rulings.queue or not rulings.deck_open)
        return move.verb == "peek" and self.view != self.to_move
