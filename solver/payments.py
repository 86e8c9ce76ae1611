"""Ways to pay a cost with hand cards: what there is to choose, asked of the game, and each way judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from rules.core.chance import Chance
from rules.core.errors import BestlineError, UnsupportedRuleset, nearest
from rules.core.position import Position
from rules.core.race import HandProbe, Race
from rules.core.turns import State, TurnEnd

T = TypeVar("T")


class Unusable(Exception):
    """These facts cannot be had in this form; the message says which feature is missing."""


@dataclass(frozen=True, slots=True)
class PaymentFacts:
    """One payment to be chosen: everything counts cards, by kind."""

    hand: tuple[int, ...]
    """Copies that may pay, by kind; the card paid for is not among them."""
    cost: int
    """Cards to give up."""
    values: tuple[int, ...]
    """Worth of every copy kept, by kind."""
    playable: tuple[bool, ...]
    """By kind: whether a copy kept could be played and paid for on the next turn."""


class Unpayable(BestlineError):
    """A hand card may be played, but its cost cannot be paid in full: playing it fails."""

    def __init__(self, card: str, ways: Sequence[tuple[str, ...]]) -> None:
        self.ways = tuple(ways)
        """What is given up all the same, each way of it."""
        lost = ", ".join(self.ways[0]) or "no card of the hand"
        gives = f"gives up {lost}" if len(self.ways) == 1 else f"gives up cards in one of {len(self.ways)} ways"
        super().__init__(
            f"the cost of '{card}' cannot be paid here; it may be played all the same, {gives} and fails: "
            "'bestline moves' lists how, 'bestline apply' shows what that does"
        )


def payment_facts(
    game: Race[T],
    table: T,
    card: str,
    values: Mapping[str, int] | None = None,
    seat: int = 0,
) -> tuple[PaymentFacts, tuple[str, ...]]:
    """Return what there is to choose when a hand card is played now, and the names of the kinds.

    ``values`` is the worth of each copy kept, 0 where a card is not named.

    Raises:
        Unusable: the game cannot be asked about payments here.
        Unpayable: the card can be played, but not be paid for.
        BestlineError: the card cannot be played.
    """
    probe = hand_probe(game, table, seat)
    ways: dict[tuple[str, ...], list[TurnEnd[T]]] = {}
    for move in game.legal_moves(State(table)):
        action = probe.main_action(move)
        if action is not None and action.card == card:
            ways.setdefault(action.paid, []).extend(game.turn_ends(table, (move,)))
    if not ways:
        held = sorted(set(game.hand(table, seat)))
        if card in held:
            moves = game.legal_moves(State(table))
            openings = ", ".join(dict.fromkeys(move.text.partition(" ")[0] for move in moves))
            raise BestlineError(f"'{card}' is in the hand, but cannot be played here; open: {openings}")
        hint = nearest(card, held) or f", which holds {', '.join(held) or 'no card'}"
        raise BestlineError(f"'{card}' is not in the hand{hint}")
    hand = Counter(game.hand(table, seat))
    if card not in probe.affordable(table):
        raise Unpayable(card, sorted(ways))
    hand[card] -= 1
    free = probe.payable(hand)
    kinds = tuple(sorted(kind for kind, copies in hand.items() if copies and kind in free))
    facts = PaymentFacts(
        hand=tuple(hand[kind] for kind in kinds),
        cost=len(next(iter(ways))),
        values=tuple((values or {}).get(kind, 0) for kind in kinds),
        playable=tuple(_playable_after(probe, ways, hand, kind) for kind in kinds),
    )
    return facts, kinds


def _playable_after(
    probe: HandProbe[T], ways: Mapping[tuple[str, ...], Sequence[TurnEnd[T]]], hand: Counter[str], kind: str
) -> bool:
    """Return whether a kind could be played next turn after a payment that keeps a copy of it."""
    keeping = next((paid for paid in sorted(ways) if paid.count(kind) < hand[kind]), None)
    if keeping is None:
        return False
    return any(kind in probe.affordable(end.table) for end in ways[keeping])


def hand_probe(game: Race[T], table: T, seat: int) -> HandProbe[T]:
    """Return what a game says of the payments of one hand.

    Raises:
        Unusable: the game says nothing of them from this table.
    """
    probe = game.hand_probe(table, seat)
    if probe is None:
        raise Unusable("no hand that plays and pays")
    if probe.missing():
        raise Unusable(", ".join(probe.missing()))
    return probe


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
