"""How few turns the whole game may take, cards from the supply and legendary cards included.

The bound is the exact optimum of a simpler race that needs no list of what was gained. What can be gained goes to the
discard pile (R66, op ``take``); a new day brings it into the deck (R61). A state of the simpler race is the day, the
gained cards *at hand* (in circulation since a new day, not in play), those *new* in the discard pile, those in play
that *raise* the speed, the frames that wait, how many cards of the upgrade decks were *turned over*, the conditions,
and the space. Every gained card is whatever is best at the moment of all that can have been gained (``track.reach``:
the legendary cards, and of each deck as many from the top as were turned over in all). A turn plays one card or turns
up one risk card (R14, R33), so it is one of

- a gain: a sled card of the player's own brings and turns over the most that one of them does; once a gained card was
  at hand, the most that any within reach does, with all that raises it (R41);
- a raise, while a card is at hand, which is in play from now on: k of them add the most that k cards within reach can
  add on this stretch: what they say, what the leg gives a dog, and for those that count other dogs as many as there
  are then of the player's own and gained ones (R50); those that multiply are some of the k and act on the whole (R43);
- a card of the player's own that enters play;
- a move by a card without risk, or with no more than cards in play may take off it (R19), at once, or the start of one
  by a card with risk, which waits: the furthest that any own card goes, or, with a card at hand, which becomes a new
  one by that, any within reach, all runs of all its moves together, twice where a card doubles (R36, R42);
- a return: what is new comes to hand, while a card is at hand (they may recover cards);
- a resolution: one risk card comes up, which is one of these or nothing, then all that waits lands, and brings what is
  new to hand or a new day, where such cards exist;
- a new day with its real weather: nothing waits, what is new comes to hand; with a card in play that moves an
  empty-handed player it moves, too (R60);
- nothing;

and after each the sled moves by itself. Checkpoints that are passed give new cards as long as legendary ones are left.
Speeds are the best of all boards with as many own cards in play or fewer, on the stretch, under the weather of the day
or, with an immune card within reach once one was at hand, without weather if that is more (R67); where the weather
cancels bonuses (Q60), raises count for nothing. Costs and lost dogs do not exist. A move may end anywhere.

*Conditions* are the least that legs (R49), the roll and the start of a day (R62) leave on any board with as many own
cards or fewer. The card that a turn puts on the table lowers one of them by one if any card that can be meant does so
(R21: one card comes on the table in a turn), and with a gained card at hand one that lowers them by its ops, if any is
within reach, removes both. They take off the speed, and count up to ``WORST``. Where cards within reach do more
(``Reach.tracked``), there are none.

*Admissible.* Each turn of the game is one of these (a frame that resolves below was played on a turn of its own), goes
at most as far, and leaves no better state: more cards, cards turned over, and lower conditions never hurt, as every
plan for less is open with more and every move as long, and for the same reason neither does a further space of the
same stretch, so that of all spaces a move may end on only the last of each stretch and the furthest need a look. A
gained card that leaves play again counts as in play for ever, which is no worse. Numbers of cards are counted up to
``CARDS``, which stands for any number, raises up to ``RAISES``, which stands for all there are, cards turned over up to
``TURNED``, which stands for all, days up to ``DAYS``, which has the best weather. Who starts a move with ``WAITING``
frames waiting is taken to be there. For the same reason a layer keeps only states that no other of the same day and
stretch equals or beats in everything. While a layer is not searched whole, its turns are a bound already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.state import in_play
from rules.iditacards.track.kernel import LEVELS
from rules.iditacards.track.reach import CARDS, RAISES, TURNED, Access, Reach

if TYPE_CHECKING:
    from rules.iditacards.track.form import TrackForm

DAYS: Final = 7
WAITING: Final = 14
WORST: Final = 4
_MOST_TURNS: Final = 60
_FIELD: Final = 9
"""Bits of a number of a state, one of them a guard."""
_GUARDS: Final = sum(1 << _FIELD * at + _FIELD - 1 for at in range(10))
_BEST: Final = -1
"""A move by the best card."""


class Hold(NamedTuple):
    """A state of the simpler race but for the space; of each number more is no worse."""

    day: int
    hand: int
    new: int
    raises: int
    waiting: int
    """Own cards that wait to move the sled, and gained ones."""
    gained: int
    own: int
    """Own cards that have entered play."""
    turned: int
    """Cards turned over of all upgrade decks."""
    warm: int
    """``WORST`` less hypothermia, and less starvation."""
    fed: int


Moves = tuple[tuple[int, bool, bool], ...]
"""Moves of a turn: a distance, or that of the best card with a risk or without, an own one or any."""
Spot = tuple[int, int, int]
"""A stretch and the conditions there, as ``warm`` and ``fed``."""
Places = dict[Spot, int]
"""The furthest space by stretch and conditions."""
Layer = dict[tuple[Hold, int], int]
"""The furthest space by state and stretch."""


class Gains:
    """The simpler race of one form."""

    def __init__(self, form: TrackForm) -> None:
        self._form = form
        track = form.track
        form.ensure(DAYS)
        self._reach_of = Reach(form)
        self._own = [form.rulings.cards[name] for name in form.playable]
        self._last = [len(track.section) - 1 - track.section[::-1].index(each) for each in range(track.sections)]
        there = Counter(in_play(form.boards.packs[0].dogs))
        self._entered = [(Counter(in_play(pack.dogs)) - there).total() for pack in form.boards.packs]
        self._most_own = max(self._entered)
        self._calm = [track.calm_speeds(section) for section in range(track.sections)]
        self._speed: dict[tuple[int, int, int, int, int, bool], int] = {}
        self._farthest: dict[tuple[int, bool, bool, bool, int, int], int] = {}
        self._entry: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._dawn: dict[tuple[int, int, int, int, int], tuple[int, int]] = {}
        self._turn = 1
        """Turns of the layer that is open: no line takes fewer."""
        self._after: Layer = {}
        self._seen = self._begin()
        self._open = list(self._seen.items())
        self._ended = not self._seen

    def fewest(self, states: int | None = None) -> int:
        """Return a number of turns that no line from the root falls below: the fewest, or what so many states show.

        What was searched is kept for the next call.
        """
        left = -1 if states is None else states
        while not self._ended and left:
            left = self._further(left)
        return self._turn

    @property
    def is_done(self) -> bool:
        """Return whether more states would not show more."""
        return self._ended

    def _begin(self) -> Layer:
        """Return the root as a layer; nothing where the simpler race does not fit."""
        form, reach = self._form, self._reach_of
        player = form.table.players[form.seat]
        if len(player.stack) > WAITING or any(
            card.type in ("dog", "attachment") and _distance(card, 1) for card in reach.at(TURNED).cards
        ):
            return {}
        stack = len(player.stack)
        warm, fed = WORST, WORST
        if reach.tracked:
            warm, fed = WORST - min(WORST, player.hypothermia), WORST - min(WORST, player.starvation)
        first = Hold(0, 0, 0, 0, stack, 0, stack, 0 if reach.ordered else TURNED, warm, fed)
        if form.has_unknown:
            first = first._replace(hand=CARDS, waiting=0, gained=stack, turned=TURNED)
        return {(first, form.track.section[player.pos]): player.pos}

    def _further(self, most: int) -> int:
        """Search at most so many states, any number if negative; return how many more may be."""
        while self._open and most:
            (hold, section), pos = self._open.pop()
            most -= 1
            if self._form.track.recovers[section]:
                self._ended = True
                return most
            for left, places in self._turns(hold, pos):
                if self._enter(left, pos, places, self._after, self._seen):
                    self._ended = True
                    return most
        if not self._open:
            self._open = list(best(self._after).items())
            self._after = {}
            self._turn += 1
            self._ended = self._turn >= _MOST_TURNS or not self._open
        return most

    def _enter(self, hold: Hold, start: int, places: Places, after: Layer, seen: Layer) -> bool:
        """Note where a turn leads that was not as good before; return whether it reaches the target."""
        passed = self._form.tables.passed
        for (section, warm, fed), pos in places.items():
            if pos >= self._form.target:
                return True
            new = min(CARDS, hold.new + passed[pos] - passed[start])
            at = hold._replace(new=new, warm=warm, fed=fed), section
            if seen.get(at, -1) < pos:
                seen[at] = after[at] = pos
        return False

    def _turns(self, hold: Hold, pos: int) -> Iterator[tuple[Hold, Places]]:
        """Yield what each turn leaves, and where it may end, by stretch and conditions."""
        day, hand, new, raises, waiting, gained, _, turned, _, _ = hold
        there = self._reach_of.at(turned)
        rich = hand + raises + gained > 0
        morning = min(day + 1, DAYS)
        ending = ((there.empty, False, False),) if there.empty is not None and raises else ()
        dawn = hold._replace(day=morning, hand=min(CARDS, hand + new), new=0, waiting=0, gained=0)
        spent = hold._replace(hand=hand if hand == CARDS else hand - 1)
        played = spent._replace(new=min(CARDS, new + 1))
        yield dawn, self._run(pos, day, self._woken(dawn, pos) if not ending else dawn, ending)
        if waiting + gained >= WAITING:
            yield hold, {(0, WORST, WORST): self._form.target}
        else:
            for eased in self._eased(hold, there.moving if rich else self._reach_of.own.moving):
                yield eased._replace(waiting=waiting + 1), self._run(pos, day, eased, ())
                if hand:
                    left = eased._replace(hand=played.hand, new=played.new, gained=gained + 1)
                    yield left, self._run(pos, day, left, ())
        for lands in range(2 if waiting + gained else 1):
            landed = {"waiting": 0, "gained": 0} if lands else {}
            jumps: Moves = ()
            if lands:
                jumps = ((_BEST, True, False),) * waiting + ((_BEST, True, True),) * gained
            for part, steps in self._parts(hold._replace(**landed), there, rich=rich):
                places = self._run(pos, day, part, steps + jumps)
                yield part, places
                all_of_it = part._replace(hand=min(CARDS, part.hand + part.new), new=0)
                resolves = hand and (lands or self._free(hold, there))
                if resolves and there.returns:
                    yield all_of_it, places
                if resolves and there.dawns:
                    today = all_of_it._replace(day=morning)
                    yield today, self._run(pos, day, today, steps + jumps + ending)

    def _parts(self, base: Hold, there: Access, *, rich: bool) -> Iterator[tuple[Hold, Moves]]:
        """Yield what the card of a turn leaves, and its moves."""
        most = there if rich else self._reach_of.own
        for eased in self._eased(base, most.any):
            yield eased, ()
        if rich and there.clears:
            yield base._replace(warm=WORST, fed=WORST), ()
        for eased in self._eased(base, most.moving):
            yield eased, ((_BEST, False, False),)
        if base.own < self._most_own:
            for eased in self._eased(base, most.placed):
                yield eased._replace(own=base.own + 1), ()
        for eased in self._eased(base, most.taking):
            new, turned = min(CARDS, base.new + most.takes), min(TURNED, base.turned + most.turns)
            yield eased._replace(new=new, turned=turned), ()
        if base.hand:
            hand = base.hand if base.hand == CARDS else base.hand - 1
            for eased in self._eased(base, there.moving):
                yield eased._replace(hand=hand, new=min(CARDS, base.new + 1)), ((_BEST, False, True),)
            for eased in self._eased(base, there.placed):
                yield eased._replace(hand=hand, raises=min(RAISES, base.raises + 1)), ()
            back = base._replace(hand=min(CARDS, base.hand + base.new), new=0)
            for eased in self._eased(back, there.any):
                yield eased, ()
            if there.clears:
                yield back._replace(warm=WORST, fed=WORST), ()

    def _eased(self, hold: Hold, mask: int) -> Iterator[Hold]:
        """Yield what putting a card on the table that lowers one condition leaves (R21); ``mask`` says which."""
        less = [
            name
            for bit, name in ((1, "fed"), (2, "warm"))
            if mask & bit and (hold.fed if name == "fed" else hold.warm) < WORST
        ]
        if not less:
            yield hold
        for name in less:
            yield hold._replace(fed=hold.fed + 1) if name == "fed" else hold._replace(warm=hold.warm + 1)

    # Moving

    def _run(self, pos: int, day: int, hold: Hold, moves: Moves) -> Places:
        """Return the furthest spaces after moves on a day and, on that of ``hold``, the sled's own."""
        rich = hold.hand + hold.new + hold.raises + hold.gained > 0
        places: Places = {(self._form.track.section[pos], hold.warm, hold.fed): pos}
        for number, risky, gained in moves:
            reached: Places = {}
            for spot, start in places.items():
                now = self._speed_at(day, spot[0], hold, rich) - self._drag(spot)
                distance = self._move(risky, gained, rich, hold, now) if number == _BEST else number + now
                self._reach(spot, start, distance, hold, reached)
            places = reached
        reached = {}
        for spot, start in places.items():
            now = self._speed_at(hold.day, spot[0], hold, rich) - self._drag(spot)
            self._reach(spot, start, self._form.track.automatic + now, hold, reached)
        return reached

    def _drag(self, spot: Spot) -> int:
        """Return what conditions take off the speed."""
        _, warm, fed = spot
        return self._form.track.drag[(WORST - warm) << 3 | (WORST - fed)]

    def _reach(self, spot: Spot, start: int, distance: int, hold: Hold, reached: Places) -> None:
        """Note where a move may end: on the last space of each stretch, or the furthest."""
        section = self._form.track.section
        here, warm, fed = spot
        far = min(start + max(0, distance), len(section) - 1)
        for there in range(here, section[far] + 1):
            to = spot
            if there > here:
                cold, hunger = self._entered_with(hold.own, here, there)
                to = there, min(warm, WORST - cold), min(fed, WORST - hunger)
            reached[to] = max(min(self._last[there], far), reached.get(to, 0))

    def _entered_with(self, own: int, here: int, there: int) -> tuple[int, int]:
        """Return the least conditions after moving from one stretch to another (R49), up to ``WORST``."""
        if not self._reach_of.tracked:
            return 0, 0
        at = own, here, there
        if at not in self._entry:
            track = self._form.track
            boards = [board for board, cards in enumerate(self._entered) if cards <= own]
            found = {track.entry[(board * track.sections + here) * track.sections + there] for board in boards}
            self._entry[at] = min(WORST, *(each >> 3 for each in found)), min(WORST, *(each & 7 for each in found))
        return self._entry[at]

    def _woken(self, hold: Hold, pos: int) -> Hold:
        """Return what the roll and the start of a day do to conditions (R62), at least."""
        if not self._reach_of.tracked or hold.day >= DAYS:
            return hold
        track = self._form.track
        section = track.section[pos]
        at = hold.day, section, hold.own, hold.warm, hold.fed
        if at not in self._dawn:
            levels = (WORST - hold.warm) << 3 | (WORST - hold.fed)
            classes = {track.board_class[board] for board, cards in enumerate(self._entered) if cards <= hold.own}
            first = (track.weather[hold.day] * track.sections + section) * track.classes
            found = [track.dawn[(first + each) * LEVELS + levels] for each in classes]
            self._dawn[at] = (
                WORST - min(WORST, *(each >> 3 for each in found)),
                WORST - min(WORST, *(each & 7 for each in found)),
            )
        warm, fed = self._dawn[at]
        return hold._replace(warm=warm, fed=fed)

    def _move(self, risky: bool, gained: bool, rich: bool, hold: Hold, speed_here: int) -> int:
        """Return the most spaces of one card."""
        there = self._reach_of.at(hold.turned)
        free = self._free(hold, there)
        at = (speed_here, risky, gained, rich, free, hold.turned)
        if at not in self._farthest:
            cards = there.cards if gained else self._own
            fitting = [card for card in cards if (card.risk > 0 if risky else card.risk <= free)]
            most = max((_distance(card, speed_here) for card in fitting), default=0)
            self._farthest[at] = most * there.doubles if rich else most
        return self._farthest[at]

    def _free(self, hold: Hold, there: Access) -> int:
        """Return the risk up to which cards take effect at once, for what is in play (R19)."""
        return there.less_risk if hold.raises or self._form.has_unknown else 0

    def _speed_at(self, day: int, section: int, hold: Hold, rich: bool) -> int:
        """Return the best speed there is, without conditions."""
        at = (day, section, hold.raises, hold.own, hold.turned, rich)
        found = self._speed.get(at)
        if found is None:
            track = self._form.track
            there = self._reach_of.at(hold.turned)
            boards = [board for board, cards in enumerate(self._entered) if cards <= hold.own]
            calm = self._calm[section]
            found = -99
            for face in [track.weather[day]] if day < DAYS else range(len(track.faces)):
                first = (face * track.sections + section) * len(track.packs)
                cancels = self._reach_of.cancels[face] and track.speed[first] != calm[0]
                best_there = max(track.speed[first + board] for board in boards)
                found = max(found, best_there if cancels else self._faster(best_there, section, hold.raises, there))
            if rich and there.immune:
                best_there = max(calm[board] for board in boards)
                found = max(found, self._faster(best_there, section, hold.raises, there))
            self._speed[at] = found
        return found

    def _faster(self, speed_here: int, section: int, raises: int, there: Access) -> int:
        """Return a speed with what gained cards in play add and multiply (R43); each multiplier is one of them."""
        rulings = self._form.rulings
        found, factor = speed_here + there.raises[section][raises][0], 1
        for each, more in zip(there.factors, there.raises[section][raises][1:], strict=False):
            factor *= each
            total = speed_here + more
            if rulings.options["speed_multiplier"] == "own_cards":
                own = sum(max(0, rulings.speed.get(name, 0)) * copies for name, copies in self._form.cards.items())
                found = max(found, total + (factor - 1) * (own + more))
            elif total > 0:
                found = max(found, total * factor)
        return found


def best(layer: Layer) -> Layer:
    """Return the states of a layer that no other of the same day and stretch equals or beats in everything."""
    groups: dict[tuple[int, int], list[tuple[int, int, Hold]]] = {}
    for (hold, section), pos in layer.items():
        packed = pos
        for number in hold[1:]:
            packed = packed << _FIELD | number
        groups.setdefault((hold.day, section), []).append((packed, pos, hold))
    kept: Layer = {}
    for (_, section), states in groups.items():
        front: list[int] = []
        for packed, pos, hold in sorted(states, reverse=True):
            # A field that is smaller borrows its guard bit.
            if not any((other - packed) & _GUARDS == _GUARDS for other in front):
                front.append(packed | _GUARDS)
                kept[hold, section] = pos
    return kept


def _distance(card: Card, speed_here: int) -> int:
    """Return the most spaces that a card moves in one run at a speed."""
    moves = [effect.args for effect in card.instant if effect.op == "move"]
    return sum(
        max(0, int(args["n"]) + speed_here) * (2 if args.get("double") else 1) * int(args.get("times", 1))
        for args in moves
    )
