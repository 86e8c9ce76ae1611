"""Loops proposed by walks from lucky deals: tables that cover an earlier one of their line (Karp and Miller 1969).

Recorded play seldom holds the cards of an engine together. Here new and changed cards lie in the first hand, having
changed places with others of the same pile: another order of it, and so another possible deal. From there tables
are walked, the most promising first. A table that has everything of an earlier table of its line, and no less of any
good, closes a loop; the goods that it gained count as unbounded from then on (acceleration), and a table that another
one covers is not walked. Only proposals come from here: what holds is shown by playing it (``loop.confirm``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import combinations, count
from typing import Any, Final

from rules.core.chance import mix
from rules.core.position import Position
from rules.core.race import Race, Tally, tally
from rules.core.registry import Ruleset
from rules.core.tools.relaxation import under
from solver.audit.questions import lists, plain
from solver.audit.recorded import kinds_of_ends, opening, race_of, texts
from solver.search.budget import Budget

DEALS: Final = 24
"""Deals whose hands tell which cards may be dealt."""
COPIES: Final = 2
"""Copies of a card in a lucky hand at most,"""
TOGETHER: Final = 2
"""and different cards."""
HANDS: Final = 6
"""Lucky hands at most."""
WALKED: Final = 60
"""Tables of one deal from which ways on are looked at."""
DEPTH: Final = 8
"""Turns of a line at most."""
WAYS: Final = 40
"""Ways through a turn that are looked at for each kind of first move,"""
KEPT: Final = 3
"""and that are walked on."""


@dataclass(frozen=True, slots=True)
class Node:
    """A table of a walk, with the line that leads to it."""

    table: Any
    tally: Tally
    unbounded: frozenset[str]
    """Goods of which there is as much as wanted, once the loops of the line are repeated."""
    turn: tuple[str, ...]
    """Texts of the steps of the turn before."""
    before: Node | None
    depth: int

    def line(self) -> list[Node]:
        """Return the nodes of the line, the start first."""
        return [*(self.before.line() if self.before is not None else ()), self]

    def covers(self, other: Node) -> bool:
        """Return whether nothing that can follow the other table is out of reach here, by the goods alone."""
        if self.tally.rest != other.tally.rest or not other.unbounded <= self.unbounded:
            return False
        mine, theirs = self.tally.goods, other.tally.goods
        return all(name in self.unbounded or mine.get(name, 0) >= most for name, most in theirs.items())


@dataclass(frozen=True, slots=True)
class Covered:
    """A line whose last turns seem to use nothing up."""

    line: tuple[tuple[str, ...], ...]
    """Turns before the loop."""
    cycle: tuple[tuple[str, ...], ...]


def lucky_deals(ruleset: Ruleset, cards: Sequence[str], seed: int) -> Iterator[Position]:
    """Yield deals with some of the cards in the first hand, one card by itself first, then two together."""
    hands = [_hand(opening(ruleset, mix(seed ^ number))) for number in range(DEALS)]
    dealt = {name for hand in hands for name in hand}
    able = [card for card in cards if card in dealt]
    wanted = [(card,) for card in able] + list(combinations(able, TOGETHER))
    position = opening(ruleset, mix(seed))
    for names in wanted[:HANDS]:
        changed = _with(position, names, dealt)
        if changed is not None:
            yield changed


def _hand(position: Position) -> list[str]:
    game: Any = position.game
    return sorted(game.hand(position.table()))


def _with(position: Position, names: Sequence[str], dealt: set[str]) -> Position | None:
    """Return a deal with as many copies of some cards in the hand as there are, each for another card of its pile."""
    state = plain(position.state)
    hand = next((each for each in lists(state) if sorted(each) == _hand(position)), None)
    if hand is None or position.pending:
        return None
    piles = [each for each in lists(state) if each is not hand and len(dealt.intersection(each)) > 1]
    for name in names:
        for pile in piles:
            while hand.count(name) < COPIES and name in pile:
                place = next((at for at, card in enumerate(hand) if card not in names), None)
                if place is None:
                    break
                at = pile.index(name)
                hand[place], pile[at] = pile[at], hand[place]
    hand.sort()
    if not all(name in hand for name in names):
        return None
    return under(replace(position, state=state), position.ruleset)


def covered(position: Position, names: Sequence[str], budget: Budget) -> Iterator[Covered]:
    """Yield the loops that a walk from a deal comes by."""
    game = race_of(position)
    table = position.table()
    root = Node(table, tally(game, table), frozenset(), (), None, 0)
    order = count()
    queue = [((0, 0), next(order), root)]
    seen = {root.tally.rest: [root]}
    walked = 0
    while queue and walked < WALKED and not budget.is_over:
        _, _, node = heappop(queue)
        walked += 1
        for end in _ways_on(game, node, names):
            turn = texts(end)
            child = Node(end.table, tally(game, end.table), node.unbounded, turn, node, node.depth + 1)
            line = child.line()
            for place, earlier in reversed(list(enumerate(line[:-1]))):
                gains = child.tally.gains(earlier.tally)
                if gains is not None:
                    turns = tuple(each.turn for each in line[1:])
                    yield Covered(turns[:place], turns[place:])
                    child = replace(child, unbounded=child.unbounded | gains.keys())
                    break
            known = seen.setdefault(child.tally.rest, [])
            if child.depth < DEPTH and not any(each.covers(child) for each in known):
                known.append(child)
                heappush(queue, (_rank(game, child, names), next(order), child))


def _ways_on(game: Race[Any], node: Node, names: Sequence[str]) -> Iterator[Any]:
    """Yield ways through the next turn: of each kind of first move those that leave most of the cards in the hand."""
    kinds: dict[str, list[Any]] = {}
    for end in kinds_of_ends(game, node.table, WAYS):
        first = "".join(texts(end)[:1])
        kinds.setdefault(" ".join(first.split()[:2]), []).append(end)
    for ends in kinds.values():
        ends.sort(key=lambda end: -_promise(game, end.table, names))
        yield from ends[:KEPT]


def _promise(game: Race[Any], table: Any, names: Sequence[str]) -> int:
    hand = game.hand(table)
    return 10 * sum(hand.count(name) for name in names) + game.promise(table, 0)


def _rank(game: Race[Any], node: Node, names: Sequence[str]) -> tuple[int, int]:
    return node.depth, -_promise(game, node.table, names)
