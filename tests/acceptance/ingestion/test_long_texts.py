"""Very long texts at any place of an event: taken, or refused for good."""

import copy
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx

from lineagegraph.model.runs.ids import new_id
from tests.events import run_event

LONG = "long-" * 2_000
Path = tuple[str | int, ...]


def rich_event() -> dict[str, Any]:
    """An event with most facets that lineagegraph reads."""
    event = run_event("load", parent=(new_id(), "dag"), outputs=(("lake", "out"),))
    other = {"namespace": "lake", "name": "in"}
    source = other | {"field": "x"}
    how = [{"type": "DIRECT", "subtype": "IDENTITY", "description": "d", "masking": True}]
    test = {"assertion": "rows", "column": "a", "success": True, "expected": "1", "actual": "2"}
    event["inputs"] = [
        other
        | {
            "facets": {"symlinks": {"identifiers": [{"namespace": "h", "name": "t", "type": "T"}]}},
            "inputFacets": {"dataQualityAssertions": {"assertions": [test]}},
        }
    ]
    event["outputs"][0]["facets"] = {
        "schema": {"fields": [{"name": "a", "type": "int", "fields": [{"name": "b"}]}]},
        "columnLineage": {
            "fields": {"a": {"inputFields": [source | {"transformations": how}]}},
            "dataset": [source],
        },
        "tags": {"tags": [{"key": "pii", "value": "v", "field": "a", "source": "s"}]},
        "ownership": {"owners": [{"name": "o", "type": "t"}]},
        "lifecycleStateChange": {
            "lifecycleStateChange": "RENAME",
            "previousIdentifier": {"namespace": "lake", "name": "before"},
        },
        "version": {"datasetVersion": "1"},
        "dataSource": {"name": "s", "uri": "file:/x"},
        "storage": {"storageLayer": "iceberg", "fileFormat": "parquet"},
    }
    event["run"]["facets"] |= {
        "errorMessage": {"message": "m", "programmingLanguage": "p", "stackTrace": "t"},
        "nominalTime": {"nominalStartTime": "2026-01-01T00:00:00Z"},
        "jobDependencies": {"upstream": [{"job": {"namespace": "n", "name": "j"}}]},
        "processing_engine": {"name": "spark", "version": "3"},
        "externalQuery": {"externalQueryId": "q", "source": "s"},
        "custom": {"a": "b"},
    }
    event["job"]["facets"] = {
        "sql": {"query": "q"},
        "documentation": {"description": "d"},
        "sourceCodeLocation": {"type": "git", "url": "u", "version": "v"},
        "jobType": {"jobType": "TASK", "integration": "i", "processingType": "BATCH"},
        "tags": {"tags": [{"key": "gold", "value": "v"}]},
    }
    return event


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, bool]]:
    """Each text of a value, and each key of a facet or column, which is True."""
    if isinstance(value, str):
        yield path, False
    for key, item in value.items() if isinstance(value, dict) else ():
        if path and path[-1] in ("facets", "fields", "inputFacets"):
            yield (*path, key), True
        yield from places(item, (*path, key))
    for number, item in enumerate(value if isinstance(value, list) else ()):
        yield from places(item, (*path, number))


def with_long(event: dict[str, Any], path: Path, is_key: bool) -> dict[str, Any]:
    changed: Any = copy.deepcopy(event)
    *parents, last = path
    at = changed
    for part in parents:
        at = at[part]
    at[LONG if is_key else last] = at.pop(last) if is_key else LONG
    return dict(changed)


def test_a_long_text_at_any_place_is_taken_or_refused_for_good(client: httpx.Client) -> None:
    event = rich_event()
    assert client.post("/api/v1/lineage", json=event).status_code in (201, 503)
    odd = []
    for path, is_key in places(event):
        answer = client.post("/api/v1/lineage", json=with_long(event, path, is_key))
        told = answer.json()
        if answer.status_code != 201 and not (answer.status_code == 400 and told.get("path")):
            odd.append((path, is_key, answer.status_code, told))
    assert not odd, [(*one[:3], str(one[3])[:90]) for one in odd]
    assert client.post("/api/v1/lineage", json=run_event("small")).status_code == 201
    for page in ("jobs", "datasets", "runs", "events/lineage", "tags", "search?q=load"):
        assert client.get(f"/api/v1/{page}").status_code == 200, page
