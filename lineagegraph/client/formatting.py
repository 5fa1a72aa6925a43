"""Format runs for a terminal."""

import sys

from rich.console import Console
from rich.text import Text

_PIPE_WIDTH = 10_000
_STYLES = {
    "COMPLETED": "green",
    "FAILED": "bold red",
    "KILLED": "red",
    "RUNNING": "cyan",
    "PENDING": "yellow",
    "WAITING": "yellow",
    "FRESH_SKIP": "dim green",
    "SKIPPED": "dim",
    "SUPERSEDED": "dim",
}


def plain_console(stderr: bool) -> Console:
    """Return a console without markup; it does not wrap if the output is not a terminal."""
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        width=None if is_terminal else _PIPE_WIDTH,
    )


def state_text(state: str) -> Text:
    """Return a state in its colour, in a column of its own width."""
    return Text(f"{state:<9}", _STYLES.get(state, ""))
