"""``LOOP`` of cards that turn one good into another and back: a mix that gains, or the proof that none does.

A game says what single cards do to the goods of a seat that has nothing else (``Race.exchanges``); cards that come back
by a reshuffle can be used again and again. An integer program proposes a mix that loses nothing and gains something;
play from an open deal whose hand holds it confirms it. Where there is none, weights of the goods show it
(``solver/model/exchange.py``): by them no card of the kind raises the sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from rules.core.chance import mix as mixed
from rules.core.race import Race, tally
from solver.audit.finding import Finding, Level, Notebook, Searched, Witness, place_of
from solver.audit.recorded import opening, race_of, texts
from solver.audit.stall import quietest
from solver.model.exchange import Change, Mix, gaining, round_trip, weights

DEALS: Final = 400
"""Open deals looked at for a hand that holds a mix."""
WAYS: Final = 200
"""Ways through a turn that are looked at for one in which a card is used."""
WAIT: Final = 8
"""Turns waited for a turn in which it can be used, and for what it does."""


def find_exchanges(notebook: Notebook) -> None:
    """Write down a mix of exchanges that gains, or why none does; nothing where the game has no such cards."""
    game = race_of(opening(notebook.ruleset, notebook.seed))
    known = game.exchanges()
    trades = {card: change for card, change in known.items() if min(change.values()) < 0 < max(change.values())}
    if not trades:
        return
    found = gaining(trades)
    if found is None:
        notebook.searched.append(Searched("LOOP", _none_gains(trades)))
        return
    witness = confirmed(notebook, found)
    what = f"exchanges by {', '.join(trades)}: {_mix_text(found)}{'' if witness else ', in no deal looked at'}"
    notebook.searched.append(Searched("LOOP", what, complete=witness is not None))
    if witness is not None:
        notebook.findings.append(_finding(notebook, found, witness))


def _none_gains(trades: Mapping[str, Change]) -> str:
    """Return the certificate that no mix gains, in words, with the way round that loses least."""
    proof, loop = weights(trades), round_trip(trades)
    told = f"exchanges by {', '.join(trades)}: no mix of them gains"
    if proof is not None:
        summed = " + ".join(_name(good) if n == 1 else f"{n} {_name(good)}" for good, n in proof.items())
        told += f", for none raises {summed}"
    return told + (f"; of the ways round, {_mix_text(loop)} loses least" if loop is not None else "")


def _mix_text(found: Mix) -> str:
    cards = ", ".join(card if number == 1 else f"{number} x {card}" for card, number in found.times.items())
    changes = ", ".join(f"{_name(good)} {number:+d}" for good, number in found.change.items())
    return f"{cards} ({changes})"


def _name(good: str) -> str:
    """Return the last word of a good's path."""
    return good.rpartition(".")[2]


def confirmed(notebook: Notebook, found: Mix) -> Witness | None:
    """Return a line from an open deal in which the cards of a mix, and nothing else, do what is said of them."""
    cards = [card for card, number in found.times.items() for _ in range(number)]
    for deal in range(DEALS):
        if notebook.budget.is_over:
            return None
        position = opening(notebook.ruleset, mixed(notebook.seed ^ deal))
        game, table = race_of(position), position.table()
        hand = list(game.hand(table))
        if any(hand.count(card) < cards.count(card) for card in cards):
            continue
        steps: list[str] = []
        for card in cards:
            used = _used(game, table, card)
            if used is None:
                break
            table, more = used
            steps += more
        else:
            return Witness(position, tuple(steps))
    return None


def _used(game: Race[Any], table: Any, card: str) -> tuple[Any, list[str]] | None:
    """Return the table after a card has done what is said of it and nothing more, with the steps; or nothing."""
    expected, before = game.exchanges()[card], _numbers(game, table)
    steps: list[str] = []
    for _ in range(WAIT):
        held = list(game.hand(table)).count(card)
        for end in islice(game.turn_ends(table), WAYS):
            laid = [text for text in texts(end) if card in text.split()]
            if not laid or list(game.hand(end.table)).count(card) >= held:
                continue
            after, taken = end.table, list(texts(end))
            for _ in range(WAIT):
                if _numbers(game, after) == {good: held + expected.get(good, 0) for good, held in before.items()}:
                    return after, steps + taken
                following = quietest(game, after)
                after = following.table
                taken += texts(following)
        quiet = quietest(game, table)
        table = quiet.table
        steps += texts(quiet)
    return None


def _numbers(game: Race[Any], table: Any) -> dict[str, int]:
    """Return the goods of a table that are numbers."""
    return {good: held for good, held in tally(game, table).goods.items() if ": " not in good}


def _finding(notebook: Notebook, found: Mix, witness: Witness) -> Finding:
    return Finding(
        code="LOOP",
        subject=f"exchange {' / '.join(sorted(found.times))}",
        level=Level.ERROR,
        claim=f"cards that come back turn goods into each other and more: {_mix_text(found)}",
        place=place_of(notebook.ruleset, sorted(found.times)),
        witness=witness,
        measure=sum(found.change.values()),
        data={"kind": "exchange", "times": dict(found.times), "change": dict(found.change)},
    )
