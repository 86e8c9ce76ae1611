from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

_NUMBERS = count()


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what a test solves apart from what other tests and people have solved."""
    folder = tmp_path_factory.getbasetemp() / f"bestline-cache-{next(_NUMBERS)}"
    folder.mkdir()
    monkeypatch.setenv("BESTLINE_CACHE_DIR", str(folder))
    return folder
