"""Bad events are refused with the JSON path of the fault."""

from typing import Any

import pytest

from lineagegraph.errors import InvalidEvent
from lineagegraph.ingest.extract import extract
from lineagegraph.openlineage import DatasetEvent, JobEvent, RunEvent, decode_event
from tests.events import run_event


def changed(path: str, value: Any) -> dict[str, Any]:
    event = run_event("job")
    *above, last = path.split(".")
    at: Any = event
    for part in above:
        at = at[part]
    at[last] = value
    return event


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("eventTime", "yesterday"),
        ("eventTime", 5),
        ("eventType", "DONE"),
        ("run.runId", ""),
        ("run.facets", []),
        ("job.name", 7),
        ("job.name", ""),
        ("job.namespace", ""),
        ("inputs", {}),
    ],
)
def test_a_fault_is_named_by_its_path(path: str, value: Any) -> None:
    with pytest.raises(InvalidEvent) as caught:
        extract([changed(path, value)])
    assert caught.value.path.startswith(f"$.{path}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("body", [None, 3, "text", [], {}, {"eventTime": "2026-01-01T00:00:00Z"}])
def test_what_is_no_event_is_refused(body: Any) -> None:
    with pytest.raises(InvalidEvent):
        decode_event(body)


def test_a_run_that_names_itself_has_no_parent_but_the_root() -> None:
    run_id, root = "0199aaaa-0000-7000-8000-000000000000", "0199aaaa-0000-7000-8000-000000000001"
    event = run_event("job", run_id=run_id, parent=(run_id, "job"))
    assert extract([event]).runs[run_id].get("parent") is None
    top = {"run": {"runId": root}, "job": {"namespace": "default", "name": "top"}}
    event["run"]["facets"]["parent"]["root"] = top
    assert extract([event]).runs[run_id].get("parent") == root


def test_numbers_that_json_lacks_and_lone_surrogates_are_refused() -> None:
    for value in (float("nan"), "\ud800"):
        with pytest.raises(InvalidEvent, match=r"\$\.run\.facets\.x"):
            decode_event(changed("run.facets", {"x": {"y": value}}))


def test_bottomless_nesting_is_refused() -> None:
    deep: Any = 1
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(InvalidEvent, match="deeper"):
        decode_event(changed("run.facets", {"x": deep}))


def test_nulls_where_the_specification_has_optional_members_are_taken() -> None:
    event = run_event("job") | {"inputs": None, "outputs": None}
    event["run"]["facets"] = None
    event["job"]["facets"] = None
    assert isinstance(decode_event(event), RunEvent)


def test_job_and_dataset_events_are_told_apart() -> None:
    at = "2026-01-01T00:00:00Z"
    job = {"eventTime": at, "job": {"namespace": "a", "name": "b"}}
    dataset = {"eventTime": at, "dataset": {"namespace": "a", "name": "b"}}
    assert isinstance(decode_event(job), JobEvent)
    assert isinstance(decode_event(dataset), DatasetEvent)
