"""Risk cards as ventures: begun, continued on every turn, come through when the root resolves (R28 to R36)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from rules.core.scripts import Answered, Barred, Exploring, Script, every_way
from rules.core.steps import Forced, Step
from rules.core.ventures import Fate, Opening, OutOfReach, TurnedUp, VentureEnd, Ventures
from rules.iditacards.moves import NEW_DAY, PASS, SECOND, Continue, FreeAction, Play
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Seat, Turn

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards
    from rules.iditacards.odds.between import Between
    from rules.iditacards.odds.face_down import FaceDown
    from rules.iditacards.odds.greatest import Odds
    from rules.iditacards.odds.pile import Pile


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

    __slots__ = ("_at_once", "_begin")

    def __init__(
        self,
        steps: Sequence[Step | Forced],
        queue: list[Answered],
        begin: str | None,
        begun: int = 0,
        *,
        at_once: bool = False,
    ) -> None:
        super().__init__(steps, queue, begun=begun)
        self._begin = begin
        self._at_once = at_once
        self._wanted = self._serves

    def _serves(self, answer: Step) -> bool:
        if isinstance(answer, Play):
            return answer.card == self._begin
        if isinstance(answer, Continue) or answer == SECOND:
            return self._begin is None
        return answer not in (NEW_DAY, PASS) and not (self._at_once and isinstance(answer, FreeAction))


class RiskCards(Ventures[Table]):
    """The risk cards of one player."""

    def __init__(self, game: Iditacards, table: Table, seat: int, *, at_once: bool = False) -> None:
        """``at_once``: no free action comes before a card is begun; they are open as ever on later turns."""
        self.game = game
        self.seat = seat
        self.at_once = at_once
        self._table = table._replace(active=seat)
        self._forms: dict[str | None, tuple[Odds | None, bool]] = {}
        self._bounds: dict[str | None, Between] = {}
        self._piles: dict[str | None, Pile] = {}
        self._traces: dict[str | None, tuple[Fraction, Fraction]] = {}

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
        """Yield what there is of free actions before a card is played, and its payments then (R13, R22)."""
        from rules.iditacards.odds.openings import openings

        return openings(self, card)

    def attaining(self, card: str, chance: Fraction, alive: Callable[[], bool]) -> Opening[Table] | None:
        """Return the first opening from which a chance can be had, with those payments that are known to lead to it."""
        from rules.iditacards.odds.openings import attaining

        return attaining(self, card, chance, alive)

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
        found = RiskCards(self.game, self.table._replace(players=tuple(players)), self.seat)
        found.decks = self.decks
        return found

    def ends(
        self, table: Table, begin: str | None, pending: Sequence[Step | Forced] = ()
    ) -> Iterator[VentureEnd[Table]]:
        """Yield every way through the next turn."""
        if table.over:
            return
        at_once = self.at_once and begin is not None
        for script in every_way(partial(Venturing, begin=begin, begun=len(pending), at_once=at_once), pending):
            fate, after = self.run(Watched(self.game.rulings, table, script, self.seat))
            yield VentureEnd(tuple(script.steps), script.orders, fate, after)

    def run(self, turn: Watched, *, resolving: bool = False) -> tuple[Fate, Table | None]:
        """Play one turn and return what becomes of the root, and the table if it waits.

        With ``resolving`` the turn goes on from where the top frame begins to resolve.
        """
        try:
            self.game.run(turn, resolving=resolving)
        except CameThrough:
            return Fate.THROUGH, None
        except Barred:  # the card cannot be begun, or not be paid for where that is asked before it is played
            return Fate.LOST, None
        if turn.over or not turn.watched.stack:
            return Fate.LOST, None
        return Fate.WAITING, turn.frozen()._replace(active=self.seat)

    def chance(self, begin: str | None, alive: Callable[[], bool]) -> tuple[Fraction, bool]:
        """Return the greatest chance and true, or what one way to play has and false.

        Where it cannot be told what the discard pile gives back, that is a player who takes nothing back that may be
        left there; where time runs out, one who does not use what was seen.
        """
        asked, begin = begin, self._like(begin)
        odds, exact = self._odds(begin, alive)
        if not exact:
            pile = self._pile(begin)
            with suppress(OutOfReach):
                pile.close(alive)
                low, high = self._followed(asked, pile.low, pile.high, alive)
                return max(low, odds.at_least if odds is not None else low), low == high
        if odds is None:
            return Fraction(0), False
        try:
            value = odds.chance()
        except OutOfReach:
            if self._left(begin, odds, alive):
                return self.chance(asked, alive)
            value, exact = odds.at_least, False
        return value, exact or value == 1

    def by_numbers(self, begin: str, alive: Callable[[], bool]) -> bool:
        """Return whether the greatest chance is told by numbers of cards alone: the discard pile is not read."""
        odds, exact = self._odds(self._like(begin), alive)
        return odds is not None and exact

    def plain_chance(self, begin: str | None, alive: Callable[[], bool]) -> Fraction | None:
        """Return the chance of who only goes on, takes no card back, and does not use what was drawn or looked at."""
        if self.game.rulings.deck_open:
            return None
        begin = self._like(begin)
        odds, _ = self._odds(begin, alive)
        if odds is None:
            with suppress(OutOfReach):
                return self._pile(begin).plain(alive)
            return None
        try:
            return odds.plain()
        except OutOfReach:
            return self.plain_chance(begin, alive) if self._left(begin, odds, alive) else None

    def turned_up(self, begin: str | None, alive: Callable[[], bool]) -> Sequence[TurnedUp]:
        """Return the cards that the first risk may turn up, and the chance of who only goes on after each."""
        if self.plain_chance(begin, alive) is None:
            return ()
        begin = self._like(begin)
        odds, _ = self._odds(begin, alive)
        with suppress(OutOfReach):
            return self._pile(begin).turned_up() if odds is None else odds.turned_up()
        return ()

    def between(self, begin: str | None, alive: Callable[[], bool]) -> tuple[Fraction, Fraction]:
        """Return bounds for the greatest chance, the closer the more time there is."""
        from rules.iditacards.odds.between import Between

        if self.game.rulings.deck_open:
            return super().between(begin, alive)
        asked, begin = begin, self._like(begin)
        found = self._bounds.get(begin)
        if found is None:
            found = self._bounds[begin] = Between(self, begin)
        pile = self._piles.get(begin)
        if pile is not None:
            found.narrow(pile.low, pile.high)
        found.close(alive)
        low, high = self._traces.get(asked, (found.low, found.high))
        return max(low, found.low), min(high, found.high)

    def unsettled(self, begin: str | None) -> str:
        """Return which cards may come up that read the discard pile, and which legs were reached that do."""
        from rules.iditacards.odds.scope import READERS

        begin = self._like(begin)
        rulings = self.game.rulings
        player = self.table.players[self.seat]
        stack = (frame.card for frame in player.stack[1:])  # the root has come through when it takes effect
        played = sorted({*player.deck, *player.seen, *stack})
        readers = [card for card in played if any(effect.op in READERS for effect in rulings.cards[card].instant)]
        bounds = self._bounds.get(begin)
        if bounds is not None and bounds.reads:
            legs = {leg.id: leg.effects for leg in rulings.track(self.table.legs) if leg is not None}
            readers.extend(leg for leg, effects in legs.items() if "leg_turn_end_recover" in effects)
        return f"what {' or '.join(readers)} brings back from the discard pile is not followed" if readers else ""

    def _like(self, begin: str | None) -> str | None:
        """Return the hand card that stands for all those which cost as much and leave as much behind.

        What a card does when it resolves is not asked, since it has come through by then (R36). Until then only its
        costs are read, what it lowers or records as soon as it is on the table (R21), whether it may be played (Q59),
        and whether it doubles what resolves above it (R67).
        """
        if begin is None:
            return None
        rulings = self.game.rulings
        doubling = frozenset(rulings.double_risk)

        def read(name: str) -> tuple[object, ...]:
            card = rulings.cards[name]
            kind = card.type if card.type in ("food", "personal", "sled") else ""
            told = name if card.type == "food" or name in doubling else ""
            return card.energy, card.health, card.risk, kind, told

        return min(card for card in self.table.players[self.seat].hand if read(card) == read(begin))

    def _odds(self, begin: str | None, alive: Callable[[], bool]) -> tuple[Odds | None, bool]:
        """Return the form that tells the chances of a card, and whether it carries all that a player may do."""
        found = self._forms.get(begin)
        if found is None:
            found = self._forms[begin] = self._form(begin, alive, True, False)
        if found[0] is not None:
            found[0].alive = alive
        return found

    def _form(self, begin: str | None, alive: Callable[[], bool], *ways: bool) -> tuple[Odds | None, bool]:
        """Return the first form that carries a card, of who takes cards back from the discard pile and who does not."""
        from rules.iditacards.odds.greatest import Odds

        for recovers in ways:
            with suppress(OutOfReach):
                return Odds(self, begin, alive, recovers=recovers), recovers
        return None, False

    def _pile(self, begin: str | None) -> Pile:
        """Return what tells both sides of a chance for which the discard pile is read."""
        from rules.iditacards.odds.pile import Pile

        if begin not in self._piles:
            self._piles[begin] = Pile(self, begin)
        return self._piles[begin]

    def _followed(
        self, begin: str | None, low: Fraction, high: Fraction, alive: Callable[[], bool]
    ) -> tuple[Fraction, Fraction]:
        """Return bounds of a chance once the discard pile is followed card by card, as far as that is carried.

        The hand left by a card is not that of one like it, so it is asked for itself.
        """
        from rules.iditacards.odds.traced import traced

        if begin is None or low == high:
            return low, high
        found = self._traces.get(begin)
        if found is None:
            found = low, high
            with suppress(OutOfReach):
                found = traced(self, begin, alive)
            if alive() or found[0] == found[1]:
                self._traces[begin] = found  # more time tells no more
        return max(low, found[0]), min(high, found[1])

    def _left(self, begin: str | None, odds: Odds, alive: Callable[[], bool]) -> bool:
        """Return whether cards were to come back on a leg, and who leaves them in the discard pile is asked instead."""
        if odds.reads:
            self._forms[begin] = self._form(begin, alive, False)
        return odds.reads

    def courses(self, alive: Callable[[], bool]) -> FaceDown:
        """Return what can be told of several cards one after the other."""
        from rules.iditacards.odds.face_down import FaceDown

        return FaceDown(self, alive)
