"""``SEAT``: whether the first seat, or one identity, wins more often than it should.

Games of two are played from seeded deals by players who are alike, and decisive ones counted. Two sequential tests run
side by side (SPRT; Wald, *Sequential Analysis*, 1947). They test a fair chance against one that is ``TOLERANCE``
higher, and against one that is as much lower, each with an error of 5 %. Sampling stops as soon as both are settled.
The seats have equal identities, or change them where the rules know each once, so that an identity is not taken for a
seat. The result holds for the policy of ``recorded.py``. The game itself may be judged by it only where skill is no
remedy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import log
from typing import Any, Final

from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.schema import Faults
from solver.audit.finding import Finding, Level, Notebook, Searched, place_of
from solver.audit.recorded import Estimate, dealt, played, share
from solver.search.budget import Budget

GAMES: Final = 600
"""Games at most."""
DECISIVE: Final = 10
"""Decisive games under which nothing is said."""
GIVE_UP: Final = 12
"""Games after which a game that is hardly ever decided is left alone."""
TOLERANCE: Final = 0.1
"""How far from one half a chance has to lie to be told."""
ERROR: Final = 0.05
"""Chance of a wrong answer of each test."""


class Sprt:
    """One sequential test of a coin: chance one half, or one half and ``edge`` more, which may be negative."""

    def __init__(self, edge: float) -> None:
        self._hit = log((0.5 + edge) / 0.5)
        self._miss = log((0.5 - edge) / 0.5)
        self._ratio = 0.0
        self.verdict = ""
        """``fair`` or ``biased`` once it is settled."""

    def see(self, *, hit: bool) -> None:
        """Take one decisive game into account; nothing is changed once the test is settled."""
        if self.verdict:
            return
        self._ratio += self._hit if hit else self._miss
        bar = log((1 - ERROR) / ERROR)
        if abs(self._ratio) >= bar:
            self.verdict = "biased" if self._ratio > 0 else "fair"


@dataclass(frozen=True, slots=True)
class SeatSample:
    """What games of two say of the first seat."""

    games: int
    decisive: int
    first: Estimate
    """Share of the decisive games that the first seat has won."""
    verdict: str
    """``first`` or ``second`` where that seat has the edge, ``fair``, or nothing while it is open."""
    seed: int
    complete: bool
    """Whether the tests were settled, or as many games played as were set."""


def two_players(notebook: Notebook) -> bool:
    """Return whether a ruleset can be played by two."""
    least, most = notebook.ruleset.definition.players_allowed(notebook.ruleset)
    return least <= 2 <= most


def sampled_seats(notebook: Notebook, budget: Budget) -> SeatSample:
    """Return what games of two say; taken once for an audit."""
    known = notebook.results.get(SeatSample)
    if known is not None:
        return known
    up, down = Sprt(TOLERANCE), Sprt(-TOLERANCE)
    games = decisive = first = 0
    while games < GAMES and not (up.verdict and down.verdict):
        if budget.is_over or (games >= GIVE_UP and decisive * 10 < games):
            break
        game = played(even(notebook.ruleset, notebook.seed, games), games)
        games += 1
        if len(game.winners) != 1:
            continue
        decisive += 1
        first += game.winners[0] == 0
        up.see(hit=game.winners[0] == 0)
        down.see(hit=game.winners[0] == 0)
    verdict = ""
    if decisive >= DECISIVE:
        biased = {"first": up.verdict == "biased", "second": down.verdict == "biased"}
        both = up.verdict == down.verdict == "fair"
        verdict = next((seat for seat, is_so in biased.items() if is_so), "fair" if both else "")
    complete = bool(up.verdict and down.verdict) or not budget.is_over
    return notebook.results.add(SeatSample(games, decisive, share(first, decisive), verdict, notebook.seed, complete))


def find_seat(notebook: Notebook) -> None:
    """Write down an edge of the first or second seat, and of an identity over another one."""
    if not two_players(notebook):
        notebook.searched.append(Searched("SEAT", "this ruleset is not for two players"))
        return
    identities = bool(roles(dealt(notebook.ruleset, 2, notebook.seed, 0))[1])
    found = sampled_seats(notebook, notebook.budget.share(0.5 if identities else 1.0))
    told = f"{found.games} games of two, {found.decisive} of them decisive, seed {found.seed}"
    if found.verdict in ("first", "second"):
        part = (
            found.first
            if found.verdict == "first"
            else share(round((1 - found.first.value) * found.first.n), found.first.n)
        )
        notebook.add(
            Finding(
                code="SEAT",
                subject=f"{found.verdict} seat",
                level=Level.WARNING,
                claim=(
                    f"the {found.verdict} seat wins {part.words} of the decisive games between players who play alike; "
                    f"{told}"
                ),
                place=place_of(notebook.ruleset, ()),
                measure=round(1000 * abs(found.first.value - 0.5)),
                data={**part.numbers, "games": found.games, "seed": found.seed, "tolerance": TOLERANCE},
            )
        )
    words = {"": "not settled", "fair": f"no edge of {TOLERANCE:.0%} or more"}.get(found.verdict, "an edge")
    others = _find_roles(notebook)
    first = f"; the first seat wins {found.first.words}" if found.decisive else ""
    notebook.searched.append(Searched("SEAT", f"{told}: {words}{first}{others}", found.complete))


# Identities

ROLE_GAMES: Final = 40
"""Games of each pair of identities, in both orders of the seats."""


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
    position.definition.check_state(state, position.setting, faults)
    return None if faults.count else replace(position, state=state)


def _is_seats(value: Any, players: int) -> bool:
    return isinstance(value, list) and len(value) == players and all(isinstance(seat, dict) for seat in value)


def even(ruleset: Ruleset, seed: int, number: int) -> Position:
    """Return a deal for two that favours no seat by its identity, if the game has any.

    Both seats have the same one, each in its turn. Where the rules refuse that, two identities play two games that
    begin alike, in both orders of the seats.
    """
    position = dealt(ruleset, 2, seed, number)
    key, names = roles(position)
    if not names:
        return position
    equal = with_roles(position, key, (names[number % len(names)],) * 2)
    if equal is not None:
        return equal
    pairs = list(combinations(names, 2))
    pair = pairs[number // 2 % len(pairs)]
    changed = with_roles(dealt(ruleset, 2, seed, number // 2), key, pair if number % 2 == 0 else pair[::-1])
    return position if changed is None else changed


def _find_roles(notebook: Notebook) -> str:
    """Write down an identity that beats another one in both orders of the seats, and return what was played."""
    key, names = roles(dealt(notebook.ruleset, 2, notebook.seed, 0))
    if not names:
        return ""
    told: list[str] = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            hits = n = 0
            for number in range(ROLE_GAMES):
                if notebook.budget.is_over:
                    break
                # The same deal twice, the roles changing seats, so that the seats cancel out.
                deal = dealt(notebook.ruleset, 2, notebook.seed, number // 2)
                pair = (one, other) if number % 2 == 0 else (other, one)
                position = with_roles(deal, key, pair)
                if position is None:
                    break
                game = played(position, number // 2)
                if len(game.winners) == 1:
                    n += 1
                    hits += pair[game.winners[0]] == one
            part = share(hits, n)
            if n:
                told.append(f"{one} against {other} {part.words}")
            better, worse = (one, other) if part.value > 0.5 else (other, one)
            if n >= DECISIVE and (part.low > 0.5 + TOLERANCE or part.high < 0.5 - TOLERANCE):
                won = part if better == one else share(n - hits, n)
                notebook.add(
                    Finding(
                        code="SEAT",
                        subject=f"{better} over {worse}",
                        level=Level.WARNING,
                        claim=(
                            f"the {key} {better} beats {worse} in {won.words} of the decisive games, "
                            f"seed {notebook.seed}"
                        ),
                        place=place_of(notebook.ruleset, [better]),
                        measure=round(1000 * (won.value - 0.5)),
                        data={**won.numbers, "seed": notebook.seed, "tolerance": TOLERANCE},
                    )
                )
    return f"; {', '.join(told)}" if told else ""
