"""The files of figures hang together: every topic is in the index, every link and every command leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "benchmarks" / "README.md"
TOPICS = sorted((ROOT / "benchmarks" / "figures").glob("*.md"))
WIDTH = 150


def anchors(file: Path) -> set[str]:
    """The names that the headings of a file are linked by."""
    headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("file", [INDEX, *TOPICS], ids=lambda file: file.stem)
def test_links_and_commands_lead_somewhere(file: Path) -> None:
    text = file.read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)|^\[[^\]]+\]: (\S+)$", text, re.MULTILINE)
    for target in (inline or listed for inline, listed in links):
        name, _, heading = target.partition("#")
        other = file.parent / name if name else file
        assert other.is_file(), target
        assert not heading or heading in anchors(other), target
    for module in re.findall(r"python -m benchmarks\.([a-z_]+)", text):
        assert (ROOT / "benchmarks" / f"{module}.py").is_file(), module
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []


def test_every_topic_and_every_benchmark_that_runs_is_in_the_index() -> None:
    text = INDEX.read_text("utf-8")
    assert [topic.name for topic in TOPICS if f"figures/{topic.name}" not in text] == []
    labels = set(re.findall(r"^\[([^\]]+)\]:", text, re.MULTILINE))
    assert set(re.findall(r"\]\[([^\]]+)\]", text)) == labels
    runs = [file.stem for file in INDEX.parent.glob("*.py") if '__name__ == "__main__"' in file.read_text("utf-8")]
    assert [name for name in sorted(runs) if not re.search(rf"`{name}\b", text)] == []
