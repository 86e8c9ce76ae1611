"""The command ``bestline``; ``solver.commands.settings`` says what it does and how it ends.

Commands import searches only when they run, so that help and completion stay quick.
"""

import gc
import sys

try:
    gc.set_threshold(50_000)  # a command begins with many objects that stay, and with hardly any garbage
    from solver.commands.settings import main
except KeyboardInterrupt:  # while the commands were loaded
    if sys.stderr is not None:
        sys.stderr.write("interrupted\n")
    sys.exit(130)

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
