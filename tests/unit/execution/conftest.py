"""A bench for runs without Spark: functions instead of code folders, a list instead of a graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock
from typing import Any

import pytest

from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.errors import RunError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.run import RunServices, run_pipeline
from lineagegraph.model.pipelines.definition import (
    CommandTask,
    GroupTask,
    Pipeline,
    PipelineTask,
    PipelineVersion,
    PythonTask,
    Task,
)
from lineagegraph.model.pipelines.entry import Ended, Entry, Start, Waits
from lineagegraph.model.pipelines.expansion import Added, Expansion
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.runs.deferral import Deferral
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import TaskValue
from lineagegraph.reading.added_tasks import resolve_added_task
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import Stage


class Collected:
    """A reporter that keeps what it is given."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self._lock = Lock()

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        with self._lock:
            self.events.extend(events)


class Sessionless:
    """Sessions of a machine without Spark: they note what is asked of them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.on_cancel: Callable[[], None] = lambda: None

    @property
    def conf(self) -> dict[str, str]:
        return {}

    def session(self) -> str:
        self.asked.append("session")
        return "the session"

    def task(self, context: TaskContext) -> AbstractContextManager[None]:
        self.asked.append(f"task {context.job} of {context.root_job}")
        return nullcontext()

    def cancel(self, run_id: str) -> None:
        self.asked.append(f"cancel {run_id}")
        self.on_cancel()

    def stages(self) -> dict[str, list[Stage]]:
        return {}

    def at_start(self, more: Callable[[], Mapping[str, str]]) -> None:
        pass

    def cost(self) -> None:
        return None

    def stop(self) -> None:
        self.asked.append("stop")


class Expander:
    """Keeps expansions in a list; `broken` makes that fail."""

    def __init__(self) -> None:
        self.most = 100
        self.kept: list[Expansion] = []
        self.broken: str | None = None

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        return resolve_added_task(task, name, parameters, ProjectScope(Path(__file__).parents[3]))

    def record(self, expansions: Sequence[Expansion], codes: Sequence[TaskCode]) -> None:
        if self.broken:
            raise RunError(self.broken)
        self.kept.extend(expansions)


class ScriptedGate:
    """A gate that answers each task with what a test put there, and then lets it in."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Entry | Exception]] = {}
        self.asked: list[tuple[str, dict[str, Ended]]] = []
        self.is_settled = Event()
        self.parks = False
        self.told: list[str] = []
        self.look: Callable[[], None] = lambda: None

    def enter(self, step: Step, ended: Mapping[str, Ended]) -> Entry:
        self.asked.append((step.name, dict(ended)))
        answers = self.answers.get(step.name) or [Start(1)]
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def keep(self, step: Step, found: Waits) -> bool:
        self.told.append(f"{step.name} waits")
        return True

    def defer(self, step: Step, deferral: Deferral) -> None:
        self.told.append(f"{step.name} defers")

    def hold_back(self, step: Step) -> None:
        self.told.append(f"{step.name} is held back")

    def listen(self, look: Callable[[], None]) -> Callable[[], None]:
        self.look = look
        return lambda: self.told.append("over")

    def list_ready(self, steps: Iterable[Step]) -> Collection[Step]:
        return list(steps) if self.is_settled.is_set() else []

    def try_park(self) -> bool:
        self.told.append("rest")
        return self.parks

    def resume(self) -> None:
        self.told.append("resume")

    def settle(self) -> None:
        self.is_settled.set()
        self.look()


@dataclass
class Bench:
    """Runs pipelines of test functions; afterwards it has all that came of the last run."""

    folder: Path
    reporter: Any = field(default_factory=Collected)
    sessions: Sessionless = field(default_factory=Sessionless)
    cancellation: Cancellation = field(default_factory=Cancellation)
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)
    run_id: str = field(default_factory=new_id)
    expander: Expander = field(default_factory=Expander)
    expansions: tuple[Expansion, ...] = ()
    gate: ScriptedGate | None = None
    late_gate: Callable[[], ScriptedGate] | None = None
    known: dict[str, Outcome] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    begun: Collection[str] = ()
    outputs: dict[str, TaskValue] = field(default_factory=dict)

    def task(
        self, function: Callable[..., Any], *, arguments: tuple[str, ...] = (), **rest: Any
    ) -> Task:
        name = rest.pop("name", None) or function.__name__
        key = f"f{len(self.functions)}"
        self.functions[key] = function
        work = PythonTask(module="bench", qualname=key, arguments=arguments)
        return Task(name=name, work=work, **rest)

    def run(
        self, *tasks: Task, params: dict[str, Any] | None = None, only: Any = (), **rest: Any
    ) -> RunState:
        pipeline = Pipeline(name="p", namespace="ns", tasks=tasks, **rest)
        return run_pipeline(
            self.request(pipeline, params or {}, only),
            RunServices(
                reporter=self.reporter,
                sessions=lambda conf, emit: self.sessions,
                load=lambda task, path: self.functions[task.qualname],
                cancellation=self.cancellation,
                expander=self.expander,
                gate=self.gate,
                late_gate=self.late_gate,
            ),
        )

    def request(self, pipeline: Pipeline, params: dict[str, Any], only: Any) -> RunRequest:
        version = PipelineVersion(
            hash="v1",
            structure_hash="s1",
            code_hash="c1",
            pipeline=pipeline,
            source_sha256="0" * 64,
            file="p.py",
            root=".",
        )
        code, logs = self.folder / "code", self.folder / "logs"
        code.mkdir(exist_ok=True)
        return RunRequest(
            self.run_id,
            version,
            params,
            code,
            logs,
            only=only,
            expansions=self.expansions,
            known=self.known,
            waiting=self.waiting,
            begun=self.begun,
            outputs=self.outputs,
        )

    @property
    def events(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.reporter.events
        return found

    @property
    def story(self) -> list[str]:
        return [f"{e['job']['name']} {e['eventType']}" for e in self.events]

    def own(self, job: str, event_type: str) -> dict[str, Any]:
        facet: dict[str, Any] = self.event(job, event_type)["run"]["facets"]["lineagegraph"]
        return facet

    def event(self, job: str, event_type: str) -> dict[str, Any]:
        [found] = [e for e in self.events if self._is(e, job, event_type)]
        return found

    def log(self, name: str) -> str:
        return (self.folder / "logs" / f"{name}.log").read_text()

    @staticmethod
    def _is(event: dict[str, Any], job: str, event_type: str) -> bool:
        return bool(event["job"]["name"] == job and event["eventType"] == event_type)

    @staticmethod
    def group(name: str, *tasks: Task, **rest: Any) -> Task:
        return Task(name=name, work=GroupTask(tasks=tasks), **rest)

    @staticmethod
    def nested(name: str, pipeline: Pipeline, **params: Any) -> Task:
        return Task(name=name, work=PipelineTask(pipeline=pipeline, params=params))

    @staticmethod
    def command(name: str, *command: str, **rest: Any) -> Task:
        return Task(name=name, work=CommandTask(command=command), **rest)

    @staticmethod
    def shell(name: str, script: str, **rest: Any) -> Task:
        return Bench.command(name, "sh", "-c", script, **rest)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture(scope="session")
def new_bench() -> type[Bench]:
    return Bench
