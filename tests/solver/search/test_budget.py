"""Ctrl-C at a bad moment waits, and is not lost."""

from __future__ import annotations

import signal
import sys
from typing import Any

import pytest

from solver.search.budget import LOOKS, Budget, never_lost


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


def test_counted_work_ends_where_it_is_used_up_or_with_the_budget_that_it_is_part_of() -> None:
    now = [0.0]
    whole = Budget(60.0, clock=lambda: now[0]).start()
    looks = []
    for late in (0.0, 50.0):  # the machine may be as slow as it likes
        part = whole.counted(1.0).start()
        now[0] += late
        looks.append(next(look for look in range(10_000) if part.is_over))
    assert looks == [LOOKS - 1] * 2
    part = whole.counted(1.0).start()
    now[0] = 60.0
    assert part.is_over
    assert part.steady
