"""Commands that answer questions: the best line, the best move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from rules.core.errors import BestlineError
from solver.commands.settings import INTERRUPTED, LIMIT_HIT, NEGATIVE, PROVED_OR_CLEAN, Settings, shared

if TYPE_CHECKING:
    from puzzles.goal import Goal
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from rules.core.steps import Step
    from solver.best import Candidate, Ranking
    from solver.duel import ContestReport
    from solver.explain import TurnTold
    from solver.hidden import HiddenReport
    from solver.render import Row, Style
    from solver.report import Report
    from solver.solve import Progress
    from solver.store import Store

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
SEAT = Annotated[int | None, typer.Option("--seat", min=0, help="Whose goal it is; 0 when left out.")]
BATCH = Annotated[str | None, typer.Option("--batch", metavar="FILE", help="One position or puzzle a line.")]

OPPONENTS = ("best", "random", "greedy", "never")
"""Ways to play that may be declared for the others."""

PROOF = Annotated[
    Path | None,
    typer.Option("--proof", metavar="FILE", help="Write a certificate for 'bestline verify'; .gz makes it smaller."),
]

UNIQUE = Annotated[bool, typer.Option("--unique", help="With --proof: also certify whether another line does as well.")]
NO_CACHE = Annotated[
    bool, typer.Option("--no-cache", help="Neither use nor keep answers; --deterministic does not either.")
]


@shared
def solve(
    settings: Settings,
    question: QUESTION = None,
    goal: GOAL = None,
    target: TARGET = None,
    within_turns: WITHIN = None,
    no_new_day: NO_NEW_DAY = False,
    without: WITHOUT = None,
    seat: SEAT = None,
    batch: BATCH = None,
    proof: PROOF = None,
    unique: UNIQUE = False,
    no_cache: NO_CACHE = False,
) -> None:
    """Find the best line for a goal, with its proof or its bound."""
    from solver.commands.inputs import read_input, run_batch
    from solver.store import Store

    wanted = wanted_goal(goal, target, within_turns, no_new_day, without, seat)
    store = None if no_cache or settings.deterministic else Store()
    if unique and proof is None:
        raise typer.BadParameter("--unique goes with --proof FILE")
    if batch is not None:
        if proof is not None:
            raise typer.BadParameter("--proof goes with one question, not with --batch")
        raise typer.Exit(run_batch(batch, settings, lambda found, _: _solved(found, wanted, settings, store).json()))
    if question is None:
        raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
    found = _solved(read_input(question), wanted, settings, store)
    code = _shown(found, settings)
    if proof is not None and not _certified(found, proof, settings, unique=unique):
        code = INTERRUPTED if found.report.interrupted else LIMIT_HIT
    raise typer.Exit(code)


def _certified(found: Solved | SolvedHidden, path: Path, settings: Settings, *, unique: bool) -> bool:
    """Write the certificate of an answer, or say why there is none and return false.

    Raises:
        BestlineError: the file cannot be written.
    """
    from solver.checker.closed import TooLarge
    from solver.proofs import certify, write_certificate

    if isinstance(found, SolvedHidden):
        raise BestlineError("a certificate is about an open question, and here chance is hidden")
    settings.detail("playing every line again by the rules alone")
    try:
        certificate = certify(found.position, found.goal, found.report, settings.time_s, unique=unique)
    except TooLarge as fault:
        settings.note(f"{path}: not written: {fault}")
        return False
    write_certificate(certificate, path)
    settings.note(f"wrote {path}: certificate {certificate.seal}")
    return True


@dataclass(frozen=True, slots=True)
class Solved:
    """One question with its answer."""

    title: str
    position: Position
    goal: Goal
    report: Report
    told: tuple[TurnTold[Any], ...]
    """The line, explained."""
    timed: bool
    """The clock may show."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.answer import solve_answer

        return solve_answer(self.position, self.goal, self.report, self.told, timed=self.timed)

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.plan_screen import solve_rows

        return solve_rows(self.title, self.position, self.goal, self.report, self.told, timed=self.timed)


class Answer(Protocol):
    """What every answered question can do."""

    @property
    def report(self) -> Report | HiddenReport | ContestReport:
        """Return what was found."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""


def _shown(answer: Answer, settings: Settings) -> int:
    """Print an answer and return its exit code."""
    from solver.render import draw

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

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.hidden_screen import hidden_answer

        return hidden_answer(self.command, self.position, self.report, self.top, self.versus, timed=self.timed)

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.hidden_screen import hidden_rows

        return hidden_rows(self.title, self.position, self.report, style, self.top, self.versus, timed=self.timed)


def _hidden(
    command: str,
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    settings: Settings,
    top: int,
    vs: str | None,
    others: str = "greedy",
) -> SolvedHidden:
    """Answer a question with hidden chance.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    from puzzles.loader import Puzzle
    from solver.hidden import asked_move, best_hidden, solve_hidden

    position, goal = question_of(found, wanted)
    versus = asked_move(position, goal, vs) if command == "best" else None
    settings.detail(f"searching {position.code}")
    if command == "best":
        report = best_hidden(position, goal, settings.limit, seed=settings.seed or 0, others=others)
    else:
        report = solve_hidden(position, goal, settings.limit)
    title = found.title if isinstance(found, Puzzle) else ""
    return SolvedHidden(command, title, position, report, top, versus, timed=not settings.deterministic)


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
    from solver.commands.contested import WIN, contested, declared_opponents

    position = found.position if isinstance(found, Puzzle) else found
    declared = None
    if not isinstance(found, Puzzle) or "objective" in wanted:
        declared = declared_opponents(position, wanted, opponents)
    if declared is not None:
        answer = contested(position, wanted, declared, settings, top, vs)
        if answer is not None:
            return answer
        settings.note("a player's cards are hidden, so this asks for the own goal only; see --goal")
        wanted = {key: value for key, value in wanted.items() if key != "objective" or value != WIN}
    others = opponents if opponents in ("random", "greedy") else "greedy"
    if opponents not in (None, others):
        settings.note(f"the others are taken to play by '{others}' here: '{opponents}' is for who wins in open play")
    return _hidden("best", found, wanted, settings, top, vs, others)


def _is_hidden(found: Puzzle | Position) -> bool:
    from puzzles.loader import Puzzle

    return bool((found.position if isinstance(found, Puzzle) else found).hidden)


def _players(found: Puzzle | Position) -> int:
    from puzzles.loader import Puzzle

    return (found.position if isinstance(found, Puzzle) else found).players


def _solved(
    found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, store: Store | None
) -> Solved | SolvedHidden:
    """Solve and explain a question.

    Raises:
        BestlineError: the goal does not fit, or the question is of a kind that cannot be solved yet.
    """
    if _is_hidden(found):
        return _hidden("solve", found, wanted, settings, 3, None)
    from puzzles.loader import Puzzle
    from solver.deviate import is_cheap
    from solver.explain import explain_line
    from solver.remember import deviations_remembering, solve_remembering
    from solver.solve import searchable

    position, goal = question_of(found, wanted)
    game = searchable(position)
    settings.detail(f"searching {position.code}")
    report = solve_remembering(position, goal, settings.limit, _progress(settings), store)
    if store is not None and store.trouble:
        settings.detail(f"{store.path}: cannot be used: {store.trouble}")
    told = explain_line(game, position.start()[1], report.line, goal.seat)
    if is_cheap(report):
        told = deviations_remembering(position, goal, told, store)
    return Solved(
        title=found.title if isinstance(found, Puzzle) else "",
        position=position,
        goal=goal,
        report=report,
        told=told,
        timed=not settings.deterministic,
    )


def _progress(settings: Settings) -> Callable[[Progress], None] | None:
    """Return what tells how far a search has come: one line that is written over, and only on a terminal."""
    if settings.quiet or not sys.stderr.isatty():
        return None

    def tell(now: Progress) -> None:
        best = "nothing yet" if now.value is None else f"best {now.value}"
        bound = "" if now.bound is None else f", not excluded {now.bound}"
        sys.stderr.write(f"\r\x1b[K{now.time_s:.0f} s, {now.states:,} positions, {best}{bound}\r")
        sys.stderr.flush()

    return tell


@shared
def best(
    settings: Settings,
    question: QUESTION = None,
    goal: GOAL = None,
    target: TARGET = None,
    within_turns: WITHIN = None,
    no_new_day: NO_NEW_DAY = False,
    without: WITHOUT = None,
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
) -> None:
    """Find the best move now, and what every other one loses."""
    from solver.commands.inputs import read_input, run_batch

    wanted = wanted_goal(goal, target, within_turns, no_new_day, without, seat)
    if opponents not in (None, *OPPONENTS):
        raise typer.BadParameter(f"--opponents is {', '.join(OPPONENTS[:-1])} or {OPPONENTS[-1]}, not '{opponents}'")

    def answer(found: Puzzle | Position) -> Answer:
        if _players(found) > 1:
            return _with_others(found, wanted, settings, top, vs, opponents)
        if _is_hidden(found):
            return _hidden("best", found, wanted, settings, top, vs)
        return _ranked(found, wanted, vs, settings, top, why=why)

    if batch is not None:
        raise typer.Exit(run_batch(batch, settings, lambda found, _: answer(found).json()))
    if question is None:
        raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
    raise typer.Exit(_shown(answer(read_input(question)), settings))


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
    """The move that was asked about."""
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

        return best_answer(self.position, self.goal, self.ranking, self.top, self.versus, timed=self.timed)

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.plan_screen import best_rows

        return best_rows(
            self.title,
            self.position,
            self.goal,
            self.ranking,
            self.told,
            self.top,
            self.versus,
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
    from solver.best import best_moves
    from solver.explain import explain_line
    from solver.solve import searchable

    position, goal = question_of(found, wanted)
    game = searchable(position)
    _, start = position.start()
    asked = None if vs is None else game.parse_step(start, vs)
    if asked is not None and asked not in open_moves(position, goal):
        raise BestlineError(f"the goal forbids '{asked.text}', so it cannot be compared")
    settings.detail(f"searching {position.code}")
    ranking = best_moves(position, goal, settings.limit, _progress(settings))
    return Ranked(
        title=found.title if isinstance(found, Puzzle) else "",
        position=position,
        goal=goal,
        ranking=ranking,
        told=explain_line(game, start, ranking.report.line, goal.seat),
        versus=next((each for each in ranking.candidates if each.move == asked), None),
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
) -> dict[str, Any]:
    """Return what the options say about the goal, in the words of a puzzle's goal table."""
    given = {"objective": goal, "target": target, "within_turns": within_turns, "without": without, "seat": seat}
    wanted: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
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
    return question_of({"objective": "min_turns", **wanted}, found)


def _exit_code(report: Report | HiddenReport | ContestReport) -> int:
    """Return how a search ended as an exit code."""
    from solver.report import Status

    if report.interrupted:
        return INTERRUPTED
    if report.status is Status.INFEASIBLE:
        return NEGATIVE
    return PROVED_OR_CLEAN if report.status is Status.OPTIMAL else LIMIT_HIT


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for name, command in {"best": best, "solve": solve}.items():
        app.command(name, rich_help_panel=HEADING)(command)
