"""Terms of batches that are allowed, and not what people mean."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lineagegraph.model.freshness.describe import describe_freshness
from lineagegraph.model.freshness.period import longest_age, periods
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.reading.elsewhere import FullName
from lineagegraph.text import format_duration

Tasks = Mapping[FullName, tuple[Pipeline, Task]]


class BatchWarning(NamedTuple):
    """What is odd about a task, or about its dependency on a job."""

    task: str
    parent: str | None
    message: str


def list_warnings(pipeline: Pipeline, known: Tasks) -> Iterator[BatchWarning]:
    """Yield what is odd about a batch's terms, as far as its parents are known by full name."""
    for task in pipeline.tasks:
        yield from _own(pipeline, task)
        for one in task.dependencies:
            for message in _edge(pipeline, task, one, known):
                yield BatchWarning(task.name, one.job, message)


def _own(pipeline: Pipeline, task: Task) -> Iterator[BatchWarning]:
    terms = task.freshness
    if terms and terms.max_age in periods(pipeline.triggers) and terms.since is None:
        age = format_duration(terms.max_age or 0)
        yield BatchWarning(
            task.name,
            None,
            f"is fresh for {age}, which is the period of its own schedule: a run that ended late "
            'lets the next one be skipped; use since ("day", "hour" or a cron expression)',
        )


def _edge(pipeline: Pipeline, task: Task, one: Dependency, known: Tasks) -> Iterator[str]:
    terms = one.freshness
    if one.wait and one.wait < one.recheck:
        yield (
            f"waits {format_duration(one.wait)}, but checks again every "
            f"{format_duration(one.recheck)}: lower recheck"
        )
    if _name(pipeline, task, one) not in known:
        return
    home, parent = known[_name(pipeline, task, one)]
    gaps = periods(home.triggers)
    if terms.max_age and gaps and terms.since is None and terms.max_age <= max(gaps):
        yield _drift(terms.max_age, max(gaps))
    if parent.freshness and longest_age(terms) < longest_age(parent.freshness):
        yield (
            f"needs it by {describe_freshness(terms)}, but it is itself fresh by "
            f"{describe_freshness(parent.freshness)}: submitted in between, it is skipped as fresh "
            "and this task waits in vain; give both the same terms"
        )


def _drift(age: float, gap: float) -> str:
    period = format_duration(gap)
    if age == gap:
        return (
            f"accepts it up to an age of {period}, which is the period of its schedule: the run "
            "before may count when it ended a little later than this begins; use since "
            '("day", "hour" or a cron expression)'
        )
    return (
        f"accepts it up to an age of {format_duration(age)}, but it runs every {period}: it is "
        "stale for a part of each period; use since, or a greater age"
    )


def _name(pipeline: Pipeline, task: Task, one: Dependency) -> FullName:
    if one.namespace is None and one.job in task.after:
        return FullName(pipeline.namespace, f"{pipeline.name}.{one.job}")
    return FullName(one.namespace or pipeline.namespace, one.job)
