"""Packed beliefs of a day against the rules played step by step: equal fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import deal as belief_deal
from rules.iditacards.belief.day import BeliefDay
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.scope import missing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import Beliefs, BeliefSearch
from solver.search.dealing import dealt
from solver.search.dealing import draws as dealing_draws
from solver.search.dealing import entry as dealing_entry
from solver.search.dealing import facts as dealing_facts
from solver.search.dealing import frames as dealing_frames
from solver.search.dealing import loop as dealing
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch

DAY = frozenset({"new_day"})
RULESETS = ("2017", "2019-02", "starter-race", "starter-legs")


def small(ruleset: str, seed: int, hand: int, deck: int) -> tuple[Iditacards, Table]:
    """Return a random small table in the middle of a day, the deck hidden."""
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    dice = random.Random(f"{ruleset} {seed}")
    player = table.players[0]
    cards = [*player.hand, *player.deck]
    others = sorted(card for card, facts in game.content.cards.items() if facts.deck not in ("legendary",))
    cards += [dice.choice(others) for _ in range(6)]
    cards += ["damaged"] if seed % 4 == 0 and "damaged" in game.content.cards else []
    dice.shuffle(cards)
    player = player._replace(
        pos=dice.choice((0, 1, 25, 48, 70, 90, 120)),
        hand=tuple(sorted(cards[:hand])),
        deck=tuple(sorted(cards[hand : hand + deck])),
        legendary=(),
        hypothermia=dice.randrange(3) if ruleset != "starter-race" else 0,
        starvation=dice.randrange(3) if ruleset != "starter-race" else 0,
    )
    upgrade = tuple(cards[:1] for cards in table.upgrade)
    return game, table._replace(players=(player,), upgrade=upgrade)


def goals(table: Table, turns: int) -> list[Goal]:
    pos = table.players[0].pos
    return [
        Goal(Objective.MAX_DISTANCE, 0, turns, DAY),
        Goal(Objective.REACH, pos + 4 * turns, turns, DAY),
        Goal(Objective.REACH, pos + 12, turns, DAY),
        Goal(Objective.MIN_TURNS, pos + 3, turns, DAY),
    ]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_beliefs_are_worth_what_the_rules_say(ruleset: str) -> None:
    compared = 0
    for seed in range(24):
        turns = 1 + seed % 3
        game, table = small(ruleset, seed, 4 - turns % 2, 5)
        if missing(game.rulings, table, 0, DAY):
            continue
        for goal in goals(table, turns):
            plain = Expectimax(game, goal, Watch(Limit()))
            form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
            if form is None:
                continue
            search = BeliefSearch(form, goal, Watch(Limit()))
            try:
                value = search.value(form.project(table, turns), turns)
            except OutOfReach:
                continue
            assert value == plain.value(table, turns), (seed, goal, table.players[0])
            compared += 1
    assert compared > 20


def packed_worth(
    game: Iditacards, table: Table, goal: Goal, turns: int, *, packed: bool
) -> tuple[Fraction | None, bool]:
    """Return a value, and whether the packed search gave it."""
    form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
    assert form is not None
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    return search.value(form.project(table, turns), turns), search.is_packed


@pytest.mark.parametrize("ruleset", RULESETS)
def test_packed_beliefs_are_worth_the_same(ruleset: str) -> None:
    packed = 0
    for seed in range(12, 36):
        turns = 2 + seed % 2
        game, table = small(ruleset, seed, 4 - turns % 2, 5)
        for goal in goals(table, turns)[:3]:
            if game.belief_turns(table, 0, DAY, goal.target or None, turns) is None:
                continue
            try:
                value, was_packed = packed_worth(game, table, goal, turns, packed=True)
                assert value == packed_worth(game, table, goal, turns, packed=False)[0], (seed, goal)
            except OutOfReach:
                continue
            packed += was_packed
    assert packed > (6 if ruleset == "2017" else 12)


def whole_day(seed: int) -> tuple[Iditacards, Table, Goal, int]:
    """Return a question about all turns that a day of six starter cards can have, and more."""
    position = new_position("iditacards/starter-race", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    player = table.players[0]
    cards = [*player.hand, *player.deck]
    random.Random(seed).shuffle(cards)
    player = player._replace(hand=tuple(sorted(cards[:2])), deck=tuple(sorted(cards[2:6])), pos=3)
    turns = 2 * 6 + 1
    return game, table._replace(players=(player,)), Goal(Objective.REACH, 8 + seed % 5, turns, DAY), turns


def test_whole_days_are_worth_what_the_rules_say() -> None:
    chances = set()
    for seed in range(8):
        game, table, goal, turns = whole_day(seed)
        value, packed = packed_worth(game, table, goal, turns, packed=True)
        assert packed
        assert value == Expectimax(game, goal, Watch(Limit())).value(table, turns), (seed, goal)
        chances.add(value)
    assert len(chances) > 2


def starter(hand: str, deck: str, **others: Any) -> tuple[Iditacards, Table]:
    """Return a table of the starter race with such cards in hand and deck."""
    position = new_position("iditacards/starter-race", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    hands = {"hand": tuple(sorted(hand.split())), "deck": tuple(sorted(deck.split()))}
    return game, table._replace(players=(table.players[0]._replace(**hands, **others),))


def test_a_chance_that_the_hand_runs_out_on_one_way_counts_the_others() -> None:
    waiting = Frame(card="husky", need=2, paid=0, step="risk", n=0, day=0)
    game, table = starter("", "dog_chow move", pos=42, stack=(waiting,))
    goal = Goal(Objective.REACH, 48, 2, DAY)
    assert packed_worth(game, table, goal, 2, packed=True) == (Fraction(1, 2), True)
    assert Expectimax(game, goal, Watch(Limit())).value(table, 2) == Fraction(1, 2)


def large_hand(seed: int, more: int = 0) -> tuple[Iditacards, Table, Goal, int]:
    """Return a question about the last two to four turns of a day with more cards in hand than pay for any two."""
    dice = random.Random(seed)
    useful = ["mush", "mush", "move", "move", "dog_chow", "lunch", "breakfast", "dinner", "rest", "husky", "lead_dog"]
    idle = ["a_hat", "armour", "first_aid", "repair_sled", "good_dog", "upgrade_sled", "grandma_soup"]
    cards = dice.sample(useful, 5 + more) + dice.sample(idle, 5 + min(more, 2))
    dice.shuffle(cards)
    held = dice.choice((4, 5, 6)) + more
    game, table = starter(" ".join(cards[:held]), " ".join(cards[held:]))
    turns = 2 + seed % 3
    reach = Goal(Objective.REACH, dice.choice((6, 9, 12, 15, 18)), turns, DAY)
    return game, table, reach if seed % 2 else Goal(Objective.MAX_DISTANCE, 0, turns, DAY), turns


def test_turns_told_at_once_are_worth_what_they_are_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [large_hand(seed) for seed in range(18)]
    told = [packed_worth(*question, packed=True) for question in questions]
    monkeypatch.setattr(BeliefForm, "_all_few", lambda _: [])
    assert [packed_worth(*question, packed=True) for question in questions] == told
    assert len(set(told)) > 9
    assert all(packed for _, packed in told)


def test_last_two_turns_are_worth_what_the_rules_say() -> None:
    values = set()
    for seed in range(0, 24, 3):
        game, table, goal, turns = large_hand(seed)
        value, packed = packed_worth(game, table, goal, turns, packed=True)
        assert packed
        assert value == Expectimax(game, goal, Watch(Limit())).value(table, turns), (seed, goal)
        values.add(value)
    assert len(values) > 4


def test_twins_that_are_not_told_apart_settle_what_they_are_worth_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [*(large_hand(seed) for seed in range(1, 30, 2)), *(large_hand(seed, 4) for seed in range(1, 19, 6))]
    monkeypatch.setattr(BeliefForm, "_all_twins", lambda _: None)
    apart = [packed_worth(*question, packed=True) for question in questions]
    monkeypatch.undo()
    asked, settled = 0, 0
    forms: list[BeliefForm] = []
    write = BeliefForm._write_twins

    def write_for_any_hand(form: BeliefForm) -> None:
        write(form)
        form.facts[dealing_facts.DEAREST] = 0
        forms.append(form)

    monkeypatch.setattr(BeliefForm, "_write_twins", write_for_any_hand)
    monkeypatch.setattr(dealing, "TWINS_FROM", 2)
    monkeypatch.setattr(dealing, "SAMPLE", 1_000_000)
    monkeypatch.setattr(dealt, "_loaded", {})
    assert [packed_worth(*question, packed=True) for question in questions] == apart
    for form in forms:
        first = form.facts[dealing_facts.SETTLED]
        counts = form.facts[first : form.facts[dealing_facts.STANCES]]
        asked += sum(counts[::2])
        settled += sum(counts[1::2])
    assert 20 < settled < asked, (settled, asked)
    for question, (value, _) in list(zip(questions, apart, strict=True))[:15:4]:
        game, table, goal, turns = question
        assert value == Expectimax(game, goal, Watch(Limit())).value(table, turns)


@pytest.mark.parametrize("seed", [2, 5, 8, 11])
def test_moves_are_worth_the_same_dealt_out_and_left_to_the_packed_form(seed: int) -> None:
    game, table, goal, turns = large_hand(seed)
    moves = [move for move in game.legal_moves(State(table)) if move.text not in DAY]
    values = []
    for packed in (True, False):
        form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
        assert form is not None
        search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
        start = BeliefStart(search, form, table, moves, goal)
        found = start.moves(turns)
        assert [move for move, _ in found] == moves
        values.append((found, start.plan(found[0][0], turns)))
    assert values[0] == values[1]


@pytest.mark.parametrize("turns", [2, 3, 5])
@pytest.mark.parametrize("pos", [153, 158])
def test_distances_stop_at_the_end_of_the_race(pos: int, turns: int) -> None:
    game, table = starter("first_aid move mush", "armour mush dog_chow", pos=pos)
    goal = Goal(Objective.MAX_DISTANCE, 0, turns, DAY)
    value, packed = packed_worth(game, table, goal, turns, packed=True)
    assert packed
    assert value == Expectimax(game, goal, Watch(Limit())).value(table, turns)


def test_who_slows_down_before_the_end_may_get_further() -> None:
    game, table = starter("husky mush rest", "dinner dog_chow lead_dog move repair_sled repair_sled", pos=157)
    form = game.belief_turns(table, 0, DAY, None, 3)
    assert form is not None
    goal = Goal(Objective.MAX_DISTANCE, 0, 3, DAY)
    value = BeliefSearch(form, goal, Watch(Limit())).value(form.project(table, 3), 3)
    assert value == Fraction(327, 2)  # as ``Expectimax`` has it, in some seconds


@pytest.mark.parametrize("seed", range(3))
def test_days_on_which_slots_are_short_are_worth_what_the_rules_say(seed: int) -> None:
    dice = random.Random(seed)
    dog, turns = ("good_dog", "lead_dog")[seed % 2], 3
    others = dice.sample(["rest", "a_hat", "lead_dog"], 1)
    hand, dogs = [dog, "dog_chow", *["armour"] * 5], (Dog("wheel_dog", ("dog_chow",)),)
    game, table = starter(" ".join(hand), " ".join([*others, *["armour"] * 7]), pos=3, dogs=dogs)
    form = game.belief_turns(table, 0, DAY, None, turns)
    assert isinstance(form, BeliefDay)
    assert form.plain is not None
    assert form.plain.tight
    goal = Goal(Objective.MAX_DISTANCE, 0, turns, DAY)
    value, packed = packed_worth(game, table, goal, turns, packed=True)
    assert packed
    assert value == Expectimax(game, goal, Watch(Limit())).value(table, turns)


@pytest.mark.parametrize("seed", range(6))
def test_days_on_which_more_than_speed_counts_are_worth_the_same(seed: int) -> None:
    dice = random.Random(seed)
    usual = "mush move move lunch rest husky breakfast armour"
    cards = [*dice.sample(usual.split(), 7), "dog_chow", "dog_chow"]  # more to wear than the one dog can
    dice.shuffle(cards)
    game, table = starter(" ".join(cards[:5]), " ".join(cards[5:]))
    goal = Goal(Objective.REACH, dice.choice((8, 10, 14)), 3, DAY)
    value, packed = packed_worth(game, table, goal, 3, packed=True)
    assert packed
    assert value == packed_worth(game, table, goal, 3, packed=False)[0]


@pytest.mark.parametrize("seed", range(10))
def test_last_turns_after_free_actions_are_worth_what_the_rules_say(seed: int) -> None:
    dice = random.Random(seed)
    position = new_position("iditacards/starter-legs", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    usual = "mush move move lunch rest husky breakfast armour lead_dog first_aid dog_chow"
    cards = dice.sample(usual.split(), 8)
    player = table.players[0]._replace(
        pos=dice.choice((33, 34, 35)),
        hand=tuple(sorted(cards[:4])),
        deck=tuple(sorted(cards[4:])),
        dogs=(Dog("lead_dog", ()), Dog("wheel_dog", ("dog_chow",) if seed % 2 else ())),
    )
    if seed % 4 > 1:  # a dog comes that is better killed before the last turn
        waiting = Frame(card="lead_dog", need=1, paid=0, step="risk", n=0, day=0)
        player = player._replace(pos=dice.choice((38, 40)), dogs=(Dog("wheel_dog", ("dog_chow",)),), stack=(waiting,))
    table = table._replace(players=(player,))
    turns = 2 + seed % 2
    for goal in (
        Goal(Objective.REACH, player.pos + dice.choice((4, 6, 8, 10)), turns, DAY),
        Goal(Objective.MAX_DISTANCE, 0, turns, DAY),
    ):
        value, packed = packed_worth(game, table, goal, turns, packed=True)
        assert packed
        assert value == packed_worth(game, table, goal, turns, packed=False)[0]
        if turns == 2:
            assert value == Expectimax(game, goal, Watch(Limit())).value(table, turns)


@pytest.mark.needs_compiler
def test_compiled_and_plain_worths_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [whole_day(seed) for seed in range(4)]
    plain = [packed_worth(*question, packed=True) for question in questions]
    monkeypatch.setattr(dealt, "_loaded", {})
    dealt.load()
    assert [packed_worth(*question, packed=True) for question in questions] == plain


class Stopped(Exception):
    """The time is up."""


def test_who_makes_many_ways_can_be_stopped_and_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn pauses while it makes its ways; whatever a pause raises leaves the belief to be asked again."""
    monkeypatch.setattr(belief_deal, "PAUSE", 3)
    game, table = small("2019-02", 5, 6, 9)

    def ways(stop: int | None) -> tuple[list[Any], int]:
        day = game.belief_turns(table, 0, DAY, None, 2)
        assert day is not None
        belief = day.project(table, 2)
        pauses = 0

        def pause() -> None:
            nonlocal pauses
            pauses += 1
            if pauses == stop:
                raise Stopped

        day.pause_with(pause)
        if stop is not None:
            with pytest.raises(Stopped):
                list(day.turn(belief, 2))
        return list(day.turn(belief, 2)), pauses

    expected, pauses = ways(None)
    assert pauses > 100
    for stop in (1, pauses // 3, pauses // 2, pauses - 1):
        assert ways(stop)[0] == expected


@pytest.mark.parametrize("draws", [1, 3])
@pytest.mark.parametrize("target", [None, 14])
def test_cards_that_come_off_are_counted_together_as_in_a_node_of_its_own(target: int | None, draws: int) -> None:
    """Hand and deck after each card are those that the node gets that is asked for with a frame of its own."""
    table = new_position("iditacards/starter-race", seed=7, open_sources=[]).table()
    game = new_position("iditacards/starter-race", seed=7, open_sources=[]).game
    assert isinstance(game, Iditacards)
    day = game.belief_turns(table, 0, DAY, target, 3)
    assert day is not None
    beliefs: Beliefs = day
    form, parts = beliefs.form(target, 3, dealt.LAYOUT), beliefs.parts(day.project(table, 3))
    assert form is not None
    assert parts is not None
    node = form.dealt(*parts)
    form.answer(node.stance, 0, 0, lambda size: form.facts.extend([0] * (size - len(form.facts))))
    facts, seen = form.facts, 0
    for turns, paid in product((2, 3), (0, 2)):
        frames = [0] * (2 * dealing_frames.FRAME)
        c = dealing_frames.FRAME
        dealing_frames.ask(0, 0, node.deck, node.hand, node.size, node.held, turns, dealing_facts.TOLD, frames)
        frames[5:9] = [node.stance, node.won, draws, paid]
        dealing_entry.count_together(0, facts, frames)
        dealing_draws.follow(0, True, facts, frames)
        deck, hand = frames[1:3]
        for kind in range(facts[dealing_facts.KINDS]):
            if frames[dealing_frames.MISSING] >> kind & 1:
                one = 1 << facts[facts[dealing_facts.SHIFTS] + kind]
                held = node.held + 1
                dealing_frames.ask(c, 0, deck - one, hand + one, node.size - 1, held, turns, dealing_facts.TOLD, frames)
                frames[c + 5 : c + 9] = [frames[5], frames[6], draws - 1, paid]
                dealing_entry.count_together(c, facts, frames)
                place = dealing_frames.FOLLOWING + dealing_frames.FOLLOW * kind
                assert frames[place : place + 2] == [frames[c + 2], frames[c + 1]]
                seen += 1
            else:
                assert dealing_draws.copies_of(deck, kind, facts) == 0
    assert seen > 20
