"""The words and JSON of reviews: records judged step by step, luck apart from error, and where they turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from solver.render import EMPTY, Row, Style, table
from solver.screens.common import (
    Unit,
    chance_rows,
    count,
    fraction_text,
    goal_sentence,
    known_rows,
    percent,
    turns_text,
    unit_of,
)
from solver.screens.data import goal_data, head, plain
from solver.screens.words import TOO_FEW, VAGUE, payoff_words
from solver.tools.record_values import Guess, Luck, total_luck
from solver.tools.review import ContestReview, Judged, Review

EVERYBODY: Final = "everybody's best play from there on"
"""What decisions are judged by where all is seen."""


def review_answer(position: Position, found: Review | ContestReview) -> dict[str, Any]:
    """Return the answer of ``review``: each step with what it lost or, by chance, brought; seats count from 0."""
    data: dict[str, Any] = {"lost": None, "luck": str(found.luck)}
    if isinstance(found, ContestReview):
        goal, steps = {"objective": "win"}, [_contest_step_data(each) for each in found.steps]
        data |= {"lost": [str(loss) for loss in found.lost], "impossible_after": list(found.thrown)}
    else:
        goal, steps = goal_data(found.goal), [_step_data(each) for each in found.steps]
        data |= {"lost": str(found.lost), "impossible_after": found.impossible_after}
        data |= {"breaks_the_goal": found.broken, "turning_points": list(found.turning)}
    return {
        **head("review", position),
        "goal": goal,
        "steps": steps,
        **data,
        "unknown": found.unknown,
        "interrupted": found.interrupted,
        "position_code": position.code,
    }


def _step_data(each: Judged) -> dict[str, Any]:
    sample = None if each.guess is None or each.guess.goal is None else goal_data(each.guess.goal)
    return {
        "step": each.text,
        "by": "chance" if each.by_chance else "player",
        "before": fraction_text(each.before),
        "after": fraction_text(each.after),
        "luck" if each.by_chance else "loss": fraction_text(each.change),
        **({"draws": each.draws} if each.draws != 1 else {}),
        **({} if each.guess is None else {"sample": {**plain(each.guess), "goal": sample}}),
        **({} if each.luck is None else {"sampled_luck": plain(each.luck)}),
        "mark": each.mark,
    }


def review_rows(position: Position, goal: Goal | None, found: Review | ContestReview, style: Style) -> list[Row]:
    """Return the record with the value before each step, its mark, and the sums; ``goal`` is that of one seat."""
    if goal is None or isinstance(found, ContestReview):
        assert isinstance(found, ContestReview)
        return _contest_review_rows(position, found, style)
    words = _Words(found.goal, unit_of(position))
    sampled = [each.guess for each in found.steps if each.guess is not None]
    rows = [Row(goal_sentence(goal, position)), *chance_rows(goal, found.goal), EMPTY]
    if found.impossible_after == 0:
        rows += [Row(f"proved: {_too_late(found)}", label="IMPOSSIBLE", look="bad"), EMPTY]
    cells = [("", "step", words.measure, "")]
    for number, each in enumerate(found.steps, start=1):
        is_quiet = bool(sampled) and each.by_chance and not each.known
        before = "" if is_quiet else words.before(each)
        cells.append((str(number), each.text, before, "" if is_quiet and not each.luck else words.judgement(each)))
    rows += table(cells, style, indent=2, headed=True)
    part = ", as far as is known exactly" if sampled else ", as far as is known" if found.unknown else ""
    lost = f"{words.counted(found.lost)} by decisions{_and_goal(found)}{part}"
    luck = f"{words.counted(found.luck)} by chance{'' if found.luck >= 0 else ', bad luck'}{part}"
    is_summed = not sampled or any(each.known for each in found.steps)
    facts = [
        ("lost", lost if is_summed else ""),
        ("luck", luck if is_summed else ""),
        ("sampled", words.sampled(sampled)),
        ("chance", words.lucks([each.luck for each in found.steps if each.luck is not None])),
        ("turned", "; ".join(_turning(number, found.steps[number - 1]) for number in found.turning)),
        ("forbidden", _broken(found)),
        ("too late", _too_late(found)),
        ("unknown", _unknown(found, sampled=bool(sampled))),
        ("left out", f"{count(found.past, 'step')} after the end of what was asked" if found.past else ""),
    ]
    return [*rows, *known_rows(position, facts)]


class _Words:
    """The values and losses of one goal in words."""

    def __init__(self, goal: Goal, unit: Unit) -> None:
        self._goal, self._unit = goal, unit

    @property
    def measure(self) -> str:
        """Return what the values before the steps are, as the head of their column."""
        if self._goal.objective is Objective.REACH:
            return "chance"
        if self._goal.objective is Objective.MAX_DISTANCE:
            return f"best {self._unit.name}" if self._unit.is_place else f"most {self._unit.name}s"
        return f"{self._name(self._goal)}s to go"

    def _name(self, goal: Goal) -> str:
        """Return what a value is counted in, in the singular."""
        if goal.objective is Objective.MAX_DISTANCE:
            return self._unit.name
        return "turn" if goal.clock is None else goal.clock.turn

    def _shown(self, value: Fraction) -> str:
        if self._goal.objective is Objective.REACH:
            return percent(value) if value >= 0 else f"-{percent(-value)}"
        return str(value) if value.denominator == 1 else f"{float(value):.2f}"

    def counted(self, value: Fraction) -> str:
        """Return what was lost or brought, with what it is counted in."""
        if self._goal.objective is Objective.REACH:
            return self._shown(value)
        return f"{self._shown(value)} {self._name(self._goal)}{'' if abs(value) == 1 else 's'}"

    def _about(self, value: Fraction, goal: Goal) -> str:
        """Return a difference of samples, which is no number to be trusted to the last digit."""
        if goal.objective is Objective.REACH:
            return f"about {percent(value)}"
        return f"about {float(value):.1f} {self._name(goal)}s"

    def before(self, each: Judged) -> str:
        """Return what could be had before a step."""
        guess, goal = each.guess, self._goal
        if guess is None:
            if each.before is not None:
                return self._shown(each.before)
            lost = "no move left" if goal.objective is Objective.MAX_DISTANCE else "out of reach"
            return "" if each.draws != 1 else lost if each.known else "not known"
        goal = guess.goal or goal
        if goal.objective is Objective.REACH:
            return _sampled_chance(guess)
        shown = f"{float(guess.value):.1f}"
        return self._unit.amount(shown) if goal.objective is Objective.MAX_DISTANCE else shown

    def judgement(self, each: Judged) -> str:
        """Return the mark of a step, with what it lost or brought."""
        luck = each.luck
        if each.guess is not None:
            return _marked(each, self._guessed(each.guess))
        if luck is not None:
            over = f" in {luck.draws} draws" if luck.draws > 1 else ""
            return f"luck about {float(luck.luck):+.1f} {self._unit.name}s{over}" if luck.is_settled else ""
        if each.change is None:
            return each.mark or ("" if each.known else "not known")
        if each.by_chance:
            over = f" in {each.draws} draws" if each.draws > 1 else ""
            return f"luck {self._shown(each.change)}{over}" if each.change else ""
        return _marked(each, f"loses {self._shown(each.change)}" if each.change else "")

    def _guessed(self, guess: Guess) -> str:
        if not guess.loss:
            return "best of a sample"
        goal = guess.goal or self._goal
        is_distance = goal.objective is Objective.MAX_DISTANCE
        over = f" in {turns_text(goal.within_turns or 0, goal)}" if is_distance else ""
        sure = {"decided": "", "close": ", as good as the best", "undecided": ", not settled"}[guess.verdict]
        return f"loses {self._about(guess.loss, goal)}{over} against '{guess.best}'{sure}"

    def sampled(self, guesses: Sequence[Guess]) -> str:
        """Return what was compared by samples, and what the losses add up to that they settle."""
        if not guesses:
            return ""
        settled: dict[Goal, Fraction] = {}
        for guess in guesses:
            if guess.loss and guess.verdict == "decided" and guess.goal is not None:
                of = replace(guess.goal, within_turns=None)
                settled[of] = settled.get(of, Fraction(0)) + guess.loss
        lost = " and ".join(self._about(loss, of) for of, loss in settled.items())
        against = "against the best move that a sample finds, with what the player knew"
        return f"{count(len(guesses), 'decision')} {against}; settled losses: {lost or 'none'}"

    def lucks(self, lucks: Sequence[Luck]) -> str:
        """Return what chance brought together, as far as samples say."""
        if not lucks:
            return ""
        total, off = total_luck(lucks)
        low, high = float(total) - off, float(total) + off
        sure = "good luck" if low > 0 else "bad luck" if high < 0 else "good or bad luck is not settled"
        turns = count(max(each.turns for each in lucks), "turn")
        return (
            f"about {float(total):+.1f} {self._unit.name}s in all, 95 % in {low:+.1f} to {high:+.1f}: {sure}; that is "
            f"how much further plain play gets in {turns} after what came up than before it"
        )


def _sampled_chance(guess: Guess) -> str:
    """Return the chance that a sample shows, never as if it were sure."""
    if guess.interval is None:
        return percent(guess.value)
    low, high = guess.interval
    if high - low >= VAGUE:
        return TOO_FEW
    if guess.value in (0, 1):
        return f"over {floor(low * 100)} %" if guess.value else f"under {ceil(high * 100)} %"
    return percent(guess.value)


def _marked(each: Judged, *parts: str) -> str:
    return ", ".join(part for part in (each.mark, *parts) if part)


def _unknown(found: Review, *, sampled: bool) -> str:
    if not found.unknown:
        return ""
    chance = sum(each.by_chance and not each.known for each in found.steps)
    if sampled and chance == found.unknown:
        return f"what chance gave or took in {count(chance, 'step')}"
    return f"{count(found.unknown, 'step')}; --time allows more"


def _and_goal(found: Review) -> str:
    """Return that a decision lost more than can be counted, where one did."""
    step = found.steps[found.impossible_after - 1] if found.impossible_after else None
    return ", besides the goal itself" if step and step.change is None and not step.by_chance else ""


def _too_late(found: Review) -> str:
    """Return when the goal could not be met any more; a distance can be had as long as there is a move."""
    number = found.impossible_after
    if number is None:
        return ""
    when = f"after step {number}" if number else "from the start"
    if found.goal.objective is Objective.MAX_DISTANCE:
        return f"{when} every way to play came to a turn with no move that the goal allows"
    return f"the goal was out of reach {when}"


def _broken(found: Review) -> str:
    number = found.broken
    if number is None:
        return ""
    return f"{number} {found.steps[number - 1].text}: the goal does not allow it, so nothing after it counts"


def _turning(number: int, step: Judged) -> str:
    return f"{number} {step.text} ({'luck' if step.by_chance else step.mark or 'decision'})"


# Several seats


def _contest_step_data(each: Judged) -> dict[str, Any]:
    change = each.change if each.guess is None else each.guess.loss
    method = "sampled" if each.guess else "none" if change is None else "exact" if each.ahead is None else "depth"
    return {
        "step": each.text,
        "by": "chance" if each.by_chance else "player",
        "seat": each.seat,
        "before": fraction_text(each.before),
        "luck" if each.by_chance else "loss": fraction_text(change),
        "method": method,
        **({} if each.guess is None else {"verdict": each.guess.verdict}),
        "turns_ahead": each.ahead,
        "mark": each.mark,
    }


def _contest_review_rows(position: Position, found: ContestReview, style: Style) -> list[Row]:
    """Return the record with what each step gave away, and the sums by player."""
    sampled = any(each.guess for each in found.steps)
    against = "the best move that a sample finds, with what the player knew" if sampled else EVERYBODY
    cells = [("", "", "step", "could have", "")]
    for number, each in enumerate(found.steps, start=1):
        who = "chance" if each.by_chance else f"player {each.seat}"
        before = "" if each.before is None or each.by_chance else payoff_words(position).value(each.before)
        cells.append((str(number), who, each.text, before, _given_away(position, each)))
    rows = [Row(f"Every decision against {against}.", look="title"), EMPTY]
    rows += table(cells, style, indent=2, headed=True)
    facts = [(f"player {seat}", _account(position, found, seat)) for seat in range(len(found.lost))]
    luck = f"chance gave {_favoured(position, found.luck)}" if found.luck else ""
    unknown = f"{count(found.unknown, 'step')} without an exact value" if found.unknown else ""
    return [*rows, *known_rows(position, [*facts, ("luck", luck), ("unknown", unknown)])]


def _given_away(position: Position, each: Judged) -> str:
    guess = each.guess
    if guess is not None:
        if not guess.loss:
            return each.mark
        sure = {"decided": "", "close": "as good as the best", "undecided": "not settled"}[guess.verdict]
        return _marked(each, f"gives away about {payoff_words(position).loss(guess.loss)}", sure)
    if each.change is None:
        return each.mark or "not known"
    if each.by_chance:
        return f"gives {_favoured(position, each.change)}" if each.change else ""
    if not each.change:
        return each.mark
    far = f"looking {count(each.ahead, 'turn')} ahead" if each.ahead is not None else ""
    return _marked(each, f"gives away {payoff_words(position).loss(each.change)}", far)


def _account(position: Position, found: ContestReview, seat: int) -> str:
    loss, late = found.lost[seat], found.thrown[seat]
    text = (
        f"gave away {payoff_words(position).loss(loss)} by decisions"
        if loss
        else "gave nothing away that is known exactly"
    )
    return text if late is None else f"{text}; after step {late} nothing of the win was left to be had"


def _favoured(position: Position, luck: Fraction) -> str:
    """Return the seat, of two, that chance helped and how much; luck counts for the first one."""
    return f"player {0 if luck > 0 else 1} {payoff_words(position).loss(abs(luck))}"
