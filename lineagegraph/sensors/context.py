"""The context of pokes: connections, clients, threads and the policy."""

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
    """One context for all pokes of a process. Connections have the secrets that no sensor has."""

    settings: Settings  # settings of the process
    policy: SensorPolicy  # places that sensors may poke
    connections: Connections  # named connections, with their secrets
    threads: Threads  # threads for pokes that block
    http: HttpClient  # client of all pokes over HTTP
    engines: Engines = field(default_factory=Engines)  # database connections by URL
    longest: float | None = None  # maximum seconds of each poke, whatever limit it has
    confined: "PokeContext | None" = None  # context of sensors that a token stated
    cursor: Any = None  # cursor that the sensor's last new items left; None before the first

    def for_sensor(self, confined: bool) -> "PokeContext":
        """Return the context for a sensor: its own connections too, so that none is reused."""
        return self.confined if confined and self.confined else self

    def limit(self, said: float | None) -> float:
        """Return the time limit in seconds for a poke with a limit of its own, or the default."""
        return self.longest or said or self.settings.sensor_poke_seconds

    def storage_options(self, connection: str | None) -> dict[str, Any]:
        """Return the storage options of a connection's file system."""
        return self.connections.find(connection).options if connection else {}

    def mask(self, text: str) -> str:
        """Return a text with its secrets masked."""
        return self.connections.mask(text)


@asynccontextmanager
async def open_context(
    settings: Settings, *, longest: float | None = None
) -> AsyncIterator[PokeContext]:
    """Open the context of a process and close it at the end."""
    threads, connections = Threads(_THREADS), Connections(settings.home)

    def context(confined: bool, below: PokeContext | None = None) -> PokeContext:
        policy = SensorPolicy.of(settings, confined=confined)
        http = HttpClient(JudgedBackend(policy.hosts, threads), settings.sensor_http_bytes)
        return PokeContext(
            settings, policy, connections, threads, http, longest=longest, confined=below
        )

    confined = context(True)
    found = context(False, confined)
    try:
        yield found
    finally:
        await found.http.close()
        await confined.http.close()
