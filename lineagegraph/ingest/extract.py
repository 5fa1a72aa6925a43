"""From events to facts."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from lineagegraph.errors import InvalidEvent
from lineagegraph.ingest.archive import event_row
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.column_facets import list_sources
from lineagegraph.ingest.say import run_sayings, use_sayings
from lineagegraph.model.facts import DatasetFacts, RunFacts, Span, Stamped, Use
from lineagegraph.model.names import job_key
from lineagegraph.openlineage import (
    AnyEvent,
    DatasetEvent,
    InputDataset,
    JobEvent,
    OutputDataset,
    RunEvent,
    decode_event,
)
from lineagegraph.openlineage.decode import to_utc

REPORTED = 1
HEARD_OF = 0
SCHEMA = "dataset:schema"


def extract(bodies: Iterable[Any]) -> Batch:
    """Return the facts of decoded JSON events; raise `InvalidEvent` at the first that is none."""
    batch = Batch()
    for body in bodies:
        event = decode_event(body)
        add_event(batch, event)
        row = event_row(batch, event, body)
        batch.events[row["id"]] = row
    return batch


def add_event(batch: Batch, event: AnyEvent) -> None:
    """Join one event's facts to a batch."""
    at = to_utc(event.event_time).isoformat(timespec="microseconds")
    if isinstance(event, RunEvent):
        _add_run_event(batch, event, at)
    elif isinstance(event, JobEvent):
        _add_job_event(batch, event, at)
    else:
        _add_dataset_event(batch, event, at)


def _add_run_event(batch: Batch, event: RunEvent, at: str) -> None:
    run_id = str(event.run.run_id)
    said = {
        "name": Stamped(REPORTED, at, _name(event.job.namespace, event.job.name)),
        **run_sayings(batch, event, at),
    }
    parent = event.run.facets.get("parent")
    if parent:
        said["parent"] = Stamped(REPORTED, at, _add_parent(batch, run_id, parent, at))
    span = Span(at, at)
    facts = RunFacts(heard=span, times={event.event_type: span}, said=said)
    batch.add_run(run_id, facts | _uses(batch, event, at))


def _add_parent(batch: Batch, run_id: str, facet: Any, at: str) -> str:
    """Add what a parent facet says of the parent and the root, and return the parent's id.

    The root is taken for the parent's parent until the parent reports one itself.
    """
    path = "$.run.facets.parent"
    parent_id, name = _reference(facet, path)
    if parent_id == run_id:
        raise InvalidEvent("a run cannot be its own parent", f"{path}.run.runId")
    said = {"name": Stamped(HEARD_OF, at, name)}
    if facet.get("root"):
        root_id, root_name = _reference(facet["root"], f"{path}.root")
        if root_id not in (parent_id, run_id):
            said["parent"] = Stamped(HEARD_OF, at, root_id)
            root = {"name": Stamped(HEARD_OF, at, root_name)}
            batch.add_run(root_id, RunFacts(heard=Span(at, at), said=root))
    batch.add_run(parent_id, RunFacts(heard=Span(at, at), said=said))
    return parent_id


def _reference(facet: Any, path: str) -> tuple[str, list[str]]:
    try:
        run_id = str(UUID(facet["run"]["runId"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidEvent("expected the UUID of a run", f"{path}.run.runId") from None
    try:
        namespace, name = facet["job"]["namespace"], facet["job"]["name"]
    except (KeyError, TypeError):
        raise InvalidEvent("expected the namespace and name of a job", f"{path}.job") from None
    return run_id, _name(namespace, name, f"{path}.job")


def _name(namespace: Any, name: Any, path: str = "$.job") -> list[str]:
    for part, value in (("namespace", namespace), ("name", name)):
        if not isinstance(value, str) or not value:
            raise InvalidEvent("expected a text that is not empty", f"{path}.{part}")
    return [namespace, name]


def _add_job_event(batch: Batch, event: JobEvent, at: str) -> None:
    namespace, name = _name(event.job.namespace, event.job.name)
    said = {
        "name": Stamped(REPORTED, at, [namespace, name]),
        **run_sayings(batch, event, at),
    }
    facts = RunFacts(heard=Span(at, at), said=said) | _uses(batch, event, at)
    batch.add_declaration(job_key(None, namespace, name), facts)


def _add_dataset_event(batch: Batch, event: DatasetEvent, at: str) -> None:
    dataset = event.dataset
    namespace, name = _name(dataset.namespace, dataset.name, "$.dataset")
    batch.add_dataset(_dataset_facts(batch, namespace, name, dataset.facets, REPORTED, at))


def _uses(batch: Batch, event: RunEvent | JobEvent, at: str) -> RunFacts:
    return RunFacts(
        inputs=dict(_use(batch, d, at, f"$.inputs[{i}]") for i, d in enumerate(event.inputs)),
        outputs=dict(_use(batch, d, at, f"$.outputs[{i}]") for i, d in enumerate(event.outputs)),
    )


def _use(
    batch: Batch, dataset: InputDataset | OutputDataset, at: str, path: str
) -> tuple[str, Use]:
    """A writer's word on a dataset's facets outranks a reader's, who may see a part only."""
    namespace, name = _name(dataset.namespace, dataset.name, path)
    rank = REPORTED if isinstance(dataset, OutputDataset) else HEARD_OF
    facets = {k: v for k, v in dataset.facets.items() if k != "columnLineage"}
    key = batch.add_dataset(_dataset_facts(batch, namespace, name, facets, rank, at))
    span = Span(at, at)
    lineage = dataset.facets.get("columnLineage") if rank == REPORTED else None
    for source in list_sources(lineage):
        batch.add_dataset(DatasetFacts(*source))
    columns = {batch.add_facet("columnLineage", lineage): span} if lineage else {}
    return key, Use(namespace, name, span, use_sayings(dataset, at), columns)


def _dataset_facts(
    batch: Batch, namespace: str, name: str, facets: dict[str, Any], rank: int, at: str
) -> DatasetFacts:
    said = {
        f"dataset:{facet}": Stamped(rank, at, batch.add_facet(facet, body))
        for facet, body in facets.items()
        if body is not None
    }
    schema = said.get(SCHEMA)
    return DatasetFacts(namespace, name, said, {schema.value: schema} if schema else {})
