"""What pays for a card, in plain ints, found out by calling the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rules.core.errors import BestlineError, nearest
from rules.core.hands import HandProbe
from rules.core.race import Race
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
