"""A small shop's lineage: two pipelines, columns, owners, a failed task, a stale table."""

from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.admin.freshness import set_terms
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import find_node
from tests.events import run_event

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>'"
DAY = datetime(2026, 3, 1, 6, tzinfo=UTC)
COLUMNS = ("id", "amount", "day")


def fill_shop(graph: Graph, *more: str) -> None:
    """Write `sales` (clean > daily) on the first day, and `board.report` on the second.

    The report writes `more` tables too.
    """
    sales, board = new_id(), new_id()
    events = [
        run_event("sales", run_id=sales, at=DAY),
        _task("clean", DAY, (sales, "sales"), ["raw/orders"], ["orders"]),
        _task("daily", DAY, (sales, "sales"), ["orders", "customers"], ["revenue"]),
        run_event("board", run_id=board, at=DAY + timedelta(days=1)),
        _task("report", DAY + timedelta(days=1), (board, "board"), ["revenue"], ["kpi", *more]),
    ]
    events[-1]["eventType"] = "FAIL"
    graph.write(record, extract(events))
    terms = Terms(freshness=Freshness(max_age=3600), grace=60)
    set_terms(graph, find_node(graph, "dataset:lake:kpi").key, terms)


def _task(
    name: str, at: datetime, parent: tuple[str, str], reads: list[str], writes: list[str]
) -> dict[str, Any]:
    event = run_event(
        f"{parent[1]}.{name}",
        at=at,
        parent=parent,
        inputs=tuple(("lake", table) for table in reads),
        outputs=tuple(("lake", table) for table in writes),
    )
    event["job"]["facets"]["ownership"] = {"owners": [{"name": "team:sales", "type": "OWNER"}]}
    for dataset in (*event["inputs"], *event["outputs"]):
        fields = [{"name": column, "type": "string"} for column in COLUMNS]
        dataset["facets"] = {"schema": {"fields": fields}}
    for dataset in event["outputs"]:
        dataset["facets"]["columnLineage"] = {
            "fields": {
                column: {"inputFields": [{"namespace": "lake", "name": reads[0], "field": column}]}
                for column in COLUMNS
            }
        }
    return event
