"""Notes: what people say about a run."""

from datetime import datetime

import msgspec

from lineagegraph.text import format_local


class RunNote(msgspec.Struct, frozen=True):
    """A note about a run, with its author and time."""

    text: str
    author: str
    at: datetime

    @property
    def line(self) -> str:
        """The note in one line, for people."""
        return f"{self.text}  ({self.author}, {format_local(self.at)})"
