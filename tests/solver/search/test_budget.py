"""Ctrl-C at a bad moment waits, and is not lost."""

from __future__ import annotations

import signal
import sys
from threading import Thread
from typing import Any

import pytest

from solver.search.budget import never_lost, postponed


@pytest.fixture(autouse=True)
def _pressed() -> Any:
    """Ctrl-C raises, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_until_the_work_is_done() -> None:
    done = []

    def work() -> None:
        with postponed():
            with postponed():
                signal.raise_signal(signal.SIGINT)
                done.append("inner")
            done.append("outer")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_is_raised_where_nothing_was_pressed_and_faults_pass() -> None:
    with postponed():
        pass
    with pytest.raises(ValueError, match="ours"), postponed():
        raise ValueError("ours")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_leave_ctrl_c_alone() -> None:
    seen = []

    def work() -> None:
        with postponed():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


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
