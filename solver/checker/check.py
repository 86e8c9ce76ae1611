"""Checking a certificate: the line by replay, the claim against it, what is excluded by playing everything again.

The position is read anew. The goal is that of a challenge, as the game states it, or one of its own. The certificate
states what the goal forbids, keeps and limits; nothing in it may be vague, idle, or passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import accumulate, chain, zip_longest
from typing import Any, Final

from puzzles.puzzle import MEASURES, Goal, Objective, does_forbidden, forbids
from rules.core.challenge import ChanceMode, Opponent, Quest, at_the_end
from rules.core.errors import BestlineError, ContentError, escaped
from rules.core.files import canonical_json, read_text
from rules.core.position import Position, read_position
from rules.core.race import Race, Unsupported
from rules.core.turns import State, TurnEnd
from solver.checker.certificate import (
    STATUSES,
    Certificate,
    Claim,
    Unreadable,
    cut_short,
    encoded,
    layer_lines,
    refuse_damaged,
)
from solver.checker.layers import Allowance, Evidence, Reached, UnsoundBound

TURNS: Final = 1_000_000_000
"""Ways through a turn played, and positions kept, at most; about a day."""


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
    seal: str
    """Digest of the certificate."""
    relies: str
    """Name of the bound that is taken from the game's own arguments; empty where none is."""


def check(certificate: Certificate, time_s: float | None = None) -> Checked:
    """Return what a certificate proves, having played everything again, layer by layer.

    Raises:
        Rejected: it does not prove its claim.
        Unreadable: the file is damaged, or more than a certificate.
        TooLarge: a limit was hit before that was settled.
    """
    claim = certificate.claim
    if certificate.text != claim.text():
        raise Rejected("the claim is not written as 'bestline' writes it: the file has been altered")
    position, goal = question_of(_position(claim), claim.goal)
    game, start = position.start()
    hold_claim(claim, goal, game, start)
    try:
        found = Evidence(game, start, goal, Allowance(TURNS, time_s), claim.value, cuts=bool(claim.bound))
        turns, positions, seal = _layers(certificate, found)
    except Unsupported as fault:
        raise Rejected(f"layers do not carry this position: {fault}") from None
    return Checked(position, goal, claim.status, claim.value, turns, positions, seal, claim.bound)


# The line and the claim


def played(
    game: Race[Any], start: State[Any], line: Iterable[str], forbidden: frozenset[str] = frozenset()
) -> list[State[Any]]:
    """Return the states that a line leads through: the start, and the one after each move.

    Raises:
        Rejected: a move is not open or forbidden where the line has it, or the rules write it otherwise.
    """
    states = [start]
    for number, text in enumerate(line, 1):
        before = states[-1]
        try:
            step = game.parse_step(before, text)
            after = game.apply(before, step).state
        except BestlineError as fault:
            raise Rejected(f"move {number}, '{text}', does not replay: {fault}") from None
        if step.text != text:
            raise Rejected(f"move {number}, '{step.text}', is written '{text}'")
        if forbids(forbidden, text):
            raise Rejected(f"move {number} is '{text}', which the goal forbids")
        if not after.pending and not game.allows(before.table, TurnEnd((*before.pending, step), after.table)):
            raise Rejected(f"move {number}, '{text}', ends a turn that does what the goal forbids")
        states.append(after)
    return states


def hold_claim(claim: Claim, goal: Goal, game: Race[Any], start: State[Any]) -> None:
    """Hold the claim against its line.

    Raises:
        Rejected: they do not fit together, or the rules do not have the line.
    """
    if claim.status not in STATUSES:
        raise Rejected(f"'{claim.status}' is no claim; a certificate proves 'optimal' or 'infeasible'")
    if does_forbidden(start.pending, goal.forbidden):
        raise Rejected("the turn under way has begun with a move that the goal forbids")
    states = played(game, start, chain.from_iterable(claim.line), goal.forbidden)
    ends = [number for number, state in enumerate(states) if number and not state.pending]
    for turn, (end, stated) in enumerate(zip_longest(ends, accumulate(map(len, claim.line))), 1):
        if end != stated:
            raise Rejected(f"turn {turn} of the line does not end where the line says")
    is_distance, value = goal.objective is Objective.MAX_DISTANCE, claim.value
    there = not is_distance and not start.pending and game.progress(start.table, goal.seat) >= goal.target
    if claim.status == "infeasible":
        if value != (0 if goal.objective is Objective.REACH else None) or claim.line:
            raise Rejected("what is impossible has neither a line nor a value")
    else:
        worth = line_value(goal, game, start.table, states[-1].table)
        if worth != value:
            raise Rejected(f"the claimed value is {value}, but the line is worth {worth} when the rules play it")
    if there and (claim.status == "infeasible" or (value and goal.objective is Objective.MIN_TURNS)):
        raise Rejected("the start is already at the target")
    wanted = excluded_turns(claim.status, goal, value)
    if claim.turns != wanted:
        shown = "all" if wanted is None else str(wanted)
        raise Rejected(f"the claim needs {shown} turns to be excluded, the certificate goes through {claim.turns}")


def excluded_turns(status: str, goal: Goal, value: int | None) -> int | None:
    """Return the own turns that have to be excluded for a claim; nothing for all."""
    if status == "infeasible" or goal.objective is Objective.MAX_DISTANCE:
        return goal.within_turns
    return 0 if goal.objective is Objective.REACH else max(0, goal.least(value or 0) - 1)


def line_value(goal: Goal, game: Race[Any], start: Any, last: Any) -> int:
    """Return the value for a goal of a line from one table to another: own turns, progress, or 1 for a goal reached.

    Raises:
        Rejected: the line is no answer to the goal.
    """
    within = goal.within_turns
    turns, end = game.turns(last, goal.seat) - game.turns(start, goal.seat), game.progress(last, goal.seat)
    if goal.objective is Objective.MAX_DISTANCE:
        if turns != within and not (game.is_over(last) and turns < (within or 0)):
            raise Rejected(f"the line takes {turns} turns, not {within}")
        if at_the_end(end) is None:
            raise Rejected("the game is not over at the end of the line, so that nothing counts yet")
        return end
    if end < goal.target:
        raise Rejected(f"the line ends at {end}, short of the target {goal.target}")
    if within is not None and turns > within:
        raise Rejected(f"the line takes {turns} turns, more than the {within} allowed")
    return 1 if goal.objective is Objective.REACH else turns


# What is excluded


def _layers(certificate: Certificate, found: Evidence[Any]) -> tuple[int, int, str]:
    """Play everything again and hold it against the file; return the turns, the positions, and the seal.

    Raises:
        Rejected: a layer is not what the rules lead to, or something better than the claim is in it.
        Unreadable: the file is damaged, or goes on behind its seal.
        Unsupported: the position is not one that layers carry.
    """
    claim, goal, lines = certificate.claim, certificate.claim.goal, certificate.lines
    turn, positions, digest = 0, 0, sha256(certificate.text)
    if claim.bound != found.bound_name:
        raise Rejected(f"it relies on the bound '{claim.bound}', the rules here bring '{found.bound_name}'")
    try:
        for layer in found.layers(claim.turns):
            turn = layer.turn
            for ours in layer_lines(layer):
                theirs = next(lines, None)
                if theirs is None:
                    raise cut_short()
                if theirs != encoded(ours):
                    refuse_damaged(theirs)
                    raise Rejected(f"turn {turn}: {_difference(ours, theirs)}")
                digest.update(theirs)
                positions += len(ours.get("positions", ()))
    except Reached as reached:
        to, what = reached.progress, f"the target {goal.target} is not excluded"
        if goal.objective is Objective.MAX_DISTANCE:
            what = f"{'nothing' if claim.value is None else claim.value} is not the most"
        raise Rejected(f"turn {reached.turn}: the rules lead to {to}, so {what}") from None
    except UnsoundBound as fault:
        raise Rejected(f"the bound '{claim.bound}' fails: {fault}") from None
    seal, end = digest.hexdigest(), next(lines, None)
    if end is None:
        raise cut_short()
    if end != encoded({"seal": seal}):
        refuse_damaged(end)
        last = "the seal does not fit the lines before it: the file has been altered"
        raise Rejected(last if b'"seal"' in end else f"there are layers beyond turn {turn}, which is the last one")
    if next(lines, None) is not None:
        raise Unreadable("something stands behind the seal")
    return turn if claim.turns is None else claim.turns, positions, seal


def _difference(ours: Mapping[str, Any], theirs: bytes) -> str:
    """Return what is wrong with a line of a layer."""
    if theirs.startswith(b'{"seal":'):
        return "the certificate has no such layer"
    lacking = next((name for name in ours.get("positions", ()) if name.encode() not in theirs), None)
    if lacking is not None:
        return f"the certificate leaves out position {lacking}, to which the rules lead"
    return f"the certificate has more, another form, or not {ours['furthest']} as the furthest"


# The question


def question_of(position: Position, goal: Goal) -> tuple[Position, Goal]:
    """Return the position asked for a goal, and the goal as the rules state it.

    Raises:
        Rejected: the goal is not one that the rules know, or not about one player who knows all that comes.
    """
    if goal.seat >= position.players:
        raise Rejected("the goal does not fit the position")
    if position.information != "open" or position.players > 1:
        raise Rejected("a certificate holds for open positions of one player only")
    for words in sorted(goal.forbidden):
        if not words or " ".join(words.split()) != words or not words.isascii() or escaped(words) != words:
            raise Rejected(f"the goal forbids '{words}', and no move begins so")
    if goal.challenge:
        position, goal = _challenged(position, goal)
    elif goal.objective is Objective.WIN:
        raise Rejected("a game that is to be won has no certificate")
    elif goal.objective is Objective.MAX_DISTANCE and goal.target != position.game.default_target():
        raise Rejected(f"the farthest line has no target, and the goal names {goal.target}")
    if goal.objective is not Objective.MIN_TURNS and goal.within_turns is None:
        raise Rejected("this goal needs a number of turns")
    try:
        return position.keeping(goal.kept), goal
    except ContentError as fault:
        raise Rejected(fault.faults[0].message) from None


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


def _challenged(position: Position, goal: Goal) -> tuple[Position, Goal]:
    """Return the position and the goal of a challenge as the game states them.

    Raises:
        Rejected: the game has no such challenge here, it is not about one player who knows all that comes, or it asks
            something else than the goal.
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
    alone = challenge.players == 1 and challenge.opponent is Opponent.NONE
    if not alone or challenge.fate is ChanceMode.CRUEL or "open" not in challenge.variants:
        raise Rejected(f"'{name}' is not about one player who knows all that comes")
    quest = position.game
    assert isinstance(quest, Quest)
    objective, target, clock = MEASURES[challenge.measure], quest.target, quest.clock()
    if goal.objective is not objective or goal.target != target:
        stated = f"'{goal.objective}' with target {goal.target}"
        raise Rejected(f"'{name}' asks for '{objective}' with target {target}, the goal for {stated}")
    within = goal.within_turns
    if clock is not None and within is not None and within != clock.turns_in(clock.rounds(within)):
        raise Rejected(f"'{name}' counts rounds, and {within} {clock.turn}s end in the middle of one")
    return position, replace(goal, clock=clock)
