"""Schema and lineage facets, read leniently: unknown parts are left out."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from lineagegraph.ingest.names import is_name
from lineagegraph.model.names.keys import canonical_json


class Derivation(NamedTuple):
    """That a column is derived from another, and how."""

    column: str  # name of the derived column; empty if it counts for the whole dataset
    source_namespace: str  # namespace of the source column's dataset
    source_dataset: str  # name of the source column's dataset
    source_column: str  # name of the source column
    type: str  # DIRECT or INDIRECT
    subtype: str  # kind of transformation, such as IDENTITY or FILTER; empty if not reported
    description: str  # description of the transformation; empty if not reported
    masking: bool  # whether the source's values are masked


class SharedDerivations(NamedTuple):
    """Derivations that each of some columns has, all from what counts for the whole dataset."""

    columns: list[str]
    derivations: list[Derivation]  # with an empty `column`


def list_columns(body: Any) -> list[tuple[str, str | None]]:
    """Return the names and types of a schema facet, nested ones as `outer.inner`, in order."""
    return list(_columns(body.get("fields") if isinstance(body, dict) else None, ""))


def list_sources(body: Any) -> set[tuple[str, str]]:
    """Return the namespaces and names of the datasets that a lineage facet names."""
    if not isinstance(body, dict):
        return set()
    found = [*list_maps(body.get("dataset")), *list_maps(body.get("inputs"))]
    for _, said in _fields(body):
        found += [*list_maps(said.get("inputFields")), *list_maps(said.get("inputs"))]
    data = filter(_is_data, found)
    return {(str(source["namespace"]), str(source["name"])) for source in data}


def list_derivations(body: Any) -> Iterator[Derivation]:
    """Yield the derivations of a lineage facet; those of the dataset apply to each column.

    Sources: ColumnLineageDatasetFacet 1-2-0 (`inputFields`, `dataset`) and LineageFacet 1-0-0
    (`inputs`). Inputs without transformations are DIRECT; transformations of the whole column
    in older facets (`transformationType`, `transformationDescription`) holds for them.
    """
    if not isinstance(body, dict):
        return
    whole = [*list_maps(body.get("dataset")), *list_maps(body.get("inputs"))]
    for column, said in _fields(body):
        for source in (*list_maps(said.get("inputFields")), *list_maps(said.get("inputs")), *whole):
            if _is_data(source):
                yield from _derivations(column, source, said)


def list_own_derivations(body: Any) -> Iterator[Derivation]:
    """Yield the derivations that a lineage facet has for one column each."""
    if isinstance(body, dict):
        parts = {name: part for name, part in body.items() if name not in ("dataset", "inputs")}
        yield from list_derivations(parts)


def list_shared_derivations(body: Any) -> list[SharedDerivations]:
    """Return the derivations of a lineage facet that count for the dataset, with its columns.

    With those of `list_own_derivations` they are the ones of `list_derivations`.
    """
    if not isinstance(body, dict):
        return []
    whole = [*list_maps(body.get("dataset")), *list_maps(body.get("inputs"))]
    sources = [source for source in whole if _is_data(source)]
    columns: dict[tuple[str, str], list[str]] = {}
    for column, said in _fields(body) if sources else ():
        older = (said.get("transformationType"), said.get("transformationDescription"))
        columns.setdefault((str(older[0] or ""), str(older[1] or "")), []).append(column)
    found = []
    for (subtype, description), names in columns.items():
        said = {"transformationType": subtype, "transformationDescription": description}
        derivations = [one for source in sources for one in _derivations("", source, said)]
        if derivations:
            found.append(SharedDerivations(names, derivations))
    return found


def _fields(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    by_column = body.get("fields")
    for column, said in by_column.items() if isinstance(by_column, dict) else ():
        if isinstance(said, dict):
            yield column, said


def _is_data(source: dict[str, Any]) -> bool:
    is_named = is_name(source.get("namespace")) and is_name(source.get("name"))
    return is_named and source.get("type", "DATASET") == "DATASET"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _derivations(column: str, source: dict[str, Any], said: dict[str, Any]) -> Iterator[Derivation]:
    namespace, name, field = (source.get(part) for part in ("namespace", "name", "field"))
    if not all(map(_is_text, (namespace, name, field))):
        return
    older = {
        "subtype": said.get("transformationType"),
        "description": said.get("transformationDescription"),
    }
    for how in list(list_maps(source.get("transformations"))) or [older]:
        kind, subtype, description = (
            str(how.get(p) or "") for p in ("type", "subtype", "description")
        )
        yield Derivation(
            column,
            str(namespace),
            str(name),
            str(field),
            kind or "DIRECT",
            subtype,
            description,
            how.get("masking") is True,
        )


def _columns(fields_: Any, prefix: str) -> Iterator[tuple[str, str | None]]:
    for column in list_maps(fields_):
        name = column.get("name")
        if isinstance(name, str) and name:
            kind = column.get("type")
            yield prefix + name, kind if isinstance(kind, str) else None
            yield from _columns(column.get("fields"), f"{prefix}{name}.")


def list_maps(value: Any) -> Iterable[dict[str, Any]]:
    """Return the JSON objects of an array; none if it is not an array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


# Whoever lists more than this is taken to mean all of the dataset.
_MOST_PARTITIONS = 1000


def partition_keys(subset: str | None) -> list[str] | None:
    """Return the dimensions of each partition as canonical text; None if none is listed.

    Source: BaseSubsetDatasetFacet 1-0-0; its other conditions are not about partitions.
    """
    body = msgspec.json.decode(subset) if subset else None
    found = sorted({canonical_json(dimensions) for dimensions in _dimensions(body)})
    return found if 0 < len(found) <= _MOST_PARTITIONS else None


def dimension_names(keys: list[str]) -> list[str] | None:
    """Return the names of the dimensions of partitions, in order; None if these differ."""
    named = {tuple(sorted(msgspec.json.decode(key))) for key in keys}
    return list(*named) if len(named) == 1 else None


def partition_key(keys: list[str] | None) -> str:
    """Return the one partition of several keys, `*` for more, and nothing for all of a dataset."""
    if keys is None:
        return ""
    return keys[0] if len(keys) == 1 else "*"


def _dimensions(body: Any) -> list[dict[str, Any]]:
    facet = body if isinstance(body, dict) else {}
    condition = facet.get("inputCondition") or facet.get("outputCondition")
    if not isinstance(condition, dict) or condition.get("type") != "partition":
        return []
    found = (partition.get("dimensions") for partition in list_maps(condition.get("partitions")))
    return [dimensions for dimensions in found if isinstance(dimensions, dict) and dimensions]
