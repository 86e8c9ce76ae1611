"""A bound on the turns to a space, which stands behind certificates.

Only what is on the table moves the sled or makes it faster. The bound plays an easier game. Every real line of T turns
is a line of it:

- *One card a turn.* A turn puts at most one card on the table, from the hand or as a risk card (R14, R33). So at most T
  cards take effect beside those that wait now, one less where a turn is a new day. A card that lacks n risk cards takes
  n turns at least (R31), unless second steps may be left out.
- *Order and costs are free.* The best cards are those of any turn, nothing is paid, and nothing is lost. Cards that
  raise the speed count before all moves.
- *Speed.* Nothing that slows the sled counts (R43). Each dog counts with the best leg of the track.
- *Reach.* Without a new day a card comes from hand or deck. The last turn plays a card of the hand, or the top of the
  deck where a card waits. All other zones count where a new day, an op or a leg may bring their cards back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from math import prod
from typing import Final, NamedTuple

from rules.core.scripts import UNKNOWN, known
from rules.iditacards.content import ops_bringing
from rules.iditacards.state import Table, everywhere, in_play
from rules.iditacards.turn import NEW_DAY, Offer, Rulings, offer_of

MOST: Final = 12
"""Turns up to which the bound tells them apart."""
BACK: Final = ops_bringing("discard", "supply", "day")
"""Ops after which a card from elsewhere may be played on the next turn."""
_RUN: Final = 99
"""Risk cards that a card lacks which has taken effect and waits for its second step: more than there are turns."""


class Track(NamedTuple):
    """What the legs of a track bring at most."""

    dog_speed: int
    move: int
    risk: int
    """Factor of risk costs, 1 or less."""
    returns: bool
    """A leg gives cards of the discard pile back."""


class Sled(NamedTuple):
    """What is on the table."""

    legs: tuple[str, ...]
    """Different legs that the sled may stand on."""
    weather: int
    """Speed that the weather gives at most."""
    standing: tuple[str, ...]
    """Dogs and attachments in play."""
    waiting: tuple[tuple[str, int], ...]
    """Cards on the risk stack, with the risk cards that each lacks."""


def least_turns(rulings: Rulings, table: Table, seat: int, target: int, forbidden: frozenset[str]) -> int:
    """Return a number of own turns that no line to a space falls below without forbidden moves."""
    if len(table.players) > 1:
        return int(table.players[seat].pos < target)
    days, player = NEW_DAY.text not in forbidden, table.players[0]
    if UNKNOWN in player.hand:  # any of the cards that nobody has placed
        table = table._replace(players=(player._replace(hand=(*known(player.hand), *player.deck[player.known :])),))
    return next((turns for turns in range(MOST) if _furthest(rulings, table, turns, target, days=days) >= target), MOST)


def _furthest(rulings: Rulings, table: Table, turns: int, target: int, *, days: bool) -> int:
    """Return a space that a player alone does not get beyond in so many turns; right up to the target."""
    player = table.players[0]
    if not turns:
        return player.pos
    legs, ops = _legs(rulings, table, target), _ops(rulings, frozenset(everywhere(table)))
    returns = bool(ops & BACK) or _track(rulings, legs).returns
    first, later, other = _reach(rulings, table, turns, returns=returns)
    now = 0 if table.weather == "none" else max(0, rulings.weathers[table.weather].speed)
    waiting = tuple(
        (frame.card, (0 if _skips(rulings) else frame.need - frame.paid) if frame.step == "risk" else _RUN)
        for frame in player.stack
    )
    sled = Sled(legs, now, tuple(in_play(player.dogs)), waiting)
    most = _gained(rulings, sled, turns, turns, tuple(sorted(first)), tuple(sorted(later)))
    calls = "new_day" in _ops(rulings, frozenset((*first, *later)))
    if days or calls:
        sled = sled._replace(weather=max((now, *(face.speed for face in rulings.weathers.values()))))
        every = tuple(sorted((*first, *(other or later))))
        most = max(most, _gained(rulings, sled, turns, turns if calls else turns - 1, every, ()))
    return player.pos + most


def _legs(rulings: Rulings, table: Table, target: int) -> tuple[str, ...]:
    """Return the legs that the sled may stand on before the target: those behind it too where it may go back."""
    track = rulings.track(table.legs)
    back = rulings.goes_back(_ops(rulings, frozenset(everywhere(table))))
    ahead = track if back else track[table.players[0].pos : target]
    return tuple(dict.fromkeys(leg.id for leg in ahead if leg is not None))


@lru_cache(maxsize=1 << 16)
def _gained(
    rulings: Rulings, sled: Sled, turns: int, plays: int, first: tuple[str, ...], later: tuple[str, ...]
) -> int:
    """Return the most spaces that so many plays bring in so many turns, one of them at least of the ``first`` cards."""
    track = _track(rulings, sled.legs)
    standing = [offer_of(rulings, card) for card in sled.standing]
    forced = [offer_of(rulings, card) for card, lacks in sled.waiting if lacks <= turns]
    now, then = ([offer_of(rulings, card) for card in cards] if plays else [] for cards in (first, later))
    eases = sum(offer.eases for offer in (*standing, *forced, *(now + then if plays > 1 else ())))
    if not rulings.numbers["draw_first_risk"] and not _skips(rulings):
        now = [offer for offer in now if offer.risk * track.risk - eases < turns]
        then = [offer for offer in then if offer.risk * track.risk - eases < turns - 1]
    pool = [*now, *then]
    doubling = {card for card, _ in sled.waiting}.union(*((first, later) if plays > 1 else ()))
    runs = 1 if rulings.numbers["double_risk"].keys().isdisjoint(doubling) else 2
    counts = max(1, *rulings.numbers["counts_as"].values(), 1) if rulings.count_everything else 1
    dogs = (len(standing) + len(forced) + plays) * counts

    def gain(offer: Offer) -> int:
        return offer.speed + offer.others * dogs + track.dog_speed * counts * offer.is_dog

    base = sled.weather + sum(map(gain, (*standing, *forced)))
    factor = prod(offer.factor for offer in (*standing, *forced))
    factor *= prod(sorted((offer.factor for offer in pool), reverse=True)[:plays])
    twice = any(offer.moves and gain(offer) for offer in pool)
    idle = [max(offer.idle, track.move) for offer in (*standing, *forced, *pool) if offer.idle >= 0]
    most = 0
    for raising in range(plays + 1):
        moving = plays if twice else plays - raising
        for raises_first in {raising > 0 and not twice, raising > 0}:
            speed = (base + _best(map(gain, now), map(gain, then), raising, begins=raises_first)) * factor
            far = partial(_distance, speed=speed, track=track)
            moves = _best(map(far, now), map(far, then), moving, begins=not raises_first or twice)
            automatic = 0 if rulings.auto_base is None else max(rulings.auto_base + speed, track.move)
            each = automatic + sum(distance + speed for distance in idle)
            most = max(most, runs * (moves + sum(map(far, forced))) + turns * each)
    return most


def _best(first: Iterable[int], later: Iterable[int], n: int, *, begins: bool) -> int:
    """Return the sum of the n best numbers, one of them of ``first`` if they begin."""
    if not n:
        return 0
    if not begins:
        return sum(sorted((*first, *later), reverse=True)[:n])
    best, *others = sorted((0, *first), reverse=True)
    return best + sum(sorted((*others, *later), reverse=True)[: n - 1])


def _distance(offer: Offer, speed: int, track: Track) -> int:
    return sum(factor * max(0, max(distance, track.move) + speed) for distance, factor in offer.moves)


def _reach(
    rulings: Rulings, table: Table, turns: int, *, returns: bool
) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """Return the cards that this turn may put on the table, those of later turns, and those after a new day."""
    player = table.players[0]
    there = in_play(player.dogs)
    skips = bool(player.stack) and _skips(rulings)
    top = player.deck[: 1 if rulings.deck_open and not skips else None] if player.stack else ()
    first = [*_dying(rulings, there), *(() if player.stack and not skips else player.hand), *top]
    if skips:
        first += player.seen
    if turns == 1:
        return first, (), ()
    later = [*player.deck[len(top) :], *(() if skips else player.seen)]
    if player.stack and not skips:
        later += player.hand
    if rulings.rules.legendary_to == "hand":
        later += player.legendary
    every = {*first, *later, *player.legendary, *player.discard, *player.resolved, *there}
    every.update(frame.card for frame in player.stack)
    if turns > 2 or returns:
        every.update(table.supply, table.destroyed, *table.upgrade)
    if returns:
        return first, sorted(every) * turns, ()
    return first, later + _dying(rulings, (*first, *later, *there)) * turns, sorted(every) * turns


def _skips(rulings: Rulings) -> bool:
    """Return whether a second step may be left out, so that a turn does more than one thing with the stack (Q53)."""
    return bool(rulings.options["second_step"] == "optional")


def _dying(rulings: Rulings, cards: Iterable[str]) -> list[str]:
    """Return the cards that may come back from play to the hand, and so be played again."""
    return [card for card in cards if rulings.cards[card].passive.get("dies_to", {}).get("zone") == "hand"]


@lru_cache(maxsize=4096)
def _ops(rulings: Rulings, cards: frozenset[str]) -> frozenset[str]:
    return frozenset(effect.op for card in cards for effect in rulings.cards[card].instant)


@lru_cache(maxsize=256)
def _track(rulings: Rulings, names: tuple[str, ...]) -> Track:
    legs = [rulings.content.legs[name] for name in names]

    def numbers(effect: str) -> Iterable[int]:
        return (leg.passive[effect]["n"] for leg in legs if effect in leg.passive)

    return Track(
        dog_speed=max((0, *numbers("leg_dog_speed"))),
        move=max((0, *numbers("leg_card_move"))),
        risk=min((1, *numbers("leg_risk_mult"))),
        returns=any("leg_turn_end_recover" in leg.passive for leg in legs),
    )
