"""Why a move is not open: the rule that forbids it, the reason, and what is open instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from rules.abyss.content import ACTIONS, EVENTS
from rules.abyss.moves import NONE
from rules.abyss.state import ABYSS, CITY
from rules.abyss.turn import Side, Turn
from rules.core.errors import IllegalMoveError, OpenQuestion, Reason, nearest
from rules.core.scripts import asked_by
from rules.core.steps import CHANCE, Outcome, Step
from rules.core.unknown import UNKNOWN, in_words, known


class Decision(OpenQuestion):
    """What is to be decided at one point of a stage, and the table as it is then."""

    def __init__(self, turn: Turn, actor: int, options: Sequence[Step]) -> None:
        super().__init__(actor, sorted(option.text for option in options))
        self.turn = turn
        self.side: Side = turn.side(max(actor, 0))
        """The seat to decide."""


def why_illegal(turn: Turn, run: Callable[[Turn], None], outcome: Outcome | None, text: str) -> IllegalMoveError | None:
    """Return the rule that forbids a well-formed move in a turn, or nothing if the text is no move of the game.

    A move is recognised by its first word and their number; a card, partner or seat that does not exist is part of the
    reason. ``run`` runs the turn until something is to be decided; ``outcome`` is how the game ended, if it did.
    """
    head, *rest = text.split() or [""]
    shape = _SHAPES.get(head)
    if shape is None or len(rest) < shape.least or (shape.most is not None and len(rest) > shape.most):
        return None
    if outcome is not None:
        return IllegalMoveError(text, outcome.rule, "the game is over")
    question = asked_by(partial(run, turn))
    here = Decision(turn, question.actor, question.options)
    if (here.actor == CHANCE) != shape.chance:
        reason = _wrong_actor(here, head)
    elif head not in {option.split()[0] for option in here.texts}:
        reason = _not_open(here, shape, head)
    else:
        usual = Reason(shape.rule, f"that is not open here: {here.open_now()}")
        reason = (shape.reason and shape.reason(here, rest)) or usual
    return IllegalMoveError(text, reason.rule, reason.text)


def _wrong_actor(here: Decision, head: str) -> Reason:
    if here.actor == CHANCE:
        return Reason("11", f"chance decides here, no player: {here.open_now()}")
    if here.turn.rulings.chance.is_open(head):
        return Reason("17", f"'{head}' is open: what it brings is known and never named")
    return Reason("11", f"nothing comes up before seat {here.actor + 1} has decided: {here.open_now()}")


def _not_open(here: Decision, shape: _Shape, head: str) -> Reason:
    if shape.option:
        value = str(here.turn.rulings.options[shape.option]).lower()
        return Reason(shape.rule, f"'{head}' belongs to another answer to {shape.option}, which is {value}")
    return Reason(shape.rule, f"seat {here.actor + 1} has to decide something else here: {here.open_now()}")


# Reasons within one kind of move


def _missing(side: Side, cards: Sequence[str], rule: str) -> Reason | None:
    """Return that a hand cannot hold these cards, or nothing if it can."""
    hand = [*known(side.hand), *(side.pile.front if UNKNOWN in side.hand else ())]
    short = Counter(cards) - Counter(hand)
    if not short:
        return None
    card = next(iter(short))
    held = hand.count(card)
    number = f"only {held}" if held else "no"
    return Reason(rule, f"there is {number} {card} in the hand: {in_words(side.hand)}")


def _unknown(here: Decision, cards: Sequence[str], deck: str, rule: str) -> Reason | None:
    known = [card.id for card in here.turn.rulings.cards.values() if card.deck == deck]
    for card in cards:
        if card not in known:
            return Reason(rule, f"there is no card '{card}'{nearest(card, known)}")
    return None


def _give_up(here: Decision, rest: Sequence[str]) -> Reason | None:
    cards = [] if list(rest) == [NONE] else list(rest)
    most = here.turn.rulings.rules["give_up_most"]
    if len(cards) > most:
        return Reason("5.B", f"at most {most} cards can be given up in a round, not {len(cards)}")
    return _hand_cards(here, cards, "5.B")


def _hand_cards(here: Decision, cards: Sequence[str], rule: str) -> Reason | None:
    """Return what is wrong with cards named from the hand: unknown, or not held."""
    return _unknown(here, cards, ACTIONS, rule) or _missing(here.side, cards, rule)


def _hire(here: Decision, rest: Sequence[str]) -> Reason | None:
    rulings, traits, side = here.turn.rulings, here.side.traits, here.side
    kinds = [*rulings.types, "temps"]
    numbers, names = rest[::2], rest[1::2]
    if len(numbers) != len(names) or not all(number.isdecimal() for number in numbers):
        return Reason("5.B", "a hire is 'none' or numbers with types, as in 'hire 3 homeless 1 guardian'")
    for name in names:
        if name not in kinds:
            return Reason("5.B", f"there is no partner '{name}'{nearest(name, kinds)}")
    if names != [kind for kind in kinds if kind in names] or "0" in numbers:
        return Reason("5.B", f"types stand once each in the order {', '.join(kinds)}, with a number of at least 1")
    if "temps" in names and traits.temp_price is None:
        return Reason("2", f"{rulings.content.identities[side.identity].name} takes no temporary partners")
    wanted = dict(zip(names, map(int, numbers), strict=True))
    price = sum(traits.prices[rulings.place[name]] * number for name, number in wanted.items() if name != "temps")
    price += wanted.get("temps", 0) * (traits.temp_price or 0)
    if price > max(0, side.ap) and not rulings.options["hire_overdraft"]:
        return Reason("AB-Q12", f"that costs {price} AP, and there are {side.ap}")
    if rulings.cap is not None:
        counted = wanted if rulings.options["cap_counts_temps"] else {**wanted, "temps": 0}
        number = len(side.partners) + sum(counted.values())
        if number > rulings.cap:
            return Reason("AB-Q13", f"that would be {number} partners, and the cap is {rulings.cap}")
    return Reason("AB-Q7", "there are not enough partner cards left")


def _plan(here: Decision, rest: Sequence[str]) -> Reason | None:
    main = list(rest)
    temp: list[str] = []
    if "temp" in main:
        cut = main.index("temp")
        main, temp = main[:cut], main[cut + 1 :]
    teams = [part for part in (main, temp) if part and part != [NONE]]
    if any(len(part) != 2 for part in teams):
        return Reason("5.C", "a plan is 'none' or a card and its location, as in 'plan digging abyss'")
    fault = _unknown(here, [part[0] for part in teams], ACTIONS, "5.C")
    fault = fault or _missing(here.side, [part[0] for part in teams], "5.C")
    if fault is not None:
        return fault
    if temp and not any(" temp " in text for text in here.texts):
        return Reason("AB-Q41", "there is no second team: it takes temporary partners, and an identity that has them")
    for card, location in teams:
        limit = here.turn.rulings.cards[card].location
        if location not in (CITY, ABYSS):
            return Reason("1.5", f"'{location}' is no location; it is city or abyss")
        if limit not in (location, "any"):
            return Reason("5.C", f"{card} is used in the {limit}")
    return Reason("AB-Q16", f"a team without members stays in the City; open here: {here.open_now()}")


def _accept(here: Decision, rest: Sequence[str]) -> Reason | None:
    fault = _hand_cards(here, rest, "6.1")
    sizes = {len(text.split()) - 1 for text in here.texts if text.startswith("accept ")}
    if fault is None and len(rest) not in sizes:
        return Reason("6.1", f"the answer has as many cards as the offer: {min(sizes)}")
    return fault


def _chance(here: Decision, rest: Sequence[str], deck: str) -> Reason | None:
    unknown = _unknown(here, rest, deck, "11")
    return unknown or Reason("11", f"{' '.join(rest)} cannot come up here: {here.open_now()}")


class _Shape(NamedTuple):
    """How a kind of move is written, and who knows why it is not open."""

    rule: str
    """Rule that asks for such a move."""
    least: int = 0
    """Words after the first one."""
    most: int | None = 0
    """No limit when nothing."""
    reason: Callable[[Decision, Sequence[str]], Reason | None] | None = None
    chance: bool = False
    """It is an outcome of chance, no move."""
    option: str = ""
    """Option without which nothing asks for it."""


_SHAPES: Final[Mapping[str, _Shape]] = {
    "give_up": _Shape("5.B", 1, None, _give_up),
    "dismiss": _Shape("AB-Q14", 1, None, option="dismiss"),
    "hire": _Shape("5.B", 1, None, _hire),
    "plan": _Shape("5.C", 1, 5, _plan),
    "show": _Shape("5.F", 1, 1),
    "target": _Shape("6", 1, 2),
    "lose": _Shape("AB-Q29", 1, 1, option="assassination_chooser"),
    "give": _Shape("6", 1, 1, partial(_hand_cards, rule="6")),
    "take": _Shape("AB-Q30", 1, 1, option="theft_pick"),
    "treat": _Shape("AB-Q35", 1, None, option="treatment_scope"),
    "offer": _Shape("6.1", 1, None, partial(_hand_cards, rule="6.1")),
    "accept": _Shape("6.1", 1, None, _accept),
    "decline": _Shape("6.1"),
    "cash": _Shape("5.H"),
    "leave": _Shape("AB-Q37", option="treasure_cash"),
    "draw": _Shape("5.I"),
    "no_draw": _Shape("5.I"),
    "go_on": _Shape("17"),
    "actions": _Shape("11", 1, 1, partial(_chance, deck=ACTIONS), chance=True),
    "events": _Shape("11", 1, 1, partial(_chance, deck=EVENTS), chance=True),
    "picks": _Shape("11", 1, 1, partial(_chance, deck=ACTIONS), chance=True),
}
"""Every kind of move and outcome, by its first word."""
