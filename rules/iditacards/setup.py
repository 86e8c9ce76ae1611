"""The table after the setup (R4 to R10)."""

from __future__ import annotations

from rules.core.chance import priority_order, stream
from rules.iditacards.content import NO_LEG
from rules.iditacards.rulings import LEG_EVENTS, LEGENDARY_EVENTS, UPGRADE_EVENTS, Rulings
from rules.iditacards.state import Counters, Dog, Player, Table
from rules.iditacards.turn import rolled, shuffled


class Setup:
    """The setup of one game, in the order of R72."""

    def __init__(self, rulings: Rulings) -> None:
        self.rulings = rulings
        self.content = rulings.content
        self.removed = set(self.content.rules["solitaire_removed_types"]) if rulings.players == 1 else set()

    def table(self) -> Table:
        """Return the table after the setup."""
        rulings = self.rulings
        upgrade = [self._upgrade(index, name) for index, name in enumerate(rulings.upgrade_decks)]
        legendary = self._legendary()
        legs, leg_counters = self._legs()
        players = tuple(self._player(seat, legendary[seat]) for seat in range(self.rulings.players))
        rolls = rulings.options["initial_weather"] == "roll" and bool(rulings.faces)
        weather_open = rulings.weather_open
        deals = rulings.legendary_dealt > 0
        return Table(
            active=0,
            counters=Counters(
                deck=tuple(int(rulings.deck_open) for _ in players),
                legendary=int(deals and rulings.legendary_open),
                legs=leg_counters,
                upgrade=tuple(int(rulings.upgrade_open) for _ in upgrade),
                weather=int(rolls and weather_open),
            ),
            damage_left=rulings.damage_cards,
            day=0,
            destroyed=(),
            final=None,
            freeze=False,
            legs=legs,
            over=False,
            players=players,
            supply=(),
            upgrade=tuple(tuple(deck if rulings.upgrade_open else sorted(deck)) for deck in upgrade),
            weather=rolled(rulings, 0) if rolls else "none",
        )

    def _cards(self, deck: str) -> list[str]:
        return [card for card in self.content.deck_cards(deck) if self.content.cards[card].type not in self.removed]

    def _upgrade(self, index: int, name: str) -> list[str]:
        alone = self.rulings.players == 1 and self.rulings.options["solo_attack_deck"] == "removed"
        if alone and name == "attack":
            return []
        return shuffled(self.rulings, self._cards(name), self.rulings.upgrade_orders[index], UPGRADE_EVENTS, index, 0)

    def _legendary(self) -> list[tuple[str, ...]]:
        name = self.content.deck_of_role("legendary")
        dealt = self.rulings.legendary_dealt
        if name is None or dealt == 0:
            return [() for _ in range(self.rulings.players)]
        listed = self.rulings.legendary_order
        cards = self._cards(name)
        if listed:
            order = priority_order(listed, cards)
        else:
            order = shuffled(self.rulings, cards, [], LEGENDARY_EVENTS, 0, 0)
        return [tuple(sorted(order[seat * dealt : (seat + 1) * dealt])) for seat in range(self.rulings.players)]

    def _legs(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        types = sorted({leg.type for leg in self.content.legs.values() if leg.type is not None})
        drawn = self.rulings.options["legs_setup"] == "drawn"
        chosen = {f"type{kind}": self._leg_of_type(kind, drawn) for kind in types}
        legs = tuple(chosen.get(section.leg, section.leg) or NO_LEG for section in self.rulings.board.sections)
        return legs, tuple(int(drawn and self.rulings.chance.is_open("legs")) for _ in types)

    def _leg_of_type(self, kind: int, drawn: bool) -> str:
        listed = self.rulings.leg_list
        if not drawn:
            return self.rulings.board.default_legs[kind - 1]
        if kind <= len(listed):
            return listed[kind - 1]
        cards = [leg.id for leg in self.content.legs.values() if leg.type == kind for _ in range(leg.copies)]
        seed = self.rulings.chance.seed
        if seed is None:
            raise LookupError("legs are drawn and there is neither a list nor a seed")
        return cards[stream(seed, LEG_EVENTS, kind, 0).below(len(cards))]

    def _player(self, seat: int, legendary: tuple[str, ...]) -> Player:
        rulings = self.rulings
        name = self.content.deck_of_role("starter")
        cards = self._cards(name) if name else []
        dogs: list[Dog] = []
        if rulings.options["wheel_dog_start"] == "in_play":
            for card in sorted(rulings.start_in_play):
                if card in cards:
                    cards.remove(card)
                    dogs.append(Dog(card, ()))
        deck = shuffled(rulings, cards, rulings.deck_orders[seat], 1, seat, 0)
        hand, deck = deck[: rulings.starting_hand], deck[rulings.starting_hand :]
        return Player(
            days=1 if rulings.options["days_count"] == "first_day_is_one" else 0,
            deck=tuple(deck if rulings.deck_open else sorted(deck)),
            discard=(),
            dogs=tuple(dogs),
            finished=False,
            foods=(),
            free_energy="no",
            free_health="no",
            hand=tuple(sorted(hand)),
            hypothermia=0,
            immune=False,
            known=0,
            legendary=legendary,
            moved=False,
            passed=(),
            personal=0,
            pos=0,
            resolved=(),
            seen=(),
            stack=(),
            starvation=0,
            turns=0,
        )
