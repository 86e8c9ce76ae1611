"""Dogs in play that are worth the same for a venture, of which one team stands for all.

Where no dog dies, all find room and none wears two attachments, it is all the same which dog wears which: what is in
play acts for the whole team, a new attachment finds the same free slots and the same attachments to replace (R43, R50,
R54). And dogs that do nothing but go fast are a sum: a speed is one of parts, of which those above nothing may not
count (R43, Q60), so what counts of such dogs are the sums of the parts above and below nothing. How many dogs there
are counts where a card or leg says so, and how many may wear something only up to the number of attachments that may
ever be there. A dog more makes the same difference to teams that agree in this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.iditacards.odds.alike import may_kill
from rules.iditacards.odds.scope import Scope
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table, in_play

SUMMED: Final = frozenset({"speed", "attach_slots", "counts_as"})
"""Passive ops of dogs that do nothing but go fast; only room and slots ask about the others (R50, R54)."""


class Teams:
    """Teams of one venture."""

    summing = True
    """Dogs that do nothing but go fast are a sum; else they are told apart, as a control."""

    def __init__(self, rulings: Rulings, table: Table, seat: int, scope: Scope, *, free: bool) -> None:
        """``free`` opens free actions, so that dogs may be lost."""
        self._rulings = rulings
        self._scope = scope
        player = table.players[seat]
        cards = rulings.cards
        copies = [*player.deck, *(frame.card for frame in player.stack), *scope.again]
        dogs = [card for card in copies if cards[card].type == "dog"]
        dogs.extend(dog.dog for dog in player.dogs)
        worn = [card for card in copies if cards[card].type == "attachment"]
        worn.extend(card for dog in player.dogs for card in dog.attachments)
        self._wearable = len(worn)
        self.roomy = sum(rulings.counts_as.get(dog, 1) for dog in dogs) <= rulings.dog_limit
        """All dogs that may come into play fit (R50)."""
        alone = len(table.players) == 1
        effects = [effect for card in scope.played for effect in card.instant]
        slots = rulings.attach_slots
        self._alike = (
            self.roomy
            and not free
            and not any(may_kill(effect, alone=alone) for effect in effects)
            and not rulings.count_everything
            and all(slots.get(dog, 1) <= 1 for dog in dogs)
            and all(len(dog.attachments) <= slots.get(dog.dog, 1) for dog in player.dogs)
        )
        legs = rulings.track(table.legs)
        self._counted = (
            any("speed_other_dogs" in card.passive for card in (*scope.played, *scope.in_play))
            or any("leg_dog_speed" in leg.effects for leg in legs if leg is not None)
            or any(effect.args.get("per") == "dog" for effect in effects)
        )
        self._plain: dict[str, bool] = {}
        self._known: dict[tuple[Dog, ...], tuple[Dog, ...]] = {}
        self._first: dict[object, tuple[Dog, ...]] = {}
        self._worth: dict[tuple[Dog, ...], object] = {}

    def same(self, dogs: tuple[Dog, ...]) -> tuple[Dog, ...]:
        """Return the dogs that stand for all teams that are worth the same."""
        if not self._alike:
            return dogs
        known = self._known.get(dogs)
        if known is None:
            known = self._paired(dogs)
            if self.summing:
                known = self._first.setdefault(self._sums(known), known)
            self._known[dogs] = known
        return known

    def worth(self, dogs: tuple[Dog, ...]) -> object:
        """Return what dogs come to, with what they wear, for all that leaves them in play as they are."""
        if not self._alike or not self.summing:
            return dogs
        known = self._worth.get(dogs)
        if known is None:
            cards = in_play(dogs)
            known = self._worth[dogs] = self._come_to(cards, len(dogs))
        return known

    def _come_to(self, cards: Iterable[str], dogs: int) -> tuple[object, ...]:
        """Return the sums of speeds above and below nothing, and what acts otherwise."""
        speeds = [self._rulings.speed.get(card, 0) for card in cards if self._sums_up(card)]
        return (
            sum(speed for speed in speeds if speed > 0),
            sum(speed for speed in speeds if speed < 0),
            dogs if self._counted else -1,
            tuple(sorted(card for card in cards if not self._sums_up(card))),
        )

    def _paired(self, dogs: tuple[Dog, ...]) -> tuple[Dog, ...]:
        """Return dogs with their attachments in order."""
        slots = self._rulings.attach_slots
        worn = sorted(card for dog in dogs for card in dog.attachments)
        names = sorted(dog.dog for dog in dogs)
        holders = [name for name in names if slots.get(name, 1)]
        others = [Dog(name, ()) for name in names if not slots.get(name, 1)]
        bare = [Dog(name, ()) for name in holders[len(worn) :]]
        wearing = [Dog(*pair) for pair in zip(holders, ((card,) for card in worn), strict=False)]
        return tuple(sorted([*others, *bare, *wearing]))

    def _sums(self, dogs: tuple[Dog, ...]) -> object:
        """Return all that counts of a team."""
        holders = sum(self._rulings.attach_slots.get(dog.dog, 1) for dog in dogs)
        worn = tuple(sorted(card for dog in dogs for card in dog.attachments))
        return *self._come_to([dog.dog for dog in dogs], len(dogs)), min(holders, self._wearable), worn

    def _sums_up(self, name: str) -> bool:
        """Return whether a dog or attachment does nothing but go fast."""
        plain = self._plain.get(name)
        if plain is None:
            card = self._rulings.cards[name]
            unmarked = not card.tags or card.type != "dog"
            plain = self._plain[name] = unmarked and SUMMED.issuperset(self._scope.alike.passives(card))
        return plain
