"""``RUSH``: wins sooner than under the base: how often in whole games, and how soon at the soonest by exact search.

Whole games by a rule of thumb from the same deals say how many are won in the first round, and how many by when hardly
any is under the base. A figure counts where its interval lies above that of the base by more than a margin. Search adds
what is proved: a line is an upper bound with a witness, what the search has excluded a lower one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.challenge import Measure, Opponent
from rules.core.chance import mix
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from rules.core.registry import Ruleset
from solver.audit.finding import Confidence, Fastest, Finding, Level, Notebook, Searched, Witness, place_of
from solver.audit.play import LOOKED_AT, Estimate, Sample, clock_of, guided, opening, play, race_of, sampled
from solver.engines.answers import solve
from solver.screens.common import count
from solver.search.budget import Budget

SEARCH_S: Final = 3.0
"""Seconds of search on the deal."""
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
    ruleset, base, budget = notebook.ruleset, notebook.base, notebook.budget
    comparing = base if base is not None and base.fingerprint != ruleset.fingerprint else None
    own = games_of(notebook, ruleset, budget.share(0.4))
    before = None if comparing is None else games_of(notebook, comparing, budget.share(0.5))
    told = _sample_words(own, before)
    first = opening(ruleset, notebook.seed)
    limit = race_of(first).most_turns(first.table())
    if before is not None:
        for length in dict.fromkeys((1, _soon(before))):
            if limit is not None and length >= limit:
                break  # by then the rules end every game
            finding = _sooner(notebook, own, before, length)
            if finding is not None:
                notebook.add(finding)
                break
    notebook.searched.append(Searched("RUSH", told, own.complete and (before is None or before.complete)))
    if not notebook.wants("shortest_win"):
        return
    target = target_of(ruleset)
    fastest = notebook.fastest = fastest_win(ruleset, None, budget.share(0.5) if comparing else budget, notebook.seed)
    most = None
    if comparing is not None:
        most = fastest_win(comparing, target, budget, notebook.seed)
        finding = _faster(notebook, fastest, most)
        if finding is not None:
            notebook.add(finding)
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


def _sooner(notebook: Notebook, own: Sample, before: Sample, length: int) -> Finding | None:
    """Return the finding where more games are won so soon than under the base, by more than chance and the margin."""
    now, then = own.won_within(length), before.won_within(length)
    if length < 1 or not now.beats(then, notebook.margin):
        return None
    when = f"in {own.unit} 1" if length == 1 else f"within {length} {own.unit}s"
    size = f"wins {when}: {now.value:.1%} (base {then.value:.1%})"
    grave = now.value >= GRAVE and now.value >= TIMES * then.high
    return Finding(
        code="RUSH",
        subject=f"first {own.unit}" if length == 1 else "early wins",
        level=Level.ERROR if grave else Level.WARNING,
        claim=f"{_part(now)} of whole games by a rule of thumb are won {when}; {_part(then)} under the base, "
        f"seed {notebook.seed}",
        place=place_of(notebook.ruleset, ()),
        confidence=Confidence.SAMPLED,
        size=size,
        measure=round(1000 * now.value),
        data={**now.numbers, "base": then.numbers, "within": length, "unit": own.unit, "seed": notebook.seed},
    )


def _part(known: Estimate) -> str:
    return f"{known.value:.1%} (95 % interval {known.low:.1%} to {known.high:.1%}, n = {known.n})"


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
    value: int | None = None
    witness: Witness | None = None
    if budget.is_over:
        return Fastest(None, 0, None, complete=False)
    position = opening(ruleset, mix(seed))
    game = race_of(position)
    aim = game.default_target() if target is None else target
    bound = 1
    if position.players == 1 and position.information == "open":
        with suppress(DisagreementError):  # then nothing is taken from either search; lines by the rules remain
            report = solve(position, Goal(Objective.MIN_TURNS, aim), budget.within(SEARCH_S))
            if report.interrupted:
                raise KeyboardInterrupt
            bound = report.bound if report.bound is not None else 1
            if report.value is not None:
                texts = tuple(step.text for turn in report.line for step in turn.steps)
                value, witness = report.value, Witness(position, texts)
            value, witness = _faster_of((value, witness), _by_challenge(position, aim, budget))
    clock = clock_of(position)
    for number in range(GUIDED):
        # A game that takes longer than what is known already is not played to its end.
        most = LONGEST if value is None else value - 1
        value, witness = _faster_of((value, witness), _guided(position, aim, mix(seed) + number, most))
    if clock is None:
        return Fastest(value, bound, witness, not budget.is_over)
    rounds = None if value is None else clock.rounds(value)
    return Fastest(rounds, clock.rounds(bound), witness, not budget.is_over, "round")


def _faster_of(
    known: tuple[int | None, Witness | None], found: tuple[int, Witness] | None
) -> tuple[int | None, Witness | None]:
    """Return the faster line, the known one where both are as fast."""
    return found if found is not None and (known[0] is None or found[0] < known[0]) else known


def _by_challenge(position: Position, target: int, budget: Budget) -> tuple[int, Witness] | None:
    """Return the turns and the line of the game's own challenge for one player, where it reaches the target too.

    A challenge often has a better bound than the bare race. That its goal is the same is not taken for granted: the
    line is played again, and nothing is taken as excluded.
    """
    game = position.game
    for name, challenge in position.definition.challenges.items():
        if challenge.measure is Measure.SCORE or challenge.opponent is not Opponent.NONE:
            continue
        try:
            aimed = position.towards(name, 0, {})
        except BestlineError:
            continue  # it needs terms, or has nothing to ask from this table
        goal = Goal(Objective.MIN_TURNS, aimed.game.default_target(), challenge=name)
        report = solve(aimed, goal, budget.within(SEARCH_S))
        if report.interrupted:
            raise KeyboardInterrupt
        witness = Witness(position, tuple(step.text for turn in report.line for step in turn.steps))
        reached = report.value is not None and game.progress(witness.replay().table) >= target
        return (turns_of(witness), witness) if reached else None
    return None


def turns_of(witness: Witness) -> int:
    """Return the own turns of a line."""
    game = race_of(witness.position)
    return game.turns(witness.replay().table) - game.turns(witness.position.table())


def _guided(position: Position, target: int, seed: int, most: int) -> tuple[int, Witness] | None:
    """Return the turns and the line of a guided game of so many turns at most, cut where it reaches the target."""
    game: Any = position.game
    player = guided(position, mix(seed), LOOKED_AT)
    recorded = play(position, player, most, target=target)
    last = recorded.table
    return (game.turns(last), Witness(position, recorded.line())) if game.progress(last) >= target else None


def target_of(ruleset: Ruleset) -> int:
    """Return the progress at which a ruleset's own game is won."""
    return race_of(opening(ruleset, 0)).default_target()


def _words(found: Fastest) -> str:
    best = "none found" if found.value is None else f"{count(found.value, found.unit)} found"
    if found.value == found.bound:
        return f"{best} and proved"
    return f"{best}, fewer than {found.bound} excluded" if found.bound > 1 else f"{best}, nothing faster excluded"


def _faster(notebook: Notebook, own: Fastest, before: Fastest) -> Finding | None:
    """Return the finding where a line is faster than what the base is proved to allow."""
    assert notebook.base is not None
    if own.value is None or not before.complete or own.value >= before.bound:
        return None
    return Finding(
        code="RUSH",
        subject="shortest_win",
        level=Level.ERROR,
        claim=f"the goal is reached in {count(own.value, own.unit)}; {notebook.base.id} has no win in fewer than "
        f"{before.bound}, proved",
        place=place_of(notebook.ruleset, ()),
        witness=own.witness,
        confidence=Confidence.PROVED,
        size=f"{count(own.value, own.unit)} (base at least {before.bound})",
        measure=-own.value,
        data={
            "target": target_of(notebook.ruleset),
            "turns": None if own.witness is None else turns_of(own.witness),
            "unit": own.unit,
            "fewest": own.value,
            "bound": own.bound,
            "base_fewest": before.value,
            "base_bound": before.bound,
        },
    )
