"""A batch as a graph for drawing."""

from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import NamedTuple

import msgspec

from lineagegraph.model.freshness.describe import describe_dependency, describe_freshness
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.triggers.condition import tag_of
from lineagegraph.queries.lineage.lineage_graph import JobRow, Labels, LineageGraph, Part
from lineagegraph.store.lineage.lineage import AncestorRow, FlowRow


class Picture(NamedTuple):
    """A graph, and the labels of its edges."""

    graph: LineageGraph
    labels: Labels


def draw_batch(pipeline: Pipeline) -> Picture:
    """Return a box for each task and each external parent, in the frames of their batches."""
    own = [_own(pipeline, task) for task in pipeline.tasks]
    edges: dict[tuple[str, str], str] = {}
    elsewhere: dict[str, JobRow] = {}
    for task in pipeline.tasks:
        for one in task.dependencies:
            parent = task_key(pipeline, task, one)
            edges[parent, _key(pipeline, task.name)] = describe_dependency(one)
            if not is_beside(task, one):
                elsewhere[parent] = _elsewhere(pipeline, one)
    graph = LineageGraph(
        nodes=(*own, *elsewhere.values()),
        edges=tuple(FlowRow(source, target) for source, target in edges),
        parts={_key(pipeline, task.name): tuple(_parts(task)) for task in pipeline.tasks},
    )
    return Picture(graph, edges)


def is_beside(task: Task, dependency: Dependency) -> bool:
    """Return whether a parent is a task of the same batch."""
    return dependency.namespace is None and dependency.job in task.after


def task_key(pipeline: Pipeline, task: Task, dependency: Dependency) -> str:
    """Return the key of a parent in the picture."""
    if is_beside(task, dependency):
        return _key(pipeline, dependency.job)
    return f"{dependency.namespace or pipeline.namespace}:{dependency.job}"


def _key(pipeline: Pipeline, task: str) -> str:
    return f"{pipeline.namespace}:{pipeline.name}.{task}"


def _own(pipeline: Pipeline, task: Task) -> JobRow:
    return JobRow(
        key=_key(pipeline, task.name),
        namespace=pipeline.namespace,
        name=f"{pipeline.name}.{task.name}",
        simple_name=task.name,
        kind=tag_of(task.work),
        state=None,
        ancestors=(_frame(pipeline.namespace, pipeline.name),),
    )


def _elsewhere(pipeline: Pipeline, one: Dependency) -> JobRow:
    namespace = one.namespace or pipeline.namespace
    above, _, name = one.job.rpartition(".")
    return JobRow(
        key=f"{namespace}:{one.job}",
        namespace=namespace,
        name=one.job,
        simple_name=name,
        kind="external" if one.external else "elsewhere",
        state=None,
        ancestors=(_frame(namespace, above),) if above else (),
    )


def _frame(namespace: str, name: str) -> AncestorRow:
    return AncestorRow(f"{namespace}:{name}", namespace, name, name, "pipeline")


def _parts(task: Task) -> Iterator[Part]:
    if task.freshness:
        yield Part(describe_freshness(task.freshness), "")
    if task.cluster:
        yield Part(f"on {task.cluster}", "")


class Edge(msgspec.Struct, frozen=True):
    """A parent of a task, and its freshness terms as text."""

    job: str
    namespace: str
    beside: bool
    terms: str


class Row(msgspec.Struct, frozen=True):
    """A task: what it runs, its cluster, its freshness terms, and its parents."""

    task: str
    runs: str
    fresh: str
    cluster: str | None
    needs: tuple[Edge, ...]


def list_layers(pipeline: Pipeline) -> list[list[Row]]:
    """Return the tasks in layers; each task comes after its parents' layers."""
    tasks = {task.name: task for task in pipeline.tasks}
    return [
        [_row(pipeline, tasks[name]) for name in tasks if name in layer] for layer in _layers(tasks)
    ]


def _layers(tasks: dict[str, Task]) -> Iterator[set[str]]:
    sorter = TopologicalSorter({name: task.after for name, task in tasks.items()})
    sorter.prepare()
    while sorter.is_active():
        ready = sorter.get_ready()
        yield set(ready)
        sorter.done(*ready)


def _row(pipeline: Pipeline, task: Task) -> Row:
    return Row(
        task.name,
        tag_of(task.work),
        describe_freshness(task.freshness) if task.freshness else "",
        task.cluster,
        tuple(_edge(pipeline, task, one) for one in task.dependencies),
    )


def _edge(pipeline: Pipeline, task: Task, one: Dependency) -> Edge:
    namespace = one.namespace or pipeline.namespace
    return Edge(one.job, namespace, is_beside(task, one), describe_dependency(one))
