"""The shape of answers that are read back: what is needed of them, whoever has had the file in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.files import Source
from rules.core.schema import Boolean, Either, Faults, Field, Integer, ListOf, Null, Schema, Table, Text, optional


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
    faults = Faults.of(source)
    (BRANCHING if is_branching(source.data) else ANSWER).check(source.data, (), faults)
    faults.raise_any()
