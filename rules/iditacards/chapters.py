"""A ruleset of the game in sentences for players: numbers, board, legs, weather, cards, options and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.errors import capitalised, counted, joined
from rules.core.tools.rulebook import Chapter, ChapterEntry, Rulebook
from rules.iditacards.content import CONDITIONS, MARKED, NO_LEG

_COSTS: Final = ("energy", "health", "risk")
_ROLES: Final = {
    "starter": "Starter deck, one for each player",
    "upgrade": "Upgrade deck",
    "legendary": "Legendary cards",
    "damage": "Damage cards",
}


class Chapters(Rulebook):
    """A ruleset of the game in words."""

    def chapters(self) -> Iterator[Chapter]:
        """Yield everything there is to say about a ruleset, in the order in which a player asks for it."""
        yield self.opening(f"Finished is who reaches space {self.raw['options']['finish_at']}.")
        yield Chapter("numbers", "Numbers", " ".join(self._numbers()))
        yield self._board()
        yield from self._legs()
        yield self._weather()
        for name, deck in self.raw["decks"].items():
            cards = [card for card, facts in self.raw["cards"].items() if facts["deck"] == name]
            title = f"{_ROLES[deck['role']]}: {name}, {counted(deck['cards'], 'card')}"
            yield Chapter(name, title, "", tuple(self.card_entry(card) for card in cards))
        yield self.options_chapter()
        yield from self.rules_chapter()

    def _numbers(self) -> Iterator[str]:
        """Yield a sentence for each number that says something about play."""
        rules = self.raw["rules"]
        silent = {name for name, value in rules.items() if value in (0, []) and value is not False}
        silent |= {"legendary_to"} if "legendary_dealt" in silent else set()
        shown = [name for name in self.told["numbers"] if name in rules and name not in silent]
        return filter(None, (self.number_words(name, rules[name]) for name in shown))

    def _board(self) -> Chapter:
        name = str(self.raw["options"]["board_layout"])
        board, legs = self.raw["boards"][name], {NO_LEG: "no leg", **self.ruleset.names["legs"]}
        for kind, leg in enumerate(board.get("default_legs", ()), 1):
            legs[f"type{kind}"] = f"a leg of type {kind}, by default {legs[leg]}"
        ranges = [(part["from"], part["to"], legs[part["leg"]]) for part in board["sections"]]
        entries = tuple(
            ChapterEntry(f"{first}-{last}", f"{first} to {last}", leg, ("boards", name, "sections", place))
            for place, (first, last, leg) in enumerate(ranges)
        )
        words = {key: key if key == "checkpoints" else f"{key} spaces" for key in MARKED if board.get(key)}
        marks = [f"{capitalised(what)}: {joined(list(map(str, board[key])))}." for key, what in words.items()]
        others = [other for other in self.raw["boards"] if other != name]
        marks += [f"Other boards: {joined(others)} (option board_layout)."] if others else []
        return Chapter("board", f"Board: {name}, {counted(board['spaces'], 'space')}", " ".join(marks), entries)

    def _legs(self) -> Iterator[Chapter]:
        """Yield the legs that can lie on the board in use."""
        board = self.raw["boards"][str(self.raw["options"]["board_layout"])]
        lie = {section["leg"] for section in board["sections"]}
        used = [name for name, leg in self.raw["legs"].items() if lie & {name, f"type{leg.get('type')}"}]
        if used:
            yield Chapter("legs", "Legs", "", tuple(map(self.leg_entry, used)))

    def _weather(self) -> Chapter:
        told, faces, entries = self.told["weather"], self.raw["rules"]["weather"], []
        for face in faces:
            facts = self.raw.get("weather", {}).get(face, {})
            words = [told[key].format(n=value) for key, value in facts.items() if value]
            entries.append(ChapterEntry(face, face, _sentence(words) or "Nothing.", ("weather", face)))
        text = "A die with six faces, rolled on each new day." if faces else "There is no weather."
        return Chapter("weather", "Weather", text, tuple(entries))

    def leg_entry(self, name: str) -> ChapterEntry:
        """Return a leg in words."""
        leg = self.raw["legs"][name]
        numbers = ", ".join(f"{kind} {leg[kind]}" for kind in CONDITIONS if kind in leg)
        solo = ", ".join(f"{kind} {leg[f'{kind}_solo']}" for kind in CONDITIONS if f"{kind}_solo" in leg)
        text = f"{_sentence([numbers] if numbers else [])} {self.entry_text(('legs', name))}".strip()
        more = (("id", name), ("alone", solo), ("type", str(leg.get("type", ""))), *self.entry_facts(leg))
        return ChapterEntry(name, self.ruleset.names["legs"][name], text, ("legs", name), leg.get("copies", 1), more)

    def card_entry(self, name: str) -> ChapterEntry:
        """Return a card in words: its type, what it costs, what it does."""
        card = self.raw["cards"][name]
        costs = ", ".join(f"{cost} {card[cost]}" for cost in _COSTS if card[cost]) or "free"
        text = f"{capitalised(card['type'])}, {costs}. {self.entry_text(('cards', name))}".strip()
        facts = (
            ("id", name),
            ("deck", card["deck"]),
            ("copies", str(card["copies"])),
            ("tags", ", ".join(card.get("tags", ()))),
        )
        more = (*facts, *self.entry_facts(card))
        return ChapterEntry(name, self.ruleset.names["cards"][name], text, ("cards", name), card["copies"], more)


def _sentence(parts: list[str]) -> str:
    return f"{capitalised('; '.join(parts))}." if parts else ""
