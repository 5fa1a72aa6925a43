"""How far the Spark jobs of a task are."""

from dataclasses import dataclass
from typing import Any

from lineagegraph.spark.jvm import option


@dataclass(frozen=True)
class StageProgress:
    """Spark's jobs, stages and tasks of one task run, as far as they are known yet."""

    jobs: int = 0
    stages_done: int = 0
    stages: int = 0
    tasks_done: int = 0
    tasks: int = 0


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
