"""The memory that all bodies of requests share, and the time in which each has to arrive."""

from collections import Counter

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from lineagegraph.http.plumbing.refusal import RequestRefused


class BodyRoom:
    """Middleware that gives each request a `BodyLease` and takes it back with the answer.

    `refused` counts refusals by their reason.
    """

    def __init__(
        self, app: ASGIApp, seconds: float, most_bytes: int, refused: "Counter[str]"
    ) -> None:
        self._app = app
        self.seconds = seconds
        self.most_bytes = most_bytes
        self.refused = refused
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        lease = scope.setdefault("state", {})["body_lease"] = BodyLease(self)
        try:
            await self._app(scope, receive, send)
        finally:
            lease.release()


class BodyLease:
    """The room that the body of one request takes."""

    def __init__(self, room: BodyRoom) -> None:
        self._room = room
        self._held = 0
        self.seconds = room.seconds

    def hold(self, size: int) -> None:
        """Take room; raise `RequestRefused` with 503 if others have it.

        A body always fits while there is no other.
        """
        others = self._room.held - self._held
        self._held += size
        self._room.held += size
        if others and self._room.held > self._room.most_bytes:
            self._room.refused["bodies"] += 1
            raise RequestRefused(
                503,
                "the bodies of other requests take all memory for them (setting max_bodies_bytes)",
                retry_after=1,
            )

    def release(self) -> None:
        """Give the room back."""
        self._room.held -= self._held
        self._held = 0

    def overdue(self) -> RequestRefused:
        """Return the refusal of a body that takes too long; the connection ends with it."""
        self._room.refused["body_seconds"] += 1
        said = f"the body did not arrive within {self.seconds:g} s (setting body_seconds)"
        return RequestRefused(408, said, headers={"Connection": "close"})


def lease_of(request: Request) -> BodyLease:
    """Return the room of a request's body."""
    lease: BodyLease = request.state.body_lease
    return lease
