"""A graph as an answer: nodes in JSON, a node a line, or a drawing."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.http.plumbing.answers import AnswerStruct
from lineagegraph.http.plumbing.formats import (
    DOT,
    GRAPHS,
    MERMAID,
    NDJSON,
    SVG,
    choose_format,
    formatted,
    to_ndjson,
)
from lineagegraph.http.plumbing.operations import DRAWING_TYPES, NDJSON_TYPE, ApiParameter, Reply
from lineagegraph.queries.lineage.lineage_graph import LineageGraph

GRAPH_FORMAT = ApiParameter(
    "format",
    Literal["json", "ndjson", "dot", "mermaid", "svg"],
    "json",
    "Instead of `Accept`, for clients that cannot set it: `ndjson` has one node per line, the "
    "last three are drawings.",
)
_Depth = Annotated[int, Meta(ge=0, le=10_000)]
_DRAWINGS = {DOT: to_dot, MERMAID: to_mermaid, SVG: to_svg}


def depth(example: int, about: str) -> ApiParameter:
    """Return the parameter of `read_depth`."""
    return ApiParameter("depth", _Depth, example, about, default=20)


class _Graph(Protocol):
    """An answer that has its nodes under `graph`."""

    @property
    def graph(self) -> Sequence[Any]: ...


def graph_reply(about: str, kind: type[AnswerStruct]) -> Reply:
    """Return the description of such an answer."""
    return Reply(about, kind, texts=(NDJSON_TYPE, *DRAWING_TYPES))


def is_drawn(request: Request) -> bool:
    """Return whether a drawing is asked for."""
    return choose_format(request, GRAPHS) in _DRAWINGS


def graph_answer(
    request: Request, shape: Callable[[], _Graph], picture: Callable[[], LineageGraph]
) -> Response:
    """Answer with a graph; `shape` makes its JSON, and `picture` its drawing, as asked for."""
    chosen = choose_format(request, GRAPHS)
    if chosen in _DRAWINGS:
        return formatted(chosen, _DRAWINGS[chosen](picture()))
    found = shape()
    body = to_ndjson(found.graph) if chosen is NDJSON else msgspec.json.encode(found)
    return formatted(chosen, body)
