"""``GAP``: tables that can be reached and that the rules do not cover.

The rules core plays random games, guided games and every turn of a small walk. Somebody can always move until the game
is over. No turn breaks the rules' own procedure. Every table has the shape that the rules state and reads back as
itself. Cards neither appear nor vanish. Doubtful rules that the options decide are no gaps; how
many of their numbers were met is told.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from rules.core.chance import SplitMix64, mix
from rules.core.errors import BestlineError
from rules.core.position import Position, new_position
from rules.core.schema import Faults
from rules.core.scripts import OVER
from rules.core.turns import State, TurnEnd
from solver.audit.finding import Level, Notebook, Searched, Witness
from solver.audit.play import mover, texts
from solver.search.budget import Budget

GAMES: Final = 4
"""Games for each number of players and each kind of chance, every second one guided."""
TURNS: Final = 150
"""Turns of a game at most."""
WAYS: Final = 4
"""Ways through a turn of which a guided player takes the most promising one."""
WALKED: Final = 400
"""Tables from which every way through the next turn is looked at, from one deal."""
SHOWN: Final = 3
"""Findings of one kind at most."""
BROKEN: Final = (*(BestlineError, ArithmeticError, AssertionError, LookupError, RecursionError, TypeError, ValueError),)
"""What rules raise that break down."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Something that the rules do not cover."""

    kind: str
    """``no move``, ``breaks down``, ``faults``, ``cards`` or ``reading``."""
    words: str
    line: tuple[str, ...]
    """Texts of the steps that lead there."""
    position: Position


class Prober:
    """Looks at tables of one position's game."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.game: Any = position.game
        self.census = position.definition.census(position.state, position)

    def hole(self, table: Any, line: tuple[str, ...]) -> Hole | None:
        """Return what is wrong with a table, if anything."""
        game, position = self.game, self.position
        definition = position.definition
        try:
            state = game.encode(table)
            if game.decode(state) != table:
                return self._hole("reading", "a table does not read back as itself", line)
            faults = Faults()
            definition.check_state(state, position, faults)
            if faults.found:
                first = next(iter(faults.found))
                return self._hole("faults", f"{first.key} {first.message}", line)
            if definition.census(state, position) != self.census:
                return self._hole("cards", "cards have appeared or vanished", line)
            actor = game.to_act(State(table))
            if game.is_over(table) != (actor == OVER):
                return self._hole("no move", "nobody can move, and the game is not over", line)
        except BROKEN as error:
            return self._broken(error, line)
        return None

    def turn(self, table: Any, generator: SplitMix64, ways: int, line: tuple[str, ...]) -> TurnEnd[Any] | Hole:
        """Return the most promising of some random ways through a turn, or what is wrong with the turn."""
        game = self.game
        try:
            seat = mover(game, table)
            tried: list[TurnEnd[Any]] = [game.sample_turn(table, generator) for _ in range(ways)]
            return max(tried, key=lambda end: game.promise(end.table, seat)) if ways > 1 else tried[0]
        except BROKEN as error:
            return self._broken(error, line)

    def _broken(self, error: Exception, line: tuple[str, ...]) -> Hole:
        told = f"the rules come to no answer ({type(error).__name__}: {error})"
        return self._hole("breaks down", str(error) if isinstance(error, BestlineError) else told, line)

    def _hole(self, kind: str, words: str, line: tuple[str, ...]) -> Hole:
        return Hole(kind, words, line, self.position)


def find_gap(notebook: Notebook) -> None:
    """Write down tables and turns that the rules do not cover."""
    ruleset, budget = notebook.ruleset, notebook.budget
    least, most = ruleset.definition.players_allowed(ruleset)
    holes: dict[tuple[str, str], Hole] = {}
    games = tables = 0
    for number in range(GAMES):
        for players in range(least, most + 1):
            for sources in (None, ()):
                if budget.is_over:
                    break
                position = new_position(ruleset, players, mix(notebook.seed ^ mix(number)), sources)
                hole, looked = _game(Prober(position), number)
                games, tables = games + 1, tables + looked
                if hole is not None:
                    _keep(holes, hole)
    walked = 0
    if not budget.is_over:
        hole, walked = _walk(Prober(new_position(ruleset, least, notebook.seed, ())), budget)
        if hole is not None:
            _keep(holes, hole)
    for kind in sorted({kind for kind, _ in holes}):
        own = [hole for (each, _), hole in sorted(holes.items()) if each == kind]
        for hole in own[:SHOWN]:
            notebook.add(
                "GAP",
                f"{hole.kind}: {hole.words}",
                Level.ERROR,
                f"after {len(hole.line)} moves the rules have no answer: {hole.words}",
                hole.words.replace("'", " ").split(),
                witness=Witness(hole.position, hole.line),
                data={"kind": hole.kind, "seed": notebook.seed},
            )
    what = (
        f"{games} games of {least} to {most} players, guided and random, chance known and hidden, {tables} tables; "
        f"every way through a turn from {walked} tables: {len(holes)} not covered"
    )
    notebook.searched.append(Searched("GAP", what, complete=not budget.is_over))


def _keep(holes: dict[tuple[str, str], Hole], hole: Hole) -> None:
    """Keep the shortest way to each hole."""
    key = hole.kind, hole.words
    if key not in holes or len(hole.line) < len(holes[key].line):
        holes[key] = hole


def _game(prober: Prober, number: int) -> tuple[Hole | None, int]:
    """Return the first hole in one game, and how many tables were looked at."""
    game = prober.game
    generator = SplitMix64(mix(number))
    table = prober.position.table()
    steps: list[str] = []
    for turn in range(TURNS):
        hole = prober.hole(table, tuple(steps))
        if hole is not None or game.is_over(table):
            return hole, turn + 1
        end = prober.turn(table, generator, WAYS if number % 2 else 1, tuple(steps))
        if isinstance(end, Hole):
            return end, turn + 1
        steps += texts(end)
        table = end.table
    return None, TURNS


def _walk(prober: Prober, budget: Budget) -> tuple[Hole | None, int]:
    """Return the first hole next to the tables of a walk from the start, every way taken, and how many they were."""
    game = prober.game
    start = prober.position.table()
    queue: deque[tuple[Any, tuple[str, ...]]] = deque([(start, ())])
    seen = {start}
    walked = 0
    while queue and walked < WALKED and not budget.is_over:
        table, line = queue.popleft()
        walked += 1
        hole = prober.hole(table, line)
        if hole is not None or game.is_over(table):
            if hole is not None:
                return hole, walked
            continue
        try:
            for end in game.distinct_ends(table):
                if end.table not in seen and len(seen) < WALKED:
                    seen.add(end.table)
                    queue.append((end.table, (*line, *texts(end))))
                elif len(seen) >= WALKED:
                    break
        except BestlineError as error:
            return Hole("breaks down", str(error), line, prober.position), walked
    return None, walked
