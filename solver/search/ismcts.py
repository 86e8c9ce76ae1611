"""Information-set Monte Carlo tree search: trees over what players know, grown by playing on.

P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4 (2012). Every playout
deals anew what the asking seat does not see, and draws chance when it comes up. Upper confidence bounds choose at
nodes that stand for everything the deciding seat knows. A move counts as passed over only where it was open. Each seat
decides on what it sees itself (one tree a seat). Nodes differ by the seat's view, the turns left and the steps that it
knows of, so that equal situations share a node however they came about.

No choice depends on a card that the player has not seen. So the mean of the playouts never promises more than the best
policy is worth. Moves without statistics begin with the average of their text over all playouts (the "MAST" of Finnsson
and Björnsson, 2008), which also leads the playouts beyond the trees.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log, sqrt
from typing import Any, Final

from rules.core.challenge import secrets_of
from rules.core.chance import SplitMix64, mix
from rules.core.race import Race
from rules.core.steps import Barred, Forced, Step
from rules.core.turns import State, TurnEnd
from solver.search.problem import forbidden_step
from solver.search.rollout import Aim, Deals, Draws, Playing, Policy, few_of, kind_of

EXPLORATION: Final = 0.7
"""Weight of what has been tried seldom, for values between 0 and 1 (Cowling, Powley and Whitehouse use this number)."""
CURIOSITY: Final = 4
"""Beyond the trees, one answer in so many is any answer; the others are the best known by their text."""
TURN_S: Final = 0.0005
"""About the seconds of a turn."""
NODES: Final = 400_000
"""Nodes kept; beyond that no more are added."""


class Arm:
    """One move of a node, or one text over all playouts: how often it was played and open, and what came of it."""

    __slots__ = ("open", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.open = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        """The average of what came of it."""
        return self.total / self.visits


Node = dict[Step, Arm]


@dataclass(slots=True)
class _Playout:
    """What one playout has met."""

    table: Any
    """The table at the start of the turn under way."""
    left: int
    """Own turns of the asking seat, or rounds, that are left; what is under way counted."""
    draws: Draws
    generator: SplitMix64
    learns: bool
    """Statistics are kept and moves tried; otherwise the best known move is played."""
    inside: bool = True
    """No node has been added yet."""
    met: list[tuple[int, Arm]] = field(default_factory=list)
    """Moves of nodes with the seat that made them."""
    said: list[tuple[int, Arm]] = field(default_factory=list)
    """Moves of the whole playout, by their text."""


class InformationTrees:
    """The trees of one question, grown by ``grow`` and played by ``play`` (``solver.engines.sampled.Trees``).

    ``policy`` is how the other seats play; none where they too are in the trees, each
    for what the aim says that it plays for.
    """

    most_playouts = 3000
    most_turns = 18_000

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        aim: Aim,
        policy: Policy | None = None,
        *,
        seed: int = 0,
        alone: bool = False,
    ) -> None:
        """``alone``: nobody else has turns."""
        self._game = game
        self._aim = aim
        self._policy = policy
        self._secrets = secrets_of(game)
        self._seed = mix(seed ^ 0x1515)
        self._nodes: dict[Hashable, Node] = {}
        self._texts: dict[int, dict[str, Arm]] = {}
        """By seat: what came of moves, by their text and by their kind."""
        self._range: dict[int, tuple[float, float]] = {}
        self._lowest, self._highest = inf, -inf
        self.played = 0
        """Turns played in all."""
        self._deals = Deals(game, start, aim.seat, alone=alone)

    @property
    def spent_s(self) -> float:
        """About the seconds of all playouts, from what was played alone."""
        return TURN_S * self.played

    def progress(self) -> int:
        """Return nothing."""
        return 0

    @property
    def nodes(self) -> int:
        """Nodes of all trees."""
        return len(self._nodes)

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which values every playout lies for certain."""
        return self._aim.bounds

    @property
    def width(self) -> float:
        """How far the values of all playouts so far lie apart; certain bounds count in full."""
        low, high = self.bounds
        return self._highest - self._lowest if high == inf else high - low

    def grow(self, begun: Sequence[Step | Forced], number: int) -> Fraction:
        """Play once more after the given steps of the first turn, and learn from it; return what it was worth.

        Equal numbers bring equal draws.
        """
        return self._run(begun, mix(self._seed ^ number), learns=True)

    def play(self, begun: Sequence[Step | Forced], number: int) -> Fraction:
        """Play once with the best known moves and draws that no ``grow`` has met; return what it was worth."""
        return self._run(begun, mix(mix(self._seed) ^ number), learns=False)

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> Fraction:
        game, aim = self._game, self._aim
        table, begun = self._deals.deal(begun, SplitMix64(mix(seed ^ 1)))
        first = aim.clock(table)
        run = _Playout(table, aim.span, Draws(seed), SplitMix64(mix(seed ^ 2)), learns)
        value: Fraction | None = None
        done = 0
        self._before(run)
        while value is None and run.left > 0 and not game.is_over(run.table):
            script = self._script(run, begun)
            begun = ()
            self.played += 1
            try:
                after = game.play_turn(run.table, script)
            except Barred:
                value = aim.lost
                break
            if not game.allows(run.table, TurnEnd(tuple(script.steps), after)):
                value = aim.lost
            before, done = done, aim.clock(after) - first
            run.table, run.left = after, aim.span - done
            if value is None and done > before:
                value = aim.arrived(after, done)
        if value is None:
            value = aim.ended(run.table)
        self._lowest, self._highest = min(self._lowest, float(value)), max(self._highest, float(value))
        if learns:
            self._learn(run, value)
        return value

    def _script(self, run: _Playout, begun: Sequence[Step | Forced]) -> Playing:
        return Playing(begun, run.draws, lambda script, seat, answers: self._answer(run, script, seat, answers))

    def _before(self, run: _Playout) -> None:
        """Let the seats decide whose secret decisions the deal has taken back, up to the turn that is asked about."""
        while self._deals.is_before(run.table):
            run.table = self._game.play_turn(run.table, self._script(run, ()))

    # What is known

    def _key(self, run: _Playout, script: Playing, seat: int, answers: Sequence[Step]) -> Hashable:
        """Return all that the deciding seat knows, told apart as far as it can tell.

        In its own turn a seat has seen every step. What others decided before it may have hidden parts: then the seat
        knows its own answers and what it may choose from.
        """
        table = run.table if self._secrets is None else self._secrets.information_state(run.table, seat)
        if script.seats == {seat}:
            return (seat, run.left, table, tuple(script.steps))
        own = tuple(step for actor, step in script.own if actor == seat)
        return (seat, run.left, table, own, tuple(answer.text for answer in answers))

    # Choices

    def _answer(self, run: _Playout, script: Playing, seat: int, answers: Sequence[Step]) -> Step:
        asking = seat == self._aim.seat
        if not asking and self._policy is not None:
            return self._policy(run.table, script, seat, answers, run.generator)
        answers = few_of(answers)
        if asking:
            answers = self._allowed(answers)
        if len(answers) == 1:
            return answers[0]
        answer = self._known(run, script, seat, answers) if run.inside else None
        if answer is None:
            answer = self._beyond(run, seat, answers)
        if run.learns:
            texts, text = self._texts.setdefault(seat, {}), answer.text
            for words in (text, kind_of(text)):
                arm = texts.get(words)
                if arm is None:
                    arm = texts[words] = Arm()
                run.said.append((seat, arm))
        return answer

    def _allowed(self, answers: Sequence[Step]) -> Sequence[Step]:
        if not self._aim.forbidden:
            return answers
        allowed = [answer for answer in answers if not forbidden_step(answer, self._aim.forbidden)]
        if not allowed:
            raise Barred
        return allowed

    def _known(self, run: _Playout, script: Playing, seat: int, answers: Sequence[Step]) -> Step | None:
        """Return what a node says: the move to try, or the best known one where nothing is learnt."""
        key = self._key(run, script, seat, answers)
        node = self._nodes.get(key)
        if not run.learns:
            if node is None:
                return None
            arms = enumerate(map(node.get, answers))
            tried = [(arm.visits, arm.mean, -place) for place, arm in arms if arm is not None and arm.visits]
            return answers[-max(tried)[2]] if tried else None
        if node is None:
            run.inside = False
            if len(self._nodes) >= NODES:
                return None
            node = self._nodes[key] = {}
        answer = self._tried(node, seat, answers, run.generator)
        run.met.append((seat, node[answer]))
        return answer

    def _tried(self, node: Node, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return the answer with the greatest upper confidence bound, and count all as open."""
        low, high = self._range.get(seat, (0.0, 1.0))
        span = (high - low) or 1.0
        best, best_bound = answers[0], -float("inf")
        for answer, guess in zip(answers, self._guesses(seat, answers, high), strict=True):
            arm = node.get(answer)
            if arm is None:
                arm = node[answer] = Arm()
            arm.open += 1
            mean = (arm.total + guess) / (arm.visits + 1)
            bound = (mean - low) / span + EXPLORATION * sqrt(log(arm.open + 1) / (arm.visits + 1))
            bound += (generator.next() >> 32) * 2.0**-52  # breaks ties
            if bound > best_bound:
                best, best_bound = answer, bound
        return best

    def _guesses(self, seat: int, answers: Sequence[Step], otherwise: float) -> list[float]:
        """Return what is known of moves by their texts, leaning on what is known of all that begin with its words."""
        texts = self._texts.get(seat, {})
        found = []
        for answer in answers:
            text = answer.text
            kind = texts.get(kind_of(text))
            if kind is None or not kind.visits:
                found.append(otherwise)
                continue
            arm = texts.get(text)
            found.append(kind.mean if arm is None else (arm.total + kind.mean) / (arm.visits + 1))
        return found

    def _beyond(self, run: _Playout, seat: int, answers: Sequence[Step]) -> Step:
        """Return what is played where no node knows better: what did best by its text; while learning, often anything.

        What has never been played is hoped to be best while learning, and held for worst otherwise.
        """
        low, high = self._range.get(seat, (0.0, 1.0))
        if run.learns and run.generator.below(CURIOSITY) == 0:
            return answers[run.generator.below(len(answers))]
        values = self._guesses(seat, answers, high if run.learns else low)
        best = max(values)
        first = [answer for answer, value in zip(answers, values, strict=True) if value == best]
        return first[run.generator.below(len(first))]

    def _learn(self, run: _Playout, value: Fraction) -> None:
        """Count a playout for every move in it, by what it was worth to the seat that made it."""
        values: dict[int, float] = {}
        for seat, arm in (*run.met, *run.said):
            if seat not in values:
                values[seat] = self._aim.value_for(run.table, seat, value)
                low, high = self._range.get(seat, (values[seat], values[seat]))
                self._range[seat] = (min(low, values[seat]), max(high, values[seat]))
            arm.visits += 1
            arm.total += values[seat]
