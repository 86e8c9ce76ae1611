"""Answers under chance and against others in words: the verdict, moves with what they lose, plans that branch."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile
from math import ceil, floor
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from solver.question import CERTAIN, IDLE, MIXED, SAMPLED, Answer, MoveValue, NextMove, Question, Status, chance_is_next
from solver.render import EMPTY, Row, Style, bar, beside_bars, table
from solver.screens import common
from solver.search.expectimax import Branch, chance_of, whatever_comes

OTHERS: Final = {
    "best": "the others play their best",
    "random": "the others take any open move, each equally likely",
    "greedy": "the others make their own table look best at the end of each turn, looking no further",
    "never": "the others do nothing where they may, and end their turns at once",
    IDLE: "nobody else has anything to decide before this is settled",
}
"""How the others play."""
BY_RULE: Final = "everybody plays on by one rule of thumb"
METHODS: Final = {
    "expectiminimax": "every reply and every result of chance, exact fractions",
    "max^n": "every reply and every result of chance, everybody for themselves, exact fractions",
    MIXED: "a matrix game by linear programming, both strategies checked in exact fractions",
    "models": "every result of chance against players of that kind, exact fractions",
    SAMPLED: "playouts of what you know; all moves on the same draws",
    **dict.fromkeys(("expectimax", CERTAIN), "every result of chance, exact fractions"),
    BY_RULE: "many games played on after each move, on the same draws",
}
NOT_KNOWN: Final = "not compared within the limit"
"""What is known of a move that the question names and the answer leaves out."""
BRANCHES: Final = 12
"""Results of chance in JSON, or rows of a plan on a screen: the likeliest."""
SEEN: Final = 4
"""Results that are written out where a move of the next turn is best after more of them."""


Asked = Sequence[tuple[Question, Answer[Any]]]
"""A question with its answer, and the same question about further moves."""


class Body(NamedTuple):
    """What stands between the title of an answer and what it takes as known."""

    question: Sequence[Row]
    verdict: Row
    rest: Sequence[Row]
    facts: Sequence[tuple[str, str]]


def policy_body(asked: Asked, top: int, style: Style) -> Body:
    """Return the verdict, the ``top`` moves, and what to do on each result of chance."""
    (question, answer), goal = asked[0], asked[0][1].answered
    versus, words, rows = question.versus, common.Words(goal, common.unit_of(question.position.game)), list[Row]()
    if answer.status is not Status.INFEASIBLE:
        rows += [EMPTY, *move_rows(answer, words, top, style)] if answer.moves else []
        rows += branch_rows(answer.plan, answer.omitted, words, "This turn")
    rows += next_rows(answer.next_turn, goal, words, "Next turn")
    rows += versus_rows(asked)
    if versus is not None and answer.moves:
        if len(answer.instead) > 1 and versus != answer.moves[0].move:
            title = f"This turn, with '{versus.text}'"
            rows += branch_rows(answer.instead, 1 - chance_of(answer.instead), words, title)
        rows += next_rows(answer.next_instead, goal, words, f"Next turn, with '{versus.text}'")
    last = common.turns_text(answer.span, goal)
    late = answer.method == SAMPLED and goal.objective is Objective.MIN_TURNS
    facts = [
        ("method", METHODS[answer.method]),
        ("cut off", f"a game not over after {last} counts as over then" if late else ""),
        ("others", OTHERS.get(answer.others, "")),
        ("more", _more_text(answer, goal)),
    ]
    return Body(_goal_rows(question, answer, goal), _policy_verdict(question, answer, words), rows, facts)


def _goal_rows(question: Question, answer: Answer[Fraction], goal: Goal) -> list[Row]:
    """Return what was asked, and what moves are compared by where that is something else."""
    asked = question.own_goal
    rows = [Row(common.goal_sentence(asked, question.position))]
    is_cut = goal.objective is Objective.MAX_DISTANCE and asked.within_turns != goal.within_turns
    if answer.status is Status.INFEASIBLE or (asked.objective is goal.objective and not is_cut):
        return rows
    if goal.objective is Objective.REACH:
        return [*rows, *common.chance_rows(asked, goal, proved=answer.status is Status.OPTIMAL)]
    return [*rows, Row(common.compared_by(goal, common.unit_of(question.position.game)))]


def _policy_verdict(question: Question, answer: Answer[Fraction], words: common.Words) -> Row:
    """Return what was found."""
    is_distance = words.objective is Objective.MAX_DISTANCE
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
        return Row(sampled_text(answer, words), label=label, look="open")
    bound = "" if answer.bound is None else f"; {words.value(answer.bound)} may be possible"
    if answer.value is None:
        return Row(f"nothing found before the limit{bound}", label="UNKNOWN", look="open")
    return Row(f"{shown}, the best way to play found so far{bound}", label="FOUND", look="open")


def _with_sure(shown: str, answer: Answer[Fraction], first: str = "") -> str:
    """Return what is known of the best move, and how sure it is that it is best; ``first`` is what it is called."""
    best, *others = answer.moves
    level = level_moves(answer.verdict, float(best.value or 0), [each.interval for each in others])
    return common.decided_text(shown, answer.verdict, answer.kind, first or best.move.text, level)


def sampled_text(answer: Answer[Fraction], words: common.Words) -> str:
    """Return the value of the best of sampled moves and how sure it is."""
    first, objective = answer.moves[0], words.objective
    if first.is_proved and first.value is not None:
        more = "fewer" if objective is Objective.MIN_TURNS else "more"
        return f"{words.bound(first.value)}, proved for the first move; no playouts of any other show {more}"
    shown = _value(first, answer, words)
    parts = [_with_sure(shown if words.is_vague(first) else f"about {shown}", answer)]
    if answer.bound is not None and objective is Objective.MAX_DISTANCE:
        parts.append(f"no way to play has more than {words.number(float(answer.bound))}")
    elif answer.bound is not None and objective is Objective.REACH:
        proved = [words.bound(answer.least)] if answer.least else []
        most = Fraction(ceil(answer.bound * common.PARTS), common.PARTS)  # rounded to the side on which it holds
        proved += [f"at most {common.percent(most)}"] if answer.bound < 1 else []
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


def contest_body(asked: Asked, top: int, style: Style) -> Body:
    """Return the verdict, the ``top`` moves with what they lose, what follows, how the others play."""
    answer = asked[0][1]
    facts, words, is_sampled = answer.facts, common.payoff_words(answer.facts.stake), answer.method == SAMPLED
    span = "the game" if facts.rounds is None or facts.guessed else common.count(facts.rounds, "round")
    others = BY_RULE if facts.by_rule else OTHERS[facts.opponents.value]
    others += "" if facts.by_rule or facts.apart else "; the others know what this player knows"
    passed = f"about {round(100 * facts.passed)} % that somebody passes you" if facts.passed is not None else ""
    ahead = f"{common.count(facts.rounds or 0, 'round')} on{', then a guess' if facts.guessed else ''}"
    ahead = "games to their end" if facts.by_rule and facts.guessed else ahead
    guess = "" if is_sampled or answer.status is Status.OPTIMAL else ", as far as was looked; beyond that a guess"
    method = METHODS[BY_RULE if facts.by_rule else answer.method]
    known = [
        ("follows", "" if is_sampled else "; ".join(facts.follows)),
        ("looked", ahead if is_sampled else ""),
        ("method", f"{method}{guess}"),
        ("simplified", facts.simplified),
        ("passed", passed),
    ]
    rows = [EMPTY, *move_rows(answer, words, top, style), *versus_rows(asked)]
    verdict = _contest_verdict(answer, words)
    return Body([Row(f"Your best move, for {span}: {others}.")], verdict, rows, known)


def _contest_verdict(answer: Answer[Fraction], words: common.Words) -> Row:
    facts = answer.facts
    if answer.value is None:
        stop = "stopped before any move was tried"
        text = stop if answer.method == SAMPLED else "no move could be compared before the limit"
        return Row(text, label="UNKNOWN", look="open")
    if answer.method == SAMPLED:
        first = answer.moves[0]
        wins = "" if first.win_chance is None else f", {common.percent(first.win_chance)} to win"
        shown = common.TOO_FEW if words.is_vague(first) else f"about {words.about(answer.value)}{wins}"
        return Row(_with_sure(shown, answer), label="SAMPLED", look="open")
    if answer.status is Status.OPTIMAL:
        all_known = answer.verdict == "exact"
        what = "everything that can follow was looked at" if all_known else "no other move can be better"
        return Row(f"{words.value(answer.value)}, exact: {what}", label="SOLVED", look="good")
    ahead = f"looking {common.count(facts.turns, 'turn')} ahead, then a guess" if facts.turns else "at a glance"
    proved = ""
    if facts.low is not None and answer.bound is not None and not (facts.low == 0 and answer.bound == 1):
        proved = f"; proved between {words.about(facts.low)} and {words.about(answer.bound)}"
    return Row(_with_sure(f"about {words.value(answer.value)}, {ahead}{proved}", answer), label="FOUND", look="open")


# Moves under chance and among several players


def move_rows(answer: Answer[Fraction], words: common.Words, top: int, style: Style) -> list[Row]:
    """Return the best moves, one a row, and how many were compared."""
    mixed = answer.method == MIXED and any(each.share is not None for each in answer.moves)
    shown = [each for place, each in enumerate(answer.moves) if place < top or (mixed and each.share)]
    values = [_value(each, answer, words).replace(" of the win", "") for each in shown]  # the verdict says of what
    cells = [
        (str(n), each.move.text, _bar(each, words, style), value, _merit(each, answer, words))
        for n, (each, value) in enumerate(zip(shown, values, strict=True), start=1)
    ]
    rows = table(beside_bars(cells, 2, style), style, indent=2)
    if answer.contest is not None and answer.value is None and answer.method != SAMPLED:
        return rows
    return [*rows, Row(_compared_text(answer), indent=2)]


def _bar(move: MoveValue[Fraction], words: common.Words, style: Style) -> str:
    """Return the chance of a move as a bar; nothing where its value is no chance, or hardly known."""
    if not words.is_chance or move.value is None or words.is_vague(move) or not move.is_settled:
        return ""
    return bar(move.value, style, move.interval)


def _value(move: MoveValue[Fraction], answer: Answer[Fraction], words: common.Words) -> str:
    """Return what a move is worth; a mean of playouts is no fraction to be trusted to the last digit."""
    if move.at_least is not None:
        return "not valued"
    if answer.method != SAMPLED:
        return words.value(move.value) if move.is_settled else common.UNSETTLED
    if move.value is None:
        return "not tried before the stop"
    if move.is_proved and not words.is_payoff:
        return words.bound(move.value)
    return common.TOO_FEW if words.is_vague(move) else words.about(move.value)


def _merit(move: MoveValue[Fraction], answer: Answer[Fraction], words: common.Words) -> str:
    """Return how good a move is, or how sure its value."""
    if move.is_proved:
        return "proved"
    if answer.method == SAMPLED and (move.playouts or answer.contest is not None):
        return common.sample_text(move, words)
    if answer.method == MIXED and move.share is not None and move.share != 1:
        return f"play it {common.percent(move.share)} of the time" if move.share else _lost_text(move, answer, words)
    return _lost_text(move, answer, words)


def _lost_text(move: MoveValue[Fraction], answer: Answer[Fraction], words: common.Words) -> str:
    """Return what a move loses; what is not settled may look otherwise further ahead."""
    if move.at_least is not None:
        shown = Fraction(floor(move.at_least * common.PARTS), common.PARTS)
        return f"loses at least {words.loss(shown)}" if shown else "worse" if move.at_least else "no better"
    if move.loss is None:
        return ""
    is_open, is_sampled = answer.verdict == "undecided", answer.method == SAMPLED
    if move.loss:
        return f"loses {common.about(words.loss(move.loss), (is_open or is_sampled) and not move.is_proved)}"
    return "best so far" if is_open and not is_sampled else "best"


def _compared_text(answer: Answer[Fraction]) -> str:
    """Return how many moves were compared."""
    moves = answer.moves
    if answer.unproved:
        return f"The other {common.count(answer.unproved, 'open move')} may be better: a limit was hit first."
    total, tried = answer.choices, answer.tried
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


def versus_rows(asked: Asked) -> list[Row]:
    """Return what the moves that were asked about are worth, none where there are none."""
    facts = common.facts_rows(("instead", _versus_text(question, answer)) for question, answer in asked)
    return [EMPTY, *facts] if facts else []


def _versus_text(question: Question, answer: Answer[Fraction]) -> str:
    """Return what the move that the question names is worth; empty where it names none."""
    versus, contest, unit = question.versus, answer.contest, common.unit_of(question.position.game)
    if versus is None or not answer.moves:
        return ""
    words = words_of(answer, None, unit)
    move = answer.of_move(versus)
    if move is None or (contest is not None and move.value is None and move.at_least is None):
        return f"{versus.text}: {NOT_KNOWN}"
    is_told = not words.is_vague(move) and (move.loss or move.at_least is not None)
    lost = f", {_lost_text(move, answer, words)}" if is_told else ""
    lost = ", the best move itself" if move == answer.moves[0] else lost
    sure = f", {common.sample_text(move, words)}" if answer.method == SAMPLED and move.playouts else ""
    return f"{move.move.text}: {_value(move, answer, words)}{sure}{lost}"


def level_moves(verdict: str, best: float, intervals: Sequence[Sequence[float] | None]) -> int:
    """Return the last place of a move that may be as good as the best, two at least, by the intervals behind it.

    Where it is close these follow on one another. Else any may be as good of which nothing else is known.
    """
    level = [verdict != "close" if span is None else span[0] <= best <= span[1] for span in intervals]
    places = takewhile(bool, level) if verdict == "close" else level
    return max([2, *(place for place, may_be in enumerate(places, 2) if may_be)])


# Advice at the table, on a few lines


def words_of(answer: Answer[Any], goal: Goal | None, unit: common.Unit) -> common.Words:
    """Return what the values of the moves are called; ``goal`` is the one that was asked."""
    if answer.contest is not None:
        return common.payoff_words(answer.contest.stake)
    return common.Words(goal if answer.goal is None and goal is not None else answer.answered, unit)


def brief_value(move: MoveValue[Any], answer: Answer[Any], words: common.Words, *, is_best: bool = True) -> str:
    """Return what a move is worth; beside the best one, in that by which they are ranked."""
    if words.is_vague(move):
        return common.TOO_FEW
    if words.is_payoff:
        if not words.is_chance and not is_best and move.loss is not None:
            return f"{words.loss(move.loss)} less" if move.loss else "as good"
        chance = _chance(move, words)
        return _value(move, answer, words) if chance is None else f"{common.percent(chance)} to win"
    is_open = answer.goal is None
    return "" if is_open and move.value is None else _value(move, answer, words)


def _chance(move: MoveValue[Any], words: common.Words) -> Fraction | None:
    """Return the chance of a move to win or to get there."""
    return move.value if move.win_chance is None and words.is_chance else move.win_chance


def brief_sure(answer: Answer[Any], words: common.Words, style: Style) -> str:
    """Return the chance of the best move as a bar, and how sure all is."""
    first = answer.moves[0]
    chance = None if words.is_vague(first) else _chance(first, words)
    interval = first.interval if chance is not None and words.is_chance else None
    drawn = "" if chance is None else bar(chance, style, interval)
    within = common.interval_text(*(f"{each * 100:.1f}" for each in interval)) if interval else ""
    told = ", ".join(filter(None, (within, common.count(first.playouts, "draw") if first.playouts else "")))
    if answer.status is Status.OPTIMAL or not answer.verdict:
        sure = "exact" if answer.status is Status.OPTIMAL else "best so far"
        told = ", ".join(filter(None, (told, sure)))
    else:
        told = _with_sure(told, answer, "it")
    return f"{drawn}  {told}".strip()


# Plans that branch on what chance brings


def branch_rows(plan: Sequence[Branch], omitted: Fraction, words: common.Words, title: str) -> list[Row]:
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
    return Row(text, label=common.percent(chance), right=value, indent=2, column=9)


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


def next_rows(following: Sequence[NextMove], goal: Goal, words: common.Words, title: str) -> list[Row]:
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
