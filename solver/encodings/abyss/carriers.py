"""How far a household can come in some rounds against two Events, where everybody has to carry home what they dug.

The bound is a search of its own, of one side only: an adversary who turns up one Event whenever a team is in the Abyss
and another whenever none is, and knows no others, is weaker than one who chooses. It holds where a member's treasure is
lost with that member (AB-Q38), the first Event takes more HP than some partners have, the second leaves cards used in
the City without effect, and there is one card and one team a round. Against those two

- a round at home changes nothing but what is hired, and hiring can wait for the next trip at the same price, so rounds
  at home are left out;
- a partner who does not survive one trip at full HP never brings anything home, and costs a price and a penalty: nobody
  of that kind is hired, and in return a trip needs no members. What else such a partner could do is nothing: everybody
  hired goes along, and no card asks for more than one member.

Everything else of a trip is what ``Rounds`` makes of it. What is out of reach here is out of reach in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from rules.abyss.content import Card
from rules.abyss.state import ABYSS, CITY
from solver.encodings.abyss.crews import Crew, Rounds, Uses
from solver.encodings.abyss.worst import Worst


class Carriers:
    """Trips under one ruleset for one identity against one pair of Events; ``coarse`` is a quicker bound."""

    def __init__(
        self, rounds: Rounds, cards: Sequence[Card], worst: Worst, coarse: Callable[[int, int, Crew, int], bool]
    ) -> None:
        traits, full = rounds.traits, rounds.rulings.full_hp
        self._rounds = rounds
        self._coarse = coarse
        self._event = worst.abroad
        self._uses = [Uses("", ABYSS), *(Uses(card.id, ABYSS) for card in cards if card.location != CITY)]
        loss = worst.loss(traits)
        self._lasting = frozenset(kind for kind in full if full[kind] > loss)
        alone = not traits.two_cards and traits.temp_price is None
        self.applies = rounds.rulings.own_carrier and loss > 0 and worst.idle and alone
        self._lost: dict[tuple[Hashable, int], list[tuple[int, int]]] = {}
        """Purses from which the goal is out of reach, by crew and rounds left."""

    def kept(self, ap: int, rp: int, crew: Crew, left: int) -> bool:
        """Return false only where no goal can be met in ``left`` rounds, every card wanted being at hand in each."""
        if not self.applies or self._rounds.wins(ap, rp):
            return True
        crew = crew._replace(lit=False)  # What a light keeps off never happens in the Abyss.
        key = (crew, left)
        known = self._lost.setdefault(key, [])
        if any(more_ap >= ap and more_rp >= rp for more_ap, more_rp in known):
            return False
        if self._coarse(ap, rp, crew, left) and self._reached(ap, rp, crew, left):
            return True
        known[:] = [*(one for one in known if one[0] > ap or one[1] > rp), (ap, rp)]
        return False

    def _reached(self, ap: int, rp: int, crew: Crew, left: int) -> bool:
        if left <= 0:
            return False
        rounds = self._rounds
        for team, _, paid in rounds.hires(ap, crew.team, self._lasting):
            going = crew._replace(team=team)
            for uses in self._uses:
                result = rounds.play(going, 0, uses, self._event)
                money = ap - paid
                if any(rounds.wins(money + more_ap, rp + more_rp) for more_ap, more_rp in result.highs):
                    return True
                if left > 1 and self.kept(money + result.ap, rp + result.rp, result.crew, left - 1):
                    return True
        return False
