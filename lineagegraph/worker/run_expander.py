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
from lineagegraph.worker.run_claim import RunClaim


class TaskResolver:
    """Makes tasks of functions; `code` is the unpacked source of the run."""

    def __init__(self, code: Path) -> None:
        self._code = code

    def __call__(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; `parameters` are its possible arguments, None for any."""
        return resolve_added_task(task, name, parameters, self._own)

    @cached_property
    def _own(self) -> ProjectScope:
        files = (file for file in self._code.rglob("*") if file.is_file())
        return ProjectScope(
            self._code, frozenset(file.relative_to(self._code).as_posix() for file in files)
        )


class RunExpander:
    """Records expansions of one run while it is this worker's; `code` is its unpacked source.

    `recorded` is called with them afterwards.
    """

    def __init__(
        self, run: RunClaim, code: Path, recorded: Callable[[Sequence[Expansion]], object]
    ) -> None:
        self._run = run
        self.most = run.settings.max_expanded_tasks
        self._resolver = TaskResolver(code)
        self._recorded = recorded

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; `parameters` are its possible arguments, None for any."""
        return self._resolver(task, name, parameters)

    def record(self, expansions: Sequence[Expansion], codes: Sequence[TaskCode]) -> None:
        """Record expansions as a part of the run, and return when they are committed."""
        self._run.graph.write(self._record, expansions, codes)
        self._recorded(expansions)

    def _record(
        self, tx: Transaction, expansions: Sequence[Expansion], codes: Sequence[TaskCode]
    ) -> None:
        assert_lease(tx, self._run.id, self._run.fence)
        store.write_expansions(tx, self._run.id, expansions, codes)


def code_reader(graph: Graph) -> Callable[[str], TaskCode | None]:
    """Return a reader of functions that tasks added, by hash."""
    return lambda sha256: graph.read(store.get_code, sha256=sha256)


class ExpandedFunctions:
    """Loads the functions of a version's tasks, and of tasks that a run added."""

    def __init__(
        self,
        read_code: Callable[[str], TaskCode | None],
        own: Callable[[PythonTask, str], Callable[..., Any]],
        code: Path,
        expansions: Sequence[Expansion],
    ) -> None:
        self._read_code = read_code
        self._own = own
        self._code = code
        self._groups: dict[str, ExpansionTask] = {}
        self.add(expansions)

    def add(self, expansions: Sequence[Expansion]) -> None:
        """Add tasks that the run has recorded."""
        self._groups = self._groups | {one.path: one.work for one in expansions}

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
        stored = self._read_code(group.code) if group.code else None
        return KeptFunctions(self._code, stored)(task, ADDED)
