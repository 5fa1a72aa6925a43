"""How far the Spark jobs of a task are."""

from dataclasses import dataclass
from typing import Any

import msgspec

from lineagegraph.spark.jvm import option

_MOST_JOBS = 5


@dataclass(frozen=True)
class StageProgress:
    """Spark's jobs, stages and tasks of one task run, as far as they are known yet."""

    jobs: int = 0
    stages_done: int = 0
    stages: int = 0
    tasks_done: int = 0
    tasks: int = 0


class Stage(msgspec.Struct, frozen=True):
    """A stage of a Spark job, and how many of its tasks there are, run, are done and failed."""

    id: int
    job: int
    name: str
    tasks: int
    active: int
    done: int
    failed: int


def read_stages(context: Any, tag: str) -> list[Stage]:
    """Return the stages of the newest jobs that have a tag; may be asked from any thread."""
    tracker = context._jsc.sc().statusTracker()
    newest = sorted(tracker.getJobIdsForTag(tag))[-_MOST_JOBS:]
    jobs = [option(tracker.getJobInfo(job)) for job in newest]
    known = {stage: job.jobId() for job in jobs if job is not None for stage in job.stageIds()}
    found = ((job, option(tracker.getStageInfo(stage))) for stage, job in sorted(known.items()))
    return [_stage(job, stage) for job, stage in found if stage is not None]


def _stage(job: int, stage: Any) -> Stage:
    return Stage(
        stage.stageId(),
        job,
        str(stage.name()),
        stage.numTasks(),
        stage.numActiveTasks(),
        stage.numCompletedTasks(),
        stage.numFailedTasks(),
    )


def read_progress(context: Any, tag: str) -> StageProgress:
    """Read the progress of the jobs that have a tag; may be asked from any thread."""
    tracker = context._jsc.sc().statusTracker()
    jobs = [option(tracker.getJobInfo(job)) for job in tracker.getJobIdsForTag(tag)]
    ids = {stage for job in jobs if job is not None for stage in job.stageIds()}
    stages = [stage for id_ in ids if (stage := option(tracker.getStageInfo(id_))) is not None]
    counts = [(stage.numCompletedTasks(), stage.numTasks()) for stage in stages]
    return StageProgress(
        jobs=len(jobs),
        stages_done=sum(done == tasks for done, tasks in counts),
        stages=len(ids),
        tasks_done=sum(done for done, _ in counts),
        tasks=sum(tasks for _, tasks in counts),
    )
