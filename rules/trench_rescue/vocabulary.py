"""The option table of the game as shapes that rulesets and positions are checked against."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rules.core.registry import OptionTable

OPTIONS: Final = OptionTable(Path(__file__).resolve().with_name("options.toml"))
