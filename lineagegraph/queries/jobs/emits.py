"""Values that the tasks of a job declare to emit."""

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.pipelines.emits import list_payload_names
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.find.find import find_job
from lineagegraph.store.jobs.names import NamedJob, list_pipelines
from lineagegraph.store.pipelines.versions import (
    EmitRow,
    get_definition,
    get_definition_named,
    list_emits,
)


def read_emits(graph: Graph, job: str, namespace: str | None = None) -> list[EmitRow]:
    """Return the values that the tasks of a job's current version declare, by task."""
    return graph.read(list_emits, job_key=find_job(graph, job, namespace).key)


class PayloadNames(msgspec.Struct, frozen=True):
    """The names of a payload with their types; `any_other` if other names are allowed."""

    types: dict[str, str]
    any_other: bool


def read_payload_names(graph: Graph, namespace: str, job: str) -> PayloadNames:
    """Return the names in the payload of a job's runs: its parameters and declared values."""
    text = graph.read(get_definition_named, namespace=namespace, fqn=job)
    if text is None:
        return PayloadNames({}, any_other=True)
    pipeline = decode_json(text, into=Pipeline)
    types = list_payload_names(pipeline)
    known = {one.name: one.type for one in pipeline.parameters}
    return PayloadNames(known if types is None else types, any_other=types is None)


def read_parameters(graph: Graph, job_key: str) -> tuple[Parameter, ...]:
    """Return the parameters of a pipeline's current version."""
    text = graph.read(get_definition, job_key=job_key)
    return decode_json(text, into=Pipeline).parameters if text else ()


def find_pipelines(graph: Graph, text: str, limit: int = 20) -> list[NamedJob]:
    """Return startable pipelines with a text in their names."""
    return graph.read(list_pipelines, text=text.lower(), limit=limit)
