"""``RUSH``: the fastest win from open deals, by exact search and by guided play, and what the designer wanted of it.

A line found is an upper bound with a witness; turns that the search has excluded are a lower bound. Only what lies
outside both is claimed: a target is failed by a witness, and met where the search has excluded everything faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import Challenger, ChanceMode, Clock, Measure, Opponent
from rules.core.chance import mix
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from solver.audit.finding import Fastest, Finding, Level, Notebook, Searched, Witness, place_of
from solver.audit.first_round import rush_in_first_round, turns_of
from solver.audit.recorded import LOOKED_AT, guided, opening, play, race_of
from solver.audit.seat import roles, with_roles
from solver.encodings.turns import round_encoding
from solver.engines.solve import solve
from solver.screens.common import count
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rounds import RoundEncoding, RoundSearch

DEALS: Final = 1
"""Deals from which wins are looked for, the same ones under every ruleset."""
SEARCH_S: Final = 3.0
"""Seconds of search on each deal."""
GUIDED: Final = 2
"""Guided games on each deal."""
LONGEST: Final = 150
"""Turns after which a guided game is given up."""
FIRST: Final = 0.5
"""Part of the time for wins in the first round, at most."""
FASTER: Final = 1.5
"""Times as fast as under the base from which lines that are found, and not proved, are told,"""
MUCH_FASTER: Final = 3.5
"""and from which they are a warning: what a search of seconds finds under the base may be twice the fewest turns."""
UNSEEN: Final = 50
"""Turns that a win under the base is taken to need at least where none was found."""


def fastest_win(ruleset: Ruleset, target: int | None, budget: Budget, seed: int) -> Fastest:
    """Return the fastest win of the first seat that search and play find; ``target`` is the game's own if left out.

    It is complete only if the budget cut nothing short. Where the game counts rounds, so do the value and the bound.

    Raises:
        KeyboardInterrupt: the user stopped the search.
    """
    value: int | None = None
    bound: int | None = None
    witness: Witness | None = None
    clock: Clock | None = None
    for deal in range(DEALS):
        if budget.is_over:
            return Fastest(value, 0, witness, complete=False)
        position = opening(ruleset, mix(seed ^ deal))
        game = race_of(position)
        aim = game.default_target() if target is None else target
        proved = 1
        if position.players == 1 and position.information == "open":
            with suppress(DisagreementError):  # then nothing is taken from either search; lines by the rules remain
                report = solve(position, Goal(Objective.MIN_TURNS, aim), budget.within(SEARCH_S))
                if report.interrupted:
                    raise KeyboardInterrupt
                proved = report.bound if report.bound is not None else 1
                if report.value is not None:
                    texts = tuple(step.text for turn in report.line for step in turn.steps)
                    value, witness = _faster_of((value, witness), (report.value, Witness(position, texts)))
                value, witness = _faster_of((value, witness), _by_challenge(position, aim, budget))
        bound = proved if bound is None else min(bound, proved)
        clock = _clock(position)
        for number in range(GUIDED):
            # A game that takes longer than what is known already is not played to its end.
            most = LONGEST if value is None else value - 1
            value, witness = _faster_of((value, witness), _guided(position, aim, mix(seed ^ deal) + number, most))
    if clock is None:
        return Fastest(value, bound or 1, witness, not budget.is_over)
    rounds = None if value is None else clock.rounds(value)
    return Fastest(rounds, clock.rounds(bound or 1), witness, not budget.is_over, "round")


def _clock(position: Position) -> Clock | None:
    """Return how own turns make up rounds, where the game has a challenge for one player that counts rounds."""
    game = position.game
    if isinstance(game, Challenger):
        for name, challenge in game.challenges().items():
            if challenge.measure is Measure.ROUNDS and challenge.players == 1:
                return game.quest(name, position.table(), 0, {}).clock()
    return None


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
    if not isinstance(game, Challenger):
        return None
    for name, challenge in game.challenges().items():
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


def _guided(position: Position, target: int, seed: int, most: int) -> tuple[int, Witness] | None:
    """Return the turns and the line of a guided game of so many turns at most, cut where it reaches the target."""
    game: Any = position.game
    player = guided(position, mix(seed), LOOKED_AT)
    recorded = play(position, player, most, target=target)
    last = recorded.table
    return (game.turns(last), Witness(position, recorded.line())) if game.progress(last) >= target else None


def find_rush(notebook: Notebook) -> None:
    """Write down a win in the first round, and one that is faster than under the base: same deals, same goal."""
    ruleset, base, budget = notebook.ruleset, notebook.base, notebook.budget
    # The worst there is comes first, and is soon settled.
    first = rush_in_first_round(notebook, budget.share(FIRST))
    if first:
        notebook.searched.append(Searched("RUSH", first, complete=not budget.is_over))
    comparing = base is not None and base.fingerprint != ruleset.fingerprint
    target, known = target_of(ruleset), notebook.shared.fastest
    halved = comparing and target not in known
    own = notebook.fastest = fastest_win(ruleset, None, budget.share(0.5) if halved else budget, notebook.seed)
    before = None
    if base is not None and comparing:
        before = known[target] if target in known else fastest_win(base, target, budget, notebook.seed)
        if before.complete:
            known[target] = before
        finding = _faster(notebook, own, before)
        if finding is not None:
            notebook.add(finding)
    complete = own.complete and (before is None or before.complete) and not budget.is_over
    against = "" if before is None else f"; {_words(before)} under {notebook.base.id}" if notebook.base else ""
    what = f"wins from {DEALS} open deals, {GUIDED} guided games and {SEARCH_S:.0f} s of search each: {_words(own)}"
    notebook.searched.append(Searched("RUSH", f"{what}{against}", complete))
    find_luck(notebook)


def target_of(ruleset: Ruleset) -> int:
    """Return the progress at which a ruleset's own game is won."""
    return race_of(opening(ruleset, 0)).default_target()


def _words(found: Fastest) -> str:
    best = "none found" if found.value is None else f"{count(found.value, found.unit)} found"
    if found.value == found.bound:
        return f"{best} and proved"
    return f"{best}, fewer than {found.bound} excluded" if found.bound > 1 else f"{best}, nothing faster excluded"


def _faster(notebook: Notebook, own: Fastest, before: Fastest) -> Finding | None:
    """Return the finding where a line is faster than what the base allows, or much faster than what was found there.

    A search that was cut short under the ruleset has found what it has found; under the base it might have found more.
    """
    assert notebook.base is not None
    witness = own.witness
    if own.value is None or not before.complete:
        return None
    proved = own.value < before.bound
    if not proved and own.value * FASTER > (before.value or UNSEEN):
        return None
    much = own.value * MUCH_FASTER <= (before.value or UNSEEN)
    seen = "no win" if before.value is None else f"nothing under {before.value}"
    excluded = f"{notebook.base.id} has no win in fewer than {before.bound}, proved"
    found = f"the same search finds {seen} under {notebook.base.id} (found, not proved)"
    return Finding(
        code="RUSH",
        subject="shortest_win",
        level=Level.ERROR if proved else Level.WARNING if much else Level.NOTE,
        claim=f"the goal is reached in {count(own.value, own.unit)}; {excluded if proved else found}",
        place=place_of(notebook.ruleset, ()),
        witness=witness,
        measure=-own.value,
        data={
            "target": target_of(notebook.ruleset),
            "turns": None if witness is None else turns_of(witness),
            "unit": own.unit,
            "fewest": own.value,
            "bound": own.bound,
            "base_fewest": before.value,
            "base_bound": before.bound,
        },
    )


# How few rounds a win takes with the best and against the worst luck, for each identity: proved, not sampled


ROUNDS: Final = 8
"""Rounds looked ahead at most."""
LUCK_S: Final = 10.0
"""Seconds for each identity and kind of luck at most, where time is limited."""
WORDS: Final = {ChanceMode.KIND: "with the best luck", ChanceMode.CRUEL: "against the worst luck"}


def find_luck(notebook: Notebook) -> None:
    """Write down how few rounds a win takes by luck, if the game has such challenges."""
    told = [f"{words}: {rounds}" for words, rounds in by_luck(notebook.ruleset, notebook.budget)]
    if told:
        notebook.searched.append(Searched("RUSH", "; ".join(told), complete=not notebook.budget.is_over))


def by_luck(ruleset: Ruleset, budget: Budget) -> Iterator[tuple[str, str]]:
    """Yield each challenge of luck in words with the fewest rounds of each identity, ``3+`` for at least 3."""
    if ruleset.definition.players_allowed(ruleset)[0] > 1:
        return
    position = new_position(ruleset, 1, 0, ())
    if not isinstance(position.game, Challenger):
        return
    key, names = roles(position)
    for name, challenge in position.game.challenges().items():
        if challenge.measure is not Measure.ROUNDS or challenge.players != 1:
            continue
        fate, found = ChanceMode.KNOWN, []
        for role in names or [""]:
            other = with_roles(position, key, (role,)) if role else position
            game: Any = position.game if other is None else other.game
            table = position.table() if other is None else other.table()
            quest = game.quest(name, table, 0, {})
            fate = quest.fate
            form = round_encoding(quest, table) if other is not None and fate in WORDS else None
            if form is not None:
                left = budget.within(None)
                limit = left if left.time_s is None else budget.within(LUCK_S)
                last = game.most_turns(table, 0)
                rounds = None if last is None else quest.clock().rounds(last)
                found.append(f"{role} {_fewest(form, rounds, limit)}".strip())
        if found:
            yield f"rounds to a win {WORDS[fate]}", ", ".join(found)


def _fewest(form: RoundEncoding, last: int | None, limit: Budget) -> str:
    """Return the fewest rounds, or how many are excluded where the limit or the horizon came first.

    ``last``: rounds after which the game is over, if it has an end; where all are excluded there is no win.
    """
    search = RoundSearch(form, limit.start())
    rounds = 1
    try:
        for rounds in range(1, min(ROUNDS, form.horizon) + 1):
            ways = search.forced(rounds) if form.fate is ChanceMode.CRUEL else search.soonest(rounds)
            if ways is not None:
                return str(rounds)
    except BudgetExceeded:
        return f"{rounds}+"
    return "never" if last is not None and rounds >= last else f"{rounds + 1}+"
