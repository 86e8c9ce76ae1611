"""What a ruleset says in vain, seen without any play: the doubts of ``rules check`` and the first look of an audit."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from rules.core.errors import Fault
from rules.core.registry import Doubt, Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.tools.entry_facts import doubtful_entries, doubtful_options
from rules.core.tools.rulebook import doubtful_names
from solver.audit.targets import doubtful_targets


def lint(ruleset: Ruleset) -> list[Fault]:
    """Return everything doubtful about a ruleset, each with its place, without what its edition says in vain."""
    own = (replace(ruleset.place(each.key), message=each.message) for each in new_doubts(ruleset))
    told = doubtful_names(ruleset), doubtful_targets(ruleset), doubtful_entries(ruleset), doubtful_options(ruleset)
    return [*own, *chain(*told)]


def new_doubts(ruleset: Ruleset) -> list[Doubt]:
    """Return the doubts of the game that its shipped text, which the ruleset begins with, does not raise."""
    known = {(each.key, each.message) for each in ruleset.definition.doubts(load_ruleset(ruleset.shipped))}
    return [each for each in ruleset.definition.doubts(ruleset) if (each.key, each.message) not in known]
