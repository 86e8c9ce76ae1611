"""Why a move is not open: the rule that forbids it, the reason, and what is open instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from rules.core.errors import IllegalMoveError, OpenQuestion, Reason
from rules.core.scripts import Asking, asked_by
from rules.core.steps import CHANCE
from rules.core.turns import State
from rules.trench_rescue.actions import END, HOME, cards_move, end_forbidden, sees
from rules.trench_rescue.half_turn import HalfTurn, read_cell
from rules.trench_rescue.state import PLAY, Soldier, Table
from rules.trench_rescue.turn import HalfTurns

CHANCE_HEADS: Final = ("cards", "deck", "shells")
"""First words of the outcomes of chance."""
Reasons: TypeAlias = Iterator[Reason]
"""What forbids a move, the first thing first."""


def why_illegal(game: HalfTurns, state: State[Table], text: str) -> IllegalMoveError | None:
    """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game."""
    head, *rest = text.split() or [""]
    shape = _SHAPES.get(head)
    if shape is None or not shape[0] <= len(rest) <= shape[1]:
        return None
    outcome = game.outcome(state.table)
    if outcome is not None:
        return IllegalMoveError(text, outcome.rule, "the game is over")
    half = HalfTurn(game.rulings, state.table, Asking(state.pending))
    question = asked_by(partial(game.run, half))
    decision = OpenQuestion(question.actor, [option.text for option in question.options])
    reason = next(_reasons(half, decision, head, rest))
    return IllegalMoveError(text, reason.rule, reason.text)


def _reasons(half: HalfTurn, decision: OpenQuestion, head: str, words: Sequence[str]) -> Reasons:
    mover, numbers = half.colour_name(half.to_move), half.pack.numbers
    if decision.actor == CHANCE:
        yield Reason("9", f"chance decides here: {decision.open_now()}")
    if head in half.rulings.chance.open:
        yield Reason("15", f"'{head}' is open: what it brings is known and never named")
    if head in CHANCE_HEADS:
        yield Reason("9", f"nothing is drawn, turned up or thrown before {mover} has decided")
    if head == END.text:
        rule = end_forbidden(half, busy=True)
        yield Reason(rule or "4.0.4", f"there are soldiers who still have to move: {decision.open_now()}")
    codes = words[0].split("+")
    for code in codes:
        card = numbers.get(code, half.unknown)
        if card == half.unknown:
            yield Reason("1.1", f"there is no card '{code}'; cards are written like 7C or TH")
        if half.pack.colour[card] != half.to_move:
            yield Reason("4.0.1", f"{code} is no soldier of {mover}, who is to move")
    cards = [numbers[code] for code in codes]
    ordered = sorted(set(cards))
    if ordered != cards:
        yield Reason("1.2", f"a group is named once each in canonical order: {'+'.join(half.codes(ordered))}")
    yield from _REASONS[head](half, cards, words)
    if head == "go" and ("by" in words or (half.rulings.carrier_chosen and len(cards) > 1)):
        yield Reason("TR-Q13", f"who carries is not for this move to name so: {decision.open_now()}")
    yield Reason("4.4", f"it is not open here; open are {decision.open_now()}")


def _withdrawal(half: HalfTurn) -> Reasons:
    if half.phase != PLAY:
        yield Reason("7.3", "in the withdrawal soldiers only go home")


def _at_home(half: HalfTurn, cards: Sequence[int]) -> Reasons:
    for card in cards:
        if card not in half.trench[half.to_move]:
            yield Reason("4.1", f"{half.code(card)} is not in the trench")


def _on_field(half: HalfTurn, card: int) -> Reasons:
    if card not in {soldier.card for soldier in half.soldiers}:
        yield Reason("4.1", f"{half.code(card)} is not on the field")


def _moved(half: HalfTurn, card: int) -> Reasons:
    if card in half.moved:
        yield Reason("4.0.2", f"{half.code(card)} has moved in this half-turn, or has only just arrived")


def _cycle(half: HalfTurn, cards: Sequence[int], _: Sequence[str]) -> Reasons:
    yield from _withdrawal(half)
    yield from _at_home(half, cards)
    yield from _moved(half, cards[0])


def _enter(half: HalfTurn, cards: Sequence[int], words: Sequence[str]) -> Reasons:
    if half.phase != PLAY and not half.rulings.withdrawal_trench:
        yield Reason("TR-Q24", "soldiers at home stay there during the withdrawal")
    yield from _at_home(half, cards)
    for card in cards:
        yield from _moved(half, card)
    if len(cards) > 1 and not half.rulings.stack_from_trench:
        yield Reason("TR-Q10", "soldiers leave the trench one by one")
    column = words[1].removeprefix("x")
    if _cell(half, f"{column},1" if words[1].startswith("x") else words[1]) is None:
        yield Reason("4.1", f"'{words[1]}' is no cell to enter; front cells are x1 to x{half.size}")
    far = f"{len(cards)} soldiers come no further than {len(cards)} rows in"
    yield Reason("4.2", f"{far}, and front cells are x1, x2, …")


def _cell(half: HalfTurn, where: str) -> int | None:
    parts = where.split(",")
    if len(parts) != 2 or not all(part.isdecimal() and 1 <= int(part) <= half.size for part in parts):
        return None
    return read_cell(where, half.size)


def _soldiers(half: HalfTurn, cards: Sequence[int]) -> list[Soldier]:
    return [next(soldier for soldier in half.soldiers if soldier.card == card) for card in cards]


def _peek(half: HalfTurn, cards: Sequence[int], words: Sequence[str]) -> Reasons:
    yield from _withdrawal(half)
    yield from _on_field(half, cards[0])
    yield from _moved(half, cards[0])
    if sees(half, *_soldiers(half, cards[:1])) is None:
        yield Reason("4.1", f"{words[0]} carries nothing to look at, and no wounded lie in its cell")


def _drop(half: HalfTurn, cards: Sequence[int], words: Sequence[str]) -> Reasons:
    if not cards_move(half):
        yield from _withdrawal(half)
    yield from _on_field(half, cards[0])
    if _soldiers(half, cards)[0].carries is None:
        yield Reason("4.1", f"{words[0]} carries nothing")
    yield Reason("TR-Q9", f"{words[0]} has moved, and only who has not may put a card down")


def _go(half: HalfTurn, cards: Sequence[int], words: Sequence[str]) -> Reasons:
    for card in cards:
        yield from _on_field(half, card)
        yield from _moved(half, card)
    group = _soldiers(half, cards)
    cell = group[0].cell
    if len({soldier.cell for soldier in group}) > 1:
        yield Reason("4.2", "a stack goes from one cell; these soldiers stand apart")
    waiting = [s.card for s in half.own_soldiers(half.to_move) if s.cell == cell and s.card not in half.moved]
    if not half.rulings.stack_split and len(waiting) > len(group):
        yield Reason("TR-Q11", f"all of a cell go together: {'+'.join(half.codes(sorted(waiting)))}")
    carriers = [soldier.card for soldier in group if soldier.carries is not None]
    if len(carriers) > 1:
        yield Reason("4.2", "only one of a stack may carry a card")
    if "take" in words[2:]:
        yield from _take(half, cell, carriers)
    yield from _where(half, cell, words[1], len(group))


def _take(half: HalfTurn, cell: int, carriers: Sequence[int]) -> Reasons:
    if carriers:
        yield Reason("4.2", f"{half.code(carriers[0])} carries a card already")
    if not cards_move(half):
        yield Reason("7.3", "in the withdrawal nothing is carried")
    if not half.piles[cell]:
        yield Reason("4.2", f"no wounded lie in {half.cell_text(cell)}")
    if (cell, len(half.piles[cell]) - 1) in half.fresh:
        waits = "was carried there in this half-turn and has to wait"
        yield Reason("4.3", f"the top card of {half.cell_text(cell)} {waits}")


def _where(half: HalfTurn, cell: int, where: str, k: int) -> Reasons:
    rows = half.home_distance(half.to_move, cell)
    reach = f"{k} soldiers together go {k} space{'' if k == 1 else 's'} at most"
    if where == HOME:
        if rows > k:
            yield Reason("4.2", f"home is {rows} spaces away, and {reach}")
        return
    other = _cell(half, where)
    if other is None:
        cells = f"cells are 1,1 to {half.size},{half.size}, or home"
        yield Reason("4.2", f"'{where}' is no cell of the field; {cells}")
        return
    if other == cell:
        yield Reason("TR-Q12", "a card is not picked up without moving, and nobody moves without going anywhere")
    away = half.distance(cell, other)
    if away > k:
        yield Reason("4.2", f"{where} is {away} spaces away, and {reach}")
    if half.phase != PLAY and half.home_distance(half.to_move, other) >= rows:
        yield Reason("7.3", "in the withdrawal every step must lead nearer to the own trench")


_REASONS: Final[Mapping[str, Callable[[HalfTurn, Sequence[int], Sequence[str]], Reasons]]] = {
    "cycle": _cycle,
    "enter": _enter,
    "peek": _peek,
    "go": _go,
    "drop": _drop,
}
_SHAPES: Final[Mapping[str, tuple[int, int]]] = {
    **dict.fromkeys(("cycle", "peek", "drop", *CHANCE_HEADS), (1, 1)),
    "enter": (2, 2),
    "go": (2, 5),
    END.text: (0, 0),
}
"""The words after the first one, at least and at most, of every kind of move and outcome."""
