"""Lineage of some runs: the latest, those since a time, those for a partition; and by region."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Teller
from tests.acceptance.marquez.test_lineage import flows, lineage
from tests.events import run_event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Partition = dict[str, str]


def run(
    tell: Teller,
    job: str,
    hour: int,
    inputs: list[str],
    outputs: list[str],
    partition: Partition | None = None,
    event_type: str = "COMPLETE",
) -> None:
    """Tell of one run, with the part of its data that it is for."""
    event = run_event(job, event_type, run_id=new_id(), at=NOON + timedelta(hours=hour))
    event["inputs"] = [{"namespace": "lake", "name": name} for name in inputs]
    event["outputs"] = [{"namespace": "lake", "name": name} for name in outputs]
    if partition:
        event["run"]["facets"]["lineagegraph"] = {"partition": partition}
    tell.tell(event)


@pytest.fixture
def told(tell: Teller) -> Teller:
    """A job that changed its input, between others; its newest run still goes on."""
    run(tell, "make", 0, [], ["old"])
    run(tell, "sum", 1, ["old"], ["gold"])
    run(tell, "sum", 2, ["new"], ["gold"])
    run(tell, "sum", 3, ["newest"], ["gold"], event_type="START")
    run(tell, "tell", 4, ["gold"], ["report"])
    return tell


def test_only_what_the_latest_run_to_end_used_is_walked(client: httpx.Client, told: Teller) -> None:
    nodes = lineage(client, "dataset:lake:report", runs="latest")
    assert flows(nodes) == {("new", "sum"), ("sum", "gold"), ("gold", "tell"), ("tell", "report")}
    data = nodes["job:default:sum"]["data"]
    assert data["latestRun"]["state"] == "COMPLETED"
    assert [one["name"] for one in data["inputs"]] == ["new"]
    every = flows(lineage(client, "dataset:lake:report", runs="all"))
    assert {("make", "old"), ("old", "sum"), ("newest", "sum")} <= every


def test_only_runs_since_a_time_and_up_to_one_count(client: httpx.Client, told: Teller) -> None:
    since = (NOON + timedelta(hours=2)).isoformat()
    late = flows(lineage(client, "dataset:lake:report", since=since))
    assert {edge[0] for edge in late if edge[1] == "sum"} == {"new", "newest"}
    at = (NOON + timedelta(hours=2, minutes=30)).isoformat()
    nodes = lineage(client, "dataset:lake:gold", since=since, at=at)
    assert flows(nodes) == {("new", "sum"), ("sum", "gold")}


def tell_regions(tell: Teller) -> None:
    uk, jp = ({"region": region, "hour": "1"} for region in ("UK", 'J"P,'))
    run(tell, "load", 0, ["uk"], ["raw"], uk)
    run(tell, "load", 1, ["jp"], ["raw"], jp)
    run(tell, "load", 2, ["jp"], ["raw"], jp | {"hour": "2"}, event_type="FAIL")
    run(tell, "load", 3, ["sly"], ["raw"], {'x","region': "UK", "y": '{"region":"UK"'})
    run(tell, "sum", 4, ["raw"], ["gold"], uk)


@pytest.mark.parametrize("partition", ["region=UK", "region=UK,hour=1", '{"region": "UK"}'])
def test_only_runs_for_a_partition_count(
    client: httpx.Client, tell: Teller, partition: str
) -> None:
    tell_regions(tell)
    nodes = lineage(client, "dataset:lake:gold", partition=partition)
    assert flows(nodes) == {("uk", "load"), ("load", "raw"), ("raw", "sum"), ("sum", "gold")}
    latest = nodes["job:default:load"]["data"]["latestRun"]
    assert latest["partition"] == {"hour": "1", "region": "UK"}


def test_a_partition_that_is_none_is_refused(client: httpx.Client, tell: Teller) -> None:
    tell_regions(tell)
    for bad in ("region", "=UK", "{", "region=UK,"):
        query = {"nodeId": "dataset:lake:gold", "partition": bad}
        assert client.get("/api/v1/lineage", params=query).status_code == 400


def test_runs_are_told_apart_by_a_part_of_the_partition(client: httpx.Client, tell: Teller) -> None:
    tell_regions(tell)
    nodes = lineage(client, "dataset:lake:gold", groupBy="region")
    by_region: dict[str, list[dict[str, Any]]] = {
        name: nodes[name]["data"]["partitions"]
        for name in ("job:default:load", "dataset:lake:raw", "job:default:sum")
    }
    said = {
        name: [(one["value"], one["state"]) for one in partitions]
        for name, partitions in by_region.items()
    }
    both = [('J"P,', "FAILED"), ("UK", "COMPLETED")]
    assert said["job:default:load"] == said["dataset:lake:raw"] == both
    assert said["job:default:sum"] == [("UK", "COMPLETED")]
    assert by_region["job:default:load"][0]["latestRun"]["partition"]["hour"] == "2"
