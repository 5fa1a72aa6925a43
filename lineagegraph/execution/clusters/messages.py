"""Messages between a worker and the process of a cluster: one line of JSON each."""

from typing import Any

import msgspec

from lineagegraph.execution.attempt_end import AttemptEnd
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.pipelines.definition import PipelineVersion
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.upstream import Upstream
from lineagegraph.model.runs.values import TaskInput


class ClusterStart(msgspec.Struct, frozen=True, kw_only=True):
    """The first line to the process: the run's request, and the Spark settings."""

    #: the name of the cluster
    cluster: str
    #: Spark settings of the session
    spark: dict[str, str]
    #: the run's id
    run_id: str
    #: the version of the pipeline
    version: PipelineVersion
    #: the parameters as plain JSON values
    params: dict[str, Any]
    #: the path of the folder of the unpacked source
    code: str
    #: the path of the run's log folder
    logs: str
    #: paths of tasks to run; empty: all
    only: tuple[str, ...]
    #: tasks that were added at run time
    expansions: tuple[Expansion, ...]
    #: run ids of waiting tasks, by path
    waiting: dict[str, str]
    #: the number of this launch of the run, from 1
    attempt: int
    #: the causes of the run
    upstream: tuple[Upstream, ...]
    #: the path of Java, if it is a given one
    java_home: str | None


class ClusterOrder(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line to the process: run the task at a path, stop it, or the answer to its question."""

    id: int
    run: str | None = None
    attempt: int = 1
    received: dict[str, TaskInput] = {}
    stop: bool = False
    answer: bool = False
    fault: str | None = None


class ClusterReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line from the process: lineage, a question if a task may publish, an end, or the cost."""

    id: int = 0
    events: list[dict[str, Any]] = []
    asks: bool = False
    end: AttemptEnd | None = None
    cost: dict[str, Any] | None = None


def cluster_start(request: RunRequest, cluster: str, spark: dict[str, str]) -> ClusterStart:
    """Return the parts of a run's request that the process of a cluster needs."""
    return ClusterStart(
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
