"""Which cards to give up for a cost: the best payment by several aims, and every one that nothing beats.

The aims in order: the cards named to be kept; how many of the kept cards could be played next, or later where the card
itself takes more turns; how many different kinds are kept. A model finds the best, and a count of all ways must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.core.chance import Chance
from rules.core.errors import BestlineError, DisagreementError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Forced
from solver.facts import PaymentFacts, Unusable, hand_probe, payment_facts
from solver.report import Limit


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay."""

    paid: tuple[str, ...]
    keeps: tuple[str, ...]
    """Cards kept that may pay, all copies."""
    playable: tuple[str, ...]
    """Those of them that could be played and paid for next turn."""
    gives_up: tuple[str, ...]
    """Cards that the best way keeps and this one does not."""


@dataclass(frozen=True, slots=True)
class Payments:
    """The answer to one question about a cost."""

    card: str
    cost: int
    ways: tuple[Way, ...]
    """Every way that no other one beats, the best first."""
    counted: int
    """All ways there are."""
    waits: bool
    """No card can be played next turn whatever is kept, so the cards called playable could be from such a hand now."""


def pay(position: Position, card: str, keep: Sequence[str] = (), limit: Limit | None = None) -> Payments:
    """Return the best way to pay for a hand card played now, and every other one that nothing beats.

    What could be played next is found out by playing; the order of a hidden deck does not count there, only how many
    cards it has.

    Raises:
        UnsupportedRuleset: the game has no such costs, or several players have turns.
        BestlineError: the card cannot be played or paid for, or a card to keep is not there.
        DisagreementError: the model and the count differ; always a bug.
    """
    from solver.model.payment import best_payment, payments, undominated  # loading the model takes half a second
    from solver.model.run import Budget

    if any(not isinstance(step, Forced) for step in position.start()[1].pending):
        raise BestlineError("a turn is under way here; ask before it, or see 'bestline best'")
    game, table = _played_openly(position)
    hand = list(game.hand(table))
    hand_left = list(hand)
    if card in hand_left:
        hand_left.remove(card)
    for kept in keep:
        if kept not in hand_left:
            raise BestlineError(f"'{kept}' is not in the hand beside '{card}', so it cannot be kept")
        hand_left.remove(kept)
    worth = dict.fromkeys(keep, 1)
    try:
        facts, kinds = payment_facts(game, table, card, worth)
    except Unusable as fault:
        raise UnsupportedRuleset([f"a payment with {fault}"]) from fault
    waits = not any(facts.playable)
    if waits:
        facts = replace(facts, playable=tuple(_later(game, table, facts, kind) for kind in kinds))
    ways = undominated(facts)
    answer = best_payment(facts, Budget(time_s=None if limit is None else limit.time_s))
    if answer.best is not None and answer.status == "optimal" and answer.best != ways[0]:
        raise DisagreementError(f"the payment model says {answer.best}, counting says {ways[0]}")
    best = ways[0].paid
    return Payments(
        card,
        facts.cost,
        tuple(_way(facts, kinds, way.paid, best) for way in ways),
        sum(1 for _ in payments(facts)),
        waits,
    )


def _later(game: Race[Any], table: Any, facts: PaymentFacts, kind: str) -> bool:
    """Return whether a kept card could be played from as many cards as are kept, with the deck as it is now."""
    probe = hand_probe(game, table, 0)
    now = probe.start(table)
    others = sum(facts.hand) - facts.cost - 1
    return others >= 0 and kind in probe.affordable(probe.join(now.board, [kind, *[probe.filler] * others], now.deck))


def _played_openly(position: Position) -> tuple[Race[Any], Any]:
    """Return the game with everything known, for questions whose answer does not depend on what is not."""
    setting = position.setting
    chance = Chance(frozenset(position.definition.sources), setting.chance.seed or 0, setting.chance.lists)
    game = position.definition.build(replace(setting, chance=chance)) if position.hidden else position.game
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without hands"])
    return game, position.table()


def _way(facts: PaymentFacts, kinds: Sequence[str], paid: Sequence[int], best: Sequence[int]) -> Way:
    def cards(copies: Sequence[int]) -> tuple[str, ...]:
        return tuple(kind for kind, n in zip(kinds, copies, strict=True) for _ in range(max(n, 0)))

    kept = [copies - gone for copies, gone in zip(facts.hand, paid, strict=True)]
    return Way(
        paid=cards(paid),
        keeps=cards(kept),
        playable=cards([copies if can else 0 for copies, can in zip(kept, facts.playable, strict=True)]),
        gives_up=cards([mine - other for mine, other in zip(paid, best, strict=True)]),
    )
