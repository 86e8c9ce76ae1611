"""``LOOP`` of cards that turn one good into another and back: a mix that gains, or the proof that none does.

A game says what single cards do to the goods of a seat that has nothing else (``Race.exchanges``). Cards that come back
by a reshuffle can be used again and again. An integer program proposes a mix that loses nothing and gains something.
Play from an open deal whose hand holds it confirms it. Where there is none, weights of the goods show it
(``solver/model/exchange.py``): by them no card of the kind raises the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import combinations, count, islice
from typing import Any, Final

from rules.core.chance import mix
from rules.core.chance import mix as mixed
from rules.core.position import Position
from rules.core.race import Race, Tally, tally
from rules.core.registry import Ruleset
from rules.core.tools.relaxation import under
from solver.audit.finding import Finding, Level, Notebook, Searched, Witness, place_of
from solver.audit.play import kinds_of_ends, opening, race_of, texts
from solver.audit.stall import quietest
from solver.audit.suite import lists, plain
from solver.model.exchange import Change, Mix, gaining, round_trip, weights
from solver.search.budget import Budget

DEALS: Final = 400
"""Open deals looked at for a hand that holds a mix."""
WAYS: Final = 200
"""Ways through a turn that are looked at for one in which a card is used."""
WAIT: Final = 8
"""Turns waited for a turn in which it can be used, and for what it does."""


def find_exchanges(notebook: Notebook) -> None:
    """Write down a mix of exchanges that gains, or why none does; nothing where the game has no such cards."""
    game = race_of(opening(notebook.ruleset, notebook.seed))
    known = game.exchanges()
    trades = {card: change for card, change in known.items() if min(change.values()) < 0 < max(change.values())}
    if not trades:
        return
    found = gaining(trades)
    if found is None:
        notebook.searched.append(Searched("LOOP", _none_gains(trades)))
        return
    witness = confirmed(notebook, found)
    what = f"exchanges by {', '.join(trades)}: {_mix_text(found)}{'' if witness else ', in no deal looked at'}"
    notebook.searched.append(Searched("LOOP", what, complete=witness is not None))
    if witness is not None:
        notebook.findings.append(_finding(notebook, found, witness))


def _none_gains(trades: Mapping[str, Change]) -> str:
    """Return the certificate that no mix gains, in words, with the way round that loses least."""
    proof, loop = weights(trades), round_trip(trades)
    told = f"exchanges by {', '.join(trades)}: no mix of them gains"
    if proof is not None:
        summed = " + ".join(_name(good) if n == 1 else f"{n} {_name(good)}" for good, n in proof.items())
        told += f", for none raises {summed}"
    return told + (f"; of the ways round, {_mix_text(loop)} loses least" if loop is not None else "")


def _mix_text(found: Mix) -> str:
    cards = ", ".join(card if number == 1 else f"{number} x {card}" for card, number in found.times.items())
    changes = ", ".join(f"{_name(good)} {number:+d}" for good, number in found.change.items())
    return f"{cards} ({changes})"


def _name(good: str) -> str:
    """Return the last word of a good's path."""
    return good.rpartition(".")[2]


def confirmed(notebook: Notebook, found: Mix) -> Witness | None:
    """Return a line from an open deal in which the cards of a mix, and nothing else, do what is said of them."""
    cards = [card for card, number in found.times.items() for _ in range(number)]
    for deal in range(DEALS):
        if notebook.budget.is_over:
            return None
        position = opening(notebook.ruleset, mixed(notebook.seed ^ deal))
        game, table = race_of(position), position.table()
        hand = list(game.hand(table))
        if any(hand.count(card) < cards.count(card) for card in cards):
            continue
        steps: list[str] = []
        for card in cards:
            used = _used(game, table, card)
            if used is None:
                break
            table, more = used
            steps += more
        else:
            return Witness(position, tuple(steps))
    return None


def _used(game: Race[Any], table: Any, card: str) -> tuple[Any, list[str]] | None:
    """Return the table after a card has done what is said of it and nothing more, with the steps; or nothing."""
    expected, before = game.exchanges()[card], _numbers(game, table)
    steps: list[str] = []
    for _ in range(WAIT):
        held = list(game.hand(table)).count(card)
        for end in islice(game.turn_ends(table), WAYS):
            laid = [text for text in texts(end) if card in text.split()]
            if not laid or list(game.hand(end.table)).count(card) >= held:
                continue
            after, taken = end.table, list(texts(end))
            for _ in range(WAIT):
                if _numbers(game, after) == {good: held + expected.get(good, 0) for good, held in before.items()}:
                    return after, steps + taken
                following = quietest(game, after)
                after = following.table
                taken += texts(following)
        quiet = quietest(game, table)
        table = quiet.table
        steps += texts(quiet)
    return None


def _numbers(game: Race[Any], table: Any) -> dict[str, int]:
    """Return the goods of a table that are numbers."""
    return {good: held for good, held in tally(game, table).goods.items() if ": " not in good}


def _finding(notebook: Notebook, found: Mix, witness: Witness) -> Finding:
    return Finding(
        code="LOOP",
        subject=f"exchange {' / '.join(sorted(found.times))}",
        level=Level.ERROR,
        claim=f"cards that come back turn goods into each other and more: {_mix_text(found)}",
        place=place_of(notebook.ruleset, sorted(found.times)),
        witness=witness,
        measure=sum(found.change.values()),
        data={"kind": "exchange", "times": dict(found.times), "change": dict(found.change)},
    )


# Loops proposed by walks from lucky deals: tables that cover an earlier one of their line (Karp and Miller 1969)


LUCKY_DEALS: Final = 24
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
WALK_WAYS: Final = 40
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
    hands = [_hand(opening(ruleset, mix(seed ^ number))) for number in range(LUCKY_DEALS)]
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
    for end in kinds_of_ends(game, node.table, WALK_WAYS):
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
