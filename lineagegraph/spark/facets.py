"""OpenLineage facets, each with the schema that it follows."""

from typing import Any

from lineagegraph.model.runs.ids import PRODUCER

Facet = dict[str, Any]

_SPEC = "https://openlineage.io/spec"
RUN_EVENT = f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"
_VERSIONS = {
    "ParentRunFacet": "1-2-0",
    "ProcessingEngineRunFacet": "1-1-1",
    "ErrorMessageRunFacet": "1-0-1",
    "ExtractionErrorRunFacet": "1-1-2",
    "JobTypeJobFacet": "2-0-4",
    "SQLJobFacet": "1-1-0",
    "SchemaDatasetFacet": "1-2-0",
    "DatasetVersionDatasetFacet": "1-0-1",
    "SymlinksDatasetFacet": "1-0-1",
    "ColumnLineageDatasetFacet": "1-2-0",
    "LifecycleStateChangeDatasetFacet": "1-0-1",
    "OutputStatisticsOutputDatasetFacet": "1-0-2",
    "InputStatisticsInputDatasetFacet": "1-0-0",
}


def make_facet(schema: str, **members: Any) -> Facet:
    """Return a facet of the specification, without the members that are None."""
    address = f"{_SPEC}/facets/{_VERSIONS[schema]}/{schema}.json#/$defs/{schema}"
    return _facet(address, members)


def make_subset(direction: str, partitions: list[dict[str, Any]]) -> Facet:
    """Return the facet that names the partitions of an `Input` or `Output` dataset."""
    schema = f"{direction}Subset{direction}DatasetFacet"
    address = f"{_SPEC}/facets/1-0-0/BaseSubsetDatasetFacet.json#/$defs/{schema}"
    dimensions = [{"dimensions": partition} for partition in partitions]
    condition = {"type": "partition", "partitions": dimensions}
    return _facet(address, {f"{direction.lower()}Condition": condition})


def make_custom_run_facet(**members: Any) -> Facet:
    """Return a run facet that the specification doesn't have."""
    return _facet(f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunFacet", members)


def _facet(address: str, members: dict[str, Any]) -> Facet:
    said = {name: value for name, value in members.items() if value is not None}
    return {"_producer": PRODUCER, "_schemaURL": address, **said}
