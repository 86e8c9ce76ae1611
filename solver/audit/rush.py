"""``RUSH``: wins sooner than under the base: how often in whole games, and how soon at the soonest by exact search.

Whole games by a rule of thumb from the same deals say how many are won in the first round, and how many by when hardly
any is under the base. A figure counts where its interval lies above that of the base by more than a margin. Search adds
what is proved: a line is an upper bound with a witness, what the search has excluded a lower one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from puzzles.puzzle import Goal, Objective
from rules.core.challenge import Measure, Opponent
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.scripts import mix
from solver.audit.finding import Confidence, Fastest, Level, Notebook, Searched, Witness
from solver.audit.play import LOOKED_AT, Estimate, Sample, clock_of, guided, opening, play, race_of, reaching, sampled
from solver.engines.answers import solve
from solver.question import Answer
from solver.screens.common import count, percent
from solver.search.budget import Budget

SEARCH_S: Final = 2.0
"""Seconds of counted work on the deal."""
GUIDED: Final = 2
"""Guided games on the deal."""
LONGEST: Final = 150
"""Turns after which a guided game is given up."""
SOON: Final = 0.05
"""Share of the games of the base that are won by the time for which both are compared."""
GRAVE: Final = 0.25
"""Share of games from which wins so soon are an error."""
TIMES: Final = 3
"""How many times as many as under the base these wins must be."""


def find_rush(notebook: Notebook) -> None:
    """Write down wins that come more often so soon than under the base, and one that the base is proved not to have."""
    ruleset, comparing, budget = notebook.ruleset, notebook.other, notebook.budget
    own = games_of(notebook, ruleset, budget.share(0.4))
    before = None if comparing is None else games_of(notebook, comparing, budget.share(0.5))
    told = _sample_words(own, before)
    first = opening(ruleset, notebook.seed)
    limit = race_of(first).most_turns(first.table())
    if before is not None:
        for length in dict.fromkeys((1, _soon(before))):
            if limit is not None and length >= limit:
                break  # by then the rules end every game
            if _sooner(notebook, own, before, length):
                break
    notebook.searched.append(Searched("RUSH", told, own.complete and (before is None or before.complete)))
    if not notebook.wants("shortest_win"):
        return
    target = race_of(first).default_target()
    fastest = notebook.fastest = fastest_win(ruleset, None, budget.share(0.5) if comparing else budget, notebook.seed)
    most = None
    if comparing is not None:
        most = fastest_win(comparing, target, budget, notebook.seed)
        _faster(notebook, fastest, most, target)
    against = f"; {_words(most)} under {comparing.id}" if most is not None and comparing is not None else ""
    what = f"wins from an open deal, {GUIDED} guided games and {SEARCH_S:.0f} s of search: {_words(fastest)}{against}"
    complete = fastest.complete and (most is None or most.complete)
    notebook.searched.append(Searched("RUSH", what, complete))


def games_of(notebook: Notebook, ruleset: Ruleset, budget: Budget) -> Sample:
    """Return whole games of as few players as can be; played once for an audit."""
    known = notebook.samples.get(ruleset.fingerprint)
    if known is None:
        players = ruleset.definition.players_allowed(ruleset)[0]
        known = notebook.samples[ruleset.fingerprint] = sampled(ruleset, players, notebook.seed, budget)
    return known


def _soon(games: Sample) -> int:
    """Return by when hardly any game is won."""
    lengths = sorted(end.length for end in games.ends if end.winners)
    place = round(SOON * len(games.ends))
    return lengths[place] - 1 if place < len(lengths) else max((end.length for end in games.ends), default=1)


def _sooner(notebook: Notebook, own: Sample, before: Sample, length: int) -> bool:
    """Write down, and return, whether more games are won so soon than under the base, by more than chance."""
    now, then = own.won_within(length), before.won_within(length)
    if length < 1 or not now.beats(then, notebook.margin):
        return False
    when = f"in {own.unit} 1" if length == 1 else f"within {length} {own.unit}s"
    grave = now.value >= GRAVE and now.value >= TIMES * then.high
    notebook.add_share(
        "RUSH",
        f"first {own.unit}" if length == 1 else "early wins",
        f"{_part(now)} of whole games by a rule of thumb are won {when}; {_part(then)} under the base",
        now,
        then,
        level=Level.ERROR if grave else Level.WARNING,
        size=f"wins {when}: ",
        data={"within": length, "unit": own.unit},
    )
    return True


def _part(known: Estimate) -> str:
    return f"{percent(known.value)} (95 % interval {percent(known.low)} to {percent(known.high)}, n = {known.n})"


def _sample_words(own: Sample, before: Sample | None) -> str:
    sides = [("", own)] if before is None else [("", own), (" under the base", before)]
    figures = ", ".join(f"{_part(games.won_within(1))}{where}" for where, games in sides)
    return f"whole games by a rule of thumb, won in {own.unit} 1: {figures}"


# The fastest win, by search


def fastest_win(ruleset: Ruleset, target: int | None, budget: Budget, seed: int) -> Fastest:
    """Return the fastest win of the first seat that search and play find; ``target`` is the game's own if left out.

    It is complete only if the budget cut nothing short. Where the game counts rounds, so do the value and the bound.

    Raises:
        KeyboardInterrupt: the user stopped the search.
    """
    if budget.is_over:
        return Fastest(None, 0, None, complete=False)
    position = opening(ruleset, mix(seed))
    aim = race_of(position).default_target() if target is None else target
    found: list[Witness] = []
    bound = 1
    if position.players == 1 and position.information == "open":
        with suppress(DisagreementError):  # then nothing is taken from either search; lines by the rules remain
            report = _solved(position, Goal(Objective.MIN_TURNS, aim), budget)
            bound = report.bound if report.bound is not None else 1
            found += [_line_of(position, report)] if report.value is not None else []
            found += _by_challenge(position, aim, budget)
    for number in range(GUIDED):
        # A game that takes longer than what is known already is not played to its end.
        most = min((turns_of(each) - 1 for each in found), default=LONGEST)
        choose = guided(position, mix(mix(seed) + number), LOOKED_AT)
        recorded = play(position, choose, most, reaching(position, aim))
        found += [Witness(position, recorded.line())] if race_of(position).progress(recorded.table) >= aim else []
    witness = min(found, key=turns_of, default=None)
    value, clock = None if witness is None else turns_of(witness), clock_of(position)
    if clock is None:
        return Fastest(value, bound, witness, not budget.is_over)
    rounds = None if value is None else clock.rounds(value)
    return Fastest(rounds, clock.rounds(bound), witness, not budget.is_over, "round")


def _solved(position: Position, goal: Goal, budget: Budget) -> Answer[int]:
    report = solve(position, goal, budget.counted(SEARCH_S))
    if report.interrupted:
        raise KeyboardInterrupt
    return report


def _line_of(position: Position, report: Answer[int]) -> Witness:
    return Witness(position, tuple(step.text for turn in report.line for step in turn.steps))


def _by_challenge(position: Position, target: int, budget: Budget) -> list[Witness]:
    """Return the line of the game's own challenge for one player, where it reaches the target too.

    A challenge often has a better bound than the bare race. That its goal is the same is not taken for granted: the
    line is played again, and nothing is taken as excluded.
    """
    for name, challenge in position.definition.challenges.items():
        if challenge.measure is Measure.SCORE or challenge.opponent is not Opponent.NONE:
            continue
        try:
            aimed = position.towards(name, 0, {})
        except BestlineError:
            continue  # it needs terms, or has nothing to ask from this table
        report = _solved(aimed, Goal(Objective.MIN_TURNS, aimed.game.default_target(), challenge=name), budget)
        witness = _line_of(position, report)
        reached = report.value is not None and position.game.progress(witness.replay().table) >= target
        return [witness] if reached else []
    return []


def turns_of(witness: Witness) -> int:
    """Return the own turns of a line."""
    game = race_of(witness.position)
    return game.turns(witness.replay().table) - game.turns(witness.position.table())


def _words(found: Fastest) -> str:
    best = "none found" if found.value is None else f"{count(found.value, found.unit)} found"
    if found.value == found.bound:
        return f"{best} and proved"
    return f"{best}, fewer than {found.bound} excluded" if found.bound > 1 else f"{best}, nothing faster excluded"


def _faster(notebook: Notebook, own: Fastest, before: Fastest, target: int) -> None:
    """Write down a line where it is faster than what the base is proved to allow."""
    assert notebook.base is not None
    if own.value is None or not before.complete or own.value >= before.bound:
        return
    notebook.add(
        "RUSH",
        "shortest_win",
        Level.ERROR,
        f"the goal is reached in {count(own.value, own.unit)}; {notebook.base.id} has no win in fewer than "
        f"{before.bound}, proved",
        witness=own.witness,
        confidence=Confidence.PROVED,
        size=f"{count(own.value, own.unit)} (base at least {before.bound})",
        measure=-own.value,
        data={
            "target": target,
            "turns": None if own.witness is None else turns_of(own.witness),
            "unit": own.unit,
            "fewest": own.value,
            "bound": own.bound,
            "base_fewest": before.value,
            "base_bound": before.bound,
        },
    )
