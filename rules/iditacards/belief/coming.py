"""Which cards are told apart where others come from a supply with two turns left to play (R40, ``belief.gains``).

Before that a turn is spent on taking them: it plays no card, pays nothing and turns nothing over. So where a card is
about to be followed by that turn, two cards are alike that are alike on all stances which it leads to, with two turns
left, on each day that gained cards are played on (``belief.aim``): exchanging one for the other then changes no worth
of any such day, whatever is turned over and taken. Where cards are drawn on that turn, they count in the deck as in
hand. Gained cards are alike by the same argument if they are on the same day.

What is told beside these days (``belief.besides``) hangs on more: who gives up a dog to pay with it plays another card
on one of a few boards, and who turns over a card for one that begins a new day reads what that card does. Both are read
off the plays likewise, and count besides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.kinds import Map, classes_of
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, NEW_DAY, Draw, End, Play
from rules.iditacards.compact.steps import DESTROY_HAND

if TYPE_CHECKING:
    from rules.iditacards.belief.day import BeliefDay
    from rules.iditacards.belief.form import BeliefForm
    from rules.iditacards.belief.gains import Gains

LEFT: Final = 2
"""Turns left that are told here."""


class Coming(NamedTuple):
    """What counts of cards."""

    hand: Map
    deck: Map
    gained: dict[str, str]
    """By gained card: one that is alike."""


class Signs:
    """What tells cards apart, gathered from one day and stance after the other."""

    def __init__(self, copies: Sequence[int]) -> None:
        """``copies`` are those of each kind in hand and deck before any card has come."""
        self._copies = copies
        self.room = [sum(copies) for _ in copies]
        """How many cards there is room for everywhere, by the kind that they are taken for."""
        self.hand: list[list[Hashable]] = [[] for _ in copies]
        self.deck: list[list[Hashable]] = [[] for _ in copies]
        self.gained: dict[str, list[Hashable]] = {}

    def classes(self) -> Coming:
        """Return what has been gathered as classes."""
        gained: dict[Hashable, str] = {}
        alike = {name: gained.setdefault(tuple(signs), name) for name, signs in self.gained.items()}
        return Coming(self._named(self.hand), self._named(self.deck), alike)

    def _named(self, signs: Sequence[Sequence[Hashable]]) -> Map:
        """Return the classes of kinds of the same signs, as far as there is room for their cards."""
        return classes_of([tuple(each) for each in signs], self._copies, self.room)


class Comings:
    """What counts before cards come, by where the turn ends on which they are taken."""

    def __init__(self, day: BeliefDay, gains: Gains) -> None:
        """``day`` is the one that the cards are taken on."""
        self._day = day
        self._gains = gains
        self._known: dict[frozenset[tuple[int, int]], Coming | None] = {}
        self._forms: dict[int, BeliefForm | None] = {}
        """By day, which ``Gains`` keeps."""

    def before(self, ends: Iterable[tuple[int, int]]) -> Coming | None:
        """Return what counts at the end of a turn after which cards are taken with two turns left; nothing if all may.

        The turn may have ended in several ways, each a board and a risk stack.
        """
        name = frozenset(ends)
        if name not in self._known:
            try:
                self._known[name] = self._told(sorted(name))
            except OutOfReach:
                self._known[name] = None
        return self._known[name]

    def _told(self, stances: Sequence[tuple[int, int]]) -> Coming | None:
        day = self._day
        if day.layout is None or day.banned:
            return None
        plays = [
            day.plays.play(at, stack, CONTINUES_IN_VAIN)
            for board, stack in stances
            for at in day.boards_to_act_on(board)
        ]
        ends = list(dict.fromkeys(end for play in plays for end in play.ends))
        signs = Signs([day.kinds.copies(day.loose + day.gifts, kind) for kind in range(len(day.kinds.names))])
        for group, later in self._gains.days():
            form = self._form(later)
            if form is None:
                return None
            signs.gained |= {name: [group] for name in group}
            room, index = form.room(), later.kinds.index
            signs.room = [min(most, room[index[name]]) for most, name in zip(signs.room, day.kinds.names, strict=True)]
            for end in ends:
                if not day.is_settled(end.board):
                    self._add(signs, group, later, form, end)
        for name in signs.gained:
            self._add_besides(signs, name, plays)
        return signs.classes()

    def _form(self, day: BeliefDay) -> BeliefForm | None:
        if id(day) not in self._forms:
            assert self._day.layout is not None
            day.target = self._day.target
            self._forms[id(day)] = day.form(day.target, LEFT, self._day.layout)
        return self._forms[id(day)]

    def _add(self, signs: Signs, group: Sequence[str], later: BeliefDay, form: BeliefForm, end: End) -> None:
        """Add what tells cards apart on a day that begins where a turn has ended.

        Raises:
            OutOfReach: it is not carried.
        """
        hands, decks = form.counting(end.board, end.stack, LEFT)
        if not all(isinstance(order, Draw) for order in end.orders):
            raise OutOfReach
        for kind, name in enumerate(self._day.kinds.names):
            there = later.kinds.index[name]
            signs.hand[kind].append(hands[there])
            signs.deck[kind].append((decks[there], hands[there]) if end.orders else decks[there])
        for name in group:
            signs.gained[name].append(hands[later.kinds.index[name]])

    def _add_besides(self, signs: Signs, name: str, plays: Sequence[Play]) -> None:
        """Add what tells cards apart where a gained card is told for itself.

        Raises:
            OutOfReach: that is not carried.
        """
        card = self._day.card(name)
        ops = {effect.op for effect in card.instant}
        gives_up = card.passive.get("dies_to", {}).get("zone") == "hand"
        if gives_up or ops & {NEW_DAY, DESTROY_HAND} or any(effect.when or effect.unless for effect in card.instant):
            signs.gained[name].append(name)
        kinds = self._day.kinds.names
        if gives_up:
            for free in self._gains.besides.boards_without(plays, name):
                for kind, own in enumerate(kinds):
                    signs.hand[kind].append(self._gains.besides.last(free, own))
        if NEW_DAY in ops:
            for free in self._gains.besides.boards_before_a_day(plays, name):
                for kind, own in enumerate(kinds):
                    signs.deck[kind].append(self._gains.besides.turned(free, name, own))
