"""Playing, paying, the risk stack, resolving and fizzling (R20 to R42)."""

from __future__ import annotations

from rules.iditacards.content import Card
from rules.iditacards.effects import CardTurn, Resolution, Signal
from rules.iditacards.seat import LOWERED_ON_TABLE, THREE_MEALS, lower
from rules.iditacards.turn import OpenFrame, Pay, Seat


def record(seat: Seat, card: Card) -> None:
    """Enter a food or personal card in the day records (R21, Q35)."""
    if card.type == "food":
        seat.foods = tuple(sorted({*seat.foods, card.id}))
    elif card.type == "personal":
        seat.personal += 1


def _discard_resolved(seat: Seat) -> None:
    seat.discard.extend(seat.resolved)
    seat.resolved = []


class WholeTurn(CardTurn):
    """A turn with all that a main action may do: playing, paying, the risk stack, resolving and fizzling."""

    def continue_risk(self, seat: Seat, energy: tuple[str, ...] | None) -> None:
        """Main action: pay the next risk card of the top frame (R33)."""
        frame = seat.stack[-1]
        if self.is_ending(seat):
            self.emit("R33", "leg_fizzles", seat=seat.index, leg=self.leg(seat).id)
            return self.fizzle(seat)
        if not seat.in_deck:
            self.emit("R26", "fails", seat=seat.index, card=frame.card, why="no_risk_card")
            return self.fail(seat)
        if frame.paid == 0 and self.draws_first_risk(seat):
            self.draw(seat, 1)
            return self.paid_one(seat, frame)
        card = self.deal(seat, f"the risk card for {self.rulings.cards[frame.card].name}")
        self.emit("R33", "risk_card", seat=seat.index, card=card, root=frame.card)
        if card in self.rulings.damage_ids and self.rulings.options["damage_as_risk"] == "fails":
            seat.discard.append(card)
            self.emit("Q27", "fails", seat=seat.index, card=card, why="damage_as_risk")
            self.stopped = True
            return self.fizzle(seat)
        return self.play(seat, card, energy)

    def is_fizzling(self, seat: Seat) -> bool:
        """Return whether the player stands on a leg on which cards that have to wait fizzle (R24)."""
        return "leg_risks_fizzle" in self.leg(seat).passive

    def is_ending(self, seat: Seat) -> bool:
        """Return whether the player stands on a leg on which waiting cards fizzle where they would continue (Q33)."""
        return self.rulings.options["risks_fizzle_timing"] == "push_and_turn" and self.is_fizzling(seat)

    def draws_first_risk(self, seat: Seat) -> bool:
        """Return whether something in play draws the first risk card of a frame (R33)."""
        return bool(self.numbers(seat, "draw_first_risk"))

    def play(self, seat: Seat, card_id: str, energy: tuple[str, ...] | None) -> None:
        """Put a card on the table, pay for it, and resolve it or let it wait (R20 to R24)."""
        card = self.rulings.cards[card_id]
        frame = OpenFrame(card_id, self.day)  # R28
        seat.stack.append(frame)
        self.put_on_table(seat, card)
        if not self._pay_energy(seat, card, energy) or not self._pay_health(seat, card):
            return self.fail(seat)
        frame.need = self.risk_cost(seat, card)
        if frame.need == 0:
            return self.resolve(seat, frame)
        self.emit("R24", "waits", seat=seat.index, card=card_id, need=frame.need)
        if self.is_fizzling(seat):
            self.emit("R24", "leg_fizzles", seat=seat.index, leg=self.leg(seat).id)
            return self.fizzle(seat)
        if self.rulings.options["draw_first_risk"] == "at_once" and seat.in_deck and self.draws_first_risk(seat):
            self.draw(seat, 1)
            return self.paid_one(seat, frame)
        return self._empty_deck_at_once(seat)

    def put_on_table(self, seat: Seat, card: Card) -> None:
        """Lower a condition for food and personal cards, and record them, before any payment (R21)."""
        if (kind := LOWERED_ON_TABLE.get(card.type)) is not None:
            lower(seat, kind, 1)
            self.emit("R21", "on_table", seat=seat.index, card=card.id, condition=kind, value=getattr(seat, kind))
            if self.rulings.options["condition_counts"] == "played":
                record(seat, card)

    def _pay_energy(self, seat: Seat, card: Card, energy: tuple[str, ...] | None) -> bool:
        """Discard the chosen hand cards (R22); false if the payment fails (R26)."""
        if energy is None:
            chosen = self.choose(seat, lambda: [Pay(way) for way in self.payments(seat, card, on_table=True)])
            assert isinstance(chosen, Pay)
            energy = chosen.energy
        for paid in energy:
            seat.take(paid)
        seat.discard.extend(energy)
        cost = self.energy_cost(seat, card, on_table=True)
        if energy:
            self.emit("R22", "pays_energy", seat=seat.index, card=card.id, cards=list(energy))
        if any(paid in self.rulings.damage_ids for paid in energy):
            self.emit("Q25", "fails", seat=seat.index, card=card.id, why="damage_for_energy")
            return False
        if cost is None:
            if self.rulings.options["all_cost"] != "fails_with_damage":
                return True
            self.reveal(seat)
            if self.rulings.damage_ids.isdisjoint(seat.hand):
                return True
            self.emit("Q24", "fails", seat=seat.index, card=card.id, why="damage_in_hand")
            return False
        if len(energy) == cost:
            return True
        if self.rulings.options["partial_energy"] == "whole_hand":
            self.reveal(seat)
            for lost in self.usable(seat.hand):
                seat.hand.remove(lost)
                seat.discard.append(lost)
        self.emit("R26", "fails", seat=seat.index, card=card.id, why="energy", cost=cost)
        return False

    def _pay_health(self, seat: Seat, card: Card) -> bool:
        """Discard the top cards of the deck one by one (R23); false if the payment fails (R26)."""
        cost = self.health_cost(seat, card.health)
        paid, ended = self.discard_top(seat, cost, f"for the health of {card.name}")
        why = "damage" if ended else "health" if len(paid) < cost else ""
        if paid:
            self.emit("R23", "pays_health", seat=seat.index, card=card.id, cards=paid)
        if why:
            self.emit("R26", "fails", seat=seat.index, card=card.id, why=why, cost=cost)
        return not why

    def fail(self, seat: Seat) -> None:
        """A payment has failed: the card fizzles, by default with all frames below it (R26, Q29)."""
        self.stopped = True
        if self.rulings.options["fizzle_scope"] == "whole_stack":
            self.fizzle(seat)
        else:
            self._lose(seat, self._waiting(seat)[-1:], "Q29")

    def fizzle(self, seat: Seat) -> None:
        """Send the whole stack and what was resolved for it to the discard pile (R34)."""
        frames = self._waiting(seat)
        _discard_resolved(seat)
        if frames:
            self._lose(seat, frames, "R34")

    def _lose(self, seat: Seat, frames: list[OpenFrame], rule: str) -> None:
        seat.stack = [frame for frame in seat.stack if frame not in frames]
        seat.discard.extend(frame.card for frame in frames if not frame.placed)
        self.emit(rule, "fizzles", seat=seat.index, cards=[frame.card for frame in frames])
        if not seat.stack:
            _discard_resolved(seat)
        self.kill_all(seat, [dog for dog in self.mortal(seat) if dog.dog in self.rulings.numbers["dies_on_fizzle"]])

    def _waiting(self, seat: Seat) -> list[OpenFrame]:
        """Return the frames that a failure can reach; second steps that wait in a queue have come through (Q54)."""
        if not self.rulings.parent_now:
            return list(seat.stack)
        return [frame for frame in seat.stack if frame.step != "second" or frame.acts]

    def _empty_deck_at_once(self, seat: Seat) -> None:
        """Fail a waiting frame at once when the deck is already empty, where Q31 says so."""
        if not seat.in_deck and self.rulings.options["empty_deck_risk"] == "at_once":
            self.emit("Q31", "fails", seat=seat.index, card=self._waiting(seat)[-1].card, why="no_risk_card")
            self.fail(seat)

    def paid_one(self, seat: Seat, frame: OpenFrame) -> None:
        """Count one risk card of a frame as done, and resolve the frame if it was the last (R31)."""
        frame.paid += 1
        if frame.paid >= frame.need:
            self.emit("R31", "risk_paid", seat=seat.index, card=frame.card)
            return self.resolve(seat, frame)
        return self._empty_deck_at_once(seat)

    def resolve(self, seat: Seat, frame: OpenFrame) -> None:
        """Let a frame's card take effect (R36)."""
        card = self.rulings.cards[frame.card]
        below = seat.stack[: seat.stack.index(frame)]
        times = self.runs(seat, below)
        self.emit("R36", "resolves", seat=seat.index, card=card.id, times=times)
        if card.type in ("dog", "attachment"):
            (self.place_dog if card.type == "dog" else self.place_attachment)(seat, card.id)
            frame.placed = True
        for _ in range(times):
            signal = None if self.suppressed(seat, card) else self._run(Resolution(self, seat, card, frame))
            if signal is Signal.DAY_ENDED:
                return None
            if signal is Signal.SUSPEND:
                if below and self.rulings.parent_now:
                    self.paid_one(seat, below[-1])
                return None
            if signal is Signal.FINISHED_AT_DAY_END:
                break
        return self.complete(seat, frame)

    def runs(self, seat: Seat, below: list[OpenFrame]) -> int:
        """Return how often a list runs: twice above a doubling card (R36 step 1, Q34, R67)."""
        rulings = self.rulings
        if not rulings.numbers["double_risk"]:
            return 1
        if rulings.options["knife_scope"] == "direct_only":
            below = below[-1:]
        doubling = [rulings.cards[frame.card] for frame in below if frame.card in rulings.numbers["double_risk"]]
        if rulings.utility_scope and self.is_immune(seat):
            doubling = [card for card in doubling if card.type != "utility"]
        return 2 if doubling else 1

    def suppressed(self, seat: Seat, card: Card) -> bool:
        """Return whether weather or immunity takes all of a card's ops away for this run (R37, Q58, Q59, Q67)."""
        weather = self.weather_on(seat)
        storm = weather.no_move and self.rulings.options["storm_scope"] == "whole_card"
        why = None
        if (weather.no_sled and card.type == "sled") or (storm and card.type == "movement"):
            why = weather.face
        if card.type == "utility" and self.rulings.utility_scope and self.is_immune(seat):
            why = "immune"
        if why is not None:
            self.emit("R37", "no_effect", seat=seat.index, card=card.id, by=why)
        return why is not None

    def _run(self, run: Resolution) -> Signal | None:
        """Run a card's list of ops once; its conditions are judged first (R36 steps 2 and 4)."""
        effects = [
            effect
            for effect in run.card.instant
            if (effect.when is None or self.condition(run.seat, run.frame, effect.when))
            and (effect.unless is None or not self.condition(run.seat, run.frame, effect.unless))
        ]
        for effect in effects:
            run.carry_out(effect)
            self.check_deaths()
            if run.signal is not None:
                break
        return run.signal

    def condition(self, seat: Seat, frame: OpenFrame, name: str) -> bool:
        """Return whether a named condition of a card holds (conditions after the op table)."""
        options = self.rulings.options
        if name == "eaten_today":
            return bool(seat.foods)
        if name == "three_meals_today":
            return set(seat.foods) >= THREE_MEALS
        if name == "healed_today":
            kept = frame.day == self.day or options["day_scope"] == "own_new_day"
            own = options["condition_counts"] == "played" and kept and self.rulings.cards[frame.card].type == "personal"
            return seat.personal - own >= 1
        return not seat.moved

    def complete(self, seat: Seat, frame: OpenFrame) -> None:
        """Take a resolved card off the stack and count it for the frame below (R38).

        Where Q54 says ``parent_now``, the frame below has counted a two-step card at its first step already.
        """
        rulings = self.rulings
        place = seat.stack.index(frame)
        del seat.stack[place]
        card = rulings.cards[frame.card]
        if rulings.options["condition_counts"] == "resolved":
            record(seat, card)
        if frame.placed:
            pass
        elif frame.destroyed:
            self.destroy(card.id)
        elif seat.stack and rulings.options["resolved_risk_zone"] == "stay_until_root":
            seat.resolved.append(card.id)
        else:
            seat.discard.append(card.id)
        self.emit("R38", "completes", seat=seat.index, card=card.id)
        if not seat.stack:
            _discard_resolved(seat)
        elif place and not (frame.step == "second" and rulings.parent_now):
            self.paid_one(seat, seat.stack[place - 1])

    def second_step(self, seat: Seat) -> None:
        """Main action: do what the top card left for this turn (R40)."""
        frame = seat.stack[-1]
        frame.acts = True
        card = self.rulings.cards[frame.card]
        self.emit("R40", "second_step", seat=seat.index, card=card.id)
        Resolution(self, seat, card, frame).second_step()
        self.complete(seat, frame)

    def drop_second_step(self, seat: Seat) -> None:
        """Give up a waiting second step: the seen cards go back into the deck and the card completes (Q53)."""
        if seat.seen:
            self.shuffle(seat, [*seat.deck, *seat.seen])
            seat.seen = []
        self.complete(seat, seat.stack[-1])
