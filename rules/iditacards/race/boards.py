"""What a seat can have in play over a whole race, by number: every combination is asked of the rules once.

On a bare track nothing but the dogs in play and what they wear sets speed, costs, placing and the hand of a new day,
and what is in play or destroyed is what a new day does not shuffle. So a board here is these two things; a race has
some hundred of them, and everything about them is a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rules.core.scripts import Exploring, every_way
from rules.iditacards.content import Card
from rules.iditacards.costs import costs_on_table
from rules.iditacards.days import hand_size
from rules.iditacards.dogs import PLACERS, free_action
from rules.iditacards.movement import automatic_move
from rules.iditacards.risk import run_alone
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table, in_play
from rules.iditacards.turn import Seat, Team, Turn

if TYPE_CHECKING:
    from rules.iditacards.track.stock import Stock

SPARE_CARDS = 64
"""Cards of the deck of a question; more than any card draws."""
_SPACE = 1
"""Where a question stands; all spaces of a bare track are alike."""


class Pack(NamedTuple):
    """A board: what is in play and what the race has destroyed so far."""

    dogs: tuple[Dog, ...]
    dead: tuple[str, ...]
    """Sorted."""
    stock: int = 0
    """What the seat has gained, by number, where that is told apart (``track.stock``)."""


class Effect(NamedTuple):
    """One way a card may take effect."""

    board: int
    spaces: int
    draws: int


class Boards:
    """Every board that a race from ``table`` can have."""

    def __init__(
        self, rulings: Rulings, table: Table, seat: int, cards: Counter[str], stock: Stock | None = None
    ) -> None:
        """``cards`` are all cards of the seat, those in play included; ``stock`` says what it may gain.

        With a stock there are no free actions: who wears what and who was given up would be most of the boards.
        """
        self._rulings = rulings
        self._seat = seat
        player = table.players[seat]
        bare = player._replace(deck=(), discard=(), hand=(), legendary=(), resolved=(), stack=(), pos=_SPACE)
        self._table = table._replace(players=(bare,), destroyed=(), supply=())
        self._cards = cards
        self._stock = stock
        gained = [Counter[str]()] if stock is None else stock.cards
        self._owned = [cards + more for more in gained]
        self._deck = [next(iter(cards))] * SPARE_CARDS
        self._spaces: dict[tuple[tuple[Dog, ...], str], tuple[int, int]] = {}
        self._steps: dict[tuple[tuple[Dog, ...], str], tuple[Pack, ...]] = {}
        self.packs: list[Pack] = []
        self.numbers: dict[Pack, int] = {}
        self.placers = [
            rulings.cards[name] for name in sorted(set().union(*self._owned)) if rulings.cards[name].type in PLACERS
        ]
        self.placed: list[dict[str, tuple[int, ...]]] = []
        """By board: the boards that placing a card of this name may lead to."""
        self.free: list[tuple[int, ...]] = []
        """By board: it and every board that free actions make of it."""
        self.are_all = stock is None
        """Whether these are all boards that a race can have."""
        self._number(Pack(player.dogs, ()))
        self._close()

    def _number(self, pack: Pack) -> int:
        number = self.numbers.get(pack)
        if number is None:
            number = self.numbers[pack] = len(self.packs)
            self.packs.append(pack)
        return number

    def _close(self) -> None:
        """Find all boards and what placing and free actions make of each."""
        once: list[tuple[int, ...]] = []
        for pack in self.packs:  # grows meanwhile
            gone = Counter(pack.dead)
            gone.update(in_play(pack.dogs))
            owned = self._owned[pack.stock]
            placed = {card.id: self._after(pack, card) for card in self.placers if gone[card.id] < owned[card.id]}
            if self._stock is not None:
                for sled, stocks in self._stock.after[pack.stock].items():
                    placed[sled] = tuple(self._number(pack._replace(stock=each)) for each in stocks)
            self.placed.append(placed)
            once.append(self._after(pack, None) if self._stock is None else ())  # such forms take no free actions
        for board in range(len(self.packs)):
            reached = [board]
            for each in reached:  # grows meanwhile
                reached.extend(after for after in once[each] if after not in reached)
            self.free.append(tuple(reached))

    def _after(self, pack: Pack, card: Card | None) -> tuple[int, ...]:
        """Return the boards after a card is placed, or after one free action."""
        name = (pack.dogs, card.id if card else "")
        steps = self._steps.get(name)
        if steps is None:
            if card is None:
                ends = self._explore(pack.dogs, free_action)
            else:
                put, placing = PLACERS[card.type], card.id
                ends = self._explore(pack.dogs, lambda turn, seat: put(turn, seat, placing))
            steps = self._steps[name] = tuple(ends)
        return tuple(self._number(Pack(dogs, tuple(sorted(pack.dead + dead)), pack.stock)) for dogs, dead, _ in steps)

    def mix(self, board: int) -> tuple[tuple[str, int], ...]:
        """Return the cards that a new day would shuffle: all but those in play and destroyed (R61)."""
        left = self._owned[self.packs[board].stock].copy()
        left.subtract(self.packs[board].dead)
        left.subtract(in_play(self.packs[board].dogs))
        return tuple(sorted(left.items()))

    def day_draws(self, board: int) -> int:
        """Return the cards drawn for a new day (R64)."""
        return hand_size(*self._question(self.packs[board].dogs))

    def automatic(self, board: int) -> int:
        """Return the spaces of the automatic move (R47)."""
        turn, seat = self._question(self.packs[board].dogs)
        automatic_move(turn, seat)
        return seat.pos - _SPACE

    def costs(self, board: int, card: Card) -> tuple[int, int, int]:
        """Return energy, health and risk that a card costs (R18, R19); not for cards that cost the whole hand."""
        turn, seat = self._question(self.packs[board].dogs)
        energy, health, risk = costs_on_table(turn, seat, card)
        assert energy is not None
        return energy, health, risk

    def effects(self, board: int, card: Card) -> Iterator[Effect]:
        """Yield each way a card may take effect: what R50 and R54 place, then its ops (R36)."""
        for now in self.placed[board].get(card.id, (board,)):
            dogs = self.packs[now].dogs
            name = (dogs, card.id)
            if name not in self._spaces:
                self._spaces[name] = self._run(dogs, card)
            yield Effect(now, *self._spaces[name])

    def _run(self, dogs: tuple[Dog, ...], card: Card) -> tuple[int, int]:
        turn, seat = self._question(dogs)
        for effect in card.instant:
            run_alone(turn, seat, card, effect)
        return seat.pos - _SPACE, SPARE_CARDS - len(seat.deck)

    def _question(self, dogs: Sequence[Dog], script: Exploring | None = None) -> tuple[Turn, Seat]:
        turn = Turn(self._rulings, self._table, script or Exploring((), []))
        seat = turn.seats[self._seat]
        seat.dogs = [Team(dog.dog, dog.attachments) for dog in dogs]
        seat.deck = list(self._deck)
        seat.finished = True  # the finish is the search's business
        return turn, seat

    def _explore(self, dogs: tuple[Dog, ...], action: Callable[[Turn, Seat], None]) -> list[Pack]:
        found: dict[Pack, None] = {}
        for script in every_way(Exploring):
            turn, seat = self._question(dogs, script)
            action(turn, seat)
            found[Pack(tuple(sorted(team.frozen() for team in seat.dogs)), tuple(turn.destroyed))] = None
        return list(found)
