"""Something to share: a position, or a plan for it, as text, as a page, as a picture, or as a graph of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from io import BytesIO
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final, TypeVar

from puzzles.goal import Goal, Objective, forbids
from puzzles.loader import Puzzle, question_of
from rules.core.errors import BestlineError
from rules.core.files import canonical_json
from rules.core.position import Position
from rules.core.race import Picture, Race
from rules.core.steps import Forced
from solver.answer import PlayedTurn, TurnLine
from solver.lines import explain_line, played
from solver.render import EMPTY, Row, page, picture
from solver.screens.common import (
    Unit,
    compared_by,
    count,
    facts_rows,
    goal_sentence,
    information_text,
    position_rows,
    table_facts,
    unit_of,
)
from solver.screens.data import is_branching, next_moves_of, plan_of
from solver.screens.plan import branch_rows, next_rows, plan_rows
from solver.screens.words import GoalWords, decided_text, rounded, value_text
from solver.search.budget import Budget
from solver.tools.play import Companion

if TYPE_CHECKING:
    import networkx as nx

T = TypeVar("T")

STEP: Final = 4
"""Columns before what belongs to a position or a turn."""
NODES: Final = 5000
"""Nodes drawn at most unless told otherwise; more than that nobody looks at."""
WAYS: Final = 20_000
"""Ways through one turn looked at for them at most: with hidden chance there may be more than anybody waits for;"""
ALL_WAYS: Final = 200_000
"""and through all turns."""
PARTLY: Final = "not every table is drawn: there are too many"
"""What a drawing says that is not complete."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What is to be shared."""

    title: str
    position: Position
    goal: Goal | None = None
    """What the plan is for; none where only a position is shared."""
    line: tuple[TurnLine, ...] = ()
    """The plan, turn by turn; the last turn may be unfinished."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """The answer that the plan comes from, as JSON; empty elsewhere."""

    @property
    def turns(self) -> tuple[PlayedTurn[Any], ...]:
        """Return the plan explained; nothing where it hangs on chance, as ``branching_rows`` tells it then."""
        game = self.position.game
        if not self.line or self.goal is None or self.is_branching:
            return ()
        return explain_line(game, self.position.start()[1], self.line, self.goal.seat)

    @property
    def is_branching(self) -> bool:
        """Return whether the answer is one about hidden chance, so that its line is a first move alone."""
        return is_branching(self.answer)


def shared_position(found: Puzzle | Position) -> Shared:
    """Return a position, or that of a puzzle with what is asked of it."""
    if isinstance(found, Puzzle):
        return Shared(found.title, found.position, found.goal)
    return Shared(found.ruleset.id, found)


def shared_plan(found: Puzzle | Position, texts: Sequence[str], answer: Mapping[str, Any] | None = None) -> Shared:
    """Return a line of moves in the order taken, from a position on; ``answer`` is where it comes from.

    Raises:
        BestlineError: a step is not possible where it stands.
    """
    told = _of_moves(answer or {})
    position, goal = (
        (found.position, found.goal) if isinstance(found, Puzzle) else _question_of(found, told.get("goal", {}))
    )
    title = found.title if isinstance(found, Puzzle) else position.ruleset.id
    return Shared(title, position, goal, Companion(position, texts).turns, told)


def _of_moves(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an answer with what its moves are compared by as its goal, and the value of the best one."""
    goal, moves = answer.get("moves_goal"), answer.get("moves")
    if goal is None or goal == answer.get("goal") or not moves or not isinstance(moves[0], Mapping):
        return answer
    return {**answer, "asked": answer.get("goal"), "goal": goal, "value": moves[0].get("value")}


def _question_of(position: Position, told: Mapping[str, Any]) -> tuple[Position, Goal]:
    """Return the question that an answer says it answers; a race to the finish where it says none."""
    of_challenge = "measure" in told
    keys = ("objective", "terms") if of_challenge else ("objective", "target", "within_turns")
    given = {key: told[key] for key in keys if told.get(key) is not None}
    seat = {"seat": told["seat"]} if position.players > 1 and "seat" in told else {}
    try:
        position, goal = question_of({"objective": Objective.MIN_TURNS.value, **given, **seat}, position)
        if of_challenge:  # playouts may stand in for it
            goal = replace(goal, objective=Objective(told["measure"]), within_turns=told.get("within_turns"))
        return position, replace(goal, forbidden=frozenset(told.get("forbidden", ())))
    except BestlineError:  # such as a game against others: the line replays whatever it is for
        return position, Goal(Objective.MIN_TURNS, target=0)


def rows_of(shared: Shared) -> list[Row]:
    """Return everything as a screen."""
    position, game = shared.position, shared.position.game
    if shared.goal is None:
        return [Row(shared.title, look="title"), EMPTY, *position_rows(position)]
    unit = unit_of(position)
    rows = [Row(shared.title, look="title"), Row(_question(shared, unit))]
    verdict = _verdict(shared, unit)
    rows += [Row(verdict, look="open")] if verdict else []
    rows += [EMPTY, *facts_rows(table_facts(position), indent=STEP)]
    if shared.is_branching:
        rows += branching_rows(shared)
    else:
        rows += plan_rows(game, shared.turns, shared.goal)
    facts = [("known", information_text(position)), ("rules", f"{position.ruleset.id} {position.fingerprint}")]
    return [*rows, EMPTY, *facts_rows(facts), Row(position.code, label="code", column=10)]


def _question(shared: Shared, unit: Unit) -> str:
    """Return what is asked."""
    assert shared.goal is not None
    told = shared.answer.get("goal", {})
    if told.get("objective") == "win":
        return f"Best move of player {told.get('seat', 0)}."
    asked = shared.answer.get("asked")
    if asked is None or asked == told or shared.goal.objective is not Objective.MAX_DISTANCE:
        return goal_sentence(shared.goal, shared.position)
    _, goal = _question_of(replace(shared.position, aim=None), asked)
    return f"{goal_sentence(goal, shared.position)} {compared_by(shared.goal, unit)}"


def _verdict(shared: Shared, unit: Unit) -> str:
    """Return what the answer claims of the plan."""
    answer, goal = shared.answer, shared.goal
    status, value = answer.get("status"), answer.get("value")
    if goal is None or status is None:
        return ""
    if "payoff" in answer and value is not None:
        told = f"{rounded(Fraction(value))} {answer['payoff']}"
    elif shared.is_branching and value is not None:
        told = GoalWords(goal, unit).value(Fraction(value))
    elif isinstance(value, int) and goal.clock is not None and goal.objective is Objective.MIN_TURNS:
        told = count(value, "round")
    elif isinstance(value, int):
        told = value_text(value, goal, unit)
    else:
        told = str(value)
    if answer.get("method") == "sampled":
        sure = decided_text(answer.get("verdict", ""), answer.get("decided_kind", ""))
        return f"sampled: about {told.partition(' (')[0]}; {sure}"
    return f"{status}: {told}" if value is not None else str(status)


def branching_rows(shared: Shared) -> list[Row]:
    """Return the moves of an answer about hidden chance, and what to do on this turn and the next one as it comes."""
    goal, unit, answer = shared.goal, unit_of(shared.position), shared.answer
    assert goal is not None
    rows = [EMPTY, Row("First move", look="title")]
    rows += [Row(text, indent=2) for text in answer.get("line", ())]
    words = GoalWords(goal, unit)
    rows += branch_rows(*plan_of(answer), words, "This turn")
    return rows + next_rows(next_moves_of(answer), goal, words, "Next turn")


# As text, page and picture


def markdown(shared: Shared) -> str:
    """Return a Markdown page: what is asked, the table, and the plan as a numbered list."""
    position, game = shared.position, shared.position.game
    lines = [f"# {_escaped(shared.title)}", ""]
    if shared.goal is not None:
        verdict = _verdict(shared, unit_of(position))
        lines += [_question(shared, unit_of(position)), *(["", f"**{verdict}**"] if verdict else []), ""]
    lines += _markdown_facts([*table_facts(position), ("known", information_text(position))])
    if shared.is_branching:
        lines += ["", *map(_markdown_row, branching_rows(shared))]
    for turn in shared.turns:
        went = game.advance(turn.before, turn.after)
        lines += ["", f"{turn.number}. `{'; '.join(turn.steps)}`{f' ({went})' if went else ''}", ""]
        events = [event for event in turn.events if event.kind not in game.routine]
        lines += [f"   - {_escaped(game.sentence(event))} ({event.rule})" for event in events]
    lines += ["", f"Rules: `{position.ruleset.id}` {position.fingerprint}", "", f"Position code: `{position.code}`", ""]
    return "\n".join(line for place, line in enumerate(lines) if line or lines[place - 1])


def _markdown_facts(facts: Sequence[tuple[str, str]]) -> list[str]:
    """Return labelled lines; a picture keeps its columns."""
    lines: list[str] = []
    for label, text in facts:
        if isinstance(text, Picture):
            lines += [f"- **{label}**", "", "  ```", *(f"  {line}" for line in text.split("\n")), "  ```", ""]
        elif text:
            lines.append(f"- **{label}** {_escaped(text)}")
    return lines


def _markdown_row(row: Row) -> str:
    if row.look == "title":
        return f"## {row.text}\n"
    parts = [part for part in (row.label, f"`{row.text}`", row.right) if part]
    return f"- {' · '.join(parts)}" if row.text else ""


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in text)


# As a graph


def graph_of(shared: Shared, turns: int, limit: Budget | None = None) -> Any:
    """Return the tables of the plan in a row, or every table within so many turns where there is no plan.

    Raises:
        UnsupportedRuleset: the game has no progress.
        BestlineError: a turn is under way.
    """
    position = shared.position
    game, start = position.start()
    if shared.line:
        moves = ["; ".join(step.text for step in turn.steps) for turn in shared.line]
        seat = shared.goal.seat if shared.goal else 0
        return line_graph(game, played(game, start, shared.line), moves, seat=seat)
    if start.pending:
        raise BestlineError("a graph begins with a whole turn, and this one is under way")
    seat, forbidden = (shared.goal.seat, shared.goal.forbidden) if shared.goal else (0, frozenset[str]())
    return state_graph(game, start.table, turns, seat=seat, forbidden=forbidden, limit=limit)


def drawn(shared: Shared, kind: str, turns: int, limit: Budget | None = None) -> str:
    """Return it in one of the forms that are not JSON.

    Raises:
        BestlineError: it cannot be drawn as a graph.
    """
    if kind == "md":
        return markdown(shared)
    if kind in ("html", "svg"):
        return (page if kind == "html" else picture)(rows_of(shared), shared.title)
    graphs = {"dot": dot, "graphml": graphml, "mermaid": mermaid}
    return graphs[kind](graph_of(shared, turns, limit))


# Graphs of tables, for people: to inspect, to export, to explain; never for the search itself


def state_graph(
    game: Race[T],
    table: T,
    turns: int,
    *,
    seat: int = 0,
    forbidden: frozenset[str] = frozenset(),
    most: int = NODES,
    limit: Budget | None = None,
) -> nx.MultiDiGraph[int]:
    """Return every table within ``turns`` turns as a graph: nodes are tables at turn boundaries, edges are turns.

    Nodes are numbered in the order found, the start is 0, and carry ``turn`` (the fewest turns to get there),
    ``progress``, ``over`` and ``state`` (canonical JSON). Edges carry ``moves``, the texts of the turn's moves joined
    by semicolons; of several ways between two tables the first with the fewest moves is kept for each first move.
    The graph's own attribute ``complete`` is false when ``most`` nodes, the ways looked at, or the time of ``limit``
    were not enough.
    """
    import networkx as nx

    budget = (limit or Budget()).start()
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True)
    numbers: dict[T, int] = {}

    def node(found: T, turn: int) -> int:
        number = numbers.setdefault(found, len(numbers))
        if number not in graph:
            _add_table(graph, number, game, found, turn, seat)
        return number

    node(table, 0)
    layer, ways = [table], ALL_WAYS
    for turn in range(1, turns + 1):
        following: list[T] = []
        for start in layer:
            if game.is_over(start):
                continue
            found, looked = _turns(game, start, forbidden, min(WAYS, ways), budget)
            ways -= looked
            if looked >= WAYS or ways <= 0 or not budget.has_time(0):
                graph.graph["complete"] = False
            for (first, end), moves in sorted(found.items(), key=lambda item: item[1]):
                known = end in numbers
                if not known and len(numbers) >= most:
                    graph.graph["complete"] = False
                    continue
                graph.add_edge(numbers[start], node(end, turn), key=first, moves=moves)
                if not known:
                    following.append(end)
        layer = following
        if not layer or not budget.has_time(0):
            break
    return graph


def line_graph(game: Race[T], tables: Sequence[T], moves: Sequence[str], *, seat: int = 0) -> nx.MultiDiGraph[int]:
    """Return the tables of one line in a row, as ``state_graph`` has them; ``moves`` has one text a turn."""
    import networkx as nx

    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True)
    for turn, table in enumerate(tables):
        _add_table(graph, turn, game, table, turn, seat)
    for turn, text in enumerate(moves):
        graph.add_edge(turn, turn + 1, key=text, moves=text)
    return graph


def _add_table(graph: nx.MultiDiGraph[int], number: int, game: Race[T], table: T, turn: int, seat: int) -> None:
    state, progress = canonical_json(game.encode(table)), game.progress(table, seat)
    graph.add_node(number, turn=turn, progress=progress, over=game.is_over(table), state=state)


def _turns(
    game: Race[T], start: T, forbidden: frozenset[str], most: int, budget: Budget
) -> tuple[Mapping[tuple[str, T], str], int]:
    """Return the shortest text of a turn for each first move and end, and how many ways were looked at."""
    ways = list(takewhile(lambda _: budget.has_time(0), islice(game.turn_ends(start), most)))
    shortest: dict[tuple[str, T], tuple[int, str]] = {}
    for end in ways:
        texts = [step.text for step in end.steps if not isinstance(step, Forced)]
        if not any(forbids(forbidden, text) for text in texts):
            way, key = (len(texts), "; ".join(texts)), (texts[0], end.table)
            shortest[key] = min(way, shortest.get(key, way))
    return {key: text for key, (_, text) in shortest.items()}, len(ways)


def graphml(graph: nx.MultiDiGraph[int]) -> str:
    """Return the graph as GraphML, for tools that draw and measure graphs."""
    import networkx as nx

    stream = BytesIO()
    nx.write_graphml(graph, stream)
    return stream.getvalue().decode("utf-8")


def dot(graph: nx.MultiDiGraph[int]) -> str:
    """Return the graph in the DOT language: a node a table with turn and progress, an arrow a turn with its moves."""
    lines = ["digraph states {", "  rankdir=LR;", *([] if graph.graph["complete"] else [f"  // {PARTLY}"])]
    for number, data in graph.nodes(data=True):
        shape = ", shape=doublecircle" if data["over"] else ""
        lines.append(f'  {number} [label="turn {data["turn"]}: {data["progress"]}"{shape}];')
    lines.extend(f"  {a} -> {b} [label={_quoted(data['moves'])}];" for a, b, data in graph.edges(data=True))
    return "\n".join([*lines, "}", ""])


def mermaid(graph: nx.MultiDiGraph[int]) -> str:
    """Return the graph as a Mermaid flowchart, for pages that draw them: nodes and arrows as in ``dot``."""
    lines = ["flowchart LR", *([] if graph.graph["complete"] else [f"  %% {PARTLY}"])]
    for number, data in graph.nodes(data=True):
        opening, closing = ("([", "])") if data["over"] else ("[", "]")
        lines.append(f'  n{number}{opening}"turn {data["turn"]}: {data["progress"]}"{closing}')
    for a, b, data in graph.edges(data=True):
        label = str(data["moves"]).replace("#", "#35;").replace('"', "#quot;").replace(";", "#59;")
        lines.append(f'  n{a} -->|"{label}"| n{b}')
    return "\n".join([*lines, ""])


def _quoted(text: Any) -> str:
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
