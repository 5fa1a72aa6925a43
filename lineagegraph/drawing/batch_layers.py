"""The tasks of a batch in an order in which they may run."""

from collections.abc import Iterator
from graphlib import TopologicalSorter

import msgspec

from lineagegraph.drawing.batch import is_beside
from lineagegraph.model.freshness.describe import describe_dependency, describe_freshness
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.triggers.condition import tag_of


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
