"""Nothing that is done again and again goes over all waits or all sensors."""

import re
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.graph.statements import statement
from tests.integration.sensors.theatre import at

AGAIN_AND_AGAIN = (
    *("list_sensing", "settle_taken", "settle_pokes", "settle_met", "settle_demand"),
    *("due_attempts", "claim_attempts", "settle_attempts", "settle_ended", "settle_roots"),
    *("due_turned", "settle_turned", "link_wait", "get_wait", "list_settled", "get_heard"),
    *("list_shards", "list_watched"),
)
ROW = {"id": "x", "run_id": "x", "began_at": at(0), "is_true": True}
GIVEN = {
    "rows": [ROW],
    "ids": ["x"],
    "run_ids": ["x"],
    **dict.fromkeys(("id", "run_id", "root_id"), "x"),
    "shards": [1],
    "since": at(0),
    "most": 10,
}
SCANS = ("AllNodesScan", "NodeByLabelScan", "RelationshipTypeScan")


def operators(plan: dict[str, Any]) -> list[str]:
    below = [name for child in plan.get("children", ()) for name in operators(child)]
    return [plan["operatorType"].partition("@")[0], *below]


@pytest.mark.parametrize("name", AGAIN_AND_AGAIN)
def test_a_round_asks_indexes(connection: Graph, name: str) -> None:
    text = re.sub(r"\$(\w+)", r"$given.\1", statement(f"sensors/{name}"))
    with connection.autocommit() as session:
        plan = session.run("EXPLAIN " + text, {"given": GIVEN}).consume().plan
    assert plan is not None
    found = operators(plan)
    assert not [one for one in found if one.endswith(SCANS)]
    assert any("IndexSeek" in one for one in found)
