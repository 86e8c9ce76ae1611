"""Rulesets: chains of variants, every fault with its place, fingerprints."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.core.errors import ContentError
from rules.core.files import read_text
from rules.core.registry import Ruleset
from rules.core.ruleset import difference, list_rulesets, load_inline_ruleset, load_ruleset
from rules.core.tools.output import toml_text

BASE = "iditacards/2019-02"
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write one file into the test's own folder and return its path."""

    def written(text: str, name: str = "variant.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


def faults_of(path: Path) -> list[str]:
    try:
        load_ruleset(path.name, path.parent)
    except ContentError as error:
        return [str(fault).replace(f"{path.parent}/", "") for fault in error.faults]
    return []


def inline(table: dict[str, Any]) -> Ruleset:
    return load_inline_ruleset(read_text(json.dumps({"ruleset": table})).part("ruleset"))


@pytest.mark.parametrize("info", list_rulesets(), ids=lambda info: info.id)
def test_every_shipped_ruleset_is_clean(info: Any) -> None:
    assert load_ruleset(info.id).id == info.id
    ruleset = load_ruleset(info.id)
    assert ruleset.is_shipped
    assert (ruleset.title, ruleset.fingerprint) == (info.title, info.fingerprint)
    assert not info.extends or load_ruleset(info.extends).fingerprint != info.fingerprint


def test_shipped_rulesets_have_different_names_and_rules() -> None:
    infos = list_rulesets()
    assert len({info.fingerprint for info in infos}) == len({info.id for info in infos}) == len(infos)


def test_a_bare_name_an_id_and_the_path_of_a_shipped_file_are_one_ruleset() -> None:
    ruleset = load_ruleset(BASE)
    assert load_ruleset("2019-02", game="iditacards") is ruleset
    assert load_ruleset("2019-02") is ruleset
    assert load_ruleset(str(ruleset.definition.folder / "editions" / "2019-02.toml")).id == BASE


def test_a_variant_changes_only_what_it_says(write: Write) -> None:
    path = write('extends = "iditacards/2019-02"\n[cards.mush]\nenergy = 3\n[options]\npass_turn = true\n')
    variant, base = load_ruleset(path.name, path.parent), load_ruleset(BASE)
    assert variant.id == "variant.toml"
    assert variant.shipped == BASE
    assert not variant.is_shipped
    assert variant.raw["cards"]["mush"] == {**base.raw["cards"]["mush"], "energy": 3}
    assert variant.raw["options"] == {**base.raw["options"], "pass_turn": True}
    assert base.raw["cards"]["mush"]["energy"] == 2


def test_variants_extend_variants_in_other_folders(write: Write) -> None:
    write('extends = "iditacards/2019-02"\n[cards.mush]\nenergy = 3\nrisk = 2\n', "deep/first.toml")
    path = write('extends = "deep/first.toml"\n[cards.mush]\nenergy = 4\n')
    mush = load_ruleset(path.name, path.parent).raw["cards"]["mush"]
    assert (mush["energy"], mush["risk"], mush["health"]) == (4, 2, 2)


def test_lists_are_replaced_as_a_whole(write: Write) -> None:
    path = write('extends = "iditacards/2019-02"\ncards.husky.effects = [{ op = "speed", n = 2 }]\n')
    assert load_ruleset(str(path)).raw["cards"]["husky"]["effects"] == [{"op": "speed", "n": 2}]


def test_every_value_knows_its_file(write: Write) -> None:
    path = write('extends = "iditacards/2019-02"\n\n[cards.mush]\nenergy = 3\n')
    ruleset = load_ruleset(str(path))
    changed = ruleset.place(("cards", "mush", "energy"))
    assert (changed.file, changed.line, changed.key) == (str(path), 4, "cards.mush.energy")
    kept = ruleset.place(("cards", "mush", "health"))
    assert kept.file == BASE
    lines = (ruleset.definition.folder / "editions" / "2019-02.toml").read_text("utf-8").splitlines()
    assert kept.line is not None
    assert lines[kept.line - 1] == "health = 2"


CARD = (
    '[cards.new_card]\nname = "New"\ntype = "movement"\ndeck = "speed"\ncopies = 2\nenergy = 0\nhealth = 0\nrisk = 0\n'
)


def test_decks_are_counted_anew_when_cards_change(write: Write) -> None:
    path = write(f'extends = "iditacards/2019-02"\n{CARD}[cards.rest]\nremove = true\n')
    decks = load_ruleset(str(path)).raw["decks"]
    assert (decks["speed"]["cards"], decks["starter"]["cards"]) == (55, 25)


def test_a_stated_deck_size_must_be_right(write: Write) -> None:
    path = write(f'extends = "iditacards/2019-02"\n{CARD}[decks.speed]\ncards = 54\n')
    assert faults_of(path) == ["variant.toml:11: decks.speed.cards: says 54, but the copies of its cards add up to 55"]


PLANTED = """extends = "iditacards/2019-02"
foo = 1

[rules]
starting_hand = -1
dog_limits = 7

[options]
upgrade_refersh = true
finish_at = 0
auto_move = "fast"
pass_turn = 1
board_layout = "solo"

[cards.mush]
enery = 2
health = "2"
effects = [
  { op = "mvoe", n = 12 },
  { op = "move", n = 12, dubble = true },
  { op = "leg_immune" },
  { op = "speed", n = 1 },
  { op = "draw" },
  { op = "draw", n = 1, when = "eaten" },
  { op = "take", n = "destroyd", of = 1 },
  { op = "draw", n = true },
]

[cards.huskey]
remove = true

[cards.rest]
remove = true
energy = 1

[cards.move]
remove = 1

[cards.new_card]
name = "New"
type = "movment"
deck = "starters"
copies = 1

[boards.standard]
checkpoints = [6, 36, 500]
sections = [
  { leg = "town", from = 1, to = 5 },
  { leg = "hils", from = 7, to = 160 },
]

[weather.hail]
speed = 1

[order]
cards = []
legs = ["town"]

[[assert]]
min = "x"
mxa = 3
"""

EXPECTED = """\
2: foo: unknown key; known keys: 'meta', 'rules', 'options', 'weather', 'cards', 'decks', 'boards', 'legs', 'assert'
5: rules.starting_hand: must be a whole number from 0 to 99, not -1
6: rules.dog_limits: unknown key; did you mean 'dog_limit'?
9: options.upgrade_refersh: unknown key; did you mean 'upgrade_refresh'?
10: options.finish_at: must be a whole number from 1 to 10000, not 0
11: options.auto_move: "fast" is not a value of auto_move (Q2); known: 'none', 'speed', 'one_plus_speed'
12: options.pass_turn: must be true or false, not 1
13: options.board_layout: 'solo' is none of the boards of this ruleset; known: 'standard', 'solitaire_2018'
16: cards.mush.enery: unknown key; did you mean 'energy'?
17: cards.mush.health: must be a whole number from 0 to 99, not "2"
19: cards.mush.effects[0].op: unknown op 'mvoe'; did you mean 'move'?
20: cards.mush.effects[1].dubble: unknown key; did you mean 'double'?
21: cards.mush.effects[2].op: 'leg_immune' is an op of a leg, not of a card; did you mean 'immune'?
22: cards.mush.effects[3].op: 'speed' works only on a card of type dog or attachment, not on a movement card
23: cards.mush.effects[4]: the key 'n' is missing; it must be a whole number from 0 to 999
24: cards.mush.effects[5].when: "eaten" is not a condition; did you mean 'eaten_today'?
25: cards.mush.effects[6].n: must be a whole number from 0 to 999, or "destroyed", not "destroyd"; did you mean \
'destroyed'?
26: cards.mush.effects[7].n: must be a whole number from 0 to 999, not true
29: cards.huskey: there is no 'huskey' to remove; did you mean 'husky'?
32: cards.rest: 'remove' stands alone: an entry is taken out, or its other keys are changed
37: cards.move.remove: can only be true, not 1; leave it out to keep the entry
39: cards.new_card: the key 'energy' is missing; it must be a whole number from 0 to 99, or "all"
39: cards.new_card: the key 'health' is missing; it must be a whole number from 0 to 99
39: cards.new_card: the key 'risk' is missing; it must be a whole number from 0 to 99
41: cards.new_card.type: "movment" is not allowed here; did you mean 'movement'?
42: cards.new_card.deck: 'starters' is no deck of this ruleset; did you mean 'starter'?
46: boards.standard.checkpoints[2]: space 500 lies beyond the last space, 160
49: boards.standard.sections[1]: must reach from space 6 to a space at or after it; sections follow without a gap
49: boards.standard.sections[1].leg: 'hils' is no leg of this ruleset; did you mean 'hills'?
52: weather.hail: "hail" is not a face of the die; known: 'snow', 'sun', 'wind', 'cloud', 'storm', 'rain'
56: order.cards: unknown key; known keys: 'decks', 'legs'
57: order.legs: must name every entry of 'legs' once
59: assert[0]: the key 'metric' is missing; it must be a text
60: assert[0].min: must be a number, not "x"
61: assert[0].mxa: unknown key; did you mean 'max'?"""


def test_every_planted_fault_is_told_at_once_with_its_line(write: Write) -> None:
    path = write(PLANTED)
    told = faults_of(path)
    expected = [f"variant.toml:{line}" for line in EXPECTED.split("\n")]
    assert sorted(told) == sorted(expected)
    numbers = [int(line.split(":")[1]) for line in told]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[options]\nfinish_at = 90", "variant.toml: extends: the key 'extends' is missing; name the ruleset this"),
        ("extends = 5", "variant.toml:1: extends: must be a text, not 5"),
        ('extends = "iditacards/2019-2"', "variant.toml:1: extends: there is no ruleset 'iditacards/2019-2'; did you"),
        ('extends = "other.toml"', "variant.toml:1: extends: there is no file"),
        ('extends = "variant.toml"', "variant.toml:1: extends: 'variant.toml' leads back to this file"),
        ('extends = "2017"\n[cards]\nmush = 5', "variant.toml:3: cards.mush: must be a table, not 5"),
        ('cards = 5\nextends = "2017"', "variant.toml:1: cards: must be a table, not 5"),
        ('decks = 5\nextends = "2017"', "variant.toml:1: decks: must be a table, not 5"),
        (
            'extends = "2017"\n[cards.musj]\nenergy = 3',
            "variant.toml:2: cards.musj: there is no 'musj' to change; did you mean 'mush'? A new one must be complete",
        ),
        ('extends = "2017"\norder = 5', "variant.toml:2: order: must be a table, not 5"),
    ],
)
def test_a_chain_that_does_not_hold(write: Write, text: str, message: str) -> None:
    (told,) = faults_of(write(text))
    assert told.startswith(message)


def test_a_longer_circle_is_found(write: Write) -> None:
    write('extends = "variant.toml"', "other.toml")
    (told,) = faults_of(write('extends = "other.toml"'))
    assert told == "other.toml:1: extends: 'variant.toml' leads back to this file; the chain must end"


def test_faults_of_a_variant_below_are_told_under_its_own_name(write: Write) -> None:
    write('extends = "2017"\n[cards.mush]\nenery = 1', "below.toml")
    told = faults_of(write('extends = "below.toml"\n[cards.mush]\nenergy = true'))
    assert told == [
        "below.toml:3: cards.mush.enery: unknown key; did you mean 'energy'?",
        'variant.toml:3: cards.mush.energy: must be a whole number from 0 to 99, or "all", not true',
    ]


@pytest.mark.parametrize("reference", ["", " ", "2019-03", "iditacard/2017", "nothing.toml", ".", "x" * 5000, "a\0b"])
def test_a_reference_to_nothing(reference: str, tmp_path: Path) -> None:
    with pytest.raises(ContentError):
        load_ruleset(reference, tmp_path)


def test_a_forgotten_ending_is_noticed(write: Write) -> None:
    path = write('extends = "2017"')
    with pytest.raises(ContentError, match=r"did you mean the file 'variant\.toml'"):
        load_ruleset("variant", path.parent)


@pytest.mark.parametrize(
    "change",
    [
        '[meta]\ntitle = "Other"',
        '[cards.mush]\nsummary = "Other words."\nname = "Go"\nnote = "x"\nsource = "y"',
        "[decks.speed]\ncards = 53",
        "[options]\npass_turn = false\nleg_health_modified = false",
        'cards.downhill_slide.effects = [{ op = "move", n = 3, double = true, times = 1 }]',
        "cards.mush.tags = []",
        '[[assert]]\nmetric = "x"',
        "weather.snow.speed = 0",
    ],
)
def test_what_does_not_affect_play_is_not_in_the_fingerprint(write: Write, change: str) -> None:
    path = write(f'extends = "{BASE}"\n{change}\n')
    assert load_ruleset(str(path)).fingerprint == load_ruleset(BASE).fingerprint


@pytest.mark.parametrize(
    "change",
    [
        "[options]\npass_turn = true",
        "[options]\nleg_health_modified = true",
        "[rules]\nstarting_hand = 7",
        "cards.mush.copies = 1",
        "weather.snow.speed = 1",
        "boards.standard.checkpoints = [6]",
        "cards.rest.remove = true",
        'order.decks = ["starter", "attack", "speed", "upgrade", "survivor", "legendary", "damage"]',
    ],
)
def test_what_affects_play_is_in_the_fingerprint(write: Write, change: str) -> None:
    path = write(f'extends = "{BASE}"\n{change}\n')
    assert load_ruleset(str(path)).fingerprint != load_ruleset(BASE).fingerprint


DIFFERENT = f"""extends = "{BASE}"
[options]
pass_turn = true
[rules]
starting_hand = 7
[cards.mush]
energy = 3
note = "left out of the difference"
[cards.rest]
remove = true
{CARD}effects = [{{ op = "move", n = 3, times = 2 }}]
[decks.zeta]
role = "upgrade"
cards = 1
[decks.alpha]
role = "upgrade"
cards = 1
[cards.zeta_card]
name = "Z"
type = "food"
deck = "zeta"
copies = 1
energy = 0
health = 0
risk = 0
[cards.alpha_card]
name = "A"
type = "food"
deck = "alpha"
copies = 1
energy = 0
health = 0
risk = 0
"""


def test_the_difference_makes_the_same_ruleset_again(write: Write) -> None:
    ruleset = load_ruleset(str(write(DIFFERENT)))
    told = difference(ruleset)
    assert told["cards"]["rest"] == {"remove": True}
    assert told["cards"]["mush"] == {"energy": 3}
    assert told["order"] == {"decks": list(ruleset.raw["decks"])}
    again = inline(told)
    assert again.fingerprint == ruleset.fingerprint
    assert difference(again) == told
    assert list(again.raw["decks"])[-2:] == ["zeta", "alpha"]
    sorted_text = json.loads(json.dumps(told, sort_keys=True))
    assert difference(inline(sorted_text)) == told


def test_the_difference_does_not_depend_on_how_a_variant_is_written(write: Write) -> None:
    one = write('extends = "2017"\n[cards.mush]\nenergy = 3\n[options]\npass_turn = true\n')
    two = write('options = { pass_turn = true }\nextends = "one.toml"', "two.toml")
    write('extends = "iditacards/2017"\ncards.mush.energy = 3\ncards.mush.health = 2\n', "one.toml")
    assert difference(load_ruleset(str(one))) == difference(load_ruleset(str(two)))


def test_an_entry_made_anew_is_replaced_as_a_whole() -> None:
    table = {"extends": BASE, "legs": {"hills": {"replace": True, "name": "Hills", "effects": []}}}
    ruleset = inline(table)
    assert ruleset.raw["legs"]["hills"] == {"name": "Hills", "effects": []}
    assert difference(ruleset)["legs"]["hills"] == {"replace": True, "name": "Hills", "effects": []}
    assert inline(difference(ruleset)).fingerprint == ruleset.fingerprint


def test_a_difference_written_as_toml_reads_back(write: Write) -> None:
    ruleset = load_ruleset(str(write(DIFFERENT)))
    again = load_ruleset(str(write(toml_text(difference(ruleset)), "again.toml")))
    assert again.fingerprint == ruleset.fingerprint
