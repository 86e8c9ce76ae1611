"""``STALL``: play that comes to nothing: everybody idle, a seat that can only wait, a goal out of reach for good.

- *Idle play*: every seat takes the way through its turn that changes the table least. If the game then ends without a
  winner, or does not end, nothing forces anybody to act. Whether acting pays is tried by playing the same deals with
  one seat that acts. A line in which it wins shows that staying idle is no best answer there.
- *Waiting*: in random play, own turns in a row in which a seat has one legal move only and it changes nothing but time.
- *Out of reach*: whole games by a rule of thumb that hardly anybody wins, where many are won under the base.
- *Dead ends*: tables on the way, or after all was wasted, from which nobody gets on. A search proves it for some
  turns; or no card is left, and random play draws none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.scripts import SplitMix64, mix
from rules.core.turns import State, TurnEnd
from solver.audit.finding import Level, Notebook, Searched, Witness
from solver.audit.play import (
    GAME_TURNS,
    TURN_S,
    WAYS,
    Estimate,
    Recorded,
    clock_of,
    guided,
    kinds_of_ends,
    mean,
    mover,
    opening,
    play,
    sampled,
    share,
    texts,
)
from solver.audit.suite import AuditQuestion, solved
from solver.screens.common import count, percent
from solver.search.budget import Budget, WorkClock

DEAD_END: Final = "dead end"
NO_END: Final = "no end"
QUIET_WAYS: Final = 15
"""First ways through a turn, and as many random ones, among which the one that changes least is looked for."""
TOLD: Final = 10
"""Deals under which a mean is not told."""
IDLE_TURNS: Final = 200
"""Turns of all players after which idle play is taken to go on for ever."""
ACTING_ROUNDS: Final = 100
"""Rounds after which a seat that acts is taken not to win; a round may have many turns."""
PAYS: Final = 0.25
"""Worth of acting, 1 a win and -1 a loss, up to which it hardly pays."""
DUELS: Final = 20
"""Deals on which one seat acts and the others stay idle."""
GAMES: Final = 12
"""Games of random play in which seats are watched for waiting."""
WATCHED: Final = 400
"""Turns of such a game at most."""
WAITS: Final = 3
"""Own turns of waiting in a row that are worth telling."""
DEALS: Final = 3
"""Deals from which dead ends are looked for."""
WALKED: Final = 200
"""Tables of a walk from a deal."""
WALK_WAYS: Final = 10
"""Ways through a turn that are looked at there for each kind of first move."""
WASTES: Final = 12
"""Ways through a turn of which a wasteful player takes the one that leaves least."""
WASTED: Final = 120
"""Turns of a wasteful player."""
STUCK: Final = 3
"""Turns without any progress that make a dead end, proved by search."""
SEARCH_S: Final = 2.0
"""Seconds of counted work that this search may take."""
TRIES: Final = 5
"""Random games played on from a table that is to be a dead end."""
PAUSE: Final = 300
"""Turns of each of these games."""
UNWON: Final = 100
"""Whole games whose wins are counted."""
LOST: Final = 0.9
"""Share of them that are not won from which the goal is taken to be out of reach."""
LATER: Final = (10, 20, 30)
"""Turns of guided play after which everybody begins to idle."""


def quietest(game: Race[Any], table: Any) -> TurnEnd[Any]:
    """Return the way through a turn that changes the table least, the first in order of equal ones."""
    before = game.encode(table)
    generator = SplitMix64(0)
    ways = [*islice(game.turn_ends(table), QUIET_WAYS)]
    if len(ways) == QUIET_WAYS:  # else these are all there are
        ways += [game.sample_turn(table, generator) for _ in range(QUIET_WAYS)]
    return min(ways, key=lambda end: (_changes(before, game.encode(end.table)), "; ".join(texts(end))))


def _changes(one: Any, other: Any) -> int:
    """Return in how many places two state objects differ; a list of texts counts as a multiset."""
    mine, theirs = _parts(one), _parts(other)
    pairs = ((mine.get(key), theirs.get(key)) for key in mine.keys() | theirs.keys())
    return sum(_changes(*pair) for pair in pairs if pair[0] != pair[1]) if mine or theirs else [] not in (one, other)


def _parts(value: Any) -> dict[Any, Any]:
    """Return what a part of a state object consists of, by name or place; nothing of a number or text."""
    if isinstance(value, list):
        whole = any(isinstance(inner, dict | list) for inner in value)
        return dict(enumerate(value)) if whole else Counter(value)
    return value if isinstance(value, dict) else {}


def idle_game(position: Position) -> Recorded:
    """Return the game in which every seat does as little as possible."""
    return play(position, partial(quietest, position.game), IDLE_TURNS)


def gained(idle: Recorded) -> int:
    """Return what the seats together have gained in a game."""
    game, start = idle.position.game, idle.position.table()
    return sum(game.progress(idle.table, seat) - game.progress(start, seat) for seat in range(idle.position.players))


def acting(position: Position, seed: int) -> tuple[float, Witness]:
    """Return how one acting seat fares against idle ones, 1 for a win and -1 for a loss, and the line.

    The seat takes the better of ``WAYS`` random ways through each turn.
    """
    game, lively = position.game, guided(position, mix(seed), WAYS)
    seat = mover(game, position.table())
    last = game.days(position.table(), seat) + ACTING_ROUNDS

    def choose(table: Any) -> TurnEnd[Any]:
        return lively(table) if mover(game, table) == seat else quietest(game, table)

    played = play(position, choose, GAME_TURNS, stop=lambda table: game.days(table, seat) >= last)
    winners = played.winners
    worth = 0.0 if not winners else 1.0 if winners == (seat,) else 0.0 if seat in winners else -1.0
    return worth, Witness(position, played.line())


def find_stall(notebook: Notebook) -> None:
    """Write down what comes to nothing."""
    budget = notebook.budget
    parts = (
        (("out of reach",), _find_out_of_reach, 0.3),
        (("idle play", NO_END), _find_idle, 0.4),
        (("forced waiting",), _find_waiting, 0.5),
        ((DEAD_END,), _find_dead_ends, 1.0),
    )
    told = [find(notebook, budget.share(part)) for named, find, part in parts if any(map(notebook.wants, named))]
    words, complete = zip(*told, strict=True)
    notebook.searched.append(Searched("STALL", "; ".join(words), all(complete) and not budget.is_over))


# Idle play


def _find_idle(notebook: Notebook, budget: Budget) -> tuple[str, bool]:
    """Return what was looked at in words, and whether that is all there was to look at."""
    players = _players(notebook.ruleset)
    idle = idle_game(opening(notebook.ruleset, notebook.seed, 0, players))
    if not idle.over and len(idle.ends) < IDLE_TURNS:
        return f"idle play of {players} was given up", False
    if idle.over:
        _find_endless(notebook, players)
    if idle.winners or gained(idle) > 0:
        return f"idle play of {players} comes to an end or makes progress", True
    values: list[float] = []
    best, pays = None, mean(values)
    settled = players == 1 or bool(notebook.about)  # whether it is there is all that is looked for again
    while not settled and not budget.is_over:
        worth, line = acting(opening(notebook.ruleset, notebook.seed, len(values), players), len(values))
        budget.spend(2 * TURN_S * len(line.line))
        values.append(worth)
        best = line if worth > 0 and best is None else best
        pays = mean(values)
        settled = len(values) == DUELS or (pays.n >= TOLD and not pays.low <= PAYS < pays.high)
    end = "the game ends without a winner" if idle.over else f"after {IDLE_TURNS} turns the game has not ended"
    _write_idle(notebook, idle, end, pays, best)
    told = f"; one seat acting against idle ones on {len(values)} deals" if values else ""
    return f"idle play of {players}: {end}{told}", settled


def _find_endless(notebook: Notebook, players: int) -> None:
    """Write down that a game need not end, where idle play ends it only if nobody has acted before."""
    position = opening(notebook.ruleset, notebook.seed, 0, players)
    game = position.game
    if game.most_turns(position.table()) is not None:
        return
    for turns in LATER:
        begun = play(position, guided(position, 0, WAYS), turns)
        rest = play(position.after(State(begun.table)), partial(quietest, game), IDLE_TURNS)
        if not begun.over and not rest.over and len(rest.ends) == IDLE_TURNS and gained(rest) <= 0:
            claim = f"the game need not end: if all idle after {turns} turns, it goes on {IDLE_TURNS} turns later"
            witness, data = Witness(position, (*begun.line(), *rest.line())), {"turns": turns, "seed": notebook.seed}
            notebook.add("STALL", NO_END, Level.WARNING, claim, witness=witness, data=data)
            return


def _write_idle(notebook: Notebook, idle: Recorded, end: str, pays: Estimate, best: Witness | None) -> None:
    """Write the finding down; a warning where acting was tried often enough and hardly pays."""
    players = idle.position.players
    claim = f"nothing forces anybody to act: if all {players} do as little as possible, {end} and nobody has gained"
    if players == 1:
        claim = f"nothing forces the player to act: doing as little as possible, {end}"
    elif pays.n >= TOLD:
        claim += f"; acting against idle seats wins more than it loses by {pays.words} of games, seed {notebook.seed}"
    else:
        claim += f"; whether acting against idle seats pays was not settled ({pays.n} of {TOLD} deals at least)"
    harmless = players == 1 or pays.n < TOLD or pays.high > PAYS
    notebook.add(
        "STALL",
        "idle play",
        Level.NOTE if harmless else Level.WARNING,
        claim,
        witness=Witness(idle.position, idle.line()),
        data={
            "ends": idle.over,
            "gained": gained(idle),
            "players": players,
            "acting": None if pays.n < TOLD else {"mean": pays.value, "low": pays.low, "high": pays.high, "n": pays.n},
            "acting_wins": None if best is None else list(best.steps),
            "seed": notebook.seed,
        },
    )


# Waiting


def _find_waiting(notebook: Notebook, budget: Budget) -> tuple[str, bool]:
    players = _players(notebook.ruleset)
    waits = [Wait(0, Witness(opening(notebook.ruleset, notebook.seed, 0, players), ()), to_the_end=False)]
    for number in range(GAMES):
        if budget.is_over:
            break
        waits.append(longest_wait(opening(notebook.ruleset, notebook.seed, number, players), number))
    longest, games = max(waits, key=lambda each: each.rounds), len(waits) - 1
    if hit := sum(each.rounds >= WAITS for each in waits):
        last = ", to the end of the game" if longest.to_the_end else ""
        notebook.add(
            "STALL",
            "forced waiting",
            Level.WARNING,
            f"a seat has no choice for {longest.rounds} rounds{last}: one legal move each turn, and no progress; "
            f"so in {share(hit, games).words} of random games, seed {notebook.seed}",
            witness=longest.witness,
            measure=longest.rounds,
            data={"rounds": longest.rounds, "games": games, "hit": hit, "seed": notebook.seed},
        )
    in_a_row = count(longest.rounds, "round")
    return f"waiting in {games} random games of {players}, {in_a_row} in a row at most", games == GAMES


def _players(ruleset: Ruleset) -> int:
    """Return two players, or as near to that as a ruleset allows."""
    least, most, _ = ruleset.definition.players_allowed(ruleset)
    return sorted((least, 2, most))[1]


class Wait(NamedTuple):
    """Own turns in a row in which a seat of a game had one legal move only and came no further."""

    rounds: int
    """Rounds that the first and the last of them lie apart."""
    witness: Witness
    """The game up to the last of them."""
    to_the_end: bool


def longest_wait(position: Position, seed: int) -> Wait:
    """Return the longest wait of any seat in a random game."""
    game = position.game
    played = play(position, guided(position, mix(seed), 1), WATCHED)
    since: dict[int, int] = {}
    best, length, longest, last = 0, 0, -1, False
    for turn, (table, end) in enumerate(zip(played.tables, played.ends, strict=False), start=1):
        seat = mover(game, table)
        if len(game.legal_moves(State(table))) > 1 or game.progress(end.table, seat) > game.progress(table, seat):
            since.pop(seat, None)
            continue
        rounds = game.days(table, seat) - since.setdefault(seat, game.days(table, seat)) + 1
        if rounds > best:
            best, length, longest = rounds, turn, seat
        last = seat == longest and rounds == best
    return Wait(best, Witness(position, played.line(length)), last and played.over)


# Games that nobody wins


def _find_out_of_reach(notebook: Notebook, budget: Budget) -> tuple[str, bool]:
    """Write down that hardly a whole game is won, where many are under the base."""
    if notebook.other is None:
        return "wins of whole games only beside a base", True
    both = notebook.ruleset, notebook.other
    own, before = (
        sampled(one, one.definition.players_allowed(one)[0], notebook.seed, budget, most=UNWON, beside=other)
        for one, other in (both, both[::-1])
    )
    now, then = (share(sum(not end.winners for end in games.ends), len(games.ends)) for games in (own, before))
    if now.value >= LOST and then.n and then.high < LOST / 2:
        longest = count(max(end.length for end in own.ends), own.unit)
        claim = "the goal is out of reach of whole games by a rule of thumb:"
        claim = f"{claim} {now.words} are not won within {longest}, {then.words} under the base"
        notebook.add_share("STALL", "out of reach", claim, now, then, size="not won: ")
    told = f"{len(own.ends)} whole games, {percent(now.value)} of them not won"
    return told, own.complete and before.complete


# Dead ends


def _find_dead_ends(notebook: Notebook, budget: Budget) -> tuple[str, bool]:
    """Write down the first table found from which nobody gets on, and return what was looked at in words."""
    ruleset = notebook.ruleset
    tried = 0
    if ruleset.definition.players_allowed(ruleset)[0] > 1:
        return "dead ends only where one can play alone", True
    for deal in range(DEALS):
        position = opening(ruleset, notebook.seed, deal)
        for witness, table in chain(_walked(position), _wasted(position, deal)):
            if budget.is_over:
                return f"dead ends at {tried} tables", False
            tried += 1
            if words := stuck(witness.position, table):
                claim, data = f"a dead end: after {len(witness.line)} moves {words}", {"seed": notebook.seed}
                more: dict[str, Any] = {"witness": witness, "size": words, "measure": -len(witness.line), "data": data}
                notebook.add("STALL", DEAD_END, Level.WARNING, claim, **more)
                return f"dead ends at {tried} tables, one found", True
    return f"dead ends at {tried} tables on the way, and where all was wasted, none found", True


def _walked(position: Position) -> Iterator[tuple[Witness, Any]]:
    """Yield the start, then tables of a walk from where fewest were with as much progress, and then from the least."""
    game, witness, table = position.game, Witness(position, ()), position.table()
    left: list[tuple[int, int, int, Witness, Any]] = []
    seen: Counter[int] = Counter()
    known = {table}
    yield witness, table
    for _ in range(WALKED):
        for end in kinds_of_ends(game, table, WALK_WAYS):
            progress = game.progress(end.table)
            if progress < game.profile.target and end.table not in known:
                on = Witness(position, (*witness.line, *texts(end)))
                heappush(left, (seen[progress], progress, len(known), on, end.table))
                known.add(end.table)
                seen[progress] += 1
        if not left:
            return
        *_, witness, table = heappop(left)
        yield witness, table


def _wasted(position: Position, seed: int) -> Iterator[tuple[Witness, Any]]:
    """Yield the last table of a game in which everything is wasted that can be."""
    game, generator = position.game, SplitMix64(mix(seed))

    def choose(table: Any) -> TurnEnd[Any]:
        ends = [game.sample_turn(table, generator) for _ in range(WASTES)]
        return min(ends, key=lambda each: (len(game.hand(each.table)), game.progress(each.table)))

    played = play(position, choose, WASTED)
    if not played.over:
        yield Witness(position, played.line()), played.table


def stuck(position: Position, table: Any) -> str:
    """Return that nobody gets on from a table, as a search proves it, or an empty hand shows; nothing where not so."""
    game = position.game
    whole, left = game.most_turns(position.table()), game.most_turns(table)
    if whole is not None and left is not None and 2 * left < whole:
        return ""  # so late it is the rules that end the game
    if _gets_on(game, table):
        return ""
    if not game.hand(table):
        return f"no card is left: no random play gets on within {PAUSE} turns, and none draws a card"
    if clock_of(position) is not None:
        return ""
    here = game.progress(table)
    goal = Goal(Objective.MAX_DISTANCE, game.profile.target, STUCK)
    asked = AuditQuestion("dead end", position.after(State(table)), goal, None, "")
    answer = solved(asked, Budget(SEARCH_S, clock=WorkClock()))
    if answer.bound is None or answer.bound > here:
        return ""
    return f"nothing leads beyond {game.profile.unit} {here} within {STUCK} turns, and no random play within {PAUSE}"


def _gets_on(game: Race[Any], table: Any) -> bool:
    """Return whether random play from a table makes progress, or fills an empty hand."""
    generator = SplitMix64(0)
    before, had = game.progress(table), bool(game.hand(table))
    for _ in range(TRIES):
        now = table
        for _ in range(PAUSE):
            if game.is_over(now):
                break
            now = game.sample_turn(now, generator).table
            if game.progress(now) > before or (not had and game.hand(now)):
                return True
    return False
