"""Batches whose tasks would wait for each other."""

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.reading.batch_context import Surroundings
from lineagegraph.reading.elsewhere import Name, list_beside, list_elsewhere
from lineagegraph.reading.jobs import list_task_jobs
from lineagegraph.reading.parser import ParsedPipeline

_Path = tuple[str, ...]


def find_circles(batches: Sequence[ParsedPipeline], around: Surroundings) -> dict[str, str]:
    """Return what is wrong with a batch, by its version's hash, that is part of a circle.

    What files state counts in place of what the graph has of the same batches.
    """
    stated = {name for one in batches for name, _ in _members(one.version.pipeline)}
    awaits = {name: list(of) for name, of in around.awaits.items() if name not in stated}
    for one in batches:
        for name, of in _awaited(one.version.pipeline):
            awaits.setdefault(name, []).extend(of)
    try:
        TopologicalSorter(awaits).prepare()
    except CycleError as error:
        path: list[Name] = error.args[1]
        said = " -> ".join(name.fqn for name in path)
        return {
            one.version.hash: f"tasks wait for each other in a circle: {said}"
            for one in batches
            if any(name in path for name, _ in _members(one.version.pipeline))
        }
    return {}


def _awaited(pipeline: Pipeline) -> Iterator[tuple[Name, list[Name]]]:
    """Yield what each job waits for: its parents, and those of what it is in or has in it."""
    jobs = list_task_jobs(pipeline)
    names = {job.path: Name(job.name.namespace, job.name.fqn) for job in jobs}
    needs = [(child.path, names[path]) for child, path, _ in list_beside(jobs)]
    needs += [(one.child.path, one.parent) for one in list_elsewhere(jobs)]
    for name, path in _members(pipeline):
        yield name, [parent for child, parent in needs if _are_in_line(path, child)]


def _members(pipeline: Pipeline) -> Iterator[tuple[Name, _Path]]:
    yield Name(pipeline.namespace, pipeline.name), ()
    for job in list_task_jobs(pipeline):
        yield Name(job.name.namespace, job.name.fqn), job.path


def _are_in_line(one: _Path, other: _Path) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer[: len(shorter)] == shorter
