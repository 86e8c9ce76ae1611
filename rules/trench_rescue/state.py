"""The table of a Trench Rescue game, between half-turns or in the middle of one, and its canonical form (3, 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from rules.trench_rescue.cards import Pack

PLAY: Final = "play"
WITHDRAW: Final = "withdraw"
OVER: Final = "over"
PHASES: Final = (PLAY, WITHDRAW, OVER)


class Soldier(NamedTuple):
    """An able-bodied soldier on the field."""

    card: int
    carries: int | None
    cell: int


class Table(NamedTuple):
    """One position; equal tables are equal positions. Cards are numbers of the pack, players and colours 0 and 1."""

    carried_home: tuple[int, int]
    """Cards carried home by each player, where the score counts them, else 0."""
    dead: tuple[int, ...]
    """Sorted."""
    deck: tuple[tuple[int, ...], tuple[int, ...]]
    """Sorted as soon as cards have joined or left it; top first where decks are queues."""
    draws: tuple[int, int]
    """Number of the next draw of each deck, 0 for a hidden source."""
    fresh: tuple[tuple[int, int], ...]
    """Cell and place in its pile, ascending."""
    infirmary: tuple[tuple[int, ...], tuple[int, ...]]
    """Sorted."""
    moved: tuple[int, ...]
    """Sorted; soldiers of ``to_move``."""
    near: int
    phase: str
    piles: tuple[tuple[int, ...], ...]
    """By cell, bottom to top."""
    players: int
    shells: int
    """Number of the next shell, 0 for a hidden source; its place in a tape."""
    size: int
    soldiers: tuple[Soldier, ...]
    """Sorted by card; where arrival counts, those of one cell in the order they entered it."""
    starter: int
    to_move: int
    trench: tuple[tuple[int, ...], tuple[int, ...]]
    """Sorted."""
    turn: int
    view: int | None
    """The player through whose eyes the table is seen, or nothing with open cards."""


def encode(pack: Pack, table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object (15)."""
    colours, codes = pack.colours, pack.codes
    return {
        "carried_home": _pair(colours, table.carried_home),
        "counters": {"deck": _pair(colours, table.draws), "shells": table.shells},
        "dead": pack.texts(table.dead),
        "deck": _pair(colours, [pack.texts(deck) for deck in table.deck]),
        "fresh": [list(place) for place in table.fresh],
        "infirmary": _pair(colours, [pack.texts(zone) for zone in table.infirmary]),
        "moved": pack.texts(table.moved),
        "near": colours[table.near],
        "phase": table.phase,
        "piles": [pack.texts(pile) for pile in table.piles],
        "players": table.players,
        "size": table.size,
        "soldiers": [
            {"card": codes[card], "carries": None if carries is None else codes[carries], "cell": cell}
            for card, carries, cell in table.soldiers
        ],
        "starter": colours[table.starter],
        "to_move": colours[table.to_move],
        "trench": _pair(colours, [pack.texts(zone) for zone in table.trench]),
        "turn": table.turn,
        "view": None if table.view is None else colours[table.view],
    }


def _pair(colours: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(colours, values, strict=True))


def decode(pack: Pack, state: Mapping[str, Any], *, arrival: bool) -> Table:
    """Return the table of a complete ``state`` object; sorted lists may come in any order.

    With ``arrival`` soldiers of one cell keep their order. Decks do too: published vectors print a deck that nothing
    has touched as it was given, and a deck that is a queue is told by its order.
    """
    black, red = pack.colours
    read, numbers = pack.read, pack.numbers

    def both(name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(sorted(read(state[name][black]))), tuple(sorted(read(state[name][red])))

    soldiers = [
        Soldier(numbers[s["card"]], None if s["carries"] is None else numbers[s["carries"]], s["cell"])
        for s in state["soldiers"]
    ]
    counters = state["counters"]
    return Table(
        carried_home=(state["carried_home"][black], state["carried_home"][red]),
        dead=tuple(sorted(read(state["dead"]))),
        deck=(read(state["deck"][black]), read(state["deck"][red])),
        draws=(counters["deck"][black], counters["deck"][red]),
        fresh=tuple(sorted((cell, place) for cell, place in state["fresh"])),
        infirmary=both("infirmary"),
        moved=tuple(sorted(read(state["moved"]))),
        near=pack.colours.index(state["near"]),
        phase=state["phase"],
        piles=tuple(read(pile) for pile in state["piles"]),
        players=state["players"],
        shells=counters["shells"],
        size=state["size"],
        soldiers=by_arrival(soldiers) if arrival else tuple(sorted(soldiers)),
        starter=pack.colours.index(state["starter"]),
        to_move=pack.colours.index(state["to_move"]),
        trench=both("trench"),
        turn=state["turn"],
        view=None if state["view"] is None else pack.colours.index(state["view"]),
    )


def by_arrival(soldiers: Sequence[Soldier]) -> tuple[Soldier, ...]:
    """Return soldiers sorted by card, those of one cell in the order given, in the places they have together (TR-Q5).

    Only the order inside a cell is part of the position; a list sorted by card says that it is canonical everywhere.
    """
    waiting: dict[int, list[Soldier]] = {}
    for soldier in reversed(soldiers):
        waiting.setdefault(soldier.cell, []).append(soldier)
    return tuple(waiting[soldier.cell].pop() for soldier in sorted(soldiers))
