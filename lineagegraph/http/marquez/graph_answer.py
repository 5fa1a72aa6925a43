"""A graph as an answer: nodes in JSON, a node a line, or a drawing."""

from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import LineageGraph, to_dot, to_mermaid, to_svg
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

_DRAWINGS = {DOT: to_dot, MERMAID: to_mermaid, SVG: to_svg}


def graph_answer(
    request: Request, shape: Callable[[], dict[str, Any]], picture: Callable[[], LineageGraph]
) -> Response:
    """Answer with a graph; only what the format needs is made.

    `shape` gives the JSON, which has its nodes under `graph`; `picture` is what is drawn.
    """
    chosen = choose_format(request, GRAPHS)
    if chosen in _DRAWINGS:
        return formatted(chosen, _DRAWINGS[chosen](picture()))
    found = shape()
    body = to_ndjson(found["graph"]) if chosen is NDJSON else msgspec.json.encode(found)
    return formatted(chosen, body)
