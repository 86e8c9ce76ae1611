"""What the game says: sentences for what the rules did, the table in labelled lines, and why a move is not open.

A sentence is in the present tense, with card names and numbers. About a seat it begins with the verb, since who it is
about is the event's ``seat``. ``sentence`` puts the seat in front where there are several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial, partialmethod
from typing import Any, ClassVar, Final

from rules.abyss.content import ACTIONS, EVENTS, Content, Rulings
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, Partner, Plan, Seat, Table, teams_of
from rules.abyss.turn import NONE, Side, Turn
from rules.core.errors import Number, counted, joined, nearest, with_copies
from rules.core.race import legend, signed
from rules.core.scripts import CHANCE, UNKNOWN, Event, in_words, known
from rules.core.turns import Notation, OpenQuestion, Reason, Reasons

SIGNS: Final = {CITY: "▲", ABYSS: "▼", "any": "◆"}
"""A sign for cards by where they work."""
PLACES: Final = {CITY: "the City", ABYSS: "the Abyss"}


class EventWords:
    """An event's data in words, as the sentences of the catalogue ask for them."""

    def __init__(self, content: Content, data: Mapping[str, Any]) -> None:
        self.content, self.data = content, data

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
    teams = teams_of(words.data["plan"])
    told = [f"{words.name(team.card)} in {PLACES[team.location]}" if team.card else "no card" for team in teams]
    return f"shows {', and '.join(told)}{' for the temporary partners' if len(teams) > 1 else ''}"


def _changes(words: EventWords, unit: str) -> str:
    verb = "loses" if words["change"] < 0 else "gains"
    return f"{verb} {abs(words['change'])} {unit}, {words[unit.lower()]} {unit} now"


def _die(words: EventWords) -> str:
    parts = [words["partners"]] if words.data["partners"] else []
    parts += [f"{words['temps']:temporary partner}"] if words["temps"] else []
    return f"loses {joined(parts)} for good"


SENTENCES: Final[Mapping[str, Sentence]] = {
    # Piles and rounds
    "reshuffles": lambda words: (
        f"the {'Action' if words.data['pile'] == ACTIONS else 'Event'} pile gets its {words['cards']:used card} back"
    ),
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
    "announces": lambda words: (
        f"is in {words['location']}" + (f", the temporary partners in {words['temp']}" if words["temp"] else "")
    ),
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
    "ap": partial(_changes, unit="AP"),
    "rp": partial(_changes, unit="RP"),
    "heals": "heals {partners}",
    "flashlight": "has a Flashlight ready",
    "explores": "has the next trip to the Abyss boosted",
    "removes": "removes {partner} of {other}",
    "steals": "takes {card} from the hand of {other}",
    "nothing_to_exchange": "has nobody or nothing to exchange with",
    "offers": lambda words: f"offers {words['cards'] if words.data['cards'] else format(words['number'], 'card')}",
    "exchanges": "gives {cards} to {other} for {given}",
    "declines": "declines",
    # Treasure
    "finds": "finds {number:treasure}, {treasure} now",
    "treasure_lost": "loses {number:treasure} with those who carried it",
    "returns": "comes home without treasure",
    "leaves_treasure": "leaves {number:treasure} behind",
    "cashes": "brings {number:treasure} home, {ap} AP and {rp} RP now",
}


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
}
"""The step of the round by phase."""


def glance(rulings: Rulings, table: Table) -> list[tuple[str, str]]:
    """Return the table at a stage boundary as pairs of label and text, shared things first, then seat by seat."""
    hands = " ".join(_hand(rulings, seat) for seat in table.seats)
    unknown = sum((*seat.hand, *seat.laid).count(UNKNOWN) for seat in table.seats)
    face_down = sum(seat.event == UNKNOWN for seat in table.seats)
    actions = _pile((*table.action_pile, table.action_used), unknown, "hands", is_open=rulings.chance.is_open(ACTIONS))
    events = (*table.event_pile, table.event_used)
    rows = [
        ("round", f"{table.round}, {f'step {STEPS[table.phase]}' if table.phase != OVER_PHASE else 'over'}"),
        ("winner", "" if table.winner is None else f"seat {table.winner + 1}"),
        ("actions", actions),
        ("events", _pile(events, face_down, "those face down", is_open=rulings.chance.is_open(EVENTS))),
        ("signs", legend(hands, {sign: place for place, sign in SIGNS.items()})),
    ]
    for index, seat in enumerate(table.seats):
        acts = ", to act" if index == table.seat and table.phase != OVER_PHASE else ""
        rows.append(("seat", f"{index + 1}{acts}" if len(table.seats) > 1 else ""))
        rows.extend(_seat(rulings, seat))
    return [(label, text) for label, text in rows if text]


def _seat(rulings: Rulings, seat: Seat) -> list[tuple[str, str]]:
    trips = (("trip boosted", seat.boost), ("next trip boosted", seat.explore_pending))
    marks = [f"{text} {times} times" if times > 1 else text * times for text, times in trips]
    marks += ["flashlight ready" if seat.flashlight else "", f"{seat.paid} AP paid for partners" if seat.paid else ""]
    partners = [f"{number} {one.type} ({one.hp} HP)" for one, number in Counter(seat.partners).items()]
    event = "unknown" if seat.event == UNKNOWN else seat.event
    event = f"{event}, {'turned up' if seat.event_up else 'face down'}" if event else ""
    return [
        ("identity", rulings.content.identities[seat.identity].name),
        ("AP and RP", f"{seat.ap} AP, {seat.rp} RP"),
        ("partners", f"{len(seat.partners)}: {', '.join(partners)}" if len(partners) > 1 else "".join(partners)),
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


def _plan(plan: Plan) -> str:
    text = f"{plan.card or 'no card'} in the {plan.location}"
    return text if plan.temp is None else f"{text}; temps: {plan.temp.card or 'no card'} in the {plan.temp.location}"


def _pile(zones: Sequence[tuple[str, ...]], unknown: int, where: str, *, is_open: bool) -> str:
    """Return front, back and used cards of a pile in words; so many of its front are not in it, but elsewhere."""
    front, back, used = zones
    number = len(front) + len(back) - unknown
    text = counted(number, "card") if number else "empty"
    for name, cards in (("front", front), ("back", back)):
        if cards:
            part = f"{name}, " if back else ""
            shown = f"top first: {', '.join(cards)}" if is_open else f"in unknown order: {with_copies(cards)}"
            text += f"; {f'with {where} ' if unknown and cards is front else ''}{part}{shown}"
    return f"{text}; used: {', '.join(used)}" if used else text


# Why a move is not open: the rule that forbids it, the reason, and what is open instead


class Decision(OpenQuestion[Turn]):
    """What is to be decided at one point of a stage, and the table as it is then."""

    notation: ClassVar = {
        "give_up": Notation("5.B", 1, None),
        "dismiss": Notation("AB-Q14", 1, None, option="dismiss"),
        "hire": Notation("5.B", 1, None),
        "plan": Notation("5.C", 1, 5),
        "show": Notation("5.F", 1, 1),
        "target": Notation("6", 1, 2),
        "lose": Notation("AB-Q29", 1, 1, option="assassination_chooser"),
        "give": Notation("6", 1, 1),
        "take": Notation("AB-Q30", 1, 1, option="theft_pick"),
        "treat": Notation("AB-Q35", 1, None, option="treatment_scope"),
        "offer": Notation("6.1", 1, None),
        "accept": Notation("6.1", 1, None),
        "decline": Notation("6.1"),
        "cash": Notation("5.H"),
        "leave": Notation("AB-Q37", option="treasure_cash"),
        **dict.fromkeys(("draw", "no_draw"), Notation("5.I")),
        "go_on": Notation("17"),
        **dict.fromkeys(("actions", "events", "picks"), Notation("11", 1, 1, chance=True)),
    }
    by_chance, unnamed = "11", "17"

    @property
    def side(self) -> Side:
        """The seat to decide."""
        return self.turn.sides[max(self.actor, 0)]

    def first(self, head: str, _: Sequence[str]) -> Reasons:
        """Yield that something else is to be decided, but where another ruling asks for such a move."""
        notation = self.notation[head]
        if head not in self.heads and not notation.option and self.actor != CHANCE:
            yield Reason(notation.rule, f"{seat_name(self.actor)} has to decide something else here: {self.open_now()}")

    def _unknown(self, cards: Sequence[str], deck: str, rule: str) -> Reasons:
        known = [card.id for card in self.turn.rulings.cards.values() if card.deck == deck]
        for card in cards:
            if card not in (*known, UNKNOWN):
                yield Reason(rule, f"there is no card '{card}'{nearest(card, known)}")

    def _no_give_up(self, rest: Sequence[str]) -> Reasons:
        most = self.turn.rulings.rules["give_up_most"]
        if len(rest) > most:
            yield Reason("5.B", f"at most {most} cards can be given up in a round, not {len(rest)}")
        yield from self._hand_cards([] if list(rest) == [NONE] else rest, "5.B")

    def _hand_cards(self, cards: Sequence[str], rule: str) -> Reasons:
        """Yield what is wrong with cards named from the hand: unknown, or not held."""
        side = self.side
        hand = [*known(side.hand), *(side.pile.front if UNKNOWN in side.hand else ())]
        yield from self._unknown(cards, ACTIONS, rule)
        for card in Counter(cards) - Counter(hand):
            number = f"only {hand.count(card)}" if card in hand else "no"
            yield Reason(rule, f"there is {number} {card} in the hand: {in_words(side.hand)}")

    _no_give = partialmethod(_hand_cards, rule="6")
    _no_offer = partialmethod(_hand_cards, rule="6.1")
    _no_actions = _no_picks = partialmethod(_unknown, deck=ACTIONS, rule="11")
    _no_events = partialmethod(_unknown, deck=EVENTS, rule="11")

    def _no_hire(self, rest: Sequence[str]) -> Reasons:
        rulings, traits, side = self.turn.rulings, self.side.traits, self.side
        kinds = [*rulings.types, "temps"]
        numbers, names = rest[::2], rest[1::2]
        if len(numbers) != len(names) or not all(number.isdecimal() for number in numbers):
            yield Reason("5.B", "a hire is 'none' or numbers with types, as in 'hire 3 homeless 1 guardian'")
        for name in names:
            if name not in kinds:
                yield Reason("5.B", f"there is no partner '{name}'{nearest(name, kinds)}")
        if list(names) != [kind for kind in kinds if kind in names] or "0" in numbers:
            yield Reason("5.B", f"types stand once each in the order {', '.join(kinds)}, with a number of at least 1")
        if "temps" in names and traits.temp_price is None:
            yield Reason("2", f"{rulings.content.identities[side.identity].name} takes no temporary partners")
        wanted = dict(zip(names, map(int, numbers), strict=True))
        price = sum(traits.prices[rulings.place[name]] * number for name, number in wanted.items() if name != "temps")
        price += wanted.get("temps", 0) * (traits.temp_price or 0)
        if price > max(0, side.ap) and not rulings.options["hire_overdraft"]:
            yield Reason("AB-Q12", f"that costs {price} AP, and there are {side.ap}")
        counted = wanted if rulings.options["cap_counts_temps"] else {**wanted, "temps": 0}
        number = len(side.partners) + sum(counted.values())
        if rulings.cap is not None and number > rulings.cap:
            yield Reason("AB-Q13", f"that would be {number} partners, and the cap is {rulings.cap}")
        yield Reason("AB-Q7", "there are not enough partner cards left")

    def _no_plan(self, rest: Sequence[str]) -> Reasons:
        cut = rest.index("temp") if "temp" in rest else len(rest)
        main, temp = list(rest[:cut]), list(rest[cut + 1 :])
        teams = [part for part in (main, temp) if part and part != [NONE]]
        if any(len(part) != 2 for part in teams):
            yield Reason("5.C", "a plan is 'none' or a card and its location, as in 'plan digging abyss'")
        yield from self._hand_cards([part[0] for part in teams], "5.C")
        if temp and not any(" temp " in text for text in self.texts):
            yield Reason(
                "AB-Q41", "there is no second team: it takes temporary partners, and an identity that has them"
            )
        for card, location in teams:
            limit = self.turn.rulings.cards[card].location
            if location not in (CITY, ABYSS):
                yield Reason("1.5", f"'{location}' is no location; it is city or abyss")
            if limit not in (location, "any"):
                yield Reason("5.C", f"{card} is used in the {limit}")
        yield Reason("AB-Q16", f"a team without members stays in the City; open here: {self.open_now()}")

    def _no_accept(self, rest: Sequence[str]) -> Reasons:
        yield from self._hand_cards(rest, "6.1")
        sizes = {len(text.split()) - 1 for text in self.texts if text.startswith("accept ")}
        if len(rest) not in sizes:
            yield Reason("6.1", f"the answer has as many cards as the offer: {min(sizes)}")
