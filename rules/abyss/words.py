"""Sentences for what the rules did, in the present tense with card names and numbers, and the table in labelled lines.

A sentence about a seat begins with the verb, since who it is about is the event's ``seat``. ``sentence`` puts the seat
in front where there are several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from rules.abyss.content import ACTIONS, Content
from rules.abyss.rulings import Rulings
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, Partner, Pile, Plan, Seat, Table
from rules.core.errors import counted, joined, with_copies
from rules.core.steps import Event

PLACES: Final = {CITY: "the City", ABYSS: "the Abyss"}


class EventWords:
    """An event's data with ids turned into names, as the sentences of the catalogue ask for them."""

    def __init__(self, content: Content, data: Mapping[str, Any]) -> None:
        self.content = content
        self.data = data

    def __getitem__(self, key: str) -> Any:
        """Return a value of the event; a number or word as it is."""
        return self.data[key]

    def card(self, key: str = "card") -> str:
        """Return the name of the card under ``key``."""
        return self.content.cards[self.data[key]].name

    def cards(self, key: str = "cards") -> str:
        """Return the names of the cards under ``key`` in one list, equal ones counted."""
        return _several(self.content.cards[card].name for card in self.data[key])

    def partners(self) -> str:
        """Return the partners under ``partners`` with their HP."""
        return _several(self.partner(partner) for partner in self.data["partners"])

    def partner(self, partner: Partner) -> str:
        """Return a partner with its HP."""
        return f"{self.content.partners[partner.type].name} ({partner.hp} HP)"

    def other(self) -> str:
        """Return the seat under ``other``."""
        return seat_name(self.data["other"])

    def points(self) -> str:
        """Return the AP that there are now."""
        return f"{self.data['ap']} AP now"


Sentence = str | Callable[[EventWords], str]
"""A sentence, or how to make one out of what an event says."""


def _several(names: Iterable[str]) -> str:
    return joined([name if number == 1 else f"{number} {name}" for name, number in Counter(names).items()])


def seat_name(seat: int) -> str:
    """Return what a player is called, counted as on the table."""
    return f"seat {seat + 1}"


def _hires(words: EventWords) -> str:
    parts = [f"{number} {words.content.partners[kind].name}" for kind, number in words["numbers"]]
    parts += [counted(words["temps"], "temporary partner")] if words["temps"] else []
    return f"hires {joined(parts)} for {words['price']} AP, {words.points()}"


def _shows_plan(words: EventWords) -> str:
    plan: Plan = words["plan"]
    text = f"shows {_team(words, plan.card, plan.location)}"
    if plan.temp is None:
        return text
    return f"{text}, and {_team(words, plan.temp.card, plan.temp.location)} for the temporary partners"


def _team(words: EventWords, card: str | None, location: str) -> str:
    return "no card" if card is None else f"{words.content.cards[card].name} in {PLACES[location]}"


def _announces(words: EventWords) -> str:
    text = f"is in {PLACES[words['location']]}"
    return text if words["temp"] is None else f"{text}, the temporary partners in {PLACES[words['temp']]}"


def _changes(unit: str) -> Callable[[EventWords], str]:
    key = unit.lower()

    def text(words: EventWords) -> str:
        verb = "loses" if words["change"] < 0 else "gains"
        return f"{verb} {abs(words['change'])} {unit}, {words[key]} {unit} now"

    return text


def _offers(words: EventWords) -> str:
    return f"offers {words.cards()}" if words["cards"] else f"offers {counted(words['number'], 'card')}"


def _die(words: EventWords) -> str:
    parts = [words.partners()] if words["partners"] else []
    parts += [counted(words["temps"], "temporary partner")] if words["temps"] else []
    return f"loses {joined(parts)} for good"


def _reshuffles(words: EventWords) -> str:
    pile = "Action" if words["pile"] == ACTIONS else "Event"
    return f"the {pile} pile gets its {counted(words['cards'], 'used card')} back"


SENTENCES: Final[Mapping[str, Sentence]] = {
    # Piles and rounds
    "reshuffles": _reshuffles,
    "round": lambda words: f"round {words['round']} begins",
    "wins": "wins",
    "shared": lambda words: f"{joined([seat_name(seat) for seat in words['seats']])} share the victory",
    "limit": lambda words: f"the game ends after {counted(words['rounds'], 'round')}",
    # Preparing and planning
    "gives_up": lambda words: f"gives up {words.cards()}",
    "draws": lambda words: f"draws {words.card()}",
    "dismisses": lambda words: f"dismisses {words.partners()}",
    "hires": _hires,
    "plans": "lays a plan aside face down",
    "shows_plan": _shows_plan,
    "announces": _announces,
    "boosted": "is on a boosted trip",
    # Events
    "no_event": "gets no Event: there is none left",
    "dealt": "gets an Event face down",
    "modifier": lambda words: f"turns up {words.card()}, which works for the whole round",
    "pays_again": lambda words: f"pays the {words['price']} AP of step B once more, {words.points()}",
    "event": lambda words: f"turns up {words.card()}",
    "misses": lambda words: f"is not where {words.card()} works",
    "lit": lambda words: f"stops {words.card()} with the Flashlight",
    "damaged": lambda words: f"has {counted(words['number'], 'partner')} lose {words['loss']} HP",
    "die": _die,
    "penalty": lambda words: f"pays {words['price']} AP for it, {words.points()}",
    "loses_card": lambda words: f"loses {words.card()} from the hand",
    # Actions
    "uses": lambda words: f"uses {words.card()} in {PLACES[words['location']]}",
    "stopped": lambda words: f"gets nothing out of {words.card()}, stopped by {words.card('by')}",
    "comes_back": lambda words: f"takes {words.card()} back into the hand",
    "no_target": lambda words: f"has no target for {words.card()}",
    "too_dear": lambda words: f"cannot pay the {words['price']} AP of {words.card()}",
    "ap": _changes("AP"),
    "rp": _changes("RP"),
    "heals": lambda words: f"heals {words.partners()}",
    "flashlight": "has a Flashlight ready",
    "explores": "has the next trip to the Abyss boosted",
    "removes": lambda words: f"removes {words.partner(words['partner'])} of {words.other()}",
    "steals": lambda words: f"takes {words.card()} from the hand of {words.other()}",
    "nothing_to_exchange": "has nobody or nothing to exchange with",
    "offers": _offers,
    "exchanges": lambda words: f"gives {words.cards()} to {words.other()} for {words.cards('given')}",
    "declines": "declines",
    # Treasure
    "finds": lambda words: f"finds {counted(words['number'], 'treasure')}, {words['treasure']} now",
    "treasure_lost": lambda words: f"loses {counted(words['number'], 'treasure')} with those who carried it",
    "returns": "comes home without treasure",
    "leaves_treasure": lambda words: f"leaves {counted(words['number'], 'treasure')} behind",
    "cashes": lambda words: (
        f"brings {counted(words['number'], 'treasure')} home, {words['ap']} AP and {words['rp']} RP now"
    ),
}
"""The sentence of each kind of event."""
_ABOUT_NOBODY: Final = frozenset({"shared"})


def sentence(content: Content, event: Event, *, several: bool = False) -> str:
    """Return an event in one plain sentence without a full stop; with ``several`` seats it says whose it is."""
    words = EventWords(content, event.data)
    pattern = SENTENCES[event.kind]
    text = pattern if isinstance(pattern, str) else pattern(words)
    about_seat = several and "seat" in event.data and event.kind not in _ABOUT_NOBODY
    return f"{seat_name(event.data['seat'])} {text}" if about_seat else text


# The table

STEPS: Final = {
    "prepare": "B, prepare",
    "choose": "C, choose",
    "deal": "E, deal events",
    "act": "F, actions",
    "event": "G, events",
    "refill": "I, clean-up",
    OVER_PHASE: "over",
}
"""The step of the round by phase."""


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table at a stage boundary as pairs of label and text, shared things first, then seat by seat."""
    rows = [
        ("round", f"{table.round}, step {STEPS[table.phase]}" if table.phase != OVER_PHASE else f"{table.round}, over"),
        ("winner", "" if table.winner is None else f"seat {table.winner + 1}"),
        ("Action pile", _pile(table.actions, is_open=rulings.chance.is_open("actions"))),
        ("Event pile", _pile(table.events, is_open=rulings.chance.is_open("events"))),
    ]
    alone = len(table.seats) == 1
    for index, seat in enumerate(table.seats):
        if not alone:
            acts = index == table.seat and table.phase != OVER_PHASE
            rows.append(("seat", f"{index + 1}, to act" if acts else str(index + 1)))
        rows.extend(_seat(rulings, seat))
    return [(label, text) for label, text in rows if text]


def _seat(rulings: Rulings, seat: Seat) -> list[tuple[str, str]]:
    marks = [
        _times("trip boosted", seat.boost),
        _times("next trip boosted", seat.explore_pending),
        "flashlight ready" if seat.flashlight else "",
        f"{seat.paid} AP paid for partners" if seat.paid else "",
    ]
    event = "" if seat.event is None else f"{seat.event}, {'turned up' if seat.event_up else 'face down'}"
    return [
        ("identity", rulings.content.identities[seat.identity].name),
        ("AP and RP", f"{seat.ap} AP, {seat.rp} RP"),
        ("partners", _partners(seat.partners)),
        ("temps", str(seat.temps or "")),
        ("plan", "" if seat.plan is None else _plan(seat.plan)),
        ("event", event),
        ("treasure", str(seat.treasure or "")),
        ("marks", "; ".join(mark for mark in marks if mark)),
        ("hand", with_copies(seat.hand) or "empty"),
    ]


def _times(text: str, marks: int) -> str:
    return f"{text} {marks} times" if marks > 1 else text * marks


def _partners(partners: Sequence[Partner]) -> str:
    counted = Counter(partners)
    parts = [f"{number} {partner.type} ({partner.hp} HP)" for partner, number in counted.items()]
    return f"{len(partners)}: {', '.join(parts)}" if len(counted) > 1 else "".join(parts)


def _plan(plan: Plan) -> str:
    text = f"{plan.card or 'no card'} in the {plan.location}"
    return text if plan.temp is None else f"{text}; temps: {plan.temp.card or 'no card'} in the {plan.temp.location}"


def _pile(pile: Pile, *, is_open: bool) -> str:
    number = len(pile.front) + len(pile.back)
    text = f"{number} card{'' if number == 1 else 's'}" if number else "empty"
    for name, cards in (("front", pile.front), ("back", pile.back)):
        if cards:
            part = f"{name}, " if pile.back else ""
            shown = f"top first: {', '.join(cards)}" if is_open else f"in unknown order: {with_copies(cards)}"
            text += f"; {part}{shown}"
    return f"{text}; used: {', '.join(pile.used)}" if pile.used else text
