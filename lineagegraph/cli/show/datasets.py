"""`datasets`: all datasets, or those with a tag or an owner."""

from typing import Annotated, Any

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_rest, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json, Limit
from lineagegraph.queries.datasets.dataset_details import DatasetDetail
from lineagegraph.queries.jobs.pages import Cut, page_datasets
from lineagegraph.queries.owner_names import owners_in
from lineagegraph.queries.tag_names import tag_names
from lineagegraph.settings import load_settings


def datasets(
    namespace: Annotated[str | None, typer.Option(help="Only datasets of this namespace.")] = None,
    tag: Annotated[
        str | None, typer.Option(help="Only datasets with this tag, or with a column that has it.")
    ] = None,
    owner: Annotated[str | None, typer.Option(help="Only datasets of this owner.")] = None,
    limit: Limit = 500,
    json: Json = False,
) -> None:
    """List the datasets: when each was last written and read, its tags and owners."""
    with connected(load_settings()) as graph:
        found = page_datasets(graph, namespace, Cut(limit), tag=tag, owner=owner)
    print_rest(found.total - len(found.items))
    if json:
        print_json(list(map(_plain, found.items)))
        return
    columns = ("DATASET", "NAMESPACE", "WRITTEN", "LAST USE", "TAGS", "OWNERS")
    print_table(columns, map(_row, found.items), "no such datasets")


def _row(dataset: DatasetDetail) -> tuple[str, ...]:
    row = dataset.row
    tagged = (f"{one.field}: {one.tag}" for one in row.field_tags)
    return (
        row.name,
        row.namespace,
        clock(row.written_at),
        clock(row.last_seen),
        ", ".join([*tag_names(row.tags, dataset.facets), *tagged]),
        ", ".join(owners_in(dataset.facets)),
    )


def _plain(dataset: DatasetDetail) -> dict[str, Any]:
    """Return a dataset for `--json`."""
    row = dataset.row
    return {
        "namespace": row.namespace,
        "name": row.name,
        "written_at": row.written_at,
        "last_seen": row.last_seen,
        "tags": tag_names(row.tags, dataset.facets),
        "column_tags": [{"column": one.field, "tag": one.tag} for one in row.field_tags],
        "owners": owners_in(dataset.facets),
    }
