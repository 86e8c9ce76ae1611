"""What each card is to whole games: who wins with it, how often it is played or pays, and what a turn with it brings.

Every seat takes the better of a few random ways through each turn (``solver.audit.play.played``). People who do not
plan play so: a table of these figures shows where to look, and proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from puzzles.puzzle import forbids
from rules.core.files import data_file
from rules.core.registry import Ruleset
from solver.audit.play import Estimate, Recorded, mean, mover, opening, played, race_of, share, texts
from solver.render import EMPTY, Row, Style, bar, table
from solver.search.budget import Budget

HEADS: Final = ("card", "held", "won", "low", "high", "played", "paid", "price", "gain")
"""The columns, as CSV names them."""


@dataclass(slots=True)
class CardUse:
    """What one card was to the seats that had it in the hand."""

    card: str
    price: int | None
    """Cards that its play costs; nothing where the game does not say it in numbers."""
    held: int = 0
    """Seats that had it, each in one game."""
    decided: int = 0
    """Those of them whose game had one winner,"""
    wins: int = 0
    """and which were that winner."""
    turns: int = 0
    """Turns of these seats that began with it in the hand,"""
    played: int = 0
    """those in which it was played,"""
    paid: int = 0
    """and those in which it paid for another one."""
    gains: list[float] = field(default_factory=list)
    """Progress of each turn in which it was played."""

    @property
    def won(self) -> Estimate:
        """Return the share of the seats with the card that have won, of those whose game had one winner."""
        return share(self.wins, self.decided)

    @property
    def paid_part(self) -> float:
        """Return of the turns in which it was used the part in which it paid."""
        return self.paid / max(1, self.played + self.paid)

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the values of the columns."""
        won = self.won
        shares = (won.value, won.low, won.high, self.played / max(1, self.turns), self.paid_part)
        gain = f"{mean(self.gains).value:.2f}" if self.gains else ""
        price = "" if self.price is None else str(self.price)
        return (self.card, str(self.held), *(f"{each:.3f}" for each in shares), price, gain)

    @property
    def data(self) -> dict[str, Any]:
        """Return it for JSON."""
        counted = {"held": self.held, "turns": self.turns, "played": self.played, "paid": self.paid}
        gain = round(mean(self.gains).value, 3) if self.gains else None
        return {"card": self.card, "price": self.price, **counted, "won": self.won.numbers, "gain": gain}


@dataclass(slots=True)
class Balance:
    """All cards of a ruleset in some games."""

    ruleset: Ruleset
    players: int
    seed: int
    uses: dict[str, CardUse]
    games: int = 0
    complete: bool = True

    @property
    def cards(self) -> list[CardUse]:
        """Return the cards that anybody held, those that won most often first."""
        return sorted((use for use in self.uses.values() if use.held), key=lambda use: (-use.won.value, use.card))

    @property
    def prices(self) -> Iterator[tuple[int, Estimate]]:
        """Yield each price with the progress of a turn in which a card of that price was played."""
        gains: Mapping[int, list[float]] = defaultdict(list)
        for use in self.uses.values():
            if use.price is not None:
                gains[use.price].extend(use.gains)
        yield from ((price, mean(gains[price])) for price in sorted(gains) if gains[price])


def balance(ruleset: Ruleset, games: int, seed: int, budget: Budget) -> Balance:
    """Return what each card was to so many games of two, or of as few players as there can be."""
    least, most, _ = ruleset.definition.players_allowed(ruleset)
    costs = [
        key for key, way in data_file(ruleset.definition.folder, "ops").get("compare", {}).items() if way == "less"
    ]
    uses = {}
    for card, entry in sorted(ruleset.raw.get("cards", {}).items()):
        numbers = [entry[cost] for cost in costs if isinstance(entry.get(cost), int)]
        uses[card] = CardUse(card, sum(numbers) if costs and len(numbers) == len(costs) else None)
    found = Balance(ruleset, min(max(least, 2), most), seed, uses)
    bans = {card: ruleset.definition.bans(ruleset, card) for card in uses}
    while found.games < games and not budget.is_over:
        _count(played(opening(ruleset, seed, found.games, found.players), found.games), uses, bans)
        found.games += 1
    found.complete = found.games == games
    return found


def _count(game: Recorded, uses: Mapping[str, CardUse], bans: Mapping[str, frozenset[str]]) -> None:
    """Add what one game shows of each card."""
    race = race_of(game.position)
    held = [set[str]() for _ in range(game.position.players)]
    for before, end in zip(game.tables, game.ends, strict=False):
        seat = mover(race, before)
        hand = {*race.hand(before, seat)} & uses.keys()
        laid, paid = set[str](), set[str]()
        for text in texts(end):
            move, _, payment = text.partition(" pay ")
            laid |= {card for card in uses.keys() & {*move.split()} if forbids(bans[card], text)}
            paid |= uses.keys() & {*payment.split()}
        held[seat] |= hand | laid
        for card in hand | laid:
            uses[card].turns += 1
            uses[card].played += card in laid
            uses[card].paid += card in paid
        for card in laid:
            uses[card].gains.append(race.progress(end.table, seat) - race.progress(before, seat))
    for seat, cards in enumerate(held):
        for card in cards:
            uses[card].held += 1
            uses[card].decided += len(game.winners) == 1
            uses[card].wins += game.winners == (seat,)


def balance_data(found: Balance) -> dict[str, Any]:
    """Return it as JSON."""
    return {
        "schema": "bestline/answer/1",
        "command": "balance",
        "ruleset": found.ruleset.id,
        "fingerprint": found.ruleset.fingerprint,
        "games": found.games,
        "players": found.players,
        "seed": found.seed,
        "complete": found.complete,
        "cards": [use.data for use in found.cards],
        "prices": [{"price": price, "plays": gain.n, "gain": round(gain.value, 3)} for price, gain in found.prices],
    }


def balance_cells(found: Balance) -> list[Sequence[str]]:
    """Return the table, its heads first."""
    return [HEADS, *(use.cells for use in found.cards)]


def balance_rows(found: Balance, style: Style) -> list[Row]:
    """Return the screen: all cards, then what a turn brings by the price of the card played in it."""
    told = (
        f"{found.games} games of {found.players} by players who do not plan, seed {found.seed}. Won: of the seats that "
        "held the card, with the 95 % interval. Played: of the turns with it in the hand. Paid: of the turns in which "
        "it was used. Gain: progress of a turn in which it was played."
    )
    rows = [Row(f"Cards of {found.ruleset.title}", look="title"), Row(told, look="quiet"), EMPTY]
    if not found.cards:
        return [*rows, Row("Nobody held a card.")]
    rows += table(balance_cells(found), style, headed=True)
    prices = list(found.prices)
    if prices:
        most = max(1.0, *(gain.value for _, gain in prices))
        cells = [("price", "plays", "gain", "")]
        cells += [
            (str(price), str(gain.n), f"{gain.value:.2f}", bar(gain.value / most, style)) for price, gain in prices
        ]
        rows += [EMPTY, Row("What a turn brings, by price", look="title"), *table(cells, style, headed=True)]
    return rows
