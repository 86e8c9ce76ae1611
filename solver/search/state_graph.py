"""The state graph of a small puzzle, for people: to inspect, to export, to explain; never for the search itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import islice, takewhile
from typing import Any, Final, TypeVar

import networkx as nx

from puzzles.goal import forbids
from rules.core.files import canonical_json
from rules.core.race import Race
from rules.core.steps import Forced
from solver.search.budget import Budget

T = TypeVar("T")

NODES: Final = 5000
"""Nodes drawn at most unless told otherwise; more than that nobody looks at."""
WAYS: Final = 20_000
"""Ways through one turn looked at for them at most: with hidden chance there may be more than anybody waits for;"""
ALL_WAYS: Final = 200_000
"""and through all turns."""
PARTLY: Final = "not every table is drawn: there are too many"
"""What a drawing says that is not complete."""


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
    budget = (limit or Budget()).start()
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True)
    numbers: dict[T, int] = {}

    def node(found: T, turn: int) -> int:
        number = numbers.get(found)
        if number is None:
            number = numbers[found] = len(numbers)
            state = canonical_json(game.encode(found))
            progress = game.progress(found, seat)
            graph.add_node(number, turn=turn, progress=progress, over=game.is_over(found), state=state)
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
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True)
    for turn, table in enumerate(tables):
        state, progress = canonical_json(game.encode(table)), game.progress(table, seat)
        graph.add_node(turn, turn=turn, progress=progress, over=game.is_over(table), state=state)
    for turn, text in enumerate(moves):
        graph.add_edge(turn, turn + 1, key=text, moves=text)
    return graph


def _turns(
    game: Race[T], start: T, forbidden: frozenset[str], most: int, budget: Budget
) -> tuple[Mapping[tuple[str, T], str], int]:
    """Return the shortest text of a turn for each first move and end, and how many ways were looked at."""
    ways = list(takewhile(lambda _: budget.has_time(0), islice(game.turn_ends(start), most)))
    shortest: dict[tuple[str, T], str] = {}
    lengths: dict[tuple[str, T], tuple[int, str]] = {}
    for end in ways:
        texts = [step.text for step in end.steps if not isinstance(step, Forced)]
        if any(forbids(forbidden, text) for text in texts):
            continue
        way = (len(texts), "; ".join(texts))
        key = (texts[0], end.table)
        if key not in lengths or way < lengths[key]:
            lengths[key] = way
            shortest[key] = way[1]
    return shortest, len(ways)


def graphml(graph: nx.MultiDiGraph[int]) -> str:
    """Return the graph as GraphML, for tools that draw and measure graphs."""
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
