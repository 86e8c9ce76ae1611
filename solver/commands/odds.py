"""Commands about decisions at the table: how likely a card comes through, what to pay with, a hint, a review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from solver.commands.answers import (
    GOAL,
    HEADING,
    KEEP,
    NO_NEW_DAY,
    OTHERS,
    SEAT,
    TARGET,
    WITHIN,
    WITHOUT,
    question_of,
    refuse_fated,
    refuse_opponents,
    wanted_goal,
)
from solver.commands.contested import asked_to_win, position_of, who_wins
from solver.commands.exit_codes import INTERRUPTED, LIMIT_HIT, NEGATIVE, PROVED_OR_CLEAN
from solver.commands.settings import Settings, shared, waiting

if TYPE_CHECKING:
    from rules.core.position import Position

STATE = Annotated[str, typer.Argument(metavar="STATE", help="File, puzzle id, position code, or - for standard input.")]


@shared
def risk(
    settings: Settings,
    state: STATE,
    cards: Annotated[list[str] | None, typer.Argument(metavar="[CARD]...", help="All that can be begun now.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Show also what more cards in hand would change.")] = False,
) -> None:
    """Tell the chance that each risk card comes through."""
    from solver.commands.inputs import read_position

    raise typer.Exit(told_risks(read_position(state), cards or (), settings, table=table))


def told_risks(position: Position, cards: Sequence[str], settings: Settings, *, table: bool) -> int:
    """Print the chances of risk cards, all that can be begun where none are named, and return the exit code.

    Raises:
        BestlineError: a card is none that can be begun here, or the game has no such cards.
    """
    from solver.render import draw
    from solver.risk import risks, threats
    from solver.screens.odds import threat_answer, threat_rows
    from solver.screens.risk import chances_so_far, risk_answer, risk_rows

    threatened = threats(position, cards)
    if threatened is not None:
        if settings.json:
            settings.answer_json(threat_answer(position, threatened))
        else:
            settings.answer(draw(threat_rows(position, threatened, settings.style), settings.style))
        return PROVED_OR_CLEAN
    waiting(settings, "adding up chances")
    found = risks(
        position, cards, settings.limit, table=table, said=lambda chances: settings.note(chances_so_far(chances))
    )
    if settings.json:
        settings.answer_json(risk_answer(position, found))
    else:
        settings.answer(draw(risk_rows(position, found, settings.style), settings.style))
    if found.interrupted:
        return INTERRUPTED
    return PROVED_OR_CLEAN if all(each.exact for each in found.chances) else LIMIT_HIT


@shared
def pay(
    settings: Settings,
    state: STATE,
    card: Annotated[str, typer.Argument(metavar="CARD", help="The hand card to play.")],
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="CARD", help="A card to keep if it can be; may be repeated.")
    ] = None,
    goal: GOAL = None,
    target: TARGET = None,
    within_turns: WITHIN = None,
    no_new_day: NO_NEW_DAY = False,
    seat: SEAT = None,
) -> None:
    """Tell which cards to give up for the cost of a card."""
    from puzzles.goal import Objective
    from puzzles.loader import Puzzle
    from solver.commands.inputs import read_input
    from solver.facts import Unpayable
    from solver.pay import pay as best_ways
    from solver.render import draw
    from solver.screens.odds import pay_answer, pay_rows, unpayable_answer, unpayable_rows

    read = read_input(state)
    wanted = wanted_goal(goal, target, within_turns, no_new_day, None, seat)
    position, asked = position_of(read), None
    if wanted or isinstance(read, Puzzle):
        goal_asked = question_of(read, wanted)[1]
        asked = None if goal_asked.objective is Objective.WIN else goal_asked
    waiting(settings, "comparing payments")
    try:
        found = best_ways(position, card, keep or (), settings.limit, asked)
    except Unpayable as fault:
        if settings.json:
            settings.answer_json(unpayable_answer(position, card, fault))
        else:
            settings.answer(draw(unpayable_rows(position, fault), settings.style))
        raise typer.Exit(NEGATIVE) from None
    if settings.json:
        settings.answer_json(pay_answer(position, found, keep or ()))
    else:
        settings.answer(draw(pay_rows(position, found, settings.style), settings.style))
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)
    if found.unsettled and position.players == 1:
        raise typer.Exit(LIMIT_HIT)


@shared
def hint(
    settings: Settings,
    state: STATE,
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="nudge, card, move or line.")] = "nudge",
    goal: GOAL = None,
    target: TARGET = None,
    within_turns: WITHIN = None,
    no_new_day: NO_NEW_DAY = False,
    without: WITHOUT = None,
    keep: KEEP = None,
    seat: SEAT = None,
    opponents: OTHERS = None,
) -> None:
    """Give a hint about the best move, no more than asked."""
    from solver.answer import head
    from solver.commands.inputs import read_input
    from solver.hint import Hopeless, NothingYet
    from solver.hint import hint as no_more
    from solver.store import Store

    read = read_input(state)
    wanted = wanted_goal(goal, target, within_turns, no_new_day, without, seat, keep)
    refuse_opponents(opponents)
    wins = asked_to_win(read, wanted, opponents, settings)
    if wins is None and opponents is not None:
        settings.note("--opponents changes nothing here: it goes with the question who wins")
    position, asked = question_of(read, wanted) if wins is None else (position_of(read), wins)
    waiting(settings, "thinking")
    try:
        found = no_more(position, asked, level, settings.limit, None if settings.deterministic else Store())
    except NothingYet as fault:
        if settings.json:
            told = {"level": level, "hint": None, "sure": False, "why": str(fault), "position_code": position.code}
            settings.answer_json({**head("hint", position), **told})
        else:
            settings.warn(str(fault))
        raise typer.Exit(INTERRUPTED if fault.interrupted else LIMIT_HIT) from None
    except Hopeless as fault:
        if settings.json:
            told = {"level": level, "hint": None, "sure": True, "why": str(fault), "position_code": position.code}
            settings.answer_json({**head("hint", position), **told})
        else:
            _told(str(fault), position, settings)
        raise typer.Exit(NEGATIVE) from None
    if settings.json:
        told = {"level": found.level, "hint": found.text, "sure": found.sure, "position_code": position.code}
        settings.answer_json({**head("hint", position), **told})
    else:
        _told(found.told, position, settings)
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)
    if not found.sure:
        raise typer.Exit(LIMIT_HIT)


def _told(text: str, position: Position, settings: Settings) -> None:
    """Print a hint, and under it what it takes as known."""
    from solver.render import EMPTY, draw
    from solver.screens.common import facts_rows
    from solver.screens.plan import information_text

    rows = [EMPTY, *facts_rows([("known", information_text(position)), ("code", position.code)])]
    settings.answer(f"{text}\n{draw(rows, settings.style)}")


@shared
def review(
    settings: Settings,
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A puzzle or position file with the steps taken as 'moves'.")
    ],
    goal: GOAL = None,
    target: TARGET = None,
    within_turns: WITHIN = None,
    no_new_day: NO_NEW_DAY = False,
    without: WITHOUT = None,
    keep: KEEP = None,
    seat: SEAT = None,
) -> None:
    """Judge a recorded game, luck apart from error."""
    from solver.commands.inputs import read_record
    from solver.render import draw
    from solver.review import review as judge
    from solver.review_contest import review_contest
    from solver.screens.review import contest_review_answer, contest_review_rows, review_answer, review_rows

    found, steps = read_record(game)
    waiting(settings, "judging every step")
    wanted = wanted_goal(goal, target, within_turns, no_new_day, without, seat, keep)
    if who_wins(found, wanted) is not None:
        position = position_of(found)
        several = review_contest(position, steps, settings.limit, seed=settings.seed or 0)
        if settings.json:
            settings.answer_json(contest_review_answer(position, several))
        else:
            settings.answer(draw(contest_review_rows(position, several, settings.style), settings.style))
        if several.interrupted:
            raise typer.Exit(INTERRUPTED)
        raise typer.Exit(LIMIT_HIT if several.unknown else PROVED_OR_CLEAN)
    refuse_fated(found, wanted)
    position, asked = question_of(found, wanted)
    judged = judge(position, asked, steps, settings.limit, seed=settings.seed or 0)
    if settings.json:
        settings.answer_json(review_answer(position, judged))
    else:
        settings.answer(draw(review_rows(position, asked, judged, settings.style), settings.style))
    if judged.interrupted:
        raise typer.Exit(INTERRUPTED)
    if judged.impossible_after == 0:
        raise typer.Exit(NEGATIVE)
    raise typer.Exit(LIMIT_HIT if judged.unknown else PROVED_OR_CLEAN)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for name, command in {"hint": hint, "pay": pay, "review": review, "risk": risk}.items():
        app.command(name, rich_help_panel=HEADING)(command)
