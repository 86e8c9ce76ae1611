"""Risk cards as ventures: begun, continued on every following turn, come through when the root resolves (R28 to R36)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rules.core.steps import Forced, Step
from rules.core.turns import Exploring, Script
from rules.core.ventures import Fate, VentureEnd, Ventures
from rules.iditacards.moves import NEW_DAY, PASS, SECOND, Continue, Play
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Seat, Turn

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards


class CameThrough(Exception):
    """The root has begun to resolve: how the turn goes on is not asked."""


class Watched(Turn):
    """A turn that stops as soon as the root of one seat resolves; it tells nothing."""

    __slots__ = ("watched",)

    def __init__(self, rulings: Rulings, table: Table, script: Script, seat: int) -> None:
        super().__init__(rulings, table, script)
        self.watched: Seat = self.seats[seat]

    def tell(self, rule: str, kind: str, **data: Any) -> None:
        """Take notice of what a rule did.

        Raises:
            CameThrough: it is the root that resolves (R36).
        """
        if kind == "resolves" and len(self.watched.stack) == 1 and data["seat"] == self.watched.index:
            raise CameThrough


class Venturing(Exploring):
    """Explores a turn in which the seat does nothing but begin one card, or continue.

    Free actions are open as ever (R13); giving the venture up by a new day is not.
    """

    __slots__ = ("_begin",)

    def __init__(self, steps: Sequence[Step | Forced], queue: list[list[Step | Forced]], begin: str | None) -> None:
        super().__init__(steps, queue)
        self._begin = begin

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        return super()._fresh(actor, [answer for answer in answers if self._serves(answer)])

    def _serves(self, answer: Step) -> bool:
        if isinstance(answer, Play):
            return answer.card == self._begin
        if isinstance(answer, Continue) or answer == SECOND:
            return self._begin is None
        return answer not in (NEW_DAY, PASS)


class RiskCards(Ventures[Table]):
    """The risk cards of one player."""

    def __init__(self, game: Iditacards, table: Table, seat: int) -> None:
        self.game = game
        self.table = table._replace(active=seat)
        self.seat = seat

    @property
    def under_way(self) -> str | None:
        """Return the root that waits; one that waits for its second step has resolved already (R40)."""
        stack = self.table.players[self.seat].stack
        return stack[0].card if stack and stack[0].step == "risk" else None

    def cards(self) -> tuple[str, ...]:
        """Return the hand cards with a printed risk cost, ascending; none while a card waits (R14)."""
        cards, player = self.game.rulings.cards, self.table.players[self.seat]
        return () if player.stack else tuple(sorted({card for card in player.hand if cards[card].risk}))

    def ends(
        self, table: Table, begin: str | None, pending: Sequence[Step | Forced] = ()
    ) -> Iterator[VentureEnd[Table]]:
        """Yield every way through the next turn."""
        if table.over:
            return
        queue: list[list[Step | Forced]] = [list(pending)]
        while queue:
            script = Venturing(queue.pop(), queue, begin)
            fate, after = self.run(Watched(self.game.rulings, table, script, self.seat))
            yield VentureEnd(tuple(script.steps), script.orders, fate, after)

    def run(self, turn: Watched) -> tuple[Fate, Table | None]:
        """Play one turn and return what becomes of the root, and the table if it waits."""
        try:
            self.game.run(turn)
        except CameThrough:
            return Fate.THROUGH, None
        if turn.over or not turn.watched.stack:
            return Fate.LOST, None
        return Fate.WAITING, turn.frozen()._replace(active=self.seat)

    def chance(self, begin: str | None, alive: Callable[[], bool]) -> Fraction:
        """Return the greatest chance, cards merged that cannot differ in what they do for it."""
        from rules.iditacards.odds import Odds

        return Odds(self, begin, alive).chance()
