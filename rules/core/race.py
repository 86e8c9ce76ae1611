"""What a game can tell: progress and turns, payoffs of several seats, what is hidden, payments, risks, and goods.

What people see of a table at a glance is plain data, a ``Picture`` where it can be drawn: places on a strip, cells of a
grid, a stack, cards by kind. Screens draw it for their width, or say it in words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

from rules.core.files import canonical_json
from rules.core.scripts import CHANCE, UNKNOWN, Forced, SplitMix64, Step
from rules.core.turns import Game, State, TurnEnd

T = TypeVar("T")

NEVER: Final = 1_000_000_000
"""What a bound on turns says where the goal is out of reach for good."""
NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
"""What a question keeps that keeps nothing."""


class Lot(NamedTuple):
    """Cards of a deck that come up next: any ``size`` cards of a pool, each choice as likely as the others."""

    pool: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What a game says of itself once and for all."""

    unit: str
    """What progress is counted in, in the singular, such as ``space``."""
    target: int = 0
    """The progress at which a player has finished; a game says it once it knows its ruleset."""
    players: int = 1
    """How many play; likewise, once it knows its position."""
    is_place: bool = True
    """Progress says where somebody is, as ``space 12`` does, and not how much somebody has, as ``12 cards`` does."""
    bottom: int | None = None
    """Progress that nobody ever falls below; none where there is no such."""
    bound_name: str = ""
    """What ``least_turns`` argues from; empty where it knows nothing."""
    routine: frozenset[str] = frozenset()
    """Kinds of events that only repeat what a move or another event says; a short account leaves them out."""
    standing: tuple[str, ...] = ()
    """Labels of ``glance`` worth repeating after every turn of a plan."""
    idle: frozenset[str] = frozenset()
    """Texts of moves by which a seat does nothing, or no more of what it is asked about."""
    clocks: tuple[str, ...] = ("day", "round", "turn")
    """Fields of the ``state`` object that only tell the time, as dotted paths, see ``tally``."""
    goods: tuple[str, ...] = ()
    """Fields of which more takes nothing away from anybody, likewise: numbers, or lists as multisets."""
    stages: int = 1
    """Own turns of each round, where a turn is only a part of one."""
    holds_middle: bool = False
    """A table can hold the middle of a turn as well, but for what chance is asked there."""
    stake: str = ""
    """What a payoff is counted in, in the singular; empty where it is a share of the win."""
    payoffs: tuple[int, int] = (0, 1)
    """Between what the first seat's payoff lies however play goes on, both ends included; by default it is a share."""
    seat_name: Callable[[int], str] = "player {}".format


class Race(Game[T]):
    """A game with progress: what solvers measure and screens show, in the game's own words."""

    profile: Profile

    @property
    def players(self) -> int:
        """How many play, against each other for payoffs that always add to the same sum."""
        return self.profile.players

    @property
    def stake(self) -> str:
        """What a payoff is counted in, in the singular; empty where it is a share of the win."""
        return self.profile.stake

    kept: Mapping[str, int] = NOTHING
    """How many of each name a player alone must have at the end of every turn; bounds hold all the more."""

    def keeps(self, table: T) -> bool:
        """Return whether nothing is lost at a table."""
        held = self.owned(table) if self.kept else NOTHING
        return all(held.get(name, 0) >= copies for name, copies in self.kept.items())

    def allows(self, table: T, end: TurnEnd[T]) -> bool:
        """Return whether a turn that the rules allow loses nothing, and breaks nothing that a challenge forbids."""
        return self.keeps(end.table)

    @abstractmethod
    def progress(self, table: T, seat: int = 0) -> int:
        """Return how far a player has come, in units."""

    def so_far(self, table: T, seat: int = 0) -> int:
        """Return how far a player would have come if play stopped here; for playouts that are cut off.

        That is progress, unless only the end of the game counts.
        """
        return self.progress(table, seat)

    @abstractmethod
    def turns(self, table: T, seat: int = 0) -> int:
        """Return the turns a player has finished."""

    def days(self, table: T, seat: int = 0) -> int:
        """Return the rounds of the game a player has begun; what breaks a tie between equal numbers of turns."""
        return 1 + self.turns(table, seat) // self.profile.stages

    @abstractmethod
    def hand(self, table: T, seat: int = 0) -> Sequence[str]:
        """Return the cards a player may play or pay with, all copies."""

    def owned(self, table: T, seat: int = 0) -> Mapping[str, int]:
        """Return what a player has and could lose, by the names that players know it by; all where it may lie."""
        return Counter(self.hand(table, seat))

    def decks(self, table: T, seat: int = 0) -> Mapping[str, Sequence[Lot]]:
        """Return the decks that a seat draws from by name, each as the lots that come up in turn, by what it knows.

        A deck of which that cannot be told now is left out.
        """
        return {}

    def glance(self, table: T) -> Sequence[tuple[str, str]]:
        """Return the table at a turn boundary in labelled lines for people; what is empty is left out."""
        return [(name, str(value)) for name, value in self.encode(table).items()]

    def brief(self, table: T) -> Sequence[tuple[str, str]]:
        """Return what is worth repeating of a table after every turn of a plan, in labelled lines."""
        return [(label, text) for label, text in self.glance(table) if label in self.profile.standing]

    def advance(self, before: int, after: int) -> str:
        """Return what a turn did to a player's progress, in words."""
        unit = self.profile.unit
        return f"{unit} {before} → {after}" if self.profile.is_place else f"{before} → {after} {unit}s"

    def least_turns(self, table: T, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that no line to ``target`` falls below; admissible, never a guess.

        No move of these lines begins with ``forbidden`` words.
        """
        return int(self.progress(table, seat) < target)

    def most_turns(self, table: T, seat: int = 0) -> int | None:
        """Return the own turns after which the game is over at the latest, or nothing where it may go on for ever."""
        return None

    def exchanges(self) -> Mapping[str, Mapping[str, int]]:
        """Return what single cards do to the first seat's ``goods`` where it has nothing else, by the name of the good.

        Names as in ``tally``; only cards that come back once used, and change numbers. A game without such
        cards returns nothing.
        """
        return {}

    def promise(self, table: T, seat: int) -> int:
        """Return a guess of how good a table is, for beams only: progress counts double, then cards in hand."""
        return 2 * self.progress(table, seat) + len(self.hand(table, seat))

    def hazards(self, table: T, seat: int = 0) -> Sequence[Hazard] | None:
        """Return what threatens a seat's things if everybody ends the turn as the table lies, most likely first.

        Nothing where the game has no such threats.
        """
        return None

    def hand_model(self, table: T, seat: int = 0) -> Any:
        """Return what a seat's hand can pay for and begin; nothing where no card is paid for with cards of the hand.

        Payments have ``missing()``, ``payable(cards)``, ``affordable(table, hand)`` and ``lacking()``. Ventures, which
        are cards that take several turns, have ``table``, ``under_way``, ``cards()``, ``openings(card)``,
        ``begun(steps)``, ``with_more(cards)`` and ``ends(table, begin, steps)``. ``with_draws(table, cards)`` is the
        table on which the seat draws these next, in this order, or nothing where no table says that. Other players are
        left out of account.
        """
        return None

    def payoffs(self, table: T, *, guess: bool = False) -> Sequence[Fraction]:
        """Return what every seat has if play stops here: by default the win, shared by those who win it or by all.

        A ``guess`` says about what every seat will have, for ranking where play cannot be followed to its end. By
        default who is ahead of the others has more of the win: all of it two targets ahead.
        """
        outcome = self.outcome(table)
        if outcome is not None or not guess:
            winners = (outcome.winners if outcome is not None else ()) or range(self.players)
            return [Fraction(int(seat in winners), len(winners)) for seat in range(self.players)]
        progress = [self.progress(table, seat) for seat in range(self.players)]
        mean = Fraction(sum(progress), self.players)
        part, whole = Fraction(1, self.players), 2 * max(1, self.profile.target)
        most = part / max(1, self.players - 1)
        leads: list[Fraction] = [min(max((own - mean) / whole, -part), most) for own in progress]
        return [part + lead - sum(leads, Fraction(0)) / self.players for lead in leads]

    def rounds(self, table: T) -> int:
        """Return the rounds that every seat has finished."""
        return min(self.turns(table, seat) for seat in range(self.players)) // self.profile.stages

    def pace(self, table: T) -> int:
        """Return the turns that all seats together have finished."""
        return sum(self.turns(table, seat) for seat in range(self.players))

    def undecided(self, table: T) -> T | None:
        """Return the table before the first seat has decided, where that stays hidden until every seat has."""
        return None

    def settled(self, state: State[T]) -> State[T]:
        """Return an equal state with the fewest pending steps, so that other ways to the same middle are equal too."""
        if not state.pending or not self.profile.holds_middle:
            return state
        turn, question = self.stopped(state)
        return state if question is not None and question.actor == CHANCE else State(turn.frozen())

    def is_secret(self, table: T) -> bool:
        """Return whether what is decided in this turn stays hidden until every seat has decided."""
        return self.undecided(table) is not None

    def is_common(self, table: T, seat: int | None = None) -> bool:
        """Return whether all seats, or one, see all there is on a table, so that only chance is hidden from them."""
        return True


def seats_unknown(game: Race[T], table: T) -> list[int]:
    """Return the seats that hold unknown cards."""
    return [seat for seat in range(game.players) if UNKNOWN in game.owned(table, seat)]


def hides(game: Race[T], table: T) -> bool:
    """Return whether something on a table is hidden from a seat, so that the best choice there would know it."""
    return isinstance(game, ImperfectInformation) and not game.is_common(table)


SECRET: Final = -3
"""``actor`` of a step in which both seats decide before either sees what the other has decided."""


class ImperfectInformation(Game[T]):
    """A game whose tables hold what some seats do not see, such as the hands of the others.

    To a player, what nobody has seen is the same as what is still to be drawn. So a table may lie in any way that looks
    alike from a seat.
    """

    @abstractmethod
    def information_state(self, table: T, seat: int = 0) -> T:
        """Return what a seat sees: equal for tables that it cannot tell apart, and no table to play on."""

    @abstractmethod
    def covered(self, table: T, seat: int) -> T:
        """Return the table with unknown cards in the place of those that a seat does not see in other hands."""

    @abstractmethod
    def sample_world(self, state: State[T], seat: int, generator: SplitMix64, *, named: bool = False) -> State[T]:
        """Return a state that looks alike from a seat, what it does not see dealt at random; for samples only.

        Where cards are ``named``, those that the table names in other hands stay there: whoever asks has written them.
        Cards that the steps of a turn under way have shown may be left where they lie: few deals would have them there.
        What the seat has not seen of these steps is drawn too. Whether a table agrees with the turn in everything else
        is for the caller to see.
        """


class Hazard(NamedTuple):
    """One thing that may happen."""

    subject: str
    """Whom or what it happens to, as the game names it, such as a card."""
    what: str
    """What happens, to stand behind the subject, such as ``is hit``."""
    rule: str
    """Number of the rule by which it happens."""
    chance: Fraction
    """How likely it is, 0 and 1 where it is known."""


class Unsupported(Exception):
    """An encoding or a search does not carry a question, or has used up what it may use."""


class TurnedUp(NamedTuple):
    """A card that the first risk of a venture may turn up."""

    card: str
    probability: Fraction
    chance: Fraction
    """The chance that the venture comes through after it, for whoever simply goes on."""


class Opening(NamedTuple, Generic[T]):
    """One way to come to begin a hand card, and the moves that begin it then."""

    before: tuple[Step | Forced, ...]
    """Steps of the same turn that are taken first; none of them is left to chance."""
    table: T
    moves: Mapping[tuple[str, ...], Step]
    """The moves that begin the card, by the hand cards that pay, ascending."""


class Tally(NamedTuple):
    """One table, taken apart."""

    rest: str
    """Canonical JSON of everything that is neither time nor goods."""
    goods: Mapping[str, int]
    """How much there is of each good: a number by its path, a list by its path and each entry."""

    def gains(self, before: Tally) -> dict[str, int] | None:
        """Return what is more than ``before``, or nothing at all where something was used up or has changed."""
        more = Counter(self.goods)
        more.subtract(before.goods)
        if self.rest != before.rest or min(more.values(), default=0) < 0:
            return None
        return dict(sorted((+more).items()))


def tally(game: Race[T], table: T) -> Tally:
    """Return a table taken apart as its game says."""
    state = game.encode(table)
    goods: Counter[str] = Counter()
    for path in game.profile.goods:
        for name, value in _take(state, path.split("."), ""):
            if isinstance(value, list):
                goods.update(f"{name}: {entry if isinstance(entry, str) else canonical_json(entry)}" for entry in value)
            else:
                goods[name] = int(value)
    for path in game.profile.clocks:
        list(_take(state, path.split("."), ""))
    return Tally(canonical_json(state), goods)


def _take(value: Any, path: list[str], name: str) -> Iterator[tuple[str, Any]]:
    """Take what a path means out of a state object, and yield it by its full name."""
    head, rest = path[0], path[1:]
    places = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in [place for place in places if head in ("*", place)]:
        inner = f"{name}.{key}" if name else str(key)
        if rest:
            yield from _take(value[key], rest, inner)
        else:
            found, value[key] = value[key], None
            yield inner, found


class Mark(NamedTuple):
    """Something that stands on a strip."""

    place: int
    sign: str
    name: str = ""
    """Empty where the sign says it all."""


class Strip(NamedTuple):
    """Places in a row."""

    stretches: tuple[tuple[int, int, str], ...]
    """First and last place of each, and its name, in order."""
    marks: tuple[Mark, ...]


class Grid(NamedTuple):
    """Cells in rows and columns, both counted from 1."""

    rows: tuple[tuple[str, ...], ...]
    """The contents of the cells, row 1 first; it is drawn at the bottom."""
    above: str
    below: str


class Stack(NamedTuple):
    """Things that wait for each other: each needs the ones behind it."""

    layers: tuple[tuple[str, int, int], ...]
    """The name of each, how much of what it needs is there, and all that it needs; the first one waits longest."""
    unit: str


Shape = Strip | Grid | Stack


class Picture(str):
    """Words on one line, which a screen may draw instead."""

    shape: Shape

    def __new__(cls, said: str, shape: Shape) -> Self:
        """Return words with what they stand for."""
        picture = super().__new__(cls, said)
        picture.shape = shape
        return picture


def signed(cards: str, signs: Mapping[str, str]) -> str:
    """Return cards in words, joined by commas, each with the sign of its kind before it."""
    return ", ".join(f"{signs.get(name.partition(' ')[0], '')}{name}" for name in cards.split(", "))


def legend(cards: str, kinds: Mapping[str, str]) -> str:
    """Return what the signs in some words stand for; ``kinds`` has the name of each kind by its sign."""
    return ", ".join(f"{sign} {kind}" for sign, kind in kinds.items() if sign in cards)
