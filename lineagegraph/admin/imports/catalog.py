"""The catalog of another server: namespaces, data sources, tags and their nodes.

Existing entries of this graph stay.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from lineagegraph.admin.imports.source import PAGE, Source, ignores_offset
from lineagegraph.admin.imports.states import assert_kept
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.secrets import mask
from lineagegraph.store.admin import imports

Row = dict[str, Any]


def import_catalog(
    graph: Graph, source: Source, import_id: str, namespaces: frozenset[str]
) -> None:
    """Import the catalog, optionally only of some namespaces."""
    known = [
        one
        for one in _list(source, "/api/v1/namespaces", "namespaces")
        if not namespaces or one["name"] in namespaces
    ]
    graph.write(
        _write,
        import_id,
        namespaces=_namespace_rows(known),
        sources=_source_rows(_list(source, "/api/v1/sources", "sources")),
        tags=_tag_rows(_list(source, "/api/v1/tags", "tags")),
    )
    for one in known:
        path = f"/api/v1/namespaces/{quote(one['name'], safe='')}"
        for jobs in _pages(source, f"{path}/jobs", "jobs"):
            _attach(graph, import_id, jobs=_job_tags(jobs))
        for datasets in _pages(source, f"{path}/datasets", "datasets"):
            _attach(
                graph, import_id, datasets=_dataset_tags(datasets), fields=_field_tags(datasets)
            )


def _attach(
    graph: Graph,
    import_id: str,
    *,
    jobs: Iterable[Row] = (),
    datasets: Iterable[Row] = (),
    fields: Iterable[Row] = (),
) -> None:
    rows = {"jobs": list(jobs), "datasets": list(datasets), "fields": list(fields)}
    tags = sorted({row["tag"] for kind in rows.values() for row in kind})
    if tags:
        made = [{"name": tag, "description": None} for tag in tags]
        graph.write(_write_tagged, import_id, made, rows)


def _write(
    tx: Transaction, import_id: str, namespaces: list[Row], sources: list[Row], tags: list[Row]
) -> None:
    assert_kept(tx, import_id)
    imports.merge_catalog(
        tx, import_id=import_id, namespaces=namespaces, sources=sources, tags=tags
    )


def _write_tagged(
    tx: Transaction, import_id: str, tags: list[Row], rows: dict[str, list[Row]]
) -> None:
    _write(tx, import_id, [], [], tags)
    imports.link_tags(tx, import_id=import_id, **rows)


def _namespace_rows(found: Iterable[Row]) -> list[Row]:
    """Return the namespaces with an owner or a description."""
    rows = [
        {
            "name": one["name"],
            "owner": one.get("ownerName"),
            "description": mask(one.get("description")),
        }
        for one in found
    ]
    return [row for row in rows if row["owner"] not in (None, "anonymous") or row["description"]]


def _source_rows(found: Iterable[Row]) -> list[Row]:
    return [
        {
            "name": one["name"],
            "type": one.get("type"),
            "connection_url": mask(one.get("connectionUrl")),
            "description": mask(one.get("description")),
        }
        for one in found
        if one.get("description")
    ]


def _tag_rows(found: Iterable[Row]) -> list[Row]:
    return [{"name": one["name"], "description": mask(one.get("description"))} for one in found]


def _job_tags(jobs: list[Row]) -> Iterator[Row]:
    for job in jobs:
        for tag in job.get("tags") or ():
            yield {"namespace": job["namespace"], "name": job["name"], "tag": tag}


def _dataset_tags(datasets: list[Row]) -> Iterator[Row]:
    for one in datasets:
        for tag in one.get("tags") or ():
            yield {"key": dataset_key(one["namespace"], one["name"]), "tag": tag}


def _field_tags(datasets: list[Row]) -> Iterator[Row]:
    for one in datasets:
        key = dataset_key(one["namespace"], one["name"])
        for field in one.get("fields") or ():
            for tag in field.get("tags") or ():
                yield {"key": field_key(key, field["name"]), "tag": tag}


def _list(source: Source, path: str, name: str) -> list[Row]:
    return [one for page in _pages(source, path, name) for one in page]


def _pages(source: Source, path: str, name: str) -> Iterator[list[Row]]:
    offset = 0
    known: list[Any] = []
    while True:
        found = source.read(path, limit=PAGE, offset=offset).get(name) or []
        rows = [one for one in found if isinstance(one, dict)]
        names = [one.get("name") for one in rows]
        if names and names == known:
            raise ignores_offset(source.url, name)
        known = names
        yield rows
        offset += len(found)
        if len(found) < PAGE:
            break
