"""Cards taken from the supply in time, on days with a hidden deck: three and four turns ahead (R40).

A card that adds to the supply and takes from it needs two turns, and what it takes is played on a third one at the
earliest. So in four turns that begin without such a card waiting for its second step, cards come in time once at most:
with two turns left to play, where the first turn added to the supply, or with one.

*One turn left.* From the hand nothing counts but the best single card, and with how many others it can be paid. What
each card of the supply and of the upgrade decks is worth is told by the rules on the boards that the turn may end on;
the others that are taken pay. Where a card waits then, all of them can only pay.

*Two turns left.* They are played on a day of its own, whose hand they have come to. Cards that are alike with two turns
left are taken for one, and where it is known which stances follow, those that are alike there (``belief.coming``).
Its hidden deck is the same, so that orders of it are.

In both, cards turned over are seen together before any is taken, and before anything else is decided; the deck they are
turned over from is chosen when nothing is seen between that and the turn they are taken on. So what is worth most of
them is the best of n cards of a multiset of which each order is as likely (``rules.core.picking``). Where a card comes
with others that count, which needs two turns left and two of them, only what lies there already may be one of those.

A dog that dies to the hand (R52) may be given up on the last turn to pay for another card: its two turns are told for
themselves. Cards that ask about the day are played as it stands, where no card that waits can change that. What comes
after a new day is not carried; where it begins on the last turn only the place counts. Where that hangs on the weather,
the two turns are told for themselves as well, and nothing is won with them on the other day.

With few cards left more turns are tried: often no sled can be paid for any more but near the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from rules.core.picking import Elsewhere, Ended, Pick
from rules.core.scripts import Exploring
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.besides import Besides
from rules.iditacards.belief.coming import Coming, Comings
from rules.iditacards.belief.last import HOPELESS, Ways
from rules.iditacards.belief.scope import may_change_risk
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, NEW_DAY, End, Play
from rules.iditacards.compact.steps import DESTROY_HAND, supplies
from rules.iditacards.risk import condition, played_now
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play
from rules.iditacards.turn import Turn

if TYPE_CHECKING:
    from rules.iditacards.belief.day import BeliefDay

TOGETHER: Final = 12
"""Kinds of gained cards that are told apart on one day: packed cards have so much room."""
NOTHING: Final = -1
"""The worth of no card."""
MOST_WAYS: Final = 64
"""Ways to take what lies in the supply already, at most."""
RECORDED: Final = frozenset({"food", "personal", "movement"})
"""Types of cards of which the day's records are made."""


class Best(NamedTuple):
    """What the best of some cards is worth that are taken."""

    least: int
    greatest: int
    means: tuple[Fraction, ...]
    """The mean of it and another worth, by that, from the least to below the greatest."""


class Come(NamedTuple):
    """What counts of some cards that come to the hand together."""

    day: BeliefDay
    """The day that they are played on,"""
    cards: int
    """and they themselves as it packs them."""
    asks: bool
    """Whether one of them asks about the day."""
    destroying: str | None
    """The card, if it is one alone and destroys the hand."""
    others: list[tuple[str, bool, bool]]
    """Those that may begin a new day, or die to the hand: whether the one or the other."""


class Held(NamedTuple):
    """Hand and deck before cards come to the hand."""

    hand: int
    deck: int
    packed: dict[BeliefDay, tuple[int, int]]
    """Both as the days pack them that have been asked."""


class Gains:
    """What can be taken from the supply of one table."""

    def __init__(
        self, day: BeliefDay, rulings: Rulings, table: Table, seat: int, banned: frozenset[str], *, far: bool = False
    ) -> None:
        """``day`` is the one that the cards are taken on; ``far``: of more turns than ``belief.scope.IN_TIME``."""
        self._day = day
        self._rulings = rulings
        self._banned = banned
        self._there = tuple(sorted(table.supply))
        self._piles = tuple(Counter(deck) for deck in table.upgrade if deck)
        stack = table.players[seat].stack
        self._is_recorded = far or any(rulings.cards[frame.card].type in RECORDED for frame in stack)
        """Whether the day's records may change before a card is gained."""
        player = table.players[seat]
        own = {*player.hand, *player.deck, *player.seen, *(frame.card for frame in player.stack)}
        self._numbers_there = {numbers for card in own if (numbers := supplies(rulings.cards[card])) is not None}
        """How many cards the own cards may add to the supply and then take."""
        day.plays.told_apart = not may_change_risk(rulings, table, {*own, *in_play(player.dogs)})
        self._groups: dict[str, tuple[str, ...]] = {}
        """By card: those that are told apart on the same day; the first of those alike stands for all."""
        self._first: dict[str, str] = {}
        self._days: dict[tuple[str, ...], BeliefDay] = {}
        self._comes: dict[tuple[str, ...], Come] = {}
        self.besides = Besides(day, rulings, banned)
        """What is told of two turns beside a day of their own."""
        self.comings = Comings(day, self)
        """What counts on the turn before cards are taken."""

    def ways(self, boards: Sequence[int], stack: int, hand: int, deck: int, after: int) -> list[Ways]:
        """Return the choice of a turn on which cards are taken, on one of some boards: one for each upgrade deck.

        Raises:
            OutOfReach: what may be taken together is not told, or more than two turns are left then.
        """
        if after > 2:
            raise OutOfReach
        plays = self._day.plays
        added, most = self._numbers(stack)
        acts = [plays.play(at, stack, CONTINUES_IN_VAIN) for at in boards]
        found: list[Ways] = []
        for pile in self._piles_for(added):
            turned = min(added, pile.total())
            if after == 1:
                pick = self._with_one_left(acts, hand, deck, turned, pile, most)
            else:
                alike = self.comings.before([(boards[0], stack)])
                pick = self._with_two_left(acts, hand, deck, turned, self._merged(pile, alike), most)
            found.append([(1, pick)])
        return found

    def most(self) -> int:
        """Return how many cards may be taken together, at most."""
        return max((self._number_taken(*numbers) for numbers in self._numbers_there), default=0)

    def most_of(self, stack: int) -> int:
        """Return the same for the card on top of a stack.

        Raises:
            OutOfReach: it hangs on the upgrade deck.
        """
        added, most = self._numbers(stack)
        found = {min(most, min(added, pile.total()) + len(self._there)) for pile in self._piles_for(added)}
        if len(found) > 1:
            raise OutOfReach
        return found.pop()

    def _number_taken(self, added: int, most: int) -> int:
        return min(most, added + len(self._there))

    def shares(self) -> int:
        """Return a number that all chances of what is turned over are whole shares of."""
        return lcm(
            *(
                comb(pile.total(), min(added, pile.total()))
                for added, _ in self._numbers_there
                for pile in self._piles_for(added)
            )
        )

    def best_of(
        self, boards: Sequence[tuple[int, int]], stack: int, held: int, left: int, worth: Callable[[int], int]
    ) -> Best:
        """Return what the best of the cards taken is worth on a last turn on one of some boards.

        So many cards are in hand and in the deck before, on each of the boards with so many more cards in hand, which
        pay; ``worth`` is that of a place.
        """
        pos = self._day.boards.pos
        added, _ = self._numbers(stack)
        most = self.most_of(stack)
        there = self._best_of_all(boards, self._there, held, most - 1, left)
        least = max([worth(pos[board]) for board in there.values()], default=NOTHING)
        piles: list[tuple[int, Counter[int]]] = []
        for pile in self._piles_for(added):
            gained = self._best_of_all(boards, tuple(pile), held, most - 1, left)
            copies: Counter[int] = Counter()
            for name, n in pile.items():
                value = worth(pos[gained[name]]) if name in gained else NOTHING
                copies[max(least, value)] += n
            piles.append((min(added, pile.total()), copies if copies else Counter({least: 1})))
        values = [value for _, copies in piles for value in copies]
        lowest, greatest = min(values), max(values)
        means = [max(_mean(n, copies, floor) for n, copies in piles) for floor in range(lowest, greatest)]
        return Best(lowest, greatest, tuple(means))

    def _numbers(self, stack: int) -> tuple[int, int]:
        numbers = self._day.plays.taking(stack)
        assert numbers is not None
        return numbers

    def _piles_for(self, added: int) -> tuple[Counter[str], ...]:
        return self._piles if added and self._piles else (Counter(),)

    # One turn left

    def _with_one_left(
        self, acts: Sequence[Play], hand: int, deck: int, turned: int, pile: Counter[str], most: int
    ) -> Pick:
        day, orders = self._day, factorial(self._day.kinds.count(deck))
        most = min(most, turned + len(self._there))
        kept: list[Ways] = []
        boards: dict[tuple[str, ...], list[int]] = {}
        for end in dict.fromkeys(end for act in acts for end in act.ends):
            settled = self.settled_after(end)
            if settled:
                kept += [[(orders, Ended(day.ended(board)))] for board in settled]
            elif end.stack and end.stack != day.plays.beyond:
                kept += [day.held_after(end, hand, more, deck) for more in range(most + 1)]
            elif end.stack or end.orders:
                raise OutOfReach
            else:
                boards.setdefault(end.gifts, []).append(end.board)
        size, gained = day.kinds.count(deck), dict[str, int]()
        for gifts, at in boards.items():
            own = [*(day.kinds.names[kind] for kind, _ in day.kinds.cards(hand)), *gifts]
            held = day.kinds.count(hand) + len(gifts)
            best = self._best(at, own, held - 1, most, size)
            there = self._best(at, self._there, held, most - 1, size)
            kept += [[(orders, Ended(day.ended(board)))] for board in (*best.values(), *there.values())]
            for name, board in self._best(at, tuple(pile), held, most - 1, size).items():
                gained[name] = max(gained.get(name, board), board, key=lambda each: day.boards.pos[each])
        copies: Counter[int] = Counter()
        for name, board in gained.items():
            copies[board] += pile[name]
        if len(gained) < len(pile):  # nothing can be played that is not
            raise OutOfReach
        return Pick(turned, tuple((n, [[(orders, Ended(day.ended(board)))]]) for board, n in copies.items()), kept)

    def settled_after(self, end: End) -> list[int]:
        """Return the boards after the last turn where nothing is decided on it but free actions; none where more is."""
        day = self._day
        if day.is_settled(end.board):
            return [end.board]
        if not day.plays.is_second(day.plays.stack(end.stack)):
            return []
        acts = [day.plays.play(at, end.stack, CONTINUES_IN_VAIN) for at in day.boards_to_act_on(end.board)]
        return list(dict.fromkeys(after.board for act in acts for after in act.ends))

    def _best_of_all(
        self, boards: Sequence[tuple[int, int]], names: Sequence[str], held: int, more: int, size: int
    ) -> dict[str, int]:
        """Return what ``_best`` does for boards with so many cards more in hand each."""
        pos, found = self._day.boards.pos, dict[str, int]()
        for given in sorted({given for _, given in boards}):
            at = [board for board, each in boards if each == given]
            for name, board in self._best(at, names, held + given, more, size).items():
                found[name] = max(found.get(name, board), board, key=lambda each: pos[each])
        return found

    def _best(self, boards: Sequence[int], names: Sequence[str], held: int, more: int, size: int) -> dict[str, int]:
        """Return the furthest board after a last turn that plays each of some cards, with up to so many more to pay."""
        day, found = self._day, {}
        for name in dict.fromkeys(names):
            ends = [
                day.furthest_after(at, name, held + paying, size)
                for board in boards
                for at in day.boards_to_act_on(board)
                for paying in range(more + 1)
                if name not in self._banned
            ]
            if ends:
                found[name] = max(ends, key=lambda end: day.boards.pos[end])
        return found

    # Two turns left

    def _with_two_left(
        self, acts: Sequence[Play], hand: int, deck: int, turned: int, pile: Counter[str], most: int
    ) -> Pick:
        if turned > 1 and most > 1:
            raise OutOfReach
        held = Held(hand, deck, {})
        kept = [way for more in self._parts(most) for way in self._elsewhere(acts, held, more)]
        parts = self._parts(most - 1) if turned and most else []
        choices = [
            (n, [way for more in parts for way in self._elsewhere(acts, held, (name, *more))])
            for name, n in (pile.items() if parts else ())
        ]
        return Pick(turned if most else 0, tuple(choices), kept)

    def _merged(self, pile: Counter[str], coming: Coming | None) -> Counter[str]:
        """Return a pile with cards that are alike with two turns left counted together."""
        self._group()
        copies: Counter[str] = Counter()
        for name, n in pile.items():
            first = self._first[name]
            copies[coming.gained[first] if coming is not None else first] += n
        return copies

    def _parts(self, most: int) -> list[tuple[str, ...]]:
        """Return what may be taken of the cards that lie in the supply already.

        Raises:
            OutOfReach: there are too many ways.
        """
        if sum(comb(len(self._there), n) for n in range(most + 1)) > MOST_WAYS:
            raise OutOfReach
        return list(dict.fromkeys(part for n in range(most + 1) for part in combinations(self._there, n)))

    def _elsewhere(self, acts: Sequence[Play], held: Held, gained: tuple[str, ...]) -> list[Ways]:
        """Return what is chosen from where some cards have come to the hand.

        Raises:
            OutOfReach: they are not carried.
        """
        own, coming = self._day, self._come(gained)
        if self._is_recorded and coming.asks:
            raise OutOfReach
        day, found = coming.day, list[Ways]()
        packed = held.packed.get(day)
        if packed is None:
            packed = held.packed[day] = day.packed_like(own, held.hand), day.packed_like(own, held.deck)
        hand, deck = packed
        going = acts
        if not held.hand and coming.destroying is not None:
            size = own.kinds.count(held.deck)
            found.append([(factorial(size), HOPELESS)])
            for board in self.besides.left_with_nothing(acts, coming.destroying, size):
                found.append([(factorial(size), Ended(own.ended(board)))])
            waiting = [act._replace(ends=tuple(end for end in act.ends if end.stack)) for act in acts]
            going = [act for act in waiting if act.ends]
        if going:
            found.append([(1, Elsewhere(day, [day.chosen(act, coming.cards + hand, deck, 2) for act in going]))])
        for card, begins, dies in coming.others:
            if begins:
                found += self.besides.until_a_day(going, card, held.hand, held.deck, len(gained) - 1)
            if dies:
                names = Counter(own.kinds.names[kind] for kind, _ in own.kinds.cards(held.hand)) + Counter(gained)
                number = own.kinds.count(held.hand) + len(gained) - 1
                size = own.kinds.count(held.deck)
                for board in self.besides.given_up(going, card, names - Counter([card]), number, size):
                    found.append([(factorial(size), Ended(own.ended(board)))])
        return found

    def _come(self, gained: tuple[str, ...]) -> Come:
        """Return what counts of some cards that come to the hand together."""
        found = self._comes.get(gained)
        if found is None:
            cards = [self._rulings.cards[name] for name in gained]
            effects = [effect for card in cards for effect in card.instant]
            destroys = len(cards) == 1 and any(effect.op == DESTROY_HAND for effect in effects)
            others = [
                (
                    card.id,
                    any(effect.op == NEW_DAY for effect in card.instant),
                    card.passive.get("dies_to", {}).get("zone") == "hand",
                )
                for card in cards
            ]
            day = self._day_of(gained)
            found = self._comes[gained] = Come(
                *(day, day.kinds.pack(gained)),
                any(effect.when or effect.unless for effect in effects),
                cards[0].id if destroys else None,
                [(card, begins, dies) for card, begins, dies in others if begins or dies],
            )
        return found

    # Days with gained cards

    def days(self) -> Iterator[tuple[tuple[str, ...], BeliefDay]]:
        """Yield every day on which gained cards are played, with those that it tells apart."""
        self._group()
        for group in dict.fromkeys(self._groups.values()) or [()]:
            yield group, self._day_of(group)

    def _group(self) -> None:
        """Tell which cards are alike with two turns left, and which are told apart on the same day."""
        if self._groups:
            return
        names = sorted(set().union(*self._piles))
        day = self._day.with_cards(names)
        classes = day.alike.hand(2, False)
        found: dict[tuple[int, str], str] = {}
        for name in names:
            asks = any(effect.when or effect.unless for effect in self._rulings.cards[name].instant)
            sign = (classes[day.kinds.index[name]], name if asks else "")
            self._first[name] = found.setdefault(sign, name)
        firsts = list(found.values())
        for place in range(0, len(firsts), TOGETHER):
            group = tuple(firsts[place : place + TOGETHER])
            self._groups |= dict.fromkeys(group, group)

    def _day_of(self, gained: tuple[str, ...]) -> BeliefDay:
        group = next((self._groups[name] for name in gained if name in self._groups), ())
        if not group and self._groups:
            group = next(iter(self._groups.values()))
        day = self._days.get(group)
        if day is None:
            day = self._days[group] = self._day.with_cards((*group, *self._there))
        return day


def _mean(n: int, copies: Counter[int], floor: int) -> Fraction:
    """Return the mean of the best of n values, or a floor where they are all less."""
    size, total, known, fit = copies.total(), 0, 0, 0
    for value in sorted(copies):
        fit += copies[value]
        total += max(value, floor) * (comb(fit, n) - known)
        known = comb(fit, n)
    return Fraction(total, comb(size, n)) if n else Fraction(floor)


def conditions(rulings: Rulings, table: Table, seat: int) -> dict[str, bool]:
    """Return which conditions about the day hold for a card that has not been played (R40)."""
    turn = Turn(rulings, table, Exploring((), []))
    names = {
        name for card in rulings.cards.values() for effect in card.instant for name in (effect.when, effect.unless)
    }
    cards = [card.id for card in rulings.cards.values() if card.type not in RECORDED]
    frame = played_now(turn, min(cards))
    return {name: condition(turn, turn.seats[seat], frame, name) for name in names if name}
