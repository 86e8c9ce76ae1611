"""What can be said about reaching a space on the same day before any turn is played."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rules.core.race import NOTHING_KNOWN, Outlook
from rules.iditacards.content import Card, Leg
from rules.iditacards.essence import leg_reads, reads
from rules.iditacards.moves import NEW_DAY
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play

FREE: Final = frozenset({"sacrifice", "remove"})
"""First words of the free actions (R13)."""


def outlook(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str], target: int, turns: int) -> Outlook:
    """Return what is known about one player who has to be at a space at the end of a turn of this day.

    Only while everything up to the target is one leg without checkpoints, where nothing moves back or dies, and where
    nothing reads the discard pile or multiplies what cards do. Then further is never worse, and:

    - it is hopeless when all the turns, with every speed that can still come into play and the best moving cards, one
      for each turn and each card that waits, do not get there;
    - a free action is pointless when it can only slow down: it takes something out of play, and all that is or may
      come into play is of use or of none.
    """
    player = table.players[seat]
    leg = _one_leg(rulings, table, player, target)
    if leg is _SEVERAL or NEW_DAY.text not in forbidden or len(table.players) > 1:
        return NOTHING_KNOWN
    if rulings.death_at is not None or rulings.auto_move_by_condition or leg_reads(rulings, table, target):
        return NOTHING_KNOWN
    cards = _cards(rulings, player)
    if reads(rulings, table, player).discard or reads(rulings, table, player).supply or not _plain(rulings, cards):
        return NOTHING_KNOWN
    assert leg is None or isinstance(leg, Leg)
    most = player.pos + _furthest(rulings, table, player, leg, turns)
    slows_dogs = leg is not None and leg.effects.get("leg_dog_speed", {"n": 0})["n"] < 0
    return Outlook(most < target, FREE if not slows_dogs and _all_of_use(rulings, cards) else frozenset())


_SEVERAL: Final = object()


def _one_leg(rulings: Rulings, table: Table, player: Player, target: int) -> object:
    """Return the leg of all spaces from the player to before the target, if it is one."""
    track = rulings.track(table.legs)
    legs = {id(leg): leg for leg in track[player.pos : target]}
    if target > len(track):
        legs[id(None)] = None
    if len(legs) != 1 or any(player.pos < space < target for space in rulings.board.checkpoints):
        return _SEVERAL
    return next(iter(legs.values()))


def _cards(rulings: Rulings, player: Player) -> frozenset[str]:
    """Return the cards in play and those that may be played."""
    cards = {*player.hand, *player.deck, *player.seen, *(frame.card for frame in player.stack)}
    cards.update(in_play(player.dogs))
    return frozenset(cards if rulings.legendary_to != "hand" else cards.union(player.legendary))


@lru_cache(maxsize=4096)
def _plain(rulings: Rulings, cards: frozenset[str]) -> bool:
    """Return whether no card multiplies speeds or effects or moves back."""
    facts = [rulings.cards[card] for card in cards]
    return not any(
        {"speed_mult", "double_risk", "draw_first_risk"} & set(card.passive)
        or any(effect.op == "move_back" for effect in card.instant)
        for card in facts
    )


@lru_cache(maxsize=4096)
def _all_of_use(rulings: Rulings, cards: frozenset[str]) -> bool:
    """Return whether no card is better out of play, and killing a dog brings nothing.

    Where others cost less, too, a card may be better out of play: one that is turned over as a risk card has to be paid
    for if it can be (R33), and what pays for it may be worth more.
    """
    overwritten = bool(rulings.options["attachment_overwrite"])
    return overwritten and not any(in_the_way(rulings.cards[card]) for card in cards)


def in_the_way(card: Card) -> bool:
    """Return whether a card may be better out of play."""
    passive = card.passive
    return (
        passive.get("dies_to", {}).get("zone") == "hand"
        or "on_move_draw" in passive
        or card.number("speed") < 0
        or card.number("speed_other_dogs") < 0
        or any(card.number(f"cost_mod:{cost}") for cost in ("energy", "health", "risk"))
        or any(effect.args.get("per") == "dog" or effect.op == "kill_dog" for effect in card.instant)
    )


def _furthest(rulings: Rulings, table: Table, player: Player, leg: Leg | None, turns: int) -> int:
    """Return spaces that cannot be exceeded: at most one card a turn resolves beside those that wait."""
    resolved = turns + len(player.stack)
    there = [rulings.cards[card] for card in in_play(player.dogs)]
    coming = [*player.hand, *player.deck, *player.seen, *(frame.card for frame in player.stack)]
    coming.extend(player.legendary if rulings.legendary_to == "hand" else ())
    cards = [rulings.cards[card] for card in coming]
    dogs = len(player.dogs) + resolved
    weather = rulings.weathers.get(table.weather)
    speed = sum(_gain(card, dogs) for card in there) + _best((_gain(card, dogs) for card in cards), resolved)
    speed += max(0, weather.speed) if weather is not None else 0
    counts = max((card.number("counts_as", 1) for card in (*there, *cards)), default=1)
    speed += 0 if leg is None else max(0, leg.effects.get("leg_dog_speed", {"n": 0})["n"]) * dogs * counts
    fixed = 0 if leg is None else leg.effects.get("leg_card_move", {"n": 0})["n"]
    moves = _best((_distance(card, speed, fixed) for card in cards), resolved)
    automatic = 0 if rulings.auto_base is None else speed + rulings.auto_base
    return moves + turns * max(automatic, fixed if rulings.final_distance else 0)


def _gain(card: Card, dogs: int) -> int:
    return max(0, card.number("speed")) + max(0, card.number("speed_other_dogs")) * dogs


def _distance(card: Card, speed: int, fixed: int) -> int:
    return sum(
        (max(effect.args["n"], fixed) + speed) * effect.args.get("times", 1) * (2 if effect.args.get("double") else 1)
        for effect in card.instant
        if effect.op == "move"
    )


def _best(numbers: Iterable[int], n: int) -> int:
    return sum(sorted(numbers, reverse=True)[:n])
