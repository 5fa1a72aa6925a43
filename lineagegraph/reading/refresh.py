"""Read a pipeline's definition file again at the start of a run."""

from pathlib import Path

from lineagegraph.errors import PipelineWithdrawn
from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading.definition_files import find_known, may_be_file, this_host
from lineagegraph.reading.reader import Reader, RereadPolicy
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.runs.reruns import get_original

# Changes that people made to it stay until the next sync, and a fault must not delay the run.
_WANTED = RereadPolicy(faulty=False, altered=False, due=False)


def refresh(graph: Graph, settings: Settings, job_key: str) -> list[str]:
    """Read the file of a pipeline again if it is dynamic or has changed; return the errors.

    After an error, or if the file is missing or on another host, the last good version holds.
    """
    name = graph.read(definition_files.get_declaring, host=this_host(), job_key=job_key)
    if name is None:
        return []
    if not may_be_file(Path(name)):
        return [f"{name}: is missing: the run takes the version that was read last"]
    with Reader(graph) as reader:
        # It may be forgotten by now.
        known = find_known(graph, Path(name))[:1]
        return [
            failure
            for target in known
            for failure in reader.read([target], target.settings(settings), _WANTED).failures
        ]


def refresh_job_of(graph: Graph, settings: Settings, run_id: str) -> list[str]:
    """Refresh the pipeline of a run, so that the preview of its rerun is correct."""
    run = graph.read(get_original, id=run_id)
    return refresh(graph, settings, run.job_key) if run and run.job_key else []


def check_is_active(tx: Transaction, job_key: str) -> None:
    """Raise `PipelineWithdrawn` if no file defines a pipeline any more."""
    withdrawn = definition_files.get_withdrawn(tx, job_key=job_key)
    if withdrawn is not None:
        raise PipelineWithdrawn(
            f"{withdrawn.reason}: run `lineagegraph sync PATH` with its new path"
        )
