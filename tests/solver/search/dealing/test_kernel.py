"""The functions that are compiled together share one namespace."""

from __future__ import annotations

from collections import Counter
from types import FunctionType

from solver.search.dealing import loop


def test_no_two_functions_have_one_name() -> None:
    names = Counter(
        name
        for part in (*loop._PARTS, loop)
        for name, each in vars(part).items()
        if isinstance(each, FunctionType) and each.__module__ == part.__name__
    )
    assert len(names) > 100
    assert [name for name, times in names.items() if times > 1] == []
