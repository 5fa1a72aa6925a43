"""What the HTTP API asks is found by indexes: no statement of it reads all nodes of a label."""

from datetime import UTC, datetime
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.graph.statements import list_statements, statement

ASKED = (
    *("addresses/", "details/", "listings/"),
    *("dataset_versions/", "job_versions/", "run_lineage/"),
    *(f"backfills/{one}" for one in ("due_", "list_unstarted", "list_latest", "list_partitions")),
    *("schedules/get_", "schedules/list_", "as_was/"),
    *("silence/due_", "state_changes/list_"),
    *("namespaces/get_", "search/", "sources/list_", "stats/", "tags/list_", "tags/count_"),
)
ALL_OF_A_KIND = {"jobs/search/list_tagged", "triggers/schedules/list_ids"}
"""Go over all tags, which are few, and over all triggers, which are asked for."""
NAMES = [
    name
    for name in list_statements()
    if any(f"/{one}" in name for one in ASKED) and name not in ALL_OF_A_KIND
]
FOUND_BY = ("Index", "ProcedureCall")
ORDERED = (
    *(f"listings/list_{what}" for what in ("runs", "jobs", "jobs_in", "datasets")),
    "datasets/dataset_versions/list_keys",
    *("triggers/backfills/list_unstarted", "triggers/backfills/list_partitions"),
)
SCANS = {
    *("AllNodesScan", "NodeByLabelScan"),
    *("DirectedRelationshipTypeScan", "UndirectedRelationshipTypeScan"),
}
PARAMETERS = {
    **{name: ["x"] for name in ("keys", "ids", "names", "hashes")},
    **dict.fromkeys(("key", "id", "namespace", "prefix", "application", "version"), "x"),
    **dict.fromkeys(("since", "until"), datetime(2026, 1, 1, tzinfo=UTC)),
    "statuses": ["FAILED"],
    "rows": [{"namespace": "a", "name": "b", "alias_key": "c"}],
    "name": "x",
    "text": "x",
    "columns": True,
    "states": ["FAILED"],
    "job_key": "x",
    "after": 0,
    "most": 10,
    "limit": 10,
    "offset": 0,
    "runs": 10,
    "inherit": True,
    "ages": {"*": 60.0},
    "shortest": 60.0,
    "until": 2,
    "now": None,
    "scope": "run",
}


def operators(plan: dict[str, Any]) -> list[str]:
    below = [name for child in plan.get("children", ()) for name in operators(child)]
    return [plan["operatorType"].partition("@")[0], *below]


def plan_of(graph: Graph, name: str) -> list[str]:
    with graph.autocommit() as session:
        plan = session.run("EXPLAIN " + statement(name), PARAMETERS).consume().plan
    assert plan is not None
    return operators(plan)


@pytest.mark.parametrize("name", NAMES)
def test_no_read_goes_over_all_nodes_of_a_label(graph: Graph, name: str) -> None:
    found = plan_of(graph, name)
    assert not SCANS & set(found)
    assert any(by in operator for operator in found for by in FOUND_BY)


@pytest.mark.parametrize("name", ORDERED)
def test_a_long_list_comes_out_of_its_index_in_order(graph: Graph, name: str) -> None:
    assert not {"Sort", "Top"} & set(plan_of(graph, name))


@pytest.mark.parametrize("way", ["upstream", "downstream"])
def test_a_walk_comes_to_each_node_once_and_not_by_every_path(graph: Graph, way: str) -> None:
    found = plan_of(graph, f"lineage/walk_{way}")
    assert "VarLengthExpand(Pruning,BFS,All)" in found
    assert not any(name.startswith("VarLengthExpand(All") for name in found)
