"""Planted rule changes put before the audit: ``python -m benchmarks.audit_corpus``.

Each file of ``tests/audit_corpus/`` changes a shipped ruleset so that something breaks (``planted``), names the codes
that an audit has to say, and has a twin that lacks the closing piece (``twin``, laid over the planted change), on which
the same codes and ``LOOP`` must be silent; of ``DOMINATED`` the same pair, as a good new card outdoes others. A finding
counts from the level that the file states (warning when left out), and only if the shipped ruleset does not have it
too: what is published is judged by itself, with ``--published``. Prints recall and false alarms for each code.

Each finder has so many seconds of processor time (``SECONDS``), so that a busy machine finds the same; it stops early
on a planted change as soon as it has said what it should, and never on a twin.

A name or a part of one as argument keeps to the cases that fit; ``--code CODE`` to those that expect a code. With
``--keep FILE`` each outcome is written there as a line of JSON, and a case that stands there with the same rules and
times is not run again, so that a run that was cut off goes on where it was; delete the file when the finders change.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules.core.errors import BestlineError
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit.blame import blamed
from solver.audit.finding import Finding, Level, Notebook
from solver.audit.run import FINDERS
from solver.search.budget import Budget

FOLDER: Final = Path(__file__).parents[1] / "tests" / "audit_corpus"
NEVER: Final = ("LOOP",)
"""Codes that no twin may have, whatever its case is about."""
SECONDS: Final = 8.0
"""Seconds of processor time for each finder that a case is about, on each ruleset,"""
NEVER_S: Final = 3.0
"""and for each of those that no twin may alarm."""
CARDS: Final = ("DEAD", "MUST", "SPAM", "DOMINATED")
"""Codes that one search of restricted play decides, the dearest of an audit,"""
CARDS_S: Final = 30.0
"""and the seconds for it: less than an audit of three minutes gives to it."""
SAMPLED: Final = ("GAP", "STALL", "SEAT")
"""Codes that are looked for without a base: what the shipped ruleset has too counts neither way."""
PUBLISHED: Final = ("iditacards/2017", "iditacards/2019-02", "iditacards/2019-08", "trench_rescue/2012", "abyss/2021")


@dataclass(frozen=True, slots=True)
class Case:
    """One planted change and its twin."""

    name: str
    about: str
    """What is planted, in a sentence."""
    extends: str
    codes: tuple[str, ...]
    """What an audit has to say of the planted change."""
    words: str
    """A part of the subject or claim that a right finding has; empty where any will do."""
    level: Level
    """From where on a finding counts."""
    planted: Mapping[str, Any]
    twin: Mapping[str, Any]
    """Laid over the planted change."""

    def rulesets(self) -> tuple[Ruleset, Ruleset, Ruleset]:
        """Return the shipped ruleset, the planted one and the twin.

        Raises:
            ContentError: every fault of one of them.
        """
        base = load_ruleset(self.extends)
        planted = extended(base, self.planted)
        return base, planted, extended(planted, self.twin)


@dataclass(slots=True)
class Score:
    """How the audit did on one case."""

    case: Case
    found: dict[str, Finding] = field(default_factory=dict)
    """By expected code, the finding that says it."""
    besides: list[Finding] = field(default_factory=list)
    """What else it says of the planted change."""
    alarms: list[Finding] = field(default_factory=list)
    """What it says of the twin and should not."""
    time_s: float = 0.0

    @property
    def missed(self) -> list[str]:
        """Return the expected codes that nothing said."""
        return [code for code in self.case.codes if code not in self.found]


def cases(folder: Path = FOLDER) -> Iterator[Case]:
    """Yield every case of the corpus by name."""
    for path in sorted(folder.glob("**/*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        yield Case(
            name=path.relative_to(folder).with_suffix("").as_posix(),
            about=data["about"],
            extends=data["extends"],
            codes=tuple(data["codes"]),
            words=data.get("words", ""),
            level=Level(data.get("level", "warning")),
            planted=data["planted"],
            twin=data["twin"],
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is kept of a score."""

    name: str
    rules: tuple[str, ...]
    """Fingerprints of the three rulesets, and the seconds and the seed."""
    codes: tuple[str, ...]
    missed: tuple[str, ...]
    instead: tuple[str, ...]
    """What the audit says of the planted change and was not asked for."""
    alarms: tuple[tuple[str, str], ...]
    """Code and words of what it says of the twin and should not."""
    time_s: float


class Said(Exception):
    """A finder has said what it should."""


def findings(
    ruleset: Ruleset,
    base: Ruleset | None,
    codes: Mapping[str, float | None],
    seed: int,
    enough: Callable[[Finding], bool] = lambda _: False,
) -> list[Finding]:
    """Return what finders say of a ruleset in so many seconds each, measured by a base, until they have said enough."""
    notebook = Notebook(ruleset, Budget(clock=time.process_time), seed, base)

    def heard(finding: Finding) -> None:
        if enough(finding):
            raise Said

    notebook.tell_found = heard
    for code in FINDERS:
        if code in codes:
            notebook.budget = Budget(codes[code], clock=time.process_time).start()
            with suppress(Said):
                FINDERS[code](notebook)
    return notebook.findings


@cache
def had_before(base: Ruleset, code: str, time_s: float | None, seed: int) -> frozenset[tuple[str, Level]]:
    """Return the ids and levels of what a finder says of a shipped ruleset."""
    return frozenset((each.id, each.level) for each in findings(base, None, {code: time_s}, seed))


def seconds_of(code: str, time_s: float | None) -> float | None:
    """Return the seconds for one finder."""
    return CARDS_S if time_s == SECONDS and code in CARDS else time_s


def scored(case: Case, time_s: float | None = SECONDS, seed: int = 0) -> Score:
    """Return how the audit does on a case."""
    score, begun = Score(case), time.process_time()
    base, planted, twin = case.rulesets()
    times = {code: seconds_of(code, time_s) for code in case.codes}

    old = {each for code in case.codes if code in SAMPLED for each in had_before(base, code, time_s, seed)}

    def fits(finding: Finding) -> bool:
        if (finding.id, finding.level) in old or finding.data.get("inherited"):
            return False
        named = case.words in finding.subject or case.words in finding.claim
        return finding.code in case.codes and finding.level.reaches(case.level) and named

    for finding in findings(planted, base, times, seed, fits):
        if fits(finding):
            blame = blamed(finding, planted, base, Budget(time_s, clock=time.process_time).start())
            score.found.setdefault(finding.code, blame)
        else:
            score.besides.append(finding)
    for finding in findings(twin, base, {**dict.fromkeys(NEVER, NEVER_S), **times}, seed):
        is_old = (finding.id, finding.level) in old or finding.data.get("inherited")
        other = finding.code == "DOMINATED" and case.words not in finding.subject
        judged = finding.code in {*case.codes, *NEVER} and not other
        if not is_old and judged and finding.level.reaches(case.level):
            score.alarms.append(finding)
    score.time_s = time.process_time() - begun
    return score


def chosen(names: Sequence[str], code: str) -> list[Case]:
    """Return the cases whose name has one of some parts (all where there are none) and that expect a code."""
    fitting = (each for each in cases() if not names or any(part in each.name for part in names))
    return [each for each in fitting if not code or code in each.codes]


def outcome(score: Score, rules: Sequence[str] = ()) -> Outcome:
    """Return what is kept of a score."""
    return Outcome(
        score.case.name,
        tuple(rules),
        score.case.codes,
        tuple(score.missed),
        tuple(f"{each.level} {each.code}: {each.claim}" for each in score.besides),
        tuple((each.code, f"{each.level} {each.code}: {each.claim}") for each in score.alarms),
        round(score.time_s, 1),
    )


def kept(path: Path | None) -> dict[tuple[str, tuple[str, ...]], Outcome]:
    """Return the outcomes that a file holds, by case and rules."""
    lines = path.read_text("utf-8").splitlines() if path is not None and path.exists() else []
    found: dict[tuple[str, tuple[str, ...]], Outcome] = {}
    for line in lines:
        data = json.loads(line)
        each = Outcome(
            name=data["name"],
            rules=tuple(data["rules"]),
            codes=tuple(data["codes"]),
            missed=tuple(data["missed"]),
            instead=tuple(data["instead"]),
            alarms=tuple((code, words) for code, words in data["alarms"]),
            time_s=data["time_s"],
        )
        found[each.name, each.rules] = each
    return found


def run(case: Case, time_s: float, seed: int, known: Mapping[tuple[str, tuple[str, ...]], Outcome]) -> Outcome:
    """Return the outcome of a case, from what is known where that holds for it."""
    rules = (*(each.fingerprint for each in case.rulesets()), f"{time_s:g} s", f"seed {seed}", *case.codes, case.level)
    return known.get((case.name, rules)) or outcome(scored(case, time_s, seed), rules)


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Return recall and false alarms for each code, in lines."""
    expected = Counter(code for each in outcomes for code in each.codes)
    missed = Counter(code for each in outcomes for code in each.missed)
    alarms = Counter(code for each in outcomes for code, _ in each.alarms)
    twins = Counter(code for each in outcomes for code in {*each.codes, *NEVER})
    lines = [f"{'code':<10} {'planted':>7} {'found':>6} {'recall':>7}   {'twins':>5} {'alarms':>6}"]
    for code in sorted({*expected, *alarms, *(NEVER if outcomes else ())}):
        found = expected[code] - missed[code]
        recall = f"{found / expected[code]:.0%}" if expected[code] else "-"
        lines.append(f"{code:<10} {expected[code]:>7} {found:>6} {recall:>7}   {twins[code]:>5} {alarms[code]:>6}")
    total, found = sum(expected.values()), sum(expected.values()) - sum(missed.values())
    recall = f"{found / total:.0%}" if total else "-"
    lines.append(f"{'all':<10} {total:>7} {found:>6} {recall:>7}   {len(outcomes):>5} {sum(alarms.values()):>6}")
    return lines


def _told(each: Outcome, about: str) -> Iterator[str]:
    bad = bool(each.missed or each.alarms)
    yield f"{'BAD' if bad else 'ok':<4} {each.name:<44} {' '.join(each.codes):<14} {each.time_s:6.1f} s"
    for code in each.missed:
        yield f"     missed {code}: {about}"
        yield from (f"     instead {words}" for words in each.instead)
    for _, words in each.alarms:
        yield f"     twin has {words}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each case, then recall and false alarms; return 1 where something was missed or falsely alarmed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names of cases")
    parser.add_argument("--code", default="", help="only the cases that expect this code")
    parser.add_argument("--time", type=float, default=SECONDS, help="seconds for each finder on each ruleset at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep outcomes there, and go on from there")
    parser.add_argument("--published", action="store_true", help="audit the published editions instead")
    given = parser.parse_args(arguments)
    if given.published:
        for name in PUBLISHED:
            for finding in findings(load_ruleset(name), None, dict.fromkeys(FINDERS, given.time), given.seed):
                print(f"{name:<20} {finding.level:<8} {finding.code:<10} {finding.claim}", flush=True)
        return 0
    known = kept(given.keep)
    outcomes: list[Outcome] = []
    for case in chosen(given.names, given.code):
        try:
            each = run(case, given.time, given.seed, known)
        except BestlineError as fault:
            print(f"{case.name}: {fault}", file=sys.stderr)
            return 2
        outcomes.append(each)
        if given.keep is not None and (each.name, each.rules) not in known:
            with given.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(each)) + "\n")
        print("\n".join(_told(each, case.about)), flush=True)
    print()
    print("\n".join(table(outcomes)))
    return int(any(each.missed or each.alarms for each in outcomes))


if __name__ == "__main__":
    sys.exit(main())
