"""Large certificates: one SQLite file, written and checked layer by layer, never whole in memory.

Table ``meta`` has the ``claim`` (as in ``certificate``, with ``bound`` beside it, the one that the evidence
relies on) and the ``seal``. Table ``layer`` has one row for each own turn: how many positions, and the SHA-256 of their
records. Table ``block`` has the records, some thousands a row, compressed: eight bytes that name a position and one
with ``least``, the fewest turns that the bound leaves for it, ascending. The seal is the SHA-256 of claim and layers.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from puzzles.goal import Objective
from rules.core.errors import BestlineError
from rules.core.files import canonical_json
from rules.core.output import whole_file
from rules.core.race import Race
from rules.core.turns import State
from solver.checker.bounded import NAME, Bounded, Position, Reached
from solver.checker.certificate import MOST_LAYERS, Certificate, Unreadable, read_claim
from solver.checker.check import Checked, check, check_claim, replayed
from solver.checker.closed import Budget, TooLarge, Unfit
from solver.checker.evidence import Astray
from solver.checker.question import Rejected

FORMS: Final = (Bounded.form,)
"""What can count as one position."""
FORMAT: Final = "bestline/archive/1"
"""Name and version of the format; the number rises with every change."""
TURNS: Final = 1_000_000_000
"""Ways through a turn played at most; about a day."""
MAGIC: Final = b"SQLite format 3\x00"
"""How every database begins."""
_BLOCK: Final = 8192
"""Positions in one block."""
_RECORD: Final = NAME + 1
_LONGEST: Final = 1 << 20
"""Bytes of a claim or a block beyond which it is not read."""
_TABLES: Final = (
    "CREATE TABLE block (turn INT, number INT, data BLOB NOT NULL, PRIMARY KEY (turn, number))",
    "CREATE TABLE layer (turn INTEGER PRIMARY KEY, positions INT NOT NULL, digest TEXT NOT NULL)",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
"""What a database has, by name, and nothing else."""


class Sum(NamedTuple):
    """One layer in short."""

    turn: int
    positions: int
    digest: str


@dataclass(frozen=True, slots=True)
class Archive:
    """A large certificate on disk; its positions stay there."""

    path: Path
    claim: Certificate
    bound: str
    """Name of the bound that cut positions; empty where none did."""
    layers: tuple[Sum, ...]
    seal: str
    as_written: bool = True
    """Whether the claim stands there byte for byte: nothing in it, such as a key told twice, is passed over."""

    @property
    def right_seal(self) -> str:
        """Return the seal that fits claim and layers."""
        return _seal(_claim_text(self.claim, self.bound), self.layers)


def write_archive(
    path: Path, claim: Certificate, game: Race[Any], start: State[Any], time_s: float | None = None
) -> str:
    """Play everything that a claim excludes, write it as it comes, and return the seal.

    A file is there whole or not at all.

    Raises:
        TooLarge: the limit was hit, or no form of evidence carries the claim.
        Reached: the rules lead to the target sooner than claimed.
        BestlineError: the file cannot be written.
    """
    try:
        with whole_file(path) as place:
            try:
                return _write(place, claim, game, start, time_s, cuts=True)
            except Astray:
                # A bound that is right but not consistent cannot be checked edge by edge; without it all is kept.
                return _write(place, claim, game, start, time_s, cuts=False)
    except Unfit as fault:
        raise TooLarge(f"this position cannot be told: {fault}") from None
    except sqlite3.Error as fault:
        raise BestlineError(f"{path}: cannot be written: {fault}") from fault


def _write(
    path: Path, claim: Certificate, game: Race[Any], start: State[Any], time_s: float | None, *, cuts: bool
) -> str:
    path.unlink(missing_ok=True)
    budget = Budget(TURNS, TURNS, time_s)
    replayed(game, start, claim)
    evidence = Bounded(game, start, claim.goal, claim.turns or 0, budget, cuts=cuts)
    disk = sqlite3.connect(path, isolation_level=None)
    try:
        disk.execute("PRAGMA journal_mode = OFF")
        disk.execute("PRAGMA synchronous = OFF")
        for table in _TABLES:
            disk.execute(table)
        with evidence as layers:
            sums = [_write_layer(disk, turn, positions) for turn, positions in layers.layers()]
            text = _claim_text(claim, layers.bound_name)
        seal = _seal(text, tuple(sums))
        disk.executemany("INSERT INTO meta VALUES (?, ?)", (("claim", text), ("seal", seal)))
    finally:
        disk.close()
    return seal


def _write_layer(disk: sqlite3.Connection, turn: int, positions: Iterator[Position]) -> Sum:
    digest, count = sha256(), 0
    disk.execute("BEGIN")
    for number, block in enumerate(_blocks(positions)):
        digest.update(block)
        count += len(block) // _RECORD
        disk.execute("INSERT INTO block VALUES (?, ?, ?)", (turn, number, zlib.compress(block)))
    disk.execute("INSERT INTO layer VALUES (?, ?, ?)", (turn, count, digest.hexdigest()))
    disk.execute("COMMIT")
    return Sum(turn, count, digest.hexdigest())


def _blocks(positions: Iterator[Position]) -> Iterator[bytes]:
    while block := b"".join(name + bytes((least,)) for name, least in islice(positions, _BLOCK)):
        yield block


def _claim_text(claim: Certificate, bound: str) -> str:
    return canonical_json({**claim.claim(FORMAT), "bound": bound})


def _seal(claim: str, layers: tuple[Sum, ...]) -> str:
    return sha256(f"{claim}\n{canonical_json([list(each) for each in layers])}\n".encode("ascii")).hexdigest()


def read_archive(path: Path) -> Archive:
    """Return what a file claims, its positions left where they are; nothing of it is believed yet.

    Raises:
        Unreadable: it is no large certificate, or damaged.
    """
    try:
        disk = _opened(path)
        try:
            tables = disk.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name LIMIT 4"
            ).fetchall()
            if tuple(sql for (sql,) in tables) != _TABLES:
                raise Unreadable("a database that is no certificate: it has other tables, or more")
            meta = dict(disk.execute("SELECT name, value FROM meta LIMIT 3").fetchall())
            rows = disk.execute("SELECT turn, positions, digest FROM layer ORDER BY turn LIMIT ?", (MOST_LAYERS + 1,))
            sums = tuple(Sum(*row) for row in rows)
        finally:
            disk.close()
        if set(meta) != {"claim", "seal"} or len(sums) > MOST_LAYERS:
            raise Unreadable("a database that is no certificate: it says more than one, or has too many layers")
        head = json.loads(meta["claim"])
        bound, seal = head.pop("bound"), meta["seal"]
        texts = [bound, seal, *(each.digest for each in sums)]
        numbers = [number for each in sums for number in each[:2]]
        if not all(isinstance(text, str) for text in texts) or not all(isinstance(number, int) for number in numbers):
            raise Unreadable("a field has the wrong type")
        claim = read_claim(head, FORMAT)
        return Archive(path, claim, bound, sums, seal, meta["claim"] == _claim_text(claim, bound))
    except (sqlite3.Error, KeyError, TypeError, ValueError, AttributeError, RecursionError) as fault:
        raise Unreadable(f"a database that is no certificate, or is damaged: {fault}") from None


def _opened(path: Path) -> sqlite3.Connection:
    disk = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    disk.execute("PRAGMA trusted_schema = OFF")
    disk.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    return disk


def _records(disk: sqlite3.Connection, turn: int) -> Iterator[bytes]:
    """Yield the records of one layer.

    Raises:
        Rejected: a block is damaged.
    """
    blocks = disk.execute("SELECT number, data FROM block WHERE turn = ? ORDER BY number", (turn,))
    for place, (number, data) in enumerate(blocks):
        packed = zlib.decompressobj()
        try:
            block = packed.decompress(data, _BLOCK * _RECORD + 1)
        except (zlib.error, TypeError):
            raise Rejected(f"turn {turn}: block {number} is damaged") from None
        whole = number == place and packed.eof and not packed.unused_data
        if not whole or not block or len(block) > _BLOCK * _RECORD or len(block) % _RECORD:
            raise Rejected(f"turn {turn}: block {number} is damaged")
        yield from (block[at : at + _RECORD] for at in range(0, len(block), _RECORD))


def check_archive(archive: Archive, time_s: float | None = None) -> Checked:
    """Return what a large certificate proves, having played everything again, layer by layer.

    Raises:
        Rejected: it does not prove its claim.
        TooLarge: a limit was hit before that was settled.
    """
    claim = archive.claim
    if not archive.as_written or archive.right_seal != archive.seal:
        raise Rejected("the seal does not fit the claim and the layers: the file has been altered")
    if claim.ways is not None or claim.turns is None or claim.goal.objective is Objective.MAX_DISTANCE:
        raise Rejected("a large certificate is about a target within a number of turns, and counts no lines")
    position, goal, game, start, _ = check_claim(claim, FORMS)
    if len(archive.layers) > claim.turns:
        raise Rejected(f"there are layers beyond turn {claim.turns}, which is the last one")
    if len(archive.layers) < claim.turns:
        raise Rejected(f"turn {len(archive.layers) + 1}: the certificate has no such layer")
    budget = Budget(TURNS, TURNS, time_s)
    disk = _opened(archive.path)
    positions, turn = 0, 0
    try:
        with Bounded(game, start, goal, claim.turns, budget, cuts=bool(archive.bound)) as layers:
            named = layers.bound_name
            if named != archive.bound:
                raise Rejected(f"it relies on the bound '{archive.bound}', the rules here bring '{named}'")
            for turn, found in layers.layers():
                positions += _same(archive.layers[turn - 1], turn, found, _records(disk, turn))
        (beyond,) = disk.execute("SELECT count(*) FROM block WHERE turn IS NULL OR turn NOT BETWEEN 1 AND ?", (turn,))
        if beyond[0]:
            raise Rejected(f"there are blocks that belong to none of the {turn} layers")
    except Reached as reached:
        raise Rejected(
            f"turn {reached.turn}: the rules lead to {reached.progress}, so the target {claim.goal.target} "
            "is not excluded"
        ) from None
    except Unfit as fault:
        raise Rejected(f"the form '{claim.form}' does not carry this position: {fault}") from None
    except Astray as fault:
        raise Rejected(f"the form '{claim.form}' fails: {fault}") from None
    except sqlite3.DatabaseError as fault:
        raise Rejected(f"turn {turn + 1}: the file is damaged: {fault}") from None
    finally:
        disk.close()
    return Checked(
        position=position,
        goal=goal,
        status=claim.status,
        value=claim.value,
        turns=turn,
        positions=positions,
        unique=None,
        seal=archive.seal,
        relies=archive.bound,
    )


def _same(stated: Sum, turn: int, found: Iterator[Position], records: Iterator[bytes]) -> int:
    """Hold the positions that the rules lead to against those of a layer, one after the other; return their number.

    Raises:
        Rejected: they differ.
    """
    if stated.turn != turn:
        raise Rejected(f"turn {turn}: the layer here is said to be that of turn {stated.turn}")
    digest, count = sha256(), 0
    for ours in found:
        record = next(records, b"")
        name, least = record[:NAME], record[NAME:]
        if not record or name > ours.name:
            raise Rejected(
                f"turn {turn}: the certificate leaves out position {ours.name.hex()}, to which the rules lead"
            )
        if name < ours.name:
            raise Rejected(f"turn {turn}: the certificate lists position {name.hex()}, which the rules do not lead to")
        if least[0] != ours.least:
            raise Rejected(
                f"turn {turn}: position {name.hex()} is {ours.least} turns away by the bound, not {least[0]}"
            )
        digest.update(record)
        count += 1
    strange = next(records, None)
    if strange is not None:
        raise Rejected(f"turn {turn}: the certificate lists position {strange[:NAME].hex()}, to which nothing leads")
    if (count, digest.hexdigest()) != (stated.positions, stated.digest):
        raise Rejected(f"turn {turn}: the layer is said to have {stated.positions} positions of another digest")
    return count


def check_proof(proof: Certificate | Archive, time_s: float | None = None) -> Checked:
    """Return what a certificate of either size proves.

    Raises:
        Rejected: it does not prove its claim.
        TooLarge: a limit was hit before that was settled.
    """
    return check_archive(proof, time_s) if isinstance(proof, Archive) else check(proof, time_s)
