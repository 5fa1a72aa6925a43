"""Large column lineage facets in parts that together mean the same."""

from collections import Counter
from typing import Any

import pytest

from lineagegraph.ingest import lineage_parts
from lineagegraph.ingest.column_facets import list_derivations
from lineagegraph.ingest.lineage_parts import count_derivations, split_lineage


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage_parts, "MOST_DERIVATIONS", 5)


def source(field: Any, **more: Any) -> dict[str, Any]:
    return {"namespace": "f", "name": "/in", "field": field, **more}


def columns() -> dict[str, Any]:
    how = [{"type": "DIRECT", "subtype": s} for s in ("IDENTITY", "AGGREGATION", "")]
    return {
        "many": {"inputFields": [source(f"x{n}") for n in range(12)]},
        "some": {"inputFields": [source("x1", transformations=how)], "transformationType": "OLD"},
        "none": {"inputFields": []},
        "new": {"inputs": [source("y"), source(5), "text"], "transformationDescription": "d"},
        "odd": "text",
    }


@pytest.mark.parametrize("whole", [{}, {"dataset": [source("w")]}, {"inputs": [source("w")]}])
def test_the_parts_of_a_facet_have_its_derivations_each_once_and_few_at_a_time(
    whole: dict[str, Any],
) -> None:
    body = {"fields": columns(), **whole}
    parts = split_lineage(body)
    found = Counter(one for part in parts for one in list_derivations(part))
    assert found == Counter(list_derivations(body))
    assert len(parts) == 5
    assert max(map(count_derivations, parts)) == 5


def test_a_facet_has_the_same_parts_in_whatever_order_its_columns_come() -> None:
    turned = dict(reversed(columns().items()))
    assert split_lineage({"fields": columns()}) == split_lineage({"fields": turned})


@pytest.mark.parametrize("body", [{}, [], "text", {"fields": []}, {"fields": {"a": {}}}])
def test_a_facet_that_is_small_or_none_is_its_only_part(body: Any) -> None:
    assert split_lineage(body) == [body]
