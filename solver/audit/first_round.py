"""``RUSH`` in the first round: a game that can be won before anybody has had a second round.

Each of some open deals is searched exactly for a win in the first round, or in the first own turn where the game has no
rounds, with every identity that the game has. The finding states the share of deals with such a win, with its interval.
A player who knows the order of the piles has that chance, and nobody has a greater one. ``book.py`` tries what a player
makes of it who does not know. Rulings that refuse the line are possible cures. A win that the base has too, from the
same deal, is inherited: it is no fault of the change, and no less a fault. Where no deal fits both, since they have
other cards, deals of the base are searched for such a win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from puzzles.loader import question_of
from rules.core.challenge import Challenger, Measure, Opponent
from rules.core.chance import SplitMix64, mix
from rules.core.errors import BestlineError, ContentError, Fault
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.tools.relaxation import under
from rules.core.tools.rulebook import option_texts
from rules.core.turns import State
from solver.answer import Status
from solver.audit.finding import Finding, Level, Notebook, Witness, place_of
from solver.audit.recorded import Estimate, dealt, race_of, share, texts
from solver.audit.seat import roles, with_roles
from solver.engines.solve import solve
from solver.search.budget import Budget

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

    It is an error. It is a warning where the base has it too, or the search of its deal was cut short. It is a note
    where the decks differ and too few deals of the base were settled to tell the two apart.
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


# How often a win in the first round comes off under real shuffles, for somebody who does not know the order


LEARNED: Final = 400
"""Shuffles on which ways through the book are tried,"""
FOLLOWED: Final = 1000
"""and on which the best one is followed."""
FRESH: Final = 1_000_003
"""Numbers of the deals from here on are those on which it is followed, so that it has seen none of them."""

Choices = tuple[str, ...]


@dataclass(slots=True)
class BookMove:
    """One choice in the book."""

    tries: int = 0
    wins: int = 0

    @property
    def mean(self) -> float:
        """Return how often it won, a little less sure the less often it was tried (Laplace's rule of succession)."""
        return (self.wins + 1) / (self.tries + 2)


@dataclass(slots=True)
class Book:
    """What is chosen after which choices."""

    entries: dict[Choices, dict[str, BookMove]] = field(default_factory=dict)

    def add(self, witness: Witness) -> None:
        """Write the choices of a line down."""
        game, state = witness.position.start()
        made: Choices = ()
        for text in witness.steps:
            if len(game.legal_moves(state)) > 1:
                self.entries.setdefault(made, {}).setdefault(text, BookMove())
                made = (*made, text)
            state = game.apply(state, game.parse_step(state, text)).state

    def follow(self, position: Position, generator: SplitMix64 | None = None) -> bool:
        """Return whether a deal is won by the book: by its best way, or by a random one that is then learned from."""
        game: Any = position.game
        _, state = position.start()
        made: Choices = ()
        taken: list[BookMove] = []
        won = False
        while not (won := _is_won(game, state)) and not game.is_over(state.table):
            moves = sorted(game.legal_moves(state), key=lambda move: move.text)
            known = self.entries.get(made, {})
            fitting = [move for move in moves if move.text in known]
            if len(moves) == 1:
                move = moves[0]
            elif not fitting:
                break
            elif generator is not None:
                move = fitting[generator.below(len(fitting))]
            else:
                move = max(fitting, key=lambda each: known[each.text].mean)
            if len(moves) > 1:
                taken.append(known[move.text])
                made = (*made, move.text)
            state = game.apply(state, move).state
        for entry in taken if generator is not None else ():
            entry.tries += 1
            entry.wins += won
        return won


def _is_won(game: Any, state: State[Any]) -> bool:
    return not state.pending and bool(game.progress(state.table) >= game.default_target())


def chance_by_book(
    lines: Sequence[Witness], deal: Callable[[int], Position], seed: int, budget: Budget
) -> Estimate | None:
    """Return the share of fresh deals that are won by what lines of other deals teach, nothing where there is no time.

    ``deal`` gives the open deal of a number.
    """
    book = Book()
    for line in lines:
        book.add(line)
    generator = SplitMix64(mix(seed))
    for number in range(LEARNED):
        if budget.is_over:
            return None
        book.follow(deal(FRESH + number), generator)
    hits = n = 0
    while n < FOLLOWED and not budget.is_over:
        hits += book.follow(deal(FRESH + LEARNED + n))
        n += 1
    return share(hits, n) if n else None
