"""Checking a certificate: the line by replay, the claim against it, what is excluded by playing everything again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import at_the_end
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.turns import State, TurnEnd
from solver.checker.certificate import STATUSES, Certificate, Claim, encoded, layer_lines
from solver.checker.layers import Allowance, Astray, Evidence, Reached, Unfit, count_best, is_forbidden
from solver.checker.question import Rejected, question_of

TURNS: Final = 1_000_000_000
"""Ways through a turn played at most; about a day."""
COUNTED_TURNS: Final = 20_000_000
"""Ways through a turn played at most to count lines, which are kept in memory,"""
COUNTED_STATES: Final = 3_000_000
"""and positions."""


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
    """Return what a certificate proves, having played everything again, layer by layer.

    Raises:
        Rejected: it does not prove its claim.
        TooLarge: a limit was hit before that was settled.
    """
    if not certificate.is_sealed:
        raise Rejected("the seal does not fit the lines before it: the file has been altered")
    claim = certificate.claim
    position, goal, game = question_of(claim)
    start = position.start()[1]
    line = replayed(game, start, claim)
    hold_claim(claim, goal, line, game, start)
    try:
        turns, positions = _layers(certificate, evidence(claim, goal, game, start, Allowance(TURNS, TURNS, time_s)))
        budget = Allowance(COUNTED_TURNS, COUNTED_STATES, time_s)
        _unique(claim, line, evidence(claim, goal, game, start, budget))
    except Unfit as fault:
        raise Rejected(f"layers do not carry this position: {fault}") from None
    return Checked(
        position=position,
        goal=goal,
        status=claim.status,
        value=claim.value,
        turns=turns,
        positions=positions,
        unique=claim.unique,
        seal=certificate.seal,
        relies=claim.bound,
    )


def evidence(claim: Claim, goal: Goal, game: Race[Any], start: State[Any], budget: Allowance) -> Evidence[Any]:
    """Return what has to be played for a claim: every line that might be better."""
    better: int | None = goal.target
    if goal.objective is Objective.MAX_DISTANCE:
        better = None if claim.value is None else claim.value + 1
    return Evidence(game, start, goal, budget, better, cuts=bool(claim.bound))


@dataclass(frozen=True, slots=True)
class Line:
    """What a line is worth when the rules play it."""

    turns: int
    end: int
    """Progress after the last turn."""
    over: bool
    tables: tuple[Any, ...]
    """The start, and the table after each turn."""


def replayed(game: Race[Any], start: State[Any], claim: Claim) -> Line | None:
    """Return what the line is worth, or nothing if there is none.

    Raises:
        Rejected: a move is not open where the line has it, or a turn does not end where the line says.
    """
    goal, state = claim.goal, start
    begun, tables = start.pending, [start.table]
    if any(is_forbidden(step, goal) for step in begun):
        raise Rejected("the turn under way has begun with a move that the goal forbids")
    for turn, moves in enumerate(claim.line, 1):
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
    if not claim.line and claim.status != "optimal":
        return None
    taken = game.turns(state.table, goal.seat) - game.turns(start.table, goal.seat)
    return Line(taken, game.progress(state.table, goal.seat), game.is_over(state.table), tuple(tables))


def hold_claim(claim: Claim, goal: Goal, line: Line | None, game: Race[Any], start: State[Any]) -> None:
    """Hold the claim against the line, and what is to be excluded against the claim.

    Raises:
        Rejected: they do not fit together.
    """
    value, turns = claim.value, claim.turns
    if claim.status not in STATUSES:
        raise Rejected(f"'{claim.status}' is no claim; a certificate proves 'optimal' or 'infeasible'")
    within = goal.within_turns
    there = not start.pending and game.progress(start.table, goal.seat) >= goal.target
    wanted: int | None
    if claim.status == "infeasible":
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


def _layers(certificate: Certificate, found: Evidence[Any]) -> tuple[int, int]:
    """Play everything again, hold it against the layers, and return the number of turns and of positions.

    Raises:
        Rejected: a layer is not what the rules lead to, or something better than the claim is in it.
        Unfit: the position is not one that layers carry.
    """
    claim, goal, lines = certificate.claim, certificate.claim.goal, certificate.lines()
    turn, positions = 0, 0
    if claim.bound != found.bound_name:
        raise Rejected(f"it relies on the bound '{claim.bound}', the rules here bring '{found.bound_name}'")
    try:
        for layer in found.layers(claim.turns):
            turn = layer.turn
            for ours in layer_lines(layer):
                theirs = next(lines, b"")
                if theirs != encoded(ours):
                    raise Rejected(f"turn {turn}: {_difference(ours, theirs)}")
                positions += len(ours.get("positions", ()))
    except Reached as reached:
        to, what = reached.progress, f"the target {goal.target} is not excluded"
        if goal.objective is Objective.MAX_DISTANCE:
            what = f"{'nothing' if claim.value is None else claim.value} is not the most"
        raise Rejected(f"turn {reached.turn}: the rules lead to {to}, so {what}") from None
    except Astray as fault:
        raise Rejected(f"the bound '{claim.bound}' fails: {fault}") from None
    if next(lines, None) is not None:
        raise Rejected(f"there are layers beyond turn {turn}, which is the last one")
    return turn if claim.turns is None else claim.turns, positions


def _difference(ours: Mapping[str, Any], theirs: bytes) -> str:
    """Return what is wrong with a line of a layer."""
    if not theirs:
        return "the certificate has no such layer"
    try:
        stated = json.loads(theirs)
        listed = stated.get("positions")
        names = None if listed is None else {str(name)[:40] for name in listed}
        turn, furthest = (str(stated.get(field))[:40] for field in ("turn", "furthest"))
    except (ValueError, RecursionError, AttributeError, TypeError):
        return "the line is damaged"
    if turn != str(ours["turn"]):
        return f"the layer here is said to be that of turn {turn}"
    own = ours.get("positions")
    if (names is None) != (own is None):
        return f"the layer lists {'no positions' if own else 'positions, though nothing follows them'}"
    lacking, strange = sorted(set(own or ()) - (names or set())), sorted((names or set()) - set(own or ()))
    if lacking:
        return f"the certificate leaves out position {lacking[0]}, to which the rules lead"
    if strange:
        return f"the certificate lists position {strange[0]}, to which the rules do not lead"
    if listed != own:
        return "the positions are not in ascending order, each once"
    if furthest != str(ours["furthest"]):
        return f"the furthest is {ours['furthest']}, not {furthest}"
    return "the line is damaged"


def _unique(claim: Claim, line: Line | None, found: Evidence[Any]) -> None:
    """Play all lines as good as the best, where the certificate says how many there are.

    Raises:
        Rejected: it counts them wrongly, or makes no claim that could be unique.
    """
    if claim.ways is None:
        return
    if line is None or claim.goal.objective is Objective.REACH or claim.value is None:
        raise Rejected("only a best line can be the only one")
    ways, last = count_best(found, claim.value)
    if ways != claim.ways:
        shown = [", ".join(map(str, tables)) or "none" for tables in (ways, claim.ways)]
        raise Rejected(f"tables on best lines, turn by turn: {shown[0]}, not {shown[1]}")
    if line.tables[-1] not in last:
        raise Rejected("the line is not one of the best: others take as many turns in fewer rounds")
