"""What the commands that answer questions share: the options of a question, and how an answer is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from puzzles.goal import Goal, Objective, rounds_left
from puzzles.loader import Puzzle, goal_table, information_for
from rules.core.challenge import Opponent
from rules.core.errors import BestlineError, ContentError
from rules.core.position import Position
from rules.core.steps import CHANCE, OVER
from rules.core.turns import State
from solver.commands.inputs import read_input, run_batch
from solver.commands.process import exit_code
from solver.commands.settings import Many, Settings, begin, telling, telling_moves, telling_search
from solver.question import Answer, Question, Status, is_uncertain, refuse_unknown
from solver.render import EMPTY, Row, Style
from solver.screens.common import facts_rows, unit_of
from solver.screens.words import GoalWords, payoff_words

if TYPE_CHECKING:
    from solver.engines.choose import Observer
    from solver.optimal_lines import WrittenLines
    from solver.tools.why import Explanation

QUESTION = Annotated[
    str | None,
    typer.Argument(metavar="PUZZLE-or-STATE", help="File, puzzle id, position code, or - for standard input."),
]
GOAL = Annotated[
    str | None,
    typer.Option("--goal", metavar="OBJECTIVE", help="min_turns, reach, max_distance, win or a challenge id."),
]
TARGET = Annotated[int | None, typer.Option("--target", min=0, help="Where to get to; the finish when left out.")]
WITHIN = Annotated[int | None, typer.Option("--within-turns", min=0, metavar="N", help="Own turns allowed.")]
NO_NEW_DAY = Annotated[bool, typer.Option("--no-new-day", help="The main action new_day is not allowed.")]
WITHOUT = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="CARD", help="Never play this card from the hand; may be given several times."),
]
KEEP = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="CARD", help="Never lose this: as many at every turn's end as now; repeatable."),
]
OTHERS = Annotated[
    Literal["best", "random", "greedy", "never"] | None,
    typer.Option("--opponents", help="How the other players are taken to play."),
]
SEAT = Annotated[int | None, typer.Option("--seat", min=0, help="Whose goal it is; 0 when left out.")]
BATCH = Annotated[str | None, typer.Option("--batch", metavar="FILE", help="One position or puzzle a line.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What the options say about the goal of a plan."""

    goal: GOAL = None
    target: TARGET = None
    within_turns: WITHIN = None
    no_new_day: NO_NEW_DAY = False
    seat: SEAT = None

    def goal_table(self) -> dict[str, Any]:
        """Return the same in the words of a puzzle's goal table."""
        names = {each.name for each in fields(GoalOptions)}
        given = {each.name: getattr(self, each.name) for each in fields(self) if each.name in names}
        given |= {"new_day": False if given.pop("no_new_day") else None, "objective": given.pop("goal")}
        return {key: value for key, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalOptions(PlanOptions):
    """What the options say about the goal, cards included."""

    without: WITHOUT = None
    keep: KEEP = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionOptions(GoalOptions):
    """What the options of ``solve`` and ``best`` say in common."""

    opponents: OTHERS = None
    batch: BATCH = None


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


@dataclass(frozen=True, slots=True)
class Answered:
    """One question answered, with what else was asked about the answer."""

    command: str
    question: Question
    answer: Answer[Any]
    title: str = ""
    top: int = 3
    why: bool = False
    timed: bool = True
    """The clock may show."""
    explanation: Explanation | None = None
    """Why it is impossible, or impossible to do better; where that was asked and proved."""
    every: WrittenLines | None = None
    """All the lines that do as well; where that was asked and proved."""
    also: Sequence[Answered] = ()
    """The same question for further moves whose value was asked."""
    reasons: Sequence[str] = ()
    """Why the best move is best, in sentences; where that was asked."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.screens.data import answer_data

        data = answer_data(self.command, self.question, self.answer, self.top, timed=self.timed)
        if self.also:
            told = [data, *(other.json() for other in self.also)]
            data["versus"] = [each["versus"] for each in told if "versus" in each]
        if self.reasons:
            data["why"] = list(self.reasons)
        if self.every is None and self.explanation is None:
            return data
        from solver.screens.proof import explanation_data, lines_data

        if self.every is not None:
            data["lines"] = lines_data(self.every)
        if self.explanation is not None:
            data["because"] = explanation_data(self.explanation)
        return data

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.screens.answer import View, answer_rows
        from solver.screens.proof import explanation_rows, lines_rows

        after = [EMPTY, *lines_rows(self.every)] if self.every is not None else []
        if self.explanation is not None:
            after += [EMPTY, *explanation_rows(self.question.position, self.explanation)]
        view = View(self.title, self.top, self.why, self.timed, style)
        rows = answer_rows(self.question, self.answer, view, after, compares=self.command == "best")
        if self.reasons:
            verdict = next(place for place, row in enumerate(rows) if row.label and row.look)
            because = [("because", self.reasons[0]), *(("", each) for each in self.reasons[1:])]
            rows[verdict + 1 : verdict + 1] = facts_rows(because)
        others = [row for other in self.also for row in other.rows(style) if row.label == "instead"]
        if not others:
            return rows
        label = "instead" if any(row.label == "instead" for row in rows) else "known"
        place = next(place for place, row in enumerate(rows) if row.label == label) + (label == "instead")
        return [*rows[:place], *others, *rows[place:]]


def answered_one(
    source: str | None,
    options: QuestionOptions,
    settings: Settings,
    many: Many,
    answer: Callable[[Puzzle | Position], Answered],
) -> Answered:
    """Return the answer to one question; a batch is answered line by line, and ends the command.

    Raises:
        BadParameter: there is no question, and nobody at a terminal to enter one.
    """
    if options.batch is not None:
        raise typer.Exit(run_batch(options.batch, source, many, settings, partial(_line, answer)))
    if source is None:
        from solver.commands.table_entry import entered
        from solver.commands.terminal import Terminal

        terminal = Terminal()
        if not terminal.is_live:
            raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
        found = entered(terminal, settings)
        begin()
        return answer(found)
    return answer(read_input(source))


def _line(answer: Callable[[Puzzle | Position], Answered], found: Puzzle | Position, _: object) -> dict[str, Any]:
    """Return the answer to a line of a batch."""
    return answer(found).json()


def shown(answered: Answered, settings: Settings) -> int:
    """Print an answer and return its exit code."""
    settings.show(answered.json, answered.rows)
    answer = answered.answer
    negative, proved = answer.status is Status.INFEASIBLE, answer.status is Status.OPTIMAL
    return exit_code(interrupted=answer.interrupted, negative=negative, limit=not proved)


def observer(settings: Settings, question: Question, *, guesses: bool = True) -> Observer:
    """Return who hears how far the search for an answer has come; with ``guesses`` show a first guess at a move."""
    from solver.engines.choose import Observer, first_look

    goal = question.goal
    settings.detail(f"searching {question.position.code}")
    tell, unit = telling(settings), unit_of(question.position)
    if tell and (guesses or goal is None) and (move := first_look(question)) is not None:
        tell(f"first guess: {move.text}")
    if goal is None:
        on_round = tell and telling_moves(tell, payoff_words(question.position).about)
        return Observer(on_round=on_round, on_detail=settings.detail)
    on_goal = tell and cache(lambda goal: telling_moves(tell, GoalWords(goal, unit).about))
    return Observer(telling_search(settings), on_goal)


def title_of(found: Puzzle | Position) -> str:
    """Return the title of a puzzle; a position has none."""
    return str(getattr(found, "title", ""))


def refuse_fated(position: Position) -> None:
    """See to it that chance falls as it does at a table.

    Raises:
        BestlineError: something is hidden, and the question itself says how it comes.
    """
    if position.hidden and not is_uncertain(position):
        raise BestlineError("the goal itself says how what is hidden comes up; 'bestline solve' answers it")


def question_of(found: Puzzle | Position, wanted: Mapping[str, Any]) -> tuple[Position, Goal]:
    """Return the position and the goal: a puzzle's own where the options say nothing else.

    Raises:
        ContentError: the goal does not fit; every fault is told, by the option that says or would mend it.
    """
    try:
        return _question_of(found, wanted)
    except ContentError as error:
        named = [(fault, OPTIONS.get(fault.key.partition("[")[0], fault.key)) for fault in error.faults]
        raise ContentError([replace(fault, key=option) for fault, option in named]) from None


def _question_of(found: Puzzle | Position, wanted: Mapping[str, Any]) -> tuple[Position, Goal]:
    from puzzles.loader import question_of

    if isinstance(found, Puzzle):
        if not wanted:  # asked already, perhaps from an earlier table: what is kept and measured counts from there
            return found.position, found.goal
        own = goal_table(found.goal, found.position)
        plain = {objective.value for objective in Objective if objective is not Objective.WIN}
        another = wanted.get("objective", own["objective"])
        if another != own["objective"] and not {another, own["objective"]} <= plain:
            # What a challenge asks for says nothing about another goal.
            own = {key: value for key, value in own.items() if key not in ("target", "terms")}
        if another == Objective.MAX_DISTANCE:
            own.pop("target", None)
        return question_of({**own, **wanted}, found.position)
    acting = {"seat": actor} if found.players > 1 and (actor := found.game.to_act(found.start()[1])) >= 0 else {}
    return question_of({"objective": _usual_objective(found, wanted), **acting, **wanted}, found)


def _usual_objective(position: Position, wanted: Mapping[str, Any]) -> str:
    """Return what is asked where no goal is given: the game's own way to do well alone, where nothing else is said."""
    challenges = position.definition.challenges if position.players == 1 else {}
    own = next((name for name, challenge in challenges.items() if challenge.is_usual), "")
    return own if own and "target" not in wanted else Objective.MIN_TURNS.value


# Several players


OTHER_GOALS = ("target", "without", "keep", "seat", "new_day")
"""What only goals of one player say."""


def position_of(found: Puzzle | Position) -> Position:
    """Return the position that is asked about, without any goal of one player's."""
    return replace(found.position, aim=None, kept={}) if isinstance(found, Puzzle) else found


def who_wins(found: Puzzle | Position, wanted: Mapping[str, Any], opponents: str | None = None) -> Question | None:
    """Return the question who of several players wins, or nothing where it is one player's own goal.

    A puzzle asks it by a challenge of the game that names an opponent, where its turns end with a round.
    """
    if not isinstance(found, Puzzle) or "objective" in wanted:
        declared = declared_opponents(position_of(found), wanted, opponents)
        if declared is None:
            return None
        return Question(position_of(found), opponents=declared, rounds=wanted.get("within_turns"))
    if found.goal.objective is Objective.WIN:
        return _to_win(found, wanted, opponents)
    named = declared_by_challenge(found.position, found.goal.challenge)
    rounds = None if named is None or wanted else _rounds_of(found)
    if named is None or rounds is None:
        return None
    return Question(position_of(found), opponents=opponents or named, rounds=rounds or None)


def _to_win(puzzle: Puzzle, wanted: Mapping[str, Any], opponents: str | None) -> Question:
    """Return the question of a puzzle that asks who wins, with what the options say besides.

    Raises:
        BestlineError: an option does not fit, or the rounds asked about are over.
    """
    others = {name: value for name, value in wanted.items() if name != "within_turns"}
    if others:
        question_of(puzzle, others)
    rounds = wanted.get("within_turns", rounds_left(puzzle.goal))
    if rounds == 0 and "within_turns" not in wanted:
        raise BestlineError("the rounds that the puzzle asks about are over")
    return Question(position_of(puzzle), opponents=opponents or "best", rounds=rounds)


def asked_to_win(
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    opponents: str | None,
    settings: Settings,
    vs: str | None = None,
) -> Question | None:
    """Return the question who wins with its budget and the move shown besides, or nothing where it is another one.

    Where a challenge is asked of other information, a note says what is assumed.

    Raises:
        BestlineError: an option does not fit, no round is asked about, or the move is not open.
    """
    wins, name = who_wins(found, wanted, opponents), wanted.get("objective")
    if wins is None:
        return None
    position, challenge = wins.position, wins.position.definition.challenges.get(str(name))
    if challenge is not None and information_for(position, challenge) not in challenge.variants:
        known = "cards are hidden" if "open" in challenge.variants else "all see everything"
        asked = "cards that all see" if "open" in challenge.variants else "hidden cards"
        settings.note(f"{name} is asked with {asked}; here {known}, and this position is answered as it is")
    if wins.rounds == 0:
        raise BestlineError("--within-turns counts rounds here, at least 1")
    game, start = position.start()
    versus = None if vs is None else game.parse_step(start, vs)
    return replace(wins, limit=settings.limit, seed=settings.seed or 0, versus=versus)


def plain_question(
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    opponents: str | None,
    settings: Settings,
    *,
    named: bool = True,
) -> Question:
    """Return the question who wins, where that is asked, else that of one player's own goal.

    Unless it is ``named`` so, several players do not ask who wins.

    Raises:
        BestlineError: the goal does not fit.
    """
    wins = asked_to_win(found, wanted, opponents, settings) if named else None
    if wins is None and opponents is not None:
        settings.note("--opponents changes nothing here: it goes with the question who wins")
    return wins or Question(*question_of(found, wanted), settings.limit)


def _rounds_of(puzzle: Puzzle) -> int | None:
    """Return the rounds that a puzzle asks about, 0 for the whole game, or nothing where it does not ask for rounds.

    It counts own turns of the seat that is to move.
    """
    goal, position = puzzle.goal, position_of(puzzle)
    game, start = position.start()
    if game.to_act(start) != goal.seat or goal.within_turns is None:
        return None
    if game.to_act(State(start.table)) != goal.seat and not game.is_secret(start.table):
        return None
    if game.most_turns(start.table, goal.seat) == goal.within_turns:
        return 0
    rounds, more = divmod(game.turns(start.table, goal.seat) + goal.within_turns, game.stages)
    return None if more else max(0, rounds - game.rounds(start.table)) or None


def declared_opponents(position: Position, wanted: Mapping[str, Any], opponents: str | None) -> str | None:
    """Return how the others play where the question is who wins, or nothing where it is one player's own goal.

    A challenge of the game for several players says it itself.
    """
    objective = wanted.get("objective")
    if position.players < 2:
        return None
    game, start = position.start()
    others = {name: wanted[name] for name in OTHER_GOALS if name in wanted}
    if objective is None and others.keys() == {"seat"}:
        if (actor := game.to_act(start)) not in (CHANCE, OVER, others["seat"]):
            refuse_unknown(position, actor)
            if others["seat"] >= position.players:
                last = position.players - 1
                raise BestlineError(f"--seat: there is no player {others['seat']}; the last one is {last}")
            raise BestlineError(
                f"player {actor} is to move, not player {others['seat']}: 'best --seat {actor}' tells what player "
                f"{actor} should do, and what they do not win the others do; "
                "apply their move ('bestline apply') and ask again"
            )
        others = {}
    if objective == Objective.WIN or (objective is None and not others):
        return opponents or "best"
    return declared_by_challenge(position, str(objective))


def declared_by_challenge(position: Position, challenge: str) -> str | None:
    """Return how the others play by a challenge of the game, or nothing where it is one player's own goal."""
    named = position.definition.challenges.get(challenge)
    if named is None or named.opponent is Opponent.NONE:
        return None
    return "best" if named.opponent is Opponent.OPTIMAL else named.opponent.value
