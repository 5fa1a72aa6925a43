"""Batches that are submitted, carried out and lost in any order.

Beside them is an oracle that knows nothing of how the gate decides.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from lineagegraph.freshness.candidate import Entering
from lineagegraph.model.freshness.terms import Dependency, Freshness
from lineagegraph.model.pipelines.entry import End, Ended, Entry, Start
from lineagegraph.model.runs.states import RunState
from tests.integration.freshness.theatre import Theatre

OVER = {RunState.COMPLETED, RunState.FAILED, RunState.FRESH_SKIP}
PATIENCE = timedelta(minutes=30)


@dataclass(frozen=True)
class Edge:
    """What a task needs; `inside` says that it is a task of the same batch."""

    parent: str
    terms: Freshness
    inside: bool


@dataclass(frozen=True)
class Task:
    """A task of a batch, with its terms."""

    name: str
    terms: Freshness
    edges: tuple[Edge, ...] = ()


@dataclass
class Part:
    """A task of a run: nothing yet, waiting, executing or how it ended."""

    task: Task
    entering: Entering
    state: RunState | None = None
    began_to_wait: datetime | None = None


@dataclass
class Run:
    """A submission of a batch."""

    parts: dict[str, Part]


@dataclass
class Oracle:
    """What a person would write down: when which job succeeded, and what executes now."""

    successes: dict[str, list[datetime]] = field(default_factory=dict)
    executing: set[str] = field(default_factory=set)

    def is_fresh(self, name: str, terms: Freshness, now: datetime) -> bool:
        """Say whether a job's last success is young enough."""
        ends = self.successes.get(name)
        if not ends:
            return False
        is_young = terms.max_age is None or (now - ends[-1]).total_seconds() <= terms.max_age
        is_of_today = terms.since is None or ends[-1].date() == now.date()
        return is_young and is_of_today


class Simulation:
    """Carries out runs step by step, and checks every decision of the gate."""

    def __init__(self, stage: Theatre, batches: dict[str, tuple[Task, ...]]) -> None:
        self.stage = stage
        self.batches = batches
        self.oracle = Oracle()
        self.runs: list[Run] = []
        stage.know(*(task.name for tasks in batches.values() for task in tasks))

    def submit(self, batch: str) -> None:
        """Submit a batch once more."""
        tasks = self.batches[batch]
        top = self.stage.queued()
        self.runs.append(Run({task.name: Part(task, self._entering(task, top)) for task in tasks}))
        self.advance()

    def pass_time(self, minutes: int) -> None:
        """Let time pass, and settle what waits."""
        self.stage.go(minutes=minutes)
        self.stage.settle()
        self.advance()

    def finish(self, number: int, *, well: bool) -> None:
        """Let one of the tasks that execute end."""
        executing = self._executing()
        if executing:
            part = executing[number % len(executing)]
            self.stage.go(seconds=1)
            self._end(part, RunState.COMPLETED if well else RunState.FAILED)
            self.stage.settle()
            self.advance()

    def lose(self, number: int) -> None:
        """Let the process of a run die; another goes on with it."""
        if not self.runs:
            return
        for part in self.runs[number % len(self.runs)].parts.values():
            if part.state is RunState.RUNNING:
                self._end(part, None)
                part.entering = self._entering(part.task, part.entering.root_id)
        self.stage.settle()
        self.advance()

    def advance(self) -> None:
        """Let all ask whose turn it is, until nothing changes."""
        while any(self._ask(run, part) for run in self.runs for part in run.parts.values()):
            pass

    def is_over(self) -> bool:
        """Say whether all tasks of all runs have ended."""
        return all(part.state in OVER for run in self.runs for part in run.parts.values())

    def _executing(self) -> list[Part]:
        parts = [part for run in self.runs for part in run.parts.values()]
        return [part for part in parts if part.state is RunState.RUNNING]

    def _ask(self, run: Run, part: Part) -> bool:
        if part.state in OVER or part.state is RunState.RUNNING:
            return False
        beside = [run.parts[edge.parent] for edge in part.task.edges if edge.inside]
        if any(other.state not in OVER for other in beside):
            return False
        if part.state is RunState.WAITING and not self.stage.is_settled(part.entering):
            return False
        ended = {other.task.name: Ended(other.state) for other in beside if other.state}
        names = tuple(run.parts)
        part.entering = _with(part.entering, self._entering(part.task, "", names, ended))
        before = part.state
        self._take(run, part, self.stage.enter(part.entering))
        return part.state is not before

    def _take(self, run: Run, part: Part, entry: Entry) -> None:
        now, name = self.stage.now, part.task.name
        if isinstance(entry, Start):
            assert name not in self.oracle.executing
            assert not self.oracle.is_fresh(name, part.task.terms, now)
            assert all(self._is_met(run, edge) for edge in part.task.edges)
            self.oracle.executing.add(name)
            part.state = RunState.RUNNING
        elif isinstance(entry, End):
            self._check_end(run, part, entry)
            part.state = entry.state
            if part.began_to_wait is not None:
                self.stage.stop_waiting(part.entering)
        else:
            assert name in self.oracle.executing or not all(
                self._is_met(run, edge) for edge in part.task.edges
            )
            part.began_to_wait = part.began_to_wait or now
            part.state = RunState.WAITING

    def _check_end(self, run: Run, part: Part, entry: End) -> None:
        if entry.state is RunState.FRESH_SKIP:
            assert self.oracle.is_fresh(part.task.name, part.task.terms, self.stage.now)
            return
        unmet = [edge for edge in part.task.edges if not self._is_met(run, edge)]
        assert unmet
        if entry.reason == "UPSTREAM_FAILED":
            failed = [run.parts[edge.parent].state for edge in unmet if edge.inside]
            assert RunState.FAILED in failed
        else:
            assert entry.reason == "PARENT_NOT_FRESH"
            assert part.began_to_wait is not None
            assert self.stage.now - part.began_to_wait >= PATIENCE

    def _is_met(self, run: Run, edge: Edge) -> bool:
        if edge.inside and run.parts[edge.parent].state is RunState.COMPLETED:
            return True
        return self.oracle.is_fresh(edge.parent, edge.terms, self.stage.now)

    def _end(self, part: Part, state: RunState | None) -> None:
        name = part.task.name
        kind = "COMPLETE" if state is RunState.COMPLETED else "FAIL"
        self.stage.end(name, kind, run_id=part.entering.run_id)
        self.oracle.executing.discard(name)
        if state is RunState.COMPLETED:
            self.oracle.successes.setdefault(name, []).append(self.stage.now)
        part.state = state

    def _entering(
        self,
        task: Task,
        top: str,
        inside: tuple[str, ...] = (),
        ended: dict[str, Ended] | None = None,
    ) -> Entering:
        needs = [Dependency(job=edge.parent, freshness=edge.terms) for edge in task.edges]
        return self.stage.task(
            task.name, *needs, freshness=task.terms, inside=inside, ended=ended, top=top
        )


def _with(before: Entering, now: Entering) -> Entering:
    """Return a task as it is now, in the same run as before."""
    return msgspec.structs.replace(
        now, run_id=before.run_id, root_id=before.root_id, submitted=before.submitted
    )
