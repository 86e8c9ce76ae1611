"""A race asked with something more in mind: the rules stay those of the race inside."""

from __future__ import annotations

from typing import Any, TypeVar

from rules.core.race import Race

T = TypeVar("T")


def _passed_on(name: str) -> Any:
    """Return a method that asks the race inside."""

    def method(self: WrappedRace[Any], *given: Any, **named: Any) -> Any:
        return getattr(self.inner, name)(*given, **named)

    method.__name__ = name
    method.__doc__ = f"Return what ``{name}`` of the race inside returns."
    return method


class WrappedRace(Race[T]):
    """Answers as the race inside it; subclasses say what is measured or allowed besides.

    Fast forms of the race inside know nothing of that, so none is passed on unless a subclass tells them.
    """

    inner: Race[T]

    def __init__(self, inner: Race[T]) -> None:
        self.inner = inner
        self.unit, self.is_place = inner.unit, inner.is_place
        self.bottom = inner.bottom
        self.routine = inner.routine
        self.idle = inner.idle
        self.standing = inner.standing

    play_turn = _passed_on("play_turn")
    is_over = _passed_on("is_over")
    outcome = _passed_on("outcome")
    encode = _passed_on("encode")
    decode = _passed_on("decode")
    sentence = _passed_on("sentence")
    why_illegal = _passed_on("why_illegal")
    progress = _passed_on("progress")
    so_far = _passed_on("so_far")
    turns = _passed_on("turns")
    most_turns = _passed_on("most_turns")
    days = _passed_on("days")
    default_target = _passed_on("default_target")
    hand = _passed_on("hand")
    held = _passed_on("held")
    glance = _passed_on("glance")
    brief = _passed_on("brief")
    advance = _passed_on("advance")
