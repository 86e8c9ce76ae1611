"""The chance that a risk card comes through, exactly, without turning over what does not matter.

Nothing that a venture does depends on which cards the hand holds: no hand card is played again before the root
resolves (R14), and any card that is no damage card pays energy alike (R22). So the tables here hold a *filler* in the
place of every such card. The cards of a hidden deck are exchangeable: that a card was paid for health or drawn says
nothing about the others, so only the cards that are turned over for a risk are revealed, each out of a *pool* of all
cards not revealed yet, and all else that leaves the deck leaves it unseen. Damage cards are told apart throughout.

Who decides something knows by then which cards have left the deck. So where a decision comes up whose options differ
for the aim, and where cards are looked at, everything is revealed at that point: the cards looked at and the rest of
the deck, out of the pool.

Two kinds of cards are *alike* when turning over either leads to the same, now and in all that follows. Then no value
depends on which of the two lies where, and they are counted together.

What nothing reads is left out of the tables. Where something does read the discard pile, the form gives up, and
``odds.pile`` is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from math import comb
from operator import add
from typing import Final

from rules.core.ventures import Fate, OutOfReach, TurnedUp
from rules.iditacards.odds.blind import Blind, Pool, counted, shares
from rules.iditacards.odds.counts import Counted
from rules.iditacards.odds.first import First
from rules.iditacards.odds.grafts import Grafts
from rules.iditacards.odds.nodes import Alike, Chance, Choice, End, Look, Node, Nodes, Situation, Turned
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.spots import Spots
from rules.iditacards.odds.tree import Noted, Path
from rules.iditacards.odds.turns import Steps, Turns
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Table

ZERO: Final = Fraction(0)

Worth = tuple[float, Fraction]
"""A value and about how large it is, which is quicker to compare."""
NEAR: Final = 1e-9
"""Difference under which values are compared exactly."""


class Odds:
    """The chance of one venture from one table."""

    def __init__(
        self,
        ventures: RiskCards,
        begin: str | None,
        alive: Callable[[], bool],
        *,
        recovers: bool = True,
        dominance: bool = True,
        grafts: bool = True,
        counts: bool = True,
        boards: bool = True,
    ) -> None:
        """``recovers`` false: a player who takes no card back that may be left in the discard pile.

        ``dominance`` false looks at ways that others dominate too, ``grafts`` false plays every turn over the whole
        stack, ``counts`` false plays it from every hand, deck and place, and ``boards`` false plays all of a turn for
        whoever goes on too, as controls.
        """
        self._ventures = ventures
        self._rulings = ventures.game.rulings
        self._seat = ventures.seat
        self._begin = begin
        self.alive = alive
        """Asked now and then whether there is time left."""
        self.at_least = ZERO
        """The chance of one way to play, known before the greatest."""
        self._plain: Fraction | None = None
        self._told: Fraction | None = None
        self._first: First | None = None
        self._chose = False
        self._scope = Scope(ventures.game.rulings, ventures.table, ventures.seat, begin, recovers=recovers)
        self._turns = Turns(ventures, self._scope, self._has_time, recovers=recovers)
        self._grafts = grafts and self._scope.stack_apart
        self._dominance = dominance
        self._paths: dict[tuple[Table, str | None, Steps, bool], list[Path[Table]]] = {}
        self._parts: dict[tuple[Table, str | None, Steps, bool], list[Path[Table]]] = {}
        self._rests: dict[Table, list[Path[Table]]] = {}
        """Parts of turns, as ``odds.grafts`` has them: from the start, and from where a frame resolves."""
        self._boards = boards and counts and grafts
        counted = counts and self._grafts and not self._rulings.deck_open
        self._counted = (
            Counted(self._rulings, self._scope, self._seat, ventures.table, self._turns) if counted else None
        )
        self._begin_phase(blind=True, free=False)

    def _has_time(self) -> bool:
        return self.alive()

    def _begin_phase(self, *, blind: bool, free: bool) -> None:
        """Forget what holds for one kind of player alone."""
        self._turns.free = free
        self._nodes = Nodes(len(self._scope.kinds), dominance=self._dominance)
        self._spots = (
            Spots(self._rulings, self._scope, self._nodes, self._counted, self._turns, blind=blind)
            if self._counted is not None
            else None
        )
        self._situations: dict[tuple[Table, Pool], Situation] = {}
        self._values: dict[Situation, dict[Pool, Worth]] = {}
        self._decisions: dict[tuple[Choice | Look, Pool], Fraction] = {}

    @property
    def reads(self) -> bool:
        """Whether a turn has led to where cards come back from the discard pile."""
        return self._scope.reading

    def plain(self) -> Fraction:
        """Return the greatest chance of who goes on and no more, and does not use what was drawn or looked at.

        Raises:
            OutOfReach: something reads what is left out, or time is up.
        """
        if self._plain is None:
            self._plain = self.going_on(free=False)
        return self._plain

    def turned_up(self) -> list[TurnedUp]:
        """Return what the first risk may turn up, with the chance after it of whoever ``plain`` tells of.

        Raises:
            OutOfReach: it is not known, or time is up.
        """
        self.plain()
        if self._first is None:
            raise OutOfReach
        return self._first.turned_up()

    def chance(self) -> Fraction:
        """Return the greatest chance.

        Free actions are looked at only where one can matter: some card says so, or a turn has led to another leg, which
        another speed might have avoided. Who just goes on with free actions is left out where something is known to be
        decided or looked at: that would take a good part of the time, and tell no more than a lower bound.

        Raises:
            OutOfReach: something reads what is left out, or time is up.
        """
        if self._told is None:
            self._told = self._of_open_deck() if self._rulings.deck_open else self._of_hidden_deck()
        return self._told

    def _of_hidden_deck(self) -> Fraction:
        value = self.plain()
        free = self._scope.free_actions or self._scope.touched
        if free and not self._chose:
            value = self.going_on(free=True)
        if self._chose:
            free |= self._scope.free_seeing
            value = self.seeing(free=free)
            if not free and self._scope.touched:
                value = self.seeing(free=True)
        return value

    def seeing(self, *, free: bool) -> Fraction:
        """Return the greatest chance of who uses what was seen; free actions are looked at where they are ``free``."""
        if self._boards:
            with suppress(OutOfReach):
                return Seeing(self._ventures, self._scope, self._has_time, free=free).chance()
        self._begin_phase(blind=False, free=free)
        return self._of_node(self._start(), self._scope.pool)

    def going_on(self, *, free: bool) -> Fraction:
        """Return the greatest chance of who uses nothing that was seen: a lower bound, found soon.

        Free actions are looked at where they are ``free``.

        Raises:
            OutOfReach: something reads what is left out, or time is up.
        """
        going: First | Blind
        try:
            if not self._boards:
                raise OutOfReach
            going = First(self._ventures, self._scope, self._has_time, free=free)
            value = going.chance()
            if not free:
                self._first = going
        except OutOfReach:
            self._begin_phase(blind=True, free=free)
            going = Blind()
            value = going.chance(self._start(), self._scope.pool)
        self.at_least = max(self.at_least, value)
        self._chose = going.chose
        return value

    def _of_open_deck(self) -> Fraction:
        """Return 1 if some way leads through, else 0: with an open deck nothing is left to chance.

        The upgrade decks and the supply, where they count at all, hold nothing but fillers; nothing else is drawn.
        """
        for free in (False, True):
            if free and not self._scope.free_actions and not self._scope.touched:
                break
            self._turns.free = free
            seen: set[Table] = set()
            todo: list[tuple[Table, str | None]] = [(self._scope.bare(self._ventures.table), self._begin)]
            while todo:
                table, begin = todo.pop()
                for way, _ in self._watched(self._turns.played(table, None, (), begin)):
                    if way.fate is Fate.THROUGH:
                        return Fraction(1)
                    if way.table is not None and way.table not in seen:
                        seen.add(way.table)
                        todo.append((way.table, None))
        return ZERO

    def _start(self) -> Node | Situation:
        scope = self._scope
        start = scope.bare(self._ventures.table)
        if self._begin is None:
            return self._situation(start, scope.risky)
        return self._turn(start, None, (), scope.risky, self._begin)

    def _of_node(self, node: Node | Situation, pool: Pool) -> Fraction:
        return self._value(node, pool) if isinstance(node, Situation) else self._worth(node, pool)

    # What can happen

    def _situation(self, table: Table, left: Pool) -> Situation:
        """Return the situation of a table at the start of a turn of a venture that waits.

        ``left`` are the copies not turned over of each kind that has a risk cost; only such cards make ventures long.
        """
        player = table.players[self._seat]
        if self._spots is not None and self._counted is not None and not player.known:
            return self._spots.situation(self._counted.spot(table), left).situation
        key = (table, left)
        found = self._situations.get(key)
        if found is None:
            found = self._situations[key] = self._looked_into(table, left)
        return found

    def _looked_into(self, table: Table, left: Pool) -> Situation:
        scope, nodes = self._scope, self._nodes
        player = table.players[self._seat]
        deck = player.deck
        turns_over = not self._rulings.deck_open and not player.known and player.stack[-1].step == "risk"
        if not turns_over or not deck:
            return nodes.situation(len(deck), 0, (), self._turn(table, None, (), left))
        unknown = deck.count(scope.filler)
        ways = [
            nodes.turned(
                [self._turned(table, prefix, left, kind) for kind in range(len(scope.kinds))] if unknown else [],
                [
                    (deck.count(card), self._turn(table, card, prefix, left))
                    for card in sorted(set(deck) - {scope.filler})
                ],
            )
            for prefix in (self._turns.sequences(table) if self._turns.free else [()])
        ]
        return nodes.situation(len(deck), unknown, ways, None)

    def _turned(self, table: Table, prefix: Steps, left: Pool, kind: int) -> Node:
        """Return what follows when a card of a kind is turned over; a kind that has run out never is."""
        card = self._scope.kinds[kind]
        if self._rulings.cards[card].risk:
            if not left[kind]:
                return self._nodes.lost
            left = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
        return self._turn(table, card, prefix, left)

    def _turn(self, table: Table, top: str | None, prefix: Steps, left: Pool, begin: str | None = None) -> Node:
        """Return all ways through a turn, with ``top`` on the deck where it is given."""
        key = (table, top, prefix, self._turns.free)
        paths = self._paths.get(key)
        if paths is None:
            paths = self._paths[key] = list(self._ways(table, top, prefix, begin))
        return self._nodes.tree(paths, lambda after: self._situation(after, left))

    def _ways(self, table: Table, top: str | None, prefix: Steps, begin: str | None) -> Iterator[Path[Table]]:
        if not self._grafts or not table.players[self._seat].stack:
            return (path for path, _ in self._watched(self._turns.played(table, top, prefix, begin)))

        def play(part: Table) -> list[Path[Table]]:
            key = (part, top, prefix, self._turns.free)
            found = self._parts.get(key)
            if found is None:
                ways = self._watched(self._turns.played(part, top, prefix, None, part=True))
                found = self._parts[key] = [path for path, _ in ways]
            return found

        return Grafts(self._seat, self._scope.filler, self._resumed).turn(table, play)

    def _resumed(self, part: Table) -> list[Path[Table]]:
        """Return all ways through the rest of a turn in which the top frame begins to resolve."""
        found = self._rests.get(part)
        if found is None:
            ways = self._watched(self._turns.explored(part, [], None, free=False, part=True, resolving=True))
            found = self._rests[part] = [path for path, _ in ways]
        return found

    def _watched(self, ways: Iterable[tuple[Path[Table], Noted]]) -> Iterator[tuple[Path[Table], Noted]]:
        for path, turn in ways:
            if path.fate is not Fate.THROUGH:
                self._scope.watch(turn.watched.pos, over=turn.over)
            yield path, turn

    # What it is worth

    def _value(self, situation: Situation, pool: Pool) -> Fraction:
        """Return the chance at the start of a turn of a venture that waits."""
        return self._known(situation, counted(pool, situation.alike))[1]

    def _known(self, situation: Situation, pool: Pool) -> Worth:
        """Return the chance for a pool whose kinds that are alike are counted together."""
        values = self._values.setdefault(situation, {})
        known = values.get(pool)
        if known is None:
            value = self._of_turn(situation, pool)
            known = values[pool] = (float(value), value)
        return known

    def _of_turn(self, situation: Situation, pool: Pool) -> Fraction:
        if situation.node is not None:
            return self._worth(situation.node, pool)
        ways = situation.ways
        if len(ways) == 1:
            return self._next_card(situation, ways[0], pool)
        return self._revealed(
            situation.unknown, pool, lambda deck: max(self._next_card(situation, way, deck) for way in ways)
        )

    def _next_card(self, situation: Situation, way: Turned, pool: Pool) -> Fraction:
        """Return the chance over all cards that may be on top."""
        value = sum((copies * self._worth(node, pool) for copies, node in way.damage), ZERO)
        if situation.unknown:
            plain = ZERO
            for kind, copies in enumerate(pool):
                if copies:
                    left = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                    plain += copies * self._worth(way.kinds[kind], left)
            value += situation.unknown * plain / sum(pool)
        return value / situation.cards

    def _worth(self, node: Node, pool: Pool) -> Fraction:
        if isinstance(node, End):
            if node.situation is None:
                return Fraction(node.orders) if node.through else ZERO
            return node.orders * self._value(node.situation, pool)
        if isinstance(node, Chance):
            return sum((chance * self._worth(after, pool) for chance, after in node.ways), ZERO)
        pool = counted(pool, self._nodes.alike(node))
        known = self._decisions.get((node, pool))
        if known is None:
            known = self._decisions[node, pool] = self._decided(node, pool)
        return known

    def _decided(self, node: Choice | Look, pool: Pool) -> Fraction:
        if isinstance(node, Choice):
            ways = node.ways
            return self._revealed(node.below, pool, lambda deck: max(self._worth(after, deck) for after in ways))
        value = ZERO
        size = sum(pool)
        for shown, many in shares(pool, node.looked):
            others = tuple(copies - gone for copies, gone in zip(pool, shown, strict=True))
            value += many * self._revealed(node.below, others, self._best_kept(node.ways, shown))
        return value / comb(size, node.looked)

    def _best_kept(self, ways: tuple[tuple[int, Node], ...], shown: Pool) -> Callable[[Pool], Fraction]:
        """Return what a look is worth for each deck below it, with the best cards put back."""
        plans: dict[Alike, list[tuple[Situation, int, set[Pool]]]] = {}
        others: list[tuple[Pool, Node]] = []
        for returned, after in ways:
            backs = [back for back, _ in shares(shown, returned)]
            if isinstance(after, End) and after.situation is not None:
                alike = after.situation.alike
                merged = {counted(back, alike) for back in backs}
                plans.setdefault(alike, []).append((after.situation, after.orders, merged))
            elif after is not self._nodes.lost:
                others.extend((back, after) for back in backs)

        def best(below: Pool) -> Fraction:
            found = [self._worth(after, tuple(map(add, below, back))) for back, after in others]
            for alike, plan in plans.items():
                merged = counted(below, alike)
                for situation, orders, backs in plan:
                    found.append(orders * self._greatest(situation, merged, backs))
            return max(found, default=ZERO)

        return best

    def _greatest(self, situation: Situation, below: Pool, backs: set[Pool]) -> Fraction:
        """Return the greatest chance over some cards put back into a deck."""
        values = self._values.setdefault(situation, {})
        about, top = 0.0, ZERO
        for back in backs:
            pool = tuple(map(add, below, back))
            known = values.get(pool) or self._known(situation, pool)
            if known[0] > about + NEAR or (known[0] > about - NEAR and known[1] > top):
                about, top = known
        return top

    def _revealed(self, size: int, pool: Pool, worth: Callable[[Pool], Fraction]) -> Fraction:
        """Return the mean worth over all decks of ``size`` cards out of a pool, each being known when it comes up."""
        total = sum(pool)
        if size == total:
            return worth(pool)
        value = ZERO
        for deck, many in shares(pool, size):
            if not self.alive():
                raise OutOfReach
            value += many * worth(deck)
        return value / comb(total, size)
