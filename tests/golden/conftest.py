from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Hold a screen against its file; ``BESTLINE_REMAKE=1 pytest tests/golden`` writes the files anew."""

    def hold(name: str, screen: str) -> None:
        path = HERE / f"{name}.txt"
        if os.environ.get("BESTLINE_REMAKE"):
            path.write_text(screen, "utf-8")
        assert screen == path.read_text("utf-8")

    return hold
