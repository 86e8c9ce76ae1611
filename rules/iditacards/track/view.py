"""Coarser views of a race over the track: the same turns, with hands told apart by suits only.

A *suit* is a set of kinds of card. In a view the hand is a number of cards of each suit, and a card of any kind can be
played while a card of its suit is held and a card of its kind may have come to the hand today: it lay in the hand of
the root or among the cards taken off the deck by now, and not all its copies are in play or destroyed. All else is as
in the race: decks in their real order, costs, risks, boards, places, conditions.

*Every turn of the race is a turn of the view.* Fold both positions of a turn: the card played is held and has been
drawn, so the view plays it too; payments of the race are, suit by suit, payments of the view; all other parts of the
position are equal, and what happens to them depends on nothing else. What cards are worth to the bound is counted by
suits, too, so jumps are a suit of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rules.iditacards.race.kernel import WORK
from rules.iditacards.state import in_play
from rules.iditacards.track.kernel import Suits, hand_sums

if TYPE_CHECKING:
    from rules.iditacards.track.form import TrackForm
    from rules.iditacards.track.outlook import Fine


class TrackView:
    """One view of a form."""

    apart = False
    waiting = 0
    work = WORK

    def __init__(self, form: TrackForm, fine: Fine, suits: Sequence[Sequence[int]], finer: Suits) -> None:
        """``suits`` are kinds by suit; ``finer`` are the suits, by kind, that fold into them, told apart at least."""
        self._form = form
        self.kernel: Mapping[str, Callable[..., Any]] = form.kernel
        self.bound_name = fine.bound_name
        self.rows = fine.rows
        self.most_successors = form.most_successors
        tables, kinds = form.tables, range(form.tables.kinds)
        suit_of = {kind: suit for suit, members in enumerate(suits) for kind in members}
        widths = [sum(form.copies[kind] for kind in members).bit_length() for members in suits]
        shift = [sum(widths[:suit]) for suit in range(len(suits))]
        by_suit = Suits(len(suits), shift, [(1 << width) - 1 for width in widths], [1 << place for place in shift])
        self.by_kind = Suits(
            len(kinds), *([values[suit_of[kind]] for kind in kinds] for values in (shift, by_suit.mask, by_suit.unit))
        )
        self._drawn: list[int] = []
        self._held: list[int] = []
        self.tables = tables._replace(
            shift=self.by_kind.shift,
            mask=self.by_kind.mask,
            unit=self.by_kind.unit,
            suits=by_suit,
            counts=hand_sums(by_suit, tables.parts, [1] * len(suits)),
            is_view=1,
            drawn=self._drawn,
            held=self._held,
            gone=[self._gone(board) for board in range(tables.boards)],
        )
        jumps = {suit_of[kind]: kind for kind in fine.outlooks.jumps}
        self.outlooks = fine.outlooks._replace(jumps=list(jumps.values()))
        self.mask = tables.hand_mask
        self.parts = tables.parts
        self.fold = hand_sums(finer, self.parts, self.by_kind.unit)
        self.ensure(0)

    def _gone(self, board: int) -> int:
        pack = self._form.boards.packs[board]
        cards = Counter(self._form.kind[card] for card in (*in_play(pack.dogs), *pack.dead))
        return sum(1 << kind for kind, copies in cards.items() if copies >= self._form.copies[kind])

    def ensure(self, days: int) -> bool:
        """Lay out decks and weather of the first ``days`` new days."""
        enough = self._form.ensure(days)
        tables = self.tables
        for deck in range(len(self._drawn) // tables.row, len(tables.size)):
            at = deck * tables.row
            drawn, held = [0], [0 if deck else self._first_hand()]
            for kind in tables.order[at : at + tables.size[deck]]:
                drawn.append(drawn[-1] + tables.unit[kind])
                held.append(held[-1] | 1 << kind)
            spare = [0] * (tables.row - len(drawn))
            self._drawn.extend([*drawn, *spare])
            self._held.extend([*held, *spare])
        return enough

    def rounds(self, position: tuple[int, int]) -> int:
        """Return the new days called."""
        return self._form.rounds(position)

    def _first_hand(self) -> int:
        form = self._form
        return sum({1 << form.kind[card] for card in form.table.players[form.seat].hand})


def views(form: TrackForm, fine: Fine) -> list[TrackView]:
    """Return the views of a form that are worth a survey, the coarsest first."""
    jumps = fine.outlooks.jumps
    rest = [kind for kind in range(form.tables.kinds) if kind not in jumps]
    suits = [members for members in (jumps, rest) if members]
    tables = form.tables
    kinds = Suits(tables.kinds, tables.shift, tables.mask, tables.unit)
    return [TrackView(form, fine, suits, kinds)]
