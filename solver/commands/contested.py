"""``best`` and ``solve`` for several players: which question is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.core.errors import BestlineError
from solver.commands.answers import question_of

if TYPE_CHECKING:
    from puzzles.loader import Puzzle
    from rules.core.challenge import Challenge
    from rules.core.position import Position
    from solver.commands.settings import Settings
    from solver.question import Question

OTHER_GOALS = ("target", "without", "keep", "seat", "new_day")
"""What only goals of one player say."""


def position_of(found: Puzzle | Position) -> Position:
    """Return the position that is asked about, without any goal of one player's."""
    from puzzles.loader import Puzzle

    return replace(found.position, aim=None, kept=None) if isinstance(found, Puzzle) else found


def who_wins(found: Puzzle | Position, wanted: Mapping[str, Any], opponents: str | None = None) -> Question | None:
    """Return the question who of several players wins, or nothing where it is one player's own goal.

    A puzzle asks it by a challenge of the game that names an opponent, where its turns end with a round.
    """
    from puzzles.goal import Objective
    from puzzles.loader import Puzzle
    from solver.question import Question

    if not isinstance(found, Puzzle) or "objective" in wanted:
        declared = declared_opponents(position_of(found), wanted, opponents)
        if declared is None:
            return None
        return Question(position_of(found), opponents=declared, rounds=wanted.get("within_turns"))
    if found.goal.objective is Objective.WIN:
        return _to_win(found, wanted, opponents)
    named = declared_by_challenge(found.position, found.goal.challenge)
    rounds = None if named is None or wanted else _rounds_of(found)
    if named is None or rounds is None:
        return None
    return Question(position_of(found), opponents=opponents or named, rounds=rounds or None)


def _to_win(puzzle: Puzzle, wanted: Mapping[str, Any], opponents: str | None) -> Question:
    """Return the question of a puzzle that asks who wins, with what the options say besides.

    Raises:
        BestlineError: an option does not fit, or the rounds asked about are over.
    """
    from puzzles.goal import rounds_left
    from solver.question import Question

    others = {name: value for name, value in wanted.items() if name != "within_turns"}
    if others:
        question_of(puzzle, others)
    rounds = wanted.get("within_turns", rounds_left(puzzle.goal))
    if rounds == 0 and "within_turns" not in wanted:
        raise BestlineError("the rounds that the puzzle asks about are over")
    return Question(position_of(puzzle), opponents=opponents or "best", rounds=rounds)


def asked_to_win(
    found: Puzzle | Position, wanted: Mapping[str, Any], opponents: str | None, settings: Settings
) -> Question | None:
    """Return the question who wins, likewise, and say what is assumed where a challenge is asked of other information.

    Raises:
        BestlineError: an option does not fit.
    """
    position, name = position_of(found), wanted.get("objective")
    from puzzles.goal import Objective
    from puzzles.loader import Puzzle, information_for

    goal = found.goal if isinstance(found, Puzzle) else None
    is_named = name or (goal is not None and (goal.challenge or goal.objective is Objective.WIN))
    if position.players == 1 and opponents is None and not is_named:
        return None  # before what only several players need is loaded
    wins = who_wins(found, wanted, opponents)
    challenge = _challenge(position, str(name))
    if wins is not None and challenge is not None and information_for(position, challenge) not in challenge.variants:
        known = "cards are hidden" if "open" in challenge.variants else "all see everything"
        asked = "cards that all see" if "open" in challenge.variants else "hidden cards"
        settings.note(f"{name} is asked with {asked}; here {known}, and this position is answered as it is")
    return wins


def _rounds_of(puzzle: Puzzle) -> int | None:
    """Return the rounds that a puzzle asks about, 0 for the whole game, or nothing where it does not ask for rounds.

    It counts own turns of the seat that is to move.
    """
    from rules.core.contest import Contest
    from rules.core.turns import State

    goal, position = puzzle.goal, position_of(puzzle)
    game, start = position.start()
    if not isinstance(game, Contest) or game.to_act(start) != goal.seat or goal.within_turns is None:
        return None
    if game.to_act(State(start.table)) != goal.seat and not game.is_secret(start.table):
        return None
    if game.most_turns(start.table, goal.seat) == goal.within_turns:
        return 0
    rounds, more = divmod(game.turns(start.table, goal.seat) + goal.within_turns, game.stages)
    return None if more else max(0, rounds - game.rounds(start.table)) or None


def declared_opponents(position: Position, wanted: Mapping[str, Any], opponents: str | None) -> str | None:
    """Return how the others play where the question is who wins, or nothing where it is one player's own goal.

    A challenge of the game for several players says it itself.
    """
    from puzzles.goal import Objective

    objective = wanted.get("objective")
    if position.players < 2:
        return None
    if objective == Objective.WIN or (objective is None and not any(name in wanted for name in OTHER_GOALS)):
        return opponents or "best"
    return declared_by_challenge(position, str(objective))


def declared_by_challenge(position: Position, challenge: str) -> str | None:
    """Return how the others play by a challenge of the game, or nothing where it is one player's own goal."""
    from rules.core.challenge import Opponent

    named = _challenge(position, challenge)
    if named is None or named.opponent is Opponent.NONE:
        return None
    return "best" if named.opponent is Opponent.OPTIMAL else named.opponent.value


def _challenge(position: Position, name: str) -> Challenge | None:
    from rules.core.challenge import Challenger

    game = replace(position, aim=None, kept=None).game
    return game.challenges().get(name) if isinstance(game, Challenger) else None


def to_win(question: Question, settings: Settings, vs: str | None = None) -> Question:
    """Return the question who wins with its budget, and with the move that is to be shown besides.

    Raises:
        BestlineError: no round is asked about, or the move is not open.
    """
    game, start = question.position.start()
    if question.rounds == 0:
        raise BestlineError("--within-turns counts rounds here, at least 1")
    versus = None if vs is None else game.parse_step(start, vs)
    return replace(question, limit=settings.limit, seed=settings.seed or 0, versus=versus)
