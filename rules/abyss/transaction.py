"""Hand cards offered to the others in turn, and swapped with the first who accepts (6.1)."""

from __future__ import annotations

from rules.abyss.moves import DECLINE, Accept, Offer
from rules.abyss.prepare import subsets
from rules.abyss.turn import Side, Turn
from rules.core.steps import Move


def exchange(turn: Turn, side: Side) -> bool:
    """Carry out a Transaction; return whether the card goes back to the hand."""
    others = turn.others(side)
    options = turn.rulings.options
    if not others or not side.hand:
        turn.tell("AB-Q33", "nothing_to_exchange", seat=side.index)
        return bool(options["transaction_alone"] == "returned")
    move = turn.ask(side, lambda: [Offer(cards) for cards in subsets(side.hand, 1, len(side.hand))])
    assert isinstance(move, Offer)
    shown = options["transaction_offer"] == "shown"
    turn.tell("6.1", "offers", seat=side.index, cards=move.cards if shown else (), number=len(move.cards))
    for other in others:
        given = _reply(turn, other, len(move.cards))
        if given:
            side.drop(move.cards)
            other.drop(given)
            side.hand = sorted([*side.hand, *given])
            other.hand = sorted([*other.hand, *move.cards])
            turn.tell("6.1", "exchanges", seat=side.index, other=other.index, cards=move.cards, given=given)
            return False
        turn.tell("6.1", "declines", seat=other.index)
    return True


def _reply(turn: Turn, other: Side, number: int) -> tuple[str, ...]:
    """Return the cards that a seat gives, none where it declines or has too few."""
    if len(other.hand) < number:
        return ()

    def replies() -> list[Move]:
        return [DECLINE, *(Accept(cards) for cards in subsets(other.hand, number, number))]

    move = turn.ask(other, replies)
    return move.cards if isinstance(move, Accept) else ()
