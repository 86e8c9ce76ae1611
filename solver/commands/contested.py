"""``best`` for several players: which question is asked, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rules.core.errors import BestlineError

if TYPE_CHECKING:
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from rules.core.steps import Step
    from solver.against_others import WhoWins
    from solver.commands.settings import Settings
    from solver.duel import ContestReport
    from solver.hidden_contest import HiddenContestReport
    from solver.render import Row, Style

WIN = "win"
"""The objective of a game of several players: to win it, or to be as far ahead as possible."""
OTHER_GOALS = ("target", "without", "keep", "seat", "new_day")
"""What only goals of one player say."""


@dataclass(frozen=True, slots=True)
class HiddenContested:
    """One position of several players with hidden cards, its moves compared by playouts."""

    title: str
    position: Position
    report: HiddenContestReport
    top: int
    versus: Step | None
    timed: bool

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.screens.hidden_contest import hidden_contest_answer

        return hidden_contest_answer(self.position, self.report, self.top, self.versus, timed=self.timed)

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.screens.hidden_contest import hidden_contest_rows

        return hidden_contest_rows(
            self.title, self.position, self.report, style, self.top, self.versus, timed=self.timed
        )


@dataclass(frozen=True, slots=True)
class Contested:
    """One position of several players with its moves compared."""

    title: str
    position: Position
    report: ContestReport
    top: int
    versus: Step | None
    timed: bool

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.screens.duel import contest_answer

        return contest_answer(self.position, self.report, self.top, self.versus, timed=self.timed)

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.screens.duel import contest_rows

        return contest_rows(self.title, self.position, self.report, style, self.top, self.versus, timed=self.timed)


def position_of(found: Puzzle | Position) -> Position:
    """Return the position that is asked about, without any goal of one player's."""
    from puzzles.loader import Puzzle

    return replace(found.position, aim=None, kept=None) if isinstance(found, Puzzle) else found


def who_wins(found: Puzzle | Position, wanted: Mapping[str, Any], opponents: str | None = None) -> WhoWins | None:
    """Return the question who of several players wins, or nothing where it is one player's own goal.

    A puzzle asks it by a challenge of the game that names an opponent, where its turns end with a round.
    """
    from puzzles.loader import Puzzle
    from solver.against_others import WhoWins
    from solver.search.contests.modelled import Model

    if not isinstance(found, Puzzle) or "objective" in wanted:
        declared = declared_opponents(position_of(found), wanted, opponents)
        return None if declared is None else WhoWins(Model(declared), wanted.get("within_turns"))
    named = declared_by_challenge(found.position, found.goal.challenge)
    rounds = None if named is None or wanted else _rounds_of(found)
    return None if named is None or rounds is None else WhoWins(Model(opponents or named), rounds or None)


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
    objective = wanted.get("objective")
    if position.players < 2:
        return None
    if objective == WIN or (objective is None and not any(name in wanted for name in OTHER_GOALS)):
        return opponents or "best"
    return declared_by_challenge(position, str(objective))


def declared_by_challenge(position: Position, challenge: str) -> str | None:
    """Return how the others play by a challenge of the game, or nothing where it is one player's own goal."""
    from rules.core.challenge import Challenger, Opponent

    game = replace(position, aim=None, kept=None).game
    named = game.challenges().get(challenge) if isinstance(game, Challenger) else None
    if named is None or named.opponent is Opponent.NONE:
        return None
    return "best" if named.opponent is Opponent.OPTIMAL else named.opponent.value


def contested(
    position: Position,
    asked: WhoWins,
    settings: Settings,
    top: int,
    vs: str | None,
    title: str,
) -> Contested | HiddenContested:
    """Compare the open moves of a game of several players.

    That is done by playouts where somebody does not see all there is, or where exact search does not go far.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything, or the move asked about is not open.
    """
    from solver.against_others import against_others
    from solver.commands.meanwhile import first_guess, telling_best
    from solver.hidden_contest import HiddenContestReport

    game, start = position.start()
    if asked.rounds == 0:
        raise BestlineError("--within-turns counts rounds here, at least 1")
    versus = None if vs is None else game.parse_step(start, vs)
    settings.detail(f"searching {position.code}")
    first_guess(settings, position)
    report = against_others(
        *(position, settings.limit, asked.opponents, asked.rounds),
        seed=settings.seed or 0,
        asked=versus,
        told=telling_best(settings),
        detail=settings.detail,
    )
    if isinstance(report, HiddenContestReport):
        return HiddenContested(title, position, report, top, versus, not settings.deterministic)
    return Contested(title, position, report, top, versus, not settings.deterministic)
