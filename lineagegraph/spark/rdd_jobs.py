"""Spark jobs outside of SQL: what RDDs read, and what they may write unseen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lineagegraph.spark.action import Description, Table
from lineagegraph.spark.column_lineage import Resolved
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.jvm import sequence, texts
from lineagegraph.spark.plan_json import PlanNode

_MADE_HERE = ("ParallelCollectionRDD", "EmptyRDD")
_READS = ("collect", "count", "reduce", "fold", "aggregate", "treeAggregate", "treeReduce", "take")
_WRITES = ("saveAs", "foreach")


@dataclass(frozen=True)
class RddJob:
    """A job: its verb, such as `collect`, and the names of the RDDs that depend on none."""

    id: int
    at: int
    verb: str
    roots: tuple[str, ...]

    @property
    def is_action(self) -> bool:
        """Return whether a program asked for this job; Spark has some for itself."""
        return self.verb.startswith((*_READS, *_WRITES))


def rdd_job(event: Any) -> RddJob:
    """Return the job that an event begins."""
    verb, roots = "", []
    for stage in sequence(event.stageInfos()):
        for info in sequence(stage.rddInfos()):
            if not texts(info.parentIds()):
                roots.append(str(info.name()))
            if str(info.callSite()).startswith(_WRITES):
                verb = _verb(info.callSite())
        verb = verb or _verb(stage.name())
    return RddJob(event.jobId(), event.time(), verb, tuple(dict.fromkeys(roots)))


def describe_job(job: RddJob, name_of: Callable[[str], DatasetName]) -> Description:
    """Describe a job; what it writes is not known."""
    paths = [root for root in job.roots if "/" in root]
    tables = tuple(Table(name_of(path)) for path in paths)
    opaque = [root for root in job.roots if root not in (*paths, *_MADE_HERE)]
    if job.verb.startswith(_WRITES):
        opaque.append(f"output of {job.verb}")
    return Description(
        plan=PlanNode("RDD", {"class": "RDD"}, ()),
        resolved=Resolved(),
        relations={-1: tables} if tables else {},
        opaque=tuple(opaque),
    )


def _verb(call_site: Any) -> str:
    return str(call_site).partition(" ")[0]
