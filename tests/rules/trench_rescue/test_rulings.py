"""What the other values of the options change, by the number of the ruling."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rules.core.errors import ContentError, IllegalMoveError
from rules.core.files import Source
from rules.core.position import new_position
from rules.core.registry import Ruleset
from rules.core.ruleset import load_inline_ruleset
from tests.bare import bare_position
from tests.rules.trench_rescue.battles import ALL_OPEN, Battle, both
from tests.rules.trench_rescue.tasks import quest


def dealt(seed: int, **options: Any) -> Any:
    data = {
        "game": "trench_rescue",
        "ruleset": "2012",
        "options": options,
        "chance": {"open": list(ALL_OPEN), "seed": seed},
    }
    return bare_position(json.dumps(data)).state


def variant(name: str, value: str) -> Ruleset:
    table = {"extends": "trench_rescue/2012", "options": {name: value}}
    return load_inline_ruleset(Source(table, ""))


def test_ruling_1_who_sits_where() -> None:
    assert dealt(1)["near"] == "black"
    assert dealt(1, near_side="red")["near"] == "red"
    assert {dealt(seed, near_side="coin")["near"] for seed in range(9)} == {"black", "red"}
    assert "enter 4C x2" in Battle(options={"near_side": "red"}, trench=both("4C")).moves
    assert Battle(options={"near_side": "red"}, trench=both("4C")).play("enter 4C x2").soldiers == "4C@2,4"


def test_ruling_2_shells_after_each_half_turn() -> None:
    options = {"barrage_timing": "after_each"}
    battle = Battle("4C@1,1 5D@4,4", options=options).play("end; shells 1,1")
    assert (battle.soldiers, battle.now["to_move"], battle.now["turn"]) == ("5D@4,4", "red", 1)
    last = Battle(options={**options, "turn_limit": 1}, trench=both("4C", "3D")).play("end")
    assert last.now["phase"] == "play", "only the second barrage ends the game"
    assert last.play("end").now["phase"] == "over"


def test_ruling_3_the_starter_alternates() -> None:
    battle = Battle(trench=both("4C", "3D"), options={"starter_order": "alternate"}).play("end; end")
    assert (battle.now["starter"], battle.now["to_move"]) == ("red", "red")
    alone = Battle(trench=both("4C"), players=1, options={"starter_order": "alternate"}).play("end")
    assert alone.now["starter"] == "black"
    limit = Battle("4C@1,1", options={"starter_order": "alternate", "turn_limit": 1}).play("end; end")
    assert (limit.now["phase"], limit.now["starter"]) == ("withdraw", "red")


def test_ruling_4_any_number_of_turns() -> None:
    assert Battle(options={"turn_limit": 300}, turn=299).play("end; end").now["turn"] == 300


def test_ruling_5_the_hit_in_the_order_they_came() -> None:
    options = {"hit_pile_order": "arrival"}
    battle = Battle("9S@1,1", trench=both("4C 2C", "KD"), starter="black", options=options)
    battle.play("enter 4C x1; enter 2C x1")
    assert battle.soldiers == "9S@1,1 4C@1,1 2C@1,1"
    text = battle.play("end; enter KD x1").position.with_table(battle.game.decode(battle.now)).text()
    assert bare_position(text).text() == text
    battle.play("end; shells 1,1; shells miss")
    assert battle.piles == {"1,1": "9S 4C 2C"}
    canonical = Battle("9S@1,1", trench=both("4C 2C"), options=options).play("enter 4C x2; enter 2C x3")
    assert canonical.soldiers == "2C@3,1 4C@2,1 9S@1,1"


def test_ruling_6_nobody_may_stay_idle() -> None:
    battle = Battle("4C@1,1", trench=both("9S"), options={"idle_allowed": False})
    assert "end" not in battle.moves
    with pytest.raises(IllegalMoveError, match=r"\(TR-Q6\)"):
        battle.play("end")
    assert battle.play("go 4C 1,2; cycle 9S").moves == ["end"]


@pytest.mark.parametrize(("value", "moved"), [(False, ["5S", "AC"]), (True, ["AC"])])
def test_ruling_7_the_rescued_act_at_once(value: bool, moved: list[str]) -> None:
    battle = Battle("AC@1,1", {"1,1": "5S"}, options={"rescued_acts_now": value}).play("go AC home take")
    assert battle.now["moved"] == moved
    assert ("enter 5S x1" in battle.moves) == value


def test_ruling_8_a_carrier_looks_at_the_pile() -> None:
    options = {"peek_carried": False}
    battle = Battle("4C@1,1+9D", {"1,1": "2D"}, options=options).play("peek 4C")
    assert battle.told == ["4C looks at a wounded card: it is 2D"]
    assert "peek 4C" not in Battle("4C@1,1+9D", options=options).moves


def test_ruling_9_what_a_drop_costs_and_when_it_is_possible() -> None:
    paid = Battle("4C@1,1+9D 9S@1,1", options={"drop_cost": "move"}).play("drop 4C")
    assert (paid.now["moved"], paid.now["fresh"]) == (["4C"], [])
    assert "go 9S home take" in paid.moves
    for options in ({"drop_cost": "move"}, {"drop_when": "before_move"}):
        battle = Battle("4C@1,1+9D", options=options).play("go 4C 1,2")
        with pytest.raises(IllegalMoveError, match=r"\(TR-Q9\)"):
            battle.play("drop 4C")
    free = Battle("4C@1,1+9D", options={"drop_when": "before_move"}).play("drop 4C")
    assert free.now["moved"] == []


def test_ruling_10_a_stack_leaves_the_trench() -> None:
    battle = Battle(trench=both("4C 9S KS"), options={"stack_from_trench": True})
    assert {"enter 4C+9S 3,2", "enter 4C+9S x1", "enter 4C+9S+KS 1,3"} <= set(battle.moves)
    assert battle.play("enter 4C+9S 3,2").soldiers == "4C@3,2 9S@3,2"
    with pytest.raises(IllegalMoveError, match=r"\(4\.2\)"):
        Battle(trench=both("4C 9S"), options={"stack_from_trench": True}).play("enter 4C+9S 3,3")
    with pytest.raises(IllegalMoveError, match=r"\(TR-Q10\)"):
        Battle(trench=both("4C 9S")).play("enter 4C+9S x1")


def test_ruling_11_a_stack_does_not_split() -> None:
    battle = Battle("4C@2,2 9S@2,2", options={"stack_split": False})
    assert not [move for move in battle.moves if move.startswith(("go 4C ", "go 9S "))]
    with pytest.raises(IllegalMoveError, match=r"\(TR-Q11\): all of a cell go together: 4C\+9S"):
        battle.play("go 4C 1,2")


def test_ruling_12_cards_that_do_not_wait_and_soldiers_that_do() -> None:
    ride = Battle("4C@1,2+9D 9S@1,1", options={"pickup_fresh": True}).play("go 4C 1,1; drop 4C")
    assert ride.now["fresh"] == []
    assert ride.play("go 9S home take").zone("infirmary") == "9D"
    hold = Battle("4C@1,1", {"1,1": "9D"}, options={"hold_in_place": True}).play("go 4C 1,1 take")
    assert (hold.soldiers, hold.now["moved"]) == ("4C@1,1+9D", ["4C"])
    with pytest.raises(IllegalMoveError, match=r"\(TR-Q12\)"):
        Battle("4C@1,1", {"1,1": "9D"}).play("go 4C 1,1 take")


def test_ruling_13_the_carrier_is_chosen() -> None:
    battle = Battle("4C@2,2 9S@2,2", {"2,2": "JD"}, options={"stack_carrier": "chosen"})
    assert {"go 4C+9S 2,3 take by 4C", "go 4C+9S 2,3 take by 9S", "go 4C+9S 2,3"} <= set(battle.moves)
    assert battle.play("go 4C+9S 2,3 take by 4C").soldiers == "4C@2,3+JD 9S@2,3"
    with pytest.raises(IllegalMoveError, match=r"\(TR-Q13\)"):
        Battle("4C@2,2 9S@2,2", {"2,2": "JD"}).play("go 4C+9S 2,3 take by 4C")


@pytest.mark.parametrize(
    ("value", "view", "shown"),
    [("no", "black", False), ("carrier", "black", True), ("carrier", "red", False), ("all", "red", True)],
)
def test_ruling_14_who_sees_a_card_that_is_picked_up(value: str, view: str, shown: bool) -> None:
    pack = Battle().game.pack
    dead = [code for code in pack.codes[:-1] if code not in ("4C", "KS", "KD", "QD")]
    battle = Battle(
        "4C@1,1",
        {"1,1": "?", "3,3": "?"},
        known=(),
        view=view,
        to_move="black",
        dead=dead,
        deck=both("?"),
        options={"reveal_on_pickup": value},
    ).play("go 4C 1,2 take")
    assert (set(battle.moves) == {"cards QD", "cards KD"}) == shown


def test_ruling_15_a_hidden_rescue_cannot_be_seen_through_one_pair_of_eyes() -> None:
    options = {"reveal_on_rescue": "rescuer"}
    assert Battle("9C@1,1", {"1,1": "TS"}, options=options).play("go 9C home take").zone("deck") == "TS"
    with pytest.raises(ContentError, match="option `reveal_on_rescue = rescuer` with hidden cards"):
        new_position(variant("reveal_on_rescue", "rescuer"), 2, 1, ())


@pytest.mark.parametrize(("value", "shells"), [("floor_half", 0), ("floor_half_min_one", 1)])
def test_ruling_16_one_soldier(value: str, shells: int) -> None:
    battle = Battle("4C@1,1", to_move="red", starter="black", known=ALL_OPEN, options={"shell_rule": value})
    assert battle.play("end").now["counters"]["shells"] == shells
    nobody = Battle(to_move="red", starter="black", known=ALL_OPEN, options={"shell_rule": value})
    assert nobody.play("end").now["counters"]["shells"] == 0


@pytest.mark.parametrize(("value", "fallen"), [(False, 2), (True, 1)])
def test_ruling_17_shells_are_counted_again(value: bool, fallen: int) -> None:
    lists = {"shells": [[1, 1], [4, 4], [3, 3]]}
    soldiers = "4C@1,1 5C@1,1 6C@1,1 7D@2,2"
    battle = Battle(
        soldiers, to_move="red", starter="black", known=ALL_OPEN, lists=lists, options={"shell_recount": value}
    )
    assert battle.play("end").now["counters"]["shells"] == fallen


@pytest.mark.parametrize(("value", "column"), [("last", Fraction(1, 2)), ("reroll", Fraction(3, 4))])
def test_ruling_18_remainder_0(value: str, column: Fraction) -> None:
    options = {"fold_zero": value}
    battle = Battle("4C@1,1 5D@1,2", size=2, to_move="red", starter="black", options=options).play("end")
    assert battle.odds["1,1"] == column**2
    assert battle.odds["1,2"] == column * (1 - column)


def test_ruling_18_the_house_rule_makes_all_cells_equal() -> None:
    battle = Battle("4C@1,1 5D@4,4", to_move="red", starter="black", options={"shell_die": "reroll"}).play("end")
    assert battle.odds["1,1"] == battle.odds["4,4"] == Fraction(1, 16)
    seeded = Battle("4C@1,1 5D@4,4", to_move="red", starter="black", known=ALL_OPEN, options={"shell_die": "reroll"})
    rolls = seeded.play("end").events[2].data["rolls"]
    assert max(rolls) <= 4


@pytest.mark.parametrize(("value", "shells"), [(True, 1), (False, 0)])
def test_ruling_19_the_barrage_of_the_last_turn(value: bool, shells: int) -> None:
    options = {"last_barrage": value}
    battle = Battle("4C@1,1 5D@4,4", turn=20, to_move="red", starter="black", known=ALL_OPEN, options=options)
    assert battle.play("end").now["counters"]["shells"] == shells


def test_ruling_20_other_ways_home() -> None:
    free = Battle("4C@1,2", turn=21, phase="withdraw", options={"withdrawal": "free"})
    assert free.moves == ["end", "go 4C 1,1", "go 4C 1,3", "go 4C 2,2"]
    instant = Battle("4C@1,2 9D@1,2", turn=20, to_move="red", starter="black", options={"withdrawal": "instant"})
    instant.play("end; shells miss")
    assert (instant.now["phase"], instant.now["turn"]) == ("over", 20)
    assert (instant.zone("trench"), instant.zone("trench", "red")) == ("4C", "9D")
    with pytest.raises(IllegalMoveError, match=r"\(7\.3\)"):
        Battle("4C@1,2", turn=21, phase="withdraw").play("end")


def test_ruling_21_the_hit_can_be_rescued_on_the_way_home() -> None:
    options = {"withdrawal_hit": "rescuable"}
    battle = Battle("4C@1,3 9S@1,2 9D@1,4", turn=21, phase="withdraw", starter="black", options=options)
    battle.play("go 4C 1,2; go 9S 1,1; end; go 9D home; end; shells 1,2")
    assert battle.piles == {"1,2": "4C"}
    lost = battle.play("go 9S home; end; end")
    assert (lost.now["phase"], lost.now["dead"], lost.piles) == ("over", ["4C"], {})
    saved = Battle("AS@1,1", {"1,1": "4C"}, turn=21, phase="withdraw", options=options).play("go AS home take")
    assert saved.zone("trench") == "4C AS"


@pytest.mark.parametrize(("value", "score"), [("total", 3), ("home", 2), ("rescued", 1)])
def test_ruling_22_what_counts(value: str, score: int) -> None:
    battle = Battle("9C@1,1", {"1,1": "2D"}, deck=both("3C"), options={"score": value}).play("go 9C home take; end")
    assert quest(battle, "TR-A1").done(battle.table) == score
    assert battle.now["carried_home"]["black"] == (value == "rescued")


def test_ruling_23_a_player_without_soldiers_draws() -> None:
    options = {"reinforcement": "draw_when_empty"}
    battle = Battle(trench=both("4C"), deck=both(red="3D 4D"), options=options).play("end")
    assert battle.zone("trench", "red") == "", "the draw belongs to the next half-turn"
    assert battle.odds == {"3D": Fraction(1, 2), "4D": Fraction(1, 2)}
    battle.play("deck 3D")
    assert "enter 3D x1" in battle.moves
    assert "TR-Q23" in battle.rules


def test_ruling_24_out_again_during_the_withdrawal() -> None:
    battle = Battle("4C@1,1", turn=21, phase="withdraw", trench=both("9S"), options={"withdrawal_trench": True})
    assert "enter 9S x1" in battle.moves
    with pytest.raises(IllegalMoveError, match=r"\(TR-Q24\)"):
        Battle("4C@1,1", turn=21, phase="withdraw", trench=both("9S")).play("enter 9S x1")


def test_ruling_25_nations_are_names() -> None:
    named = Battle("4C@1,1", options={"nation_of_black": "united_kingdom"})
    assert named.moves == Battle("4C@1,1").moves


def test_ruling_26_only_the_movers_soldiers_count() -> None:
    options = {"barrage_timing": "after_each", "shell_count_of": "own"}
    battle = Battle("4C@1,1 5D@4,4", known=ALL_OPEN, options=options)
    assert battle.play("end").now["counters"]["shells"] == 0
    with pytest.raises(ContentError, match="`shell_count_of = own` without `barrage_timing = after_each`"):
        Battle(options={"shell_count_of": "own"})


def test_ruling_of_11_decks_as_queues() -> None:
    battle = Battle(trench=both("3C 4C"), deck=both("QS AS 2S"), options={"deck_mode": "queue"})
    battle.play("cycle 3C")
    assert (battle.zone("trench"), battle.zone("deck")) == ("4C QS", "AS 2S 3C")
    rescue = Battle("4C@1,1", {"1,1": "9S"}, deck=both("QS 2S"), options={"deck_mode": "queue"})
    assert rescue.play("go 4C home take").zone("deck") == "QS 2S 9S"
    with pytest.raises(ContentError, match="an open `deck` with hidden `cards`"):
        new_position("trench_rescue/2012", 2, 1, ("deck",))
