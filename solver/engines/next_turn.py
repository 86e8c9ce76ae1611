"""What to do on the next turn, by what chance brings on this one: a plan that branches on what was drawn.

Every table that a move can lead to is asked for its best move, by the search of the answer or its own.
Where all of them are answered, their mean must be the value that the move was given, or the two searches disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from operator import attrgetter
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.race import Race, Unsupported, hides
from rules.core.scripts import ChanceOutcome, Forced, Step
from rules.core.turns import State, TurnEnd
from solver.lines import spends, uses
from solver.question import Answer, Continuation, MoveValue, NextMove, Question, is_optional
from solver.search.budget import BudgetExceeded
from solver.search.expectimax import Branch, FirstTurn, chance_of

TABLES: Final = 3_000
"""Tables asked about at most."""
ENDS: Final = 6_000
"""Ways through this turn looked at."""
LINES: Final = 12
"""Lines of a plan,"""
LINES_WITH_PAYMENTS: Final = 6
"""and up to how many it tells how to pay for each move as well."""
TOGETHER: Final = 3
"""Results of chance that a line of a plan may ask for together,"""
EITHER: Final = 6
"""and how many such sets it names, of which one is enough."""


class _Draw(NamedTuple):
    """One way to come to a table, and the best move there."""

    seen: tuple[str, ...]
    """What came up, in order of names."""
    probability: Fraction
    move: str
    """Empty where nothing more is to be done, or nothing leads to the goal."""
    card: str
    """The move without the cards that pay for it."""
    value: Fraction | None
    lost: bool
    """The goal is out of reach."""


Advice = tuple[str, bool]
"""A move and whether all is lost: what lines of a plan tell apart."""
MOVE: Final[Callable[[_Draw], Advice]] = attrgetter("move", "lost")
CARD: Final[Callable[[_Draw], Advice]] = attrgetter("card", "lost")
Tables = dict[Any, dict[tuple[str, ...], Fraction]]
"""Tables after a move, each with all that may come up on the way there, in order of names, and the chance of it."""


def with_next_turn(question: Question, answer: Answer[Fraction]) -> Answer[Fraction]:
    """Return an answer with what to do on the next turn, after the best move and after the one that is named."""
    if not answer.moves or question.position.players > 1 or answer.interrupted:
        return answer
    best, later = answer.moves[0], answer.continuation
    if later is not None and question.limit.time_s is not None:
        later.budget.time_s = question.limit.time_s
    following = next_moves(question.position, answer, best, answer.plan)
    named, instead = answer.of_move(question.versus), tuple[NextMove, ...]()
    if named is not None and named != best and named.is_settled:
        instead = next_moves(question.position, answer, named, answer.instead)
    return replace(answer, next_turn=following, next_instead=instead)


def next_moves(
    position: Position, answer: Answer[Fraction], first: MoveValue[Fraction], plan: Sequence[Branch]
) -> tuple[NextMove, ...]:
    """Return what to do on the next turn, line by line; nothing where that is not known exactly.

    ``plan`` is what follows the ``first`` move on this turn. Where too many lines would be needed the likeliest are
    told, and the chances do not add to 1. Ctrl-C ends it.

    Raises:
        DisagreementError: the values found do not add to the value of the move; always a bug.
    """
    game, start = position.start()
    goal, later, move, value = answer.goal, answer.continuation, first.move, first.value
    if goal is None or later is None or value is None or goal.within_turns == 1:
        return ()
    counts_turns = goal.objective is Objective.MIN_TURNS
    try:
        ends = list(_ends(game, start, move, plan))
        if chance_of(end for end, _, _ in ends) != 1:  # more is decided this turn than the plan says
            return ()
        may_arrive = value == 1 and goal.objective is not Objective.MAX_DISTANCE
        if may_arrive and all(game.progress(end.table, goal.seat) >= goal.target for end, _, _ in ends):
            return (NextMove("", (), Fraction(1), value - counts_turns),)
        tables: Tables = {}
        for end, first_seen, came in ends:
            results = (
                *(f"{each} first" for each in first_seen),
                *sorted((Counter(came) - Counter(first_seen)).elements()),
            )
            chances = tables.setdefault(end.table, {})
            chances[results] = chances.get(results, Fraction(0)) + end.probability
        # Where something is hidden, what is best there hangs on it.
        if len(tables) > TABLES or any(hides(game, table) for table in tables):
            return ()
        draws = _draws(game, goal, later, later.of_moves.get(move, later.ahead) - 1, tables)
    except (BudgetExceeded, Unsupported, KeyboardInterrupt):
        return ()
    mean = _mean(draws)
    if mean is not None and mean + counts_turns != value:
        raise DisagreementError(f"a move is worth {value}, the tables after it {mean + counts_turns} on average")
    return tuple(_lines(draws))


End = tuple[TurnEnd[Any], tuple[str, ...], list[str]]
"""One way through the rest of a turn, with what is decided on in it, and all that comes up."""


def _ends(game: Race[Any], start: State[Any], move: Step, plan: Sequence[Branch]) -> Iterator[End]:
    """Yield ways through the rest of this turn; not too many of them.

    Ways to decide that the plan does not know are left out, so that chances may not add to 1.
    """
    begun = game.begun(start, move)
    is_decided = len({branch.then for branch in plan}) > 1
    for end in islice(game.turn_ends(start.table, begun), ENDS):
        rest = end.steps[len(begun) :]
        chosen = (move.text, *(step.text for step in rest if not isinstance(step, ChanceOutcome | Forced)))
        shown = tuple(step.result for step in rest if isinstance(step, ChanceOutcome))
        answered = [each.seen for each in plan if each.then == chosen and each.seen == shown[: len(each.seen)]]
        if len(chosen) > 1 and not answered:
            continue
        first = max(map(len, answered), default=0) if is_decided else 0
        taken = [step.step if isinstance(step, Forced) else step for step in rest]
        yield end, shown[:first], [step.result for step in taken if isinstance(step, ChanceOutcome)]


def _draws(game: Race[Any], goal: Goal, later: Continuation, turns: int, tables: Tables) -> list[_Draw]:
    """Return all draws with a best move; of equal ones those that were often taken, so that plans are short."""
    found: list[_Draw] = []
    often: dict[Step, Fraction] = {}
    for table, draws in tables.items():
        later.budget.check()
        first = later.first.later(State(table))
        best = first.best(turns, sorted(often, key=lambda each: (-often[each], each.text)))
        best, value = _needed(game, table, best, first, turns), first.value(turns)
        if best is not None:
            often[best] = often.get(best, Fraction(0)) + sum(draws.values())
        if goal.objective is Objective.REACH:
            value = value or Fraction(0)
        lost = value is None or (goal.objective is Objective.REACH and not value)
        move = card = "" if lost or best is None else best.text
        if move and best is not None and uses(best) and spends(best):
            card = f"{move.partition(' ')[0]} {uses(best)[0]}"
        found += (_Draw(seen, chance, move, card, value, lost) for seen, chance in draws.items())
    return found


def _needed(game: Race[Any], table: Any, best: Step | None, first: FirstTurn, turns: int) -> Step | None:
    """Return a best move of a table that the turn needs, if the one that was found is none."""
    state = State(table)
    if best is None or not is_optional(game, state, best):
        return best
    worths = dict(first.moves(turns))
    alike = [move for move, worth in worths.items() if worth == worths.get(best)]
    return min((move for move in alike if not is_optional(game, state, move)), key=lambda each: each.text, default=best)


def _mean(draws: Sequence[_Draw]) -> Fraction | None:
    """Return what draws are worth, each as often as it comes; none where one of them has no value."""
    worths = [each.probability * each.value for each in draws if each.value is not None]
    return sum(worths, Fraction(0)) if len(worths) == len(draws) else None


def _lines(draws: Sequence[_Draw]) -> list[NextMove]:
    """Return the plan: short, if need be without payments, or where it cannot be told in whole the likeliest of it."""
    for answer, most in ((MOVE, LINES_WITH_PAYMENTS), (CARD, LINES)):
        chances: dict[Advice, Fraction] = {}
        for each in draws:
            chances[answer(each)] = chances.get(answer(each), Fraction(0)) + each.probability
        whole = _plan_lines(draws, answer, max(chances, key=lambda each: (chances[each], each)))
        if whole and len(whole) <= most and not whole[-1].when:
            return whole
    return _plan_lines(draws, CARD, None)[:LINES]


def _rules(
    draws: Sequence[_Draw], answer: Callable[[_Draw], Advice], last: Advice | None
) -> Iterator[tuple[tuple[str, ...], list[_Draw]]]:
    """Yield results of chance that tell what to do, one after the other, with the draws that have them.

    What is best ``last`` is best otherwise. It ends before all is told where no few results tell more.
    """
    left = list(draws)
    while left:
        if len(set(map(answer, left))) == 1:
            yield (), left
            return
        groups: dict[tuple[str, ...], list[_Draw]] = {}
        for each in left:
            for when in {when for size in range(TOGETHER) for when in combinations(each.seen, size + 1)}:
                groups.setdefault(when, []).append(each)
        sure = [(when, group) for when, group in groups.items() if len(set(map(answer, group))) == 1]
        if not sure:
            return
        when, group = min(
            sure,
            key=lambda each: (
                len(each[0]) == TOGETHER,  # hard to read, so that even what is best otherwise comes before
                answer(each[1][0]) == last,
                len(each[0]),
                -sum(draw.probability for draw in each[1]),
                each[0],
            ),
        )
        yield when, group
        told = set(group)
        left = [each for each in left if each not in told]


def _plan_lines(draws: Sequence[_Draw], answer: Callable[[_Draw], Advice], last: Advice | None) -> list[NextMove]:
    """Return a plan in lines; what stands together and has the same answer is one."""
    lines: list[tuple[list[tuple[str, ...]], list[_Draw]]] = []
    for when, group in _rules(draws, answer, last):
        if lines and answer(lines[-1][1][0]) == answer(group[0]) and (not when or len(lines[-1][0]) < EITHER):
            before, others = lines.pop()
            lines.append(([*before, when] if when else [], [*others, *group]))
        else:
            lines.append(([when] if when else [], list(group)))
        if len(lines) > LINES:
            break
    return [_line(tuple(when), group) for when, group in lines]


def _line(when: tuple[tuple[str, ...], ...], draws: Sequence[_Draw]) -> NextMove:
    probability, mean = chance_of(draws), _mean(draws)
    is_open = len({each.move for each in draws}) > 1
    move = draws[0].card if is_open else draws[0].move
    return NextMove(move, when, probability, None if mean is None else mean / probability, is_open)
