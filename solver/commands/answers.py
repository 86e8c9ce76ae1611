"""The commands that answer questions: the best line and move, risks, payments, hints, reviews, simulated races."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from puzzles.puzzle import Goal, Objective, Puzzle
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.tools.output import picked, plain, refuse_unwritable, stated
from solver.commands import question as asking
from solver.commands.line_input import Many, entered_question, line_answered, run_batch
from solver.commands.settings import Exit, Settings, Shown, argument, exit_code, option
from solver.question import Answer, Question, Status, chance_is_next, is_uncertain, named_move
from solver.render import Row
from solver.screens.common import answer_of, known_rows

if TYPE_CHECKING:
    from solver.proofs import Explanation
    from solver.screens.answer import Answered

SECOND_S = 30.0
"""Seconds for a second opinion or an explanation, which may need far longer than the search, where none are given."""
STATES = 50_000
"""Positions that each search behind an explanation may keep where no clock may decide."""
ALL_MOVES = 1_000_000
"""Moves shown where all are asked for."""
RISK_S = 3.0
"""Seconds for risks where no time is given,"""
RISK_TABLE_S = 9.0
"""with more cards in hand,"""


def _answered(
    question: str | None,
    batch: str | None,
    many: Many,
    settings: Settings,
    answer: Callable[[Puzzle | Position], Answered],
) -> Answered | int:
    """Return the answer to the one question; the lines of a batch are answered here, and the exit code is returned."""
    if batch is not None:
        return run_batch(batch, question, many, settings, partial(line_answered, answer))
    return answer(entered_question(settings) if question is None else asking.read_given(question).posed())


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions(asking.QuestionOptions):
    """What the options of ``solve`` say."""

    every: bool = option("Tell every line that is as good; every move, where chance is hidden.", False, "--all")
    proof: Path | None = option("Write a certificate for 'bestline verify'; .gz makes it smaller.", metavar="FILE")
    why: bool = option("Say which rules make it impossible, or impossible to do better (--time, else 30 s).", False)
    second: bool = option("Play it again by the rules alone (--time, else 30 s).", False, "--second-opinion")
    no_cache: bool = option("Neither use nor keep answers; --deterministic does not either.", False)


def solve(
    settings: Settings, question: str | None = asking.QUESTION, *, options: SolveOptions, many: Many
) -> Shown | int:
    """Find the best line for a goal, with its proof or its bound."""
    if (proof := options.proof) is not None:
        refuse_unwritable(proof, kept=True)
    if options.batch is not None and (proof is not None or options.second):
        raise typer.BadParameter("--proof and --second-opinion go with one question, not with --batch")
    found = _answered(question, options.batch, many, settings, partial(_solve, options=options, settings=settings))
    if isinstance(found, int):
        return found
    if options.second:
        found = _cross_checked(found, settings)
    told = asking.shown(found, settings)
    stopped = found.every is not None and found.every.stopped
    code = told.code or (Exit.LIMIT_HIT if stopped else Exit.PROVED_OR_CLEAN)
    if proof is None:
        return told._replace(code=code)
    from solver.checker.layers import TooLarge
    from solver.proofs import write_proof

    settings.show(told)  # a certificate may take long
    goal = _open_goal(found, "a certificate")
    settings.detail("playing every line again by the rules alone")
    try:
        seal = write_proof(found.question.position, goal, found.answer, proof, settings.left_s)
    except TooLarge as fault:
        settings.warn(f"{proof}: not written: {fault}")
        return Exit.INTERRUPTED if found.answer.interrupted else Exit.LIMIT_HIT
    settings.note(f"wrote {proof}: certificate {seal}")
    return code


def _cross_checked(found: Answered, settings: Settings) -> Answered:
    from solver.proofs import cross_check

    goal = _open_goal(found, "--second-opinion")
    if found.answer.interrupted:  # whoever stops the search does not wait for another one
        settings.warn("--second-opinion: stopped before it began")
        return found
    settings.detail("playing every line again by the rules alone")
    try:
        checked = cross_check(found.question.position, goal, found.answer, settings.limit_of(SECOND_S).time_s)
    except KeyboardInterrupt:
        settings.warn("--second-opinion: stopped before every line was played")
        return replace(found, answer=replace(found.answer, interrupted=True))
    if checked != found.answer:
        settings.note("the rules agree: no line is better")
    else:
        settings.warn("--second-opinion: not every line could be played within the limit; --time allows more")
    return replace(found, answer=checked)


def _open_goal(found: Answered, what: str) -> Goal:
    if not found.answer.is_open:
        kind = "chance is hidden" if found.answer.contest is None else "several play"
        raise BestlineError(f"{what} is about an open question, and here {kind}")
    return found.question.own_goal


def _solve(found: Puzzle | Position, options: SolveOptions, settings: Settings) -> Answered:
    """Solve and explain a question.

    Who of several players wins is a question only where a puzzle or an option asks it by name.
    """
    from solver.engines.answers import solve_question
    from solver.screens.answer import Answered
    from solver.store import Store

    wanted, why = options.goal_table(), options.why
    if isinstance(found, Puzzle) or "objective" in wanted:
        question = asking.posed_question(found, wanted, options.opponents, settings)
    else:
        question = Question(*asking.own_goal(found, wanted), settings.limit)
    if options.opponents is not None and question.goal is not None:
        settings.note(asking.NO_OPPONENTS)
    goal, timed = question.goal, not settings.deterministic
    is_open = goal is not None and not is_uncertain(question.position)
    if why and not is_open:
        here = "others decide too" if goal is None else "chance is hidden"
        settings.note(f"--why changes nothing here: it names the rules behind an open question, and here {here}")
    store = None if options.no_cache or settings.deterministic else Store()
    answer = solve_question(asking.observed(settings, question), store=store)
    if store is not None and store.trouble:
        settings.detail(f"{store.path}: cannot be used: {store.trouble}")
    top = ALL_MOVES if options.every and not is_open else 3
    solved = Answered("solve", question, answer, getattr(found, "title", ""), top, timed=timed)
    if not is_open or goal is None:
        return solved
    missing = "--all: stopped before every line was found"
    try:
        if options.every and (answer.status is not Status.OPTIMAL or not answer.line):
            settings.warn("--all: no line is proved best here")
        elif options.every:
            from solver.proofs import OptimalLines

            settings.detail("looking for all lines that do as well")
            lines: OptimalLines[Any] = OptimalLines(question.position, goal, answer, settings.limit.start())
            solved = replace(solved, every=lines.count(written=True))
        missing = "--why: stopped before the reasons were found"
        return replace(solved, explanation=_explained(question.position, goal, answer, settings)) if why else solved
    except KeyboardInterrupt:
        settings.warn(missing)
        return replace(solved, answer=replace(answer, interrupted=True))


def _explained(position: Position, goal: Goal, report: Answer[int], settings: Settings) -> Explanation | None:
    from solver.proofs import Loosening, improvement_question

    question = improvement_question(goal, report)
    if question is None or report.interrupted:
        settings.warn("--why: nothing is proved impossible here")
        return None
    # A clock would let the same input give other bytes; positions do not.
    limit = replace(settings.limit, states=STATES) if settings.deterministic else settings.limit_of(SECOND_S)
    return Loosening(position, question, limit, settings.detail).explanation()


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
    found = _answered(question, options.batch, many, settings, partial(advise, options=options, settings=settings))
    return found if isinstance(found, int) else asking.shown(found, settings)


def advise(found: Puzzle | Position, options: BestOptions, settings: Settings) -> Answered:
    """Compare the moves that are open now.

    Raises:
        BestlineError: the goal or the move does not fit, or the question is of a kind that cannot be answered yet.
    """
    from solver.screens.answer import Answered

    if options.draw:
        from solver.tools.risk import with_draws

        position = with_draws(found.position if isinstance(found, Puzzle) else found, options.draw, options.seat)
        found = replace(found, position=position) if isinstance(found, Puzzle) else position
    questions = [_question(found, options, settings, move) for move in options.vs or (None,)]
    told = bool(settings.json or options.batch or options.vs or options.why)
    question = replace(questions[0], limit=questions[0].limit.part(1 / len(questions)), every_line=told)
    if question.position.players == 1 and options.opponents is not None:
        settings.note("--opponents changes nothing here: there are none")
    answer = _answer(question, settings)
    because: Sequence[str] = ()
    if options.why:
        from solver.tools.advice import reasons

        because = reasons(question, answer)
    shape = (getattr(found, "title", ""), options.top, options.why, not settings.deterministic)
    answered, also = Answered("best", question, answer, *shape, reasons=because), list[Answered]()
    for other in questions[1:]:
        other = replace(other, limit=question.limit)
        known = answer.status is Status.OPTIMAL and any(each.move == other.versus for each in answer.moves)
        same = replace(answer, instead=(), next_instead=()) if known else _answer(other, settings)
        also.append(replace(answered, question=other, answer=same, reasons=()))
    return replace(answered, also=also)


def _answer(question: Question, settings: Settings) -> Answer[Any]:
    from solver.engines.answers import best_move
    from solver.store import Store

    return best_move(asking.observed(settings, question), store=None if settings.deterministic else Store())


def _question(found: Puzzle | Position, options: BestOptions, settings: Settings, vs: str | None) -> Question:
    """Return the question which move is best: who of several players wins, or a goal of the player's own."""
    question = asking.posed_question(found, options.goal_table(), options.opponents, settings, vs)
    if question.goal is None:
        return question
    position, goal, others = question.position, question.goal, ""
    if position.players > 1:
        named = asking.named_opponents(position, found.goal.challenge) if isinstance(found, Puzzle) else None
        others = options.opponents or named or "greedy"
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

    if (threatened := threats(position, cards)) is not None:
        return Shown(threat_answer(position, threatened), threat_rows(position, threatened))
    settings.wait("adding up chances")
    found = risks(position, cards, settings.limit_of(RISK_TABLE_S if table else RISK_S), table=table)
    code = exit_code(interrupted=found.interrupted, limit=not all(each.exact for each in found.chances))
    return Shown(risk_answer(position, found), risk_rows(position, found), code)


def draw(
    state: str = asking.STATE,
    cards: list[str] | None = argument("[CARD]...", "Every card when left out.", None),
    number: int = option("How many cards come up.", 1, "--next", min=1, metavar="N"),
    seat: int | None = option("Who draws, the first seat being 0; who is to move when left out.", min=0),
) -> Shown:
    """Tell the chance that cards are among the next ones of the deck."""
    from solver.screens.cards import draw_answer, draw_rows
    from solver.tools.risk import draw_chances

    position = asking.read_position(state, whole=False)
    found = draw_chances(position, cards or (), number, seat)
    return Shown(draw_answer(position, found), draw_rows(position, found))


def pay(
    settings: Settings,
    *,
    state: str = asking.STATE,
    card: str = argument("CARD", "The hand card to play."),
    keep: list[str] | None = option("A card to keep if it can be; may be repeated.", metavar="CARD"),
    options: asking.PlanOptions,
) -> Shown:
    """Tell which cards to give up for the cost of a card."""
    return payments_shown(asking.read_given(state).posed(), card, keep or (), options.goal_table(), settings)


def payments_shown(
    read: Puzzle | Position, card: str, keep: Sequence[str], wanted: dict[str, Any], settings: Settings
) -> Shown:
    """Return the payments for a card, compared by a goal where one is wanted or the puzzle has one."""
    from solver.screens.cards import pay_answer, pay_rows
    from solver.tools.payment import Unpayable
    from solver.tools.payment import pay as best_payments

    has_goal = wanted or isinstance(read, Puzzle)
    position, goal = asking.position_of(read), asking.own_goal(read, wanted)[1] if has_goal else None
    if goal is not None and goal.objective is Objective.WIN:
        goal = None
    settings.wait("comparing payments")
    try:
        found = best_payments(position, card, keep, settings.limit, goal)
    except Unpayable as fault:
        rows = [Row(str(fault), label="NO", look="bad"), *known_rows(position)]
        data = {"card": card, "best": None, "payments": [], "why": str(fault), "fails": plain(fault.ways)}
        return Shown(answer_of("pay", position, data), rows, Exit.NEGATIVE)
    code = exit_code(interrupted=found.interrupted, limit=bool(found.unsettled) and position.players == 1)
    return Shown(pay_answer(position, found, keep), pay_rows(position, found), code)


def hint(
    settings: Settings,
    *,
    state: str = asking.STATE,
    level: str = option("nudge, card, move or line.", "nudge", metavar="LEVEL"),
    options: asking.GoalOptions,
    opponents: asking.Opponents | None = asking.OTHERS,
) -> Shown | int:
    """Give a hint about the best move, no more than asked."""
    from solver.tools.advice import hint as no_more

    read = asking.read_given(state).posed()
    position, given = asking.position_of(read), {each.name: getattr(options, each.name) for each in fields(options)}
    settings.wait("thinking")
    asked = asking.posed_question(read, options.goal_table(), opponents, settings)
    settings = replace(settings, quiet=True)  # what is found on the way tells more than a hint
    if asking.is_fated(asked.position):
        advised = partial(_solve, read, SolveOptions(**given, opponents=opponents), settings)
    else:
        advised = partial(advise, read, BestOptions(**given, opponents=opponents), settings)
    found = no_more(position, level, advised)
    code = exit_code(interrupted=found.interrupted, negative=found.text is None and found.sure, limit=not found.sure)
    if code and found.text is None and not found.sure and not settings.json:
        settings.warn(found.words)
        return code
    why = found.words if found.text is None else ""
    data = {"level": level, "hint": found.text, **picked(found, "sure"), **stated(why=why)}
    return Shown(answer_of("hint", position, data), [*map(Row, found.words.splitlines()), *known_rows(position)], code)


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
    settings.wait("judging every step")
    wanted = options.goal_table()
    position, goal = asking.position_of(found), None
    if asking.who_wins(found, wanted) is None:
        position, goal = asking.own_goal(found, wanted)
        asking.refuse_fated(position)
    judged = judged_steps(position, goal, steps, settings.limit, seed=settings.seed or 0)
    negative = goal is not None and judged.impossible_after[0] == 0
    code = exit_code(interrupted=judged.interrupted, negative=negative, limit=bool(judged.unknown))
    return Shown(review_answer(position, judged), review_rows(position, goal, judged), code)


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
    return Shown(simulation_answer(found), simulation_rows(found), code)
