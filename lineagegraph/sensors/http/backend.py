"""Connections to addresses that were judged: the one that is asked is the one that was judged."""

from collections.abc import Iterable
from typing import Any

import httpcore2

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors.hosts import Address, Hosts, as_address
from lineagegraph.sensors.names import look_up
from lineagegraph.sensors.threads import Threads


class JudgedBackend(httpcore2.AsyncNetworkBackend):
    """Resolve a host once, check its addresses, and connect to these only."""

    def __init__(self, hosts: Hosts, threads: Threads) -> None:
        self._hosts = hosts
        self._threads = threads
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address of a host that may be asked and answers."""
        self._hosts.check_name(host)
        error: Exception | None = None
        for address in self._allowed(host, await self._look_up(host, port)):
            try:
                return await self._plain.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as failed:
                error = failed
        raise PokeFailed(f"{host}:{port} does not answer: {error}")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Nothing asks sockets of this machine."""
        raise InvalidSensor(f"sensors cannot connect to sockets: {path}")

    async def sleep(self, seconds: float) -> None:
        """Wait before a connection is tried again."""
        await self._plain.sleep(seconds)

    async def _look_up(self, host: str, port: int) -> list[Address]:
        address = as_address(host)
        return [address] if address else await self._threads.call(None, look_up, host, port)

    def _allowed(self, host: str, addresses: list[Address]) -> list[Address]:
        allowed = []
        refused: InvalidSensor | None = None
        for address in addresses:
            try:
                self._hosts.check_address(host, address)
                allowed.append(address)
            except InvalidSensor as error:
                refused = error
        if refused and not allowed:
            raise refused
        return allowed
