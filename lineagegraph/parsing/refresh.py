"""A pipeline's definition file, read again at the start of a run if that may change anything."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.parsing.find import find_known
from lineagegraph.parsing.places import this_host
from lineagegraph.parsing.reader import Reader, Wanted
from lineagegraph.settings import Settings
from lineagegraph.store import definition_files

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
