"""Where a turn of a venture goes alike, and what comes through whatever waits: each against the same without it."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.going import GoingOn
from rules.iditacards.odds.orders import Carried
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.sites import Site
from rules.iditacards.odds.track import Track
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog
from tests.rules.games import so_often

EDITIONS = ("2017", "2019-02", "2019-08")


def run(edition: str, seed: int) -> RiskCards:
    """Return the ventures of somebody with fast dogs, cards that move and cards that look, anywhere on the track."""
    position = new_position(f"iditacards/{edition}", seed=seed, open_sources=[])
    game: Any = position.game
    dice = random.Random(f"{edition} {seed}")
    facts = game.rulings.cards
    table = position.table()
    sold = [card for card in sorted(facts) if facts[card].deck not in ("destroyed", "legendary", "solitaire", "damage")]
    ops = {card: {effect.op for effect in facts[card].instant} for card in sold}
    moves = [card for card in sold if ops[card] & {"move", "move_back"}]
    looks = [card for card in sold if ops[card] & {"see", "heal", "take_next"}]
    risky = [card for card in sold if facts[card].risk]
    dogs = [card for card in sold if facts[card].type == "dog"]
    own = sorted({*table.players[0].hand, *table.players[0].deck})
    far = [card for card in risky if card in {*moves, *looks}] or moves
    cards = [*dice.choices(far, k=3), *dice.choices(moves, k=2), *dice.choices(looks, k=1), *dice.choices(own, k=2)]
    dice.shuffle(cards)
    team = [Dog(dog, ()) for dog in dice.sample(["lead_dog", *dogs], k=dice.randint(0, 2))]
    player = table.players[0]._replace(
        hand=tuple(sorted([dice.choice(risky), *dice.choices(own, k=dice.randint(4, 8))])),
        deck=tuple(sorted(cards[: dice.randint(6, 8)])),
        dogs=tuple(sorted(team)),
        pos=dice.choice((0, 4, 30, 36, 44, 76, 80, 100, 114, *(game.rulings.finish_at - n for n in range(4, 60, 6)))),
        hypothermia=dice.choice((0, 1)),
    )
    found: RiskCards = game.ventures(table._replace(players=(player,)), 0)
    return found


def chances(edition: str, seeds: range, form: type[GoingOn], *, free: bool) -> list[Any]:
    """Return the chance of each risk card, none where it is not carried."""
    found: list[Any] = []
    for seed in seeds:
        ventures = run(edition, seed)
        for card in ventures.cards():
            try:
                scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
                found.append((seed, card, form(ventures, scope, so_often(3000), free=free).chance()))
            except OutOfReach:
                found.append(None)
    return found


def alone(_: Track, pos: int, after: int, moves: Collection[tuple[int, int]], **__: bool) -> Iterator[Any]:
    """Yield every place as one like no other."""
    for place in {pos, after}.union(*moves):
        yield place, place, place


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("form", "free"), [(GoingOn, False), (Seeing, True)])
def test_places_that_are_alike_lead_to_the_same(
    edition: str, form: type[GoingOn], free: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = chances(edition, range(1, 13), form, free=free)
    monkeypatch.setattr(Track, "stretches", alone)
    told_apart = chances(edition, range(1, 13), form, free=free)
    both = [(one, other) for one, other in zip(found, told_apart, strict=True) if one and other]
    assert all(one == other for one, other in both)
    assert len(both) > 10


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("form", "free"), [(GoingOn, False), (Seeing, True)])
def test_what_is_ripe_comes_through_as_it_does_card_by_card(
    edition: str, form: type[GoingOn], free: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = 0
    through = GoingOn._through

    def counted(going: GoingOn, site: Site, pos: int, box: list[int]) -> Sequence[bool]:
        nonlocal told
        classes = through(going, site, pos, box)
        told += site.stack.below is not None and any(classes)
        return classes

    monkeypatch.setattr(GoingOn, "_through", counted)
    found = chances(edition, range(26, 44), form, free=free)
    monkeypatch.setattr(GoingOn, "_through", lambda going, *_: going._nobody)
    followed = chances(edition, range(26, 44), form, free=free)
    both = [(one, other) for one, other in zip(found, followed, strict=True) if one and other]
    assert all(one == other for one, other in both)
    assert len(both) > 10
    assert told > 3 or edition != "2019-08"  # elsewhere less waits that may lead to the finish


@pytest.mark.parametrize("edition", ["2019-02", "2019-08"])
def test_the_end_of_a_turn_is_alike_at_all_places_that_are_told(edition: str) -> None:
    wide = 0
    for seed in range(1, 7):
        ventures = run(edition, seed)
        card = next(iter(ventures.cards()))
        try:
            scope = Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
            carried = Carried(ventures.game.rulings, ventures.table, 0, scope, free=True)
        except OutOfReach:
            continue
        boards = Boards(ventures, scope, carried)
        told = [boards.ended(boards.start, pos) for pos in range(0, 150, 2)]
        for pos, (low, high, ways) in zip(range(0, 150, 2), told, strict=True):
            assert low <= pos <= high
            for place in {max(0, low), min(149, high)} - {pos}:
                again = Boards(ventures, scope, carried)
                there = again.ended(again.start, place)[2]
                assert [(way.by, way.lost, again.board(way.board)) for way in there] == [
                    (way.by, way.lost, boards.board(way.board)) for way in ways
                ]
                wide += 1
    assert wide > 100
