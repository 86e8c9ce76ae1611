"""Certificates as files: one JSON object a line, in a fixed order, sealed at the end; plain text or gzip.

1. The *claim*: ``{"format", "ruleset", "fingerprint", "position", "goal", "status", "value", "line", "form",
   "turns", "ways"}``. The position is in canonical form; ``line`` has one list of move texts for each turn; ``form``
   says what counts as one position (``closed``); ``turns`` is the number of own turns that the layers go through, and
   nothing where they end by themselves. ``ways`` claims whether the line is the only one: how many tables at the end of
   each turn lie on a line as good as the best; nothing where that is not claimed.
2. A *layer* for each own turn: ``{"turn", "furthest", "positions"}``, the greatest progress that the rules allow at
   its end, and a short digest of every position reached, ascending. The last of so many turns is told by ``furthest``
   alone.
3. The *seal*: ``{"seal"}``, the SHA-256 of all lines before it. It is also the digest that a puzzle states.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, ContentError
from rules.core.files import canonical_json, decoded

FORMAT: Final = "bestline/certificate/1"
"""Name and version of the format; the number rises with every change."""
STATUSES: Final = ("optimal", "infeasible")
"""What a certificate can claim."""
MAX_BYTES: Final = 10 << 20
"""Size of the text beyond which no file is read; those that are written are smaller."""
MOST_LAYERS: Final = 500
"""Own turns after which an exhausted search that should end by itself is given up."""
_MOST_PARTS: Final = 500_000
"""Lists and tables in a text: many more, all small, would take memory that no certificate needs."""
_GZIP: Final = b"\x1f\x8b"
_PIECE: Final = 1 << 16
"""Bytes that are unpacked at once."""
_HEAD: Final = {
    "format": str,
    "ruleset": str,
    "fingerprint": str,
    "position": dict,
    "goal": dict,
    "status": str,
    "value": (int, type(None)),
    "line": list,
    "form": str,
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
class Layer:
    """What lies at the end of one own turn."""

    turn: int
    furthest: int | None
    """Greatest progress; nothing if no line has so many turns."""
    positions: tuple[str, ...] | None
    """Digests, ascending; nothing for the last of so many turns."""

    def data(self) -> dict[str, Any]:
        """Return the line of the file."""
        positions = {} if self.positions is None else {"positions": list(self.positions)}
        return {"turn": self.turn, "furthest": self.furthest, **positions}


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim with its evidence, as it was written."""

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
    form: str
    turns: int | None
    """Own turns that the layers go through; nothing where they end by themselves."""
    layers: tuple[Layer, ...]
    ways: tuple[int, ...] | None = None
    """Tables at the end of each turn that lie on a line as good as the best; nothing where no claim is made."""
    seal: str = ""
    """SHA-256 of all lines before the seal, as the file states it."""
    as_written: bool = True
    """Whether the file has these lines byte for byte: nothing in it, such as a key told twice, is passed over."""

    @property
    def unique(self) -> bool | None:
        """Whether the line is claimed to be the only one as good as the best; nothing where no claim is made."""
        return None if self.ways is None else all(tables == 1 for tables in self.ways)

    def text(self) -> str:
        """Return the file, sealed anew."""
        return self.text_under(self.right_seal)

    def text_under(self, seal: str) -> str:
        """Return the file as it is with a seal, be it the right one or not."""
        return self._text() + canonical_json({"seal": seal}) + "\n"

    @property
    def right_seal(self) -> str:
        """Return the seal that fits the lines before it."""
        return sha256(self._text().encode("ascii")).hexdigest()

    def with_seal(self) -> Certificate:
        """Return the same with the seal that fits."""
        return replace(self, seal=self.right_seal)

    def data(self, *, compress: bool = False) -> bytes:
        """Return the file as bytes, the same each time."""
        raw = self.text().encode("ascii")
        return gzip.compress(raw, mtime=0) if compress else raw

    def _text(self) -> str:
        return "".join(canonical_json(line) + "\n" for line in self._lines())

    def claim(self, form: str = FORMAT) -> dict[str, Any]:
        """Return the claim as a file of a format states it."""
        return {
            "format": form,
            "ruleset": self.ruleset,
            "fingerprint": self.fingerprint,
            "position": self.position,
            "goal": goal_data(self.goal),
            "status": self.status,
            "value": self.value,
            "line": [list(turn) for turn in self.line],
            "form": self.form,
            "turns": self.turns,
            "ways": None if self.ways is None else list(self.ways),
        }

    def _lines(self) -> Iterator[dict[str, Any]]:
        yield self.claim()
        for layer in self.layers:
            yield layer.data()


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


def read_lines(text: str) -> Certificate:
    """Return the certificate of a text; nothing of what it says is believed yet.

    Raises:
        Unreadable: it is no certificate, is cut short, or a line has not the right shape; the line is named.
    """
    if text.count("\n") > MOST_LAYERS + 2:
        raise Unreadable(f"no certificate has more than {MOST_LAYERS + 2} lines")
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        answer = '"schema":' in text[:20] and '"position_code":' in text
        hint = "; it is an answer, and 'bestline solve --proof FILE' writes the certificate of one" if answer else ""
        raise Unreadable(f"a certificate has more than one line; the file is none, or has been cut short{hint}")
    head, *layers, last = (_table(line, number) for number, line in enumerate(lines, 1))
    if set(last) != {"seal"} or not isinstance(last["seal"], str):
        raise Unreadable(f"line {len(lines)}: the file ends without its seal; it has been cut short")
    found = tuple(_layer(table, number) for number, table in enumerate(layers, 2))
    certificate = replace(read_claim(head), layers=found, seal=last["seal"])
    return replace(certificate, as_written=text == certificate.text_under(last["seal"]))


def read_claim(head: Mapping[str, Any], form: str = FORMAT) -> Certificate:
    """Return a claim without its layers and its seal; nothing of what it says is believed yet.

    Raises:
        Unreadable: it is of another format, or has not the right shape.
    """
    if head.get("format") != form:
        raise Unreadable(f"line 1: no certificate of the format '{form}'")
    _shape(head, _HEAD, 1, "claim")
    return Certificate(
        ruleset=head["ruleset"],
        fingerprint=head["fingerprint"],
        position=head["position"],
        goal=_goal(head["goal"]),
        status=head["status"],
        value=head["value"],
        line=tuple(_moves(turn) for turn in head["line"]),
        form=head["form"],
        turns=head["turns"],
        layers=(),
        ways=_ways(head["ways"]),
    )


def unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what a stream has in it, piece by piece, a gzip file unpacked.

    Raises:
        Unreadable: the gzip file is damaged, cut short, or followed by something else.
    """
    chunks = iter(chunks)
    first = next(chunks, b"")
    if not first.startswith(_GZIP):
        yield from chain([first], chunks)
        return
    packed = zlib.decompressobj(wbits=31)
    try:
        for chunk in chain([first], chunks):
            if packed.eof:
                raise Unreadable("something stands behind the end of the gzip file")
            yield packed.decompress(chunk, _PIECE)
            while packed.unconsumed_tail:
                yield packed.decompress(packed.unconsumed_tail, _PIECE)
            if packed.unused_data:
                raise Unreadable("something stands behind the end of the gzip file")
    except zlib.error as fault:
        raise Unreadable(f"damaged gzip file: {fault}") from None
    if not packed.eof:
        raise Unreadable("the gzip file is cut short")


def ascii_text(content: Iterable[bytes]) -> str:
    """Return a stream as text.

    Raises:
        Unreadable: it is too large, or no text of JSON lines.
    """
    raw = bytearray()
    for piece in content:
        raw += piece
        if len(raw) > MAX_BYTES:
            raise Unreadable(f"larger than {MAX_BYTES >> 20} MB")
    if raw.count(b"{") + raw.count(b"[") > _MOST_PARTS:
        raise Unreadable(f"more than {_MOST_PARTS:,} lists and tables")
    try:
        return decoded(bytes(raw))
    except ContentError:
        raise Unreadable("not a text of JSON lines") from None


def _table(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        none = "this is no certificate of 'bestline solve --proof', or " if number == 1 else ""
        raise Unreadable(f"line {number}: malformed JSON; {none}the file is damaged or cut short") from None
    if not isinstance(value, dict):
        raise Unreadable(f"line {number}: must be one JSON object")
    return value


def _shape(table: Mapping[str, Any], fields: Mapping[str, Any], number: int, what: str) -> None:
    lacking = sorted(set(fields) - set(table))
    strange = sorted(set(table) - set(fields))
    wrong = sorted(name for name in set(fields) & set(table) if not _fits(table[name], fields[name]))
    for fault, names in (("lacks", lacking), ("does not know", strange), ("has the wrong type at", wrong)):
        if names:
            raise Unreadable(f"line {number}: the {what} {fault} {', '.join(map(repr, names))}")


def _fits(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _goal(given: Mapping[str, Any]) -> Goal:
    more = {**(_CHALLENGE if "challenge" in given else {}), **(_KEPT if "kept" in given else {})}
    _shape(given, {**_GOAL, **more}, 1, "goal")
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


def _ways(given: Any) -> tuple[int, ...] | None:
    if given is not None and not all(_fits(tables, int) for tables in given):
        raise Unreadable("line 1: ways must be a list of numbers")
    return None if given is None else tuple(given)


def _layer(table: Mapping[str, Any], number: int) -> Layer:
    kinds: dict[str, Any] = {"turn": int, "furthest": (int, type(None))}
    _shape(table, {**kinds, "positions": list} if "positions" in table else kinds, number, "layer")
    positions: Sequence[Any] | None = table.get("positions")
    if positions is not None and not all(isinstance(name, str) for name in positions):
        raise Unreadable(f"line {number}: positions must be a list of texts")
    return Layer(table["turn"], table["furthest"], None if positions is None else tuple(positions))
