"""The game: half-turns with all that follows each, progress and payoffs (4, 6, 7), and its challenges (11)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate
from math import ceil, lcm
from typing import Any, Final

from rules.core.challenge import Aim, Challenge, Measure, Quest
from rules.core.errors import ContentError, Fault
from rules.core.race import NEVER, Hazard, Lot, Profile, Race
from rules.core.scripts import UNKNOWN, Asking, Barred, Event, Exploring, Forced, Move, Outcome, Script, Step, every_way
from rules.core.turns import TurnEnd
from rules.trench_rescue.actions import END, ActiveHalf
from rules.trench_rescue.content import DECK_EVENTS, FIELD_EVENTS, OVER, PLAY, Counters, Rulings, Table, decode, encode
from rules.trench_rescue.turn import gain, score, shelled
from rules.trench_rescue.words import SENTENCES, Order, card_list, glance

PARTS: Final = 60
"""Parts of a move that a promise counts in, divisible by small numbers; a move to come takes 4 off a card."""
DRAWN: Final = 4
"""Moves that a card to be drawn counts as in a promise."""


Node = tuple[Table, Any, tuple[Step | Forced, ...]]
"""A place inside a half-turn: the table, the barrage under way, and the first way that led there."""


class TrenchRescue(Race[Table]):
    """Trench Rescue under one ruleset, for one or two players, with one set of open chance results."""

    refusals = Order
    quiet = False
    """No shell may ever fall (TR-S5)."""

    def __init__(self, rulings: Rulings) -> None:
        self.rulings: Rulings = rulings
        self.pack = rulings.pack
        # No score is greater than the number of all cards, nor is that of cards carried home. Where carried cards
        # count, each way home takes a half-turn, so that no number of cards bounds them.
        most = self.pack.unknown * (2 + rulings.turn_limit if rulings.options["score"] == "rescued" else 1)
        size = rulings.field_size
        self.profile = Profile(
            unit="card",
            # All the wounded of a fresh field are at home.
            target=len(self.pack.of_colour[0]) - rulings.laid[size] + size**2,
            players=rulings.players,
            is_place=False,
            bottom=0,  # 7.4: a score counts cards
            routine=frozenset({"ends", "quiet", "turn"}),
            standing=("field", "trench", "infirmary"),
            idle=frozenset({END.text}),
            holds_middle=True,  # 3
            stake="card",
            payoffs=(-most, most),
            seat_name=self.pack.colours.__getitem__,
        )

    # The game

    def spelt(self, text: str) -> str:
        """Return a text with cards by their codes, such as TH for ``10H`` or ``10 of hearts``."""
        return re.sub(r"[^\s,;+]+( of \w+)?", lambda found: self.pack.forms.get(found[0].casefold(), found[0]), text)

    def outcome(self, table: Table) -> Outcome | None:
        """Return who has the higher score; a player alone wins with a gain (7.4)."""
        if table.phase != OVER:
            return None
        scores = [score(self.rulings, table, colour) for colour in range(table.players)]
        ahead = (scores.index(max(scores)),) if scores.count(max(scores)) == 1 else ()
        return Outcome(ahead if table.players > 1 or self.gain(table) > 0 else (), "7.4")

    def encode(self, table: Table) -> dict[str, Any]:
        """Return the canonical ``state`` object (15)."""
        return encode(self.pack, table)

    def decode(self, state_object: Mapping[str, Any]) -> Table:
        """Return the table of a complete canonical ``state`` object (15)."""
        return decode(self.pack, state_object, arrival=self.rulings.arrival)

    def play_turn(self, table: Table, script: Script) -> Table:
        """Run the half-turn of the player to move, and what follows it at once (4, 6, 7); return the table then."""
        half = ActiveHalf(self.rulings, table, script)
        while not self._step(half):
            pass
        return half.frozen()

    def _step(self, half: ActiveHalf, *, distinct: bool = False) -> bool:
        """Take one action or let one shell fall; return whether the half-turn is over with all that follows.

        With ``distinct`` actions are left out of which nothing new comes.
        """
        if half.barrage is not None:
            return half.drop_shell() and half.end_turn()
        if half.phase == OVER:
            return True
        seat, colour = half.to_move if self.players > 1 else 0, half.to_move
        may_draw = half.rulings.draw_when_empty and half.phase == PLAY and bool(half.deck[colour])
        if may_draw and not half.trench[colour] and not half.own_soldiers(colour):  # only where the half-turn begins
            half.reinforce("TR-Q23", "reinforced")
        move = half.script.decide(seat, lambda: self._distinct(half) if distinct else half.actions(), always=True)
        if move != END:
            half.perform(move)
            return False
        half.emit("4.0.4", "ends", colour=half.pack.colours[colour])
        return half.begin_barrage() and half.end_turn()

    def colour_of(self, table: Table, seat: int) -> int:
        """Return the colour of a seat: black is seat 0 and red seat 1, a player alone is seat 0 (11.1)."""
        return table.starter if self.players == 1 else seat

    def gain(self, table: Table, seat: int = 0) -> int:
        """Return what a player's score has grown by since the set-up (7.4)."""
        return gain(self.rulings, table, self.colour_of(table, seat))

    def distinct_ends(self, table: Table, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[Table]]:
        """Yield one way to every table that the half-turn can end in, orders of the same moves walked once."""
        seen: set[Any] = {(table, None)}
        nodes: list[Node] = [(table, None, ())]
        for number, node in enumerate(nodes):
            for done, following in self._followers(node, () if number else pending):
                after, barrage, steps = following
                key = after if done else (after, barrage)
                if key not in seen:
                    seen.add(key)
                    if not done:
                        nodes.append(following)
                    elif self.keeps(after):
                        yield TurnEnd(steps, after)

    def _followers(self, node: Node, given: Sequence[Step | Forced]) -> Iterator[tuple[bool, Node]]:
        """Yield what every first step from a node leads to, and whether the half-turn is over there.

        Steps ``given`` are taken first, however many they are.
        """
        table, barrage, steps = node
        for script in every_way(Exploring, given):
            half = ActiveHalf(self.rulings, table, script, barrage)
            with suppress(Barred):
                done = self._step(half, distinct=True)
                while not done and script.unread:
                    done = self._step(half, distinct=True)
                yield done, (half.frozen(), half.barrage, (*steps, *script.steps))

    def _distinct(self, half: ActiveHalf) -> list[Move]:
        """Return the open actions but those that only use up a move, and ends that the question does not allow.

        Raises:
            Barred: nobody can act any more, and the half-turn may not end here.
        """
        may_end = not self.quiet or half.shells_due() == 0
        options = [move for move in half.actions() if (may_end if move is END else not half.idles(move))]
        if not options:
            raise Barred
        return options

    # What a solver and a screen ask

    def progress(self, table: Table, seat: int = 0) -> int:
        """Return a player's score in cards (7.4)."""
        return score(self.rulings, table, self.colour_of(table, seat))

    def turns(self, table: Table, seat: int = 0) -> int:
        """Return the half-turns a player has finished since the game began."""
        if table.phase == OVER:
            return table.turn
        first = self.players > 1 and table.to_move != table.starter
        return table.turn - 1 + (first and self.colour_of(table, seat) == table.starter)

    def least_turns(self, table: Table, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return 1 short of the target, never where there are too few cards: what is scored is a card that lives (7.4).

        Where carried cards count, the same card can be carried home again.
        """
        living = (*table.trench, *table.infirmary, *table.deck, table.lying, table.soldiers)
        if self.rulings.options["score"] != "rescued" and target > sum(map(len, living)):
            return NEVER
        return super().least_turns(table, seat, target)

    def most_turns(self, table: Table, seat: int = 0) -> int | None:
        """Return the turns up to the last one, and those of a withdrawal in which every step leads home (7.3)."""
        withdrawal = self.rulings.options["withdrawal"]
        if table.phase != OVER and (withdrawal == "free" or self.rulings.options["withdrawal_trench"]):
            return None
        last = self.rulings.turn_limit + (table.size if withdrawal == "direct_home" else 0)
        return 0 if table.phase == OVER else last - table.turn + 1

    def owned(self, table: Table, seat: int = 0) -> Counter[str]:
        """Return every card that is not dead, whosever it is and wherever it lies (5)."""
        return Counter(self.pack.texts([card for card in range(self.pack.unknown) if card not in table.dead]))

    def hand(self, table: Table, seat: int = 0) -> tuple[str, ...]:
        """Return a player's able-bodied soldiers, at home and on the field."""
        colour, pack = self.colour_of(table, seat), self.pack
        out = [soldier.card for soldier in table.soldiers if pack.colour[soldier.card] == colour]
        return tuple(pack.texts(sorted([*table.trench[colour], *out])))

    def decks(self, table: Table, seat: int = 0) -> dict[str, list[Lot]]:
        """Return the next card that a soldier who goes into a hidden deck may bring (4.1, 9).

        The soldier itself is ``?`` where several may go. What comes after it depends on who goes next.
        """
        colour = self.colour_of(table, seat)
        if self.rulings.queue:
            return {"deck": [Lot((card,), 1) for card in self.pack.texts(table.deck[colour])]}
        chances = ActiveHalf(self.rulings, table, Asking(())).deck_chances(colour)
        if self.rulings.deck_open or not chances:
            return {}
        cases = lcm(*(chance.denominator for _, chance in chances))
        size = len(table.deck[colour])
        pool = [self.pack.codes[card] for card, chance in chances for _ in range(int(chance * cases) * size)]
        home = self.pack.texts(table.trench[colour])
        return {"deck": [Lot((*pool, *(home if len(home) == 1 else [UNKNOWN]) * cases), 1)]}

    def glance(self, table: Table) -> list[tuple[str, str]]:
        """Return the table in labelled lines for people, the battlefield as a board of text."""
        return glance(self.rulings, table)

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return SENTENCES[event.kind](event.data)

    def hazards(self, table: Table, seat: int = 0) -> list[Hazard]:
        """Return the chance of every soldier of a seat to be hit if all half-turns of this turn end now (6).

        With shells after each half-turn only the next barrage counts.
        """
        half = ActiveHalf(self.rulings, table, Asking(()))
        chances = {soldier.card: Fraction(0) for soldier in half.own_soldiers(self.colour_of(table, seat))}
        for after, chance in shelled(half).items():
            for card in chances.keys() - {soldier.card for soldier in after.soldiers}:
                chances[card] += chance
        ordered = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Hazard(half.pack.codes[card], "is hit", "6.5", chance) for card, chance in ordered]

    def initial_table(self) -> Table:
        """Return the table after the set-up (2); hidden sources are dealt from the seed and then forgotten.

        A player alone draws a soldier and the other colour none (11.1). Field and decks lie face down where cards are
        hidden (8).
        """
        rulings, pack, size = self.rulings, self.pack, self.rulings.field_size
        laid, is_open = rulings.laid[size], rulings.chance.is_open("cards")
        chance, order = rulings.chance, list if rulings.queue else sorted
        shuffled = [chance.stream(DECK_EVENTS, colour, 0).shuffle(own) for colour, own in enumerate(pack.of_colour)]
        ends = [laid + rulings.trench_cards] * 2
        if self.players == 1:
            ends[1 - rulings.solitaire_colour] = laid
        trench = [sorted(cards[laid:end]) for cards, end in zip(shuffled, ends, strict=True)]
        decks = [order(cards[end:]) for cards, end in zip(shuffled, ends, strict=True)]
        field = chance.stream(FIELD_EVENTS, 0, 0).shuffle([card for cards in shuffled for card in cards[:laid]])
        if not is_open:
            field, decks = [pack.unknown] * size**2, [[pack.unknown] * len(deck) for deck in decks]
        starter = rulings.starter(trench, coin=True)
        return Table(
            carried_home=(0, 0),
            counters=Counters((0, 0), 0),
            dead=(),
            deck=(tuple(decks[0]), tuple(decks[1])),
            fresh=(),
            infirmary=((), ()),
            moved=(),
            near=rulings.near_side(),
            phase=PLAY,
            piles=tuple((card,) for card in field),
            players=self.players,
            size=size,
            soldiers=(),
            starter=starter,
            to_move=starter,
            trench=(tuple(trench[0]), tuple(trench[1])),
            turn=1,
            view=None if is_open else starter,
        )

    # What a duel asks

    def payoffs(self, table: Table, *, guess: bool = False) -> list[Fraction]:
        """Return each player's score less the other's (7.4); as a guess, as if everybody on the field came home."""
        scores = [score(self.rulings, table, self.colour_of(table, seat)) for seat in range(self.players)]
        out = [self.pack.colour[soldier.card] for soldier in table.soldiers] if guess else []
        lead = out.count(0) - out.count(1)
        return [Fraction(2 * own - sum(scores) + (lead if seat == 0 else -lead)) for seat, own in enumerate(scores)]

    def is_common(self, table: Table, seat: int | None = None) -> bool:
        """Return whether all cards are open, or the table is written through the eyes of a seat (15)."""
        return table.view is None or (seat is not None and table.view == self.colour_of(table, seat))


class Rescue(Quest[Table], TrenchRescue):
    """A challenge asked from one table; what lies wounded on the field is taken from that table."""

    def __init__(self, rulings: Rulings, challenge: Challenge, aim: Aim) -> None:
        super().__init__(rulings)
        facts, pack, table = challenge.facts, self.pack, self.decode(aim.start)
        self.colour, own = self.colour_of(table, aim.seat), pack.colour
        self.quiet = bool(facts.get("quiet"))
        lying = [card for card in table.lying if facts.get("goal") in ("all_own", "all_field")]
        self.hidden = lying.count(pack.unknown)
        """How many of them are hidden, so that the whole field has to be cleared to be sure of them."""
        known = [card for card in lying if card != pack.unknown]
        self.wanted = frozenset(card for card in known if facts["goal"] == "all_field" or own[card] == self.colour)
        """Cards that must not be on the field any more."""
        self.at_home = frozenset(pack.read([*aim.terms.get("cards", ()), *aim.terms.get("also_home", ())]))
        """Cards that must be able-bodied at home."""
        for code in pack.texts(card for card in self.at_home if own[card] != self.colour):
            raise ContentError([Fault(f"'{code}' is no card of {pack.colours[self.colour]}, whose goal it is", "goal")])
        unit, target = "gain", 1
        if challenge.measure is Measure.TURNS:
            unit, target = "home", len(self.wanted) + len(self.at_home) + self.hidden
        question, cards = "", card_list(pack.texts(sorted(self.at_home)))
        if self.at_home and self.wanted:
            question = f"{challenge.summary.removesuffix('.')}, with {cards} in the trench in the end."
        elif self.at_home:
            able = f"{'are' if len(self.at_home) > 1 else 'is'} able-bodied at home"
            question = f"The fewest turns until {cards} {able}{', while no shell ever falls' if self.quiet else ''}."
        self.ask(challenge, table, aim.seat, unit, target, question)

    def done(self, table: Table) -> int:
        """Return how many of the cards are where they have to be, or the score; the dead are nowhere."""
        if self.only_the_end_counts:
            return self._score(table)
        out = [*table.lying, *table.dead, *(soldier.card for soldier in table.soldiers)]
        hidden = max(0, self.hidden - out.count(self.pack.unknown)) if self.hidden else 0
        return len(self.wanted.difference(out)) + len(self.at_home.intersection(table.trench[self.colour])) + hidden

    def _score(self, table: Table) -> int:
        """Return the gain of a player alone, or how far the own score is ahead of the other's (7.4)."""
        return self.gain(table, self.seat) if table.players == 1 else int(self.payoffs(table)[self.seat])

    def turn_ends(self, table: Table, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[Table]]:
        """Yield one way to every end of the next half-turn, under TR-S5 only those after which no shell falls."""
        return self.distinct_ends(table, pending)

    def allows(self, table: Table, end: TurnEnd[Table]) -> bool:
        """Return whether nothing is lost and, where none may (TR-S5), no shell falls in the next half-turn."""
        told: list[Event] = []
        if self.quiet:
            self.play_turn(table, Asking(end.steps, told))
        return self.keeps(end.table) and not any(event.kind == "barrage" for event in told)

    def bound(self, table: Table) -> int:
        """Return the fewest turns to the goal, or the highest score, as far as they are known."""
        return self._most_score(table) if self.only_the_end_counts else self._fewest(table)

    def _fewest(self, table: Table) -> int:
        """Return the larger of two bounds, zero where the goal is reached.

        A stack of k soldiers goes k spaces with k moves. So with at most K soldiers ever no card comes further than K
        spaces a turn. Every space of every card on its way home costs a move of a soldier. Each card comes home with a
        soldier of its own, who has to enter first, but for those who are out already. Until the first own card is home
        there are only the soldiers of now.
        """
        if self.reached(table):
            return 0
        fetched = self.wanted | self.at_home
        if table.phase == OVER or not fetched.isdisjoint(table.dead):
            return NEVER
        half = ActiveHalf(self.rulings, table, Asking(()))
        own = half.own_soldiers(self.colour)
        now, most = self._soldiers(half, len(own))
        slowest, moves, cards, first = 1, 0, 0, NEVER
        for card, rows, out in self._ways_home(half):
            if card in fetched:
                slowest, moves, cards = max(slowest, self._fetch(out, rows, most)), moves + rows, cards + 1
            if self._may_be_own(card):
                first = min(first, self._fetch(out, rows, now))
        out_rows = [half.home_distance(self.colour, soldier.cell) for soldier in own if soldier.card in self.at_home]
        slowest = max(slowest, ceil(max(out_rows, default=0) / most))
        moves += max(0, cards - len(own))
        alone = first - int(half.rulings.options["rescued_acts_now"])
        return max(slowest, ceil(moves / now) if moves <= now * alone else alone + ceil((moves - now * alone) / most))

    def _most_score(self, table: Table) -> int:
        """Return the gain if everybody out comes home, with as many cards as there are moves to carry them.

        A rescued card is worth one at most. Every row on its way home costs a move of a soldier, and it has to be home
        before the wounded die. Nothing is known for two players, nor where cards can come home later, or draws count.
        """
        rulings = self.rulings
        draws = rulings.draw_when_empty and rulings.options["score"] == "home"
        if table.players > 1 or not rulings.withdrawal_kills or draws:
            return NEVER
        half = ActiveHalf(rulings, table, Asking(()))
        out = len(half.own_soldiers(self.colour))
        turns = rulings.turn_limit - table.turn + 1 if table.phase == PLAY else 0
        _, most = self._soldiers(half, out)
        moves = sorted(rows for _, rows, ways in self._ways_home(half) if self._fetch(ways, rows, most) <= turns)
        return self._score(table) + out + sum(total <= most * turns for total in accumulate(moves))

    def _ways_home(self, half: ActiveHalf) -> Iterator[tuple[int, int, list[int] | None]]:
        """Yield every wounded card on the field: its rows from home, and how far each own soldier is from it.

        No list stands for a card that is carried.
        """
        own = half.own_soldiers(self.colour)
        for soldier in half.soldiers:
            if soldier.carries is not None:
                yield soldier.carries, half.home_distance(self.colour, soldier.cell), None
        for cell, pile in enumerate(half.piles):
            if pile:
                rows = half.home_distance(self.colour, cell)
                out = [half.distance(soldier.cell, cell) for soldier in own]
                yield from ((card, rows, out) for card in pile)

    def promise(self, table: Table, seat: int) -> int:
        """Return how few moves all cards that are not home yet need, shared among the soldiers there are.

        A carried card needs its way home. The top one of a pile needs that of the nearest free soldier as well, and
        those below it both ways. Where the score counts, it is that of who is out and home, with a part of each card
        that there is still time for: the nearer, the greater.
        """
        half = ActiveHalf(self.rulings, table, Asking(()))
        own = half.own_soldiers(self.colour)
        if self.challenge.measure is Measure.SCORE:
            left = self.rulings.turn_limit - table.turn + 1 if table.phase == PLAY else 0
            worth = PARTS * (self._score(table) + len(own))
            for _, rows, out in self._ways_home(half):
                far = rows if out is None else rows + min([*out, rows])
                worth += (PARTS - 4 * far) // (1 if out is None else 2) if far <= left else 0
            return worth
        fetched, moves = self.wanted | self.at_home, 0
        for soldier in own:
            if soldier.carries in fetched or soldier.card in self.at_home:
                moves += half.home_distance(self.colour, soldier.cell)
        for cell, pile in enumerate(table.piles):
            if wanted := sum(card in fetched for card in pile):
                rows = half.home_distance(self.colour, cell)
                out = [half.distance(soldier.cell, cell) for soldier in own if soldier.carries is None]
                moves += (2 * wanted - 1) * rows + min(out, default=rows)
        return -PARTS * moves // max(1, len(self._able(half))) - PARTS * self._draws(half)

    def _draws(self, half: ActiveHalf) -> int:
        """Return how far down the deck those lie who have to be able-bodied, and those who could bring them home so."""
        value, deck, draws = self.pack.value, half.deck[self.colour], 0
        best = max((value[card] for card in self._able(half)), default=0)
        for card in self.at_home.difference(half.trench[self.colour]):
            if card in deck:
                draws += deck.index(card) + 1
            elif value[card] > best and card in half.table.lying:
                strong = (place for place, other in enumerate(deck, start=1) if value[other] >= value[card])
                draws += next(strong, len(deck) + 1)
        return DRAWN * draws

    def _able(self, half: ActiveHalf) -> list[int]:
        return [*half.trench[self.colour], *(soldier.card for soldier in half.own_soldiers(self.colour))]

    def _may_be_own(self, card: int) -> bool:
        return card == self.pack.unknown or self.pack.colour[card] == self.colour

    def _fetch(self, out: Sequence[int] | None, rows: int, k: int) -> int:
        """Return the turns that k soldiers need at least for a card so many rows out (4.2, TR-Q10).

        Some are so far from it; without a list it is carried. One who enters comes to the front row, or goes on at once
        where a stack may leave the trench.
        """
        first = int(not self.rulings.options["stack_from_trench"])
        spaces = [0] if out is None else [*(ceil(each / k) for each in out), first + ceil((rows - first) / k)]
        return min(spaces) + ceil(rows / k)

    def _soldiers(self, half: ActiveHalf, out: int) -> tuple[int, int]:
        """Return how many able-bodied soldiers there are, and how many there can be at most at any later time."""
        now = max(int(half.rulings.draw_when_empty), out + len(half.trench[self.colour]))
        return max(1, now), max(1, now + sum(map(self._may_be_own, half.table.lying)))
