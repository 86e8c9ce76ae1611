"""The best move against others: exact where play can be followed to its end, else as far ahead as the limit allows.

Payoffs of all seats add to the same sum, so that with two seats one number says it all. Only what everybody sees is
used: where a hand or a card is hidden from a seat, this search has no answer, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import CHANCE, ChanceOutcome, Step
from rules.core.turns import State
from solver.encodings.turns import encoded_duel
from solver.question import MIXED, Answer, ContestFacts, MoveValue, Statistics, Status, seat_to_choose
from solver.search.budget import Budget, BudgetExceeded, postponed
from solver.search.contests.expectiminimax import EncodedContest, Expectiminimax, Horizon
from solver.search.contests.modelled import Model, Modelled
from solver.search.contests.root_moves import RootMoves, first_best
from solver.search.contests.tree import STEPS, PlainTree

ROWS: Final = 200_000
"""Rows of an encoding asked about where no time is given; the same answer on every machine."""
STATES: Final = 8_000
"""Likewise states of the rules."""
STEADY: Final = 2
"""Turns seen through with the last three quarters of either after which as much again is asked: an end is near."""
LONGEST: Final = 8
"""How many times as much is asked at most."""
GLANCED: Final = 400
"""Moves that are glanced at before search begins."""
EARLY: Final = 0.1
"""Part of the limit up to which all moves are compared at every depth, not only the best one found."""
LEAP: Final = 6
"""Turns of all players before the end of play from which an encoding goes for the end, after two of them."""
WHOLE: Final = Fraction(1)
"""Of what may be asked about: all of it."""
LINE: Final = 16
"""Steps of the line shown."""


def contest_question(
    position: Position,
    limit: Budget | None = None,
    opponents: Model = Model.BEST,
    rounds: int | None = None,
    asked: Step | None = None,
) -> ContestQuestion:
    """Return the question what every open move of the seat to move is worth.

    ``rounds``: play is taken to stop after so many rounds, the one under way included. ``asked``: the move whose loss
    is told first, after the best move.

    Raises:
        UnsupportedRuleset: the game is no contest, seats do not see all there is to see, or more than two decide in
            secret, each at its best.
        BestlineError: nobody has to decide anything.
    """
    game, start = position.start()
    if game.players < 2:
        raise UnsupportedRuleset(["a contest without opponents"])
    if not start.pending:
        start = State(game.undecided(start.table)) if game.is_secret(start.table) else start
    if not game.is_common(start.table):
        raise UnsupportedRuleset(["exact search where cards are hidden from a player"])
    actor = seat_to_choose(position)
    if opponents is Model.BEST and game.players > 2 and game.is_secret(start.table):
        raise UnsupportedRuleset(["exact search where more than two players decide in secret"])
    return ContestQuestion(game, start, actor, opponents, limit or Budget(), rounds, asked)


class ContestQuestion:
    """One position on its way to an answer, deeper and deeper."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        seat: int,
        opponents: Model,
        limit: Budget,
        rounds: int | None,
        asked: Step | None = None,
    ) -> None:
        self._game = game
        self._start = start
        self._seat = seat
        self._opponents = opponents
        self._rounds = rounds
        self._asked = asked
        self._limit = limit
        self._last = last = None if rounds is None else game.rounds(start.table) + rounds
        self._plain = PlainTree(game, self._looked)
        self._secret = not start.pending and game.is_secret(start.table)
        self.budget = limit.start()
        most = limit.time_s is None
        if game.players == 2 and opponents is Model.BEST:
            self._total = sum(game.payoffs(start.table), Fraction(0))
            make = None if last is not None or self._secret else encoded_duel(game, start.table)
            pair: Expectiminimax
            if make is None:
                pair = Expectiminimax(self._plain, self.budget, solve_matrix=_solve_matrix)
            else:
                pair = EncodedContest(make, self._plain, self.budget)
            pair.most = (ROWS if make else STATES) if most else None
            self._pair: Expectiminimax | None = pair
        else:
            models = {} if opponents is Model.BEST else dict.fromkeys(range(game.players), opponents)
            models.pop(seat, None)
            self._pair = None
            self._all = Modelled(self._plain, models, self.budget, most=STATES if most else None)
        self._search = self._pair or self._all
        self._most = self._search.most
        self._root: RootMoves | None = None
        if self._pair is not None and not self._secret:
            self._root = RootMoves(self._pair, self._plain, start, seat)
        self._choices: list[MoveValue[Fraction]] = []
        self._turns = 0
        self._looking = 0
        """Turns ahead that search looks at present."""
        self._exact = False
        self._line: list[str] = []

    def answer(self, part: Fraction = WHOLE) -> Answer[Fraction]:
        """Return the report; asked again after more time, it goes on with what was found.

        ``part``: of what is asked about where no time is given.
        """
        interrupted = False
        if self._most is not None:
            self._search.most = int(self._most * part)
        try:
            self._choices = self._choices or self._glanced()
            self._look_on()
            self._tell_losses()
        except BudgetExceeded:
            pass
        except KeyboardInterrupt:
            interrupted = True
        self._choices = self._choices or [MoveValue(move, None) for move in self._moves()]
        choices, exact, search = self._choices, self._exact, self._search
        value = choices[0].value
        if self._secret and value is not None:
            value = sum((each.value * each.share for each in choices if each.value and each.share), Fraction(0))
        low, high = (value, value) if exact else self._bounds()
        facts = ContestFacts(
            self._seat,
            self._game.stake,
            self._opponents,
            self._rounds,
            low=low,
            follows=tuple(self._line),
            turns=None if exact else self._turns,
        )
        return Answer(
            Status.OPTIMAL if exact else Status.UNKNOWN if value is None else Status.FEASIBLE,
            value,
            high,
            statistics=Statistics(self.budget.elapsed_s, search.tally.keys, search.tally.keys, self._engine),
            interrupted=interrupted,
            moves=tuple(choices),
            method=self._method,
            verdict=self._verdict,
            contest=facts,
        )

    @property
    def has_begun(self) -> bool:
        """Whether a whole turn was seen through, or search goes by a form that is quick about it."""
        return self._secret or self._turns > 0 or self._engine != self._plain.name

    @property
    def turns_left(self) -> int | None:
        """Turns of all players after which play is over at the latest, where an encoding says it; else nothing."""
        return None if self._root is None else self._root.turns_left

    @property
    def _verdict(self) -> str:
        if not self._exact:
            return "undecided"
        return "exact" if all(each.loss is not None for each in self._choices) else "decided"

    @property
    def _engine(self) -> str:
        return self._pair.name if self._pair is not None else self._plain.name

    @property
    def _method(self) -> str:
        if self._opponents is not Model.BEST:
            return "models"
        if self._pair is None:
            return "max^n"
        return MIXED if self._secret else "expectiminimax"

    def _moves(self) -> Sequence[Step]:
        state = self._start
        while self._secret and self._game.to_act(state) != self._seat:
            state = self._game.settled(self._game.apply(state, self._game.legal_moves(state)[0]).state)
        return self._game.legal_moves(state)

    def _bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Return what is proved of the value without having followed play to its end."""
        if self._pair is None or self._last is not None:
            return None, None
        low, high = map(Fraction, self._pair.bounds(self._start))
        return (low, high) if self._seat == 0 else (self._total - high, self._total - low)

    def _glanced(self) -> list[MoveValue[Fraction]]:
        """Return the moves by a guess after one way to end the turn: an answer before the first depth is done."""
        moves = self._moves()
        if self._secret:
            return [MoveValue(move, None) for move in moves]
        game, start = self._game, self._start
        values: list[Fraction] = []
        for move in moves[:GLANCED]:
            end = next(game.turn_ends(start.table, game.begun(start, move)))
            values.append(game.guesses(end.table)[self._seat])
            if not self.budget.has_time(0):
                break
        best = max(values)
        found = [MoveValue(move, value, best - value) for move, value in zip(moves, values, strict=False)]
        found.sort(key=lambda each: (each.loss, each.move.text))
        return found + [MoveValue(move, None) for move in moves[len(values) :]]

    # One depth

    def _looked(self) -> None:
        """Look at the clock and at what the rules were asked, which a decision with very many moves is long about.

        Raises:
            BudgetExceeded: one of them is used up.
        """
        self.budget.check()
        if self._search.most is not None and self._plain.taken > STEPS * self._search.most:
            raise BudgetExceeded

    def _look_on(self) -> None:
        """Look further and further until play is followed to its end.

        Where no time is given, the allowance grows as long as each turn takes about as much as the one before. That is
        so towards the end of play; elsewhere it takes many times as much.

        Raises:
            BudgetExceeded: the time, or what may be asked, is used up.
        """
        search, done = self._search, list[int]()
        most = search.most
        while not self._exact:
            try:
                self._look_further()
            except BudgetExceeded:
                asked = search.most
                if asked is None or most is None or asked >= LONGEST * most:
                    raise
                if search.tally.keys <= asked or sum(4 * keys >= asked for keys in done) < STEADY:
                    raise
                search.most = 2 * asked
            else:
                done.append(search.tally.keys)

    def _look_further(self) -> None:
        """Look further ahead than before: for the best move first, then, while that is cheap, for all losses.

        That is one turn further, or to the end of play where an encoding is near enough to it. The end itself has
        proved bounds; the depth before it, valued by guesses, takes longer.

        Asked again after a limit was hit, it goes on with what is known at that depth.
        """
        if self._looking == self._turns:
            left = self.turns_left
            near = left is not None and 1 < self._turns < left <= LEAP
            self._looking = left if near and left is not None else self._turns + 1
            pace = self._game.pace(self._start.table) + self._looking
            self._search.look(Horizon(pace, rounds=self._last))
        root, search = self._root, self._search
        if root is None:
            self._choices = self._compared()
            self._exact = not search.tally.cut_short
        else:
            self._exact = root.settle([each.move for each in self._choices])
            self._choices = self._settled(root)
        self._turns = self._looking
        if root is not None and not self._exact and self._is_early:
            self._choices = self._compared()
        best = self._choices[0].move
        stands = self._line[:1] == [best.text] and not (self._exact or self._is_early)
        if not (self._secret or stands):
            self._line.clear()
            for text in self._line_after(best):
                self._line.append(text)

    @property
    def _is_early(self) -> bool:
        """Whether little of the limit is used up."""
        if self._limit.time_s is not None:
            return self.budget.elapsed_s <= EARLY * self._limit.time_s
        return self._search.tally.keys <= EARLY * (self._search.most or 0)

    def _settled(self, root: RootMoves) -> list[MoveValue[Fraction]]:
        """Return the moves with what is known at this depth; where that is a guess, losses stand that were told before.

        The order of those of which nothing is known stays what it was.
        """
        best = root.value if self._seat == 0 else self._total - root.value
        found = []
        for each in self._choices:
            rated = root.rated[each.move]
            loss, at_least = rated.loss, None
            if loss is None and self._exact:
                at_least = rated.at_least
            elif loss is None and each.loss is not None:
                loss = max(each.loss, rated.at_least)
            found.append(MoveValue(each.move, None if loss is None else best - loss, loss, at_least=at_least))
        first = sorted((each for each in found if root.rated[each.move].loss == 0), key=lambda each: each.move.text)
        rest = [each for each in found if root.rated[each.move].loss != 0]
        known = sorted((each for each in rest if each.loss is not None), key=lambda each: (each.loss, each.move.text))
        return [*first, *known, *(each for each in rest if each.loss is None)]

    def _tell_losses(self) -> None:
        """Value the moves that are not best, the move asked about first, then those that looked best further up."""
        root = self._root
        if root is None:
            return
        order = sorted((each.move for each in self._choices), key=lambda move: move != self._asked)
        for _ in root.refine(order):
            self._choices = self._settled(root)

    def _compared(self) -> list[MoveValue[Fraction]]:
        """Return all moves with their values at one depth, the best first."""
        if self._secret:
            return self._secretly()
        values = [(move, self._value(self._plain.after(self._start, move))) for move in self._moves()]
        best = max(value for _, value in values)
        found = [MoveValue(move, value, best - value) for move, value in values]
        return sorted(found, key=lambda each: (each.loss, each.move.text))

    def _value(self, state: State[Any]) -> Fraction:
        """Return what the seat gets from a state."""
        if self._pair is None:
            return self._all.values(state)[self._seat]
        value = self._pair.value(state)
        return value if self._seat == 0 else self._total - value

    def _secretly(self) -> list[MoveValue[Fraction]]:
        """Return the moves of a step in which nobody sees what the others decide, with the best way to mix them."""
        moves = self._moves()
        if self._pair is None:
            values = [self._all.secretly(self._start, move)[self._seat] for move in moves]
            best = max(values)
            shares = [Fraction(int(place == values.index(best))) for place in range(len(moves))]
        else:
            from solver.model.matrix_game import mean_payoff  # loads the solver of linear programs

            assert isinstance(self._pair, Expectiminimax), "nothing is secret on an encoding"
            matrix = self._pair.matrix(self._start)
            _, rows, columns = _solve_matrix(matrix)
            if self._seat == 0:
                shares = list(rows)
                means = [mean_payoff(columns, row) for row in matrix]
            else:
                shares = list(columns)
                means = [mean_payoff(rows, column) for column in zip(*matrix, strict=True)]
            values = means if self._seat == 0 else [self._total - mean for mean in means]
            best = max(values)
        found = [
            MoveValue(move, value, best - value, share=share)
            for move, value, share in zip(moves, values, shares, strict=True)
        ]
        return sorted(found, key=lambda each: (each.loss, -(each.share or 0), each.move.text))

    # What follows

    def _line_after(self, move: Step) -> Iterator[str]:
        """Yield a move and what follows it, as long as search knows what is best; the likeliest is what chance does."""
        state = self._start
        step: Step | None = move
        for _ in range(LINE):
            if step is None:
                return
            yield f"({step.text})" if isinstance(step, ChanceOutcome) else step.text
            state = self._plain.after(state, step)
            actor = self._plain.actor(state)
            if actor == CHANCE:
                step = max(self._game.chance_outcomes(state), key=lambda each: each.probability)
            elif actor < 0 or self._game.rounds(state.table) == self._last:
                return
            else:
                step = self._reply(state, actor)

    def _reply(self, state: State[Any], actor: int) -> Step | None:
        """Return what a seat does, the first of equals; nothing where that is not certain."""
        if self._pair is not None:
            return first_best(self._pair, self._plain, state, actor)
        moves = self._plain.moves(state)
        if self._all.model(actor) is Model.BEST:
            return max(moves, key=lambda each: self._all.values(each[1])[actor])[0]
        return None


def _solve_matrix(matrix: Any) -> Any:
    with postponed():
        from solver.model.matrix_game import solve_matrix_game

    return solve_matrix_game(matrix)
