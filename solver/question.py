"""The question that is put to the engines, and their answer, open, hidden or among several players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from puzzles.puzzle import Goal, allowed_steps, forbidden_step
from rules.core.challenge import ChanceMode, Quest
from rules.core.errors import BestlineError
from rules.core.scripts import CHANCE, OVER, UNKNOWN, Event, Step
from solver.search.budget import Budget

if TYPE_CHECKING:
    from rules.core.position import Position
    from rules.core.race import Race
    from rules.core.turns import Game, State
    from solver.search.expectimax import Branch, FirstTurn
    from solver.search.expectiminimax import Model

T = TypeVar("T")

V = TypeVar("V")
"""``int`` where all is known, ``Fraction`` where chance or other players decide."""

BY_ROUNDS: Final = "rounds"
"""``Proof.method`` of an exhausted search, round by round."""
CERTAIN: Final = "certain"
"""The method where some moves cannot fail and the others were not looked into as far."""
SAMPLED: Final = "sampled"
"""The method of playouts."""
MIXED: Final = "matrix game"
"""The method where both seats decide at once."""
IDLE: Final = "idle"
"""How the others play where they have nothing to decide before all is settled."""


class Status(StrEnum):
    """The four honest verdicts."""

    OPTIMAL = "optimal"
    """The value is proved best."""
    FEASIBLE = "feasible"
    """A line is known; ``bound`` says how much better the best may be."""
    INFEASIBLE = "infeasible"
    """Proved impossible."""
    UNKNOWN = "unknown"
    """A limit was hit before anything was found or excluded."""

    @property
    def is_settled(self) -> bool:
        """Whether the question is answered exactly."""
        return self in (Status.OPTIMAL, Status.INFEASIBLE)


class TurnLine(NamedTuple):
    """One own turn of a line: the moves and chance outcomes in it, forced ones left out."""

    steps: tuple[Step, ...]


class Proof(NamedTuple):
    """Why a claim holds, in numbers; the words are made by ``solver.render``."""

    method: str
    """``layers`` (exhausted search, turn by turn), ``rounds`` (the same, round by round), ``bound`` or ``none``."""
    excluded_turns: int | None = None
    """Every line of at most this many turns was excluded."""
    states: int = 0
    """Distinct positions visited by the exhausted search."""
    pruned: int = 0
    """Positions cut by the admissible bound of this name:"""
    bound_name: str = ""
    projections: tuple[str, ...] = ()
    """Parts of the table proved not to matter for the goal and left out of the comparison."""
    checked_by: tuple[str, ...] = ()
    """Engines that agreed on the value, such as ``replay`` and ``cp-sat``."""


class Statistics(NamedTuple):
    """What the answer cost."""

    time_s: float = 0.0
    generated: int = 0
    """Positions generated, repeats included."""
    expanded: int = 0
    engine: str = ""
    """``encoded`` or ``plain``."""


Note = Mapping[str, Any]
"""One reason, by its ``kind``.

``kept``: a card was not spent because a later turn needs it. ``instead``: what another first move costs.
"""
OnProgress = Callable[[int | None, int | None, int], None]
"""Hears the value and the bound that a search knows so far, and its positions."""
OnRound = Callable[[Goal | None, Step, Fraction, int], None]
"""Hears the best move so far for a goal, or for the win, with its value and the playouts done."""


class MoveValue(NamedTuple, Generic[V]):
    """One move that is open now."""

    move: Step
    value: V | None
    """The value of the best play after it.

    None where the goal is then impossible, or where nothing is known of the move.
    """
    loss: V | None = None
    """What it costs against the best move; none where its value is not known."""
    status: Status = Status.OPTIMAL
    """Of an open question: ``infeasible`` is worse than the bound, or loses the goal."""
    bound: V | None = None
    """The best value not excluded for it; none where the goal is lost with it, or where nothing is excluded."""
    line: tuple[TurnLine, ...] = ()
    """The best line that begins with it, this turn from its start."""
    interval: tuple[float, float] | None = None
    """Where the mean of all playouts lies with 95 % confidence; none for exact values."""
    playouts: int = 0
    is_proved: bool = False
    """Among moves compared by playouts, the value is that of a policy that was worked out."""
    is_settled: bool = True
    """False where a longer horizon may be needed to tell the value, or that it is not certain to arrive."""
    share: Fraction | None = None
    """How often the best mixed strategy takes it; only where everybody decides at once."""
    win_chance: Fraction | None = None
    """How often the game is won after it, a draw counting half; none where the value says that itself."""
    win_interval: tuple[float, float] | None = None
    """Where that lies with 95 % confidence, if it is from playouts."""
    at_least: Fraction | None = None
    """A lower bound of its loss, where the best move is exact and this loss is not known."""
    paired: tuple[int, int, int] | None = None
    """On how many draws the first move did better than it, and worse, of so many that both were played on."""


class NextMove(NamedTuple):
    """One line of the plan for the next turn: it holds where none before it does."""

    move: str
    """Empty where nothing more is to be done, or nothing leads to the goal."""
    when: tuple[tuple[str, ...], ...]
    """Sets of results of this turn, of which one is enough; empty for all that is left.

    Results that this turn was decided on are marked *first*, to tell them from those that came after.
    """
    probability: Fraction
    value: Fraction | None
    """The mean value, counted from the next turn; none where the goal is out of reach then."""
    is_payment_open: bool = False
    """The cards that pay for the move depend on the results."""


class PlayedTurn(NamedTuple, Generic[T]):
    """One turn of a line: its number from 1, its steps as texts, progress around it, what the rules did, and why."""

    number: int
    steps: tuple[str, ...]
    before: int
    after: int
    events: tuple[Event, ...]
    notes: tuple[Note, ...]
    table: T


class Continuation(NamedTuple):
    """The search behind an exact answer, which knows the values of the tables after it."""

    first: FirstTurn
    budget: Budget
    ahead: int
    """Turns looked ahead for the value,"""
    of_moves: Mapping[Step, int]
    """and for the values of some moves, where these are others."""


class ContestFacts(NamedTuple):
    """What only answers about several players say."""

    seat: int
    """Whose move it is; all values are this seat's."""
    stake: str
    """What payoffs are counted in, in the singular; empty for shares of the win."""
    opponents: Model
    rounds: int | None
    """Rounds asked about, or of a playout; none for the whole game."""
    low: Fraction | None = None
    follows: tuple[str, ...] = ()
    """What follows if everybody plays as declared and the likeliest always happens; chance is marked as such."""
    turns: int | None = None
    """Turns of all players that were looked ahead; none where all were."""
    guessed: bool = False
    """A playout ends with a guess after these rounds; otherwise play is taken to stop there."""
    by_rule: bool = False
    """All seats play by the game's rule of thumb in playouts."""
    apart: bool = True
    """Each seat decides on what it sees itself; otherwise all on what the seat that asks sees."""
    simplified: str = ""
    """What playouts leave out of the rules, in words."""
    passed: Fraction | None = None
    """How often somebody passes the seat before its next turn, after the first move, where progress is a place."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[V]):
    """One answered question."""

    status: Status
    value: V | None
    """Turns for ``min_turns``, 0 or 1 or a chance for ``reach``, progress for ``max_distance``, else a payoff."""
    bound: V | None
    """The best value not excluded; equal to ``value`` when optimal, none where nothing is known."""
    line: tuple[TurnLine, ...] = ()
    """Where all is known: the line that reaches ``value``, turn by turn, replayed through the rules."""
    proof: Proof = field(default_factory=lambda: Proof("none"))
    statistics: Statistics = field(default_factory=Statistics)
    interrupted: bool = False
    moves: tuple[MoveValue[V], ...] = ()
    """Moves open now, the best first; the best one alone where a limit was hit before an exact answer."""
    goal: Goal | None = None
    """The goal answered, where it may be another one than was asked: the chance, or how far one gets."""
    instead_of: Goal | None = None
    """The goal that was asked, where moves are compared by how far they get in place of it,"""
    instead_bound: Fraction | None = None
    """and the best value of that goal that is not excluded."""
    method: str = ""
    verdict: str = ""
    """How sure the best move is: ``decided``, ``close`` or ``undecided``; among several players also ``exact``."""
    kind: str = ""
    """What the best move has in common with others where that is decided, but not which of them it is."""
    besides: int = 0
    """Open moves that are not among ``moves``.

    They may be better where nothing is proved. Where the answer is, they are free actions proved to be no better than
    none, or all that are not ``certain``. Of very many, playouts try a few of each kind, which stand for all.
    """
    least: Fraction | None = None
    """A lower bound proved by some policy, where playouts compare the moves."""
    span: int = 0
    """Own turns after which a playout counts as there, where the fewest turns were sampled."""
    plan: tuple[Branch, ...] = ()
    """What follows the best move, the likeliest results of chance first."""
    omitted: Fraction = Fraction(0)
    """Chance of the results that the plan leaves out."""
    instead: tuple[Branch, ...] = ()
    """The plan of the move that the question names; only where the answer is exact."""
    next_turn: tuple[NextMove, ...] = ()
    """What to do on the next turn after the best move."""
    next_instead: tuple[NextMove, ...] = ()
    """What to do on the next turn after the move that the question names."""
    turns: tuple[PlayedTurn[Any], ...] = ()
    """The turns of ``line`` with their reasons."""
    others: str = ""
    """How the other players were taken to play in a goal of one's own; empty where there are none."""
    recalled: bool = False
    """It was known from an earlier run."""
    contest: ContestFacts | None = None
    sampled: Answer[Fraction] | None = None
    """All moves of an open question compared by playouts, where nothing is proved."""
    continuation: Continuation | None = field(default=None, compare=False, repr=False)
    """What can be asked about the next turn; only where the answer is exact and something is hidden."""

    @property
    def is_open(self) -> bool:
        """Return whether everything is open to a player who plays alone: no chance, and nobody else."""
        return self.goal is None and self.contest is None

    @property
    def answered(self) -> Goal:
        """Return the goal answered."""
        assert self.goal is not None
        return self.goal

    @property
    def facts(self) -> ContestFacts:
        """Return what an answer about several players says besides."""
        assert self.contest is not None
        return self.contest

    @property
    def is_sampled(self) -> bool:
        """Return whether it comes from playouts."""
        return self.method == SAMPLED

    @property
    def compared(self) -> Answer[Any]:
        """Return the answer that compares moves: that of playouts where nothing is proved."""
        return self if self.sampled is None else self.sampled

    @property
    def tried(self) -> int:
        """Return how many moves were compared."""
        return sum(each.playouts > 0 or each.is_proved or not self.is_sampled for each in self.moves)

    @property
    def choices(self) -> int:
        """Return how many moves are open, compared or not."""
        return len(self.moves) + self.besides

    @property
    def considered(self) -> int:
        """Return of how many moves an open answer knows the loss or, where it is not proved, a line."""
        is_proved = self.status is Status.OPTIMAL
        return sum(each.status.is_settled if is_proved else each.value is not None for each in self.moves)

    def is_behind(self, move: MoveValue[V]) -> bool:
        """Return whether playouts for a goal had too few of a move to rank it by its mean, so that it stands last."""
        most = max(each.playouts for each in self.moves)
        return self.contest is None and not move.is_proved and 2 * move.playouts < most

    def of_move(self, move: Step | None) -> MoveValue[V] | None:
        """Return what is known of a move."""
        return next((each for each in self.moves if each.move == move), None)


@dataclass(frozen=True, slots=True)
class Question:
    """One question; what the goal forbids and keeps stands in the goal."""

    position: Position
    goal: Goal | None = None
    """None: which move wins against the others."""
    limit: Budget = field(default_factory=Budget)
    opponents: str = ""
    """How the other players play: ``best``, ``random``, ``greedy`` or ``never``.

    Empty for ``best`` where the question is who wins, and for ``greedy`` where it is a goal of one's own.
    """
    rounds: int | None = None
    """Against others: play is taken to stop after so many rounds, the one under way included."""
    seed: int = 0
    versus: Step | None = None
    """A move whose value or plan is wanted beside that of the best one."""
    playouts: int | None = None
    """Number of playouts where no time is given; none for the engine's own number."""
    among: tuple[Step, ...] = ()
    """The only moves that are compared, where some are named."""
    every_line: bool = True
    """The lines of all moves are wanted, and not only that of the best one."""
    on_progress: OnProgress | None = field(default=None, compare=False, repr=False)
    on_round: OnRound | None = field(default=None, compare=False, repr=False)
    """Who hears how far an engine has come."""

    @property
    def own_goal(self) -> Goal:
        """Return the goal of a question that has one."""
        assert self.goal is not None
        return self.goal

    @property
    def seat(self) -> int:
        """Return whose question it is."""
        return seat_to_choose(self.position) if self.goal is None else self.goal.seat

    def moves(self) -> list[Step]:
        """Return the moves that are open now, that a goal, where there is one, allows, and that are to be compared."""
        return [move for move in open_moves(self.position, self.goal) if not self.among or move in self.among]


def open_moves(position: Position, goal: Goal | None) -> list[Step]:
    """Return the moves that are open now and that a goal, where there is one, allows."""
    game, start = position.start()
    return allowed_steps(game.legal_moves(start), frozenset() if goal is None else goal.forbidden)


def nothing_to_choose(position: Position) -> BestlineError:
    """Return why no move can be compared where none is open that a goal allows."""
    moves = ", ".join(move.text for move in open_moves(position, None))
    why = f"only {moves} is open, and the goal forbids it" if moves else "the game is over here"
    return BestlineError(f"there is no move to choose: {why}")


APPLY: Final = "chance decides next; apply what came up, then ask again ('bestline moves' lists it)"
"""What to do where nothing can be chosen yet."""


def chance_is_next(position: Position) -> bool:
    """Return whether there is nothing to choose before chance has decided."""
    game, start = position.start()
    return game.to_act(start) == CHANCE


def fate_of(game: Game[Any]) -> ChanceMode:
    """Return who decides what is hidden."""
    return game.challenge.fate if isinstance(game, Quest) else ChanceMode.KNOWN


def is_uncertain(position: Position) -> bool:
    """Return whether chance is hidden, and falls as it does at a table: no challenge says how it comes."""
    return bool(position.hidden) and fate_of(position.game) is ChanceMode.KNOWN


def refuse_unknown(position: Position, seat: int) -> None:
    """See to it that the player who asks knows the own hand.

    Raises:
        BestlineError: it has unknown cards.
    """
    game, start = position.start()
    if UNKNOWN not in game.hand(start.table, seat):
        return
    key = f"state.{'seats' if 'seats' in position.state else 'players'}[{seat}].hand"
    if game.to_act(start) != seat or position.players == 1:
        raise BestlineError(f"{key}: has unknown cards; who asks has to write the own hand")
    mover = game.profile.seat_name(seat)
    raise BestlineError(
        f"{mover} is to move, whose hand is not known: apply what they do, and ask again when it is your turn; "
        f"or write {key} to ask for them"
    )


def seat_to_choose(position: Position) -> int:
    """Return the seat that has to decide.

    Raises:
        BestlineError: nobody has to decide anything.
    """
    game, start = position.start()
    seat = game.to_act(start)
    if seat == CHANCE:
        raise BestlineError(APPLY)
    if seat == OVER:
        raise nothing_to_choose(position)
    return seat


def named_move(position: Position, goal: Goal, text: str | None) -> Step | None:
    """Return the move that a text names, and make sure that there is a move to choose at all.

    Raises:
        BestlineError: chance or another player decides next, no move is open, or the goal forbids the one named.
        NotationError: the text is no move here.
        IllegalMoveError: it is not open.
    """
    game, start = position.start()
    actor = seat_to_choose(position)
    if position.players > 1 and actor != goal.seat:
        mover, asker = map(game.profile.seat_name, (actor, goal.seat))
        raise BestlineError(
            f"{mover} is to move, and the goal is {asker}'s: apply what {mover} does, then ask again; "
            f"or ask for {mover} with '--seat {actor}', which counts from 0"
        )
    if not open_moves(position, goal):
        raise nothing_to_choose(position)
    move = None if text is None else game.parse_step(start, text)
    if move is not None and forbidden_step(move, goal.forbidden):
        raise BestlineError(f"the goal forbids '{move.text}', so it cannot be compared")
    return move


def is_optional(game: Race[Any], state: State[Any], move: Step) -> bool:
    """Return whether the turn goes on after a move as it could without it: ways with it are longer by a move."""
    after = game.apply(state, move).state
    goes_on = after.pending and game.to_act(after) == game.to_act(state)
    return bool(goes_on and not set(game.legal_moves(after)).isdisjoint(game.legal_moves(state)))
