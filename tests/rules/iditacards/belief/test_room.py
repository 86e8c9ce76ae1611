"""What counts with two turns left, told for each number of cards: the same worths as with every kind told apart."""

from __future__ import annotations

import random
from itertools import product

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.belief import stances as belief_stances
from rules.iditacards.belief.aim import Aims
from rules.iditacards.belief.day import BeliefDay
from rules.iditacards.belief.facts import FormFacts
from rules.iditacards.belief.form import BeliefForm
from rules.iditacards.belief.room import Counted, Room
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Frame, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.dealing import ends as dealing_ends
from solver.search.dealing import entry as dealing_entry
from solver.search.dealing import steps as dealing_steps
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch
from tests.rules.iditacards.belief.values import searched

DAY = frozenset({"new_day"})
IDLE = ("repair_sled", "upgrade_sled", "armour")
"""Cards that do nothing for two turns."""
BEYOND_ALL = 1 << 16
"""The number of no risk stack."""


def question(ruleset: str, seed: int) -> tuple[Iditacards, Table, list[Goal]]:
    """Return a small table of few kinds, some of them several times, and what is asked about it."""
    dice = random.Random(f"{ruleset} {seed} room")
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    facts = {card: facts for card, facts in game.content.cards.items() if facts.deck not in ("legendary", "damage")}
    movers = sorted(card for card, each in facts.items() if any(effect.op == "move" for effect in each.instant))
    free = [card for card in movers if not facts[card].risk]
    drawing = sorted(card for card, each in facts.items() if any(effect.op == "draw" for effect in each.instant))
    idle = dice.choice(IDLE)
    kinds = [idle, dice.choice(movers), dice.choice(sorted(facts))]
    kinds += [dice.choice(free) for _ in range(3)] + [dice.choice(drawing) for _ in range(2)]
    held, hidden = dice.choice((4, 5, 6, 7)), dice.choice((3, 4, 5, 6))
    cards = [idle, *(dice.choice(kinds) for _ in range(held + hidden - 1))]
    player = table.players[0]._replace(
        pos=dice.choice((0, 3, 17, 30, 36, 46, 72)),
        hand=tuple(sorted(cards[:held])),
        deck=tuple(sorted(cards[held:])),
        dogs=(Dog("wheel_dog", ()),) if dice.random() < 0.5 else (),
        stack=(Frame("mush", need=1, paid=0, step="risk", n=0, day=0),) if dice.random() < 0.3 else (),
        legendary=(),
    )
    turns = dice.choice((2, 3))
    far = player.pos + dice.choice((2, 4, 6, 10))
    goals = [Goal(Objective.MAX_DISTANCE, 0, turns, DAY), Goal(Objective.REACH, far, turns, DAY)]
    return game, table._replace(players=(player,)), goals


def test_values_are_those_with_every_kind_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_facts, "MANY", 0)
    monkeypatch.setattr(belief_facts, "FAR", 0)
    told: list[Counted] = []
    of = Room.of

    def counted(room: Room, stance: int, held: int, left: int) -> Counted:
        told.append(of(room, stance, held, left))
        return told[-1]

    outdone = dealing_ends.outdone
    replaced = 0

    def replacing(cards: int, few: int, facts: list[int]) -> int:
        nonlocal replaced
        found = outdone(cards, few, facts)
        replaced += found != cards
        return found

    monkeypatch.setattr(Room, "of", counted)
    monkeypatch.setattr(dealing_entry, "outdone", replacing)
    monkeypatch.setattr(dealing_steps, "outdone", replacing)
    tables = [question(*each) for each in product(("2019-02", "2017", "starter-legs"), range(8))]
    questions = [(game, table, goal) for game, table, goals in tables for goal in goals]
    values = [searched(*asked) for asked in questions]
    lay_out = FormFacts._lay_out

    def apart(form: FormFacts, levels: int) -> list[int]:
        form._aiming = False
        return lay_out(form, levels)

    monkeypatch.setattr(FormFacts, "_lay_out", apart)
    compared = 0
    for asked, value in zip(questions, values, strict=True):
        if value is not None:
            assert value == searched(*asked), asked
            if asked[2].within_turns == 2:
                assert searched(*asked, packed=False) in (None, value), asked
            compared += 1
    assert compared > 12
    assert len(set(values)) > 8
    assert told
    assert replaced > 0


def form_of(hand: str, deck: str) -> tuple[BeliefForm, Aims, tuple[str, ...]]:
    """Return the facts about a table on which distance counts."""
    position = new_position("iditacards/2019-02", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    player = table.players[0]._replace(
        pos=17, hand=tuple(sorted(hand.split())), deck=tuple(sorted(deck.split())), stack=(), legendary=()
    )
    table = table._replace(players=(player,))
    goal = Goal(Objective.MAX_DISTANCE, 0, 2, DAY)
    form = game.belief_turns(table, 0, DAY, None, 2)
    assert isinstance(form, BeliefDay)
    search = BeliefSearch(form, goal, Watch(Limit()))
    search.value(form.project(table, 2), 2)
    packed = search._form
    assert isinstance(packed, BeliefForm)
    assert packed.aims is not None
    return packed, packed.aims, form.kinds.names


def test_a_card_is_outdone_by_those_that_go_further_for_no_more() -> None:
    _, aims, names = form_of("a_hat move push repair_sled rest", "dinner lunch move mush push")
    aim, above, _ = aims.counted(0, 5, 5)
    assert aim.idle_pays
    idle = {name for name, first in zip(names, aim.held.classes, strict=True) if first == aim.held.idle}
    assert {"a_hat", "repair_sled"} <= idle
    assert not {"push", "mush", "rest"} & idle

    def outdo(name: str) -> set[str]:
        return {other for kind, other in enumerate(names) if above[names.index(name)] >> kind & 1}

    assert outdo("push") <= {"mush"}
    assert "push" not in outdo("rest")


def test_what_a_card_costs_counts_as_far_as_there_is_something_to_pay_with() -> None:
    _, aims, names = form_of("a_hat move push repair_sled rest", "dinner lunch move mush push")
    push = names.index("push")
    poor, rich = aims._room_for.of(0, 2, 5), aims._room_for.of(0, 6, 5)
    assert poor.hands[push] != rich.hands[push]
    assert not any(card.firsts[push] and card.hands[push] is None for card in (poor, rich))


@pytest.mark.parametrize(
    ("hand", "deck", "turns"),
    [("desperate_times diamorphine", "move", 2), ("desperate_times malamute malamute", "move travel_light", 3)],
)
def test_a_card_that_costs_all_of_the_hand_does_not_stand_for_others(
    monkeypatch: pytest.MonkeyPatch, hand: str, deck: str, turns: int
) -> None:
    position = new_position("iditacards/2017", seed=1, open_sources=[])
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    waits = (Frame("steam_engine", need=1, paid=0, step="risk", n=0, day=0),) if turns > 2 else ()
    player = table.players[0]._replace(pos=78, hand=tuple(hand.split()), deck=tuple(deck.split()), stack=waits, dogs=())
    table, goal = table._replace(players=(player,), weather="storm"), Goal(Objective.MAX_DISTANCE, 0, turns, DAY)
    for name in ("FAR", "MANY"):
        monkeypatch.setattr(belief_facts, name, 0)
    form = game.belief_turns(table, 0, DAY, None, turns)
    assert isinstance(form, BeliefDay)
    search = BeliefSearch(form, goal, Watch(Limit()), packed=True)
    found = search.value(form.project(table, turns), turns)
    assert search.is_packed
    assert found == Expectimax(game, goal, Watch(Limit())).value(table, turns) == 78


def test_a_stance_for_which_there_is_no_number_is_refused_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    form, _, _ = form_of("move lunch", "mush move")
    monkeypatch.setattr(belief_stances, "MOST_STANCES", form.stances)
    for _ in range(2):
        with pytest.raises(OutOfReach):
            form._number(form._stances[0][0], BEYOND_ALL)
