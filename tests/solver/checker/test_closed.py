"""The two forms of closed layers against each other: hands decided late lead where whole tables lead."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from puzzles.loader import Puzzle, load_puzzle
from rules.core.files import read_text
from rules.core.hands import HandProbe, MainAction
from rules.core.position import Position, new_position, read_position
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from solver.checker.boards import Hands
from solver.checker.closed import Budget, Layers, Tables, TooLarge, Unfit
from solver.checker.evidence import Astray, closed_layers
from solver.solve import searchable
from tests.solver.model.small_positions import exhaustive, random_position

ONE_DAY = frozenset({"new_day"})


def plenty() -> Budget:
    return Budget(300_000, 100_000)


def layers_of(form: type[Layers[object]], puzzle: Puzzle) -> Layers[object]:
    game = puzzle.position.game
    assert isinstance(game, Race)
    return form(game, puzzle.position.start()[1], puzzle.goal, plenty())


@pytest.mark.parametrize(
    ("name", "turns"),
    [("sprint-20", 2), ("rope-bridge", 2), ("thin-ice", 2), ("knife", 3), ("warm-up", 1), ("too-far", 2)],
)
def test_every_table_is_among_the_hands_and_none_gets_further(name: str, turns: int) -> None:
    puzzle = load_puzzle(name)
    hands, tables = layers_of(Hands, puzzle), layers_of(Tables, puzzle)
    for _ in range(turns):
        assert hands.furthest_next() == tables.furthest_next()
        hands.advance()
        tables.advance()
        assert isinstance(tables, Tables)
        assert tables.tables
        assert all(hands.holds(table) for table in tables.tables)
        assert hands.furthest() == tables.furthest()


def test_a_table_never_reached_is_not_held() -> None:
    puzzle = load_puzzle("sprint-20")
    hands = layers_of(Hands, puzzle)
    hands.advance()
    assert not hands.holds(puzzle.position.start()[1].table)


def test_new_days_send_hands_to_whole_tables() -> None:
    position = load_puzzle("through-the-night").position
    goal = Goal(Objective.MIN_TURNS, 161)
    game, start = position.start()
    assert isinstance(game, Race)
    with pytest.raises(Unfit, match="read"):
        list(closed_layers(game, start, goal, "hands", 2, plenty()))
    assert [layer.turn for layer in closed_layers(game, start, goal, "tables", 2, plenty())] == [1, 2]


def test_layers_end_by_themselves_where_every_line_ends() -> None:
    puzzle = load_puzzle("rope-bridge")
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    layers = list(closed_layers(game, start, puzzle.goal, "hands", None, plenty()))
    assert layers[-1].positions == ()
    assert layers[-1].furthest is None


@pytest.mark.parametrize("form", ["hands", "tables"])
def test_what_does_not_fit_is_refused(form: str) -> None:
    puzzle = load_puzzle("sprint-40")
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    with pytest.raises(TooLarge, match="limit"):
        list(closed_layers(game, start, puzzle.goal, form, 6, Budget(500, 100_000)))
    with pytest.raises(TooLarge, match="limit"):
        list(closed_layers(game, start, puzzle.goal, form, 6, Budget(500_000, 20)))
    with pytest.raises(TooLarge, match="time"):
        list(closed_layers(game, start, puzzle.goal, form, 6, Budget(500_000, 100_000, time_s=0)))


def test_hidden_chance_is_not_for_layers() -> None:
    position: Position = new_position("iditacards/2019-02", open_sources=[])
    game, start = position.start()
    assert isinstance(game, Race)
    for form in ("hands", "tables"):
        with pytest.raises(Unfit):
            list(closed_layers(game, start, Goal(Objective.MIN_TURNS, 161, None, ONE_DAY), form, 2, plenty()))


def the_sprint() -> tuple[Race[Any], State[Any], Goal, type[Any]]:
    """Return a challenge with the kind of its hands."""
    puzzle = load_puzzle("sprint-20")
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    return game, start, puzzle.goal, type(game.hand_probe(start.table))


def test_a_door_that_hides_a_play_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real lines played at random leave layers from which something was left out."""
    game, start, goal, kind = the_sprint()
    whole = kind.main_action

    def lacking(self: HandProbe[Any], move: Step) -> MainAction | None:
        action = whole(self, move)
        return None if action is not None and action.card == "move" else action

    monkeypatch.setattr(kind, "main_action", lacking)
    with pytest.raises((Astray, Unfit)):
        list(closed_layers(game, start, goal, "hands", 3, plenty()))


def test_strangers_that_go_astray_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form that left out ways of a turn would lose real lines."""
    game, start, goal, kind = the_sprint()
    monkeypatch.setattr(kind, "plays_cards", lambda *_: False)
    with pytest.raises(Astray, match="turn 1"):
        list(closed_layers(game, start, goal, "hands", 3, plenty()))


@pytest.mark.parametrize("ruleset", ["iditacards/2017", "iditacards/2019-02", "iditacards/2019-08"])
def test_random_positions_get_as_far_as_every_line_played_out(ruleset: str) -> None:
    compared = 0
    for seed in range(12):
        position = random_position(ruleset, 700 + seed, starter=bool(seed % 2), cards=5)
        if position is None:
            continue
        game, start = position.start()
        assert isinstance(game, Race)
        reached = exhaustive(game, start.table, ONE_DAY, 3, most=1500)
        if reached is None:
            continue
        goal = Goal(Objective.MAX_DISTANCE, 161, 3, ONE_DAY)
        with suppress(Unfit):
            layers = list(closed_layers(game, start, goal, "hands", 3, plenty()))
            furthest = [max(each, default=None) for each in reached]
            assert [layer.furthest for layer in layers] == furthest[: len(layers)]
            compared += 1
    assert compared >= 2


def test_a_dog_that_is_full_may_turn_an_attachment_away() -> None:
    """Words that answer a question within a turn are no main actions, so that no answer to it is left out."""
    given = """
    {"game": "iditacards", "ruleset": "2019-02",
     "chance": {"seed": 1, "open": ["deck", "legendary", "upgrade", "weather"]},
     "state": {"players": [{"pos": 5, "hand": ["a_hat", "lunch", "move", "rest"],
     "deck": ["lunch", "move", "move"], "dogs": [{"dog": "wheel_dog", "attachments": ["armour"]}]}]}}
    """
    position = read_position(read_text(given))
    game, start = searchable(position), position.start()[1]
    goal = Goal(Objective.MIN_TURNS, 161, None, ONE_DAY)
    hands, tables = Hands(game, start, goal, plenty()), Tables(game, start, goal, plenty())
    hands.advance()
    tables.advance()
    assert all(hands.holds(table) for table in tables.tables)
