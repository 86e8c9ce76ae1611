"""Loops looked for on tables that are built for them: the cards in the hand, the rest below them or with them.

Which cards go together is told by what is new or changed: all of them, pairs, and single ones with several copies; for
cards that turn goods into each other, by an integer program (``solver/model/exchange.py``). No random deal decides.

- *Walks* play these cards alone, and look for tables that have at least what an earlier one of their line had.
- *Exchanges*: a game says what single cards do to the goods of a seat that has nothing else (``Race.exchanges``). Cards
  that come back by a reshuffle can be used again and again. A mix that loses nothing and gains something is played card
  by card. Where there is none, weights of the goods show it: by them no card of the kind raises the sum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import combinations, count, islice, product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.core.position import Position
from rules.core.race import Race, Tally, tally
from rules.core.registry import Ruleset
from rules.core.scripts import mix
from rules.core.tools.output import plain
from solver.audit.finding import Level, Notebook, Searched, Witness
from solver.audit.play import kinds_of_ends, opening, texts
from solver.audit.stall import quietest
from solver.audit.suite import lists, playable
from solver.search.budget import Budget
from solver.search.rollout import kind_of

if TYPE_CHECKING:
    from solver.model.exchange import Change, Mix

Cycle = tuple[tuple[str, ...], ...]
"""Texts of the decided steps of some turns in a row."""

COPIES: Final = 2
"""Copies of a card in a hand at most."""
TOGETHER: Final = 8
"""Cards at most that are tried all together."""
PAIRED: Final = 4
"""Cards at most that are tried in pairs and one by one."""


class Proposal(NamedTuple):
    """Turns after which nothing seems to be used up."""

    line: tuple[str, ...]
    """Texts of the steps before them."""
    table: Any
    """Where they begin."""
    cycle: Cycle


def groups(cards: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield which cards are held together: all, if not too many, pairs, single ones, and those with each other card."""
    if 2 < len(cards) <= TOGETHER:
        yield tuple(cards)
    some = cards[:PAIRED]
    yield from combinations(some, 2)
    yield from ((card,) for card in some)
    yield from product(some, others)


def built(position: Position, wanted: Mapping[str, int], kinds: int | None = None) -> Position | None:
    """Return a deal whose hand is so many copies of some cards, as far as there are any, and the rest lies in the deck.

    With a number of ``kinds`` only so many kinds of card lie there, the commonest, and the hand holds all others. Of
    other piles the cards that do nothing lie on top. Nothing where hands are no lists of cards, or the rules refuse it.
    """
    game, state = position.game, plain(position.state)
    known = sorted(game.hand(position.table()))
    hand = next((each for each in lists(state) if sorted(each) == known), None)
    if hand is None or position.pending:
        return None
    piles = [each for each in lists(state) if each is not hand]
    deck = max((each for each in piles if {*known} & {*each}), key=len, default=None)
    if deck is None:
        return None
    for name, number in wanted.items():
        for pile in (deck, *piles):
            while hand.count(name) < number and name in pile:
                pile.remove(name)
                hand.append(name)
    if not all(name in hand for name in wanted):
        return None
    if kinds is not None:
        stays = Counter(dict(Counter(deck).most_common(kinds)))
        hand += (Counter(deck) - stays).elements()
        deck[:] = stays.elements()
    else:
        kept = Counter({name: min(number, hand.count(name)) for name, number in wanted.items()})
        deck += (Counter(hand) - kept).elements()
        hand[:] = kept.elements()
    entries = position.ruleset.raw.get("cards", {})
    for pile in piles:
        if pile is not deck:
            pile.sort(key=lambda name: bool(entries.get(name, {}).get("effects")))
    hand.sort()
    return replace(position, state=state).under(position.ruleset)


# Exchanges


EXCHANGE: Final = "exchange"
"""How the subject of a mix begins."""
DEALS: Final = 12
"""Orders of the other piles that are tried."""
WAYS: Final = 200
"""Ways through a turn that are looked at for one in which a card is used."""
WAIT: Final = 8
"""Turns waited for a turn in which it can be used, and for what it does."""


def find_exchanges(notebook: Notebook) -> None:
    """Write down a mix of exchanges that gains, or why none does; nothing where the game has no such cards."""
    known = opening(notebook.ruleset, notebook.seed).game.exchanges()
    trades = {card: change for card, change in known.items() if min(change.values()) < 0 < max(change.values())}
    if not trades:
        return
    from solver.model.exchange import gaining  # OR-Tools takes 70 MB and half a second to load

    if (found := gaining(trades)) is None:
        notebook.searched.append(Searched("LOOP", _none_gains(trades)))
        return
    witness, shown = confirmed(notebook, found)
    unsure = "" if witness else ", which no table built for it confirms"
    what = f"exchanges by {', '.join(trades)}: {_mix_text(found)}{unsure}"
    notebook.searched.append(Searched("LOOP", what, complete=witness is not None))
    if witness is not None:
        again = "" if shown == found.times else "; the line uses each as often as there are copies"
        used = [(trades[card], number) for card, number in shown.items()]
        notebook.add(
            "LOOP",
            f"{EXCHANGE} {' / '.join(sorted(found.times))}",
            Level.WARNING if again else Level.ERROR,
            f"cards that come back turn goods into each other and more: {_mix_text(found)}{again}",
            sorted(found.times),
            witness=witness,
            size=f"gains {', '.join(f'{good_name(good)} +{n}' for good, n in found.change.items() if n)}",
            measure=sum(found.change.values()),
            data={
                "kind": "exchange",
                "times": dict(shown),
                "change": {good: sum(n * change.get(good, 0) for change, n in used) for good in found.change},
            },
        )


def _none_gains(trades: Mapping[str, Change]) -> str:
    """Return the certificate that no mix gains, in words, with the way round that loses least."""
    from solver.model.exchange import round_trip, weights

    proof, loop = weights(trades), round_trip(trades)
    told = f"exchanges by {', '.join(trades)}: no mix of them gains"
    if proof is not None:
        summed = " + ".join(good_name(good) if n == 1 else f"{n} {good_name(good)}" for good, n in proof.items())
        told += f", for none raises {summed}"
    return told + (f"; of the ways round, {_mix_text(loop)} loses least" if loop is not None else "")


def _mix_text(found: Mix) -> str:
    cards = ", ".join(card if number == 1 else f"{number} x {card}" for card, number in found.times.items())
    changes = ", ".join(f"{good_name(good)} {number:+d}" for good, number in found.change.items())
    return f"{cards} ({changes})"


def good_name(path: str) -> str:
    """Return the name of a good for people: the last words of its path, and whose it is unless the first seat's."""
    where, colon, entry = path.partition(":")
    parts = where.split(".")
    seat = next((int(part) for part in parts if part.isdigit()), 0)
    return f"{parts[-1]}{colon}{entry}" + (f" of seat {seat}" if seat else "")


def confirmed(notebook: Notebook, found: Mix) -> tuple[Witness | None, Counter[str]]:
    """Return a line in which cards held from the start do what is said of them, and how often each is used.

    That is as often as in a mix, or as there are copies.
    """
    for deal in range(DEALS):
        position = built(opening(notebook.ruleset, mix(notebook.seed ^ deal)), found.times)
        if position is None or notebook.budget.is_over:
            break
        shown = Counter(found.times) & Counter(position.game.hand(position.table()))
        if (steps := _played(position, shown.copy())) is not None:
            return Witness(position, tuple(steps)), shown
    return None, Counter()


def _played(position: Position, left: Counter[str]) -> list[str] | None:
    """Return the steps of turns in which some cards are used one after another, those first that cost what there is."""
    game, table = position.game, position.table()
    change = game.exchanges()
    steps: list[str] = []
    while +left:
        for card in sorted(+left, key=lambda card: (-min(change[card].values()), card)):
            if (used := _used(game, table, card)) is not None:
                table, more = used
                steps += more
                left[card] -= 1
                break
        else:
            return None
    return steps


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


# Walks


WALKED: Final = 40
"""Tables of one deal from which ways on are looked at."""
DEPTH: Final = 8
"""Turns of a line at most."""
WALK_WAYS: Final = 40
"""Ways through a turn that are looked at for each kind of first move."""
KEPT: Final = 3
"""Ways of these that are walked on."""


class Node(NamedTuple):
    """A table of a walk, with the line that leads to it."""

    table: Any
    tally: Tally
    turn: tuple[str, ...]
    """Texts of the steps of the turn before."""
    before: Node | None
    depth: int

    @property
    def shape(self) -> str:
        """Return the rest of the tally without its numbers, which a leg on the way may change."""
        return re.sub(r"\d+", "#", self.tally.rest)

    def line(self) -> list[Node]:
        """Return the nodes of the line, the start first."""
        return [*(self.before.line() if self.before is not None else ()), self]

    def has_all_of(self, other: Node) -> bool:
        """Return whether there is no less of any good than at another table."""
        mine = self.tally.goods
        return all(mine.get(name, 0) >= most for name, most in other.tally.goods.items())


def built_tables(ruleset: Ruleset, cards: Sequence[str], seed: int) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Yield tables on which some cards can be played one after another, each with these cards."""
    position = opening(ruleset, seed)
    own = position.game.owned(position.table())
    others = [card for card in playable(ruleset) if card in own and card not in cards]
    for names in groups(cards, others):
        for kinds in (None, 0, 1) if set(names) <= set(cards) else (None,):
            if (table := built(position, dict.fromkeys(names, COPIES), kinds)) is not None:
                yield table, names


def covered(position: Position, names: Sequence[str], budget: Budget) -> Iterator[Proposal]:
    """Yield the loops that a walk from a deal comes by."""
    game = position.game
    table = position.table()
    root = Node(table, tally(game, table), (), None, 0)
    order = count()
    queue = [((0, 0, 0), next(order), root)]
    seen = {root.tally.rest: [root]}
    walked = 0
    while queue and walked < WALKED and not budget.is_over:
        _, _, node = heappop(queue)
        walked += 1
        for end in _ways_on(game, node, names):
            child = Node(end.table, tally(game, end.table), texts(end), node, node.depth + 1)
            line, shape = child.line(), child.shape
            for place, earlier in reversed(list(enumerate(line[:-1]))):
                if shape == earlier.shape and child.has_all_of(earlier):
                    lead = tuple(text for each in line[1 : place + 1] for text in each.turn)
                    yield Proposal(lead, earlier.table, tuple(each.turn for each in line[place + 1 :]))
                    break
            known = seen.setdefault(child.tally.rest, [])
            if child.depth < DEPTH and not any(each.has_all_of(child) for each in known):
                known.append(child)
                heappush(queue, (_rank(game, child, names), next(order), child))


def _ways_on(game: Race[Any], node: Node, names: Sequence[str]) -> Iterator[Any]:
    """Yield ways through the next turn: of each kind of first move those that leave most of the cards in the hand."""
    kinds: dict[str, list[Any]] = {}
    for end in kinds_of_ends(game, node.table, WALK_WAYS, names):
        kinds.setdefault(kind_of("".join(texts(end)[:1])), []).append(end)

    def promise(end: Any) -> int:
        return 10 * sum(map(game.hand(end.table).count, names)) + game.promise(end.table, 0)

    for ends in kinds.values():
        yield from sorted(ends, key=promise, reverse=True)[:KEPT]


def _rank(game: Race[Any], node: Node, names: Sequence[str]) -> tuple[int, int, int]:
    hand = game.hand(node.table)
    return -sum(name in hand for name in names), -node.depth, -game.promise(node.table, 0)
