"""Which format an answer has."""

import pytest
from starlette.requests import Request

from lineagegraph.http.plumbing.formats import GRAPHS, LISTS, choose_format
from lineagegraph.http.plumbing.refusal import RequestRefused


def request(accept: str | None = None, query: str = "") -> Request:
    headers = [] if accept is None else [(b"accept", accept.encode())]
    return Request({"type": "http", "headers": headers, "query_string": query.encode()})


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "json"),
        ("", "json"),
        ("*/*", "json"),
        ("text/html,application/xml;q=0.9,*/*;q=0.8", "json"),
        ("image/svg+xml", "svg"),
        ("image/*", "svg"),
        ("IMAGE/SVG+XML;charset=utf-8", "svg"),
        ("text/*", "dot"),
        ("text/vnd.mermaid;q=0.9, text/vnd.graphviz;q=0.8", "mermaid"),
        ("application/json;q=0.5, application/x-ndjson", "ndjson"),
        ("application/x-ndjson, application/json", "json"),
        ("application/json;q=0, */*;q=0.1", "ndjson"),
        ("application/json;q=nonsense, image/*;q=0.9", "json"),
    ],
)
def test_the_range_of_the_largest_weight_decides(accept: str | None, chosen: str) -> None:
    assert choose_format(request(accept), GRAPHS).name == chosen


def test_what_is_not_served_is_refused_with_what_is() -> None:
    with pytest.raises(RequestRefused, match="application/json, application/x-ndjson") as refused:
        choose_format(request("image/svg+xml, */*;q=0"), LISTS)
    assert refused.value.status == 406


def test_a_format_in_the_query_is_stronger_than_the_header() -> None:
    assert choose_format(request("application/json", "format=SVG"), GRAPHS).name == "svg"
    with pytest.raises(RequestRefused, match="json, ndjson") as refused:
        choose_format(request(None, "format=svg"), LISTS)
    assert refused.value.status == 400
