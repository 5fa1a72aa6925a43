"""What the payload of a job may have, and what a pipeline takes: for those who write rules."""

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.definition import Parameter, Pipeline
from lineagegraph.model.emits import list_payload_names
from lineagegraph.model.typed import decode_json
from lineagegraph.store.names import NamedJob, list_pipelines
from lineagegraph.store.versions import get_definition, get_definition_named


class PayloadNames(msgspec.Struct, frozen=True):
    """The names that a payload may have, with their types; `any_other` where others may be too."""

    types: dict[str, str]
    any_other: bool


def read_payload_names(graph: Graph, namespace: str, job: str) -> PayloadNames:
    """Return what the payload of a job's runs may have: its parameters, and what it declares."""
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
    """Return pipelines that can be started with a text in their names."""
    return graph.read(list_pipelines, text=text.lower(), limit=limit)
