"""What a look needs besides the sensor."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from lineagegraph.sensors.connections import Connections
from lineagegraph.sensors.http.backend import JudgedBackend
from lineagegraph.sensors.http.client import HttpClient
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.sql import Engines
from lineagegraph.sensors.threads import Threads
from lineagegraph.settings import Settings

_THREADS = 256


@dataclass(frozen=True)
class PokeContext:
    """One for all looks of a process. Connections have the secrets that no sensor has."""

    settings: Settings
    policy: SensorPolicy
    connections: Connections
    threads: Threads
    http: HttpClient
    engines: Engines = field(default_factory=Engines)
    longest: float | None = None
    """How long each look may take, whatever it says."""

    def limit(self, said: float | None) -> float:
        """Return how long a look may take that says so itself, or nothing."""
        return self.longest or said or self.settings.sensor_poke_seconds

    def storage_options(self, connection: str | None) -> dict[str, Any]:
        """Return what opens the file system of a connection."""
        return self.connections.find(connection).options if connection else {}

    def mask(self, text: str) -> str:
        """Return a text without what is secret."""
        return self.connections.mask(text)


@asynccontextmanager
async def open_context(
    settings: Settings, *, longest: float | None = None
) -> AsyncIterator[PokeContext]:
    """Give what looks need, for as long as a process looks."""
    policy, threads = SensorPolicy.of(settings), Threads(_THREADS)
    http = HttpClient(JudgedBackend(policy.hosts, threads), settings.sensor_http_bytes)
    try:
        connections = Connections(settings.home)
        yield PokeContext(settings, policy, connections, threads, http, longest=longest)
    finally:
        await http.close()
