"""What the instant operations of cards do: one method for each op of ``ops.toml``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from functools import partialmethod
from typing import Any, Final

from rules.core.scripts import Move
from rules.iditacards.content import ALL, DESTROYED, UNTIL_DOG, Card, Effect
from rules.iditacards.movement import MovingTurn
from rules.iditacards.seat import Kill, lower
from rules.iditacards.state import in_play
from rules.iditacards.turn import DONE, OpenFrame, Put, Seat, Stop

_RAISED: Final = {"heal_bonus": "personal", "take_bonus": "sled"}
"""The type of cards whose numbers a bonus raises (R41)."""


class Signal(Enum):
    """What an op says about the rest of its card."""

    SKIP_REST = auto()
    """The rest of the list is skipped for this time (a price not paid)."""
    SUSPEND = auto()
    """The card waits for its second step (R40)."""
    FINISHED_AT_DAY_END = auto()
    """A new day was called and the player finished in it: the card completes (R36 step 5)."""
    DAY_ENDED = auto()
    """The card is gone into the new day's deck (R36 step 5)."""


class Resolution:
    """One run of a card's list of ops, each a method of its name that takes the keys of the op.

    Of a second-step op that is the first step; ``_then`` and its name is what it does on the later turn.
    """

    def __init__(self, turn: CardTurn, seat: Seat, card: Card, frame: OpenFrame) -> None:
        self.turn, self.seat, self.card, self.frame = turn, seat, card, frame
        self.options = turn.rulings.options
        self.destroyed = 0
        """Cards destroyed by ``destroy_hand`` in this run."""
        self.signal: Signal | None = None
        """What the last op said about the rest of the card."""

    def carry_out(self, effect: Effect) -> None:
        """Do what an op does when its card resolves."""
        getattr(self, f"_{effect.op}")(**effect.args)

    def second_step(self) -> None:
        """Do what the card left for this turn (R40)."""
        for effect in self.card.instant:
            if (step := getattr(self, f"_then_{effect.op}", None)) is not None:
                step(**effect.args)
                return

    # Movement

    def _move(self, n: int, times: int = 1, double: bool = False) -> None:
        for _ in range(times):
            self.turn.move(self.seat, n, card=self.card, double=double)

    def _move_back(self, n: int) -> None:
        if not self.turn.is_blocked(self.seat):
            self.turn.travel(self.seat, n, self.card, back=True)

    def _freeze(self, **_: Any) -> None:
        self.turn.freeze = True
        self.turn.emit("R44", "freezes", seat=self.seat.index)

    # Conditions, damage, immunity, free costs

    def _named(self, who: str) -> list[Seat]:
        """Return the players an op names, in seat order from its player, but those whom immunity protects (R67)."""
        turn, seat = self.turn, self.seat
        seats = turn.seats_from(seat)
        if who == "self":
            seats = [seat]
        elif who in ("others", "one_other"):
            seats = [other for other in seats if other is not seat]
        elif who == "leader":
            front = max(other.pos for other in turn.seats)
            leaders = [other for other in seats if other.pos == front]
            seats = leaders if len(leaders) == 1 or self.options["leader_tie"] == "all_tied" else []
        seats = [other for other in seats if not turn.shielded_from(seat, self.card.type, other)]
        if who == "one_other" and seats:
            options = [Put("target", str(other.index)) for other in sorted(seats, key=lambda other: other.index)]
            seats = [turn.seats[int(chosen.card)] for chosen in turn.picked(seat, 1, lambda: options)]
        return seats

    def _damage(self, n: int, who: str) -> None:
        for other in self._named(who):
            self.turn.damage(other, n, "R56")

    def _change(self, kind: str, n: int, who: str) -> None:
        for other in self._named(who):
            if n < 0:
                lower(other, kind, -n)
                self.turn.emit("R48", "loses", seat=other.index, condition=kind, n=-n, value=getattr(other, kind))
            else:
                self.turn.gain(other, kind, n)

    def _clear(self, kind: str) -> None:
        setattr(self.seat, kind, 0)
        self.turn.emit("R48", "cleared", seat=self.seat.index, condition=kind)

    def _to_leg(self, kind: str, who: str) -> None:
        turn = self.turn
        for other in self._named(who):
            value = turn.capped(max(getattr(other, kind), turn.rulings.leg_number(turn.leg(other), kind) or 0))
            setattr(other, kind, value)
            turn.emit("R49", "to_leg", seat=other.index, condition=kind, value=value)

    _hypothermia = partialmethod(_change, "hypothermia")
    _starvation = partialmethod(_change, "starvation")
    _clear_hypothermia = partialmethod(_clear, "hypothermia")
    _clear_starvation = partialmethod(_clear, "starvation")
    _hypothermia_to_leg = partialmethod(_to_leg, "hypothermia")
    _starvation_to_leg = partialmethod(_to_leg, "starvation")

    def _immune(self, who: str) -> None:
        for other in self._named(who):
            other.immune = True
            self.turn.emit("R67", "immune", seat=other.index)

    def _free_cost(self, cost: str, until: str) -> None:
        setattr(self.seat, f"free_{cost}", "armed" if until == "next_turn" else "on")
        self.turn.emit("R18", "free_cost", seat=self.seat.index, cost=cost, until=until)

    # Killing dogs

    def _kill_dog(self, who: str, required: bool = False) -> None:
        if who == "self" and required:
            self._price()
        else:
            for other in self._named(who):
                self.turn.kill_one(other)

    def _price(self) -> None:
        """Kill an own dog as the price of the rest of the card (Q36, Q37)."""
        turn, seat = self.turn, self.seat
        self.signal = Signal.SKIP_REST
        if not turn.mortal(seat):
            turn.emit("Q36", "price_unpaid", seat=seat.index)
            return
        if self.options["required_kill"] == "optional":
            chosen = turn.choose(seat, lambda: [*turn.kills(seat), DONE])
            if not isinstance(chosen, Kill):
                return
            died: bool | None = turn.kill(seat, chosen.dog)
        else:
            died = turn.kill_one(seat)
        if died or self.options["shield_pays"]:
            self.signal = None
        else:
            turn.emit("Q37", "price_unpaid", seat=seat.index)

    def _kill_any_dog(self, filter: str) -> None:  # noqa: A002 (the key of the op)
        turn, seat = self.turn, self.seat

        def options() -> list[Move]:
            kills = {
                Kill(dog, other.index if len(turn.seats) > 1 else None)
                for other in turn.seats
                if not turn.shielded_from(seat, self.card.type, other)
                for dog in other.dogs
                if turn.can_die(dog)
                and ("fake" in turn.rulings.cards[dog.dog].tags if filter == "fake" else dog.attachments)
            }
            return sorted(kills, key=lambda kill: kill.text)

        chosen = turn.choose(seat, options) if options() else None
        if isinstance(chosen, Kill):
            turn.kill(seat if chosen.owner is None else turn.seats[chosen.owner], chosen.dog)

    def _new_day(self) -> None:
        if not self.seat.finished:
            self.signal = Signal.DAY_ENDED if self.turn.new_day(self.seat, by_card=True) else Signal.FINISHED_AT_DAY_END

    # Hand, deck and discard pile

    def _draw(self, n: int, per: str = "") -> None:
        self.turn.draw(self.seat, n * (self.turn.count_dogs(self.seat) if per == "dog" else 1))

    def _recover(self, n: int) -> None:
        self.turn.recover(self.seat, n)

    def _recover_tag(self, tag: str, optional: bool = False) -> None:
        cards = [card for card in self.seat.discard if tag in self.turn.rulings.cards[card].tags]
        self.turn.recover_from(self.seat, cards, len(cards), exact=not optional)

    def _discard_to_deck(self) -> None:
        if self.seat.discard:
            cards, self.seat.discard = self.seat.discard, []
            self.turn.shuffle_in(self.seat, cards)

    def _destroy_hand(self) -> None:
        self.turn.reveal(self.seat)
        cards, self.seat.hand = sorted(self.seat.hand), []
        for card in cards:
            self.turn.destroy(card)
        self.destroyed = len(cards)
        self.turn.emit("R38", "destroys", seat=self.seat.index, cards=cards)

    def _destroy_from_hand(self, n: int) -> None:
        turn, seat = self.turn, self.seat
        gone: list[str] = []

        def options() -> list[Move]:
            return [*(Put("destroy", card) for card in seat.kinds() if card >= max(gone, default="")), DONE]

        for chosen in turn.picked(seat, min(n, len(seat.hand)), options):
            seat.take(chosen.card)
            turn.destroy(chosen.card)
            gone.append(chosen.card)
        turn.emit("R38", "destroys", seat=seat.index, cards=gone)

    def _destroy_self(self) -> None:
        self.frame.destroyed = True

    # Personal cards: looking at the own deck

    def _raised(self, bonus: str, part: str, value: Any) -> Any:
        """Return a number of an op with ``destroyed`` filled in and what the cards in play add to it (R41, Q52).

        ``part`` is the key of the bonus that adds to it.
        """
        cards, holders = self.turn.rulings.cards, self.turn.rulings.numbers[bonus]
        raising = in_play(self.seat.dogs) if holders and self.card.type == _RAISED[bonus] else ()
        add = sum([cards[card].passive[bonus][part] for card in raising if card in holders])
        if value == DESTROYED:
            return self.destroyed + (add if self.options["bonus_on_words"] == "number_only" else 0)
        return value + add if isinstance(value, int) else value

    def _look(self, of: int | str) -> list[str]:
        of = self._raised("heal_bonus", "of", of)
        return self.turn.deal_many(self.seat, _amount(of, self.seat.in_deck), "to look at")

    def _heal(self, n: int | str, of: int | str) -> None:
        n = self._raised("heal_bonus", "n", n)
        looked = self._look(of)
        self.turn.emit("R41", "looks", seat=self.seat.index, cards=sorted(looked))
        self.turn.sort_out(self.seat, looked, n)

    def _see(self, n: int | str) -> None:
        looked = self._look(n)
        self.seat.seen.extend(looked)
        self.turn.emit("R40", "sees", seat=self.seat.index, cards=sorted(looked))

    def _suspend(self, n: int | str) -> None:
        """Let the frame wait for its second step on the next own turn (R40)."""
        self.frame.step = "second"
        self.frame.n = self.destroyed if n == DESTROYED else 0
        self.signal = Signal.SUSPEND

    _destroy_next = _suspend

    def _then_destroy_next(self, n: int | str) -> None:
        looked, self.seat.seen = self.seat.seen, []
        self.turn.sort_out(self.seat, looked, self._raised("heal_bonus", "n", n))

    # Sled cards: gaining upgrades

    def _take(self, n: int | str, of: int | str) -> None:
        turn, seat = self.turn, self.seat
        n, of = self._raised("take_bonus", "n", n), self._raised("take_bonus", "of", of)
        if turn.rulings.rules.take_from == "supply":
            turn.add_to_supply(seat, of)
            taken = turn.take_up_to(seat, turn.supply, int(n))
        else:
            looked = turn.turn_over(0, of) if turn.upgrade else []
            turn.emit("Q46", "looks", seat=seat.index, cards=sorted(looked))
            taken = turn.take_up_to(seat, looked, int(n))
            for card in looked:
                turn.destroy(card)
        seat.discard.extend(taken)
        turn.emit("Q46", "takes", seat=seat.index, cards=taken, zone="discard")

    def _supply(self, n: int | str) -> None:
        self.turn.add_to_supply(self.seat, self._raised("take_bonus", "of", n))

    def _take_next(self, n: int | str) -> None:
        if self._raised("take_bonus", "n", n):
            self._suspend(n)

    def _then_take_next(self, n: int | str) -> None:
        self.destroyed = self.frame.n
        taken = self.turn.take_up_to(self.seat, self.turn.supply, self._raised("take_bonus", "n", n))
        self.seat.hand.extend(taken)
        self.turn.emit("Q46", "takes", seat=self.seat.index, cards=taken, zone="hand")


def _lasts(cards: Sequence[str], card: str, n: int) -> bool:
    """Return whether n cards can be taken in ascending order when ``card`` comes first."""
    return sum(other >= card for other in cards) >= n


def _amount(n: int | str, available: int) -> int:
    return available if n == ALL else min(int(n), available)


class CardTurn(MovingTurn):
    """A turn with choices among cards, which several ops make."""

    # Choices among cards

    def picked(self, seat: Seat, n: int, options: Callable[[], Sequence[Move]]) -> Iterator[Put]:
        """Yield up to n choices of a card and its fate, until the player is done."""
        for _ in range(n):
            chosen = self.choose(seat, options)
            if not isinstance(chosen, Put):
                return
            yield chosen

    def recover(self, seat: Seat, n: int) -> None:
        """Take up to n cards of the own discard pile back to the hand or the deck (op ``recover``, Q50, Q51)."""
        self.recover_from(seat, seat.discard, n, exact=self.rulings.options["recover_amount"] == "exact")

    def recover_from(self, seat: Seat, cards: Sequence[str], n: int, *, exact: bool) -> None:
        """Move chosen cards of the discard pile: first those to the hand, then those to the deck, card by card.

        Within each kind they are asked in ascending order: two orders that give equal states are one choice (R75).
        Cards put on top of the deck are the exception: their order matters.
        """
        left = list(cards)
        n = min(n, len(left))
        on_top = self.rulings.options["recover_to"] == "top"
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

        for chosen in self.picked(seat, n, options):
            left.remove(chosen.card)
            seat.discard.remove(chosen.card)
            (to_hand if chosen.verb == "recover" else to_deck).append(chosen.card)
        seat.hand.extend(to_hand)
        self.emit("Q50", "recovers", seat=seat.index, hand=to_hand, deck=to_deck)
        if to_deck and on_top:
            seat.deck[:0] = reversed(to_deck)
            seat.known += 0 if self.rulings.deck_open else len(to_deck)
        elif to_deck:
            self.shuffle_in(seat, to_deck)

    def shuffle_in(self, seat: Seat, cards: Sequence[str]) -> None:
        """Shuffle cards into a player's deck (R72)."""
        self.shuffle(seat, [*seat.deck, *cards])
        self.emit("R72", "shuffles", seat=seat.index, cards=len(seat.deck))

    def sort_out(self, seat: Seat, looked: Sequence[str], n: int | str) -> None:
        """Destroy up to n of the looked-at cards; each other one goes to the deck or where the ruleset says.

        Asked card by card, ascending; copies of a card in one order of fates, so that equal results come once.

        Raises:
            Stop: a damage card among those discarded ends the turn; what resolves goes no further (R57).
        """
        quota = _amount(n, len(looked))
        order = ("destroy", "keep" if self.rulings.rules.heal_rest == "hand" else "discard", "return")
        fates: dict[str, list[str]] = {verb: [] for verb in ("destroy", "keep", "discard", "return")}
        previous = Put("destroy", "")

        def options() -> list[Move]:
            card = looked[sum(map(len, fates.values()))]
            first = order.index(previous.verb) if card == previous.card else 0
            if first == 0 and len(fates["destroy"]) >= quota:
                first = 1
            return [Put(verb, card) for verb in order[first:]]

        looked = sorted(looked)
        for previous in self.picked(seat, len(looked), options):
            fates[previous.verb].append(previous.card)
        destroyed, kept, discarded, deck = fates.values()
        for card in destroyed:
            self.destroy(card)
        self.emit("R41", "sorts_out", seat=seat.index, destroyed=destroyed, kept=kept, discarded=discarded, deck=deck)
        if deck or (looked and self.rulings.options["reshuffle"] == "always"):
            self.shuffle_in(seat, deck)
        seat.hand.extend(kept)
        seat.discard.extend(discarded)
        ending = self.rulings.numbers["ends_turn_on_discard"]
        if self.damage_stops(seat) and any(card in ending for card in discarded):
            self.emit("R57", "stop", seat=seat.index)
            raise Stop

    def add_to_supply(self, seat: Seat, of: int | str) -> None:
        """Add cards of one upgrade deck of the player's choice, or of several, to the supply (Q48)."""
        if of == 0:
            return
        added: list[str] = []
        each = 1 if self.rulings.options["supply_deck"] == "any_mix" else of
        while cards := self._turn_over_chosen(seat, each):
            added.extend(cards)
            if each == of or self._is_enough(added, of):
                break
        self.supply.extend(added)
        self.emit("Q48", "supply_grows", seat=seat.index, cards=added)

    def _turn_over_chosen(self, seat: Seat, of: int | str) -> list[str]:
        names = self.rulings.upgrade_decks
        refresh = self.rulings.options["upgrade_refresh"]
        gone = {self.rulings.cards[card].deck for card in self.destroyed} if refresh else set()
        options = [Put("from", name) for index, name in enumerate(names) if self.upgrade[index] or name in gone]
        if not options:
            return []
        (chosen,) = self.picked(seat, 1, lambda: options)
        return self.turn_over(names.index(chosen.card), of)

    def turn_over(self, index: int, of: int | str) -> list[str]:
        """Take the top cards of an upgrade deck: a number of them, or up to and including the first dog."""
        cards: list[str] = []
        while not self._is_enough(cards, of):
            if not self.upgrade[index] and self.rulings.options["upgrade_refresh"]:
                self.refresh_upgrade(index)
            if not (deck := list(self.upgrade[index])):
                break
            n = 1 if of == UNTIL_DOG else min(int(of) - len(cards), len(deck))
            if self.rulings.upgrade_open:
                cards += deck[:n]
                del deck[:n]
            else:
                self.reveal_many("upgrade", deck, n, cards, "of the upgrade deck")
            self.upgrade[index] = tuple(deck)
        return cards

    def _is_enough(self, cards: Sequence[str], of: int | str) -> bool:
        """Return whether cards turned over are as many as wanted, or end with the first dog."""
        if of == UNTIL_DOG:
            return bool(cards) and self.rulings.cards[cards[-1]].type == "dog"
        return len(cards) >= int(of)

    def take_up_to(self, seat: Seat, source: list[str], n: int) -> list[str]:
        """Take up to n chosen cards out of ``source``, or exactly n where Q46 says so, in ascending order (R75)."""
        exact = self.rulings.options["take_amount"] == "exact"
        n = min(n, len(source))
        taken: list[str] = []

        def options() -> list[Move]:
            least = max(taken, default="")
            kinds = sorted({card for card in source if card >= least})
            if not exact:
                return [*(Put("take", card) for card in kinds), DONE]
            return [Put("take", card) for card in kinds if _lasts(source, card, n - len(taken))]

        for chosen in self.picked(seat, n, options):
            source.remove(chosen.card)
            taken.append(chosen.card)
        return taken

    def leg_at_turn_end(self, seat: Seat) -> None:
        """Let the leg of a player give cards at the end of a turn (R16)."""
        for op, give in {"leg_turn_end_recover": self.recover, "leg_turn_end_draw": self.draw}.items():
            if (args := self.leg(seat).passive.get(op)) is not None:
                give(seat, args["n"])
