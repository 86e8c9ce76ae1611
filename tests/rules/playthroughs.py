"""Golden playthroughs: whole games written out, to be read by people and replayed line by line by the tests.

``python -m tests.rules.playthroughs`` writes them all anew; what changed shows in the difference, and is reviewed as
text. Each game is random, but drawn from its own name, so that it stays the same as long as the rules do.

A step stands behind ``>``; below it what it did, each with its rule. At the end of a turn every field that changed,
and the digest of the whole canonical state.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rules.core.files import canonical_json
from rules.core.position import Position
from rules.core.race import Race
from rules.core.scripts import CHANCE, OVER, SplitMix64, Step
from rules.core.turns import Game, State
from tests.bare import bare_position
from tests.rules.games import HERE, Setup, setups, steps_of

TURNS = 60
"""Turns of a game at most; with hidden chance a third of them, since each card drawn is a line."""
SHOWN = 8
"""Open steps written out; of more only the number."""
MIDDLE = 2
"""Players of the games with several, where the box has enough."""


class Playthrough(NamedTuple):
    """One golden game."""

    setup: Setup

    @property
    def path(self) -> Path:
        """Where it is kept."""
        game, _, name = self.setup.ruleset.partition("/")
        kind = "open" if self.setup.is_open else "hidden"
        return HERE / game / "playthroughs" / f"{name}-{self.setup.players}-{kind}.txt"

    @property
    def seed(self) -> int:
        """A number that belongs to this game alone."""
        return int.from_bytes(hashlib.sha256(self.path.name.encode("ascii")).digest()[:4], "big")

    def text(self) -> str:
        """Return the game as it is played now."""
        position = self.setup.position(self.seed)
        chooser = Chooser(self.seed)
        turns = TURNS if self.setup.is_open else TURNS // 3
        return "".join(f"{line}\n" for line in [position.text(), *told(position, chooser, turns)])


class Chooser:
    """Picks the steps of a game: mostly whatever leads furthest of a few, so that the game gets somewhere."""

    def __init__(self, seed: int) -> None:
        self.generator = SplitMix64(seed)

    def choose(self, game: Game[Any], state: State[Any], steps: Sequence[Step]) -> Step:
        """Return one of ``steps``."""
        actor = game.to_act(state)
        tries = [steps[self.generator.below(len(steps))] for _ in range(1 if actor == CHANCE else 3)]
        if not isinstance(game, Race) or len(tries) == 1:
            return tries[0]
        return max(tries, key=lambda step: game.progress(game.apply(state, step).state.table, actor))


class Replayer(Chooser):
    """Picks the steps that a text names."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(0)
        self.steps = iter([line.removeprefix("> ") for line in lines if line.startswith("> ")])

    def choose(self, game: Game[Any], state: State[Any], steps: Sequence[Step]) -> Step:
        """Return the step that the text names next."""
        return game.parse_step(state, next(self.steps))


def told(position: Position, chooser: Chooser, turns: int) -> Iterator[str]:
    """Yield a game line by line."""
    game, state = position.start()
    before = game.encode(state.table)
    for turn in range(1, turns + 1):
        actor = game.to_act(state)
        if actor == OVER:
            break
        yield ""
        yield f"turn {turn}, player {actor}"
        while True:
            yield from asked(game, state)
            step = chooser.choose(game, state, steps_of(game, state))
            transition = game.apply(state, step)
            yield f"> {step.text}"
            yield from (f"    {event.rule:<4} {game.sentence(event)}" for event in transition.events)
            state = transition.state
            if not state.pending:
                break
        after = game.encode(state.table)
        yield from (f"  {line}" for line in changes(before, after))
        yield f"  = {hashlib.sha256(canonical_json(after).encode('ascii')).hexdigest()[:12]}"
        before = after
    outcome = game.outcome(state.table)
    yield ""
    yield f"after {turns} turns" if outcome is None else f"over by {outcome.rule}: {list(outcome.winners)} won"


def asked(game: Game[Any], state: State[Any]) -> Iterator[str]:
    """Yield who is to act, and on what."""
    steps = steps_of(game, state)
    actor = game.to_act(state)
    who = "chance" if actor == CHANCE else f"player {actor}"
    if len(steps) > SHOWN:
        yield f"  {who}: {len(steps)} steps are open"
    elif actor == CHANCE:
        odds = {outcome.text: str(outcome.probability) for outcome in game.chance_outcomes(state)}
        yield f"  {who}: {', '.join(f'{text} {chance}' for text, chance in odds.items())}"
    else:
        yield f"  {who}: {', '.join(step.text for step in steps)}"


def changes(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield what differs between two states, one field a line."""
    if before == after:
        return
    if isinstance(after, dict) and isinstance(before, dict):
        for key in after:
            yield from changes(before[key], after[key], f"{path}.{key}" if path else key)
    elif _is_list_of(dict, before, after) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new, f"{path}.{place}")
    elif _is_list_of(str, before, after):
        gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
        words = [f"-{card}" for card in sorted(gone.elements())] + [f"+{card}" for card in sorted(come.elements())]
        yield f"{path}: {' '.join(words) if words else 'in another order'}"
    else:
        yield f"{path}: {canonical_json(before)} -> {canonical_json(after)}"


def _is_list_of(kind: type, *values: Any) -> bool:
    return all(isinstance(value, list) and all(isinstance(part, kind) for part in value) for value in values)


def replayed(text: str) -> str:
    """Return the game that a text tells, played again from its first line and the steps it names."""
    lines = text.splitlines()
    turns = sum(line.startswith("turn ") for line in lines)
    position = bare_position(lines[0])
    return "".join(f"{line}\n" for line in [position.text(), *told(position, Replayer(lines), turns)])


def playthroughs() -> list[Playthrough]:
    """Return the golden games that there must be: every ruleset alone with open chance, and in company with hidden."""
    alone = [setup for setup in setups() if setup.is_open and setup.players == 1]
    company = [setup for setup in setups() if not setup.is_open and setup.players > 1]
    return [Playthrough(setup) for setup in [*alone, *(setup._replace(players=MIDDLE) for setup in company)]]


if __name__ == "__main__":
    for playthrough in playthroughs():
        playthrough.path.parent.mkdir(exist_ok=True)
        playthrough.path.write_text(playthrough.text(), "utf-8")
