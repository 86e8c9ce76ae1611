"""Certificates as files: one JSON object a line, in a fixed order, sealed at the end; plain text or gzip.

1. The *claim*: ``{"format", "ruleset", "fingerprint", "position", "goal", "status", "value", "line", "bound",
   "turns", "ways"}``. The position is in canonical form. ``line`` has one list of move texts for each turn. ``bound``
   names what cut positions, or is empty. ``turns`` is the number of own turns that the layers go through, and nothing
   where they end by themselves. ``ways`` counts for each turn the tables at its end that lie on a line as good as the
   best. So it claims whether the line is the only one; it is nothing where that is not claimed.
2. A *layer* for each own turn: ``{"turn", "furthest", "positions"}``, the greatest progress that the rules allow at
   its end, and a short digest of every position kept, ascending. The last of so many turns has no positions. A layer of
   many positions takes several lines; all of them but the last have ``BLOCK`` positions.
3. The *seal*: ``{"seal"}``, the SHA-256 of all lines before it. It is also the digest that a puzzle states.

Files are written and read line by line, so that their size is no matter of memory.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final, cast

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, ContentError
from rules.core.files import canonical_json, decoded
from rules.core.tools.output import whole_file
from solver.checker.layers import MOST_LAYERS, Layer, temporary_files

FORMAT: Final = "bestline/certificate/2"
"""Name and version of the format; the number rises with every change."""
_FORMER: Final = "bestline/certificate/1"
_SQLITE: Final = b"SQLite format 3\x00"
"""How the databases of version 1 begin."""
_ANEW: Final = "'bestline solve … --proof FILE' makes it anew"
STATUSES: Final = ("optimal", "infeasible")
"""What a certificate can claim."""
BLOCK: Final = 8_192
"""Positions of one line."""
STDIN: Final = Path("-")
_LONGEST: Final = 1 << 20
"""Bytes of a line beyond which it is not read."""
_SHORTEST: Final = BLOCK * 16
"""Bytes that a line has at least on average, the first ``MOST_LAYERS`` apart."""
_MOST_TEXT: Final = 10 << 20
"""Bytes of the answer of an audit beyond which it is not read."""
_MOST_FINDINGS: Final = 1_000
"""Findings of an audit beyond which it is not read; those that are made have some dozens."""
_MOST_PIPED: Final = 1 << 30
"""Bytes of a certificate that come through a pipe."""
_GZIP: Final = b"\x1f\x8b"
_HEAD: Final = {
    "format": str,
    "ruleset": str,
    "fingerprint": str,
    "position": dict,
    "goal": dict,
    "status": str,
    "value": (int, type(None)),
    "line": list,
    "bound": str,
    "turns": (int, type(None)),
    "ways": (list, type(None)),
}
_GOAL: Final = {
    "objective": str,
    "target": int,
    "within_turns": (int, type(None)),
    "forbidden": list,
    "seat": int,
}
_CHALLENGE: Final = {"challenge": str, "terms": dict}
"""What stands beside these where progress is that of a challenge of the game,"""
_KEPT: Final = {"kept": list}
"""and where something is to be kept."""


class Unreadable(BestlineError):
    """The file is no certificate, or not a whole one."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a certificate says is true, and by which evidence."""

    ruleset: str
    """Id, for people; the position says which rules are meant."""
    fingerprint: str
    position: Mapping[str, Any]
    """Canonical form."""
    goal: Goal
    status: str
    value: int | None
    line: tuple[tuple[str, ...], ...]
    """Texts of the moves, turn by turn."""
    bound: str
    """Name of the bound that cuts positions; empty where none does."""
    turns: int | None
    """Own turns that the layers go through; nothing where they end by themselves."""
    ways: tuple[int, ...] | None = None
    """Tables at the end of each turn that lie on a line as good as the best; nothing where no claim is made."""

    @property
    def unique(self) -> bool | None:
        """Whether the line is claimed to be the only one as good as the best; nothing where no claim is made."""
        return None if self.ways is None else all(tables == 1 for tables in self.ways)

    def data(self) -> dict[str, Any]:
        """Return the claim as the file states it."""
        return {
            "format": FORMAT,
            "ruleset": self.ruleset,
            "fingerprint": self.fingerprint,
            "position": self.position,
            "goal": goal_data(self.goal),
            "status": self.status,
            "value": self.value,
            "line": [list(turn) for turn in self.line],
            "bound": self.bound,
            "turns": self.turns,
            "ways": None if self.ways is None else list(self.ways),
        }


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim with its evidence, which stays in its file; nothing of it is believed yet."""

    claim: Claim
    seal: str
    """SHA-256 of all lines before the seal, as the file states it."""
    is_sealed: bool
    """Whether that is right, and the claim written as ``bestline`` writes it, with no key told twice."""
    lines: Callable[[], Iterator[bytes]]
    """Returns the lines of the layers."""


def goal_data(goal: Goal) -> dict[str, Any]:
    """Return a goal as the claim tells it."""
    return {
        "objective": goal.objective.value,
        "target": goal.target,
        "within_turns": goal.within_turns,
        "forbidden": sorted(goal.forbidden),
        "seat": goal.seat,
        **({"kept": sorted(goal.kept)} if goal.kept else {}),
        **({"challenge": goal.challenge, "terms": dict(goal.terms)} if goal.challenge else {}),
    }


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
        for line in chain([encoded(claim.data())], (encoded(line) for layer in layers for line in layer_lines(layer))):
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
    block = list(islice(layer.names, BLOCK))
    while True:
        following = list(islice(layer.names, BLOCK))
        yield {**head, "positions": block}
        if not following:
            return
        block = following


# Reading


@contextmanager
def opened(path: Path) -> Iterator[Certificate | Mapping[str, Any]]:
    """Yield the certificate or the answer of an audit in a file; ``-`` is standard input.

    Raises:
        OSError: the file cannot be read.
        Unreadable: it is neither, or is damaged.
        Unwritable: there is no room for what comes through a pipe.
    """
    with ExitStack() as stack:
        stream: Any = sys.stdin.buffer if path == STDIN else stack.enter_context(path.open("rb"))
        if not stream.seekable():
            stream = _spooled(stream, stack)
        start = stream.tell()
        packed = stream.read(2) == _GZIP

        def content() -> BinaryIO:
            stream.seek(start)
            return cast(BinaryIO, gzip.GzipFile(fileobj=stream) if packed else stream)

        try:
            begin = content().readline(_LONGEST)
            if begin.startswith(_SQLITE):
                raise Unreadable(
                    f"a database of version 1, of bounded layers or laps, which is no longer read; {_ANEW}"
                )
            head = _table(begin, 1) if begin.endswith(b"\n") and b'"format"' in begin else {}
            answer = _certificate(head, content) if "format" in head else _audit(content().read(_MOST_TEXT + 1))
            if packed:
                _refuse_rest(stream, start)
            yield answer
        except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
            raise Unreadable(f"damaged gzip file: {fault}") from None


def _refuse_rest(stream: BinaryIO, start: int) -> None:
    """Refuse bytes behind the end of a gzip file: the reader of the library passes over zeros."""
    stream.seek(start)
    unpacked = zlib.decompressobj(wbits=31)
    while not unpacked.eof:
        unpacked.decompress(unpacked.unconsumed_tail or stream.read(1 << 16), 1 << 16)
    if unpacked.unused_data or stream.read(1):
        raise Unreadable("something stands behind the end of the gzip file")


def _spooled(stream: BinaryIO, stack: ExitStack) -> Any:
    """Put what comes through a pipe into a file, to be read again."""
    first = stream.read(1 << 16)
    if not first.startswith((b"{", _GZIP, _SQLITE)):
        raise Unreadable("neither a certificate nor the answer of an audit")
    with temporary_files():
        spool = TemporaryFile()  # noqa: SIM115 - the stack closes it
        stack.callback(spool.close)
        while first:
            spool.write(first)
            if spool.tell() > _MOST_PIPED:
                raise Unreadable(f"more than {_MOST_PIPED >> 20} MB through a pipe; give the file itself")
            first = stream.read(1 << 16)
        spool.seek(0)
    return spool


def _certificate(head: Mapping[str, Any], content: Callable[[], BinaryIO]) -> Certificate:
    claim = read_claim(head)
    digest, last, number, as_written = sha256(), b"", 0, False
    for number, line in enumerate(_lines(content())):
        if number:
            digest.update(last)
        else:
            as_written = line == encoded(claim.data())
        last = line
    seal = _table(last, number + 1) if number else {}
    if set(seal) != {"seal"} or not isinstance(seal["seal"], str) or not last.endswith(b"\n"):
        raise Unreadable(f"line {number + 1}: the file ends without its seal; it has been cut short")
    is_sealed = as_written and last == encoded({"seal": digest.hexdigest()})
    return Certificate(claim, seal["seal"], is_sealed, lambda: islice(_lines(content()), 1, number))


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, the last perhaps without its end.

    Raises:
        Unreadable: a line is too long, or there are too many of them.
    """
    size = 0
    for number in count(1):
        line = stream.readline(_LONGEST + 1)
        size += len(line)
        if len(line) > _LONGEST:
            raise Unreadable(f"line {number}: longer than {_LONGEST >> 20} MB")
        if number > MOST_LAYERS + 3 + size // _SHORTEST:
            raise Unreadable(f"no certificate of this size has {number:,} lines")
        if not line:
            return
        yield line


def read_claim(head: Mapping[str, Any]) -> Claim:
    """Return the claim of the first line; nothing of what it says is believed yet.

    Raises:
        Unreadable: it is of another format, or has not the right shape.
    """
    if head["format"] == _FORMER:
        kind = "a certificate of laps" if head.get("form") == "laps" else "a certificate of version 1"
        raise Unreadable(f"{kind}, which is no longer read; {_ANEW}")
    if head["format"] != FORMAT:
        raise Unreadable(f"line 1: no certificate of the format '{FORMAT}'; {_ANEW}")
    _shape(head, _HEAD, "claim")
    ways = head["ways"]
    if ways is not None and not all(_fits(tables, int) for tables in ways):
        raise Unreadable("line 1: ways must be a list of numbers")
    return Claim(
        ruleset=head["ruleset"],
        fingerprint=head["fingerprint"],
        position=head["position"],
        goal=_goal(head["goal"]),
        status=head["status"],
        value=head["value"],
        line=tuple(_moves(turn) for turn in head["line"]),
        bound=head["bound"],
        turns=head["turns"],
        ways=None if ways is None else tuple(ways),
    )


def _audit(raw: bytes) -> Mapping[str, Any]:
    """Return the answer of an audit.

    Raises:
        Unreadable: it is too large, or something else.
    """
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


def _table(line: bytes, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise Unreadable(f"line {number}: malformed JSON; the file is damaged or cut short") from None
    if not isinstance(value, dict):
        raise Unreadable(f"line {number}: must be one JSON object")
    return value


def _shape(table: Mapping[str, Any], fields: Mapping[str, Any], what: str) -> None:
    lacking = sorted(set(fields) - set(table))
    strange = sorted(set(table) - set(fields))
    wrong = sorted(name for name in set(fields) & set(table) if not _fits(table[name], fields[name]))
    for fault, names in (("lacks", lacking), ("does not know", strange), ("has the wrong type at", wrong)):
        if names:
            raise Unreadable(f"line 1: the {what} {fault} {', '.join(map(repr, names))}")


def _fits(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _goal(given: Mapping[str, Any]) -> Goal:
    more = {**(_CHALLENGE if "challenge" in given else {}), **(_KEPT if "kept" in given else {})}
    _shape(given, {**_GOAL, **more}, "goal")
    if given["objective"] not in list(Objective):
        raise Unreadable(f"line 1: no objective '{given['objective']}'")
    if given["target"] < 0 or given["seat"] < 0 or (given["within_turns"] or 0) < 0:
        raise Unreadable("line 1: the goal has a number below 0")
    return Goal(
        objective=Objective(given["objective"]),
        target=given["target"],
        within_turns=given["within_turns"],
        forbidden=frozenset(_moves(given["forbidden"])),
        seat=given["seat"],
        kept=frozenset(_moves(given.get("kept", []))),
        challenge=given.get("challenge", ""),
        terms=given.get("terms", {}),
    )


def _moves(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise Unreadable("line 1: moves must be a list of texts")
    return tuple(given)
