"""Where a server is that may come back at another port."""

from collections.abc import Callable
from functools import partial
from typing import Any

from neo4j import Address

Locate = Callable[[], str | None]
"""Returns the URI of the server now, None while it does not live."""


class ServerLocation:
    """The location of a server, found again for each new connection if it can move.

    At its former port another program may answer, which must not get the password.
    """

    def __init__(self, uri: str, locate: Locate | None) -> None:
        self.uri = uri
        self._locate = locate

    def options(self) -> dict[str, Any]:
        """Return the options of the driver."""
        return {"resolver": partial(self._resolve, self._locate)} if self._locate else {}

    def _resolve(self, locate: Locate, _: Address) -> list[Address]:
        uri = locate()
        if uri is None:
            return []
        self.uri = uri
        return [Address.parse(uri.partition("://")[2])]
