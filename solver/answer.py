"""Answers as JSON: the fields that other programs rely on, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from puzzles.goal import Goal
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Event, Step
from solver.report import Proof, Report, Statistics
from solver.search.plain import forbidden_step

if TYPE_CHECKING:
    from solver.best import Candidate, Ranking
    from solver.explain import TurnTold

T = TypeVar("T")

SCHEMA: Final = "bestline/answer/1"
"""Name and version of the shape of an answer; the number rises when a field changes its meaning."""


def head(command: str, position: Position) -> dict[str, Any]:
    """Return what every answer begins with: what was asked, of which rules, knowing what."""
    return {
        "schema": SCHEMA,
        "command": command,
        "ruleset": position.ruleset.id,
        "fingerprint": position.fingerprint,
        "information": position.information,
    }


def solve_answer(
    position: Position,
    goal: Goal,
    report: Report,
    told: Sequence[TurnTold[T]],
    *,
    timed: bool = True,
) -> dict[str, Any]:
    """Return the answer of ``solve``.

    ``line`` are the moves in a row, ``plan`` the same turn by turn with what they led to; ``timed`` says whether the
    clock may show, which differs from run to run.
    """
    game = position.game
    recalled = {"recalled": True} if report.extra.get("recalled") else {}
    return {
        **head("solve", position),
        "goal": goal_data(goal),
        "status": report.status.value,
        "value": goal.told(report.value),
        "bound": goal.told(report.bound),
        "line": [text for turn in told for text in turn.steps],
        "plan": [_turn(game, turn) for turn in told] if isinstance(game, Race) else [],
        "proof": proof_data(report.proof),
        "statistics": {**statistics_data(report.statistics, timed=timed), **recalled},
        "interrupted": report.interrupted,
        "position_code": position.code,
    }


def goal_data(goal: Goal) -> dict[str, Any]:
    """Return a goal; of a challenge also what its values are, such as ``max_distance``, and its terms if it has any."""
    challenge = {"measure": goal.objective.value} if goal.challenge else {}
    terms = {"terms": dict(goal.terms)} if goal.terms else {}
    return {
        "objective": goal.challenge or goal.objective.value,
        **challenge,
        **terms,
        "target": goal.target,
        "within_turns": goal.within_turns,
        "forbidden": sorted(goal.forbidden),
        "kept": sorted(goal.kept),
        "seat": goal.seat,
    }


def proof_data(proof: Proof) -> dict[str, Any]:
    """Return why a claim holds."""
    return {
        "method": proof.method,
        "excluded_turns": proof.excluded_turns,
        "states": proof.states,
        "pruned": proof.pruned,
        "bound_name": proof.bound_name,
        "projections": list(proof.projections),
        "checked_by": list(proof.checked_by),
    }


def statistics_data(statistics: Statistics, *, timed: bool) -> dict[str, Any]:
    """Return what an answer cost."""
    clock = {"time_s": round(statistics.time_s, 4)} if timed else {}
    return {
        **clock,
        "generated": statistics.generated,
        "expanded": statistics.expanded,
        "engine": statistics.engine,
    }


def event_data(event: Event, sentence: str) -> dict[str, Any]:
    """Return an event with its words."""
    return {"rule": event.rule, "kind": event.kind, "text": sentence}


def _turn(game: Race[T], turn: TurnTold[T]) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "moves": list(turn.steps),
        "from": turn.before,
        "to": turn.after,
        "events": [event_data(event, game.sentence(event)) for event in turn.events],
        "notes": [{"kind": note.kind, **note.data} for note in turn.notes],
    }


def best_answer(
    position: Position, goal: Goal, ranking: Ranking, top: int, versus: Candidate | None, *, timed: bool
) -> dict[str, Any]:
    """Return the answer of ``best``: the ``top`` best moves, and the one that was asked about.

    ``open`` is how many moves there are, ``considered`` how many of them were compared before a limit was hit.
    """
    report = ranking.report
    told = {
        **head("best", position),
        "goal": goal_data(goal),
        "status": report.status.value,
        "value": goal.told(report.value),
        "bound": goal.told(report.bound),
        "moves": [_candidate(each, goal) for each in ranking.candidates[:top]],
        "considered": ranking.considered,
        "open": len(open_moves(position, goal)),
        "line": [step.text for turn in report.line for step in turn.steps],
        "proof": proof_data(report.proof),
        "statistics": statistics_data(report.statistics, timed=timed),
        "interrupted": report.interrupted,
        "position_code": position.code,
    }
    return told if versus is None else {**told, "versus": _candidate(versus, goal)}


def open_moves(position: Position, goal: Goal) -> list[Step]:
    """Return the moves that are open now and that the goal allows."""
    game, start = position.start()
    return [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]


def nothing_to_choose(position: Position) -> BestlineError:
    """Return why no move can be compared where none is open that a goal allows."""
    game, start = position.start()
    moves = [move.text for move in game.legal_moves(start)]
    if not moves:
        return BestlineError("there is no move to choose: the game is over here")
    return BestlineError(f"there is no move to choose: only {', '.join(moves)} is open, and the goal forbids it")


def _candidate(candidate: Candidate, goal: Goal) -> dict[str, Any]:
    return {
        "move": candidate.move.text,
        "status": candidate.status.value,
        "value": goal.told(candidate.value),
        "bound": goal.told(candidate.bound),
        "loss": candidate.loss,
        "line": [step.text for turn in candidate.line for step in turn.steps],
    }
