"""What there is around batches that are checked: their files' tasks, and those of a graph."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.typed import decode_json
from lineagegraph.reading.elsewhere import Name, list_elsewhere
from lineagegraph.reading.jobs import list_task_jobs
from lineagegraph.store.freshness import dependencies
from lineagegraph.store.freshness.dependencies import StatedJob


@dataclass
class Surroundings:
    """Jobs by full name; `gone` says why one can never succeed again.

    `awaits` has what jobs of the graph wait for. Without a graph nothing is known to be missing but
    tasks of batches that are `stated`.
    """

    stated: dict[Name, Pipeline]
    tasks: dict[Name, tuple[Pipeline, Task]]
    names: set[Name]
    has_graph: bool = False
    gone: dict[Name, str] = field(default_factory=dict)
    awaits: dict[Name, list[Name]] = field(default_factory=dict)

    def is_unknown(self, name: Name) -> bool:
        """Say whether nobody knows a job."""
        if name in self.names:
            return False
        above = Name(name.namespace, name.fqn.rpartition(".")[0])
        return self.has_graph or above in self.stated


def look_around(graph: Graph | None, pipelines: Sequence[Pipeline]) -> Surroundings:
    """Return what these batches state, and what a graph has of the jobs that they need."""
    tasks = {name: found for one in pipelines for name, found in _tasks(one)}
    stated = {Name(one.namespace, one.name): one for one in pipelines}
    jobs = {
        Name(job.name.namespace, job.name.fqn) for one in pipelines for job in list_task_jobs(one)
    }
    around = Surroundings(stated, tasks, {*stated, *jobs})
    if graph is not None:
        graph.read(_look_into, around, _needed(pipelines) - around.names)
    return around


def _look_into(tx: Transaction, around: Surroundings, needed: set[Name]) -> None:
    around.has_graph = True
    rows = [name._asdict() for name in sorted(needed)]
    found = dependencies.list_named(tx, rows=rows)
    around.names |= {Name(one.namespace, one.fqn) for one in found if one.is_known}
    for job in dependencies.list_stated(tx, rows=rows):
        _add_stated(around, job)
    level, seen = {one.key for one in found}, set[str]()
    while level:
        seen |= level
        steps = dependencies.walk_awaited(tx, keys=sorted(level))
        for step in steps:
            name = Name(step.namespace, step.fqn)
            around.awaits.setdefault(name, []).append(Name(step.next_namespace, step.next_fqn))
        level = {step.next_key for step in steps} - seen


def _add_stated(around: Surroundings, job: StatedJob) -> None:
    name = Name(job.namespace, job.fqn)
    pipeline = decode_json(job.definition, into=Pipeline)
    found = dict(_tasks(pipeline))
    if job.is_withdrawn:
        around.gone[name] = f"is withdrawn: no file defines {pipeline.name} any more"
    elif name in found:
        around.tasks[name] = found[name]
    elif job.fqn not in _names(pipeline):
        around.gone[name] = f"is no task of {pipeline.name} any more"


def _names(pipeline: Pipeline) -> set[str]:
    return {pipeline.name, *(job.name.fqn for job in list_task_jobs(pipeline))}


def _tasks(pipeline: Pipeline) -> Iterator[tuple[Name, tuple[Pipeline, Task]]]:
    for task in pipeline.tasks:
        yield Name(pipeline.namespace, f"{pipeline.name}.{task.name}"), (pipeline, task)


def _needed(pipelines: Iterable[Pipeline]) -> set[Name]:
    return {need.parent for one in pipelines for need in list_elsewhere(list_task_jobs(one))}
