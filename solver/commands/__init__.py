"""The commands behind ``cli``: each parses, calls and prints; none knows a rule or searches."""

from typing import Final

VERSION: Final = "0.1.0"

HEADINGS: Final = {
    "Answers": {
        **dict.fromkeys(("best", "solve", "draw", "hint", "pay", "review", "risk"), "answers"),
        "play": "play",
        "simulate": "answers",
        "export": "position",
    },
    "Proofs": {"verify": "puzzle"},
    "Library": {**dict.fromkeys(("audit", "sweep", "balance"), "audit"), "puzzle": "puzzle", "rules": "rules"},
    "Rules core": dict.fromkeys(("moves", "apply", "perft", "position"), "position"),
    "Machine": dict.fromkeys(("doctor", "cache"), "audit"),
}
"""The commands by their headings in the help, each with its module; a question loads only the module that it names."""
GROUPS: Final = {
    "puzzle": "List, show, verify, rate and make puzzles.",
    "rules": "Show, compare and check rulesets.",
    "position": "Make, show, check and encode positions.",
    "cache": "Show or clear what is kept of solved questions.",
}
"""Words that stand before others, and what those are for: ``rules list`` is the function ``rules_list``."""
HOMES: Final = {command: module for homes in HEADINGS.values() for command, module in homes.items()}
