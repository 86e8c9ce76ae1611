"""What can matter for the chance of a risk card, from one table on: the cards that may be played, what they read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from rules.core.ventures import OutOfReach
from rules.iditacards.content import UNTIL_DOG, Card, Effect, Leg
from rules.iditacards.odds.alike import Alikeness
from rules.iditacards.odds.grafts import apart, missing
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Counters, Player, Table, in_play

READERS: Final = frozenset({"recover", "recover_tag", "discard_to_deck"})
"""Ops that read the discard pile."""
LOOKS: Final = frozenset({"heal", "see"})
"""Ops that look at the deck, so that a choice follows."""

SECOND_OPS: Final = frozenset({"destroy_next", "take_next"})
"""Ops that wait for a turn of their own, unless a card may be turned over on it instead (Q53)."""


class Scope:
    """The part of tables that matters for one venture.

    Raises:
        OutOfReach: something reads what would be left out.
    """

    def __init__(
        self,
        rulings: Rulings,
        table: Table,
        seat: int,
        begin: str | None,
        *,
        recovers: bool,
        also: Collection[str] = (),
        bounds: bool = False,
        goes_on: bool = False,
        again: Collection[str] = (),
        harmless: bool = False,
        named: bool = False,
    ) -> None:
        """``also`` are further hand cards that may be played later; for ``bounds`` the discard pile may be read.

        ``again`` are cards of ``also`` that may come into the deck, as often as they are named. ``harmless``: damage
        cards do no more harm than others, and pay as well; that holds for nobody, but is a bound from above.

        ``goes_on``: the root takes effect, and play goes on. ``named``: no card stands for another one.
        """
        self._rulings = rulings
        self._seat = seat
        self._harm = frozenset[str]() if harmless else rulings.damage_ids
        player = table.players[seat]
        self._hidden = not rulings.deck_open
        played = {*player.deck, *player.seen, *(frame.card for frame in player.stack)}
        played.update(also)
        if begin is not None:
            played.add(begin)
        self.played = [rulings.cards[card] for card in sorted(played)]
        self.in_play = [rulings.cards[card] for card in in_play(player.dogs)]
        self._refuse(player, also, recovers=recovers, bounds=bounds, goes_on=goes_on)
        self.again = tuple(again)
        """Cards that may come into the deck, as often as they are named."""
        self.recovers = recovers
        """The player may take cards back from the discard pile."""
        self.reading = False
        """Some turn has led to where cards come back from the discard pile (Q82)."""
        self.stack_apart = apart(rulings, frozenset(card.id for card in (*self.in_play, *self.played)))
        """A turn reads no more of the stack than ``odds.grafts`` says."""
        self.begin = begin
        self.root = player.stack[0].card if player.stack else ""
        """The card that waits below all others."""
        self.filler = next(card for card in sorted(rulings.cards) if self._pays(card) and card not in (begin, *also))
        """Stands for every card that is neither played nor a damage card."""
        self.gains = any(effect.op == "take_next" for card in self.played for effect in card.instant)
        self.alike = Alikeness(rulings, player, table, played, again, gains=self.gains, named=named)
        self._records = self.alike.records
        pool = Counter(card for card in player.deck[player.known :] if self._pays(card)) if self._hidden else Counter()
        self.kinds = tuple(sorted(pool))
        """Kinds of cards in the unknown part of a hidden deck, damage cards left out."""
        self.pool = tuple(pool[kind] for kind in self.kinds)
        """Copies of each."""
        self.risky = tuple(copies if rulings.cards[kind].risk else 0 for kind, copies in sorted(pool.items()))
        """Likewise, of the kinds with a risk cost alone."""
        self.prices: dict[Any, tuple[int, int, int, bool, int, int]] = {}
        """What cards cost, by all that is read for it, for whoever asks next."""
        self._start = player.pos
        self._track = rulings.track(table.legs)
        self.touched = False
        """Some turn has led to another leg, past a checkpoint, or to the end of the race."""
        held = {*player.deck, *player.seen, *also, *(frame.card for frame in player.stack[0 if goes_on else 1 :])}
        self._may_act = [*self.in_play, *(card for card in self.played if card.id in held)]
        """The cards that are in play or may come into play."""
        self.free_actions = not self._hidden or player.known > 0 or self._free_actions_matter()
        """Free actions can help."""
        self.free_seeing = self.free_actions or any(card.number("cost_mod:health") < 0 for card in self._may_act)
        """Likewise somebody who uses what was seen.

        Who pays less health has more cards in the deck, which is worse for whoever looks at them: less is known then of
        what lies there. For anybody else a card more is never worse (``odds.orders``).
        """

    def _pays(self, card: str) -> bool:
        return card not in self._harm

    def _refuse(self, player: Player, also: Collection[str], *, recovers: bool, bounds: bool, goes_on: bool) -> None:
        rulings = self._rulings
        stack = player.stack if goes_on else player.stack[1:]  # the root has come through when it takes effect
        names = {*player.deck, *player.seen, *also, *(frame.card for frame in stack)}
        effects = [effect for card in self.played if card.id in names for effect in card.instant]
        ops = {effect.op for effect in effects}
        reads = not bounds and any(effect.op in READERS and (recovers or _must_read(effect)) for effect in effects)
        looks = bool(ops & LOOKS) or bool(player.seen)
        numbers = {effect.args.get("n") for effect in effects}
        if (
            reads
            or rulings.sacrifice_any_time
            or rulings.options["damage_for_energy"]
            or (not recovers and not bounds and rulings.options["recover_amount"] == "exact")
            or rulings.options["reshuffle"] == "always"
            or (UNTIL_DOG in numbers and "take_next" in ops)
            or (rulings.options["second_step"] == "optional" and not ops.isdisjoint(SECOND_OPS))
            or (self._hidden and looks and (player.known or player.seen))
        ):
            raise OutOfReach

    def _free_actions_matter(self) -> bool:
        """Return whether a free action can help although no other leg is reached.

        A dog that dies to the hand pays energy; a card that draws for moves may draw the deck empty, and so may one
        that draws for every dog; a card whose price is a dog does nothing where there is none (Q36); a slow dog or a
        raised cost is better gone, and what multiplies a speed that may be below nothing; without overwriting, a
        removed attachment makes room, and so does a dog where a new one has to find it. Where a risk needs fewer cards,
        a card takes effect sooner, before another one is paid for, and may raise its cost. Nothing else that can be
        killed or removed is ever in the way, but for its speed, which matters where legs or checkpoints change.
        That is so while nobody knows the next card: else whoever has no lower costs may pay it away (R23).
        """
        options = self._rulings.options
        leg = self._leg(self._start)
        return (
            any(_better_gone(self._rulings, card) for card in self._may_act)
            or any(
                effect.args.get("per") == "dog" or effect.args.get("required")
                for card in self.played
                for effect in card.instant
            )
            or (bool(options["attachment_removal"]) and not options["attachment_overwrite"])
            or options["dog_overflow"] != "choose"
            or (leg is not None and leg.effects.get("leg_dog_speed", {"n": 0})["n"] < 0)
        )

    def _leg(self, pos: int) -> Leg | None:
        return self._track[pos] if pos < len(self._track) else None

    def watch(self, pos: int, *, over: bool) -> None:
        """Note where a turn has led to, and whether it has ended the race."""
        if self.touched:
            return
        low, high = sorted((pos, self._start))
        rulings = self._rulings
        spaces = rulings.board.checkpoints
        if rulings.condition_cost != "none":
            spaces |= rulings.special_spaces
        if over or self._leg(pos) is not self._leg(self._start) or any(low < space <= high for space in spaces):
            self.touched = True

    # Tables

    def with_player(self, table: Table, player: Player) -> Table:
        """Return the table with another player in the seat."""
        players = table.players
        return table._replace(players=(*players[: self._seat], player, *players[self._seat + 1 :]))

    def bare(self, table: Table) -> Table:
        """Return the table without what nothing reads, fillers in the place of cards that only pay.

        The discard pile holds one filler, so that whoever would read it is noticed. Upgrade decks of fillers are told
        apart by nothing but their sizes, so they are put in order of size. What else is made equal ``odds.alike`` says.
        """
        player = table.players[self._seat]
        filler = (self.filler,)
        deck, seen = player.deck, player.seen
        if self._hidden:
            hidden = sorted(self._plain(card) for card in deck[player.known :])
            deck = (*deck[: player.known], *hidden)
            seen = tuple(sorted(map(self._plain, seen)))
        hand = sorted(card if card == self.begin else self._plain(card) for card in player.hand)
        keeps_legendary = self._rulings.legendary_to == "hand"
        legendary = filler * len(player.legendary) if keeps_legendary else ()
        alike, personal = self.alike, "personal" in self._records
        stack = tuple(alike.frame(frame)._replace(day=frame.day if personal else 0) for frame in player.stack)
        if self.stack_apart:
            stack = tuple(map(missing, stack))
        bare = player._replace(
            days=0,
            deck=deck,
            discard=filler,
            dogs=alike.dogs(player.dogs),
            foods=player.foods if "foods" in self._records else (),
            hand=tuple(hand),
            legendary=legendary,
            moved=player.moved and "moved" in self._records,
            passed=player.passed if legendary else (),
            personal=alike.personal(player.personal),
            resolved=(),
            seen=seen,
            stack=stack,
            turns=0,
        )
        counters = table.counters
        upgrade = [filler * size if self.gains else () for size in alike.upgrades(table.upgrade)]
        return self.with_player(table, bare)._replace(
            counters=Counters(
                counters.deck if not self._hidden else tuple(0 for _ in counters.deck),
                0,
                tuple(0 for _ in counters.legs),
                tuple(0 for _ in counters.upgrade),
                0,
            ),
            damage_left=0,
            day=table.day if personal else 0,
            destroyed=(),
            supply=filler * min(len(table.supply), alike.supply) if self.gains else (),
            upgrade=tuple(upgrade),
        )

    def _plain(self, card: str) -> str:
        return self.filler if self._pays(card) else card


def _must_read(effect: Effect) -> bool:
    """Return whether the player may not leave everything in the discard pile, where up to so many are taken (Q51)."""
    return effect.op != "recover" and not effect.args.get("optional", False)


def _better_gone(rulings: Rulings, card: Card) -> bool:
    passive = card.passive
    return (
        passive.get("dies_to", {}).get("zone") == "hand"
        or "on_move_draw" in passive
        or card.id in rulings.speed_mult
        or card.id in rulings.draw_first_risk
        or card.number("speed") < 0
        or card.number("speed_other_dogs") < 0
        or card.number("cost_mod:risk") != 0
        or any(card.number(f"cost_mod:{cost}") > 0 for cost in ("energy", "health"))
    )
