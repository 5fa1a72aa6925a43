"""Long lists of keys that are read in parts at once."""

from typing import Any

import pytest

from lineagegraph.graph import Graph, Transaction, parts, read_in_parts
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import job_key
from lineagegraph.queries.lineage.described_lineage import (
    DescribedLineage,
    describe_lineage,
    describe_namespace,
)
from tests.events import run_event

KEYS = [f"key {number}" for number in range(10)]


@pytest.fixture(autouse=True)
def three_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_AT_ONCE", 3)
    monkeypatch.setattr(parts, "_SMALLEST", 2)


def echo(tx: Transaction, keys: list[str]) -> list[str]:
    return [record["key"] for record in tx.run("UNWIND $keys AS key RETURN key", {"keys": keys})]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10])
def test_what_is_read_in_parts_is_in_the_order_of_the_keys(graph: Graph, count: int) -> None:
    keys = KEYS[:count]
    assert graph.read(lambda tx: read_in_parts(graph, tx, echo, keys)) == keys


def test_a_long_list_is_read_in_transactions_of_their_own(graph: Graph) -> None:
    seen = []

    def note(tx: Transaction, keys: list[str]) -> list[str]:
        seen.append(tx)
        return keys

    graph.read(lambda tx: read_in_parts(graph, tx, note, KEYS))
    assert len({id(tx) for tx in seen}) == 3


def test_an_error_in_one_part_is_the_error_of_the_read(graph: Graph) -> None:
    def fail(tx: Transaction, keys: list[str]) -> list[str]:
        if "key 5" in keys:
            raise LookupError("key 5")
        return keys

    with pytest.raises(LookupError, match="key 5"):
        graph.read(lambda tx: read_in_parts(graph, tx, fail, KEYS))


def test_lineage_is_the_same_in_parts(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[Any] = [{"namespace": "lake", "name": f"table {n}"} for n in range(9)]
    events = [
        {**run_event(f"job {n}", "COMPLETE"), "inputs": [tables[n]], "outputs": [tables[n + 1]]}
        for n in range(8)
    ]
    graph.write(record, extract(events))
    first = job_key(None, "default", "job 0")

    def read() -> tuple[DescribedLineage, DescribedLineage]:
        around = describe_lineage(graph, first, 40, 40, inherit=True)
        return around, describe_namespace(graph, "default", 40, 40, inherit=True)

    in_parts = read()
    monkeypatch.setattr(parts, "_SMALLEST", 1000)
    assert in_parts == read()
    assert len(in_parts[0].jobs) == 8
