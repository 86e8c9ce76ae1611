"""What actions do, asked of the game once for each board and card.

Within a turn nothing but the play itself depends on which cards the hand holds, only how many of them may pay. So a
turn is played with *fillers* for the rest of the hand; and with *blank* cards for what lies face down in the deck, so
that the answer says which places of the deck were drawn and holds for every deck of that length. Where the deck is
shuffled on the way, the game is asked for the order of the real cards. Where an answer does depend on the cards that
were blank, the turn is played again with the real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from puzzles.goal import Goal, forbids
from rules.core.hands import HandProbe
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from solver.facts import NO_CARD, Meter, Unusable, ends, single_seat

T = TypeVar("T")

Deck = tuple[str, ...]
Asked = tuple[int, int, int, Deck]
"""Board, card, fillers and deck, blank or real."""

_BLANK = "#"


class Where(NamedTuple):
    """A board with its deck."""

    board: int
    deck: Deck
    look: Deck
    """The deck with blank cards."""


class Ending(NamedTuple):
    """One way a turn can end, for every deck that looks alike to it."""

    lost: int
    """Payable cards that left the hand, the card played apart."""
    paid: int
    """Those of them that were given up for the cost."""
    gained: tuple[int | str, ...]
    """Cards that came to the hand: places in the deck, or names."""
    board: int
    taken: int
    """Cards taken off the top where the rest of the deck stays as it is, otherwise -1."""
    rest: tuple[int | str, ...]
    """Otherwise the new deck: places in the old one, or names."""
    shuffled: bool
    """``rest`` is to be shuffled by the game."""


class FreeAction(NamedTuple):
    """One way a free action can go."""

    board: int
    gains: tuple[int, ...]
    """Kinds that come to the hand, ascending."""
    steps: tuple[Step, ...]


class Actions(Generic[T]):
    """The boards, the kinds of cards, and what the actions from them do, all by number."""

    def __init__(self, game: Race[T], probe: HandProbe[T], goal: Goal, meter: Meter, stock: int) -> None:
        self._game = game
        self._probe = probe
        self._goal = goal
        self._meter = meter
        self._plenty = stock + 1
        """Fillers in a hand that can pay every cost that any hand of ``stock`` cards can pay."""
        self.boards: list[T] = []
        self._board_numbers: dict[T, int] = {}
        self.kinds: list[str] = []
        self.payable: list[int] = []
        """By kind: 1 for a card that may pay, otherwise 0."""
        self._kind_numbers: dict[str, int] = {}
        self._plain: dict[str, bool] = {}
        self._answers: dict[Asked, Sequence[Ending] | None] = {}
        """Nothing where a blank deck is not enough."""
        self._last_answers: dict[Asked, Sequence[Ending] | None] = {}
        """The same for last turns of which some ways are left out."""
        self._frees: dict[int, list[FreeAction]] = {}
        self._orders: dict[tuple[int, Deck], Deck] = {}

    # Numbers

    def kind(self, card: str) -> int:
        """Return the number of a kind of cards."""
        number = self._kind_numbers.get(card)
        if number is None:
            number = self._kind_numbers[card] = len(self.kinds)
            self.kinds.append(card)
            self.payable.append(len(self._probe.payable((card,))))
        return number

    def board(self, board: T) -> int:
        """Return the number of a board."""
        number = self._board_numbers.get(board)
        if number is None:
            number = self._board_numbers[board] = len(self.boards)
            self.boards.append(board)
            self._meter.count()
        return number

    # Free actions

    def free(self, number: int) -> list[FreeAction]:
        """Return the free actions from a board."""
        known = self._frees.get(number)
        if known is None:
            known = self._frees[number] = self._ask_free(self.boards[number])
        return known

    def _ask_free(self, board: T) -> list[FreeAction]:
        found = []
        for move in self._game.legal_moves(State(self._probe.join(board, (), ()))):
            allowed = not forbids(self._goal.forbidden, move.text)
            if self._probe.main_action(move) is None and allowed:
                self._meter.ran()
                for steps, after in self._probe.after_free(board, move):
                    gains = tuple(sorted(self.kind(card) for card in after.hand))
                    found.append(FreeAction(self.board(after.board), gains, steps))
        return found

    # Main actions

    def where(self, number: int, deck: Deck) -> Where:
        """Return a board and a deck, with blank cards for those that are like any other on the next turn."""
        faces = self._probe.face_up(self.boards[number])
        look = tuple(
            card if place < faces or not self._is_plain(card) else f"{_BLANK}{place:03d}"
            for place, card in enumerate(deck)
        )
        return Where(number, deck, look)

    def _is_plain(self, card: str) -> bool:
        known = self._plain.get(card)
        if known is None:
            known = self._plain[card] = self._probe.is_plain(card)
        return known

    def endings(self, where: Where, card: int, others: int, *, last: bool) -> Sequence[Ending]:
        """Return how a main action can end that plays ``card`` while ``others`` more cards may pay.

        Of a ``last`` turn only what it gets to is right, not what becomes of the cards.
        """
        plenty = self._answer(where, card, self._plenty, last)
        if all(ending.paid <= others and ending.lost < self._plenty for ending in plenty):
            return [ending for ending in plenty if ending.lost <= others]
        return self._answer(where, card, others, last)

    def _answer(self, where: Where, card: int, others: int, last: bool) -> Sequence[Ending]:
        """Return the endings with so many fillers: blank cards first, the real deck if they are not enough."""
        for given in (where.look, where.deck):
            key = (where.board, card, others, given)
            known = self._last_answers if last and key not in self._answers else self._answers
            if key not in known:
                known = self._play(key, last, is_real=given == where.deck)
            answer = known[key]
            if answer is not None:
                return answer
        raise Unusable("a turn that not even the whole deck decides")

    def _play(self, key: Asked, last: bool, *, is_real: bool) -> dict[Asked, Sequence[Ending] | None]:
        """Play a turn, and return the table of answers that it has been entered in."""
        left_out = False

        def different(moves: Sequence[Any]) -> Sequence[Any]:
            nonlocal left_out
            ways = self._probe.different(moves, last=False)
            if not last:
                return ways
            fewer = self._probe.different(moves, last=True)
            left_out = left_out or len(fewer) < len(ways)
            return fewer

        answer = self._endings(key, different, is_real=is_real)
        answers = self._last_answers if left_out else self._answers
        answers[key] = answer
        return answers

    def _endings(
        self, key: Asked, different: Callable[[Sequence[Any]], Sequence[Any]], *, is_real: bool
    ) -> Sequence[Ending] | None:
        """Return the endings, or nothing if they depend on the cards that are blank."""
        number, card, others, deck = key
        probe = self._probe
        board = self.boards[number]
        name = None if card == NO_CARD else self.kinds[card]
        table = probe.join(board, [probe.filler] * others + ([] if name is None else [name]), deck)

        def wanted(step: Step) -> bool:
            action = probe.main_action(step)
            return action is not None and action.card == name

        try:
            found = ends(self._game, table, self._meter, wanted, self._goal.forbidden, different)
        except KeyError:
            if is_real:
                raise
            return None  # a rule looked a blank card up
        endings: dict[Ending, None] = {}
        for end in found:
            single_seat(self._game, table, end.table, self._goal.seat)
            first = end.steps[0]
            action = probe.main_action(getattr(first, "step", first))
            assert action is not None
            after = probe.split(end.table)
            gained = tuple(_item(held) for held in after.hand if held != probe.filler)
            shuffles = probe.shuffles(board, after.board)
            taken = len(deck) - len(after.deck)
            as_it_was = shuffles == 0 and taken >= 0 and deck[taken:] == after.deck
            # A card drawn after the shuffle is one that only the real order tells.
            settled = shuffles == 1 and probe.settles() and not any(isinstance(item, int) for item in gained)
            exposed = any(card.startswith(_BLANK) for card in probe.lying(after.board))
            if not is_real and (exposed or not (as_it_was or settled)):
                return None
            ending = Ending(
                lost=others - after.hand.count(probe.filler),
                paid=len(action.paid),
                gained=gained,
                board=self.board(after.board),
                taken=taken if as_it_was else -1,
                rest=() if as_it_was else tuple(_item(held) for held in after.deck),
                shuffled=not as_it_was and not is_real,
            )
            if ending.lost > ending.paid and not all(self.payable):
                raise Unusable("cards that cannot pay leave the hand")
            endings[ending] = None
        return list(endings)

    # What an ending means for a real deck

    def deck_after(self, board: int, deck: Deck, ending: Ending) -> Deck:
        """Return the deck after a turn from a board."""
        if ending.taken >= 0:
            return deck[ending.taken :]
        rest = tuple(deck[item] if isinstance(item, int) else item for item in ending.rest)
        if not ending.shuffled:
            return rest
        key = (board, tuple(sorted(rest)))
        order = self._orders.get(key)
        if order is None:
            order = self._orders[key] = self._probe.shuffled(self.boards[board], rest)
        return order

    def gains(self, deck: Deck, ending: Ending) -> tuple[int, ...]:
        """Return the kinds that come to the hand, ascending."""
        return tuple(sorted(self.kind(deck[item] if isinstance(item, int) else item) for item in ending.gained))


def _item(card: str) -> int | str:
    """Return the place in the deck that a blank card stands for, or the name of another card."""
    return int(card[len(_BLANK) :]) if card.startswith(_BLANK) else card
