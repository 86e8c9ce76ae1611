"""The designer's own targets, the ``[[assert]]`` tables of a ruleset: passed, failed, or not enough evidence.

- ``shortest_win``: turns of the fastest win from the open deals of the audit. Failed by a line, passed by exclusion.
- ``puzzle:<id>``: the best value of a puzzle of the library under this ruleset, by exact search or between its bounds.
- ``mean_turns``: rounds of a whole game, or own turns where it counts none, alone where that can be; sampled.
- ``card_use:<id>``: share of those games, in per cent, in which somebody plays the card and can pay for it; sampled.
- ``seat_advantage``: by how many per cent the first seat's share of decisive games of two is off one half; sampled.

A sampled target is passed or failed only where its whole 95 % interval lies inside or outside the limits. It is seeded
play by a rule of thumb that is measured (``play.py``), not the best play.

Any other metric is told as one that is not measured, never passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Objective, forbids, library
from rules.core.errors import Fault, nearest
from rules.core.registry import Ruleset
from rules.core.tools.lint import doubtful_entries, doubtful_names, doubtful_options, new_doubts
from solver.audit.finding import UNKNOWN, Judged, Level, Notebook, Searched, Shown, Witness
from solver.audit.play import Recorded, mean, mover, opening, played, share, texts
from solver.audit.rush import fastest_win, games_of
from solver.audit.seat import first_seat, two_players
from solver.audit.suite import BASE, FREE, AuditQuestion, asked_as_json, library_suite, solved

PUZZLE: Final = "puzzle:"
SHORTEST: Final = "shortest_win"
TURNS: Final = "mean_turns"
SEATS: Final = "seat_advantage"
USE: Final = "card_use:"
METRICS: Final = (SHORTEST, f"{PUZZLE}<id>", TURNS, f"{USE}<id>", SEATS)
"""Everything that can be a target."""
GAMES: Final = 60
"""Games of a sample."""
LEAST: Final = 10
"""Games under which a sample says nothing."""
SEARCH_S: Final = 10.0
"""Seconds of counted work on a puzzle at most."""


class Measured(NamedTuple):
    """What is known of one number."""

    least: float = float("-inf")
    """It is not below this."""
    most: float = float("inf")
    """It is not above this."""
    witness: Witness | None = None
    """A line that shows ``most``."""
    remark: str = ""
    """Why nothing is known, where that is so."""
    sample: str = ""
    """What the bounds rest on where they are sampled."""


def judge_targets(notebook: Notebook) -> None:
    """Judge every target of the ruleset, and write down a finding for each that is failed."""
    targets = notebook.ruleset.raw.get("assert", ())
    vain: list[str] = []
    undecided = 0
    for place, target in enumerate(targets):
        if not notebook.wants(f"target {target['metric']}"):
            continue
        measured = _measure(notebook, str(target["metric"]))
        verdict = _verdict(target, measured)
        undecided += verdict == UNKNOWN
        vain += [f"nothing judges {target['metric']}"] if measured.remark else []
        words = _words(target, measured)
        notebook.judged.append(Judged(target["metric"], verdict, words))
        if verdict == "fail":
            notebook.add(
                "ASSERT",
                f"target {target['metric']}",
                Level.ERROR,
                f"the target {target['metric']} is not met: wanted {words}",
                notebook.ruleset.place(("assert", place)),
                witness=measured.witness,
                data={"min": target.get("min"), "max": target.get("max"), "witnessed": measured.witness is not None},
            )
    what = f"{len(targets)} targets of the ruleset, {undecided} of them not decided" if targets else "no target is set"
    over = bool(undecided) and notebook.budget.is_over
    lack = "" if over else ", ".join(vain)
    notebook.searched.append(Searched("ASSERT", what, complete=not (over or vain), lack=lack))


def doubtful_targets(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield what is odd about the targets of a ruleset, although an audit would go on: it could not judge them."""
    kinds = [metric.removesuffix("<id>") for metric in METRICS]
    for place, target in enumerate(ruleset.raw.get("assert", ())):
        metric, where = str(target["metric"]), ruleset.place(("assert", place))
        kind, _, name = metric.partition(":")
        kind += ":" * (kind != metric)
        if kind not in kinds:
            hint = nearest(kind, kinds) or f"; there are {', '.join(METRICS)}"
            yield replace(where, message=f"nothing measures '{metric}'{hint}")
        if kind == PUZZLE and name not in library():
            yield replace(where, message=f"there is no puzzle '{name}' in the library{nearest(name, library())}")
        if kind == USE and name not in (names := _names(ruleset)):
            yield replace(where, message=f"this ruleset has no '{name}'{nearest(name, names)}")
        if target.get("min", float("-inf")) > target.get("max", float("inf")):
            yield replace(where, message="min is above max, so nothing can pass")
        if target.keys() == {"metric"}:
            yield replace(where, message="sets neither min nor max, so nothing can fail")


def _names(ruleset: Ruleset) -> set[str]:
    return {name for table in ruleset.definition.collections for name in ruleset.raw.get(table, {})}


def _measure(notebook: Notebook, metric: str) -> Measured:
    ruleset = notebook.ruleset
    if metric == SHORTEST:
        if notebook.fastest is None:
            notebook.fastest = fastest_win(ruleset, None, notebook.budget, notebook.seed)
        found = notebook.fastest
        return Measured(found.bound, float("inf") if found.value is None else found.value, found.witness)
    if metric.startswith(PUZZLE):
        return _puzzle(notebook, metric.removeprefix(PUZZLE))
    if metric == SEATS:
        if not two_players(ruleset):
            return Measured(remark="this ruleset is not for two players")
        first = first_seat(notebook, ruleset)
        low, high = 100 * (first.low - 0.5), 100 * (first.high - 0.5)
        least = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        return _sampled(notebook, first.n, least, max(abs(low), abs(high)), "games with one winner")
    if metric == TURNS:
        games = games_of(notebook, ruleset, notebook.budget)
        known = mean(games.lengths)
        # A game that was given up would have gone on, so that its length is too small.
        return _sampled(notebook, known.n, known.low, known.high if len(games.over) == known.n else float("inf"))
    if metric.startswith(USE):
        card = metric.removeprefix(USE)
        if card not in (names := _names(ruleset)):
            return Measured(remark=f"this ruleset has no '{card}'{nearest(card, names)}")
        bans = ruleset.definition.bans(ruleset).get(card, frozenset())
        deals = (opening(ruleset, notebook.seed, number) for number in range(GAMES))
        uses = [_plays(played(deal, n), card, bans) for n, deal in enumerate(deals) if not notebook.budget.is_over]
        used = share(sum(uses), len(uses))
        return _sampled(notebook, used.n, 100 * used.low, 100 * used.high)
    return Measured(remark=f"nothing measures this; there are {', '.join(METRICS)}")


def _puzzle(notebook: Notebook, name: str) -> Measured:
    fitting = {each.id: each for each in library_suite(notebook.ruleset)}
    if name not in fitting:
        return Measured(remark=f"no puzzle '{name}' fits this ruleset{nearest(name, fitting)}")
    answer = solved(fitting[name], notebook.budget.counted(SEARCH_S))
    if answer.impossible:
        return Measured(remark="it cannot be solved under this ruleset")
    if answer.value is None and answer.bound is None:
        return Measured(remark="the time was too short for a line or a bound")
    fewest = answer.goal.objective is Objective.MIN_TURNS
    least, most = (answer.bound, answer.value) if fewest else (answer.value, answer.bound)
    bounds: dict[str, Any] = {"least": least, "most": most}
    return Measured(witness=answer.line, **{key: value for key, value in bounds.items() if value is not None})


def _sampled(
    notebook: Notebook, n: int, least: float, most: float, games: str = "games were played in the time"
) -> Measured:
    """Return what so many games say, or that they are too few."""
    if n < LEAST:
        return Measured(remark=f"only {n} {games}")
    return Measured(least, most, sample=f"95 % interval, n = {n}, seed {notebook.seed}")


def _plays(game: Recorded, card: str, bans: frozenset[str]) -> bool:
    """Return whether somebody plays a card in a game, and can pay for it."""
    race = game.position.game
    for table, end in zip(game.tables, game.ends, strict=False):
        if any(forbids(bans, text) for text in texts(end)):
            seat = mover(race, table)
            model = race.hand_model(table, seat)
            if model is None or card not in race.hand(table, seat) or card in model.affordable(table):
                return True
    return False


def _verdict(target: Mapping[str, Any], measured: Measured) -> str:
    """Return ``fail`` or ``pass`` where the bounds decide, else ``unknown``."""
    low, high = target.get("min"), target.get("max")
    if (low is not None and measured.most < low) or (high is not None and measured.least > high):
        return "fail"
    held = (low is None or measured.least >= low) and (high is None or measured.most <= high)
    return "pass" if held and not measured.remark else UNKNOWN


def _words(target: Mapping[str, Any], measured: Measured) -> str:
    limits = [f"at {word} {target[key]}" for key, word in (("min", "least"), ("max", "most")) if key in target]
    wanted = " and ".join(limits) or "no limit is set"
    if measured.remark:
        return f"{wanted}: {measured.remark}"
    least = f"{measured.least:.4g}" if measured.least > float("-inf") else UNKNOWN
    most = f"{measured.most:.4g}" if measured.most < float("inf") else UNKNOWN
    told = f"{wanted}: {least}" if least == most else f"{wanted}: at least {least}, at most {most}"
    return f"{told} ({measured.sample})" if measured.sample else told


# PAR: puzzles of the library whose best value is another one under the ruleset


PAR_S: Final = (0.5, 4.0, 16.0)
"""Seconds of counted work on a question at most: first on each, then again on those that are not settled by then."""


def find_par(notebook: Notebook) -> None:
    """Write down every puzzle whose value is proved to have changed."""
    ruleset, budget = notebook.ruleset, notebook.budget
    # Small positions are soon settled, so that the first finding does not wait for the others.
    base = notebook.other
    # What a base says of a puzzle that is not its own has to be asked first.
    there = () if base is None else (each for each in library_suite(base) if each.fingerprint != base.fingerprint)
    before = {each.id: each for each in there}
    suite = library_suite(ruleset) if base is not None or notebook.base is None else ()  # else all is as it was
    fitting = [each for each in suite if each.fingerprint != ruleset.fingerprint or each.id in before]
    known = [each for each in fitting if (each.impossible or each.stated is not None) and notebook.wants(each.id)]
    known.sort(key=lambda each: (len(each.position.code), each.id))
    left = known
    for seconds in PAR_S:
        still: list[AuditQuestion] = []
        for each in left:
            asked = None if budget.is_over else _beside_base(notebook, each, before.get(each.id), seconds)
            answer = None if asked is None or budget.is_over else solved(asked, budget.counted(seconds))
            if asked is None or answer is None or not (_changed(notebook, asked, answer) or answer.proved):
                still.append(each)
        left = still
    done = len(known) - len(left)
    told = f"{done} of {len(known)} puzzles of the library that fit settled, {PAR_S[-1]:.0f} s each at most"
    if not known:
        told = "no puzzle of the library is of an edition or variant that this ruleset changes"
    notebook.searched.append(Searched("PAR", told, not budget.is_over and not (notebook.about and left)))


def _beside_base(
    notebook: Notebook, asked: AuditQuestion, before: AuditQuestion | None, seconds: float
) -> AuditQuestion | None:
    """Return a question with its value ``before``, under a base that is not its own; nothing where that is open."""
    if before is None:
        return asked
    key = before.position.ruleset.fingerprint, f"{PUZZLE}{asked.id}"
    answer = notebook.restricted.get(key) or solved(before, notebook.budget.counted(seconds))
    if not answer.proved:
        return None
    notebook.restricted[key] = answer
    return asked._replace(stated=answer.value, impossible=answer.impossible, old=answer.line)


def _changed(notebook: Notebook, asked: AuditQuestion, answer: Shown) -> bool:
    """Write down, and return, whether the value is proved to be another one.

    A better line alone is enough for that, and so is a bound that excludes what was best.
    """
    most = asked.goal.objective is not Objective.MIN_TURNS
    stated, value = asked.stated, answer.value
    better = value is not None and (stated is None or (value > stated if most else value < stated))
    bound = stated if answer.bound is None else answer.bound
    worse = stated is not None and bound is not None and (bound < stated if most else bound > stated)
    if not better and not (worse and not answer.proved) and (not answer.proved or value == stated):
        return False
    shown = value if better or answer.proved else answer.bound
    line = answer.line if better or answer.proved else None
    was, now = ("impossible" if each is None else str(each) for each in (stated, shown))
    sure = ("" if answer.proved else " or better" if better else " or worse") + (": easier" if better else ": harder")
    meant = any(each["metric"] == f"{PUZZLE}{asked.id}" for each in notebook.ruleset.raw.get("assert", ()))
    remark = "; the ruleset sets a target for it, so that the change is meant" if meant else ""
    notebook.add(
        "PAR",
        asked.id,
        Level.NOTE if meant else Level.WARNING,
        f"the best value of the puzzle '{asked.id}' was {was} and is {now}{sure}{remark}",
        witness=line,
        shown=() if line is not None else _excluded(asked, answer),
        measure=None if shown is None or stated is None else abs(shown - stated),
        data={
            "was": stated,
            "is": shown,
            "proved": answer.proved,
            "excluded": worse,
            "goal": asked_as_json(asked.goal),
        },
    )
    return True


def _excluded(asked: AuditQuestion, answer: Shown) -> tuple[Shown, ...]:
    """Return the line that was best, and what is left where as good a line is excluded: no line can show that."""
    if asked.old is None:
        return ()
    return Shown(asked.id, f"{BASE}{FREE}", asked.old, asked.goal, asked.stated, asked.stated), answer


# The lint: what a ruleset says in vain, seen without any play


def lint(ruleset: Ruleset) -> list[Fault]:
    """Return everything doubtful about a ruleset, each with its place, without what its edition says in vain."""
    doubts = dict.fromkeys((each.key, each.message) for each in new_doubts(ruleset))  # several cards may hang on one
    own = (ruleset.place(key, message) for key, message in doubts)
    told = doubtful_names(ruleset), doubtful_targets(ruleset), doubtful_entries(ruleset), doubtful_options(ruleset)
    return [*own, *chain(*told)]
