"""The sharper bound of a race: it knows the orders of the decks of the days to come, and forgets the hand.

``race.bound`` lets all jumps come up whenever they are wanted. Here two things are worked out that the known decks say.

**When jumps can land today.** ``landings`` plays one day with its deck in the known order and a hand that holds every
card but jumps at all times, free of energy: a state is the cards taken off the deck, the jumps in hand, the jumps that
wait and whether another card waits. Health, draws and risk cards take cards off the deck as in the real day (R23, R33,
R64), so jumps come to the hand, come up as risk cards or are lost exactly where they lie. What a real turn does is
always among what these turns may do, for they may also fail (R26), do nothing, and let any waiting card go on waiting
or be gone. So the fewest turns until one jump, and until two jumps, have landed (the *countdown*) are never more than
the real ones.

**The race.** ``fill`` is the dynamic program of ``race.bound`` with three changes. The board is kept, as the cards in
play and those destroyed, since they decide what the next new day shuffles, and so its order: the day's number and the
board give the first countdown of the new day. A jump lands only when the countdown says so; every turn takes one off,
and a landing leaves the second number as the first. And a jump must have been started before, on a turn without a step.
Steps are not counted. A card that enters play does so on the turn it is played, even if it carries a risk; then, if it
comes up as a risk card, jumps that land with it fly with its speed. As there, the gain of every real turn is at most
that of one of these turns, and what is left is at least as good: lower countdowns, the same board. (A line that plays a
card with a risk which never takes effect does nothing on that turn here.)

Positions in which a card waits that will enter play are left to ``race.bound``, likewise days beyond the last one that
is looked at; its numbers stand behind those of this bound in the same table. More than two jumps are not carried.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.iditacards.race.bound import free_outlook
from rules.iditacards.race.stacks import starts
from rules.iditacards.state import in_play

if TYPE_CHECKING:
    from rules.iditacards.race.form import RaceForm

DAYS: Final = 9
"""Days looked at, the one of the root included."""
NEVER: Final = 9
"""A countdown of so many turns stands for never, one less for any longer one."""
_SPAN: Final = NEVER + 1
CODES: Final = _SPAN * _SPAN
"""Pairs of countdowns."""
JUMPS: Final = 3
"""Numbers of jumps: 0, 1, 2."""
CASES: Final = 2 * JUMPS * JUMPS
"""By jumps in hand, jumps waiting and whether another card waits."""


class Ahead(NamedTuple):
    """What the functions of this module look up."""

    level: Sequence[int]
    """What ``free_outlook`` looks up, as in ``race.bound.Outlook``: up to ``step_size``."""
    most_waiting: int
    speeders_waiting: Sequence[int]
    jumps_waiting: Sequence[int]
    jumps: Sequence[int]
    steps: Sequence[int]
    jump_size: int
    step_size: int
    free_rows: int
    """The entries of ``race.bound`` for each number of turns."""
    groups: int
    """Boards that differ in what is in play or destroyed, not in who wears what."""
    rows: int
    group: Sequence[int]
    """By board: its group."""
    automatic: Sequence[int]
    """By group."""
    fresh: Sequence[int]
    """By group: its entry in ``race.bound`` for a fresh day."""
    place: Sequence[int]
    """By group: first entry in ``place_group``, the groups that one more card in play makes."""
    place_group: Sequence[int]
    day: Sequence[int]
    """By group: first entry of the three tables of new days, as in ``RaceTables``."""
    day_group: Sequence[int]
    day_mix: Sequence[int]
    day_draws: Sequence[int]
    placing: Sequence[int]
    """By stack: whether a card waits that will enter play, and whether any but a jump does."""
    other: Sequence[int]
    is_jump: Sequence[int]
    """By kind: whether it is a jump, carries a risk, its health and its draws."""
    is_risky: Sequence[int]
    health: Sequence[int]
    draws: Sequence[int]
    jump_spaces: int
    """Spaces of a jump and of a step, less the automatic move."""
    step_spaces: int


def landings(deck: int, table: Any, ahead: Any, counts: MutableSequence[int], work: MutableSequence[int]) -> None:
    """Write the countdowns of every state of one deck to ``counts``, at ``(deck * row + taken) * CASES + case``."""
    row, size = table.row, table.size[deck]
    states = row * CASES
    for state in range(states):
        counts[deck * states + state] = NEVER * _SPAN + NEVER
        work[state] = 0
    now, before = states, 0
    for turn in range(1, NEVER):
        for taken in range(size + 1):
            for case in range(CASES):
                state = taken * CASES + case
                most = _most_landings(deck, taken, case, before, table, ahead, work)
                work[now + state] = most
                code = counts[deck * states + state]
                first, second = code // _SPAN, code % _SPAN
                if most >= 1 and first == NEVER:
                    first = turn
                if most >= 2 and second == NEVER:
                    second = turn
                counts[deck * states + state] = first * _SPAN + second
        now, before = before, now
    # What has not come within the turns looked at may come later, unless there is not a card left to bring it.
    late = NEVER - 1
    for taken in range(size + 1):
        for case in range(CASES):
            place = deck * states + taken * CASES + case
            first, second = counts[place] // _SPAN, counts[place] % _SPAN
            jumps = case // (2 * JUMPS) + case // 2 % JUMPS
            for later in range(taken, size):
                jumps += ahead.is_jump[table.order[deck * row + later]]
            if first == NEVER and jumps >= 1 and taken < size:
                first = late
            if second == NEVER and jumps >= 2 and taken < size:
                second = late
            counts[place] = first * _SPAN + second


def _most_landings(deck: int, taken: int, case: int, before: int, table: Any, ahead: Any, work: Any) -> int:
    """Return the most jumps that land in one more turn than ``work`` at ``before`` tells of."""
    hand, waiting, other = case // (2 * JUMPS), case // 2 % JUMPS, case % 2
    size, row = table.size[deck], deck * table.row
    best: int = work[before + taken * CASES + case]
    if waiting == 0 and other == 0:
        for kind in range(table.kinds):
            after = taken + ahead.health[kind]
            if after > size or (ahead.is_jump[kind] and hand == 0):
                continue
            if ahead.is_jump[kind]:
                state = ((hand - 1) * JUMPS + 1) * 2
            elif ahead.is_risky[kind]:
                state = hand * JUMPS * 2 + 1
            else:
                got, after = _drawn(row, after, size, ahead.draws[kind], hand, table, ahead)
                state = got * JUMPS * 2
            best = max(best, work[before + after * CASES + state])
        return best
    if taken == size:
        return best
    best = max(best, work[before + (taken + 1) * CASES + hand * JUMPS * 2])
    kind = table.order[row + taken]
    after = taken + 1 + ahead.health[kind]
    if after > size:
        return best
    if ahead.is_jump[kind]:
        state = (hand * JUMPS + min(waiting + 1, JUMPS - 1)) * 2 + other
        best = max(best, work[before + after * CASES + state])
    elif ahead.is_risky[kind]:
        best = max(best, work[before + after * CASES + (hand * JUMPS + waiting) * 2 + 1])
    if ahead.is_jump[kind] or ahead.is_risky[kind]:
        return best
    got, after = _drawn(row, after, size, ahead.draws[kind], hand, table, ahead)
    for left in range(other + 1):
        for landed in range(waiting + 1):
            state = (got * JUMPS + waiting - landed) * 2 + left
            best = max(best, landed + work[before + after * CASES + state])
    return best


def _drawn(row: int, taken: int, size: int, draws: int, hand: int, table: Any, ahead: Any) -> tuple[int, int]:
    """Return the jumps in hand and the cards taken after drawing."""
    after = min(taken + draws, size)
    for place in range(taken, after):
        hand += ahead.is_jump[table.order[row + place]]
    return min(hand, JUMPS - 1), after


def fill(
    turns: int,
    table: Any,
    ahead: Any,
    counts: MutableSequence[int],
    most: MutableSequence[int],
    fresh: MutableSequence[int],
) -> None:
    """Write the entries of ``turns`` turns; those of fewer are there, and those of ``race.bound`` too."""
    per_day = ahead.groups * JUMPS * CODES
    now, before = turns * ahead.rows, (turns - 1) * ahead.rows
    for day in range(DAYS):
        for group in range(ahead.groups):
            fresh[group] = _new_day(day, group, before, table, ahead, counts, most)
        for group in range(ahead.groups):
            for first in range(1, _SPAN):
                for second in range(first, _SPAN):
                    for waiting in range(JUMPS):
                        place = day * per_day + (group * JUMPS + waiting) * CODES + first * _SPAN + second
                        best = max(fresh[group], _best(day, group, waiting, first, second, -1, before, ahead, most))
                        for at in range(ahead.place[group], ahead.place[group + 1]):
                            after = ahead.place_group[at]
                            best = max(best, _best(day, after, waiting, first, second, group, before, ahead, most))
                        most[now + place] = best


def _new_day(day: int, group: int, before: int, table: Any, ahead: Any, counts: Any, most: Any) -> int:
    """Return the spaces of a turn that calls a new day and of all after it."""
    best = 0
    for at in range(ahead.day[group], ahead.day[group + 1]):
        after = ahead.day_group[at]
        if day + 1 < DAYS:
            deck = day * table.mixes + 1 + ahead.day_mix[at]
            drawn = min(ahead.day_draws[at], table.size[deck])
            hand, drawn = _drawn(deck * table.row, 0, table.size[deck], drawn, 0, table, ahead)
            code = counts[(deck * table.row + drawn) * CASES + hand * JUMPS * 2]
            place = ((day + 1) * ahead.groups + after) * JUMPS * CODES + code
        else:
            place = ahead.rows - ahead.free_rows + ahead.fresh[after]
        best = max(best, ahead.automatic[after] + most[before + place])
    return best


def _best(
    day: int, group: int, waiting: int, first: int, second: int, old: int, before: int, ahead: Any, most: Any
) -> int:
    """Return the spaces of the best turn but a new day and of all after it.

    ``old`` is the group before a card entered play on this turn, -1 where none does.
    """
    automatic = ahead.automatic[group]
    row = before + (day * ahead.groups + group) * JUMPS * CODES
    next_first = NEVER if first == NEVER else max(1, first - 1)
    next_second = NEVER if second == NEVER else max(1, second - 1)
    code = next_first * _SPAN + next_second
    step = ahead.step_spaces + automatic if old < 0 else 0
    jump = ahead.jump_spaces + automatic
    best: int = step + automatic + most[row + waiting * CODES + code]
    if waiting + 1 < JUMPS and old < 0:
        best = max(best, automatic + most[row + (waiting + 1) * CODES + code])
    if first == 1 and waiting >= 1:
        after = next_second * _SPAN + NEVER
        best = max(best, jump + step + automatic + most[row + (waiting - 1) * CODES + after])
    if second == 1 and waiting >= 2:
        after = NEVER * _SPAN + NEVER
        best = max(best, 2 * jump + step + automatic + most[row + after])
    return best


def outlook(key: int, tables: Any, bound: Any, counts: Any) -> int:
    """Return the entry of a position among those of the same number of turns."""
    known = _known(key, tables, bound, counts)
    return known if known >= 0 else bound.rows - bound.free_rows + free_outlook(key, tables, bound)


def _known(key: int, tables: Any, bound: Any, counts: Any) -> int:
    """Return the entry of a position that this bound carries, -1 for any other."""
    deck = key >> tables.deck_shift
    day = tables.number[deck]
    stack = (key >> tables.stack_shift) & tables.stack_mask
    entry = -1
    if day < DAYS and bound.placing[stack] == 0:
        board = (key >> tables.board_shift) & tables.board_mask
        taken = (key >> tables.taken_shift) & tables.taken_mask
        hand = 0
        for place in range(len(bound.jumps)):
            kind = bound.jumps[place]
            hand += (key >> tables.shift[kind]) & tables.mask[kind]
        waiting: int = bound.jumps_waiting[stack]
        code: int = counts[(deck * tables.row + taken) * CASES + (hand * JUMPS + waiting) * 2 + bound.other[stack]]
        entry = ((day * bound.groups + bound.group[board]) * JUMPS + waiting) * CODES + code
    return entry


def falls_short(key: int, spaces: int, row: int, most: Any, tables: Any, bound: Any, counts: Any) -> bool:
    """Return whether the entries from ``row`` on exclude that so many spaces are made; the smaller table goes first."""
    short = most[row + bound.rows - bound.free_rows + free_outlook(key, tables, bound)] < spaces
    if not short:
        known = _known(key, tables, bound, counts)
        if known >= 0:
            short = most[row + known] < spaces
    return bool(short)


KERNEL: Final = (_drawn, _most_landings, landings, _new_day, _best, fill, _known, outlook, falls_short)
"""The functions of this module, for a compiler."""


def ahead_tables(form: RaceForm) -> Ahead | None:
    """Return what this bound looks up, or nothing where it does not carry a race."""
    tables, boards, bound = form.tables, form.boards, form.bound
    kinds = range(tables.kinds)
    jumps = set(bound.tables.jumps)
    risky = {kind for kind in kinds if any(risk for _, _, risk, _ in form.facts[kind])}
    draws = [max(effect.draws for effect in form.facts[kind][0][3]) for kind in kinds]
    uniform = all(
        (cost[1], max(effect.draws for effect in cost[3])) == (form.facts[kind][0][1], draws[kind])
        for kind in kinds
        for cost in form.facts[kind]
    )
    if not uniform or any(draws[kind] for kind in risky) or sum(form.copies[kind] for kind in jumps) >= JUMPS:
        return None
    names: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
    group = [names.setdefault((tuple(sorted(in_play(pack.dogs))), pack.dead), len(names)) for pack in boards.packs]
    groups = range(len(names))
    member = [group.index(each) for each in groups]
    places: list[set[int]] = [set() for _ in groups]
    days: list[set[tuple[int, int, int]]] = [set() for _ in groups]
    for board, placed in enumerate(boards.placed):
        places[group[board]].update(group[after] for afters in placed.values() for after in afters)
        for at in range(tables.day[board], tables.day[board + 1]):
            days[group[board]].add((group[tables.day_board[at]], tables.day_mix[at], tables.day_draws[at]))
    for each in groups:
        places[each].discard(each)
    placing = {form.kind[card.id] for card in boards.placers}
    frames = list(form.stacks)
    new_days = [sorted(each) for each in days]
    strong = DAYS * len(names) * JUMPS * CODES
    return Ahead(
        **bound.tables._asdict(),
        free_rows=bound.rows,
        groups=len(names),
        rows=strong + bound.rows,
        group=group,
        automatic=[tables.automatic[board] for board in member],
        fresh=[bound.fresh(board) for board in member],
        place=starts([len(each) for each in places]),
        place_group=[after for each in places for after in sorted(each)],
        day=starts([len(each) for each in new_days]),
        day_group=[after for each in new_days for after, _, _ in each],
        day_mix=[mix for each in new_days for _, mix, _ in each],
        day_draws=[drawn for each in new_days for _, _, drawn in each],
        placing=[int(any(kind in placing for kind, _ in stack)) for stack in frames],
        other=[int(any(kind not in jumps for kind, _ in stack)) for stack in frames],
        is_jump=[int(kind in jumps) for kind in kinds],
        is_risky=[int(kind in risky) for kind in kinds],
        health=[form.facts[kind][0][1] for kind in kinds],
        draws=draws,
        jump_spaces=bound.jump,
        step_spaces=bound.step,
    )
