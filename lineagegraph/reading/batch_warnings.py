"""Terms of batches that are allowed, and not what people mean."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lineagegraph.model.durations import say_seconds
from lineagegraph.model.freshness.describe import say_freshness
from lineagegraph.model.freshness.period import longest_age, periods
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.reading.elsewhere import Name

Tasks = Mapping[Name, tuple[Pipeline, Task]]


class Warned(NamedTuple):
    """What is odd about a task, or about its dependency on a job."""

    task: str
    parent: str | None
    message: str


def list_warnings(pipeline: Pipeline, known: Tasks) -> Iterator[Warned]:
    """Yield what is odd about a batch's terms, as far as its parents are known by full name."""
    for task in pipeline.tasks:
        yield from _own(pipeline, task)
        for one in task.dependencies:
            for message in _edge(pipeline, task, one, known):
                yield Warned(task.name, one.job, message)


def _own(pipeline: Pipeline, task: Task) -> Iterator[Warned]:
    terms = task.freshness
    if terms and terms.max_age in periods(pipeline.triggers) and terms.since is None:
        age = say_seconds(terms.max_age or 0)
        yield Warned(
            task.name,
            None,
            f"is fresh for {age}, which is the period of its own schedule: a run that ended late "
            'lets the next one be skipped; use since ("day", "hour" or a cron expression)',
        )


def _edge(pipeline: Pipeline, task: Task, one: Dependency, known: Tasks) -> Iterator[str]:
    terms = one.freshness
    if one.wait and one.wait < one.recheck:
        yield (
            f"waits {say_seconds(one.wait)}, and looks again every {say_seconds(one.recheck)}: "
            "lower recheck"
        )
    if _name(pipeline, task, one) not in known:
        return
    home, parent = known[_name(pipeline, task, one)]
    gaps = periods(home.triggers)
    if terms.max_age and gaps and terms.since is None and terms.max_age <= max(gaps):
        yield _drift(terms.max_age, max(gaps))
    if parent.freshness and longest_age(terms) < longest_age(parent.freshness):
        yield (
            f"wants it of {say_freshness(terms)}, and it is itself fresh by "
            f"{say_freshness(parent.freshness)}: when it is submitted in between it is skipped "
            "as fresh, and this waits in vain; let both have the same terms"
        )


def _drift(age: float, gap: float) -> str:
    period = say_seconds(gap)
    if age == gap:
        return (
            f"takes it up to an age of {period}, which is the period of its schedule: the run "
            "before may count when it ended a little later than this begins; use since "
            '("day", "hour" or a cron expression)'
        )
    return (
        f"takes it up to an age of {say_seconds(age)}, and it runs every {period}: it is stale for "
        "a part of each period; use since, or a greater age"
    )


def _name(pipeline: Pipeline, task: Task, one: Dependency) -> Name:
    if one.namespace is None and one.job in task.after:
        return Name(pipeline.namespace, f"{pipeline.name}.{one.job}")
    return Name(one.namespace or pipeline.namespace, one.job)
