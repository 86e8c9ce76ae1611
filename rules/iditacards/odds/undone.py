"""Ventures that a new day is sure to undo (R35), told before anything more is played.

A card that waits and calls a new day takes effect before what is below it. All is lost then, unless the race is
finished by that time (R60): a race that goes on to the end of the turn lets the rest come through (R69). So all is lost
wherever the finish is too far.

Up to then no more cards are turned over than are needed for the card that calls the day, and for the risks of all cards
that may come before it; each turn that turns one over is followed by one for a second step at most (R40). No turn goes
farther than with all of these in play that make fast, and no move of a card either (R43, R44, R47): those with risks
of which copies are left, and of the others no more than are needed besides, the farthest. Where dogs are faster on some
legs, whoever is beyond them has to go back first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.odds.asked import Board
from rules.iditacards.odds.numbers import RAN_OUT, Left, narrow
from rules.iditacards.odds.scope import SECOND_OPS, Scope
from rules.iditacards.odds.waiting import Stack, Waiting
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

BEYOND: Final = frozenset({"cost_mod:risk", "speed_mult", "speed_other_dogs"})
"""Passive ops for which nothing is told."""


class Going(NamedTuple):
    """How far some cards bring a player."""

    moves: tuple[tuple[int, ...], ...] = ()
    """For each card how far it goes by each of its moves, but for its speed."""
    speeds: tuple[int, ...] = ()
    seconds: int = 0
    """How many wait for a second step."""
    dogs: int = 0

    def best(self, n: int) -> Going:
        """Return what so many of them do at most, but for moves."""
        return Going((), tuple(sorted(self.speeds)[-n:] if n else ()), min(n, self.seconds), min(2 * n, self.dogs))


class Undone:
    """What is sure to be undone in one venture whose deck is given no cards."""

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        seat: int,
        scope: Scope,
        waiting: Waiting,
        bits: Sequence[tuple[Left, Left, Left]],
    ) -> None:
        """``bits`` of a class find copies left, are one copy, and tell that it ran out."""
        self._rulings = rulings
        self._waiting = waiting
        self._bits = bits
        self._outs = sum(out for _, _, out in bits)
        self._finish = rulings.finish_at
        cards = [rulings.cards[name] for name in table.players[seat].deck]
        pack = (*scope.played, *scope.in_play)
        legs = [leg.effects if leg is not None else {} for leg in rulings.track(table.legs)]
        weather = rulings.weathers.get(table.weather)
        self._still = weather is not None and (weather.no_sled or weather.no_move)
        self._base = max(0, weather.speed) if weather is not None else 0
        self.told = (
            any(self._calls(card) for card in scope.played)
            and not scope.again
            and not any(card.passive.keys() & BEYOND for card in pack)
            and not any("leg_risk_mult" in leg for leg in legs)
        )
        """There may be something to tell."""
        self._times = 2 if any(card.id in rulings.double_risk for card in pack) else 1
        self._others = self._going([card for card in cards if not card.risk])
        self._fixed = max((_number(leg, "leg_card_move") for leg in legs), default=0)
        dog = [_number(leg, "leg_dog_speed") for leg in legs]
        self._dog = max(dog, default=0)
        runs = [list(run) for faster, run in groupby(range(len(legs)), lambda place: dog[place] > 0) if faster]
        self._fast = [run[-1] for run in runs]
        """The last place of each stretch on which dogs are faster."""
        auto = rulings.options["auto_move"]
        self._automatic = None if auto == "none" else int(auto == "one_plus_speed")
        self._risky: dict[Left, tuple[int, int, Going]] = {}
        self._spaces: dict[tuple[Board, Stack, int, Left], tuple[int, int]] = {}

    def _calls(self, card: Card) -> bool:
        """Return whether a card calls a new day whenever it takes effect."""
        if (self._rulings.utility_scope and card.type == "utility") or (
            self._still and card.type in ("movement", "sled")
        ):
            return False
        ops = [effect for effect in card.instant if effect.op == "new_day" and not (effect.when or effect.unless)]
        return bool(ops) and not any(effect.args.get("required") for effect in card.instant)

    def _going(self, cards: Iterable[Card]) -> Going:
        moves: list[tuple[int, ...]] = []
        speeds: list[int] = []
        seconds = dogs = 0
        for card in cards:
            own: list[int] = []
            for effect in card.instant:
                if effect.op in ("move", "move_back"):
                    times = int(effect.args.get("times", 1)) * (2 if effect.args.get("double") else 1)
                    own += [int(effect.args["n"])] * (times * self._times)
            if own:
                moves.append(tuple(own))
            speeds.append(max(0, self._rulings.speed.get(card.id, 0)))
            seconds += any(effect.op in SECOND_OPS for effect in card.instant)
            dogs += max(1, self._rulings.counts_as.get(card.id, 1)) if card.type == "dog" else 0
        return Going(tuple(moves), tuple(speeds), seconds, dogs)

    def _of_left(self, left: Left) -> tuple[int, int, Going]:
        """Return how many cards those with risks need of which copies are left, how many they are, and how they go."""
        known = self._risky.get(left)
        if known is None:
            cards: list[Card] = []
            for number, (mask, copy, _) in enumerate(self._bits):
                if copy:
                    cards += [self._waiting.cards[number]] * ((left & mask) // copy)
            known = self._risky[left] = sum(card.risk for card in cards), len(cards), self._going(cards)
        return known

    def sure(self, board: Board, stack: Stack, deck: int, pos: int, left: Left, box: list[int]) -> bool:
        """Return whether a new day is sure to undo all that waits, and narrow the box if it is."""
        above: list[Stack] = []
        each = stack
        while each.below is not None:
            above.append(each)
            if each.need > 0 and self._calls(self._waiting.cards[each.number]):
                break
            each = each.below
        if each.below is None or board.finished:
            return False
        there = deck + max(0, -1 - stack.need)
        needed = stack.needed - each.below.needed + 1
        near, far = self._within(board, above, needed, there, left)
        low, high = 0, self._finish - near - 1
        for last in self._fast:
            if pos <= last or self._rulings.death_at is not None:
                high = min(high, self._finish - far - 1, max(pos, last))
            else:
                low = max(low, last + 1, far - self._finish + 2 * last + 1)
        if not low <= pos <= high:
            return False
        narrow(box, low, high)
        if needed + self._of_left(left)[0] > there:
            box[3] = min(box[3], deck)
        box[RAN_OUT] |= self._outs
        return True

    def _within(self, board: Board, above: Sequence[Stack], needed: int, there: int, left: Left) -> tuple[int, int]:
        """Return how far a player goes at most until a new day is called: off fast legs, and with them.

        There are so many cards in the deck, of which as many must be turned over. Those with risks need more; no other
        cards are turned over but those that are needed.
        """
        key = (board, above[0], there, left)
        known = self._spaces.get(key)
        if known is None:
            rulings, waiting = self._rulings, self._waiting
            risks, copies, risky = self._of_left(left)
            cards = min(there, needed + risks)
            others = min(there, needed + risks - copies)
            more = self._others.best(others)
            wait = self._going(waiting.cards[each.number] for each in above)
            play = self._going(rulings.cards[card] for dog in board.dogs for card in (dog.dog, *dog.attachments))
            groups = (risky, more, wait, play)
            speed = self._base + sum(sum(group.speeds) for group in groups)
            faster = speed + self._dog * sum(group.dogs for group in groups)
            turns = cards + risky.seconds + more.seconds + sum(waiting.waits[each.number] for each in above)
            found: list[int] = []
            for each in (speed, faster):
                far = partial(self._far, speed=each)
                spaces = sum(map(far, (*wait.moves, *risky.moves)))
                spaces += sum(sorted(map(far, self._others.moves), reverse=True)[:others])
                if self._automatic is not None:
                    spaces += turns * max(self._fixed, each + self._automatic)
                found.append(spaces)
            known = self._spaces[key] = found[0], found[1]
        return known

    def _far(self, moves: Sequence[int], speed: int) -> int:
        return sum(max(n, self._fixed) + speed for n in moves)


def _number(leg: Mapping[str, Mapping[str, Any]], op: str) -> int:
    return max(0, int(leg.get(op, {"n": 0})["n"]))
