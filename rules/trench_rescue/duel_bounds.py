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
from rules.trench_rescue.duel_field import ACTS, DONE, DRAWS, LAST, NOTHING, SHELLED, DuelField, Pair

CROWD: Final = 99
"""More soldiers than can ever stand together, so that distance does not matter."""


class DuelBounds:
    """Interval of the keys of one compact form."""

    def __init__(self, form: DuelField) -> None:
        self._form = form
        self._unit = form.grain // form.cases
        self._surely: dict[tuple[Any, ...], tuple[int, int, int]] = {}
        self._mostly: dict[tuple[Any, ...], int] = {}
        self._fall: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self._rescues = most_rescues(form.limit + 1)

    def of(self, key: tuple[Any, ...]) -> Interval:
        """Return proved bounds of a key's value."""
        stage, _, _, score = key[:4]
        if stage == DONE:
            return Interval(score, score)
        low, high = self._of_last(key) if stage == LAST else self._of_others(key)
        return Interval(low * self._unit, high * self._unit)

    def _of_others(self, key: tuple[Any, ...]) -> tuple[int, int]:
        """Return the bounds before that, in parts of the number of equally likely cells."""
        stage, turn, mover, score, men, piles, trenches, _, moved, fresh, shells = key
        form, grain, colours = self._form, self._form.cases, self._form.colour
        black = tuple(man for man in men if not colours[man[0]])
        out = (black, tuple(man for man in men if colours[man[0]]))
        cells = (tuple([man[2] for man in out[0]]), tuple([man[2] for man in out[1]]))
        wounded = [0, 0]
        for pile in piles:
            for card in pile:
                wounded[colours[card]] += 1
        for _, load, _ in men:
            if load != NOTHING:
                wounded[colours[load]] += 1
        sure, fetched = [0, 0], [0, 0]
        for colour in (0, 1):
            other = 1 - colour
            left = form.left(key, other)
            draws = stage == DRAWS
            crowd = (len(trenches[other]) + (draws and mover == other), wounded[other])
            fall = (stage, mover, colour, cells, left, crowd)
            barrages = self._fall.get(fall)
            if barrages is None:
                barrages = self._fall[fall] = self._barrages(stage, mover, colour, cells, left, crowd)
            acting = draws or stage == ACTS
            lies = (piles, moved, fresh) if acting and mover == colour else ()
            walk = (stage, turn, mover, colour, out[colour], barrages, shells, lies)
            known = self._surely.get(walk)
            if known is None:
                known = self._surely[walk] = self._sure(key, colour, out[colour], barrages)
            sure[colour], lost, taken = known
            asked = (stage, turn, mover, other, out[other], len(trenches[other]), piles, taken, moved)
            most = self._mostly.get(asked)
            if most is None:
                most = self._mostly[asked] = self._fetched(key, other, out[other], taken)
            fetched[other] = grain * (len(out[other]) + most) + (lost if left else 0)
        return grain * score + sure[0] - fetched[1], grain * score + fetched[0] - sure[1]

    def _barrages(
        self, stage: int, mover: int, colour: int, cells: Pair, left: int, crowd: tuple[int, int]
    ) -> tuple[int, ...]:
        """Return at most how many shells fall in each barrage to come, one under way left out.

        For a side that walks straight home and sends nobody out. The enemy has ``left`` half-turns with rescues, and
        ``crowd``: soldiers at home, and wounded ones who can be rescued. Who is at home can stand on the field after
        one half-turn of the enemy, who is rescued not before the second; without rescues everybody comes nearer home.
        """
        form, other = self._form, 1 - colour
        waits = form.waits(stage, mover, colour)
        each = 2 if form.after_each else 1
        own_home, home = form.home[colour], form.home[other]
        away = [own_home[cell] for cell in cells[colour]]
        enemies = [home[cell] for cell in cells[other]]
        acts_next = (mover == other) == (stage != SHELLED) if form.after_each else None
        acted = 0 if stage != SHELLED and mover == colour and mover != form.starter else 1
        found = []
        for place in range(waits + form.size * each):
            gone = 0 if place < waits else 1 + (place - waits) // each
            own = sum(distance + 1 > gone for distance in away)
            if acts_next is not None:
                acted = 1 + place // 2 if acts_next else (place + 1) // 2
            if left:
                there = len(enemies) + (crowd[0] if acted else 0) + (crowd[1] if acted > 1 and left > 1 else 0)
            else:
                there = sum(distance > acted for distance in enemies)
            found.append(form.shells(own + there))
            if acts_next is None:
                acted += 1
        return tuple(found)

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

    def _sure(self, key: tuple[Any, ...], colour: int, own: Any, barrages: tuple[int, ...]) -> tuple[int, int, int]:
        """Return what a side's soldiers on the field are sure to bring home, themselves included.

        Also the cards that shells may leave lying on the way, and the cell whose top card is taken along, or -1.
        """
        form, grain = self._form, self._form.cases
        stage, _, mover, _, _, piles, _, _, moved, fresh, shells = key
        left = form.left(key, colour)
        waits = form.waits(stage, mover, colour)
        acting = mover == colour and stage in (ACTS, DRAWS)
        home, ways, each = form.home[colour], form.ways, 2 if form.after_each else 1
        down = -form.size if form.near == colour else form.size
        sure = lost = 0
        cell_taken = -1
        for card, load, cell in own:
            late = acting and (card < 0 or card in moved)
            stays = waits + each * late
            risk = ways[cell] * (sum(barrages[:stays]) + (shells if stage == SHELLED else 0))
            for step in range(home[cell] - 1):
                begins = stays + step * each
                risk += ways[cell + (step + 1) * down] * sum(barrages[begins : begins + each])
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

    def _fetched(self, key: tuple[Any, ...], colour: int, own: Any, taken: int) -> int:
        """Return how many of the cards that now lie on the field a side can bring home at most.

        The enemy takes the top card of the cell ``taken`` along.
        """
        form, rescues = self._form, self._rescues
        left = form.left(key, colour)
        if not left:
            return 0
        stage, _, mover, _, _, piles, trenches, _, moved = key[:9]
        acting = colour == mover and stage in (ACTS, DRAWS)
        home, steps = form.home[colour], form.steps
        at_home = len(trenches[colour]) + (stage == DRAWS and acting)
        crowd = len(own) + at_home if left <= 3 else CROWD
        far = (left - 1) * crowd
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


def most_rescues(turns: int) -> tuple[int, ...]:
    """Return by half-turns left how many cards a rescuer at home, and all whom it brings home, can rescue at most."""
    most = [0, 0]
    for _ in range(2, turns + 2):
        most.append(1 + 2 * most[-2])
    return tuple(most)
