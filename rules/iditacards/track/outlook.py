"""The bound of ``track.bound`` for one race: what it looks up, its coarse table and its fine one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rules.iditacards.state import in_play
from rules.iditacards.track.bound import FAR, Outlook, fill, outlook, size_of
from rules.iditacards.track.gains import Gains
from rules.iditacards.track.kernel import LEVELS

if TYPE_CHECKING:
    from rules.iditacards.track.form import TrackForm
    from rules.iditacards.track.layout import Facts

WORST: Final = 5
"""Conditions that the fine form tells apart; higher ones count as this, which is never worse."""
DAYS: Final = 6
"""Days that the fine form tells apart by their weather,"""
COARSE_DAYS: Final = 9
"""and the coarse one."""


class Coarse:
    """The bound without conditions, helpers and counts of steps."""

    def __init__(self, form: TrackForm) -> None:
        self._form = form
        self.tables = outlook_tables(form, coarse=True)
        self._by_target: dict[int, list[int]] = {}
        self._gains: Gains | None = None

    def table(self, target: int) -> list[int]:
        """Return the fewest turns of every state on the way to a target."""
        known = self._by_target.get(target)
        if known is None:
            known = self._by_target[target] = _filled(self.tables._replace(target=target))
        return known

    def least(self, position: tuple[int, int], target: int) -> int:
        """Return the turns that a position needs at least in the form."""
        if self._form.progress(position) >= target:
            return 0
        bound = self.tables._replace(target=target)
        return self.table(target)[outlook(*position, self._form.tables, bound)]

    def least_of_all(self, states: int | None = None) -> tuple[int, bool]:
        """Return the turns that the game needs at least from the root, whatever the form leaves out.

        So many more states are looked at for it, and whether still more would help is told.
        """
        form = self._form
        if form.exact:
            return self.least(form.root, form.target), False
        if self._gains is None:
            self._gains = Gains(form)
        return self._gains.fewest(states), not self._gains.is_done


def _filled(bound: Outlook) -> list[int]:
    least, work = [FAR] * size_of(bound), [0] * 256
    for day in reversed(range(bound.days)):
        fill(day, bound, least, work)
    return least


class Fine:
    """The bound with conditions, helpers and counts of cards: a table that takes compiled code to fill."""

    bound_name = "race over the track with cards in any order"

    def __init__(self, form: TrackForm) -> None:
        self.kernel = form.kernel
        self.outlooks = outlook_tables(form, coarse=False)
        self.rows = size_of(self.outlooks)
        self.parts = self.outlooks.days
        """Parts that the table is filled in, from the last to the first."""


def outlook_tables(form: TrackForm, *, coarse: bool) -> Outlook:
    """Return what the bound looks up.

    Raises:
        OverflowError: a card is of a kind that the simpler race does not have.
    """
    track, kinds = form.track, range(len(form.facts))
    movers = {kind for kind in kinds if form.facts[kind].move >= 0}
    relieving = {kind for kind in kinds for at in range(LEVELS) if form.facts[kind].tabled[at] < at}
    relieving -= {kind for kind in kinds if form.facts[kind].idle}
    helpers = _helpers(form)
    helping = {form.kind[card] for card in helpers}
    if relieving & (movers | helping) or movers & helping or not _monotone(track.drag) or not _monotone(track.stuck):
        raise OverflowError("cards that do two things at once")
    jumps = [kind for kind in movers if form.facts[kind].risk]
    small = [kind for kind in movers if not form.facts[kind].risk]
    bits = {card: 1 << place for place, card in enumerate(helpers)}
    days = COARSE_DAYS if coarse else DAYS
    form.ensure(days)
    means = _Means(form, bits, days, 0 if coarse else WORST, coarse=coarse)

    def relieve(mask: int) -> list[int]:
        """Return the kinds that lower the condition of these bits."""
        return [kind for kind in relieving for at in range(LEVELS) if form.facts[kind].tabled[at] & mask < at & mask]

    frames = list(form.stacks)
    return Outlook(
        target=form.target,
        first=form.table.players[form.seat].pos,
        days=days,
        groups=len(means.inside),
        span=sum(form.copies[kind] for kind in jumps) + 1,
        budgets=form.most_cards + 1 if form.exact and not coarse else 1,
        worst=means.worst,
        levels=means.side * means.side,
        has_steps=int(bool(small)),
        sections=track.sections,
        section=track.section,
        last=[len(track.section) - 1 - track.section[::-1].index(each) for each in range(track.sections)],
        speed=means.speeds(),
        drag=[track.drag[levels] for levels in means.pairs],
        stuck=[track.stuck[levels] for levels in means.pairs],
        entry=means.entries(),
        dawn=means.dawns(),
        helper=[] if coarse else list(bits.values()),
        relief=0 if coarse else _relief(form, relieving),
        jump=max((form.facts[kind].move for kind in jumps), default=0),
        step=max((form.facts[kind].move for kind in small), default=0),
        automatic=track.automatic,
        board_group=means.group_of,
        stack_group=[sum({bits[card] for card in helpers if form.kind[card] in dict(each)}) for each in frames],
        stack_jumps=[sum(kind in jumps for kind, _ in each) for each in frames],
        jumps=jumps,
        jump_cost=means.cheapest(jumps),
        step_cost=means.cheapest(small),
        helper_cost=[cost for card in helpers for cost in means.cheapest([form.kind[card]])],
        relief_cost=[0] * len(means.pairs) + [cost for mask in (7, 7 << 3) for cost in means.cheapest(relieve(mask))],
        any_cost=means.cheapest([kind for kind in kinds if not form.facts[kind].idle]),
        is_coarse=int(coarse),
    )


class _Means:
    """The best that the boards of each group can do, by day, section and conditions."""

    def __init__(self, form: TrackForm, bits: Mapping[str, int], days: int, worst: int, *, coarse: bool) -> None:
        """``bits`` are those of the helpers; boards with some of a group's helpers, and no others, are inside it."""
        self._form = form
        track = form.track
        self.worst = worst
        self.side = worst + 1
        self.pairs = [min(cold, 7) * 8 + min(hunger, 7) for cold in range(self.side) for hunger in range(self.side)]
        """Conditions that are told apart."""
        packs = form.boards.packs
        self.group_of = [sum({bits[card] for card in in_play(pack.dogs) if card in bits}) for pack in packs]
        groups = 1 << len(bits)
        self.inside = [
            [board for board in track.packs if self.group_of[board] & ~group == 0]
            for group in ([groups - 1] if coarse else range(groups))
        ]
        self._faces = [[track.weather[day]] for day in range(days - 1)] + [list(range(len(track.faces)))]
        self._sections = range(track.sections)

    def speeds(self) -> list[int]:
        """Return the greatest speed by day, section and group."""
        track = self._form.track

        def best(face: int, section: int, members: Iterable[int]) -> int:
            at = (face * track.sections + section) * len(track.packs)
            return max(track.speed[at + board] for board in members)

        return [
            max(best(face, at, group) for face in day)
            for day in self._faces
            for at in self._sections
            for group in self.inside
        ]

    def entries(self) -> list[int]:
        """Return the mildest conditions that going from section to section brings, by group."""
        track = self._form.track

        def mildest(section: int, there: int, members: Sequence[int]) -> int:
            found = {track.entry[(board * track.sections + section) * track.sections + there] for board in members}
            return self._packed(min(each >> 3 for each in found) << 3 | min(each & 7 for each in found))

        return [mildest(at, there, group) for group in self.inside for at in self._sections for there in self._sections]

    def dawns(self) -> list[int]:
        """Return the mildest conditions after a dawn, by day, section, group and conditions before."""
        track = self._form.track

        def mildest(face: int, section: int, members: Sequence[int], levels: int) -> int:
            classes = {track.board_class[board] for board in members}
            at = (face * track.sections + section) * track.classes
            found = [track.dawn[(at + each) * LEVELS + levels] for each in classes]
            return self._packed(min(each >> 3 for each in found) << 3 | min(each & 7 for each in found))

        return [
            _mildest([mildest(face, at, group, levels) for face in day], self.side)
            for day in self._faces
            for at in self._sections
            for group in self.inside
            for levels in self.pairs
        ]

    def cheapest(self, members: Iterable[int]) -> list[int]:
        """Return the cards that one of the kinds takes at least, itself included, by conditions.

        Raises:
            OverflowError: conditions make a card cheaper.
        """
        costs = [[_taken(self._form.facts[kind], at) for at in range(LEVELS)] for kind in members]
        if not all(_monotone(by_levels) for by_levels in costs):
            raise OverflowError("cards that conditions make cheaper")
        return [min((by_levels[at] for by_levels in costs), default=0) for at in self.pairs]

    def _packed(self, levels: int) -> int:
        return min(levels >> 3, self.worst) * self.side + min(levels & 7, self.worst)


def _monotone(by_levels: Sequence[int]) -> bool:
    """Return whether higher conditions never give less."""
    return all(by_levels[at] <= by_levels[at + 8] for at in range(LEVELS - 8)) and all(
        by_levels[at] <= by_levels[at + 1] for at in range(LEVELS - 1) if at % 8 < 7
    )


def _taken(facts: Facts, levels: int) -> int:
    """Return the cards that leave hand and deck when one of a kind takes effect (R20 to R23)."""
    tabled = facts.tabled[levels]
    return 1 + facts.energy[tabled] + facts.health[tabled]


def _mildest(found: Sequence[int], side: int) -> int:
    return min(each // side for each in found) * side + min(each % side for each in found)


def _relief(form: TrackForm, relieving: Iterable[int]) -> int:
    """Return which conditions the cards can lower, by one at a time."""
    relief = 0
    for kind in relieving:
        for levels, after in enumerate(form.facts[kind].tabled):
            if (levels & 7) - (after & 7) > 1 or (levels >> 3) - (after >> 3) > 1:
                raise OverflowError("cards that relieve by more than one")
            relief |= (1 if after & 7 < levels & 7 else 0) | (2 if after >> 3 < levels >> 3 else 0)
    return relief


def _helpers(form: TrackForm) -> list[str]:
    """Return the cards that matter by being in play for speed or for what legs do."""
    rulings, boards = form.rulings, form.boards
    there = in_play(boards.packs[0].dogs)
    cards = sorted({card for pack in boards.packs for card in in_play(pack.dogs)} - set(there))
    dogs_matter = any(leg is not None and "leg_dog_speed" in leg.effects for leg in rulings.track(form.legs))
    return [
        card
        for card in cards
        if card in rulings.speed
        or card in rulings.leg_condition_mod
        or (dogs_matter and rulings.cards[card].type == "dog")
    ]
