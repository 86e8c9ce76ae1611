"""Checking what an audit compares: every line of its answers played by the rules, and the figures of a finding redone.

Each answer has a question, a side (``free``, ``without`` a card, it ``alone``, another ``text`` under its name; the
same under the ``base``), a position, a goal with what it forbids, the best line found, its worth and a bound. Checked
are, by the rules alone:

- a line plays nothing that is forbidden, and is worth what is stated; that no line is better is the search's word, and
  a bound on the wrong side of a line is refused;
- two sides of a question begin at the same table and ask the same, and one forbids the card, or all cards but it, more
  than the other; another text is that of the other card, and nothing else differs;
- the parts that are lost or reached, their means and the gains follow from those worths and bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from puzzles.goal import Objective, forbids
from rules.core.challenge import QuestRace
from rules.core.position import Position, decode_position
from rules.core.race import Race
from rules.core.turns import State
from solver.checker.question import Rejected, aimed

BASE: Final = "base "
NEAR: Final = 1e-3
"""How far a rounded part of the file may be from the right one."""


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
    if not isinstance(game, Race):
        raise Rejected(f"{name}: the game counts no turns")
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
    clock = game.quest.clock() if isinstance(game, QuestRace) else None
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


def _reached(free: Side, alone: Side) -> tuple[float, float]:
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
            if free.position.code != other.position.code or _asked(free) != _asked(other):
                raise Rejected(f"{other.name}: it asks something else than with everything allowed")
            if free.position.state != found["free"].position.state:
                raise Rejected(f"{free.name}: it begins at another table")
            _forbids_right(free, other, card, alone=which == "alone")
            yield question, prefix, free, other


def _asked(side: Side) -> dict[str, Any]:
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


def _check_dominated(finding: Mapping[str, Any], sides: Mapping[str, Mapping[str, Side]]) -> None:
    data = finding["data"]
    gains: dict[str, int] = {}
    for question, found in sides.items():
        own, other = found["free"], found["text"]
        if own.position.state != other.position.state or own.goal != other.goal:
            raise Rejected(f"{other.name}: it asks something else than with the card's own text")
        _same_text(own.position, other.position, data["card"], data["other"])
        gains[question] = (_proved(other) - _proved(own)) * _sign(own.goal)
    if gains != data["gains"]:
        raise Rejected(f"the gains are {gains}, not {data['gains']}")
    if min(gains.values()) < 0 or max(gains.values()) <= 0:
        raise Rejected("the other text is worse somewhere, or nowhere better")


def _same_text(own: Position, other: Position, card: str, better: str) -> None:
    """Check that rules differ in what one card says, and that it says there what another card says."""
    before, after, facts = own.ruleset.raw, other.ruleset.raw, own.definition.shown_facts
    table = next((name for name in own.definition.collections if card in before.get(name, {})), "")
    if not table or better not in before[table]:
        raise Rejected(f"the rules have no '{card}' and '{better}' of one kind")
    strange = [name for name in {**before, **after} if name != table and before.get(name) != after.get(name)]
    strange += [
        name
        for name in {**before[table], **after[table]}
        if name != card and before[table].get(name) != after[table].get(name)
    ]
    if strange:
        raise Rejected(f"the rules with the other text differ in '{strange[0]}' too")
    was, now, text = (facts(table, entry) for entry in (before[table][card], after[table][card], before[table][better]))
    for key in {**was, **now}:
        if was.get(key) != now.get(key) and now.get(key) != text.get(key):
            raise Rejected(f"the text put in its place is not that of '{better}': its '{key}' is another one")


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
    "SPAM": _check_means("alone", "parts", _reached),
    "DEAD": _check_dead,
    "DOMINATED": _check_dominated,
}
COMPARING: Final = ("MUST", "SPAM", "DEAD", "DOMINATED")
"""Codes of findings that always compare answers."""
