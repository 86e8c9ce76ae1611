"""A player alone from whom something lies face down: exact values are those of complete play over all orders."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, question_of
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from solver.engines.hidden import HiddenQuestion, best_hidden, solve_hidden
from solver.question import Question, Status
from solver.search.budget import Budget
from tests.solver.search.orders_of_play import CompletePlay, hidden, worlds

ACTIONS = (
    *("accept_bribes", "bribe", "digging", "digging", "digging", "explore_in_depth", "flashlight"),
    *("give_a_speech", "theft", "treatment", "unreasonable_clause"),
)
EVENTS = (
    *("abandoned_camp", "be_theft", "be_theft", "earthquake", "excavation", "flooding", "forgotten_treasure"),
    *("riot", "safe", "short_of_resource", "traffic_jam"),
)
CREW = ("homeless:1", "homeless:2", "ordinary_citizen:2", "ordinary_citizen:3", "trained_person:3", "guardian:8")
RULINGS = {
    "be_theft_pick": "owner",
    "treasure_cash": "optional",
    "treatment_scope": "chosen",
    "modifier_timing": "from_draw_on",
    "give_up_draw": "same_number",
    "jam_card": "returned",
    "refill": "forced",
    "hire_when": "end_of_round",
    "treasure_needs": "own_carrier",
    "explore_expires": "next_gain",
    "win_check": "end_of_round",
    "dismiss": True,
}


def made(number: int) -> tuple[dict[str, Any], Goal]:
    """Return a small table, perhaps in the middle of a round, and a question about it."""
    dice = random.Random(number)
    phase = dice.choice(("prepare", "prepare", "choose", "choose", "deal", "act", "event", "refill"))
    options = {name: RULINGS[name] for name in dice.sample(sorted(RULINGS), dice.choice((0, 0, 1, 2, 3)))}
    crew = [text.split(":") for text in sorted(dice.choice(CREW) for _ in range(dice.randint(0, 3)))]
    order = ["homeless", "ordinary_citizen", "trained_person", "guardian"]
    crew.sort(key=lambda each: (order.index(each[0]), -int(each[1])))
    seat: dict[str, Any] = {
        "identity": dice.choice(("adventurer", "employer", "leader")),
        "ap": dice.choice((0, 1, 2, 3)) if dice.random() < 0.6 else dice.randint(28, 38),
        "rp": dice.randint(12, 19),
        "hand": sorted(dice.choice(ACTIONS) for _ in range(dice.randint(0, 3))),
        "partners": [{"type": kind, "hp": int(hp)} for kind, hp in crew],
        "explore_pending": dice.random() < 0.2,
        "flashlight": dice.random() < 0.2,
    }
    if seat["ap"] > 3 and phase == "prepare":
        options["partner_cap"] = len(crew)
    if phase in ("deal", "act", "event"):
        seat["explore_pending"] = False
        away = bool(crew) and dice.random() < 0.7
        card = dice.choice(("digging", "treatment", "give_a_speech", "bribe", "theft", None))
        if card == "digging" and not away:
            card = None
        if card in ("treatment", "give_a_speech", None):
            away = False
        used = card is None or phase == "event"
        seat["plan"] = {"card": None if used else card, "location": "abyss" if away else "city", "temp": None}
        seat["treasure"] = dice.randint(0, 3) if phase == "event" and away else 0
    events = [dice.choice(EVENTS) for _ in range(dice.randint(1, 3))]
    if phase in ("act", "event"):
        seat["event"] = next((card for card in events if card not in ("short_of_resource", "traffic_jam")), "safe")
        if seat["event"] in events:
            events.remove(seat["event"])
    state = {
        "phase": phase,
        "seats": [seat],
        "action_pile": {"front": sorted(dice.choice(ACTIONS) for _ in range(dice.randint(0, 2)))},
        "event_pile": {"front": sorted(events)},
    }
    data = {"game": "abyss", "ruleset": "2021", "players": 1, "options": options, "state": state}
    ahead = {"prepare": 6, "choose": 5, "deal": 4, "act": 3, "event": 2, "refill": 1}[phase]
    turns = dice.randint(1, ahead + (4 if phase in ("act", "event", "refill") else 0))
    objective = dice.choice((Objective.REACH, Objective.REACH, Objective.MAX_DISTANCE, Objective.MIN_TURNS))
    return data, Goal(objective, dice.choice((40, 40, 38, 36)), turns)


def agree(number: int) -> bool:
    """See to it that both find the same; return whether the value says anything."""
    data, goal = made(number)
    position = hidden(data)
    game, start = position.start()
    assert isinstance(game, Race)
    open_now = len(game.legal_moves(start)) > 1
    report = HiddenQuestion(game, start, goal, Budget(), 10**7).answer()
    goal = report.answered
    turns = data["state"]["action_pile"], data["state"]["event_pile"]
    shuffled = len(turns[1]["front"]) < 2 or len(turns[0]["front"]) < 2
    sets = list(worlds(data, shuffled=shuffled))
    if open_now and data["state"]["phase"] == "event":
        return False  # what has been turned up is seen already: see the test of its own
    play = CompletePlay(goal)
    value, moves = play.begin(sets)
    found = report.value if report.status is not Status.INFEASIBLE or goal.objective is not Objective.REACH else 0
    assert found == value, (number, found, value)
    told = {option.move.text: option.value for option in report.moves if option.is_settled}
    assert not open_now or all(moves[text] == worth for text, worth in told.items()), number
    return bool(value) and value != 1


DEALT = (
    *(1, 4, 6, 8, 12, 14, 15, 20, 28, 32, 33, 42, 45, 46, 49, 51, 52, 55, 60, 62, 63, 72, 77, 80, 82, 84, 87),
    *(100, 101, 104, 108, 112, 116, 120, 122, 124, 125, 128, 133),
)
"""Tables that are soon done, of every step of a round, on which nobody chooses while an Event lies face down."""


@pytest.mark.slow
@pytest.mark.parametrize("number", DEALT)
def test_values_are_those_of_complete_play(number: int) -> None:
    agree(number)


def patient(event: str) -> Position:
    """Return a table on which one who is hurt may be treated for 1 AP, and dies of a Riot, for 2 AP, if not."""
    plan = {"card": "treatment", "location": "city", "temp": None}
    crew = [{"type": "ordinary_citizen", "hp": 1}]
    seat = {"identity": "employer", "ap": 30, "rp": 0, "hand": [], "partners": crew, "plan": plan, "event": event}
    state = {
        "phase": "act",
        "seats": [seat],
        "action_pile": {"front": []},
        "event_pile": {"front": ["riot" if event == "safe" else "safe"]},
    }
    options = {"treatment_scope": "chosen", "penalty_base": "printed"}
    return hidden({"game": "abyss", "ruleset": "2021", "players": 1, "options": options, "state": state})


@pytest.mark.parametrize("event", ["riot", "safe"])
def test_nobody_chooses_by_an_event_that_lies_face_down(event: str) -> None:
    goal = Goal(Objective.MAX_DISTANCE, 40, 2)
    report = best_hidden(Question(patient(event), goal, Budget(), playouts=200))
    assert (report.status, report.method) == (Status.FEASIBLE, "sampled")
    with pytest.raises(UnsupportedRuleset, match="while a card lies face down"):
        solve_hidden(patient(event), goal)


def test_a_turn_within_a_round_stands_for_the_round() -> None:
    position = hidden(
        {
            "game": "abyss",
            "ruleset": "2021",
            "players": 1,
            "options": {},
            "state": {
                "seats": [{"identity": "adventurer", "hand": ["digging"]}],
                "action_pile": {"front": ["bribe"]},
                "event_pile": {"front": ["forgotten_treasure", "safe", "riot"]},
            },
        }
    )
    asked, goal = question_of({"objective": "AB-S1", "within_turns": 1}, position)
    assert goal.within_turns == 6
    assert solve_hidden(asked, goal).value == Fraction(1, 3)
