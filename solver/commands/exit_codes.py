"""How a command ends, as a number for whoever called it."""

from typing import Final

PROVED_OR_CLEAN: Final = 0
"""Answered, proved, clean."""
NEGATIVE: Final = 1
"""A negative answer: proved impossible, an invalid ruleset, a failed verification."""
BAD_INPUT: Final = 2
"""Bad usage or unreadable input."""
LIMIT_HIT: Final = 3
"""A limit was hit; the best found so far was printed with its bound."""
INTERNAL: Final = 70
"""A fault of ours."""
INTERRUPTED: Final = 130
"""Ctrl-C; the best found so far was printed."""


def exit_code(*, interrupted: bool = False, negative: bool = False, limit: bool = False) -> int:
    """Return the code of an answer that was interrupted, else is negative, else hit a limit, else is whole."""
    return INTERRUPTED if interrupted else NEGATIVE if negative else LIMIT_HIT if limit else PROVED_OR_CLEAN
