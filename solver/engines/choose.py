"""The two ways to ask: ``solve_question`` for the best line or policy, ``best_move`` for every open move.

- Everything is open: exact search over the encoding, or over the plain rules (``open_search.py``).
- Chance is hidden: expectimax (``hidden_question.py``), then playouts (``hidden.py``).
- Several players, who of them wins: alpha-beta, then playouts (``contest.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from solver.engines.open_question import best_moves, is_cheap, searchable, solve, with_deviations
from solver.lines import explain_line
from solver.question import Answer, Question, chance_is_next, is_uncertain, refuse_unknown

if TYPE_CHECKING:
    from solver.engines.playouts import OnGoal
    from solver.question import OnProgress
    from solver.store import Store


@dataclass(frozen=True, slots=True)
class Observer:
    """Who hears how far an engine has come; none where nobody does."""

    on_progress: OnProgress | None = None
    on_goal: OnGoal | None = None


NOBODY = Observer()


def solve_question(question: Question, observer: Observer = NOBODY, *, store: Store | None = None) -> Answer[Any]:
    """Return the best line with its proof, or the value of the best policy.

    Raises:
        BestlineError: the question is of a kind that no engine answers.
    """
    if question.goal is None:
        return best_move(question, observer)
    refuse_unknown(question.position, question.seat)
    if is_uncertain(question.position):
        from solver.engines.hidden import solve_hidden
        from solver.engines.next_turn import with_next_turn

        answer = solve_hidden(question.position, question.own_goal, question.limit)
        return with_next_turn(question, answer)
    position, goal = question.position, question.own_goal
    found = solve(position, goal, question.limit, observer.on_progress, store)
    turns = explain_line(searchable(position), position.start()[1], found.line, goal.seat)
    if is_cheap(found):
        turns = with_deviations(position, goal, turns, found)
    return replace(found, turns=turns)


def best_move(question: Question, observer: Observer = NOBODY, *, store: Store | None = None) -> Answer[Any]:
    """Return every open move with its value, the best first.

    Raises:
        BestlineError: nobody has to decide anything, or no engine answers the question.
    """
    refuse_unknown(question.position, question.seat)
    if question.goal is None:
        from solver.engines.contest import against_others

        return against_others(question, on_goal=observer.on_goal)
    position, goal = question.position, question.own_goal
    alone = position.players == 1
    if alone and not is_uncertain(position):
        known = None if store is None else store.recalled(position, goal)
        found = best_moves(
            *(question, observer.on_progress),
            samples=True,
            on_goal=observer.on_goal,
            waits=True,
            answer=known,
        )
        turns = explain_line(searchable(position), position.start()[1], found.line, goal.seat)
        return replace(found, turns=turns)
    if alone and question.versus is None and chance_is_next(position):
        return solve_question(question, observer)
    from solver.engines.hidden import best_hidden
    from solver.engines.next_turn import with_next_turn

    return with_next_turn(question, best_hidden(question, on_goal=observer.on_goal))
