"""Shells, how likely they hit, what follows a half-turn, the withdrawal, the end, and the score (6, 7, 9)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from rules.core.race import Hazard
from rules.core.scripts import Asking, Exploring, every_way
from rules.core.steps import ChanceOutcome
from rules.trench_rescue.half_turn import Barrage, HalfTurn
from rules.trench_rescue.rulings import Rulings
from rules.trench_rescue.state import OVER, PLAY, WITHDRAW, Soldier, Table


def is_first_half(half: HalfTurn) -> bool:
    """Return whether the other player still has a half-turn in this turn (1.7)."""
    return half.table.players > 1 and half.to_move == half.starter


def shells_due(half: HalfTurn) -> int:
    """Return how many shells fall if the half-turn ends now (6.1, 6.2)."""
    if is_first_half(half) and not half.rulings.after_each:
        return 0
    return _shells(half) if _shelled(half) else 0


def _shelled(half: HalfTurn) -> bool:
    """Return whether there are shells at all after this half-turn (15, TR-Q19)."""
    rulings = half.rulings
    last = half.phase == PLAY and half.turn >= rulings.turn_limit
    return rulings.shells_fall and (rulings.last_barrage or not last)


def _shells(half: HalfTurn) -> int:
    """Return the number of shells for those who stand on the field now (6.2, TR-Q16, TR-Q26)."""
    counted = half.own_soldiers(half.to_move) if half.rulings.own_counted else half.soldiers
    n = len(counted)
    return max(n // 2, int(half.rulings.min_one_shell and n > 0))


def begin_barrage(half: HalfTurn) -> bool:
    """Begin the barrage after a half-turn, if one is due; return whether nothing of it is left (6)."""
    half.fresh = []
    half.moved = set()
    shells = shells_due(half)
    if is_first_half(half) and not half.rulings.after_each:
        return True
    half.emit("6.2", "barrage" if shells else "quiet", soldiers=len(half.soldiers), shells=shells)
    if shells:
        half.barrage = Barrage(shells, 0)
    return not shells


def drop_shell(half: HalfTurn) -> bool:
    """Let one shell of the barrage fall; return whether it was the last (6.3 to 6.7).

    Raises:
        LookupError: no barrage is under way.
    """
    if half.barrage is None:
        raise LookupError("no barrage is under way")
    rulings = half.rulings
    if rulings.shells_open:
        a, b, cell = rulings.shell(half.size, half.shells)
        half.shells = rulings.next_shell(half.shells)
        half.emit("6.3", "shell", rolls=(a, b), cell=half.cell_text(cell))
        _hit(half, cell)
    else:
        hidden = half.shell_cell()
        if hidden is not None:
            half.emit("6.3", "shell", rolls=None, cell=half.cell_text(hidden))
            _hit(half, hidden)
        else:
            half.emit("6.7", "misses")
    fallen = half.barrage.fallen + 1
    due = _shells(half) if rulings.shell_recount else half.barrage.shells
    half.barrage = Barrage(half.barrage.shells, fallen) if fallen < due else None
    return half.barrage is None


def _hit(half: HalfTurn, cell: int) -> None:
    """Hit everybody in a cell (6.5, 6.6, TR-Q21)."""
    hit = [soldier for soldier in half.soldiers if soldier.cell == cell]
    if not hit:
        half.emit("6.7", "misses")
        return
    for soldier in hit:
        half.leave(soldier)
    carried = [soldier.carries for soldier in hit if soldier.carries is not None]
    cards = [soldier.card for soldier in hit]
    if half.phase == WITHDRAW and half.rulings.withdrawal_kills:
        _die(half, [*carried, *cards])
        half.emit("TR-Q21", "killed", cards=half.codes(cards), cell=half.cell_text(cell))
        return
    half.piles[cell] = (*half.piles[cell], *carried, *cards)
    half.emit("6.5", "hit", cards=half.codes(cards), cell=half.cell_text(cell))


def _die(half: HalfTurn, cards: list[int]) -> None:
    for card in cards:
        insort(half.dead, card)


def end_turn(half: HalfTurn) -> bool:
    """Pass the move, begin the next turn, or end a phase (4.0.4, 7); return that the half-turn is over."""
    if is_first_half(half):
        half.to_move = 1 - half.to_move
    elif half.phase == PLAY and half.turn < half.rulings.turn_limit:
        _next_turn(half)
    elif half.phase == PLAY:
        _last_turn(half)
    elif half.soldiers:
        _next_turn(half)
    else:
        _wounded_die(half)
        _over(half)
    return True


def _next_turn(half: HalfTurn) -> None:
    """Begin the next turn (7.1, TR-Q3)."""
    half.turn += 1
    if half.rulings.alternate:
        half.starter = 1 - half.starter
    half.to_move = half.starter
    half.emit("7.1", "turn", turn=half.turn)


def _last_turn(half: HalfTurn) -> None:
    """Let the wounded die, and end the game or begin the withdrawal (7.2, TR-Q20)."""
    _wounded_die(half)
    if half.soldiers and half.rulings.withdrawal == "instant":
        for soldier in half.soldiers:
            insort(half.trench[half.pack.colour[soldier.card]], soldier.card)
        half.emit("TR-Q20", "comes_home", cards=half.codes([soldier.card for soldier in half.soldiers]))
        half.soldiers = []
    if half.soldiers:
        half.phase = WITHDRAW
        half.emit("7.2", "withdrawal")
        _next_turn(half)
    else:
        _over(half)


def _wounded_die(half: HalfTurn) -> None:
    """Take every wounded card on the field, carried or not, out of the game (7.2)."""
    lost = [card for pile in half.piles for card in pile]
    lost.extend(soldier.carries for soldier in half.soldiers if soldier.carries is not None)
    if not lost:
        return
    half.piles = [()] * len(half.piles)
    half.soldiers = [Soldier(soldier.card, None, soldier.cell) for soldier in half.soldiers]
    _die(half, lost)
    half.emit("7.2", "wounded_die", cards=half.codes(sorted(lost)))


def _over(half: HalfTurn) -> None:
    half.phase = OVER
    half.to_move = half.starter
    half.emit("7.4", "over")


def score(rulings: Rulings, table: Table, colour: int) -> int:
    """Return a player's score in cards (7.4, TR-Q22)."""
    if rulings.score == "rescued":
        return table.carried_home[colour]
    home = len(table.trench[colour]) + len(table.infirmary[colour])
    return home if rulings.score == "home" else home + len(table.deck[colour])


def gain(rulings: Rulings, table: Table, colour: int) -> int:
    """Return the score less what a deal leaves beside the field; with another score than the total, the score (7.4)."""
    if rulings.score != "total":
        return score(rulings, table, colour)
    return score(rulings, table, colour) - (len(rulings.pack.of_colour[colour]) - rulings.laid[table.size])


Node: TypeAlias = tuple[Table, Barrage | None]
"""A table in the middle of a barrage, or after it."""


def after_barrage(rulings: Rulings, table: Table) -> dict[Table, Fraction]:
    """Return what the shells make of a table whose half-turn ends now, before anything else follows."""
    opening = HalfTurn(rulings, table, Asking(()))
    begin_barrage(opening)
    layer: dict[Node, Fraction] = {(opening.frozen(), opening.barrage): Fraction(1)}
    done: dict[Table, Fraction] = {}
    while layer:
        following: dict[Node, Fraction] = {}
        for (here, barrage), chance in layer.items():
            if barrage is None:
                done[here] = done.get(here, Fraction(0)) + chance
                continue
            for node, part in _after_shell(rulings, here, barrage):
                following[node] = following.get(node, Fraction(0)) + chance * part
        layer = following
    return done


def _after_shell(rulings: Rulings, table: Table, barrage: Barrage) -> Iterator[tuple[Node, Fraction]]:
    """Yield what one shell may lead to, with its chance."""
    for script in every_way(Exploring):
        half = HalfTurn(rulings, table, script, barrage)
        drop_shell(half)
        taken = [step for step in script.steps if isinstance(step, ChanceOutcome)]
        yield (half.frozen(), half.barrage), taken[0].probability if taken else Fraction(1)


def hazards(rulings: Rulings, table: Table, colour: int) -> list[Hazard]:
    """Return the chance of every soldier of a colour to be hit if all half-turns of this turn end now.

    With shells after each half-turn only the next barrage counts.
    """
    half = HalfTurn(rulings, table, Asking(()))
    own = [soldier.card for soldier in half.own_soldiers(colour)]
    chances = dict.fromkeys(own, Fraction(0))
    if is_first_half(half) and not rulings.after_each:
        table = table._replace(to_move=1 - table.to_move)
    for after, chance in after_barrage(rulings, table).items():
        standing = {soldier.card for soldier in after.soldiers}
        for card in own:
            if card not in standing:
                chances[card] += chance
    ordered = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Hazard(half.code(card), "is hit", "6.5", chance) for card, chance in ordered]
