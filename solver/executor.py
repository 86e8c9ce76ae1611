"""Many questions at once: one seam for this process, several processes of this machine, or a cluster.

A task is a function at the top level of a module, called once for each item; items and answers are plain data, since
they may travel to another process or another machine. Answers come back in the order of the items, each as soon as it
and those before it are there, so that who reads them need not know where they were made.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar

from rules.core.errors import BestlineError

A = TypeVar("A")
B = TypeVar("B")

TRIES: Final = 3
"""Times a task is begun before the loss of its process is taken as its own fault."""


class Executor(Protocol):
    """Where tasks are carried out."""

    def map(self, task: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the answers in the order of the items.

        Raises:
            BestlineError: of a task, when its turn has come; or its process was lost again and again.
            KeyboardInterrupt: the user stopped it; answers already yielded stand.
        """


@contextmanager
def executor(jobs: int = 1, cluster: str = "") -> Iterator[Executor]:
    """Return where tasks are carried out: a cluster if one is named, else as many processes as there are jobs.

    On leaving, whatever still runs is stopped.

    Raises:
        BestlineError: there is no such cluster, or what speaks with one is not installed.
    """
    if cluster:
        from solver.cluster import connected

        with connected(cluster) as found:
            yield found
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
        """Yield the answers in the order of the items; where a process dies, what it worked on is begun again."""
        asked = list(items)
        early: dict[int, B] = {}
        turn = lost = 0
        while turn < len(asked):
            with self._pool() as pool:
                futures = {at: pool.submit(task, asked[at]) for at in range(turn, len(asked)) if at not in early}
                try:
                    while turn < len(asked):
                        yield early.pop(turn) if turn in early else futures[turn].result()
                        turn, lost = turn + 1, 0
                except BrokenProcessPool:
                    # Which of them killed its process is not told; what was ready is kept.
                    early |= {at: each.result() for at, each in futures.items() if at >= turn and _is_ready(each)}
                    lost += 1
            if lost == TRIES:
                raise BestlineError(
                    f"the process of question {turn + 1} was lost {TRIES} times; fewer --jobs need less memory"
                )

    @contextmanager
    def _pool(self) -> Iterator[ProcessPoolExecutor]:
        # A fresh interpreter for each process: what this one has open and locked is not copied.
        context = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(self._jobs, context, _leave_ctrl_c_alone)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()


def _is_ready(future: Future[B]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _leave_ctrl_c_alone() -> None:
    """Let only the process that the user speaks with hear Ctrl-C; it stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
