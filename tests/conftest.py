from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what a test solves apart from what other tests and people have solved."""
    folder = tmp_path_factory.mktemp("cache", numbered=True)
    monkeypatch.setenv("BESTLINE_CACHE_DIR", str(folder))
    return folder
