"""The bound of a day and its families of hands over numbers, against those of the compact form."""

from __future__ import annotations

import pytest

from rules.core.challenge import NEVER
from rules.core.chance import SplitMix64
from rules.core.position import new_position
from rules.iditacards.compact import shared as compact_shared
from rules.iditacards.compact.form import CompactDay
from rules.iditacards.engine import Iditacards
from rules.iditacards.long_day import turns as day_turns
from rules.iditacards.long_day.form import DayForm
from solver.search.asking import kernel as asking
from solver.search.compiled import bound_functions
from tests.rules.iditacards.long_day.layers import SEEDS, day_of, layers_of, narrow_day


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_says_the_same_whatever_was_asked_before(seed: int) -> None:
    """What fewer and more cards take settles many sizes of hand and deck: each as if it were asked alone."""
    day = day_of(seed)
    generator = SplitMix64(seed)
    keys = [day.root]
    for _ in range(10):
        after = sorted(set(day.successors(keys[-1])))
        if not after:
            break
        keys.append(after[generator.below(len(after))])
    for key in keys:
        stack, board, deck, family = day.numbers(key)
        held, size = day.families.usable[family] + day.families.stuck[family], day.decks.size[deck]
        for more in (0, 1, 2):
            waiting = day._plays.stack(stack)
            told = [day.bound(25).least(turns, board, waiting, held + more, size) for turns in range(8)]
            alone = [day.bound(25).to(25) for _ in told]  # nothing known of other sizes
            assert told == [each.least(turns, board, waiting, held + more, size) for turns, each in enumerate(alone)]


@pytest.mark.parametrize("seed", SEEDS)
def test_families_in_numbers_are_the_families(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards drawn, paid and played at random, damage among them, with hardly any room to begin with."""
    monkeypatch.setattr(DayForm, "stores", {"store": 1 << 11, "chains": 8, "family": 1})
    compact_shared.forget()
    game, state = new_position("iditacards/2019-02", seed=seed).start()
    assert isinstance(game, Iditacards)
    damage = sorted(game.rulings.damage_ids)[0]
    player = state.table.players[0]
    table = state.table._replace(players=(player._replace(deck=(*player.deck, damage, damage)),))
    day = CompactDay(game.rulings, table, 0)
    families, kinds, layers = day.families, day.kinds, layers_of(day)
    call = layers._functions

    def told(name: str, *asked: int) -> int:
        while (number := call[name](*asked, layers._table)) < 0:
            layers._sync()
        return int(number)

    def same(number: int, family: int) -> bool:
        return bool(layers._form.whole(number, layers._table) == layers._form.shape(0) | family)

    generator = SplitMix64(seed)
    for _ in range(12):
        family, number = families.EMPTY, told("family_of", 0, 0)
        left = kinds.pack([*table.players[0].hand, *table.players[0].deck])
        for _ in range(16):
            drawn = sum(kinds.unit[kind] for kind, _ in kinds.cards(left) if generator.below(4) == 0)
            if drawn:
                left -= drawn
                family, number = families.draw(family, drawn), told("draw", number, drawn)
            cost = generator.below(families.usable[family] + 1) or -1
            if families.usable[family] and generator.below(2):
                family, number = families.pay(family, cost), told("pay", number, cost)
            assert same(number, family)
            plays, place = families.plays(family), told("plays_of", number)
            listed = [int(each) for each in layers._table.chains[place + 1 : place + 1 + 2 * len(plays)]]
            assert layers._table.chains[place] == 2 * len(plays)
            assert listed[::2] == [kind for kind, _ in plays]
            assert all(same(one, other) for one, (_, other) in zip(listed[1::2], plays, strict=True))
            if plays:
                chosen = generator.below(len(plays))
                family, number = plays[chosen][1], listed[2 * chosen + 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_in_numbers_is_the_bound(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Along random lines, for near and far targets: the same answers."""
    day = narrow_day(seed, monkeypatch)
    form, layers = day.form(), layers_of(day)
    assert form is not None
    lacking = bound_functions(DayForm.kernel, asking.FUNCTIONS)["lacking"]
    generator = SplitMix64(seed)
    compared = cut = 0
    for _ in range(6):
        key = day.root
        for _ in range(8):
            after = sorted(layers.after(key))
            if not after:
                break
            key = after[generator.below(len(after))]
            for turns in (1, 2, 4, 6):
                target = day.progress(key) + 1 + generator.below(30)
                expected = day.lacking(key, turns, target)
                layers._notes[asking.MISSING] = 1
                while layers._notes[asking.MISSING]:
                    layers._notes[asking.MISSING] = 0
                    told = lacking(layers._packed(key), turns, target, layers._table)
                    layers._answer()
                assert (told > 0) == (expected > 0)
                compared += 1
                cut += told > 0
    assert 0 < cut < compared


@pytest.mark.parametrize("seed", SEEDS)
def test_where_cards_are_too_few_nobody_takes_so_many_turns(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound says after how many turns a day is over: no line has more, all of them gone through without a bound."""
    monkeypatch.setattr(day_turns, "AHEAD", 0)
    day = day_of(seed)
    layers = layers_of(day)
    generator = SplitMix64(seed)
    compared = 0
    for _ in range(20):
        key = day.root
        while after := sorted(layers.after(key)):
            key = after[generator.below(len(after))]
            turns = 1
            while turns < 4 and layers.lacking(key, turns, day_turns.FARTHEST) < NEVER - turns:
                turns += 1
            if turns == 4 or day.is_over(key):
                continue
            ends = {key}
            for _ in range(turns):
                ends = {end for each in ends for end in day.successors(each)}
            assert not ends
            compared += turns > 1
    assert compared > 2


def test_a_track_too_long_for_the_numbers_stays_with_the_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day_turns, "FARTHEST", 100)
    assert day_of(0).form() is None
