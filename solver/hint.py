"""Hints in four steps, each telling a little more: what kind of move, which card, the move, the line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from puzzles.goal import Goal
from rules.core.contest import Contest
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.steps import Step
from solver.best import best_moves
from solver.duel import best_contested
from solver.hidden import asked_move, best_hidden
from solver.hidden_contest import best_hidden_contest
from solver.report import Limit, Status

LEVELS: Final = ("nudge", "card", "move", "line")
"""From the least to the most."""


@dataclass(frozen=True, slots=True)
class Hint:
    """No more than was asked for."""

    level: str
    text: str
    sure: bool
    """The move behind it is proved best, and not only the best found or the best of a sample."""


def hint(position: Position, goal: Goal | None, level: str, limit: Limit | None = None) -> Hint:
    """Return a hint about the best move now; without a goal, about winning against others.

    Raises:
        BestlineError: there is no such level, no move to choose, or no move that serves the goal was found.
    """
    if level not in LEVELS:
        raise BestlineError(f"'{level}' is no level of a hint; levels: {', '.join(LEVELS)}")
    if goal is None:
        move, line, sure = _against_others(position, limit)
    else:
        asked_move(position, goal, None)
        move, line, sure = _best(position, goal, limit)
    verb, card, spent = _parts(move)
    if level == "nudge":
        text = _nudge(verb, card, spent)
    elif level == "card":
        text = f"{verb} {card}" if card else verb
    elif level == "move":
        text = move.text
    else:
        text = "; ".join(line)
    return Hint(level, text, sure)


def _best(position: Position, goal: Goal, limit: Limit | None) -> tuple[Step, tuple[str, ...], bool]:
    """Return the best move, the line or first turn that it begins, and whether it is proved best."""
    if position.hidden or position.players > 1:
        report = best_hidden(position, goal, limit)
        if not report.options or report.value is None or report.options[0].value is None:
            raise BestlineError("no move that serves the goal was found; 'bestline solve' tells why")
        line = report.plan[0].then if report.plan else (report.options[0].move.text,)
        return report.options[0].move, line, not report.verdict
    ranking = best_moves(position, goal, limit)
    best = next((each for each in ranking.candidates if each.loss == 0), None)
    if best is not None:
        return best.move, tuple(step.text for turn in best.line for step in turn.steps), True
    line = tuple(step.text for turn in ranking.report.line for step in turn.steps)
    if line:
        game, start = position.start()
        return game.parse_step(start, line[0]), line, False
    if ranking.report.status is Status.UNKNOWN:
        raise BestlineError("no move that serves the goal was found before the limit; allow more with --time")
    raise BestlineError("no move that serves the goal was found; 'bestline solve' tells why")


def _against_others(position: Position, limit: Limit | None) -> tuple[Step, tuple[str, ...], bool]:
    """Return the same for winning against others."""
    game, start = position.start()
    if isinstance(game, Contest) and game.is_common(start.table):
        with suppress(UnsupportedRuleset):
            report = best_contested(position, limit)
            best = report.choices[0]
            if best.value is None:
                raise BestlineError("no move was compared before the limit; allow more with --time")
            return best.move, report.line or (best.move.text,), report.status is Status.OPTIMAL
    move = best_hidden_contest(position, limit).options[0].move
    return move, (move.text,), False


def _parts(move: Step) -> tuple[str, str, int]:
    """Return the kind of a move, the card it is about, and how many cards it spends."""
    verb, _, _ = move.text.partition(" ")
    uses: tuple[str, ...] = getattr(move, "uses", ())
    spends: tuple[str, ...] = getattr(move, "spends", ())
    return verb, uses[0] if uses else "", len(spends)


def _nudge(verb: str, card: str, spent: int) -> str:
    if not card:
        return f"nothing from the hand is called for now: think of '{verb}'"
    paying = {0: "it costs no cards", 1: "one other card pays for it"}.get(spent, f"{spent} other cards pay for it")
    return f"{verb} a card from the hand; {paying}"
