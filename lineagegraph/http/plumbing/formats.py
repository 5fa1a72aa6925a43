"""The format of an answer: by `format`, or else by `Accept` with its weights."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.plumbing.refusal import RequestRefused

_VARY = {"Vary": "Accept"}


class AnswerFormat(NamedTuple):
    """A format: its name in a query, and its media type."""

    name: str
    media_type: str


JSON = AnswerFormat("json", "application/json")
NDJSON = AnswerFormat("ndjson", "application/x-ndjson")
DOT = AnswerFormat("dot", "text/vnd.graphviz")
MERMAID = AnswerFormat("mermaid", "text/vnd.mermaid")
SVG = AnswerFormat("svg", "image/svg+xml")
LISTS = (JSON, NDJSON)
GRAPHS = (JSON, NDJSON, DOT, MERMAID, SVG)


def choose_format(request: Request, served: Sequence[AnswerFormat]) -> AnswerFormat:
    """Return the preferred format; of equals, the first that is served.

    Raises `RequestRefused`: 400 for an unknown `format`, 406 if `Accept` has none of them.
    """
    named = request.query_params.get("format")
    if named is not None:
        return _by_name(named, served)
    ranges = list(_ranges(",".join(request.headers.getlist("accept")) or "*/*"))
    weights = [_weight(one.media_type, ranges) for one in served]
    if max(weights) == 0:
        types = ", ".join(one.media_type for one in served)
        raise RequestRefused(
            406, f"not acceptable: the answer is available as {types}", headers=_VARY
        )
    return served[weights.index(max(weights))]


def formatted(chosen: AnswerFormat, body: str | bytes) -> Response:
    """Answer in a format."""
    return Response(body, media_type=chosen.media_type, headers=_VARY)


def to_ndjson(items: Sequence[Any]) -> bytes:
    """Return JSON with an item a line."""
    return b"".join(msgspec.json.encode(item) + b"\n" for item in items)


def _by_name(name: str, served: Sequence[AnswerFormat]) -> AnswerFormat:
    found = next((one for one in served if one.name == name.lower()), None)
    if found is None:
        names = ", ".join(one.name for one in served)
        raise RequestRefused(400, f"format must be one of {names}", "format")
    return found


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """Yield media ranges with their weights; a weight that means nothing counts as none given."""
    for part in accept.split(","):
        media_range, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weights = [piece[2:] for piece in parameters if piece.startswith("q=")]
        if media_range:
            yield media_range, _number(weights[0]) if weights else 1.0


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 1.0
    return number if 0 <= number <= 1 else 1.0


def _weight(media_type: str, ranges: list[tuple[str, float]]) -> float:
    """Return the weight of the most specific range that has a media type."""
    for media_range in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        weights = [weight for found, weight in ranges if found == media_range]
        if weights:
            return max(weights)
    return 0.0
