"""Kinds of sensors as people write them."""

import asyncio
import time
from pathlib import Path
from typing import ClassVar, Self

from lineagegraph.sensors import PokeContext, Sensor


class Waker(Sensor, frozen=True):
    """True once so many seconds are over, which it sleeps."""

    kind: ClassVar[str] = "waker"

    seconds: float
    is_there: bool = True

    async def poke(self, context: PokeContext) -> bool:
        """Sleep."""
        await asyncio.sleep(self.seconds)
        return self.is_there


class Reader(Sensor, frozen=True):
    """True once a file can be read, which may hang."""

    kind: ClassVar[str] = "reader"
    blocking: ClassVar[bool] = True

    path: str

    def look(self, context: PokeContext) -> bool:
        """Read."""
        return Path(self.path).read_text() == "yes"


class Sleeper(Sensor, frozen=True):
    """Sleeps where it must not."""

    kind: ClassVar[str] = "sleeper"
    blocking: ClassVar[bool] = True

    seconds: float

    def look(self, context: PokeContext) -> bool:
        """Sleep."""
        time.sleep(self.seconds)
        return True


class Silent(Sensor, frozen=True):
    """Says nothing."""

    kind: ClassVar[str] = "silent"

    async def poke(self, context: PokeContext) -> bool:
        """Forget to return."""
        return None  # type: ignore[return-value]


class Faulty(Sensor, frozen=True):
    """Asks for what is not there before it looks."""

    kind: ClassVar[str] = "faulty"

    def checked(self) -> Self:
        """Look a name up."""
        return {}[self.kind]


class Patient(Sensor, frozen=True):
    """Takes a little longer than it says."""

    kind: ClassVar[str] = "patient"

    seconds: float

    def limit(self) -> float:
        """Return what it says."""
        return self.seconds

    async def poke(self, context: PokeContext) -> bool:
        """Sleep."""
        await asyncio.sleep(self.seconds * 1.1)
        return True


class Nameless(Sensor, frozen=True):
    """Has no kind."""


class File(Sensor, frozen=True):
    """Wants the name of one that comes along."""

    kind: ClassVar[str] = "file"
