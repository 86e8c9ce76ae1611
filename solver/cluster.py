"""Tasks on a Dask cluster, whose workers have this package installed; the extra ``cluster`` brings what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from rules.core.errors import BestlineError

A = TypeVar("A")
B = TypeVar("B")

PATIENCE: Final = "10s"
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
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as fault:
        raise BestlineError(f"--cluster {address}: no scheduler answers there: {fault}") from fault
    with client:
        yield Cluster(client)
