"""The Trench Rescue game: half-turns with all that follows each, progress, payoffs and pictures (4, 6, 7)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from rules.core.race import NEVER, Hazard, Lot, Profile, Race
from rules.core.scripts import UNKNOWN, Asking, Barred, Event, Exploring, Forced, Move, Outcome, Script, Step, every_way
from rules.core.turns import Refusals, State, TurnEnd, TurnGame
from rules.trench_rescue.actions import END, actions, idles, perform, reinforce
from rules.trench_rescue.content import DECK_EVENTS, FIELD_EVENTS, OVER, PLAY, Rulings, Table, decode, encode
from rules.trench_rescue.turn import (
    Barrage,
    HalfTurn,
    after_barrage,
    begin_barrage,
    drop_shell,
    end_turn,
    gain,
    is_first_half,
    score,
)
from rules.trench_rescue.words import NOTATION, SENTENCES, glance, reason


class Node(NamedTuple):
    """A place inside a half-turn, and the first way that led there."""

    table: Table
    barrage: Barrage | None
    steps: tuple[Step | Forced, ...]


class TrenchRescue(TurnGame[Table, HalfTurn], Race[Table]):
    """Trench Rescue under one ruleset, for one or two players, with one set of open chance results."""

    refusals = Refusals(NOTATION, reason)

    def __init__(self, rulings: Rulings) -> None:
        self.rulings: Rulings = rulings
        self.players = rulings.players
        self.pack = rulings.pack
        # No score is greater than the number of all cards, nor is that of cards carried home. Where carried cards
        # count, each way home takes a half-turn, so that no number of cards bounds them.
        most = len(self.pack.codes) * (2 + rulings.turn_limit if rulings.options["score"] == "rescued" else 1)
        size = rulings.field_size
        self.profile = Profile(
            unit="card",
            # All the wounded of a fresh field are at home.
            target=len(self.pack.of_colour[0]) - rulings.laid[size] + size**2,
            is_place=False,
            bottom=0,  # 7.4: a score counts cards
            routine=frozenset({"ends", "quiet", "turn"}),
            standing=("field", "trench", "infirmary"),
            idle=frozenset({END.text}),
            stake="card",
            payoffs=(-most, most),
            seat_name=self.pack.colours.__getitem__,
        )

    # The game

    def outcome(self, table: Table) -> Outcome | None:
        """Return who has the higher score; a player alone wins with a gain (7.4)."""
        if table.phase != OVER:
            return None
        if table.players == 1:
            return Outcome((0,) if gain(self.rulings, table, table.starter) > 0 else (), "7.4")
        scores = [score(self.rulings, table, colour) for colour in range(table.players)]
        best = max(scores)
        return Outcome(() if scores.count(best) > 1 else (scores.index(best),), "7.4")

    def encode(self, table: Table) -> dict[str, Any]:
        """Return the canonical ``state`` object (15)."""
        return encode(self.pack, table)

    def decode(self, state_object: Mapping[str, Any]) -> Table:
        """Return the table of a complete canonical ``state`` object (15)."""
        return decode(self.pack, state_object, arrival=self.rulings.arrival)

    def opened(self, table: Table, script: Script) -> HalfTurn:
        """Return a working copy of a table."""
        return HalfTurn(self.rulings, table, script)

    def run(self, half: HalfTurn) -> None:
        """Run the half-turn of the player to move, and what follows it at once (4, 6, 7)."""
        while not self._step(half):
            pass

    def settled(self, state: State[Table]) -> State[Table]:
        """Return the state with its half-turn as part of the table, but where chance is asked (3)."""
        if not state.pending:
            return state
        half, question = self.stopped(state)
        return state if question is not None and question.actor < 0 else State(half.frozen())

    def _step(self, half: HalfTurn, *, distinct: bool = False) -> bool:
        """Take one action or let one shell fall; return whether the half-turn is over with all that follows.

        With ``distinct`` actions are left out of which nothing new comes.
        """
        if half.barrage is not None:
            return drop_shell(half) and end_turn(half)
        if half.phase == OVER:
            return True
        seat = half.to_move if self.players > 1 else 0
        if self.reinforces(half):
            reinforce(half, half.to_move, "TR-Q23", "reinforced")
        move = half.script.decide(seat, lambda: self._distinct(half) if distinct else actions(half), always=True)
        if move != END:
            perform(half, move)
            return False
        half.emit("4.0.4", "ends", colour=half.colour_name(half.to_move))
        return begin_barrage(half) and end_turn(half)

    def may_end(self, half: HalfTurn) -> bool:
        """Return whether a half-turn may end as it stands by the question that is asked; the rules allow it."""
        return True

    def reinforces(self, half: HalfTurn) -> bool:
        """Return whether the player to move draws first; it can only be true when the half-turn begins (TR-Q23)."""
        colour = half.to_move
        if not half.rulings.draw_when_empty or half.phase != PLAY or half.trench[colour] or not half.deck[colour]:
            return False
        return not half.own_soldiers(colour)

    def colour_of(self, table: Table, seat: int) -> int:
        """Return the colour of a seat: black is seat 0 and red seat 1, a player alone is seat 0 (11.1)."""
        return table.starter if self.players == 1 else seat

    def gain(self, table: Table, seat: int = 0) -> int:
        """Return what a player's score has grown by since the set-up (7.4)."""
        return gain(self.rulings, table, self.colour_of(table, seat))

    def distinct_ends(self, table: Table, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[Table]]:
        """Yield one way to every table that the half-turn can end in, orders of the same moves walked once."""
        ends: set[Table] = set()
        seen: set[tuple[Table, Barrage | None]] = {(table, None)}
        nodes = deque([Node(table, None, ())])
        given: Sequence[Step | Forced] = pending
        while nodes:
            node = nodes.popleft()
            for done, following in self._followers(node, given):
                if not done and following[:2] not in seen:
                    seen.add(following[:2])
                    nodes.append(following)
                elif done and following.table not in ends:
                    ends.add(following.table)
                    if self.keeps(following.table):
                        yield TurnEnd(following.steps, following.table)
            given = ()

    def _followers(self, node: Node, given: Sequence[Step | Forced]) -> Iterator[tuple[bool, Node]]:
        """Yield what every first step from a node leads to, and whether the half-turn is over there.

        Steps ``given`` are taken first, however many they are.
        """
        for script in every_way(Exploring, given):
            half = HalfTurn(self.rulings, node.table, script, node.barrage)
            try:
                done = self._step(half, distinct=True)
                while not done and script.unread:
                    done = self._step(half, distinct=True)
            except Barred:
                continue
            yield done, Node(half.frozen(), half.barrage, (*node.steps, *script.steps))

    def _distinct(self, half: HalfTurn) -> list[Move]:
        """Return the open actions but those that only use up a move, and ends that the question does not allow.

        Raises:
            Barred: nobody can act any more, and the half-turn may not end here.
        """
        options = [move for move in actions(half) if (self.may_end(half) if move is END else not idles(half, move))]
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

    def days(self, table: Table, seat: int = 0) -> int:
        """Return the turns begun."""
        return table.turn

    def least_turns(self, table: Table, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return 1 short of the target, never where there are too few cards: what is scored is a card that lives (7.4).

        Where carried cards count, the same card can be carried home again.
        """
        out = [card for one in table.soldiers for card in (one.card, one.carries) if card is not None]
        living = sum(map(len, (*table.trench, *table.infirmary, *table.deck, *table.piles, out)))
        if self.rulings.options["score"] != "rescued" and target > living:
            return NEVER
        return super().least_turns(table, seat, target)

    def most_turns(self, table: Table, seat: int = 0) -> int | None:
        """Return the turns up to the last one, and those of a withdrawal in which every step leads home (7.3)."""
        rulings = self.rulings
        if table.phase == OVER:
            return 0
        if rulings.options["withdrawal"] == "free" or rulings.options["withdrawal_trench"]:
            return None
        home = table.size if rulings.options["withdrawal"] == "direct_home" else 0
        return rulings.turn_limit + home - table.turn + 1

    def owned(self, table: Table, seat: int = 0) -> Counter[str]:
        """Return every card that is not dead, whosever it is and wherever it lies (5)."""
        return Counter(self.pack.texts([card for card in range(len(self.pack.codes)) if card not in table.dead]))

    def hand(self, table: Table, seat: int = 0) -> tuple[str, ...]:
        """Return a player's able-bodied soldiers, at home and on the field."""
        colour = self.colour_of(table, seat)
        out = [soldier.card for soldier in table.soldiers if self.pack.colour[soldier.card] == colour]
        return tuple(self.pack.texts(sorted([*table.trench[colour], *out])))

    def decks(self, table: Table, seat: int = 0) -> dict[str, list[Lot]]:
        """Return the next card that a soldier who goes into a hidden deck may bring (4.1, 9).

        The soldier itself is ``?`` where several may go. What comes after it depends on who goes next.
        """
        colour = self.colour_of(table, seat)
        if self.rulings.queue:
            return {"deck": [Lot((card,), 1) for card in self.pack.texts(table.deck[colour])]}
        chances = HalfTurn(self.rulings, table, Asking(())).deck_chances(colour)
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
        half = HalfTurn(self.rulings, table, Asking(()))
        chances = {soldier.card: Fraction(0) for soldier in half.own_soldiers(self.colour_of(table, seat))}
        if is_first_half(half) and not self.rulings.after_each:
            table = table._replace(to_move=1 - table.to_move)
        for after, chance in after_barrage(self.rulings, table).items():
            for card in chances.keys() - {soldier.card for soldier in after.soldiers}:
                chances[card] += chance
        ordered = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Hazard(half.code(card), "is hit", "6.5", chance) for card, chance in ordered]

    def initial_table(self) -> Table:
        """Return the table after the set-up (2); hidden sources are dealt from the seed and then forgotten.

        A player alone draws a soldier and the other colour none (11.1). Field and decks lie face down where cards are
        hidden (8).
        """
        rulings, pack, size = self.rulings, self.pack, self.rulings.field_size
        laid, is_open = rulings.laid[size], rulings.chance.is_open("cards")
        field: list[int] = []
        trench: list[list[int]] = []
        decks: list[list[int]] = []
        for colour, cards in enumerate(pack.of_colour):
            order = rulings.chance.stream(DECK_EVENTS, colour, 0).shuffle(cards)
            soldiers = 0 if self.players == 1 and colour != rulings.solitaire_colour else rulings.trench_cards
            field += order[:laid]
            trench.append(sorted(order[laid : laid + soldiers]))
            decks.append(order[laid + soldiers :] if rulings.queue else sorted(order[laid + soldiers :]))
        starter = rulings.starter(trench, coin=True)
        if is_open:
            field = rulings.chance.stream(FIELD_EVENTS, 0, 0).shuffle(field)
        else:
            field, decks = [pack.unknown] * size**2, [[pack.unknown] * len(deck) for deck in decks]
        return Table(
            carried_home=(0, 0),
            dead=(),
            deck=(tuple(decks[0]), tuple(decks[1])),
            draws=(0, 0),
            fresh=(),
            infirmary=((), ()),
            moved=(),
            near=rulings.near_side(),
            phase=PLAY,
            piles=tuple((card,) for card in field),
            players=self.players,
            shells=0,
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
