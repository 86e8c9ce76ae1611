"""The two ways to ask, ``solve_question`` for the best line or policy and ``best_move`` for every open move.

- Everything is open: exact search over the encoding, or over the plain rules. It is asked here: for the best line with
  its proof, then for every other move. Rounds come first where a game counts them, then turns.
- Chance is hidden: expectimax, then playouts (``hidden.py``).
- Several players, who of them wins: alpha-beta, then playouts (``contest.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.challenge import ChanceMode, Quest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import Step
from rules.core.turns import State
from solver.encodings import round_search
from solver.engines.open_search import SEARCHED_PART, OpenSearch, is_unbeaten, search_problem
from solver.lines import by_turns, explain_line, replayed_value
from solver.question import (
    BY_ROUNDS,
    Answer,
    MoveValue,
    Note,
    OnProgress,
    PlayedTurn,
    Proof,
    Question,
    Statistics,
    Status,
    chance_is_next,
    fate_of,
    is_uncertain,
    nothing_to_choose,
    open_moves,
    refuse_unknown,
)
from solver.search.budget import ANSWER_S, COMPARISON_S, GRACE_S, Budget, BudgetExceeded

if TYPE_CHECKING:
    from solver.store import Store

FURTHER: Final = 3
"""Turns above the best value up to which a losing move's value is looked for."""
FURTHER_ROUNDS: Final = 1
"""Likewise in rounds, where a question counts them: each is many turns."""
CHEAP: Final = 20_000
"""Positions that an answer over an encoding may have generated for every turn's moves to be compared as well,"""
DEVIATIONS_S: Final = 10.0
"""in so many seconds of work: some moves lead to many more positions than the line."""
SAMPLES: Final = 200
"""Playouts that compare moves where no time is given."""


def solve_question(question: Question, *, store: Store | None = None) -> Answer[Any]:
    """Return the best line with its proof, or the value of the best policy.

    Raises:
        BestlineError: the question is of a kind that no engine answers.
    """
    if question.goal is None:
        return best_move(question)
    refuse_unknown(question.position, question.seat)
    if is_uncertain(question.position):
        from solver.engines.hidden import solve_hidden
        from solver.engines.next_turn import with_next_turn

        return with_next_turn(question, solve_hidden(question.position, question.own_goal, question.limit))
    position, goal = question.position, question.own_goal
    budget = question.limit.start().counted(DEVIATIONS_S).start()
    found = _explained(question, solve(position, goal, question.limit, question.on_progress, store))
    work = found.statistics
    if found.status is not Status.OPTIMAL or work.engine != "encoded" or work.generated > CHEAP:
        return found
    return replace(found, turns=with_deviations(position, goal, found, budget))


def _explained(question: Question, answer: Answer[int]) -> Answer[int]:
    position = question.position
    return replace(answer, turns=explain_line(searchable(position), position.start()[1], answer.line, question.seat))


def best_move(question: Question, *, store: Store | None = None) -> Answer[Any]:
    """Return every open move with its value, the best first.

    Raises:
        BestlineError: nobody has to decide anything, or no engine answers the question.
    """
    refuse_unknown(question.position, question.seat)
    if question.goal is None:
        from solver.engines.contest import against_others

        return against_others(question)
    alone = question.position.players == 1
    if alone and not is_uncertain(question.position):
        return _explained(question, best_moves(question, store=store))
    if alone and question.versus is None and chance_is_next(question.position):
        return solve_question(question)
    from solver.engines.hidden import best_hidden
    from solver.engines.next_turn import with_next_turn

    return with_next_turn(question, best_hidden(question))


# Everything is open


def in_rounds(game: Race[Any], start: State[Any], goal: Goal, limit: Budget) -> tuple[Answer[int] | None, int | None]:
    """Return the answer where whole rounds settle the question, and the turns below which they exclude the goal.

    A limit of time is shared half and half with whoever goes on from here. Against an adversary the line is one of
    many: what is forced is the search's word.

    Raises:
        UnsupportedRuleset: it is asked against an adversary, and no round encoding carries it.
    """
    if not isinstance(game, Quest):
        return None, None
    is_whole = not start.pending and game.progress(start.table, goal.seat) < goal.target
    clock = goal.clock if goal.objective is Objective.MIN_TURNS and is_whole else None
    search = None if clock is None else round_search(game, start.table)
    is_known, is_cruel = (game.challenge.fate is fate for fate in (ChanceMode.KNOWN, ChanceMode.CRUEL))
    if search is None or clock is None:
        if is_cruel:
            raise UnsupportedRuleset(["an adversary's luck with these rulings, or from the middle of a round"])
        return None, None
    half = limit.time_s / 2 if limit.time_s is not None and is_known else limit.time_s
    budget = replace(limit, time_s=half).start()
    given = [each for each in (goal.within_turns, game.most_turns(start.table, goal.seat)) if each is not None]
    last = goal.counted(min(given)) if given else None
    path = search.fewest(search.horizon if last is None else min(search.horizon, last), budget)
    line = by_turns(game, start, search.moves(game, start, path, goal.forbidden) if path else [])
    value = replayed_value(game, start, line, goal) if line else None
    known, most = clock.turns_in(search.excluded) + 1, clock.turns_in(search.excluded + 1)
    if value is not None and goal.counted(value) == search.excluded + 1:
        status, value, bound = Status.OPTIMAL, value, value
    elif last is not None and last <= search.excluded:
        status, value, bound, line = Status.INFEASIBLE, None, known, ()
    elif path is not None and is_cruel:
        status, value, bound, line = Status.OPTIMAL, most, most, ()
    elif is_cruel or search.interrupted or (search.stopped and not is_known):
        status, value, bound, line = Status.UNKNOWN, None, known, ()
    else:
        return None, known
    proof = Proof(
        method=BY_ROUNDS,
        excluded_turns=known - 1,
        states=search.edges,
        projections=search.relaxations,
        checked_by=("replay",) if line else (),
    )
    statistics = Statistics(budget.elapsed_s, search.edges, search.keys, BY_ROUNDS)
    return Answer(status, value, bound, line, proof, statistics, search.interrupted), known


def solve(
    position: Position,
    goal: Goal,
    limit: Budget | None = None,
    on_progress: OnProgress | None = None,
    store: Store | None = None,
    first_line: float = 1.0,
) -> Answer[int]:
    """Return the best line of an open question with its proof, or the best found when a limit is hit.

    An answer that a ``store`` has is not searched again, and one that is proved is kept there. ``first_line`` is the
    part of the time in which a first line has to be found.

    Raises:
        UnsupportedRuleset: chance is hidden, or several players have turns.
        DisagreementError: the replay of the line gives another value; always a bug.
    """
    game, start = searchable(position), position.start()[1]
    if store is not None and (recalled := store.recalled(position, goal)) is not None:
        return recalled
    limit = limit or Budget()
    budget = limit.start()
    report, known = in_rounds(game, start, goal, limit)
    left = limit if known is None else budget.within(None, limit.states)
    report = report or OpenSearch(game, start, goal, left, on_progress, known=known, first_line=first_line).answer()
    if store is not None:
        store.keep(position, goal, report)
    return report


def searchable(position: Position) -> Race[Any]:
    """Return the game of a position that the search carries.

    Raises:
        UnsupportedRuleset: chance is hidden, or several players have turns.
    """
    game = position.game
    lacking: list[str] = []
    if position.information != "open" and fate_of(game) is ChanceMode.KNOWN:
        lacking.append("solving with hidden chance (name the sources under chance.open to take them as known)")
    if position.players > 1:
        lacking.append(f"solving for {position.players} players ('best' compares moves among several)")
    if lacking:
        raise UnsupportedRuleset(lacking)
    return game


def best_moves(question: Question, *, thorough: bool = False, store: Store | None = None) -> Answer[int]:
    """Return every move that is open now with its exact value, as far as the limit allows.

    The loss of the move that the question names comes first, then the moves that do as well as the best. The losses of
    the others follow, turn by turn. Playouts compare the moves where no line is known; where one is known and not
    proved, the other moves have short searches. ``thorough`` asks for proved values alone: where the goal gives a
    number of turns, moves are followed for all of them.
    Where no time is given, the answer has ``ANSWER_S``, and all moves but the best have ``COMPARISON_S`` with as many
    seconds as the answer took. An answer that a ``store`` has is not searched again.

    Raises:
        UnsupportedRuleset: chance is hidden, several players have turns, or the game has no progress.
        BestlineError: nobody has to decide anything.
        DisagreementError: the replay of a line gives another value; always a bug.
    """
    position, goal, limit, asked = question.position, question.own_goal, question.limit, question.versus
    game, (_, start), moves = searchable(position), position.start(), question.moves()
    if not moves:
        raise nothing_to_choose(position)
    waits = limit.time_s is None
    limit = replace(limit, time_s=ANSWER_S) if waits else limit
    known, budget = None, limit.start()
    answer = None if store is None else store.recalled(position, goal)
    if answer is None and fate_of(game) is ChanceMode.KNOWN:
        answer, known = in_rounds(game, start, goal, limit.part(SEARCHED_PART))
    limit = limit if known is None else budget.within(None, limit.states)
    search = OpenSearch(game, start, goal, limit, question.on_progress, known=known)
    report = answer or search.answer()
    if report.status is Status.INFEASIBLE:
        return report
    budget, compared = search.budget, _Moves(start, goal, search, report, writes=question.every_line)
    if report.status is Status.FEASIBLE and not thorough:
        # Whoever has waited for a line to be written does not wait for more of them.
        least = budget.elapsed_s + (0.0 if asked is None else GRACE_S)
        budget.time_s = least if report.interrupted else max(least, limit.time_s or 0.0)
        return compared.sketched(moves, asked)
    if report.status is not Status.OPTIMAL or report.value == 0 or report.value is None:
        if report.status is Status.UNKNOWN and not thorough:
            report = replace(report, sampled=by_playouts(replace(question, limit=replace(limit, time_s=GRACE_S))))
        return report
    budget.time_s = 2 * budget.elapsed_s + COMPARISON_S if waits else limit.time_s
    if report.interrupted or compared.valued(moves, asked, thorough):
        report = replace(report, interrupted=True)
    return compared.ranked(report, report.line[0].steps[:1] if report.line else ())


class _Moves:
    """All open moves beside the answer to the question itself."""

    def __init__(self, start: State[Any], goal: Goal, search: OpenSearch, report: Answer[int], *, writes: bool) -> None:
        self._goal, self._search, self._report, self._writes = goal, search, report, writes
        self._best = report.value or 0
        self._generated = 0
        self._values: dict[Step, MoveValue[int]] = {}
        proved = report.status is Status.OPTIMAL
        if report.line and report.line[0].steps and not (proved and start.pending):
            first, loss = report.line[0].steps[0], 0 if proved else None
            self._values[first] = MoveValue(first, report.value, loss, report.status, report.bound, report.line)

    def ranked(self, report: Answer[int], first: Container[Step]) -> Answer[int]:
        """Return an answer with the moves, the best first; of equal ones the ``first`` moves of its line."""
        goal, work = self._goal, report.statistics
        order = sorted(
            self._values.values(), key=lambda each: (_rank(each, goal), each.move not in first, each.move.text)
        )
        work = work._replace(time_s=self._search.budget.elapsed_s, generated=work.generated + self._generated)
        return replace(report, statistics=work, moves=tuple(order))

    # Where the best line is proved: first whether each move does as well, then what it loses

    @property
    def settled(self) -> list[MoveValue[int]]:
        """Return the moves whose loss is known, or known to be beyond what was looked for."""
        return [each for each in self._values.values() if each.status.is_settled]

    def valued(self, moves: Sequence[Step], asked: Step | None, thorough: bool) -> bool:
        """Compare some moves, the one ``asked`` about first, until a limit is hit; return whether it was by hand."""
        goal, losses = self._goal, [0]
        if goal.objective is Objective.MIN_TURNS:
            losses = [*range((FURTHER if goal.clock is None else FURTHER_ROUNDS) + 1)]
            if thorough and goal.within_turns is not None:
                most = goal.counted(goal.within_turns) - goal.counted(self._best)
                losses += [most] if most > losses[-1] else []
        looks = product(pairwise([-1, *losses]), moves)
        for (less, late), move in sorted(looks, key=lambda look: look[1] != asked):
            known = self._values.get(move)
            if known is not None and (known.status is Status.OPTIMAL or known.bound is None):
                continue
            answer = self._answer(move, less, late)
            self._generated += answer.statistics.generated
            if answer.status.is_settled or known is None:  # what was known before stands
                self._values[move] = _candidate(move, answer, self._best, goal)
            if not answer.status.is_settled:
                return answer.interrupted
        return False

    def _answer(self, move: Step, less: int, late: int) -> Answer[int]:
        """Return whether a move loses more than so much, and ``late`` at most, with its line."""
        goal, known = self._goal, self._best
        if goal.objective is Objective.MIN_TURNS:
            known = self._most(less) + 1 if late else goal.least(self._best)
            goal = replace(goal, within_turns=self._most(late))
        return self._search.after(move, goal=goal, known=known, writes=self._writes).answer()

    def _most(self, late: int) -> int:
        """Return the most turns that count as no more than so many turns, or rounds, above the best."""
        goal, most = self._goal, self._best + late
        if goal.clock is not None:
            most = goal.clock.turns_in(goal.clock.rounds(self._best) + late)
        return most if goal.within_turns is None else min(most, goal.within_turns)

    # Where a line is known and not proved: lines that narrow beams find, and what is excluded

    def sketched(self, moves: Sequence[Step], asked: Step | None) -> Answer[int]:
        """Return all moves that there is time to look at, the one ``asked`` about first, then the most promising."""
        report, goal = self._report, self._goal
        interrupted = report.interrupted
        try:
            for move in sorted(moves, key=lambda each: (each != asked, -self._search.promise(each))):
                self._search.budget.check()
                if move not in self._values:
                    found = self._search.after(move, known=report.bound, sketches=True).answer()
                    self._generated += found.statistics.generated
                    bound = None if found.status is Status.INFEASIBLE else found.bound
                    self._values[move] = MoveValue(move, found.value, None, found.status, bound, found.line)
                    interrupted = interrupted or found.interrupted
        except BudgetExceeded:
            pass
        except KeyboardInterrupt:
            interrupted = True
        sign = -1 if goal.objective is Objective.MAX_DISTANCE else 1
        known = [each for each in self._values.values() if each.value is not None]
        first = min(known, key=lambda each: sign * (each.value or 0), default=None)
        if first is not None and first.value != report.value:  # a better line than that of the question itself
            report = replace(report, value=first.value, line=first.line)
            if is_unbeaten(goal, report.value, report.bound):
                return self._settled(report, first)
        report = replace(report, interrupted=interrupted)
        return self.ranked(report, () if first is None else (first.move,))

    def _settled(self, report: Answer[int], first: MoveValue[int]) -> Answer[int]:
        """Return the answer whose line nothing can beat, with the moves that are proved to do as well, or to lose."""
        goal, counters = self._goal, self._search.search.counters
        proof = report.proof._replace(
            method="layers",
            excluded_turns=goal.least(first.value or 0) - 1 if goal.objective is Objective.MIN_TURNS else None,
            states=counters.states,
            pruned=counters.pruned,
            checked_by=("replay",),
        )
        report = replace(report, status=Status.OPTIMAL, bound=report.value, proof=proof)
        best = {
            move: each._replace(loss=0, status=Status.OPTIMAL, bound=each.value)
            for move, each in self._values.items()
            if each.value is not None and goal.in_rounds(each.value) == goal.in_rounds(first.value)
        }
        self._values = {**{each.move: each for each in self.settled}, **best}
        return self.ranked(report, (first.move,))


def by_playouts(question: Question) -> Answer[Fraction]:
    """Return the moves compared by playouts."""
    from solver.engines.playouts import Comparison
    from solver.search.rollout import AHEAD

    goal = question.own_goal
    if goal.objective is Objective.MIN_TURNS and goal.within_turns is not None and goal.within_turns <= AHEAD:
        # No line was found, and a playout that does not arrive has no number of turns.
        goal = replace(goal, objective=Objective.REACH)
    return Comparison(replace(question, goal=goal, playouts=SAMPLES)).sampled()


def _candidate(move: Step, report: Answer[int], best: int, goal: Goal) -> MoveValue[int]:
    exact = report.value if report.status is Status.OPTIMAL else None
    loss = None if exact is None else abs((goal.in_rounds(exact) or 0) - (goal.in_rounds(best) or 0))
    bound, excluded = report.bound, report.proof.excluded_turns or 0
    if report.status is Status.INFEASIBLE and goal.objective is Objective.MAX_DISTANCE:
        bound = None  # so many turns cannot be played as the goal allows
    elif report.status is Status.INFEASIBLE:
        is_lost = goal.within_turns is not None and excluded >= goal.within_turns
        bound = None if is_lost or goal.objective is Objective.REACH else max(bound or 0, excluded + 1)
    return MoveValue(move, exact, loss, report.status, bound, report.line)


def _rank(candidate: MoveValue[int], goal: Goal) -> tuple[int, int]:
    if candidate.value is None:
        is_lost = candidate.status is Status.INFEASIBLE and candidate.bound is None
        return (2, 0) if is_lost else (1, 0 if candidate.bound is None else candidate.bound)
    return (0, -candidate.value if goal.objective is not Objective.MIN_TURNS else goal.counted(candidate.value))


def with_deviations(position: Position, goal: Goal, report: Answer[int], budget: Budget) -> tuple[PlayedTurn[Any], ...]:
    """Return the turns of a proved line, each with what its other first moves lose.

    Turns after the goal has been reached stay as they are, and so does one whose moves were not all compared. All
    turns share one form of the game: what one has worked out the next ones need not.

    Raises:
        DisagreementError: the replay of a line gives another value; always a bug.
    """
    annotated: list[PlayedTurn[Any]] = []
    here, game = position, searchable(position)
    problem = search_problem(game, position.start()[1], goal)
    for turn in report.turns:
        left, rest = what_is_left(goal, report, turn.number - 1)
        moves, notes = open_moves(here, goal), list[Note]()
        if rest.value:
            start = here.start()[1]
            search = OpenSearch(game, start, left, Budget(), form=problem, running=budget)
            compared = _Moves(start, left, search, rest, writes=False)
            compared.valued(moves, None, False)
            notes = _notes(compared.settled, turn) if len(compared.settled) == len(moves) else []
        annotated.append(turn._replace(notes=(*turn.notes, *notes)))
        here = position.after(State(turn.table))
    return tuple(annotated)


def what_is_left(goal: Goal, report: Answer[int], taken: int) -> tuple[Goal, Answer[int]]:
    """Return the goal and the answer that are left after some of the turns: the rest of a best line is one, too."""
    turns = None if goal.within_turns is None else goal.within_turns - taken
    value = None if report.value is None else report.value - (taken if goal.objective is Objective.MIN_TURNS else 0)
    clock = goal.clock and goal.clock._replace(gone=(goal.clock.gone + taken) % goal.clock.turns)
    return replace(goal, within_turns=turns, clock=clock), replace(report, value=value, line=report.line[taken:])


def _notes(found: Sequence[MoveValue[int]], turn: PlayedTurn[Any]) -> list[Note]:
    """Return how many other moves do as well, the least that another one loses, and how many lose that or more.

    A move whose loss is beyond what was looked for counts among the last.
    """
    if not (others := [each for each in found if each.move.text != turn.steps[0]]):
        return []
    lost = Counter(each.loss for each in others)
    worse = min((loss for loss in lost if loss), default=None)
    nearest = next((each.move.text for each in others if worse is not None and each.loss == worse), None)
    more = len(others) - lost[0] - (nearest is not None)
    return [{"kind": "instead", "equal": lost[0], "nearest": nearest, "loss": worse, "more": more}]
