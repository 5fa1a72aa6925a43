"""What one run is asked to be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lineagegraph.execution.outcome import Outcome
from lineagegraph.model.pipelines.definition import PipelineVersion
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.upstream import Upstream

UPSTREAM_FILE = "upstream.json"


def local_clock() -> datetime:
    """Return the time by this machine's clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run of one version: `params` are plain JSON values, defaults already filled in.

    `code` is the folder of the unpacked source, `logs` the run's own log folder. `only` has paths
    of tasks or groups (`clean`, `tables.flights`); empty means all. `expansions` are those of an
    earlier run whose tasks may be among them, `done` has what tasks emitted that were completed in
    one, by path. `attempt` counts the launches of this run id, and `fence` is its worker's: `known`
    has how tasks ended in an earlier one, `waiting` the runs of those that still wait, `opened`
    those of groups and pipelines around these. `upstream` has what set it off. The nominal times
    are ISO 8601 with an offset; `java_home` is for `spark-submit`. `clock` dates what happens.
    """

    run_id: str
    version: PipelineVersion
    params: dict[str, Any]
    code: Path
    logs: Path
    only: tuple[str, ...] = ()
    expansions: tuple[Expansion, ...] = ()
    done: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    attempt: int = 1
    fence: int = 0
    known: Mapping[str, Outcome] = field(default_factory=dict)
    waiting: Mapping[str, str] = field(default_factory=dict)
    opened: Mapping[str, str] = field(default_factory=dict)
    upstream: tuple[Upstream, ...] = ()
    nominal_start: str | None = None
    nominal_end: str | None = None
    java_home: Path | None = None
    clock: Callable[[], datetime] = local_clock
