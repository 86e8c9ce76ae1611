"""Functions of a kernel, bound in plain Python or compiled aside, with no search waiting for the compiler."""

from __future__ import annotations

import sys

import pytest

from solver.search import compiled
from solver.search.compiled import Compiler, bound_functions, compile_contest


def never() -> bool:
    return False


@pytest.mark.needs_compiler
def test_the_compiler_works_aside() -> None:
    compiler = Compiler(lambda: ({},), 0, compile_contest, never)
    assert not compiler.is_done(1)
    assert compiler._process is not None
    compiler.close()
    assert compiler._process.poll() is not None


@pytest.mark.needs_compiler
def test_nothing_is_compiled_that_is_there() -> None:
    compiler = Compiler(lambda: (), 0, compile_contest, lambda: True)
    assert compiler.is_done(1)
    assert compiler._process is None


def test_a_compiler_that_cannot_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "no such python")
    monkeypatch.setattr(compiled, "is_installed", lambda: True)
    compiler = Compiler(lambda: (), 0, compile_contest, never)
    assert not compiler.is_done(1)
    assert not compiler.is_done(1)


def test_without_the_compiler_nothing_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_installed", lambda: False)
    assert not Compiler(lambda: (), 0, compile_contest, lambda: True).is_done(1)


FACTOR = 3


def scaled(number: int) -> int:
    return FACTOR * number


def test_a_constant_is_part_of_the_version_of_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [bound_functions({}, [scaled])["scaled"].__qualname__]
    monkeypatch.setitem(scaled.__globals__, "FACTOR", 4)
    names.append(bound_functions({}, [scaled])["scaled"].__qualname__)
    assert names[0] != names[1]
