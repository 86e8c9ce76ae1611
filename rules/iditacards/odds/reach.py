"""How far forward the cards of a venture bring a player at most, so that the race is known not to end.

Only moves of cards go forward where nothing moves by itself at the end of a turn (R43, R44, R47). A move goes its
number, or that of a leg, plus the speed, and never more than with all dogs and attachments of deck and stack in play,
under the weather of the day: what may follow a new day is no part of a venture. With so many cards in the deck no more
can be added than the farthest so many moves of its cards.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import accumulate
from typing import Final

from rules.iditacards.content import Card, Leg
from rules.iditacards.odds.counts import WITHOUT_END
from rules.iditacards.odds.numbers import Numbers, narrow
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table, in_play

UNBOUNDED: Final = WITHOUT_END


class Reach:
    """Bounds for one venture; where the race does not end at once when someone finishes, moves count for nothing."""

    def __init__(
        self, rulings: Rulings, table: Table, seat: int, begin: str | None, again: Collection[str] = ()
    ) -> None:
        """``again`` are further cards that may come into the deck, as often as they are named."""
        self._rulings = rulings
        player = table.players[seat]
        legs = [leg for leg in rulings.track(table.legs) if leg is not None]
        self._fixed = max((_number(leg, "leg_card_move") for leg in legs), default=0)
        self._weather = max(0, rulings.weathers[table.weather].speed) if table.weather in rulings.weathers else 0
        self._dog = max((_number(leg, "leg_dog_speed") for leg in legs), default=0)
        pack = [*player.deck, *(frame.card for frame in player.stack), *in_play(player.dogs), *again]
        self._speed = self._fastest(pack)
        self._adds = all(rulings.speed_mult.get(card, 1) == 1 and card not in rulings.speed_other_dogs for card in pack)
        """Speeds are sums."""
        self._drawn = max(map(self.faster, (*player.deck, *again)), default=0)
        self._teams: dict[tuple[Dog, ...], int] = {}
        self._moves = rulings.win_at_once
        cards = (*player.deck, *(frame.card for frame in player.stack), *again, begin)
        self._times = 2 if any(card in rulings.double_risk for card in cards) else 1
        self._automatic = rulings.auto_base is not None
        self._finish = rulings.finish_at
        deck = sorted((self._spaces(rulings.cards[card]) for card in player.deck), reverse=True)
        more = (*(frame.card for frame in player.stack), *again)
        waiting = sum(self._spaces(rulings.cards[card]) for card in more)
        self._within = [min(UNBOUNDED, spaces) for spaces in accumulate(deck, initial=waiting)]
        """By the number of cards in the deck: the most spaces that they all go, and others that are no part of it."""
        self.turn = self.turn_at(self._speed)
        """Spaces that the end of a turn leads at most."""
        if player.pos + self._within[-1] < self._finish:
            self._moves = False

    @property
    def ends(self) -> bool:
        """The race may end by a move."""
        return self._moves

    @property
    def most(self) -> int:
        """Spaces that all cards go at most."""
        return self._within[-1]

    def of(self, card: Card) -> int:
        """Return how many spaces a card goes at most when it takes effect, nothing where no race can end by it."""
        return self._spaces(card) if self._moves else 0

    def turn_at(self, speed: int) -> int:
        """Return how many spaces the end of a turn leads at most at a speed."""
        base = self._rulings.auto_base
        return 0 if base is None else max(0, self._fixed, speed + base)

    def moves(self, card: Card) -> tuple[int, int]:
        """Return how many spaces a card goes at most when it takes effect, and how often its speed besides."""
        spaces = times = 0
        for effect in card.instant:
            if effect.op == "move":
                move = effect.args
                often = self._times * (2 if move.get("double") else 1) * int(move.get("times", 1))
                spaces += often * max(0, int(move["n"]), self._fixed)
                times += often
        return spaces, times

    def moved(self, card: Card, speed: int | None = None) -> int:
        """Return how many spaces a card goes at most when it takes effect, at any speed or at one."""
        spaces, times = self.moves(card)
        return spaces + times * (self._speed if speed is None else speed)

    def _spaces(self, card: Card) -> int:
        """Return how many spaces a card goes, without end where more follow by themselves."""
        spaces = self.moved(card)
        return UNBOUNDED if spaces and self._automatic else spaces

    def before_finish(self, spaces: int, pos: int, box: list[int]) -> bool:
        """Return whether so many spaces do not lead from a place to the finish, and narrow the box."""
        limit = self._finish - spaces
        if pos < limit:
            narrow(box, -WITHOUT_END, limit - 1)
            return True
        narrow(box, limit, WITHOUT_END)
        return False

    def never(self, spaces: int, numbers: Numbers, box: list[int]) -> bool:
        """Return whether so many spaces do not lead to the finish after all that may come; narrow the box."""
        pos, deck = numbers.pos, numbers.deck
        if pos + spaces + self._within[-1] < self._finish:
            return self.before_finish(spaces + self._within[-1], pos, box)
        never = self.before_finish(spaces + self._within[deck], pos, box)
        if never:
            box[3] = min(box[3], numbers.before[1])
        else:
            box[2] = max(box[2], numbers.before[1])
        return never

    def faster(self, card: str) -> int:
        """Return how much faster a card makes a player at most (R43)."""
        rulings = self._rulings
        dog = self._dog * max(1, rulings.counts_as.get(card, 1)) if rulings.cards[card].type == "dog" else 0
        return max(0, rulings.speed.get(card, 0)) + dog

    def fastest(self, dogs: tuple[Dog, ...], more: int) -> int:
        """Return a speed that is not exceeded with these dogs, so much from others, and one card that is drawn."""
        if not self._adds:
            return self._speed
        known = self._teams.get(dogs)
        if known is None:
            known = self._teams[dogs] = self._weather + self._drawn + sum(map(self.faster, in_play(dogs)))
        return known + more

    def _fastest(self, pack: Collection[str]) -> int:
        """Return a speed that is not exceeded while nothing else is in play (R43)."""
        rulings = self._rulings
        dogs = sum(max(1, rulings.counts_as.get(card, 1)) for card in pack if rulings.cards[card].type == "dog")
        speed = sum(max(0, rulings.speed.get(card, 0)) for card in pack)
        speed += dogs * sum(max(0, rulings.speed_other_dogs.get(card, 0)) for card in pack)
        speed += dogs * self._dog
        speed += self._weather
        for card in pack:
            speed *= max(1, rulings.speed_mult.get(card, 1))
        return speed


def _number(leg: Leg, op: str) -> int:
    return max(0, int(leg.effects.get(op, {"n": 0})["n"]))
