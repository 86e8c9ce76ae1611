from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.core.ruleset import load_ruleset
from solver.audit import first_round as searching
from solver.audit.first_round import FirstRound, first_round
from solver.audit.recorded import dealt
from solver.search.budget import Budget

RUSHED = 20
"""Number of the first open deal of Abyss and City, seed 0, that can be won in the first round."""


@pytest.fixture
def rushed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], FirstRound]:
    """Return what searches that one deal under a named ruleset."""
    monkeypatch.setattr(searching, "DEALS", 1)
    monkeypatch.setattr(searching, "dealt", lambda ruleset, *_: dealt(ruleset, 1, 0, RUSHED))

    def search(name: str) -> FirstRound:
        found = first_round(load_ruleset(name), 0, Budget(None))
        assert found is not None
        return found

    return search
