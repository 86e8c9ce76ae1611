"""Sentences for what the rules did, and the table at a glance: plain, in the present tense, with names and numbers.

Most sentences about a player begin with the verb, since who it is about is the event's ``seat``; ``sentence`` puts the
player in front where there are several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from rules.core.errors import counted, joined, with_copies
from rules.core.scripts import Asking
from rules.core.steps import Event
from rules.core.unknown import UNKNOWN, in_words
from rules.iditacards.content import CONDITIONS, Content, Rulings
from rules.iditacards.seat import cancelled_by, speed, speed_parts
from rules.iditacards.state import Frame, Player, Table, dog_text
from rules.iditacards.turn import Turn


class Telling:
    """An event's data with ids turned into names, as the sentences of the catalogue ask for them."""

    def __init__(self, content: Content, data: Mapping[str, Any]) -> None:
        self.content = content
        self.data = data

    def __getitem__(self, key: str) -> Any:
        """Return a value of the event; a number or word as it is."""
        return self.data[key]

    def card(self, key: str = "card") -> str:
        """Return the name of the card under ``key``."""
        return self.name(self.data[key])

    def cards(self, key: str = "cards") -> str:
        """Return the names of the cards under ``key`` in one list, equal ones counted."""
        counted = Counter(self.data[key])
        unknown = counted.pop(UNKNOWN, 0)
        names = [self.name(card) if n == 1 else f"{n} {self.name(card)}" for card, n in sorted(counted.items())]
        return joined([*names, f"{unknown} unknown card{'s' if unknown > 1 else ''}"] if unknown else names)

    def leg(self) -> str:
        """Return the name of the leg under ``leg``."""
        return self.name(self.data["leg"])

    def player(self) -> str:
        """Return the player under ``other``."""
        return player(self.data["other"])

    def name(self, source: str) -> str:
        """Return the name of a card or leg; weather and conditions have none but their own word."""
        if source in self.content.cards:
            return self.content.cards[source].name
        return self.content.legs[source].name if source in self.content.legs else source

    def parts(self) -> str:
        """Return the parts of the speed after a colon, where the speed is nothing but their sum."""
        parts: dict[str, int] = {}
        for source, n in self.data["parts"]:
            parts[source] = parts.get(source, 0) + n
        if not parts or sum(parts.values()) != self.data["speed"]:
            return ""
        return f": {', '.join(speed_part(self.name(source), n) for source, n in parts.items())}"


Sentence = str | Callable[[Telling], str]
"""A sentence, or how to make one out of what an event says."""


_NOUNS: Final = ("automatic move ", "space ")
"""How sentences begin that have no verb."""


def _said(sentence: Sentence, told: Telling) -> str:
    return sentence if isinstance(sentence, str) else sentence(told)


def player(seat: int) -> str:
    """Return what a player is called."""
    return f"player {seat}"


def speed_part(name: str, n: int) -> str:
    """Return what something adds to a speed, or takes from it."""
    return f"{name} {n:+}"


def _moves(told: Telling) -> str:
    twice = ", twice that" if told["double"] else ""
    sums = f"{told['n']} + speed {told['speed']}{told.parts()}{twice}"
    spaces, limits = _limited(told)
    return f"moves {'back ' if told['back'] and spaces else ''}{counted(spaces, 'space')} ({sums}{limits})"


def _auto_moves(told: Telling) -> str:
    base = f"{told['n']} + " if told["n"] else ""
    sums = f"{base}speed {told['speed']}{told.parts()}"
    if told["leg"] is not None:
        sums = f"as every move on {told.leg()}"
    spaces, limits = _limited(told)
    back = "back " if told["back"] and spaces else ""
    why = ", because of both conditions" if back and told["ill"] else ""
    return f"automatic move {back}{spaces} ({sums}{limits}{why})"


def _limited(told: Telling) -> tuple[int, str]:
    """Return the spaces of a move, and what keeps it from being as far as its sum."""
    distance, start = told["distance"], told["start"]
    if told["back"] and distance > start:
        return start, ", no further back than the start"
    return distance, ", never below 0" if told["total"] < 0 and not distance else ""


def _moved(told: Telling) -> str:
    start, end = told["start"], told["end"]
    return f"stays on space {end}" if start == end else f"space {start} → {end}"


def _fails(told: Telling) -> str:
    return f"fails to pay for {told.card()}: {_said(_FAILURES[told['why']], told)}"


_FAILURES: Final[Mapping[str, Sentence]] = {
    "energy": lambda told: f"its energy is {counted(told['cost'], 'card')}, more than the hand can give",
    "health": lambda told: f"its health is {counted(told['cost'], 'card')}, more than the deck has",
    "damage": lambda told: f"a damage card comes up for its health of {told['cost']}",
    "no_risk_card": "the deck is empty and a risk card is due",
    "damage_as_risk": "it is no risk card here",
    "damage_for_energy": "a damage card pays no energy",
    "damage_in_hand": "all cards must pay and a damage card is in the hand",
}
"""The end of a ``fails`` sentence, by reason."""


def _resolves(told: Telling) -> str:
    return f"resolves {told.card()}{' twice' if told['times'] == 2 else ''}"


def _recovers(told: Telling) -> str:
    parts = [f"{told.cards(zone)} to the {zone}" for zone in ("hand", "deck") if told[zone]]
    return f"recovers {joined(parts)}"


def _sorts_out(told: Telling) -> str:
    parts = [f"destroys {told.cards('destroyed')}"] if told["destroyed"] else []
    parts += [f"keeps {told.cards('kept')}"] if told["kept"] else []
    parts += [f"discards {told.cards('discarded')}"] if told["discarded"] else []
    parts += [f"puts {told.cards('deck')} back into the deck"] if told["deck"] else []
    return joined(parts) if parts else "has nothing to sort out"


def _dog_dies(told: Telling) -> str:
    zone = "out of the game" if told["zone"] == "destroyed" else f"it goes to the {_ZONES[told['zone']]}"
    off = f"; {told.cards('attachments')} to the discard pile" if told["attachments"] else ""
    return f"loses {told.card('dog')}, {zone}{off}"


def _attached(told: Telling) -> str:
    replacing = f" in the place of {told.card('replacing')}" if told["replacing"] else ""
    return f"attaches {told.card()} to {told.card('dog')}{replacing}"


def _puts_together(told: Telling) -> str:
    abandoned = f", {told.cards('abandoned')} abandoned" if told["abandoned"] else ""
    return f"shuffles all {counted(told['cards'], 'card')} into a new deck{abandoned}"


def _free_cost(told: Telling) -> str:
    when = "for the rest of the day" if told["until"] == "day_end" else "on the next turn"
    return f"pays no {told['cost']} {when}"


def _cannot_move(told: Telling) -> str:
    return f"cannot move: {_BLOCKS.get(told['by']) or told.name(told['by'])}"


_ZONES: Final = {"discard": "discard pile", "hand": "hand", "deck": "deck"}
"""Zones as they are called at the table."""
_BLOCKS: Final = {
    "freeze": "everybody is frozen to the spot",
    "hypothermia": "too much hypothermia",
    "starvation": "too much starvation",
}
"""What keeps a player from moving, where it is not the weather."""

SENTENCES: Final[Mapping[str, Sentence]] = {
    # The turn
    "plays": lambda told: f"plays {told.card()}",
    "passes_turn": "does nothing",
    "sacrifice": lambda told: f"sacrifices {told.card('dog')}",
    "remove": lambda told: f"takes {told.card()} off {told.card('dog')}",
    "second_step": lambda told: f"takes the second step of {told.card()}",
    # Costs and risk
    "on_table": lambda told: f"puts {told.card()} on the table, {told['condition']} {told['value']} now",
    "pays_energy": lambda told: f"pays energy with {told.cards()}",
    "pays_health": lambda told: f"pays health with {told.cards()} from the deck",
    "fails": _fails,
    "fizzles": lambda told: f"loses {told.cards()} without effect",
    "waits": lambda told: f"leaves {told.card()} waiting for {counted(told['need'], 'risk card')}",
    "leg_fizzles": lambda told: f"cannot take risks on {told.leg()}",
    "risk_card": lambda told: f"turns up {told.card()} as a risk card for {told.card('root')}",
    "risk_paid": lambda told: f"has every risk card for {told.card()}",
    "resolves": _resolves,
    "no_effect": lambda told: f"gets nothing out of {told.card()}: {told.name(told['by'])}",
    "completes": lambda told: f"is done with {told.card()}",
    "price_unpaid": "does not pay with a dog, so the rest of the card is left out",
    "free_cost": _free_cost,
    # Cards
    "draws": lambda told: f"draws {told.cards()}",
    "recovers": _recovers,
    "shuffles": lambda told: f"shuffles a deck of {counted(told['cards'], 'card')}",
    "destroys": lambda told: f"destroys {told.cards()}",
    "looks": lambda told: f"looks at {told.cards()}",
    "sees": lambda told: f"sets {told.cards()} aside for the next turn",
    "sorts_out": _sorts_out,
    "takes": lambda told: f"takes {told.cards()} into the {_ZONES[told['zone']]}",
    "supply_grows": lambda told: f"adds {told.cards()} to the supply",
    "stop": "discards a damage card, which ends the action",
    "damage": lambda told: f"takes {told['n'] or 'no'} damage{'' if told['n'] else ', as none is left'}",
    # Dogs
    "dog_placed": lambda told: f"puts {told.card('dog')} into the team",
    "not_placed": lambda told: f"discards {told.card()}, for which there is no place",
    "dog_dies": _dog_dies,
    "shielded": lambda told: f"discards {told.card()}, which saves {told.card('dog')}",
    "attached": _attached,
    # Moving
    "moves": _moves,
    "auto_moves": _auto_moves,
    "fixed_distance": lambda told: f"moves {counted(told['distance'], 'space')}, as every move on {told.leg()}",
    "moved": _moved,
    "held": "makes no automatic move, with one of the two conditions",
    "cannot_move": _cannot_move,
    "freezes": "stops everybody from moving until the next new day",
    "passes": lambda told: f"passes {told.player()} on space {told['pos']} and pushes them back",
    "falls_behind": lambda told: f"falls behind {told.player()} on space {told['pos']} and goes 1 space further back",
    "enters": lambda told: f"enters {told.leg()} on space {told['pos']}",
    "toll": lambda told: f"discards {told.cards()} from the deck on entering",
    "checkpoint": lambda told: f"passes the checkpoint on space {told['pos']}",
    "legendary": lambda told: f"puts the legendary {told.card()} into the {_ZONES[told['zone']]}",
    "finishes": lambda told: f"reaches the finish on space {told['pos']}",
    "over": "the race is over",
    # Conditions
    "gains": lambda told: f"gains {told['n']} {told['condition']}, {told['value']} now",
    "loses": lambda told: f"loses {told['n']} {told['condition']}, {told['value']} now",
    "cleared": lambda told: f"has no {told['condition']} any more",
    "no_gain": lambda told: f"gains no {told['condition']} on {told.leg()}",
    "leg_condition": lambda told: f"has {told['value']} {told['condition']} from {told.leg()}",
    "to_leg": lambda told: f"has at least the {told['condition']} of the leg, {told['value']} now",
    "dies": lambda told: f"dies and is carried back, space {told['start']} → {told['end']}",
    "immune": "is immune for the rest of the day",
    # Days
    "calls_new_day": "calls a new day",
    "joins": "joins the new day",
    "stays": "stays out of the new day",
    "empty_day_end": lambda told: f"moves for {told.card()}, with an empty hand and deck",
    "leg_kills": lambda told: f"must give up a dog on {told.leg()}",
    "puts_together": _puts_together,
    "day_begins": lambda told: f"begins day {told['day']}",
    "weather": lambda told: f"the weather is {told['face']}",
    "supply_emptied": lambda told: f"the weather destroys the supply: {told.cards()}",
}
"""The sentence of each kind of event."""


def sentence(content: Content, event: Event, *, several: bool = False) -> str:
    """Return an event in one plain sentence without a full stop; with ``several`` players it says whose it is."""
    told = _said(SENTENCES[event.kind], Telling(content, event.data))
    if not several or "seat" not in event.data:
        return told
    return f"{player(event.data['seat'])}{':' if told.startswith(_NOUNS) else ''} {told}"


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
        "plays on unseen" if player.unseen else "",
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
        ("hand", in_words(player.hand)),
        ("deck", _deck(rulings.deck_open, player)),
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


def _deck(is_open: bool, player: Player) -> str:
    deck, known = player.deck, player.known
    size = len(deck) - player.hand.count(UNKNOWN)
    if not deck:
        return "empty"
    count = f"{size} card{'' if size == 1 else 's'}"
    if is_open:
        return f"{count}, top first: {', '.join(deck)}"
    top = f", known on top: {', '.join(deck[:known])}" if known else ""
    if len(deck) > size:
        return f"{count}{top}; hand and deck have in unknown order: {with_copies(deck[known:])}"
    return f"{count}{top}, in unknown order: {with_copies(deck[known:])}" if size > known else f"{count}{top}"
