from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

_NUMBERS = count()


@pytest.fixture(autouse=True, scope="session")
def heard_ctrl_c() -> None:
    """Hear Ctrl-C even where the tests were started in the background, which ignores it; some tests press it."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Keep the garbage collector from running: an interrupt that falls into a callback of it is lost."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what a test solves apart from what other tests and people have solved."""
    folder = tmp_path_factory.getbasetemp() / f"bestline-cache-{next(_NUMBERS)}"
    folder.mkdir()
    monkeypatch.setenv("BESTLINE_CACHE_DIR", str(folder))
    return folder
