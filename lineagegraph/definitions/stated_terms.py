"""What a definition states of the freshness of its tasks, as terms that these are watched by."""

from collections.abc import Sequence
from typing import Any

from lineagegraph.definitions.jobs import TaskJob
from lineagegraph.model.condition import OnCron
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.fresh_state import Terms
from lineagegraph.model.names import JobName
from lineagegraph.store.terms import terms_properties


def terms_row(pipeline: Pipeline, job: JobName, tasks: Sequence[TaskJob]) -> dict[str, Any]:
    """Return the terms that the tasks of a pipeline state.

    A task that is to run whatever its age states none.
    """
    awaits, awaits_zone = _schedule(pipeline)
    stated: list[dict[str, Any]] = [
        {"key": one.name.key, "terms": terms_properties(terms)}
        for one in tasks
        if one.task.freshness and one.task.freshness.max_age != 0
        for terms in [Terms(freshness=one.task.freshness, awaits=awaits, awaits_zone=awaits_zone)]
    ]
    return {"job_key": job.key, "stated": stated}


def _schedule(pipeline: Pipeline) -> tuple[str, str] | tuple[None, None]:
    """Return the first schedule of a pipeline, and its zone, if there is any."""
    crons = (one.when for one in pipeline.triggers if isinstance(one.when, OnCron))
    return next(((one.cron, one.zone) for one in crons), (None, None))
