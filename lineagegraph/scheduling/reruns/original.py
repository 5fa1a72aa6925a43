"""The run that is to run again."""

from lineagegraph.errors import NotFound, RerunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.states import FINAL
from lineagegraph.model.typed import decode_json
from lineagegraph.store.reruns import Original, get_original


def read_original(tx: Transaction, run_id: str) -> Original:
    """Return a run that can be repeated: a pipeline's own, which has ended."""
    found = get_original(tx, id=run_id)
    if found is None:
        raise NotFound(f"no run {run_id!r}")
    if found.version is None and found.parent:
        raise RerunRefused(
            f"run {run_id} is a part of run {found.parent}: rerun that one, with --task for a part"
        )
    if found.job_key is None or (found.version is None and found.current_version is None):
        raise RerunRefused(
            f"run {run_id} of {found.job} was not run by lineagegraph: only runs of pipelines that "
            "were synced can run again"
        )
    if found.is_open or found.state not in FINAL:
        raise RerunRefused(f"run {run_id} is {found.state}: wait for its end, or cancel it")
    return found


def namespace_of(graph: Graph, run_id: str) -> str:
    """Return the namespace of a run's job; raise `NotFound` where there is no such run."""
    found = graph.read(get_original, id=run_id)
    if found is None:
        raise NotFound(f"no run {run_id!r}")
    return found.namespace or ""


def pipeline_of(original: Original) -> Pipeline | None:
    """Return the pipeline as it was, if the graph still has it."""
    if original.definition is None:
        return None
    return decode_json(original.definition, into=Pipeline)
