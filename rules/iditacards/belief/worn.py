"""Attachments that do nothing in a question about one day: they are one, or forgotten altogether.

An attachment is *idle* if nothing reads what it does in play: it counts on a new day only, or with other players; or it
keeps its dog from dying, where no card kills a dog, every dog finds room (R50), and it may be taken off before its dog
is sacrificed (R13), or none is. It takes a place all the same, so which dogs wear idle ones counts, but not which
these are: all stand for one of them.

*Forgotten.* Where ``outlook`` knows the way to the target, further is never worse, and if no attachment is better out
of play, whoever wears more on each dog does no worse: they wear as much after any placing, by putting the new one in
the place of one of those that the other has not. So who has no idle ones does as well as who has:

- What can be done without them can be done with them. Where a place is free without, an idle one can be replaced, as
  all places of its dog are taken or one is free (R54).
- What more can be done with them is worse: to put an idle one in the place of another, or to discard a new one as all
  places are taken, leaves less than forgetting them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rules.iditacards.content import Card
from rules.iditacards.outlook import in_the_way
from rules.iditacards.rulings import Rulings

FORGOTTEN: Final = ""
"""Stands for nothing worn."""
_UNREAD: Final = frozenset({"day_draw", "day_end_empty_move", "no_pass_damage", "start_in_play"})
"""Passive ops that only a new day or other players ask about (R5, R58, R60, R64)."""
_GUARDS: Final = frozenset({"cannot_die", "death_shield"})
"""Those that keep a dog from dying."""
_KILLS: Final = frozenset({"kill_dog", "kill_any_dog"})


def idle_attachments(rulings: Rulings, names: Sequence[str], *, free: bool, forgets: bool) -> Mapping[str, str]:
    """Return idle attachments with what each of them stands for.

    ``names`` are all cards in play and those that may come there; ``free``: free actions are taken. ``forgets``:
    ``outlook`` knows the way to the target.
    """
    cards = [rulings.cards[name] for name in names]
    safe = _nobody_dies(rulings, cards, free=free)
    unread = _UNREAD | (_GUARDS if safe else frozenset())
    idle = sorted({card.id for card in cards if card.type == "attachment" and unread.issuperset(card.passive)})
    worn = [card for card in cards if card.type == "attachment"]
    if forgets and safe and rulings.options["attachment_overwrite"] and not any(map(in_the_way, worn)):
        return dict.fromkeys(idle, FORGOTTEN)
    return dict.fromkeys(idle, idle[0]) if idle else {}


def _nobody_dies(rulings: Rulings, cards: Iterable[Card], *, free: bool) -> bool:
    """Return whether no dog dies but one that is sacrificed, which nothing that it wears can prevent."""
    dogs = sum(rulings.counts_as.get(card.id, 1) for card in cards if card.type == "dog")
    return (
        (not free or bool(rulings.options["attachment_removal"]))
        and dogs <= rulings.dog_limit
        and not any("on_death" in card.passive for card in cards)
        and not any(effect.op in _KILLS for card in cards for effect in card.instant)
    )
