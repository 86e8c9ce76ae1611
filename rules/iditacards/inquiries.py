"""What may be asked about a turn: why a move is not open, what can be paid, risk cards (R28 to R36), plain play.

A refusal names the rule that forbids a move, the reason, and what is open instead.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, Final, NamedTuple

from rules.core.errors import counted, nearest
from rules.core.race import Opening
from rules.core.scripts import UNKNOWN, Asking, Barred, Exploring, Forced, Question, Script, Step, every_way, known
from rules.core.turns import Notation, OpenQuestion, Reason, Reasons, State
from rules.iditacards.content import Card
from rules.iditacards.risk import WholeTurn
from rules.iditacards.seat import FreeAction, Kill, dog_text
from rules.iditacards.state import Player, Table
from rules.iditacards.turn import (
    NEW_DAY,
    PASS,
    SECOND,
    SKIP_SECOND,
    STAY,
    Continue,
    Pay,
    Play,
    Put,
    Rulings,
    Seat,
    offer_of,
)

_MAIN: Final = ("play", "continue", "second", "skip_second", "pass")
"""Main actions, open only where a turn begins."""
_DOGS: Final = ("sacrifice", "remove", "kill")
_NO_CARDS: Final = ("attach", "from", "target", "weather")
_JOINS: Final = ("pay", "from")
"""Words between the cards of a move."""
_EXACT: Final = {"take": "Q46", "recover": "Q51", "restore": "Q51", "legendary": "Q71", "kill": "Q36"}
"""The ruling that asks for a full number, by the first word of the moves it asks for."""


class TurnQuestion(OpenQuestion[WholeTurn]):
    """What is asked at one point of a turn, and the table as it is then."""

    notation: ClassVar = {
        "play": Notation("R14", 1, None),
        "continue": Notation("R22", 0, None),
        "pay": Notation("R22", 1, None),
        **dict.fromkeys(("second", "skip_second"), Notation("R40")),
        "pass": Notation("Q20"),
        "sacrifice": Notation("R13", 1, 1),
        "remove": Notation("R13", 3, 3),
        "kill": Notation("R52", 1, 1),
        "attach": Notation("R54", 2, 4),
        "from": Notation("Q48", 1, 1),
        "take": Notation("Q46", 1, 1),
        "legendary": Notation("R66", 1, 1),
        "weather": Notation("R62", 1, 1, chance=True),
        **dict.fromkeys(("recover", "restore"), Notation("Q50", 1, 1)),
        **dict.fromkeys(("deck", "upgrade"), Notation("R73", 1, 1, chance=True)),
        **dict.fromkeys(("destroy", "discard", "keep", "return", "target"), Notation("R75", 1, 1)),
        **dict.fromkeys(("join", "stay"), Notation("R60")),
        "done": Notation("R75"),
        **dict.fromkeys(("new_day", "discard_new"), Notation("R75")),
    }
    by_chance, unnamed = "R72", "R73"

    def __init__(self, turn: WholeTurn, question: Question) -> None:
        super().__init__(turn, question)
        self.seat = turn.seats[max(self.actor, 0)]
        """The player to decide."""
        self.starts_turn = NEW_DAY in self.options
        """The main action is asked for."""

    def other(self) -> Reason:
        """Return that something else is asked first, or that nothing asks for such an answer."""
        if self.starts_turn:
            return Reason("R75", f"nothing asks for that; player {self.actor} begins a turn: {self.open_now()}")
        return Reason("R75", f"player {self.actor} has to answer something else first: {self.open_now()}")

    def first(self, head: str, words: Sequence[str]) -> Reasons:
        """Yield that a card or dog does not exist, and that it is not the time for a main action."""
        notation, cards = self.notation[head], self.turn.rulings.cards
        named = [word for word in words if word not in _JOINS and head not in _NO_CARDS]
        if head in _DOGS:
            named = [card for word in named for card in word.rpartition(":")[2].split("+")]
        for card in [card for card in named if card not in cards]:
            yield Reason(notation.rule, f"there is no card '{card}'{nearest(card, cards)}")
        plain = not hasattr(self, f"_no_{head}") and not notation.chance
        if (head in _MAIN and not self.starts_turn) or (plain and head not in self.heads):
            yield self.other()

    # Playing and paying

    def _no_play(self, words: Sequence[str]) -> Reasons:
        card, payment, seat = words[0], words[1:], self.seat
        yield from _waiting(seat)
        if card not in seat.kinds():
            yield Reason("R14", f"{card} is not in the hand: {_hand_text(seat)}")
        ways = [move.energy for move in self.options if isinstance(move, Play) and move.card == card]
        if not ways and self.turn.rulings.options["unaffordable_play"]:
            yield Reason("Q59", f"{card} is a sled card, and none can be played in {self.turn.weather}")
        if not ways:
            yield Reason("Q21", f"{card} costs more than the hand and the deck can give")
        seat.take(card)
        if card in payment and card not in seat.kinds():
            yield Reason("R20", f"{card} cannot pay for itself; the rest of the hand: {_hand_text(seat)}")
        yield from self._payment(card, payment, ways)

    def _payment(
        self,
        card_id: str,
        payment: Sequence[str],
        ways: Sequence[tuple[str, ...]],
        *,
        on_table: bool = False,
    ) -> Reasons:
        """Yield why none of the ways to pay is the one given; ``on_table``: the card already lies there (R21)."""
        turn, seat = self.turn, self.seat
        if payment and (payment[0] != "pay" or len(payment) == 1):
            texts = (
                each for each in self.texts if f" {card_id} pay " in f" {each} " or each.startswith("continue pay ")
            )
            example = next(texts, f"play {card_id} pay CARD CARD")
            yield Reason("R22", f"the cards that pay stand after 'pay', as in '{example}'")
        given = payment[1:]
        hand = [*known(seat.hand), *(seat.deck[seat.known :] if UNKNOWN in seat.hand else ())]
        for short in Counter(given) - Counter(hand):
            much = f"only {hand.count(short)} {short}" if short in hand else f"no {short}"
            yield Reason("R22", f"there is {much} to pay with; the rest of the hand: {_hand_text(seat)}")
        able = turn.usable(hand)
        if not turn.rulings.damage_ids.isdisjoint(given) and not turn.rulings.options["damage_for_energy"]:
            yield Reason("Q25", f"a damage card pays no energy; what can pay: {_cards(able)}")
        if (cost := turn.energy_cost(seat, turn.rulings.cards[card_id], on_table=on_table)) is None:
            yield Reason("R18", f"{card_id} costs all cards that can pay: {_cards(able)}")
        needs = f"{card_id} needs {counted(cost, 'card') if cost else 'no cards'}"
        if ways == [()] and cost:
            yield Reason("R26", f"{needs} and only {len(able)} can pay; without 'pay' it is played and fails")
        if not given:
            yield Reason("R25", f"who can pay must pay: {needs} of {_cards(able)}")
        yield Reason("R22", f"{needs}, {len(given)} given")

    def _no_continue(self, words: Sequence[str]) -> Reasons:
        seat = self.seat
        if not seat.stack:
            yield Reason("R14", "no card waits for a risk card; play a card or call a 'new_day'")
        yield from _waiting(seat, "second")
        ways = [move.energy for move in self.options if isinstance(move, Continue) and move.energy is not None]
        if ways:
            yield from self._payment(seat.deck[0], words, ways)
        if seat.in_deck and not (self.turn.rulings.deck_open or seat.known):
            yield Reason(
                "R33", "the risk card is not known yet; 'continue' alone turns it up, then its energy is asked"
            )
        yield Reason("R33", "no risk card is paid for this time; 'continue' alone is open")

    def _no_pay(self, words: Sequence[str]) -> Reasons:
        if self.starts_turn:
            yield Reason("R22", "energy is paid along with the card, as in 'play CARD pay CARD CARD'")
        if ways := [move.energy for move in self.options if isinstance(move, Pay)]:
            yield from self._payment(self.seat.stack[-1].card, ["pay", *words], ways, on_table=True)
        yield self.other()

    # Other answers

    def _no_second(self, _: Sequence[str]) -> Reasons:
        for frame in self.seat.stack[-1:]:
            if frame.step == "second":
                yield Reason("Q53", f"the second step of {frame.card} cannot be left out")
        yield Reason("R40", "no card waits for its second step")

    _no_skip_second = _no_second

    def _no_pass(self, _: Sequence[str]) -> Reasons:
        yield Reason("Q20", "a turn needs a card or a new day; 'new_day' is always open")

    def _no_join(self, _: Sequence[str]) -> Reasons:
        if self.starts_turn:
            yield Reason("R60", "nobody has called a new day yet")
        yield self.other()

    _no_stay = _no_join

    def _no_done(self, _: Sequence[str]) -> Reasons:
        if not self.starts_turn:
            rule = next((_EXACT[kind] for kind in sorted(self.heads) if kind in _EXACT), "R75")
            yield Reason(rule, f"one of these has to be chosen: {self.open_now()}")
        yield self.other()

    # Dogs

    def _no_sacrifice(self, words: Sequence[str]) -> Reasons:
        if self.turn.rulings.options["sacrifice_timing"] == "when_needed":
            yield Reason("Q38", "dogs are sacrificed only to make room for a new one")
        if not self.starts_turn:
            yield Reason("R13", f"dogs are sacrificed before the main action; open now: {self.open_now()}")
        yield from _no_such_dog(self.seat, words[0], "R13")
        yield self._undying(words[0])

    def _no_remove(self, words: Sequence[str]) -> Reasons:
        attachment, _, dog = words
        if not self.turn.rulings.options["attachment_removal"]:
            yield Reason("Q42", "an attachment stays on its dog; only another one can take its place")
        if not self.starts_turn:
            yield Reason("R13", f"attachments are discarded before the main action; open now: {self.open_now()}")
        yield from _no_such_dog(self.seat, dog, "R13")
        yield Reason("R55", f"{dog} wears {_cards(dog.split('+')[1:])}, not {attachment}")

    def _no_kill(self, words: Sequence[str]) -> Reasons:
        if self.starts_turn:
            yield Reason("R13", "no dog has to die now; a dog is given up freely with 'sacrifice DOG'")
        if "kill" not in self.heads:
            yield self.other()
        owner, colon, dog = words[0].rpartition(":")
        if bool(colon) != any(":" in text for text in self.texts):
            how = "the dog without a seat" if colon else f"the seat of its owner, as in '{self.texts[0]}'"
            yield Reason("R52", f"write {how}; open here: {self.open_now()}")
        owners = {str(seat.index): seat for seat in self.turn.seats} if colon else {owner: self.seat}
        if owner not in owners:
            yield Reason("R52", f"there is no player '{owner}'; open here: {self.open_now()}")
        yield from _no_such_dog(owners[owner], dog, "R52")
        if not any(self.turn.can_die(each) for each in owners[owner].dogs if dog_text(each) == dog):
            yield self._undying(dog)
        yield Reason("R52", f"{dog} is not one of the dogs the card can kill: {self.open_now()}")

    def _undying(self, dog: str) -> Reason:
        safe = [card for card in dog.split("+") if card in self.turn.rulings.numbers["cannot_die"]]
        return Reason("R53", f"{dog} cannot die, because of {_cards(safe)}")


def _hand_text(seat: Seat) -> str:
    unknown, shown = seat.hand.count(UNKNOWN), _cards(known(seat.hand))
    return f"{shown}, and {unknown} of {_cards(seat.deck[seat.known :])}" if unknown else shown


def _waiting(seat: Seat, *steps: str) -> Reasons:
    """Yield that a card waits for something else, as far as it waits for one of some steps."""
    for frame in seat.stack[-1:]:
        what, move = ("its second step", "second") if frame.step == "second" else ("a risk card", "continue")
        if not steps or frame.step in steps:
            yield Reason("R14", f"{frame.card} waits for {what}; only '{move}' and 'new_day' are open")


def _no_such_dog(seat: Seat, dog: str, rule: str) -> Reasons:
    """Yield that no such dog is in play; what a dog wears is part of its name."""
    teams, name = sorted(map(dog_text, seat.dogs)), dog.split("+")[0]
    same = [team for team in teams if team.split("+")[0] == name]
    if same and dog not in same:
        yield Reason(rule, f"a dog is written with what it wears: {_cards(same)}")
    if not same:
        yield Reason(rule, f"{name} is not in play: {_cards(teams) if teams else 'no dog is'}{nearest(dog, teams)}")


def _cards(cards: Iterable[str]) -> str:
    return ", ".join(sorted(cards)) or "no card"


# What a hand can pay, and risk cards


class RiskTurnEnd(NamedTuple):
    """One way through a turn of a venture."""

    steps: tuple[Step | Forced, ...]
    orders: int
    """As in ``TurnEnd``."""
    table: Table | None
    """The table after the turn, with the same seat to act; none unless the venture waits."""
    is_through: bool
    """The venture has come through; the rest of the turn is not played."""


class CameThrough(Exception):
    """The root has begun to resolve: how the turn goes on is not self."""


class Watched(WholeTurn):
    """A turn that stops as soon as the root of one seat resolves; it tells nothing."""

    def __init__(self, rulings: Rulings, table: Table, script: Script, seat: int) -> None:
        super().__init__(rulings, table, script)
        self.watched: Seat = self.seats[seat]

    def emit(self, rule: str, kind: str, **data: Any) -> None:
        """Take notice of what a rule did.

        Raises:
            CameThrough: it is the root that resolves (R36).
        """
        if kind == "resolves" and len(self.watched.stack) == 1 and data["seat"] == self.watched.index:
            raise CameThrough


class HandCards:
    """The hand of one player: what pays for what, and ventures. Other players are left out of account."""

    def __init__(self, game: Any, table: Table, seat: int) -> None:
        self.game, self.seat, self.table = game, seat, table._replace(active=seat)

    @property
    def under_way(self) -> str | None:
        """Return the root that waits; one that waits for its second step has resolved already (R40)."""
        stack = self.table.players[self.seat].stack
        return stack[0].card if stack and stack[0].step == "risk" else None

    def cards(self) -> tuple[str, ...]:
        """Return the hand cards with a printed risk cost, ascending; none while a card waits (R14)."""
        cards, player = self.game.rulings.cards, self.table.players[self.seat]
        return () if player.stack else tuple(sorted({card for card in player.hand if cards[card].risk}))

    def openings(self, card: str) -> Iterator[Opening[Table]]:
        """Yield what there is of free actions before a card is played, the fewest first, and its payments then."""
        todo = deque([] if self.table.players[self.seat].stack else [State(self.table)])
        seen = set[Table]()
        while todo:
            state = todo.popleft()
            moves, table = self.game.legal_moves(state), self.game.unfinished(state)
            if not moves or table in seen:
                continue
            seen.add(table)
            plays = {move.energy: move for move in moves if isinstance(move, Play) and move.card == card}
            if plays:
                yield Opening(state.pending, table, plays)
            main = NEW_DAY in moves  # else a free action asks something
            following = [move for move in moves if not main or isinstance(move, FreeAction)]
            todo.extend(self.game.apply(state, move).state for move in following)

    def begun(self, pending: Sequence[Step | Forced]) -> tuple[str | None, bool]:
        """Return the card played in an unfinished turn, and whether its main action has begun."""
        steps = [step.step if isinstance(step, Forced) else step for step in pending]
        card = next((step.card for step in steps if isinstance(step, Play)), None)
        return card, card is not None or any(isinstance(step, Continue) or step == SECOND for step in steps)

    def with_draws(self, table: Table, cards: Sequence[str]) -> Table | None:
        """Return the table with these cards on top of a hidden deck, which the player knows (R73)."""
        player = table.players[self.seat]
        top, rest = player.deck[: player.known], Counter(player.deck[player.known :])
        new, refused = tuple(cards[len(top) :]), self.game.rulings.deck_open or UNKNOWN in player.hand
        if refused or tuple(cards[: len(top)]) != top[: len(cards)] or Counter(new) - rest:
            return None
        deck = (*top, *new, *sorted((rest - Counter(new)).elements()))
        return self._with_player(table, player._replace(deck=deck, known=len(top) + len(new)))

    def _with_player(self, table: Table, player: Player) -> Table:
        players = list(table.players)
        players[self.seat] = player
        return table._replace(players=tuple(players))

    def with_more(self, cards: int) -> HandCards:
        """Return the risk cards with more plain cards in hand (R22)."""
        rulings, player = self.game.rulings, self.table.players[self.seat]
        plain = min(card for card in rulings.cards if card not in rulings.damage_ids and not rulings.cards[card].risk)
        more = player._replace(hand=tuple(sorted([*player.hand, *[plain] * cards])))
        return HandCards(self.game, self._with_player(self.table, more), self.seat)

    def ends(self, table: Table, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Iterator[RiskTurnEnd]:
        """Yield every way through the next turn in which the seat does nothing but begin one card, or continue.

        Free actions are open as ever (R13); giving the venture up by a new day is not.
        """

        def serves(answer: Step) -> bool:
            if isinstance(answer, Play):
                return answer.card == begin
            if isinstance(answer, Continue) or answer == SECOND:
                return begin is None
            return answer not in (NEW_DAY, PASS)

        if table.over:
            return
        for script in every_way(partial(Exploring, wanted=serves, begun=len(pending)), pending):
            turn = Watched(self.game.rulings, table, script, self.seat)
            through, lost = False, False
            try:
                self.game.run(turn)
            except CameThrough:
                through = True
            except Barred:  # the card cannot be begun, or not be paid for where that is asked before it is played
                lost = True
            waits = not (through or lost or turn.over) and turn.watched.stack
            after = turn.frozen()._replace(active=self.seat) if waits else None
            yield RiskTurnEnd(tuple(script.steps), script.orders, after, through)

    # Payments, where the deck is open

    def missing(self) -> tuple[str, ...]:
        """Return what keeps payments from being choices of cards of the hand alone, in words."""
        rulings = self.game.rulings
        lacks = {
            "sacrifices at any time": rulings.sacrifice_any_time,
            "damage cards as payment": rulings.options["damage_for_energy"],
            "second steps that may be skipped": rulings.options["second_step"] == "optional",
        }
        return tuple(words for words, lacking in lacks.items() if lacking)

    def payable(self, cards: Iterable[str]) -> frozenset[str]:
        """Return the cards that may be given up for energy (R22)."""
        return frozenset(cards).difference(self.game.rulings.damage_ids)

    def lacking(self) -> Mapping[str, str]:
        """Return what is lacking, in words, by the hand card whose cost cannot be paid now (R26)."""
        turn, found = WholeTurn(self.game.rulings, self.table, Asking(())), dict[str, str]()
        for card in turn.seats[self.seat].kinds():
            seat = Seat(self.seat, self.table.players[self.seat])
            seat.take(card)
            found[card] = turn.lacking(seat, self.game.rulings.cards[card])
        return {card: words for card, words in found.items() if words}

    def affordable(self, table: Table, hand: Sequence[str] | None = None) -> frozenset[str]:
        """Return the hand cards whose costs can be paid, found out by playing them (R26)."""
        if hand is not None:
            table = self._with_player(table, table.players[self.seat]._replace(hand=tuple(sorted(hand))))
        state = State(table._replace(active=self.seat))
        plays = {move.card: move for move in self.game.legal_moves(state) if isinstance(move, Play)}
        events = {card: self.game.apply(state, move).events for card, move in plays.items()}
        return frozenset(card for card in events if not any(event.rule == "R26" for event in events[card]))


# Plain play


def plain_play(rulings: Rulings, table: Table, index: int) -> Callable[[Step], float]:
    """Return what a seat holds answers of its turn to be worth, in spaces beyond the pace of the race.

    That is a policy for comparisons, no advice: it weighs the answers of the present turn alone. Of its deck it reads
    only which cards lie there, of other seats nothing. Its numbers were found by trying.
    """
    turn = WholeTurn(rulings, table, Asking(()))
    seat, base, cards = turn.seats[index], rulings.auto_base or 0, rulings.cards
    cure = 16.0 if rulings.rules.auto_move_by_condition else 8.0
    lasts = 0.08 * max(0, rulings.finish_at - seat.pos)  # what a point of speed brings that stays in play

    def pace() -> int:
        return 0 if turn.cannot_move(seat) else max(0, base + turn.speed(seat))

    today, far, paces = pace(), None if turn.cannot_move(seat) else turn.speed(seat), []
    for turn.weather in rulings.faces or (table.weather,):
        paces.append(pace())
    turn.weather = table.weather
    over = today - sum(paces) / len(paces) - 0.5  # what another turn of today brings beyond the pace, with its cards
    kept, sure = max(over, 0.12), sum(not cards[name].risk and cards[name].type != "damage" for name in seat.deck)

    def brings(card: Card, later: int = 0) -> float:
        cures = {"food": seat.starvation + later, "personal": seat.hypothermia + later}.get(card.type, 0) > 0
        value = cure * cures + lasts * (card.number("speed") + card.number("speed_other_dogs") * len(seat.dogs))
        if far is not None:
            value += sum(times * max(0, n + far) for n, times in offer_of(rulings, card.id).moves)
        for effect in card.instant:
            n, kind = effect.args.get("n"), effect.op.removeprefix("clear_")
            n = n if isinstance(n, int) else 3
            if effect.op in ("draw", "recover"):
                value += kept * n * (len(seat.dogs) if effect.args.get("per") else 1)
            elif kind in ("hypothermia", "starvation") and effect.args.get("who", "self") in ("self", "all"):
                value -= cure * (max(n, -getattr(seat, kind)) if kind == effect.op else -getattr(seat, kind))
        return value

    @cache
    def playing(name: str) -> float:
        card, hand = cards[name], len(seat.hand) - 1
        energy, risk = turn.energy_cost(seat, card), turn.risk_cost(seat, card)
        if (energy or 0) > hand or turn.health_cost(seat, card.health) > len(seat.deck) - risk:
            return over
        return (1 + risk) * over + (sure / max(1, len(seat.deck))) ** risk * brings(card)

    def weigh(answer: Step) -> float:
        if isinstance(answer, (Play, Continue, Pay)):
            begun = playing(answer.card) if isinstance(answer, Play) else 100.0
            return begun - sum(max(kept, playing(name)) for name in answer.spends)
        if isinstance(answer, Put) and answer.card in cards:
            return (brings(cards[answer.card], later=1) - 1) * (-1 if answer.verb == "destroy" else 1)
        if isinstance(answer, (Kill, FreeAction)):
            return -100.0 if isinstance(answer, FreeAction) else -brings(cards[answer.dog.dog])
        return 100.0 if answer == SECOND else -100.0 if answer in (STAY, SKIP_SECOND) else 0.0

    return weigh
