"""Sentences for what the rules did, and the table at a glance: plain, in the present tense, with names and numbers.

Most sentences about a player begin with the verb, since who it is about is the event's ``seat``. ``sentence`` puts the
player in front where there are several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, Final

from rules.core.errors import Number, counted, joined, with_copies
from rules.core.race import Mark, Picture, Stack, Strip, legend, signed
from rules.core.scripts import UNKNOWN, Asking, Event, in_words, known
from rules.iditacards.content import CONDITIONS, NO_LEG, Content
from rules.iditacards.seat import TeamTurn, dog_text
from rules.iditacards.state import Frame, Player, Table
from rules.iditacards.turn import Rulings

SIGNS: Final = {
    "dog": "◆",
    "attachment": "◇",
    "food": "●",
    "movement": "►",
    "sled": "■",
    "utility": "□",
    "personal": "○",
    "damage": "▼",
}
"""A sign for each type of card."""


class EventWords:
    """An event's data in words, as the sentences of the catalogue ask for them."""

    def __init__(self, content: Content, data: Mapping[str, Any]) -> None:
        self.content, self.data = content, data

    def __getitem__(self, key: str) -> Any:
        """Return a value of the event with names for ids; lists are joined, equal cards counted."""
        value = self.data[key]
        if key == "other":
            return player(value)
        if isinstance(value, int):
            return Number(value)
        if isinstance(value, str):
            return _ZONES[value] if key == "zone" else self.name(value)
        counts = Counter(value)
        unknown = counts.pop(UNKNOWN, 0)
        names = [self.name(card) if n == 1 else f"{n} {self.name(card)}" for card, n in sorted(counts.items())]
        return joined([*names, counted(unknown, "unknown card")] if unknown else names)

    def name(self, source: str) -> str:
        """Return the name of a card or leg; weather and conditions have none but their own word."""
        named = self.content.cards.get(source) or self.content.legs.get(source)
        return source if named is None else named.name

    def some(self, text: str, key: str) -> str:
        """Return a text with the value of a key, or nothing where that is empty."""
        return text.format_map(self) if self.data[key] else ""

    def all_of(self, texts: Mapping[str, str]) -> str:
        """Return the texts whose keys have a value, joined."""
        return joined([text.format_map(self) for key, text in texts.items() if self.data[key]])

    def speed(self) -> str:
        """Return the speed, with its parts after a colon where it is nothing but their sum."""
        parts: dict[str, int] = {}
        for source, n, *_ in self.data["parts"]:
            parts[source] = parts.get(source, 0) + n
        if not parts or sum(parts.values()) != self.data["speed"]:
            return f"speed {self.data['speed']}"
        told = ", ".join(speed_part(self.name(source), n) for source, n in parts.items())
        return f"speed {self.data['speed']}: {told}"


Sentence = str | Callable[[EventWords], str]
"""A sentence with the keys of what an event says, or how to make one out of that."""
_NOUNS: Final = ("automatic move ", "space ")
"""How sentences begin that have no verb."""


def player(seat: int) -> str:
    """Return what a player is called."""
    return f"player {seat}"


def speed_part(name: str, n: int) -> str:
    """Return what something adds to a speed, or takes from it."""
    return f"{name} +{n}" if n >= 0 else f"less {-n} for {name}"


def _moves(words: EventWords) -> str:
    twice = ", twice that" if words["double"] else ""
    back, spaces, limits = _limited(words)
    return f"moves {back}{spaces:space} ({words['n']} + {words.speed()}{twice}{limits})"


def _auto_moves(words: EventWords) -> str:
    sums = f"as every move on {words['leg']}" if words.data["leg"] else words.some("{n} + ", "n") + words.speed()
    back, spaces, limits = _limited(words)
    why = ", because of both conditions" if back and words["ill"] else ""
    return f"automatic move {back}{spaces} ({sums}{limits}{why})"


def _limited(words: EventWords) -> tuple[str, Number, str]:
    """Return ``back`` or nothing, the spaces of a move, and what keeps it from being as far as its sum."""
    distance, start = words["distance"], words["start"]
    if words["back"] and distance > start:
        return "back " if start else "", start, ", no further back than the start"
    limit = ", never below 0" if words["total"] < 0 and not distance else ""
    return "back " if words["back"] and distance else "", distance, limit


_FAILURES: Final = {
    "energy": "its energy is {cost:card}, more than the hand can give",
    "health": "its health is {cost:card}, more than the deck has",
    "damage": "a damage card comes up for its health of {cost}",
    "no_risk_card": "the deck is empty and a risk card is due",
    "damage_as_risk": "it is no risk card here",
    "damage_for_energy": "a damage card pays no energy",
    "damage_in_hand": "all cards must pay and a damage card is in the hand",
}
"""The end of a ``fails`` sentence, by reason."""


_SORTED_OUT: Final = {
    "destroyed": "destroys {destroyed}",
    "kept": "keeps {kept}",
    "discarded": "discards {discarded}",
    "deck": "puts {deck} back into the deck",
}
_ZONES: Final = {"discard": "discard pile", "hand": "hand", "deck": "deck", "destroyed": "out of the game"}
"""Where a card goes, as it is called at the table."""
_BLOCKS: Final = {
    "freeze": "everybody is frozen to the spot",
    "hypothermia": "too much hypothermia",
    "starvation": "too much starvation",
}
"""What keeps a player from moving, where it is not the weather."""

SENTENCES: Final[Mapping[str, Sentence]] = {
    # The turn
    "plays": "plays {card}",
    "passes_turn": "does nothing",
    "sacrifice": "sacrifices {dog}",
    "remove": "takes {card} off {dog}",
    "second_step": "takes the second step of {card}",
    # Costs and risk
    "on_table": "puts {card} on the table, {condition} {value} now",
    "pays_energy": "pays energy with {cards}",
    "pays_health": "pays health with {cards} from the deck",
    "fails": lambda words: f"fails to pay for {words['card']}: {_FAILURES[words.data['why']].format_map(words)}",
    "fizzles": "loses {cards} without effect",
    "waits": "leaves {card} waiting for {need:risk card}",
    "leg_fizzles": "cannot take risks on {leg}",
    "risk_card": "turns up {card} as a risk card for {root}",
    "risk_paid": "has every risk card for {card}",
    "resolves": lambda words: f"resolves {words['card']}{' twice' if words['times'] == 2 else ''}",
    "no_effect": "gets nothing out of {card}: {by}",
    "completes": "is done with {card}",
    "price_unpaid": "does not pay with a dog, so the rest of the card is left out",
    "free_cost": lambda words: (
        f"pays no {words['cost']} "
        + ("for the rest of the day" if words.data["until"] == "day_end" else "on the next turn")
    ),
    # Cards
    "draws": "draws {cards}",
    "recovers": lambda words: "recovers " + words.all_of({"hand": "{hand} to the hand", "deck": "{deck} to the deck"}),
    "shuffles": "shuffles a deck of {cards:card}",
    "destroys": "destroys {cards}",
    "looks": "looks at {cards}",
    "sees": "sets {cards} aside for the next turn",
    "sorts_out": lambda words: (
        words.all_of(_SORTED_OUT) if any(map(words.data.get, _SORTED_OUT)) else "has nothing to sort out"
    ),
    "takes": "takes {cards} into the {zone}",
    "supply_grows": "adds {cards} to the supply",
    "stop": "discards a damage card, which ends the action",
    "damage": lambda words: words.some("takes {n} damage", "n") or "takes no damage, as none is left",
    # Dogs
    "dog_placed": "puts {dog} into the team",
    "not_placed": "discards {card}, for which there is no place",
    "dog_dies": lambda words: (
        f"loses {words['dog']}, {'' if words.data['zone'] == 'destroyed' else 'it goes to the '}{words['zone']}"
        + words.some("; {attachments} to the discard pile", "attachments")
    ),
    "shielded": "discards {card}, which saves {dog}",
    "attached": lambda words: (
        "attaches {card} to {dog}".format_map(words) + words.some(" in the place of {replacing}", "replacing")
    ),
    # Moving
    "moves": _moves,
    "auto_moves": _auto_moves,
    "fixed_distance": "moves {distance:space}, as every move on {leg}",
    "moved": lambda words: (
        "stays on space {end}" if words["start"] == words["end"] else "space {start} → {end}"
    ).format_map(words),
    "held": "makes no automatic move, with one of the two conditions",
    "cannot_move": lambda words: f"cannot move: {_BLOCKS.get(words.data['by'], words['by'])}",
    "freezes": "stops everybody from moving until the next new day",
    "passes": "passes {other} on space {pos} and pushes them back",
    "falls_behind": "falls behind {other} on space {pos} and goes 1 space further back",
    "enters": "enters {leg} on space {pos}",
    "toll": "discards {cards} from the deck on entering",
    "checkpoint": "passes the checkpoint on space {pos}",
    "legendary": "puts the legendary {card} into the {zone}",
    "finishes": "reaches the finish on space {pos}",
    "over": "the race is over",
    # Conditions
    "gains": "gains {n} {condition}, {value} now",
    "loses": "loses {n} {condition}, {value} now",
    "cleared": "has no {condition} any more",
    "no_gain": "gains no {condition} on {leg}",
    "leg_condition": "has {value} {condition} from {leg}",
    "to_leg": "has at least the {condition} of the leg, {value} now",
    "dies": "dies and is carried back, space {start} → {end}",
    "immune": "is immune for the rest of the day",
    # Days
    "calls_new_day": "calls a new day",
    "joins": "joins the new day",
    "stays": "stays out of the new day",
    "empty_day_end": "moves for {card}, with an empty hand and deck",
    "leg_kills": "must give up a dog on {leg}",
    "puts_together": lambda words: (
        "shuffles all {cards:card} into a new deck".format_map(words)
        + words.some(", {abandoned} abandoned", "abandoned")
    ),
    "day_begins": "begins day {day}",
    "weather": "the weather is {face}",
    "supply_emptied": "the weather destroys the supply: {cards}",
}


def sentence(content: Content, event: Event, *, several: bool = False) -> str:
    """Return an event in one plain sentence without a full stop; with ``several`` players it says whose it is."""
    words, pattern = EventWords(content, event.data), SENTENCES[event.kind]
    text = pattern.format_map(words) if isinstance(pattern, str) else pattern(words)
    if not several or "seat" not in event.data:
        return text
    return f"{player(event.data['seat'])}{':' if text.startswith(_NOUNS) else ''} {text}"


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table at a turn boundary as pairs of label and text, shared things first, then seat by seat."""
    hands = " ".join(_hand(rulings, player) for player in table.players)
    rows = [
        ("track", _track(rulings, table)),
        ("weather", table.weather),
        ("supply", with_copies(table.supply)),
        ("signs", legend(hands, {sign: kind for kind, sign in SIGNS.items()})),
    ]
    if table.freeze:
        rows.append(("freeze", "nobody moves until the day ends"))
    for seat, player in enumerate(table.players):
        if len(table.players) > 1:
            rows.append(("player", f"{seat}, to act" if seat == table.active and not table.over else str(seat)))
        rows.extend(_player(rulings, table, seat, player))
    return [(label, text) for label, text in rows if text]


def _track(rulings: Rulings, table: Table) -> Picture:
    """Return the track with its legs, the checkpoints, the sleds and the finish."""
    track, stretches = rulings.track(table.legs), list[tuple[int, int, str]]()
    for leg, spaces in groupby(range(len(track)), lambda space: track[space]):
        found = list(spaces)
        stretches.append((found[0], found[-1], "" if leg is None else leg.id))
    names = ["you"] if len(table.players) == 1 else map(player, range(len(table.players)))
    sleds = [Mark(each.pos, "▲", f"{name} at {each.pos}") for name, each in zip(names, table.players, strict=True)]
    checkpoints = [Mark(space, "◊") for space in sorted(rulings.board.checkpoints)]
    said = f"checkpoints at {', '.join(str(each.place) for each in checkpoints)}" if checkpoints else "no checkpoints"
    return Picture(said, Strip(tuple(stretches), (*checkpoints, Mark(rulings.finish_at, "║"), *sleds)))


def _hand(rulings: Rulings, player: Player) -> str:
    cards = rulings.content.cards
    return signed(in_words(player.hand), {card: SIGNS.get(cards[card].type, "") for card in known(player.hand)})


def _player(rulings: Rulings, table: Table, seat: int, player: Player) -> list[tuple[str, str]]:
    turn = TeamTurn(rulings, table, Asking(()))
    owner = turn.seats[seat]
    leg, cancelled = turn.leg(owner).id, turn.cancelled_by(owner)
    parts = ", ".join(speed_part(source, n) for source, n, _ in turn.speed_parts(owner))
    told = "; ".join(filter(None, (parts, f"bonuses cancelled by {cancelled}" if cancelled else "")))
    ills = [f"{kind} {points}" for kind in CONDITIONS if (points := getattr(player, kind))]
    marks = [
        "finished" if player.finished else "",
        "immune today" if player.immune else "",
        "has moved today" if player.moved else "",
        f"energy is free ({player.free_energy})" if player.free_energy != "no" else "",
        f"health is free ({player.free_health})" if player.free_health != "no" else "",
        "plays on unseen" if player.unseen else "",
        f"ate {with_copies(player.foods)}" if player.foods else "",
        f"{counted(player.personal, 'personal card')} today" if player.personal else "",
    ]
    return [
        ("space", str(player.pos) if leg == NO_LEG else f"{player.pos} on {leg}"),
        ("speed", f"{turn.speed(owner)} ({told})" if told else str(turn.speed(owner))),
        ("clock", f"turn {player.turns + 1}, day {player.days}"),
        ("condition", ", ".join(ills)),
        ("today", "; ".join(filter(None, marks))),
        ("dogs", ", ".join(dog_text(dog) for dog in player.dogs)),
        ("stack", _stack(player)),
        ("resolved", with_copies(player.resolved)),
        ("set aside", with_copies(player.seen)),
        ("hand", _hand(rulings, player)),
        ("deck", _deck(rulings.deck_open, player)),
        ("discard", with_copies(player.discard)),
        ("legendary", with_copies(player.legendary)),
    ]


def _stack(player: Player) -> str:
    said = ", ".join(_frame(frame) for frame in player.stack)
    layers = [(frame.card if frame.need else _frame(frame), frame.paid, frame.need) for frame in player.stack]
    return Picture(said, Stack(tuple(layers), "risk card")) if said else ""


def _frame(frame: Frame) -> str:
    if frame.step == "second":
        return f"{frame.card} waits for its second step"
    if not frame.need:  # what it needs is told with its costs
        return f"{frame.card} is being played"
    return f"{frame.card} has {frame.paid} of {frame.need} risk card{'s' if frame.need > 1 else ''}"


def _deck(is_open: bool, player: Player) -> str:
    deck, known = player.deck, player.known
    size = len(deck) - player.hand.count(UNKNOWN)
    text = counted(size, "card") if deck else "empty"
    if is_open and deck:
        return f"{text}, top first: {', '.join(deck)}"
    if known:
        text += f", known on top: {', '.join(deck[:known])}"
    where = "; hand and deck have in" if len(deck) > size else ", in"
    return f"{text}{where} unknown order: {with_copies(deck[known:])}" if len(deck) > known else text
