"""The words and JSON of simulated races."""

from __future__ import annotations

from typing import Any

from solver.render import EMPTY, Row, Style, table
from solver.screens.common import goal_sentence, interval_text, known_rows
from solver.screens.data import goal_data, head
from solver.tools.simulate import BEST, Mean, Simulation


def simulation_answer(found: Simulation) -> dict[str, Any]:
    """Return the answer of ``simulate``: every race, the means, and the differences on the same draws."""
    request = found.request
    first, *others = request.players
    return {
        **head("simulate", found.position),
        "goal": goal_data(found.goal),
        "seed": request.seed,
        "effort": {"playouts": request.playouts} if request.move_s is None else {"time_s": request.move_s},
        "asked": request.games,
        "games": len(found.games),
        "most_turns": request.most_turns,
        "players": [_player(found, player) for player in request.players],
        "differences": [
            {
                "players": [first, other],
                **_mean(found.difference(first, other)),
                "quicker": found.quicker(first, other),
                "slower": found.quicker(other, first),
            }
            for other in (others if found.games else ())
        ],
        "interrupted": found.interrupted,
        "position_code": found.position.code,
    }


def _player(found: Simulation, player: str) -> dict[str, Any]:
    races = found.races(player)
    finished = sum(race.turns is not None for race in races)
    return {
        "player": player,
        "finished": finished,
        "turns": [race.turns for race in races],
        **(_mean(found.turns(player)) if races else {}),
        "bound": "at least" if finished < len(races) else None,
        "decisions": sum(race.decisions for race in races),
    }


def _mean(mean: Mean | None) -> dict[str, Any]:
    if mean is None:
        return {"mean": None, "interval": None}
    return {"mean": mean.mean, "interval": mean.interval and list(mean.interval)}


def simulation_rows(found: Simulation, style: Style) -> list[Row]:
    """Return the answer on a screen."""
    request = found.request
    rows = [Row(goal_sentence(found.goal, found.position)), EMPTY]
    if not found.games:
        return [*rows, Row("no game was played to its end before the limit", label="UNKNOWN", look="open")]
    cells = []
    for player in request.players:
        there = sum(race.turns is not None for race in found.races(player))
        turns = _about(found.turns(player))
        shown = turns if there == len(found.games) else f"at least {turns.partition(' (')[0]}"
        cells.append((player, f"{shown} turns", f"{there} of {len(found.games)} there"))
    first, *others = request.players
    cells += [(f"{first} and {other}", "", _comparison(found, first, other)) for other in others]
    spent = f"{request.playouts} playouts" if request.move_s is None else f"{request.move_s:g} s"
    given_up = any(race.turns is None for game in found.games for race in game)
    facts = [
        ("games", f"{len(found.games)} of {request.games}, each player on the same draws; seed {request.seed}"),
        ("given up", f"races not over after {request.most_turns} turns: counted as longer" if given_up else ""),
        ("each move", f"{spent} for {BEST}" if BEST in request.players else ""),
        ("rules", f"{found.position.ruleset.id} {found.position.fingerprint}"),
    ]
    return [*rows, *table(cells, style, indent=2), *known_rows(found.position, facts)]


def _comparison(found: Simulation, one: str, other: str) -> str:
    """Return in words how two players fared in the same games."""
    score = f"{one} is quicker in {found.quicker(one, other)}, slower in {found.quicker(other, one)}"
    mean = found.difference(one, other)
    if mean is None or not mean.mean:
        return score
    least, most = mean.interval or (-1.0, 1.0)
    sure = "" if least > 0 or most < 0 else ": the sample does not settle who is quicker"
    return f"{score}; it takes {_about(mean)} turns more{sure}"


def _about(mean: Mean) -> str:
    if mean.interval is None:
        return f"{mean.mean:.2f}"
    return f"{mean.mean:.2f} ({interval_text(*(f'{each:.2f}' for each in mean.interval))})"
