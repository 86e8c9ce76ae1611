"""Keys leave out what nothing can read: with and without each rule a question has the same answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from rules.iditacards.turn import NEW_DAY
from solver.compiled_form import build_state
from solver.encodings.iditacards.encoding import RULES, Encoding, supports
from tests.solver.encodings.layers import key_layers
from tests.solver.encodings.positions import EARLY, OWN_RULESETS, Case, dealt, open_vectors, played, vector

TURNS = 3
MOST = 400 if build_state() == "compiled" else 40
"""Keys of a layer up to which a table is looked at."""
NO_DAYS = frozenset({NEW_DAY.text})

Answers = list[set[tuple[int, int, bool]]]


class Asked(NamedTuple):
    """A question: a table, the words that it forbids and its target."""

    case: Case
    forbidden: frozenset[str]
    target: int | None

    def encoding(self, rules: frozenset[str]) -> Encoding:
        """Return its keys by these rules."""
        return Encoding(self.case.game, self.case.table, self.forbidden, target=self.target, rules=rules)


@cache
def questions() -> tuple[Asked, ...]:
    """Return questions about small tables."""
    cases = [dealt(OWN_RULESETS[seed % len(OWN_RULESETS)], 500 + seed) for seed in range(30)]
    cases += [vector(name) for name in open_vectors()[::12]]
    cases += played("iditacards/starter-race", 1, 3)
    dice = random.Random(1)
    asked = [
        Asked(case, words, target)
        for case in cases
        for words in (NO_DAYS, dice.choice((frozenset[str](), NO_DAYS)))
        for target in (dice.choice((None, case.table.players[0].pos + dice.randint(2, 12))),)
    ]
    return tuple(each for each in asked if not supports(each.case.game, each.case.table, 0, each.forbidden))


def answers(asked: Asked, rules: frozenset[str]) -> tuple[Answers, int]:
    """Return where each turn can end, at most at the target, with the days begun, and how many keys that took."""
    layers = list(key_layers(asked.encoding(rules), TURNS, MOST, asked.target))
    farthest = 10_000 if asked.target is None else asked.target
    ends = [{(min(end.progress, farthest), end.days, end.over) for end in layer.values()} for layer in layers]
    return ends, sum(map(len, layers))


@cache
def without_any(place: int) -> tuple[Answers, int]:
    """Return the answers with whole keys."""
    return answers(questions()[place], frozenset())


def compared(rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield how many keys each question takes without any rule and with these; the answers are the same."""
    for place, asked in enumerate(questions()):
        whole, keys = without_any(place)
        short, fewer = answers(asked, rules)
        assert short[: len(whole)] == whole, (asked.case.name, sorted(asked.forbidden), asked.target, sorted(rules))
        if len(short) == len(whole):
            yield keys, fewer


@pytest.mark.slow
@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_changes_no_answer(rule: str) -> None:
    assert all(fewer <= keys for keys, fewer in compared(frozenset({rule})))


@pytest.mark.slow
def test_all_rules_together_change_no_answer_and_save_keys() -> None:
    numbers = list(compared(RULES))
    assert sum(fewer for _, fewer in numbers) < sum(keys for keys, _ in numbers)


@pytest.mark.parametrize("rule", sorted(EARLY))
def test_a_rule_makes_some_key_shorter(rule: str) -> None:
    lengths = [[len(each.encoding(rules).root) for rules in (EARLY - {rule}, EARLY)] for each in questions()]
    assert any(short < whole for whole, short in lengths)
    assert all(short <= whole for whole, short in lengths)
