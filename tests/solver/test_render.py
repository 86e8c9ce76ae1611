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
    ]


def test_blank_rows_stand_alone_and_between_others() -> None:
    assert draw([EMPTY, Row("one"), EMPTY, EMPTY, Row("two"), EMPTY], Style()) == "one\n\ntwo\n"


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


@pytest.mark.parametrize("width", range(20, 60, 5))
def test_no_number_is_broken_from_its_unit(width: int) -> None:
    told = draw(
        [Row("about 60.7 % in 3 of 8, 16 playouts, space 50 → 52, 95 % interval 60.7 to 64.9 %")], Style(width=width)
    )
    for part in ("60.7 %", "3 of 8", "16 playouts", "50 → 52", "60.7 to 64.9 %"):
        assert part in told


def test_a_sign_colours_the_word_behind_it() -> None:
    row = Row("●lunch, ▲ here")
    assert draw([row], Style(colour=True)).startswith("\x1b[32m●lunch\x1b[0m, \x1b[36m▲\x1b[0m here")
    assert (draw([row], Style(ascii=True)), draw([row], Style(plain=True))) == ("%lunch, ^ here\n", "lunch, here\n")


def test_tables_align_their_cells() -> None:
    cells = [("puzzle", "grade", "goal"), ("sprint", "2", "20 in fewest turns")]
    assert draw(table(cells), Style()) == "puzzle  grade  goal\nsprint  2      20 in fewest turns\n"
    assert draw(table(cells), Style(plain=True)).splitlines()[1] == "sprint, 2, 20 in fewest turns"
    assert table([]) == []


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_a_last_column_without_room_stands_below(width: int) -> None:
    cells = [
        ("1", "play good_dog pay grandma_soup lunch repair_sled", "32.7 % to win", "95 % interval 31.8–33.7"),
        ("2", "new_day", "32.3 % to win", "95 % interval 31.6–32.9"),
    ]
    style = Style(width=width)
    lines = draw(table(cells, indent=2), style).splitlines()
    told = [line.strip() for line in lines]
    assert {"95 % interval 31.8–33.7", "95 % interval 31.6–32.9"} < set(told)
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == " ".join(word for row in cells for word in row)
    roomy = draw(table(cells, indent=2), Style(width=120)).splitlines()
    assert len(roomy) == len(cells)


def test_plain_names_the_cells_of_a_table_that_has_names() -> None:
    cells = [("puzzle", "grade", ""), ("sprint", "2", "new"), ("knife", "", "")]
    told = draw(table(cells, headed=True), Style(plain=True))
    assert told.splitlines() == ["puzzle: sprint, grade: 2, new", "puzzle: knife"]
    assert draw(table(cells, headed=True), Style()) == draw(table(cells), Style())


CAT = [" +--+", "1|/\\|", " +--+"]
PICTURE = Row("a cat at 1,1", label="field", indent=2, column=11, drawn=lambda room: CAT if room >= 5 else [])


def test_a_picture_is_never_wrapped() -> None:
    assert draw([PICTURE], Style(width=30)).splitlines() == [
        "  field       +--+",
        "             1|/\\|",
        "              +--+",
    ]
    assert draw([PICTURE], Style(width=12)).splitlines() == ["  field", "   +--+", "  1|/\\|", "   +--+"]


def test_a_picture_without_room_or_readers_is_told_in_words() -> None:
    assert draw([PICTURE], Style(width=4)).split() == ["field", "a", "cat", "at", "1,1"]
    assert draw([PICTURE], Style(plain=True)) == "field: a cat at 1,1\n"


def test_long_labels_and_edges_do_not_push_lines_over_the_width() -> None:
    wide = Row("each is turned up only once", label="1.3 Able-bodied and wounded", indent=2, column=24)
    assert draw([wide], Style(width=40)).splitlines() == [
        "  1.3 Able-bodied and wounded",
        "    each is turned up only once",
    ]
    edge = Row("give_up none", label="BEST", right="3 rounds (16 stages), proved best")
    assert draw([edge], Style(width=40)).splitlines() == [
        "BEST give_up none",
        "     3 rounds (16 stages), proved best",
    ]
    cells = [("ruleset", "fingerprint", "title"), ("trench_rescue/worth-the-walk", "2881f71b325c", "Worth the walk")]
    style = Style(width=30)
    assert draw(table(cells), style).splitlines()[2:] == [
        "trench_rescue/worth-the-walk",
        "  2881f71b325c",
        "  Worth the walk",
    ]
