"""Fewest rounds over a game's own rounds: forward where luck is known or kind, both ways round where it is cruel.

``soonest`` is a layered search in which each layer keeps, of keys equal in the rest, only the purses that no other one
is at least as full as; the form says that more in the purse is never worse. ``forced`` asks for a choice after which
every answer of fate leads to a key from which the goal can be forced in one round less; what is known of one purse is
known of every fuller one, and what is out of reach of one of every emptier one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import ge
from typing import Any, Final, NamedTuple, Protocol

from rules.core.challenge import Fate
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


class Way(NamedTuple):
    """What one choice and one answer of fate make of a key."""

    choice: Any
    """Hashable: what the player does in the round; equal for all ways that differ in fate only."""
    fate: Any
    """Hashable: what fate answers."""
    after: Key | None
    """Nothing where the goal is reached within the round."""


class Offer(NamedTuple):
    """Choices of which one answer of fate makes the same; a single choice where fate is not cruel."""

    way: Way
    """What that answer makes of each of them."""
    choices: Sequence[Any]


class RoundForm(Protocol):
    """One question about one table, round by round.

    Whatever it leaves out of a position it leaves out in the player's favour, so that what no key can reach in so many
    rounds no position can; whether a line of the game does what was found is shown by playing it.
    """

    fate: Fate
    start: Key
    horizon: int
    """Rounds for which the form holds; nothing is said about more."""
    relaxations: tuple[str, ...]
    """What the form leaves out in the player's favour, in words."""

    def prepare(self, rounds: int, *, lax: bool) -> None:
        """Get ready for a search of at most so many rounds; where ``lax``, nothing ever runs out in it."""

    def fits(self, ways: Sequence[Way]) -> bool:
        """Return whether there is enough of everything for these ways in a row."""

    def offers(self, key: Key, gone: int) -> Iterator[Offer]:
        """Yield what can be done in a key after so many of the rounds prepared for.

        Where fate is kind its answers are choices too. Ways that are hopeless may be left out, and so may a way that
        another one is at least as good as: equal in the rest, and no purse of it is emptier, at its end or on the way.
        """

    def answers(self, key: Key, gone: int, choice: Any) -> Iterator[Way]:
        """Yield what every answer of a cruel fate makes of a choice, those soonest that are likely to be the worst."""

    def hopeless(self, key: Key, gone: int, left: int) -> bool:
        """Return true only where the goal is out of reach in ``left`` rounds, after ``gone`` others."""

    def tries(self, ways: Sequence[Way], steps: Sequence[Step]) -> Sequence[Step]:
        """Return those of the open steps of a game that do what the first way says, as far as it says anything.

        The likeliest to keep to all the ways comes first; whoever plays a line comes back to the others.
        """

    def is_boundary(self, table: Any) -> bool:
        """Return whether a table lies between two rounds."""


@dataclass(slots=True)
class Tally:
    """What a search has done so far."""

    ways: int = 0
    """Rounds played, repeats included."""
    keys: int = 0
    """Distinct keys kept by the last search."""


class _Reached(NamedTuple):
    key: Key
    way: Way | None
    before: _Reached | None


@dataclass(slots=True)
class RoundSearch:
    """Searches one form; the tally adds up over all searches."""

    form: RoundForm
    budget: Budget
    tally: Tally = field(default_factory=Tally)
    _won: dict[tuple[Hashable, int], list[tuple[Purse, Hashable]]] = field(default_factory=dict)
    """Purses from which the goal can be forced in so many rounds, with how; likewise ``_lost`` where it cannot."""
    _lost: dict[tuple[Hashable, int], list[Purse]] = field(default_factory=dict)

    def soonest(self, rounds: int) -> tuple[Way, ...] | None:
        """Return ways to the goal within so many rounds, or nothing where there are none.

        Raises:
            BudgetExceeded: the limit was hit.
            DisagreementError: a way uses more cards than there are; always a bug.
        """
        for lax in (True, False):
            self.form.prepare(rounds, lax=lax)
            found = self._soonest(rounds)
            # Where nothing is left out of reach although nothing runs out, and where the way found uses no more than
            # there is, the answer holds as it is.
            if found is None or self.form.fits(found):
                return found
        raise DisagreementError("a search that counts its cards uses more of them than there are")

    def _soonest(self, rounds: int) -> tuple[Way, ...] | None:
        form, self.tally.keys = self.form, 0
        if form.hopeless(form.start, 0, rounds):
            return None
        layer: dict[Hashable, list[_Reached]] = {form.start.rest: [_Reached(form.start, None, None)]}
        for gone in range(rounds):
            following: dict[Hashable, list[_Reached]] = {}
            for reached in (one for same in layer.values() for one in same):
                self.budget.check(self.tally.keys)
                for offer in form.offers(reached.key, gone):
                    self._count()
                    way = offer.way
                    after = way.after
                    if after is None:
                        return _path(_Reached(reached.key, way, reached))
                    same = following.get(after.rest)
                    if same is None:
                        following[after.rest] = [_Reached(after, way, reached)]
                    elif not any(_fuller(other.key.purse, after.purse) for other in same):
                        kept = [one for one in same if not _fuller(after.purse, one.key.purse)]
                        following[after.rest] = [*kept, _Reached(after, way, reached)]
            layer = following
            self.tally.keys += sum(map(len, layer.values()))
            self.budget.check(self.tally.keys)
        return None

    def forced(self, rounds: int) -> tuple[Way, ...] | None:
        """Return the player's choices against answers that hold out longest, or nothing where fate can prevent it.

        Raises:
            BudgetExceeded: the limit was hit.
        """
        self.form.prepare(rounds, lax=False)
        self.tally.keys = 0
        self._won.clear()
        self._lost.clear()
        if not self._forces(self.form.start, 0, rounds):
            return None
        path: list[Way] = []
        key: Key | None = self.form.start
        while key is not None:
            gone, left = len(path), rounds - len(path)
            choice = self._choice(key, left)
            answers = list(self.form.answers(key, gone, choice))
            open_ones = [way for way in answers if way.after is not None]
            longest = [way for way in open_ones if way.after and not self._forces(way.after, gone + 1, left - 2)]
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
        choice = None if self.form.hopeless(key, gone, left) else self._forcing(key, gone, left)
        if choice is None:
            kept = [purse for purse in self._lost.get(known, ()) if not _fuller(key.purse, purse)]
            self._lost[known] = [*kept, key.purse]
        else:
            self._won.setdefault(known, []).append((key.purse, choice))
        self.tally.keys += 1
        return choice is not None

    def _forcing(self, key: Key, gone: int, left: int) -> Hashable | None:
        self.budget.check(self.tally.keys)
        for offer in self.form.offers(key, gone):
            if not self._leads(offer.way, gone, left):
                continue
            for choice in offer.choices:
                if all(self._leads(way, gone, left) for way in self.form.answers(key, gone, choice)):
                    found: Hashable = choice
                    return found
        return None

    def _leads(self, way: Way, gone: int, left: int) -> bool:
        """Return whether the goal is reached, or can be forced in the rounds left after this one."""
        self._count()
        return way.after is None or self._forces(way.after, gone + 1, left - 1)

    def _count(self) -> None:
        self.tally.ways += 1
        if self.tally.ways % _CHECK_EVERY == 0:
            self.budget.check(self.tally.keys)


def _path(last: _Reached) -> tuple[Way, ...]:
    found: list[Way] = []
    here: _Reached | None = last
    while here is not None and here.way is not None:
        found.append(here.way)
        here = here.before
    return tuple(found[::-1])


def _fuller(one: Purse, other: Purse) -> bool:
    """Return whether one purse holds at least as much of everything."""
    return all(map(ge, one, other))
