"""Values with a hidden deck against complete play, without end: ``python -m benchmarks.soak_hidden``.

Each value is asked with all rules of forgetting, without any, and without one of them. What differs is printed with the
table and the question; the exit code is then 1. ``--hard`` deals tables on which rules of forgetting are tried hardest:
damage cards, tolls ahead, known cards, upgrade decks, full stacks and many unusual rulings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from time import perf_counter, process_time
from typing import Any

from benchmarks.soak_tables import random_position
from puzzles.puzzle import Goal, Objective
from rules.core.errors import BestlineError
from rules.core.position import load_position
from rules.iditacards.state import Frame, Player, Table
from rules.iditacards.turn import NEW_DAY, Rulings
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.encoding import supports
from solver.encodings.iditacards.hidden.values import RULES
from solver.search.budget import BudgetExceeded
from tests.solver.encodings.hidden_questions import HiddenAsked, hidden_questions
from tests.solver.encodings.positions import Case, case_of, random_options

SWITCHES = {name: value for name, value in vars(Q).items() if name.startswith("RULE_")}


class Strained:
    """Makes hard tables of dealt ones; no box is asked how many copies of a card it has."""

    def __init__(self, rulings: Rulings, dice: random.Random) -> None:
        self._rulings, self._dice = rulings, dice
        self._cards = sorted(card.id for card in rulings.cards.values() if card.type != "damage")
        self._upgrades = [
            sorted(card.id for card in rulings.cards.values() if card.deck == name) for name in rulings.upgrade_decks
        ]
        self._risky = [card for card in self._cards if rulings.cards[card].risk]

    def table(self, table: Table) -> Table:
        """Return a table with more of what rules of forgetting look at."""
        dice = self._dice
        player = table.players[0]
        few = [*player.hand, *player.deck, *player.discard, *dice.sample(self._cards, 2)]
        damage = sorted(self._rulings.damage_ids) if dice.random() < 0.4 else []
        zones: dict[str, Any] = {}
        for name, most in (("hand", 3), ("deck", 2), ("discard", 3)):
            more = dice.choices(few, k=dice.randint(0, most))
            more += damage * dice.choice((0, 1, 1, 2)) if name != "hand" or dice.random() < 0.3 else []
            zones[name] = tuple(sorted((*getattr(player, name), *more)))
        known = dice.choice((0, 0, 0, 1, 1, 2))
        top = tuple(dice.sample(zones["deck"], min(known, len(zones["deck"]))))
        rest = list(zones["deck"])
        for card in top:
            rest.remove(card)
        zones["deck"] = (*top, *rest)
        stack = player.stack or tuple(self._frames()) if dice.random() < 0.4 else player.stack
        player = player._replace(**zones, known=len(top), stack=stack, pos=self._place(player, table))
        upgrade = table.upgrade
        if dice.random() < 0.5:
            some = [
                tuple(sorted(dice.choices(names, k=dice.randint(0, 3)))) if names else () for names in self._upgrades
            ]
            upgrade = tuple(some)
        return table._replace(players=(player,), upgrade=upgrade)

    def _frames(self) -> Iterator[Frame]:
        dice = self._dice
        for card in dice.sample(self._risky, min(len(self._risky), dice.choice((1, 1, 2)))):
            need = dice.choice((1, 1, 2))
            yield Frame(card, 1, 0, need, dice.randrange(need), "risk")

    def _place(self, player: Player, table: Table) -> int:
        """Return a place, often not far before a leg that takes or gives cards."""
        track = self._rulings.track(table.legs)
        telling = ("leg_enter_health", "leg_turn_end_recover", "leg_turn_end_draw")
        spaces = [n for n, leg in enumerate(track) if leg is not None and any(op in leg.passive for op in telling)]
        if not spaces or self._dice.random() < 0.5:
            return player.pos
        return max(0, self._dice.choice(spaces) - self._dice.randint(0, 4))


def hard_questions(seed: int) -> Iterator[HiddenAsked]:
    """Yield a question about the hard table of a seed, where the encoding carries it."""
    dice = random.Random(f"hard {seed}")
    position = random_position(seed, tame_part=0.3)
    if dice.random() < 0.6:
        document = position.canonical()
        document["options"] |= random_options(dice, position.ruleset.id, 12)
        try:
            position = load_position(json.dumps(document))
        except BestlineError:
            return
    case = case_of(f"hard {seed}", position)
    case = case._replace(table=Strained(case.game.rulings, dice).table(case.table))
    objective = dice.choice([Objective.REACH, Objective.MAX_DISTANCE, Objective.MIN_TURNS])
    target = case.table.players[0].pos + dice.choice((1, 2, 3, 5, 8, 12))
    forbidden = frozenset({NEW_DAY.text}) if dice.random() < 0.6 else frozenset[str]()
    turns = dice.choice((1, 1, 2, 2, 2, 3))
    if not supports(case.game, case.table, 0, forbidden, hidden=True):
        yield HiddenAsked(Case(case.name, case.game, case.table), Goal(objective, target, turns, forbidden))


def within(seconds: float) -> Callable[[], None]:
    """Return what ends a search after so much CPU time."""
    end = process_time() + seconds

    def pause() -> None:
        if process_time() > end:
            raise BudgetExceeded

    return pause


def difference(asked: HiddenAsked, most: int, seconds: float, done: Counter[str]) -> str:
    """Return what differs between the ways to ask, nothing where all agree."""
    lost = Fraction(0) if asked.goal.objective is Objective.REACH else None
    found: dict[str, Fraction | None] = {}
    omitted = sorted(SWITCHES)[int(asked.case.name.split()[-1]) % len(SWITCHES)]
    for name, rules in (("all", RULES), ("none", 0), (f"not {omitted}", RULES & ~SWITCHES[omitted])):
        try:
            found[name] = asked.value(rules, within(seconds))
        except BudgetExceeded:
            done["too slow"] += 1
        except OverflowError as error:
            done[str(error)] += 1
    try:
        found["complete"] = asked.expected(most)
        done["complete"] += 1
    except BudgetExceeded:
        done["too large"] += 1
    done["compared"] += len(found) > 1
    values = {lost if value is None else value for value in found.values()}
    done["between"] += bool(values - {0, 1, None})
    return "" if len(values) < 2 else ", ".join(f"{name}: {value}" for name, value in found.items())


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--most", type=int, default=3_000, help="ways through turns of complete play")
    parser.add_argument("--each", type=float, default=1.0, help="CPU seconds of a search at most")
    given = parser.parse_args()
    began, done, wrong = perf_counter(), Counter[str](), 0
    for seed in count(given.seed):
        for asked in hard_questions(seed) if given.hard else hidden_questions(range(seed, seed + 1)):
            differs = difference(asked, given.most, given.each, done)
            if differs:
                wrong += 1
                sys.stdout.write(f"{asked.case.name}: {asked.goal}: {differs}\n")
                sys.stdout.flush()
        if perf_counter() - began > given.seconds:
            sys.stdout.write(f"up to seed {seed}: {dict(done)}, {wrong} differ\n")
            return int(wrong > 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
