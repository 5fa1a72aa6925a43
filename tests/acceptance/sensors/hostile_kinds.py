"""Kinds whose pokes do harm, each in another way."""

import os
import re
import time
from pathlib import Path
from typing import ClassVar

from lineagegraph.sensors import PokeContext, Sensor


class Exits(Sensor, frozen=True):
    """Ends its process, from a thread."""

    kind: ClassVar[str] = "exits"
    blocking: ClassVar[bool] = True

    def look(self, context: PokeContext) -> bool:
        """End."""
        os._exit(3)


class HoldsLock(Sensor, frozen=True):
    """Holds the interpreter's lock: this expression takes years, and matches in C."""

    kind: ClassVar[str] = "holds_lock"
    blocking: ClassVar[bool] = True

    def look(self, context: PokeContext) -> bool:
        """Match."""
        return re.match(r"(a+)+$", "a" * 60 + "b") is not None


class Eats(Sensor, frozen=True):
    """Takes more and more memory."""

    kind: ClassVar[str] = "eats"
    blocking: ClassVar[bool] = True

    def look(self, context: PokeContext) -> bool:
        """Take 20 MB twenty times a second."""
        taken = []
        while True:
            taken.append(b"x" * 20_000_000)
            time.sleep(0.05)


class Hangs(Sensor, frozen=True):
    """Reads from a pipe into which nobody writes."""

    kind: ClassVar[str] = "hangs"
    blocking: ClassVar[bool] = True
    path: str
    number: int

    def look(self, context: PokeContext) -> bool:
        """Read."""
        return bool(Path(self.path).read_text())


class Floods(Sensor, frozen=True):
    """Writes more than a pipe takes."""

    kind: ClassVar[str] = "floods"
    blocking: ClassVar[bool] = True

    def look(self, context: PokeContext) -> bool:
        """Write."""
        for _ in range(2_000):
            print("flood" * 100, flush=True)
        return False
