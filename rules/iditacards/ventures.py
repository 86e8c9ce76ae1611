"""Risk cards as ventures: begun, continued on every turn, come through when the root resolves (R28 to R36)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from rules.core.race import Fate, Opening, VentureEnd, Ventures
from rules.core.steps import Answered, Asking, Barred, Exploring, Forced, Question, Script, Step, every_way
from rules.core.turns import State
from rules.iditacards.moves import NEW_DAY, PASS, SECOND, Continue, FreeAction, Play
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Seat, Turn, TurnGame


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

    def __init__(
        self, steps: Sequence[Step | Forced], queue: list[Answered], begin: str | None, begun: int = 0
    ) -> None:
        super().__init__(steps, queue, begun=begun)
        self._begin = begin
        self._wanted = self._serves

    def _serves(self, answer: Step) -> bool:
        if isinstance(answer, Play):
            return answer.card == self._begin
        if isinstance(answer, Continue) or answer == SECOND:
            return self._begin is None
        return answer not in (NEW_DAY, PASS)


class RiskCards(Ventures[Table]):
    """The risk cards of one player."""

    def __init__(self, game: TurnGame, table: Table, seat: int) -> None:
        self.game = game
        self.seat = seat
        self._table = table._replace(active=seat)

    @property
    def table(self) -> Table:
        """Return the table with the seat to act."""
        return self._table

    @property
    def under_way(self) -> str | None:
        """Return the root that waits; one that waits for its second step has resolved already (R40)."""
        stack = self.table.players[self.seat].stack
        return stack[0].card if stack and stack[0].step == "risk" else None

    def cards(self) -> tuple[str, ...]:
        """Return the hand cards with a printed risk cost, ascending; none while a card waits (R14)."""
        cards, player = self.game.rulings.cards, self.table.players[self.seat]
        return () if player.stack else tuple(sorted({card for card in player.hand if cards[card].risk}))

    def playable(self, card: str) -> bool:
        """Return whether a card may be played now, or after free actions (R13, R14)."""
        return next(self.openings(card), None) is not None

    def openings(self, card: str) -> Iterator[Opening[Table]]:
        """Yield what there is of free actions before a card is played, the fewest first, and its payments then."""
        if self.table.players[self.seat].stack:
            return
        todo = deque([State(self.table)])
        seen = set[Table]()
        while todo:
            state = todo.popleft()
            turn = Turn(self.game.rulings, state.table, Asking(state.pending))
            try:
                self.game.run(turn)
            except Question:
                table = turn.frozen()
            else:
                continue
            if table in seen:
                continue
            seen.add(table)
            moves = self.game.legal_moves(state)
            plays = {move.energy: move for move in moves if isinstance(move, Play) and move.card == card}
            if plays:
                yield Opening(state.pending, table, plays)
            main = NEW_DAY in moves  # else a free action asks something
            following = [move for move in moves if not main or isinstance(move, FreeAction)]
            todo.extend(self.game.apply(state, move).state for move in following)

    def begun(self, pending: Sequence[Step | Forced]) -> tuple[str | None, bool]:
        """Return the card played in an unfinished turn, and whether its main action has begun."""
        steps = [step.step if isinstance(step, Forced) else step for step in pending]
        card = next((step.card for step in steps if isinstance(step, Play)), None)
        return card, card is not None or any(isinstance(step, Continue) or step == SECOND for step in steps)

    def with_more(self, cards: int) -> RiskCards:
        """Return the risk cards with more plain cards in hand (R22)."""
        rulings = self.game.rulings
        player = self.table.players[self.seat]
        plain = min(card for card in rulings.cards if card not in rulings.damage_ids and not rulings.cards[card].risk)
        players = list(self.table.players)
        players[self.seat] = player._replace(hand=tuple(sorted([*player.hand, *[plain] * cards])))
        return RiskCards(self.game, self.table._replace(players=tuple(players)), self.seat)

    def ends(
        self, table: Table, begin: str | None, pending: Sequence[Step | Forced] = ()
    ) -> Iterator[VentureEnd[Table]]:
        """Yield every way through the next turn."""
        if table.over:
            return
        for script in every_way(partial(Venturing, begin=begin, begun=len(pending)), pending):
            fate, after = self._run(Watched(self.game.rulings, table, script, self.seat))
            yield VentureEnd(tuple(script.steps), script.orders, fate, after)

    def _run(self, turn: Watched) -> tuple[Fate, Table | None]:
        """Play one turn and return what becomes of the root, and the table if it waits."""
        try:
            self.game.run(turn)
        except CameThrough:
            return Fate.THROUGH, None
        except Barred:  # the card cannot be begun, or not be paid for where that is asked before it is played
            return Fate.LOST, None
        if turn.over or not turn.watched.stack:
            return Fate.LOST, None
        return Fate.WAITING, turn.frozen()._replace(active=self.seat)
