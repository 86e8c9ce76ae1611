"""An answer of ``solve`` or ``best``: its JSON, and its screen with verdict, moves, plan, and what it all rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from puzzles.puzzle import Goal, Objective
from rules.core.errors import joined
from rules.core.position import Position
from rules.core.race import Race
from rules.core.tools.output import picked, plain, stated
from solver.question import (
    BY_ROUNDS,
    Answer,
    ContestFacts,
    MoveValue,
    NextMove,
    Note,
    PlayedTurn,
    Question,
    Status,
    TurnLine,
)
from solver.render import EMPTY, FACTS, Row, fact_row
from solver.screens import common, policy
from solver.search.expectimax import Branch, chance_of

if TYPE_CHECKING:
    from solver.proofs import Cause, Count, Explanation

STEP: Final = 4
"""Columns before everything that belongs to one turn."""
REASON: Final = 10
"""Columns from a reason's label to its text."""
TELLING: Final = ("It keeps ", "It can ", " → ", " you only to ", " you with only ", " do not hold ", "")
"""Words of reasons, those that tell most first."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question answered, with what else was asked about the answer."""

    command: str
    """``best`` compares the moves; ``solve`` tells the line or the policy."""
    question: Question
    answer: Answer[Any]
    title: str = ""
    top: int = 3
    """Moves shown."""
    why: bool = False
    """The plan is annotated."""
    timed: bool = True
    """The clock may show."""
    explanation: Explanation | None = None
    """Why it is impossible, or impossible to do better; where that was asked and proved."""
    every: Count | None = None
    """All the lines that do as well; where that was asked and proved."""
    also: Sequence[Answered] = ()
    """The same question for further moves whose value was asked."""
    reasons: Sequence[str] = ()
    """Why the best move is best, in sentences; where that was asked."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        data = answer_data(self.command, self.question, self.answer, self.top, timed=self.timed)
        if self.also:
            told = [data, *(other.json() for other in self.also)]
            data["versus"] = [each["versus"] for each in told if "versus" in each]
        data |= {"why": list(self.reasons)} if self.reasons else {}
        if (every := self.every) is not None:
            lines = [_texts(line) for line in every.written]
            data["lines"] = {"count": every.lines, **picked(every, "exact", "stopped"), "lines": lines}
        if (found := self.explanation) is not None:
            reasons = {"causes": found.causes, "enough": found.enough}
            data["because"] = {
                **picked(found.goal, "within_turns", "target"),
                **{name: [picked(cause, "id", "holds", "rules") for cause in those] for name, those in reasons.items()},
                "loosened": [cause.id for cause in found.candidates],
                **picked(found, "minimal", "searches"),
            }
        return data

    def brief_rows(self, *, numbered: bool = True) -> list[Row]:
        """Return the best move, how sure it is, one reason, and the runner-ups; nothing where no move was compared."""
        answer = self.answer.compared
        if not answer.moves:
            return []
        # What a move loses stands in the rows below.
        told = sorted(self.reasons, key=lambda each: "' loses " in each or common.UNTOLD in each)
        because = next((each for part in TELLING for each in told if part in each), "")
        verdict, first = replace(self, answer=answer, also=()).body().verdict, answer.moves[0].move.text
        verdict = verdict if first in verdict.text else verdict._replace(text=f"{first}: {verdict.text}")
        moves = policy.move_rows(self.question, answer, self.top, numbered=numbered)
        return [verdict, *common.facts_rows([("because", because)]), *moves[:-1]]

    def body(self) -> common.Body:
        """Return what stands between the title and what is taken as known."""
        asked = [(each.question, each.answer) for each in (self, *self.also)]
        if self.answer.contest is not None:
            return policy.contest_body(asked, self.top)
        return self._open_body() if self.answer.is_open else policy.policy_body(asked, self.top)

    def rows(self) -> list[Row]:
        """Return the answer as a screen."""
        question, answer, position = self.question, self.answer, self.question.position
        body, hides = self.body(), answer.is_open and (self.command != "best" or self.why)
        drawn = [] if hides else common.picture_rows(position, question.goal)
        rows = [Row(self.title, look="title"), *body.question, EMPTY, *drawn, EMPTY, body.verdict]
        rows += common.facts_rows(zip(["because", *[""] * len(self.reasons)], self.reasons, strict=False))
        rows += body.rest
        rows += [] if self.every is None else [EMPTY, *lines_rows(self.every)]
        rows += [] if self.explanation is None else [EMPTY, *explanation_rows(position, self.explanation)]
        time_s, done, _, engine = answer.statistics
        work = [common.count(done, "playout") if answer.is_sampled else f"{common.count(done, 'position')} generated"]
        if self.timed:
            work += [f"{time_s:.2f} s", *([f"{round(done / time_s):,} a second"] if time_s >= 0.05 else [])]
        engine = f"{engine or 'no'}{'' if ' ' in engine else ' engine'}"
        rules = " · ".join([f"{position.ruleset.id} {position.fingerprint}", *work, engine])
        facts = [*body.facts, ("known", common.information_text(position)), ("rules", rules), ("code", position.code)]
        return [*rows, EMPTY, *common.facts_rows(facts)]

    def _open_body(self) -> common.Body:
        question, answer, position, sampled = self.question, self.answer, self.question.position, self.answer.sampled
        goal, game, compares = question.own_goal, position.game, self.command == "best"
        words, rows = common.words_of(question, answer), list[Row]()
        verdict = common.verdict_row(answer, words)
        if compares and answer.line:
            verdict = Row(answer.line[0].steps[0].text, label="BEST", right=verdict.text, look=verdict.look)
        if answer.moves:
            rows += [EMPTY, *policy.move_rows(question, answer, self.top)]
        if answer.turns and (self.why or not compares):
            rows += [EMPTY, *common.table_rows(position, goal, STEP)]
            rows += plan_rows(game, answer.turns, goal)
        elif answer.turns:
            rows += [EMPTY, *policy.short_plan_rows("plan", answer.line)]
        if question.versus is not None:
            rows += policy.versus_rows([(each.question, each.answer) for each in (self, *self.also)])
        facts = [("proof", proof_text(answer, words))]
        if sampled is not None and sampled.goal is not None:
            asked = [(each.question, each.answer.sampled or sampled) for each in (self, *self.also)]
            body = policy.policy_body(asked, self.top)
            told = [body.verdict] if sampled.value is not None else []
            rows += [EMPTY, Row(words._replace(goal=sampled.goal).compared_by), *told, *body.rest]
            facts = [*body.facts, *facts]
        return common.Body([Row(common.goal_sentence(goal, position))], verdict, rows, facts)


# Answers as JSON: the fields that other programs rely on


def answer_data(
    command: str, question: Question, answer: Answer[Any], top: int, *, timed: bool = True
) -> dict[str, Any]:
    """Return an answer of ``solve`` or ``best``.

    ``top`` moves are written. ``timed`` says whether the clock may show, which differs from run to run.
    """
    if answer.contest is not None:
        data = _contest_data(answer, answer.contest)
    elif answer.goal is not None:
        data = _policy_data(question, answer)
    else:
        data = _open_data(command, question, answer)
    if "moves" in data:
        shown = answer.compared
        data["moves"] = [_move_data(each, shown, question) for each in shown.moves[:top]]
        if (versus := shown.of_move(question.versus)) is not None:
            data["versus"] = _move_data(versus, shown, question)
            if answer.contest is None and not answer.is_open:
                data["versus"]["plan"] = _plan_data(answer.instead)
            if answer.next_instead:
                data["versus"]["next_turn"] = _next_data(answer.next_instead)
    cost = {"time_s": round(answer.statistics.time_s, 4)} if timed else {}
    cost |= picked(answer.statistics, "generated", "expanded", "engine")
    cost |= {"recalled": True} if answer.recalled and command == "solve" else {}
    return common.answer_of(command, question.position, {**data, "statistics": cost, **picked(answer, "interrupted")})


def _open_data(command: str, question: Question, answer: Answer[int]) -> dict[str, Any]:
    goal, game = question.own_goal, question.position.game
    data: dict[str, Any] = {
        "goal": common.goal_data(goal),
        "status": answer.status.value,
        "value": goal.in_rounds(answer.value),
        "bound": goal.in_rounds(answer.bound),
        "line": [step.text for turn in answer.line for step in turn.steps],
        "proof": plain(answer.proof),
    }
    if command == "solve":
        plan = [
            {
                "turn": turn.number,
                "moves": list(turn.steps),
                "from": turn.before,
                "to": turn.after,
                "events": common.events_data(game, turn.events),
                "notes": list(turn.notes),
            }
            for turn in answer.turns
        ]
        return {**data, "plan": plan}
    data |= {"moves": (), "considered": answer.considered, "open": len(question.moves())}
    if (sampled := answer.sampled) is None:
        return data
    return data | {
        "method": sampled.method,
        "moves_goal": common.goal_data(sampled.goal),
        "considered": sampled.tried,
        "line": data["line"] or [each.move.text for each in sampled.moves[:1]],
        **_sure(sampled),
    }


def _policy_data(question: Question, answer: Answer[Fraction]) -> dict[str, Any]:
    """Return what is said where chance is hidden: values are exact fractions as text beside a decimal."""
    data = {
        **_values(answer),
        "goal": common.goal_data(answer.goal),
        **stated(least=answer.least),
        "method": answer.method,
        "moves": (),
        "considered": answer.tried,
        "open": answer.choices,
        "line": [each.move.text for each in answer.moves[:1] if answer.status is not Status.INFEASIBLE],
        "plan": _plan_data(answer.plan),
        "plan_leaves_out": str(answer.omitted + chance_of(answer.plan[policy.BRANCHES :])),
        "proof": {"method": "expectimax" if answer.status.is_settled else "none"},
        **(_sure(answer) if answer.is_sampled else {}),
        **stated(opponents=answer.others),
        "next_turn": _next_data(answer.next_turn),
    }
    if question.goal == answer.goal:
        return data
    if answer.instead_of is None:
        return data | {"asked": common.goal_data(question.goal)}
    # Moves are compared by another goal; of the one that was asked only a bound is known.
    unknown = {"status": Status.UNKNOWN.value, "value": None, "decimal": None, "bound": plain(answer.instead_bound)}
    return data | {"goal": common.goal_data(answer.instead_of), "moves_goal": common.goal_data(answer.goal), **unknown}


def _contest_data(answer: Answer[Fraction], facts: ContestFacts) -> dict[str, Any]:
    """Return what is said about several players: values are those of the seat that moves."""
    data = {
        "goal": {"objective": "win", "within_rounds": None if facts.guessed else facts.rounds, "seat": facts.seat},
        "opponents": "rule of thumb" if facts.by_rule else facts.opponents.value,
        "payoff": f"{facts.stake}s ahead" if facts.stake else common.SHARE,
        **_values(answer),
        "method": answer.method,
        "moves": (),
        "considered": answer.tried,
        "open": answer.choices,
        "line": list(facts.follows),
        "proof": {"method": answer.method if answer.status is Status.OPTIMAL else "none"},
        "verdict": answer.verdict,
    }
    if not answer.is_sampled:
        return data | {"bounds": plain((facts.low, answer.bound)), "turns_ahead": facts.turns}
    return {
        **data,
        **_sure(answer),
        "opponents_know": "their own cards" if facts.apart else "what this player knows",
        "rounds_ahead": facts.rounds,
        "guessed_beyond": facts.guessed,
        **stated(simplified=facts.simplified),
        **({} if facts.passed is None else {"passed_chance": common.decimal(facts.passed)}),
    }


def _values(answer: Answer[Fraction]) -> dict[str, Any]:
    return {
        "status": answer.status.value,
        **common.exact("value", answer.value),
        **_wins(answer, answer.value, answer.moves[0] if answer.moves else None),
        "bound": plain(answer.bound),
    }


def _wins(answer: Answer[Any], value: Fraction | None, move: MoveValue[Any] | None) -> dict[str, Any]:
    """Return the chance to win: what a share of the win says, else what stands beside a lead."""
    if answer.contest is not None and not answer.contest.stake:
        return {"win_chance": common.decimal(value)}
    if move is None or move.win_chance is None:
        return {}
    return {"win_chance": common.decimal(move.win_chance), **stated(win_interval=move.win_interval)}


def _sure(answer: Answer[Fraction]) -> dict[str, Any]:
    return {
        "verdict": answer.verdict,
        **stated(decided_kind=answer.kind),
        "interval": plain(answer.moves[0].interval),
    }


def _move_data(move: MoveValue[Any], answer: Answer[Any], question: Question) -> dict[str, Any]:
    if answer.is_open:
        goal = question.own_goal
        value, bound = goal.in_rounds(move.value), goal.in_rounds(move.bound)
        known = {"move": move.move.text, "status": move.status.value, "value": value, "bound": bound, "loss": move.loss}
        return known | {"line": [step.text for turn in move.line for step in turn.steps]}
    data = {"move": move.move.text, **common.exact("value", move.value), "loss": plain(move.loss)}
    is_sampled = answer.is_sampled
    data |= _wins(answer, move.value, move)
    if answer.contest is not None and not is_sampled:
        data["loss_at_least"] = plain(move.at_least)
    data |= stated(share=move.share)
    fewest = answer.goal is not None and answer.goal.objective is Objective.MIN_TURNS
    if move.value is None and fewest and not is_sampled:
        data["why"] = common.UNCERTAIN if move.is_settled else common.UNSETTLED
    if move.is_proved:
        data["proved"] = True
    if move.playouts or (answer.contest is not None and is_sampled):
        data |= picked(move, "interval", "playouts")
    return data


def _plan_data(plan: Sequence[Branch]) -> list[dict[str, Any]]:
    return [
        {**picked(each, "seen"), "moves": list(each.then), **picked(each, "probability", "value")}
        for each in plan[: policy.BRANCHES]
    ]


def _next_data(following: Sequence[NextMove]) -> list[dict[str, Any]]:
    return [picked(each, "move", "when", "is_payment_open", "probability", "value") for each in following]


# Lines in words, turn by turn, and why nothing is better than they are


def plan_rows(game: Race[Any], turns: Sequence[PlayedTurn[Any]], goal: Goal) -> list[Row]:
    """Return the annotated line, turn by turn: what is played, what the rules do, and why it was done so.

    Turns in which nothing happens are one row with the next turn if the same is done in it.
    """
    loses = common.words_for(goal, game).lost_in_rounds
    rows: list[Row] = []
    shown: Sequence[tuple[str, str]] = ()
    first: int | None = None
    for turn, following in zip_longest(turns, turns[1:]):
        went = game.advance(turn.before, turn.after) if goal.clock is None or turn.after != turn.before else ""
        after = game.brief(turn.table)
        events = [event for event in turn.events if event.kind not in game.profile.routine]
        first = turn.number if first is None else first
        if not (went or events or turn.notes) and after == shown and following and following.steps == turn.steps:
            continue
        label, first = common.numbers(first, turn.number), None
        rows += [EMPTY, Row("; ".join(turn.steps), label=label, right=went, column=STEP, look="title")]
        rows += [Row(game.sentence(event), label="·", indent=STEP) for event in events]
        rows += [
            fact_row(label, text, STEP, REASON, "quiet")
            for label, text in (*reasons(turn.notes, loses), *(() if after == shown else after))
        ]
        shown = after
    return rows


def reasons(notes: Sequence[Note], loses: str) -> list[tuple[str, str]]:
    """Return the reasons of a turn as label and text; ``loses`` is what a worse move costs, in the singular."""
    found: list[tuple[str, str]] = []
    for role, verb in (("play", "plays"), ("pay", "pays with")):
        kept = [
            f"{note['card']} (turn {note['turn']} {verb} it)"
            for note in notes
            if note["kind"] == "kept" and note["role"] == role
        ]
        if kept:
            found.append(("keeps", ", ".join(kept)))
    return found + [("instead", _instead(note, loses)) for note in notes if note["kind"] == "instead"]


def _instead(note: Note, loses: str) -> str:
    equal, nearest, loss, more = (note[key] for key in ("equal", "nearest", "loss", "more"))
    as_well = f"{common.count(equal, 'other move')} {'does' if equal == 1 else 'do'}" if equal else "no other move does"
    parts = [f"{as_well} as well"]
    if nearest is not None:
        parts.append(f"'{nearest}' loses {common.count(loss, loses)}")
        parts += [f"{more} more {'loses' if more == 1 else 'lose'} that or more"] if more else []
    elif more:
        parts.append("1 other loses much or all" if more == 1 else f"{more:,} others lose much or all")
    return "; ".join(parts)


def proof_text(answer: Answer[int], words: common.Words) -> str:
    """Return why the verdict holds, in sentences with the numbers of the search."""
    proof, by_rounds = answer.proof, answer.proof.method == BY_ROUNDS
    sentences = [_excluded(answer, words)]
    if proof.projections and not by_rounds:
        sentences.append(f"Left out because it cannot matter here: {', '.join(proof.projections)}.")
    if proof.checked_by and answer.line:
        sentences.append(f"The line was checked by {' and '.join(proof.checked_by)}.")
    if by_rounds and not answer.line and answer.status is Status.OPTIMAL:
        sentences.append("No line of moves shows it: from this hand not every card wanted can be drawn in time.")
    if answer.recalled:
        sentences.append("Known from an earlier run.")
    if answer.status in (Status.FEASIBLE, Status.UNKNOWN):
        sentences.append(f"No more is proved: {'it was stopped' if answer.interrupted else 'a limit was hit'} first.")
    return " ".join(filter(None, sentences))


def _excluded(answer: Answer[int], words: common.Words) -> str:
    proof, goal, is_distance = answer.proof, words.own_goal, words.objective is Objective.MAX_DISTANCE
    by_rounds = proof.method == BY_ROUNDS
    is_proved = answer.status is Status.OPTIMAL if is_distance else proof.excluded_turns
    if not (is_proved and (proof.method == "layers" or by_rounds)):
        return ""
    reason = f"cut by the bound '{proof.bound_name}'" if proof.bound_name else "reached with no turn left"
    cut = f", and {proof.pruned:,} more {reason}" if proof.pruned else ""
    open_ones, what = ("every one that a bound leaves open", "round") if by_rounds else ("every one", "position")
    effort = f"{open_ones} was searched, {common.count(proof.states, what)}{cut}"
    effort = effort if proof.states or proof.pruned else "bounds alone rule it out"
    if is_distance:
        turns = common.count(goal.within_turns or 0, "turn")
        return f"No line of {turns} gets beyond {words.value(answer.value)}: {effort}."
    turns = f" of {common.count(proof.excluded_turns or 0, common.turn_of(goal))}"
    if by_rounds:
        turns = f" of {common.turns_text(proof.excluded_turns or 0, goal)}"
    elif answer.status is Status.INFEASIBLE and goal.within_turns is None:
        turns = ", however long,"
    luck = f", even with {' and '.join(proof.projections)}" if by_rounds else ""
    return f"No line{turns} gets to {words.there}{luck}: {effort}."


# Why nothing is better, and what is as good


def explanation_rows(position: Position, explanation: Explanation) -> list[Row]:
    """Return the explanation under the answer it belongs to."""
    found, claim = explanation, common.words_for(explanation.goal, position.game).impossible
    others = len(found.candidates) - len(found.causes)
    text = f"Even with all {common.count(others, 'rule')} loosened that can be, {claim}: the turns are too few."
    if found.causes:
        text = f"Because {joined([_cause_text(cause) for cause in found.causes])}, {claim}."
        text += f" That holds even with {common.count(others, 'other rule')} loosened." if others else ""
        needed = f"Loosen {'that' if len(found.causes) == 1 else 'any one of these'} as well, and it can."
        text += f" {needed if found.minimal else 'Whether fewer reasons would do was left open by the limit.'}"
    rows = common.facts_rows([("why", text)])
    if found.enough and set(found.enough) != set(found.causes):
        alone = [Row(_cause_text(cause), label="·", indent=FACTS) for cause in found.enough]
        rows += [*common.facts_rows([("otherwise", "It would be possible if just one of these did not hold:")]), *alone]
    return rows


def _cause_text(cause: Cause) -> str:
    return f"{cause.holds} ({', '.join(cause.rules)})" if cause.rules else cause.holds


def lines_rows(found: Count) -> list[Row]:
    """Return the lines as a screen: how many there are, then one after the other, a turn a row."""
    lines, apart = found.lines, "told apart by the tables between turns"
    how_many = "this is the only one" if lines == 1 else f"{lines:,} are as good, {apart}"
    if found.stopped:
        how_many = f"a limit was hit first; met so far: {common.count(lines, 'line')}"
    elif not found.exact:
        how_many = f"more than {lines:,} are as good, {apart}; these are {lines:,} of them"
    rows = common.facts_rows([("all lines", how_many)])
    for number, line in enumerate(found.written, start=1):
        told = zip([f"line {number}", *[""] * len(line)], enumerate(_texts(line), start=1), strict=False)
        rows += [EMPTY, *(Row(f"{turn} {text}", label, column=FACTS) for label, (turn, text) in told)]
    return rows


def _texts(line: Sequence[TurnLine]) -> list[str]:
    return ["; ".join(step.text for step in turn.steps) for turn in line]
