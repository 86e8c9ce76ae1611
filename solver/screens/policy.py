"""Answers under chance and against others in words: the verdict, moves with what they lose, plans that branch."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, takewhile
from math import ceil, floor
from typing import Any, Final

from puzzles.puzzle import Goal, Objective
from solver.question import (
    CERTAIN,
    IDLE,
    MIXED,
    SAMPLED,
    Answer,
    MoveValue,
    NextMove,
    Question,
    Status,
    TurnLine,
    chance_is_next,
)
from solver.render import EMPTY, FACTS, Row, table
from solver.screens import common
from solver.search.expectimax import Branch, chance_of, whatever_comes

OTHERS: Final = {
    "best": "the others play their best",
    "random": "the others take any open move, each equally likely",
    "greedy": "the others make their own table look best at the end of each turn, looking no further",
    "never": "the others do nothing where they may, and end their turns at once",
    IDLE: "nobody else has anything to decide before this is settled",
}
BY_RULE: Final = "everybody plays on by one rule of thumb"
METHODS: Final = {
    "expectiminimax": "every reply and every result of chance, exact fractions",
    "max^n": "every reply and every result of chance, everybody for themselves, exact fractions",
    MIXED: "a matrix game by linear programming, both strategies checked in exact fractions",
    "models": "every result of chance against players of that kind, exact fractions",
    SAMPLED: "playouts of what you know; all moves meet the same cards and rolls",
    **dict.fromkeys(("expectimax", CERTAIN), "every result of chance, exact fractions"),
    BY_RULE: "playouts to the end of the game; all moves meet the same cards and rolls",
}
BRANCHES: Final = 12
"""Results of chance in JSON, or rows of a plan on a screen: the likeliest."""
SEEN: Final = 4
"""Results that are written out where a move of the next turn is best after more of them."""


Asked = Sequence[tuple[Question, Answer[Any]]]
"""A question with its answer, and the same question about further moves."""


def policy_body(asked: Asked, top: int) -> common.Body:
    """Return the verdict, the ``top`` moves, and what to do on each result of chance."""
    (question, answer), goal = asked[0], asked[0][1].answered
    versus, words, rows = question.versus, common.words_of(question, answer), list[Row]()
    if answer.status is not Status.INFEASIBLE:
        rows += [EMPTY, *move_rows(question, answer, top)] if answer.moves else []
        rows += branch_rows(answer.plan, answer.omitted, words, "This turn")
    rows += next_rows(answer.next_turn, goal, words, "Next turn")
    rows += versus_rows(asked)
    if versus is not None and answer.moves:
        if len(answer.instead) > 1 and versus != answer.moves[0].move:
            title = f"This turn, with '{versus.text}'"
            rows += branch_rows(answer.instead, 1 - chance_of(answer.instead), words, title)
        rows += next_rows(answer.next_instead, goal, words, f"Next turn, with '{versus.text}'")
    last = common.turns_text(answer.span, goal)
    late = answer.is_sampled and goal.objective is Objective.MIN_TURNS
    facts = [
        ("method", METHODS[answer.method]),
        ("cut off", f"a game not over after {last} counts as over then" if late else ""),
        ("others", OTHERS.get(answer.others, "")),
        ("more", _more_text(answer, goal)),
    ]
    by_chance = not answer.moves and chance_is_next(question.position)
    return common.Body(_goal_rows(question, answer, goal), _verdict(answer, words, by_chance=by_chance), rows, facts)


def _goal_rows(question: Question, answer: Answer[Fraction], goal: Goal) -> list[Row]:
    asked = question.own_goal
    rows = [Row(common.goal_sentence(asked, question.position))]
    is_cut = goal.objective is Objective.MAX_DISTANCE and asked.within_turns != goal.within_turns
    if answer.status is Status.INFEASIBLE or (asked.objective is goal.objective and not is_cut):
        return rows
    if goal.objective is Objective.REACH:
        return [*rows, *common.chance_rows(asked, goal, proved=answer.status is Status.OPTIMAL)]
    return [*rows, Row(common.words_of(question, answer).compared_by)]


def _verdict(answer: Answer[Fraction], words: common.Words, *, by_chance: bool = False) -> Row:
    """Return the one line that says what was found and how sure it is; ``by_chance``: nothing can be chosen yet."""
    value, contest = answer.value, answer.contest
    if value is None or answer.status in (Status.OPTIMAL, Status.INFEASIBLE):
        return common.verdict_row(answer, words, by_chance=by_chance)
    if answer.is_sampled:
        return Row(sampled_text(answer, words), label="FOUND" if answer.moves[0].is_proved else "SAMPLED", look="open")
    if contest is None:
        return common.verdict_row(answer, words)
    low, high = contest.low, answer.bound
    ahead = f"looking {common.count(contest.turns, 'turn')} ahead, then a guess" if contest.turns else "at a glance"
    if low is not None and high is not None and not (low == 0 and high == 1):
        ahead += f"; proved between {words.about(low)} and {words.about(high)}"
    return Row(_with_sure(f"about {words.value(value)}, {ahead}", answer), label="FOUND", look="open")


def _with_sure(shown: str, answer: Answer[Fraction]) -> str:
    best, *others = answer.moves
    if answer.choices == 1:
        return f"{shown}; {best.move.text} is the only move"
    same = 1 + sum(each.paired is not None and each.paired[:2] == (0, 0) for each in others)
    if answer.verdict == "decided" and same > 1:
        return f"{shown}; the first {same} end alike, and no move is better"
    level = level_moves(answer.verdict, float(best.value or 0), [each.interval for each in others])
    return common.decided_text(shown, answer.verdict, answer.kind, best.move.text, level)


def sampled_text(answer: Answer[Fraction], words: common.Words) -> str:
    """Return the value of the best of sampled moves and how sure it is."""
    first, objective = answer.moves[0], words.objective
    if first.is_proved and first.value is not None:
        more = "fewer" if objective is Objective.MIN_TURNS else "more"
        return f"{words.bound(first.value)}, proved for the first move; no playouts of any other show {more}"
    wins, facts = "" if first.win_chance is None else f", {common.percent(first.win_chance)} to win", answer.contest
    if facts is not None and facts.stake and first.win_chance is None and first.interval is not None:
        low, high = first.interval
        outlook = "ahead" if low > 0 else "behind" if high < 0 else "level"
        wins = f", {outlook} after {common.count(facts.rounds or 0, 'round')}"
    shown = _value(first, answer, words)
    parts = [_with_sure(shown if words.is_vague(first) else f"{common.about(shown)}{wins}", answer)]
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


def contest_body(asked: Asked, top: int) -> common.Body:
    """Return the verdict, the ``top`` moves with what they lose, what follows, how the others play."""
    question, answer = asked[0]
    facts, words, is_sampled = answer.facts, common.words_of(question, answer), answer.is_sampled
    span = "the game" if facts.rounds is None or facts.guessed else common.count(facts.rounds, "round")
    others = BY_RULE if facts.by_rule else OTHERS[facts.opponents.value]
    others += "" if facts.by_rule or facts.apart else "; the others know what this player knows"
    passed = f"about {round(100 * facts.passed)} % that somebody passes you" if facts.passed is not None else ""
    ahead = f"{common.count(facts.rounds or 0, 'round')} on{', then a guess' if facts.guessed else ''}"
    ahead = "games to their end" if facts.by_rule and facts.guessed else ahead
    guess = "" if is_sampled or answer.status is Status.OPTIMAL else ", as far as was looked; beyond that a guess"
    known = [
        ("follows", "" if is_sampled else "; ".join(facts.follows)),
        ("looked", ahead if is_sampled else ""),
        ("method", f"{METHODS[BY_RULE if facts.by_rule else answer.method]}{guess}"),
        ("simplified", facts.simplified),
        ("passed", passed),
    ]
    moves = move_rows(question, answer, top)
    moves = moves[:-1] if answer.value is None and not is_sampled else moves
    rows, verdict = [EMPTY, *moves, *versus_rows(asked)], _verdict(answer, words)
    if (chance := answer.moves[0].win_chance) is not None and not is_sampled:
        wins, within = f"{common.percent(chance)} to win", answer.moves[0].win_interval
        if within is not None:  # playouts tell it beside what is exact
            wins = f"{common.about(wins)} ({common.interval_text(*(f'{100 * each:.1f}' for each in within))})"
        verdict = verdict._replace(text=f"{verdict.text}; {wins}")
    return common.Body([Row(f"Your best move, for {span}: {others}.")], verdict, rows, known)


# Moves under chance and among several players


def moves_shown(answer: Answer[Any], top: int) -> list[MoveValue[Any]]:
    """Return the ``top`` moves, and all others that a mix of plans plays."""
    is_mixed = answer.method == MIXED
    return [each for number, each in enumerate(answer.moves) if number < top or (is_mixed and each.share)]


def move_rows(question: Question, answer: Answer[Any], top: int, *, numbered: bool = True) -> list[Row]:
    """Return the best moves, one a row, and how many were compared."""
    words, cells = common.words_of(question, answer), list[Sequence[str]]()
    for number, each in enumerate(moves_shown(answer, top), start=1):
        is_known = not answer.is_open and each.is_settled and not (words.is_vague(each) or answer.is_behind(each))
        chance = words.bar(each.value if is_known else None, each.interval)
        value = _value(each, answer, words).replace(" to win", "")  # the verdict says of what
        cells.append((str(number) if numbered else "", each.move.text, chance, value, _merit(each, answer, words)))
    return [*table(cells, indent=2, bars=2), Row(_compared_text(question, answer), indent=2)]


def _open_cells(move: MoveValue[int], answer: Answer[int], words: common.Words) -> tuple[str, str]:
    """Return what a move leads to where everything is open, and what it loses against the best value."""
    goal = words.own_goal
    if move.value is None and move.status is Status.INFEASIBLE:
        least = 0 if move.bound is None else (goal.in_rounds(move.bound) or 0) - (goal.in_rounds(answer.value) or 0)
        return "", f"loses {common.count(least, words.lost_in_rounds)} or more" if least else "loses the goal"
    bound = "" if move.bound in (None, move.value) else f"{words.value(move.bound)} may be possible"
    if move.value is None:
        return ("nothing found", bound) if bound else ("", "not compared")
    shown = words.value(move.value)
    if answer.status is Status.FEASIBLE:
        return f"{shown} found", bound
    return shown, f"loses {common.count(move.loss, words.lost_in_rounds)}" if move.loss else "best"


def _value(move: MoveValue[Any], answer: Answer[Any], words: common.Words) -> str:
    """Return what a move is worth; a mean of playouts is no fraction to be trusted to the last digit."""
    if answer.is_open:
        return _open_cells(move, answer, words)[0]
    if move.at_least is not None:
        return "not valued"
    if not answer.is_sampled:
        return words.value(move.value) if move.is_settled else common.UNSETTLED
    if move.value is None:
        return "not tried before the stop"
    if move.is_proved and words.goal is not None:
        return words.bound(move.value)
    return common.TOO_FEW if words.is_vague(move) or answer.is_behind(move) else words.about(move.value)


def _merit(move: MoveValue[Any], answer: Answer[Any], words: common.Words) -> str:
    if move.is_proved:
        return "proved"
    if answer.is_sampled and (move.playouts or answer.contest is not None):
        return common.sample_text(move, words)
    if answer.method == MIXED and move.share and move.share != 1:
        return f"play it {common.percent(move.share)} of the time"
    return lost_text(move, answer, words)


def lost_text(move: MoveValue[Any], answer: Answer[Any], words: common.Words) -> str:
    """Return what a move loses; what is not settled may look otherwise further ahead."""
    if answer.is_open:
        return _open_cells(move, answer, words)[1]
    if move.at_least is not None:
        shown = Fraction(floor(move.at_least * common.PARTS), common.PARTS)
        return f"loses at least {words.loss(shown)}" if shown else "worse" if move.at_least else "no better"
    if move.loss is None:
        return ""
    is_open, is_sampled = answer.verdict == "undecided", answer.is_sampled
    if move.loss:
        return f"loses {common.about(words.loss(move.loss), (is_open or is_sampled) and not move.is_proved)}"
    return "best so far" if is_open and not is_sampled else "best"


def _compared_text(question: Question, answer: Answer[Any]) -> str:
    moves = answer.moves
    if answer.is_open:
        choices = len(question.moves())
        compared = f"{answer.considered} of {common.count(choices, 'move')}"
        if answer.status is not Status.OPTIMAL:
            return f"{compared} followed that far, none proved; --time allows more"
        if answer.considered < choices:
            return f"{compared} compared before a limit was hit; --time allows more"
        best = sum(each.loss == 0 for each in moves)
        return "the only move" if choices == 1 else f"all {choices} moves compared: {best} best, {choices - best} worse"
    if answer.besides and not (answer.is_sampled or answer.status.is_settled):
        return f"The other {common.count(answer.besides, 'open move')} may be better: a limit was hit first."
    total, tried = answer.choices, answer.tried
    if total == 1:
        return "the only move"
    if tried == total:
        text = f"All {total} open moves compared"
    elif not answer.is_sampled:
        why = "they cannot help" if answer.method != CERTAIN else "these are sure to be best"
        text = f"{tried} of {total} open moves compared, the others left out: {why}"
    else:
        why = ", a few of each kind" if answer.besides else " before the stop"
        text = f"{tried} of {total} open moves tried{why}"
    left = sum(each.at_least is not None for each in moves)
    return f"{text}; {left} are no better than the best, without their exact loss." if left else f"{text}."


def versus_rows(asked: Asked) -> list[Row]:
    """Return what the moves that were asked about are worth, with their lines."""
    rows: list[Row] = []
    for question, answer in asked:
        move = answer.of_move(question.versus)
        rows += common.facts_rows([("instead", _versus_text(question, answer))])
        rows += [] if move is None else short_plan_rows("", move.line)
    return [EMPTY, *rows]


def short_plan_rows(label: str, line: Sequence[TurnLine]) -> list[Row]:
    """Return a line without its reasons, one turn a row; turns after one another that do the same are one row."""
    texts = ["; ".join(step.text for step in turn.steps) for turn in line]
    rows: list[Row] = []
    last = 0
    for text, same in groupby(texts):
        first, last = last + 1, last + len(list(same))
        rows.append(Row(text, label=f"{label if first == 1 else '':8}{common.numbers(first, last)}", column=FACTS))
    return rows


def _versus_text(question: Question, answer: Answer[Any]) -> str:
    versus, contest, words = question.versus, answer.contest, common.words_of(question, answer)
    if versus is None or not answer.moves:
        return ""
    move = answer.of_move(versus)
    if move is None or (contest is not None and move.value is None and move.at_least is None):
        return f"{versus.text}: not compared within the limit"
    if answer.is_open:
        return f"{versus.text}: {', '.join(filter(None, _open_cells(move, answer, words)))}"
    is_told = not words.is_vague(move) and (move.loss or move.at_least is not None)
    lost = f", {lost_text(move, answer, words)}" if is_told else ""
    lost = ", the best move itself" if move == answer.moves[0] else lost
    sure = f", {common.sample_text(move, words)}" if answer.is_sampled and move.playouts else ""
    return f"{move.move.text}: {_value(move, answer, words)}{sure}{lost}"


def level_moves(verdict: str, best: float, intervals: Sequence[Sequence[float] | None]) -> int:
    """Return the last place of a move that may be as good as the best, two at least, by the intervals behind it.

    Where it is close these follow on one another. Else any may be as good of which nothing else is known.
    """
    level = [verdict != "close" if span is None else span[0] <= best <= span[1] for span in intervals]
    places = takewhile(bool, level) if verdict == "close" else level
    return max([2, *(place for place, may_be in enumerate(places, 2) if may_be)])


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
    left = 1 - chance_of(following)
    for each in following:
        when = f"after {' or '.join(map(' with '.join, each.when))}: " if each.when else "otherwise: "
        when = "" if len(following) == 1 and not left else when
        lost = each.value is None or (goal.objective is Objective.REACH and not each.value)
        what = each.move or ("the goal is out of reach" if lost else "nothing more to do")
        what += " (how to pay hangs on what came up)" if each.is_payment_open else ""
        value = "" if each.value is None else words.value(each.value)
        rows.append(_chance_row(f"{when}{what}", each.probability, value))
    return rows + ([_chance_row("otherwise: enter what came up, and ask again", left)] if left else [])
