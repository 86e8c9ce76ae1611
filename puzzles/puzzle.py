"""Puzzles: goals, files of a position with a goal, read with every fault told and written to read back; the library.

What a goal may ask is section 3 of the interface. ``win`` asks to win, or to be as far ahead as possible at a stop.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.challenge import Challenge, Clock, Measure, Opponent, Quest
from rules.core.errors import ContentError, Fault, nearest
from rules.core.files import Faults, Source, is_there, looks_like_code, read_file
from rules.core.position import Position, decode_position, read_position
from rules.core.race import Race
from rules.core.schema import Boolean, Default, Either, Integer, LeftOut, Size, Text, built, plain, table_of
from rules.core.scripts import Forced, Step
from rules.core.tools.output import stated


class Objective(StrEnum):
    """The kinds of question that any game with turns and progress can be asked."""

    MIN_TURNS = "min_turns"
    """Fewest own turns, counted when finished, after which progress is at or past the target."""
    REACH = "reach"
    """1 if progress is at or past the target at the end of some own turn within the limit, else 0."""
    MAX_DISTANCE = "max_distance"
    """Greatest progress at the end of the last of the given number of own turns."""
    WIN = "win"
    """To win against the others, or to be as far ahead as possible, perhaps only until a round is over."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One question about one seat."""

    objective: Objective
    target: int
    """Progress to be at or past; ignored by ``max_distance`` and ``win``."""
    within_turns: int | None = None
    """Own turns allowed: required for ``reach`` and ``max_distance``, an upper limit for ``min_turns``; for ``win``
    those after which play stops."""
    forbidden: frozenset[str] = frozenset()
    """First words of moves that are not allowed, such as ``new_day`` or ``play mush``."""
    seat: int = 0
    kept: frozenset[str] = frozenset()
    """Names of what the seat may not have less of, at the end of any own turn, than at the start."""
    challenge: str = ""
    """Id of the game's own challenge that progress is measured by; empty for the game's progress."""
    terms: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the challenge asks besides, in the shape that the game gives it."""
    clock: Clock | None = field(default=None, compare=False)
    """How own turns make up rounds, where turns are to be told in rounds."""

    def counted(self, turns: int) -> int:
        """Return a number of own turns as the question counts them: in rounds where it has a clock."""
        return turns if self.clock is None else self.clock.rounds(turns)

    def least(self, turns: int) -> int:
        """Return the fewest own turns that count as much as so many: those that end in the same round."""
        return turns if self.clock is None else min(turns, self.clock.turns_in(self.clock.rounds(turns) - 1) + 1)

    def in_rounds(self, value: int | None) -> int | None:
        """Return a value of a report as the question counts it."""
        return value if value is None or self.objective is not Objective.MIN_TURNS else self.counted(value)


def forbids(forbidden: frozenset[str], text: str) -> bool:
    """Return whether a move's text begins with forbidden words."""
    return f"{text} ".startswith(_beginnings(forbidden))


@cache
def _beginnings(forbidden: frozenset[str]) -> tuple[str, ...]:
    return tuple(f"{words} " for words in forbidden)


def forbidden_step(step: object, forbidden: frozenset[str]) -> bool:
    """Return whether a step is a move that begins with forbidden words."""
    return not isinstance(step, Forced) and forbids(forbidden, getattr(step, "text", ""))


def allowed_steps(steps: Iterable[Step], forbidden: frozenset[str]) -> list[Step]:
    """Return those of some steps that are not forbidden."""
    return [step for step in steps if not forbidden_step(step, forbidden)]


def does_forbidden(steps: Iterable[object], forbidden: frozenset[str]) -> bool:
    """Return whether some of the steps of a turn are forbidden, be it that they were taken before a question came."""
    return bool(forbidden) and any(forbidden_step(step, forbidden) for step in steps)


_OBJECTIVES: Final = tuple(objective.value for objective in Objective)
IMPOSSIBLE: Final = "impossible"
"""What a solution states as the value where the goal is proved out of reach."""
_VALUE: Final = f"a fraction such as 1/2, or '{IMPOSSIBLE}'"
NO_GOAL: Final = "this is a position without a goal, and so no puzzle"
NEW_DAY: Final = "new_day"
"""First word of the move that ``goal.new_day = false`` forbids."""

_CHALLENGE_ID: Final = Text(pattern=r"[A-Z]+-[A-Z]+[0-9]+", kind="a challenge id")
_PATTERN: Final = rf"{IMPOSSIBLE}|-?[0-9]+(?:/[0-9]+)?"
Turns: TypeAlias = Annotated[int, Integer(0, 1_000_000), LeftOut()]
Number: TypeAlias = Annotated[int, Integer(0)]


class GoalTable:
    """The ``goal`` table of a puzzle."""

    objective: Annotated[
        str, Either((Text(_OBJECTIVES), _CHALLENGE_ID)), "What is asked for, or a challenge of the game."
    ]
    target: Annotated[Number, LeftOut("the finish"), "Progress to be at or past"]
    within_turns: Annotated[Turns, "Own turns allowed."]
    within_rounds: Annotated[Turns, "Rounds allowed, where a challenge counts rounds; those of a game to win."]
    without: Annotated[
        tuple[Annotated[str, Text(kind="a card id")], ...],
        *(Size(unique=True), Default(()), "Cards that may not be played from the hand."),
    ]
    keep: Annotated[
        tuple[Annotated[str, Text(kind="a name")], ...],
        *(Size(unique=True), Default(()), "What may not be lost, such as a card."),
    ]
    new_day: Annotated[bool, Default(True), "Whether the main action of that name is allowed."]
    seat: Annotated[Number, Default(0), "Whose goal it is."]
    terms: Annotated[Any, LeftOut(), "What a challenge of the game asks besides."]


class Solution(NamedTuple):
    """What has been proved about a puzzle."""

    value: Annotated[int | str, Either((Integer(0), Text(pattern=_PATTERN, kind=_VALUE))), "The proved value."]
    """As in ``solver.question.Answer``; a fraction as text where chance is hidden, ``IMPOSSIBLE`` where proved."""
    line: Annotated[tuple[str, ...], "One text a turn, its moves joined by semicolons."] = ()
    unique: Annotated[bool | None, Boolean(), "Whether no other line does as well."] = None
    """Nothing where that was not looked into."""
    certificate: Annotated[str, Text(pattern=r"[0-9a-f]{64}", kind="a SHA-256 digest"), "Digest of the proof."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a puzzle says about itself."""

    id: Annotated[str, Text(pattern=r"[a-z0-9]+(?:[-_][a-z0-9]+)*", kind="an id of small letters, digits and hyphens")]
    title: Annotated[str, "Name for people."]
    author: Annotated[str, "Who made it."] = ""
    summary: Annotated[str, "What it is about, without giving the answer away."] = ""
    themes: Annotated[tuple[str, ...], Size(unique=True), "What the answer turns on."] = ()
    difficulty: Annotated[
        int | None, Integer(1, 10), "How hard it is, from 1; the grades of 'puzzle rate' end with 5."
    ] = None

    def about(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {name: plain(getattr(self, name)) for name in table_of(About).fields}


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle(About):
    """A position with a goal."""

    position: Position
    goal: Goal
    solution: Solution | None = None


class PuzzleFile:
    """A whole puzzle file."""

    puzzle: About
    goal: GoalTable
    position: Annotated[Mapping[str, Any], "The position, as in a file of its own."]
    solution: Annotated[Solution, LeftOut(), "What has been proved about it."]


PUZZLE_FILE: Final = table_of(PuzzleFile)
_GOAL: Final = PUZZLE_FILE.fields["goal"].schema


def load_puzzle(reference: str) -> Puzzle:
    """Return the puzzle of a file, or of the library by its id.

    Raises:
        ContentError: there is no such puzzle, or every fault of its file.
    """
    if isinstance(found := load_question(reference), Puzzle):
        return found
    raise ContentError([Fault(NO_GOAL, file=reference)])


def load_question(reference: str) -> Puzzle | Position:
    """Return the puzzle or the bare position that a file, a puzzle id or a position code stands for.

    A code may have come in several lines, as narrow screens and mails break it.

    Raises:
        ContentError: there is no such thing, or every fault of it.
        BestlineError: a damaged position code.
    """
    reference = reference.removeprefix("\ufeff")
    path = Path(reference).expanduser()
    if not is_there(path):
        path = library().get(reference, path)
        if looks_like_code(code := "".join(reference.split())):
            return decode_position(code)
        if reference not in library() and not reference.endswith((".toml", ".json")):
            hint = nearest(reference, library()) or "; 'bestline puzzle list' shows the ids"
            raise ContentError([Fault(f"'{reference}' is no file, no position code and no puzzle id{hint}")])
    return read_question(read_file(path, reference), path.parent)


def read_question(source: Source, base_dir: Path | None = None, *, bare: bool = False) -> Puzzle | Position:
    """Return the puzzle or the plain position of a text; a text with a ``position`` or ``puzzle`` table is a puzzle.

    In a puzzle a zone that is left out is empty, as long as no card is unknown. So it is with ``bare`` in a position.
    An answer, which has a ``position_code``, stands for its position.

    Raises:
        ContentError: every fault of the text.
    """
    if {"position", "puzzle", "goal"} & set(source.data) and "position_code" not in source.data:
        return read_puzzle(source, base_dir)
    return read_position(source, base_dir, bare=bare)


def read_puzzle(source: Source, base_dir: Path | None = None) -> Puzzle:
    """Return the puzzle of a text; paths of variants in it are relative to ``base_dir``.

    An answer that shows a puzzle has the tables of its file as its ``question``.

    Raises:
        ContentError: every fault of the text, those of its position included.
    """
    if "position_code" in source.data:
        raise ContentError([Fault(NO_GOAL, file=source.file)])
    if "puzzle" not in source.data and isinstance(source.data.get("question"), dict):
        source = replace(source, data=source.data["question"])
    data, faults = source.data, Faults(source.fault)
    PUZZLE_FILE.check(data, (), faults)
    try:
        if isinstance(data.get("position"), dict):
            position = read_position(source.part("position"), base_dir, bare=True)
            if _GOAL.accepts(data.get("goal")):
                position, goal = _question(data["goal"], position, faults.inside(("goal",)))
    except ContentError as error:
        faults.take(error.faults)
    faults.raise_any()
    about, solved = data["puzzle"], data.get("solution")
    return Puzzle(
        **{**about, "themes": tuple(about.get("themes", ()))},
        position=position,
        goal=goal,
        solution=None if solved is None else built(Solution, solved),
    )


def question_of(given: Mapping[str, Any], position: Position) -> tuple[Position, Goal]:
    """Return the goal that a ``goal`` table means in a position, and the position with progress measured by it.

    What the table leaves out takes the game's own value.

    Raises:
        ContentError: every fault of the table.
    """
    faults = Faults()
    _GOAL.check(given, (), faults)
    faults.raise_any()
    position, goal = _question(given, position, faults)
    faults.raise_any()
    return position, goal


def banned(goal: Goal, position: Position) -> tuple[list[str], list[str]]:
    """Return the cards that a goal forbids to play, and how all other moves begin that it forbids, both ascending."""
    bans = position.definition.bans(position.ruleset)
    cards = sorted(card for card, words in bans.items() if words <= goal.forbidden)
    return cards, sorted(goal.forbidden.difference(*(bans[card] for card in cards)))


def goal_table(goal: Goal, position: Position) -> dict[str, Any]:
    """Return the ``goal`` table that means a goal in a position."""
    table: dict[str, Any] = {"objective": goal.challenge or goal.objective.value, "seat": goal.seat}
    if goal.challenge:
        table["terms"] = dict(goal.terms)
    elif goal.objective not in (Objective.WIN, Objective.MAX_DISTANCE):
        table["target"] = goal.target
    more = {"within_turns": goal.within_turns, "without": banned(goal, position)[0], "keep": sorted(goal.kept)}
    said = {name: value for name, value in more.items() if value not in (None, [])}
    return {**table, **said, "new_day": NEW_DAY not in goal.forbidden}


def puzzle_tables(puzzle: Puzzle) -> dict[str, Any]:
    """Return the tables of a puzzle's file; what takes its own value when left out is left out."""
    position = puzzle.position
    usual = {"target": position.game.profile.target, "seat": 0, "new_day": True, "terms": {}}
    goal = goal_table(puzzle.goal, position)
    data: dict[str, Any] = {
        "puzzle": stated(**{name: value or None for name, value in puzzle.about().items()}),
        "goal": {name: value for name, value in goal.items() if name not in usual or usual[name] != value},
        "position": position.shortened(),
    }
    return data | ({} if puzzle.solution is None else {"solution": stated(**puzzle.solution._asdict())})


def _question(given: Mapping[str, Any], position: Position, faults: Faults) -> tuple[Position, Goal]:
    """Return position and goal of a table of the right shape, and note what does not fit the position."""
    position = replace(position, aim=None, kept={})
    name, terms = str(given["objective"]), given.get("terms", {})
    challenges = {} if name in _OBJECTIVES else position.definition.challenges  # only then is their file read
    challenge = challenges.get(name)
    Text((*_OBJECTIVES, *challenges), kind="an objective").check(name, ("objective",), faults)
    seat = given.get("seat", 0)
    if seat >= position.players:
        faults.add(("seat",), f"there is no seat {seat}; the last one is {position.players - 1}")
    elif name == Objective.WIN:
        return position, win_goal(given, position, faults)
    elif challenge is not None:
        before = faults.count
        position.definition.terms_schema(position.ruleset, name).check(terms, ("terms",), faults)
        if faults.count == before:
            position = position.towards(name, seat, terms)
    if challenge is None:
        objective = Objective(name) if name in _OBJECTIVES else Objective.MIN_TURNS
        if terms:
            faults.add(("terms",), f"'{name}' has no terms; only a challenge of the game has")
    else:
        objective = Objective.MAX_DISTANCE if challenge.measure is Measure.SCORE else Objective.MIN_TURNS
        if challenge.players > position.players:
            faults.add(("objective",), f"'{name}' is asked of {challenge.players} players; here one plays alone")
        if information_for(position, challenge) not in challenge.variants:
            faults.add(("objective",), f"'{name}' is asked with all that comes {challenge.variants[0]}; here it is not")
        if "target" in given:
            faults.add(("target",), f"'{name}' says itself what is to be reached; leave this out")
    game, finish = position.game, position.game.profile.target
    clock = game.clock() if isinstance(game, Quest) else None
    within = turns_within(given, name, clock, faults)
    if isinstance(game, Quest) and game.only_the_end_counts:
        last = game.most_turns(position.table(), game.seat)
        if within is None:
            within = last
        elif last is not None and position.hidden and within < last:  # what such play is worth in the end is not known
            what = f"'{name}' counts what there is at the end, up to {last} own turns from here"
            faults.add(("within_turns",), f"{what}; leave this out")
    if within is None and objective is not Objective.MIN_TURNS:
        faults.add(("within_turns",), f"'{name}' needs this number of own turns")
    kept = given.get("keep", ())
    try:
        position = position.keeping(kept)
    except ContentError as lacking:
        for fault in lacking.faults:
            faults.add(("keep",), fault.message)
    if name == Objective.MAX_DISTANCE and given.get("target", finish) != finish:
        faults.add(("target",), f"'{name}' gets as far as possible, whatever the target; leave this out")
    return position, Goal(
        objective=objective,
        target=given.get("target", finish),
        within_turns=within,
        forbidden=_forbidden(given, position, faults),
        seat=seat,
        kept=frozenset(kept),
        challenge="" if challenge is None else name,
        terms=terms,
        clock=clock,
    )


def win_goal(given: Mapping[str, Any], position: Position, faults: Faults) -> Goal:
    """Return the goal of a table that asks who wins, and note what does not fit the position.

    It is asked for the seat to move, and for the whole game unless a number of rounds is given. Own turns stand for
    rounds where they end with one.
    """
    game, start = position.start()
    for name in ("target", "without", "keep", "terms"):
        if name in given:
            faults.add((name,), "'win' asks who wins, and of nothing else; leave this out")
    if not given.get("new_day", True):
        faults.add(("new_day",), "'win' forbids no moves; leave this out")
    actor = game.to_act(start)
    seat = given.get("seat", max(0, actor))
    if position.players < 2:
        faults.add(("objective",), "'win' is asked where several play against each other; here one plays alone")
        return Goal(Objective.WIN, target=0, seat=seat)
    if seat != actor >= 0:
        faults.add(("seat",), f"'win' is asked for who moves, and here that is player {actor}")
    clock = round_clock(game, start.table, seat)
    within = turns_within(given, Objective.WIN, clock, faults)
    return Goal(Objective.WIN, target=0, within_turns=within, seat=seat, clock=clock)


def round_clock(game: Race[Any], table: Any, seat: int) -> Clock:
    """Return how a seat's own turns make up rounds from a table on."""
    stages = game.profile.stages
    return Clock("turn", stages, game.turns(table, seat) - stages * game.rounds(table))


def rounds_left(goal: Goal) -> int | None:
    """Return the rounds that a goal to win still asks about, the one under way included; nothing for the whole game."""
    if goal.within_turns is None or goal.clock is None:
        return None
    return (goal.within_turns + goal.clock.gone) // goal.clock.turns


def turns_within(given: Mapping[str, Any], name: str, clock: Clock | None, faults: Faults) -> int | None:
    """Return how many own turns there are, where that is said in turns or in rounds; nothing where it is not said.

    Turns that end within a round stand for all of it, but ``win`` asks for whole rounds.
    """
    within, rounds = given.get("within_turns"), given.get("within_rounds")
    if clock is None:
        if rounds is not None:
            faults.add(("within_rounds",), f"'{name}' counts turns; say 'within_turns'")
        return within
    if rounds is not None:
        if name == Objective.WIN and within is not None:
            faults.add(("within_turns",), "'within_rounds' says the same; leave one of the two out")
        if name == Objective.WIN and not rounds:
            faults.add(("within_rounds",), "must be at least 1, the round under way")
        return clock.turns_in(rounds)
    if within is None:
        return None
    whole = clock.turns_in(clock.rounds(within))
    if name == Objective.WIN and (not within or whole != within):
        faults.add(("within_turns",), "does not end with a round; say 'within_rounds'")
    return whole


def information_for(position: Position, challenge: Challenge) -> str:
    """Return what is known as a challenge counts it: against others whether all see the same, alone whether all is."""
    if challenge.opponent is Opponent.NONE:
        return position.information
    return "open" if position.game.is_common(position.table()) else "hidden"


def _forbidden(given: Mapping[str, Any], position: Position, faults: Faults) -> frozenset[str]:
    """Return the beginnings of forbidden moves, and note cards that there are not."""
    cards, bans = position.ruleset.raw.get("cards", {}), position.definition.bans(position.ruleset)
    forbidden = set() if given.get("new_day", True) else {NEW_DAY}
    for place, card in enumerate(given.get("without", ())):
        if card not in cards:
            faults.add(("without", place), f"there is no card '{card}'{faults.nearest(card, cards)}")
        elif card not in bans:
            faults.add(("without", place), f"'{card}' is not a card that is played from the hand")
        forbidden |= bans.get(card, frozenset())
    return frozenset(forbidden)


@cache
def library() -> dict[str, Path]:
    """Return the files of the puzzles that come along, by id, ascending; a puzzle's id is its file's name."""
    files = (Path(__file__).resolve().parent / "library").rglob("*.toml")
    return {path.stem: path for path in sorted(files, key=lambda path: path.stem)}
