"""Options of the commands that answer many questions at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

JOBS = Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes that share the work.")]
CLUSTER = Annotated[
    str, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler for them, such as tcp://host:8786.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Where many questions are answered."""

    jobs: JOBS = 1
    cluster: CLUSTER = ""
