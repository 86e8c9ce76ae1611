"""What can have been gained once so many cards of the upgrade decks are turned over, for the bound of the whole game.

Cards are turned over from the top of a deck (op ``take``), so that of cards turned over in all, those of one deck are
its first at most; decks are not shuffled. Beside them there are the cards of the supply and the legendary ones. Where
the decks are hidden, or are filled again (Q47), all cards are within reach from the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.track.kernel import LEVELS

if TYPE_CHECKING:
    from rules.iditacards.track.form import TrackForm

CARDS: Final = 4
RAISES: Final = 9
TURNED: Final = 16
_CLEARS: Final = frozenset({"clear_hypothermia", "clear_starvation"})
_LOWERS: Final = frozenset({"hypothermia", "starvation"})
_SUPPLY: Final = frozenset({"supply", "take_next"})


class Access(NamedTuple):
    """What cards within reach can do; masks are 1 for cards that lower starvation on the table, 2 for hypothermia."""

    cards: Sequence[Card]
    any: int
    """Of any card,"""
    moving: int
    """of those that move,"""
    taking: int
    """that take cards,"""
    placed: int
    """and that enter play."""
    takes: int
    """Cards that one takes at most,"""
    turns: int
    """and turns over."""
    clears: bool
    """Whether one removes conditions,"""
    immune: bool
    """or grants immunity,"""
    returns: bool
    """or brings the discard pile back,"""
    dawns: bool
    """or a new day."""
    empty: int | None
    """The move when a day ends with nothing in hand and deck."""
    less_risk: int
    """What all together take off a risk (R19)."""
    factors: Sequence[int]
    """What those make of the speed that multiply it, the greatest first."""
    doubles: int
    raises: Sequence[Sequence[Sequence[int]]]
    """By stretch, number of cards, and how many of these are multipliers: what they add to the speed at most."""


class Reach:
    """What is within reach in one race."""

    def __init__(self, form: TrackForm) -> None:
        self._form = form
        rulings = form.rulings
        self.ordered = rulings.upgrade_open and not rulings.options.get("upgrade_refresh")
        """Whether cards are gained from the top of known decks only."""
        self._tabled: dict[str, int] = {}
        self._at: dict[int, Access] = {}
        self.cancels = [
            rulings.weathers[face].cancels_bonuses if face in rulings.weathers else False for face in form.track.faces
        ]
        self.own = self._access(form.cards, form.cards)
        self.tracked = self._is_simple(self._all(TURNED))
        """Whether conditions can be followed."""

    def at(self, turned: int) -> Access:
        """Return what is within reach with so many cards turned over, the own cards included."""
        if turned not in self._at:
            self._at[turned] = self._access(self._all(turned), self._all(turned) - self._form.cards)
        return self._at[turned]

    def _all(self, turned: int) -> Counter[str]:
        """Return the cards that a race may come to hold."""
        form = self._form
        cards = form.cards + Counter(form.table.players[form.seat].legendary) + Counter(form.table.supply)
        for deck in form.table.upgrade:
            cards.update(deck if turned >= TURNED else deck[:turned])
        return cards

    def _access(self, cards: Counter[str], gained: Counter[str]) -> Access:
        form = self._form
        rulings = form.rulings
        held = [rulings.cards[name] for name, copies in cards.items() if copies]
        ops = {effect.op for card in held for effect in card.instant}
        doubles = 2 if any(card.id in rulings.double_risk for card in held) else 1
        mult = rulings.speed_mult
        factors = sorted((n for name, n in mult.items() for _ in range(cards[name]) if n > 1), reverse=True)
        takes = turns = 0
        for card in held:
            number, of = self._taken(card)
            if number:
                more = rulings.bonus["take_bonus"]
                takes = max(takes, number + sum(more[name]["n"] * cards[name] for name in more))
                turns = max(turns, of + sum(more[name]["of"] * cards[name] for name in more))
        return Access(
            cards=held,
            any=self._mask(held),
            moving=self._mask(card for card in held if any(effect.op == "move" for effect in card.instant)),
            taking=self._mask(card for card in held if self._taken(card)[0]),
            placed=self._mask(card for card in held if card.type in ("dog", "attachment")),
            takes=min(CARDS, takes * doubles),
            turns=min(TURNED, turns * doubles),
            clears=any(_clears(card) for card in held),
            immune="immune" in ops,
            returns="discard_to_deck" in ops,
            dawns="new_day" in ops,
            empty=max((n for name, n in rulings.day_end_empty_move.items() if cards[name]), default=None),
            less_risk=sum(max(0, -n) * cards[name] for name, n in rulings.cost_mod["risk"].items()),
            factors=factors,
            doubles=doubles,
            raises=[self._raises(section, gained, len(factors)) for section in range(form.track.sections)],
        )

    def _mask(self, cards: Iterable[Card]) -> int:
        found = 0
        for card in cards:
            if card.id not in self._tabled:
                self._tabled[card.id] = _lowered(self._form.track.tabled(card))
            found |= self._tabled[card.id]
        return found & 3

    def _taken(self, card: Card) -> tuple[int, int]:
        """Return the most cards that a card takes from the supply, and those it turns over."""
        number = turned = 0
        for effect in card.instant:
            if effect.op in _SUPPLY:
                return CARDS, TURNED
            if effect.op == "take":
                n, of = effect.args["n"], effect.args["of"]
                number += n if isinstance(n, int) else CARDS
                turned += of if isinstance(of, int) else TURNED
        return number, turned

    def _raises(self, section: int, gained: Counter[str], multipliers: int) -> list[list[int]]:
        """Return what so many gained cards may add to the speed on a stretch, 0 to ``RAISES``, see ``Access``."""
        form, rulings = self._form, self._form.rulings
        track, pos = rulings.track(form.legs), form.track.section.index(section)
        leg = track[pos] if pos < len(track) else None
        effects = leg.effects if leg is not None else {}
        by_dog = int(effects["leg_dog_speed"]["n"]) if "leg_dog_speed" in effects else 0
        own = sum(copies for name, copies in form.cards.items() if rulings.cards[name].type == "dog")
        found = []
        for raises in range(RAISES + 1):
            in_all = sum(gained.values()) if raises == RAISES else raises
            team = min(rulings.dog_limit, own + in_all)
            if rulings.count_everything:
                team = rulings.dog_limit
            worth = []
            for name, copies in gained.items():
                card = rulings.cards[name]
                if card.type in ("dog", "attachment"):
                    counts = rulings.counts_as.get(name, 1) if rulings.count_everything else 1
                    more = rulings.speed.get(name, 0) + (by_dog * counts if card.type == "dog" else 0)
                    others = max(0, rulings.speed_other_dogs.get(name, 0)) * max(0, team - 1)
                    worth.extend([max(0, more) + others] * min(copies, in_all))
            worth.sort(reverse=True)
            if "leg_no_speed_bonus" in effects:
                worth = []
            alone = [
                sum(worth[: in_all - (0 if raises == RAISES else each)]) for each in range(min(raises, multipliers) + 1)
            ]
            found.append([n + each * (worth[0] if worth else 0) for each, n in enumerate(alone)])
        return found

    def _is_simple(self, cards: Counter[str]) -> bool:
        """Return whether conditions only fall as ``Gains`` follows it, and never help."""
        form, rulings, track = self._form, self._form.rulings, self._form.track
        held = [rulings.cards[name] for name in cards]
        mixed = any(
            _clears(card)
            and (card.type in ("dog", "attachment") or any(effect.op in ("move", "take") for effect in card.instant))
            for card in held
        )
        softened = any(rulings.leg_condition_mod.get(name, 0) < 0 for name in cards - form.cards)
        sudden = self._mask(held) is not None and any(self._tabled[card.id] & 4 for card in held)
        dawns = [track.dawn[at : at + LEVELS] for at in range(0, len(track.dawn), LEVELS)]
        steady = all(
            _rises(each)
            for each in (track.drag, *([levels >> shift & 7 for levels in dawn] for dawn in dawns for shift in (0, 3)))
        )
        return not mixed and not softened and not sudden and steady


def _clears(card: Card) -> bool:
    """Return whether a card's ops lower conditions."""
    return any(effect.op in _CLEARS or (effect.op in _LOWERS and int(effect.args["n"]) < 0) for effect in card.instant)


def _lowered(tabled: Sequence[int]) -> int:
    """Return which conditions a card on the table lowers, as bits; 4 where it is by more than one, or both."""
    found = 0
    for levels, after in enumerate(tabled):
        fed, warm = (levels & 7) - (after & 7), (levels >> 3) - (after >> 3)
        found |= (1 if fed > 0 else 0) | (2 if warm > 0 else 0) | (4 if max(fed, warm) > 1 or fed + warm > 1 else 0)
    return found


def _rises(by_levels: Sequence[int]) -> bool:
    """Return whether higher conditions never give less."""
    return all(
        by_levels[at] <= by_levels[after]
        for at in range(LEVELS)
        for after in (at + 1 if at & 7 < 7 else at, at + 8 if at < LEVELS - 8 else at)
    )
