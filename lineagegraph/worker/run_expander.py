"""Tasks added to a run: recorded in the graph, and read for a rerun of some of them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.code.load import KeptFunctions
from lineagegraph.errors import RunError
from lineagegraph.freshness.lease import assert_lease
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.definition import ExpansionTask, PythonTask
from lineagegraph.model.pipelines.expansion import Added, Expansion
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.reading.added_tasks import ADDED, resolve_added_task
from lineagegraph.store.runs import expansions as store


class RunExpander:
    """Records expansions of one run while it is this worker's; `code` is its unpacked source."""

    def __init__(self, graph: Graph, run_id: str, fence: int, most: int, code: Path) -> None:
        self._graph = graph
        self._run_id = run_id
        self._fence = fence
        self.most = most
        self._code = code

    @cached_property
    def _own(self) -> ProjectScope:
        files = (file for file in self._code.rglob("*") if file.is_file())
        return ProjectScope(
            self._code, frozenset(file.relative_to(self._code).as_posix() for file in files)
        )

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; `parameters` are its possible arguments, None for any."""
        return resolve_added_task(task, name, parameters, self._own)

    def record(self, expansions: Sequence[Expansion], codes: Sequence[TaskCode]) -> None:
        """Record expansions as a part of the run, and return when they are committed."""
        self._graph.write(self._record, expansions, codes)

    def _record(
        self, tx: Transaction, expansions: Sequence[Expansion], codes: Sequence[TaskCode]
    ) -> None:
        assert_lease(tx, self._run_id, self._fence)
        store.write_expansions(tx, self._run_id, expansions, codes)


class ExpandedFunctions:
    """Loads the functions of a version's tasks, and of tasks that an earlier run added."""

    def __init__(
        self,
        graph: Graph,
        own: Callable[[PythonTask, str], Callable[..., Any]],
        code: Path,
        expansions: Sequence[Expansion],
    ) -> None:
        self._graph = graph
        self._own = own
        self._code = code
        self._groups = {one.path: one.work for one in expansions}

    def __call__(self, task: PythonTask, path: str) -> Callable[..., Any]:
        """Return the function of the task at a path."""
        groups = (group for group in self._groups if path.startswith(f"{group}."))
        group = max(groups, key=len, default=None)
        if group is None:
            return self._own(task, path)
        return self._added(self._groups[group], task, path)

    def _added(self, group: ExpansionTask, task: PythonTask, path: str) -> Callable[..., Any]:
        if group.not_kept:
            raise RunError(
                f"task {path} cannot run alone, as its function was not kept ({group.not_kept}): "
                "run the task that added it instead"
            )
        stored = self._graph.read(store.get_code, sha256=group.code) if group.code else None
        return KeptFunctions(self._code, stored)(task, ADDED)
