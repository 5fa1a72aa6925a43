"""Pipelines of one project that could not be told apart by name."""

from collections import defaultdict
from collections.abc import Sequence

from lineagegraph.definitions.jobs import list_task_jobs
from lineagegraph.definitions.parser import ParsedPipeline


def find_clashes(parsed: Sequence[ParsedPipeline]) -> dict[int, str]:
    """Return what is wrong with those pipelines, by index, whose full name is not theirs alone.

    A pipeline must not be called as a task of another is: its runs would be taken for the task's.
    """
    owners = defaultdict(list)
    for one in parsed:
        pipeline = one.version.pipeline
        owners[pipeline.namespace, pipeline.name].append(f"defined at {_where(one)}")
        for job in list_task_jobs(pipeline):
            path = ".".join(job.path)
            owner = f"the full name of task {path} of {pipeline.name} at {_where(one)}"
            owners[job.name.namespace, job.name.fqn].append(owner)
    found = ((index, _fault(one, owners)) for index, one in enumerate(parsed))
    return {index: fault for index, fault in found if fault}


def _fault(one: ParsedPipeline, owners: dict[tuple[str, str], list[str]]) -> str | None:
    pipeline = one.version.pipeline
    found = dict.fromkeys(owners[pipeline.namespace, pipeline.name])
    if len(found) == 1:
        return None
    return f"pipeline {pipeline.name} is {' and '.join(found)}: rename one"


def _where(one: ParsedPipeline) -> str:
    return f"{one.version.file}:{one.line}"
