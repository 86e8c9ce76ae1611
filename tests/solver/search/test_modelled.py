"""Declared ways to play against the plainest recursion there is, on small tables of two and three seats."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import CHANCE, OVER
from rules.core.turns import State
from solver.engines.contest import ContestQuestion
from solver.question import Question, Status
from solver.search.budget import Budget
from solver.search.expectiminimax import Model
from tests.rules.abyss.boards import board, seat

CARDS = ("accept_bribes", "assassination", "bribe", "flashlight", "give_a_speech", "theft", "transaction", "treatment")
EVENTS = ("be_theft", "earthquake", "riot", "safe", "short_of_resource")
CREW = ("homeless:2", "homeless:1", "ordinary_citizen:3")
Payoffs = tuple[Fraction, ...]


class Plain:
    """What every seat gets until the round is over, the first of equals taken by who plays best (max^n)."""

    def __init__(self, game: Race[Any], me: int, others: Model, last: int) -> None:
        self.game, self.me, self.others, self.last = game, me, others, last

    def payoffs(self, state: State[Any]) -> Payoffs:
        """Return what every seat gets."""
        game, actor = self.game, self.game.to_act(state)
        if actor == OVER or (not state.pending and game.rounds(state.table) >= self.last):
            outcome = game.outcome(state.table)
            winners = (outcome.winners if outcome else ()) or range(game.players)
            return tuple(Fraction(int(place in winners), len(winners)) for place in range(game.players))
        if actor == CHANCE:
            parts = [(self.after(state, each), each.probability) for each in game.chance_outcomes(state)]
            return self._mean(parts)
        moves = sorted(game.legal_moves(state), key=lambda move: move.text)
        if actor == self.me or self.others is Model.BEST:
            return max((self.after(state, move) for move in moves), key=lambda found: found[actor])
        if self.others is Model.RANDOM:
            return self._mean([(self.after(state, move), Fraction(1, len(moves))) for move in moves])
        turns = game.pace(state.table)
        liked = max(moves, key=lambda move: self.hope(game.apply(state, move).state, actor, turns))
        return self.after(state, liked)

    def after(self, state: State[Any], step: Any) -> Payoffs:
        """Return what every seat gets after a step."""
        return self.payoffs(self.game.apply(state, step).state)

    def hope(self, state: State[Any], seat: int, turns: int) -> Fraction:
        """Return how good a seat's own table looks when the turn is over, others doing anything meanwhile."""
        game, actor = self.game, self.game.to_act(state)
        if actor == OVER or game.pace(state.table) > turns:
            return Fraction(game.promise(state.table, seat))
        if actor == CHANCE:
            outcomes = game.chance_outcomes(state)
            hopes = [self.hope(game.apply(state, each).state, seat, turns) * each.probability for each in outcomes]
            return sum(hopes, Fraction(0))
        found = [self.hope(game.apply(state, move).state, seat, turns) for move in game.legal_moves(state)]
        return max(found) if actor == seat else sum(found, Fraction(0)) / len(found)

    def _mean(self, parts: list[tuple[Payoffs, Fraction]]) -> Payoffs:
        return tuple(
            sum((each[place] * part for each, part in parts), Fraction(0)) for place in range(len(parts[0][0]))
        )


def made(number: int) -> Position:
    """Return a table near the end of a round: cards are about to be used, or hands to be filled."""
    dice = random.Random(number)
    phase = dice.choice(("act", "act", "refill"))
    seats = []
    for _ in range(dice.choice((2, 2, 3))):
        fields: dict[str, Any] = {
            "identity": dice.choice(("adventurer", "employer", "leader")),
            "ap": dice.choice((0, 1, 36, 38)),
            "rp": dice.randint(14, 19),
            "hand": sorted(dice.choice(CARDS) for _ in range(dice.randint(0, 2))),
            "partners": sorted(
                dice.sample(CREW, dice.randint(0, 2)), key=lambda text: (text[0] != "h", -int(text[-1]))
            ),
        }
        if phase == "act":
            fields["plan"] = {"card": dice.choice(CARDS), "location": "city", "temp": None}
            fields["event"] = dice.choice(EVENTS[:4])
        seats.append(seat(**fields))
    known = ("actions", "events", "picks") if dice.random() < 0.5 else ("actions", "events")
    chooser = dice.choice(("attacker", "victim"))
    return board(
        *seats,
        phase=phase,
        round=2,
        actions=dice.sample(CARDS, 3),
        events=list(EVENTS[:3]),
        known=known,
        options={"assassination_chooser": chooser, "round_limit": 3},
    )


@pytest.mark.parametrize("model", [Model.BEST, Model.RANDOM, Model.GREEDY])
@pytest.mark.parametrize("number", range(16))
def test_every_move_is_worth_what_plain_play_says(number: int, model: Model) -> None:
    position = made(number)
    game, start = position.start()
    me = game.to_act(start)
    plain = Plain(game, me, model, game.rounds(start.table) + 1)
    worth = {move.text: plain.after(start, move)[me] for move in game.legal_moves(start)}
    report = ContestQuestion(Question(position, limit=Budget(time_s=300), opponents=model, rounds=1)).answer()
    assert report.status is Status.OPTIMAL
    assert report.value == max(worth.values())
    told = {each.move.text: each.value for each in report.moves if each.value is not None}
    assert told == {text: worth[text] for text in told}
    assert {each.move.text for each in report.moves if each.loss == 0} == {
        text for text, value in worth.items() if value == report.value
    }
