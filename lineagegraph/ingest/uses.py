"""Facts from the datasets and the explicit lineage of an event."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.column_facets import list_maps, list_sources
from lineagegraph.ingest.facts import use_sayings
from lineagegraph.ingest.lineage_parts import LINEAGE, split_lineage
from lineagegraph.ingest.names import check_name, is_name
from lineagegraph.ingest.other_names import list_other_names, unlinked_at
from lineagegraph.ingest.verdicts import read_verdicts
from lineagegraph.model.runs.facts import (
    HEARD_OF,
    REPORTED,
    DatasetFacts,
    RunFacts,
    Stamped,
    TimeSpan,
    Use,
)
from lineagegraph.openlineage import InputDataset, JobEvent, OutputDataset, RunEvent

SCHEMA = "dataset:schema"


def event_uses(batch: Batch, event: RunEvent | JobEvent, at: str) -> RunFacts:
    """Return the uses of an event's job: inputs, outputs, explicit lineage."""
    uses = _Uses({}, {})
    for number, read in enumerate(event.inputs):
        uses.add(_input(batch, read, at, f"$.inputs[{number}]"))
    for number, written in enumerate(event.outputs):
        uses.add(_output(batch, written, at, f"$.outputs[{number}]"))
    for target, entry in _entries(event.job.facets.get("lineage")):
        uses.add(_declared(batch, target, entry, at))
    return RunFacts(inputs=uses.inputs, outputs=uses.outputs)


class _Uses(NamedTuple):
    """Uses by dataset, joined in place: an event can have many thousands."""

    inputs: dict[str, Use]
    outputs: dict[str, Use]

    def add(self, facts: RunFacts) -> None:
        for uses, more in ((self.inputs, facts.inputs), (self.outputs, facts.outputs)):
            uses |= {key: uses[key] | use if key in uses else use for key, use in more.items()}


def dataset_facts(
    batch: Batch, namespace: str, name: str, facets: dict[str, Any], rank: int, at: str
) -> DatasetFacts:
    """Return the facts of a dataset; those of a writer outrank those of a reader."""
    said = {
        f"dataset:{facet}": Stamped(rank, at, batch.add_facet(facet, body))
        for facet, body in facets.items()
        if body is not None and facet != "lineage"
    }
    schema = said.get(SCHEMA)
    names = list_other_names(namespace, name, facets, at)
    for other in names.values():
        batch.add_dataset(DatasetFacts(other.namespace, other.name))
    return DatasetFacts(
        namespace,
        name,
        said,
        {schema.value: schema} if schema else {},
        names,
        unlinked_at(facets, at),
    )


def stated_version(facts: DatasetFacts, rank: int, at: str) -> DatasetFacts:
    """Return facts of a dataset with its version, which no run writes, by its schema."""
    schema = facts.said.get(SCHEMA)
    return replace(facts, stated={f"{rank} {schema.value if schema else ''}": at})


def _input(batch: Batch, dataset: InputDataset, at: str, path: str) -> RunFacts:
    """Return a read; a reader may see only a part of the dataset's schema."""
    namespace, name = check_name(dataset.namespace, dataset.name, path)
    facts = dataset_facts(batch, namespace, name, dataset.facets, HEARD_OF, at)
    key = batch.add_dataset(stated_version(facts, HEARD_OF, at))
    schemas = _schemas(batch, dataset.facets, at)
    use = Use(
        namespace,
        name,
        TimeSpan(at, at),
        use_sayings(dataset, at),
        schemas=schemas,
        verdicts=read_verdicts(at, dataset.facets, dataset.input_facets),
    )
    return RunFacts(inputs={key: use})


def _output(batch: Batch, dataset: OutputDataset, at: str, path: str) -> RunFacts:
    namespace, name = check_name(dataset.namespace, dataset.name, path)
    key = batch.add_dataset(dataset_facts(batch, namespace, name, dataset.facets, REPORTED, at))
    said = {facet: dataset.facets.get(facet) for facet in LINEAGE}
    columns = _columns(batch, said, at)
    schemas = _schemas(batch, dataset.facets, at)
    use = Use(
        namespace,
        name,
        TimeSpan(at, at),
        use_sayings(dataset, at),
        columns,
        schemas,
        read_verdicts(at, dataset.facets, dataset.output_facets),
    )
    return RunFacts(outputs={key: use}) | _sources(batch, said["lineage"], at)


def _declared(batch: Batch, target: tuple[str, str] | None, entry: Any, at: str) -> RunFacts:
    """Return the facts of one entry of explicit lineage; one about a job has no output."""
    facts = _sources(batch, entry, at)
    if target is None:
        return facts
    key = batch.add_dataset(DatasetFacts(*target))
    use = Use(*target, TimeSpan(at, at), {}, _columns(batch, {"lineage": entry}, at))
    return facts | RunFacts(outputs={key: use})


def _columns(batch: Batch, said: dict[str, Any], at: str) -> dict[str, TimeSpan]:
    for body in filter(None, said.values()):
        for source in list_sources(body):
            batch.add_dataset(DatasetFacts(*source))
    span = TimeSpan(at, at)
    return {
        batch.add_facet(name, part): span
        for name, body in said.items()
        if body
        for part in split_lineage(body)
    }


def _schemas(batch: Batch, facets: dict[str, Any], at: str) -> dict[str, TimeSpan]:
    """Return the schema among some facets by its hash, with its time."""
    schema = facets.get("schema")
    return {batch.add_facet("schema", schema): TimeSpan(at, at)} if schema else {}


def _sources(batch: Batch, lineage: Any, at: str) -> RunFacts:
    """Return the datasets that explicit lineage names as read."""
    found = sorted(list_sources(lineage))
    span = TimeSpan(at, at)
    return RunFacts(inputs={batch.add_dataset(DatasetFacts(*s)): Use(*s, span) for s in found})


def _entries(facet: Any) -> Iterator[tuple[tuple[str, str] | None, dict[str, Any]]]:
    """Yield the entries of a job's lineage facet: the dataset that each is about, or None.

    An entry about another job is ignored. Source: LineageFacet 1-0-0.
    """
    for entry in list_maps(facet.get("entries") if isinstance(facet, dict) else None):
        place = entry.get("namespace"), entry.get("name")
        if entry.get("type") == "DATASET" and all(map(is_name, place)):
            yield (str(place[0]), str(place[1])), entry
        elif entry.get("type") == "JOB" and place == (None, None):
            yield None, entry
