"""Why a line is as it is: each turn replayed through the rules and annotated with what happened and what it was for.

Annotations are data. The words for events come from the game, the others from ``solver.screens.common``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rules.core.race import Race
from rules.core.steps import Event, Step
from rules.core.turns import State
from solver.report import TurnLine

T = TypeVar("T")


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
