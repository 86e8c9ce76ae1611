"""The words and JSON of answers about games of several players with hidden cards."""

from __future__ import annotations

from typing import Any, Final

from rules.core.position import Position
from rules.core.steps import Step
from solver.answer import head, statistics_data
from solver.hidden_contest import PLAYOUTS, HiddenContestReport
from solver.hidden_report import Option
from solver.render import EMPTY, Row, Style, table
from solver.screens.common import count, decimal, facts_rows, fraction_text
from solver.screens.duel import PLAYING, SHARE, loss_text, stake_of, value_text
from solver.screens.hidden import NOT_TRIED, SAMPLED, compared_text, versus_option
from solver.screens.hidden_words import decided_text
from solver.screens.plan import footer_rows, information_text
from solver.search.contests.modelled import Model

OTHERS: Final = {
    **PLAYING,
    Model.BEST: "the others search for what is best for themselves",
    Model.GREEDY: "the others try some moves, end the turn anyhow after each, and take what looks best then",
}
"""How the others play in playouts."""
BY_RULE: Final = "all play on by one rule of thumb"
BATCHES: Final = "many games played on after each move; moves compared on the same fresh draws"
SAME_EYES: Final = "; the others are taken to know what this player knows"
"""Where a game does not keep apart what each seat knows."""


def hidden_contest_answer(
    position: Position, report: HiddenContestReport, top: int, versus: Step | None, *, timed: bool
) -> dict[str, Any]:
    """Return the answer of ``best``: values are means of playouts as fractions beside a decimal and an interval."""
    moves = [_option(each) for each in report.options]
    best = moves[0]
    told = {
        **head("best", position),
        "goal": {
            "objective": "win",
            "within_rounds": None if report.guessed else report.rounds,
            "seat": report.seat,
        },
        "opponents": report.opponents.value,
        "opponents_know": "their own cards" if report.apart else "what this player knows",
        "payoff": stake_of(position),
        "status": report.status.value,
        "value": best["value"],
        "decimal": best["decimal"],
        "interval": best["interval"],
        "bound": None,
        "method": "sampled",
        "verdict": report.verdict,
        **({"decided_kind": report.kind} if report.kind else {}),
        "rounds_ahead": report.rounds,
        "guessed_beyond": report.guessed,
        **({"simplified": report.simplified} if report.simplified else {}),
        "moves": moves[:top],
        "considered": sum(each.playouts > 0 for each in report.options),
        "open": len(moves) + report.passed_over,
        "line": [best["move"]],
        "proof": {"method": "none"},
        "statistics": statistics_data(report.statistics, timed=timed),
        "interrupted": report.interrupted,
        "position_code": position.code,
    }
    other = versus_option(report.options, versus)
    return told if other is None else {**told, "versus": _option(other)}


def _option(option: Option) -> dict[str, Any]:
    return {
        "move": option.move.text,
        "value": fraction_text(option.value),
        "decimal": decimal(option.value),
        "loss": fraction_text(option.loss),
        "interval": None if option.interval is None else list(option.interval),
        "playouts": option.playouts,
    }


def hidden_contest_rows(
    title: str,
    position: Position,
    report: HiddenContestReport,
    style: Style,
    top: int,
    versus: Step | None,
    *,
    timed: bool,
) -> list[Row]:
    """Return the answer on a screen: the verdict, the moves with their intervals, how the others play."""
    rows = [Row(title, look="title")] if title else []
    span = count(report.rounds, "round")
    asked = "the game" if report.guessed else span
    eyes = SAME_EYES if report.opponents is Model.BEST and not report.apart else ""
    by_rule = report.statistics.engine == PLAYOUTS
    others = BY_RULE if by_rule else f"{OTHERS[report.opponents]}{eyes}"
    rows += [Row(f"Best move of player {report.seat}, for {asked}: {others}."), EMPTY]
    best = report.options[0]
    ahead = f"playing {span} on{', then by a guess' if report.guessed else ''}"
    if by_rule and report.guessed:
        ahead = "playing whole games"
    sure = decided_text(report.verdict, report.kind)
    told = f"about {_value(position, best)}, {_interval(position, best)}, {ahead}; {sure}"
    if best.value is None:
        rows.append(Row("stopped before any move was tried", label="UNKNOWN", look="open"))
    else:
        rows.append(Row(told, label="SAMPLED", look="open"))
    cells = [
        (str(place), each.move.text, _value(position, each), _sampled(position, each))
        for place, each in enumerate(report.options[:top], start=1)
    ]
    rows += [EMPTY, *table(cells, style, indent=2)]
    rows.append(Row(compared_text(report.options, sampled=True, passed_over=report.passed_over), indent=2))
    vs = versus_option(report.options, versus)
    if vs is not None:
        lost = f", loses about {loss_text(position, vs.loss)}" if vs.loss else ""
        shown = f"{vs.move.text}: {_value(position, vs)}, {_interval(position, vs)}{lost}"
        rows += [EMPTY, *facts_rows([("instead", shown)])]
    facts = [("method", BATCHES if by_rule else SAMPLED), ("known", information_text(position))]
    if report.simplified:
        facts.append(("simplified", report.simplified))
    return [*rows, EMPTY, *facts_rows(facts), *footer_rows(position, report.statistics, timed=timed)]


def _value(position: Position, option: Option) -> str:
    return NOT_TRIED if option.value is None else value_text(position, option.value).partition(" (")[0]


def _interval(position: Position, option: Option) -> str:
    if option.interval is None:
        return "one draw only" if option.playouts else "no draw"
    low, high = option.interval
    if stake_of(position) == SHARE:
        return f"95 % in {low * 100:.1f} to {high * 100:.1f} %"
    return f"95 % in {low:+.2f} to {high:+.2f}"


def _sampled(position: Position, option: Option) -> str:
    shown = _interval(position, option)
    return f"{shown}, {option.playouts} draws" if option.playouts > 1 else shown
