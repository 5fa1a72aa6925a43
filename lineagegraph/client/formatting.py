"""How runs look in a terminal."""

import sys
from datetime import timedelta

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
    """Write what was given, as it is: where nobody looks, no line is cut or broken."""
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


def seconds(took: timedelta) -> str:
    """Return a duration as people write it: `4.2 s`, `3 min 5 s`, `2 h 10 min`."""
    total = took.total_seconds()
    if total < 60:
        return f"{total:.1f} s"
    minutes, rest = divmod(round(total), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
