"""Plans of turns: what each class of cards leads to on a board below a stack, written when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.ventures import OutOfReach
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.menus import Menus, Prices
from rules.iditacards.odds.numbers import EVERYTHING, Left, Numbers, narrow
from rules.iditacards.odds.onward import Onwards
from rules.iditacards.odds.orders import DRAW, Way
from rules.iditacards.odds.sites import THROUGH, Landing, Plan, Row, Site, Sites, Step
from rules.iditacards.odds.waiting import ROOT, Stack, Waiting


class TooLate(OutOfReach):
    """The race may end before a card takes effect that was left out."""


class Plans:
    """The plans of one venture."""

    def __init__(
        self,
        boards: Boards,
        menus: Menus,
        onwards: Onwards,
        waiting: Waiting,
        sites: Sites,
        bits: Sequence[tuple[Left, Left, Left]],
        *,
        draws: bool,
    ) -> None:
        """``bits`` of a class find copies left, are one copy, and tell that it ran out.

        ``draws``: to draw cards and no more is no order to be carried out.
        """
        self._boards = boards
        self._menus = menus
        self._onwards = onwards
        self._waiting = waiting
        self._sites = sites
        self._bits = bits
        self._draws = draws
        self._last = waiting.stack(1, ROOT, None)

    def forget(self) -> None:
        """Let go of all that was worked out."""
        self._sites.forget()
        self._menus.forget()
        self._onwards.forget()

    def planned(self, site: Site, pos: int) -> Plan:
        """Return what the classes cost on a turn that begins here, all that would be lost at once left out."""
        box: list[int] = [*EVERYTHING]
        low, high, ends = self._boards.ends_waiting(pos)
        narrow(box, low, high)
        if ends:
            site.plans.append((box[4], box[5], None, []))
        else:
            low, high, prices = self._menus.menu(site.board, pos)
            narrow(box, low, high)
            site.plans.append((box[4], box[5], prices, [None] * len(prices.dishes)))
        return site.plans[-1]

    def row(self, rows: list[Row | None], place: int, prices: Prices, site: Site) -> Row:
        """Write a row of a plan."""
        classes, price, changes = prices.dishes[place]
        number, need, stack = classes[0], price.need, site.stack
        board = self._boards.changed(site.board, changes)
        counts = need and self._waiting.counts(stack, number) and not self._boards.draws_first(board)
        packed = self._bits[number]
        row = Row(classes, number, board, price.energy, price.health + 1, need, *packed, None if counts else [])
        rows[place] = row
        return row

    def stepped(self, steps: list[Step], board: int, number: int, need: int, stack: Stack, pos: int) -> Step:
        """Return what follows a card that is turned over and paid for, and add it to what is known."""
        boards, waiting = self._boards, self._waiting
        box: list[int] = [*EVERYTHING]
        landings: list[Landing] = []
        if need:
            numbers = Numbers((0, 0), 0, 0, pos, 0)
            pushed = waiting.pushed(stack, need, number, numbers, box, fresh=boards.draws_first(board))
            low, high, ways = boards.ended(board, pos)
            narrow(box, low, high)
            landings.extend(self._landing(way, pushed, False) for way in ways)
        elif waiting.through(stack, number, pos, box) or self._ripe(board, number, stack, pos, box):
            landings.append(THROUGH)
        else:
            low, high, onwards = self._onwards.played(board, number, stack, pos)
            narrow(box, low, high)
            for way, after, aside, hidden in onwards:
                if after is None and not way.lost:
                    self.in_time(way, pos, hidden, box)
                    landings.append(THROUGH)
                else:
                    landings.append(self._landing(way, after or self._last, aside))
        steps.append(Step(box[4], box[5], tuple(landings)))
        return steps[-1]

    def _ripe(self, board: int, number: int, stack: Stack, pos: int, box: list[int]) -> bool:
        """Return whether all that waits is done one after the other with a card, before the race may end.

        That is as for any card (``GoingOn._through``), but one that goes less far than others does so from farther on.
        """
        if not stack.ripe or not self._waiting.prompt[number]:
            return False
        far = self._waiting.far(stack, self._boards.board(board).dogs, number)
        inner: list[int] = [*EVERYTHING]
        if not self._waiting.reach.before_finish(far, pos, inner):
            return False
        narrow(box, inner[4], inner[5])
        return True

    def _landing(self, way: Way, stack: Stack, aside: bool) -> Landing:
        orders = way.orders
        draw = orders[0][1] if len(orders) == 1 and orders[0][0] == DRAW and self._draws else 0
        if way.lost or aside or (orders and not draw):
            return Landing(None, way.by, 0, way, stack, aside)
        return Landing(self._sites.at(way.board, stack), way.by, draw, way, stack, aside)

    def in_time(self, way: Way, pos: int, hidden: int, box: list[int]) -> None:
        """See to it that the race is still on and so many spaces do not lead to the finish; narrow the box.

        Raises:
            TooLate: the race may end before.
        """
        if not hidden:
            return
        inner: list[int] = [*EVERYTHING]
        reached = self._waiting.reach.before_finish(hidden, pos + way.by, inner)
        narrow(box, inner[4] - way.by, inner[5] - way.by)
        if not reached or self._boards.board(way.board).finished:
            raise TooLate
