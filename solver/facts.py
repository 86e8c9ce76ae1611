"""The one door from rules to models: what turns do, in plain ints, found out by calling the game.

A model never sees a table, a card or a rule. It sees *nodes*, what a turn can lead to as *arcs*, and what an arc takes
from the hand and gives to it. Every arc is a turn that the game has played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from puzzles.goal import Goal, forbids
from rules.core.errors import BestlineError, nearest
from rules.core.hands import HandProbe
from rules.core.race import Race
from rules.core.scripts import Answered, Exploring, every_way
from rules.core.steps import OVER, ChanceOutcome, Forced, Step
from rules.core.turns import Game, State, TurnEnd

T = TypeVar("T")

NO_CARD = -1
"""Card of an arc that plays none."""


class TooLarge(Exception):
    """A limit was hit before the facts of a horizon were complete."""


class Unusable(Exception):
    """These facts cannot be had in this form; the message says which feature is missing."""


class Arc(NamedTuple):
    """One way from node to node: a turn, or a free action before one."""

    source: int
    target: int
    card: int
    """Kind that must be in the hand and leaves it, or ``NO_CARD``."""
    pay: int
    """Payable cards of the solver's choice that leave the hand after that."""
    gains: tuple[int, ...]
    """Kinds that come to the hand afterwards, with repeats, ascending."""
    free: bool
    """It takes no turn."""


class Final(NamedTuple):
    """The last turn of a horizon, told by what it gets to alone."""

    source: int
    card: int
    pay: int
    progress: int
    """Greatest progress at the end of such a turn."""


@dataclass(frozen=True, slots=True)
class HorizonFacts:
    """All turns up to a horizon, as a model needs them."""

    kinds: int
    """Number of kinds of cards."""
    payable: tuple[bool, ...]
    """By kind: whether a copy may be given up for a cost."""
    hand: tuple[int, ...]
    """By kind: copies at the start."""
    root: int
    turns: tuple[Sequence[Arc], ...]
    """Arcs of each turn but the last; those of free actions included. Nodes belong to one turn each."""
    free: Sequence[Arc]
    """Arcs of free actions before the last turn."""
    finals: Sequence[Final]
    """Last turns."""


@dataclass(frozen=True, slots=True)
class PaymentFacts:
    """One payment to be chosen: everything counts cards, by kind."""

    hand: tuple[int, ...]
    """Copies that may pay, by kind; the card paid for is not among them."""
    cost: int
    """Cards to give up."""
    values: tuple[int, ...]
    """Worth of every copy kept, by kind."""
    playable: tuple[bool, ...]
    """By kind: whether a copy kept could be played and paid for on the next turn."""


@dataclass(slots=True)
class Meter:
    """What gathering facts may cost, and what it has cost so far."""

    states: int
    """Nodes and arcs allowed, all together."""
    alive: Callable[[], bool] = lambda: True
    """Asked now and then; false when time is up."""
    runs: int = 0
    """Turns played by the game."""
    used: int = 0

    def count(self, n: int = 1) -> None:
        """Count nodes or arcs.

        Raises:
            TooLarge: there are too many, or time is up.
        """
        self.used += n
        if self.used > self.states or (self.used % 256 < n and not self.alive()):
            raise TooLarge

    def ran(self) -> None:
        """Count one turn played by the game.

        Raises:
            TooLarge: time is up.
        """
        self.runs += 1
        if self.runs % 64 == 0 and not self.alive():
            raise TooLarge


class Wanted(Exploring):
    """Explores the turns that begin with a wanted move, and takes no move that begins with forbidden words."""

    __slots__ = ("_begins", "_different", "_forbidden")

    def __init__(
        self,
        steps: Sequence[Step | Forced],
        queue: list[Answered],
        wanted: Callable[[Step], bool] | None,
        forbidden: frozenset[str] = frozenset(),
        different: Callable[[Sequence[Any]], Sequence[Any]] | None = None,
    ) -> None:
        super().__init__(steps, queue)
        self._begins = wanted
        self._forbidden = forbidden
        self._different = different

    def _fresh(self, actor: int, answers: Sequence[Any]) -> Any:
        options = answers
        if self._begins is not None and not self.steps:
            options = [step for step in answers if self._begins(step)]
        if self._forbidden:
            options = [step for step in options if not forbids(self._forbidden, step.text)]
        if self._different is not None:
            options = self._different(options)
        if not options:
            raise DeadEnd
        return super()._fresh(actor, options)


class DeadEnd(Exception):
    """No move is left that is wanted and allowed."""


def ends(
    game: Game[T],
    table: T,
    meter: Meter,
    wanted: Callable[[Step], bool] | None = None,
    forbidden: frozenset[str] = frozenset(),
    different: Callable[[Sequence[Any]], Sequence[Any]] | None = None,
) -> list[TurnEnd[T]]:
    """Return the ends of the turns that begin with a wanted move.

    Raises:
        Unusable: chance decides something in them.
        TooLarge: time is up.
    """
    found = []
    for script in every_way(partial(Wanted, wanted=wanted, forbidden=forbidden, different=different)):
        meter.ran()
        try:
            after = game.play_turn(table, script)
        except DeadEnd:
            continue
        if any(isinstance(getattr(step, "step", step), ChanceOutcome) for step in script.steps):
            raise Unusable("hidden chance")
        end = TurnEnd(tuple(script.steps), after)
        if game.allows(table, end):
            found.append(end)
    return found


@dataclass(frozen=True, slots=True)
class Taken:
    """One turn of a plan as a model tells it: the arcs of it and the cards given up."""

    arcs: tuple[Arc | Final, ...]
    """Free actions first, the main action last."""
    paid: Mapping[int, int] = field(default_factory=dict)
    """Copies given up, by kind."""


class Layers(ABC, Generic[T]):
    """Facts of ever longer horizons of one position; ``extend`` adds a turn."""

    formulation: str
    """Name of the way in which turns are told."""

    def __init__(self, game: Race[T], table: T, goal: Goal, meter: Meter) -> None:
        self.game = game
        self.table = table
        self.goal = goal
        self.meter = meter
        self.turns: list[list[Arc]] = []
        """Arcs of each turn extended so far."""

    @abstractmethod
    def extend(self) -> bool:
        """Add one turn to every line and return whether there is any node after it.

        Raises:
            TooLarge: a limit was hit; the layers are of no use any more.
            Unusable: this form cannot tell these turns.
        """

    @abstractmethod
    def horizon(self) -> HorizonFacts:
        """Return the facts of a horizon one turn longer than the turns extended so far.

        Raises:
            TooLarge: a limit was hit.
            Unusable: this form cannot tell these turns.
        """

    @abstractmethod
    def replay(self, table: T, taken: Taken, least: int | None) -> TurnEnd[T] | None:
        """Return a turn of the game from ``table`` that is the one taken, the one with the fewest moves.

        ``least`` is the progress that the last turn must get to at least. Nothing if the game has no such turn.
        """


def fewest_moves(found: Sequence[TurnEnd[T]]) -> TurnEnd[T] | None:
    """Return the way with the fewest moves, the first in order of their texts; nothing if there is none."""

    def order(end: TurnEnd[T]) -> tuple[int, list[str]]:
        texts = [step.text for step in end.steps if not isinstance(step, Forced)]
        return len(texts), texts

    return min(found, key=order, default=None)


def single_seat(game: Race[T], before: T, after: T, seat: int) -> None:
    """Refuse a turn that was not the own one.

    Raises:
        Unusable: somebody else has turns too.
    """
    if game.turns(after, seat) != game.turns(before, seat) + 1:
        raise Unusable("several players")


class TurnGraph(Layers[T], Generic[T]):
    """Layers of tables; an arc takes nothing from any hand."""

    formulation = "turn graph"

    def __init__(self, game: Race[T], table: T, goal: Goal, meter: Meter) -> None:
        super().__init__(game, table, goal, meter)
        self._tables: list[T] = [table]
        self._layer: dict[T, int] = {table: 0}

    def extend(self) -> bool:
        """Add one turn to every line and return whether there is any node after it."""
        arcs: dict[Arc, None] = {}
        after: dict[T, int] = {}
        for table, source in self._layer.items():
            for end in self._ends(table):
                number = after.get(end)
                if number is None:
                    number = after[end] = len(self._tables)
                    self._tables.append(end)
                    self.meter.count()
                arcs[Arc(source, number, NO_CARD, 0, (), False)] = None
        self.turns.append(list(arcs))
        self._layer = after
        return bool(after)

    def horizon(self) -> HorizonFacts:
        """Return the facts of a horizon one turn longer than the turns extended so far."""
        finals = []
        for table, source in self._layer.items():
            progress = [self.game.progress(end, self.goal.seat) for end in self._ends(table)]
            if progress:
                finals.append(Final(source, NO_CARD, 0, max(progress)))
                self.meter.count()
        return HorizonFacts(0, (), (), 0, tuple(self.turns), (), finals)

    def _ends(self, table: T) -> list[T]:
        """Return the tables one turn later; a game that is over stays as it is."""
        if self.game.is_over(table):
            return [table]
        found = [end.table for end in ends(self.game, table, self.meter, forbidden=self.goal.forbidden)]
        for after in found:
            single_seat(self.game, table, after, self.goal.seat)
            if not self.turns and self.game.to_act(State(after)) not in (self.goal.seat, OVER):
                raise Unusable("several players")
        return found

    def replay(self, table: T, taken: Taken, least: int | None) -> TurnEnd[T] | None:
        """Return a turn of the game from ``table`` that is the one taken, the one with the fewest moves."""
        (arc,) = taken.arcs

        def fits(after: T) -> bool:
            if isinstance(arc, Final):
                return self.game.progress(after, self.goal.seat) >= (least or 0)
            return after == self._tables[arc.target]

        found = ends(self.game, table, self.meter, forbidden=self.goal.forbidden)
        return fewest_moves([end for end in found if fits(end.table)])


class Unpayable(BestlineError):
    """A hand card may be played, but its cost cannot be paid in full: playing it fails."""

    def __init__(self, card: str, ways: Sequence[tuple[str, ...]]) -> None:
        self.ways = tuple(ways)
        """What is given up all the same, each way of it."""
        lost = ", ".join(self.ways[0]) or "no card of the hand"
        gives = f"gives up {lost}" if len(self.ways) == 1 else f"gives up cards in one of {len(self.ways)} ways"
        super().__init__(
            f"the cost of '{card}' cannot be paid here; it may be played all the same, {gives} and fails: "
            "'bestline moves' lists how, 'bestline apply' shows what that does"
        )


def payment_facts(
    game: Race[T],
    table: T,
    card: str,
    values: Mapping[str, int] | None = None,
    seat: int = 0,
) -> tuple[PaymentFacts, tuple[str, ...]]:
    """Return what there is to choose when a hand card is played now, and the names of the kinds.

    ``values`` is the worth of each copy kept, 0 where a card is not named.

    Raises:
        Unusable: the game cannot be asked about payments here.
        Unpayable: the card can be played, but not be paid for.
        BestlineError: the card cannot be played.
    """
    probe = hand_probe(game, table, seat, turns=False)
    ways: dict[tuple[str, ...], list[TurnEnd[T]]] = {}
    meter = Meter(1 << 30)
    for end in ends(game, table, meter, lambda step: plays(probe, step, card)):
        first = end.steps[0]
        action = probe.main_action(first.step if isinstance(first, Forced) else first)
        assert action is not None
        ways.setdefault(action.paid, []).append(end)
    if not ways:
        held = sorted(set(game.hand(table, seat)))
        if card in held:
            moves = game.legal_moves(State(table))
            openings = ", ".join(dict.fromkeys(move.text.partition(" ")[0] for move in moves))
            raise BestlineError(f"'{card}' is in the hand, but cannot be played here; open: {openings}")
        hint = nearest(card, held) or f", which holds {', '.join(held) or 'no card'}"
        raise BestlineError(f"'{card}' is not in the hand{hint}")
    hand = Counter(game.hand(table, seat))
    if card not in probe.affordable(table):
        raise Unpayable(card, sorted(ways))
    hand[card] -= 1
    free = probe.payable(hand)
    kinds = tuple(sorted(kind for kind, copies in hand.items() if copies and kind in free))
    facts = PaymentFacts(
        hand=tuple(hand[kind] for kind in kinds),
        cost=len(next(iter(ways))),
        values=tuple((values or {}).get(kind, 0) for kind in kinds),
        playable=tuple(_playable_after(probe, ways, hand, kind) for kind in kinds),
    )
    return facts, kinds


def _playable_after(
    probe: HandProbe[T], ways: Mapping[tuple[str, ...], Sequence[TurnEnd[T]]], hand: Counter[str], kind: str
) -> bool:
    """Return whether a kind could be played next turn after a payment that keeps a copy of it."""
    keeping = next((paid for paid in sorted(ways) if paid.count(kind) < hand[kind]), None)
    if keeping is None:
        return False
    return any(kind in probe.affordable(end.table) for end in ways[keeping])


def plays(probe: HandProbe[T], step: Step, card: str) -> bool:
    """Return whether a step plays this card from the hand."""
    action = probe.main_action(step)
    return action is not None and action.card == card


def hand_probe(game: Race[T], table: T, seat: int, *, turns: bool = True) -> HandProbe[T]:
    """Return the doors of a game to one hand; without ``turns`` only for what lies on the table now.

    Raises:
        Unusable: the game has none from this table.
    """
    probe = game.hand_probe(table, seat)
    if probe is None:
        raise Unusable("no hand that plays and pays")
    missing = probe.missing(turns=turns)
    if missing:
        raise Unusable(", ".join(missing))
    return probe
