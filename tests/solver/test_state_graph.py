"""The state graph of small puzzles."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import networkx as nx
import pytest

from puzzles.puzzle import load_puzzle
from rules.core.race import Race
from rules.core.turns import State
from solver.tools.export import dot, graph_of, graphml, shared_position


@pytest.fixture(scope="module")
def bridge() -> tuple[Race[Any], Any, nx.MultiDiGraph[int]]:
    puzzle = load_puzzle("rope-bridge")
    game, table = puzzle.position.game, puzzle.position.table()
    assert isinstance(game, Race)
    return game, table, graph_of(shared_position(puzzle), 2)


def test_every_edge_replays_through_the_game(bridge: tuple[Race[Any], Any, nx.MultiDiGraph[int]]) -> None:
    game, table, graph = bridge
    tables = {0: table}
    for before, after, data in graph.edges(data=True):
        state = State(tables[before])
        for text in data["moves"].split("; "):
            state = game.apply(state, game.parse_step(state, text)).state
        assert not state.pending
        assert tables.setdefault(after, state.table) == state.table
        assert graph.nodes[after]["progress"] == game.progress(state.table)
    assert len(tables) == len(graph)


def test_nodes_are_all_tables_within_the_turns(bridge: tuple[Race[Any], Any, nx.MultiDiGraph[int]]) -> None:
    game, table, graph = bridge
    layer, seen = {table}, {table}
    for _ in range(2):
        layer = {
            end.table
            for start in layer
            for end in game.turn_ends(start)
            if not any(step.text == "new_day" for step in end.steps)
        }
        seen |= layer
    assert graph.graph["complete"]
    assert len(graph) == len(seen)


def test_a_graph_too_large_says_so() -> None:
    small = graph_of(shared_position(load_puzzle("rope-bridge")), 2, most=10)
    assert len(small) == 10
    assert not small.graph["complete"]


def test_exports_hold_every_node(bridge: tuple[Race[Any], Any, nx.MultiDiGraph[int]]) -> None:
    _, _, graph = bridge
    tree = ET.fromstring(graphml(graph))
    assert len(tree.findall(".//{*}node")) == len(graph)
    assert dot(graph).count("[label=") == len(graph) + graph.number_of_edges()
