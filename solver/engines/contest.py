"""The best move against others: exact where play can be followed to its end, else as far ahead as the limit allows.

Payoffs of all seats add to the same sum, so that with two seats one number says it all. Only what everybody sees is
used: where a hand or a card is hidden from a seat, this search has no answer, and says so.

Where cards are hidden from a player, or too much is open, playouts compare the moves (``Comparison``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from rules.core.errors import DisagreementError, UnsupportedRuleset
from rules.core.scripts import CHANCE, ChanceOutcome, Step
from rules.core.turns import State
from solver.encodings import duel_tree
from solver.engines.playouts import Comparison, rounds_ahead
from solver.question import MIXED, Answer, ContestFacts, MoveValue, Question, Statistics, Status, seat_to_choose
from solver.search.budget import BudgetExceeded
from solver.search.expectiminimax import (
    Expectiminimax,
    Model,
    Modelled,
    PlainTree,
    mean_payoff,
    solve_matrix_game,
)
from solver.search.rollout import MANY

STATES: Final = 20_000
"""States of the rules asked about where no time is given; the same answer on every machine."""
ROWS: Final = 80_000
"""Likewise rows of an encoding, which are quicker."""
LEAP: Final = 6
"""Turns of all players before the end of play from which an encoding goes for the end, after two of them."""
CHANCES: Final = 2_000
"""States looked at for chances to win beside leads."""
CHANCES_PART: Final = 0.1
"""Part of the time for them, and again for playouts that tell them where these are too few."""
LINE: Final = 16
"""Steps of the line shown."""


class ContestQuestion:
    """One position on its way to an answer, deeper and deeper."""

    def __init__(self, question: Question) -> None:
        """Begin; the loss of the move that the question names comes first after the best move.

        Raises:
            UnsupportedRuleset: the game is no contest, seats do not see all there is to see, or more than two decide in
                secret, each at its best.
            BestlineError: nobody has to decide anything.
        """
        game, start = question.position.start()
        if game.players < 2:
            raise UnsupportedRuleset(["a contest without opponents"])
        is_secret, undecided = game.is_secret(start.table), game.undecided(start.table)
        if not start.pending and undecided is not None:
            start = State(undecided)
        if not game.is_common(start.table):
            raise UnsupportedRuleset(["exact search where cards are hidden from a player"])
        self._seat = seat = seat_to_choose(question.position)
        self._opponents = opponents = Model(question.opponents or Model.BEST)
        if opponents is Model.BEST and game.players > 2 and is_secret:
            raise UnsupportedRuleset(["exact search where more than two players decide in secret"])
        self._game, self._start, self._asked = game, start, question.versus
        self._rounds = rounds = question.rounds
        self._last = None if rounds is None else game.rounds(start.table) + rounds
        self._secret = not start.pending and is_secret
        limit = question.limit
        self.budget = limit.start()
        pair = game.players == 2 and opponents is Model.BEST
        if pair and self._last is None and not self._secret:
            self._tree = duel_tree(game, start.table)
        else:
            self._tree = PlainTree(game)
        self._most = None if limit.time_s is not None else STATES if self._tree.last is None else ROWS
        self._pair = Expectiminimax(self._tree, self.budget) if pair else None
        others = {} if opponents is Model.BEST else dict.fromkeys(set(range(game.players)) - {seat}, opponents)
        self._all = Modelled(self._tree, others, self.budget)
        self._search = self._pair or self._all
        self._tree.look = self._search.check
        chooses = start
        while self._secret and game.to_act(chooses) != seat:
            chooses = game.settled(game.apply(chooses, game.legal_moves(chooses)[0]).state)
        self._gains = {
            move: game.payoffs(game.unfinished(game.apply(chooses, move).state))[seat]
            for move in game.legal_moves(chooses)
        }
        """Open moves, with what the seat has if play stops after them."""
        self._choices: list[MoveValue[Fraction]] = [MoveValue(move, None) for move in self._gains]
        self._turns = 0
        self._looking = 0
        """Turns ahead that search looks at present."""
        self._exact = False
        self._line: list[str] = []

    def answer(self, part: Fraction | int = 1) -> Answer[Fraction]:
        """Return the report; asked again after more time, it goes on with what was found.

        ``part``: of what is asked about where no time is given.
        """
        interrupted = False
        if self._most is not None:
            self._search.most = int(self._most * part)
        try:
            while not self._exact:
                self._look_further()
            self._tell_losses()
        except BudgetExceeded:
            pass
        except KeyboardInterrupt:
            interrupted = True
        choices, exact, search = self._choices, self._exact, self._search
        value = choices[0].value
        if self._secret and value is not None:
            value = sum((each.value * each.share for each in choices if each.value and each.share), Fraction(0))
        low, high = (value, value) if exact else self._bounds()
        decided = "exact" if all(each.loss is not None for each in choices) else "decided"
        method = "max^n" if self._pair is None else MIXED if self._secret else "expectiminimax"
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
            statistics=Statistics(self.budget.elapsed_s, search.keys, search.keys, self._tree.name),
            interrupted=interrupted,
            moves=tuple(choices),
            method=method if self._opponents is Model.BEST else "models",
            verdict=decided if exact else "undecided",
            contest=facts,
        )

    def chances(self) -> list[MoveValue[Fraction]]:
        """Return all moves with the chance to win where all play for their leads, from a search without cuts.

        Raises:
            BudgetExceeded: that is not short.
        """
        tree = PlainTree(self._game)
        search = Modelled(tree, self._all.models, self.budget)
        search.most = CHANCES
        search.look(rounds=self._last)
        place = self._game.players + self._seat
        wins = ((move, search.values(tree.after(self._start, move))[place]) for move in self._gains)
        return [MoveValue(move, None, win_chance=chance) for move, chance in wins]

    @property
    def has_begun(self) -> bool:
        """Whether a whole turn was seen through, or search goes by a form that is quick about it."""
        return self._secret or self._turns > 0 or self._tree.last is not None

    @property
    def turns_left(self) -> int | None:
        """Turns of all players after which play is over at the latest, where an encoding says it; else nothing."""
        return None if self._tree.last is None else self._tree.last - self._game.pace(self._start.table)

    def _bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Return what is proved of the value without having followed play to its end."""
        if self._pair is None or self._last is not None:
            return None, None
        low, high = map(self._own, self._pair.bounds(self._start))
        return min(low, high), max(low, high)

    def _own(self, value: Fraction | int) -> Fraction:
        """Return what the seat gets of what the first of two seats gets."""
        return Fraction(value) if self._seat == 0 else sum(self._game.payoffs(self._start.table), Fraction(0)) - value

    # One depth

    def _look_further(self) -> None:
        """Look further ahead than before, and compare all moves; with the end in sight, the best move comes first.

        That is one turn further, or to the end of play where an encoding is near enough to it. The end itself has
        proved bounds; the depth before it, valued by guesses, takes longer. Asked again after a limit was hit, it goes
        on with what is known at that depth.
        """
        search, pair = self._search, self._pair
        if self._looking == self._turns:
            left = self.turns_left
            near = left is not None and 1 < self._turns < left <= LEAP
            self._looking = left if near and left is not None else self._turns + 1
            search.look(self._game.pace(self._start.table) + self._looking, rounds=self._last)
        if self._secret:
            choices = self._secretly()
        else:
            best = None if pair is None else pair.value(self._start)
            choices = self._compared(None if search.cut_short else best)
        self._choices, self._exact, self._turns = choices, not search.cut_short, self._looking
        if not self._secret:
            self._line.clear()
            self._line.extend(self._line_after(choices[0].move))  # what was found before a limit stays

    def _compared(self, value: Fraction | None) -> list[MoveValue[Fraction]]:
        """Return all moves, the best first; where the ``value`` of two seats is exact, others lose so much at least."""
        if value is None or self._pair is None:
            values = [(move, self._value(move)) for move in self._gains]
            best = max(value for _, value in values)
            return self._in_order(MoveValue(move, value, best - value) for move, value in values)
        self._pair.lift()
        best, found = self._own(value), []
        for move in self._gains:
            lost = best - self._own(self._pair.beside(self._tree.after(self._start, move), value, self._seat))
            found.append(MoveValue(move, None, at_least=lost) if lost > 0 else MoveValue(move, best, Fraction(0)))
        if all(each.loss is None for each in found):
            raise DisagreementError(f"a position is worth {value}, and none of its moves is")
        return self._in_order(found)

    def _in_order(self, choices: Iterable[MoveValue[Fraction]]) -> list[MoveValue[Fraction]]:
        """Return moves, the best first; of equal ones what brings something at once comes before what may bring it."""

        def order(each: MoveValue[Fraction]) -> tuple[bool, Fraction | int, Fraction, Fraction, str]:
            share = each.share or Fraction(0)
            return each.loss is None, each.loss or 0, -share, -self._gains[each.move], each.move.text

        return sorted(choices, key=order)

    def _tell_losses(self) -> None:
        best = self._choices[0].value
        for each in sorted(self._choices, key=lambda each: each.move != self._asked):
            if best is not None and each.loss is None:
                value = self._value(each.move)
                told = MoveValue(each.move, value, best - value)
                self._choices = self._in_order(told if one is each else one for one in self._choices)

    def _value(self, move: Step) -> Fraction:
        state = self._tree.after(self._start, move)
        return self._all.values(state)[self._seat] if self._pair is None else self._own(self._pair.value(state))

    def _secretly(self) -> list[MoveValue[Fraction]]:
        """Return the moves of a step in which nobody sees what the others decide, with the best way to mix them."""
        moves = list(self._gains)
        if self._pair is None:
            values = [self._all.secretly(self._start, move)[self._seat] for move in moves]
            shares = [Fraction(int(place == values.index(max(values)))) for place in range(len(moves))]
        else:
            matrix = self._pair.matrix(self._start)
            _, *mixes = solve_matrix_game(matrix)
            shares, others = list(mixes[self._seat]), mixes[1 - self._seat]
            lines = matrix if self._seat == 0 else list(zip(*matrix, strict=True))
            values = [self._own(mean_payoff(others, line)) for line in lines]
        return self._in_order(
            MoveValue(move, value, max(values) - value, share=share)
            for move, value, share in zip(moves, values, shares, strict=True)
        )

    # What follows

    def _line_after(self, move: Step) -> Iterator[str]:
        """Yield a move and what follows it, as long as search knows what is best; the likeliest is what chance does."""
        state = self._start
        step: Step | None = move
        for _ in range(LINE):
            if step is None:
                return
            yield f"({step.text})" if isinstance(step, ChanceOutcome) else step.text
            state = self._tree.after(state, step)
            actor = self._tree.actor(self._tree.key(state))
            if actor == CHANCE:
                step = max(self._game.chance_outcomes(state), key=lambda each: each.probability)
            elif actor < 0 or self._game.rounds(state.table) == self._last:
                return
            else:
                step = self._reply(state, actor)

    def _reply(self, state: State[Any], actor: int) -> Step | None:
        """Return what a seat does, the first of equals; nothing where that is not certain."""
        moves, pair = self._tree.moves(state), self._pair
        if pair is not None:
            value, sign = pair.value(state), 1 - 2 * actor
            return max(moves, key=lambda each: sign * pair.beside(each[1], value, actor))[0]
        if self._all.model(actor) is Model.BEST:
            return max(moves, key=lambda each: self._all.values(each[1])[actor])[0]
        return None


EXACT_PART: Final = 0.4
"""Part of the time for exact search before moves are compared by playouts."""
TRIED: Final = Fraction(1, 8)
"""Part of that in which exact search by the rules has to see through one turn, so that it is worth the rest."""


def against_others(question: Question) -> Answer[Fraction]:
    """Return every open move of the seat to move with its value, exact or from playouts.

    Where that is a lead, it stands beside the chance to win, from playouts if search did not get so far.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything.
    """
    answer = _searched(question)
    if answer.interrupted or not (answer.contest and answer.contest.stake) or answer.moves[0].win_chance is not None:
        return answer
    short = replace(question, limit=question.limit.part(CHANCES_PART))
    try:
        told = ContestQuestion(short).chances()
    except BudgetExceeded:
        told = list(Comparison(short).sampled().moves)
    wins = {each.move: (each.win_chance, each.win_interval) for each in told}
    found = ((each, *wins.get(each.move, (None, None))) for each in answer.moves)
    moves = tuple(each._replace(win_chance=chance, win_interval=within) for each, chance, within in found)
    return replace(answer, moves=moves)


def _searched(question: Question) -> Answer[Fraction]:
    """Return the answer of exact search, else that of playouts.

    The answer of exact search stands where it has settled the best move, and where moves are chosen at once. It also
    stands where it looks as far as playouts go in its part of the time; then it has the rest as well. Where a single
    turn is too wide to be seen through soon, there is none of it. Shallower search is no better than playouts that are
    given the same time (``benchmarks/figures/advice.md``). The loss of the move that the question names comes first
    after the best one.
    """
    position, limit = question.position, question.limit
    budget, (game, start) = limit.start(), position.start()
    if game.players > 1 and game.is_common(start.table) and len(game.legal_moves(start)) <= MANY:
        with suppress(UnsupportedRuleset):
            part = limit.part(EXACT_PART)
            search = ContestQuestion(replace(question, limit=part.part(float(TRIED))))
            report = search.answer(TRIED)
            if search.has_begun and not report.interrupted and report.status is not Status.OPTIMAL:
                search.budget.time_s = part.time_s
                report = search.answer()
            if report.interrupted or report.status is Status.OPTIMAL or report.verdict != "undecided":
                return report
            ahead, left = rounds_ahead(game) * game.profile.stages * position.players, search.turns_left
            mixed = report.method == MIXED and report.value is not None
            if mixed or (report.facts.turns or 0) >= ahead or (left is not None and left <= ahead):
                search.budget.time_s = limit.time_s
                return report if limit.time_s is None else search.answer()
        limit = budget.within(None, limit.states)
    return Comparison(replace(question, limit=limit)).sampled()
