"""Moving and new days: passing, legs, conditions, damage, death, weather and hands (R44 to R49, R56 to R68)."""

from __future__ import annotations

from typing import Final

from rules.core.scripts import known
from rules.iditacards.content import CONDITIONS, NO_LEG, Card, Leg
from rules.iditacards.seat import TeamTurn
from rules.iditacards.state import in_play
from rules.iditacards.turn import DONE, JOIN, STAY, GameOver, Put, Seat, Stop


def _span(total: int, *, falls: bool) -> tuple[int, bool]:
    """Return how far a move goes, and whether back: as far as its sum where it ``falls`` below 0, else not at all."""
    return (-total, True) if total < 0 and falls else (max(0, total), False)


def _is_dying(seat: Seat, level: int) -> bool:
    return seat.hypothermia >= level or seat.starvation >= level


FREE_COSTS: Final = ("free_energy", "free_health")
"""Marks of a player whose cost is free, or will be."""


class MovingTurn(TeamTurn):
    """A turn with moves and new days."""

    def cannot_move(self, seat: Seat) -> str | None:
        """Return what keeps a player from moving, or nothing (R44)."""
        weather, level = self.weather_on(seat), self.rulings.rules.no_move_at
        if self.freeze:
            return "freeze"
        if weather.no_move:
            return weather.face
        if level is not None and seat.hypothermia >= level:
            return "hypothermia"
        return "starvation" if level is not None and self.starvation_here(seat) >= level else None

    def is_blocked(self, seat: Seat) -> bool:
        """Tell what keeps a player from moving, if anything does (R44)."""
        if (blocked := self.cannot_move(seat)) is not None:
            self.emit("R44", "cannot_move", seat=seat.index, by=blocked)
        return blocked is not None

    def move(self, seat: Seat, n: int, *, card: Card | None = None, double: bool = False) -> None:
        """Move forward n plus speed (R44); ``card`` is the card that moves, none for the rules themselves."""
        if self.is_blocked(seat):
            return
        rulings, leg = self.rulings, self.leg(seat)
        fixed = leg.passive.get("leg_card_move")
        if fixed is not None and rulings.final_distance:
            self.emit("Q14", "fixed_distance", seat=seat.index, leg=leg.id, distance=fixed["n"])
            self.travel(seat, fixed["n"], card)
            return
        if fixed is not None and card is not None and card.type == "movement":
            n = fixed["n"]
        own_speed = self.speed(seat)
        total = (n + own_speed) * (2 if double else 1)
        distance, back = _span(total, falls=rulings.options["negative_distance"] == "backward")
        if self.log is not None:
            far = {
                "distance": distance,
                "back": back,
                "total": total,
                "parts": [part[:2] for part in self.speed_parts(seat)],
            }
            self.emit("R44", "moves", seat=seat.index, n=n, speed=own_speed, double=double, start=seat.pos, **far)
        self.travel(seat, distance, card, back=back)

    def travel(
        self, seat: Seat, distance: int, card: Card | None, *, back: bool = False, automatic: bool = False
    ) -> None:
        """Make an own move of ``distance`` spaces forward, or back, with what it sets off (R44 to R46).

        A move of at least one space is marked and draws cards; then waiting deaths happen.
        """
        start = seat.pos
        self.moving += 1
        try:
            (self.backward if back else self.forward)(seat, distance)
        finally:
            self.moving -= 1
        self.emit("R45", "moved", seat=seat.index, start=start, end=seat.pos)
        if seat.pos < start if back else distance > 0:
            any_move = self.rulings.options["moved_condition"] == "any_own_move"
            if any_move or (card is not None and card.type == "movement"):
                seat.moved = True
            if not (automatic and self.rulings.options["on_move_draw"] == "card_moves"):
                for n in self.numbers(seat, "on_move_draw"):
                    self.draw(seat, n)
        self.check_deaths()

    def forward(self, seat: Seat, distance: int) -> None:
        """Go forward space by space: passing, arriving, checkpoints, the finish (R45)."""
        rulings = self.rulings
        start = seat.pos
        several = len(self.seats) > 1
        for _ in range(distance):
            came_from = seat.pos
            seat.pos += 1
            if several:
                self._pass_others(seat, came_from)
            self._arrive(seat, came_from)
            if seat.pos in rulings.board.checkpoints:
                self.checkpoint(seat)
            if seat.pos >= rulings.finish_at and not seat.finished:
                seat.finished = True
                self.emit("R68" if rulings.win_at_once else "R69", "finishes", seat=seat.index, pos=seat.pos)
                if rulings.win_at_once:
                    raise GameOver
        if not rulings.every_leg:
            self.enter_leg(seat, start)

    def _pass_others(self, seat: Seat, came_from: int) -> None:
        """Hurt the mover and push back who stands on its space (R45 step 1, Q6)."""
        if came_from == 0 and self.rulings.options["passed_at_start"] == "yes":
            for other in self.seats_from(seat):
                if other is not seat and other.pos == 0:
                    self.passing_damage(seat)
        for other in self.seats_from(seat):
            if other is not seat and other.pos == seat.pos:
                self.emit("R45", "passes", seat=seat.index, other=other.index, pos=seat.pos)
                self.passing_damage(seat)
                if self.rulings.options["blocked_moves"] != "all_moves" or self.cannot_move(other) is None:
                    other.pos -= 1
                    self._arrive_pushed(other)

    def _arrive_pushed(self, other: Seat) -> None:
        """Meet the space behind, where Q8 says that who is pushed there does."""
        if self.rulings.options["entry_when_pushed"]:
            came_from = other.pos + 1
            self._arrive(other, came_from)
            if not self.rulings.every_leg:
                self.enter_leg(other, came_from)

    def backward(self, seat: Seat, distance: int, *, arriving: bool = True) -> None:
        """Go back space by space, further for each player who comes to be ahead by it (R46, Q5)."""
        rulings = self.rulings
        start = seat.pos
        mover_pays = rulings.options["backward_passing"] == "mover_pays"
        arriving = arriving and bool(rulings.options["entry_backward"])
        while distance > 0 and seat.pos > 0:
            came_from = seat.pos
            seat.pos -= 1
            distance -= 1
            if mover_pays and seat.pos >= 1:
                self._give_way(seat)
            if arriving:
                self._arrive(seat, came_from)
            if mover_pays or seat.pos < 1:
                continue
            for other in self.seats_from(seat):
                if other is not seat and other.pos == seat.pos:
                    self.emit("R46", "falls_behind", seat=seat.index, other=other.index, pos=seat.pos)
                    if rulings.options["backward_passing"] == "overtaker_pays":
                        self.passing_damage(other)
                    distance += 1
        if arriving and not rulings.every_leg:
            self.enter_leg(seat, start)

    def _give_way(self, seat: Seat) -> None:
        """Push back everybody on the mover's space, and whoever stands behind them, in a chain (Q5 ``mover_pays``)."""
        for other in [other for other in self.seats_from(seat) if other is not seat and other.pos == seat.pos]:
            self.passing_damage(seat)
            chain = [other]
            while chain:
                moving = chain.pop()
                moving.pos -= 1
                if moving.pos >= 1:
                    chain.extend(s for s in self.seats if s is not moving and s is not seat and s.pos == moving.pos)
                self._arrive_pushed(moving)

    def _arrive(self, seat: Seat, came_from: int) -> None:
        """Enter a leg and meet a cold, hungry or damage space (R45 step 2, R46, R49)."""
        board, pos = self.rulings.board, seat.pos
        if self.rulings.every_leg:
            self.enter_leg(seat, came_from)
        if pos in board.cold:
            self.gain(seat, "hypothermia", 1, from_leg=True)
        if pos in board.hungry:
            self.gain(seat, "starvation", 1, from_leg=True)
        if pos in board.damage:
            self.damage(seat, 1, "R49")

    def checkpoint(self, seat: Seat) -> None:
        """Let the player choose a legendary card at a checkpoint passed for the first time (R66, Q71)."""
        if seat.pos in seat.passed:
            return
        seat.passed = tuple(sorted((*seat.passed, seat.pos)))
        self.emit("R66", "checkpoint", seat=seat.index, pos=seat.pos)
        if not seat.legendary:
            return
        may = [DONE] if self.rulings.options["legendary_choice"] == "may" else []
        chosen = self.choose(seat, lambda: [*(Put("legendary", card) for card in sorted(set(seat.legendary))), *may])
        if isinstance(chosen, Put):
            seat.legendary.remove(chosen.card)
            zone = self.rulings.rules.legendary_to
            (seat.hand if zone == "hand" else seat.discard).append(chosen.card)
            self.emit("R66", "legendary", seat=seat.index, card=chosen.card, zone=zone)

    def gain(self, seat: Seat, kind: str, n: int, *, from_leg: bool = False, from_weather: bool = False) -> None:
        """Raise a condition (R48) and let the player die of it where the rules say so (R49)."""
        if from_leg or (from_weather and self.rulings.options["lead_dog_scope"] == "legs_and_weather"):
            n = max(0, n + sum(self.numbers(seat, "leg_condition_mod")))
        leg = self.leg(seat)
        if ("leg_no_starve" if kind == "starvation" else "leg_no_freeze") in leg.passive:
            self.emit("R48", "no_gain", seat=seat.index, condition=kind, leg=leg.id)
            return
        if n <= 0:
            return
        value = self.capped(getattr(seat, kind) + n)
        setattr(seat, kind, value)
        self.emit("R48", "gains", seat=seat.index, condition=kind, n=n, value=value)
        self.check_deaths()

    def enter_leg(self, seat: Seat, came_from: int) -> None:
        """Do what happens on entering another leg (R49)."""
        leg = self.leg(seat)
        if leg.id in (NO_LEG, self.leg_at(came_from).id):
            return
        self.emit("R49", "enters", seat=seat.index, leg=leg.id, pos=seat.pos)
        for kind in CONDITIONS:
            self._leg_number(seat, leg, kind)
        if (toll := leg.passive.get("leg_enter_health")) is not None:
            n = self.health_cost(seat, toll["n"]) if self.rulings.options["leg_health_modified"] else toll["n"]
            stops = self.damage_stops(seat)
            paid, ended = self.discard_top(seat, n, "to discard on entering the leg", until_damage=stops)
            self.emit("R49", "toll", seat=seat.index, cards=paid)
            if ended:
                self.emit("R57", "stop", seat=seat.index)
                raise Stop

    def _leg_number(self, seat: Seat, leg: Leg, kind: str) -> None:
        rulings = self.rulings
        number, entry = rulings.leg_number(leg, kind), rulings.options["leg_entry"]
        if kind == "starvation" and "leg_no_starve" in leg.passive:
            return
        if number is None:
            if rulings.options["missing_number"] == "leave" or (entry == "add" and not leg.numbers):
                return
            number = 0
        if entry == "add":
            self.gain(seat, kind, number + rulings.leg_plus(leg, kind), from_leg=True)
            return
        value = self.capped(max(0, number + sum(self.numbers(seat, "leg_condition_mod"))))
        old = getattr(seat, kind)
        if entry == "raise":
            value = max(old, value)
        value = self.capped(value + rulings.leg_plus(leg, kind))
        if value != old:
            setattr(seat, kind, value)
            self.emit("R49", "leg_condition", seat=seat.index, condition=kind, value=value, leg=leg.id)
        self.check_deaths()

    def passing_damage(self, seat: Seat) -> None:
        """Deal the damage of passing, unless the player is spared it (R58)."""
        if not self.numbers(seat, "no_pass_damage") and not (self.rulings.others_scope and self.is_immune(seat)):
            self.damage(seat, 1, "R45")

    def check_deaths(self) -> None:
        """Let every player whose counters are too high die, once no move is under way, active player first (R49)."""
        level = self.rulings.rules.death_at
        if level is None or self.moving:
            return
        seats = self.seats_from(self.seats[self.active])
        waiting = [seat for seat in seats if _is_dying(seat, level)]
        while waiting:
            seat = waiting.pop(0)
            before = [other for other in seats if _is_dying(other, level)]
            self._die(seat)
            # Who gives way to a fall may come upon a leg that is too much for them.
            waiting += [other for other in seats if _is_dying(other, level) and other not in before]

    def _die(self, seat: Seat) -> None:
        rulings = self.rulings
        start = seat.pos
        if rulings.options["blocked_moves"] != "all_moves" or self.cannot_move(seat) is None:
            self.moving += 1
            try:
                self.backward(seat, rulings.rules.death_back or 0, arriving=False)
            finally:
                self.moving -= 1
        leg = self.leg(seat)
        mod = sum(self.numbers(seat, "leg_condition_mod"))
        for kind in CONDITIONS:
            number = rulings.leg_number(leg, kind)
            if number is not None:
                setattr(seat, kind, self.capped(max(0, number + mod)))
            elif rulings.options["death_missing_number"] == "zero":
                setattr(seat, kind, 0)
        self.emit("R49", "dies", seat=seat.index, start=start, end=seat.pos)

    def automatic_move(self, seat: Seat) -> None:
        """Move at the end of the own turn (R47, Q2): by base and speed, or by what a leg says instead (Q14)."""
        rulings, leg = self.rulings, self.leg(seat)
        if rulings.auto_base is None or self.is_blocked(seat):
            return
        ill = (seat.hypothermia > 0) + (self.starvation_here(seat) > 0) if rulings.rules.auto_move_by_condition else 0
        if ill == 1:
            self.emit("R47", "held", seat=seat.index)
            return
        own_speed = self.speed(seat)
        fixed = leg.passive.get("leg_card_move") if rulings.final_distance else None
        total = rulings.auto_base + own_speed if fixed is None else fixed["n"]
        falls = rulings.options["negative_distance"] == "backward" and not rulings.rules.auto_move_by_condition
        distance, back = _span(total, falls=falls)
        back = back or ill == 2
        if self.log is not None:
            far = {"distance": distance, "back": back, "total": total, "ill": ill == 2, "leg": fixed and leg.id}
            sums = {"n": rulings.auto_base, "speed": own_speed, "parts": self.speed_parts(seat)}
            self.emit("R47", "auto_moves", seat=seat.index, start=seat.pos, **far, **sums)
        self.travel(seat, distance, None, back=back, automatic=True)

    def end_free_costs(self, seat: Seat, when: str) -> None:
        """End the free costs of a player that last until then (R18); an armed one outlasts the turn, not the day."""
        for cost in FREE_COSTS:
            lasts = self.rulings.free_cost_until.get(cost.removeprefix("free_")) == when
            if lasts and (when == "day_end" or getattr(seat, cost) == "on"):
                setattr(seat, cost, "no")

    def new_day(self, caller: Seat, *, by_card: bool = False) -> bool:
        """Hold a new day (R60) and return whether ``caller`` took part to the end, or finished as the old day ended."""
        options = self.rulings.options
        self.emit("R59", "calls_new_day", seat=caller.index)
        participants = [caller]
        if not (by_card and options["new_day_by_card"] == "alone"):
            for other in self.seats_from(caller)[1:]:
                if not other.finished:
                    answer = self.choose(other, lambda: (JOIN, STAY))
                    if answer == JOIN:
                        participants.append(other)
                    self.emit("Q73", "joins" if answer == JOIN else "stays", seat=other.index)
        self._day_ends(caller, participants)
        participants = [seat for seat in participants if not seat.finished]
        for seat in participants:
            self._put_together(seat)
        self._clear_records(caller, participants)
        self.day += 1
        for seat in participants:
            seat.days += 1
            self.emit("R60", "day_begins", seat=seat.index, day=seat.days)
        draws_last = options["weather_roll"] == "before_draw"
        if not draws_last:
            self._draw_hands(caller, participants)
        self.roll_weather(caller)
        self._legs_at_start(caller, participants)
        if draws_last:
            self._draw_hands(caller, participants)
        return caller in participants

    def _still_racing(self, caller: Seat) -> list[Seat]:
        return [seat for seat in self.seats_from(caller) if not seat.finished]

    def _day_ends(self, caller: Seat, participants: list[Seat]) -> None:
        """Move with an empty hand and deck, then lose dogs to a leg (R60 step 2, Q63, Q66)."""
        options = self.rulings.options
        moves = self.rulings.numbers["day_end_empty_move"]
        for seat in self._still_racing(caller):
            takes_part = seat in participants
            if (takes_part or options["empty_day_end"] == "everyone") and not seat.hand and not seat.in_deck:
                for card in [card for card in in_play(seat.dogs) if card in moves]:
                    self.emit("R60", "empty_day_end", seat=seat.index, card=card)
                    self.move(seat, moves[card])
            leg = self.leg(seat)
            concerned = takes_part or options["leg_day_scope"] == "any_new_day"
            if concerned and not seat.finished and "leg_day_end_kill_dog" in leg.passive:
                self.emit("R60", "leg_kills", seat=seat.index, leg=leg.id)
                self.kill_one(seat)

    def _put_together(self, seat: Seat) -> None:
        """Shuffle everything but what is in play into the deck (R61)."""
        waiting = [frame.card for frame in seat.stack if not frame.placed]
        cards = [*seat.deck, *waiting, *seat.resolved, *seat.seen, *known(seat.hand), *seat.discard]
        self.emit("R61", "puts_together", seat=seat.index, cards=len(cards), abandoned=waiting)
        seat.stack = []
        seat.resolved, seat.seen, seat.hand, seat.discard = [], [], [], []
        self.shuffle(seat, cards)

    def _clear_records(self, caller: Seat, participants: list[Seat]) -> None:
        """Forget the day's records (R60 step 4, Q62); as in every step, those of a player who has finished stay."""
        everybody = self.rulings.options["day_scope"] == "any_new_day"
        for seat in self._still_racing(caller) if everybody else participants:
            seat.foods, seat.personal, seat.moved, seat.immune = (), 0, False, False
            self.end_free_costs(seat, "day_end")
        self.freeze = False

    def roll_weather(self, caller: Seat) -> None:
        """Roll the die and let the face act (R60 step 6, R62); a game without weather has no die."""
        if not self.rulings.faces:
            return
        self.weather = self.roll()
        self.emit("R62", "weather", face=self.weather)
        if self.rulings.weathers[self.weather].empties_supply and self.supply:
            self.emit("R62", "supply_emptied", cards=sorted(self.supply))
            self.destroyed.extend(self.supply)
            self.supply = []
        for seat in self._still_racing(caller):
            for kind in CONDITIONS:
                if n := getattr(self.weather_on(seat), kind):
                    self.gain(seat, kind, n, from_weather=True)

    def _legs_at_start(self, caller: Seat, participants: list[Seat]) -> None:
        """Let legs starve players and kill dogs at the start of a day (R60 step 7, Q63)."""
        for seat in self._still_racing(caller):
            if seat not in participants and self.rulings.options["leg_day_scope"] == "own_new_day":
                continue
            leg = self.leg(seat)
            if (starve := leg.passive.get("leg_day_start_starve")) is not None:
                self.gain(seat, "starvation", starve["n"], from_leg=True)
            if "leg_day_start_kill_dog" in leg.passive:
                self.emit("R60", "leg_kills", seat=seat.index, leg=leg.id)
                self.kill_one(seat)
        self.check_deaths()

    def _draw_hands(self, caller: Seat, participants: list[Seat]) -> None:
        """Draw the new hands (R60 step 8, R64, Q61, Q64)."""
        for seat in self._still_racing(caller):
            if seat in participants:
                self.draw(seat, self.hand_size(seat))
            elif self.rulings.options["day_draw_outsiders"] and (bonus := sum(self.numbers(seat, "day_draw"))) > 0:
                self.draw(seat, bonus)

    def hand_size(self, seat: Seat) -> int:
        """Return the number of cards a player draws for a new day (R64)."""
        rulings = self.rulings
        base, more = rulings.rules.starting_hand, self.numbers(seat, "day_draw")
        limited = self.weather_on(seat).caps_hand or "leg_no_day_draw" in self.leg(seat).passive
        if limited and rulings.options["no_extra_draw"] == "drop_positive":
            more = [min(0, n) for n in more]
        size = max(0, base + sum(more))
        return min(size, base) if limited else size
