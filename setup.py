"""What pyproject.toml cannot say: the hot modules are compiled where that can be done, and run as they are else."""

import os
import shutil
import sys
import sysconfig
import textwrap
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
FLAGS = ["-O3", "-g0", "-ffp-contract=off"]  # numbers are rounded as in plain Python
# The imports below lie in folders that an isolated build does not search.
sys.path[:0] = [str(ROOT), str(ROOT / "buildtools")]

from backend import compiler  # noqa: E402
from headers import write_headers  # noqa: E402

from solver import compiled_form  # noqa: E402


def forget(root: Path) -> None:
    """Delete what an earlier build has compiled: it would be imported in the place of its source."""
    for name in ("*.so", "*.pyd", compiled_form.RECORD):
        for path in (root / "solver").rglob(name):
            path.unlink()


def choose_compiler() -> None:
    """Set ``CC`` where Python's own compiler is not there: to another one, else to the one that was fetched."""
    own = sysconfig.get_config_var("CC")
    if os.name == "nt" or os.environ.get("CC") or (own and compiler() == own.split()[0]):
        return
    command = compiler() or f"{sys.executable} -m ziglang cc -mcpu=baseline"
    os.environ["CC"] = command
    if sys.platform == "linux":  # Python's flags are made for its own compiler; zig refuses some of them
        os.environ["LDSHARED"] = f"{command} -shared"
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        os.environ[name] = str(ROOT / "build" / "zig")


class Build(build):
    """Builds without what an earlier build has left: a module that is no longer in the sources is not installed."""

    def run(self) -> None:
        """Build."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class Compile(build_ext):
    """Compiles all hot modules or none: those that are left share C functions with those that failed."""

    def run(self) -> None:
        """Compile, and write down how that ended."""
        target = ROOT if self.inplace else Path(self.build_lib)
        forget(target)
        digest = compiled_form.sources_digest()
        try:
            how = (self.inplace and self._taken(digest)) or self._compile()
        except (Exception, SystemExit) as fault:  # whatever is wrong with a compiler: the sources run as they are
            forget(target)
            self.extensions = []
            why = textwrap.shorten(f"{type(fault).__name__}: {fault}", 120, placeholder=" …")
            digest = f"not compiled: {why}"
            sys.stderr.write(f"bestline: {digest}; plain Python runs\n")
        else:
            sys.stderr.write(f"bestline: compiled by {how}\n")
        record = target / "solver" / compiled_form.RECORD
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(digest + "\n", "utf-8")

    def _taken(self, digest: str) -> str:
        """Take what a wheel was built of here from the same sources, and say so; else nothing."""
        made = [self.get_ext_filename(extension.name) for extension in self.extensions]
        changed = max(path.stat().st_mtime for path in (Path(__file__), *ROOT.glob("buildtools/*.py")))
        for record in ROOT.glob(f"build/lib*/solver/{compiled_form.RECORD}"):
            built, is_new = record.parents[1], record.stat().st_mtime > changed
            is_same = is_new and record.read_text("utf-8").strip() == digest
            if is_same and all((built / name).exists() for name in made):
                for name in made:
                    shutil.copy2(built / name, ROOT / name)
                return "the build of a wheel"
        return ""

    def _compile(self) -> str:
        from Cython.Build import cythonize

        choose_compiler()
        write_headers()
        made = cythonize(self.extensions, build_dir="build/c", force=True, quiet=True)
        sources = {extension.name: extension.sources for extension in made}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        self.parallel = 2  # compilers at once; more of them may need more memory than there is
        super().run()
        return os.environ.get("CC") or "the C compiler of this machine"


setup(
    cmdclass={"build": Build, "build_ext": Compile},
    ext_modules=[
        Extension(
            name,
            [str(path.relative_to(ROOT))],
            extra_compile_args=[] if os.name == "nt" else FLAGS,
        )
        for name, path in compiled_form.hot_modules().items()
    ],
)
