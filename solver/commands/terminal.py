"""Lines that a person types, with editing and completion at a terminal, or that a pipe brings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rules.core.errors import BestlineError
from rules.core.files import unmarked

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

LONGEST = 10_000
"""Bytes of a line that comes through a pipe."""


class Terminal:
    """Where lines come from, one after the other."""

    def __init__(self) -> None:
        self.is_live = sys.stdin.isatty()
        """A person is there who sees what is asked."""
        self._pipe = iter(()) if self.is_live else self._piped()
        self._session: PromptSession[str] | None = None

    def line(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return the next line; at a terminal Tab completes it with one of the words.

        Raises:
            EOFError: there are no more.
            KeyboardInterrupt: Ctrl-C was typed.
            BestlineError: a line is too long.
        """
        if not self.is_live:
            try:
                return next(self._pipe)
            except StopIteration:
                raise EOFError("no more lines") from None
        from prompt_toolkit.completion import WordCompleter

        self._session = self._session or _session()
        completer = WordCompleter(list(words), ignore_case=True, match_middle=True)
        return self._session.prompt(prompt, completer=completer, complete_while_typing=False)

    def _piped(self) -> Iterator[str]:
        for line in unmarked(sys.stdin.buffer, "<stdin>"):
            if len(line) > LONGEST:
                raise BestlineError(f"<stdin>: a line of more than {LONGEST:,} bytes is no step or question")
            yield line.decode("utf-8", "backslashreplace")


def _session() -> PromptSession[str]:
    from prompt_toolkit import PromptSession

    # Otherwise it asks the terminal where the cursor is, which some leave unanswered.
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    return PromptSession()
