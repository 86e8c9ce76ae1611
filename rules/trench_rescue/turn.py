"""The half-turns of Trench Rescue with all that follows each: barrages, turns and the end (4, 6, 7)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from rules.core.race import Race
from rules.core.scripts import Asking, Exploring, Question, Script, every_way
from rules.core.steps import Forced, Outcome, Step
from rules.core.turns import State, TurnEnd
from rules.trench_rescue.actions import END, actions, idles, perform, reinforce
from rules.trench_rescue.barrage import begin_barrage, drop_shell, end_turn, gain, score
from rules.trench_rescue.half_turn import Barrage, HalfTurn
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, PLAY, Table, decode, encode


class DeadEnd(Exception):
    """Nobody can act any more, and the half-turn may not end here."""


Bounds = Callable[[HalfTurn], bool]
"""Whether a half-turn may end as it stands."""


class Node(NamedTuple):
    """A place inside a half-turn, and the first way that led there."""

    table: Table
    barrage: Barrage | None
    steps: tuple[Step | Forced, ...]


class HalfTurns(Race[Table]):
    """The play of Trench Rescue under one ruleset, for one or two players, with one set of open chance results."""

    def __init__(self, rulings: Rulings) -> None:
        self.rulings = rulings
        self.players = rulings.players
        self.pack = rulings.pack

    def outcome(self, table: Table) -> Outcome | None:
        """Return who has the higher score; a player alone wins with a gain (7.4)."""
        if table.phase != OVER:
            return None
        if table.players == 1:
            return Outcome((0,) if gain(self.rulings, table, table.starter) > 0 else (), "7.4")
        scores = [score(self.rulings, table, colour) for colour in range(table.players)]
        best = max(scores)
        return Outcome(() if scores.count(best) > 1 else (scores.index(best),), "7.4")

    def encode(self, table: Table) -> dict[str, Any]:
        """Return the canonical ``state`` object (15)."""
        return encode(self.pack, table)

    def decode(self, state_object: Mapping[str, Any]) -> Table:
        """Return the table of a complete canonical ``state`` object (15)."""
        return decode(self.pack, state_object, arrival=self.rulings.arrival)

    def play_turn(self, table: Table, script: Script) -> Table:
        """Run the half-turn of the player to move, and what follows it at once (4, 6, 7)."""
        half = HalfTurn(self.rulings, table, script)
        self.run(half)
        return half.frozen()

    def unfinished(self, state: State[Table]) -> Table:
        """Return the table in the middle of a turn."""
        turn = HalfTurn(self.rulings, state.table, Asking(state.pending))
        with suppress(Question):
            self.run(turn)
        return turn.frozen()

    def run(self, half: HalfTurn) -> None:
        """Run a half-turn on a working copy, which shows how far it got when a question stops it."""
        while not self._step(half):
            pass

    def settled(self, state: State[Table]) -> State[Table]:
        """Return the state with its half-turn as part of the table, but where chance is asked (3)."""
        if not state.pending:
            return state
        half = HalfTurn(self.rulings, state.table, Asking(state.pending))
        try:
            self.run(half)
        except Question as question:
            return State(half.frozen()) if question.actor >= 0 else state
        return State(half.frozen())

    def _step(self, half: HalfTurn, bounds: Bounds | None = None) -> bool:
        """Take one action or let one shell fall; return whether the half-turn is over with all that follows.

        ``bounds`` can forbid the end of a half-turn that the rules allow. With it actions are left out that only use
        up a move: looking at what is no news to the table, where nothing asks who has moved.
        """
        if half.barrage is not None:
            return drop_shell(half) and end_turn(half)
        if half.phase == OVER:
            return True
        seat = half.to_move if self.players > 1 else 0
        if self.reinforces(half):
            reinforce(half, half.to_move, "TR-Q23", "reinforced")
        move = half.script.decide(seat, lambda: _open(half, bounds), always=True)
        if move != END:
            perform(half, move)
            return False
        half.emit("4.0.4", "ends", colour=half.colour_name(half.to_move))
        return begin_barrage(half) and end_turn(half)

    def may_end(self, half: HalfTurn) -> bool:
        """Return whether a half-turn may end as it stands by the question that is asked; the rules allow it."""
        return True

    def reinforces(self, half: HalfTurn) -> bool:
        """Return whether the player to move draws first; it can only be true when the half-turn begins (TR-Q23)."""
        colour = half.to_move
        if not half.rulings.draw_when_empty or half.phase != PLAY or half.trench[colour] or not half.deck[colour]:
            return False
        return not half.own_soldiers(colour)

    def colour_of(self, table: Table, seat: int) -> int:
        """Return the colour of a seat: black is seat 0 and red seat 1, a player alone is seat 0 (11.1)."""
        return table.starter if self.players == 1 else seat

    def gain(self, table: Table, seat: int = 0) -> int:
        """Return what a player's score has grown by since the set-up (7.4)."""
        return gain(self.rulings, table, self.colour_of(table, seat))

    def distinct_ends(self, table: Table, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[Table]]:
        """Yield one way to every table that the half-turn can end in, orders of the same moves walked once."""
        ends: set[Table] = set()
        seen: set[tuple[Table, Barrage | None]] = {(table, None)}
        nodes = deque([Node(table, None, ())])
        given: Sequence[Step | Forced] = pending
        while nodes:
            node = nodes.popleft()
            for done, following in self._followers(node, given):
                if not done and following[:2] not in seen:
                    seen.add(following[:2])
                    nodes.append(following)
                elif done and following.table not in ends:
                    ends.add(following.table)
                    if self.keeps(following.table):
                        yield TurnEnd(following.steps, following.table)
            given = ()

    def _followers(self, node: Node, given: Sequence[Step | Forced]) -> Iterator[tuple[bool, Node]]:
        """Yield what every first step from a node leads to, and whether the half-turn is over there.

        Steps ``given`` are taken first, however many they are.
        """
        for script in every_way(Exploring, given):
            half = HalfTurn(self.rulings, node.table, script, node.barrage)
            try:
                done = self._step(half, self.may_end)
                while not done and script.unread:
                    done = self._step(half, self.may_end)
            except DeadEnd:
                continue
            yield done, Node(half.frozen(), half.barrage, (*node.steps, *script.steps))


def _open(half: HalfTurn, bounds: Bounds | None) -> Sequence[Any]:
    options = actions(half)
    if bounds is None:
        return options
    if options[-1:] == [END] and not bounds(half):
        options.pop()
    options = [move for move in options if not idles(half, move)]
    if not options:
        raise DeadEnd
    return options
