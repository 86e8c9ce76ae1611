"""Hints in four steps, each telling a little more: what kind of move, which card, the move, the line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from rules.core.errors import BestlineError
from rules.core.scripts import Step
from solver.engines.answers import by_playouts, solve
from solver.engines.contest import against_others
from solver.engines.hidden import best_hidden
from solver.lines import spends, uses
from solver.question import APPLY, Answer, Question, Status, chance_is_next, is_uncertain, named_move, refuse_unknown
from solver.screens.common import turns_text
from solver.search.budget import GRACE_S
from solver.search.expectimax import whatever_comes
from solver.store import Store

LEVELS: Final = ("nudge", "card", "move", "line")
"""From the least to the most."""
SAMPLED_PART: Final = 0.3
"""Part of the time in which moves are compared by playouts where no line is found."""


class Hint(NamedTuple):
    """No more than was asked for."""

    text: str | None
    """None where there is no hint."""
    sure: bool
    """The move behind it is proved best, or it is proved that none serves the goal."""
    interrupted: bool = False
    """The search behind it was stopped by hand."""
    length: str = ""
    """The length of a line that is proved best, in words."""
    why: str = ""
    """Why there is no hint."""

    @property
    def words(self) -> str:
        """Return the text with a word where the move is not proved, or the length of a proved line."""
        if self.text is None:
            return self.why
        if not self.sure:
            return f"{self.text} (the best found, not proved)"
        return f"{self.text}\n{self.length}, proved" if self.length else self.text


def hint(question: Question, level: str, store: Store | None = None) -> Hint:
    """Return a hint about the best move now, for a goal of one's own or to win against others.

    What a ``store`` has is not searched again.

    Raises:
        BestlineError: there is no such level, or no move to choose.
    """
    if level not in LEVELS:
        raise BestlineError(f"'{level}' is no level of a hint; levels: {', '.join(LEVELS)}")
    refuse_unknown(question.position, question.seat)
    if question.goal is not None:
        if question.position.players == 1 and chance_is_next(question.position):
            return Hint(APPLY, True)
        named_move(question.position, question.goal, None)
    answer = _answer(question, store)
    if answer.status is Status.INFEASIBLE:
        told = "that is proved, whatever comes up" if answer.goal is not None else "'bestline solve --why' tells why"
        return Hint(None, sure=True, why=f"no move serves the goal, it cannot be reached; {told}")
    if answer.status is Status.OPTIMAL and not answer.moves and not answer.line:
        return Hint("nothing is left to do: the goal is reached", True)
    best = _best(answer)
    if best is None:
        why = "stopped before a move that serves the goal was found; allow more with --time"
        return Hint(None, sure=False, interrupted=answer.interrupted, why=why)
    move, line = best
    verb, cards, spent = move.text.partition(" ")[0], uses(move), len(spends(move))
    card = cards[0] if cards else ""
    paying = {0: "it costs no cards", 1: "one other card pays for it"}.get(spent, f"{spent} other cards pay for it")
    text = {
        "nudge": f"{verb} a card from the hand; {paying}" if card else f"try '{verb}'",
        "card": f"{verb} {card}" if card else verb,
        "move": move.text,
        "line": "; ".join(line),
    }[level]
    only = answer.contest is None and not _is_open(question) and bool(answer.verdict) and len(answer.moves) == 1
    sure = answer.status is Status.OPTIMAL or only
    length = turns_text(len(answer.line), question.own_goal) if level == "line" and sure and answer.line else ""
    return Hint(text, sure, answer.interrupted, length)


def _answer(question: Question, store: Store | None) -> Answer[Any]:
    """Return the answer behind a hint; open questions without a line are answered by playouts."""
    if question.goal is None:
        return against_others(question)
    if not _is_open(question):
        return best_hidden(question, rivals=False)
    position, limit = question.position, question.limit
    solved = solve(position, question.goal, limit, store=store, first_line=1 - SAMPLED_PART)
    # Playouts take chance as it falls, so they are of no use where the goal says how it comes.
    if solved.line or solved.status.is_settled or position.hidden:
        return solved
    # Whoever stops the search wants to move.
    part = GRACE_S if solved.interrupted else max(GRACE_S, (limit.time_s or 0.0) * SAMPLED_PART)
    sample = by_playouts(replace(question, limit=replace(limit, time_s=part)))
    return replace(sample, interrupted=solved.interrupted or sample.interrupted)


def _is_open(question: Question) -> bool:
    """Return whether a single player knows all, or the goal says how chance comes."""
    return question.position.players == 1 and not is_uncertain(question.position)


def _best(answer: Answer[Any]) -> tuple[Step, tuple[str, ...]] | None:
    """Return the best move, and the line or first turn that it begins; nothing where none was compared."""
    steps = [step for turn in answer.line for step in turn.steps]
    if steps:
        return steps[0], tuple(step.text for step in steps)
    contest = answer.contest
    if not answer.moves or (answer.moves[0].value is None and not (contest and answer.is_sampled)):
        return None
    best, follows = answer.moves[0].move, contest.follows if contest else ()
    if not answer.omitted:  # what depends on chance cannot be followed
        follows = follows or whatever_comes(answer.plan)
    return best, follows or (best.text,)
