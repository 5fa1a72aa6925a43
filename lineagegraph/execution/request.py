"""The request to run one version of a pipeline."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lineagegraph.execution.outcome import Outcome
from lineagegraph.model.pipelines.definition import PipelineVersion
from lineagegraph.model.pipelines.entry import Skipped
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.upstream import Upstream
from lineagegraph.model.runs.deferral import DeferralAnswer
from lineagegraph.model.runs.values import TaskValue

UPSTREAM_FILE = "upstream.json"


def local_clock() -> datetime:
    """Return the time of this machine's clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class ReportTarget:
    """The HTTP server to which programs of tasks report, and the token of the run."""

    url: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run of one version of a pipeline."""

    #: the run's id, a UUID
    run_id: str
    #: the version of the pipeline to run
    version: PipelineVersion
    #: the parameters as plain JSON values, with defaults filled in
    params: dict[str, Any]
    #: the folder of the unpacked source
    code: Path
    #: the run's own log folder
    logs: Path
    #: paths of tasks or groups to run, such as `tables.flights`; empty: all
    only: tuple[str, ...] = ()
    #: tasks that earlier launches or the original run added
    expansions: tuple[Expansion, ...] = ()
    #: values that completed tasks emitted earlier, by the task's path
    done: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: values that completed tasks returned earlier, by the task's path
    outputs: Mapping[str, TaskValue] = field(default_factory=dict)
    #: entries of the skip list as of the start of the run, by the job's key
    skips: Mapping[str, Skipped] = field(default_factory=dict)
    #: when an earlier launch started the run; None: this one does
    began_at: datetime | None = None
    #: the number of this launch of the run, from 1
    attempt: int = 1
    #: the number of the worker's claim; grows with each claim
    fence: int = 0
    #: the home with the graph of the run, see `graph_place`; empty: it is elsewhere
    place: str = ""
    #: outcomes of tasks that ended in an earlier launch, by path
    known: Mapping[str, Outcome] = field(default_factory=dict)
    #: run ids of tasks that still wait, by path
    waiting: Mapping[str, str] = field(default_factory=dict)
    #: paths of those among them that began before they waited
    begun: Collection[str] = ()
    #: answers of the sensors that tasks deferred to in earlier launches, by path
    answers: Mapping[str, Sequence[DeferralAnswer]] = field(default_factory=dict)
    #: run ids of groups and pipelines around waiting tasks, by path
    opened: Mapping[str, str] = field(default_factory=dict)
    #: the causes of the run
    upstream: tuple[Upstream, ...] = ()
    #: the scheduled time, ISO 8601 with an offset
    nominal_start: str | None = None
    #: the end of the scheduled interval, ISO 8601 with an offset
    nominal_end: str | None = None
    #: the Java of `spark-submit`; None: the one on the PATH
    java_home: Path | None = None
    #: the address and the token with which programs of tasks report; None: they get none
    report: ReportTarget | None = None
    #: returns the time for the dates of events
    clock: Callable[[], datetime] = local_clock
