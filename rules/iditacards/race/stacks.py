"""Risk stacks by number, for packed races; with the sums that their tables are indexed by."""

from __future__ import annotations

from collections.abc import Sequence


def starts(lengths: Sequence[int]) -> list[int]:
    """Return the sums of the first lengths, from none to all."""
    starts = [0]
    for length in lengths:
        starts.append(starts[-1] + length)
    return starts


class Stacks:
    """Every risk stack of a race by number (R28); number 0 is the empty one."""

    def __init__(self, copies: Sequence[int], needs: Sequence[frozenset[int]], deepest: int | None = None) -> None:
        """``deepest`` leaves higher stacks out; -1 stands for them in ``push``."""
        self.most_risk = max(1, *(max(each, default=0) for each in needs))
        self.frames: list[tuple[tuple[int, int], ...]] = []
        self.numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self.top: list[int] = []
        self.left: list[int] = []
        self.rest: list[int] = []
        self.less: list[int] = []
        kinds = len(copies)
        risky = [(kind, each) for kind, each in enumerate(needs) if each]
        self._number(())
        pushes: list[list[int]] = []
        for stack in self.frames:  # grows meanwhile
            row = [0] * (kinds * self.most_risk)
            loose = list(copies)
            for kind, _ in stack:
                loose[kind] -= 1
            for kind, each in risky:
                if loose[kind] > 0:
                    for need in each:
                        higher = -1 if len(stack) == deepest else self._number((*stack, (kind, need)))
                        row[kind * self.most_risk + need - 1] = higher
            pushes.append(row)
            kind, left = stack[-1] if stack else (0, 0)
            self.top.append(kind)
            self.left.append(left)
            self.rest.append(self._number(stack[:-1]))
            self.less.append(self._number((*stack[:-1], (kind, left - 1))) if left > 1 else 0)
        self.push = [number for row in pushes for number in row]

    def _number(self, stack: tuple[tuple[int, int], ...]) -> int:
        number = self.numbers.get(stack)
        if number is None:
            number = self.numbers[stack] = len(self.frames)
            self.frames.append(stack)
        return number
