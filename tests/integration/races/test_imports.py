"""Imports that are undone while they go on, or that begin as another is undone."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import pytest

from lineagegraph.admin.imports import (
    MarquezSource,
    import_events,
    replay,
    undo,
    undo_import,
)
from lineagegraph.admin.imports.source import SourcePage
from lineagegraph.errors import SourceFailed
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin import imports, tags
from lineagegraph.store.admin.imports import Import
from tests.events import run_event
from tests.integration.imports.test_undo import Listed
from tests.integration.races.overlap import overlap
from tests.integration.retention.histories import START

Step = Callable[[Transaction], object]


class Described(Listed):
    """A source with a tag, which does something else once it is asked for its tags."""

    def __init__(self, url: str, then: Callable[[], object] = lambda: None) -> None:
        super().__init__([run_event("load")])
        self.url = url
        self._then = then

    def read(self, path: str, **query: str | int) -> dict[str, Any]:
        if path != "/api/v1/tags":
            return {}
        self._then()
        return {"tags": [{"name": "gold"}]}


def states(graph: Graph) -> list[str]:
    rows = graph.query("MATCH (i:Import) RETURN i.state AS state ORDER BY i.started_at")
    return [row["state"] for row in rows]


def undo_all(graph: Graph) -> None:
    (row,) = graph.query("MATCH (i:Import) RETURN i.id AS id")
    undo_import(graph, row["id"])


def test_an_import_that_is_undone_while_it_reads_the_catalog_leaves_nothing(graph: Graph) -> None:
    with pytest.raises(SourceFailed, match="was undone"):
        import_events(graph, Described("http://a", lambda: undo_all(graph)))
    assert graph.query("MATCH (n:Import|Tag|Run) RETURN n") == []


class Cut(Listed):
    """A source of events of one time, which is away once a number of pages were read."""

    pages = 1

    def read_events(self, after: str, offset: int) -> SourcePage:
        if not self.pages:
            raise SourceFailed("away")
        self.pages -= 1
        return SourcePage(self.events[offset:][: replay.PAGE], len(self.events))


def test_events_that_are_refused_count_once_also_if_the_import_goes_on(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "PAGE", 3)
    source = Cut([run_event(f"job{number}", at=START) for number in range(4)])
    for event in source.events[1:3]:
        event["job"] = None
    # No UTF-8 has it.
    source.events[2]["producer"] = "\ud800"
    with pytest.raises(SourceFailed, match="away"):
        import_events(graph, source)
    source.pages = 9
    done = import_events(graph, source)
    assert (done.events, done.refused) == (2, 2)


def test_of_two_imports_of_a_source_at_once_one_waits_for_the_other(graph: Graph) -> None:
    later: list[Future[Import]] = []

    class Met(Listed):
        def read_events(self, after: str, offset: int) -> SourcePage:
            later.append(threads.submit(import_events, graph, Listed(self.events)))
            wait(later, timeout=1)
            return super().read_events(after, offset)

    with ThreadPoolExecutor(1) as threads:
        done = import_events(graph, Met([run_event("load")]))
        assert (done.state, later[0].result().state) == ("DONE", "DONE")
    assert graph.query("MATCH (l:Lease) RETURN l") == []


def test_an_import_that_ends_while_it_is_being_undone_does_not_count_as_done(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(tx: object, import_id: str, limit: int) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(undo, "_delete_tagged", stop)

    def begin_undo() -> None:
        with pytest.raises(KeyboardInterrupt):
            undo_all(graph)

    with pytest.raises(SourceFailed, match="being undone"):
        import_events(graph, Described("http://a", begin_undo))
    assert states(graph) == ["UNDOING"]


def begin_another(tx: Transaction) -> object:
    return replay._begin(tx, Described("http://b"), [], replay.START)


def test_an_import_is_not_undone_if_another_begins_at_that_moment(graph: Graph) -> None:
    first = import_events(graph, Described("http://a"))
    with pytest.raises(SourceFailed, match="it builds on this one"):
        overlap(graph, begin_another, lambda tx: undo._begin(tx, first.id))
    assert states(graph) == ["DONE", "RUNNING"]


def test_an_import_does_not_begin_if_another_is_undone_at_that_moment(graph: Graph) -> None:
    first = import_events(graph, Described("http://a"))
    with pytest.raises(SourceFailed, match="finish that first"):
        overlap(graph, lambda tx: undo._begin(tx, first.id), begin_another)
    assert states(graph) == ["UNDOING"]


@pytest.fixture
def tagged(graph: Graph) -> str:
    """An import that described a tag and gave it to a job; its id."""
    tag = {"name": "gold", "description": None}
    graph.query(
        "CREATE (:Import {id: 'i', state: 'UNDOING'}), (:Job {key: 'j', fqn: 'j', namespace: 'n'})",
        write=True,
    )
    graph.write(imports.merge_catalog, import_id="i", namespaces=[], sources=[], tags=[tag])
    row = {"namespace": "n", "name": "j", "tag": "gold"}
    graph.write(imports.link_tags, import_id="i", jobs=[row], datasets=[], fields=[])
    return "i"


def tag_job(tx: Transaction) -> None:
    tags.link_tags(tx, key="j", names=["gold"], now=None)


def untag(tx: Transaction) -> None:
    imports.delete_tagged(tx, import_id="i", limit=9)


def delete_catalog(tx: Transaction) -> None:
    imports.delete_catalog(tx, import_id="i", limit=9)


@pytest.mark.usefixtures("tagged")
@pytest.mark.parametrize("steps", [(tag_job, untag), (untag, tag_job)])
def test_a_tag_that_a_person_attaches_while_an_import_detaches_it_stays(
    graph: Graph, steps: tuple[Step, Step]
) -> None:
    overlap(graph, *steps)
    assert graph.query("MATCH (:Job)-[t:TAGGED]->() RETURN t.import_id AS id") == [{"id": None}]


@pytest.mark.usefixtures("tagged")
@pytest.mark.parametrize("steps", [(tag_job, delete_catalog), (delete_catalog, tag_job)])
def test_a_tag_that_a_person_attaches_while_an_import_deletes_it_stays(
    graph: Graph, steps: tuple[Step, Step]
) -> None:
    graph.write(untag)
    overlap(graph, *steps)
    assert graph.query("MATCH (:Job)-->(t:Tag) RETURN t.name AS name") == [{"name": "gold"}]


def describe(tx: Transaction) -> None:
    tags.merge_tag(tx, name="gold", description="the best", now=None)


@pytest.mark.usefixtures("tagged")
@pytest.mark.parametrize("steps", [(describe, delete_catalog), (delete_catalog, describe)])
def test_a_tag_that_a_person_describes_while_an_import_deletes_it_stays(
    graph: Graph, steps: tuple[Step, Step]
) -> None:
    graph.write(untag)
    overlap(graph, *steps)
    assert graph.query("MATCH (t:Tag) RETURN t.description AS text") == [{"text": "the best"}]


def test_an_interrupted_import_is_continued_for_the_same_user_only(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "PAGE", 3)
    first = Cut([run_event(f"first{number}", at=START) for number in range(4)])
    other = Cut([run_event(f"other{number}", at=START) for number in range(4)])
    with (
        MarquezSource("https://ann:one@marquez") as ann,
        MarquezSource("https://bob@marquez") as bob,
    ):
        first.account, other.account = ann.account, bob.account
    with pytest.raises(SourceFailed, match="away"):
        import_events(graph, first)
    first.pages = other.pages = 9
    assert import_events(graph, other).events == 4
    assert import_events(graph, first).events == 4
    assert states(graph) == ["DONE", "DONE"]


def test_a_user_is_kept_with_another_password_but_not_by_name() -> None:
    with (
        MarquezSource("http://ann:one@marquez") as one,
        MarquezSource("http://ann:two@marquez") as two,
    ):
        assert one.account == two.account
        assert "ann" not in f"{one.account}{one.url}"
