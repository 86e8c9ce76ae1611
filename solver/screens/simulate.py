"""The words and JSON of simulated races."""

from __future__ import annotations

from typing import Any

from solver.render import EMPTY, Row, Style, table
from solver.screens.common import exact, facts_rows, goal_sentence, percent
from solver.screens.data import goal_data, head
from solver.tools.simulate import BEST, Compared, Effort, Mean, Simulation


def simulation_answer(found: Simulation, effort: Effort, seed: int, *, timed: bool) -> dict[str, Any]:
    """Return the answer of ``simulate``: every race, the means, and the differences on the same draws."""
    first = found.players[0]
    return {
        **head("simulate", found.position),
        "goal": goal_data(found.goal),
        "seed": seed,
        "effort": {"playouts": effort.playouts} if effort.time_s is None else {"time_s": effort.time_s},
        "asked": found.asked,
        "games": len(found.games),
        "most_turns": found.most_turns,
        "players": [_player(found, player, timed=timed) for player in found.players],
        "differences": [
            {"players": [first, other], **_compared(found.compared(first, other))} for other in found.players[1:]
        ]
        if found.games
        else [],
        "interrupted": found.interrupted,
        "position_code": found.position.code,
    }


def _player(found: Simulation, player: str, *, timed: bool) -> dict[str, Any]:
    races = found.races(player)
    median = found.median(player) if races else None
    return {
        "player": player,
        "finished": sum(race.finished for race in races),
        "turns": [race.turns if race.finished else None for race in races],
        **({**_mean(found.turns(player)), "median": None if median is None else float(median)} if races else {}),
        "decisions": sum(race.decisions for race in races),
        **({"time_s": round(sum(race.time_s for race in races), 3)} if timed else {}),
    }


def _mean(mean: Mean) -> dict[str, Any]:
    interval = None if mean.interval is None else list(mean.interval)
    return {"mean": float(mean.mean), "interval": interval, "bound": mean.bound or None}


def _compared(compared: Compared) -> dict[str, Any]:
    told = {"mean": None, "interval": None, "bound": None}
    return {
        **(told if compared.difference is None else _mean(compared.difference)),
        "quicker": compared.quicker,
        "slower": compared.slower,
        "equal": compared.equal,
        "unknown": compared.unknown,
        "sign_test": exact("exact", compared.chance),
    }


def simulation_rows(found: Simulation, effort: Effort, seed: int, style: Style, *, timed: bool) -> list[Row]:
    """Return the answer on a screen."""
    rows = [Row(goal_sentence(found.goal, found.position)), EMPTY]
    if not found.games:
        return [*rows, Row("no game was played to its end before the limit", label="UNKNOWN", look="open")]
    rows += table([_cells(found, player, timed=timed) for player in found.players], style, indent=2)
    first = found.players[0]
    told = [
        (f"{first} and {other}", _comparison_text(found.compared(first, other), first)) for other in found.players[1:]
    ]
    rows += [EMPTY, *table(told, style, indent=2)] if told else []
    given_up = sum(not race.finished for player in found.players for race in found.races(player))
    spent = f"{effort.playouts} playouts" if effort.time_s is None else f"{effort.time_s:g} s"
    known = [
        ("games", f"{len(found.games)} of {found.asked}, each player on the same draws; seed {seed}"),
        ("known", "nothing that a player does not see"),
        *([("given up", f"races not over after {found.most_turns} turns: counted as longer")] if given_up else []),
        *([("each move", f"{spent} for {BEST}")] if BEST in found.players else []),
        ("rules", f"{found.position.ruleset.id} {found.position.fingerprint}"),
        ("code", found.position.code),
    ]
    return [*rows, EMPTY, *facts_rows(known)]


def _cells(found: Simulation, player: str, *, timed: bool) -> tuple[str, ...]:
    races = found.races(player)
    done = sum(race.finished for race in races)
    median = found.median(player)
    middle = f"more than {found.most_turns}" if median is None else f"{float(median):g}"
    clock = f"{sum(race.time_s for race in races) / len(races):.1f} s a game" if timed else ""
    return (player, f"{_about(found.turns(player))} turns", f"median {middle}", f"{done} of {len(races)} there", clock)


def _about(mean: Mean) -> str:
    shown = f"{mean.bound} {float(mean.mean):.2f}".strip()
    if mean.interval is None or mean.bound:
        return shown
    return f"{shown} (95 % in {mean.interval[0]:.2f} to {mean.interval[1]:.2f})"


def _comparison_text(found: Compared, one: str) -> str:
    """Return in words how two players fared in the same games."""
    score = f"{one} is quicker in {found.quicker}, slower in {found.slower}"
    score += f", as quick in {found.equal}" if found.equal else ""
    score += f", {found.unknown} finished by neither" if found.unknown else ""
    if found.quicker + found.slower:
        score += f" (between equals so uneven with a chance of {percent(found.chance)})"
    return "; ".join(part for part in (score, _difference(found.difference, one)) if part)


def _difference(mean: Mean | None, one: str) -> str:
    if mean is None or not mean.mean:
        return ""
    # A bound only says something where it lies on the side of the difference.
    if (mean.bound == "at most" and mean.mean > 0) or (mean.bound == "at least" and mean.mean < 0):
        return ""
    least = "at least " if mean.bound else ""
    told = f"{one} takes {least}{abs(float(mean.mean)):.2f} turns {'fewer' if mean.mean < 0 else 'more'}"
    if mean.interval is None:
        return told
    low, high = sorted((end if mean.mean > 0 else -end) for end in mean.interval)
    sure = "" if low > 0 else ": the sample does not settle who is quicker"
    if mean.bound:
        return f"{told} (95 % confidence: {low:.2f} at least){sure}" if low > 0 else told
    return f"{told} (95 % in {low:.2f} to {high:.2f}){sure}"
