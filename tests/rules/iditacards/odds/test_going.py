"""What whoever just goes on has in common from board to board: each merging against the same without it."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.effects import Effects
from rules.iditacards.odds.going import GoingOn
from rules.iditacards.odds.greatest import Odds
from rules.iditacards.odds.orders import Carried, Ways
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.seeing import Seeing
from rules.iditacards.odds.sites import Held, Site
from rules.iditacards.odds.teams import Teams
from rules.iditacards.odds.undone import Undone
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.state import Dog
from tests.rules.games import so_often

EDITIONS = ("2017", "2019-02", "2019-08")


def dealt(edition: str, seed: int, kinds: tuple[str, ...], size: int = 6) -> RiskCards:
    """Return the ventures of somebody in whose deck and hand cards of some kinds are frequent.

    ``kinds`` are types of cards, or ``risk`` for those that have to wait.
    """
    position = new_position(f"iditacards/{edition}", seed=seed, open_sources=[])
    game: Any = position.game
    dice = random.Random(f"{edition} {seed} {kinds}")
    facts = game.rulings.cards
    table = position.table()
    player = table.players[0]
    own = [*player.hand, *player.deck]
    frequent = sorted(
        card
        for card in facts
        if facts[card].deck not in ("damage", "destroyed", "legendary", "solitaire")
        and (facts[card].type in kinds or ("risk" in kinds and facts[card].risk))
    )
    cards = [*dice.sample(own, 6), *dice.choices(frequent, k=size)]
    dice.shuffle(cards)
    risky = next((card for card in frequent if facts[card].risk), "husky")
    dogs = [Dog(dice.choice([card for card in frequent if facts[card].type == "dog"] or ["husky"]), ())]
    player = player._replace(
        hand=tuple(sorted([risky, *cards[:5]])),
        deck=tuple(sorted(cards[5 : 5 + size])),
        dogs=tuple(dogs * (seed % 2)),
        pos=dice.choice((0, 3, 20, 30, 70, 84, 130)),
        hypothermia=dice.choice((0, 1, 3)),
        starvation=dice.choice((0, 1, 3)),
    )
    found: RiskCards = game.ventures(table._replace(players=(player,)), 0)
    return found


def asked(ventures: RiskCards) -> Iterator[tuple[str, Scope]]:
    """Yield each risk card with what its venture reads."""
    for card in ventures.cards():
        try:
            yield card, Scope(ventures.game.rulings, ventures.table, 0, card, recovers=False)
        except OutOfReach:
            continue


def chances(edition: str, kinds: tuple[str, ...], seeds: int, size: int = 6) -> list[Any]:
    found: list[Any] = []
    for seed in range(1, seeds + 1):
        ventures = dealt(edition, seed, kinds, size)
        for card, scope in asked(ventures):
            try:
                found.append((seed, card, GoingOn(ventures, scope, lambda: True, free=False).chance()))
            except OutOfReach:
                continue
    return found


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kinds", [("dog", "attachment"), ("risk",), ("risk", "movement")])
def test_decks_full_of_some_cards_by_numbers_are_those_of_every_turn(edition: str, kinds: tuple[str, ...]) -> None:
    compared = 0
    for seed in range(1, 7):
        ventures = dealt(edition, seed, kinds)
        for card, scope in asked(ventures):
            try:
                found = GoingOn(ventures, scope, lambda: True, free=False).chance()
            except OutOfReach:
                continue
            assert found == Odds(ventures, card, lambda: True, recovers=False, boards=False).going_on(free=False)
            compared += 1
    assert compared > 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_root_would_do_is_not_asked(edition: str) -> None:
    compared = 0
    for seed in range(1, 4):
        ventures = dealt(edition, seed, ("food", "movement"))
        facts = ventures.game.rulings.cards
        refused = [card for card, each in facts.items() if {effect.op for effect in each.instant} - Carried.ops]
        player = ventures.table.players[0]
        for root in sorted(card for card in refused if facts[card].risk and card not in player.deck):
            held = player._replace(hand=tuple(sorted([*player.hand, root])))
            begun = RiskCards(ventures.game, ventures.table._replace(players=(held,)), 0)
            try:
                scope = Scope(begun.game.rulings, begun.table, 0, root, recovers=False)
                found = GoingOn(begun, scope, lambda: True, free=False).chance()
            except OutOfReach:
                continue
            control = Odds(begun, root, lambda: True, recovers=False, boards=False)
            assert found == control.going_on(free=False)
            assert Odds(begun, root, lambda: True, recovers=False).chance() == control.chance()
            compared += 1
    assert compared > 1


class _Anew(Seeing):
    """Looks into every spot anew for other copies left."""

    def _fewer(self, held: Held, left: int) -> Held | None:
        return None


@pytest.mark.parametrize("edition", EDITIONS)
def test_nodes_cut_for_fewer_copies_are_those_that_are_found_anew(edition: str) -> None:
    compared = spared = 0
    for seed in range(1, 13):
        ventures = dealt(edition, seed, ("risk",), size=8)
        for _, scope in asked(ventures):
            try:
                cut = Seeing(ventures, scope, so_often(400), free=False)
                chance = cut.chance()
                control = _Anew(ventures, scope, so_often(400), free=False)
                assert chance == control.chance()
            except OutOfReach:
                continue
            compared, spared = compared + 1, spared + control._looked - cut._looked
    assert compared > 5
    assert spared > 10


class _Repeated(Seeing):
    """Looks into what follows free actions anew each time."""

    again = 0

    def _at(self, site: Site, hand: int, deck: int, pos: int, left: int) -> Held:
        if not site.acted:
            return super()._at(site, hand, deck, pos, left)
        self.again += 1
        return self._looked_into(site, hand, deck, pos, left)


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_follows_free_actions_is_held_for_all_that_may_be_done_before(edition: str) -> None:
    compared = again = 0
    for seed in range(1, 16):
        ventures = dealt(edition, seed, ("dog", "attachment", "risk"), size=7)
        for _, scope in asked(ventures):
            try:
                chance = Seeing(ventures, scope, so_often(2000), free=True).chance()
                control = _Repeated(ventures, scope, so_often(4000), free=True)
                assert chance == control.chance()
            except OutOfReach:
                continue
            compared, again = compared + 1, again + control.again
    assert compared > 5
    assert again > 40


@pytest.mark.parametrize("edition", EDITIONS)
def test_dogs_that_only_go_fast_are_a_sum(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("dog", "attachment")
    summed = chances(edition, kinds, 10)
    monkeypatch.setattr(Teams, "summing", False)
    assert chances(edition, kinds, 10) == summed
    assert len(summed) > 5


def test_a_sum_of_dogs_stands_for_more_than_one_team() -> None:
    ventures = dealt("2019-02", 1, ("dog",))
    rulings = ventures.game.rulings
    player = ventures.table.players[0]._replace(
        deck=("good_dog", "husky", "move", "problem_dog", "retriever"), dogs=(), stack=()
    )
    table = ventures.table._replace(players=(player,))
    scope = Scope(rulings, table, 0, "husky", recovers=False)
    teams = Teams(rulings, table, 0, scope, free=False)
    good, retriever, husky = (Dog(name, ()) for name in ("good_dog", "retriever", "husky"))
    assert rulings.speed.get("good_dog", 0) == rulings.speed.get("retriever", 0) != rulings.speed["husky"]
    assert teams.same((good,)) == teams.same((retriever,))
    assert teams.same((good, husky)) == teams.same((husky, retriever))
    assert teams.same((good,)) != teams.same((husky,))
    told_apart = Teams(rulings, table, 0, scope, free=True)
    assert told_apart.same((good,)) != told_apart.same((retriever,))


def test_pieces_shared_by_what_was_read_are_those_of_the_board_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [0]
    question = Boards.question

    def counted(boards: Boards, *given: Any) -> Any:
        questions[-1] += 1
        return question(boards, *given)

    monkeypatch.setattr(Boards, "question", counted)
    kinds = ("dog", "movement", "risk")
    shared = [chances(edition, kinds, 6, size=9) for edition in EDITIONS]
    questions.append(0)
    monkeypatch.setattr(Boards, "_recalled", lambda *_: None)
    assert [chances(edition, kinds, 6, size=9) for edition in EDITIONS] == shared
    assert questions[0] < questions[1]


@pytest.mark.parametrize("edition", ["2017", "2019-02"])
def test_a_card_takes_effect_alike_at_all_places_that_are_told(edition: str) -> None:
    ventures = dealt(edition, 3, ("movement",))
    player = ventures.table.players[0]._replace(deck=("lunch", "move", "mush", "utility_knife"), dogs=(), stack=())
    table = ventures.table._replace(players=(player,))
    ventures = RiskCards(ventures.game, table, 0)
    scope = Scope(ventures.game.rulings, table, 0, "husky", recovers=False)
    carried = Carried(ventures.game.rulings, table, 0, scope, free=False)

    def resolved(pos: int, doubling: tuple[str, ...]) -> Ways:
        boards = Boards(ventures, scope, carried)
        card = ventures.game.rulings.cards["mush"]
        return Effects(boards, carried, 4).resolved(boards.start, pos, card, doubling)

    for doubling in ((), ("utility_knife",)):
        for pos in range(60):
            low, high, ways = resolved(pos, doubling)
            assert low <= pos <= high
            for place in {max(0, low), min(90, high)}:
                ends = [(way.orders, way.by, way.lost, way.waits) for way in resolved(place, doubling)[2]]
                assert ends == [(way.orders, way.by, way.lost, way.waits) for way in ways]


def test_nothing_stays_behind_and_garbage_is_collected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sites: list[Site] = []
    make = Site.__init__

    def made(site: Site, *given: Any, **more: Any) -> None:
        sites.append(site)
        assert not gc.isenabled()
        make(site, *given, **more)

    monkeypatch.setattr(Site, "__init__", made)
    stopped = 0
    for seed in range(1, 9):
        ventures = dealt("2019-08", seed, ("risk",), 10)
        for _, scope in asked(ventures):
            try:
                GoingOn(ventures, scope, partial(next, iter([True]), False), free=False).chance()
            except OutOfReach:
                stopped += 1
            assert gc.isenabled()
    assert stopped > 0
    assert sites
    assert not any(site.met or site.entries or site.plans for site in sites)


def night(edition: str, seed: int) -> RiskCards:
    """Return the ventures of somebody near the finish in whose deck there are cards that call a new day."""
    position = new_position(f"iditacards/{edition}", seed=seed, open_sources=[])
    game: Any = position.game
    dice = random.Random(f"night {edition} {seed}")
    facts = game.rulings.cards
    table = position.table()
    player = table.players[0]
    own = [*player.hand, *player.deck]
    sold = [card for card in sorted(facts) if facts[card].deck not in ("destroyed", "legendary", "solitaire", "damage")]
    days = [card for card in sorted(facts) if any(effect.op == "new_day" for effect in facts[card].instant)]
    fast = [card for card in sold if any(effect.op == "move" for effect in facts[card].instant)]
    fast += [card for card in sold if "speed" in facts[card].passive]
    risky = [card for card in sold if facts[card].risk]
    cards = [*dice.choices(days, k=2), *dice.choices(fast, k=2), dice.choice(risky), dice.choice(own)]
    held = [dice.choice(risky), *dice.choices(own, k=dice.randint(2, 6))]
    player = player._replace(
        hand=tuple(sorted(held)),
        deck=tuple(sorted(cards[: dice.randint(4, 6)])),
        pos=game.rulings.finish_at - dice.choice((5, 10, 15, 20, 30, 40, 60, 100)),
        legendary=(),
    )
    found: RiskCards = game.ventures(table._replace(players=(player,)), 0)
    return found


@pytest.mark.parametrize("edition", ["2019-02", "2019-08"])
def test_what_a_new_day_is_sure_to_undo_is_lost(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = 0
    sure = Undone.sure

    def counted(undone: Undone, *spot: Any) -> bool:
        nonlocal told
        found = sure(undone, *spot)
        told += found
        return found

    monkeypatch.setattr(Undone, "sure", counted)
    compared = 0
    for seed in range(1, 26):
        ventures = night(edition, seed)
        for card, scope in asked(ventures):
            try:
                before, form = told, Seeing(ventures, scope, lambda: True, free=True)
                found = form.chance()
            except OutOfReach:
                continue
            without = Seeing(ventures, scope, lambda: True, free=True)
            without._undone.told = False
            assert found == without.chance()
            if told > before:
                control = Odds(ventures, card, so_often(3000), recovers=False, boards=False)
                with suppress(OutOfReach):
                    assert found == control.seeing(free=True)
                    compared += 1
    assert told > 20
    assert compared > 3
