"""What a worker and the process of a cluster tell each other, a line of JSON each."""

from typing import Any

import msgspec

from lineagegraph.execution.request import RunRequest
from lineagegraph.model.pipelines.definition import PipelineVersion
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.upstream import Upstream


class Beginning(msgspec.Struct, frozen=True, kw_only=True):
    """The first line to the process: the request that its run is carried out by, and its conf."""

    cluster: str
    spark: dict[str, str]
    run_id: str
    version: PipelineVersion
    params: dict[str, Any]
    code: str
    logs: str
    only: tuple[str, ...]
    expansions: tuple[Expansion, ...]
    waiting: dict[str, str]
    attempt: int
    upstream: tuple[Upstream, ...]
    java_home: str | None


class Order(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line to the process: run the task at a path, stop it, or what was asked about it."""

    id: int
    run: str | None = None
    stop: bool = False
    answer: bool = False
    fault: str | None = None


class End(msgspec.Struct, frozen=True, kw_only=True):
    """How an attempt ended."""

    state: str
    reason: str | None
    message: str | None
    trace: str | None
    abandoned: bool
    emitted: dict[str, Any]


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line from the process: lineage, a question whether a task may publish, an end, the cost."""

    id: int = 0
    events: list[dict[str, Any]] = []
    asks: bool = False
    end: End | None = None
    cost: dict[str, Any] | None = None


def beginning(request: RunRequest, cluster: str, spark: dict[str, str]) -> Beginning:
    """Return what the process of a cluster has to know of a run."""
    return Beginning(
        cluster=cluster,
        spark=spark,
        run_id=request.run_id,
        version=request.version,
        params=request.params,
        code=str(request.code),
        logs=str(request.logs),
        only=request.only,
        expansions=request.expansions,
        waiting=dict(request.waiting),
        attempt=request.attempt,
        upstream=request.upstream,
        java_home=str(request.java_home) if request.java_home else None,
    )
