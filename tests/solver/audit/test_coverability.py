from __future__ import annotations

from collections import Counter
from typing import Any

from rules.core.race import Race, Tally
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit.exchange import DEPTH, Node, covered, lucky_deals
from solver.audit.finding import Witness
from solver.audit.loop import confirm
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"
EXEMPT = {"options": {"zero_cost_conditions": "exempt"}}
"""Cold and hunger leave what is free free."""
ROPE: dict[str, Any] = {
    "name": "Rope Loop",
    "type": "utility",
    "tags": [],
    "rarity": "starter",
    "deck": "starter",
    "copies": 2,
    "energy": 0,
    "health": 0,
    "risk": 0,
    "effects": [{"op": "recover", "n": 3}],
    "summary": "Planted.",
    "provenance": "invented",
}


def roped(*more: dict[str, object]) -> Ruleset:
    """Return the edition with a card that brings back three, and perhaps does something else."""
    effects = [*ROPE["effects"], *more]
    return extended(load_ruleset(EDITION), {**EXEMPT, "cards": {"rope_loop": {**ROPE, "effects": effects}}})


def test_a_lucky_deal_is_another_order_of_the_same_cards() -> None:
    ruleset = roped()
    (deal,) = lucky_deals(ruleset, ["rope_loop"], 0)
    player = deal.state["players"][0]
    assert Counter(player["hand"])["rope_loop"] == 2
    cards = Counter([*player["hand"], *player["deck"]])
    assert cards == Counter({**cards, "rope_loop": 2})
    assert deal.definition.census(deal.state, deal.setting)
    assert list(lucky_deals(ruleset, ["torch"], 0)) == []  # nobody is dealt a Torch


def test_a_walk_comes_by_a_loop_that_holds() -> None:
    ruleset = roped()
    (deal,) = lucky_deals(ruleset, ["rope_loop"], 0)
    game = deal.game
    assert isinstance(game, Race)
    held = []
    for found in covered(deal, ["rope_loop"], Budget(None)):
        assert len(found.line) + len(found.cycle) <= DEPTH
        line = tuple(text for turn in found.line for text in turn)
        certificate = confirm(game, Witness(deal, line).replay().table, found.cycle, game.default_target())
        held += [certificate] if certificate is not None else []
    assert any(each.cycle == (("play rope_loop", "recover rope_loop", "done"),) for each in held)


def test_its_twin_whose_rope_is_used_up_has_none_that_holds() -> None:
    (deal,) = lucky_deals(roped({"op": "destroy_self"}), ["rope_loop"], 0)
    game = deal.game
    assert isinstance(game, Race)
    for found in covered(deal, ["rope_loop"], Budget(None)):
        line = tuple(text for turn in found.line for text in turn)
        assert confirm(game, Witness(deal, line).replay().table, found.cycle, game.default_target()) is None


def test_what_is_unbounded_covers_any_amount() -> None:
    (deal,) = lucky_deals(roped(), ["rope_loop"], 0)
    few, many = Tally("x", {"pos": 1, "ap": 2}), Tally("x", {"pos": 5, "ap": 1})
    table = deal.table()

    def node(tally: Tally, *unbounded: str) -> Node:
        return Node(table, tally, frozenset(unbounded), (), None, 0)

    assert not node(many).covers(node(few))
    assert node(many, "ap").covers(node(few))
    assert not node(few).covers(node(few, "pos"))
    assert not node(Tally("y", {"pos": 9, "ap": 9})).covers(node(few))
