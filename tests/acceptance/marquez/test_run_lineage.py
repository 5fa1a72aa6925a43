"""Lineage of one run and of one version: which run read what another wrote."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx2 as httpx
import pytest

from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.acceptance.marquez.conftest import Teller
from tests.acceptance.marquez.test_lineage import lineage
from tests.events import run_event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Run = tuple[str, str, str]


@pytest.fixture
def days(tell: Teller) -> list[dict[str, str]]:
    """Two days of load > clean > report; the ids of the runs of each day by job."""
    return [_day(tell, NOON + timedelta(days=day)) for day in range(2)]


def _day(tell: Teller, at: datetime) -> dict[str, str]:
    flows = {"load": ((), "raw"), "clean": (("raw",), "orders"), "report": (("orders",), "sales")}
    return {
        name: tell.run(name, inputs=inputs, outputs=(output,), at=at + timedelta(minutes=minute))[0]
        for minute, (name, (inputs, output)) in enumerate(flows.items())
    }


def steps(client: httpx.Client, node: str, runs: dict[str, str], **more: Any) -> set[str]:
    """The edges around a node as `FROM TO`: runs by their jobs, versions by their datasets."""
    found = lineage(client, node, **more)
    names = {f"run:{run}": name for name, run in runs.items()}
    names |= {id_: node["data"]["name"] for id_, node in found.items() if node["type"] != "RUN"}
    return {
        f"{names.get(e['origin'], '?')} {names.get(e['destination'], '?')}"
        for node in found.values()
        for e in node["outEdges"]
    }


def test_a_run_s_lineage_has_the_runs_of_its_own_day_only(
    client: httpx.Client, days: list[dict[str, str]]
) -> None:
    for runs in days:
        found = steps(client, f"run:{runs['clean']}", runs)
        assert found == {"load raw", "raw clean", "clean orders", "orders report", "report sales"}


def test_direction_and_depth_of_a_run_s_lineage(
    client: httpx.Client, days: list[dict[str, str]]
) -> None:
    runs = days[0]
    node = f"run:{runs['clean']}"
    assert steps(client, node, runs, depth=0) == {"raw clean", "clean orders"}
    assert steps(client, node, runs, direction="upstream") == {"load raw", "raw clean"}
    last = f"run:{runs['report']}"
    assert steps(client, last, runs, direction="upstream", depth=1) == {
        *("raw clean", "clean orders", "orders report")
    }
    assert steps(client, node, runs, direction="downstream") == {
        *("clean orders", "orders report", "report sales")
    }


def test_lineage_of_a_version_has_the_run_that_wrote_it_and_those_that_read_it(
    client: httpx.Client, days: list[dict[str, str]]
) -> None:
    versions = client.get("/api/v1/namespaces/lake/datasets/orders/versions").json()["versions"]
    for runs, version in zip(reversed(days), versions, strict=True):
        node = f"dataset:lake:orders#{version['version']}"
        assert steps(client, node, runs, depth=0) == {
            *("raw clean", "clean orders", "orders report", "report sales")
        }
        assert steps(client, node, runs, direction="upstream") == {
            *("load raw", "raw clean", "clean orders")
        }
    unknown = f"dataset:lake:raw#{versions[0]['version']}"
    assert client.get("/api/v1/lineage", params={"nodeId": unknown}).status_code == 404


def test_a_filter_of_runs_is_refused_around_one_run_or_version(
    client: httpx.Client, days: list[dict[str, str]]
) -> None:
    version = client.get("/api/v1/namespaces/lake/datasets/orders").json()["currentVersion"]
    at = NOON.isoformat()
    for node in (f"run:{days[0]['clean']}", f"dataset:lake:orders#{version}"):
        for name, value in (
            *(("at", at), ("runs", "latest"), ("since", at), ("partition", "region=UK")),
            *(("groupBy", "region"), ("view", "group")),
        ):
            answer = client.get("/api/v1/lineage", params={"nodeId": node, name: value})
            assert (answer.status_code, answer.json()["path"]) == (400, name)
        assert lineage(client, node, runs="all", view="jobs") == lineage(client, node)


def test_late_news_of_a_version_changes_who_read_it(
    client: httpx.Client, tell: Teller, days: list[dict[str, str]]
) -> None:
    late = tell.run("fix", outputs=("orders",), at=NOON + timedelta(seconds=90))[0]
    runs = days[0] | {"fix": late}
    assert steps(client, f"run:{late}", runs) == {"fix orders", "orders report", "report sales"}
    assert steps(client, f"run:{runs['clean']}", runs, direction="downstream") == {"clean orders"}


def test_a_run_stands_for_the_runs_below_it(client: httpx.Client, tell: Teller) -> None:
    first = tell.run("load", outputs=("raw",), at=NOON)[0]
    dag = tell.run("dag", at=NOON + timedelta(minutes=2))
    task = tell.run(
        "task", under=dag, inputs=("raw",), outputs=("orders",), at=NOON + timedelta(minutes=1)
    )[0]
    runs = {"load": first, "task": task}
    assert steps(client, f"run:{dag[0]}", runs) == {"load raw", "raw task", "task orders"}
    assert set(lineage(client, f"run:{dag[0]}", depth=0)) >= {f"run:{dag[0]}", f"run:{task}"}


def test_a_run_that_updates_a_dataset_reads_the_version_before(
    client: httpx.Client, tell: Teller
) -> None:
    merges = [
        tell.run("merge", inputs=("orders",), outputs=("orders",), at=NOON + timedelta(hours=hour))
        for hour in range(3)
    ]
    found = lineage(client, f"run:{merges[0][0]}", depth=2)
    assert [id_ for id_ in found if id_.startswith("run:")] == sorted(f"run:{m[0]}" for m in merges)
    near = lineage(client, f"run:{merges[0][0]}", depth=1)
    assert f"run:{merges[2][0]}" not in near


def test_a_run_read_the_latest_version_of_each_partition_that_it_says(
    client: httpx.Client, tell: Teller
) -> None:
    hours = {
        f"{region}{hour}": _partitioned(tell, "hourly", hour, writes=[(region, hour)])
        for hour in range(3)
        for region in ("JP", "UK")
    }
    days = {
        region: _partitioned(tell, "daily", 3, reads=[(region, hour) for hour in range(3)])
        for region in ("JP", "UK")
    }
    again = _partitioned(tell, "hourly", 4, writes=[("JP", 1), ("JP", 0)])
    late = _partitioned(tell, "daily", 5, reads=[("JP", 1), ("JP", 2)])
    runs = {run: name for name, run in (hours | days | {"again": again, "late": late}).items()}

    def around(run: str, direction: str) -> set[str]:
        found = lineage(client, f"run:{run}", direction=direction)
        return {runs[id_[4:]] for id_ in found if id_.startswith("run:")} - {runs[run]}

    assert around(days["JP"], "upstream") == {"JP0", "JP1", "JP2"}
    assert around(days["UK"], "upstream") == {"UK0", "UK1", "UK2"}
    assert around(late, "upstream") == {"again", "JP2"}
    assert around(hours["JP1"], "downstream") == {"JP"}
    assert around(hours["JP2"], "downstream") == {"JP", "late"}
    assert around(again, "downstream") == {"late"}


def test_a_partition_is_found_below_a_thousand_later_versions_of_others(
    client: httpx.Client, tell: Teller
) -> None:
    writer = _partitioned(tell, "hourly", 0, writes=[("JP", 0), ("UK", 0)])
    others = [_event("hourly", n, writes=[("JP", n), ("UK", n)]) for n in range(1, 1002)]
    tell.graph.write(record, extract(others))
    reader = _partitioned(tell, "daily", 1002, reads=[("JP", 0)])
    runs = {"hourly": writer, "daily": reader}
    for run in (writer, reader):
        assert steps(client, f"run:{run}", runs) == {"hourly clicks", "clicks daily"}


def test_the_reader_of_a_partition_is_found_behind_thousands_of_others(
    client: httpx.Client, tell: Teller
) -> None:
    writer = _partitioned(tell, "hourly", 0, writes=[("JP", 0)])
    _partitioned(tell, "hourly", 1, writes=[("UK", 1)])
    others = [_event("daily", n, reads=[("UK", 1)]) for n in range(2, 2003)]
    tell.graph.write(record, extract(others))
    reader = _partitioned(tell, "daily", 3000, reads=[("JP", 0)])
    runs = {"hourly": writer, "daily": reader}
    assert steps(client, f"run:{writer}", runs) == {"hourly clicks", "clicks daily"}


def test_thousands_that_read_a_partition_written_again_do_not_truncate_lineage_of_the_first(
    client: httpx.Client, tell: Teller
) -> None:
    writer = _partitioned(tell, "hourly", 0, writes=[("JP", 0), ("UK", 0)])
    reader = _partitioned(tell, "daily", 1, reads=[("JP", 0)])
    again = _event("update", 2, reads=[("JP", 0)], writes=[("JP", 0)])
    tell.tell(again)
    tell.tell(run_event("repair", at=NOON + timedelta(hours=3), outputs=(("lake", "clicks"),)))
    last = _partitioned(tell, "daily", 4, reads=[("JP", 0)])
    more = (
        "MATCH (:Run {id: $id})-[e:READS]->(d) UNWIND range(1, 3001) AS n "
        "CREATE (:Run {id: toString(n)})-[also:READS]->(d) SET also = e"
    )
    tell.graph.query(more, {"id": last}, write=True)
    runs = {"hourly": writer, "daily": reader, "update": again["run"]["runId"]}
    answer = client.get("/api/v1/lineage", params={"nodeId": f"run:{writer}", "depth": 1})
    assert not answer.json()["truncated"]
    found = steps(client, f"run:{writer}", runs, depth=1)
    assert found == {
        "hourly clicks", "clicks daily", "clicks update", "update clicks"
    }  # fmt: skip


def test_a_run_that_says_partitions_read_a_later_version_of_the_whole(
    client: httpx.Client, tell: Teller
) -> None:
    _partitioned(tell, "hourly", 0, writes=[("JP", 0)])
    whole = tell.run("repair", outputs=("clicks",), at=NOON + timedelta(hours=1))[0]
    _partitioned(tell, "hourly", 2, writes=[("JP", 2)])
    reader = _partitioned(tell, "daily", 3, reads=[("JP", 0)])
    runs = {"repair": whole, "daily": reader}
    for run in (whole, reader):
        assert steps(client, f"run:{run}", runs) == {"repair clicks", "clicks daily"}


def test_a_run_did_not_read_another_partition_than_it_says(
    client: httpx.Client, tell: Teller
) -> None:
    writer = _partitioned(tell, "hourly", 0, writes=[("JP", 0)])
    other = _partitioned(tell, "daily", 1, reads=[("UK", 0)])
    runs = {"hourly": writer, "other": other}
    assert "hourly clicks" not in steps(client, f"run:{other}", runs)
    (read,) = client.get(f"/api/v1/jobs/runs/{other}").json()["inputDatasetVersions"]
    assert (read["datasetVersionId"]["name"], read["datasetVersionId"]["version"]) == (
        "clicks",
        None,
    )
    event = run_event("daily", at=NOON + timedelta(hours=2))
    condition = {"type": "partition", "partitions": [{"dimensions": {"day": "2026-03-01"}}]}
    facets = {"subset": {"inputCondition": condition}}
    event["inputs"] = [{"namespace": "lake", "name": "clicks", "inputFacets": facets}]
    tell.tell(event)
    by_day = event["run"]["runId"]
    assert "hourly clicks" in steps(client, f"run:{by_day}", {"hourly": writer, "by_day": by_day})


def _partitioned(
    tell: Teller,
    job: str,
    hour: int,
    *,
    reads: list[tuple[str, int]] | None = None,
    writes: list[tuple[str, int]] | None = None,
) -> str:
    """Tell of a run that reads or writes partitions of `clicks`."""
    event = _event(job, hour, reads=reads, writes=writes)
    tell.tell(event)
    run_id: str = event["run"]["runId"]
    return run_id


def _event(
    job: str,
    hour: int,
    *,
    reads: list[tuple[str, int]] | None = None,
    writes: list[tuple[str, int]] | None = None,
) -> dict[str, Any]:
    event = run_event(job, at=NOON + timedelta(hours=hour))
    clicks = {"namespace": "lake", "name": "clicks"}
    if reads:
        subset = {"subset": {"inputCondition": _condition(reads)}}
        event["inputs"] = [clicks | {"inputFacets": subset}]
    if writes:
        subset = {"subset": {"outputCondition": _condition(writes)}}
        event["outputs"] = [clicks | {"outputFacets": subset}]
    return event


def _condition(partitions: list[tuple[str, int]]) -> dict[str, Any]:
    dimensions = ({"region": region, "hour": str(hour)} for region, hour in partitions)
    return {"type": "partition", "partitions": [{"dimensions": one} for one in dimensions]}


def test_run_lineage_is_drawn_and_what_is_no_run_is_not_found(
    client: httpx.Client, days: list[dict[str, str]]
) -> None:
    parameters = {"nodeId": f"run:{days[0]['clean']}", "format": "mermaid"}
    drawn = client.get("/api/v1/lineage", params=parameters)
    assert "clean" in drawn.text
    assert "orders @ 2026-03-01 12:01" in drawn.text
    for node in ("run:none", f"run:{uuid4()}", "run:"):
        assert client.get("/api/v1/lineage", params={"nodeId": node}).status_code == 404


def upstream(client: httpx.Client, run: str, **more: Any) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/runlineage/upstream", params={"runId": run, **more})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["runs"]
    return found


def test_upstream_runs_come_in_marquez_s_shape_the_nearer_ones_first(
    client: httpx.Client, days: list[dict[str, str]]
) -> None:
    runs = days[1]
    found = upstream(client, runs["report"])
    assert [one["job"]["name"] for one in found] == ["report", "clean", "load"]
    assert [one["run"]["id"] for one in found] == [runs["report"], runs["clean"], runs["load"]]
    (read,) = found[0]["inputs"]
    assert (read["name"], read["producedByRunId"]) == ("orders", runs["clean"])
    assert found[0]["run"]["status"] == "COMPLETED"
    assert found[2]["inputs"] == []
    assert len(upstream(client, runs["report"], depth=1)) == 2


def test_upstream_runs_say_if_there_are_more(client: httpx.Client, tell: Teller) -> None:
    top = tell.run("top", inputs=("orders",))
    run = top[0]
    tell.run("part", under=top)
    below = (
        "MATCH (r:Run {id: $id}) UNWIND range(1, 3000) AS n "
        "CREATE (r)-[:PARENT_OF]->(:Run {id: '0' + n})"
    )
    asked = {"runId": run, "depth": 1}
    assert not client.get("/api/v1/runlineage/upstream", params=asked).json()["truncated"]
    tell.graph.query(below, {"id": run}, write=True)
    answer = client.get("/api/v1/runlineage/upstream", params=asked).json()
    assert answer["truncated"]
    assert [one["run"]["id"] for one in answer["runs"]] == [run]


def test_upstream_of_what_is_no_run_is_refused(client: httpx.Client, tell: Teller) -> None:
    run = tell.run("job")[0]
    (alone,) = upstream(client, run)
    assert alone["inputs"] == []
    for wrong, status in ((f"{run[:-4]}0000", 404), ("x", 400), (None, 400)):
        answer = client.get("/api/v1/runlineage/upstream", params={"runId": wrong} if wrong else {})
        assert answer.status_code == status
