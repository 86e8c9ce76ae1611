"""Plain play: what somebody would do who looks a little ahead and searches nothing; for playouts only.

Every open action is worth what it brings beyond the pace of the race (``pace``): the turns that it takes at the
automatic move of today, what it moves, what it lasts for, less the cards that it burns. A new day is what the pace is
reckoned with, so it is worth nothing but what the roll and the leg do to its player, and it is called when nothing is
better. Nothing here is a rule or a bound, and nothing is read that the player does not see: of a deck only which cards
it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rules.core.race import PlainPlay
from rules.core.steps import Step
from rules.iditacards.content import Card
from rules.iditacards.costs import energy_cost, health_cost, risk_cost, usable
from rules.iditacards.deeds import Deeds, Distance, deeds_of
from rules.iditacards.movement import automatic_distance, automatic_sum, capped
from rules.iditacards.moves import (
    DISCARD_NEW,
    DONE,
    NEW_DAY,
    PASS,
    SECOND,
    SKIP_SECOND,
    STAY,
    Attach,
    Continue,
    FreeAction,
    Kill,
    Pay,
    Play,
    Put,
)
from rules.iditacards.pace import Place
from rules.iditacards.risk import fizzling_leg
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Team
from rules.iditacards.worth import Worth, comfort

SLOWEST: Final = 1.0
"""Spaces a turn that a race is taken to make at least, when a turn of today is weighed."""
LAST_CARD: Final = 0.15
"""What a card in hand is worth at least, in spaces, also on a day that is not worth going on with."""
ALL_THERE_IS: Final = 0.75
"""The same where no automatic move is sure to come, so that cards are all that gets anybody on."""
DECK_CARD: Final = 0.033
"""Part of that worth that a card of the deck has."""
NESTED: Final = 0.8
"""Chance that a risk card of a risk card comes through, where both can be paid."""
GOING_ON: Final = 50.0
"""What it is worth to go on with what has been begun: a number above all others."""
NEVER: Final = -1e6
AHEAD: Final = 0.45
"""How much the second point of a condition counts with the first, since one point alone may change nothing."""
UPGRADE: Final = 0.05
"""What a gained card is worth in spaces for each turn left."""
DEARER: Final = 0.5
"""What a point costs that makes every card dearer, in spaces."""
DILUTED: Final = 0.5
"""Part of what one card less is worth that a gained card costs, since most gained cards do something."""
DAMAGE: Final = 0.5
"""What a damage card costs in spaces."""
A_DOG: Final = 0.7
"""What a dog given up costs for each turn left."""
LONGEST: Final = 40.0
"""Turns for which what is gained is taken to be of use at most."""
IN_PLAY: Final = 1.4
"""What a dog or an attachment is worth, as part of the turns that it is reckoned to save."""
UNDONE: Final = 60.0
"""What it costs to go through the finish and to be taken back behind it in the same turn: the race is over then."""
DRAWS: Final = 0.4
"""Part of what a card of the deck brings by its moves that counts for a card drawn or kept."""
USUAL_STEP: Final = 2.0
"""The automatic move at least that a condition is taken to cost where only its presence counts."""
SETTINGS: Final = 8
"""Rulesets that are remembered."""


class Known(NamedTuple):
    """What is worked out once for a ruleset."""

    content: Any
    """Kept, so that nothing else gets its identity."""
    deeds: Mapping[str, Deeds]
    moving: Mapping[str, Distance]
    cures: Mapping[str, tuple[int, int]]
    rates: dict[Any, Any]


_known: dict[int, Known] = {}


def _knowledge(rulings: Rulings) -> Known:
    known = _known.get(id(rulings.content))
    if known is None:
        deeds = {card.id: deeds_of(card) for card in rulings.cards.values()}
        moving = {card: each.distance for card, each in deeds.items() if each.moves}
        if len(_known) >= SETTINGS:
            _known.clear()
        cures = {card: each.cures for card, each in deeds.items() if any(each.cures)}
        known = _known[id(rulings.content)] = Known(rulings.content, deeds, moving, cures, {})
    return known


def plain_play(rulings: Rulings, table: Table, index: int) -> PlainPlay:
    """Return what a player holds answers of the turn to be worth, in spaces beyond the pace of the race."""
    return _Opinion(rulings, _knowledge(rulings), table, index).of


def turns_to_go(rulings: Rulings, table: Table, index: int) -> float:
    """Return about how many turns plain play takes a player to the finish, as things stand (``pace``)."""
    known = _knowledge(rulings)
    return Place(rulings, known.moving, known.rates, table, index, known.cures).to_go()


class _Opinion:
    """What one player thinks in one turn."""

    def __init__(self, rulings: Rulings, known: Known, table: Table, index: int) -> None:
        self._rulings = rulings
        self._deeds = known.deeds
        self._place = place = Place(rulings, known.moving, known.rates, table, index, known.cures)
        self._turn, self._seat = place.turn, place.seat
        self._left = place.to_go_with(self._seat.hypothermia, self._seat.starvation)
        self._ahead = min(LONGEST, self._left)
        self._unsure = rulings.auto_move_by_condition or rulings.auto_base is None
        rate = place.rate()
        self._rate = max(SLOWEST, rate)
        self._over = place.step() - rate
        """Spaces that a turn of today brings beyond the pace."""
        self._paying: dict[tuple[int | None, int], int | None] = {}
        self._sharing: dict[int, int] = {}
        self._drawing: dict[str, float] = {}
        self._a_card = max(ALL_THERE_IS if self._unsure else LAST_CARD, self._over, DRAWS * self._drawn())
        """What a card in hand is worth at least: another turn of today."""
        self._worth = Worth(rulings, known.deeds, table, self._seat, self._ahead)
        self._playing: dict[str, float] = {}
        self._kept: dict[str, float] = {}
        self._relieved: dict[tuple[int, int], float] = {}
        self._faces: list[tuple[int, int]] | None = None
        self._risks: list[tuple[int | None, int, float]] | None = None
        self._once: dict[str, float] = {}

    def _drawn(self) -> float:
        """Return what a card of the deck brings on average if it moves, in spaces beyond the pace."""
        total, known = 0.0, self._drawing
        for card in self._seat.deck:
            brings = known.get(card)
            if brings is None:
                deeds, brings = self._deeds[card], 0.0
                if deeds.moves:
                    risk = deeds.card.risk
                    brings = max(0.0, (1 + risk) * self._over + NESTED**risk * self._place.reach(deeds.distance))
                known[card] = brings
            total += brings
        return total / max(1, len(self._seat.deck))

    def of(self, answer: Step) -> float:
        """Return what an answer is worth beside the others."""
        if isinstance(answer, Play):
            value = self._playing.get(answer.card)
            if value is None:
                value = self.playing(answer.card)
            return value - sum(map(self.kept, answer.energy)) if answer.energy else value
        if isinstance(answer, Continue) and self._undone_by_stack():
            return -UNDONE
        if isinstance(answer, (Continue, Pay)):
            return GOING_ON - sum(map(self.kept, answer.energy or ()))
        if isinstance(answer, FreeAction):
            return NEVER
        if isinstance(answer, Put):
            return self._put(answer)
        if isinstance(answer, Kill):
            return -sum(map(self._worth.owning, (answer.dog.dog, *answer.dog.attachments)))
        if isinstance(answer, Attach):
            return 1.0 - (0.0 if answer.replacing is None else self._worth.owning(answer.replacing))
        if answer == SECOND:
            return GOING_ON
        if answer == NEW_DAY:
            return self.new_day()
        if answer == DISCARD_NEW:
            stack = self._seat.stack
            return -(self._worth.owning(stack[-1].card) if stack else self._worth.usual())
        if answer == DONE:
            return self._worth.usual()
        if answer == PASS:
            return self._over
        return -1.0 if answer in (STAY, SKIP_SECOND) else 0.0

    # What is done today

    def new_day(self) -> float:
        """Return what a new day is worth beyond the pace: what the roll and the leg do to the player."""
        if "new_day" not in self._once:
            leg = self._turn.leg(self._seat)
            effects = {} if leg is None else leg.effects
            rolled = [self._relief(*points) for points in self._rolled()]
            value = 0.0 if self._rulings.auto_move_by_condition else sum(rolled) / max(1, len(rolled))
            if "leg_day_start_kill_dog" in effects or "leg_day_end_kill_dog" in effects:
                value -= self._least_dog()
            self._once["new_day"] = value
        return self._once["new_day"]

    def _least_dog(self) -> float:
        """Return what the loss of the dog that is missed least costs, in spaces."""
        seat, rulings = self._seat, self._rulings
        safe = rulings.cannot_die | rulings.death_shield
        if any(not safe.isdisjoint((team.dog, *team.attachments)) for team in seat.dogs):
            return 0.0
        losses = []
        for place, team in enumerate(seat.dogs):
            seat.dogs.pop(place)
            losses.append(self._place.to_go() - self._left)
            seat.dogs.insert(place, team)
        return self._rate * min(losses, default=0.0)

    def kept(self, card: str) -> float:
        """Return what it is worth to keep a card in hand today."""
        value = self._kept.get(card)
        if value is None:
            value = self._kept[card] = max(self._a_card, self.playing(card)) + 0.01 * self._worth.owning(card)
        return value

    def playing(self, card: str) -> float:
        """Return what playing a card brings beyond the pace, the cards that pay its energy apart."""
        if card not in self._playing:
            self._playing[card] = self._played(self._deeds[card])
        return self._playing[card]

    def _played(self, deeds: Deeds) -> float:
        seat, turn, card = self._seat, self._turn, deeds.card
        hand = len(seat.hand) - (card.id in seat.hand)
        energy = self._energy(card, max(0, seat.hypothermia + deeds.played[0]))
        if energy is None:
            rest = list(seat.hand)
            if card.id in rest:
                rest.remove(card.id)
            energy = len(usable(turn, rest))
        health = self._health(card)
        if energy > hand or health > len(seat.deck):
            return self._over + self._relief(*deeds.played)
        risk = risk_cost(turn, seat, card)
        chance = self._comes_through(hand - energy, len(seat.deck) - health, risk) if risk else 1.0
        brings = chance * self._brings(deeds, len(seat.deck) - health)
        if not risk and deeds.moves and self._is_undone(deeds.distance):
            brings -= UNDONE
        return (1 + risk) * self._over + brings - DECK_CARD * health * self._a_card

    def _energy(self, card: Card, hypothermia: int) -> int | None:
        """Return the energy cost of a card; cards that say the same cost the same."""
        key = card.energy, hypothermia
        if key not in self._paying:
            self._paying[key] = energy_cost(self._turn, self._seat, card, hypothermia)
        return self._paying[key]

    def _health(self, card: Card) -> int:
        """Return the health cost of a card, likewise."""
        cost = self._sharing.get(card.health)
        if cost is None:
            cost = self._sharing[card.health] = health_cost(self._turn, self._seat, card.health)
        return cost

    def _is_undone(self, distance: Distance) -> bool:
        """Return whether a move goes through the finish and the automatic move after it takes the player back."""
        seat, finish = self._seat, self._rulings.finish_at
        was, there = seat.pos, seat.pos + self._place.reach(distance)
        if there < finish:
            return False
        seat.pos = there
        after = there + automatic_distance(self._turn, seat)
        seat.pos = was
        return after < finish

    def _undone_by_stack(self) -> bool:
        """Return the same for the card that waits for its last risk card."""
        frame = self._seat.stack[-1]
        deeds = self._deeds[frame.card]
        return deeds.moves and frame.need - frame.paid == 1 and self._is_undone(deeds.distance)

    def _comes_through(self, hand: int, deck: int, risk: int) -> float:
        """Return about the chance that so many risk cards can be paid with what is then left."""
        cards = self._seat.deck
        if len(cards) < risk or fizzling_leg(self._turn, self._seat) is not None:
            return 0.0
        fits = 0.0
        for energy, health, fit in self._as_risk():
            if energy is not None and energy <= hand and health < deck:
                fits += fit
        return (fits / len(cards)) ** risk

    def _as_risk(self) -> list[tuple[int | None, int, float]]:
        """Return of each card of the deck its costs as a risk card, and the chance that its own ones come through."""
        if self._risks is None:
            seat, cards = self._seat, self._rulings.cards
            costs = {
                each: (
                    self._energy(cards[each], seat.hypothermia),
                    self._health(cards[each]),
                    NESTED ** cards[each].risk,
                )
                for each in set(seat.deck)
            }
            self._risks = [costs[each] for each in seat.deck]
        return self._risks

    def _brings(self, deeds: Deeds, deck: int) -> float:
        """Return what a card brings when it takes effect with so many cards in the deck, in spaces."""
        value = 0.0
        cold = -self._seat.hypothermia if deeds.clears[0] else deeds.hypothermia
        hungry = -self._seat.starvation if deeds.clears[1] else deeds.starvation
        if deeds.moves:
            value += self._place.reach(deeds.distance)
        value += min(deck, deeds.draws + deeds.draws_a_dog * len(self._seat.dogs)) * self._a_card
        value += self._relief(cold, hungry)
        if deeds.placed:
            value += self._in_play(deeds.card)
        value += self._ahead * (deeds.gains * UPGRADE - deeds.kills * A_DOG)
        value += (deeds.destroys - DILUTED * deeds.gains) * self._thinner()
        return value - DAMAGE * deeds.damage

    def _thinner(self) -> float:
        """Return what it is worth to have one card less that does nothing, in spaces."""
        if "thinner" not in self._once:
            self._once["thinner"] = max(0.0, self._rate * (self._left - self._place.thinner()))
        return self._once["thinner"]

    def _in_play(self, card: Card) -> float:
        """Return how many spaces a dog or an attachment is worth that comes into play now."""
        dogs, after = self._seat.dogs, self._left
        if card.type == "dog":
            dogs.append(Team(card.id))
            after = self._place.to_go()
            dogs.pop()
        else:
            slots = self._rulings.attach_slots
            free = next((team for team in dogs if len(team.attachments) < slots.get(team.dog, 1)), None)
            if free is not None:
                free.attachments.append(card.id)
                after = self._place.to_go()
                free.attachments.pop()
        return IN_PLAY * self._rate * (self._left - after) + 0.02 * self._ahead * comfort(card)

    def _relief(self, cold: int, hungry: int) -> float:
        """Return what a change of hypothermia and starvation is worth, in spaces."""
        if not cold and not hungry:
            return 0.0
        if (cold, hungry) not in self._relieved:
            self._relieved[cold, hungry] = self._relief_of(cold, hungry)
        return self._relieved[cold, hungry]

    def _relief_of(self, cold: int, hungry: int) -> float:
        seat, turn = self._seat, self._turn
        was = seat.hypothermia, seat.starvation
        new = capped(turn, max(0, was[0] + cold)), capped(turn, max(0, was[1] + hungry))
        if new == was:
            return 0.0
        if self._rulings.auto_move_by_condition:
            return self._sooner_free(was, new)
        after = self._place.to_go_with(*new)
        again = self._place.to_go_with(max(0, 2 * new[0] - was[0]), max(0, 2 * new[1] - was[1]))
        value = (1 - AHEAD) * self._rate * (self._left - after) + AHEAD * self._rate * (after - again)
        if self._rulings.condition_cost == "each":
            value += DEARER * (sum(was) - sum(new))
        return value + self._danger(was) - self._danger(new)

    def _danger(self, points: tuple[int, int]) -> float:
        """Return the spaces that are lost on average by dying of the conditions, at once or on the next day."""
        death = self._rulings.death_at
        if death is None:
            return 0.0
        if max(points) >= death:
            return self._rulings.death_back
        cold, hungry = points
        rolled = [cold + face >= death or hungry + more >= death for face, more in self._rolled()]
        return self._rulings.death_back * sum(rolled) / max(1, len(rolled))

    def _rolled(self) -> list[tuple[int, int]]:
        """Return the hypothermia and the starvation that the next day brings, for each face of the die."""
        if self._faces is None:
            leg = self._turn.leg(self._seat)
            starves = 0 if leg is None else leg.effects.get("leg_day_start_starve", {"n": 0})["n"]
            faces = [self._rulings.weathers[face] for face in self._rulings.faces]
            self._faces = [(face.hypothermia, face.starvation + starves) for face in faces]
        return self._faces

    def _sooner_free(self, was: tuple[int, int], new: tuple[int, int]) -> float:
        """Return what a change of conditions is worth of which only the presence counts, in spaces."""
        changes = zip(self._place.queues(), was, new, strict=True)
        turns = sum(queue.point * (before - after) for queue, before, after in changes)
        return turns * max(USUAL_STEP, automatic_sum(self._turn, self._seat))

    def _put(self, answer: Put) -> float:
        """Return what it is worth to put a card somewhere."""
        if answer.verb in ("from", "target"):
            return self._worth.of_deck(answer.card) if answer.verb == "from" else 0.0
        if answer.verb in ("take", "legendary"):
            return self._worth.owning(answer.card)
        better = self._worth.owning(answer.card) - self._worth.usual()
        if answer.verb in ("recover", "keep"):
            return self.kept(answer.card) + (5.0 if answer.verb == "recover" else 0.0)
        return {"destroy": -0.1, "return": 0.3, "restore": 0.3}.get(answer.verb, 0.0) * better
