"""Files on the web."""

from email.utils import parsedate_to_datetime

import httpx2

from lineagegraph.errors import PokeFailed
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.entry import Entry
from lineagegraph.sensors.http_ask import HttpQuestion, asked

_OK = 200
_MISSING = (404, 410)


async def web_entry(url: str, connection: str | None, context: PokeContext) -> Entry | None:
    """Return the entry at a URL from a HEAD request; redirects must lead to allowed paths."""
    question = HttpQuestion("HEAD", url, {}, None, connection)
    async with asked(question, context, judge=context.policy.check_path) as answer:
        if answer.status in _MISSING:
            return None
        if answer.status != _OK:
            raise PokeFailed(f"HEAD {url}: status {answer.status}")
        return Entry(url, False, _size(answer.headers), _changed_at(answer.headers))


def _size(headers: httpx2.Headers) -> int | None:
    stated = headers.get("content-length", "")
    return int(stated) if stated.isdecimal() else None


def _changed_at(headers: httpx2.Headers) -> float | None:
    try:
        return parsedate_to_datetime(headers["last-modified"]).timestamp()
    except (KeyError, ValueError):
        return None
