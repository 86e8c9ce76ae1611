"""The worked examples of the specification, play by play."""

from __future__ import annotations

from fractions import Fraction

from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.tasks import quest

UNSEEN_BLACK = "2C 2S 3C 3S 4C 4S 5C 5S 6C 6S 7S 8C 8S 9C 9S TC TS"
UNSEEN_RED = "2D 2H 3D 4D 4H 5D 5H 6D 7D 7H 8D 8H 9D 9H TD KD AD"


def test_rule_4_example_1_the_illustrated_opening() -> None:
    decks = both(UNSEEN_BLACK, UNSEEN_RED)
    battle = Battle(piles={"1,1": "6H"}, trench=both("7C", "3H"), deck=decks)
    assert battle.now["starter"] == "black", "7 beats 3"
    battle.play("enter 7C x1; end; cycle 3H")
    assert battle.odds["KD"] == Fraction(1, 18)
    battle.play("deck KD; end")
    assert battle.told[-2:] == ["the barrage: 1 soldier on the field, no shells", "turn 2 begins"]
    battle.play("go 7C home take")
    assert battle.told == [
        "7C picks up the wounded 6H",
        "7C comes home",
        "the rescued 6H lies in the infirmary",
    ]
    battle.play("end; enter KD x1; end")
    assert battle.table.turn == 3
    assert battle.soldiers == "KD@1,4"
    assert (battle.zone("trench"), battle.zone("infirmary"), battle.piles) == ("7C", "6H", {})
    assert [len(deck) for deck in battle.table.deck] == [17, 17]
    assert "3H" in battle.zone("deck", "red").split()


def test_rule_4_example_1_with_the_shell_of_the_picture() -> None:
    lists = {"shells": [[2, 6]]}
    options = {"shell_rule": "floor_half_min_one"}
    battle = Battle(trench=both("7C", "3H"), known=("cards", "shells"), lists=lists, options=options)
    battle.play("enter 7C x1; end; end")
    assert battle.told[-3:-1] == ["a shell falls on 2,2 (rolls 2 and 6)", "nobody stands where it falls"]
    assert battle.soldiers == "7C@1,1"


def test_rule_6_example_2_a_stack_a_carried_card_and_the_fold() -> None:
    soldiers = "4C@2,3 9S@2,3+JD QH@2,3 5D@4,4"
    lists = {"shells": [[6, 3], [4, 5]]}
    battle = Battle(
        soldiers,
        {"2,3": "3C", "4,1": "KD"},
        turn=5,
        starter="black",
        to_move="red",
        known=("cards", "shells"),
        lists=lists,
    )
    battle.play("end")
    assert battle.soldiers == "5D@4,4"
    assert battle.piles == {"2,3": "3C JD 4C 9S QH", "4,1": "KD"}
    assert battle.table.turn == 6
    assert battle.told[1:5] == [
        "the barrage: 4 soldiers on the field, 2 shells",
        "a shell falls on 2,3 (rolls 6 and 3)",
        "4C, 9S and QH are hit and now wounded at 2,3",
        "a shell falls on 4,1 (rolls 4 and 5)",
    ]


def test_rule_7_example_3_last_turn_stack_rescue_withdrawal_and_score() -> None:
    battle = Battle(
        "7S@2,2 9C@2,2 QD@3,4",
        {"2,2": "4H JC"},
        turn=20,
        starter="red",
        to_move="black",
        deck=both("5C 2S", "6H"),
        trench=both(red="KH"),
        infirmary=both("3D"),
    )
    battle.play("go 7S+9C home take")
    assert "the rescued JC outranks a rescuer of value 9 and goes back to its own deck" in battle.told
    battle.play("end")
    assert (battle.now["phase"], battle.now["turn"], battle.now["dead"]) == ("withdraw", 21, ["4H"])
    battle.play("go QD home; end; end")
    assert battle.table.phase == "over"
    assert battle.now["deck"] == both("2S 5C JC", "6H")
    assert battle.now["trench"] == both("7S 9C", "QD KH")
    outcome = battle.game.outcome(battle.table)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((0,), "7.4")
    assert [quest(battle, "TR-A1", seat).done(battle.table) for seat in (0, 1)] == [3, -3]
