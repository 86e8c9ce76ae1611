"""The rules, one by one, by the numbers of their sections."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.core.errors import ContentError, IllegalMoveError
from rules.core.position import new_position
from rules.trench_rescue.engine import TrenchRescue
from tests.bare import bare_position
from tests.rules.games import census
from tests.rules.trench_rescue.battles import ALL_OPEN, Battle, both


def fresh(players: int = 2, seed: int = 1, ruleset: str = "trench_rescue/2012") -> dict[str, object]:
    return dict(new_position(ruleset, players, seed).state)


# Words, codes, order


def test_rule_1_1_values_and_colours() -> None:
    pack = Battle().game.pack
    values = {code[0]: pack.value[number] for number, code in enumerate(pack.codes[:-1])}
    assert (values["2"], values["T"], values["J"], values["A"]) == (2, 10, 11, 14)
    assert {code[1] for code, colour in zip(pack.codes, pack.colour, strict=False) if colour == 0} == {"C", "S"}


def test_rule_1_2_black_before_red_then_by_value_then_by_suit() -> None:
    mixed, ordered = ["AH", "2D", "TS", "2H", "JC", "TC", "AS"], ["TC", "TS", "JC", "AS", "2D", "2H", "AH"]
    assert Battle(dead=mixed).now["dead"] == ordered


def test_rule_1_3_the_hit_lie_face_down_for_nobody() -> None:
    battle = Battle("4C@1,1 5D@1,1", known=ALL_OPEN, lists={"shells": [[1, 1]]}, to_move="red")
    battle.play("end")
    assert (battle.soldiers, battle.piles) == ("", {"1,1": "4C 5D"})


def test_rule_1_4_cells_are_columns_and_rows_from_1() -> None:
    assert Battle("4C@3,2").now["soldiers"] == [{"card": "4C", "carries": None, "cell": 6}]


def test_rule_1_5_the_way_home() -> None:
    battle = Battle("4C@1,3 4D@1,3")
    assert "go 4C 1,2" in battle.moves
    assert "go 4C home" not in battle.moves
    assert Battle("4C@1,1").play("go 4C home").zone("trench") == "4C"
    assert Battle("4D@1,4", to_move="red").play("go 4D home").zone("trench", "red") == "4D"


def test_rule_1_6_only_the_top_of_a_pile_is_picked_up() -> None:
    battle = Battle("AC@1,1", {"1,1": "2D 3D"}).play("go AC home take")
    assert (battle.zone("infirmary"), battle.piles) == ("3D", {"1,1": "2D"})


def test_rule_1_7_shells_fall_after_both_half_turns() -> None:
    battle = Battle("4C@1,1 5D@4,4", known=ALL_OPEN)
    battle.play("end")
    assert battle.rules == ["4.0.4"]
    battle.play("end")
    assert battle.rules[:3] == ["4.0.4", "6.2", "6.3"]


# Set-up


def test_rule_2_1_and_2_3_the_halves() -> None:
    state = fresh()
    for colour in ("black", "red"):
        assert len(state["deck"][colour]) == 17  # type: ignore[index]  # read as it stands
    position = new_position("trench_rescue/2012", 2, 1)
    assert set(census(position, position.table()).values()) == {1}
    assert len(census(position, position.table())) == 52


@pytest.mark.parametrize(("ruleset", "each", "deck"), [("2012", 8, 17), ("large-field", 18, 7)])
def test_rule_2_2_as_many_wounded_of_both_colours(ruleset: str, each: int, deck: int) -> None:
    position = new_position(f"trench_rescue/{ruleset}", 2, 3)
    game, start = position.start()
    assert isinstance(game, TrenchRescue)
    lying = [pile[0] for pile in start.table.piles]
    assert len(lying) == 2 * each
    assert sum(game.pack.colour[card] == 0 for card in lying) == each
    assert [len(cards) for cards in start.table.deck] == [deck, deck]


def test_rule_2_4_one_soldier_each() -> None:
    table = new_position("trench_rescue/2012", 2, 4).table()
    assert [len(cards) for cards in table.trench] == [1, 1]


def test_rule_2_5_the_higher_soldier_starts_and_a_coin_decides_a_tie() -> None:
    starts = set()
    for seed in range(60):
        game, start = new_position("trench_rescue/2012", 2, seed).start()
        assert isinstance(game, TrenchRescue)
        black, red = (game.pack.value[cards[0]] for cards in start.table.trench)
        if black == red:
            starts.add(start.table.starter)
        else:
            assert start.table.starter == (red > black)
    assert starts == {0, 1}


def test_rule_2_6_the_turn_limit_is_agreed() -> None:
    battle = Battle(options={"turn_limit": 1}, trench=both("4C", "4D"))
    assert battle.play("end; end").table.phase == "over"


def test_rule_3_two_states_are_equal_when_all_rows_are() -> None:
    first = Battle("4C@1,1 9S@1,1", {"1,1": "2D"}).play("go 4C 1,2; go 9S 2,1")
    second = Battle("4C@1,1 9S@1,1", {"1,1": "2D"}).play("go 9S 2,1; go 4C 1,2")
    assert first.now == second.now
    assert first.play("end").table == second.play("end").table


# A half-turn


def test_rule_4_0_1_one_action_after_another() -> None:
    battle = Battle("4C@1,1", trench=both("9S"))
    assert battle.play("go 4C 1,2; enter 9S x1").now["moved"] == ["4C", "9S"]
    assert battle.play("end").now["moved"] == []


def test_rule_4_0_2_each_soldier_moves_once() -> None:
    battle = Battle("4C@1,1").play("go 4C 1,2")
    with pytest.raises(IllegalMoveError, match=r"\(4\.0\.2\): 4C has moved"):
        battle.play("go 4C 1,3")


def test_rule_4_0_3_a_rescued_soldier_waits() -> None:
    battle = Battle("AC@1,1", {"1,1": "5S"}).play("go AC home take")
    assert battle.zone("trench") == "5S AC"
    assert battle.moves == ["end"]


def test_rule_4_0_4_end_is_always_legal_and_clears_marks() -> None:
    battle = Battle("4C@1,1+2D", {"1,2": "3D"}).play("go 4C 1,2; drop 4C")
    assert battle.now["fresh"] == [[4, 1]]
    battle.play("end")
    assert (battle.now["fresh"], battle.now["moved"], battle.now["to_move"]) == ([], [], "red")


def test_rule_4_1_cycle_draws_from_the_whole_deck() -> None:
    battle = Battle(trench=both("3C"), deck=both("KS 9S")).play("cycle 3C")
    assert battle.odds == {"3C": Fraction(1, 3), "9S": Fraction(1, 3), "KS": Fraction(1, 3)}
    battle.play("deck 9S")
    assert (battle.zone("trench"), battle.zone("deck"), battle.now["moved"]) == ("9S", "3C KS", ["9S"])


def test_rule_4_1_cycle_with_an_empty_deck_brings_the_same_card_back() -> None:
    assert Battle(trench=both("3C")).play("cycle 3C").zone("trench") == "3C"


def test_rule_4_1_enter_any_front_cell_whatever_lies_there() -> None:
    battle = Battle("KD@2,1", {"2,1": "2D 3D"}, trench=both("3C"))
    assert battle.play("enter 3C x2").soldiers == "3C@2,1 KD@2,1"


def test_rule_4_1_peek_shows_the_carried_card_or_the_top_of_the_pile() -> None:
    piles = {"1,1": "2D 3D"}
    assert Battle("4C@1,1", piles).play("peek 4C").told == ["4C looks at a wounded card: it is 3D"]
    assert Battle("4C@1,1+9D", piles).play("peek 4C").told == ["4C looks at a wounded card: it is 9D"]
    assert "peek 4C" not in Battle("4C@1,2", piles).moves


def test_rule_4_1_drop_is_free_and_goes_on_top() -> None:
    battle = Battle("4C@1,1+9D", {"1,1": "2D"}).play("drop 4C")
    assert (battle.piles, battle.soldiers, battle.now["moved"]) == ({"1,1": "2D 9D"}, "4C@1,1", [])


def test_rule_4_2_a_stack_of_k_goes_k_spaces() -> None:
    battle = Battle("4C@2,2 9S@2,2 KS@2,2")
    assert {"go 4C 1,2", "go 4C+9S 1,1", "go 4C+9S+KS 4,3", "go 4C+9S home"} <= set(battle.moves)
    assert "go 4C home" not in battle.moves
    with pytest.raises(IllegalMoveError, match=r"\(4\.2\): 4,3 is 3 spaces away, and 2 soldiers together"):
        battle.play("go 4C+9S 4,3")


def test_rule_4_2_one_card_for_a_stack_with_the_last_in_order() -> None:
    piles = {"2,2": "JD"}
    assert Battle("4C@2,2 9S@2,2", piles).play("go 4C+9S 2,4 take").soldiers == "4C@2,4 9S@2,4+JD"
    assert Battle("4C@2,2+2H 9S@2,2").play("go 4C+9S 2,3").soldiers == "4C@2,3 9S@2,3+2H"
    battle = Battle("4C@2,2+2H 9S@2,2+3H")
    with pytest.raises(IllegalMoveError, match="only one of a stack may carry a card"):
        battle.play("go 4C+9S 2,3")


def test_rule_4_2_the_highest_of_a_stack_rescues() -> None:
    battle = Battle("4C@1,1 9S@1,1", {"1,1": "8S"}).play("go 4C+9S home take")
    assert battle.zone("trench") == "4C 8S 9S"


def test_rule_4_2_the_enemy_trench_and_the_edges_are_closed() -> None:
    assert Battle("4C@1,4").moves == ["end", "go 4C 1,3", "go 4C 2,4"]


def test_rule_4_3_handing_over_and_cards_that_wait() -> None:
    handed = Battle("4C@1,1+9D 9S@1,1").play("drop 4C; go 9S home take")
    assert handed.zone("infirmary") == "9D"
    brought = Battle("4C@1,2+9D 9S@1,1").play("go 4C 1,1; drop 4C")
    with pytest.raises(IllegalMoveError, match=r"\(4\.3\)"):
        brought.play("go 9S home take")


def test_rule_4_4_the_canonical_list() -> None:
    battle = Battle("9S@1,1 4C@1,1 5S@2,2+3D", {"1,1": "2D"}, trench=both("KC 3C"))
    options = battle.game._question(battle.state)
    assert options is not None
    texts = [option.text for option in options.options]
    assert texts[:3] == ["cycle 3C", "cycle KC", "enter 3C x1"]
    assert texts[10:13] == ["peek 4C", "peek 5S", "peek 9S"]
    assert texts[13:19] == [
        *("go 4C 2,1", "go 4C 1,2", "go 4C home"),
        *("go 4C 2,1 take", "go 4C 1,2 take", "go 4C home take"),
    ]
    assert texts[19:21] == ["go 5S 2,1", "go 5S 1,2"]
    assert texts[-2:] == ["drop 5S", "end"]
    assert texts.index("go 9S home take") < texts.index("go 4C+9S 2,1")


@pytest.mark.parametrize(
    ("card", "zone", "colour"),
    [("9S", "trench", "black"), ("TS", "deck", "black"), ("9H", "infirmary", "black"), ("TH", "deck", "red")],
)
def test_rule_5_what_a_rescued_card_becomes(card: str, zone: str, colour: str) -> None:
    battle = Battle("9C@1,1", {"1,1": card}).play("go 9C home take")
    assert card in battle.zone(zone, colour).split()
    assert battle.rules[-1] == "5"


# Barrage


@pytest.mark.parametrize(("soldiers", "shells"), [("", 0), ("4C@1,1", 0), ("4C@1,1 5D@4,4 KD@4,4", 1)])
def test_rule_6_1_and_6_2_half_of_all_on_the_field(soldiers: str, shells: int) -> None:
    trench = both("2C 2S", "3D 3H")
    battle = Battle(soldiers, trench=trench, starter="black", to_move="red", known=ALL_OPEN).play("end")
    assert next(event.data["shells"] for event in battle.events if event.rule == "6.2") == shells


def test_rule_6_3_and_6_4_rolls_lines_and_the_fold() -> None:
    battle = Battle("4C@1,2 5D@4,4", known=ALL_OPEN, lists={"shells": [[5, 6]]}, to_move="red").play("end")
    assert battle.piles == {"1,2": "4C"}
    hidden = Battle("4C@1,2 5D@4,4", to_move="red").play("end")
    assert hidden.odds == {"1,2": Fraction(1, 9), "4,4": Fraction(1, 36), "miss": Fraction(31, 36)}


def test_rule_6_5_a_shell_hits_both_sides_and_no_wounded() -> None:
    battle = Battle("4C@1,1 5D@1,1", {"1,1": "2D"}, to_move="red").play("end; shells 1,1")
    assert (battle.soldiers, battle.piles) == ("", {"1,1": "2D 4C 5D"})


def test_rule_6_6_carried_cards_lie_below() -> None:
    battle = Battle("9S@1,1+AH 4C@1,1+2D 5D@1,1", to_move="red").play("end; shells 1,1")
    assert battle.piles == {"1,1": "2D AH 4C 9S 5D"}


def test_rule_6_7_a_second_shell_finds_nobody() -> None:
    lists = {"shells": [[1, 1], [1, 1]]}
    battle = Battle("4C@1,1 5D@1,1 6D@1,1 7D@1,1", known=ALL_OPEN, lists=lists, to_move="red").play("end")
    assert [event.kind for event in battle.events].count("shell") == 2
    assert "6.7" in battle.rules


# End


def test_rule_7_1_the_starter_begins_the_next_turn() -> None:
    table = Battle(trench=both("4C", "9D"), turn=4).play("end; end").table
    assert (table.turn, table.to_move, table.starter) == (5, 1, 1)


def test_rule_7_2_the_last_turn() -> None:
    battle = Battle("4C@1,1+2H 9D@4,4", {"3,3": "KS"}, turn=20, to_move="red", starter="black")
    battle.play("end; shells miss")
    assert (battle.now["phase"], battle.now["turn"]) == ("withdraw", 21)
    assert (battle.now["dead"], battle.piles, battle.soldiers) == (["KS", "2H"], {}, "4C@1,1 9D@4,4")
    alone = Battle("", {"3,3": "KS"}, turn=20, to_move="red", starter="black", trench=both("4C")).play("end")
    assert (alone.now["phase"], alone.now["turn"], alone.now["dead"]) == ("over", 20, ["KS"])


def test_rule_7_3_everybody_comes_nearer_home_and_dies_if_hit() -> None:
    battle = Battle("4C@1,2 9D@1,2", turn=21, phase="withdraw", trench=both("KS"), starter="black")
    assert battle.moves == ["go 4C 1,1"]
    battle.play("go 4C 1,1; end; go 9D 1,3; end; shells 1,1")
    assert (battle.now["dead"], battle.soldiers, battle.now["phase"]) == (["4C"], "9D@1,3", "withdraw")
    assert battle.play("end; go 9D 1,4; end; end; go 9D home; end").now["phase"] == "over"


def test_rule_7_4_score_and_gain() -> None:
    battle = Battle(deck=both("2C 3C"), trench=both("4C"), infirmary=both("2D"), phase="over", turn=20, players=2)
    assert [battle.game.progress(battle.table, seat) for seat in (0, 1)] == [4, 0]
    assert [battle.game.gain(battle.table, seat) for seat in (0, 1)] == [4 - 18, -18]
    outcome = battle.game.outcome(battle.table)
    assert outcome is not None
    assert outcome.winners == (0,)
    draw = Battle(trench=both("4C", "4D"), phase="over", turn=20)
    drawn = draw.game.outcome(draw.table)
    assert drawn is not None
    assert drawn.winners == ()


def test_rule_7_5_who_has_nobody_left_only_ends() -> None:
    assert Battle(deck=both("2C 3C"), trench=both(red="4D"), to_move="black").moves == ["end"]


# Information


def seen_by(
    view: str, soldiers: str, piles: dict[str, str], *, deck: dict[str, list[str]], named: str, **state: Any
) -> Battle:
    """Return a battle in which all cards but the hidden ones and those ``named`` are dead."""
    pack = Battle().game.pack
    text = f"{soldiers} {piles} {deck} {named} {state}"
    dead = [code for code in pack.codes[:-1] if code not in text]
    return Battle(soldiers, piles, known=(), view=view, deck=deck, dead=dead, **state)


def test_rule_8_1_what_one_player_sees_is_common_to_that_one_alone() -> None:
    battle = seen_by("black", "4C@1,1", {"1,1": "?", "2,2": "?"}, deck=both("?"), named="KS KD QD", to_move="black")
    assert [battle.game.is_common(battle.table, seat) for seat in (None, 0, 1)] == [False, True, False]


def test_rule_8_1_a_card_that_is_known_stays_known() -> None:
    battle = seen_by("black", "4C@1,1", {"1,1": "?", "2,2": "?"}, deck=both("?"), named="KS KD QD", to_move="black")
    battle.play("peek 4C")
    assert battle.odds == {"QD": Fraction(1, 2), "KD": Fraction(1, 2)}, "the third unseen card is black's whole deck"
    battle.play("cards KD; end; end; go 4C 1,2 take; end")
    assert battle.soldiers == "4C@1,2+KD"


def test_rule_8_2_what_both_see() -> None:
    hit = seen_by("red", "4C@1,1 9D@1,1", {}, deck=both("?"), named="KS", to_move="red", starter="black")
    assert hit.play("end; shells 1,1").piles == {"1,1": "4C 9D"}
    rescue = seen_by("red", "4C@1,1+?", {}, deck=both("?"), named="KS KD", to_move="black")
    rescue.play("go 4C home")
    assert rescue.zone("deck", "red") == "KD"


def test_rule_8_3_all_ways_to_lay_the_unseen_are_equally_likely() -> None:
    """Two black and two red cards unseen, one place in the black deck: black is at 1 of 3 places outside."""
    battle = seen_by(
        "black", "4C@1,1", {"1,1": "?", "2,2": "? ?"}, deck=both("?"), named="KS AS KD AD", to_move="black"
    )
    battle.play("peek 4C")
    assert battle.odds == {"KS": Fraction(1, 6), "AS": Fraction(1, 6), "KD": Fraction(1, 3), "AD": Fraction(1, 3)}


def test_rule_8_4_what_the_other_finds_is_not_seen() -> None:
    battle = seen_by("red", "4C@1,1", {"1,1": "?"}, deck=both("?"), named="KS KD", to_move="black")
    battle.play("peek 4C")
    assert (battle.piles, battle.told) == ({"1,1": "?"}, ["4C looks at a wounded card"])


def test_rule_9_unknown_places_of_a_deck_may_hold_any_unseen_card_of_its_colour() -> None:
    battle = seen_by("black", "", {"1,1": "?"}, deck=both("3C ?"), named="KS AS", trench=both("9C"), to_move="black")
    battle.play("cycle 9C")
    assert battle.odds == {"3C": Fraction(1, 3), "9C": Fraction(1, 3), "KS": Fraction(1, 6), "AS": Fraction(1, 6)}


def test_rule_11_1_alone_a_turn_is_one_half_turn() -> None:
    battle = Battle("4C@1,1", players=1, trench=both("9S"), known=ALL_OPEN)
    table = battle.play("go 4C 1,2; enter 9S x1; end").table
    assert (table.turn, table.to_move, table.counters.shells) == (2, 0, 1)
    state = fresh(players=1)
    assert (state["trench"]["red"], len(state["deck"]["red"])) == ([], 18)  # type: ignore[index]  # read as it stands


def test_rule_15_results_come_from_lists_and_then_from_the_seed() -> None:
    lists = {"deck": [[["QS", "KS"], ["2S"]], []]}
    battle = Battle(trench=both("3C 4C 5C"), deck=both("7S KS"), known=ALL_OPEN, lists=lists)
    battle.play("cycle 3C")
    assert battle.zone("trench") == "4C 5C KS", "the first listed card that is in the deck"
    battle.play("cycle 4C")
    assert battle.zone("trench") == "3C 5C KS", "none is listed: the first in canonical order"
    battle.play("cycle 5C")
    assert battle.now["counters"]["deck"] == {"black": 3, "red": 0}


def test_rule_15_a_tape_begins_again_and_none_means_none() -> None:
    tape = Battle("4C@1,1 5D@4,4", known=ALL_OPEN, lists={"shells": [[3, 3]]}, to_move="red", turn=2)
    assert tape.play("end").now["counters"]["shells"] == 0
    none = Battle("4C@1,1 5D@4,4", known=ALL_OPEN, lists={"shells": "none"}, to_move="red")
    assert "6.3" not in none.play("end").rules


def test_rule_15_open_results_that_run_out_ask_for_a_seed() -> None:
    lists = {"deck": [[["KS"]], []], "shells": "none"}
    battle = Battle(trench=both("3C 4C"), deck=both("7S KS"), known=ALL_OPEN, lists=lists, seed=None)
    with pytest.raises(ContentError, match=r"give chance\.seed"):
        battle.play("cycle 3C; cycle 4C")


BROKEN = {
    '{"size": 3}': "there is no field of size 3",
    '{"piles": [["4C"]]}': "must be 16 lists",
    '{"soldiers": [{"card": "4C", "cell": 16}]}': "the cells of a field of size 4 are 0 to 15",
    '{"trench": {"black": ["4C", "4C"]}}': "'4C' is named twice",
    '{"trench": {"black": ["4D"]}}': "'4D' is no black card",
    '{"infirmary": {"black": ["4C"]}}': "'4C' is no enemy card",
    '{"dead": ["?"]}': "'?' needs a 'view'",
    '{"moved": ["4C"]}': "'4C' is no soldier of black",
    '{"fresh": [[0, 0]]}': "there is no such card",
    '{"turn": 21}': "the last turn is 20",
    '{"phase": "withdraw"}': "the withdrawal comes after the last turn",
    '{"phase": "over", "soldiers": [{"card": "4C", "cell": 0}]}': "must be empty: the game is over when nobody",
    '{"near": "red"}': "must be 'black', as near_side says",
    '{"view": "red"}': "must be left out: cards are open",
    '{"carried_home": {"black": 1}}': "must be 0",
    '{"players": 1, "trench": {"red": ["4D"]}}': "in a game for one the other colour has no soldiers",
    '{"soldiers": [{"card": "4C", "cell": "9,9"}]}': "the cells of a field of size 4",
}


@pytest.mark.parametrize("state", BROKEN)
def test_rule_15_what_no_state_can_be_is_told(state: str) -> None:
    with pytest.raises(ContentError) as told:
        bare_position(
            f'{{"game": "trench_rescue", "ruleset": "2012", "chance": {{"open": ["cards"]}}, "state": {state}}}'
        )
    assert BROKEN[state] in str(told.value)
