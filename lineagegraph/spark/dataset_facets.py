"""An action's inputs and outputs as OpenLineage datasets."""

from typing import Any

from lineagegraph.spark.action import Action, Statistics, Table, WriteTarget
from lineagegraph.spark.columns.transformations import Sources, is_direct, strongest, then
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.facets import Facet, make_facet, make_subset

Dataset = dict[str, Any]


def input_datasets(action: Action) -> list[Dataset]:
    """Return the inputs of an action, each dataset once."""
    return [_input(tables, action) for tables in action.inputs.values()]


def output_datasets(action: Action) -> list[Dataset]:
    """Return the outputs of an action; counts are only of a single one."""
    also = [Action(each) for each in action.description.also]
    return [dataset for each in (action, *also) for dataset in _output(each)]


def _output(action: Action) -> list[Dataset]:
    target = action.description.target
    if not target:
        return []
    facets = _table_facets(target.table, action.measured.version)
    if target.change:
        facets["lifecycleStateChange"] = make_facet(
            "LifecycleStateChangeDatasetFacet",
            lifecycleStateChange=target.change,
            previousIdentifier=_previous(target),
        )
    if action.description.resolved.columns:
        facets["columnLineage"] = column_lineage(action)
    dataset = _dataset(target.table.dataset, facets)
    dataset["outputFacets"] = _written(action, target.table.dataset)
    return [dataset]


def _previous(target: WriteTarget) -> Facet | None:
    """Return what a renamed table was: the dataset, or only its name in the catalog."""
    if target.previous is None:
        return None
    before = target.previous
    is_moved = before.key != target.table.key
    namespace, name = before.key if is_moved or not before.table else before.table
    return {"namespace": namespace, "name": name}


def column_lineage(action: Action) -> Facet:
    """Return the input columns of each written column, direct and indirect."""
    resolved, relations = action.description.resolved, action.description.relations
    fields = {
        column.name: {"inputFields": _input_fields(column.sources, relations)}
        for column in resolved.columns
    }
    deciding = _input_fields(resolved.deciding, relations)
    return make_facet("ColumnLineageDatasetFacet", fields=fields, dataset=deciding)


def _input_fields(sources: Sources, relations: dict[int, tuple[Table, ...]]) -> list[Facet]:
    found: dict[tuple[str, str, str], set[str]] = {}
    for (relation, column), subtypes in strongest(sources).items():
        for table in relations.get(relation, ()):
            for own, made in table.own_columns(column).items():
                known = found.setdefault((*table.key, own), set())
                known.update(then(made, subtype) for subtype in subtypes)
    return [
        {
            "namespace": namespace,
            "name": name,
            "field": column,
            "transformations": _transformations(subtypes),
        }
        for (namespace, name, column), subtypes in sorted(found.items())
    ]


def _transformations(subtypes: set[str]) -> list[Facet]:
    return [
        {"type": "DIRECT" if is_direct(subtype) else "INDIRECT", "subtype": subtype}
        for subtype in sorted(subtypes, key=lambda subtype: (not is_direct(subtype), subtype))
    ]


def _input(tables: tuple[Table, ...], action: Action) -> Dataset:
    dataset = _dataset(tables[0].dataset, _table_facets(tables[0]))
    facets: dict[str, Facet] = {}
    if statistics := action.measured.read.get(tables[0].key):
        facets["inputStatistics"] = _statistics("InputStatisticsInputDatasetFacet", statistics)
    if all(table.dataset.partition for table in tables):
        facets["subset"] = make_subset("Input", [t.dataset.dimensions for t in tables])
    dataset["inputFacets"] = facets
    return dataset


def _written(action: Action, name: DatasetName) -> dict[str, Facet]:
    facets: dict[str, Facet] = {}
    statistics = action.measured.written
    if statistics and statistics != Statistics():
        facets["outputStatistics"] = _statistics("OutputStatisticsOutputDatasetFacet", statistics)
    measured = action.measured.partitions
    partitions = [name.dimensions | partition for partition in measured] or [name.dimensions]
    if any(partitions):
        facets["subset"] = make_subset("Output", partitions)
    return facets


def _statistics(schema: str, statistics: Statistics) -> Facet:
    return make_facet(
        schema, rowCount=statistics.rows, size=statistics.bytes, fileCount=statistics.files
    )


def _table_facets(table: Table, written: str | None = None) -> dict[str, Facet]:
    facets: dict[str, Facet] = {}
    if table.schema:
        facets["schema"] = make_facet("SchemaDatasetFacet", fields=list(table.schema))
    if version := written or table.dataset.version:
        facets["version"] = make_facet("DatasetVersionDatasetFacet", datasetVersion=version)
    if table.table:
        namespace, name = table.table
        identifiers = [{"namespace": namespace, "name": name, "type": "TABLE"}]
        facets["symlinks"] = make_facet("SymlinksDatasetFacet", identifiers=identifiers)
    return facets


def _dataset(name: DatasetName, facets: dict[str, Facet]) -> Dataset:
    return {"namespace": name.namespace, "name": name.name, "facets": facets}
