"""The sentences for events: one for every kind the rules tell, and some of them word for word."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from rules.core.scripts import Event
from rules.core.turns import State
from rules.iditacards import words
from tests.rules.games import VECTORS, play, vector_position
from tests.rules.iditacards.boards import Board, seat

SOURCES = sorted(Path(words.__file__).parent.rglob("*.py"))


def constants(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression can stand for."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def is_handed_on(target: ast.expr) -> bool:
    """Return whether a call is ``super().emit``: it hands on what somebody else tells."""
    return isinstance(target, ast.Call) and isinstance(target.func, ast.Name) and target.func.id == "super"


@cache
def told_in_the_code() -> frozenset[str]:
    """Return the kind of every event that a call of ``tell`` names."""
    calls = [
        node
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit"
        if not is_handed_on(node.func.value)
    ]
    kinds = [list(constants(call.args[1])) for call in calls]
    assert all(kinds), "an event whose kind cannot be read off the code"
    return frozenset(kind for found in kinds for kind in found)


def test_every_kind_of_event_has_a_sentence() -> None:
    assert told_in_the_code() == words.SENTENCES.keys()


@pytest.mark.parametrize("part", range(4))
def test_random_games_find_words_for_everything(part: int) -> None:
    own = sorted(name for name, line in VECTORS.items() if json.loads(line)["game"] == "iditacards")
    for place, name in enumerate(own[part::4]):
        game, start = vector_position(name).start()
        for _, _, transition in play(game, start, seed=place, turns=2):
            for event in transition.events:
                sentence = game.sentence(event)
                assert sentence == sentence.strip()
                assert sentence[0].islower()
                assert not sentence.endswith(".")
                assert "_" not in sentence, f"an id instead of a name: {sentence}"


MOVE = {"double": False, "back": False, "start": 0, "total": 1, "parts": []}
"""What the event of a move says besides, where it is an easy one."""


def said(board: Board) -> list[str]:
    return [board.game.sentence(event) for event in board.events]


def test_a_turn_in_words() -> None:
    me = seat(pos=50, dogs="wheel_dog", hand="armour breakfast husky", deck="lunch repair_sled breakfast")
    board = Board("2019-02", me, weather="storm").play("play husky pay armour breakfast")
    assert said(board) == [
        "plays Husky",
        "pays energy with Armour and Breakfast",
        "pays health with Lunch and Repair Sled from the deck",
        "leaves Husky waiting for 2 risk cards",
        "automatic move 2 (1 + speed 1: Wheel Dog +1)",
        "space 50 → 52",
    ]


def test_with_several_players_a_sentence_says_whose_it_is() -> None:
    board = Board("2017", seat(pos=9, hand="move"), seat(pos=10)).play("play move")
    assert said(board) == [
        "player 0 plays Move",
        "player 0 resolves Move",
        "player 0 moves 1 space (1 + speed 0)",
        "player 0 passes player 1 on space 10 and pushes them back",
        "player 0 takes 1 damage",
        "player 0: space 9 → 10",
        "player 0 is done with Move",
    ]


def test_a_new_day_in_words() -> None:
    me = seat(pos=30, hand="lunch", deck="move move", stack="mush:1:0")
    board = Board("2019-08", me, supply="harness", lists={"weather": ["rain", "sun"]}, counters={"weather": 1})
    assert said(board.play("new_day"))[:6] == [
        "calls a new day",
        "shuffles all 4 cards into a new deck, Mush abandoned",
        "begins day 2",
        "the weather is sun",
        "the weather destroys the supply: Harness",
        "draws Lunch, 2 Move and Mush",
    ]


@pytest.mark.parametrize("edition", ["2017", "2019-02", "2019-08"])
@pytest.mark.parametrize("negative", ["zero", "backward"])
@pytest.mark.parametrize("pos", [0, 1, 20])
@pytest.mark.parametrize(("hypothermia", "starvation"), [(0, 0), (1, 0), (0, 5), (1, 1), (5, 5)])
def test_the_spaces_that_are_told_are_those_of_the_table(
    edition: str, negative: str, pos: int, hypothermia: int, starvation: int
) -> None:
    ill = {"hypothermia": hypothermia, "starvation": starvation}
    me = seat(pos=pos, dogs="wheel_dog", hand="move breakfast lunch mush", deck="move lunch breakfast mush", **ill)
    board = Board(edition, me, weather="snow", options={"negative_distance": negative})
    moves = [move.text for move in board.game.legal_moves(State(board.table))]
    board = board.play(next(text for text in moves if text.startswith("play move")))
    told = [text for text in said(board) if re.search("moves (back )?[0-9]|automatic move|^space|stays", text)]
    assert sum("automatic" in text for text in told) == (edition != "2017")
    for text, after in pairwise(told):
        far = re.match(r"(?:moves|automatic move)( back)? (\d+)", text)
        if far is not None:
            start, end = map(int, (re.findall(r"\d+", after) * 2)[:2])
            assert (end - start) == int(far[2]) * (-1 if far[1] else 1), (text, after)
        assert not re.search(r"moves? -", text)


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (
            "fails",
            {"card": "husky", "why": "energy", "cost": 2},
            "fails to pay for Husky: its energy is 2 cards, more than the hand can give",
        ),
        (
            "fails",
            {"card": "husky", "why": "health", "cost": 1},
            "fails to pay for Husky: its health is 1 card, more than the deck has",
        ),
        (
            "fails",
            {"card": "husky", "why": "no_risk_card"},
            "fails to pay for Husky: the deck is empty and a risk card is due",
        ),
        ("fizzles", {"cards": ["mush", "husky"]}, "loses Husky and Mush without effect"),
        ("draws", {"cards": []}, "draws nothing"),
        ("draws", {"cards": ["move", "lunch", "move", "move"]}, "draws Lunch and 3 Move"),
        (
            "moves",
            MOVE | {"n": 3, "speed": 2, "distance": 10, "double": True, "parts": [("husky", 1), ("sun", 1)]},
            "moves 10 spaces (3 + speed 2: Husky +1, sun +1, twice that)",
        ),
        (
            "moves",
            MOVE | {"n": 3, "speed": 4, "distance": 7, "parts": [("husky", 1), ("sun", 1)]},
            "moves 7 spaces (3 + speed 4)",
        ),
        ("moved", {"start": 9, "end": 9}, "stays on space 9"),
        ("moved", {"start": 9, "end": 6}, "space 9 → 6"),
        ("damage", {"n": 0}, "takes no damage, as none is left"),
        ("damage", {"n": 2}, "takes 2 damage"),
        ("recovers", {"hand": ["mush"], "deck": ["move", "move"]}, "recovers Mush to the hand and 2 Move to the deck"),
        ("recovers", {"hand": [], "deck": []}, "recovers nothing"),
        (
            "sorts_out",
            {"destroyed": ["damaged"], "kept": [], "discarded": ["move"], "deck": ["lunch"]},
            "destroys Damaged, discards Move and puts Lunch back into the deck",
        ),
        ("sorts_out", {"destroyed": [], "kept": [], "discarded": [], "deck": []}, "has nothing to sort out"),
        (
            "dog_dies",
            {"dog": "husky", "zone": "destroyed", "attachments": ["a_hat"]},
            "loses Husky, out of the game; A Hat to the discard pile",
        ),
        ("dog_dies", {"dog": "cat", "zone": "hand", "attachments": []}, "loses Cat, it goes to the hand"),
        (
            "attached",
            {"card": "a_hat", "dog": "husky", "replacing": "armour"},
            "attaches A Hat to Husky in the place of Armour",
        ),
        ("cannot_move", {"by": "storm"}, "cannot move: storm"),
        ("cannot_move", {"by": "freeze"}, "cannot move: everybody is frozen to the spot"),
        ("no_effect", {"card": "upgrade_sled", "by": "snow"}, "gets nothing out of Upgrade Sled: snow"),
        ("free_cost", {"cost": "energy", "until": "next_turn"}, "pays no energy on the next turn"),
        ("legendary", {"card": "moose", "zone": "discard"}, "puts the legendary Moose into the discard pile"),
        ("over", {}, "the race is over"),
    ],
)
def test_sentence(kind: str, data: dict[str, object], sentence: str) -> None:
    content = Board("2019-02", seat()).game.content
    assert words.sentence(content, Event("R1", kind, data)) == sentence
