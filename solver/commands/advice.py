"""Commands about decisions at the table: the best move, risks, what to pay with, a hint, a review, simulated races."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from puzzles.puzzle import Objective, Puzzle
from rules.core.position import Position
from solver.commands import question as asking
from solver.commands.line_input import Many, entered_question, line_answered, run_batch
from solver.commands.settings import Exit, Settings, Shown, argument, exit_code, option, waiting
from solver.question import Answer, Question, Status, chance_is_next, named_move
from solver.render import Row
from solver.render import draw as drawn
from solver.screens.common import known_rows

if TYPE_CHECKING:
    from solver.screens.answer import Answered

RISK_S = 3.0
"""Seconds for risks where no time is given,"""
RISK_TABLE_S = 9.0
"""with more cards in hand,"""
HINT_S = 10.0
"""and for a hint: whoever asks for one sits at the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOptions(asking.QuestionOptions):
    """What the options of ``best`` say."""

    top: int = option("How many moves to show.", 3, min=1)
    why: bool = option("Say why the move is best, and what the next best lacks.", False)
    draw: list[str] | None = option("What if this card is drawn next; several in their order.", metavar="CARD")
    vs: list[str] | None = option("Show what this move leads to instead; may be given several times.", metavar="MOVE")


def best(
    settings: Settings, question: str | None = asking.QUESTION, *, options: BestOptions, many: Many
) -> Shown | int:
    """Find the best move now, and what every other one loses."""
    answer = partial(advise, wanted=options.goal_table(), settings=settings, options=options)
    if options.batch is not None:
        return run_batch(options.batch, question, many, settings, partial(line_answered, answer))
    asked = asking.read_given(question).posed() if question is not None else entered_question(settings)
    return asking.shown(answer(asked), settings)


def advise(found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, options: BestOptions) -> Answered:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    from solver.screens.answer import Answered

    why, opponents = options.why, options.opponents
    if options.draw:
        from solver.tools.risk import with_draws

        position = with_draws(found.position if isinstance(found, Puzzle) else found, options.draw, options.seat)
        found = replace(found, position=position) if isinstance(found, Puzzle) else position
    questions = [_question(found, wanted, settings, opponents, move) for move in options.vs or (None,)]
    told = bool(settings.json or options.batch or options.vs or why)
    question = replace(questions[0], limit=questions[0].limit.part(1 / len(questions)), every_line=told)
    if question.position.players == 1 and opponents is not None:
        settings.note("--opponents changes nothing here: there are none")
    answer = _answer(question, settings)
    because: Sequence[str] = ()
    if why:
        from solver.tools.advice import reasons

        because = reasons(question, answer)
    timed, also = not settings.deterministic, list[Answered]()
    shape = (getattr(found, "title", ""), options.top, why, timed, settings.style)
    answered = Answered("best", question, answer, *shape, reasons=because)
    for other in questions[1:]:
        other = replace(other, limit=question.limit)
        known = answer.status is Status.OPTIMAL and any(each.move == other.versus for each in answer.moves)
        same = replace(answer, instead=(), next_instead=()) if known else _answer(other, settings)
        also.append(replace(answered, question=other, answer=same, reasons=()))
    return replace(answered, also=also)


def _answer(question: Question, settings: Settings) -> Answer[Any]:
    """Return every move that is open now with its value."""
    from solver.engines.answers import best_move
    from solver.store import Store

    store = None if settings.deterministic or question.position.players > 1 or question.position.hidden else Store()
    return best_move(asking.observed(settings, question), store=store)


def _question(
    found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, opponents: str | None, vs: str | None
) -> Question:
    """Return the question which move is best: who of several players wins, or a goal of the player's own.

    Raises:
        BestlineError: the goal or the move does not fit.
    """
    question = asking.posed_question(found, wanted, opponents, settings, vs)
    if question.goal is None:
        return question
    position, goal, others = question.position, question.goal, ""
    if position.players > 1:
        named = asking.named_opponents(position, found.goal.challenge) if isinstance(found, Puzzle) else None
        others = opponents or named or "greedy"
    else:
        asking.refuse_fated(position)
    skips = position.players == 1 and vs is None and (chance_is_next(position) or not position.hidden)
    return replace(question, opponents=others, versus=None if skips else named_move(position, goal, vs))


def risk(
    settings: Settings,
    state: str = asking.STATE,
    cards: list[str] | None = argument("[CARD]...", "All that can be begun now.", None),
    table: bool = option("Show also what more cards in hand would change.", False),
) -> Shown:
    """Tell the chance that each risk card comes through."""
    return risks_shown(asking.read_position(state), cards or (), settings, table=table)


def risks_shown(position: Position, cards: Sequence[str], settings: Settings, *, table: bool) -> Shown:
    """Return the chances of risk cards, of all that can be begun where none are named.

    Raises:
        BestlineError: a card is none that can be begun here, or the game has no such cards.
    """
    from solver.screens.cards import risk_answer, risk_rows, threat_answer, threat_rows
    from solver.tools.risk import risks, threats

    threatened = threats(position, cards)
    if threatened is not None:
        return Shown(threat_answer(position, threatened), threat_rows(position, threatened, settings.style))
    waiting(settings, "adding up chances")
    found = risks(position, cards, settings.limit_of(RISK_TABLE_S if table else RISK_S), table=table)
    code = exit_code(interrupted=found.interrupted, limit=not all(each.exact for each in found.chances))
    return Shown(risk_answer(position, found), risk_rows(position, found, settings.style), code)


def draw(
    settings: Settings,
    state: str = asking.STATE,
    cards: list[str] | None = argument("[CARD]...", "Every card when left out.", None),
    number: int = option("How many cards come up.", 1, "--next", min=1, metavar="N"),
    seat: int | None = option("Who draws; who is to move when left out.", min=0),
) -> Shown:
    """Tell the chance that cards are among the next ones of the deck."""
    from solver.screens.cards import draw_answer, draw_rows
    from solver.tools.risk import draw_chances

    position = asking.read_position(state, whole=False)
    found = draw_chances(position, cards or (), number, seat)
    return Shown(draw_answer(position, found), draw_rows(position, found, settings.style))


def pay(
    settings: Settings,
    *,
    state: str = asking.STATE,
    card: str = argument("CARD", "The hand card to play."),
    keep: list[str] | None = option("A card to keep if it can be; may be repeated.", metavar="CARD"),
    options: asking.PlanOptions,
) -> Shown:
    """Tell which cards to give up for the cost of a card."""
    from solver.screens.cards import pay_answer, pay_rows, unpayable_answer
    from solver.tools.payment import Unpayable
    from solver.tools.payment import pay as best_payments

    read, wanted = asking.read_given(state).posed(), options.goal_table()
    has_goal = wanted or isinstance(read, Puzzle)
    position, goal = asking.position_of(read), asking.own_goal(read, wanted)[1] if has_goal else None
    if goal is not None and goal.objective is Objective.WIN:
        goal = None
    waiting(settings, "comparing payments")
    try:
        found = best_payments(position, card, keep or (), settings.limit, goal)
    except Unpayable as fault:
        rows = [Row(str(fault), label="NO", look="bad"), *known_rows(position)]
        return Shown(unpayable_answer(position, card, fault), rows, Exit.NEGATIVE)
    code = exit_code(interrupted=found.interrupted, limit=bool(found.unsettled) and position.players == 1)
    return Shown(pay_answer(position, found, keep or ()), pay_rows(position, found, settings.style), code)


def hint(
    settings: Settings,
    *,
    state: str = asking.STATE,
    level: str = option("nudge, card, move or line.", "nudge", metavar="LEVEL"),
    options: asking.GoalOptions,
    opponents: asking.Opponents | None = asking.OTHERS,
) -> Shown | int:
    """Give a hint about the best move, no more than asked."""
    from rules.core.tools.output import picked, stated
    from solver.screens.data import answer_of
    from solver.store import Store
    from solver.tools.advice import hint as no_more

    question = asking.posed_question(asking.read_given(state).posed(), options.goal_table(), opponents, settings)
    if opponents is not None and question.goal is not None:
        settings.note(asking.NO_OPPONENTS)
    position = question.position
    waiting(settings, "thinking")
    question = replace(question, limit=settings.limit_of(HINT_S))
    found = no_more(question, level, None if settings.deterministic else Store())
    code = exit_code(interrupted=found.interrupted, negative=found.text is None and found.sure, limit=not found.sure)
    if code and found.text is None and not found.sure and not settings.json:
        settings.warn(found.words)
        return code
    data = {"level": level, "hint": found.text, **picked(found, "sure"), **stated(why=found.why)}
    text = f"{found.words}\n{drawn(known_rows(position), settings.style)}"
    return Shown(answer_of("hint", position, data), text, code)


def review(
    settings: Settings,
    game: str = argument("GAME", "A puzzle or position file with the steps taken as 'moves'."),
    *,
    options: asking.GoalOptions,
) -> Shown:
    """Judge a recorded game, luck apart from error."""
    from solver.screens.games import review_answer, review_rows
    from solver.tools.review import review as judged_steps

    found, steps = asking.read_record(game)
    waiting(settings, "judging every step")
    wanted = options.goal_table()
    position, goal = asking.position_of(found), None
    if asking.who_wins(found, wanted) is None:
        position, goal = asking.own_goal(found, wanted)
        asking.refuse_fated(position)
    judged = judged_steps(position, goal, steps, settings.limit, seed=settings.seed or 0)
    negative = goal is not None and judged.impossible_after[0] == 0
    code = exit_code(interrupted=judged.interrupted, negative=negative, limit=bool(judged.unknown))
    return Shown(review_answer(position, judged), review_rows(position, goal, judged, settings.style), code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Races:
    """What the options say about the races."""

    games: int = option("How many games each player plays.", 10, min=1, metavar="N")
    players: list[str] | None = option(
        "best, plain, greedy or random; may be repeated, all when left out.", None, "--player", metavar="NAME"
    )
    move_time: float | None = option("What best may spend on a move.", min=0.01, metavar="SECONDS")
    playouts: int | None = option("Likewise, as a number of playouts: the same on every machine.", min=1, metavar="N")
    most_turns: int = option("Give a race up after so many.", 250, "--turns", min=1, metavar="N")
    target: int | None = asking.TARGET
    jobs: int = option("Processes that play games.", 1, min=1, metavar="N")


def simulate(
    settings: Settings,
    start: str = argument("RULESET-or-STATE", "Rules to deal from anew each game, or one position."),
    *,
    races: Races,
) -> Shown:
    """Play hidden races: the adviser against plain ways to play."""
    from solver.screens.games import simulation_answer, simulation_rows
    from solver.tools.simulate import PLAYOUTS, Request
    from solver.tools.simulate import simulate as played

    if races.move_time is not None and (races.playouts is not None or settings.deterministic):
        raise typer.BadParameter("--move-time goes neither with --playouts nor with --deterministic")
    settings.detail(f"playing {races.games} games")
    request = Request(
        start=asking.named_ruleset(start) or asking.read_position(start),
        players=tuple(dict.fromkeys(races.players or ())),
        games=races.games,
        playouts=races.playouts or PLAYOUTS,
        move_s=races.move_time,
        target=races.target,
        most_turns=races.most_turns,
        seed=settings.seed or 0,
    )
    found = played(request, settings.limit, jobs=settings.jobs(races.jobs))
    code = exit_code(interrupted=found.interrupted, limit=len(found.games) < races.games)
    return Shown(simulation_answer(found), simulation_rows(found, settings.style), code)
