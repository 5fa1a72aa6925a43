"""A dataset with several names is one in details, comparisons, reruns and deletions."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.admin.hide import hide_namespace
from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.graph import Graph
from lineagegraph.model.change import Change
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.datasets.dataset_details import describe_with_origins
from lineagegraph.queries.find.find import list_columns_now
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.versions.run_diff import diff_runs
from lineagegraph.settings import Settings
from lineagegraph.store.datasets.dataset_versions import list_versions
from lineagegraph.store.jobs.details import list_reads
from lineagegraph.store.runs.reruns import list_replaced
from lineagegraph.views.explorer import ExplorerView
from tests.events import run_event
from tests.integration.ingest.test_other_names import FILE, TABLE, about, send, symlinks

START = datetime(2026, 3, 1, tzinfo=UTC)
Name = tuple[str, str]


def write(number: int, *names: Name, columns: str = "a", **facets: Any) -> dict[str, Any]:
    event = run_event("write", at=START + timedelta(hours=number), outputs=names)
    schema = {"schema": {"fields": [{"name": name} for name in columns]}}
    for output in event["outputs"]:
        output["facets"] = schema | facets
    return event


def read(number: int, name: Name) -> dict[str, Any]:
    at = START + timedelta(hours=number)
    return run_event("read", at=at, inputs=(name,), outputs=(("file", "/report"),))


def run_of(event: dict[str, Any]) -> str:
    return str(event["run"]["runId"])


def replaced(graph: Graph, run_id: str) -> list[str | None]:
    versions = [use.version or "" for use in graph.read(list_reads, ids=[run_id])]
    return [one.run_id for one in graph.read(list_replaced, keys=versions)]


def test_an_input_that_is_written_again_under_another_name_is_replaced(graph: Graph) -> None:
    first, original = write(1, FILE, **symlinks(TABLE)), read(2, TABLE)
    send(graph, first, original)
    assert replaced(graph, run_of(original)) == []
    again = write(3, TABLE)
    send(graph, again)
    assert replaced(graph, run_of(original)) == [run_of(again)]


def test_one_write_under_two_names_replaces_nothing(graph: Graph) -> None:
    both, original = write(1, FILE, TABLE, **symlinks(TABLE)), read(3, FILE)
    late = write(2, TABLE)
    late["run"] = both["run"]
    send(graph, both, late, original)
    assert replaced(graph, run_of(original)) == []


def test_a_namespace_takes_the_other_names_of_its_datasets_with_it(graph: Graph) -> None:
    send(graph, write(1, FILE, **symlinks(TABLE)), read(2, TABLE))
    graph.write(hide_namespace, FILE[0], inherit=True)
    found = walk_lineage(graph, "job:default:read", LineageScope())
    assert found.datasets == []
    send(graph, write(3, FILE))
    found = walk_lineage(graph, "job:default:read", LineageScope())
    assert "/wh/t" in [one.name for one in found.datasets]


def test_a_namespace_of_other_names_alone_leaves_the_dataset(graph: Graph) -> None:
    send(graph, write(1, FILE, **symlinks(TABLE)), read(2, TABLE))
    graph.write(hide_namespace, TABLE[0], inherit=True)
    found = walk_lineage(graph, "job:default:write", LineageScope())
    assert [one.name for one in found.datasets] == ["/wh/t"]


def test_a_dataset_has_the_facets_of_its_last_version_and_all_tags_under_each_name(
    graph: Graph,
) -> None:
    counted = {"outputStatistics": {"rowCount": 1}}
    first, last = write(1, FILE, **symlinks(TABLE)), write(2, TABLE)
    first["outputs"][0]["outputFacets"] = counted
    last["outputs"][0]["outputFacets"] = {"outputStatistics": {"rowCount": 2}}
    send(graph, first, last)
    keys = [dataset_key(*FILE), dataset_key(*TABLE)]
    for key, tag in zip(keys, ("pii", "gold"), strict=True):
        attach_tags(graph, key, [tag])
    details = graph.read(describe_with_origins, keys)
    assert len({one.row.version for one in details}) == 1
    counts = [msgspec.json.decode(one.facets["outputStatistics"]) for one in details]
    assert [count["rowCount"] for count in counts] == [2, 2]
    versions = graph.query("MATCH (v:DatasetVersion) RETURN v.key AS key")
    rows = graph.read(list_versions, keys=[row["key"] for row in versions])
    assert {row.tags for row in rows} == {("gold", "pii")}


def test_two_runs_that_use_one_dataset_by_other_names_are_compared(graph: Graph) -> None:
    send(graph, about(FILE, symlinks(TABLE)))
    first, last = write(1, FILE), write(2, TABLE, columns="ab")
    send(graph, first, last)
    (output,) = diff_runs(graph, run_of(first), run_of(last), inherit=True).outputs
    assert (output.name, output.change) == ("db.t", Change.CHANGED)
    assert [column.name for column in output.columns] == ["b"]


def test_a_column_of_another_name_is_followed_and_listed_once(
    graph: Graph, server: ServerAddress
) -> None:
    send(graph, write(1, FILE, **symlinks(TABLE)), write(2, TABLE, columns="ab"), read(3, TABLE))
    assert list_columns_now(graph, dataset_key(*FILE)) == ["a", "b"]
    explorer = ExplorerView(graph, Settings())
    assert explorer.answer_column(dataset_key(*FILE), "b").impact == []
    assert len(explorer.answer_readers(dataset_key(*FILE), "b")) <= 1
