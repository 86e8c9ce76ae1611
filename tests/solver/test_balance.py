"""What each card is to whole games."""

from __future__ import annotations

from rules.core.ruleset import load_ruleset
from solver.audit.play import opening, played
from solver.render import Style, draw
from solver.search.budget import Budget, WorkClock
from solver.tools.simulate import HEADS, Balance, balance, balance_cells, balance_data, balance_rows

TRACK = "iditacards/starter-race"


def found(games: int) -> Balance:
    return balance(load_ruleset(TRACK), games, 0, Budget(None))


def test_every_figure_is_counted_in_the_games() -> None:
    use = found(1).uses["move"]
    game = played(opening(load_ruleset(TRACK), 0, 0, 2), 0)
    steps = [[step.text for step in end.steps] for end in game.ends]
    assert use.played == sum(any(text.startswith("play move") for text in turn) for turn in steps) == len(use.gains)
    assert use.paid == sum(any("move" in text.partition(" pay ")[2].split() for text in turn) for turn in steps)
    assert (use.held, use.decided, use.wins) == (2, 2, 1)
    assert use.turns >= use.played


def test_the_price_of_a_card_is_what_its_play_costs() -> None:
    known = found(1)
    assert (known.uses["mush"].price, known.uses["move"].price) == (4, 0)
    prices = {use.price for use in known.uses.values() if use.gains}
    assert {price for price, _ in known.prices} == prices - {None}


def test_a_table_has_a_row_for_each_card_that_was_held() -> None:
    known = found(2)
    cells = balance_cells(known)
    assert cells[0] == HEADS
    assert (
        {row[0] for row in cells[1:]}
        == {use.card for use in known.cards}
        == {each["card"] for each in balance_data(known)["cards"]}
    )
    assert all(0 <= float(low) <= float(won) <= float(high) <= 1 for _, _, won, low, high, *_ in cells[1:])
    assert "What a turn brings, by price" in {row.text for row in balance_rows(known)}
    shown = draw(balance_rows(known), Style())
    assert "Price: cards that its play costs." in " ".join(shown.split())
    row = next(line for line in shown.splitlines() if line.startswith(cells[1][0]))
    assert f"  {100 * float(cells[1][2]):.1f} %  " in row, "a share is told in percent"


def test_a_round_of_several_stages_is_one_turn() -> None:
    known = balance(load_ruleset("abyss/2021"), 2, 0, Budget(None))
    assert sum(known.uses["digging"].gains) > 0, "what is planned in one stage takes effect in a later one"
    assert "paid" not in draw(balance_rows(known), Style()), "nobody pays with cards"


def test_no_time_is_no_game_and_no_card() -> None:
    known = balance(load_ruleset(TRACK), 5, 0, Budget(0.0).start())
    assert (known.games, known.complete, known.cards) == (0, False, [])
    assert balance_rows(known)[-1].text == "Nobody held a card."


def test_games_are_counted_as_work() -> None:
    known = balance(load_ruleset(TRACK), 5, 0, Budget(0.01, clock=WorkClock()).start())
    assert (known.games, known.complete) == (1, False)
