"""Cards told apart by stance alone, a few turns before the end: the same chances as with every kind told apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.race import NOTHING_KNOWN
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief.aim import Aims
from rules.iditacards.belief.day import BeliefDay
from rules.iditacards.belief.facts import FormFacts
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.needs import Leading
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch

DAY = frozenset({"new_day"})
RULESETS = ("2017", "2019-02", "2019-08", "starter-legs")


def question(ruleset: str, seed: int) -> tuple[Iditacards, Table, Goal, int]:
    """Return a question about a small table near the end of a leg, some of its cards several times."""
    dice = random.Random(f"{ruleset} {seed} aim")
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    player = table.players[0]
    usual = ("mush", "move", "move", "lunch", "breakfast", "husky", "dog_chow", "lead_dog")
    others = sorted(card for card, facts in game.content.cards.items() if facts.deck not in ("legendary", "damage"))
    hand, deck = dice.choice((2, 3, 4)), dice.choice((3, 4, 5))
    cards = [dice.choice(usual if dice.random() < 0.7 else others) for _ in range(hand + deck)]
    dogs = [*player.dogs, *([Dog("lead_dog", ("dog_chow",))] if dice.random() < 0.3 else [])]
    stack = (Frame("mush", need=1, paid=0, step="risk", n=0, day=0),) if dice.random() < 0.25 else ()
    player = player._replace(
        pos=dice.choice((30, 33, 35, 36, 44, 46, 72, 79)),
        hand=tuple(sorted(cards[:hand])),
        deck=tuple(sorted(cards[hand:])),
        dogs=tuple(sorted(dogs)),
        stack=stack,
        legendary=(),
    )
    turns = dice.choice((2, 3, 3, 4))
    upgrade = tuple(cards[:1] for cards in table.upgrade)
    goal = Goal(Objective.REACH, player.pos + dice.choice((3, 4, 6, 8, 10, 12)), turns, DAY)
    return game, table._replace(players=(player,), upgrade=upgrade), goal, turns


def form_of(game: Iditacards, table: Table, goal: Goal, turns: int) -> BeliefDay | None:
    form = game.belief_turns(table, 0, DAY, goal.target or None, turns)
    if form is None and goal.target:
        form = game.belief_floor(table, 0, DAY, goal.target, turns)
    assert form is None or isinstance(form, BeliefDay)
    return form


def searched(asked: tuple[Iditacards, Table, Goal, int], *, packed: bool = True) -> tuple[Fraction | None, int] | None:
    """Return a chance and the beliefs looked at; nothing where it is not carried as asked."""
    _, table, goal, turns = asked
    form = form_of(*asked)
    if form is None:
        return None
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    try:
        value = search.value(form.project(table, turns), turns)
    except OutOfReach:
        return None
    return (value, search.counters.expanded) if search.is_packed == packed else None


@pytest.mark.parametrize("ruleset", RULESETS)
def test_chances_are_those_of_beliefs_with_every_kind_told_apart(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "FAR", 0)
    questions = [question(ruleset, seed) for seed in range(22)]
    aimed = [searched(asked) for asked in questions]
    lay_out = FormFacts._lay_out

    def apart(form: FormFacts, levels: int) -> list[int]:
        form._aiming = False
        return lay_out(form, levels)

    monkeypatch.setattr(FormFacts, "_lay_out", apart)
    compared, open_, fewer, more = 0, 0, 0, 0
    for asked, found in zip(questions, aimed, strict=True):
        control = searched(asked) if found is not None else None
        if found is not None and control is not None:
            assert found[0] == control[0], asked
            compared += 1
            open_ += found[0] not in (0, 1)
            fewer, more = fewer + found[1], more + control[1]
    assert compared > 8
    assert open_ > 0
    assert fewer < more


@pytest.mark.parametrize("ruleset", RULESETS)
def test_chances_are_those_of_the_rules_played_step_by_step(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "FAR", 0)
    plain = rules = 0
    for seed in range(40, 58):
        game, table, goal, turns = asked = question(ruleset, seed)
        found = searched(asked) if turns < 4 else None
        if found is None:
            continue
        control = searched(asked, packed=False)
        assert control is None or control[0] == found[0], seed
        plain += control is not None
        if turns == 2 and game.belief_turns(table, 0, DAY, goal.target, turns) is not None:
            with monkeypatch.context() as bare:
                bare.setattr(Iditacards, "outlook", lambda *_: NOTHING_KNOWN)
                assert Expectimax(game, goal, Watch(Limit())).value(table, turns) == found[0], seed
            rules += 1
    assert plain > 3
    assert rules > 0 or ruleset == "2019-08"


def test_what_wins_nothing_is_one_kind_and_pays_first(monkeypatch: pytest.MonkeyPatch) -> None:
    game, table, _, _ = question("starter-legs", 1)
    hand, deck = ("a_hat", "armour", "move", "mush", "good_dog"), ("first_aid", "lunch", "move", "mush")
    player = table.players[0]._replace(pos=48, stack=(), dogs=(Dog("wheel_dog", ()),), hand=hand, deck=deck)
    table = table._replace(players=(player,))
    goal = Goal(Objective.REACH, 60, 2, DAY)
    aims: list[Aims] = []
    init: Callable[..., None] = Aims.__init__

    def kept(self: Aims, *args: object, **named: object) -> None:
        init(self, *args, **named)
        aims.append(self)

    monkeypatch.setattr(Aims, "__init__", kept)
    assert searched((game, table, goal, 2)) is not None
    form = form_of(game, table, goal, 2)
    assert form is not None
    aim = aims[0].of(0, 2)
    names = form.kinds.names
    idle = {name for name, first in zip(names, aim.held.classes, strict=True) if first == aim.held.idle}
    assert not aim.dead
    assert aim.idle_pays
    assert {"a_hat", "armour", "good_dog", "first_aid"} <= idle
    assert "mush" not in idle


def test_what_is_chosen_once_cards_are_drawn_is_chosen_knowing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that is turned over draws, and completes another one, for which a dog has to be chosen."""
    choices = 0
    choose = BeliefForm._choice

    def counted(form: BeliefForm, ends: tuple[Leading, ...]) -> int | None:
        nonlocal choices
        choices += len(ends) > 1
        return choose(form, ends)

    monkeypatch.setattr(BeliefForm, "_choice", counted)
    values = set()
    for seed in range(8):
        dice = random.Random(seed)
        ruleset, others = ("2019-02", ["dog_shoes"]) if seed % 2 else ("starter-legs", [])
        game, table, _, _ = question(ruleset, seed)
        usual = ["lunch", "breakfast", "breakfast", "mush", "move", "husky", "dog_chow", "armour", *others]
        player = table.players[0]._replace(
            pos=dice.choice((33, 34, 35, 44)),
            hand=tuple(sorted(dice.choice(usual) for _ in range(2))),
            deck=tuple(sorted(["breakfast", *(dice.choice(usual) for _ in range(3))])),
            dogs=(Dog("husky", ()), Dog("lead_dog", ("dog_chow",))),
            stack=(Frame("dog_chow", need=1, paid=0, step="risk", n=0, day=0),),
        )
        table = table._replace(players=(player,))
        for goal in (
            Goal(Objective.REACH, player.pos + dice.choice((4, 6, 8, 10)), 2, DAY),
            Goal(Objective.MAX_DISTANCE, 0, 2, DAY),
        ):
            found = searched((game, table, goal, 2))
            if found is not None:
                assert found[0] == Expectimax(game, goal, Watch(Limit())).value(table, 2), (seed, goal)
                values.add(found[0])
    assert choices > 4
    assert len(values) > 4
