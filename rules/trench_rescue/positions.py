"""States as people write them: their shape, what may be left out, and what stands there instead (15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.core.declared import facts, table_of
from rules.core.files import KeyPath
from rules.trench_rescue.cards import HIDDEN, Pack
from rules.trench_rescue.half_turn import read_cell
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.setup import near_side
from rules.trench_rescue.state import StateFile, decode, encode

_STATE: Final = table_of(StateFile)


def complete(state: Mapping[str, Any], rulings: Rulings) -> dict[str, Any]:
    """Return the canonical ``state`` object of a state of the right shape.

    What is left out takes the value it has after the set-up, but for open cards: a place that is not named is empty.
    """
    pack = rulings.pack
    given = facts(_STATE, state)
    size = given.get("size", rulings.field_size)
    mover = given.get("to_move", given.get("starter"))
    starter = given.get("starter", mover if rulings.players == 1 else None) or _starter(rulings, given["trench"])
    mover = mover or starter
    soldiers = [{**soldier, "cell": _cell(soldier["cell"], size)} for soldier in given["soldiers"]]
    view = given.get("view") or (None if rulings.chance.is_open("cards") else mover)
    dealt = {} if view is None else _dealt(pack, rulings.laid.get(size, 0), size, given["trench"], soldiers)
    nothing = dict.fromkeys(pack.colours, 0)
    raw = {
        **given,
        "counters": {
            "deck": given["counters"]["deck"] if rulings.deck_open and not rulings.queue else nothing,
            "shells": given["counters"]["shells"] if rulings.shells_open and rulings.shells_fall else 0,
        },
        "deck": {**dict.fromkeys(pack.colours, ()), **dealt.get("deck", {}), **given.get("deck", {})},
        "near": given.get("near", pack.colours[near_side(rulings)]),
        "piles": _piles(given.get("piles", dealt.get("piles", {})), size),
        "players": rulings.players,
        "size": size,
        "soldiers": soldiers,
        "starter": starter,
        "to_move": mover,
        "view": view,
    }
    return encode(pack, decode(pack, raw, arrival=rulings.arrival))


def _dealt(
    pack: Pack, laid: int, size: int, trench: Mapping[str, Sequence[str]], soldiers: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the places as they are dealt: a card in every cell, and the decks without who is able-bodied (2)."""
    able = [card for cards in (*trench.values(), [soldier["card"] for soldier in soldiers]) for card in cards]
    count = [sum(pack.colour[card] == colour for card in pack.read(able)) for colour in range(len(pack.colours))]
    decks = [[HIDDEN] * max(0, len(pack.of_colour[place]) - laid - count[place]) for place in range(len(pack.colours))]
    return {"deck": dict(zip(pack.colours, decks, strict=True)), "piles": [[HIDDEN]] * size**2}


def _starter(rulings: Rulings, trench: Mapping[str, Sequence[str]]) -> str:
    """Return who begins: the higher soldier (2.5); black where the state does not tell."""
    pack = rulings.pack
    if rulings.players == 1:
        return pack.colours[rulings.solitaire_colour]
    best = [max((pack.value[card] for card in pack.read(trench[colour])), default=0) for colour in pack.colours]
    return pack.colours[best.index(max(best))]


def _cell(cell: int | str, size: int) -> int:
    return cell if isinstance(cell, int) else _index(cell, size)


def _index(cell: str, size: int) -> int:
    """Return the index of a cell in words; one beyond the field gets an index beyond it, for the checks to find."""
    column, row = (int(part) for part in cell.split(","))
    return read_cell(cell, size) if column <= size and row <= size else size**2


def _piles(given: Sequence[Sequence[str]] | Mapping[str, Sequence[str]], size: int) -> list[Sequence[str]]:
    if not isinstance(given, Mapping):
        return list(given)
    indices = {_index(cell, size): cards for cell, cards in given.items()}
    return [indices.get(cell, []) for cell in range(max([size**2, *(index + 1 for index in indices)]))]


def zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a complete state where cards lie, with its path and its cards."""
    for name in ("deck", "infirmary", "trench"):
        for colour, cards in state[name].items():
            yield (name, colour), cards
    yield ("dead",), state["dead"]
    for cell, pile in enumerate(state["piles"]):
        yield ("piles", cell), pile
    for place, soldier in enumerate(state["soldiers"]):
        yield ("soldiers", place), [soldier["card"]]
        if soldier["carries"] is not None:
            yield ("soldiers", place, "carries"), [soldier["carries"]]


def census(state: Mapping[str, Any], pack: Pack) -> dict[str, int]:
    """Return how many of each card there are; hidden places that hold all cards not seen count as those cards."""
    counts: dict[str, int] = {}
    for _, cards in zones(state):
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
    unseen = [card for card in pack.codes[:-1] if card not in counts]
    if state["view"] is not None and counts.get(HIDDEN, 0) == len(unseen):
        counts.pop(HIDDEN, None)
        counts.update(dict.fromkeys(unseen, 1))
    return counts
