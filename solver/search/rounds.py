"""Fewest rounds over a game's own rounds: forward where luck is known or kind, against luck where it is cruel.

``soonest`` is a layered search. Of keys equal in the rest it keeps only those whose purse no other one exceeds.
More in the purse is never worse. ``forced`` looks for a choice after which every answer of fate leads to a key from
which the goal can be forced in one round less. A purse from which it can be forced proves every fuller one, a lost
purse every emptier one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import ge
from typing import Any, Final, NamedTuple, Protocol

from rules.core.challenge import ChanceMode
from rules.core.errors import DisagreementError
from rules.core.steps import Step
from solver.search.budget import Budget

_CHECK_EVERY: Final = 64

Purse = tuple[int, ...]


class Key(NamedTuple):
    """What matters between two rounds: a purse, of which more is never worse, and the rest."""

    rest: Any
    """Hashable."""
    purse: Purse


class RoundEdge(NamedTuple):
    """What one choice and one answer of fate make of a key."""

    choice: Any
    """Hashable: what the player does in the round; equal for all edges that differ in fate only."""
    fate: Any
    """Hashable: what fate answers."""
    after: Key | None
    """Nothing where the goal is reached within the round."""


class RoundEncoding(Protocol):
    """One question about one table, round by round.

    Whatever it leaves out of a position it leaves out in the player's favour. What no key can reach in so many rounds
    no position can. Whether a line of the game does what a search finds is shown by playing it.
    """

    fate: ChanceMode
    start: Key
    horizon: int
    """Rounds for which the encoding holds; nothing is said about more."""
    relaxations: tuple[str, ...]
    """What the encoding leaves out in the player's favour, in words."""

    def prepare(self, rounds: int, *, lax: bool) -> None:
        """Get ready for a search of at most so many rounds; where ``lax``, nothing ever runs out in it."""

    def fits(self, path: Sequence[RoundEdge]) -> bool:
        """Return whether there is enough of everything for the edges of a path."""

    def edges(self, key: Key, gone: int) -> Iterator[RoundEdge]:
        """Yield what can be done in a key after so many of the rounds prepared for.

        Where fate is kind its answers are choices too; where it is cruel each choice comes with one answer. An edge may
        be left out if it is hopeless or another one is at least as good: equal in the rest, and with purses as full at
        its end and within the round.
        """

    def answers(self, key: Key, gone: int, choice: Any) -> Iterator[RoundEdge]:
        """Yield what every answer of a cruel fate makes of a choice, those soonest that are likely to be the worst."""

    def hopeless(self, key: Key, gone: int, left: int) -> bool:
        """Return true only where the goal is out of reach in ``left`` rounds, after ``gone`` others."""

    def tries(self, path: Sequence[RoundEdge], steps: Sequence[Step]) -> Sequence[Step]:
        """Return those of the open steps of a game that agree with the first edge of a path.

        The likeliest to keep to the whole path comes first; a caller that plays a line comes back to the others.
        """

    def is_boundary(self, table: Any) -> bool:
        """Return whether a table lies between two rounds."""


_Reached = tuple[Key, tuple[RoundEdge, ...]]
"""A key with the path to it."""


@dataclass(slots=True)
class Tally:
    """What a search has done so far."""

    edges: int = 0
    """Rounds played, repeats included."""
    keys: int = 0
    """Distinct keys kept by the last search."""


@dataclass(slots=True)
class RoundSearch:
    """Searches one encoding; the tally adds up over all searches."""

    encoding: RoundEncoding
    budget: Budget
    tally: Tally = field(default_factory=Tally)
    _won: dict[tuple[Hashable, int], list[tuple[Purse, Hashable]]] = field(default_factory=dict)
    """Purses from which the goal can be forced in so many rounds, with how; likewise ``_lost`` where it cannot."""
    _lost: dict[tuple[Hashable, int], list[Purse]] = field(default_factory=dict)

    def soonest(self, rounds: int) -> tuple[RoundEdge, ...] | None:
        """Return a path to the goal within so many rounds, or nothing where there are none.

        Raises:
            BudgetExceeded: the limit was hit.
            DisagreementError: an edge uses more cards than there are; always a bug.
        """
        for lax in (True, False):
            self.encoding.prepare(rounds, lax=lax)
            found = self._soonest(rounds)
            # Where nothing is left out of reach although nothing runs out, and where the path uses no more than
            # there is, the answer holds as it is.
            if found is None or self.encoding.fits(found):
                return found
        raise DisagreementError("a search that counts its cards uses more of them than there are")

    def _soonest(self, rounds: int) -> tuple[RoundEdge, ...] | None:
        encoding, self.tally.keys = self.encoding, 0
        if encoding.hopeless(encoding.start, 0, rounds):
            return None
        layer: dict[Hashable, list[_Reached]] = {encoding.start.rest: [(encoding.start, ())]}
        for gone in range(rounds):
            following: dict[Hashable, list[_Reached]] = {}
            for key, path in (one for same in layer.values() for one in same):
                self.budget.check(self.tally.keys)
                for edge in encoding.edges(key, gone):
                    self._count()
                    after = edge.after
                    if after is None:
                        return (*path, edge)
                    same = following.setdefault(after.rest, [])
                    if not any(_fuller(other.purse, after.purse) for other, _ in same):
                        same[:] = [one for one in same if not _fuller(after.purse, one[0].purse)]
                        same.append((after, (*path, edge)))
            layer = following
            self.tally.keys += sum(map(len, layer.values()))
            self.budget.check(self.tally.keys)
        return None

    def forced(self, rounds: int) -> tuple[RoundEdge, ...] | None:
        """Return the player's choices against answers that hold out longest, or nothing where fate can prevent it.

        Raises:
            BudgetExceeded: the limit was hit.
        """
        self.encoding.prepare(rounds, lax=False)
        self.tally.keys = 0
        self._won.clear()
        self._lost.clear()
        if not self._forces(self.encoding.start, 0, rounds):
            return None
        path: list[RoundEdge] = []
        key: Key | None = self.encoding.start
        while key is not None:
            gone, left = len(path), rounds - len(path)
            choice = self._choice(key, left)
            answers = list(self.encoding.answers(key, gone, choice))
            open_ones = [edge for edge in answers if edge.after is not None]
            longest = [edge for edge in open_ones if edge.after and not self._forces(edge.after, gone + 1, left - 2)]
            path.append((longest or open_ones or answers)[0])
            key = path[-1].after
        return tuple(path)

    def _choice(self, key: Key, left: int) -> Hashable:
        """Return a choice that is known to force the goal from a key."""
        return next(choice for purse, choice in self._won[key.rest, left] if _fuller(key.purse, purse))

    def _forces(self, key: Key, gone: int, left: int) -> bool:
        """Return whether the goal can be forced in ``left`` rounds."""
        if left <= 0:
            return False
        known = (key.rest, left)
        if any(_fuller(key.purse, purse) for purse, _ in self._won.get(known, ())):
            return True
        if any(_fuller(purse, key.purse) for purse in self._lost.get(known, ())):
            return False
        choice = None if self.encoding.hopeless(key, gone, left) else self._forcing(key, gone, left)
        if choice is None:
            kept = [purse for purse in self._lost.get(known, ()) if not _fuller(key.purse, purse)]
            self._lost[known] = [*kept, key.purse]
        else:
            self._won.setdefault(known, []).append((key.purse, choice))
        self.tally.keys += 1
        return choice is not None

    def _forcing(self, key: Key, gone: int, left: int) -> Hashable | None:
        self.budget.check(self.tally.keys)
        for first in self.encoding.edges(key, gone):
            choice: Hashable = first.choice
            if self._leads(first, gone, left) and all(
                self._leads(edge, gone, left) for edge in self.encoding.answers(key, gone, choice)
            ):
                return choice
        return None

    def _leads(self, edge: RoundEdge, gone: int, left: int) -> bool:
        """Return whether the goal is reached, or can be forced in the rounds left after this one."""
        self._count()
        return edge.after is None or self._forces(edge.after, gone + 1, left - 1)

    def _count(self) -> None:
        self.tally.edges += 1
        if self.tally.edges % _CHECK_EVERY == 0:
            self.budget.check(self.tally.keys)


def _fuller(one: Purse, other: Purse) -> bool:
    """Return whether one purse holds at least as much of everything."""
    return all(map(ge, one, other))
