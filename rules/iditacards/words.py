"""Sentences for what the rules did; every kind of event has one."""

from __future__ import annotations

from rules.core.steps import Event
from rules.iditacards.content import Content


def sentence(content: Content, event: Event) -> str:
    """Return an event in one plain sentence without a full stop."""
    return f"{event.kind} {dict(event.data)}"
