"""Answers as JSON: the fields that other programs rely on, for every kind of question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.files import Source
from rules.core.position import Position
from rules.core.race import Race
from rules.core.schema import (
    Boolean,
    Either,
    Faults,
    Field,
    Integer,
    ListOf,
    Null,
    Number,
    Schema,
    Table,
    Text,
    optional,
)
from rules.core.steps import Event, Step
from solver.question import (
    SAMPLED,
    SETTLED,
    Answer,
    ContestFacts,
    MoveValue,
    NextMove,
    PlayedTurn,
    Question,
    Statistics,
    Status,
)
from solver.screens.common import decimal, exact, fraction_text
from solver.screens.words import UNCERTAIN, UNSETTLED, PayoffWords
from solver.search.first_turn import Branch

T = TypeVar("T")

RULE: Final = "rule of thumb"
"""How JSON calls the others where all seats play by the game's own rule."""
SCHEMA: Final = "bestline/answer/1"
"""Name and version of the shape of an answer; the number rises when a field changes its meaning."""
BRANCHES: Final = 12
"""Results of chance in JSON, or rows of a plan on a screen: the likeliest."""


def head(command: str, position: Position) -> dict[str, Any]:
    """Return what every answer begins with: what was asked, of which rules, knowing what."""
    return {
        "schema": SCHEMA,
        "command": command,
        "ruleset": position.ruleset.id,
        "fingerprint": position.fingerprint,
        "information": position.information,
    }


def answer_data(
    command: str, question: Question, answer: Answer[Any], top: int = 3, *, timed: bool = True
) -> dict[str, Any]:
    """Return an answer of ``solve`` or ``best``.

    ``top`` moves are written. ``timed`` says whether the clock may show, which differs from run to run.
    """
    position = question.position
    if answer.contest is not None:
        body = _contest_data(answer, answer.contest)
    elif answer.goal is not None:
        body = _policy_data(question, answer)
    else:
        body = _open_data(command, question, answer)
    data = {**head(command, position), **body}
    if "moves" in data:
        shown = answer if answer.sampled is None else answer.sampled
        moves = [move_data(each, shown, question.goal) for each in shown.moves[:top]]
        data["moves"] = moves
        versus = versus_move(shown, question.versus)
        if versus is not None:
            data["versus"] = move_data(versus, shown, question.goal)
            if answer.goal is not None and answer.contest is None:
                data["versus"]["plan"] = _plan_data(answer.instead)
            if answer.next_instead:
                data["versus"]["next_turn"] = _next_data(answer.next_instead)
    recalled = {"recalled": True} if answer.recalled and command == "solve" else {}
    data["statistics"] = {**statistics_data(answer.statistics, timed=timed), **recalled}
    return {**data, "interrupted": answer.interrupted, "position_code": position.code}


def _open_data(command: str, question: Question, answer: Answer[int]) -> dict[str, Any]:
    """Return what is said where everything is open."""
    goal, game = question.own_goal, question.position.game
    data: dict[str, Any] = {
        "goal": goal_data(goal),
        "status": answer.status.value,
        "value": goal.in_rounds(answer.value),
        "bound": goal.in_rounds(answer.bound),
        "line": [step.text for turn in answer.line for step in turn.steps],
        "proof": plain(answer.proof),
    }
    if command == "solve":
        return {**data, "plan": [_turn(game, turn) for turn in answer.turns]}
    data |= {"moves": (), "considered": answer.considered, "open": len(question.moves())}
    sampled = answer.sampled
    if sampled is not None:
        data |= {
            "method": sampled.method,
            "moves_goal": goal_data(sampled.goal),
            "considered": sum(each.is_tried for each in sampled.moves),
            "line": data["line"] or [each.move.text for each in sampled.moves[:1]],
            **_sure(sampled),
        }
    return data


def _policy_data(question: Question, answer: Answer[Fraction]) -> dict[str, Any]:
    """Return what is said where chance is hidden: values are exact fractions as text beside a decimal."""
    is_sampled = answer.method == SAMPLED
    tried = sum(each.is_tried for each in answer.moves)
    first = answer.moves[:1] if answer.status is not Status.INFEASIBLE else ()
    return {
        **_values(answer),
        "goal": goal_data(answer.goal),
        **({} if answer.least is None else {"least": fraction_text(answer.least)}),
        "method": answer.method,
        "moves": (),
        "considered": tried if is_sampled else len(answer.moves),
        "open": len(answer.moves) + answer.left_out + answer.unproved + answer.passed_over,
        "line": [each.move.text for each in first],
        "plan": _plan_data(answer.plan),
        "plan_leaves_out": str(answer.omitted + chance_of(answer.plan[BRANCHES:])),
        "proof": {"method": "expectimax" if answer.status in SETTLED else "none"},
        **(_sure(answer) if is_sampled else {}),
        **({"opponents": answer.others} if answer.others else {}),
        **(_in_place_of(question, answer) if question.goal != answer.goal else {}),
        "next_turn": _next_data(answer.next_turn),
    }


def _in_place_of(question: Question, answer: Answer[Fraction]) -> dict[str, Any]:
    """Return what is known of the goal that was asked, where another one is answered in its place."""
    if answer.instead_of is None:
        return {"asked": goal_data(question.goal)}
    return {
        "goal": goal_data(answer.instead_of),
        "moves_goal": goal_data(answer.goal),
        "status": Status.UNKNOWN.value,
        "value": None,
        "decimal": None,
        "bound": fraction_text(answer.instead_bound),
    }


def _contest_data(answer: Answer[Fraction], facts: ContestFacts) -> dict[str, Any]:
    """Return what is said about several players: values are those of the seat that moves."""
    is_sampled = answer.method == SAMPLED
    asked = None if facts.guessed else facts.rounds
    data = {
        "goal": {"objective": "win", "within_rounds": asked, "seat": facts.seat},
        "opponents": RULE if facts.by_rule else facts.opponents.value,
        "payoff": PayoffWords(facts.stake).stakes,
        **_values(answer),
        "method": answer.method,
        "moves": (),
        "considered": sum(each.is_tried for each in answer.moves) if is_sampled else len(answer.moves),
        "open": len(answer.moves) + answer.passed_over,
        "line": list(facts.follows),
        "proof": {"method": answer.method if answer.status is Status.OPTIMAL else "none"},
        "verdict": answer.verdict,
    }
    if not is_sampled:
        return {
            **data,
            "bounds": [fraction_text(facts.low), fraction_text(answer.bound)],
            "turns_ahead": facts.turns,
        }
    return {
        **data,
        **_sure(answer),
        "opponents_know": "their own cards" if facts.apart else "what this player knows",
        "rounds_ahead": facts.rounds,
        "guessed_beyond": facts.guessed,
        **({"simplified": facts.simplified} if facts.simplified else {}),
    }


def _values(answer: Answer[Fraction]) -> dict[str, Any]:
    is_share = answer.contest is not None and not answer.contest.stake
    chance = answer.value if is_share else next((each.win_chance for each in answer.moves), None)
    return {
        "status": answer.status.value,
        **exact("value", answer.value),
        **({"win_chance": decimal(chance)} if is_share or chance is not None else {}),
        "bound": fraction_text(answer.bound),
    }


def _sure(answer: Answer[Fraction]) -> dict[str, Any]:
    """Return how sure the best of sampled moves is."""
    kind = {"decided_kind": answer.kind} if answer.kind else {}
    return {"verdict": answer.verdict, **kind, "interval": _pair(answer.moves[0].interval)}


def move_data(move: MoveValue[Any], answer: Answer[Any], goal: Goal | None = None) -> dict[str, Any]:
    """Return what is known of a move; ``goal`` is the one that was asked."""
    if answer.goal is None and answer.contest is None:
        assert goal is not None
        return {
            "move": move.move.text,
            "status": move.status.value,
            "value": goal.in_rounds(move.value),
            "bound": goal.in_rounds(move.bound),
            "loss": move.loss,
            "line": [step.text for turn in move.line for step in turn.steps],
        }
    data: dict[str, Any] = {"move": move.move.text, **exact("value", move.value), "loss": fraction_text(move.loss)}
    is_sampled = answer.method == SAMPLED
    is_share = answer.contest is not None and not answer.contest.stake
    if is_share or move.win_chance is not None:
        data["win_chance"] = decimal(move.value if is_share else move.win_chance)
    if answer.contest is not None and not is_sampled:
        data["loss_at_least"] = fraction_text(move.at_least)
    if move.share is not None:
        data["share"] = str(move.share)
    fewest = answer.goal is not None and answer.goal.objective is Objective.MIN_TURNS
    if move.value is None and fewest and not is_sampled:
        data["why"] = UNCERTAIN if move.is_settled else UNSETTLED
    if move.is_proved:
        data["proved"] = True
    if move.playouts or (answer.contest is not None and is_sampled):
        data |= {"interval": _pair(move.interval), "playouts": move.playouts}
    return data


def versus_move(answer: Answer[Any], move: Step | None) -> MoveValue[Any] | None:
    """Return what is known of a move that the question names."""
    return next((each for each in answer.moves if each.move == move), None)


def _pair(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _plan_data(plan: Sequence[Branch]) -> list[dict[str, Any]]:
    return [
        {
            "seen": list(branch.seen),
            "moves": list(branch.then),
            "probability": str(branch.probability),
            "value": fraction_text(branch.value),
        }
        for branch in plan[:BRANCHES]
    ]


def chance_of(branches: Sequence[Branch | NextMove]) -> Fraction:
    """Return the chance of several results together."""
    return sum((branch.probability for branch in branches), Fraction(0))


def _next_data(following: Sequence[NextMove]) -> list[dict[str, Any]]:
    """Return what to do on the next turn."""
    return [
        {
            "move": each.move,
            "when": [list(seen) for seen in each.when],
            "payment_open": each.is_payment_open,
            "probability": str(each.probability),
            "value": fraction_text(each.value),
        }
        for each in following
    ]


def plan_of(data: Mapping[str, Any]) -> tuple[tuple[Branch, ...], Fraction]:
    """Return the plan of an answer that is given as JSON, and the chance of what it leaves out."""
    branches = (
        Branch(tuple(each["seen"]), tuple(each["moves"]), Fraction(each["probability"]), _fraction(each["value"]))
        for each in data.get("plan", ())
    )
    return tuple(branches), _fraction(data.get("plan_leaves_out")) or Fraction(0)


def next_moves_of(data: Mapping[str, Any]) -> tuple[NextMove, ...]:
    """Return what an answer that is given as JSON says of the next turn."""
    return tuple(
        NextMove(
            each["move"],
            tuple(map(tuple, each["when"])),
            Fraction(each["probability"]),
            _fraction(each["value"]),
            each["payment_open"],
        )
        for each in data.get("next_turn", ())
    )


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def goal_data(goal: Goal | None) -> dict[str, Any]:
    """Return a goal; of a challenge also what its values are, such as ``max_distance``, and its terms if it has any."""
    assert goal is not None
    challenge = {"measure": goal.objective.value} if goal.challenge else {}
    terms = {"terms": dict(goal.terms)} if goal.terms else {}
    return {
        "objective": goal.challenge or goal.objective.value,
        **challenge,
        **terms,
        "target": goal.target,
        "within_turns": goal.within_turns,
        "forbidden": sorted(goal.forbidden),
        "kept": sorted(goal.kept),
        "seat": goal.seat,
    }


def plain(record: Any) -> dict[str, Any]:
    """Return the fields of a data class as JSON has them: lists for tuples, and fractions as text."""
    values = {each.name: getattr(record, each.name) for each in fields(record)}
    return {
        name: list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Fraction) else value
        for name, value in values.items()
    }


def statistics_data(statistics: Statistics, *, timed: bool) -> dict[str, Any]:
    """Return what an answer cost."""
    data = plain(statistics)
    time_s = data.pop("time_s")
    return {"time_s": round(time_s, 4), **data} if timed else data


def event_data(event: Event, sentence: str) -> dict[str, Any]:
    """Return an event with its words."""
    return {"rule": event.rule, "kind": event.kind, "text": sentence}


def _turn(game: Race[T], turn: PlayedTurn[T]) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "moves": list(turn.steps),
        "from": turn.before,
        "to": turn.after,
        "events": [event_data(event, game.sentence(event)) for event in turn.events],
        "notes": [{"kind": note.kind, **note.data} for note in turn.notes],
    }


# Answers that are read back


def _or_null(schema: Schema) -> Either:
    return Either((schema, Null()))


_TEXTS: Final = ListOf(Text())
_FRACTION: Final = Text(pattern=r"-?[0-9]{1,300}(?:/0*[1-9][0-9]{0,999})?", kind="a fraction such as 1/2")
_VALUE: Final = Either((Integer(None), _FRACTION, Null()))
_GOAL: Final = Table(
    {
        "objective": optional(Text()),
        "measure": optional(Text(tuple(objective.value for objective in Objective))),
        "terms": optional(Table({}, open=True)),
        **dict.fromkeys(("target", "within_turns"), optional(_or_null(Integer()))),
        "forbidden": optional(_TEXTS),
        "seat": optional(Integer()),
    },
    open=True,
)
_BRANCH: Final = Table(
    {"seen": Field(_TEXTS), "moves": Field(_TEXTS), "probability": Field(_FRACTION), "value": Field(_VALUE)}, open=True
)
_MOVE: Final = Table(
    {
        "move": Field(Text()),
        "value": optional(_VALUE),
        "win_chance": optional(_or_null(Number())),
    },
    open=True,
)
_PROOF: Final = Table(
    {
        **dict.fromkeys(("method", "bound_name"), optional(Text())),
        **dict.fromkeys(("states", "pruned"), optional(Integer())),
        "excluded_turns": optional(_or_null(Integer())),
        **dict.fromkeys(("projections", "checked_by"), optional(_TEXTS)),
    },
    open=True,
)
_COMING: Final = Table(
    {
        "move": Field(_or_null(Text())),
        "when": Field(ListOf(_TEXTS)),
        "payment_open": Field(Boolean()),
        "probability": Field(_FRACTION),
        "value": Field(_VALUE),
    },
    open=True,
)
_FIELDS: Final = {
    "position_code": Field(Text()),
    "line": optional(_TEXTS),
    **dict.fromkeys(("goal", "asked", "moves_goal"), optional(_GOAL)),
    "status": optional(_or_null(Text())),
    "value": optional(_VALUE),
    "moves": optional(ListOf(Either((Text(), _MOVE)))),
    "proof": optional(_PROOF),
    **dict.fromkeys(("information", "payoff", "method", "verdict", "decided_kind"), optional(Text())),
}
ANSWER: Final = Table(_FIELDS, open=True)
"""What is needed of an answer whose line is all that there is to do."""
BRANCHING: Final = Table(
    {
        **_FIELDS,
        "plan": optional(ListOf(_BRANCH)),
        "plan_leaves_out": optional(_VALUE),
        "next_turn": optional(ListOf(_COMING)),
    },
    open=True,
)
"""Likewise of one whose plan hangs on what chance brings."""


def is_answer(data: Mapping[str, Any]) -> bool:
    """Return whether a text is an answer of ours, damaged or not, and no position."""
    return "position_code" in data and "game" not in data


def is_branching(answer: Mapping[str, Any]) -> bool:
    """Return whether an answer is one about hidden chance, so that its line is a first move alone."""
    return answer.get("information") == "hidden" and "moves" in answer


def check_answer(source: Source) -> None:
    """See to it that an answer with a line has the shape that its readers rely on.

    Raises:
        ContentError: every fault of it.
    """
    faults = Faults(source.fault)
    (BRANCHING if is_branching(source.data) else ANSWER).check(source.data, (), faults)
    faults.raise_any()
