"""What days with a hidden deck carry, and what is left of a question that they do not carry whole.

What no turn of the day can come to does not stand in the way, though the edition has it: legs and checkpoints that are
out of reach (``edge_space``), weather that does not come before a new day, damage that is nowhere in hand or deck, as
what is discarded does not come back.
Cards of two steps (R40) are carried as far as nothing gained by them can be played or paid with in the turns asked
about: it comes to the hand on the turn after they take effect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rules.iditacards.belief.returns import carries_returns
from rules.iditacards.compact.board import FREE_COST
from rules.iditacards.compact.scope import OPS, PACK
from rules.iditacards.compact.scope import missing as missing_in_a_day
from rules.iditacards.compact.speed import NOT_ADDITIVE
from rules.iditacards.compact.steps import DESTROY_HAND, RETURNING, empties_hand, is_taking, supplies
from rules.iditacards.compact.stock import SECOND_STEPS
from rules.iditacards.content import DESTROYED, Card, Effect, Leg
from rules.iditacards.moves import NEW_DAY
from rules.iditacards.rulings import CONDITIONS, Rulings
from rules.iditacards.state import Player, Table, in_play

IDLE: Final = frozenset({"take", "damage", "destroy_self"})
"""Ops that do nothing until the next day (``belief.day.PROJECTIONS``), so that it is all the same whether they
happen."""
STRANGE_PASSIVES: Final = ("draw_first_risk", "dies_on_fizzle")
"""Passive ops of dogs that are not carried."""
_LEGS: Final = frozenset({"leg_turn_end_recover", "leg_turn_end_draw", "leg_enter_health"})
"""Ops of legs that touch the deck or the discard pile."""


SECONDS: Final = frozenset({"see", "supply", *SECOND_STEPS})
"""Ops of cards that take two turns (R40)."""
_FORCED: Final = {"second_step": "forced", "second_step_in_risk": "parent_waits"}
"""The readings that they are written for."""
GAINED_OPS: Final = frozenset({"new_day", "destroy_hand"})
"""Ops of cards that are carried besides, where these come to the hand with two turns left or fewer."""
MOST_TAKEN: Final = 32
"""Cards that are added to the supply, or taken from it, together at most."""
IN_TIME: Final = 4
"""Turns ahead up to which it is carried what comes of cards taken from the supply."""
FEW_CARDS: Final = 8
"""Cards in hand and deck up to which more turns are tried: what sleds cost may be more than there is."""
_CONDITION_OPS: Final = frozenset({*CONDITIONS, "hypothermia_to_leg", "starvation_to_leg"})
"""Ops that may raise a condition."""


def missing(
    rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str], turns: int | None = None
) -> list[str]:
    """Return every feature of a question that days with a hidden deck lack; none means that it is played exactly.

    ``turns`` are asked about, or all that the day may have.
    Legs and checkpoints are left to the caller, who knows how far the question goes (``edge_space``).
    """
    player = table.players[seat]
    harmless = {"a hidden deck", "legs that cost cards", "legendary cards to the hand", "looked-at cards kept"}
    harmless.add("sled cards that weather stops")
    if not _costs_nothing(rulings, player):
        harmless.add("free costs of a single turn")
    if not _hurt(rulings, player):
        harmless.add("damage_in_effect = ignored")
    if not any(_asks_about_the_day(rulings.cards[name]) for name in set(_reach(player))):
        harmless.add("conditions about the day")
    if _are_forced(rulings):
        harmless.add("second steps")
    harmless |= _ops_of_two_steps(rulings, player)
    if _frees_for_the_day(rulings, player):
        harmless.add(f"op {FREE_COST}")
    if _empties_hands(rulings, player):
        harmless.add(f"op {DESTROY_HAND}")
    own = set(_reach(player))
    cheaper = may_change_risk(rulings, table, own) or any(name in rulings.double_risk for name in own)
    if carries_returns(rulings, table, seat, turns, cheaper=cheaper):
        harmless |= {f"op {op}" for op in RETURNING}
    lacking = [lack for lack in missing_in_a_day(rulings, table, seat, forbidden) if lack not in harmless]
    in_time = gains_in_time(rulings, table, seat, turns)
    gains = ["supplies"] if in_time and not _carries_gains(rulings, table, seat, turns) else []
    if in_time and not gains:
        harmless.add("legendary cards to the hand")
    return [*lacking, *gains, *_lacks_of_decks(rulings, player)]


def missing_plainly(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str]) -> list[str]:
    """Return every feature of a question that a plain day lacks (``belief.floor``): cards are avoided, all else counts.

    New days may be open: none is taken.
    """
    player = table.players[seat]
    out = in_play(player.dogs)
    out += [frame.card for frame in player.stack]
    harmless = {"a hidden deck", "legs that cost cards", "legendary cards to the hand", "looked-at cards kept"}
    harmless |= {"damage_in_effect = ignored", "conditions about the day", "dogs that die to the hand"}
    harmless |= {"sled cards that weather stops", "utility cards under immunity", "large packs whose speeds are no sum"}
    if not _costs_nothing(rulings, player):
        harmless.add("free costs of a single turn")
    if _are_forced(rulings):
        harmless.add("second steps")
    whole = forbidden | {NEW_DAY.text}
    lacking = [
        lack
        for lack in missing_in_a_day(rulings, table, seat, whole)
        if lack not in harmless and not lack.startswith("op ")
    ]
    known = avoided(rulings, table, seat, out)
    return [*lacking, *_lacks_of_decks(rulings, player), *(f"{name} in play" for name in sorted(known))]


def avoided(rulings: Rulings, table: Table, seat: int, cards: list[str] | None = None) -> frozenset[str]:
    """Return the cards in hand and deck, or of those given, whose effects are not carried."""
    player = table.players[seat]
    asked = _loose(player) if cards is None else cards
    found = {name for name in asked if _is_strange(rulings, rulings.cards[name])}
    pack = [name for name in _reach(player) if rulings.cards[name].type in ("dog", "attachment") and name not in found]
    if len(pack) > PACK:
        found |= {name for name in pack if any(op in rulings.cards[name].passive for op in NOT_ADDITIVE)}
    return frozenset(found.intersection(asked))


def _is_strange(rulings: Rulings, card: Card) -> bool:
    return (
        card.energy is None
        or any(effect.op not in OPS and not is_of_two_steps(rulings, card, effect) for effect in card.instant)
        or _asks_about_the_day(card)
        or card.passive.get("dies_to", {}).get("zone") == "hand"
        or any(op in card.passive for op in STRANGE_PASSIVES)
        or (card.type == "utility" and rulings.utility_scope)
    )


def gives_cards(rulings: Rulings, table: Table, seat: int) -> bool:
    """Return whether checkpoints may give cards to the hand (R66)."""
    return rulings.legendary_to == "hand" and bool(table.players[seat].legendary)


def edge_space(rulings: Rulings, table: Table, seat: int, *, gifts: bool = True) -> int | None:
    """Return the first space that may be come to on which a turn touches what is not carried, or nothing.

    That is a leg that touches deck or discard pile, or, unless ``gifts`` do not count, a checkpoint that gives a card
    to the hand. Who never goes back comes to none that lies behind, and passes none that they stand on; who does may
    come to any again, so that one that was never passed counts wherever it lies.
    """
    player = table.players[seat]
    gives = gifts and gives_cards(rulings, table, seat)
    back = may_go_back(rulings, table, player)
    for space in range(0 if back else player.pos, rulings.spaces + 1):
        leg = _leg(rulings, table, space)
        if leg is not None and _LEGS & set(leg.effects):
            return space
        new = space in rulings.board.checkpoints and space not in player.passed
        if gives and new and (back or space > player.pos):
            return space
    return None


def may_change_risk(rulings: Rulings, table: Table, own: Collection[str]) -> bool:
    """Return whether a card may have another risk than is printed: by own cards, some that can be gained, or a leg."""
    gained = {name for pile in (table.supply, *table.upgrade) for name in pile}
    legs = [leg.effects.get("leg_cost_mod", {}) for leg in rulings.track(table.legs) if leg is not None]
    by_cards = rulings.cost_mod["risk"].keys() & {*own, *gained}
    return bool(by_cards) or any(effect.get("cost") == "risk" for effect in legs)


def may_go_back(rulings: Rulings, table: Table, player: Player) -> bool:
    """Return whether any turn of the day may take the player back."""
    return (
        _may_die(rulings, table, player)
        or rulings.auto_move_by_condition
        or rulings.options["negative_distance"] != "zero"
        or any(effect.op == "move_back" for name in set(_reach(player)) for effect in rulings.cards[name].instant)
    )


def _may_die(rulings: Rulings, table: Table, player: Player) -> bool:
    """Return whether a condition may come to be as high as sends the player back (R49).

    Without cards and spaces that raise one, and unless entering a leg adds to what there is, each is what it was or
    what some leg gives, more by what cards add to that.
    """
    if rulings.death_at is None:
        return False
    cards = [rulings.cards[name] for name in _reach(player)]
    ops = [effect for card in cards for effect in card.instant if effect.op in _CONDITION_OPS]
    if rulings.special_spaces or rulings.options["leg_entry"] == "add":
        return True
    if any(effect.op not in CONDITIONS or effect.args["n"] > 0 for effect in ops):
        return True
    more = sum(max(0, card.number("leg_condition_mod")) for card in cards)
    legs = {leg.id: leg for leg in rulings.track(table.legs) if leg is not None}.values()
    given = [
        (rulings.leg_number(leg, kind) or 0) + rulings.leg_plus(leg, kind) + more for leg in legs for kind in CONDITIONS
    ]
    return max([*given, player.hypothermia, player.starvation]) >= rulings.death_at


def _leg(rulings: Rulings, table: Table, space: int) -> Leg | None:
    track = rulings.track(table.legs)
    return track[space] if space < len(track) else None


def _lacks_of_decks(rulings: Rulings, player: Player) -> list[str]:
    facts = {"an open deck": rulings.deck_open, "cards known on top": bool(player.known)}
    return [name for name, holds in facts.items() if holds]


def _loose(player: Player) -> tuple[str, ...]:
    return (*player.hand, *player.deck, *player.seen)


def _reach(player: Player) -> Iterator[str]:
    yield from (*in_play(player.dogs), *_loose(player), *(frame.card for frame in player.stack))


def _asks_about_the_day(card: Card) -> bool:
    return any((effect.when or effect.unless) and effect.op not in IDLE for effect in card.instant)


def _costs_nothing(rulings: Rulings, player: Player) -> bool:
    """Return whether a cost is free for one turn alone, now or on the next one; no card that makes it so is carried."""
    costs = {"energy": player.free_energy, "health": player.free_health}
    return any(
        state == "armed" or (state == "on" and rulings.free_cost_until.get(cost) == "next_turn")
        for cost, state in costs.items()
    )


def _empties_hands(rulings: Rulings, player: Player) -> bool:
    """Return whether cards that destroy the hand do nothing else, and never wait: they are played as a hand goes first.

    Cards that cannot pay would have to go apart.
    """
    cards = [rulings.cards[name] for name in set(_reach(player))]
    found = (card for card in cards if any(effect.op == DESTROY_HAND for effect in card.instant))
    waiting = any(empties_hand(rulings.cards[frame.card]) for frame in player.stack)
    return not (waiting or _hurt(rulings, player)) and all(map(empties_hand, found))


def _frees_for_the_day(rulings: Rulings, player: Player) -> bool:
    """Return whether costs that a card makes free stay so until the day ends (R18)."""
    effects = (effect for name in set(_reach(player)) for effect in rulings.cards[name].instant)
    return all(effect.args["until"] == "day_end" for effect in effects if effect.op == FREE_COST)


def _hurt(rulings: Rulings, player: Player) -> bool:
    return bool((rulings.damage_ids | rulings.ends_turn) & set(_loose(player)))


def _are_forced(rulings: Rulings) -> bool:
    return rulings.heal_rest == "discard" and all(rulings.options[name] == value for name, value in _FORCED.items())


def gains_in_time(rulings: Rulings, table: Table, seat: int, turns: int | None) -> bool:
    """Return whether a card taken from the supply may be played or paid with: on the turn after a second step (R40)."""
    player = table.players[seat]
    frames = player.stack
    taking = bool(frames) and frames[-1].step != "risk" and _takes(rulings, frames[-1].card)
    least = 2 if taking else 3
    there = bool(table.supply) or any(table.upgrade)
    return there and (turns is None or turns >= least) and any(_takes(rulings, card) for card in _reach(player))


def _carries_gains(rulings: Rulings, table: Table, seat: int, turns: int | None) -> bool:
    """Return whether cards that come in time are carried (``belief.gains``)."""
    player = table.players[seat]
    own = [rulings.cards[name] for name in set(_reach(player))]
    gained = [rulings.cards[name] for name in {*table.supply, *(name for deck in table.upgrade for name in deck)}]
    options = rulings.options
    return (
        turns is not None
        and (turns <= IN_TIME or len(_loose(player)) <= FEW_CARDS)
        and not rulings.upgrade_open
        and not options["upgrade_refresh"]
        and options["supply_deck"] == "one_deck"
        and not (player.stack and player.stack[-1].step != "risk")
        and edge_space(rulings, table, seat, gifts=False) is None
        and not any("take_bonus" in card.passive for card in (*own, *gained))
        and all(_numbers_are_known(card) for card in own if _takes(rulings, card.id))
        and not any(rulings.damage_ids.union(rulings.ends_turn) & {card.id for card in (*own, *gained)})
        and all(_may_come(card) for card in gained)
        and not any("double_risk" in card.passive for card in own)
    )


def _numbers_are_known(card: Card) -> bool:
    numbers = supplies(card)
    return numbers is not None and max(numbers) <= MOST_TAKEN


def _may_come(card: Card) -> bool:
    """Return whether a card is carried that comes to the hand with two turns left, or fewer."""
    return (
        card.energy is not None
        and card.type != "utility"
        and not any(op in card.passive for op in (*STRANGE_PASSIVES, "double_risk"))
        and all(effect.op in OPS or effect.op in SECONDS or effect.op in GAINED_OPS for effect in card.instant)
        and all(effect.op in IDLE or effect.op in SECONDS for effect in card.instant if effect.when or effect.unless)
        and all(effect.op != "take_next" or effect.args["n"] != 0 for effect in card.instant)
    )


def _takes(rulings: Rulings, card: str) -> bool:
    return is_taking(rulings.cards[card])


def is_of_two_steps(rulings: Rulings, card: Card, effect: Effect) -> bool:
    """Return whether an op is one of two that follow each other, with numbers that are known beforehand (R40)."""
    ops = [each.op for each in card.instant if each.op in SECONDS]
    numbers = [each.args["n"] for each in card.instant if each.op in SECONDS]
    pairs = (["see", "destroy_next"], ["supply", "take_next"])
    known = isinstance(numbers[-1], int) or ops[-1] == "destroy_next" if ops else False
    return (
        effect.op in SECONDS
        and ops in pairs
        and known
        and DESTROYED not in numbers
        and (numbers[-1] != 0 or ops[-1] == "destroy_next")
        and _are_forced(rulings)
    )


def _ops_of_two_steps(rulings: Rulings, player: Player) -> set[str]:
    """Return what the ops of cards with two steps are called that are carried."""
    cards = [rulings.cards[name] for name in set(_reach(player))]
    found = [(effect.op, is_of_two_steps(rulings, card, effect)) for card in cards for effect in card.instant]
    refused = {op for op, carried in found if not carried}
    return {f"op {op}" for op, carried in found if carried and op not in refused}
