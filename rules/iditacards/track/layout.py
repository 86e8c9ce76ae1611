"""What a race over a track is laid out in: kinds of cards, boards, stacks and decks, as tables of numbers.

``race.boards`` asks the rules about everything that can be in play and ``track.tables`` about every place; here they
become the tables of ``track.kernel``. ``track.form`` plays on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.race.boards import Boards
from rules.iditacards.race.decks import Decks
from rules.iditacards.race.form import KEY_BITS
from rules.iditacards.race.kernel import MOST_PAYMENTS
from rules.iditacards.race.packing import packing
from rules.iditacards.race.scope import cards_of
from rules.iditacards.race.stacks import Stacks, starts
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.track.kernel import PART, POS_MASK, Suits, TrackTables, hand_sums
from rules.iditacards.track.scope import Scope, is_idle, is_unknown, looked_at
from rules.iditacards.track.tables import MOST_DAYS, Track

if TYPE_CHECKING:
    from rules.iditacards.track.stock import Stock

ROOM: Final = 1 << 17
"""Ways through a turn that there is room for; positions with more are not expanded."""


class Facts(NamedTuple):
    """Everything about a card that the kernel can tell; cards with equal facts are one kind."""

    idle: bool
    tabled: tuple[int, ...]
    energy: tuple[int, ...]
    health: tuple[int, ...]
    risk: int
    boards: tuple[tuple[int, ...], ...]
    """By board: the boards that placing the card may lead to."""
    move: int
    draws: int
    mill: int
    times: int = 1
    mood: tuple[int, ...] = ()
    """By section and conditions: the conditions once the card has taken effect, where it changes them."""


class TrackLayout:
    """The tables of one race."""

    deepest: int | None = None
    """Frames of a stack at most, where higher ones are left out."""

    def __init__(self, rulings: Rulings, table: Table, seat: int, carried: Scope) -> None:
        """Lay out the tables for all races from ``table``.

        Raises:
            OverflowError: the keys do not fit, or the rules are of another kind than the tables.
        """
        self.rulings = rulings
        self.table = table
        self.seat = seat
        self.exact = carried.exact
        player = table.players[seat]
        self.cards = cards_of(player)
        self._legendary = self._ordered(player.legendary)
        self._passed = len(player.passed)
        idle = {name for name in self.cards if self._is_idle(name)}
        self._idle = Counter({name: copies for name, copies in self.cards.items() if name in idle})
        self.has_unknown = any(is_unknown(rulings, name) for name in self.cards)
        """Cards that the bound knows nothing of are the player's already."""
        self.playable = Counter({name: copies for name, copies in self.cards.items() if name not in idle})
        self.stock = self._stock()
        self._gained = [Counter[str]()] if self.stock is None else self.stock.cards
        more = Counter[str]()
        for each in self._gained:
            more |= each
        self._more = more
        """Cards that may be gained, as many of each as can be held at once."""
        self._later = Counter(name for name in self._legendary if self._plays_legendary(name))
        """Cards that are played once they are chosen at a checkpoint."""
        self.boards = Boards(rulings, table, seat, self.playable + self._later, self.stock)
        self.track = Track(rulings, table, seat, self.boards)
        self._find_kinds()
        needs = [frozenset({facts.risk} - {0} if not facts.idle else ()) for facts in self.facts]
        stacks = Stacks(self.copies, needs, self.deepest)
        self.stacks = stacks.numbers
        row = sum(self.cards.values()) + len(self._legendary) + max(map(Counter.total, self._gained)) + 1
        self._decks = Decks(rulings, table, seat, self.kind, row)
        self.tables = self._lay_out(stacks)
        self._decks.begin(self._mixes, self.tables.unit)

    def _find_kinds(self) -> None:
        """Make one kind of all cards that nothing tells apart."""
        numbers: dict[Facts, int] = {}
        self.kind: dict[str, int] = {}
        self.facts: list[Facts] = []
        self.copies: list[int] = []
        for name in sorted({*self.cards, *self._legendary, *self._more}):
            played = name in self.playable or name in self._later or name in self._more
            facts = self._facts(self.rulings.cards[name]) if played else _IDLE
            kind = numbers.setdefault(facts, len(numbers))
            if kind == len(self.facts):
                self.facts.append(facts)
                self.copies.append(0)
            self.kind[name] = kind
            self.copies[kind] += self.cards[name] + self._legendary.count(name) + self._more[name]

    def _facts(self, card: Card) -> Facts:
        tabled, energy, health, risk = self.track.costs(card)
        placed = tuple(self.boards.placed[board].get(card.id, (board,)) for board in self.track.packs)
        moves = [int(effect.args["n"]) for effect in card.instant if effect.op == "move"]
        double = any(effect.args.get("double") for effect in card.instant if effect.op == "move")
        draws = sum(int(effect.args["n"]) for effect in card.instant if effect.op == "draw")
        mill = looked_at(card)
        move = moves[0] if moves else -1
        mood = self.track.mood(card)
        return Facts(False, tabled, energy, health, risk, placed, move, draws, mill, 2 if double else 1, mood)

    def _lay_out(self, stacks: Stacks) -> TrackTables:
        track, packs = self.track, self.track.packs
        kinds = range(len(self.facts))
        packed = packing(self.copies, len(stacks.frames), len(packs), (self._decks.row - 1).bit_length())
        choices = len(self._legendary) + 1
        mixes: dict[tuple[tuple[str, int], ...], int] = {}
        day_mix = [mixes.setdefault(self.mix_of(b, n), len(mixes)) for b in packs for n in range(choices)]
        self._mixes = list(mixes)
        self.most_cards = max(sum(copies for _, copies in mix) for mix in mixes)
        """Cards that hand and deck can have together."""
        if packed.deck_shift + (len(mixes) - 1).bit_length() > KEY_BITS or len(kinds) >= 64:
            raise OverflowError("the cards of this race do not fit into packed keys")
        ways = [self.facts[kind].boards[b] if not self.facts[kind].idle else (b,) for b in packs for kind in kinds]
        facts = [self.facts[kind] for b in packs for kind in kinds]
        free = [self.boards.free[b] if self.exact else (b,) for b in packs]
        board_of = self.rulings.board
        before = [sum(space <= pos for space in board_of.checkpoints) for pos in range(POS_MASK + 1)]
        moods = list(dict.fromkeys(each.mood for each in self.facts if each.mood))
        suits = Suits(packed.kinds, packed.shift, packed.mask, packed.unit)
        parts = -(-packed.stack_shift // PART)
        return TrackTables(
            **packed._asdict(),
            row=self._decks.row,
            mixes=len(mixes),
            boards=len(packs),
            sections=track.sections,
            suits=suits,
            parts=parts,
            counts=hand_sums(suits, parts, [1] * len(kinds)),
            is_view=0,
            held=[],
            gone=[],
            section=track.section,
            passed=[min(max(0, n - self._passed), choices - 1) for n in before],
            weather=track.weather,
            speed=track.speed,
            drag=track.drag,
            stuck=track.stuck,
            entry=track.entry,
            tabled=[level for facts in self.facts for level in facts.tabled],
            energy=[cost for facts in self.facts for cost in facts.energy],
            health=[cost for facts in self.facts for cost in facts.health],
            risk=[facts.risk for facts in self.facts],
            idle=[int(facts.idle) for facts in self.facts],
            fizzles=track.fizzles,
            effect=starts([len(each) for each in ways]),
            effect_board=[b for each in ways for b in each],
            effect_move=[each.move for each, boards in zip(facts, ways, strict=True) for _ in boards],
            effect_times=[each.times for each, boards in zip(facts, ways, strict=True) for _ in boards],
            effect_draws=[each.draws for each, boards in zip(facts, ways, strict=True) for _ in boards],
            effect_mill=[each.mill for each, boards in zip(facts, ways, strict=True) for _ in boards],
            mood=[moods.index(each.mood) + 1 if each.mood else 0 for each in self.facts],
            moods=[levels for mood in moods for levels in mood] or [0],
            automatic=track.automatic,
            free=starts([len(each) for each in free]),
            free_board=[b for each in free for b in each],
            day_mix=day_mix,
            choices=choices,
            dawn=track.dawn,
            classes=track.classes,
            board_class=track.board_class,
            loss=starts([len(each) for each in track.losses]),
            loss_board=[b for each in track.losses for b in each],
            day_draws=track.day_draws,
            stack_top=stacks.top,
            stack_left=stacks.left,
            stack_rest=stacks.rest,
            stack_less=stacks.less,
            push=stacks.push,
            most_risk=stacks.most_risk,
            size=self._decks.size,
            order=self._decks.order,
            drawn=self._decks.drawn,
            payable=[int(_payments(cards, cost) <= MOST_PAYMENTS) for cards in range(64) for cost in range(16)],
            room=ROOM,
        )

    def mix_of(self, board: int, chosen: int = 0) -> tuple[tuple[str, int], ...]:
        """Return what a new day shuffles: what is not in play nor destroyed, and the cards chosen at checkpoints."""
        cards = Counter(dict(self.boards.mix(board)))
        cards.subtract(self._later)
        cards.update(self._idle)
        cards.update(self._legendary[:chosen])
        return tuple(sorted((name, copies) for name, copies in cards.items() if copies > 0))

    # Decks

    def ensure(self, days: int) -> bool:
        """Lay out decks and weather of the first ``days`` new days; return false where there are too many (R74)."""
        if days > MOST_DAYS:
            return False
        self.track.ensure(days)
        self._decks.ensure(days)
        return True

    # What a form of another width has otherwise

    def _is_idle(self, name: str) -> bool:
        """Return whether a card only pays for others."""
        return is_idle(self.rulings, name)

    def _ordered(self, legendary: Iterable[str]) -> tuple[str, ...]:
        """Return the legendary cards in the order that they are chosen in."""
        return tuple(sorted(legendary))

    def _plays_legendary(self, name: str) -> bool:
        """Return whether a legendary card is played once it is chosen."""
        return False

    def _stock(self) -> Stock | None:
        """Return what may be gained, if anything is."""
        return None

    def _stocks(self, table: Table) -> Iterable[int]:
        """Return the states of the stock that a table may have."""
        return (0,)


def _payments(cards: int, cost: int) -> int:
    """Return how many payments of a cost, and parts of one, there are at most in one step from so many cards."""
    return comb(cards, min(cost, cards // 2))


_IDLE: Final = Facts(True, (0,) * 64, (0,) * 64, (0,) * 64, 0, (), -1, 0, 0)
