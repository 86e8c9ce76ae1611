"""The kernel of open duels against the compact form, position by position, in plain Python."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.duels import endgame
from rules.core.chance import SplitMix64
from rules.core.contest_kernel import (
    BASE,
    CASES,
    CHANCES,
    ENTRIES,
    ENTRY,
    EXTRA,
    FIRST_ENTRY,
    GAIN,
    HOW_MANY,
    LIST,
    LISTS,
    NOTES,
    OTHERS,
    SIZE_OF_ENTRIES,
    SIZE_OF_LISTS,
    SIZE_OF_MEMORY,
    STAMP,
    UNIT,
)
from rules.core.steps import CHANCE, OVER
from rules.trench_rescue.duel_field import SHELLED
from rules.trench_rescue.duel_form import DuelForm
from rules.trench_rescue.engine import TrenchRescue
from rules.trench_rescue.kernel_bounds import bounded
from rules.trench_rescue.kernel_turns import (
    after_chance,
    after_ends,
    asked_ends,
    chances,
    guessed,
    half_turns_gone,
    is_leaf,
    last_turn,
    shelled_for,
)

SEEDS = range(3)


class Room:
    """A duel as numbers, with room to work in plain Python."""

    def __init__(self, seed: int, left: int, home: int, deck: int) -> None:
        game, self.start = endgame(seed, left, "queue", home, deck).start()
        assert isinstance(game, TrenchRescue)
        form = game.contest_tree(self.start.table)
        assert isinstance(form, DuelForm)
        self.form = form
        self.game = game
        packed = form.packed()
        assert packed is not None
        self.pack = packed.pack
        self.facts = list(packed.facts)
        self.facts[SIZE_OF_LISTS], self.facts[SIZE_OF_ENTRIES], self.facts[SIZE_OF_MEMORY] = 1 << 9, 1 << 17, 1 << 16
        self.work = [0] * packed.work
        self.lists = [0] * (LIST << 9)
        self.entries = [0] * (ENTRY << 17)
        self.memory = [0] * (packed.memory << 16)
        self.notes = [0] * NOTES
        self.notes[STAMP] = 1

    def open(self, key: Any) -> Any:
        """Return a key without its score."""
        return self.form.apart(key)[1]

    def parts(self, value: tuple[int, int]) -> int:
        """Return a value in the parts of the compact form."""
        unit, base = self.facts[UNIT], self.facts[BASE]
        parts, rest = divmod((value[0] * base + value[1]) * self.form.grain, unit * base)
        assert rest == 0
        return parts

    def wide(self, parts: int) -> tuple[int, int]:
        """Return parts of the compact form as a value."""
        unit, base = self.facts[UNIT], self.facts[BASE]
        return divmod(parts * unit * base // self.form.grain, base)

    def walk(self, seed: int, steps: int) -> list[Any]:
        """Return keys of one way through the game, up to its last turn."""
        generator = SplitMix64(seed)
        key = self.open(self.form.key(self.start))
        found = []
        for _ in range(steps):
            if self.form.actor(key) == OVER or key[1] > self.form.limit:
                break
            found.append(key)
            if key[1] == self.form.limit:
                break
            if self.form.actor(key) == CHANCE:
                outcomes = self.form.outcomes(key)[0]
                key = self.open(outcomes[generator.below(len(outcomes))][0])
            else:
                followers = self.form.followers(key)
                key = self.open(followers[generator.below(len(followers))])
        return found


def assert_same_ends(room: Room, key: Any) -> None:
    """Compare what can be made of a half-turn, but for ends that begin the last turn."""
    form, facts, work, notes = room.form, room.facts, room.work, room.notes
    words = room.pack(key)
    assert words is not None
    notes[ENTRIES] = notes[LISTS] = 0
    room.lists[:] = [0] * len(room.lists)
    at = asked_ends(*words, facts, work, room.lists, room.entries, notes)
    assert at >= 0
    others, after = work[OTHERS : OTHERS + 4], after_ends(words[3], facts)
    ends = {}
    for each in range(room.lists[at + HOW_MANY]):
        entry = ENTRY * (room.lists[at + FIRST_ENTRY] + each)
        there = [room.entries[entry + word] | others[word] for word in range(3)]
        meta = shelled_for(after, room.entries[entry + EXTRA] + others[3], facts)
        ends[(*there, meta)] = room.entries[entry + GAIN]
    followers: dict[Any, int] = {}
    for follower in form.followers(key):
        packed = room.pack(room.open(follower))
        if packed is None or is_leaf(packed[3], facts):
            continue
        lead = follower[3]
        sign = 1 - 2 * key[2]
        followers[packed] = sign * max(sign * lead, sign * followers.get(packed, lead))
    if followers:
        assert {end: gain for end, gain in ends.items() if not is_leaf(end[3], facts)} == followers


@pytest.mark.parametrize("home", [0, 1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_on_the_way_is_that_of_the_compact_form(seed: int, home: int) -> None:
    room = Room(seed, 3, home, 2 * home)
    form, facts, work, notes = room.form, room.facts, room.work, room.notes
    unit = form.grain // form.cases
    for way in range(3):
        for key in room.walk(way, 12):
            words = room.pack(key)
            if words is None or is_leaf(words[3], facts):
                assert key[1] == form.limit
                continue
            assert half_turns_gone(words[3], facts) == form.pace(key)
            assert guessed(*words[:3], facts, work) * form.grain == form.guess(key)
            low, high = bounded(*words, facts, work)
            assert (low * unit, high * unit) == tuple(form.bounds(key)), key
            if key[0] == SHELLED:
                found = {}
                for place in range(chances(*words[:3], facts, work)):
                    what, ways = work[CHANCES + 2 * place : CHANCES + 2 * place + 2]
                    found[after_chance(*words, what, facts, list(work), notes)] = ways
                if not any(is_leaf(after[3], facts) for after in found):  # there the compact form leaves much out
                    assert found == {room.pack(after): ways for after, ways in form.outcomes(key)[0]}
                assert sum(found.values()) == facts[CASES]
                continue
            assert_same_ends(room, key)


@pytest.mark.parametrize("seed", [1, 6])
def test_the_middle_of_a_half_turn_can_be_gone_on_from(seed: int) -> None:
    """Who has moved stays, and what who has moved puts down is not taken up again."""
    room = Room(seed, 3, 2, 4)
    begun = room.form.key(room.start)
    assert begun is not None
    waiting = [room.start]
    for state in waiting:
        key = room.form.key(state)
        if key is None or key[:3] != begun[:3]:
            continue
        assert_same_ends(room, room.open(key))
        if state is room.start:
            waiting += [room.game.settled(room.game.apply(state, move).state) for move in room.game.legal_moves(state)]
    assert len(waiting) > 10


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_last_turn_is_worth_what_the_compact_form_says(seed: int) -> None:
    """Without a window exactly that; with one above or below it a bound on that side."""
    room = Room(seed, 2, 1, 3)
    form, facts, work, notes = room.form, room.facts, room.work, room.notes
    found = 0
    for way in range(6):
        key = room.walk(way, 12)[-1]
        if key[1] != form.limit or form.actor(key) < 0:
            continue
        words = room.pack(key)
        assert words is not None
        value = form.followers(key)[0][3]
        most = 40 * form.grain
        for low, high in ((-most, most), (-most, value - 1), (value + 1, most)):
            notes[ENTRIES] = notes[LISTS] = 0
            room.lists[:] = [0] * len(room.lists)
            alpha, beta = room.wide(low), room.wide(high)
            got = room.parts(
                last_turn(*words, *alpha, *beta, facts, work, room.lists, room.entries, room.memory, notes)
            )
            if high < value:
                assert high <= got <= value
            elif low > value:
                assert value <= got
            else:
                assert got == value
        found += 1
    assert found
