"""Why a move is best, and why something is impossible: from tables that were played, and by exact search.

Every sentence about a move is about states that the rules reached: after the move or the turn of a proved line, after
results of chance with exact values, or after the same draws for both moves.

What makes something impossible is a smallest set of rules that do so with all others loosened. It is found by deletion
(a minimal unsatisfiable subset, Bailey and Stuckey 2005). Rules are loosened one after another for good, as long as
exhausted search still proves that the question has no answer. Then each single member of the rest is loosened once
more, since a loosened rule need not help in every combination. So nothing rests on the assumption that loosening makes
things only easier, nor on a solver's core.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.errors import BestlineError, ContentError, DisagreementError, capitalised, counted, joined
from rules.core.files import data_file
from rules.core.position import Position
from rules.core.race import Grid, Picture, Unsupported
from rules.core.ruleset import copied, extended, merge
from rules.core.scripts import CHANCE, Event, Forced, SplitMix64, Step, mix
from rules.core.turns import State
from solver.engines.answers import searchable, solve
from solver.engines.next_turn import next_moves
from solver.lines import replayed_value
from solver.question import Answer, MoveValue, NextMove, Question, Status, TurnLine
from solver.screens.common import count, percent, unit_of, words_of
from solver.screens.common import reasons as notes_in_words
from solver.screens.policy import lost_text
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectimax import chance_of
from solver.search.rollout import Deals, Draws, GreedyPolicy, Playing, kind_of

DRAWS: Final = 16
"""Deals of what is not seen, with draws, on which moves are played; what is told of a move holds on all of them."""
MOST: Final = 4
"""Most events, or results of chance, that are named."""
RIVALS: Final = 12
"""Moves looked through, the best first, for one that keeps a card."""
VALUING_S: Final = 1.0
"""Seconds to value what comes after the next best move."""
SLICES: Final = 12
"""Parts of the time that one search may take at most."""


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
        level = [each for each in self._others if each.loss == 0]
        if equal := sum(each.paired is not None or not self._answer.is_sampled for each in level):
            yield f"{counted(equal, 'other move')} {'does' if equal == 1 else 'do'} as well."
        for rival, other in zip(self._rivals, others, strict=True):
            yield from self._lacked(it, rival, other)
        if not others:
            yield "No other move was compared."
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
                    always = f" on all {len(self._draws)} draws"
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
            if kept:
                yield f"To keep {joined(kept)}, '{move.move.text}' is best: it {self._lost(move)}."
            lost -= Counter({card: lost[card] for card in kept})

    def _lacked(self, it: Reached, rival: MoveValue[Any], other: Reached) -> Iterator[str]:
        """Yield what another move loses, what it leaves less of, and on which draws it falls behind."""
        name, amount = f"'{rival.move.text}'", self._unit.amount
        yield f"{name} {self._lost(rival)}."
        if it.progress is not None and other.progress is not None and other.progress < it.progress:
            yield f"{name} takes you only to {amount(str(other.progress))}{other.always}."
        if lost := it.hand - other.hand - Counter(rival.move.text.split()):
            yield f"After {name} you do not hold {joined(sorted(lost))}."
        for label, text in it.lines.items():
            instead = other.lines.get(label, "none")
            if label != "hand" and text and instead and text != instead:
                yield f"{capitalised(label)}: {text}; after {name}: {instead}."
        yield from self._after_chance(rival, name)
        if rival.paired is not None:
            better, worse, draws = rival.paired
            yield f"Of {count(draws, 'draw')} played with both, it beats {name} on {better} and loses to it on {worse}."

    def _lost(self, rival: MoveValue[Any]) -> str:
        """Return what a move loses, to stand behind its name."""
        answer, words = self._answer, words_of(self._question, self._answer)
        if rival.loss == 0:
            return "does as well"
        if answer.is_sampled and any(map(words.is_vague, (self._best, rival))):
            return "was not played often enough to tell"
        told = lost_text(rival, answer, words)
        return told if told.startswith("loses") else "is worse" if rival.at_least else "is not sure to do as well"

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
                answer = replace(answer, instead=plan)
                following = next_moves(self._question.position, answer, move.move, move.value) if plan else ()
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
        """Return whether a deal comes to this decision."""
        table, begun = self._dealt(self._best.move, number)
        moves = self._game.legal_moves(State(table, tuple(begun[:-1])))
        return all(each.move in moves for each in (self._best, *self._rivals))


def _consequences(events: Sequence[Event], step: Step) -> list[Event]:
    """Return what the rules did because of a step, without the events that only say the step again."""
    words, found = set(step.text.split()), list[Event]()
    for place, event in enumerate(events):
        told = [each for key, each in event.data.items() if key not in ("seat", "start")]
        parts = {str(part) for each in told for part in (each if isinstance(each, list | tuple) else (each,))}
        if parts - words or (place and not parts):
            found.append(event)
    return found


# Why something is impossible


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """One rule, or one condition of the question, that can be loosened."""

    id: str
    holds: str
    """In words that follow "because"."""
    rules: tuple[str, ...] = ()
    """Its numbers in the rulebook."""
    change: Mapping[str, Any] = field(default_factory=dict)
    """Tables of a variant that loosens the rule in one ruleset; none for a condition of the question."""
    words: str = ""
    """The first words of the moves that the question forbids."""


class Explanation(NamedTuple):
    """Why a question has no answer."""

    goal: Goal
    """What is impossible; for a proved best value, to do better."""
    causes: tuple[Cause, ...]
    """Rules that make it impossible together, with all the other candidates loosened."""
    enough: tuple[Cause, ...]
    """Those candidates that make it possible when they alone are loosened."""
    candidates: tuple[Cause, ...]
    """Everything that was loosened and tightened in turn."""
    minimal: bool
    """Loosening any one of the causes as well makes it possible; false where a limit left that open."""
    searches: int
    """Exhausted searches behind it."""


def improvement_question(goal: Goal, report: Answer[int]) -> Goal | None:
    """Return the question whose impossibility an answer proved, or nothing where it proved none."""
    if report.status is Status.INFEASIBLE:
        return goal
    if report.status is Status.OPTIMAL and report.value:
        if goal.objective is Objective.MAX_DISTANCE:
            return replace(goal, objective=Objective.REACH, target=report.value + 1)
        if goal.objective is Objective.MIN_TURNS:
            return replace(goal, within_turns=goal.least(report.value) - 1)
    return None


def explain(
    position: Position, goal: Goal, limit: Budget | None = None, note: Callable[[str], None] | None = None
) -> Explanation:
    """Return why a question that is proved to have no answer has none.

    ``note`` hears each step; a limit holds for all searches together.

    Raises:
        UnsupportedRuleset: the search does not carry the question.
        KeyboardInterrupt: the user stopped it.
    """
    return _Loosening(position, goal, limit or Budget(), note).explanation()


class _Loosening:
    """One question, asked with one set of rules loosened after the other."""

    def __init__(self, position: Position, goal: Goal, limit: Budget, note: Callable[[str], None] | None) -> None:
        self._position, self._goal, self._note = position, goal, note
        self._budget = limit.start()
        # One question made too large by what is loosened must not take the time of all the others.
        self._slice_s = None if limit.time_s is None else limit.time_s / SLICES
        self._answers: dict[frozenset[str], bool | None] = {}
        self._lines: list[tuple[TurnLine, ...]] = []
        """Lines found under some loosened rules, to be tried under others before they are searched."""

    def explanation(self) -> Explanation:
        bans = sorted(self._goal.forbidden)
        every = [Cause(f"without {words}", f"'{words}' is not allowed", words=words) for words in bans]
        # What the position cannot be asked with, or what is loose in it already, explains nothing.
        candidates = [each for each in relaxations(self._position) + every if self._loosened([each]) is not None]
        enough = tuple(cause for cause in candidates if self._answer([cause]))
        causes = self._kept(candidates)
        minimal = all(self._answer([*_without(candidates, causes), cause]) for cause in causes)
        return Explanation(self._goal, tuple(causes), enough, tuple(candidates), minimal, len(self._answers))

    def _kept(self, candidates: Sequence[Cause]) -> list[Cause]:
        """Return what is left after loosening whatever can be loosened without making the question possible."""
        if self._answer(candidates) is False:
            return []
        kept, before = list(candidates), 0
        while len(kept) != before:
            before = len(kept)
            for cause in tuple(kept):
                rest = _without(kept, [cause])
                if self._answer(_without(candidates, rest)) is False:
                    kept = rest
        return kept

    def _answer(self, loose: Sequence[Cause]) -> bool | None:
        """Return whether the question has an answer with some rules loosened; nothing where a limit leaves it open."""
        name = frozenset(cause.id for cause in loose)
        if name not in self._answers:
            if self._note is not None:
                self._note(f"asking again without: {', '.join(sorted(name))}")
            self._answers[name] = self._solved(loose)
        return self._answers[name]

    def _solved(self, loose: Sequence[Cause]) -> bool | None:
        question = self._loosened(loose)
        if question is None or self._budget.is_over:
            return None
        if any(_holds(*question, line) for line in self._lines):
            return True
        report = solve(*question, self._budget.within(self._slice_s, self._budget.states))
        if report.interrupted:
            raise KeyboardInterrupt
        if report.status is Status.INFEASIBLE:
            return False
        if report.line:
            self._lines.append(report.line)
        return True if report.line or report.status is Status.OPTIMAL else None

    def _loosened(self, loose: Sequence[Cause]) -> tuple[Position, Goal] | None:
        """Return the question with some rules loosened, or nothing where the position does not fit them."""
        words = {cause.words for cause in loose if cause.words}
        goal = replace(self._goal, forbidden=self._goal.forbidden - words)
        position = relaxed(self._position, loose)
        return None if position is None else (position, goal)


def _holds(position: Position, goal: Goal, line: tuple[TurnLine, ...]) -> bool:
    """Return whether a line of other rules is one here and does what is asked."""
    try:
        value = replayed_value(searchable(position), position.start()[1], line, goal)
    except (BestlineError, DisagreementError):
        return False
    is_reach = goal.objective is Objective.REACH
    return bool(value) if is_reach else goal.within_turns is None or len(line) <= goal.within_turns


def _without(causes: Sequence[Cause], others: Sequence[Cause]) -> list[Cause]:
    return [cause for cause in causes if cause not in others]


def relaxations(position: Position) -> list[Cause]:
    """Return what can be loosened in a position and is not loose there already, in the order of the game's file."""
    found = []
    for name, table in data_file(position.definition.folder, "relaxations").items():
        cause = Cause(name, table["holds"], tuple(table["rules"]), _change(position.ruleset.raw, table))
        loosened = relaxed(position, (cause,))
        if loosened is not None and loosened.fingerprint != position.fingerprint:
            found.append(cause)
    return found


def relaxed(position: Position, loose: Iterable[Cause]) -> Position | None:
    """Return a position with some rules loosened, or nothing where it is no position under those rules."""
    change: dict[str, Any] = {}
    for cause in loose:
        merge(change, cause.change)
    try:
        ruleset = extended(position.ruleset, change) if change else position.ruleset
    except ContentError:
        return None
    decided = change.get("options", {})
    options = {name: value for name, value in position.options.items() if name not in decided}
    return replace(position, options=options).under(ruleset)


def _change(raw: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a variant that a relaxation comes to in one ruleset."""
    change: dict[str, Any] = {
        name: {key: copied(value) for key, value in entries.items() if name == "options" or key in raw.get(name, {})}
        for name, entries in table.get("set", {}).items()
    }
    for rule in table.get("each", ()):
        where, effect = rule.get("where", {}), rule.get("effect")
        chosen = {
            name: {key: value for key, value in rule["set"].items() if entry.get(key, value) != value}
            for name, entry in raw.get(rule["in"], {}).items()
            if where.items() <= entry.items()
            and (effect is None or any(effect.items() <= each.items() for each in entry["effects"]))
        }
        merge(change, {rule["in"]: {name: new for name, new in chosen.items() if new}})
    return {name: entries for name, entries in change.items() if entries}
