"""``RUSH`` in the first round: a game that can be won before anybody has had a second round.

Each of some open deals is searched exactly for a win in the first round, or in the first own turn where the game has no
rounds, with every identity that the game has. The share of deals with such a win is told with its interval. It is the
chance of a player who knows the order of the piles, so that nobody's chance is greater; what somebody makes of it who
does not is tried by ``book.py``. Rulings under which the line that was found is refused are told as possible cures.
What a base can be shown to have too, from the same deal as it deals it itself, is told as inherited: it is no fault of
the change, and no less a fault. Where no deal fits both, since they have other cards, deals of the base are searched
for such a win.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from puzzles.loader import question_of
from rules.core.challenge import Challenger, Measure, Opponent
from rules.core.errors import BestlineError, ContentError, Fault
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.tools.relaxation import under
from rules.core.tools.rulebook import option_texts
from solver.audit.book import chance_by_book
from solver.audit.finding import Finding, Level, Notebook, Witness, place_of
from solver.audit.recorded import dealt, race_of, share, texts
from solver.audit.seat import roles, with_roles
from solver.report import Status
from solver.search.budget import Budget
from solver.solve import solve

DEALS: Final = 100
"""Open deals."""
SEARCH_S: Final = 8.0
"""Seconds of search on each at most."""
LOOKED: Final = 0.8
"""Part of the time for deals; the rest is for whether a base has the same, and for play without knowing the order."""
LOOKED_APART: Final = 0.5
"""Likewise where the base has deals of its own, which are searched then."""
INHERITED: Final = "; inherited: "
"""Begins what is said of wins that a base has too."""
_NEW: Final = (Level.ERROR, "")
STATES: Final = 100_000
"""Positions that a search may keep."""
NUMBERS: Final = (12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
"""Numbers that are tried where an option takes one, the mildest first."""


@dataclass(frozen=True, slots=True)
class FirstRound:
    """What is known of first-round wins."""

    deals: int
    won: int
    """Deals won with one identity or another."""
    undecided: int
    lines: tuple[Witness, ...]
    """One for each deal that is won."""
    first: int
    """The number of the first of these deals."""
    by_role: dict[str, int]
    """Deals won with each identity."""

    @property
    def witness(self) -> Witness | None:
        """Return the first of the lines, if there is one."""
        return self.lines[0] if self.lines else None


def first_round(ruleset: Ruleset, seed: int, budget: Budget, enough: int = DEALS) -> FirstRound | None:
    """Return how many open deals can be won in the first round, or nothing where nobody can play alone.

    No more are looked at once ``enough`` are won.
    """
    if ruleset.definition.players_allowed(ruleset)[0] > 1:
        return None
    deals = undecided = first = 0
    lines: list[Witness] = []
    by_role: dict[str, int] = {}
    while deals < DEALS and len(lines) < enough and not budget.is_over:
        settled, won = True, []
        for name, position in _as_anybody(dealt(ruleset, 1, seed, deals)):
            sure, line = _win(position, budget)
            settled = settled and sure
            by_role[name] = by_role.get(name, 0) + (line is not None)
            won += [line] if line is not None else []
        first = deals if won and not lines else first
        lines += won[:1]
        deals += 1
        undecided += not settled and not won
    by_role.pop("", None)
    return FirstRound(deals, len(lines), undecided, tuple(lines), first, by_role)


def _as_anybody(position: Position) -> Iterator[tuple[str, Position]]:
    """Yield a deal with each identity by its name, or as it is where the game has none."""
    key, names = roles(position)
    for name in names:
        other = with_roles(position, key, (name,))
        if other is not None:
            yield name, other
    if not names:
        yield "", position


def _win(position: Position, budget: Budget) -> tuple[bool, Witness | None]:
    """Return whether a deal is settled, and a line that wins it in its first round if there is one."""
    game = race_of(position)
    if not isinstance(game, Challenger) or (name := _in_rounds(game)) is None:
        target = game.default_target()
        for end in game.distinct_ends(position.table()):
            if game.progress(end.table) >= target:
                return True, Witness(position, texts(end))
            if budget.is_over:
                return False, None
        return True, None
    aimed, goal = question_of({"objective": name, "within_rounds": 1}, position)
    report = solve(aimed, goal, budget.within(SEARCH_S, STATES))
    if report.interrupted:
        raise KeyboardInterrupt
    if report.value is not None:
        return True, Witness(position, tuple(step.text for turn in report.line for step in turn.steps))
    return report.status is Status.INFEASIBLE, None


def _in_rounds(game: Challenger[Any]) -> str | None:
    """Return the first challenge for one player that counts rounds to any win."""
    found = (
        name
        for name, each in game.challenges().items()
        if each.measure is Measure.ROUNDS and each.players == 1 and each.opponent is Opponent.NONE
    )
    return next(found, None)


def rush_in_first_round(notebook: Notebook, budget: Budget) -> str:
    """Write down that the first round can win, if it can, and return what was searched.

    It is an error; a warning where the base is shown to have it, or its own search of the same deal was cut short; and
    a note where the decks differ and too few deals of the base were settled to tell it from a base without such deals.
    """
    ruleset, base = notebook.ruleset, notebook.base
    apart = base is not None and under(dealt(ruleset, 1, notebook.seed, 0), base) is None
    found = first_round(ruleset, notebook.seed, budget.share(LOOKED_APART if apart else LOOKED))
    if found is None:
        return ""
    part = share(found.won, found.deals)
    told = (
        f"{found.won} of {found.deals} open deals can be won in the first round{_others(found)}, "
        f"{found.undecided} not settled: {part.words}, seed {notebook.seed}"
    )
    if found.witness is None:
        return told
    cures = tuple(_cures(ruleset, found.witness))
    level, since = Level.ERROR, ""
    if base is not None and apart:
        level, since = _beside_other_deals(base, found, notebook.seed, budget)
    elif base is not None:
        level, since = _beside_the_same_deal(base, found, notebook.seed, budget)
    unseen = chance_by_book(found.lines, lambda number: dealt(ruleset, 1, notebook.seed, number), notebook.seed, budget)
    by_book = "" if unseen is None else f"; play that knows no pile wins so {unseen.words} of fresh shuffles, at least"
    notebook.add(
        Finding(
            code="RUSH",
            subject="first round",
            level=level,
            claim=(
                f"the game can be won in the first round: by who knows every pile from {part.words} of the deals, seed "
                f"{notebook.seed}{_others(found)}, and by nobody more often{by_book}{since}"
            ),
            place=cures[0] if cures else place_of(ruleset, ()),
            witness=found.witness,
            measure=round(1000 * part.value),
            data={
                **part.numbers,
                "target": race_of(found.witness.position).default_target(),
                "turns": turns_of(found.witness),
                "won": found.won,
                "by_role": found.by_role,
                "unseen": None if unseen is None else unseen.numbers,
                "inherited": since.startswith(INHERITED),
                "seed": notebook.seed,
            },
            because=cures,
        )
    )
    return told


def _others(found: FirstRound) -> str:
    """Return how many deals each identity wins, where there are identities and wins."""
    if not found.won or not found.by_role:
        return ""
    return f" ({', '.join(f'{name} {won}' for name, won in sorted(found.by_role.items()))})"


def _beside_the_same_deal(base: Ruleset, found: FirstRound, seed: int, budget: Budget) -> tuple[Level, str]:
    """Return the level of first-round wins beside a base that deals alike, and the words about it."""
    assert found.witness is not None
    too = has_too(base, seed, found.first, found.witness, budget)
    if too is None:
        return Level.WARNING, f"; whether this deal is won in the first round under {base.id} too is not settled"
    return (Level.WARNING, f"{INHERITED}this deal is won in the first round under {base.id} too") if too else _NEW


def _beside_other_deals(base: Ruleset, found: FirstRound, seed: int, budget: Budget) -> tuple[Level, str]:
    """Return the level of first-round wins beside a base whose decks differ, and the words about it.

    They are new where the 95 % intervals of both shares lie apart, an unsettled deal of the base counting as won.
    """
    other = first_round(base, seed, budget, enough=1)
    if other is not None and other.won:
        return Level.WARNING, f"{INHERITED}{base.id} has deals that are won in the first round too"
    if other is not None and other.deals:
        most = share(other.undecided, other.deals).high
        if most < share(found.won, found.deals).low:
            return _NEW
    looked = 0 if other is None else other.deals - other.undecided
    return Level.NOTE, f"; whether {base.id} has such deals is not settled: {looked} of its deals hold"


def has_too(base: Ruleset, seed: int, number: int, witness: Witness, budget: Budget) -> bool | None:
    """Return whether a deal is shown to be won in the first round as a base deals it: by the same line, or another.

    Nothing is returned where a search was cut short that found none.
    """
    settled = True
    for _, position in _as_anybody(dealt(base, 1, seed, number)):
        game: Any = position.game
        with suppress(BestlineError):  # the line may hang on the change; the search does not
            if game.progress(replace(witness, position=position).replay().table) >= game.default_target():
                return True
        sure, line = _win(position, budget)
        if line is not None:
            return True
        settled = settled and sure
    return False if settled else None


def turns_of(witness: Witness) -> int:
    """Return the own turns of a line."""
    game = race_of(witness.position)
    return game.turns(witness.replay().table) - game.turns(witness.position.table())


def _cures(ruleset: Ruleset, witness: Witness) -> Iterator[Fault]:
    """Yield each option with the mildest other value under which the rules refuse a line, or it wins no more."""
    known = ruleset.definition.options(ruleset)
    for name, text in sorted(option_texts(ruleset).items()):
        now = known[name]
        least, most = text.range or (1, 0)
        numbers = [number for number in NUMBERS if least <= number <= most]
        for value in [*(_value(each) for each in text.values), *numbers]:
            if (value, type(value)) != (now, type(now)) and _refused(ruleset, name, value, witness):
                place = ruleset.place(("options", name))
                message = f"option {name} is {_written(now)}; with {_written(value)} this line does not win"
                yield replace(place, message=message)
                break


def _written(value: Any) -> str:
    """Return a value of an option as files have it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(name: str) -> Any:
    return {"true": True, "false": False}.get(name, int(name) if name.lstrip("-").isdigit() else name)


def _refused(ruleset: Ruleset, name: str, value: Any, witness: Witness) -> bool:
    try:
        other = extended(ruleset, {"options": {name: value}})
    except ContentError:
        return False
    position = under(witness.position, other)
    if position is None:
        return False
    try:
        end = replace(witness, position=position).replay()
    except BestlineError:
        return True
    game: Any = position.game
    return bool(game.progress(end.table) < game.default_target())
