"""What the encoding of a game, found by its folder, carries of a question: turns, values and playouts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from typing import Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.challenge import Quest
from rules.core.race import Race
from rules.core.scripts import Step
from rules.core.turns import State
from solver.search.expectiminimax import PlainTree
from solver.search.iterative_deepening import SearchProblem
from solver.search.rollout import WholeGames

BOUND_TURNS: Final = 6
"""Turns up to which the bound is asked how far they lead."""


def encoded_turns(
    game: Race[Any],
    table: Any,
    seat: int,
    forbidden: frozenset[str],
    target: int | None,
    turns: int | None,
    *,
    late: bool = True,
) -> SearchProblem[Any] | None:
    """Return the turns of a question over the encoding of its game, or nothing where none carries it.

    Without ``late`` all that can be decided late is decided at once, for which there is always room.
    """
    if (module := _carrying(game, "encoding", table, seat, forbidden, game.kept)) is None:
        return None
    rules = module.SEARCHED if late else module.SEARCHED - module.LATE
    return _fitting(module.Encoding, game, table, forbidden, game.kept, target, turns, rules)


def table_ends(game: Race[Any], table: Any) -> Callable[[Any], Iterable[Any]] | None:
    """Return what yields the tables after a turn over the encoding of a game; nothing if none carries it.

    Moves are not told apart, so that no question that forbids some can be asked.
    """
    module = None if game.kept else _carrying(game, "turns", table, alone=True)
    return module and _fitting(lambda: module.Turns(game, table).after)


def hidden_values(
    game: Race[Any],
    table: Any,
    goal: Goal,
    turns: int,
    memory: int,
    pause: Callable[[], None],
    *,
    optimistic: bool = False,
    certain: bool = False,
) -> Any | None:
    """Return the exact values of a question with a hidden deck over the encoding of its game, or nothing.

    They are for at most so many turns and keep so many bytes in a table; ``pause`` is called now and then.
    ``optimistic``: what has not arrived after all turns is taken to arrive at once. ``certain``: a chance below 1
    counts as none.
    """
    module = _carrying_hidden(game, table, goal)
    if module is None or goal.objective not in module.GOALS:
        return None
    question = module.Question(goal.objective, goal.target, turns, goal.forbidden, optimistic, certain)
    return _fitting(module.HiddenValues, game, table, question, memory, pause)


def ceiling(game: Race[Any], table: Any, goal: Goal) -> Fraction | None:
    """Return what no way to play exceeds, not even one that knows all cards; none where nothing is known.

    A distance short of the usual target; a chance, 0 or 1; or a number of turns that none falls below.
    """
    encoding, module = None, encoding_module(game, "encoding")
    if module and _carrying_hidden(game, table, goal):
        encoding = _fitting(module.Encoding, game, table, goal.forbidden, game.kept, None, goal.within_turns or 1)

    def least(target: int) -> int:
        if encoding is None:
            return game.least_turns(table, goal.seat, target, goal.forbidden)
        return int(encoding.least(encoding.root, target))

    if goal.objective is Objective.REACH:
        return Fraction(goal.within_turns is None or least(goal.target) <= goal.within_turns)
    if goal.objective is Objective.MIN_TURNS:
        return Fraction(least(goal.target))
    if goal.within_turns is None or goal.within_turns > BOUND_TURNS:
        return None
    turns, here = goal.within_turns, game.progress(table, goal.seat)
    targets = range(here + 1, game.profile.target + 1)
    excluded = bisect_left(targets, True, key=lambda target: least(target) > turns)
    return Fraction(here + excluded) if excluded < len(targets) else None


def venture_odds(game: Race[Any], table: Any, seat: int, begin: str | None, *, at_once: bool = False) -> Any:
    """Return the chances of a card of a seat over the encoding of the game, or nothing where none carries it.

    ``begin`` is a hand card begun now, or none for the one under way; ``at_once`` lets nothing come before it.
    """
    module = encoding_module(game, "hidden.values")
    return None if module is None else module.venture_odds(game, table, seat, begin, at_once=at_once)


def round_search(quest: Quest[Any], table: Any) -> Any | None:
    """Return the search for the fewest rounds of a question, or nothing where no encoding of its game carries it."""
    module = encoding_module(quest, "rounds")
    return None if module is None else module.round_search(quest, table)


def contest_playouts(
    game: Any, start: State[Any], moves: Sequence[Step], seat: int, rounds: int | None, seed: int
) -> Any | None:
    """Return playouts of a contest over the encoding of its game, or nothing where none carries them.

    ``rounds`` is how many a game lasts at most, none for the whole game.
    """
    module = _carrying(game, "sampling", start, moves)
    return module and _fitting(module.Playouts, game, start, seat, module.HORIZON if rounds is None else rounds, seed)


def whole_games(game: Any, start: State[Any]) -> WholeGames | None:
    """Return what plays whole games by the rule of thumb of the encoding of their game; nothing if none carries it."""
    module = _carrying(game, "sampling", start, ())
    return module and module.whole_games(game, start)


def duel_tree(game: Any, table: Any) -> PlainTree:
    """Return the tree of a duel that goes on from a table, over the encoding of its game where that carries it."""
    module = _carrying(game, "turns", table)
    tree: PlainTree = PlainTree(game) if module is None else module.DuelTree(game, table)
    return tree


def playout_values(game: Race[Any], table: Any, goal: Goal, turns: int) -> Any | None:
    """Return the rows that playouts of a question begin with over the encoding of its game, or nothing likewise."""
    module, hidden = encoding_module(game, "sampling"), _carrying_hidden(game, table, goal)
    if module is None or hidden is None:
        return None
    question = hidden.Question(goal.objective, goal.target, turns, goal.forbidden)
    return _fitting(module.PlayoutValues, game, table, question, *module.OF_QUESTION)


def _fitting(make: Callable[..., Any], *parts: Any) -> Any | None:
    """Return what is made of some parts, or nothing where rows have no room for it."""
    with suppress(OverflowError):
        return make(*parts)
    return None


def _carrying(game: Any, name: str, *question: Any, **words: Any) -> Any | None:
    """Return a module of the encoding of a game if it carries a question."""
    module = encoding_module(game, name)
    return None if module is None or module.supports(game, *question, **words) else module


def _carrying_hidden(game: Race[Any], table: Any, goal: Goal) -> Any | None:
    """Return the module for hidden decks if the encoding carries a question."""
    encoding = _carrying(game, "encoding", table, goal.seat, goal.forbidden, game.kept, hidden=True)
    return encoding and encoding_module(game, "hidden.values")


_OF_QUESTS: Final = ("turns", "rounds")
"""Modules of encodings that carry challenges."""


def encoding_module(game: Any, name: str) -> Any | None:
    """Return a module of the encoding of a game, none where there is none, or where it knows nothing of challenges."""
    if isinstance(game, Quest) and name not in _OF_QUESTS:
        return None
    root, _, rest = type(game).__module__.partition(".")
    module = f"solver.encodings.{rest.partition('.')[0]}.{name}"
    if root != "rules":
        return None
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if not module.startswith(missing.name or "-"):
            raise
        return None
