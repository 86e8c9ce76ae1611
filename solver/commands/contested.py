"""``best`` for several players: which question is asked, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.core.errors import BestlineError

if TYPE_CHECKING:
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from rules.core.steps import Step
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
    """Return the position that is asked about."""
    from puzzles.loader import Puzzle

    return found.position if isinstance(found, Puzzle) else found


def asks_who_wins(found: Puzzle | Position, wanted: Mapping[str, Any]) -> bool:
    """Return whether the question is who of several players wins, and not one player's own goal."""
    from puzzles.loader import Puzzle

    own = isinstance(found, Puzzle) and "objective" not in wanted
    return not own and declared_opponents(position_of(found), wanted, None) is not None


def declared_opponents(position: Position, wanted: Mapping[str, Any], opponents: str | None) -> str | None:
    """Return how the others play where the question is who wins, or nothing where it is one player's own goal.

    A challenge of the game for several players says it itself.
    """
    from rules.core.challenge import Challenger, Opponent

    objective = wanted.get("objective")
    if position.players < 2:
        return None
    if objective == WIN or (objective is None and not any(name in wanted for name in OTHER_GOALS)):
        return opponents or "best"
    game = position.game
    challenge = game.challenges().get(str(objective)) if isinstance(game, Challenger) else None
    if challenge is None or challenge.opponent is Opponent.NONE:
        return None
    return "best" if challenge.opponent is Opponent.OPTIMAL else challenge.opponent.value


def contested(
    position: Position,
    wanted: Mapping[str, Any],
    opponents: str,
    settings: Settings,
    top: int,
    vs: str | None,
    title: str = "",
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
    from solver.search.contests.modelled import Model

    game, start = position.start()
    rounds = wanted.get("within_turns")
    if rounds == 0:
        raise BestlineError("--within-turns counts rounds here, at least 1")
    versus = None if vs is None else game.parse_step(start, vs)
    settings.detail(f"searching {position.code}")
    first_guess(settings, position)
    report = against_others(
        *(position, settings.limit, Model(opponents), rounds),
        seed=settings.seed or 0,
        asked=versus,
        told=telling_best(settings),
        detail=settings.detail,
    )
    if isinstance(report, HiddenContestReport):
        return HiddenContested(title, position, report, top, versus, not settings.deterministic)
    return Contested(title, position, report, top, versus, not settings.deterministic)
