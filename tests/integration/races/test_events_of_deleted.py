"""Events about runs and datasets that are deleted at that moment."""

from collections.abc import Callable

import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.commit import commit
from lineagegraph.store.admin import retention
from tests.events import run_event
from tests.integration.races.overlap import overlap

RUN, ABOVE = new_id(), (new_id(), "batch")


def event(run: str, kind: str) -> Batch:
    return extract(
        [run_event("batch.task", kind, run_id=run, parent=ABOVE, outputs=(("file", "/gold"),))]
    )


def delete_runs(tx: Transaction) -> None:
    retention.delete_runs(tx, ids=[RUN, ABOVE[0]])


def delete_datasets(tx: Transaction) -> None:
    tx.run("MATCH (d:Dataset) DETACH DELETE d")


@pytest.mark.parametrize("delete", [delete_runs, delete_datasets])
@pytest.mark.parametrize("run", [RUN, new_id()], ids=["same", "sibling"])
def test_an_event_is_stored(graph: Graph, delete: Callable[[Transaction], None], run: str) -> None:
    graph.write(commit, event(RUN, "START"))
    overlap(graph, delete, lambda tx: commit(tx, event(run, "COMPLETE")))
    (row,) = graph.query("MATCH (r:Run {id: $run}) RETURN r.state AS state", {"run": run})
    assert row["state"] == "COMPLETED"
    assert graph.query("MATCH (d:Dataset) RETURN d.name AS name") == [{"name": "/gold"}]
