"""Golden playthroughs are still what the rules do, line by line; a ruleset without one fails."""

from __future__ import annotations

import pytest

from tests.rules.games import HERE, RULESETS
from tests.rules.playthroughs import Playthrough, playthroughs, replayed

REMADE = "if the change is meant, remake them with 'python -m tests.rules.playthroughs' and review the difference"


@pytest.mark.parametrize("playthrough", playthroughs(), ids=lambda playthrough: playthrough.path.stem)
def test_playthrough(playthrough: Playthrough) -> None:
    assert playthrough.path.is_file(), f"no golden playthrough of {playthrough.setup}; {REMADE}"
    text = playthrough.path.read_text("utf-8")
    again = replayed(text)
    for number, (kept, played) in enumerate(zip(text.splitlines(), again.splitlines(), strict=False), 1):
        assert kept == played, f"{playthrough.path.name}:{number} differs; {REMADE}"
    assert text == again


def test_every_ruleset_has_a_playthrough_and_none_is_left_over() -> None:
    wanted = playthroughs()
    assert {playthrough.setup.ruleset for playthrough in wanted} == set(RULESETS)
    assert {playthrough.path for playthrough in wanted} == set(HERE.glob("*/playthroughs/*"))
