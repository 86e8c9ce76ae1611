"""Turns of a venture played by the rules over fillers, in every way that is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rules.core.scripts import Answered, Asking, Question, every_way
from rules.core.steps import Forced, Step
from rules.core.ventures import Fate, OutOfReach
from rules.iditacards.moves import NEW_DAY, Continue, FreeAction
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.tree import Noted, Path, Revealing, items
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Table
from rules.iditacards.turn import Turn

Steps = tuple[Step | Forced, ...]


class Turns:
    """The turns of one venture; ``alive`` is asked before each way whether there is time for it."""

    def __init__(self, ventures: RiskCards, scope: Scope, alive: Callable[[], bool], *, recovers: bool) -> None:
        self._ventures = ventures
        self._rulings = ventures.game.rulings
        self._seat = ventures.seat
        self._scope = scope
        self._alive = alive
        self._recovers = recovers
        self.free = scope.free_actions
        """Free actions are open on turns that begin with no card turned over for them."""

    def played(
        self, table: Table, top: str | None, prefix: Steps, begin: str | None, *, part: bool = False
    ) -> Iterator[tuple[Path[Table], Noted]]:
        """Yield the ways through a turn after some steps of it, with ``top`` on the deck where it is given.

        ``begin`` is the hand card that is begun, none to go on with the one that waits; the rest as in ``explored``.
        """
        steps: Answered = list(prefix)
        if top is not None:
            steps.append(Continue())  # fillers pay alike, so the payment need not be asked for
            player = table.players[self._seat]
            rest = list(player.deck)
            rest.remove(top if top in self._rulings.damage_ids else self._scope.filler)
            table = self._scope.with_player(table, player._replace(deck=(top, *rest), known=1))
        free = self.free and top is None and (begin is None or not self._ventures.at_once)
        return self.explored(table, steps, begin, free=free, part=part)

    def explored(
        self,
        table: Table,
        steps: Answered,
        begin: str | None,
        *,
        free: bool,
        part: bool = False,
        resolving: bool = False,
    ) -> Iterator[tuple[Path[Table], Noted]]:
        """Yield the ways through a turn, each with the turn that was played.

        Those through a ``part`` that come through keep their table. ``resolving`` begins where the top frame resolves.

        Raises:
            OutOfReach: something reads what is left out, or time is up.
        """
        hidden = not self._rulings.deck_open
        revealing = partial(Revealing, begin=begin, hidden=hidden, free=free, recovers=self._recovers)
        for script in every_way(revealing, steps):
            if not self._alive():
                raise OutOfReach
            turn = Noted(self._rulings, table, script, self._seat)
            fate, after = self._ventures.run(turn, resolving=resolving)
            for place in turn.places:
                self._scope.watch(place, over=False)
            if part and fate is Fate.THROUGH:
                assert not turn.moving
                assert not turn.stopped
                after = turn.frozen()._replace(active=self._seat)
            bare = None if after is None else self._scope.bare(after)
            yield Path(items(script, turn), script.orders, fate, bare), turn

    def sequences(self, table: Table) -> Iterator[Steps]:
        """Yield the sequences of free actions open before a card is turned over, the empty one included."""
        queue: list[Steps] = [()]
        while queue:
            steps = queue.pop()
            try:
                self._ventures.game.run(Turn(self._rulings, table, Asking(steps)))
            except Question as question:
                main = NEW_DAY in question.options
                if main:
                    yield question.steps
                queue.extend(
                    (*question.steps, option)
                    for option in question.options
                    if not main or isinstance(option, FreeAction)
                )
