"""The companion at the table: a line typed, what the rules made of it, and advice when it is asked for."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import typer

from puzzles.puzzle import Objective, Puzzle, forbidden_step
from rules.core.errors import BestlineError, SeveralFit, capitalised, escaped
from rules.core.position import Position, new_position
from rules.core.scripts import CHANCE, OVER, Step
from rules.core.tools.output import refuse_unwritable, stated
from solver.commands import question as asking
from solver.commands.answers import BestOptions, advise, payments_shown, risks_shown
from solver.commands.line_input import Terminal, entered
from solver.commands.settings import STDIO, Settings, Shown, argument, begin, hushed, option
from solver.render import EMPTY, Row, draw, table
from solver.screens import policy
from solver.screens.common import count, events_data, goal_sentence, option_rows, position_rows, step_rows
from solver.tools.table_entry import Companion

if TYPE_CHECKING:
    from solver.screens.answer import Answered

ADVICE_S = 1.0
"""Seconds for an answer where --time does not say."""
ROUNDS_S = (2, 8, 30)
"""Seconds of each search in the background, the next one longer than all before."""
LISTED = 12
"""Moves that are listed without being asked for."""
TOP = 3
"""Moves that advice shows where no number is asked for."""
HELP = (
    ("a step", "its number in the last list, or how its words begin ('p mu a'); ';' joins, ',' what came up"),
    ("best", "the best move found so far, numbered; 'best 5' shows five"),
    ("why", "the same with its reasons, the plan, and what it rests on"),
    ("hint", "a nudge; 'hint card', 'hint move', 'hint line' tell more; 'play -q' hides the rest"),
    ("risk", "the chance that each risk card comes through"),
    ("pay", "'pay CARD': which cards to give up for it"),
    ("moves", "all that can be done or come up now"),
    ("show", "the table"),
    ("undo", "take the last step back; 'undo 3' three"),
    ("save", "write the game; 'save FILE' under another name"),
    ("quit", "stop; Ctrl-D does so too"),
)


def play(
    settings: Settings,
    what: str | None = argument("[RULESET-or-STATE]", "Where to begin: an id of 'rules list', or a position.", None),
    resume: Path | None = option("Go on with a saved game; it is saved as you play.", metavar="FILE"),
    save: Path | None = option("Save the game here after every step.", metavar="FILE"),
    players: int | None = option("With a RULESET: how many play.", min=1),
    *,
    asked: asking.GoalOptions,
) -> None:
    """Follow a real game: moves, draws and rolls in a few keys. Without RULESET-or-STATE, enter your table first."""
    if what is not None and resume is not None:
        raise typer.BadParameter("give a RULESET-or-STATE to begin with, or --resume FILE, not both")
    wanted = asked.goal_table()
    if wanted and resume is not None:
        raise typer.BadParameter("a saved game has its goal; leave out what says another one")
    refuse_unwritable(save, kept=True)
    if save is not None and save.exists():
        settings.note(f"{save}: the game that is there is written over; --resume goes on with it")
    if resume == Path(STDIO):
        raise BestlineError(f"--resume {resume}: the game is saved as it is played; give a file's name")
    terminal = Terminal()
    if resume is not None:
        companion = Companion(*asking.read_record(str(resume)))
    else:
        companion = _begun(_placed(what, players, settings) if what else entered(terminal, settings), wanted)
    _Table(companion, save or resume, settings, terminal).run(advised=what is None and resume is None)


def _begun(begun: Puzzle | Position, wanted: Mapping[str, Any]) -> Companion:
    """Return a new game from a position or a puzzle, about the goal that the options tell."""
    if not wanted:
        return Companion(begun)
    if "objective" not in wanted and not isinstance(begun, Puzzle) and asking.who_wins(begun, wanted) is not None:
        wanted = {"objective": Objective.WIN.value, "within_rounds": wanted["within_turns"]}
    position, goal = asking.own_goal(begun, wanted)
    if isinstance(begun, Puzzle):
        return Companion(replace(begun, position=position, goal=goal))
    return Companion(Puzzle(id="table", title="At the table", position=position, goal=goal))


def _placed(what: str, players: int | None, settings: Settings) -> Puzzle | Position:
    """Return where a new game begins: nothing is known in advance of one that is dealt."""
    if (rules := asking.named_ruleset(what)) is not None:
        seats = rules.definition.players_allowed(rules).usual if players is None else players
        settings.note("dealt from the seed; for cards on a real table begin with a position, see 'position new'")
        return new_position(rules, seats, settings.seed or 0, ())
    if players is not None:
        raise typer.BadParameter("--players goes with a RULESET; a position says itself how many play")
    return asking.read_given(what).posed()


class _Table:
    """The conversation: one line in, one answer out."""

    def __init__(self, companion: Companion, file: Path | None, settings: Settings, terminal: Terminal) -> None:
        self._companion, self._file, self._terminal = companion, file, terminal
        self._time_s = ADVICE_S if settings.time_s is None else settings.time_s
        self._settings = replace(settings, time_s=self._time_s, output=None)
        self._numbered: Sequence[str] = ()
        """Texts of the moves that were listed last, to be taken by number."""
        self._findings = Findings()
        words = ("best", "help", "hint", "moves", "pay", "risk", "save", "show", "undo", "why")
        self._commands: dict[str, Callable[[str], None]] = {word: getattr(self, f"_{word}") for word in words}

    def run(self, *, advised: bool) -> None:
        """Answer line by line until there are no more; ``advised`` begins with the best move."""
        self._show("")
        self._ask()
        if advised and self._companion.actor >= 0 and not self._terminal.is_live:
            self._best("")
        with suppress(EOFError, KeyboardInterrupt), closing(self):
            while (typed := self._line().strip()) not in ("quit", "exit", "q"):
                begin()
                try:
                    self._answer(typed)
                except BestlineError as fault:
                    told = str(fault).replace("'bestline moves'", "'moves'")  # a word of this conversation
                    self._say({"error": told}, f"? {told}")
                    self._numbered = fault.numbered if isinstance(fault, SeveralFit) else self._numbered
                except KeyboardInterrupt:
                    hushed()
                    self._settings.note("stopped")
        if self._file is None and self._companion.record:
            again = " ".join((self._companion.position.code, *asking.options_of(self._companion.question)))
            self._settings.note(f"not saved ('save FILE' before the end keeps a game); 'bestline play {again}' goes on")

    def _line(self) -> str:
        """Return what is typed next; while the player looks at the table, another process looks for the best move."""
        words = [*self._commands, *(step.text for step in self._companion.options())]
        is_thinking = self._terminal.is_live and self._companion.actor >= 0 and not self._settings.deterministic
        if is_thinking:
            self._findings.go_on(self._companion.question, self._settings)
        above = self._thoughts if is_thinking and not self._settings.quiet else None
        return self._terminal.line(f"{self._prompt()}> ", words, above)

    def _thoughts(self) -> str:
        found, style = self._findings.answered, self._settings.style._replace(colour=False)
        if found is None:
            return "" if self._findings.seconds else "thinking …"
        return draw(replace(found, top=TOP).brief_rows(numbered=False), style).rstrip()

    def close(self) -> None:
        """End the search in the background, and forget what was found: it is about a table of before."""
        self._findings.stop()
        self._findings = Findings()

    def _prompt(self) -> str:
        actor, game = self._companion.actor, self._companion.game
        name = "you" if game.players == 1 else game.profile.seat_name(actor)
        return (name if actor >= 0 else self._who()).capitalize()

    def _who(self) -> str:
        actor = self._companion.actor
        return {CHANCE: "what came up", OVER: "over"}.get(actor, f"player {actor}")

    def _answer(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = self._commands.get({"?": "help", "back": "undo"}.get(word, word))
        if command is not None and not any(step.text == typed for step in self._companion.options()):
            command(rest.strip())
            return
        before = self._companion.record
        try:
            joint = r";|,\s" if self._companion.actor == CHANCE else ";"
            for part in filter(None, map(str.strip, re.split(joint, typed))):
                self._take(part)
        finally:  # some may have been taken before one that is refused
            if self._companion.record != before:
                self._ask()

    def _say(self, data: dict[str, Any], told: Sequence[Row] | str) -> None:
        """Answer one line: as a screen or text, or as one JSON object with who decides next."""
        now = stated(to_act=self._who(), purpose=self._companion.purpose, position_code=self._companion.position.code)
        self._settings.show(Shown({**data, **now}, [Row(told)] if isinstance(told, str) else told))

    def _open(self) -> list[Step]:
        """Return what can be done or come up now, as far as the goal allows."""
        return [step for step in self._companion.options() if not forbidden_step(step, self._companion.forbidden)]

    def _list(self, steps: Sequence[Step]) -> list[Row]:
        """Return some steps, numbered from now on."""
        self._numbered = [step.text for step in steps]
        return option_rows(self._companion.game, self._companion.state, steps, numbered=True)

    # Steps

    def _take(self, typed: str) -> None:
        game = self._companion.game
        step = self._companion.named(typed, self._numbered)
        is_forbidden = forbidden_step(step, self._companion.forbidden)
        events = self._companion.take(step)
        self.close()
        self._numbered = ()
        self._keep()
        data: dict[str, Any] = {"step": step.text, "events": events_data(game, events)}
        rows = step_rows(game, step.text, events)
        if is_forbidden:
            data["forbidden"] = True
            rows.append(Row("The goal does not allow this; 'undo' takes it back.", indent=2, look="bad"))
        if self._companion.has_reached:
            data["reached"] = True
            rows.append(Row("The goal is reached.", indent=2, look="good"))
        self._say(data, rows)

    def _undo(self, rest: str) -> None:
        gone = self._companion.undo(_number(rest, "undo") if rest else 1)
        self.close()
        self._keep()
        self._say({"undone": list(gone)}, f"taken back: {'; '.join(gone)}")
        self._ask()

    def _ask(self) -> None:
        """Say who decides now and between what."""
        who, self._numbered = self._who(), ()
        if self._settings.json:
            return
        if who == "over":
            self._settings.answer("the game is over")
            return
        steps, purpose = self._open(), self._companion.purpose
        short = len(steps) <= LISTED
        kind = count(len(steps), "result" if who == "what came up" else "move")
        more = "" if short else ", listed by 'moves'"
        for step in self._companion.game.unseen_outcomes(self._companion.state):
            more += f"; '{step.text}' while nobody sees it"
        rows = [Row(f"{capitalised(purpose)}. Which? {kind}{more}" if purpose else f"{self._prompt()}: {kind}{more}")]
        self._settings.show(Shown(None, [*rows, *(self._list(steps) if short else ())]))

    # Questions

    def _moves(self, _: str) -> None:
        rows = self._list(self._open())
        self._say({"options": list(self._numbered)}, rows)

    def _show(self, _: str) -> None:
        position, question = self._companion.position, self._companion.question
        rows = position_rows(position, question.goal if isinstance(question, Puzzle) else None)
        if isinstance(question, Puzzle):
            rows = [Row(goal_sentence(question.goal, question.position)), EMPTY, *rows]
        self._say({"position": position.canonical()}, rows)

    def _best(self, rest: str) -> None:
        self._advise(_number(rest, "best") if rest else TOP)

    def _why(self, _: str) -> None:
        self._advise(TOP, whole=True)

    def _answered(self, *, why: bool) -> Answered:
        """Return what is known of the best move, thinking first where that is too little."""
        findings = self._findings
        if findings.answered is None or findings.seconds < self._time_s:
            findings.stop()
            self._settings.wait("thinking")
            silent = replace(self._settings, quiet=True)  # what is found on the way tells more than a hint
            findings.answered = advise(self._companion.question, BestOptions(why=why), silent)
            findings.seconds = self._time_s
        return findings.answered

    def _advise(self, top: int, *, whole: bool = False) -> None:
        """Show the best moves on a few lines, or all that is known of them; they may be taken by number."""
        self._decided()
        is_brief = not (whole or self._settings.json)
        answered = replace(self._answered(why=whole or is_brief), top=top)
        if whole and not answered.reasons:
            from solver.tools.advice import reasons

            answered = replace(answered, why=True, reasons=reasons(answered.question, answered.answer))
        self._numbered = [each.move.text for each in policy.moves_shown(answered.answer.compared, top)]
        rows = answered.brief_rows() if is_brief else []
        more = Row("a number takes one, or how its words begin; 'why' tells all")
        self._settings.show(Shown(None, [*rows, more]) if rows else asking.shown(answered, self._settings))

    def _hint(self, rest: str) -> None:
        from solver.tools.advice import hint

        found = hint(self._decided(), rest or "nudge", partial(self._answered, why=not self._settings.json))
        if found.text is None:
            raise BestlineError(found.words)
        self._say({"hint": found.text, "sure": found.sure}, found.words)

    def _pay(self, rest: str) -> None:
        self._decided()
        card = "_".join(self._companion.game.spelt(rest).split())
        self._settings.show(payments_shown(self._companion.question, card, (), {}, self._settings))

    def _risk(self, rest: str) -> None:
        self._settings.show(risks_shown(self._decided(), rest.split(), self._settings, table=False))

    def _decided(self) -> Position:
        """Return the position where somebody decides."""
        if self._companion.actor < 0:
            over = not self._companion.options()
            raise BestlineError("the game is over" if over else "nobody decides now: enter what came up first")
        return self._companion.position

    def _help(self, _: str) -> None:
        self._say({"help": dict(HELP)}, table(HELP))

    # Files

    def _save(self, rest: str) -> None:
        if rest:
            refuse_unwritable(file := Path(rest).expanduser(), kept=True)
            self._file = file
        if self._file is None:
            raise BestlineError("save needs the name of a file")
        self._keep()
        self._say({"saved": str(self._file)}, escaped(f"saved in {self._file}; from now on after every step"))

    def _keep(self) -> None:
        if self._file is not None:
            self._companion.save(self._file)


class Findings:
    """What is known of the best move at one table; another process may look for it, longer and longer."""

    def __init__(self) -> None:
        self.answered: Answered | None = None
        self.seconds: float = 0
        """How long the search took that found it; for ever where the question has no answer."""
        self._process: subprocess.Popen[bytes] | None = None

    def go_on(self, question: Puzzle | Position, settings: Settings) -> None:
        """Have another process search longer than was done, unless one does or all is settled."""
        if self._process is None and not (self.answered is not None and self.answered.answer.status.is_settled):
            # Nothing is imported from the folder of the player.
            own = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}
            command = [sys.executable, "-c", f"from {__name__} import think; think()"]
            pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, env=own)
            asked = (question, replace(settings, quiet=True), [each for each in ROUNDS_S if each > self.seconds])
            Thread(target=self._listen, args=(self._process, asked), daemon=True).start()

    def stop(self) -> None:
        """End the search in the background."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _listen(self, process: subprocess.Popen[bytes], asked: object) -> None:
        with suppress(OSError, EOFError, pickle.UnpicklingError), process:
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump(asked, process.stdin)
            process.stdin.flush()
            while True:
                found = pickle.load(process.stdout)
                if process is self._process:
                    self.seconds, self.answered = found
        if process is self._process and self.answered is None:
            self.seconds = inf


def think() -> None:
    """Answer a question from standard input for longer and longer, as long as somebody takes the answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    question, settings, rounds = pickle.load(sys.stdin.buffer)
    Thread(target=_end_with_parent, daemon=True).start()
    for seconds in rounds:
        begin()
        found = advise(question, BestOptions(why=True), replace(settings, time_s=seconds))
        found = replace(found, answer=replace(found.answer, continuation=None))
        pickle.dump((seconds, found), sys.stdout.buffer)
        sys.stdout.flush()
        if found.answer.status.is_settled:
            return


def _end_with_parent() -> None:
    """Wait until nobody is left who holds the other end of standard input, however that came, and end."""
    sys.stdin.buffer.read()
    os._exit(0)


def _number(text: str, command: str) -> int:
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise BestlineError(f"'{command}' takes a number from 1 on, not '{text}'")
    return int(text)
