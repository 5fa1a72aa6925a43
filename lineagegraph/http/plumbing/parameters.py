"""Read parameters of requests; raise a refusal with 400 if one does not fit."""

from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

from starlette.requests import Request

from lineagegraph.http.plumbing.raw_route import path_text
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.ingest.names import MAX_NAME_BYTES
from lineagegraph.model.typed import parse_time
from lineagegraph.queries.jobs.pages import Cut

T = TypeVar("T")
_MOST = 10_000
_DEPTH = 20
_MOST_SKIPPED = 2**53


def read_cut(request: Request) -> Cut:
    """Return `limit` and `offset`."""
    limit = whole_number(request, "limit", 100, _MOST)
    return Cut(limit, whole_number(request, "offset", 0, _MOST_SKIPPED))


def read_depth(request: Request) -> int:
    """Return `depth`: how far to go from a node of a graph."""
    return whole_number(request, "depth", _DEPTH, _MOST)


def whole_number(request: Request, name: str, default: int, most: int) -> int:
    """Return a query parameter that is a whole number."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit()) or len(text) > 16 or int(text) > most:
        raise RequestRefused(400, f"{name} must be a whole number from 0 to {most}", name)
    return int(text)


def one_of(request: Request, name: str, choices: dict[str, T], default: str | None = None) -> T:
    """Return the choice that a query parameter names, in any case."""
    text = request.query_params.get(name, default)
    if text is None or text.lower() not in choices:
        raise RequestRefused(400, f"{name} must be one of {', '.join(choices)}", name)
    return choices[text.lower()]


def time_of(request: Request, name: str) -> datetime | None:
    """Return the time that a query parameter has, in UTC if it has no zone; or 400.

    An empty one is none: Marquez's web UI sends those.
    """
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        # A plus sign that was not percent-encoded arrives as a space.
        time = parse_time(text.replace(" ", "+"))
        return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise RequestRefused(400, f"{name} must be a time in ISO 8601", name) from None


def path_name(request: Request, name: str) -> str:
    """Return a name in the path, as far as it is short enough to be kept."""
    text = path_text(request, name)
    if len(text.encode()) > MAX_NAME_BYTES:
        raise RequestRefused(400, f"the {name} is longer than {MAX_NAME_BYTES} bytes", name)
    return text


def job_uuid(request: Request) -> str | None:
    """Return the key of the job that the query parameter `uuid` chooses, if there is one."""
    text = request.query_params.get("uuid")
    return None if text is None else _uuid(text, "uuid").hex


def run_id(request: Request) -> str:
    """Return the id of the run in the path."""
    return str(_uuid(path_text(request, "id"), "run id"))


def path_uuid(request: Request, name: str) -> UUID:
    """Return a UUID in the path."""
    return _uuid(path_text(request, name), name)


def query_uuid(request: Request, name: str) -> UUID:
    """Return a UUID in the query, which there has to be."""
    return _uuid(request.query_params.get(name, ""), name)


def _uuid(text: str, name: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise RequestRefused(400, f"the {name} must be a UUID", name) from None
