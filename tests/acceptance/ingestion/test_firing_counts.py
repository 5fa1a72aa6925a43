"""How often triggers fire on completions that many clients post at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Pick, Trigger
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

A, B = (OnStatus(job=name, statuses=(RunState.COMPLETED,)) for name in "ab")
RULES = {"leaf": A, "or": A | B, "and": A & B, "two": A.times(2)}
EACH = 64
FIRED = """
MATCH (t:Trigger)-[:FIRED]->(f)
RETURN t.name AS name, count(DISTINCT f) AS n, COUNT { (t)-[:FIRED]->()-[:CONSUMED]->() } AS used
"""


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("clients", [1, 8, 64])
def test_the_count_depends_on_neither_the_clients_nor_the_size_of_their_batches(
    client: httpx.Client, graph: Graph, clients: int, size: int
) -> None:
    picks = {
        f"{name} {pick}": Trigger(when=when, pick=pick)
        for name, when in RULES.items()
        for pick in Pick
    }
    graph.write(write_rules, picks, datetime.now(UTC))
    now = datetime.now(UTC)
    events = [run_event(job, run_id=new_id(), at=now) for job in "ab" * EACH]

    def post(first: int) -> None:
        batch = events[first : first + size]
        answer = client.post("/api/v1/lineage/batch", json=batch)
        assert answer.json()["status"] == "success"

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(post, range(0, len(events), size)))
    found = {row["name"]: (row["n"], row["used"]) for row in graph.query(FIRED)}
    counts = {name: n for name, (n, _) in found.items() if name.endswith("first")}
    assert counts == {
        "leaf first": EACH,
        "or first": 2 * EACH,
        "and first": EACH,
        "two first": EACH // 2,
    }
    # Rules that join what waits fire less often, and consume each occurrence once all the same.
    for pick in ("latest", "all"):
        for name, most in (("leaf", EACH), ("or", 2 * EACH)):
            n, used = found[f"{name} {pick}"]
            assert 1 <= n <= most
            assert used == most
