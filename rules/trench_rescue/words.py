"""Sentences for what the rules did: plain, in the present tense, cards by their codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rules.core.errors import counted, joined
from rules.core.steps import Event
from rules.trench_rescue.cards import HIDDEN

Data = Mapping[str, Any]


def listed(cards: Sequence[str]) -> str:
    """Return ``7S, 9C and QD``; hidden cards are counted."""
    names = [card for card in cards if card != HIDDEN]
    hidden = len(cards) - len(names)
    if hidden:
        names.append(counted(hidden, "unknown card"))
    return joined(names)


def wounded(card: str) -> str:
    """Return what a wounded card is called."""
    return "an unknown wounded card" if card == HIDDEN else f"the wounded {card}"


def _verb(data: Data, verb: str) -> str:
    """Return who does something, with the verb in its number."""
    several = len(data["cards"]) > 1
    return f"{listed(data['cards'])} {verb if several else _singular(verb)}"


def _singular(verb: str) -> str:
    first, *rest = verb.split(" ", 1)
    third = {"go": "goes", "are": "is", "have": "has"}.get(first, f"{first}s")
    return " ".join([third, *rest])


def _barrage(data: Data) -> str:
    n, k = data["soldiers"], data["shells"]
    return f"the barrage: {counted(n, 'soldier')} on the field, {counted(k, 'shell') if k else 'no shells'}"


def _shell(data: Data) -> str:
    rolls = f" (rolls {data['rolls'][0]} and {data['rolls'][1]})" if data["rolls"] else ""
    return f"a shell falls on {data['cell']}{rolls}"


def _peeks(data: Data) -> str:
    seen = data["seen"]
    return f"{data['card']} looks at a wounded card" + ("" if seen is None else f": it is {seen}")


def _rescued(end: str) -> Callable[[Data], str]:
    return lambda data: f"the rescued {data['card']} {end}"


def _above(end: str) -> Callable[[Data], str]:
    return lambda data: f"the rescued {data['card']} outranks a rescuer of value {data['value']} and {end}"


SENTENCES: Final[Mapping[str, Callable[[Data], str]]] = {
    "cycles": lambda data: f"{data['card']} goes back to the deck",
    "draws": lambda data: f"{data['colour']} draws {data['card']} into the trench",
    "reinforced": lambda data: f"{data['colour']} has no soldier left and draws {data['card']}, who may act at once",
    "enters": lambda data: f"{_verb(data, 'enter')} the field at {data['cell']}",
    "peeks": _peeks,
    "goes": lambda data: f"{_verb(data, 'go from')} {data['start']} to {data['cell']}",
    "holds": lambda data: f"{_verb(data, 'wait at')} {data['cell']} with the card",
    "picks_up": lambda data: f"{_verb(data, 'pick up')} {wounded(data['wounded'])}",
    "drops": lambda data: f"{data['card']} puts {wounded(data['wounded'])} down at {data['cell']}",
    "comes_home": lambda data: f"{_verb(data, 'come')} home",
    "to_trench": _rescued("joins the trench"),
    "to_infirmary": _rescued("lies in the infirmary"),
    "to_own_deck": _above("goes to the own deck"),
    "to_enemy_deck": lambda data: _above(f"goes to {data['colour']}'s deck")(data),
    "ends": lambda data: f"{data['colour']} ends the half-turn",
    "barrage": _barrage,
    "quiet": _barrage,
    "shell": _shell,
    "misses": lambda _: "nobody stands where it falls",
    "hit": lambda data: f"{_verb(data, 'are hit and now wounded at')} {data['cell']}",
    "killed": lambda data: f"{_verb(data, 'are killed')} at {data['cell']} on the way home",
    "turn": lambda data: f"turn {data['turn']} begins",
    "wounded_die": lambda data: f"the wounded on the field die: {listed(data['cards'])}",
    "withdrawal": lambda _: "the withdrawal begins: everybody on the field goes home",
    "over": lambda _: "the game is over",
}
"""The catalogue: a sentence for each kind of event."""


def sentence(event: Event) -> str:
    """Return an event in words."""
    return SENTENCES[event.kind](event.data)
