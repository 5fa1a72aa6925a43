"""A client that keeps nothing but connections: no cookies, no proxies, no redirects."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property

import httpcore2
import httpx2

from lineagegraph.errors import PokeFailed
from lineagegraph.sensors.http.backend import JudgedBackend
from lineagegraph.sensors.texts import one_line

_KEPT_SECONDS = 5
_CONNECTIONS = 200
_USER_AGENT = "lineagegraph-sensor"
_FAILURES = (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException)


class HttpAnswer:
    """The head of an answer, and its body on demand."""

    def __init__(self, response: httpcore2.Response, most_bytes: int) -> None:
        self.status = response.status
        self.headers = httpx2.Headers(response.headers)
        self._response = response
        self._most = most_bytes

    async def read(self) -> bytes:
        """Return the body; raise `PokeFailed` if it is too large."""
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise PokeFailed("unexpected Content-Encoding in the response")
        body = bytearray()
        async for part in self._response.aiter_stream():
            body += part
            if len(body) > self._most:
                raise PokeFailed(
                    f"the response has more than {self._most:,} bytes (setting sensor_http_bytes)"
                )
        return bytes(body)


class HttpClient:
    """Asks once, whom the policy allows to ask."""

    def __init__(self, backend: JudgedBackend, most_bytes: int) -> None:
        self._backend = backend
        self._most = most_bytes

    @cached_property
    def _pool(self) -> httpcore2.AsyncConnectionPool:
        """Most sensor processes send no request, and loading the certificates is slow."""
        return httpcore2.AsyncConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            max_connections=_CONNECTIONS,
            keepalive_expiry=_KEPT_SECONDS,
            network_backend=self._backend,
        )

    @asynccontextmanager
    async def ask(self, request: httpx2.Request) -> AsyncIterator[HttpAnswer]:
        """Give the answer to a request."""
        request.headers["accept-encoding"] = "identity"
        request.headers.setdefault("user-agent", _USER_AGENT)
        try:
            response = await self._pool.handle_async_request(_wire(request))
            try:
                yield HttpAnswer(response, self._most)
            finally:
                await response.aclose()
        except _FAILURES as error:
            said = f"{type(error).__name__}: {one_line(error)}"
            raise PokeFailed(f"{request.url.host} did not answer: {said}") from None

    async def close(self) -> None:
        """Close the open connections."""
        if "_pool" in vars(self):
            await self._pool.aclose()


def _wire(request: httpx2.Request) -> httpcore2.Request:
    url = request.url
    return httpcore2.Request(
        method=request.method,
        url=httpcore2.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        ),
        headers=request.headers.raw,
        content=request.read(),
    )
