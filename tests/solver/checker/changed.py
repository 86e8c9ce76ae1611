"""Certificates changed by chance: a claim that is told otherwise, evidence that is left out, added, or made to fit.

``Proof`` is the one place that knows how certificates are written down; changes act on its plain values.
"""

from __future__ import annotations

import json
import random
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from puzzles.goal import Goal, Objective
from puzzles.loader import goal_table, load_puzzle, question_of
from rules.core.files import canonical_json
from rules.core.position import load_position
from solver.checker.bounded import Bounded, Reached
from solver.checker.closed import Budget, Unfit
from solver.checker.evidence import FORMS, closed_layers
from solver.proofs import certify, write_certificate, write_large
from solver.solve import solve

Rand = random.Random
TABLES = (
    "CREATE TABLE block (turn INT, number INT, data BLOB NOT NULL, PRIMARY KEY (turn, number))",
    "CREATE TABLE layer (turn INTEGER PRIMARY KEY, positions INT NOT NULL, digest TEXT NOT NULL)",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
RECORD = 9


@dataclass
class Proof:
    """A certificate as plain values."""

    claim: dict[str, Any]
    layers: list[dict[str, Any]]
    """Of a database each with ``turn`` and ``records``, a list of names with a number each."""
    is_database: bool
    seal: str | None = None
    """Another seal than the right one."""
    twice: bool = False
    """The claim says its status twice."""
    behind: str = ""
    """What stands behind the end: a line, a table or a block that belongs to no layer."""

    @classmethod
    def read(cls, path: Path) -> Proof:
        """Take a certificate apart."""
        raw = path.read_bytes()
        if not raw.startswith(b"SQLite"):
            claim, *layers, _ = map(json.loads, raw.splitlines())
            return cls(claim, layers, is_database=False)
        disk = sqlite3.connect(path)
        claim = json.loads(dict(disk.execute("SELECT * FROM meta").fetchall())["claim"])
        layers = []
        for (turn,) in disk.execute("SELECT turn FROM layer ORDER BY turn").fetchall():
            blocks = disk.execute("SELECT data FROM block WHERE turn = ? ORDER BY number", (turn,))
            data = b"".join(zlib.decompress(block) for (block,) in blocks)
            records = [[data[at : at + 8].hex(), data[at + 8]] for at in range(0, len(data), RECORD)]
            layers.append({"turn": turn, "records": records})
        disk.close()
        return cls(claim, layers, is_database=True)

    def write(self, path: Path) -> Path:
        """Write it, sealed so that it fits."""
        text = canonical_json(self.claim)
        if self.twice:
            text = text.replace('"status":', '"status":"optimal","status":', 1)
        if self.is_database:
            self._database(path, text)
            return path
        lines = "".join(f"{line}\n" for line in (text, *map(canonical_json, self.layers)))
        seal = self.seal or sha256(lines.encode()).hexdigest()
        path.write_text(lines + canonical_json({"seal": seal}) + "\n" + self.behind)
        return path

    def _database(self, path: Path, text: str) -> None:
        path.unlink(missing_ok=True)
        disk = sqlite3.connect(path, isolation_level=None)
        for table in TABLES:
            disk.execute(table)
        sums = []
        for layer in self.layers:
            data = b"".join(bytes.fromhex(name) + bytes((least % 256,)) for name, least in layer["records"])
            sums.append([layer["turn"], len(layer["records"]), sha256(data).hexdigest()])
            disk.execute("INSERT OR REPLACE INTO layer VALUES (?, ?, ?)", sums[-1])
            if data:
                disk.execute("INSERT OR REPLACE INTO block VALUES (?, 0, ?)", (layer["turn"], zlib.compress(data)))
        if self.behind:
            disk.execute("INSERT INTO block VALUES (?, 7, ?)", (len(sums) + 1, zlib.compress(bytes(RECORD))))
        seal = self.seal or sha256(f"{text}\n{canonical_json(sums)}\n".encode()).hexdigest()
        disk.executemany("INSERT INTO meta VALUES (?, ?)", (("claim", text), ("seal", seal)))
        disk.close()

    def copy(self) -> Proof:
        """Return one that may be changed."""
        return replace(self, claim=json.loads(json.dumps(self.claim)), layers=json.loads(json.dumps(self.layers)))

    def prove_anew(self) -> None:
        """Make the evidence what the rules lead to under the goal as it is now, be it one that a claim may have."""
        claim = self.claim
        goal = claim["goal"]
        position = load_position(canonical_json(claim["position"]))
        claim["fingerprint"], claim["position"] = position.fingerprint, position.canonical()
        if "challenge" in goal:
            position = position.towards(goal["challenge"], goal["seat"], goal["terms"])
        game: Any = position.keeping(goal.get("kept", ()), goal["seat"]).game
        start = position.start()[1]
        asked = Goal(
            Objective(goal["objective"]),
            goal["target"],
            goal["within_turns"],
            frozenset(goal["forbidden"]),
            goal["seat"],
        )
        turns, budget = claim["turns"], Budget(4_000, 4_000)
        if not self.is_database:
            for form in FORMS:
                with suppress(Unfit):
                    self.layers = [layer.data() for layer in closed_layers(game, start, asked, form, turns, budget)]
                    claim["form"] = form
                    return
            raise LookupError
        self.layers = []
        with Bounded(game, start, asked, min(turns or 0, 20), budget, cuts=bool(claim["bound"])) as bounded:
            try:
                for turn, found in bounded.layers():
                    records = [[each.name.hex(), each.least] for each in found]
                    self.layers.append({"turn": turn, "records": records})
            except Reached:  # as a liar would: with the layers that are not reached left empty
                left = range(len(self.layers) + 1, min(turns or 0, 20) + 1)
                self.layers += [{"turn": turn, "records": []} for turn in left]


# Right certificates of small questions: the ends of lines of the library, and goals of other kinds there

LAST = {
    "sprint-10": 2, "knife": 3, "tailwind": 3, "rope-bridge": 2, "risk-in-risk": 3, "thin-ice": 3, "checkpoint": 2,
    "through-the-night": 2, "lone-ace": 3, "one-by-one": 2, "the-courier": 4, "torchlight": 6, "small-crew": 4,
    "deep-water": 4, "temp-agency": 4,
}  # fmt: skip
"""Turns of the line that are left to play."""
OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sprint-10", {"objective": "reach", "target": 10, "within_turns": 2}),
    ("sprint-10", {"objective": "reach", "target": 60, "within_turns": 2}),
    ("sprint-10", {"objective": "min_turns", "target": 60, "within_turns": 2, "new_day": False}),
    ("rope-bridge", {"objective": "max_distance", "within_turns": 2, "without": ["move"]}),
    ("the-courier", {"objective": "AB-S1", "within_rounds": 0}),
    ("the-courier", {"objective": "AB-S3", "without": ["digging"], "within_rounds": 1}),
    ("torchlight", {"objective": "AB-S2", "within_rounds": 1}),
    ("lone-ace", {"objective": "TR-S5"}),
    ("lone-ace", {"objective": "TR-S2", "within_turns": 2}),
    ("lone-ace", {"objective": "TR-S4", "terms": {"cards": ["AC"]}, "within_turns": 3}),
    ("lone-ace", {"objective": "TR-S3", "within_turns": 2}),
)


@cache
def _left(name: str) -> tuple[Any, dict[str, Any]]:
    """Return the position some turns before the end of a puzzle's line, and its goal from there."""
    puzzle = load_puzzle(name)
    game, state = puzzle.position.start()
    assert puzzle.solution is not None
    line = puzzle.solution.line
    table = goal_table(puzzle.goal, puzzle.position)
    gone = line[: -LAST[name]]
    for turn in gone:
        for text in turn.split(";"):
            state = game.apply(state, game.parse_step(state, text.strip())).state
    if "within_turns" in table:
        table["within_turns"] -= len(gone)
    return replace(puzzle.position, aim=None, kept=None).with_table(state.table), table


def bases(folder: Path) -> dict[str, Proof]:
    """Return right certificates by a name, of every kind and game, written into a folder."""
    found: dict[str, Proof] = {}
    asked: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in LAST] + list(OTHERS)
    for number, (name, goal) in enumerate(asked):
        bare, own = _left(name)
        position, meant = question_of(goal or own, bare)
        report = solve(position, meant)
        path = folder / f"base{number}"
        title = f"{name} {goal.get('objective', '')}".strip()
        unique = not goal and report.value is not None and number % 3 == 0
        write_certificate(certify(position, meant, report, unique=unique), path)
        found[f"{title} {number}"] = Proof.read(path)
        if meant.objective is not Objective.MAX_DISTANCE and (report.line or meant.within_turns is not None):
            write_large(position, meant, report, path)
            found[f"{title} {number}, database"] = Proof.read(path)
    return found


# Changes: of the claim, of the evidence, and lies that fit together

Change = Callable[[Proof, Rand], None]


def _number(dice: Rand, old: Any) -> Any:
    near = old if isinstance(old, int) else 0
    return dice.choice([0, 1, 2, 3, 40, -1, None, True, "1", 10**6, near + 1, near + 1, near - 1, near - 1])


def _words(proof: Proof, dice: Rand) -> list[str]:
    """Return beginnings of moves, and what looks like one."""
    texts = [text for turn in proof.claim["line"] for text in turn] or ["play move", "go_on", "end"]
    text = dice.choice(texts)
    first = sorted({each.split()[0] for each in texts})
    return dice.choice(
        [[text], first, [text.split()[0]], [" ".join(text.split()[:2])], [text.title()], [f" {text}"], [""],
         ["nothing"], [text.replace(" ", "  ")], [text[:-1]], ["new_day"], ["play move"], ["\x1b[31m"], ["plan"], ["é"]]
    )  # fmt: skip


def target(proof: Proof, dice: Rand) -> None:
    goal = proof.claim["goal"]
    goal["target"] = _number(dice, goal["target"])


def within(proof: Proof, dice: Rand) -> None:
    goal = proof.claim["goal"]
    goal["within_turns"] = _number(
        dice, goal["within_turns"] if goal["within_turns"] is not None else len(proof.claim["line"])
    )


def forbidden(proof: Proof, dice: Rand) -> None:
    goal = proof.claim["goal"]
    goal["forbidden"] = sorted({*goal["forbidden"], *_words(proof, dice)} if dice.random() < 0.8 else ())


def kept(proof: Proof, dice: Rand) -> None:
    names = [text.split()[1] for turn in proof.claim["line"] for text in turn if " " in text]
    proof.claim["goal"]["kept"] = [dice.choice([*names, "move", "AC", "digging", "nothing", "\n"])]


def objective(proof: Proof, dice: Rand) -> None:
    proof.claim["goal"]["objective"] = dice.choice(["min_turns", "reach", "max_distance", "win", "", "AB-S1"])


def challenge(proof: Proof, dice: Rand) -> None:
    goal = proof.claim["goal"]
    name = dice.choice(
        [
            "AB-S1",
            "AB-S2",
            "AB-S3",
            "AB-S4",
            "AB-S5",
            "AB-A1",
            "TR-S1",
            "TR-S2",
            "TR-S3",
            "TR-S4",
            "TR-S5",
            "TR-A1",
            "",
            "x",
        ]
    )
    if "challenge" in goal and dice.random() < 0.3:
        del goal["challenge"], goal["terms"]
    else:
        goal.update(
            challenge=name, terms=dice.choice([{}, {"cards": ["AC"]}, {"also_home": ["AC"]}, {"x": 1}, {"cards": []}])
        )


def options(proof: Proof, dice: Rand) -> None:
    position = proof.claim["position"]
    name = dice.choice(sorted(position["options"]))
    old = position["options"][name]
    position["options"][name] = (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int) else "none"


def table(proof: Proof, dice: Rand) -> None:
    """Change a number somewhere in the state."""
    places: list[tuple[Any, Any]] = []

    def look(value: Any) -> None:
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in inside:
            places.extend([(value, key)] if isinstance(part, int) and not isinstance(part, bool) else [])
            look(part)

    look(proof.claim["position"]["state"])
    where, key = dice.choice(places)
    where[key] = max(0, where[key] + dice.choice([-1, 1, 2]))


def chance(proof: Proof, dice: Rand) -> None:
    opened = proof.claim["position"]["chance"]["open"]
    opened.remove(dice.choice(opened))


def value(proof: Proof, dice: Rand) -> None:
    proof.claim["value"] = _number(dice, proof.claim["value"])


def turns(proof: Proof, dice: Rand) -> None:
    proof.claim["turns"] = _number(dice, proof.claim["turns"])


def status(proof: Proof, dice: Rand) -> None:
    proof.claim["status"] = dice.choice(["optimal", "infeasible", "unique", "feasible", "", "HOLDS\n"])


def line(proof: Proof, dice: Rand) -> None:
    moves = proof.claim["line"]
    if moves and dice.random() < 0.8:
        at = dice.randrange(len(moves))
        text = moves[at][0] if moves[at] else ""
        moves[at] = dice.choice(
            [[], moves[at][:-1], moves[at] * 2, [text.upper()], [f"{text} "], ["new_day"], moves[0]]
        )
    else:
        proof.claim["line"] = dice.choice([[], moves[:-1], moves + moves[-1:], moves[1:]])


def names(proof: Proof, dice: Rand) -> None:
    key = dice.choice(["ruleset", "fingerprint", "form", "format"])
    proof.claim[key] = dice.choice(
        ["iditacards/2017", "abyss/2021", "tables", "hands", "laps", "bounded", "0" * 12, "\x1b[2J", ""]
    )


def ways(proof: Proof, dice: Rand) -> None:
    proof.claim["ways"] = dice.choice(
        [None, [], [1] * len(proof.claim["line"]), [2] * len(proof.claim["line"]), [1], 1]
    )


def seat(proof: Proof, dice: Rand) -> None:
    proof.claim["goal"]["seat"] = dice.choice([1, -1, 2, None])


def unknown(proof: Proof, dice: Rand) -> None:
    place = dice.choice([proof.claim, proof.claim["goal"], *([] if proof.is_database else proof.layers)])
    place["also"] = "true"


def bound(proof: Proof, dice: Rand) -> None:
    proof.claim["bound"] = dice.choice(["", "a better one", "fewest turns of the challenge", "free race"])


def layers(proof: Proof, dice: Rand) -> None:
    """Leave out, add or change evidence."""
    found = proof.layers
    if not found or dice.random() < 0.2:
        found.append(
            {"turn": len(found) + 1, "records": []} if proof.is_database else {"turn": len(found) + 1, "furthest": None}
        )
        return
    layer = dice.choice(found)
    listed = layer.get("records" if proof.is_database else "positions")
    which = dice.randrange(5)
    if which == 0:
        found.remove(layer)
    elif which == 1:
        layer["turn"] += 1
    elif listed and which == 2:
        listed.pop(dice.randrange(len(listed)))
    elif listed is not None and which == 3:
        listed.append(["f" * 16, 1] if proof.is_database else "f" * 16)
    elif proof.is_database and listed:
        listed[0][1] += 1
    elif not proof.is_database:
        layer["furthest"] = _number(dice, layer["furthest"])


def ending(proof: Proof, dice: Rand) -> None:
    which = dice.randrange(3)
    proof.seal = "0" * 64 if which == 0 else None
    proof.twice = which == 1
    proof.behind = '{"seal":""}\n' if which == 2 else ""


def lie(proof: Proof, dice: Rand) -> None:
    """Claim something else, all of whose parts fit together."""
    claim, goal = proof.claim, proof.claim["goal"]
    if dice.random() < 0.6:
        dice.choice([target, forbidden, within, kept, challenge])(proof, dice)
    limit = goal["within_turns"]
    if dice.random() < 0.5 or not claim["line"]:
        none = 0 if goal["objective"] == "reach" else None
        claim.update(status="infeasible", value=none, line=[], turns=limit)
    else:
        taken = claim["line"][: dice.randint(0, len(claim["line"]))]
        number = {"min_turns": len(taken), "reach": 1}.get(goal["objective"], dice.randint(0, 100))
        excluded = {"min_turns": max(0, len(taken) - 1), "reach": 0}.get(goal["objective"], limit)
        claim.update(status="optimal", value=number, line=taken, turns=excluded)
    claim["ways"] = None


CLAIMED: tuple[Change, ...] = (
    target, within, forbidden, kept, objective, challenge, options, table, chance, value, turns, status, line, names,
    ways, seat, unknown,
)  # fmt: skip
EVIDENT: tuple[Change, ...] = (layers, ending)


@dataclass
class Changed:
    """A certificate and what was done to it."""

    base: str
    changes: list[str]
    proof: Proof


def changed(found: dict[str, Proof], seed: int) -> Iterator[Changed]:
    """Yield changed certificates without end, the same each time for a seed."""
    titles = list(found)
    for number in count():
        dice = random.Random(f"{seed} {number}")
        base = titles[number % len(titles)]
        proof = found[base].copy()
        kinds: tuple[Change, ...] = dice.choice(((lie,), CLAIMED, CLAIMED, EVIDENT))
        picked = [dice.choice(kinds) for _ in range(dice.randint(1, 2))]
        if proof.is_database and dice.random() < 0.1:
            picked.append(bound)
        for change in picked:
            change(proof, dice)
        done = [change.__name__ for change in picked]
        if not set(picked) & set(EVIDENT) and dice.random() < 0.75:
            try:
                proof.prove_anew()
                done.append("proved anew")
            except Exception:  # whatever does not let itself be proved stays as it is, and has to be refused
                done.append("not to be proved")
        if proof.claim == found[base].claim and proof.layers == found[base].layers and not set(picked) & {ending}:
            continue
        yield Changed(base, done, proof)
