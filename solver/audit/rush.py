"""``RUSH``: wins sooner than under the base: how often in whole games, and how soon at the soonest by search.

Whole games by rule of thumb say how many are won in the first round, and how many once hardly any are under the
base. A figure counts where its interval lies above that of the base by more than a margin. A rule of thumb may know
nothing of what a change allows. So nested rollout search looks for wins in the first rounds of open deals (Cazenave,
"Nested Monte-Carlo Search", IJCAI 2009). That is where a game counts rounds; deals are the same for both. Exact search
adds what is proved: a line is an upper bound with a witness, what the search has excluded a lower one.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.scripts import Answered, Sampling, SplitMix64, mix
from rules.core.turns import State
from solver.audit.finding import Confidence, Fastest, Level, Notebook, Searched, Witness
from solver.audit.play import (
    LOOKED_AT,
    Estimate,
    Sample,
    clock_of,
    guided,
    opening,
    play,
    reaching,
    sampled,
    share,
)
from solver.engines.answers import solve
from solver.lines import taken
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
ROUNDS: Final = (1, 2)
"""Rounds in which nested rollout search looks for a win,"""
DEALS: Final = 40
"""in so many open deals,"""
RUNS: Final = 2
"""so many times in each,"""
PLAYOUTS: Final = 2
"""with so many playouts of each answer"""
ANSWERS: Final = 200
"""out of so many at most, those with the fewest words,"""
DEAL_S: Final = 0.1
"""which takes about so many seconds."""


def find_rush(notebook: Notebook) -> None:
    """Write down wins that come more often so soon than under the base, and one that the base is proved not to have."""
    ruleset, comparing, budget = notebook.ruleset, notebook.other, notebook.budget
    own = games_of(notebook, ruleset, budget.share(0.4))
    before = None if comparing is None else games_of(notebook, comparing, budget.share(0.5))
    first = opening(ruleset, notebook.seed)
    limit = first.game.most_turns(first.table())
    if before is not None:
        lengths = [each for each in dict.fromkeys((1, _soon(before))) if limit is None or each < limit]
        kind = "of whole games by a rule of thumb are won"
        won = ((own.won_within(each), before.won_within(each), each) for each in lengths)
        if not any(_sooner(notebook, *each, own.unit, kind) for each in won):
            _search_rounds(notebook, first, budget.share(0.6))
    complete = own.complete and (before is None or before.complete)
    sides = ((own, ""), (before, " under the base"))
    told = ", ".join(f"{_part(games.won_within(1))}{where}" for games, where in sides if games is not None)
    what = f"whole games by a rule of thumb, won in {own.unit} 1: {told}"
    notebook.searched.append(Searched("RUSH", what, complete))
    if not notebook.wants("shortest_win"):
        return
    target = first.game.profile.target
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
    if (known := notebook.samples.get(ruleset.fingerprint)) is None:
        least, beside = ruleset.definition.players_allowed(ruleset)[0], notebook.beside(ruleset)
        known = sampled(ruleset, least, notebook.seed, budget, beside=beside)
        notebook.samples[ruleset.fingerprint] = known
    return known


def _soon(games: Sample) -> int:
    """Return by when hardly any game is won."""
    lengths = sorted(end.length for end in games.ends if end.winners)
    place = round(SOON * len(games.ends))
    return lengths[place] - 1 if place < len(lengths) else max((end.length for end in games.ends), default=1)


def _sooner(
    notebook: Notebook, now: Estimate, then: Estimate, length: int, unit: str, kind: str, witness: Witness | None = None
) -> bool:
    """Write down, and return, whether more games are won so soon than under the base, by more than chance."""
    if length < 1 or not now.beats(then, notebook.margin):
        return False
    when = f"in {unit} 1" if length == 1 else f"within {length} {unit}s"
    grave = now.value >= GRAVE and now.value >= TIMES * then.high
    data: dict[str, Any] = {"within": length, "unit": unit}
    if witness is not None:
        data |= {"target": witness.position.game.profile.target, "turns": turns_of(witness)}
    notebook.add_share(
        "RUSH",
        f"first {unit}" if length == 1 else "early wins",
        f"{_part(now)} {kind} {when}; {_part(then)} under the base",
        now,
        then,
        level=Level.ERROR if grave else Level.WARNING,
        size=f"wins {when}: ",
        data=data,
        witness=witness,
    )
    return True


def _search_rounds(notebook: Notebook, first: Position, budget: Budget) -> None:
    """Write down wins in the first rounds that search finds more often than under the base."""
    if first.players > 1 or clock_of(first) is None or notebook.about not in ("", "first round", "early wins"):
        return
    both, told = (notebook.ruleset, notebook.base or notebook.ruleset), []
    for rounds in ROUNDS:
        found: list[list[Witness | None]] = []
        now = then = share(0, 0)
        while len(found) < DEALS and not budget.is_over:
            deal = len(found)
            found.append([soonest(opening(each, notebook.seed, deal), rounds, mix(deal)) for each in both])
            budget.spend(2 * DEAL_S * rounds)
            now, then = (share(sum(pair[side] is not None for pair in found), len(found)) for side in range(2))
            if len(found) == DEALS // 2 and now.value <= then.value:
                break  # the other half will not turn it round
        told.append(f"{_part(now)} in {count(rounds, 'round')}, {_part(then)} under the base")
        witness = next((own for own, base in found if own and not base), None)
        if _sooner(notebook, now, then, rounds, "round", "of open deals are found to be won", witness):
            break
    what = f"wins of open deals by nested rollout search: {'; '.join(told)}"
    notebook.searched.append(Searched("RUSH", what, not budget.is_over))


def soonest(position: Position, rounds: int, seed: int) -> Witness | None:
    """Return a line that nested rollout search finds to the goal within some rounds, nothing where it finds none."""
    game, clock, generator = position.game, clock_of(position), SplitMix64(seed)
    target = game.profile.target

    def is_over(table: Any) -> bool:
        late = clock is not None and clock.rounds(game.turns(table) + 1) > rounds
        return late or game.is_over(table) or game.progress(table) >= target

    def playout(table: Any, steps: Answered) -> tuple[int, list[Answered]]:
        """Return how far random play goes on from the beginning of a turn, and the steps of each turn."""
        turns: list[Answered] = []
        while not turns or not is_over(table):
            script = Sampling([] if turns else steps, generator)
            table = game.play_turn(table, script)
            turns.append(script.steps)
        return game.progress(table), turns

    for _ in range(RUNS):
        done: list[Answered] = []
        table, steps, (best, onwards) = position.table(), Answered(), playout(position.table(), [])
        while best < target and not is_over(table):
            _, question = game.stopped(State(table, tuple(steps)))
            if question is None:
                script = Sampling(steps, generator)
                table, steps = game.play_turn(table, script), []
                done, onwards = [*done, script.steps], onwards[1:]
                continue
            steps = [*question.steps]
            simplest = sorted(question.options, key=lambda each: (each.text.count(" "), len(each.text), each.text))
            for answer in simplest[:ANSWERS] if len(simplest) > 1 else ():
                tries = (playout(table, [*steps, answer]) for _ in range(PLAYOUTS))
                best, onwards = max((best, onwards), *tries, key=lambda found: found[0])
            steps.append(onwards[0][len(steps)])
        if best >= target:
            return Witness(position, tuple(step.text for turn in (*done, *onwards) for step in taken(turn)))
    return None


def _part(known: Estimate) -> str:
    return f"{percent(known.value)} (95 % interval {percent(known.low)} to {percent(known.high)}, n = {known.n})"


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
    aim = position.game.profile.target if target is None else target
    found: list[Witness] = []
    bound = 1
    if position.players == 1 and position.information == "open":
        with suppress(DisagreementError):  # then nothing is taken from either search; lines by the rules remain
            report = solve(position, Goal(Objective.MIN_TURNS, aim), budget.counted(SEARCH_S))
            if report.interrupted:
                raise KeyboardInterrupt
            bound = report.bound if report.bound is not None else 1
            line = tuple(step.text for turn in report.line for step in turn.steps)
            found += [Witness(position, line)] if report.value is not None else []
            lines = (soonest(position, rounds, seed) for rounds in ROUNDS if clock_of(position) is not None)
            found += islice(filter(None, lines), 1)
    for number in range(GUIDED):
        # A game that takes longer than what is known already is not played to its end.
        most = min((turns_of(each) - 1 for each in found), default=LONGEST)
        choose = guided(position, mix(mix(seed) + number), LOOKED_AT, budget)
        recorded = play(position, choose, most, reaching(position, aim))
        found += [Witness(position, recorded.line())] if position.game.progress(recorded.table) >= aim else []
    witness = min(found, key=turns_of, default=None)
    value, clock = None if witness is None else turns_of(witness), clock_of(position)
    if clock is None:
        return Fastest(value, bound, witness, not budget.is_over)
    rounds = None if value is None else clock.rounds(value)
    return Fastest(rounds, clock.rounds(bound), witness, not budget.is_over, "round")


def turns_of(witness: Witness) -> int:
    """Return the own turns of a line."""
    game = witness.position.game
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
            "base_bound": before.bound,
        },
    )
