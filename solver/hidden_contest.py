"""The best move against others whose cards are hidden: tree search over what each seat knows.

Nothing here is exact. Every move's value is the mean of playouts in which the seat acts on what it knows, the others as
declared; what it does not see is dealt anew for each playout, as likely as it is. Where a game does not keep apart what
each seat knows, the others are taken to know what is known to whoever asks. An encoding that carries the question plays
whole games instead, all seats by its rule of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from rules.core.challenge import secrets_of
from rules.core.contest import Contest
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.steps import CHANCE, OVER, Step
from solver.comparing import TREES, options_of, spending
from solver.encodings.turns import contest_playouts
from solver.hidden_report import Option
from solver.report import Statistics, Status
from solver.sampled import OnRound, Sampled, Trees, gaps, sampled
from solver.search.aims import ContestAim, rounds_ahead
from solver.search.budget import Budget
from solver.search.contests.modelled import Model
from solver.search.kinds import few_of
from solver.search.rollout import OPPONENTS

PLAYOUTS: Final = "playouts by a rule of thumb"
"""Engine of answers for which all seats play by the game's rule of thumb."""

PRECISION: Final = 0.08
"""How wide the interval of the best move may be where whole games are not played for all the time."""
APART: Final = 0.1
"""Share of the win within which two moves are too close to call if games do not tell which is better."""


@dataclass(frozen=True, slots=True)
class HiddenContestReport:
    """The moves of one position of several players with hidden cards, compared by playouts."""

    seat: int
    """Whose move it is; all values are this seat's."""
    opponents: Model
    options: tuple[Option, ...]
    """All moves open now, or those that were asked about, the best first."""
    rounds: int
    """Rounds that a playout lasts, the one under way included, if the game does not end before."""
    guessed: bool
    """What follows these rounds is guessed; otherwise play is asked about as if it stopped there."""
    apart: bool
    """Each seat decides on what it sees itself, perhaps all there is; otherwise all on what the seat that asks sees."""
    verdict: str
    """``decided``, ``close`` or ``undecided``."""
    statistics: Statistics
    interrupted: bool = False
    passed_over: int = 0
    """Open moves that were not tried: very many are open, and a few of each kind stand for all."""
    kind: str = ""
    """What the best move has in common with others where that is decided, but not which of them it is."""
    simplified: str = ""
    """What playouts leave out of the rules, in words."""

    @property
    def status(self) -> Status:
        """A best move found, nothing proved; unknown where it was stopped before any move was tried."""
        return Status.UNKNOWN if self.value is None else Status.FEASIBLE

    @property
    def value(self) -> Fraction | None:
        """What the best move is worth."""
        return self.options[0].value


def best_hidden_contest(
    position: Position,
    limit: Budget | None = None,
    opponents: Model = Model.BEST,
    rounds: int | None = None,
    *,
    seed: int = 0,
    playouts: int | None = None,
    moves: Sequence[Step] | None = None,
    asked: Step | None = None,
    told: OnRound | None = None,
) -> HiddenContestReport:
    """Return every open move of the seat to move with what it is worth in playouts.

    ``rounds``: play is taken to stop after so many rounds, the one under way included. ``playouts`` is how many there
    are where no time is given; ``told`` hears how far they have come. Only ``moves`` are compared where some are named;
    the one ``asked`` about is compared as carefully as the best.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything.
    """
    game, start = position.start()
    if not isinstance(game, Contest) or position.players < 2:
        raise UnsupportedRuleset(["a contest without opponents"])
    seat = game.to_act(start)
    if seat == CHANCE:
        raise BestlineError("chance decides next; apply what came up, then ask again ('bestline moves' lists it)")
    if seat == OVER:
        raise BestlineError("there is no move to choose: the game is over here")
    budget = (Budget() if limit is None else Budget(clock=limit.clock)).start()
    ahead = rounds_ahead(game) if rounds is None else rounds
    aim = ContestAim(game, start.table, seat, ahead, stops=rounds is not None)
    policy = None if opponents is Model.BEST else OPPONENTS[opponents.value](game)
    open_now = game.legal_moves(start) if moves is None else moves
    compared = list(few_of(open_now) if moves is None else moves)
    if asked is not None and asked not in compared:
        compared.append(asked)
    spent = spending(budget, limit)
    playing = contest_playouts(game, start, compared, seat, rounds, seed) if opponents is Model.BEST else None
    if playing is not None:
        ahead, aim.precision = ahead if rounds else playing.rounds, PRECISION

    def comparison(trees: Trees | None) -> Sampled:
        options: dict[str, Any] = {"seed": seed, "policy": policy, "playouts": playouts, "asked": asked, "told": told}
        return sampled(game, start, aim, compared, spent, **options, spend=budget.spend, playing=trees)

    try:
        found = comparison(playing)
    except OverflowError:  # a row needs more than the encoding has
        playing, ahead = None, aim.span
        found = comparison(None)
    return HiddenContestReport(
        seat,
        opponents,
        options_of(found),
        ahead,
        rounds is None,
        secrets_of(game) is not None or game.is_common(start.table),
        found.verdict if playing is None else _verdict(found, aim),
        Statistics(budget.elapsed_s, found.playouts, found.nodes, TREES if playing is None else PLAYOUTS),
        found.interrupted,
        len(open_now) - len(compared) if moves is None else 0,
        found.kind,
        "" if playing is None else playing.simplified,
    )


def _verdict(found: Sampled, aim: ContestAim) -> str:
    """Return the verdict of whole games: best moves that all the time does not tell apart are close."""
    spans = gaps(list(found.samples[:2]), aim, 1) if found.verdict == "undecided" else None
    if not spans or found.interrupted:
        return found.verdict
    low, high = spans[0]
    return "close" if low < 0 and max(-low, high) <= APART else "undecided"
