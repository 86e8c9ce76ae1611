"""The words of the screens that show what is: positions, moves, counts, rulesets, puzzles.

What an answer says and in which order is settled here; ``solver.render`` gives it its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import floor
from typing import Any, Final, NamedTuple

from puzzles.puzzle import NEW_DAY, Goal, Objective, banned
from rules.core.challenge import Quest
from rules.core.errors import capitalised
from rules.core.position import Position
from rules.core.race import ImperfectInformation, Race
from rules.core.scripts import Event, Step, known
from rules.core.tools.output import picked, plain
from rules.core.turns import Game, State
from solver.question import Answer, MoveValue, Question, Status
from solver.render import EMPTY, Row, bar, fact_row, seats_lines, table

UNCERTAIN: Final = "not certain to arrive"
"""Why a move has no expected number of turns,"""
UNSETTLED: Final = "not settled by the turns looked ahead"
"""or none that is known."""
STUCK: Final = "no move is left that the goal allows"
"""Where a move may lead to a turn with nothing that may be done."""
SHORT: Final = 12
"""Columns of a fraction that is worth showing beside its decimal."""
PARTS: Final = 1000
"""Parts of one to which values that are proved from one side are shown, rounded to that side."""
VAGUE: Final = 0.8
"""Least width of an interval of chances that tells nothing."""
FEW: Final = 8
"""Playouts of a payoff below which nothing is told of it."""
TOO_FEW: Final = "too few playouts to tell"
"""What is known of a chance then."""
UNTOLD: Final = "was not played often enough to tell"
"""What is said of a move that too few playouts compare with the best."""
SCHEMA: Final = "bestline/answer/1"
"""Name and version of the shape of an answer; the number rises when a field changes its meaning."""
SHARE: Final = "share of the win"
"""What payoffs are counted in where nothing else is."""


class Unit(NamedTuple):
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


class Body(NamedTuple):
    """What stands between the title of an answer and what it takes as known."""

    question: Sequence[Row]
    verdict: Row
    rest: Sequence[Row]
    facts: Sequence[tuple[str, str]]


def count(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def exact(name: str, value: Fraction | None) -> dict[str, Any]:
    """Return an exact value as JSON has it, with the nearest decimal number beside it."""
    return {name: plain(value), "decimal": decimal(value)}


def decimal(value: Fraction | None) -> float | None:
    """Return an exact value as the nearest number that JSON has."""
    return None if value is None else float(value)


def percent(value: Fraction | float) -> str:
    """Return a chance in percent, never rounded to certainty or to nothing."""
    shown = f"{float(value) * 100:.1f} %"
    if value and shown == "0.0 %":
        return "< 0.1 %"
    return "> 99.9 %" if value != 1 and shown == "100.0 %" else shown


def about(shown: str, is_about: bool = True) -> str:
    """Return an amount as it stands in a sentence, and whether it is only about so much."""
    more = {"< ": "less than ", "> ": "more than "}.get(shown[:2])
    return f"{more}{shown[2:]}" if more else f"about {shown}" if is_about else shown


def interval_text(low: str, high: str) -> str:
    """Return where a mean lies, its ends as they are to be shown."""
    return f"95 % interval {low}{' to ' if low[0] in '+-' else '–'}{high}"


def unit_of(game: Race[Any]) -> Unit:
    """Return what progress is counted in in a game."""
    whole = game.profile.target if isinstance(game, Quest) and not game.only_the_end_counts else None
    return Unit(game.profile.unit, game.profile.is_place, whole)


def goal_sentence(goal: Goal, position: Position) -> str:
    """Return what is asked, in one sentence, with everything that limits it."""
    game, limits = position.game, limits_text(goal, position)
    if isinstance(game, Quest):
        return f"{game.question} {capitalised(limits)}." if limits else game.question
    unit, within = unit_of(game), turns_text(goal.within_turns or 0, goal)
    played = "the game" if goal.within_turns is None else f"{within}, when play is taken to stop"
    target, far = unit.amount(str(goal.target)), f"Have as many {unit.name}s as possible"
    there, far = (
        (f"Be at {target} or beyond", "Get as far as possible") if unit.is_place else (f"Have {target} or more", far)
    )
    asked = {
        Objective.MIN_TURNS: f"{there} in the fewest turns",
        Objective.REACH: f"{there} within {within}",
        Objective.MAX_DISTANCE: f"{far} in {within}",
        Objective.WIN: f"Be ahead of the others as far as possible at the end of {played}",
    }
    return f"{', '.join(filter(None, (asked[goal.objective], limits)))}."


def limits_text(goal: Goal, position: Position, *, turns: bool = True) -> str:
    """Return all that limits a line besides the rules: turns, bans, what is kept, and changed rules.

    ``turns=False`` leaves the number of turns out, where the sentence says it elsewhere.
    """
    within = ""
    if turns and goal.within_turns is not None and (goal.challenge or goal.objective is Objective.MIN_TURNS):
        within = f"{'in ' if goal.challenge else ''}{turns_text(goal.within_turns, goal)} at most"
    cards, others = banned(goal, position)
    bans = cards + [words for words in others if words == NEW_DAY]
    begin = " or ".join(f"'{words}'" for words in others if words != NEW_DAY)
    bans += [f"moves that begin with {begin}"] if begin else []
    limits = [
        within,
        f"without {' or '.join(bans)}" if bans else "",
        f"never losing {' or '.join(sorted(goal.kept))}" if goal.kept else "",
        "" if position.ruleset.is_shipped else f"by the rules of {position.ruleset.id}",
        f"with {options_text(position)}" if position.options else "",
    ]
    return ", ".join(filter(None, limits))


def options_text(position: Position) -> str:
    """Return the options that differ here from those of the ruleset; empty where none does."""
    return ", ".join(f"{name} = {value}" for name, value in sorted(position.options.items()))


def turns_text(turns: int, goal: Goal) -> str:
    """Return a number of own turns as the question counts them, in words."""
    return count(goal.counted(turns), "turn" if goal.clock is None else "round")


def turn_of(goal: Goal) -> str:
    """Return what one own turn is called, in the singular."""
    return "turn" if goal.clock is None else goal.clock.turn


def facts_rows(facts: Iterable[tuple[str, str]], indent: int = 0, target: int | None = None) -> list[Row]:
    """Return labelled facts, the texts under each other, empty ones left out."""
    return [fact_row(label, text, indent, target=target) for label, text in facts if text]


def position_rows(position: Position, goal: Goal | None = None) -> list[Row]:
    """Return a position: its rules, what is known in advance, the table, and its code."""
    known = ", ".join(sorted(position.chance.open)) or "nothing in advance"
    seed = f", seed {position.chance.seed}" if position.chance.seed is not None else ""
    rules = ("rules", f"{position.ruleset.id} {position.fingerprint}")
    facts = facts_rows([rules, ("changed", options_text(position)), ("known", f"{known}{seed}")])
    return [*facts, *table_rows(position, goal), *facts_rows([("code", position.code)])]


def table_rows(position: Position, goal: Goal | None = None, indent: int = 0) -> list[Row]:
    """Return the table as it lies now, several seats side by side; the target of a goal is marked on a strip."""
    game = position.game
    table = game.decode(position.state_so_far()) if position.pending else position.table()
    facts = [(label, text) for label, text in game.glance(table) if text]
    labels = [label for label, _ in facts]
    head = next((label for label in labels if labels.count(label) == position.players > 1), None)
    starts = [place for place, label in enumerate(labels) if label == head] or [len(facts)]
    target = goal.target if goal is not None and goal.target and position.game.profile.is_place else None
    rows = facts_rows(facts[: starts[0]], indent, target)
    seats = [facts[start:end] for start, end in pairwise([*starts, len(facts)])]
    rows += [Row("", indent=indent, drawn=partial(seats_lines, seats))] if seats and seats[0] else []
    return [*rows, *facts_rows([("this turn", "; ".join(position.pending))], indent)]


def option_rows(game: Race[Any], state: State[Any], steps: Sequence[Step], *, numbered: bool = False) -> list[Row]:
    """Return steps that are open, each with what is lacking where its cost cannot be paid."""
    seat = game.to_act(state)
    hand = None if seat < 0 else game.hand_model(game.unfinished(state), seat)
    lacking: Mapping[str, str] = {} if hand is None else hand.lacking()
    notes = [[f"fails: {lacking[card]}" for card in getattr(step, "uses", ()) if card in lacking] for step in steps]
    cells = [(str(number), step.text, *(notes[number - 1] or [""])) for number, step in enumerate(steps, 1)]
    return table([row[0 if numbered else 1 : 3 if any(notes) else 2] for row in cells], indent=2)


def step_rows(game: Game[Any], text: str, events: Iterable[Event]) -> list[Row]:
    """Return a step and what the rules did because of it, with the rules' numbers."""
    done = (Row(game.sentence(event), label="·", right=event.rule, indent=2) for event in events)
    return [Row(text, look="title"), *done]


def picture_rows(position: Position, goal: Goal | None = None) -> list[Row]:
    """Return only what is drawn of a table."""
    return [row for row in table_rows(position, goal) if row.drawn and row.text]


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


def chance_rows(asked: Goal, goal: Goal, *, proved: bool = False) -> list[Row]:
    """Return why the chance counts where turns were asked for; ``proved``: that none is certain to arrive."""
    if asked.objective is goal.objective:
        return []
    known = "certain" if proved else "known to be certain"
    turns = turns_text(goal.within_turns or 0, goal)
    return [Row(f"No way to play is {known} to get there within {turns}: the chance of it counts.")]


def known_rows(position: Position, facts: Sequence[tuple[str, str]] = ()) -> list[Row]:
    """Return the end of a screen: some facts, what the answer takes as known, and the code."""
    return [EMPTY, *facts_rows([*facts, ("known", information_text(position)), ("code", position.code)])]


# Parts of answers as JSON


def answer_of(command: str, position: Position, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer with what every one begins and ends with: what was asked, of which rules, knowing what."""
    return {
        "schema": SCHEMA,
        "command": command,
        "ruleset": position.ruleset.id,
        **picked(position, "fingerprint", "information"),
        **body,
        "position_code": position.code,
    }


def goal_data(goal: Goal | None) -> dict[str, Any]:
    """Return a goal; of a challenge also what its values are, such as ``max_distance``, and its terms if it has any."""
    assert goal is not None
    return {
        "objective": goal.challenge or goal.objective.value,
        **({"measure": goal.objective.value} if goal.challenge else {}),
        **({"terms": dict(goal.terms)} if goal.terms else {}),
        **picked(goal, "target", "within_turns", "forbidden", "kept", "seat"),
    }


def events_data(game: Game[Any], events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return events with their words."""
    return [{"rule": event.rule, "kind": event.kind, "text": game.sentence(event)} for event in events]


# Values: of a goal with everything open, of a goal under chance, and of a game against others


def tells_nothing(playouts: int, interval: Sequence[float] | None, *, is_chance: bool = True) -> bool:
    """Return whether a mean of so few playouts may lie anywhere."""
    if interval is None:
        return playouts > 0
    return playouts > 0 and (interval[1] - interval[0] >= VAGUE if is_chance else playouts < FEW)


class Words(NamedTuple):
    """What values are called: chances in percent, expected turns or progress, or how far a seat is ahead."""

    goal: Goal | None
    """None for payoffs of the game against others."""
    unit: Unit
    """What progress is counted in; of payoffs their stake, without a name for shares of the win."""

    @property
    def own_goal(self) -> Goal:
        """Return the goal where there is one."""
        assert self.goal is not None
        return self.goal

    @property
    def objective(self) -> Objective:
        """Return what is measured."""
        return Objective.WIN if self.goal is None else self.goal.objective

    @property
    def is_chance(self) -> bool:
        """Return whether values lie between 0 and 1."""
        return not self.unit.name if self.goal is None else self.objective is Objective.REACH

    @property
    def lost(self) -> str:
        """Return what a loss is counted in, in the singular."""
        return turn_of(self.own_goal) if self.objective is Objective.MIN_TURNS else self.unit.name

    @property
    def lost_in_rounds(self) -> str:
        """Return what a loss is counted in where everything is open, in the singular."""
        return "round" if self.objective is Objective.MIN_TURNS and self.own_goal.clock is not None else self.lost

    @property
    def digits(self) -> int:
        """Return the decimals of a value that tell a player something: things are counted in tenths."""
        is_counted = self.goal is None or (self.objective is Objective.MAX_DISTANCE and not self.unit.is_place)
        return 1 if is_counted else 3

    @property
    def there(self) -> str:
        """Return what it is to have reached the goal, as a place to get to."""
        return "the goal" if self.own_goal.challenge else self.unit.amount(str(self.own_goal.target))

    @property
    def impossible(self) -> str:
        """Return that the goal is out of reach."""
        goal = self.own_goal
        turns = turns_text(goal.within_turns or 0, goal)
        if self.objective is not Objective.MAX_DISTANCE:
            return f"{self.there} cannot be reached{'' if goal.within_turns is None else f' within {turns}'}"
        if goal.challenge:
            return f"the game is not over within {turns}, so that nothing counts yet"
        lost = f" without losing {' or '.join(sorted(goal.kept))}" if goal.kept else ""
        return f"what is allowed does not last {turns}{lost}"

    @property
    def compared_by(self) -> str:
        """Return what moves are compared by where playouts stand in for a goal."""
        if self.objective is not Objective.MAX_DISTANCE:
            return "Moves are compared by playouts of the goal itself."
        turns, name = count(self.own_goal.within_turns or 0, turn_of(self.own_goal)), self.unit.name
        what = f"how far they get in {turns}" if self.unit.is_place else f"how many {name}s there are after {turns}"
        return f"That is too far to be followed to its end: moves are compared by {what}."

    def value(self, value: Fraction | int | None) -> str:
        """Return an exact value; a whole number is one where everything is open."""
        if value is None:
            return {Objective.WIN: "not compared", Objective.MAX_DISTANCE: STUCK}.get(self.objective, UNCERTAIN)
        if isinstance(value, int):
            if self.is_chance:
                return f"{self.there} is {'reached' if value else 'out of reach'}"
            is_distance = self.objective is Objective.MAX_DISTANCE
            return self.unit.amount(str(value)) if is_distance else turns_text(value, self.own_goal)
        if self.goal is None:
            return f"{self.about(value)}{exactly(abs(value))}"
        if self.is_chance:
            return f"{percent(value)}{exactly(value)}"
        if self.objective is Objective.MAX_DISTANCE:
            return f"{self.unit.amount(rounded(value, self.digits))}{exactly(value)}"
        clock = self.goal.clock
        return f"{measured(value, self.lost)}{exactly(value)}{'' if clock is None else f', {clock.turns} to a round'}"

    def about(self, value: Fraction) -> str:
        """Return a value that comes from playouts, or has no exact end."""
        if self.is_chance:
            return f"{percent(value)}{' to win' if self.goal is None else ''}"
        if self.goal is None:
            side = "ahead" if value > 0 else "behind"
            return f"{measured(abs(value), self.lost, self.digits)} {side}" if value else "level"
        shown, whole = self.number(float(value)).removesuffix(".0"), self.unit.whole
        if self.objective is Objective.MAX_DISTANCE:
            return f"{self.unit.amount(shown)}{f' of {whole}' if whole else ''}"
        return f"{shown} {self.lost}s"

    def bar(self, value: Fraction | None, interval: tuple[float, float] | None = None) -> str:
        """Return a chance as a bar; nothing where a value is none, or not known."""
        return bar(value, interval) if self.is_chance and value is not None else ""

    def loss(self, loss: Fraction) -> str:
        """Return a loss."""
        return percent(loss) if self.is_chance else measured(loss, self.lost, self.digits)

    def number(self, value: float) -> str:
        """Return an end of an interval."""
        if self.is_chance:
            return f"{value * 100:.1f} %"
        return f"{value:.2f}" if self.objective is Objective.MIN_TURNS else f"{value:{'+' * (self.goal is None)}.1f}"

    def is_vague(self, move: MoveValue[Fraction]) -> bool:
        """Return whether the playouts of a move leave nearly anything open."""
        counts = self.is_chance or self.goal is None
        return counts and tells_nothing(move.playouts, move.interval, is_chance=self.is_chance)

    def bound(self, value: Fraction) -> str:
        """Return the value of a policy that was worked out, rounded to the side on which it holds."""
        side = "at most" if self.objective is Objective.MIN_TURNS else "at least"
        return f"{side} {percent(Fraction(floor(value * PARTS), PARTS)) if self.is_chance else self.value(value)}"


def payoff_words(stake: str) -> Words:
    """Return what payoffs are called; ``stake`` is what they are counted in, empty for shares of the win."""
    return Words(None, Unit(stake, is_place=False))


def words_for(goal: Goal | None, game: Race[Any]) -> Words:
    """Return what the values of a goal are called in a game, or its payoffs where there is no goal."""
    return payoff_words(game.stake) if goal is None else Words(goal, unit_of(game))


def words_of(question: Question, answer: Answer[Any]) -> Words:
    """Return what the values of the moves are called."""
    if answer.contest is not None:
        return payoff_words(answer.contest.stake)
    return words_for(answer.goal or question.own_goal, question.position.game)


def sample_text(move: MoveValue[Fraction], words: Words) -> str:
    """Return how sure the value of a move is that playouts were played for."""
    playouts = count(move.playouts, "playout")
    if move.interval is None or words.is_vague(move):
        return playouts
    low, high = (words.number(each).removesuffix(" %") for each in move.interval)
    return f"{interval_text(low, high)}, {playouts}"


def rounded(value: Fraction, digits: int = 3) -> str:
    """Return an expectation as a decimal number, never rounded to nothing."""
    shown = f"{float(value):.{digits}f}".rstrip("0").rstrip(".")
    return f"< {10**-digits}" if value > 0 and shown == "0" else shown


def measured(value: Fraction, unit: str, digits: int = 3) -> str:
    """Return an expectation with its unit, which is given in the singular."""
    shown = rounded(value, digits)
    return f"{shown} {unit}{'' if shown == '1' else 's'}"


def exactly(value: Fraction) -> str:
    """Return a fraction to stand beside its decimal; empty where there is none, or none worth showing."""
    text = str(value)
    return f" ({text})" if value.denominator > 1 and len(text) <= SHORT else ""


def verdict_row(answer: Answer[Any], words: Words, *, by_chance: bool = False) -> Row:
    """Return the one line that says what was searched for and found; ``by_chance``: nothing can be chosen yet."""
    goal, value, fewest = words.goal, answer.value, words.objective is Objective.MIN_TURNS
    bound = "" if answer.bound is None or goal is None else f"; {words.value(answer.bound)} may be possible"
    if answer.status is Status.INFEASIBLE and goal is not None:
        return Row(f"proved: {words.impossible}", label="IMPOSSIBLE", look="bad")
    if value is None and answer.status is not Status.OPTIMAL:
        return Row(f"nothing found before the limit{bound}", label="UNKNOWN", look="open")
    shown = words.value(value)
    if answer.is_open and words.own_goal.clock is not None and fewest and value:
        shown = f"{shown} ({count(value, words.lost)})"
    if answer.status is Status.OPTIMAL:
        is_done = value == 0 and fewest if answer.is_open else not (answer.moves or by_chance or answer.contest)
        left = "no turn is left" if words.objective is Objective.MAX_DISTANCE else "the goal is reached already"
        proved = f": {left}" if is_done else ", proved best; chance decides next" if by_chance else ", proved best"
        return Row(f"{shown}{proved}", label="SOLVED", look="good")
    return Row(f"{shown}, the best found so far{bound}", label="FOUND", look="open")


def numbers(first: int, last: int) -> str:
    """Return the numbers of turns that are one row."""
    return f"{last:>2}" if first == last else f"{first:>2}-{last}"


def decided_text(shown: str, verdict: str, kind: str = "", first: str = "the first move", level: int = 0) -> str:
    """Return what is known, and how sure the ``first`` move is, or only what kind of move it is.

    So many moves as ``level`` says, the best first, are about as good, where that is known.
    """
    sure, may = ("too close to call", "are level") if verdict == "close" else ("not settled", "may be best")
    sure += f": the first {level} {may}" if level else ""
    if verdict == "decided" or kind:
        how = "" if verdict == "decided" else f", how is {sure}"
        best = first if verdict == "decided" else kind
        return "; ".join(filter(None, (shown, f"{best} is clearly best{how}")))
    return ". ".join(filter(None, (shown, capitalised(sure))))
