"""What a venture does apart from hand, deck and stack: found once for each board and stretch of the track.

A *board* is all that a venture reads of a table but for cards and place. What a card costs on it, what an effect does
to it and what the end of a turn does are asked of the rules on a table made for the question; what they do to the deck
and to the hand is written down as *orders*, to be carried out by whoever knows how many cards there are. A piece of a
turn goes alike from all places that it does not tell apart, as ``odds_counts`` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Final

from rules.core.scripts import Exploring, every_way
from rules.core.ventures import OutOfReach
from rules.iditacards.content import Card, Leg
from rules.iditacards.costs import LOWERED_ON_TABLE, costs_on_table
from rules.iditacards.dogs import free_action
from rules.iditacards.odds_asked import (
    ALL_FACTS,
    DOGS,
    FACTS,
    AskedSeat,
    AskedTurn,
    Board,
    Facts,
    fields,
    kept,
    read,
)
from rules.iditacards.odds_counts import WITHOUT_END
from rules.iditacards.odds_orders import (
    ANYWHERE,
    DRAW,
    GAIN,
    RECALL,
    SHED,
    Carried,
    Price,
    Priced,
    Way,
    Ways,
    holding,
)
from rules.iditacards.odds_scope import Scope
from rules.iditacards.risk import Signal, ending_leg, fizzling_leg, put_on_table
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table, in_play
from rules.iditacards.turn import GameOver, Seat, Team, Turn
from rules.iditacards.venture import RiskCards

DAY_LEGS: Final = frozenset(
    {"leg_no_day_draw", "leg_day_start_starve", "leg_day_start_kill_dog", "leg_day_end_kill_dog"}
)
"""Ops of legs that act at the beginning or the end of a day."""
_SPARE: Final = 64
_UNDER: Final = "-"
"""Stands for every card of the deck of a question, which has more of them than any piece of a turn takes."""


Changes = dict[str, Any]
"""Facts of a board after an action, by name."""
Piece = tuple[int, int, list[tuple[Way, Changes]]]
"""First and last place for which the ways hold, and what each changes."""


class Boards:
    """Boards by number, and what the rules say about each."""

    opens = False
    """What legs give back from the discard pile is an order; else it is out of reach."""

    def __init__(self, ventures: RiskCards, scope: Scope, carried: Carried) -> None:
        rulings = ventures.game.rulings
        self._game = ventures.game
        self._rulings = rulings
        self._scope = scope
        self._seat = ventures.seat
        self._carried = carried
        self._track = rulings.track(ventures.table.legs)
        ends = {"leg_turn_end_recover", "leg_turn_end_draw"}
        legs = [leg for leg in self._track if leg is not None]
        self._quiet = rulings.options["auto_move"] == "none" and all(ends.isdisjoint(leg.effects) for leg in legs)
        """No place matters at the end of a turn."""
        player = ventures.table.players[ventures.seat]
        self._gains = carried.gains
        self._legendary = rulings.legendary_to == "hand"
        self._reads = carried.reads
        bare = scope.bare(ventures.table)
        blank = player._replace(
            deck=(), discard=(), dogs=(), foods=(), hand=(), legendary=(), resolved=(), seen=(), stack=(), known=0
        )
        self._table = scope.with_player(bare, blank)._replace(
            supply=(), upgrade=tuple(() for _ in bare.upgrade), active=ventures.seat
        )
        self._legs_priced = list(self._priced_alike())
        self._mods: dict[tuple[Dog, ...], tuple[str, ...]] = {}
        self._ending: dict[int, tuple[int, int, bool]] = {}
        self._zones = stretches(rulings, ventures.table, ventures.seat)
        self._boards: list[Board] = []
        self._numbers: dict[Board, int] = {}
        self._pieces: dict[tuple[Any, int], list[Ways]] = {}
        self._shared: dict[Any, dict[Facts, dict[tuple[Any, ...], list[Piece]]]] = {}
        """By key, by what was read, by a view of it."""
        self._priced: dict[tuple[str, int], list[Priced]] = {}
        self._prices: dict[Any, tuple[int, int, int, bool, int, int]] = {}
        self.start = self._number_of(bare)

    def forget(self) -> None:
        """Let go of all but the boards."""
        self._pieces.clear()
        self._shared.clear()
        self._priced.clear()

    # Boards

    def _number_of(self, bare: Table) -> int:
        player = bare.players[self._seat]
        return self.number(
            Board(
                player.hypothermia,
                player.starvation,
                self._carried.teams.same(player.dogs),
                player.foods if {"eaten_today", "three_meals_today"} & self._reads else (),
                player.personal if "healed_today" in self._reads else 0,
                player.moved and "not_moved_today" in self._reads,
                player.immune,
                player.free_energy,
                player.free_health,
                bare.freeze,
                player.finished,
                player.passed,
                player.legendary if self._legendary else (),
                len(bare.supply) if self._gains else 0,
            )
        )

    def board(self, number: int) -> Board:
        """Return the board with this number."""
        return self._boards[number]

    def draws_first(self, number: int) -> bool:
        """Return whether something in play draws the first risk card of a frame (R33)."""
        holders = self._carried.draws_first
        dogs = self._boards[number].dogs if holders else ()
        return any(card in holders for card in in_play(dogs))

    def number(self, board: Board) -> int:
        """Return the number of a board."""
        number = self._numbers.get(board)
        if number is None:
            number = self._numbers[board] = len(self._boards)
            self._boards.append(board)
        return number

    def _view(self, number: int, facts: Facts) -> tuple[Any, ...]:
        """Return some facts of a board, and in the place of its dogs what they come to."""
        board = self._boards[number]
        view = [getattr(board, name) for name in fields(facts & ~DOGS)]
        return (self._carried.teams.worth(board.dogs), *view) if facts & DOGS else tuple(view)

    def _modifying(self, dogs: tuple[Dog, ...]) -> tuple[str, ...]:
        """Return those dogs and attachments that change costs."""
        mods = self._mods.get(dogs)
        if mods is None:
            mods = self._mods[dogs] = tuple(filter(self._changes_cost, in_play(dogs)))
        return mods

    def question(self, number: int, pos: int, script: Exploring | None = None) -> tuple[AskedTurn, AskedSeat]:
        """Return a turn under way on a board, with nothing in hand and cards enough in the deck."""
        board = self._boards[number]
        turn = AskedTurn(self._rulings, self._table, script or Exploring((), []), self._seat)
        seat = turn.seats[self._seat]
        assert isinstance(seat, AskedSeat)
        seat.pos = pos
        seat.hypothermia, seat.starvation = board.hypothermia, board.starvation
        seat.dogs = [Team(dog.dog, dog.attachments) for dog in board.dogs]
        seat.foods, seat.personal, seat.moved = board.foods, board.personal, board.moved
        seat.immune, seat.free_energy, seat.free_health = board.immune, board.free_energy, board.free_health
        seat.finished, seat.passed, seat.legendary = board.finished, board.passed, list(board.legendary)
        turn.freeze = board.freeze
        seat.deck = [_UNDER] * _SPARE
        turn.watch(seat)
        return turn, seat

    def _answer(self, turn: Turn, seat: Seat, supply: int) -> int:
        reads = self._reads
        return self.number(
            Board(
                seat.hypothermia,
                seat.starvation,
                self._carried.teams.same(self._scope.alike.dogs(team.frozen() for team in seat.dogs)),
                seat.foods if {"eaten_today", "three_meals_today"} & reads else (),
                self._scope.alike.personal(seat.personal) if "healed_today" in reads else 0,
                seat.moved and "not_moved_today" in reads,
                seat.immune,
                seat.free_energy,
                seat.free_health,
                turn.freeze,
                seat.finished,
                seat.passed if seat.legendary else (),
                tuple(seat.legendary),
                supply,
            )
        )

    def _explored(
        self, number: int, pos: int, action: Callable[[Turn, Seat], Signal | None], *, anywhere: bool = False
    ) -> tuple[Piece, Facts]:
        """Return the different ways of an action over all its choices, and what was read for them.

        It may be one that reads no place.
        """
        found: dict[tuple[Way, Facts], None] = {}
        low, high = ANYWHERE
        reads = 0
        for script in every_way(Exploring):
            turn, seat = self.question(number, pos, script)
            over = False
            signal = None
            try:
                signal = action(turn, seat)
            except GameOver:
                over = True
            drawn = seat.hand.count(_UNDER)
            gained = len(seat.hand) - drawn
            shed = _SPARE - len(seat.deck) - drawn
            if drawn and shed:
                raise OutOfReach  # which comes first would matter
            orders = [(DRAW, drawn), (SHED, shed), (GAIN, gained)]
            lost = over or turn.over
            reads |= read(turn, seat)
            same = kept(turn, seat)
            after = number if lost else self._answer(turn, seat, self._boards[number].supply)
            other = self._differing(number, after, same)
            reads |= other
            way = Way(
                tuple((order, n) for order, n in orders if n),
                after,
                seat.pos - pos,
                lost=lost,
                over=lost,
                skips=signal is Signal.SKIP_REST,
            )
            found[way, ALL_FACTS & ~same | other] = None
            for place in () if anywhere and not turn.places else {pos, *turn.places, seat.pos}:
                first, last = (place, place) if lost else self.zone(place)
                low, high = max(low, pos + first - place), min(high, pos + last - place)
        ways = [(way, {} if way.lost else self._named(way.board, facts | reads)) for way, facts in found]
        return (low, high, ways), reads

    def _named(self, number: int, facts: Facts) -> Changes:
        board = self._boards[number]
        return {name: getattr(board, name) for name in fields(facts)}

    def _differing(self, number: int, after: int, facts: Facts) -> Facts:
        """Return those of some facts in which two boards differ, put in order otherwise after an action."""
        if number == after:
            return 0
        one, other = self._boards[number], self._boards[after]
        return sum(FACTS[name] for name in fields(facts) if getattr(one, name) != getattr(other, name))

    def piece(
        self,
        key: Any,
        number: int,
        pos: int,
        action: Callable[[Turn, Seat], Signal | None],
        *,
        anywhere: bool = False,
        places: bool = False,
    ) -> Ways:
        """Return the ways through an action that ``key`` names.

        It may be one that reads no place, or one that ``places`` dogs or attachments.
        """
        pieces = self._pieces.setdefault((key, number), [])
        known = holding(pieces, pos)
        if known is not None:
            return known
        found = None if places else self._recalled(key, number, pos)
        if found is None:
            (low, high, ways), reads = self._explored(number, pos, action, anywhere=anywhere)
            found = (low, high, tuple(dict.fromkeys(way for way, _ in ways)))
            dogs = self._boards[number].dogs
            if not places and all(self._boards[way.board].dogs == dogs for way, _ in ways):
                for _, changes in ways:
                    changes.pop("dogs", None)
                views = self._shared.setdefault(key, {}).setdefault(reads, {})
                views.setdefault(self._view(number, reads), []).append((low, high, ways))
        pieces.append(found)
        return found

    def _recalled(self, key: Any, number: int, pos: int) -> Ways | None:
        """Return the ways through an action that was carried out on a board which agrees in all that was read.

        None of them changes the dogs, so what was read of these is what they come to (``odds_teams``).
        """
        for reads, views in self._shared.get(key, {}).items():
            for low, high, ways in views.get(self._view(number, reads), ()):
                if low <= pos <= high:
                    found = [way._replace(board=self.changed(number, changes)) for way, changes in ways]
                    return low, high, tuple(dict.fromkeys(found))
        return None

    def changed(self, number: int, changes: Changes) -> int:
        """Return the number of a board with some other facts."""
        return self.number(self._boards[number]._replace(**changes)) if changes else number

    def zone(self, pos: int) -> tuple[int, int]:
        """Return the first and the last place like one."""
        return self._zones[min(pos, len(self._zones) - 1)]

    # Pieces of a turn

    def began(self, number: int, pos: int) -> Ways:
        """Return what the start of a turn does (R12)."""
        return self.piece("start", number, pos, self._game.start_turn, anywhere=True)

    @property
    def gives(self) -> int | None:
        """The first place whose leg gives cards back that may go into the deck: then few cards in it may be enough."""
        return next(filter(self.recovers, range(len(self._track))), None)

    def recovers(self, pos: int) -> bool:
        """Return whether a turn that ends here gives a card back from the discard pile that the player may want."""
        return self._given(pos) > 0

    def _given(self, pos: int) -> int:
        leg = self._track[pos] if self._scope.recovers and pos < len(self._track) else None
        return int(leg.effects.get("leg_turn_end_recover", {"n": 0})["n"]) if leg is not None else 0

    def ended(self, number: int, pos: int) -> Ways:
        """Return what the end of a turn and the start of the next one do (R12, R16).

        Raises:
            OutOfReach: it reads the discard pile, which is not carried.
        """
        if self.recovers(pos):
            self._scope.reading = True
            if not self.opens:
                raise OutOfReach
            _, _, ways = self._ends(number, pos)  # nothing comes back: the discard pile of a question is empty
            gives = (RECALL, self._carried.recall(None, self._given(pos)))
            return pos, pos, tuple(way._replace(orders=(gives, *way.orders)) for way in ways)
        return self._ends(number, pos)

    def _ends(self, number: int, pos: int) -> Ways:

        def end(turn: Turn, seat: Seat) -> None:
            self._game.end_turn(turn, seat)
            if not turn.over:
                self._game.start_turn(turn, seat)

        return self.piece("end", number, pos, end, anywhere=self._quiet)

    def ends_waiting(self, pos: int) -> tuple[int, int, bool]:
        """Return whether all that waits fizzles on a turn that begins here (R33)."""
        known = self._ending.get(pos)
        if known is None:
            turn, seat = self.question(self.start, pos)
            first, last, _ = self._legs_priced[min(pos, len(self._legs_priced) - 1)]
            known = self._ending[pos] = (first, last, ending_leg(turn, seat) is not None)
        return known

    def free(self, number: int, pos: int) -> Ways:
        """Return every result of some free actions, none included (R13)."""
        pieces = self._pieces.setdefault(("free", number), [])
        known = holding(pieces, pos)
        if known is not None:
            return known
        low, high = ANYWHERE
        reached = {(number, 0): Way((), number, 0)}
        queue = [(number, 0)]
        while queue:
            board, gained = queue.pop()
            (first, last, ways), _ = self._explored(board, pos, free_action)
            low, high = max(low, first), min(high, last)
            for way, _ in ways:
                more = gained + sum(n for order, n in way.orders if order == GAIN)
                if (way.board, more) not in reached:
                    reached[way.board, more] = way._replace(orders=((GAIN, more),) if more else ())
                    queue.append((way.board, more))
        found = (low, high, tuple(reached.values()))
        pieces.append(found)
        return found

    def price(self, number: int, pos: int, card: Card) -> Priced:
        """Return what it costs to play a card, with the places for which it holds.

        Costs read the conditions, the cards in play that change costs, free costs and the leg (R18, R19).
        """
        pieces = self._priced.setdefault((card.id, number), [])
        piece = holding(pieces, pos)
        if piece is not None:
            return piece
        board = self._boards[number]
        mods = self._modifying(board.dogs)
        first, last, facts = self._legs_priced[min(pos, len(self._legs_priced) - 1)]
        key = (card.id, facts, board[:2], board.free_energy, board.free_health, mods)
        known = self._prices.get(key)
        if known is None:
            turn, seat = self.question(number, pos)
            put_on_table(turn, seat, card)
            costs = costs_on_table(turn, seat, card)
            known = self._prices[key] = (
                costs.cards,
                costs.health,
                costs.risk,
                fizzling_leg(turn, seat) is not None,
                seat.hypothermia,
                seat.starvation,
            )
        after = board if known[4:] == board[:2] else board._replace(hypothermia=known[4], starvation=known[5])
        if self._reads and card.type in LOWERED_ON_TABLE:
            turn, seat = self.question(number, pos)
            put_on_table(turn, seat, card)
            after = self._boards[self._answer(turn, seat, board.supply)]
        found = (first, last, Price(number if after is board else self.number(after), *known[:4]))
        pieces.append(found)
        return found

    def pricing(self, number: int, pos: int) -> tuple[int, int, Any]:
        """Return all that prices and the records of cards that are played read, with the places for which it holds."""
        board = self._boards[number]
        first, last, facts = self._legs_priced[min(pos, len(self._legs_priced) - 1)]
        free = (board.free_energy, board.free_health)
        return first, last, (facts, board[:2], free, self._modifying(board.dogs), board.foods, board.personal)

    def _priced_alike(self) -> Iterator[tuple[int, int, Any]]:
        """Yield for every place the first and the last one between which no leg changes a cost, and what changes them.

        Whether a risk fizzles is among it (R18, R19, R24, Q12).
        """
        read = ("leg_risk_mult", "leg_risks_fizzle", "leg_no_starve")
        facts: list[Any] = []
        for leg in (*self._track, None):
            effects = {} if leg is None else {op: repr(leg.effects[op]) for op in read if op in leg.effects}
            facts.append(leg and (tuple(effects.items()), tuple(sorted(leg.cost_mod.items()))))
        facts = [None if each is None or each == ((), ()) else each for each in facts]
        first = 0
        for each, run in groupby(facts):
            places = len(list(run))
            last = first + places - 1 if first + places < len(facts) else WITHOUT_END
            yield from [(first, last, each)] * places
            first += places

    def _changes_cost(self, card: str) -> bool:
        return any(card in mods for mods in self._rulings.cost_mod.values())


def stretches(rulings: Rulings, table: Table, seat: int) -> list[tuple[int, int]]:
    """Return for every place the first and the last one with no border between that is read on the way.

    Legs that act on days only, which a venture does not see the end of, are like no leg (R60, R64); a damage space puts
    a card where nothing reads it, a checkpoint too unless its card goes to the hand (R49, R66). The last entry is for
    all places beyond.
    """
    alone = {0, *rulings.board.cold, *rulings.board.hungry}
    if rulings.legendary_to == "hand" and table.players[seat].legendary:
        alone |= rulings.board.checkpoints
    track = rulings.track(table.legs)
    end = max(len(track), rulings.finish_at + 1, *(space + 2 for space in alone))
    enters = rulings.options["leg_entry"] != "add" and rulings.options["missing_number"] != "leave"
    legs = [track[place] if place < len(track) else None for place in range(end + 1)]
    acting = [leg if leg is not None and (enters or _acts(leg)) else None for leg in legs]
    starts = [0]
    for place in range(1, end + 1):
        border = acting[place] is not acting[place - 1] or place in (rulings.finish_at, end)
        if border or place in alone or place - 1 in alone:
            starts.append(place)
    ends = [*(start - 1 for start in starts[1:]), WITHOUT_END]
    return [each for each in zip(starts, ends, strict=True) for _ in range(each[0], min(each[1], end) + 1)]


def _acts(leg: Leg) -> bool:
    return bool(leg.numbers or leg.cost_mod or leg.effects.keys() - DAY_LEGS)
