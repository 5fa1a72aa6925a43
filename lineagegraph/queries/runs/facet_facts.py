"""The OpenLineage facets of a run that a person reads, as names with values."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lineagegraph.ingest.column_facets import list_maps
from lineagegraph.openlineage.objects import get_object

_MOST_LINES = 20
_CATALOG = ("framework", "type", "name", "metadataUri", "warehouseUri", "source")
_SCAN = ("snapshotId", "schemaId", "filterDescription", "projectedFieldNames")
_COMMIT = ("snapshotId", "sequenceNumber", "operation")


def list_facet_facts(facets: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the facets of a run state; their secrets were masked when they were stored."""
    known = {name: body for name, body in facets.items() if isinstance(body, dict)}
    facts = {
        **_airflow(known),
        "lineage": describe_extraction(known.get("extractionError")),
        "query": _query(known.get("externalQuery", {})),
        "execution": _values(known.get("executionParameters", {}).get("parameters"), "key"),
        "environment": _values(
            known.get("environmentVariables", {}).get("environmentVariables"), "name"
        ),
        "stack trace": _trace(known.get("errorMessage", {}).get("stackTrace")),
    }
    yield from ((name, text) for name, text in facts.items() if text)
    for test in list_maps(known.get("test", {}).get("tests")):
        yield "test", _test(test)


def _airflow(facets: Mapping[str, Any]) -> dict[str, str]:
    """Return how Airflow names a run of a DAG or of a task, and where the log of a task is."""
    facet = facets.get("airflow", facets.get("airflowDagRun", {}))
    run, task = get_object(facet, "dagRun"), get_object(facet, "taskInstance")
    tried, part = task.get("try_number"), task.get("map_index")
    stated = {
        "Airflow run": run.get("run_id"),
        "Airflow try": tried if isinstance(tried, int) and tried > 1 else None,
        # A task that is not mapped may have the index -1.
        "map index": part if isinstance(part, int) and part >= 0 else None,
        "Airflow log": task.get("log_url"),
    }
    return {name: str(value) for name, value in stated.items() if value is not None}


def list_use_facts(facets: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the facets of a dataset, or of its use by a run, state."""
    known = {name: body for name, body in facets.items() if isinstance(body, dict)}
    levels = list_maps(known.get("hierarchy", {}).get("hierarchy"))
    facts = {
        "catalog": _fields(known.get("catalog", {}), _CATALOG),
        "storage": _fields(known.get("storage", {}), ("storageLayer", "fileFormat")),
        "hierarchy": " › ".join(f"{level.get('type')} {level.get('name')}" for level in levels),
        "scan": _report(known.get("icebergScanReport", {}), _SCAN, "scanMetrics"),
        "commit": _report(known.get("icebergCommitReport", {}), _COMMIT, "commitMetrics"),
    }
    yield from ((name, text) for name, text in facts.items() if text)
    for test in list_maps(known.get("dataQualityAssertions", {}).get("assertions")):
        column = f" of {test['column']}" if test.get("column") else ""
        yield (
            "test",
            f"{test.get('assertion')}{column}: {'pass' if test.get('success') else 'fail'}",
        )


def _report(facet: Mapping[str, Any], fields: tuple[str, ...], metrics: str) -> str:
    """Return an Iceberg report; counts of 0 are left out."""
    counts = facet.get(metrics)
    found = {name: n for name, n in counts.items() if n} if isinstance(counts, dict) else {}
    return ", ".join(filter(None, (_fields(facet, fields), _fields(found, tuple(found)))))


def _fields(facet: Mapping[str, Any], names: tuple[str, ...]) -> str:
    stated = ((name, facet.get(name)) for name in names)
    return ", ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in stated
        if value is not None
    )


def describe_extraction(facet: Any) -> str | None:
    """Return why the lineage of a run is incomplete, from its facet `extractionError`."""
    if not isinstance(facet, dict):
        return None
    counts = f"{facet.get('failedTasks', '?')} of {facet.get('totalTasks', '?')} tasks"
    first = next((error.get("errorMessage") for error in list_maps(facet.get("errors"))), None)
    return f"incomplete: {counts} could not be read" + (f": {first}" if first else "")


def _query(facet: Mapping[str, Any]) -> str | None:
    query, source = facet.get("externalQueryId"), facet.get("source")
    return f"{query} of {source}" if query and source else str(query or "") or None


def _values(entries: Any, key: str) -> str:
    named = ((e.get(key) or e.get("name"), e.get("value")) for e in list_maps(entries))
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in named)


def _trace(text: Any) -> str | None:
    """Return a stack trace without the lines in its middle, if it is long."""
    lines = text.strip().splitlines() if isinstance(text, str) else []
    if len(lines) > _MOST_LINES:
        half = _MOST_LINES // 2
        left_out = f"… {len(lines) - _MOST_LINES} lines"
        lines = [*lines[:half], left_out, *lines[-half:]]
    return "\n".join(lines) or None


def _test(test: Mapping[str, Any]) -> str:
    compared = [f"{name} {test[name]}" for name in ("expected", "actual") if test.get(name)]
    more = f" ({', '.join(compared)})" if compared else ""
    return f"{test.get('name')}: {test.get('status')}{more}"
