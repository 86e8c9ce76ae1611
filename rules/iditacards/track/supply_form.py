"""The track form with some of what can be gained: it looks for lines, and proves nothing.

Beyond the track form it knows ways to take cards from the supply (``track.stock``), and plays what was gained and the
legendary cards chosen, the most promising first, as far as it can tell what they do; own cards that only enlarge hands
or protect dogs pay for others. Days that a leg begins by taking a dog are not called. Every line is a line of the game,
as in the track form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rules.iditacards.content import Card
from rules.iditacards.state import Table
from rules.iditacards.track import guess as track_guess
from rules.iditacards.track import kernel as track_kernel
from rules.iditacards.track.form import TrackForm
from rules.iditacards.track.guess import Guess
from rules.iditacards.track.scope import MOST_LOOKED_AT, Scope, looked_at
from rules.iditacards.track.stock import Gained, Stock, worth
from rules.iditacards.track.tables import MOODS
from rules.iditacards.turn import rolled

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards

DAYS: Final = 8
"""New days whose rolls must leave the supply alone for what was left in it to be taken."""
_OPS: Final = MOODS | {"draw", "move", "take", "heal", "recover"}
"""What cards may do; nothing is recovered."""
_PASSIVES: Final = frozenset(
    {
        "attach_slots",
        "cannot_die",
        "counts_as",
        "day_draw",
        "death_shield",
        "dies_to",
        "leg_condition_mod",
        "no_pass_damage",
        "on_death",
        "speed",
        "speed_other_dogs",
        "start_in_play",
    }
)
_FASTER: Final = frozenset({"speed", "speed_other_dogs"})


class SupplyForm(TrackForm):
    """The turns of one race from a table, with a part of what can be gained."""

    engine = "supply"
    kernel: Mapping[str, Callable[..., Any]] = {
        each.__name__: each for each in (*track_kernel.KERNEL, *track_guess.KERNEL)
    }
    bound_name = "none"
    deepest = 2

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        seat: int,
        carried: Scope,
        target: int,
        path: Sequence[Gained],
        states: int,
    ) -> None:
        """See ``TrackForm``; there are so many ``states`` of the stock, those of ``path`` among them."""
        self._path, self._states = path, states
        super().__init__(game.rulings, table, seat, carried._replace(loose=(*carried.loose, "gains")), target, game)

    def _look(self) -> None:
        self._guess = Guess(self)
        self.rows = 1

    def gains(self, path: Sequence[tuple[int, int]]) -> tuple[Gained, ...]:
        """Return the states of the stock that a way through the form comes to."""
        tables = self.tables
        boards = [key >> tables.board_shift & tables.board_mask for key, _ in path]
        assert self.stock is not None
        numbers = dict.fromkeys(self.boards.packs[board].stock for board in boards)
        return tuple(self.stock.states[number] for number in numbers if number)

    @property
    def outlooks(self) -> Any:
        """What the guess looks up."""
        return self._guess.outlooks

    def look_ahead(self, turns: int) -> list[int]:
        """Return what stands for a bound."""
        return [0]

    def sharpened(self) -> Any:
        """Return the guess: it is the same for compiled code."""
        return self._guess

    def views(self) -> list[Any]:
        """Return nothing: a form that proves nothing needs no view."""
        return []

    def least_turns(self, states: int | None = None) -> tuple[int, bool]:
        """Return a number of turns that no line falls below: this form knows none."""
        return 1, False

    def promising(self, position: tuple[int, int], turns: int, target: int) -> bool:
        """Return whether a line may be there: always, nothing is known."""
        return True

    def lacking(self, position: tuple[int, int], turns: int, target: int) -> int:
        """Return nothing, likewise."""
        return 0

    def _is_idle(self, name: str) -> bool:
        card = self.rulings.cards[name]
        placed = card.type in ("dog", "attachment")
        return not self._is_told(card) or (placed and not _FASTER & set(card.passive))

    def _is_told(self, card: Card) -> bool:
        """Return whether the form knows all that a card does."""
        takes = card.type == "sled"
        return (
            card.energy is not None
            and not (takes and card.id not in self.cards)
            and all(effect.op in _OPS and not effect.when and not effect.unless for effect in card.instant)
            and all(op in _PASSIVES for op in card.passive)
            and card.passive.get("dies_to", {}).get("zone") != "hand"
            and all(effect.args.get("who", "self") == "self" for effect in card.instant)
            and not any("per" in effect.args or "times" in effect.args for effect in card.instant)
            and sum(effect.op == "move" for effect in card.instant) <= 1
            and looked_at(card) <= MOST_LOOKED_AT
        )

    def _ordered(self, legendary: Iterable[str]) -> tuple[str, ...]:
        value = {name: 0.0 if self._is_idle(name) else worth(self.rulings, name) for name in legendary}
        return tuple(sorted(legendary, key=lambda name: (-value[name], name)))

    def _plays_legendary(self, name: str) -> bool:
        return not self._is_idle(name)

    def _stock(self) -> Stock:
        rulings, table = self.rulings, self.table
        sleds = [rulings.cards[name] for name in sorted(self.playable) if rulings.cards[name].type == "sled"]
        names = {name for deck in (table.supply, *table.upgrade) for name in deck}
        useful = {name for name in names if not self._is_idle(name) and worth(rulings, name) > 0}
        event = table.counters.weather
        rolls = [rolled(rulings, event + day) for day in range(DAYS)] if rulings.faces else []
        lasting = not any(rulings.weathers[face].empties_supply for face in rolls)
        return Stock(rulings, table, sleds, frozenset(useful), self._path, most=self._states, lasting=lasting)

    def _stocks(self, table: Table) -> Iterable[int]:
        assert self.stock is not None
        turned = tuple(len(was) - len(now) for was, now in zip(self.table.upgrade, table.upgrade, strict=True))
        return [number for number in range(len(self.stock.states)) if self.stock.fits(number, turned)]
