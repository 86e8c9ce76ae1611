"""The screen of an answer: the verdict, the moves with what they lose, the plan, and what it all rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, Final

from puzzles.goal import Goal, Objective
from solver.question import (
    CERTAIN,
    IDLE,
    MIXED,
    SAMPLED,
    Answer,
    ContestFacts,
    MoveValue,
    Question,
    Status,
    chance_is_next,
)
from solver.render import EMPTY, FACTS, Row, Style, bar, beside_bars, table
from solver.screens.common import (
    PARTS,
    TOO_FEW,
    UNSETTLED,
    GoalWords,
    PayoffWords,
    Unit,
    Words,
    at_most_text,
    chance_rows,
    compared_by,
    count,
    decided_text,
    facts_rows,
    footer_rows,
    goal_sentence,
    information_text,
    level_moves,
    lost_unit,
    percent,
    picture_rows,
    sample_text,
    table_rows,
    turns_text,
    unit_of,
    value_text,
)
from solver.screens.plan import STEP, branch_rows, next_rows, plan_rows, proof_text, short_plan_rows, verdict_row
from solver.search.first_turn import chance_of

if TYPE_CHECKING:
    from solver.proofs import Count
    from solver.tools.why import Explanation

OTHERS: Final = {
    "best": "the others play their best",
    "random": "the others take any open move, each equally likely",
    "greedy": "the others make their own table look best at the end of each turn, looking no further",
    "never": "the others do nothing where they may, and end their turns at once",
    IDLE: "nobody else has anything to decide before this is settled",
}
"""How the others play."""
BY_RULE: Final = "everybody plays on by one rule of thumb"
SAME_EYES: Final = "; the others know what this player knows"
"""Where a game does not keep apart what each seat knows."""
METHODS: Final = {
    "expectiminimax": "every reply and every result of chance, exact fractions",
    "max^n": "every reply and every result of chance, everybody for themselves, exact fractions",
    MIXED: "a matrix game by linear programming, both strategies checked in exact fractions",
    "models": "every result of chance against players of that kind, exact fractions",
    SAMPLED: "playouts of what you know; all moves on the same draws",
    "expectimax": "every result of chance, exact fractions",
    CERTAIN: "every result of chance, exact fractions",
    BY_RULE: "many games played on after each move, on the same draws",
}
NOT_KNOWN: Final = "not compared within the limit"
"""What is known of a move that the question names and the answer leaves out."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question answered, what else was asked about the answer, and what of it is shown."""

    command: str
    """``solve`` asks about the line, ``best`` about the moves that are open now."""
    question: Question
    answer: Answer[Any]
    title: str = ""
    top: int = 3
    """Moves shown."""
    why: bool = False
    """The plan is annotated."""
    timed: bool = True
    """The clock may show."""
    style: Style = field(default_factory=Style)
    explanation: Explanation | None = None
    """Why it is impossible, or impossible to do better; where that was asked and proved."""
    every: Count | None = None
    """All the lines that do as well; where that was asked and proved."""
    also: Sequence[Answered] = ()
    """The same question for further moves whose value was asked."""
    reasons: Sequence[str] = ()
    """Why the best move is best, in sentences; where that was asked."""

    @property
    def compares(self) -> bool:
        """Whether moves are asked about."""
        return self.command == "best"

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.screens.data import answer_data

        data = answer_data(self.command, self.question, self.answer, self.top, timed=self.timed)
        if self.also:
            told = [data, *(other.json() for other in self.also)]
            data["versus"] = [each["versus"] for each in told if "versus" in each]
        if self.reasons:
            data["why"] = list(self.reasons)
        if self.every is not None or self.explanation is not None:
            from solver.screens.proof import explanation_data, lines_data

            data |= {} if self.every is None else {"lines": lines_data(self.every)}
            data |= {} if self.explanation is None else {"because": explanation_data(self.explanation)}
        return data

    def rows(self) -> list[Row]:
        """Return the answer as a screen."""
        rows = [Row(self.title, look="title")] if self.title else []
        if self.answer.contest is not None:
            rows += _contest_rows(self, self.answer.contest)
        elif self.answer.goal is not None:
            rows += _policy_rows(self, self.answer.goal)
        else:
            rows += _open_rows(self)
        if self.reasons:
            verdict = next(place for place, row in enumerate(rows) if row.label and row.look)
            because = [("because", self.reasons[0]), *(("", each) for each in self.reasons[1:])]
            rows[verdict + 1 : verdict + 1] = facts_rows(because)
        others = [row for other in self.also for row in other.rows() if row.label == "instead"]
        if others:
            label = "instead" if any(row.label == "instead" for row in rows) else "known"
            place = next(place for place, row in enumerate(rows) if row.label == label) + (label == "instead")
            rows[place:place] = others
        return rows


def _end_rows(asked: Answered, facts: Sequence[tuple[str, str]]) -> list[Row]:
    """Return some facts, what the answer takes as known, and what it cost."""
    position, answer = asked.question.position, asked.answer
    known = ("known", information_text(position))
    footer = footer_rows(position, answer.statistics, timed=asked.timed, sampled=answer.method == SAMPLED)
    return [EMPTY, *facts_rows([*facts, known]), *footer]


def _drawn_rows(asked: Answered) -> list[Row]:
    """Return what is drawn of the table, with the place to get to."""
    rows = [] if asked.style.plain else picture_rows(asked.question.position, asked.question.goal)
    return [*rows, EMPTY] if rows else []


# Everything is open


def _open_rows(asked: Answered) -> list[Row]:
    question, answer, compares = asked.question, asked.answer, asked.compares
    position, goal, why = question.position, question.own_goal, asked.why or not compares
    unit, game, sampled = unit_of(position), position.game, answer.sampled
    rows = [Row(goal_sentence(goal, position)), EMPTY]
    verdict = verdict_row(answer, goal, unit)
    if compares and answer.line:
        verdict = Row(answer.line[0].steps[0].text, label="BEST", right=verdict.text, look=verdict.look)
    rows += [*(() if why else _drawn_rows(asked)), verdict]
    if answer.moves:
        shown = [Row(each.move.text, right=_open_value(each, question, answer), indent=STEP) for each in answer.moves]
        compared = _open_compared(answer, len(question.moves()))
        rows += [EMPTY, *shown[: asked.top], Row(compared, indent=STEP, look="quiet")]
    if answer.turns and why:
        rows += [EMPTY, *table_rows(position, goal, STEP)]
        rows += plan_rows(game, answer.turns, goal)
    elif answer.turns:
        rows += [EMPTY, *short_plan_rows("plan", answer.line)]
    versus = answer.of_move(question.versus)
    if versus is not None:
        lost = _open_value(versus, question, answer)
        rows += [EMPTY, Row(versus.move.text, label="instead", right=lost, column=FACTS, look="title")]
        rows += short_plan_rows("", versus.line)
    elif question.versus is not None and sampled is None and answer.status is not Status.INFEASIBLE:
        rows += [EMPTY, *facts_rows([("instead", f"{question.versus.text}: {NOT_KNOWN}")])]
    known = [("proof", proof_text(answer, goal, unit))]
    if sampled is not None and sampled.goal is not None:
        words = GoalWords(sampled.goal, unit)
        rows += [EMPTY, Row(compared_by(sampled.goal, unit))]
        if sampled.value is not None:
            rows.append(Row(_sampled_text(sampled, words, asked.top), label="SAMPLED", look="open"))
        rows += [EMPTY, *_move_rows(sampled, words, asked), *_versus_rows(question, sampled, words)]
        known = [("method", METHODS[SAMPLED]), *known]
    if asked.every is not None or asked.explanation is not None:
        from solver.screens.proof import explanation_rows, lines_rows

        rows += [] if asked.every is None else [EMPTY, *lines_rows(asked.every)]
        rows += [] if asked.explanation is None else [EMPTY, *explanation_rows(position, asked.explanation)]
    return [*rows, *_end_rows(asked, known)]


def _open_value(move: MoveValue[int], question: Question, answer: Answer[int]) -> str:
    """Return what a move leads to, and what it loses against the best value, in words."""
    goal, unit = question.own_goal, unit_of(question.position)
    if move.value is None and move.status is Status.INFEASIBLE:
        if move.bound is None:
            return "loses the goal"
        least = (goal.in_rounds(move.bound) or 0) - (goal.in_rounds(answer.value) or 0)
        return f"loses {count(least, lost_unit(goal, unit))} or more"
    bound = "" if move.bound in (None, move.value) else f"; {value_text(move.bound, goal, unit)} may be possible"
    if move.value is None:
        return f"nothing found{bound}" if bound else "not compared"
    shown = value_text(move.value, goal, unit)
    if answer.status is Status.FEASIBLE:
        return f"{shown} found{bound}"
    return f"{shown}, loses {count(move.loss, lost_unit(goal, unit))}" if move.loss else f"{shown}, best"


def _open_compared(answer: Answer[int], choices: int) -> str:
    """Return how many moves were compared, and how many of them are best."""
    compared = f"{answer.considered} of {count(choices, 'move')}"
    if answer.status is not Status.OPTIMAL:
        return f"{compared} followed that far, none proved; --time allows more"
    if answer.considered < choices:
        return f"{compared} compared before a limit was hit; --time allows more"
    best = sum(each.loss == 0 for each in answer.moves)
    return "the only move" if choices == 1 else f"all {choices} moves compared: {best} best, {choices - best} worse"


# Chance is hidden


def _policy_rows(asked: Answered, goal: Goal) -> list[Row]:
    """Return the verdict, the moves, and what to do on each result of chance."""
    question, answer = asked.question, asked.answer
    position, versus = question.position, question.versus
    unit = unit_of(position)
    words = GoalWords(goal, unit)
    rows = [
        *_goal_rows(question, answer, goal, unit),
        EMPTY,
        *_drawn_rows(asked),
        _policy_verdict(question, answer, words, asked.top),
    ]
    if answer.status is not Status.INFEASIBLE:
        rows += [EMPTY, *_move_rows(answer, words, asked)] if answer.moves else []
        rows += branch_rows(answer.plan, answer.omitted, words, "This turn")
    rows += next_rows(answer.next_turn, goal, words, "Next turn")
    rows += _versus_rows(question, answer, words)
    if versus is not None and answer.moves:
        if len(answer.instead) > 1 and versus != answer.moves[0].move:
            title = f"This turn, with '{versus.text}'"
            rows += branch_rows(answer.instead, 1 - chance_of(answer.instead), words, title)
        rows += next_rows(answer.next_instead, goal, words, f"Next turn, with '{versus.text}'")
    is_sampled = answer.method == SAMPLED
    late = is_sampled and goal.objective is Objective.MIN_TURNS
    known = [
        ("method", METHODS[answer.method]),
        ("cut off", f"a game not over after {turns_text(answer.span, goal)} counts as over then" if late else ""),
        ("others", OTHERS.get(answer.others, "")),
        ("more", _more_text(answer, goal)),
    ]
    return [*rows, *_end_rows(asked, known)]


def _goal_rows(question: Question, answer: Answer[Fraction], goal: Goal, unit: Unit) -> list[Row]:
    """Return what was asked, and what moves are compared by where that is something else."""
    asked = question.own_goal
    rows = [Row(goal_sentence(asked, question.position))]
    is_cut = goal.objective is Objective.MAX_DISTANCE and asked.within_turns != goal.within_turns
    if answer.status is Status.INFEASIBLE or (asked.objective is goal.objective and not is_cut):
        return rows
    if goal.objective is Objective.REACH:
        return [*rows, *chance_rows(asked, goal, proved=answer.status is Status.OPTIMAL)]
    return [*rows, Row(compared_by(goal, unit))]


def _policy_verdict(question: Question, answer: Answer[Fraction], words: GoalWords, top: int) -> Row:
    """Return what was found."""
    is_distance = words.goal.objective is Objective.MAX_DISTANCE
    shown = words.value(answer.value)
    if answer.status is Status.OPTIMAL:
        best = "no way to play does better"
        if not answer.moves and chance_is_next(question.position):
            best = f"{best}; chance decides next"
        elif not answer.moves:
            best = f"nothing is left to do, {'no turn is left' if is_distance else 'the goal is reached'}"
        return Row(f"{shown}, exact: {best}", label="SOLVED", look="good")
    if answer.status is Status.INFEASIBLE:
        stuck = "every way to play comes to a turn with no move that the goal allows"
        return Row(f"proved: {stuck if is_distance else 'no way to play gets there'}", label="IMPOSSIBLE", look="bad")
    if answer.method == SAMPLED and answer.value is not None:
        label = "FOUND" if answer.moves[0].is_proved else "SAMPLED"
        return Row(_sampled_text(answer, words, top), label=label, look="open")
    bound = "" if answer.bound is None else f"; {words.value(answer.bound)} may be possible"
    if answer.value is None:
        return Row(f"nothing found before the limit{bound}", label="UNKNOWN", look="open")
    return Row(f"{shown}, the best way to play found so far{bound}", label="FOUND", look="open")


def _sure_text(answer: Answer[Fraction], top: int) -> str:
    """Return how sure the best of sampled moves is, of which ``top`` are shown."""
    return decided_text(answer.verdict, answer.kind, answer.moves[0].move.text, level_moves(answer.moves[:top]))


def _sampled_text(answer: Answer[Fraction], words: GoalWords, top: int) -> str:
    """Return the value of the best of sampled moves and how sure it is."""
    first, objective = answer.moves[0], words.goal.objective
    if first.is_proved and first.value is not None:
        more = "fewer" if objective is Objective.MIN_TURNS else "more"
        shown = f"{words.side} {words.rounded(first.value)}"
        return f"{shown}, proved for the first move; no playouts of any other show {more}"
    shown = _value(first, answer, words)
    parts = [shown if words.is_vague(first) else f"about {shown}", _sure_text(answer, top)]
    if answer.bound is not None and objective is Objective.MAX_DISTANCE:
        parts.append(f"no way to play has more than {words.number(float(answer.bound))}")
    elif answer.bound is not None and objective is Objective.REACH:
        proved = [words.bound(answer.least)] if answer.least else []
        proved += [at_most_text(answer.bound)] if answer.bound < 1 else []
        parts += [f"proved: {', '.join(proved)}"] if proved else []
    return "; ".join(parts)


def _more_text(answer: Answer[Fraction], goal: Goal) -> str:
    """Return how to go on where an answer is no whole plan, or was not found in time; empty elsewhere."""
    turns, fewest = goal.within_turns, goal.objective is Objective.MIN_TURNS
    if answer.status is Status.OPTIMAL:
        is_last = (turns is not None and turns < 2) or (fewest and answer.value == 1)
        is_whole = answer.next_turn or is_last or not answer.plan or not answer.value
        return "" if is_whole else "the next turn hangs on what comes up: enter it (see 'bestline play') and ask again"
    if answer.status is Status.INFEASIBLE and turns and goal.objective is Objective.REACH:
        return f"--goal max_distance --within-turns {turns} asks how far one gets"
    if answer.status is Status.INFEASIBLE or answer.verdict or answer.interrupted:
        return ""
    chance = "; --goal reach --within-turns N asks for a chance, which is found sooner" if fewest else ""
    return f"--time allows more, and 'best' compares moves by playouts{chance}"


# Several players


def _contest_rows(asked: Answered, facts: ContestFacts) -> list[Row]:
    """Return the verdict, the moves with what they lose, what follows, how the others play."""
    question, answer = asked.question, asked.answer
    words, is_sampled = PayoffWords(facts.stake), answer.method == SAMPLED
    span = "the game" if facts.rounds is None or facts.guessed else count(facts.rounds, "round")
    by_rule = facts.by_rule
    others = BY_RULE if by_rule else OTHERS[facts.opponents.value]
    others += "" if by_rule or facts.apart else SAME_EYES
    rows = [Row(f"Your best move, for {span}: {others}."), EMPTY, *_drawn_rows(asked)]
    rows.append(_contest_verdict(answer, facts, words, asked.top))
    rows += [EMPTY, *_move_rows(answer, words, asked), *_versus_rows(question, answer, words)]
    follows = "" if is_sampled else "; ".join(facts.follows)
    passed = f"about {round(100 * facts.passed)} % that somebody passes you" if facts.passed is not None else ""
    ahead = f"{count(facts.rounds or 0, 'round')} on{', then a guess' if facts.guessed else ''}"
    ahead = "games to their end" if facts.by_rule and facts.guessed else ahead
    guess = "" if is_sampled or answer.status is Status.OPTIMAL else ", as far as was looked; beyond that a guess"
    method = METHODS[BY_RULE if by_rule else answer.method]
    known = [
        ("follows", follows),
        ("looked", ahead if is_sampled else ""),
        ("method", f"{method}{guess}"),
        ("simplified", facts.simplified),
        ("passed", passed),
    ]
    return [*rows, *_end_rows(asked, known)]


def _contest_verdict(answer: Answer[Fraction], facts: ContestFacts, words: PayoffWords, top: int) -> Row:
    if answer.value is None:
        stop = "stopped before any move was tried"
        text = stop if answer.method == SAMPLED else "no move could be compared before the limit"
        return Row(text, label="UNKNOWN", look="open")
    if answer.method == SAMPLED:
        chance = answer.moves[0].win_chance
        wins = "" if chance is None else f", {percent(chance)} to win"
        text = f"about {words.about(answer.value)}{wins}; {_sure_text(answer, top)}"
        return Row(text, label="SAMPLED", look="open")
    if answer.status is Status.OPTIMAL:
        all_known = answer.verdict == "exact"
        what = "everything that can follow was looked at" if all_known else "no other move can be better"
        return Row(f"{words.value(answer.value)}, exact: {what}", label="SOLVED", look="good")
    ahead = f"looking {count(facts.turns, 'turn')} ahead, then a guess" if facts.turns else "at a glance"
    proved = ""
    if facts.low is not None and answer.bound is not None and not (facts.low == 0 and answer.bound == 1):
        proved = f"; proved between {words.short(facts.low)} and {words.short(answer.bound)}"
    sure = _sure_text(answer, top)
    return Row(f"about {words.value(answer.value)}, {ahead}{proved}; {sure}", label="FOUND", look="open")


# Moves under chance and among several players


def _move_rows(answer: Answer[Fraction], words: Words, asked: Answered) -> list[Row]:
    """Return the best moves, one a row, and how many were compared."""
    mixed = answer.method == MIXED and any(each.share is not None for each in answer.moves)
    shown = [each for place, each in enumerate(answer.moves) if place < asked.top or (mixed and each.share)]
    values = [_value(each, answer, words).replace(" of the win", "") for each in shown]  # the verdict says of what
    cells = [
        (str(n), each.move.text, _bar(each, words, asked.style), value, _merit(each, answer, words))
        for n, (each, value) in enumerate(zip(shown, values, strict=True), start=1)
    ]
    rows = table(beside_bars(cells, 2, asked.style), asked.style, indent=2)
    if answer.contest is not None and answer.value is None and answer.method != SAMPLED:
        return rows
    return [*rows, Row(_compared_text(answer), indent=2)]


def _bar(move: MoveValue[Fraction], words: Words, style: Style) -> str:
    """Return the chance of a move as a bar; nothing where its value is no chance, or hardly known."""
    if not words.is_chance or move.value is None or words.is_vague(move) or not move.is_settled:
        return ""
    return bar(move.value, style, move.interval)


def _value(move: MoveValue[Fraction], answer: Answer[Fraction], words: Words) -> str:
    """Return what a move is worth; a mean of playouts is no fraction to be trusted to the last digit."""
    if move.at_least is not None:
        return "not valued"
    if answer.method != SAMPLED:
        return words.value(move.value) if move.is_settled else UNSETTLED
    if move.value is None:
        return "not tried before the stop"
    if move.is_proved and isinstance(words, GoalWords):
        return words.bound(move.value)
    return TOO_FEW if words.is_vague(move) else words.about(move.value)


def _merit(move: MoveValue[Fraction], answer: Answer[Fraction], words: Words) -> str:
    """Return how good a move is, or how sure its value."""
    if move.is_proved:
        return "proved"
    if answer.method == SAMPLED and (move.playouts or answer.contest is not None):
        return sample_text(move, words)
    if answer.method == MIXED and move.share is not None and move.share != 1:
        return f"play it {percent(move.share)} of the time" if move.share else _lost_text(move, answer, words)
    return _lost_text(move, answer, words)


def _lost_text(move: MoveValue[Fraction], answer: Answer[Fraction], words: Words) -> str:
    """Return what a move loses; what is not settled may look otherwise further ahead."""
    if move.at_least is not None:
        shown = Fraction(floor(move.at_least * PARTS), PARTS)
        return f"loses at least {words.loss(shown)}" if shown else "worse" if move.at_least else "no better"
    if move.loss is None:
        return ""
    is_open, is_sampled = answer.verdict == "undecided", answer.method == SAMPLED
    if move.loss:
        return f"loses {'about ' if (is_open or is_sampled) and not move.is_proved else ''}{words.loss(move.loss)}"
    return "best so far" if is_open and not is_sampled else "best"


def _compared_text(answer: Answer[Fraction]) -> str:
    """Return how many moves were compared."""
    moves = answer.moves
    if answer.unproved:
        return f"The other {count(answer.unproved, 'open move')} may be better: a limit was hit first."
    total = len(moves) + answer.passed_over + answer.left_out
    tried = sum(each.is_tried for each in moves) if answer.method == SAMPLED else len(moves)
    if total == 1:
        return "the only move"
    if tried == total:
        text = f"All {total} open moves compared"
    elif answer.left_out:
        why = "they cannot help" if answer.method != CERTAIN else "these are sure to be best"
        text = f"{tried} of {total} open moves compared, the others left out: {why}"
    else:
        text = (
            f"{tried} of {total} open moves tried{', a few of each kind' if answer.passed_over else ' before the stop'}"
        )
    left = sum(each.at_least is not None for each in moves)
    return f"{text}; {left} are no better than the best, without their exact loss." if left else f"{text}."


def _versus_rows(question: Question, answer: Answer[Fraction], words: Words) -> list[Row]:
    """Return what the move that the question names is worth; nothing where it names none."""
    versus = question.versus
    if versus is None or not answer.moves:
        return []
    move = answer.of_move(versus)
    if move is None or (answer.contest is not None and move.value is None and move.at_least is None):
        return [EMPTY, *facts_rows([("instead", f"{versus.text}: {NOT_KNOWN}")])]
    lost = f", {_lost_text(move, answer, words)}" if move.loss or move.at_least is not None else ""
    lost = ", the best move itself" if move == answer.moves[0] else lost
    sure = f", {sample_text(move, words)}" if answer.method == SAMPLED and move.playouts else ""
    return [EMPTY, *facts_rows([("instead", f"{move.move.text}: {_value(move, answer, words)}{sure}{lost}")])]
