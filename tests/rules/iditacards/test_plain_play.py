"""Plain play: a policy for comparisons that gets through a race and reads nothing that its seat does not see."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from rules.core.position import new_position
from rules.core.scripts import Step
from rules.iditacards.engine import Iditacards
from solver.search.rollout import Answer, Draws, Playing
from tests.rules.iditacards.boards import Board, seat

DECK = "rest breakfast lunch a_hat mush mush dinner first_aid good_dog"


def board(weather: str, hand: str, deck: str = DECK, **fields: int) -> Board:
    return Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog", **fields), weather=weather)


def best(at: Board) -> str:
    return max(at.game.legal_moves(at.state), key=at.game.plain_play(at.state.table, 0)).text


def best_of(views: Sequence[Callable[[Step], float]]) -> Answer:
    return lambda _, seat, answers: max(answers, key=views[seat])


def test_a_good_day_is_used_and_a_bad_one_ended() -> None:
    assert best(board("wind", "move armour")) == "play move"
    assert best(board("cloud", "armour")) == "new_day"
    assert best(board("sun", "armour move lunch", starvation=1)).startswith("play lunch")


def test_the_order_of_the_deck_is_not_read() -> None:
    there, back = board("sun", "move armour"), board("sun", "move armour", " ".join(reversed(DECK.split())))
    moves = there.game.legal_moves(there.state)
    one, other = (each.game.plain_play(each.state.table, 0) for each in (there, back))
    assert list(map(one, moves)) == list(map(other, moves))


@pytest.mark.parametrize("name", ["2017", "2019-02", "2019-08"])
def test_whole_turns_are_played_in_every_edition(name: str) -> None:
    game, start = new_position(f"iditacards/{name}", 2, 3, ()).start()
    assert isinstance(game, Iditacards)
    table = start.table
    for turn in range(60):
        views = [game.plain_play(table, each) for each in range(2)]
        table = table if game.is_over(table) else game.play_turn(table, Playing((), Draws(turn), best_of(views)))
    assert max(player.pos for player in table.players) > 20
