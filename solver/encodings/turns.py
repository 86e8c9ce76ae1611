"""What the encoding of a game, found by its folder, carries of a question, as the searches ask for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from puzzles.goal import Goal
from rules.core.challenge import KeepingRace, Quest, QuestRace
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from solver.search.contests.tree import PlainTree
from solver.search.problem import EncodedTurns
from solver.search.rollout import WholeGames
from solver.search.rounds import RoundEncoding


def encoded_turns(
    game: Race[Any],
    table: Any,
    seat: int,
    forbidden: frozenset[str],
    target: int | None,
    turns: int | None,
    *,
    late: bool = True,
) -> EncodedTurns | None:
    """Return the turns of a question over the encoding of its game, or nothing where none carries it.

    Without ``late`` all that can be decided late is decided at once, for which there is always room.
    """
    inner, kept, module = encoding_module(game, "encoding")
    if module is None or module.supports(inner, table, seat, forbidden, kept):
        return None
    rules = module.SEARCHED if late else module.SEARCHED - module.LATE
    with suppress(OverflowError):
        return EncodedTurns(game, module.Encoding(inner, table, forbidden, kept, target, turns, rules))
    return None


def table_ends(game: Race[Any], table: Any) -> Callable[[Any], Iterable[Any]] | None:
    """Return what yields the tables after a turn over the encoding of a game; nothing if none carries it.

    Moves are not told apart, so that no question that forbids some can be asked.
    """
    asked = game.quest if isinstance(game, QuestRace) else game
    module = encoding_module(asked, "alone")[2]
    if isinstance(game, KeepingRace) or module is None or module.supports(asked, table):
        return None
    with suppress(OverflowError):
        after: Callable[[Any], Iterable[Any]] = module.Turns(asked, table).after
        return after
    return None


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
    ``optimistic``: what has not arrived after all turns is taken to arrive at once.
    ``certain``: a chance below 1 counts as none.
    """
    inner, kept, module = encoding_module(game, "hidden.values")
    if module is None or goal.objective not in module.GOALS:
        return None
    if module.supports(inner, table, goal.seat, goal.forbidden, kept):
        return None
    question = module.Question(goal.objective, goal.target, turns, goal.forbidden, optimistic, certain)
    with suppress(OverflowError):
        return module.HiddenValues(inner, table, question, memory, pause)
    return None


def round_encoding(quest: Quest[Any], table: Any) -> RoundEncoding | None:
    """Return a question round by round from a table, or nothing where no encoding of its game carries it."""
    _, _, module = encoding_module(quest, "rounds")
    form: RoundEncoding | None = None if module is None else module.round_encoding(quest, table)
    return form


def contest_playouts(
    game: Any, start: State[Any], moves: Sequence[Step], seat: int, rounds: int | None, seed: int
) -> Any | None:
    """Return playouts of a contest over the encoding of its game, or nothing where none carries them.

    ``rounds`` is how many a game lasts at most, none for the whole game.
    """
    _, _, module = encoding_module(game, "sampling")
    if module is None or module.supports(game, start, moves):
        return None
    with suppress(OverflowError):
        return module.Playouts(game, start, seat, module.HORIZON if rounds is None else rounds, seed)
    return None


def whole_games(game: Any, start: State[Any]) -> WholeGames | None:
    """Return what plays whole games by the rule of thumb of the encoding of their game; nothing if none carries it."""
    _, _, module = encoding_module(game, "sampling")
    if module is None or module.supports(game, start, ()):
        return None
    found: WholeGames = module.whole_games(game, start)
    return found


def duel_tree(game: Any, table: Any, look: Callable[[], None]) -> PlainTree:
    """Return the tree of a duel that goes on from a table, over the encoding of its game where that carries it.

    ``look`` is called now and then by what asks the rules.
    """
    inner, _, module = encoding_module(game, "contest")
    tree = PlainTree if module is None or module.supports(inner, table) else partial(module.DuelTree, table=table)
    return tree(inner, look=look)


def playout_values(game: Race[Any], table: Any, goal: Goal, turns: int, memory: int) -> Any | None:
    """Return the rows that playouts of a question begin with over the encoding of its game, or nothing likewise."""
    inner, kept, hidden = encoding_module(game, "hidden.values")
    module = encoding_module(game, "hidden.playouts")[2]
    if module is None or hidden is None or hidden.supports(inner, table, goal.seat, goal.forbidden, kept):
        return None
    with suppress(OverflowError):
        question = hidden.Question(goal.objective, goal.target, turns, goal.forbidden)
        return module.PlayoutValues(inner, table, question, memory)
    return None


def encoding_module(game: Any, name: str) -> tuple[Any, Mapping[str, int], Any | None]:
    """Return a game or quest, what is to be kept in it, and a module of its encoding, none where there is none."""
    inner, kept = (game.inner, game.kept) if isinstance(game, KeepingRace) else (game, {})
    root, _, rest = type(inner).__module__.partition(".")
    module = f"solver.encodings.{rest.partition('.')[0]}.{name}"
    if root != "rules":
        return inner, kept, None
    try:
        return inner, kept, import_module(module)
    except ModuleNotFoundError as missing:
        if not module.startswith(missing.name or "-"):
            raise
        return inner, kept, None
