"""The words of the screens that show what is: positions, moves, counts, rulesets, puzzles.

What an answer says and in which order is settled here; ``solver.render`` gives it its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from puzzles.goal import Goal, Objective
from puzzles.loader import NEW_DAY, Puzzle, banned
from rules.core.challenge import Quest
from rules.core.chance import known
from rules.core.errors import capitalised
from rules.core.position import Position
from rules.core.race import ImperfectInformation, Race
from rules.core.steps import Event
from rules.core.turns import Game
from solver.question import Statistics
from solver.render import EMPTY, Row, Style, table
from solver.screens.pictures import FACTS, fact_row, seats_row

if TYPE_CHECKING:
    from solver.tools.puzzle import Verdict


@dataclass(frozen=True, slots=True)
class Unit:
    """What progress is counted in."""

    name: str
    """In the singular."""
    is_place: bool
    """Progress is where somebody is, and not how much somebody has."""
    whole: int | None = None
    """Progress at which all of it is done, where there is so much to do."""

    def amount(self, shown: str) -> str:
        """Return progress in words, its number as it is to be shown."""
        if self.is_place:
            return f"{self.name} {shown}"
        return f"{shown} {self.name}" if shown == "1" else f"{shown} {self.name}s"


def count(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def lose(number: int, things: str = "") -> str:
    """Return that so many things lose something, in words where they are given."""
    return f"{things or number} {'loses' if number == 1 else 'lose'}"


def exact(name: str, value: Fraction | None) -> dict[str, Any]:
    """Return an exact value as JSON has it, with the nearest decimal number beside it."""
    return {name: fraction_text(value), "decimal": decimal(value)}


def fraction_text(value: Fraction | None) -> str | None:
    """Return an exact value as JSON has it, such as '5/6'."""
    return None if value is None else str(value)


def decimal(value: Fraction | None) -> float | None:
    """Return an exact value as the nearest number that JSON has."""
    return None if value is None else float(value)


def percent(value: Fraction) -> str:
    """Return a chance in percent, never rounded to certainty or to nothing."""
    shown = f"{float(value) * 100:.1f} %"
    if value and shown == "0.0 %":
        return "< 0.1 %"
    return "> 99.9 %" if value != 1 and shown == "100.0 %" else shown


def interval_text(low: str, high: str) -> str:
    """Return where a mean lies, its ends as they are to be shown."""
    return f"95 % interval {low}{' to ' if low[0] in '+-' else '–'}{high}"


def unit_of(position: Position) -> Unit:
    """Return what progress is counted in."""
    return unit_in(position.game)


def unit_in(game: Race[Any]) -> Unit:
    """Return what progress is counted in in a game."""
    whole = game.default_target() if isinstance(game, Quest) and not game.only_the_end_counts else None
    return Unit(game.unit, game.is_place, whole)


def goal_sentence(goal: Goal, position: Position) -> str:
    """Return what is asked, in one sentence, with everything that limits it."""
    game, limits = position.game, limits_text(goal, position)
    if isinstance(game, Quest):
        return f"{game.question()} {capitalised(limits)}." if limits else game.question()
    asked = _objective_text(goal, unit_in(game))
    return f"{asked}, {limits}." if limits else f"{asked}."


def _objective_text(goal: Goal, unit: Unit) -> str:
    within = turns_text(goal.within_turns or 0, goal)
    if goal.objective is Objective.WIN:
        played = "the game" if goal.within_turns is None else f"{within}, when play is taken to stop"
        return f"Be ahead of the others as far as possible at the end of {played}"
    there = f"Be at {unit.amount(str(goal.target))} or beyond"
    if not unit.is_place:
        there = f"Have {unit.amount(str(goal.target))} or more"
    if goal.objective is Objective.MIN_TURNS:
        return f"{there} in the fewest turns"
    if goal.objective is Objective.REACH:
        return f"{there} within {within}"
    if unit.is_place:
        return f"Get as far as possible in {within}"
    return f"Have as many {unit.name}s as possible in {within}"


def limits_text(goal: Goal, position: Position, *, turns: bool = True) -> str:
    """Return all that limits a line besides the rules: turns, bans, what is kept, and changed rules.

    ``turns=False`` leaves the number of turns out, where the sentence says it elsewhere.
    """
    limits: list[str] = []
    if turns and goal.within_turns is not None and (goal.challenge or goal.objective is Objective.MIN_TURNS):
        limits.append(f"{'in ' if goal.challenge else ''}{turns_text(goal.within_turns, goal)} at most")
    cards, others = banned(goal, position)
    bans = cards + [words for words in others if words == NEW_DAY]
    begin = " or ".join(f"'{words}'" for words in others if words != NEW_DAY)
    bans += [f"moves that begin with {begin}"] if begin else []
    if bans:
        limits.append(f"without {' or '.join(bans)}")
    if goal.kept:
        limits.append(f"never losing {' or '.join(sorted(goal.kept))}")
    if not position.ruleset.is_shipped:
        limits.append(f"by the rules of {position.ruleset.id}")
    changed = options_text(position)
    return ", ".join([*limits, f"with {changed}"] if changed else limits)


def options_text(position: Position) -> str:
    """Return the options that differ here from those of the ruleset; empty where none does."""
    return ", ".join(f"{name} = {value}" for name, value in sorted(position.setting.options.items()))


def turns_text(turns: int, goal: Goal) -> str:
    """Return a number of own turns as the question counts them, in words."""
    return count(goal.counted(turns), "turn" if goal.clock is None else "round")


def goal_reached(goal: Goal, unit: Unit) -> str:
    """Return what it is to have reached the goal, as a place to get to."""
    return "the goal" if goal.challenge else unit.amount(str(goal.target))


def facts_rows(facts: Iterable[tuple[str, str]], indent: int = 0, target: int | None = None) -> list[Row]:
    """Return labelled facts, the texts under each other, empty ones left out."""
    return [fact_row(label, text, indent, target=target) for label, text in facts if text]


def position_rows(position: Position, goal: Goal | None = None) -> list[Row]:
    """Return a position: its rules, what is known in advance, the table, and its code."""
    known = ", ".join(sorted(position.chance.open)) or "nothing"
    seed = f", seed {position.chance.seed}" if position.chance.seed is not None else ""
    facts = [
        ("rules", f"{position.ruleset.id} {position.fingerprint}"),
        ("changed", options_text(position)),
        ("known", f"{known}{seed}"),
    ]
    return [*facts_rows(facts), *table_rows(position, goal), *facts_rows([("code", position.code)])]


def table_rows(position: Position, goal: Goal | None = None, indent: int = 0) -> list[Row]:
    """Return the table as it lies now, several seats side by side; the target of a goal is marked on a strip."""
    game, table = position.game, position.table()
    if position.pending:
        table = game.decode(position.state_so_far())
    facts = [(label, text) for label, text in game.glance(table) if text]
    labels = [label for label, _ in facts]
    head = next((label for label in labels if labels.count(label) == position.players > 1), None)
    starts = [place for place, label in enumerate(labels) if label == head] or [len(facts)]
    target = goal.target if goal is not None and goal.target and position.game.is_place else None
    rows = facts_rows(facts[: starts[0]], indent, target)
    seats = [facts[start:end] for start, end in pairwise([*starts, len(facts)])]
    rows += [seats_row(seats, indent)] if seats and seats[0] else []
    return [*rows, *facts_rows([("this turn", "; ".join(position.pending))], indent)]


def picture_rows(position: Position, goal: Goal | None = None) -> list[Row]:
    """Return only what is drawn of a table."""
    return [row for row in table_rows(position, goal) if row.drawn and row.text]


def moves_rows(answer: Mapping[str, Any]) -> list[Row]:
    """Return who decides now and between what; ``answer`` is the answer as JSON."""
    if answer["to_act"] == "over":
        return [Row("the game is over")]
    if answer["to_act"] == "chance":
        head = Row(f"chance has {count(len(answer['chance']), 'outcome')}", look="title")
        return [head, *(Row(each["outcome"], right=each["probability"], indent=2) for each in answer["chance"])]
    head = Row(f"{answer['to_act'].replace(':', ' ')} has {count(len(answer['moves']), 'move')}", look="title")
    return [head, *(Row(text, indent=2) for text in answer["moves"])]


def steps_rows(game: Game[Any], taken: Sequence[tuple[str, Sequence[Event]]], after: Position) -> list[Row]:
    """Return what the rules did because of some steps, with the rules' numbers, and the position they led to."""
    rows: list[Row] = []
    for text, events in taken:
        rows.append(Row(text, look="title"))
        rows += [Row(game.sentence(event), label="·", right=event.rule, indent=2) for event in events]
    return [*rows, EMPTY, *table_rows(after), *facts_rows([("code", after.code)])]


def counts_rows(counts: Mapping[str, Any]) -> list[Row]:
    """Return a perft answer, given as JSON."""
    rows = facts_rows((name, f"{counts[name]:,}") for name in ("turns", "positions", "lines", "terminal"))
    rows += facts_rows([("digest", counts["digest"])])
    if "divide" in counts:
        rows.append(EMPTY)
        rows += [Row(move, right=f"{part['positions']:,}") for move, part in counts["divide"].items()]
    return rows


def library_rows(puzzles: Iterable[Puzzle], style: Style) -> list[Row]:
    """Return puzzles game by game, the easiest first."""
    games: dict[str, list[Puzzle]] = {}
    for puzzle in sorted(puzzles, key=lambda each: (each.difficulty or 0, each.id)):
        games.setdefault(puzzle.position.definition.title, []).append(puzzle)
    rows: list[Row] = []
    for title in sorted(games):
        cells = [("puzzle", "grade", "goal", "title"), *map(puzzle_line, games[title])]
        rows += [EMPTY, Row(title, look="title"), *table(cells, style, indent=2, headed=True)]
    return rows[1:]


def puzzle_line(puzzle: Puzzle) -> tuple[str, ...]:
    """Return a puzzle as the cells of one row: id, grade, goal, title."""
    goal, game = puzzle.goal, puzzle.position.game
    name = game.challenge.name if isinstance(game, Quest) else ""
    there, turns = name or str(goal.target), "turns" if goal.clock is None else "rounds"
    asked = {
        Objective.MIN_TURNS: name or f"{there} in fewest {turns}",
        Objective.REACH: f"{there} in {count(goal.within_turns or 0, 'turn')}",
        Objective.MAX_DISTANCE: f"{name or 'furthest'} in {count(goal.within_turns or 0, 'turn')}",
        Objective.WIN: "win" if goal.within_turns is None else f"ahead in {turns_text(goal.within_turns, goal)}",
    }
    return puzzle.id, str(puzzle.difficulty or "-"), asked[goal.objective], puzzle.title


def puzzle_rows(puzzle: Puzzle) -> list[Row]:
    """Return a puzzle, without its solution."""
    facts = [
        ("puzzle", puzzle.id),
        ("author", puzzle.author),
        ("themes", ", ".join(puzzle.themes)),
        ("grade", str(puzzle.difficulty or "")),
    ]
    return [
        Row(puzzle.title, look="title"),
        Row(puzzle.summary),
        EMPTY,
        Row(goal_sentence(puzzle.goal, puzzle.position)),
        EMPTY,
        *facts_rows(facts),
        *position_rows(puzzle.position, puzzle.goal),
    ]


def impossible(goal: Goal, unit: Unit) -> str:
    """Return that a goal is out of reach, in words."""
    if goal.objective is Objective.MAX_DISTANCE:
        if goal.challenge:
            return f"the game is not over within {turns_text(goal.within_turns or 0, goal)}, so that nothing counts yet"
        lost = f" without losing {' or '.join(sorted(goal.kept))}" if goal.kept else ""
        return f"what is allowed does not last {turns_text(goal.within_turns or 0, goal)}{lost}"
    within = f" within {turns_text(goal.within_turns, goal)}" if goal.within_turns is not None else ""
    return f"{goal_reached(goal, unit)} cannot be reached{within}"


def information_text(position: Position) -> str:
    """Return what the answer takes as known."""
    if position.information == "open":
        return "Everything is open: every shuffle and roll to come is known. Other luck may need another line."
    game, table = position.game, position.table()
    decks = game.decks(table) if position.players == 1 else {}
    top = {
        name: [card for lot in lots if lot.size == len(lot.pool) == 1 for card in lot.pool]
        for name, lots in decks.items()
    }
    told = [f"{', '.join(top[name])} on top of the {name}" for name in position.hidden if top.get(name)]
    others = set(range(position.players)) - {game.to_act(position.start()[1])} if position.players > 1 else set[int]()
    if isinstance(game, ImperfectInformation) and any(known(game.hand(table, other)) for other in others):
        told = ["the other hands as named; write ? for a card that you have not seen"]
    return f"Hidden: {', '.join(position.hidden)}." + "".join(f" Known: {words}." for words in told)


def lost_unit(goal: Goal, unit: Unit) -> str:
    """Return what a worse move costs, in the singular."""
    turn = "turn" if goal.clock is None else "round"
    return turn if goal.objective is Objective.MIN_TURNS else unit.name


def footer_rows(position: Position, statistics: Statistics, *, timed: bool, sampled: bool) -> list[Row]:
    """Return what the answer rests on: rules, work, position; the clock only where ``timed``."""
    done = statistics.generated
    work = [count(done, "playout") if sampled else f"{count(done, 'position')} generated"]
    if timed:
        work.append(f"{statistics.time_s:.2f} s")
        if statistics.time_s >= 0.05:
            work.append(f"{round(statistics.generated / statistics.time_s):,} a second")
    rules = f"{position.ruleset.id} {position.fingerprint} · {' · '.join(work)} · {statistics.engine or 'no'} engine"
    return [*facts_rows([("rules", rules)]), Row(position.code, label="code", column=FACTS)]


def verdict_rows(verdicts: Sequence[Verdict], style: Style) -> list[Row]:
    """Return what a check of puzzles came to, one a row."""
    words = {True: "holds", False: "FAILS", None: "open"}
    return table([(words[verdict.ok], verdict.id, verdict.reason) for verdict in verdicts], style)


def chance_rows(asked: Goal, goal: Goal, *, proved: bool = False) -> list[Row]:
    """Return why the chance counts where turns were asked for; ``proved``: that none is certain to arrive."""
    if asked.objective is goal.objective:
        return []
    known = "certain" if proved else "known to be certain"
    turns = turns_text(goal.within_turns or 0, goal)
    return [Row(f"No way to play is {known} to get there within {turns}: the chance of it counts.")]


def compared_by(goal: Goal, unit: Unit) -> str:
    """Return what moves are compared by where playouts stand in for a goal."""
    if goal.objective is not Objective.MAX_DISTANCE:
        return "Moves are compared by playouts of the goal itself."
    turns = count(goal.within_turns or 0, "turn" if goal.clock is None else goal.clock.turn)
    what = f"how far they get in {turns}" if unit.is_place else f"how many {unit.name}s there are after {turns}"
    return f"That is too far to be followed to its end: moves are compared by {what}."


def known_rows(position: Position, facts: Sequence[tuple[str, str]] = ()) -> list[Row]:
    """Return the end of a screen: some facts, what the answer takes as known, and the code."""
    return [EMPTY, *facts_rows([*facts, ("known", information_text(position)), ("code", position.code)])]
