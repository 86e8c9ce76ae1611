"""Certificates changed by chance: a claim that is told otherwise, evidence that is left out, added, or made to fit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import goal_table, load_puzzle, question_of
from solver.engines.answers import solve
from solver.proofs import write_proof
from tests.solver.checker.forging import Proof

Rand = random.Random


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
    return replace(puzzle.position, aim=None, kept={}).with_table(state.table), table


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
        for kind, quick in ((f"{title} {number}", 5_000), (f"{title} {number}, bound", 0)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("solver.proofs.QUICK", quick)
                write_proof(position, meant, report, path)
            proof = Proof.read(path)
            if quick or proof.claim["bound"]:
                found[kind] = proof
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
    key = dice.choice(["ruleset", "fingerprint", "bound", "format"])
    proof.claim[key] = dice.choice(["iditacards/2017", "abyss/2021", "0" * 12, "\x1b[2J", ""])


def ways(proof: Proof, dice: Rand) -> None:
    proof.claim["ways"] = dice.choice(
        [None, [], [1] * len(proof.claim["line"]), [2] * len(proof.claim["line"]), [1], 1]
    )


def seat(proof: Proof, dice: Rand) -> None:
    proof.claim["goal"]["seat"] = dice.choice([1, -1, 2, None])


def unknown(proof: Proof, dice: Rand) -> None:
    place = dice.choice([proof.claim, proof.claim["goal"], *proof.layers])
    place["also"] = "true"


def bound(proof: Proof, dice: Rand) -> None:
    proof.claim["bound"] = dice.choice(["", "a better one", "fewest turns of the challenge", "one card a turn"])


def layers(proof: Proof, dice: Rand) -> None:
    """Leave out, add or change evidence."""
    found = proof.layers
    if not found or dice.random() < 0.2:
        found.append({"turn": len(found) + 1, "furthest": None})
        return
    layer = dice.choice(found)
    listed = layer.get("positions")
    which = dice.randrange(5)
    if which == 0:
        found.remove(layer)
    elif which == 1:
        layer["turn"] += 1
    elif listed and which == 2:
        listed.pop(dice.randrange(len(listed)))
    elif listed is not None and which == 3:
        listed.append("f" * 16)
    else:
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


CLAIMED: tuple[Change, ...] = (
    target, within, forbidden, kept, objective, challenge, options, table, chance, value, turns, status, line, names,
    ways, seat, unknown, bound,
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
