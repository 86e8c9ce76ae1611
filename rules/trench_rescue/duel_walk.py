"""The walk home of an open duel after its last turn, worked out exactly and remembered (6, 7.3).

In the withdrawal nothing is carried and nobody is rescued: all that counts is where the soldiers of either side stand.
A value is how many of black's come home less how many of red's, in the mean, both sides playing for it.

Where no cell holds two soldiers of one side nobody has a choice: everybody walks straight home, keeps the column, and
two of one side never come together. All that matters of a soldier is then how far home is, how often the cells of its
column are hit, and which enemies it meets: enemies of one column meet as long as their ways home together are longer
than the field. So such positions are sets of *files*: soldiers of one column who may still meet, or one soldier alone.
Which column a file is in does not matter beyond how often its cells are hit, so that many positions are one.
"""

from __future__ import annotations

from typing import TypeAlias

from rules.trench_rescue.duel_field import DuelField, Pair, replaced

Ends: TypeAlias = frozenset[tuple[tuple[int, ...], int]]
"""Where soldiers of one side can be in the end, and how many of them are home then."""
File: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Kind of column, home distances of black's soldiers in it, and of red's."""
Files: TypeAlias = tuple[File, ...]


class WalkHome:
    """Values of the withdrawal of one duel, in whole numbers of the parts that a card counts for."""

    def __init__(self, form: DuelField) -> None:
        self._form = form
        self._values: dict[tuple[int, Pair, int], int] = {}
        self._lone: dict[tuple[int, Files, int], int] = {}
        self._ends: dict[tuple[int, tuple[int, ...]], Ends] = {}
        self._parted: dict[File, Files] = {}
        size = form.size
        laws = list(dict.fromkeys(tuple(form.ways[column::size]) for column in range(size)))
        self._kind = [laws.index(tuple(form.ways[column::size])) for column in range(size)]
        self._ways = [
            [[0, *(law[form.home[colour].index(away) // size] for away in range(1, size + 1))] for colour in (0, 1)]
            for law in laws
        ]

    def half_turn(self, mover: int, cells: Pair, moved: tuple[int, ...] = ()) -> int:
        """Return the value at the beginning of a half-turn, or in it: ``moved`` are cells of own soldiers that moved.

        Those in ``moved`` are not among ``cells``.
        """
        sign = 1 - 2 * mover
        found = []
        for there, home in self._nearer(mover, cells[mover]):
            after = replaced(cells, mover, sorted((*there, *moved)))
            found.append(sign * home * self._form.grain + self.after(mover, after))
        return min(found) if mover else max(found)

    def after(self, mover: int, cells: Pair) -> int:
        """Return the value after a half-turn of ``mover``: of its barrage, if one is due, and all that follows."""
        men = len(cells[0]) + len(cells[1])
        if mover == self._form.starter and not self._form.after_each:
            return self.half_turn(1 - mover, cells) if men else 0
        return self.barrage(mover, cells, self._form.shells(men))

    def barrage(self, mover: int, cells: Pair, shells: int) -> int:
        """Return the value where shells are still to fall after a half-turn of ``mover``."""
        black, red = cells
        if not black and not red:
            return 0
        asked = (mover, cells, shells)
        known = self._values.get(asked)
        if known is None:
            if len(set(black)) == len(black) and len(set(red)) == len(red):
                known = self._shelled_files(mover, self._files(cells), shells)
            elif not shells:
                known = self.half_turn(1 - mover, cells)
            else:
                total, missing = 0, self._form.cases
                for cell in {*black, *red}:
                    rest = (tuple(each for each in black if each != cell), tuple(each for each in red if each != cell))
                    total += self._form.ways[cell] * self.barrage(mover, rest, shells - 1)
                    missing -= self._form.ways[cell]
                known = self._mean(total + missing * self.barrage(mover, cells, shells - 1))
            self._values[asked] = known
        return known

    def _mean(self, total: int) -> int:
        mean, rest = divmod(total, self._form.cases)
        if rest:
            raise ArithmeticError("more shells fall on the walk home than a card has parts for")
        return mean

    # Where nobody has a choice

    def _files(self, cells: Pair) -> Files:
        size, home = self._form.size, self._form.home
        columns: dict[int, tuple[list[int], list[int]]] = {}
        for colour in (0, 1):
            for cell in cells[colour]:
                columns.setdefault(cell % size, ([], []))[colour].append(home[colour][cell])
        found: list[File] = []
        for column, (black, red) in columns.items():
            found.extend(self._apart((self._kind[column], tuple(sorted(black)), tuple(sorted(red)))))
        return tuple(sorted(found))

    def _apart(self, file: File) -> Files:
        """Return the soldiers of a column together where any can still meet, else one by one."""
        known = self._parted.get(file)
        if known is None:
            kind, black, red = file
            if black and red and black[-1] + red[-1] > self._form.size:
                known = (file,)
            else:
                known = (*((kind, (away,), ()) for away in black), *((kind, (), (away,)) for away in red))
            self._parted[file] = known
        return known

    def _walked_files(self, mover: int, files: Files) -> int:
        """Return the value at the beginning of a half-turn."""
        found: list[File] = []
        home = 0
        for kind, black, red in files:
            own = red if mover else black
            nearer = tuple(away - 1 for away in own if away > 1)
            home += len(own) - len(nearer)
            found.extend(self._apart((kind, black, nearer) if mover else (kind, nearer, red)))
        won = (1 - 2 * mover) * home * self._form.grain
        if not found:
            return won
        after = tuple(sorted(found))
        if mover == self._form.starter and not self._form.after_each:
            return won + self._walked_files(1 - mover, after)
        return won + self._shelled_files(mover, after, self._form.shells(_men(after)))

    def _shelled_files(self, mover: int, files: Files, shells: int) -> int:
        """Return the value where shells are still to fall after a half-turn of ``mover``."""
        if not files:
            return 0
        if not shells and not self._form.min_one and _men(files) == 1:
            return -self._form.grain if files[0][2] else self._form.grain  # no shell falls for one soldier
        asked = (mover, files, shells)
        known = self._lone.get(asked)
        if known is not None:
            return known
        if not shells:
            known = self._walked_files(1 - mover, files)
        else:
            total, missing, across = 0, self._form.cases, self._form.size + 1
            for place, (kind, black, red) in enumerate(files):
                others = (*files[:place], *files[place + 1 :])
                for away in {*black, *(across - each for each in red)}:
                    left = tuple(each for each in black if each != away)
                    enemies = tuple(each for each in red if each != across - away)
                    rest = tuple(sorted((*others, *self._apart((kind, left, enemies)))))
                    ways = self._ways[kind][0][away]
                    total += ways * self._shelled_files(mover, rest, shells - 1)
                    missing -= ways
            known = self._mean(total + missing * self._shelled_files(mover, files, shells - 1))
        self._lone[asked] = known
        return known

    # Where soldiers of one cell can go together

    def _nearer(self, mover: int, cells: tuple[int, ...]) -> Ends:
        """Return where soldiers in some cells can all have gone, and how many of them are home then (7.3)."""
        known = self._ends.get((mover, cells))
        if known is None:
            ends: set[tuple[tuple[int, ...], int]] = {((), 0)}
            for cell in dict.fromkeys(cells):
                stacks = self._split(mover, cell, cells.count(cell))
                ends = {(tuple(sorted((*there, *more))), home + come) for there, home in ends for more, come in stacks}
            known = self._ends[mover, cells] = frozenset(ends)
        return known

    def _split(self, mover: int, cell: int, count: int) -> set[tuple[tuple[int, ...], int]]:
        """Return likewise where the soldiers of one cell can go, in stacks of any sizes."""
        if not count:
            return {((), 0)}
        home = self._form.home[mover]
        found: set[tuple[tuple[int, ...], int]] = set()
        for size in range(1, count + 1):
            rest = self._split(mover, cell, count - size)
            places = self._form.places(cell, size)
            ways = [((place,) * size, 0) for place in places if home[place] < home[cell]]
            if home[cell] <= size:
                ways.append(((), size))
            found |= {(tuple(sorted((*one, *other))), a + b) for one, a in ways for other, b in rest}
        return found


def _men(files: Files) -> int:
    return sum(len(black) + len(red) for _, black, red in files)
