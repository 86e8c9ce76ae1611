"""Proved bounds of an open duel, for the compact form: what a side is sure of, and what it can have at most.

Sure of: a side may leave its soldiers at home and walk everybody else straight home, one space a half-turn, carrying
what they hold, or what lies on top where they stand if they move first. That is always legal under the rulings of the
compact form, and nothing the enemy does can hinder it but shells. In one barrage of ``k`` shells a soldier in a cell
of chance ``p`` is hit with at most ``k p``, and ``k`` is at most half of all who can then stand on the field, so that
adding up the barrages on the way bounds the chance to be lost. A card that would go back to the enemy is dropped
instead, and counts as fetched by the enemy.

At most: against that way of playing the other side has its score, all its soldiers on the field, and every wounded
card that there is time to fetch: a card at home distance ``h`` needs somebody there, and ``h`` spaces back, and a
group of ``c`` moves up to ``c`` spaces. An own soldier that is hit and fetched back is worth no more than one that
was not hit. An enemy that is hit is one more card to fetch, and so is what it carries: their number is at most the
same sum of chances.

Values are in parts of the number of equally likely cells of a shell, so that they are whole.
"""

from __future__ import annotations

from typing import Any, Final

from rules.core.contest import Interval
from rules.trench_rescue.duel_field import ACTS, DONE, DRAWS, LAST, NOTHING, SHELLED, DuelField

CROWD: Final = 99
"""More soldiers than can ever stand together, so that distance does not matter."""


class DuelBounds:
    """Interval of the keys of one compact form."""

    def __init__(self, form: DuelField) -> None:
        self._form = form
        self._unit = form.grain // form.cases
        self._rescues = _most_rescues(form.limit + 1)

    def of(self, key: tuple[Any, ...]) -> Interval:
        """Return proved bounds of a key's value."""
        stage, _, _, score = key[:4]
        if stage == DONE:
            return Interval(score, score)
        low, high = self._of_last(key) if stage == LAST else self._of_others(key)
        return Interval(low * self._unit, high * self._unit)

    def _of_others(self, key: tuple[Any, ...]) -> tuple[int, int]:
        """Return the bounds before that, in parts of the number of equally likely cells."""
        _, _, _, score, men = key[:5]
        grain = self._form.cases
        colours = self._form.colour
        out = [0, 0]
        for man in men:
            out[colours[man[0]]] += 1
        sure, fetched = [0, 0], [0, 0]
        for colour in (0, 1):
            sure[colour], lost, taken = self._sure(key, colour, out)
            most = self._fetched(key, 1 - colour, out, taken)
            if not self._form.left(key, 1 - colour):
                lost = 0
            fetched[1 - colour] = grain * (out[1 - colour] + most) + lost
        return grain * score + sure[0] - fetched[1], grain * score + fetched[0] - sure[1]

    def _of_last(self, key: tuple[Any, ...]) -> tuple[int, int]:
        """Return the bounds before the last half-turn with rescues; what each group can do is known."""
        form, grain = self._form, self._form.cases
        _, _, mover, score, men, choices, trenches = key[:7]
        standing = form.shells(len(men))
        # Whoever moves last has this barrage to stand, and one more if shells fall before the next half-turn.
        mine = sum(
            max(
                grain * (won + len(cells)) - sum(self._risk(mover, cell, standing, form.after_each) for cell in cells)
                for cells, won in group
            )
            for group in choices
        )
        most = grain * sum(max(won + len(cells) for cells, won in group) for group in choices)
        other = 1 - mover
        crowd = form.shells(len(men) + len(trenches[mover]))
        theirs = [cell for card, _, cell in men if form.colour[card] == other]
        sure = sum(grain - self._risk(other, cell, crowd, False) for cell in theirs)
        least, greatest = mine - grain * len(theirs), most - sure
        if mover:
            least, greatest = -greatest, -least
        return grain * score + least, grain * score + greatest

    def _risk(self, colour: int, cell: int, shells: int, again: bool) -> int:
        """Return at most how likely a soldier is lost that stands one barrage, or two, and then walks straight home."""
        form = self._form
        down = -form.size if form.near == colour else form.size
        risk = shells * form.ways[cell] * (1 + again)
        for step in range(1, form.home[colour][cell]):
            risk += shells * form.ways[cell + step * down] * (1 + form.after_each)
        return min(risk, form.cases)

    def _sure(self, key: tuple[Any, ...], colour: int, out: list[int]) -> tuple[int, int, int]:
        """Return what a side's soldiers on the field are sure to bring home, themselves included.

        Also the cards that shells may leave lying on the way, and the cell whose top card is taken along, or -1.
        """
        form, grain = self._form, self._form.cases
        stage, _, mover, _, men, piles, trenches, _, moved, fresh, shells = key
        other = 1 - colour
        left = form.left(key, colour)
        crowd = out[0] + out[1]
        if form.left(key, other):
            wounded = sum(form.colour[card] == other for pile in piles for card in pile)
            wounded += sum(load != NOTHING and form.colour[load] == other for _, load, _ in men)
            crowd += len(trenches[other]) + wounded + (stage == DRAWS)
        k = form.shells(crowd)
        waits = form.waits(stage, mover, colour)
        acting = mover == colour and stage in (ACTS, DRAWS)
        home, ways, each = form.home[colour], form.ways, 2 if form.after_each else 1
        down = -form.size if form.near == colour else form.size
        shelled = stage == SHELLED
        sure = lost = 0
        cell_taken = -1
        for card, load, cell in men:
            if form.colour[card] != colour:
                continue
            late = acting and (card < 0 or card in moved)
            risk = (waits + each * late) * k * ways[cell]
            if shelled:
                risk += shells * ways[cell]
            place = cell + down
            for _ in range(home[cell] - 1):
                risk += each * k * ways[place]
                place += down
            risk = min(risk, grain)
            worth = 1
            if home[cell] + late <= left:
                if load == NOTHING and acting and not late and cell != cell_taken and cell_taken < 0:
                    pile = piles[cell]
                    if pile and (cell, len(pile) - 1) not in fresh and self._gains(card, pile[-1], colour):
                        worth, cell_taken = 2, cell
                elif load != NOTHING:
                    if self._gains(card, load, colour):
                        worth = 2
                    else:
                        lost += grain
            sure += worth * (grain - risk)
            lost += risk * (1 if load == NOTHING and cell_taken != cell else 2)
        return sure, lost, cell_taken

    def _gains(self, card: int, load: int, colour: int) -> bool:
        """Return whether a soldier gains by bringing a card home rather than dropping it."""
        return self._form.colour[load] == colour or self._form.value[load] <= self._form.value[card]

    def _fetched(self, key: tuple[Any, ...], colour: int, out: list[int], taken: int) -> int:
        """Return how many of the cards that now lie on the field a side can bring home at most.

        The enemy takes the top card of the cell ``taken`` along.
        """
        form, rescues = self._form, self._rescues
        left = form.left(key, colour)
        if not left:
            return 0
        stage, _, mover, _, men, piles, trenches, _, moved = key[:9]
        acting = colour == mover and stage in (ACTS, DRAWS)
        home, steps = form.home[colour], form.steps
        at_home = len(trenches[colour]) + (stage == DRAWS and acting)
        crowd = out[colour] + at_home if left <= 3 else CROWD
        far = (left - 1) * crowd
        own = [man for man in men if form.colour[man[0]] == colour]
        ready: dict[int, int] = {}
        for card, _, cell in own:
            if not (acting and (card < 0 or card in moved)):
                ready[cell] = ready.get(cell, 0) + 1
        hands = rescues[left] * at_home if left > 1 else 0
        cards = 0
        for card, load, cell in own:
            here = 0 if acting and (card < 0 or card in moved) else ready[cell]
            if left == 1 and (not here or home[cell] > here or (load == NOTHING and not piles[cell])):
                continue
            needs = 1 if home[cell] <= here else 2
            if needs <= left:
                hands += 1 + 2 * rescues[left - needs]
            if load != NOTHING and home[cell] <= here + far:
                cards += 1
        if not hands:
            return 0
        for cell, pile in enumerate(piles):
            count = len(pile) - (cell == taken)
            if count <= 0:
                continue
            near = home[cell] <= ready.get(cell, 0) + far if cell in ready else False
            if not near and left > 1 and home[cell] <= far:
                near = at_home > 0 and home[cell] - 1 <= far - crowd
                near = near or any(steps[man[2]][cell] <= ready.get(man[2], 0) + far - crowd for man in own)
            if near:
                cards += count
        return min(hands, cards)


def _most_rescues(turns: int) -> tuple[int, ...]:
    """Return by half-turns left how many cards a rescuer at home, and all whom it brings home, can rescue at most."""
    most = [0, 0]
    for _ in range(2, turns + 2):
        most.append(1 + 2 * most[-2])
    return tuple(most)
