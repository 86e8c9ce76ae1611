"""What a script prints where no hot module is compiled, whatever is compiled here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from solver.compiled_form import hot_modules

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = """
import importlib, importlib.util, sys
sys.modules["cython"] = None
class Sources:
    def find_spec(name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, HOT[name]) if name in HOT else None
sys.meta_path.insert(0, Sources)
"""


def told_by_sources(script: str) -> str:
    """Return what a script prints that runs by the sources, with neither Cython nor a compiler."""
    hot = {name: str(path) for name, path in hot_modules().items()}
    command = [sys.executable, "-c", f"HOT = {hot!r}\n{SOURCES}{script}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
