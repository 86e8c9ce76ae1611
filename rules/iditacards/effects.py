"""What the instant operations of cards do: one function for each op of ``ops.toml``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from rules.core.scripts import Move
from rules.iditacards.content import ALL, CONDITIONS, DESTROYED, UNTIL_DOG
from rules.iditacards.movement import gain, is_blocked, move, new_day, travel
from rules.iditacards.risk import OPS, SECOND_STEPS, Args, Resolution, Signal
from rules.iditacards.seat import (
    Kill,
    can_die,
    capped,
    choose,
    count_dogs,
    damage,
    destroy,
    discard_by_effect,
    draw,
    kill,
    kill_one,
    kills,
    lower,
    mortal,
    shielded_from,
)
from rules.iditacards.state import in_play
from rules.iditacards.turn import DONE, Put, Seat, Turn

# Movement


def _move(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    for _ in range(args.get("times", 1)):
        move(turn, seat, args["n"], card=run.card, double=args.get("double", False))


def _move_back(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    if not is_blocked(turn, seat):
        travel(turn, seat, args["n"], run.card, back=True)


def _freeze(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    turn.freeze = True
    turn.emit("R44", "freezes", seat=seat.index)


# Conditions, damage, immunity, free costs


def _named(turn: Turn, seat: Seat, run: Resolution, who: str) -> list[Seat]:
    """Return the players an op names, in seat order from its player, those left out whom immunity protects (R67)."""
    seats = turn.seats_from(seat)
    if who == "self":
        seats = [seat]
    elif who in ("others", "one_other"):
        seats = [other for other in seats if other is not seat]
    elif who == "leader":
        front = max(other.pos for other in turn.seats)
        leaders = [other for other in seats if other.pos == front]
        seats = leaders if len(leaders) == 1 or turn.rulings.options["leader_tie"] == "all_tied" else []
    seats = [other for other in seats if not shielded_from(turn, seat, run.card.type, other)]
    if who == "one_other" and seats:
        options = [Put("target", str(other.index)) for other in sorted(seats, key=lambda other: other.index)]
        seats = [turn.seats[int(chosen.card)] for chosen in _picked(turn, seat, 1, lambda: options)]
    return seats


def _picked(turn: Turn, seat: Seat, n: int, options: Callable[[], Sequence[Move]]) -> Iterator[Put]:
    """Yield up to n choices of a card and its fate, until the player is done."""
    for _ in range(n):
        chosen = choose(turn, seat, options)
        if not isinstance(chosen, Put):
            return
        yield chosen


def _damage(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    for other in _named(turn, seat, run, args["who"]):
        damage(turn, other, args["n"], "R56")


def _change(kind: str, turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    for other in _named(turn, seat, run, args["who"]):
        if args["n"] < 0:
            lower(other, kind, -args["n"])
            turn.emit("R48", "loses", seat=other.index, condition=kind, n=-args["n"], value=getattr(other, kind))
        else:
            gain(turn, other, kind, args["n"])


def _clear(kind: str, turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    setattr(seat, kind, 0)
    turn.emit("R48", "cleared", seat=seat.index, condition=kind)


def _to_leg(kind: str, turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    for other in _named(turn, seat, run, args["who"]):
        number = turn.rulings.leg_number(turn.leg(other), kind) or 0
        value = capped(turn, max(getattr(other, kind), number))
        setattr(other, kind, value)
        turn.emit("R49", "to_leg", seat=other.index, condition=kind, value=value)


def _immune(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    for other in _named(turn, seat, run, args["who"]):
        other.immune = True
        turn.emit("R67", "immune", seat=other.index)


def _free_cost(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    setattr(seat, f"free_{args['cost']}", "armed" if args["until"] == "next_turn" else "on")
    turn.emit("R18", "free_cost", seat=seat.index, cost=args["cost"], until=args["until"])


# Killing dogs


def _kill_dog(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    if args["who"] == "self" and args.get("required"):
        _price(turn, seat, run)
        return
    for other in _named(turn, seat, run, args["who"]):
        kill_one(turn, other)


def _price(turn: Turn, seat: Seat, run: Resolution) -> None:
    """Kill an own dog as the price of the rest of the card (Q36, Q37)."""
    run.signal = Signal.SKIP_REST
    if not mortal(turn, seat):
        turn.emit("Q36", "price_unpaid", seat=seat.index)
        return
    if turn.rulings.options["required_kill"] == "optional":
        chosen = choose(turn, seat, lambda: [*kills(turn, seat), DONE])
        if not isinstance(chosen, Kill):
            return
        died: bool | None = kill(turn, seat, chosen.dog)
    else:
        died = kill_one(turn, seat)
    if died or turn.rulings.options["shield_pays"]:
        run.signal = None
    else:
        turn.emit("Q37", "price_unpaid", seat=seat.index)


def _kill_any_dog(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    several = len(turn.seats) > 1

    def options() -> list[Move]:
        kills = {
            Kill(dog, other.index if several else None)
            for other in turn.seats
            if not shielded_from(turn, seat, run.card.type, other)
            for dog in other.dogs
            if can_die(turn, dog)
            and ("fake" in turn.rulings.cards[dog.dog].tags if args["filter"] == "fake" else dog.attachments)
        }
        return sorted(kills, key=lambda kill: kill.text)

    chosen = choose(turn, seat, options) if options() else None
    if isinstance(chosen, Kill):
        owner = seat if chosen.owner is None else turn.seats[chosen.owner]
        kill(turn, owner, chosen.dog)


def _new_day(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    if not seat.finished:
        takes_part = new_day(turn, seat, by_card=True)
        run.signal = Signal.DAY_ENDED if takes_part else Signal.FINISHED_AT_DAY_END


# Hand, deck and discard pile


def _draw(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    draw(turn, seat, args["n"] * (count_dogs(turn, seat) if args.get("per") == "dog" else 1))


def _recover(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    recover(turn, seat, args["n"])


def _recover_tag(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    cards = [card for card in seat.discard if args["tag"] in turn.rulings.cards[card].tags]
    _recover_from(turn, seat, cards, len(cards), exact=not args.get("optional", False))


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

    def options() -> list[Move]:
        # Whatever is left may still go to the deck, so ascending order alone never runs dry for the hand.
        last, least = max(to_hand, default=""), "" if on_top else max(to_deck, default="")
        hand = [] if to_deck else [card for card in sorted(set(left)) if card >= last]
        deck = sorted({card for card in left if card >= least})
        if exact and not on_top:
            deck = [card for card in deck if _lasts(left, card, n - len(to_hand) - len(to_deck))]
        puts: list[Move] = [Put("recover", card) for card in hand]
        return [*puts, *(Put("restore", card) for card in deck), *([] if exact else [DONE])]

    for chosen in _picked(turn, seat, n, options):
        left.remove(chosen.card)
        seat.discard.remove(chosen.card)
        (to_hand if chosen.verb == "recover" else to_deck).append(chosen.card)
    seat.hand.extend(to_hand)
    turn.emit("Q50", "recovers", seat=seat.index, hand=to_hand, deck=to_deck)
    if to_deck and on_top:
        seat.deck[:0] = reversed(to_deck)
        seat.known += 0 if turn.rulings.deck_open else len(to_deck)
    elif to_deck:
        _shuffle_in(turn, seat, to_deck)


def _lasts(cards: Sequence[str], card: str, n: int) -> bool:
    """Return whether n cards can be taken in ascending order when ``card`` comes first."""
    return sum(other >= card for other in cards) >= n


def _shuffle_in(turn: Turn, seat: Seat, cards: Sequence[str]) -> None:
    turn.shuffle(seat, [*seat.deck, *cards])
    turn.emit("R72", "shuffles", seat=seat.index, cards=len(seat.deck))


def _discard_to_deck(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    if seat.discard:
        cards, seat.discard = seat.discard, []
        _shuffle_in(turn, seat, cards)


def _destroy_hand(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    turn.reveal(seat)
    cards, seat.hand = sorted(seat.hand), []
    for card in cards:
        destroy(turn, card)
    run.destroyed = len(cards)
    turn.emit("R38", "destroys", seat=seat.index, cards=cards)


def _destroy_from_hand(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    gone: list[str] = []

    def options() -> list[Move]:
        return [*(Put("destroy", card) for card in seat.kinds() if card >= max(gone, default="")), DONE]

    for chosen in _picked(turn, seat, min(args["n"], len(seat.hand)), options):
        seat.take(chosen.card)
        destroy(turn, chosen.card)
        gone.append(chosen.card)
    turn.emit("R38", "destroys", seat=seat.index, cards=gone)


def _destroy_self(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    run.frame.destroyed = True


# Personal cards: looking at the own deck


_RAISED: Final = {"heal_bonus": "personal", "take_bonus": "sled"}
"""The type of cards whose numbers a bonus raises (R41)."""


def _raised(turn: Turn, seat: Seat, run: Resolution, bonus: str, part: str, value: Any) -> Any:
    """Return a number of an op with ``destroyed`` filled in and what the cards in play add to it (R41, Q52).

    ``part`` is the key of the bonus that adds to it.
    """
    add = 0
    holders = turn.rulings.numbers[bonus]
    if holders and run.card.type == _RAISED[bonus]:
        add = sum([turn.rulings.cards[card].passive[bonus][part] for card in in_play(seat.dogs) if card in holders])
    if value == DESTROYED:
        return run.destroyed + (add if turn.rulings.options["bonus_on_words"] == "number_only" else 0)
    return value + add if isinstance(value, int) else value


def _look(turn: Turn, seat: Seat, run: Resolution, of: int | str) -> list[str]:
    """Take the cards on top of the own deck that a card looks at."""
    of = _raised(turn, seat, run, "heal_bonus", "of", of)
    return turn.deal_many(seat, _amount(of, seat.in_deck), "to look at")


def _amount(n: int | str, available: int) -> int:
    return available if n == ALL else min(int(n), available)


def _heal(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    n = _raised(turn, seat, run, "heal_bonus", "n", args["n"])
    looked = _look(turn, seat, run, args["of"])
    turn.emit("R41", "looks", seat=seat.index, cards=sorted(looked))
    _sort_out(turn, seat, looked, n)


def _see(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    looked = _look(turn, seat, run, args["n"])
    seat.seen.extend(looked)
    turn.emit("R40", "sees", seat=seat.index, cards=sorted(looked))


def _wait_to_destroy(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    _suspend(run, args["n"])


def _destroy_next(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    looked, seat.seen = seat.seen, []
    _sort_out(turn, seat, looked, _raised(turn, seat, run, "heal_bonus", "n", args["n"]))


def _suspend(run: Resolution, n: int | str) -> None:
    """Let a frame wait for its second step on the next own turn (R40)."""
    run.frame.step = "second"
    run.frame.n = run.destroyed if n == DESTROYED else 0
    run.signal = Signal.SUSPEND


def _sort_out(turn: Turn, seat: Seat, looked: Sequence[str], n: int | str) -> None:
    """Destroy up to n of the looked-at cards; each other one goes to the deck or where the ruleset says.

    Asked card by card, ascending; copies of a card in one order of fates, so that equal results come once.
    """
    quota = _amount(n, len(looked))
    rest = "keep" if turn.rulings.rules.heal_rest == "hand" else "discard"
    order = ("destroy", rest, "return")
    fates: dict[str, list[str]] = {verb: [] for verb in ("destroy", "keep", "discard", "return")}
    previous = Put("destroy", "")

    def options() -> list[Move]:
        card = looked[sum(map(len, fates.values()))]
        first = order.index(previous.verb) if card == previous.card else 0
        if first == 0 and len(fates["destroy"]) >= quota:
            first = 1
        return [Put(verb, card) for verb in order[first:]]

    looked = sorted(looked)
    for previous in _picked(turn, seat, len(looked), options):
        fates[previous.verb].append(previous.card)
    destroyed, kept, discarded, deck = fates.values()
    for card in destroyed:
        destroy(turn, card)
    turn.emit("R41", "sorts_out", seat=seat.index, destroyed=destroyed, kept=kept, discarded=discarded, deck=deck)
    if deck or (looked and turn.rulings.options["reshuffle"] == "always"):
        _shuffle_in(turn, seat, deck)
    seat.hand.extend(kept)
    discard_by_effect(turn, seat, discarded)


# Sled cards: gaining upgrades


def _take(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    n, of = (_raised(turn, seat, run, "take_bonus", part, args[part]) for part in ("n", "of"))
    if turn.rulings.rules.take_from == "supply":
        _add_to_supply(turn, seat, of)
        taken = _take_up_to(turn, seat, turn.supply, n)
    else:
        looked = _turn_over(turn, 0, of) if turn.upgrade else []
        turn.emit("Q46", "looks", seat=seat.index, cards=sorted(looked))
        taken = _take_up_to(turn, seat, looked, n)
        for card in looked:
            destroy(turn, card)
    seat.discard.extend(taken)
    turn.emit("Q46", "takes", seat=seat.index, cards=taken, zone="discard")


def _supply(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    _add_to_supply(turn, seat, _raised(turn, seat, run, "take_bonus", "of", args["n"]))


def _wait_to_take(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    if _raised(turn, seat, run, "take_bonus", "n", args["n"]):
        _suspend(run, args["n"])


def _take_next(turn: Turn, seat: Seat, run: Resolution, args: Args) -> None:
    run.destroyed = run.frame.n
    taken = _take_up_to(turn, seat, turn.supply, _raised(turn, seat, run, "take_bonus", "n", args["n"]))
    seat.hand.extend(taken)
    turn.emit("Q46", "takes", seat=seat.index, cards=taken, zone="hand")


def _add_to_supply(turn: Turn, seat: Seat, of: int | str) -> None:
    """Add cards of one upgrade deck of the player's choice, or of several, to the supply (Q48)."""
    if of == 0:
        return
    added: list[str] = []
    each = 1 if turn.rulings.options["supply_deck"] == "any_mix" else of
    while cards := _turn_over_chosen(turn, seat, each):
        added.extend(cards)
        if each == of or _is_enough(turn, added, of):
            break
    turn.supply.extend(added)
    turn.emit("Q48", "supply_grows", seat=seat.index, cards=added)


def _turn_over_chosen(turn: Turn, seat: Seat, of: int | str) -> list[str]:
    names = turn.rulings.upgrade_decks
    refresh = turn.rulings.options["upgrade_refresh"]
    gone = {turn.rulings.cards[card].deck for card in turn.destroyed} if refresh else set()
    options = [Put("from", name) for index, name in enumerate(names) if turn.upgrade[index] or name in gone]
    if not options:
        return []
    (chosen,) = _picked(turn, seat, 1, lambda: options)
    return _turn_over(turn, names.index(chosen.card), of)


def _turn_over(turn: Turn, index: int, of: int | str) -> list[str]:
    """Take the top cards of an upgrade deck: a number of them, or up to and including the first dog."""
    cards: list[str] = []
    while not _is_enough(turn, cards, of):
        if not turn.upgrade[index] and turn.rulings.options["upgrade_refresh"]:
            turn.refresh_upgrade(index)
        if not turn.upgrade[index]:
            break
        cards.extend(turn.deal_upgrades(index, 1 if of == UNTIL_DOG else int(of) - len(cards)))
    return cards


def _is_enough(turn: Turn, cards: Sequence[str], of: int | str) -> bool:
    """Return whether cards turned over are as many as wanted, or end with the first dog."""
    if of == UNTIL_DOG:
        return bool(cards) and turn.rulings.cards[cards[-1]].type == "dog"
    return len(cards) >= int(of)


def _take_up_to(turn: Turn, seat: Seat, source: list[str], n: int) -> list[str]:
    """Take up to n chosen cards out of ``source``, or exactly n where Q46 says so, in ascending order (R75)."""
    exact = turn.rulings.options["take_amount"] == "exact"
    n = min(n, len(source))
    taken: list[str] = []

    def options() -> list[Move]:
        least = max(taken, default="")
        kinds = sorted({card for card in source if card >= least})
        if not exact:
            return [*(Put("take", card) for card in kinds), DONE]
        return [Put("take", card) for card in kinds if _lasts(source, card, n - len(taken))]

    for chosen in _picked(turn, seat, n, options):
        source.remove(chosen.card)
        taken.append(chosen.card)
    return taken


def leg_at_turn_end(turn: Turn, seat: Seat) -> None:
    """Let the leg of a player give cards at the end of a turn (R16)."""
    effects = turn.leg(seat).passive
    if "leg_turn_end_recover" in effects:
        recover(turn, seat, effects["leg_turn_end_recover"]["n"])
    if "leg_turn_end_draw" in effects:
        draw(turn, seat, effects["leg_turn_end_draw"]["n"])


OPS.update(
    {
        "move": _move,
        "move_back": _move_back,
        "freeze": _freeze,
        "damage": _damage,
        "immune": _immune,
        "free_cost": _free_cost,
        "kill_dog": _kill_dog,
        "kill_any_dog": _kill_any_dog,
        "new_day": _new_day,
        "draw": _draw,
        "recover": _recover,
        "recover_tag": _recover_tag,
        "discard_to_deck": _discard_to_deck,
        "destroy_hand": _destroy_hand,
        "destroy_from_hand": _destroy_from_hand,
        "destroy_self": _destroy_self,
        "heal": _heal,
        "see": _see,
        "destroy_next": _wait_to_destroy,
        "take": _take,
        "supply": _supply,
        "take_next": _wait_to_take,
        **{kind: partial(_change, kind) for kind in CONDITIONS},
        **{f"clear_{kind}": partial(_clear, kind) for kind in CONDITIONS},
        **{f"{kind}_to_leg": partial(_to_leg, kind) for kind in CONDITIONS},
    }
)
SECOND_STEPS.update({"destroy_next": _destroy_next, "take_next": _take_next})
