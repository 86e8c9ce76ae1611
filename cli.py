"""The command ``bestline``; ``solver.commands.settings`` says what it does and how it ends.

Commands import searches only when they run, so that help and completion stay quick.
"""

import sys

try:
    from solver.commands.settings import main
except KeyboardInterrupt:  # while the commands were loaded
    if sys.stderr is not None:
        sys.stderr.write("interrupted\n")
    sys.exit(130)

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
