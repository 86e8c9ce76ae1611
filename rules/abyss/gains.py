"""What one card brings at most, whatever happens: the arithmetic that the bounds of this game share."""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.abyss.content import Card
from rules.abyss.state import ABYSS, CITY


class Gain(NamedTuple):
    """What a card brings at most, treasure before the boost of a trip."""

    ap: int
    """AP apart from treasure; likewise ``rp``."""
    rp: int
    each: int
    """Treasure for each member."""
    flat: int
    """Treasure besides."""
    scale: int
    """Times that it makes RP gains of other cards count."""
    explores: bool
    """It can boost a later trip."""
    place: str
    """Where it works, empty for anywhere."""

    @property
    def is_abroad(self) -> bool:
        """Whether it is used in the Abyss only."""
        return self.place == ABYSS


NOTHING: Final = Gain(0, 0, 0, 0, 1, explores=False, place="")


def gain_of(card: Card) -> Gain:
    """Return what a card brings at most."""
    points = {"ap": 0, "rp": 0}
    for effect in card.effects:
        if effect.op in ("ap", "ap_abyss", "rp"):
            points[effect.op[:2]] += max(0, effect.args["amount"])
    treasures = [effect.args for effect in card.effects if effect.op == "treasure"]
    return Gain(
        ap=points["ap"],
        rp=points["rp"],
        each=sum(args["amount"] for args in treasures if args["per"] != "flat"),
        flat=sum(args["amount"] for args in treasures if args["per"] == "flat"),
        scale=max((effect.args["factor"] for effect in card.effects if effect.op == "scale_rp_gain"), default=1),
        explores=any(effect.args.get("flag") == "explore_pending" for effect in card.effects),
        place=card.location if card.location in (ABYSS, CITY) else "",
    )


def above(one: Gain, other: Gain) -> bool:
    """Return whether a gain is another one and brings as much of everything, wherever that works."""
    more = one != other and all(mine >= its for mine, its in zip(one[:-1], other[:-1], strict=True))
    return more and one.place in ("", other.place)
