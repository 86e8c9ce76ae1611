"""The chance that cards are among the next ones of a deck, exactly, by what their seat knows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rules.core.errors import BestlineError, nearest
from rules.core.position import Position
from rules.core.race import Lot
from rules.core.unknown import UNKNOWN, known


@dataclass(frozen=True, slots=True)
class DrawReport:
    """What may come up next."""

    seat: int
    deck: str
    size: int
    """Cards that come up before nothing more can be told."""
    number: int
    """Cards of these that count."""
    chance: Fraction
    """That at least one of the cards asked about is among them."""
    is_named: bool
    """The cards were named."""
    each: tuple[tuple[str, Fraction], ...]
    """The same of each card alone, the likeliest first."""


def draw_chances(position: Position, cards: Sequence[str], number: int = 1, seat: int | None = None) -> DrawReport:
    """Return the chance of some cards, or of every one without any, to be among the next ``number`` of their deck.

    The ``seat`` that draws is the one to move where none is named. Its chances are those of what it knows.

    Raises:
        BestlineError: there is no such seat, no such card, or no deck of which this can be told.
    """
    game, start = position.start()
    seat = max(0, game.to_act(start)) if seat is None else seat
    if seat >= position.players:
        raise BestlineError(f"--seat: there is no player {seat}; the last one is {position.players - 1}")
    table = game.decode(position.state_so_far()) if start.pending else start.table
    decks = game.decks(table, seat)
    if not decks:
        raise BestlineError("what comes up next cannot be told here; 'bestline moves' lists what chance decides")
    kinds = {name: set(known(card for lot in lots for card in lot.pool)) for name, lots in decks.items()}
    shapes = position.definition.state_ids(position.ruleset).values()
    every = known(name for shape in shapes for name in getattr(shape, "choices", None) or ())
    for card in cards:
        if card not in every:
            raise BestlineError(f"there is no card '{card}'{nearest(card, every)}")
        if all(card not in kinds[name] and UNKNOWN in lots[0].pool for name, lots in decks.items() if lots):
            raise BestlineError(f"'{card}' lies in sight: it comes up only after it has gone into the deck itself")
    holding = [name for name in decks if kinds[name] & set(cards)] or list(decks)[:1]
    if len(holding) > 1:
        raise BestlineError(f"these cards lie in different decks ({', '.join(holding)}); ask for each deck alone")
    lots = decks[holding[0]]
    asked = dict.fromkeys(cards or sorted(kinds[holding[0]]))
    each = [(card, chance_among(lots, {card}, number)) for card in asked]
    return DrawReport(
        seat,
        holding[0],
        sum(lot.size for lot in lots),
        number,
        chance_among(lots, asked, number),
        bool(cards),
        tuple(sorted(each, key=lambda one: -one[1])),
    )


def with_draws(position: Position, cards: Sequence[str], seat: int | None = None) -> Position:
    """Return the position on which a seat, the one to move where none is named, draws these cards next.

    Raises:
        BestlineError: the cards are not those that may come up next, or the rules have no known top cards.
    """
    game, start = position.start()
    seat = max(0, game.to_act(start)) if seat is None else seat
    if start.pending:
        raise BestlineError("--draw asks at the beginning of a turn; here one is under way ('bestline apply' goes on)")
    for card in dict.fromkeys(cards):
        report = draw_chances(position, (card,), len(cards), seat)
        if not report.chance:
            raise BestlineError(f"'{card}' is not among the next {len(cards)} cards of the {report.deck}")
    table = game.with_draws(start.table, seat, cards)
    if table is None:
        raise BestlineError(f"{', '.join(cards)} cannot be put on top here: --draw needs a hidden deck of one's own")
    return position.with_table(table)


def chance_among(lots: Sequence[Lot], cards: Collection[str], number: int) -> Fraction:
    """Return the chance that one of some cards is among the next ``number``."""
    none = Fraction(1)
    for lot in lots:
        drawn = min(number, lot.size)
        others = sum(card not in cards for card in lot.pool)
        none *= Fraction(comb(others, drawn), comb(len(lot.pool), drawn))
        number -= drawn
    return 1 - none
