"""The commands behind ``cli``: each parses, calls and prints; none knows a rule or searches."""

from typing import Final

VERSION: Final = "0.1.0"
