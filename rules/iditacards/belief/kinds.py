"""Which kinds of card are alike for somebody with so many turns left in a day, and why that is exact.

Two cards are alike when exchanging one for the other, wherever they lie, changes nothing that a turn still to come can
do to the place on the track. The rules look at a card only through its type, its costs, its effects and what it does
in play (R17 to R21, R36, R50, R54); its name is looked up by no card of a day that ``compact.scope`` admits. So cards
that agree in these are alike at any time. With few turns left more agree:

- *Too late.* The turn that a card is played on pays none of its risks (R29), each later one pays one at most (R30). So
  a card whose least risk is not below the turns left never takes effect; all that counts is what it costs and whether
  it lowers a condition on the table (R21).
- *The last turn.* Nothing drawn, looked at or taken then is ever played. A card from the hand that could only do that,
  or that comes too late, moves nothing whatever its payment does; only R21 is left. As a risk card its costs still
  say whether the frame below is paid.
- *In the deck.* A card there is turned over for a waiting risk now, or comes to the hand and is played later.
- *Too short a deck.* Within a day a deck never grows. A card whose least health cost exceeds it cannot be paid any
  more: all that counts is the energy that goes first, and that all of the deck goes with it (R23). A card whose least
  risk exceeds what its health leaves never takes effect. Draws beyond what is left are draws of all of it.
- *Nobody cold or hungry.* On a plain day (``belief.plain``) both conditions are 0 and stay it, so R21 lowers nothing.

Fewer turns left and shorter decks make more cards alike, never fewer; each class is named by its first kind, so that
classes of fewer turns can be taken of classes of more.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from rules.iditacards.belief.plain import Plain, adds
from rules.iditacards.belief.worn import FORGOTTEN
from rules.iditacards.compact.cards import Kinds
from rules.iditacards.compact.steps import RETURNING, is_taking, supplies
from rules.iditacards.compact.stock import SECOND_STEPS, Stocks
from rules.iditacards.content import Card, Effect
from rules.iditacards.costs import LOWERED_ON_TABLE
from rules.iditacards.rulings import Rulings

IDLE_OPS: Final = frozenset({"take", "destroy_self"})
"""Ops that bring nothing back on the same day (``belief.day.PROJECTIONS``)."""
DECK_OPS: Final = IDLE_OPS | {"draw", "heal", "see", "supply"}
"""Ops that change nothing but the cards, so that nothing comes of them on a last turn; what is left for a turn more
keeps a card that is turned over from counting for the one below (R38, R40)."""
PLACED: Final = frozenset({"dog", "attachment"})
"""Types of cards that stay in play."""
NEW_DAY_PASSIVES: Final = frozenset({"day_draw", "day_end_empty_move", "start_in_play"})
"""Passive ops that only a setup or a new day asks about (R5, R60, R64)."""

LATE: Final = 2
"""Turns left with which nothing comes of a second step but that it takes the other one (R40)."""
TAKING: Final = "taking"
"""What stands for what a card adds to the supply and takes from it, where it counts only that it comes to that."""
TAKES: Final = frozenset({"supply", "take_next"})
"""The ops that do so."""
LOST: Final = "lost"
"""What stands for a card that is avoided, where it is turned over."""
ANY: Final = 1 << 10
"""The size of a deck where it is not looked at: more cards than any deck has."""

Map = tuple[int, ...]
"""For each kind the first one that is alike."""


class Few(NamedTuple):
    """Which hand cards are alike with one or two turns left on a plain day, and how many of each count."""

    classes: Map
    most: tuple[int, ...]
    """By kind: copies beyond so many are as good as idle."""
    idle: int
    """The kind that stands for all idle ones."""


class Twins(NamedTuple):
    """Kinds that differ in nothing but what they cost, and classes of kinds once twins are not told apart."""

    first: Map
    members: tuple[tuple[int, ...], ...]
    """By kind: it and its twins, of those alike at any time only one; nothing but for the first of them."""

    def seen(self, classes: Map) -> Map:
        """Return classes for multisets in which twins are not told apart.

        Twins are in one class then if each of them is in the class of a twin of the same others; where they are not,
        they stay as they are. So it is always possible that cards were counted by their class before.
        """
        found = list(range(len(classes)))
        for kind, first in enumerate(self.first):
            if kind == first:
                into = {self.first[classes[twin]] for twin in self._all(kind)}
                found[kind] = into.pop() if len(into) == 1 else kind
        return tuple(found)

    def few(self, few: Few) -> Few | None:
        """Return what counts of a hand in which twins are not told apart; nothing where not all twins of idle ones are.

        Only copies of a class count that no other class is taken together with, or there might be more of each.
        """
        idle = self.first[few.idle]
        if any(few.classes[twin] != few.idle for twin in self._all(idle)):
            return None
        classes = self.seen(few.classes)
        into: dict[int, set[int]] = {}
        for kind, first in enumerate(self.first):
            into.setdefault(classes[first], set()).add(few.classes[kind])
        most = [ANY] * len(classes)
        for first, together in into.items():
            if first != idle and len(together) == 1:
                most[first] = few.most[min(together)]
        return Few(classes, tuple(most), idle)

    def _all(self, first: int) -> list[int]:
        return [kind for kind, each in enumerate(self.first) if each == first]


class Alike:
    """The classes of kinds by the turns left and the cards left in the deck."""

    def __init__(
        self,
        rulings: Rulings,
        kinds: Kinds,
        stocks: Stocks,
        banned: frozenset[int],
        plain: Plain | None = None,
        *,
        avoided: frozenset[int] = frozenset(),
        idle: frozenset[str] = frozenset(),
        gaining: bool = False,
        wins: bool = False,
        worn: Mapping[str, str] = MappingProxyType({}),
        resting: bool = False,
    ) -> None:
        """``banned`` kinds are not played from the hand; ``plain`` where the day is one (``belief.plain``).

        With ``avoided`` kinds turned over all is lost; ``idle`` ops do nothing. ``gaining``: cards that are taken from
        the supply may come in time. ``wins``: what comes to take any arrives at the target. ``worn`` are attachments
        that do nothing, with what stands for each (``belief.worn``). ``resting``: a new day may follow on any turn.
        """
        self._resting = resting
        self._worn = worn
        self._wins = wins
        self._gaining = gaining
        self._avoided = avoided
        self._idle = idle
        self._rulings = rulings
        self._kinds = kinds
        self._stocks = stocks
        self._banned = banned
        self._plain = plain
        self._cards = [rulings.cards[name] for name in kinds.names]
        self._held: dict[tuple[int, int], Map] = {}
        self._drawing: dict[tuple[int, bool, int], Map] = {}
        self._deck: dict[tuple[int, bool, bool, int], Map] = {}
        self._last: dict[tuple[int, int], Map] = {}
        self.risky = sum(kinds.mask(kind) for kind, card in enumerate(self._cards) if card.risk and kind not in banned)
        """Mask of the kinds that wait for risk cards once they are played from the hand."""
        self.nothing: Map = tuple(0 for _ in self._cards)
        """All kinds alike: no turn is left."""

    @property
    def levels(self) -> int:
        """Return a number of turns left from which on more of them make no difference."""
        return max((self._stocks.least_risk(kind) for kind in range(len(self._cards))), default=0) + 4

    @property
    def plenty(self) -> int:
        """Return a number of cards in hand beyond which more of them pay for nothing more in two turns."""
        return 2 + 2 * self.dearest

    @property
    def enough(self) -> int:
        """Return a number of cards in hand of which one is left to play after any play and its payment."""
        return 2 + self.dearest

    @property
    def dearest(self) -> int:
        """Return the greatest energy that is printed."""
        return max((card.energy or 0 for card in self._cards), default=0)

    def hand(self, turns: int, waiting: bool, size: int = ANY) -> Map:
        """Return the classes of hand cards; while a card waits none is played on the next turn (R14).

        ``size`` is that of the deck.
        """
        turns -= waiting
        found = self._held.get((turns, size))
        if found is None:
            found = self._named(self._in_hand(kind, turns, size) for kind in range(len(self._cards)))
            self._held[turns, size] = found
        return found

    def deck(self, turns: int, waiting: bool, risky: bool, size: int = ANY) -> Map:
        """Return the classes of hidden cards; ``risky``: the hand holds a card that would wait for risk cards."""
        name = (turns, waiting, risky, size)
        found = self._deck.get(name)
        if found is None:
            # A card begun on this turn turns the next one over on the turn after, one drawn now a turn later still.
            flips = max(turns if waiting else turns - 1 if risky else turns - 2, 0)
            below = max(size - 1, 0) if size != ANY else ANY  # once the card has left it
            first = self._named(self._turned_over(kind, flips, below) for kind in range(len(self._cards)))
            held = self.hand(turns - 1, False, below)
            found = self._named(zip(first, held, strict=True)) if turns and size else self.nothing
            self._deck[name] = found
        return found

    def drawing(self, turns: int, waiting: bool, size: int = ANY) -> Map:
        """Return the classes of cards of which some come to the hand before a belief with so many turns left.

        ``size`` is that of the deck then.
        """
        name = (turns, waiting, size)
        found = self._drawing.get(name)
        if found is None:
            pairs = zip(self.hand(turns, waiting, size), self.deck(turns, waiting, True, size), strict=True)
            found = self._drawing[name] = self._named(pairs)
        return found

    def turning_over_last(self, held: int, size: int) -> Map:
        """Return the classes of hidden cards with two turns left, on a day on which every card costs what is printed.

        A card that waits from now on turns one over on the last turn. What is left to pay that with is known: ``held``
        cards in hand and ``size`` in the deck now, less what the waiting card costs. So all that counts of a card
        turned over is whether it can be paid and takes effect at once, and then what it does to the place; if not, all
        that waits comes to nothing or too late, which is the same on the last turn.
        """
        name = (held, size)
        found = self._last.get(name)
        if found is None:
            costs = sorted({(card.energy or 0, card.health) for card in self._cards if card.risk})
            rests = [(held - 1 - energy, size - health - 1) for energy, health in costs]
            first = self._named(self._turned_over_last(kind, rests) for kind in range(len(self._cards)))
            found = self._named(zip(first, self.hand(1, False, max(size - 1, 0)), strict=True))
            self._last[name] = found
        return found

    def _turned_over_last(self, kind: int, rests: Sequence[tuple[int, int]]) -> tuple[Hashable, ...]:
        card = self._cards[kind]
        if kind in self._avoided:
            return (LOST,)
        paid = ((card.energy or 0) <= held and card.health <= size for held, size in rests)
        return tuple(self._effects(card, 1, ANY) if each and not card.risk else None for each in paid)

    def few(self, turns: int, size: int) -> Few | None:
        """Return what counts of a hand with one or two turns left; nothing where no card is idle.

        For a plain day on which any card may be played, while no card waits; with two turns left, for hands of at least
        ``enough`` cards. A card is *idle* if playing it brings nothing and makes nothing wait.

        - *One turn.* All that counts is the best that one card does; any other only pays, a second copy too.
        - *Two turns.* An idle card played first is no better than being played last. Whatever follows it has no fewer
          cards to be paid from where it goes first, does no less there, and leaves the idle card, which was not needed
          to pay; where nothing that follows brings anything, the two turns bring what they bring by themselves. As the
          hand is large enough, a card is left for the last turn in any case. So besides its size a hand counts by what
          is not idle in it: what may be played first, and the best of what is left for the last turn. Of cards that
          bring nothing on a last turn one is enough for that, of others two.

        So with the same deck a hand is never worse for any card in the place of an idle one, and idle cards are the
        ones to pay with. With two turns left while a card waits only the last turn is played from the hand; what is
        turned over before costs the same number of cards in any hand, so what is told of one turn holds there.
        """
        cards = range(len(self._cards))
        facts = [self._facts(kind, turns, size, held=True) for kind in cards]
        idle = [kind for kind in cards if facts[kind][-1] == () and (turns == 1 or not self._waits(kind, size))]
        if not idle:
            return None
        classes = list(self.hand(turns, False, size))
        most = [turns if turns == 1 or self._facts(kind, 1, size, held=True)[-1] != () else 1 for kind in cards]
        for kind in idle:
            classes[kind], most[kind] = idle[0], ANY
        return Few(tuple(classes), tuple(most), idle[0])

    def does_nothing(self, kind: int) -> bool:
        """Return whether nothing that a card does can count with two turns left."""
        return kind in self._avoided or self._facts(kind, 2, ANY)[-1] == ()

    def _waits(self, kind: int, size: int) -> bool:
        return self._cards[kind].risk > 0 and self._stocks.least_health(kind) <= size

    def drawing_for_two(self, held: int, size: int) -> Map:
        """Return the classes of cards of which some come to the hand before the last two turns of a plain day.

        ``held`` cards are in hand then, and ``size`` in the deck; no card waits.
        """
        few = self.few(2, size) if held >= self.enough else None
        hand = self.hand(2, False, size) if few is None else few.classes
        return self._named(zip(hand, self.turning_over_last(min(held, self.plenty), size), strict=True))

    def twins(self) -> Twins:
        """Return the kinds that differ in nothing but what they cost."""
        kinds, turns = range(len(self._cards)), 2 * ANY
        signs = [(self._in_hand(kind, turns, ANY), self._turned_over(kind, turns, ANY)) for kind in kinds]
        names: list[Hashable] = []
        for kind, card in enumerate(self._cards):
            facts = self._facts(kind, turns, ANY)
            apart = card.id in self._rulings.damage_ids or card.id in self._rulings.ends_turn
            alone = apart or kind in self._avoided or "double_risk" in card.passive
            names.append(signs[kind] if alone else (kind in self._banned, facts[0], facts[3:]))
        first = self._named(names)
        members: list[tuple[int, ...]] = []
        for kind in kinds:
            found = {signs[twin]: twin for twin in reversed(kinds) if first[twin] == kind}
            members.append(tuple(sorted(found.values())))
        return Twins(first, tuple(members))

    def paying(self, turns: int) -> Map:
        """Return the classes of cards that may come up for a payment before a belief with so many turns left."""
        return self.deck(turns, True, True) if turns else self.hand(0, False)

    def _named(self, signs: Iterable[Hashable]) -> Map:
        first: dict[Hashable, int] = {}
        return tuple(first.setdefault(sign, kind) for kind, sign in enumerate(signs))

    def _in_hand(self, kind: int, turns: int, size: int) -> Hashable:
        card = self._cards[kind]
        apart = (card.id in self._rulings.damage_ids and card.id, card.id in self._rulings.ends_turn and card.id)
        if turns <= 0:
            return apart  # it pays, or it does not; and it stops payments of health, or it does not
        facts = self._facts(kind, turns, size, held=True)
        if turns == 1 and facts[-1] == ():
            facts = (facts[0],)
        return (*apart, kind in self._banned, facts)

    def _turned_over(self, kind: int, turns: int, size: int) -> Hashable:
        card = self._cards[kind]
        apart = (card.id in self._rulings.damage_ids and card.id, card.id in self._rulings.ends_turn and card.id)
        if turns and kind in self._avoided:
            return (*apart, LOST)
        return (*apart, self._facts(kind, turns, size)) if turns else apart

    def _facts(self, kind: int, turns: int, size: int, *, held: bool = False) -> tuple[Hashable, ...]:
        """Return what counts of a card that is played with so many turns left; the last part is what it does.

        One that is ``held`` is played from the hand: no other card waits for it.
        """
        card = self._cards[kind]
        lowers = card.type if card.type in LOWERED_ON_TABLE and self._plain is None else ""
        if "double_risk" in card.passive:
            return (lowers, card.id)
        room = size - self._stocks.least_health(kind)
        if room < 0:
            return (lowers, card.energy, "too short a deck", ())
        if card.risk and self._stocks.least_risk(kind) >= min(turns, room + 1):
            return (lowers, card.energy, card.health, "too late", ())
        return (lowers, card.energy, card.health, card.risk, self._effects(card, turns, room, held=held))

    def _effects(self, card: Card, turns: int, room: int, *, held: bool = False) -> Hashable:
        """Return what a card does that counts with so many turns left; nothing where nothing does."""
        if self._wins and is_taking(card):  # unless what it does before ends its list (R36)
            return (card.type, TAKING, *((each.op, repr(each.args)) for each in card.instant if each.op not in TAKES))
        idle = (DECK_OPS if turns == 1 else IDLE_OPS) | self._idle
        if turns == 1 and not self._wins:
            idle |= RETURNING
        idle |= {"supply", "see"} if turns <= LATE else {"supply"}
        if turns == 1 and held:
            idle |= SECOND_STEPS
        gained = repr(supplies(card)) if self._gaining and turns > LATE else ""
        ops = tuple(
            ("second step", gained) if effect.op in SECOND_STEPS else (effect.op, _capped(effect, room))
            for effect in card.instant
            if effect.op not in idle and (effect.op != "draw" or room)
        )
        plain = self._plain
        passive = tuple(
            sorted(
                (name, repr(args))
                for name, args in card.passive.items()
                if (name not in NEW_DAY_PASSIVES if plain is None else name == "speed")
            )
        )
        stand = self._worn.get(card.id)
        if stand is not None:
            passive = ()
        comes = card.type == "attachment" and stand != FORGOTTEN
        placed = card.type == "dog" or (comes and (turns > 1 or bool(passive)))
        slots = 0
        if plain is not None:
            placed = placed and card.id not in plain.idle
            slots = plain.slots(card.id) if plain.tight and card.type == "dog" else 0
            if slots and not adds(card):
                placed = turns - card.risk > 1
        if self._resting and turns > 1 and card.type in PLACED:  # what is in play is not put together again
            return (card.type, ops, card.id)
        return (card.type, ops, passive, slots if placed else 0) if ops or placed else ()


def classes_of(signs: Sequence[Hashable], copies: Sequence[int], room: Sequence[int]) -> Map:
    """Return the classes of kinds of one sign, as far as there is room for their cards.

    By kind, ``room`` says how many cards may be counted as one of it.
    """
    members: dict[Hashable, list[int]] = {}
    for kind, sign in enumerate(signs):
        members.setdefault(sign, []).append(kind)
    classes = list(range(len(signs)))
    for alike in members.values():
        first = max(alike, key=lambda kind: room[kind])
        left = room[first] - copies[first]
        for kind in alike:
            if kind != first and copies[kind] <= left:
                left -= copies[kind]
                classes[kind] = first
    return tuple(classes)


def _capped(effect: Effect, room: int) -> str:
    """Return the numbers of an op; it draws no more cards than the deck has then."""
    args = effect.args
    if effect.op == "draw" and "per" not in args:
        args = {**args, "n": min(int(args["n"]), room)}
    return repr(args)
