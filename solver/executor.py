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
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Final, TypeVar

from rules.core.errors import BestlineError

A = TypeVar("A")
B = TypeVar("B")

TRIES: Final = 3
"""Times a task is begun before the loss of its process is taken as its own fault."""


def cores() -> int:
    """Return how many processes this machine carries out at once, as far as this one may use it."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


MOST: Final = 61
"""Processes at once at most: more than one machine's, and as many as every system can wait for."""


class NoProcesses(Exception):
    """This machine has no room for further processes, or for what they share."""


@contextmanager
def executor(jobs: int = 1, cluster: str = "") -> Iterator[Here | Processes | Cluster]:
    """Return where tasks are carried out: a cluster if one is named, else as many processes as there are jobs.

    Its ``map`` yields the answers in the order of the items. It raises a ``BestlineError`` of a task when its turn has
    come; answers already yielded stand. On leaving, whatever still runs is stopped.

    Raises:
        BestlineError: there is no such cluster, or what speaks with one is not installed.
    """
    if cluster:
        with connected(cluster) as workers:
            yield workers
    else:
        yield Here() if jobs <= 1 else Processes(jobs)


class Here:
    """One task after the other in this process."""

    def map(self, task: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the answers in the order of the items."""
        return map(task, items)


class Processes:
    """Processes of this machine, each with a task at a time."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def map(self, task: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the answers in the order of the items; where a process dies, what it worked on is begun again.

        Where this machine has no room for several processes, this one does the work and says so.

        Raises:
            BestlineError: processes have died ``TRIES`` times without an answer in between.
        """
        asked = list(items)
        early: dict[int, B] = {}
        turn = lost = 0
        while turn < len(asked):
            left = {at: asked[at] for at in range(turn, len(asked)) if at not in early}
            try:
                with self._pool(task, left) as futures:
                    while turn < len(asked):
                        yield early.pop(turn) if turn in early else futures[turn].result()
                        turn, lost = turn + 1, 0
            except BrokenProcessPool:
                # Which of them killed its process is not told; what was ready is kept.
                done = {at: each for at, each in futures.items() if at >= turn and each.done() and not each.cancelled()}
                early |= {at: each.result() for at, each in done.items() if each.exception() is None}
                lost += 1
            except NoProcesses as fault:
                with suppress(OSError):
                    sys.stderr.write(f"one process instead of {self._jobs}: {fault}\n")
                for at in range(turn, len(asked)):
                    yield early.pop(at) if at in early else task(asked[at])
                return
            if lost == TRIES:
                raise BestlineError(
                    f"the process of question {turn + 1} was lost {TRIES} times; fewer --jobs need less memory"
                )

    @contextmanager
    def _pool(self, task: Callable[[A], B], items: Mapping[int, A]) -> Iterator[dict[int, Future[B]]]:
        """Give items to processes; they are stopped on leaving.

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
                futures = {at: pool.submit(task, item) for at, item in items.items()}
            except (OSError, RuntimeError) as fault:  # threads that cannot be started are a RuntimeError
                raise NoProcesses(getattr(fault, "strerror", None) or str(fault)) from fault
            yield futures
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
    Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_with(other: BaseProcess | None) -> None:
    """End this process, in the middle of a task if need be, as soon as another one has ended."""
    if other is not None:
        other.join()
        os._exit(1)


SCHEDULER_WAIT: Final = "10s"
"""How long a scheduler may take to answer."""
RETRIES: Final = 2
"""Times a task that broke down, not one that refused its question, is begun again."""


class Cluster:
    """The workers behind one scheduler; those that are lost leave their tasks to the others."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def map(self, task: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the answers in the order of the items."""
        # Equal questions are asked anew: an answer may depend on the time it was given.
        futures = self._client.map(task, list(items), pure=False, retries=RETRIES)
        try:
            for future in futures:
                yield future.result()
        finally:
            self._client.cancel(futures)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Return the cluster at an address such as ``tcp://host:8786``, and leave it as it was.

    Raises:
        BestlineError: nobody answers there, or the extra is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        message = "--cluster needs a package that is not there; install it with: pip install 'bestline[cluster]'"
        raise BestlineError(message) from None
    try:
        client = Client(address, timeout=SCHEDULER_WAIT)
    except (OSError, ValueError, TimeoutError) as fault:
        raise BestlineError(f"--cluster {address}: no scheduler answers there: {fault}") from fault
    with client:
        yield Cluster(client)
