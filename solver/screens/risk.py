"""The words and JSON of what may go wrong with cards that take several turns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from rules.core.position import Position
from rules.core.ventures import Course
from solver.answer import head
from solver.chances import Chance
from solver.courses import Prospect
from solver.paying import Paying
from solver.render import EMPTY, Row, Style, table
from solver.risk import Risks
from solver.screens.common import count, facts_rows, percent
from solver.screens.odds import bar, fraction_data
from solver.screens.plan import information_text

ORDERS: Final = 6
"""Orders that a screen has room for."""
NOTABLE: Final = Fraction(5, 100)
"""From how much on the best play is told apart from just going on."""
BETWEEN: Final = "Where no fraction is told, the chance of the best play is proved to be within what is."
BEST_PLAY: Final = "exact: of the best play, every choice made for this card alone, with what is seen on the way"
PAYING: Final = "one of the payments that have this chance: the one that leaves most to be played afterwards"
METHOD: Final = (
    "orders, stopping, costs and cards played first: exact for a player who uses nothing that is drawn or looked at"
)


def risk_answer(position: Position, found: Risks) -> dict[str, Any]:
    """Return the answer of ``risk``; a chance that is not exact is left out in favour of its bounds."""
    return {
        **head("risk", position),
        "cards": [_chance(each, found.prospects.of(each.card)) for each in found.chances],
        "orders": [_order(each) for each in found.prospects.orders],
        "prospects_complete": found.prospects.complete,
        "position_code": position.code,
    }


def _order(course: Course) -> dict[str, Any]:
    return {
        "order": list(course.cards),
        "chances": [fraction_data(course.chance(place)) for place in range(len(course.cards))],
        "all": fraction_data(course.all_come),
        "expected": fraction_data(course.expected),
        "turns": fraction_data(course.turns),
    }


def _chance(chance: Chance, prospect: Prospect | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "card": chance.card,
        "chance": str(chance.low) if chance.exact else None,
        "decimal": float(chance.low) if chance.exact else None,
        "method": chance.method,
        "under_way": chance.under_way,
    }
    if chance.plain is not None:
        told["plain"] = fraction_data(chance.plain)
    if not chance.exact:
        told["at_least"], told["at_most"] = fraction_data(chance.low), fraction_data(chance.high)
        if chance.because:
            told["because"] = chance.because
    if chance.paying is not None:
        told["paying"] = _paying_data(chance.paying)
    if chance.with_more:
        told["with_more_cards"] = [
            {
                "more": each.cards,
                "chance": str(each.chance),
                "decimal": float(each.chance),
                **({} if each.paying is None else {"paying": _paying_data(each.paying)}),
            }
            for each in chance.with_more
        ]
    return told if prospect is None else {**told, "face_down": _prospect(prospect)}


def _prospect(prospect: Prospect) -> dict[str, Any]:
    """Return what is told for a way to play that does not use what was drawn."""
    return {
        "chance": fraction_data(prospect.chance),
        "turned_up": [
            {"card": each.card, "probability": str(each.probability), "chance": str(each.chance)}
            for each in prospect.turned_up
        ],
        "fails": [
            {"turns": each.turns, "probability": str(each.chance), "cards": fraction_data(each.cards)}
            for each in prospect.failing
        ],
        "after": [{"first": each.first, "chance": str(each.chance)} for each in prospect.prepared],
        "with_more_cards": [{"more": more, "chance": str(value)} for more, value in prospect.with_more],
    }


def risk_rows(position: Position, found: Risks, style: Style) -> list[Row]:
    """Return the chances, the best first, each with a bar; then the best order, when to stop, what failing costs."""
    if not found.chances:
        facts = [("known", information_text(position)), ("code", position.code)]
        return [Row("No card in the hand takes more than one turn to come through."), EMPTY, *facts_rows(facts)]
    ranked = sorted(found.chances, key=lambda each: (-each.low, each.card))
    rows = [Row("Chance to come through when played now and continued on every turn", look="title"), EMPTY]
    cells = [
        (
            f"{each.card}{' (under way)' if each.under_way else ''}",
            bar(each.low, style),
            _told(each),
            str(each.low) if each.exact else "",
            "" if each.paying is None else _paying(each.paying),
        )
        for each in ranked
    ]
    rows += table(cells, style, indent=2)
    bounded = [Row(f"{each.card}: {_bounded(each)}", indent=2) for each in ranked if not each.exact]
    if bounded:
        rows += [EMPTY, Row(BETWEEN, indent=2), *bounded]
    told = [(each, prospect) for each in ranked if (prospect := found.prospects.of(each.card)) is not None]
    plainly = [
        Row(f"{each.card}: {_short_of_best(each, prospect.chance)}", indent=2)
        for each, prospect in told
        if each.exact and each.low - prospect.chance >= NOTABLE
    ]
    rows += [EMPTY, *plainly] if plainly else []
    for part in (
        _order_rows(found, style),
        _stop_rows(told, style),
        _failing_rows(told, style),
        _prepared_rows(told, style),
        _more_rows(ranked, found, style),
    ):
        rows += [EMPTY, *part] if part else []
    facts = [("chance", BEST_PLAY)] if all(each.exact for each in ranked) else []
    facts += [("pay", PAYING)] if any(each.paying and each.paying.paid for each in ranked) else []
    if told:
        left = "" if found.prospects.complete else "; not all of it was found before a limit, --time allows more"
        facts.append(("method", f"{METHOD}{left}"))
        if 1 < len(told) == len(found.chances) and not found.prospects.orders:
            facts.append(("order", "not all orders were compared; allow more with --time"))
    untold = [each.card for each in ranked if found.prospects.of(each.card) is None]
    if untold:
        facts.append(("not told", f"for {' and '.join(untold)}: when to stop, what failing costs, the best order"))
    facts += [("known", information_text(position)), ("code", position.code)]
    return [*rows, EMPTY, *facts_rows(facts)]


def _told(chance: Chance) -> str:
    """Return a chance, or the bounds that are proved, rounded away from each other."""
    if chance.exact:
        return percent(chance.low)
    if chance.high * 1000 > 999:
        return f"{percent(chance.low)} or more"
    digits = next((digits for digits in (1, 2, 3) if chance.high - chance.low > Fraction(2, 10 ** (digits + 2))), 4)
    least, most = floor(chance.low * 100 * 10**digits), ceil(chance.high * 100 * 10**digits)
    return f"{least / 10**digits:.{digits}f} to {most / 10**digits:.{digits}f} %"


def chances_so_far(chances: Sequence[Chance]) -> str:
    """Return a line about what is known while more is looked for."""
    told = ", ".join(f"{each.card} {_told(each)}" for each in sorted(chances, key=lambda each: (-each.low, each.card)))
    return f"so far: {told}; looking further, Ctrl-C ends with what is known"


def _bounded(chance: Chance) -> str:
    """Return what is known of a chance that is not exact, and why it is not."""
    known = [] if chance.plain is None else [f"exactly {chance.plain} ({percent(chance.plain)}) just going on"]
    missing = chance.because or "the exact chance was not found before a limit; allow more with --time"
    return "; ".join([*known, missing])


def _paying(paying: Paying) -> str:
    """Return how a card is begun with its chance."""
    new = [] if not paying.further else [count(paying.further, "new card")]
    paid = ", ".join([*paying.paid, *new]) or "nothing"
    return " ".join([*(f"{move}," for move in paying.before), f"pay {paid}"])


def _paying_data(paying: Paying) -> dict[str, Any]:
    return {"first": list(paying.before), "pay": list(paying.paid), "pay_new_cards": paying.further}


def _short_of_best(chance: Chance, plain: Fraction) -> str:
    """Return what who just goes on has of a chance that needs more than that."""
    return (
        f"just going on has {percent(plain)}, and what stands below is for that; the rest of the {percent(chance.low)} "
        "needs a free action, or a choice by what is drawn or looked at"
    )


def _order_rows(found: Risks, style: Style) -> list[Row]:
    """Return the orders of several cards, the best first."""
    cells = [
        (
            str(place),
            ", ".join(each.cards),
            f"{float(each.expected):.3f} of {len(each.cards)} come through",
            f"all of them {percent(each.all_come)}; {float(each.turns):.1f} turns",
        )
        for place, each in enumerate(found.prospects.orders[:ORDERS], start=1)
    ]
    return (
        [Row("Best order, one after the other", look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []
    )


def _stop_rows(told: Sequence[tuple[Chance, Prospect]], style: Style) -> list[Row]:
    """Return, by the first risk card turned up, when a card is as good as lost and how good it is otherwise.

    A card that has a chance, but none for whoever just goes on, is left out: to stop is no advice then.
    """
    advised = [
        (each, prospect)
        for each, prospect in told
        if prospect.turned_up and (not each.low or any(turned.chance for turned in prospect.turned_up))
    ]
    cells = [(each.card, _stop(each, prospect)) for each, prospect in advised]
    return [Row("When to stop", look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []


def _stop(chance: Chance, prospect: Prospect) -> str:
    settled = chance.exact and chance.low == prospect.chance
    lost = [each for each in prospect.turned_up if not each.chance]
    others = sorted((each for each in prospect.turned_up if each.chance), key=lambda each: (-each.chance, each.card))
    if not others:
        because = "it cannot come through" if settled else "no way is known to come through"
        return f"at once: {because}, whatever is turned up"
    told = []
    if lost:
        because = "it cannot come through then" if settled else "no way is known to come through then"
        likely = percent(sum((each.probability for each in lost), Fraction(0)))
        told.append(f"after {' or '.join(each.card for each in lost)} ({likely}): {because}")
    groups: dict[Fraction, list[str]] = {}
    for each in others:
        groups.setdefault(each.chance, []).append(each.card)
    on = [
        f"{percent(value)}{'' if settled or value == 1 else ' or more'} after {', '.join(cards)}"
        for value, cards in groups.items()
    ]
    going = "go on otherwise" if lost else "not after the first risk card: go on"
    return "; ".join([*told, f"{going}: {'; '.join(on)}"])


def _failing_rows(told: Sequence[tuple[Chance, Prospect]], style: Style) -> list[Row]:
    """Return on which turns cards may fail, and what is gone by then."""
    cells = [
        (
            _named(each, place, style),
            f"after {count(failing.turns, 'turn')}",
            bar(failing.chance, style),
            percent(failing.chance),
            f"{float(failing.cards):.1f} cards gone",
        )
        for each, prospect in told
        for place, failing in enumerate(prospect.failing)
    ]
    head = "What it costs when it fails: turns, and cards of hand and deck on average"
    return [Row(head, look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []


def _named(chance: Chance, place: int, style: Style) -> str:
    """Return the card that a row is about: in the first of its rows, or in all where nothing stands in columns."""
    return chance.card if place == 0 or style.plain else ""


def _prepared_rows(told: Sequence[tuple[Chance, Prospect]], style: Style) -> list[Row]:
    """Return the chances after another card was played first."""
    cells = []
    for each, prospect in told:
        ways = [
            (f"after {prepared.first}", percent(prepared.chance), _gain(prepared.chance - prospect.chance))
            for prepared in prospect.prepared
        ]
        if ways and each.low != prospect.chance:
            # Drawn cards are not used here, so that the chances at the top are no measure.
            ways.insert(0, ("played now", percent(prospect.chance), ""))
        cells += [(_named(each, place, style), *way) for place, way in enumerate(ways)]
    head = "With another card played first"
    return [Row(head, look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []


def _gain(gain: Fraction) -> str:
    return f"{float(gain) * 100:+.1f} %" if gain else "no change"


def _more_rows(ranked: Sequence[Chance], found: Risks, style: Style) -> list[Row]:
    """Return what more cards in hand would change: exactly, or for one way to play where that is all that is known."""
    cells = []
    for each in ranked:
        prospect = found.prospects.of(each.card)
        if each.with_more:
            steps = [(more.cards, more.chance, "", more.paying) for more in each.with_more]
        elif prospect is not None:
            steps = [(more, value, " or more", None) for more, value in prospect.with_more]
        else:
            steps = []
        for place, (more, value, least, paying) in enumerate(steps):
            cells.append(
                (
                    _named(each, place, style),
                    f"+{count(more, 'card')}",
                    f"{percent(value)}{least}",
                    _gain(value - each.low),
                    "" if paying is None else _paying(paying),
                )
            )
    head = "With more cards in hand that can pay"
    return [Row(head, look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []
