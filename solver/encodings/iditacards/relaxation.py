"""The relaxed race of a question: counted cards and perfect luck, and why it is never longer than the real one.

A state of it is a day, the numbers of helpers in play (dogs, and attachments that give speed), of gained cards in hand
and deck and of those that lie elsewhere, the own cards that move farthest, both conditions, and how many upgrades may
have been turned over. A turn is one *deed*: a card, a new day, or nothing. After it the sled moves by itself.

*No real line is shorter.* Every turn of a line plays one card, or takes a new day (R14, R29). Cards of the risk stack
take effect after those above them. The relaxed race plays them in the order in which they take effect, and at the
k-th turn of a stack k cards have been played: each takes effect no later than in the line. Effects are never worse for
coming sooner: speed only grows between two new days, and a distance only hangs on it.

- A card with a risk is not the first one of a day (R29), as others take effect before it. Food and care that do
  nothing else count as they are played (R21); if gained ones do more, any turn may ease as much besides.
- What is not of the starting deck was gained, by a card that gains at most so many (R40) or at a checkpoint (R66), and
  turned over at most as deep in its deck as the own cards can have gone. It comes to the hand by a new day or by a card
  that brings cards back, which is a gained one itself.
- Helpers stay, and any so many of them give no more speed than the best. Conditions weigh as they stand.
- Who has to enter a section has its conditions from there on, less what cards may soften. So the way from its edge is
  also asked for by itself, as if they weighed from the first turn on; only the move across the edge may do better.
- Each new day has its own weather, with whatever the weather takes away left out. All own cards are there again.
- Costs in cards, and the order of the deck, are left out.

Where the cards of a ruleset do what is not said here, ``Race.is_carried`` is false.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Final, NamedTuple

from rules.iditacards.content import CONDITIONS, Effect, Rulings
from rules.iditacards.state import Player, Table, in_play, shuffled_in
from rules.iditacards.turn import rolled
from solver.encodings.iditacards import bound_layout as BL
from solver.encodings.iditacards.reach import RETURNING

LEAST_WAY: Final = 40
"""Spaces from which on the relaxed race is worth its table."""
LOW: Final = -16
"""The least speed that is told apart."""
EVERY: Final = 999
"""More cards than any deck has."""
NOWHERE: Final = 30_000
"""More spaces than any track has."""
DOING: Final = RETURNING | {"move", "take", "supply", "new_day"}
"""Ops that count in the relaxed race."""
LOWERING: Final = frozenset({"hypothermia", "starvation", "clear_hypothermia", "clear_starvation"})
"""Ops that may lower a condition."""
LEVELS: Final = range(BL.R_LEVELS)

Spaces = Callable[[str, int, int], int]
Parts = dict[int, int | Sequence[int]]


class Deed(NamedTuple):
    """One thing to do with a turn: numbers as in ``bound_layout``, and spaces by speed."""

    flags: int
    takes: int = 0
    shows: int = 0
    warms: int = 0
    feeds: int = 0
    gains: tuple[int, ...] = ()
    double: tuple[int, ...] = ()
    """The spaces while a gained card is at hand."""

    def covers(self, other: Deed) -> bool:
        """Return whether it does all that another deed of the same flags does."""
        mine, yours = ((*deed[1:5], *deed.gains, *deed.double) for deed in (self, other))
        return self.flags == other.flags and all(one >= two for one, two in zip(mine, yours, strict=True))


class Race:
    """The numbers of one relaxed race."""

    def __init__(
        self, rulings: Rulings, table: Table, player: Player, dogs: int, needs: Mapping[str, int], spaces: Spaces
    ) -> None:
        """``dogs`` is the most that may count, ``needs`` the risk cards that come before each card at least.

        ``spaces`` tells the spaces of a card's moves at a speed, taken so many times.
        """
        self.rulings, self.table, self.player = rulings, table, player
        self._dogs, self._needs, self._spaces = dogs, needs, spaces
        starting = rulings.content.deck_of_role("starter")
        cards = Counter([*shuffled_in(self.player), *in_play(self.player.dogs)])
        self.own = Counter({name: n for name, n in cards.items() if rulings.cards[name].deck == starting})
        gained = Counter({name: n for name, n in (cards - self.own).items() if name not in rulings.damage_ids})
        gained.update([*table.supply, *self.player.legendary])
        every = {*self.own, *gained, *(card for deck in table.upgrade for card in deck)}
        bonus = [args for name, args in rulings.bonus["take_bonus"].items() if name in every]
        self._more = sum(int(args["n"]) for args in bonus)
        self._deeper = sum(int(args["of"]) for args in bonus)
        deep = max(map(self._shown, self.own), default=0)
        self.shown = [min(EVERY, level * deep) for level in range(BL.R_LEVELS - 1)] + [EVERY]
        self.levels = [
            gained
            + Counter([card for deck in table.upgrade for card in deck[: depth if rulings.upgrade_open else None]])
            for depth in self.shown
        ]
        self._farthest = max((spaces(name, 0, 1) for name in self.own), default=0)
        self.big = min(3, sum(n for name, n in self.own.items() if self._is_big(name)))
        movers = Counter({name: spaces(name, 0, 1) for name in self.levels[-1]}).most_common(2)
        single = len(movers) == 2 and movers[0][1] > movers[1][1] and self.levels[-1][movers[0][0]] == 1
        self._ace = movers[0][0] if single else ""
        legs = [leg for leg in rulings.track(table.legs) if leg is not None]
        self._leg = max([0, *(int(leg.effects.get("leg_dog_speed", {"n": 0})["n"]) for leg in legs)])
        self._weather = [self._weather_of(day) for day in range(BL.R_DAYS)]
        self._values: dict[tuple[int, int, int], tuple[list[int], list[tuple[int, int]]]] = {}
        self._rows: dict[tuple[str, int], tuple[int, ...]] = {}
        self.speeds = [self._speed(index) for index in range(BL.R_SPEED_BITS + 1)]
        self.range = range(LOW, max(self.speeds) + 1)

    def is_carried(self) -> bool:
        """Return whether no own card does what only gained ones may, and no helper does more than help."""
        helpers = filter(self.is_helper, {*self.levels[-1], *self.own})
        ops = {effect.op for name in self.own for effect in self.rulings.cards[name].instant}
        return (
            self.levels[-1].total() > 0
            and not ops & {*RETURNING, "new_day"}
            and self.rulings.double_risk.isdisjoint(self.own)
            and self.eased_besides(self.own) == (0, 0)
            and not any(DOING & {effect.op for effect in self.rulings.cards[name].instant} for name in helpers)
            and (self.rulings.legendary_to == "discard" or not self.player.legendary)
        )

    def _is_big(self, name: str) -> bool:
        return 0 < self._farthest == self._spaces(name, 0, 1)

    def _takes(self, name: str) -> list[Effect]:
        return [effect for effect in self.rulings.cards[name].instant if effect.op in ("take", "take_next", "supply")]

    def _shown(self, name: str) -> int:
        """Return how many upgrades a card turns over at most."""
        return sum(_number(effect.args.get("of", effect.args["n"])) + self._deeper for effect in self._takes(name))

    def is_helper(self, name: str) -> bool:
        """Return whether a card may make the sled faster, or move it as a day ends, while it is in play."""
        card, rulings = self.rulings.cards[name], self.rulings
        tables = (rulings.speed, rulings.speed_other_dogs, rulings.day_end_empty_move)
        faster = any(table.get(name, 0) > 0 for table in tables) or rulings.speed_mult.get(name, 1) > 1
        return card.type == "dog" or (card.type == "attachment" and faster)

    # Speed

    def _weather_of(self, day: int) -> int:
        """Return the most speed that the weather gives on a day; the last one stands for all that follow."""
        rulings = self.rulings
        faces = [rulings.weathers[face].speed for face in rulings.faces]
        if day == 0:
            now = rulings.weathers.get(self.table.weather)
            faces = [] if now is None else [now.speed]
        elif day < BL.R_DAYS - 1 and faces:
            with contextlib.suppress(LookupError):
                faces = [rulings.weathers[rolled(rulings, self.table.counters.weather + day - 1)].speed]
        return max([0, *faces])

    def _worth(self, level: int, each: int, dogs: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Return what gained helpers add to the speed, greatest first, and factor and speed of those that multiply.

        Level -1 stands for the own cards, ``each`` is what a leg adds for each dog, ``dogs`` how many of them count.
        """
        key = level, each, dogs
        if key not in self._values:
            rulings, plain, factors = self.rulings, [], []
            for name, copies in (self.own if level < 0 else self.levels[level]).items():
                if not self.is_helper(name):
                    continue
                counts = rulings.counts_as.get(name, 1) if rulings.count_everything else 1
                speed = max(0, rulings.speed.get(name, 0)) + each * counts * (rulings.cards[name].type == "dog")
                speed += max(0, rulings.speed_other_dogs.get(name, 0)) * max(0, dogs - 1)
                factor = rulings.speed_mult.get(name, 1)
                if factor > 1:
                    factors += [(factor, speed)] * copies
                else:
                    plain += [speed] * copies
            self._values[key] = sorted(plain, reverse=True), sorted(factors, reverse=True)
        return self._values[key]

    def _speed(self, index: int) -> int:
        """Return the greatest speed of a state, whose lowest bits are ``index``, without conditions."""
        own, gained = index >> BL.R_OWN & 7, index >> BL.R_HELPERS & 7
        level = index >> BL.R_LEVEL & BL.R_LEVELS - 1
        each = self._leg if index >> BL.R_LEGS & 1 else 0
        dogs = self._dogs if BL.R_MOST in (own, gained) else min(self._dogs, own + gained)
        plain, factors = self._worth(-1, each, dogs)
        speed = sum(plain[: own if own < BL.R_MOST else None]) + self._weather[index & BL.R_DAYS - 1]
        speed += sum(each for _, each in factors)
        product = prod(factor for factor, _ in factors)
        plain, factors = self._worth(level, each, dogs)
        most = gained if gained < BL.R_MOST else len(plain) + len(factors)
        return max(
            product
            * prod(factor for factor, _ in factors[:n])
            * (speed + sum(each for _, each in factors[:n]) + sum(plain[: most - n]))
            for n in range(min(most, len(factors)) + 1)
        )

    # Deeds

    def deeds(self, level: int) -> list[Deed]:
        """Return what may be done at a level, without what another deed covers."""
        cards = {**self.levels[level], **self.own}
        times = self.times(cards)
        none = tuple([0] * len(self.range))
        ends = {name: n for name, n in self.rulings.day_end_empty_move.items() if name in cards}
        moved = tuple(sum(max(0, n + speed) * cards[name] for name, n in ends.items()) for speed in self.range)
        found = [Deed(0, 0, 0, 0, 0, none, none), Deed(BL.D_DAY | BL.D_BACK, 0, 0, 0, 0, none, none)]
        if any(moved):
            played = BL.D_HELPED * ends.keys().isdisjoint(self.own) | 1 << BL.D_RISK
            found.append(Deed(BL.D_DAY | BL.D_BACK | played, 0, 0, 0, 0, moved, moved))
        found += [self.deed(name, times, level) for name in cards]
        kept: list[Deed] = []
        for deed in found:
            if not any(other.covers(deed) for other in kept):
                kept = [other for other in kept if not deed.covers(other)]
                kept.append(deed)
        return kept

    def times(self, cards: Iterable[str]) -> int:
        """Return how often a card may take effect where such cards may lie below it."""
        return 1 if self.rulings.double_risk.isdisjoint(cards) else 2

    def deed(self, name: str, times: int, level: int = BL.R_LEVELS) -> Deed:
        """Return what a card does, ``times`` over where another card can have it so.

        On level 0 nothing has been turned over, so that it gains no more than lies there and what it turns over.
        """
        card = self.rulings.cards[name]
        ops = {effect.op for effect in card.instant}
        own = name in self.own
        gains, double = self._row(name, 1), self._row(name, times)
        takes = sum(_number(effect.args["n"]) + self._more for effect in self._takes(name))
        if own and not level and self.rulings.take_from == "supply" and self._takes(name):
            takes = min(takes, len(self.table.supply) + self._shown(name))
        warms = int(card.type == "personal") + times * _eased(card.instant, "hypothermia")
        feeds = int(card.type == "food") + times * _eased(card.instant, "starvation")
        flags = 0 if own else BL.D_GAINED
        flags |= BL.D_BIG * (own and self._is_big(name))
        if not self._eases_at_once(name) or self._does_more(name):
            flags |= min(3, self._needs.get(name, 0)) << BL.D_RISK
        flags |= BL.D_ACE * (name == self._ace)
        flags |= BL.D_HELPS * self.is_helper(name)
        flags |= BL.D_DAY * ("new_day" in ops) | BL.D_BACK * (not ops.isdisjoint({*RETURNING, "new_day"}))
        shows = 0 if not takes else 1 if own else BL.R_LEVELS
        return Deed(flags, min(BL.R_CARDS, times * takes), shows, min(7, warms), min(7, feeds), gains, double)

    def _eases_at_once(self, name: str) -> bool:
        """Return whether a card lowers a condition as it is played (R21)."""
        return self.rulings.cards[name].type in ("food", "personal")

    def _does_more(self, name: str) -> bool:
        """Return whether a card does something later that counts."""
        ops = {effect.op for effect in self.rulings.cards[name].instant}
        return not ops.isdisjoint(DOING | LOWERING)

    def eased_besides(self, cards: Iterable[str]) -> tuple[int, int]:
        """Return the points of both conditions that cards lower as they are played, before they do something else."""
        late = [name for name in cards if self.rulings.cards[name].risk and self._does_more(name)]
        types = {self.rulings.cards[name].type for name in late}
        return int("personal" in types), int("food" in types)

    def _row(self, name: str, times: int) -> tuple[int, ...]:
        """Return the spaces of a card's moves by speed."""
        if (name, times) not in self._rows:
            self._rows[name, times] = tuple(self._spaces(name, speed, times) for speed in self.range)
        return self._rows[name, times]

    def factor(self, name: str) -> int:
        """Return by how many spaces a card moves farther for a point of speed, at most."""
        much = 1_000
        times = self.times(self.levels[-1])
        return self._spaces(name, much + 1, times) - self._spaces(name, much, times)

    def role(self, name: str) -> int:
        """Return what a card is, bits as in ``bound_layout``."""
        if name in self.rulings.damage_ids:
            return 0
        ops = {effect.op for effect in self.rulings.cards[name].instant}
        takes = self.deed(name, 2).takes
        own = name in self.own or self.rulings.cards[name].deck == self.rulings.content.deck_of_role("starter")
        role = 0 if own else BL.R_GAINED
        role |= BL.R_ACE * (name == self._ace)
        role |= BL.R_HELPER * self.is_helper(name) | BL.R_BIG * (own and self._is_big(name))
        return role | BL.R_RETURNS * (not ops.isdisjoint({*RETURNING, "new_day"})) | takes << BL.R_TAKES


def _number(value: int | str) -> int:
    """Return a number of an op; words stand for many."""
    return value if isinstance(value, int) else EVERY


def _eased(effects: Iterable[Effect], condition: str) -> int:
    """Return the points of a condition that effects take away at most."""
    points = 0
    for effect in effects:
        if effect.op == f"clear_{condition}":
            points += 7
        elif effect.op == condition:
            points += max(0, -int(effect.args["n"]))
    return points


def _entries(race: Race, drag: Sequence[int]) -> list[int]:
    """Return the sections that give conditions, numbers as in ``bound_layout``.

    The move across the edge of a section is counted with the conditions that it gives, and may have been without.
    """
    rulings, cards = race.rulings, race.levels[-1] + race.own
    if rulings.options["leg_entry"] != "raise" or not rulings.every_leg:
        return [-1]
    factor = max((race.factor(name) for name in cards), default=1)
    factor *= prod(max(1, rulings.speed_mult.get(name, 1)) ** n for name, n in cards.items())
    soft = sum(max(0, -rulings.leg_condition_mod.get(name, 0)) * n for name, n in cards.items())
    track, numbers = rulings.track(race.table.legs), []
    for section in rulings.board.sections:
        leg = track[section.first]
        if leg is None or leg == track[section.first - 1]:
            continue
        cold, hunger = (min(7, max(0, (rulings.leg_number(leg, kind) or 0) - soft)) for kind in CONDITIONS)
        if "leg_no_starve" in leg.effects:
            hunger = 0
        if "leg_no_freeze" in leg.effects:
            cold = 0
        if drag[cold] + drag[hunger]:
            numbers += [section.first, cold, hunger, factor * (drag[cold] + drag[hunger])]
    return [*numbers, -1]


def race_parts(
    race: Race, kinds: Mapping[str, int], limit: int, drag: Sequence[int], auto: Callable[[int], int]
) -> Parts:
    """Return numbers and parts of the table of a race to space ``limit``, by their names in ``bound_layout``.

    ``drag`` is what points of a condition take off the speed, ``auto`` tells the automatic move at a speed.
    """
    rulings, player, speeds = race.rulings, race.player, race.range
    rows: dict[tuple[int, ...], int] = {tuple([0] * len(speeds)): 0}
    begins: list[int] = []
    deeds: list[int] = []
    for level in LEVELS:
        begins.append(len(LEVELS) + len(deeds))
        for deed in race.deeds(level):
            gains, double = (rows.setdefault(each, len(rows)) for each in (deed.gains, deed.double))
            deeds += [deed.flags, gains, double, deed.takes, deed.shows, deed.warms, deed.feeds]
        deeds.append(-1)
    roles, moves = [0], [0]
    for name in sorted(kinds, key=lambda name: kinds[name]):
        if name:
            roles.append(race.role(name))
            moves.append(rows.setdefault(race.deed(name, race.times(race.levels[-1])).double, len(rows)))
    ahead = [space for space in sorted(rulings.board.checkpoints) if space > player.pos][: len(player.legendary)]
    track = enumerate(rulings.track(race.table.legs))
    back = [space for space, leg in track if leg is not None and "leg_turn_end_recover" in leg.effects]
    return {
        BL.R_SHUT: min(back, default=NOWHERE),
        BL.R_FIRST_DAY: player.days,
        BL.R_ALL_BIG: race.big,
        BL.R_SPEEDS: len(speeds),
        BL.R_BONUSES: len(ahead) + 1,
        BL.R_LEGENDARY: len(player.legendary),
        BL.R_LIMITS: [NOWHERE, *(limit - space for space in ahead)],
        BL.R_ROLES: roles,
        BL.R_ROWS: moves,
        BL.R_SHOWN: race.shown,
        BL.R_BESIDES: [points for level in race.levels for points in race.eased_besides(level)],
        BL.R_SPEED: [speed - LOW for speed in race.speeds],
        BL.R_DRAG: drag,
        BL.R_AUTO: [auto(speed) for speed in speeds],
        BL.R_DEEDS: [*begins, *deeds],
        BL.R_ENTRIES: _entries(race, drag),
        BL.R_GAINS: [spaces for row in rows for spaces in row],
    }
