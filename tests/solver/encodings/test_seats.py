"""Races of several seats as whole games on rows: shares of the win, what is not seen, what is carried."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.core.position import Position, load_position, new_position
from rules.core.scripts import SplitMix64
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from solver.encodings.iditacards.sampling import HORIZON, Playouts, supports
from solver.engines.playouts import Comparison
from solver.question import Question
from tests.bare import bare_position
from tests.solver.encodings.plain_form import told_by_sources

EDITIONS = ("2017", "2019-02", "2019-08")


def dealt(edition: str, players: int, seed: int, *, near: int = 20) -> Position:
    """Return a race in which everybody is not far from the finish, one behind another."""
    position = new_position(f"iditacards/{edition}", players, seed, ())
    game, start = position.start()
    assert isinstance(game, Iditacards)
    first = game.profile.target - near
    sleds = [player._replace(pos=first - seat) for seat, player in enumerate(start.table.players)]
    return position.with_table(start.table._replace(players=tuple(sleds)))


def playouts(position: Position, seat: int, seed: int = 0) -> Playouts:
    """Return the playouts of a seat."""
    game, start = position.start()
    assert isinstance(game, Iditacards)
    assert not supports(game, start, ())
    return Playouts(game, start, seat, HORIZON, seed)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_win_is_shared_by_all_seats(edition: str, players: int) -> None:
    for seed in range(3):
        position = dealt(edition, players, seed)
        table = position.start()[1].table
        shares = [playouts(position, seat).value(table, seed) for seat in range(players)]
        assert sum(shares) == pytest.approx(1)


def test_who_leads_by_far_wins() -> None:
    position = dealt("2019-02", 2, 1)
    table = position.start()[1].table
    ahead, behind = table.players
    for place, sleds in enumerate(((ahead, behind._replace(pos=10)), (ahead._replace(pos=10), behind))):
        far = position.with_table(table._replace(players=sleds))
        values = [playouts(far, seat).value(far.start()[1].table, 1) for seat in range(2)]
        assert values[place] > 0.9
        assert values[1 - place] < 0.1


def test_cards_that_are_not_seen_do_not_matter() -> None:
    position = dealt("2019-02", 2, 3)
    game, start = position.start()
    assert isinstance(game, Iditacards)
    tables = [start.table]
    while tables[-1] == tables[0]:
        tables.append(game.sample_world(State(start.table), 0, SplitMix64(4)).table)
    moves = game.legal_moves(start)[:3]
    found = []
    for table in (game.covered(each, 0) for each in (tables[0], tables[-1])):
        trees = playouts(position.with_table(table), 0)
        found.append([trees.grow([move], number) for move in moves for number in range(3)])
    assert found[0] == found[1]


LAST_TURN = """
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "storm"

[[state.players]]
pos = 160
dogs = [{ dog = "wheel_dog" }]
hand = ["rest"]
deck = []

[[state.players]]
pos = 158
dogs = [{ dog = "wheel_dog" }]
hand = ["?"]
deck = ["breakfast", "dinner", "lunch", "move"]
discard = [
    "move", "move", "move", "mush", "mush", "rest", "lunch", "breakfast", "first_aid", "first_aid", "grandma_soup",
    "repair_sled", "repair_sled", "upgrade_sled", "upgrade_sled", "good_dog", "husky", "lead_dog", "a_hat", "armour",
    "dog_chow",
]
"""


def test_the_last_turn_of_a_rival_who_may_pass_is_played(tmp_path: Path) -> None:
    # With ``move``, 1 hand in 4, the rival passes (R45) and wins; without, a new day wins on wind or rain: 3/4 x 2/3.
    path = tmp_path / "last.toml"
    path.write_text(LAST_TURN, "utf-8")
    found = Comparison(Question(load_position(str(path)), playouts=4000)).sampled()
    assert found.moves[0].move.text == "play rest"
    assert float(found.value or 0) == pytest.approx(0.5, abs=0.05)
    assert found.contest is not None
    assert found.contest.simplified


@pytest.mark.parametrize(
    ("options", "lacks"),
    [({"passed_at_start": "yes"}, "passed_at_start"), ({"backward_passing": "none"}, "backward_passing")],
)
def test_what_rows_do_not_carry_is_named(options: dict[str, Any], lacks: str) -> None:
    data = json.loads(new_position("iditacards/2019-02", 2, 1, ()).text())
    position = bare_position(json.dumps({**data, "options": options}))
    game, start = position.start()
    assert any(lacks in words for words in supports(game, start, ()))
    game, start = new_position("iditacards/2019-02", 2, 1).start()
    assert "open decks" in supports(game, start, ())


def games() -> list[float]:
    """Return what some games came to."""
    found = []
    for edition in EDITIONS:
        position = dealt(edition, 2, 5, near=6)
        trees = playouts(position, 0)
        table = position.start()[1].table
        found += [trees.value(table, 1), float(trees._rows.turns)]
    return found


def test_games_are_the_same_without_compiling() -> None:
    told = told_by_sources("from tests.solver.encodings.test_seats import games; print(games())")
    assert told == str(games())


def test_another_seed_brings_the_same_advice() -> None:
    position = dealt("2019-02", 2, 1)
    found = [Comparison(Question(position, seed=seed, playouts=60)).sampled() for seed in range(2)]
    assert len({each.moves[0].move for each in found}) == 1
    assert {each.verdict for each in found} == {"undecided"}, "too few playouts to call the others level"
