"""What a player sees on the table, as a few labelled lines for people; empty zones and zero counters are left out."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.scripts import Asking
from rules.core.wording import with_copies
from rules.iditacards.moves import dog_text
from rules.iditacards.rulings import CONDITIONS, Rulings
from rules.iditacards.speed import cancelled_by, speed, speed_parts
from rules.iditacards.state import Frame, Player, Table
from rules.iditacards.turn import Turn
from rules.iditacards.words import speed_part


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table at a turn boundary as pairs of label and text, shared things first, then seat by seat."""
    rows = [("weather", table.weather), ("supply", with_copies(table.supply))]
    if table.freeze:
        rows.append(("freeze", "nobody moves until the day ends"))
    alone = len(table.players) == 1
    for seat, player in enumerate(table.players):
        if not alone:
            rows.append(("player", f"{seat}, to act" if seat == table.active and not table.over else str(seat)))
        rows.extend(_player(rulings, table, seat, player))
    return [(label, text) for label, text in rows if text]


def _player(rulings: Rulings, table: Table, seat: int, player: Player) -> list[tuple[str, str]]:
    track = rulings.track(table.legs)
    leg = track[player.pos] if player.pos < len(track) else None
    place = f"{player.pos} on {leg.id}" if leg is not None else str(player.pos)
    counters = [(kind, str(getattr(player, kind) or "")) for kind in CONDITIONS]
    marks = [
        "finished" if player.finished else "",
        "immune today" if player.immune else "",
        "has moved today" if player.moved else "",
        f"energy is free ({player.free_energy})" if player.free_energy != "no" else "",
        f"health is free ({player.free_health})" if player.free_health != "no" else "",
        f"ate {with_copies(player.foods)}" if player.foods else "",
        f"{player.personal} personal cards today" if player.personal else "",
    ]
    return [
        ("space", place),
        ("speed", _speed(rulings, table, seat)),
        ("clock", f"turn {player.turns + 1}, day {player.days}"),
        *counters,
        ("today", "; ".join(mark for mark in marks if mark)),
        ("dogs", ", ".join(dog_text(dog) for dog in player.dogs)),
        ("stack", ", ".join(_frame(frame) for frame in player.stack)),
        ("resolved", with_copies(player.resolved)),
        ("set aside", with_copies(player.seen)),
        ("hand", with_copies(player.hand) or "empty"),
        ("deck", _deck(rulings.deck_open, player.deck, player.known)),
        ("discard", with_copies(player.discard)),
        ("legendary", with_copies(player.legendary)),
    ]


def _speed(rulings: Rulings, table: Table, seat: int) -> str:
    turn = Turn(rulings, table, Asking(()))
    owner = turn.seats[seat]
    parts = ", ".join(speed_part(part.source, part.n) for part in speed_parts(turn, owner))
    cancelled = cancelled_by(turn, owner)
    told = "; ".join(text for text in (parts, f"bonuses cancelled by {cancelled}" if cancelled else "") if text)
    return f"{speed(turn, owner)} ({told})" if told else str(speed(turn, owner))


def _frame(frame: Frame) -> str:
    if frame.step == "second":
        return f"{frame.card} waits for its second step"
    if not frame.need:  # what it needs is told with its costs
        return f"{frame.card} is being played"
    return f"{frame.card} has {frame.paid} of {frame.need} risk card{'s' if frame.need > 1 else ''}"


def _deck(is_open: bool, deck: Sequence[str], known: int) -> str:
    if not deck:
        return "empty"
    count = f"{len(deck)} card{'s' if len(deck) > 1 else ''}"
    if is_open:
        return f"{count}, top first: {', '.join(deck)}"
    top = f", known on top: {', '.join(deck[:known])}" if known else ""
    return f"{count}{top}, in unknown order: {with_copies(deck[known:])}" if len(deck) > known else f"{count}{top}"
