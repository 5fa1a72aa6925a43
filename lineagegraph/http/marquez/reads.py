"""What all reads need, and how they answer."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.marquez.listing import Listing
from lineagegraph.queries.jobs.pages import Page

T = TypeVar("T")


class Reads(NamedTuple):
    """The graph, and whether jobs are served in the namespace of their topmost ancestor.

    `most_bytes` is how long the body of a request may be.
    """

    graph: Graph
    inherit: bool
    most_bytes: int


def answer(body: Any) -> Response:
    """Answer with JSON."""
    return Response(msgspec.json.encode(body), media_type="application/json")


def page_answer(name: str, page: Page[T], shape: Callable[[T], Any]) -> Response:
    """Answer with a part of a list and the length of the whole, or with an item a line."""
    return Listing(name, [shape(item) for item in page.items], page.total)
