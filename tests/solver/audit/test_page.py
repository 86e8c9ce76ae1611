"""The HTML report: complete, closed in itself, and its numbers those of the games played."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from statistics import fmean

import pytest

from rules.core.errors import Fault
from rules.core.position import new_position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit.finding import Audit, Change, Finding, Judged, Level, Searched, Witness
from solver.audit.play import Sample, sampled
from solver.audit.reports import audit_page
from solver.search.budget import Budget
from solver.search.rollout import GameEnd

TRACK = "iditacards/open-track"


class Reader(HTMLParser):
    """Collects tags, attributes and text, and fails where tags do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @property
    def words(self) -> str:
        """The whole text, lines joined."""
        return " ".join("".join(self.text).split())


Played = tuple[tuple[str, Sample], tuple[str, Sample]]


@pytest.fixture(scope="module")
def track() -> Ruleset:
    return load_ruleset(TRACK)


@pytest.fixture(scope="module")
def games(track: Ruleset) -> Played:
    """Games before and after a change."""
    faster = extended(track, {"cards": {"move": {"effects": [{"op": "move", "n": 9}]}}})
    after, before = (sampled(each, 1, 1, Budget(None), most=60) for each in (faster, track))
    return ("faster", after), (track.title, before)


@pytest.fixture(scope="module")
def audit(track: Ruleset) -> Audit:
    witness = Witness(new_position(track), ("play move",), ("pass",), 3)
    place = Fault("", "cards.move", "house & <co>.toml", 7)
    one = Finding("LOOP", "<b>", Level.ERROR, "gains <script>alert(1)</script>", place, witness, change=Change.NEW)
    findings = (
        replace(one, because=(replace(place, message="Move is faster"),)),
        replace(one, subject="known", accepted="meant & wanted", witness=None),
    )
    judged = (Judged("shortest_win", "fail", "at least 9: 4"),)
    return Audit(track, findings, (Searched("LOOP", "a <thing>", complete=False),), judged, against=track)


def test_the_page_is_closed_in_itself(audit: Audit, games: Played) -> None:
    text = audit_page(audit, Level.ERROR, games, timed=False)
    read = Reader(text)
    assert text == audit_page(audit, Level.ERROR, games, timed=False)
    tags = {tag for tag, _ in read.seen}
    assert tags.isdisjoint({"script", "link", "img", "iframe"})
    assert not [given for _, given in read.seen if {"src", "href", "onclick"} & given.keys()]
    assert "url(" not in text
    assert "http" not in re.sub(r"bl1\.\S+", "", text)


def test_what_a_ruleset_says_is_text_and_never_markup(audit: Audit) -> None:
    told = Reader(audit_page(audit, Level.ERROR, (), timed=False)).words
    assert "gains <script>alert(1)</script>." in told
    assert "house & <co>.toml:7 cards.move" in told
    for words in (
        "FAILED 1 error, 0 warnings, 0 notes, 1 accepted",
        "meant & wanted",
        "Move is faster",
        "at least 9: 4",
    ):
        assert words in told
    assert "a <thing> (stopped: out of time)" in told


def test_the_plot_says_how_long_games_take(audit: Audit, games: Played) -> None:
    told = "".join(Reader(audit_page(audit, Level.ERROR, games, timed=False)).text)
    for words in ("Whole games from the same deals (seed 1)", "60 of 60 games came to their end", "95 % interval"):
        assert words in " ".join(told.split())
    rows = [re.findall(r"([\d.]+) %", line) for line in told.splitlines() if "░" in line]
    assert rows
    for place in (0, 1):  # parts of all games, each rounded to a hundredth
        assert sum(float(row[place]) for row in rows) == pytest.approx(100, abs=len(rows) / 2)


def test_games_are_paired_by_their_deals(games: Played) -> None:
    (_, after), (_, before) = games
    assert fmean(after.over) < fmean(before.over)


def test_games_that_are_given_up_have_no_plot(audit: Audit) -> None:
    none = ("x", Sample((GameEnd((), 41, is_over=False),), "round", complete=True, seed=1))
    told = Reader(audit_page(audit, Level.ERROR, (none,), timed=False)).words
    assert "0 of 1 games came to their end." in told
    assert "░" not in told
