"""Ladder as the shared parts see it: rulesets, positions, and the rules bound to both."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from rules.ladder.game import Ladder
from rules.ladder.state import Table as LadderTable

from rules.core.challenge import Aim
from rules.core.registry import GameDefinition, Meta, Ruleset, Setting, entries, ruleset_table
from rules.core.schema import Integer, Schema, Table, Text, table_of


class RulesTable:
    """Numbers of the rules."""

    top: Annotated[int, Integer(1, 999), "L4: the rung at which the player has won"]
    hand: Annotated[int, Integer(0, 99), "L1: cards in the hand at the start"]
    draw: Annotated[int, Integer(1, 9), "L3: cards drawn by a rest"]


class CardEntry:
    """A kind of card."""

    name: Annotated[str, "what people read"]
    climbs: Annotated[int, Integer(-99, 99), "L2: rungs it climbs"]
    copies: Annotated[int, Integer(1, 99), "L1: copies in the box"]


class LadderDefinition(GameDefinition):
    """The game's part in reading rulesets and positions."""

    title = "Ladder"
    sources: ClassVar = {"deck": True}
    state_file = LadderTable

    def ruleset_schema(self) -> Table:
        """Return the shape of a resolved ruleset."""
        return ruleset_table(Meta, RulesTable, self.option_table.schema, cards=entries(table_of(CardEntry)))

    def named_shapes(self, ruleset: Ruleset, players: int = 1) -> Mapping[str, Schema]:
        """Return the shape of the ids of cards."""
        return {"card": Text(tuple(ruleset.raw["cards"]), kind="a card of this ruleset")}

    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card a state holds."""
        return Counter([*state["deck"], *state["discard"], *state["hand"]])

    def build(self, setting: Setting, aim: Aim | None = None) -> Ladder:
        """Return the rules bound to a ruleset and to the open results of chance."""
        return Ladder(setting.ruleset.raw, setting.chance)
