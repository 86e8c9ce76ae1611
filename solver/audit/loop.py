"""``LOOP``: moves that can be repeated for ever, cost nothing, and gain something or nothing.

One proposer looks in recorded play, and in each next turn of a guided game, for two tables that differ in time and
goods only. Another one walks from tables built for the new and changed cards (``walks.py``). They may propose too much.
The confirmer plays the proposed moves again and again through the rules, three times at least. It certifies only what
uses nothing up: nothing else changed, no step of chance, one seat deciding. Where that does not hold twice in a row,
the same moves have to go on all the same: a long step soon crosses into another leg. A shuffle on the way does not
matter where the same cards come back. Where the rules end the game after some turns, no repetition is a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Any, Final, NamedTuple

from rules.core.position import Position
from rules.core.race import Race, Tally, tally
from rules.core.tools.output import picked
from rules.core.turns import State
from solver.audit.finding import Level, Notebook, Searched, Witness
from solver.audit.play import Recorded, games, kinds_of_ends, mover, opening, texts
from solver.audit.suite import changed_cards, playable
from solver.audit.walks import DEPTH, EXCHANGE, Cycle, Proposal, built_tables, covered, find_exchanges, good_name
from solver.search.budget import Budget
from solver.search.rollout import kind_of

GAMES: Final = 8
"""Games recorded, half of them guided."""
WINDOW: Final = 12
"""Turns of the longest loop looked for."""
WAYS: Final = 6
"""Ways through a turn that are looked at for each kind of first move."""
REPEATS: Final = 200
"""Times a loop is played before it is taken to go on for ever."""
PACE: Final = 3
"""Times the pace of ordinary play from which a loop breaks the game."""
TRIED: Final = 6
"""Tables from which the same moves are tried."""
CHECKED: Final = 60
"""Different proposals confirmed at most."""
ONWARDS: Final = 20
"""Repetitions after which a loop from a built table is looked for no further on: a leg may hide it before."""
PLAYED: Final = 3
"""Times that a loop has to be played at least, unless it reaches the goal before."""


class Certificate(NamedTuple):
    """What replaying a cycle has shown."""

    cycle: Cycle
    gains: dict[str, int]
    """Growth of each good in the first repetition."""
    clean: int
    """Repetitions in a row, from the first on, that used nothing up and changed nothing but goods."""
    rest: tuple[str, ...]
    """Steps of the same turns played on after those, with other questions answered anyhow."""
    repeats: int
    """Repetitions in all, until the goal was reached, the first move of a turn was closed, or ``REPEATS``."""
    end: str
    """``goal``, ``closed`` or ``endless``."""
    pace: float
    """Progress for each turn."""

    @property
    def kind(self) -> str:
        """Return ``neutral``, ``growing``, or ``bounded`` where something from outside ends the growth."""
        if not self.gains:
            return "neutral"
        return "bounded" if self.end == "closed" else "growing"


def confirm(game: Race[Any], table: Any, cycle: Cycle, target: int) -> Certificate | None:
    """Return the certificate of a cycle that holds often enough from a table, or nothing."""
    seat = mover(game, table)
    state: State[Any] = State(table)
    gains: dict[str, int] = {}
    clean, before = 0, tally(game, table)
    while clean < REPEATS and game.progress(state.table, seat) < target and (gains or clean < 2):
        after = _once(game, state, cycle, seat)
        now = before if after is None else tally(game, after.table)
        more = now.gains(before)
        if after is None or more is None:
            break
        gains = gains if clean else more
        clean, state, before = clean + 1, after, now
    if clean < (1 if gains else 2):
        return None
    more_often, rest, last = _onwards(game, state, cycle, seat, target, REPEATS - clean)
    repeats, reached = clean + more_often, game.progress(last.table, seat)
    if repeats < (PLAYED if gains else REPEATS) and reached < target:
        return None  # a loop that gains nothing goes on for ever, or the rules end the game
    kinds = [kind_of(text) for turn in cycle for text in turn]
    again = [each for each in map(kind_of, rest) if each in kinds][: 2 * len(kinds)]
    if clean == 1 and (not again or again != (kinds * 2)[: len(again)]):
        return None  # what a leg on the way changes may hide a second clean one, but not that the moves go on
    end = "goal" if reached >= target else "endless" if repeats >= REPEATS else "closed"
    pace = (reached - game.progress(table, seat)) / (repeats * len(cycle))
    if not gains:  # two are enough to show it
        repeats, rest = clean, ()
    return Certificate(cycle, gains, clean, rest, repeats, end, pace)


def _once(game: Race[Any], state: State[Any], cycle: Cycle, seat: int) -> State[Any] | None:
    """Return the state after one repetition, or nothing where a step is closed or is not the seat's to take."""
    for turn in cycle:
        for text in turn:
            moves = game.legal_moves(state) if game.to_act(state) == seat else ()
            move = next((each for each in moves if each.text == text), None)
            if move is None:
                return None
            state = game.apply(state, move).state
        if state.pending:
            return None
    return state


def _onwards(
    game: Race[Any], state: State[Any], cycle: Cycle, seat: int, target: int, most: int
) -> tuple[int, tuple[str, ...], State[Any]]:
    """Play a cycle on: its moves, paid otherwise if need be, and the first open one where something else is asked.

    Returns the repetitions, their steps, and the state after them; chance or a closed first move ends it.
    """
    taken: list[str] = []
    for repeat in range(most):
        before, kept = state, len(taken)
        for turn in cycle:
            wanted = list(turn)
            begun = False
            while state.pending or not begun:
                moves = {move.text: move for move in game.legal_moves(state)} if game.to_act(state) == seat else {}
                told = wanted[0] if wanted else ""
                paid = [text for text in sorted(moves, key=len) if " pay " in told and kind_of(text) == kind_of(told)]
                text = told if told in moves else next(iter(paid or (begun and moves) or ()), None)
                wanted = wanted[1:] if text in (told, *paid) else wanted
                if text is None:
                    return repeat, tuple(taken[:kept]), before
                state, begun = game.apply(state, moves[text]).state, True
                taken.append(text)
        if game.progress(state.table, seat) >= target:
            return repeat + 1, tuple(taken), state
    return most, tuple(taken), state


def propose(recorded: Recorded, budget: Budget) -> Iterator[Proposal]:
    """Yield loops in a recorded game, and next to it: ways through each turn that may be taken again at once."""
    game = recorded.position.game
    tables = recorded.tables
    taken = [texts(end) for end in recorded.ends]
    tallies: list[Tally] = []
    for place, table in enumerate(tables):
        if budget.is_over:
            return
        now = tally(game, table)
        for start in range(place - 1, max(0, place - WINDOW) - 1, -1):
            if now.gains(tallies[start]) is not None:
                yield Proposal(recorded.line(start), tables[start], tuple(taken[start:place]))
                break  # what began earlier holds this loop and others
        tallies.append(now)
        seat = mover(game, table)
        for end in kinds_of_ends(game, table, WAYS):
            turn = texts(end)
            after = tally(game, end.table)
            if after.gains(now) is not None:
                yield Proposal(recorded.line(place), table, (turn,))
                continue
            again = _once(game, State(end.table), (turn,), seat)
            if again is not None and tally(game, again.table).gains(after) is not None:
                yield Proposal((*recorded.line(place), *turn), end.table, (turn,))


class Confirmer:
    """Confirms proposals, and keeps the best certificate for each loop."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.best: dict[str, tuple[Certificate, Witness]] = {}
        self.tried: dict[Cycle, int] = {}

    def see(self, position: Position, proposal: Proposal, onwards: int = 0) -> None:
        """Confirm a proposal, or what it comes to after so many repetitions at most.

        The same moves from elsewhere soon say little more, and nothing where they are known to go on to the goal.
        """
        cycle, line, table = proposal.cycle, proposal.line, proposal.table
        subject = _subject(cycle)
        known = self.best[subject][0] if subject in self.best else None
        if known is not None and known.kind == "growing" and known.clean > 1:
            return
        if self.tried.get(cycle, 0) >= TRIED or (len(self.tried) >= CHECKED and cycle not in self.tried):
            return
        game = position.game
        self.tried[cycle] = self.tried.get(cycle, 0) + 1
        target, seat = game.profile.target, mover(game, table)
        certificate = confirm(game, table, cycle, target)
        while certificate is None and onwards and self.budget.has_time(0):
            onwards -= 1
            repeated, steps, state = _onwards(game, State(table), cycle, seat, target, 1)
            if not repeated or game.progress(state.table, seat) >= target:
                return
            table, line = state.table, line + steps
            certificate = confirm(game, table, cycle, target)
        if certificate is None:
            return
        moves = tuple(text for turn in cycle for text in turn)
        witness = Witness(position, line, moves, certificate.clean, certificate.rest)
        if known is None or _rank(certificate) > _rank(known):
            self.best[subject] = certificate, witness


def find_loops(notebook: Notebook) -> None:
    """Write down every different loop that recorded play and tables built for it come by."""
    if notebook.about.startswith(EXCHANGE):
        find_exchanges(notebook)
        return
    budget = notebook.budget
    first = opening(notebook.ruleset, notebook.seed)
    if (most := first.game.most_turns(first.table())) is not None:
        notebook.searched.append(Searched("LOOP", f"the rules end the game after {most} turns, so that none goes on"))
        return
    confirmer = Confirmer(budget)
    walked = _from_built_tables(notebook, confirmer, budget.share(0.6))
    proposed = len(confirmer.tried)
    confirmer.tried.clear()  # what does not hold near the start may hold later
    paces: list[tuple[tuple[str, ...], int]] = []
    played = 0
    for number, recorded in enumerate(islice(games(notebook.ruleset, notebook.seed, budget), GAMES)):
        if budget.is_over:
            break
        played += 1
        paces += [] if number % 2 else _paces(recorded)  # every second one is guided
        for proposal in propose(recorded, budget):
            confirmer.see(recorded.position, proposal)
    best = confirmer.best
    for each in telling(best, paces):
        _write(notebook, *each)
    what = (
        f"loops of up to {WINDOW} turns in {played} recorded games, and {WAYS} ways on from each first move of each "
        f"turn; walks of up to {DEPTH} turns from {walked} tables built for new or changed cards: "
        f"{proposed + len(confirmer.tried)} proposed, {len(best)} certified; no proof that there is no other"
    )
    notebook.searched.append(Searched("LOOP", what, complete=not budget.is_over))
    find_exchanges(notebook)


def _from_built_tables(notebook: Notebook, confirmer: Confirmer, budget: Budget) -> int:
    """Confirm what walks from tables built for new and changed cards propose; return how many were walked from."""
    walked = 0
    cards = [card for card in changed_cards(notebook.ruleset, notebook.base) if card in playable(notebook.ruleset)]
    for position, names in built_tables(notebook.ruleset, cards, notebook.seed):
        if budget.is_over:
            break
        walked += 1
        for proposal in covered(position, names, budget):
            confirmer.see(position, proposal, ONWARDS)
    return walked


def _paces(recorded: Recorded) -> list[tuple[tuple[str, ...], int]]:
    """Return the steps of each turn of a game with the progress that the turn makes."""
    progress = list(map(recorded.position.game.progress, recorded.tables))
    return [
        (texts(end), after - before) for end, before, after in zip(recorded.ends, progress, progress[1:], strict=False)
    ]


def _subject(cycle: Cycle) -> str:
    """Return the moves in a form that does not hang on where the loop was entered."""
    turns = ["; ".join(turn) for turn in cycle]
    return " / ".join(min(turns[place:] + turns[:place] for place in range(len(turns))))


def _rank(certificate: Certificate) -> tuple[bool, bool, float, int]:
    return certificate.kind == "growing", bool(certificate.gains), certificate.pace, certificate.clean


def telling(
    best: Mapping[str, tuple[Certificate, Witness]], paces: Sequence[tuple[tuple[str, ...], int]]
) -> Iterator[tuple[str, Level, Certificate, Witness, float]]:
    """Yield each loop that says more than a shorter one, with how bad it is and the pace of ordinary play."""
    known: list[tuple[Counter[str], Level]] = []
    for subject, (certificate, witness) in sorted(best.items(), key=lambda each: (len(each[1][0].cycle), each[0])):
        starts = {turn[0] for turn in certificate.cycle}
        others = [gain for first, gain in paces if starts.isdisjoint(first[:1])]
        ordinary = fmean(others) if others else 0.0
        level = _level(certificate, ordinary)
        # One way to stall is enough to know that it can be done, and a loop with other turns between is no other one.
        moves = Counter(kind_of(turn[0]) for turn in certificate.cycle if certificate.gains)
        if not any(part <= moves and grave.reaches(level) for part, grave in known if part or not moves):
            known.append((moves, level))
            yield subject, level, certificate, witness, ordinary


def _level(certificate: Certificate, ordinary: float) -> Level:
    """Return how bad a loop is beside ordinary play."""
    if certificate.kind == "growing" and certificate.pace >= PACE * ordinary:
        return Level.ERROR
    return Level.WARNING if certificate.gains and certificate.pace >= max(ordinary, 0.001) else Level.NOTE


def _write(
    notebook: Notebook, subject: str, level: Level, certificate: Certificate, witness: Witness, ordinary: float
) -> None:
    turns = len(certificate.cycle)
    often = "a turn" if turns == 1 else f"every {turns} turns"
    if certificate.kind == "neutral":
        claim = f"'{subject}' leads back to the same table {often}: a player can stall for ever"
    else:
        goods = ", ".join(f"{good_name(name)} +{change}" for name, change in certificate.gains.items())
        claim = f"'{subject}' gains {goods} {often} and costs nothing"
        gets = {
            "goal": f"played {certificate.repeats} times it reaches the goal",
            "endless": f"it was played {certificate.repeats} times and goes on",
            "closed": f"it can be played {certificate.repeats} times, then its move is closed",
        }[certificate.end]
        pace = f"{certificate.pace:.1f} a turn where ordinary play makes {ordinary:.1f}"
        claim = f"{claim}; {gets}, {pace}"
    notebook.add(
        "LOOP",
        subject,
        level,
        claim,
        [word for turn in certificate.cycle for text in turn for word in text.split()],
        witness=witness,
        size=", ".join(f"{good_name(name)} +{change}" for name, change in certificate.gains.items()),
        measure=round(100 * certificate.pace),
        data={
            **picked(certificate, "kind", "cycle", "gains", "clean", "repeats", "end"),
            "turns": turns,
            "pace": round(certificate.pace, 3),
            "ordinary_pace": round(ordinary, 3),
        },
    )
