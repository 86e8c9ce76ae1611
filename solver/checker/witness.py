"""Checking the witnesses of an audit: every line played by the rules alone, and held against what it is said to show.

What a line shows is read off the JSON of the finding:

- A ``cycle``: each of its first ``clean`` repetitions uses nothing up, and needs no chance and nobody else. The first
  one gains the ``gains`` stated (``rules.core.race``). All of them take the turns, and end, as stated.
- A ``change``: that is what becomes of the goods that are numbers, to the last.
- A ``target`` with ``turns``: the line ends there after that many own turns, one less where it ends within a turn.
- A ``goal`` with ``is``: that is the line's worth.
- ``gained``: whether the game ends there (``ends``), and what all seats together have gained on the way.
- Anything else: the line is legal from its position.

Findings that compare answers (``answers``) have for each a question, a side, a position, a goal with what it forbids,
the best line found, its worth and a bound. A side is ``free``, ``without`` a card, or it ``alone``; the same under the
``base``. By the rules alone:

- A line plays nothing that is forbidden, and is worth what is stated. A bound on the wrong side of a line is refused.
  That no line is better is the search's word.
- Two sides of a question begin at the same table and ask the same. One forbids the card, or all cards but it, more
  than the other.
- The parts that are lost or reached, and their means, follow from those worths and bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from puzzles.goal import Objective, forbids
from rules.core.challenge import Quest
from rules.core.errors import BestlineError
from rules.core.position import Position, decode_position
from rules.core.race import Race, tally
from rules.core.turns import State
from solver.checker.check import Rejected, aimed

BASE: Final = "base "
NEAR: Final = 1e-3
"""How far a rounded part of the file may be from the right one."""


@dataclass(frozen=True, slots=True)
class Witnessed:
    """What came of one witness."""

    id: str
    """Of its finding."""
    ok: bool
    words: str
    """What it shows, or why it fails, without a full stop."""


def check_witnesses(data: Mapping[str, Any]) -> Iterator[Witnessed]:
    """Yield what comes of each witness of an audit, in the order of its findings; findings without one are left out."""
    for finding in data["findings"]:
        try:
            name, witness = str(finding["id"]), finding["witness"]
            if finding.get("answers"):
                yield Witnessed(name, True, compared(finding))
            elif finding["code"] in COMPARING and finding["data"]["method"] == "exact":
                yield Witnessed(name, False, "the answers that it compares are not there")
            elif witness is not None:
                yield Witnessed(name, True, _shown(finding, witness))
        except BestlineError as fault:
            yield Witnessed(name, False, str(fault))
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError) as fault:
            yield Witnessed(str(finding)[:40], False, f"not the finding of an audit: {fault!r}")


def _shown(finding: Mapping[str, Any], witness: Mapping[str, Any]) -> str:
    """Return what a witness shows.

    Raises:
        BestlineError: it does not show what the finding says.
    """
    position, line, data = decode_position(witness["position_code"]), witness["line"], finding["data"]
    goal = data.get("goal")
    if goal:
        position = aimed(position, goal)
    cycle = witness["cycle"]
    if cycle["length"]:
        return _loop(position, line, cycle, data)
    end = _played(position, line)
    game = position.game
    if goal is not None:
        return _valued(game, position, end, goal, data["is"])
    if "change" in data:
        return _changed(position, end, data["change"])
    if "target" in data and "turns" in data:
        return _reached(game, position, end, data["target"], data["turns"])
    if "gained" in data:
        return _gained(game, position, end, data)
    return f"the line of {len(line)} moves is legal"


def _played(position: Position, line: Sequence[str]) -> State[Any]:
    game, state = position.start()
    for place, text in enumerate(line, 1):
        try:
            state = game.apply(state, game.parse_step(state, text)).state
        except BestlineError as fault:
            raise Rejected(f"move {place}, '{text}', does not replay: {fault}") from None
    return state


def _loop(position: Position, line: Sequence[str], cycle: Mapping[str, int], data: Mapping[str, Any]) -> str:
    first, length, clean = cycle["from"], cycle["length"], data["clean"]
    if clean < 2 or cycle["repeats"] != clean or len(line) < first + clean * length:
        raise Rejected("the line does not repeat its cycle twice")
    game: Any = position.game
    state = _played(position, line[:first])
    seat, before = game.to_act(state), tally(game, state.table)
    moves = line[first : first + length]
    if moves != [text for turn in data["cycle"] for text in turn]:
        raise Rejected("the cycle is not that of the line")
    begun = state.table
    for number in range(1, clean + 1):
        if tuple(line[first + (number - 1) * length : first + number * length]) != tuple(moves):
            raise Rejected(f"repetition {number} plays other moves")
        for text in moves:
            if game.to_act(state) != seat:
                raise Rejected(f"repetition {number} needs chance or another player")
            state = game.apply(state, game.parse_step(state, text)).state
        now = tally(game, state.table)
        gains = now.gains(before)
        if state.pending or gains is None:
            raise Rejected(f"repetition {number} uses something up or changes the table")
        if number == 1 and gains != data["gains"]:
            raise Rejected(f"the cycle gains {gains}, not {data['gains']}")
        before = now
    end, turns = state, clean * len(data["cycle"])
    for text in line[first + clean * length :]:
        end = game.apply(end, game.parse_step(end, text)).state
        turns += not end.pending
    if "repeats" in data:
        _paced(game.progress(begun, seat), game.progress(end.table, seat), turns, game.default_target(), data)
    return f"the cycle repeats {clean} times and uses nothing up"


def _paced(before: int, after: int, turns: int, target: int, data: Mapping[str, Any]) -> None:
    """Hold what a cycle gains by all its repetitions against progress and turns of the line that plays them.

    Raises:
        Rejected: the line shows something else.
    """
    if turns != data["repeats"] * data["turns"] or data["turns"] != len(data["cycle"]):
        raise Rejected(f"the line repeats the cycle for {turns} turns, not {data['repeats']} times")
    if round((after - before) / turns, 3) != data["pace"]:
        raise Rejected(f"the line makes {(after - before) / turns:.3f} a turn, not {data['pace']}")
    if (data["end"] == "goal") != (after >= target):
        raise Rejected(f"the line does not end as it is said to: {data['end']}")


def _changed(position: Position, end: State[Any], stated: Mapping[str, int]) -> str:
    game: Any = position.game
    before, after = tally(game, position.table()).goods, tally(game, end.table).goods
    change = {good: after.get(good, 0) - held for good, held in before.items() if ": " not in good}
    if change != {**dict.fromkeys(change, 0), **stated}:
        raise Rejected(f"the line changes { ({good: by for good, by in change.items() if by}) }, not {dict(stated)}")
    return f"the line of {game.turns(end.table)} turns changes no numbers but {', '.join(stated)}"


def _gained(game: Race[Any], position: Position, end: State[Any], data: Mapping[str, Any]) -> str:
    start, seats = position.table(), range(position.players)
    gained = sum(game.progress(end.table, seat) - game.progress(start, seat) for seat in seats)
    if gained != data["gained"]:
        raise Rejected(f"the seats together gain {gained}, not {data['gained']}")
    if game.is_over(end.table) != data["ends"]:
        raise Rejected(f"the game {'goes on' if data['ends'] else 'is over'} at the end of the line")
    return f"the seats together gain {gained}, and the game {'is over' if data['ends'] else 'goes on'}"


def _reached(game: Race[Any], position: Position, end: State[Any], target: int, turns: int) -> str:
    reached = game.progress(end.table)
    taken = game.turns(end.table) - game.turns(position.table())
    if reached < target:
        raise Rejected(f"the line ends at {reached}, short of {target}")
    if taken != turns:
        raise Rejected(f"the line takes {taken} turns, not {turns}")
    return f"the line is at {target} after {taken} turns"


def _valued(game: Race[Any], position: Position, end: State[Any], goal: Mapping[str, Any], stated: int) -> str:
    value = worth_of(game, position, end, goal)
    if value != stated:
        raise Rejected(f"the line is worth {value}, not {stated}")
    return f"the line is worth {value}"


# Findings that compare answers


@dataclass(frozen=True, slots=True)
class Side:
    """One answer, its line replayed."""

    name: str
    position: Position
    goal: Mapping[str, Any]
    forbidden: frozenset[str]
    value: int | None
    bound: int | None
    impossible: bool
    start: int
    """Progress at the beginning, 0 where all progress is gained."""
    played: frozenset[str]
    """Entries of the ruleset's collections that moves name with which turns of the line begin."""


def compared(finding: Mapping[str, Any]) -> str:
    """Return what the answers of a finding show.

    Raises:
        BestlineError: they do not show what the finding says.
    """
    answers: Sequence[Mapping[str, Any]] = finding["answers"]
    first = finding["witness"]
    if (first["position_code"], first["line"]) != (answers[0]["position_code"], answers[0]["line"]):
        raise Rejected("the witness is not the first of the answers")
    sides: dict[str, dict[str, Side]] = {}
    for each in answers:
        question = sides.setdefault(each["question"], {})
        if each["side"] in question:
            raise Rejected(f"'{each['question']}' has two answers '{each['side']}'")
        question[each["side"]] = _replayed(each)
    check = _CHECKS.get(finding["code"])
    if check is None:
        raise Rejected(f"a finding {finding['code']} compares no answers")
    check(finding, sides)
    lines = sum(bool(each["line"]) for each in answers)
    told = f"{lines} line{'s' * (lines != 1)} for {len(sides)} question{'s' * (len(sides) != 1)}"
    return f"{told}: nothing forbidden is played, and each is worth what is stated"


def _replayed(answer: Mapping[str, Any]) -> Side:
    goal, forbidden = answer["goal"], frozenset(answer["goal"]["forbidden"])
    position = aimed(decode_position(answer["position_code"]), goal)
    name = f"{answer['side']} of '{answer['question']}'"
    game, state = position.start()
    entries = {entry for table in position.definition.collections for entry in position.ruleset.raw.get(table, {})}
    played: set[str] = set()
    for text in answer["line"]:
        if not state.pending:
            played |= entries.intersection(text.split()[1:2])
        step = game.parse_step(state, text)
        if forbids(forbidden, step.text):
            raise Rejected(f"{name}: '{text}' is forbidden there")
        state = game.apply(state, step).state
    value, bound = answer["value"], answer["bound"]
    if bool(answer["line"]) != (value is not None) or (answer["impossible"] and value is not None):
        raise Rejected(f"{name}: a line and its worth come together, and neither is there where none is possible")
    if value is not None:
        worth = worth_of(game, position, state, goal)
        if worth != value:
            raise Rejected(f"{name}: the line is worth {worth}, not {value}")
        if bound is not None and (bound - value) * _sign(goal) < 0:
            raise Rejected(f"{name}: the line is better than {bound}, which is said to be excluded")
    from_nothing = goal["challenge"] or goal["objective"] == Objective.REACH
    start = 0 if from_nothing else game.progress(position.table(), goal["seat"])
    impossible = bool(answer["impossible"])
    return Side(name, position, goal, forbidden, value, bound, impossible, start, frozenset(played))


def worth_of(game: Race[Any], position: Position, end: State[Any], goal: Mapping[str, Any]) -> int:
    """Return what a line is worth that ends in a state: turns, rounds, progress, or 1 for a goal reached in time.

    Raises:
        Rejected: it is short of the target, or takes another number of turns than was asked for.
    """
    seat = goal["seat"]
    progress, taken = (of(end.table, seat) for of in (game.progress, game.turns))
    taken -= game.turns(position.table(), seat)
    if goal["objective"] == Objective.MAX_DISTANCE:
        return progress
    if progress < goal["target"]:
        raise Rejected(f"the line ends at {progress}, short of {goal['target']}")
    if goal["objective"] != Objective.MIN_TURNS:
        return int(taken <= goal["within_turns"])
    clock = game.clock() if isinstance(game, Quest) else None
    return taken if clock is None else clock.rounds(taken)


def _sign(goal: Mapping[str, Any]) -> int:
    """Return 1 where more is better, -1 where fewer turns are."""
    return -1 if goal["objective"] == Objective.MIN_TURNS else 1


# What two sides of a question say of a card


def _proved(side: Side) -> int:
    if side.value is None or side.value != side.bound:
        raise Rejected(f"{side.name}: the value is not proved")
    return side.value


def _lost(free: Side, restricted: Side) -> tuple[float, float]:
    """Return the least and the most that restricted play loses of the free value, as parts of it."""
    best = _proved(free)
    if restricted.impossible:
        return 1.0, 1.0
    near = best if restricted.bound is None else restricted.bound
    if free.goal["objective"] == Objective.MIN_TURNS:
        most = 1.0 if restricted.value is None else 1 - best / restricted.value
        return 1 - best / max(near, best), most
    gained = best - free.start
    most = 1.0 if restricted.value is None else min(1.0, (best - restricted.value) / gained)
    return min(most, max(0.0, (best - near) / gained)), most


def _attained(free: Side, alone: Side) -> tuple[float, float]:
    least, most = _lost(free, alone)
    return 1 - most, 1 - least


def _pairs(
    finding: Mapping[str, Any], sides: Mapping[str, Mapping[str, Side]], which: str
) -> Iterator[tuple[str, str, Side, Side]]:
    """Yield each question, ``base`` or nothing, and its free and its restricted side, which fit each other."""
    card = finding["data"]["card"]
    for question, found in sides.items():
        for prefix in ("", BASE):
            free, other = found.get(f"{prefix}free"), found.get(f"{prefix}{which}")
            if free is None and other is None and prefix:
                continue
            if free is None or other is None:
                raise Rejected(f"'{question}' lacks one side of '{prefix}{which}'")
            if free.position.code != other.position.code or _question(free) != _question(other):
                raise Rejected(f"{other.name}: it asks something else than with everything allowed")
            if free.position.state != found["free"].position.state:
                raise Rejected(f"{free.name}: it begins at another table")
            _forbids_right(free, other, card, alone=which == "alone")
            yield question, prefix, free, other


def _question(side: Side) -> dict[str, Any]:
    return {key: value for key, value in side.goal.items() if key != "forbidden"}


def _forbids_right(free: Side, other: Side, card: str, *, alone: bool) -> None:
    if not free.forbidden <= other.forbidden:
        raise Rejected(f"{other.name}: it allows what the question forbids")
    fewer = [words for words in other.forbidden - free.forbidden if words.split()[-1] == card]
    if not alone and not fewer:
        raise Rejected(f"{other.name}: it does not forbid '{card}'")
    besides = sorted(other.played - {card})
    if alone and besides:
        raise Rejected(f"{other.name}: the line plays '{besides[0]}' too")
    about_card = [words for words in other.forbidden - free.forbidden if (words.split()[-1] == card) == alone]
    if about_card:
        raise Rejected(f"{other.name}: it forbids '{about_card[0]}' too, which is not what it is about")


def _parts(
    finding: Mapping[str, Any],
    sides: Mapping[str, Mapping[str, Side]],
    which: str,
    part: Callable[[Side, Side], tuple[float, float]],
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return by ``base`` or nothing, and by question, the parts that two sides tell."""
    found: dict[str, dict[str, tuple[float, float]]] = {"": {}, BASE: {}}
    for question, prefix, free, other in _pairs(finding, sides, which):
        found[prefix][question] = part(free, other)
    return found


def _same(what: str, found: Mapping[str, tuple[float, float]], stated: Mapping[str, Sequence[float]]) -> None:
    if set(found) != set(stated):
        raise Rejected(f"the {what} are told for other questions than those that are shown")
    for question, ends in found.items():
        if any(abs(one - other) > NEAR for one, other in zip(ends, stated[question], strict=True)):
            raise Rejected(f"the {what} of '{question}' are {ends[0]:.3f} to {ends[1]:.3f}, not {stated[question]}")


def _mean(found: Mapping[str, tuple[float, float]], stated: Sequence[float] | None) -> None:
    means = [fmean(ends) for ends in zip(*found.values(), strict=True)] if found else None
    if (means is None) != (stated is None) or any(
        abs(one - other) > NEAR for one, other in zip(means or (), stated or (), strict=True)
    ):
        raise Rejected(f"the mean is {means}, not {stated}")


def _check_means(which: str, key: str, part: Callable[[Side, Side], tuple[float, float]]) -> Any:
    def check(finding: Mapping[str, Any], sides: Mapping[str, Mapping[str, Side]]) -> None:
        data, found = finding["data"], _parts(finding, sides, which, part)
        for prefix, name in (("", ""), (BASE, "base_")):
            _same(key, found[prefix], data[f"{name}{key}"])
            _mean(found[prefix], data[f"{name}mean"])

    return check


def _check_dead(finding: Mapping[str, Any], sides: Mapping[str, Mapping[str, Side]]) -> None:
    found = _parts(finding, sides, "without", _lost)
    if sorted(found[""]) != sorted(finding["data"]["questions"]):
        raise Rejected("other questions are told than those that are shown")
    if any(most > 0 for _, most in found[""].values()):
        raise Rejected("something is lost without the card")
    _same("losses", found[BASE], finding["data"]["base_losses"])


def _check_excluded(finding: Mapping[str, Any], sides: Mapping[str, Mapping[str, Side]]) -> None:
    data = finding["data"]
    for found in sides.values():
        before, now = found[f"{BASE}free"], found["free"]
        if before.position.state != now.position.state or before.goal != now.goal:
            raise Rejected(f"{now.name}: it asks something else than before")
        left = None if now.impossible else now.bound
        if _proved(before) != data["was"] or left != data["is"]:
            raise Rejected(f"the value was {before.value} and {left} is left, not {data['was']} and {data['is']}")
        if not now.impossible and (left is None or (left - _proved(before)) * _sign(now.goal) >= 0):
            raise Rejected(f"{left} does not exclude {before.value}")


_CHECKS: Final = {
    "PAR": _check_excluded,
    "MUST": _check_means("without", "losses", _lost),
    "SPAM": _check_means("alone", "parts", _attained),
    "DEAD": _check_dead,
}
COMPARING: Final = ("MUST", "SPAM", "DEAD")
"""Codes of findings that compare answers where their method is ``exact``."""
