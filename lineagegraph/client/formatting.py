"""Format runs for a terminal."""

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from lineagegraph.model.runs.states import shown_state
from lineagegraph.text import visible

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


class SafeConsole(Console):
    """A console that shows control characters in names, in place of sending them to a terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of something, with control characters as `\\x1b`."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or (text.isascii() and text.isprintable()):
                yield segment
            else:
                yield Segment(visible(text, keep="\n"), style)


def plain_console(stderr: bool) -> Console:
    """Return a console without markup; it does not wrap if the output is not a terminal."""
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return SafeConsole(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        width=None if is_terminal else _PIPE_WIDTH,
    )


def state_text(state: str, reason: str | None = None) -> Text:
    """Return a state in its colour, in a column of its own width.

    A task that failed only because another did has that reason as its state.
    """
    shown = shown_state(state, reason)
    return Text(f"{shown:<9}", _STYLES.get(state, "") if shown is state else "yellow")
