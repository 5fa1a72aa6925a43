"""Spark jobs outside of SQL: what RDDs read and write, and what they may write unseen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JError

from lineagegraph.spark.action import Description, Table, WriteTarget
from lineagegraph.spark.columns.column_lineage import Resolved
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.jvm import option, sequence, texts
from lineagegraph.spark.plan_json import PlanNode
from lineagegraph.spark.rdds.outputs import folder_written
from lineagegraph.spark.rdds.sources import MADE_HERE, paths_of

_READS = ("collect", "count", "reduce", "fold", "aggregate", "treeAggregate", "treeReduce", "take")
_WRITES = ("saveAs", "foreach")
_MOST_KNOWN = 200

Sources = tuple[tuple[str, ...], tuple[str, ...]]
"""The paths that RDDs read, and the kinds of those that are not understood."""


@dataclass(frozen=True)
class RddJob:
    """A job: its verb, such as `collect`, and what it reads."""

    id: int
    at: int
    verb: str
    paths: tuple[str, ...] = ()
    opaque: tuple[str, ...] = ()
    #: the folder that it writes
    folder: str | None = None
    stages: tuple[int, ...] = ()

    @property
    def counts_rows(self) -> bool:
        """Return whether a record that it writes is a row: an object file has many in each."""
        return self.verb != "saveAsObjectFile"

    @property
    def is_action(self) -> bool:
        """Return whether a program asked for this job; Spark has some for itself."""
        return self.folder is not None or self.verb.startswith((*_READS, *_WRITES))


class RddJobs:
    """The jobs of a SparkContext; what an RDD reads is asked for once."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._known: dict[tuple[int, ...], Sources] = {}

    def of(self, event: Any) -> RddJob:
        """Return the job that an event begins."""
        stage = self._last_stage(event.jobId())
        folder = _folder(stage)  # first: it is only seen while the job runs
        verb, roots, stages = "", dict[int, str](), list[int]()
        for each in sequence(event.stageInfos()):
            stages.append(each.stageId())
            for info in sequence(each.rddInfos()):
                if not texts(info.parentIds()):
                    roots[info.id()] = str(info.name())
                if str(info.callSite()).startswith(_WRITES):
                    verb = _verb(info.callSite())
            verb = verb or _verb(each.name())
        paths, opaque = self._sources(roots, stage)
        return RddJob(event.jobId(), event.time(), verb, paths, opaque, folder, tuple(stages))

    def _last_stage(self, job: int) -> Any:
        """Return the last stage of a job in Spark's scheduler; None if the job has ended."""
        try:
            scheduler = self._context._jsc.sc().dagScheduler()
            active = option(scheduler.jobIdToActiveJob().get(job))
            return active and active.finalStage()
        except Py4JError:
            return None

    def _sources(self, roots: dict[int, str], stage: Any) -> Sources:
        """Return what RDDs read: by their names, or else by the RDDs themselves."""
        names = tuple(dict.fromkeys(roots.values()))
        paths = tuple(name for name in names if "/" in name)
        opaque = tuple(name for name in names if name not in (*paths, *MADE_HERE))
        if not opaque:
            return paths, ()
        key = tuple(sorted(roots))
        if key not in self._known and stage is not None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = _paths_of(stage.rdd()) or (paths, opaque)
        return self._known.get(key, (paths, opaque))


def describe_job(job: RddJob, name_of: Callable[[str], DatasetName]) -> Description:
    """Describe a job; what `foreach` writes is not known."""
    tables = tuple(dict.fromkeys(Table(name_of(path)) for path in job.paths))
    table = Table(name_of(job.folder)) if job.folder else None
    target = WriteTarget(table, counts_by_stage=True) if table else None
    is_unseen = job.verb.startswith(_WRITES) and not target
    return Description(
        plan=PlanNode("RDD", {"class": "RDD"}, ()),
        resolved=Resolved(),
        relations={-1: tables} if tables else {},
        target=target,
        opaque=(*job.opaque, f"output of {job.verb}") if is_unseen else job.opaque,
    )


def _folder(stage: Any) -> str | None:
    try:
        return folder_written(stage) if stage is not None else None
    except Py4JError:  # another Spark may have other fields
        return None


def _paths_of(rdd: Any) -> Sources | None:
    try:
        paths, unknown = paths_of(rdd)
    except Py4JError:
        return None
    return tuple(dict.fromkeys(paths)), tuple(dict.fromkeys(unknown))


def _verb(call_site: Any) -> str:
    verb, _, place = str(call_site).partition(" at ")
    return "saveAsHadoopFile" if place.startswith("SparkHadoopWriter.") else verb.partition(" ")[0]
