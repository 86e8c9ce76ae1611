"""Rulesets, tables and moves as numbers, what of the rules rows carry, and contests with hidden cards as playouts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from rules.abyss.actions import TARGETED
from rules.abyss.content import ACTIONS, EVENTS, OPTIONS, Card, Effect, Goal, Rulings
from rules.abyss.engine import Abyss
from rules.abyss.state import ABYSS, CITY, PHASES, Plan, Table, teams_of
from rules.abyss.turn import DRAW, GO_ON, NO_DRAW, Cards, Choose, Hire, Target
from rules.core.race import seats_unknown
from rules.core.scripts import UNKNOWN, Forced, SplitMix64, Step, known
from rules.core.turns import State
from solver.compiled_form import is_extension
from solver.encodings.abyss import layout as L
from solver.encodings.abyss.playouts import play_on, play_one
from solver.search.rollout import GameEnd, Sampler, WholeGames, row_seed

PLACES: Final = ("any", CITY, ABYSS)
"""By their number in the layout."""
_PER: Final = ("flat", "team_member", "member_in_abyss")
_CODES: Final = {name.removeprefix("E_").lower(): code for name, code in vars(L).items() if name.startswith("E_")}
"""Codes of effects, which the layout names after them."""
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
    if (
        len(cards) >= L.MOST_CARDS
        or sum(rulings.full_hp.values()) > L.MOST_SLOTS
        or len(rulings.types) > L.MOST_TYPES
        or len(rulings.traits) > L.MOST_IDENTITIES
        or len(rulings.goals) > L.MOST_GOALS
        or any(len(card.effects) > L.MOST_EFFECTS for card in cards)
    ):
        found.append("more kinds of cards, partners, identities, goals or effects than rows hold")
    return tuple(found)


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
            at = L.T_IDENTITY + L.IDENTITY_W * number
            changes = (*traits.damage[CITY], *traits.damage[ABYSS], *traits.treatment)
            self._put(at, (-1 if traits.temp_price is None else traits.temp_price, *changes, *traits.prices))
            self._put(at + L.I_PENALTIES, tuple(traits.penalties[kind] for kind in rulings.types))
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
        t[L.T_FIRST], t[L.T_ACTIONS], t[L.T_CARDS] = 1, actions, len(self.cards)
        t[L.T_SLOTS], t[L.T_TYPES], t[L.T_GOALS] = len(self.slots), len(rulings.types), len(goals)
        t[L.T_LATE], t[L.T_JOINT] = not rulings.immediate, rulings.joint
        self._put(L.T_GOAL, tuple(number for goal in goals for number in (goal.ap, goal.rp)))

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
    code, place = _CODES[args.get("flag", effect.op)], PLACES.index(args.get("where", PLACES[0]))
    if "amount" in args:
        return code, args["amount"], _PER.index(args["per"]) if "per" in args else place
    return code, args.get("factor", place), 0


# Contests

GAMES: Final = 256 if is_extension(play_on.__module__) else 4
"""Games of which a playout is the mean."""
PLAYOUT_S: Final = 0.0005
"""Seconds that a playout takes, about."""
HORIZON: Final = 40
"""Rounds that a game lasts at most."""
_PHASES: Final = (L.P_GIVE_UP, L.P_CHOOSE, L.P_DEAL, L.P_ACT, L.P_EVENT, L.P_REFILL)
"""Where a step of the rules begins in a row."""
_MOVES: Final = {"give_up": L.P_GIVE_UP, "hire": L.P_HIRE, "plan": L.P_CHOOSE, "target": L.P_ACT}
"""Where a decision is taken in a row, by its first word."""
_ALSO: Final = ("win_check", "tie")
"""Options of which playouts carry every value."""
_HIDDEN: Final = ("actions", "events", "picks")


def supports(game: Any, start: State[Any], moves: Iterable[Step]) -> tuple[str, ...]:
    """Return in words what of a question about these moves is not carried; nothing means that it is."""
    lacking = [each for each in lacks(game.rulings) if not each.startswith(_ALSO)]
    lacking += [f"open {source}" for source in _HIDDEN if game.rulings.chance.is_open(source)]
    plan = start.table.seats[start.table.seat].plan
    two = start.table.phase == "act" and plan is not None and plan.temp is not None
    if plan is not None and UNKNOWN in start.table.seats[start.table.seat].laid:
        lacking.append("a card of one's own that nobody has seen")
    if two or not all(_head(move) in _MOVES or move in (DRAW, NO_DRAW, GO_ON) for move in moves):
        lacking.append("a decision within the use of a card")
    return tuple(lacking)


class Playouts(Sampler):
    """Values of the open moves of the seat to move: how often it wins where all seats play on by a rule of thumb."""

    turn_s = PLAYOUT_S

    def __init__(self, game: Abyss, start: State[Table], seat: int, rounds: int, seed: int) -> None:
        self._tables = Tables(game.rulings, game.goals)
        super().__init__(seed)
        self._seat, self.rounds = seat, rounds
        self._undecided = array("i", [-1, *bytes(4 * L.M_W)])
        table = game.undecided(start.table) or start.table
        named = table.seats
        if seats_unknown(game, table):  # each playout deals these cards anew
            table = game.sample_world(State(table), seat, SplitMix64(seed), named=True).table
        first = next(iter(game.legal_moves(start)), None)
        if first is not None and _head(first) in ("give_up", "hire", "draw", "no_draw"):
            table = game.unfinished(State(table, start.pending))
        self._row, self._work = self.row(table), array("i", bytes(4 * L.W))
        if isinstance(first, Hire):
            self._row[L.PHASE] = L.P_HIRE
        for other, one in enumerate(named):
            if other != seat:  # whoever asks has named these cards
                at = L.SEAT + L.SEAT_W * other
                for card in known(one.hand):
                    self._row[at + L.UNSEEN + self._tables.card[card]] -= 1
                    self._row[at + L.N_UNSEEN] -= 1
                self._row[at + L.LAID_SEEN] = int(UNKNOWN not in one.laid)

    def _run(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> Fraction:
        asked = (self._row, self._tables.numbers, self._work, self.move(begun[-1]), self._seat, self.rounds)
        won = play_on(*asked, row_seed(seed), GAMES)
        self._played += 1
        return Fraction(won, 2 * GAMES * self._row[L.SEATS])

    def liking(self, move: Step) -> tuple[float]:
        """Return 1 for a decision that the rule of thumb takes, else 0."""
        ends = []
        for decided in (self.move(move), self._undecided):
            ends.append(self._row[:])
            play_one(ends[-1], self._tables.numbers, decided, 1)
        return (float(ends[0] == ends[1]),)

    def whole(self, table: Table, seed: int) -> GameEnd:
        """Play a whole game from a table, every hand dealt anew, and count rounds."""
        row, work = self.row(table), self._work
        play_on(row, self._tables.numbers, work, self._undecided, -1, HORIZON, row_seed(seed), 1)
        return GameEnd((work[L.WINNER] - 1,) if work[L.WINNER] else (), work[L.ROUND], work[L.PHASE] == L.P_OVER)

    def row(self, table: Table) -> array[int]:
        """Return a table as a row."""
        tables, row = self._tables, array("i", bytes(4 * L.W))
        order = tables.rulings.order(table.round)
        row[L.ROUND], row[L.SEATS] = table.round, len(table.seats)
        row[L.WINNER], row[L.ACTING] = 0 if table.winner is None else table.winner + 1, order.index(table.seat)
        row[L.PHASE] = _PHASES[PHASES.index(table.phase)] if table.phase in PHASES else L.P_OVER
        piles = ((*table.action_pile, table.action_used), (*table.event_pile, table.event_used))
        for place, pile in enumerate(piles):
            sizes = (L.FRONT_SIZE, L.FRONT), (L.BACK_SIZE, L.BACK), (L.USED_SIZE, L.USED)
            for (size, zone), cards in zip(sizes, pile, strict=True):
                row[size + place] = len(cards)
                self._count(row, zone, cards)
        for index, seat in enumerate(table.seats):
            at = L.SEAT + L.SEAT_W * index
            first = [seat.ap, seat.rp, seat.temps, seat.paid, seat.treasure, 0, 0, seat.boost, seat.explore_pending]
            event = [tables.card[seat.event or ""], int(seat.event_up)]
            # In the order of the layout.
            row[at : at + L.CARD] = array("i", [*first, seat.flashlight, tables.identities[seat.identity], *event])
            row[at + L.N_HAND] = row[at + L.N_UNSEEN] = len(seat.hand)
            row[at + L.N_TEAM] = len(seat.partners)
            row[at + L.CARD : at + L.CARD + 4] = tables.laid(seat.plan)
            self._count(row, at + L.HAND, seat.hand)
            self._count(row, at + L.UNSEEN, seat.hand)
            for partner in seat.partners:
                row[at + L.TEAM + tables.slot[partner]] += 1
        return row

    def _count(self, row: array[int], zone: int, cards: Iterable[str]) -> None:
        for card in cards:
            row[zone + self._tables.card[card]] += 1

    def move(self, step: Step | Forced) -> array[int]:
        """Return a decision as numbers."""
        tables, found = self._tables, array("i", bytes(4 * L.M_W))
        found[L.M_PHASE] = _MOVES.get(_head(step), L.P_REFILL)
        if isinstance(step, Cards):
            self._count(found, L.M, step.cards)
        elif isinstance(step, Hire):
            for kind, number in step.numbers:
                found[L.M + tables.rulings.place[kind]] = number
            found[L.M + len(tables.rulings.types)] = step.temps
        elif isinstance(step, Choose):
            found[L.M : L.M + 4] = tables.laid(step.plan)
        elif isinstance(step, Target):
            slot = step.partner
            found[L.M], found[L.M + 1] = step.seat, 0 if slot is None else tables.slot[slot]
        else:
            found[L.M] = step != NO_DRAW
        return found


def _head(step: Step | Forced) -> str:
    return step.text.partition(" ")[0]


def whole_games(game: Abyss, start: State[Table]) -> WholeGames:
    """Return what plays whole games from tables of a game."""
    return Playouts(game, start, 0, HORIZON, 0).whole
