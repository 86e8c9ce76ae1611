"""The words and JSON about puzzles and proofs: the library, grades and their reasons, deals, what holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from puzzles.puzzle import Goal, Objective, Puzzle
from rules.core.challenge import Quest
from rules.core.position import Position
from rules.core.tools.output import picked
from solver.question import Status
from solver.render import EMPTY, Row, table
from solver.screens import common

if TYPE_CHECKING:
    from solver.checker.certificate import Checked
    from solver.checker.check import Witnessed
    from solver.tools.generate import Made
    from solver.tools.puzzle import Rating

OPEN = {"answer": "the answer itself", "turns": "all turns of the line", "lines": "how many solutions there are"}
"""What a limit may have left open, in words."""


def list_rows(puzzles: Iterable[Puzzle]) -> list[Row]:
    """Return puzzles game by game, the easiest first."""
    ranked = sorted(puzzles, key=lambda each: (each.position.definition.title, each.difficulty or 0, each.id))
    rows: list[Row] = []
    for title, those in groupby(ranked, key=lambda each: each.position.definition.title):
        cells = [("puzzle", "grade", "goal", "title"), *map(puzzle_line, those)]
        rows += [EMPTY, Row(title, look="title"), *table(cells, indent=2, headed=True)]
    return rows


def puzzle_line(puzzle: Puzzle) -> tuple[str, ...]:
    """Return a puzzle as the cells of one row: id, grade, goal, title."""
    goal, game = puzzle.goal, puzzle.position.game
    name, within = game.challenge.name if isinstance(game, Quest) else "", common.count(goal.within_turns or 0, "turn")
    asked = {
        Objective.MIN_TURNS: name or f"{goal.target} in fewest {'turns' if goal.clock is None else 'rounds'}",
        Objective.REACH: f"{name or goal.target} in {within}",
        Objective.MAX_DISTANCE: f"{name or 'furthest'} in {within}",
        Objective.WIN: "win" if goal.within_turns is None else f"ahead in {common.turns_text(goal.within_turns, goal)}",
    }
    return puzzle.id, str(puzzle.difficulty or "-"), asked[goal.objective], puzzle.title


def puzzle_rows(puzzle: Puzzle) -> list[Row]:
    """Return a puzzle, without its solution."""
    facts = [
        ("puzzle", puzzle.id),
        ("author", puzzle.author),
        ("themes", ", ".join(puzzle.themes)),
        ("grade", str(puzzle.difficulty or "")),
    ]
    return [
        Row(puzzle.title, look="title"),
        Row(puzzle.summary),
        EMPTY,
        Row(common.goal_sentence(puzzle.goal, puzzle.position)),
        EMPTY,
        *common.facts_rows(facts),
        *common.position_rows(puzzle.position, puzzle.goal),
    ]


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return what a puzzle says about itself as JSON, its solution left out."""
    return {
        **puzzle.about(),
        "ruleset": puzzle.position.ruleset.id,
        **picked(puzzle.position, "fingerprint", "information"),
        "goal": common.goal_data(puzzle.goal),
        "solved": puzzle.solution is not None,
    }


def rating_data(position: Position, goal: Goal, rating: Rating, stated: int | None, *, name: str) -> dict[str, Any]:
    """Return a rating as JSON; ``stated`` is the difficulty that the puzzle states."""
    from solver.tools.puzzle import GRADES

    turns = [
        {
            "turn": turn.number,
            **picked(turn, "move", "moves", "right", "ends", "right_ends"),
            "tries": round(turn.tries, 2),
            "decoys": [{"move": each} for each in turn.decoys],
        }
        for turn in rating.turns
    ]
    data = {
        "id": name,
        "status": rating.report.status.value,
        "value": goal.in_rounds(rating.report.value),
        "grade": rating.grade,
        "stated": stated,
        "bits": rating.bits,
        "grades_from_bits": list(GRADES),
        "solutions": None if rating.lines is None else picked(rating.lines, "lines", "exact"),
        "unique": rating.unique,
        "only_moves": sum(turn.is_only for turn in rating.turns),
        "techniques": list(rating.techniques),
        "turns": turns,
        **picked(rating, "open", "interrupted"),
    }
    return common.answer_of("puzzle rate", position, data)


def rating_rows(title: str, position: Position, goal: Goal, rating: Rating, stated: int | None) -> list[Row]:
    """Return a rating as a screen: verdict, grade and what it is made of, then the line turn by turn."""
    from solver.tools.puzzle import GRADES

    verdict = common.verdict_row(rating.report, common.words_for(goal, position.game))
    rows = [Row(title, look="title"), Row(common.goal_sentence(goal, position)), EMPTY, verdict, EMPTY]
    beside = "" if stated is None else f"; the puzzle states {stated}"
    grade = "" if rating.grade is None else f"{rating.grade} of {len(GRADES) + 1}{beside}"
    if rating.report.status is Status.INFEASIBLE or (rating.report.value == 0 and not rating.report.line):
        grade = f"none: there is nothing to find{beside}"
    steps = ", ".join(f"{number} from {least:g}" for number, least in enumerate(GRADES, start=2))
    tries = "the ways through a turn that are looked at, the furthest first, until one comes that keeps the value"
    formula = f"the sum over the line's turns of log2(tries), where tries are {tries}; grade {steps}"
    only, lines, solutions = sum(turn.is_only for turn in rating.turns), rating.lines, ""
    if lines is not None:
        solutions = f"{lines.lines:,}, told apart by the tables between turns" if lines.lines > 1 else "1, the only one"
        solutions = solutions if lines.exact else f"{'at least' if lines.stopped else 'more than'} {lines.lines:,}"
    forced = f"on {only} of {common.count(len(rating.turns), 'turn')} one move alone keeps the value"
    facts = [
        ("grade", grade),
        ("bits", "" if rating.bits is None else f"{rating.bits:g}: {formula}"),
        ("solutions", solutions),
        ("only moves", forced if only else ""),
        ("themes", ", ".join(rating.techniques)),
    ]
    rows += common.facts_rows(facts)
    if rating.turns:
        names = ("turn", "moves", "right", "ways", "right", "tries", "it begins with")
        numbers = [(turn, (turn.number, turn.moves, turn.right, turn.ends, turn.right_ends)) for turn in rating.turns]
        cells = [(*map("{:,}".format, each), f"{turn.tries:.1f}", turn.move) for turn, each in numbers if turn.ends > 1]
        rows += [EMPTY, *table([names, *cells], headed=True)]
    decoys = [f"turn {turn.number}: {', '.join(turn.decoys)}" for turn in rating.turns if turn.decoys]
    rows += [EMPTY, *common.facts_rows(zip(["decoys", *[""] * len(decoys)], decoys, strict=False))]
    left_open = f"{', '.join(OPEN[each] for each in rating.open)}; --time allows more" if rating.open else ""
    rows += [EMPTY, *common.facts_rows([("left open", left_open)])]
    return [*rows, EMPTY, *common.facts_rows([("code", position.code)])]


def generated_rows(made: Sequence[Made]) -> list[Row]:
    """Return what was generated as a screen: a row for each puzzle."""
    cells = [("puzzle", "grade", "bits", "solutions", "turns", "themes")]
    for each in made:
        if each.text and each.facts is not None:
            unique = "1" if each.facts["unique"] else "several"
            numbers = (str(each.facts["grade"]), f"{each.facts['bits']:g}", unique, each.facts["turns"])
            cells.append((each.id, *numbers, ", ".join(each.facts["themes"])))
    return [*table(cells, headed=True), EMPTY, *common.facts_rows([("deals", deals_text(made))])]


def deals_text(made: Sequence[Made]) -> str:
    """Return what became of the deals, in one line."""
    left_out = ", ".join(f"{number} {why}" for why, number in why_not(made).items())
    return f"{len(made)} looked at{': ' if left_out else ''}{left_out}"


def why_not(made: Sequence[Made]) -> dict[str, int]:
    """Return how many deals were left out, by the reason, the most frequent first."""
    reasons = Counter(each.why_not for each in made if each.why_not)
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))


# Certificates, and the witnesses of an audit


def certificate_rows(checked: Checked) -> list[Row]:
    """Return what a certificate proves that holds."""
    position, goal, value = checked.position, checked.goal, checked.value or 0
    is_line, words = checked.status != "infeasible", common.words_for(goal, position.game)
    there, within, best = words.there, common.turns_text(goal.within_turns or 0, goal), words.value(value)
    claims = {
        Objective.MIN_TURNS: f"the line takes {best}, and none takes fewer to get to {there}",
        Objective.REACH: f"the line gets to {there} within {within}",
        Objective.MAX_DISTANCE: f"the line gets to {best} in {within}, and none gets further",
    }
    claim = claims[goal.objective] if is_line else words.impossible
    limits = common.limits_text(goal, position, turns=is_line and goal.objective is Objective.MIN_TURNS)
    holds = Row(", ".join(filter(None, (claim, limits))), label="HOLDS", look="good")
    found = f", {common.count(checked.positions, 'position')} on the way" if checked.positions else ""
    played = f"every line of {common.count(checked.turns, common.turn_of(goal))}, by the rules alone{found}"
    facts = [
        ("rules", f"{position.ruleset.id} {position.fingerprint}"),
        ("played", played if checked.turns else "nothing; the line is proof enough"),
        ("relies on", checked.relies and f"the bound '{checked.relies}'"),
        ("digest", checked.seal),
        ("position", position.code),
    ]
    return [Row(common.goal_sentence(goal, position)), EMPTY, holds, EMPTY, *common.facts_rows(facts)]


def witness_rows(checked: Sequence[Witnessed], findings: int, *, complete: bool = True) -> list[Row]:
    """Return what came of the witnesses of an audit with so many findings, ``complete`` where time allowed all."""
    if not checked:
        some = f"{common.count(findings, 'finding')}, none shown by a line"
        return [Row(f"nothing to check: {some if findings else 'the audit has no findings'}")]
    rows = [
        Row(f"{each.id}: {each.words}.", "ok" if each.ok else "FAILS", column=6, look="good" if each.ok else "bad")
        for each in checked
    ]
    failed = sum(not each.ok for each in checked)
    told = f"{len(checked) - failed} of {common.count(findings, 'finding')} shown by a line that the rules replay"
    late = "" if complete else "; the time was up before the rest"
    label, look = ("FAILS", "bad") if failed else ("HOLDS", "good") if complete else ("OPEN", "open")
    return [*rows, EMPTY, Row(f"{told}, {failed} failed{late}", label, look=look)]
