"""Ctrl-C at a bad moment waits, and is not lost."""

from __future__ import annotations

import signal
import sys
from typing import Any

import pytest

from solver.search.budget import never_lost


@pytest.fixture(autouse=True)
def _pressed() -> Any:
    """Ctrl-C raises, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Cleared:
    """Is stopped while it is cleared away."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def test_a_ctrl_c_that_nobody_can_raise_is_heard_again() -> None:
    before = sys.unraisablehook

    def work() -> None:
        with never_lost():
            one = Cleared()
            del one
            while True:  # until it is pressed again
                pass

    with pytest.raises(KeyboardInterrupt):
        work()
    assert sys.unraisablehook is before


def test_compiled_code_that_loses_ctrl_c_shows_nothing_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    with never_lost():
        for lost in (KeyboardInterrupt(), ValueError("a fault")):
            sys.excepthook(type(lost), lost, None)
    assert capsys.readouterr().err == "ValueError: a fault\n"
