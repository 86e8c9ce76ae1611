"""The words and JSON of simulated races."""

from __future__ import annotations

from typing import Any

from solver.answer import goal_data, head
from solver.render import EMPTY, Row, Style, table
from solver.screens import facts_rows, goal_sentence, unit_of
from solver.simulate import BEST, Effort, Mean, Simulation


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
            {"players": [first, other], **_mean(found.difference(first, other))} for other in found.players[1:]
        ]
        if found.games
        else [],
        "interrupted": found.interrupted,
        "position_code": found.position.code,
    }


def _player(found: Simulation, player: str, *, timed: bool) -> dict[str, Any]:
    races = [game[found.players.index(player)] for game in found.games]
    return {
        "player": player,
        "finished": sum(race.finished for race in races),
        "turns": [race.turns for race in races],
        **(_mean(found.turns(player)) if races else {}),
        "decisions": sum(race.decisions for race in races),
        **({"time_s": round(sum(race.time_s for race in races), 3)} if timed else {}),
    }


def _mean(mean: Mean) -> dict[str, Any]:
    return {"mean": float(mean.mean), "interval": None if mean.interval is None else list(mean.interval)}


def simulation_rows(found: Simulation, effort: Effort, seed: int, style: Style, *, timed: bool) -> list[Row]:
    """Return the answer on a screen."""
    rows = [Row(goal_sentence(found.goal, unit_of(found.position))), EMPTY]
    if not found.games:
        return [*rows, Row("no game was played to its end before the limit", label="UNKNOWN", look="open")]
    rows += table([_cells(found, player, timed=timed) for player in found.players], style, indent=2)
    first = found.players[0]
    told = [
        (f"{first} and {other}", _difference(found.difference(first, other), first, other))
        for other in found.players[1:]
    ]
    rows += [EMPTY, *table(told, style, indent=2)]
    spent = f"{effort.playouts} playouts" if effort.time_s is None else f"{effort.time_s:g} s"
    known = [
        ("games", f"{len(found.games)} of {found.asked}, each player on the same draws; seed {seed}"),
        ("known", "nothing that a player does not see"),
        *([("each move", f"{spent} for {BEST}")] if BEST in found.players else []),
        ("rules", f"{found.position.ruleset.id} {found.position.fingerprint}"),
    ]
    return [*rows, EMPTY, *facts_rows(known)]


def _cells(found: Simulation, player: str, *, timed: bool) -> tuple[str, ...]:
    races = [game[found.players.index(player)] for game in found.games]
    given_up = sum(not race.finished for race in races)
    late = f", {given_up} given up after {found.most_turns} and counted so" if given_up else ""
    clock = f"{sum(race.time_s for race in races) / len(races):.1f} s a game" if timed else ""
    return (player, f"{_about(found.turns(player))} turns{late}", clock)


def _about(mean: Mean) -> str:
    shown = f"{float(mean.mean):.2f}"
    if mean.interval is None:
        return shown
    return f"{shown} (95 % in {mean.interval[0]:.2f} to {mean.interval[1]:.2f})"


def _difference(mean: Mean, one: str, other: str) -> str:
    much = abs(float(mean.mean))
    if not much:
        return "as many turns"
    told = f"{one} takes {much:.2f} turns {'fewer' if mean.mean < 0 else 'more'} than {other} in the same games"
    if mean.interval is None:
        return told
    low, high = sorted((end if mean.mean > 0 else -end) for end in mean.interval)
    sure = "" if low > 0 else "; the sample does not settle who is quicker"
    return f"{told} (95 % in {low:.2f} to {high:.2f}){sure}"
