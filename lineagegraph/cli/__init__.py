"""The command line: commands parse their arguments and call the library."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; an interrupt while it is imported ends the process silently."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Late, as the import takes the longest part of a short command.
    from lineagegraph.cli.program import run_program

    signal.signal(signal.SIGINT, before)
    run_program()
