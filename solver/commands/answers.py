"""What the commands that answer questions share: the options of a question, and how an answer is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from rules.core.errors import BestlineError
from solver.commands.process import exit_code
from solver.commands.settings import Settings, first_guess, hushed, telling_goal

if TYPE_CHECKING:
    from puzzles.goal import Goal
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from solver.duel import ContestReport
    from solver.hidden_contest import HiddenContestReport
    from solver.hidden_report import HiddenReport
    from solver.next_turn import Coming
    from solver.render import Row, Style
    from solver.report import Report

QUESTION = Annotated[
    str | None,
    typer.Argument(metavar="PUZZLE-or-STATE", help="File, puzzle id, position code, or - for standard input."),
]
GOAL = Annotated[
    str | None,
    typer.Option("--goal", metavar="OBJECTIVE", help="min_turns, reach, max_distance, win or a challenge id."),
]
TARGET = Annotated[int | None, typer.Option("--target", min=0, help="Where to get to; the finish when left out.")]
WITHIN = Annotated[int | None, typer.Option("--within-turns", min=0, metavar="N", help="Own turns allowed.")]
NO_NEW_DAY = Annotated[bool, typer.Option("--no-new-day", help="The main action new_day is not allowed.")]
WITHOUT = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="CARD", help="Never play this card from the hand; may be given several times."),
]
KEEP = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="CARD", help="Never lose this: as many at every turn's end as now; repeatable."),
]
OTHERS = Annotated[
    str | None,
    typer.Option("--opponents", metavar="best|random|greedy|never", help="How the other players are taken to play."),
]
SEAT = Annotated[int | None, typer.Option("--seat", min=0, help="Whose goal it is; 0 when left out.")]
BATCH = Annotated[str | None, typer.Option("--batch", metavar="FILE", help="One position or puzzle a line.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalOptions:
    """What the options say about the goal."""

    goal: GOAL = None
    target: TARGET = None
    within_turns: WITHIN = None
    no_new_day: NO_NEW_DAY = False
    without: WITHOUT = None
    keep: KEEP = None
    seat: SEAT = None

    def wanted(self) -> dict[str, Any]:
        """Return the same in the words of a puzzle's goal table."""
        given = {
            "objective": self.goal,
            "target": self.target,
            "within_turns": self.within_turns,
            "without": self.without,
            "keep": self.keep,
            "seat": self.seat,
            "new_day": False if self.no_new_day else None,
        }
        return {key: value for key, value in given.items() if value is not None}


OPPONENTS = ("best", "random", "greedy", "never")
"""Ways to play that may be declared for the others."""
OPTIONS = {
    "objective": "--goal",
    "target": "--target",
    "within_turns": "--within-turns",
    "within_rounds": "--within-turns",
    "new_day": "--no-new-day",
    "without": "--without",
    "keep": "--keep",
    "seat": "--seat",
}
"""The options by the keys of a goal table that they stand for."""


class Answer(Protocol):
    """What every answered question can do."""

    @property
    def report(self) -> Report | HiddenReport | ContestReport | HiddenContestReport:
        """Return what was found."""

    @property
    def json(self) -> Callable[[], dict[str, Any]]:
        """Return what makes JSON of the answer."""

    @property
    def rows(self) -> Callable[[Style], list[Row]]:
        """Return what makes a screen of the answer."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question answered in any of the shapes of a report, with its JSON and its screen."""

    report: Report | HiddenReport | ContestReport | HiddenContestReport
    json: Callable[[], dict[str, Any]]
    rows: Callable[[Style], list[Row]]


def shown(answer: Answer, settings: Settings) -> int:
    """Print an answer and return its exit code."""
    settings.show(answer.json, answer.rows)
    return _exit_code(answer.report)


def answer_hidden(
    command: str,
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    settings: Settings,
    top: int,
    vs: str | None,
    others: str = "greedy",
    *,
    why: bool = False,
) -> Answered:
    """Answer a question with hidden chance.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    from solver.answer import goal_data
    from solver.hidden import asked_move, best_hidden, chance_is_next, solve_hidden
    from solver.hidden_plan import coming_data
    from solver.next_turn import coming
    from solver.screens.hidden import hidden_answer, hidden_rows, in_place_of, versus_option

    position, goal = question_of(found, wanted)
    compares = command == "best" and not (position.players == 1 and vs is None and chance_is_next(position))
    versus = asked_move(position, goal, vs) if compares else None
    settings.detail(f"searching {position.code}")
    following: tuple[Coming, ...] = ()
    otherwise: tuple[Coming, ...] = ()
    if compares:
        first_guess(settings, position, goal.forbidden)
        seed, told = settings.seed or 0, telling_goal(settings, position)
        report = best_hidden(position, goal, settings.limit, seed=seed, others=others, versus=versus, told=told)
    else:
        report = solve_hidden(position, goal, settings.limit)
    if report.options and position.players == 1 and not report.interrupted:
        best = report.options[0]
        following = coming(position, report, best.move, best.value, explain=why)
        instead = versus_option(report.options, versus)
        if instead is not None and instead != best and instead.is_settled:
            otherwise = coming(position, report, instead.move, instead.value, explain=why)
    if why and report.verdict:
        settings.note("--why changes nothing here: moves were compared by playouts, which have no plan to explain")
    timed = not settings.deterministic

    def json() -> dict[str, Any]:
        told = hidden_answer(command, position, report, top, versus, timed=timed)
        if goal != report.goal:
            told |= in_place_of(goal, position, report) or {"asked": goal_data(goal)}
        if otherwise:
            told["versus"]["next_turn"] = coming_data(otherwise)
        return {**told, "next_turn": coming_data(following)}

    shown = (title_of(found), position, report)
    return Answered(
        report,
        json,
        lambda style: hidden_rows(*shown, style, top, versus, following, goal, timed=timed, otherwise=otherwise),
    )


def title_of(found: Puzzle | Position) -> str:
    """Return the title of a puzzle; a position has none."""
    return str(getattr(found, "title", ""))


def is_hidden(found: Puzzle | Position) -> bool:
    """Return whether something that can still matter is not known in advance."""
    from puzzles.loader import Puzzle

    return bool((found.position if isinstance(found, Puzzle) else found).hidden)


def refuse_opponents(opponents: str | None) -> None:
    """Refuse a way to play that there is not.

    Raises:
        BadParameter: it is none of ``OPPONENTS``.
    """
    if opponents not in (None, *OPPONENTS):
        raise typer.BadParameter(f"--opponents is {', '.join(OPPONENTS[:-1])} or {OPPONENTS[-1]}, not '{opponents}'")


def refuse_fated(found: Puzzle | Position, wanted: Mapping[str, Any]) -> None:
    """See to it that chance falls as it does at a table.

    Raises:
        BestlineError: something is hidden, and the question itself says how it comes.
    """
    if is_hidden(found) and is_fated(found, wanted):
        raise BestlineError("the goal itself says how what is hidden comes up; 'bestline solve' answers it")


def is_fated(found: Puzzle | Position, wanted: Mapping[str, Any]) -> bool:
    """Return whether the question itself says how what is hidden comes."""
    from rules.core.challenge import Fate
    from rules.core.race import Race
    from solver.solve import fate_of

    game = question_of(found, wanted)[0].game
    return isinstance(game, Race) and fate_of(game) is not Fate.KNOWN


def answer_line(
    answer: Callable[[Puzzle | Position], Answer], found: Puzzle | Position, _: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the answer to a line of a batch."""
    try:
        return answer(found).json()
    finally:
        hushed()


def question_of(found: Puzzle | Position, wanted: Mapping[str, Any]) -> tuple[Position, Goal]:
    """Return the position and the goal: a puzzle's own where the options say nothing else.

    Raises:
        ContentError: the goal does not fit; every fault is told, by the option that says or would mend it.
    """
    from rules.core.errors import ContentError

    try:
        return _question_of(found, wanted)
    except ContentError as error:
        raise ContentError([replace(fault, key=_option_of(fault.key)) for fault in error.faults]) from None


def _option_of(key: str) -> str:
    """Return the option that says what a key of a goal table does."""
    name = key.partition("[")[0]
    return OPTIONS.get(name, key)


def _question_of(found: Puzzle | Position, wanted: Mapping[str, Any]) -> tuple[Position, Goal]:
    from puzzles.goal import Objective
    from puzzles.loader import Puzzle, goal_table, question_of

    if isinstance(found, Puzzle):
        if not wanted:  # asked already, perhaps from an earlier table: what is kept and measured counts from there
            return found.position, found.goal
        own = goal_table(found.goal, found.position)
        plain = {objective.value for objective in Objective if objective is not Objective.WIN}
        another = wanted.get("objective", own["objective"])
        if another != own["objective"] and not {another, own["objective"]} <= plain:
            # What a challenge asks for says nothing about another goal.
            own = {key: value for key, value in own.items() if key not in ("target", "terms")}
        if another == Objective.MAX_DISTANCE:
            own.pop("target", None)
        return question_of({**own, **wanted}, found.position)
    acting = {"seat": actor} if found.players > 1 and (actor := found.game.to_act(found.start()[1])) >= 0 else {}
    return question_of({"objective": _usual_objective(found, wanted), **acting, **wanted}, found)


def _usual_objective(position: Position, wanted: Mapping[str, Any]) -> str:
    """Return what is asked where no goal is given: the game's own way to do well alone, where nothing else is said."""
    from puzzles.goal import Objective
    from rules.core.challenge import Challenger

    game = position.game
    own = game.usual_challenge if isinstance(game, Challenger) and position.players == 1 else ""
    return own if own and "target" not in wanted else Objective.MIN_TURNS.value


def _exit_code(report: Report | HiddenReport | ContestReport | HiddenContestReport) -> int:
    """Return how a search ended as an exit code."""
    from solver.report import Status

    negative, proved = report.status is Status.INFEASIBLE, report.status is Status.OPTIMAL
    return exit_code(interrupted=report.interrupted, negative=negative, limit=not proved)
