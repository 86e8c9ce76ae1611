from __future__ import annotations

import pytest

from solver.render import EMPTY, Row, Style, draw, table

ROWS = [
    Row("play mush; continue", label=" 1", right="space 0 → 12", column=4, look="title"),
    Row("pays [energy 2] with lunch and a very long list of other cards that has to be wrapped", label="·", indent=4),
    EMPTY,
    Row("x" * 90, label="code", column=11),
]


def test_rows_are_laid_out_for_the_width() -> None:
    assert draw(ROWS, Style(width=60)) == (
        " 1  play mush; continue                         space 0 → 12\n"
        "    · pays [energy 2] with lunch and a very long list of\n"
        "      other cards that has to be wrapped\n"
        "\n"
        f"code       {'x' * 90}\n"
    )


def test_ascii_has_a_table_of_its_own_and_escapes_the_rest() -> None:
    assert draw([Row("0 → 12 · Älg", label="·")], Style(ascii=True)) == "- 0 -> 12 - \\xc4lg\n"


def test_plain_is_one_fact_a_line() -> None:
    assert draw(ROWS[:3], Style(plain=True)).splitlines() == [
        "1: play mush; continue (space 0 to 12)",
        "pays [energy 2] with lunch and a very long list of other cards that has to be wrapped",
        "",
    ]


def test_colour_adds_only_escapes_and_keeps_brackets() -> None:
    coloured = draw(ROWS, Style(width=60, colour=True))
    assert "\x1b[1m" in coloured
    assert "[energy 2]" in coloured
    for escape in ("\x1b[1m", "\x1b[0m"):
        coloured = coloured.replace(escape, "")
    assert coloured == draw(ROWS, Style(width=60))


@pytest.mark.parametrize("width", [40, 80, 100])
def test_no_line_that_can_be_wrapped_is_too_long(width: int) -> None:
    lines = draw(ROWS[:3], Style(width=width)).splitlines()
    assert max(map(len, lines)) <= width


def test_tables_align_their_cells() -> None:
    cells = [("puzzle", "grade", "goal"), ("sprint", "2", "20 in fewest turns")]
    assert draw(table(cells, Style()), Style()) == "puzzle  grade  goal\nsprint  2      20 in fewest turns\n"
    assert draw(table(cells, Style(plain=True)), Style(plain=True)).splitlines()[1] == "sprint, 2, 20 in fewest turns"
    assert table([], Style()) == []
