"""Rulesets on the command line: listed, told in sentences, compared, begun, checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rules.core.ruleset import list_rulesets, load_ruleset

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

BASE = "iditacards/2019-02"
RULESETS = [info.id for info in list_rulesets()]
every_ruleset = pytest.mark.parametrize("name", RULESETS)


def test_rulesets_are_listed_with_fingerprints(bestline: Runner) -> None:
    found = list_rulesets()
    told = bestline("rules", "list", "--json").json["rulesets"]
    assert [(each["id"], each["fingerprint"]) for each in told] == [(each.id, each.fingerprint) for each in found]
    lines = bestline("rules", "list", "--plain").out.splitlines()
    assert lines[0] == f"ruleset: {found[0].id}, fingerprint: {found[0].fingerprint}, title: {found[0].title}"
    assert len(lines) == len(found)


def test_plain_says_in_words_what_signs_stand_for(bestline: Runner) -> None:
    told = bestline("rules", "diff", "2019-02", "light-mush", "--plain").out.splitlines()
    assert [line.partition(": ")[0] for line in told if ": " in line] == ["before", "after"] * 2
    told = bestline("rules", "options", "abyss/2021", "--plain").out.splitlines()
    assert "holds here free: each takes the one preferred" in told
    assert "or unique: each identity is there once" in told
    assert "*" not in "".join(told)


def test_sound_rulesets_have_no_fault(bestline: Runner) -> None:
    names = [info.id for info in list_rulesets()]
    run = bestline("rules", "check", *names)
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines() == [f"{name}: no fault" for name in names]


def test_faults_of_a_variant_as_json(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text('extends = "iditacards/2019-02"\n[options]\nauto_move = "two"\n', "utf-8")
    run = bestline("rules", "check", str(path), "--json")
    assert run.code == 1
    (fault,) = run.json["faults"]
    assert (fault["file"], fault["line"], fault["key"]) == (str(path), 3, "options.auto_move")


def flat(text: str) -> str:
    """Return a screen as one line, so that words are found wherever the line breaks."""
    return " ".join(text.split())


@every_ruleset
def test_a_ruleset_is_told_in_chapters(bestline: Runner, name: str) -> None:
    ruleset = load_ruleset(name)
    told = bestline("rules", "show", name, "--json").json
    assert (told["ruleset"], told["fingerprint"]) == (name, ruleset.fingerprint)
    assert told["rules"]["options"] == ruleset.raw["options"]
    entries = {entry["id"] for chapter in told["chapters"] for entry in chapter["entries"]}
    assert {
        key for table in ruleset.definition.collections for key in ruleset.raw[table] if table == "cards"
    } <= entries
    screen = bestline("rules", "show", name).out
    assert max(map(len, screen.splitlines())) <= 80
    for chapter in told["chapters"]:
        assert flat(chapter["title"]) in flat(screen)
        for entry in chapter["entries"]:
            assert flat(entry["text"]) in flat(screen), entry


def test_a_card_says_what_it_costs_and_does(bestline: Runner) -> None:
    shown = flat(bestline("rules", "show", BASE).out)
    assert "2 Mush Movement, energy 2, health 2, risk 1. Advance 10 plus speed." in shown
    assert "4 Move Movement, free. Advance 1 plus speed." in shown
    assert "Frozen Lake Hypothermia 1, starvation 0. No starvation is gained here." in shown
    assert "rain Speed +3; starvation +1." in shown
    assert "82 options are as the edition has them" in shown


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("mush", "Movement, energy 2, health 2, risk 1."),
        ("Frozen Lake", "No starvation is gained here."),
        ("R26", "A payment that fails"),
        ("Q19", "one_each everybody else has one more turn"),
        ("last_turns", "rule R69, One last turn for the others"),
        ("weather", "snow The supply is destroyed."),
    ],
)
def test_one_thing_of_a_ruleset(bestline: Runner, what: str, words: str) -> None:
    run = bestline("rules", "show", BASE, what)
    assert words in flat(run.out)
    assert len(run.out.splitlines()) < 25
    assert len(bestline("rules", "show", BASE, what, "--json").json["chapters"]) == 1


def test_a_card_says_where_it_stands(bestline: Runner) -> None:
    line = load_ruleset(BASE).place(("cards", "mush")).line
    assert f"stands in {BASE}:{line}" in flat(bestline("rules", "show", BASE, "mush").out)


def test_an_entry_of_a_game_without_words_of_its_own_tells_its_keys_and_effects(bestline: Runner) -> None:
    digging = flat(bestline("rules", "show", "abyss/2021", "digging").out)
    assert "id digging deck actions count 6 location abyss op treasure Treasure is found" in digging
    assert "Here: amount 1, per team_member." in digging
    assert "mod damage_delta Added to" in flat(bestline("rules", "show", "abyss/2021", "adventurer").out)
    assert "6 Digging" in bestline("rules", "show", "abyss/2021", "cards").out


def test_something_that_is_not_there_names_the_nearest(bestline: Runner) -> None:
    run = bestline("rules", "show", BASE, "mushy")
    assert (run.code, run.out) == (2, "")
    assert "did you mean 'mush'?" in run.err
    assert "board, legs, weather" in bestline("rules", "show", BASE, "qqqqq").err


@pytest.fixture
def variant(tmp_path: Path) -> str:
    path = tmp_path / "variant.toml"
    path.write_text(
        f'extends = "{BASE}"\n[options]\nlast_turns = "none"\n[cards.mush]\nenergy = 1\n'
        'effects = [{ op = "move", n = 12, double = true }, { op = "draw", n = 1, when = "eaten_today" }]\n'
        "[cards.rest]\nremove = true\n",
        "utf-8",
    )
    return str(path)


def test_a_card_whose_effects_a_variant_changes_is_told_anew(bestline: Runner, variant: str) -> None:
    shown = flat(bestline("rules", "show", variant).out)
    assert "energy 1, health 2, risk 1. Go forward 12 plus speed, twice that; if the player has played a food" in shown
    assert "Q19 last_turns Does the race go on after the first finisher? None (it ends at once)." in shown
    assert f"It changes '{BASE}'." in shown


@every_ruleset
def test_options_are_told_with_values_default_and_rule(bestline: Runner, name: str) -> None:
    ruleset = load_ruleset(name)
    told = bestline("rules", "options", name, "--json").json["options"]
    assert {each["name"]: each["default"] for each in told} == ruleset.raw["options"]
    screen = bestline("rules", "options", name).out
    assert max(map(len, screen.splitlines())) <= 80
    *listed, legend = screen.splitlines()
    assert legend == "* holds in this ruleset"
    assert sum(line.strip().startswith("* ") for line in listed) == len(told)


def test_differences_with_both_values_and_their_places(bestline: Runner, variant: str) -> None:
    answer = bestline("rules", "diff", BASE, variant, "--json").json
    assert answer["same"] is False
    found = {each["key"]: each for each in answer["differences"]}
    assert list(found) == ["options.last_turns", "cards.mush.energy", "cards.mush.effects", "cards.rest"]
    option = found["options.last_turns"]
    assert (option["a"]["value"], option["b"]["value"]) == ("one_each", "none")
    assert (option["b"]["file"], option["b"]["line"]) == (variant, 3)
    assert option["a"]["file"] == BASE
    assert (found["cards.rest"]["kind"], found["cards.rest"]["b"]) == ("removed", None)
    run = bestline("rules", "diff", BASE, variant)
    assert run.code == 0
    assert f"+ 1 [{variant}:5]" in flat(run.out)
    assert "Rest removed - Utility, free." in flat(run.out)


def test_rulesets_that_play_the_same(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "same.toml"
    path.write_text(f'extends = "{BASE}"\n[cards.mush]\nenergy = 2\nname = "Go"\n', "utf-8")
    answer = bestline("rules", "diff", BASE, str(path), "--json").json
    assert answer["same"] is True
    assert answer["differences"] == []
    assert "These play the same." in bestline("rules", "diff", BASE, str(path)).out
    assert bestline("rules", "diff", BASE, BASE, "--json").json["differences"] == []


@pytest.mark.parametrize("base", RULESETS)
def test_a_new_variant_is_sound_and_so_are_its_examples(bestline: Runner, tmp_path: Path, base: str) -> None:
    path = tmp_path / "mine.toml"
    assert bestline("rules", "new", str(path), "--extends", base).code == 0
    assert bestline("rules", "check", str(path)).out == f"{path}: no fault\n"
    assert bestline("rules", "diff", base, str(path), "--json").json["differences"] == []
    text = path.read_text("utf-8")
    used = "\n".join(line[1:] if line[:1] == "#" and line[1:2] != " " else line for line in text.splitlines())
    path.write_text(used, "utf-8")
    assert bestline("rules", "check", str(path)).out == f"{path}: no fault\n"
    assert len(bestline("rules", "diff", base, str(path), "--json").json["differences"]) >= 2


def test_a_new_variant_of_a_variant_in_another_folder(bestline: Runner, tmp_path: Path, variant: str) -> None:
    (tmp_path / "deep").mkdir()
    path = tmp_path / "deep" / "mine.toml"
    assert bestline("rules", "new", str(path), "--extends", variant).code == 0
    assert 'extends = "../variant.toml"' in path.read_text("utf-8")
    assert bestline("rules", "diff", variant, str(path), "--json").json["same"] is True


def test_a_file_that_is_there_is_not_written_over(bestline: Runner, variant: str) -> None:
    before = Path(variant).read_text("utf-8")
    run = bestline("rules", "new", variant, "--extends", BASE)
    assert run.code == 2
    assert "--force" in run.err
    assert Path(variant).read_text("utf-8") == before
    assert bestline("rules", "new", variant, "--extends", BASE, "--force").code == 0
    assert Path(variant).read_text("utf-8") != before


@pytest.mark.parametrize(
    "words",
    [
        ["show", "no_such"],
        ["diff", BASE, "no_such.toml"],
        ["options", "no_such.toml"],
        ["new", "x.toml", "--extends", "no_such"],
        ["new", "no/such/folder.toml", "--extends", BASE],
    ],
)
def test_what_cannot_be_read_is_bad_input(bestline: Runner, words: list[str]) -> None:
    run = bestline("rules", *words)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: ")


BROKEN = """extends = "iditacards/2019-02"
[options]
auto_moev = "none"
last_turns = "nobody"
[rules]
starting_hnad = 7
[cards.mush]
enery = 1
deck = "starterr"
effects = [{ op = "mvoe", n = 1 }]
[cards.moosh]
remove = true
[decks.speed]
role = "upgrades"
[boards.standard]
sections = [{ leg = "hils", from = 1, to = 160 }]
[legs.hills]
starvation = "2"
"""


def test_every_fault_of_a_broken_variant_at_once(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(BROKEN, "utf-8")
    run = bestline("rules", "check", str(path))
    assert run.code == 1
    assert run.out.replace(f"{path}:", "").splitlines() == [
        "3: options.auto_moev: unknown key; did you mean 'auto_move'?",
        "4: options.last_turns: \"nobody\" is not a value of last_turns (Q19); known: 'none', 'one_each'",
        "6: rules.starting_hnad: unknown key; did you mean 'starting_hand'?",
        "8: cards.mush.enery: unknown key; did you mean 'energy'?",
        "9: cards.mush.deck: 'starterr' is no deck of this ruleset; did you mean 'starter'?",
        "10: cards.mush.effects[0].op: unknown op 'mvoe'; did you mean 'move'?",
        "11: cards.moosh: there is no 'moosh' to remove; did you mean 'moose'?",
        "14: decks.speed.role: \"upgrades\" is not allowed here; did you mean 'upgrade'?",
        "16: boards.standard.sections[0].leg: 'hils' is no leg of this ruleset; did you mean 'hills'?",
        '18: legs.hills.starvation: must be a whole number from 0 to 99, not "2"',
    ]


def test_a_chain_of_variants(bestline: Runner, tmp_path: Path, variant: str) -> None:
    path = tmp_path / "third.toml"
    path.write_text('extends = "variant.toml"\n[cards.mush]\nhealth = 0\n', "utf-8")
    assert bestline("rules", "check", str(path)).code == 0
    found = bestline("rules", "diff", variant, str(path), "--json").json["differences"]
    assert [(each["key"], each["a"]["file"], each["b"]["file"]) for each in found] == [
        ("cards.mush.health", BASE, str(path))
    ]
    found = bestline("rules", "diff", BASE, str(path), "--json").json["differences"]
    assert {each["b"]["file"] for each in found if each["b"]} == {variant, str(path)}
    assert f"It changes '{variant}' and then '{BASE}'." in flat(bestline("rules", "show", str(path)).out)


def test_a_chain_that_bites_its_tail(bestline: Runner, tmp_path: Path) -> None:
    for own, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{own}.toml").write_text(f'extends = "{other}.toml"\n', "utf-8")
    run = bestline("rules", "check", str(tmp_path / "a.toml"))
    assert run.code == 1
    assert "b.toml:1: extends: 'a.toml' leads back to this file; the chain must end" in run.out


@pytest.mark.parametrize("kind", ["ruleset", "position", "puzzle"])
def test_the_schema_of_a_kind_of_file(bestline: Runner, kind: str) -> None:
    told = bestline("rules", "schema", kind, "--game", "iditacards", "--json").json
    assert told["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert told["title"] == f"Iditacards: {kind}"
    assert json.loads(bestline("rules", "schema", kind, "--game", "iditacards").out) == told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rulset"], "there is no kind of file 'rulset'; did you mean 'ruleset'?"),
        (["position", "--game", "idita"], "there is no game 'idita'"),
    ],
)
def test_a_schema_of_nothing(bestline: Runner, words: list[str], message: str) -> None:
    run = bestline("rules", "schema", *words)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_targets_that_cannot_be_judged_are_noted(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "targets.toml"
    targets = (("puzle:knife", 3, None), ("mean_turns", 9, 5), ("card_use:mush", 1, 99), ("fun", 1, None))
    tables = [
        f'[[assert]]\nmetric = "{metric}"\nmin = {least}\n' + ("" if most is None else f"max = {most}\n")
        for metric, least, most in targets
    ]
    path.write_text('extends = "iditacards/2019-02"\n' + "".join(tables), "utf-8")
    run = bestline("rules", "check", str(path))
    assert (run.code, run.out) == (0, f"{path}: no fault\n")
    assert len(run.err.splitlines()) == 3
    assert "nothing measures 'puzle:knife'; did you mean 'puzzle:'?" in run.err
    assert "min is above max, so nothing can pass" in run.err
    assert "nothing measures 'fun'; there are shortest_win, " in run.err


def test_targets_that_no_audit_can_judge_are_doubted(bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "targets.toml"
    file.write_text(
        'extends = "iditacards/2019-02"\n[[assert]]\nmetric = "shortest_wn"\nmin = 5\n'
        '[[assert]]\nmetric = "puzzle:knif"\nmax = 3\n[[assert]]\nmetric = "mean_turns"\nmin = 5\nmax = 3\n'
        '[[assert]]\nmetric = "card_use:mvoe"\n',
        "utf-8",
    )
    run = bestline("rules", "check", str(file), "--json")
    assert (run.code, run.json["ok"], run.json["faults"]) == (0, True, [])
    assert [(each["line"], each["message"]) for each in run.json["doubts"]] == [
        (2, "nothing measures 'shortest_wn'; did you mean 'shortest_win'?"),
        (5, "there is no puzzle 'knif' in the library; did you mean 'knife'?"),
        (8, "min is above max, so nothing can pass"),
        (12, "this ruleset has no 'mvoe'; did you mean 'move'?"),
        (12, "sets neither min nor max, so nothing can fail"),
    ]


def test_options_that_no_game_can_begin_with_are_a_fault(bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('extends = "trench_rescue/2012"\noptions.shell_count_of = "own"\n', "utf-8")
    run = bestline("rules", "check", str(file))
    assert (run.code, "own.toml: options: option `shell_count_of = own` without" in run.out) == (1, True)


def test_names_that_two_cards_print_are_doubted_and_told_with_ids(bestline: Runner, tmp_path: Path) -> None:
    file = tmp_path / "names.toml"
    file.write_text(
        'extends = "iditacards/2019-02"\n[cards.lunch]\nname = "Square Meal"\n[cards.dinner]\nname = "Square Meal"\n'
    )
    assert (
        "names.toml:5: cards.dinner.name: prints the same name as 'lunch'" in bestline("rules", "check", str(file)).err
    )
    told = bestline("rules", "show", str(file), "square meal").out
    assert "Square Meal (lunch)" in told
    assert "Square Meal (dinner)" in told


def test_several_checks_are_one_answer(bestline: Runner, tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.toml", tmp_path / "checked"
    bad.write_text('extends = "iditacards/2019-02"\nfoo = 1\n', "utf-8")
    words = ("rules", "check", "2017", str(bad), "2019-08")
    run = bestline(*words, "--json")
    assert (run.code, run.json["ok"]) == (1, False)
    assert [each["ok"] for each in run.json["checked"]] == [True, False, True]
    assert bestline(*words, "-q", "-o", str(out)).code == 1
    assert out.read_text("utf-8") == bestline(*words).out
    assert [line.partition(": ")[2][:8] for line in out.read_text("utf-8").splitlines()] == [
        "no fault",
        "foo: unk",
        "no fault",
    ]


def test_an_unchanged_sheet_changes_nothing(bestline: Runner, tmp_path: Path) -> None:
    for name in (BASE, "iditacards/2017", "abyss/2021"):
        sheet = tmp_path / "cards.csv"
        bestline("rules", "cards", name, "-o", str(sheet))
        assert bestline("rules", "import", str(sheet), "--extends", name).out == f'extends = "{name}"\n'


def test_a_changed_sheet_becomes_a_variant_of_what_differs(bestline: Runner, tmp_path: Path) -> None:
    sheet, variant = tmp_path / "cards.csv", tmp_path / "house.toml"
    text = bestline("rules", "cards", BASE).out
    changed = text.replace(
        "move,Move,movement,[],starter,starter,4,0,0,", "move,Move,movement,[],starter,starter,4,0,7,"
    )
    sheet.write_text(changed.replace(",", ";") if '"' not in changed else changed, "utf-8")
    bestline("rules", "import", str(sheet), "--extends", BASE, "-o", str(variant))
    assert load_ruleset(str(variant)).raw["cards"]["move"]["health"] == 7
    found = bestline("rules", "diff", BASE, str(variant), "--json").json["differences"]
    assert [each["key"] for each in found] == ["cards.move.health"]


def test_a_row_that_is_gone_is_told_and_a_wrong_column_once(bestline: Runner, tmp_path: Path) -> None:
    sheet = tmp_path / "cards.csv"
    lines = bestline("rules", "cards", BASE).out.splitlines(keepends=True)
    sheet.write_text("".join(line for line in lines if not line.startswith("mush,")), "utf-8")
    run = bestline("rules", "import", str(sheet), "--extends", BASE)
    assert run.out.startswith("# Not in the sheet, and as before: mush.")
    sheet.write_text("".join([lines[0].replace("energy", "enrgy"), *lines[1:20]]), "utf-8")
    assert bestline("rules", "import", str(sheet), "--extends", BASE).err.count("did you mean 'energy'?") == 1


def test_an_imported_sheet_is_not_written_over_a_variant(bestline: Runner, tmp_path: Path, variant: str) -> None:
    sheet, before = tmp_path / "cards.csv", Path(variant).read_text("utf-8")
    bestline("rules", "cards", BASE, "-o", str(sheet))
    words = ("rules", "import", str(sheet), "--extends", BASE, "-o", variant)
    run = bestline(*words)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert "--force" in run.err
    assert Path(variant).read_text("utf-8") == before
    assert bestline(*words, "--force").code == 0
    assert Path(variant).read_text("utf-8") != before


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("name,health\nMove,3\n", "sheet.csv:1: must begin with a row of names, the first of them 'id'"),
        (
            "id,energy\nmush,x\n",
            'sheet.csv:2: cards.mush.energy: must be a whole number from 0 to 99, or "all", not "x"',
        ),
        ("id,enrgy\nmush,1\n", "sheet.csv:2: cards.mush.enrgy: unknown key; did you mean 'energy'?"),
        ("id,effects\n\nmush,[1\n", "sheet.csv:3: cards.mush.effects: is no JSON"),
        ("id,energy\nmush,1,2\n", "sheet.csv:2: the row has 3 cells, and there are 2 columns"),
        ("id,energy\nmush,1\nmush,2\n", "sheet.csv:3: cards: 'mush' stands twice"),
        ("id,energy,energy\nmush,1,2\n", "sheet.csv:1: the column 'energy' stands twice"),
        ('id,effects\nmush,"[{""n"": 1, ""n"": 2}]"\n', "sheet.csv:2: cards.mush.effects: is no JSON: the key 'n'"),
        ('id,summary\nmush,"open\nmove,2\n', "sheet.csv:3: malformed sheet: unexpected end of data"),
        (f"id,effects\nmush,{'[' * 100_000}\n", "sheet.csv:2: cards.mush.effects: is no JSON"),
    ],
)
def test_faults_of_a_sheet_name_the_row_or_the_card(
    bestline: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sheet: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sheet.csv").write_text(sheet, "utf-8")
    failed = bestline("rules", "import", "sheet.csv", "--extends", BASE)
    assert failed.code == 2
    assert message in failed.err


def test_a_sheet_of_another_table_says_which(bestline: Runner, tmp_path: Path) -> None:
    sheet = tmp_path / "legs.csv"
    bestline("rules", "cards", BASE, "--table", "legs", "-o", str(sheet))
    run = bestline("rules", "import", str(sheet), "--extends", BASE)
    assert (run.code, run.err) == (2, f"error: {sheet}: these rows are legs; import them with --table legs\n")
