"""Plain play: sensible, blind to what is hidden, and a guess that leaves the table as it was."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.race import PlainPlay
from rules.core.ruleset import load_ruleset
from rules.core.scripts import Asking
from rules.iditacards.ailing import MOST_BUSY, Queue
from rules.iditacards.deeds import Distance, deeds_of
from rules.iditacards.engine import Iditacards
from rules.iditacards.pace import SLOW, Place, lifted
from rules.iditacards.turn import Team, Turn
from solver.search.rollout import Answer, Draws, Playing
from tests.rules.iditacards.boards import Board, seat

DECK = "rest breakfast lunch a_hat mush mush dinner first_aid good_dog"


def board(weather: str = "sun", pos: int = 50, deck: str = DECK, **fields: Any) -> Board:
    player = {"pos": pos, "hand": "move armour", "deck": deck, "dogs": "wheel_dog", **fields}
    return Board("2019-02", seat(**player), weather=weather)


def best(at: Board) -> str:
    plain = at.game.plain_play(at.state.table, 0)
    return max(at.game.legal_moves(at.state), key=plain).text


def place(at: Board) -> Place:
    return Place(at.game.rulings, {}, {}, at.state.table, 0)


def plainly(plain: PlainPlay) -> Answer:
    return lambda _, __, answers: max(answers, key=plain)


def test_a_good_day_is_used_and_a_bad_one_ended() -> None:
    assert best(board("wind")) == "play move"
    assert best(board("wind", hand="armour")) == "play armour"
    assert best(board("cloud", hand="armour")) == "new_day"


def test_nobody_goes_through_the_finish_to_be_taken_back() -> None:
    player = {"pos": 158, "hand": "move lunch", "deck": "armour", "dogs": "husky wheel_dog", "hypothermia": 1}
    there, back = (Board("2019-08", seat(**player, starvation=hungry), weather="sun") for hungry in (0, 1))
    assert best(there) == "play move"
    assert best(back) != "play move"
    waiting = {**player, "pos": 151, "hand": "", "stack": "mush:1:0", "starvation": 1}
    assert best(Board("2019-08", seat(**waiting), weather="sun")) == "new_day"
    assert best(Board("2019-08", seat(**{**waiting, "hypothermia": 0}), weather="sun")) == "continue"


def test_the_order_of_the_deck_is_not_read() -> None:
    there, back = board(), board(deck=" ".join(reversed(DECK.split())))
    moves = there.game.legal_moves(there.state)
    assert moves == back.game.legal_moves(back.state)
    one, other = (each.game.plain_play(each.state.table, 0) for each in (there, back))
    assert list(map(one, moves)) == list(map(other, moves))


def test_the_way_is_longer_for_the_slow_and_the_cold() -> None:
    start = place(board()).to_go()
    assert place(board(pos=80)).to_go() < start
    assert place(board(dogs="husky wheel_dog")).to_go() < start
    assert place(board(hypothermia=4)).to_go() > start
    assert place(board(hypothermia=7)).to_go() > place(board(hypothermia=6)).to_go() > start


def test_rates_are_remembered_as_they_were_found() -> None:
    known: dict[Any, Any] = {}
    for fields in ({}, {"dogs": "husky wheel_dog"}, {"starvation": 3}, {"pos": 90}, {"immune": True}, {}):
        at = board(**fields)
        warm = Place(at.game.rulings, {}, known, at.state.table, 0)
        assert (warm.to_go(), warm.rate()) == (place(at).to_go(), place(at).rate())


@pytest.mark.parametrize("name", ["2017", "2019-02", "2019-08"])
def test_what_is_remembered_never_changes_a_guess(name: str) -> None:
    """Along whole races the guesses that lean on those before are those of somebody who remembers nothing."""
    position = new_position(load_ruleset(f"iditacards/{name}"), 1, 5, ())
    game, start = position.start()
    assert isinstance(game, Iditacards)
    moving = {card: deeds_of(game.content.cards[card]).distance for card in game.content.cards}
    cures = {card: deeds_of(game.content.cards[card]).cures for card in game.content.cards}
    known: dict[Any, Any] = {}
    points = [(0, 0), (1, 0), (0, 1), (3, 2), (6, 6)]
    for seed in range(3):
        table, draws = start.table, Draws(seed)
        for turn in range(24):
            if game.is_over(table):
                break
            at = table._replace(freeze=bool(turn % 5 == 4))
            warm = Place(game.rulings, moving, known, at, 0, cures)
            cold = Place(game.rulings, moving, {}, at, 0, cures)
            assert (warm.to_go(), warm.rate(), warm.thinner()) == (cold.to_go(), cold.rate(), cold.thinner())
            assert [warm.to_go_with(*each) for each in points] == [cold.to_go_with(*each) for each in points]
            for there in (warm, cold):
                there.seat.hypothermia, there.seat.starvation = points[3]
            assert warm.to_go() == warm.to_go_with(*points[3]) == cold.to_go()
            table = game.play_turn(table, Playing((), draws, plainly(game.plain_play(table, 0))))


def test_a_trial_leaves_the_place_as_it_was() -> None:
    at = board(hypothermia=2)
    there = place(at)
    before = there.seat.frozen(deck_open=True)
    far, rate = there.to_go(), there.rate()
    there.seat.dogs.append(Team("husky"))
    assert there.to_go() < far
    there.seat.dogs.pop()
    assert (there.to_go(), there.rate()) == (far, rate)
    assert there.seat.frozen(deck_open=True) == before
    assert there.turn.frozen() == Turn(at.game.rulings, at.state.table, Asking(())).frozen()


def by_condition(hand: str, pos: int = 50, **fields: Any) -> Board:
    player = {"pos": pos, "hand": hand, "deck": DECK.replace("rest ", ""), "dogs": "wheel_dog", **fields}
    return Board("2019-08", seat(**player), weather="sun")


def test_where_only_presence_counts_each_point_is_healed() -> None:
    assert best(by_condition("first_aid move", hypothermia=4)).startswith("play first_aid")
    assert best(by_condition("lunch move", starvation=1)).startswith("play lunch")
    assert best(by_condition("first_aid move", starvation=1)) == "play move"


def test_what_lies_on_the_way_is_not_put_off() -> None:
    ahead = by_condition("move", pos=77)
    assert 78 in ahead.game.rulings.board.cold
    assert best(ahead) == "play move"


def test_who_may_die_of_the_next_day_eats_first() -> None:
    def eating(starvation: int) -> float:
        at = Board("2017", seat(pos=90, hand="venison_steak move", deck="mush lunch a_hat", starvation=starvation))
        plain = at.game.plain_play(at.state.table, 0)
        worth = {move.text: plain(move) for move in at.game.legal_moves(at.state)}
        return worth["play venison_steak"] - worth["play move"]

    assert "leg_day_start_starve" in Board("2017", seat(pos=90, deck="")).game.rulings.content.legs["wasteland"].effects
    assert eating(5) > 0
    assert eating(5) > eating(3) + 5


def test_dogs_are_worth_their_speed_with_conditions_too() -> None:
    at = by_condition("husky", hypothermia=2, starvation=2)
    slow = place(at)
    slow.seat.dogs.append(Team("husky"))
    assert slow.to_go() < place(at).to_go()


def test_a_card_less_is_a_shorter_way() -> None:
    for at in (board(), by_condition("move move lunch armour")):
        there = Place(at.game.rulings, {"move": Distance(1, 1)}, {}, at.state.table, 0)
        before = there.to_go()
        assert there.thinner() < before
        assert there.to_go() == before


def test_a_point_lasts_until_it_is_healed_or_would_have_come_anyway() -> None:
    assert Queue(0.1, 0.2, 50.0).point == pytest.approx(5.0)
    assert Queue(0.5, 0.2, 50.0).point == pytest.approx(2.0)
    assert Queue(0.0, 0.01, 9.0).point == pytest.approx(9.0)
    for coming, going in ((0.1, 0.2), (0.3, 0.2), (0.0, 0.0)):
        queue = Queue(coming, going, 40.0)
        parts = [queue.busy(points) for points in range(9)]
        assert parts == sorted(parts)
        assert 0 <= parts[0] <= parts[-1] <= MOST_BUSY


def test_rates_are_lifted_in_order() -> None:
    rates = [lifted(rate / 10) for rate in range(-50, 100)]
    assert rates == sorted(rates)
    assert rates[0] > 0
    assert lifted(SLOW) == pytest.approx(SLOW)


@pytest.mark.parametrize("name", ["2017", "2019-02", "2019-08"])
def test_whole_turns_are_played_in_every_edition(name: str) -> None:
    position = new_position(load_ruleset(f"iditacards/{name}"), 1, 3, ())
    game, start = position.start()
    assert isinstance(game, Iditacards)
    table, draws = start.table, Draws(3)
    for _ in range(30):
        if game.is_over(table):
            break
        table = game.play_turn(table, Playing((), draws, plainly(game.plain_play(table, 0))))
    assert table.players[0].pos > 20


def test_the_turns_to_go_grow_with_the_way_and_fall_with_the_dogs() -> None:
    def left(pos: int, dogs: str) -> float:
        at = Board("2019-02", seat(pos=pos, hand="move", deck="move mush rest", dogs=dogs), known=(), weather="sun")
        return at.game.turns_to_go(at.state.table, 0)

    assert 0 < left(150, "husky") < left(40, "husky") < left(10, "husky")
    assert left(40, "husky wheel_dog") < left(40, "husky")
