"""Random small tables of Iditacards to ask exact questions about: whatever an edition prints, with any rulings.

Every table passes the checks that a position file has to pass; what does not is dealt anew.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from rules.core.errors import BestlineError
from rules.core.position import Position, load_position, new_position
from rules.core.registry import find_game
from rules.iditacards.content import CONDITIONS, OPTIONS, Card, Content, leg_type
from rules.iditacards.engine import Iditacards
from tests.rules.games import EDITIONS, RULESETS

GAME: Final = "iditacards/"
EDITION_PART: Final = 0.9
"""Part of the tables that are of an edition; the others are of variants."""
TAME_PART: Final = 0.5
"""Part of the tables on which little is strange, unless more is asked for: packed forms often carry no more."""
BACK: Final = frozenset({"recover", "recover_tag", "discard_to_deck"})
TELLING: Final = BACK | {"heal", "see", "supply", "take", "draw"}
"""Ops that look at cards, or bring some: they tell most about what is known of a deck."""
GRAVE: Final = frozenset(
    {"kill_dog", "kill_any_dog", "destroy_hand", "new_day", "free_cost", "immune", "freeze", "damage"}
)
"""Ops after which little is as it was."""
DEADLY: Final = ("cannot_die", "death_shield", "dies_to", "on_death", "dies_on_fizzle", "draw_first_risk")
"""Passive ops of dogs that do not just die, or ask for other costs."""


class Dealer:
    """Deals tables of one ruleset, never a card more often than it is in the box."""

    def __init__(self, content: Content, dice: random.Random, *, tame: bool) -> None:
        """``tame`` leaves out what is strange: cards that do more than most do, marks that are rare."""
        self._content = content
        self._dice = dice
        self.tame = tame
        removed = content.rules.solitaire_removed_types
        self._left = Counter({card.id: card.copies for card in content.cards.values() if card.type not in removed})
        self._decks = {card.id: content.decks[card.deck].role for card in content.cards.values()}
        cards = [card for card in content.cards.values() if self._left[card.id] and card.type != "damage"]
        usual = [card for card in cards if self._decks[card.id] != "legendary" and not (tame and _is_strange(card))]
        light = [card for card in usual if card.energy in (0, 1) and card.health <= 1 >= card.risk]
        starters = [card for card in usual if self._decks[card.id] == "starter"]
        few = dice.sample(light, min(3, len(light))) + dice.sample(usual, 2)
        self._pools: list[list[Card]] = [few, few, few, starters, starters, light, usual]
        self._risky = [card for card in usual if card.risk]
        self._pools += [self._risky, _with(usual, TELLING)]
        self._dogs = [card for card in (usual if tame else cards) if card.type == "dog"]
        self._deadly = [card for card in self._dogs if any(op in card.passive for op in DEADLY)]
        self._attachments = [card for card in usual if card.type == "attachment"]
        self._pools += [few, few, few] if tame else [cards, _with(usual, GRAVE), self._dogs, self._attachments]
        if not tame and dice.random() < 0.25:
            self._pools += [[card for card in content.cards.values() if card.type == "damage"]] * 2

    def one(self, pool: Sequence[Card]) -> list[str]:
        """Return a card of a pool that is left in the box, if any is."""
        names = [card.id for card in pool if self._left[card.id] > 0]
        if not names:
            return []
        name = self._dice.choice(names)
        self._left[name] -= 1
        return [name]

    def some(self, most: int, least: int = 0) -> list[str]:
        """Return so many cards of any pools."""
        number = self._dice.randint(least, most)
        return [name for _ in range(number) for name in self.one(self._dice.choice(self._pools))]

    def mostly(self, likelihood: float, cards: Sequence[str]) -> list[str]:
        """Return the cards as often as said, else none."""
        return list(cards) if self._dice.random() < likelihood else []

    def team(self) -> list[dict[str, Any]]:
        """Return dogs in play, some with attachments."""
        team = []
        for _ in range(self._dice.choice((0, 0, 1, 1, 2, 3))):
            for dog in self.one(self._dice.choice((self._dogs, self._dogs, self._deadly))):
                worn = [name for _ in range(self._dice.choice((0, 0, 1))) for name in self.one(self._attachments)]
                team.append({"dog": dog, "attachments": worn})
        return team

    def stack(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return frames that wait for risk cards or for a second step, and what the latter has looked at."""
        frames: list[dict[str, Any]] = []
        seen: list[str] = []
        for _ in range(self._dice.choice((0, 0, 0, 0, 1, 2))):
            for name in self.one(self._risky):
                need = self._dice.choice((1, 1, 2))
                frames.append({"card": name, "need": need, "paid": self._dice.randrange(need)})
        two_steps = _with(self._content.cards.values(), {"destroy_next", "take_next"})
        for name in self.one(two_steps) if self._dice.random() < 0.25 else ():
            frames.append({"card": name, "need": 0, "step": "second", "n": self._dice.choice((0, 0, 1))})
            if _with([self._content.cards[name]], {"see"}):
                seen = self.some(2)
        return frames, seen

    def player(self, finish: int) -> dict[str, Any]:
        """Return all that is a player's own."""
        dice, content = self._dice, self._content
        board = content.boards[str(content.options["board_layout"])]
        edges = [section.first for section in board.sections if 0 < section.first < finish]
        pos = dice.choice((0, dice.randrange(finish), max(0, dice.choice(edges or [1]) - dice.randint(1, 8))))
        pos = dice.choice((pos, pos, max(0, finish - dice.randint(1, 30))))
        stack, seen = self.stack()
        conditions = {kind: dice.choice((0, 0, 0, 1, 2, 3)) for kind in CONDITIONS}
        legendary = [card for card in content.cards.values() if self._decks[card.id] == "legendary"]
        free = ("no", "no", "no", "armed", "on") if self._has("free_cost") and not self.tame else ("no",)
        foods = [card.id for card in content.cards.values() if card.type == "food"]
        return {
            "pos": pos,
            "hand": [*self.one(self._risky), *self.some(3 if self.tame else 5)],
            "deck": self.some(4 if self.tame else 5),
            "discard": self.mostly(0.4, self.some(2)),
            "dogs": self.team(),
            "stack": stack,
            "seen": seen,
            "resolved": self.mostly(0.4, self.some(2)) if stack else [],
            "legendary": [] if self.tame else self.mostly(0.25, self.one(legendary)),
            "passed": sorted(space for space in board.checkpoints if space <= pos and dice.random() < 0.9),
            "foods": sorted(self.mostly(0.2, dice.sample(foods, min(len(foods), dice.choice((1, 2)))))),
            "personal": dice.choice((0, 0, 0, 1)),
            "moved": dice.random() < 0.2,
            "immune": self._has("immune") and not self.tame and dice.random() < 0.1,
            "free_energy": dice.choice(free),
            "free_health": dice.choice(free),
            **conditions,
        }

    def _has(self, op: str) -> bool:
        return bool(_with(self._content.cards.values(), {op}))

    def state(self, finish: int, players: int = 1) -> dict[str, Any]:
        """Return a whole table of so many players."""
        dice, content = self._dice, self._content
        board = content.boards[str(content.options["board_layout"])]
        names = content.upgrade_decks()
        box = {name: [card for card in content.cards.values() if card.deck == name] for name in names}
        upgrades = [card for pool in box.values() for card in pool]
        supplies = (0, 0, 0, 1, 2) if content.rules.take_from == "supply" else (0,)
        state = {
            "players": [self.player(finish) for _ in range(players)],
            "weather": dice.choice(("none", "none", *content.weather)),
            "upgrade": [[each for _ in range(dice.choice((0, 0, 1, 2))) for each in self.one(box[n])] for n in names],
            "supply": [each for _ in range(dice.choice(supplies)) for each in self.one(upgrades)],
        }
        if dice.random() < 0.4:
            state["legs"] = [_leg(section.leg, content, dice) for section in board.sections]
        return state


def _with(cards: Any, ops: frozenset[str] | set[str]) -> list[Card]:
    return [card for card in cards if any(effect.op in ops for effect in card.instant)]


def _is_strange(card: Card) -> bool:
    return any(effect.op in BACK | GRAVE or effect.when or effect.unless for effect in card.instant)


def _leg(section: str, content: Content, dice: random.Random) -> str:
    """Return a leg that may lie in a section."""
    kind = leg_type(section)
    return section if kind is None else dice.choice([leg.id for leg in content.legs.values() if leg.type == kind])


def _options(dice: random.Random, most: int) -> dict[str, Any]:
    """Return a few rulings, any answer of any question; a finish so near that it counts."""
    options: dict[str, Any] = {}
    for name in dice.sample(sorted(OPTIONS.rows), dice.randint(0, most)):
        row: Mapping[str, Any] = OPTIONS.rows[name]
        if "values" in row:
            value = dice.choice(sorted(row["values"]))
            options[name] = value == "true" if isinstance(row["neutral"], bool) else value
    if dice.random() < 0.1:
        options["finish_at"] = dice.randrange(20, 161)
    return options


@cache
def _content(ruleset: str) -> Content:
    game = new_position(ruleset).game
    assert isinstance(game, Iditacards)
    return game.content


def _dealt(
    dice: random.Random, sources: Sequence[str], *, tame: bool, among: Sequence[str] = (), players: int = 1
) -> dict[str, Any]:
    """Return the text of a position, valid or not, under one ruleset ``among`` some where such are given."""
    rulesets = among or (EDITIONS if dice.random() < EDITION_PART else RULESETS)
    ruleset = dice.choice([name for name in rulesets if name.startswith(GAME)])
    options, content = _options(dice, 1 if tame else 4), _content(ruleset)
    dealer = Dealer(content, dice, tame=tame)
    state = dealer.state(int(options.get("finish_at", content.options["finish_at"])), players)
    player = state["players"][0]
    if "deck" not in sources and not tame and dice.random() < 0.3:
        player["known"] = dice.randint(0, len(player["deck"]))
    return {
        "game": GAME.rstrip("/"),
        "ruleset": ruleset.removeprefix(GAME),
        "options": options,
        "chance": {"open": sorted(sources), "seed": dice.randrange(100)},
        "state": state,
    }


def random_position(
    seed: int,
    *,
    is_open: bool = False,
    tame_part: float = TAME_PART,
    rulesets: Sequence[str] = (),
    players: int = 1,
) -> Position:
    """Return a valid position, the same for every seed; with ``rulesets``, under one of these.

    Where it is open everything is known in advance; otherwise mostly nothing is, and sometimes some of it.
    """
    dice = random.Random(f"table {seed} {is_open}")
    every = tuple(find_game(GAME.rstrip("/")).sources)
    while True:
        tame = dice.random() < tame_part
        some = () if tame else dice.choice(((), (), (), ("deck",), ("upgrade",), ("upgrade", "weather")))
        try:
            position = load_position(
                json.dumps(_dealt(dice, every if is_open else some, tame=tame, among=rulesets, players=players))
            )
            position.start()
        except BestlineError:
            continue
        return position
