"""``GAP``: tables that can be reached and that the rules do not cover.

The rules core plays random games, guided games and every turn of a small walk. Somebody can always move until the game
is over. No turn breaks the rules' own procedure. Every table has the shape that the rules state and reads back as
itself. Cards neither appear nor vanish. Doubtful rules that the options decide are no gaps; how
many of their numbers were met is told.
"""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import Any, Final, NamedTuple

from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.files import Faults
from rules.core.position import Position, new_position
from rules.core.scripts import OVER, mix
from rules.core.turns import State
from solver.audit.finding import Level, Notebook, Searched, Witness
from solver.audit.play import Chooser, guided, texts
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


class Hole(NamedTuple):
    """Something that the rules do not cover."""

    kind: str
    """``no move``, ``breaks down``, ``faults``, ``cards`` or ``reading``."""
    words: str
    line: tuple[str, ...]
    """Texts of the steps that lead there."""
    position: Position


def _wrong(position: Position, table: Any) -> tuple[str, str] | None:
    """Return the kind of what is wrong with a table, and it in words."""
    game, definition = position.game, position.definition
    state = game.encode(table)
    if game.decode(state) != table:
        return "reading", "a table does not read back as itself"
    faults = Faults()
    definition.check_state(state, position, faults)
    if faults.found:
        first = next(iter(faults.found))
        return "faults", f"{first.key} {first.message}"
    if definition.census(state, position) != definition.census(position.state, position):
        return "cards", "cards have appeared or vanished"
    if game.is_over(table) != (game.to_act(State(table)) == OVER):
        return "no move", "nobody can move, and the game is not over"
    return None


def _broken(error: Exception) -> tuple[str, str]:
    told = f"the rules come to no answer ({type(error).__name__}: {error})"
    return "breaks down", str(error) if isinstance(error, BestlineError) else told


def find_gap(notebook: Notebook) -> None:
    """Write down tables and turns that the rules do not cover."""
    ruleset, budget = notebook.ruleset, notebook.budget
    least, most, _ = ruleset.definition.players_allowed(ruleset)
    found: list[Hole | None] = []
    games = tables = walked = 0
    for number, players, sources in product(range(GAMES), range(least, most + 1), (None, ())):
        if budget.is_over:
            break
        position = new_position(ruleset, players, mix(notebook.seed ^ mix(number)), sources)
        hole, looked = _looked_at(position, guided(position, mix(number), WAYS if number % 2 else 1), TURNS, budget)
        games, tables = games + 1, tables + looked
        found.append(hole)
    if not budget.is_over:
        hole, walked = _looked_at(new_position(ruleset, least, notebook.seed, ()), None, WALKED, budget)
        found.append(hole)
    holes: dict[tuple[str, str], Hole] = {}
    for hole in sorted(filter(None, found), key=lambda each: len(each.line)):
        holes.setdefault((hole.kind, hole.words), hole)  # the shortest way to each
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


def _looked_at(position: Position, choose: Chooser | None, most: int, budget: Budget) -> tuple[Hole | None, int]:
    """Return the first hole among so many tables from the start on, every way taken unless one is chosen; and how many.

    A chosen way is a game.
    """
    start, looked = position.table(), 0
    queue: deque[tuple[Any, tuple[str, ...]]] = deque([(start, ())])
    seen = {start}
    while queue and not budget.is_over:
        table, line = queue.popleft()
        looked += 1
        try:
            wrong = _wrong(position, table)
            over = wrong or position.game.is_over(table)
            ends = iter(() if over else [choose(table)] if choose else position.game.distinct_ends(table))
            while len(seen) < most and (end := next(ends, None)) is not None:
                if end.table not in seen:
                    seen.add(end.table)
                    queue.append((end.table, (*line, *texts(end))))
        except UnsupportedRuleset:  # the rules have an answer, and too many ways for it to be listed
            continue
        except BROKEN as error:
            wrong = _broken(error)
        if wrong is not None:
            return Hole(*wrong, line, position), looked
    return None, looked
