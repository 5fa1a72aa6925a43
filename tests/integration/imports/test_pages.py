"""Pages of a server that is imported: repeated ones, and items that nobody can read."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lineagegraph.admin.imports import MarquezSource, import_events
from lineagegraph.admin.imports.catalog import import_catalog
from lineagegraph.admin.imports.source import PAGE, SourcePage
from lineagegraph.errors import SourceFailed
from lineagegraph.graph import Graph
from tests.acceptance.imports.recorder import Recorder
from tests.events import run_event
from tests.integration.imports.test_undo import Listed
from tests.integration.retention.histories import START

DEEP = "[" * 10_000 + "]" * 10_000


class WithoutOffset(Listed):
    """A source that gives the first page for each offset."""

    def read_events(self, after: str, offset: int) -> SourcePage:
        return super().read_events(after, 0)

    def read(self, path: str, **query: str | int) -> dict[str, Any]:
        return {"tags": [{"name": f"tag {number}"} for number in range(PAGE)]}


def test_an_import_of_a_server_that_ignores_the_offset_of_events_ends(graph: Graph) -> None:
    events = [run_event(f"job {number}", at=START) for number in range(PAGE + 1)]
    with pytest.raises(SourceFailed, match="ignores the parameter offset"):
        import_events(graph, WithoutOffset(events))


def test_an_import_of_a_server_that_ignores_the_offset_of_tags_ends(graph: Graph) -> None:
    with pytest.raises(SourceFailed, match="200 of tags again and again"):
        import_catalog(graph, WithoutOffset([]), "x", frozenset())


@pytest.fixture
def deep() -> Iterator[MarquezSource]:
    """A server with two events and two tags between those that are nested too deeply."""

    def answer(path: str) -> tuple[int, bytes]:
        if "/events/" in path:
            events = [json.dumps(run_event(name)) for name in ("a", 'b]}"')]
            bad = [f'{{"eventType": {DEEP}, "number": {number}}}' for number in range(2)]
            items = [events[0], *bad, events[1]]
            return 200, f'{{"events": [{", ".join(items)}], "totalCount": 4}}'.encode()
        if "/tags" in path:
            return (
                200,
                f'{{"tags": [{{"name": "x", "description": {DEEP}}}, {{"name": "y"}}]}}'.encode(),
            )
        return 200, b"{}"

    with Recorder(None) as recorder:
        recorder.answer = answer  # type: ignore[method-assign]
        with MarquezSource(recorder.url) as source:
            yield source


@pytest.mark.parametrize("namespaces", [frozenset[str](), frozenset({"default"})])
def test_what_is_nested_too_deeply_is_refused_and_the_rest_imported(
    graph: Graph, deep: MarquezSource, namespaces: frozenset[str]
) -> None:
    done = import_events(graph, deep, namespaces=namespaces)
    assert (done.events, done.refused) == (2, 0 if namespaces else 2)
    rows = graph.query("MATCH (n:Job|Tag) RETURN coalesce(n.fqn, n.name) AS name ORDER BY name")
    assert [row["name"] for row in rows] == ["a", 'b]}"', "y"]


def test_a_page_that_is_itself_nested_too_deeply_is_an_error() -> None:
    with Recorder(None) as recorder:
        recorder.answer = lambda path: (200, DEEP.encode())  # type: ignore[method-assign]
        with MarquezSource(recorder.url) as source, pytest.raises(SourceFailed, match="JSON"):
            source.read("/api/v1/tags")
