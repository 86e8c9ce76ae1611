"""What a player knows on one day with a hidden deck, as integers.

A belief is all that a player knows (R73): the risk stack, the board, the hand, and the deck as a multiset. It is packed
into one integer, each part by number or by counts; boards and plays are asked of the rules.
Cards that are alike for the turns left (``belief.kinds``) are counted together, so that many beliefs are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import factorial
from typing import Final

from rules.iditacards.belief.deal import Deals
from rules.iditacards.belief.facts import BEYOND
from rules.iditacards.belief.kinds import LATE, Alike
from rules.iditacards.belief.last import LastTurns
from rules.iditacards.belief.plain import plain_day
from rules.iditacards.belief.returns import is_returning
from rules.iditacards.belief.scale import Flow
from rules.iditacards.belief.scope import MOST_TAKEN, gives_cards
from rules.iditacards.belief.worn import idle_attachments
from rules.iditacards.compact.board import BoardTables, without_choices
from rules.iditacards.compact.bound import Bound
from rules.iditacards.compact.cards import WHOLE_DECK, Kinds
from rules.iditacards.compact.plays import Plays
from rules.iditacards.compact.profiles import Profiles
from rules.iditacards.compact.speed import NOT_ADDITIVE, SpeedTables
from rules.iditacards.compact.steps import second_step
from rules.iditacards.compact.stock import Stocks
from rules.iditacards.content import ALL, Card
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play

"""Ways in which cards that are looked at may come and be put away, at most."""
NEVER: Final = 31
"""Risk cards that no turn limit leaves time for."""
BOARD_BITS: Final = 22
"""Bits of a board number in a key."""
BOARD: Final = (1 << BOARD_BITS) - 1
STACK_BITS: Final = 20
"""Bits of the number of a risk stack in a belief."""
STACK: Final = (1 << STACK_BITS) - 1
GONE_BITS: Final = 8
"""Bits of the number of cards that have left the deck unseen before a last turn."""
GONE: Final = (1 << GONE_BITS) - 1


class BeliefKeys:
    """The beliefs of one seat until the day ends, as integers."""

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        seat: int,
        banned: frozenset[str] = frozenset(),
        *,
        free: bool = True,
        avoided: frozenset[str] | None = None,
        gaining: Mapping[str, bool] | None = None,
        gifts: tuple[str, ...] = (),
        begun: BeliefKeys | None = None,
        wins: bool = False,
        forgets: bool = False,
        resting: bool = False,
        owned: Counter[str] | None = None,
    ) -> None:
        """``banned`` cards are not played from the hand; they still pay, and come up as risk cards.

        ``free`` false: free actions are pointless in this question and are left out. ``avoided``: the day is played
        plainly (``belief.floor``), these cards not at all; ``None`` plays all there is. ``gaining``: cards of the
        supply may come in time to be played (``belief.gains``); it says which conditions about the day hold.
        ``gifts`` are the legendary cards that checkpoints may give then (R66); without any no turn that passes one is
        carried any further. ``begun`` is the day on which that began, once they have come. ``wins``: whoever comes to
        take a card from the supply, or passes a checkpoint that gives one, arrives at the target (``belief.ceiling``).
        ``forgets``: who wears more does no worse (``belief.worn``). ``resting``: a new day may follow, so that it
        counts of each board what is in play there; ``owned``: on any turn, and these are all cards of the seat.
        """
        self.resting = resting
        self.owned = owned
        self._wins = wins
        self._free = free
        self._target: int | None = None
        self._rulings = rulings
        self._seat = seat
        self._table = table
        self._banned_cards = banned
        player = table.players[seat]
        loose = (*player.hand, *player.deck, *player.seen)
        room = len(loose) + (0 if gaining is None else MOST_TAKEN) + len(gifts)
        self.kinds = Kinds(Counter(dict.fromkeys((*loose, *gifts), room)), rulings.damage_ids)
        unit = self.kinds.unit
        self.avoided = frozenset(kind for kind, card in enumerate(self.kinds.names) if card in (avoided or ()))
        """Kinds that are not played, and with which all is lost when they are turned over."""
        kept_back = frozenset(kind for kind, card in enumerate(self.kinds.names) if card in banned)
        self.banned = kept_back | self.avoided
        """Kinds that are not played from the hand."""
        stoppers = sum(self.kinds.mask(kind) for kind, card in enumerate(self.kinds.names) if card in rulings.ends_turn)
        self._stoppers = stoppers
        self.deals = Deals(self.kinds, stoppers)
        self._is_gaining = gaining is not None or begun is not None or wins
        frames = [frame.card for frame in player.stack]
        self.is_returning = any(is_returning(rulings.cards[card]) for card in (*loose, *gifts, *frames))
        """Whether cards may come back from the discard pile."""
        self.is_bounded = not (self._is_gaining or self.is_returning)
        """Whether what hand and deck can do is a bound for any turns left."""
        self._has_gained = begun is not None
        passes = (wins or gaining is not None or avoided is not None) and gives_cards(rulings, table, seat)
        self._bounded_turns = 1 if passes else LATE
        """Turns left up to which no card that comes to the hand can be played, where some may come."""
        self._gifts = gifts
        self._keeps_gifts = passes and avoided is not None
        """Whether what a checkpoint gives is kept in hand."""
        cards = (*loose, *gifts, *in_play(player.dogs), *frames)
        played = [card for card in cards if card not in (avoided or ())]
        self.plain = (
            plain_day(rulings, table, seat, played, free=free) if self.is_bounded and not (passes or resting) else None
        )
        """What boards come to where nothing but the speed counts of them."""
        known = not (self.plain is not None or avoided is not None or self._is_gaining or gifts or resting)
        worn = idle_attachments(rulings, cards, free=free, forgets=forgets) if known else {}
        self.boards: BoardTables = (
            BoardTables(rulings, table, seat, gifts=gifts if passes else None, worn=worn, owned=owned)
            if begun is None
            else begun.boards
        )
        seconds = [card for card in cards if second_step(rulings.cards[card])]
        self.plays: Plays = (
            Plays(
                *(rulings, self.boards),
                looks=avoided is None,
                holds=gaining,
                passing=bool(gifts) or avoided is not None,
                wins=wins,
                returning=self.is_returning,
            )
            if begun is None
            else begun.plays
        )
        self.begun = self.plays.waiting(player.stack)
        """Number of the risk stack at the start."""
        self.seen = self.kinds.pack(player.seen)
        """Cards that have been seen and are sorted out on the first turn (R40)."""
        self._speeds = SpeedTables(rulings, without_choices(table), seat)
        self._profiles = Profiles(rulings, self._speeds, self.boards)
        everything = sum(len(loose) * each for each in unit)  # of any class there may seem to be so many
        self._stocks = Stocks(rulings, self._speeds.first, self.boards, self.kinds, everything, cards)
        idle = frozenset({"heal", "see"} if avoided is not None else ())
        self.alike = Alike(
            *(rulings, self.kinds, self._stocks, self.banned, self.plain),
            avoided=self.avoided,
            idle=idle,
            gaining=gaining is not None,
            wins=wins,
            worn=worn,
            resting=owned is not None,
        )
        self.loose = self.kinds.pack(loose)
        """Hand and deck at the start, and what has been seen,"""
        self.gifts = self.kinds.pack(gifts)
        """and what may come to the hand from checkpoints."""
        self.hidden = len(player.deck) + len(player.seen)
        """Cards in the deck at the start, and those seen; it never grows but by healing."""
        self.has_damage = bool(rulings.damage_ids.union(rulings.ends_turn) & set(loose))
        self.risks_need_health = all(
            self._stocks.least_health(kind) > 0
            for kind, card in enumerate(self.kinds.names)
            if rulings.cards[card].risk
        )
        """Every card that may come to wait takes cards of the deck first."""
        self.waiting_seconds = len(player.stack) + len(loose) + len(gifts) if seconds else 0
        """Second steps that cards may wait for at one time, at most."""
        self.drawing = sum(unit[kind] for kind, card in enumerate(self.kinds.names) if self._draws(card))
        """One card of each kind that draws."""
        self.finish = rulings.finish_at
        """The place where the race ends."""
        self.keeps = rulings.heal_rest == "hand"
        """Whether cards that were looked at may be taken to the hand."""
        self.flow = self._flow([rulings.cards[card] for card in cards], looks=avoided is None)
        """What a turn may take off the deck."""
        self._doubling = bool(rulings.double_risk) and any(card in rulings.double_risk for card in cards)
        self.bound_is_dear = any(op in rulings.cards[card].passive for card in cards for op in NOT_ADDITIVE)
        """Whether speeds are no sum, so that bounds try every choice of dogs and attachments."""
        self._bounds: dict[int, Bound] = {}
        self._stacks: dict[tuple[int, int], int] = {}
        self._bits = sum(unit[:1]) and (unit[-1] * (room + 1)).bit_length() if unit else 1
        self._cards = (1 << self._bits) - 1
        self._board_shift = 2 * self._bits
        self._stack_shift = self._board_shift + BOARD_BITS
        self._gone_shift = self._stack_shift + STACK_BITS
        self._seen_shift = self._gone_shift + GONE_BITS
        self._stuck = self.kinds.unpayable(everything)
        payable = [kind for kind, card in enumerate(self.kinds.names) if card not in rulings.damage_ids]
        self._plain = payable[0] if payable else 0
        self._dealings: dict[tuple[int, int, int, int, bool, bool], tuple[tuple[int, int], ...]] = {}
        self._last = LastTurns(
            *(self.kinds, self.plays, self.boards, self.banned, self._board_shift),
            free=free,
            avoided=self.avoided,
            must_pay=self.must_pay,
        )

    def must_pay(self, board: int) -> bool:
        """Return whether all is lost on a board with a card that cannot be paid: one is in hand that is kept."""
        return self._keeps_gifts and self.boards.has_passed(board)

    @property
    def target(self) -> int | None:
        """Where set, beliefs that cannot get there in time may be told as ``HOPELESS``."""
        return self._target

    @target.setter
    def target(self, target: int | None) -> None:
        self._target = self.plays.target = target

    @property
    def looks(self) -> bool:
        """Return whether cards of the deck may be looked at."""
        return self.flow.looks > 0

    def _flow(self, cards: Sequence[Card], *, looks: bool) -> Flow:
        """Return what a turn may take off the deck by what cards print; conditions and others may change it."""

        def numbers(op: str, name: str) -> list[int]:
            found = [effect.args.get(name, 0) for card in cards for effect in card.instant if effect.op == op]
            return [WHOLE_DECK if each == ALL else int(each) for each in found]

        sights = [*numbers("heal", "of"), *numbers("see", "n")] if looks else []
        paid = range(max((card.health for card in cards), default=0) + 2)
        return Flow(paid, (0, *numbers("draw", "n")), sights, len(sights))

    def _draws(self, card: str) -> bool:
        return any(effect.op in ("draw", "heal", "see") for effect in self._rulings.cards[card].instant)

    # Beliefs

    def pause_with(self, pause: Callable[[], None]) -> None:
        """Have a function called now and then while many ways to go on are made; it may raise to stop that."""
        self.deals.pause = pause

    def project(self, table: Table, turns: int) -> int:
        """Return the belief of a table with so many turns left."""
        player = table.players[self._seat]
        board = self.boards.number(self.boards.of(player))
        stack = 0 if table.over else self.plays.waiting(player.stack)
        pack = self.kinds.pack
        found = self._belief(board, stack, pack(player.hand), pack(player.deck), turns)
        return found | 1 << self._seen_shift if player.seen and turns > 1 else found

    def _belief(self, board: int, stack: int, hand: int, deck: int, turns: int) -> int:
        """Return a belief with so many turns left, cards that are alike then counted together."""
        alike, mapped = self.alike, self.deals.mapped
        if turns == 0:
            hand, deck, stack = 0, mapped(deck, alike.nothing), 0
        else:
            waiting = stack > 0
            hand = mapped(hand, alike.hand(turns, waiting))
            deck = mapped(deck, alike.deck(turns, waiting, bool(hand & alike.risky)))
            if waiting:
                stack = self.late(stack, turns)
        return self._packed(board, stack, hand, deck)

    def _packed(self, board: int, stack: int, hand: int, deck: int) -> int:
        return ((stack << BOARD_BITS | board) << self._bits | deck) << self._bits | hand

    def late(self, stack: int, turns: int) -> int:
        """Return a stack whose frames that cannot be completed in time are one: their cards never take effect.

        Each turn completes one risk card at most, and a frame counts as one for the frame below (R30, R31).
        """
        if stack == self.plays.beyond:
            return stack
        name = (stack, turns)
        found = self._stacks.get(name)
        if found is None:
            found = stack
            needed, kept = 0, []
            second = int(self.plays.is_second(self.plays.stack(stack)))  # that takes no card of the deck
            for card, missing in reversed(self.plays.stack(stack)):
                needed += missing - (needed > 0)
                if needed - second > turns and not self._doubling:
                    kept.append((self._filler, NEVER))
                    break
                kept.append((card, missing))
            found = self.plays.number(tuple(reversed(kept)))
            self._stacks[name] = found
        return found

    @property
    def _filler(self) -> str:
        return min(self._rulings.cards)

    def _all(self, deck: int) -> int:
        return factorial(self.kinds.count(deck))

    def progress(self, belief: int) -> int:
        """Return the position, in spaces."""
        return self.boards.pos[belief >> self._board_shift & BOARD]

    def is_over(self, belief: int) -> bool:
        """Return whether the race has ended."""
        return self.progress(belief) >= self._rulings.finish_at

    def orders(self, belief: int) -> int:
        """Return how many orders of the hidden deck a belief stands for."""
        return factorial(self.kinds.count(belief >> self._bits & self._cards))

    def hopeless(self, belief: int, turns: int, target: int) -> bool:
        """Return true only where no line of at most ``turns`` turns reaches a target, by an admissible bound."""
        hand, deck = belief & self._cards, belief >> self._bits & self._cards
        if belief >> self._seen_shift:
            deck += self.seen
        return self.too_far(
            belief >> self._board_shift & BOARD,
            belief >> self._stack_shift & STACK,
            hand + deck,
            self.kinds.count(hand),
            self.kinds.count(deck) - (belief >> self._gone_shift & GONE),
            turns,
            target,
        )

    def parts(self, belief: int) -> tuple[int, int, int, int] | None:
        """Return board, stack, hand and deck of a belief.

        Nothing where it is one of the last turn alone, where cards have been seen, or where some are to be gained.
        """
        stack = belief >> self._stack_shift & STACK
        if belief >> self._gone_shift or self.plays.taking(stack) is not None:
            return None
        hand, deck = belief & self._cards, belief >> self._bits & self._cards
        return belief >> self._board_shift & BOARD, stack, hand, deck

    def lasts(self, belief: int) -> int:
        """Return more turns than the day can last.

        A turn without a waiting card plays one from the hand; one with a waiting card takes one off the deck, clears
        the stack, which takes a card from the hand to fill again, or is the second step of a card, which has only one
        and is not on the stack when that is cleared. No card comes back within the day.
        """
        hand, deck = belief & self._cards, belief >> self._bits & self._cards
        seen = self.kinds.count(self.seen) if belief >> self._seen_shift else 0
        waiting = len(self.plays.stack(belief >> self._stack_shift & STACK))
        if not self.is_bounded:
            waiting += MOST_TAKEN
        return 2 * (self.kinds.count(hand) + self.kinds.count(deck) + seen) + waiting

    def furthest(self, table: Table, turns: int, drawn: int | None = None) -> int:
        """Return a position that no line of so many turns exceeds: every card may come as if its place were known.

        Where ``drawn`` is given, so many cards come to the hand off the deck before the first of these turns, and any
        card may be one that is in hand then.
        """
        start = self.project(table, max(turns, 1))
        low = self.progress(start)
        step = 1

        def beyond(target: int) -> bool:
            return self.hopeless(start, turns, target) if drawn is None else self._undealt(table, turns, drawn, target)

        if not self.is_bounded and not beyond(self.finish + BEYOND):
            return self.finish + BEYOND
        while not beyond(low + step):
            low, step = low + step, 2 * step
        high = low + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if beyond(middle) else (middle, high)
        return low

    def _undealt(self, table: Table, turns: int, drawn: int, target: int) -> bool:
        """Return whether a target is out of reach whichever cards of a table are drawn."""
        player = table.players[self._seat]
        pool = self.kinds.pack((*player.hand, *player.deck))
        stack, drawn = self.plays.waiting(player.stack), min(drawn, len(player.deck))
        board = self.boards.number(self.boards.of(player))
        return self.too_far(board, stack, pool, len(player.hand) + drawn, len(player.deck) - drawn, turns, target)

    def _may_return(self, stack: int, pool: int, deck: int, turns: int) -> bool:
        """Return whether a card may take others back from the discard pile before the last of so many turns."""
        cards, stocks = self._rulings.cards, self._stocks
        for kind, _ in self.kinds.cards(pool):
            soon = stocks.least_risk(kind) <= turns - 2 and stocks.facts(kind).deck <= deck
            if soon and is_returning(cards[self.kinds.names[kind]]):
                return True
        needed = 0
        for card, missing in reversed(self.plays.stack(stack)):
            needed += max(0, missing - (needed > 0))
            if is_returning(cards[card]) and (needed < turns or self._doubling):
                return True
        return False

    def too_far(self, board: int, stack: int, pool: int, cards: int, deck: int, turns: int, target: int) -> bool:
        """Return the same for so many cards in hand and deck out of a pool."""
        if (
            self._has_gained
            or stack == self.plays.beyond
            or (self.is_returning and self._may_return(stack, pool, deck, turns))
            or self._wins
            or (self.gifts and self.bound_is_dear)
            or (
                self._is_gaining
                and (turns > self._bounded_turns or self.plays.taking(stack) or self.plays.is_vague(stack))
            )
        ):
            return False
        bound = self._bounds.get(target)
        if bound is None:
            bound = self._bounds[target] = Bound(self._speeds, self.boards, self._stocks, target, self._profiles)
        return not bound.promising(
            turns,
            board,
            self.plays.stack(stack),
            cards,
            deck,
            pool,
        )
