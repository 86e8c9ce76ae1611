"""The words and JSON of answers about games of several players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import floor
from typing import Any, Final

from rules.core.contest import Contest
from rules.core.position import Position
from rules.core.steps import Step
from solver.answer import head, statistics_data
from solver.duel import Choice, ContestReport
from solver.render import EMPTY, Row, Style, table
from solver.report import Status
from solver.screens.common import count, decimal, facts_rows, fraction_text, percent
from solver.screens.plan import footer_rows, information_text
from solver.search.contests.modelled import Model

SHORT: Final = 16
"""Columns of a fraction that is worth showing beside its decimal."""
SHOWN: Final = 1_000
"""Parts of one that a bound of a loss is rounded down to where it is shown."""
EVERYTHING: Final = (Fraction(0), Fraction(1))
"""Bounds of a share that say nothing."""
SHARE: Final = "share of the win"
"""What payoffs are counted in where nothing else is."""
PLAYING: Final = {
    Model.BEST: "the others play their best",
    Model.RANDOM: "the others take any open move, each equally likely",
    Model.GREEDY: "the others make their own table look best at the end of each turn, looking no further",
    Model.NEVER: "the others do nothing where they may, and end their turns at once",
}
HOW: Final = {
    "expectiminimax": "every reply and every result of chance, exact fractions",
    "max^n": "every reply and every result of chance, everybody for themselves, exact fractions",
    "matrix game": "a matrix game by linear programming, both strategies checked in exact fractions",
    "models": "every result of chance against players of that kind, exact fractions",
}


def contest_answer(
    position: Position, report: ContestReport, top: int, versus: Step | None, *, timed: bool
) -> dict[str, Any]:
    """Return the answer of ``best``: values are exact fractions as text beside a decimal, of the seat that moves."""
    told = {
        **head("best", position),
        "goal": {"objective": "win", "within_rounds": report.rounds, "seat": report.seat},
        "opponents": report.opponents.value,
        "payoff": stake_of(position),
        "status": report.status.value,
        "value": fraction_text(report.value),
        "decimal": decimal(report.value),
        "bound": fraction_text(report.high),
        "bounds": [fraction_text(report.low), fraction_text(report.high)],
        "method": report.method,
        "verdict": report.verdict,
        "turns_ahead": report.turns,
        "moves": [_choice(each) for each in report.choices[:top]],
        "considered": len(report.choices),
        "open": len(report.choices),
        "line": list(report.line),
        "proof": {"method": report.method if report.status is Status.OPTIMAL else "none"},
        "statistics": statistics_data(report.statistics, timed=timed),
        "interrupted": report.interrupted,
        "position_code": position.code,
    }
    other = versus_choice(report, versus)
    return told if other is None else {**told, "versus": _choice(other)}


def versus_choice(report: ContestReport, move: Step | None) -> Choice | None:
    """Return what is known of a move that was asked about."""
    return next((each for each in report.choices if each.move == move), None)


def stake_of(position: Position) -> str:
    """Return what payoffs are counted in, in words."""
    game = position.game
    stake = game.stake if isinstance(game, Contest) else ""
    return f"{stake}s ahead" if stake else SHARE


def _choice(choice: Choice) -> dict[str, Any]:
    told = {
        "move": choice.move.text,
        "value": fraction_text(choice.value),
        "decimal": decimal(choice.value),
        "loss": fraction_text(choice.loss),
        "loss_at_least": fraction_text(choice.at_least),
    }
    return told if choice.share is None else {**told, "share": str(choice.share)}


def contest_rows(
    title: str, position: Position, report: ContestReport, style: Style, top: int, versus: Step | None, *, timed: bool
) -> list[Row]:
    """Return the answer on a screen: the verdict, the moves with what they lose, what follows, how the others play."""
    rows = [Row(title, look="title")] if title else []
    asked = "the game" if report.rounds is None else count(report.rounds, "round")
    rows += [Row(f"Best move of player {report.seat}, for {asked}: {PLAYING[report.opponents]}."), EMPTY]
    rows.append(_verdict(position, report))
    mixed = any(each.share is not None for each in report.choices) and report.method == "matrix game"
    shown = [each for place, each in enumerate(report.choices) if place < top or (mixed and each.share)]
    cells = [
        (
            str(place),
            each.move.text,
            _worth(position, each),
            _merit(position, each, mixed=mixed, settled=report.verdict != "undecided"),
        )
        for place, each in enumerate(shown, start=1)
    ]
    rows += [EMPTY, *table(cells, style, indent=2)]
    if report.value is not None:
        rows.append(Row(_compared(report), indent=2))
    vs = versus_choice(report, versus)
    if vs is not None and (vs.value is not None or vs.at_least is not None):
        lost = f", {_merit(position, vs, mixed=False, settled=True)}" if vs.loss or vs.at_least is not None else ""
        rows += [EMPTY, *facts_rows([("instead", f"{vs.move.text}: {_worth(position, vs)}{lost}")])]
    facts = [("follows", "; ".join(_told_once(report.line)))] if report.line else []
    guessed = "" if report.status is Status.OPTIMAL else ", as far as was looked; beyond that a guess"
    facts += [("method", f"{HOW[report.method]}{guessed}"), ("known", information_text(position))]
    return [*rows, EMPTY, *facts_rows(facts), *footer_rows(position, report.statistics, timed=timed)]


def _compared(report: ContestReport) -> str:
    """Return how many moves were compared, and how many of them only as far as that they are no better."""
    if len(report.choices) == 1:
        return "the only move"
    told = f"{count(len(report.choices), 'open move')} compared: all there are"
    left = sum(each.at_least is not None for each in report.choices)
    return f"{told}; {left} shown to be no better than the best, without their exact loss." if left else f"{told}."


def _worth(position: Position, choice: Choice) -> str:
    if choice.at_least is not None:
        return "not valued"
    return "not compared" if choice.value is None else value_text(position, choice.value)


def _told_once(line: Sequence[str]) -> Iterator[str]:
    """Yield the steps of a line, those done several times after one another once with their number."""
    for text, same in groupby(line):
        times = len(list(same))
        yield text if times == 1 else f"{text} ({times} times)"


def _verdict(position: Position, report: ContestReport) -> Row:
    if report.value is None:
        return Row("no move could be compared before the limit", label="UNKNOWN", look="open")
    told = value_text(position, report.value)
    if report.status is Status.OPTIMAL:
        what = (
            "everything that can follow was looked at" if report.verdict == "exact" else "no other move can be better"
        )
        return Row(f"{told}, exact: {what}", label="SOLVED", look="good")
    ahead = f"looking {count(report.turns, 'turn')} ahead, then by a guess" if report.turns else "at a glance"
    proved = ""
    if report.low is not None and report.high is not None and [report.low, report.high] != [*map(Fraction, EVERYTHING)]:
        proved = f"; proved between {_number(position, report.low)} and {_number(position, report.high)}"
    return Row(f"about {told}, {ahead}{proved}; the best move is {report.verdict}", label="FOUND", look="open")


def value_text(position: Position, value: Fraction) -> str:
    """Return what a seat gets in words: how far it is ahead, or its share of the win."""
    text = str(value)
    exactly = f" ({text})" if value.denominator > 1 and len(text) <= SHORT else ""
    return f"{_number(position, value)}{exactly}"


def _number(position: Position, value: Fraction) -> str:
    game = position.game
    stake = game.stake if isinstance(game, Contest) else ""
    if not stake:
        return f"{percent(value)} of the win"
    shown = f"{float(value):+.3f}".rstrip("0").rstrip(".") if value else "0"
    return f"{shown} {stake}{'' if abs(value) == 1 else 's'}"


def loss_text(position: Position, loss: Fraction | None) -> str:
    """Return a loss in words."""
    game = position.game
    if loss is None:
        return "an unknown amount"
    if not (isinstance(game, Contest) and game.stake):
        return percent(loss)
    return f"{float(loss):.3f}".rstrip("0").rstrip(".")


def _merit(position: Position, choice: Choice, *, mixed: bool, settled: bool) -> str:
    """Return how good a move is; what is not ``settled`` may look otherwise further ahead."""
    if choice.at_least is not None:
        shown = Fraction(floor(choice.at_least * SHOWN), SHOWN)
        return f"loses at least {loss_text(position, shown)}" if shown else "worse" if choice.at_least else "no better"
    if choice.loss is None:
        return ""
    loses = f"loses {'' if settled else 'about '}{loss_text(position, choice.loss)}"
    if mixed and choice.share != 1:
        share = choice.share or Fraction(0)
        return f"play it {percent(share)} of the time" if share else loses
    if choice.loss:
        return loses
    return "best" if settled else "best so far"
