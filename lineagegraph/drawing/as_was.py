"""The tasks of a run or of a version as a graph for drawing."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from lineagegraph.queries.lineage.lineage_graph import JobRow, LineageGraph, Part
from lineagegraph.queries.versions.as_was import AsWas
from lineagegraph.queries.versions.tasks_as_was import NOT_RUN, TaskAsWas
from lineagegraph.store.lineage.lineage import AncestorRow, FlowRow
from lineagegraph.text import duration, format_duration

# Edges between two containers: more are no longer told apart.
_MOST_BETWEEN = 400


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
        """Return the containers around a task, the outermost first."""
        found: list[TaskAsWas] = []
        parent = self._tasks.get(task.parent or "")
        while parent:
            found.append(parent)
            parent = self._tasks.get(parent.parent or "")
        return found[::-1]

    def edges(self) -> Iterator[FlowRow]:
        first = self._ends(lambda one, _: not one.after)
        last = self._ends(lambda one, followed: one.path not in followed)
        for task in self._tasks.values():
            for path in task.after:
                if path in last:
                    yield from _between(last[path], first[task.path])

    def _ends(self, is_end: Callable[[TaskAsWas, Set[str]], bool]) -> dict[str, list[str]]:
        """Return the boxes at one end of each task, which has the tasks inside it after it."""
        ends: dict[str, list[str]] = {}
        for task in reversed(list(self._tasks.values())):
            inside = self.inside(task)
            followed = {path for one in inside for path in one.after}
            boxes = (ends.get(one.path, [one.path]) for one in inside if is_end(one, followed))
            ends[task.path] = [box for some in boxes for box in some] or [task.path]
        return ends


def _between(sources: Sequence[str], targets: Sequence[str]) -> Iterator[FlowRow]:
    """Yield the edges from each source to each target.

    Of very many it yields those of the first source and of the first target.
    """
    if len(sources) * len(targets) <= _MOST_BETWEEN:
        yield from (FlowRow(source, target) for source in sources for target in targets)
        return
    yield from (FlowRow(source, targets[0]) for source in sources)
    yield from (FlowRow(sources[0], target) for target in targets[1:])


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
