"""What schema and column lineage facets say, read leniently: what is not understood is left out."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Derivation(NamedTuple):
    """That a column is derived from another, and how."""

    column: str
    source_namespace: str
    source_dataset: str
    source_column: str
    type: str
    subtype: str
    description: str


def list_columns(body: Any) -> list[tuple[str, str | None]]:
    """Return the names and types of a schema facet, nested ones as `outer.inner`, in order."""
    return list(_columns(body.get("fields") if isinstance(body, dict) else None, ""))


def list_sources(body: Any) -> set[tuple[str, str]]:
    """Return the namespaces and names of the datasets that a column lineage facet names."""
    return {(d.source_namespace, d.source_dataset) for d in list_derivations(body)}


def list_derivations(body: Any) -> Iterator[Derivation]:
    """Yield what a column lineage facet says; what applies to the dataset applies to each column.

    Source: ColumnLineageDatasetFacet 1-2-0; inputs without transformations are DIRECT.
    """
    by_column = body.get("fields") if isinstance(body, dict) else None
    if not isinstance(by_column, dict):
        return
    for column, said in by_column.items():
        for source in _maps(said.get("inputFields") if isinstance(said, dict) else None):
            yield from _derivations(column, source)
        for source in _maps(body.get("dataset")):
            yield from _derivations(column, source)


def _derivations(column: str, source: dict[str, Any]) -> Iterator[Derivation]:
    namespace, name, field = (source.get(part) for part in ("namespace", "name", "field"))
    if not all(isinstance(part, str) and part for part in (namespace, name, field)):
        return
    for how in list(_maps(source.get("transformations"))) or [{}]:
        kind, subtype, description = (
            str(how.get(p) or "") for p in ("type", "subtype", "description")
        )
        yield Derivation(
            column, str(namespace), str(name), str(field), kind or "DIRECT", subtype, description
        )


def _columns(fields_: Any, prefix: str) -> Iterator[tuple[str, str | None]]:
    for column in _maps(fields_):
        name = column.get("name")
        if isinstance(name, str) and name:
            kind = column.get("type")
            yield prefix + name, kind if isinstance(kind, str) else None
            yield from _columns(column.get("fields"), f"{prefix}{name}.")


def _maps(value: Any) -> Iterable[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
