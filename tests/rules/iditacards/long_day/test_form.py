"""The numbered facts of a day against the compact form, key by key, and the searches over both against each other."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.position import new_position
from rules.core.steps import Step
from rules.core.turns import TurnEnd
from rules.iditacards.compact import shared as compact_shared
from rules.iditacards.compact.board import BOARD_OPS
from rules.iditacards.compact.form import CompactDay
from rules.iditacards.dogs import PLACERS, free_action
from rules.iditacards.engine import Iditacards
from rules.iditacards.long_day import kernel as day_kernel
from rules.iditacards.long_day import offers as day_offers
from rules.iditacards.long_day.form import DayForm
from rules.iditacards.risk import run_alone
from rules.iditacards.rulings import DECK_EVENTS
from rules.iditacards.turn import shuffled, shuffled_places
from solver import question
from solver.lines import taken
from solver.report import Limit, Report
from solver.search.asking import compiled as asking_compiled
from solver.search.asking import kernel as asking
from solver.search.asking import layers as asking_layers
from solver.search.asking import levels
from solver.search.asking import search as asking_search
from solver.search.asking.layers import FactLayers
from solver.search.asking.search import FactSearch
from solver.search.compiled import bound_functions
from solver.search.layers import Counters, Enough, LayeredSearch, LimitHit, Watch
from solver.solve import solve
from tests.rules.iditacards.long_day.layers import SEEDS, day_of, layers_in, layers_of, narrow_day

NO_NEW_DAY = frozenset({"new_day"})


@pytest.mark.parametrize("seed", SEEDS)
def test_facts_lead_to_the_keys_of_the_compact_form(seed: int) -> None:
    """From random positions on, each way through the next turn and none other, with every missing fact answered."""
    day = day_of(seed)
    form, layers = day.form(), layers_of(day)
    assert form is not None
    generator = SplitMix64(seed)
    compared = 0
    for _ in range(4):
        key = day.root
        for _ in range(12):
            expected = set(day.successors(key))
            assert all(form.whole(layers._packed(after), layers._table) == after for after in expected)
            assert layers.after(key) == expected
            compared += len(expected)
            if not expected:
                break
            key = sorted(expected)[generator.below(len(expected))]
    assert compared > 30


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.needs_compiler)])
def test_facts_of_one_order_of_the_deck_serve_another(compiled: bool) -> None:
    """Searches take turns and go on with each other's facts; what the deck decides each of them asks by itself."""
    compact_shared.forget()  # which ways are taken hangs on the numbers of keys
    game, state = new_position("iditacards/2019-02", seed=2).start()
    assert isinstance(game, Iditacards)
    player = state.table.players[0]
    decks = (player.deck, player.deck[::-1], player.deck[5:] + player.deck[:5])
    tables = [state.table._replace(players=(player._replace(deck=deck),)) for deck in decks]
    days = [CompactDay(game.rulings, table, 0) for table in tables]
    searches = [layers_of(day, compiled=compiled) for day in days]
    keys, looks = [day.root for day in days], 0
    for step in range(6):
        for place, day in enumerate(days):
            expected = set(day.successors(keys[place]))
            before = int(searches[place]._notes[day_kernel.FACTS])
            assert searches[place].after(keys[place]) == expected
            looks += place > 0 and int(searches[place]._notes[day_kernel.FACTS]) == before
            keys[place] = sorted(expected)[step % len(expected)] if expected else day.root
    assert len({id(search._kept) for search in searches}) == 1
    assert looks  # turns for which nothing had to be asked again
    compact_shared.forget()
    assert layers_of(CompactDay(game.rulings, tables[0], 0), compiled=compiled)._kept is not searches[0]._kept


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("target", [10, 20])
def test_layers_of_facts_are_the_layers_of_the_plain_search(
    seed: int, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = narrow_day(seed, monkeypatch)
    plain = LayeredSearch(day, Watch(Limit()), [day.root])
    layers = layers_of(day)
    for turns in range(1, 5):
        one, other = plain.earliest(target, turns), layers.search([day.root], target, turns, False, None)
        assert (one.path is None, one.complete) == (other.path is None, other.complete)
        if one.path is not None:
            assert [set(layer) for layer in one.layers] == layers_in(layers)
        if one.path is not None:
            assert other.path is not None
            for some, marked in zip(plain.alive(one, ties=True), layers.alive(other, day), strict=True):
                shapes = {day.shape(key) for layer in one.layers for key in layer}
                assert {shape for shape in shapes if shape in some} == marked
            break


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_the_farthest_of_facts_is_the_farthest_of_the_plain_search(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    day = narrow_day(seed, monkeypatch)
    plain = LayeredSearch(day, Watch(Limit()), [day.root])
    one = plain.farthest(12, 3)
    layers = layers_of(day)
    other = layers.search([day.root], 12, 3, True, None)
    assert (one.path is None) == (other.path is None)
    if one.path is not None and other.path is not None:
        assert day.progress(one.path[-1]) == day.progress(other.path[-1])
        assert [set(layer) for layer in one.layers] == layers_in(layers)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_search_goes_on_with_the_layers_of_shorter_ones(seed: int) -> None:
    """With every number of turns the same layers as anew, whatever was searched, or given up, before."""
    day = day_of(seed)
    going = layers_of(day)
    for turns in range(1, 6):
        with pytest.raises(Enough):
            going.search([day.root], 20, turns + 9, False, going._counters.generated + 40)
        anew = layers_of(day)
        one, other = (each.search([day.root], 20, turns, False, None) for each in (going, anew))
        assert (one.path is None, one.complete) == (other.path is None, other.complete)
        assert layers_in(going) == layers_in(anew)
        assert going._counters.pruned == anew._counters.pruned
        if one.path is not None:
            assert going.alive(one, day) == anew.alive(other, day)
            break
        assert one.lacking == other.lacking


@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_is_expanded_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the horizons before it, whenever one of them was given up, and however soon facts are answered."""
    day = day_of(seed)
    monkeypatch.setattr(asking_layers, "CHUNK", 1)
    monkeypatch.setattr(asking, "WASTE", 1)
    anew = layers_of(day)
    turns, run = 1, anew.search([day.root], 20, 1, False, None)
    while run.path is None and turns < 6:
        turns += 1
        run = anew.search([day.root], 20, turns, False, None)
    kept = [level.need[node] for level in anew._levels for node in range(level.count)]
    assert anew._counters.expanded == kept.count(asking.DONE) > 0
    for most in range(1, anew._counters.generated, max(1, anew._counters.generated // 2)):
        going = layers_of(day)
        horizon, given_up = 1, False
        while not given_up and horizon <= turns:
            try:
                going.search([day.root], 20, horizon, False, most)
                horizon += 1
            except Enough:
                given_up = True
        assert given_up
        again = going.search([day.root], 20, turns, False, None)
        assert (again.path is None, again.complete) == (run.path is None, run.complete)
        assert layers_in(going) == layers_in(anew)
        assert going._counters.generated == anew._counters.generated


def test_a_beam_of_facts_finds_a_way() -> None:
    day = day_of(0)
    way = layers_of(day).beam([day.root], 30, 12, 20)
    assert way is not None
    assert day.progress(way[-1]) >= 20
    assert all(after in set(day.successors(before)) for before, after in pairwise(way))


def test_what_does_not_fit_stays_with_the_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    day = day_of(1)
    monkeypatch.setattr(day_kernel, "DECK_BITS", 3)
    monkeypatch.setitem(asking_compiled._loaded, id(DayForm.kernel), {})
    search = FactSearch(day, Watch(Limit()), [day.root])
    plain = LayeredSearch(day, Watch(Limit()), [day.root])
    assert search.earliest(10, 3).layers == plain.earliest(10, 3).layers


def told(report: Report) -> tuple[Any, ...]:
    # Where nothing reaches the target the bound says how far the last horizon went.
    bound = report.bound if report.value is not None else None
    return report.status, report.value, bound, report.line, report.proof.excluded_turns


@pytest.mark.needs_compiler
@pytest.mark.parametrize("goal", [Goal(Objective.MIN_TURNS, 20), Goal(Objective.MAX_DISTANCE, 0, 3)])
def test_compiled_and_plain_give_one_answer(goal: Goal, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal(goal.objective, goal.target, goal.within_turns, forbidden=NO_NEW_DAY)
    positions = [new_position("iditacards/2019-02", seed=seed) for seed in (0, 1, 4, 6)]
    monkeypatch.setattr(asking_compiled, "_loaded", {})
    monkeypatch.setattr(asking_search, "PATIENCE", 1 << 40)
    plain = [told(solve(position, goal)) for position in positions]
    asking_compiled.load(DayForm.kernel)
    assert [told(solve(position, goal)) for position in positions] == plain


@pytest.mark.needs_compiler
def test_the_farthest_is_one_whatever_the_beams_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a first beam that finds little, and a proof that is given up for another beam."""
    goal = Goal(Objective.MAX_DISTANCE, 0, 4, forbidden=NO_NEW_DAY)
    positions = [new_position("iditacards/2019-02", seed=seed) for seed in (1, 4, 6)]
    asking_compiled.load(DayForm.kernel)
    expected = [told(solve(position, goal)) for position in positions]
    beams: list[int] = []
    beam = FactSearch.beam

    def noted(self: FactSearch, width: int, turns: int, target: int | None) -> list[Any] | None:
        beams.append(width)
        return beam(self, width, turns, target)

    monkeypatch.setattr(FactSearch, "beam", noted)
    monkeypatch.setattr(question, "NARROW_BEAM", 1)
    monkeypatch.setattr(question, "LONG", 0)
    assert [told(solve(position, goal)) for position in positions] == expected
    assert {1, question.BEAM} == set(beams)


@pytest.mark.needs_compiler
def test_a_limit_stops_compiled_layers() -> None:
    day = day_of(3)
    form = day.form()
    assert form is not None
    layers = FactLayers(form, Watch(Limit(states=50)), Counters())
    with pytest.raises(LimitHit):
        layers.search([day.root], 20, 8, False, None)


@pytest.mark.parametrize("bits", [4, 5])
def test_layers_that_just_fill_their_slots_grow(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    day = narrow_day(1, monkeypatch)
    plain = LayeredSearch(day, Watch(Limit()), [day.root]).earliest(20, 4)
    monkeypatch.setattr(levels, "SLOT_BITS", bits)
    monkeypatch.setattr(levels, "NODES", 8)
    layers = layers_of(day)
    layers.search([day.root], 20, 4, False, None)
    assert layers_in(layers) == [set(layer) for layer in plain.layers]


def test_questions_under_the_same_weather_share_their_tables() -> None:
    days = {seed: (day_of(seed), new_position("iditacards/2019-02", seed=seed).table().weather) for seed in range(8)}
    for one, weather in days.values():
        for other, another in days.values():
            assert (one.boards is other.boards) == (weather == another)
    assert len({weather for _, weather in days.values()}) < len(days)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_read_tells_what_an_action_leads_to(seed: int) -> None:
    """Placements, ops and free actions on many boards: the same as when the rules are asked about each of them."""
    day = day_of(seed)
    tables, cards = day.boards, [day._rulings.cards[name] for name in day.kinds.names]
    generator = SplitMix64(seed)
    key = day.root
    for _ in range(60):
        after = sorted(set(day.successors(key)))
        key = after[generator.below(len(after))] if after else day.root
    told = 0
    for number in range(0, len(tables), 1 + len(tables) // 30):
        for card in cards:
            if card.type in PLACERS:
                placed = partial(PLACERS[card.type], card=card.id)
                assert tables.place(number, card) == tables._explore(number, placed)
            for place, effect in enumerate(card.instant):
                if effect.op in BOARD_OPS:
                    ran = partial(run_alone, card=card, effect=effect)
                    assert tables.run(number, card, place) == tables._explore(number, ran)
        free = {change.board for change in tables._explore(number, free_action)}
        assert free | {number} <= set(tables.free(number))
        told += 1
    asked = sum(map(len, tables._explored.values()))
    assert told > 10
    assert 0 < asked < len(tables._moves) + len(tables._places) + len(tables._free)


def test_places_of_a_shuffle_are_those_of_the_shuffle() -> None:
    game, state = new_position("iditacards/2019-02", seed=5).start()
    assert isinstance(game, Iditacards)
    cards = sorted(state.table.players[0].deck)
    for event in range(3):
        places = shuffled_places(game.rulings, len(cards), [], DECK_EVENTS, 0, event)
        assert places is not None
        assert [cards[place] for place in places] == shuffled(game.rulings, cards, [], DECK_EVENTS, 0, event)
    assert shuffled_places(game.rulings, len(cards), [cards], DECK_EVENTS, 0, 0) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_ways_in_order_are_all_ways_of_the_turn(seed: int) -> None:
    game, state = new_position("iditacards/2019-02", seed=seed).start()

    def order(end: TurnEnd[Any]) -> tuple[int, tuple[str, ...]]:
        steps = taken(end)
        return len(steps), tuple(step.text for step in steps)

    wanted = sorted(map(order, game.turn_ends(state.table, (), frozenset(), no_new_day)))
    ends = game.ordered_ends(state.table, (), frozenset(), no_new_day, 1 << 20)
    assert [order(end) for end in ends] == wanted
    few = [order(end) for end in game.ordered_ends(state.table, (), frozenset(), no_new_day, 3)]
    assert sorted(few) == wanted


def no_new_day(step: Step) -> bool:
    return step.text not in NO_NEW_DAY


def test_a_constant_is_part_of_the_version_of_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [bound_functions(DayForm.kernel, asking.FUNCTIONS)["explore"].__qualname__]
    monkeypatch.setattr(day_offers, "LATEST", day_offers.LATEST + 1)
    names.append(bound_functions(DayForm.kernel, asking.FUNCTIONS)["explore"].__qualname__)
    assert names[0] != names[1]
