"""What a player is told about the best move: why it is best, and hints that each tell a little more.

Every sentence about a move is about states that the rules reached: after the move or the turn of a proved line, after
results of chance with exact values, or after the same draws for both moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Objective
from rules.core.errors import BestlineError, capitalised, counted, joined
from rules.core.position import Position
from rules.core.race import Grid, Picture, Unsupported
from rules.core.scripts import CHANCE, Event, Forced, SplitMix64, Step, mix
from rules.core.turns import State
from solver.engines.next_turn import next_moves
from solver.lines import spends, uses
from solver.question import (
    APPLY,
    Answer,
    MoveValue,
    NextMove,
    Question,
    Status,
    chance_is_next,
    is_uncertain,
)
from solver.screens.answer import Answered
from solver.screens.answer import reasons as notes_in_words
from solver.screens.common import FEW, UNTOLD, count, percent, turns_text, unit_of, words_of
from solver.screens.policy import lost_text
from solver.search.budget import BudgetExceeded
from solver.search.expectimax import chance_of, whatever_comes
from solver.search.rollout import Deals, Draws, GreedyPolicy, Playing, kind_of

DRAWS: Final = 16
"""Deals of what is not seen, with draws, on which moves are played; what is told of a move holds on all of them."""
MOST: Final = 4
"""Most events, or results of chance, that are named."""
RIVALS: Final = 12
"""Moves looked through, the best first, for one that keeps a card."""
VALUING_S: Final = 1.0
"""Seconds to value what comes after the next best move."""


# Why a move is best


class Reached(NamedTuple):
    """What a move led to on all draws, up to the next decision."""

    told: tuple[str, ...]
    """What the rules did, in sentences."""
    progress: int | None
    hand: Counter[str]
    lines: Mapping[str, str]
    """The table in brief, by label; empty texts are not the same on all draws."""
    always: str
    """What stands behind what chance may change; empty where nothing was drawn."""

    def common(self, other: Reached) -> Reached:
        """Return what holds in both."""
        return Reached(
            tuple(each for each in self.told if each in other.told),
            self.progress if self.progress == other.progress else None,
            self.hand & other.hand,
            {
                label: text if self.lines.get(label) == other.lines.get(label) else ""
                for label, text in {**self.lines, **other.lines}.items()
            },
            self.always or other.always,
        )


def reasons(question: Question, answer: Answer[Any]) -> tuple[str, ...]:
    """Return short sentences that say why the best move of an answer is best; at least one."""
    shown = answer.compared
    if shown.status is Status.INFEASIBLE:
        return ("No way to play does what is asked; that is proved.",)
    if not shown.moves:
        return ("There is no move to compare here.",)
    return tuple(dict.fromkeys(_Comparison(question, shown).sentences(answer)))


class _Comparison:
    """The first move of one answer beside the next best ones."""

    def __init__(self, question: Question, answer: Answer[Any]) -> None:
        self._question, self._answer = question, answer
        self._game, self._start = question.position.start()
        self._seat = question.seat
        self._unit = unit_of(question.position.game)
        self._deals = Deals(self._game, self._start, self._seat, alone=question.position.players == 1)
        self._best, *self._others = answer.moves
        worse, kind = [each for each in self._others if each.loss != 0] or self._others, kind_of(self._best.move.text)
        apart = [each for each in worse if kind_of(each.move.text) != kind]
        self._rivals = worse[:1] if worse[:1] == apart[:1] else [*worse[:1], *apart[:1]]
        """The next best move, and the best one of another kind."""
        self._draws = list(filter(self._is_possible, range(DRAWS)))

    def sentences(self, asked: Answer[Any]) -> Iterator[str]:
        """Yield all reasons; ``asked`` is the answer that may hold an annotated line."""
        it, others = self._reached(self._best), [self._reached(each) for each in self._rivals]
        yield from self._gained(it, others)
        yield from self._kept(asked, it)
        yield from self._after_chance(self._best, "It")
        level = [each for each in self._others if each.loss == 0 and not self._is_untold(each)]
        if equal := sum(each.paired is not None or not self._answer.is_sampled for each in level):
            yield f"{counted(equal, 'other move')} {'does' if equal == 1 else 'do'} as well."
        for rival, other in zip(self._rivals, others, strict=True):
            yield from self._lacked(it, rival, other)
        if not others:
            yield f"No other move {'is open' if self._answer.choices == 1 else 'was compared'}."
        yield from self._keeping(it)

    def _reached(self, move: MoveValue[Any]) -> Reached:
        """Return what a move led to on all draws, or where a line tells it the whole turn."""
        game, seat, found = self._game, self._seat, list[Reached]()
        for number in self._draws:
            table, steps = self._dealt(move.move, number)
            state, told, draws, always = State(table, tuple(steps[:-1])), list[str](), Draws(number), ""
            coming = list(move.line[0].steps if move.line else (move.move,))
            while coming:
                step = coming.pop(0)
                after = game.apply(state, step)
                events = after.events if always else _consequences(after.events, step)
                state, events = after.state, [each for each in events if each.kind not in game.profile.routine]
                told += [f"{game.sentence(each)}{always}" for each in events]
                if not coming and state.pending and game.to_act(state) == CHANCE:
                    coming = [draws.draw(game.chance_outcomes(state))]
                    always = f" in all {len(self._draws)} playouts"
            end = game.unfinished(state) if state.pending else state.table
            hand, lines = Counter(game.hand(end, seat)), self._lines(end)
            found.append(Reached(tuple(told), game.progress(end, seat), hand, lines, always))
            if not (always or self._deals.is_needed):
                break
        return reduce(Reached.common, found) if found else Reached((), None, Counter(), {}, "")

    def _lines(self, table: Any) -> Mapping[str, str]:
        """Return the own and the shared lines of a table in brief, grids left out."""
        lines: dict[str, list[str]] = {}
        for label, text in self._game.brief(table):
            is_grid = isinstance(text, Picture) and isinstance(text.shape, Grid)
            lines.setdefault(label, []).extend([] if is_grid else [text])
        players = self._question.position.players
        return {label: texts[self._seat if len(texts) == players else 0] for label, texts in lines.items() if texts}

    def _gained(self, it: Reached, others: Sequence[Reached]) -> Iterator[str]:
        """Yield what the move does and not all of the others do: what it leads to comes last."""
        told = [each for each in it.told if not others or any(each not in other.told for other in others)]
        yield from (f"{capitalised(each)}." for each in told[-MOST:])
        before = self._game.progress(self._start.table, self._seat)
        if it.progress is not None and it.progress > before:
            yield f"{capitalised(self._game.advance(before, it.progress))}{it.always}."

    def _kept(self, asked: Answer[Any], it: Reached) -> Iterator[str]:
        """Yield which cards the move leaves in the hand for a later turn."""
        for label, text in notes_in_words(asked.turns[0].notes, "") if asked.turns else ():
            if label == "keeps":
                yield f"It keeps {text}."
        for text in (each.move for each in self._answer.next_turn[:1] if each.move):
            kept = sorted(Counter(text.split()) & it.hand)
            yield f"It keeps {joined(kept)} for the next turn: '{text}'." if kept else f"Next turn: '{text}'."

    def _keeping(self, it: Reached) -> Iterator[str]:
        """Yield what it costs to keep the cards that leave the hand with the best move."""
        lost = Counter(self._game.hand(self._start.table, self._seat)) - it.hand
        for move in self._others[:RIVALS]:
            kept = sorted(lost & self._reached(move).hand - it.hand)
            if kept and not self._is_untold(move):
                yield f"To keep {joined(kept)}, '{move.move.text}' is best: it {self._lost(move)}."
            lost -= Counter({card: lost[card] for card in kept})

    def _lacked(self, it: Reached, rival: MoveValue[Any], other: Reached) -> Iterator[str]:
        """Yield what another move loses, what it leaves less of, and in which playouts it falls behind."""
        name, amount = f"'{rival.move.text}'", self._unit.amount
        yield f"{name} {self._lost(rival)}."
        if it.progress is not None and other.progress is not None and other.progress < it.progress:
            takes = "takes you only to" if self._unit.is_place else "leaves you with only"
            yield f"{name} {takes} {amount(str(other.progress))}{other.always}."
        if lost := it.hand - other.hand - Counter(rival.move.text.split()):
            yield f"After {name} you do not hold {joined(sorted(lost))}."
        for label, text in it.lines.items():
            instead = other.lines.get(label, "none")
            if label != "hand" and text and instead and text != instead:
                yield f"{capitalised(label)}: {text}; after {name}: {instead}."
        yield from self._after_chance(rival, name)
        better, worse, playouts = rival.paired or (0, 0, 0)
        if better > worse and not self._is_untold(rival):
            yield f"Of {count(playouts, 'playout')} of both, it beats {name} in {better} and loses to it in {worse}."

    def _lost(self, rival: MoveValue[Any]) -> str:
        answer, words = self._answer, words_of(self._question, self._answer)
        if self._is_untold(rival):
            return UNTOLD
        if rival.loss == 0:
            return "does as well"
        told = lost_text(rival, answer, words)
        return told if told.startswith("loses") else "is worse" if rival.at_least else "is not sure to do as well"

    def _is_untold(self, rival: MoveValue[Any]) -> bool:
        """Return whether there were too few playouts of the best move and another to tell them apart."""
        few = self._answer.is_behind(rival) or (rival.paired is not None and rival.paired[2] < FEW)
        is_vague = words_of(self._question, self._answer).is_vague
        return self._answer.is_sampled and (few or is_vague(self._best) or is_vague(rival))

    def _after_chance(self, move: MoveValue[Any], name: str) -> Iterator[str]:
        """Yield after which results of chance a move falls short, or else does well, where their values are exact."""
        goal, found = self._answer.goal, self._valued(move)
        if goal is None or len({each.value for each in found}) < 2 or chance_of(found) != 1:
            return
        sign = -1 if goal.objective is Objective.MIN_TURNS else 1
        least = min((each.value for each in found), key=lambda value: (value is not None, sign * (value or 0)))
        is_lost = goal.objective is Objective.REACH and not least
        worst = [each for each in found if each.value == least]
        better = [each for each in found if each.value != least]
        rare, often = sorted((worst, better), key=chance_of)
        group = rare if all(each.when for each in rare) else often
        verbs = ("fails", "can get there only") if is_lost else ("does worst", "does better")
        seen = [" with ".join(results) for each in group for results in each.when]
        if all(each.when for each in group):
            more = [counted(len(seen) - MOST, "other result")] if len(seen) > MOST else []
            after = " or ".join((*seen[:MOST], *more))
            yield f"{name} {verbs[group is better]} after {after} ({percent(chance_of(group))})."

    def _valued(self, move: MoveValue[Any]) -> Sequence[NextMove]:
        """Return the results of chance on this turn, or else the next, with the exact values after them."""
        answer, later = self._answer, self._answer.continuation
        if later is None or not move.is_settled:
            return ()
        plan, following = answer.plan, answer.next_turn
        if move is not self._best:
            later.budget.go_on(VALUING_S)
            try:
                plan = tuple(later.first.plan(move.move, later.of_moves.get(move.move, later.ahead)))
                following = next_moves(self._question.position, answer, move, plan) if plan else ()
            except (BudgetExceeded, Unsupported):
                return ()
        branches = [NextMove("", (each.seen,) if each.seen else (), each.probability, each.value) for each in plan]
        return branches if len(branches) > 1 else following

    def _dealt(self, move: Step, number: int) -> tuple[Any, Sequence[Step | Forced]]:
        """Return a table in agreement with what the player sees, and the steps of the turn up to a move."""
        table, begun = self._deals.deal(self._game.begun(self._start, move), SplitMix64(mix(number)))
        while self._deals.is_before(table):  # what others decided in secret is decided anew
            answer = partial(GreedyPolicy(self._game), table, generator=SplitMix64(mix(number)))
            table = self._game.play_turn(table, Playing((), Draws(number), answer))
        return table, begun

    def _is_possible(self, number: int) -> bool:
        table, begun = self._dealt(self._best.move, number)
        moves = self._game.legal_moves(State(table, tuple(begun[:-1])))
        return all(each.move in moves for each in (self._best, *self._rivals))


def _consequences(events: Sequence[Event], step: Step) -> list[Event]:
    """Return what the rules did because of a step, without the events that only say the step again."""
    words, found = set(step.text.replace("+", " ").split()), list[Event]()
    for place, event in enumerate(events):
        told = [each for key, each in event.data.items() if key not in ("seat", "start")]
        parts = {str(part) for each in told for part in (each if isinstance(each, list | tuple) else (each,))}
        if parts - words or (place and not parts):
            found.append(event)
    return found


# Hints in four steps: what kind of move, which card, the move, the line

LEVELS: Final = ("nudge", "card", "move", "line")
"""From the least to the most."""


class Hint(NamedTuple):
    """No more than was asked for."""

    text: str | None
    """None where there is no hint."""
    words: str
    """The text with how sure it is, or why there is none."""
    sure: bool
    """The move behind it is proved best, or it is proved that none serves the goal."""
    interrupted: bool = False


def hint(position: Position, level: str, advised: Callable[[], Answered]) -> Hint:
    """Return a hint about the best move now; ``advised`` compares the moves, as for whoever asks for all of them.

    Raises:
        BestlineError: there is no such level, or no move to choose.
    """
    if level not in LEVELS:
        raise BestlineError(f"'{level}' is no level of a hint; levels: {', '.join(LEVELS)}")
    if position.players == 1 and chance_is_next(position):
        return Hint(APPLY, APPLY, sure=True)
    answered = advised()
    question, answer = answered.question, answered.answer
    if answer.status is Status.INFEASIBLE:
        told = "that is proved, whatever comes up" if answer.goal is not None else "'bestline solve --why' tells why"
        return Hint(None, f"no move serves the goal, it cannot be reached; {told}", sure=True)
    if answer.status is Status.OPTIMAL and not answer.line and (answer.is_open or not answer.moves):
        return Hint(done := "nothing is left to do: the goal is reached", done, sure=True)
    if (best := _best(answer)) is None:
        why = "stopped before a move that serves the goal was found; allow more with --time"
        return Hint(None, why, sure=False, interrupted=answer.interrupted)
    move, line = best
    verb, cards, spent = move.text.partition(" ")[0], uses(move), len(spends(move))
    card = cards[0] if cards else ""
    named = " ".join(move.text.split()[:2])
    paying = {0: "it costs no cards", 1: "one other card pays for it"}.get(spent, f"{spent} other cards pay for it")
    text = {
        "nudge": f"{verb} a card from the hand; {paying}" if card else f"try '{verb}'",
        "card": f"{verb} {card}" if card else f"{verb}; {paying}" if spent else named,
        "move": move.text,
        "line": "; ".join(line),
    }[level]
    only = answer.contest is None and not _is_open(question) and bool(answer.verdict) and len(answer.moves) == 1
    sure = answer.status is Status.OPTIMAL or only
    is_close = answer.compared.verdict == "close"
    unsure = "too close to call: others may be as good" if is_close else "the best found, not proved"
    whole = {"card": ": that is the whole move", "line": "; what follows was not worked out" * (not sure)}
    words = f"{text}{whole.get(level, '') * (text == move.text)}{'' if sure else f' ({unsure})'}"
    if level == "line" and sure and answer.line:
        words = f"{text}\n{turns_text(len(answer.line), question.own_goal)}, proved"
    return Hint(text, words, sure, answer.interrupted)


def _is_open(question: Question) -> bool:
    """Return whether a single player knows all, or the goal says how chance comes."""
    return question.position.players == 1 and not is_uncertain(question.position)


def _best(answer: Answer[Any]) -> tuple[Step, tuple[str, ...]] | None:
    """Return the best move, and the line or first turn that it begins; nothing where none was compared."""
    if steps := [step for turn in answer.line for step in turn.steps]:
        return steps[0], tuple(step.text for step in steps)
    shown, contest = answer.compared, answer.contest
    if not shown.moves or (shown.moves[0].value is None and not (contest and answer.is_sampled)):
        return None
    best, follows = shown.moves[0].move, contest.follows if contest else ()
    if not shown.omitted:  # what depends on chance cannot be followed
        follows = follows or whatever_comes(shown.plan)
    return best, follows or (best.text,)
