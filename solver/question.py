"""The question that is put to the engines: a position, a goal or a game against others, and a budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rules.core.errors import BestlineError
from rules.core.steps import CHANCE, OVER, Step
from rules.core.unknown import UNKNOWN
from solver.search.budget import Budget
from solver.search.problem import forbidden_step

if TYPE_CHECKING:
    from puzzles.goal import Goal
    from rules.core.position import Position


@dataclass(frozen=True, slots=True)
class Question:
    """One question; what the goal forbids and keeps stands in the goal."""

    position: Position
    goal: Goal | None = None
    """None: which move wins against the others."""
    limit: Budget = field(default_factory=Budget)
    opponents: str = ""
    """How the other players play: ``best``, ``random``, ``greedy`` or ``never``.

    Empty for ``best`` where the question is who wins, and for ``greedy`` where it is a goal of one's own.
    """
    rounds: int | None = None
    """Against others: play is taken to stop after so many rounds, the one under way included."""
    seed: int = 0
    versus: Step | None = None
    """A move whose value or plan is wanted beside that of the best one."""
    playouts: int | None = None
    """Number of playouts where no time is given; none for the engine's own number."""

    @property
    def own_goal(self) -> Goal:
        """Return the goal of a question that has one."""
        assert self.goal is not None
        return self.goal

    @property
    def seat(self) -> int:
        """Return whose question it is."""
        return seat_to_choose(self.position) if self.goal is None else self.goal.seat

    def moves(self) -> list[Step]:
        """Return the moves that are open now and that the goal allows."""
        return open_moves(self.position, self.own_goal)


def open_moves(position: Position, goal: Goal) -> list[Step]:
    """Return the moves that are open now and that a goal allows."""
    game, start = position.start()
    return [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]


def nothing_to_choose(position: Position) -> BestlineError:
    """Return why no move can be compared where none is open that a goal allows."""
    game, start = position.start()
    moves = [move.text for move in game.legal_moves(start)]
    if not moves:
        return BestlineError("there is no move to choose: the game is over here")
    return BestlineError(f"there is no move to choose: only {', '.join(moves)} is open, and the goal forbids it")


APPLY: Final = "chance decides next; apply what came up, then ask again ('bestline moves' lists it)"
"""What to do where nothing can be chosen yet."""


def chance_is_next(position: Position) -> bool:
    """Return whether there is nothing to choose before chance has decided."""
    game, start = position.start()
    return game.to_act(start) == CHANCE


def refuse_unknown(position: Position, seat: int) -> None:
    """See to it that the player who asks knows the own hand.

    Raises:
        BestlineError: it has unknown cards.
    """
    game, start = position.start()
    if UNKNOWN not in game.hand(start.table, seat):
        return
    key = f"state.{'seats' if 'seats' in position.state else 'players'}[{seat}].hand"
    if game.to_act(start) != seat or position.players == 1:
        raise BestlineError(f"{key}: has unknown cards; who asks has to write the own hand")
    raise BestlineError(
        f"player {seat} is to move, whose hand is not known: apply what they do, and ask again when it is your turn; "
        f"or write {key} to ask for them"
    )


def seat_to_choose(position: Position) -> int:
    """Return the seat that has to decide.

    Raises:
        BestlineError: nobody has to decide anything.
    """
    game, start = position.start()
    seat = game.to_act(start)
    if seat == CHANCE:
        raise BestlineError(APPLY)
    if seat == OVER:
        raise nothing_to_choose(position)
    return seat


def named_move(position: Position, goal: Goal, text: str | None) -> Step | None:
    """Return the move that a text names, and make sure that there is a move to choose at all.

    Raises:
        BestlineError: chance or another player decides next, no move is open, or the goal forbids the one named.
        NotationError: the text is no move here.
        IllegalMoveError: it is not open.
    """
    game, start = position.start()
    if chance_is_next(position):
        raise BestlineError(APPLY)
    actor = game.to_act(start)
    if position.players > 1 and actor not in (OVER, goal.seat):
        raise BestlineError(
            f"player {actor} is to move, and the goal is player {goal.seat}'s: apply what player {actor} does, "
            f"then ask again; or ask for player {actor} with --seat {actor}"
        )
    if not open_moves(position, goal):
        raise nothing_to_choose(position)
    move = None if text is None else game.parse_step(start, text)
    if move is not None and forbidden_step(move, goal.forbidden):
        raise BestlineError(f"the goal forbids '{move.text}', so it cannot be compared")
    return move
