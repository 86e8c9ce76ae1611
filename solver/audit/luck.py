"""How few rounds a win takes with the best and against the worst luck, for each identity: proved, not sampled.

Only for games with challenges that count rounds under a fate other than known. What the form
(``solver/search/rounds.py``) leaves out it leaves out in the player's favour, so fewer rounds are excluded in every
deal; hands are taken to be what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rules.core.challenge import Challenger, Fate, Measure
from rules.core.position import new_position
from rules.core.registry import Ruleset
from solver.audit.finding import Notebook, Searched
from solver.audit.seat import roles, with_roles
from solver.encodings.turns import round_encoding
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rounds import RoundEncoding, RoundSearch

ROUNDS: Final = 8
"""Rounds looked ahead at most."""
SEARCH_S: Final = 10.0
"""Seconds for each identity and kind of luck at most, where time is limited."""
WORDS: Final = {Fate.KIND: "with the best luck", Fate.CRUEL: "against the worst luck"}


def find_luck(notebook: Notebook) -> None:
    """Write down how few rounds a win takes by luck, if the game has such challenges."""
    told = [f"{words}: {rounds}" for words, rounds in by_luck(notebook.ruleset, notebook.budget)]
    if told:
        notebook.searched.append(Searched("RUSH", "; ".join(told), complete=not notebook.budget.is_over))


def by_luck(ruleset: Ruleset, budget: Budget) -> Iterator[tuple[str, str]]:
    """Yield each challenge of luck in words with the fewest rounds of each identity, ``3+`` for at least 3."""
    if ruleset.definition.players_allowed(ruleset)[0] > 1:
        return
    position = new_position(ruleset, 1, 0, ())
    if not isinstance(position.game, Challenger):
        return
    key, names = roles(position)
    for name, challenge in position.game.challenges().items():
        if challenge.measure is not Measure.ROUNDS or challenge.players != 1:
            continue
        fate, found = Fate.KNOWN, []
        for role in names or [""]:
            other = with_roles(position, key, (role,)) if role else position
            game: Any = position.game if other is None else other.game
            table = position.table() if other is None else other.table()
            quest = game.quest(name, table, 0, {})
            fate = quest.fate
            form = round_encoding(quest, table) if other is not None and fate in WORDS else None
            if form is not None:
                left = budget.within(None)
                limit = left if left.time_s is None else budget.within(SEARCH_S)
                last = game.most_turns(table, 0)
                rounds = None if last is None else quest.clock().rounds(last)
                found.append(f"{role} {_fewest(form, rounds, limit)}".strip())
        if found:
            yield f"rounds to a win {WORDS[fate]}", ", ".join(found)


def _fewest(form: RoundEncoding, last: int | None, limit: Budget) -> str:
    """Return the fewest rounds, or how many are excluded where the limit or the horizon came first.

    ``last``: rounds after which the game is over, if it has an end; where all are excluded there is no win.
    """
    search = RoundSearch(form, limit.start())
    rounds = 1
    try:
        for rounds in range(1, min(ROUNDS, form.horizon) + 1):
            ways = search.forced(rounds) if form.fate is Fate.CRUEL else search.soonest(rounds)
            if ways is not None:
                return str(rounds)
    except BudgetExceeded:
        return f"{rounds}+"
    return "never" if last is not None and rounds >= last else f"{rounds + 1}+"
