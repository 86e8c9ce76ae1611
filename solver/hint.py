"""Hints in four steps, each telling a little more: what kind of move, which card, the move, the line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from puzzles.goal import Goal
from rules.core.challenge import Fate
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.steps import Step
from solver.against_others import WhoWins, against_others
from solver.best import AT_LEAST_S, by_playouts
from solver.hidden import APPLY, asked_move, best_hidden, chance_is_next
from solver.hidden_contest import HiddenContestReport
from solver.remember import solve_remembering
from solver.report import Status
from solver.search.budget import Budget
from solver.search.first_turn import whatever_comes
from solver.solve import fate_of
from solver.store import Store

LEVELS: Final = ("nudge", "card", "move", "line")
"""From the least to the most."""
PATIENCE: Final = 10.0
"""Seconds that a hint takes where nobody says: whoever asks for one sits at the table."""
SAMPLED_PART: Final = 0.3
"""Part of the time in which moves are compared by playouts where no line is found."""
_NOT_YET: Final = "stopped before a move that serves the goal was found"


class NothingYet(BestlineError):
    """The limit was hit before any move was found to hint at."""

    def __init__(self, message: str, *, interrupted: bool) -> None:
        super().__init__(message)
        self.interrupted = interrupted


class Hopeless(BestlineError):
    """No move serves the goal: that is proved."""

    def __init__(self, *, hidden: bool = False) -> None:
        why = "that is proved, whatever comes up" if hidden else "'bestline solve --why' tells why"
        super().__init__(f"no move serves the goal, it cannot be reached; {why}")


class _Reached(Exception):
    """There is nothing left to do."""


@dataclass(frozen=True, slots=True)
class Hint:
    """No more than was asked for."""

    level: str
    text: str
    sure: bool
    """The move behind it is proved best, and not only the best found or the best of a sample."""
    interrupted: bool = False
    """The search behind it was stopped by hand."""
    length: str = ""
    """How long a line that is told is, in words, where it is proved best."""

    @property
    def told(self) -> str:
        """Return the text with a word where the move is not proved, or how long a proved line is."""
        if not self.sure:
            return f"{self.text} (the best found, not proved)"
        return f"{self.text}\n{self.length}, proved" if self.length else self.text


class _Found(NamedTuple):
    """The best move and how it was found."""

    move: Step
    line: tuple[str, ...]
    """The line or first turn that the move begins."""
    sure: bool
    interrupted: bool
    length: str = ""


def hint(
    position: Position, asked: Goal | WhoWins, level: str, limit: Budget | None = None, store: Store | None = None
) -> Hint:
    """Return a hint about the best move now, for a goal of one's own or to win against others.

    Without a limit of time the search stops after ``PATIENCE`` seconds. What a ``store`` has is not searched again.

    Raises:
        BestlineError: there is no such level, or no move to choose.
        Hopeless: the goal cannot be reached.
        NothingYet: the limit was hit before a move that serves the goal was found.
    """
    if level not in LEVELS:
        raise BestlineError(f"'{level}' is no level of a hint; levels: {', '.join(LEVELS)}")
    limit = limit or Budget()
    if limit.time_s is None:
        limit = replace(limit, time_s=PATIENCE)
    if isinstance(asked, WhoWins):
        found = _against_others(position, asked, limit)
    else:
        if position.players == 1 and chance_is_next(position):
            return Hint(level, APPLY, True)
        asked_move(position, asked, None)
        try:
            found = _best(position, asked, limit, store)
        except _Reached:
            return Hint(level, "nothing is left to do: the goal is reached", True)
    verb, card, spent = _parts(found.move)
    if level == "nudge":
        text = _nudge(verb, card, spent)
    elif level == "card":
        text = f"{verb} {card}" if card else verb
    elif level == "move":
        text = found.move.text
    else:
        text = "; ".join(found.line)
    return Hint(level, text, found.sure, found.interrupted, found.length if level == "line" else "")


def _best(position: Position, goal: Goal, limit: Budget, store: Store | None) -> _Found:
    """Return the best move for a goal of one player's own."""
    is_fated = fate_of(position.game) is not Fate.KNOWN
    if (position.hidden and not is_fated) or position.players > 1:
        report = best_hidden(position, goal, limit, rivals=False)
        if report.status is Status.INFEASIBLE:
            raise Hopeless(hidden=True)
        if report.status is Status.OPTIMAL and not report.options:
            raise _Reached
        if not report.options or report.value is None or report.options[0].value is None:
            raise NothingYet(_NOT_YET, interrupted=report.interrupted)
        # What depends on chance cannot be followed yet.
        line = () if report.omitted else whatever_comes(report.plan)
        line = line or (report.options[0].move.text,)
        sure = report.status is Status.OPTIMAL or (bool(report.verdict) and len(report.options) == 1)
        return _Found(report.options[0].move, line, sure, report.interrupted)
    assert limit.time_s is not None
    shorter = replace(limit, time_s=limit.time_s * (1 - SAMPLED_PART))
    solved = solve_remembering(position, goal, shorter, store=store)
    steps = tuple(step for turn in solved.line for step in turn.steps)
    if steps:
        texts = tuple(step.text for step in steps)
        sure = solved.status is Status.OPTIMAL
        return _Found(steps[0], texts, sure, solved.interrupted, _length(goal, len(solved.line)) if sure else "")
    if solved.status is Status.INFEASIBLE:
        raise Hopeless
    if solved.status is Status.OPTIMAL:
        raise _Reached
    if is_fated and position.hidden:  # playouts take chance as it falls
        raise NothingYet(_NOT_YET, interrupted=solved.interrupted)
    # Whoever stops it wants to move.
    part = AT_LEAST_S if solved.interrupted else max(AT_LEAST_S, limit.time_s * SAMPLED_PART)
    sample = by_playouts()(position, goal, replace(limit, time_s=part))
    best = sample.options[0].move
    return _Found(best, (best.text,), False, solved.interrupted or sample.interrupted)


def _length(goal: Goal, turns: int) -> str:
    number, unit = goal.counted(turns), "turn" if goal.clock is None else "round"
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _against_others(position: Position, asked: WhoWins, limit: Budget) -> _Found:
    """Return the best move for winning against others."""
    report = against_others(position, limit, asked.opponents, asked.rounds)
    if isinstance(report, HiddenContestReport):
        move = report.options[0].move
        return _Found(move, (move.text,), False, report.interrupted)
    best = report.choices[0]
    if best.value is None:
        raise NothingYet(
            "no move was compared before the limit; allow more with --time", interrupted=report.interrupted
        )
    sure = report.status is Status.OPTIMAL
    return _Found(best.move, report.line or (best.move.text,), sure, report.interrupted)


def _parts(move: Step) -> tuple[str, str, int]:
    """Return the kind of a move, the card it is about, and how many cards it spends."""
    verb, _, _ = move.text.partition(" ")
    uses: tuple[str, ...] = getattr(move, "uses", ())
    spends: tuple[str, ...] = getattr(move, "spends", ())
    return verb, uses[0] if uses else "", len(spends)


def _nudge(verb: str, card: str, spent: int) -> str:
    if not card:
        return f"think of '{verb}'"
    paying = {0: "it costs no cards", 1: "one other card pays for it"}.get(spent, f"{spent} other cards pay for it")
    return f"{verb} a card from the hand; {paying}"
