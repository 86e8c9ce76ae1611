"""Questions about other games than a single race, each answered by the product and by play that leaves nothing out.

Duels of all games against a search without bounds, challenges of Trench Rescue and Abyss against complete play.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from benchmarks.complete_play import CompletePlay, TooLong
from benchmarks.soak_compared import Compared, patient, refused
from benchmarks.soak_tables import random_position
from puzzles.puzzle import Objective, question_of
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position, new_position
from rules.core.scripts import CHANCE, OVER
from solver.engines.answers import searchable, solve
from solver.engines.contest import ContestQuestion
from solver.question import Question, Status
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectiminimax import Model, Modelled, PlainTree
from tests.rules.games import play
from tests.rules.trench_rescue.duels import OPTIONS, RANKS, small
from tests.rules.trench_rescue.tasks import puzzle

CHALLENGES: Final = {
    "trench_rescue": ("TR-S1", "TR-S2", "TR-S5"),
    "abyss": ("AB-S1", "AB-S2", "AB-S3"),
}
"""What is asked of a player alone, by game."""
LONGEST: Final = 14
"""Turns that complete play follows at most."""


def duel(seed: int) -> Position:
    """Return a table of two: a small field in the last turns, two sleds, or crews some stages after their beginning."""
    dice = random.Random(f"duel {seed}")
    if seed % 4 < 2:
        return small(seed, dice.choice((2, 2, 4)), dice.choice((1, 2, 2)), dice.choice(OPTIONS)).position
    if seed % 4 == 2:
        return random_position(seed, is_open=dice.random() < 0.8, tame_part=0.8, players=2)
    return _underway(new_position("abyss/2021", 2, seed, None), dice, (1, 2, 3, 4, 6, 8, 12))


def _underway(position: Position, dice: random.Random, steps: Sequence[int]) -> Position:
    """Return the last table between turns of one of so many random steps."""
    game, state = position.start()
    table = state.table
    for _, _, transition in play(game, state, dice.randrange(1 << 30), dice.choice(steps)):
        if not transition.state.pending and game.to_act(transition.state) != OVER:
            table = transition.state.table
    return position.with_table(table)


def duels(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare what a duel and every move of it is worth with what search without bounds says.

    Small fields are asked to the end of the game, other tables to the end of the round under way.
    """
    game, start = position.start()
    seat = game.to_act(start)
    if seat in (CHANCE, OVER) or not game.is_common(start.table):
        return
    rounds = None if position.ruleset.game == "trench_rescue" else 1
    last = None if rounds is None else game.rounds(start.table) + rounds
    opponents = dice.choice((Model.BEST, Model.BEST, Model.BEST, Model.RANDOM, Model.GREEDY, Model.NEVER))
    models = {} if opponents is Model.BEST else {1 - seat: opponents}
    control = Modelled(PlainTree(game), models, Budget())
    control.look(rounds=last)
    control.most = most
    said = f"who wins, against {opponents}"
    try:
        value = control.values(start)[seat]
        report = ContestQuestion(Question(position, limit=patient(), opponents=opponents, rounds=rounds)).answer()
        worths = {move: control.values(game.apply(start, move).state)[seat] for move in game.legal_moves(start)}
    except BudgetExceeded:
        raise TooLong from None
    except UnsupportedRuleset:  # both decide in secret, which the control does not carry
        return
    if report.status is not Status.OPTIMAL:
        yield Compared(said, value, is_exact=False, low=report.facts.low, high=report.bound)
        return
    yield Compared(said, value, report.value)
    for choice in report.moves:
        name = f"{said}: {choice.move.text}"
        if choice.loss is not None:
            yield Compared(name, value - worths[choice.move], choice.loss)
        elif choice.at_least is not None:
            yield Compared(name, value - worths[choice.move], is_exact=False, low=choice.at_least)
        else:
            yield refused(name)


def alone(seed: int) -> Position:
    """Return a table of one player, all known: a small rescue, or a game of Abyss some turns after its beginning."""
    dice = random.Random(f"alone {seed}")
    if seed % 2:
        cards = dice.sample([rank + suit for rank in RANKS for suit in "CSDH"], 5)
        cells = dice.sample(["1,1", "1,2", "2,1", "2,2"], dice.choice((1, 2, 2, 3)))
        home = dice.choice(("AC", "KC", "AC KC", "AS 2S"))
        return puzzle(
            2, {cell: card for cell, card in zip(cells, cards, strict=False) if card not in home}, home
        ).position
    return _underway(new_position("abyss/2021", 1, seed, None), dice, (0, 2, 6, 12))


def challenges(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare the fewest turns, or rounds, of a challenge with complete play turn by turn."""
    objective = dice.choice(CHALLENGES[position.ruleset.id.partition("/")[0]])
    try:
        position, goal = question_of({"objective": objective}, position)
    except BestlineError:
        yield refused(objective)
        return
    assert goal.objective is Objective.MIN_TURNS, objective
    game: Any = searchable(position)
    state = position.start()[1]
    try:
        report = solve(position, goal, patient())
    except BestlineError:
        yield refused(objective)
        return
    known, turns = report.value, 0
    value: Fraction | None = None
    complete = CompletePlay(game, goal, most)
    with suppress(TooLong):
        while turns < LONGEST and value is None:
            value, turns = complete.value(state, turns), turns + 1
    followed = turns - 1
    if report.status is Status.OPTIMAL and value is not None:
        assert known is not None
        yield Compared(objective, Fraction(goal.counted(int(value))), Fraction(goal.counted(known)))
    elif value is not None:
        low = None if report.bound is None else Fraction(report.bound)
        yield Compared(objective, value, is_exact=False, low=low, high=None if known is None else Fraction(known))
        if report.status is Status.INFEASIBLE:
            yield Compared(f"{objective}, impossible", value, None)
    elif known is not None and report.status is Status.OPTIMAL:
        yield Compared(objective, Fraction(known), is_exact=False, low=Fraction(min(goal.least(known), followed)))
    else:
        yield refused(objective)
