"""Certificates as plain values, to be changed and sealed again; the one place in the tests that knows their lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzles.puzzle import Goal
from rules.core.files import canonical_json
from rules.core.position import Position, load_position
from solver.checker.certificate import Certificate, Checked, check, layer_lines, opened, read_claim
from solver.checker.layers import Allowance, Evidence, Reached
from solver.proofs import write_proof
from solver.question import Answer

Forge = Callable[["Proof"], object]


@dataclass
class Proof:
    """A certificate as plain values."""

    claim: dict[str, Any]
    layers: list[dict[str, Any]]
    seal: str | None = None
    """Another seal than the right one."""
    twice: bool = False
    """The claim says its status twice."""
    behind: str = ""
    """What stands behind the end."""

    @classmethod
    def read(cls, path: Path) -> Proof:
        """Take a certificate apart."""
        claim, *layers, _ = map(json.loads, path.read_bytes().splitlines())
        return cls(claim, layers)

    def write(self, path: Path) -> Path:
        """Write it, sealed so that it fits."""
        text = canonical_json(self.claim)
        if self.twice:
            text = text.replace('"status":', '"status":"optimal","status":', 1)
        lines = "".join(f"{line}\n" for line in (text, *map(canonical_json, self.layers)))
        seal = self.seal or sha256(lines.encode()).hexdigest()
        path.write_text(lines + canonical_json({"seal": seal}) + "\n" + self.behind)
        return path

    def copy(self) -> Proof:
        """Return one that may be changed."""
        return replace(self, claim=json.loads(json.dumps(self.claim)), layers=json.loads(json.dumps(self.layers)))

    def prove_anew(self) -> None:
        """Make the evidence what the rules lead to under the goal as it is now, be it one that a claim may have."""
        goal = self.claim["goal"]
        position = load_position(canonical_json(self.claim["position"]))
        self.claim["fingerprint"], self.claim["position"] = position.fingerprint, position.canonical()
        if "challenge" in goal:
            position = position.towards(goal["challenge"], goal["seat"], goal["terms"])
        game: Any = position.keeping(goal.get("kept", ())).game
        stated = read_claim(self.claim)
        turns = None if stated.turns is None else min(stated.turns, 20)
        self.layers = []
        try:
            start, cuts = position.start()[1], bool(stated.bound)
            for layer in Evidence(game, start, stated.goal, Allowance(4_000), stated.value, cuts=cuts).layers(turns):
                self.layers += layer_lines(layer)
        except Reached as reached:  # as a liar would: with the layers that are not reached left empty
            left = range(reached.turn, turns or reached.turn)
            self.layers += [{"turn": turn, "furthest": None, "positions": []} for turn in left]
            self.layers.append({"turn": turns, "furthest": None})


def proved(position: Position, goal: Goal, report: Answer[int], path: Path) -> Proof:
    """Return the certificate of an answer, which is also left in a file."""
    write_proof(position, goal, report, path)
    return Proof.read(path)


def checked_file(path: Path, time_s: float | None = None) -> Checked:
    """Return what the certificate in a file proves.

    Raises:
        BestlineError: it is refused.
    """
    with opened(path) as proof:
        assert isinstance(proof, Certificate)
        return check(proof, time_s)


def checked_again(proof: Proof, path: Path) -> Checked:
    """Return what a certificate proves that has been sealed anew.

    Raises:
        BestlineError: it is refused.
    """
    return checked_file(proof.write(path))
