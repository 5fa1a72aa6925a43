"""Acknowledgements: somebody has seen that a run failed."""

from datetime import datetime

import msgspec


class Acknowledgement(msgspec.Struct, frozen=True):
    """Who acknowledged a failure and when, with a note if there is one."""

    author: str
    note: str | None
    at: datetime

    @property
    def text(self) -> str:
        """The acknowledgement in one line."""
        return f"acknowledged by {self.author}" + (f": {self.note}" if self.note else "")
