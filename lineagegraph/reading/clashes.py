"""Pipelines of one project that could not be told apart by name."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lineagegraph.reading.jobs import list_task_jobs
from lineagegraph.reading.parser import ParsedPipeline


class Owner(NamedTuple):
    """What has a name already: a pipeline at a line of a file, or a task of it."""

    namespace: str
    name: str
    where: str
    pipeline: str
    task: str | None

    def __str__(self) -> str:
        if self.task is None:
            return f"defined at {self.where}"
        return f"the full name of task {self.task} of {self.pipeline} at {self.where}"


def names_of(parsed: Iterable[ParsedPipeline]) -> list[Owner]:
    """Return the names that pipelines and their tasks have."""
    return [owner for one in parsed for owner in _owners(one)]


def find_clashes(parsed: Sequence[ParsedPipeline], others: Iterable[Owner] = ()) -> dict[int, str]:
    """Return what is wrong with those pipelines, by index, whose full name is not theirs alone.

    A pipeline must not be called as a task of another is: its runs would be taken for the task's.
    `others` are names in files that were not read now.
    """
    owners = defaultdict(list)
    for owner in (*names_of(parsed), *others):
        owners[owner.namespace, owner.name].append(str(owner))
    found = ((index, _fault(one, owners)) for index, one in enumerate(parsed))
    return {index: fault for index, fault in found if fault}


def _owners(one: ParsedPipeline) -> Iterable[Owner]:
    pipeline, where = one.version.pipeline, f"{one.version.file}:{one.line}"
    yield Owner(pipeline.namespace, pipeline.name, where, pipeline.name, None)
    for job in list_task_jobs(pipeline):
        task = ".".join(job.path)
        yield Owner(job.name.namespace, job.name.fqn, where, pipeline.name, task)


def _fault(one: ParsedPipeline, owners: dict[tuple[str, str], list[str]]) -> str | None:
    pipeline = one.version.pipeline
    found = dict.fromkeys(owners[pipeline.namespace, pipeline.name])
    if len(found) == 1:
        return None
    return f"pipeline {pipeline.name} is {' and '.join(found)}: rename one"
