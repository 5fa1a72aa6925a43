"""Large column lineage facets as several of bounded size, which together mean the same."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.ingest.column_facets import list_maps

MOST_DERIVATIONS = 2_000
# Where a column lists its sources: ColumnLineageDatasetFacet 1-2-0 and LineageFacet 1-0-0.
_LISTS = ("inputFields", "inputs")
LINEAGE = ("columnLineage", "lineage")


def count_derivations(body: Any) -> int:
    """Return how many derivations a lineage facet has for one column each, at most."""
    return sum(
        max(1, sum(1 for _ in list_maps(source.get("transformations"))))
        for said in _columns(body).values()
        for key in _LISTS
        for source in list_maps(said.get(key))
    )


def split_lineage(body: Any) -> list[Any]:
    """Return facets with at most so many derivations each; a small facet is its only part.

    The first part has what counts for the whole dataset. Equal facets have equal parts.
    """
    if count_derivations(body) <= MOST_DERIVATIONS:
        return [body]
    units = list(_units(body))
    starts = range(0, len(units), MOST_DERIVATIONS)
    return [_without_sources(body), *(_part(body, units[s : s + MOST_DERIVATIONS]) for s in starts)]


def _columns(body: Any) -> dict[str, dict[str, Any]]:
    fields = body.get("fields") if isinstance(body, dict) else None
    found = fields if isinstance(fields, dict) else {}
    return {name: said for name, said in sorted(found.items()) if isinstance(said, dict)}


def _units(body: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each column with the name of one of its lists, and a source of that with one
    transformation at most.
    """
    for name, said in _columns(body).items():
        for key in _LISTS:
            for source in list_maps(said.get(key)):
                for how in list_maps(source.get("transformations")):
                    yield name, key, source | {"transformations": [how]}
                if not any(list_maps(source.get("transformations"))):
                    yield name, key, source


def _part(body: Any, units: list[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
    columns = _columns(body)
    fields: dict[str, dict[str, Any]] = {}
    for name, key, source in units:
        said = fields.setdefault(name, _alone(columns[name]))
        said.setdefault(key, []).append(source)
    return {"fields": fields}


def _without_sources(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"fields": {name: _alone(said) for name, said in _columns(body).items()}}


def _alone(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name not in _LISTS}
