"""``STALL``: play that comes to nothing: everybody idle, a seat that can only wait, a goal out of reach for good.

- *Idle play*: every seat takes the way through its turn that changes the table least. If the game then ends without a
  winner, or does not end, nothing forces anybody to act. Whether acting pays is tried by playing the same deals with
  one seat that acts; a line in which it wins shows that staying idle is no best answer there.
- *Waiting*: in random play, own turns in a row in which a seat has one legal move only and it changes nothing but time.
- *Dead ends*: tables of long random play from which nothing that can still be reached has the goal. Proved by walking
  everything that can be reached, all chance included, up to ``STATES`` tables that differ in more than time.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final

from rules.core.chance import SplitMix64, mix
from rules.core.position import Position, new_position
from rules.core.race import Race, tally
from rules.core.turns import State, TurnEnd
from solver.audit.finding import Finding, Level, Notebook, Searched, Witness, place_of
from solver.audit.play import WAYS, Estimate, dealt, guided, mean, mover, play, race_of, share, texts
from solver.search.budget import Budget

QUIET_WAYS: Final = 15
"""First ways through a turn, and as many random ones, among which the one that changes least is looked for."""
TOLD: Final = 10
"""Deals under which a mean is not told."""
IDLE_TURNS: Final = 200
"""Turns of all players after which idle play is taken to go on for ever."""
ACTING_ROUNDS: Final = 100
"""Rounds after which a seat that acts is taken not to win: turns would not do, where a round has many of them,"""
ACTING_TURNS: Final = 100_000
"""and turns that no game has in so many rounds."""
DUELS: Final = 40
"""Deals on which one seat acts and the others stay idle."""
GAMES: Final = 12
"""Games of random play in which seats are watched for waiting, and as many in which dead ends are looked for."""
WATCHED: Final = 400
"""Turns of such a game at most."""
WAITS: Final = 3
"""Own turns of waiting in a row that are worth telling."""
STATES: Final = 1500
"""Tables that may be walked to prove one dead end."""
WASTES: Final = 12
"""Ways through a turn of which a wasteful player takes the one that leaves least."""
TRIES: Final = 5
"""Random ways to play on from a table that is to be a dead end."""
PAUSE: Final = 40
"""Turns without progress after which a table is tried."""


@dataclass(frozen=True, slots=True)
class Idle:
    """How a game goes in which everybody does as little as possible."""

    witness: Witness
    ends: bool
    winners: tuple[int, ...]
    progress: int
    """What the seats together have gained."""


def quietest(game: Race[Any], table: Any) -> TurnEnd[Any]:
    """Return the way through a turn that changes the table least, the first in order of equal ones."""
    before = _leaves(game.encode(table))
    generator = SplitMix64(0)
    ways = [*islice(game.turn_ends(table), QUIET_WAYS)]
    if len(ways) == QUIET_WAYS:  # else these are all there are
        ways += [game.sample_turn(table, generator) for _ in range(QUIET_WAYS)]
    return min(ways, key=lambda end: (_differences(before, _leaves(game.encode(end.table))), _text(end)))


def _text(end: TurnEnd[Any]) -> str:
    return "; ".join(texts(end))


def _leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Return the scalars of a state object by path; a list of texts counts as a multiset."""
    if isinstance(value, dict):
        parts = [_leaves(inner, f"{path}.{key}") for key, inner in value.items()]
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        parts = [_leaves(inner, f"{path}.{place}") for place, inner in enumerate(value)]
    elif isinstance(value, list):
        counted: dict[str, Any] = {}
        for inner in value:
            counted[f"{path}:{inner}"] = counted.get(f"{path}:{inner}", 0) + 1
        return counted
    else:
        return {path: value}
    return {key: leaf for part in parts for key, leaf in part.items()}


def _differences(before: dict[str, Any], after: dict[str, Any]) -> int:
    return sum(1 for key in {*before, *after} if before.get(key) != after.get(key))


def idle_game(position: Position) -> Idle:
    """Return the game in which every seat does as little as possible."""
    game = race_of(position)
    played = play(position, partial(quietest, game), IDLE_TURNS)
    start, end = position.table(), played.table
    gained = sum(game.progress(end, seat) - game.progress(start, seat) for seat in range(position.players))
    return Idle(Witness(position, played.line()), played.over, played.winners, gained)


def acting(position: Position, seed: int) -> tuple[float, Witness]:
    """Return how one acting seat fares against idle ones, 1 for a win and -1 for a loss, and the line.

    The seat takes the better of ``WAYS`` random ways through each turn.
    """
    game, lively = race_of(position), guided(position, mix(seed), WAYS)
    seat = mover(game, position.table())
    last = game.days(position.table(), seat) + ACTING_ROUNDS

    def choose(table: Any) -> TurnEnd[Any]:
        return lively(table) if mover(game, table) == seat else quietest(game, table)

    played = play(position, choose, ACTING_TURNS, stop=lambda table: game.days(table, seat) >= last)
    winners = played.winners
    worth = 0.0 if not winners else 1.0 if winners == (seat,) else 0.0 if seat in winners else -1.0
    return worth, Witness(position, played.line())


def find_stall(notebook: Notebook) -> None:
    """Write down what comes to nothing."""
    budget = notebook.budget
    told = [
        _find_idle(notebook, budget.share(0.4)),
        _find_waiting(notebook, budget.share(0.5)),
        _find_dead_ends(notebook),
    ]
    words, complete = zip(*told, strict=True)
    notebook.searched.append(Searched("STALL", "; ".join(words), all(complete) and not budget.is_over))


# Idle play


def _find_idle(notebook: Notebook, budget: Budget) -> tuple[str, bool]:
    """Return what was looked at in words, and whether that is all there was to look at."""
    least, most = notebook.ruleset.definition.players_allowed(notebook.ruleset)
    players = min(max(least, 2), most)
    idle = idle_game(dealt(notebook.ruleset, players, notebook.seed, 0))
    if idle.winners or idle.progress > 0:
        return f"idle play of {players} comes to an end or makes progress", True
    values: list[float] = []
    best: Witness | None = None
    if players > 1:
        for number in range(DUELS):
            if budget.is_over:
                break
            worth, line = acting(dealt(notebook.ruleset, players, notebook.seed, number), number)
            values.append(worth)
            best = line if worth > 0 and best is None else best
    pays = mean(values)
    end = "the game ends without a winner" if idle.ends else f"after {IDLE_TURNS} turns the game has not ended"
    notebook.add(_idle_finding(notebook, idle, end, pays, best, players))
    told = f"; one seat acting against idle ones on {len(values)} deals" if players > 1 else ""
    return f"idle play of {players}: {end}{told}", players == 1 or len(values) == DUELS


def _idle_finding(
    notebook: Notebook, idle: Idle, end: str, pays: Estimate, best: Witness | None, players: int
) -> Finding:
    """Return the finding; a warning where acting was tried often enough and not shown to pay."""
    claim = f"nothing forces anybody to act: if all {players} do as little as possible, {end} and nobody has gained"
    if players == 1:
        claim = f"nothing forces the player to act: doing as little as possible, {end}"
    elif pays.n >= TOLD:
        claim += f"; acting against idle seats is worth {pays.words} (1 a win, -1 a loss), seed {notebook.seed}"
    else:
        claim += f"; whether acting against idle seats pays was not settled ({pays.n} of {TOLD} deals at least)"
    harmless = players == 1 or pays.n < TOLD or pays.low > 0
    return Finding(
        code="STALL",
        subject="idle play",
        level=Level.NOTE if harmless else Level.WARNING,
        claim=claim,
        place=place_of(notebook.ruleset, ()),
        witness=idle.witness,
        measure=None,
        data={
            "ends": idle.ends,
            "gained": idle.progress,
            "players": players,
            "acting": None if pays.n < TOLD else {"mean": pays.value, "low": pays.low, "high": pays.high, "n": pays.n},
            "acting_wins": None if best is None else list(best.steps),
            "seed": notebook.seed,
        },
    )


# Waiting


def _find_waiting(notebook: Notebook, budget: Budget) -> tuple[str, bool]:
    least, most = notebook.ruleset.definition.players_allowed(notebook.ruleset)
    players = min(max(least, 2), most)
    longest = Wait(0, Witness(dealt(notebook.ruleset, players, notebook.seed, 0), ()), to_the_end=False)
    games = hit = 0
    while games < GAMES and not budget.is_over:
        found = longest_wait(dealt(notebook.ruleset, players, notebook.seed, games), games)
        games += 1
        hit += found.rounds >= WAITS
        longest = max(longest, found, key=lambda each: each.rounds)
    if longest.rounds >= WAITS:
        last = ", to the end of the game" if longest.to_the_end else ""
        notebook.add(
            Finding(
                code="STALL",
                subject="forced waiting",
                level=Level.WARNING,
                claim=(
                    f"a seat has no choice for {longest.rounds} rounds{last}: one legal move each turn, and no "
                    f"progress; so in {share(hit, games).words} of random games, seed {notebook.seed}"
                ),
                place=place_of(notebook.ruleset, ()),
                witness=longest.witness,
                measure=longest.rounds,
                data={"rounds": longest.rounds, "games": games, "hit": hit, "seed": notebook.seed},
            )
        )
    return f"waiting in {games} random games of {players}, {longest.rounds} rounds in a row at most", games == GAMES


@dataclass(frozen=True, slots=True)
class Wait:
    """Own turns in a row in which a seat of a game had one legal move only and came no further."""

    rounds: int
    """Rounds that the first and the last of them lie apart."""
    witness: Witness
    """The game up to the last of them."""
    to_the_end: bool


def longest_wait(position: Position, seed: int) -> Wait:
    """Return the longest wait of any seat in a random game."""
    game = race_of(position)
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


# Dead ends


def _find_dead_ends(notebook: Notebook) -> tuple[str, bool]:
    ruleset, budget = notebook.ruleset, notebook.budget
    players = ruleset.definition.players_allowed(ruleset)[0]
    games = tried = 0
    found: tuple[Witness, int] | None = None
    while games < GAMES and not budget.is_over:
        position = new_position(ruleset, players, mix(notebook.seed ^ mix(games)), ())
        for line, table in _pauses(position, games):
            if budget.is_over:
                break
            tried += 1
            walked = dead_end(position.game, table, budget)
            if walked is not None and (found is None or len(line) < len(found[0].line)):
                found = Witness(position, line), walked
        games += 1
    if found is not None:
        witness, walked = found
        notebook.add(
            Finding(
                code="STALL",
                subject="dead end",
                level=Level.WARNING,
                claim=(
                    f"play can come to a table from which the goal is out of reach for good: all that can follow, "
                    f"{walked} tables that differ in more than time, was walked"
                ),
                place=place_of(ruleset, ()),
                witness=witness,
                measure=-len(witness.line),
                data={"tables": walked, "seed": notebook.seed},
            )
        )
    none = "" if found is not None else f", none proved within {STATES} tables each"
    told = f"dead ends at {tried} tables without progress in {games} random games with hidden chance{none}"
    return told, not budget.is_over


def _pauses(position: Position, seed: int) -> list[tuple[tuple[str, ...], Any]]:
    """Return the tables of a random game, and of a wasteful one, at which nothing has moved for a while."""
    game = race_of(position)
    found = []
    for ways in (1, WASTES):
        generator = SplitMix64(mix(seed))

        def choose(table: Any, generator: SplitMix64 = generator, ways: int = ways) -> TurnEnd[Any]:
            ends = [game.sample_turn(table, generator) for _ in range(ways)]
            return min(ends, key=lambda each: _holdings(game, each.table))

        played = play(position, choose, WATCHED)
        best, since = game.progress(position.table()), 0
        for turn, end in enumerate(played.ends, start=1):
            since = since + 1 if game.progress(end.table) <= best else 0
            best = max(best, game.progress(end.table))
            if since == PAUSE:
                found.append((played.line(turn), end.table))
                since = 0
    return found


def _holdings(game: Race[Any], table: Any) -> int:
    """Return how many texts the state object holds in the parts of the seats: what is left to play with."""
    state = game.encode(table)
    heads = {path.split(".")[0] for path in game.goods if "*" in path}
    return sum(_texts(state.get(head)) for head in heads)


def _texts(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_texts(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(isinstance(inner, str) or _texts(inner) for inner in value)
    return 0


def dead_end(game: Any, table: Any, budget: Budget) -> int | None:
    """Return how many tables can follow if the first seat can never have the goal, nothing where that is not proved.

    Tables count as one where they differ in nothing but time; every choice of every seat and every result of chance
    is walked. Reaching the goal, or more than ``STATES`` tables, ends the walk without a proof.
    """
    target = game.default_target()
    if _gets_on(game, table):
        return None
    seen = {_timeless(game, table)}
    queue = deque([table])
    while queue:
        if budget.is_over or len(seen) > STATES:
            return None
        now = queue.popleft()
        if game.progress(now) >= target:
            return None
        if game.is_over(now):
            continue
        for end in game.turn_ends(now):
            if budget.is_over:
                return None
            key = _timeless(game, end.table)
            if key not in seen:
                seen.add(key)
                queue.append(end.table)
                if len(seen) > STATES:
                    return None
    return len(seen)


def _gets_on(game: Race[Any], table: Any) -> bool:
    """Return whether random play from a table makes progress: then a walk would be in vain, most likely."""
    generator = SplitMix64(0)
    before = game.progress(table)
    for _ in range(TRIES):
        now = table
        for _ in range(PAUSE):
            if game.is_over(now):
                break
            now = game.sample_turn(now, generator).table
            if game.progress(now) > before:
                return True
    return False


def _timeless(game: Race[Any], table: Any) -> tuple[str, tuple[tuple[str, int], ...]]:
    taken = tally(game, table)
    return taken.rest, tuple(sorted(taken.goods.items()))
