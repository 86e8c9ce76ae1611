"""Small random positions to compare engines on, and the plainest search there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from puzzles.puzzle import Goal, Objective
from rules.core.errors import ContentError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import Forced, SplitMix64
from rules.core.turns import TurnEnd
from tests.bare import bare_position

WEATHER = ("none", "snow", "sun", "wind", "cloud", "storm", "rain")


def random_position(ruleset: str, seed: int, *, starter: bool, cards: int = 8) -> Position | None:
    """Return a small position of one player in the middle of a day, or nothing where the dice break a rule.

    ``starter`` takes cards of the starter deck alone, otherwise of every deck; ``cards`` lie in hand and deck.
    """
    dice = SplitMix64(seed)
    content = _content(ruleset)
    removed = content.rules.solitaire_removed_types
    box = [card for card in content.cards.values() if card.type not in removed for _ in range(card.copies)]
    box = [card for card in box if not starter or card.deck == "starter"]
    picked = dice.shuffle([card.id for card in box])
    dogs = [card for card in picked if content.cards[card].type == "dog"][: 1 + dice.below(2)]
    worn = [card for card in picked if content.cards[card].type == "attachment"][: dice.below(2)]
    for card in (*dogs, *worn):
        picked.remove(card)
    hand = 1 + dice.below(min(5, cards))
    player: dict[str, Any] = {
        "pos": dice.below(160),
        "dogs": [{"dog": dog, "attachments": worn if place == 0 else []} for place, dog in enumerate(dogs)],
        "hand": picked[:hand],
        "deck": picked[hand:cards],
        "discard": picked[cards : cards + dice.below(3)],
        "hypothermia": dice.below(4),
        "starvation": dice.below(4),
        "turns": dice.below(3),
    }
    if dice.below(4) == 0:
        risky = next((card for card in picked[cards + 3 :] if content.cards[card].risk), None)
        if risky:
            player["stack"] = [{"card": risky, "day": 0, "n": 0, "need": 2, "paid": dice.below(2), "step": "risk"}]
    data = _base(ruleset)
    data["chance"]["seed"] = dice.below(100)
    faces = sorted({*WEATHER} & {"none", *content.weather})
    state = {"weather": faces[dice.below(len(faces))], "players": [player]}
    if dice.below(2):
        state["upgrade"] = [[] for _ in content.upgrade_decks()]
        gained = [card for card in picked[cards + 3 :] if content.cards[card].deck in content.upgrade_decks()]
        state["supply"] = gained[:2] if content.rules.take_from == "supply" and dice.below(3) == 0 else []
    data["state"] = state
    try:
        return bare_position(json.dumps(data))
    except ContentError:
        return None


def position(
    ruleset: str = "2019-02",
    *,
    weather: str = "storm",
    dogs: Sequence[str] = (),
    players: int = 1,
    chance: dict[str, Any] | None = None,
    **player: Any,
) -> Position:
    """Return a position, the first player on space 50 unless said otherwise, with nothing in the upgrade decks."""
    data = _base(ruleset)
    data["players"] = players
    data["chance"] = chance or data["chance"]
    decks = len(_content(ruleset).upgrade_decks())
    team = [{"dog": dog, "attachments": []} for dog in dogs]
    data["state"] = {
        "weather": weather,
        "upgrade": [[] for _ in range(decks)],
        "players": [{"pos": 50, "dogs": team, **player}, *({} for _ in range(players - 1))],
    }
    return bare_position(json.dumps(data))


def _content(ruleset: str) -> Any:
    game: Any = bare_position(json.dumps(_base(ruleset))).game
    return game.content


def _base(ruleset: str) -> dict[str, Any]:
    sources = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"]
    chance = {"seed": 1, "open": sources}
    return {"game": "iditacards", "ruleset": ruleset, "players": 1, "chance": chance, "state": {"players": [{}]}}


def exhaustive(
    game: Race[Any], table: Any, forbidden: frozenset[str], turns: int, most: int = 20_000
) -> list[list[int]] | None:
    """Return the progress of every table after 1, 2, … turns, found by playing all of them; nothing if too many."""
    return played_out(game, table, lambda end: _allowed(end, forbidden), turns, most)


def played_out(
    game: Race[Any], table: Any, allows: Callable[[TurnEnd[Any]], bool], turns: int, most: int
) -> list[list[int]] | None:
    """Return the same where only some ends of turns are allowed; ``most`` are looked at in each turn.

    A game that is over stays as it is.
    """
    found = []
    layer = {table}
    for _ in range(turns):
        after: set[Any] = set()
        ends = 0
        for before in layer:
            if game.is_over(before):
                after.add(before)
                continue
            for end in game.turn_ends(before):
                ends += 1
                if ends > most:
                    return None
                if allows(end):
                    after.add(end.table)
        found.append([game.progress(end) for end in after])
        layer = after
    return found


def _allowed(end: TurnEnd[Any], forbidden: frozenset[str]) -> bool:
    taken = [f"{step.text} " for step in end.steps if not isinstance(step, Forced)]
    return not any(text.startswith(f"{words} ") for text in taken for words in forbidden)


def goals(progress: list[list[int]], start: int, forbidden: frozenset[str]) -> Iterator[tuple[Goal, str, int | None]]:
    """Yield questions about a position with the true status and value of each."""
    for turns, reached in enumerate(progress, 1):
        goal = Goal(Objective.MAX_DISTANCE, 0, turns, forbidden)
        yield (goal, "optimal", max(reached)) if reached else (goal, "infeasible", None)
    best = max((max(reached, default=0) for reached in progress), default=0)
    for target in sorted({start + 1, (start + best) // 2, best, best + 1}):
        soonest = next((turns for turns, reached in enumerate(progress, 1) if max(reached, default=-1) >= target), None)
        goal = Goal(Objective.MIN_TURNS, target, len(progress), forbidden)
        if target <= start:
            yield goal, "optimal", 0
        elif soonest is None:
            yield goal, "infeasible", None
        else:
            yield goal, "optimal", soonest
        goal = Goal(Objective.REACH, target, len(progress), forbidden)
        yield (goal, "infeasible", 0) if soonest is None else (goal, "optimal", 1)
