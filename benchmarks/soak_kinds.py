"""Questions about one position, each answered by every fast form that tells it, and by complete play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from benchmarks.complete_play import LOST, CompletePlay, TooLong
from benchmarks.soak_compared import Compared, between, patient, refused
from puzzles.puzzle import Goal, Objective
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.race import Unsupported
from rules.core.scripts import CHANCE, OVER
from rules.core.turns import State
from solver.encodings import venture_odds
from solver.engines.answers import best_moves, solve
from solver.engines.hidden import first_turn, solve_hidden
from solver.engines.open_search import search_problem
from solver.question import Question, Status
from solver.search.budget import BudgetExceeded
from solver.search.expectimax import Expectimax, Value
from solver.search.iterative_deepening import PlainTurns
from solver.tools.payment import pay
from solver.tools.review import review
from solver.tools.risk import PlainOdds
from tests.rules.games import play, so_often

RECORD: Final = 12
"""Steps of a record at most."""
DAY: Final = "new_day"

# Risk cards


def risk(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare the chances of risk cards."""
    game: Any = position.game
    ventures = game.hand_model(position.table(), 0)
    begins = ventures.cards() if ventures.under_way is None else [None]
    for begin in begins:
        asked = ventures.with_more(dice.choice((1, 2))) if begin is not None and dice.random() < 0.15 else ventures
        complete = _chance(asked, begin, most)
        name = begin or f"going on with {ventures.under_way}"
        if dice.random() < 0.3:  # stopped soon, what is told has to hold as well, and what is asked again
            with suppress(Unsupported):
                yield from _of_card(asked, begin, name, complete, so_often(dice.choice((1, 5, 30, 200))))
        yield from _of_card(asked, begin, name, complete, lambda: True)


def _chance(ventures: Any, begin: str | None, most: int) -> Fraction:
    try:
        return PlainOdds(ventures, so_often(most)).chance(ventures.table, begin)
    except Unsupported:
        raise TooLong from None


def _of_card(
    ventures: Any, begin: str | None, name: str, complete: Fraction, alive: Callable[[], bool]
) -> Iterator[Compared]:
    odds = venture_odds(ventures.game, ventures.table, 0, begin)
    if odds is None:
        yield refused(f"greatest chance, {name}")
        return
    plain = odds.plain(alive)
    said = f"going on, {name}"
    yield refused(said) if plain is None else between(said, complete, plain)
    turned = odds.turned_up(alive)
    if plain is not None and turned:
        yield Compared(f"{said}, by cards", plain, sum((u.probability * u.chance for u in turned), Fraction(0)))
    yield between(f"bounds, {name}", complete, *odds.between(alive))
    low, high = odds.greatest(alive)
    said = f"greatest chance, {name}"
    yield Compared(said, complete, low) if low == high else between(said, complete, low, high)


# Goals


def _goals(
    game: Any,
    state: State[Any],
    dice: random.Random,
    most: int,
    record: Sequence[str] = (),
    free_words: Sequence[str] | None = None,
) -> Iterator[tuple[Goal, CompletePlay, int]]:
    """Yield goals within few turns, with complete play and the turns; targets lie where it is not clear.

    Some forbid what has been done this turn, or is done in a ``record``.
    """
    words = dice.choice(((DAY,), (DAY,), (DAY,), (DAY, "kill"), (DAY, "continue"), ()))
    done = {" ".join(text.split()[:2]) for text in record}
    cards = sorted({f"play {card}" for card in game.hand(state.table, 0)} | done)
    without = dice.sample(cards, min(len(cards), dice.choice((0, 0, 0, 1, 2))))
    forbidden = frozenset(free_words if free_words is not None else (*words, *without))
    for turns in range(dice.choice((1, 2, 2, 3)), 0, -1):
        far = Goal(Objective.MAX_DISTANCE, 0, turns, forbidden)
        complete = CompletePlay(game, far, most)
        try:
            value = complete.value(state, turns)
            break
        except TooLong:
            if turns == 1:
                raise
    yield far, complete, turns
    begin = game.progress(state.table, 0)
    target = max(begin + 1, int(value or begin) + dice.choice((-3, -1, 0, 0, 1, 1, 2, 3, 5, 9)))
    kinds = (Objective.REACH, Objective.MIN_TURNS) if dice.random() < 0.4 else (Objective.REACH,)
    for kind in kinds:
        goal = Goal(kind, target, turns, forbidden)
        yield goal, CompletePlay(game, goal, most), turns


def _said(goal: Goal) -> str:
    target = "" if goal.objective is Objective.MAX_DISTANCE else f" {goal.target}"
    return f"{goal.objective.value}{target} within {goal.within_turns} without {' or '.join(sorted(goal.forbidden))}"


def _middle(position: Position, dice: random.Random) -> Position:
    """Return the position, sometimes some steps later, where a decision is open."""
    if dice.random() < 0.7:
        return position
    game, state = position.start()
    for before, _, _ in islice(play(game, state, dice.randrange(1 << 30), 2), dice.randint(1, 5)):
        state = before
    return position if game.to_act(state) in (CHANCE, OVER) else position.after(state)


# Hidden decks


def hidden(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare values where chance is hidden: of the fastest form, by the rules, and what the solver says."""
    if not position.hidden:
        return
    game: Any = position.game
    state = position.start()[1]
    for goal, complete, turns in _goals(game, state, dice, most):
        value = complete.value(state, turns)
        yield from _of_first_turn(game, state, goal, complete, turns)
        said = f"expectimax, {_said(goal)}"
        try:
            yield Compared(said, value, Expectimax(game, goal, patient().start(), most=most).value(state.table, turns))
        except BudgetExceeded:
            yield refused(said)
    middle = _middle(position, dice)
    state = middle.start()[1]
    for goal, complete, turns in _goals(game, state, dice, most):
        yield from _solved(middle, goal, complete, turns)


def _of_first_turn(game: Any, state: State[Any], goal: Goal, complete: CompletePlay, turns: int) -> Iterator[Compared]:
    """Compare the fastest form that carries a question: its value, and that of every open move."""
    first = first_turn(game, state, replace(goal, within_turns=turns), patient().start())
    said = f"{first.engine}, {_said(goal)}"
    try:
        found, told = first.value(turns), first.moves(turns)
    except (Unsupported, BudgetExceeded):
        yield refused(said)
        return
    yield Compared(said, complete.value(state, turns), found)
    worths = complete.moves(state, turns) if told else {}
    for move, worth in told:
        yield Compared(f"{said}: {move.text}", worths[move.text], worth)


def _solved(position: Position, goal: Goal, complete: CompletePlay, turns: int) -> Iterator[Compared]:
    """Compare what the solver says of a question with hidden chance, and of every open move."""
    said = f"solve, {_said(goal)}"
    state = position.start()[1]
    value = complete.value(state, turns)
    try:
        report = solve_hidden(position, goal, patient())
    except BestlineError:
        yield refused(said)
        return
    if report.answered.objective is not goal.objective:  # success is not certain, so that the chance is told instead
        yield Compared(f"{said}, certain", value, None)
        goal = report.answered
        complete = complete.asking(goal)
        value = complete.value(state, turns)
    if report.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        known = report.value if goal.objective is not Objective.MIN_TURNS else None
        yield between(said, value, known, report.bound if goal.objective is not Objective.MIN_TURNS else None)
        return
    yield Compared(said, value, _or_lost(report.value, goal))
    worths = complete.moves(state, turns) if report.moves else {}
    for option in report.moves:
        if option.value is not None:
            yield Compared(f"{said}: {option.move.text}", worths[option.move.text], option.value)


def _or_lost(value: Value, goal: Goal) -> Value:
    return LOST[goal.objective] if value is None else value


# Open games


def opened(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare values where everything is known: of the encoding turn by turn, and of every move by ``best``."""
    game: Any = position.game
    state = position.start()[1]
    for goal, complete, turns in _goals(game, state, dice, most):
        value = complete.value(state, turns)
        said = f"encoded turns, {_said(goal)}"
        form: Any = search_problem(game, state, goal)
        if form.engine == PlainTurns.engine:
            yield refused(said)
            continue
        yield Compared(said, value, EncodedPlay(form, goal, most).value(form.project(state.table), turns))
    middle = _middle(position, dice)
    state = middle.start()[1]
    for goal, complete, turns in _goals(game, state, dice, most):
        yield from _ranked(middle, state, goal, complete, turns)


class EncodedPlay:
    """The values of a form of a game in which everything is known, by its turns alone."""

    def __init__(self, form: Any, goal: Goal, most: int) -> None:
        self._form = form
        self._goal = goal
        self._left = most
        self._known: dict[tuple[Any, int], Value] = {}

    def value(self, key: Any, turns: int) -> Value:
        """Return the value of a key with so many turns left.

        Raises:
            TooLong: it would take too many turns.
        """
        goal, progress = self._goal, self._form.progress(key)
        if goal.objective is not Objective.MAX_DISTANCE and progress >= goal.target:
            return Fraction(1 if goal.objective is Objective.REACH else 0)
        if turns <= 0 or self._form.is_over(key):
            return Fraction(progress) if goal.objective is Objective.MAX_DISTANCE else LOST[goal.objective]
        if (key, turns) not in self._known:
            found = [self.value(after, turns - 1) for after in self._after(key)]
            worths = [value for value in found if value is not None]
            least = goal.objective is Objective.MIN_TURNS
            best = (min(worths) + 1 if least else max(worths)) if worths else LOST[goal.objective]
            self._known[key, turns] = best
        return self._known[key, turns]

    def _after(self, key: Any) -> Iterator[Any]:
        for after in self._form.successors(key):
            self._left -= 1
            if self._left < 0:
                raise TooLong
            yield after


def _ranked(
    position: Position, state: State[Any], goal: Goal, complete: CompletePlay, turns: int
) -> Iterator[Compared]:
    said = f"best, {_said(goal)}"
    value = complete.value(state, turns)
    try:
        ranking = best_moves(Question(position, goal, patient()))
    except BestlineError:
        yield refused(said)
        return
    report = ranking
    if report.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        yield refused(said)
        return
    told = None if report.value is None else Fraction(report.value)
    yield Compared(said, value, _or_lost(told, goal))
    worths = complete.moves(state, turns) if ranking.moves else {}
    for each in ranking.moves:
        worth = worths[each.move.text]
        if each.status is Status.OPTIMAL and each.value is not None:
            yield Compared(f"{said}: {each.move.text}", worth, Fraction(each.value))
        elif each.status is Status.INFEASIBLE and each.bound is None:
            yield Compared(f"{said}: {each.move.text}", worth, LOST[goal.objective])


# Payments and records


def payments(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare what the best play after every payment is worth."""
    game: Any = position.game
    state = position.start()[1]
    for goal, complete, turns in _goals(game, state, dice, most):
        moves = complete.moves(state, turns)
        cards = sorted({text.split()[1] for text in moves if text.startswith("play ") and " pay " in text})
        for card in dice.sample(cards, min(2, len(cards))):
            said = f"pay {card}, {_said(goal)}"
            try:
                found = pay(position, card, (), patient(), goal)
            except BestlineError:
                yield refused(said)
                continue
            if found.goal is None:
                yield refused(said)
                continue
            for way in found.payments:
                named = " ".join(way.paid)
                worths = [moves[text] for text in moves if _pays(text, card, way.paid)]
                assert worths, (said, named)
                if way.value is not None or (way.is_settled and goal.objective is not Objective.REACH):
                    yield Compared(f"{said} with {named}", worths[0], way.value)


def _pays(text: str, card: str, paid: tuple[str, ...]) -> bool:
    head, _, cards = text.partition(" pay ")
    return head == f"play {card}" and sorted(cards.split()) == sorted(paid)


def reviews(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare what is said of every step of a random record."""
    game: Any = position.game
    state = position.start()[1]
    taken = list(islice(play(game, state, dice.randrange(1 << 30), 3), RECORD))
    record = [step.text for _, step, _ in taken]
    begin = game.turns(state.table, 0)
    for goal, complete, turns in _goals(game, state, dice, most, record):
        said = f"review, {_said(goal)}"
        try:
            found = review(position, goal, record, patient())
        except BestlineError:
            yield refused(said)
            continue
        if found.goal is not None and found.goal != goal:  # the chance, where arriving is not certain
            goal, complete = found.goal, complete.asking(found.goal)
        for number, (judged, (before, _, _)) in enumerate(zip(found.steps, taken, strict=False), start=1):
            if judged.before is None and not judged.known:
                yield refused(said)
                continue
            left = turns - (game.turns(before.table, 0) - begin)
            with suppress(TooLong):
                broken = found.broken is not None and number > found.broken
                value = LOST[goal.objective] if broken else complete.value(before, left)
                yield Compared(f"{said}, before step {number}", value, _or_lost(judged.before, goal))


# Races, and cards to be kept


def races(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare races with new days: the fewest turns without a limit of them, and every move by ``best``."""
    game: Any = position.game
    state = position.start()[1]
    for goal, complete, turns in _goals(game, state, dice, most, free_words=()):
        yield from _ranked(position, state, goal, complete, turns)
        if goal.objective is Objective.REACH:
            goal = replace(goal, objective=Objective.MIN_TURNS)
            value = complete.asking(goal).value(state, turns)
            report = solve(position, replace(goal, within_turns=None), patient())
            said = f"race to {goal.target}, {report.statistics.engine}"
            told = None if report.value is None else Fraction(report.value)
            if report.status is Status.OPTIMAL and value is not None:
                yield Compared(said, value, told)
            else:
                low = None if report.bound is None else Fraction(report.bound)
                if value is not None:
                    yield between(said, value, low, told)
                elif told is not None:
                    yield between(f"{said}, too far", told, Fraction(turns + 1))


def kept(position: Position, dice: random.Random, most: int) -> Iterator[Compared]:
    """Compare open games in which something may not be lost."""
    game: Any = position.game
    held = sorted(name for name, copies in game.owned(position.table(), 0).items() if copies)
    names = dice.sample(held, min(len(held), dice.choice((1, 1, 2))))
    yield from opened(position.keeping(names), dice, most)
