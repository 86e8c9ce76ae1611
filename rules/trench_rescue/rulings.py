"""The rules bound to their options and to the open results of chance, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from rules.core.chance import Chance, SplitMix64, stream
from rules.core.errors import ContentError, Fault
from rules.core.registry import Option
from rules.trench_rescue.state import Pack

DRAW_EVENTS: Final = 1
SHELL_EVENTS: Final = 2
DECK_EVENTS: Final = 3
FIELD_EVENTS: Final = 4
STARTER_EVENTS: Final = 5
SIDE_EVENTS: Final = 6
"""Kinds of chance events, as streams number them (15)."""
NO_SHELLS: Final = "none"
"""The list of shells that says that none ever falls (15)."""


class Rulings:
    """What turns ask: numbers, answers to open questions, and results of open chance."""

    def __init__(
        self, raw: Mapping[str, Any], pack: Pack, options: Mapping[str, Option], players: int, chance: Chance
    ) -> None:
        self.pack = pack
        self.players = players
        self.chance = chance
        self.options = options
        rules = raw["rules"]
        self.field_size: int = rules["field_size"]
        self.trench_cards: int = rules["trench_cards"]
        self.die_sides: int = rules["die_sides"]
        self.solitaire_colour = self.pack.colours.index(rules["solitaire_colour"])
        self.laid: dict[int, int] = {field["size"]: field["cards_per_colour"] for field in raw["fields"].values()}
        """Cards of each colour on the field, by its size (2.2)."""
        rescue = raw["rescue"]
        self.rescue = {
            (own, within): rescue[f"{'own' if own else 'enemy'}_{'within' if within else 'above'}"]
            for own in (True, False)
            for within in (True, False)
        }
        """Where a rescued card goes: of the own colour or not, within the rescuer's value or not (5)."""
        self.turn_limit = int(options["turn_limit"])
        self.after_each = options["barrage_timing"] == "after_each"
        self.alternate = options["starter_order"] == "alternate" and players > 1
        self.arrival = options["hit_pile_order"] == "arrival"
        self.idle_allowed = bool(options["idle_allowed"])
        self.rescued_acts_now = bool(options["rescued_acts_now"])
        self.peek_carried = bool(options["peek_carried"])
        self.drop_moves = options["drop_cost"] == "move"
        self.drop_unmoved = self.drop_moves or options["drop_when"] == "before_move"
        self.stack_from_trench = bool(options["stack_from_trench"])
        self.stack_split = bool(options["stack_split"])
        self.pickup_fresh = bool(options["pickup_fresh"])
        self.hold_in_place = bool(options["hold_in_place"])
        self.carrier_chosen = options["stack_carrier"] == "chosen"
        self.reveal_on_pickup = str(options["reveal_on_pickup"])
        self.min_one_shell = options["shell_rule"] == "floor_half_min_one"
        self.shell_recount = bool(options["shell_recount"])
        self.zero_rerolls = options["fold_zero"] == "reroll"
        self.folds = options["shell_die"] == "fold"
        self.last_barrage = bool(options["last_barrage"])
        self.withdrawal = str(options["withdrawal"])
        self.withdrawal_kills = options["withdrawal_hit"] == "dies"
        self.withdrawal_trench = bool(options["withdrawal_trench"])
        self.score = str(options["score"])
        self.draw_when_empty = options["reinforcement"] == "draw_when_empty"
        self.own_counted = options["shell_count_of"] == "own"
        self.queue = options["deck_mode"] == "queue"
        self.deck_open = chance.is_open("deck")
        self.shells_open = chance.is_open("shells")
        lists = chance.lists
        deck_lists = lists.get("deck", [[], []])
        self.deck_orders = [[self.pack.read(order) for order in orders] for orders in deck_lists]
        """By colour: an order of each draw (15)."""
        shells = lists.get("shells", [])
        self.shells_fall = shells != NO_SHELLS
        self.tape: tuple[tuple[int, int], ...] = tuple((a, b) for a, b in shells) if self.shells_fall else ()

    def line(self, roll: int, size: int) -> int | None:
        """Return the column or row that a roll means, or nothing where the die is thrown again (6.4)."""
        if roll <= size:
            return roll
        if not self.folds:
            return None
        remainder = roll % size
        if remainder:
            return remainder
        return None if self.zero_rerolls else size

    def line_ways(self, size: int) -> tuple[int, ...]:
        """Return how many rolls lead to each line; all rolls that are not thrown again are equally likely (6)."""
        lines = [self.line(roll, size) for roll in range(1, self.die_sides + 1)]
        return tuple(lines.count(line) for line in range(1, size + 1))

    def cell_ways(self, size: int) -> tuple[int, ...]:
        """Return how many pairs of rolls lead to each cell, in index order."""
        return _cell_ways(self.line_ways(size))

    def drawn(self, colour: int, deck: tuple[int, ...], event: int) -> int:
        """Return the card that one draw of an open deck takes; ``deck`` is sorted (15)."""
        orders = self.deck_orders[colour]
        if event < len(orders):
            return next((card for card in orders[event] if card in deck), deck[0])
        return deck[self.stream(DRAW_EVENTS, colour, event).below(len(deck))]

    def shell(self, size: int, event: int) -> tuple[int, int, int]:
        """Return both rolls of one open shell and the cell it falls on (15).

        Raises:
            ContentError: the rolls are listed, and one of these would be thrown again.
        """
        if self.tape:
            a, b = self.tape[event % len(self.tape)]
            column, row = self.line(a, size), self.line(b, size)
            if column is None or row is None:
                raise ContentError([Fault(f"[{a}, {b}] holds a roll that is thrown again", "chance.lists.shells")])
            return a, b, (row - 1) * size + column - 1
        generator = self.stream(SHELL_EVENTS, 0, event)
        a, column = self._thrown(generator, size)
        b, row = self._thrown(generator, size)
        return a, b, (row - 1) * size + column - 1

    def next_shell(self, event: int) -> int:
        """Return the number of the shell after ``event``; a tape begins again (15)."""
        return (event + 1) % len(self.tape) if self.tape else event + 1

    def _thrown(self, generator: SplitMix64, size: int) -> tuple[int, int]:
        while True:
            roll = generator.below(self.die_sides) + 1
            line = self.line(roll, size)
            if line is not None:
                return roll, line

    def stream(self, kind: int, owner: int, event: int) -> SplitMix64:
        """Return the generator of one open event.

        Raises:
            ContentError: there is no seed, and lists do not reach so far.
        """
        seed = self.chance.seed
        if seed is None:
            message = "an open source has run out of listed results and there is no seed; give chance.seed"
            raise ContentError([Fault(message, "chance")])
        return stream(seed, kind, owner, event)


@lru_cache(maxsize=16)
def _cell_ways(lines: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(column * row for row in lines for column in lines)
