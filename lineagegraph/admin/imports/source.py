"""A Marquez server, or a compatible one, over its API."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, Self

import httpx2
import tenacity

from lineagegraph.errors import SourceFailed
from lineagegraph.model.names.keys import text_hash
from lineagegraph.secrets import mask_text

PAGE = 200
END = "9999-12-31T00:00:00+00:00"
_SECONDS = 60.0
_TRIES = 6
# An item of a page is within a list of an object.
_ITEM, _DEEPEST = 3, 200
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})


class SourcePage(NamedTuple):
    """Some events, and how many there are from the start of the page's span on."""

    events: list[Any]
    total: int


class Source(Protocol):
    """A server that lists its events, oldest first, and its catalog."""

    url: str
    account: str | None
    """A hash of the user that it is read as: one server may show each another history."""

    def read_events(self, after: str, offset: int) -> SourcePage:
        """Return `PAGE` events from a time on, inclusive; fewer at the end."""
        ...

    def read(self, path: str, **query: str | int) -> dict[str, Any]:
        """Return the JSON object at a path."""
        ...


def ignores_offset(url: str, what: str) -> SourceFailed:
    """Return the error for a server that gives the same page again."""
    return SourceFailed(
        f"{url} gives the first {PAGE} of {what} again and again: it ignores the parameter offset"
    )


class MarquezSource:
    """Read a server; temporary errors are retried."""

    def __init__(self, url: str, wait: Callable[[float], None] | None = None) -> None:
        self._address = url.rstrip("/")
        self.url = mask_text(self._address)
        try:
            user = httpx2.URL(self._address).username
        except httpx2.InvalidURL as error:
            raise SourceFailed(f"{self.url} is no address of a server: {error}") from None
        self.account = text_hash(user) if user else None
        self._client = httpx2.Client(timeout=_SECONDS, follow_redirects=True)
        self._retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(_may_go_better),
            stop=tenacity.stop_after_attempt(_TRIES),
            wait=tenacity.wait_exponential(multiplier=0.5, max=15),
            reraise=True,
            sleep=wait or tenacity.nap.sleep,
        )

    def read_events(self, after: str, offset: int) -> SourcePage:
        """Return a page of events from a time on, the oldest first."""
        found = self.read(
            "/api/v1/events/lineage",
            after=after,
            before=END,
            offset=offset,
            limit=PAGE,
            sortDirection="asc",
        )
        events = found.get("events")
        if not isinstance(events, list):
            raise SourceFailed(f"{self.url} answers without events: is it a Marquez server?")
        total = found.get("totalCount")
        return SourcePage(events, total if isinstance(total, int) else offset + len(events))

    def read(self, path: str, **query: str | int) -> dict[str, Any]:
        """Return the JSON object at a path."""
        try:
            found = self._retrying(self._get, path, query)
        except (httpx2.HTTPError, httpx2.InvalidURL, _Later) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise SourceFailed(f"no Marquez server answers at {self.url}: {reason}") from error
        if not isinstance(found, dict):
            raise SourceFailed(
                f"{self.url}{path} does not return a JSON object: is it a Marquez server?"
            )
        return found

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _get(self, path: str, query: dict[str, str | int]) -> Any:
        answer = self._client.get(self._address + path, params=query)
        if answer.status_code in _LATER:
            raise _Later(f"status {answer.status_code}")
        if not answer.is_success:
            raise SourceFailed(
                f"{self.url}{path} returns status {answer.status_code}: is it a Marquez server?"
            )
        try:
            return _decode(answer.content)
        except (ValueError, RecursionError):
            raise SourceFailed(
                f"{self.url}{path} does not return JSON: is it a Marquez server?"
            ) from None


def _decode(content: bytes) -> Any:
    """Return a page; items that are nested too deeply to read are texts, which are no items."""
    try:
        return json.loads(content)
    except RecursionError:
        return json.loads(_without_deep_items(content.decode()))


def _without_deep_items(text: str) -> str:
    depth = deepest = begin = copied = 0
    parts = []
    for found in _BRACKETS.finditer(text):
        if found[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
            if depth == _ITEM:
                begin, deepest = found.start(), depth
        elif found[0] in "]}":
            if depth == _ITEM and deepest > _DEEPEST:
                item = text[begin : found.end()]
                parts += [text[copied:begin], f'"nested too deeply: {text_hash(item)}"']
                copied = found.end()
            depth -= 1
    return "".join([*parts, text[copied:]])


class _Later(Exception):
    """A response that asks for a retry."""


def _may_go_better(error: BaseException) -> bool:
    is_passing = isinstance(error, httpx2.TransportError | _Later)
    return is_passing and not isinstance(error, httpx2.UnsupportedProtocol)
