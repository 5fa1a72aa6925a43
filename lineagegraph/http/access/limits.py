"""Limits of each caller: requests and events a second, and open streams."""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from lineagegraph.http.access.caller import caller_of, peer_of
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.settings import Settings

_MOST_CALLERS = 10_000
# Outside loopback, where the settings are not set.
_REQUESTS, _EVENTS, _STREAMS = 1_000.0, 10_000.0, 100


class TokenBucket:
    """What a caller may still use: it fills at `rate` a second, up to `most`.

    By default that is the amount of a second. What is larger is admitted too, and those after it
    wait longer.
    """

    def __init__(self, rate: float, now: float, most: float | None = None) -> None:
        self._rate = rate
        self._most = most or max(1.0, rate)
        self._amount = self._most
        self._at = now

    def take(self, amount: float, now: float) -> float:
        """Return 0 if the amount is taken, or else the seconds after which to try again."""
        self.fill(now)
        if self._amount < min(amount, self._most):
            return (min(amount, self._most) - self._amount) / self._rate
        self._amount -= amount
        return 0.0

    def charge(self, amount: float, now: float) -> None:
        """Take an amount in any case; the debt is never larger than a full bucket."""
        self._amount = max(self.fill(now) - amount, -self._most)

    def fill(self, now: float) -> float:
        """Return what is there now."""
        self._amount = min(self._most, self._amount + (now - self._at) * self._rate)
        self._at = now
        return self._amount


class CallerLimits:
    """The limits of one server; a caller is a token or a user, or an address if it has none.

    `is_open`, as on loopback, means no limit where none is set. `refused` counts refusals by
    their reason.
    """

    def __init__(self, settings: Settings, is_open: bool, refused: "Counter[str]") -> None:
        usual = (math.inf, math.inf, math.inf) if is_open else (_REQUESTS, _EVENTS, _STREAMS)
        self._requests = _Rate(settings.limit_requests_per_second or usual[0])
        self._events = _Rate(settings.limit_events_per_second or usual[1])
        self._most_streams = settings.limit_streams or usual[2]
        self._streams: Counter[str] = Counter()
        self._refused = refused

    def take_request(self, request: Request) -> None:
        """Count a request; raise `RequestRefused` with 429 if there were too many."""
        self._take(self._requests, request, 1, "requests", "limit_requests_per_second")

    def take_events(self, request: Request, number: int) -> None:
        """Count the events of a request, likewise."""
        self._take(self._events, request, number, "events", "limit_events_per_second")

    @contextmanager
    def stream(self, request: Request) -> Iterator[None]:
        """Count a stream while this is open, likewise."""
        key = _key(request)
        if self._streams[key] >= self._most_streams:
            self._refused["streams"] += 1
            raise _too_many("streams", "limit_streams", 30)
        self._streams[key] += 1
        try:
            yield
        finally:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]

    def _take(self, rate: "_Rate", request: Request, amount: int, kind: str, setting: str) -> None:
        seconds = rate.take(_key(request), amount)
        if seconds:
            self._refused[kind] += 1
            raise _too_many(f"{kind} a second", setting, math.ceil(seconds))


class LimitedRequests:
    """Middleware that counts the requests of each caller."""

    def __init__(self, app: ASGIApp, limits: CallerLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429."""
        if scope["type"] == "http":
            try:
                self._limits.take_request(Request(scope))
            except RequestRefused as refused:
                return await refused.answer()(scope, receive, send)
        return await self._app(scope, receive, send)


class _Rate:
    """A bucket for each caller of late."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str, amount: int) -> float:
        if self._rate == math.inf:
            return 0.0
        now = time.monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._rate, now)
            if len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(amount, now)


def _key(request: Request) -> str:
    author = caller_of(request).author
    return f"caller {author}" if author else f"peer {peer_of(request)}"


def _too_many(kind: str, setting: str, seconds: int) -> RequestRefused:
    return RequestRefused(429, f"too many {kind} (setting {setting})", retry_after=seconds)
