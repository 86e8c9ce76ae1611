"""Checking the witnesses of an audit: every line played by the rules alone, and held against what it is said to show.

What a line shows is read off the JSON of the finding:

- a ``cycle``: each of its first ``clean`` repetitions uses nothing up, needs no chance and nobody else, and the first
  one gains the ``gains`` stated (``rules.core.race``); all of them take the turns, and end, as stated;
- a ``change``: that is what becomes of the goods that are numbers, to the last;
- a ``target`` with ``turns``: the line ends there after so many own turns, one less where it ends within a turn;
- a ``goal`` with ``is``: that is the line's worth;
- ``gained``: whether the game ends there (``ends``), and what all seats together have gained on the way;
- anything else: the line is legal from its position.

Findings that compare answers (``answers``) are checked by ``effects.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.errors import BestlineError
from rules.core.position import Position, decode_position
from rules.core.race import Race, tally
from rules.core.turns import State
from solver.checker.effects import COMPARING, compared, worth_of
from solver.checker.question import Rejected, aimed


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
            elif finding["code"] in COMPARING:
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
    if goal is not None and isinstance(game, Race):
        return _worth(game, position, end, goal, data["is"])
    if "change" in data:
        return _changed(position, end, data["change"])
    if "target" in data and "turns" in data and isinstance(game, Race):
        return _reached(game, position, end, data["target"], data["turns"])
    if "gained" in data and isinstance(game, Race):
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


def _worth(game: Race[Any], position: Position, end: State[Any], goal: Mapping[str, Any], stated: int) -> str:
    value = worth_of(game, position, end, goal)
    if value != stated:
        raise Rejected(f"the line is worth {value}, not {stated}")
    return f"the line is worth {value}"
