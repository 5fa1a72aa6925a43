"""How many pokes there may be at once, of a kind and of a host."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from lineagegraph.sensors import Sensor


class Slots:
    """A limit of holders for each name; an unused name is forgotten."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def one(self, name: str, most: int) -> AsyncIterator[None]:
        """Hold a slot, and wait if all are held."""
        semaphore, users = self._used.get(name) or (asyncio.Semaphore(most), 0)
        self._used[name] = (semaphore, users + 1)
        try:
            async with semaphore:
                yield
        finally:
            self._leave(name)

    def _leave(self, name: str) -> None:
        semaphore, users = self._used.pop(name)
        if users > 1:
            self._used[name] = (semaphore, users - 1)


class Limits:
    """Slots of kinds and of hosts."""

    def __init__(self, per_host: int) -> None:
        self._per_host = per_host
        self._kinds = Slots()
        self._hosts = Slots()

    @asynccontextmanager
    async def one(self, sensor: Sensor) -> AsyncIterator[None]:
        """Hold a slot of both: who waits for a slow host takes none of its kind from others."""
        host = sensor.host()
        kind = self._kinds.one(sensor.kind, sensor.at_once)
        async with self._hosts.one(host, self._per_host) if host else nullcontext(), kind:
            yield
