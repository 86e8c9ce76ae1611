from __future__ import annotations

from collections import Counter
from typing import Any

from rules.core.position import Position
from rules.core.race import Race, Tally
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit.finding import Witness
from solver.audit.loop import ONWARDS, Confirmer, confirm
from solver.audit.play import opening
from solver.audit.walks import DEPTH, Node, built, built_tables, covered
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


def deal_of(ruleset: Ruleset) -> Position:
    """Return the table built for two of the card in the hand and the rest in the deck."""
    (deal, _), *_ = built_tables(ruleset, ["rope_loop"], 0)
    return deal


def test_a_table_is_built_of_the_same_cards() -> None:
    ruleset = roped()
    first, deal = opening(ruleset, 0), deal_of(ruleset)
    player, before = deal.state["players"][0], first.state["players"][0]
    assert player["hand"] == ["rope_loop"] * 2
    assert Counter([*player["hand"], *player["deck"]]) == Counter([*before["hand"], *before["deck"]])
    whole = built(first, {"rope_loop": 2}, kinds=0)
    assert whole is not None
    assert whole.state["players"][0]["deck"] == []
    torch = built(first, {"torch": 2})
    assert torch is not None  # a Torch is gained on the way
    assert torch.state["players"][0]["hand"] == ["torch"] * 2


def test_two_cards_that_take_turns_are_found_with_the_whole_deck_in_the_hand() -> None:
    card = {**ROPE, "type": "movement", "copies": 1}
    back = [{"op": "discard_to_deck"}, {"op": "draw", "n": 9}]
    both = {
        name: {**card, "name": name, "effects": [{"op": "move", "n": spaces}, *back]}
        for name, spaces in (("east", 6), ("west", 4))
    }
    tables = list(built_tables(extended(load_ruleset("iditacards/2017"), {"cards": both}), list(both), 0))
    deal, names = next(each for each in tables if len(each[0].state["players"][0]["deck"]) == 0)
    confirmer = Confirmer(Budget(None))
    loops = covered(deal, names, Budget(None))
    while "play east / play west" not in confirmer.best:
        confirmer.see(deal, next(loops), ONWARDS)


def test_two_cards_that_call_each_other_back_are_confirmed_behind_a_leg() -> None:
    pair = {
        name: {**ROPE, "type": "movement", "copies": 1, "name": name, "tags": [name], "effects": [each, back]}
        for name, each, back in (
            ("drum", {"op": "move", "n": 7}, {"op": "recover_tag", "tag": "bell"}),
            ("bell", {"op": "move", "n": 3}, {"op": "recover_tag", "tag": "drum"}),
        )
    }
    for tag, held in (("drum", True), ("bell", False)):  # a card that comes into play is not in the pile
        pair["bell"]["effects"][1] = {"op": "recover_tag", "tag": tag}
        ruleset = extended(load_ruleset("iditacards/2019-08"), {"cards": pair})
        deal, names = next(built_tables(ruleset, ["bell", "drum"], 0))
        confirmer = Confirmer(Budget(None))
        for found in covered(deal, names, Budget(None)):
            assert Witness(deal, found.line).replay().table == found.table
            confirmer.see(deal, found, ONWARDS)
        assert ("play bell; recover drum / play drum; recover bell" in confirmer.best) == held
        for _, witness in confirmer.best.values():
            witness.replay()


def test_a_walk_comes_by_a_loop_that_holds() -> None:
    deal = deal_of(roped())
    game = deal.game
    assert isinstance(game, Race)
    held = []
    for found in covered(deal, ["rope_loop"], Budget(None)):
        assert len(found.cycle) <= DEPTH
        certificate = confirm(game, found.table, found.cycle, game.profile.target)
        held += [certificate] if certificate is not None else []
    assert any(each.cycle == (("play rope_loop", "recover rope_loop", "done"),) for each in held)


def test_its_twin_whose_rope_is_used_up_has_none_that_holds() -> None:
    deal = deal_of(roped({"op": "destroy_self"}))
    game = deal.game
    assert isinstance(game, Race)
    for found in covered(deal, ["rope_loop"], Budget(None)):
        assert confirm(game, found.table, found.cycle, game.profile.target) is None


def test_a_table_covers_those_with_no_more_of_anything() -> None:
    table = deal_of(roped()).table()

    def node(pos: int, ap: int) -> Node:
        return Node(table, Tally("x", {"pos": pos, "ap": ap}), (), None, 0)

    assert node(5, 2).has_all_of(node(1, 2))
    assert not node(5, 1).has_all_of(node(1, 2))
