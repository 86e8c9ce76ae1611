"""The table of an Iditacards game at a turn boundary (R1, section 19), what a seat knows (R73), what has to agree.

What is declared here is also what a ``state`` in a file may say; ``StateCheck`` finds what its keys contradict.

A ``?`` in a hand is any card in the part of the deck that nobody has placed, which holds it as well.
The cards that another player holds unseen are known together and not apart: hand, cards looked at, and the part of the
deck that nobody has placed. So are the legendary cards of the others, together with those that were dealt to nobody.
Where decks are open their cards are known one by one, and so are the hands they gave.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.errors import counted
from rules.core.files import Faults, KeyPath
from rules.core.registry import Setting
from rules.core.schema import HELD, SORTED, Default, Integer, LeftOut, Named, Size, Text, built, plain
from rules.core.scripts import UNKNOWN, SplitMix64, in_order, known
from rules.iditacards.content import CONDITIONS, FACES, NO_LEG, Content, leg_type

CardId: TypeAlias = Annotated[str, Named("card")]
Number: TypeAlias = Annotated[int, Integer()]
Count: TypeAlias = Annotated[int, Integer(), Default(0)]
Mark: TypeAlias = Annotated[bool, Default(False)]
Zone: TypeAlias = Annotated[tuple[CardId, ...], SORTED, Default(())]
"""Cards whose order says nothing."""
Numbers: TypeAlias = Annotated[tuple[Number, ...], LeftOut("as after the setup")]
Once: TypeAlias = Annotated[tuple[CardId, ...], SORTED, Size(unique=True), Default(())]
"""Different cards whose order says nothing."""
Free: TypeAlias = Annotated[str, Text(("no", "armed", "on")), Default("no")]


class Frame(NamedTuple):
    """A card on the risk stack (R28)."""

    card: Annotated[CardId, "the card that waits"]
    day: Annotated[int, Integer(), LeftOut("the state's day"), "the shared day when it was played"]
    n: Annotated[Count, "cards destroyed, where the second step needs the number"]
    need: Annotated[Number, "risk cards needed"]
    paid: Annotated[Count, "risk cards done"]
    step: Annotated[str, Text(("risk", "second")), Default("risk"), "what it waits for"]


class Dog(NamedTuple):
    """A dog in play with what it wears."""

    dog: Annotated[CardId, "the dog"]
    attachments: Annotated[Zone, "what it wears"]


class Player(NamedTuple):
    """One player's part of the table."""

    days: Annotated[Number, LeftOut("1, or 0 where new days alone count"), "days begun"]
    deck: Annotated[
        tuple[CardId, ...],
        LeftOut("the player's starter cards that lie nowhere in sight"),
        "top first; a hidden deck has its known top cards in order, then the others ascending, "
        "and among these the unknown cards of the hand",
    ]
    discard: Annotated[Zone, "the own discard pile"]
    dogs: Annotated[tuple[Dog, ...], SORTED, LeftOut("those of the setup"), "dogs in play with their attachments"]
    finished: Annotated[Mark, "whether the finish is reached"]
    foods: Annotated[Once, "different food cards that count as played this day"]
    free_energy: Annotated[Free, "whether energy is free: armed for the next turn, or on"]
    free_health: Annotated[Free, "whether health is free: armed for the next turn, or on"]
    hand: Annotated[
        tuple[Annotated[str, Named("held")], ...], SORTED, HELD, LeftOut("as many as are dealt"), "cards in the hand"
    ]
    hypothermia: Annotated[Count, "points of hypothermia"]
    immune: Annotated[Mark, "whether the player is immune"]
    known: Annotated[Count, "cards on top of a hidden deck that the owner knows (R73)"]
    legendary: Annotated[Zone, "legendary cards not yet chosen"]
    moved: Annotated[Mark, "whether the sled has moved today"]
    passed: Annotated[tuple[Number, ...], SORTED, Size(unique=True), Default(()), "checkpoints passed"]
    personal: Annotated[Count, "personal cards that count for today"]
    pos: Annotated[Count, "the space; 0 is before the start line, the others count without upper bound"]
    resolved: Annotated[Zone, "risk cards resolved while the first card of the stack waits (Q30)"]
    seen: Annotated[Zone, "cards set aside for a second step"]
    stack: Annotated[tuple[Frame, ...], Default(()), "cards that wait for their risk, bottom first"]
    starvation: Annotated[Count, "points of starvation"]
    turns: Annotated[Count, "own turns finished"]
    unseen: Annotated[bool, "whether all see no more of the hand than is written, though every card of it is"] = False


class Counters(NamedTuple):
    """The number of the next event of each source, 0 for a hidden one (R72)."""

    deck: Annotated[Numbers, "by seat"]
    legendary: Annotated[Number, LeftOut("as after the setup"), "of the legendary deck"]
    legs: Annotated[Numbers, "by leg type"]
    upgrade: Annotated[Numbers, "by upgrade deck"]
    weather: Annotated[Number, LeftOut("as after the setup"), "of the die"]


class Table(NamedTuple):
    """The whole table at a turn boundary; equal tables are equal positions."""

    active: Annotated[Count, "the seat whose turn it is"]
    counters: Annotated[Counters, LeftOut("as after the setup"), "the number of the next chance event of each source"]
    damage_left: Annotated[int, LeftOut("those that lie nowhere else"), "damage cards still in their deck"]
    day: Annotated[Count, "new days called so far"]
    destroyed: Annotated[Zone, "cards out of the game"]
    final: Annotated[
        Annotated[tuple[Number, ...], SORTED, Size(unique=True)] | None,
        Default(None),
        "seats still owed a last turn; nothing before anybody has finished",
    ]
    freeze: Annotated[Mark, "whether a freeze is on"]
    legs: Annotated[tuple[Annotated[str, Named("leg")], ...], LeftOut("those of the setup"), "the leg of each section"]
    over: Annotated[Mark, "whether the game has ended"]
    players: Annotated[tuple[Player, ...], Size(1), LeftOut("as after the setup"), "one for each seat"]
    supply: Annotated[Zone, "cards of the shared supply"]
    upgrade: Annotated[
        tuple[tuple[CardId, ...], ...],
        LeftOut("the cards that lie nowhere else"),
        "one list for each upgrade deck, top first; ascending where hidden",
    ]
    weather: Annotated[str, Text((*FACES, NO_LEG)), Default(NO_LEG), "the face of the die, or none"]


def in_play(dogs: Iterable[Dog]) -> list[str]:
    """Return the dogs and attachments, dog by dog."""
    return [card for dog in dogs for card in (dog.dog, *dog.attachments)]


def owned_cards(player: Player) -> list[str]:
    """Return a player's cards but those discarded, resolved or out of the game."""
    waiting = [frame.card for frame in player.stack]
    return [*player.hand, *player.deck, *player.legendary, *player.seen, *waiting, *in_play(player.dogs)]


def encode(table: Table) -> dict[str, Any]:
    """Return the canonical ``state`` object of section 19."""
    state: dict[str, Any] = plain(table)
    for player in state["players"]:
        player["hand"] = in_order(player["hand"])
        if not player["unseen"]:
            del player["unseen"]
    return state


def decode(state: Mapping[str, Any]) -> Table:
    """Return the table of a complete, valid ``state`` object; sorted zones may come in any order."""
    return built(Table, state)


def covered(player: Player) -> Player:
    """Return a player with unknown hand cards, which lie in the deck with all that are unknown there."""
    shown = _shown(player)
    rest = [] if player.unseen or UNKNOWN in player.hand else player.hand
    deck = (*player.deck[: player.known], *sorted([*rest, *player.deck[player.known :]]))
    return player._replace(deck=deck, hand=(*(UNKNOWN,) * (len(player.hand) - len(shown)), *shown))


def _shown(player: Player) -> list[str]:
    """Return the hand cards that everybody knows: those beside unknown ones."""
    return known(player.hand) if player.unseen or UNKNOWN in player.hand else []


def dealt(player: Player, generator: SplitMix64) -> Player:
    """Return a player to whom the cards that the others do not see are dealt anew."""
    shown, player = _shown(player), covered(player)
    pool = generator.shuffle([*player.seen, *player.deck[player.known :]])
    hand, seen = len(player.hand) - len(shown), len(player.seen)
    return player._replace(
        deck=(*player.deck[: player.known], *sorted(pool[hand + seen :])),
        hand=tuple(sorted([*shown, *pool[:hand]])),
        seen=tuple(sorted(pool[hand : hand + seen])),
        unseen=False,
    )


def everywhere(table: Table) -> list[str]:
    """Return every card that lies in some zone of the table."""
    cards = [*table.destroyed, *table.supply, *(card for deck in table.upgrade for card in deck)]
    for player in table.players:
        cards += [*owned_cards(player), *player.discard, *player.resolved]
    return cards


# What has to agree

_ZONES: Final = ("deck", "discard", "hand", "legendary", "resolved", "seen")


def places(player: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a player where known cards lie, with its path and its cards; zones may be missing."""
    for name in _ZONES:
        cards = player.get(name, [])
        yield (name,), known(cards) if isinstance(cards, list) else []
    for place, dog in enumerate(player.get("dogs", [])):
        yield ("dogs", place), [dog["dog"], *dog["attachments"]]
    yield ("stack",), [frame["card"] for frame in player["stack"]]


def zones(state: Mapping[str, Any]) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield every place of a state where known cards lie, with its path and its cards; zones may be missing."""
    for seat, player in enumerate(state["players"]):
        for path, cards in places(player):
            yield ("players", seat, *path), cards
    yield ("destroyed",), state["destroyed"]
    yield ("supply",), state["supply"]
    for place, deck in enumerate(state.get("upgrade", ())):
        yield ("upgrade", place), deck


def census_of(state: Mapping[str, Any]) -> Counter[str]:
    """Return how many of each card lie in the zones of a state."""
    return Counter(card for _, cards in zones(state) for card in cards)


class StateCheck:
    """Looks for every invariant that a complete state breaks; a puzzle may leave cards out, never add any."""

    def __init__(self, content: Content, state: Mapping[str, Any], setting: Setting, faults: Faults) -> None:
        self.content, self.options, self.cards = content, content.options, content.cards
        self.state, self.seats, self.sources, self.add = state, setting.players, setting.chance.open, faults.add
        self.players: list[dict[str, Any]] = state["players"]
        self.board = content.boards[str(content.options["board_layout"])]
        self.ops = {effect.op for card in content.cards.values() for effect in card.instant}

    def run(self) -> None:
        """Note all faults."""
        self.table()
        self.legs()
        self.decks()
        self.box()
        self.spaces()
        self.end()
        for seat, player in enumerate(self.players):
            self.player(player, ("players", seat))
            self.dogs(player, ("players", seat, "dogs"))
            self.stack(player, ("players", seat))

    def table(self) -> None:
        """Check the shared fields."""
        if self.state["weather"] not in (NO_LEG, *self.content.weather):
            self.add(("weather",), "this ruleset has no weather die; weather must be 'none'")
        if self.state["freeze"] and "freeze" not in self.ops:
            self.add(("freeze",), "no card of this ruleset stops everybody")
        if self.state["supply"] and self.content.rules.take_from != "supply":
            self.add(("supply",), "this ruleset has no supply; upgrades come from the deck")
        for name in self.state["supply"]:
            if self.content.decks[self.cards[name].deck].role != "upgrade":
                self.add(("supply",), f"'{name}' is no card of an upgrade deck")

    def legs(self) -> None:
        """Check that each section of the board holds a leg that fits (R6)."""
        legs, sections = self.state["legs"], self.board.sections
        if len(legs) != len(sections):
            self.add(("legs",), f"must name {len(sections)} legs, one for each section of the board, not {len(legs)}")
            return
        for place, (leg, section) in enumerate(zip(legs, sections, strict=True)):
            kind = leg_type(section.leg)
            if kind is None and leg != section.leg:
                self.add(("legs", place), f"this section of the board is '{section.leg}', not '{leg}'")
            elif kind is not None and (leg not in self.content.legs or self.content.legs[leg].type != kind):
                self.add(("legs", place), f"'{leg}' is no leg of type {kind}, which lies in this section")

    def decks(self) -> None:
        """Check that there is one counter for each owner of a source, and that upgrade decks hold their own cards."""
        types = {leg.type for leg in self.content.legs.values() if leg.type is not None}
        names, upgrade = self.content.upgrade_decks(), self.state["upgrade"]
        for name, length in {"deck": self.seats, "legs": len(types), "upgrade": len(names)}.items():
            if (given := len(self.state["counters"][name])) != length:
                self.add(("counters", name), f"must have {length} numbers, not {given}")
        if len(upgrade) != len(names):
            self.add(("upgrade",), f"must have {len(names)} lists, one for each upgrade deck, not {len(upgrade)}")
            return
        for place, (name, deck) in enumerate(zip(names, upgrade, strict=True)):
            for spot, card in enumerate(deck):
                if self.cards[card].deck != name:
                    self.add(("upgrade", place, spot), f"'{card}' is no card of the deck '{name}'")

    def box(self) -> None:
        """Check that no card lies on the table more often than in the box (R3).

        Positions in circulation have damage cards too many, balanced by a count below zero, so that the total of R3
        holds. They play on as if none were left.
        """
        left, unlimited = self.state["damage_left"], self.options["damage_supply"] == "unlimited"
        players = "1 player" if self.seats == 1 else f"{self.seats} players"
        census, seen = census_of(self.state), Counter[str]()
        for path, cards in zones(self.state):
            for name in cards:
                seen[name] += 1
                most = self.copies(name)
                if seen[name] == most + 1 and not (self.cards[name].type == "damage" and (unlimited or left < 0)):
                    times = counted(census[name], "time")
                    self.add(path, f"'{name}' lies on the table {times}, but the box has {most} for {players}")
        damage = sum(number for name, number in census.items() if self.cards[name].type == "damage")
        total = sum(deck.cards for deck in self.content.decks.values() if deck.role == "damage")
        if not unlimited and damage <= total < damage + left:
            self.add(("damage_left",), f"{left} left and {damage} on the table, but the box has {total} damage cards")
        elif left < 0 and left + damage != total:
            self.add(("damage_left",), f"must be at least 0, not {left}")

    def copies(self, name: str) -> int:
        """Return how often a card is in the game with this number of players (R4, R10)."""
        card = self.cards[name]
        if self.seats == 1 and card.type in self.content.rules.solitaire_removed_types:
            return 0
        return card.copies * (self.seats if self.content.decks[card.deck].role == "starter" else 1)

    def spaces(self) -> None:
        """Check that no two players share a space, but before the line and where one may be stuck (R45, Q15)."""
        if self.options["blocked_moves"] == "all_moves":
            return
        taken: dict[int, int] = {}
        for seat, player in enumerate(self.players):
            other = taken.setdefault(player["pos"], seat)
            if player["pos"] > 0 and other != seat:
                self.add(("players", seat, "pos"), f"player {other} already stands on space {player['pos']}")

    def end(self) -> None:
        """Check who is to move, who has finished, and whether the game is over (R68, R69)."""
        final, over, active = (self.state[name] for name in ("final", "over", "active"))
        finish, seats = int(self.options["finish_at"]), self.seats
        finished = [seat for seat, player in enumerate(self.players) if player["finished"]]
        for seat, player in enumerate(self.players):
            if player["pos"] >= finish and not player["finished"]:
                self.add(("players", seat, "finished"), f"must be true at or past the finish, {finish}")
        if active >= seats:
            self.add(("active",), f"must be a seat from 0 to {seats - 1}, not {active}")
        elif not over and active in finished:
            self.add(("active",), f"player {active} has finished and has no more turns")
        at_once = self.options["last_turns"] == "none"
        if at_once or not finished:
            exactly, none = "the game is over exactly when a player has finished", "nobody has finished"
            if over != bool(finished):
                self.add(("over",), exactly if at_once else none)
            if final is not None:
                self.add(("final",), f"must be left out{': there are no last turns' if at_once else f' while {none}'}")
            return
        if final is None:
            self.add(("final",), f"must name the seats still owed a last turn, since player {finished[0]} has finished")
            return
        for seat in final:
            if seat >= seats or seat in finished:
                self.add(("final",), f"{seat} is no seat of a player who has not finished")
        if over != (not final):
            self.add(("over",), "the game is over exactly when nobody is owed a last turn")
        elif not over and active < seats and active not in final and active not in finished:
            self.add(("active",), f"player {active} has had the last turn")

    def player(self, player: Mapping[str, Any], path: KeyPath) -> None:
        """Check a player's counters, marks and zones."""
        most, dealt = self.most_of_condition(), self.content.rules.legendary_dealt
        for kind in CONDITIONS if most is not None else ():
            if player[kind] > most:
                self.add((*path, kind), f"is at most {most} here, not {player[kind]}")
        unknown = player["hand"].count(UNKNOWN)
        in_deck = len(player["deck"]) - unknown
        if (unknown or player.get("unseen")) and self.sources & {"deck", "opponents"}:
            self.add((*path, "hand"), "names every card: where 'deck' or 'opponents' is open all hands are known")
        elif in_deck < 0:
            self.add((*path, "hand"), f"has {unknown} '?', but only {len(player['deck'])} cards are not in sight")
        elif "deck" in self.sources and player["known"]:
            self.add((*path, "known"), "must be 0: the whole deck is open")
        elif player["known"] > in_deck:
            self.add((*path, "known"), f"only {in_deck} cards are in the deck, not {player['known']}")
        for space in player["passed"]:
            if space not in self.board.checkpoints:
                spaces = ", ".join(map(str, sorted(self.board.checkpoints))) or "none"
                self.add((*path, "passed"), f"{space} is no checkpoint; checkpoints: {spaces}")
        for name in player["foods"]:
            if self.cards[name].type != "food":
                self.add((*path, "foods"), f"'{name}' is no food card")
        if (given := len(player["legendary"])) > dealt:
            self.add((*path, "legendary"), f"each player is dealt {dealt} legendary cards, not {given}")
        for name in player["legendary"]:
            if self.content.decks[self.cards[name].deck].role != "legendary":
                self.add((*path, "legendary"), f"'{name}' is no legendary card")
        if player["immune"] and "immune" not in self.ops:
            self.add((*path, "immune"), "no card of this ruleset makes a player immune")
        for cost in ("free_energy", "free_health"):
            if player[cost] != "no" and "free_cost" not in self.ops:
                self.add((*path, cost), "no card of this ruleset makes costs free")

    def most_of_condition(self) -> int | None:
        """Return the highest value of a condition between turns, if there is one (R48, R49, Q69)."""
        if self.options["conditions_model"] == "binary":
            return 1
        # A deadly counter may stay as it is.
        death = None if self.options["death_missing_number"] == "leave" else self.content.rules.death_at
        printed = [number for leg in self.content.legs.values() for number in leg.numbers.values()]
        limits = (self.content.rules.condition_cap, max([death - 1, *printed]) if death else None)
        return min((limit for limit in limits if limit is not None), default=None)

    def dogs(self, player: Mapping[str, Any], path: KeyPath) -> None:
        """Check the types and numbers of dogs and attachments (R50, R54)."""
        counted = 0
        for entry in player["dogs"]:
            card = self.cards[entry["dog"]]
            if card.type != "dog":
                self.add(path, f"'{card.id}' is a {card.type} card, not a dog")
                continue
            counted += card.number("counts_as", 1)
            slots, worn = card.number("attach_slots", 1), entry["attachments"]
            if len(worn) > slots:
                self.add(path, f"'{card.id}' holds at most {slots} attachments, not {len(worn)}")
            for name in worn:
                if self.cards[name].type != "attachment":
                    self.add(path, f"'{name}' is no attachment, and '{card.id}' cannot wear it")
        if counted > self.content.rules.dog_limit:
            self.add(path, f"count as {counted} dogs, but the limit is {self.content.rules.dog_limit}")

    def stack(self, player: Mapping[str, Any], path: KeyPath) -> None:
        """Check that the frames can wait between two turns (R28), and what lies beside them."""
        frames = player["stack"]
        waits = bool(frames) and frames[-1]["step"] == "second"
        for place, frame in enumerate(frames):
            at, card = (*path, "stack", place), self.cards[frame["card"]]
            if frame["step"] == "second":
                if place < len(frames) - 1 and self.options["second_step_in_risk"] == "parent_waits":
                    self.add(at, "a frame that waits for its second step lies on top")
                if not any(effect.op in ("destroy_next", "take_next") for effect in card.instant):
                    self.add((*at, "step"), f"'{card.id}' has no second step")
            elif self.state["over"]:
                pass  # R68 ends the game in the middle of whatever happens
            elif frame["paid"] >= frame["need"]:
                self.add(at, f"needs {frame['need']} risk cards and has {frame['paid']}: it would have resolved")
            elif card.risk == 0:
                self.add((*at, "card"), f"'{card.id}' has no risk cost and cannot wait for one")
            if frame["day"] > self.state["day"]:
                self.add((*at, "day"), f"the day is {self.state['day']}; the card cannot have been played later")
            if frame["n"] and frame["step"] == "risk":
                self.add((*at, "n"), "must be 0 for a frame that waits for a risk card")
        if player["resolved"] and self.options["resolved_risk_zone"] == "discard_at_once":
            self.add((*path, "resolved"), "resolved cards lie in the discard pile here")
        elif player["resolved"] and not frames:
            self.add((*path, "resolved"), "must be empty: no card is waiting for its risk")
        if player["seen"] and not waits:
            self.add((*path, "seen"), "must be empty: no card is waiting for its second step")
