"""How few turns the whole game may take, cards from the supply and legendary cards included.

The bound is the exact optimum of a simpler race that needs no list of what was gained. What can be gained goes to the
discard pile (R66, op ``take``); a new day brings it into the deck (R61). A state of the simpler race is the day, the
gained cards *at hand* (in circulation since a new day, not in play), those *new* in the discard pile, those in play
that *raise* the speed, the frames that wait, and the space. Every gained card is whatever is best at the moment. A turn
plays one card or turns up one risk card (R14, R33), so it is one of

- a gain: a sled card of the player's own brings the most that one of them takes; once a gained card was at hand, any
  number (of the gained ones some take as many as were destroyed);
- a raise, while a card is at hand, which is in play from now on: k of them add the most that k cards can add on this
  stretch: what they say, what the leg gives a dog, and for those that count other dogs as many as a team can have
  (R50); multipliers act on the whole (R43);
- a card of the player's own that enters play;
- a move by a card without risk, at once, or the start of one by a card with risk, which waits: the furthest that any
  own card goes, or, with a card at hand, which becomes a new one by that, any at all, all runs of all its moves
  together, twice where a card doubles (R36, R42);
- a return: what is new comes to hand, while a card is at hand (they may recover cards);
- a resolution: one risk card comes up, which is one of these or nothing, then all that waits lands, and brings what is
  new to hand or a new day, where such cards exist;
- a new day with its real weather: nothing waits, what is new comes to hand; with a card in play that moves an
  empty-handed player it moves, too (R60);
- nothing;

and after each the sled moves by itself. Checkpoints that are passed give new cards as long as legendary ones are left.
Speeds are the best of all boards with as many own cards in play or fewer, on the stretch, under the weather of the day
or, once a card was at hand, without weather if that is more (R67); conditions, costs and lost dogs do not exist. A move
may end anywhere.

*Admissible.* Each turn of the game is one of these (a frame that resolves below was played on a turn of its own), goes
at most as far, and leaves no better state: more cards never hurt, as every plan for less is open with more, and for the
same reason neither does a further space of the same stretch, so that of all spaces a move may end on only the last of
each stretch and the furthest need a look. Numbers of cards are counted up to ``CARDS``, which stands for any number,
raises up to ``RAISES``, which stands for all there are, days up to ``DAYS``, which has the best weather. Who starts
a move with ``WAITING`` frames waiting is taken to be there. For the same reason a layer keeps only states that no other
of the same day and stretch equals or beats in everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from operator import ge
from typing import TYPE_CHECKING, Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.race_boards import in_play

if TYPE_CHECKING:
    from rules.iditacards.track_form import TrackForm

CARDS: Final = 4
RAISES: Final = 9
DAYS: Final = 7
WAITING: Final = 14
_MOST_TURNS: Final = 60
_BEST: Final = -1
"""A move by the best card."""


class Hold(NamedTuple):
    """A state of the simpler race but for the space."""

    day: int
    hand: int
    new: int
    raises: int
    waiting: int
    """Own cards that wait to move the sled, and gained ones."""
    gained: int
    own: int
    """Own cards that have entered play."""


Moves = tuple[tuple[int, bool, bool], ...]
"""Moves of a turn: a distance, or that of the best card with a risk or without, an own one or any."""
Layer = dict[tuple[Hold, int], int]
"""The furthest space by state and stretch."""


def fewest_with_gains(form: TrackForm) -> int:
    """Return a number of turns that no line of the game from the root falls below."""
    return Gains(form).fewest()


class Gains:
    """The simpler race of one form."""

    def __init__(self, form: TrackForm) -> None:
        self._form = form
        rulings, track = form.rulings, form.track
        form.ensure(DAYS)
        self._cards = [card for name, card in rulings.cards.items() if _copies(form, name)]
        self._own = [rulings.cards[name] for name in form.playable]
        self._last = [len(track.section) - 1 - track.section[::-1].index(each) for each in range(track.sections)]
        self._factor = prod(max(1, n) ** _copies(form, card) for card, n in rulings.speed_mult.items())
        self._doubles = 2 if any(_copies(form, card) for card in rulings.double_risk) else 1
        self._empty = max((n for card, n in rulings.day_end_empty_move.items() if _copies(form, card)), default=None)
        self._returns = self._has("discard_to_deck")
        self._dawns = self._has("new_day")
        self._gain = max((_taken(card) for card in self._own), default=0)
        self._raise = [self._raises(section) for section in range(track.sections)]
        cards = [len(in_play(pack.dogs)) for pack in form.boards.packs]
        self._entered = [max(0, each - cards[0]) for each in cards]
        self._most_own = max(self._entered)
        self._calm = [track.calm_speeds(section) for section in range(track.sections)]
        self._speed: dict[tuple[int, int, int, int, bool], int] = {}
        self._farthest: dict[tuple[int, bool, bool, bool], int] = {}

    def _has(self, op: str) -> bool:
        return any(effect.op == op for card in self._cards for effect in card.instant)

    def fewest(self) -> int:
        """Return the fewest turns from the root."""
        form = self._form
        player = form.table.players[form.seat]
        if len(player.stack) > WAITING or any(
            card.type in ("dog", "attachment") and _distance(card, 1) for card in self._cards
        ):
            return 1
        stack = len(player.stack)
        first = Hold(0, 0, 0, 0, stack, 0, stack)
        if form.has_unknown:
            first = Hold(0, CARDS, 0, 0, 0, stack, stack)
        layer: Layer = {(first, form.track.section[player.pos]): player.pos}
        seen = dict(layer)
        for turn in range(1, _MOST_TURNS):
            after: Layer = {}
            for (hold, section), pos in layer.items():
                if form.track.recovers[section]:
                    return turn
                for left, places in self._turns(hold, pos):
                    if self._enter(left, pos, places, after, seen):
                        return turn
            layer = best(after)
        return _MOST_TURNS

    def _enter(self, hold: Hold, start: int, places: dict[int, int], after: Layer, seen: Layer) -> bool:
        """Note where a turn leads that was not as good before; return whether it reaches the target."""
        passed = self._form.tables.passed
        for section, pos in places.items():
            if pos >= self._form.target:
                return True
            new = min(CARDS, hold.new + passed[pos] - passed[start])
            at = hold._replace(new=new), section
            if seen.get(at, -1) < pos:
                seen[at] = after[at] = pos
        return False

    def _turns(self, hold: Hold, pos: int) -> Iterator[tuple[Hold, dict[int, int]]]:
        """Yield what each turn leaves, and where it may end, by stretch."""
        day, hand, new, raises, waiting, gained, own = hold
        morning = min(day + 1, DAYS)
        rich = hand + raises > 0
        ending = ((self._empty, False, False),) if self._empty is not None and raises else ()
        dawn = Hold(morning, min(CARDS, hand + new), 0, raises, 0, 0, own)
        spent = hold._replace(hand=hand if hand == CARDS else hand - 1)
        played = spent._replace(new=min(CARDS, new + 1))
        yield dawn, self._run(pos, day, dawn, ending)
        if waiting + gained >= WAITING:
            yield hold, {0: self._form.target}
        else:
            yield hold._replace(waiting=waiting + 1), self._run(pos, day, hold, ())
            if hand:
                yield played._replace(gained=gained + 1), self._run(pos, day, played, ())
        for lands in range(2 if waiting + gained else 1):
            landed = {"waiting": 0, "gained": 0} if lands else {}
            base = hold._replace(**landed)
            jumps: Moves = ()
            if lands:
                jumps = ((_BEST, True, False),) * waiting + ((_BEST, True, True),) * gained
            parts: list[tuple[Hold, Moves]] = [(base, ()), (base, ((_BEST, False, False),))]
            if own < self._most_own:
                parts.append((base._replace(own=own + 1), ()))
            parts.append((base._replace(new=CARDS if rich else min(CARDS, new + self._gain)), ()))
            if hand:
                parts.append((played._replace(**landed), ((_BEST, False, True),)))
                parts.append((spent._replace(**landed, raises=min(RAISES, raises + 1)), ()))
                parts.append((base._replace(hand=min(CARDS, hand + new), new=0), ()))
            for part, steps in parts:
                places = self._run(pos, day, part, steps + jumps)
                yield part, places
                all_of_it = part._replace(hand=min(CARDS, part.hand + part.new), new=0)
                if lands and hand and self._returns:
                    yield all_of_it, places
                if lands and hand and self._dawns:
                    today = all_of_it._replace(day=morning)
                    yield today, self._run(pos, day, today, steps + jumps + ending)

    # Moving

    def _run(self, pos: int, day: int, hold: Hold, moves: Moves) -> dict[int, int]:
        """Return the furthest space by stretch after moves on a day and, on that of ``hold``, the sled's own."""
        rich = hold.hand + hold.new + hold.raises > 0
        section = self._form.track.section
        places = {section[pos]: pos}
        for number, risky, gained in moves:
            reached: dict[int, int] = {}
            for here, start in places.items():
                now = self._speed_at(day, here, hold, rich)
                self._reach(start, self._move(risky, gained, rich, now) if number == _BEST else number + now, reached)
            places = reached
        reached = {}
        for here, start in places.items():
            now = self._speed_at(hold.day, here, hold, rich)
            self._reach(start, self._form.track.automatic + now, reached)
        return reached

    def _reach(self, start: int, distance: int, reached: dict[int, int]) -> None:
        """Note where a move may end: on the last space of each stretch, or the furthest."""
        section = self._form.track.section
        far = min(start + max(0, distance), len(section) - 1)
        for there in range(section[start], section[far] + 1):
            reached[there] = max(min(self._last[there], far), reached.get(there, 0))

    def _move(self, risky: bool, gained: bool, rich: bool, speed_here: int) -> int:
        """Return the most spaces of one card."""
        at = (speed_here, risky, gained, rich)
        if at not in self._farthest:
            cards = self._cards if gained else self._own
            most = max((_distance(card, speed_here) for card in cards if bool(card.risk) == risky), default=0)
            self._farthest[at] = most * self._doubles if rich else most
        return self._farthest[at]

    def _speed_at(self, day: int, section: int, hold: Hold, rich: bool) -> int:
        """Return the best speed there is."""
        at = (day, section, hold.raises, hold.own, rich)
        found = self._speed.get(at)
        if found is None:
            track = self._form.track
            faces = [track.weather[day]] if day < DAYS else range(len(track.faces))
            boards = [board for board, cards in enumerate(self._entered) if cards <= hold.own]
            starts = [(face * track.sections + section) * len(track.packs) for face in faces]
            found = max(track.speed[start + board] for start in starts for board in boards)
            if rich:
                found = max(found, max(self._calm[section][board] for board in boards))
            found += self._raise[section][hold.raises]
            if hold.raises and found > 0:
                found *= self._factor
            self._speed[at] = found
        return found

    def _raises(self, section: int) -> list[int]:
        """Return what so many gained cards may add to the speed on a stretch, 0 to ``RAISES``."""
        form, rulings = self._form, self._form.rulings
        track, pos = rulings.track(form.legs), form.track.section.index(section)
        leg = track[pos] if pos < len(track) else None
        effects = leg.effects if leg is not None else {}
        by_dog = int(effects["leg_dog_speed"]["n"]) if "leg_dog_speed" in effects else 0
        alone: list[int] = []
        by_others: list[int] = []
        for name, card in rulings.cards.items():
            if card.type in ("dog", "attachment"):
                more = rulings.speed.get(name, 0) + (by_dog if card.type == "dog" else 0)
                copies = _copies(form, name) - form.playable[name]
                others = rulings.speed_other_dogs.get(name, 0)
                if others > 0:
                    by_others.extend([max(0, more) + others * rulings.dog_limit] * copies)
                else:
                    alone.extend([max(0, more)] * copies)
        if "leg_no_speed_bonus" in effects:
            return [0] * (RAISES + 1)
        found = sorted(alone + by_others, reverse=True)
        return [sum(found[:raises]) for raises in range(RAISES)] + [sum(found)]


def best(layer: Layer) -> Layer:
    """Return the states of a layer that no other of the same day and stretch equals or beats in everything."""
    groups: dict[tuple[int, int], list[tuple[tuple[int, ...], Hold]]] = {}
    for (hold, section), pos in layer.items():
        groups.setdefault((hold.day, section), []).append(((*hold[1:], pos), hold))
    kept: Layer = {}
    for (_, section), states in groups.items():
        front: list[tuple[int, ...]] = []
        for worth, hold in sorted(states, reverse=True):
            if not any(all(map(ge, other, worth)) for other in front):
                front.append(worth)
                kept[hold, section] = worth[-1]
    return kept


def _copies(form: TrackForm, name: str) -> int:
    """Return how many copies of a card a race may come to hold: own, legendary, and all of the upgrade decks."""
    gained = sum(deck.count(name) for deck in (form.table.supply, *form.table.upgrade))
    return form.cards[name] + form.table.players[form.seat].legendary.count(name) + gained


def _taken(card: Card) -> int:
    """Return the most cards that a card takes from the supply."""
    numbers = [effect.args["n"] for effect in card.instant if effect.op == "take"]
    return sum(number if isinstance(number, int) else CARDS for number in numbers)


def _distance(card: Card, speed_here: int) -> int:
    """Return the most spaces that a card moves in one run at a speed."""
    moves = [effect.args for effect in card.instant if effect.op == "move"]
    return sum(
        max(0, int(args["n"]) + speed_here) * (2 if args.get("double") else 1) * int(args.get("times", 1))
        for args in moves
    )
