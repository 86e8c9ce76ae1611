"""G5 of the Abyss specification found anew: the chance of a win within two rounds, alone, both piles hidden, exactly.

Run ``python -m benchmarks.abyss_chances [--whole] [IDENTITY ...]``: the chance of the first round for every first
hand, and of both rounds for the first hands that the specification states; ``--whole`` adds both rounds over every
first hand.

A round is what the rules make of it (``solver.encodings.abyss.rounds``, held to play by its tests). Nothing is
sampled. What is left out is no better than something kept:

- of hires in the second, last round those that bring no more members, cost no less, leave nobody alive where others do,
  and pay no smaller penalty, whatever is lost: the crew there and the card add the same to either;
- of plans in the first round those that leave no better prospects of every card under every Event;
- two or three cards given up where a card is used: with one of them given up, the hand holds the others as well, and
  as many cards are drawn. In the second round one card is always given up for another, and the hand filled up, for the
  best card at hand stays.

Found on 22 November 2026, every figure as stated: over every first hand no ability 39353722079/80304681600 = 0.490055,
the leader 8396389919/16060936320 = 0.522783, the adventurer 2951663989/5353645440 = 0.551337, each in about 70 s of
processor time.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod
from time import process_time
from typing import Final, NamedTuple

from benchmarks.abyss_figures import NO_ABILITY, position_of
from rules.abyss.bound import NOTHING, RoundBound, Standing, gain_of
from rules.abyss.engine import Abyss
from rules.abyss.state import ABYSS, ANY, CITY, Partner
from rules.abyss.state import Plan as Laid
from solver.encodings.abyss.rounds import Crew, Result, Rounds, event_names, stocks_of

IDENTITIES: Final = (NO_ABILITY, "leader", "adventurer")
STATED: Final = {NO_ABILITY: 0.490055, "leader": 0.522783, "adventurer": 0.551337}
ONE: Final = Fraction(75643, 1107040)
"""The chance of the first round, whoever plays."""
KEPT: Final = {
    ("digging", "digging"): {NO_ABILITY: 0.864953, "leader": 0.893158, "adventurer": 0.975209},
    ("digging", "explore_in_depth"): {NO_ABILITY: 0.664675, "leader": 0.756983, "adventurer": 0.756983},
    ("digging",): {NO_ABILITY: 0.360779, "leader": 0.391935, "adventurer": 0.400269},
}
"""First hands kept whole, filled up to five with cards that do nothing alone, and what the specification states."""

Hand = tuple[int, ...]
"""Copies of each stock."""
Prospects = tuple[int, ...]
"""For the last round, in how many of the Events left it is won with no card, and with one of each stock."""


class Plan(NamedTuple):
    """What a use of a card in the first round leads to under each Event."""

    won: tuple[bool, ...]
    prospects: tuple[Prospects, ...]

    def beats(self, other: Plan) -> bool:
        """Return whether this is as good as another plan in everything."""
        return all(mine >= its for mine, its in zip(self.won, other.won, strict=True)) and all(
            won or all(map(int.__ge__, mine, its))
            for won, mine, its in zip(self.won, self.prospects, other.prospects, strict=True)
        )


class TwoRounds:
    """Two rounds of one identity from the start of a game without temporary partners, the published one if none."""

    def __init__(self, identity: str, game: Abyss | None = None) -> None:
        if game is None:
            published = position_of(identity, None).game
            assert isinstance(published, Abyss)
            game = published
        self.rulings = game.rulings
        self.goals = game.goals
        self.rounds = Rounds(game.rulings, "employer" if identity == NO_ABILITY else identity)
        cards = game.rulings.cards
        self.stocks = stocks_of(cards)
        self.box: Hand = tuple(sum(cards[name].count for name in stock) for stock in self.stocks)
        self.events = event_names(game.rulings)
        self.counts = [cards[name].count for name in self.events]
        self.steals = [cards[name].args("lose_card") is not None for name in self.events]
        gains = [NOTHING, *(gain_of(cards[stock[0]]) for stock in self.stocks)]
        events = [gain_of(cards[name]) for name in self.events]
        self._bound = RoundBound(game.rulings, self.rounds.traits, game.goals, [gains], [events])
        self._losses = self._all_losses()
        self._hires: dict[int, list[tuple[int, int]]] = {}
        self._last: dict[tuple[Crew, int, int, int], Prospects] = {}
        self.plans = [self._plans(place) for place in range(-1, len(self.stocks))]
        """What can be done in the first round with no card, and with one of each stock."""
        self._best: dict[tuple[Hand, Hand, bool], Fraction] = {}

    idle_after_more = True
    """Whether no card is used where more than one was given up."""

    # The last round

    def _all_losses(self) -> list[int]:
        """Return every loss of HP that an Event can cause."""
        found: set[int] = set()
        for name in self.events:
            args = self.rulings.cards[name].args("damage")
            if args is not None:
                change, floor = self.rounds.traits.damage[args["where"]]
                boosts = (0, self.rulings.rules["boost_damage"]) if args["where"] == ABYSS else (0,)
                found |= {max(floor, args["amount"] + boost + change) for boost in boosts}
        return sorted(found)

    def hires(self, ap: int) -> list[tuple[int, int]]:
        """Return the hires worth making in the last round: the team they are, and what they cost."""
        if ap not in self._hires:
            known: dict[tuple[int, ...], tuple[int, int]] = {}
            for team, _, paid in self.rounds.hires(ap, 0):
                marks = [self.rounds.size(team), -paid]
                for loss in self._losses:
                    dead = [one for one in self._partners(team) if one.hp <= loss]
                    penalty = sum(self.rounds.traits.penalties[one.type] for one in dead)
                    marks += [int(len(dead) < self.rounds.size(team)), -penalty]
                known.setdefault(tuple(marks), (team, paid))
            kept: list[tuple[int, ...]] = []
            for marks_of in sorted(known, reverse=True):
                if not any(all(map(int.__ge__, other, marks_of)) for other in kept):
                    kept.append(marks_of)
            self._hires[ap] = [known[marks_of] for marks_of in kept]
        return self._hires[ap]

    def _partners(self, team: int) -> list[Partner]:
        counts = zip(self.rounds.tables.slots, self.rounds.counts(team), strict=True)
        return [Partner(*slot) for slot, number in counts for _ in range(number)]

    def _ways(self, stock: int, hired: bool) -> Iterator[Laid]:
        if stock < 0:
            yield Laid(None, CITY, None)
            return
        name = self.stocks[stock][0]
        location = self.rulings.cards[name].location
        if location != ABYSS:
            yield Laid(name, CITY, None)
        if location in (ABYSS, ANY) and hired:
            yield Laid(name, ABYSS, None)

    def last(self, crew: Crew, ap: int, rp: int, gone: int) -> Prospects:
        """Return the prospects of the last round; ``gone`` is the Event of the first one."""
        key = (crew, ap, rp, gone)
        found = self._last.get(key)
        if found is None:
            none = (0,) * (len(self.stocks) + 1)
            hopeless = not self._bound.reachable(Standing(ap, rp, self.rounds.size(crew.team), crew.explored), 0, 1)
            found = none if hopeless else tuple(self._chance(crew, ap, rp, gone, each) for each in self._each())
            self._last[key] = found
        return found

    def _each(self) -> range:
        return range(-1, len(self.stocks))

    def _chance(self, crew: Crew, ap: int, rp: int, gone: int, stock: int) -> int:
        counts = [count - (place == gone) for place, count in enumerate(self.counts)]
        best = 0
        for team, paid in self.hires(ap):
            there = crew._replace(team=crew.team + team)
            for uses in self._ways(stock, there.team > 0):
                won = 0
                for count, event in zip(counts, self.events, strict=True):
                    if self._won(self.rounds.play(there, 0, uses, event), ap, rp, paid):
                        won += count
                best = max(best, won)
        return best

    def _won(self, result: Result, ap: int, rp: int, paid: int) -> bool:
        ap -= paid * (1 + result.again)
        return any(ap + more >= goal.ap and rp + fame >= goal.rp for goal in self.goals for more, fame in result.highs)

    # The first round

    def _plans(self, stock: int) -> list[Plan]:
        rules = self.rulings.rules
        ap, rp = rules["ap"], rules["rp"]
        found: dict[Plan, None] = {}
        for team, _, paid in self.rounds.hires(ap, 0):
            for uses in self._ways(stock, team > 0):
                won, prospects = [], []
                for place, event in enumerate(self.events):
                    result = self.rounds.play(Crew(team, explored=False, lit=False), 0, uses, event)
                    won.append(self._won(result, ap, rp, paid))
                    left = ap - paid * (1 + result.again) + result.ap
                    prospects.append(() if won[-1] else self.last(result.crew, left, rp + result.rp, place))
                found[Plan(tuple(won), tuple(prospects))] = None
        return self.front(found)

    def front(self, plans: Iterable[Plan]) -> list[Plan]:
        """Return the plans that no other one is as good as."""
        kept: list[Plan] = []
        for plan in plans:
            if not any(other.beats(plan) for other in kept):
                kept = [*(other for other in kept if not plan.beats(other)), plan]
        return kept

    def best(self, hand: Hand, unseen: Hand, *, idle: bool = False) -> Fraction:
        """Return the chance of a win from a hand after the give-up; ``idle`` where no card is used."""
        key = (hand, unseen, idle)
        found = self._best.get(key)
        if found is None:
            stocks = [-1] if idle else [-1, *(place for place, held in enumerate(hand) if held)]
            found = self._best[key] = max(self._used(hand, unseen, stock) for stock in stocks)
        return found

    def _used(self, hand: Hand, unseen: Hand, stock: int) -> Fraction:
        rest = hand if stock < 0 else _less(hand, stock)
        size, cards = sum(rest), sum(unseen)
        total, most = sum(self.counts), Fraction(0)
        known: dict[tuple[Prospects, bool], Fraction] = {}
        for plan in self.plans[stock + 1]:
            chance = Fraction(0)
            for place, count in enumerate(self.counts):
                prospects, steals = plan.prospects[place], self.steals[place] and size > 0
                if plan.won[place]:
                    chance += count
                elif any(prospects):
                    value = known.get((prospects, steals))
                    if value is None:
                        hands = [(_less(rest, lost), held) for lost, held in enumerate(rest) if held]
                        lots = [(rest, 1)] if not steals else hands
                        drawn = sum(ways * self.drawn(left, unseen, prospects) for left, ways in lots)
                        value = Fraction(drawn, sum(ways for _, ways in lots) * cards * (cards - 1) * (total - 1))
                        known[prospects, steals] = value
                    chance += count * value
            most = max(most, chance / total)
        return most

    def drawn(self, rest: Hand, unseen: Hand, prospects: Prospects) -> int:
        """Return the mean of the best prospects of a hand filled up, one card of it given up for another; unscaled."""
        cards = sum(unseen)
        draws = 1 + (sum(rest) < self.rulings.rules["refill_below"])
        held = max([prospects[0], *(prospects[stock + 1] for stock, copies in enumerate(rest) if copies)])
        found, before = held * cards * (cards - 1), held
        for level in sorted({each for each in prospects[1:] if each > held}):
            worse = sum(copies for copies, each in zip(unseen, prospects[1:], strict=True) if each < level)
            neither = worse * (worse - 1) if draws == 2 else worse * (cards - 1)
            found += (level - before) * (cards * (cards - 1) - neither)
            before = level
        return found

    # First hands

    def kept(self, hand: Hand) -> Fraction:
        """Return the chance of a win with a first hand kept whole in the first round."""
        return self.best(hand, _without(self.box, hand))

    def dealt(self, hand: Hand) -> Fraction:
        """Return the chance of a win with a first hand, whatever is given up."""
        unseen = _without(self.box, hand)
        cards = sum(unseen)
        most = self.kept(hand)
        places = [place for place, held in enumerate(hand) for _ in range(held)]
        for size in range(1, self.rulings.rules["give_up_most"] + 1):
            idle = self.idle_after_more and size > 1
            for given in set(_subsets(places, size)):
                left = hand
                for place in given:
                    left = _less(left, place)
                chance = sum(
                    (
                        copies * self.best(_more(left, drawn), _less(unseen, drawn), idle=idle)
                        for drawn, copies in enumerate(unseen)
                        if copies
                    ),
                    Fraction(0),
                )
                most = max(most, chance / cards)
        return most

    def whole(self) -> Fraction:
        """Return the chance of a win over every first hand."""
        size, total = self.rulings.rules["hand"], Fraction(0)
        for places in combinations_with_replacement(range(len(self.box)), size):
            hand = tuple(places.count(place) for place in range(len(self.box)))
            ways = prod(comb(there, held) for there, held in zip(self.box, hand, strict=True))
            if ways:
                total += ways * self.dealt(hand)
        return total / comb(sum(self.box), size)

    def hand(self, names: Iterable[str]) -> Hand:
        """Return a hand of these cards, filled up with cards that do nothing alone."""
        found = Counter(next(place for place, stock in enumerate(self.stocks) if name in stock) for name in names)
        idle = max(range(len(self.stocks)), key=lambda place: len(self.stocks[place]))
        found[idle] += self.rulings.rules["hand"] - sum(found.values())
        return tuple(found[place] for place in range(len(self.stocks)))


def first_round(two: TwoRounds) -> Fraction:
    """Return the chance of a win in the first round over every first hand and card given up."""
    wins = {
        stock: max(sum(count for won, count in zip(plan.won, two.counts, strict=True) if won) for plan in plans)
        for stock, plans in enumerate(two.plans, -1)
    }
    size, total, cards = two.rulings.rules["hand"], Fraction(0), sum(two.box)
    for places in combinations_with_replacement(range(len(two.box)), size):
        hand = tuple(places.count(place) for place in range(len(two.box)))
        ways = prod(comb(there, held) for there, held in zip(two.box, hand, strict=True))
        held = max([wins[-1], *(wins[place] for place in places)])
        unseen = _without(two.box, hand)
        # The best card stays, another one is given up.
        drawn = sum(copies * max(held, wins[place]) for place, copies in enumerate(unseen))
        total += ways * Fraction(drawn, sum(unseen)) if ways else 0
    return total / (comb(cards, size) * sum(two.counts))


def _subsets(places: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    for picked in product((False, True), repeat=len(places)):
        if sum(picked) == size:
            yield tuple(place for place, taken in zip(places, picked, strict=True) if taken)


def _less(hand: Hand, place: int) -> Hand:
    return (*hand[:place], hand[place] - 1, *hand[place + 1 :])


def _more(hand: Hand, place: int) -> Hand:
    return (*hand[:place], hand[place] + 1, *hand[place + 1 :])


def _without(box: Hand, hand: Hand) -> Hand:
    return tuple(there - held for there, held in zip(box, hand, strict=True))


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("identities", nargs="*", default=IDENTITIES)
    parser.add_argument("--whole", action="store_true", help="both rounds over every first hand")
    asked = parser.parse_args()
    for identity in asked.identities:
        begun = process_time()

        def told(what: str, found: Fraction, stated: float, begun: float = begun, identity: str = identity) -> None:
            spent = process_time() - begun
            print(
                f"{identity:11} {what:32} {float(found):.6f} stated {stated:.6f} = {found}, cpu {spent:.1f} s",
                flush=True,
            )

        two = TwoRounds(identity)
        told("round 1, every hand", first_round(two), float(ONE))
        for cards, stated in KEPT.items():
            told(f"{' '.join(cards)} kept", two.kept(two.hand(cards)), stated[identity])
        if asked.whole:
            told("round 2, every hand", two.whole(), STATED[identity])


if __name__ == "__main__":
    main()
