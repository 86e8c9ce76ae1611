"""From the keys of a search back to moves: a line of real turns, chosen through the game, and replayed by its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import chain, count, islice, pairwise
from typing import Any, Final, TypeVar

from puzzles.puzzle import Goal, Objective, does_forbidden, forbids
from rules.core.errors import BestlineError, DisagreementError
from rules.core.race import Race
from rules.core.scripts import Answered, Event, Exploring, Forced, Step
from rules.core.turns import Game, State, TurnEnd
from solver.question import Note, PlayedTurn, TurnLine
from solver.search.budget import Budget, NodesExceeded
from solver.search.iterative_deepening import SearchProblem

WAYS: Final = 500
"""Ways through a turn among which the first in order is looked for."""
LOOK: Final = 32
"""Positions looked at between two looks at the clock,"""
ENDS: Final = 256
"""and ends of turns that are held against a single line."""

T = TypeVar("T")


class Rest:
    """What is left of a best line: whether the value can still be had from a key in the turns that are left.

    That is as exact as the form behind it, whose bound cuts only what cannot get there.
    """

    def __init__(
        self, problem: SearchProblem[Any], goal: Goal, value: int, rounds: int | None, budget: Budget, most: int
    ) -> None:
        """Lines of more ``rounds`` than these, where they are given, are no best ones; ``most`` keys are generated."""
        self._problem, self._budget, self._most = problem, budget, most
        self._at_end = goal.objective is Objective.MAX_DISTANCE
        self._least = value if self._at_end else goal.target
        self._rounds = rounds
        self._known: dict[tuple[bytes, int], bool] = {}
        self._generated = 0

    def leads(self, key: bytes, left: int) -> bool:
        """Return whether the value can be had from a key with so many turns left.

        Raises:
            BudgetExceeded: a limit is reached.
        """
        if (key, left) not in self._known:
            self._known[key, left] = not self._problem.lacking(key, left, self._least) and self._leads(key, left)
        return self._known[key, left]

    def _leads(self, key: bytes, left: int) -> bool:
        problem = self._problem
        if self._rounds is not None and problem.rounds(key) > self._rounds:
            return False
        is_last = left == 0 or problem.is_over(key)
        if (is_last or not self._at_end) and problem.progress(key) >= self._least:
            return True
        for after in () if is_last else problem.successors(key):
            self._generated += 1
            if self._generated % LOOK == 0:
                self._budget.check(len(self._known))
            if self._generated > self._most:
                raise NodesExceeded
            if self.leads(after, left - 1):
                return True
        return False


class Path:
    """What is left of one line: whether its shapes can still be walked, which tell positions decided late not apart."""

    def __init__(self, problem: SearchProblem[Any], path: Sequence[bytes], budget: Budget) -> None:
        self._problem, self._budget, self._asked = problem, budget, 0
        self._shapes = [problem.shape(key) for key in reversed(path)]
        self._known: dict[tuple[bytes, int], bool] = {}

    def leads(self, key: bytes, left: int) -> bool:
        """Return whether the line can go through this very position with so many turns left."""
        self._asked += 1
        if self._asked % ENDS == 0:
            self._budget.check()
        if self._problem.shape(key) != self._shapes[left]:
            return False
        if not self._problem.decides_late or left == 0 or self._problem.is_over(key):
            return True
        if (key, left) not in self._known:
            self._known[key, left] = any(self.leads(after, left - 1) for after in self._problem.successors(key))
        return self._known[key, left]


def real_line(
    game: Race[T],
    problem: SearchProblem[T],
    start: State[T],
    path: Sequence[bytes],
    rest: Rest | Path,
    goal: Goal,
    begun: tuple[Step | Forced, ...] = (),
) -> tuple[TurnLine, ...]:
    """Return turns that keep to what is left of a line, at most as many as ``path`` has keys of their ends.

    Of the ways through a turn that do, the one with the fewest moves is taken, then the first in the order of its
    texts. Only the first ``WAYS`` ways are compared. Where none of them does, and for a single ``Path``, it is the
    first that is met on the way to the key. The first turn starts with ``begun``, which starts with the steps
    pending in ``start``; those are left out.

    Raises:
        BudgetExceeded: ``rest`` has reached a limit.
        DisagreementError: the game has no such turns.
    """
    line: list[TurnLine] = []
    table, left = start.table, len(path) - 1
    for place, key in enumerate(path):
        there = goal.objective is not Objective.MAX_DISTANCE and game.progress(table, goal.seat) >= goal.target
        if game.is_over(table) or (there and not begun):
            break
        ordered = islice(ordered_ends(game, table, begun, WAYS), WAYS if isinstance(rest, Rest) else 0)
        for end in chain(ordered, _nearest_ends(game, problem, table, begun, key)):
            if not does_forbidden(end.steps, goal.forbidden) and rest.leads(problem.project(end.table), left - place):
                break
        else:
            raise DisagreementError(f"the {problem.engine} search took a turn that the rules do not have")
        line.append(TurnLine(taken(end.steps[0 if place else len(start.pending) :])))
        table, begun = end.table, ()
    return tuple(line)


def read_line(game: Game[Any], start: State[Any], turns: Iterable[Sequence[str]]) -> tuple[TurnLine, ...]:
    """Return the line that texts of moves mean, turn by turn.

    Raises:
        NotationError: a text is no move where it stands.
        IllegalMoveError: a move is not open there.
    """
    state = start
    line: list[TurnLine] = []
    for turn in turns:
        steps = []
        for text in turn:
            steps.append(game.parse_step(state, text))
            state, _ = game.apply(state, steps[-1])
        line.append(TurnLine(tuple(steps)))
    return tuple(line)


def by_turns(game: Game[Any], state: State[Any], steps: Sequence[Step]) -> tuple[TurnLine, ...]:
    """Return moves turn by turn; the last turn may be unfinished."""
    turns: list[TurnLine] = []
    turn: list[Step] = []
    for step in steps:
        turn.append(step)
        state, _ = game.apply(state, step)
        if not state.pending:
            turns.append(TurnLine(tuple(turn)))
            turn = []
    return (*turns, TurnLine(tuple(turn))) if turn else tuple(turns)


def replay(game: Game[T], start: State[T], line: Iterable[TurnLine]) -> Iterator[tuple[State[T], list[Event]]]:
    """Yield the state after each turn of a line, and what happened in it."""
    state = start
    for turn in line:
        events: list[Event] = []
        for step in turn.steps:
            state, more = game.apply(state, step)
            events += more
        yield state, events


def played(game: Race[T], start: State[T], line: Sequence[TurnLine]) -> list[T]:
    """Return the tables between the turns of a line, from the start to the end."""
    return [start.table, *(state.table for state, _ in replay(game, start, line))]


def taken(steps: Sequence[Step | Forced]) -> tuple[Step, ...]:
    """Return those of some steps that somebody or chance decided."""
    return tuple(step for step in steps if not isinstance(step, Forced))


def in_order(steps: Sequence[Step]) -> tuple[int, tuple[str, ...]]:
    """Return what puts equal ways in order: the number of their moves, then the texts of these."""
    return len(steps), tuple(step.text for step in steps)


def trimmed(
    game: Race[T], start: State[T], line: tuple[TurnLine, ...], holds: Callable[[Any], bool]
) -> tuple[TurnLine, ...]:
    """Return a line without the moves that can be left out, together with what is not open without them.

    ``holds`` says whether another line is still as good.
    """
    place = 0
    while place < len(line):
        for number in range(len(line[place].steps)):
            steps = line[place].steps
            shorter = TurnLine(steps[:number] + steps[number + 1 :])
            tried = _replayed(game, start, (*line[:place], shorter, *line[place + 1 :]))
            if tried is not None and holds(tried):
                line = tried
                break
        else:
            place += 1
    return line


def _replayed(game: Race[T], start: State[T], line: Sequence[TurnLine]) -> tuple[TurnLine, ...] | None:
    """Return a line as far as it is open, without the steps that are not, or nothing where a turn does not end."""
    state = start
    turns: list[TurnLine] = []
    for turn in line:
        steps: list[Step] = []
        for step in turn.steps:
            with suppress(BestlineError):
                state, _ = game.apply(state, now := game.parse_step(state, step.text))
                steps.append(now)
        if state.pending:
            return None
        if steps:
            turns.append(TurnLine(tuple(steps)))
    return tuple(turns)


def ordered_ends(game: Game[T], table: T, pending: Sequence[Step | Forced], most: int) -> Iterator[TurnEnd[T]]:
    """Yield what ``Game.turn_ends`` does, ways with fewer steps first, then in the order of their texts.

    They are not gone through before they are asked for, as far as that is possible. Where there are more than ``most``,
    the order of those after them is any.
    """
    queue: list[tuple[tuple[int, tuple[str, ...]], int, Answered]] = []
    ends: list[tuple[tuple[int, tuple[str, ...]], int, TurnEnd[T]]] = []
    others: list[Answered] = [list(pending)]
    runs, numbers = 0, count()
    while queue or ends or others:
        for steps in others:
            heappush(queue, (in_order(taken(steps)), next(numbers), steps))
        others = []
        # Every way that begins with some steps comes after them in the order.
        if ends and (not queue or runs >= most or ends[0][0] < queue[0][0]):
            yield heappop(ends)[2]
            continue
        steps = heappop(queue)[2]
        end = game.end_of(table, Exploring(steps, others, begun=len(pending), by_text=True))
        runs += 1
        if end is not None:
            heappush(ends, (in_order(taken(end.steps)), runs, end))


def _nearest_ends(
    game: Game[T], problem: SearchProblem[T], table: T, pending: Sequence[Step | Forced], key: bytes
) -> Iterator[TurnEnd[T]]:
    """Yield what ``Game.turn_ends`` does; the ways that go on from the ends nearest to ``key`` so far come first."""
    queue: list[tuple[int, int, int, Answered]] = [(0, 0, 0, list(pending))]
    numbers = count()
    while queue:
        far, _, _, steps = heappop(queue)
        others: list[Answered] = []
        if (end := game.end_of(table, Exploring(steps, others, None, len(pending)))) is not None:
            far = problem.distance(problem.project(end.table), key)
            yield end
        for other in others:
            heappush(queue, (far, len(other), next(numbers), other))


def replayed_value(game: Race[T], start: State[T], line: Sequence[TurnLine], goal: Goal) -> int:
    """Return the value of a line for a goal, as the rules play it.

    Raises:
        DisagreementError: a move is not open or is forbidden, or the line ends within a turn or short of its goal.
    """
    used = next((step for turn in line for step in turn.steps if forbids(goal.forbidden, step.text)), None)
    if used is not None:
        raise DisagreementError(f"the search used '{used.text}', which the goal forbids")
    try:
        states = [start, *(state for state, _ in replay(game, start, line))]
    except BestlineError as refused:
        raise DisagreementError(f"the search and the rules differ: {refused}") from refused
    for before, turn, after in zip(states, line, states[1:], strict=False):
        if after.pending:
            raise DisagreementError("the search's line stops in the middle of a turn")
        if not game.allows(before.table, TurnEnd((*before.pending, *turn.steps), after.table)):
            raise DisagreementError("the search's line does what the challenge forbids")
    state, best = states[-1], max(game.progress(each.table, goal.seat) for each in states)
    taken = game.turns(state.table, goal.seat) - game.turns(start.table, goal.seat)
    reached = game.progress(state.table, goal.seat)
    if goal.objective is Objective.MAX_DISTANCE:
        return reached
    if goal.objective is Objective.REACH:
        return int(best >= goal.target and taken <= (goal.within_turns or 0))
    if reached < goal.target:
        raise DisagreementError(f"the search's line ends at {reached}, short of {goal.target}")
    return taken


def agreed(claimed: int | None, replayed: int) -> int:
    """Return the value both agree on.

    Raises:
        DisagreementError: the search claims another value than the replay gives.
    """
    if claimed != replayed:
        raise DisagreementError(f"the search claims {claimed}, but its line is worth {replayed} when the rules play it")
    return replayed


def explain_line(game: Race[T], start: State[T], line: Sequence[TurnLine], seat: int = 0) -> tuple[PlayedTurn[T], ...]:
    """Return every turn of a line, replayed through the rules and annotated."""
    ends, turns = list(replay(game, start, line)), list[PlayedTurn[T]]()
    tables = [start.table, *(state.table for state, _ in ends)]
    # A new round deals a new hand: what it holds was not kept, even where the cards are the same.
    hands = [(game.days(table, seat), Counter(game.hand(table, seat))) for table in tables]
    progress = [game.progress(table, seat) for table in tables]
    for place, (turn, (state, events), (before, after)) in enumerate(zip(line, ends, pairwise(progress), strict=True)):
        texts, notes = tuple(step.text for step in turn.steps), tuple(_kept(line[place:], hands[place:], place + 1))
        turns.append(PlayedTurn(place + 1, texts, before, after, tuple(events), notes, state.table))
    return tuple(turns)


def _kept(line: Sequence[TurnLine], hands: Sequence[tuple[int, Counter[str]]], number: int) -> list[Note]:
    """Return which hand cards the payment of the first turn spared, and the turn that needs each.

    ``hands[0]`` is the round and hand before that turn, and ``hands[k]`` those after k turns. Copies are
    interchangeable: a later use counts for the copy in hand as long as the hand has held one ever since.
    """
    if not (spent := Counter(card for step in line[0].steps for card in spends(step))):
        return []
    today, hand = hands[0]
    held = hand - spent - Counter(card for step in line[0].steps for card in uses(step))
    notes: list[Note] = []
    for later in range(1, len(line)):
        day, hand = hands[later]
        if day != today:
            break
        held &= hand
        for step in line[later].steps:
            for role, cards in (("play", uses(step)), ("pay", spends(step))):
                for card in cards:
                    if held[card] > 0:
                        held[card] -= 1
                        notes.append({"kind": "kept", "card": card, "turn": number + later, "role": role})
    return notes


def uses(step: Step) -> tuple[str, ...]:
    """Return the hand cards that a step plays."""
    return tuple(getattr(step, "uses", ()))


def spends(step: Step) -> tuple[str, ...]:
    """Return the hand cards that a step gives away as payment."""
    return tuple(getattr(step, "spends", ()))
