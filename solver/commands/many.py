"""Options of the commands that answer many questions at once."""

from __future__ import annotations

from typing import Annotated

import typer

JOBS = Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes that share the work.")]
CLUSTER = Annotated[
    str, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler for them, such as tcp://host:8786.")
]
