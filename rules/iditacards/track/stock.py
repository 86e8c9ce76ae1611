"""What a seat may gain from the supply, as a small graph: some ways to take cards, for forms that look for lines.

A state of the *stock* is how far each upgrade deck has been turned over, the supply, and what the seat has gained
since the root. A sled card of the seat's own leads from one to others: it turns over the top of one deck (Q48) and
takes up to so many cards of the supply (op ``take``). Of all states only the most promising are kept, by the distance
and the speed that the cards gained can bring for what they cost; what a die may empty (R62) is not taken later. So
every way through the graph is a way of the game, and there are many more in the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table


class Gained(NamedTuple):
    """A state of the stock."""

    turned: tuple[int, ...]
    """By upgrade deck: the cards turned over since the root."""
    supply: tuple[str, ...]
    cards: tuple[str, ...]
    """What was gained, sorted."""


class Stock:
    """The states that a seat's sled cards lead to, by number; number 0 is that of the root."""

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        sleds: Sequence[Card],
        useful: frozenset[str],
        path: Sequence[Gained] = (),
        *,
        most: int,
        lasting: bool,
    ) -> None:
        """``useful`` are the cards worth taking; ``lasting`` says that no roll empties the supply.

        There are ``most`` states; ``path`` are states that a good line had, one after the other, which are kept.
        """
        self._rulings = rulings
        self._decks = table.upgrade
        self._sleds = sleds
        self._useful = useful
        self._lasting = lasting
        self._most = most
        first = Gained((0,) * len(table.upgrade), tuple(sorted(table.supply)) if lasting else (), ())
        self.states = [first]
        self.numbers = {first: 0}
        self._grow(path)
        self.after = [self._next(state) for state in self.states]
        """By state and sled card: the states that it may lead to; nothing for states at the end of all ways.

        There a sled card takes nothing, and how many cards were turned over no longer matters.
        """
        self.cards = [Counter(state.cards) for state in self.states]
        """By state: what was gained."""

    def _grow(self, path: Sequence[Gained]) -> None:
        """Find the most promising states around a path, each by way of states that are kept."""
        for state in path:
            self._keep(state)
        ends = list(self.states)
        while ends and len(self.states) < self._most:
            found = {after for state in ends for sled in self._sleds for after in self._ways(state, sled)}
            ends = sorted(found - set(self.states), key=lambda each: (-self._worth(each), each))
            ends = ends[: self._most - len(self.states)]
            for after in ends:
                self._keep(after)

    def _keep(self, state: Gained) -> None:
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)

    def _next(self, state: Gained) -> dict[str, tuple[int, ...]]:
        ways = {
            sled.id: tuple(sorted({self.numbers[each] for each in self._ways(state, sled) if each in self.numbers}))
            for sled in self._sleds
        }
        return ways if any(ways.values()) else {}

    def fits(self, number: int, turned: Sequence[int]) -> bool:
        """Return whether a table with so many cards turned over of each deck may be in a state."""
        state = self.states[number]
        if self.after[number]:
            return state.turned == tuple(turned)
        return all(now >= then for now, then in zip(turned, state.turned, strict=True))

    def _ways(self, state: Gained, sled: Card) -> Iterator[Gained]:
        """Yield what a sled card may leave."""
        effect = next(effect for effect in sled.instant if effect.op == "take")
        number, of = int(effect.args["n"]), int(effect.args["of"])
        for deck, cards in enumerate(self._decks):
            start = state.turned[deck]
            fresh = cards[start : start + of]
            pool = [card for card in (*state.supply, *fresh) if card in self._useful]
            turned = tuple(each + len(fresh) if at == deck else each for at, each in enumerate(state.turned))
            for taken in {tuple(sorted(each)) for each in combinations(pool, min(number, len(pool)))}:
                if taken:
                    rest = Counter((*state.supply, *fresh)) - Counter(taken)
                    supply = tuple(sorted(rest.elements())) if self._lasting else ()
                    yield Gained(turned, supply, tuple(sorted((*state.cards, *taken))))

    def _worth(self, state: Gained) -> float:
        return sum(worth(self._rulings, card) for card in state.cards)


def worth(rulings: Rulings, name: str) -> float:
    """Return about how many spaces a card brings to a race, beyond an ordinary one; a guess."""
    card = rulings.cards[name]
    energy = card.energy or 0
    moves = sum(
        (int(effect.args["n"]) + 2) * (2 if effect.args.get("double") else 1)
        for effect in card.instant
        if effect.op == "move"
    )
    draws = sum(int(effect.args["n"]) for effect in card.instant if effect.op == "draw" and "per" not in effect.args)
    faster = rulings.speed.get(name, 0) * 10
    per_turn = (moves * 2 + faster) / (1 + card.risk)
    return per_turn + 1.5 * (draws - energy) - 3
