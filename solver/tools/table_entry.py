"""What is typed at a table: a game followed step by step, and a table entered question by question.

Every decision and every result of chance is entered as it comes. A table is entered as a player sees it: what is left
out starts as the rules say or is unknown. A game brings its questions about a table as ``entry.toml``: about the player
(``own``), about what all share (``shared``), and about each rival. ``begins`` says when the table is to be entered as
it stands. Where places are numbered, ``acting`` says under which ``key`` of ``state`` the seat to move stands, and what
the ``first`` one is called. A question has these keys:

- ``key``: where the answer goes in ``state``, or in ``options`` where it begins so; ``{seat}`` is a place at the
  table, ``{me}`` and ``{them}`` are sides.
- ``say`` and ``example``: what is asked, with an answer as people type it.
- ``of``: the cards, or other ids, that the answer lists; ``type`` leaves only those of a type. ``words`` are a list
  of the ruleset instead. Without either the answer is a number.
- ``one``: a single id. ``must``: no answer is no answer. ``unknown``: a number counts cards that nobody has seen.
- ``parts``: the answer lists tables; each word goes to the first of these keys that it fits. A comma may begin another
  table, and a number before one counts tables alike. Each table has the parts that are ``needed``. ``map`` keeps the
  second part of each under the first.
- ``alone``: a question about a rival is asked of one player too. ``only``: it is asked under rules with these values.
- ``sides``: the answer is one of two sides, the player's own.
"""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from math import inf
from operator import eq, getitem
from pathlib import Path
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Objective, Puzzle, puzzle_tables, round_clock
from rules.core.challenge import Quest
from rules.core.errors import BestlineError, ContentError, SeveralFit, counted, fits, leads, nearest, resembles, tallies
from rules.core.files import Source, data_file
from rules.core.position import Position, new_position, read_position
from rules.core.race import ImperfectInformation, seats_unknown
from rules.core.registry import Ruleset
from rules.core.scripts import UNKNOWN, Event, Step
from rules.core.tools.output import toml_text, write_file
from rules.core.turns import State
from solver.lines import by_turns
from solver.question import TurnLine

EMPTY: Final = ("none", "-")
"""Words for nothing at all, which is not the same as no answer."""
LONGEST_NAME: Final = 4
"""Words that a name may have."""
_LINKS: Final = ("and", "at", "in", "the", "with", "+")
_TOKEN: Final = re.compile(r"\d+,\d+|[,;+]|\d+[x*×]|[*×]\d+|[^\s,;+*×]+")
_COMMAS: Final = (",", ";")
_COUNT: Final = re.compile(r"([1-9]\d?)[x*×]?")
_TIMES: Final = re.compile(r"[x*×](\d{1,2})")


class Companion:
    """One game under way: where it began, and the steps since."""

    def __init__(self, begun: Puzzle | Position, record: Sequence[str] = ()) -> None:
        """Go on from a puzzle or a position after recorded steps.

        Raises:
            BestlineError: one of them is not possible where it stands.
        """
        self._puzzle = begun if isinstance(begun, Puzzle) else None
        self.start = begun.position if isinstance(begun, Puzzle) else begun
        self.game, state = self.start.start()
        self._states = [state]
        self._steps: list[Step] = []
        for number, text in enumerate(record, start=1):
            try:
                self.take(self.game.parse_step(self._states[-1], text))
            except BestlineError as fault:
                raise BestlineError(f"step {number}, '{text}': {fault}") from fault

    @property
    def state(self) -> State[Any]:
        """Return the table and the steps of the turn now."""
        return self._states[-1]

    @property
    def position(self) -> Position:
        """Return the position now, in the middle of a turn or not."""
        return self.start.after(self._states[-1])

    @property
    def question(self) -> Puzzle | Position:
        """Return what advice is about: the position now, with what is left of the goal where the game has one.

        What a challenge measures and what is to be kept counts from where the game began, turns and rounds from now.
        Where the game began with every hand named, as one that was dealt here, advice takes those of the others as
        unknown: it knows what the player knows.
        """
        puzzle, game = self._puzzle, self.game
        if puzzle is None:
            return self._seen
        goal, now = puzzle.goal, self._states[-1].table
        if goal.within_turns is not None:
            gone = game.turns(now, goal.seat) - game.turns(self._states[0].table, goal.seat)
            goal = replace(goal, within_turns=max(0, goal.within_turns - gone))
        if goal.objective is Objective.WIN:
            goal = replace(goal, clock=round_clock(game, now, goal.seat))
        elif goal.clock is not None:
            quest = self.start.with_table(now).towards(goal.challenge, goal.seat, goal.terms).game
            goal = replace(goal, clock=quest.clock() if isinstance(quest, Quest) else None)
        return replace(puzzle, position=self._seen, goal=goal, solution=None)

    @property
    def _seen(self) -> Position:
        """Return the position now as the seat that decides sees it; what a table with unknown cards names is seen."""
        game, state = self.game, self._states[-1]
        if not isinstance(game, ImperfectInformation) or game.players == 1 or self.actor < 0:
            return self.position
        if seats_unknown(game, self.start.table()):
            return self.position
        return self.start.after(state._replace(table=game.covered(state.table, self.actor)))

    @property
    def actor(self) -> int:
        """Return the seat that decides now, ``CHANCE`` or ``OVER``."""
        return self.game.to_act(self._states[-1])

    @property
    def purpose(self) -> str:
        """Return what the next result of chance is for, in words for players; empty where nobody needs to be told."""
        return self.game.purpose(self._states[-1])

    @property
    def record(self) -> tuple[str, ...]:
        """Return the texts of all steps taken."""
        return tuple(step.text for step in self._steps)

    @property
    def turns(self) -> tuple[TurnLine, ...]:
        """Return all steps taken, turn by turn; the last turn may be unfinished."""
        return by_turns(self.game, self._states[0], self._steps)

    def options(self) -> tuple[Step, ...]:
        """Return the moves that are open now, or what chance can bring."""
        return self.game.enterable(self._states[-1])

    def named(self, typed: str, numbered: Sequence[str] = ()) -> Step:
        """Return the step that a few keys stand for: its number, its text, or how its words begin.

        Numbers count in the texts ``numbered``, which the player sees.

        Raises:
            BestlineError: nothing fits, or no number does.
            SeveralFit: several steps do.
        """
        options, typed = self.options(), self.game.spelt(typed)
        if re.fullmatch("[0-9]{1,9}", typed):
            if not 1 <= int(typed) <= len(numbered):
                shown = f"the list shown last ends at {len(numbered)}" if numbered else "no list is shown"
                raise BestlineError(f"'{typed}' is no number here: {shown}; 'moves' numbers all")
            return next(step for step in options if step.text == numbered[int(typed) - 1])
        words = [word for word in re.split(r",?\s+|,$", typed.casefold()) if word not in ("", *_LINKS)]
        parts = [(step, step.text.casefold().split()) for step in options]
        found_by = ([each for each in parts if looks(words, each[1])] for looks in (leads, tallies, fits, resembles))
        fitting = next(filter(None, found_by), [])
        if not fitting:
            return self.game.parse_step(self._states[-1], typed)
        lacks = [(len(part) != len(words), part != words) for _, part in fitting]
        if lacks.count(min(lacks)) > 1:
            raise SeveralFit(typed, [step.text for step, _ in fitting])
        return fitting[lacks.index(min(lacks))][0]

    def take(self, step: Step) -> tuple[Event, ...]:
        """Take a step and return what the rules did."""
        transition = self.game.apply(self._states[-1], step)
        self._states.append(transition.state)
        self._steps.append(step)
        return transition.events

    def undo(self, steps: int = 1) -> tuple[str, ...]:
        """Take the last steps back, and return them in their order.

        Raises:
            BestlineError: so many were not taken.
        """
        if not 1 <= steps <= len(self._steps):
            taken = f"only {counted(len(self._steps), 'step')}" if self._steps else "nothing"
            raise BestlineError(f"there {'are' if len(self._steps) > 1 else 'is'} {taken} to take back")
        gone = self.record[-steps:]
        del self._steps[-steps:]
        del self._states[-steps:]
        return gone

    @property
    def has_reached(self) -> bool:
        """Return whether the last step ended an own turn at or past the target of the goal, and none did so before."""
        if self._puzzle is None or self._puzzle.goal.objective not in (Objective.REACH, Objective.MIN_TURNS):
            return False
        goal, game = self._puzzle.goal, self.game
        first = game.turns(self._states[0].table, goal.seat)
        last = inf if goal.within_turns is None else first + goal.within_turns
        there = [
            not state.pending
            and first < game.turns(state.table, goal.seat) <= last
            and game.progress(state.table, goal.seat) >= goal.target
            for state in self._states
        ]
        return there[-1] and not any(there[:-1])

    @property
    def forbidden(self) -> frozenset[str]:
        """Return the words of the moves that the goal of the game forbids."""
        return frozenset() if self._puzzle is None else self._puzzle.goal.forbidden

    def save(self, path: Path) -> None:
        """Write the game, at once or not at all: as TOML where the file is named so, else as JSON.

        The file has the position or the puzzle that it began with, and ``moves``, the steps since.

        Raises:
            BestlineError: the file cannot be written.
        """
        begun = self.start.shortened() if self._puzzle is None else puzzle_tables(self._puzzle)
        game = {"moves": list(self.record), **begun}
        write_file(path, toml_text(game) if path.suffix == ".toml" else json.dumps(game, indent=1) + "\n")


# A table entered by answers


class Part(NamedTuple):
    """What one word of an answer may be: an id out of ``words``, a cell, or else a number."""

    key: str
    row: Mapping[str, Any]
    words: Mapping[str, str] | None
    """The ids by how they may be written, folded; nothing where a number is wanted."""

    def read(self, tokens: Sequence[str]) -> tuple[Any, int] | None:
        """Return the value that the first words are, with their number; nothing where they do not fit.

        Raises:
            BestlineError: they begin several names.
        """
        if "cell" in self.row:
            return (tokens[0], 1) if re.fullmatch(r"\d+,\d+", tokens[0]) else None
        if self.words is None:
            return (int(tokens[0]), 1) if re.fullmatch(r"-?\d{1,5}", tokens[0]) else None
        for n in range(min(LONGEST_NAME, len(tokens)), 0, -1):
            typed = [token.casefold() for token in "_".join(tokens[:n]).split("_") if token]
            found = self._named(typed)
            if len(found) == 1:
                return found[0], n
            if found and n == 1:
                raise BestlineError(f"'{tokens[0]}' may be {', '.join(found[:6])}: type more of it")
        return None

    def _named(self, typed: Sequence[str]) -> list[str]:
        """Return the ids whose words begin as was typed: all of them, else the first, else some in order."""
        forms = [(form.split("_"), name) for form, name in (self.words or {}).items()]
        for is_meant in (eq, leads, fits):
            if found := {name for form, name in forms if is_meant(typed, form)}:
                return sorted(found)
        return []


class EntryQuestion(NamedTuple):
    """One question, ready to be asked."""

    key: str
    say: str
    example: str
    row: Mapping[str, Any]
    parts: tuple[Part, ...]

    def words(self) -> tuple[str, ...]:
        """Return the ids that an answer may name."""
        return tuple(sorted({name for part in self.parts for name in (part.words or {}).values()} - {UNKNOWN}))

    def read(self, text: str) -> Any:
        """Return an answer as a position has it; nothing where none was given.

        Raises:
            BestlineError: it cannot be understood.
        """
        tokens = [token for token in _TOKEN.findall(text) if token.casefold() not in _LINKS]
        if not tokens:
            if "must" in self.row:
                raise BestlineError(f"this has to be known, such as: {self.example}")
            return None
        if not ("parts" in self.row or ("of" in self.row and "one" not in self.row)):
            tokens = [token for token in tokens if token not in _COMMAS]
            read = self.parts[0].read(tokens) if tokens else None
            if read is None or read[1] < len(tokens):
                raise self._refusal(self.parts[0], tokens[0 if read is None else read[1]] if tokens else text)
            return read[0]
        if "unknown" in self.row and len(tokens) == 1 and tokens[0].isdecimal():
            return int(tokens[0])
        items = [] if len(tokens) == 1 and tokens[0].casefold() in EMPTY else self._items(tokens)
        first, *others = (part.key for part in self.parts)
        if "map" in self.row:
            return {item[first]: item.get(others[0], []) for item in items}
        return items if others else [item[first] for item in items]

    def _items(self, tokens: Sequence[str]) -> list[dict[str, Any]]:
        """Return the tables that the words make: a word goes to the table that is begun, or else begins another.

        A number before a table counts tables alike: ``2 move`` or ``2x move``; so does ``move x2``.
        """
        items: list[dict[str, Any]] = []
        alike: list[dict[str, Any]] = []
        place, begins = 0, True
        follow: Sequence[int] = ()
        while place < len(tokens):
            if tokens[place] in _COMMAS or ("map" in self.row and tokens[place].casefold() in EMPTY):
                begins, place = True, place + 1
                continue
            times = 1
            try:
                number, value, size = self._fitting((0, *follow) if begins else (*follow, 0), tokens[place:])
            except BestlineError:
                before = _COUNT.fullmatch(tokens[place])
                if before is None or place + 1 == len(tokens):
                    raise
                times, place = int(before[1]), place + 1
                number, value, size = self._fitting((0,), tokens[place:])
            part, place, begins = self.parts[number], place + size, False
            many = "many" in part.row
            follow = range(number + (not many), len(self.parts))
            if number:
                for item in alike:
                    item[part.key] = [*item.get(part.key, ()), value] if many else value
                continue
            after = _TIMES.fullmatch(tokens[place]) if place < len(tokens) else None
            times, place = (int(after[1]), place + 1) if after else (times, place)
            alike = [{part.key: value} for _ in range(times)]
            items += alike
        for item, part in product(items, self.parts):
            if "needed" in part.row and part.key not in item:
                what = f"{part.key} of {item[self.parts[0].key]}"
                raise BestlineError(f"the {what} is missing; for example: {self.example}")
        return items

    def _fitting(self, numbers: Sequence[int], tokens: Sequence[str]) -> tuple[int, Any, int]:
        """Return the first of some parts that the first words fit, the value, and how many words they are."""
        wrong: BestlineError | None = None
        for number in numbers:
            try:
                read = self.parts[number].read(tokens)
            except BestlineError as fault:
                wrong = wrong or fault
                continue
            if read is not None:
                return number, *read
        raise wrong or self._refusal(self.parts[numbers[0]], tokens[0])

    def _refusal(self, part: Part, token: str) -> BestlineError:
        example = f"; for example: {self.example}"
        if part.words is None:
            return BestlineError(f"'{token}' is no {'cell' if 'cell' in part.row else 'number'}{example}")
        return BestlineError(f"'{token}' fits nothing here{nearest(token, self.words()) or example}")


class TableEntry:
    """The entry of one table: questions in their order, answers so far, the position that they make."""

    def __init__(self, ruleset: Ruleset, players: int, seat: int = 0) -> None:
        """Make the questions to the player in a seat, who is to move.

        Raises:
            BestlineError: the game brings none.
        """
        if not (book := data_file(ruleset.definition.folder, "entry")):
            raise BestlineError(f"{ruleset.game} cannot be entered by answers: write its table to a file")
        self.ruleset, self.players, self.seat = ruleset, players, seat
        self.acting: Mapping[str, Any] = book.get("acting", {}) if players > 1 else {}
        """Where the table says who is to move; empty where an answer does, or one plays alone."""
        self.begins: str = book["begins"]
        """When the table is to be entered as it stands."""
        self.answers: list[tuple[str, Any]] = []
        """Each answer as it was typed, and as it was understood."""
        profile = new_position(ruleset, players, 0, ()).game.profile
        self.names = [profile.seat_name(seat) for seat in range(players)]
        alone = [(row, 0) for row in book["rival"] if row.get("alone") and players == 1]
        rivals = alone or [(row, other) for other in range(players) if other != seat for row in book["rival"]]
        rows = [*((row, seat) for row in (*book["own"], *book["shared"])), *rivals]
        self.questions = [self._question(row, place) for row, place in rows if self._is_asked(row)]

    @property
    def now(self) -> EntryQuestion | None:
        """Return the question that is open, or nothing after the last one."""
        return self.questions[len(self.answers)] if len(self.answers) < len(self.questions) else None

    def answer(self, text: str) -> None:
        """Take an answer to the open question.

        Raises:
            BestlineError: it cannot be understood, or does not agree with those before it.
        """
        assert self.now is not None
        self.answers.append((text.strip(), self.now.read(text)))
        try:
            self.position()
        except ContentError as error:
            # What only the table as a whole lacks may come with a later answer.
            is_whole = len(self.answers) == len(self.questions)
            if faults := [fault for fault in error.faults if is_whole or fault.key != "state"]:
                self.answers.pop()
                raise BestlineError(faults[0].message) from None

    def data(self) -> dict[str, Any]:
        """Return the position so far, as a file has it."""
        state: dict[str, Any] = {self.acting["key"]: self.acting["first"] + self.seat} if self.acting else {}
        made: dict[str, Any] = {
            "game": self.ruleset.game,
            "ruleset": self.ruleset.id.partition("/")[2] if self.ruleset.is_shipped else self.ruleset.id,
            "players": self.players,
            "state": state,
        }
        sides: dict[str, str] = {}
        for question, (_, value) in zip(self.questions, self.answers, strict=False):
            if "sides" in question.row:
                sides = {"me": value, "them": next(word for word in question.words() if word != value)}
            if value is None:
                continue
            # A number in a key path is a place in a list of all players.
            *path, last = question.key.format_map(sides).split(".")
            table: Any = made if path[:1] == ["options"] else state
            for name, after in zip(path, [*path, last][1:], strict=True):
                fresh: Any = [{} for _ in range(self.players)] if after.isdecimal() else {}
                table = table[int(name)] if name.isdecimal() else table.setdefault(name, fresh)
            table[last] = value
        return made

    def position(self) -> Position:
        """Return the position so far.

        Raises:
            ContentError: an answer breaks the rules.
        """
        return read_position(Source(self.data(), ""))

    def file_text(self) -> str:
        """Return the position as a commented file: what was typed, and what it was understood as."""
        both = zip(self.questions, self.answers, strict=False)
        said = "".join(f"# {question.say}: {typed}\n" for question, (typed, _) in both if typed)
        return f"{said}# What is left out starts as the rules say, or is unknown.\n\n{toml_text(self.data())}"

    def _stated(self, path: str) -> Any:
        return reduce(getitem, path.split("."), self.ruleset.raw)

    def _is_asked(self, row: Mapping[str, Any]) -> bool:
        has_words = "words" not in row or self._stated(row["words"])
        return has_words and all(self._stated(path) == value for path, value in row.get("only", {}).items())

    def _question(self, row: Mapping[str, Any], seat: int) -> EntryQuestion:
        parts = tuple(self._part(part) for part in row.get("parts", (row,)))
        key, say = row["key"].replace("{seat}", str(seat)), row["say"].format(rival=self.names[seat])
        return EntryQuestion(key, say, row["example"], row, parts)

    def _part(self, row: Mapping[str, Any]) -> Part:
        ruleset = self.ruleset
        if "words" in row:
            return Part(row["key"], row, {name.casefold(): name for name in self._stated(row["words"])})
        if "of" not in row:
            return Part(row["key"], row, None)
        shape: Any = ruleset.definition.named_shapes(ruleset)[row["of"]]
        ids, forms = shape.choices, {"_".join(form.split()): name for form, name in shape.forms.items()}
        if "type" in row:
            entries = ChainMap(*(ruleset.raw[table] for table in ruleset.definition.collections))
            ids = [name for name in ids if entries[name].get("type") == row["type"]]
        names = {name: text for table in ruleset.names.values() for name, text in table.items()}
        words = {"_".join(names.get(name, name).casefold().split()): name for name in ids}
        words |= {name.casefold(): name for name in ids} | forms
        return Part(row["key"], row, words | ({UNKNOWN: UNKNOWN} if "unknown" in row else {}))
