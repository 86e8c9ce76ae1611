"""Instant operations on cards: hand, deck, discard pile, personal cards, sled cards.

One function for each op of ``ops.toml``; ``effects`` has the ops on the board and on dogs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from rules.core.steps import Move
from rules.iditacards.content import ALL, DESTROYED, UNTIL_DOG, Card, Rulings
from rules.iditacards.movement import draw
from rules.iditacards.risk import SECOND_STEPS, Args, Resolution, Signal, destroy, discard_by_effect, op, suspend
from rules.iditacards.seat import choose, count_dogs
from rules.iditacards.state import DONE, Put
from rules.iditacards.turn import Seat, Turn

# Hand, deck and discard pile


@op("draw")
def _draw(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    draw(turn, seat, args["n"] * (count_dogs(turn, seat) if args.get("per") == "dog" else 1))
    return None


@op("recover")
def _recover(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    recover(turn, seat, args["n"])
    return None


@op("recover_tag")
def _recover_tag(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    cards = [card for card in seat.discard if args["tag"] in turn.rulings.cards[card].tags]
    _recover_from(turn, seat, cards, len(cards), exact=not args.get("optional", False))
    return None


def recover(turn: Turn, seat: Seat, n: int) -> None:
    """Take up to n cards of the own discard pile back to the hand or the deck (op ``recover``, Q50, Q51)."""
    _recover_from(turn, seat, seat.discard, n, exact=turn.rulings.options["recover_amount"] == "exact")


def _recover_from(turn: Turn, seat: Seat, cards: Sequence[str], n: int, *, exact: bool) -> None:
    """Move chosen cards of the discard pile: first those to the hand, then those to the deck, card by card.

    Within each kind they are asked in ascending order, since two orders that give equal states are one choice (R75).
    Cards put on top of the deck are the exception: their order matters.
    """
    left = list(cards)
    n = min(n, len(left))
    on_top = turn.rulings.options["recover_to"] == "top"
    to_hand: list[str] = []
    to_deck: list[str] = []
    for missing in range(n, 0, -1):
        chosen = _choose_put(turn, seat, _recoverable(left, to_hand, to_deck, missing if exact else 0, on_top))
        if chosen is None:
            break
        left.remove(chosen.card)
        seat.discard.remove(chosen.card)
        (to_hand if chosen.verb == "recover" else to_deck).append(chosen.card)
    seat.hand.extend(to_hand)
    turn.emit("Q50", "recovers", seat=seat.index, hand=to_hand, deck=to_deck)
    if not to_deck:
        return
    if on_top:
        seat.deck[:0] = reversed(to_deck)
        if not turn.rulings.deck_open:
            seat.known += len(to_deck)
    else:
        turn.shuffle(seat, [*seat.deck, *to_deck])
        turn.emit("R72", "shuffles", seat=seat.index, cards=len(seat.deck))


def _recoverable(
    left: list[str], to_hand: list[str], to_deck: list[str], missing: int, on_top: bool
) -> Callable[[], list[Move]]:
    """Offer the next card to choose; ``missing`` cards must still be choosable, 0 if the player may stop."""

    def options() -> list[Move]:
        offered: list[Move] = []
        if not to_deck:
            # Whatever is left may still go to the deck, so ascending order alone never runs dry here.
            last = to_hand[-1] if to_hand else ""
            offered.extend(Put("recover", card) for card in sorted(set(left)) if card >= last)
        least = to_deck[-1] if to_deck and not on_top else ""
        offered.extend(
            Put("restore", card)
            for card in sorted({card for card in left if card >= least})
            if on_top or sum(other >= card for other in left) >= missing
        )
        return offered if missing else [*offered, DONE]

    return options


def _choose_put(turn: Turn, seat: Seat, options: Callable[[], Sequence[Move]]) -> Put | None:
    """Return the chosen card and its fate, or nothing when the player is done."""
    chosen = choose(turn, seat, options)
    return chosen if isinstance(chosen, Put) else None


@op("discard_to_deck")
def _discard_to_deck(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    if seat.discard:
        cards = [*seat.deck, *seat.discard]
        seat.discard = []
        turn.shuffle(seat, cards)
        turn.emit("R72", "shuffles", seat=seat.index, cards=len(cards))
    return None


@op("destroy_hand")
def _destroy_hand(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    turn.reveal(seat)
    cards, seat.hand = sorted(seat.hand), []
    for card in cards:
        destroy(turn, card)
    run.destroyed = len(cards)
    turn.emit("R38", "destroys", seat=seat.index, cards=cards)
    return None


@op("destroy_from_hand")
def _destroy_from_hand(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    gone: list[str] = []

    def options() -> list[Move]:
        return [*(Put("destroy", card) for card in seat.kinds() if not gone or card >= gone[-1]), DONE]

    for _ in range(min(args["n"], len(seat.hand))):
        chosen = _choose_put(turn, seat, options)
        if chosen is None:
            break
        seat.take(chosen.card)
        destroy(turn, chosen.card)
        gone.append(chosen.card)
    turn.emit("R38", "destroys", seat=seat.index, cards=gone)
    return None


@op("destroy_self")
def _destroy_self(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    run.frame.destroyed = True
    return None


# Personal cards: looking at the own deck


@op("heal")
def _heal(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    n, of = raised(turn, seat, run, "heal_bonus", args["n"], args["of"])
    looked = turn.deal_many(seat, _amount(of, seat.in_deck), "to look at")
    turn.emit("R41", "looks", seat=seat.index, cards=sorted(looked))
    _sort_out(turn, seat, looked, n)
    return None


@op("see")
def _see(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    _, of = raised(turn, seat, run, "heal_bonus", 0, args["n"])
    looked = turn.deal_many(seat, _amount(of, seat.in_deck), "to look at")
    seat.seen.extend(looked)
    turn.emit("R40", "sees", seat=seat.index, cards=sorted(looked))
    return None


@op("destroy_next")
def _wait_to_destroy(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    return suspend(run.frame, args["n"], run.destroyed)


@op("destroy_next", SECOND_STEPS)
def _destroy_next(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    n, _ = raised(turn, seat, run, "heal_bonus", args["n"], 0)
    looked, seat.seen = seat.seen, []
    _sort_out(turn, seat, looked, n)
    return None


def _sort_out(turn: Turn, seat: Seat, looked: Sequence[str], n: int | str) -> None:
    """Destroy up to n of the looked-at cards; each other one goes to the deck or where the ruleset says.

    Asked card by card, ascending; copies of a card in one order of fates, so that equal results come once.
    """
    quota = _amount(n, len(looked))
    rest = "keep" if turn.rulings.heal_rest == "hand" else "discard"
    order = ("destroy", rest, "return")
    fates: dict[str, list[str]] = {verb: [] for verb in order}
    previous = Put("destroy", "")
    for card in sorted(looked):

        def options(card: str = card, previous: Put = previous) -> list[Move]:
            first = order.index(previous.verb) if card == previous.card else 0
            if first == 0 and len(fates["destroy"]) >= quota:
                first = 1
            return [Put(verb, card) for verb in order[first:]]

        chosen = _choose_put(turn, seat, options)
        assert chosen is not None
        previous = chosen
        fates[chosen.verb].append(card)
    for card in fates["destroy"]:
        destroy(turn, card)
    turn.emit(
        "R41",
        "sorts_out",
        seat=seat.index,
        destroyed=fates["destroy"],
        kept=fates.get("keep", []),
        discarded=fates.get("discard", []),
        deck=fates["return"],
    )
    if fates["return"] or (looked and turn.rulings.options["reshuffle"] == "always"):
        turn.shuffle(seat, [*seat.deck, *fates["return"]])
        turn.emit("R72", "shuffles", seat=seat.index, cards=len(seat.deck))
    if rest == "keep":
        seat.hand.extend(fates[rest])
    else:
        discard_by_effect(turn, seat, fates[rest])


def _amount(n: int | str, available: int) -> int:
    return available if n == ALL else min(int(n), available)


_RAISED: Final = {"heal_bonus": "personal", "take_bonus": "sled"}
"""The type of cards whose numbers a bonus raises (R41)."""


def bonuses(rulings: Rulings, card: Card, bonus: str, in_play: Callable[[], Iterable[str]]) -> tuple[int, int]:
    """Return what the cards in play add to both numbers of a card's op (R41)."""
    holders = rulings.bonus[bonus]
    if not holders or card.type != _RAISED[bonus]:
        return 0, 0
    held = [holders[each] for each in in_play() if each in holders]
    return sum(each["n"] for each in held), sum(each["of"] for each in held)


def raised(turn: Turn, seat: Seat, run: Resolution, bonus: str, n: Any, of: Any) -> tuple[Any, Any]:
    """Return both numbers of an op with ``destroyed`` filled in and the bonuses in play added (R41, Q52)."""
    words = turn.rulings.options["bonus_on_words"] == "number_only"
    add_n, add_of = bonuses(turn.rulings, run.card, bonus, seat.in_play)

    def more(value: Any, add: int) -> Any:
        if value == DESTROYED:
            return run.destroyed + (add if words else 0)
        return value + add if isinstance(value, int) else value

    return more(n, add_n), more(of, add_of)


# Sled cards: gaining upgrades


@op("take")
def _take(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    n, of = raised(turn, seat, run, "take_bonus", args["n"], args["of"])
    if turn.rulings.take_from == "supply":
        add_to_supply(turn, seat, of)
        taken = _take_up_to(turn, seat, turn.supply, n)
    else:
        looked = _turn_over(turn, 0, of) if turn.upgrade else []
        turn.emit("Q46", "looks", seat=seat.index, cards=sorted(looked))
        taken = _take_up_to(turn, seat, looked, n)
        for card in looked:
            destroy(turn, card)
    seat.discard.extend(taken)
    turn.emit("Q46", "takes", seat=seat.index, cards=taken, zone="discard")
    return None


@op("supply")
def _supply(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    _, of = raised(turn, seat, run, "take_bonus", 0, args["n"])
    add_to_supply(turn, seat, of)
    return None


@op("take_next")
def _wait_to_take(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    n, _ = raised(turn, seat, run, "take_bonus", args["n"], 0)
    return None if n == 0 else suspend(run.frame, args["n"], run.destroyed)


@op("take_next", SECOND_STEPS)
def _take_next(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    run.destroyed = run.frame.n
    n, _ = raised(turn, seat, run, "take_bonus", args["n"], 0)
    taken = _take_up_to(turn, seat, turn.supply, n)
    seat.hand.extend(taken)
    turn.emit("Q46", "takes", seat=seat.index, cards=taken, zone="hand")
    return None


def add_to_supply(turn: Turn, seat: Seat, of: int | str) -> None:
    """Add cards of one upgrade deck of the player's choice, or of several, to the supply (Q48)."""
    if of == 0:
        return
    if turn.rulings.options["supply_deck"] == "any_mix":
        added: list[str] = []
        while (len(added) < of) if isinstance(of, int) else not _has_dog(turn, added):
            card = _turn_over_chosen(turn, seat, 1)
            if not card:
                break
            added.extend(card)
    else:
        added = _turn_over_chosen(turn, seat, of)
    turn.supply.extend(added)
    turn.emit("Q48", "supply_grows", seat=seat.index, cards=added)


def _turn_over_chosen(turn: Turn, seat: Seat, of: int | str) -> list[str]:
    names = turn.rulings.upgrade_decks
    refresh = turn.rulings.options["upgrade_refresh"]
    gone = {turn.rulings.cards[card].deck for card in turn.destroyed} if refresh else set()
    options = [Put("from", name) for index, name in enumerate(names) if turn.upgrade[index] or name in gone]
    if not options:
        return []
    chosen = choose(turn, seat, lambda: options)
    assert isinstance(chosen, Put)
    return _turn_over(turn, names.index(chosen.card), of)


def _turn_over(turn: Turn, index: int, of: int | str) -> list[str]:
    """Take the top cards of an upgrade deck: a number of them, or up to and including the first dog."""
    cards: list[str] = []
    refresh = turn.rulings.options["upgrade_refresh"]
    while (not _has_dog(turn, cards)) if of == UNTIL_DOG else len(cards) < int(of):
        if not turn.upgrade[index] and refresh:
            turn.refresh_upgrade(index)
        if not turn.upgrade[index]:
            break
        if of == UNTIL_DOG:
            cards.append(turn.deal_upgrade(index))
        else:
            cards.extend(turn.deal_upgrades(index, int(of) - len(cards)))
    return cards


def _has_dog(turn: Turn, cards: Sequence[str]) -> bool:
    return bool(cards) and turn.rulings.cards[cards[-1]].type == "dog"


def _take_up_to(turn: Turn, seat: Seat, source: list[str], n: int) -> list[str]:
    """Take up to n chosen cards out of ``source``, or exactly n where Q46 says so, in ascending order (R75)."""
    exact = turn.rulings.options["take_amount"] == "exact"
    taken: list[str] = []
    for missing in range(min(n, len(source)), 0, -1):
        chosen = _choose_put(turn, seat, _takes(source, taken, missing, exact))
        if chosen is None:
            break
        source.remove(chosen.card)
        taken.append(chosen.card)
    return taken


def _takes(source: list[str], taken: list[str], missing: int, exact: bool) -> Callable[[], list[Move]]:
    def options() -> list[Move]:
        kinds = sorted({card for card in source if not taken or card >= taken[-1]})
        if not exact:
            return [*(Put("take", card) for card in kinds), DONE]
        return [Put("take", card) for card in kinds if sum(other >= card for other in source) >= missing]

    return options
