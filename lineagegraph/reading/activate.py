"""Make versions of pipelines active: new runs take them, with their terms, order and triggers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.triggers.condition import OnCron
from lineagegraph.model.typed import decode_json
from lineagegraph.reading.link_parents import link_parents
from lineagegraph.reading.task_jobs import TaskJob, list_task_jobs
from lineagegraph.store.freshness import dependencies, terms
from lineagegraph.store.freshness.terms import terms_properties
from lineagegraph.store.jobs.jobs import delete_empty
from lineagegraph.store.pipelines import versions
from lineagegraph.store.triggers import triggers
from lineagegraph.triggers.of_definition import write_definition


class ActiveVersion(NamedTuple):
    """A version that new runs of its pipeline take, with its jobs."""

    job: JobName
    hash: str
    pipeline: Pipeline
    tasks: list[TaskJob]
    #: whether no other version left anything at these jobs
    is_first: bool = False


def stored_version(hash_: str, definition: str) -> ActiveVersion:
    """Return a version by its hash and its pipeline as JSON text."""
    pipeline = decode_json(definition, into=Pipeline)
    job = name_job(pipeline.namespace, pipeline.name)
    return ActiveVersion(job, hash_, pipeline, list_task_jobs(pipeline))


def activate_versions(
    tx: Transaction, active: Sequence[ActiveVersion], *, now: datetime | None = None
) -> None:
    """Make stored versions active, with the freshness terms and the order of their tasks.

    Raises `DependencyCircle` if tasks would wait for each other.
    """
    rows = [{"job_key": one.job.key, "hash": one.hash} for one in active]
    versions.set_current(tx, rows=rows, now=now)
    stated = [(one, _terms_row(one)) for one in active]
    rows = [row for one, row in stated if row["stated"] or not one.is_first]
    terms.set_stated(tx, rows=rows, now=now)
    keys = sorted(one.job.key for one in active if not one.is_first)
    left = dependencies.delete_parents(tx, keys=keys)
    link_parents(tx, [one.tasks for one in active])
    # A name that was misspelled once would stay in all lists.
    delete_empty(tx, keys=left)


def write_triggers(tx: Transaction, one: ActiveVersion) -> None:
    """Write the triggers of an active version, in place of those of the version before."""
    before = [row.id for row in triggers.list_defined(tx, keys=[one.job.key])]
    write_definition(tx, one.pipeline, starts=one.job.key, before=before)


def _terms_row(one: ActiveVersion) -> dict[str, Any]:
    """Return the terms that tasks state; one that always runs (maximum age 0) has none."""
    awaits, awaits_zone = _schedule(one.pipeline)
    stated: list[dict[str, Any]] = [
        {"key": each.name.key, "terms": terms_properties(terms)}
        for each in one.tasks
        if each.task.freshness and each.task.freshness.max_age != 0
        for terms in [Terms(freshness=each.task.freshness, awaits=awaits, awaits_zone=awaits_zone)]
    ]
    return {"job_key": one.job.key, "stated": stated}


def _schedule(pipeline: Pipeline) -> tuple[str, str] | tuple[None, None]:
    """Return the first schedule of a pipeline with its zone, if there is one."""
    crons = (one.when for one in pipeline.triggers if isinstance(one.when, OnCron))
    return next(((one.cron, one.zone) for one in crons), (None, None))
