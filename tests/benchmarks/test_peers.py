"""The puzzles told to other tools: facts that say what the rules say, texts that hold all facts, answers that agree."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from benchmarks.peers import agree
from benchmarks.peers_asp import plays, program
from benchmarks.peers_facts import START, WON, Arc, Facts, Gathering, Puzzle, gather
from benchmarks.peers_pddl import domain, problem
from benchmarks.peers_ways import CONTESTANTS, Contestant, Found, Question, bestline
from rules.core.race import Race
from rules.iditacards.engine import Iditacards
from solver.search.layered import PlainTurns

SMALL = Puzzle(0, 5)
TURNS = 2


@pytest.fixture(scope="module")
def facts() -> Facts:
    return gather(SMALL.position(), SMALL.target, TURNS)


def contestant(name: str) -> Contestant:
    return next(each for each in CONTESTANTS if each.name == name)


def ends(facts: Facts, arc: Arc) -> set[tuple[int, tuple[str, ...]]]:
    """Play an arc from the start: the cards left in the deck and every hand that can be left."""
    hand = list(facts.hand)
    hand.remove(arc.card)
    if len(hand) < arc.energy:
        return {(len(facts.deck), tuple(sorted(hand)))}
    drawn = facts.deck[arc.health : arc.health + arc.draws]
    left = len(facts.deck) - arc.health - len(drawn)
    hands = {tuple(hand)}
    for _ in range(arc.energy):
        hands = {(*one[:place], *one[place + 1 :]) for one in hands for place in range(len(one))}
    return {(left, tuple(sorted((*one, *drawn)))) for one in hands}


@pytest.mark.parametrize("seed", range(3))
def test_the_facts_of_the_first_turn_lead_to_the_hands_and_decks_of_the_rules(seed: int) -> None:
    position = Puzzle(seed, 5).position()
    facts = gather(position, 5, 1)
    game = position.game
    assert isinstance(game, Race)
    after = set(PlainTurns(game, 0, frozenset({"new_day"})).successors(position.table()))
    wanted = {(len(table.players[0].deck), table.players[0].hand) for table in after}
    sources = {START, *(target for _, target in facts.free)}
    told = [ends(facts, arc) for arc in facts.arcs if arc.source in sources]
    assert set().union(*told) == wanted


def test_facts_turn_by_turn_are_those_of_all_turns_and_none_is_missing_before_the_target() -> None:
    position = Puzzle(2, 10).position()
    gathering = Gathering(position, 10)
    arcs: list[Arc] = []
    free: list[tuple[int, int]] = []
    arrived = []
    for _ in range(3):
        more, freed = gathering.extend()
        arcs, free = [*arcs, *more], [*free, *freed]
        arrived.append(gathering.arrives)
    assert len(set(arcs)) == len(arcs)
    assert (tuple(arcs), tuple(free)) == (gathering.facts().arcs, gathering.facts().free)
    assert gather(position, 10, 3) == gathering.facts()
    value = bestline(Question(Puzzle(2, 10), 60.0)).value
    assert value == 3
    assert arrived[value - 1]


def test_what_the_rules_take_is_told_apart() -> None:
    found = contestant("networkx").ask(Question(SMALL, 60.0))
    assert found is not None
    assert 0 < found.alone < found.whole


def test_a_hand_and_a_deck_can_be_made_larger_and_smaller() -> None:
    usual = SMALL.position().table().players[0]
    player = replace(SMALL, hand=8, deck=7).position().table().players[0]
    assert (len(player.hand), len(player.deck)) == (8, 7)
    assert player.deck == usual.deck[2:9]


def test_facts_refuse_cards_that_they_cannot_tell() -> None:
    position = SMALL.position()
    game, table = position.game, position.table()
    assert isinstance(game, Iditacards)
    damage = min(game.rulings.damage_ids)
    hurt = table.players[0]._replace(hand=(damage, *table.players[0].hand))
    with pytest.raises(ValueError, match="do not pay"):
        gather(position.with_table(table._replace(players=(hurt,))), 5, 1)


def test_the_planning_task_holds_every_fact(facts: Facts) -> None:
    text, task = domain(facts), problem(facts)
    for each in (text, task):
        assert each.count("(") == each.count(")")
    assert task.count("(bill a") == len(facts.arcs)
    assert task.count("(free ") == len(facts.free)
    assert task.count("(hand c") == len(facts.hand)
    assert len(re.findall(r"\(:action play-", text)) == len(facts.cards)
    assert len(re.findall(r"\(:action turn-up-", text)) == len(facts.deck)
    assert any(arc.target == WON for arc in facts.arcs)


def test_the_logic_program_holds_every_fact(facts: Facts) -> None:
    text = "\n".join([program(facts), plays(facts.arcs, facts.free)])
    assert len(re.findall(r"^arc\(", text, re.MULTILINE)) == len(facts.arcs)
    sources = {arc.source for arc in facts.arcs}
    assert len(re.findall(r"^stays\(", text, re.MULTILINE)) == len(facts.free) + len(sources)
    assert len(re.findall(r"^card\(", text, re.MULTILINE)) == len(facts.cards)


def test_networkx_agrees_with_bestline() -> None:
    question = Question(SMALL, 60.0)
    told = contestant("networkx").ask(question)
    assert told is not None
    assert told.value == bestline(question).value == TURNS


def test_cp_sat_answers_where_every_card_of_the_ruleset_is_in_the_position() -> None:
    told = contestant("CP-SAT").ask(Question(SMALL, 60.0))
    assert told is not None
    assert told.value == TURNS


def test_clingo_agrees_with_bestline() -> None:
    pytest.importorskip("clingo", reason="clingo is an optional extra")
    for puzzle in (SMALL, Puzzle(1, 15), Puzzle(0, 15, hand=4)):
        ours = bestline(Question(puzzle, 60.0)).value
        assert ours is not None
        told = contestant("clingo").ask(Question(puzzle, 60.0))
        assert told is not None
        assert told.value == ours


def test_fast_downward_agrees_with_bestline() -> None:
    pytest.importorskip("fast_downward.translate", reason="up-fast-downward is an optional extra")
    told = contestant("Fast Downward, LM-cut").ask(Question(SMALL, 60.0))
    assert told is not None
    assert told.value == TURNS


def test_another_value_ends_the_run() -> None:
    ours = {SMALL: Found(2, 1.0, 1.0, 1.0)}
    agree(contestant("clingo"), ours, {SMALL: Found(2, 1.0, 1.0, 1.0)})
    agree(contestant("clingo"), ours, {SMALL: Found(None, 1.0, 1.0, 1.0)})
    with pytest.raises(SystemExit, match="clingo says 3, bestline 2"):
        agree(contestant("clingo"), ours, {SMALL: Found(3, 1.0, 1.0, 1.0)})
