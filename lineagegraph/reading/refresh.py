"""A pipeline's definition file, read again at the start of a run if that may change anything."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.find import find_known
from lineagegraph.reading.places import this_host
from lineagegraph.reading.reader import Reader, Wanted
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.runs.reruns import get_original

# What people have changed of it stays until the next sync.
_WANTED = Wanted(altered=False)


def refresh(graph: Graph, settings: Settings, job_key: str) -> list[str]:
    """Read the file of a pipeline again if it is dynamic or was changed; return what is wrong.

    Then, and where the file is not there or another host's, the last good version stays in force.
    """
    name = graph.read(definition_files.get_declaring, host=this_host(), job_key=job_key)
    if name is None:
        return []
    if not Path(name).exists():
        return [f"{name}: is not there: the run takes the version that was read last"]
    with Reader(graph) as reader:
        (target, *_) = find_known(graph, Path(name))
        return reader.read([target], target.settings(settings), _WANTED).failures


def refresh_job_of(graph: Graph, settings: Settings, run_id: str) -> list[str]:
    """Do the same for the pipeline of a run, so that what a rerun of it would be is true."""
    run = graph.read(get_original, id=run_id)
    return refresh(graph, settings, run.job_key) if run and run.job_key else []
