"""Play on the same draws: races of the adviser and of plain ways to play, what chance brought a game, what cards are.

Where cards are counted, every seat takes the better of a few random ways through each turn
(``solver.audit.play.played``). People who do not plan play so: such figures show where to look, and prove nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import inf
from operator import gt, lt, sub
from statistics import fmean
from time import monotonic
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, forbids, question_of
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.files import data_file
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.scripts import ChanceOutcome, SplitMix64, Step, mix
from rules.core.tools.output import picked, plain
from rules.core.turns import State
from solver.audit.play import Estimate, Recorded, mean, mover, opening, played, share, texts
from solver.engines.hidden import best_hidden
from solver.engines.playouts import RowTrees, row_trees
from solver.engines.sampled import average, interval
from solver.executor import executor
from solver.question import Question, refuse_unknown
from solver.render import EMPTY, Row, bar, table
from solver.screens.common import SCHEMA, count, percent
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rollout import AHEAD, POLICIES, Draws, Playing

BEST: Final = "best"
"""The player who asks for the best move before every decision."""
PLAIN: Final = "plain"
"""The player whom the adviser has to improve on: the game's own rollout policy, without a search."""
PLAYERS: Final = (BEST, PLAIN, *POLICIES)
"""Ways to play a simulated race; not every game has plain play."""
PLAYOUTS: Final = 200
"""Playouts behind each move of the adviser where nothing else is said."""
DECISION_S: Final = 0.002
"""About the seconds that a decision takes a player who does not search."""
PLAYOUT_S: Final = 0.008
"""About the seconds of a playout."""
TURN_S: Final = 0.0005
"""About the seconds of a turn by players who do not plan."""
PAIRS: Final = 60
"""Most pairs of playouts for what chance brought between two decisions, where no time is given."""
ALL_PAIRS: Final = 600
"""Most pairs of playouts for all that chance brought, where no time is given."""
LEAST: Final = 4
"""Pairs under which nothing is said."""
TURNS: Final = 9
"""Own turns after which the distance is taken, the one under way included."""


class Request(NamedTuple):
    """What is to be played."""

    start: Ruleset | Position
    """A ruleset's setup, dealt anew for each game, or one position."""
    players: tuple[str, ...] = ()
    """Ways to play; all that the game has if there are none."""
    games: int = 1
    playouts: int = PLAYOUTS
    """Playouts behind each move of the adviser, where ``move_s`` says no time for it."""
    move_s: float | None = None
    target: int | None = None
    most_turns: int = 250
    """Own turns after which a race is given up."""
    seed: int = 0

    def question(self, game: int = 0) -> tuple[Position, Goal]:
        """Return where a game begins and its goal.

        Raises:
            BestlineError: nothing is hidden in the position, or the own hand has unknown cards.
            UnsupportedRuleset: several players have turns.
        """
        start = self.start
        position = start if isinstance(start, Position) else new_position(start, 1, self.seed + game, ())
        if position.players > 1:
            raise UnsupportedRuleset([f"simulating races of {position.players} players"])
        refuse_unknown(position, 0)
        if not position.hidden:
            raise BestlineError("nothing is hidden here, so there is nothing to simulate; 'bestline solve' tells all")
        wanted = {"objective": Objective.MIN_TURNS.value} | ({} if self.target is None else {"target": self.target})
        return question_of(wanted, position)


class Played(NamedTuple):
    """One race by one player."""

    turns: int | None
    """Own turns to the target; nothing where it was given up."""
    decisions: int


class Simulation(NamedTuple):
    """Races by several players, game by game on the same draws."""

    request: Request
    """With the players that played."""
    position: Position
    """Where the first game begins."""
    goal: Goal
    games: tuple[tuple[Played, ...], ...]
    """For every game that all have played, what each made of it, in the order of the players."""
    interrupted: bool

    def races(self, player: str) -> list[Played]:
        """Return all races of a player, game by game."""
        place = self.request.players.index(player)
        return [game[place] for game in self.games]

    def player_data(self, player: str) -> dict[str, Any]:
        """Return the races of a player with their mean for JSON, a race given up counted as over then."""
        races, most = self.races(player), self.request.most_turns
        finished = sum(race.turns is not None for race in races)
        return {
            "player": player,
            "finished": finished,
            "turns": [race.turns for race in races],
            **(_mean([most if race.turns is None else race.turns for race in races], 0, most) if races else {}),
            "bound": "at least" if finished < len(races) else None,
            "decisions": sum(race.decisions for race in races),
        }

    def compared(self, one: str, other: str) -> dict[str, Any]:
        """Return how many turns more one player takes than another for JSON; nothing where a race was given up."""
        ours, theirs = ([inf if race.turns is None else race.turns for race in self.races(who)] for who in (one, other))
        gaps = {"mean": None, "interval": None}
        if inf not in (*ours, *theirs):
            most = self.request.most_turns
            gaps = _mean(list(map(sub, ours, theirs)), -most, most)
        ahead = {"quicker": sum(map(lt, ours, theirs)), "slower": sum(map(gt, ours, theirs))}
        return {"players": [one, other], **gaps, **ahead}


def _mean(values: Sequence[float], least: int, most: int) -> dict[str, Any]:
    """Return the average of at least one value with its interval; all values lie between ``least`` and ``most``."""
    within = interval(list(map(float, values)), most - least) if len(values) > 1 else None
    return {"mean": fmean(values), "interval": plain(within and (max(least, within[0]), min(most, within[1])))}


def simulate(request: Request, limit: Budget | None = None, *, jobs: int = 1) -> Simulation:
    """Play races with everything hidden, in ``jobs`` processes.

    Every player of a game meets the same draws: the numbers that bring them are the same, one stream for each source.
    Ctrl-C and the limit end it with the games that all players have played.

    Raises:
        BestlineError: a way to play is unknown, or nothing is hidden in the position.
        UnsupportedRuleset: several players have turns.
    """
    for player in request.players:
        if player not in PLAYERS:
            raise BestlineError(f"'{player}' is no way to play; there are {', '.join(PLAYERS)}")
    position, goal = request.question()
    game, start = position.start()
    is_plain = row_trees(game, start, goal, 0) is not None
    players = request.players or tuple(player for player in PLAYERS if player != PLAIN or is_plain)
    request = request._replace(players=players)
    if PLAIN in players and not is_plain:
        raise UnsupportedRuleset(["plain play"])
    limit = limit or Budget()
    budget = limit.start()
    until = None if limit.time_s is None or limit.steady else monotonic() + limit.time_s
    work_s = limit.time_s if limit.steady else None
    done: list[tuple[Played, ...]] = []
    interrupted = False
    try:
        with executor(jobs) as where:
            for races in where.map(partial(_play, request, until, work_s), range(request.games)):
                budget.check()
                done.append(races)
                both = zip(players, races, strict=True)
                budget.spend(sum(race.decisions * _decision_s(request, player) for player, race in both))
    except BudgetExceeded:  # what was played of the game under way does not count
        pass
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(request, position, goal, tuple(done), interrupted)


def _decision_s(request: Request, player: str) -> float:
    """Return the seconds that a decision of a player takes, about."""
    return DECISION_S + (request.playouts * PLAYOUT_S if player == BEST else 0)


def _play(request: Request, until: float | None, work_s: float | None, number: int) -> tuple[Played, ...]:
    """Return what each player makes of one game; ``until`` is when play stops, by the clock of this machine.

    A race stops after ``work_s`` too, in seconds of work that its decisions count.
    """
    return tuple(_race(request, number, player, until, work_s) for player in request.players)


def _race(request: Request, number: int, player: str, until: float | None, work_s: float | None) -> Played:
    """Return what a player makes of a game, with a look at the clock before each turn and after playouts."""
    (position, goal), seed = request.question(number), request.seed + number
    game, start = position.start()
    draws, generator = Draws(seed), SplitMix64(mix(seed))
    trees = row_trees(game, start, goal, 0) if player == PLAIN else None
    policy = trees.liked if trees else None if player == BEST else POLICIES[player](game)
    table, pending, decisions = start.table, start.pending, 0
    last = game.turns(table, goal.seat) + request.most_turns

    def look(*_: object) -> None:
        is_worked = work_s is not None and decisions * _decision_s(request, player) > work_s
        if is_worked or (until is not None and monotonic() > until):
            raise BudgetExceeded

    def decide(script: Playing, seat: int, answers: Sequence[Step]) -> Step:
        nonlocal decisions
        decisions += 1
        if policy is not None:
            return policy(table, script, seat, answers, generator)
        if len(answers) == 1:
            return answers[0]
        here, advice_seed = position.after(State(table, tuple(script.steps))), generator.next()
        asked = Question(here, goal, Budget(request.move_s), seed=advice_seed, playouts=request.playouts)
        report = best_hidden(replace(asked, on_round=look), rivals=False)
        if report.interrupted:
            raise KeyboardInterrupt
        return next((each.move for each in report.moves[:1] if each.move in answers), answers[0])

    while game.turns(table, goal.seat) < last and not game.is_over(table):
        look()
        table, pending = game.play_turn(table, Playing(pending, draws, decide)), ()
        if game.progress(table, goal.seat) >= goal.target:
            return Played(game.turns(table, goal.seat) - last + request.most_turns, decisions)
    return Played(None, decisions)


# What chance brought a recorded game


class Luck(NamedTuple):
    """What chance brought, in units of progress: less than 0 for bad luck, with the 95 % interval."""

    luck: Fraction
    interval: tuple[float, float]
    turns: int
    """Own turns after which the distance is taken, the one under way included."""
    draws: int
    """Results of chance that it is about."""

    @property
    def is_settled(self) -> bool:
        """Whether it is luck for sure, or bad luck."""
        low, high = self.interval
        return low > 0 or high < 0


def sampled_luck(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], limit: Budget, *, seed: int
) -> dict[int, Luck]:
    """Return what chance brought, by the place of the last of the results that it is about.

    That is a difference of two playouts of plain play, from before and from after it. Both measure the distance after
    the same turn and read nothing that is hidden. Draws that are still unknown are the same in both. ``goal`` is that
    of the first of ``states``; each of ``steps`` leads from one to the next. Nothing is said where it is not far.
    """
    stretches = dict(_stretches(game, goal, states, steps, seed))
    pairs = {last: list[float]() for last in stretches}
    budget = limit.start()
    most = max(LEAST, min(PAIRS, ALL_PAIRS // (len(stretches) or 1)))
    with suppress(BudgetExceeded):
        while stretches and (limit.time_s is not None or any(len(each) < most for each in pairs.values())):
            for last, (_, _, sides) in stretches.items():
                budget.check()
                spent_s = sum(side.spent_s for side in sides)
                before, after = (float(side.play(side.here(), len(pairs[last]))) for side in sides)
                pairs[last].append(after - before)
                budget.spend(sum(side.spent_s for side in sides) - spent_s)
    return {
        last: Luck(average(pairs[last]), interval(pairs[last], sum(side.width for side in sides)), turns, draws)
        for last, (draws, turns, sides) in stretches.items()
        if len(pairs[last]) >= LEAST
    }


def _stretches(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], seed: int
) -> Iterator[tuple[int, tuple[int, int, Sequence[RowTrees]]]]:
    """Yield the last places of results of chance between two decisions, as long as the goal is far.

    With them come their number, the own turns played after them, and playouts from before them and from after them.
    """
    first, end = game.turns(states[0].table, goal.seat), 0
    for is_luck, group in groupby(steps, lambda step: isinstance(step, ChanceOutcome)):
        begin = end
        end += len(list(group))
        before, after = states[begin], states[end]
        left = None if goal.within_turns is None else goal.within_turns - game.turns(before.table, goal.seat) + first
        if not is_luck or (left is not None and left <= AHEAD):
            continue
        turns = TURNS if left is None else min(TURNS, left)
        sides = [
            row_trees(game, state, replace(goal, objective=Objective.MAX_DISTANCE, within_turns=ahead), seed)
            for state, ahead in ((before, turns), (after, turns if after.pending else turns - 1))
        ]
        known = [side for side in sides if side is not None]
        if len(known) == len(sides):
            yield end - 1, (end - begin, turns, known)


# What each card is to whole games: who wins with it, how often it is played or pays, and what a turn with it brings

HEADS: Final = ("card", "held", "won", "low", "high", "played", "paid", "price", "gain")
"""The columns, as CSV names them."""


@dataclass(slots=True)
class CardUse:
    """What one card was to the seats that had it in the hand."""

    card: str
    price: int | None
    """Cards that its play costs; nothing where the game does not say it in numbers."""
    held: int = 0
    """Seats that had it, each in one game."""
    decided: int = 0
    """Those of them whose game had one winner,"""
    wins: int = 0
    """and which were that winner."""
    turns: int = 0
    """Turns of these seats that began with it in the hand,"""
    played: int = 0
    """those in which it was played,"""
    paid: int = 0
    """and those in which it paid for another one."""
    gains: list[float] = field(default_factory=list)
    """Progress of each turn in which it was played."""

    @property
    def won(self) -> Estimate:
        """Return the share of the seats with the card that have won, of those whose game had one winner."""
        return share(self.wins, self.decided)


@dataclass(slots=True)
class Balance:
    """All cards of a ruleset in some games."""

    ruleset: Ruleset
    players: int
    seed: int
    uses: dict[str, CardUse]
    games: int = 0
    complete: bool = True

    @property
    def cards(self) -> list[CardUse]:
        """Return the cards that anybody held, those that won most often first."""
        return sorted((use for use in self.uses.values() if use.held), key=lambda use: (-use.won.value, use.card))

    @property
    def prices(self) -> Iterator[tuple[int, Estimate]]:
        """Yield each price with the progress of a turn in which a card of that price was played."""
        gains: Mapping[int, list[float]] = defaultdict(list)
        for use in self.uses.values():
            if use.price is not None:
                gains[use.price].extend(use.gains)
        yield from ((price, mean(gains[price])) for price in sorted(gains) if gains[price])


def balance(ruleset: Ruleset, games: int, seed: int, budget: Budget) -> Balance:
    """Return what each card was to so many games of two, or of as few players as there can be."""
    least, most, _ = ruleset.definition.players_allowed(ruleset)
    costs = [
        key for key, way in data_file(ruleset.definition.folder, "ops").get("compare", {}).items() if way == "less"
    ]
    uses = {}
    for card, entry in sorted(ruleset.raw.get("cards", {}).items()):
        numbers = [entry[cost] for cost in costs if isinstance(entry.get(cost), int)]
        uses[card] = CardUse(card, sum(numbers) if costs and len(numbers) == len(costs) else None)
    found = Balance(ruleset, min(max(least, 2), most), seed, uses)
    bans = ruleset.definition.bans(ruleset)
    while found.games < games and not budget.is_over:
        game = played(opening(ruleset, seed, found.games, found.players), found.games)
        budget.spend(len(game.ends) * TURN_S)
        _count(game, uses, bans)
        found.games += 1
    found.complete = found.games == games
    return found


def _count(game: Recorded, uses: Mapping[str, CardUse], bans: Mapping[str, frozenset[str]]) -> None:
    race = game.position.game
    held = [set[str]() for _ in range(game.position.players)]
    stages = defaultdict(list)  # of each turn: what is planned in one of them takes effect in a later one
    for before, end in zip(game.tables, game.ends, strict=False):
        seat = mover(race, before)
        stages[seat, race.turns(before, seat) // race.profile.stages].append((before, end))
    for (seat, _), parts in stages.items():
        before, after = parts[0][0], parts[-1][1].table
        hand = {*race.hand(before, seat)} & uses.keys()
        laid, paid = set[str](), set[str]()
        for text in (text for _, end in parts for text in texts(end)):
            move, _, payment = text.partition(" pay ")
            laid |= {card for card in bans.keys() & {*move.split()} if forbids(bans[card], text)}
            paid |= uses.keys() & {*payment.split()}
        held[seat] |= hand | laid
        for card in hand | laid:
            uses[card].turns += 1
            uses[card].played += card in laid
            uses[card].paid += card in paid
        for card in laid:
            uses[card].gains.append(race.progress(after, seat) - race.progress(before, seat))
    for seat, cards in enumerate(held):
        for card in cards:
            uses[card].held += 1
            uses[card].decided += len(game.winners) == 1
            uses[card].wins += game.winners == (seat,)


def balance_data(found: Balance) -> dict[str, Any]:
    """Return it as JSON."""
    cards = [
        {
            **picked(use, "card", "price", "held", "turns", "played", "paid"),
            "won": use.won.numbers,
            "gain": round(mean(use.gains).value, 3) if use.gains else None,
        }
        for use in found.cards
    ]
    return {
        "schema": SCHEMA,
        "command": "balance",
        "ruleset": found.ruleset.id,
        "fingerprint": found.ruleset.fingerprint,
        **picked(found, "games", "players", "seed", "complete"),
        "cards": cards,
        "prices": [{"price": price, "plays": gain.n, "gain": round(gain.value, 3)} for price, gain in found.prices],
    }


def balance_cells(found: Balance) -> list[Sequence[str]]:
    """Return the table, its heads first."""
    cells: list[Sequence[str]] = [HEADS]
    pays = any(use.paid for use in found.cards)
    for use in found.cards:
        won, paid = use.won, f"{use.paid / max(1, use.played + use.paid):.3f}" if pays else ""
        shares = (won.value, won.low, won.high, use.played / max(1, use.turns))
        gain = f"{mean(use.gains).value:.2f}" if use.gains else ""
        price = "" if use.price is None else str(use.price)
        cells.append((use.card, str(use.held), *(f"{each:.3f}" for each in shares), paid, price, gain))
    return cells


def balance_rows(found: Balance) -> list[Row]:
    """Return the screen: all cards, then what a turn brings by the price of the card played in it."""
    told = (
        f"{count(found.games, 'game')} of {found.players} by players who do not plan, seed {found.seed}. Won: of the "
        "seats that held the card, with the 95 % interval. Played: of the turns with it in the hand. Paid: of the "
        "turns in which it was used. Price: cards that its play costs. Gain: progress of a turn in which it was played."
    )
    rows = [Row(f"Cards of {found.ruleset.title}", look="title"), Row(told, look="quiet"), EMPTY]
    if not found.cards:
        return [*rows, Row("Nobody held a card.")]
    _, *exactly = balance_cells(found)
    cells = [(*each[:2], *(share and percent(float(share)) for share in each[2:7]), *each[7:]) for each in exactly]
    columns = [column for column in zip(HEADS, *cells, strict=True) if any(column[1:])]
    rows += table([*zip(*columns, strict=True)], headed=True)
    if prices := list(found.prices):
        most = max(1.0, *(gain.value for _, gain in prices))
        cells = [("price", "plays", "gain", "")]
        cells += [(str(price), str(gain.n), f"{gain.value:.2f}", bar(gain.value / most)) for price, gain in prices]
        rows += [EMPTY, Row("What a turn brings, by price", look="title"), *table(cells, headed=True, bars=3)]
    return rows
