"""Something to share: a position, or a plan for it, as text, as a page, as a picture, or as a graph of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, Puzzle, forbids, question_of
from rules.core.errors import BestlineError
from rules.core.files import Faults, KeyPath, canonical_json
from rules.core.position import Position
from rules.core.race import Race
from rules.core.schema import Boolean, Either, Integer, ListOf, Null, Number, Schema, Table, Text
from solver.lines import explain_line, played, taken
from solver.question import Answer, NextMove, Proof, Status, TurnLine
from solver.render import EMPTY, Row, markdown, page, picture
from solver.render import table as in_columns
from solver.screens import common
from solver.screens.answer import plan_rows, proof_text
from solver.screens.policy import METHODS, branch_rows, next_rows
from solver.search.budget import Budget
from solver.search.expectimax import Branch
from solver.tools.table_entry import Companion

if TYPE_CHECKING:
    import networkx as nx

NODES: Final = 5000
"""Nodes drawn at most unless told otherwise; more than that nobody looks at."""
WAYS: Final = 20_000
"""Ways through one turn looked at for them at most: with hidden chance there may be more than anybody waits for;"""
ALL_WAYS: Final = 200_000
"""and through all turns."""
PARTLY: Final = "not every table is drawn: there are too many"
"""What a drawing says that is not complete."""
PLAYED: Final = Goal(Objective.MIN_TURNS, target=0)
"""Stands for what a game against others is about."""


class Shared(NamedTuple):
    """What is to be shared."""

    title: str
    position: Position
    goal: Goal | None = None
    """What the plan is for; none where only a position is shared."""
    line: tuple[TurnLine, ...] = ()
    """The plan, turn by turn; the last turn may be unfinished."""
    answer: Mapping[str, Any] = {}
    """The answer that the plan comes from, as JSON; empty elsewhere."""


def shared_position(found: Puzzle | Position) -> Shared:
    """Return a position, or that of a puzzle with what is asked of it."""
    if isinstance(found, Puzzle):
        return Shared(found.title, found.position, found.goal)
    return Shared(found.ruleset.id, found)


def shared_plan(found: Puzzle | Position, texts: Sequence[str], answer: Mapping[str, Any]) -> Shared:
    """Return a line of moves in the order taken, from a position on; ``answer`` is where it comes from, if anywhere.

    Raises:
        BestlineError: a step is not possible where it stands.
    """
    goal, moves = answer.get("moves_goal"), answer.get("moves")
    if goal is not None and goal != answer.get("goal") and moves and isinstance(moves[0], Mapping):
        # What moves are compared by stands for the goal, and the value of the best one for that of the answer.
        answer = {**answer, "asked": answer.get("goal"), "goal": goal, "value": moves[0].get("value")}
    shared = shared_position(found)
    if shared.goal is None:
        position, asked = _question_of(shared.position, answer.get("goal", {}))
        shared = shared._replace(position=position, goal=asked)
    return shared._replace(line=Companion(shared.position, texts).turns, answer=answer)


def _question_of(position: Position, told: Mapping[str, Any]) -> tuple[Position, Goal]:
    """Return the question that an answer says it answers; a race to the finish where it says none."""
    of_challenge = "measure" in told
    keys = ("objective", "terms") if of_challenge else ("objective", "target", "within_turns")
    given = {key: told[key] for key in keys if told.get(key) is not None}
    seat = {"seat": told["seat"]} if position.players > 1 and "seat" in told else {}
    if not told and position.players > 1:
        return position, PLAYED
    try:
        position, goal = question_of({"objective": Objective.MIN_TURNS.value, **given, **seat}, position)
        if of_challenge:  # playouts may stand in for it
            goal = replace(goal, objective=Objective(told["measure"]), within_turns=told.get("within_turns"))
        return position, replace(goal, forbidden=frozenset(told.get("forbidden", ())))
    except BestlineError:  # such as a game against others: the line replays whatever it is for
        return position, PLAYED


def drawn(shared: Shared, kind: str, turns: int, limit: Budget | None = None) -> str:
    """Return it in one of the forms that are not JSON; a graph of a position looks so many ``turns`` ahead.

    Raises:
        BestlineError: it cannot be drawn as a graph.
    """
    if screen := {"md": markdown, "html": page, "svg": picture}.get(kind):
        return screen(rows_of(shared), shared.title)
    return {"dot": dot, "graphml": graphml, "mermaid": mermaid}[kind](graph_of(shared, turns, limit))


# As a screen


def rows_of(shared: Shared) -> list[Row]:
    """Return everything as a screen."""
    position, goal, answer = shared.position, shared.goal, shared.answer
    rows = [Row(shared.title, look="title")]
    if goal is None:
        return [*rows, EMPTY, *common.position_rows(position), Row(common.information_text(position))]
    words, payoff = common.words_for(goal, position.game), answer.get("payoff")
    if payoff is not None:
        words = common.payoff_words("" if payoff == common.SHARE else payoff.removesuffix("s ahead"))
    verdict = _verdict(answer, goal, words)
    rows += [Row(_question(shared, goal)), EMPTY, *([Row(verdict, look="open"), EMPTY] if verdict else [])]
    rows += common.table_rows(position, goal)
    moves = [each for each in answer.get("moves") or () if isinstance(each, Mapping)]
    cells = [(str(number), each["move"], _value_of(each, words)) for number, each in enumerate(moves, 1)]
    rows += [EMPTY, Row("Moves compared", look="title"), *in_columns(cells, indent=2)] if cells else []
    if is_branching(answer):  # the moves now, and what to do on this turn and the next one as it comes
        rows += [EMPTY, Row("First move", look="title"), *(Row(text, indent=2) for text in answer.get("line", ()))]
        plan = [
            Branch(tuple(each.get("seen", ())), tuple(map(str, each.get("moves", ()))), *_chance_of(each))
            for each in answer.get("plan", ())
        ]
        following = [
            NextMove(each.get("move", ""), each.get("when", ()), *_chance_of(each), each.get("payment_open", False))
            for each in answer.get("next_turn", ())
        ]
        rows += branch_rows(plan, Fraction(answer.get("plan_leaves_out") or 0), words, "This turn")
        rows += next_rows(following, goal, words, "Next turn")
    elif shared.line:
        game, start = position.start()
        rows += plan_rows(game, explain_line(game, start, shared.line, goal.seat), goal)
    rules = f"{position.ruleset.id} {position.fingerprint}"
    facts = [("proof", _proof(shared, goal)), ("known", common.information_text(position)), ("rules", rules)]
    return [*rows, EMPTY, *common.facts_rows([*facts, ("code", position.code)])]


def _value_of(move: Mapping[str, Any], words: common.Words) -> str:
    value, chance, is_contest = move.get("value"), move.get("win_chance"), words.goal is None
    counts = words.is_chance or is_contest
    if counts and common.tells_nothing(move.get("playouts", 0), move.get("interval"), is_chance=words.is_chance):
        return common.TOO_FEW
    if is_contest and chance is not None:
        return f"{common.percent(chance)} to win"
    return "" if value is None else words.value(Fraction(value))


def _proof(shared: Shared, goal: Goal) -> str:
    answer, value = shared.answer, shared.answer.get("value")
    if "method" in answer:
        return METHODS.get(answer["method"], "")
    if answer.get("status") not in list(Status) or not (value is None or isinstance(value, int)):
        return ""
    given = answer.get("proof", {})
    facts: dict[str, Any] = {"method": "none"}
    for name in filter(given.__contains__, Proof._fields):
        facts[name] = tuple(given[name]) if isinstance(given[name], list) else given[name]
    found: Answer[int] = Answer(Status(answer["status"]), value, None, shared.line, Proof(**facts))
    return proof_text(found, common.words_for(goal, shared.position.game))


def _question(shared: Shared, goal: Goal) -> str:
    told, asked = shared.answer.get("goal", {}), shared.answer.get("asked")
    if told.get("objective") == "win":
        return "The best move of whoever is to move."
    if goal == PLAYED:
        return "The game as it was played."
    if asked is None or asked == told or goal.objective is not Objective.MAX_DISTANCE:
        return common.goal_sentence(goal, shared.position)
    _, first = _question_of(replace(shared.position, aim=None), asked)
    return f"{common.goal_sentence(first, shared.position)} {common.words_for(goal, shared.position.game).compared_by}"


def _verdict(answer: Mapping[str, Any], goal: Goal, words: common.Words) -> str:
    status, value = answer.get("status"), answer.get("value")
    if status is None or value is None:
        return str(status or "")
    if isinstance(value, int) and "payoff" not in answer and not is_branching(answer):
        in_rounds = goal.clock is not None and goal.objective is Objective.MIN_TURNS
        told = common.count(value, "round") if in_rounds else words.value(value)
    else:
        told = words.value(Fraction(value))
    if answer.get("method") == "sampled":
        shown = f"sampled: about {told.partition(' (')[0]}"
        return common.decided_text(shown, answer.get("verdict", ""), answer.get("decided_kind", ""))
    return f"{status}: {told}"


# Answers that are read back


def _chance_of(result: Mapping[str, Any]) -> tuple[Fraction, Fraction | None]:
    value = result.get("value")
    return Fraction(result.get("probability", 0)), None if value is None else Fraction(value)


_TEXTS, _TABLE, _NUMBER = ListOf(Text()), Table({}, open=True), Either((Integer(), Null()))
_FRACTION: Final = Text(pattern=r"-?[0-9]{1,300}(?:/0*[1-9][0-9]{0,999})?", kind="a fraction such as 1/2")
_SHAPES: Final[Mapping[str, Schema]] = {
    **dict.fromkeys(("move", "information", "objective", "payoff", "method", "verdict", "decided_kind"), Text()),
    **dict.fromkeys(("status", "bound_name"), Either((Text(), Null()))),
    **dict.fromkeys(("line", "seen", "forbidden", "projections", "checked_by"), _TEXTS),
    **dict.fromkeys(("goal", "asked", "moves_goal", "terms", "proof"), _TABLE),
    **dict.fromkeys(("plan", "next_turn"), ListOf(_TABLE)),
    **dict.fromkeys(("target", "within_turns", "excluded_turns"), _NUMBER),
    **dict.fromkeys(("seat", "states", "pruned", "playouts"), Integer()),
    **dict.fromkeys(("value", "plan_leaves_out"), Either((Integer(None), _FRACTION, Null()))),
    "measure": Text(tuple(objective.value for objective in Objective)),
    "moves": ListOf(Either((Text(), _TABLE))),
    "when": ListOf(_TEXTS),
    "probability": _FRACTION,
    "payment_open": Boolean(),
    "win_chance": Either((Number(), Null())),
    "interval": Either((ListOf(Number(), 2, 2), Null())),
}
"""The shapes of what is read of an answer, by the keys, which mean the same wherever they stand."""


def is_branching(answer: Mapping[str, Any]) -> bool:
    """Return whether an answer is one about hidden chance, so that its line is a first move alone."""
    return answer.get("information") == "hidden" and "moves" in answer


def check_answer(table: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    """Add every fault of the shape of an answer with a line, on which its readers rely."""
    for name, value in table.items():
        if name in _SHAPES:
            _SHAPES[name].check(value, (*path, name), faults)
            for place, part in enumerate(value) if isinstance(value, list) else (("", value),):
                if isinstance(part, Mapping):
                    check_answer(part, (*path, name) if place == "" else (*path, name, place), faults)


# As a graph of tables, for people: to inspect, to export, to explain; never for the search itself


def graph_of(shared: Shared, turns: int, limit: Budget | None = None, most: int = NODES) -> nx.MultiDiGraph[int]:
    """Return the tables of the plan in a row, or every table within so many ``turns`` where there is no plan.

    Nodes are tables at turn boundaries, numbered in the order found, the start is 0. They carry ``turn`` (the fewest
    turns to get there), ``progress``, ``over`` and ``state`` (canonical JSON). Edges are turns and carry ``moves``, the
    texts of the turn's moves joined by semicolons. The graph's own attribute ``complete`` is false when ``most`` nodes,
    the ways looked at, or the time of ``limit`` were not enough.

    Raises:
        BestlineError: a turn is under way.
    """
    import networkx as nx

    game, start = shared.position.start()
    seat, forbidden = (shared.goal.seat, shared.goal.forbidden) if shared.goal else (0, frozenset[str]())
    if shared.line:
        tables, complete = list(enumerate(played(game, start, shared.line))), True
        moves = ["; ".join(step.text for step in turn.steps) for turn in shared.line]
        edges = [(turn, turn + 1, text, text) for turn, text in enumerate(moves)]
    elif start.pending:
        raise BestlineError("a graph begins with a whole turn, and this one is under way")
    else:
        tables, edges, complete = _within(game, start.table, turns, forbidden, (limit or Budget()).start(), most)
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=complete)
    for number, (turn, table) in enumerate(tables):
        state, progress = canonical_json(game.encode(table)), game.progress(table, seat)
        graph.add_node(number, turn=turn, progress=progress, over=game.is_over(table), state=state)
    for before, after, first, text in edges:
        graph.add_edge(before, after, key=first, moves=text)
    return graph


def _within(
    game: Race[Any], table: Any, turns: int, forbidden: frozenset[str], budget: Budget, most: int
) -> tuple[list[tuple[int, Any]], list[tuple[int, int, str, str]], bool]:
    """Return tables with their turns, edges with their first moves and all of them, and whether these are all.

    Of several ways between two tables the first with the fewest moves is kept for each first move.
    """
    ways, complete = ALL_WAYS, True
    numbers, tables, edges = {table: 0}, [(0, table)], list[tuple[int, int, str, str]]()
    for number, (turn, here) in enumerate(tables):  # it grows on the way
        if turn == turns or game.is_over(here):
            continue
        looked = list(takewhile(lambda _: budget.has_time(0), islice(game.turn_ends(here), min(WAYS, ways))))
        ways -= len(looked)
        complete = complete and len(looked) < WAYS and ways > 0 and budget.has_time(0)
        shortest: dict[tuple[str, Any], tuple[int, str]] = {}
        for way in looked:
            texts = [step.text for step in taken(way.steps)]
            if not any(forbids(forbidden, text) for text in texts):
                told, key = (len(texts), "; ".join(texts)), (texts[0], way.table)
                shortest[key] = min(told, shortest.get(key, told))
        for (first, end), (_, moves) in sorted(shortest.items(), key=lambda item: item[1][1]):
            if end not in numbers and len(numbers) >= most:
                complete = False
                continue
            if end not in numbers:
                numbers[end] = len(numbers)
                tables.append((turn + 1, end))
            edges.append((number, numbers[end], first, moves))
    return tables, edges, complete


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
    for a, b, data in graph.edges(data=True):
        moves = data["moves"].replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  {a} -> {b} [label="{moves}"];')
    return "\n".join([*lines, "}", ""])


def mermaid(graph: nx.MultiDiGraph[int]) -> str:
    """Return the graph as a Mermaid flowchart, for pages that draw them: nodes and arrows as in ``dot``."""
    lines = ["flowchart LR", *([] if graph.graph["complete"] else [f"  %% {PARTLY}"])]
    for number, data in graph.nodes(data=True):
        opening, closing = ("([", "])") if data["over"] else ("[", "]")
        lines.append(f'  n{number}{opening}"turn {data["turn"]}: {data["progress"]}"{closing}')
    for a, b, data in graph.edges(data=True):
        label = data["moves"].replace("#", "#35;").replace('"', "#quot;").replace(";", "#59;")
        lines.append(f'  n{a} -->|"{label}"| n{b}')
    return "\n".join([*lines, ""])
