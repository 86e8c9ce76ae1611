"""The text of a new variant: what it extends, a title, and examples that hold as soon as their sign # is taken away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.errors import ContentError
from rules.core.rulebook import OptionText, option_texts
from rules.core.ruleset import Ruleset, extended
from rules.core.toml_text import toml_text


def starter_variant(ruleset: Ruleset, extends: str, title: str) -> str:
    """Return the text of a variant file that changes nothing yet; ``extends`` is the ruleset as the file names it."""
    head = f"# A variant of {ruleset.title}: only what differs stands here."
    guide = (
        f"# 'bestline rules check FILE' finds every fault, 'bestline rules diff {extends} FILE' says what you changed."
    )
    remark = "# Lines that begin with # are examples; take the sign away where there is no space after it."
    meta = toml_text({"extends": extends, "meta": {"title": title, "summary": "What is different, in one sentence."}})
    blocks = [head + "\n" + guide + "\n" + remark, meta.strip()]
    return "\n\n".join([*blocks, *_examples(ruleset)]) + "\n"


def _examples(ruleset: Ruleset) -> Iterator[str]:
    """Yield commented examples: an option, a number, an entry changed, one taken out."""
    texts = option_texts(ruleset)
    for name, text in sorted(texts.items(), key=lambda option: not option[1].values):
        value = _other_answer(ruleset, name, text)
        if value is not None:
            asked = f"{text.ruling} {text.question} Here: {text.told(value)}.".strip()
            yield _example(
                f"An option; 'bestline rules options' lists them all.\n# {asked}", {"options": {name: value}}
            )
            break
    collections = ruleset.definition.collections
    for table, values in ruleset.raw.items():
        number = _other_number(ruleset, (table,), values) if table not in (*collections, "options", "meta") else None
        if number is not None:
            yield _example("A number.", {table: number})
            break
    for table in collections:
        entries = ruleset.raw.get(table, {})
        changed = ((name, _other_number(ruleset, (table, name), entry)) for name, entry in entries.items())
        found = next(((name, number) for name, number in changed if number), None)
        if found is not None:
            prose = f"An entry of '{table}': what is not named stays. A new id with all its keys adds one."
            yield _example(prose, {table: {found[0]: found[1]}})
            gone = (name for name in reversed(entries) if _holds(ruleset, {table: {name: {"remove": True}}}))
            last = next(gone, None)
            if last is not None:
                yield _example("An entry taken out.", {table: {last: {"remove": True}}})
            break


def _example(prose: str, data: Mapping[str, Any]) -> str:
    # A header with nothing under it would stand twice as soon as two examples of one table are used.
    blocks = [block for block in toml_text(data).strip().split("\n\n") if "\n" in block]
    return "\n".join([f"# {prose}", *(f"#{line}" for block in blocks for line in block.splitlines())])


def _other_answer(ruleset: Ruleset, name: str, text: OptionText) -> Any:
    """Return another value of an option that the ruleset can have as well, if there is one."""
    value = ruleset.definition.options(ruleset)[name]
    if isinstance(value, bool):
        others: list[Any] = [not value]
    elif isinstance(value, int):
        others = [value - 1, value + 1]
    else:
        others = [other for other in text.values if other != value]
    return next((other for other in others if _holds(ruleset, {"options": {name: other}})), None)


def _other_number(ruleset: Ruleset, path: tuple[str, ...], values: Any) -> dict[str, int] | None:
    """Return a table with the first number that may also be one higher, if there is one."""
    for key, value in values.items() if isinstance(values, Mapping) else ():
        if isinstance(value, int) and not isinstance(value, bool):
            data: dict[str, Any] = {key: value + 1}
            for part in reversed(path):
                data = {part: data}
            if _holds(ruleset, data):
                return {key: value + 1}
    return None


def _holds(ruleset: Ruleset, data: Mapping[str, Any]) -> bool:
    """Return whether the ruleset stays valid with a change."""
    try:
        extended(ruleset, data)
    except ContentError:
        return False
    return True
