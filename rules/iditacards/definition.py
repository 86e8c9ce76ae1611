"""Iditacards as the shared parts see it: rulesets, positions, and the rules bound to both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Final

from rules.core.challenge import Aim
from rules.core.errors import counted, word_list
from rules.core.files import Faults, KeyPath, rest_of
from rules.core.race import Race
from rules.core.registry import Composition, Doubt, GameDefinition, Option, Players, Ruleset, Setting, between, some
from rules.core.schema import MISSING, Either, ListOf, Schema, Table, Text, facts, optional, table_of
from rules.core.scripts import UNKNOWN, Chance, SplitMix64, in_short, written_out
from rules.iditacards.content import (
    CONDITIONS,
    FACES,
    MARKED,
    NO_LEG,
    OPTIONS,
    ROLES,
    Content,
    build,
    check,
    deck_sizes,
    ruleset_schema,
)
from rules.iditacards.seat import LOWERED_ON_TABLE, THREE_MEALS
from rules.iditacards.state import Frame, Player, StateCheck, census_of, decode, encode, places
from rules.iditacards.state import Table as GameTable

_OTHER_WORDS: Final = (
    *("dog", "attachments", "none", "no", "armed", "on", "risk", "second"),
    *("chance", "lists", "open", "seed", "opponents", "options", "state", "pending", "from", "moves"),
)
"""Words of positions that are no field of the state and no id."""

_STATE: Final = table_of(GameTable)
_INFERRED: Final = ("deck", "dogs")
"""Zones of a player that are worked out where they are left out."""


class IditacardsDefinition(GameDefinition):
    """The game's part in reading rulesets and positions."""

    title = "Iditacards"
    sources: ClassVar = {
        "deck": True,
        "legendary": True,
        "legs": True,
        "opponents": False,
        "upgrade": True,
        "weather": True,
    }
    ruleset_schema = staticmethod(ruleset_schema)
    state_file = GameTable

    def check_ruleset(self, ruleset: Ruleset, faults: Faults) -> None:
        """Note every disagreement between the entries of a ruleset."""
        _count_decks(ruleset)
        check(ruleset.raw, faults)

    def doubts(self, ruleset: Ruleset) -> Iterator[Doubt]:
        """Yield costs that nobody can pay, vain effects, spaces out of reach, and cards that nobody sees."""
        raw = ruleset.raw
        decks, cards, dealt = raw["decks"], raw["cards"], raw["rules"]["legendary_dealt"]
        size = {role: sum(deck["cards"] for deck in decks.values() if deck["role"] == role) for role in ROLES}
        effects = [effect["op"] for card in cards.values() for effect in card.get("effects", ())]
        gained = size["upgrade"] if {"take", "take_next"} & {*effects} else 0
        most = size["starter"] + size["damage"] + dealt + gained
        held, owned = _most_held(raw, size["starter"]), size["starter"] - 1
        for name, card in cards.items():
            for cost, what in _COSTS.items():
                needed = card[cost] if isinstance(card[cost], int) else 0
                over = cost == "energy" and needed > held
                if needed > owned:
                    never = name if over or needed > min(most, 2 * size["starter"]) else ""
                    has = f"can own {most}" if needed > most else f"begins with {owned}"
                    told = f"asks for {needed} {what}, and a player {has}"
                    yield Doubt(("cards", name, cost), told, never, sure=needed > most)
                elif over:
                    told = f"asks for {needed} {what}, and all draws of the starter deck fill a hand to {held}"
                    yield Doubt(("cards", name, cost), told, name, sure=False)
            yield from _idle(name, card, raw, size["upgrade"])
        hand = raw["rules"]["starting_hand"]
        if hand > size["starter"]:
            yield Doubt(("rules", "starting_hand"), f"deals {hand} cards, and a player begins with {size['starter']}")
        legendary = [name for name, card in cards.items() if decks[card["deck"]]["role"] == "legendary"]
        if legendary and not dealt:
            vain = f"deals no legendary card, so that nobody sees {word_list(legendary)}"
            yield Doubt(("rules", "legendary_dealt"), vain)
        if size["upgrade"] and not gained:
            yield Doubt(("decks",), "no card takes upgrades, so that nobody sees the upgrade decks")
        yield from _unused_places(ruleset)

    def players_allowed(self, ruleset: Ruleset) -> Players:
        """Return 1 and as many players as the box has starter decks and legendary cards for."""
        decks = ruleset.raw["decks"].values()
        most = min((deck.get("sets", 1) for deck in decks if deck["role"] == "starter"), default=1)
        if dealt := ruleset.raw["rules"]["legendary_dealt"]:
            most = min(most, sum(deck["cards"] for deck in decks if deck["role"] == "legendary") // dealt)
        return Players(1, most)

    def named_shapes(self, ruleset: Ruleset, players: int = 1) -> Mapping[str, Schema]:
        """Return the shapes of the ids of cards and legs, and of ``chance.lists`` (R74)."""
        card = Text(tuple(ruleset.raw["cards"]), kind="a card of this ruleset")
        order = ListOf(card)
        orders = ListOf(order)

        def by_owner(owners: int) -> Schema:
            full = ListOf(orders, least=owners, most=owners)
            return _OnlyOwner((full, orders)) if owners == 1 else full

        upgrades = sum(deck["role"] == "upgrade" for deck in ruleset.raw["decks"].values())
        leg = Text(tuple(ruleset.raw["legs"]), kind="a leg of this ruleset")
        lists = Table(
            {
                "deck": optional(by_owner(players), "one list of orders for each seat"),
                "upgrade": optional(by_owner(upgrades), "one list of orders for each upgrade deck"),
                "legendary": optional(order, "the order of the legendary deck"),
                "legs": optional(ListOf(leg), "the leg drawn for each type"),
                "weather": optional(ListOf(Text(FACES)), "one face for each roll"),
            }
        )
        held = Text((*ruleset.raw["cards"], UNKNOWN), kind="a card of this ruleset")
        legs = Text((*ruleset.raw["legs"], NO_LEG), kind="a leg of this ruleset")
        return {"card": card, "held": held, "leg": legs, "lists": lists}

    def live_sources(self, setting: Setting) -> Mapping[str, bool]:
        """Return the sources that matter after the setup: of shuffles, rolls, refilled decks, and others' hands."""
        weather = {"weather": True} if setting.ruleset.raw["rules"]["weather"] else {}
        others = {"opponents": False} if setting.players > 1 else {}
        return {"deck": True, "upgrade": bool(setting.values["upgrade_refresh"]), **weather, **others}

    def complete_state(self, state: Mapping[str, Any], setting: Setting, *, bare: bool = False) -> dict[str, Any]:
        """Return the canonical ``state`` object of a state of the right shape.

        What is left out takes the value it has after the setup. A deck that is not named holds the cards that lie
        nowhere in sight, the unknown ones of the hand among them. A seed fixes the order of upgrade decks.
        ``damage_left`` is what the damage cards named leave over. R73 says how hidden decks and counters are kept.
        """
        (start, dealt), sources = self._start(setting), setting.chance.open
        state = _bare(state, start, dealt=dealt) if bare else state
        firsts = start["players"]
        told = facts(_STATE, {**state, "players": state.get("players", [{}] * len(firsts))[: len(firsts)]})
        result = {name: value for name, value in {**start, **told}.items() if name != "upgrade"}
        given = state.get("counters", {})
        result["counters"] = {
            name: given.get(name, value) if name in sources else [0] * len(value) if isinstance(value, list) else 0
            for name, value in start["counters"].items()
        }
        inferred = [player for player in told["players"] if "deck" not in player]
        for player, first in zip(told["players"], firsts, strict=False):
            player.setdefault("days", first["days"])
            player["stack"] = [{"day": told["day"], **frame} for frame in player["stack"]]
            _fill(player, first, told["destroyed"], is_open="deck" in sources)
        # A card of the box that lies elsewhere, such as out of the game, is missing in one of the decks.
        over = census_of(result) - census_of({**start, "upgrade": ()})
        for player in inferred:
            left = rest_of(player["deck"], over)
            over -= Counter(player["deck"]) - Counter(left)
            player["deck"] = left
        for player in told["players"]:
            place = len(player["deck"]) if "deck" in sources else player["known"]
            player["deck"] = [*player["deck"][:place], *sorted(player["deck"][place:])]
        named = census_of(result)
        result["upgrade"] = state.get("upgrade") or [rest_of(deck, named) for deck in start["upgrade"]]
        if "upgrade" not in sources:
            result["upgrade"] = [sorted(deck) for deck in result["upgrade"]]
        elif "upgrade" not in state and not dealt:
            result["upgrade"] = [[] for _ in start["upgrade"]]
        if "damage_left" not in state:
            cards = self.content(setting).cards
            damage = sum(number for card, number in named.items() if cards[card].type == "damage")
            result["damage_left"] = max(0, start["damage_left"] - damage)
        return encode(decode(result))

    def _start(self, setting: Setting) -> tuple[dict[str, Any], bool]:
        """Return the state after the setup, and whether the order of its upgrade decks is given."""
        chance = setting.chance
        dealt = "upgrade" in chance.open and (chance.seed is not None or "upgrade" in chance.lists)
        if "legs" not in chance.open:
            setting = replace(setting, options={**setting.options, "legs_setup": "fixed"})
        return encode(self.build(replace(setting, chance=chance.seeded())).initial_table()), dealt

    def shorten_state(self, state: Mapping[str, Any], setting: Setting, *, whole: bool) -> dict[str, Any]:
        """Return a canonical state without starting values, and without what follows from the rest.

        With ``whole`` no zone is left out, but where an unknown card says that those left out are inferred.
        """
        whole = whole and not any("unseen" in player or UNKNOWN in player["hand"] for player in state["players"])
        _, dealt = self._start(setting)
        empty = self.complete_state({}, setting)["players"]
        cards = {name: state[name] for name in ("destroyed", "supply")}
        players = [
            {name: value for name, value in player.items() if name == "hand" or value != first.get(name)}
            for player, first in zip(state["players"], empty, strict=True)
        ]
        bare = [{name: value for name, value in player.items() if name not in _INFERRED} for player in players]
        filled = self.complete_state({**cards, "players": bare}, setting)
        for player, full, other in zip(players, state["players"], filled["players"], strict=True):
            player["hand"] = in_short(player["hand"])
            for name in _INFERRED:
                player.pop(name, None)
                if whole or full[name] != other[name]:
                    player[name] = full[name]
        filled |= self.complete_state({**cards, "players": players}, setting) | {"destroyed": [], "supply": []}
        kept = ("upgrade",) if whole and not dealt else ()
        short = {name: value for name, value in state.items() if name in kept or value != filled[name]}
        return {**short, "players": players}

    def check_state(self, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        """Note every invariant that a complete state breaks."""
        StateCheck(self.content(setting), state, setting, faults).run()

    def content(self, setting: Setting) -> Content:
        """Return the typed facts of a ruleset with the options of a position."""
        return _content(setting.ruleset, tuple(sorted(setting.options.items())))

    def census(self, state: Mapping[str, Any], setting: Setting) -> Mapping[str, int]:
        """Return how many of each card there are over all places, the damage cards still in their deck included (R3).

        Where damage cards are without limit (Q28) nobody counts them.
        """
        content, cards = self.content(setting), census_of(state)
        stock = content.deck_of_role("damage")
        for card in [card.id for card in content.cards.values() if card.deck == stock]:
            if content.options["damage_supply"] == "unlimited":
                del cards[card]
            else:
                cards[card] += state["damage_left"]
        return cards

    def build(self, setting: Setting, aim: Aim | None = None) -> Race[GameTable]:
        """Return the rules bound to a ruleset and to the open results of chance."""
        from rules.iditacards.engine import Iditacards

        return Iditacards(self.content(setting), setting.players, setting.chance)

    def words(self, ruleset: Ruleset) -> Sequence[str]:
        """Return card ids, field names, and the values of fields."""
        cards, legs = (sorted(ruleset.raw[table]) for table in ("cards", "legs"))
        own = [name for name in Player._fields if name != "unseen"]
        fields = [*own, *GameTable._fields, *Frame._fields, *_OTHER_WORDS]
        return list(dict.fromkeys([*cards, *fields, *FACES, *legs, *sorted(OPTIONS.rows)]))

    def compose(self, ruleset: Ruleset, draw: SplitMix64) -> Composition:
        """Return a small position for a puzzle, made up from random numbers."""
        setting = Setting(ruleset, {}, 1, Chance(frozenset(self.sources), draw.next()))
        content, start = self.content(setting), self.initial_state(setting)
        finish, dealt = int(content.options["finish_at"]), start["players"][0]
        own: list[str] = [*dealt["hand"], *dealt["deck"]]
        box = [card for deck in start["upgrade"] for card in deck]
        upgrades = some(draw, box, between(draw, 2, 5))
        hand, deck = between(draw, 4, 6), between(draw, 5, 9)
        cards = draw.shuffle([*some(draw, own, hand + deck - len(upgrades)), *upgrades])
        dogs = sorted({card for card in box if content.cards[card].type == "dog" and card not in upgrades})
        pos = between(draw, 1, max(1, finish - 40))  # there is room for some moves
        more = [dogs[draw.below(len(dogs))]] if dogs and draw.below(2) else []
        player: dict[str, Any] = {
            "pos": pos,
            "hand": sorted(cards[:hand]),
            "deck": cards[hand:],
            "dogs": [*dealt["dogs"], *({"dog": dog, "attachments": []} for dog in more)],
            # One condition every other time, and not so bad that nothing moves.
            **({draw.shuffle(CONDITIONS)[0]: 1} if draw.below(2) else {}),
        }
        faces: Sequence[str] = tuple(ruleset.raw["rules"]["weather"])
        weather = {"weather": faces[draw.below(len(faces))]} if faces else {}
        turns = between(draw, 3, 5)
        return Composition(
            {
                "players": 1,
                "chance": {"seed": draw.below(1000), "open": list(ruleset.definition.sources)},
                "state": {**weather, "upgrade": [[] for _ in start["upgrade"]], "players": [player]},
            },
            [{"objective": each, "within_turns": turns, "new_day": False} for each in ("min_turns", "max_distance")],
        )


@lru_cache(maxsize=64)
def _content(ruleset: Ruleset, options: tuple[tuple[str, Option], ...]) -> Content:
    return build({**ruleset.raw, "options": {**ruleset.raw["options"], **dict(options)}})


def _count_decks(ruleset: Ruleset) -> None:
    """Take the cards of removed decks out, and count decks anew whose size no text states since cards were changed."""
    decks, cards = (ruleset.raw.get(table) for table in ("decks", "cards"))
    if not (isinstance(decks, dict) and isinstance(cards, dict)):
        return
    told = [layer.data.get("decks") for layer in ruleset.layers]
    there = [(place, table.items()) for place, table in enumerate(told) if isinstance(table, dict)]
    gone = {key: place for place, table in there for key, deck in table if isinstance(deck, dict) and "remove" in deck}
    for name, card in list(cards.items()):
        deck = card.get("deck") if isinstance(card, dict) else None
        # A deck that is stated again, after a text that has removed it, holds the cards stated since.
        removed = gone.get(deck, -1) if isinstance(deck, str) else -1
        if removed >= 0 and (deck not in decks or (ruleset.stated(("cards", name)) or 0) <= removed):
            del cards[name]
    changed = ruleset.stated(("cards",)) or 0
    for name, size in deck_sizes(ruleset.raw).items() if changed else ():
        if isinstance(decks[name], dict) and (ruleset.stated(("decks", name, "cards")) or 0) < changed:
            decks[name]["cards"] = size


def _bare(state: Mapping[str, Any], start: Mapping[str, Any], *, dealt: bool) -> Mapping[str, Any]:
    """Return a state in which zones that were left out are empty, unless it has unknown cards."""
    players = state.get("players", [{}] * len(start["players"]))
    if any(player.get("unseen") or UNKNOWN in written_out(player.get("hand", []), 1) for player in players):
        return state
    nothing: dict[str, Any] = {"deck": [], "dogs": [], "hand": []}
    upgrade: dict[str, Any] = {} if dealt else {"upgrade": [[] for _ in start["upgrade"]]}
    return {**upgrade, **state, "players": [{**nothing, **player} for player in players]}


def _fill(player: dict[str, Any], first: Mapping[str, Any], destroyed: Sequence[str], *, is_open: bool) -> None:
    """Write hand, dogs and deck of a player out; where decks are open, hands are known as they were dealt."""
    named = Counter(card for _, cards in places(player) for card in cards)
    if "hand" not in player and is_open:
        player["hand"] = rest_of(first["hand"], named)
    player["hand"] = written_out(player.get("hand", UNKNOWN), len(first["hand"]))
    player["unseen"] = player["unseen"] and UNKNOWN not in player["hand"]
    if "dogs" not in player:
        player["dogs"] = [dog for dog in first["dogs"] if dog["dog"] not in {*named, *destroyed}]
    if "deck" not in player:
        named = Counter(card for _, cards in places(player) for card in cards)
        # Nobody can know the top of a deck that is not named.
        player["deck"] = [] if player["known"] else rest_of([*first["hand"], *first["deck"]], named)


class _OnlyOwner(Either):
    """Orders of one source with one owner: a list of one list of orders, or these orders alone (R74)."""

    def check(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note the faults of the form that the value seems to have, and return the full one."""
        # A list of orders stands where a list of such lists could stand.
        lists = [each for each in value if isinstance(each, list)] if isinstance(value, list) else []
        if not any(each and type(each[0]) is str for each in lists):
            return self.options[0].check(value, path, faults)
        sound = self.options[1].check(value, path, faults)
        return sound if sound is MISSING else [sound]

    def described(self) -> str:
        """Return the type in words."""
        return "a list"


# What a sound ruleset says in vain


def _most_held(raw: Mapping[str, Any], deck: int) -> int:
    """Return the cards of a first hand and all that starter cards draw beyond themselves and what they cost."""
    held, dogs = int(raw["rules"]["starting_hand"]), int(raw["rules"]["dog_limit"])
    for card in raw["cards"].values():
        if raw["decks"][card["deck"]]["role"] == "starter":
            drawn = -1 - (card["energy"] if isinstance(card["energy"], int) else 0)
            for effect in card.get("effects", ()):
                many = effect.get("n", deck) if effect["op"] in _FILLING else 0
                drawn += (many if isinstance(many, int) else deck) * (dogs if "per" in effect else 1)
            held += max(0, drawn) * card["copies"]
    return held


_FILLING: Final = ("draw", "recover", "recover_tag", "day_draw", "on_move_draw")
"""Ops that bring cards to a hand."""
_COSTS: Final = {"energy": "other cards of the hand"} | dict.fromkeys(("health", "risk"), "other cards of the deck")
_NOTHING_AT_ZERO: Final = (
    *("draw", "recover", "damage", "hypothermia", "starvation", "day_draw", "on_move_draw", "speed"),
)
"""Ops that do nothing at all with the number 0; a move still covers the speed."""
_FROM_UPGRADES: Final = ("take", "take_next", "supply")
"""Ops that look at, gain or lay out upgrades."""


def _idle(name: str, card: Mapping[str, Any], raw: Mapping[str, Any], upgrades: int) -> Iterator[Doubt]:
    """Yield the effects of a card that can never do anything, and the card where all are such."""
    effects, cards, limit = card.get("effects", ()), raw["cards"], raw["rules"]["dog_limit"]
    tags = {tag for other in cards.values() for tag in other.get("tags", ())}
    types = {other["type"] for other in cards.values()}
    healing = sum(other["copies"] for other in cards.values() if other["type"] == "personal")
    unmet = {
        "eaten_today": "food" not in types,
        "healed_today": healing <= (card["type"] == "personal"),
        "three_meals_today": bool(THREE_MEALS - cards.keys()),
    }
    vain = []
    for place, effect in enumerate(effects):
        tag = effect.get("tag") or ("fake" if effect.get("filter") == "fake" else "")
        if tag and tag not in tags:
            vain.append((place, "tag" if "tag" in effect else "filter", f"no card is tagged '{tag}'"))
        elif effect.get("filter") == "has_attachment" and "attachment" not in types:
            vain.append((place, "filter", "there is no attachment"))
        elif unmet.get(effect.get("when")):
            vain.append((place, "when", f"waits for {effect['when']}, and no cards bring that about"))
        elif effect["op"] in _NOTHING_AT_ZERO and effect["n"] == 0:
            vain.append((place, "n", "is 0, so that it does nothing"))
        elif effect["op"] in _FROM_UPGRADES and not upgrades:
            vain.append((place, "op", "is about upgrades, and there are none"))
    room = next((effect["n"] for effect in effects if effect["op"] == "counts_as"), 1)
    if card["type"] == "dog" and limit == 0:
        yield Doubt(("rules", "dog_limit"), "leaves no room for a dog", name)
    elif card["type"] == "dog" and room > limit:
        yield Doubt(("cards", name), f"takes the room of {counted(room, 'dog')}, and a team has room for {limit}", name)
    lowers = LOWERED_ON_TABLE.get(card["type"])
    never = name if len(vain) == len(effects) and card["type"] not in ("dog", "damage") and not lowers else ""
    for place, key, message in vain:
        yield Doubt(("cards", name, "effects", place, key), message, never)
    if not effects and card["type"] not in ("dog", "damage"):
        does = f"only lowers {lowers}" if lowers else "does nothing"
        yield Doubt(("cards", name, "effects"), f"is empty, so that the card {does}", never)


def _unused_places(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield marked spaces behind the finish, and legs of the last text that lie on no space."""
    raw, options = ruleset.raw, ruleset.raw["options"]
    layout, finish = str(options["board_layout"]), int(options["finish_at"])
    board = raw["boards"][layout]
    for kind in MARKED:
        what = "checkpoint" if kind == "checkpoints" else f"{kind} space"
        for place, space in enumerate(board.get(kind, ())):
            if space > finish:
                message = f"the {what} on space {space} lies behind the finish, {finish}"
                yield Doubt(("boards", layout, kind, place), message)
    used = {section["leg"] for section in board["sections"]}
    for name, leg in raw["legs"].items():
        if ruleset.layers[-1].reaches(("legs", name)) and not used & {name, f"type{leg.get('type')}"}:
            yield Doubt(("legs", name), f"lies on no space of the board '{layout}'")
