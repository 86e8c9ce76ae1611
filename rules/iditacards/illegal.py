"""Why a move is not open: the rule that forbids it (R14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.core.errors import IllegalMoveError
from rules.core.turns import State
from rules.iditacards.state import Table

if TYPE_CHECKING:
    from rules.iditacards.engine import Iditacards


def why_illegal(game: Iditacards, state: State[Table], text: str) -> IllegalMoveError | None:
    """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game."""
    return None
