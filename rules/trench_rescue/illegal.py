"""Why a move is not open: the rule that forbids it, the reason, and what is open instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from rules.core.errors import IllegalMoveError, OpenQuestion, Reason
from rules.core.scripts import Asking, asked_by
from rules.core.steps import CHANCE, Step
from rules.core.turns import State
from rules.trench_rescue.actions import END, HOME, cards_move, end_forbidden, entry_cell, sees
from rules.trench_rescue.half_turn import HalfTurn, read_cell
from rules.trench_rescue.state import PLAY, Soldier, Table
from rules.trench_rescue.turn import HalfTurns

CHANCE_HEADS: Final = ("cards", "deck", "shells")
"""First words of the outcomes of chance."""


class Decision(OpenQuestion):
    """What is to be decided at one point of a half-turn, and the table as it is then."""

    def __init__(self, half: HalfTurn, actor: int, options: Sequence[Step]) -> None:
        super().__init__(actor, [option.text for option in options])
        self.half = half
        self.mover = half.colour_name(half.to_move)

    def on_field(self, card: int) -> Soldier | None:
        """Return the soldier with this card."""
        return next((soldier for soldier in self.half.soldiers if soldier.card == card), None)

    def moved(self, card: int) -> Reason | None:
        """Return that a soldier has used its move (4.0.2, 4.0.3)."""
        if card not in self.half.moved:
            return None
        return Reason("4.0.2", f"{self.half.code(card)} has moved in this half-turn, or has only just arrived")


def why_illegal(game: HalfTurns, state: State[Table], text: str) -> IllegalMoveError | None:
    """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game."""
    head, *rest = text.split() or [""]
    shape = _SHAPES.get(head)
    if shape is None or not shape[0] <= len(rest) <= shape[1]:
        return None
    outcome = game.outcome(state.table)
    if outcome is not None:
        return IllegalMoveError(text, outcome.rule, "the game is over")
    reason = _reason(_decision(game, state), head, rest)
    return IllegalMoveError(text, reason.rule, reason.text)


def _decision(game: HalfTurns, state: State[Table]) -> Decision:
    half = HalfTurn(game.rulings, state.table, Asking(state.pending))
    question = asked_by(partial(game.run, half))
    return Decision(half, question.actor, question.options)


def _reason(decision: Decision, head: str, words: Sequence[str]) -> Reason:
    if head in CHANCE_HEADS or decision.actor == CHANCE:
        return _chance(decision, head)
    if head == "end":
        rule = end_forbidden(decision.half, busy=True)
        return Reason(rule or "4.0.4", f"there are soldiers who still have to move: {decision.open_now()}")
    numbers = decision.half.pack.numbers
    codes = words[0].split("+")
    for code in codes:
        card = numbers.get(code, decision.half.unknown)
        if card == decision.half.unknown:
            return Reason("1.1", f"there is no card '{code}'; cards are written like 7C or TH")
        if decision.half.pack.colour[card] != decision.half.to_move:
            return Reason("4.0.1", f"{code} is no soldier of {decision.mover}, who is to move")
    cards = [numbers[code] for code in codes]
    if sorted(set(cards)) != cards:
        right = "+".join(decision.half.codes(sorted(set(cards))))
        return Reason("1.2", f"a group is named once each in canonical order: {right}")
    return _REASONS[head](decision, cards, words) or Reason(
        "4.4", f"it is not open here; open are {decision.open_now()}"
    )


def _chance(decision: Decision, head: str) -> Reason:
    if decision.actor == CHANCE:
        return Reason("9", f"chance decides here: {decision.open_now()}")
    if head in decision.half.rulings.chance.open:
        return Reason("15", f"'{head}' is open: what it brings is known and never named")
    return Reason("9", f"nothing is drawn, turned up or thrown before {decision.mover} has decided")


def _withdrawal(decision: Decision) -> Reason | None:
    if decision.half.phase == PLAY:
        return None
    return Reason("7.3", "in the withdrawal soldiers only go home")


def _cycle(decision: Decision, cards: Sequence[int], _: Sequence[str]) -> Reason | None:
    return _withdrawal(decision) or _at_home(decision, cards) or decision.moved(cards[0])


def _at_home(decision: Decision, cards: Sequence[int]) -> Reason | None:
    for card in cards:
        if card not in decision.half.trench[decision.half.to_move]:
            return Reason("4.1", f"{decision.half.code(card)} is not in the trench")
    return None


def _enter(decision: Decision, cards: Sequence[int], words: Sequence[str]) -> Reason | None:
    half = decision.half
    if half.phase != PLAY and not half.rulings.withdrawal_trench:
        return Reason("TR-Q24", "soldiers at home stay there during the withdrawal")
    for reason in (_at_home(decision, cards), *(decision.moved(card) for card in cards)):
        if reason:
            return reason
    if len(cards) > 1 and not half.rulings.stack_from_trench:
        return Reason("TR-Q10", "soldiers leave the trench one by one")
    cell = _entry_cell(half, words[1])
    if cell is None:
        return Reason("4.1", f"'{words[1]}' is no cell to enter; front cells are x1 to x{half.size}")
    return Reason(
        "4.2", f"{len(cards)} soldiers come no further than {len(cards)} rows in, and front cells are x1, x2, …"
    )


def _entry_cell(half: HalfTurn, where: str) -> int | None:
    column = where.removeprefix("x")
    if where.startswith("x") and column.isdecimal() and 1 <= int(column) <= half.size:
        return entry_cell(half, where)
    return _cell(half, where)


def _cell(half: HalfTurn, where: str) -> int | None:
    parts = where.split(",")
    if len(parts) != 2 or not all(part.isdecimal() and 1 <= int(part) <= half.size for part in parts):
        return None
    return read_cell(where, half.size)


def _on_field(decision: Decision, card: int) -> Reason | None:
    if decision.on_field(card) is None:
        return Reason("4.1", f"{decision.half.code(card)} is not on the field")
    return None


def _peek(decision: Decision, cards: Sequence[int], words: Sequence[str]) -> Reason | None:
    reason = _withdrawal(decision) or _on_field(decision, cards[0]) or decision.moved(cards[0])
    soldier = decision.on_field(cards[0])
    if reason or soldier is None or sees(decision.half, soldier) is not None:
        return reason
    return Reason("4.1", f"{words[0]} carries nothing to look at, and no wounded lie in its cell")


def _drop(decision: Decision, cards: Sequence[int], words: Sequence[str]) -> Reason | None:
    if not cards_move(decision.half):
        return _withdrawal(decision)
    reason = _on_field(decision, cards[0])
    soldier = decision.on_field(cards[0])
    if reason or soldier is None:
        return reason
    if soldier.carries is None:
        return Reason("4.1", f"{words[0]} carries nothing")
    return Reason("TR-Q9", f"{words[0]} has moved, and only who has not may put a card down")


def _go(decision: Decision, cards: Sequence[int], words: Sequence[str]) -> Reason | None:
    for card in cards:
        reason = _on_field(decision, card) or decision.moved(card)
        if reason:
            return reason
    group = [soldier for soldier in map(decision.on_field, cards) if soldier is not None]
    if len({soldier.cell for soldier in group}) > 1:
        return Reason("4.2", "a stack goes from one cell; these soldiers stand apart")
    return _whole(decision, group) or _load(decision, group, words) or _where(decision, group, words)


def _whole(decision: Decision, group: Sequence[Soldier]) -> Reason | None:
    half = decision.half
    waiting = [s for s in half.own_soldiers(half.to_move) if s.cell == group[0].cell and s.card not in half.moved]
    if not half.rulings.stack_split and len(waiting) > len(group):
        cards = "+".join(half.codes(sorted(soldier.card for soldier in waiting)))
        return Reason("TR-Q11", f"all of a cell go together: {cards}")
    return None


def _load(decision: Decision, group: Sequence[Soldier], words: Sequence[str]) -> Reason | None:
    half = decision.half
    carriers = [soldier for soldier in group if soldier.carries is not None]
    if len(carriers) > 1:
        return Reason("4.2", "only one of a stack may carry a card")
    if "take" not in words[2:]:
        return None
    cell = group[0].cell
    if carriers:
        return Reason("4.2", f"{half.code(carriers[0].card)} carries a card already")
    if not cards_move(half):
        return Reason("7.3", "in the withdrawal nothing is carried")
    if not half.piles[cell]:
        return Reason("4.2", f"no wounded lie in {half.cell_text(cell)}")
    if (cell, len(half.piles[cell]) - 1) in half.fresh:
        return Reason(
            "4.3", f"the top card of {half.cell_text(cell)} was carried there in this half-turn and has to wait"
        )
    return None


def _where(decision: Decision, group: Sequence[Soldier], words: Sequence[str]) -> Reason | None:
    half, where, k = decision.half, words[1], len(group)
    cell = group[0].cell
    rows = half.home_distance(half.to_move, cell)
    spaces = f"{k} space{'' if k == 1 else 's'}"
    if where == HOME:
        if rows > k:
            return Reason("4.2", f"home is {rows} spaces away, and {k} soldiers together go {spaces} at most")
    else:
        other = _cell(half, where)
        if other is None:
            return Reason(
                "4.2", f"'{where}' is no cell of the field; cells are 1,1 to {half.size},{half.size}, or home"
            )
        if other == cell:
            return Reason("TR-Q12", "a card is not picked up without moving, and nobody moves without going anywhere")
        if half.distance(cell, other) > k:
            away = half.distance(cell, other)
            return Reason("4.2", f"{where} is {away} spaces away, and {k} soldiers together go {spaces} at most")
        if half.phase != PLAY and half.home_distance(half.to_move, other) >= rows:
            return Reason("7.3", "in the withdrawal every step must lead nearer to the own trench")
    if "by" in words or (half.rulings.carrier_chosen and k > 1):
        return Reason("TR-Q13", f"who carries is not for this move to name so: {decision.open_now()}")
    return None


_REASONS: Final[Mapping[str, Callable[[Decision, Sequence[int], Sequence[str]], Reason | None]]] = {
    "cycle": _cycle,
    "enter": _enter,
    "peek": _peek,
    "go": _go,
    "drop": _drop,
}
_SHAPES: Final[Mapping[str, tuple[int, int]]] = {
    "cycle": (1, 1),
    "enter": (2, 2),
    "peek": (1, 1),
    "go": (2, 5),
    "drop": (1, 1),
    END.text: (0, 0),
    **dict.fromkeys(CHANCE_HEADS, (1, 1)),
}
"""The words after the first one, at least and at most, of every kind of move and outcome."""
