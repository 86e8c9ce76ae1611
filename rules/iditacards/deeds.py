"""What single cards do, in numbers that plain play can weigh; read off the ruleset, never off a card's name."""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.iditacards.content import Card, Effect
from rules.iditacards.costs import lowers

SOME: Final = 3
"""What stands for a number that is a word, such as "all"."""


class Distance(NamedTuple):
    """How far a card moves: ``printed`` spaces and ``speeds`` times the speed."""

    printed: int
    speeds: int

    def at(self, own_speed: int) -> int:
        """Return the spaces at a speed, no less than none."""
        return max(0, self.printed + self.speeds * own_speed)


class Deeds(NamedTuple):
    """What a card does to its player when it is played and takes effect."""

    card: Card
    distance: Distance
    moves: bool
    draws: int
    """Cards that come to the hand."""
    draws_a_dog: int
    """Likewise for each own dog."""
    hypothermia: int
    starvation: int
    clears: tuple[bool, bool]
    """Whether all hypothermia and all starvation go."""
    gains: int
    """Upgrades."""
    destroys: int
    damage: int
    kills: int
    """Own dogs given up."""
    placed: bool
    """It stays in play."""
    played: tuple[int, int]
    """What playing it does to the conditions, whether it can be paid or not."""

    @property
    def cures(self) -> tuple[int, int]:
        """Points of hypothermia and of starvation that it takes away."""
        lost = max(0, -self.hypothermia), max(0, -self.starvation)
        return SOME if self.clears[0] else lost[0], SOME if self.clears[1] else lost[1]


def deeds_of(card: Card) -> Deeds:
    """Return what a card does, as far as it is a matter of numbers."""
    own = [effect for effect in card.instant if effect.args.get("who", "self") in ("self", "all")]
    # Eating and care act as soon as the card is on the table (R21).
    played = -lowers(card, "hypothermia"), -lowers(card, "starvation")
    distance = Distance(
        sum(_times(effect) * effect.args["n"] for effect in own if effect.op == "move") - _sum(own, "move_back"),
        sum(_times(effect) for effect in own if effect.op == "move"),
    )
    a_dog = [effect for effect in own if effect.args.get("per") == "dog"]
    return Deeds(
        card,
        distance,
        bool(distance.speeds),
        _sum([effect for effect in own if effect not in a_dog], "draw", "recover"),
        _sum(a_dog, "draw"),
        played[0] + _sum(own, "hypothermia"),
        played[1] + _sum(own, "starvation"),
        (any(each.op == "clear_hypothermia" for each in own), any(each.op == "clear_starvation" for each in own)),
        _sum(own, "take", "take_next"),
        _sum(own, "heal", "destroy_next"),
        _sum(own, "damage"),
        sum(effect.op == "kill_dog" for effect in own),
        card.type in ("dog", "attachment"),
        played,
    )


def _times(effect: Effect) -> int:
    return int(effect.args.get("times", 1)) * (2 if effect.args.get("double") else 1)


def _sum(effects: list[Effect], *ops: str) -> int:
    numbers = [effect.args["n"] for effect in effects if effect.op in ops]
    return sum(n if isinstance(n, int) else SOME for n in numbers)
