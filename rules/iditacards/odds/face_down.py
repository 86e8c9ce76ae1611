"""Several cards from the hand, one after the other, by a player who does not use what was drawn or looked at.

Whoever ignores what left the deck unseen by the aim finds the rest of the deck as unknown as it was: every set of cards
out of the *pool* of all that were not turned over for a risk is equally likely to be there, in every order. So tables
here hold a filler for every card that does nothing but pay, chance turns over risk cards only, and every value is that
of a real way to play; it is the greatest where nothing that is drawn or looked at could be put to another use.

Left out are the free actions, cards taken back from the discard pile, and all that follows a new day or the end of the
race; each of them only leaves ways to play out, so values stay those of a real one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple

from rules.core.folding import by_step
from rules.core.scripts import Answered, Barred, Script, every_way
from rules.core.steps import ChanceOutcome, Forced, Step
from rules.core.ventures import Course, Courses, Fared, Law, OutOfReach, TurnedUp
from rules.iditacards.moves import DONE, Continue, FreeAction, Put, Take
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.venture import RiskCards, Venturing
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table
from rules.iditacards.turn import Seat, Turn

ONE: Final = Fraction(1)
UNCOUNTED: Final = -1
"""Stands for a number of cards that nobody asks for, so that more stages are equal."""
UNBEGUN: Final = Fared(came=False, turns=0, cards=0)

Pool = tuple[int, ...]
"""Copies not turned over yet, by kind."""


class Followed(Turn):
    """A turn that notes whether the root of one seat resolves (R36), and goes on; it tells nothing."""

    __slots__ = ("came", "watched")

    def __init__(self, rulings: Rulings, table: Table, script: Script, seat: int) -> None:
        super().__init__(rulings, table, script)
        self.watched: Seat = self.seats[seat]
        self.came = False

    def tell(self, rule: str, kind: str, **data: Any) -> None:
        """Take notice of what a rule did."""
        if kind == "resolves" and len(self.watched.stack) == 1 and data["seat"] == self.watched.index:
            self.came = True


class Ignoring(Venturing):
    """Explores a turn of a player who leaves out what the module says."""

    __slots__ = ("_damage",)

    def __init__(
        self,
        steps: Sequence[Step | Forced],
        queue: list[Answered],
        begin: str | None,
        damage: frozenset[str],
    ) -> None:
        super().__init__(steps, queue, begin)
        self._damage = damage

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        if isinstance(answers[0], Take):
            answers = [answer for answer in answers if answer != DONE] or answers
        return super()._fresh(actor, answers)

    def _serves(self, answer: Step) -> bool:
        if isinstance(answer, Put):
            if answer.verb in ("recover", "restore"):
                return False
            return answer.verb != "destroy" or answer.card in self._damage
        return super()._serves(answer) and not isinstance(answer, FreeAction)


class After(NamedTuple):
    """One way through a turn."""

    steps: tuple[Step | Forced, ...]
    orders: int
    table: Table | None
    """None where nothing more is played."""
    came: bool
    """The root has come through on this turn or before."""
    waits: bool
    """The root waits, for risk cards or for its second step."""
    cards: int
    """Cards in hand and deck."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The start of a turn."""

    table: Table
    came: bool
    """The root of the stack came through, and waits for its second step (R40)."""
    plan: tuple[str, ...]
    """Cards to be begun, after the root that waits if there is one."""
    cards: int
    """Cards in hand and deck before the root was begun, or ``UNCOUNTED``."""


class FaceDown(Courses):
    """Courses of one player from one table; what they have in common is played once."""

    def __init__(self, ventures: RiskCards, alive: Callable[[], bool]) -> None:
        self._ventures = ventures
        self._alive = alive
        self._walks: dict[frozenset[str], _Walk] = {}
        player = ventures.table.players[ventures.seat]
        self._hand = frozenset(player.hand) - ventures.game.rulings.damage_ids

    def course(self, cards: Sequence[str], more: int = 0) -> Course:
        """Return how hand cards fare that are begun in this order."""
        under_way = self._ventures.under_way
        named = tuple(cards)
        rooted = under_way is not None and named[:1] == (under_way,)
        plan = named[1:] if rooted else named
        return Course(named, self._walk(plan).law(plan, more, rooted=rooted, counted=len(named) == 1))

    def turned_up(self, card: str) -> Sequence[TurnedUp]:
        """Return the cards that the first risk of a card may turn up, the likeliest first."""
        plan = () if self._ventures.under_way is not None else (card,)
        found = self._walk(plan).turned_up(plan)
        return sorted(found, key=lambda each: (-each.probability, each.card))

    def _walk(self, plan: Sequence[str]) -> _Walk:
        """Return what has been played so far; all hand cards may belong to a plan unless one reads too much."""
        for cards in (self._hand, frozenset(plan)):
            if cards in self._walks:
                return self._walks[cards]
            try:
                walk = self._walks[cards] = _Walk(self._ventures, self._alive, cards)
            except OutOfReach:
                if cards == frozenset(plan):
                    raise
            else:
                return walk
        raise OutOfReach


class _Walk:
    """Plans of some cards, played in every way that chance leaves."""

    def __init__(self, ventures: RiskCards, alive: Callable[[], bool], cards: frozenset[str]) -> None:
        self._ventures = ventures
        self._rulings = ventures.game.rulings
        self._seat = ventures.seat
        self._alive = alive
        self._scope = Scope(self._rulings, ventures.table, self._seat, None, recovers=False, also=cards, goes_on=True)
        self._turns: dict[tuple[Table, bool, tuple[str, ...], str | None], list[After]] = {}
        self._laws: dict[tuple[Stage, Pool], Law] = {}

    def law(self, plan: tuple[str, ...], more: int, *, rooted: bool, counted: bool) -> Law:
        """Return how the cards of a plan fare; before them the root under way, if it is ``rooted``.

        The cards that each costs are told where they are ``counted``.
        """
        table = self._ventures.table
        found = self._law(self._first(table, plan, more, counted=counted), self._scope.pool)
        if rooted or not self._waiting(table):
            return found
        return _summed((chance, {fared[1:]: ONE}) for fared, chance in found.items())

    def turned_up(self, plan: tuple[str, ...]) -> list[TurnedUp]:
        """Return what the first risk card may be, with the chance of the root after it; nothing where it is known."""
        table = self._ventures.table
        pool = self._scope.pool
        weights: dict[str, Fraction] = {}
        through: dict[str, Fraction] = {}
        stage = self._first(table, plan, 0, counted=True)  # as for the course, so that its laws are known
        starts = [(stage, ONE)] if self._waiting(table) else self._best_starts(stage, pool)
        for start, share in starts:
            if not self._turns_over(start.table.players[self._seat]):
                continue  # nothing is turned over, or it is no secret which card
            for card, chance, law in self._next_cards(start, pool):
                weights[card] = weights.get(card, Fraction(0)) + share * chance
                came = sum((part for fared, part in law.items() if fared[0].came), Fraction(0))
                through[card] = through.get(card, Fraction(0)) + share * chance * came
        return [TurnedUp(card, weight, through[card] / weight) for card, weight in weights.items()]

    def _best_starts(self, stage: Stage, pool: Pool) -> list[tuple[Stage, Fraction]]:
        """Return the stages that the first turn leads to, where the root waits, with their chances."""
        ends = self._turn(stage, None)
        found: list[tuple[Stage, Fraction]] = []

        def follow(group: list[After], depth: int, share: Fraction) -> None:
            first = group[0]
            if depth == len(first.steps):
                if first.waits and first.table is not None and not first.came:
                    found.append((self._next(stage, first), share * first.orders))
                return
            parts = by_step(group, depth)
            if isinstance(next(iter(parts)), ChanceOutcome):
                for step, part in parts.items():
                    assert isinstance(step, ChanceOutcome)
                    follow(part, depth + 1, share * step.probability)
                return
            follow(
                max(parts.values(), key=lambda part: _worth(self._folded(stage, part, pool, depth + 1))),
                depth + 1,
                share,
            )

        follow(ends, 0, ONE)
        return found

    def _waiting(self, table: Table) -> bool:
        return bool(table.players[self._seat].stack)

    def _first(self, table: Table, plan: tuple[str, ...], more: int, *, counted: bool) -> Stage:
        player = table.players[self._seat]
        hand = tuple(sorted([*player.hand, *[self._scope.filler] * more]))
        table = self._scope.with_player(table, player._replace(hand=hand))
        came = bool(player.stack) and player.stack[0].step == "second"
        bare = self._bare(table, plan)
        return Stage(bare, came, plan, self._count(bare) if counted else UNCOUNTED)

    def _bare(self, table: Table, plan: tuple[str, ...]) -> Table:
        """Return the table without what nothing reads, the cards of the plan left in the hand."""
        player = table.players[self._seat]
        bare = self._scope.bare(table)
        hand = list(bare.players[self._seat].hand)
        for card in plan:
            if card in player.hand:
                hand.remove(self._scope.filler)
                hand.append(card)
        held = bare.players[self._seat]._replace(hand=tuple(sorted(hand)))
        return self._scope.with_player(bare, held)

    def _count(self, table: Table) -> int:
        player = table.players[self._seat]
        return len(player.hand) + len(player.deck)

    # Laws

    def _law(self, stage: Stage, pool: Pool) -> Law:
        """Return how the root that waits and the cards of the plan fare from the start of a turn."""
        player = stage.table.players[self._seat]
        if not player.stack and not stage.plan:
            return {(): ONE}
        key = (stage, pool)
        found = self._laws.get(key)
        if found is None:
            found = self._laws[key] = self._of_turn(stage, pool, player)
        return found

    def _of_turn(self, stage: Stage, pool: Pool, player: Player) -> Law:
        if not player.stack and stage.plan[0] not in player.hand:  # it has paid for another one
            rest = self._law(Stage(stage.table, False, stage.plan[1:], stage.cards), pool)
            return {(UNBEGUN, *fared): chance for fared, chance in rest.items()}
        if not self._turns_over(player):
            return self._folded(stage, self._turn(stage, None), pool, 0)
        return _summed((chance, law) for _, chance, law in self._next_cards(stage, pool))

    def _turns_over(self, player: Player) -> bool:
        """Return whether the turn begins with a card that nobody knows."""
        waits = bool(player.stack) and player.stack[-1].step == "risk"
        return waits and bool(player.deck) and not player.known and not self._rulings.deck_open

    def _next_cards(self, stage: Stage, pool: Pool) -> Iterable[tuple[str, Fraction, Law]]:
        """Yield the cards that may be turned up, with their chances and how the cards fare after them."""
        deck = stage.table.players[self._seat].deck
        filler = self._scope.filler
        unknown = deck.count(filler)
        for card in sorted(set(deck) - {filler}):
            yield card, Fraction(deck.count(card), len(deck)), self._folded(stage, self._turn(stage, card), pool, 0)
        for kind, copies in enumerate(pool if unknown else ()):
            if copies:
                card = self._scope.kinds[kind]
                left = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                law = self._folded(stage, self._turn(stage, card), left, 0)
                yield card, Fraction(unknown * copies, len(deck) * sum(pool)), law

    def _folded(self, stage: Stage, ends: list[After], pool: Pool, depth: int) -> Law:
        """Return the law of a turn: means over chance, the best of choices; as ``rules.core.folding.fold``."""
        first = ends[0]
        if depth == len(first.steps):
            return _scaled(first.orders, self._of_end(stage, first, pool))
        parts = by_step(ends, depth)
        laws = [(step, self._folded(stage, part, pool, depth + 1)) for step, part in parts.items()]
        if len(laws) == 1 and not isinstance(laws[0][0], ChanceOutcome):
            return laws[0][1]
        if isinstance(laws[0][0], ChanceOutcome):
            return _summed((step.probability, law) for step, law in laws if isinstance(step, ChanceOutcome))
        return max((law for _, law in laws), key=_worth)

    def _of_end(self, stage: Stage, end: After, pool: Pool) -> Law:
        if end.waits and end.table is not None:
            return _longer(self._law(self._next(stage, end), pool))
        counted = stage.cards != UNCOUNTED
        fared = Fared(end.came, 1, max(0, stage.cards - end.cards) if counted else 0)
        rest = stage.plan if stage.table.players[self._seat].stack else stage.plan[1:]
        if end.table is None:
            return {(fared, *[UNBEGUN] * len(rest)): ONE}
        after = Stage(end.table, False, rest, self._count(end.table) if counted else UNCOUNTED)
        return {(fared, *others): chance for others, chance in self._law(after, pool).items()}

    def _next(self, stage: Stage, end: After) -> Stage:
        """Return the start of the next turn, the root waiting."""
        assert end.table is not None
        rest = stage.plan if stage.table.players[self._seat].stack else stage.plan[1:]
        return Stage(end.table, end.came, rest, stage.cards)

    # Turns

    def _turn(self, stage: Stage, top: str | None) -> list[After]:
        """Return all ways through a turn, with ``top`` on the deck where it is given."""
        key = (stage.table, stage.came, stage.plan, top)
        found = self._turns.get(key)
        if found is None:
            found = self._turns[key] = list(self._played(stage, top))
        return found

    def _played(self, stage: Stage, top: str | None) -> Iterable[After]:
        table, seat, rulings = stage.table, self._seat, self._rulings
        player = table.players[seat]
        begin = None if player.stack else stage.plan[0]
        steps: Answered = []
        if top is not None:
            steps.append(Continue())  # fillers pay alike, so the payment need not be asked for
            deck = list(player.deck)
            deck.remove(top if top in rulings.damage_ids else self._scope.filler)
            table = self._scope.with_player(table, player._replace(deck=(top, *deck), known=1))
        rest = stage.plan if begin is None else stage.plan[1:]
        for script in every_way(partial(Ignoring, begin=begin, damage=rulings.damage_ids), steps):
            if not self._alive():
                raise OutOfReach
            turn = Followed(rulings, table, script, seat)
            try:
                self._ventures.game.run(turn)
            except Barred as barred:  # a card that can only be paid for after free actions, which are left out here
                raise OutOfReach from barred
            own = turn.watched
            ended = turn.over or turn.day != table.day or own.finished
            came = stage.came or turn.came
            after = None if ended else self._bare(turn.frozen()._replace(active=seat), rest)
            waits = not ended and bool(own.stack)
            yield After(tuple(script.steps), script.orders, after, came, waits, len(own.hand) + len(own.deck))


def _worth(law: Law) -> tuple[Fraction, Fraction]:
    """Return what is made the most of: cards that come through, then as few turns as possible."""
    came = sum((chance * sum(each.came for each in fared) for fared, chance in law.items()), Fraction(0))
    turns = sum((chance * sum(each.turns for each in fared) for fared, chance in law.items()), Fraction(0))
    return came, -turns


def _summed(parts: Iterable[tuple[Fraction | int, Law]]) -> Law:
    total: dict[tuple[Fared, ...], Fraction] = {}
    for share, law in parts:
        for fared, chance in law.items():
            total[fared] = total.get(fared, Fraction(0)) + share * chance
    return total


def _scaled(factor: int, law: Law) -> Law:
    return law if factor == 1 else {fared: factor * chance for fared, chance in law.items()}


def _longer(law: Law) -> Law:
    """Return a law with one more turn spent on the first card."""
    return {
        (Fared(fared[0].came, fared[0].turns + 1, fared[0].cards), *fared[1:]): chance for fared, chance in law.items()
    }
