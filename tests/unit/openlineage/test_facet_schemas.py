"""Standard facets are held to the specification's schemas; all others pass."""

import json
from pathlib import Path
from typing import Any

import pytest

from lineagegraph import openlineage
from lineagegraph.openlineage.facet_schemas import find_faults

BASE = {"_producer": "https://example.org", "_schemaURL": "https://example.org/facet.json"}
SCHEMAS = Path(openlineage.__file__).parent / "schemas"


@pytest.mark.parametrize(
    ("scope", "name", "body", "path"),
    [
        ("job", "sql", {"query": 5}, ".query"),
        ("job", "sql", {}, ""),
        ("dataset", "schema", {"fields": [{"name": "a"}, {"type": "int"}]}, ".fields[1]"),
        ("output", "outputStatistics", {"rowCount": "many"}, ".rowCount"),
        ("run", "parent", {"run": {"runId": "x"}}, ""),
        ("job", "lineage", {"entries": 3}, ".entries"),
        ("dataset", "lineage", {"fields": []}, ".fields"),
        ("run", "jobDependencies", {"upstream": 1}, ".upstream"),
    ],
)
def test_a_fault_has_its_path(scope: str, name: str, body: dict[str, Any], path: str) -> None:
    assert [fault.path for fault in find_faults(scope, name, BASE | body)] == [path]


@pytest.mark.parametrize(
    ("scope", "name", "body"),
    [
        ("job", "sql", BASE | {"query": "SELECT 1"}),
        ("job", "sql", {"_deleted": True}),
        ("job", "sql", None),
        ("run", "nobody_specified_this", {"anything": [1, None]}),
        ("input", "sql", {"query": 5}),
        ("run", "nominalTime", BASE | {"nominalStartTime": "formats are annotations"}),
        ("dataset", "schema", BASE | {"fields": [{"name": "a", "extra": 2**70}]}),
    ],
)
def test_what_keeps_to_its_schema_or_has_none_passes(scope: str, name: str, body: Any) -> None:
    assert find_faults(scope, name, body) == ()


def test_a_facet_that_is_no_object_is_a_fault() -> None:
    assert len(find_faults("run", "nobody_specified_this", "text")) == 1


def test_every_schema_of_a_facet_is_used() -> None:
    for path in (SCHEMAS / "facets").glob("*.json"):
        (name,) = json.loads(path.read_text())["properties"]
        scopes = ("run", "job", "dataset", "input", "output")
        assert any(find_faults(scope, name, {}) for scope in scopes), path.name


def test_all_faults_of_a_facet_are_found_up_to_a_hundred() -> None:
    columns = [{"name": n} if n % 2 else {"type": n} for n in range(1000)]
    faults = find_faults("dataset", "schema", BASE | {"fields": columns})
    assert len(faults) == 100
    assert {fault.path for fault in faults} >= {".fields[0]", ".fields[1].name", ".fields[2].type"}
