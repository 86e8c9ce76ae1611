"""The words and JSON of reviews: records judged step by step, luck apart from error, and where they turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from solver.fortune import Fortune, together
from solver.render import EMPTY, Row, Style, table
from solver.review import Guess, Judged, Review
from solver.review_contest import Contested, ContestReview
from solver.screens.common import (
    Unit,
    chance_rows,
    count,
    facts_rows,
    fraction_text,
    goal_sentence,
    information_text,
    percent,
    turns_text,
    unit_of,
)
from solver.screens.data import goal_data, head, plain
from solver.screens.words import payoff_words


def review_answer(position: Position, found: Review) -> dict[str, Any]:
    """Return the answer of ``review``: each step with what it lost or, by chance, brought."""
    return {
        **head("review", position),
        "goal": goal_data(found.goal),
        "steps": [
            {
                "step": each.text,
                "by": "chance" if each.by_chance else "player",
                "before": fraction_text(each.before),
                "after": fraction_text(each.after),
                "luck" if each.by_chance else "loss": fraction_text(each.change),
                **({"draws": each.draws} if each.draws != 1 else {}),
                **({} if each.guess is None else {"sample": {**plain(each.guess), "goal": goal_data(each.guess.goal)}}),
                **({} if each.fortune is None else {"sampled_luck": plain(each.fortune)}),
                "mark": each.mark,
            }
            for each in found.steps
        ],
        "lost": str(found.lost),
        "luck": str(found.luck),
        "impossible_after": found.impossible_after,
        "breaks_the_goal": found.broken,
        "turning_points": list(found.turning),
        "unknown": found.unknown,
        "interrupted": found.interrupted,
        "position_code": position.code,
    }


def review_rows(position: Position, goal: Goal, found: Review, style: Style) -> list[Row]:
    """Return the record with the value before each step, its mark, and the sums."""
    unit = unit_of(position)
    sampled = [each.guess for each in found.steps if each.guess is not None]
    rows = [Row(goal_sentence(goal, position)), *chance_rows(goal, found.goal), EMPTY]
    if found.impossible_after == 0:
        rows += [Row(f"proved: {_too_late(found)}", label="IMPOSSIBLE", look="bad"), EMPTY]
    goal = found.goal
    cells = [
        (
            str(number),
            each.text,
            "" if sampled and each.by_chance and not each.known else _before(each, goal, unit),
            "" if sampled and each.by_chance and not each.known and not each.fortune else _told(each, goal, unit),
        )
        for number, each in enumerate(found.steps, start=1)
    ]
    rows += table([("", "step", _measure(goal, unit), ""), *cells], style, indent=2, headed=True)
    known = ", as far as is known" if found.unknown else ""
    known = ", as far as is known exactly" if sampled else known
    nothing = not any(each.known for each in found.steps)
    lost, luck = _counted(found.lost, goal, unit), _counted(found.luck, goal, unit)
    facts = [
        ("lost", "" if nothing and sampled else f"{lost} by decisions{_besides(found)}{known}"),
        ("luck", "" if nothing and sampled else f"{luck} by chance{'' if found.luck >= 0 else ', bad luck'}{known}"),
        ("sampled", _sampled(sampled, unit)),
        ("chance", _fortunes([each.fortune for each in found.steps if each.fortune is not None], unit)),
        ("turned", "; ".join(_turn(number, found.steps[number - 1]) for number in found.turning)),
        ("forbidden", "" if found.broken is None else _broken(found.broken, found.steps[found.broken - 1])),
        ("too late", _too_late(found)),
        ("unknown", _unknown(found, sampled=bool(sampled))),
        ("left out", f"{count(found.past, 'step')} after the end of what was asked" if found.past else ""),
        ("known", information_text(position)),
        ("code", position.code),
    ]
    return [*rows, EMPTY, *facts_rows(facts)]


def _fortunes(found: Sequence[Fortune], unit: Unit) -> str:
    """Return what chance brought together, as far as samples say."""
    if not found:
        return ""
    total, off = together(found)
    low, high = float(total) - off, float(total) + off
    sure = "good luck" if low > 0 else "bad luck" if high < 0 else "good or bad luck is not settled"
    turns = count(max(each.turns for each in found), "turn")
    return (
        f"about {float(total):+.1f} {unit.name}s in all, 95 % in {low:+.1f} to {high:+.1f}: {sure}; that is how much "
        f"further plain play gets in {turns} after what came up than before it"
    )


def _sampled(guesses: Sequence[Guess], unit: Unit) -> str:
    """Return what was compared by samples, and what the losses add up to that they settle."""
    if not guesses:
        return ""
    told = f"{count(len(guesses), 'decision')} against the best move that a sample finds, with what the player knew"
    settled: dict[Goal, Fraction] = {}
    for guess in guesses:
        if guess.loss and guess.verdict == "decided":
            of = replace(guess.goal, within_turns=None)
            settled[of] = settled.get(of, Fraction(0)) + guess.loss
    lost = " and ".join(_about(loss, of, unit) for of, loss in settled.items())
    return f"{told}; settled losses: {lost or 'none'}"


def _unknown(found: Review, *, sampled: bool) -> str:
    if not found.unknown:
        return ""
    chance = sum(each.by_chance and not each.known for each in found.steps)
    if sampled and chance == found.unknown:
        return f"what chance gave or took in {count(chance, 'step')}"
    return f"{count(found.unknown, 'step')}; --time allows more"


def _about(value: Fraction, goal: Goal, unit: Unit) -> str:
    """Return a difference of samples, which is no number to be trusted to the last digit."""
    if goal.objective is Objective.REACH:
        return f"about {percent(value)}"
    name = unit.name if goal.objective is Objective.MAX_DISTANCE else _turn_name(goal)
    return f"about {float(value):.1f} {name}s"


def _guessed(each: Judged, guess: Guess, unit: Unit) -> str:
    if not guess.loss:
        return ", ".join(part for part in (each.mark, "best of a sample") if part)
    turns = f" in {turns_text(guess.goal.within_turns or 0, guess.goal)}"
    over = turns if guess.goal.objective is Objective.MAX_DISTANCE else ""
    sure = {"decided": "", "close": ", as good as the best", "undecided": ", not settled"}[guess.verdict]
    lost = f"loses {_about(guess.loss, guess.goal, unit)}{over} against '{guess.best}'{sure}"
    return ", ".join(part for part in (each.mark, lost) if part)


def _told(each: Judged, goal: Goal, unit: Unit) -> str:
    if each.guess is not None:
        return _guessed(each, each.guess, unit)
    if each.fortune is not None:
        over = f" in {each.fortune.draws} draws" if each.fortune.draws > 1 else ""
        luck = f"luck about {float(each.fortune.luck):+.1f} {unit.name}s{over}"
        return luck if each.fortune.is_settled else ""
    if each.change is None:
        return each.mark or ("" if each.known else "not known")
    if each.by_chance:
        over = f" in {each.draws} draws" if each.draws > 1 else ""
        return f"luck {_shown(each.change, goal)}{over}" if each.change else ""
    lost = f"loses {_shown(each.change, goal)}" if each.change else ""
    return ", ".join(part for part in (each.mark, lost) if part)


def _before(each: Judged, goal: Goal, unit: Unit) -> str:
    """Return what could be had before a step."""
    if each.guess is not None:
        return _could(each.guess, unit)
    if each.before is None:
        lost = "no move left" if goal.objective is Objective.MAX_DISTANCE else "out of reach"
        return "" if each.draws != 1 else lost if each.known else "not known"
    return _shown(each.before, goal)


def _besides(found: Review) -> str:
    """Return that a decision lost more than can be counted, where one did."""
    number = found.impossible_after
    if not number:
        return ""
    step = found.steps[number - 1]
    return ", besides the goal itself" if step.change is None and not step.by_chance else ""


def _too_late(found: Review) -> str:
    """Return when the goal could not be met any more; a distance can be had as long as there is a move."""
    number = found.impossible_after
    if number is None:
        return ""
    when = f"after step {number}" if number else "from the start"
    if found.goal.objective is Objective.MAX_DISTANCE:
        return f"{when} every way to play came to a turn with no move that the goal allows"
    return f"the goal was out of reach {when}"


def _could(guess: Guess, unit: Unit) -> str:
    """Return what the best move of a sample is worth."""
    if guess.goal.objective is Objective.REACH:
        return percent(guess.value)
    shown = f"{float(guess.value):.1f}"
    return unit.told(shown) if guess.goal.objective is Objective.MAX_DISTANCE else shown


def _shown(value: Fraction, goal: Goal) -> str:
    if goal.objective is Objective.REACH:
        return percent(value) if value >= 0 else f"-{percent(-value)}"
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"


def _measure(goal: Goal, unit: Unit) -> str:
    """Return what the values before the steps are, as the head of their column."""
    if goal.objective is Objective.REACH:
        return "chance"
    if goal.objective is Objective.MAX_DISTANCE:
        return f"best {unit.name}" if unit.is_place else f"most {unit.name}s"
    return f"{_turn_name(goal)}s to go"


def _counted(value: Fraction, goal: Goal, unit: Unit) -> str:
    """Return what was lost or brought, with what it is counted in."""
    shown = _shown(value, goal)
    if goal.objective is Objective.REACH:
        return shown
    name = unit.name if goal.objective is Objective.MAX_DISTANCE else _turn_name(goal)
    return f"{shown} {name}" if abs(value) == 1 else f"{shown} {name}s"


def _turn_name(goal: Goal) -> str:
    return "turn" if goal.clock is None else goal.clock.turn


def _broken(number: int, step: Judged) -> str:
    return f"{number} {step.text}: the goal does not allow it, so nothing after it counts"


def _turn(number: int, step: Judged) -> str:
    return f"{number} {step.text} ({'luck' if step.by_chance else step.mark or 'decision'})"


EVERYBODY: Final = "everybody's best play from there on"
"""What decisions are judged by where all is seen."""


def contest_review_answer(position: Position, found: ContestReview) -> dict[str, Any]:
    """Return the answer of ``review`` about several players; seats count from 0."""
    return {
        **head("review", position),
        "goal": {"objective": "win"},
        "steps": [
            {
                "step": each.text,
                "by": "chance" if each.seat is None else "player",
                "seat": each.seat,
                "before": fraction_text(each.before),
                "luck" if each.seat is None else "loss": fraction_text(each.change),
                "method": _method(each),
                **({"verdict": each.verdict} if each.verdict else {}),
                "turns_ahead": each.ahead,
                "mark": each.mark,
            }
            for each in found.steps
        ],
        "lost": [str(loss) for loss in found.lost],
        "luck": str(found.luck),
        "impossible_after": list(found.thrown),
        "unknown": found.unknown,
        "interrupted": found.interrupted,
        "position_code": position.code,
    }


def _method(each: Contested) -> str:
    if each.change is None:
        return "none"
    return "sampled" if each.verdict else "exact" if each.ahead is None else "depth"


def contest_review_rows(position: Position, found: ContestReview, style: Style) -> list[Row]:
    """Return the record with what each step gave away, and the sums by player."""
    sampled = any(each.verdict for each in found.steps)
    against = "the best move that a sample finds, with what the player knew" if sampled else EVERYBODY
    rows = [Row(f"Every decision against {against}.", look="title"), EMPTY]
    cells = [
        (
            str(number),
            "chance" if each.seat is None else f"player {each.seat}",
            each.text,
            "" if each.before is None or each.seat is None else payoff_words(position).value(each.before),
            _gave(position, each),
        )
        for number, each in enumerate(found.steps, start=1)
    ]
    rows += table([("", "", "step", "could have", ""), *cells], style, indent=2, headed=True)
    facts = [(f"player {seat}", _account(position, found, seat, loss)) for seat, loss in enumerate(found.lost)]
    facts += [
        ("luck", _luck(position, found)),
        ("unknown", f"{count(found.unknown, 'step')} without an exact value" if found.unknown else ""),
        ("known", information_text(position)),
        ("code", position.code),
    ]
    return [*rows, EMPTY, *facts_rows(facts)]


def _gave(position: Position, each: Contested) -> str:
    if each.change is None:
        return each.mark or "not known"
    if each.seat is None:
        given = payoff_words(position).loss(abs(each.change))
        return f"gives player {_favoured(each.change)} {given}" if each.change else ""
    about = "about " if each.verdict else ""
    lost = f"gives away {about}{payoff_words(position).loss(each.change)}" if each.change else ""
    if each.verdict and lost:
        sure = {"decided": "", "close": "as good as the best", "undecided": "not settled"}[each.verdict]
        return ", ".join(part for part in (each.mark, lost, sure) if part)
    far = f"looking {count(each.ahead, 'turn')} ahead" if each.ahead is not None and lost else ""
    return ", ".join(part for part in (each.mark, lost, far) if part)


def _account(position: Position, found: ContestReview, seat: int, loss: Fraction) -> str:
    late = found.thrown[seat]
    told = (
        f"gave away {payoff_words(position).loss(loss)} by decisions"
        if loss
        else "gave nothing away that is known exactly"
    )
    return told if late is None else f"{told}; after step {late} nothing of the win was left to be had"


def _luck(position: Position, found: ContestReview) -> str:
    if not found.luck:
        return ""
    return f"chance gave player {_favoured(found.luck)} {payoff_words(position).loss(abs(found.luck))}"


def _favoured(luck: Fraction) -> int:
    """Return the seat, of two, that chance helped; luck is told for the first one."""
    return 0 if luck > 0 else 1
