"""The encoding of Iditacards plays the same game as the rules: equal turn ends under every ruleset and option."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from copy import copy
from typing import Any

import pytest

from puzzles.puzzle import forbids
from rules.core.files import canonical_json, digest
from rules.core.position import new_position
from rules.core.scripts import Chance, Forced
from rules.iditacards.content import OPTIONS, Rules
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table, owned_cards
from rules.iditacards.turn import NEW_DAY
from solver.compiled_form import build_state
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.encoding import Encoding, supports
from solver.search.budget import NodesExceeded
from tests.rules.games import VECTORS
from tests.solver.encodings.layers import End, expanded, key_layers
from tests.solver.encodings.lockstep import lockstep
from tests.solver.encodings.positions import (
    EARLY,
    OWN_RULESETS,
    Case,
    case_of,
    dealt,
    open_vectors,
    played,
    position_of,
    values_of,
    vector,
)

MOST = 400
"""Ways through a turn up to which a table is compared here; ``benchmarks.soak_encoding`` goes on from there."""
THREE = ("iditacards/2017", "iditacards/2019-02", "iditacards/2019-08")
REFUSED = {("sacrifice_timing", "any_time"), ("upgrade_refresh", True)}
"""Values of options that are not carried."""
SMALL = [name for name in open_vectors() if json.loads(VECTORS[name])["positions"] < 250]


def assert_alike(case: Case) -> int:
    compared = lockstep(case.game, case.table, MOST)
    assert not compared.difference, f"{case.name}\n{compared.difference}"
    return compared.ends


@pytest.mark.parametrize("ruleset", OWN_RULESETS)
def test_played_tables_have_the_ends_of_the_rules(ruleset: str) -> None:
    assert sum(assert_alike(case) for seed in range(2) for case in played(ruleset, seed, 8, 8 * seed)) > MOST / 4


@pytest.mark.parametrize("ruleset", OWN_RULESETS)
def test_dealt_tables_have_the_ends_of_the_rules(ruleset: str) -> None:
    assert sum(assert_alike(dealt(ruleset, seed)) for seed in range(12)) > MOST / 4


@pytest.mark.slow
@pytest.mark.parametrize("option", sorted(OPTIONS.rows))
def test_every_value_of_an_option_is_carried_or_named(option: str) -> None:
    for value in values_of("iditacards/2019-02")[option]:
        for ruleset in THREE if build_state() == "compiled" else THREE[1:2]:
            if value not in values_of(ruleset)[option]:
                continue
            position = position_of(ruleset, 3, {option: value})
            lacking = supports(position.game, position.table(), 0)
            if (option, value) in REFUSED and lacking:
                assert lacking == (f"option {option} = {str(value).lower()}",)
            else:
                assert lacking == ()
                assert_alike(case_of(f"{ruleset} {option} = {value}", position))


def test_at_least_seventy_options_are_carried_at_every_value() -> None:
    assert len(OPTIONS.rows) - len({option for option, _ in REFUSED}) >= 70


@pytest.mark.parametrize("name", SMALL)
def test_a_conformance_vector_has_its_digest(name: str) -> None:
    expected, case = json.loads(VECTORS[name]), vector(name)
    if supports(case.game, case.table, 0):
        assert any(str(option) in str(REFUSED) for option in expected["options"])
        return
    encoding = Encoding(case.game, case.table, rules=frozenset())
    over: set[str] = set()
    layer: dict[bytes, End] = {}
    texts: set[str] = set()
    for turn, layer in enumerate(key_layers(encoding, expected["turns"], 100_000), 1):
        texts = set()
        for key, end in layer.items():
            (over if end.over else texts).add(canonical_json(case.game.encode(_after(encoding.table(key), turn))))
    found = {"positions": len(texts), "terminal": len(over), "digest": digest(tuple(sorted(texts | over)))}
    assert found == {name: expected[name] for name in found}


def _after(table: Table, turns: int) -> Table:
    """Return a table with the turns that keys leave out."""
    player = table.players[0]
    return table._replace(players=(player._replace(turns=player.turns + turns),))


def keys_by_rules(case: Case, encoding: Encoding, forbidden: frozenset[str], kept: Mapping[str, int]) -> set[bytes]:
    """Return the keys of the turn ends that the rules find for a question."""
    race = copy(case.game)
    race.kept = kept
    return {
        encoding.project(end.table)
        for end in race.turn_ends(case.table)
        if not any(forbids(forbidden, step.text) for step in end.steps if not isinstance(step, Forced))
    }


def questions(words: bool) -> list[tuple[Case, frozenset[str], dict[str, int]]]:
    """Return tables with words that are forbidden, or cards to keep."""
    found = []
    for seed in range(40):
        case, dice = dealt(OWN_RULESETS[seed % 3], 1000 + seed), random.Random(seed)
        first = ["play", "new_day", "pass", "continue", "second", "skip_second", "sacrifice", "remove"]
        first += [f"play {card}" for card in set(case.table.players[0].hand)]
        own = sorted(owned_cards(case.table.players[0]))
        forbidden = frozenset(dice.sample(first, min(len(first), dice.randint(1, 4)))) if words else frozenset()
        cards = dice.sample(own, min(len(own), dice.randint(1, 3)))
        kept = {} if words else {card: own.count(card) for card in cards}
        if not supports(case.game, case.table, 0, forbidden, kept):
            found.append((case, forbidden, kept))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("words", [True, False], ids=["forbidden", "kept"])
def test_questions_leave_out_the_turns_that_they_do_not_allow(words: bool) -> None:
    fewer = 0
    for case, forbidden, kept in questions(words):
        encoding = Encoding(case.game, case.table, forbidden, kept, rules=EARLY)
        wanted = keys_by_rules(case, encoding, forbidden, kept)
        assert {end.key for end in expanded(encoding, [encoding.root])} == wanted, (case.name, forbidden, kept)
        free = Encoding(case.game, case.table, rules=EARLY)
        fewer += len({free.project(end.table) for end in case.game.turn_ends(case.table)}) > len(wanted)
    assert fewer > 10


@pytest.mark.parametrize("words", ["kill husky", "done", "play mush pay move", "take", "sacrifice husky"])
def test_a_forbidden_move_that_is_not_carried_is_named(words: str) -> None:
    position = position_of("iditacards/2019-02", 1, {})
    lacking = supports(position.game, position.table(), 0, frozenset({words, "new_day"}))
    assert lacking == (f"the forbidden move '{words}'",)


def test_a_question_of_another_kind_is_named() -> None:
    several = new_position("iditacards/2019-02", 2)
    hidden = new_position("iditacards/2019-02", 1, 0, ("upgrade", "weather"))
    weather = new_position("iditacards/starter-weather", 1, 0, ("deck", "upgrade"))
    upgrades = new_position("iditacards/2019-02", 1, 0, ("deck", "weather"))
    found = [supports(each.game, each.table(), 0) for each in (several, hidden, weather, upgrades)]
    assert [len(lacking) for lacking in found] == [1] * 4
    assert len(set(found)) == 4
    assert supports(weather.game, weather.table(), 0, frozenset({NEW_DAY.text})) == ()


def test_listed_results_run_out_as_by_the_rules() -> None:
    lists = {"deck": [[["mush"], ["husky", "move", "move"]]], "weather": ["sun"]}
    case = case_of("seeded", position_of("iditacards/starter-weather", 1, {}))
    game = Iditacards(case.game.content, 1, Chance(case.game.chance.open, None, lists))
    case = Case("listed", game, case.table._replace(counters=case.table.counters._replace(weather=0)))
    encoding = Encoding(case.game, case.table, rules=EARLY)
    layer = next(key_layers(encoding, 1, 1_000))
    assert set(layer) == keys_by_rules(case, encoding, frozenset(), {})
    with pytest.raises(LookupError):
        list(key_layers(encoding, 2, 100_000))


def test_ways_through_a_turn_beyond_the_limit_are_refused_and_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of("wide", position_of("iditacards/2019-02", 3, {}))
    encoding = Encoding(case.game, case.table, rules=EARLY)
    every = encoding.successors(encoding.root)
    monkeypatch.setattr("solver.encodings.iditacards.encoding.ALL_ENDS", len(every))
    assert encoding.successors(encoding.root) == every
    monkeypatch.setattr("solver.encodings.iditacards.encoding.ALL_ENDS", len(every) - 1)
    with pytest.raises(NodesExceeded):
        encoding.successors(encoding.root)


def test_an_ended_game_has_no_turns() -> None:
    case = case_of("short", position_of("iditacards/starter-weather", 1, {"finish_at": 2}))
    encoding = Encoding(case.game, case.table, rules=EARLY)
    over = [end for layer in key_layers(encoding, 2, 100_000) for end in layer.values() if end.over]
    assert over
    assert not list(expanded(encoding, [end.key for end in over]))
    assert all(encoding.is_over(end.key) for end in over)


def test_what_ends_say_is_what_their_tables_say() -> None:
    case = case_of("ends", position_of("iditacards/starter-weather", 1, {"finish_at": 4}))
    encoding = Encoding(case.game, case.table, rules=EARLY)
    seen: set[Any] = set()
    for layer in key_layers(encoding, 2, 5_000):
        for key, end in layer.items():
            table = encoding.table(key)
            player = table.players[0]
            days = player.days - case.table.players[0].days
            assert end[2:] == (player.pos, end.least, days, 2 * player.pos + len(player.hand), table.over)
            said = encoding.progress(key), encoding.rounds(key), encoding.promise(key), encoding.is_over(key)
            assert said == (end.progress, end.days, end.promise, end.over)
            assert end.least == encoding.least(key, 1)
            assert (end.least == 0) == (player.pos >= 1)
            seen.add((days, table.over))
    assert len(seen) > 2


def test_each_ruling_of_the_header_is_named_after_an_answer_of_the_rules() -> None:
    """A name that is none would stay 0 unseen."""
    words = {f"{name}_{answer}" for name, row in OPTIONS.rows.items() for answer in row.get("values", ())}
    words |= {*OPTIONS.rows, *Rules._fields, "condition_speed_half_up", "heal_rest_hand", "legendary_to_hand"}
    words |= {"take_from_deck", "cap", "free_energy_until", "free_health_until"}
    header = {name.removeprefix("H_").lower(): at for name, at in vars(L).items() if name.startswith("H_")}
    assert {name for name, at in header.items() if L.H_STARTING_HAND <= at < L.H_FORBIDDEN} <= words
