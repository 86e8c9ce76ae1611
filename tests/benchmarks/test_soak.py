"""The soak in short, and that it would notice."""

from __future__ import annotations

import pytest

from benchmarks import soak
from tests.rules.games import EDITIONS


def test_every_kind_of_game_is_played_and_nothing_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = soak.every_setup()
    assert soak.main(["--games", str(2 * len(kinds)), "--turns", "12", "--seed", "3"]) == 0
    table = capsys.readouterr().out
    for kind in kinds:
        assert f"\n{kind} " in f"\n{table}"
    for edition in EDITIONS:
        assert f"{edition} from the middle" in table
    assert "0 broken" in table


def test_what_breaks_is_told_with_the_way_to_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "broken", lambda *_: ["the sled is upside down"])
    assert soak.main(["--games", "1", "--turns", "2"]) == 1
    told = capsys.readouterr().out
    assert told.count("the sled is upside down") == 2
    assert '"state":' in told
    assert "2 broken" in told


def test_whole_turns_sampled_hold_and_tell_alike(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert soak.main(["--each", "2", "--turns", "3", "--game", "trench_rescue"]) == 0
    assert "0 broken" in capsys.readouterr().out
    monkeypatch.setattr(soak, "broken", lambda *_: ["a shell lies in the deck"])
    assert soak.main(["--each", "2", "--turns", "1", "--game", "trench_rescue"]) == 1
    assert "a shell lies in the deck" in capsys.readouterr().out
