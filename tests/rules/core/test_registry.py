"""Games are found by being there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rules.core.errors import BestlineError
from rules.core.registry import find_game, game_names


def test_every_game_is_found_and_named_like_its_folder() -> None:
    assert "iditacards" in game_names()
    for name in game_names():
        game = find_game(name)
        assert game.name == name
        assert list((game.folder / "editions").glob("*.toml"))
        assert set(game.ordered) <= set(game.collections)


def test_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BestlineError, match="there is no game 'iditacard'; did you mean 'iditacards'"):
        find_game("iditacard")


def test_finding_a_game_does_not_load_its_engine() -> None:
    code = (
        "import sys, rules.core.registry as registry; registry.find_game('iditacards'); "
        "print('rules.iditacards.engine' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
