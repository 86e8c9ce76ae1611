"""The command that ranks the moves that are open now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer

from puzzles.loader import Puzzle
from rules.core.errors import BestlineError
from rules.core.position import Position
from solver.commands.answers import (
    QUESTION,
    Answered,
    QuestionOptions,
    answered_one,
    asked_to_win,
    declared_by_challenge,
    observer,
    question_of,
    refuse_fated,
    shown,
    title_of,
)
from solver.commands.settings import Many, Settings, shared
from solver.question import Question, chance_is_next, named_move, open_moves


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOptions(QuestionOptions):
    """What the options of ``best`` say."""

    top: Annotated[int, typer.Option("--top", min=1, help="How many moves to show.")] = 3
    why: Annotated[bool, typer.Option("--why", help="Explain the plan behind the move, turn by turn.")] = False
    vs: Annotated[str | None, typer.Option("--vs", metavar="MOVE", help="Show what this move leads to instead.")] = None


@shared
def best(settings: Settings, question: QUESTION = None, *, options: BestOptions, many: Many) -> None:
    """Find the best move now, and what every other one loses."""
    answer = partial(advise, wanted=options.goal_table(), settings=settings, options=options)
    raise typer.Exit(shown(answered_one(question, options, settings, many, answer), settings))


def advise(found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, options: BestOptions) -> Answered:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    from solver.engines.choose import best_move
    from solver.store import Store

    why, opponents = options.why, options.opponents
    question = asked_of(found, wanted, settings, opponents, options.vs)
    several = question.position.players > 1
    if several and why:
        settings.note("--why changes nothing here: it explains the plan of a player alone")
    if not several and opponents is not None:
        settings.note("--opponents changes nothing here: there are none")
    store = None if settings.deterministic or several or question.position.hidden else Store()
    answer = best_move(question, observer(settings, question), store=store)
    if why and not several and answer.verdict:
        settings.note("--why changes nothing here: moves were compared by playouts, which have no plan to explain")
    timed = not settings.deterministic
    return Answered("best", question, answer, title_of(found), options.top, why, timed)


def asked_of(
    found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, opponents: str | None, vs: str | None
) -> Question:
    """Return the question which move is best: who of several players wins, or a goal of the player's own.

    Raises:
        BestlineError: the goal or the move does not fit.
    """
    position, others = (found.position if isinstance(found, Puzzle) else found), ""
    if position.players > 1:
        wins = asked_to_win(found, wanted, opponents, settings, vs)
        if wins is not None:
            return wins
        named = declared_by_challenge(position, found.goal.challenge) if isinstance(found, Puzzle) else None
        others = opponents or named or "greedy"
    else:
        refuse_fated(found, wanted)
    position, goal = question_of(found, wanted)
    if position.hidden or position.players > 1:
        skips = position.players == 1 and vs is None and chance_is_next(position)
        versus = None if skips else named_move(position, goal, vs)
    else:
        game, start = position.start()
        versus = None if vs is None else game.parse_step(start, vs)
        if versus is not None and versus not in open_moves(position, goal):
            raise BestlineError(f"the goal forbids '{versus.text}', so it cannot be compared")
    return Question(position, goal, settings.limit, others, seed=settings.seed or 0, versus=versus)


COMMANDS = {"best": best}
