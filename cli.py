"""The command ``bestline``: what is asked on the command line, and how it ends.

Commands live in ``solver.commands``; they import searches only when they run, so that help and completion stay quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from solver.commands.process import INTERRUPTED, open_closed, settle, write_error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    The code is 0 for answered, proved or clean, 1 for a negative answer, and 2 for bad usage or unreadable input.
    It is 3 where a limit was hit, 70 for a fault of ours, and 130 after Ctrl-C.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    open_closed()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        from solver.commands.app import run

        code = run(words)
    except KeyboardInterrupt:  # while the commands were loaded
        code = INTERRUPTED
    if code == INTERRUPTED:
        write_error("interrupted")
    settle()
    return code


if __name__ == "__main__":
    sys.exit(main())
