"""What a command is given, which question that asks with what the options say, and how its answer is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from puzzles.puzzle import (
    Goal,
    Objective,
    Puzzle,
    goal_table,
    information_for,
    load_question,
    question_of,
    read_question,
    rounds_left,
)
from rules.core.challenge import Opponent
from rules.core.errors import BestlineError, ContentError
from rules.core.files import Source, decoded, is_there, read_file, read_stream, read_text
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset, shipped_rulesets
from rules.core.scripts import CHANCE, OVER, Step
from rules.core.turns import State
from solver.commands.settings import STDIO, Settings, Shown, argument, exit_code, is_screen, option
from solver.question import Question, Status, is_uncertain, refuse_unknown
from solver.screens.common import count, words_for

if TYPE_CHECKING:
    from solver.screens.answer import Answered

RULESET = argument("RULESET", "An id of 'bestline rules list', or a file.")
STATE = argument("STATE", "File, puzzle id, position code, or - for standard input.")


class Given(NamedTuple):
    """What an argument stands for."""

    question: Puzzle | Position
    """Where a recorded game begins, where it is one."""
    read: Source | None = None
    """The file; none where it is a code or an id."""
    steps: list[str] | None = None
    """The moves of a recorded game."""

    def posed(self, *, whole: bool = False) -> Puzzle | Position:
        """Return the question: of a recorded game what it has come to, as its player knows it, or the ``whole`` table.

        Raises:
            BestlineError: a step is not possible where it stands.
        """
        if self.steps is None:
            return self.question
        from solver.tools.table_entry import Companion

        companion = Companion(self.question, self.steps)
        return companion.position if whole else companion.question


def read_given(source: str) -> Given:
    """Return what an argument stands for: a file, a code or an id; ``-`` is standard input.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    path = Path(source).expanduser()
    if source != STDIO:
        return given_in(read_file(path, source), path.parent) if is_there(path) else Given(load_question(source))
    if sys.stdin.isatty():
        print("reading TOML or JSON; end it with Ctrl-D", file=sys.stderr)  # noqa: T201 (a prompt, not an answer)
    text = decoded(read_stream(sys.stdin.buffer, "<stdin>"), "<stdin>")
    if text.strip() and not any(sign in text.strip() for sign in "\n{="):
        return Given(load_question(text.strip()))
    return given_in(read_text(text, "<stdin>"), Path())


def given_in(read: Source, folder: Path) -> Given:
    """Return what a text holds: a puzzle, a position, an answer of ``--json`` about one, or a recorded game.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    if "extends" in read.data and not read.data.keys() & {"state", "position", "moves"}:
        raise ContentError([read.fault(("extends",), "this is a ruleset; 'bestline position new' deals a table of it")])
    if "moves" not in read.data or "position_code" in read.data:  # the moves of an answer are something else
        return Given(read_question(read, folder), read)
    rest = {key: value for key, value in read.data.items() if key != "moves"}
    return Given(read_question(replace(read, data=rest), folder, bare=True), read, steps_under("moves", read))


def steps_under(key: str, read: Source) -> list[str]:
    """Return the steps that stand under a key one by one; some may be joined by ';'.

    Raises:
        ContentError: it is no list of steps.
    """
    steps = read.data.get(key)
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise ContentError([read.fault((key,), "must be the list of the steps taken, in their texts, in order")])
    return [step.strip() for joined in steps for step in joined.split(";") if step.strip()]


def read_position(source: str, *, whole: bool = True) -> Position:
    """Return the position that an argument stands for, that of a puzzle too.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    found = read_given(source).posed(whole=whole)
    return found.position if isinstance(found, Puzzle) else found


def read_record(source: str) -> tuple[Puzzle | Position, list[str]]:
    """Return the puzzle or position that a recorded game begins with, and its steps.

    Raises:
        BestlineError: it cannot be read, or is no recorded game; every fault is named.
    """
    given = read_given(source)
    if given.steps is None:
        return given.question, steps_under("moves", given.read or read_file(Path(source).expanduser(), source))
    return given.question, given.steps


def named_ruleset(text: str) -> Ruleset | None:
    """Return the ruleset that an argument names, with its game or without, or that a variant file holds; else nothing.

    Raises:
        ContentError: every fault of it.
    """
    shipped = {name for id_ in shipped_rulesets() for name in (id_, id_.partition("/")[2])}
    path = Path(text).expanduser()
    if text in shipped or (is_there(path) and path.is_file() and "extends" in read_file(path, text).data):
        return load_ruleset(text)
    return None


# Which question it is

QUESTION = argument("PUZZLE-or-STATE", "File, puzzle id, position code, or - for standard input.", None)
GOAL = option("min_turns, reach, max_distance, win or a challenge id.", metavar="OBJECTIVE")
TARGET = option("Where to get to; the finish when left out.", min=0)
WITHIN = option("Own turns allowed.", min=0, metavar="N")
OTHERS = option("How the other players are taken to play.")
Opponents = Literal["best", "random", "greedy", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What the options say about the goal of a plan."""

    goal: str | None = GOAL
    target: int | None = TARGET
    within_turns: int | None = WITHIN
    no_new_day: bool = option("The main action new_day is not allowed.", False)
    seat: int | None = option("Whose goal it is, the first seat being 0; who is to move when left out.", min=0)

    def goal_table(self) -> dict[str, Any]:
        """Return the same in the words of a puzzle's goal table."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        given |= {"objective": self.goal, "new_day": False if self.no_new_day else None}
        return {key: given[key] for key in OPTIONS if given.get(key) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalOptions(PlanOptions):
    """What the options say about the goal, cards included."""

    without: list[str] | None = option(
        "Never play this card from the hand; may be given several times.", metavar="CARD"
    )
    keep: list[str] | None = option("Never lose this: as many at every turn's end as now; repeatable.", metavar="CARD")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionOptions(GoalOptions):
    """What the options of ``solve`` and ``best`` say in common."""

    opponents: Opponents | None = OTHERS
    batch: str | None = option("One position or puzzle a line.", metavar="FILE")


OPTIONS = {
    "objective": "--goal",
    "target": "--target",
    "within_turns": "--within-turns",
    "within_rounds": "--within-turns",
    "new_day": "--no-new-day",
    "without": "--without",
    "keep": "--keep",
    "seat": "--seat",
}
"""The options by the keys of a goal table that they stand for."""
NO_OPPONENTS = "--opponents changes nothing here: it goes with the question who wins"


def options_of(found: Puzzle | Position) -> Iterator[str]:
    """Yield the words of a command line that ask what is left to ask of a position."""
    if not isinstance(found, Puzzle) or found.goal.within_turns == 0:
        return
    own = goal_table(found.goal, found.position)
    if found.goal.objective is Objective.WIN:  # it is asked for who moves, and counts rounds
        own = {"objective": own["objective"], "within_rounds": rounds_left(found.goal)}
    for name, value in own.items():
        if name in OPTIONS and value is not True and value is not None:
            for each in value if isinstance(value, list) else [value]:
                yield OPTIONS[name] if each is False else f"{OPTIONS[name]} {each}"


def position_of(found: Puzzle | Position) -> Position:
    """Return the position that is asked about, without any goal of one player's."""
    return replace(found.position, aim=None, kept={}) if isinstance(found, Puzzle) else found


def is_fated(position: Position) -> bool:
    """Return whether something is hidden, and the question itself says how it comes."""
    return bool(position.hidden) and not is_uncertain(position)


def refuse_fated(position: Position) -> None:
    """See to it that chance falls as it does at a table.

    Raises:
        BestlineError: the question itself says how what is hidden comes.
    """
    if is_fated(position):
        raise BestlineError("the goal itself says how what is hidden comes up; 'bestline solve' answers it")


def own_goal(found: Puzzle | Position, wanted: Mapping[str, Any]) -> tuple[Position, Goal]:
    """Return the position and the goal: a puzzle's own where the options say nothing else.

    Raises:
        ContentError: the goal does not fit; every fault is told, by the option that says or would mend it.
    """
    if isinstance(found, Puzzle):
        if not wanted:  # asked already, perhaps from an earlier table: what is kept and measured counts from there
            return found.position, found.goal
        position, given = found.position, {**_kept(found, wanted), **wanted}
    else:
        acting = {"seat": actor} if found.players > 1 and (actor := found.game.to_act(found.start()[1])) >= 0 else {}
        # What is asked where no goal is given: the game's own way to do well alone, where nothing else is said.
        challenges = found.definition.challenges if found.players == 1 and "target" not in wanted else {}
        usual = next((name for name, each in challenges.items() if each.is_usual), Objective.MIN_TURNS.value)
        position, given = found, {"objective": usual, **acting, **wanted}
    try:
        return question_of(given, position)
    except ContentError as error:
        named = [(fault, OPTIONS.get(fault.key.partition("[")[0], fault.key)) for fault in error.faults]
        raise ContentError([replace(fault, key=option) for fault, option in named]) from None


def _kept(puzzle: Puzzle, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a puzzle's goal table still holds where the options say something else."""
    own = goal_table(puzzle.goal, puzzle.position)
    plain = {objective.value for objective in Objective if objective is not Objective.WIN}
    another = wanted.get("objective", own["objective"])
    if another != own["objective"] and not {another, own["objective"]} <= plain:
        # What a challenge asks for says nothing about another goal.
        own = {key: value for key, value in own.items() if key not in ("target", "terms")}
    if another == Objective.MAX_DISTANCE:
        own.pop("target", None)
    return own


# Several players


def who_wins(found: Puzzle | Position, wanted: Mapping[str, Any], opponents: str | None = None) -> Question | None:
    """Return the question who of several players wins, or nothing where it is one player's own goal.

    A puzzle asks it by a challenge of the game that names an opponent, where its turns end with a round.

    Raises:
        BestlineError: an option does not fit, or the rounds asked about are over.
    """
    position, rounds = position_of(found), wanted.get("within_turns")
    if not isinstance(found, Puzzle) or "objective" in wanted:
        if position.players < 2:
            return None
        # A challenge of the game for several players says itself how the others play.
        objective, besides = wanted.get("objective"), wanted.keys() & {"target", "without", "keep", "new_day"}
        others = named_opponents(position, str(objective))
        if objective == Objective.WIN or (objective is None and "target" not in wanted):
            _refuse_other_seat(position, wanted.get("seat"))
            others = opponents or "best"
        if others is not None and besides:
            words = ", ".join(OPTIONS[name] for name in sorted(besides))
            raise BestlineError(f"{words}: says nothing where the question is who wins; leave it out, or name a --goal")
        return None if others is None else Question(position, opponents=others, rounds=rounds)
    if found.goal.objective is not Objective.WIN:
        named = named_opponents(position, found.goal.challenge)
        rounds = None if named is None or wanted else _rounds_of(found)
        return None if rounds is None else Question(position, opponents=opponents or named or "", rounds=rounds or None)
    if foreign := {name: value for name, value in wanted.items() if name != "within_turns"}:
        own_goal(found, foreign)  # nothing else goes with it, and here that is said
    if rounds is None and (rounds := rounds_left(found.goal)) == 0:
        raise BestlineError("the rounds that the puzzle asks about are over")
    return Question(position, opponents=opponents or "best", rounds=rounds)


def posed_question(
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    opponents: str | None,
    settings: Settings,
    versus: str | None = None,
) -> Question:
    """Return the question who wins, where that is asked, else that of one player's own goal; with its budget.

    Where a challenge is asked of other information, a note says what is assumed. ``versus`` is a move
    against the others that is to be shown too.

    Raises:
        BestlineError: an option does not fit, no round is asked about, or the move is not open.
    """
    wins, name = who_wins(found, wanted, opponents), wanted.get("objective")
    if wins is None:
        return Question(*own_goal(found, wanted), settings.limit, seed=settings.seed or 0)
    position, challenge = wins.position, wins.position.definition.challenges.get(str(name))
    if challenge is not None and information_for(position, challenge) not in challenge.variants:
        what = "hidden cards; here all see everything"
        what = "cards that all see; here cards are hidden" if "open" in challenge.variants else what
        settings.note(f"{name} is asked with {what}, and this position is answered as it is")
    if wins.rounds == 0:
        raise BestlineError("--within-turns counts rounds here, at least 1")
    game, start = position.start()
    move = None if versus is None else game.parse_step(start, versus)
    return replace(wins, limit=settings.limit, seed=settings.seed or 0, versus=move)


def _rounds_of(puzzle: Puzzle) -> int | None:
    """Return the rounds that a puzzle asks about, 0 for the whole game, or nothing where it does not ask for rounds.

    It counts own turns of the seat that is to move.
    """
    goal, (game, start) = puzzle.goal, position_of(puzzle).start()
    if game.to_act(start) != goal.seat or goal.within_turns is None:
        return None
    if game.to_act(State(start.table)) != goal.seat and not game.is_secret(start.table):
        return None
    if game.most_turns(start.table, goal.seat) == goal.within_turns:
        return 0
    rounds, more = divmod(game.turns(start.table, goal.seat) + goal.within_turns, game.profile.stages)
    return None if more else max(0, rounds - game.rounds(start.table)) or None


def _refuse_other_seat(position: Position, seat: int | None) -> None:
    """See to it that who wins is asked for who is to move."""
    game, start = position.start()
    actor = game.to_act(start)
    if seat is None or actor in (CHANCE, OVER, seat):
        return
    refuse_unknown(position, actor)
    if seat >= position.players:
        raise BestlineError(f"--seat: there is no player {seat}; the last one is {position.players - 1}")
    mover, asker = map(game.profile.seat_name, (actor, seat))
    raise BestlineError(
        f"{mover} is to move, not {asker}: without --seat the answer is what {mover} should do, and "
        "what they do not win the others do; apply their move ('bestline apply') and ask again"
    )


def named_opponents(position: Position, challenge: str) -> str | None:
    """Return how the others play by a challenge of the game, or nothing where it is one player's own goal."""
    named = position.definition.challenges.get(challenge) if challenge else None
    if named is None or named.opponent is Opponent.NONE:
        return None
    return "best" if named.opponent is Opponent.OPTIMAL else named.opponent.value


# Answers


def shown(asked: Answered, settings: Settings) -> Shown:
    """Return an answer to be shown, as JSON or as a screen."""
    answer = asked.answer
    negative, proved = answer.status is Status.INFEASIBLE, answer.status is Status.OPTIMAL
    code = exit_code(interrupted=answer.interrupted, negative=negative, limit=not proved)
    return Shown(asked.json(), "", code) if settings.json else Shown(None, asked.rows(), code)


def observed(settings: Settings, question: Question) -> Question:
    """Return a question with who hears how far the search for its answer has come."""
    settings.detail(f"searching {question.position.code}")
    if not settings.is_heard:
        return question
    settings.wait("searching")
    game = question.position.game

    def on_progress(value: int | None, bound: int | None, states: int) -> None:
        words = words_for(question.goal, game)
        best = "no line so far" if value is None else f"best so far {words.value(value)}"
        left = "" if bound is None else f", {words.value(bound)} not ruled out"
        effort = f"; {count(states, 'position')}" if is_screen(sys.stderr) else ""
        settings.report(f"{best}{left}{effort}")

    def on_round(compared: Goal | None, move: Step, value: Fraction, playouts: int) -> None:
        words = words_for(compared, game)
        # A chance that all playouts agree on says nothing while they are few.
        shown = "" if words.is_chance and value in (0, 1) else f", about {words.about(value)}"
        settings.report(f"so far: {move.text}{shown} after {playouts:,} playouts")

    return replace(question, on_progress=on_progress, on_round=on_round)
