"""The words and JSON of answers where chance is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from rules.core.steps import Step
from solver.answer import goal_data, head, statistics_data
from solver.hidden_report import CERTAIN, IDLE, HiddenReport, Option
from solver.next_turn import Coming
from solver.plan_screen import footer_rows, information_text
from solver.render import EMPTY, Row, Style, table
from solver.report import Status
from solver.screens import Unit, count, facts_rows, goal_sentence, percent, turns_text, unit_of
from solver.search.first_turn import Branch

SAMPLED: Final = "tree search over what the player knows; moves compared on the same fresh draws"
PLAYED_ON: Final = "playouts that play on plainly; moves compared on the same fresh draws"
OTHERS: Final = {
    "best": "each is taken to search for progress of its own",
    "random": "each is taken to make any open move, each equally likely",
    "greedy": "each is taken to try some moves, end the turn anyhow after each, and take what looks best then",
    "never": "each is taken to end its turn at once",
    IDLE: "nobody else has anything to decide before this is settled",
}
"""How the other players play."""
NOT_TRIED: Final = "not tried before the stop"
"""What is known of a move where playouts were stopped early."""
NOT_KNOWN: Final = "not compared within the limit"
"""What is known of a move that was asked about and left out."""
UNCERTAIN: Final = "not certain to arrive"
"""Why a move has no expected number of turns,"""
UNSETTLED: Final = "not settled by the turns looked ahead"
"""or none that is known."""
STUCK: Final = "no move is left that the goal allows"
"""Where a move may lead to a turn with nothing that may be done."""
SEEN: Final = 4
"""Results that are written out where a move of the next turn is best after more of them."""
ROWS: Final = 12
"""Rows of a plan, or results of chance in JSON: the likeliest."""
PARTS: Final = 1000
"""Parts of one to which chances that are proved from one side are shown, rounded to that side."""
SHORT: Final = 12
"""Columns of a fraction that is worth showing beside its decimal."""


def hidden_answer(
    command: str, position: Position, report: HiddenReport, top: int, versus: Step | None, *, timed: bool
) -> dict[str, Any]:
    """Return the answer of ``solve`` or ``best``: values are exact fractions as text beside a decimal."""
    moves = [option_data(each, report.goal, sampled=bool(report.verdict)) for each in report.options]
    told = {
        **head(command, position),
        "goal": goal_data(report.goal),
        "status": report.status.value,
        "value": _text(report.value),
        "decimal": _decimal(report.value),
        "bound": _text(report.bound),
        **({} if report.least is None else {"least": _text(report.least)}),
        "method": report.method,
        "moves": moves[:top],
        "considered": sum(each.playouts > 0 for each in report.options) if report.verdict else len(moves),
        "open": len(moves) + report.left_out + report.untold,
        "line": [report.options[0].move.text] if report.options else [],
        "plan": [_branch(each) for each in report.plan[:ROWS]],
        "plan_leaves_out": _text(report.omitted + _chance(report.plan[ROWS:])),
        "proof": {"method": "expectimax" if report.status is Status.OPTIMAL else "none"},
        "statistics": statistics_data(report.statistics, timed=timed),
        "interrupted": report.interrupted,
        "position_code": position.code,
    }
    if report.verdict:
        told["verdict"] = report.verdict
        told["interval"] = pair(report.options[0].interval)
    if report.coasting:
        told["coasting"] = report.coasting
    if report.others:
        told["opponents"] = report.others
    other = versus_option(report.options, versus)
    if other is None:
        return told
    return {
        **told,
        "versus": {**option_data(other, report.goal), "plan": [_branch(each) for each in report.instead[:ROWS]]},
    }


def sampled_data(report: HiddenReport, line: list[str], top: int, versus: Step | None) -> dict[str, Any]:
    """Return what playouts say of the moves where nothing is proved; ``line`` is the line found, perhaps empty."""
    told = {
        "method": report.method,
        "moves": [option_data(each, report.goal, sampled=True) for each in report.options[:top]],
        "moves_goal": goal_data(report.goal),
        "considered": sum(each.playouts > 0 for each in report.options),
        "line": line or [each.move.text for each in report.options[:1]],
        "verdict": report.verdict,
        "interval": pair(report.options[0].interval),
        "coasting": report.coasting,
    }
    other = versus_option(report.options, versus)
    return told if other is None else {**told, "versus": option_data(other, report.goal, sampled=True)}


def compared_text(options: Sequence[Option], *, sampled: bool, left_out: int = 0, certain: bool = False) -> str:
    """Return how many moves were compared, in words: all, unless samples were stopped before.

    ``left_out`` free actions are proved to be no better than none; where success is ``certain``, or nothing can be
    better, they are moves that need not be known.
    """
    tried = sum(option.playouts > 0 for option in options) if sampled else len(options)
    if tried < len(options):
        return f"{tried} of {len(options)} open moves tried before the stop."
    if left_out and certain:
        sure = "1 open move is" if len(options) == 1 else f"{len(options)} open moves are"
        how = "certain to succeed" if options[0].value == 1 else "sure to be best"
        return f"{sure} {how}; others, not looked into: {left_out}."
    if left_out:
        return f"{len(options)} open moves compared; free actions left out, as none can help: {left_out}."
    return "the only move" if len(options) == 1 else f"{len(options)} open moves compared: all there are."


def versus_option(options: Sequence[Option], move: Step | None) -> Option | None:
    """Return what is known of a move that was asked about."""
    return next((each for each in options if each.move == move), None)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _decimal(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def option_data(option: Option, goal: Goal, *, sampled: bool = False) -> dict[str, Any]:
    """Return what is known of a move."""
    told = {
        "move": option.move.text,
        "value": _text(option.value),
        "decimal": _decimal(option.value),
        "loss": _text(option.loss),
    }
    if option.value is None and goal.objective is Objective.MIN_TURNS and not sampled:
        told["why"] = UNCERTAIN if option.is_settled else UNSETTLED
    if not option.playouts:
        return told
    return {**told, "interval": pair(option.interval), "playouts": option.playouts}


def pair(interval: tuple[float, float] | None) -> list[float] | None:
    """Return an interval as JSON has it."""
    return None if interval is None else list(interval)


def _branch(branch: Branch) -> dict[str, Any]:
    return {
        "seen": list(branch.seen),
        "moves": list(branch.then),
        "probability": str(branch.probability),
        "value": _text(branch.value),
    }


def hidden_rows(
    title: str,
    position: Position,
    report: HiddenReport,
    style: Style,
    top: int,
    versus: Step | None,
    following: Sequence[Coming] = (),
    asked: Goal | None = None,
    *,
    timed: bool,
) -> list[Row]:
    """Return the answer on a screen: the verdict, the moves, and what to do on each result of chance.

    ``asked`` is the goal that was given, where another one may have been looked at in its place.
    """
    unit = unit_of(position)
    goal = report.goal
    rows = [Row(title, look="title")] if title else []
    rows += [*_question_rows(goal, asked, unit), EMPTY, _verdict(report, unit)]
    if report.status is not Status.INFEASIBLE:
        rows += [EMPTY, *option_rows(report, top, unit, style)] if report.options else []
        rows += _plan_rows(report.plan, report.omitted, goal, unit, "This turn")
    rows += _coming_rows(following, goal, unit)
    instead = versus_row(report, versus, unit)
    if instead:
        assert versus is not None
        rows += [EMPTY, *instead]
        if len(report.instead) > 1:
            rows += _plan_rows(
                report.instead, 1 - _chance(report.instead), goal, unit, f"This turn, with '{versus.text}'"
            )
    method = sampled_text(report) if report.verdict else "every result of chance, exact fractions"
    known = [
        ("method", method),
        ("far ahead", far_text(report)),
        ("counted", late_text(report)),
        ("others", OTHERS.get(report.others, "")),
        ("more", _more_text(report)),
        ("known", information_text(position)),
    ]
    return [*rows, EMPTY, *facts_rows(known), *footer_rows(position, report.statistics, timed=timed)]


def _question_rows(goal: Goal, asked: Goal | None, unit: Unit) -> list[Row]:
    """Return what was asked, and what moves are compared by where that is too far to be followed."""
    if asked is None or asked.objective is goal.objective or goal.objective is not Objective.MAX_DISTANCE:
        return [Row(goal_sentence(goal, unit))]
    return [Row(goal_sentence(asked, unit)), Row(compared_by(goal))]


def compared_by(goal: Goal) -> str:
    """Return what moves are compared by where playouts stand in for a goal."""
    if goal.objective is not Objective.MAX_DISTANCE:
        return "Moves are compared by playouts of the goal itself."
    turns = count(goal.within_turns or 0, "turn" if goal.clock is None else goal.clock.turn)
    return f"That is too far to be followed to its end: moves are compared by how far they get in {turns}."


def option_rows(report: HiddenReport, top: int, unit: Unit, style: Style) -> list[Row]:
    """Return the best moves, one a row, and how many were compared."""
    goal = report.goal
    cells = [
        (
            str(place),
            option.move.text,
            _worth(option, report, unit),
            _sampled(option, goal)
            if option.playouts
            else ""
            if option.loss is None
            else f"loses {loss_text(option.loss, goal)}"
            if option.loss
            else "best",
        )
        for place, option in enumerate(report.options[:top], start=1)
    ]
    certain = report.method == CERTAIN
    compared = compared_text(report.options, sampled=bool(report.verdict), left_out=report.left_out, certain=certain)
    if report.untold:
        compared = f"The other {count(report.untold, 'open move')} may be better: a limit was hit first."
    return [*table(cells, style, indent=2), Row(compared, indent=2)]


def versus_row(report: HiddenReport, versus: Step | None, unit: Unit) -> list[Row]:
    """Return what a move that was asked about is worth; nothing where none was."""
    asked = versus_option(report.options, versus)
    if versus is None or not report.options:
        return []
    if asked is None:
        return facts_rows([("instead", f"{versus.text}: {NOT_KNOWN}")])
    lost = f", loses {loss_text(asked.loss, report.goal)}" if asked.loss else ""
    return facts_rows([("instead", f"{asked.move.text}: {_worth(asked, report, unit)}{lost}")])


def _worth(option: Option, report: HiddenReport, unit: Unit) -> str:
    """Return what a move is worth; a mean of playouts is no fraction to be trusted to the last digit."""
    if not report.verdict:
        return value_text(option.value, report.goal, unit) if option.is_settled else UNSETTLED
    return NOT_TRIED if option.value is None else _about(option.value, report.goal, unit)


def sampled_verdict(report: HiddenReport, unit: Unit) -> str:
    """Return what the best of sampled moves is worth and how sure that is."""
    assert report.value is not None
    how = "plainly" if report.coasting else "as the search has learnt"
    value = _about(report.value, report.goal, unit)
    shown = f"{value} if played on {how}, {_interval(report.options[0], report.goal)}"
    told = f"{shown}; the best move is {report.verdict}"
    if report.bound is not None and report.goal.objective is Objective.MAX_DISTANCE:
        told = f"{told}; no way to play has more than {_number(float(report.bound), report.goal)}"
    if report.bound is not None and report.goal.objective is Objective.REACH and (report.least or report.bound < 1):
        least = f"at least {percent(Fraction(floor(report.least * PARTS), PARTS))}" if report.least else ""
        most = f"at most {percent(Fraction(ceil(report.bound * PARTS), PARTS))}" if report.bound < 1 else ""
        told = f"{told}; proved: {', '.join(filter(None, (least, most)))}"
    return told


def sampled_text(report: HiddenReport) -> str:
    """Return how moves were compared by playouts."""
    return PLAYED_ON if report.coasting else SAMPLED


def _more_text(report: HiddenReport) -> str:
    """Return what to do where an exact answer was not found in time; empty elsewhere."""
    if report.verdict or report.interrupted or report.status not in (Status.FEASIBLE, Status.UNKNOWN):
        return ""
    fewest = report.goal.objective is Objective.MIN_TURNS
    chance = "; --goal reach --within-turns N asks for a chance, which is found sooner" if fewest else ""
    return f"--time allows more, and 'best' compares moves by playouts{chance}"


def far_text(report: HiddenReport) -> str:
    """Return how playouts go where the goal lies beyond them; empty elsewhere."""
    if not report.coasting:
        return ""
    turns = turns_text(report.coasting, report.goal)
    return (
        f"the distance after {turns}: the move, then plain play without a search; "
        "whoever reaches the goal before that counts as going on at the same pace; moves are in the order of what "
        "playouts say together with the opinion of plain play, which counts like a few of them"
    )


def late_text(report: HiddenReport) -> str:
    """Return what playouts that do not arrive in time count for; empty where none does so."""
    if not report.verdict or report.goal.objective is not Objective.MIN_TURNS:
        return ""
    return (
        f"whoever is not there in time counts as there after {turns_text(report.goal.within_turns or 0, report.goal)}"
    )


def _verdict(report: HiddenReport, unit: Unit) -> Row:
    goal = report.goal
    told = value_text(report.value, goal, unit)
    if report.status is Status.OPTIMAL:
        return Row(f"{told}, exact: no way to play does better", label="SOLVED", look="good")
    if report.status is Status.INFEASIBLE:
        return Row("proved: no way to play gets there", label="IMPOSSIBLE", look="bad")
    if report.verdict and report.value is not None:
        return Row(sampled_verdict(report, unit), label="SAMPLED", look="open")
    bound = "" if report.bound is None else f"; not excluded: {value_text(report.bound, goal, unit)}"
    if report.value is None:
        return Row(f"nothing found before the limit{bound}", label="UNKNOWN", look="open")
    return Row(f"{told}, the best way to play found so far{bound}", label="FOUND", look="open")


def _plan_rows(plan: Sequence[Branch], omitted: Fraction, goal: Goal, unit: Unit, title: str) -> list[Row]:
    if not plan:
        return []
    rows = [EMPTY, Row(title, look="title")]
    alike: dict[tuple[tuple[str, ...], Fraction | None], list[Branch]] = {}
    for branch in plan:
        alike.setdefault((branch.then, branch.value), []).append(branch)
    everything = len(alike) == 1 and not omitted
    likeliest = sorted(alike.values(), key=_chance, reverse=True)
    for same in likeliest[:ROWS]:
        steps = "; ".join(same[0].then) if everything else _steps(same)
        told = value_text(same[0].value, goal, unit)
        rows.append(Row(steps, label=percent(_chance(same)), right=told, indent=2, column=9))
    rest = omitted + sum(map(_chance, likeliest[ROWS:]), Fraction(0))
    if rest:
        rows.append(Row("other results, played as well as these", label=percent(rest), indent=2, column=9))
    return rows


def _chance(branches: Sequence[Branch]) -> Fraction:
    return sum((branch.probability for branch in branches), Fraction(0))


def _steps(same: Sequence[Branch]) -> str:
    """Return the moves of a turn in words; what chance shows, different things alike, comes after the first of them."""
    first, *rest = same[0].then
    seen = [", ".join(branch.seen) for branch in same]
    if not all(seen):
        return "; ".join(same[0].then)
    shown = " or ".join(seen[:SEEN]) + (f" or {len(seen) - SEEN} others" if len(seen) > SEEN else "")
    return f"{first}; after {shown}: {'; '.join(rest)}" if rest else f"{first}, then {shown}"


def _coming_rows(following: Sequence[Coming], goal: Goal, unit: Unit) -> list[Row]:
    """Return what to do on the next turn, by what came up on this one."""
    if not following:
        return []
    rows = [EMPTY, Row("Next turn", look="title")]
    common = _always(following)
    for each in following:
        when = "" if len(following) == 1 else f"{_when(each, common)}: "
        lost = each.value is None or (goal.objective is Objective.REACH and not each.value)
        what = each.move or ("the goal is out of reach" if lost else "nothing more to do")
        told = "" if each.value is None else value_text(each.value, goal, unit)
        rows.append(Row(f"{when}{what}", label=percent(each.probability), right=told, indent=2, column=9))
    return rows


def _always(following: Sequence[Coming]) -> Counter[str]:
    """Return what comes up whatever chance brings; nothing where more of the same, or nothing else, may come up."""
    everything = [Counter(seen) for each in following for seen in each.after]
    common = everything[0].copy()
    for seen in everything:
        common &= seen
    others = [seen - common for seen in everything]
    return common if all(seen and not seen & common for seen in others) else Counter()


def _when(each: Coming, common: Counter[str]) -> str:
    """Return what came up where a move is best, ``common`` results apart."""
    if each.only_after:
        return f"after {each.only_after}"
    different = [sorted((Counter(seen) - common).elements()) for seen in each.after[:SEEN]]
    shown = [" + ".join(seen) or "nothing new" for seen in different]
    more = f" or {len(each.after) - SEEN} others" if len(each.after) > SEEN else ""
    return f"after {', '.join(shown)}{more}"


def coming_data(following: Sequence[Coming]) -> list[dict[str, Any]]:
    """Return what to do on the next turn as JSON."""
    return [
        {
            "move": each.move,
            "after": [list(seen) for seen in each.after],
            "only_after": each.only_after or None,
            "probability": str(each.probability),
            "value": _text(each.value),
        }
        for each in following
    ]


def value_text(value: Fraction | None, goal: Goal, unit: Unit) -> str:
    """Return a value in words: a chance in percent, an expectation in turns or progress."""
    if value is None:
        return STUCK if goal.objective is Objective.MAX_DISTANCE else UNCERTAIN
    if goal.objective is Objective.REACH:
        return f"{percent(value)}{_exactly(value)}"
    shown = _rounded(value)
    if goal.objective is Objective.MIN_TURNS:
        turn, of = ("turn", "") if goal.clock is None else (goal.clock.turn, f", {goal.clock.turns} to a round")
        return f"{shown} {turn}{'' if value == 1 else 's'}{_exactly(value)}{of}"
    return f"{unit.told(shown)}{_exactly(value)}"


def _about(value: Fraction, goal: Goal, unit: Unit) -> str:
    """Return a mean of playouts, which is no number to be trusted to the last digit."""
    if goal.objective is Objective.REACH:
        return percent(value)
    shown = _number(float(value), goal).removesuffix(".0")
    if goal.objective is Objective.MAX_DISTANCE:
        return unit.told(shown)
    return f"{shown} {'turn' if goal.clock is None else goal.clock.turn}s"


def _number(value: float, goal: Goal) -> str:
    if goal.objective is Objective.REACH:
        return f"{value * 100:.1f} %"
    return f"{value:.1f}" if goal.objective is Objective.MAX_DISTANCE else f"{value:.2f}"


def _sampled(option: Option, goal: Goal) -> str:
    return f"{_interval(option, goal)}, {option.playouts} draws" if option.playouts > 1 else _interval(option, goal)


def _interval(option: Option, goal: Goal) -> str:
    if option.interval is None:
        return "one draw only"
    low, high = option.interval
    return f"95 % in {_number(low, goal)} to {_number(high, goal)}"


def loss_text(loss: Fraction, goal: Goal) -> str:
    """Return a loss in words."""
    return f"{float(loss) * 100:.1f} %" if goal.objective is Objective.REACH else _rounded(loss)


def _rounded(value: Fraction) -> str:
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def _exactly(value: Fraction) -> str:
    text = str(value)
    return f" ({text})" if value.denominator > 1 and len(text) <= SHORT else ""
