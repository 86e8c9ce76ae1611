"""Open duels as numbers: what the kernel plays, and how keys of the compact form become packed positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rules.core import wide
from rules.core.contest_kernel import BASE, CASES, UNIT, PackedContest, mixed
from rules.trench_rescue import kernel_bounds, kernel_ends, kernel_moves, kernel_turns, kernel_walk
from rules.trench_rescue.duel_bounds import most_rescues
from rules.trench_rescue.duel_field import ACTS, NOTHING, SHELLED, DuelField, Key
from rules.trench_rescue.kernel_facts import (
    BITS,
    CARDS,
    CARRIED,
    CELLS,
    COLOUR,
    DECK,
    DEEP,
    DOWN,
    FACTS,
    FIELD,
    FRESH_BIT,
    HOME,
    LAST_FALLS,
    LIMIT,
    MIN_ONE,
    MOST_CARDS,
    MOST_TURNS,
    MOVED_BIT,
    MOVER_BIT,
    PER_WORD,
    PILE,
    RESCUE,
    RESCUES,
    SHELLS_BIT,
    SIZE,
    STARTER,
    STEPS,
    TO_DECK,
    TO_INFIRMARY,
    TO_TRENCH,
    TRENCH,
    TURN_BIT,
    VALUE,
    WAYS,
)
from rules.trench_rescue.kernel_facts import SHELLED as SHELLED_BIT
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import Table

KERNEL: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        mixed,
        *wide.FUNCTIONS,
        *kernel_walk.FUNCTIONS,
        *kernel_moves.FUNCTIONS,
        *kernel_ends.FUNCTIONS,
        *kernel_bounds.FUNCTIONS,
        *kernel_turns.FUNCTIONS,
    )
}
LARGEST: Final = 4
"""Side of the largest field."""
_BECOMES: Final = {"trench": TO_TRENCH, "infirmary": TO_INFIRMARY}


def cards_in_play(table: Table) -> tuple[int, ...]:
    """Return the cards that can still move, in canonical order."""
    men = [card for card, _, _ in table.soldiers] + [load for _, load, _ in table.soldiers if load is not None]
    lying = [card for pile in table.piles for card in pile]
    home = [card for pair in (table.trench, table.deck) for cards in pair for card in cards]
    return tuple(sorted((*men, *lying, *home)))


def packed_duel(rulings: Rulings, cards: Sequence[int], turn: int, form: DuelField) -> PackedContest | None:
    """Return a duel as numbers from a turn on, or nothing where the kernel does not carry its rules or its cards.

    Of shuffled decks it knows nothing, which does not matter in the last two turns, as nobody draws in them.
    """
    fits = form.size <= LARGEST and len(cards) <= MOST_CARDS and form.limit <= MOST_TURNS
    draws = not rulings.queue and turn < form.limit - 1
    if not fits or draws or form.after_each:
        return None
    facts = [0] * FACTS
    facts[UNIT], facts[BASE] = wide.words_for(form.cases)
    facts[CASES] = form.cases
    facts[CARDS], facts[SIZE], facts[CELLS] = len(cards), form.size, form.size**2
    facts[LIMIT], facts[STARTER] = form.limit, form.starter
    facts[MIN_ONE], facts[LAST_FALLS] = int(form.min_one), int(rulings.last_barrage)
    for own in (0, 1):
        facts[DOWN + own] = -form.size if form.near == own else form.size
        for within in (0, 1):
            facts[RESCUE + 2 * own + within] = _BECOMES.get(rulings.rescue[bool(own), bool(within)], TO_DECK)
        facts[HOME + 16 * own : HOME + 16 * own + form.size**2] = form.home[own]
    for place, card in enumerate(cards):
        facts[COLOUR + place], facts[VALUE + place] = form.colour[card], form.value[card]
    facts[WAYS : WAYS + form.size**2] = form.ways
    rescues = most_rescues(form.limit + 1)
    facts[RESCUES : RESCUES + len(rescues)] = [min(most, 1 << 20) for most in rescues]
    for cell, steps in enumerate(form.steps):
        facts[STEPS + 16 * cell : STEPS + 16 * cell + form.size**2] = steps
    numbers = {card: place for place, card in enumerate(cards)}
    pack = partial(packed_key, numbers=numbers, form=form)
    return PackedContest(KERNEL, facts, kernel_moves.WORK, kernel_walk.MEMORY, pack, 2 * form.limit)


def packed_key(key: Key, numbers: Mapping[int, int], form: DuelField) -> tuple[int, int, int, int] | None:
    """Return the words of a key, or nothing where it is in the midst of the last turn, or has too high a pile."""
    stage, turn, mover, _, men, piles, trenches, decks, moved, fresh, shells = key
    if stage not in (ACTS, SHELLED):
        return None
    begun = stage != ACTS or mover != form.starter or moved or fresh or any(card < 0 for card, _, _ in men)
    if turn >= form.limit and begun:
        return None
    places: dict[int, int] = {}
    for card, load, cell in men:
        places[card] = FIELD + cell
        if load != NOTHING:
            places[load] = CARRIED + numbers[card]
    for cell, pile in enumerate(piles):
        if len(pile) > DEEP:
            return None
        for height, card in enumerate(pile):
            places[card] = PILE + DEEP * cell + height
    for colour in (0, 1):
        for card in trenches[colour]:
            places[card] = TRENCH
        for height, card in enumerate(decks[colour]):
            places[card] = DECK + height
    words = [0, 0, 0]
    for card, place in places.items():
        words[numbers[card] // PER_WORD] |= place << (BITS * (numbers[card] % PER_WORD))
    meta = int(stage == SHELLED) * SHELLED_BIT | mover << MOVER_BIT | shells << SHELLS_BIT | turn << TURN_BIT
    for card in moved:
        meta |= 1 << (MOVED_BIT + numbers[card])
    for cell, height in fresh:
        meta |= 1 << (FRESH_BIT + numbers[piles[cell][height]])
    return words[0], words[1], words[2], meta
