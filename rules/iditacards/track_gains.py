"""How few turns a race may take once cards have been gained: a bound that needs no list of what was gained.

Cards from the supply and legendary cards go to the discard pile (R66, op ``take``), and only a new day brings them into
the deck (R61). So up to that day a race is one of the own cards alone (``track_bound``); from the turn of that new day
on it is bounded here, by a race in which every card there is can be played at once, on every turn, at no cost:

- A turn plays one card, or turns up one risk card (R14, R33); a frame that resolves below was played on a turn of its
  own. So in T turns, the first of them the new day, at most T - 1 cards count: some *raise* the speed, others *move*.
- The k-th card that raises the speed adds at most the k-th greatest of all that cards can add: what they say, one more
  for each other dog where they say so, and what the best leg gives each dog; then multipliers act on the whole, on top
  of the best speed that the own cards reach in any weather, on any stretch, without conditions (R43).
- Every turn the sled moves by itself at the speed reached so far. Every card that moves goes the greatest distance that
  any card goes at the last speed, all runs of all its moves together (R36, R42), or that an empty-handed end of the day
  brings (R60), and each turn may bring that too.

Each is at least what the same turn of the real race brings, so T turns cannot be too many. The bound is far from tight:
it knows neither which cards were gained nor what that took, and it takes the best weather for every day.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Final

from rules.iditacards.content import Card

if TYPE_CHECKING:
    from rules.iditacards.track_form import TrackForm

_MOST_TURNS: Final = 60


def fewest_with_gains(form: TrackForm, spaces: int, *, at_once: bool = False) -> int:
    """Return a number of turns that a race needs at least for ``spaces`` spaces from the turn of a new day on.

    ``at_once`` is for cards that can be played already: the first turn is like all others, and what waits may land.
    """
    rulings, track = form.rulings, form.track
    cards = [card for name, card in rulings.cards.items() if _copies(form, name)]
    if any(card.type in ("dog", "attachment") and _distance(card, 1) for card in cards):
        return 1  # a card that both raises and moves would count twice
    factor = prod(max(1, n) ** _copies(form, card) for card, n in rulings.speed_mult.items())
    doubles = 2 if any(_copies(form, card) for card in rulings.double_risk) else 1
    empty = max((n for name, n in rulings.day_end_empty_move.items() if _copies(form, name)), default=None)
    waiting = len(form.table.players[form.seat].stack)
    base = max(track.speed)
    speeds = [base * factor if base > 0 else base]
    for more in sorted(_raises(form), reverse=True)[:_MOST_TURNS]:
        base += more
        speeds.append(base * factor if base > 0 else base)
    for turns in count(1):
        most = 0
        for raised in range(min(turns + at_once, len(speeds))):
            top = speeds[raised]
            moving = max((doubles * _distance(card, top) for card in cards), default=0)
            moves = turns - 1 - raised + (1 + waiting if at_once else 0)
            if empty is not None:
                moving = max(moving, empty + top)
                moves += turns
            own = sum(max(0, track.automatic + speeds[min(turn + at_once, raised)]) for turn in range(turns))
            most = max(most, own + max(0, moving) * moves)
        if most >= spaces or turns == _MOST_TURNS:
            return turns
    raise AssertionError("counting ends")


def _copies(form: TrackForm, name: str) -> int:
    """Return how many copies of a card a race may come to hold: own, legendary, and all of the upgrade decks."""
    gained = sum(deck.count(name) for deck in (form.table.supply, *form.table.upgrade))
    return form.cards[name] + form.table.players[form.seat].legendary.count(name) + gained


def _raises(form: TrackForm) -> Iterator[int]:
    """Yield what each card that can be gained may add to the speed."""
    rulings = form.rulings
    legs = [leg for leg in rulings.track(form.legs) if leg is not None]
    by_dog = max((int(leg.effects["leg_dog_speed"]["n"]) for leg in legs if "leg_dog_speed" in leg.effects), default=0)
    by_dog = max(0, by_dog) + sum(max(0, n) * _copies(form, name) for name, n in rulings.speed_other_dogs.items())
    for name, card in rulings.cards.items():
        if card.type in ("dog", "attachment"):
            more = rulings.speed.get(name, 0) + max(0, rulings.speed_other_dogs.get(name, 0)) * rulings.dog_limit
            for _ in range(_copies(form, name) - form.playable[name]):
                yield max(0, more + (by_dog if card.type == "dog" else 0))


def _distance(card: Card, speed: int) -> int:
    """Return the most spaces that a card moves in one run at a speed."""
    moves = [effect.args for effect in card.instant if effect.op == "move"]
    return sum(
        max(0, int(args["n"]) + speed) * (2 if args.get("double") else 1) * int(args.get("times", 1)) for args in moves
    )
