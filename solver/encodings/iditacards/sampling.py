"""Playouts over rows: those of one question, and whole races of several seats, whose first turn is played by rules."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from math import inf
from typing import Any, Final
from weakref import proxy

from puzzles.puzzle import Objective
from rules.core.scripts import Forced, SplitMix64, Step, known, mix
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table, in_play
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import question_layout as Q
from solver.encodings.iditacards.encoding import Liveness
from solver.encodings.iditacards.hidden.playouts import WORDS, PlayoutRows
from solver.encodings.iditacards.hidden.seats import SeatRows
from solver.encodings.iditacards.hidden.values import HiddenValues, Question
from solver.encodings.iditacards.rows import machine_lacks
from solver.search.budget import BudgetExceeded
from solver.search.rollout import Deals, Draws, GameEnd, GreedyPolicy, Playing, Sampler, Spread, WholeGames
from solver.search.row_values import HashTable

WEIGHTS: Final = {
    "TURNS_A_CARD": (0.797, 2.42),
    "MET": (1.15, 0.334),
    "SEEN": (0.799, 0.537),
    "SLOWEST": (1.97, 1.4),
    "FREE": (1.0, 0.21),
    "LAST_CARD": (0.221, 0.561),
    "LATER": (0.123, 0.0699),
    "DEARER": (6.23, 38.4),
    "SLOWER": (12.2, 8.0),
    "STOPPED": (0.0, 255.0),
    "THINNER": (0.13, 0.0342),
    "DAMAGE": (0.262, 3.04),
    "IN_PLAY": (0.558, 0.063),
    "LONGEST": (38.3, 1.5),
    "NIGHT": (1.66, 1.5),
}
"""Weights of plain play, in spaces and turns, found by trying on whole races.

The second ones are for rulesets where the automatic move asks only whether there are conditions."""
GAMES: Final = 4, 16
"""Games of which a playout is the mean, at least and at most,"""
ROWS: Final = 3000
"""for about so many rows, which take as long as a deal and the turn under way."""
ROW_S: Final = 1.2e-6
"""About the seconds of a row."""
RULES_S: Final = 0.001
"""About the seconds of a deal and of the turn under way by the rules."""
HORIZON: Final = 400
"""Turns of each seat that a game lasts at most."""
SIMPLIFIED: Final = "after this turn cards do nothing to other players"
"""What rows leave out of the rules."""
OF_QUESTION: Final = 1 << 26, 1 << 18, 1 << 15
"""Bytes for values of last turns, places of the tree, and rows of a last turn up to which it is valued exactly,"""
_OF_GAMES: Final = 1 << 24, 1, 300
"""and the same for whole games, which have no tree."""
_CARRIED: Final[Mapping[str, object]] = {
    "passed_at_start": "no",
    "backward_passing": "overtaker_pays",
    "entry_backward": True,
    "entry_when_pushed": True,
    "entry_through": "every_leg",
    "blocked_moves": "own_moves",
    "leg_day_scope": "any_new_day",
    "empty_day_end": "participants",
    "cost_mod_scope": "own",
    "turn_end_leg": "own_turns",
    "attach_to_others": False,
}
"""Values of options about several players that rows carry."""


def give_up() -> None:
    """Stop the exact value of a last turn.

    Raises:
        BudgetExceeded: always.
    """
    raise BudgetExceeded


class PlayoutValues(HiddenValues):
    """Tables and moves as rows to play on."""

    opens_upgrades = True
    search: Any

    def __init__(
        self,
        game: Iditacards,
        table: Table,
        question: Question,
        memory: int,
        entries: int,
        exact: int,
        rows_type: Any = PlayoutRows,
    ) -> None:
        """``entries``, a power of 2, bounds the tree; with 1 there is none. ``exact``: the most rows of a last turn."""
        turns, self.rows_type = question.turns, rows_type
        super().__init__(game, table, question, memory, give_up)
        self.search.tree, self.search.exact = HashTable(WORDS, 0, entries), exact
        self.search.begun = turns
        self.search.dealt = 0 if game.rulings.upgrade_open else len(table.upgrade)
        self.search.worst = float(-turns if question.objective is Objective.MIN_TURNS else 0)
        kind = self.tables.array[L.H_AUTO_MOVE_BY_CONDITION]
        for name, weights in WEIGHTS.items():
            self.search.numbers[getattr(Q, name)] = weights[kind]

    def row(self, table: Table) -> array[int]:
        """Return the row of a table at the start of a turn; upgrades that have left a hidden deck lie on its top."""
        if self.search.dealt:
            table = table._replace(upgrade=tuple(map(self._opened, range(self.search.dealt), table.upgrade)))
        return super().row(table)

    def _opened(self, place: int, left: tuple[str, ...]) -> tuple[str, ...]:
        """Put the cards that have left a hidden deck on its top, and return what lies below."""
        numbers, kinds = self.tables.array, self.tables.kinds
        gone = Counter(self.tables.start.upgrade[place])
        gone.subtract(left)
        order = [kinds[card] for card in (*gone.elements(), *left)]
        first = numbers[numbers[L.H_UPGRADES] + 2 * place]
        for i, kind in enumerate(order):
            numbers[first + i] = kind
        numbers[L.H_OPENED + place] = len(order) - len(left)
        return self.tables.start.upgrade[place][len(order) - len(left) :]

    def row_of(self, table: Table, turns: int) -> array[int]:
        """Return a table at the start of a turn with so many turns left, its turn begun."""
        self.search.begin_row(self.row(table), turns)
        return array("h", self.search.work[: L.W])

    def row_after(self, table: Table, move: Step, turns: int) -> array[int]:
        """Return the row of a turn that begins with a move.

        Raises:
            LookupError: rows do not tell this move apart.
        """
        self.begin(table, move, turns)
        return array("h", self.search.work[: L.W])


def supports(game: Any, start: State[Table], _: Iterable[Step]) -> tuple[str, ...]:
    """Return in words what of a question is not carried; nothing means that it is."""
    table, options = start.table, game.rulings.options
    facts = {
        "open decks": game.rulings.deck_open,
        "more players than rows hold": len(table.players) > L.MOST_RIVALS + 1,
        "free costs of anybody's turn": options["free_cost_turn"] == "next_turn_of_anyone",
        **{f"option {name} = {options[name]}": options[name] != value for name, value in _CARRIED.items()},
    }
    lacking = tuple(name for name, holds in facts.items() if holds)
    everything = _together(table)
    return lacking or machine_lacks(game, everything, Liveness(game, everything), frozenset())


def _together(table: Table) -> Table:
    """Return a table whose one player has the cards of all, for what hangs on which cards there are."""
    players = table.players

    def of(zone: str) -> tuple[str, ...]:
        return tuple(chain.from_iterable(getattr(player, zone) for player in players))

    others = [card for player in players[1:] for card in in_play(player.dogs)]
    others += [frame.card for player in players[1:] for frame in player.stack]
    everything = players[0]._replace(
        deck=(*of("deck"), *others),
        discard=of("discard"),
        hand=tuple(known(of("hand"))),
        known=0,
        legendary=of("legendary"),
        resolved=of("resolved"),
        seen=of("seen"),
    )
    return table._replace(players=(everything,), active=0)


class Playouts(Sampler):
    """Values of open moves: how often the seat wins where all play on by the rollout policy.

    The turn under way is played by the rules, so whatever it does to others counts.
    """

    simplified = SIMPLIFIED
    most_playouts = 1000
    most_turns = 1000

    def __init__(self, game: Iditacards, start: State[Table], seat: int, rounds: int, seed: int) -> None:
        super().__init__(seed)
        self._game, self._start, self._seat, self.rounds = game, start, seat, rounds
        self._deals = Deals(game, start, seat)
        question = Question(Objective.MIN_TURNS, game.profile.target, rounds, frozenset())
        self._values = PlayoutValues(game, _together(start.table), question, *_OF_GAMES, SeatRows)
        self._rows = search = self._values.search
        search.asker, search.cost, search.lost = seat, 0, -1.0
        search.draws_outside = int(bool(game.rulings.options["day_draw_outsiders"]))
        here = proxy(self)  # policies of this object would hold it in a cycle
        self._policies = [GreedyPolicy(game, partial(Playouts.looks, here, each)) for each in range(game.players)]
        self._likes = game.plain_play(start.table, seat)
        self.games, most = least, _ = GAMES
        self.value(self._deals.deal((), SplitMix64(self._seed))[0], seed)
        self.games = max(least, min(most, least * ROWS // max(1, search.count)))

    @property
    def spent_s(self) -> float:
        """About the seconds of all playouts, from what was played alone."""
        return ROW_S * int(self._rows.count) + RULES_S * self._played

    def liking(self, move: Step) -> tuple[float, float]:
        """Return how good the row looks that a move begins a turn with, and what plain play of the rules says of it."""
        table, looks = self._start.table, -inf
        player = table.players[self._seat]._replace(legendary=())
        if not self._start.pending:
            with suppress(LookupError):
                self._values.row_after(table._replace(players=(player,), active=0), move, self.rounds)
                looks = float(self._rows.guess(0))
        return looks, self._likes(move)

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> float:
        self._played += 1
        generator = Spread(*self._draw)
        table, begun = self._deals.deal(begun, generator)

        def answer(script: Playing, seat: int, answers: Sequence[Step]) -> Step:
            return self._policies[seat](table, script, seat, answers, generator)

        after = self._game.play_turn(table, Playing(begun, Draws(*self._draw), answer))
        if self._game.is_over(after):
            return float(self._game.payoffs(after)[self._seat])
        return self.value(after, seed)

    def value(self, table: Table, seed: int, games: int | None = None) -> float:
        """Return the share of the win from a table between two turns on, on average of some games."""
        rows = [self.row(table, seat) for seat in range(len(table.players))]
        owed = 0 if table.final is None else 1 + sum(2 << seat for seat in table.final)
        self._rows.put_seats(array("h", b"".join(rows)), table.active, owed)
        row = rows[table.active]
        number = games or self.games
        return float(sum(self._rows.play(row, mix(seed + game), 0) for game in range(number)) / number)

    def row(self, table: Table, seat: int) -> array[int]:
        """Return the row of a seat between two turns."""
        player = table.players[seat]
        numbers = self._values.tables.array
        row = self._values.row(table._replace(players=(player._replace(legendary=()),)))
        first = sum(len(each.legendary) for each in self._start.table.players[:seat])
        for place, card in enumerate(player.legendary):
            numbers[numbers[L.H_LEGENDARY] + first + place] = self._values.tables.kinds[card]
            row[L.LEGENDARY] |= 1 << first + place
        row[L.LEFT], row[L.OVER] = self.rounds, 0
        return row

    def looks(self, seat: int, table: Table) -> float:
        """Return how good a table looks to a seat."""
        self._rows.copy_first(self.row(table, seat))
        return float(self._rows.guess(0))


def whole_games(game: Iditacards, start: State[Table]) -> WholeGames:
    """Return what plays whole games from tables of a game; one sled alone counts turns, several do not.

    Legendary cards are those of the start.
    """
    kept = [player.legendary for player in start.table.players]
    alone = game.players == 1
    question = Question(Objective.MIN_TURNS, game.profile.target, HORIZON, frozenset())
    values = PlayoutValues(game, start.table, question, *_OF_GAMES)
    several = Playouts(game, start, 0, HORIZON, 0)

    def play(table: Table, seed: int) -> GameEnd:
        players = zip(table.players, kept, strict=True)
        table = table._replace(players=tuple(each._replace(legendary=cards) for each, cards in players))
        if alone:
            turns = -int(values.search.play(values.row_of(table, HORIZON), seed, 0))
            return GameEnd((0,) if turns < HORIZON else (), turns, turns < HORIZON)
        won = several.value(table, seed, 1)
        return GameEnd(() if won == 1 / game.players else (0,) if won else (1,), 0, True)

    return play
