"""Whole starter races, as ``real_race`` has them: ``python -m benchmarks.starter_race [--seeds N] [--time S]``."""

from __future__ import annotations

import sys

from benchmarks.real_race import main

if __name__ == "__main__":
    main(["--rulesets", "iditacards/starter-race", *sys.argv[1:]])
