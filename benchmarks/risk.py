"""How long the chance of a risk card takes: every edition, decks of several sizes, seeded.

``python -m benchmarks.risk [--races] [--seeds N] [--time SECONDS]``, of which ``--help`` tells all options.
Tables are *artificial* ones: for each edition and seed the hand and deck of a new game, a few upgrade cards among them,
are shuffled and dealt again: decks of 10, 18 and 25 cards, all of them hidden, and 7 cards in hand; a hand without a
risk card gets one from it. Or, with ``--races``, those of real hidden races, one of each seed, that the greedy player
runs: the first turn and six of the next 39, drawn by seed, with every risk card in hand that can be begun then.

Each risk card is asked by itself, as ``risk`` does, first for the chance of who just goes on, then for the greatest,
unless ``--going-on`` leaves that out. Printed are processor seconds for each card, of both together for the greatest:
median, 95 %, the most, how many were found within 0.2 s, how many not within the time, and how many of those because
something reads the discard pile. Before that, and with ``--bounds`` alone, the proved bounds after 0.2 s and after a
second: how far apart they are, and how many meet; ``--exact`` leaves them out.
"""

from __future__ import annotations

import argparse
import gc
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any, NamedTuple

from rules.core.position import new_position
from rules.core.race import Unsupported
from rules.core.scripts import SplitMix64
from solver.encodings import venture_odds
from solver.search.rollout import Draws, GreedyPolicy, Playing

EDITIONS = ("iditacards/2017", "iditacards/2019-02", "iditacards/2019-08", "iditacards/starter-race")
SIZES = (10, 18, 25)
APART = ("legendary", "solitaire", "damage", "destroyed")
HELD = 7
AIM_S = 0.2
BOUNDS_S = (AIM_S, 1.0)
NEAR = 0.01
MORE = 6
"""Upgrade cards among the others."""
BANDS = ((10, "to 10"), (18, "11-18"), (1 << 30, "19 on"))
"""Decks of real races by how many cards they have at most."""
TURNS = 40
"""Turns of a race that are played at most, of which so many besides the first are looked at."""
LOOKED_AT = 6


def dealt(ruleset: str, seed: int, size: int) -> tuple[Any, Any]:
    """Return a game and a table with so many cards hidden, and a risk card in hand."""
    position = new_position(ruleset, seed=seed, open_sources=[])
    game: Any = position.game
    table = position.table()
    dice = random.Random(f"{ruleset} {seed} {size}")
    player = table.players[0]
    cards = sorted([*player.hand, *player.deck])
    facts = game.rulings.cards
    others = sorted(card for card, each in facts.items() if each.deck not in APART)
    cards += [dice.choice(others) for _ in range(max(MORE, HELD + size - len(cards)))]
    dice.shuffle(cards)
    risky = next(place for place, card in enumerate(cards) if facts[card].risk)
    cards[0], cards[risky] = cards[risky], cards[0]
    hand, deck = sorted(cards[:HELD]), sorted(cards[HELD : HELD + size])
    player = player._replace(hand=tuple(hand), deck=tuple(deck), pos=dice.choice((0, 20, 60, 100)))
    return game, table._replace(players=(player,))


def artificial(ruleset: str, seeds: int) -> Iterator[tuple[str, str, Any, Any, list[str]]]:
    """Yield how many cards are hidden, a name, a game, a table and the cards to ask about."""
    for size in SIZES:
        for seed in range(1, seeds + 1):
            game, table = dealt(ruleset, seed, size)
            ventures = game.hand_model(table, 0)
            assert ventures is not None
            yield f"{size} hidden", f"seed {seed}", game, table, list(ventures.cards())


def raced(ruleset: str, seeds: int) -> Iterator[tuple[str, str, Any, Any, list[str]]]:
    """Yield likewise the tables of real races on which a risk card can be begun."""
    for seed in range(1, seeds + 1):
        position = new_position(ruleset, seed=seed, open_sources=[])
        game: Any = position.game
        table = position.table()
        greedy, generator = GreedyPolicy(game), SplitMix64(seed)

        def answered(script: Playing, seat: int, answers: Any, table: Any, greedy: Any, generator: SplitMix64) -> Any:
            return greedy(table, script, seat, answers, generator)

        draws = Draws(seed)
        turns = {0, *random.Random(seed).sample(range(1, TURNS), LOOKED_AT)}
        for turn in range(TURNS):
            if table.over:
                break
            ventures = game.hand_model(table, 0)
            cards = [card for card in ventures.cards() if any(ventures.openings(card))] if turn in turns else []
            if cards:
                hidden = len(table.players[0].deck)
                band = next(name for most, name in BANDS if hidden <= most)
                yield f"{band} hidden", f"seed {seed} turn {turn + 1} of {hidden} hidden", game, table, cards
            answer = partial(answered, table=table, greedy=greedy, generator=generator)
            table = game.play_turn(table, Playing([], draws, answer))


class Row(NamedTuple):
    """One card."""

    seconds: float
    found: bool
    chance: float
    card: str
    reads: bool = False
    """Something reads the discard pile."""


class Gap(NamedTuple):
    """The bounds of one card after some time."""

    width: float
    seconds: float
    card: str


def gaps(game: Any, table: Any, card: str, name: str) -> list[Gap]:
    """Return the bounds of a card after each time, from nothing."""
    odds = venture_odds(game, table, 0, card)
    gc.collect()  # what the cards before have left behind
    cpu = process_time()
    times = [_within(seconds) for seconds in BOUNDS_S]
    found = []
    for alive in times:
        low, high = odds.greatest(alive)
        found.append(Gap(float(high - low), process_time() - cpu, f"{float(low):.4f} to {float(high):.4f} {name}"))
    return found


def print_gaps(head: str, rows: list[list[Gap]], worst: int) -> None:
    """Print a line for each time."""
    for place, seconds in enumerate(BOUNDS_S):
        cards = [row[place] for row in rows]
        widths = [each.width for each in cards]
        print(
            f"{head}, bounds after {seconds:3.1f} s: apart median {median(widths):.4f}, most {max(widths):.4f}, below "
            f"{NEAR} {sum(width < NEAR for width in widths)}, met {sum(width == 0 for width in widths)}, most seconds "
            f"{max(each.seconds for each in cards):5.2f}",
            flush=True,
        )
        for each in sorted(cards, reverse=True)[:worst]:
            print(f"    {each.width:.4f}  {each.seconds:5.2f} s  {each.card}")


def _within(seconds: float) -> Callable[[], bool]:
    """Return whether so many processor seconds are not over yet.

    In one thread they are never more than those of the clock, which costs far less to look at.
    """
    clock, cpu = perf_counter(), process_time()
    return lambda: perf_counter() - clock < seconds or process_time() - cpu < seconds


class Rows:
    """What was measured of some cards."""

    def __init__(self) -> None:
        self.plain: list[Row] = []
        self.greatest: list[Row] = []
        self.between: list[list[Gap]] = []

    def measure(self, game: Any, table: Any, cards: list[str], name: str, options: argparse.Namespace) -> None:
        """Ask about some cards of a table."""
        for card in cards:
            if not (options.going_on or options.exact):
                self.between.append(gaps(game, table, card, f"{card} ({name})"))
            if options.bounds:
                continue
            told = f"{card} ({name}) {table.players[0].deck}"
            gc.collect()
            cpu = process_time()
            alive = _within(options.time)
            odds = venture_odds(game, table, 0, card)
            chance = None
            with suppress(Unsupported):
                chance = odds.plain(alive)
            self.plain.append(Row(process_time() - cpu, chance is not None, float(chance or 0), told))
            if not options.going_on:
                low, high = odds.greatest(alive)
                spent = process_time() - cpu
                self.greatest.append(Row(spent, low == high, float(low), told, bool(odds.unfollowed)))

    def tell(self, head: str, worst: int) -> None:
        """Print a line for each question."""
        if self.between:
            print_gaps(f"{head} {len(self.between):3} cards", self.between, worst)
        for name, rows in (("going on", self.plain), ("greatest", self.greatest)):
            if not rows:
                continue
            spent = [row.seconds for row in rows]
            soon = sum(row.found and row.seconds < AIM_S for row in rows)
            late = quantiles(spent, n=20)[-1] if len(spent) > 1 else spent[0]
            print(
                f"{head} {len(rows):3} cards, {name}: median {median(spent):6.3f} s, 95 % {late:6.3f} s, "
                f"most {max(spent):6.3f} s, within {AIM_S} s {soon}, not found {sum(not row.found for row in rows)}"
                + (f", of which read {sum(row.reads for row in rows)}" if rows is self.greatest else ""),
                flush=True,
            )
            for row in sorted(rows, reverse=True)[:worst]:
                print(f"    {row.seconds:6.3f} s  found {row.found}  {row.chance:.4f} {row.card}")


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--races", action="store_true", help="tables of real races")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--time", type=float, default=5.0, help="seconds for each card")
    parser.add_argument("--ruleset", help="one edition only")
    parser.add_argument("--worst", type=int, default=0, help="show so many of the slowest")
    parser.add_argument("--going-on", action="store_true", help="leave bounds and the greatest chance out")
    parser.add_argument("--bounds", action="store_true", help="bounds alone")
    parser.add_argument("--exact", action="store_true", help="leave bounds out")
    options = parser.parse_args()
    for ruleset in EDITIONS if options.ruleset is None else (options.ruleset,):
        found: dict[str, Rows] = {}
        for hidden, name, game, table, cards in (raced if options.races else artificial)(ruleset, options.seeds):
            found.setdefault(hidden, Rows()).measure(game, table, cards, name, options)
        for hidden in sorted(found, key=lambda each: (each[:2] != "to", each)):
            found[hidden].tell(f"{ruleset:24} {hidden}", options.worst)


if __name__ == "__main__":
    main()
