"""What a game brings to the search of packed contests: for type checkers only, the functions bound are the game's own.

``rules.core.contest_kernel`` says what numbers they are handed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.core.wide import Ints

    def is_chance(meta: int) -> bool:
        """Return whether chance decides next."""

    def mover_of(meta: int) -> int:
        """Return who decides next."""

    def half_turns_gone(meta: int, facts: Ints) -> int:
        """Return the turns of all seats that are over."""

    def guessed(x: int, y: int, z: int, facts: Ints, work: Ints) -> int:
        """Return about what the first seat will have, in whole ones."""

    def bounded(x: int, y: int, z: int, meta: int, facts: Ints, work: Ints) -> tuple[int, int]:
        """Return proved bounds in parts of the number of cases."""

    def is_leaf(meta: int, facts: Ints) -> bool:
        """Return whether ``last_turn`` values the position."""

    def asked_ends(
        x: int, y: int, z: int, meta: int, facts: Ints, work: Ints, lists: Ints, entries: Ints, notes: Ints
    ) -> int:
        """Return the list of what the turn can be ended at, or -1."""

    def after_ends(meta: int, facts: Ints) -> int:
        """Return the fourth word after a turn without what hangs on its end."""

    def shelled_for(after: int, extra: int, facts: Ints) -> int:
        """Return the fourth word after a turn with what hangs on its end."""

    def chances(x: int, y: int, z: int, facts: Ints, work: Ints) -> int:
        """Write what may come of chance; return how much that is."""

    def after_chance(
        x: int, y: int, z: int, meta: int, what: int, facts: Ints, work: Ints, notes: Ints
    ) -> tuple[int, int, int, int]:
        """Return the position after that."""

    def last_turn(
        x: int,
        y: int,
        z: int,
        meta: int,
        alpha_a: int,
        alpha_b: int,
        beta_a: int,
        beta_b: int,
        facts: Ints,
        work: Ints,
        lists: Ints,
        entries: Ints,
        memory: Ints,
        notes: Ints,
    ) -> tuple[int, int]:
        """Return the value of a leaf, exact inside the window, else a bound on that side of it."""
