"""What a certificate asks: its position read anew, and its goal held against the rules and the challenge it names.

A goal is that of a challenge, with target, objective and terms as the game states them, or one of its own. What it
forbids, keeps and limits besides is stated with what is proved, so nothing in it may be vague, idle, or passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from puzzles.goal import MEASURES, Goal, Objective
from rules.core.challenge import Challenge, Challenger, Fate, Opponent, QuestRace
from rules.core.errors import BestlineError, ContentError, escaped
from rules.core.files import canonical_json, read_text
from rules.core.position import Position, read_position
from rules.core.race import Race
from solver.checker.certificate import Claim


class Rejected(BestlineError):
    """The certificate does not prove what it claims; the message says what is wrong."""


def question_of(claim: Claim) -> tuple[Position, Goal, Race[Any]]:
    """Return the position, the goal and the game of a certificate, with the goal as the rules state it.

    Raises:
        Rejected: the certificate is about other rules, or its goal is not one that the rules know.
    """
    goal, position = claim.goal, _position(claim)
    game = position.game
    if not isinstance(game, Race) or goal.seat >= position.players:
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
        position = position.keeping(goal.kept, goal.seat)
    except ContentError as fault:
        raise Rejected(fault.faults[0].message) from None
    game = position.game
    assert isinstance(game, Race)
    return position, goal, game


def aimed(position: Position, goal: Mapping[str, Any]) -> Position:
    """Return a position with progress measured as the goal of an audit's answer has it.

    Raises:
        Rejected: the goal names another target than its challenge has.
        ContentError: its challenge does not fit the position.
    """
    if not goal["challenge"]:
        return position
    position = position.towards(goal["challenge"], goal["seat"], goal["terms"])
    game = position.game
    if not isinstance(game, Race) or goal["target"] != game.default_target():
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
    game, name = position.game, goal.challenge
    challenge = game.challenges().get(name) if isinstance(game, Challenger) else None
    if challenge is None or not isinstance(game, Challenger):
        raise Rejected(f"the game has no challenge '{name}'")
    shape = game.goal_schema(name)
    if not shape.accepts(goal.terms):
        raise Rejected(f"the terms are none that '{name}' has")
    try:
        position = position.towards(name, goal.seat, goal.terms)
    except ContentError as fault:
        raise Rejected(f"'{name}' does not fit the position: {fault.faults[0].message}") from None
    quest_race = position.game
    assert isinstance(quest_race, QuestRace)
    _refuse_others(challenge, quest_race)
    objective, target, clock = MEASURES[challenge.measure], quest_race.default_target(), quest_race.quest.clock()
    if goal.objective is not objective or goal.target != target:
        stated = f"'{goal.objective}' with target {goal.target}"
        raise Rejected(f"'{name}' asks for '{objective}' with target {target}, the goal for {stated}")
    within = goal.within_turns
    if clock is not None and within is not None and within != clock.turns_in(clock.rounds(within)):
        raise Rejected(f"'{name}' counts rounds, and {within} {clock.turn}s end in the middle of one")
    return position, replace(goal, asked=quest_race.quest.asked(), clock=clock)


def _refuse_others(challenge: Challenge, game: QuestRace[Any]) -> None:
    """Refuse a challenge that is not about one player who knows all that comes.

    Raises:
        Rejected: it is about others, an adversary, or something hidden.
    """
    alone = challenge.players == 1 and challenge.opponent is Opponent.NONE
    if not alone or game.quest.fate is Fate.CRUEL or "open" not in challenge.variants:
        raise Rejected(f"'{challenge.id}' is not about one player who knows all that comes")
