"""Why a move is not open: the rule that forbids it, the reason, and what is open instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from rules.core.errors import IllegalMoveError, OpenQuestion, Reason, nearest
from rules.core.scripts import Asking, asked_by
from rules.core.steps import CHANCE, Step
from rules.core.turns import State
from rules.core.unknown import UNKNOWN, known
from rules.iditacards.seat import can_die, energy_cost, once_on_table, usable
from rules.iditacards.state import NEW_DAY, Continue, Pay, Play, Table, dog_text
from rules.iditacards.turn import Seat, Team, Turn, TurnGame


class TurnQuestion(OpenQuestion):
    """What is asked at one point of a turn, and the table as it is then."""

    def __init__(self, turn: Turn, actor: int, options: Sequence[Step]) -> None:
        super().__init__(actor, sorted(option.text for option in options))
        self.turn = turn
        self.options = options
        self.seat: Seat = turn.seats[max(actor, 0)]
        """The player to decide."""
        self.starts_turn = NEW_DAY in options
        """The main action is asked for."""

    def other(self) -> Reason:
        """Return that something else is asked first, or that nothing asks for such an answer."""
        if self.starts_turn:
            return Reason("R75", f"nothing asks for that; player {self.actor} begins a turn: {self.open_now()}")
        return Reason("R75", f"player {self.actor} has to answer something else first: {self.open_now()}")


def why_illegal(game: TurnGame, state: State[Table], text: str) -> IllegalMoveError | None:
    """Return the rule that forbids a well-formed move here, or nothing if the text is no move of the game.

    A move is known by its first word and their number; a card, dog or seat that does not exist is part of the reason.
    """
    head, *rest = text.split() or [""]
    shape = _SHAPES.get(head)
    if shape is None or not shape.fits(len(rest)):
        return None
    outcome = game.outcome(state.table)
    if outcome is not None:
        return IllegalMoveError(text, outcome.rule, "the race is over")
    reason = _reason(_turn_question(game, state), [head, *rest], shape)
    return IllegalMoveError(text, reason.rule, reason.text)


def _turn_question(game: TurnGame, state: State[Table]) -> TurnQuestion:
    turn = Turn(game.rulings, state.table, Asking(state.pending))
    question = asked_by(partial(game.run, turn))
    return TurnQuestion(turn, question.actor, question.options)


def _reason(asked: TurnQuestion, words: Sequence[str], shape: _Shape) -> Reason:
    if (asked.actor == CHANCE) != shape.chance:
        return _wrong_actor(asked, words[0])
    for word in shape.cards(words[1:]):
        if word not in asked.turn.rulings.cards:
            return Reason(shape.rule, f"there is no card '{word}'{nearest(word, asked.turn.rulings.cards)}")
    return asked.other() if shape.main and not asked.starts_turn else shape.reason(asked, words)


def _wrong_actor(asked: TurnQuestion, head: str) -> Reason:
    if asked.actor == CHANCE:
        return Reason("R72", f"chance decides here, no player: {asked.open_now()}")
    if head in asked.turn.rulings.chance.open:
        return Reason("R73", f"'{head}' is open: what it brings is known and never named")
    return Reason("R72", f"nothing is drawn or rolled before player {asked.actor} has decided: {asked.open_now()}")


# Playing and paying


def _play(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    card, payment = words[1], words[2:]
    seat = asked.seat
    if seat.stack:
        return _waiting(seat)
    if card not in seat.kinds():
        return Reason("R14", f"{card} is not in the hand: {_hand_text(seat)}")
    ways = [move.energy for move in asked.options if isinstance(move, Play) and move.card == card]
    if not ways:
        return _unplayable(asked, card)
    seat.take(card)
    if card in payment and card not in seat.kinds():
        return Reason("R20", f"{card} cannot pay for itself; the rest of the hand: {_hand_text(seat)}")
    return _payment(asked, card, payment, ways)


def _hand_text(seat: Seat) -> str:
    """Return the cards of a hand in words."""
    unknown = seat.hand.count(UNKNOWN)
    shown = _cards(known(seat.hand))
    return shown if not unknown else f"{shown}, and {unknown} of {_cards(seat.deck[seat.known :])}"


def _waiting(seat: Seat) -> Reason:
    frame = seat.stack[-1]
    if frame.step == "second":
        return Reason("R14", f"{frame.card} waits for its second step; only 'second' and 'new_day' are open")
    return Reason("R14", f"{frame.card} waits for a risk card; only 'continue' and 'new_day' are open")


def _unplayable(asked: TurnQuestion, card: str) -> Reason:
    if asked.turn.rulings.options["unaffordable_play"]:
        return Reason("Q59", f"{card} is a sled card, and none can be played in {asked.turn.weather}")
    return Reason("Q21", f"{card} costs more than the hand and the deck can give")


def _payment(
    asked: TurnQuestion,
    card_id: str,
    payment: Sequence[str],
    ways: Sequence[tuple[str, ...]],
    *,
    on_table: bool = False,
) -> Reason:
    """Return why none of the ways to pay is the one given; ``on_table``: the card already lies there (R21)."""
    turn, seat = asked.turn, asked.seat
    if payment and (payment[0] != "pay" or len(payment) == 1):
        return Reason("R22", f"the cards that pay stand after 'pay', as in '{_example(asked, card_id)}'")
    given = payment[1:]
    hand = [*known(seat.hand), *(seat.deck[seat.known :] if UNKNOWN in seat.hand else ())]
    missing = Counter(given) - Counter(hand)
    if missing:
        short = next(iter(missing))
        held = hand.count(short)
        much = f"only {held} {short}" if held else f"no {short}"
        return Reason("R22", f"there is {much} to pay with; the rest of the hand: {_hand_text(seat)}")
    damage = [name for name in given if name in turn.rulings.damage_ids]
    if damage and not turn.rulings.options["damage_for_energy"]:
        return Reason("Q25", f"a damage card pays no energy; what can pay: {_cards(usable(turn, hand))}")
    card = turn.rulings.cards[card_id]
    level = seat.hypothermia if on_table else once_on_table(seat, card, "hypothermia")
    cost = energy_cost(turn, seat, card, level)
    if cost is None:
        return Reason("R18", f"{card_id} costs all cards that can pay: {_cards(usable(turn, hand))}")
    if ways == [()] and cost > 0:
        able = f"only {len(usable(turn, hand))} can pay"
        return Reason("R26", f"{card_id} needs {_number(cost)} and {able}; without 'pay' it is played and fails")
    if not given:
        return Reason("R25", f"who can pay must pay: {card_id} needs {_number(cost)} of {_cards(usable(turn, hand))}")
    return Reason("R22", f"{card_id} needs {_number(cost)}, {len(given)} given")


def _continue(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    seat = asked.seat
    if not seat.stack:
        return Reason("R14", "no card waits for a risk card; play a card or call a 'new_day'")
    if seat.stack[-1].step == "second":
        return _waiting(seat)
    ways = [move.energy for move in asked.options if isinstance(move, Continue)]
    told = [way for way in ways if way is not None]
    if told:
        return _payment(asked, seat.deck[0], words[1:], told)
    if seat.in_deck and not (asked.turn.rulings.deck_open or seat.known):
        return Reason("R33", "the risk card is not known yet; 'continue' alone turns it up, then its energy is asked")
    return Reason("R33", "no risk card is paid for this time; 'continue' alone is open")


def _pay(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    if asked.starts_turn:
        return Reason("R22", "energy is paid along with the card, as in 'play CARD pay CARD CARD'")
    ways = [move.energy for move in asked.options if isinstance(move, Pay)]
    if not ways:
        return asked.other()
    return _payment(asked, asked.seat.stack[-1].card, words, ways, on_table=True)


def _example(asked: TurnQuestion, card: str) -> str:
    texts = [text for text in asked.texts if f" {card} pay " in f" {text} " or text.startswith("continue pay ")]
    return texts[0] if texts else f"play {card} pay CARD CARD"


# Other main actions


def _second_step(asked: TurnQuestion, _: Sequence[str]) -> Reason:
    if asked.seat.stack and asked.seat.stack[-1].step == "second":
        return Reason("Q53", f"the second step of {asked.seat.stack[-1].card} cannot be left out")
    return Reason("R40", "no card waits for its second step")


def _pass(_asked: TurnQuestion, _: Sequence[str]) -> Reason:
    return Reason("Q20", "a turn needs a card or a new day; 'new_day' is always open")


# Dogs


def _sacrifice(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    if asked.turn.rulings.options["sacrifice_timing"] == "when_needed":
        return Reason("Q38", "dogs are sacrificed only to make room for a new one")
    if not asked.starts_turn:
        return Reason("R13", f"dogs are sacrificed before the main action; open now: {asked.open_now()}")
    return _no_such_dog(asked.seat, words[1], "R13") or _undying(asked, words[1])


def _remove(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    _, attachment, _, dog = words
    if not asked.turn.rulings.options["attachment_removal"]:
        return Reason("Q42", "an attachment stays on its dog; only another one can take its place")
    if not asked.starts_turn:
        return Reason("R13", f"attachments are discarded before the main action; open now: {asked.open_now()}")
    worn = dog.split("+")[1:]
    return _no_such_dog(asked.seat, dog, "R13") or Reason("R55", f"{dog} wears {_cards(worn)}, not {attachment}")


def _kill(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    if asked.starts_turn:
        return Reason("R13", "no dog has to die now; a dog is given up freely with 'sacrifice DOG'")
    if not any(text.startswith("kill ") for text in asked.texts):
        return asked.other()
    owner, colon, dog = words[1].rpartition(":")
    if bool(colon) != any(":" in text for text in asked.texts):
        how = f"write the seat of its owner, as in '{asked.texts[0]}'" if not colon else "write the dog without a seat"
        return Reason("R52", f"{how}; open here: {asked.open_now()}")
    seat = asked.seat if not colon else _seat(asked, owner)
    if seat is None:
        return Reason("R52", f"there is no player '{owner}'; open here: {asked.open_now()}")
    missing = _no_such_dog(seat, dog, "R52")
    if missing is not None:
        return missing
    if not can_die(asked.turn, _team(seat, dog)):
        return _undying(asked, dog)
    return Reason("R52", f"{dog} is not one of the dogs the card can kill: {asked.open_now()}")


def _seat(asked: TurnQuestion, number: str) -> Seat | None:
    return next((seat for seat in asked.turn.seats if str(seat.index) == number), None)


def _team(seat: Seat, dog: str) -> Team:
    return next(team for team in seat.dogs if dog_text(team.frozen()) == dog)


def _no_such_dog(seat: Seat, dog: str, rule: str) -> Reason | None:
    """Return that no such dog is in play, or nothing if it is; what a dog wears is part of its name."""
    teams = sorted(dog_text(team.frozen()) for team in seat.dogs)
    if dog in teams:
        return None
    name = dog.split("+")[0]
    same = [team for team in teams if team.split("+")[0] == name]
    if same:
        return Reason(rule, f"a dog is written with what it wears: {_cards(same)}")
    return Reason(rule, f"{name} is not in play: {_cards(teams) if teams else 'no dog is'}{nearest(dog, teams)}")


def _undying(asked: TurnQuestion, dog: str) -> Reason:
    safe = [card for card in dog.split("+") if card in asked.turn.rulings.numbers["cannot_die"]]
    return Reason("R53", f"{dog} cannot die, because of {_cards(safe)}")


# Answers to what a card or a rule asks


def _answer(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    """Return why an answer is not among the open ones."""
    head = words[0]
    if head in ("join", "stay") and asked.starts_turn:
        return Reason("R60", "nobody has called a new day yet")
    heads = {text.split()[0] for text in asked.texts}
    if head == "done" and not asked.starts_turn:
        rule = next((_EXACT[kind] for kind in sorted(heads) if kind in _EXACT), "R75")
        return Reason(rule, f"one of these has to be chosen: {asked.open_now()}")
    if head not in heads:
        return asked.other()
    return Reason(_SHAPES[head].rule, f"{' '.join(words[1:])} is not among what can be chosen here: {asked.open_now()}")


_EXACT: Final = {"take": "Q46", "recover": "Q51", "restore": "Q51", "legendary": "Q71", "kill": "Q36"}
"""The ruling that asks for a full number, by the first word of the moves it asks for."""


def _chance(asked: TurnQuestion, words: Sequence[str]) -> Reason:
    if words[0] not in {text.split()[0] for text in asked.texts}:
        return Reason("R72", f"something else comes up first: {asked.open_now()}")
    return Reason("R73", f"{words[1]} cannot come up here: {asked.open_now()}")


# The shapes of moves


class _Shape(NamedTuple):
    """How a kind of move is written, and who knows why it is not open."""

    reason: Callable[[TurnQuestion, Sequence[str]], Reason]
    rule: str = "R75"
    """Rule named when one of its cards does not exist or cannot be chosen."""
    least: int = 0
    """Words after the first one."""
    most: int | None = 0
    """No limit when nothing."""
    cards: Callable[[Sequence[str]], Iterable[str]] = lambda _: ()
    """Which of the words after the first are card ids."""
    chance: bool = False
    """It is an outcome of chance, no move."""
    main: bool = False
    """It is a main action, open only where a turn begins."""

    def fits(self, words: int) -> bool:
        return self.least <= words and (self.most is None or words <= self.most)


def _all(rest: Sequence[str]) -> Sequence[str]:
    return rest


def _but_pay(rest: Sequence[str]) -> list[str]:
    return [word for word in rest if word != "pay"]


def _of_dog(rest: Sequence[str]) -> list[str]:
    return [card for word in rest[-1:] for card in word.rpartition(":")[2].split("+")]


def _removed(rest: Sequence[str]) -> list[str]:
    return [rest[0], *_of_dog(rest)]


_ONE_CARD: Final = {"destroy": "R75", "discard": "R75", "keep": "R75", "return": "R75", "recover": "Q50"}
_SHAPES: Final[Mapping[str, _Shape]] = {
    "play": _Shape(_play, "R14", 1, None, _but_pay, main=True),
    "continue": _Shape(_continue, "R22", 0, None, _but_pay, main=True),
    "pay": _Shape(_pay, "R22", 1, None, _all),
    "second": _Shape(_second_step, main=True),
    "skip_second": _Shape(_second_step, main=True),
    "pass": _Shape(_pass, main=True),
    "new_day": _Shape(_answer),
    "sacrifice": _Shape(_sacrifice, "R13", 1, 1, _of_dog),
    "remove": _Shape(_remove, "R13", 3, 3, _removed),
    "kill": _Shape(_kill, "R52", 1, 1, _of_dog),
    "attach": _Shape(_answer, "R54", 2, 4),
    "join": _Shape(_answer),
    "stay": _Shape(_answer),
    "done": _Shape(_answer),
    "discard_new": _Shape(_answer),
    "from": _Shape(_answer, "Q48", 1, 1),
    "target": _Shape(_answer, "R75", 1, 1),
    "take": _Shape(_answer, "Q46", 1, 1, _all),
    "legendary": _Shape(_answer, "R66", 1, 1, _all),
    "restore": _Shape(_answer, "Q50", 1, 1, _all),
    **{head: _Shape(_answer, rule, 1, 1, _all) for head, rule in _ONE_CARD.items()},
    "deck": _Shape(_chance, "R73", 1, 1, _all, chance=True),
    "upgrade": _Shape(_chance, "R73", 1, 1, _all, chance=True),
    "weather": _Shape(_chance, "R62", 1, 1, chance=True),
}
"""Every kind of move and outcome, by its first word."""


def _cards(cards: Iterable[str]) -> str:
    return ", ".join(sorted(cards)) or "no card"


def _number(n: int) -> str:
    return f"{n or 'no'} card{'' if n == 1 else 's'}"
