"""Commands about decisions at the table: the best move, risks, what to pay with, a hint, a review, simulated races."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import typer

from puzzles.goal import Objective
from puzzles.loader import Puzzle
from rules.core.position import Position
from solver.commands.answers import (
    OTHERS,
    QUESTION,
    TARGET,
    Answered,
    GoalOptions,
    PlanOptions,
    QuestionOptions,
    answered_one,
    asked_to_win,
    declared_by_challenge,
    observer,
    plain_question,
    position_of,
    question_of,
    refuse_fated,
    shown,
    title_of,
    who_wins,
)
from solver.commands.inputs import named_ruleset, read_input, read_position, read_record
from solver.commands.process import NEGATIVE, PROVED_OR_CLEAN, exit_code
from solver.commands.settings import Many, Settings, shared, waiting
from solver.question import Answer, Question, Status, chance_is_next, named_move
from solver.render import Row
from solver.render import draw as drawn
from solver.screens.common import known_rows

RISK_S = 3.0
"""Seconds for risks where no time is given,"""
RISK_TABLE_S = 9.0
"""with more cards in hand,"""
HINT_S = 10.0
"""and for a hint: whoever asks for one sits at the table."""
STATE = Annotated[str, typer.Argument(metavar="STATE", help="File, puzzle id, position code, or - for standard input.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOptions(QuestionOptions):
    """What the options of ``best`` say."""

    top: Annotated[int, typer.Option("--top", min=1, help="How many moves to show.")] = 3
    why: Annotated[bool, typer.Option("--why", help="Say why the move is best, and what the next best lacks.")] = False
    draw: Annotated[
        list[str] | None,
        typer.Option("--draw", metavar="CARD", help="What if this card is drawn next; several in their order."),
    ] = None
    vs: Annotated[
        list[str] | None,
        typer.Option("--vs", metavar="MOVE", help="Show what this move leads to instead; may be given several times."),
    ] = None


@shared
def best(settings: Settings, question: QUESTION = None, *, options: BestOptions, many: Many) -> None:
    """Find the best move now, and what every other one loses."""
    answer = partial(advise, wanted=options.goal_table(), settings=settings, options=options)
    raise typer.Exit(shown(answered_one(question, options, settings, many, answer), settings))


def advise(found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, options: BestOptions) -> Answered:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    why, opponents = options.why, options.opponents
    if options.draw:
        from solver.tools.risk import with_draws

        position = with_draws(found.position if isinstance(found, Puzzle) else found, options.draw, options.seat)
        found = replace(found, position=position) if isinstance(found, Puzzle) else position
    asked = [asked_of(found, wanted, settings, opponents, move) for move in options.vs or (None,)]
    question = replace(asked[0], limit=asked[0].limit.part(1 / len(asked)))
    if question.position.players == 1 and opponents is not None:
        settings.note("--opponents changes nothing here: there are none")
    answer = _answer(question, settings)
    because: Sequence[str] = ()
    if why:
        from solver.tools.why import reasons

        because = reasons(question, answer)

    timed, also = not settings.deterministic, list[Answered]()
    answered = Answered("best", question, answer, title_of(found), options.top, why, timed, reasons=because)
    for other in asked[1:]:
        other = replace(other, limit=question.limit)
        known = answer.status is Status.OPTIMAL and any(each.move == other.versus for each in answer.moves)
        same = replace(answer, instead=(), next_instead=()) if known else _answer(other, settings)
        also.append(replace(answered, question=other, answer=same, reasons=()))
    return replace(answered, also=also)


def _answer(question: Question, settings: Settings) -> Answer[Any]:
    """Return every move that is open now with its value."""
    from solver.engines.choose import best_move
    from solver.store import Store

    store = None if settings.deterministic or question.position.players > 1 or question.position.hidden else Store()
    return best_move(question, observer(settings, question), store=store)


def asked_of(
    found: Puzzle | Position, wanted: Mapping[str, Any], settings: Settings, opponents: str | None, vs: str | None
) -> Question:
    """Return the question which move is best: who of several players wins, or a goal of the player's own.

    Raises:
        BestlineError: the goal or the move does not fit.
    """
    position, others = (found.position if isinstance(found, Puzzle) else found), ""
    if position.players > 1:
        wins = asked_to_win(found, wanted, opponents, settings, vs)
        if wins is not None:
            return wins
        named = declared_by_challenge(position, found.goal.challenge) if isinstance(found, Puzzle) else None
        others = opponents or named or "greedy"
    position, goal = question_of(found, wanted)
    if position.players == 1:
        refuse_fated(position)
    skips = position.players == 1 and vs is None and (chance_is_next(position) or not position.hidden)
    versus = None if skips else named_move(position, goal, vs)
    return Question(position, goal, settings.limit, others, seed=settings.seed or 0, versus=versus)


@shared
def risk(
    settings: Settings,
    state: STATE,
    cards: Annotated[list[str] | None, typer.Argument(metavar="[CARD]...", help="All that can be begun now.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Show also what more cards in hand would change.")] = False,
) -> None:
    """Tell the chance that each risk card comes through."""
    raise typer.Exit(show_risks(read_position(state), cards or (), settings, table=table))


def show_risks(position: Position, cards: Sequence[str], settings: Settings, *, table: bool) -> int:
    """Print the chances of risk cards, all that can be begun where none are named, and return the exit code.

    Raises:
        BestlineError: a card is none that can be begun here, or the game has no such cards.
    """
    from solver.screens.cards import risk_answer, risk_rows, threat_answer, threat_rows
    from solver.tools.risk import risks, threats

    threatened = threats(position, cards)
    if threatened is not None:
        settings.show(
            lambda: threat_answer(position, threatened), lambda style: threat_rows(position, threatened, style)
        )
        return PROVED_OR_CLEAN
    waiting(settings, "adding up chances")
    limit = settings.limit_of(RISK_TABLE_S if table else RISK_S)
    found = risks(position, cards, limit, table=table)
    settings.show(lambda: risk_answer(position, found), lambda style: risk_rows(position, found, style))
    return exit_code(interrupted=found.interrupted, limit=not all(each.exact for each in found.chances))


@shared
def draw(
    settings: Settings,
    state: STATE,
    cards: Annotated[list[str] | None, typer.Argument(metavar="[CARD]...", help="Every card when left out.")] = None,
    number: Annotated[int, typer.Option("--next", min=1, metavar="N", help="How many cards come up.")] = 1,
    seat: Annotated[int | None, typer.Option("--seat", min=0, help="Who draws; who is to move when left out.")] = None,
) -> None:
    """Tell the chance that cards are among the next ones of the deck."""
    from solver.screens.cards import draw_answer, draw_rows
    from solver.tools.risk import draw_chances

    position = read_position(state, whole=False)
    found = draw_chances(position, cards or (), number, seat)
    settings.show(lambda: draw_answer(position, found), lambda style: draw_rows(position, found, style))


@shared
def pay(
    settings: Settings,
    state: STATE,
    card: Annotated[str, typer.Argument(metavar="CARD", help="The hand card to play.")],
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="CARD", help="A card to keep if it can be; may be repeated.")
    ] = None,
    *,
    options: PlanOptions,
) -> None:
    """Tell which cards to give up for the cost of a card."""
    from solver.screens.cards import pay_answer, pay_rows, unpayable_answer
    from solver.tools.payment import Unpayable
    from solver.tools.payment import pay as best_payments

    read = read_input(state)
    wanted = options.goal_table()
    position, asked = position_of(read), None
    if wanted or isinstance(read, Puzzle):
        goal_asked = question_of(read, wanted)[1]
        asked = None if goal_asked.objective is Objective.WIN else goal_asked
    waiting(settings, "comparing payments")
    try:
        found = best_payments(position, card, keep or (), settings.limit, asked)
    except Unpayable as refused:
        fault = refused
        rows = [Row(str(fault), label="NO", look="bad"), *known_rows(position)]
        settings.show(lambda: unpayable_answer(position, card, fault), lambda _: rows)
        raise typer.Exit(NEGATIVE) from None
    settings.show(lambda: pay_answer(position, found, keep or ()), lambda style: pay_rows(position, found, style))
    raise typer.Exit(exit_code(interrupted=found.interrupted, limit=bool(found.unsettled) and position.players == 1))


@shared
def hint(
    settings: Settings,
    state: STATE,
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="nudge, card, move or line.")] = "nudge",
    *,
    options: GoalOptions,
    opponents: OTHERS = None,
) -> None:
    """Give a hint about the best move, no more than asked."""
    from solver.screens.data import head
    from solver.store import Store
    from solver.tools.hint import hint as no_more

    question = plain_question(read_input(state), options.goal_table(), opponents, settings)
    question = replace(question, limit=settings.limit_of(HINT_S))
    position = question.position
    waiting(settings, "thinking")
    found = no_more(question, level, None if settings.deterministic else Store())
    code = exit_code(interrupted=found.interrupted, negative=found.text is None and found.sure, limit=not found.sure)
    if code and found.text is None and not found.sure and not settings.json:
        settings.warn(found.words)
        raise typer.Exit(code)
    reason = {"why": found.why} if found.why else {}
    answer = {**head("hint", position), "level": level, "hint": found.text, "sure": found.sure, **reason}
    text = f"{found.words}\n{drawn(known_rows(position), settings.style)}"
    settings.say({**answer, "position_code": position.code}, text)
    raise typer.Exit(code)


@shared
def review(
    settings: Settings,
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A puzzle or position file with the steps taken as 'moves'.")
    ],
    *,
    options: GoalOptions,
) -> None:
    """Judge a recorded game, luck apart from error."""
    from solver.screens.review import review_answer, review_rows
    from solver.tools.review import review as judged_steps

    found, steps = read_record(game)
    waiting(settings, "judging every step")
    wanted = options.goal_table()
    position, asked = position_of(found), None
    if who_wins(found, wanted) is None:
        position, asked = question_of(found, wanted)
        refuse_fated(position)
    judged = judged_steps(position, asked, steps, settings.limit, seed=settings.seed or 0)
    settings.show(lambda: review_answer(position, judged), lambda style: review_rows(position, asked, judged, style))
    negative = asked is not None and judged.impossible_after[0] == 0
    raise typer.Exit(exit_code(interrupted=judged.interrupted, negative=negative, limit=bool(judged.unknown)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Races:
    """What the options say about the races."""

    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help="How many games each player plays.")] = 10
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="best, plain, greedy or random; may be repeated, all when left out."
        ),
    ] = None
    move_time: Annotated[
        float | None, typer.Option("--move-time", min=0.01, metavar="SECONDS", help="What best may spend on a move.")
    ] = None
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", min=1, metavar="N", help="Likewise, as a number of playouts: the same on every machine."
        ),
    ] = None
    most_turns: Annotated[int, typer.Option("--turns", min=1, metavar="N", help="Give a race up after so many.")] = 250
    target: TARGET = None
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes that play games.")] = 1


@shared
def simulate(
    settings: Settings,
    start: Annotated[
        str, typer.Argument(metavar="RULESET-or-STATE", help="Rules to deal from anew each game, or one position.")
    ],
    *,
    races: Races,
) -> None:
    """Play hidden races: the adviser against plain ways to play."""
    from solver.screens.simulate import simulation_answer, simulation_rows
    from solver.tools.simulate import PLAYOUTS, Request
    from solver.tools.simulate import simulate as played

    if races.move_time is not None and (races.playouts is not None or settings.deterministic):
        raise typer.BadParameter("--move-time goes neither with --playouts nor with --deterministic")
    settings.detail(f"playing {races.games} games")
    request = Request(
        start=named_ruleset(start) or read_position(start),
        players=tuple(dict.fromkeys(races.players or ())),
        games=races.games,
        playouts=races.playouts or PLAYOUTS,
        move_s=races.move_time,
        target=races.target,
        most_turns=races.most_turns,
        seed=settings.seed or 0,
    )
    found = played(request, settings.limit, jobs=settings.jobs(races.jobs))
    settings.show(lambda: simulation_answer(found), lambda style: simulation_rows(found, style))
    raise typer.Exit(exit_code(interrupted=found.interrupted, limit=len(found.games) < races.games))


COMMANDS = {
    "best": best,
    "draw": draw,
    "hint": hint,
    "pay": pay,
    "review": review,
    "risk": risk,
    "simulate": simulate,
}
