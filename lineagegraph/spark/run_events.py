"""OpenLineage run events of Spark applications and their actions."""

import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from lineagegraph.file_states import states_of_use
from lineagegraph.model.runs.ids import PRODUCER, derived_id
from lineagegraph.model.runs.states import EventType
from lineagegraph.spark.action import Action, Completeness, Table
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.dataset_facets import input_datasets, output_datasets
from lineagegraph.spark.facets import RUN_EVENT, Facet, make_custom_run_facet, make_facet
from lineagegraph.text import describe_error

Event = dict[str, Any]
LOCAL_FILES = "file"
MOST_KINDS = 20


@dataclass(frozen=True)
class Engine:
    """The Spark application as the cluster knows it."""

    version: str
    application_id: str
    master: str
    #: its files are those of another machine
    is_remote: bool = False


@dataclass(frozen=True)
class ApplicationRun:
    """The part of a Spark application that worked for one task, or for none."""

    run_id: str
    namespace: str
    name: str
    engine: Engine
    context: TaskContext | None = None


@dataclass(frozen=True)
class ActionRun:
    """One action of an application, under the name that it has in every run."""

    application: ApplicationRun
    execution: int
    name: str

    @property
    def run_id(self) -> str:
        """The action's run, derived from the application's."""
        return derived_id(self.application.run_id, str(self.execution))


def application_event(
    event_type: EventType,
    at: datetime,
    application: ApplicationRun,
    error: Facet | None = None,
    completeness: Completeness | None = None,
) -> Event:
    """Return the event of an application run."""
    facets = _engine_facets(application.engine)
    if completeness and completeness.opaque:
        facets["extractionError"] = _opaque(completeness)
    if parent := _parent_of_application(application):
        facets["parent"] = parent
    job = _job(application.namespace, application.name, "APPLICATION")
    return _event(event_type, at, application.run_id, job, facets, error)


def action_event(
    event_type: EventType,
    at: datetime,
    run: ActionRun,
    action: Action | None = None,
    error: Facet | None = None,
) -> Event:
    """Return the event of an action run; with an action, also its inputs and output."""
    application = run.application
    facets = _engine_facets(application.engine) | {"parent": _parent_of_action(application)}
    job = _job(application.namespace, f"{application.name}.{run.name}", "SQL_JOB")
    if action and action.description.sql:
        job["facets"]["sql"] = make_facet("SQLJobFacet", query=action.description.sql)
    event = _event(event_type, at, run.run_id, job, facets, error)
    if action:
        event["inputs"] = input_datasets(action)
        event["outputs"] = output_datasets(action)
    if action and action.description.opaque:
        facets["extractionError"] = _opaque(Completeness(action.parts, action.description.opaque))
    sees_files = event_type is EventType.COMPLETE and not application.engine.is_remote
    if sees_files and action and (files := _files(action)):
        facets["lineagegraph"] = make_custom_run_facet(files=files)
    return event


def _opaque(found: Completeness) -> Facet:
    """Return the facet that names the parts of plans that lineage misses."""
    kinds = list(dict.fromkeys(found.opaque))[:MOST_KINDS]
    errors = [{"errorMessage": f"{kind} is not understood"} for kind in kinds]
    return make_facet(
        "ExtractionErrorRunFacet",
        totalTasks=found.parts,
        failedTasks=len(found.opaque),
        errors=errors,
    )


def _files(action: Action) -> dict[str, Any]:
    """Return the states of the local files and folders that a completed action used itself."""
    read = [table for tables in action.inputs.values() for table in tables]
    written = [target.table for target in action.description.targets]
    return states_of_use(_paths(read), _paths(written))


def _paths(tables: Iterable[Table]) -> list[str]:
    names = (table.dataset for table in tables)
    local = (name.path or name.name for name in names if name.namespace == LOCAL_FILES)
    return list(dict.fromkeys(local))


def error_of(error: BaseException) -> Facet:
    """Return the facet of a Python exception."""
    return make_facet(
        "ErrorMessageRunFacet",
        message=describe_error(error),
        programmingLanguage="PYTHON",
        stackTrace="".join(traceback.format_exception(error)),
    )


def error_of_jvm(message: str) -> Facet:
    """Return the facet of an exception in the JVM."""
    return make_facet("ErrorMessageRunFacet", message=message, programmingLanguage="JAVA")


def from_millis(millis: int) -> datetime:
    """Return the time of a Spark event."""
    return datetime.fromtimestamp(millis / 1000, UTC)


def _event(
    event_type: EventType,
    at: datetime,
    run_id: str,
    job: Facet,
    facets: dict[str, Facet],
    error: Facet | None,
) -> Event:
    if error:
        facets["errorMessage"] = error
    return {
        "eventType": event_type.value,
        "eventTime": at.isoformat(timespec="milliseconds"),
        "producer": PRODUCER,
        "schemaURL": RUN_EVENT,
        "run": {"runId": run_id, "facets": facets},
        "job": job,
    }


def _job(namespace: str, name: str, kind: str) -> dict[str, Any]:
    facet = make_facet("JobTypeJobFacet", processingType="BATCH", integration="SPARK", jobType=kind)
    return {"namespace": namespace, "name": name, "facets": {"jobType": facet}}


def _engine_facets(engine: Engine) -> dict[str, Facet]:
    properties = {"spark.master": engine.master, "spark.app.id": engine.application_id}
    return {
        "processing_engine": make_facet(
            "ProcessingEngineRunFacet", name="spark", version=engine.version
        ),
        "spark_properties": make_custom_run_facet(properties=properties),
    }


def _parent_of_application(application: ApplicationRun) -> Facet | None:
    task = application.context
    if task is None:
        return None
    return _parent(task.run_id, task.namespace, task.job, task)


def _parent_of_action(application: ApplicationRun) -> Facet:
    return _parent(application.run_id, application.namespace, application.name, application.context)


def _parent(run_id: str, namespace: str, name: str, task: TaskContext | None) -> Facet:
    root = task and {
        "run": {"runId": task.root_run_id},
        "job": {"namespace": task.root_namespace, "name": task.root_job},
    }
    return make_facet(
        "ParentRunFacet",
        run={"runId": run_id},
        job={"namespace": namespace, "name": name},
        root=root,
    )
