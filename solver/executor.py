"""Many questions at once: one seam for this process, several processes of this machine, or a cluster.

A task is a function at the top level of a module, called once for each item. Items and answers are plain data, since
they may travel to another process or another machine. Answers come back in the order of the items, each as soon as it
and those before it are there.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import starmap
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Final, TypeVar

from rules.core.errors import BestlineError

B = TypeVar("B")

TRIES: Final = 3
"""Times a task is begun before the loss of its process is taken as its own fault."""


def cores() -> int:
    """Return how many processes this machine carries out at once, as far as this one may use it."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


MOST: Final = 61
"""Processes at once at most: more than one machine's, and as many as every system can wait for."""
SCHEDULER_WAIT: Final = "10s"
"""How long a scheduler may take to answer."""
RETRIES: Final = 2
"""Times a task of a cluster that broke down, not one that refused its question, is begun again."""


@contextmanager
def executor(jobs: int = 1, cluster: str = "") -> Iterator[Executor]:
    """Return where tasks are carried out: a cluster if one is named, else as many processes as there are jobs.

    Its ``map`` yields the answers in the order of the items. It raises a ``BestlineError`` of a task when its turn has
    come; answers already yielded stand. On leaving, whatever still runs is stopped, and a cluster is as it was.

    Raises:
        BestlineError: there is no such cluster, or what speaks with one is not installed.
    """
    if not cluster:
        yield Processes(jobs)
        return
    try:
        from distributed import Client
    except ImportError:
        message = "--cluster needs a package that is not there; install it with: pip install 'bestline[cluster]'"
        raise BestlineError(message) from None
    try:
        client = Client(cluster, timeout=SCHEDULER_WAIT)
    except (OSError, ValueError, TimeoutError) as fault:
        raise BestlineError(f"--cluster {cluster}: no scheduler answers there: {fault}") from fault
    with client:
        # Equal questions are asked anew: an answer may depend on the time it was given.
        yield client.get_executor(pure=False, retries=RETRIES)


class NoProcesses(Exception):
    """This machine has no room for further processes, or for what they share."""


class Processes(Executor):
    """Processes of this machine, each with a task at a time; this one alone where there is one job."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def map(self, fn: Callable[..., B], *iterables: Iterable[Any], **_: Any) -> Iterator[B]:
        """Yield the answers in the order of the items; where a process dies, what has no answer yet is begun again.

        Where this machine has no room for several processes, this one does the work and says so.

        Raises:
            BestlineError: processes have died ``TRIES`` times without an answer in between.
        """
        if self._jobs <= 1:
            yield from map(fn, *iterables)
            return
        items = list(zip(*iterables, strict=True))
        done = lost = 0
        while done < len(items):
            try:
                with self._begun(fn, items[done:]) as answers:
                    for answer in answers:
                        yield answer
                        done, lost = done + 1, 0
            except BrokenProcessPool:
                lost += 1
                if lost == TRIES:
                    fault = f"the process of question {done + 1} was lost {TRIES} times; fewer --jobs need less memory"
                    raise BestlineError(fault) from None
            except NoProcesses as fault:
                with suppress(OSError):
                    sys.stderr.write(f"one process instead of {self._jobs}: {fault}\n")
                yield from starmap(fn, items[done:])
                return

    @contextmanager
    def _begun(self, task: Callable[..., B], items: Sequence[tuple[Any, ...]]) -> Iterator[Iterator[B]]:
        """Give items to processes, and return their answers; the processes are stopped on leaving.

        Raises:
            NoProcesses: there is no room for them.
        """
        # A fresh interpreter for each process: what this one has open and locked is not copied.
        context = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        pool = None
        try:
            try:
                pool = ProcessPoolExecutor(min(self._jobs, len(items), MOST), context, _begin)
                futures = [pool.submit(task, *item) for item in items]
            except (OSError, RuntimeError) as fault:  # threads that cannot be started are a RuntimeError
                raise NoProcesses(getattr(fault, "strerror", None) or str(fault)) from fault
            yield (each.result() for each in futures)
        finally:
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()


def _begin() -> None:
    """Let only the process that the user speaks with hear Ctrl-C, which stops the others.

    However that one ends, nobody waits for answers then, and this one ends too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with(other: BaseProcess) -> None:
        other.join()
        os._exit(1)  # in the middle of a task if need be

    if (parent := multiprocessing.parent_process()) is not None:
        Thread(target=end_with, args=(parent,), daemon=True).start()
