"""Payments that stay face down: a hand that may have paid stands for all hands that the exact keys have."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import combinations

import pytest

from rules.iditacards.turn import NEW_DAY
from solver.compiled_form import build_state
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.encoding import RULES, Encoding, supports
from tests.solver.encodings.positions import EARLY, OWN_RULESETS, Case, dealt, played
from tests.solver.encodings.wild import EVERY_OP, wild

TURNS = 3
MOST = 3_000 if build_state() == "compiled" else 100
"""Exact keys of a turn up to which they are compared."""
SEEDS = 3 if build_state() == "compiled" else 1
AWAY = 12
"""Spaces to the target."""
NO_DAYS = frozenset({NEW_DAY.text})


def spelled_out(late: Encoding, early: Encoding, key: bytes) -> Iterator[bytes]:
    """Yield the exact keys of all hands that a key stands for."""
    row = late._row(key)
    hand = row[L.HAND : L.HAND + row[L.N_HAND]].tolist()
    owed = row[L.OWED : L.OWED + row[L.AGES] + 1].tolist()
    for paid in combinations(range(len(hand)), owed[-1]):
        if all(sum(hand[place] < L.AGE * (age + 1) for place in paid) >= least for age, least in enumerate(owed)):
            left = sorted(card % L.AGE for place, card in enumerate(hand) if place not in paid)
            exact = array("h", row)
            exact[L.HAND : L.HAND + len(left)] = array("h", left)
            exact[L.N_HAND], exact[L.AGES], exact[L.OWED] = len(left), 0, 0
            if not late.live.drops_discard:
                pile = sorted(
                    [*row[L.DISCARD : L.DISCARD + row[L.N_DISCARD]], *(hand[place] % L.AGE for place in paid)]
                )
                exact[L.DISCARD : L.DISCARD + len(pile)], exact[L.N_DISCARD] = array("h", pile), len(pile)
            yield bytes(early.expander.write(exact))


def families(case: Case, forbidden: frozenset[str] = NO_DAYS) -> int:
    """Compare turn after turn, and return how many families stood for several hands."""
    target = case.table.players[0].pos + AWAY
    late, early = (Encoding(case.game, case.table, forbidden, target=target, rules=rules) for rules in (RULES, EARLY))
    whole, groups, several = {early.root}, {late.root}, 0
    for _ in range(TURNS if late.live.face_down else 0):
        after: set[bytes] = set()
        for key in whole:
            after.update(early.successors(key))
            if len(after) > MOST:
                return several
        whole = after
        groups = {end for key in groups for end in late.successors(key)}
        members = [set(spelled_out(late, early, key)) for key in groups]
        assert set().union(*members) == whole, case.name
        several += sum(len(hands) > 1 for hands in members)
    return several


@pytest.mark.slow
def test_families_spelled_out_are_the_exact_turn_ends() -> None:
    several = 0
    for ruleset in (*OWN_RULESETS, EVERY_OP):
        for seed in range(SEEDS):
            cases = [wild(ruleset, seed, 6)]
            if ruleset in OWN_RULESETS:
                cases += [dealt(ruleset, seed), *played(ruleset, seed, 6, seed)]
            for case in cases:
                if case is not None and not supports(case.game, case.table, 0, NO_DAYS):
                    several += families(case)
                if case is not None and seed == 0 and not supports(case.game, case.table, 0):
                    families(case, frozenset())  # a new day puts hand and discard pile together
    assert several > 100
