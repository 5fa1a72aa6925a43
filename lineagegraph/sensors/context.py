"""What a look needs besides the sensor."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from lineagegraph.sensors.policy import Policy
from lineagegraph.sensors.threads import Threads
from lineagegraph.settings import Settings

_THREADS = 256


@dataclass(frozen=True)
class PokeContext:
    """One for all looks of a process."""

    policy: Policy
    seconds: float
    threads: Threads = field(default_factory=lambda: Threads(_THREADS))

    def storage_options(self, connection: str | None) -> dict[str, Any]:
        """Return what opens the file system of a connection."""
        return {}

    def mask(self, text: str) -> str:
        """Return a text without what is secret."""
        return text


@asynccontextmanager
async def open_context(settings: Settings) -> AsyncIterator[PokeContext]:
    """Give what looks need, for as long as a process looks."""
    yield PokeContext(policy=Policy.of(settings), seconds=settings.sensor_poke_seconds)
