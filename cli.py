"""The command ``bestline``: what is asked on the command line, and how it ends.

Commands live in ``solver.commands``; they import searches only when they run, so that help and completion stay quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    The code is 0 for answered, proved or clean, 1 for a negative answer, and 2 for bad usage or unreadable input.
    It is 3 where a limit was hit, 70 for a fault of ours, and 130 after Ctrl-C.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # whoever started us closed it: an answer to a file needs none of them
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        from solver.commands.app import run

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # while the commands were loaded
        sys.stderr.write("interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
