"""Sentences for what the rules did, in the present tense with card names and numbers, and the table in labelled lines.

A sentence about a seat begins with the verb, since who it is about is the event's ``seat``. ``sentence`` puts the seat
in front where there are several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rules.abyss.content import ACTIONS, Content, Rulings
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, Partner, Pile, Plan, Seat, Table, teams_of
from rules.core.errors import counted, joined, with_copies
from rules.core.steps import Event
from rules.core.tools.picture import legend, signed
from rules.core.unknown import UNKNOWN, in_words, known

SIGNS: Final = {CITY: "▲", ABYSS: "▼", "any": "◆"}
"""A sign for cards by where they work."""
PLACES: Final = {CITY: "the City", ABYSS: "the Abyss"}


class Number(int):
    """A number that can be written with a noun, as in ``{number:partner}``."""

    def __format__(self, noun: str) -> str:
        """Return the number, with the noun in the right form if there is one."""
        return counted(int(self), noun) if noun else str(int(self))


class EventWords:
    """An event's data in words, as the sentences of the catalogue ask for them."""

    def __init__(self, content: Content, data: Mapping[str, Any]) -> None:
        self.content = content
        self.data = data

    def __getitem__(self, key: str) -> Any:
        """Return a value of the event with names for ids; lists are joined, equal parts counted."""
        value = self.data[key]
        if key == "other":
            return seat_name(value)
        if isinstance(value, int):
            return Number(value)
        if key == "seats":
            return joined([seat_name(seat) for seat in value])
        if key in ("location", "temp"):
            return value and PLACES[value]
        parts = Counter(map(self.name, value if isinstance(value, (tuple, list)) and key != "partner" else [value]))
        return joined([name if number == 1 else f"{number} {name}" for name, number in parts.items()])

    def name(self, thing: str | Partner) -> str:
        """Return the name of a card, or of a partner with its HP."""
        if isinstance(thing, Partner):
            return f"{self.content.partners[thing.type].name} ({thing.hp} HP)"
        return "an unknown card" if thing == UNKNOWN else self.content.cards[thing].name


Sentence = str | Callable[[EventWords], str]
"""A sentence with the keys of what an event says, or how to make one out of that."""


def seat_name(seat: int) -> str:
    """Return what a player is called, counted as on the table."""
    return f"seat {seat + 1}"


def _hires(words: EventWords) -> str:
    parts = [f"{number} {words.content.partners[kind].name}" for kind, number in words.data["numbers"]]
    parts += [f"{words['temps']:temporary partner}"] if words["temps"] else []
    return f"hires {joined(parts)} for {words['price']} AP, {words['ap']} AP now"


def _shows_plan(words: EventWords) -> str:
    plan: Plan = words.data["plan"]
    teams = [
        "no card" if team.card is None else f"{words.name(team.card)} in {PLACES[team.location]}"
        for team in teams_of(plan)
    ]
    return f"shows {', and '.join(teams)}{' for the temporary partners' if plan.temp else ''}"


def _announces(words: EventWords) -> str:
    return f"is in {words['location']}" + (f", the temporary partners in {words['temp']}" if words["temp"] else "")


def _changes(unit: str) -> Callable[[EventWords], str]:
    def text(words: EventWords) -> str:
        verb = "loses" if words["change"] < 0 else "gains"
        return f"{verb} {abs(words['change'])} {unit}, {words[unit.lower()]} {unit} now"

    return text


def _offers(words: EventWords) -> str:
    return f"offers {words['cards']}" if words.data["cards"] else f"offers {words['number']:card}"


def _die(words: EventWords) -> str:
    parts = [words["partners"]] if words.data["partners"] else []
    parts += [f"{words['temps']:temporary partner}"] if words["temps"] else []
    return f"loses {joined(parts)} for good"


def _reshuffles(words: EventWords) -> str:
    pile = "Action" if words.data["pile"] == ACTIONS else "Event"
    return f"the {pile} pile gets its {words['cards']:used card} back"


SENTENCES: Final[Mapping[str, Sentence]] = {
    # Piles and rounds
    "reshuffles": _reshuffles,
    "round": "round {round} begins",
    "wins": "wins",
    "shared": "{seats} share the victory",
    "limit": "the game ends after {rounds:round}",
    # Preparing and planning
    "gives_up": "gives up {cards}",
    "draws": "draws {card}",
    "dismisses": "dismisses {partners}",
    "hires": _hires,
    "plans": "lays a plan aside face down",
    "shows_plan": _shows_plan,
    "announces": _announces,
    "boosted": "is on a boosted trip",
    # Events
    "no_event": "gets no Event: there is none left",
    "dealt": "gets an Event face down",
    "modifier": "turns up {card}, which works for the whole round",
    "pays_again": "pays the {price} AP of step B once more, {ap} AP now",
    "event": "turns up {card}",
    "misses": "is not where {card} works",
    "lit": "stops {card} with the Flashlight",
    "damaged": "has {number:partner} lose {loss} HP",
    "die": _die,
    "penalty": "pays {price} AP for it, {ap} AP now",
    "loses_card": "loses {card} from the hand",
    # Actions
    "uses": "uses {card} in {location}",
    "stopped": "gets nothing out of {card}, stopped by {by}",
    "comes_back": "takes {card} back into the hand",
    "no_target": "has no target for {card}",
    "too_dear": "cannot pay the {price} AP of {card}",
    "ap": _changes("AP"),
    "rp": _changes("RP"),
    "heals": "heals {partners}",
    "flashlight": "has a Flashlight ready",
    "explores": "has the next trip to the Abyss boosted",
    "removes": "removes {partner} of {other}",
    "steals": "takes {card} from the hand of {other}",
    "nothing_to_exchange": "has nobody or nothing to exchange with",
    "offers": _offers,
    "exchanges": "gives {cards} to {other} for {given}",
    "declines": "declines",
    # Treasure
    "finds": "finds {number:treasure}, {treasure} now",
    "treasure_lost": "loses {number:treasure} with those who carried it",
    "returns": "comes home without treasure",
    "leaves_treasure": "leaves {number:treasure} behind",
    "cashes": "brings {number:treasure} home, {ap} AP and {rp} RP now",
}
"""The sentence of each kind of event."""


def sentence(content: Content, event: Event, *, several: bool = False) -> str:
    """Return an event in one plain sentence without a full stop; with ``several`` seats it says whose it is."""
    words, pattern = EventWords(content, event.data), SENTENCES[event.kind]
    text = pattern.format_map(words) if isinstance(pattern, str) else pattern(words)
    about_seat = several and "seat" in event.data and event.kind != "shared"
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
    hands = " ".join(_hand(rulings, seat) for seat in table.seats)
    unknown = sum((*seat.hand, *seat.laid).count(UNKNOWN) for seat in table.seats)
    rows = [
        ("round", f"{table.round}, step {STEPS[table.phase]}" if table.phase != OVER_PHASE else f"{table.round}, over"),
        ("winner", "" if table.winner is None else f"seat {table.winner + 1}"),
        ("actions", _pile(table.actions, unknown, is_open=rulings.chance.is_open("actions"))),
        ("events", _pile(table.events, 0, is_open=rulings.chance.is_open("events"))),
        (
            "signs",
            legend(hands, {sign: place for place, sign in SIGNS.items()}),
        ),
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
        ("hand", _hand(rulings, seat)),
    ]


def _hand(rulings: Rulings, seat: Seat) -> str:
    cards = rulings.content.cards
    return signed(in_words(seat.hand), {card: SIGNS.get(cards[card].location, "") for card in known(seat.hand)})


def _times(text: str, marks: int) -> str:
    return f"{text} {marks} times" if marks > 1 else text * marks


def _partners(partners: Sequence[Partner]) -> str:
    counted = Counter(partners)
    parts = [f"{number} {partner.type} ({partner.hp} HP)" for partner, number in counted.items()]
    return f"{len(partners)}: {', '.join(parts)}" if len(counted) > 1 else "".join(parts)


def _plan(plan: Plan) -> str:
    text = f"{plan.card or 'no card'} in the {plan.location}"
    return text if plan.temp is None else f"{text}; temps: {plan.temp.card or 'no card'} in the {plan.temp.location}"


def _pile(pile: Pile, unknown: int, *, is_open: bool) -> str:
    """Return a pile in words; so many of its front are not in it, but in hands."""
    number = len(pile.front) + len(pile.back) - unknown
    text = f"{number} card{'' if number == 1 else 's'}" if number else "empty"
    for name, cards in (("front", pile.front), ("back", pile.back)):
        if cards:
            part = f"{name}, " if pile.back else ""
            shown = f"top first: {', '.join(cards)}" if is_open else f"in unknown order: {with_copies(cards)}"
            text += f"; {'with hands ' if unknown and cards is pile.front else ''}{part}{shown}"
    return f"{text}; used: {', '.join(pile.used)}" if pile.used else text
