"""What playing a card does apart from hand and deck: found once for each board, card and risk stack.

A play is written down as what it costs and as every way it can go on the board, each with the orders it gives to the
deck in the meantime: draw, or look and sort out (R20 to R38). Whoever knows the deck then only carries the orders out.

*Second steps* (R40) leave a frame on top of the stack that needs no risk card: the next turn completes it and does
nothing else, as everything is done on the turn before. Cards that are seen are sorted out at once: nothing is learned
between, and nothing else touches the deck; what moves draw on that turn would, which is not carried. Nothing is
taken from the supply here: ``belief.scope`` says where that is no loss, and where it is one, the frame tells how many
cards were added and may be taken (``belief.gains``).

*Checkpoints* give cards to the hand (R66) where the boards tell it. What is chosen once cards have come off the deck is
told in the order in which it happens, unless both come of one op.

*Vague.* A turn that adds to the supply and passes a checkpoint shows cards before it is chosen what the checkpoint
gives. That is not carried, and counts with two turns left or more; with one only the places do that are come to.

*Beyond.* Where a turn comes to what is not carried, its end is told with a stack that stands for all such, as where a
new day begins or cards come back from the discard pile: where it leads to counts, and nothing that may be done from
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.card_effects import cards_drawn
from rules.iditacards.compact.board import BOARD_OPS, FREE_COST, Board, BoardTables, Change
from rules.iditacards.compact.cards import WHOLE_DECK
from rules.iditacards.compact.steps import DESTROY_HAND, RETURNING, empties_hand, second_step, supplies
from rules.iditacards.compact.stock import SECOND, SECOND_STEPS, Stack
from rules.iditacards.content import ALL, Card, Effect
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Frame

CONTINUES_IN_VAIN: Final = ""
"""The card of a continuation that turns up no card: the deck is empty, the leg lets risks fizzle (R33), or the card on
top takes its second step."""


_BEYOND: Final = 1 << 10
"""More risk cards than any card needs, for the stack that stands for what is not carried."""
NEW_DAY: Final = "new_day"


class Draw(NamedTuple):
    """An order to the deck: so many cards to the hand, fewer if it is short."""

    n: int


class Look(NamedTuple):
    """An order to the deck: look at its top cards and sort them out (op ``heal``)."""

    n: int
    destroy: int
    stopped: End
    """How the turn ends if a card is discarded that stops it (R57)."""


class End(NamedTuple):
    """One way a turn can end, apart from hand and deck."""

    board: int
    stack: int
    """Number of the risk stack."""
    orders: tuple[Draw | Look, ...]
    """What happened to the deck, in order."""
    gifts: tuple[str, ...] = ()
    """Cards that came to the hand from elsewhere."""


class Choice(NamedTuple):
    """A part of a turn at whose end one of several ways to go on is chosen."""

    orders: tuple[Draw | Look, ...]
    """What happens to the deck before that."""
    ways: tuple[End | Choice, ...]
    """Each tells what happens after it."""


class Play(NamedTuple):
    """A card played on one board above one risk stack."""

    energy: int
    """Cards to discard; ``ALL_USABLE`` for all that may pay."""
    health: int
    ends: tuple[End, ...]
    """Where it can lead once it is paid."""
    failed: End
    """Where it leads if it cannot be paid;"""
    fails: tuple[End, ...] = ()
    """those between which is chosen then, if there are several."""
    late: bool = False
    """Something is chosen between the ends when cards have come off the deck for an effect:"""
    told: End | Choice | None = None
    """in this order, if it is known."""

    @property
    def failing(self) -> tuple[End, ...]:
        """Where it can lead if it cannot be paid."""
        return self.fails or (self.failed,)


class _Way(NamedTuple):
    """A turn under way, apart from hand and deck."""

    board: int
    stack: Stack
    orders: tuple[Draw | Look, ...] = ()
    gifts: tuple[str, ...] = ()
    over: bool = False
    suspended: str = ""
    """Op of a second step that is left for the next turn, if there is one (R40)."""
    chosen: tuple[tuple[int, int], ...] = ()
    """What was chosen: after how many orders, and which by number,"""
    is_vague: bool = False
    """perhaps after one that came with it."""
    beyond: bool = False
    """It has come to what is not carried."""
    day: int = -1
    """Place of an op that begins a new day, where that is told apart."""

    @property
    def is_late(self) -> bool:
        """Whether something was chosen after an order."""
        return self.is_vague or any(after for after, _ in self.chosen)

    def choosing(self, changes: tuple[Change, ...]) -> Iterator[tuple[Change, _Way]]:
        """Yield each of these changes with the way on which it is chosen."""
        if len(changes) == 1:
            yield changes[0], self
            return
        # What a checkpoint gives is chosen on the move, before cards are drawn for it (R45).
        giving = len({change.gifts for change in changes}) == len(changes)
        vague = self.is_vague or (any(change.draws for change in changes) and not giving)
        for number, change in enumerate(changes):
            yield change, self._replace(chosen=(*self.chosen, (len(self.orders), number)), is_vague=vague)


class Plays:
    """Every play met so far, and the risk stacks by number; number 0 is the empty stack."""

    def __init__(
        self,
        rulings: Rulings,
        boards: BoardTables,
        *,
        looks: bool = True,
        holds: Mapping[str, bool] | None = None,
        passing: bool = True,
        wins: bool = False,
        returning: bool = False,
    ) -> None:
        """``looks`` false: all cards that are looked at go back, which is no order: any card may lie anywhere again.

        ``holds``: cards are gained in time; it says which conditions about the day hold for what they do. ``passing``
        false: no turn that passes a checkpoint is carried any further. ``wins``: a card that comes to be taken from
        the supply, and what is not carried, arrives at the target (``belief.ceiling``). ``returning``: cards may
        come back from the discard pile, and no turn on which that is possible is carried any further.
        """
        self._wins = wins
        self._returning = returning
        self._rulings = rulings
        self._holds = holds
        self._target: int | None = None
        self.told_apart = False
        """Whether new days of which the weather counts are told apart: here they lead to the start of the track."""
        self._is_before_day = False
        self._boards = boards
        self._looks = looks
        self._passing = passing
        self._stacks: list[Stack] = [()]
        self._numbers: dict[Stack, int] = {(): 0}
        self._plays: dict[tuple[int, int, str], Play] = {}
        self._ends: dict[End, End] = {}
        """Each end once: many plays have some in common, and what is kept is gone through by collectors of garbage."""
        self._idle: dict[int, tuple[End, ...]] = {}
        """By board: the ends of a turn on which nothing comes of a card."""
        seconds = sorted(card.id for card in rulings.cards.values() if second_step(card) is not None)
        others = [card for card in seconds if holds is not None and supplies(rulings.cards[card]) is None]
        self._second = min(others or seconds, default="")
        """Stands for all cards that have a second step before them, but for those below."""
        self._taking: dict[tuple[int, int], str] = {}
        """By how many cards are added to the supply and may be taken: the card that stands for all that do so."""
        if holds is not None:
            for card in seconds:
                numbers = supplies(rulings.cards[card])
                if numbers is not None:
                    self._taking.setdefault(numbers, card)
        carried = holds is None and not returning
        self.beyond = -1 if carried else self.number(((min(rulings.cards), _BEYOND),))
        """Number of the stack that stands for what is not carried."""
        self._vague = min(rulings.cards.keys() - {self._second, *self._taking.values()})
        """Stands for a card that takes others after what is not carried, so that only the places count that follow."""

    def __len__(self) -> int:
        """Return how many risk stacks have a number."""
        return len(self._stacks)

    def stack(self, number: int) -> Stack:
        """Return a risk stack by its number."""
        return self._stacks[number]

    def number(self, stack: Stack) -> int:
        """Return the number of a risk stack."""
        number = self._numbers.setdefault(stack, len(self._stacks))
        if number == len(self._stacks):
            self._stacks.append(stack)
        return number

    def play(self, board: int, stack: int, card: str) -> Play:
        """Return what playing a card does, as a main action from the hand or as the next risk card of a stack."""
        name = (board, stack, card)
        play = self._plays.get(name)
        if play is None:
            play = self._plays[name] = self._make(board, self._stacks[stack], card)
        return play

    def _make(self, board: int, stack: Stack, name: str) -> Play:
        if name == CONTINUES_IN_VAIN:
            if self.is_second(stack):
                return self._resolved(0, 0, self._complete(_Way(board, stack[:-1])))
            ends = self._fails(board)
            return Play(0, 0, ends, ends[0])
        card = self._rulings.cards[name]
        price = self._boards.price(board, card)
        fails = self._fails(price.board)
        if price.risk:
            waiting = () if price.fizzles else (*stack, (name, price.risk))
            return self._resolved(price.energy, price.health, [_Way(price.board, waiting)], fails)
        energy = price.energy
        if empties_hand(card) and not self._boards.stops(price.board, card):
            if energy or price.health:
                raise OutOfReach
            energy = ALL_USABLE  # what is left of the hand goes before anything else happens
        return self._resolved(energy, price.health, self._resolve(_Way(price.board, stack), card), fails)

    def _resolved(self, energy: int, health: int, ways: list[_Way], fails: tuple[End, ...] = ()) -> Play:
        ways = self._settled([moved for way in ways for moved in self._moved(way)])
        ends = [self._end(way) for way in ways]
        late, vague = any(way.is_late for way in ways), any(way.is_vague for way in ways)
        told = _in_order(list(zip(ways, ends, strict=True))) if late and not vague else None
        failed = self._together(fails) if fails else ends[0]
        return Play(energy, health, tuple(dict.fromkeys(ends)), failed, fails, late, told)

    def _settled(self, ways: list[_Way]) -> list[_Way]:
        """Return the ways that count: one that reaches the target, if there is one, where checkpoints give cards."""
        if self._target is not None and self._boards.gives:
            for way in ways:
                if self._boards.pos[way.board] >= self._target:
                    return [way._replace(gifts=(), chosen=(), is_vague=False)]
        return ways

    @property
    def target(self) -> int | None:
        """Where set, further is as good."""
        return self._target

    @target.setter
    def target(self, target: int | None) -> None:
        if target != self._target:
            self._plays, self._idle = {}, {}
        self._target = target

    def is_second(self, stack: Stack) -> bool:
        """Return whether the card on top of a stack takes its second step next."""
        return bool(stack) and stack[-1][1] == SECOND

    def taking(self, number: int) -> tuple[int, int] | None:
        """Return how many cards the card on top has added to the supply and may take next, where it may."""
        if not self._taking or not number or not self.is_second(self._stacks[number]):
            return None
        card = self._stacks[number][-1][0]
        numbers = supplies(self._rulings.cards[card])
        return numbers if numbers is not None and self._taking.get(numbers) == card else None

    def is_vague(self, number: int) -> bool:
        """Return whether nothing but the place is carried of what follows a stack, on which cards are taken next."""
        return number > 0 and self._stacks[number][-1] == (self._vague, SECOND)

    def waiting(self, frames: Sequence[Frame]) -> int:
        """Return the number of a risk stack of the table."""
        stack = [(frame.card, frame.need - frame.paid) for frame in frames if frame.step == "risk"]
        return self.number((*stack, *((self._second, SECOND) for frame in frames if frame.step != "risk")))

    def _resolve(self, start: _Way, card: Card) -> list[_Way]:
        """Let a card take effect above the frames of ``start``, then those that it completes (R31, R36, R38)."""
        ways = [start]
        if card.type in ("dog", "attachment"):
            changes = self._boards.place(start.board, card)
            ways = [way._replace(board=change.board) for change, way in start.choosing(changes)]
        doubled = any(waiting in self._rulings.double_risk for waiting, _ in start.stack)
        done: list[_Way] = []
        for _ in range(2 if doubled else 1):
            skipped = [way for way in ways if self._boards.stops(way.board, card)]
            ways = [way for way in ways if way not in skipped] if skipped else ways
            for place in range(len(card.instant)):
                going: list[_Way] = []
                for way in ways:
                    for after, skips in self._op(way, card, place):
                        (done if after.over or after.suspended else skipped if skips else going).append(after)
                ways = going
            ways += skipped
        for way in ways:
            done.extend(self._complete(way))
        return done

    def _complete(self, way: _Way) -> list[_Way]:
        """Count a resolved card for the frame below (R38)."""
        if not way.stack:
            return [way]
        waiting, missing = way.stack[-1]
        below = way.stack[:-1]
        if missing > 1:
            return [way._replace(stack=(*below, (waiting, missing - 1)))]
        return self._resolve(way._replace(stack=below), self._rulings.cards[waiting])

    def _op(self, way: _Way, card: Card, place: int) -> Iterator[tuple[_Way, bool]]:
        """Yield what one op leads to, and whether the rest of the card's list is skipped.

        Raises:
            OutOfReach: it is not carried.
        """
        effect = card.instant[place]
        if empties_hand(card) or not self._holds_now(effect):  # the hand has gone, or what would destroy it is stopped
            yield way, False
        elif self._holds is not None and effect.op == NEW_DAY:
            yield self._new_day(way, card, place), False
        elif effect.op in BOARD_OPS or effect.op == FREE_COST:
            changes = self._boards.run(way.board, card, place)
            for change, choosing in way.choosing(changes):
                orders = (*way.orders, Draw(change.draws)) if change.draws else way.orders
                after = choosing._replace(board=change.board, orders=orders, over=change.over)
                yield after._replace(gifts=way.gifts + change.gifts) if change.gifts else after, change.skip
        elif effect.op == "draw":
            n = cards_drawn(effect.args, lambda: self._boards.dogs(way.board))
            yield way._replace(orders=(*way.orders, Draw(n))), False
        elif self._wins and effect.op == "take_next":
            yield way._replace(board=self._arrived(way.board), stack=(), over=True), False
        elif effect.op in SECOND_STEPS:
            second = self._taking.get(supplies(card) or (0, 0), self._second)
            yield way._replace(stack=(*way.stack, (second, SECOND)), suspended=effect.op), False
        elif effect.op == "supply" or not self._looks or (effect.op == DESTROY_HAND and self._holds is not None):
            yield way, False
        elif effect.op in RETURNING and self._wins:
            yield way._replace(board=self._arrived(way.board), stack=(), over=True), False
        elif effect.op in RETURNING and self._returning:
            yield way._replace(beyond=True), False
        elif effect.op not in ("heal", "see"):
            raise OutOfReach
        else:
            look, destroy = self._numbers_of(way.board, card, effect)
            yield way._replace(orders=(*way.orders, Look(look, destroy, self._together(self._fails(way.board))))), False

    def _holds_now(self, effect: Effect) -> bool:
        if self._holds is None:
            return True
        return self._holds.get(effect.when or "", True) and not self._holds.get(effect.unless or "", False)

    def _new_day(self, way: _Way, card: Card, place: int) -> _Way:
        """Return what a new day leads to; nothing that follows it is carried.

        Raises:
            OutOfReach: it counts what the weather is.
        """
        if self._is_before_day:
            return way._replace(suspended=NEW_DAY, day=place)
        boards = [change.board for change in self._boards.run(way.board, card, place)]
        places = {self._boards.pos[self._boards.automatic(board)[0].board] for board in boards}
        if len(places if self.target is None else {place >= self.target for place in places}) > 1:
            if not self.told_apart:
                raise OutOfReach
            return way._replace(board=self._boards.number(Board(0, 0, 0, ())), suspended=NEW_DAY, over=True)
        return way._replace(board=boards[0], stack=(), suspended=NEW_DAY, beyond=True)

    def mean_of(self, board: int, card: str, turned: str, worth: Callable[[int], int]) -> Fraction:
        """Return the mean worth of the space after a turn that turns over a paid card for one that begins a new day.

        The one turned over is the last that it waits for; ``worth`` is that of a space.

        Raises:
            OutOfReach: the race ends on the way.
        """
        self._is_before_day = True
        try:
            ways = self._resolve(_Way(board, ((card, 1),)), self._rulings.cards[turned])
        finally:
            self._is_before_day = False
        cards, pos = self._rulings.cards, self._boards.pos
        return max(
            Fraction(worth(pos[self._moved(way)[0].board]))
            if way.day < 0
            else self._boards.mean_after(way.board, cards[card], way.day, worth)
            for way in ways
        )

    def _numbers_of(self, board: int, card: Card, effect: Effect) -> tuple[int, int]:
        """Return how many cards are looked at and how many of them may be destroyed, bonuses included (R40, R41)."""
        add_destroy, add_look = self._boards.bonus(board, card, "heal_bonus")
        step = second_step(card)
        look, destroy = (effect.args["of"], effect.args["n"]) if step is None else (effect.args["n"], step.args["n"])
        return (
            WHOLE_DECK if look == ALL else int(look) + add_look,
            WHOLE_DECK if destroy == ALL else int(destroy) + add_destroy,
        )

    def _arrived(self, board: int) -> int:
        """Return a board at the target at least.

        Raises:
            OutOfReach: there is none.
        """
        if self.target is None:
            raise OutOfReach
        there = self._boards.board(board)
        return self._boards.number(there._replace(pos=max(there.pos, self.target)))

    def _fails(self, board: int) -> tuple[End, ...]:
        """Return the ends of a turn on which nothing comes of a card."""
        ends = self._idle.get(board)
        if ends is None:
            ways = self._settled(self._moved(_Way(board, ())))
            if any(way.is_vague for way in ways):
                ways = [ways[0]._replace(gifts=(), beyond=True)]
            ends = self._idle[board] = tuple(dict.fromkeys(map(self._end, ways)))
        return ends

    def _together(self, ends: tuple[End, ...]) -> End:
        """Return an end that stands for several: nothing is told of what comes after it."""
        if len(ends) == 1:
            return ends[0]
        end = ends[0]._replace(gifts=(), stack=self.beyond)
        return self._ends.setdefault(end, end)

    def _moved(self, way: _Way) -> list[_Way]:
        """Return a way after the automatic move (R47); what it may give is chosen."""
        if way.over:
            return [way]
        changes = self._boards.automatic(way.board)
        if len(changes) > 1 and way.suspended == "take_next":
            # What is turned over for the supply is seen before any of them is chosen.
            boards = {self._boards.board(change.board)._replace(legendary=()) for change in changes}
            if len(boards) > 1:
                way = way._replace(beyond=True)
            else:
                changes, way = changes[:1], way._replace(stack=(*way.stack[:-1], (self._vague, SECOND)))
        found: dict[_Way, None] = {}
        for change, after in way.choosing(changes):
            if change.draws and (way.suspended == "destroy_next" or (self._taking and way.suspended == "take_next")):
                # Cards that are seen are not in the deck then; what is turned over for the supply is chosen before.
                if self.beyond < 0 and not self._wins:
                    raise OutOfReach
                after = way._replace(beyond=True)
            if not self._passing and self._boards.has_passed(change.board):
                after = way._replace(beyond=True)
            # Over, nothing waits; a lone seat's race may end with the turn only, not with the move (R69).
            over = change.over or self._boards.pos[change.board] >= self._rulings.finish_at
            found[
                after._replace(
                    board=change.board,
                    over=over,
                    orders=(*way.orders, Draw(change.draws)) if change.draws else way.orders,
                    gifts=() if after.beyond else way.gifts + change.gifts,
                )
            ] = None
        return list(found)

    def _end(self, way: _Way) -> End:
        """Return how a turn ends (R16)."""
        if way.beyond and self._wins:
            way = way._replace(board=self._arrived(way.board), over=True)
        stack = 0 if way.over else self.beyond if way.beyond else self.number(way.stack)
        end = End(way.board, stack, way.orders, way.gifts)
        return self._ends.setdefault(end, end)


def _in_order(ways: Sequence[tuple[_Way, End]], done: int = 0, made: int = 0) -> End | Choice:
    """Return what happens on some ways once so many orders are done and choices made, which they have in common."""
    way, end = ways[0]
    if made == len(way.chosen):
        return end._replace(orders=end.orders[done:])
    at = way.chosen[made][0]
    chosen: dict[int, list[tuple[_Way, End]]] = {}
    for each in ways:
        chosen.setdefault(each[0].chosen[made][1], []).append(each)
    found: dict[End | Choice, None] = {}
    for some in chosen.values():
        told = _in_order(some, at, made + 1)
        found |= dict.fromkeys(told.ways if isinstance(told, Choice) and not told.orders else (told,))
    orders = end.orders[done:at]
    if len(found) > 1:
        return Choice(orders, tuple(found))
    (only,) = found
    return only._replace(orders=orders + only.orders)
