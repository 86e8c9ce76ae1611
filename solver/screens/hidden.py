"""The words and JSON of answers where chance is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import CHANCE, Step
from solver.answer import goal_data, head, statistics_data
from solver.ceilings import ceiling
from solver.comparing import by_chance
from solver.hidden_plan import ROWS, chance_of, coming_rows, plan_rows
from solver.hidden_report import CERTAIN, IDLE, HiddenReport, Option
from solver.next_turn import Coming
from solver.render import EMPTY, Row, Style, table
from solver.report import Status
from solver.screens.common import (
    Unit,
    count,
    decimal,
    facts_rows,
    fraction_text,
    goal_sentence,
    percent,
    turns_text,
    unit_of,
)
from solver.screens.hidden_bounds import at_most_text, least_text, proved_text
from solver.screens.hidden_words import UNCERTAIN, UNSETTLED, decided_text, loss_text, value_text
from solver.screens.plan import footer_rows, information_text
from solver.search.first_turn import Branch

SAMPLED: Final = "tree search over what the player knows; moves compared on the same fresh draws"
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
TOO_FEW: Final = "too few draws to tell"
"""What is known of a chance that may be nearly anything after all its draws."""
VAGUE: Final = 0.9
"""How wide an interval of chances is then, at least."""
NO_WAY_ON: Final = "every way to play comes to a turn with no move that the goal allows"
"""Why no distance can be had."""


def hidden_answer(
    command: str, position: Position, report: HiddenReport, top: int, versus: Step | None, *, timed: bool
) -> dict[str, Any]:
    """Return the answer of ``solve`` or ``best``: values are exact fractions as text beside a decimal."""
    moves = [option_data(each, report.goal, sampled=bool(report.verdict)) for each in report.options]
    told = {
        **head(command, position),
        "goal": goal_data(report.goal),
        "status": report.status.value,
        "value": fraction_text(report.value),
        "decimal": decimal(report.value),
        "bound": fraction_text(report.bound),
        **({} if report.least is None else {"least": fraction_text(report.least)}),
        "method": report.method,
        "moves": moves[:top],
        "considered": sum(each.playouts > 0 or each.is_proved for each in report.options)
        if report.verdict
        else len(moves),
        "open": len(moves) + report.left_out + report.untold + report.passed_over,
        "line": [report.options[0].move.text] if report.options and report.status is not Status.INFEASIBLE else [],
        "plan": [_branch(each) for each in report.plan[:ROWS]],
        "plan_leaves_out": fraction_text(report.omitted + chance_of(report.plan[ROWS:])),
        "proof": {"method": "expectimax" if report.status in (Status.OPTIMAL, Status.INFEASIBLE) else "none"},
        "statistics": statistics_data(report.statistics, timed=timed),
        "interrupted": report.interrupted,
        "position_code": position.code,
    }
    if report.verdict:
        told["verdict"] = report.verdict
        if report.kind:
            told["decided_kind"] = report.kind
        told["interval"] = pair(report.options[0].interval)
    if report.others:
        told["opponents"] = report.others
    other = versus_option(report.options, versus)
    if other is None:
        return told
    return {
        **told,
        "versus": {**option_data(other, report.goal), "plan": [_branch(each) for each in report.instead[:ROWS]]},
    }


def in_place_of(asked: Goal, position: Position, report: HiddenReport) -> dict[str, Any]:
    """Return what is known of the goal that was asked, where moves are compared by how far they get; else nothing."""
    if report.goal.objective is not Objective.MAX_DISTANCE or asked.objective is Objective.MAX_DISTANCE:
        return {}
    game, start = position.start()
    assert isinstance(game, Race)
    asked = by_chance(position, asked)
    return {
        "goal": goal_data(asked),
        "moves_goal": goal_data(report.goal),
        "status": Status.UNKNOWN.value,
        "value": None,
        "decimal": None,
        "bound": fraction_text(ceiling(game, start.table, asked)),
    }


def sampled_data(report: HiddenReport, line: list[str], top: int, versus: Step | None) -> dict[str, Any]:
    """Return what playouts say of the moves where nothing is proved; ``line`` is the line found, perhaps empty."""
    told = {
        "method": report.method,
        "moves": [option_data(each, report.goal, sampled=True) for each in report.options[:top]],
        "moves_goal": goal_data(report.goal),
        "considered": sum(each.is_tried for each in report.options),
        "line": line or [each.move.text for each in report.options[:1]],
        "verdict": report.verdict,
        **({"decided_kind": report.kind} if report.kind else {}),
        "interval": pair(report.options[0].interval),
    }
    other = versus_option(report.options, versus)
    return told if other is None else {**told, "versus": option_data(other, report.goal, sampled=True)}


def compared_text(
    options: Sequence[Option], *, sampled: bool, left_out: int = 0, certain: bool = False, passed_over: int = 0
) -> str:
    """Return how many moves were compared, in words: all, unless samples were stopped before.

    ``left_out`` free actions are proved to be no better than none; where success is ``certain``, or nothing can be
    better, they are moves that need not be known. ``passed_over``: so many others are stood for by those compared.
    """
    tried = sum(option.is_tried for option in options) if sampled else len(options)
    if passed_over:
        return f"{tried} of {len(options) + passed_over} open moves were tried, a few of each kind."
    if tried < len(options):
        return f"{tried} of {len(options)} open moves tried before the stop."
    if sampled and tried > 1:
        return f"All {tried} open moves were tried, those that looked best more often than the others."
    if left_out and certain:
        sure = "1 open move is" if len(options) == 1 else f"{len(options)} open moves are"
        how = "certain to succeed" if options[0].value == 1 else "sure to be best"
        return f"{sure} {how}; others, not looked into: {left_out}."
    if left_out:
        return f"{count(len(options), 'open move')} compared; free actions left out, as none can help: {left_out}."
    return "the only move" if len(options) == 1 else f"{len(options)} open moves compared: all there are."


def versus_option(options: Sequence[Option], move: Step | None) -> Option | None:
    """Return what is known of a move that was asked about."""
    return next((each for each in options if each.move == move), None)


def option_data(option: Option, goal: Goal, *, sampled: bool = False) -> dict[str, Any]:
    """Return what is known of a move."""
    told = {
        "move": option.move.text,
        "value": fraction_text(option.value),
        "decimal": decimal(option.value),
        "loss": fraction_text(option.loss),
    }
    if option.value is None and goal.objective is Objective.MIN_TURNS and not sampled:
        told["why"] = UNCERTAIN if option.is_settled else UNSETTLED
    if option.is_proved:
        told["proved"] = True
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
        "value": fraction_text(branch.value),
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
    otherwise: Sequence[Coming] = (),
) -> list[Row]:
    """Return the answer on a screen: the verdict, the moves, and what to do on each result of chance.

    ``asked`` is the goal that was given, where another one may have been looked at in its place. ``following`` is what
    to do on the next turn after the best move, ``otherwise`` after the one that was asked about.
    """
    unit = unit_of(position)
    goal = report.goal
    rows = [Row(title, look="title")] if title else []
    game, start = position.start()
    verdict = _verdict(report, unit, waits=game.to_act(start) == CHANCE)
    rows += [*_question_rows(report, asked, position), EMPTY, verdict]
    if report.status is not Status.INFEASIBLE:
        rows += [EMPTY, *option_rows(report, top, unit, style)] if report.options else []
        rows += plan_rows(report.plan, report.omitted, goal, unit, "This turn")
    rows += coming_rows(following, goal, unit, "Next turn")
    instead = versus_row(report, versus, unit)
    if instead:
        assert versus is not None
        rows += [EMPTY, *instead]
        if len(report.instead) > 1 and versus != report.options[0].move:
            rows += plan_rows(
                report.instead, 1 - chance_of(report.instead), goal, unit, f"This turn, with '{versus.text}'"
            )
        rows += coming_rows(otherwise, goal, unit, f"Next turn, with '{versus.text}'")
    method = SAMPLED if report.verdict else "every result of chance, exact fractions"
    known = [
        ("method", method),
        ("then", _later_text(report, following)),
        ("counted", late_text(report)),
        ("others", OTHERS.get(report.others, "")),
        ("more", _more_text(report)),
        ("known", information_text(position)),
    ]
    work = "playout" if report.verdict else "position generated"
    return [*rows, EMPTY, *facts_rows(known), *footer_rows(position, report.statistics, timed=timed, work_unit=work)]


def _question_rows(report: HiddenReport, asked: Goal | None, position: Position) -> list[Row]:
    """Return what was asked, and what moves are compared by where that is something else."""
    goal, unit = report.goal, unit_of(position)
    rows = [Row(goal_sentence(asked or goal, position))]
    if asked is None or report.status is Status.INFEASIBLE:
        return rows
    is_cut = goal.objective is Objective.MAX_DISTANCE and asked.within_turns != goal.within_turns
    if asked.objective is goal.objective and not is_cut:
        return rows
    if goal.objective is Objective.REACH:
        return [*rows, *chance_rows(asked, goal, proved=report.status is Status.OPTIMAL)]
    return [*rows, Row(compared_by(goal, unit))]


def chance_rows(asked: Goal, goal: Goal, *, proved: bool = False) -> list[Row]:
    """Return why the chance counts where turns were asked for; ``proved``: that none is certain to arrive."""
    if asked.objective is goal.objective:
        return []
    known = "certain" if proved else "known to be certain"
    turns = turns_text(goal.within_turns or 0, goal)
    return [Row(f"No way to play is {known} to get there within {turns}: the chance of it counts.")]


def compared_by(goal: Goal, unit: Unit) -> str:
    """Return what moves are compared by where playouts stand in for a goal."""
    if goal.objective is not Objective.MAX_DISTANCE:
        return "Moves are compared by playouts of the goal itself."
    turns = count(goal.within_turns or 0, "turn" if goal.clock is None else goal.clock.turn)
    what = f"how far they get in {turns}" if unit.is_place else f"how many {unit.name}s there are after {turns}"
    return f"That is too far to be followed to its end: moves are compared by {what}."


def option_rows(report: HiddenReport, top: int, unit: Unit, style: Style) -> list[Row]:
    """Return the best moves, one a row, and how many were compared."""
    goal = report.goal
    cells = [
        (
            str(place),
            option.move.text,
            _worth(option, report, unit),
            "proved" if option.is_proved else _sampled(option, goal) if option.playouts else _lost_text(option, report),
        )
        for place, option in enumerate(report.options[:top], start=1)
    ]
    certain = report.method == CERTAIN
    compared = compared_text(
        report.options,
        sampled=bool(report.verdict),
        left_out=report.left_out,
        certain=certain,
        passed_over=report.passed_over,
    )
    if report.untold:
        compared = f"The other {count(report.untold, 'open move')} may be better: a limit was hit first."
    elif not report.verdict:
        compared = " ".join(filter(None, (compared, _next_best(report, top))))
    return [*table(cells, style, indent=2), Row(compared, indent=2)]


def _lost_text(option: Option, report: HiddenReport) -> str:
    if option.loss is None:
        return ""
    if not option.loss:
        return "best"
    about = "about " if report.verdict and not option.is_proved else ""
    return f"loses {about}{loss_text(option.loss, report.goal)}"


def _next_best(report: HiddenReport, top: int) -> str:
    """Return how many moves are as good as the best where those shown all are, and what the next one loses."""
    options = report.options
    best = sum(not option.loss for option in options if option.loss is not None)
    if best < top or best == len(options) or top >= len(options):
        return ""
    following = options[best]
    alike = f"{best} are best" if best > 1 else "1 is best"
    if following.loss is None:
        return f"{alike}; of the others no value is known."
    return f"{alike}; the next, '{following.move.text}', loses {loss_text(following.loss, report.goal)}."


def versus_row(report: HiddenReport, versus: Step | None, unit: Unit) -> list[Row]:
    """Return what a move that was asked about is worth; nothing where none was."""
    asked = versus_option(report.options, versus)
    if versus is None or not report.options:
        return []
    if asked is None:
        return facts_rows([("instead", f"{versus.text}: {NOT_KNOWN}")])
    lost = f", {_lost_text(asked, report)}" if asked.loss else ""
    lost = ", the best move itself" if asked == report.options[0] else lost
    sure = f", {_sampled(asked, report.goal)}" if report.verdict and asked.playouts else ""
    return facts_rows([("instead", f"{asked.move.text}: {_worth(asked, report, unit)}{sure}{lost}")])


def _worth(option: Option, report: HiddenReport, unit: Unit) -> str:
    """Return what a move is worth; a mean of playouts is no fraction to be trusted to the last digit."""
    if not report.verdict:
        return value_text(option.value, report.goal, unit) if option.is_settled else UNSETTLED
    if option.is_proved and option.value is not None:
        return f"{least_text(report.goal)} {proved_text(option.value, report.goal, unit)}"
    if option.value is None:
        return NOT_TRIED
    return TOO_FEW if _says_nothing(option, report.goal) else about_text(option.value, report.goal, unit)


def sampled_verdict(report: HiddenReport, unit: Unit) -> str:
    """Return what the best of sampled moves is worth and how sure that is."""
    assert report.value is not None
    if report.options[0].is_proved:
        more = "fewer" if report.goal.objective is Objective.MIN_TURNS else "more"
        value = proved_text(report.value, report.goal, unit)
        return f"{value} {least_text(report.goal)}, proved for the first move; no playouts of any other show {more}"
    value = about_text(report.value, report.goal, unit)
    vague = _says_nothing(report.options[0], report.goal)
    among = _interval(report.options[0], report.goal)
    shown = TOO_FEW if vague else f"{value} if played on as the search has learnt, {among}"
    told = f"{shown}; {decided_text(report.verdict, report.kind)}"
    if report.bound is not None and report.goal.objective is Objective.MAX_DISTANCE:
        told = f"{told}; no way to play has more than {_number(float(report.bound), report.goal)}"
    if report.bound is not None and report.goal.objective is Objective.REACH and (report.least or report.bound < 1):
        least = f"at least {proved_text(report.least, report.goal, unit)}" if report.least else ""
        most = at_most_text(report.bound) if report.bound < 1 else ""
        told = f"{told}; proved: {', '.join(filter(None, (least, most)))}"
    return told


def _more_text(report: HiddenReport) -> str:
    """Return what to do where an exact answer was not found in time; empty elsewhere."""
    if report.status is Status.INFEASIBLE and report.goal.objective is not Objective.MAX_DISTANCE:
        turns = report.goal.within_turns
        return f"--goal max_distance --within-turns {turns} asks how far one gets" if turns else ""
    if report.verdict or report.interrupted or report.status not in (Status.FEASIBLE, Status.UNKNOWN):
        return ""
    fewest = report.goal.objective is Objective.MIN_TURNS
    chance = "; --goal reach --within-turns N asks for a chance, which is found sooner" if fewest else ""
    return f"--time allows more, and 'best' compares moves by playouts{chance}"


def _later_text(report: HiddenReport, following: Sequence[Coming]) -> str:
    """Return what to do where an exact plan ends with this turn and the goal asks for more; empty elsewhere."""
    goal = report.goal
    is_last = goal.within_turns is not None and goal.within_turns < 2
    is_last |= goal.objective is Objective.MIN_TURNS and report.value == 1
    if report.status is not Status.OPTIMAL or following or is_last or not report.plan or not report.value:
        return ""
    how = "in more ways than are told here: enter it (see 'bestline play') and ask again"
    return f"hangs on what comes up and what is chosen then, {how}"


def late_text(report: HiddenReport) -> str:
    """Return what playouts that do not arrive in time count for; empty where none does so."""
    if not report.verdict or report.goal.objective is not Objective.MIN_TURNS:
        return ""
    return f"whoever is not there after {turns_text(report.span, report.goal)} counts as there then"


def _verdict(report: HiddenReport, unit: Unit, *, waits: bool) -> Row:
    """Return what was found; ``waits``: chance decides before anything can be chosen."""
    goal = report.goal
    told = value_text(report.value, goal, unit)
    if report.status is Status.OPTIMAL:
        reached = "no turn is left" if goal.objective is Objective.MAX_DISTANCE else "the goal is reached"
        best = "no way to play does better"
        done = (
            best if report.options else f"{best}; chance decides next" if waits else f"nothing is left to do, {reached}"
        )
        return Row(f"{told}, exact: {done}", label="SOLVED", look="good")
    if report.status is Status.INFEASIBLE:
        stuck = goal.objective is Objective.MAX_DISTANCE
        why = NO_WAY_ON if stuck else "no way to play gets there"
        return Row(f"proved: {why}", label="IMPOSSIBLE", look="bad")
    if report.verdict and report.value is not None:
        label = "FOUND" if report.options[0].is_proved else "SAMPLED"
        return Row(sampled_verdict(report, unit), label=label, look="open")
    bound = "" if report.bound is None else f"; not excluded: {value_text(report.bound, goal, unit)}"
    if report.value is None:
        return Row(f"nothing found before the limit{bound}", label="UNKNOWN", look="open")
    return Row(f"{told}, the best way to play found so far{bound}", label="FOUND", look="open")


def about_text(value: Fraction, goal: Goal, unit: Unit) -> str:
    """Return a mean of playouts, which is no number to be trusted to the last digit."""
    if goal.objective is Objective.REACH:
        return percent(value)
    shown = _number(float(value), goal).removesuffix(".0")
    if goal.objective is Objective.MAX_DISTANCE:
        return f"{unit.told(shown)} of {unit.whole}" if unit.whole else unit.told(shown)
    return f"{shown} {'turn' if goal.clock is None else goal.clock.turn}s"


def _number(value: float, goal: Goal) -> str:
    if goal.objective is Objective.REACH:
        return f"{value * 100:.1f} %"
    return f"{value:.1f}" if goal.objective is Objective.MAX_DISTANCE else f"{value:.2f}"


def _says_nothing(option: Option, goal: Goal) -> bool:
    """Return whether the draws of a move leave nearly any chance open."""
    low, high = option.interval or (0.0, 1.0)
    return goal.objective is Objective.REACH and option.playouts > 0 and high - low >= VAGUE


def _sampled(option: Option, goal: Goal) -> str:
    if option.playouts > 1 and _says_nothing(option, goal):
        return f"{option.playouts} draws"
    return f"{_interval(option, goal)}, {option.playouts} draws" if option.playouts > 1 else _interval(option, goal)


def _interval(option: Option, goal: Goal) -> str:
    if option.interval is None:
        return "one draw only"
    low, high = option.interval
    return f"95 % in {_number(low, goal).removesuffix(' %')} to {_number(high, goal)}"
