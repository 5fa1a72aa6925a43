"""The context of checked batches: the tasks of their files, and jobs of a graph."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.describe import describe_removed
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.typed import decode_json
from lineagegraph.reading.known_names import KnownNames
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.task_jobs import FullName, list_beside, list_elsewhere, list_task_jobs
from lineagegraph.store.freshness import dependencies
from lineagegraph.store.freshness.dependencies import StatedJob


@dataclass
class BatchContext:
    """Jobs by full name.

    Without a graph, a job is unknown only if it would be a task of one of the `stated` batches.
    """

    #: batches of the files
    stated: dict[FullName, Pipeline]
    #: tasks of the files, and of the graph's batches
    tasks: dict[FullName, tuple[Pipeline, Task]]
    #: all jobs that are known
    known: KnownNames
    has_graph: bool = False
    #: the reason for each job that can never succeed again
    gone: dict[FullName, str] = field(default_factory=dict)
    #: parents of the graph's jobs
    awaits: dict[FullName, list[FullName]] = field(default_factory=dict)

    def is_unknown(self, name: FullName) -> bool:
        """Return whether a job is unknown."""
        if self.known.resolve(name):
            return False
        above = FullName(name.namespace, name.fqn.rpartition(".")[0])
        is_ambiguous = bool(self.known.candidates(name))
        return self.has_graph or above in self.stated or is_ambiguous


def load_context(graph: Graph | None, pipelines: Sequence[Pipeline]) -> BatchContext:
    """Return the jobs that these batches state, and those of a graph that they need."""
    tasks = {name: found for one in pipelines for name, found in _tasks(one)}
    stated = {FullName(one.namespace, one.name): one for one in pipelines}
    known = KnownNames()
    for one in pipelines:
        known.add_pipeline(one)
    around = BatchContext(stated, tasks, known)
    if graph is not None:
        graph.read(_read_graph, around, _needed(pipelines) - known.names)
    return around


def _read_graph(tx: Transaction, around: BatchContext, needed: set[FullName]) -> None:
    around.has_graph = True
    rows = [name._asdict() for name in sorted(needed)]
    found = dependencies.list_named(tx, rows=rows)
    around.known.add_found(found)
    named = {FullName(one.namespace, one.full_name or one.fqn) for one in found}
    rows = [name._asdict() for name in sorted(named)]
    for job in dependencies.list_stated(tx, rows=rows):
        _add_stated(around, job)
    level, seen = {one.key for one in found if one.key}, set[str]()
    while level:
        seen |= level
        steps = dependencies.walk_awaited(tx, keys=sorted(level))
        for step in steps:
            name = FullName(step.namespace, step.fqn)
            around.awaits.setdefault(name, []).append(FullName(step.next_namespace, step.next_fqn))
        level = {step.next_key for step in steps} - seen


def _add_stated(around: BatchContext, job: StatedJob) -> None:
    name = FullName(job.namespace, job.fqn)
    pipeline = decode_json(job.definition, into=Pipeline)
    found = dict(_tasks(pipeline))
    if name in found and not job.is_withdrawn:
        around.tasks[name] = found[name]
    elif job.is_withdrawn or job.fqn not in _names(pipeline):
        around.gone[name] = describe_removed(pipeline.name, is_withdrawn=job.is_withdrawn)


def _names(pipeline: Pipeline) -> set[str]:
    return {pipeline.name, *(job.name.fqn for job in list_task_jobs(pipeline))}


def _tasks(pipeline: Pipeline) -> Iterator[tuple[FullName, tuple[Pipeline, Task]]]:
    for task in pipeline.tasks:
        yield FullName(pipeline.namespace, f"{pipeline.name}.{task.name}"), (pipeline, task)


def _needed(pipelines: Iterable[Pipeline]) -> set[FullName]:
    return {need.parent for one in pipelines for need in list_elsewhere(list_task_jobs(one))}


_Path = tuple[str, ...]


def find_circles(batches: Sequence[ParsedPipeline], around: BatchContext) -> dict[str, str]:
    """Return the error of each batch that is part of a circle, by its version's hash.

    Batches that files state replace those of the graph.
    """
    stated = {name for one in batches for name, _ in _members(one.version.pipeline)}
    awaits = {name: list(of) for name, of in around.awaits.items() if name not in stated}
    for one in batches:
        for name, of in _awaited(one.version.pipeline):
            awaits.setdefault(name, []).extend(around.known.resolve(one) or one for one in of)
    try:
        TopologicalSorter(awaits).prepare()
    except CycleError as error:
        path: list[FullName] = error.args[1]
        circle = " -> ".join(name.fqn for name in path)
        return {
            one.version.hash: f"tasks wait for each other in a circle: {circle}"
            for one in batches
            if any(name in path for name, _ in _members(one.version.pipeline))
        }
    return {}


def _awaited(pipeline: Pipeline) -> Iterator[tuple[FullName, list[FullName]]]:
    """Yield the jobs that each job waits for: its parents, and those of its group or members."""
    jobs = list_task_jobs(pipeline)
    names = {job.path: FullName(job.name.namespace, job.name.fqn) for job in jobs}
    needs = [(child.path, names[path]) for child, path, _ in list_beside(jobs)]
    needs += [(one.child.path, one.parent) for one in list_elsewhere(jobs)]
    for name, path in _members(pipeline):
        yield name, [parent for child, parent in needs if _are_in_line(path, child)]


def _members(pipeline: Pipeline) -> Iterator[tuple[FullName, _Path]]:
    yield FullName(pipeline.namespace, pipeline.name), ()
    for job in list_task_jobs(pipeline):
        yield FullName(job.name.namespace, job.name.fqn), job.path


def _are_in_line(one: _Path, other: _Path) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer[: len(shorter)] == shorter
