"""The build backend: setuptools, and a C compiler from the package index where the machine has none."""

import os
import shutil
import sysconfig
from collections.abc import Mapping
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  (the other hooks stay as they are)

ZIG = "ziglang==0.17.1; platform_machine in 'x86_64 aarch64 arm64'"
"""A C compiler as a wheel, where it has one."""


def compiler() -> str:
    """Return the C compiler on PATH, Python's own first, or nothing."""
    own = (sysconfig.get_config_var("CC") or "").split()[:1]
    return next(filter(shutil.which, (*own, "cc", "gcc", "clang")), "")


def lacks_compiler() -> bool:
    """Return whether a compiler has to be fetched: Windows finds its own, and ``CC`` names one."""
    return os.name != "nt" and not os.environ.get("CC") and not compiler()


def get_requires_for_build_wheel(config_settings: Mapping[str, Any] | None = None) -> list[str]:
    """Return what a build needs besides what pyproject.toml lists."""
    return [*([ZIG] if lacks_compiler() else []), *build_meta.get_requires_for_build_wheel(config_settings)]


get_requires_for_build_editable = get_requires_for_build_wheel
