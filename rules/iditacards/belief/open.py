"""The first turn of a question about a day with a hidden deck: every move that is open, real cards named."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.core.race import NOTHING_KNOWN
from rules.core.scripts import Exploring, every_way
from rules.core.steps import Step
from rules.iditacards.belief.day import BeliefDay
from rules.iditacards.belief.gains import conditions
from rules.iditacards.belief.gifts import carried_gifts
from rules.iditacards.belief.keys import BOARD
from rules.iditacards.belief.last import Dealing, Ways
from rules.iditacards.belief.leaving import Leaving, Worth
from rules.iditacards.belief.rested import keeps_cards, rested
from rules.iditacards.belief.scope import IN_TIME, edge_space, gains_in_time, may_go_back, missing
from rules.iditacards.compact.plays import Draw, End
from rules.iditacards.compact.scope import banned
from rules.iditacards.compact.steps import empties_hand
from rules.iditacards.costs import ALL_USABLE
from rules.iditacards.dogs import carry_out
from rules.iditacards.moves import SECOND, Continue, FreeAction, Pay, Play
from rules.iditacards.outlook import FREE
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Turn

if TYPE_CHECKING:
    from rules.iditacards.belief.every_day import EveryDay
    from rules.iditacards.engine import Iditacards


FIRST_GAINED: Final = 3
"""The turn on which a card from the supply is played at the earliest, one sooner where one is about to be taken."""


class Opened(NamedTuple):
    """What may come up right after a first move."""

    orders: int
    seen: str
    """The card turned over, empty where nothing is asked any more on this turn."""
    answers: list[tuple[str, Ways]]
    """Moves that answer it, with what they lead to."""


class OpenDay(BeliefDay):
    """A day whose moves can be asked for one by one."""

    def __init__(self, *asked: Any, every: EveryDay | None = None, **options: Any) -> None:
        """``every`` are the days of a question in which a new day may be begun on any turn; else as ``BeliefDay``."""
        super().__init__(*asked, **options)
        self._every = every

    def hopeless(self, belief: int, turns: int, target: int) -> bool:
        """Return true only where nothing played on this turn leads to a target in time; new days may follow it.

        With two turns left that is so where two turns of this day do not get there, nor one and the automatic move of
        a new day.
        """
        if self._every is None or turns < 2:
            return super().hopeless(belief, turns, target)
        most = self._every.automatic
        if turns > 2 or most is None or not super().hopeless(belief, turns, target):
            return False
        return super().hopeless(belief, 1, target - most)

    def leave_by(self, worth: Worth) -> None:
        """Have a compiled search count what new days are worth, on a question in which they may be begun any turn."""
        assert self._every is not None
        self.leaving = Leaving(worth, self._every.automatic, self._every.faces)

    def opens(self, move: Step) -> bool:
        """Return whether a move is one of this day: a card, or a free action."""
        return isinstance(move, Play | Continue | FreeAction) or move == SECOND

    def leaves_out(self, move: Step) -> bool:
        """Return whether a move is a free action, where it is proved that none leads to more than doing without.

        A board that one has changed is no part of the question then: ask ``anew``.
        """
        return not self._free and isinstance(move, FreeAction)

    def anew(self, table: Table) -> OpenDay:
        """Return the same question about another table of the same turn."""
        banned_cards = frozenset(self.kinds.names[kind] for kind in self.banned)
        return OpenDay(
            *(self._rulings, table, self._seat, banned_cards),
            free=self._free,
            gaining=self._gaining,
            gifts=self._gifts,
            far=self._far,
            wins=self._wins,
            forgets=self._forgets,
            resting=self.resting,
            owned=self.owned,
            every=self._every,
        )

    def opened(self, table: Table, move: Step, turns: int) -> list[Opened] | tuple[Table, ...]:
        """Return what a move open at the start of a turn leads to, real cards named; a free action gives tables.

        One of these is chosen. They are of the same turn, and have as many turns left.
        """
        player, kinds = table.players[self._seat], self.kinds
        deck, hand = kinds.pack(player.deck), kinds.pack(player.hand)
        board = self.boards.number(self.boards.of(player))
        stack = self.plays.waiting(player.stack)
        if move == SECOND and player.seen:
            return [Opened(1, "", [("", [(1, self._sorted_out((board,), stack, hand, deck, turns - 1))])])]
        if isinstance(move, Play) and kinds.index[move.card] in self.avoided:
            return [Opened(1, "", [("", ways) for ways in self.lost(deck)])]
        if isinstance(move, Play):
            play = self.plays.play(board, 0, move.card)
            hand -= kinds.pack([move.card, *move.energy])
            if play.energy == ALL_USABLE:
                hand = kinds.unpayable(hand)
            failed = len(move.energy) < play.energy
            lead = self.unpaid if failed else self.dealing
            ways = lead(board, play, hand, deck, turns - 1)
            return [Opened(1, "", [("", ways)])]
        if isinstance(move, FreeAction):
            return self._after(table, move)
        if not deck or self.turns_none_over(board, stack):
            return [Opened(1, "", [("", self._continued(board, stack, hand, deck, turns - 1))])]
        opened = []
        for kind, copies in kinds.cards(deck):
            answers = self._answers(board, stack, kind, hand, deck - kinds.unit[kind], turns - 1)
            opened.append(Opened(copies, kinds.names[kind], answers))
        return opened

    def restarted(self, table: Table, drawn: int, paid: int, turns: int) -> Ways:
        """Return what it leads to if so many cards of a table's deck are drawn and paid at the end of a turn."""
        player = table.players[self._seat]
        deck, hand = self.kinds.pack(player.deck), self.kinds.pack(player.hand)
        board = self.boards.number(self.boards.of(player))
        dealing = Dealing(hand, deck, paid, End(board, 0, (Draw(drawn),) if drawn else ()))
        too_many = len(player.deck) > self.hidden
        return self.dealt_out(dealing, turns) if too_many else [(1, dealing)]

    @cached_property
    def _furthest_in_a_turn(self) -> int:
        return self.furthest(self._table, 1)

    def rests_after(self, move: Step) -> bool:
        """Return whether it is known which cards there are to put together on a new day after a turn with a move."""
        return self.resting and keeps_cards(self._rulings, self._table, self._seat, move)

    def board_of(self, belief: int) -> int:
        """Return the board of a belief, by number."""
        return belief >> self._board_shift & BOARD

    def rested(self, board: int) -> Table | None:
        """Return a table on which a new day is worth what it is on a board after such a turn, if that is told."""
        there = self.boards.board(board)
        if self._every is not None:
            return self._every.rested(there, self._table)
        return rested(self._rulings, self._table, self._seat, there, self._furthest_in_a_turn)

    def _after(self, table: Table, move: FreeAction) -> tuple[Table, ...]:
        """Return the tables after a free action: a dog may take another one along (R52)."""
        found: dict[Table, None] = {}
        for script in every_way(Exploring):
            turn = Turn(self._rulings, table, script)
            carry_out(turn, turn.seats[self._seat], move)
            found[turn.frozen()] = None
        return tuple(found)

    def _answers(self, board: int, stack: int, kind: int, hand: int, deck: int, after: int) -> list[tuple[str, Ways]]:
        """Return each payment for a card turned over, in words, with what it leads to."""
        kinds = self.kinds
        if kind in self.avoided:
            return [("", ways) for ways in self.lost(deck)]
        play = self.plays.play(board, stack, kinds.names[kind])
        usable = hand - kinds.unpayable(hand)
        if play.energy > kinds.count(usable):
            return [("", self.unpaid(board, play, hand, deck, after))]
        if play.energy == ALL_USABLE and empties_hand(self._rulings.cards[kinds.names[kind]]):
            return [("", self.dealing(board, play, hand - usable, deck, after))]
        found = []
        for part in self.deals.parts(usable, kinds.count(usable) if play.energy == ALL_USABLE else play.energy):
            names = tuple(kinds.names[each] for each, copies in kinds.cards(part) for _ in range(copies))
            found.append((Pay(names).text if names else "", self.dealing(board, play, hand - part, deck, after)))
        return found


def open_day(
    game: Iditacards,
    table: Table,
    seat: int,
    forbidden: frozenset[str],
    target: int | None,
    turns: int,
    *,
    resting: bool = False,
    drawn: int | None = None,
) -> OpenDay | None:
    """Return the turns of one day with a hidden deck for one question, or nothing where it is not carried.

    ``resting``: a new day may follow what is come to on that day. ``drawn`` is that of ``BeliefKeys.furthest``.
    """
    rulings, cards = game.rulings, banned(forbidden)
    if missing(rulings, table, seat, forbidden, turns) or not table.players[seat].deck:
        return None
    gifts = carried_gifts(rulings, table, seat, turns, lambda space: _passed(rulings, table, seat, cards, space, drawn))
    if gains_in_time(rulings, table, seat, turns):
        gaining = conditions(rulings, table, seat)
        return OpenDay(rulings, table, seat, cards, gaining=gaining, gifts=gifts, far=turns > IN_TIME, resting=resting)
    edge = edge_space(rulings, table, seat)
    far, ends = target, False
    if far is None or comes_to(edge, far, rulings, table, seat):
        furthest = OpenDay(rulings, table, seat, cards).furthest(table, turns, drawn)
        if edge is not None and furthest >= edge:
            if not gifts or edge_space(rulings, table, seat, gifts=False) is not None:
                return None
            gaining = conditions(rulings, table, seat)
            return OpenDay(rulings, table, seat, cards, gaining=gaining, gifts=gifts, resting=resting)
        ends = far is None and furthest >= rulings.finish_at  # who slows down may get further
        far = furthest + 1 if far is None else far
    outlook = game.outlook(table, seat, forbidden, far, turns)
    needed = ends or not outlook.pointless >= FREE
    forgets = not ends and outlook is not NOTHING_KNOWN
    return OpenDay(rulings, table, seat, cards, free=needed, forgets=forgets, resting=resting)


def _passed(
    rulings: Rulings, table: Table, seat: int, cards: frozenset[str], space: int, drawn: int | None = None
) -> int:
    """Return a turn before which a space is not passed; no later one than cards from the supply are played on (R40)."""
    player = table.players[seat]
    if space <= player.pos:
        return 1
    day, turn = OpenDay(rulings, table, seat, cards), 1
    latest = FIRST_GAINED - int(any(frame.step != "risk" for frame in player.stack))
    while turn < latest and day.furthest(table, turn, drawn) < space:
        turn += 1
    return turn


def comes_to(edge: int | None, target: int, rulings: Rulings, table: Table, seat: int) -> bool:
    """Return whether a turn may end before a target after it has come to an edge."""
    return edge is not None and (edge < target or may_go_back(rulings, table, table.players[seat]))
