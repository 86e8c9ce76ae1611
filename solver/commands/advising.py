"""The command that ranks the moves that are open now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError
from solver.commands.answers import (
    BATCH,
    GOAL,
    HEADING,
    KEEP,
    NO_NEW_DAY,
    OTHERS,
    QUESTION,
    SEAT,
    TARGET,
    WITHIN,
    WITHOUT,
    Answer,
    answer_hidden,
    answer_line,
    is_hidden,
    question_of,
    refuse_fated,
    refuse_opponents,
    shown,
    wanted_goal,
)
from solver.commands.many import CLUSTER, JOBS
from solver.commands.settings import Settings, first_guess, shared, telling_goal, telling_search

if TYPE_CHECKING:
    from puzzles.goal import Goal
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from rules.core.steps import Step
    from solver.answer import TurnTold
    from solver.best import Candidate, Ranking
    from solver.render import Row, Style
    from solver.report import Report


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
    opponents: OTHERS = None,
    batch: BATCH = None,
    jobs: JOBS = 1,
    cluster: CLUSTER = "",
) -> None:
    """Find the best move now, and what every other one loses."""
    from solver.commands.inputs import Batch, read_input, refuse_beside_batch, run_batch

    wanted = wanted_goal(goal, target, within_turns, no_new_day, without, seat, keep)
    refuse_opponents(opponents)
    answer = partial(advise, wanted=wanted, settings=settings, top=top, vs=vs, opponents=opponents, why=why)
    if batch is not None:
        refuse_beside_batch(question)
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
        if why:
            settings.note("--why changes nothing here: it explains the plan of a player alone")
        return _with_others(found, wanted, settings, top, vs, opponents)
    if opponents is not None:
        settings.note("--opponents changes nothing here: there are none")
    refuse_fated(found, wanted)
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
        from solver.screens.hidden import sampled_data

        return {**told, **sampled_data(self.ranking.sampled, told["line"], self.top, self.asked)}

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.screens.best import best_rows

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
    from solver.answer import explain_line, open_moves
    from solver.best import PATIENCE_S, best_moves, by_playouts
    from solver.remember import recalled
    from solver.solve import searchable
    from solver.store import Store

    position, goal = question_of(found, wanted)
    game = searchable(position)
    _, start = position.start()
    asked = None if vs is None else game.parse_step(start, vs)
    if asked is not None and asked not in open_moves(position, goal):
        raise BestlineError(f"the goal forbids '{asked.text}', so it cannot be compared")
    settings.detail(f"searching {position.code}")
    first_guess(settings, position, goal.forbidden)
    sampling = by_playouts(settings.seed or 0, asked, telling_goal(settings, position))
    tell = telling_search(settings)
    answer = None if settings.deterministic else recalled(position, goal, Store())
    ranking = best_moves(
        *(position, goal, settings.limit, tell), sampling=sampling, asked=asked, patience_s=PATIENCE_S, answer=answer
    )
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
    from solver.commands.contested import asked_to_win, contested, declared_by_challenge, position_of

    asked = asked_to_win(found, wanted, opponents, settings)
    if asked is not None:
        return contested(position_of(found), asked, settings, top, vs, found.title if isinstance(found, Puzzle) else "")
    named = declared_by_challenge(found.position, found.goal.challenge) if isinstance(found, Puzzle) else None
    return answer_hidden("best", found, wanted, settings, top, vs, opponents or named or "greedy")


def _players(found: Puzzle | Position) -> int:
    from puzzles.loader import Puzzle

    return (found.position if isinstance(found, Puzzle) else found).players


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("best", rich_help_panel=HEADING)(best)
