"""Layouts drawn from what a player knows: every one possible, all equally likely."""

from __future__ import annotations

from collections import Counter

from rules.core.chance import SplitMix64
from rules.core.position import new_position
from rules.trench_rescue.engine import TrenchRescue
from tests.rules.games import census
from tests.rules.trench_rescue.battles import Battle, both


def test_a_layout_names_every_card_once_and_plays_on() -> None:
    position = new_position("trench_rescue/2012", 2, 5, ())
    game, start = position.start()
    assert isinstance(game, TrenchRescue)
    assert game.viewer(start.table) == start.table.to_move
    shown, table = game.layout(start.table, SplitMix64(1))
    assert shown.viewer(table) is None
    assert game.pack.unknown not in {card for pile in table.piles for card in pile}
    assert set(census(position, table).values()) == {1}
    assert [len(deck) for deck in table.deck] == [17, 17]
    assert all(game.pack.colour[card] == colour for colour, deck in enumerate(table.deck) for card in deck)
    assert {step.text for step in shown.legal_moves(type(start)(table))} == {
        step.text for step in game.legal_moves(start)
    }


def test_all_layouts_are_equally_likely() -> None:
    """Two black cards for a black deck of one, two red ones: twelve ways to lay three places, black in one of them."""
    pack = Battle().game.pack
    dead = [code for code in pack.codes[:-1] if code not in ("4C", "KS", "AS", "KD", "AD")]
    battle = Battle("4C@1,1+?", {"2,2": "? ?"}, known=(), view="black", to_move="black", deck=both("?"), dead=dead)
    generator = SplitMix64(7)
    tables = [battle.game.layout(battle.table, generator)[1] for _ in range(2400)]
    found = Counter((table.deck[0], table.soldiers[0].carries, table.piles[5]) for table in tables)
    assert len(found) == 12
    assert all(120 < times < 280 for times in found.values()), "200 each, within six deviations"
