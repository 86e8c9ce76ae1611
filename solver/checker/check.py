"""Lines, the questions that they answer, and the witnesses of an audit, held against the rules alone.

The goal of a question is that of a challenge, as the game states it, or one of its own. It says what is forbidden, kept
and limited; nothing in it may be vague, idle, or passed over. What the line of a witness shows is read off the JSON of
its finding:

- A ``cycle``: each of its first ``clean`` repetitions uses nothing up, and needs no chance and nobody else. The first
  one gains the ``gains`` stated (``rules.core.race``). All of them take the turns, and end, as stated.
- A ``change``: that is what becomes of the goods that are numbers, to the last.
- A ``target`` with ``turns``: the line ends there after that many own turns, one less where it ends within a turn.
- A ``goal`` with ``is``: that is the line's worth.
- ``gained``: whether the game ends there (``ends``), and what all seats together have gained on the way.
- Anything else: the line is legal from its position.

Findings that compare answers (``answers``) have for each a question, a side, a position and a goal with what it
forbids. The best line found, its worth and a bound follow. A side is ``free``, ``without`` a card, or it ``alone``; the
same under the ``base``. By the rules alone:

- A line plays nothing that is forbidden, and is worth what is stated. A bound on the wrong side of a line is refused.
  That no line is better is the search's word.
- Two sides of a question begin at the same table and ask the same. One forbids the card, or all cards but it, more
  than the other.
- The value with everything allowed is proved. The parts that are lost or reached are not computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, forbids, goal_table
from puzzles.puzzle import question_of as stated_question
from rules.core.challenge import ChanceMode, Opponent, Quest, at_the_end
from rules.core.errors import BestlineError, ContentError, escaped
from rules.core.position import Position, decode_position
from rules.core.race import Race, tally
from rules.core.tools.output import picked
from rules.core.turns import State, TurnEnd


class Rejected(BestlineError):
    """A claim is not what the rules say, or is not proved; the message says what is wrong."""


# Lines and questions


def played(
    game: Race[Any], start: State[Any], line: Iterable[str], forbidden: frozenset[str] = frozenset()
) -> list[State[Any]]:
    """Return the states that a line leads through: the start, and the one after each move.

    Raises:
        Rejected: a move is not open or forbidden where the line has it, or the rules write it otherwise.
    """
    states = [start]
    for number, text in enumerate(line, 1):
        before = states[-1]
        try:
            step = game.parse_step(before, text)
            after = game.apply(before, step).state
        except BestlineError as fault:
            raise Rejected(f"move {number}, '{text}', does not replay: {fault}") from None
        if step.text != text:
            raise Rejected(f"move {number}, '{step.text}', is written '{text}'")
        if forbids(forbidden, text):
            raise Rejected(f"move {number} is '{text}', which the goal forbids")
        if not after.pending and not game.allows(before.table, TurnEnd((*before.pending, step), after.table)):
            raise Rejected(f"move {number}, '{text}', ends a turn that does what the goal forbids")
        states.append(after)
    return states


def line_value(goal: Goal, game: Race[Any], start: Any, last: Any) -> int:
    """Return the value for a goal of a line from one table to another: own turns, progress, or 1 for a goal reached.

    Raises:
        Rejected: the line is no answer to the goal.
    """
    within = goal.within_turns
    turns, end = game.turns(last, goal.seat) - game.turns(start, goal.seat), game.progress(last, goal.seat)
    if goal.objective is Objective.MAX_DISTANCE:
        if turns != within and not (game.is_over(last) and turns < (within or 0)):
            raise Rejected(f"the line takes {turns} turns, not {within}")
        if at_the_end(end) is None:
            raise Rejected("the game is not over at the end of the line, so that nothing counts yet")
        return end
    if end < goal.target:
        raise Rejected(f"the line ends at {end}, short of the target {goal.target}")
    if within is not None and turns > within:
        raise Rejected(f"the line takes {turns} turns, more than the {within} allowed")
    return 1 if goal.objective is Objective.REACH else turns


def question_of(position: Position, goal: Goal) -> tuple[Position, Goal]:
    """Return the position asked for a goal, and the goal as the rules state it.

    Raises:
        Rejected: the goal is not one that the rules know, or not about one player who knows all that comes.
    """
    if position.information != "open" or position.players > 1:
        raise Rejected("a certificate holds for open positions of one player only")
    if goal.objective is Objective.WIN:
        raise Rejected("a game that is to be won has no certificate")
    for words in sorted(goal.forbidden):
        if not words or " ".join(words.split()) != words or not words.isascii() or escaped(words) != words:
            raise Rejected(f"the goal forbids '{words}', and no move begins so")
    try:
        position, stated = stated_question(goal_table(replace(goal, forbidden=frozenset()), position), position)
    except ContentError as fault:
        raise Rejected(f"the goal does not fit the position: {fault.faults[0].message}") from None
    stated = replace(stated, forbidden=goal.forbidden)
    if isinstance(position.game, Quest):
        challenge = position.game.challenge
        if challenge.opponent is not Opponent.NONE or challenge.fate is ChanceMode.CRUEL:
            raise Rejected(f"'{challenge.id}' is not about one player who knows all that comes")
    if stated != goal:
        asked = "'{0.objective}' with target {0.target} within {0.within_turns} turns".format
        raise Rejected(f"the rules ask for {asked(stated)}, the goal for {asked(goal)}")
    return position, stated


def goal_data(goal: Goal) -> dict[str, Any]:
    """Return a goal as the claim tells it."""
    told = picked(goal, "objective", "target", "within_turns", "forbidden", "seat")
    told |= picked(goal, "kept") if goal.kept else {}
    return told | (picked(goal, "challenge", "terms") if goal.challenge else {})


def goal_of(data: Mapping[str, Any]) -> Goal:
    """Return the goal that ``goal_data`` tells."""
    sets = {name: frozenset(data.get(name, ())) for name in ("forbidden", "kept")}
    return Goal(**{**data, **sets, "objective": Objective(data["objective"])})


# Witnesses

BASE: Final = "base "


class Witnessed(NamedTuple):
    """What came of the witness of one finding."""

    id: str
    ok: bool
    words: str
    """What it shows, or why it fails, without a full stop."""


def check_witnesses(data: Mapping[str, Any]) -> Iterator[Witnessed]:
    """Yield what comes of each witness of an audit, in the order of its findings; findings without one are left out."""
    for finding in data["findings"]:
        try:
            name, witness = str(finding["id"]), finding["witness"]
            if finding.get("answers"):
                yield Witnessed(name, True, _compared(finding))
            elif finding["code"] in SIDES and finding["data"]["method"] == "exact":
                yield Witnessed(name, False, "the answers that it compares are not there")
            elif witness is not None:
                yield Witnessed(name, True, _shown(witness, finding["data"]))
        except BestlineError as fault:
            yield Witnessed(name, False, str(fault))
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError) as fault:
            yield Witnessed(str(finding)[:40], False, f"not the finding of an audit: {fault!r}")


# Findings that one line shows


def _shown(witness: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    position, line = decode_position(witness["position_code"]), witness["line"]
    if data.get("goal"):
        value = _valued(position, goal_of(data["goal"]), line)[0]
        if value != data["is"]:
            raise Rejected(f"the line is worth {value}, not {data['is']}")
        return f"the line is worth {value}"
    game, start = position.start()
    states = played(game, start, line)
    end = states[-1].table
    if witness["cycle"]["length"]:
        return _loop(game, states, witness, data)
    if "change" in data:
        before, after = tally(game, start.table).goods, tally(game, end).goods
        change = {good: after.get(good, 0) - held for good, held in before.items() if ": " not in good}
        if change != {**dict.fromkeys(change, 0), **(stated := data["change"])}:
            changed = {good: by for good, by in change.items() if by}
            raise Rejected(f"the line changes {changed}, not {dict(stated)}")
        return f"the line of {game.turns(end)} turns changes no numbers but {', '.join(stated)}"
    if "target" in data and "turns" in data:
        reached, turns = game.progress(end), game.turns(end) - game.turns(start.table)
        if reached < data["target"]:
            raise Rejected(f"the line ends at {reached}, short of {data['target']}")
        if turns != data["turns"]:
            raise Rejected(f"the line takes {turns} turns, not {data['turns']}")
        return f"the line is at {data['target']} after {turns} turns"
    if "gained" in data:
        gained = sum(game.progress(end, seat) - game.progress(start.table, seat) for seat in range(position.players))
        if gained != data["gained"]:
            raise Rejected(f"the seats together gain {gained}, not {data['gained']}")
        if game.is_over(end) != data["ends"]:
            raise Rejected(f"the game {'goes on' if data['ends'] else 'is over'} at the end of the line")
        return f"the seats together gain {gained}, and the game {'is over' if data['ends'] else 'goes on'}"
    return f"the line of {len(line)} moves is legal"


def _loop(game: Race[Any], states: Sequence[State[Any]], witness: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    line, cycle = witness["line"], witness["cycle"]
    first, length, clean = cycle["from"], cycle["length"], data["clean"]
    last = first + clean * length
    moves = [text for turn in data["cycle"] for text in turn]
    kinds, later = ([text.split()[:2] for text in part] for part in (moves, line[last:]))
    # In another leg the same moves may be paid otherwise, and more may be asked.
    again = clean > 1 or (clean == 1 and [each for each in later if each in kinds][: len(kinds)] == kinds)
    if not again or cycle["repeats"] != clean or len(line) < last:
        raise Rejected("the line does not repeat its cycle twice")
    for number, begin in enumerate(range(first, last, length), 1):
        if line[begin : begin + length] != moves:
            what = f"repetition {number} plays other moves" if number > 1 else "the cycle is not that of the line"
            raise Rejected(what)
        if any(game.to_act(state) != game.to_act(states[first]) for state in states[begin : begin + length]):
            raise Rejected(f"repetition {number} needs chance or another player")
        gains = tally(game, states[begin + length].table).gains(tally(game, states[begin].table))
        if states[begin + length].pending or gains is None:
            raise Rejected(f"repetition {number} uses something up or changes the table")
        if number == 1 and gains != data["gains"]:
            raise Rejected(f"the cycle gains {gains}, not {data['gains']}")
    if "repeats" in data:  # what all repetitions gain, against progress and turns of the line that plays them
        seat, turns = game.to_act(states[first]), sum(not state.pending for state in states[first + 1 :])
        before, after = (game.progress(state.table, seat) for state in (states[first], states[-1]))
        if turns != data["repeats"] * data["turns"] or data["turns"] != len(data["cycle"]):
            raise Rejected(f"the line repeats the cycle for {turns} turns, not {data['repeats']} times")
        if round((after - before) / turns, 3) != data["pace"]:
            raise Rejected(f"the line makes {(after - before) / turns:.3f} a turn, not {data['pace']}")
        if (data["end"] == "goal") != (after >= game.profile.target):
            raise Rejected(f"the line does not end as it is said to: {data['end']}")
    return f"the cycle repeats {clean} times and uses nothing up"


def _valued(position: Position, goal: Goal, line: Sequence[str]) -> tuple[int | None, frozenset[str]]:
    """Return what a line is worth for a goal, and the cards that it plays."""
    position, goal = question_of(position, goal)
    game, start = position.start()
    states = played(game, start, line, goal.forbidden)
    plays = position.definition.bans(position.ruleset)
    names = frozenset(card for card, words in plays.items() if any(forbids(words, text) for text in line))
    return goal.in_rounds(line_value(goal, game, start.table, states[-1].table)), names


# Findings that compare answers


class Side(NamedTuple):
    """One answer, its line replayed, with the cards that it plays."""

    name: str
    position: Position
    goal: Goal
    value: int | None
    bound: int | None
    impossible: bool
    played: frozenset[str]

    @property
    def sign(self) -> int:
        """Return 1 where more is better, -1 where fewer turns are."""
        return -1 if self.goal.objective is Objective.MIN_TURNS else 1

    @property
    def proved(self) -> int:
        """Return the value.

        Raises:
            Rejected: it is not proved.
        """
        if self.value is None or self.value != self.bound:
            raise Rejected(f"{self.name}: the value is not proved")
        return self.value


def _compared(finding: Mapping[str, Any]) -> str:
    answers: Sequence[Mapping[str, Any]] = finding["answers"]
    first = finding["witness"]
    if (first["position_code"], first["line"]) != (answers[0]["position_code"], answers[0]["line"]):
        raise Rejected("the witness is not the first of the answers")
    sides: dict[str, dict[str, Side]] = {}
    for each in answers:
        question = sides.setdefault(each["question"], {})
        if each["side"] in question:
            raise Rejected(f"'{each['question']}' has two answers '{each['side']}'")
        question[each["side"]] = _side(each)
    if finding["code"] == "PAR":
        _hold_excluded(finding["data"], sides)
    elif finding["code"] in SIDES:
        which = SIDES[finding["code"]]
        for both in sides.values():
            for prefix in ("", BASE):
                if not prefix or both.keys() & {f"{prefix}free", f"{prefix}{which}"}:
                    _hold_sides(both, prefix, which, finding["data"]["card"])
    else:
        raise Rejected(f"a finding {finding['code']} compares no answers")
    lines = sum(bool(each["line"]) for each in answers)
    told = f"{lines} line{'s' * (lines != 1)} for {len(sides)} question{'s' * (len(sides) != 1)}"
    return f"{told}: nothing forbidden is played, and each is worth what is stated"


def _side(answer: Mapping[str, Any]) -> Side:
    position, goal, line = decode_position(answer["position_code"]), goal_of(answer["goal"]), answer["line"]
    name, value, bound = f"{answer['side']} of '{answer['question']}'", answer["value"], answer["bound"]
    if (value is None and line) or (value is not None and answer["impossible"]):
        raise Rejected(f"{name}: a line has a worth, and there is neither where none is possible")
    names = frozenset[str]()
    if value is not None:
        try:
            worth, names = _valued(position, goal, line)
        except Rejected as fault:
            raise Rejected(f"{name}: {fault}") from None
        if worth != value:
            raise Rejected(f"{name}: the line is worth {worth}, not {value}")
    side = Side(name, position, goal, value, bound, bool(answer["impossible"]), names)
    if value is not None and bound is not None and (bound - value) * side.sign < 0:
        raise Rejected(f"{name}: the line is better than {bound}, which is said to be excluded")
    return side


def _hold_excluded(data: Mapping[str, Any], sides: Mapping[str, Mapping[str, Side]]) -> None:
    """Hold a value that is said to be out of reach, or surpassed at once, against what was and what is left."""
    for found in sides.values():
        before, now = found[f"{BASE}free"], found["free"]
        if before.position.state != now.position.state or before.goal != now.goal:
            raise Rejected(f"{now.name}: it asks something else than before")
        left = None if now.impossible else now.bound
        if before.proved != data["was"] or left != data["is"]:
            raise Rejected(f"the value was {before.value} and {left} is left, not {data['was']} and {data['is']}")
        is_better = now.value is not None and (now.value - before.proved) * now.sign > 0
        if not (now.impossible or is_better) and (left is None or (left - before.proved) * now.sign >= 0):
            raise Rejected(f"{left} does not exclude {before.value}")


SIDES: Final = {"MUST": "without", "SPAM": "alone", "DEAD": "without"}
"""The side that is compared with the free one, by the codes of findings that compare answers if they are ``exact``."""


def _hold_sides(both: Mapping[str, Side], prefix: str, which: str, card: str) -> None:
    free, other = both[f"{prefix}free"], both[f"{prefix}{which}"]
    _ = free.proved
    fewer = other.goal.forbidden - free.goal.forbidden
    if free.position.code != other.position.code or replace(other.goal, forbidden=free.goal.forbidden) != free.goal:
        raise Rejected(f"{other.name}: it asks something else than with everything allowed")
    if free.position.state != both["free"].position.state:
        raise Rejected(f"{free.name}: it begins at another table")
    if not free.goal.forbidden <= other.goal.forbidden:
        raise Rejected(f"{other.name}: it allows what the question forbids")
    about_it = {words for words in fewer if words.split()[-1] == card}
    if strange := sorted(about_it if which == "alone" else fewer - about_it):
        raise Rejected(f"{other.name}: it forbids '{strange[0]}' too, which is not what it is about")
    if which != "alone" and not about_it:
        raise Rejected(f"{other.name}: it does not forbid '{card}'")
    besides = sorted(other.played - {card}) if which == "alone" else []
    if besides:
        raise Rejected(f"{other.name}: the line plays '{besides[0]}' too")
