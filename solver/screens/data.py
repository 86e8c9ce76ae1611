"""Answers as JSON: the fields that other programs rely on, and what is read of them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.files import Faults, KeyPath, Source
from rules.core.position import Position
from rules.core.schema import Boolean, Either, Integer, ListOf, Null, Number, Schema, Table, Text
from rules.core.scripts import Event
from rules.core.tools.output import picked, plain, stated
from rules.core.turns import Game
from solver.question import SAMPLED, Answer, ContestFacts, MoveValue, NextMove, Question, Status
from solver.screens import common
from solver.screens.policy import BRANCHES
from solver.search.expectimax import Branch, chance_of

SCHEMA: Final = "bestline/answer/1"
"""Name and version of the shape of an answer; the number rises when a field changes its meaning."""


def answer_of(command: str, position: Position, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer with what every one begins and ends with: what was asked, of which rules, knowing what."""
    return {
        "schema": SCHEMA,
        "command": command,
        "ruleset": position.ruleset.id,
        **picked(position, "fingerprint", "information"),
        **body,
        "position_code": position.code,
    }


def answer_data(
    command: str, question: Question, answer: Answer[Any], top: int, *, timed: bool = True
) -> dict[str, Any]:
    """Return an answer of ``solve`` or ``best``.

    ``top`` moves are written. ``timed`` says whether the clock may show, which differs from run to run.
    """
    if answer.contest is not None:
        data = _contest_data(answer, answer.contest)
    elif answer.goal is not None:
        data = _policy_data(question, answer)
    else:
        data = _open_data(command, question, answer)
    if "moves" in data:
        shown = answer.compared
        data["moves"] = [_move_data(each, shown, question.goal) for each in shown.moves[:top]]
        versus = shown.of_move(question.versus)
        if versus is not None:
            data["versus"] = _move_data(versus, shown, question.goal)
            if answer.contest is None and not answer.is_open:
                data["versus"]["plan"] = _plan_data(answer.instead)
            if answer.next_instead:
                data["versus"]["next_turn"] = _next_data(answer.next_instead)
    cost = {"time_s": round(answer.statistics.time_s, 4)} if timed else {}
    cost |= picked(answer.statistics, "generated", "expanded", "engine")
    cost |= {"recalled": True} if answer.recalled and command == "solve" else {}
    return answer_of(command, question.position, {**data, "statistics": cost, **picked(answer, "interrupted")})


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
        plan = [
            {
                "turn": turn.number,
                "moves": list(turn.steps),
                "from": turn.before,
                "to": turn.after,
                "events": events_data(game, turn.events),
                "notes": list(turn.notes),
            }
            for turn in answer.turns
        ]
        return {**data, "plan": plan}
    data |= {"moves": (), "considered": answer.considered, "open": len(question.moves())}
    sampled = answer.sampled
    if sampled is None:
        return data
    return data | {
        "method": sampled.method,
        "moves_goal": goal_data(sampled.goal),
        "considered": sampled.tried,
        "line": data["line"] or [each.move.text for each in sampled.moves[:1]],
        **_sure(sampled),
    }


def _policy_data(question: Question, answer: Answer[Fraction]) -> dict[str, Any]:
    """Return what is said where chance is hidden: values are exact fractions as text beside a decimal."""
    data = {
        **_values(answer),
        "goal": goal_data(answer.goal),
        **stated(least=answer.least),
        "method": answer.method,
        "moves": (),
        "considered": answer.tried,
        "open": answer.choices,
        "line": [each.move.text for each in answer.moves[:1] if answer.status is not Status.INFEASIBLE],
        "plan": _plan_data(answer.plan),
        "plan_leaves_out": str(answer.omitted + chance_of(answer.plan[BRANCHES:])),
        "proof": {"method": "expectimax" if answer.status.is_settled else "none"},
        **(_sure(answer) if answer.is_sampled else {}),
        **stated(opponents=answer.others),
        "next_turn": _next_data(answer.next_turn),
    }
    if question.goal == answer.goal:
        return data
    if answer.instead_of is None:
        return data | {"asked": goal_data(question.goal)}
    # Moves are compared by another goal; of the one that was asked only a bound is known.
    unknown = {"status": Status.UNKNOWN.value, "value": None, "decimal": None, "bound": plain(answer.instead_bound)}
    return data | {"goal": goal_data(answer.instead_of), "moves_goal": goal_data(answer.goal), **unknown}


def _contest_data(answer: Answer[Fraction], facts: ContestFacts) -> dict[str, Any]:
    """Return what is said about several players: values are those of the seat that moves."""
    data = {
        "goal": {"objective": "win", "within_rounds": None if facts.guessed else facts.rounds, "seat": facts.seat},
        "opponents": "rule of thumb" if facts.by_rule else facts.opponents.value,
        "payoff": f"{facts.stake}s ahead" if facts.stake else common.SHARE,
        **_values(answer),
        "method": answer.method,
        "moves": (),
        "considered": answer.tried,
        "open": answer.choices,
        "line": list(facts.follows),
        "proof": {"method": answer.method if answer.status is Status.OPTIMAL else "none"},
        "verdict": answer.verdict,
    }
    if not answer.is_sampled:
        return data | {"bounds": plain((facts.low, answer.bound)), "turns_ahead": facts.turns}
    return {
        **data,
        **_sure(answer),
        "opponents_know": "their own cards" if facts.apart else "what this player knows",
        "rounds_ahead": facts.rounds,
        "guessed_beyond": facts.guessed,
        **stated(simplified=facts.simplified),
        **({} if facts.passed is None else {"passed_chance": common.decimal(facts.passed)}),
    }


def _values(answer: Answer[Fraction]) -> dict[str, Any]:
    chance = answer.value if _is_share(answer) else next((each.win_chance for each in answer.moves), None)
    return {
        "status": answer.status.value,
        **common.exact("value", answer.value),
        **({"win_chance": common.decimal(chance)} if _is_share(answer) or chance is not None else {}),
        "bound": plain(answer.bound),
    }


def _is_share(answer: Answer[Any]) -> bool:
    return answer.contest is not None and not answer.contest.stake


def _sure(answer: Answer[Fraction]) -> dict[str, Any]:
    """Return how sure the best of sampled moves is."""
    return {
        "verdict": answer.verdict,
        **stated(decided_kind=answer.kind),
        "interval": plain(answer.moves[0].interval),
    }


def _move_data(move: MoveValue[Any], answer: Answer[Any], goal: Goal | None) -> dict[str, Any]:
    """Return what is known of a move; ``goal`` is the one that was asked."""
    data: dict[str, Any] = {"move": move.move.text}
    if answer.is_open:
        assert goal is not None
        value, bound = goal.in_rounds(move.value), goal.in_rounds(move.bound)
        data |= {"status": move.status.value, "value": value, "bound": bound, "loss": move.loss}
        return data | {"line": [step.text for turn in move.line for step in turn.steps]}
    data |= {**common.exact("value", move.value), "loss": plain(move.loss)}
    is_sampled = answer.method == SAMPLED
    if _is_share(answer) or move.win_chance is not None:
        data["win_chance"] = common.decimal(move.value if _is_share(answer) else move.win_chance)
    if answer.contest is not None and not is_sampled:
        data["loss_at_least"] = plain(move.at_least)
    data |= stated(share=move.share)
    fewest = answer.goal is not None and answer.goal.objective is Objective.MIN_TURNS
    if move.value is None and fewest and not is_sampled:
        data["why"] = common.UNCERTAIN if move.is_settled else common.UNSETTLED
    if move.is_proved:
        data["proved"] = True
    if move.playouts or (answer.contest is not None and is_sampled):
        data |= picked(move, "interval", "playouts")
    return data


def _plan_data(plan: Sequence[Branch]) -> list[dict[str, Any]]:
    return [
        {**picked(each, "seen"), "moves": list(each.then), **picked(each, "probability", "value")}
        for each in plan[:BRANCHES]
    ]


def _next_data(following: Sequence[NextMove]) -> list[dict[str, Any]]:
    """Return what to do on the next turn."""
    return [picked(each, "move", "when", "is_payment_open", "probability", "value") for each in following]


def goal_data(goal: Goal | None) -> dict[str, Any]:
    """Return a goal; of a challenge also what its values are, such as ``max_distance``, and its terms if it has any."""
    assert goal is not None
    return {
        "objective": goal.challenge or goal.objective.value,
        **({"measure": goal.objective.value} if goal.challenge else {}),
        **({"terms": dict(goal.terms)} if goal.terms else {}),
        **picked(goal, "target", "within_turns", "forbidden", "kept", "seat"),
    }


def events_data(game: Game[Any], events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return events with their words."""
    return [{"rule": event.rule, "kind": event.kind, "text": game.sentence(event)} for event in events]


# Answers that are read back


def plan_of(data: Mapping[str, Any]) -> tuple[tuple[Branch, ...], Fraction]:
    """Return the plan of an answer that is given as JSON, and the chance of what it leaves out."""
    told = data.get("plan", ())
    plan = tuple(
        Branch(tuple(each.get("seen", ())), tuple(map(str, each.get("moves", ()))), *_chance_of(each)) for each in told
    )
    return plan, Fraction(data.get("plan_leaves_out") or 0)


def next_moves_of(data: Mapping[str, Any]) -> tuple[NextMove, ...]:
    """Return what an answer that is given as JSON says of the next turn."""
    return tuple(
        NextMove(each.get("move", ""), each.get("when", ()), *_chance_of(each), each.get("payment_open", False))
        for each in data.get("next_turn", ())
    )


def _chance_of(result: Mapping[str, Any]) -> tuple[Fraction, Fraction | None]:
    """Return the chance of a result, and its value."""
    value = result.get("value")
    return Fraction(result.get("probability", 0)), None if value is None else Fraction(value)


_TEXTS, _TABLE, _NUMBER = ListOf(Text()), Table({}, open=True), Either((Integer(), Null()))
_FRACTION: Final = Text(pattern=r"-?[0-9]{1,300}(?:/0*[1-9][0-9]{0,999})?", kind="a fraction such as 1/2")
_SHAPES: Final[Mapping[str, Schema]] = {
    **dict.fromkeys(("move", "information", "objective", "payoff", "method", "verdict", "decided_kind"), Text()),
    **dict.fromkeys(("status", "bound_name"), Either((Text(), Null()))),
    **dict.fromkeys(("line", "seen", "forbidden", "projections", "checked_by"), _TEXTS),
    **dict.fromkeys(("goal", "asked", "moves_goal", "terms", "proof"), _TABLE),
    **dict.fromkeys(("plan", "next_turn"), ListOf(_TABLE)),
    **dict.fromkeys(("target", "within_turns", "excluded_turns"), _NUMBER),
    **dict.fromkeys(("seat", "states", "pruned", "playouts"), Integer()),
    **dict.fromkeys(("value", "plan_leaves_out"), Either((Integer(None), _FRACTION, Null()))),
    "measure": Text(tuple(objective.value for objective in Objective)),
    "moves": ListOf(Either((Text(), _TABLE))),
    "when": ListOf(_TEXTS),
    "probability": _FRACTION,
    "payment_open": Boolean(),
    "win_chance": Either((Number(), Null())),
    "interval": Either((ListOf(Number(), 2, 2), Null())),
}
"""The shapes of what is read of an answer, by the keys, which mean the same wherever they stand."""


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
    _check(source.data, (), faults)
    faults.raise_any()


def _check(table: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    for name, value in table.items():
        if name in _SHAPES:
            _SHAPES[name].check(value, (*path, name), faults)
            for place, part in enumerate(value) if isinstance(value, list) else (("", value),):
                if isinstance(part, Mapping):
                    _check(part, (*path, name) if place == "" else (*path, name, place), faults)
