"""Tables that no game comes to, for the turns that random games seldom have: rare cards, full stacks, dying players."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rules.core.errors import BestlineError
from rules.iditacards.state import Dog, Frame, Player, Table
from rules.iditacards.turn import Rulings
from tests.solver.encodings.positions import Case, case_of, position_of, random_options

EVERY_OP = str(Path(__file__).with_name("every_op.toml"))
"""A ruleset with what no edition has."""


def wild(ruleset: str, seed: int, changed: int = 20) -> Case | None:
    """Return a table of any cards in all zones, under up to ``changed`` options at any value; none for bad options."""
    dice = random.Random(f"{ruleset} {seed}")
    try:
        position = position_of(ruleset, seed, random_options(dice, ruleset, changed), _lists(dice, ruleset))
    except BestlineError:
        return None
    case = case_of(f"{ruleset} wild {seed}", position)
    return case._replace(table=_Dealer(case.game.rulings, dice).table(case.table))


def _lists(dice: random.Random, ruleset: str) -> dict[str, Any] | None:
    """Return listed orders of the deck for a part of the tables."""
    if dice.random() < 0.75:
        return None
    cards = _names(ruleset)
    return {"deck": [[dice.choice(cards) for _ in range(8)] for _ in range(dice.randint(1, 4))]}


@cache
def _names(ruleset: str) -> list[str]:
    game = case_of("", position_of(ruleset, 0, {})).game
    return sorted(game.rulings.cards)


class _Dealer:
    """Deals cards of one ruleset with no regard for the box."""

    def __init__(self, rulings: Rulings, dice: random.Random) -> None:
        self._rulings, self._dice = rulings, dice
        cards = rulings.cards.values()
        ops: dict[str, list[str]] = {}
        for card in cards:
            for op in {effect.op for effect in card.instant} | set(card.passive):
                ops.setdefault(op, []).append(card.id)
        self._by_op = [ops[op] for op in sorted(ops)]
        self._all = sorted(rulings.cards)
        self._damage = sorted(rulings.damage_ids)
        self._risky = [card.id for card in cards if card.risk]
        self._second = sorted({*ops.get("destroy_next", ()), *ops.get("take_next", ())})

    def _card(self) -> str:
        """Return any card, rare ops as often as usual ones."""
        dice = self._dice
        if dice.random() < 0.1 and self._damage:
            return dice.choice(self._damage)
        return dice.choice(dice.choice(self._by_op) if dice.random() < 0.6 else self._all)

    def _cards(self, most: int, fits: Callable[[str], bool] = lambda _: True) -> tuple[str, ...]:
        cards = [self._card() for _ in range(self._dice.randint(0, most))]
        return tuple(sorted(card for card in cards if fits(card)))

    def _of_type(self, kind: str) -> str:
        cards = self._rulings.cards
        card = next((card for card in (self._card() for _ in range(12)) if cards[card].type == kind), "")
        return card or self._dice.choice([name for name in self._all if cards[name].type == kind])

    def _dogs(self) -> tuple[Dog, ...]:
        rulings, dice, dogs = self._rulings, self._dice, []
        room = rulings.rules.dog_limit
        for _ in range(dice.choice((0, 1, 2, 4, 6))):
            dog = self._of_type("dog")
            room -= rulings.numbers["counts_as"].get(dog, 1)
            if room < 0:
                break
            worn = dice.randint(0, rulings.numbers["attach_slots"].get(dog, 1))
            dogs.append(Dog(dog, tuple(sorted(self._of_type("attachment") for _ in range(worn)))))
        return tuple(sorted(dogs))

    def _stack(self, day: int) -> tuple[Frame, ...]:
        dice, stack = self._dice, []
        for _ in range(dice.choice((0, 0, 1, 2, 3))):
            need = dice.choice((1, 1, 2))
            stack.append(
                Frame(dice.choice(self._risky), dice.choice((day, 0)), 0, need, dice.randint(0, need - 1), "risk")
            )
        if self._second and dice.random() < 0.4:
            frame = Frame(dice.choice(self._second), day, dice.randint(0, 2), 0, 0, "second")
            queued = stack and self._rulings.parent_now and dice.random() < 0.3
            stack.insert(0 if queued else len(stack), frame)
        return tuple(stack)

    def _space(self) -> int:
        """Return a space short of where something happens."""
        rulings = self._rulings
        board = rulings.board
        edges = [section.first for section in board.sections]
        edges += [*sorted(board.checkpoints | rulings.special_spaces), rulings.finish_at]
        return min(rulings.finish_at - 1, max(0, self._dice.choice(edges) - self._dice.randint(0, 6)))

    def _player(self, player: Player, day: int) -> Player:
        rulings, dice = self._rulings, self._dice
        tops = [rulings.rules.condition_cap, rulings.rules.death_at and rulings.rules.death_at - 1, 7]
        top = 1 if rulings.options["conditions_model"] == "binary" else min(filter(None, tops))
        stack = self._stack(day)
        waits = bool(stack) and stack[-1].step == "second"
        empty = dice.random() < 0.08
        foods = [card.id for card in rulings.cards.values() if card.type == "food"]
        return player._replace(
            deck=() if empty else tuple(self._card() for _ in range(dice.choice((0, 1, 2, 4, 7)))),
            discard=self._cards(5),
            dogs=self._dogs(),
            foods=tuple(sorted(dice.sample(foods, dice.choice((0, 0, 1, 3))))),
            free_energy=dice.choice(("no", "no", "armed", "on")),
            free_health=dice.choice(("no", "no", "armed", "on")),
            hand=() if empty else self._cards(4),
            hypothermia=dice.choice((0, 1, top, top - 1)),
            immune=dice.random() < 0.1,
            legendary=self._some(rulings.content.deck_cards(rulings.content.deck_of_role("legendary")), 2),
            moved=dice.random() < 0.3,
            passed=tuple(space for space in sorted(rulings.board.checkpoints) if dice.random() < 0.4),
            personal=dice.choice((0, 1, 2)),
            pos=self._space(),
            resolved=self._cards(2) if stack and rulings.options["resolved_risk_zone"] == "stay_until_root" else (),
            seen=self._cards(2) if waits else (),
            stack=stack,
            starvation=dice.choice((0, 1, top, top - 1)),
        )

    def _some(self, cards: Sequence[str], most: int) -> tuple[str, ...]:
        return tuple(sorted(self._dice.choice(cards) for _ in range(self._dice.randint(0, most)))) if cards else ()

    def table(self, table: Table) -> Table:
        """Return the table with everything dealt anew."""
        rulings, dice = self._rulings, self._dice
        upgrades = [card.id for card in rulings.cards.values() if card.deck in rulings.upgrade_decks]
        day = dice.randint(0, 2)
        return table._replace(
            damage_left=dice.choice((0, 1, 5)),
            day=day,
            destroyed=self._cards(2),
            freeze=dice.random() < 0.05,
            players=(self._player(table.players[0], day),),
            supply=self._some(upgrades, 3) if rulings.rules.take_from == "supply" else (),
            upgrade=tuple(deck[dice.choice((0, 0, len(deck), max(0, len(deck) - 1))) :] for deck in table.upgrade),
            weather=dice.choice(("none", *rulings.faces)),
        )
