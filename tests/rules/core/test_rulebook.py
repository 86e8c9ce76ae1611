"""What people read about a ruleset: whole, in its game's own words or, without any, by its bare data."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import BestlineError
from rules.core.position import new_position
from rules.core.ruleset import extended, load_ruleset
from rules.core.tools import rulebook
from rules.core.tools.lint import doubtful_entries, doubtful_names
from rules.core.tools.rulebook import book_of
from tests.rules.games import EDITIONS, RULESETS

BASE = "iditacards/2019-02"


@pytest.mark.parametrize("name", RULESETS)
def test_chapters_have_names_of_their_own_and_say_something(name: str) -> None:
    ruleset = load_ruleset(name)
    chapters = list(book_of(ruleset).chapters())
    ids = [chapter.id for chapter in chapters]
    assert len(set(ids)) == len(ids)
    for chapter in chapters:
        assert chapter.title
        assert chapter.text or chapter.entries
        for entry in chapter.entries:
            assert entry.text, entry.id
            assert "{" not in entry.text
            if entry.key:
                assert ruleset.stated(entry.key) is not None, entry.id


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_everything_told_is_found_again(name: str) -> None:
    ruleset = load_ruleset(name)
    for chapter in book_of(ruleset).chapters():
        assert book_of(ruleset).find_entry(chapter.id).id == chapter.id
        for entry in chapter.entries:
            assert book_of(ruleset).find_entry(entry.id).title
    for option in book_of(ruleset).options.values():
        assert book_of(ruleset).find_entry(option.name).entries[0].key == ("options", option.name)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(BestlineError, match="has no 'huskey'; did you mean 'husky'"):
        book_of(load_ruleset(BASE)).find_entry("huskey")


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_changes_no_option(name: str) -> None:
    assert book_of(load_ruleset(name)).changed_options() == {}


def test_a_variant_changes_what_it_says() -> None:
    assert book_of(load_ruleset("iditacards/short-race")).changed_options() == {"finish_at": 86}


def test_a_rule_reads_as_its_edition_has_it() -> None:
    texts = {
        name: book_of(load_ruleset(f"iditacards/{name}")).rules["R47"].text for name in ("2017", "2019-02", "breather")
    }
    assert texts["2017"] != texts["2019-02"] == texts["breather"]


def test_without_words_the_bare_data_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset(BASE)
    monkeypatch.setattr(rulebook, "data_file", lambda *_: {})
    monkeypatch.setattr(rulebook, "find_spec", lambda _: None)
    chapters = {chapter.id: chapter for chapter in book_of(ruleset).chapters()}
    assert list(chapters) == ["game", *ruleset.definition.collections, "options"]
    assert chapters["game"].text == "For 1 to 4 players."
    assert [entry.id for entry in chapters["cards"].entries] == list(ruleset.raw["cards"])
    assert book_of(ruleset).rules == {}
    assert book_of(ruleset).key_words(("cards", "mush", "energy")) == "Mush, energy"
    assert book_of(ruleset).key_words(("boards", "standard", "cold")) == "board standard, cold"
    assert book_of(ruleset).value_words(("cards", "mush", "energy"), 2) == "2"


NAMED = [
    (edition, table)
    for edition in EDITIONS
    for table in load_ruleset(edition).definition.collections
    if sum("name" in entry for entry in load_ruleset(edition).raw.get(table, {}).values()) > 1
]


@pytest.mark.parametrize(("edition", "table"), NAMED)
def test_a_name_that_two_print_is_doubted_and_has_its_id_beside_it(edition: str, table: str) -> None:
    base = load_ruleset(edition)
    first, second = [key for chapter in book_of(base).chapters() for key in _keys(chapter, table)][:2]
    printed = base.names[table][first]
    same = extended(base, {"extends": edition, table: {second: {"name": f" {printed.upper()} "}}})
    assert list(doubtful_names(base)) == []
    (doubt,) = list(doubtful_names(same))
    assert doubt.key == f"{table}.{second}.name"
    assert f"'{first}'" in doubt.message
    assert same.names[table][first] == f"{printed} ({first})"
    assert len(set(same.names[table].values())) == len(same.names[table])
    assert book_of(same).find_entry(first).entries[0].name == f"{printed} ({first})"
    other = extended(base, {"extends": edition, table: {key: {"name": "Twin"} for key in (first, second)}})
    assert {entry.name for entry in book_of(other).find_entry("twin").entries} == {
        f"Twin ({first})",
        f"Twin ({second})",
    }
    rules: Any = new_position(other).game
    assert {getattr(rules.rulings.content, table)[key].name for key in (first, second)} == {
        f"Twin ({first})",
        f"Twin ({second})",
    }


def _keys(chapter: rulebook.Chapter, table: str) -> list[str]:
    return [entry.id for entry in chapter.entries if entry.key == (table, entry.id)]


@pytest.mark.parametrize(
    ("summary", "doubt"),
    [
        ("Advance 2 plus speed.", ["says 2, but the effects have 1"]),
        ("Advance a space, as if on 2 legs.", []),
        ("Go one space.", []),
    ],
)
def test_a_text_that_says_another_number_than_the_effects_is_doubted(summary: str, doubt: list[str]) -> None:
    base = load_ruleset("iditacards/2019-02")
    told = extended(base, {"extends": base.id, "cards": {"move": {"summary": summary}}})
    assert [each.message for each in doubtful_entries(told)] == doubt
