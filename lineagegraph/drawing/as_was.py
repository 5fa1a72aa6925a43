"""The tasks of a run or of a version as a graph for drawing."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from lineagegraph.queries.lineage.lineage_graph import JobRow, LineageGraph, Part
from lineagegraph.queries.versions.as_was import AsWas
from lineagegraph.queries.versions.tasks_as_was import NOT_RUN, TaskAsWas
from lineagegraph.store.lineage.lineage import AncestorRow, FlowRow
from lineagegraph.text import duration, format_duration


def draw_as_was(found: AsWas) -> LineageGraph:
    """Return a box for each task and a frame for each outermost container.

    A predecessor of a container precedes the container's first tasks.
    """
    tree = _Tree(found.tasks)
    boxes = [task for task in found.tasks if not tree.inside(task)]
    return LineageGraph(
        nodes=tuple(_box(task, tree, found) for task in boxes),
        edges=tuple(dict.fromkeys(tree.edges())),
        parts={task.path: (_part(task, is_run=found.run is not None),) for task in boxes},
    )


class _Tree:
    """Tasks by path, and the children of each."""

    def __init__(self, tasks: Sequence[TaskAsWas]) -> None:
        self._tasks: Mapping[str, TaskAsWas] = {task.path: task for task in tasks}
        self._inside: dict[str, list[TaskAsWas]] = defaultdict(list)
        for task in tasks:
            if task.parent:
                self._inside[task.parent].append(task)

    def inside(self, task: TaskAsWas) -> list[TaskAsWas]:
        return self._inside.get(task.path, [])

    def above(self, task: TaskAsWas) -> list[TaskAsWas]:
        parent = self._tasks.get(task.parent or "")
        return [*self.above(parent), parent] if parent else []

    def edges(self) -> Iterator[FlowRow]:
        for task in self._tasks.values():
            for path in task.after:
                before = self._tasks.get(path)
                for source in self._last(before) if before else ():
                    for target in self._first(task):
                        yield FlowRow(source.path, target.path)

    def _first(self, task: TaskAsWas) -> list[TaskAsWas]:
        """Return the boxes that begin a task."""
        inside = self.inside(task)
        return [box for one in inside if not one.after for box in self._first(one)] or [task]

    def _last(self, task: TaskAsWas) -> list[TaskAsWas]:
        inside = self.inside(task)
        followed = {path for one in inside for path in one.after}
        return [box for one in inside if one.path not in followed for box in self._last(one)] or [
            task
        ]


def _box(task: TaskAsWas, tree: _Tree, found: AsWas) -> JobRow:
    namespace = found.namespace or ""
    above = [AncestorRow(one.path, namespace, one.path, one.name, None) for one in tree.above(task)]
    return JobRow(
        key=task.path,
        namespace=namespace,
        name=f"{found.job}.{task.path}",
        simple_name=task.name,
        kind=task.runs,
        state=None,
        ancestors=tuple(above),
    )


def _part(task: TaskAsWas, *, is_run: bool) -> Part:
    """Return a task's state and its note."""
    took = duration(task.started_at, task.ended_at) if task.ended_at else None
    said = [
        format_duration(round(took.total_seconds(), 1)) if took else "",
        f"attempt {task.attempts}" if (task.attempts or 1) > 1 else "",
        "not run" if is_run and task.state == NOT_RUN else "",
        "added by the run" if task.is_added else "",
        "gone today" if task.is_removed else "",
    ]
    return Part(", ".join(filter(None, said)), "" if task.state == NOT_RUN else task.state)
