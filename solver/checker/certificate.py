"""Certificates: files with one JSON object a line, in a fixed order, sealed at the end; plain text or gzip.

1. The *claim*: ``{"format", "ruleset", "fingerprint", "position", "goal", "status", "value", "line", "bound",
   "turns", "ways"}``. The position is in canonical form. ``line`` has one list of move texts for each turn. ``bound``
   names what cut positions, or is empty. ``turns`` is the number of own turns that the layers go through, and nothing
   where they end by themselves. ``ways`` is nothing: whether the line is the only one is not claimed.
2. A *layer* for each own turn: ``{"turn", "furthest", "positions"}``, the greatest progress that the rules allow at
   its end, and a short digest of every position kept, ascending. The last of so many turns has no positions. A layer of
   many positions takes several lines; all of them but the last have ``BLOCK`` positions.
3. The *seal*: ``{"seal"}``, the SHA-256 of all lines before it. It is also the digest that a puzzle states.

Files are written and read once, line by line, so that their size is no matter of memory and a pipe will do. They are
checked as they are read: the line by replay, the claim against it, what is excluded by playing everything again.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from itertools import accumulate, chain, islice, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, does_forbidden
from rules.core.errors import BestlineError, ContentError
from rules.core.files import Faults, canonical_json, decoded, read_text
from rules.core.position import Position, read_position
from rules.core.race import Race, Unsupported
from rules.core.schema import Either, Field, Integer, ListOf, Null, Table, Text, optional
from rules.core.tools.output import whole_file
from rules.core.turns import State
from solver.checker.check import Rejected, goal_data, goal_of, line_value, played, question_of
from solver.checker.layers import Allowance, Evidence, Layer, Reached, UnsoundBound

FORMAT: Final = "bestline/certificate/2"
"""Name and version of the format; the number rises with every change."""
_CUT_SHORT: Final = "the file ends without its seal; it has been cut short"
_ANEW: Final = "'bestline solve … --proof FILE' makes it anew"
BLOCK: Final = 8_192
"""Positions of one line."""
LONGEST: Final = 400
"""Signs of a reason that are shown: it may name what a file says, however long."""
_LONGEST: Final = 1 << 20
"""Bytes of a line beyond which it is not read."""
_MOST_TEXT: Final = 10 << 20
"""Bytes of the answer of an audit beyond which it is not read."""
_MOST_FINDINGS: Final = 1_000
"""Findings of an audit beyond which it is not read; those that are made have some dozens."""

_NUMBER: Final = Field(Either((Integer(None), Null())))
_TEXTS: Final = ListOf(Text())
_OPEN: Final = Table({}, open=True)
_GOAL: Final = Table(
    {
        "objective": Field(Text(tuple(objective.value for objective in Objective))),
        "target": Field(Integer()),
        "within_turns": Field(Either((Integer(), Null()))),
        "forbidden": Field(_TEXTS),
        "seat": Field(Integer()),
        "kept": optional(_TEXTS),
        "challenge": optional(Text()),
        "terms": optional(_OPEN),
    }
)
_CLAIM: Final = Table(
    {
        **dict.fromkeys(("format", "ruleset", "fingerprint", "status", "bound"), Field(Text())),
        **dict.fromkeys(("value", "turns"), _NUMBER),
        "position": Field(_OPEN),
        "goal": Field(_GOAL),
        "line": Field(ListOf(_TEXTS)),
        "ways": Field(Null()),
    }
)


class Unreadable(BestlineError):
    """The file is no certificate, or not a whole one."""


class Claim(NamedTuple):
    """What a certificate says is true, and by which evidence, as the docstring of the module says."""

    ruleset: str
    """Id, for people; the position says which rules are meant."""
    fingerprint: str
    position: Mapping[str, Any]
    goal: Goal
    status: str
    value: int | None
    line: tuple[tuple[str, ...], ...]
    bound: str
    turns: int | None

    def text(self) -> bytes:
        """Return the claim as the line that the file states it by."""
        return encoded({**self._asdict(), "format": FORMAT, "goal": goal_data(self.goal), "ways": None})


class Certificate(NamedTuple):
    """A claim with its evidence, which is read as it is checked; nothing of it is believed yet."""

    claim: Claim
    text: bytes
    lines: Iterator[bytes]


# Writing


def write_certificate(path: Path, claim: Claim, layers: Iterable[Layer]) -> str:
    """Write a certificate layer by layer, as gzip where the name ends so, and return its seal.

    A file is there whole or not at all.

    Raises:
        BestlineError: the file cannot be written; besides, whatever the layers raise.
    """
    digest = sha256()
    with whole_file(path) as place, ExitStack() as stack:
        stream: Any = stack.enter_context(place.open("wb"))
        if path.suffix == ".gz":
            stream = stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
        for line in chain([claim.text()], (encoded(line) for layer in layers for line in layer_lines(layer))):
            digest.update(line)
            stream.write(line)
        stream.write(encoded({"seal": digest.hexdigest()}))
    return digest.hexdigest()


def encoded(line: Mapping[str, Any]) -> bytes:
    """Return a line of the file."""
    return f"{canonical_json(line)}\n".encode("ascii")


def layer_lines(layer: Layer) -> Iterator[dict[str, Any]]:
    """Yield the lines of a layer."""
    head = {"turn": layer.turn, "furthest": layer.furthest}
    if layer.names is None:
        yield head
        return
    yield {**head, "positions": list(islice(layer.names, BLOCK))}
    while block := list(islice(layer.names, BLOCK)):
        yield {**head, "positions": block}


# Reading


@contextmanager
def opened(path: Path) -> Iterator[Certificate | Mapping[str, Any]]:
    """Yield the certificate or the answer of an audit in a file; ``-`` is standard input.

    Raises:
        Unreadable: the file is neither, is damaged, or cannot be read, be it that this shows while it is checked.
    """
    try:
        with ExitStack() as stack:
            stream: Any = sys.stdin.buffer if path == Path("-") else stack.enter_context(path.open("rb"))
            if stream.peek(2)[:2] == b"\x1f\x8b":
                stream = gzip.GzipFile(fileobj=stream)
            begin = stream.readline(_LONGEST + 1)
            if begin.startswith(b"SQLite format 3\x00"):
                raise Unreadable(f"a database of version 1, which is no longer read; {_ANEW}")
            try:
                head = json.loads(begin) if begin.endswith(b"\n") and b'"format"' in begin else None
            except (ValueError, RecursionError):
                raise Unreadable("line 1: malformed JSON; the file is damaged or cut short") from None
            if isinstance(head, dict) and "format" in head:
                yield Certificate(read_claim(head), begin, _lines(stream))
            else:
                yield _audit(begin + stream.read(_MOST_TEXT + 1))
    except (OSError, EOFError, zlib.error) as fault:
        raise Unreadable(f"{path}: cannot be read: {getattr(fault, 'strerror', None) or fault}") from None
    except Unreadable as fault:
        raise Unreadable(f"{path}: {str(fault)[:LONGEST]}") from None


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST + 1):
        if len(line) > _LONGEST:
            raise Unreadable(f"a line is longer than {_LONGEST >> 20} MB")
        if not line.endswith(b"\n"):
            raise Unreadable(_CUT_SHORT)
        yield line


def refuse_damaged(line: bytes) -> None:
    """See to it that a line behind the claim is a JSON object.

    Raises:
        Unreadable: it is none.
    """
    with suppress(ValueError, RecursionError):
        if isinstance(json.loads(line), dict):
            return
    raise Unreadable("malformed JSON behind the claim; the file is damaged")


def read_claim(head: Mapping[str, Any]) -> Claim:
    """Return the claim of the first line; nothing of what it says is believed yet.

    Raises:
        Unreadable: it is of another format, or has not the right shape.
    """
    if head["format"] != FORMAT:
        raise Unreadable(f"line 1: no certificate of the format '{FORMAT}'; {_ANEW}")
    faults = Faults()
    _CLAIM.check(head, (), faults)
    for fault in faults.found:
        raise Unreadable(f"line 1: {fault}")
    stated = {name: value for name, value in head.items() if name not in ("format", "ways")}
    return Claim(**{**stated, "goal": goal_of(head["goal"]), "line": tuple(map(tuple, head["line"]))})


def _audit(raw: bytes) -> Mapping[str, Any]:
    if len(raw) > _MOST_TEXT:
        raise Unreadable(f"larger than {_MOST_TEXT >> 20} MB, and no certificate")
    try:
        text = decoded(raw)
        data = json.loads(text) if '"findings"' in text else None
    except (ContentError, ValueError, RecursionError):
        raise Unreadable("neither a certificate nor the answer of an audit, or damaged") from None
    if data is None or not is_audit(data):
        answer = '"schema":' in text[:20] and '"position_code":' in text
        hint = "; it is an answer, and 'bestline solve --proof FILE' writes the certificate of one" if answer else ""
        raise Unreadable(f"this is no certificate of 'bestline solve --proof', or is cut short{hint}")
    if len(data["findings"]) > _MOST_FINDINGS:
        raise Unreadable(f"an audit of more than {_MOST_FINDINGS:,} findings")
    return dict(data)


def is_audit(data: Any) -> bool:
    """Return whether a JSON value is the answer of an audit."""
    return isinstance(data, dict) and data.get("command") == "audit" and isinstance(data.get("findings"), list)


# Checking

TURNS: Final = 1_000_000_000
"""Ways through a turn played, and positions kept, at most; about a day."""


class Checked(NamedTuple):
    """What a certificate that holds proves."""

    position: Position
    goal: Goal
    status: str
    value: int | None
    turns: int
    """Own turns through which everything was played again."""
    positions: int
    seal: str
    relies: str
    """Name of the bound that is taken from the game's own arguments; empty where none is."""


def check(certificate: Certificate, time_s: float | None = None) -> Checked:
    """Return what a certificate proves, having played everything again, layer by layer.

    Raises:
        Rejected: it does not prove its claim.
        Unreadable: the file is damaged, or more than a certificate.
        TooLarge: a limit was hit before that was settled.
    """
    claim = certificate.claim
    if certificate.text != claim.text():
        raise Rejected("the claim is not written as 'bestline' writes it: the file has been altered")
    position, goal = question_of(_position(claim), claim.goal)
    game, start = position.start()
    hold_claim(claim, goal, game, start)
    try:
        found = Evidence(game, start, goal, Allowance(TURNS, time_s), claim.value, cuts=bool(claim.bound))
        turns, positions, seal = _layers(certificate, found)
    except Unsupported as fault:
        raise Rejected(f"layers do not carry this position: {fault}") from None
    return Checked(position, goal, claim.status, claim.value, turns, positions, seal, claim.bound)


def hold_claim(claim: Claim, goal: Goal, game: Race[Any], start: State[Any]) -> None:
    """Hold the claim against its line.

    Raises:
        Rejected: they do not fit together, or the rules do not have the line.
    """
    if claim.status not in ("optimal", "infeasible"):
        raise Rejected(f"'{claim.status}' is no claim; a certificate proves 'optimal' or 'infeasible'")
    if does_forbidden(start.pending, goal.forbidden):
        raise Rejected("the turn under way has begun with a move that the goal forbids")
    states = played(game, start, chain.from_iterable(claim.line), goal.forbidden)
    ends = [number for number, state in enumerate(states) if number and not state.pending]
    for turn, (end, stated) in enumerate(zip_longest(ends, accumulate(map(len, claim.line))), 1):
        if end != stated:
            raise Rejected(f"turn {turn} of the line does not end where the line says")
    is_distance, value = goal.objective is Objective.MAX_DISTANCE, claim.value
    there = not is_distance and not start.pending and game.progress(start.table, goal.seat) >= goal.target
    if claim.status == "infeasible":
        if value != (0 if goal.objective is Objective.REACH else None) or claim.line:
            raise Rejected("what is impossible has neither a line nor a value")
    else:
        worth = line_value(goal, game, start.table, states[-1].table)
        if worth != value:
            raise Rejected(f"the claimed value is {value}, but the line is worth {worth} when the rules play it")
    if there and (claim.status == "infeasible" or (value and goal.objective is Objective.MIN_TURNS)):
        raise Rejected("the start is already at the target")
    wanted = excluded_turns(claim.status, goal, value)
    if claim.turns != wanted:
        shown = "all" if wanted is None else str(wanted)
        raise Rejected(f"the claim needs {shown} turns to be excluded, the certificate goes through {claim.turns}")


def excluded_turns(status: str, goal: Goal, value: int | None) -> int | None:
    """Return the own turns that have to be excluded for a claim; nothing for all."""
    if status == "infeasible" or goal.objective is Objective.MAX_DISTANCE:
        return goal.within_turns
    return 0 if goal.objective is Objective.REACH else max(0, goal.least(value or 0) - 1)


def _layers(certificate: Certificate, found: Evidence[Any]) -> tuple[int, int, str]:
    """Play everything again and hold it against the file; return the turns, the positions, and the seal."""
    claim, goal, lines = certificate.claim, certificate.claim.goal, certificate.lines
    turn, positions, digest = 0, 0, sha256(certificate.text)
    if claim.bound != found.bound_name:
        raise Rejected(f"it relies on the bound '{claim.bound}', the rules here bring '{found.bound_name}'")
    try:
        for layer in found.layers(claim.turns):
            turn = layer.turn
            for ours in layer_lines(layer):
                if (theirs := next(lines, None)) is None:
                    raise Unreadable(_CUT_SHORT)
                if theirs != encoded(ours):
                    refuse_damaged(theirs)
                    raise Rejected(f"turn {turn}: {_difference(ours, theirs)}")
                digest.update(theirs)
                positions += len(ours.get("positions", ()))
    except Reached as reached:
        to, what = reached.progress, f"the target {goal.target} is not excluded"
        if goal.objective is Objective.MAX_DISTANCE:
            what = f"{'nothing' if claim.value is None else claim.value} is not the most"
        raise Rejected(f"turn {reached.turn}: the rules lead to {to}, so {what}") from None
    except UnsoundBound as fault:
        raise Rejected(f"the bound '{claim.bound}' fails: {fault}") from None
    seal, end = digest.hexdigest(), next(lines, None)
    if end is None:
        raise Unreadable(_CUT_SHORT)
    if end != encoded({"seal": seal}):
        refuse_damaged(end)
        last = "the seal does not fit the lines before it: the file has been altered"
        raise Rejected(last if b'"seal"' in end else f"there are layers beyond turn {turn}, which is the last one")
    if next(lines, None) is not None:
        raise Unreadable("something stands behind the seal")
    return turn if claim.turns is None else claim.turns, positions, seal


def _difference(ours: Mapping[str, Any], theirs: bytes) -> str:
    if theirs.startswith(b'{"seal":'):
        return "the certificate has no such layer"
    lacking = next((name for name in ours.get("positions", ()) if name.encode() not in theirs), None)
    if lacking is not None:
        return f"the certificate leaves out position {lacking}, to which the rules lead"
    return f"the certificate has more, another form, or not {ours['furthest']} as the furthest"


def _position(claim: Claim) -> Position:
    try:
        position = read_position(read_text(canonical_json(claim.position)))
    except BestlineError as fault:
        first, *more = str(fault).split("\n")
        also = f" (and {len(more)} faults more)" if more else ""
        raise Rejected(f"the position cannot be read: {first}{also}") from None
    if position.canonical() != claim.position:
        raise Rejected("the position is not in canonical form")
    if position.fingerprint != claim.fingerprint:
        theirs, ours = claim.fingerprint, position.fingerprint
        raise Rejected(f"made for other rules: its fingerprint is {theirs}, that of the rules here {ours}")
    if position.ruleset.id != claim.ruleset:
        raise Rejected(f"the ruleset is called '{position.ruleset.id}', not '{claim.ruleset}'")
    return position
