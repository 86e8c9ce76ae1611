"""The Iditacards game: turns, setup and end (R4 to R16, R68 to R70)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules.core.race import ImperfectInformation, Lot, Profile, Race
from rules.core.scripts import UNKNOWN, Chance, Event, Move, Outcome, Script, SplitMix64, Step, priority_order
from rules.core.turns import State
from rules.iditacards.bound import least_turns
from rules.iditacards.content import NO_LEG, Content
from rules.iditacards.inquiries import HandCards, TurnQuestion, plain_play
from rules.iditacards.movement import FREE_COSTS
from rules.iditacards.risk import WholeTurn
from rules.iditacards.seat import FreeAction
from rules.iditacards.state import Table, covered, dealt, decode, encode, everywhere, owned_cards
from rules.iditacards.turn import (
    DONE,
    EVENTS,
    NEW_DAY,
    PASS,
    SECOND,
    SKIP_SECOND,
    STAY,
    Continue,
    GameOver,
    Play,
    Rulings,
    Seat,
    Stop,
    rolled,
    shuffled,
)
from rules.iditacards.words import glance, sentence


class Iditacards(Race[Table], ImperfectInformation[Table]):
    """Iditacards under one ruleset, for one number of players, with one set of open chance results."""

    profile = Profile(
        unit="space",
        bottom=0,  # R46: backward moves end there
        bound_name="one card a turn",
        routine=frozenset({"completes", "moved", "plays", "risk_paid"}),
        standing=("stack", "hand"),
        idle=frozenset(word.text for word in (PASS, STAY, DONE, SKIP_SECOND)),
        clocks=("counters", "day", "players.*.days", "players.*.turns"),
        goods=("players.*.hand", "players.*.legendary", "players.*.passed", "players.*.pos"),
    )
    refusals = TurnQuestion
    encode = staticmethod(encode)
    decode = staticmethod(decode)

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content, self.chance = content, chance
        self.rulings = Rulings(content, players, chance)
        self.profile = replace(self.profile, target=self.rulings.finish_at, players=players)  # Q1

    # What a solver asks

    def progress(self, table: Table, seat: int = 0) -> int:
        """Return how far a player has come, in spaces."""
        return table.players[seat].pos

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the turns a player has finished."""
        return table.players[seat].turns

    def days(self, table: Table, seat: int = 0) -> int:
        """Return the days a player has begun (Q80)."""
        return table.players[seat].days

    def hand(self, table: Table, seat: int = 0) -> tuple[str, ...]:
        """Return a player's hand, all copies."""
        return table.players[seat].hand

    def owned(self, table: Table, seat: int = 0) -> Counter[str]:
        """Return a player's cards but those discarded or out of the game: hand, deck, in play, on the stack, seen."""
        return Counter(owned_cards(table.players[seat]))

    def decks(self, table: Table, seat: int = 0) -> dict[str, list[Lot]]:
        """Return a player's deck: the known top cards in their order, then the others, in any order (R73)."""
        player = table.players[seat]
        known = len(player.deck) if self.rulings.deck_open else player.known
        rest = player.deck[known:]
        top = [Lot((card,), 1) for card in player.deck[:known]]
        return {"deck": [*top, Lot(rest, len(rest) - player.hand.count(UNKNOWN))]}

    def glance(self, table: Table) -> list[tuple[str, str]]:
        """Return the table in labelled lines for people."""
        return glance(self.rulings, table)

    def least_turns(self, table: Table, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that no line to a space falls below."""
        return least_turns(self.rulings, table, seat, target, forbidden)

    def plain_play(self, table: Table, seat: int) -> Callable[[Step], float]:
        """Return what a seat of a policy for comparisons holds answers of its turn to be worth; this is no advice."""
        return plain_play(self.rulings, table, seat)

    def hand_model(self, table: Table, seat: int = 0) -> HandCards:
        """Return what a solver may ask about a player's payments and risk cards."""
        return HandCards(self, table, seat)

    def information_state(self, table: Table, seat: int = 0) -> Table:
        """Return what a seat sees, equal for tables that it cannot tell apart (R1, R73).

        Cards that it does not see are ``?`` where they lie; the deck of another player holds all of them, ascending.
        """
        players = list(table.players)
        for other in self._others(table, seat):
            player = players[other]
            if not self.rulings.deck_open:
                seen = (UNKNOWN,) * len(player.seen)
                player = covered(player._replace(deck=(*player.deck, *player.seen), seen=seen, unseen=False))
            if not self.rulings.legendary_open:
                player = player._replace(legendary=(UNKNOWN,) * len(player.legendary))
            players[other] = player
        return table._replace(players=tuple(players))

    def sample_world(
        self, state: State[Table], seat: int, generator: SplitMix64, *, named: bool = False
    ) -> State[Table]:
        """Return a state that fits what a seat knows, what it does not see dealt at random (R73)."""
        table = state.table
        others, players = self._others(table, seat), list(table.players)
        players[seat] = players[seat]._replace(unseen=False)  # whoever is asked sees what it will draw
        for other in others if not self.rulings.deck_open else ():
            player = players[other]
            players[other] = dealt(player._replace(unseen=True) if named else player, generator)
        if others and not self.rulings.legendary_open:
            # The others hold these, or they were dealt to nobody.
            held = Counter(card for other in others for card in players[other].legendary)
            legendary = self.content.deck_cards(self.content.deck_of_role("legendary"))
            undealt = Counter(legendary) - Counter(everywhere(table))
            pool = iter(generator.shuffle((held + undealt).elements()))
            for other in others:
                cards = tuple(sorted(next(pool) for _ in players[other].legendary))
                players[other] = players[other]._replace(legendary=cards)
        return State(table._replace(players=tuple(players)), state.pending)

    def covered(self, table: Table, seat: int) -> Table:
        """Return the table with unknown cards in the hands of the others; their decks hold all that nobody has seen."""
        players = list(table.players)
        for other in self._others(table, seat) if not self.rulings.deck_open else ():
            players[other] = covered(players[other])
        return table._replace(players=tuple(players))

    def _others(self, table: Table, seat: int) -> list[int]:
        """Return the seats whose cards a seat does not know."""
        return [] if self.is_common(table) else [other for other in range(len(table.players)) if other != seat]

    # The game

    def outcome(self, table: Table) -> Outcome | None:
        """Return who has won: the first to finish (R68), or the furthest of those at or past the finish (R69).

        That is nobody where all who have finished went back from there.
        """
        if not table.over:
            return None
        front = max(self.rulings.finish_at, *(player.pos for player in table.players))
        winners = tuple(seat for seat, player in enumerate(table.players) if player.pos == front)
        return Outcome(winners, "R68" if self.rulings.win_at_once else "R69", "the race is over")

    def is_common(self, table: Table, seat: int | None = None) -> bool:
        """Return whether everybody's hand is known to everybody (R73)."""
        return self.rulings.players == 1 or self.chance.is_open("opponents")

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return sentence(self.content, event, several=self.rulings.players > 1)

    def play_turn(self, table: Table, script: Script) -> Table:
        """Run one whole turn from a turn boundary and return the table after it."""
        turn = WholeTurn(self.rulings, table, script)
        self.run(turn)
        return turn.frozen()

    def run(self, turn: WholeTurn) -> None:
        """Run the active player's turn on a working copy (R11 to R16)."""
        seat = turn.seats[turn.active]
        try:
            anyone = turn.rulings.options["free_cost_turn"] == "next_turn_of_anyone"
            for owner in turn.seats if anyone else [seat]:  # armed free costs begin (R12, Q68)
                for cost in FREE_COSTS:
                    if getattr(owner, cost) == "armed":
                        setattr(owner, cost, "no")
                        setattr(seat, cost, "on")
            try:
                self._main_action(turn, seat)
            except Stop:
                turn.stopped = True
                turn.fizzle(seat)
                turn.moving = 0
                turn.check_deaths()
            self.end_turn(turn, seat)
        except GameOver:
            seat.turns += 1
            turn.over = True

    def _main_action(self, turn: WholeTurn, seat: Seat) -> None:
        """Take free actions, then the one main action (R13, R14)."""
        while True:
            move = turn.choose(seat, lambda: self._actions(turn, seat), always=True)
            if isinstance(move, FreeAction):
                turn.carry_out(seat, move)
            elif move == SKIP_SECOND:
                turn.drop_second_step(seat)
                if turn.stopped:
                    return  # what waited below has failed, and with it the main action (R26)
            else:
                break
        if isinstance(move, Play):
            seat.take(move.card)
            turn.emit("R14", "plays", seat=seat.index, card=move.card)
            turn.play(seat, move.card, move.energy)
        elif isinstance(move, Continue):
            turn.continue_risk(seat, move.energy)
        elif move == SECOND:
            turn.second_step(seat)
        elif move == NEW_DAY:
            turn.new_day(seat)
        else:
            turn.emit("Q20", "passes_turn", seat=seat.index)

    def _actions(self, turn: WholeTurn, seat: Seat) -> list[Move]:
        options = turn.rulings.options
        actions = turn.free_actions(seat)
        if not seat.stack:
            actions.extend(self._plays(turn, seat))
        elif seat.stack[-1].step == "second":
            actions.append(SECOND)
            if options["second_step"] == "optional":
                actions.append(SKIP_SECOND)
        else:
            actions.extend(self._continuations(turn, seat))
        actions.append(NEW_DAY)
        if options["pass_turn"]:
            actions.append(PASS)
        return actions

    def _plays(self, turn: WholeTurn, seat: Seat) -> list[Move]:
        plays: list[Move] = []
        options, hand, deck = turn.rulings.options, seat.hand, seat.deck
        for card_id in seat.kinds():
            card = self.content.cards[card_id]
            seat.hand, seat.deck = list(hand), list(deck) if seat.unseen else deck
            seat.take(card_id)
            snowed = options["snow_scope"] == "cannot_play" and card.type == "sled" and turn.weather_on(seat).no_sled
            if not snowed and (options["unaffordable_play"] or not turn.lacking(seat, card)):  # Q21, Q59
                plays += [Play(card_id, way) for way in turn.payments(seat, card)]
        seat.hand, seat.deck = hand, deck
        return plays

    def _continuations(self, turn: WholeTurn, seat: Seat) -> list[Move]:
        """Return ``continue`` with every payment of the next risk card, where that card is known (R33)."""
        rulings = turn.rulings
        if not (rulings.deck_open or seat.known) or not seat.in_deck:
            return [Continue()]
        draws = seat.stack[-1].paid == 0 and turn.draws_first_risk(seat)
        card = self.content.cards[seat.deck[0]]
        dead = card.id in rulings.damage_ids and rulings.options["damage_as_risk"] == "fails"
        if draws or turn.is_ending(seat) or dead:
            return [Continue()]
        return [Continue(way) for way in turn.payments(seat, card)]

    def end_turn(self, turn: WholeTurn, seat: Seat) -> None:
        """End the turn (R16)."""
        options = turn.rulings.options
        for owner in turn.seats_from(seat) if options["turn_end_leg"] == "every_turn" else [seat]:
            try:
                turn.leg_at_turn_end(owner)
            except Stop:
                turn.moving = 0
        if not turn.stopped or options["auto_move_after_stop"]:
            try:
                turn.automatic_move(seat)
            except Stop:
                turn.moving = 0
            turn.check_deaths()
        turn.end_free_costs(seat, "next_turn")
        seat.turns += 1
        if turn.final is not None:  # the last turns have begun (R69)
            turn.final = tuple(index for index in turn.final if index != seat.index and not turn.seats[index].finished)
        elif any(other.finished for other in turn.seats):
            turn.final = tuple(other.index for other in turn.seats if not other.finished)
        if turn.final == ():
            turn.over = True
            turn.emit("R69", "over")
        elif not turn.over:
            owed = [other for other in turn.seats if turn.final is None or other.index in turn.final]
            following = (other for other in turn.seats_from(seat)[1:] if other in owed and not other.finished)
            turn.active = next(following, seat).index

    # Setup

    def initial_table(self) -> Table:
        """Return the table after the setup (R4 to R10); hidden sources are dealt from the seed and then forgotten."""
        rulings = self.rulings
        alone = rulings.players == 1 and rulings.options["solo_attack_deck"] == "removed"
        upgrade = [
            [] if alone and name == "attack" else shuffled(rulings, "upgrade", index, 0, self._cards(name))
            for index, name in enumerate(rulings.upgrade_decks)
        ]
        legs, leg_counters = self._legs()
        dealt = rulings.rules.legendary_dealt
        legendary = self._cards(self.content.deck_of_role("legendary")) if dealt else []
        if listed := rulings.chance.lists.get("legendary", ()):
            legendary = priority_order(listed, legendary)
        elif legendary:
            legendary = rulings.chance.stream(EVENTS["legendary"], 0, 0).shuffle(legendary)
        players = [
            self._player(seat, sorted(legendary[seat * dealt : (seat + 1) * dealt])) for seat in range(rulings.players)
        ]
        rolls = rulings.options["initial_weather"] == "roll" and bool(rulings.faces)
        counters = {
            "deck": [int(rulings.deck_open) for _ in players],
            "legendary": int(dealt > 0 and rulings.legendary_open),
            "legs": leg_counters,
            "upgrade": [int(rulings.upgrade_open) for _ in upgrade],
            "weather": int(rolls and rulings.weather_open),
        }
        state = {
            "counters": counters,
            "damage_left": rulings.damage_deck.cards,
            "legs": legs,
            "players": players,
            "upgrade": [deck if rulings.upgrade_open else sorted(deck) for deck in upgrade],
            "weather": rolled(rulings, 0) if rolls else "none",
        }
        return decode(state)

    def _cards(self, deck: str | None) -> list[str]:
        removed = self.rulings.rules.solitaire_removed_types if self.rulings.players == 1 else ()
        return [card for card in self.content.deck_cards(deck) if self.content.cards[card].type not in removed]

    def _legs(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        types = sorted({leg.type for leg in self.content.legs.values() if leg.type is not None})
        drawn = self.rulings.options["legs_setup"] == "drawn"
        chosen = {f"type{kind}": self._leg_of_type(kind, drawn) for kind in types}
        legs = tuple(chosen.get(section.leg, section.leg) or NO_LEG for section in self.rulings.board.sections)
        return legs, tuple(int(drawn and self.rulings.chance.is_open("legs")) for _ in types)

    def _leg_of_type(self, kind: int, drawn: bool) -> str:
        listed = self.rulings.chance.lists.get("legs", ()) if drawn else self.rulings.board.default_legs
        if not drawn or kind <= len(listed):
            return str(listed[kind - 1])
        cards = [leg.id for leg in self.content.legs.values() if leg.type == kind for _ in range(leg.copies)]
        return cards[self.rulings.chance.stream(EVENTS["legs"], kind, 0).below(len(cards))]

    def _player(self, seat: int, legendary: list[str]) -> dict[str, Any]:
        rulings = self.rulings
        cards, dealt = self._cards(self.content.deck_of_role("starter")), rulings.rules.starting_hand
        begins = rulings.options["wheel_dog_start"] == "in_play"
        dogs = [card for card in sorted(rulings.numbers["start_in_play"]) if begins and card in cards]
        for card in dogs:
            cards.remove(card)
        deck = shuffled(rulings, "deck", seat, 0, cards)
        hand, deck = deck[:dealt], deck[dealt:]
        return {
            "days": 1 if rulings.options["days_count"] == "first_day_is_one" else 0,
            "deck": deck if rulings.deck_open else sorted(deck),
            "dogs": [{"dog": card} for card in dogs],
            "hand": hand,
            "legendary": legendary,
        }
