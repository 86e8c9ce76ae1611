"""The command that ranks moves, and what all commands that answer questions share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from rules.core.errors import BestlineError
from solver.commands.many import CLUSTER, JOBS
from solver.commands.meanwhile import first_guess, telling_best, telling_search, wiped
from solver.commands.settings import INTERRUPTED, LIMIT_HIT, NEGATIVE, PROVED_OR_CLEAN, Settings, shared

if TYPE_CHECKING:
    from puzzles.goal import Goal
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from rules.core.steps import Step
    from solver.best import Candidate, Ranking
    from solver.duel import ContestReport
    from solver.explain import TurnTold
    from solver.hidden_contest import HiddenContestReport
    from solver.hidden_report import HiddenReport
    from solver.next_turn import Coming
    from solver.render import Row, Style
    from solver.report import Report

HEADING = "Answers"

QUESTION = Annotated[
    str | None,
    typer.Argument(metavar="PUZZLE-or-STATE", help="File, puzzle id, position code, or - for standard input."),
]
GOAL = Annotated[
    str | None,
    typer.Option("--goal", metavar="OBJECTIVE", help="min_turns, reach, max_distance or a challenge id."),
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
SEAT = Annotated[int | None, typer.Option("--seat", min=0, help="Whose goal it is; 0 when left out.")]
BATCH = Annotated[str | None, typer.Option("--batch", metavar="FILE", help="One position or puzzle a line.")]

OPPONENTS = ("best", "random", "greedy", "never")
"""Ways to play that may be declared for the others."""


class Answer(Protocol):
    """What every answered question can do."""

    @property
    def report(self) -> Report | HiddenReport | ContestReport | HiddenContestReport:
        """Return what was found."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""


def shown(answer: Answer, settings: Settings) -> int:
    """Print an answer and return its exit code."""
    from solver.render import draw

    wiped(settings)
    if settings.json:
        settings.answer_json(answer.json())
    else:
        settings.answer(draw(answer.rows(settings.style), settings.style))
    return _exit_code(answer.report)


@dataclass(slots=True)
class SolvedHidden:
    """One question with hidden chance, answered for ``solve`` or ``best``."""

    command: str
    title: str
    position: Position
    report: HiddenReport
    top: int
    versus: Step | None
    timed: bool
    coming: tuple[Coming, ...] = ()
    """What to do on the next turn after the best move."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.hidden_screen import coming_data, hidden_answer

        told = hidden_answer(self.command, self.position, self.report, self.top, self.versus, timed=self.timed)
        return {**told, "next_turn": coming_data(self.coming)} if self.command == "best" else told

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.hidden_screen import hidden_rows

        return hidden_rows(
            self.title, self.position, self.report, style, self.top, self.versus, self.coming, timed=self.timed
        )


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
) -> SolvedHidden:
    """Answer a question with hidden chance.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    from puzzles.loader import Puzzle
    from solver.hidden import asked_move, best_hidden, solve_hidden
    from solver.next_turn import coming

    position, goal = question_of(found, wanted)
    versus = asked_move(position, goal, vs) if command == "best" else None
    settings.detail(f"searching {position.code}")
    following: tuple[Coming, ...] = ()
    if command == "best":
        first_guess(settings, position, goal.forbidden)
        seed, told = settings.seed or 0, telling_best(settings)
        report = best_hidden(position, goal, settings.limit, seed=seed, others=others, versus=versus, told=told)
        if report.options and position.players == 1 and not report.interrupted:
            best = report.options[0]
            following = coming(position, report, best.move, best.value, explain=why)
    else:
        report = solve_hidden(position, goal, settings.limit)
    title = found.title if isinstance(found, Puzzle) else ""
    return SolvedHidden(command, title, position, report, top, versus, not settings.deterministic, following)


def _with_others(
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    settings: Settings,
    top: int,
    vs: str | None,
    opponents: str | None,
) -> Answer:
    """Answer for one of several players: who wins, or the player's own goal while the others play on.

    Raises:
        BestlineError: the goal or the move does not fit.
    """
    from puzzles.loader import Puzzle
    from solver.commands.contested import contested, declared_opponents

    position = found.position if isinstance(found, Puzzle) else found
    declared = None
    if not isinstance(found, Puzzle) or "objective" in wanted:
        declared = declared_opponents(position, wanted, opponents)
    if declared is not None:
        return contested(position, wanted, declared, settings, top, vs)
    return answer_hidden("best", found, wanted, settings, top, vs, opponents or "greedy")


def is_hidden(found: Puzzle | Position) -> bool:
    """Return whether something that can still matter is not known in advance."""
    from puzzles.loader import Puzzle

    return bool((found.position if isinstance(found, Puzzle) else found).hidden)


def is_fated(found: Puzzle | Position, wanted: Mapping[str, Any]) -> bool:
    """Return whether the question itself says how what is hidden comes."""
    from rules.core.race import Race
    from rules.core.rounds import Fate
    from solver.solve import fate_of

    game = question_of(found, wanted)[0].game
    return isinstance(game, Race) and fate_of(game) is not Fate.KNOWN


def _players(found: Puzzle | Position) -> int:
    from puzzles.loader import Puzzle

    return (found.position if isinstance(found, Puzzle) else found).players


def answer_line(
    answer: Callable[[Puzzle | Position], Answer], found: Puzzle | Position, _: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the answer to a line of a batch."""
    return answer(found).json()


@shared
def best(
    settings: Settings,
    question: QUESTION = None,
    goal: GOAL = None,
    target: TARGET = None,
    within_turns: WITHIN = None,
    no_new_day: NO_NEW_DAY = False,
    without: WITHOUT = None,
    keep: KEEP = None,
    seat: SEAT = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many moves to show.")] = 3,
    why: Annotated[bool, typer.Option("--why", help="Explain the plan behind the move, turn by turn.")] = False,
    vs: Annotated[
        str | None, typer.Option("--vs", metavar="MOVE", help="Show what this move leads to instead.")
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            "--opponents", metavar="best|random|greedy|never", help="How the other players are taken to play."
        ),
    ] = None,
    batch: BATCH = None,
    jobs: JOBS = 1,
    cluster: CLUSTER = "",
) -> None:
    """Find the best move now, and what every other one loses."""
    from solver.commands.inputs import Batch, read_input, run_batch

    wanted = wanted_goal(goal, target, within_turns, no_new_day, without, seat, keep)
    if opponents not in (None, *OPPONENTS):
        raise typer.BadParameter(f"--opponents is {', '.join(OPPONENTS[:-1])} or {OPPONENTS[-1]}, not '{opponents}'")
    answer = partial(advise, wanted=wanted, settings=settings, top=top, vs=vs, opponents=opponents, why=why)
    if batch is not None:
        raise typer.Exit(run_batch(Batch(batch, settings.jobs(jobs), cluster), settings, partial(answer_line, answer)))
    if question is None:
        raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
    raise typer.Exit(shown(answer(read_input(question)), settings))


def advise(
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    settings: Settings,
    top: int,
    vs: str | None,
    opponents: str | None,
    *,
    why: bool,
) -> Answer:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    if _players(found) > 1:
        return _with_others(found, wanted, settings, top, vs, opponents)
    if opponents is not None:
        settings.note("--opponents changes nothing here: there are none")
    if is_hidden(found):
        return answer_hidden("best", found, wanted, settings, top, vs, why=why)
    return _ranked(found, wanted, vs, settings, top, why=why)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One position with its moves compared."""

    title: str
    position: Position
    goal: Goal
    ranking: Ranking
    told: tuple[TurnTold[Any], ...]
    """The best line, explained."""
    versus: Candidate | None
    """What is known exactly of the move that was asked about."""
    asked: Step | None
    top: int
    """Moves to show."""
    why: bool
    """The plan is explained turn by turn."""
    timed: bool
    """The clock may show."""

    @property
    def report(self) -> Report:
        """Return the answer to the question itself."""
        return self.ranking.report

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.answer import best_answer

        told = best_answer(self.position, self.goal, self.ranking, self.top, self.versus, timed=self.timed)
        if self.ranking.sampled is None:
            return told
        from solver.hidden_screen import sampled_data

        return {**told, **sampled_data(self.ranking.sampled, told["line"], self.top, self.asked)}

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.best_screen import best_rows

        return best_rows(
            self.title,
            self.position,
            self.goal,
            self.ranking,
            self.told,
            self.top,
            self.versus,
            self.asked,
            style,
            why=self.why,
            timed=self.timed,
        )


def _ranked(
    found: Puzzle | Position, wanted: Mapping[str, Any], vs: str | None, settings: Settings, top: int, *, why: bool
) -> Ranked:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be solved yet.
    """
    from puzzles.loader import Puzzle
    from solver.answer import open_moves
    from solver.best import best_moves, by_playouts
    from solver.explain import explain_line
    from solver.solve import searchable

    position, goal = question_of(found, wanted)
    game = searchable(position)
    _, start = position.start()
    asked = None if vs is None else game.parse_step(start, vs)
    if asked is not None and asked not in open_moves(position, goal):
        raise BestlineError(f"the goal forbids '{asked.text}', so it cannot be compared")
    settings.detail(f"searching {position.code}")
    first_guess(settings, position, goal.forbidden)
    sampling = by_playouts(settings.seed or 0, asked, telling_best(settings))
    ranking = best_moves(position, goal, settings.limit, telling_search(settings), sampling=sampling)
    return Ranked(
        title=found.title if isinstance(found, Puzzle) else "",
        position=position,
        goal=goal,
        ranking=ranking,
        told=explain_line(game, start, ranking.report.line, goal.seat),
        versus=next((each for each in ranking.candidates if each.move == asked), None),
        asked=asked,
        top=top,
        why=why,
        timed=not settings.deterministic,
    )


def wanted_goal(
    goal: str | None,
    target: int | None,
    within_turns: int | None,
    no_new_day: bool,
    without: list[str] | None,
    seat: int | None,
    keep: list[str] | None = None,
) -> dict[str, Any]:
    """Return what the options say about the goal, in the words of a puzzle's goal table."""
    given = {
        "objective": goal,
        "target": target,
        "within_turns": within_turns,
        "without": without,
        "keep": keep,
        "seat": seat,
    }
    wanted = {key: value for key, value in given.items() if value is not None}
    return {**wanted, "new_day": False} if no_new_day else wanted


def question_of(found: Puzzle | Position, wanted: Mapping[str, Any]) -> tuple[Position, Goal]:
    """Return the position and the goal: a puzzle's own where the options say nothing else.

    Raises:
        ContentError: the goal does not fit; every fault is told.
    """
    from puzzles.goal import Objective
    from puzzles.loader import Puzzle, goal_table, question_of

    if isinstance(found, Puzzle):
        own = goal_table(found.goal)
        plain = {objective.value for objective in Objective}
        another = wanted.get("objective", own["objective"])
        if another != own["objective"] and not {another, own["objective"]} <= plain:
            # What a challenge asks for says nothing about another goal.
            own = {key: value for key, value in own.items() if key not in ("target", "terms")}
        return question_of({**own, **wanted}, found.position)
    acting = {"seat": actor} if found.players > 1 and (actor := found.game.to_act(found.start()[1])) >= 0 else {}
    return question_of({"objective": "min_turns", **acting, **wanted}, found)


def _exit_code(report: Report | HiddenReport | ContestReport | HiddenContestReport) -> int:
    """Return how a search ended as an exit code."""
    from solver.report import Status

    if report.interrupted:
        return INTERRUPTED
    if report.status is Status.INFEASIBLE:
        return NEGATIVE
    return PROVED_OR_CLEAN if report.status is Status.OPTIMAL else LIMIT_HIT


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("best", rich_help_panel=HEADING)(best)
