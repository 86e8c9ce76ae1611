"""Keys leave out what nothing can read: with and without each rule a question has the same answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from rules.iditacards.moves import NEW_DAY
from solver.encodings.iditacards.encoding import Encoding, supports
from solver.encodings.iditacards.keys import is_compiled
from solver.encodings.iditacards.liveness import RULES
from tests.solver.encodings.layers import key_layers
from tests.solver.encodings.positions import OWN_RULESETS, Case, dealt, open_vectors, played, vector

TURNS = 3
MOST = 400 if is_compiled() else 40
"""Keys of a layer up to which a table is looked at."""
NO_DAYS = frozenset({NEW_DAY.text})

Answers = list[set[tuple[int, int, bool]]]


@cache
def tables() -> tuple[tuple[Case, frozenset[str]], ...]:
    """Return small tables with the words that a question forbids."""
    cases = [dealt(OWN_RULESETS[seed % len(OWN_RULESETS)], 500 + seed) for seed in range(30)]
    cases += [vector(name) for name in open_vectors()[::12]]
    cases += played("iditacards/starter-race", 1, 3)
    dice = random.Random(1)
    both = [(case, words) for case in cases for words in (NO_DAYS, dice.choice((frozenset[str](), NO_DAYS)))]
    return tuple((case, words) for case, words in both if not supports(case.game, case.table, 0, words))


def answers(case: Case, words: frozenset[str], rules: frozenset[str]) -> tuple[Answers, int]:
    """Return where each turn can end, with the days begun, and how many keys that took."""
    encoding = Encoding(case.game, case.table, 0, words, rules=rules)
    layers = list(key_layers(encoding, TURNS, MOST))
    ends = [{(end.progress, end.days, end.over) for end in layer.values()} for layer in layers]
    return ends, sum(map(len, layers))


@cache
def without_any(place: int) -> tuple[Answers, int]:
    """Return the answers with whole keys."""
    case, words = tables()[place]
    return answers(case, words, frozenset())


def compared(rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield how many keys each table takes without any rule and with these; the answers are the same."""
    for place, (case, words) in enumerate(tables()):
        whole, keys = without_any(place)
        if not whole:
            continue
        short, fewer = answers(case, words, rules)
        assert short[: len(whole)] == whole, (case.name, sorted(words), sorted(rules))
        if len(short) == len(whole):
            yield keys, fewer


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_changes_no_answer(rule: str) -> None:
    assert all(fewer <= keys for keys, fewer in compared(frozenset({rule})))


def test_all_rules_together_change_no_answer_and_save_keys() -> None:
    numbers = list(compared(RULES))
    assert sum(fewer for _, fewer in numbers) < sum(keys for keys, _ in numbers)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_makes_some_key_shorter(rule: str) -> None:
    lengths = [
        [len(Encoding(case.game, case.table, 0, words, rules=rules).root) for rules in (RULES - {rule}, RULES)]
        for case, words in tables()
    ]
    assert any(short < whole for whole, short in lengths)
    assert all(short <= whole for whole, short in lengths)
