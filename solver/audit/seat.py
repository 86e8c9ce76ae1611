"""``SEAT``: whether a seat or an identity wins more often than it should, and more often than under the base.

Whole games of two are played from seeded deals by one rule of thumb, and those with one winner counted. The seats have
equal identities, or change them where the rules know each once, so that an identity is not taken for a seat. The result
holds for that rule. An edge counts from ``TOLERANCE`` on, and beside a base only where it is larger than there by more
than chance and the margin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from rules.core.files import Faults
from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from solver.audit.finding import Notebook, Searched
from solver.audit.play import Estimate, sampled, share

GAMES: Final = 600
"""Games of two."""
DECISIVE: Final = 10
"""Games with one winner under which nothing is said."""
TOLERANCE: Final = 0.1
"""How far from one half a chance has to lie to be told."""
ROLE_GAMES: Final = 300
"""Games of each pair of identities, half of them in either order of the seats."""


def two_players(ruleset: Ruleset) -> bool:
    """Return whether a ruleset can be played by two."""
    least, most, _ = ruleset.definition.players_allowed(ruleset)
    return least <= 2 <= most


def first_seat(notebook: Notebook, ruleset: Ruleset) -> Estimate:
    """Return the share of games of two with one winner that the first seat has won; played once for an audit."""
    if (known := notebook.seats.get(ruleset.fingerprint)) is None:
        known = sampled(ruleset, 2, notebook.seed, notebook.budget, even, GAMES, notebook.beside(ruleset)).decided(0)
        notebook.seats[ruleset.fingerprint] = known
    return known


def find_seat(notebook: Notebook) -> None:
    """Write down an edge of the first or second seat, and of an identity over another one."""
    if not two_players(notebook.ruleset):
        notebook.searched.append(Searched("SEAT", "this ruleset is not for two players"))
        return
    told = [_compared(notebook, "seat", ("first seat", "second seat"), first_seat, ())]
    key, names = roles(new_position(notebook.ruleset, 2, notebook.seed, ()))
    for one, other in combinations(filter(notebook.wants, names), 2):

        def won(notebook: Notebook, ruleset: Ruleset, pair: tuple[str, str] = (one, other)) -> Estimate:
            return _of_pair(notebook, ruleset, key, pair)

        told.append(_compared(notebook, key, (f"{one} over {other}", f"{other} over {one}"), won, (one, other)))
    words = "whole games of two by a rule of thumb, those with one winner: " + ", ".join(each for each, _ in told)
    over = notebook.budget.is_over
    complete = not over and min(decided for _, decided in told) >= DECISIVE
    lack = "" if over else "undecided: hardly a game had one winner"
    notebook.searched.append(Searched("SEAT", words, complete, lack=lack))


def _compared(
    notebook: Notebook,
    what: str,
    subjects: tuple[str, str],
    measure: Callable[[Notebook, Ruleset], Estimate],
    names: tuple[str, ...],
) -> tuple[str, int]:
    """Write down which of two wins too often, if one does; return what was measured in words, and in how many games."""
    base, own = notebook.other, measure(notebook, notebook.ruleset)
    before = measure(notebook, base) if base is not None and two_players(base) else None
    told = f"{subjects[0]} {own.words}" + ("" if before is None else f", under the base {before.words}")
    for subject, now, then in (
        (subjects[0], own, before),
        (subjects[1], own.rest, None if before is None else before.rest),
    ):
        if then is not None and now.n >= DECISIVE and now.low > 0.5 + TOLERANCE and now.beats(then, notebook.margin):
            claim = (
                f"the {f'{what} {subject}' if names else subject} wins {now.words} of the games with one winner "
                f"between players who play alike; {then.words} under the base"
            )
            notebook.add_share("SEAT", subject, claim, now, then, where=names, data={"tolerance": TOLERANCE})
    return told, own.n


def roles(position: Position) -> tuple[str, list[str]]:
    """Return the field that says what a seat is, and its values: a text of each seat that names an entry.

    A game without such a field gives an empty name.
    """
    seats: list[Any] = next((value for value in position.state.values() if _is_seats(value, position.players)), [])
    for key, value in seats[0].items() if seats else ():
        for table in position.definition.collections:
            entries = position.ruleset.raw.get(table, {})
            if isinstance(value, str) and value in entries and len(entries) > 1:
                return key, sorted(entries)
    return "", []


def with_roles(position: Position, key: str, names: tuple[str, ...]) -> Position | None:
    """Return a position with other roles, or nothing where the rules refuse them."""
    state = {
        name: [{**seat, key: role} for seat, role in zip(value, names, strict=True)]
        if _is_seats(value, position.players)
        else value
        for name, value in position.state.items()
    }
    faults = Faults()
    position.definition.check_state(state, position, faults)
    return None if faults.count else replace(position, state=state)


def _is_seats(value: Any, players: int) -> bool:
    return isinstance(value, list) and len(value) == players and all(isinstance(seat, dict) for seat in value)


def even(position: Position, number: int) -> Position:
    """Return a deal for two that favours no seat by its identity, if the game has any.

    Both seats have the same one, each in its turn. Where the rules refuse that, pairs of identities take turns, in both
    orders of the seats.
    """
    key, names = roles(position)
    if not names:
        return position
    pairs = list(combinations(names, 2))
    pair = pairs[number // 2 % len(pairs)]
    equal = with_roles(position, key, (names[number % len(names)],) * 2)
    changed = equal or with_roles(position, key, pair if number % 2 == 0 else pair[::-1])
    return position if changed is None else changed


def _of_pair(notebook: Notebook, ruleset: Ruleset, key: str, pair: tuple[str, str]) -> Estimate:
    """Return the share of games that the first of two identities wins, half of them in either seat."""
    shares = []
    for order in (pair, pair[::-1]):

        def seated(position: Position, _: int, order: tuple[str, str] = order) -> Position:
            return with_roles(position, key, order) or position

        beside, half = notebook.beside(ruleset), ROLE_GAMES // 2
        games = sampled(ruleset, 2, notebook.seed, notebook.budget, seated, half, beside)
        shares.append(games.decided(order.index(pair[0])))
    return share(round(sum(each.n * each.value for each in shares)), sum(each.n for each in shares))
