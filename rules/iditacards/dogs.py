"""Dogs and attachments: placing, killing, and every question, since a dog may be sacrificed in between (R50 to R55)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rules.core.steps import Move
from rules.iditacards.moves import DISCARD_NEW, DONE, Attach, FreeAction, Kill, Remove, Sacrifice
from rules.iditacards.state import Dog
from rules.iditacards.turn import Seat, Team, Turn, find_team


def choose(turn: Turn, seat: Seat, options: Callable[[], Sequence[Move]], *, always: bool = False) -> Move:
    """Return the move ``seat`` takes here; where Q38 says at any time, dogs may be sacrificed on the way.

    ``options`` looks at the table anew each time; a sacrifice that leaves nothing to choose ends the question with
    ``done``.
    """
    if not turn.rulings.sacrifice_any_time:
        return turn.script.decide(seat.index, options, always=always)
    while options():
        move = turn.script.decide(seat.index, lambda: [*options(), *sacrifices(turn, seat)], always=always)
        if not isinstance(move, Sacrifice):
            return move
        carry_out(turn, seat, move)
    return DONE


def can_die(turn: Turn, team: Team) -> bool:
    """Return whether a dog can die (R53)."""
    safe = turn.rulings.cannot_die
    return team.dog not in safe and not any(card in safe for card in team.attachments)


def mortal(turn: Turn, seat: Seat) -> list[Team]:
    """Return the own dogs that can die, ascending."""
    return sorted((team for team in seat.dogs if can_die(turn, team)), key=Team.frozen)


def sacrifices(turn: Turn, seat: Seat) -> list[Move]:
    """Return the free kills open to a player (R13, Q38)."""
    return [Sacrifice(dog) for dog in _kinds(mortal(turn, seat))]


def removals(turn: Turn, seat: Seat) -> list[Move]:
    """Return the attachments a player may discard freely (R13, Q42)."""
    if not turn.rulings.options["attachment_removal"]:
        return []
    return [Remove(card, dog) for dog in _kinds(seat.dogs) for card in sorted(set(dog.attachments))]


def free_actions(turn: Turn, seat: Seat) -> list[Move]:
    """Return the free actions open before a main action (R13, Q38)."""
    kills = sacrifices(turn, seat) if turn.rulings.options["sacrifice_timing"] == "own_turn" else []
    return [*kills, *removals(turn, seat)]


def carry_out(turn: Turn, seat: Seat, move: FreeAction) -> None:
    """Carry out a free action (R13)."""
    if isinstance(move, Sacrifice):
        _sacrifice(turn, seat, move)
    else:
        _remove(turn, seat, move)


def _sacrifice(turn: Turn, seat: Seat, move: Sacrifice) -> None:
    """Carry out a free kill."""
    turn.tell("R13", "sacrifice", seat=seat.index, dog=move.dog.dog)
    kill(turn, seat, find_team(seat, move.dog))


def _remove(turn: Turn, seat: Seat, move: Remove) -> None:
    """Carry out the free discarding of an attachment (R55)."""
    find_team(seat, move.dog).attachments.remove(move.attachment)
    seat.discard.append(move.attachment)
    turn.tell("R55", "remove", seat=seat.index, card=move.attachment, dog=move.dog.dog)


def count_dogs(turn: Turn, seat: Seat) -> int:
    """Return the number of own dogs where dogs are counted, ``counts_as`` included (R50)."""
    counts = turn.rulings.counts_as
    return sum(counts.get(team.dog, 1) for team in seat.dogs)


def kill(turn: Turn, seat: Seat, team: Team) -> bool:
    """Kill a dog in play (R52) and return whether it left play; an attachment may die in its place."""
    rulings = turn.rulings
    shield = next((card for card in sorted(team.attachments) if card in rulings.death_shield), None)
    if shield is not None:
        team.attachments.remove(shield)
        seat.discard.append(shield)
        turn.tell("R52", "shielded", seat=seat.index, dog=team.dog, card=shield)
        return False
    seat.dogs.remove(team)
    attachments = sorted(team.attachments)
    seat.discard.extend(attachments)
    dies_to = rulings.cards[team.dog].passive.get("dies_to")
    zone = "destroyed" if dies_to is None else dies_to["zone"]
    {"destroyed": turn.destroyed, "discard": seat.discard, "hand": seat.hand}[zone].append(team.dog)
    turn.tell("R52", "dog_dies", seat=seat.index, dog=team.dog, zone=zone, attachments=attachments)
    for card in attachments:
        on_death = rulings.cards[card].passive.get("on_death")
        if on_death is None:
            continue
        if on_death["do"] == "kill_own_others":
            kill_all(turn, seat, mortal(turn, seat))
        else:
            kill_one(turn, seat)
    return True


def kill_all(turn: Turn, seat: Seat, teams: Sequence[Team]) -> None:
    """Kill several own dogs in ascending order, leaving out those that have gone meanwhile (R52)."""
    for team in teams:
        if any(team is other for other in seat.dogs) and can_die(turn, team):
            kill(turn, seat, team)


def kills(turn: Turn, seat: Seat) -> list[Move]:
    """Return the own dogs that a player may be asked to kill, equal ones once (R52)."""
    return [Kill(dog) for dog in _kinds(mortal(turn, seat))]


def _kinds(teams: Iterable[Team]) -> list[Dog]:
    return sorted({team.frozen() for team in teams})


def kill_one(turn: Turn, seat: Seat) -> bool | None:
    """Let the owner choose one own dog that can die and kill it; return whether it left play, none if none can."""
    if not mortal(turn, seat):
        return None
    move = choose(turn, seat, lambda: kills(turn, seat))
    return kill(turn, seat, find_team(seat, move.dog)) if isinstance(move, Kill) else None


def place_dog(turn: Turn, seat: Seat, card: str) -> None:
    """Put a new dog into play, making room for it or discarding it (R50, Q39)."""
    rulings = turn.rulings
    size = rulings.counts_as.get(card, 1)
    while count_dogs(turn, seat) + size > rulings.dog_limit:
        if not mortal(turn, seat) or rulings.options["dog_overflow"] == "newest_discarded":
            return _discard_new(turn, seat, card, "R50")
        move = choose(turn, seat, lambda: [*kills(turn, seat), DISCARD_NEW])
        if not isinstance(move, Kill):
            return _discard_new(turn, seat, card, "Q39")
        kill(turn, seat, find_team(seat, move.dog))
    seat.dogs.append(Team(card))
    turn.tell("R50", "dog_placed", seat=seat.index, dog=card)
    return None


def _discard_new(turn: Turn, seat: Seat, card: str, rule: str) -> None:
    seat.discard.append(card)
    turn.tell(rule, "not_placed", seat=seat.index, card=card)


def place_attachment(turn: Turn, seat: Seat, card: str) -> None:
    """Put a new attachment on a dog, in the place of another one, or into the discard pile (R54, Q41, Q43)."""
    if not _places(turn, seat):
        return _discard_new(turn, seat, card, "R54")
    move = choose(turn, seat, lambda: _places(turn, seat))
    if not isinstance(move, Attach):
        return _discard_new(turn, seat, card, "R54")
    owner = seat if move.owner is None else turn.seats[move.owner]
    team = find_team(owner, move.dog)
    if move.replacing is not None:
        team.attachments.remove(move.replacing)
        owner.discard.append(move.replacing)
    team.attachments.append(card)
    turn.tell("R54", "attached", seat=seat.index, card=card, dog=team.dog, replacing=move.replacing)
    return None


PLACERS: Final = {"dog": place_dog, "attachment": place_attachment}
"""What puts a card into play, by card type (R50, R54)."""


def _places(turn: Turn, seat: Seat) -> list[Move]:
    """Return where a new attachment may go: nowhere if no dog has a slot, out of play only if all slots are used."""
    rulings = turn.rulings
    owners = turn.seats_from(seat) if rulings.options["attach_to_others"] else [seat]
    several = len(owners) > 1
    free: set[Move] = set()
    full: set[Move] = set()
    for owner in owners:
        named = owner.index if several else None
        for team in owner.dogs:
            slots = rulings.attach_slots.get(team.dog, 1)
            dog = team.frozen()
            if len(team.attachments) < slots:
                free.add(Attach(dog, owner=named))
            elif slots > 0 and rulings.options["attachment_overwrite"]:
                full.update(Attach(dog, old, named) for old in dog.attachments)
    places = sorted(free | full, key=lambda move: move.text)
    return places if free or not full else [*places, DISCARD_NEW]
