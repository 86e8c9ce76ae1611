"""Plans in words: annotated lines with their proof, and plans that branch on what chance brings, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, zip_longest
from typing import Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from solver.question import BY_ROUNDS, Annotation, Answer, NextMove, PlayedTurn, Status, TurnLine
from solver.render import EMPTY, FACTS, Row, fact_row
from solver.screens.common import (
    Unit,
    Words,
    count,
    goal_reached,
    impossible,
    lose,
    lost_unit,
    percent,
    turns_text,
    unit_in,
    value_text,
)
from solver.search.first_turn import Branch, chance_of, whatever_comes

T = TypeVar("T")

BRANCHES: Final = 12
"""Results of chance in JSON, or rows of a plan on a screen: the likeliest."""
STEP: Final = 4
"""Columns before everything that belongs to one turn."""
REASON: Final = 9
"""Columns from a reason's label to its text."""
SEEN: Final = 4
"""Results that are written out where a move of the next turn is best after more of them."""


def plan_rows(game: Race[T], turns: Sequence[PlayedTurn[T]], goal: Goal) -> list[Row]:
    """Return the annotated line, turn by turn: what is played, what the rules do, and why it was done so.

    Turns in which nothing happens are one row with the next turn if the same is done in it.
    """
    loses = lost_unit(goal, unit_in(game))
    rows: list[Row] = []
    shown: Sequence[tuple[str, str]] = ()
    first: int | None = None
    for turn, following in zip_longest(turns, turns[1:]):
        went = game.advance(turn.before, turn.after) if goal.clock is None or turn.after != turn.before else ""
        after = game.brief(turn.table)
        events = [event for event in turn.events if event.kind not in game.profile.routine]
        first = turn.number if first is None else first
        if not (went or events or turn.notes) and after == shown and following and following.steps == turn.steps:
            continue
        label, first = _numbers(first, turn.number), None
        rows += [EMPTY, Row("; ".join(turn.steps), label=label, right=went, column=STEP, look="title")]
        rows += [Row(game.sentence(event), label="·", indent=STEP) for event in events]
        rows += [
            fact_row(label, text, STEP, REASON, "quiet")
            for label, text in (*reasons(turn.notes, loses), *(() if after == shown else after))
        ]
        shown = after
    return rows


def _numbers(first: int, last: int) -> str:
    """Return the numbers of turns that are one row."""
    return f"{last:>2}" if first == last else f"{first:>2}-{last}"


def reasons(notes: Sequence[Annotation], loses: str) -> list[tuple[str, str]]:
    """Return the reasons of a turn as label and text; ``loses`` is what a worse move costs, in the singular."""
    found: list[tuple[str, str]] = []
    for role, verb in (("play", "plays"), ("pay", "pays with")):
        kept = [
            f"{note.data['card']} (turn {note.data['turn']} {verb} it)"
            for note in notes
            if note.kind == "kept" and note.data["role"] == role
        ]
        if kept:
            found.append(("keeps", ", ".join(kept)))
    return found + [("instead", _instead(note, loses)) for note in notes if note.kind == "instead"]


def _instead(note: Annotation, loses: str) -> str:
    """Return what other first moves of a turn cost."""
    equal, nearest, loss, more = (note.data[key] for key in ("equal", "nearest", "loss", "more"))
    parts = ["no other move does as well"]
    if equal:
        parts = [f"{count(equal, 'other move')} {'does' if equal == 1 else 'do'} as well"]
    if nearest is not None:
        parts.append(f"'{nearest}' loses {count(loss, loses)}")
        parts += [f"{lose(more, f'{more} more')} that or more"] if more else []
    elif more:
        parts.append(f"{lose(more, count(more, 'other'))} much or all")
    return "; ".join(parts)


def short_plan_rows(label: str, line: Sequence[TurnLine]) -> list[Row]:
    """Return a line without its reasons, one turn a row; turns after one another that do the same are one row."""
    texts = ["; ".join(step.text for step in turn.steps) for turn in line]
    rows: list[Row] = []
    last = 0
    for text, same in groupby(texts):
        first, last = last + 1, last + len(list(same))
        rows.append(Row(text, label=f"{label if first == 1 else '':8}{_numbers(first, last)}", column=FACTS))
    return rows


def branch_rows(plan: Sequence[Branch], omitted: Fraction, words: Words, title: str) -> list[Row]:
    """Return a turn with what answers each result of chance, the likeliest first."""
    if not plan:
        return []
    rows = [EMPTY, Row(title, look="title")]
    alike: dict[tuple[tuple[str, ...], Fraction | None], list[Branch]] = {}
    for branch in plan:
        alike.setdefault((branch.then, branch.value), []).append(branch)
    everything = len(alike) == 1 and not omitted
    before = 1 if omitted else len(whatever_comes(plan))
    likeliest = sorted(alike.values(), key=chance_of, reverse=True)
    for same in likeliest[:BRANCHES]:
        steps = "; ".join(same[0].then) if everything else _steps(same, max(1, before))
        rows.append(_chance_row(steps, chance_of(same), words.value(same[0].value)))
    rest = omitted + sum(map(chance_of, likeliest[BRANCHES:]), Fraction(0))
    return rows + ([_chance_row("other results, played as well as these", rest)] if rest else [])


def _chance_row(text: str, chance: Fraction, value: str = "") -> Row:
    return Row(text, label=percent(chance), right=value, indent=2, column=9)


def _steps(same: Sequence[Branch], before: int) -> str:
    """Return the moves of a turn in words; what chance shows, different things alike, comes after the first of them.

    The moves that come ``before`` it, so many, are the same whatever is shown.
    """
    first, rest = "; ".join(same[0].then[:before]), same[0].then[before:]
    seen = [" with ".join(branch.seen) for branch in same]
    if not all(seen):
        return "; ".join(same[0].then)
    more = len(seen) - SEEN
    shown = " or ".join(seen[:SEEN]) + f" or {more} others" if more > 1 else " or ".join(seen)
    return f"{first}; after {shown}: {'; '.join(rest)}" if rest else f"{first}, then {shown}"


def next_rows(following: Sequence[NextMove], goal: Goal, words: Words, title: str) -> list[Row]:
    """Return what to do on the next turn, by what came up on this one."""
    if not following:
        return []
    rows = [EMPTY, Row(f"{title}, by the first line that fits" if len(following) > 2 else title, look="title")]
    left = 1 - sum((each.probability for each in following), Fraction(0))
    for each in following:
        when = f"after {' or '.join(map(' with '.join, each.when))}: " if each.when else "otherwise: "
        when = "" if len(following) == 1 and not left else when
        lost = each.value is None or (goal.objective is Objective.REACH and not each.value)
        what = each.move or ("the goal is out of reach" if lost else "nothing more to do")
        what += " (how to pay hangs on what came up)" if each.is_payment_open else ""
        value = "" if each.value is None else words.value(each.value)
        rows.append(_chance_row(f"{when}{what}", each.probability, value))
    return rows + ([_chance_row("otherwise: enter what came up, and ask again", left)] if left else [])


def verdict_row(answer: Answer[int], goal: Goal, unit: Unit) -> Row:
    """Return the one line that says what was found and how sure it is, where everything is open."""
    value, bound = answer.value, answer.bound
    if answer.status is Status.OPTIMAL and value == 0 and goal.objective is Objective.MIN_TURNS:
        return Row(f"{value_text(0, goal, unit)}: the goal is reached already", label="SOLVED", look="good")
    if answer.status is Status.INFEASIBLE:
        return Row(f"proved: {impossible(goal, unit)}", label="IMPOSSIBLE", look="bad")
    better = "" if bound is None else f"; {value_text(bound, goal, unit)} may be possible"
    if value is None:
        return Row(f"nothing found before the limit{better}", label="UNKNOWN", look="open")
    shown = value_text(value, goal, unit)
    if goal.clock is not None and goal.objective is Objective.MIN_TURNS:
        shown = f"{shown} ({count(value, goal.clock.turn)})"
    if answer.status is Status.OPTIMAL:
        return Row(f"{shown}, proved best", label="SOLVED", look="good")
    return Row(f"{shown}, the best found so far{better}", label="FOUND", look="open")


def proof_text(answer: Answer[int], goal: Goal, unit: Unit) -> str:
    """Return why the verdict holds, in sentences with the numbers of the search."""
    proof, by_rounds = answer.proof, answer.proof.method == BY_ROUNDS
    sentences = [_rounds_excluded(answer, goal) if by_rounds else _excluded(answer, goal, unit)]
    if proof.projections and not by_rounds:
        sentences.append(f"Left out because it cannot matter here: {', '.join(proof.projections)}.")
    if proof.checked_by and answer.line:
        sentences.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if by_rounds and not answer.line and answer.status is Status.OPTIMAL:
        sentences.append("No line of moves shows it: from this hand not every card wanted can be drawn in time.")
    if answer.recalled:
        sentences.append("Known from an earlier run.")
    if answer.status in (Status.FEASIBLE, Status.UNKNOWN):
        sentences.append(f"No more is proved: {'it was stopped' if answer.interrupted else 'a limit was hit'} first.")
    return " ".join(filter(None, sentences))


def _rounds_excluded(answer: Answer[int], goal: Goal) -> str:
    """Return what a search round by round excluded, and in whose favour it erred."""
    proof = answer.proof
    if not proof.excluded_turns:
        return "No goal is reached in fewer rounds than one." if answer.status is Status.OPTIMAL else ""
    turns, luck = turns_text(proof.excluded_turns, goal), " and ".join(proof.projections)
    searched = f"every way that its bound leaves open was searched, {count(proof.states, 'round')}"
    searched = searched if proof.states else "a bound alone rules it out"
    return f"The goal is out of reach in {turns}, even with {luck}: {searched}."


def _excluded(answer: Answer[int], goal: Goal, unit: Unit) -> str:
    """Return what the exhausted search excluded, and how large it was."""
    proof, is_distance = answer.proof, goal.objective is Objective.MAX_DISTANCE
    if proof.method != "layers" or not (answer.status is Status.OPTIMAL if is_distance else proof.excluded_turns):
        return ""
    reason = f"cut by the bound '{proof.bound_name}'" if proof.bound_name else "reached with no turn left"
    cut = f", and {proof.pruned:,} more {reason}" if proof.pruned else ""
    effort = f"every one was searched, {count(proof.states, 'position')}{cut}"
    effort = effort if proof.states or proof.pruned else "bounds alone rule it out"
    if is_distance:
        turns = count(goal.within_turns or 0, "turn")
        return f"No line of {turns} gets beyond {unit.amount(str(answer.value))}: {effort}."
    turns = f" of {count(proof.excluded_turns or 0, 'turn' if goal.clock is None else goal.clock.turn)}"
    if answer.status is Status.INFEASIBLE and goal.within_turns is None:
        turns = ", however long,"
    return f"No line{turns} gets to {goal_reached(goal, unit)}: {effort}."
