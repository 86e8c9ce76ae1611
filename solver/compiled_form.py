"""Which modules may be compiled, from what they have been compiled, and whether they run so.

A hot module is ``X.py`` that begins with directives for Cython. The types of its compiled form stand in ``X.pxd``,
which the build writes from the annotations (``buildtools/headers.py``).
A build that compiles all of them writes down the digest of their sources. One that does not says why, and they run as
they are. The build itself reads this module too, so it imports nothing but the standard library.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

FOLDER: Final = Path(__file__).parent
RECORD: Final = "compiled_form.txt"
"""File beside this one that a build writes: the digest, or why nothing is compiled."""
LAYOUT: Final = "layout"
"""How names of modules of numbers end; a build writes ``layout.pxd`` from ``layout.py``."""

DIRECTIVES: Final = b"# cython:"
"""How a hot module begins."""
MARK: Final = "# Written by the build.\n"
"""How a header begins that a build has written from a module."""


def module_name(path: Path) -> str:
    """Return the name of the module in a file."""
    return ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)


def hot_modules() -> dict[str, Path]:
    """Return the modules that may be compiled, by name."""
    return {module_name(path): path for path in sorted(FOLDER.rglob("*.py")) if _begins_with(path, DIRECTIVES)}


def layouts() -> list[Path]:
    """Return the modules of numbers that compiled code shares."""
    return sorted(FOLDER.rglob(f"*{LAYOUT}.py"))


def headers_by_hand() -> list[Path]:
    """Return the headers that no build writes."""
    headers = (path for path in FOLDER.rglob("*.pxd") if not path.stem.endswith(LAYOUT))
    return [path for path in headers if not _begins_with(path, MARK.encode())]


def _begins_with(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(start)) == start


def sources_digest() -> str:
    """Return a digest of all that the compiled modules are made from."""
    sha = sha256()
    for path in sorted({*hot_modules().values(), *layouts(), *headers_by_hand()}):
        sha.update(path.relative_to(FOLDER).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()


def record() -> str:
    """Return what the last build has written down, or nothing."""
    path = FOLDER / RECORD
    return path.read_text("utf-8").strip() if path.exists() else ""


def build_state() -> Literal["compiled", "plain", "stale"]:
    """Return how the hot modules run: stale where not all are compiled, or not from the sources that are here."""
    extensions = [is_extension(name) for name in hot_modules()]
    if not any(extensions) and record() != sources_digest():
        return "plain"
    return "compiled" if all(extensions) and record() == sources_digest() else "stale"


def remedy() -> str:
    """Return the command that compiles the modules anew, as far as the machine can."""
    root = FOLDER.parent
    if (root / "setup.py").exists():
        return f"{sys.executable} -m pip install --no-deps -e {root}"
    try:
        origin = distribution("bestline").read_text("direct_url.json")
    except PackageNotFoundError:
        origin = None
    source = json.loads(origin or "{}").get("url", "bestline")
    return f"{sys.executable} -m pip install --no-deps --force-reinstall {source}"


def is_extension(name: str) -> bool:
    """Return whether a module is imported in its compiled form."""
    spec = find_spec(name)
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
