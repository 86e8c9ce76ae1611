"""Sets of hands against the plainest account of them: every single hand in a set."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from rules.core.chance import SplitMix64
from solver.checker.hands import HandSet, contains, drawn, hand_set, paid, without

KINDS = "abcd"
Hand = tuple[str, ...]


def after_paying(hands: set[Hand], n: int) -> set[Hand]:
    return {
        tuple(sorted((Counter(hand) - Counter(gone)).elements())) for hand in hands for gone in combinations(hand, n)
    }


def after_playing(hands: set[Hand], card: str) -> set[Hand]:
    return {tuple(sorted((Counter(hand) - Counter([card])).elements())) for hand in hands if card in hand}


def every_hand(size: int) -> list[Hand]:
    found: list[Hand] = [()]
    for _ in range(size):
        found = [(*hand, kind) for hand in found for kind in KINDS if not hand or kind >= hand[-1]]
    return found


def members(hands: HandSet) -> set[Hand]:
    return {hand for hand in every_hand(hands.others) if contains(hands, [*hand, *hands.fixed])}


@pytest.mark.parametrize("seed", range(60))
def test_a_set_is_what_happens_to_every_single_hand(seed: int) -> None:
    dice = SplitMix64(seed)

    def cards(n: int) -> list[str]:
        return [KINDS[dice.below(len(KINDS))] for _ in range(n)]

    first = cards(1 + dice.below(4))
    hands, plain = hand_set((), first), {tuple(sorted(first))}
    for _ in range(8):
        action = dice.below(3)
        if action == 0 and hands.others < 6:
            new = cards(1 + dice.below(3))
            hands, plain = drawn(hands, new, ()), {tuple(sorted((*hand, *new))) for hand in plain}
        elif action == 1 and hands.others:
            n = 1 + dice.below(hands.others)
            hands, plain = paid(hands, n), after_paying(plain, n)
        else:
            for card in KINDS:
                rest = without(hands, card)
                left = after_playing(plain, card)
                assert (rest is None) == (not left)
                if rest is not None:
                    assert members(rest) == left
                    hands, plain = rest, left
                    break
        assert members(hands) == plain
        assert hands.kinds() == {card for hand in plain for card in hand}


def test_cards_that_cannot_pay_stay_whatever_is_paid() -> None:
    hands = paid(hand_set(["stone"], ["a", "b"]), 2)
    assert contains(hands, ["stone"])
    assert not contains(hands, [])
    assert not contains(hands, ["stone", "a"])


def test_what_came_late_has_not_paid_for_what_came_before() -> None:
    hands = drawn(paid(hand_set((), ["a", "b"]), 2), ["c"], ())
    assert members(hands) == {("c",)}
    assert without(hands, "a") is None
