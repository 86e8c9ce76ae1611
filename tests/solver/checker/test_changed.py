"""No certificate proves what is false, and what is proved is said with everything that limits it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from solver.checker.check import Rejected
from tests.solver.checker.changed import bases, changed
from tests.solver.checker.forging import Proof, checked_file
from tests.solver.checker.holding import faults, held, sentence

SEED = 7
SOME = 260
"""Changes of every test run; ``benchmarks.soak_certificates`` makes more."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Proof]:
    return bases(tmp_path_factory.mktemp("bases"))


def test_right_certificates_hold_and_say_their_limits(written: dict[str, Proof], tmp_path: Path) -> None:
    assert {(proof.claim["position"]["game"], bool(proof.claim["bound"])) for proof in written.values()} == {
        (game, kind) for game in ("abyss", "iditacards", "trench_rescue") for kind in (True, False)
    }
    for name, proof in written.items():
        checked = held(proof.write(tmp_path / "right.proof"))
        assert checked is not None, name
        assert faults(proof.claim, checked) == ([], True), name


@pytest.mark.slow
def test_nothing_false_and_nothing_unsaid_holds(written: dict[str, Proof], tmp_path: Path) -> None:
    wrong, holding = [], 0
    for each in islice(changed(written, SEED), SOME):
        checked = held(each.proof.write(tmp_path / "changed.proof"))
        if checked is not None:
            holding += 1
            found, _ = faults(each.proof.claim, checked)
            wrong += [f"{each.base}: {', '.join(each.changes)}: {fault}" for fault in found]
    assert not wrong
    assert holding, "changes that stay true have to hold"


Lie = Callable[[dict[str, Any], dict[str, Any]], None]


def nothing_allowed(claim: dict[str, Any], goal: dict[str, Any]) -> None:
    """Forbid all first words, and call the goal impossible, at once where other words might go on for ever."""
    if "challenge" not in goal:
        goal["within_turns"] = 1
    goal["forbidden"] = sorted({text.split()[0] for turn in claim["line"] for text in turn})
    claim.update(status="infeasible", value=None, line=[], turns=goal["within_turns"])


def less(claim: dict[str, Any], goal: dict[str, Any]) -> None:
    """Lower the target to what the start has already."""
    goal["target"] = 0
    claim.update(value=0, line=[], turns=0)


def more(claim: dict[str, Any], goal: dict[str, Any]) -> None:
    """Raise the target out of reach."""
    goal.update(target=goal["target"] + 1, within_turns=1)
    claim.update(status="infeasible", value=None, line=[], turns=1)


def another_end(claim: dict[str, Any], goal: dict[str, Any]) -> None:
    """Call the challenge one that only asks whether it is reached."""
    goal.update(objective="reach", within_turns=len(claim["line"]))
    claim.update(value=1, turns=0)


def to_win(claim: dict[str, Any], goal: dict[str, Any]) -> None:
    """Ask for a game that is won against others."""
    goal.update(objective="win", within_turns=len(claim["line"]))


LIES: dict[str, tuple[Lie, str]] = {
    "the target is 0": (less, "with target"),
    "the target is higher": (more, "with target"),
    "the target is a little lower": (lambda _, goal: goal.update(target=goal["target"] - 1), "with target"),
    "another objective": (another_end, "with target"),
    "a game to be won": (to_win, "has no certificate"),
    "terms of another challenge": (lambda _, goal: goal.update(terms={"cards": ["AC"]}), "unknown key"),
    "a challenge against others": (
        lambda _, goal: goal.update(challenge="AB-A1"),
        "one player|2 players|an objective",
    ),
    "an adversary's challenge": (
        lambda _, goal: goal.update(challenge="AB-S5"),
        "one player|2 players|an objective",
    ),
    "a ban that bans nothing": (lambda _, goal: goal.update(forbidden=["go  on"]), "no move begins so"),
}


@pytest.mark.parametrize("kind", ["", ", bound"])
@pytest.mark.parametrize("name", ["torchlight 11", "lone-ace 8"])
@pytest.mark.parametrize("what", LIES)
def test_a_lie_about_a_challenge_is_named(
    what: str, name: str, kind: str, written: dict[str, Proof], tmp_path: Path
) -> None:
    proof = written[f"{name}{kind}"].copy()
    change, why = LIES[what]
    change(proof.claim, proof.claim["goal"])
    if proof.claim["turns"] is not None:
        proof.layers = proof.layers[: proof.claim["turns"]]
    with pytest.raises(Rejected, match=why):
        checked_file(proof.write(tmp_path / "lie.proof"))


def test_turns_that_end_in_the_middle_of_a_round_are_refused(written: dict[str, Proof], tmp_path: Path) -> None:
    proof = written["torchlight 11"].copy()
    proof.claim["goal"]["within_turns"] = len(proof.claim["line"]) + 1
    with pytest.raises(Rejected, match=r"within 8 turns, the goal for .* within 7 turns"):
        checked_file(proof.write(tmp_path / "middle.proof"))


@pytest.mark.parametrize("name", ["torchlight 11", "lone-ace 8", "sprint-10 0"])
def test_what_is_impossible_by_bans_is_said_with_them(name: str, written: dict[str, Proof], tmp_path: Path) -> None:
    proof = written[name].copy()
    nothing_allowed(proof.claim, proof.claim["goal"])
    proof.prove_anew()
    said = sentence(checked_file(proof.write(tmp_path / "banned.proof")))
    assert "cannot be reached" in said
    assert "without" in said
    assert all(words in said for words in proof.claim["goal"]["forbidden"])


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("sprint-10 0", {"behind": "{}\n"}),
        ("sprint-10 0", {"twice": True}),
        ("torchlight 11, bound", {"twice": True}),
        ("sprint-10 0", {"seal": "0" * 64}),
    ],
)
def test_evidence_that_nobody_reads_is_refused(
    name: str, ending: dict[str, Any], written: dict[str, Proof], tmp_path: Path
) -> None:
    proof = written[name].copy()
    for field, value in ending.items():
        setattr(proof, field, value)
    assert held(proof.write(tmp_path / "more.proof")) is None
