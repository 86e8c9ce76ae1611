"""Checking a certificate: the line by replay, the claim against it, what is excluded by playing everything again.

The position is read anew. The goal is that of a challenge, as the game states it, or one of its own. The certificate
states what the goal forbids, keeps and limits; nothing in it may be vague, idle, or passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from puzzles.goal import MEASURES, Goal, Objective
from rules.core.challenge import Challenge, ChanceMode, Opponent, Quest, at_the_end
from rules.core.errors import BestlineError, ContentError, escaped
from rules.core.files import canonical_json, read_text
from rules.core.position import Position, read_position
from rules.core.race import Race, Unsupported
from rules.core.turns import State, TurnEnd
from solver.checker.certificate import STATUSES, Certificate, Claim, encoded, layer_lines
from solver.checker.layers import Allowance, Evidence, Reached, UnsoundBound, count_best, is_forbidden

TURNS: Final = 1_000_000_000
"""Ways through a turn played at most; about a day."""
COUNTED_TURNS: Final = 20_000_000
"""Ways through a turn played at most to count lines, which are kept in memory,"""
COUNTED_STATES: Final = 3_000_000
"""and positions."""


class Rejected(BestlineError):
    """The certificate does not prove what it claims; the message says what is wrong."""


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
    except Unsupported as fault:
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
        worth = _line_value(goal, line)
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


def _line_value(goal: Goal, line: Line) -> int:
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
        Unsupported: the position is not one that layers carry.
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
    except UnsoundBound as fault:
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
        own, listed = set(ours.get("positions", ())), {str(name)[:40] for name in stated.get("positions", ())}
        furthest = str(stated.get("furthest"))[:40]
    except (ValueError, RecursionError, AttributeError, TypeError):
        return "the line is damaged"
    if lacking := sorted(own - listed):
        return f"the certificate leaves out position {lacking[0]}, to which the rules lead"
    if strange := sorted(listed - own):
        return f"the certificate lists position {strange[0]}, to which the rules do not lead"
    if furthest != str(ours["furthest"]):
        return f"the furthest is {ours['furthest']}, not {furthest}"
    return "the line has another turn, order or form"


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


# The question


def question_of(claim: Claim) -> tuple[Position, Goal, Race[Any]]:
    """Return the position, the goal and the game of a certificate, with the goal as the rules state it.

    Raises:
        Rejected: the certificate is about other rules, or its goal is not one that the rules know.
    """
    goal, position = claim.goal, _position(claim)
    game = position.game
    if goal.seat >= position.players:
        raise Rejected("the goal does not fit the position")
    if position.information != "open" or position.players > 1:
        raise Rejected("a certificate holds for open positions of one player only")
    _check_words(goal)
    if goal.challenge:
        position, goal = _challenged(position, goal)
    elif goal.objective is Objective.WIN:
        raise Rejected("a game that is to be won has no certificate")
    elif goal.objective is Objective.MAX_DISTANCE and goal.target != game.default_target():
        raise Rejected(f"the farthest line has no target, and the goal names {goal.target}")
    if goal.objective is not Objective.MIN_TURNS and goal.within_turns is None:
        raise Rejected("this goal needs a number of turns")
    try:
        position = position.keeping(goal.kept)
    except ContentError as fault:
        raise Rejected(fault.faults[0].message) from None
    return position, goal, position.game


def aimed(position: Position, goal: Mapping[str, Any]) -> Position:
    """Return a position with progress measured as the goal of an audit's answer has it.

    Raises:
        Rejected: the goal names another target than its challenge has.
        ContentError: its challenge does not fit the position.
    """
    if not goal["challenge"]:
        return position
    position = position.towards(goal["challenge"], goal["seat"], goal["terms"])
    if goal["target"] != position.game.default_target():
        raise Rejected(f"'{goal['challenge']}' has another target than {goal['target']}")
    return position


def _position(claim: Claim) -> Position:
    try:
        position = read_position(read_text(canonical_json(claim.position)))
    except BestlineError as fault:
        first, *more = str(fault).split("\n")
        also = f" (and {len(more)} faults more)" if more else ""
        raise Rejected(f"the position cannot be read: {first}{also}") from None
    if position.canonical() != claim.position:
        raise Rejected("the position is not in canonical form")
    if position.fingerprint != claim.fingerprint:
        theirs, ours = claim.fingerprint, position.fingerprint
        raise Rejected(f"made for other rules: its fingerprint is {theirs}, that of the rules here {ours}")
    if position.ruleset.id != claim.ruleset:
        raise Rejected(f"the ruleset is called '{position.ruleset.id}', not '{claim.ruleset}'")
    return position


def _check_words(goal: Goal) -> None:
    """Refuse a ban that no move could match as it is written.

    Raises:
        Rejected: there is one.
    """
    for words in sorted(goal.forbidden):
        if not words or " ".join(words.split()) != words or not words.isascii() or escaped(words) != words:
            raise Rejected(f"the goal forbids '{words}', and no move begins so")


def _challenged(position: Position, goal: Goal) -> tuple[Position, Goal]:
    """Return the position and the goal of a challenge as the game states them.

    Raises:
        Rejected: the game has no such challenge here, or the challenge asks something else than the goal.
    """
    definition, name = position.definition, goal.challenge
    challenge = definition.challenges.get(name)
    if challenge is None:
        raise Rejected(f"the game has no challenge '{name}'")
    if not definition.terms_schema(position.ruleset, name).accepts(goal.terms):
        raise Rejected(f"the terms are none that '{name}' has")
    try:
        position = position.towards(name, goal.seat, goal.terms)
    except ContentError as fault:
        raise Rejected(f"'{name}' does not fit the position: {fault.faults[0].message}") from None
    quest = position.game
    assert isinstance(quest, Quest)
    _refuse_others(challenge)
    objective, target, clock = MEASURES[challenge.measure], quest.target, quest.clock()
    if goal.objective is not objective or goal.target != target:
        stated = f"'{goal.objective}' with target {goal.target}"
        raise Rejected(f"'{name}' asks for '{objective}' with target {target}, the goal for {stated}")
    within = goal.within_turns
    if clock is not None and within is not None and within != clock.turns_in(clock.rounds(within)):
        raise Rejected(f"'{name}' counts rounds, and {within} {clock.turn}s end in the middle of one")
    return position, replace(goal, clock=clock)


def _refuse_others(challenge: Challenge) -> None:
    """Refuse a challenge that is not about one player who knows all that comes.

    Raises:
        Rejected: it is about others, an adversary, or something hidden.
    """
    alone = challenge.players == 1 and challenge.opponent is Opponent.NONE
    if not alone or challenge.fate is ChanceMode.CRUEL or "open" not in challenge.variants:
        raise Rejected(f"'{challenge.id}' is not about one player who knows all that comes")
