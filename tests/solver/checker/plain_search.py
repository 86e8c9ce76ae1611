"""What a small question is worth, by plain search: every move that is open, turn by turn, as the rules apply it.

It shares nothing with the checker but the rules: no bound, no form, no script, and a challenge's own word for its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from rules.core.challenge import Measure, Quest
from rules.core.files import canonical_json
from rules.core.position import Position, load_position
from rules.core.race import Race
from rules.core.scripts import Forced

NODES = 6_000
"""Moves played at most for one question."""


class TooMuch(Exception):
    """A question is too large for plain search, or not one of a player alone who knows all."""


@dataclass
class Question:
    """A claim's question; progress, bans and what is kept are read off its plain values."""

    claim: Mapping[str, Any]
    left: int = NODES
    position: Position = field(init=False)
    layers: list[dict[str, tuple[Any, set[str]]]] = field(init=False)
    """After each turn every table by its text, with the texts of those before it."""

    def __post_init__(self) -> None:
        goal = self.claim["goal"]
        self.position = load_position(canonical_json(self.claim["position"]))
        game, self.start = self.position.start()
        assert isinstance(game, Race)
        self.game: Race[Any] = game
        self.quest: Quest[Any] | None = None
        if "challenge" in goal:
            quest = self.position.towards(goal["challenge"], goal["seat"], goal["terms"]).game
            assert isinstance(quest, Quest)
            self.quest = quest
        held = self.game.owned(self.start.table, goal["seat"])
        self.keeping = copy(self.game)
        self.keeping.kept = {name: held[name] for name in goal.get("kept", ())}
        if self.game.is_over(self.start.table) or self.position.hidden or self.position.players > 1:
            raise TooMuch
        self.layers = [{self.text(self.start.table): (self.start.table, set())}]

    def text(self, table: Any) -> str:
        return canonical_json(self.game.encode(table))

    @property
    def by_score(self) -> bool:
        return self.quest is not None and self.quest.challenge.measure is Measure.SCORE

    def is_banned(self, text: str) -> bool:
        words = text.split()
        return any(words[: len(ban.split())] == ban.split() for ban in self.claim["goal"]["forbidden"])

    def ends(self, state: Any) -> Iterator[Any]:
        """Yield the table after every way to end a turn."""
        self.left -= 1
        if self.left < 0:
            raise TooMuch
        steps = self.game.legal_moves(state) or self.game.chance_outcomes(state)
        if len(steps) > 1 and not self.game.legal_moves(state):
            raise TooMuch
        for step in steps:
            if self.is_banned(step.text):
                continue
            found = self.game.apply(state, step)
            if getattr(self.quest, "quiet", False) and any(event.kind == "barrage" for event in found.events):
                continue
            if found.state.pending:
                yield from self.ends(found.state)
            elif self.keeping.keeps(found.state.table):
                yield found.state.table

    def after(self, turns: int) -> dict[str, tuple[Any, set[str]]]:
        """Return the tables after so many turns; those of games that are over stay."""
        while len(self.layers) <= turns:
            later: dict[str, tuple[Any, set[str]]] = {}
            begun = self.start.pending if len(self.layers) == 1 else ()
            for name, (table, _) in self.layers[-1].items():
                if not begun and self.game.is_over(table):
                    tables = [table]
                elif any(self.is_banned(step.text) for step in begun if not isinstance(step, Forced)):
                    tables = []
                else:
                    tables = list(self.ends(self.start if begun else type(self.start)(table)))
                for end in tables:
                    later.setdefault(self.text(end), (end, set()))[1].add(name)
            self.layers.append(later)
        return self.layers[turns]

    def is_there(self, table: Any) -> bool:
        """Return whether the target is reached: a challenge's own, whatever number a claim names."""
        goal = self.claim["goal"]
        if self.quest is not None:
            return bool(self.quest.reached(table))
        return bool(self.game.progress(table, goal["seat"]) >= goal["target"])

    def first(self, most: int | None) -> int | None:
        """Return the fewest turns to the target, or nothing where ``most``, or all there are, do not get there."""
        turns = 0
        while most is None or turns <= most:
            tables = [table for table, _ in self.after(turns).values()]
            if not (turns == 0 and self.start.pending) and any(map(self.is_there, tables)):
                return turns
            if not any(not self.game.is_over(table) for table in tables):
                return None
            turns += 1
        return None

    def farthest(self, turns: int) -> int | None:
        """Return the greatest progress after so many turns, or nothing where no line counts."""
        tables = [table for table, _ in self.after(turns).values()]
        if self.quest is not None and self.by_score:
            return max((self.quest.done(table) for table in tables if self.game.is_over(table)), default=None)
        return max((self.game.progress(table, self.claim["goal"]["seat"]) for table in tables), default=None)

    def is_true(self) -> bool:
        """Return whether the claim is true.

        Raises:
            TooMuch: that is not to be found out so.
        """
        claim, goal = self.claim, self.claim["goal"]
        within, value, impossible = goal["within_turns"], claim["value"], claim["status"] == "infeasible"
        if goal["objective"] == "max_distance":
            return bool(self.farthest(within) == (None if impossible else value))
        first = self.first(within)
        if impossible or first is None:
            return impossible and first is None
        clock = None if self.quest is None else self.quest.clock()
        if goal["objective"] == "reach":
            return bool(value == 1)
        return bool(value == first if clock is None else clock.rounds(value) == clock.rounds(first))
