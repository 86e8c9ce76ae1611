"""Answers as JSON, the fields that other programs rely on, and the annotated turns of a line.

The rules replay each turn and tell what happened; annotations are data that say what it was for. The words for events
come from the game, the others from ``solver.screens.common``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from puzzles.goal import Goal
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Event, Step
from rules.core.turns import State
from solver.report import Report, Statistics, TurnLine
from solver.search.problem import forbidden_step

if TYPE_CHECKING:
    from solver.best import Candidate, Ranking


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
        "value": goal.in_rounds(report.value),
        "bound": goal.in_rounds(report.bound),
        "line": [text for turn in told for text in turn.steps],
        "plan": [_turn(game, turn) for turn in told] if isinstance(game, Race) else [],
        "proof": plain(report.proof),
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


def plain(record: Any) -> dict[str, Any]:
    """Return the fields of a data class as JSON has them: lists for tuples, and fractions as text."""
    values = {each.name: getattr(record, each.name) for each in fields(record)}
    return {
        name: list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Fraction) else value
        for name, value in values.items()
    }


def statistics_data(statistics: Statistics, *, timed: bool) -> dict[str, Any]:
    """Return what an answer cost."""
    told = plain(statistics)
    time_s = told.pop("time_s")
    return {"time_s": round(time_s, 4), **told} if timed else told


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
        "value": goal.in_rounds(report.value),
        "bound": goal.in_rounds(report.bound),
        "moves": [_candidate(each, goal) for each in ranking.candidates[:top]],
        "considered": ranking.considered,
        "open": len(open_moves(position, goal)),
        "line": [step.text for turn in report.line for step in turn.steps],
        "proof": plain(report.proof),
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
        "value": goal.in_rounds(candidate.value),
        "bound": goal.in_rounds(candidate.bound),
        "loss": candidate.loss,
        "line": [step.text for turn in candidate.line for step in turn.steps],
    }


@dataclass(frozen=True, slots=True)
class Annotation:
    """One reason, as data."""

    kind: str
    """``kept``: a card was not spent because a later turn needs it. ``instead``: what another first move costs."""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnTold(Generic[T]):
    """One turn of a line with its reasons."""

    number: int
    """Place in the line, from 1."""
    steps: tuple[str, ...]
    """Moves and chance outcomes, as texts."""
    before: int
    """Progress before the turn."""
    after: int
    events: tuple[Event, ...]
    """What the rules did, in order."""
    notes: tuple[Annotation, ...]
    table: T
    """The table after the turn."""


def explain_line(game: Race[T], start: State[T], line: Sequence[TurnLine], seat: int = 0) -> tuple[TurnTold[T], ...]:
    """Return every turn of a line, replayed through the rules and annotated.

    Raises:
        IllegalMoveError: the line does not fit the start.
    """
    state = start
    played: list[tuple[State[T], list[Event]]] = []
    for turn in line:
        events: list[Event] = []
        for step in turn.steps:
            transition = game.apply(state, step)
            state = transition.state
            events.extend(transition.events)
        played.append((state, events))
    tables = [start.table, *(after.table for after, _ in played)]
    # A new round deals a new hand: what it holds was not kept, even where the cards are the same.
    hands = [(game.days(table, seat), Counter(game.hand(table, seat))) for table in tables]
    return tuple(
        TurnTold(
            number=place + 1,
            steps=tuple(step.text for step in turn.steps),
            before=game.progress(tables[place], seat),
            after=game.progress(tables[place + 1], seat),
            events=tuple(played[place][1]),
            notes=tuple(_kept(line[place:], hands[place:], place + 1)),
            table=tables[place + 1],
        )
        for place, turn in enumerate(line)
    )


def _kept(line: Sequence[TurnLine], hands: Sequence[tuple[int, Counter[str]]], number: int) -> list[Annotation]:
    """Return which hand cards the payment of the first turn spared, and the turn that needs each.

    ``hands[0]`` is the round and hand before that turn, and ``hands[k]`` those after k turns. Copies are
    interchangeable: a later use counts for the copy in hand as long as the hand has held one ever since.
    """
    spent = Counter(card for step in line[0].steps for card in spends(step))
    if not spent:
        return []
    today, hand = hands[0]
    held = hand - spent - Counter(card for step in line[0].steps for card in uses(step))
    notes: list[Annotation] = []
    for later in range(1, len(line)):
        day, hand = hands[later]
        if day != today:
            break
        held &= hand
        for step in line[later].steps:
            for role, cards in (("play", uses(step)), ("pay", spends(step))):
                for card in cards:
                    if held[card] > 0:
                        held[card] -= 1
                        notes.append(Annotation("kept", {"card": card, "turn": number + later, "role": role}))
    return notes


def uses(step: Step) -> tuple[str, ...]:
    """Return the hand cards that a step plays."""
    return tuple(getattr(step, "uses", ()))


def spends(step: Step) -> tuple[str, ...]:
    """Return the hand cards that a step gives away as payment."""
    return tuple(getattr(step, "spends", ()))
