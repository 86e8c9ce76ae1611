"""Ctrl-C that comes at a bad moment: it waits until what must not be broken off is done, and is never lost.

The collector of cyclic garbage waits likewise, for the end of a search.
"""

from __future__ import annotations

import gc
import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from types import FrameType
from typing import Any, Final

AGAIN_S: Final = 0.02
"""Seconds after which a Ctrl-C that got lost is pressed again."""


@contextmanager
def postponed() -> Iterator[None]:
    """Have Ctrl-C wait until the end of a short piece of work.

    A library whose loading is broken off cannot be loaded again, and what it calls on the way may swallow a Ctrl-C.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return
    pressed: list[int] = []

    def remember(number: int, _: FrameType | None) -> None:
        pressed.append(number)

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def never_lost() -> Iterator[None]:
    """See to it that a Ctrl-C is heard which came where nothing can be raised, as while objects are cleared away."""
    before = sys.unraisablehook

    def heard(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        again = Timer(AGAIN_S, interrupt_main)
        again.daemon = True
        again.start()

    sys.unraisablehook = heard
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cyclic garbage: searches make none, and to go through all that is remembered takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
