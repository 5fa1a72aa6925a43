"""OpenLineage events for the requests of Marquez's own writers."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from lineagegraph.http.marquez.writer_bodies import DatasetBody, JobBody, NameBody, RunBody
from lineagegraph.model.access import Caller
from lineagegraph.model.runs.ids import PRODUCER
from lineagegraph.model.runs.states import EventType
from lineagegraph.openlineage.compose import make_event, make_facet
from lineagegraph.store.jobs.details import Named

Event = dict[str, Any]
Take = Callable[[Caller, list[Event]], None]
_PROCESSING = {"BATCH": "BATCH", "STREAM": "STREAMING", "SERVICE": "SERVICE"}
_DATASETS = {"DB_TABLE": "TABLE", "STREAM": "STREAM"}


def dataset_event(dataset: Event) -> Event:
    """Return an event about a dataset, apart from any run."""
    return _event("DatasetEvent") | {"dataset": dataset}


def run_event(
    run: str,
    job: Named,
    kind: EventType = EventType.OTHER,
    *,
    at: datetime | None = None,
    facets: Event | None = None,
    inputs: Iterable[Event] = (),
    outputs: Iterable[Event] = (),
) -> Event:
    """Return an event about a run; `job` is the name that the run gives its job."""
    return _event("RunEvent", at) | {
        "eventType": kind.value,
        "run": {"runId": run, "facets": facets or {}},
        "job": {"namespace": job.namespace, "name": job.name},
        "inputs": list(inputs),
        "outputs": list(outputs),
    }


def job_event(job: Named, said: JobBody) -> Event:
    """Return an event about a job, apart from any run."""
    return _event("JobEvent") | {
        "job": {"namespace": job.namespace, "name": job.name, "facets": _job_facets(said)},
        "inputs": list_named(said.inputs),
        "outputs": list_named(said.outputs),
    }


def list_named(datasets: Iterable[NameBody]) -> list[Event]:
    """Return datasets by name only."""
    return [{"namespace": one.namespace, "name": one.name} for one in datasets]


def said_dataset(namespace: str, name: str, said: DatasetBody, uri: str) -> Event:
    """Return a dataset with its facets; `uri` is that of its source."""
    fields = [
        {"name": field.name, "type": field.type, "description": field.description}
        for field in said.fields or ()
    ]
    fields = [{key: text for key, text in field.items() if text} for field in fields]
    own = {"physicalName": said.physical_name, "schemaLocation": said.schema_location}
    facets = {
        "datasetType": make_facet(
            "1-0-1/DatasetTypeDatasetFacet", datasetType=_DATASETS[said.type]
        ),
        "dataSource": make_facet("1-0-1/DatasourceDatasetFacet", name=said.source_name, uri=uri),
        "lineagegraph": _own("dataset-facet-1", own),
    }
    if fields:
        facets["schema"] = make_facet("1-2-0/SchemaDatasetFacet", fields=fields)
    if said.description is not None:
        facets["documentation"] = make_facet(
            "1-1-0/DocumentationDatasetFacet", description=said.description
        )
    return {"namespace": namespace, "name": name, "facets": facets}


def new_run_facets(said: RunBody) -> Event:
    """Return the facets of a run that has not started."""
    facets = {"lineagegraph": _own("run-facet-1", {"params": said.args or None})}
    if said.nominal_start_time:
        times = {"nominalStartTime": said.nominal_start_time.isoformat()}
        if said.nominal_end_time:
            times["nominalEndTime"] = said.nominal_end_time.isoformat()
        facets["nominalTime"] = make_facet("1-0-1/NominalTimeRunFacet", **times)
    return facets


def _job_facets(said: JobBody) -> Event:
    kind = {"processingType": _PROCESSING[said.type], "integration": "MARQUEZ"}
    facets = {"jobType": make_facet("2-0-4/JobTypeJobFacet", **kind)}
    if said.location:
        facets["sourceCodeLocation"] = make_facet(
            "1-1-0/SourceCodeLocationJobFacet", type="url", url=said.location
        )
    if said.description is not None:
        facets["documentation"] = make_facet(
            "1-1-0/DocumentationJobFacet", description=said.description
        )
    for name, text in (said.context or {}).items():
        if name.lower() == "sql" and isinstance(text, str):
            facets["sql"] = make_facet("1-1-0/SQLJobFacet", query=text)
    return facets


def _event(kind: str, at: datetime | None = None) -> Event:
    return make_event(kind, at or datetime.now(UTC))


def _own(which: str, said: Event) -> Event:
    known = {key: value for key, value in said.items() if value is not None}
    return {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}#{which}", **known}
