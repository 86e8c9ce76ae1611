"""New days as fresh starts of one seat with a hidden deck (R59 to R65).

A new day puts all cards together that are not in play, so what it is worth hangs on the board alone, and on which cards
are left. The turn that begins it is played by the rules from a deck of fillers: how many of them come to the hand, and
how many are paid from there by the automatic move, is all that this tells about hidden cards, as nothing on that turn
looks at one. All orders of the real cards are alike, so it does not count in which order they are drawn and paid.
"""

from __future__ import annotations

from dataclasses import replace
from math import factorial
from typing import TYPE_CHECKING, Final

from rules.core.restarts import Restart, RestartedBeliefs, Restarts
from rules.core.scripts import Exploring, every_way
from rules.core.steps import Forced, Step
from rules.iditacards.belief.facts import MOST_CARDS
from rules.iditacards.belief.floor import floor_day
from rules.iditacards.belief.open import open_day
from rules.iditacards.content import Weather
from rules.iditacards.moves import NEW_DAY
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play, shuffled_in

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards

FILLERS: Final = 64
"""More cards than a turn takes off a deck."""


def restarts(game: Iditacards, table: Table, seat: int) -> Restarts | None:
    """Return what a new day may lead to from a turn's start, or nothing where that is not told."""
    rulings = game.rulings
    player = table.players[seat]
    if len(table.players) > 1 or rulings.deck_open or table.over or player.finished:
        return None
    loose = shuffled_in(player)
    if rulings.damage_ids.union(rulings.ends_turn) & set(loose):
        return None
    named = {*player.legendary, *in_play(player.dogs), *rulings.damage_ids, *rulings.ends_turn}
    filler = next((card for card in sorted(rulings.cards) if card not in named), None)
    if filler is None:
        return None
    bare = player._replace(
        hand=(filler,) if player.hand else (),
        deck=(filler,) if player.deck else (),
        discard=(filler,) * FILLERS,
        resolved=(),
        seen=(),
        stack=(),
    )
    start = table._replace(players=(bare,))
    ends: list[tuple[tuple[Step | Forced, ...], int, Restart | None]] = []
    for script in every_way(Exploring, (NEW_DAY,)):
        after = game.play_turn(start, script)
        (then,) = after.players
        drawn, paid = then.hand.count(filler), then.discard.count(filler)
        lost = FILLERS + len(bare.hand) + len(bare.deck) - drawn - paid - then.deck.count(filler)
        if lost or (paid and drawn + paid > len(loose)):
            return None
        if then.deck.count(filler) != len(then.deck):  # what came out of play was shuffled in, and may be drawn
            ends.append((tuple(script.steps), script.orders, None))
            continue
        drawn = min(drawn, len(loose))
        known = then._replace(
            hand=tuple(card for card in then.hand if card != filler),
            discard=tuple(card for card in then.discard if card != filler),
            deck=tuple(sorted(loose)),
        )
        after = after._replace(players=(known,), weather=_lasting(rulings, after.weather))
        ends.append((tuple(script.steps), script.orders, Restart(after, drawn, paid)))
    return Restarts(NEW_DAY, tuple(ends))


def _lasting(rulings: Rulings, face: str) -> str:
    """Return the first face of the weather that does the same as one once the hand has been drawn (R62).

    Where hands are drawn before the roll, the next new day draws by this face (Q55).
    """
    capped = rulings.options["weather_roll"] == "after_draw"
    faces = {each: _after_the_roll(weather, capped=capped) for each, weather in rulings.weathers.items()}
    return next((each for each in faces if face in faces and faces[each] == faces[face]), face)


def _after_the_roll(weather: Weather, *, capped: bool) -> Weather:
    caps = capped and weather.caps_hand
    return replace(weather, face="", hypothermia=0, starvation=0, empties_supply=False, caps_hand=caps)


def belief_restart(
    game: Iditacards, restart: Restart, seat: int, forbidden: frozenset[str], target: int | None, turns: int
) -> RestartedBeliefs | None:
    """Return the day after a new day over packed beliefs, or nothing where it is not carried.

    Without a whole day, one played plainly for a chance to reach a ``target``.
    """
    table: Table = restart.table
    player = table.players[seat]
    whole, drawn = forbidden | {NEW_DAY.text}, restart.drawn
    if len(player.deck) > MOST_CARDS:  # these are dealt out before any compiled form begins
        dealt = player._replace(
            hand=tuple(sorted((*player.hand, *player.deck[:drawn]))),
            deck=player.deck[drawn:],
        )
        drawn = 0
        table = table._replace(players=(*table.players[:seat], dealt, *table.players[seat + 1 :]))
    day = open_day(game, table, seat, whole, target, turns, drawn=drawn)
    if day is None and target is not None:
        day = floor_day(game, table, seat, whole, target, turns, drawn=drawn)
    if day is None:
        return None
    ways = day.restarted(restart.table, restart.drawn, restart.paid, turns)
    return RestartedBeliefs(day, ways, factorial(len(player.deck)))
