"""What cards lead to, told at once, against the same worked out each time."""

from __future__ import annotations

from typing import Any

import pytest

from rules.iditacards.odds.greatest import Odds
from rules.iditacards.odds.plans import Plans
from tests.rules.iditacards.odds.venturing import near_finish

SEEDS = {"2017": (80, 83, 278, 338, 437, 442, 588, 610), "2019-08": (10, 20, 28, 33, 47, 87, 89, 119)}


@pytest.mark.parametrize("edition", SEEDS)
def test_ripe_stacks_near_the_finish_come_through_as_when_every_card_is_played(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = 0
    ripe = Plans._ripe

    def counted(self: Plans, *args: Any) -> bool:
        nonlocal told
        found = ripe(self, *args)
        told += found
        return found

    for seed in SEEDS[edition]:
        ventures = near_finish(edition, seed)
        card = ventures.cards()[0]
        monkeypatch.setattr(Plans, "_ripe", counted)
        before = told
        found = Odds(ventures, card, lambda: True, recovers=False).chance()
        assert told > before
        monkeypatch.setattr(Plans, "_ripe", lambda *_: False)
        assert found == Odds(ventures, card, lambda: True, recovers=False).chance()
        assert found == Odds(ventures, card, lambda: True, recovers=False, boards=False).chance()
