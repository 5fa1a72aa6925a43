"""The OpenLineage facets of a run that a person reads, as names with values."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lineagegraph.ingest.column_facets import list_maps

_MOST_LINES = 20


def list_facet_facts(facets: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the facets of a run state; their secrets were masked when they were stored."""
    known = {name: body for name, body in facets.items() if isinstance(body, dict)}
    facts = {
        "lineage": _extraction(known.get("extractionError")),
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


def _extraction(facet: Mapping[str, Any] | None) -> str | None:
    if facet is None:
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
