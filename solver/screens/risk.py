"""The words and JSON of what may go wrong with cards that take several turns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from rules.core.position import Position
from solver.chances import Chance, Paying
from solver.render import EMPTY, Row, Style, table
from solver.risk import Risks
from solver.screens.common import count, facts_rows, information_text, percent
from solver.screens.data import head
from solver.screens.odds import bar, fraction_data

BETWEEN: Final = "Where no fraction is told, the chance of the best play is proved to be within what is."
BEST_PLAY: Final = "exact: of the best play, every choice made for this card alone, with what is seen on the way"
PAYING: Final = "one of the payments that have this chance: the one that leaves most to be played afterwards"
METHOD: Final = "when to stop: exact for a player who simply goes on and uses nothing that is drawn or looked at"


def risk_answer(position: Position, found: Risks) -> dict[str, Any]:
    """Return the answer of ``risk``; a chance that is not exact is left out in favour of its bounds."""
    return {
        **head("risk", position),
        "cards": [_chance(each) for each in found.chances],
        "position_code": position.code,
    }


def _chance(chance: Chance) -> dict[str, Any]:
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
    if chance.kept is not None:
        told["nothing_given_up"] = fraction_data(chance.kept)
    exact, plain = (_more_data(chance, exact=exact) for exact in (True, False))
    if exact:
        told["with_more_cards"] = exact
    if chance.plain is not None:
        turned_up = [
            {"card": each.card, "probability": str(each.probability), "chance": str(each.chance)}
            for each in chance.turned_up
        ]
        down = {"chance": fraction_data(chance.plain), "turned_up": turned_up, "with_more_cards": plain}
        told["face_down"] = down
    return told


def _more_data(chance: Chance, *, exact: bool) -> list[dict[str, Any]]:
    return [
        {"more": each.cards, "chance": str(each.chance), "decimal": float(each.chance)}
        for each in chance.with_more
        if each.exact == exact
    ]


def risk_rows(position: Position, found: Risks, style: Style) -> list[Row]:
    """Return the chances, the best first, each with a bar; then the best order, when to stop, what failing costs."""
    if not found.chances:
        facts = [("known", information_text(position)), ("code", position.code)]
        return [Row("No card in the hand takes more than one turn to come through."), EMPTY, *facts_rows(facts)]
    ranked = sorted(found.chances, key=lambda each: (-each.low, each.card))
    rows = [Row("Chance to come through when played now and continued on every turn", look="title"), EMPTY]
    rows += table([_line(each, style) for each in ranked], style, indent=2)
    bounded = [Row(f"{each.card}: {_bounded(each)}", indent=2) for each in ranked if not each.exact]
    if bounded:
        rows += [EMPTY, Row(BETWEEN, indent=2), *bounded]
    notes = [Row(f"{each.card}: {note}", indent=2) for each in ranked for note in _notes(each)]
    rows += [EMPTY, *notes] if notes else []
    for part in (_stop_rows(ranked, style), _more_rows(ranked, style)):
        rows += [EMPTY, *part] if part else []
    facts = [("chance", BEST_PLAY)] if all(each.exact for each in ranked) else []
    facts += [("pay", PAYING)] if any(each.paying and each.paying.paid for each in ranked) else []
    facts += [("method", METHOD)] if any(each.turned_up for each in ranked) else []
    untold = [each.card for each in ranked if not each.turned_up]
    facts += [("not told", f"for {' and '.join(untold)}: when to stop")] if untold else []
    facts += [("known", information_text(position)), ("code", position.code)]
    return [*rows, EMPTY, *facts_rows(facts)]


def _line(each: Chance, style: Style) -> tuple[str, ...]:
    """Return the cells of a card: with nothing given up first where that is known, since dogs are dear."""
    name = f"{each.card}{' (under way)' if each.under_way else ''}"
    if each.kept is not None:
        return name, bar(each.kept, style), percent(each.kept), str(each.kept), "nothing given up first"
    exact = str(each.low) if each.exact else ""
    return name, bar(each.low, style), _told(each), exact, "" if each.paying is None else _paying(each.paying)


def _notes(each: Chance) -> list[str]:
    """Return what giving something up first would add, and what who simply goes on has of a greater chance."""
    notes = []
    if each.kept is not None and each.paying is not None:
        notes.append(f"{percent(each.low)} ({each.low}) could be had with {_paying(each.paying)}")
    if each.exact and each.plain is not None and percent(each.low) != percent(each.plain):
        notes.append(_short_of_best(each, each.plain))
    return notes


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


def _stop_rows(ranked: Sequence[Chance], style: Style) -> list[Row]:
    """Return, by the first risk card turned up, when a card is as good as lost and how good it is otherwise.

    A card that has a chance, but none for whoever just goes on, is left out: to stop is no advice then.
    """
    cells = [
        (each.card, _stop(each))
        for each in ranked
        if each.turned_up and (not each.low or any(turned.chance for turned in each.turned_up))
    ]
    return [Row("When to stop", look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []


def _stop(chance: Chance) -> str:
    settled = chance.exact and chance.low == chance.plain
    lost = [each for each in chance.turned_up if not each.chance]
    others = sorted((each for each in chance.turned_up if each.chance), key=lambda each: (-each.chance, each.card))
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


def _gain(gain: Fraction) -> str:
    return f"{float(gain) * 100:+.1f} %" if gain else "no change"


def _more_rows(ranked: Sequence[Chance], style: Style) -> list[Row]:
    """Return what more cards in hand would change: exactly, or for who simply goes on where no more is known."""
    cells = [
        (
            each.card if place == 0 or style.plain else "",
            f"+{count(more.cards, 'card')}",
            f"{percent(more.chance)}{'' if more.exact else ' or more'}",
            _gain(more.chance - each.low),
        )
        for each in ranked
        for place, more in enumerate(each.with_more)
    ]
    head = "With more cards in hand that can pay"
    return [Row(head, look="title"), EMPTY, *table(cells, style, indent=2)] if cells else []
