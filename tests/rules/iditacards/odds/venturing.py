"""Risk cards to ask about: named tables, and small ones dealt from a seed."""

from __future__ import annotations

import json
import random
from typing import Any

from rules.core.position import load_position, new_position
from rules.iditacards.engine import Iditacards
from rules.iditacards.odds.scope import READERS, SECOND_OPS
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog, Table
from tests.rules.iditacards.boards import Board, seat

SECOND, FIRST, THIRD = "2019-02", "2017", "2019-08"
APART = ("damage", "destroyed", "legendary", "solitaire")
HAND = "chihuahua smart_dog smart_dog lunch buffer_panel midnight_snack"
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing but risk cards turned over": (
        SECOND,
        {"pos": 50, "hand": "armour breakfast husky mush", "deck": "lunch move mush rest", "dogs": "wheel_dog"},
    ),
    "looked-at cards go back by what they are": (
        SECOND,
        {"pos": 50, "hand": "breakfast husky mush move", "deck": "lunch move first_aid rest breakfast armour"},
    ),
    "a look inside a look": (
        SECOND,
        {"pos": 50, "hand": "move move move husky", "deck": "grandma_soup first_aid move rest armour"},
    ),
    "damage in the deck and in the hand": (
        SECOND,
        {"pos": 50, "hand": "husky mush lunch a_hat damaged", "deck": "move rest damaged lunch mush"},
    ),
    "another leg is near and a dog may stay behind": (
        SECOND,
        {"pos": 2, "hand": "husky lunch armour move", "deck": "move mush rest lunch dog_chow", "dogs": "wheel_dog"},
    ),
    "every risk fails on the bridge ahead": (
        SECOND,
        {"pos": 73, "hand": "husky lunch armour move", "deck": "move mush rest move", "dogs": "wheel_dog"},
    ),
    "a dog that dies to the hand pays": (
        SECOND,
        {"pos": 90, "hand": "mush lunch rest", "deck": "lunch a_hat move dinner", "dogs": "cat"},
    ),
    "draws by dogs can be too many": (
        THIRD,
        {
            "pos": 140,
            "hand": "plate_mail bandage caffeine problem_dog",
            "deck": "husky stop_and_shop dog_food daylight_savings_time",
            "dogs": "greyhound retriever",
        },
    ),
    "second steps take turns of their own": (
        THIRD,
        {
            "pos": 67,
            "hand": HAND,
            "deck": "first_aid move move mush repair_sled",
            "hypothermia": 2,
            "starvation": 2,
        },
    ),
    "the race would be over": (THIRD, {"pos": 158, "hand": "mush lunch a_hat", "deck": "move lunch", "dogs": "husky"}),
    "known cards on top": (
        FIRST,
        {"pos": 20, "hand": "mush lunch move armour", "deck": "dinner lunch move move", "known": 1},
    ),
    "the first risk card is drawn": (
        FIRST,
        {"pos": 20, "hand": "bear lunch a_hat armour", "deck": "lunch move dinner move", "dogs": "reliable_dog"},
    ),
    "half-way through": (
        SECOND,
        {"pos": 50, "hand": "lunch rest", "deck": "move mush a_hat breakfast lunch move", "stack": "husky:2:1"},
    ),
    "a doubled risk": (
        SECOND,
        {"pos": 50, "hand": "utility_knife a_hat move", "deck": "lunch venison_steak move move armour rest"},
    ),
}


OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("2017", {}),
    ("2019-02", {}),
    ("2019-08", {}),
    ("2017", {"recover_to": "shuffle", "resolved_risk_zone": "stay_until_root"}),
    ("2017", {"recover_amount": "exact"}),
    ("2019-02", {"recover_to": "top", "turn_end_leg": "every_turn"}),
    ("2019-02", {"recover_amount": "exact", "all_cost": "fails_with_damage", "resolved_risk_zone": "discard_at_once"}),
)


def board(name: str, **options: Any) -> Board:
    edition, fields = CASES[name]
    return Board(edition, seat(**fields), known=(), weather="storm", **options)


def anywhere(ruleset: str, seed: int, *, looks: int = 0, size: int = 6) -> RiskCards:
    """Return the ventures of somebody with a small deck, a few upgrade cards and dogs, somewhere in a race.

    ``looks`` more cards of the deck look at it.
    """
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game: Any = position.game
    dice = random.Random(seed)
    facts = game.rulings.cards
    table = position.table()
    player = table.players[0]
    cards = [*player.hand, *player.deck]
    cards += dice.choices(sorted(card for card in facts if facts[card].deck not in APART), k=5)
    cards = [card for card in cards if not any(effect.op == "discard_to_deck" for effect in facts[card].instant)]
    dice.shuffle(cards)
    looking = sorted(card for card in facts if any(effect.op in ("heal", "see") for effect in facts[card].instant))
    dogs = [Dog(dice.choice([card for card in facts if facts[card].type == "dog"]), ()) for _ in range(seed % 3)]
    player = player._replace(
        hand=tuple(sorted(cards[:6])),
        deck=tuple(sorted([*(dice.choices(looking, k=looks) if looking else []), *cards[6:]][:size])),
        dogs=tuple(sorted(dogs)),
        pos=dice.choice((0, 3, 20, 30, 70, 84, 130, 150)),
        hypothermia=dice.choice((0, 0, 1, 3)),
        starvation=dice.choice((0, 0, 1, 3)),
        free_energy=dice.choice(("no", "no", "armed")),
    )
    weather = dice.choice(("none", *game.rulings.faces))
    found: RiskCards = game.ventures(table._replace(players=(player,), weather=weather), 0)
    return found


def near_finish(ruleset: str, seed: int) -> RiskCards:
    """Return the ventures of somebody near the finish with a few cards of small costs and risks, and some that move."""
    position = new_position(f"iditacards/{ruleset}", seed=seed, open_sources=[])
    game: Any = position.game
    dice = random.Random(f"{ruleset} {seed}")
    facts = game.rulings.cards
    full = sorted(card for card in facts if facts[card].deck not in APART)
    full = [card for card in full if not any(effect.op == "discard_to_deck" for effect in facts[card].instant)]
    light = [card for card in full if facts[card].energy in (0, 1) and facts[card].health <= 1]
    risky = [card for card in light if 1 <= facts[card].risk <= 2]
    free = [card for card in light if not facts[card].risk]
    moving = [card for card in full if any(effect.op == "move" for effect in facts[card].instant)]
    second = [card for card in full if any(effect.op in SECOND_OPS for effect in facts[card].instant)]
    kinds = [each for each in (risky, risky, risky, free, moving, second) if each]
    table = position.table()
    player = table.players[0]._replace(
        hand=tuple(
            sorted([dice.choice([card for card in full if 0 < facts[card].risk <= 3]), *dice.choices(free, k=5)])
        ),
        deck=tuple(
            sorted([dice.choice(moving), *(dice.choice(dice.choice(kinds)) for _ in range(dice.randint(3, 5)))])
        ),
        pos=game.rulings.finish_at - dice.randint(5, 22),
    )
    found: RiskCards = game.ventures(table._replace(players=(player,), weather="none"), 0)
    return found


def changed(ventures: RiskCards, *, hand: str = "", deck: str = "", dog: str = "") -> RiskCards:
    """Return the ventures with these cards in the place of others."""
    player = ventures.table.players[0]
    player = player._replace(
        hand=tuple(sorted([hand, *player.hand[1:]])) if hand else player.hand,
        deck=tuple(sorted([deck, *player.deck[1:]])),
        dogs=tuple(sorted([Dog(dog, ()), *player.dogs])) if dog else player.dogs,
    )
    return RiskCards(ventures.game, ventures.table._replace(players=(player,)), 0)


def dealt(edition: str, hand: str, deck: str, dogs: tuple[Dog, ...], pos: int) -> RiskCards:
    """Return the ventures of a table on which nothing but these cards counts."""
    position = new_position(f"iditacards/{edition}", seed=15, open_sources=[])
    game: Any = position.game
    table = position.table()
    player = table.players[0]._replace(
        hand=tuple(sorted(hand.split())), deck=tuple(sorted(deck.split())), dogs=dogs, pos=pos, legendary=()
    )
    found: RiskCards = game.ventures(table._replace(players=(player,)), 0)
    return found


def reading(edition: str, options: dict[str, Any], seed: int) -> RiskCards:
    """Return the ventures of somebody with a small deck of cheap cards, and some that read the discard pile."""
    text = {
        "game": "iditacards",
        "ruleset": edition,
        "options": options,
        "chance": {"open": [], "seed": 15},
        "state": {"players": [{}]},
    }
    game, state = load_position(json.dumps(text)).start()
    assert isinstance(game, Iditacards)
    table: Table = state.table
    dice = random.Random(f"{edition} {seed}")
    facts = game.rulings.cards
    full = sorted(card for card in facts if facts[card].deck not in APART)
    light = [card for card in full if facts[card].energy in (0, 1) and facts[card].health <= 1 >= facts[card].risk]
    risky = [card for card in full if facts[card].risk]
    readers = sorted(card for card in facts if any(effect.op in READERS for effect in facts[card].instant))
    few = dice.sample(light, 3)

    def some(n: int) -> list[str]:
        return [dice.choice(dice.choice((few, few, few, light, light, risky, full))) for _ in range(n)]

    deck = [*dice.choices(readers, k=dice.choice((0, 1, 1, 1, 2))), *some(dice.randint(2, 5))]
    pile = [*some(dice.choice((0, 1, 2, 4))), *dice.choices(readers, k=seed % 10 == 0)]
    track = game.rulings.track(table.legs)
    villages = [place for place, leg in enumerate(track) if leg and "leg_turn_end_recover" in leg.effects]
    near = [*villages[:1], *(max(0, place - dice.randint(1, 12)) for place in villages[:1])]
    dogs = dice.choices([card for card in full if facts[card].type == "dog"], k=dice.choice((0, 0, 1, 2)))
    player = table.players[0]._replace(
        hand=tuple(sorted([dice.choice(risky), *some(dice.randint(1, 4))])),
        deck=tuple(sorted(deck)),
        discard=tuple(sorted(pile)),
        dogs=tuple(sorted(Dog(dog, ()) for dog in dogs)),
        pos=dice.choice((0, 3, 20, 30, 84, 130, 150, *near, *near)),
        hypothermia=dice.choice((0, 0, 0, 1, 3)),
        starvation=dice.choice((0, 0, 0, 1, 3)),
        free_energy=dice.choice(("no", "no", "no", "armed")),
        free_health=dice.choice(("no", "no", "no", "armed")),
    )
    weather = dice.choice(("none", "none", *game.rulings.faces))
    return RiskCards(game, table._replace(players=(player,), weather=weather), 0)
