"""The command that ranks the moves that are open now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError
from solver.commands.answers import (
    BATCH,
    OTHERS,
    QUESTION,
    Answer,
    Answered,
    GoalOptions,
    answer_hidden,
    answer_line,
    is_hidden,
    question_of,
    refuse_fated,
    refuse_opponents,
    shown,
    title_of,
)
from solver.commands.settings import Many, Settings, first_guess, shared, telling_goal, telling_search

if TYPE_CHECKING:
    from puzzles.loader import Puzzle
    from rules.core.position import Position


@shared
def best(
    settings: Settings,
    question: QUESTION = None,
    *,
    asked: GoalOptions,
    top: Annotated[int, typer.Option("--top", min=1, help="How many moves to show.")] = 3,
    why: Annotated[bool, typer.Option("--why", help="Explain the plan behind the move, turn by turn.")] = False,
    vs: Annotated[
        str | None, typer.Option("--vs", metavar="MOVE", help="Show what this move leads to instead.")
    ] = None,
    opponents: OTHERS = None,
    batch: BATCH = None,
    many: Many,
) -> None:
    """Find the best move now, and what every other one loses."""
    from solver.commands.inputs import read_input, refuse_beside_batch, run_batch

    refuse_opponents(opponents)
    answer = partial(advise, wanted=asked.wanted(), settings=settings, top=top, vs=vs, opponents=opponents, why=why)
    if batch is not None:
        refuse_beside_batch(question)
        raise typer.Exit(run_batch(batch, many, settings, partial(answer_line, answer)))
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


def _ranked(
    found: Puzzle | Position, wanted: Mapping[str, Any], vs: str | None, settings: Settings, top: int, *, why: bool
) -> Answered:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be solved yet.
    """
    from solver.answer import best_answer, explain_line, open_moves
    from solver.best import PATIENCE_S, best_moves, by_playouts
    from solver.screens.best import best_rows
    from solver.solve import searchable
    from solver.store import Store, recalled

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
    told = explain_line(game, start, ranking.report.line, goal.seat)
    versus = next((each for each in ranking.candidates if each.move == asked), None)
    timed = not settings.deterministic

    def json() -> dict[str, Any]:
        answer = best_answer(position, goal, ranking, top, versus, timed=timed)
        if ranking.sampled is None:
            return answer
        from solver.screens.hidden import sampled_data

        return {**answer, **sampled_data(ranking.sampled, answer["line"], top, asked)}

    shown = (title_of(found), position, goal, ranking, told, top, versus, asked)
    return Answered(ranking.report, json, lambda style: best_rows(*shown, style, why=why, timed=timed))


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
        return contested(position_of(found), asked, settings, top, vs, title_of(found))
    named = declared_by_challenge(found.position, found.goal.challenge) if isinstance(found, Puzzle) else None
    return answer_hidden("best", found, wanted, settings, top, vs, opponents or named or "greedy")


def _players(found: Puzzle | Position) -> int:
    from puzzles.loader import Puzzle

    return (found.position if isinstance(found, Puzzle) else found).players


COMMANDS = {"best": best}
