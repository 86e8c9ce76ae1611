"""How far a seat can still get at most: an admissible bound on the position for the compact search.

The bound plays a game in which everything is at least as good as in the real one:

- *Order is free.* Every card that was in the hand or the deck to begin with can be played at any time, once; of what
  has become of them since, only the numbers of cards in hand and deck count. A turn is still one play, from the hand or
  as a risk card; that is what R14 and R29 leave (R11).
- *Speed.* After j plays that could raise it (dogs, attachments that change speed or what legs give, food and personal
  cards and whatever else lowers a condition), the speed is at most the best that any j of them can reach on any leg
  on the way, whichever dogs and attachments are then done without: free kills and removals can only choose among those
  subsets. A later leg gives at least its printed numbers, less what all available cards soften. The numbers are asked
  of the rules, for boards made for the question. Plays that raise speed count as done first. Food
  and personal cards lower a condition once they are on the table, paid or not (R21, R26), so they cost nothing.
- *Plays that do several things.* One play that raises speed, draws and moves counts for each, and takes one turn.
- *Distance.* Where a leg prints other distances for movement cards, they print the greater one everywhere (Q14).
  The automatic move is taken every turn; each movement card adds its distance at the final speed. A
  movement card with a risk needs at least that many turns after its own. Waiting movement cards arrive for nothing.
- *Cards.* A turn uses up a card of the hand, unless a waiting risk gives the card (R20, R33) or it goes to a second
  step (R40). So T turns need T + (energy costs of what is to take effect) cards: those held, those drawn, one for each
  risk still to be paid, present or future, and one for each second step. What they draw, pay for health and turn up as
  risks comes out of the deck, which never grows before a new day. Costs are the least that any leg and cards can make
  them. Where the cards are too few for so many turns they are for more: whoever takes more takes so many first, and
  that is a line of this game too.
- *Legs.* Who ends beyond the first space of a later leg has crossed it in some turn, not before the earliest turn in
  which this bound, with the legs before it alone, gets there. All moves before that turn end before that space; the
  one that crosses it starts before it; what comes after happens at speeds of the later legs.

Each real line of T turns is a line of that game, step by step, so no real line gets further than the best here. That
the bound never cuts an optimum is tested by searches without it.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.core.challenge import NEVER
from rules.iditacards.compact.board import BoardTables
from rules.iditacards.compact.profiles import Profile, Profiles
from rules.iditacards.compact.speed import SpeedTables
from rules.iditacards.compact.stock import (
    PLENTY,
    Distances,
    Stack,
    Stock,
    Stocks,
    Waiting,
    Ways,
    distance,
)


class View(NamedTuple):
    """What a hold offers to somebody with exactly so many turns; holds that differ in nothing that counts share it."""

    number: int
    turns: int
    stock: Stock
    waiting: Waiting
    ways: tuple[Ways, ...]
    arriving: tuple[Distances, ...]
    """Waiting movement cards that can come in time."""


class Hold:
    """What a seat has to play with: its risk stack, the cards of the day, its hand and deck by size."""

    __slots__ = ("cards", "deck", "number", "pool", "views", "waiting")

    def __init__(self, stocks: Stocks, number: int, name: tuple[Stack, int, int, int]) -> None:
        stack, pool, cards, deck = name
        waiting = stocks.waiting(stack)
        self.number = number
        self.waiting = waiting
        self.pool = pool
        self.deck = deck
        self.cards = cards + min(waiting.slots, deck + 1) + waiting.seconds + min(waiting.draws, deck)
        """Cards held, given by the waiting risks, or drawn by what waits: each takes one of the deck, but for one risk
        that fails without; and turns that no card is needed for."""
        self.views: dict[int, View] = {}
        """By the number of turns left."""


class Bound:
    """The bound on the way to one target; what it has worked out it remembers.

    A number of turns that is not enough is never asked about again, whatever horizon a search has: what is remembered
    is the least number, or how far it has been looked for.
    """

    name = "free order of cards"

    def __init__(
        self, speeds: SpeedTables, boards: BoardTables, stocks: Stocks, target: int, profiles: Profiles
    ) -> None:
        """Look at no leg beyond ``target``: no move that matters begins there."""
        self._speeds = speeds
        self._boards = boards
        self._stocks = stocks
        self.aim(target)
        self._profiles = profiles
        self._automatic = self._profiles.automatic
        self._holds: dict[tuple[Stack, int, int, int], Hold] = {}
        self._views: dict[tuple[int, int, int, int, int, tuple[Distances, ...]], View] = {}
        self._gains: dict[tuple[int, int, int], int] = {}
        self._won: dict[tuple[int, int], int] = {}
        self._beyond: dict[tuple[int, int, int, int], int] = {}

    def aim(self, target: int) -> None:
        """Take another target."""
        self._target = target
        self._last = self._speeds.section_of(max(0, target - 1))
        self._leasts: dict[tuple[int, int], int] = {}
        """By board and hold: twice a number of turns that no fewer are enough for, one more if it is enough itself."""
        self._known: dict[tuple[int, int], list[tuple[int, int, int, bool]]] = {}
        """By board and hold with plenty of cards: cards, deck, the turns they take at least, whether so many do."""

    def promising(self, turns: int, board: int, stack: Stack, cards: int, deck: int, pool: int | None = None) -> bool:
        """Return whether the target may be reached in at most ``turns`` more turns."""
        return self.least(turns, board, stack, cards, deck, pool) <= turns

    def least(self, most: int, board: int, stack: Stack, cards: int, deck: int, pool: int | None = None) -> int:
        """Return a number of turns that the target takes at least; ``most`` and one more stands for all beyond.

        ``cards`` and ``deck`` are the sizes of hand and deck; ``pool`` packs the cards that can still be played, where
        it is worth telling them from those of the whole day.
        """
        if self._boards.pos[board] >= self._target:
            return 0
        if most == 0:
            return 1
        relevant = self._stocks.relevant if pool is None else pool & self._stocks.counted
        wide = self._hold((stack, relevant, PLENTY, PLENTY))
        low = self._least(most, board, wide)
        # More cards never take more turns: what fewer and more of them take may settle it.
        known = self._known.setdefault((board, wide.number), [])
        high = NEVER + 1
        for held, size, turns, enough in known:
            if held >= cards and size >= deck and turns > low:
                low = turns
            if enough and held <= cards and size <= deck and turns < high:
                high = turns
        if low > most:
            return most + 1
        if high <= low:
            return low
        turns = self._least(most, board, self._hold((stack, relevant, cards, deck)), low)
        known.append((cards, deck, turns, turns <= most))
        return turns

    def _least(self, most: int, board: int, hold: Hold, low: int = 1) -> int:
        """Return the turns that the target takes at least, which are no fewer than ``low``."""
        name = (board, hold.number)
        known = self._leasts.get(name, 2)
        turns = max(known // 2, low)
        if known & 1 or turns > most:
            return min(turns, most + 1)
        pos, place = self._boards.pos[board], self._profiles.place(board)
        found = False
        while turns <= most and not found:
            if not self._view(turns, hold).ways:  # more turns than any line has
                self._leasts[name] = 2 * NEVER + 1
                return most + 1
            found = self._reaches(turns, pos, place, self._last, hold, self._target)
            turns += not found
        self._leasts[name] = 2 * turns + found
        return turns

    def _hold(self, name: tuple[Stack, int, int, int]) -> Hold:
        hold = self._holds.get(name)
        if hold is None:
            hold = self._holds[name] = Hold(self._stocks, len(self._holds), name)
        return hold

    def _reaches(self, turns: int, pos: int, place: int, last: int, hold: Hold, target: int) -> bool:
        """Return whether ``target`` may be reached in exactly so many turns over legs up to section ``last``."""
        view = self._view(turns, hold)
        if self._gain(view, place, last) < target - pos:
            return False
        for section in range(self._profiles.sections[place] + 1, last + 1):
            first = self._speeds.first[section]
            if target < first:
                break
            crossed = 1
            while crossed <= turns and not self._reaches(crossed, pos, place, section - 1, hold, first):
                crossed += 1
            if crossed > turns or self._after(view, crossed, section, place, last) < target - (first - 1):
                return False
        return True

    def _gain(self, view: View, place: int, last: int) -> int:
        """Return the most spaces in exactly the turns of ``view`` at the best speeds of any leg up to ``last``."""
        name = (view.number, place, last)
        best = self._gains.get(name)
        if best is None:
            best = 0
            if view.ways:
                section = self._profiles.sections[place]
                profile = self._profiles.profile(place, section, last, view.stock.raisers, view.waiting)
                best = self._spaces(view, profile)
            self._gains[name] = best
        return best

    def _spaces(self, view: View, profile: Profile) -> int:
        """Return the most spaces in exactly the turns of ``view`` at some speeds, which many places have."""
        name = (view.number, profile.number)
        best = self._won.get(name)
        if best is None:
            best, turns, moved = 0, view.turns, profile.moved
            most = len(profile.speeds) - 1
            for raises, rest in view.ways:
                done = min(raises, most)
                top = profile.speeds[done]
                table = self._stocks.jumps(turns, view.stock.jumps, top)
                won = moved[done] + (turns - done) * max(0, self._automatic + top)
                won += max([table[plays][energy][deck] for plays, energy, deck in rest])
                for distances in view.arriving:
                    won += distance(distances, top)
                if won > best:
                    best = won
            self._won[name] = best
        return best

    def _after(self, view: View, crossed: int, section: int, place: int, last: int) -> int:
        """Return the most spaces from the last one before a section, if exactly the turns of ``view`` are taken.

        The section is entered in turn ``crossed`` at the earliest.
        """
        if not view.ways:
            return 0
        profiles, stock, waiting = self._profiles, view.stock, view.waiting
        before = profiles.profile(place, profiles.sections[place], section - 1, stock.raisers, waiting)
        after = profiles.profile(place, section, last, stock.raisers, waiting)
        name = (view.number, crossed, before.number, after.number)
        best = self._beyond.get(name)
        if best is None:
            best = 0
            crossing = {*view.arriving, *self._stocks.kinds_of_jump(stock.jumps)}
            for raises, rest in view.ways:
                faster = before.speeds[min(raises, len(before.speeds) - 1)]
                slower = after.speeds[min(raises, len(after.speeds) - 1)]
                table = self._stocks.jumps(view.turns, stock.jumps, slower)
                automatic = max(0, self._automatic + slower)
                entering = max(0, self._automatic + faster)
                for distances in crossing:
                    entering = max(entering, automatic + distance(distances, faster) - distance(distances, slower))
                won = entering + (view.turns - crossed) * automatic
                won += max([table[plays][energy][deck] for plays, energy, deck in rest])
                for distances in view.arriving:
                    won += distance(distances, slower)
                if won > best:
                    best = won
            self._beyond[name] = best
        return best

    def _view(self, turns: int, hold: Hold) -> View:
        """Return what a hold offers with so many turns; cards beyond what all of them could use are left out."""
        view = hold.views.get(turns)
        if view is None:
            stocks, waiting = self._stocks, hold.waiting
            number = stocks.number(hold.pool, turns)
            cards, deck = stocks.useful(number, turns)
            cards, deck = min(hold.cards, cards), min(hold.deck, deck)
            arriving = tuple(
                [distances for needed, distances in waiting.jumps if needed <= turns and needed <= hold.deck]
            )
            name = (turns, number, waiting.number, cards, deck, arriving)
            view = self._views.get(name)
            if view is None:
                ways = stocks.ways(turns, number, cards, deck)
                view = View(len(self._views), turns, stocks.stock(number), waiting, ways, arriving)
                self._views[name] = view
            hold.views[turns] = view
        return view
