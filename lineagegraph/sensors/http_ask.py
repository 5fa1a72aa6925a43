"""One question and its answer, wherever redirects lead."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx2

from lineagegraph.errors import PokeFailed
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.http.addresses import checked_url, credentials, joined, origin_of
from lineagegraph.sensors.http.client import HttpAnswer

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST = 5


class HttpQuestion(NamedTuple):
    """A request with its limits."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Any
    connection: str | None


@asynccontextmanager
async def asked(
    question: HttpQuestion,
    context: PokeContext,
    follow: bool = True,
    judge: Callable[[str], None] = lambda url: None,
) -> AsyncIterator[HttpAnswer]:
    """Send a request and yield its response; each redirect is checked like the first URL.

    The host is checked when it is connected, and the URL by `judge` if there is one.
    """
    url, secret = _where(question, context)
    home = origin_of(url)
    for _ in range(_MOST + 1):
        headers = {**question.headers, **(secret if origin_of(url) == home else {})}
        request = httpx2.Request(question.method, url, headers=headers, json=question.body)
        async with context.http.ask(request) as answer:
            location = answer.headers.get("location")
            if not (follow and location and answer.status in _REDIRECTS):
                yield answer
                return
        url = httpx2.URL(checked_url(str(url.join(location))))
        judge(str(url))
    raise PokeFailed(f"more than {_MOST} redirects")


def _where(question: HttpQuestion, context: PokeContext) -> tuple[httpx2.URL, dict[str, str]]:
    if question.connection is None:
        return httpx2.URL(question.url), {}
    connection = context.connections.find(question.connection)
    return joined(question.url, connection, question.connection), credentials(connection)
