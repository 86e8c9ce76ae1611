"""Restricted play: what a table is worth without a card, with it alone, and with another text under its name.

One table with four readings (Jaffe et al., "Evaluating Competitive Game Balance with Restricted Play", AIIDE 2012):

- ``MUST``: without the card most of the best result is lost.
- ``SPAM``: the card and no other card reach nearly all of it.
- ``DEAD``: nothing is lost without the card, although under the base something is.
- ``DOMINATED``: another card costs no more and does no less, by their texts alone.

Tables are dealt: whole decks, at the opening, in the middle and late, the card in the hand; then library puzzles.
Each is searched exactly with everything allowed, again with moves forbidden, and all that under the base. A card that a
best line does without is worth nothing there. What a search leaves open counts neither way. Where a game counts rounds,
whole games are compared instead, under rules in which the card, or every other card, does nothing. What stays in play
gains more than a few turns show. So races which begin with it in the hand are played under such rules, too.

Which cards are looked at: those that are new or changed. Where the rules, the weather, a leg, an option or what stays
in play has changed, all cards, for DEAD. What nothing has needed by then lies beside cards that no best line plays,
where it is of use if anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple

from puzzles.puzzle import forbids
from rules.core.files import canonical_json, path_text
from rules.core.registry import Ruleset
from rules.core.tools.lint import new_doubts, outdone
from rules.core.tools.output import plain
from rules.core.tools.rulebook import differences
from solver.audit.finding import Confidence, Level, Notebook, Searched, Shown
from solver.audit.play import clock_of, opening
from solver.audit.suite import (
    ALONE,
    BASE,
    FREE,
    WITHOUT,
    AuditQuestion,
    Games,
    as_under,
    changed_cards,
    gained,
    hand_of,
    held_games,
    lasts,
    lost,
    playable,
    poor,
    solved,
    tables,
    whole_games,
    with_card,
)
from solver.screens.common import count, percent
from solver.search.budget import Budget

WORK_S: Final = 1.0
"""Seconds of counted work of one search: the same search ends at the same point every time."""
COUNTED: Final = 2
"""Tables that must tell something before it is said."""
ENOUGH: Final = 0.75
"""Part of the wins of whole games that is told at least: a rule of thumb does not make the most of one card."""
HELD: Final = 0.35
"""Part of the turns of a race that a card in the first hand saves, from which it is told."""
COPIES: Final = 2
"""Copies of a card in the hand at most; tables with fewer take turns with them."""
OPENINGS: Final = 6
"""Openings whose best lines say which cards are idle."""
OFTEN: Final = 3
"""Tables on which a card must be worth nothing before it is called dead."""
OFTEN_NEW: Final = 6
"""The same for a card that the base does not have: nothing says that it was of any use before."""


class Use(NamedTuple):
    """What one card is to one table."""

    asked: AuditQuestion
    free: Shown
    without: Shown
    """That with everything allowed, where its line does without the card."""
    alone: Shown | None = None

    @property
    def loss(self) -> float | None:
        """Return the part of the value that is lost without the card; nothing where that is open."""
        return lost(self.asked, self.free, self.without)

    @property
    def reach(self) -> float | None:
        """Return the part of the value that the card reaches alone, 0 where none is needed; nothing where open."""
        loss = 1.0 if self.alone is None else lost(self.asked, self.free, self.alone)
        return None if loss is None else 1 - loss


class Suite:
    """Tables under one ruleset, and play restricted on them; remembers what it has settled."""

    def __init__(self, ruleset: Ruleset, budget: Budget) -> None:
        self.ruleset, self.budget = ruleset, budget
        self._answers: dict[tuple[str, frozenset[str]], Shown] = {}
        self._bans = ruleset.definition.bans(ruleset)

    def use(self, asked: AuditQuestion, card: str, *, alone: bool = False) -> Use | None:
        """Return what a card is to a question; nothing where its best value is open or there is nothing to lose.

        What it does ``alone`` is asked where the best line plays any card.
        """
        free = self.solve(asked)
        if not free.proved or free.value is None or gained(asked, free) <= 0:
            return None
        played, bans = self.played(free), self._bans[card]
        without = self.solve(asked, bans, WITHOUT) if card in played else _renamed(free, WITHOUT, bans)
        found = Use(asked, free, without)
        if not alone or not played:
            return found
        others = frozenset[str]().union(*(words for name, words in self._bans.items() if name != card))
        same = played == {card}
        return found._replace(alone=_renamed(free, ALONE, others) if same else self.solve(asked, others, ALONE))

    def played(self, answer: Shown) -> set[str]:
        """Return the cards that moves of the line of an answer play."""
        steps = answer.witness.steps
        return {card for card, words in self._bans.items() if any(forbids(words, step) for step in steps)}

    def solve(self, asked: AuditQuestion, forbidden: frozenset[str] = frozenset(), name: str = FREE) -> Shown:
        """Return the answer to a question, with some moves forbidden."""
        key = f"{asked.id} {canonical_json(plain(asked.position.state))}", forbidden
        answer = self._answers.get(key) or solved(asked, self.budget.counted(WORK_S), forbidden)
        if not self.budget.is_over:  # else it was cut short, and may be asked again
            self._answers[key] = answer
        return answer._replace(side=name)


def _renamed(free: Shown, name: str, forbidden: frozenset[str]) -> Shown:
    """Return an answer whose line has no forbidden move as that to the question which forbids them."""
    return free._replace(side=name, goal=replace(free.goal, forbidden=free.goal.forbidden | forbidden))


@dataclass(slots=True)
class RestrictedPlay:
    """What tables say of the cards of a ruleset."""

    own: Suite
    before: Suite
    """The base."""
    cards: list[str] = field(default_factory=list)
    """New and changed cards that somebody can play."""
    uses: dict[str, list[Use]] = field(default_factory=dict)
    """By card, what it is to the tables that tell it; cards that are as they were have no reading alone."""
    games: dict[str, tuple[Games, Games | None]] = field(default_factory=dict)
    """By card, whole games of the ruleset and of the base, where the game counts rounds or the card stays in play."""

    def is_new(self, card: str) -> bool:
        """Return whether the base does not have a card."""
        return card not in self.before.ruleset.raw.get("cards", {})

    def under_base(self, use: Use, card: str, *, alone: bool = False) -> Use | None:
        """Return what a card is to the same table under the base, where that is known and there is time to ask."""
        if self.is_new(card) or self.own.budget.is_over:
            return None
        position = as_under(use.asked.position, self.before.ruleset)
        return None if position is None else self.before.use(use.asked._replace(position=position), card, alone=alone)

    def played(self, asked: Iterable[AuditQuestion]) -> set[str]:
        """Return the cards that best lines play on some tables, under the ruleset or the base, while there is time."""
        found: set[str] = set()
        for suite in (self.own, self.before):
            for each in asked:
                position = as_under(each.position, suite.ruleset)
                if position is not None and not self.own.budget.is_over:
                    found |= suite.played(suite.solve(each._replace(position=position)))
        return found

    @property
    def words(self) -> str:
        """Return what was looked at."""
        told = f"whole games without, and with nothing but, each of {count(len(self.games), 'card')}"
        if any(games.alone for games, _ in self.games.values()):
            return told
        tables = len({use.asked.id.rpartition("@")[2] for uses in self.uses.values() for use in uses})
        known = f"{count(tables, 'table')} searched, and again without each of {count(len(self.uses), 'card')}"
        return f"{known}; {told.replace(', and with nothing but,', '')}" if self.games else known


def restricted_play(notebook: Notebook) -> RestrictedPlay | None:
    """Return what restricted play says of the ruleset; searched once for an audit, and nothing without a base."""
    ruleset, base, budget = notebook.ruleset, notebook.other, notebook.budget
    if base is None:
        return None
    known = notebook.restricted.get((ruleset.fingerprint, notebook.about))
    if isinstance(known, RestrictedPlay):
        return known
    before: Suite = notebook.restricted.setdefault((base.fingerprint, ""), Suite(base, budget))
    before.budget = budget
    play = RestrictedPlay(Suite(ruleset, budget), before)
    notebook.restricted[ruleset.fingerprint, notebook.about] = play
    able = playable(ruleset)
    play.cards = [card for card in changed_cards(ruleset, base) if card in able and notebook.wants(card)]
    asked = tables(ruleset, notebook.seed)
    for card in play.cards:
        held = (with_card(each, card, 1 + number % COPIES) for number, each in enumerate(asked))
        play.uses[card] = list(_uses(play, held, card))
    first = asked[:OPENINGS]
    owned = {card for each in first for card in each.position.game.owned(each.position.table())}
    dealt = [each for each in first if each.fingerprint == ruleset.fingerprint]
    changed = any(each.key[0] not in ("cards", "decks", "assert", "meta") for each in differences(base, ruleset))
    changed |= any(lasts(ruleset, card) for card in play.cards)  # others may hang on what lies beside them
    others = {card for card in able if notebook.wants(card)} & owned if changed else set()
    idle = {*able} - play.played(dealt)
    for card in (*play.cards, *sorted(others - {*play.cards})):
        uses = play.uses.setdefault(card, [])
        if not any(use.loss for use in uses):
            there = [each for each in asked if card in hand_of(each)] if card not in play.cards else []
            uses += _uses(play, chain(poor(dealt, card, idle), there), card, alone=False)
    alone = ruleset.definition.players_allowed(ruleset)[0] == 1
    play_whole = whole_games if alone and clock_of(opening(ruleset, notebook.seed)) is not None else held_games
    for card in play.cards if alone else ():
        if play_whole is whole_games or lasts(ruleset, card):
            earlier = None if play.is_new(card) else play_whole(notebook, base, card)
            play.games[card] = play_whole(notebook, ruleset, card), earlier
    return play


def _uses(
    play: RestrictedPlay, asked: Iterable[AuditQuestion | None], card: str, *, alone: bool = True
) -> Iterator[Use]:
    """Yield what a card is to tables; up to the first that needs it if what it does ``alone`` is not asked."""
    for each in asked:
        if play.own.budget.is_over:
            return
        found = play.own.use(each, card, alone=alone) if each is not None else None
        if found is not None:
            yield found
            if found.loss and not alone:
                return


# Readings


class Reading(NamedTuple):
    """One thing to ask of every new or changed card."""

    code: str
    part: Callable[[Use], float | None]
    """What a table tells of it."""
    games: Callable[[Games], float]
    """What whole games tell of it."""
    least: float
    """Mean part from which a card is worth telling."""
    more: float
    """Least difference between that part and the part under the base."""
    side: str
    """The answer that shows it, beside that with everything allowed."""
    parts: str
    """Name of the parts in the data of a finding."""
    claim: str
    """It in words, of a ``card`` and its ``part``."""


MUST: Final = Reading(
    "MUST",
    lambda use: use.loss,
    lambda games: games.loss,
    0.5,
    0.25,
    WITHOUT,
    "losses",
    "without '{card}' {part} of the best result is lost",
)
SPAM: Final = Reading(
    "SPAM",
    lambda use: use.reach,
    lambda games: 0.0 if games.alone is None else games.alone.value / max(games.free.value, 1e-9),
    0.9,
    0.1,
    ALONE,
    "parts",
    "'{card}' and no other card reaches {part} of the best result",
)


def _read(notebook: Notebook, reading: Reading) -> None:
    """Write down the cards of which more can be told than under the base."""
    if (play := restricted_play(notebook)) is None:
        notebook.searched.append(Searched(reading.code, NO_BASE))
        return
    told: list[str] = []
    for card in play.cards:
        uses = [use for use in play.uses.get(card, ()) if reading.part(use) is not None]
        mean = _mean(reading, uses)
        if uses:
            told.append(f"{card} {percent(mean)}")
        many = len(uses) >= COUNTED and mean >= reading.least
        if not (many and _by_tables(notebook, reading, play, card, uses)):
            _by_games(notebook, reading, play, card)
    words = f"{play.words}; {reading.claim.split('{part}')[1].strip()}: {', '.join(told) or 'none told'}"
    notebook.searched.append(Searched(reading.code, words, not notebook.budget.is_over))


NO_BASE: Final = "nothing to compare with"


find_must, find_spam = partial(_read, reading=MUST), partial(_read, reading=SPAM)
"""Write down the cards that have become indispensable, and enough by themselves."""


def _mean(reading: Reading, uses: Sequence[Use]) -> float:
    """Return the mean part of tables that tell it."""
    return sum(reading.part(use) or 0.0 for use in uses) / max(1, len(uses))


def _by_tables(notebook: Notebook, reading: Reading, play: RestrictedPlay, card: str, uses: list[Use]) -> bool:
    """Write down, and return, whether the mean over tables is larger than over the same tables under the base."""
    pairs = [(use, play.under_base(use, card, alone=reading.side == ALONE)) for use in uses]
    kept = [(use, then) for use, then in pairs if then is not None and None not in (then.loss, then.reach)]
    mean, now = _mean(reading, uses), _mean(reading, [use for use, _ in kept])
    was = _mean(reading, [then for _, then in kept])
    if not play.is_new(card) and (len(kept) < COUNTED or now - was < reading.more):
        return False
    before = "the card is new" if play.is_new(card) else f"under the base {percent(was)}"
    parts = {use.asked.id: _exact(reading.part(use)) for use in uses}
    base_parts = {then.asked.id: _exact(reading.part(then)) for _, then in kept}
    shown = sorted(uses, key=lambda use: base_parts.get(use.asked.id, [0.0])[0] - parts[use.asked.id][0])
    notebook.add(
        reading.code,
        card,
        Level.WARNING,
        f"{reading.claim.format(card=card, part=percent(mean))}, in the mean of {count(len(uses), 'table')}; {before}",
        [card],
        shown=tuple(_sides(shown, kept, reading.side)),
        confidence=Confidence.PROVED,
        size=f"{percent(mean)} ({before})",
        measure=round(1000 * mean),
        data={
            "card": card,
            reading.parts: parts,
            "mean": _exact(mean),
            f"base_{reading.parts}": base_parts,
            "base_mean": _exact(was) if kept else None,
            "method": "exact",
        },
    )
    return True


def _exact(part: float | None) -> list[float]:
    """Return a part for JSON, where it has two ends."""
    return [round(part or 0.0, 4)] * 2


def _by_games(notebook: Notebook, reading: Reading, play: RestrictedPlay, card: str) -> None:
    """Write down what whole games say, where they say less under the base."""
    games, then = play.games.get(card, (None, None))
    known = None if games is None else games.without if reading.side == WITHOUT else games.alone
    if games is None or known is None or not games.free.value:
        return
    if any((each.alone or each.without).n < each.free.n for each in (games, then) if each is not None):
        return  # they were cut short
    part, was = reading.games(games), 0.0 if then is None else reading.games(then)
    if part < (min(reading.least, ENOUGH) if games.alone else HELD) or part - was < reading.more:
        return
    before = "the card is new" if then is None else f"under the base {percent(max(was, 0.0))}"
    kind = "are won in the time of half of them" if games.alone else "begin with it, in turns"
    notebook.add(
        reading.code,
        card,
        Level.WARNING,
        f"{reading.claim.format(card=card, part=percent(part))}, counted in whole games by a rule of thumb that "
        f"{kind}: {known.words}, with everything {games.free.words}, "
        f"seed {notebook.seed}; {before}",
        [card],
        confidence=Confidence.SAMPLED,
        size=f"{percent(part)} ({before})",
        measure=round(1000 * part),
        data={"card": card, **known.numbers, "free": games.free.numbers, "seed": notebook.seed, "method": "sampled"},
    )


def find_dead(notebook: Notebook) -> None:
    """Write down the cards that can do nothing, and those that have become useless."""
    able = playable(notebook.ruleset)
    silent = {each.idle: each for each in new_doubts(notebook.ruleset) if each.idle in able}
    for card, doubt in silent.items():
        place = notebook.ruleset.place(doubt.key)
        use, confidence = ("no", Confidence.PROVED) if doubt.sure else ("hardly any", Confidence.ARGUED)
        what = "it" if card in doubt.key else path_text(doubt.key)
        claim = f"'{card}' is of {use} use: {what} {doubt.message}"
        data = {"card": card, "method": "text"}
        notebook.add("DEAD", card, Level.WARNING, claim, place, confidence=confidence, data=data)
    if (play := restricted_play(notebook)) is None:
        notebook.searched.append(Searched("DEAD", NO_BASE))
        return
    idle = []
    for card, uses in play.uses.items():
        needed = OFTEN_NEW if play.is_new(card) else OFTEN
        unused = [use for use in uses if use.loss == 0]
        saves = card in play.games and play.games[card][0].loss > 0
        if card in silent or saves or len(unused) < needed or any(use.loss for use in uses):
            continue
        idle.append(card)
        before = [(use, play.under_base(use, card)) for use in unused]
        pairs = [(use, then) for use, then in before if then is not None and then.loss]
        if play.is_new(card) or len(pairs) >= COUNTED:
            _write_dead(notebook, play, card, unused, pairs)
    told = f"{play.words}; of no use there: {', '.join(idle) or 'none'}"
    notebook.searched.append(Searched("DEAD", told, not notebook.budget.is_over))


def _write_dead(
    notebook: Notebook, play: RestrictedPlay, card: str, uses: list[Use], pairs: list[tuple[Use, Use]]
) -> None:
    losses = {use.asked.id: then.loss or 0.0 for use, then in pairs}
    most = max(losses.values(), default=0.0)
    was = "the card is new" if play.is_new(card) else f"under the base {len(pairs)} of them lose up to {percent(most)}"
    notebook.add(
        "DEAD",
        card,
        Level.NOTE if play.is_new(card) else Level.WARNING,
        f"nothing is lost without '{card}' on any of the {len(uses)} tables with it; {was}",
        [card],
        shown=tuple(_sides(sorted(uses, key=lambda use: use.asked.id not in losses), pairs, WITHOUT)),
        confidence=Confidence.PROVED,
        size=f"0 % ({was})",
        measure=len(uses),
        data={
            "card": card,
            "questions": [use.asked.id for use in uses],
            "base_losses": {name: _exact(loss) for name, loss in losses.items()},
            "method": "exact",
        },
    )


def find_dominated(notebook: Notebook) -> None:
    """Write down cards that another card outdoes by its text, where the base has no such pair."""
    ruleset, base = notebook.ruleset, notebook.base
    known = set(outdone(base)) if base is not None else set()
    able = set(playable(ruleset))
    pairs = [pair for pair in outdone(ruleset) if able.issuperset(pair) and pair not in known]
    for worse, better in pairs if base is not None else ():
        claim = f"'{better}' costs no more than '{worse}' and does no less, and one of both is better"
        data = {"card": worse, "other": better, "method": "text"}
        more: dict[str, Any] = {"confidence": Confidence.PROVED, "data": data}
        notebook.add("DOMINATED", f"{worse} by {better}", Level.WARNING, claim, [worse], **more)
    what = f"all pairs of {count(len(able), 'card')} that can be played, by their texts alone: {len(pairs)} outdone"
    notebook.searched.append(Searched("DOMINATED", what))


# The answers that a comparison rests on, side by side, so that every line of them can be played again


def _sides(uses: Iterable[Use], pairs: Sequence[tuple[Use, Use]], which: str) -> Iterator[Shown]:
    """Yield what tables are worth, and without a card or with it alone; where known, under the base too."""
    before = {use.asked.id: then for use, then in pairs if then.asked.position.state == use.asked.position.state}
    for use in uses:
        for each, prefix in ((use, ""), (before.get(use.asked.id), BASE)):
            told = () if each is None else (each.free, each.without if which == WITHOUT else each.alone)
            if None not in told:
                yield from (shown._replace(side=f"{prefix}{shown.side}") for shown in told if shown is not None)
