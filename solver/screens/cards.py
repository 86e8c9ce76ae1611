"""The words and JSON about single cards: what to pay with, whether a risk card comes through, and what threatens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from math import ceil, floor
from typing import Any, Final

from puzzles.puzzle import Objective
from rules.core.position import Position
from rules.core.race import Hazard
from rules.core.tools.output import picked, plain, stated
from rules.core.tools.rulebook import book_of
from solver.render import EMPTY, Row, bar, table
from solver.screens import common
from solver.screens.common import exact
from solver.tools.payment import Payment, PaymentReport
from solver.tools.risk import Chance, DrawReport, Paying, Risks

# Payments

SHOWN: Final = 8
"""Payments that a screen has room for."""


def pay_answer(position: Position, found: PaymentReport, keep: Sequence[str]) -> dict[str, Any]:
    """Return the answer of ``pay``: every payment that nothing beats, the best first."""
    best = found.payments[0]
    most = max((each.sign * each.value for each in found.payments if each.value is not None), default=0)
    every = [
        {
            "pay": list(each.paid),
            **picked(each, "keeps", "playable"),
            "gives_up": _difference(each.paid, best.paid),
            **exact("value", each.value),
            "loss": plain(None if each.value is None else most - each.sign * each.value),
            **picked(each, "is_settled"),
        }
        for each in found.payments
    ]
    data = {
        **picked(found, "card", "cost"),
        "keep": list(keep),
        "best": every[0],
        "payments": every,
        "considered": found.counted,
        "playable_when": "later" if found.waits else "next turn",
        "goal": None if found.goal is None else common.goal_data(found.goal),
        "plan_settled": not found.unsettled,
        "interrupted": found.interrupted,
    }
    return common.answer_of("pay", position, data)


def pay_rows(position: Position, found: PaymentReport) -> list[Row]:
    """Return the payments, the best first, with what each of the others gives up."""
    if not found.cost:
        return [Row(f"{found.card} costs no cards here.", look="title"), *common.known_rows(position)]
    best, *others = found.payments
    rows = [] if found.goal is None else [Row(common.goal_sentence(found.goal, position))]
    chosen = [
        ("plan", _plan(position, best, found)),
        ("keeps", ", ".join(best.keeps)),
        ("later" if found.waits else "next", f"playable: {', '.join(best.playable) or 'none of them'}"),
    ]
    pay = Row(f"{', '.join(best.paid)} for {found.card}", label="PAY", look="good")
    cells = [(", ".join(each.paid), *_instead(position, each, found)) for each in others[:SHOWN]]
    rows += [EMPTY, pay, EMPTY, *common.facts_rows(chosen), *_titled("Other ways that nothing beats", cells)]
    left = len(others) - SHOWN
    more = f"; {left} more {'is' if left == 1 else 'are'} as good as some way shown" if left > 0 else ""
    why = "its exact values were not found before a limit; allow more with --time" if found.unsettled else ""
    if position.players > 1:
        why = "what the others do, and who wins; 'bestline best' compares these moves by that"
    facts = [
        ("counted", f"{common.count(found.counted, 'way')} to pay{more}"),
        ("plan", f"not taken into account: {why}" if why else ""),
    ]
    return [*rows, *common.known_rows(position, facts)]


def _plan(position: Position, payment: Payment, found: PaymentReport) -> str:
    if (goal := found.goal) is None:
        return ""
    if payment.value is not None:
        return common.words_for(goal, position.game).value(payment.value)
    if not payment.is_settled:
        return "not settled as far as was looked"
    return common.UNCERTAIN if position.hidden and goal.objective is Objective.MIN_TURNS else "out of reach"


def _instead(position: Position, payment: Payment, found: PaymentReport) -> tuple[str, ...]:
    best = found.payments[0]
    gives, keeps = _difference(payment.paid, best.paid), _difference(payment.keeps, best.keeps)
    same = payment.value is not None and payment.value == best.value
    plan = "same plan" if same else _plan(position, payment, found)
    return (*([plan] if plan else []), f"gives up {', '.join(gives)}, keeps {', '.join(keeps)}")


def _difference(cards: Sequence[str], others: Sequence[str]) -> list[str]:
    return sorted((Counter(cards) - Counter(others)).elements())


# Risks

Threats = Sequence[tuple[int, Hazard]]
"""Hazards, each with its seat."""
BETWEEN: Final = "Where no fraction stands, the chance of the best play is proved to lie in that range."
BEST_PLAY: Final = "exact, for the best play: it chooses for this card alone, by what has come up"
PAYING: Final = "of the payments with this chance, the one that leaves most to play afterwards"
METHOD: Final = "when to stop: exact if you just go on and use nothing that you draw or look at"


def threat_answer(position: Position, threats: Threats) -> dict[str, Any]:
    """Return the answer of ``risk`` in a game whose dangers come by themselves; seats count from 0."""
    hazards = [
        {"seat": seat, **picked(each, "subject", "what", "rule"), **exact("chance", each.chance), "method": "exact"}
        for seat, each in threats
    ]
    return common.answer_of("risk", position, {"hazards": hazards})


def threat_rows(position: Position, threats: Threats) -> list[Row]:
    """Return the hazards, each with its seat and a bar."""
    threats = [each for each in threats if each[1].chance]
    name = position.game.profile.seat_name
    names = [f"{name(seat)}: " for seat in range(position.players)] if position.players > 1 else [""]
    chances = [(f"{names[seat]}{each.subject} {each.what}", each.chance) for seat, each in threats]
    headings = book_of(position.ruleset).rules
    rules = ", ".join(f"{rule} ({headings[rule].name})" for rule in dict.fromkeys(each.rule for _, each in threats))
    rows = _chance_table("What may happen before you decide again, as the table lies", chances)
    rows = rows or [Row("Nothing on the table is in danger now.")]
    return [*rows, *common.known_rows(position, [("by rule", rules)])]


def _titled(title: str, cells: Sequence[Sequence[str]], bars: int | None = None) -> list[Row]:
    """Return a table under its title, nothing where there are no cells."""
    return [EMPTY, Row(title, look="title"), EMPTY, *table(cells, indent=2, bars=bars)] if cells else []


def _chance_table(title: str, chances: Sequence[tuple[str, Fraction]]) -> list[Row]:
    return _titled(title, [(name, bar(chance), common.percent(chance), str(chance)) for name, chance in chances], 1)


# Draws


def draw_answer(position: Position, found: DrawReport) -> dict[str, Any]:
    """Return the answer of ``draw``: the chance of one of the cards, and of each of them alone."""
    data = {
        **picked(found, "seat", "deck", "size"),
        "next": found.number,
        **exact("chance", found.chance),
        "cards": [{"card": card, **exact("chance", chance)} for card, chance in found.each],
    }
    return common.answer_of("draw", position, data)


def draw_rows(position: Position, found: DrawReport) -> list[Row]:
    """Return the chance of each card, and first that of at least one of several."""
    number = min(found.number, found.size)
    cards = "the next card" if number == 1 else f"among the next {number:,} cards"
    title = f"Chance to be {cards} of the {found.deck}"
    some = [("one of them", found.chance)] if found.is_named and len(found.each) > 1 else []
    rest = 1 - sum((chance for _, chance in found.each), Fraction())
    back = [("the card put in", rest)] if rest and number == 1 and not found.is_named else []
    facts = [("deck", f"only {common.count(found.size, 'card')} can be told" if found.size < found.number else "")]
    return [*_chance_table(title, [*some, *found.each, *back]), *common.known_rows(position, facts)]


# Cards


def risk_answer(position: Position, found: Risks) -> dict[str, Any]:
    """Return the answer of ``risk``; a chance that is not exact is left out in favour of its bounds."""
    return common.answer_of("risk", position, {"cards": [_chance_data(each) for each in found.chances]})


def _chance_data(chance: Chance) -> dict[str, Any]:
    begin, plain_chance = chance.paying, None if chance.plain is None else exact("exact", chance.plain)
    more: dict[bool, list[Any]] = {True: [], False: []}
    for each in chance.with_more:
        more[each.exact].append({"more": each.cards, **exact("chance", each.chance)})
    bounds = {"at_least": exact("exact", chance.low), "at_most": exact("exact", chance.high)}
    face_down = {
        "chance": plain_chance,
        "turned_up": [picked(each, "card", "probability", "chance") for each in chance.turned_up],
        "with_more_cards": more[False],
    }
    return {
        "card": chance.card,
        **exact("chance", chance.low if chance.exact else None),
        "method": "exact" if chance.exact else "bounds",
        "under_way": chance.under_way,
        **stated(plain=plain_chance),
        **({} if chance.exact else {**bounds, **stated(because=chance.because)}),
        **stated(paying=begin and {"first": begin.before, "pay": begin.paid, "pay_new_cards": begin.further}),
        **stated(nothing_given_up=None if chance.kept is None else exact("exact", chance.kept)),
        **({"with_more_cards": more[True]} if more[True] else {}),
        **stated(face_down=plain_chance and face_down),
    }


def risk_rows(position: Position, found: Risks) -> list[Row]:
    """Return the chances, the best first, each with a bar; then the best order, when to stop, what failing costs."""
    if not found.chances:
        return [Row("No card in the hand takes more than one turn to come through."), *common.known_rows(position)]
    ranked = sorted(found.chances, key=lambda each: (-(each.low if each.kept is None else each.kept), each.card))
    title = "Chance to come through when played now and continued on every turn"
    rows = [*_titled(title, [_cells(each) for each in ranked], 1), EMPTY]
    bounded = [Row(_reason(each), indent=2) for each in ranked if not each.exact]
    rows += [Row(BETWEEN, indent=2), *bounded, EMPTY] if bounded else []
    rows += [Row(f"{each.card}: {note}", indent=2) for each in ranked for note in _notes(each)]
    # A card that has a chance, but none for plain continuation, is left out: to stop is no advice then.
    told = [each for each in ranked if each.turned_up and (not each.low or any(up.chance for up in each.turned_up))]
    rows += _titled("When to stop", [(each.card, _stop(each)) for each in told])
    more_cells = [
        (
            each.card,
            f"+{common.count(more.cards, 'card')}",
            f"{common.percent(more.chance)}{'' if more.exact else ' or more'}",
            f"{float(more.chance - each.low) * 100:+.1f} %" if more.chance != each.low else "no change",
        )
        for each in ranked
        for more in each.with_more
    ]
    rows += [*_titled("With more cards in hand that can pay", more_cells), EMPTY, *common.picture_rows(position)]
    without = " and ".join(each.card for each in ranked if not each.turned_up)
    facts = [
        ("chance", BEST_PLAY if all(each.exact for each in ranked) else ""),
        ("pay", PAYING if any(each.paying and each.paying.paid for each in ranked) else ""),
        ("method", METHOD if any(each.turned_up for each in ranked) else ""),
        ("not told", f"for {without}: when to stop" if without else ""),
    ]
    return [*rows, *common.known_rows(position, facts)]


def _cells(each: Chance) -> tuple[str, ...]:
    """Return the cells of a card: with nothing given up first where that is known, since dogs are dear."""
    name = f"{each.card}{' (under way)' if each.under_way else ''}"
    if each.kept is not None:
        return name, bar(each.kept), common.percent(each.kept), str(each.kept), "nothing given up first"
    drawn, exact = bar(each.low, (each.low, each.high)), str(each.low) if each.exact else ""
    return name, drawn, _chance_text(each), exact, "" if each.paying is None else _paying(each.paying)


def _notes(each: Chance) -> list[str]:
    """Return what giving something up first would add, and what plain continuation has of a greater chance."""
    notes = []
    if each.kept is not None and each.paying is not None:
        notes.append(f"{common.percent(each.low)} ({each.low}) could be had with {_paying(each.paying)}")
    if each.exact and each.plain is not None and common.percent(each.low) != common.percent(each.plain):
        notes.append(
            f"just going on has {common.percent(each.plain)}, and what stands below is for that; the rest of the "
            f"{common.percent(each.low)} needs a free action, or a choice by what is drawn or looked at"
        )
    return notes


def _chance_text(chance: Chance) -> str:
    """Return a chance, or the bounds that are proved, rounded away from each other."""
    if chance.exact:
        return common.percent(chance.low)
    if not chance.low and chance.high == 1:
        return "nothing proved yet"
    if chance.high * 1000 > 999:
        return f"{common.percent(chance.low)} or more"
    digits = next((digits for digits in (1, 2, 3) if chance.high - chance.low > Fraction(2, 10 ** (digits + 2))), 4)
    least, most = floor(chance.low * 100 * 10**digits), ceil(chance.high * 100 * 10**digits)
    return f"{least / 10**digits:.{digits}f} to {most / 10**digits:.{digits}f} %"


def _reason(chance: Chance) -> str:
    plain = "" if chance.plain is None else f"exactly {chance.plain} ({common.percent(chance.plain)}) just going on; "
    return f"{chance.card}: {plain}{chance.because or 'the exact chance was not found in time; --time allows more'}"


def _paying(paying: Paying) -> str:
    new = [common.count(paying.further, "new card")] if paying.further else []
    return " ".join([*(f"{move}," for move in paying.before), f"pay {', '.join([*paying.paid, *new]) or 'nothing'}"])


def _stop(chance: Chance) -> str:
    settled = chance.exact and chance.low == chance.plain
    because = "it cannot come through" if settled else "no way is known to come through"
    lost = [each for each in chance.turned_up if not each.chance]
    alive = sorted((each for each in chance.turned_up if each.chance), key=lambda each: (-each.chance, each.card))
    on = [
        f"{common.percent(value)}{'' if settled or value == 1 else ' or more'} after {', '.join(up.card for up in ups)}"
        for value, ups in groupby(alive, lambda each: each.chance)
    ]
    if not on:
        return f"at once: {because}, whatever is turned up"
    if not lost:
        return f"go on, whatever is turned up: {'; '.join(on)}"
    likely = common.percent(sum((each.probability for each in lost), Fraction(0)))
    names = " or ".join(each.card for each in lost)
    return f"after {names} ({likely}): {because} then; go on otherwise: {'; '.join(on)}"
