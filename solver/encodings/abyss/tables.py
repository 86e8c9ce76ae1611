"""The numbers of a ruleset that a row is played by: no card, number or edition is written in the machine."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Final

from rules.abyss.actions import TARGETED
from rules.abyss.content import ACTIONS, EVENTS, OPTIONS, Card, Effect, Goal, Rulings, Traits
from rules.abyss.state import ABYSS, CITY, Plan, teams_of
from solver.encodings.abyss import layout as L

PLACES: Final = ("any", CITY, ABYSS)
"""By their number in the layout."""
_PER: Final = ("flat", "team_member", "member_in_abyss")
_CODES: Final[Mapping[str, int]] = {
    "ap": L.E_AP,
    "rp": L.E_RP,
    "treasure": L.E_TREASURE,
    "heal_all": L.E_HEAL,
    "pay_per_healed": L.E_PAY_HEALED,
    "flashlight": L.E_LIGHT,
    "explore_pending": L.E_EXPLORE,
    "remove_partner": L.E_REMOVE,
    "take_card": L.E_TAKE,
    "exchange_cards": L.E_EXCHANGE,
    "ap_abyss": L.E_AP_ABYSS,
    "damage": L.E_DAMAGE,
    "lose_card": L.E_LOSE_CARD,
    "cancel_actions": L.E_CANCEL,
    "scale_ap_cost": L.E_SCALE_AP,
    "scale_rp_gain": L.E_SCALE_RP,
}
_NEUTRAL: Final = (
    *("hire_when", "hire_overdraft", "dismiss", "empty_team", "modifier_timing", "short_covers", "jam_cancels"),
    *("jam_card", "explore_sources", "explore_stack", "explore_expires", "flashlight_expires", "penalty_base"),
    *("no_target", "transaction_alone", "treatment_scope", "action_overdraft", "treasure_cash", "temp_hp"),
    *("temps_count", "second_action", "win_check", "treasure_supply", "partner_supply"),
)
"""Options whose neutral value the machine plays; those not named make no difference to one seat alone."""
_OF_SEVERAL: Final = (
    *("announcement", "assassination_chooser", "assassination_penalty", "be_theft_pick", "event_scope"),
    *("give_up_draw", "icon_reading", "reshuffle", "round_limit", "theft_pick", "tie", "treasure_needs"),
)
"""Likewise where several seats play on rows."""


def lacks(rulings: Rulings) -> tuple[str, ...]:
    """Return in words what of the rules the machine does not carry; empty where it carries all."""
    names = _NEUTRAL if rulings.players == 1 else (*_NEUTRAL, *_OF_SEVERAL)
    found = [f"{name} = {rulings.options[name]}" for name in names if rulings.options[name] != OPTIONS.neutral[name]]
    cards = rulings.cards.values()
    full = {
        "more kinds of cards than rows hold": len(cards) >= L.MOST_CARDS,
        "more kinds of partners than rows hold": sum(rulings.full_hp.values()) > L.MOST_SLOTS,
        "more types of partners than tables hold": len(rulings.types) > L.MOST_TYPES,
        "more identities than tables hold": len(rulings.traits) > L.MOST_IDENTITIES,
        "more effects of a card than tables hold": any(len(card.effects) > L.MOST_EFFECTS for card in cards),
        "more goals than tables hold": len(rulings.goals) > L.MOST_GOALS,
    }
    return (*found, *(name for name, holds in full.items() if holds))


class Tables:
    """The table of numbers of one ruleset and some goals, and what its cards, slots and identities are called."""

    def __init__(self, rulings: Rulings, goals: tuple[Goal, ...]) -> None:
        self.rulings = rulings
        decks = [[name for name, card in rulings.cards.items() if card.deck == deck] for deck in (ACTIONS, EVENTS)]
        self.cards = ("", *sorted(decks[0]), *sorted(decks[1]))
        self.card = {name: number for number, name in enumerate(self.cards)}
        self.identities = {name: number for number, name in enumerate(rulings.traits)}
        self.slots = [(kind, hp) for kind in rulings.types for hp in range(1, rulings.full_hp[kind] + 1)]
        self.slot = {slot: place for place, slot in enumerate(self.slots)}
        self.numbers = array("i", bytes(4 * L.T_W))
        self._rules(len(decks[0]) + 1, goals)
        for place, (kind, hp) in enumerate(self.slots):
            full = self.slot[kind, rulings.full_hp[kind]]
            self._put(L.T_SLOT + L.SLOT_W * place, (rulings.place[kind], hp, full))
        for traits, number in zip(rulings.traits.values(), self.identities.values(), strict=True):
            self._put(L.T_IDENTITY + L.IDENTITY_W * number, self._identity(traits))
        for number, name in enumerate(self.cards[1:], 1):
            self._put(L.T_CARD + L.CARD_W * number, self._card(rulings.cards[name]))

    def laid(self, plan: Plan | None) -> array[int]:
        """Return a plan as the numbers from ``CARD`` on."""
        teams = [(self.card[team.card or ""], PLACES.index(team.location)) for team in teams_of(plan)]
        return array("i", [number for team in (*teams, (0, 0), (0, 0))[:2] for number in team])

    def _put(self, at: int, numbers: tuple[int, ...]) -> None:
        self.numbers[at : at + len(numbers)] = array("i", numbers)

    def _rules(self, actions: int, goals: tuple[Goal, ...]) -> None:
        rulings, rules = self.rulings, self.rulings.rules
        options, t = rulings.options, self.numbers
        for place, name in enumerate(("treasure_ap", "treasure_rp", "boost_factor", "boost_damage")):
            t[place] = rules[name]
        t[L.T_COMPOUND] = rules["boost_factor"] if options["explore_doubling"] == "compound" else 1
        t[L.T_OWN_CARRIER] = rulings.own_carrier
        t[L.T_REFILL_BELOW], t[L.T_REFILL_CARDS] = rules["refill_below"], rules["refill_cards"]
        t[L.T_GIVE_UP_DRAW], t[L.T_FIRST_REFILL] = rules["give_up_draw"], options["first_refill_round"]
        t[L.T_ROTATES] = rulings.rotates
        t[L.T_CAP], t[L.T_CAP_TEMPS] = -1 if rulings.cap is None else rulings.cap, options["cap_counts_temps"]
        t[L.T_CARDS], t[L.T_ACTIONS] = len(self.cards), actions
        t[L.T_SLOTS], t[L.T_TYPES], t[L.T_GOALS] = len(self.slots), len(rulings.types), len(goals)
        t[L.T_LATE], t[L.T_JOINT] = not rulings.immediate, rulings.joint
        self._put(L.T_GOAL, tuple(number for goal in goals for number in (goal.ap, goal.rp)))

    def _identity(self, traits: Traits) -> tuple[int, ...]:
        padded = (0,) * (L.MOST_TYPES - len(traits.prices))
        return (
            -1 if traits.temp_price is None else traits.temp_price,
            *(number for place in PLACES[1:] for number in traits.damage[place]),
            *traits.treatment,
            *(*traits.prices, *padded),
            *(traits.penalties[kind] for kind in self.rulings.types),
        )

    def _card(self, card: Card) -> tuple[int, ...]:
        return (
            PLACES.index(card.location),
            int(any(effect.op in TARGETED for effect in card.effects)),
            int(card.is_modifier),
            int(card.flashlight_stops),
            len(card.effects),
            *(number for effect in card.effects for number in _effect(effect)),
        )


def _effect(effect: Effect) -> tuple[int, int, int]:
    args = effect.args
    if effect.op == "set_flag":
        return _CODES[args["flag"]], 0, 0
    where = PLACES.index(args["where"]) if "where" in args else 0
    if effect.op == "treasure":
        return L.E_TREASURE, args["amount"], _PER.index(args["per"])
    if "amount" in args:
        return _CODES[effect.op], args["amount"], where
    return _CODES[effect.op], args.get("factor", where), 0
