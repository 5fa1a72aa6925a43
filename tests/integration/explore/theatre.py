"""Pipelines of plain functions that run in this process, and are kept in the graph as runs are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.run import RunServices, run_pipeline
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.pipelines.definition import Pipeline, PythonTask, Task
from lineagegraph.model.pipelines.expansion import Added, Expansion
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.runs.ids import derived_id, new_id
from lineagegraph.reactions.commit import commit
from lineagegraph.reading.added_tasks import resolve_added_task
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import Stage
from lineagegraph.store.runs import expansions as kept
from tests.definitions import define, version_of
from tests.events import run_event

WEDNESDAY = datetime(2026, 3, 4, 6, tzinfo=UTC)
FRIDAY = WEDNESDAY + timedelta(days=2)
HOUR = timedelta(hours=1)


def step(name: str, *after: str, **rest: Any) -> Task:
    """A task whose function has its name."""
    return Task(name=name, work=PythonTask(module="m", qualname=name), after=after, **rest)


def chain(*names: str) -> tuple[Task, ...]:
    """Tasks one after the other."""
    return tuple(step(name, *names[max(0, n - 1) : n]) for n, name in enumerate(names))


def pipeline(*tasks: Task, **rest: Any) -> Pipeline:
    """A pipeline `p` of some tasks."""
    return Pipeline(name="p", namespace="default", tasks=tasks, **rest)


@dataclass
class Theatre:
    """States pipelines and runs them, at times that the test says."""

    graph: Graph
    folder: Path
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def state(self, stated: Pipeline, at: datetime) -> str:
        """Put a pipeline in force, and return the key of its job."""
        return define(self.graph, stated, now=at)

    def play(self, stated: Pipeline, at: datetime, only: Sequence[str] = (), **params: Any) -> str:
        """Run a pipeline, and return the run's id."""
        run = new_id()
        request = RunRequest(
            run,
            version_of(stated, "p.py"),
            params,
            self.folder,
            self.folder / run,
            only=tuple(only),
            clock=clock(at),
        )
        run_pipeline(
            request,
            RunServices(
                reporter=self,
                sessions=lambda conf, emit: _NoSpark(),
                load=lambda task, path: self.functions.get(task.qualname, lambda: None),
                expander=_Expander(self.graph, run),
            ),
        )
        return run

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        """Write events as a worker does."""
        self.graph.write(commit, extract(events))

    def data(
        self,
        run: str,
        task: str,
        at: datetime,
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
    ) -> None:
        """Tell that a task of a run read and wrote tables, as its Spark application tells it."""
        event = run_event(
            "app",
            at=at,
            parent=(derived_id(run, task, "1"), f"p.{task}"),
            inputs=tuple(("lake", name) for name in reads),
            outputs=tuple(("lake", name) for name in writes),
        )
        self.report([event])


class _NoSpark:
    @property
    def conf(self) -> dict[str, str]:
        return {}

    def session(self) -> None: ...

    def task(self, context: TaskContext) -> AbstractContextManager[None]:
        return nullcontext()

    def cancel(self, run_id: str) -> None: ...

    def stages(self) -> dict[str, list[Stage]]:
        return {}

    def at_start(self, more: Callable[[], Mapping[str, str]]) -> None: ...

    def stop(self) -> None: ...

    def cost(self) -> None: ...


@dataclass
class _Expander:
    graph: Graph
    run: str
    most: int = 100

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        return resolve_added_task(task, name, parameters, ProjectScope(Path(__file__).parent))

    def record(self, expansions: Sequence[Expansion], codes: Sequence[TaskCode]) -> None:
        self.graph.write(kept.write_expansions, self.run, expansions, codes)


def clock(start: datetime) -> Callable[[], datetime]:
    """A clock that is a second later each time that it is looked at."""
    ticks: Iterator[int] = count()
    return lambda: start + timedelta(seconds=next(ticks))
