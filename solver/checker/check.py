"""Checking a certificate: the line by replay, the claim against it, what is excluded by playing everything again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.quest_race import at_the_end
from rules.core.race import Race
from rules.core.turns import State, TurnEnd
from solver.checker.certificate import STATUSES, Certificate, Layer
from solver.checker.closed import Budget, Unfit, is_forbidden
from solver.checker.evidence import FORMS, Astray, best_ways, closed_layers
from solver.checker.question import Rejected, asked

TURNS: Final = 20_000_000
"""Ways through a turn played at most."""
STATES: Final = 3_000_000
"""Positions kept at most."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a certificate that holds proves."""

    position: Position
    goal: Goal
    status: str
    value: int | None
    turns: int
    """Own turns through which everything was played again."""
    positions: int
    """Positions found on the way."""
    unique: bool | None
    """Whether no other line does as well; nothing where no claim is made."""
    seal: str
    """Digest of the certificate."""
    relies: str = ""
    """Name of the bound that is taken from the game's own arguments; empty where none is."""


def check(certificate: Certificate, time_s: float | None = None) -> Checked:
    """Return what a certificate proves, having played everything again.

    Raises:
        Rejected: it does not prove its claim.
        TooLarge: a limit was hit before that was settled.
    """
    if not certificate.as_written or certificate.right_seal != certificate.seal:
        raise Rejected("the seal does not fit the lines before it: the file has been altered")
    position, goal, game, start, line = check_claim(certificate, FORMS)
    budget = Budget(TURNS, STATES, time_s)
    positions = _layers(certificate, game, start, budget)
    _ways(certificate, line, game, start, budget)
    return Checked(
        position=position,
        goal=goal,
        status=certificate.status,
        value=certificate.value,
        turns=len(certificate.layers),
        positions=positions,
        unique=certificate.unique,
        seal=certificate.seal,
    )


def check_claim(
    certificate: Certificate, forms: Sequence[str]
) -> tuple[Position, Goal, Race[Any], State[Any], Line | None]:
    """Return position, goal, game and start, and what the line is worth, where line and claim fit together.

    Raises:
        Rejected: they do not, or the certificate is about other rules.
    """
    position, goal, game = asked(certificate)
    start = position.start()[1]
    line = replayed(game, start, certificate)
    _claim(certificate, goal, line, game, start, forms)
    return position, goal, game, start, line


@dataclass(frozen=True, slots=True)
class Line:
    """What a line is worth when the rules play it."""

    turns: int
    end: int
    """Progress after the last turn."""
    over: bool
    tables: tuple[Any, ...]
    """The start, and the table after each turn."""


def replayed(game: Race[Any], start: State[Any], certificate: Certificate) -> Line | None:
    """Return what the line is worth, or nothing if there is none.

    Raises:
        Rejected: a move is not open where the line has it, or a turn does not end where the line says.
    """
    goal, state = certificate.goal, start
    begun, tables = start.pending, [start.table]
    if any(is_forbidden(step, goal) for step in begun):
        raise Rejected("the turn under way has begun with a move that the goal forbids")
    for turn, moves in enumerate(certificate.line, 1):
        table, steps = state.table, list(begun)
        for text in moves:
            if state.table is not table:
                raise Rejected(f"turn {turn}: the turn has ended before '{text}'")
            try:
                step = game.parse_step(state, text)
                state = game.apply(state, step).state
            except BestlineError as fault:
                raise Rejected(f"turn {turn}: the line does not replay: {fault}") from None
            steps.append(step)
            if step.text != text:
                raise Rejected(f"turn {turn}: the move '{step.text}' is written '{text}'")
            if is_forbidden(step, goal):
                raise Rejected(f"turn {turn}: the line plays '{text}', which the goal forbids")
        if state.pending or state.table is table:
            raise Rejected(f"turn {turn}: the line stops in the middle of a turn")
        if not game.allows(table, TurnEnd(tuple(steps), state.table)):
            raise Rejected(f"turn {turn}: the line does what the goal forbids")
        begun = ()
        tables.append(state.table)
    if not certificate.line and certificate.status != "optimal":
        return None
    taken = game.turns(state.table, goal.seat) - game.turns(start.table, goal.seat)
    return Line(taken, game.progress(state.table, goal.seat), game.is_over(state.table), tuple(tables))


def _claim(
    certificate: Certificate, goal: Goal, line: Line | None, game: Race[Any], start: State[Any], forms: Sequence[str]
) -> None:
    """Hold the claim against the line, and what is to be excluded against the claim.

    Raises:
        Rejected: they do not fit together.
    """
    value, turns = certificate.value, certificate.turns
    if certificate.status not in STATUSES:
        raise Rejected(f"'{certificate.status}' is no claim; a certificate proves 'optimal' or 'infeasible'")
    if certificate.form not in forms:
        raise Rejected(f"there is no form '{certificate.form}'; there are {', '.join(forms)}")
    within = goal.within_turns
    there = not start.pending and game.progress(start.table, goal.seat) >= goal.target
    wanted: int | None
    if certificate.status == "infeasible":
        if value != (0 if goal.objective is Objective.REACH else None) or line is not None:
            raise Rejected("what is impossible has neither a line nor a value")
        if there and goal.objective is not Objective.MAX_DISTANCE:
            raise Rejected("the start is already at the target")
        wanted = within
    else:
        assert line is not None
        worth = _worth(goal, line)
        if worth != value:
            raise Rejected(f"the claimed value is {value}, but the line is worth {worth} when the rules play it")
        if goal.objective is Objective.MAX_DISTANCE:
            wanted = within
        elif goal.objective is Objective.REACH:
            wanted = 0
        else:
            wanted = max(0, goal.least(line.turns) - 1)
            if there and line.turns:
                raise Rejected("the start is already at the target, so the least number of turns is 0")
    if turns != wanted:
        shown = "all" if wanted is None else str(wanted)
        raise Rejected(f"the claim needs {shown} turns to be excluded, the certificate goes through {turns}")


def _worth(goal: Goal, line: Line) -> int:
    """Return the value of a line for a goal.

    Raises:
        Rejected: the line is no answer to the goal.
    """
    within = goal.within_turns
    if goal.objective is Objective.MAX_DISTANCE:
        if line.turns != within and not (line.over and line.turns < (within or 0)):
            raise Rejected(f"the line takes {line.turns} turns, not {within}")
        if at_the_end(line.end) is None:
            raise Rejected("the game is not over at the end of the line, so that nothing counts yet")
        return line.end
    if line.end < goal.target:
        raise Rejected(f"the line ends at {line.end}, short of the target {goal.target}")
    if within is not None and line.turns > within:
        raise Rejected(f"the line takes {line.turns} turns, more than the {within} allowed")
    return 1 if goal.objective is Objective.REACH else line.turns


def _layers(certificate: Certificate, game: Race[Any], start: State[Any], budget: Budget) -> int:
    """Play everything again, hold it against the layers, and return the number of positions found.

    Raises:
        Rejected: a layer is not what the rules lead to, or something better than the claim is in it.
    """
    goal = certificate.goal
    stated = list(certificate.layers)
    positions, turn = 0, 0
    last: int | None = None
    try:
        for found in closed_layers(game, start, goal, certificate.form, certificate.turns, budget):
            turn, last = found.turn, found.furthest
            if goal.objective is not Objective.MAX_DISTANCE and last is not None and last >= goal.target:
                raise Rejected(f"turn {turn}: the rules lead to {last}, so the target {goal.target} is not excluded")
            if len(stated) < turn:
                raise Rejected(f"turn {turn}: the certificate has no such layer")
            _same(found, stated[turn - 1])
            positions += len(found.positions or ())
    except Unfit as fault:
        raise Rejected(f"the form '{certificate.form}' does not carry this position: {fault}") from None
    except Astray as fault:
        raise Rejected(f"the form '{certificate.form}' fails: {fault}") from None
    if len(stated) > turn:
        raise Rejected(f"there are layers beyond turn {turn}, which is the last one")
    if goal.objective is Objective.MAX_DISTANCE:
        least = at_the_end(game.progress(start.table, goal.seat) if certificate.turns == 0 else last)
        if least != certificate.value:
            found_best = "nothing" if least is None else str(least)
            raise Rejected(f"the rules lead to {found_best} at most, the claim is {certificate.value}")
    return positions


def _ways(certificate: Certificate, line: Line | None, game: Race[Any], start: State[Any], budget: Budget) -> None:
    """Play all lines as good as the best, where the certificate says how many there are.

    Raises:
        Rejected: it counts them wrongly, or makes no claim that could be unique.
    """
    goal, value = certificate.goal, certificate.value
    if certificate.ways is None:
        return
    if line is None or goal.objective is Objective.REACH or value is None:
        raise Rejected("only a best line can be the only one")
    farthest = goal.objective is Objective.MAX_DISTANCE
    turns, least = (goal.within_turns or 0, value) if farthest else (value, goal.target)
    try:
        found, last = best_ways(game, start, goal, turns, least, budget)
    except Unfit as fault:
        raise Rejected(f"lines cannot be counted from this position: {fault}") from None
    if found != certificate.ways:
        shown = [", ".join(map(str, ways)) or "none" for ways in (found, certificate.ways)]
        raise Rejected(f"tables on best lines, turn by turn: {shown[0]}, not {shown[1]}")
    if line.tables[-1] not in last:
        raise Rejected("the line is not one of the best: others take as many turns in fewer rounds")


def _same(found: Layer, stated: Layer) -> None:
    turn = found.turn
    if stated.turn != turn:
        raise Rejected(f"turn {turn}: the layer here is said to be that of turn {stated.turn}")
    if (stated.positions is None) != (found.positions is None):
        fault = "lists no positions" if stated.positions is None else "lists positions, though nothing follows them"
        raise Rejected(f"turn {turn}: the layer {fault}")
    ours, theirs = found.positions or (), stated.positions or ()
    if ours != theirs:
        lacking, strange = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
        if lacking:
            some = f"{len(lacking)} of {len(ours)} positions that the rules lead to, such as {lacking[0]}"
            raise Rejected(f"turn {turn}: the certificate leaves out {some}")
        if strange:
            some = f"{len(strange)} positions that the rules do not lead to, such as {strange[0]}"
            raise Rejected(f"turn {turn}: the certificate lists {some}")
        raise Rejected(f"turn {turn}: the positions are not in ascending order, each once")
    if stated.furthest != found.furthest:
        raise Rejected(f"turn {turn}: the furthest is {found.furthest}, not {stated.furthest}")
