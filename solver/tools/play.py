"""A game followed as it is played at a table: every decision and every result of chance entered as it comes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, Final

from puzzles.puzzle import Objective, Puzzle, goal_table, puzzle_tables, round_clock
from rules.core.challenge import Quest
from rules.core.errors import BestlineError, counted
from rules.core.position import Position
from rules.core.race import ImperfectInformation, seats_unknown
from rules.core.scripts import OVER, Event, Step
from rules.core.tools.output import toml_text, write_file
from solver.question import TurnLine

SHOWN: Final = 12
"""Steps named where what was typed fits several."""


class Companion:
    """One game under way: where it began, and the steps since."""

    def __init__(self, begun: Puzzle | Position, record: Sequence[str] = ()) -> None:
        """Go on from a puzzle or a position after recorded steps.

        Raises:
            BestlineError: one of them is not possible where it stands.
        """
        self._puzzle = begun if isinstance(begun, Puzzle) else None
        self.start = begun.position if isinstance(begun, Puzzle) else begun
        self.game, state = self.start.start()
        self._states = [state]
        self._steps: list[Step] = []
        for number, text in enumerate(record, start=1):
            try:
                self.take(self.game.parse_step(self._states[-1], text))
            except BestlineError as fault:
                raise BestlineError(f"step {number}, '{text}': {fault}") from fault

    @property
    def position(self) -> Position:
        """Return the position now, in the middle of a turn or not."""
        return self.start.after(self._states[-1])

    @property
    def question(self) -> Puzzle | Position:
        """Return what advice is about: the position now, with what is left of the goal where the game has one.

        What a challenge measures and what is to be kept counts from where the game began, turns and rounds from now.
        Where the game began with every hand named, as one that was dealt here, advice takes those of the others as
        unknown: it knows what the player knows.
        """
        puzzle, game = self._puzzle, self.game
        if puzzle is None:
            return self._seen
        goal, now = puzzle.goal, self._states[-1].table
        if goal.within_turns is not None:
            gone = game.turns(now, goal.seat) - game.turns(self._states[0].table, goal.seat)
            goal = replace(goal, within_turns=max(0, goal.within_turns - gone))
        if goal.objective is Objective.WIN:
            goal = replace(goal, clock=round_clock(game, now, goal.seat))
        elif goal.clock is not None:
            quest = self.start.with_table(now).towards(goal.challenge, goal.seat, goal.terms).game
            goal = replace(goal, clock=quest.clock() if isinstance(quest, Quest) else None)
        return replace(puzzle, position=self._seen, goal=goal, solution=None)

    @property
    def _seen(self) -> Position:
        """Return the position now as the seat that decides sees it; what a table with unknown cards names is seen."""
        game, state = self.game, self._states[-1]
        if not isinstance(game, ImperfectInformation) or game.players == 1 or self.actor < 0:
            return self.position
        if seats_unknown(game, self.start.table()):
            return self.position
        return self.start.after(state._replace(table=game.covered(state.table, self.actor)))

    @property
    def actor(self) -> int:
        """Return the seat that decides now, ``CHANCE`` or ``OVER``."""
        return self.game.to_act(self._states[-1])

    @property
    def purpose(self) -> str:
        """Return what the next result of chance is for, in words for players; empty where nobody needs to be told."""
        return self.game.purpose(self._states[-1])

    @property
    def record(self) -> tuple[str, ...]:
        """Return the texts of all steps taken."""
        return tuple(step.text for step in self._steps)

    @property
    def turns(self) -> tuple[TurnLine, ...]:
        """Return all steps taken, turn by turn; the last turn may be unfinished."""
        ends = [number for number, state in enumerate(self._states) if number and not state.pending]
        cuts = pairwise((0, *ends, len(self._steps)))
        return tuple(TurnLine(tuple(self._steps[first:last])) for first, last in cuts if first < last)

    def options(self) -> tuple[Step, ...]:
        """Return the moves that are open now, or what chance can bring."""
        if self.actor == OVER:
            return ()
        state = self._states[-1]
        return tuple(self.game.legal_moves(state) or self.game.chance_outcomes(state))

    def named(self, typed: str, numbered: Sequence[str] = ()) -> Step:
        """Return the step that a few keys stand for: its number, its text, or how its words begin.

        Numbers count in the texts ``numbered``, else in ``options``.

        Raises:
            BestlineError: nothing fits, or several steps do.
        """
        options = self.options()
        texts = numbered or [step.text for step in options]
        if re.fullmatch("[0-9]{1,9}", typed) and 1 <= int(typed) <= len(texts):
            typed = texts[int(typed) - 1]
            return next(step for step in options if step.text == typed)
        words = typed.casefold().split()
        parts = [(step, step.text.casefold().split()) for step in options]
        fitting = [step for step, part in parts if leads(words, part)] or [
            step for step, part in parts if fits(words, part)
        ]
        complete = [step for step in fitting if len(step.text.split()) == len(words)]
        exact = [step for step in complete if step.text.casefold() == " ".join(words)]
        for found in (exact, complete, fitting):
            if len(found) == 1:
                return found[0]
        if not fitting:
            return self.game.parse_step(self._states[-1], typed)
        shown = "; ".join(f"{options.index(step) + 1} {step.text}" for step in fitting[:SHOWN])
        more = f"; and {len(fitting) - SHOWN} more" if len(fitting) > SHOWN else ""
        raise BestlineError(f"'{typed}' fits {len(fitting)} of them: {shown}{more}")

    def take(self, step: Step) -> tuple[Event, ...]:
        """Take a step and return what the rules did."""
        transition = self.game.apply(self._states[-1], step)
        self._states.append(transition.state)
        self._steps.append(step)
        return transition.events

    def undo(self, steps: int = 1) -> tuple[str, ...]:
        """Take the last steps back, and return them in their order.

        Raises:
            BestlineError: so many were not taken.
        """
        if not 1 <= steps <= len(self._steps):
            taken = f"only {counted(len(self._steps), 'step')}" if self._steps else "nothing"
            raise BestlineError(f"there {'are' if len(self._steps) > 1 else 'is'} {taken} to take back")
        gone = self.record[-steps:]
        del self._steps[-steps:]
        del self._states[-steps:]
        return gone

    @property
    def has_reached(self) -> bool:
        """Return whether the last step ended an own turn at or past the target of the goal, and none did so before."""
        if self._puzzle is None or self._puzzle.goal.objective not in (Objective.REACH, Objective.MIN_TURNS):
            return False
        goal, game = self._puzzle.goal, self.game
        first = game.turns(self._states[0].table, goal.seat)
        last = inf if goal.within_turns is None else first + goal.within_turns
        there = [
            not state.pending
            and first < game.turns(state.table, goal.seat) <= last
            and game.progress(state.table, goal.seat) >= goal.target
            for state in self._states
        ]
        return there[-1] and not any(there[:-1])

    @property
    def forbidden(self) -> frozenset[str]:
        """Return the words of the moves that the goal of the game forbids."""
        return frozenset() if self._puzzle is None else self._puzzle.goal.forbidden

    def saved(self) -> dict[str, Any]:
        """Return the game as a file has it: the position or puzzle it began with, and ``moves``, the steps since."""
        begun, puzzle = self.start.canonical(), self._puzzle
        if puzzle is not None:
            about = {"id": puzzle.id, "title": puzzle.title}
            begun = {"puzzle": about, "goal": goal_table(puzzle.goal, puzzle.position), "position": begun}
        return {**begun, "moves": list(self.record)}

    def save(self, path: Path) -> None:
        """Write the game, at once or not at all: as TOML where the file is named so, else as JSON.

        Raises:
            BestlineError: the file cannot be written.
        """
        if path.suffix == ".toml":
            begun = self.start.shortened() if self._puzzle is None else puzzle_tables(self._puzzle)
            write_file(path, toml_text({"moves": list(self.record), **begun}))
        else:
            write_file(path, json.dumps(self.saved(), indent=1) + "\n")


def leads(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the first words begin as was typed."""
    return 0 < len(typed) <= len(words) and all(word.startswith(part) for part, word in zip(typed, words, strict=False))


def fits(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether words begin as was typed, in order; words in between may be left out."""
    rest = iter(words)
    return bool(typed) and all(any(word.startswith(part) for word in rest) for part in typed)
