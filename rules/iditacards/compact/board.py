"""The board side of one seat as small numbers: the rules are asked once for each question and then remembered.

A board is where the seat stands, its two conditions and the dogs it has in play with what they wear. There are few of
them, so what a move, a placement or a kill does to one is found by running the rules on a table made for the question.
No rule of movement, speed, legs, costs or dogs is written a second time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from rules.core.folding import WeighedEnd, fold
from rules.core.scripts import Exploring, every_way
from rules.core.ventures import OutOfReach
from rules.iditacards.card_effects import bonuses
from rules.iditacards.compact.witness import LEG, WatchedSeat, WatchedTurn, Witness
from rules.iditacards.content import Card, Leg
from rules.iditacards.costs import costs_on_table, speed
from rules.iditacards.dogs import PLACERS, count_dogs, free_action
from rules.iditacards.movement import automatic_move, check_deaths
from rules.iditacards.risk import Signal, ending_leg, fizzling_leg, put_on_table, run_alone, suppressed
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Player, Table, in_play, shuffled_in
from rules.iditacards.turn import GameOver, Seat, Team, Turn

A = TypeVar("A")
Action = Callable[[Turn, Seat], Signal | None]
Witnessed = tuple[tuple[tuple[str, Any], ...], A]
"""What a question has written to the board, by name, and its answer."""

BOARD_OPS: Final = frozenset(
    {
        "move",
        "move_back",
        "damage",
        "hypothermia",
        "starvation",
        "clear_hypothermia",
        "clear_starvation",
        "hypothermia_to_leg",
        "starvation_to_leg",
        "kill_dog",
        "kill_any_dog",
        "take",
        "destroy_self",
    }
)
"""Instant ops that change nothing of a lone seat but its board, or put cards where nothing can reach them."""
FREE_COST: Final = "free_cost"
"""The op that makes a cost free; until the day ends it changes the board too (R18)."""
LISTS: Final = ("dogs", "legendary")
"""Parts of a board that are lists of a seat."""
_SPARE_CARDS: Final = 64
"""Cards of the deck of a question; more than any board question draws."""


class Board(NamedTuple):
    """What the board tables know of a seat."""

    pos: int
    hypothermia: int
    starvation: int
    dogs: tuple[Dog, ...]
    free_energy: str = "no"
    """Whether that cost is free until the day ends; likewise ``free_health``."""
    free_health: str = "no"
    passed: tuple[int, ...] = ()
    """Checkpoints passed, and legendary cards that are left, where these count (R66)."""
    legendary: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Own cards that have been destroyed, where these count."""


class Change(NamedTuple):
    """What one event on the board led to."""

    board: int
    """Number of the board afterwards."""
    draws: int
    """Cards drawn for it from the own deck, before knowing how many are left."""
    over: bool = False
    """The game ended on the spot (R68)."""
    skip: bool = False
    """The rest of the card's list is skipped for this time."""
    gifts: tuple[str, ...] = ()
    """Cards that checkpoints have given to the hand (R66)."""


class _Outcome(NamedTuple):
    """A ``Change`` for all boards that agree in what was read for it."""

    written: tuple[tuple[str, Any], ...]
    """What is not as before on the board, by name."""
    draws: int
    over: bool
    skip: bool
    gifts: tuple[str, ...]
    gone: tuple[str, ...]
    """Cards destroyed besides those that were before."""


class Price(NamedTuple):
    """What a card costs on one board."""

    board: int
    """Number of the board once the card is on the table (R21)."""
    energy: int
    health: int
    risk: int
    fizzles: bool
    """A risk of this card fizzles here (R24)."""


class BoardTables:
    """Boards by number, and what the rules say about each; ``table`` gives everything that stays as it is."""

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        seat: int,
        *,
        gifts: tuple[str, ...] | None = None,
        worn: Mapping[str, str] = MappingProxyType({}),
        owned: Counter[str] | None = None,
    ) -> None:
        """Ask ``rulings`` about the boards of one seat.

        ``gifts``: checkpoints count (R66), and give these legendary cards; where there are none it is only told which
        have been passed. ``worn`` gives attachments that another one stands for on a board, or nothing does.
        ``owned``: it counts which of these cards have been destroyed.
        """
        self._owned = owned
        self.stands_for = worn
        self._rulings = rulings
        self._seat = seat
        self._edge = rulings.finish_at
        player = table.players[seat]
        self._gifts = gifts
        self._table = without_choices(table)
        self._track = rulings.track(table.legs)
        self._deck = [next(iter(rulings.cards))] * _SPARE_CARDS
        self._boards: list[Board] = []
        self._views: list[dict[str, object]] = []
        """What the rules can look at on each board."""
        self._numbers: dict[Board, int] = {}
        self._teams: dict[Dog, Dog] = {}
        """Each dog with what it wears once, as boards have them in common."""
        self.pos: list[int] = []
        """Position on each board."""
        self._moves: dict[tuple[int, str, int], tuple[Change, ...]] = {}
        self._automatic: dict[int, tuple[Change, ...]] = {}
        self._prices: dict[tuple[int, str], Price] = {}
        self._priced: dict[str, Witness[Witnessed[tuple[int, int, int, bool]]]] = {}
        self._fizzling: Witness[Witnessed[Leg | None]] = Witness()
        weather = rulings.weathers.get(table.weather)
        self._stops_sleds = weather is not None and weather.no_sled
        self._stopping: Witness[Witnessed[bool]] = Witness()
        self._explored: dict[tuple[str, ...], Witness[tuple[_Outcome, ...]]] = {}
        self._watched: tuple[WatchedTurn, WatchedSeat] | None = None
        """What the last question was asked on, if it is as before."""
        self._places: dict[tuple[int, str], tuple[Change, ...]] = {}
        self._free: dict[int, tuple[int, ...]] = {}
        self._dogs: dict[int, int] = {}
        self._speed: dict[int, int] = {}
        self.root = self.number(self.of(player))

    def of(self, player: Player) -> Board:
        """Return the board of a player."""
        board = board_of(player)
        if self._owned is not None:
            there = Counter((*in_play(player.dogs), *shuffled_in(player)))
            board = board._replace(gone=tuple(sorted((self._owned - there).elements())))
        if self.stands_for:
            board = board._replace(dogs=tuple(sorted(map(self._dressed, board.dogs))))
        return board if self._gifts is None else board._replace(passed=player.passed, legendary=self._gifts)

    def _dressed(self, dog: Dog) -> Dog:
        stand = (self.stands_for.get(each, each) for each in dog.attachments)
        return dog._replace(attachments=tuple(sorted(filter(None, stand))))

    @property
    def gives(self) -> bool:
        """Return whether checkpoints give cards."""
        return bool(self._gifts)

    def has_passed(self, number: int) -> bool:
        """Return whether a checkpoint has been passed since the start."""
        return self._boards[number].passed != self._boards[self.root].passed

    def number(self, board: Board) -> int:
        """Return the number of a board."""
        number = self._numbers.get(board)
        if number is None:
            board = board._replace(dogs=tuple([self._teams.setdefault(dog, dog) for dog in board.dogs]))
            number = self._numbers[board] = len(self._boards)
            self._boards.append(board)
            self._views.append({**board._asdict(), LEG: id(self.leg(board.pos))})
            self.pos.append(board.pos)
        return number

    def board(self, number: int) -> Board:
        """Return the board with this number."""
        return self._boards[number]

    def __len__(self) -> int:
        return len(self._boards)

    def run(self, number: int, card: Card, place: int) -> tuple[Change, ...]:
        """Return what the op at ``place`` in the list of ``card`` can do."""
        name = (number, card.id, place)
        changes = self._moves.get(name)
        if changes is None:
            effect = card.instant[place]
            changes = self._moves[name] = self._outcomes(
                number, (card.id, str(place)), lambda turn, seat: run_alone(turn, seat, card, effect)
            )
        return changes

    def automatic(self, number: int) -> tuple[Change, ...]:
        """Return what the automatic move at the end of the turn does (R47): one thing, but for cards that it gives."""
        changes = self._automatic.get(number)
        if changes is None:
            changes = self._automatic[number] = self._explore(number, _automatic)
        return changes

    def mean_after(self, number: int, card: Card, place: int, worth: Callable[[int], int]) -> Fraction:
        """Return the mean worth of the space after the op at ``place`` in the list of ``card`` and the automatic move.

        ``worth`` is that of a space.

        Raises:
            OutOfReach: the race ends on the way.
        """
        ends: list[WeighedEnd] = []
        for script in every_way(Exploring):
            turn, seat = self._question(number, script)
            try:
                run_alone(turn, seat, card, card.instant[place])
                _automatic(turn, seat)
            except GameOver:
                raise OutOfReach from None
            after = self.pos[self._answer(seat, self.pos[number])]
            ends.append((tuple(script.steps), script.orders, Fraction(worth(after))))
        mean = fold(ends)
        assert mean is not None
        return mean

    def place(self, number: int, card: Card) -> tuple[Change, ...]:
        """Return every way a dog or attachment can be placed (R50, R54)."""
        stand = self.stands_for.get(card.id, card.id)
        if not stand:
            return (Change(number, 0),)
        name = (number, stand)
        changes = self._places.get(name)
        if changes is None:
            put = PLACERS[card.type]
            changes = self._places[name] = self._outcomes(number, (stand,), lambda turn, seat: put(turn, seat, stand))
        return changes

    def free(self, number: int) -> tuple[int, ...]:
        """Return the board and every one that free actions can make of it (R13)."""
        boards = self._free.get(number)
        if boards is None:
            reached = {number: None}
            queue = [number]
            while queue:
                for change in self._outcomes(queue.pop(), (), free_action):
                    if change.board not in reached:
                        reached[change.board] = None
                        queue.append(change.board)
            boards = self._free[number] = tuple(reached)
        return boards

    def price(self, number: int, card: Card) -> Price:
        """Return what it costs to play a card, and the board once it is on the table (R18, R19, R21)."""
        name = (number, card.id)
        price = self._prices.get(name)
        if price is None:
            witness = self._priced.get(card.id)
            if witness is None:
                witness = self._priced[card.id] = Witness()
            change, costs = self._witnessed(number, witness, lambda turn, seat: _price(turn, seat, card))
            after = self.number(self._boards[number]._replace(**dict(change))) if change else number
            price = self._prices[name] = Price(after, *costs)
        return price

    def fizzles(self, number: int) -> bool:
        """Return whether waiting risks fizzle on the turn they would continue (R33 step 1)."""
        return self._witnessed(number, self._fizzling, ending_leg)[1] is not None

    def stops(self, number: int, card: Card) -> bool:
        """Return whether the weather takes all of a card's ops away where the seat is, as it may of sleds (R37)."""
        if not self._stops_sleds or card.type != "sled":
            return False
        return self._witnessed(number, self._stopping, lambda turn, seat: suppressed(turn, seat, card))[1]

    def _witnessed(
        self, number: int, witness: Witness[Witnessed[A]], question: Callable[[Turn, Seat], A]
    ) -> Witnessed[A]:
        """Return what a question about costs writes to the board, and answers; it writes nothing without that.

        It is asked of the rules where it is new to ``witness``.
        """
        known = witness.known(self._views[number])
        if known is None:
            turn, seat = self._watched or self._watch()
            self._put(seat, self._boards[number])
            seat.watch()
            answer = question(turn, seat)
            known = (tuple(seat.written.items()), answer)
            self._watched = None if seat.written else (turn, seat)  # a question that wrote nothing left all as it was
            witness.learn(seat.reads, self._views[number], known)
        return known

    def _watch(self, script: Exploring | None = None) -> tuple[WatchedTurn, WatchedSeat]:
        """Return a table to ask a question on, with the seat that it is about."""
        turn = WatchedTurn(self._rulings, self._table, script or Exploring((), []))
        seat = WatchedSeat(self._seat, self._table.players[self._seat])
        turn.seats[self._seat] = seat
        return turn, seat

    def speed(self, number: int) -> int:
        """Return the speed on a board (R43)."""
        value = self._speed.get(number)
        if value is None:
            value = self._speed[number] = speed(*self._question(number))
        return value

    def dogs(self, number: int) -> int:
        """Return how many dogs count on a board (R50)."""
        value = self._dogs.get(number)
        if value is None:
            value = self._dogs[number] = count_dogs(*self._question(number))
        return value

    def bonus(self, number: int, card: Card, bonus: str) -> tuple[int, int]:
        """Return what the cards in play add to both numbers of a card's op (R41)."""
        return bonuses(self._rulings, card, bonus, lambda: in_play(self._boards[number].dogs))

    def leg(self, pos: int) -> Leg | None:
        """Return the leg of a space, or nothing off the track."""
        return self._track[pos] if pos < len(self._track) else None

    def _question(self, number: int, script: Exploring | None = None) -> tuple[Turn, Seat]:
        turn = Turn(self._rulings, self._table, script or Exploring((), []))
        seat = turn.seats[self._seat]
        self._put(seat, self._boards[number])
        return turn, seat

    def _put(self, seat: Seat, board: Board) -> None:
        seat.pos, seat.hypothermia, seat.starvation = board.pos, board.hypothermia, board.starvation
        seat.dogs = [Team(dog.dog, dog.attachments) for dog in board.dogs]
        seat.free_energy, seat.free_health = board.free_energy, board.free_health
        if self._gifts is not None:
            seat.passed, seat.legendary = board.passed, list(board.legendary)
        seat.deck = list(self._deck)

    def _destroyed(self, turn: Turn) -> tuple[str, ...]:
        return () if self._owned is None else tuple(turn.destroyed)

    def _answer(self, seat: Seat, start: int, gone: Iterable[str] = ()) -> int:
        """Return the board of a seat that has come from the space ``start``; ``gone`` are cards destroyed by then.

        Raises:
            OutOfReach: it has finished and gone back, which ends the race and is on no board (R69).
        """
        if seat.pos < self._edge and (seat.finished or start >= self._edge):
            raise OutOfReach
        dogs = tuple(sorted(team.frozen() for team in seat.dogs))
        free = (seat.free_energy, seat.free_health)
        told = () if self._gifts is None else (seat.passed, tuple(sorted(seat.legendary)))
        board = Board(seat.pos, seat.hypothermia, seat.starvation, dogs, *free, *told)
        return self.number(board._replace(gone=tuple(sorted(gone))))

    def _explore(self, number: int, action: Action) -> tuple[Change, ...]:
        """Return the different outcomes of an action over all its choices.

        Raises:
            OutOfReach: one of them is on no board.
        """
        found: dict[Change, None] = {}
        for script in every_way(Exploring):
            turn, seat = self._question(number, script)
            over = skip = False
            try:
                skip = action(turn, seat) is Signal.SKIP_REST
            except GameOver:
                over = True
            gone = (*self._boards[number].gone, *self._destroyed(turn))
            after, draws = self._answer(seat, self.pos[number], gone), _SPARE_CARDS - len(seat.deck)
            found[Change(after, draws, over, skip, self._given(number, after))] = None
        return tuple(found)

    def _given(self, before: int, after: int) -> tuple[str, ...]:
        """Return the cards that checkpoints have given on the way from one board to another."""
        left = list(self._boards[before].legendary)
        for card in self._boards[after].legendary:
            left.remove(card)
        return tuple(left)

    def _outcomes(self, number: int, name: tuple[str, ...], action: Action) -> tuple[Change, ...]:
        """Return what ``_explore`` does, for an action with a name that seldom looks at all of the board.

        It is asked of the rules where it is new to the witness of that name. Choices depend on what was read before
        them, so what is read on the way to all outcomes, one after the other, is what the rules read again.

        Raises:
            OutOfReach: an outcome is on no board.
        """
        witness = self._explored.setdefault(name, Witness())
        board, view = self._boards[number], self._views[number]
        known = witness.known(view)
        if known is None:
            found: dict[_Outcome, None] = {}
            reads: dict[str, None] = {}
            for script in every_way(Exploring):
                turn, seat = self._watch(script)
                self._put(seat, board)
                seat.watch()
                over = skip = False
                try:
                    skip = action(turn, seat) is Signal.SKIP_REST
                except GameOver:
                    over = True
                reads |= seat.reads
                # A list that was looked at may have been changed as well.
                written = dict.fromkeys(name for name in LISTS if name in seat.reads) | seat.written
                number_after = self._answer(seat, board.pos)
                after = self._boards[number_after]
                values = tuple([(each, getattr(after, each)) for each in written])
                gifts = self._given(number, number_after)
                gone = self._destroyed(turn)
                found[_Outcome(values, _SPARE_CARDS - len(seat.deck), over, skip, gifts, gone)] = None
            known = tuple(found)
            witness.learn(reads, view, known)
        changes: dict[Change, None] = {}
        for each in known:
            after = board._replace(**dict(each.written))
            if each.gone:
                after = after._replace(gone=tuple(sorted((*board.gone, *each.gone))))
            changes[Change(self.number(after), each.draws, each.over, each.skip, each.gifts)] = None
        return tuple(changes)


def board_of(player: Player) -> Board:
    """Return the board of a player."""
    free = (player.free_energy, player.free_health)
    return Board(player.pos, player.hypothermia, player.starvation, player.dogs, *free)


def without_choices(table: Table) -> Table:
    """Return the table without the zones that nothing can bring back into play before a new day.

    The argument is ``belief.day.PROJECTIONS``; the hand and deck of a board question are its own.
    """
    return table._replace(
        destroyed=(),
        supply=(),
        upgrade=tuple(() for _ in table.upgrade),
        players=tuple(
            player._replace(deck=(), discard=(), hand=(), legendary=(), resolved=(), stack=())
            for player in table.players
        ),
    )


def _automatic(turn: Turn, seat: Seat) -> None:
    automatic_move(turn, seat)
    check_deaths(turn)


def _price(turn: Turn, seat: Seat, card: Card) -> tuple[int, int, int, bool]:
    """Return all of a price but the board."""
    put_on_table(turn, seat, card)
    costs = costs_on_table(turn, seat, card)
    return costs.cards, costs.health, costs.risk, fizzling_leg(turn, seat) is not None
