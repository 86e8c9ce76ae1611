"""The command that tells how likely cards are to come up next."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rules.core.position import load_position, new_position
from rules.core.race import Lot
from rules.core.scripts import SplitMix64
from rules.core.turns import State
from solver.render import Style, draw
from solver.screens.cards import draw_rows
from solver.tools.risk import chance_among, draw_chances
from tests.bare import bare_position
from tests.cli.tables import HIDDEN, REACH

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

DECK = ("dinner", "band_aid", "lunch", "move", "move", "rest")


def test_the_chance_is_the_share_of_the_orders() -> None:
    lots = [Lot(("lead_dog",), 1), Lot(DECK, 4), Lot(("mush", "push"), 2)]
    orders = [
        ("lead_dog", *order[:4], *last) for order in permutations(DECK) for last in permutations(("mush", "push"))
    ]
    for number in range(1, 8):
        for cards in ({"move"}, {"move", "rest"}, {"lead_dog"}, {"push", "dinner"}, {"husky"}):
            share = Fraction(sum(not cards.isdisjoint(order[:number]) for order in orders), len(orders))
            assert chance_among(lots, cards, number) == share


def test_draw_of_a_hidden_deck_with_a_known_top_card(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(HIDDEN.replace("hand =", "known = 1\nhand ="))
    top = load_position(str(path)).state["players"][0]["deck"][0]
    assert bestline("draw", str(path), top, "--json").json["chance"] == "1"
    run = bestline("draw", str(path), "--next", "2")
    assert (run.code, "Chance to be among the next 2 cards of the deck" in run.out) == (0, True)
    assert "one of them" not in run.out
    assert "Chance to be the next card of the deck" in bestline("draw", str(path)).out


def test_unknown_cards_of_a_rival_count_as_unseen() -> None:
    position = new_position("abyss/2021", players=2, seed=3, open_sources=())
    report = draw_chances(position, (), 2, seat=0)
    game, table = position.game, position.table()
    generator, deals = SplitMix64(1), 4000
    card, chance = report.each[0]
    came = 0
    for _ in range(deals):
        pile = game.sample_world(State(table), 0, generator).table.action_pile.front  # type: ignore[attr-defined]  # hides cards
        came += card in generator.shuffle(pile)[:2]
    assert abs(Fraction(came, deals) - chance) < Fraction(3, 100)
    assert report.size == len(table.action_pile.front) + len(table.action_pile.back) + len(table.action_used)


def test_the_next_card_of_a_soldier_is_what_chance_may_bring() -> None:
    position = new_position("trench_rescue/2012", seed=3, open_sources=())
    game, start = position.start()
    cycle = next(move for move in game.legal_moves(start) if move.text.startswith("cycle"))
    outcomes = game.chance_outcomes(game.apply(start, cycle).state)
    chances = {outcome.text.split()[-1]: outcome.probability for outcome in outcomes}
    report = draw_chances(position, ())
    assert dict(report.each) == chances  # the soldier itself among them
    titles = [row.text for row in draw_rows(position, draw_chances(position, (), 15)) if row.look == "title"]
    assert titles == ["Chance to be the next card of the deck"], "no more can be told"
    (itself, chance), *others = report.each
    told = draw(draw_rows(position, report._replace(each=tuple(others))), Style())
    assert re.search(rf"the card put in\D* [\d.]+ % +{chance}", told), "the chances that are told add up to 1"
    assert itself == cycle.text.split()[1]


def test_a_fault_of_a_draw_is_one_line(bestline: Runner, hidden: str) -> None:
    run = bestline("draw", hidden, "mov")
    assert (run.code, run.err) == (2, "error: there is no card 'mov'; did you mean 'move'?\n")
    assert "there is no player 3" in bestline("draw", hidden, "--seat", "3").err


def test_a_card_of_the_other_deck_is_named_with_who_draws_it(bestline: Runner) -> None:
    trench = 'trench.black = ["AS", "9S"]\ntrench.red = ["QH"]\n'
    code = bare_position(f'game = "trench_rescue"\nruleset = "2012"\n[state]\n{trench}').code
    assert bestline("draw", code, "2H").err == "error: '2H' comes up for red alone: --seat 1 asks for that\n"
    assert bestline("draw", code, "2H", "--seat", "1").code == 0


def test_what_if_cards_come_up_next(bestline: Runner, hidden: str, tmp_path: Path) -> None:
    asked = ("best", hidden, *REACH, "--draw", "rest", "--draw", "a_hat", "--json")
    drawn = load_position(bestline(*asked).json["position_code"])
    player = drawn.state["players"][0]
    assert (player["deck"][:2], player["known"]) == (["rest", "a_hat"], 2)
    plain = bestline("best", hidden, *REACH, "--json").json
    ways = {card: bestline("best", hidden, *REACH, "--draw", card, "--json").json for card in ("rest", "lunch")}
    assert plain["position_code"] not in {each["position_code"] for each in ways.values()}
    path = tmp_path / "known.toml"
    path.write_text(HIDDEN.replace('deck = ["rest"', 'known = 1\ndeck = ["rest"'))
    assert bestline("best", str(path), *REACH, "--json").json["value"] == ways["rest"]["value"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["husky"], "'husky' is not among the next 1 cards of the deck"),
        (["rest", "rest"], "rest, rest cannot be put on top here: --draw needs a hidden deck of one's own"),
        (["res"], "there is no card 'res'; did you mean 'rest'?"),
    ],
)
def test_what_cannot_come_up_is_refused(bestline: Runner, hidden: str, words: list[str], error: str) -> None:
    run = bestline("best", hidden, *REACH, *(word for card in words for word in ("--draw", card)))
    assert (run.code, run.err) == (2, f"error: {error}\n")
