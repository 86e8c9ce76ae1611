"""What an audit asks: dealt tables, puzzles of the library, whole games without a card; and answers in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import median
from typing import Any, Final, NamedTuple

from puzzles.puzzle import IMPOSSIBLE, Goal, Objective, Puzzle, library, load_puzzle
from rules.core.errors import BestlineError
from rules.core.files import Faults, data_file
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.scripts import mix
from rules.core.tools.output import plain
from rules.core.tools.rulebook import differences, effects_of
from rules.core.turns import State
from solver.audit.finding import Notebook, Shown, Witness
from solver.audit.play import Estimate, clock_of, guided, mean, opening, play, reaching, sampled
from solver.audit.rush import games_of
from solver.checker.check import goal_data
from solver.engines.answers import searchable, solve
from solver.question import Status
from solver.screens.common import count
from solver.search.budget import Budget

FREE, WITHOUT, ALONE = "free", "without", "alone"
"""Everything allowed; without the card; with no other card."""
BASE = "base "
"""What stands before the same under the base."""
LABELS: Final = {FREE: "best", WITHOUT: "without it", ALONE: "it alone"}


class AuditQuestion(NamedTuple):
    """One question of the suite under one ruleset."""

    id: str
    position: Position
    goal: Goal
    stated: int | None
    """The value proved under the puzzle's own ruleset."""
    fingerprint: str
    """Of the puzzle's own ruleset."""
    impossible: bool = False
    """It is proved under the puzzle's own ruleset that there is no line."""
    old: Witness | None = None
    """The best line under that ruleset, where it is known."""


@lru_cache(maxsize=16)
def library_suite(ruleset: Ruleset) -> tuple[AuditQuestion, ...]:
    """Return the open puzzles for one player whose own ruleset this one is or extends, and whose positions fit."""
    below = {layer.file for layer in ruleset.layers}
    known = (each for each in map(load_puzzle, library()) if each.position.ruleset.id in below)
    return tuple(filter(None, (_under(each, ruleset) for each in known)))


def _under(puzzle: Puzzle, ruleset: Ruleset) -> AuditQuestion | None:
    """Return a puzzle asked under another ruleset, or nothing where its position is none there."""
    if (position := puzzle.position.under(ruleset)) is None:
        return None
    try:
        searchable(position)
    except BestlineError:
        return None
    stated = puzzle.solution.value if puzzle.solution is not None else None
    made_for = puzzle.position.ruleset.fingerprint
    value = stated if isinstance(stated, int) else None
    line = puzzle.solution.line if puzzle.solution is not None else ()
    old = Witness(puzzle.position, tuple(text for turn in line for text in turn.split("; "))) if line else None
    return AuditQuestion(puzzle.id, position, puzzle.goal, value, made_for, stated == IMPOSSIBLE, old)


def solved(asked: AuditQuestion, limit: Budget, forbidden: frozenset[str] = frozenset()) -> Shown:
    """Return the answer of exact search to a question, some moves forbidden besides those of its goal.

    Raises:
        KeyboardInterrupt: the user stopped the search.
    """
    goal = replace(asked.goal, forbidden=asked.goal.forbidden | forbidden)
    report = solve(asked.position, goal, limit)
    if report.interrupted:
        raise KeyboardInterrupt
    impossible = report.status is Status.INFEASIBLE and goal.objective is not Objective.REACH
    witness = Witness(asked.position, tuple(step.text for turn in report.line for step in turn.steps))
    value, bound = goal.in_rounds(report.value), goal.in_rounds(report.bound)
    return Shown(asked.id, FREE, witness, goal, value, bound, impossible=impossible)


# What restricted play loses of what free play has: a part from 0 to 1


def gained(asked: AuditQuestion, free: Shown) -> int:
    """Return what a proved free value is worth: turns or rounds, or progress since the beginning."""
    assert free.value is not None
    from_nothing = asked.goal.challenge or asked.goal.objective is not Objective.MAX_DISTANCE
    return free.value - (0 if from_nothing else asked.position.game.progress(asked.position.table(), asked.goal.seat))


def lost(asked: AuditQuestion, free: Shown, restricted: Shown) -> float | None:
    """Return which part of the proved free value restricted play loses: turns as many times as many, progress short.

    There has to be something gained. No line at all loses everything. Nothing where the restricted value is open.
    """
    if restricted.impossible:
        return 1.0
    if not restricted.proved or restricted.value is None or free.value is None:
        return None
    if asked.goal.objective is Objective.MIN_TURNS:
        return 1 - free.value / restricted.value
    return min(1.0, (free.value - restricted.value) / gained(asked, free))


# The tables on which restricted play is searched: dealt ones with whole decks, and puzzles of the library


DEALS: Final = 10
"""Openings."""
LATER: Final = ((0.3, 2), (0.7, 2))
"""Parts of the way to the goal, and so many tables there, to which guided play leads from deals of their own."""
LOOKED_AT: Final = 4
"""Ways through a turn that a guided player compares."""
LONGEST: Final = 80
"""Turns of guided play at most."""
TURNS: Final = 2
"""Own turns that are asked for."""
LONG: Final = 4
"""Own turns that are asked for at most, where a card takes more."""
POOR: Final = 3
"""Openings that are dealt a poor hand."""
PUZZLES: Final = 6
"""Puzzles at most, those with the fewest cards."""


def tables(ruleset: Ruleset, seed: int) -> list[AuditQuestion]:
    """Return how far a player alone comes in a few turns from dealt tables, then puzzles of the library."""
    puzzles = sorted(library_suite(ruleset), key=lambda asked: (len(asked.position.code), asked.id))
    return [*_dealt(ruleset, seed), *puzzles[:PUZZLES]]


def _dealt(ruleset: Ruleset, seed: int) -> Iterator[AuditQuestion]:
    """Yield the dealt tables; none where a game counts rounds, or nobody plays alone."""
    first = opening(ruleset, mix(seed))
    if first.players > 1 or clock_of(first) is not None:
        return
    try:
        searchable(first)
    except BestlineError:
        return
    parts = [0.0] * DEALS + [part for part, many in LATER for _ in range(many)]
    for number, part in enumerate(parts):
        position = opening(ruleset, seed, number)
        game = position.game
        target = game.profile.target
        if part:
            led = play(position, guided(position, number, LOOKED_AT), LONGEST, reaching(position, round(part * target)))
            position = position.after(State(led.table))
        if not game.is_over(position.table()):
            goal = Goal(Objective.MAX_DISTANCE, target, TURNS)
            yield AuditQuestion(f"deal-{number}", position, goal, None, ruleset.fingerprint)


def hand_of(asked: AuditQuestion) -> Sequence[str]:
    """Return the hand of the seat that is asked about."""
    return asked.position.game.hand(asked.position.table(), asked.goal.seat)


def with_card(asked: AuditQuestion, card: str, copies: int = 1) -> AuditQuestion | None:
    """Return a question with so many copies of a card in the hand, or as many as there are, or nothing for none.

    A copy takes the place of the first card that can go. Where none can, as upgrades lie in decks of their own, the
    hand has gained it. How far one comes is asked for as many turns as the card takes, ``LONG`` at most.
    """
    compare = data_file(asked.position.definition.folder, "ops").get("compare", {})
    entry, goal = asked.position.ruleset.raw["cards"].get(card, {}), asked.goal
    turns = min(LONG, 1 + sum(entry.get(cost, 0) for cost, better in compare.items() if better == "turns"))
    longer = goal.objective is Objective.MAX_DISTANCE and turns > (goal.within_turns or LONG)
    changed = asked._replace(goal=replace(goal, within_turns=turns)) if longer else asked
    while (hand := hand_of(changed)).count(card) < copies:
        given = (*dict.fromkeys(name for name in sorted(hand) if name != card), "")
        more = next((each for name in given if (each := _exchanged(changed, card, name)) is not None), None)
        if more is None:
            break
        changed = more
    if card not in hand_of(changed):
        return None
    return changed if changed is asked else changed._replace(id=f"{card}@{asked.id}", stated=None, old=None)


def as_under(position: Position, ruleset: Ruleset) -> Position | None:
    """Return a position under another ruleset, which lays its own board and weather where it does not know these."""
    moved, faults = position.under(ruleset), Faults()
    if moved is not None:
        return moved
    ruleset.definition.state_schema(ruleset).check(position.state, (), faults)
    if not faults.count:
        ruleset.definition.check_state(position.state, replace(position, ruleset=ruleset), faults)
    unknown, usual = {each.key.replace("[", ".").partition(".")[0] for each in faults.found}, opening(ruleset, 0).state
    state = {key: usual.get(key, value) if key in unknown else value for key, value in position.state.items()}
    return replace(position, state=state).under(ruleset)


def poor(asked: Sequence[AuditQuestion], card: str, idle: Collection[str]) -> Iterator[AuditQuestion]:
    """Yield some openings with a card in the hand and, as far as there are such, ``idle`` ones beside it."""
    for each in asked[:POOR]:
        changed = each
        for name in sorted(hand_of(each)):
            spare = sorted({*idle} - {card, name} - {*hand_of(changed)}) if name not in idle else ()
            told = (_exchanged(changed, other, name) for other in spare)
            changed = next((one for one in told if one is not None), changed)
        if (found := with_card(changed._replace(id=f"poor {each.id}"), card)) is not None:
            yield found


def _exchanged(asked: AuditQuestion, card: str, given: str) -> AuditQuestion | None:
    """Return a question with a card more in the hand, and the one ``given`` for it, if any, less.

    Nothing where hands are no lists of card ids, and where the rules refuse it.
    """
    position, hand = asked.position, sorted(hand_of(asked))
    state = plain(position.state)
    mine = next((each for each in lists(state) if sorted(each) == hand), None)
    pile = next((each for each in lists(state) if each is not mine and card in each), None)
    if position.pending or mine is None or (pile is None and not given):
        return None
    if pile is not None:
        place = pile.index(card)
        pile[place : place + 1] = [given] if given else []
    if given:
        mine.remove(given)
    mine.append(card)
    mine.sort()
    changed = replace(position, state=state).under(position.ruleset)
    return None if changed is None else asked._replace(position=changed)


def playable(ruleset: Ruleset) -> list[str]:
    """Return the cards that somebody can play, ascending."""
    return sorted(ruleset.definition.bans(ruleset))


def changed_cards(ruleset: Ruleset, base: Ruleset | None) -> list[str]:
    """Return the entries of collections that are new or play otherwise than under the base, ascending."""
    if base is None:
        return []
    collections = ruleset.definition.collections
    names = {
        str(each.key[1])
        for each in differences(base, ruleset)
        if each.kind != "removed" and len(each.key) > 1 and each.key[0] in collections
    }
    return sorted(names)


def lists(value: Any) -> Iterator[list[str]]:
    """Yield the lists of texts that a state object holds, empty ones left out."""
    if isinstance(value, list) and value and all(isinstance(entry, str) for entry in value):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from lists(inner)


# Whole games in which a card does nothing, beside those in which it works


RACES: Final = 200
"""Races that begin with a card."""


class Games(NamedTuple):
    """Whole games: shares won in as many rounds as half of them take, or turns of races that begin with a card."""

    free: Estimate
    without: Estimate
    """The card does nothing."""
    alone: Estimate | None = None
    """Every other card does nothing; nothing of races."""

    @property
    def loss(self) -> float:
        """Return the part that is lost without the card: wins, or at least so many turns as many times as many."""
        if self.alone is None:
            return 1 - self.free.high / max(self.without.low, 1e-9)
        return 1 - self.without.value / max(self.free.value, 1e-9)


def whole_games(notebook: Notebook, ruleset: Ruleset, card: str) -> Games:
    """Return what whole games of one player say of a card."""

    def play(silent: Iterable[str]) -> Any:
        changed = extended(ruleset, {"cards": {name: {"effects": []} for name in silent}})
        return sampled(changed, 1, notebook.seed, notebook.budget, beside=notebook.beside(ruleset))

    free = games_of(notebook, ruleset, notebook.budget)
    half = round(median(free.lengths or [1]))
    others = [name for name in playable(ruleset) if name != card]
    return Games(*(games.won_within(half) for games in (free, play([card]), play(others))))


def lasts(ruleset: Ruleset, card: str) -> bool:
    """Return whether an effect of a card works for as long as it lies there."""
    ops = data_file(ruleset.definition.folder, "ops")["ops"]
    return any(ops[each["op"]].get("kind") == "passive" for each in effects_of(ruleset.raw["cards"][card]))


def held_games(notebook: Notebook, ruleset: Ruleset, card: str) -> Games:
    """Return in how many turns races that begin with a card in the hand are over, and where it does nothing."""

    def seated(position: Position, _: int) -> Position:
        asked = AuditQuestion("", position, Goal(Objective.MAX_DISTANCE, 0, 1), None, "")
        return (with_card(asked, card) or asked).position

    def turns(played: Ruleset) -> Estimate:
        beside = notebook.beside(ruleset)
        return mean(sampled(played, 1, notebook.seed, notebook.budget, seated, RACES, beside).lengths)

    return Games(turns(ruleset), turns(extended(ruleset, {"cards": {card: {"effects": []}}})))


# Answers as findings show them, side by side


def label(shown: Shown) -> str:
    """Return what people read beside an answer."""
    return f"{BASE if shown.side.startswith(BASE) else ''}{LABELS[shown.side.removeprefix(BASE)]}"


def value_text(shown: Shown) -> str:
    """Return what an answer is worth, and how sure that is, in words without a full stop."""
    goal, value, bound = shown.goal, shown.value, shown.bound
    fewest = goal.objective is Objective.MIN_TURNS
    if shown.impossible:
        return "proved to have no line"
    excluded = "" if bound is None else f"{'fewer than' if fewest else 'more than'} {_amount(shown, bound)} excluded"
    if value is None:
        return f"no line found, {excluded or 'nothing excluded'}"
    return f"{_amount(shown, value)}, {'proved' if value == bound else excluded or 'found'}"


def _amount(shown: Shown, value: int) -> str:
    fewest = shown.goal.objective is Objective.MIN_TURNS
    return count(value, "turn" if shown.goal.clock is None else "round") if fewest else str(value)


def asked_as_json(goal: Goal) -> dict[str, Any]:
    """Return a goal as JSON, so that a line can be valued without the puzzle's file."""
    return {**goal_data(goal), "challenge": goal.challenge, "terms": dict(goal.terms)}
