from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from tests.cli.tables import HIDDEN, REACH

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

PUZZLE = "warm-up"


@pytest.fixture
def answer(bestline: Runner, tmp_path: Path) -> Path:
    """Return a file with an answer."""
    path = tmp_path / "answer.json"
    path.write_text(bestline("solve", PUZZLE, "--json").out, "utf-8")
    return path


def test_a_plan_as_markdown_has_every_turn_and_what_it_does(bestline: Runner, answer: Path) -> None:
    told = json.loads(answer.read_text("utf-8"))
    out = bestline("export", str(answer), "--to", "md").out
    for turn in told["plan"]:
        assert f"\n     {turn['turn']}  {'; '.join(turn['moves'])}  " in out
    assert told["position_code"] in out
    assert f"\n    optimal: {told['value']} turns\n" in out
    assert "\n    proof      No line of " in out
    heading, *lines = out.splitlines()
    assert heading.startswith("# ")
    assert all(line.startswith("    ") or not line for line in lines), "a block of code, whatever stands in it"


def test_a_plan_as_a_graph_is_its_tables_in_a_row(bestline: Runner, answer: Path) -> None:
    told = json.loads(answer.read_text("utf-8"))
    turns = ["; ".join(turn["moves"]) for turn in told["plan"]]
    dot = bestline("export", str(answer), "--to", "dot").out
    assert [f'label="{text}"' in dot for text in turns] == [True] * len(turns)
    mermaid = bestline("export", str(answer), "--to", "mermaid").out.splitlines()
    assert mermaid[0] == "flowchart LR"
    assert sum("-->" in line for line in mermaid) == len(turns)
    graph = nx.read_graphml(BytesIO(bestline("export", str(answer), "--to", "graphml").out.encode()))
    assert graph.number_of_nodes() == len(turns) + 1
    assert [graph.nodes[str(turn["turn"])]["progress"] for turn in told["plan"]] == [
        turn["to"] for turn in told["plan"]
    ]


@pytest.mark.parametrize("key", ["line", "moves"])
def test_joined_steps_are_taken_one_by_one(bestline: Runner, answer: Path, tmp_path: Path, key: str) -> None:
    told = json.loads(answer.read_text("utf-8"))
    given = told if key == "line" else bestline("puzzle", "show", PUZZLE, "--json").json["position"]
    apart, joined = tmp_path / "apart.json", tmp_path / "joined.json"
    apart.write_text(json.dumps({**given, key: told["line"]}), "utf-8")
    joined.write_text(json.dumps({**given, key: [" ; ".join(told["line"])]}), "utf-8")
    assert bestline("export", str(joined)).out == bestline("export", str(apart)).out != ""


@pytest.mark.parametrize("what", [PUZZLE, "plan"])
def test_pages_and_pictures_load_nothing(bestline: Runner, answer: Path, what: str) -> None:
    source = str(answer) if what == "plan" else what
    page = bestline("export", source, "--to", "html").out
    assert page.startswith("<!DOCTYPE html>")
    assert "http" not in page
    assert "prefers-color-scheme: dark" in page
    drawing = ET.fromstring(bestline("export", source, "--to", "svg").out)
    code = bestline("position", "encode", PUZZLE).out.strip()
    assert code in page
    assert code in "".join(each.text or "" for each in drawing.iter() if each.tag.endswith("text"))
    assert drawing.tag.endswith("svg")
    assert not any("url(http" in (each.text or "") for each in drawing.iter())
    assert not any(name.endswith("href") for each in drawing.iter() for name in each.attrib)


def test_a_position_is_shared_as_it_lies(bestline: Runner) -> None:
    canonical = bestline("position", "show", PUZZLE, "--json").json
    assert bestline("export", PUZZLE, "--to", "json").json == canonical
    assert bestline("export", PUZZLE, "--json").json == canonical
    graph = bestline("export", PUZZLE, "--to", "dot", "--turns", "1").out
    assert graph.count(" -> ") >= 2


def test_a_recorded_game_is_shared_turn_by_turn(bestline: Runner, answer: Path, tmp_path: Path) -> None:
    told = json.loads(answer.read_text("utf-8"))
    record = tmp_path / "game.json"
    position = bestline("position", "show", PUZZLE, "--json").json
    record.write_text(json.dumps({**position, "moves": told["line"]}), "utf-8")
    out = bestline("export", str(record), "--to", "md").out
    assert f"\n     {len(told['plan'])}  " in out
    record.write_text(json.dumps({**position, "moves": ["play nothing"]}), "utf-8")
    refused = bestline("export", str(record))
    assert refused.code == 2
    assert "step 1, 'play nothing': " in refused.err
    two = bestline("position", "new", "iditacards/2019-02", "--players", "2", "--seed", "3", "--json").json
    record.write_text(json.dumps({**two, "moves": ["new_day"]}), "utf-8")
    assert "\n    The game as it was played.\n" in bestline("export", str(record), "--to", "md").out


def test_what_cannot_be_shared_is_refused(bestline: Runner) -> None:
    unknown = bestline("export", PUZZLE, "--to", "pdf")
    assert unknown.code == 2
    assert "'pdf' is not one of 'json', 'md', 'html', 'svg'" in unknown.err
    assert bestline("export", "nothing-there").code == 2


def test_a_plan_that_hangs_on_chance_is_told_branch_by_branch(bestline: Runner, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text(bestline("position", "new", "iditacards/2019-02", "--seed", "7", "--open", "none").out, "utf-8")
    goal = ("--goal", "reach", "--target", "4", "--within-turns", "2", "--no-new-day")
    path = tmp_path / "answer.json"
    path.write_text(bestline("best", str(table), *goal, "--json").out, "utf-8")
    told = json.loads(path.read_text("utf-8"))
    assert told["information"] == "hidden"
    for form in ("md", "html"):
        out = bestline("export", str(path), "--to", form).out
        shown = [told["line"][0], *(each["move"] or "nothing more to do" for each in told["next_turn"])]
        plan = out[out.index("First move") :]
        places = [plan.index(text) for text in (shown[0], "This turn", "Next turn", *shown[1:])]
        assert places == sorted(places)
        assert [text for text in (each["move"] for each in told["moves"]) if text not in out] == []
        assert "optimal: 100.0 %" in out


def test_an_answer_against_others_names_the_player_and_keeps_the_board(bestline: Runner, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    new = bestline("position", "new", "trench_rescue/2012", "--seed", "3", "--players", "2", "--open", "none").out
    table.write_text(new, "utf-8")
    path = tmp_path / "answer.json"
    path.write_text(bestline("best", str(table), "--time", "0.2", "--json").out, "utf-8")
    out = bestline("export", str(path), "--to", "md").out
    assert "The best move of whoever is to move." in out
    assert len(re.findall(r"^ +[1-4] │", out, re.MULTILINE)) == 4
    assert f"\n      {json.loads(path.read_text('utf-8'))['line'][0]}\n" in out


@pytest.mark.parametrize(("edition", "players"), [("trench_rescue/2012", "2"), ("iditacards/2019-02", "2")])
def test_tables_under_hidden_chance_and_of_several_players_are_drawn(
    bestline: Runner, tmp_path: Path, edition: str, players: str
) -> None:
    path = str(tmp_path / "table.toml")
    bestline("position", "new", edition, "--players", players, "--open", "none", "--seed", "1", "-q", "-o", path)
    drawn = bestline("export", path, "--to", "dot")
    assert drawn.code == 0
    assert drawn.out.startswith("digraph states {")
    assert ("not every table is drawn" in drawn.out) == ("iditacards" in edition)


@pytest.mark.parametrize("form", ["md", "html"])
def test_what_is_shared_says_what_is_known(bestline: Runner, answer: Path, tmp_path: Path, form: str) -> None:
    assert "Everything is open" in bestline("export", str(answer), "--to", form).out
    path = tmp_path / "hidden.toml"
    path.write_text(HIDDEN, "utf-8")
    said = tmp_path / "said.json"
    said.write_text(bestline("solve", str(path), *REACH, "--json").out, "utf-8")
    for what in (path, said):
        assert "Hidden: deck" in bestline("export", str(what), "--to", form).out


def test_answers_without_a_line_stand_for_their_position(bestline: Runner, tmp_path: Path) -> None:
    path, said = tmp_path / "hidden.toml", tmp_path / "said.json"
    path.write_text(HIDDEN, "utf-8")
    shared = bestline("export", str(path)).out
    for words in (["risk", str(path)], ["pay", str(path), "mush"]):
        said.write_text(bestline(*words, "--json").out, "utf-8")
        assert bestline("export", str(said)).out == shared
