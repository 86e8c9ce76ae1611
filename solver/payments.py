"""Ways to pay a cost with hand cards, judged one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rules.core.chance import Chance
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from solver.facts import PaymentFacts, Unusable, hand_probe, payment_facts


class Score(NamedTuple):
    """What a payment leaves, compared field by field."""

    kept: int
    """Worth of the cards kept, in the units of the values given."""
    playable: int
    """Cards kept that could be played and paid for on the next turn."""
    kinds: int
    """Different kinds kept."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One way to pay."""

    paid: tuple[int, ...]
    """Copies given up, by kind."""
    score: Score


def undominated(facts: PaymentFacts) -> list[Payment]:
    """Return every payment that no other one equals or beats in all aims and beats in one, the best first."""
    found = [Payment(paid, score(facts, paid)) for paid in payments(facts)]
    scores = {payment.score for payment in found}
    standing = {
        this for this in scores if not any(other != this and all(map(_at_least, other, this)) for other in scores)
    }
    kept = [payment for payment in found if payment.score in standing]
    return sorted(kept, key=lambda payment: (*(-aim for aim in payment.score), *(-copies for copies in payment.paid)))


def _at_least(one: int, other: int) -> bool:
    return one >= other


def payments(facts: PaymentFacts) -> Iterator[tuple[int, ...]]:
    """Yield every payment, as copies by kind."""
    yield from _shares(facts.hand, facts.cost)


def _shares(hand: tuple[int, ...], cost: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take ``cost`` cards out of a hand."""
    if cost > sum(hand):
        return
    if not hand:
        yield ()
        return
    for copies in range(min(hand[0], cost) + 1):
        for rest in _shares(hand[1:], cost - copies):
            yield (copies, *rest)


def score(facts: PaymentFacts, paid: tuple[int, ...]) -> Score:
    """Return what a payment leaves, counted without any model."""
    kept = [copies - gone for copies, gone in zip(facts.hand, paid, strict=True)]
    worth = sum(value * copies for value, copies in zip(facts.values, kept, strict=True))
    playable = sum(copies for copies, can in zip(kept, facts.playable, strict=True) if can)
    return Score(worth, playable, sum(copies > 0 for copies in kept))


def looking_on(
    game: Race[Any], table: Any, facts: PaymentFacts, kinds: Sequence[str], seat: int
) -> tuple[PaymentFacts, bool]:
    """Return what there is to choose, and true where nothing can be played next turn whatever is kept.

    Then playable are the cards that could be played from such a hand now.
    """
    if any(facts.playable):
        return facts, False
    return replace(facts, playable=tuple(_later(game, table, facts, kind, seat) for kind in kinds)), True


def preferred(position: Position, table: Any, card: str, ways: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the one of some payments for a hand card that leaves most, as ``score`` says; the first if that is open.

    ``table`` is where the card is played, at the start of a turn.
    """
    if len(ways) == 1:
        return ways[0]
    seat = int(position.state.get("active", 0))
    try:
        game, _ = played_openly(position)
        facts, kinds = payment_facts(game, table, card, seat=seat)
        facts, _ = looking_on(game, table, facts, kinds, seat)
    except (BestlineError, Unusable):
        return min(ways)

    def rank(paid: tuple[str, ...]) -> tuple[int, ...]:
        copies = tuple(paid.count(kind) for kind in kinds)
        return (*score(facts, copies), *copies)

    return max(ways, key=rank)


def _later(game: Race[Any], table: Any, facts: PaymentFacts, kind: str, seat: int) -> bool:
    """Return whether a kept card could be played from as many cards as are kept, with the deck as it is now."""
    others = sum(facts.hand) - facts.cost - 1
    return others >= 0 and kind in hand_probe(game, table, seat).affordable(table, [kind] * (others + 1))


def played_openly(position: Position) -> tuple[Race[Any], Any]:
    """Return the game with everything known, for questions whose answer does not depend on what is not."""
    setting = position.setting
    chance = Chance(frozenset(position.definition.sources), setting.chance.seed or 0, setting.chance.lists)
    game = position.definition.build(replace(setting, chance=chance)) if position.hidden else position.game
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without hands"])
    return game, position.table()
