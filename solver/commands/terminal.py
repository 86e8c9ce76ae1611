"""Lines that a person types, or that a pipe brings, and a table entered by hand in such lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rules.core.errors import BestlineError, joined, word_list
from rules.core.files import unmarked
from rules.core.position import Position
from rules.core.ruleset import list_rulesets
from rules.core.tools.output import write_file
from solver.commands.inputs import named_ruleset
from solver.commands.settings import Settings
from solver.tools.table_entry import EntryQuestion, TableEntry

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

LONGEST = 10_000
"""Bytes of a line that comes through a pipe."""
BACK = ("back", "<")
HELP = (
    "Enter leaves a question out: it is as at the start, or unknown. 'none' means there is nothing.",
    "Type names or how they begin, several at once: mush, 2 move. '?' lists what fits; 'back' goes back.",
)


class Terminal:
    """Where lines come from, one after the other."""

    def __init__(self) -> None:
        self.is_live = sys.stdin.isatty()
        """A person is there who sees what is asked."""
        self._pipe = iter(()) if self.is_live else self._piped()
        self._session: PromptSession[str] | None = None

    def line(self, prompt: str, words: Sequence[str] = (), above: Callable[[], str] | None = None) -> str:
        """Return the next line; at a terminal Tab completes it with one of the words.

        ``above`` gives the text of a line above the prompt, which is drawn anew as it changes.

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
        message = prompt if above is None else lambda: "\n".join(filter(None, (above(), prompt)))
        refresh_s = 0.5 if above else 0
        return self._session.prompt(
            message, completer=completer, complete_while_typing=False, refresh_interval=refresh_s
        )

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


# A table: one question after the other, each answer read at once, and taken back where it is wrong


def entered(terminal: Terminal, settings: Settings) -> Position:
    """Return the position that a person enters, and write it to a new file in the working folder.

    Raises:
        BestlineError: the lines end too soon; what was entered is written all the same.
    """
    talk = _Talk(terminal, settings)
    try:
        entry = talk.begun()
        while entry.now is not None:
            talk.take(entry, entry.now)
    except EOFError:
        talk.keep()
        raise BestlineError("the table is not whole: the lines ended before the last question") from None
    except KeyboardInterrupt:
        talk.keep()
        raise
    talk.keep()
    position = entry.position()
    settings.note(position.code)
    return position


class _Talk:
    """Questions and answers; what cannot be used is said, and asked again."""

    def __init__(self, terminal: Terminal, settings: Settings) -> None:
        self._terminal, self._settings = terminal, settings
        self._entry: TableEntry | None = None

    def begun(self) -> TableEntry:
        """Ask which game it is and how many play."""
        editions = [info.id for info in list_rulesets() if not info.extends]
        self._settings.note(f"Which game is it? {joined(editions)}, or the file of a variant")
        ruleset = None
        while ruleset is None:
            typed = self._line("Game: ", editions)
            begun = [name for name in editions if typed in (name[: len(typed)], name.partition("/")[2])]
            ruleset = named_ruleset(begun[0] if len(begun) == 1 else typed) if typed else None
            if ruleset is None:
                self._settings.note(
                    f"'{typed}' fits {word_list(begun) or 'none of them'}" if typed else "type its name"
                )
        for line in HELP:
            self._settings.note(line)
        least, most = ruleset.definition.players_allowed(ruleset)
        players = ruleset.definition.usual_players
        while least < most:
            typed = self._line(f"Players ({least} to {most}; {players} if left out): ", ())
            if not typed or (typed.isdecimal() and least <= int(typed) <= most):
                players = int(typed or players)
                break
            self._settings.note(f"a number from {least} to {most}, not '{typed}'")
        self._entry = TableEntry(ruleset, players)
        return self._entry

    def take(self, entry: TableEntry, question: EntryQuestion) -> None:
        """Ask one question, and take the answer or the way back."""
        words = question.words()
        typed = self._line(f"{question.say} (such as {question.example}): ", words)
        try:
            if typed in BACK:
                entry.back()
            elif typed == "?":
                self._settings.note(", ".join(words) or f"a number, such as {question.example}")
            else:
                entry.answer(typed)
        except BestlineError as fault:
            self._settings.note(str(fault))

    def keep(self) -> None:
        """Write what was entered so far to a file of its own."""
        if self._entry is None or not self._entry.answers:
            return
        names = (Path("table.toml"), *(Path(f"table-{number}.toml") for number in range(2, 1000)))
        file = next((name for name in names if not os.path.lexists(name)), None)
        if file is not None and os.access(Path(), os.W_OK):
            write_file(file, self._entry.file_text())
            self._settings.note(f"wrote {file}")

    def _line(self, prompt: str, words: list[str] | tuple[str, ...]) -> str:
        return self._terminal.line(prompt, words).strip()
